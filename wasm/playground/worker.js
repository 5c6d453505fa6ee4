// worker.js - the simulation of a playground: the player (wasm/player.c) with a clock. One Worker shows one scene;
// the page starts another for the next and ends this one, so nothing that a scene does outlives it.
//
// In: { wasm, text, name, files, megabytes } once, then lines of words. Out: { opened, model, meshes } or { failed },
// then what the server of `trammel view` sends: states as text, frames and series as bytes.
import createPlayer from "player-module";

const FRAME_MS = 1000 / 60;
const STATE_MS = 100;
const WORK_S = 0.012; // of simulation in one turn
const IN_FLIGHT = 2; // frames that the page has not seen yet

const FOLDER = "/files";

let player;
let inFlight = 0;
let last = 0;
let stateSent = 0;
let isWatched = true;

const withText = (words, use) => {
  const length = player.lengthBytesUTF8(words) + 1;
  const at = player._malloc(length);
  player.stringToUTF8(words, at, length);
  const answer = use(at);
  player._free(at);
  return answer;
};

const textAt = (at) => (at ? player.UTF8ToString(at) : "");

// The bytes of the last answer, as a buffer of their own.
const packet = (at) => (at ? player.HEAPU8.slice(at, at + player._player_size()).buffer : null);

function writeFile(name, bytes) {
  const path = `${FOLDER}/${name}`;
  player.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
  player.FS.writeFile(path, bytes);
}

async function open({ wasm, text, name, files, megabytes }) {
  player = await createPlayer({
    locateFile: (path) => path, // nothing is fetched: the module is there
    instantiateWasm: (imports, done) => {
      WebAssembly.instantiate(wasm, imports).then((instance) => done(instance));
      return {};
    },
  });
  writeFile(name, text);
  for (const [path, bytes] of files) if (path !== name) writeFile(path, bytes);
  player.FS.chdir(FOLDER);
  const status = withText(name, (at) => player._player_open(at, megabytes));
  if (status !== 0) return postMessage({ failed: textAt(player._player_message()) });
  const model = JSON.parse(textAt(player._player_model()));
  const meshes = model.meshes.map((mesh, i) => (mesh.drawn ? packet(player._player_mesh(i)) : null));
  last = performance.now();
  postMessage({ opened: true, model, meshes }, meshes.filter(Boolean));
}

function sendState() {
  stateSent = performance.now();
  postMessage(textAt(player._player_state()));
}

function turn() {
  const now = performance.now();
  // while nobody looks, time stands still
  const isNew = isWatched && player._player_turn((now - last) / 1000, WORK_S);
  last = now;
  if (isNew && inFlight < IN_FLIGHT) {
    const frame = packet(player._player_frame());
    if (frame) {
      inFlight++;
      postMessage(frame, [frame]);
    }
  }
  if (now - stateSent > STATE_MS) sendState();
  setTimeout(turn, Math.max(0, FRAME_MS - (performance.now() - now)));
}

function obey(words) {
  if (words === "begin") return turn();
  if (words === "watch") return void (isWatched = true);
  if (words === "unwatch") return void (isWatched = false);
  if (words === "hash") return postMessage(JSON.stringify({ type: "hash", hash: textAt(player._player_hash()) }));
  if (words.startsWith("ack ")) inFlight = Math.max(0, inFlight - 1);
  const answer = withText(words, (at) => player._player_command(at));
  if (answer === 1) {
    const numbers = packet(player._player_series());
    if (numbers) postMessage(numbers, [numbers]);
  } else if (!words.startsWith("ack ")) sendState();
}

onmessage = (event) => {
  if (typeof event.data === "string") obey(event.data);
  else open(event.data).catch((error) => postMessage({ failed: String(error.message || error) }));
};
