// keys.mjs - the reference of the scene format: what the reader answers (scene_keys.c), and beside it the
// words of keys.txt. Throws where one of them knows a key that the other does not.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

// element -> { types, keys: key -> { takes, defaults, needed, types } }
function asked(program, scene) {
  const elements = new Map();
  for (const line of execFileSync(program, [scene], { encoding: "utf8" }).trim().split("\n")) {
    const [element, type, key, takes, otherwise, needed] = line.split("\t");
    if (!elements.has(element)) elements.set(element, { types: new Set(), keys: new Map() });
    const e = elements.get(element);
    e.types.add(type);
    if (!e.keys.has(key)) e.keys.set(key, { takes: new Set(), defaults: new Set(), needed: false, types: new Set() });
    const k = e.keys.get(key);
    k.types.add(type);
    if (takes) k.takes.add(takes);
    if (otherwise) k.defaults.add(otherwise);
    if (needed) k.needed = true;
  }
  return elements;
}

function told(text) {
  const sections = new Map();
  let keys = null;
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const head = /^= ([^:]+): (.*)$/.exec(line);
    if (head) {
      sections.set(head[1], { words: head[2], keys: (keys = new Map()) });
      continue;
    }
    const [, key, otherwise, takes, words] = /^(\w+)(?: \[(.*?)\](?= \(|:))?(?: \((.*?)\)(?=:))?: (.*)$/.exec(line) ?? [];
    if (!key) throw new Error(`keys.txt: '${line}' is no line of a key`);
    keys.set(key, { otherwise, takes, words });
  }
  return sections;
}

const cell = (text) => text.replaceAll("|", "\\|");
const code = (text) => (/^["[]|^-?[\d.]|^(true|false)$/.test(text) ? `\`${text}\`` : text);

function row(element, name, { takes, defaults, needed, types }, words, allTypes) {
  const isEverywhere = types.size === allTypes.size;
  const kind = words.takes ?? [...takes].join(", or ");
  // where two kinds of an element differ, or the value is one that follows from others, words say it
  const otherwise = words.otherwise ?? (needed ? "required" : defaults.size === 1 ? code([...defaults][0]) : "");
  if (!kind) throw new Error(`keys.txt: ${element} ${name}: say in parentheses what it takes`);
  if (!otherwise) throw new Error(`keys.txt: ${element} ${name}: say in brackets what counts where it is left out`);
  const meaning = words.words.replace(/\bsee (\w+)((?:, \w+)*)$/, (_, first, more) => `see ${[first, ...more.split(", ").filter(Boolean)].map((w) => `[${w}](#${w.replaceAll("_", "")})`).join(", ")}`);
  const only = isEverywhere ? "" : ` (${[...types].join(", ")})`;
  return `| \`${name}\` | ${cell(code(kind))} | ${cell(words.otherwise ? code(otherwise) : otherwise)} | ${cell(meaning)}${only} |\n`;
}

// Lists of keys in the reader that the scene does not make it open.
function unopened(folder, elements) {
  const opened = [...elements.values()].map((e) => e.keys);
  const missing = [];
  for (const file of readdirSync(folder).filter((f) => /^scene.*\.c$/.test(f))) {
    for (const [, body] of readFileSync(join(folder, file), "utf8").matchAll(/static const char\* const \w*keys\[\]\s*=\s*\{([^}]*)\}/g)) {
      const list = [...body.matchAll(/"([^"]+)"/g)].map((m) => m[1]);
      if (!opened.some((keys) => list.every((key) => keys.has(key)))) missing.push(`${file}: ${list.join(" ")}`);
    }
  }
  return missing;
}

export function keysPage(program, root) {
  const folder = join(root, "tools/site");
  const reader = asked(program, join(folder, "every_key.json"));
  const missing = unopened(join(root, "src/io"), reader);
  if (missing.length > 0) throw new Error(`tools/site/every_key.json should have what has these keys: ${missing.join("; ")}`);
  const wordsFile = join(folder, "keys.txt");
  const words = told(readFileSync(wordsFile, "utf8"));
  let text = `# Every key of a scene

Asked of the reader itself (\`tools/site/scene_keys.c\`): these keys are known, with these ranges and defaults, and any other is an
error that names it and its line. How they work together is on [the page of the format](../scene.md). *By axis* means one value for all axes
that can have it or an object by axis, \`{"rx": 1, "tz": 2}\`; CONTROL is a number or what stands under *control by* below.

`;
  for (const name of reader.keys()) if (!words.has(name)) throw new Error(`keys.txt has no words about a ${name}`);
  for (const [name, section] of words) {
    const element = reader.get(name);
    if (!element) throw new Error(`keys.txt: the reader knows no ${name}`);
    text += `## ${name}\n\n${section.words}\n\n| key | value | default | meaning |\n|---|---|---|---|\n`;
    for (const key of section.keys.keys()) if (!element.keys.has(key)) throw new Error(`keys.txt: a ${name} has no ${key}`);
    for (const [key, answer] of element.keys) {
      if (!section.keys.has(key)) throw new Error(`keys.txt has no words about ${key} of a ${name}`);
      text += row(name, key, answer, section.keys.get(key), element.types);
    }
    text += "\n";
  }
  return text;
}
