// build.mjs - bundles the page into ../bundle, which is committed: users need no Node.
//   node build.mjs            write the bundle
//   node build.mjs --check    say whether the committed bundle is what the sources give
import { build } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "..", "bundle");

const result = await build({
  absWorkingDir: here,
  entryPoints: { view: "src/view.js", style: "src/style.css" },
  bundle: true,
  minify: true,
  write: false,
  outdir: "bundle",
  format: "iife",
  target: "es2020",
  charset: "ascii",
  legalComments: "none",
});

const licences = ["three", "uplot"]
  .map((name) => {
    const folder = join(here, "node_modules", name);
    const version = JSON.parse(readFileSync(join(folder, "package.json"))).version;
    return `${name} ${version}\n\n${readFileSync(join(folder, "LICENSE"), "utf8").trim()}\n`;
  })
  .join("\n----\n\n");

const files = new Map();
for (const file of result.outputFiles) {
  const name = file.path.split("/").pop();
  // a report holds the script inside its page
  files.set(name === "style.css" ? "view.css" : name, file.text.replaceAll("</script", "<\\/script"));
}
files.set("index.html", readFileSync(join(here, "index.html"), "utf8"));
files.set("LICENSES.txt", `The bundle contains these libraries.\n\n${licences}`);

let differ = 0;
mkdirSync(out, { recursive: true });
for (const [name, text] of files) {
  const path = join(out, name);
  if (process.argv.includes("--check")) {
    const stored = existsSync(path) ? readFileSync(path, "utf8") : "";
    if (stored === text) continue;
    console.log(`viewer/bundle/${name} is not what the sources give; run 'make page'`);
    differ++;
  } else {
    writeFileSync(path, text);
    console.log(`viewer/bundle/${name} ${text.length} bytes`);
  }
}
process.exit(differ > 0 ? 1 : 0);
