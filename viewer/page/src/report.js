// report.js - what a report's page does besides the replay: tables that sort, plots that say their values.
import { el, show } from "./dom.js";

// A click on a head sorts by its column: numbers by size, largest first; names from a to z.
function sortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, k) => {
    head.tabIndex = 0;
    const sort = () => {
      const isNumber = table.tBodies[0].querySelector(`tr td:nth-child(${k + 1})[data-v]`) !== null;
      const first = isNumber ? "descending" : "ascending";
      const order = head.getAttribute("aria-sort") === first ? (isNumber ? "ascending" : "descending") : first;
      for (const h of heads) h.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      const key = (row) => {
        const cell = row.cells[k];
        if (!isNumber) return cell.textContent;
        return cell.dataset.v === undefined || cell.dataset.v === "" ? -Infinity : Math.abs(+cell.dataset.v);
      };
      const rows = [...table.tBodies[0].rows].map((row, i) => ({ row, i, key: key(row) }));
      rows.sort((a, b) => (a.key < b.key ? -sign : a.key > b.key ? sign : a.i - b.i));
      table.tBodies[0].append(...rows.map((r) => r.row));
    };
    head.addEventListener("click", sort);
    head.addEventListener("keydown", (e) => e.key === "Enter" && sort());
  });
}

// A rule and the values at the time under the pointer; a click shows that time in the replay.
function readable(plot, seek) {
  const data = JSON.parse(plot.dataset.plot);
  const [times, ...columns] = data.values;
  const svg = plot.querySelector("svg");
  const rule = el("div", { class: "rule", hidden: true });
  const read = el("div", { class: "read", hidden: true });
  plot.append(rule, read);
  const at = (event) => {
    const box = svg.getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    const t = times[0] + ((share - data.from) / (data.to - data.from)) * (times.at(-1) - times[0]);
    let best = 0;
    times.forEach((x, i) => Math.abs(x - t) < Math.abs(times[best] - t) && (best = i));
    return { i: best, box, inside: share >= data.from - 0.01 && share <= data.to + 0.01 };
  };
  plot.addEventListener("pointermove", (event) => {
    const { i, box, inside } = at(event);
    rule.hidden = read.hidden = !inside;
    if (!inside) return;
    const outer = plot.getBoundingClientRect();
    const span = times.at(-1) - times[0] || 1;
    const x = box.left - outer.left + box.width * (data.from + ((times[i] - times[0]) / span) * (data.to - data.from));
    rule.style.left = `${x}px`;
    const rows = columns.map((c, k) => el("div", {}, `${data.names[k]}: ${show(c[i], 5)} ${data.units[k]}`));
    read.replaceChildren(el("b", {}, `${show(times[i], 6)} s`), ...rows);
    const isRight = x > 0.6 * outer.width;
    read.style.left = isRight ? "" : `${x + 10}px`;
    read.style.right = isRight ? `${outer.width - x + 10}px` : "";
  });
  plot.addEventListener("pointerleave", () => (rule.hidden = read.hidden = true));
  plot.addEventListener("click", (event) => {
    const { i, inside } = at(event);
    if (inside) seek(times[i]);
  });
}

export function enliven(app) {
  for (const table of document.querySelectorAll("table.sortable")) sortable(table);
  for (const plot of document.querySelectorAll(".plot[data-plot]")) readable(plot, (t) => app.source.send(`seek ${t}`));
}
