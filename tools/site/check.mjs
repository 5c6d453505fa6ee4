// check.mjs - links of the built site, and the blocks of its sources: node check.mjs SITE BUILD ROOM
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const [site, build, room] = process.argv.slice(2);
let failed = 0;
let links = 0;
let blocks = 0;
const fail = (words) => {
  failed++;
  console.log(words);
};

// ---- links

const pages = new Map(readdirSync(site).filter((f) => f.endsWith(".html")).map((f) => [f, readFileSync(join(site, f), "utf8")]));
const anchors = new Map([...pages].map(([f, html]) => [f, new Set([...html.matchAll(/ (?:id|name)="([^"]+)"/g)].map((m) => m[1]))]));
for (const [file, html] of pages) {
  for (const [, kind, link] of html.matchAll(/ (href|src)="([^"]*)"/g)) {
    if (/^(https?:|mailto:|data:)/.test(link) || link === "#") continue;
    links++;
    const [path, anchor] = link.split("#");
    const to = path || file;
    if (!existsSync(join(site, to))) fail(`${file}: ${kind} ${link}: there is no ${to}`);
    else if (anchor && !(anchors.get(to) || new Set()).has(anchor)) fail(`${file}: ${link}: ${to} has no such anchor`);
  }
  // a link to a file of the project, which the page only names
  for (const [, name] of html.matchAll(/ title="([^"]+) in the project"/g)) {
    links++;
    if (!existsSync(join(root, name.split("#")[0]))) fail(`${file}: ${name} is not in the project`);
  }
}

// ---- blocks of docs/site: what they tell to type

function runBlock(page, folder, text) {
  const lines = text.split("\n");
  for (let i = 0; i < lines.length; i++) {
    if (!lines[i].startsWith("$ ")) continue;
    let command = lines[i].slice(2);
    // a command whose quotation marks are open goes on in the next line
    while ((command.split('"').length - 1) % 2 === 1 && i + 1 < lines.length) command += `\n${lines[++i]}`;
    const r = spawnSync("bash", ["-c", command], { cwd: folder, encoding: "utf8", timeout: 120000, env: { ...process.env, PATH: `${build}:${process.env.PATH}` } });
    blocks++;
    if (r.status !== 0) fail(`${page}: "${command}" left with ${r.status}: ${r.stderr}${r.error ?? ""}`);
    for (; i + 1 < lines.length && !lines[i + 1].startsWith("$ "); i++) {
      const wanted = lines[i + 1].trim().replace(/ +/g, " ");
      const said = r.stdout.replace(/ +/g, " ");
      if (wanted && !said.includes(wanted)) fail(`${page}: "${command}" does not print "${wanted}"`);
    }
  }
}

// The Python package with its declarations made, where NumPy and cffi are; null elsewhere.
function python() {
  const found = ["python3", "/usr/bin/python3"].find((p) => spawnSync(p, ["-c", "import numpy, cffi"]).status === 0);
  if (!found) return null;
  const path = join(room, "python");
  cpSync(join(root, "python/trammel"), join(path, "trammel"), { recursive: true });
  execFileSync(found, [join(root, "tools/python_declarations"), join(path, "trammel/_declarations.py")]);
  return { found, env: { ...process.env, PYTHONPATH: path, TRAMMEL_LIBRARY: join(build, "libtrammel.so") } };
}
const snake = python();
if (!snake) console.log("Python blocks are not run: NumPy or cffi is missing");

for (const name of readdirSync(join(root, "docs/site")).filter((f) => f.endsWith(".md"))) {
  const folder = join(room, name.replace(".md", ""));
  mkdirSync(folder, { recursive: true });
  const text = readFileSync(join(root, "docs/site", name), "utf8");
  for (const [, info, body] of text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)) {
    const [language, file] = info.split(" ");
    if (file) writeFileSync(join(folder, file), body);
    if (language === "console") runBlock(name, folder, body);
    if (language === "json" && !file) JSON.parse(body);
    if (language === "python" && file && snake) {
      blocks++;
      const r = spawnSync(snake.found, [file], { cwd: folder, encoding: "utf8", timeout: 120000, env: snake.env });
      if (r.status !== 0) fail(`${name}: ${file} left with ${r.status}: ${r.stderr}`);
    }
    if (language === "c" && body.includes("int main")) {
      blocks++;
      const source = join(folder, file || "program.c");
      writeFileSync(source, body);
      const program = source.replace(/\.c$/, "");
      try {
        execFileSync(process.env.CC || "cc", ["-std=c17", "-Wall", "-Wextra", "-Werror", `-I${join(root, "include")}`, source, "-o", program, `-L${build}`, "-ltrammel", "-lm", `-Wl,-rpath,${build}`], { stdio: "pipe" });
        execFileSync(program, { cwd: folder, stdio: "pipe" });
      } catch (error) {
        fail(`${name}: ${file}: ${error.message} ${error.stderr ?? ""}`);
      }
    }
  }
}
console.log(`${pages.size} pages, ${links} links, ${blocks} commands and programs, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
