// app.js - the page: panels, buttons and keys around the picture.
import { el, icon, show } from "./dom.js";
import { Layout } from "./layout.js";
import { Plots } from "./plots.js";
import { World, rotate } from "./world.js";

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10];

const ICONS = {
  play: "M6 4 L15 10 L6 16 Z",
  pause: "M6 4 H8.5 V16 H6 Z M11.5 4 H14 V16 H11.5 Z",
  start: "M5 4 V16 M15 4.5 L8 10 L15 15.5 Z",
  back: "M12.5 4.5 L6.5 10 L12.5 15.5",
  forward: "M7.5 4.5 L13.5 10 L7.5 15.5",
  again: "M15.5 10 A5.5 5.5 0 1 1 13.4 5.7 M13.6 2.6 V6 H10.2",
  fit: "M4 8 V4 H8 M12 4 H16 V8 M16 12 V16 H12 M8 16 H4 V12",
};

const KEYS = [
  ["Space", "play, pause"],
  ["→  ←", "one step on, one step back (Shift: ten)"],
  ["Home  End", "to the start, to the end"],
  ["[  ]", "slower, faster"],
  ["F", "fit the whole scene"],
  ["J  A  T", "joints and axes, joint forces, joint moments"],
  ["K  M", "contact forces, centres of mass and inertia"],
  ["P", "plots"],
  ["Click", "a body to see its state; Esc to let it go"],
  ["Ctrl + drag", "push a body of a live simulation (with Shift: twist)"],
  ["Drag, right drag, wheel", "turn, shift, zoom the camera"],
  ["?", "this help"],
];

export class App {
  constructor(root, source, options = {}) {
    this.root = root;
    this.source = source;
    this.isReport = options.isReport === true;
    this.model = source.model;
    this.layout = new Layout(this.model);
    this.state = { playing: false, speed: 1, time: 0, first: 0, head: 0, live: this.model.live };
    this.isScrubbing = false;
    this.lastSeries = 0;
    this.frames = 0;
    this.build();
    this.world = new World(this.stage, this.model, this.layout, this.source.meshes);
    this.plots = new Plots(this.plotBody, this.model, this.layout, source);
    this.plotCard.hidden = this.plots.panels.length === 0;
    this.centre();
    this.chooseView();
    this.bind();
  }

  // ---- building

  build() {
    this.remark = [this.model.note, this.leftOut()].filter(Boolean).join(". ");
    this.stage = el("div", { class: "stage" });
    this.root.append(this.stage);
    this.buildTitle();
    this.buildSide();
    this.buildPlots();
    this.buildBar();
    this.note = el("div", { class: "note", hidden: true, role: "status" });
    this.help = this.buildHelp();
    this.root.append(this.note, this.help);
    if (this.isReport) this.root.classList.add("report");
  }

  buildTitle() {
    const { bodies, joints, deformables } = this.model;
    const count = (n, one, many) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
    this.title = el(
      "header",
      { class: "card title" },
      el("h1", {}, this.model.name || "scene"),
      el(
        "p",
        {},
        count(bodies.names.length, "body", "bodies") +
          (joints.names.length > 0 ? `, ${count(joints.names.length, "joint", "joints")}` : "") +
          (deformables.length > 0 ? `, ${count(deformables.length, "deformable", "deformables")}` : ""),
        el("span", { class: "badge" }, this.model.live ? "live" : "recording"),
      ),
    );
    this.left = el("div", { class: "left" });
    if (!this.isReport) this.left.append(this.title);
    this.root.append(this.left);
  }

  buildSide() {
    this.side = el("aside", { class: "card side" });
    this.bodyCard = el("section", { class: "body-card", hidden: true });
    this.side.append(this.bodyCard);
    this.buildToggles();
    if (this.model.live) this.buildMethod();
    if (this.model.live && this.model.controls.length > 0) this.buildControls();
    this.left.append(this.side);
    this.sideIsEmpty = Object.keys(this.toggles).length === 0 && !this.model.live;
    this.side.hidden = this.sideIsEmpty;
  }

  buildToggles() {
    const has = this.model.has;
    const rows = [
      ["joints", "Joints and axes", "J", this.model.joints.names.length > 0],
      ["forces", "Joint forces", "A", this.model.detail && has.joints],
      ["moments", "Joint moments", "T", this.model.detail && has.joints],
      ["contacts", "Contact forces", "K", has.contacts],
      ["glyphs", "Mass and inertia", "M", this.model.parts.body.length <= 20000],
    ];
    const box = el("section", {}, el("h2", {}, "Show"));
    this.toggles = {};
    for (const [key, label, letter, isThere] of rows) {
      if (!isThere) continue;
      const input = el("input", { type: "checkbox", id: `show-${key}` });
      input.addEventListener("change", () => this.toggle(key, input.checked));
      this.toggles[key] = input;
      box.append(el("label", { class: "check" }, input, el("span", {}, label), el("kbd", {}, letter)));
    }
    this.arrowScale = el("input", { type: "range", min: "-1", max: "1", step: "0.05", value: "0", title: "length of the arrows" });
    this.arrowScale.addEventListener("input", () => {
      this.world.forceScale = 10 ** +this.arrowScale.value;
      this.world.refresh();
    });
    if ((this.model.detail && has.joints) || has.contacts) {
      box.append(el("label", { class: "row" }, "Arrow length", this.arrowScale));
    }
    if (Object.keys(this.toggles).length > 0) this.side.append(box);
  }

  buildMethod() {
    const s = this.model.settings;
    const pairs = this.model.pairs;
    const choice = (id, names, value) => {
      const select = el("select", { id });
      for (const name of names) select.append(el("option", { value: name }, name));
      select.value = value;
      return select;
    };
    this.formulation = choice("formulation", pairs.map((p) => p.formulation), s.formulation);
    this.integrator = choice("integrator", [], "");
    this.step = el("input", { id: "step", type: "number", min: "1e-6", max: "1", step: "any", value: s.step });
    this.fillIntegrators(s.integrator);
    const ghosts = ["none"];
    for (const p of pairs) for (const i of p.integrators) ghosts.push(`${p.formulation} ${i}`);
    this.ghost = choice("ghost", ghosts, "none");
    this.formulation.addEventListener("change", () => {
      this.fillIntegrators(null);
      this.sendMethod();
    });
    this.integrator.addEventListener("change", () => this.sendMethod());
    this.step.addEventListener("change", () => this.sendMethod());
    this.ghost.addEventListener("change", () => this.source.send(`ghost ${this.ghost.value}`));
    this.side.append(
      el(
        "section",
        {},
        el("h2", {}, "Method"),
        el("label", { class: "row" }, "Formulation", this.formulation),
        el("label", { class: "row" }, "Integrator", this.integrator),
        el("label", { class: "row" }, "Step, s", this.step),
        el("label", { class: "row", title: "the same scene by another method, from the start, drawn in glass" }, "Ghost", this.ghost),
      ),
    );
  }

  fillIntegrators(value) {
    const pair = this.model.pairs.find((p) => p.formulation === this.formulation.value);
    this.integrator.replaceChildren();
    for (const name of pair.integrators) this.integrator.append(el("option", { value: name }, name));
    this.integrator.value = value || pair.default;
  }

  sendMethod() {
    const step = +this.step.value;
    if (!(step >= 1e-6 && step <= 1)) {
      this.tell("the step must be between 0.000001 and 1 s");
      return;
    }
    this.source.send(`method ${this.formulation.value} ${this.integrator.value} ${step}`);
  }

  buildControls() {
    const box = el("section", { class: "controls" }, el("h2", {}, "Actuators"));
    this.sliders = [];
    this.driven = new Set();
    this.model.controls.slice(0, 40).forEach((control, i) => {
      const slider = el("input", { type: "range", min: control.low, max: control.high, step: "any", value: control.value, "data-control": i });
      const value = el("output", {}, show(control.value, 3));
      const release = el("button", { class: "small", title: "back to the scene's own control", type: "button" }, "auto");
      slider.addEventListener("input", () => {
        this.driven.add(i);
        value.textContent = show(+slider.value, 3);
        this.source.send(`control ${i} ${slider.value}`);
      });
      release.addEventListener("click", () => {
        this.driven.delete(i);
        this.source.send(`control ${i} auto`);
      });
      this.sliders.push({ slider, value, coordinate: control.coordinate });
      box.append(el("div", { class: "control" }, el("span", { class: "label", title: control.label }, control.label), value, slider, release));
    });
    if (this.model.controls.length > 40) box.append(el("p", { class: "hint" }, `and ${this.model.controls.length - 40} more`));
    this.side.append(box);
  }

  buildPlots() {
    this.plotBody = el("div", { class: "plot-body" });
    this.plotCard = el("aside", { class: "card plots" }, el("h2", { class: "spread" }, "Plots", el("kbd", {}, "P")), this.plotBody);
    if (!this.isReport) this.root.append(this.plotCard);
  }

  buildBar() {
    const button = (id, text, title, run) => {
      const b = el("button", { id, type: "button", title, "aria-label": title }, text);
      b.addEventListener("click", run);
      return b;
    };
    this.playButton = button("play", icon(ICONS.play), "play (space)", () => this.playOrPause());
    this.scrub = el("input", { id: "scrub", type: "range", min: "0", max: "1", step: "any", value: "0", "aria-label": "time" });
    this.clock = el("output", { id: "clock" }, "0.000 s");
    this.rate = el("span", { class: "rate" });
    this.speed = el("select", { id: "speed", title: "speed" });
    for (const s of SPEEDS) this.speed.append(el("option", { value: s }, `${s} ×`));
    this.speed.value = "1";
    this.speed.addEventListener("change", () => this.source.send(`speed ${this.speed.value}`));
    this.scrub.addEventListener("input", () => {
      this.isScrubbing = true;
      this.source.send(`seek ${this.scrub.value}`);
    });
    this.scrub.addEventListener("change", () => (this.isScrubbing = false));
    this.bar = el(
      "footer",
      { class: "card bar" },
      button("restart", icon(ICONS.start), "to the start (Home)", () => this.source.send("seek 0")),
      button("back", icon(ICONS.back, false), "one step back (←)", () => this.source.send("back 1")),
      this.playButton,
      button("forward", icon(ICONS.forward, false), "one step on (→)", () => this.source.send("step 1")),
      this.scrub,
      this.clock,
      this.speed,
      this.rate,
      button("fit", icon(ICONS.fit, false), "fit the whole scene (F)", () => this.world.fit()),
      button("help-button", "?", "help", () => (this.help.hidden = !this.help.hidden)),
    );
    if (this.model.live) {
      this.bar.insertBefore(button("again", icon(ICONS.again, false), "start the simulation again", () => this.source.send("restart")), this.bar.firstChild);
    }
    this.root.append(this.bar);
  }

  buildHelp() {
    const rows = KEYS.map(([keys, what]) => el("tr", {}, el("th", {}, keys), el("td", {}, what)));
    const close = el("button", { type: "button" }, "Close");
    const box = el("div", { class: "help", hidden: true, role: "dialog", "aria-label": "help" },
      el("div", { class: "card" }, el("h2", {}, "Keys and pointer"), el("table", {}, ...rows), close));
    close.addEventListener("click", () => (box.hidden = true));
    return box;
  }

  // Switch on what belongs to this scene: joints of mechanisms that are small enough to see.
  chooseView() {
    const joints = this.model.joints.names.length;
    if (this.toggles.joints && joints > 0 && joints <= 400) this.toggle("joints", true);
    if (this.toggles.contacts) this.toggle("contacts", true);
    if (this.remark) this.tell(this.remark, true);
  }

  // Which meshes are too large to draw; a body without any other shape is then the box of its inertia.
  leftOut() {
    const left = this.model.meshes.filter((mesh) => !mesh.drawn);
    if (left.length === 0) return "";
    const named = left.slice(0, 5).map((m) => `${m.body} (${m.triangles.toLocaleString("en")} triangles)`);
    const more = left.length > 5 ? ` and ${left.length - 5} more` : "";
    return `Too large to draw: ${left.length === 1 ? "the mesh" : "meshes"} of ${named.join(", ")}${more}`;
  }

  centre() {
    const left = this.side.hidden ? 0 : this.left.offsetWidth;
    const right = this.isReport || this.plotCard.hidden ? 0 : this.plotCard.offsetWidth;
    this.world.setCovered(left, right);
  }

  toggle(key, isOn) {
    if (!this.toggles[key]) return;
    this.toggles[key].checked = isOn;
    this.world.visible[key] = isOn;
    this.world.refresh();
  }

  tell(text, isQuiet = false) {
    this.note.textContent = text;
    this.note.hidden = !text;
    this.note.classList.toggle("quiet", isQuiet);
  }

  // ---- running

  bind() {
    this.source.onFrame = (frame) => this.onFrame(frame);
    this.source.onState = (state) => this.onState(state);
    this.source.onClose = () => this.tell("The server has gone. Start 'trammel view' again.");
    if (!this.isReport) document.addEventListener("keydown", (e) => this.onKey(e));
    this.bindPointer();
    const draw = () => {
      this.world.draw();
      requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);
  }

  async start() {
    await this.source.start();
    this.plots.update();
    return this;
  }

  onFrame(frame) {
    this.frames++;
    this.world.setFrame(frame);
    this.plots.setTime(frame.time);
    this.clock.textContent = `${frame.time.toFixed(3)} s`;
    if (!this.isScrubbing) this.scrub.value = frame.time;
    if (this.world.selected >= 0) this.showBody();
    if (this.drag) this.push();
    this.followSliders(frame);
  }

  // A slider that nobody holds shows where its axis is.
  followSliders(frame) {
    if (!this.sliders || !this.model.detail) return;
    this.sliders.forEach(({ slider, value, coordinate }, i) => {
      if (coordinate < 0 || this.driven.has(i)) return;
      const x = frame.values[this.layout.coordinates + coordinate];
      slider.value = x;
      value.textContent = show(x, 3);
    });
  }

  onState(state) {
    this.state = state;
    if (this.isShownPlaying !== state.playing) {
      this.isShownPlaying = state.playing;
      this.playButton.replaceChildren(icon(state.playing ? ICONS.pause : ICONS.play));
    }
    this.playButton.title = state.playing ? "pause (space)" : "play (space)";
    this.root.classList.toggle("playing", state.playing);
    this.scrub.min = state.first;
    this.scrub.max = Math.max(state.head, state.first + 1e-9);
    if (!this.isScrubbing) this.scrub.value = state.time;
    this.speed.value = String(state.speed);
    if (state.message !== undefined && state.message !== this.lastMessage) {
      this.lastMessage = state.message;
      this.tell(state.message || this.remark, !state.failed);
    }
    const parts = [];
    if (state.live && state.playing && state.rate > 0 && state.rate < 0.95 * state.speed) parts.push(`${show(state.rate, 2)} × real time`);
    if (state.stride > 1) parts.push(`every ${state.stride}th step kept`);
    this.rate.textContent = parts.join(", ");
    this.showMethod(state);
    const now = performance.now();
    if (now - this.lastSeries > 300 && (state.live || this.lastSeries === 0)) {
      this.lastSeries = now;
      this.plots.update();
    }
  }

  showMethod(state) {
    if (!this.formulation || !state.formulation) return;
    const active = document.activeElement;
    if (active === this.formulation || active === this.integrator || active === this.step) return;
    if (this.formulation.value !== state.formulation) {
      this.formulation.value = state.formulation;
      this.fillIntegrators(state.integrator);
    }
    this.integrator.value = state.integrator;
    this.step.value = state.step;
    if (document.activeElement !== this.ghost) this.ghost.value = state.ghost || "none";
  }

  playOrPause() {
    this.source.send(this.state.playing ? "pause" : "play");
  }

  changeSpeed(by) {
    const at = SPEEDS.indexOf(this.state.speed);
    const next = SPEEDS[Math.min(Math.max((at < 0 ? 4 : at) + by, 0), SPEEDS.length - 1)];
    this.source.send(`speed ${next}`);
  }

  onKey(event) {
    if (event.target instanceof HTMLInputElement && event.target.type === "number") return;
    if (event.target instanceof HTMLSelectElement || event.metaKey || event.altKey) return;
    const count = event.shiftKey ? 10 : 1;
    const actions = {
      " ": () => this.playOrPause(),
      ArrowRight: () => this.source.send(`step ${count}`),
      ArrowLeft: () => this.source.send(`back ${count}`),
      Home: () => this.source.send("seek 0"),
      End: () => this.source.send(`seek ${this.state.head}`),
      "[": () => this.changeSpeed(-1),
      "]": () => this.changeSpeed(1),
      f: () => this.world.fit(),
      j: () => this.flip("joints"),
      a: () => this.flip("forces"),
      t: () => this.flip("moments"),
      k: () => this.flip("contacts"),
      m: () => this.flip("glyphs"),
      p: () => {
        this.plotCard.hidden = !this.plotCard.hidden;
        this.centre();
      },
      "?": () => (this.help.hidden = !this.help.hidden),
      Escape: () => {
        if (!this.help.hidden) this.help.hidden = true;
        else this.selectBody(-1);
      },
    };
    const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  flip(key) {
    if (this.toggles[key]) this.toggle(key, !this.toggles[key].checked);
  }

  // ---- the pointer

  bindPointer() {
    const canvas = this.world.renderer.domElement;
    let down = null;
    canvas.addEventListener("pointerdown", (e) => {
      down = [e.clientX, e.clientY];
      if (e.button === 0 && e.ctrlKey && this.model.live) this.beginPush(e);
    }, true);
    canvas.addEventListener("pointermove", (e) => {
      if (this.drag) {
        this.drag.x = e.clientX;
        this.drag.y = e.clientY;
        this.drag.isTwist = e.shiftKey;
        this.push();
      }
    });
    window.addEventListener("pointerup", (e) => {
      if (this.drag) this.endPush();
      else if (down && e.target === canvas && Math.hypot(e.clientX - down[0], e.clientY - down[1]) < 4) {
        const hit = this.world.pick(e.clientX, e.clientY);
        this.selectBody(hit ? hit.body : -1);
      }
      down = null;
    });
  }

  beginPush(event) {
    const hit = this.world.pick(event.clientX, event.clientY);
    if (!hit || this.model.bodies.fixed[hit.body]) return;
    event.stopPropagation();
    this.world.controls.enabled = false;
    this.selectBody(hit.body);
    const pose = this.world.poseOf(hit.body);
    const away = hit.point.map((x, k) => x - pose.p[k]);
    const conjugate = [pose.q[0], -pose.q[1], -pose.q[2], -pose.q[3]];
    this.drag = { body: hit.body, local: rotate(conjugate, away), x: event.clientX, y: event.clientY, isTwist: event.shiftKey };
    if (!this.state.playing) this.source.send("play");
  }

  // A spring between the point that was taken and the pointer: strong enough to lift the whole
  // machine when it is as long as the machine.
  push() {
    const d = this.drag;
    const pose = this.world.poseOf(d.body);
    const r = rotate(pose.q, d.local);
    const at = [pose.p[0] + r[0], pose.p[1] + r[1], pose.p[2] + r[2]];
    const to = this.world.pointAt(d.x, d.y, at);
    const weight = 9.81 * this.model.movingMass;
    const pull = to.map((x, k) => x - at[k]);
    const force = pull.map((x) => (5 * weight * x) / this.world.size);
    this.world.showPush(at, pull);
    const words = d.isTwist
      ? [0, 0, 0, ...this.twist(r, force)]
      : [...force, 0, 0, 0];
    this.source.send(`push ${d.body} ${d.local.map((x) => x.toFixed(6)).join(" ")} ${words.map((x) => x.toPrecision(6)).join(" ")}`);
  }

  // Twisting: the moment that the pull would have on an arm as long as the body's reach.
  twist(r, force) {
    const arm = Math.max(Math.hypot(...r), 0.2 * this.world.extent[this.drag.body], 1e-6);
    const view = this.world.camera.matrixWorld.elements;
    const forward = [-view[8], -view[9], -view[10]];
    return [
      arm * (forward[1] * force[2] - forward[2] * force[1]),
      arm * (forward[2] * force[0] - forward[0] * force[2]),
      arm * (forward[0] * force[1] - forward[1] * force[0]),
    ];
  }

  endPush() {
    this.drag = null;
    this.world.controls.enabled = true;
    this.world.showPush(null);
    this.source.send("release");
  }

  selectBody(body) {
    this.world.select(body);
    this.bodyCard.hidden = body < 0;
    this.side.hidden = this.sideIsEmpty && body < 0;
    if (body < 0) return;
    const joint = this.model.joints.follower.indexOf(body);
    if (joint >= 0) this.plots.showJoint(joint);
    this.showBody();
  }

  showBody() {
    const b = this.world.selected;
    const v = this.world.frame.values;
    const pose = this.world.poseOf(b);
    const rows = [
      ["position", pose.p, "m"],
      ["orientation", pose.q, ""],
    ];
    if (this.model.detail && this.model.has.velocity) {
      const o = this.layout.velocities + 6 * b;
      rows.push(["velocity", [v[o], v[o + 1], v[o + 2]], "m/s"]);
      rows.push(["turning", [v[o + 3], v[o + 4], v[o + 5]], "rad/s"]);
    }
    rows.push(["mass", [this.model.bodies.mass[b]], this.model.bodies.fixed[b] ? "kg, fixed" : "kg"]);
    const table = el("table", {}, ...rows.map(([name, list, unit]) =>
      el("tr", {}, el("th", {}, name), el("td", {}, list.map((x) => show(x, 4)).join("  ")), el("td", { class: "unit" }, unit))));
    this.bodyCard.replaceChildren(el("h2", {}, this.model.bodies.names[b]), table);
  }
}
