// attacks.mjs - some seventy ways to misuse the viewer's server; each must be answered as designed, and the
// simulation must not notice.
//   node attacks.mjs TRAMMEL FOLDER
import { spawn } from "node:child_process";
import { writeFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createConnection } from "node:net";
import { randomBytes } from "node:crypto";
import { join } from "node:path";

const [tool, folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const scene = join(folder, "attacked.json");
writeFileSync(
  scene,
  JSON.stringify({
    trammel: 1,
    name: "<script>alert(1)</script>",
    bodies: [
      { name: "<img src=x onerror=alert(1)>", mass: 1, inertia: [0.01, 0.08, 0.08], position: [0.5, 0, 0] },
      { name: "b", mass: 1, inertia: [0.01, 0.08, 0.08], position: [1.5, 0, 0], shapes: [{ type: "mesh", file: "corner.obj" }] },
    ],
    joints: [
      { name: "pin", type: "revolute", base: "world", follower: "<img src=x onerror=alert(1)>", axis: [0, 1, 0] },
      { name: "elbow", type: "revolute", base: "<img src=x onerror=alert(1)>", follower: "b", position: [1, 0, 0], axis: [0, 1, 0] },
    ],
    simulation: { step: 0.01 },
  }),
);

writeFileSync(join(folder, "corner.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");

// ---- a server, and raw bytes to it

function startServer() {
  return new Promise((resolve, reject) => {
    const child = spawn(tool, ["view", scene, "--no-browser", "--paused", "--port", "0"]);
    let out = "";
    child.stdout.on("data", (d) => {
      out += d;
      const found = out.match(/http:\/\/127\.0\.0\.1:(\d+)\/\?t=([0-9a-f]{32})/);
      if (found) resolve({ child, port: +found[1], token: found[2] });
    });
    child.stderr.on("data", (d) => process.stderr.write(d));
    child.on("exit", (code) => reject(new Error(`the server left with ${code}: ${out}`)));
  });
}

const wait = (ms) => new Promise((r) => setTimeout(r, ms));

// Send bytes, wait for the answer or the end; { text, isClosed }.
function raw(port, pieces, { ms = 3000, until = null, gap = 0 } = {}) {
  return new Promise((resolve) => {
    const chunks = [];
    let isClosed = false;
    const socket = createConnection({ host: "127.0.0.1", port });
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ text: Buffer.concat(chunks).toString("latin1"), bytes: Buffer.concat(chunks), isClosed });
    };
    const timer = setTimeout(finish, ms);
    socket.on("data", (d) => {
      chunks.push(d);
      if (until && until(Buffer.concat(chunks).toString("latin1"))) finish();
    });
    socket.on("error", () => ((isClosed = true), finish()));
    socket.on("close", () => ((isClosed = true), finish()));
    socket.on("connect", async () => {
      for (const piece of Array.isArray(pieces) ? pieces : [pieces]) {
        if (socket.destroyed) return;
        socket.write(piece);
        if (gap) await wait(gap);
      }
    });
  });
}

const statusOf = (answer) => +(answer.text.match(/^HTTP\/1\.[01] (\d+)/) || [0, 0])[1];
const hasStatus = (text) => /\r\n\r\n/.test(text);

function get(s, path, headers = {}) {
  const all = { Host: `127.0.0.1:${s.port}`, ...headers };
  const lines = Object.entries(all).filter(([, v]) => v !== null).map(([k, v]) => `${k}: ${v}\r\n`).join("");
  return raw(s.port, `GET ${path} HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`, { until: hasStatus });
}

function upgradeText(s, changes = {}, path = `/ws?t=${s.token}`) {
  const headers = {
    Host: `127.0.0.1:${s.port}`,
    Upgrade: "websocket",
    Connection: "Upgrade",
    "Sec-WebSocket-Key": randomBytes(16).toString("base64"),
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Protocol": "trammel",
    Origin: `http://127.0.0.1:${s.port}`,
    ...changes,
  };
  const lines = Object.entries(headers).filter(([, v]) => v !== null).map(([k, v]) => `${k}: ${v}\r\n`).join("");
  return `GET ${path} HTTP/1.1\r\n${lines}\r\n`;
}

const upgrade = (s, changes, path) => raw(s.port, upgradeText(s, changes, path), { until: hasStatus, ms: 2500 });

// A WebSocket frame of a client.
function frame(payload, { opcode = 1, isMasked = true, isFinal = true, length = null, reserved = 0 } = {}) {
  const body = Buffer.from(payload);
  const size = length ?? body.length;
  const head = [(isFinal ? 0x80 : 0) | (reserved << 4) | opcode];
  const flag = isMasked ? 0x80 : 0;
  if (size < 126) head.push(flag | size);
  else if (size < 65536) head.push(flag | 126, size >> 8, size & 255);
  else {
    head.push(flag | 127);
    for (let i = 7; i >= 0; i--) head.push(Number((BigInt(size) >> BigInt(8 * i)) & 255n));
  }
  if (!isMasked) return Buffer.concat([Buffer.from(head), body]);
  const mask = randomBytes(4);
  const masked = Buffer.from(body.map((b, i) => b ^ mask[i % 4]));
  return Buffer.concat([Buffer.from(head), mask, masked]);
}

// The status that the server closes with; 0 while it does not.
function closing(bytes) {
  let at = bytes.indexOf("\r\n\r\n") + 4;
  while (at >= 4 && at + 2 <= bytes.length) {
    let size = bytes[at + 1] & 127;
    let head = 2;
    if (size === 126) {
      if (at + 4 > bytes.length) return 0;
      size = bytes.readUInt16BE(at + 2);
      head = 4;
    }
    if ((bytes[at] & 15) === 8) return at + 4 <= bytes.length ? bytes.readUInt16BE(at + head) : 1;
    at += head + size;
  }
  return 0;
}

// Upgrade, then frames: the status that the connection ends with, 1 when it just ends.
async function afterUpgrade(s, frames, { ms = 6000, gap = 60 } = {}) {
  const answer = await raw(s.port, [upgradeText(s), ...frames], { ms, gap, until: isOver });
  const isUpgraded = /^HTTP\/1\.1 101/.test(answer.text);
  return { isUpgraded, status: closing(answer.bytes) || (answer.isClosed ? 1 : 0), text: answer.text };
}

// ---- an honest viewer, for hashes

class Viewer {
  static async open(s) {
    const v = new Viewer();
    v.frames = 0;
    v.waiting = [];
    v.rest = Buffer.alloc(0);
    v.parts = [];
    v.isOpen = false;
    v.socket = createConnection({ host: "127.0.0.1", port: s.port });
    v.closed = new Promise((resolve) => v.socket.on("close", resolve));
    v.socket.on("error", () => {});
    await new Promise((resolve, reject) => {
      v.opened = resolve;
      v.closed.then(() => reject(new Error("an honest viewer was refused")));
      v.socket.on("data", (d) => v.read(d, reject));
      v.socket.write(upgradeText(s));
    });
    return v;
  }

  read(data, reject) {
    this.rest = Buffer.concat([this.rest, data]);
    if (!this.isOpen) {
      const end = this.rest.indexOf("\r\n\r\n");
      if (end < 0) return;
      if (!this.rest.toString("latin1").startsWith("HTTP/1.1 101")) {
        this.socket.destroy();
        reject(new Error("an honest viewer was refused"));
        return;
      }
      this.rest = this.rest.subarray(end + 4);
      this.isOpen = true;
      this.opened();
    }
    while (this.takeFrame()) continue;
  }

  takeFrame() {
    const r = this.rest;
    if (r.length < 2) return false;
    let size = r[1] & 127;
    let at = 2;
    if (size === 126) (size = r.length >= 4 ? r.readUInt16BE(2) : Infinity), (at = 4);
    else if (size === 127) (size = r.length >= 10 ? Number(r.readBigUInt64BE(2)) : Infinity), (at = 10);
    if (r.length < at + size) return false;
    const opcode = r[0] & 15;
    this.parts.push(r.subarray(at, at + size));
    if (opcode === 1 || opcode === 2) this.kind = opcode;
    this.rest = r.subarray(at + size);
    if (opcode === 8) this.socket.end();
    if ((r[0] & 128) === 0 || opcode > 2) return true;
    const whole = Buffer.concat(this.parts);
    this.parts = [];
    if (this.kind === 1) this.take(whole.toString());
    else this.take(whole.buffer.slice(whole.byteOffset, whole.byteOffset + whole.length));
    return true;
  }

  take(data) {
    if (typeof data !== "string") {
      const head = new DataView(data);
      if (head.getUint32(0, true) === 0x464c4d54) {
        this.frames++;
        this.time = head.getFloat64(16, true);
        this.send(`ack ${head.getUint32(4, true)}`);
      }
      return;
    }
    const message = JSON.parse(data);
    if (message.type === "state") this.state = message;
    if (message.type === "hash") this.waiting.shift()(message);
  }

  send(words) {
    if (!this.socket.destroyed) this.socket.write(frame(words));
  }

  hash() {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.send("hash");
    });
  }

  close() {
    this.socket.end(frame(Buffer.from([3, 232]), { opcode: 8 }));
    return this.closed;
  }
}

// ---- the attacks

const refusedFrame = async (answer) => answer.isUpgraded && answer.status === 1002;
const isOver = (text) => closing(Buffer.from(text, "latin1")) > 0;
const bare = (payload, how = {}) => frame(payload, { ...how, isMasked: false });

const refused = (status) => async (answer) => statusOf(answer) === status;

function listAttacks(s) {
  const bad = (path, headers) => () => get(s, path, headers);
  const evil = "http://evil.example";
  return [
    // who asks
    ["a rebinding Host", bad(`/?t=${s.token}`, { Host: "evil.example" }), refused(403)],
    ["a Host with another port", bad(`/?t=${s.token}`, { Host: "127.0.0.1:1" }), refused(403)],
    ["a Host without a port", bad(`/?t=${s.token}`, { Host: "127.0.0.1" }), refused(403)],
    ["no Host", bad(`/?t=${s.token}`, { Host: null }), async (a) => [400, 403, 0].includes(statusOf(a)) && !a.text.includes("<div")],
    ["a Host that starts like ours", bad(`/?t=${s.token}`, { Host: `127.0.0.1:${s.port}.evil.example` }), refused(403)],
    ["a foreign Origin for the page", bad(`/?t=${s.token}`, { Origin: evil }), refused(403)],
    ["a null Origin for the model", bad(`/model.json?t=${s.token}`, { Origin: "null" }), refused(403)],
    ["no token for the page", bad("/"), refused(403)],
    ["a wrong token", bad(`/?t=${"0".repeat(32)}`), refused(403)],
    ["a token that is cut", bad(`/?t=${s.token.slice(0, 31)}`), refused(403)],
    ["a token with more behind it", bad(`/?t=${s.token}00`), refused(403)],
    ["no token for the model", bad("/model.json"), refused(403)],
    ["an empty token", bad("/model.json?t="), refused(403)],
    // what is asked
    ["a folder above", bad(`/../../etc/passwd?t=${s.token}`), async (a) => statusOf(a) !== 200],
    ["the same, encoded", bad(`/%2e%2e/%2e%2e/etc/passwd?t=${s.token}`), async (a) => statusOf(a) !== 200],
    ["the same, encoded twice", bad(`/%252e%252e%252fetc%252fpasswd?t=${s.token}`), refused(404)],
    ["backslashes", bad(`/..\\..\\etc\\passwd?t=${s.token}`), refused(404)],
    ["an absolute path", bad(`//etc/passwd?t=${s.token}`), async (a) => statusOf(a) !== 200],
    ["overlong UTF-8", bad(`/%c0%ae%c0%ae/etc/passwd?t=${s.token}`), async (a) => statusOf(a) !== 200],
    ["a zero byte", bad(`/view.js%00.html?t=${s.token}`), async (a) => statusOf(a) !== 200],
    ["a file that is not in the table", bad(`/src/app.js?t=${s.token}`), refused(404)],
    ["a mesh without a token", bad("/mesh/0"), refused(403)],
    ["a mesh that is not there", bad(`/mesh/1?t=${s.token}`), refused(404)],
    ["a mesh by a name that is no number", bad(`/mesh/-1?t=${s.token}`), refused(404)],
    ["a mesh by a number that is too long", bad(`/mesh/${"0".repeat(300)}?t=${s.token}`), refused(404)],
    ["another method", () => raw(s.port, `POST /?t=${s.token} HTTP/1.1\r\nHost: 127.0.0.1:${s.port}\r\nContent-Length: 3\r\n\r\nabc`, { until: hasStatus }), async (a) => statusOf(a) !== 200],
    ["no HTTP at all", () => raw(s.port, "\x16\x03\x01\x02\x00garbage\r\n\r\n", { ms: 7000 }), async (a) => statusOf(a) !== 200 && a.isClosed],
    ["HTTP/2 by prior knowledge", () => raw(s.port, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", { ms: 7000 }), async (a) => statusOf(a) !== 200 && a.isClosed],
    ["an oversize header", bad(`/?t=${s.token}`, { "X-Long": "a".repeat(20000) }), async (a) => statusOf(a) !== 200],
    ["a thousand headers", bad(`/?t=${s.token}`, Object.fromEntries([...Array(1000).keys()].map((i) => [`X-${i}`, "abcdefgh"]))), async (a) => statusOf(a) !== 200],
    ["an oversize address", bad(`/?t=${s.token}&x=${"a".repeat(20000)}`), async (a) => statusOf(a) !== 200],
    // the socket
    ["a socket from a foreign Origin", () => upgrade(s, { Origin: evil }), async (a) => statusOf(a) !== 101],
    ["a socket without an Origin", () => upgrade(s, { Origin: null }), async (a) => statusOf(a) !== 101],
    ["a socket with a rebinding Host", () => upgrade(s, { Host: "evil.example" }), async (a) => statusOf(a) !== 101],
    ["a socket without a token", () => upgrade(s, {}, "/ws"), async (a) => statusOf(a) !== 101],
    ["a socket with a wrong token", () => upgrade(s, {}, `/ws?t=${"f".repeat(32)}`), async (a) => statusOf(a) !== 101],
    ["a socket at another path", () => upgrade(s, {}, `/?t=${s.token}`), async (a) => statusOf(a) !== 101],
    ["a socket of another protocol", () => upgrade(s, { "Sec-WebSocket-Protocol": "chat" }), async (a) => statusOf(a) !== 101],
    // what is said on it
    // the library itself would execute a frame without a mask: each of these must end at the door, and
    // none may take a step (the hash is compared after every one)
    ["a frame without a mask", () => afterUpgrade(s, [bare("step 50")]), refusedFrame],
    ["a frame without a mask, with the upgrade in one piece", () => raw(s.port, Buffer.concat([Buffer.from(upgradeText(s)), bare("step 50")]), { ms: 6000, until: isOver }), async (a) => closing(a.bytes) === 1002],
    ["one without a mask behind good ones", () => afterUpgrade(s, [Buffer.concat([frame("ack 1"), frame("ack 1"), bare("step 50")])]), refusedFrame],
    ["one without a mask, byte by byte", () => afterUpgrade(s, [...bare("step 50")].map((b) => Buffer.from([b])), { gap: 5 }), refusedFrame],
    ["good ones byte by byte, then one without a mask", () => afterUpgrade(s, [...[...frame("ack 1"), ...frame("ack 2")].map((b) => Buffer.from([b])), bare("step 50")], { gap: 5 }), refusedFrame],
    ["a first fragment without a mask", () => afterUpgrade(s, [bare("step ", { isFinal: false }), frame("50", { opcode: 0 })]), refusedFrame],
    ["a last fragment without a mask", () => afterUpgrade(s, [frame("step ", { isFinal: false }), bare("50", { opcode: 0 })]), refusedFrame],
    ["a ping without a mask", () => afterUpgrade(s, [bare("", { opcode: 9 })]), refusedFrame],
    ["a close without a mask", () => afterUpgrade(s, [bare(Buffer.from([3, 232]), { opcode: 8 })]), refusedFrame],
    ["no mask and a length of 16 bits", () => afterUpgrade(s, [bare("step 50".padEnd(200))]), refusedFrame],
    ["no mask and a length of 64 bits", () => afterUpgrade(s, [Buffer.concat([Buffer.from([0x81, 127, 0, 0, 0, 0, 0, 0, 0, 7]), Buffer.from("step 50")])]), refusedFrame],
    ["a short length in 64 bits", () => afterUpgrade(s, [Buffer.concat([Buffer.from([0x81, 255, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0]), Buffer.from("step 50")])]), refusedFrame],
    ["a short length in 16 bits", () => afterUpgrade(s, [Buffer.concat([Buffer.from([0x81, 254, 0, 7, 0, 0, 0, 0]), Buffer.from("step 50")])]), refusedFrame],
    ["a negative length", () => afterUpgrade(s, [Buffer.from([0x81, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0])]), refusedFrame],
    ["reserved bits", () => afterUpgrade(s, [frame("step 50", { reserved: 4 })]), refusedFrame],
    ["a continuation of nothing", () => afterUpgrade(s, [frame("step 50", { opcode: 0 })]), refusedFrame],
    ["a message inside a message", () => afterUpgrade(s, [frame("ack", { isFinal: false }), frame("step 50")]), refusedFrame],
    ["a ping in fragments", () => afterUpgrade(s, [frame("", { opcode: 9, isFinal: false })]), refusedFrame],
    ["a ping of 126 bytes", () => afterUpgrade(s, [frame("a".repeat(126), { opcode: 9 })]), refusedFrame],
    ["line ends that are half ones", () => raw(s.port, upgradeText(s).replaceAll("\r\n", "\n"), { until: hasStatus }), refused(400)],
    ["a frame inside the head", () => raw(s.port, Buffer.concat([Buffer.from(upgradeText(s).slice(0, -2)), bare("step 50")]), { until: hasStatus }), refused(400)],
    ["an upgrade behind another request, then no mask", () => raw(s.port, [`GET /view.css?t=${s.token} HTTP/1.1\r\nHost: 127.0.0.1:${s.port}\r\n\r\n${upgradeText(s)}`, bare("step 50")], { ms: 4000, gap: 300 }), async (a) => a.text.includes("HTTP/1.1 101") && a.bytes.includes(Buffer.from([0x88, 2, 3, 0xea]))],
    ["an oversize frame", () => afterUpgrade(s, [frame("a".repeat(100000))]), async (a) => a.isUpgraded && a.status === 1009],
    ["a frame that promises 2^60 bytes", () => afterUpgrade(s, [frame("abc", { length: 2 ** 60 })]), async (a) => a.isUpgraded && a.status > 0],
    ["fragments without end", () => afterUpgrade(s, [frame("step", { isFinal: false }), ...[...Array(30)].map(() => frame("1".repeat(100), { opcode: 0, isFinal: false }))], { ms: 6000 }), async (a) => a.isUpgraded && a.status > 0],
    ["a binary frame", () => afterUpgrade(s, [frame("step 50", { opcode: 2 })]), async (a) => a.isUpgraded && a.status === 1003],
    ["an unknown opcode", () => afterUpgrade(s, [frame("step 50", { opcode: 5 })]), refusedFrame],
    ["words that are no command", () => afterUpgrade(s, [frame("rm -rf /")]), async (a) => a.isUpgraded && a.status === 1008],
    ["a name of a file as a command", () => afterUpgrade(s, [frame("/etc/passwd")]), async (a) => a.isUpgraded && a.status > 0],
    ["numbers that are none", () => afterUpgrade(s, [frame("push 0 nan inf 0 0 0 0 0 0 0")]), async (a) => a.isUpgraded && a.status > 0],
    ["an offset outside the frame", () => afterUpgrade(s, [frame("series 1 999999999")]), async (a) => a.isUpgraded && a.status > 0],
    ["a thousand commands at once", () => afterUpgrade(s, [Buffer.concat([...Array(3000)].map(() => frame("ack 1")))]), async (a) => a.isUpgraded && a.status > 0],
    ["a request that never ends", () => raw(s.port, [..."GET / HTTP/1.1\r\nHost: a\r\nX-a: "].map((c) => c).concat([...Array(60)].map(() => "b")), { ms: 12000, gap: 100 }), async (a) => a.isClosed && statusOf(a) !== 200],
  ];
}

// A name is text: what the server sends holds no markup.
async function checkModel(s) {
  const answer = await (await fetch(`http://127.0.0.1:${s.port}/model.json?t=${s.token}`)).text();
  const model = JSON.parse(answer);
  return !answer.includes("<") && model.bodies.names[0] === "<img src=x onerror=alert(1)>";
}

// Meshes travel by number, in binary.
async function checkMesh(s) {
  const answer = await (await fetch(`http://127.0.0.1:${s.port}/mesh/0?t=${s.token}`)).arrayBuffer();
  const counts = new Uint32Array(answer, 0, 2);
  return counts[0] === 4 && counts[1] === 4 && answer.byteLength === 8 + 12 * 4 + 12 * 4;
}

const countFiles = (pid) => readdirSync(`/proc/${pid}/fd`).length;
const memoryOf = (pid) => +readFileSync(`/proc/${pid}/status`, "utf8").match(/VmRSS:\s+(\d+)/)[1];

let passed = 0;
let failed = 0;
function tell(name, isGood, detail = "") {
  if (isGood) passed++;
  else {
    failed++;
    console.log(`failed: ${name} ${detail}`);
  }
}

const clean = await startServer();
const s = await startServer();
for (const one of [clean, s]) one.child.removeAllListeners("exit");

// many viewers at once, while the attacks go on
const honest = await Viewer.open(s);
honest.send("step 40");
const before = await honest.hash();
tell("forty steps", before.frames === 41, JSON.stringify(before));

for (const [name, attack, isGood] of listAttacks(s)) {
  const answer = await attack();
  tell(name, await isGood(answer), JSON.stringify(answer.text.slice(0, 160)));
  const now = await honest.hash();
  tell(`${name}: no step is taken`, now.hash === before.hash && now.frames === 41, JSON.stringify(now));
}
tell("a body named like markup is text", await checkModel(s));
tell("a mesh is sent by its number", await checkMesh(s));
const after = await honest.hash();
tell("the simulation has not noticed", after.hash === before.hash && after.frames === 41, JSON.stringify([before, after]));

// and it goes on exactly like one that nobody attacked
const calm = await Viewer.open(clean);
calm.send("step 40");
calm.send("step 30");
honest.send("step 30");
tell("it goes on like one that was left alone", (await calm.hash()).hash === (await honest.hash()).hash);
calm.close();
honest.close();

// too many viewers: the ones inside keep their places
const crowd = [];
let turnedAway = 0;
for (let i = 0; i < 24; i++) {
  try {
    crowd.push(await Viewer.open(s));
  } catch {
    turnedAway++;
  }
}
tell("sixteen viewers, the rest is turned away", crowd.length === 16 && turnedAway === 8, `${crowd.length} ${turnedAway}`);
crowd.forEach((v) => v.close());
await wait(500);

// ---- coming and going: no memory, no descriptors are left behind
const cycles = +(process.env.TRAMMEL_CYCLES || 300);
const cycle = async () => {
  const v = await Viewer.open(s);
  await v.close();
};
for (let i = 0; i < 100; i++) await cycle();
await wait(500);
const files = countFiles(s.child.pid);
const memory = memoryOf(s.child.pid);
for (let i = 0; i < cycles; i++) await cycle();
await wait(300);
const grown = memoryOf(s.child.pid) - memory;
tell(`${cycles} visits leave no descriptor`, countFiles(s.child.pid) <= files, `${files} ${countFiles(s.child.pid)}`);
// the allocator may keep a few pages
tell(`${cycles} visits leave no memory`, grown < 1024, `${grown} kB more`);

// ---- eight viewers at sixty frames a second; one of them never answers
const seconds = +(process.env.TRAMMEL_WATCH || 10);
const watchers = [];
for (let i = 0; i < 8; i++) watchers.push(await Viewer.open(s));
const deaf = createConnection({ host: "127.0.0.1", port: s.port });
deaf.pause();
deaf.write(upgradeText(s));
watchers[0].send("play");
await wait(2000);
const start = memoryOf(s.child.pid);
const counted = watchers.map((v) => v.frames);
const frames0 = watchers[0].state.frames;
await wait(1000 * seconds);
const shown = watchers.map((v, i) => (v.frames - counted[i]) / seconds);
const kept = watchers[0].state.frames - frames0;
const more = memoryOf(s.child.pid) - start;
// each frame of two bodies and two joints is below half a kilobyte; the rest would be a queue
tell("eight viewers, no queue", more < 2048 + kept, `${more} kB for ${kept} frames`);
tell("all eight get frames", shown.every((x) => x > 15), shown.map((x) => x.toFixed(0)).join(" "));
console.log(`eight viewers for ${seconds} s: ${Math.min(...shown).toFixed(0)} to ${Math.max(...shown).toFixed(0)} frames/s each, memory ${more >= 0 ? "+" : ""}${more} kB`);
deaf.destroy();
watchers.forEach((v) => v.close());

for (const one of [clean, s]) {
  const gone = new Promise((resolve) => one.child.on("exit", resolve));
  one.child.kill("SIGINT");
  tell("Ctrl-C ends the server well", (await gone) === 0);
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
