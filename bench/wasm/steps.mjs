// steps.mjs - how long a step takes in WebAssembly beside the native tool, and what the files weigh.
//   node bench/wasm/steps.mjs [PACKAGE [TRAMMEL]]      after `make` and `make wasm`
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const [folder = "out/npm/trammel", tool = "build/trammel"] = process.argv.slice(2);
const SCENES = [["pendulum", 4000], ["stewart-platform", 1000], ["bricard", 1000], ["robot-arm", 1000], ["half-cheetah", 2000], ["atlas", 300], ["box-stack", 500], ["scissor-lift", 200], ["spherical-chain", 30]];
const ROUNDS = 5;

const { load } = await import(pathToFileURL(resolve(folder, "trammel.mjs")));
const trammel = await load();
const room = mkdtempSync(join(tmpdir(), "trammel-"));
const least = (measure) => Math.min(...Array.from({ length: ROUNDS }, measure));

for (const name of ["trammel-core.wasm", "trammel-core.mjs"]) {
  const bytes = readFileSync(join(folder, name));
  console.log(`${name}: ${(bytes.length / 1e6).toFixed(2)} MB, ${(gzipSync(bytes, { level: 9 }).length / 1e6).toFixed(2)} MB gzipped`);
}
console.log("us a step, least of five runs:  native  wasm  ratio");
for (const [name, steps] of SCENES) {
  const text = execFileSync(tool, ["scene", name], { encoding: "utf8", maxBuffer: 1 << 28 });
  const file = join(room, `${name}.json`);
  writeFileSync(file, text);
  const model = trammel.Model.fromText(text, name);
  const sim = model.sim();
  const native = least(() => JSON.parse(execFileSync(tool, ["run", file, "--json", "--duration", String(steps * model.settings.step)], { encoding: "utf8" })).wall_seconds);
  const wasm = least(() => {
    sim.reset();
    const begin = performance.now();
    sim.step(null, steps);
    return (performance.now() - begin) / 1000;
  });
  const shown = [native, wasm].map((s) => ((1e6 * s) / steps).toFixed(1).padStart(8));
  console.log(`${name.padEnd(24)} ${shown.join(" ")} ${(wasm / native).toFixed(2).padStart(6)}`);
  sim.free();
  model.free();
}
rmSync(room, { recursive: true });
