// api.mjs - the reference of the C interface from the headers: what stands above a declaration says what it
// is, every name can be linked to and searched, and names in declarations lead to theirs.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

// The names that a piece of code declares.
function declared(code) {
  const names = new Set();
  for (const [, name] of code.matchAll(/^TML_API [^;]*?\b(tml_\w+)\(/gm)) names.add(name);
  for (const [, name] of code.matchAll(/^(?:typedef )?static inline [^;]*?\b(tml_\w+)\(/gm)) names.add(name);
  for (const [, name] of code.matchAll(/^\} (tml_\w+);/gm)) names.add(name);
  for (const [, name] of code.matchAll(/^typedef [^{]*?\b(tml_\w+);/gm)) names.add(name);
  for (const [, name] of code.matchAll(/^typedef [^;]*\(\*(tml_\w+)\)/gm)) names.add(name);
  for (const [, name] of code.matchAll(/^#define (TML_\w+)/gm)) if (!/_H$|^TML_API$|_C$/.test(name)) names.add(name);
  for (const [, name] of code.matchAll(/^\s+(TML_\w+)(?= =|,|$)/gm)) names.add(name);
  return [...names];
}

// Blocks of a header: a comment and the declarations below it, up to the next comment in the first column
// or the next empty line.
function blocks(text) {
  const lines = text.replace(/\/\*[\s\S]*?\*\//g, "").split("\n");
  const out = [];
  let now = null;
  let depth = 0;
  for (const line of lines) {
    const isPlain = depth === 0 && /^(#(if|ifn?def|endif|include|define TRAMMEL_)|TML_(BEGIN|END)_C|extern "C"|\})/.test(line);
    if (isPlain && !/^\} tml_/.test(line)) continue;
    const isComment = depth === 0 && line.startsWith("//");
    if (line.trim() === "" && depth === 0) now = null;
    else if (isComment && /^\/\/ ----/.test(line)) {
      // a title, and behind its first full stop what holds for all below
      const [head, ...rest] = line.replace(/^\/\/ -+ */, "").split(/\. (?=[A-Z])/);
      out.push({ head: head[0].toUpperCase() + head.slice(1) });
      now = null;
      if (rest.length > 0) out.push((now = { words: [rest.join(". ")], code: [] }));
    }
    else {
      if (now === null || (isComment && now.code.length > 0)) out.push((now = { words: [], code: [] }));
      if (isComment) now.words.push(line.replace(/^\/\/ ?/, ""));
      else now.code.push(line);
    }
    depth += (line.match(/\{/g) || []).length - (line.match(/\}/g) || []).length;
  }
  return out;
}

// Markdown for one file of headers; `entries` gets what the search should find.
export function apiPage(root, colour) {
  const folder = join(root, "include/trammel");
  const files = readdirSync(folder).filter((f) => f.endsWith(".h")).sort((a, b) => (a === "trammel.h" ? -1 : b === "trammel.h" ? 1 : a < b ? -1 : 1));
  const parsed = files.map((file) => [file, blocks(readFileSync(join(folder, file), "utf8"))]);
  const known = new Set(parsed.flatMap(([, list]) => list.flatMap((b) => (b.code ? declared(b.code.join("\n")) : []))));
  const link = (html, own) => html.replace(/\b(?:tml|TML)_\w+\b/g, (name) => (known.has(name) && !own.includes(name) ? `<a href="#${name}">${name}</a>` : name));
  const entries = [];
  let text = "# C interface\n\nMade from the headers. Include `<trammel/trammel.h>` for all of them; every name can be searched above (press `/`). Functions that can fail answer a `tml_status`; a call that failed leaves its object as it was.\n\n";
  for (const [file, list] of parsed) {
    text += `## ${file}\n\n`;
    const placed = new Set();
    for (const block of list) {
      if (block.head) {
        text += `### ${block.head}\n\n`;
        continue;
      }
      const code = block.code.join("\n");
      const words = block.words.join("\n").replace(/^trammel\/\w+\.h - /, "");
      if (code.trim() === "") {
        text += `${words}\n\n`;
        continue;
      }
      const names = declared(code).filter((n) => !placed.has(n));
      names.forEach((n) => placed.add(n));
      names.forEach((n) => entries.push([n, `${words} ${code}`]));
      const anchors = names.map((n) => `<a id="${n}"></a>`).join("");
      text += `<div class="entry">${anchors}<p>${link(escape(words).replace(/`([^`]+)`/g, "<code>$1</code>"), names)}</p><pre><code>${link(colour(code, "c"), names)}</code></pre></div>\n\n`;
    }
  }
  return { text, entries };
}
