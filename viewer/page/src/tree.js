// tree.js - all bodies and joints as a list that can be searched: a body stands under the body that its
// first joint hangs on. The eye makes a body glass, then hides it.
import { el } from "./dom.js";
import { GLASS, HIDDEN, SOLID } from "./instances.js";

const MOST = 300; // rows at a time

// Bodies in the order of the tree, with their depth and the joint that holds them.
function arrange({ bodies, joints }) {
  const n = bodies.names.length;
  const parent = new Int32Array(n).fill(-1);
  const joint = new Int32Array(n).fill(-1);
  const children = Array.from({ length: n + 1 }, () => []);
  joints.follower.forEach((b, j) => {
    if (b < 0 || joint[b] >= 0) return;
    joint[b] = j;
    parent[b] = joints.base[j];
  });
  for (let b = 0; b < n; b++) children[parent[b] + 1].push(b);
  const rows = [];
  const seen = new Uint8Array(n);
  const visit = (start, depth) => {
    const stack = [[start, depth]];
    while (stack.length > 0) {
      const [b, d] = stack.pop();
      if (seen[b]) continue;
      seen[b] = 1;
      rows.push({ body: b, depth: d, joint: joint[b] });
      for (let k = children[b + 1].length - 1; k >= 0; k--) stack.push([children[b + 1][k], d + 1]);
    }
  };
  for (const b of children[0]) visit(b, 0);
  for (let b = 0; b < n; b++) if (!seen[b]) visit(b, 0); // rings of joints without the world
  // joints that close loops come behind, by themselves
  joints.names.forEach((_, j) => {
    const b = joints.follower[j];
    if (b < 0 || joint[b] !== j) rows.push({ body: -1, depth: 0, joint: j });
  });
  return rows;
}

export class Tree {
  constructor(model, app) {
    this.model = model;
    this.app = app;
    this.rows = arrange(model);
    this.search = el("input", { type: "search", id: "search", placeholder: "search bodies and joints", "aria-label": "search bodies and joints" });
    this.list = el("ul", { class: "tree" });
    this.more = el("p", { class: "hint", hidden: true });
    this.search.addEventListener("input", () => this.fill());
    this.search.addEventListener("keydown", (e) => {
      if (e.key === "Escape") {
        this.search.value = "";
        this.fill();
        this.search.blur();
      }
    });
    this.list.addEventListener("click", (e) => this.onClick(e));
    this.element = el("div", {}, this.search, this.list, this.more);
    this.fill();
  }

  nameOf(row) {
    const { bodies, joints } = this.model;
    return [row.body >= 0 ? bodies.names[row.body] : "", row.joint >= 0 ? joints.names[row.joint] : ""];
  }

  fill() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.rows.filter((row) => {
      const text = this.nameOf(row).join(" ").toLowerCase();
      return words.every((w) => text.includes(w));
    });
    const isSearch = words.length > 0;
    this.list.replaceChildren(...found.slice(0, MOST).map((row) => this.rowOf(row, isSearch)));
    this.more.hidden = found.length <= MOST && found.length > 0;
    this.more.textContent = found.length === 0 ? "nothing of that name" : `and ${(found.length - MOST).toLocaleString("en")} more: search for them`;
    this.mark();
  }

  rowOf(row, isFlat) {
    const [body, joint] = this.nameOf(row);
    const item = el("li", { style: isFlat ? null : `--depth:${Math.min(row.depth, 12)}` });
    if (row.body >= 0) {
      item.append(
        el("button", { class: "eye", type: "button", "data-eye": row.body, title: "solid, glass, hidden", "aria-label": `visibility of ${body}` }),
        el("button", { class: "name", type: "button", "data-body": row.body, title: body }, body),
      );
    }
    if (row.joint >= 0) {
      item.append(el("button", { class: row.body >= 0 ? "joint" : "joint name", type: "button", "data-joint": row.joint, title: `joint ${joint}, ${this.model.joints.kinds[row.joint]}` }, joint));
    }
    return item;
  }

  onClick(event) {
    const { eye, body, joint } = event.target.dataset;
    if (eye !== undefined) {
      const b = +eye;
      const next = { [SOLID]: GLASS, [GLASS]: HIDDEN, [HIDDEN]: SOLID }[this.app.world.looks[b]];
      // with Alt, everything else
      if (event.altKey) this.app.showOnly(b);
      else this.app.world.setLook(b, next);
      this.mark();
    }
    if (body !== undefined) this.app.selectBody(+body);
    if (joint !== undefined) this.app.selectJoint(+joint);
  }

  // What is picked, and how each body looks.
  mark() {
    const world = this.app.world;
    for (const item of this.list.children) {
      for (const b of item.children) {
        const { eye, body, joint } = b.dataset;
        if (eye !== undefined && world) b.dataset.look = world.looks[+eye];
        if (body !== undefined) b.classList.toggle("picked", world !== undefined && +body === world.selected);
        if (joint !== undefined) b.classList.toggle("picked", world !== undefined && +joint === world.selectedJoint);
      }
    }
  }
}
