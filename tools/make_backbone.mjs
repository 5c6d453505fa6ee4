#!/usr/bin/env node
// tools/make_backbone.mjs - writes scenes/data/backbone.json: a chain of 14 000 links that unfolds and
// folds between key frames.                                                        [MABD Fig 22]
//
// The chain is a helix of 140 residues, each five turns of a hundred links. Of a coarse backbone, one rigid
// piece a residue, only every twentieth place is observed, at two times; `trammel ik` finds the whole
// backbone at these times with every piece as long as it is. Markers are led through the places between
// residues, and draw at the fine chain by springs. Run after `make`:
//   node tools/make_backbone.mjs
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const links = 14000, perResidue = 100, radius = 0.002, length = 0.01;
const residues = links / perResidue;
const piece = perResidue * 3 * radius / 20;  // m along the helix: 20 links a turn, pitch 3 radii
const observedEvery = 20, pause = 1;         // residues; s between key frames

// ---- the coarse backbone, upright, body z along it

const name = (k) => `r.${k}`;
const bodies = [], joints = [];
for (let k = 0; k < residues; k++) {
  bodies.push({ name: name(k), mass: 0.1, inertia: [1e-5, 1e-5, 1e-6], position: [0, 0, piece * (k + 0.5)] });
  joints.push({ name: `j.${k}`, type: 'spherical', base: k ? name(k - 1) : 'world', follower: name(k),
                position: [0, 0, piece * k] });
}

// ---- what is observed: places at most 0.99 of the chain between them apart

const reach = 0.99 * observedEvery * piece;
function walk(directions) {
  let at = [0, 0, 0];
  return directions.map(([x, y, z]) => {
    const size = Math.hypot(x, y, z);
    at = [at[0] + reach * x / size, at[1] + reach * y / size, at[2] + reach * z / size];
    return at;
  });
}
const count = residues / observedEvery;
const straight = Array.from({ length: count }, (_, m) => [0, 0, observedEvery * piece * (m + 1)]);
const frames = [
  straight,
  walk([[0, 0, 1], [0.03, 0, 1], [0.06, 0, 1], [0.09, 0, 1], [0.12, 0, 1], [0.15, 0, 1], [0.18, 0, 1]]),
  walk([[0, 0.05, 1], [0, 0.05, 1], [0, 0, 1], [0.05, -0.05, 1], [0.1, -0.1, 1], [0.2, -0.15, 1], [0.3, -0.2, 1]]),
];
const targets = [];
for (let m = 0; m < count; m++) {
  const position = [0, 1, 2].map((c) => ({ table: frames.map((f, i) => [i, f[m][c]]), interpolation: 'linear' }));
  targets.push({ body: name(observedEvery * (m + 1) - 1), point: [0, 0, piece / 2], position });
}

const folder = mkdtempSync(join(tmpdir(), 'trammel-'));
const [scene, wanted] = [join(folder, 'coarse.json'), join(folder, 'targets.json')];
writeFileSync(scene, JSON.stringify({ trammel: 1, name: 'coarse', bodies, joints }));
writeFileSync(wanted, JSON.stringify({ targets, duration: frames.length - 1, step: 0.05 }));
const found = JSON.parse(execFileSync(process.env.TRAMMEL ?? 'build/trammel', ['ik', scene, wanted, '--json'], { maxBuffer: 1 << 28 }));
rmSync(folder, { recursive: true });
console.log(`ik: ${found.iterations} iterations, missed by ${found.max_error} m, gap ${found.max_gap}`);

// ---- the places between residues, from the angles: each piece turns about x, y, z of the one before

const product = (a, b) => a.map((row) => b[0].map((_, j) => row.reduce((s, x, k) => s + x * b[k][j], 0)));
function turn(axis, angle) {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const i = (axis + 1) % 3, j = (axis + 2) % 3;
  const m = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  m[i][i] = c; m[i][j] = -s; m[j][i] = s; m[j][j] = c;
  return m;
}
const angle = {};
for (const c of found.coordinates) angle[`${c.joint}.${c.axis}`] = c.values;
function places(time) {
  const i = found.times.findIndex((t) => Math.abs(t - time) < 1e-9);
  let R = [[1, 0, 0], [0, 1, 0], [0, 0, 1]], at = [0, 0, 0];
  const out = [at];
  for (let k = 0; k < residues; k++) {
    for (const [axis, letter] of [[0, 'rx'], [1, 'ry'], [2, 'rz']]) R = product(R, turn(axis, angle[`j.${k}.${letter}`][i]));
    at = at.map((x, c) => x + piece * R[c][2]);
    out.push(at);
  }
  return out;
}
const keys = frames.map((_, i) => places(i));

// ---- the scene

const round = (x) => Math.round(x * 1e6) / 1e6;
const fine = { bodies: [], joints: [], forces: [] };
for (let k = 0; k <= residues; k++) {
  const start = [0, 0, round(piece * k)];
  const marker = `marker.${k}`;
  fine.bodies.push({ name: marker, mass: 0.01, inertia: [1e-6, 1e-6, 1e-6], position: start,
                     shapes: [{ type: 'sphere', radius: 0.012, color: '#b4483c', collide: false }] });
  const control = {};
  ['tx', 'ty', 'tz'].forEach((axis, c) => {
    const table = keys.map((key, i) => [pause * i, round(round(key[k][c]) - start[c])]);
    table[0][1] = 0;
    table.unshift([-0.3, 0], [-0.2, 0], [-0.1, 0]);  // at rest to begin with
    table.push([pause * keys.length, table.at(-1)[1]]);
    control[axis] = { table, interpolation: 'cubic' };
  });
  fine.joints.push({ name: `lead.${k}`, type: 'cartesian', base: 'world', follower: marker, position: start,
                     actuation: 'position', control });
  const last = k === residues;
  fine.forces.push({ type: 'spring', name: `draw.${k}`, a: [marker, [0, 0, 0]],
                     b: [`chain.${last ? links - 1 : perResidue * k}`, [last ? length / 2 : -length / 2, 0, 0]],
                     stiffness: 10, rest_length: 0 });
}
const lines = (list) => `[\n    ${list.map((x) => JSON.stringify(x)).join(',\n    ')}\n  ]`;
writeFileSync('scenes/data/backbone.json', `{
  "trammel": 1,
  "name": "backbone",
  "gravity": [0, 0, 0],
  "rayleigh": {"mass": 3},
  "generate": [{"type": "chain", "name": "chain", "links": ${links}, "joint": "spherical", "pose": "coil", "anchored": false,
    "link": {"length": ${length}, "radius": ${radius}, "mass": 0.001}}],
  "bodies": ${lines(fine.bodies)},
  "joints": ${lines(fine.joints)},
  "forces": ${lines(fine.forces)},
  "simulation": {"formulation": "affine", "integrator": "energy_damped", "step": 0.02, "duration": ${round(pause * (frames.length - 1) + 0.4)}}
}
`);
