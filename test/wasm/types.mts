// types.mts - what a user of the package writes compiles against its declarations.
import { load, TrammelError, type tml_pose } from "../../out/npm/trammel/trammel.mjs";

const trammel = await load();
const model = trammel.Model.fromObject({ bodies: [] });
const sim = model.sim({ formulation: "generalized", step: 0.01, contact: true });
try {
  sim.step([1, 2], 3).step();
} catch (error) {
  if (error instanceof TrammelError) console.log(error.statusName);
}
const numbers: Float64Array = sim.poses;
const pose: tml_pose = trammel.lib.tml_sim_pose(sim.address, { index: 0 });
const out = { value: 0 };
const status: number = trammel.lib.tml_spec_build(trammel.lib.tml_spec_create(), out);
trammel.lib.tml_sim_coordinates(sim.address, new Float64Array(3));
trammel.lib.tml_sim_step(sim.address, null);
// @ts-expect-error: a struct is wanted
trammel.lib.tml_sim_pose(sim.address, 0);
// @ts-expect-error: no such method
sim.stepp();
export { numbers, pose, status };
