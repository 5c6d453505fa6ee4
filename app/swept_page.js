"use strict";
// Surfaces, histograms and single rows of a sweep. `data`: names, parameters (how many of them come first),
// rows (their numbers), status and columns.
const data = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const count = data.rows.length;
const dark = matchMedia("(prefers-color-scheme: dark)").matches;
const ink = dark ? "#dfe7ed" : "#22303c";
const faint = dark ? "#303b44" : "#dbe2e7";
const text = (x) => (x === null ? "-" : Math.abs(x) >= 1e5 || (x !== 0 && Math.abs(x) < 1e-3) ? x.toExponential(3) : String(Number(x.toPrecision(5))));

function range(values) {
  let low = Infinity, high = -Infinity;
  for (const x of values) if (x !== null) { low = Math.min(low, x); high = Math.max(high, x); }
  if (!(low <= high)) return [0, 1];
  return low === high ? [low - 0.5, high + 0.5] : [low, high];
}

// From dark blue over green to yellow: as bright as the number is large.
function colour(share) {
  const stops = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
  const at = Math.max(0, Math.min(1, share)) * 4;
  const i = Math.min(3, Math.floor(at));
  return `rgb(${[0, 1, 2].map((k) => Math.round(stops[i][k] + (at - i) * (stops[i + 1][k] - stops[i][k]))).join()})`;
}

function canvas(element, width, height) {
  const ratio = devicePixelRatio || 1;
  element.width = width * ratio;
  element.height = height * ratio;
  element.style.width = width + "px";
  element.style.height = height + "px";
  const to = element.getContext("2d");
  to.scale(ratio, ratio);
  to.font = "12px system-ui, sans-serif";
  to.fillStyle = ink;
  return to;
}

const edge = { left: 78, right: 96, top: 12, bottom: 44 };
let plot = null;
let chosen = -1;

function axes(to, width, height, x, y, names) {
  to.strokeStyle = faint;
  to.strokeRect(edge.left, edge.top, width - edge.left - edge.right, height - edge.top - edge.bottom);
  to.textAlign = "center";
  for (let k = 0; k <= 4; k++) {
    const at = edge.left + (k / 4) * (width - edge.left - edge.right);
    to.fillText(text(x[0] + (k / 4) * (x[1] - x[0])), at, height - edge.bottom + 16);
  }
  to.fillText(names[0], edge.left + (width - edge.left - edge.right) / 2, height - 8);
  to.textAlign = "right";
  for (let k = 0; k <= 4; k++) {
    const at = height - edge.bottom - (k / 4) * (height - edge.top - edge.bottom);
    to.fillText(text(y[0] + (k / 4) * (y[1] - y[0])), edge.left - 6, at + 4);
  }
  to.save();
  to.translate(12, height / 2);
  to.rotate(-Math.PI / 2);
  to.textAlign = "center";
  to.fillText(names[1], 0, 0);
  to.restore();
}

function scale(to, width, height, z, name) {
  for (let k = 0; k < 60; k++) {
    to.fillStyle = colour(k / 59);
    to.fillRect(width - edge.right + 14, height - edge.bottom - ((k + 1) / 60) * (height - edge.top - edge.bottom), 14, (height - edge.top - edge.bottom) / 60 + 1);
  }
  to.fillStyle = ink;
  to.textAlign = "left";
  for (let k = 0; k <= 2; k++) to.fillText(text(z[0] + (k / 2) * (z[1] - z[0])), width - edge.right + 32, height - edge.bottom - (k / 2) * (height - edge.top - edge.bottom) + (k === 2 ? 10 : 0));
}

function draw() {
  const [ix, iy, iz] = ["x", "y", "z"].map((id) => Number($(id).value));
  const [x, y, z] = [ix, iy, iz].map((i) => data.columns[i]);
  const width = Math.max(360, $("plane").parentElement.clientWidth - 24), height = 460;
  const to = canvas($("plane"), width, height);
  const rx = range(x), ry = range(y), rz = range(z);
  const px = (v) => edge.left + ((v - rx[0]) / (rx[1] - rx[0])) * (width - edge.left - edge.right);
  const py = (v) => height - edge.bottom - ((v - ry[0]) / (ry[1] - ry[0])) * (height - edge.top - edge.bottom);
  plot = { x, y, px, py };
  if ($("surface").checked) {
    const n = Math.max(2, Math.min(60, Math.round(Math.sqrt(count / 6))));
    const sums = new Map();
    for (let i = 0; i < count; i++) {
      if (x[i] === null || y[i] === null || z[i] === null) continue;
      const key = Math.min(n - 1, Math.floor(((x[i] - rx[0]) / (rx[1] - rx[0])) * n)) * n + Math.min(n - 1, Math.floor(((y[i] - ry[0]) / (ry[1] - ry[0])) * n));
      const cell = sums.get(key) || [0, 0];
      sums.set(key, [cell[0] + z[i], cell[1] + 1]);
    }
    const w = (width - edge.left - edge.right) / n, h = (height - edge.top - edge.bottom) / n;
    for (const [key, [sum, met]] of sums) {
      to.fillStyle = colour((sum / met - rz[0]) / (rz[1] - rz[0]));
      to.fillRect(edge.left + Math.floor(key / n) * w, height - edge.bottom - ((key % n) + 1) * h, w + 0.5, h + 0.5);
    }
  } else {
    const size = count > 5000 ? 1.5 : count > 500 ? 2.5 : 4;
    for (let i = 0; i < count; i++) {
      if (x[i] === null || y[i] === null) continue;
      to.fillStyle = data.status[i] === 2 ? "#c0392b" : z[i] === null ? faint : colour((z[i] - rz[0]) / (rz[1] - rz[0]));
      to.beginPath();
      to.arc(px(x[i]), py(y[i]), size, 0, 7);
      to.fill();
    }
  }
  if (chosen >= 0 && x[chosen] !== null && y[chosen] !== null) {
    to.strokeStyle = "#e67e22";
    to.lineWidth = 2;
    to.beginPath();
    to.arc(px(x[chosen]), py(y[chosen]), 7, 0, 7);
    to.stroke();
    to.lineWidth = 1;
  }
  to.fillStyle = ink;
  axes(to, width, height, rx, ry, [data.names[ix], data.names[iy]]);
  scale(to, width, height, rz, data.names[iz]);
}

function histogram(element, values, name) {
  const width = 320, height = 150, bins = 40;
  const to = canvas(element, width, height);
  const r = range(values), met = new Array(bins).fill(0);
  for (const v of values) if (v !== null) met[Math.min(bins - 1, Math.floor(((v - r[0]) / (r[1] - r[0])) * bins))]++;
  const most = Math.max(1, ...met);
  met.forEach((n, k) => {
    to.fillStyle = "#0b6e99";
    const h = (n / most) * (height - 46);
    to.fillRect(10 + (k / bins) * (width - 20), height - 28 - h, (width - 20) / bins - 1, h);
  });
  to.fillStyle = ink;
  to.textAlign = "left";
  to.fillText(text(r[0]), 10, height - 12);
  to.fillText(name, 10, 12);
  to.textAlign = "right";
  to.fillText(text(r[1]), width - 10, height - 12);
}

function show(i) {
  chosen = i;
  const row = data.rows[i];
  const items = data.names.map((name, k) => [name, text(data.columns[k][i])]);
  const list = items.map(([name, value]) => { const tr = document.createElement("tr"); for (const cell of [name, value]) { const td = document.createElement("td"); td.textContent = cell; tr.append(td); } return tr; });
  $("numbers").replaceChildren(...list);
  $("row").textContent = `row ${row}${data.status[i] === 2 ? ", failed" : ""}`;
  if (data.served) {
    const link = document.createElement("a");
    link.href = `row/${row}`;
    link.target = "_blank";
    link.textContent = "open its run";
    $("open").replaceChildren(link);
  } else {
    $("open").textContent = `trammel view ${data.file} --row ${row}`;
  }
  draw();
}

$("plane").addEventListener("click", (event) => {
  const box = $("plane").getBoundingClientRect();
  let best = -1, least = 400;
  for (let i = 0; i < count; i++) {
    if (plot.x[i] === null || plot.y[i] === null) continue;
    const d = (plot.px(plot.x[i]) - (event.clientX - box.left)) ** 2 + (plot.py(plot.y[i]) - (event.clientY - box.top)) ** 2;
    if (d < least) { least = d; best = i; }
  }
  if (best >= 0) show(best);
});

const first = data.parameters < data.names.length ? data.parameters : 0;
for (const [id, start] of [["x", 0], ["y", data.parameters > 1 ? 1 : first], ["z", first]]) {
  data.names.forEach((name, k) => $(id).add(new Option(name, k, false, k === start)));
  $(id).addEventListener("change", draw);
}
$("surface").checked = data.parameters > 1 && count > 200;
$("surface").addEventListener("change", draw);
addEventListener("resize", draw);
data.names.forEach((name, k) => {
  if (k >= 60) return;
  const element = document.createElement("canvas");
  $("histograms").append(element);
  histogram(element, data.columns[k], name);
});
draw();
if (count > 0) show(0);
