// source.js - frames from a Worker: to the viewer's page it is a server that is very near.
import { RemoteSource, readMesh } from "../../viewer/page/src/source.js";

const MEGABYTES = 256; // of history

export class WorkerSource extends RemoteSource {
  // `code` is the text of worker.js; as a blob it runs on pages that are opened from disk too.
  constructor(code, wasm) {
    super("");
    this.wasm = wasm;
    const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    this.worker = new Worker(address);
    URL.revokeObjectURL(address);
    // what RemoteSource asks of a socket
    this.socket = { readyState: WebSocket.OPEN, send: (words) => this.worker.postMessage(words) };
  }

  // The scene's text, and files that it names: [[path, bytes], ...]. Refuses with the library's sentence.
  open(text, name, files) {
    return new Promise((resolve, reject) => {
      this.worker.onerror = (event) => reject(new Error(event.message || "the simulation has ended"));
      this.worker.onmessage = ({ data }) => {
        if (!data.opened) return reject(new Error(data.failed));
        this.model = data.model;
        this.meshes = data.meshes.map((packed) => (packed ? readMesh(packed) : null));
        this.worker.onmessage = (event) => this.receive(event.data);
        this.worker.onerror = (event) => this.onFailure(event.message || "the simulation has ended");
        resolve(this);
      };
      this.worker.postMessage({ wasm: this.wasm, text, name, files, megabytes: MEGABYTES });
    });
  }

  onFailure() {}

  start() {
    this.send("begin");
    return Promise.resolve();
  }

  // A number for every bit that was shown, as `trammel view` has it.
  hash() {
    return new Promise((resolve) => {
      const { onState } = this;
      this.onState = (state) => {
        if (state.type !== "hash") return onState(state);
        this.onState = onState;
        resolve(state.hash);
      };
      this.send("hash");
    });
  }

  close() {
    this.worker.terminate();
  }
}
