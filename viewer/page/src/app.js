// app.js - the page: panels, buttons and keys around the picture.
import { savePicture, startFilm } from "./capture.js";
import { Cards, JointTable } from "./cards.js";
import { el, icon, show } from "./dom.js";
import { Hud } from "./hud.js";
import { GLASS, HIDDEN, SOLID } from "./instances.js";
import { jointRates } from "./links.js";
import { Layout } from "./layout.js";
import { Overlay, posesOf, readTable } from "./overlay.js";
import { rotate } from "./maths.js";
import { Plots, setPen } from "./plots.js";
import { DARK, LIGHT } from "./theme.js";
import { Tree } from "./tree.js";
import { World } from "./world.js";

const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 10];

const ICONS = {
  play: "M6 4 L15 10 L6 16 Z",
  pause: "M6 4 H8.5 V16 H6 Z M11.5 4 H14 V16 H11.5 Z",
  start: "M5 4 V16 M15 4.5 L8 10 L15 15.5 Z",
  back: "M12.5 4.5 L6.5 10 L12.5 15.5",
  forward: "M7.5 4.5 L13.5 10 L7.5 15.5",
  again: "M15.5 10 A5.5 5.5 0 1 1 13.4 5.7 M13.6 2.6 V6 H10.2",
  menu: "M4 6 H16 M4 10 H16 M4 14 H16",
  chart: "M4 15 L8 9 L11.5 12 L16 5",
};

const KEYS = [
  ["Space", "play, pause"],
  ["→  ←", "one step on, one step back (Shift: ten)"],
  ["Home  End", "to the start, to the end"],
  ["[  ]", "slower, faster"],
  ["F  C", "keep everything in view; follow the picked body"],
  ["0  1  3  7  5", "from a corner, front, side, top; parallel view"],
  ["J  A  T", "joints and axes, joint forces, joint moments"],
  ["K  M  S  X", "contacts, masses, springs, limits"],
  ["N  L  P", "names, table of joints, plots"],
  ["/", "search bodies and joints"],
  ["D", "light or dark"],
  ["Click", "a body or a joint to see its state; Esc to let it go"],
  ["Ctrl + drag", "push a body of a live simulation (with Shift: twist)"],
  ["Touch and hold", "push, on a screen that is touched"],
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
    this.drawn = 0;
    this.rates = { jointRates }; // for tests
    this.build();
    this.world = new World(this.stage, this.model, this.layout, this.source.meshes, this.source.runs);
    this.plots = new Plots(this.plotBody, this.model, this.layout, source);
    this.plotCard.hidden = this.plots.panels.length === 0;
    this.world.rig.onMode = (mode) => this.hud.showMode(mode);
    this.hud.showMode("auto");
    this.setTheme(this.chosenTheme());
    this.centre();
    this.chooseView();
    this.bind();
  }

  // ---- building

  build() {
    // the first line says what it is about; the others are a list
    [this.noteHead, ...this.noteLines] = (this.model.note || "").split("\n");
    this.remark = [this.noteHead, this.leftOut()].filter(Boolean).join(". ");
    this.stage = el("div", { class: "stage" });
    this.root.append(this.stage);
    this.hud = new Hud(this);
    this.root.append(this.hud.names, this.hud.element);
    this.cards = new Cards(this);
    this.table = new JointTable(this);
    this.buildTitle();
    this.buildSide();
    this.buildPlots();
    this.root.append(this.table.element);
    this.buildBar();
    this.note = el("div", { class: "note", hidden: true, role: "status" });
    this.help = this.buildHelp();
    this.root.append(this.note, this.help, this.hud.tip);
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
    this.bodyCard = this.cards.element;
    this.side.append(this.bodyCard);
    this.buildToggles();
    this.tree = new Tree(this.model, this);
    this.treeSection = this.section("Bodies and joints", this.tree.element, this.model.bodies.names.length <= 40 && !this.isReport);
    this.side.append(this.treeSection);
    if (this.noteLines.length > 0) {
      const list = el("ul", { class: "notes" }, ...this.noteLines.map((line) => el("li", {}, line)));
      this.side.append(this.section("Not simulated as written", list, false));
    }
    if (this.model.live) this.buildMethod();
    if (this.model.live && this.model.controls.length + this.model.inputs.length > 0) this.buildControls();
    this.left.append(this.side);
  }

  // A part of the side panel that folds.
  section(title, content, isOpen = true) {
    return el("details", { class: "section", open: isOpen }, el("summary", {}, title), content);
  }

  buildToggles() {
    const has = this.model.has;
    const rows = [
      ["joints", "Joints and axes", "J", this.model.joints.names.length > 0],
      ["forces", "Joint forces", "A", this.model.detail && has.joints],
      ["moments", "Joint moments", "T", this.model.detail && has.joints],
      ["contacts", "Contact forces", "K", has.contacts],
      ["wrenches", "Applied forces", "", this.model.detail && this.model.wrenches.length > 0],
      ["springs", "Springs and tendons", "S", this.model.springs.length > 0],
      ["limits", "Joint limits", "X", this.model.detail && this.model.limits.length > 0],
      ["glyphs", "Mass and inertia", "M", this.model.parts.body.length <= 20000],
      ["names", "Names", "N", true],
    ];
    const box = el("div", {});
    this.toggles = {};
    for (const [key, label, letter, isThere] of rows) {
      if (!isThere) continue;
      const input = el("input", { type: "checkbox", id: `show-${key}` });
      input.addEventListener("change", () => this.toggle(key, input.checked));
      this.toggles[key] = input;
      box.append(el("label", { class: "check" }, input, el("span", {}, label), letter ? el("kbd", {}, letter) : ""));
    }
    this.arrowScale = el("input", { type: "range", min: "-1", max: "1", step: "0.05", value: "0", title: "length of the arrows" });
    this.arrowScale.addEventListener("input", () => {
      this.world.forceScale = 10 ** +this.arrowScale.value;
      this.world.refresh();
    });
    if ((this.model.detail && has.joints) || has.contacts) {
      box.append(el("label", { class: "row" }, "Arrow length", this.arrowScale));
    }
    // a replay on a phone has no room for a list
    const isOpen = !(this.isReport && this.root.clientWidth < 620);
    if (Object.keys(this.toggles).length > 0) this.side.append(this.section("Show", box, isOpen));
    for (const key of ["springs", "wrenches"]) if (this.toggles[key]) this.toggles[key].checked = true;
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
    this.side.append(this.section("Method",
      el(
        "div",
        {},
        el("label", { class: "row" }, "Formulation", this.formulation),
        el("label", { class: "row" }, "Integrator", this.integrator),
        el("label", { class: "row" }, "Step, s", this.step),
        el("label", { class: "row", title: "the same scene by another method, from here on, drawn in glass; start again to compare from the start" }, "Ghost", this.ghost),
      ),
    ));
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

  // A slider and a number each; what is asked for is reached softly, within about a tenth of a second.
  buildControls() {
    const box = el("div", { class: "controls" });
    this.sliders = [];
    this.driven = new Set();
    const all = [
      ...this.model.controls.map((control, i) => ({ ...control, words: `control ${i}` })),
      ...this.model.inputs.map((input, i) => ({ ...input, words: `input ${i}` })),
    ];
    all.slice(0, 80).forEach((control, i) => {
      const slider = el("input", { type: "range", min: control.low, max: control.high, step: "any", value: control.value, "data-control": i, "aria-label": control.label });
      const value = el("input", { type: "number", step: "any", value: +control.value.toPrecision(3), "aria-label": `${control.label}, value` });
      const release = el("button", { class: "small", title: "back to the scene's own control", type: "button" }, "auto");
      const drive = (x) => {
        this.driven.add(i);
        release.classList.add("on");
        this.source.send(`${control.words} ${x}`);
      };
      slider.addEventListener("input", () => {
        value.value = +(+slider.value).toPrecision(4);
        drive(slider.value);
      });
      value.addEventListener("change", () => {
        if (!Number.isFinite(value.valueAsNumber)) return;
        slider.value = value.valueAsNumber;
        drive(value.valueAsNumber);
      });
      release.addEventListener("click", () => {
        this.driven.delete(i);
        release.classList.remove("on");
        this.source.send(`${control.words} auto`);
      });
      this.sliders.push({ slider, value, release, coordinate: control.coordinate });
      box.append(el("div", { class: "control" }, el("span", { class: "label", title: control.label }, control.label), value, slider, release));
    });
    if (all.length > 80) box.append(el("p", { class: "hint" }, `and ${all.length - 80} more`));
    const home = el("button", { class: "wide", id: "home", type: "button", title: "all actuators back to the scene's own controls" }, "all back to the scene's controls");
    home.addEventListener("click", () => this.sliders.forEach(({ release }, i) => this.driven.has(i) && release.click()));
    box.append(home);
    this.side.append(this.section("Actuators", box));
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
      button("help-button", "?", "help (?)", () => (this.help.hidden = !this.help.hidden)),
    );
    if (this.model.live) {
      this.bar.insertBefore(button("again", icon(ICONS.again, false), "start the simulation again", () => this.source.send("restart")), this.bar.firstChild);
    }
    // on small screens the panels are sheets that these two open
    this.menuButton = button("menu", icon(ICONS.menu, false), "panel", () => this.openSheet("left"));
    this.chartButton = button("charts", icon(ICONS.chart, false), "plots", () => this.openSheet("plots"));
    this.bar.prepend(this.menuButton);
    this.bar.append(this.chartButton);
    this.root.append(this.bar);
  }

  openSheet(name) {
    const has = this.root.classList.contains(`sheet-${name}`);
    this.root.classList.remove("sheet-left", "sheet-plots");
    if (!has) this.root.classList.add(`sheet-${name}`);
    this.centre();
    this.plots.resize();
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
    if (!this.remark) return;
    this.tell(this.remark, true);
    // what the panel lists need not stay in the picture
    if (this.noteLines.length > 0) setTimeout(() => this.note.textContent === this.remark && this.tell(""), 8000);
  }

  // Which meshes are too large to draw; a body without any other shape is then the box of its inertia.
  leftOut() {
    const left = this.model.meshes.filter((mesh) => !mesh.drawn);
    if (left.length === 0) return "";
    const named = left.slice(0, 5).map((m) => `${m.body} (${m.triangles.toLocaleString("en")} triangles)`);
    const more = left.length > 5 ? ` and ${left.length - 5} more` : "";
    return `Too large to draw: ${left.length === 1 ? "the mesh" : "meshes"} of ${named.join(", ")}${more}`;
  }

  // The picture and what lies over it have the room between the panels.
  centre() {
    const isWide = this.root.clientWidth > 900;
    const left = !isWide || this.side.hidden ? 0 : this.left.offsetWidth;
    const right = !isWide || this.isReport || this.plotCard.hidden ? 0 : this.plotCard.offsetWidth;
    const bar = this.bar.offsetHeight + 28;
    const sheet = this.root.classList.contains("sheet-left") ? this.left : this.root.classList.contains("sheet-plots") ? this.plotCard : null;
    const over = [sheet, this.table.element].reduce((most, e) => Math.max(most, e && !e.hidden ? e.offsetHeight : 0), 0);
    const below = bar + over;
    const all = [left, right, below, this.root.clientWidth];
    if (this.covered && all.every((x, i) => x === this.covered[i])) return;
    this.covered = all;
    this.root.style.setProperty("--left", `${left > 0 ? left + 28 : 14}px`);
    this.root.style.setProperty("--right", `${right > 0 ? right + 28 : 14}px`);
    this.root.style.setProperty("--below", `${below}px`);
    // where every pixel costs, none is drawn below panels: the picture is a card between them
    const isDocked = this.world.quality.isSoftware && isWide;
    this.root.classList.toggle("docked", isDocked);
    this.stage.style.inset = isDocked ? `14px ${right + (right > 0 ? 28 : 14)}px ${below}px ${left + (left > 0 ? 28 : 14)}px` : "";
    this.world.setCovered(...(isDocked ? [0, 0, 0] : [left, right, below]));
    this.plots.resize();
  }

  toggle(key, isOn) {
    if (!this.toggles[key]) return;
    this.toggles[key].checked = isOn;
    this.world.visible[key] = isOn;
    this.world.refresh();
    this.hud.showNames(this.world.visible.names === true);
    if (this.world.frame) this.hud.showKey();
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
    this.bindDrop();
    const draw = () => {
      const isMoving = this.state.playing || this.drag !== undefined && this.drag !== null;
      if (this.world.draw(isMoving)) this.onDrawn();
      requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);
    new ResizeObserver(() => this.centre()).observe(this.root);
  }

  onDrawn() {
    this.drawn++;
    this.hud.turnTriad();
    this.hud.showNames(this.world.visible.names === true);
  }

  async start() {
    await this.source.start();
    this.plots.update();
    return this;
  }

  // The picture follows every frame; words and curves follow as often as they can be read, because
  // writing them costs more than the picture where there is no graphics card.
  onFrame(frame) {
    this.frames++;
    this.world.setFrame(frame);
    if (this.drag) this.push();
    this.writeSoon();
  }

  writeSoon() {
    if (this.writing) return;
    const { isSoftware, fps } = this.world.quality;
    // where frames are slow, words must not take a share of each
    const pause = !this.state.playing ? 0 : isSoftware ? Math.min(Math.max(4000 / (fps || 20), 180), 700) : 40;
    const wait = Math.max(0, pause - (performance.now() - (this.wroteAt || 0)));
    if (wait === 0) {
      this.write();
      return;
    }
    this.writing = setTimeout(() => {
      this.writing = 0;
      this.write();
    }, wait);
  }

  write() {
    const frame = this.world.frame;
    this.wroteAt = performance.now();
    this.plots.setTime(frame.time);
    this.clock.textContent = `${frame.time.toFixed(3)} s`;
    if (!this.isScrubbing) {
      this.scrub.min = this.state.first;
      this.scrub.max = Math.max(this.state.head, this.state.first + 1e-9);
      this.scrub.value = frame.time;
    }
    this.cards.update();
    this.table.update();
    this.followSliders(frame);
    this.hud.showKey();
  }

  // A slider that nobody holds shows where its axis is.
  followSliders(frame) {
    if (!this.sliders || !this.model.detail) return;
    this.sliders.forEach(({ slider, value, coordinate }, i) => {
      if (coordinate < 0 || this.driven.has(i)) return;
      const x = frame.values[this.layout.coordinates + coordinate];
      slider.value = x;
      if (document.activeElement !== value) value.value = Math.abs(x) < 1e-9 ? 0 : +x.toPrecision(3);
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
    if (this.world.frame) this.writeSoon();
    if (this.shownSpeed !== state.speed) this.speed.value = String((this.shownSpeed = state.speed));
    if (state.message !== undefined && state.message !== this.lastMessage) {
      this.lastMessage = state.message;
      this.tell(state.message || this.remark, !state.failed);
    }
    const parts = [];
    if (state.live && state.playing && state.rate > 0 && state.rate < 0.95 * state.speed) parts.push(`${show(state.rate, 2)} × real time`);
    if (state.stride > 1) parts.push(`every ${state.stride}th step kept`);
    const words = parts.join(", ");
    const now = performance.now();
    if (words !== this.rateWords && (now - (this.ratedAt || 0) > 500 || !state.playing)) {
      this.ratedAt = now;
      this.rate.textContent = this.rateWords = words;
    }
    this.showMethod(state);
    if (now - this.lastSeries > (this.world.quality.isSoftware && state.playing ? 2500 : 300) && (state.live || this.lastSeries === 0)) {
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
    if (this.integrator.value !== state.integrator) this.integrator.value = state.integrator;
    if (+this.step.value !== state.step) this.step.value = state.step;
    const ghost = state.ghost || "none";
    if (document.activeElement !== this.ghost && this.ghost.value !== ghost) this.ghost.value = ghost;
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
    const { target } = event;
    if (event.metaKey || event.altKey || (event.ctrlKey && event.key !== "Control")) return;
    // whoever writes or chooses something means that; Space and Enter press the button in focus
    if (target instanceof HTMLInputElement && !["range", "checkbox"].includes(target.type)) return;
    if (target instanceof HTMLSelectElement) return;
    const isPressed = target instanceof HTMLButtonElement || target.tagName === "SUMMARY" || target.type === "checkbox";
    if (isPressed && (event.key === " " || event.key === "Enter") && target.matches(":focus-visible")) return;
    if (target.type === "range" && /^(Arrow|Home|End|Page)/.test(event.key)) return;
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
      s: () => this.flip("springs"),
      x: () => this.flip("limits"),
      n: () => this.flip("names"),
      c: () => this.followPicked(),
      l: () => this.flipTable(),
      d: () => this.flipTheme(),
      0: () => this.world.rig.look("iso"),
      1: () => this.world.rig.look("front"),
      3: () => this.world.rig.look("side"),
      7: () => this.world.rig.look("top"),
      5: () => this.flipFlat(),
      "/": () => {
        this.treeSection.open = true;
        this.tree.search.focus();
      },
      p: () => {
        this.plotCard.hidden = !this.plotCard.hidden;
        this.centre();
        this.plots.update();
      },
      "?": () => (this.help.hidden = !this.help.hidden),
      Escape: () => {
        if (!this.help.hidden) this.help.hidden = true;
        else this.letGo();
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
    let hold = 0;
    canvas.addEventListener("pointerdown", (e) => {
      down = [e.clientX, e.clientY];
      clearTimeout(hold);
      if (!this.model.live) return;
      if (e.button === 0 && e.ctrlKey) this.beginPush(e);
      // a finger that rests takes hold of what is under it
      if (e.pointerType === "touch" && e.isPrimary) {
        hold = setTimeout(() => down && this.beginPush({ clientX: down[0], clientY: down[1], shiftKey: false, stopPropagation() {} }), 450);
      } else {
        clearTimeout(hold);
      }
    }, true);
    canvas.addEventListener("pointermove", (e) => {
      if (down && Math.hypot(e.clientX - down[0], e.clientY - down[1]) > 6) clearTimeout(hold);
      if (this.drag) {
        this.drag.x = e.clientX;
        this.drag.y = e.clientY;
        this.drag.isTwist = e.shiftKey;
        this.push();
      } else if (!down && e.pointerType !== "touch") {
        this.hover = [e.clientX, e.clientY];
        if (!this.isHovering) this.startHover();
      }
    });
    canvas.addEventListener("pointerleave", () => {
      this.hover = null;
      this.hud.hideTip();
    });
    canvas.addEventListener("dblclick", (e) => {
      const hit = this.world.pick(e.clientX, e.clientY);
      if (hit) this.world.rig.follow(hit.body);
    });
    window.addEventListener("pointerup", (e) => {
      clearTimeout(hold);
      if (this.drag) this.endPush();
      else if (down && e.target === canvas && Math.hypot(e.clientX - down[0], e.clientY - down[1]) < 4) this.pickAt(e.clientX, e.clientY);
      down = null;
    });
  }

  // Joints are small: they come first where the pointer is close to one.
  pickAt(x, y) {
    const joint = this.world.pickJoint(x, y, 8);
    if (joint >= 0) {
      this.selectJoint(joint);
      return;
    }
    const hit = this.world.pick(x, y);
    if (hit) this.selectBody(hit.body);
    else this.letGo();
  }

  // Looking under the pointer costs a ray: ten times a second is enough.
  startHover() {
    this.isHovering = true;
    setTimeout(() => {
      this.isHovering = false;
      if (this.hover && !this.drag) this.hud.point(...this.hover);
    }, 100);
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

  // ---- recordings that are dropped onto the page

  bindDrop() {
    this.overlayList = el("div", { class: "overlays" });
    this.overlaySection = this.section("Recordings over the picture", this.overlayList);
    this.overlaySection.hidden = true;
    this.side.append(this.overlaySection);
    this.root.addEventListener("dragover", (e) => {
      e.preventDefault();
      this.root.classList.add("dropping");
    });
    this.root.addEventListener("dragleave", () => this.root.classList.remove("dropping"));
    this.root.addEventListener("drop", (e) => {
      e.preventDefault();
      this.root.classList.remove("dropping");
      for (const file of e.dataTransfer.files) this.addRecording(file);
    });
  }

  async addRecording(file) {
    try {
      if (!/\.csv$/i.test(file.name)) throw new Error("only recordings as CSV can be laid over the picture; open others with 'trammel view FILE'");
      const overlay = new Overlay(file.name, posesOf(readTable(await file.text()), this.model.bodies.names));
      const color = this.world.addOverlay(overlay);
      const remove = el("button", { class: "small", type: "button", "aria-label": `remove ${file.name}` }, "×");
      const row = el("div", { class: "spread" }, el("span", { style: `color:#${color.toString(16).padStart(6, "0")}` }, file.name), remove);
      remove.addEventListener("click", () => {
        this.world.removeOverlay(overlay);
        row.remove();
        this.overlaySection.hidden = this.overlayList.children.length === 0;
      });
      this.overlayList.append(row);
      this.overlaySection.hidden = false;
    } catch (error) {
      this.tell(`${file.name}: ${error.message}`);
    }
  }

  // ---- what is picked

  selectBody(body) {
    this.world.selectJoint(-1);
    this.world.select(body);
    const joint = this.model.joints.follower.indexOf(body);
    if (joint >= 0 && body >= 0) this.plots.showJoint(joint);
    this.afterPick();
  }

  selectJoint(joint) {
    this.world.select(-1);
    this.world.selectJoint(joint);
    this.plots.showJoint(joint);
    this.afterPick();
  }

  letGo() {
    this.world.select(-1);
    this.world.selectJoint(-1);
    this.afterPick();
  }

  afterPick() {
    this.cards.open();
    this.tree.mark();
    this.table.last = 0;
    this.table.update();
  }

  followPicked() {
    const { rig, selected, selectedJoint } = this.world;
    const body = selected >= 0 ? selected : selectedJoint >= 0 ? this.model.joints.follower[selectedJoint] : -1;
    if (rig.mode === "follow") rig.follow(-1);
    else if (body >= 0) rig.follow(body);
    else this.tell("click a body first: the camera can then follow it", true);
  }

  cycleLook(body) {
    const { world } = this;
    world.setLook(body, { [SOLID]: GLASS, [GLASS]: HIDDEN, [HIDDEN]: SOLID }[world.looks[body]]);
    this.tree.mark();
  }

  // All others become glass; again, all come back.
  showOnly(body) {
    const { looks } = this.world;
    const isAlone = looks.every((look, b) => (b === body ? look === SOLID : look === GLASS));
    for (let b = 0; b < looks.length; b++) looks[b] = isAlone || b === body ? SOLID : GLASS;
    this.world.setLook(body, SOLID);
    if (!isAlone && looks.length > 1) this.world.setLook(body === 0 ? 1 : 0, GLASS);
    this.tree.mark();
  }

  // ---- views, colours, files

  flipFlat() {
    const isFlat = !this.world.rig.isFlat;
    this.world.rig.setFlat(isFlat);
    this.hud.flatButton.classList.toggle("on", isFlat);
  }

  flipTable() {
    this.table.element.hidden = !this.table.element.hidden || this.model.joints.names.length === 0 || !this.model.detail;
    this.table.last = 0;
    this.table.update();
    this.centre();
  }

  chosenTheme() {
    let kept = null;
    try {
      kept = localStorage.getItem("trammel-theme");
    } catch {
      // pages that are opened from disk may have no storage
    }
    if (this.isReport) kept = null; // as the page around it
    return kept || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  }

  flipTheme() {
    const next = this.theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem("trammel-theme", next);
    } catch {
      // then it holds for this page only
    }
    this.setTheme(next);
  }

  setTheme(name) {
    this.theme = name;
    const isDark = name === "dark";
    this.root.classList.toggle("dark", isDark);
    setPen(isDark);
    this.world.setTheme(isDark ? DARK : LIGHT);
    this.plots.repaint();
  }

  savePicture() {
    return savePicture(this.world, `${this.model.name} ${this.world.frame.time.toFixed(3)}s`);
  }

  async film() {
    if (this.filming) {
      const { stop } = this.filming;
      this.filming = null;
      this.hud.filmButton.classList.remove("on");
      this.filmed = await stop();
      return;
    }
    this.filming = startFilm(this.world, this.model.name);
    if (!this.filming) this.tell("this browser cannot record videos");
    else this.hud.filmButton.classList.add("on");
  }
}
