#!/usr/bin/env node
// tools/transcribe_robots.mjs - writes scenes/data/atlas.json and half-cheetah.json from the public
// model set, once: the scenes then stand alone. Run after `make`, with the folder of the set:
//   node tools/transcribe_robots.mjs ../shared/models
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const models = process.argv[2] ?? '../shared/models';

function convert(file, ...options) {
  const folder = mkdtempSync(join(tmpdir(), 'trammel-'));
  const out = join(folder, 'scene.json');
  execFileSync('build/trammel', ['convert', join(models, file), out, ...options], { stdio: 'pipe' });
  const scene = JSON.parse(readFileSync(out, 'utf8'));
  rmSync(folder, { recursive: true });
  return scene;
}

const lift = (point, height) => [point[0], point[1], point[2] + height];

// Everything a scene says in world coordinates moves up with the robot.
function raise(scene, height) {
  for (const body of scene.bodies) if (body.position) body.position = lift(body.position, height);
  for (const joint of scene.joints) {
    joint.position = lift(joint.position, height);
    if (joint.follower_frame) joint.follower_frame.position = lift(joint.follower_frame.position, height);
  }
}

const minus = (a, b) => a.map((x, i) => x - b[i]);
const length = a => Math.hypot(...a);

// The rotation that takes z to a direction, w x y z.
function turn_z_to(direction) {
  const [x, y, z] = direction.map(c => c / length(direction));
  if (z < -0.999999) return [0, 1, 0, 0];
  const q = [1 + z, -y, x, 0];
  return q.map(c => c / length(q));
}

// The meshes are not part of a scene that stands alone: a rod from joint to joint shows each link.
// Links stand upright at load, so that world directions are body directions.
function draw_rods(scene, radius) {
  for (const body of scene.bodies) {
    const rods = [];
    for (const joint of scene.joints.filter(j => j.base === body.name)) {
      const from = [0, 0, 0], to = minus(joint.position, body.position), span = minus(to, from);
      if (length(span) < 2 * radius) continue;
      rods.push({ type: 'capsule', radius, length: length(span), position: span.map(c => c / 2),
        orientation: turn_z_to(span), color: '#7d8ea3', collide: false });
    }
    body.shapes = [...rods, ...(body.shapes ?? [])];
    if (body.shapes.length === 0) delete body.shapes;
  }
}

const ground = friction => ({ name: 'world', shapes: [{ type: 'plane', color: '#d8d8d0', friction }] });

function sorted_simulation(scene, step, duration) {
  scene.simulation = { formulation: 'generalized', integrator: 'semi_implicit_euler', step, duration, contact: true };
}

// 33 freedoms: free pelvis, 27 hinges; six points a foot, so that twelve contacts carry it. Servos
// hold the upright pose.
function atlas() {
  const scene = convert('urdf/atlas/atlas_minimal_contact.urdf', '--floating');
  const welded = ['neck_ay', 'l_arm_lwy', 'r_arm_lwy'];
  scene.name = 'atlas';
  raise(scene, 0.862 + 0.07645);
  for (const body of scene.bodies) delete body.shapes;
  for (const joint of scene.joints) {
    delete joint.actuation;
    if (welded.includes(joint.name)) {
      joint.type = 'fixed';
      delete joint.limits;
      delete joint.damping;
    } else if (joint.type === 'revolute') {
      joint.servo = { rx: { target: 0, stiffness: 3000, damping: 100 } };
    }
  }
  draw_rods(scene, 0.035);
  for (const name of ['l_foot', 'r_foot']) {
    const foot = scene.bodies.find(b => b.name === name);
    const sole = { type: 'box', size: [0.2604, 0.1252, 0.03], position: [0.0426, 0, -0.06145], color: '#4a4a52', collide: false };
    const points = [-0.0876, 0.0426, 0.1728].flatMap(x => [0.0626, -0.0626].map(y =>
      ({ type: 'sphere', radius: 0, position: [x, y, -0.07645], friction: 1 })));
    foot.shapes = [...(foot.shapes ?? []), sole, ...points];
  }
  scene.bodies.unshift(ground(1));
  sorted_simulation(scene, 0.001, 2);
  return scene;
}

// As in the set; the armature of its joints is left out.
function half_cheetah() {
  const scene = convert('mjcf/gymnasium/half_cheetah.xml');
  scene.name = 'half-cheetah';
  sorted_simulation(scene, 0.001, 2);
  return scene;
}

// One line an element, so that a change shows in a diff.
function text_of(scene) {
  const list = elements => '[\n' + elements.map(e => '    ' + JSON.stringify(e)).join(',\n') + '\n  ]';
  const lines = Object.entries(scene).map(([key, value]) =>
    `  ${JSON.stringify(key)}: ` + (Array.isArray(value) && typeof value[0] === 'object' ? list(value) : JSON.stringify(value)));
  return '{\n' + lines.join(',\n') + '\n}\n';
}

writeFileSync('scenes/data/atlas.json', text_of(atlas()));
writeFileSync('scenes/data/half-cheetah.json', text_of(half_cheetah()));
