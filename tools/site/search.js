// search.js - finds sections by words; works from disk, because the index stands in this file.
const field = document.getElementById("find");
const list = document.getElementById("found");
let chosen = 0;

function find(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return INDEX.map((entry) => {
    const [, , title, head, body] = entry.map((x) => x.toLowerCase());
    let score = 0;
    for (const w of words) {
      if (head.includes(w)) score += head.split(/\W+/).includes(w) ? 12 : 8;
      else if (title.includes(w)) score += 4;
      else if (body.includes(w)) score += 1;
      else return null;
    }
    return { entry, score };
  }).filter(Boolean).sort((a, b) => b.score - a.score).slice(0, 12);
}

function mark() {
  [...list.children].forEach((item, i) => item.classList.toggle("on", i === chosen));
}

field.addEventListener("input", () => {
  const found = find(field.value);
  chosen = 0;
  list.replaceChildren(...found.map(({ entry: [page, id, title, head] }) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = `${page}.html${id ? `#${id}` : ""}`;
    const where = document.createElement("small");
    where.textContent = title;
    link.append(head, where);
    item.append(link);
    return item;
  }));
  list.hidden = found.length === 0;
  mark();
});
field.addEventListener("keydown", (e) => {
  if (e.key === "ArrowDown") chosen = Math.min(chosen + 1, list.children.length - 1);
  else if (e.key === "ArrowUp") chosen = Math.max(chosen - 1, 0);
  else if (e.key === "Escape") list.hidden = true;
  else if (e.key === "Enter" && list.children[chosen]) location.href = list.children[chosen].firstChild.href;
  else return;
  e.preventDefault();
  mark();
});
field.addEventListener("blur", () => setTimeout(() => (list.hidden = true), 200));
document.addEventListener("keydown", (e) => {
  if (e.key === "/" && document.activeElement !== field) {
    e.preventDefault();
    field.focus();
  }
});
document.getElementById("open-nav").addEventListener("click", () => document.body.classList.toggle("nav-open"));
