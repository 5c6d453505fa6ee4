// node.mjs - the npm package in Node: bits, files, structs, errors.
//   node node.mjs PACKAGE TRAMMEL FOLDER
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { record, SCENES } from "./record.mjs";

const [folderOfPackage, tool, folder] = process.argv.slice(2);
const { load, TrammelError } = await import(pathToFileURL(resolve(folderOfPackage, "trammel.mjs")));
mkdirSync(folder, { recursive: true });

let passed = 0;
let failed = 0;
function check(what, isGood, seen = "") {
  if (isGood) passed++;
  else {
    failed++;
    console.log(`FAILED ${what} ${seen}`);
  }
}
const refuses = (what, pattern, call) => {
  try {
    call();
    check(what, false, "nothing was thrown");
  } catch (error) {
    check(what, pattern.test(error.message), error.message);
  }
};

const trammel = await load();
const { lib, Model } = trammel;

// The recordings of the tool and of the module, byte for byte: every pose, velocity, load, energy and gap.
function bits() {
  for (const [name, steps] of SCENES) {
    const text = execFileSync(tool, ["scene", name], { encoding: "utf8" });
    writeFileSync(join(folder, `${name}.json`), text);
    const model = Model.fromText(text, name);
    const duration = steps * model.settings.step;
    execFileSync(tool, ["run", `${name}.json`, "--duration", String(duration), "--out", `${name}.csv`, "--record", "pose,velocity,joints,energy,gap"], { cwd: folder, stdio: "pipe" });
    const native = readFileSync(join(folder, `${name}.csv`), "utf8");
    const ours = record(trammel, text, name, steps);
    check(`${name}: ${steps} steps, byte for byte`, native === ours && native.split("\n").length === steps + 3, `${native.length} and ${ours.length} bytes`);
    model.free();
  }
}

const pendulum = {
  name: "pendulum",
  bodies: [{ name: "rod", mass: 1, inertia: [0.01, 0.083, 0.083], position: [0.5, 0, 0] }],
  joints: [{ name: "pin", type: "revolute", base: "world", follower: "rod", axis: [0, 1, 0], actuation: "force" }],
};

function classes() {
  const model = Model.fromObject(pendulum);
  check("names", model.bodies.join() === "rod" && model.joints.join() === "pin" && model.controlCount === 1);
  const sim = model.sim({ formulation: "generalized", step: 0.005 });
  sim.step([0.5], 10);
  check("time", Math.abs(sim.time - 0.05) < 1e-12, sim.time);
  const kept = sim.save();
  const after = [...sim.step([0.5], 10).poses];
  sim.restore(kept);
  check("restored, the same bits", sim.step([0.5], 10).poses.every((x, i) => x === after[i]));
  sim.reset();
  check("reset", sim.time === 0 && sim.poses[0] === 0.5);
  check("loads of a rod that is held", Math.abs(model.sim().loads.length - 6) === 0);
  refuses("too few controls", /1 controls are wanted/, () => sim.step([]));
  refuses("no such formulation", /no formulation 'quick'/, () => model.sim({ formulation: "quick" }));
  refuses("no such setting", /no setting 'stp'/, () => model.sim({ stp: 1 }));
  refuses("an unknown key, with its line", /scene:1: /, () => Model.fromObject({ ...pendulum, boddies: [] }));
  sim.free();
  model.free();
}

function structs() {
  const settings = lib.tml_sim_settings_default();
  check("a struct is answered", settings.step === 0.01 && settings.contact.is_on === false && settings.affine.young === Infinity);
  const spec = lib.tml_spec_create();
  const def = { ...lib.tml_body_def_default(), name: "ball", mass: 2, inertia: [1, 1, 1, 0, 0, 0], pose: { p: { x: 1, y: 2, z: 3 }, q: { w: 1, x: 0, y: 0, z: 0 } } };
  const body = lib.tml_spec_add_body(spec, def);
  check("a struct of one number", body.index === 0, JSON.stringify(body));
  const out = { value: 0 };
  check("a box", lib.tml_spec_build(spec, out) === lib.TML_OK && out.value !== 0, lib.tml_spec_message(spec));
  check("a text of a struct", lib.tml_model_body_name(out.value, body) === "ball" && lib.tml_model_find_body(out.value, "ball").index === 0);
  check("a negative number in a struct", lib.tml_model_find_body(out.value, "none").index < 0);
  const simAt = { value: 0 };
  check("a simulation", lib.tml_sim_create(out.value, settings, simAt) === lib.TML_OK);
  lib.tml_sim_step(simAt.value, null);
  check("a struct by value", lib.tml_sim_push(simAt.value, body, { x: 0, y: 0, z: 0 }, { x: 1, y: 0, z: 0 }, { x: 0, y: 0, z: 0 }) === lib.TML_OK);
  check("a pose", lib.tml_sim_pose(simAt.value, body).p.y === 2);
  check("a report with long numbers and a text", lib.tml_sim_get_report(simAt.value).steps === 1 && typeof lib.tml_sim_get_report(simAt.value).solver === "string");
  const poses = new Float64Array(7);
  lib.tml_sim_poses(simAt.value, poses);
  check("a typed array is filled", poses[0] === 1 && poses[1] === 2 && poses[3] === 1);
  refuses("too few values", /takes 2 values/, () => lib.tml_sim_step(simAt.value));
  lib.tml_sim_destroy(simAt.value);
  lib.tml_model_destroy(out.value);
  lib.tml_spec_destroy(spec);
}

function files() {
  trammel.writeFile("/robot/meshes/tetra.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  trammel.writeFile("/robot/robot.xml", `<mujoco model="tetra"><asset><mesh name="t" file="meshes/tetra.obj"/></asset><worldbody><geom type="plane" size="1 1 1"/>
    <body pos="0 0 0.5"><freejoint/><geom type="mesh" mesh="t" density="1000"/></body></worldbody></mujoco>`);
  const model = Model.fromFile("/robot/robot.xml");
  const sim = model.sim();
  sim.step(null, 300);
  const { contacts } = sim;
  const up = contacts.reduce((sum, c) => sum + c.force.z, 0);
  check("a mesh falls onto the ground and lies there", contacts.length >= 3 && Math.abs(up - (1000 / 6) * 9.81) < 1, `${contacts.length} contacts, ${up} N`);
  refuses("a file that is not there", /cannot be|No such|not/, () => Model.fromFile("/none.xml"));
  sim.free();
  model.free();
}

for (const part of [bits, classes, structs, files]) {
  try {
    part();
  } catch (error) {
    check(part.name, false, error.stack);
  }
}
check("errors are ours", new TrammelError(-1, "x", "y") instanceof Error);
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed > 0 ? 1 : 0);
