// cards.js - numbers of what is picked: a body's state, a joint's coordinates, rates and loads; and the
// table of all joints.
import { el, show } from "./dom.js";
import { jointRates } from "./links.js";

const ROWS = 200; // of the table, at a time

// What is below a billionth of its neighbours is rounding.
const list = (values, digits = 4) => {
  const most = Math.max(...values.map(Math.abs));
  return values.map((x) => show(Math.abs(x) < 1e-9 * most ? 0 : x, digits)).join("  ");
};
const degrees = (x) => `${show((x * 180) / Math.PI, 4)}°`;
export const unitOf = (axis) => (axis[0] === "t" ? "m" : "rad");

// A table whose cells are written anew only where their words change: nothing jumps while it runs.
class Sheet {
  constructor() {
    this.element = el("table", {});
    this.rows = [];
  }

  write(rows) {
    rows.forEach((cells, i) => {
      const row = (this.rows[i] ??= this.element.appendChild(el("tr", {}, el("th", {}), el("td", {}), el("td", { class: "unit" }))));
      cells.forEach((text, k) => {
        if (row.children[k].textContent !== text) row.children[k].textContent = text;
      });
    });
    while (this.rows.length > rows.length) this.rows.pop().remove();
  }
}

export class Cards {
  constructor(app) {
    this.app = app;
    this.model = app.model;
    this.element = el("section", { class: "body-card", hidden: true });
    this.sheet = new Sheet();
  }

  // Build the head for what is picked now; the numbers follow with every frame.
  open() {
    const { world } = this.app;
    const [b, j] = [world.selected, world.selectedJoint];
    this.element.hidden = b < 0 && j < 0;
    if (this.element.hidden) return;
    const head = el("h2", { class: "spread" }, el("span", {}, j >= 0 ? this.model.joints.names[j] : this.model.bodies.names[b]));
    const close = el("button", { class: "small", type: "button", title: "let go (Esc)", "aria-label": "let go" }, "×");
    close.addEventListener("click", () => this.app.letGo());
    head.append(close);
    this.element.replaceChildren(head, this.sheet.element);
    if (j >= 0) this.element.insertBefore(this.jointWords(j), this.sheet.element);
    else this.element.append(this.bodyButtons(b));
    this.update();
  }

  jointWords(j) {
    const { joints, bodies } = this.model;
    const name = (b) => (b < 0 ? "world" : bodies.names[b]);
    return el("p", { class: "hint" }, `${joints.kinds[j]}, from ${name(joints.base[j])} to ${name(joints.follower[j])}`);
  }

  bodyButtons(b) {
    const { app } = this;
    const button = (text, run) => {
      const e = el("button", { class: "small", type: "button" }, text);
      e.addEventListener("click", run);
      return e;
    };
    return el("p", { class: "buttons" },
      button("follow", () => app.followPicked()),
      button("glass or hide", () => app.cycleLook(b)),
      button("show only this", () => app.showOnly(b)));
  }

  update() {
    if (this.element.hidden) return;
    const { world } = this.app;
    this.sheet.write(world.selectedJoint >= 0 ? this.jointRows(world.selectedJoint) : this.bodyRows(world.selected));
  }

  bodyRows(b) {
    const { world, layout } = this.app;
    const v = world.frame.values;
    const pose = world.poseOf(b);
    const rows = [["position", list(pose.p), "m"], ["orientation", list(pose.q, 3), ""]];
    if (this.model.detail && this.model.has.velocity) {
      const o = layout.velocities + 6 * b;
      rows.push(["velocity", list([v[o], v[o + 1], v[o + 2]]), "m/s"]);
      rows.push(["turning", list([v[o + 3], v[o + 4], v[o + 5]]), "rad/s"]);
    }
    rows.push(["mass", show(this.model.bodies.mass[b], 4), this.model.bodies.fixed[b] ? "kg, fixed" : "kg"]);
    return rows;
  }

  jointRows(j) {
    const { world, layout, model } = this.app;
    const rows = [];
    if (!model.detail) return rows;
    const v = world.frame.values;
    const { joints } = model;
    const axes = joints.axes[j];
    const first = layout.coordinates + joints.coordinateFirst[j];
    const rates = model.has.velocity ? jointRates(world, model, layout, j) : [];
    axes.forEach((axis, k) => {
      const limit = model.limits.find((l) => l.joint === j && l.axis === k);
      const x = v[first + k];
      rows.push([axis, `${show(x, 5)}${axis[0] === "r" ? `  (${degrees(x)})` : ""}`, unitOf(axis)]);
      if (rates.length > 0) rows.push([`${axis} rate`, show(rates[k], 4), `${unitOf(axis)}/s`]);
      if (limit) rows.push([`${axis} limits`, `${show(limit.low, 4)} to ${show(limit.high, 4)}`, unitOf(axis)]);
    });
    if (model.has.joints) {
      const o = layout.loads + 6 * j;
      rows.push(["force", list([v[o], v[o + 1], v[o + 2]]), "N"]);
      rows.push(["  size", show(Math.hypot(v[o], v[o + 1], v[o + 2])), "N"]);
      rows.push(["moment", list([v[o + 3], v[o + 4], v[o + 5]]), "N m"]);
    }
    return rows;
  }
}

// All joints in one table: coordinates, rates, force and moment; a click on a head sorts by it.
export class JointTable {
  constructor(app) {
    this.app = app;
    this.order = null;
    this.heads = ["joint", "value", "rate", "force, N", "moment, N m"];
    this.head = el("tr", {}, ...this.heads.map((h, k) => {
      const cell = el("th", { scope: "col" }, el("button", { type: "button", class: "head" }, h));
      cell.firstChild.addEventListener("click", () => this.sort(k));
      return cell;
    }));
    this.body = el("tbody", {});
    this.element = el("div", { class: "card joints", hidden: true },
      el("h2", { class: "spread" }, "Joints", el("kbd", {}, "L")),
      el("div", { class: "scroll" }, el("table", {}, el("thead", {}, this.head), this.body)));
    this.body.addEventListener("click", (e) => {
      const row = e.target.closest("tr");
      if (row) app.selectJoint(+row.dataset.joint);
    });
    this.rows = [];
  }

  sort(k) {
    this.order = this.order && this.order.k === k ? { k, sign: -this.order.sign } : { k, sign: k === 0 ? 1 : -1 };
    this.last = 0;
    this.update();
  }

  numbers(j) {
    const { world, layout, model } = this.app;
    const { joints } = model;
    const v = world.frame.values;
    const first = layout.coordinates + joints.coordinateFirst[j];
    const values = joints.axes[j].map((_, k) => v[first + k]);
    const rates = model.has.velocity && values.length > 0 ? jointRates(world, model, layout, j) : [];
    const o = layout.loads + 6 * j;
    return [values, rates, Math.hypot(v[o], v[o + 1], v[o + 2]), Math.hypot(v[o + 3], v[o + 4], v[o + 5])];
  }

  // At most four times a second: numbers that change faster cannot be read.
  update() {
    const now = performance.now();
    if (this.element.hidden || !this.app.world.frame || now - (this.last || 0) < 240) return;
    this.last = now;
    const names = this.app.model.joints.names;
    const all = names.map((name, j) => ({ j, name, n: this.numbers(j) }));
    const most = [0, 0, ...[2, 3].map((k) => all.reduce((m, r) => Math.max(m, r.n[k]), 0))];
    if (this.order) {
      const { k, sign } = this.order;
      const key = (r) => (k === 0 ? r.name : k < 3 ? Math.abs(r.n[k - 1][0] ?? 0) : r.n[k - 1]);
      all.sort((a, b) => (key(a) < key(b) ? -sign : key(a) > key(b) ? sign : a.j - b.j));
    }
    all.slice(0, ROWS).forEach((r, i) => {
      const row = (this.rows[i] ??= this.body.appendChild(el("tr", {}, ...this.heads.map((_, k) => el(k === 0 ? "th" : "td", {})))));
      row.dataset.joint = r.j;
      row.classList.toggle("picked", r.j === this.app.world.selectedJoint);
      const [force, moment] = [2, 3].map((k) => (r.n[k] < 1e-9 * most[k] ? 0 : r.n[k]));
      const texts = [r.name, list(r.n[0], 3), list(r.n[1], 3), show(force), show(moment)];
      texts.forEach((text, k) => {
        if (row.children[k].textContent !== text) row.children[k].textContent = text;
      });
    });
  }
}

