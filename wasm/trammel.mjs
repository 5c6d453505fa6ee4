// trammel.mjs - Trammel in JavaScript: the C interface under its own names, and Model and Sim on top of it.
//
//   import { load } from "trammel";
//   const trammel = await load();
//   const model = trammel.Model.fromText(await (await fetch("robot.xml")).text());
//   const sim = model.sim({ step: 0.005 });
//   sim.step(); sim.poses;
//
// Objects of the library are addresses. Structs are plain objects, in and out; arrays that a function writes are
// typed arrays, which are copied in and back. Model and Sim free what they own when free() is called.
import create from "./trammel-core.mjs";
import { constants, functions, structs } from "./declarations.mjs";

const READ = { d: "getFloat64", f: "getFloat32", i: "getInt32", u: "getUint32", l: "getBigInt64", L: "getBigUint64", b: "getUint8", c: "getInt8", C: "getUint8", p: "getUint32", s: "getUint32" };
const BYTES = { d: 8, f: 4, i: 4, u: 4, l: 8, L: 8, b: 1, c: 1, C: 1, p: 4, s: 4 };

// The module's memory, as values of C.
class Memory {
  constructor(core) {
    this.core = core;
  }

  // memory may grow, and moves then
  get view() {
    const { buffer } = this.core.HEAPU8;
    if (!this.kept || this.kept.buffer !== buffer) this.kept = new DataView(buffer);
    return this.kept;
  }

  text(at) {
    return at === 0 ? null : this.core.UTF8ToString(at);
  }

  get(kind, at) {
    if (structs[kind]) return this.getStruct(kind, at);
    const value = this.view[READ[kind]](at, true);
    if (kind === "l" || kind === "L") return Number(value);
    if (kind === "b") return value !== 0;
    return kind === "s" ? this.text(value) : value;
  }

  getStruct(name, at) {
    const out = {};
    for (const [field, kind, offset, count] of structs[name].fields) {
      const size = this.size(kind);
      out[field] = count === 0 ? this.get(kind, at + offset) : Array.from({ length: count }, (_, i) => this.get(kind, at + offset + i * size));
    }
    return out;
  }

  // `keep` takes the text of a struct's member, which must live as long as the struct is used.
  set(kind, at, value, keep) {
    if (structs[kind]) {
      for (const [field, inner, offset, count] of structs[kind].fields) {
        if (value[field] === undefined) throw new TypeError(`${kind}.${field} is missing`);
        const size = this.size(inner);
        if (count === 0) this.set(inner, at + offset, value[field], keep);
        else for (let i = 0; i < count; i++) this.set(inner, at + offset + i * size, value[field][i] ?? 0, keep);
      }
      return;
    }
    let x = value;
    if (kind === "s" && typeof x === "string") x = keep(x);
    if (kind === "l" || kind === "L") x = BigInt(x ?? 0);
    else x = Number(x ?? 0);
    this.view[READ[kind].replace("get", "set")](at, x, true);
  }

  size(kind) {
    return structs[kind] ? structs[kind].size : BYTES[kind];
  }
}

// What one call needs beside its numbers: copies of texts, structs and arrays, for as long as it lasts.
class Call {
  constructor(core, memory) {
    this.core = core;
    this.memory = memory;
    this.taken = [];
    this.after = [];
  }

  take(bytes) {
    const at = this.core._malloc(Math.max(bytes, 8));
    if (at === 0) throw new Error("out of memory");
    this.taken.push(at);
    return at;
  }

  text(words) {
    const length = this.core.lengthBytesUTF8(words) + 1;
    const at = this.take(length);
    this.core.stringToUTF8(words, at, length);
    return at;
  }

  value(kind, value) {
    const at = this.take(this.memory.size(kind));
    this.memory.set(kind, at, value, (words) => this.text(words));
    return at;
  }

  array(view, isRead) {
    const at = this.take(view.byteLength);
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    this.core.HEAPU8.set(bytes, at);
    if (!isRead) this.after.push(() => bytes.set(this.core.HEAPU8.subarray(at, at + bytes.length)));
    return at;
  }

  several(kind, values, isRead) {
    const size = this.memory.size(kind);
    const at = this.take(size * values.length);
    values.forEach((value, i) => this.memory.set(kind, at + i * size, value, (words) => this.text(words)));
    if (!isRead) this.after.push(() => values.forEach((value, i) => Object.assign(value, this.memory.get(kind, at + i * size))));
    return at;
  }

  box(kind, box, isRead) {
    const at = this.value(kind, box.value ?? 0);
    if (!isRead) this.after.push(() => (box.value = this.memory.get(kind, at)));
    return at;
  }

  pointer(kind, value) {
    if (value === null || value === undefined) return 0;
    if (typeof value === "number") return value;
    if (kind === "p") throw new TypeError("an address is wanted here");
    const isRead = kind[0] === "&";
    const inner = kind.slice(1);
    if (ArrayBuffer.isView(value)) return this.array(value, isRead);
    if (Array.isArray(value)) {
      if (structs[inner] || isRead) return this.several(inner, value, isRead);
      throw new TypeError("an array that is written must be a typed array");
    }
    if (structs[inner]) return this.several(inner, [value], isRead);
    if ("value" in value) return this.box(inner, value, isRead);
    throw new TypeError("a typed array, or { value }, is wanted here");
  }

  argument(kind, value) {
    if (structs[kind]) return structs[kind].direct ? this.direct(kind, value) : this.value(kind, value);
    if (kind === "s") return typeof value === "string" ? this.text(value) : value ?? 0;
    if (kind === "p" || kind[0] === "*" || kind[0] === "&") return this.pointer(kind, value);
    if (kind === "l" || kind === "L") return BigInt(value);
    return Number(value);
  }

  // A struct of one number travels as that number.
  direct(kind, value) {
    const [field, inner] = structs[kind].fields[0];
    return structs[inner] ? this.direct(inner, value[field]) : Number(value[field]);
  }

  run(name, values) {
    const [answer, parameters] = functions[name];
    if (values.length !== parameters.length) throw new TypeError(`${name} takes ${parameters.length} values: ${parameters.map(([p]) => p).join(", ")}`);
    const isIndirect = structs[answer] && !structs[answer].direct;
    const out = isIndirect ? this.take(structs[answer].size) : 0;
    const given = parameters.map(([parameter, kind], i) => {
      try {
        return this.argument(kind, values[i]);
      } catch (error) {
        throw new TypeError(`${name}, ${parameter}: ${error.message}`);
      }
    });
    const result = this.core[`_${name}`](...(isIndirect ? [out, ...given] : given));
    for (const write of this.after) write();
    if (isIndirect) return this.memory.get(answer, out);
    return this.answer(answer, result);
  }

  answer(kind, result) {
    if (kind === "v") return undefined;
    if (kind === "s") return this.memory.text(result);
    if (kind === "b") return result !== 0;
    if (kind === "l" || kind === "L") return Number(result);
    if (kind === "p" || kind === "u" || kind[0] === "*" || kind[0] === "&") return result >>> 0;
    if (structs[kind]) return { [structs[kind].fields[0][0]]: result };
    return result;
  }

  end() {
    for (const at of this.taken) this.core._free(at);
  }
}

function bind(core) {
  const memory = new Memory(core);
  const lib = { ...constants };
  for (const name of Object.keys(functions)) {
    lib[name] = (...values) => {
      const call = new Call(core, memory);
      try {
        return call.run(name, values);
      } finally {
        call.end();
      }
    };
  }
  return { lib, memory };
}

/** What the library refuses: its sentence, and the status with its name. */
export class TrammelError extends Error {
  constructor(status, name, sentence) {
    super(sentence || name);
    this.name = "TrammelError";
    this.status = status;
    this.statusName = name;
  }
}

// Node has no fetch for files.
async function bytesOfModule() {
  const isNode = typeof process === "object" && process.versions && process.versions.node;
  const address = new URL("./trammel-core.wasm", import.meta.url);
  if (isNode) return (await import("node:fs")).readFileSync(address);
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address.href}: ${answer.status}`);
  return answer.arrayBuffer();
}

/** Start the library. `wasm`: the bytes of trammel-core.wasm, where they are not beside this file. */
export async function load({ wasm } = {}) {
  const core = await create({ wasmBinary: wasm ?? (await bytesOfModule()), locateFile: (path) => path });
  const { lib, memory } = bind(core);

  const check = (status, sentence) => {
    if (status !== lib.TML_OK) throw new TrammelError(status, lib.tml_status_name(status), sentence());
  };

  // As the tool does: loops that a robot's file leaves open are closed.
  function closeLoops(scene, model) {
    const poses = core._malloc(Math.max(56 * lib.tml_model_body_count(model), 8));
    const report = core._malloc(structs.tml_assemble_report.size);
    const why = new Uint8Array(512);
    try {
      const status = lib.tml_model_assemble(model, lib.tml_assemble_settings_default(), poses, report, why, 512);
      check(status, () => new TextDecoder().decode(why.subarray(0, why.indexOf(0))));
      const spec = lib.tml_scene_spec(scene);
      check(lib.tml_spec_set_poses(spec, poses), () => lib.tml_spec_message(spec));
    } finally {
      core._free(poses);
      core._free(report);
      lib.tml_model_destroy(model);
    }
    return build(scene);
  }

  function build(scene) {
    const out = { value: 0 };
    check(lib.tml_scene_build(scene, out), () => lib.tml_scene_message(scene));
    return out.value;
  }

  class Model {
    /** Of a scene of the library, which the model then owns; use fromText, fromFile or fromObject. */
    constructor(scene) {
      this.scene = scene;
      this.address = build(scene);
      const run = lib.tml_scene_settings(scene);
      const settings = memory.get("tml_run_settings", run);
      this.settings = settings.sim;
      this.duration = settings.duration;
      const isOpen = lib.tml_model_summarise(this.address).max_gap > this.settings.tolerance;
      if (isOpen && lib.tml_scene_is_model(scene)) this.address = closeLoops(scene, this.address);
      const names = (count, name) => Array.from({ length: count }, (_, i) => name(i));
      this.name = lib.tml_model_name(this.address);
      this.bodies = names(lib.tml_model_body_count(this.address), (index) => lib.tml_model_body_name(this.address, { index }));
      this.joints = names(lib.tml_model_joint_count(this.address), (index) => lib.tml_model_joint_name(this.address, { index }));
      this.controlCount = lib.tml_model_control_count(this.address);
    }

    static read(take) {
      const scene = lib.tml_scene_create();
      try {
        check(take(scene), () => lib.tml_scene_message(scene));
        return new Model(scene);
      } catch (error) {
        lib.tml_scene_destroy(scene);
        throw error;
      }
    }

    /** A scene in JSON, or a robot in MJCF, URDF or SDF. */
    static fromText(text, name = "scene") {
      return Model.read((scene) => lib.tml_scene_read_text(scene, text, core.lengthBytesUTF8(text), name));
    }

    /** A scene as an object with the keys of the scene format. */
    static fromObject(object, name = "scene") {
      return Model.fromText(JSON.stringify({ trammel: 1, ...object }), name);
    }

    /** A file of the module's own file system (writeFile): robots whose meshes lie beside them. */
    static fromFile(path) {
      return Model.read((scene) => lib.tml_scene_read_file(scene, path));
    }

    /** What the file asks for and is not simulated, or not as written: a sentence each. */
    get remarks() {
      return Array.from({ length: lib.tml_scene_lint_count(this.scene) }, (_, i) => lib.tml_scene_lint(this.scene, i));
    }

    /** A run. Options: formulation and integrator by name, and every number of tml_sim_settings. */
    sim(options = {}) {
      return new Sim(this, options);
    }

    free() {
      lib.tml_model_destroy(this.address);
      lib.tml_scene_destroy(this.scene);
      this.address = this.scene = 0;
    }
  }

  const find = (call, name, what) => {
    const out = { value: 0 };
    if (!call(name, out)) throw new TrammelError(lib.TML_BAD_ARGUMENT, "TML_BAD_ARGUMENT", `no ${what} '${name}'`);
    return out.value;
  };

  function settingsOf(model, { formulation, integrator, contact, ...numbers }) {
    const settings = structuredClone(model.settings);
    if (formulation !== undefined) {
      settings.formulation = find(lib.tml_formulation_find, formulation, "formulation");
      // that of the scene where it goes with the formulation, else the formulation's own
      if (!lib.tml_pairing_exists(settings.formulation, settings.integrator)) settings.integrator = lib.tml_formulation_default_integrator(settings.formulation);
    }
    if (integrator !== undefined) settings.integrator = find(lib.tml_integrator_find, integrator, "integrator");
    if (contact !== undefined) settings.contact.is_on = contact;
    for (const [key, value] of Object.entries(numbers)) {
      if (!(key in settings) || typeof settings[key] !== "number") throw new TrammelError(lib.TML_BAD_ARGUMENT, "TML_BAD_ARGUMENT", `no setting '${key}'`);
      settings[key] = value;
    }
    return settings;
  }

  class Sim {
    constructor(model, options) {
      this.model = model;
      const out = { value: 0 };
      const status = lib.tml_sim_create(model.address, settingsOf(model, options), out);
      this.address = out.value;
      try {
        check(status, () => (this.address ? lib.tml_sim_message(this.address) : ""));
      } catch (error) {
        this.free();
        throw error;
      }
    }

    /** So many steps. `controls`: one number per actuated axis, held; null: the model's own. The state stays where a step fails. */
    step(controls = null, steps = 1) {
      const given = controls === null ? null : Float64Array.from(controls);
      if (given !== null && given.length !== this.model.controlCount) throw new TrammelError(lib.TML_BAD_ARGUMENT, "TML_BAD_ARGUMENT", `${this.model.controlCount} controls are wanted, ${given.length} are given`);
      for (let i = 0; i < steps; i++) check(lib.tml_sim_step(this.address, given), () => lib.tml_sim_message(this.address));
      return this;
    }

    get time() {
      return lib.tml_sim_time(this.address);
    }

    /** 7 numbers a body: position, quaternion w x y z. */
    get poses() {
      return this.numbers(7 * this.model.bodies.length, lib.tml_sim_poses);
    }

    /** 6 numbers a body: linear and angular velocity of its frame, world axes. */
    get velocities() {
      return this.numbers(6 * this.model.bodies.length, lib.tml_sim_velocities);
    }

    /** The free coordinates of all joints, in their order. */
    get coordinates() {
      return this.numbers(lib.tml_model_coordinate_count(this.model.address), lib.tml_sim_coordinates);
    }

    get rates() {
      return this.numbers(lib.tml_model_coordinate_count(this.model.address), lib.tml_sim_rates);
    }

    /** 6 numbers a joint: force and moment on its follower, the base's joint axes. */
    get loads() {
      return this.numbers(6 * this.model.joints.length, lib.tml_sim_loads);
    }

    numbers(count, get) {
      const out = new Float64Array(count);
      get(this.address, out);
      return out;
    }

    get contacts() {
      return Array.from({ length: lib.tml_sim_contact_count(this.address) }, (_, i) => lib.tml_sim_contact(this.address, i));
    }

    get energy() {
      return lib.tml_sim_energy(this.address);
    }

    get gap() {
      return lib.tml_sim_gap(this.address);
    }

    reset() {
      check(lib.tml_sim_reset(this.address), () => lib.tml_sim_message(this.address));
      return this;
    }

    /** Everything that the next step depends on: restore() goes on from there with the same bits. */
    save() {
      const state = new Uint8Array(lib.tml_sim_state_size(this.address));
      const at = core._malloc(state.length);
      try {
        check(lib.tml_sim_save(this.address, at), () => lib.tml_sim_message(this.address));
        state.set(core.HEAPU8.subarray(at, at + state.length));
      } finally {
        core._free(at);
      }
      return state;
    }

    restore(state) {
      const at = core._malloc(state.length);
      core.HEAPU8.set(state, at);
      try {
        check(lib.tml_sim_restore(this.address, at, state.length), () => lib.tml_sim_message(this.address));
      } finally {
        core._free(at);
      }
      return this;
    }

    free() {
      lib.tml_sim_destroy(this.address);
      this.address = 0;
    }
  }

  /** Put a file where scenes and robots find it: bytes or text. */
  const writeFile = (path, bytes) => {
    const at = path.lastIndexOf("/");
    if (at > 0) core.FS.mkdirTree(path.slice(0, at));
    core.FS.writeFile(path, bytes);
  };
  const readFile = (path) => core.FS.readFile(path);

  return { Model, Sim, TrammelError, lib, core, memory, writeFile, readFile, version: lib.tml_version() };
}
