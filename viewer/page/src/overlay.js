// overlay.js - recordings that are dropped onto the page, drawn in glass over what is shown.
//
// A CSV is read here, in the page: nothing is sent to anybody. Bodies are matched by name; between two
// recorded states the earlier one is shown.

// A table of numbers by column name; an error with a sentence where the text is none.
export function readTable(text) {
  const end = text.indexOf("\n");
  const names = text.slice(0, end < 0 ? text.length : end).trim().split(",").map((n) => n.replace(/^"|"$/g, ""));
  if (names[0] !== "t") throw new Error("it is no recording: its first column is not t");
  const lines = text.slice(end + 1).split("\n");
  const rows = [];
  for (const line of lines) {
    if (line.trim() === "") continue;
    const cells = line.split(",");
    if (cells.length !== names.length) break; // a run that was ended in the middle of a line
    rows.push(cells);
  }
  if (rows.length === 0) throw new Error("there is no recorded state in it");
  return { names, rows };
}

// The poses of a model's bodies in a recording: times, and 7 numbers a body and state. Bodies that it does not
// have stay NaN and are not drawn.
export function posesOf({ names, rows }, bodies) {
  const at = new Map(names.map((n, i) => [n, i]));
  const columns = bodies.map((b) => ["px", "py", "pz", "qw", "qx", "qy", "qz"].map((c) => at.get(`${b}.${c}`)));
  const found = columns.filter((c) => c.every((i) => i !== undefined)).length;
  if (found === 0) throw new Error("it has no body of this model");
  const width = 7 * bodies.length;
  const values = new Float32Array(width * rows.length).fill(NaN);
  const times = new Float64Array(rows.length);
  rows.forEach((cells, r) => {
    times[r] = +cells[0];
    columns.forEach((c, b) => {
      if (c.some((i) => i === undefined)) return;
      c.forEach((i, k) => (values[r * width + 7 * b + k] = +cells[i]));
    });
  });
  return { times, values, width, found };
}

// The index of the last state that is not later than a time.
function indexAt(times, time) {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= time + 1e-12) low = middle;
    else high = middle - 1;
  }
  return low;
}

export class Overlay {
  constructor(name, poses) {
    this.name = name;
    Object.assign(this, poses);
  }

  valuesAt(time) {
    const i = indexAt(this.times, time);
    return this.values.subarray(i * this.width, (i + 1) * this.width);
  }
}
