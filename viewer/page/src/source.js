// source.js - where frames come from: a server that simulates or replays, or the page itself.
//
// Both offer the same: `model`, `meshes` (by the numbers in the model; null: too large to draw), send(words), series(offsets) and three callbacks. A command that a
// report cannot honour (pushing, switching methods) is not offered by the page in the first place.
import { CONTACT, FRAME_MAGIC, readFrame } from "./layout.js";

// A mesh as viewer/meshes.c packs it.
export function readMesh(buffer) {
  const [vertexCount, triangleCount] = new Uint32Array(buffer, 0, 2);
  return {
    vertices: new Float32Array(buffer, 8, 3 * vertexCount),
    triangles: new Uint32Array(buffer, 8 + 12 * vertexCount, 3 * triangleCount),
  };
}

export class RemoteSource {
  constructor(token) {
    this.token = token;
    this.isLocal = false;
    this.pending = new Map();
    this.nextRequest = 1;
    this.onFrame = () => {};
    this.onState = () => {};
    this.onClose = () => {};
  }

  async open() {
    const answer = await fetch(`/model.json?t=${this.token}`);
    if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
    this.model = await answer.json();
    this.meshes = [];
    for (const [id, mesh] of this.model.meshes.entries()) {
      this.meshes.push(mesh.drawn ? await this.fetchMesh(id) : null);
    }
  }

  async fetchMesh(id) {
    const answer = await fetch(`/mesh/${id}?t=${this.token}`);
    if (!answer.ok) throw new Error(`the server answered ${answer.status} for mesh ${id}`);
    return readMesh(await answer.arrayBuffer());
  }

  start() {
    this.socket = new WebSocket(`ws://${location.host}/ws?t=${this.token}`, "trammel");
    this.socket.binaryType = "arraybuffer";
    this.socket.onmessage = (event) => this.receive(event.data);
    this.socket.onclose = () => this.onClose();
    return new Promise((resolve, reject) => {
      this.socket.onopen = resolve;
      this.socket.onerror = () => reject(new Error("the server refused the connection"));
    });
  }

  receive(data) {
    if (typeof data === "string") {
      this.onState(JSON.parse(data));
      return;
    }
    const head = new DataView(data);
    if (head.getUint32(0, true) === FRAME_MAGIC) {
      const frame = readFrame(data);
      this.onFrame(frame);
      // the next one comes only after this word: a slow page gets fewer frames, never a queue
      this.send(`ack ${frame.seq}`);
      return;
    }
    const request = this.pending.get(head.getUint32(4, true));
    this.pending.delete(head.getUint32(4, true));
    const points = head.getUint32(8, true);
    const lists = head.getUint32(12, true);
    const columns = [];
    for (let i = 0; i <= lists; i++) columns.push(new Float32Array(data, 16 + 4 * points * i, points));
    if (request) request(columns);
  }

  send(words) {
    if (this.socket && this.socket.readyState === WebSocket.OPEN) this.socket.send(words);
  }

  // [times, values, values, ...], thinned by the server
  series(offsets) {
    const isOpen = this.socket && this.socket.readyState === WebSocket.OPEN;
    if (!isOpen || this.pending.size > 4) return Promise.resolve(null);
    const id = this.nextRequest++;
    return new Promise((resolve) => {
      this.pending.set(id, resolve);
      this.send(`series ${id} ${offsets.join(" ")}`);
    });
  }
}

function bytesOf(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return bytes.buffer;
}

// A recording inside the page: the same frames, and the clock that a server would keep.
export class EmbeddedSource {
  constructor(data) {
    this.isLocal = true;
    this.model = data.model;
    this.meshes = data.meshes.map((packed) => (packed ? readMesh(bytesOf(packed)) : null));
    this.times = new Float64Array(bytesOf(data.times));
    this.values = new Float32Array(bytesOf(data.frames));
    this.width = data.width;
    this.runs = { values: this.values, width: data.width, count: this.times.length };
    this.contactFirst = data.contactFirst ? new Uint32Array(bytesOf(data.contactFirst)) : null;
    this.contactValues = data.contacts ? new Float32Array(bytesOf(data.contacts)) : new Float32Array(0);
    this.cursor = this.times[0];
    this.isPlaying = false;
    this.speed = 1;
    this.onFrame = () => {};
    this.onState = () => {};
    this.onClose = () => {};
  }

  async open() {}

  async start() {
    this.last = performance.now();
    this.show();
    const turn = (now) => {
      const end = this.times[this.times.length - 1];
      if (this.isPlaying) {
        this.cursor += (this.speed * (now - this.last)) / 1000;
        if (this.cursor >= end) {
          this.cursor = end;
          this.isPlaying = false;
        }
        this.show();
      }
      this.last = now;
      requestAnimationFrame(turn);
    };
    requestAnimationFrame(turn);
  }

  indexAt(time) {
    let low = 0;
    let high = this.times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= time + 1e-12) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  show() {
    const i = this.indexAt(this.cursor);
    const from = this.contactFirst ? this.contactFirst[i] : 0;
    const to = this.contactFirst ? this.contactFirst[i + 1] : 0;
    this.onFrame({
      seq: 0,
      index: i,
      count: this.times.length,
      time: this.times[i],
      hasGhost: false,
      values: this.values.subarray(i * this.width, (i + 1) * this.width),
      contacts: this.contactValues.subarray(CONTACT * from, CONTACT * to),
    });
    this.onState({
      type: "state",
      playing: this.isPlaying,
      speed: this.speed,
      time: this.times[i],
      first: this.times[0],
      head: this.times[this.times.length - 1],
      frames: this.times.length,
      stride: 1,
      live: false,
      failed: false,
      message: "",
    });
  }

  send(words) {
    const [word, value] = words.split(" ");
    const i = this.indexAt(this.cursor);
    const last = this.times.length - 1;
    if (word === "play") {
      if (i === last) this.cursor = this.times[0];
      this.isPlaying = true;
    }
    if (word === "pause") this.isPlaying = false;
    if (word === "seek") this.cursor = Math.min(Math.max(+value, this.times[0]), this.times[last]);
    if (word === "step") this.cursor = this.times[Math.min(i + +(value || 1), last)];
    if (word === "back") this.cursor = this.times[Math.max(i - +(value || 1), 0)];
    if (word === "restart") this.cursor = this.times[0];
    if (word === "speed") this.speed = +value;
    if (word === "step" || word === "back" || word === "seek") this.isPlaying = false;
    this.show();
  }

  async series(offsets) {
    const most = 1500;
    const every = Math.max(1, Math.ceil(this.times.length / most));
    const points = Math.ceil(this.times.length / every);
    const columns = [this.times, ...offsets].map(() => new Float32Array(points));
    for (let k = 0; k < points; k++) {
      const i = k * every;
      columns[0][k] = this.times[i];
      offsets.forEach((offset, c) => {
        const at = i * this.width;
        columns[c + 1][k] =
          offset >= 0 ? this.values[at + offset] : this.values[at] + this.values[at + 1];
      });
    }
    return columns;
  }
}
