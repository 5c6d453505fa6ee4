// maths.js - rotations and inertia on flat arrays, without garbage.
import * as THREE from "three";

// ---- quaternions and matrices on flat arrays, without garbage

export function writeMatrix(out, o, px, py, pz, w, x, y, z, sx, sy, sz) {
  const xx = 2 * x * x;
  const yy = 2 * y * y;
  const zz = 2 * z * z;
  const xy = 2 * x * y;
  const xz = 2 * x * z;
  const yz = 2 * y * z;
  const wx = 2 * w * x;
  const wy = 2 * w * y;
  const wz = 2 * w * z;
  out[o] = (1 - yy - zz) * sx;
  out[o + 1] = (xy + wz) * sx;
  out[o + 2] = (xz - wy) * sx;
  out[o + 3] = 0;
  out[o + 4] = (xy - wz) * sy;
  out[o + 5] = (1 - xx - zz) * sy;
  out[o + 6] = (yz + wx) * sy;
  out[o + 7] = 0;
  out[o + 8] = (xz + wy) * sz;
  out[o + 9] = (yz - wx) * sz;
  out[o + 10] = (1 - xx - yy) * sz;
  out[o + 11] = 0;
  out[o + 12] = px;
  out[o + 13] = py;
  out[o + 14] = pz;
  out[o + 15] = 1;
}

export function rotate(q, v) {
  const [w, x, y, z] = q;
  const tx = 2 * (y * v[2] - z * v[1]);
  const ty = 2 * (z * v[0] - x * v[2]);
  const tz = 2 * (x * v[1] - y * v[0]);
  return [
    v[0] + w * tx + (y * tz - z * ty),
    v[1] + w * ty + (z * tx - x * tz),
    v[2] + w * tz + (x * ty - y * tx),
  ];
}

export function multiply(a, b) {
  return [
    a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
    a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
    a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
    a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
  ];
}

// Principal moments and axes of a symmetric matrix xx yy zz xy xz yz, by Jacobi rotations.
export function principal(inertia) {
  const a = [
    [inertia[0], inertia[3], inertia[4]],
    [inertia[3], inertia[1], inertia[5]],
    [inertia[4], inertia[5], inertia[2]],
  ];
  const v = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  for (let sweep = 0; sweep < 20; sweep++) {
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ]) {
      if (Math.abs(a[p][q]) < 1e-300) continue;
      const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
      const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
      const c = 1 / Math.sqrt(t * t + 1);
      const s = t * c;
      for (let k = 0; k < 3; k++) {
        const akp = a[k][p];
        const akq = a[k][q];
        a[k][p] = c * akp - s * akq;
        a[k][q] = s * akp + c * akq;
      }
      for (let k = 0; k < 3; k++) {
        const apk = a[p][k];
        const aqk = a[q][k];
        a[p][k] = c * apk - s * aqk;
        a[q][k] = s * apk + c * aqk;
        const vkp = v[k][p];
        const vkq = v[k][q];
        v[k][p] = c * vkp - s * vkq;
        v[k][q] = s * vkp + c * vkq;
      }
    }
  }
  return { moments: [a[0][0], a[1][1], a[2][2]], axes: v };
}

export function quaternionOf(axes) {
  const m = new THREE.Matrix4().set(
    axes[0][0], axes[0][1], axes[0][2], 0,
    axes[1][0], axes[1][1], axes[1][2], 0,
    axes[2][0], axes[2][1], axes[2][2], 0,
    0, 0, 0, 1,
  );
  if (m.determinant() < 0) for (const k of [8, 9, 10]) m.elements[k] *= -1;
  const q = new THREE.Quaternion().setFromRotationMatrix(m);
  return [q.w, q.x, q.y, q.z];
}

// Half axes of the ellipsoid, or edges of the box, with this mass and these moments.
export function equivalent(mass, moments, factor) {
  const half = 0.5 * (moments[0] + moments[1] + moments[2]);
  return moments.map((I) => Math.sqrt(Math.max((factor * (half - I)) / mass, 1e-8)));
}


export const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const plus = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

// The quaternion that turns z into a unit vector.
export function fromZ(d) {
  if (d[2] < -0.999999) return [0, 1, 0, 0];
  const w = 1 + d[2];
  const n = Math.sqrt(w * w + d[0] * d[0] + d[1] * d[1]);
  return [w / n, -d[1] / n, d[0] / n, 0];
}
