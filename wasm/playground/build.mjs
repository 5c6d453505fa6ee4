// build.mjs - the playground as static files that also open from disk, into OUT.
//   node wasm/playground/build.mjs BUILD OUT      BUILD: where player.mjs and player.wasm are
//
// Pages on disk may fetch nothing, so the module, the Worker's code and the examples are in a script, packed.
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const [build, out] = process.argv.slice(2).map((path) => resolve(path));
const page = join(here, "..", "..", "viewer", "page");
const esbuild = createRequire(join(page, "package.json"))("esbuild");
const glue = join(build, "player.mjs");

const bundle = (entries, more = {}) =>
  esbuild.buildSync({
    absWorkingDir: here,
    entryPoints: entries,
    bundle: true,
    minify: true,
    write: false,
    outdir: out,
    format: "iife",
    target: "es2021",
    charset: "ascii",
    legalComments: "none",
    nodePaths: [join(page, "node_modules")],
    logOverride: { "empty-import-meta": "silent" },
    ...more,
  }).outputFiles;

const pack = (bytes) => gzipSync(bytes, { level: 9 }).toString("base64");

async function examples() {
  const wasmBinary = readFileSync(join(build, "player.wasm"));
  const player = await (await import(pathToFileURL(glue))).default({ wasmBinary });
  const scenes = JSON.parse(player.UTF8ToString(player._player_scenes())).map(([name]) => {
    const at = player._malloc(name.length + 1);
    player.stringToUTF8(name, at, name.length + 1);
    return [name, player.UTF8ToString(player._player_scene(at))];
  });
  const robots = readdirSync(join(here, "robots")).map((name) => [name, readFileSync(join(here, "robots", name), "utf8")]);
  return { scenes, robots };
}

mkdirSync(out, { recursive: true });
const [worker] = bundle({ worker: "worker.js" }, { alias: { "player-module": glue } });
writeFileSync(
  join(out, "player.js"),
  `window.trammelPlayer=${JSON.stringify({
    worker: worker.text,
    wasm: pack(readFileSync(join(build, "player.wasm"))),
    examples: pack(JSON.stringify(await examples())),
  })}`,
);
for (const file of bundle({ playground: "main.js", frame: "frame.js", view: join(page, "src", "style.css") })) writeFileSync(file.path, file.text);
for (const name of ["index.html", "playground.css"]) cpSync(join(here, name), join(out, name));
for (const name of readdirSync(out)) console.log(`${name} ${readFileSync(join(out, name)).length} bytes`);
