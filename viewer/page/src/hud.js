// hud.js - what lies over the picture: views, axes, the key of the arrows, names, words under the pointer.
import { el, icon, show } from "./dom.js";
import { COLORS, css } from "./theme.js";

const KEY = [
  ["force", "Joint force", "N"],
  ["moment", "Joint moment", "N m"],
  ["contact", "Contact force", "N"],
  ["wrench", "Applied force", "N"],
];
const NAMES = 60; // at a time

const ICONS = {
  iso: "M10 3 L16 6.5 V13.5 L10 17 L4 13.5 V6.5 Z M10 10 L16 6.5 M10 10 L4 6.5 M10 10 V17",
  flat: "M4 4 H16 V16 H4 Z M4 10 H16 M10 4 V16",
  follow: "M10 3.5 V6 M10 14 V16.5 M3.5 10 H6 M14 10 H16.5 M13.5 10 A3.5 3.5 0 1 1 6.5 10 A3.5 3.5 0 1 1 13.5 10",
  fit: "M4 8 V4 H8 M12 4 H16 V8 M16 12 V16 H12 M8 16 H4 V12",
  camera: "M3.5 6.5 H7 L8.2 4.5 H11.8 L13 6.5 H16.5 V15 H3.5 Z M12.6 10.5 A2.6 2.6 0 1 1 7.4 10.5 A2.6 2.6 0 1 1 12.6 10.5",
  film: "M3.5 5.5 H12.5 V14.5 H3.5 Z M12.5 9 L16.5 6.5 V13.5 L12.5 11",
  moon: "M14.8 12.2 A6 6 0 1 1 8.2 4.4 A4.9 4.9 0 0 0 14.8 12.2 Z",
};

// Who touches whom, as far as the frame knows.
function contactName(model, { a, b }) {
  const name = (body) => (body >= 0 ? model.bodies.names[body] : body === -1 ? "world" : "a deformable");
  return a === undefined ? "contact" : `${name(a)} on ${name(b)}`;
}

export class Hud {
  constructor(app) {
    this.app = app;
    this.element = el("div", { class: "hud" });
    this.tools = el("div", { class: "tools", role: "toolbar", "aria-label": "camera" });
    this.key = el("div", { class: "key", hidden: true });
    this.tip = el("div", { class: "tip", hidden: true, role: "tooltip" });
    this.names = el("div", { class: "names", hidden: true });
    this.buildTools();
    this.buildTriad();
    this.element.append(this.tools, el("div", { class: "corner" }, this.triad, this.key));
    this.keyRows = KEY.map(([key, label, unit]) => {
      const value = el("span", { class: "value" });
      const row = el("div", { hidden: true }, el("i", { style: `background:${css(COLORS[key])}` }), el("span", {}, label), value);
      this.key.append(row);
      return { key, unit, row, value };
    });
  }

  // ---- views

  buildTools() {
    const rig = () => this.app.world.rig;
    const add = (id, content, title, run) => {
      const b = el("button", { id, type: "button", title, "aria-label": title }, content);
      b.addEventListener("click", run);
      this.tools.append(b);
      return b;
    };
    this.fitButton = add("fit", icon(ICONS.fit, false), "keep everything in view (F)", () => this.app.world.fit());
    this.followButton = add("follow", icon(ICONS.follow, false), "follow the picked body (C)", () => this.app.followPicked());
    add("view-iso", icon(ICONS.iso, false), "from a corner (0)", () => rig().look("iso"));
    add("view-front", "Front", "from the front, along y (1)", () => rig().look("front"));
    add("view-side", "Side", "from the side, along x (3)", () => rig().look("side"));
    add("view-top", "Top", "from above (7)", () => rig().look("top"));
    this.flatButton = add("flat", icon(ICONS.flat, false), "parallel lines stay parallel (5)", () => this.app.flipFlat());
    add("shot", icon(ICONS.camera, false), "save this picture (PNG)", () => this.app.savePicture());
    this.filmButton = add("film", icon(ICONS.film, false), "record a video (WebM); again to end and save", () => this.app.film());
    add("night", icon(ICONS.moon), "light or dark", () => this.app.flipTheme());
  }

  showMode(mode) {
    this.fitButton.classList.toggle("on", mode === "auto");
    this.followButton.classList.toggle("on", mode === "follow");
  }

  // ---- axes

  buildTriad() {
    const space = "http://www.w3.org/2000/svg";
    const make = (tag, attributes) => {
      const e = document.createElementNS(space, tag);
      for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
      return e;
    };
    this.triad = make("svg", { class: "triad", viewBox: "-34 -34 68 68", width: 68, height: 68, "aria-hidden": "true" });
    this.axes = [["x", "#d1495b"], ["y", "#3f9c5a"], ["z", "#3d7ec4"]].map(([name, color]) => {
      const line = make("line", { stroke: color, "stroke-width": 2.4, "stroke-linecap": "round", x1: 0, y1: 0 });
      const text = make("text", { fill: color, "font-size": 11, "font-weight": 600, "text-anchor": "middle", "dominant-baseline": "central" });
      text.textContent = name;
      this.triad.append(line, text);
      return { line, text };
    });
  }

  turnTriad() {
    const m = this.app.world.camera.matrixWorldInverse.elements;
    const turn = [m[0], m[1], m[4], m[5], m[8], m[9]].map((x) => x.toFixed(2)).join();
    if (turn === this.turn) return;
    this.turn = turn;
    this.axes.forEach(({ line, text }, k) => {
      const [x, y] = [m[4 * k], -m[4 * k + 1]];
      line.setAttribute("x2", (20 * x).toFixed(2));
      line.setAttribute("y2", (20 * y).toFixed(2));
      text.setAttribute("x", (28 * x).toFixed(2));
      text.setAttribute("y", (28 * y).toFixed(2));
      line.style.opacity = text.style.opacity = m[4 * k + 2] < -0.2 ? 0.45 : 1;
    });
  }

  // ---- the key of the arrows: colour, the largest that is shown, whose it is

  showKey() {
    const { scales } = this.app.world;
    const { joints } = this.app.model;
    let count = 0;
    for (const { key, unit, row, value } of this.keyRows) {
      const s = scales[key];
      row.hidden = !(s && s.isOn && s.largest > 0);
      if (row.hidden) continue;
      count++;
      const who = s.who && s.who.joint !== undefined ? ` in ${joints.names[s.who.joint]}` : "";
      const text = `up to ${show(s.largest, 3)} ${unit}${who}${s.cut ? ", cut" : ""}`;
      if (value.textContent !== text) value.textContent = text;
    }
    this.key.hidden = count === 0;
  }

  // ---- names of bodies and joints

  showNames(isOn) {
    this.names.hidden = !isOn;
    if (!isOn) return;
    const { model, world, root } = this.app;
    const box = root.getBoundingClientRect();
    const wanted = [];
    model.bodies.names.forEach((name, b) => {
      if (wanted.length < 4 * NAMES && world.looks[b] !== 2) wanted.push([name, world.toScreen(world.middleOf(b).toArray()), "body"]);
    });
    if (world.visible.joints) {
      model.joints.names.forEach((name, j) => {
        if (wanted.length < 8 * NAMES) wanted.push([name, world.toScreen(world.jointPoint(j)), "joint"]);
      });
    }
    const taken = new Set();
    let used = 0;
    for (const [name, [x, y, depth], kind] of wanted) {
      if (used === NAMES) break;
      const cell = `${Math.round(x / 90)},${Math.round(y / 18)}`;
      if (depth > 1 || x < box.left || x > box.right || y < box.top || y > box.bottom || taken.has(cell)) continue;
      taken.add(cell);
      const label = this.names.children[used] || this.names.appendChild(el("span"));
      if (label.textContent !== name) label.textContent = name;
      label.className = kind;
      label.hidden = false;
      label.style.transform = `translate(${(x - box.left).toFixed(1)}px, ${(y - box.top).toFixed(1)}px)`;
      used++;
    }
    for (let k = used; k < this.names.children.length; k++) this.names.children[k].hidden = true;
  }

  // ---- words under the pointer

  point(x, y) {
    const text = this.wordsAt(x, y);
    this.tip.hidden = text === "";
    if (text === "") return;
    this.tip.textContent = text;
    const box = this.app.root.getBoundingClientRect();
    const left = Math.min(x - box.left + 14, box.width - this.tip.offsetWidth - 8);
    this.tip.style.transform = `translate(${left.toFixed(0)}px, ${(y - box.top + 16).toFixed(0)}px)`;
  }

  wordsAt(x, y) {
    const { world, model } = this.app;
    if (!world.frame) return "";
    const arrow = world.pickArrow(x, y);
    if (arrow) {
      const unit = arrow.key === "moment" ? "N m" : "N";
      const who = arrow.joint !== undefined ? model.joints.names[arrow.joint] : arrow.wrench !== undefined ? model.wrenches[arrow.wrench].name : contactName(model, arrow);
      return `${who}: ${show(arrow.size, 4)} ${unit}`;
    }
    const joint = world.pickJoint(x, y);
    if (joint >= 0) return `${model.joints.names[joint]}, ${model.joints.kinds[joint]}`;
    const hit = model.parts.body.length <= 20000 ? world.pick(x, y) : null;
    return hit ? model.bodies.names[hit.body] : "";
  }

  hideTip() {
    this.tip.hidden = true;
  }
}
