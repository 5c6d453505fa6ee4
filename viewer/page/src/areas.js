// areas.js - where two bodies touch in three or more points of one plane: the area between these points.
import * as THREE from "three";
import { CONTACT } from "./layout.js";

const FLAT = 0.02; // of the size of an area, how far its points may be off its plane

const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

// The corners of the area that points of one plane span, in order; none where they are not of one plane,
// or on one line.
export function areaOf(points) {
  const from = points[0];
  const far = points.reduce((best, p) => (dot(minus(p, from), minus(p, from)) > dot(minus(best, from), minus(best, from)) ? p : best), from);
  const along = minus(far, from);
  const length = Math.hypot(...along);
  let normal = [0, 0, 0];
  for (const p of points) {
    const n = cross(along, minus(p, from));
    if (dot(n, n) > dot(normal, normal)) normal = n;
  }
  const size = Math.hypot(...normal);
  if (!(size > 1e-3 * length * length)) return [];
  const z = normal.map((x) => x / size);
  const x = along.map((v) => v / length);
  const y = cross(z, x);
  if (points.some((p) => Math.abs(dot(z, minus(p, from))) > FLAT * length)) return [];
  // the convex hull, by Andrew's monotone chains
  const flat = points.map((p) => ({ p, u: dot(x, minus(p, from)), v: dot(y, minus(p, from)) })).sort((a, b) => a.u - b.u || a.v - b.v);
  const turns = (a, b, c) => (b.u - a.u) * (c.v - a.v) - (b.v - a.v) * (c.u - a.u);
  const chain = (list) => {
    const out = [];
    for (const p of list) {
      while (out.length > 1 && turns(out.at(-2), out.at(-1), p) <= 0) out.pop();
      out.push(p);
    }
    out.pop();
    return out;
  };
  return [...chain(flat), ...chain(flat.reverse())].map((c) => c.p);
}

export class Areas {
  constructor(scene, color) {
    const material = new THREE.MeshBasicMaterial({ color, transparent: true, opacity: 0.3, depthTest: false, side: THREE.DoubleSide });
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 3;
    this.mesh.visible = false;
    this.count = 0;
    scene.add(this.mesh);
  }

  place(contacts) {
    const pairs = new Map();
    for (let i = 0; i < contacts.length; i += CONTACT) {
      if (contacts[i + 3] === 0 && contacts[i + 4] === 0 && contacts[i + 5] === 0) continue; // near, and does not touch
      const key = contacts[i + 6] * 4194304 + contacts[i + 7];
      if (!pairs.has(key)) pairs.set(key, []);
      pairs.get(key).push([contacts[i], contacts[i + 1], contacts[i + 2]]);
    }
    const corners = [];
    this.count = 0;
    for (const points of pairs.values()) {
      if (points.length < 3) continue;
      const area = areaOf(points);
      for (let k = 2; k < area.length; k++) corners.push(...area[0], ...area[k - 1], ...area[k]);
      if (area.length > 2) this.count++;
    }
    this.mesh.geometry.dispose();
    this.mesh.geometry = new THREE.BufferGeometry();
    this.mesh.geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(corners), 3));
    this.mesh.visible = corners.length > 0;
  }

  hide() {
    this.count = 0;
    this.mesh.visible = false;
  }
}
