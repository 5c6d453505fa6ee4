// browser.mjs - in a real browser: the playground, opened from disk (scenes, robots, errors in place, links), and the
// npm package, from a server (bits).
//   node browser.mjs PLAYGROUND PACKAGE TRAMMEL FOLDER [PICTURES]
//
// Leaves with 77 where Chromium is missing. CHROMIUM in the environment names another binary.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { SCENES } from "./record.mjs";

const [playground, folderOfPackage, tool, folder, pictures] = process.argv.slice(2);
const binary = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((p) => p && existsSync(p));
if (!binary) {
  console.log("Chromium is not installed ('apt-get install chromium')");
  process.exit(77);
}
const { chromium } = createRequire(new URL("../../viewer/page/package.json", import.meta.url))("playwright-core");
for (const name of [folder, pictures]) if (name) mkdirSync(name, { recursive: true });

let passed = 0;
let failed = 0;
function check(what, isGood, seen = "") {
  if (isGood) passed++;
  else {
    failed++;
    console.log(`FAILED ${what} ${seen}`);
  }
}

const browser = await chromium.launch({ executablePath: binary, args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
const context = await browser.newContext({ viewport: { width: 1500, height: 860 } });
const page = await context.newPage();
const problems = [];
page.on("pageerror", (error) => problems.push(error.message));
page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
const address = pathToFileURL(resolve(playground, "index.html")).href;

// The page's own state, and that of the viewer inside.
const viewer = () => page.frames().find((f) => f !== page.mainFrame());
const isRunning = (name) =>
  page.waitForFunction(
    (wanted) => {
      const app = document.querySelector("iframe")?.contentWindow?.trammel;
      return app?.model?.name === wanted && app.state.time > 0.2;
    },
    name,
    { timeout: 60000 },
  );
const picture = async (name) => pictures && page.screenshot({ path: join(pictures, `${name}.png`) });
const write = (text) =>
  page.evaluate((words) => {
    const area = document.querySelector("textarea");
    area.value = words;
    area.dispatchEvent(new Event("input"));
  }, text);
const mark = () => page.evaluate(() => ({ text: document.querySelector(".mark").textContent, isHidden: document.querySelector(".mark").hidden, line: window.playground.editor.line }));

async function opensFromDisk() {
  await page.goto(address);
  await isRunning("stewart-platform");
  await viewer().waitForFunction(() => window.trammel.drawn > 3);
  await picture("playground");
}

async function scenesRun() {
  for (const name of ["pendulum", "box-stack", "flyball-governor"]) {
    await page.selectOption("#pick", `scene:${name}`);
    await isRunning(name);
  }
  check("contacts are shown", await page.evaluate(async () => {
    document.querySelector("#pick").value = "scene:box-stack";
    document.querySelector("#pick").dispatchEvent(new Event("change"));
    for (let i = 0; i < 100; i++) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      const app = document.querySelector("iframe")?.contentWindow?.trammel;
      if (app?.model?.name === "box-stack" && app.world.frame?.contacts.length > 0) return true;
    }
    return false;
  }));
}

async function robotsRun() {
  for (const [file, name] of [["quadruped.xml", "quadruped"], ["arm.urdf", "arm"], ["four-bar.xml", "four-bar"]]) {
    await page.selectOption("#pick", `robot:${file}`);
    await isRunning(name);
  }
  await page.selectOption("#pick", "robot:quadruped.xml");
  await isRunning("quadruped");
  await picture("playground-robot");
  check("servos have sliders", (await viewer().locator(".controls input[type=range]").count()) === 8);
  check("what is not simulated is listed", (await viewer().locator(".notes li").count()) > 0);
}

const pendulum = (change) => {
  const scene = {
    trammel: 1,
    name: "mine",
    bodies: [{ name: "rod", mass: 1, inertia: [0.01, 0.083, 0.083], position: [0.5, 0, 0], shapes: [{ type: "box", size: [1, 0.1, 0.1] }] }],
    joints: [{ name: "pin", type: "revolute", base: "world", follower: "rod", axis: [0, 1, 0] }],
  };
  return change(JSON.stringify(scene, null, 2));
};

async function errorsAreInPlace() {
  await write(pendulum((text) => text));
  await isRunning("mine");
  const time = () => viewer().evaluate(() => window.trammel.state.head);
  const wrong = pendulum((text) => text.replace('"mass"', '"mas"'));
  const line = wrong.split("\n").findIndex((words) => words.includes('"mas"')) + 1;
  await write(wrong);
  await page.waitForFunction(() => !document.querySelector(".mark").hidden);
  const said = await mark();
  check("an unknown key is named at its line", said.text.includes("mas") && said.line === line, JSON.stringify(said));
  await picture("playground-error");
  const before = await time();
  await page.waitForTimeout(500);
  check("what ran before goes on", (await time()) > before);
  await write(pendulum((text) => text.replace('"trammel": 1,', '"trammel": 1')));
  await page.waitForFunction(() => window.playground.editor.line === 3);
  await write(pendulum((text) => text.replace('"rod"', '"<b>rod</b>"').replace('"follower": "rod"', '"follower": "<b>rod</b>"')));
  await page.waitForFunction(() => document.querySelector(".mark").hidden);
  await write("<robot name='x'><link name='a'/><joint name='j' type='odd'/></robot>");
  await page.waitForFunction(() => !document.querySelector(".mark").hidden);
  check("robots are refused with a sentence", (await mark()).text.length > 10, (await mark()).text);
}

async function linksCarryScenes() {
  const text = pendulum((words) => words.replace("mine", "carried"));
  await write(text);
  await isRunning("carried");
  await page.click("#share");
  await page.waitForFunction(() => location.hash.startsWith("#text="));
  const link = await page.evaluate(() => location.href);
  const other = await context.newPage();
  await other.goto(link);
  await other.waitForFunction(() => document.querySelector("iframe")?.contentWindow?.trammel?.model?.name === "carried", null, { timeout: 60000 });
  check("a link carries the text", (await other.evaluate(() => document.querySelector("textarea").value)) === text);
  await other.goto("about:blank");
  await other.goto(`${address}#scene=pendulum`);
  await other.waitForFunction(() => document.querySelector("iframe")?.contentWindow?.trammel?.model?.name === "pendulum", null, { timeout: 60000 });
  await other.goto("about:blank");
  await other.goto(`${address}#text=AAAA`);
  await other.waitForFunction(() => document.querySelector("iframe")?.contentWindow?.trammel?.model, null, { timeout: 60000 });
  check("a broken link still opens the page", await other.evaluate(() => document.querySelector("#pick").value === "scene:stewart-platform"));
  await other.close();
}

// The recordings of test/wasm/node.mjs, which lie in the folder, made again in the browser.
async function bitsAreNative() {
  const files = { "/record.mjs": fileURLToPath(new URL("./record.mjs", import.meta.url)) };
  for (const name of ["trammel.mjs", "trammel-core.mjs", "trammel-core.wasm", "declarations.mjs"]) files[`/${name}`] = resolve(folderOfPackage, name);
  const server = createServer((request, answer) => {
    const file = files[request.url];
    const type = !file ? "text/html" : file.endsWith(".wasm") ? "application/wasm" : "text/javascript";
    answer.writeHead(200, { "content-type": type }).end(file ? readFileSync(file) : "<!doctype html><link rel=icon href=data:,>");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const other = await context.newPage();
  await other.goto(`http://127.0.0.1:${server.address().port}/`);
  for (const [name, steps] of SCENES) {
    const text = execFileSync(tool, ["scene", name], { encoding: "utf8" });
    const ours = await other.evaluate(async (given) => {
      const { load } = await import("/trammel.mjs");
      const { record } = await import("/record.mjs");
      window.started ??= await load();
      return record(window.started, ...given);
    }, [text, name, steps]);
    check(`${name}: byte for byte in the browser`, ours === readFileSync(join(folder, `${name}.csv`), "utf8"));
  }
  await other.close();
  server.close();
}

for (const part of [opensFromDisk, scenesRun, robotsRun, errorsAreInPlace, linksCarryScenes, bitsAreNative]) {
  try {
    await part();
  } catch (error) {
    check(part.name, false, error.message.split("\n")[0]);
  }
}
check("no script failed", problems.length === 0, problems.join("; ").slice(0, 400));
await browser.close();
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed > 0 ? 1 : 0);
