// layout.js - where things stand in the numbers of a frame; the twin of viewer/stage.h.
//
//   kinetic, potential, gap, then per body 7 (position, quaternion w x y z);
//   with detail: per body 6 velocities, per joint 6 loads, all joint coordinates, per wrench 6;
//   per point of the skins of deformables 3;
//   with a ghost: per body 7 and per point 3 again.
export const HEADER_BYTES = 40;
export const FRAME_MAGIC = 0x464c4d54; // "TMLF"
// Numbers of a contact: point, force on a, bodies a and b (-1 the world, -2 a deformable).
export const CONTACT = 8;
export const SERIES_MAGIC = 0x534c4d54; // "TMLS"

export class Layout {
  constructor(model) {
    const n = model.bodies.names.length;
    const m = model.joints.names.length;
    this.poses = 3;
    this.velocities = this.poses + 7 * n;
    this.loads = this.velocities + (model.detail ? 6 * n : 0);
    this.coordinates = this.loads + (model.detail ? 6 * m : 0);
    this.wrenches = this.coordinates + (model.detail ? model.coordinateCount : 0);
    this.skins = this.wrenches + (model.detail ? 6 * model.wrenches.length : 0);
    const points = model.deformables.reduce((sum, d) => sum + d.points, 0);
    this.ghost = this.skins + 3 * points;
    this.ghostSkins = this.ghost + 7 * n;
    this.total = -1; // the one series that is a sum
  }
}

export function readFrame(buffer) {
  const head = new DataView(buffer);
  const floats = head.getUint32(24, true);
  const contacts = head.getUint32(28, true);
  return {
    seq: head.getUint32(4, true),
    index: head.getUint32(8, true),
    count: head.getUint32(12, true),
    time: head.getFloat64(16, true),
    hasGhost: (head.getUint32(32, true) & 1) !== 0,
    values: new Float32Array(buffer, HEADER_BYTES, floats),
    contacts: new Float32Array(buffer, HEADER_BYTES + 4 * floats, CONTACT * contacts),
  };
}
