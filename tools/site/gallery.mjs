// gallery.mjs - a picture of every built-in scene, drawn by the viewer's own page.
//   node tools/site/gallery.mjs TRAMMEL FOLDER [NAME...]     needs Chromium and the page's Node packages
//
// Scenes whose picture is there are left alone. A scene is played to a moment that shows what it is about;
// one that takes more than a minute to get there is shown as far as it came.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [tool, folder, ...only] = process.argv.slice(2);
const require = createRequire(new URL("../../viewer/page/package.json", import.meta.url));
const { chromium } = require("playwright-core");
mkdirSync(folder, { recursive: true });

// Where 0.7 s says little.
const MOMENTS = {
  "free-pendulum": 0.3, "t-handle": 0.5, "heavy-top": 1.2, "flyball-governor": 2, "gears": 1, "rolling-disc": 1.5,
  "chaplygin-sleigh": 1.5, "dominoes": 0.9, "newtons-cradle": 0.35, "gripper": 1.5, "panda-stack": 4, "ragdoll": 0.9,
  "jointed-pairs": 0.8, "pair-pile": 0.8, "spherical-chain": 0.6, "revolute-chain": 0.6, "net-on-cylinder": 0.8,
  "bouncing-balls": 1.1, "box-stack": 0.2, "catapult": 0.5, "spring-net": 0.8, "half-cheetah": 0.4, "atlas": 0.3,
  "pulley": 0.05, "pulley-million": 0, "backbone": 0, "cloak": 0.03, "net-catch": 0.1, "ragdolls": 0.3, "falling-joints": 0.3,
  "hoberman-sphere": 0.45, "hoberman-ring": 0.6, "four-legged-table": 0.1, "two-hinge-door": 0.5,
};
const HUGE = ["pulley-million"]; // half a minute before the first picture, and 33 MB a frame: not in a gallery
// what is shown beside the bodies
const EXTRA = { "two-hinge-door": "forces", "four-legged-table": "forces", "joint-zoo": "joints", "stewart-platform": "forces", "flap": "limits" };

const names = execFileSync(tool, ["scene", "--list"], { encoding: "utf8" }).split("\n").map((l) => l.split(" ")[0]).filter(Boolean);
const binary = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((p) => p && existsSync(p));
const launch = () => chromium.launch({ executablePath: binary, args: ["--headless", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
let browser = await launch();

function serve(name) {
  return new Promise((resolve, reject) => {
    const child = spawn(tool, ["view", `scene:${name}`, "--no-browser", "--paused", "--port", "0"]);
    let out = "";
    child.stdout.on("data", (d) => {
      out += d;
      const found = out.match(/http:\/\/\S+/);
      if (found) resolve({ child, address: found[0] });
    });
    child.stderr.pipe(process.stderr);
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`${name}: the server left with ${code}`)));
  });
}

async function take(name) {
  if (!browser.isConnected()) browser = await launch();
  const server = await serve(name);
  server.child.removeAllListeners("exit");
  const page = await browser.newPage({ viewport: { width: 480, height: 320 }, deviceScaleFactor: 1 });
  try {
    await page.goto(server.address);
    const wait = async (f, ms) => {
      for (const end = Date.now() + ms; Date.now() < end; await page.waitForTimeout(80)) if (await page.evaluate(f)) return true;
      return false;
    };
    await wait(() => Boolean(window.trammel && window.trammel.frames > 0), 60000);
    const moment = MOMENTS[name] ?? 0.7;
    const reached = moment === 0 || (await page.evaluate((t) => {
      window.moment = t;
      window.trammel.source.send("play");
    }, moment), await wait(() => window.trammel.state.head >= window.moment || window.trammel.state.failed, 60000));
    if (!reached) console.log(`${name}: shown before ${moment} s`);
    await page.evaluate(([t, extra]) => {
      const { source, world, root } = window.trammel;
      source.send("pause");
      source.send(`seek ${t}`);
      for (const e of root.querySelectorAll(".card, .hud, .note, .names")) e.style.display = "none";
      for (const key of ["joints", "contacts"]) window.trammel.toggle(key, key === extra);
      if (extra) window.trammel.toggle(extra, true);
      world.setCovered(0, 0);
      setTimeout(() => {
        world.fit(); // at once, wherever the camera was on its way to
        window.settled = window.trammel.drawn;
      }, 400);
    }, [moment, EXTRA[name] ?? null]);
    await wait(() => window.trammel.drawn > window.settled + 1 && window.trammel.world.quality.isStill, 20000); // it draws finely at rest
    await page.waitForTimeout(400);
    await page.screenshot({ path: join(folder, `${name}.jpg`), type: "jpeg", quality: 78 });
    console.log(name);
  } finally {
    server.child.kill("SIGINT");
    await page.close().catch(() => {});
  }
}

for (const name of names) {
  if (HUGE.includes(name) || (only.length > 0 && !only.includes(name))) continue;
  if (only.length === 0 && existsSync(join(folder, `${name}.jpg`))) continue;
  try {
    await take(name);
  } catch (error) {
    console.log(`${name}: ${error.message}`);
  }
}
await browser.close();
