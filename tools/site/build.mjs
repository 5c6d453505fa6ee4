// build.mjs - the site: pages of docs/ and docs/site/ as HTML that opens from disk, with a search, the
// command line as --help prints it, the headers, and a gallery of the built-in scenes.
//   node tools/site/build.mjs TRAMMEL OUT
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { apiPage } from "./api.mjs";
import { keysPage } from "./keys.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const [tool, out] = process.argv.slice(2);
const require = createRequire(join(root, "viewer/page/package.json"));
const MarkdownIt = require("markdown-it");
const ask = (...words) => execFileSync(tool, words, { encoding: "utf8" });
const read = (path) => readFileSync(join(root, path), "utf8");

const NAV = [
  ["", [["index", "Trammel", "docs/site/index.md"], ["install", "Install", "docs/site/install.md"]]],
  ["Tutorials", [
    ["tutorial-linkage", "A linkage and its joint forces", "docs/site/tutorial-linkage.md"],
    ["tutorial-robot", "A robot from a file", "docs/site/tutorial-robot.md"],
    ["tutorial-gradients", "Gradients and optimisation", "docs/site/tutorial-gradients.md"],
  ]],
  ["How to", [["howto", "Twenty short answers", "docs/site/howto.md"], ["view", "View, plot, report", "docs/view.md"], ["python", "Python", "docs/python.md"], ["wasm", "In the browser", "docs/wasm.md"]]],
  ["Concepts", [
    ["choosing", "Which method when", "docs/site/choosing.md"],
    ["support", "What goes with what", "docs/support.md"],
    ["flow", "How a step works", "docs/flow.md"],
    ["solver", "Loops and redundant rows", "docs/solver.md"],
    ["variational", "Variational", "docs/variational.md"],
    ["affine", "Affine, chains and trees", "docs/affine.md"],
    ["generalized", "Joint coordinates", "docs/generalized.md"],
    ["contact", "Contact", "docs/contact.md"],
    ["deformables", "Deformables", "docs/deformables.md"],
    ["statics", "Statics", "docs/statics.md"],
    ["assemble", "Assembly and inverse kinematics", "docs/assemble.md"],
    ["derivatives", "Derivatives", "docs/derivatives.md"],
    ["python", "Python", "docs/python.md"],
    ["scale", "Many runs, other tools", "docs/scale.md"],
    ["robustness", "What a step promises", "docs/robustness.md"],
    ["reliability", "What is kept when", "docs/reliability.md"],
    ["problem", "Optimisation problems", "docs/problem.md"],
  ]],
  ["Reference", [
    ["scene", "Scene format", "docs/scene.md"],
    ["models", "Robot models", "docs/models.md"],
    ["conventions", "Conventions", "docs/conventions.md"],
    ["notation", "Words", "docs/notation.md"],
    ["keys", "Every key of a scene", null],
    ["cli", "Command line", null],
    ["api", "C interface", null],
    ["python-api", "Python interface", null],
    ["equations", "Equations", "docs/equations.md"],
    ["references", "Papers", "docs/references.md"],
  ]],
  ["More", [
    ["first-look", "Three users, a first look", "docs/first-look.md"],
    ["gallery", "Gallery", null],
    ["platforms", "Platforms", "docs/platforms.md"],
    ["checklist", "Beside other viewers", "docs/checklist.md"],
    ["changelog", "What changed", "CHANGELOG.md"],
  ]],
];

const pages = NAV.flatMap(([group, list]) => list.map(([id, title, file]) => ({ id, title, file, group })));
// a page of docs/ that nobody put into the list still gets built
for (const name of readdirSync(join(root, "docs")).filter((f) => f.endsWith(".md"))) {
  const file = `docs/${name}`;
  if (pages.some((p) => p.file === file)) continue;
  const title = (read(file).match(/^# (.*)/m) || [, basename(name, ".md")])[1];
  const page = { id: basename(name, ".md"), title, file, group: "More" };
  pages.push(page);
  NAV.at(-1)[1].push([page.id, page.title, page.file]);
}

const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
const slug = (text) => text.toLowerCase().replace(/[`*_]/g, "").replace(/[^\w\- ]+/g, "").trim().replace(/ +/g, "-");

// Colours for the three languages that the pages have: strings, comments, words that mean something.
function colour(code, language) {
  let text = escape(code);
  const words = { c: /\b(int|double|const|static|return|if|for|while|enum|struct|typedef|void|char|NULL|include)\b/g, python: /\b(import|from|def|return|for|in|if|as|with|print|None|True|False)\b/g }[language];
  const parts = [];
  const keep = (html) => `\u0001${parts.push(html) - 1}\u0002`;
  if (language === "c" || language === "json" || language === "python") text = text.replace(/&quot;(?:[^\n]*?)&quot;/g, (s) => keep(`<i class="s">${s}</i>`));
  if (language === "c") text = text.replace(/\/\/[^\n]*/g, (s) => keep(`<i class="n">${s}</i>`));
  if (language === "python" || language === "bash" || language === "console") text = text.replace(/(^|\s)#[^\n]*/g, (s) => keep(`<i class="n">${s}</i>`));
  if (words) text = text.replace(words, '<i class="k">$1</i>');
  if (language === "console") text = text.replace(/^\$ (.*)$/gm, '<b>$ $1</b>');
  while (/\u0001\d+\u0002/.test(text)) text = text.replace(/\u0001(\d+)\u0002/g, (_, i) => parts[+i]);
  return text;
}

const md = new MarkdownIt({ html: true, linkify: false, highlight: (code, language) => colour(code, language || "console") });

// Links between sources become links between pages; what is no page is a file of the project.
function target(href, from) {
  if (/^(https?:|mailto:|#)/.test(href)) return href;
  const [path, anchor] = href.split("#");
  const base = from ? dirname(from) : "docs/site";
  const full = join(base, path).replaceAll("\\", "/");
  const page = pages.find((p) => p.file === full || (p.file === null && full.endsWith(`${p.id}.md`)));
  if (page) return `${page.id}.html${anchor ? `#${anchor}` : ""}`;
  if (/^docs\/.*\.(png|jpg|svg)$/.test(full)) return full.replace(/^docs\//, "");
  return `source:${full}`;
}

const index = [];
function render(page, source) {
  const tokens = md.parse(source, {});
  const seen = new Map();
  const heads = [];
  let section = null;
  for (let i = 0; i < tokens.length; i++) {
    const t = tokens[i];
    if (t.type === "heading_open") {
      const text = tokens[i + 1].content;
      const name = slug(text);
      const n = seen.get(name) || 0;
      seen.set(name, n + 1);
      const id = n > 0 ? `${name}-${n}` : name;
      t.attrSet("id", id);
      if (t.tag === "h2" || t.tag === "h3") heads.push([t.tag, id, text.replace(/[`*]/g, "")]);
      section = { page: page.id, title: page.title, head: text.replace(/[`*]/g, ""), id: t.tag === "h1" ? "" : id, text: "" };
      index.push(section);
    }
    if (t.type === "inline" && section) section.text += ` ${t.content.replace(/[`*|]/g, "")}`;
    if (t.type === "fence" && section) section.text += ` ${t.content.slice(0, 300)}`;
    for (const c of t.children || []) {
      if (c.type === "link_open") {
        const href = target(c.attrGet("href"), page.file);
        if (href.startsWith("source:")) {
          c.attrSet("href", "#");
          c.attrSet("class", "file");
          c.attrSet("title", `${href.slice(7)} in the project`);
          c.attrSet("onclick", "return false");
        } else c.attrSet("href", href);
      }
      if (c.type === "image") {
        c.attrSet("src", target(c.attrGet("src"), page.file));
        c.attrSet("loading", "lazy");
      }
    }
  }
  let html = md.renderer.render(tokens, md.options, {});
  html = html.replaceAll("<table>", '<div class="wide"><table>').replaceAll("</table>", "</table></div>");
  return { html, heads };
}

// ---- pages that are made

function commandPage() {
  const overview = ask("--help");
  const names = [...overview.matchAll(/^ {2}([a-z]+) [A-Z ]*/gm)].map((m) => m[1]).filter((n) => n !== "trammel");
  let text = `# Command line\n\nMade from \`trammel --help\` and \`trammel COMMAND --help\`.\n\n\`\`\`text\n${overview}\`\`\`\n`;
  for (const name of [...new Set(names)]) text += `\n## ${name}\n\n\`\`\`text\n${ask(name, "--help")}\`\`\`\n`;
  text += `\n## What list prints\n\n\`\`\`text\n${ask("list")}\`\`\`\n`;
  return text;
}

function pythonPage() {
  return execFileSync("python3", [join(root, "tools/site/python_api.py"), join(root, "python/trammel")], { encoding: "utf8" });
}

function galleryPage() {
  const scenes = ask("scene", "--list").trim().split("\n").map((line) => [line.slice(0, 20).trim(), line.slice(20).trim()]);
  let html = `<h1 id="gallery">Gallery</h1>\n<p>Every built-in scene. <code>trammel view scene:NAME</code> shows it live; <code>trammel scene NAME</code> prints it as JSON, to start from. Pictures by <code>tools/site/gallery.mjs</code>, drawn by the viewer's own page.</p>\n<div class="gallery">\n`;
  for (const [name, words] of scenes) {
    const has = existsSync(join(root, "docs/pictures/gallery", `${name}.jpg`));
    index.push({ page: "gallery", title: "Gallery", head: name, id: name, text: words });
    html += `<figure id="${name}">${has ? `<img src="pictures/gallery/${name}.jpg" width="480" height="320" loading="lazy" alt="${escape(words)}">` : '<div class="none">too large for a picture</div>'}<figcaption><b>${name}</b> ${escape(words)}<code>trammel view scene:${name}</code></figcaption></figure>\n`;
  }
  return `${html}</div>\n`;
}

// ---- the frame around a page

function frame(page, body, heads, version) {
  const nav = NAV.map(([group, list]) => `${group ? `<h2>${group}</h2>` : ""}<ul>${list.map(([id, title]) => `<li><a href="${id}.html"${id === page.id ? ' aria-current="page"' : ""}>${escape(title)}</a></li>`).join("")}</ul>`).join("\n");
  const h2 = heads.filter(([tag]) => tag === "h2");
  const toc = h2.length > 2 ? `<nav class="toc" aria-label="on this page"><h2>On this page</h2><ul>${h2.map(([, id, text]) => `<li><a href="#${id}">${escape(text)}</a></li>`).join("")}</ul></nav>` : "";
  const at = pages.findIndex((p) => p.id === page.id);
  const turn = [pages[at - 1], pages[at + 1]];
  const foot = `<footer>${turn[0] ? `<a href="${turn[0].id}.html">← ${escape(turn[0].title)}</a>` : "<span></span>"}${turn[1] ? `<a href="${turn[1].id}.html">${escape(turn[1].title)} →</a>` : ""}</footer>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.id === "index" ? "Trammel" : `${escape(page.title)} · Trammel`}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="site.css">
</head>
<body class="page-${page.id}">
<header><a class="brand" href="index.html">Trammel <span>${version}</span></a>
<div class="find"><input type="search" id="find" placeholder="Search (/)" aria-label="search"><ol id="found" hidden></ol></div>
${hasPlayground ? '<a href="playground/index.html">Playground</a>' : ""}
<button id="open-nav" aria-label="pages">☰</button></header>
<div class="frame">
<nav class="pages" aria-label="pages">${nav}</nav>
<main>${body}${foot}</main>
${toc}
</div>
<script src="search.js"></script>
</body>
</html>
`;
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
// where `make wasm` has made it
const playground = join(root, "out/playground");
const hasPlayground = existsSync(join(playground, "index.html"));
if (hasPlayground) {
  cpSync(playground, join(out, "playground"), { recursive: true });
  const file = join(out, "playground/index.html");
  writeFileSync(file, readFileSync(file, "utf8").replace("<body>", '<body data-home="../index.html">'));
}
const version = ask("--version").trim().split(" ").pop();
const headers = apiPage(root, colour);
for (const [name, text] of headers.entries) index.push({ page: "api", title: "C interface", head: name, id: name, text });
const made = { cli: commandPage, api: () => headers.text, "python-api": pythonPage, keys: () => keysPage(join(dirname(tool), "scene_keys"), root) };
for (const page of pages) {
  let body;
  let heads = [];
  if (page.id === "gallery") body = galleryPage();
  else ({ html: body, heads } = render(page, page.file ? read(page.file) : made[page.id]()));
  writeFileSync(join(out, `${page.id}.html`), frame(page, body, heads, version));
}
writeFileSync(join(out, "search.js"), `const INDEX = ${JSON.stringify(index.map((s) => [s.page, s.id, s.title, s.head, s.text.slice(0, 1500)])).replaceAll("<", "\\u003c")};\n${readFileSync(join(root, "tools/site/search.js"), "utf8")}`);
cpSync(join(root, "tools/site/site.css"), join(out, "site.css"));
cpSync(join(root, "docs/pictures"), join(out, "pictures"), { recursive: true });
for (const name of readdirSync(join(root, "docs")).filter((f) => f.endsWith(".svg"))) cpSync(join(root, "docs", name), join(out, name));
console.log(`${pages.length} pages in ${out}: open ${join(out, "index.html")}`);
