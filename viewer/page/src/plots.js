// plots.js - the panel of curves: energy, the largest gap as a number, and the coordinates, forces and moments of one
// joint, over the whole run, with a line at the time that is shown.
import uPlot from "uplot";
import { el, show } from "./dom.js";

const PALETTE = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

// The pen of axes and grid, by day and by night.
const PEN = { text: "#66747f", grid: "#e9edf0" };

export function setPen(isDark) {
  PEN.text = isDark ? "#8fa0ad" : "#66747f";
  PEN.grid = isDark ? "#2a343c" : "#e9edf0";
}

const largest = (columns) => columns.reduce((m, c) => c.reduce((n, v) => (Math.abs(v) > n ? Math.abs(v) : n), m), 0);

class Curves {
  constructor(parent, title, unit, labels) {
    this.labels = labels;
    this.cursor = 0;
    this.box = el("section", { class: "curves", "data-title": title });
    this.unit = unit;
    this.words = el("span", { class: "unit" }, unit);
    this.head = el("h3", {}, title, this.words);
    this.box.append(this.head);
    parent.append(this.box);
    this.build();
  }

  build() {
    const short = (u, values) => values.map((v) => (v === null ? "" : this.tick(v)));
    this.plot = new uPlot(
      {
        width: 330,
        height: 124,
        padding: [6, 8, 0, 0],
        cursor: { show: true, drag: { x: false, y: false }, points: { size: 5 } },
        legend: { show: true, live: false, markers: { width: 3 } },
        scales: { x: { time: false } },
        axes: [
          { size: 24, font: "10px system-ui", stroke: () => PEN.text, grid: { stroke: () => PEN.grid, width: 1 }, ticks: { show: false }, values: short },
          { size: 50, font: "10px system-ui", stroke: () => PEN.text, grid: { stroke: () => PEN.grid, width: 1 }, ticks: { show: false }, values: short },
        ],
        series: [
          {},
          ...this.labels.map((label, i) => ({ label, stroke: PALETTE[i % PALETTE.length], width: 1.5, points: { show: false } })),
        ],
        hooks: { draw: [() => this.placeTime()], setCursor: [(u) => this.readOut(u)] },
      },
      [[0], ...this.labels.map(() => [null])],
      this.box,
    );
    // a line of its own over the picture: moving it draws nothing anew
    this.line = el("div", { class: "now" });
    this.plot.over.append(this.line);
  }

  tick(v) {
    const size = Math.abs(v);
    if (v === 0) return "0";
    if (size >= 1e5 || size < 1e-3) return v.toExponential(0).replace("e+", "e");
    return String(+v.toPrecision(4));
  }

  // The values under the pointer, in the order of the curves, in the place of the unit.
  readOut(u) {
    const i = u.cursor.idx;
    const isOver = i !== null && i !== undefined && this.values && u.cursor.left >= 0;
    this.words.textContent = isOver
      ? `${this.tick(this.values[0][i])} s: ${this.values.slice(1).map((c) => (c[i] === null ? "–" : show(c[i], 4))).join(", ")} ${this.unit}`
      : this.unit;
  }

  placeTime() {
    if (!this.line) return;
    const x = this.plot.valToPos(this.cursor, "x");
    const isIn = x >= 0 && x <= this.plot.over.clientWidth;
    this.line.style.transform = `translateX(${isIn ? x.toFixed(1) : -9}px)`;
  }

  setData(columns) {
    const clean = columns.map((c) => Array.from(c, (v) => (Number.isFinite(v) ? v : null)));
    this.plot.setData(clean);
    this.values = clean;
  }

  setTime(time) {
    if (time === this.cursor) return;
    this.cursor = time;
    this.placeTime();
  }

  resize(width) {
    if (width > 60 && width !== this.plot.width) this.plot.setSize({ width, height: 124 });
  }

  repaint() {
    this.plot.redraw(false, true);
  }

  remove() {
    this.plot.destroy();
    this.box.remove();
  }
}

// One number in the place of a curve: a plot of gaps would show rounding.
class Largest {
  constructor(parent, title, unit) {
    this.unit = unit;
    this.value = el("output", {}, "–");
    this.box = el("div", { class: "figure", "data-title": title }, el("span", {}, title), this.value);
    parent.append(this.box);
  }

  setData(columns) {
    const most = columns[1].reduce((m, v) => (v > m ? v : m), 0);
    const words = `${most > 0 ? most.toExponential(1).replace("e", " e") : "0"} ${this.unit}`;
    if (this.value.textContent !== words) this.value.textContent = words;
  }

  setTime() {}

  repaint() {}

  resize() {}
}

export class Plots {
  constructor(parent, model, layout, source) {
    this.parent = parent;
    this.model = model;
    this.layout = layout;
    this.source = source;
    this.joint = -1;
    this.time = 0;
    this.busy = false;
    this.panels = [];
    if (model.has.energy) {
      this.add("Energy", "J", ["kinetic", "potential", "total"], [0, 1, layout.total]);
    }
    if (model.has.gap) this.panels.push({ curves: new Largest(parent, "Largest gap so far", "m or rad"), offsets: [2] });
    this.fixedCount = this.panels.length;
    if (model.joints.names.length > 0 && model.detail) this.addChooser();
  }

  // Of the loads of one joint, what is below a billionth of the largest is rounding, and drawn as zero.
  add(title, unit, labels, offsets, isLoad = false) {
    const curves = new Curves(this.parent, title, unit, labels);
    curves.setTime(this.time);
    this.panels.push({ curves, offsets, isLoad });
  }

  addChooser() {
    this.chooser = el("select", { class: "joint-choice", title: "which joint is plotted" });
    this.model.joints.names.forEach((name, j) => this.chooser.append(el("option", { value: j }, name)));
    this.chooser.addEventListener("change", () => this.showJoint(+this.chooser.value));
    this.parent.append(el("label", { class: "row" }, "Joint ", this.chooser));
    this.showJoint(0);
  }

  showJoint(j) {
    if (!this.chooser || j === this.joint || j < 0) return;
    this.joint = j;
    this.chooser.value = String(j);
    while (this.panels.length > this.fixedCount) this.panels.pop().curves.remove();
    const { joints } = this.model;
    const first = this.layout.coordinates + joints.coordinateFirst[j];
    const axes = joints.axes[j];
    if (this.model.has.joints) {
      const name = { t: "slide ", r: "turn " };
      if (axes.length > 0) {
        const unit = axes.every((a) => a[0] === "t") ? "m" : axes.every((a) => a[0] === "r") ? "rad" : "m, rad";
        this.add("Joint coordinates", unit, axes.map((a) => name[a[0]] + a[1]), axes.map((_, k) => first + k));
      }
      const load = this.layout.loads + 6 * j;
      this.add("Joint force", "N", ["x", "y", "z"], [load, load + 1, load + 2], true);
      this.add("Joint moment", "N m", ["x", "y", "z"], [load + 3, load + 4, load + 5], true);
    }
    this.update();
  }

  repaint() {
    for (const p of this.panels) p.curves.repaint();
  }

  resize() {
    const width = this.parent.clientWidth;
    for (const p of this.panels) p.curves.resize(width);
  }

  setTime(time) {
    this.time = time;
    for (const p of this.panels) p.curves.setTime(time);
  }

  // Ask for all curves at once; one question at a time.
  async update() {
    if (this.busy || this.panels.length === 0 || this.parent.hidden) return;
    this.busy = true;
    const panels = [...this.panels];
    const offsets = panels.flatMap((p) => p.offsets);
    const columns = await this.source.series(offsets);
    this.busy = false;
    if (!columns) return;
    let at = 1;
    const parts = panels.map((p) => columns.slice(at, (at += p.offsets.length)));
    const most = panels.map((p, i) => (p.isLoad ? largest(parts[i]) : 0));
    const rounding = 1e-9 * Math.max(0, ...most);
    panels.forEach((p, i) => {
      if (!this.panels.includes(p)) return;
      const isRounding = p.isLoad && most[i] < rounding;
      p.curves.setData([columns[0], ...parts[i].map((c) => (isRounding ? c.map(() => 0) : c))]);
    });
  }
}
