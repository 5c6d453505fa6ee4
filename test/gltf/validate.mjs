// validate.mjs - recordings as glTF, judged by the validator of Khronos: no error, no warning.
//   node validate.mjs TRAMMEL FOLDER [MODELS]      MODELS: the shared set of robots, where it is
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [tool, folder, models] = process.argv.slice(2);
const require = createRequire(new URL("../../viewer/page/package.json", import.meta.url));
const validator = require("gltf-validator");
mkdirSync(folder, { recursive: true });
const run = (...words) => execFileSync(tool, words, { encoding: "utf8", cwd: folder, timeout: 120000 });

let passed = 0;
let failed = 0;
function check(name, isGood, detail = "") {
  if (isGood) passed++;
  else {
    failed++;
    console.log(`failed: ${name} ${detail}`);
  }
}

// Every shape there is: two bodies that share a mesh in two colours, a ground of heights, one hidden.
function writeShapes() {
  writeFileSync(join(folder, "corner.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  const mesh = (color) => ({ type: "mesh", file: "corner.obj", color, density: 600 });
  const lump = { mass: 1, inertia: [1, 1, 1] };
  const bodies = [
    { name: "world", shapes: [{ type: "heightfield", size: [4, 3], heights: [[0, 0.1, 0.3], [0.2, 0, -0.1]] }, { type: "plane" }] },
    { name: "red", shapes: [mesh("#ff0000")], position: [0, 0, 2] },
    { name: "blue", shapes: [mesh("#0000ff"), { type: "box", size: [1, 1, 1], hidden: true }], position: [1, 0, 2], angular_velocity: [1, 2, 3] },
    { name: "red again", shapes: [mesh("#ff0000")], position: [2, 0, 2] },
    { name: "plain", ...lump, position: [3, 0, 2] },
    { name: "all", ...lump, position: [4, 0, 2], shapes: [{ type: "sphere", radius: 0.2 }, { type: "ellipsoid", radii: [0.1, 0.2, 0.3] }, { type: "capsule", radius: 0.1, length: 1 }, { type: "cylinder", radius: 0.1, length: 1 }, { type: "box", size: [1, 2, 3] }] },
  ];
  writeFileSync(join(folder, "shapes.json"), JSON.stringify({ trammel: 1, name: "every shape", bodies, simulation: { step: 0.01 } }));
}

// The JSON part of a GLB.
const content = (bytes) => JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString());

async function judge(name) {
  const bytes = readFileSync(join(folder, name));
  const report = await validator.validateBytes(new Uint8Array(bytes), { maxIssues: 20 });
  const said = report.issues.messages.filter((m) => m.severity < 2).map((m) => `${m.code} ${m.pointer} ${m.message}`);
  check(`${name} is valid`, report.issues.numErrors === 0 && report.issues.numWarnings === 0, said.join("; "));
  return { gltf: content(bytes), bytes };
}

writeShapes();
run("run", "shapes.json", "--duration", "0.5", "--out", "shapes.glb");
const { gltf, bytes } = await judge("shapes.glb");
const named = new Map(gltf.nodes.map((n) => [n.name, n]));
const meshOf = (name) => gltf.nodes[named.get(name).children[0]].mesh;
const positionOf = (mesh) => gltf.meshes[mesh].primitives[0].attributes.POSITION;
check("one mesh in one colour", meshOf("red") === meshOf("red again") && meshOf("red") !== meshOf("blue"));
check("one set of triangles", positionOf(meshOf("red")) === positionOf(meshOf("blue")));
check("what is hidden is not there", named.get("blue").children.length === 1);
check("a body without shapes has a box", named.get("plain").children.length === 1);
check("every other shape is there", named.get("all").children.length === 7); // a capsule is three
check("six bodies' motion less the world's", gltf.animations[0].channels.length === 10);
// the vertices of the tetrahedron, as they stand in the file
const accessor = gltf.accessors[positionOf(meshOf("red"))];
const start = 20 + bytes.readUInt32LE(12) + 8 + gltf.bufferViews[accessor.bufferView].byteOffset + accessor.byteOffset;
const corners = [...Array(12).keys()].map((i) => bytes.readFloatLE(start + 4 * i));
check("the triangles are those of the file", corners.join() === "0,0,0,1,0,0,0,1,0,0,0,1", corners.join());

// Deformables: a cube beside a body, a surface in a tetrahedron, particles; the file against the CSV.
async function judgeSoft() {
  const cube = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [0.4 * (k >> 2), 0.4 * ((k >> 1) & 1), 0.4 * (k & 1)]);
  const tetrahedra = [[1, 3], [1, 5], [2, 3], [2, 6], [4, 5], [4, 6]].map(([a, b]) => [0, a, b, 7]);
  const corner = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]];
  const deformables = [
    { name: "cube", vertices: cube, tetrahedra, young: 2e4, fixed: [0, 1, 2, 3] },
    { name: "inner", vertices: corner, tetrahedra: [[0, 1, 2, 3]], surface: { vertices: [[0.1, 0.1, 0.1], [0.3, 0.1, 0.1], [0.1, 0.3, 0.1]], triangles: [[0, 1, 2]] } },
    { name: "grains", vertices: [[2, 0, 0], [2, 1, 0]], vertex_mass: 1, velocity: [1, 0, 0] },
  ];
  const lump = { name: "lump", mass: 1, inertia: [1, 1, 1], position: [3, 0, 0] };
  for (const [name, bodies, steps] of [["soft", [lump], 20], ["soft-alone", [], 20], ["soft-long", [], 700]]) {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ trammel: 1, bodies, deformables, simulation: { step: 0.002 } }));
    for (const ending of ["glb", "csv"]) run("run", `${name}.json`, "--duration", String(0.002 * steps), "--record", "pose", "--out", `${name}.${ending}`);
    const { gltf, bytes } = await judge(`${name}.glb`);
    const data = 20 + bytes.readUInt32LE(12) + 8;
    const floats = (index, width) => {
      const a = gltf.accessors[index];
      const from = data + gltf.bufferViews[a.bufferView].byteOffset + (a.byteOffset || 0);
      return [...Array(width * a.count).keys()].map((i) => bytes.readFloatLE(from + 4 * i));
    };
    const [head, ...rows] = readFileSync(join(folder, `${name}.csv`), "utf8").trim().split("\n").map((l) => l.split(","));
    const meshOf = (node) => gltf.meshes[gltf.nodes.find((n) => n.name === node).mesh].primitives[0];
    const soft = meshOf("cube");
    const channel = gltf.animations[0].channels.find((c) => c.target.path === "weights");
    const times = floats(gltf.animations[0].samplers[channel.sampler].input, 1);
    check(`${name}: keys`, times.length === soft.targets.length + 1 && times.length <= 250 && Math.abs(times.at(-1) - 0.002 * steps) < 1e-6, String(times.length));
    // the last key is the last state, vertex by vertex
    const base = floats(soft.attributes.POSITION, 3);
    const moved = floats(soft.targets.at(-1).POSITION, 3);
    const last = rows.at(-1);
    const first = head.indexOf("cube.0.px");
    const worst = Math.max(...base.map((x, i) => Math.abs(x + moved[i] - Number(last[first + i]))));
    check(`${name}: the last key is the last state`, worst < 1e-6, String(worst));
    check(`${name}: it moved`, Math.max(...moved.map(Math.abs)) > 1e-3);
    const weights = floats(gltf.animations[0].samplers[channel.sampler].output, 1);
    check(`${name}: one weight at a time`, weights.reduce((a, b) => a + b, 0) === times.length - 1 && weights[times.length - 1] === 1);
    check(`${name}: the surface inside`, floats(meshOf("inner").attributes.POSITION, 3).map((x) => x.toFixed(6)).join() === "0.100000,0.100000,0.100000,0.300000,0.100000,0.100000,0.100000,0.300000,0.100000");
    check(`${name}: particles are points`, meshOf("grains").mode === 0);
  }
}
await judgeSoft();

for (const scene of ["joint-zoo", "four-bar", "stewart-platform"]) {
  run("scene", scene, "--out", `${scene}.json`);
  run("run", `${scene}.json`, "--duration", "0.2", "--out", `${scene}.glb`);
  await judge(`${scene}.glb`);
}
if (models && existsSync(models)) {
  for (const [name, path, ...words] of [
    ["cassie", "mjcf/agility_cassie/cassie.xml", "--assemble"],
    ["gripper", "mjcf/robotiq_2f85/2f85.xml"],
    ["five-bar", "urdf/five_bar/robot.urdf", "--assemble"],
  ]) {
    run("run", join(models, path), ...words, "--duration", "0.02", "--step", "0.002", "--out", `${name}.glb`);
    const robot = (await judge(`${name}.glb`)).gltf;
    check(`${name} shows its meshes`, robot.meshes.some((m) => m.primitives[0].attributes.NORMAL === undefined));
  }
} else {
  console.log("skipped: the robots of the shared set are not there");
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
