// record.mjs - a run of the module as the recording that the tool writes. In Node and in the browser.

// Every method and kind of joint: loops, redundant rows, gears, contact, stops. Steps each.
export const SCENES = [
  ["pendulum", 100], ["double-pendulum", 100], ["four-bar", 60], ["bricard", 30], ["heavy-top", 100],
  ["gears", 60], ["flap", 60], ["robot-arm", 40], ["scissor-lift", 20], ["box-stack", 60],
];

const ALL = 1 | 2 | 4 | 8 | 16; // poses, velocities, joints, energy, gap

export function record({ Model, lib, readFile }, text, name, steps) {
  const model = Model.fromText(text, name);
  const sim = model.sim();
  const out = { value: 0 };
  const path = `/${name}.csv`;
  if (lib.tml_recorder_create(sim.address, path, ALL, 0, 0, out) !== lib.TML_OK) throw new Error("no recorder");
  lib.tml_recorder_write(out.value, sim.address);
  for (let i = 0; i < steps; i++) lib.tml_recorder_write(out.value, sim.step().address);
  if (lib.tml_recorder_close(out.value) !== lib.TML_OK) throw new Error("the recording is not complete");
  sim.free();
  model.free();
  return new TextDecoder().decode(readFile(path));
}
