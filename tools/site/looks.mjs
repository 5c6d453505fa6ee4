// looks.mjs - the pictures of docs/first-look.md: the viewer and a report as three users see them.
//   node tools/site/looks.mjs TRAMMEL FOLDER ROBOT.xml      needs Chromium and the page's Node packages
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const [program, folder, robot] = process.argv.slice(2);
const tool = resolve(program);
const root = new URL("../../", import.meta.url);
const { chromium } = createRequire(new URL("viewer/page/package.json", root))("playwright-core");
const binary = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((p) => p && existsSync(p));
const browser = await chromium.launch({ executablePath: binary, args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
const room = mkdtempSync(join(tmpdir(), "looks"));

// the first JSON block of the tutorial is its four-bar
const fourBar = /```json[^\n]*\n([\s\S]*?)```/.exec(readFileSync(new URL("docs/site/tutorial-linkage.md", root), "utf8"))[1];
writeFileSync(join(room, "fourbar.json"), fourBar);

async function take(name, size, address, act, hasTouch = false) {
  const page = await browser.newPage({ viewport: size, hasTouch });
  await page.goto(address);
  await act(page);
  await page.waitForTimeout(2500); // it draws finely at rest
  await page.screenshot({ path: join(folder, `look-${name}.jpg`), type: "jpeg", quality: 84 });
  await page.close();
  console.log(name);
}

async function live(name, size, file, act, hasTouch) {
  const child = spawn(tool, ["view", file, "--no-browser"], { cwd: room });
  const address = await new Promise((found) => {
    let said = "";
    child.stdout.on("data", (d) => {
      said += d;
      const match = said.match(/http:\/\/\S+/);
      if (match) found(match[0]);
    });
  });
  await take(name, size, address, act, hasTouch);
  child.kill("SIGINT");
}

async function until(page, time) {
  while (!(await page.evaluate(() => window.trammel?.state?.head ?? 0) >= time)) await page.waitForTimeout(50);
}
const pause = (page) => page.evaluate(() => window.trammel.source.send("pause"));

await live("linkage", { width: 1280, height: 800 }, "fourbar.json", async (page) => {
  await until(page, 1.5);
  await pause(page);
  for (const key of ["a", "l"]) await page.keyboard.press(key);
  await page.evaluate(() => window.trammel.selectJoint(0));
});
if (robot) {
  await live("robot", { width: 1280, height: 800 }, resolve(robot), async (page) => {
    await until(page, 1);
    await pause(page);
    await page.evaluate(() => window.trammel.source.send("seek 0.2"));
  });
}
await live("phone", { width: 390, height: 780 }, "scene:ragdoll", async (page) => {
  await until(page, 0.6);
  await pause(page);
  await page.click("#charts");
}, true);
execFileSync(tool, ["run", "fourbar.json", "--out", "fourbar.csv", "--record", "pose,velocity,joints,energy,gap"], { cwd: room });
execFileSync(tool, ["report", "fourbar.csv"], { cwd: room });
await take("report", { width: 1000, height: 1500 }, `file://${join(room, "fourbar.html")}`, async () => {});
await browser.close();
rmSync(room, { recursive: true });
