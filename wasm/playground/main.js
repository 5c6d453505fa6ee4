// main.js - the playground: a text, the simulation of it beside it, and links that carry it. All of it runs in the
// page; nothing is sent anywhere.
import { el } from "../../viewer/page/src/dom.js";
import { Editor } from "./editor.js";
import { inflate, linkOf, readLink, toBytes } from "./link.js";
import { WorkerSource } from "./source.js";

const PAUSE_MS = 700; // after the last key, before what is written runs
const FIRST = "stewart-platform";

class Playground {
  constructor(root, worker, wasm, { scenes, robots }) {
    this.root = root;
    this.worker = worker; // its text
    this.wasm = wasm; // compiled once, for every Worker
    this.scenes = new Map(scenes);
    this.robots = new Map(robots);
    this.files = new Map(); // that were dropped: meshes, heightfields, models that include each other
    this.serial = 0;
    this.build();
  }

  // ---- the page

  build() {
    this.pick = el("select", { id: "pick", "aria-label": "examples" });
    this.fileButton = el("button", { type: "button", id: "open" }, "Open files…");
    this.fileInput = el("input", { type: "file", multiple: true, hidden: true });
    this.runButton = el("button", { type: "button", id: "run", title: "Ctrl + Enter; it also runs by itself after a pause" }, "Run");
    this.stopButton = el("button", { type: "button", id: "stop", hidden: true }, "Stop");
    this.shareButton = el("button", { type: "button", id: "share" }, "Share");
    this.textButton = el("button", { type: "button", id: "text", "aria-pressed": "true" }, "Text");
    this.plotsButton = el("button", { type: "button", id: "plots" }, "Plots");
    this.status = el("span", { class: "status", role: "status" });
    this.editor = new Editor(() => this.runSoon(), () => this.run());
    this.place = el("div", { class: "place" });
    const home = el("a", { href: document.body.dataset.home || null }, "Trammel"); // the site that it is part of
    this.root.append(
      el("header", {}, el("h1", {}, home, " playground"), this.pick, this.fileButton, this.fileInput, this.runButton, this.stopButton, this.shareButton, this.textButton, this.plotsButton, this.status),
      el("main", {}, this.editor.element, this.place),
    );
    const group = (label, names) => {
      const options = el("optgroup", { label });
      for (const [value, words] of names) options.append(el("option", { value }, words));
      this.pick.append(options);
    };
    group("Scenes", [...this.scenes.keys()].map((name) => [`scene:${name}`, name]));
    group("Robots", [...this.robots.keys()].map((name) => [`robot:${name}`, name]));
    group("", [["own", "your own"]]);
    this.pick.addEventListener("change", () => this.choose(this.pick.value));
    this.runButton.addEventListener("click", () => this.run());
    this.stopButton.addEventListener("click", () => this.stop("stopped"));
    this.shareButton.addEventListener("click", () => this.share());
    this.fileButton.addEventListener("click", () => this.fileInput.click());
    this.fileInput.addEventListener("change", () => this.take([...this.fileInput.files].map((file) => [file.name, file])));
    this.textButton.addEventListener("click", () => this.flipText());
    // the viewer's own key
    this.plotsButton.addEventListener("click", () => this.frame && this.frame.contentDocument.dispatchEvent(new KeyboardEvent("keydown", { key: "p" })));
    window.addEventListener("hashchange", () => this.openLink());
    document.addEventListener("visibilitychange", () => this.source && this.source.send(document.hidden ? "unwatch" : "watch"));
    this.bindDrop();
  }

  flipText() {
    const isHidden = this.root.classList.toggle("alone");
    this.textButton.setAttribute("aria-pressed", String(!isHidden));
  }

  tell(words) {
    this.status.textContent = words;
  }

  // ---- what is shown

  async openLink() {
    if (location.hash === this.ownHash) return;
    let found = null;
    try {
      found = await readLink(location.hash);
    } catch (error) {
      this.tell(`the link could not be read: ${error.message}`);
    }
    if (found && found.text !== undefined) {
      this.files.clear();
      this.pick.value = "own";
      await this.show(found.name, found.text);
    } else {
      const name = found && this.scenes.has(found.scene) ? found.scene : FIRST;
      this.pick.value = `scene:${name}`;
      await this.choose(this.pick.value);
    }
  }

  async choose(value) {
    const [kind, name] = value.split(/:(.*)/);
    if (kind === "own") return;
    this.files.clear();
    if (kind === "robot") await this.show(name, this.robots.get(name));
    else await this.show(`${name}.json`, this.scenes.get(name));
  }

  show(name, text) {
    this.name = name;
    this.editor.text = text;
    document.title = `${name} - Trammel playground`;
    return this.run();
  }

  isAsItComes() {
    const [kind, name] = this.pick.value.split(/:(.*)/);
    const text = kind === "scene" ? this.scenes.get(name) : this.robots.get(name);
    return kind !== "own" && this.editor.text === text;
  }

  runSoon() {
    if (!this.isAsItComes()) this.pick.value = "own";
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.run(), PAUSE_MS);
  }

  // Open what is written in a Worker of its own. Until it can be shown, and where it is refused, what was shown
  // before goes on.
  async run() {
    clearTimeout(this.waiting);
    const serial = ++this.serial;
    if (this.opening) this.opening.close();
    const source = (this.opening = new WorkerSource(this.worker, this.wasm));
    this.tell("opening…");
    this.stopButton.hidden = false;
    try {
      await source.open(this.editor.text, this.name, [...this.files]);
      if (serial !== this.serial) return;
      this.opening = null;
      this.stopButton.hidden = true;
      this.showSource(source);
    } catch (error) {
      source.close();
      if (serial !== this.serial) return;
      this.opening = null;
      this.stopButton.hidden = true;
      this.refuse(error.message);
    }
  }

  showSource(source) {
    if (this.source) this.source.close();
    this.source = source;
    source.onFailure = (why) => this.tell(`the simulation has ended: ${why}`);
    this.editor.say("");
    this.tell("");
    this.shown = this.editor.text;
    const frame = el("iframe", { title: "the simulation" });
    frame.srcdoc = `<!doctype html><html lang="en" class="view"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<link rel="stylesheet" href="view.css"><div id="trammel" class="trammel"></div><script src="frame.js"></script></html>`;
    this.place.replaceChildren(frame);
    this.frame = frame;
  }

  // The library says "NAME:LINE: what is wrong": the line is in the text where the name is that of the text.
  refuse(message) {
    const [, name, line, what] = message.match(/^([^:\n]*):(\d+): ([^]*)$/) || [];
    const isHere = name === this.name;
    this.editor.say(isHere ? what : message, isHere ? +line : 0);
    this.tell(this.source ? "not run; what ran before goes on" : "not run");
  }

  stop(why) {
    if (this.opening) this.opening.close();
    this.opening = null;
    this.serial++;
    this.stopButton.hidden = true;
    this.tell(why);
  }

  // ---- links and files

  async share() {
    const isAsItComes = this.isAsItComes() && this.pick.value.startsWith("scene:");
    const hash = isAsItComes ? `#scene=${this.pick.value.slice(6)}` : await linkOf({ name: this.name, text: this.editor.text });
    history.replaceState(null, "", hash);
    this.ownHash = location.hash;
    const remark = this.files.size > 0 ? "; it carries the text only, not the other files" : "";
    try {
      await navigator.clipboard.writeText(location.href);
      this.tell(`link copied${remark}`);
    } catch {
      this.tell(`the link is in the address bar${remark}`);
    }
  }

  bindDrop() {
    this.root.addEventListener("dragover", (event) => {
      event.preventDefault();
      this.root.classList.add("dropping");
    });
    this.root.addEventListener("dragleave", (event) => event.relatedTarget || this.root.classList.remove("dropping"));
    this.root.addEventListener("drop", async (event) => {
      event.preventDefault();
      this.root.classList.remove("dropping");
      const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry && item.webkitGetAsEntry()).filter(Boolean);
      const found = [];
      for (const entry of entries) await this.walk(entry, "", found);
      await this.take(found);
    });
  }

  // The files of a folder, with their places in it.
  async walk(entry, folder, found) {
    const path = `${folder}${entry.name}`;
    if (entry.isFile) {
      found.push([path, await new Promise((resolve, reject) => entry.file(resolve, reject))]);
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (some.length === 0) return;
      for (const inner of some) await this.walk(inner, `${path}/`, found);
    }
  }

  // A scene or robot among the files is opened, the others are put beside it. Of several, the one nearest to the
  // top; scenes of robots include the robot, so they come first.
  async take(found) {
    if (found.length === 0) return;
    const depth = ([path]) => path.split("/").length;
    const models = found.filter(([path]) => /\.(json|xml|mjcf|urdf|sdf|world)$/i.test(path)).sort((a, b) => depth(a) - depth(b) || /scene/i.test(b[0]) - /scene/i.test(a[0]));
    if (models.length > 0) this.files.clear();
    for (const [path, file] of found) this.files.set(path, new Uint8Array(await file.arrayBuffer()));
    if (models.length === 0) return this.run();
    const name = models[0][0];
    const text = new TextDecoder().decode(this.files.get(name));
    this.files.delete(name);
    this.pick.value = "own";
    await this.show(name, text);
  }
}

async function main() {
  const root = document.getElementById("playground");
  try {
    const { worker, wasm, examples } = window.trammelPlayer; // player.js, by build.mjs
    const module = await WebAssembly.compile(await inflate(toBytes(wasm), "gzip"));
    const texts = JSON.parse(new TextDecoder().decode(await inflate(toBytes(examples), "gzip")));
    window.playground = new Playground(root, worker, module, texts);
    await window.playground.openLink();
  } catch (error) {
    root.append(el("p", { class: "broken" }, `This page could not be opened: ${error.message}`));
  }
}

main();
