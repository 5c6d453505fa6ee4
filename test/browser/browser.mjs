// browser.mjs - the page in a real browser: clicks through it and checks pixels and values.
//   node browser.mjs TRAMMEL FOLDER [PICTURES]      PICTURES: a folder for screenshots
//
// Leaves with 77 where Chromium is missing. CHROMIUM in the environment names another binary.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve as absolute } from "node:path";
import { pathToFileURL } from "node:url";

const [tool, folder, pictures] = process.argv.slice(2);
const binary = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((p) => p && existsSync(p));
if (!binary) {
  console.log("Chromium is not installed ('apt-get install chromium')");
  process.exit(77);
}
const require = createRequire(new URL("../../viewer/page/package.json", import.meta.url));
let chromium;
try {
  ({ chromium } = require("playwright-core"));
} catch {
  console.log("playwright-core is not installed ('npm ci' in viewer/page)");
  process.exit(77);
}
mkdirSync(folder, { recursive: true });
if (pictures) mkdirSync(pictures, { recursive: true });

const run = (...words) => execFileSync(tool, words, { encoding: "utf8", cwd: folder, timeout: 120000 });
const file = (name) => join(folder, name);

// ---- scenes and recordings that the physics does not make yet

function writeScenes() {
  const rod = { mass: 1, inertia: [0.01, 0.08, 0.08], shapes: [{ type: "box", size: [0.12, 0.12, 1], color: "#3e7cb1" }] };
  writeFileSync(file("hanging.json"), JSON.stringify({
    trammel: 1,
    name: "hanging rods",
    bodies: [
      { name: "upper", ...rod, position: [0, 0, -0.5] },
      { name: "<img src=x onerror=window.hacked=1>", ...rod, position: [0, 0, -1.5] },
    ],
    joints: [
      { name: "hook", type: "spherical", base: "world", follower: "upper", position: [0, 0, 0] },
      { name: "link", type: "revolute", base: "upper", follower: "<img src=x onerror=window.hacked=1>", position: [0, 0, -1], axis: [0, 1, 0] },
    ],
    simulation: { step: 0.01 },
  }));
  writeFileSync(file("motor.json"), JSON.stringify({
    trammel: 1,
    name: "motor",
    bodies: [{ name: "arm", mass: 1, inertia: [0.01, 0.08, 0.08], position: [0.5, 0, 0], shapes: [{ type: "capsule", radius: 0.05, length: 0.9, orientation: [0.7071067811865476, 0, 0.7071067811865476, 0], color: "#c8963e" }] }],
    joints: [{ name: "motor", type: "revolute", base: "world", follower: "arm", axis: [0, 0, 1], actuation: "position", control: 0 }],
    simulation: { step: 0.01 },
  }));
}

// A step takes longer than the page's state is good for.
function writeSlow() {
  writeFileSync(file("slow.json"), JSON.stringify({
    trammel: 1,
    name: "slow",
    bodies: [],
    generate: [{ type: "chain", name: "c", links: 200, joint: "spherical", link: { length: 0.05, radius: 0.005, mass: 0.1 } }],
    simulation: { formulation: "quaternion", solver: "dense", step: 0.01 },
  }));
}

// A hundred balls on hinges, five to a chain.
function writeHundred() {
  const generate = [];
  for (let i = 0; i < 20; i++) {
    generate.push({ type: "chain", name: `c${i}`, links: 5, joint: "revolute", link: { length: 0.3, radius: 0.05, mass: 0.2 }, start: [0.5 * (i % 5), 0.5 * Math.floor(i / 5), 0], pose: "horizontal" });
  }
  writeFileSync(file("hundred.json"), JSON.stringify({ trammel: 1, name: "hundred", bodies: [], generate, simulation: { step: 0.01 } }));
}

// A hundred boxes that rest on the ground, each on four contacts.
function writeContacts() {
  const names = [];
  const bodies = [];
  for (let i = 0; i < 36; i++) {
    const x = (i % 6) * 1.6;
    const y = Math.floor(i / 6) * 1.6;
    names.push(`box.${i}`);
    bodies.push({ name: `box.${i}`, mass: 1, inertia: [0.2, 0.2, 0.2], position: [x, y, 0.5], shapes: [{ type: "box", size: [1, 1, 1], color: i % 2 ? "#3e7cb1" : "#c8963e" }] });
  }
  writeFileSync(file("boxes.scene.json"), JSON.stringify({ trammel: 1, name: "boxes at rest", bodies: [{ name: "world", shapes: [{ type: "plane", color: "#dddddd" }] }, ...bodies] }));
  let table = `t,${names.flatMap((n) => ["px", "py", "pz", "qw", "qx", "qy", "qz"].map((c) => `${n}.${c}`)).join(",")}\n`;
  let contacts = "t,a,b,px,py,pz,nx,ny,nz,gap,fx,fy,fz\n";
  for (let k = 0; k < 12; k++) {
    const t = 0.1 * k;
    table += `${t},${bodies.flatMap((b) => [...b.position, 1, 0, 0, 0]).join(",")}\n`;
    bodies.forEach((b, i) => {
      for (const [dx, dy] of [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) {
        const push = 2.4 * (1 + 0.6 * Math.sin(0.7 * i + 0.5 * k + dx));
        contacts += `${t},${b.name},world,${b.position[0] + dx},${b.position[1] + dy},0,0,0,1,0,${0.3 * push * dx},${0.3 * push * dy},${push}\n`;
      }
    });
  }
  writeFileSync(file("boxes.csv"), table);
  writeFileSync(file("boxes.contacts.csv"), contacts);
}

// A net of thirty thousand balls in a wave.
function writeMany() {
  const side = 173;
  const bodies = [];
  let head = "t";
  for (let i = 0; i < side * side; i++) {
    bodies.push(`{"name":"n${i}","mass":1,"inertia":[1,1,1],"shapes":[{"type":"sphere","radius":0.42,"color":"${["#3e7cb1", "#81a4cd", "#c8963e", "#e4b363"][(i + Math.floor(i / side)) % 4]}"}]}`);
    head += `,n${i}.px,n${i}.py,n${i}.pz,n${i}.qw,n${i}.qx,n${i}.qy,n${i}.qz`;
  }
  writeFileSync(file("many.scene.json"), `{"trammel":1,"name":"30 000 bodies","bodies":[${bodies.join(",")}]}`);
  let table = `${head}\n`;
  for (let k = 0; k < 4; k++) {
    const cells = [];
    for (let i = 0; i < side * side; i++) {
      const x = i % side;
      const y = Math.floor(i / side);
      const r = Math.hypot(x - side / 2, y - side / 2);
      cells.push(x, y, (9 * Math.sin(0.18 * r - 0.6 * k) * Math.exp(-0.012 * r)).toFixed(4), 1, 0, 0, 0);
    }
    table += `${0.1 * k},${cells.join(",")}\n`;
  }
  writeFileSync(file("many.csv"), table);
}

// A soft bar that bends under its weight, a ball of triangles inside one soft cube, three particles.
function writeSoft() {
  const bar = { name: "bar", vertices: [], tetrahedra: [], young: 2e5, density: 1000, fixed: [] };
  const cell = (c) => [[1, 3], [1, 5], [2, 3], [2, 6], [4, 5], [4, 6]].map(([a, b]) => [c[0], c[a], c[b], c[7]]);
  for (let i = 0; i <= 6; i++) for (let k = 0; k < 4; k++) bar.vertices.push([0.2 * i, 0.2 * (k >> 1), 0.2 * (k & 1)]);
  for (let i = 0; i < 6; i++) bar.tetrahedra.push(...cell([0, 1, 2, 3, 4, 5, 6, 7].map((k) => 4 * i + k)));
  bar.fixed = [0, 1, 2, 3];
  const cube = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [0.4 * (k >> 2), 0.6 + 0.4 * ((k >> 1) & 1), 0.4 * (k & 1)]);
  const text = [];
  const [around, down] = [24, 12];
  for (let i = 0; i <= down; i++) {
    for (let k = 0; k < around; k++) {
      const [t, a] = [(Math.PI * i) / down, (2 * Math.PI * k) / around];
      text.push(`v ${0.2 + 0.2 * Math.sin(t) * Math.cos(a)} ${0.8 + 0.2 * Math.sin(t) * Math.sin(a)} ${0.2 + 0.2 * Math.cos(t)}`);
    }
  }
  const at = (i, k) => i * around + (k % around) + 1;
  for (let i = 0; i < down; i++) for (let k = 0; k < around; k++) text.push(`f ${at(i, k)} ${at(i + 1, k)} ${at(i + 1, k + 1)} ${at(i, k + 1)}`);
  writeFileSync(file("ball.obj"), text.join("\n"));
  const ball = { name: "ball", vertices: cube, tetrahedra: cell([0, 1, 2, 3, 4, 5, 6, 7]), surface: "ball.obj", young: 1e5, density: 500, velocity: [0, 0, 1] };
  const grains = { name: "grains", vertices: [[0.6, -0.4, 0.3], [0.8, -0.4, 0.35], [1, -0.4, 0.4]], vertex_mass: 0.1, velocity: [0, 0, 2] };
  writeFileSync(file("soft.json"), JSON.stringify({ trammel: 1, name: "soft things", bodies: [], deformables: [bar, ball, grains], simulation: { step: 0.01 } }));
}

// Two rings of one mesh, and a ground of more than a million triangles.
function writeMeshes() {
  const [around, across] = [48, 24];
  const text = [];
  for (let i = 0; i < around; i++) {
    for (let j = 0; j < across; j++) {
      const [a, b] = [(2 * Math.PI * i) / around, (2 * Math.PI * j) / across];
      const r = 0.5 + 0.18 * Math.cos(b);
      text.push(`v ${(r * Math.cos(a)).toFixed(6)} ${(r * Math.sin(a)).toFixed(6)} ${(0.18 * Math.sin(b)).toFixed(6)}`);
    }
  }
  const at = (i, j) => (i % around) * across + (j % across) + 1;
  for (let i = 0; i < around; i++) {
    for (let j = 0; j < across; j++) {
      text.push(`f ${at(i, j)} ${at(i + 1, j)} ${at(i + 1, j + 1)}`, `f ${at(i, j)} ${at(i + 1, j + 1)} ${at(i, j + 1)}`);
    }
  }
  writeFileSync(file("ring.obj"), `${text.join("\n")}\n`);
  const ring = (color) => [{ type: "mesh", file: "ring.obj", density: 1000, color }];
  const bodies = [
    { name: "left", position: [-0.7, 0, 1], shapes: ring("#3e7cb1") },
    { name: "right", position: [0.7, 0, 1], orientation: [0.7071067811865476, 0.7071067811865476, 0, 0], shapes: ring("#c8963e") },
  ];
  writeFileSync(file("rings.json"), JSON.stringify({ trammel: 1, name: "rings", bodies }));
  const row = `[${Array(709).fill(0).join(",")}]`;
  const ground = `{"name":"world","shapes":[{"type":"heightfield","size":[9,9],"heights":[${Array(709).fill(row).join(",")}]}]}`;
  writeFileSync(file("moor.json"), JSON.stringify({ trammel: 1, name: "moor", bodies }).replace('"bodies":[', `"bodies":[${ground},`));
}

// ---- a server and a page

function serve(...words) {
  return new Promise((resolve, reject) => {
    const child = spawn(tool, ["view", ...words, "--no-browser", "--port", "0"], { cwd: folder });
    let out = "";
    child.stdout.on("data", (d) => {
      out += d;
      const found = out.match(/http:\/\/\S+/);
      if (found) resolve({ child, address: found[0] });
    });
    child.stderr.on("data", (d) => process.stderr.write(d));
    child.on("exit", (code) => reject(new Error(`the server left with ${code}`)));
  });
}

const browser = await chromium.launch({
  executablePath: binary,
  args: ["--headless", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-background-networking", "--no-first-run"],
});

let passed = 0;
let failed = 0;
function check(name, isGood, detail = "") {
  if (isGood) passed++;
  else {
    failed++;
    console.log(`failed: ${name} ${detail}`);
  }
}

async function openPage(address, size = { width: 1000, height: 640 }) {
  const page = await browser.newPage({ viewport: size });
  page.problems = [];
  page.outside = [];
  page.on("pageerror", (e) => page.problems.push(e.message));
  page.on("console", (m) => m.type() === "error" && page.problems.push(m.text()));
  page.on("request", (r) => {
    if (!r.url().startsWith(address.slice(0, 17)) && !r.url().startsWith("data:")) page.outside.push(r.url());
  });
  await page.goto(address);
  await until(page, () => Boolean(window.trammel && window.trammel.frames > 0));
  return page;
}

async function withScene(words, run, size) {
  const server = await serve(...words);
  server.child.removeAllListeners("exit");
  const page = await openPage(server.address, size);
  try {
    await run(page, server);
  } finally {
    check(`${words[0]}: no errors on the page`, page.problems.length === 0, page.problems.join("; "));
    check(`${words[0]}: no request leaves the machine`, page.outside.length === 0, page.outside.join(" "));
    await page.close();
    server.child.kill("SIGINT");
  }
}

const value = (page, f, ...words) => page.evaluate(f, ...words);
const timeOf = (page) => value(page, () => window.trammel.world.frame.time);

// Asked from outside again and again: the page's own policy forbids what playwright would do inside.
async function until(page, f, words, ms = 30000) {
  for (const end = Date.now() + ms; Date.now() < end; ) {
    if (await page.evaluate(f, words)) return true;
    await page.waitForTimeout(60);
  }
  return false;
}

// The picture as numbers: a coarse copy of the canvas, for "something is drawn" and "it changed".
async function pixels(page) {
  await value(page, () => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r))));
  return value(page, () => {
    window.trammel.world.render();
    const from = window.trammel.world.renderer.domElement;
    const to = document.createElement("canvas");
    to.width = 100;
    to.height = 64;
    const c = to.getContext("2d");
    c.drawImage(from, 0, 0, 100, 64);
    return Array.from(c.getImageData(0, 0, 100, 64).data);
  });
}

const difference = (a, b) => a.reduce((n, x, i) => n + (Math.abs(x - b[i]) > 12 ? 1 : 0), 0);

// How many pixels look like a colour, within a share of each channel.
function count(data, [r, g, b], slack = 40) {
  let n = 0;
  for (let i = 0; i < data.length; i += 4) {
    if (Math.abs(data[i] - r) < slack && Math.abs(data[i + 1] - g) < slack && Math.abs(data[i + 2] - b) < slack) n++;
  }
  return n;
}

async function picture(page, name, size = { width: 1440, height: 900 }) {
  if (!pictures) return;
  await page.setViewportSize(size);
  await page.waitForTimeout(2500);
  await page.screenshot({ path: join(pictures, name) });
}

// ---- the tests

async function playAndScrub(page) {
  const still = await pixels(page);
  check("something is drawn", difference(still, still.map(() => still[0])) > 200);
  check("it is paused", (await timeOf(page)) === 0);
  await page.click("#play");
  check("it plays", await until(page, () => window.trammel.world.frame.time > 0.3));
  await page.keyboard.press(" ");
  check("space pauses", await until(page, () => !window.trammel.state.playing));
  await page.waitForTimeout(400);
  const stopped = await timeOf(page);
  await page.waitForTimeout(400);
  check("paused, time stands still", (await timeOf(page)) === stopped);
  const head = await value(page, () => window.trammel.state.head);
  await page.click("#forward");
  await until(page, (t) => window.trammel.world.frame.time !== t, stopped);
  await page.click("#back");
  await page.click("#back");
  check("steps back", await until(page, (t) => window.trammel.world.frame.time < t - 0.005, stopped), `${stopped}`);
  await page.locator("#scrub").fill("0.1");
  check("scrubbing shows that time", await until(page, () => Math.abs(window.trammel.world.frame.time - 0.1) < 0.0051), String(await timeOf(page)));
  check("scrubbing forgets nothing", (await value(page, () => window.trammel.state.head)) >= head - 1e-9);
  check("the clock says so", (await page.textContent("#clock")).startsWith("0.1"));
  await page.keyboard.press("Home");
  check("Home goes to the start", await until(page, () => window.trammel.world.frame.time === 0));
}

async function pickAndPush(page) {
  const at = await value(page, () => window.trammel.world.screenOf(1));
  await page.mouse.click(at[0], at[1]);
  check("a click picks the body", await until(page, () => window.trammel.world.selected === 1));
  const card = await page.textContent(".body-card");
  check("its name is text", card.includes("<img src=x onerror=window.hacked=1>"), card);
  check("no markup came of it", await value(page, () => window.hacked === undefined && document.querySelectorAll("#trammel img").length === 0));
  check("its state is shown", card.includes("position") && card.includes("velocity"));
  check("a picked body has another colour", count(await pixels(page), [240, 150, 40], 60) > 5);

  // at rest, nothing moves; pushed, it does
  const before = await value(page, () => window.trammel.world.poseOf(1).p);
  await page.keyboard.down("Control");
  await page.mouse.move(at[0], at[1]);
  await page.mouse.down();
  await page.mouse.move(at[0] + 120, at[1] - 40, { steps: 4 });
  const moved = await until(page, (p) => {
    const now = window.trammel.world.poseOf(1).p;
    return Math.hypot(now[0] - p[0], now[1] - p[1], now[2] - p[2]) > 0.1;
  }, before);
  check("a push moves it", moved);
  check("the push is drawn", await value(page, () => window.trammel.world.pushArrow.count === 1));
  await page.mouse.up();
  await page.keyboard.up("Control");
  check("the push ends", await value(page, () => window.trammel.world.pushArrow.count === 0));
  await value(page, () => window.trammel.source.send("pause"));
  await page.keyboard.press("Escape");
  check("Escape lets it go", await until(page, () => window.trammel.world.selected === -1));
}

async function switchMethods(page) {
  await until(page, () => !window.trammel.state.playing);
  await page.keyboard.press("End");
  await page.waitForTimeout(300);
  const time = await timeOf(page);
  await page.selectOption("#integrator", "bdf3");
  check("the integrator is switched", await until(page, () => window.trammel.state.integrator === "bdf3"));
  await page.fill("#step", "0.002");
  await page.locator("#step").blur();
  check("the step is switched", await until(page, () => window.trammel.state.step === 0.002));
  check("time goes on", Math.abs((await value(page, () => window.trammel.state.head)) - time) < 1e-9);
  await page.keyboard.press("ArrowRight");
  check("a step has the new length", await until(page, (t) => Math.abs(window.trammel.world.frame.time - t - 0.002) < 1e-9, time), `${time} ${await timeOf(page)}`);

  // every other formulation that this build knows, from the table that the tool prints
  const known = [...run("list").matchAll(/^ {2}(\w+)\n {2}[ *] /gm)].map((m) => m[1]);
  const offered = await value(page, () => window.trammel.model.pairs.map((p) => p.formulation));
  check("the page offers what the tool lists", known.length > 0 && known.every((k) => offered.includes(k)) && offered.length === known.length, `${known} ${offered}`);
  for (const name of known.filter((k) => k !== "quaternion")) {
    const now = await value(page, () => window.trammel.state.head);
    await page.selectOption("#formulation", name);
    const isTaken = await until(page, (n) => window.trammel.state.formulation === n || window.trammel.state.message !== "", name);
    const state = await value(page, () => window.trammel.state);
    check(`formulation ${name} is taken, or says why not`, isTaken && (state.formulation === name || state.message.length > 10), JSON.stringify(state));
    await page.keyboard.press("ArrowRight");
    await page.waitForTimeout(300);
    if (state.formulation === name) check(`${name} goes on in time`, await until(page, (t) => window.trammel.state.head > t, now));
  }
}

async function livePlots(page) {
  await value(page, () => window.trammel.plots.update());
  await page.waitForTimeout(600);
  const energy = await value(page, () => window.trammel.plots.panels[0].curves.values);
  const [, kinetic, potential, total] = energy;
  check("the energy is plotted", kinetic.length > 20);
  check("total is the sum", total.every((x, i) => Math.abs(x - kinetic[i] - potential[i]) < 1e-3 * (1 + Math.abs(x))));
  const titles = await page.locator(".curves h3").allTextContents();
  const gap = await page.textContent(".figure[data-title^='Largest gap'] output");
  check("the largest gap is a number with its unit", parseFloat(gap.replace(" ", "")) < 1e-9 && gap.endsWith("m or rad"), gap);
  check("all panels are there", ["Energy", "Joint coordinates", "Joint force"].every((t) => titles.some((x) => x.startsWith(t))), titles.join(", "));
}

async function slidersAndHelp(page) {
  await page.click("#play");
  await page.locator("[data-control='0']").fill("1");
  check("a slider drives its axis", await until(page, () => {
    const q = window.trammel.world.poseOf(0).q;
    return Math.abs(2 * Math.atan2(q[3], q[0]) - 1) < 0.05;
  }));
  await page.keyboard.press("?");
  check("help opens", await page.locator(".help").isVisible());
  await page.keyboard.press("Escape");
  check("and closes", !(await page.locator(".help").isVisible()));
  await page.selectOption("#ghost", "quaternion bdf1");
  const kept = await value(page, () => window.trammel.state.frames);
  check("a ghost appears", await until(page, () => window.trammel.world.frame.hasGhost && window.trammel.world.ghostParts.some((p) => p.mesh.visible)));
  check("and the history stays", kept > 1 && (await value(page, () => window.trammel.state.frames)) >= kept);
}

// A recording that is dropped onto the page is drawn over the picture, at the time that is shown.
async function dropRecording(page) {
  const drop = (name, text) => value(page, ([n, t]) => {
    const data = new DataTransfer();
    data.items.add(new File([t], n, { type: "text/csv" }));
    document.querySelector("#trammel").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, [name, text]);
  const state = (t, x) => `${t},${x},0,2,1,0,0,0`;
  await drop("other.csv", `t,arm.px,arm.py,arm.pz,arm.qw,arm.qx,arm.qy,arm.qz\n${state(0, 0.25)}\n${state(0.005, 0.75)}\n${state(9, 5)}\n9.1,1`);
  check("a dropped recording is drawn", await until(page, () => window.trammel.world.overlays.length === 1 && window.trammel.world.overlays[0].parts.some((p) => p.mesh.count > 0)));
  const seen = await value(page, () => {
    const { world } = window.trammel;
    return [0, 0.006, 20].map((t) => world.overlays[0].overlay.valuesAt(t)[0]);
  });
  check("at the time that is shown", seen.join() === "0.25,0.75,5", seen.join());
  await drop("notes.csv", "a,b\n1,2\n");
  check("what is no recording is refused with a sentence", (await page.textContent(".note")).includes("first column is not t"));
  await page.click(".overlays button");
  check("it can be removed", await value(page, () => window.trammel.world.overlays.length === 0));
}

// ---- the camera: what moves stays in the picture

// How far from the middle of the free picture the bodies are, in halves of the picture: 1 is its edge.
const farthest = (page) => value(page, () => {
  const { world, model, root } = window.trammel;
  const box = root.getBoundingClientRect();
  let most = 0;
  for (let b = 0; b < model.bodies.names.length; b++) {
    const [x, y] = world.screenOf(b);
    most = Math.max(most, Math.abs(x - box.left - box.width / 2) / (box.width / 2), Math.abs(y - box.top - box.height / 2) / (box.height / 2));
  }
  return most;
});

async function keepsInView(page) {
  check("what is thrown is in view at the start", (await farthest(page)) < 1);
  await page.click("#play");
  await until(page, () => window.trammel.world.frame.time > 1.2, null, 60000);
  await page.keyboard.press(" ");
  await page.waitForTimeout(1500);
  const far = await farthest(page);
  check("and a second later", far < 1, String(far));
  const middle = await value(page, () => window.trammel.world.rig.moving.middle.z);
  check("it did leave the place where it began", Math.abs(middle - (await value(page, () => window.trammel.world.box.getCenter(window.trammel.world.rig.moving.middle.clone()).z))) > 2, String(middle));
}

async function views(page) {
  const toward = () => value(page, () => window.trammel.world.rig.direction().toArray());
  const settle = async (test) => {
    for (let k = 0; k < 50; k++) {
      if (test(await toward())) return true;
      await page.waitForTimeout(60);
    }
    return false;
  };
  await page.click("#view-front");
  check("the front view looks along y", await settle((d) => d[1] < -0.999));
  await page.click("#view-side");
  check("the side view looks along x", await settle((d) => d[0] > 0.999));
  await page.click("#view-top");
  check("the top view looks down", await settle((d) => d[2] > 0.999));
  await page.click("#flat");
  await page.click("#view-front");
  await settle((d) => d[1] < -0.999);
  check("parallel view", await value(page, () => window.trammel.world.camera.isOrthographicCamera === true));
  const at = await value(page, () => window.trammel.world.screenOf(0));
  const hit = await value(page, ([x, y]) => window.trammel.world.pick(x, y)?.body, at);
  check("a click still finds what is seen", hit === 0, String(hit));
  await page.click("#flat");
  check("the axes turn with the view", (await page.locator(".triad text").count()) === 3);
}

async function treeAndJoints(page) {
  await page.keyboard.press("/");
  await page.keyboard.type("elbow");
  check("the search finds a joint", (await page.locator(".tree li").count()) === 1);
  await page.click(".tree [data-joint]");
  check("a joint is picked", await value(page, () => window.trammel.world.selectedJoint === 2));
  const card = await page.textContent(".body-card");
  check("its state is shown", ["rx", "rad/s", "force", "N m"].every((w) => card.includes(w)), card);
  await page.locator("#search").fill("");
  await page.locator("#search").blur();
  await page.keyboard.press("Escape");
  const at = await value(page, () => window.trammel.world.toScreen(window.trammel.world.jointPoint(1)));
  await page.mouse.click(at[0], at[1]);
  check("a joint is picked in the picture", await value(page, () => window.trammel.world.selectedJoint === 1), String(await value(page, () => window.trammel.world.selectedJoint)));
  await page.keyboard.press("l");
  check("the table has all joints", (await page.locator(".joints tbody tr").count()) === 6);
  // the rate in the card is that of the coordinate: over one step of 5 ms the difference agrees to its order
  const rate = await value(page, async () => {
    const t = window.trammel;
    const { jointRates } = t.rates;
    const first = t.layout.coordinates + t.model.joints.coordinateFirst[1];
    const before = [t.world.frame.time, t.world.frame.values[first]];
    const given = jointRates(t.world, t.model, t.layout, 1)[0];
    t.source.send("step 1");
    for (let k = 0; k < 100 && t.world.frame.time === before[0]; k++) await new Promise((r) => setTimeout(r, 30));
    const after = jointRates(t.world, t.model, t.layout, 1)[0];
    return [0.5 * (given + after), (t.world.frame.values[first] - before[1]) / (t.world.frame.time - before[0])];
  });
  check("rates are those of the coordinates", Math.abs(rate[0] - rate[1]) < 1e-3, rate.join(" "));
  await page.keyboard.press("l");
  const full = await pixels(page);
  await page.click(".tree [data-eye='1']");
  await page.click(".tree [data-eye='1']");
  check("a body is hidden", await value(page, () => window.trammel.world.looks[1] === 2));
  check("and is seen no more", difference(full, await pixels(page)) > 20);
  await page.click(".tree [data-eye='1']");
  await page.keyboard.press("n");
  check("names are shown", (await page.locator(".names span:not([hidden])").count()) >= 6);
  await page.keyboard.press("n");
}

async function arrowsAndKey(page) {
  await page.keyboard.press("a");
  await page.waitForTimeout(400);
  const words = await page.textContent(".key");
  check("the key names the largest force", /up to [\d.]+ N in \w+/.test(words), words);
  const found = await value(page, () => {
    const { world, hud } = window.trammel;
    const box = world.container.getBoundingClientRect();
    for (let y = box.top; y < box.bottom; y += 6) for (let x = box.left; x < box.right; x += 6) if (world.pickArrow(x, y)) return hud.wordsAt(x, y);
    return "";
  });
  check("an arrow says its size", /^\w+: [\d.]+ N$/.test(found), found);
  // one spike must not make all other arrows vanish
  const scale = await value(page, () => {
    const { world } = window.trammel;
    world.scales = {};
    world.scaleFor("force", 90);
    const before = world.scales.force.full;
    world.scaleFor("force", 1e6);
    return [before, world.scales.force.full, world.scales.force.cut];
  });
  check("a spike is cut", scale[0] === 100 && scale[1] === 100 && scale[2], JSON.stringify(scale));
  await page.keyboard.press("a");
}

async function looksAndFiles(page) {
  const light = await pixels(page);
  await page.keyboard.press("d");
  const dark = await pixels(page);
  const mean = (data) => data.reduce((sum, x, i) => sum + (i % 4 < 3 ? x : 0), 0) / (0.75 * data.length);
  check("dark is darker", mean(dark) < 0.6 * mean(light), `${mean(light)} ${mean(dark)}`);
  await page.keyboard.press("d");
  const [shot] = await Promise.all([page.waitForEvent("download"), page.click("#shot")]);
  check("a picture is saved", shot.suggestedFilename().endsWith(".png"));
  await page.click("#play");
  const drawn = await value(page, () => window.trammel.drawn);
  await page.click("#film");
  await page.waitForTimeout(1000);
  await until(page, (n) => window.trammel.drawn > n + 10, drawn);
  const [film] = await Promise.all([page.waitForEvent("download"), page.click("#film")]);
  check("a video is saved", film.suggestedFilename().endsWith(".webm"));
  check("and is not empty", await until(page, () => window.trammel.filmed > 5000), String(await value(page, () => window.trammel.filmed)));
  await page.keyboard.press(" ");
}

async function springsAndLimits(page) {
  const coils = () => value(page, () => window.trammel.world.links.coils.count);
  check("springs are coils", (await coils()) > 20, String(await coils()));
  await page.keyboard.press("s");
  check("and go on request", (await coils()) === 0);
}

// Frames a second while a hundred bodies move. The figure depends on the machine: it is printed, and what is
// checked is that the quality has stepped down where it was low.
async function frameRate(page) {
  await page.waitForTimeout(3000);
  const result = await value(page, async () => {
    const t = window.trammel;
    const [drawn, start] = [t.drawn, performance.now()];
    await new Promise((r) => setTimeout(r, 4000));
    return { fps: (1000 * (t.drawn - drawn)) / (performance.now() - start), level: t.world.quality.at, last: t.world.quality.levels.length - 1, bodies: t.model.bodies.names.length, isSoftware: t.world.quality.isSoftware };
  });
  console.log(`frames a second with ${result.bodies} bodies at 1280 x 800, ${result.isSoftware ? "without" : "with"} a graphics card: ${result.fps.toFixed(1)}, quality ${result.level} of ${result.last} steps down`);
  check("the quality steps down where frames are slow", result.fps > 20 || result.level > 2, JSON.stringify(result));
  await value(page, () => window.trammel.source.send("pause"));
  check("at rest it is drawn finely", await until(page, () => window.trammel.world.quality.isStill));
}

async function phone(page) {
  check("panels are folded on a phone", !(await page.locator(".left").isVisible()) && !(await page.locator(".plots").isVisible()));
  const wide = await value(page, () => document.documentElement.scrollWidth);
  check("nothing is wider than the screen", wide <= 390, String(wide));
  await page.click("#menu");
  check("the panel opens", await page.locator(".left").isVisible());
  await page.click("#charts");
  check("the plots open", await page.locator(".plots").isVisible() && !(await page.locator(".left").isVisible()));
  const bar = await page.locator(".bar").boundingBox();
  check("all buttons are on the screen", bar.x >= 0 && bar.x + bar.width <= 390);
}

async function contactArrows(page) {
  check("every contact has an arrow", await until(page, () => window.trammel.world.contactArrows.count === 144), String(await value(page, () => window.trammel.world.contactArrows.count)));
  check("every box stands on an area", await value(page, () => window.trammel.world.areas.count === 36), String(await value(page, () => window.trammel.world.areas.count)));
  const with_ = await pixels(page);
  await page.keyboard.press("k");
  const without = await pixels(page);
  check("arrows are seen", difference(with_, without) > 60);
  check("in their colour", count(with_, [235, 140, 60], 50) > count(without, [235, 140, 60], 50) + 10);
  await page.keyboard.press("k");
}

async function meshes(page) {
  check("one mesh for two rings", await value(page, () => window.trammel.source.meshes.length === 1 && window.trammel.world.parts[4].mesh.count === 2));
  check("all its triangles", await value(page, () => window.trammel.world.meshGeometries[0].attributes.position.count) === 3 * 2304);
  const drawn = await pixels(page);
  check("in the colours of both", count(drawn, [62, 124, 177], 60) > 40 && count(drawn, [200, 150, 62], 60) > 40);
  await value(page, () => (window.trammel.world.parts[4].mesh.visible = false, window.trammel.world.refresh()));
  check("rings are seen", difference(drawn, await pixels(page)) > 300);
  await value(page, () => (window.trammel.world.parts[4].mesh.visible = true, window.trammel.world.refresh()));
}

async function tooLarge(page) {
  const note = await page.textContent(".note");
  check("a mesh that is too large is named", note === "Too large to draw: the mesh of world (1,002,528 triangles)", note);
  check("the others are drawn", await value(page, () => window.trammel.world.parts[4].mesh.count === 2));
}

// The numbers of the skins, and where the tip of the bar is.
async function softThings(page, isLive) {
  const tip = () => value(page, () => {
    const { world } = window.trammel;
    return world.skins[0].position.array[3 * 27 + 2];
  });
  check("three skins", await value(page, () => window.trammel.world.skins.map((s) => s.numbers / 3).join()) === "28,268,3");
  check("the bar is drawn", count(await pixels(page), [200, 135, 90], 70) > 30);
  const before = await tip();
  check("it is straight", Math.abs(before - 0.2) < 1e-6, String(before));
  const first = await pixels(page);
  if (isLive) await page.click("#play");
  else await page.locator("#scrub").fill("0.3");
  await until(page, () => window.trammel.world.frame.time > 0.29);
  if (isLive) await page.keyboard.press(" ");
  const after = await tip();
  check("the bar bends", after < before - 0.02, `${before} ${after}`);
  check("and is seen to", difference(first, await pixels(page)) > 60);
}

async function manyBodies(page) {
  check("thirty thousand instances", await value(page, () => window.trammel.world.parts[0].mesh.count) === 29929);
  const first = await pixels(page);
  check("they fill the picture", difference(first, first.map(() => first[0])) > 1500);
  await page.locator("#scrub").fill("0.3");
  await until(page, () => window.trammel.world.frame.time > 0.29);
  check("and move", difference(first, await pixels(page)) > 200);
}

async function reportPage() {
  run("scene", "four-bar", "--out", "four.json");
  run("run", "four.json", "--duration", "1", "--out", "four.csv", "--record", "pose,velocity,joints,energy,gap");
  const said = run("report", "four.csv", "--title", "<b>four</b>");
  check("the report is written", said.startsWith("four.html"), said);
  const address = pathToFileURL(absolute(file("four.html"))).href;
  const page = await openPage(address);
  check("a report asks for nothing", page.outside.length === 0, page.outside.join(" "));
  check("its title is text", (await page.textContent("main > h1")) === "<b>four</b>");
  check("it has plots", (await page.locator(".plot svg").count()) >= 2);
  check("it has findings", (await page.textContent(".findings")).includes("redundant rows"));
  const before = await pixels(page);
  await page.click("#play");
  check("the replay plays", await until(page, () => window.trammel.world.frame.time > 0.3));
  check("and moves", difference(before, await pixels(page)) > 30);
  const first = () => page.textContent("table.sortable tbody tr:first-child td");
  const byName = await first();
  await page.click("table.sortable thead th:nth-child(3)");
  const forces = await page.$$eval("table.sortable tbody", (bodies) => [...bodies[0].rows].map((row) => +row.cells[2].dataset.v));
  check("the table sorts by peak force", forces.length === 4 && forces.every((x, i) => i === 0 || x <= forces[i - 1]), forces.join());
  await page.click("table.sortable thead th:nth-child(1)");
  check("and by name", (await first()) <= byName);
  const plot = await page.locator(".plot").first();
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  await page.mouse.move(box.x + 0.5 * box.width, box.y + 0.5 * box.height);
  const words = await page.textContent(".plot .read");
  check("a plot says its values", /s.*energy.total: [−\d]/.test(words), words);
  await page.mouse.click(box.x + 0.5 * box.width, box.y + 0.5 * box.height);
  check("and shows that time in the replay", await until(page, () => Math.abs(window.trammel.world.frame.time - 0.5) < 0.1));
  check("no errors in the report", page.problems.length === 0, page.problems.join("; "));
  if (pictures) {
    await page.setViewportSize({ width: 1100, height: 1500 });
    await page.waitForTimeout(2000);
    await page.screenshot({ path: join(pictures, "report.png") });
  }
  await page.close();
}

async function takePictures() {
  for (const [name, out, script] of [
    ["stewart-platform", "stewart.png", () => window.trammel.toggle("forces", true)],
    ["hoberman-sphere", "hoberman.png", () => {}],
    ["joint-zoo", "zoo.png", () => window.trammel.toggle("glyphs", true)],
  ]) {
    run("scene", name, "--out", `${name}.json`);
    await withScene([`${name}.json`], async (page) => {
      await until(page, () => window.trammel.world.frame.time > 1.5);
      await value(page, script);
      await picture(page, out);
    });
  }
}

writeScenes();
writeContacts();
writeMany();
writeMeshes();
writeSoft();
writeSlow();
await withScene(["hanging.json", "--paused"], async (page) => {
  await playAndScrub(page);
  await pickAndPush(page);
  await switchMethods(page);
  await livePlots(page);
});
await withScene(["motor.json", "--paused"], slidersAndHelp);
await withScene(["motor.json", "--paused"], dropRecording);
run("scene", "hoberman-sphere", "--out", "hoberman-sphere.json");
await withScene(["hoberman-sphere.json", "--paused"], keepsInView);
await withScene(["scene:robot-arm", "--paused"], async (page) => {
  await views(page);
  await page.click("#fit");
  await treeAndJoints(page);
  await arrowsAndKey(page);
  await looksAndFiles(page);
}, { width: 1280, height: 800 });
await withScene(["scene:spring-net", "--paused"], springsAndLimits);
await withScene(["scene:robot-arm", "--paused"], phone, { width: 390, height: 780 });
writeHundred();
await withScene(["hundred.json"], frameRate, { width: 1280, height: 800 });
await withScene(["slow.json"], async (page) => {
  check("frames of slow steps are shown", await until(page, () => window.trammel.frames > 2 && window.trammel.world.frame.time > 0));
});
await withScene(["rings.json", "--paused"], async (page) => {
  await meshes(page);
  await picture(page, "rings.png");
});
await withScene(["moor.json", "--paused"], tooLarge);
await withScene(["boxes.csv", "--paused"], async (page) => {
  await contactArrows(page);
  await picture(page, "contacts.png");
});
await withScene(["soft.json", "--paused"], (page) => softThings(page, true));
run("run", "soft.json", "--duration", "0.4", "--out", "soft.csv");
await withScene(["soft.csv", "--paused"], async (page) => {
  await softThings(page, false);
  await picture(page, "soft.png");
});
await withScene(["many.csv", "--paused"], async (page) => {
  await manyBodies(page);
  await picture(page, "many.png");
}, { width: 800, height: 520 });
await reportPage();
if (pictures) await takePictures();
await browser.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
