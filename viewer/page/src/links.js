// links.js - what pulls between bodies: springs, dampers, tendons; and the limits of joints.
import * as THREE from "three";
import { Pool } from "./instances.js";
import { cross, dot, fromZ, minus, multiply, plus, rotate } from "./maths.js";
import { COLORS } from "./theme.js";

const TURNS = 7; // of a coil

// A coil along z of length 1 and radius 1, whose wire is a tube.
function coil() {
  class Helix extends THREE.Curve {
    getPoint(t, out = new THREE.Vector3()) {
      const inner = Math.min(Math.max((t - 0.08) / 0.84, 0), 1);
      const radius = t < 0.08 ? t / 0.08 : t > 0.92 ? (1 - t) / 0.08 : 1;
      const a = 2 * Math.PI * TURNS * inner;
      return out.set(radius * Math.cos(a), radius * Math.sin(a), t * 8);
    }
  }
  return new THREE.TubeGeometry(new Helix(), 22 * TURNS, 0.16, 5).scale(1, 1, 1 / 8);
}

const rod = (radius, from, to) =>
  new THREE.CylinderGeometry(radius, radius, to - from, 10).rotateX(Math.PI / 2).translate(0, 0, 0.5 * (from + to));

export class Links {
  constructor(scene, world, model) {
    this.world = world;
    this.springs = model.springs;
    this.rests = this.springs.map((s) => s.rest);
    const material = (color) => new THREE.MeshLambertMaterial({ color });
    this.coils = new Pool(scene, coil(), material(0xffffff));
    this.pots = new Pool(scene, rod(1, 0.2, 0.62), material(COLORS.damper));
    this.rods = new Pool(scene, rod(0.4, 0, 1), material(0x55636e));
    this.cords = new Pool(scene, rod(1, 0, 1), material(0xffffff));
    this.strain = new THREE.Color();
  }

  pointOf(spring, k) {
    const pose = this.world.poseOf(spring.bodies[k]);
    return plus(pose.p, rotate(pose.q, spring.points.slice(3 * k, 3 * k + 3)));
  }

  lengthOf(spring) {
    let sum = 0;
    for (let k = 1; k < spring.bodies.length; k++) sum += Math.hypot(...minus(this.pointOf(spring, k), this.pointOf(spring, k - 1)));
    return sum;
  }

  // Pulled: red; pressed: blue; at rest: grey.
  colorOf(stretch) {
    const s = Math.max(-1, Math.min(1, stretch / 0.35));
    return this.strain.setHex(COLORS.spring).lerp(new THREE.Color(s > 0 ? 0xd1495b : 0x3d7ea6), Math.abs(s));
  }

  place(isOn) {
    const pools = [this.coils, this.pots, this.rods, this.cords];
    const segments = this.springs.reduce((n, s) => n + s.bodies.length - 1, 0);
    if (!isOn || segments === 0) {
      for (const p of pools) p.hide();
      return;
    }
    for (const p of pools) p.begin(segments);
    this.springs.forEach((s, i) => this.placeOne(s, i));
    for (const p of pools) p.end();
  }

  placeOne(s, i) {
    const size = this.world.size;
    const thin = 0.0035 * size;
    const total = this.lengthOf(s);
    if (!(this.rests[i] >= 0)) this.rests[i] = total; // a spring at rest where it begins
    const stretch = this.rests[i] > 0 ? total / this.rests[i] - 1 : total > 0 ? 1 : 0;
    const isLarge = this.springs.length > 400;
    for (let k = 1; k < s.bodies.length; k++) {
      const from = this.pointOf(s, k - 1);
      const d = minus(this.pointOf(s, k), from);
      const length = Math.hypot(...d);
      if (!(length > 1e-9)) continue;
      const q = fromZ(d.map((x) => x / length));
      const radius = Math.min(0.016 * size, 0.12 * length);
      if (s.look === "spring" && !isLarge) {
        this.coils.add(from, q, radius, radius, length);
        this.coils.color(this.colorOf(stretch));
      } else if (s.look === "damper") {
        this.rods.add(from, q, 0.7 * radius, 0.7 * radius, length);
        this.pots.add(from, q, 0.7 * radius, 0.7 * radius, length);
      } else {
        this.cords.add(from, q, s.look === "spring" ? 0.5 * thin : thin, s.look === "spring" ? 0.5 * thin : thin, length);
        this.cords.color(s.look === "spring" ? this.colorOf(stretch) : this.strain.setHex(COLORS.tendon));
      }
    }
  }

  // Which spring is under the pointer, in words.
  meshes() {
    return [this.coils, this.pots, this.rods, this.cords].map((p) => p.mesh).filter((m) => m && m.visible);
  }
}

// The range of a joint axis: a sector from the lower to the upper limit and a needle where the axis is; a
// bar and a mark where it slides. Red within a hundredth of the range of a limit.
export class Limits {
  constructor(scene, world, model, layout) {
    this.world = world;
    this.model = model;
    this.layout = layout;
    this.group = new THREE.Group();
    scene.add(this.group);
    this.items = [];
  }

  build(size) {
    this.group.clear();
    this.items = this.model.limits
      .filter((l) => l.high > l.low && Number.isFinite(l.high - l.low))
      .slice(0, 200)
      .map((l) => this.buildOne(l, size));
  }

  buildOne(limit, size) {
    const { joints } = this.model;
    const axis = joints.axes[limit.joint][limit.axis];
    const isTurn = axis[0] === "r";
    const frame = joints.frameBase.slice(7 * limit.joint, 7 * limit.joint + 7);
    const unit = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] }[axis[1]];
    const paint = (opacity) => new THREE.MeshBasicMaterial({ color: COLORS.limit, transparent: true, opacity, side: THREE.DoubleSide, depthWrite: false });
    const item = { limit, base: joints.base[limit.joint], isTurn, size, group: new THREE.Group() };
    item.local = [...frame.slice(0, 3), ...multiply(frame.slice(3), fromZ(unit))];
    if (isTurn) {
      // where zero points to: along the follower's reach is not known, so across the axis
      const span = Math.min(limit.high - limit.low, 2 * Math.PI);
      item.range = new THREE.Mesh(new THREE.RingGeometry(0.35 * size, size, 40, 1, limit.low, span), paint(0.28));
      item.mark = new THREE.Mesh(new THREE.PlaneGeometry(size, 0.06 * size).translate(0.5 * size, 0, 0), paint(0.95));
    } else {
      const length = limit.high - limit.low;
      item.range = new THREE.Mesh(new THREE.BoxGeometry(0.1 * size, 0.1 * size, length).translate(0, 0, 0.5 * (limit.high + limit.low)), paint(0.35));
      item.mark = new THREE.Mesh(new THREE.BoxGeometry(0.3 * size, 0.3 * size, 0.06 * size), paint(0.95));
    }
    item.group.add(item.range, item.mark);
    item.range.renderOrder = item.mark.renderOrder = 3;
    this.group.add(item.group);
    return item;
  }

  place(isOn, frame, selectedJoint) {
    this.group.visible = isOn || selectedJoint >= 0;
    if (!this.group.visible) return;
    for (const item of this.items) {
      item.group.visible = isOn || item.limit.joint === selectedJoint;
      if (!item.group.visible) continue;
      const pose = this.world.poseOf(item.base);
      const at = plus(pose.p, rotate(pose.q, item.local.slice(0, 3)));
      const q = multiply(pose.q, item.local.slice(3));
      item.group.position.set(...at);
      item.group.quaternion.set(q[1], q[2], q[3], q[0]);
      const { low, high, joint, axis } = item.limit;
      const x = this.model.detail ? frame.values[this.layout.coordinates + this.model.joints.coordinateFirst[joint] + axis] : 0;
      if (item.isTurn) item.mark.rotation.z = x;
      else item.mark.position.z = x;
      const isNear = x < low + 0.01 * (high - low) || x > high - 0.01 * (high - low);
      const color = isNear ? COLORS.atLimit : COLORS.limit;
      item.range.material.color.setHex(color);
      item.mark.material.color.setHex(color);
    }
  }
}

// The rates of a joint's coordinates, from the velocities of its bodies: slides along the base's axes,
// turns by solving the axes of the single rotations.
export function jointRates(world, model, layout, j) {
  const { joints } = model;
  const v = world.frame.values;
  const velocityOf = (b) => (b < 0 ? [0, 0, 0, 0, 0, 0] : Array.from(v.subarray(layout.velocities + 6 * b, layout.velocities + 6 * b + 6)));
  const [base, follower] = [joints.base[j], joints.follower[j]];
  const [B, F] = [world.poseOf(base), world.poseOf(follower)];
  const [vB, vF] = [velocityOf(base), velocityOf(follower)];
  const frame = multiply(B.q, joints.frameBase.slice(7 * j + 3, 7 * j + 7));
  const axis = { x: rotate(frame, [1, 0, 0]), y: rotate(frame, [0, 1, 0]), z: rotate(frame, [0, 0, 1]) };
  const arm = rotate(F.q, joints.frameFollower.slice(7 * j, 7 * j + 3));
  const point = plus(F.p, arm);
  const speed = minus(plus(vF.slice(0, 3), cross(vF.slice(3), arm)), plus(vB.slice(0, 3), cross(vB.slice(3), minus(point, B.p))));
  const spin = minus(vF.slice(3), vB.slice(3));
  const first = layout.coordinates + joints.coordinateFirst[j];
  const turns = [];
  let turned = frame;
  const names = joints.axes[j];
  names.forEach((name, k) => {
    if (name[0] !== "r") return;
    const unit = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] }[name[1]];
    turns.push(rotate(turned, unit));
    const half = 0.5 * v[first + k];
    turned = multiply(turned, [Math.cos(half), ...unit.map((c) => c * Math.sin(half))]);
  });
  const rates = solveTurns(turns, spin);
  let at = 0;
  return names.map((name) => (name[0] === "t" ? dot(axis[name[1]], speed) : rates[at++]));
}

// Least squares of one to three directions: sum of direction times rate is the spin.
function solveTurns(d, spin) {
  if (d.length === 0) return [];
  if (d.length === 1) return [dot(d[0], spin)];
  const third = d.length === 3 ? d[2] : cross(d[0], d[1]);
  const volume = dot(d[0], cross(d[1], third));
  if (Math.abs(volume) < 1e-6) return d.map(() => NaN);
  const rates = [dot(spin, cross(d[1], third)) / volume, dot(d[0], cross(spin, third)) / volume, dot(d[0], cross(d[1], spin)) / volume];
  return rates.slice(0, d.length);
}
