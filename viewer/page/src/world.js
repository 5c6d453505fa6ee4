// world.js - the three-dimensional picture: bodies, joints, forces, glyphs, ghost, camera.
//
// Every shape of every body is an instance of one of three unit solids, so that a hundred thousand
// links are a handful of draw calls; a frame only rewrites the instance matrices.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

const COLORS = {
  sky: 0xf3f6f8,
  ground: 0xe4eaee,
  grid: 0xb9c5ce,
  selected: 0xff9f1c,
  joint: 0x2f3e4c,
  slide: 0x2a9d8f,
  turn: 0x7b5ea7,
  force: 0xd1495b,
  contact: 0xf28f3b,
  moment: 0x3d7ea6,
  push: 0x118ab2,
  plain: 0x8d99a6,
  soft: 0xc8875a,
};

const SPHERE = 0;
const BOX = 1;
const CYLINDER = 2;
const ROD = 3; // a capsule among very many: three sides, no ends
const SOLIDS = 4; // meshes come behind
const HUGE = 100000; // parts from which on moving capsules are rods

// ---- quaternions and matrices on flat arrays, without garbage

function writeMatrix(out, o, px, py, pz, w, x, y, z, sx, sy, sz) {
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

function quaternionOf(axes) {
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

// The triangles of a mesh, flat and lit from both sides.
function geometryOf({ vertices, triangles }) {
  const corners = new Float32Array(3 * triangles.length);
  for (let k = 0; k < triangles.length; k++) {
    for (let c = 0; c < 3; c++) corners[3 * k + c] = vertices[3 * triangles[k] + c];
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.BufferAttribute(corners, 3));
  geometry.computeVertexNormals();
  geometry.computeBoundingSphere();
  geometry.computeBoundingBox();
  return geometry;
}

// Half axes of the ellipsoid, or edges of the box, with this mass and these moments.
function equivalent(mass, moments, factor) {
  const half = 0.5 * (moments[0] + moments[1] + moments[2]);
  return moments.map((I) => Math.sqrt(Math.max((factor * (half - I)) / mass, 1e-8)));
}

// ---- instances

class Instances {
  constructor(geometry, material, list, isPickable) {
    this.list = list;
    this.mesh = new THREE.InstancedMesh(geometry, material, Math.max(list.length, 1));
    this.mesh.count = list.length;
    this.mesh.frustumCulled = false;
    this.mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    this.mesh.userData.list = isPickable ? list : null;
    // flat copies: objects are slow at a hundred thousand
    this.body = new Int32Array(list.map((i) => i.body));
    this.local = new Float32Array(list.length * 7);
    this.scale = new Float32Array(list.length * 3);
    list.forEach((item, k) => {
      this.local.set(item.pose, 7 * k);
      this.scale.set(item.scale, 3 * k);
      if (item.color !== undefined) this.mesh.setColorAt(k, new THREE.Color(item.color));
    });
  }

  place(values, offset) {
    const out = this.mesh.instanceMatrix.array;
    const l = this.local;
    const s = this.scale;
    for (let k = 0; k < this.body.length; k++) {
      const a = 7 * k;
      const b = offset + 7 * this.body[k];
      let px = 0;
      let py = 0;
      let pz = 0;
      let w = 1;
      let x = 0;
      let y = 0;
      let z = 0;
      if (this.body[k] >= 0) {
        px = values[b];
        py = values[b + 1];
        pz = values[b + 2];
        w = values[b + 3];
        x = values[b + 4];
        y = values[b + 5];
        z = values[b + 6];
      }
      const tx = 2 * (y * l[a + 2] - z * l[a + 1]);
      const ty = 2 * (z * l[a] - x * l[a + 2]);
      const tz = 2 * (x * l[a + 1] - y * l[a]);
      const lw = l[a + 3];
      const lx = l[a + 4];
      const ly = l[a + 5];
      const lz = l[a + 6];
      writeMatrix(
        out, 16 * k,
        px + l[a] + w * tx + (y * tz - z * ty),
        py + l[a + 1] + w * ty + (z * tx - x * tz),
        pz + l[a + 2] + w * tz + (x * ty - y * tx),
        w * lw - x * lx - y * ly - z * lz,
        w * lx + x * lw + y * lz - z * ly,
        w * ly - x * lz + y * lw + z * lx,
        w * lz + x * ly - y * lx + z * lw,
        s[3 * k], s[3 * k + 1], s[3 * k + 2],
      );
    }
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

// The skin of a deformable: points that come with every frame, and the triangles over them. Particles
// have no triangles and are drawn as dots.
class Skin {
  constructor({ points, triangles }, material, dots) {
    const geometry = new THREE.BufferGeometry();
    this.numbers = 3 * points;
    this.position = new THREE.BufferAttribute(new Float32Array(this.numbers), 3);
    this.position.setUsage(THREE.DynamicDrawUsage);
    geometry.setAttribute("position", this.position);
    if (triangles.length > 0) {
      geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(triangles), 1));
      this.mesh = new THREE.Mesh(geometry, material);
    } else {
      this.mesh = new THREE.Points(geometry, dots);
    }
    this.mesh.frustumCulled = false;
  }

  place(values, offset) {
    this.position.array.set(values.subarray(offset, offset + this.numbers));
    this.position.needsUpdate = true;
    return offset + this.numbers;
  }
}

// Arrows: a shaft and a head each, as many as a frame needs.
class Arrows {
  constructor(scene, color) {
    const material = new THREE.MeshStandardMaterial({ color, roughness: 0.5 });
    const shaft = new THREE.CylinderGeometry(1, 1, 1, 10).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const head = new THREE.ConeGeometry(1, 1, 14).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    this.capacity = 0;
    this.scene = scene;
    this.parts = [shaft, head].map((geometry) => ({ geometry, material, mesh: null }));
    this.count = 0;
  }

  reserve(count) {
    if (count <= this.capacity) return;
    this.capacity = Math.max(64, 2 * count);
    for (const part of this.parts) {
      if (part.mesh) {
        this.scene.remove(part.mesh);
        part.mesh.dispose();
      }
      part.mesh = new THREE.InstancedMesh(part.geometry, part.material, this.capacity);
      part.mesh.frustumCulled = false;
      part.mesh.count = 0;
      this.scene.add(part.mesh);
    }
  }

  begin(count) {
    this.reserve(count);
    this.count = 0;
  }

  add(p, v, thickness) {
    const length = Math.hypot(v[0], v[1], v[2]);
    if (!(length > 1.2 * thickness) || !Number.isFinite(length)) return;
    const d = new THREE.Vector3(v[0] / length, v[1] / length, v[2] / length);
    const q = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), d);
    const head = Math.min(0.4 * length, 5 * thickness);
    const shaft = length - head;
    writeMatrix(this.parts[0].mesh.instanceMatrix.array, 16 * this.count, p[0], p[1], p[2],
      q.w, q.x, q.y, q.z, thickness, thickness, shaft);
    writeMatrix(this.parts[1].mesh.instanceMatrix.array, 16 * this.count,
      p[0] + d.x * shaft, p[1] + d.y * shaft, p[2] + d.z * shaft,
      q.w, q.x, q.y, q.z, 2.4 * thickness, 2.4 * thickness, head);
    this.count++;
  }

  end() {
    for (const part of this.parts) {
      if (!part.mesh) continue;
      part.mesh.count = this.count;
      part.mesh.instanceMatrix.needsUpdate = true;
    }
  }

  hide() {
    this.count = 0;
    this.end();
  }
}

// ---- the world

// How far a shape reaches below its middle.
function heightOf(shape, pose, reach) {
  const [a, b, c] = shape.size;
  const up = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis) => Math.abs(rotate(pose.slice(3), axis)[2]));
  if (shape.kind === "box") return 0.5 * (a * up[0] + b * up[1] + c * up[2]);
  if (shape.kind === "capsule") return a + 0.5 * c * up[2];
  if (shape.kind === "cylinder") return a * Math.hypot(up[0], up[1]) + 0.5 * c * up[2];
  return reach;
}

export class World {
  constructor(container, model, layout, meshes) {
    this.container = container;
    this.model = model;
    this.meshes = meshes;
    this.layout = layout;
    this.visible = { joints: false, forces: false, moments: false, contacts: true, glyphs: false, ghost: true };
    this.selected = -1;
    this.forceScale = 1;
    this.needsDraw = true;
    this.frame = null;
    this.drag = null;
    this.covered = [0, 0];

    this.renderer = new THREE.WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.toneMapping = THREE.NoToneMapping;
    container.append(this.renderer.domElement);
    this.scene = new THREE.Scene();
    this.scene.background = new THREE.Color(COLORS.sky);
    this.camera = new THREE.PerspectiveCamera(40, 1, 0.01, 1000);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.addEventListener("change", () => (this.needsDraw = true));

    this.buildBodies();
    this.buildSkins();
    this.buildJoints();
    this.buildGlyphs();
    this.forces = new Arrows(this.scene, COLORS.force);
    this.momentArrows = new Arrows(this.scene, COLORS.moment);
    this.contactArrows = new Arrows(this.scene, COLORS.contact);
    this.pushArrow = new Arrows(this.scene, COLORS.push);
    new ResizeObserver(() => this.resize()).observe(container);
    this.resize();
  }

  // ---- building

  solids() {
    const count = this.model.parts.body.length;
    const fine = count < 3000;
    return [
      new THREE.SphereGeometry(1, fine ? 28 : 12, fine ? 18 : 8),
      new THREE.BoxGeometry(1, 1, 1),
      new THREE.CylinderGeometry(1, 1, 1, fine ? 28 : 10).rotateX(Math.PI / 2),
      new THREE.CylinderGeometry(1, 1, 1, 3, 1, true).rotateX(Math.PI / 2),
    ];
  }

  // The index of the geometry of a mesh, built when it is first met.
  meshKind(mesh) {
    if (!this.meshKinds.has(mesh)) {
      this.meshKinds.set(mesh, SOLIDS + this.meshGeometries.length);
      this.meshGeometries.push(geometryOf(this.meshes[mesh]));
    }
    return this.meshKinds.get(mesh);
  }

  listParts() {
    const lists = [[], [], [], []];
    this.meshKinds = new Map();
    this.meshGeometries = [];
    this.worldLow = Infinity; // the lowest point of the ground that the scene brings
    this.planes = [];
    const { parts, shapes, bodies } = this.model;
    const seen = new Uint8Array(bodies.names.length);
    const isHuge = parts.body.length > HUGE;
    this.extent = new Float32Array(bodies.names.length);
    parts.body.forEach((body, i) => {
      const shape = shapes[parts.shape[i]];
      const pose = parts.pose.slice(7 * i, 7 * i + 7);
      const [a, b, c] = shape.size;
      const add = (kind, at, scale) => lists[kind].push({ body, pose: at, scale, color: shape.color });
      const isLeftOut = shape.mesh !== undefined && !this.meshes[shape.mesh];
      if (body >= 0 && !isLeftOut) seen[body] = 1;
      let reach = 0;
      if (shape.kind === "sphere") add(SPHERE, pose, [a, a, a]), (reach = a);
      if (shape.kind === "ellipsoid") add(SPHERE, pose, [a, b, c]), (reach = Math.max(a, b, c));
      if (shape.kind === "box") add(BOX, pose, [a, b, c]), (reach = 0.5 * Math.hypot(a, b, c));
      if (shape.kind === "cylinder") add(CYLINDER, pose, [a, a, c]), (reach = Math.hypot(a, c / 2));
      if (shape.kind === "capsule" && body >= 0 && isHuge) add(ROD, pose, [a, a, c]), (reach = a + c / 2);
      else if (shape.kind === "capsule") {
        add(CYLINDER, pose, [a, a, c]);
        for (const side of [-0.5, 0.5]) {
          const shift = rotate(pose.slice(3), [0, 0, side * c]);
          add(SPHERE, [pose[0] + shift[0], pose[1] + shift[1], pose[2] + shift[2], ...pose.slice(3)], [a, a, a]);
        }
        reach = a + c / 2;
      }
      if (body < 0 && reach > 0) this.worldLow = Math.min(this.worldLow, pose[2] - heightOf(shape, pose, reach));
      if (shape.kind === "plane") this.planes.push({ pose, color: shape.color });
      if (shape.mesh !== undefined && !isLeftOut) {
        const kind = this.meshKind(shape.mesh);
        const geometry = this.meshGeometries[kind - SOLIDS];
        (lists[kind] ??= []).push({ body, pose, scale: [1, 1, 1], color: shape.color });
        reach = geometry.boundingSphere.center.length() + geometry.boundingSphere.radius;
        if (body < 0) this.worldLow = Math.min(this.worldLow, pose[2] + geometry.boundingBox.min.z);
      }
      if (body >= 0) {
        this.extent[body] = Math.max(this.extent[body], reach + Math.hypot(pose[0], pose[1], pose[2]));
      }
    });
    // bodies that look like nothing show the box that has their inertia
    this.plainBodies = 0;
    for (let b = 0; b < bodies.names.length; b++) {
      if (seen[b]) continue;
      this.plainBodies++;
      const turned = principal(bodies.inertia.slice(6 * b, 6 * b + 6));
      const size = equivalent(bodies.mass[b] || 1, turned.moments, 12);
      lists[BOX].push({
        body: b,
        pose: [...bodies.com.slice(3 * b, 3 * b + 3), ...quaternionOf(turned.axes)],
        scale: size,
        color: COLORS.plain,
      });
      this.extent[b] = 0.5 * Math.hypot(...size);
    }
    return lists;
  }

  buildBodies() {
    const lists = this.listParts();
    const geometries = [...this.solids(), ...this.meshGeometries];
    this.isLarge = lists.slice(0, SOLIDS).reduce((sum, list) => sum + list.length, 0) > 20000;
    this.bodyMaterial = this.isLarge
      ? new THREE.MeshLambertMaterial()
      : new THREE.MeshStandardMaterial({ roughness: 0.62, metalness: 0.05 });
    this.ghostMaterial = new THREE.MeshStandardMaterial({
      color: 0x4464ad, transparent: true, opacity: 0.28, depthWrite: false,
    });
    this.parts = lists.map((list, k) => new Instances(geometries[k], this.bodyMaterial, list, true));
    this.ghostParts = lists.map((list, k) => {
      const bare = list.filter((i) => i.body >= 0).map(({ body, pose, scale }) => ({ body, pose, scale }));
      return new Instances(geometries[k], this.ghostMaterial, this.isLarge ? [] : bare, false);
    });
    for (const p of this.parts) {
      p.mesh.castShadow = p.mesh.receiveShadow = !this.isLarge;
      this.scene.add(p.mesh);
    }
    for (const p of this.ghostParts) {
      p.mesh.visible = false;
      this.scene.add(p.mesh);
    }
  }

  buildSkins() {
    const { deformables } = this.model;
    // flat: the normals of triangles that bend come out of the picture itself
    const solid = new THREE.MeshStandardMaterial({
      color: COLORS.soft, roughness: 0.75, flatShading: true, side: THREE.DoubleSide,
    });
    this.dots = new THREE.PointsMaterial({ color: COLORS.soft });
    this.skins = deformables.map((d) => new Skin(d, solid, this.dots));
    const glass = this.ghostMaterial.clone();
    glass.flatShading = true;
    glass.side = THREE.DoubleSide;
    this.ghostSkins = deformables.map((d) => new Skin(d, glass, this.dots));
    for (const s of this.skins) {
      s.mesh.castShadow = s.mesh.receiveShadow = !this.isLarge;
      this.scene.add(s.mesh);
    }
    for (const s of this.ghostSkins) {
      s.mesh.visible = false;
      this.scene.add(s.mesh);
    }
  }

  placeSkins(frame) {
    let at = this.layout.skins;
    for (const s of this.skins) at = s.place(frame.values, at);
    at = this.layout.ghostSkins;
    for (const s of this.ghostSkins) {
      s.mesh.visible = frame.hasGhost && this.visible.ghost;
      if (s.mesh.visible) at = s.place(frame.values, at);
    }
  }

  buildJoints() {
    const { joints } = this.model;
    const count = joints.names.length;
    const points = [];
    const slides = [];
    const turns = [];
    for (let j = 0; j < count; j++) {
      const pose = joints.frameBase.slice(7 * j, 7 * j + 7);
      points.push({ body: joints.follower[j], pose: joints.frameFollower.slice(7 * j, 7 * j + 7), scale: [1, 1, 1] });
      for (const axis of joints.axes[j]) {
        const along = { x: [Math.SQRT1_2, 0, Math.SQRT1_2, 0], y: [Math.SQRT1_2, -Math.SQRT1_2, 0, 0], z: [1, 0, 0, 0] }[axis[1]];
        const turned = [...pose.slice(0, 3), ...multiply(pose.slice(3), along)];
        (axis[0] === "t" ? slides : turns).push({ body: joints.base[j], pose: turned, scale: [1, 1, 1] });
      }
    }
    const make = (geometry, color, list) => {
      const item = new Instances(geometry, new THREE.MeshStandardMaterial({ color, roughness: 0.6 }), list, false);
      item.mesh.visible = false;
      this.scene.add(item.mesh);
      return item;
    };
    this.jointParts = [
      make(new THREE.SphereGeometry(1, 14, 10), COLORS.joint, points),
      make(new THREE.CylinderGeometry(0.42, 0.42, 9, 8).rotateX(Math.PI / 2), COLORS.turn, turns),
      make(new THREE.BoxGeometry(0.7, 0.7, 9), COLORS.slide, slides),
    ];
  }

  buildGlyphs() {
    const { bodies } = this.model;
    const centres = [];
    const ellipsoids = [];
    if (!this.isLarge) {
      for (let b = 0; b < bodies.names.length; b++) {
        if (bodies.fixed[b] || !(bodies.mass[b] > 0)) continue;
        const at = bodies.com.slice(3 * b, 3 * b + 3);
        const turned = principal(bodies.inertia.slice(6 * b, 6 * b + 6));
        centres.push({ body: b, pose: [...at, 1, 0, 0, 0], scale: [1, 1, 1] });
        ellipsoids.push({
          body: b,
          pose: [...at, ...quaternionOf(turned.axes)],
          scale: equivalent(bodies.mass[b], turned.moments, 5),
        });
      }
    }
    const glass = new THREE.MeshStandardMaterial({ color: 0x577590, transparent: true, opacity: 0.3, depthWrite: false });
    const solid = new THREE.MeshStandardMaterial({ color: 0x1d3557, depthTest: false });
    const ball = new THREE.SphereGeometry(1, 20, 14);
    this.glyphParts = [new Instances(ball, glass, ellipsoids, false), new Instances(ball, solid, centres, false)];
    for (const p of this.glyphParts) {
      p.mesh.visible = false;
      p.mesh.renderOrder = 2;
      this.scene.add(p.mesh);
    }
  }

  // Sizes, ground, light and camera from where the bodies first are.
  settle(values) {
    const box = new THREE.Box3();
    const n = this.model.bodies.names.length;
    const reach = [];
    for (let b = 0; b < n; b++) {
      const o = this.layout.poses + 7 * b;
      const p = new THREE.Vector3(values[o], values[o + 1], values[o + 2]);
      const e = this.extent[b];
      box.expandByPoint(p.clone().addScalar(e)).expandByPoint(p.clone().subScalar(e));
      reach.push(e);
    }
    for (let o = this.layout.skins; o < this.layout.ghost; o += 3) {
      box.expandByPoint(new THREE.Vector3(values[o], values[o + 1], values[o + 2]));
    }
    if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, 0), new THREE.Vector3(1, 1, 1));
    reach.sort((a, b) => a - b);
    const size = Math.max(box.getSize(new THREE.Vector3()).length(), 1e-3);
    const median = reach.length ? reach[reach.length >> 1] : size;
    this.box = box;
    this.size = size;
    this.unit = Math.min(Math.max(0.35 * median, size / 800), size / 14);
    for (const p of this.jointParts) this.rescale(p, 0.16 * this.unit);
    this.rescale(this.glyphParts[1], 0.14 * this.unit);
    this.dots.size = size / 60;
    this.buildGround(box, size);
    this.buildLight(box, size);
    this.fit();
  }

  rescale(instances, factor) {
    instances.scale.fill(factor);
  }

  buildGround(box, size) {
    const extent = Math.max(6 * size, 1);
    const centre = box.getCenter(new THREE.Vector3());
    const hasPlane = this.planes.length > 0;
    const low = Math.min(box.min.z, this.worldLow);
    const level = hasPlane ? this.planes[0].pose[2] : low - 0.02 * size;
    const step = 10 ** Math.floor(Math.log10(size / 2));
    const sheet = new THREE.PlaneGeometry(2 * extent, 2 * extent);
    // a floor that the scene does not have hides nothing: what falls below it is drawn over it
    const floor = new THREE.Mesh(sheet, new THREE.MeshBasicMaterial({ color: COLORS.ground, depthWrite: hasPlane }));
    floor.renderOrder = -1;
    floor.position.set(centre.x, centre.y, level - 0.002 * size);
    const shade = new THREE.Mesh(sheet, new THREE.ShadowMaterial({ color: 0x22303c, opacity: 0.22 }));
    shade.position.set(centre.x, centre.y, level + 0.0005 * size);
    shade.receiveShadow = true;
    shade.visible = !this.isLarge;
    const lines = Math.min(Math.ceil(extent / step), 60);
    const grid = new THREE.GridHelper(2 * lines * step, 2 * lines, COLORS.grid, COLORS.grid);
    grid.rotation.x = Math.PI / 2;
    grid.position.set(Math.round(centre.x / step) * step, Math.round(centre.y / step) * step, level);
    grid.material.transparent = true;
    grid.material.opacity = 0.6;
    this.gridStep = step;
    this.scene.add(floor, grid, shade);
    this.scene.fog = new THREE.Fog(COLORS.sky, 3.2 * size, 7 * size);
    if (Math.abs(this.model.gravity[2]) < 1e-9 && !hasPlane) {
      floor.visible = false; // nothing falls: a floor would only confuse
      grid.visible = false;
      shade.visible = false;
    }
  }

  buildLight(box, size) {
    const centre = box.getCenter(new THREE.Vector3());
    const sky = new THREE.HemisphereLight(0xffffff, 0xa9b6c0, 1.55);
    sky.position.set(0, 0, 1);
    const sun = new THREE.DirectionalLight(0xffffff, 1.9);
    sun.position.copy(centre).add(new THREE.Vector3(0.6 * size, -0.5 * size, 1.3 * size));
    sun.target.position.copy(centre);
    if (!this.isLarge) {
      this.renderer.shadowMap.enabled = true;
      this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
      sun.castShadow = true;
      sun.shadow.mapSize.set(2048, 2048);
      const c = sun.shadow.camera;
      c.left = c.bottom = -1.1 * size;
      c.right = c.top = 1.1 * size;
      c.near = 0.05 * size;
      c.far = 4 * size;
      sun.shadow.bias = -0.0004;
      sun.shadow.normalBias = 0.002 * size;
    }
    this.scene.add(sky, sun, sun.target);
  }

  fit() {
    const centre = this.box.getCenter(new THREE.Vector3());
    const radius = 0.5 * this.size;
    const narrow = Math.min(this.camera.aspect, 1.2);
    const distance = (1.12 * radius) / Math.sin((this.camera.fov * Math.PI) / 360) / Math.max(narrow, 0.5);
    const way = new THREE.Vector3(0.62, -1, 0.52).normalize();
    this.camera.near = distance / 200;
    this.camera.far = distance * 40;
    this.camera.position.copy(centre).addScaledVector(way, distance);
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(centre);
    this.controls.update();
    this.needsDraw = true;
  }

  // ---- a frame

  setFrame(frame) {
    const isFirst = this.frame === null;
    this.frame = frame;
    if (isFirst) this.settle(frame.values);
    for (const p of this.parts) p.place(frame.values, this.layout.poses);
    for (const p of this.ghostParts) {
      p.mesh.visible = frame.hasGhost && this.visible.ghost;
      if (p.mesh.visible) p.place(frame.values, this.layout.ghost);
    }
    this.placeSkins(frame);
    for (const p of this.jointParts) {
      p.mesh.visible = this.visible.joints;
      if (p.mesh.visible) p.place(frame.values, this.layout.poses);
    }
    for (const p of this.glyphParts) {
      p.mesh.visible = this.visible.glyphs;
      if (p.mesh.visible) p.place(frame.values, this.layout.poses);
    }
    this.placeLoads(frame);
    this.placeContacts(frame);
    this.needsDraw = true;
  }

  refresh() {
    if (this.frame) this.setFrame(this.frame);
  }

  poseOf(body) {
    if (body < 0) return { p: [0, 0, 0], q: [1, 0, 0, 0] };
    const v = this.frame.values;
    const o = this.layout.poses + 7 * body;
    return { p: [v[o], v[o + 1], v[o + 2]], q: [v[o + 3], v[o + 4], v[o + 5], v[o + 6]] };
  }

  // A vector of a joint's load, in world axes, at the follower's joint point.
  loadOf(joint, first) {
    const { joints } = this.model;
    const v = this.frame.values;
    const o = this.layout.loads + 6 * joint + first;
    const base = this.poseOf(joints.base[joint]);
    const follower = this.poseOf(joints.follower[joint]);
    const axes = multiply(base.q, joints.frameBase.slice(7 * joint + 3, 7 * joint + 7));
    const at = rotate(follower.q, joints.frameFollower.slice(7 * joint, 7 * joint + 3));
    return {
      at: [at[0] + follower.p[0], at[1] + follower.p[1], at[2] + follower.p[2]],
      vector: rotate(axes, [v[o], v[o + 1], v[o + 2]]),
    };
  }

  // The longest arrow seen so far is a fixed share of the picture, so that arrows can be compared
  // over time; the scale only ever grows.
  scaleFor(key, largest) {
    this.largest = this.largest || {};
    this.largest[key] = Math.max(this.largest[key] || 0, largest);
    return this.largest[key] > 0 ? (this.forceScale * 0.3 * this.size) / this.largest[key] : 0;
  }

  placeVectors(arrows, list, key) {
    const largest = list.reduce((m, i) => Math.max(m, Math.hypot(...i.vector)), 0);
    const scale = this.scaleFor(key, largest);
    const thickness = Math.min(Math.max(0.1 * this.unit, 0.0018 * this.size), 0.006 * this.size);
    arrows.begin(list.length);
    for (const { at, vector } of list) arrows.add(at, vector.map((x) => scale * x), thickness);
    arrows.end();
  }

  placeLoads(frame) {
    const count = this.model.detail ? this.model.joints.names.length : 0;
    for (const [flag, arrows, first, key] of [
      ["forces", this.forces, 0, "force"],
      ["moments", this.momentArrows, 3, "moment"],
    ]) {
      if (!this.visible[flag] || count === 0) {
        arrows.hide();
        continue;
      }
      const list = [];
      for (let j = 0; j < count; j++) list.push(this.loadOf(j, first));
      this.placeVectors(arrows, list, key);
    }
  }

  placeContacts(frame) {
    const c = frame.contacts;
    if (!this.visible.contacts || c.length === 0) {
      this.contactArrows.hide();
      return;
    }
    const list = [];
    for (let i = 0; i < c.length; i += 6) {
      list.push({ at: [c[i], c[i + 1], c[i + 2]], vector: [c[i + 3], c[i + 4], c[i + 5]] });
    }
    this.placeVectors(this.contactArrows, list, "contact");
  }

  showPush(at, vector) {
    this.pushArrow.begin(1);
    if (at) this.pushArrow.add(at, vector, Math.max(0.12 * this.unit, 0.003 * this.size));
    this.pushArrow.end();
    this.needsDraw = true;
  }

  // ---- picking

  rayAt(x, y) {
    const box = this.renderer.domElement.getBoundingClientRect();
    const ray = new THREE.Raycaster();
    ray.setFromCamera(
      new THREE.Vector2((2 * (x - box.left)) / box.width - 1, 1 - (2 * (y - box.top)) / box.height),
      this.camera,
    );
    return ray;
  }

  pick(x, y) {
    for (const p of this.parts) p.mesh.boundingSphere = null; // three.js keeps that of the first frame
    const hits = this.rayAt(x, y).intersectObjects(this.parts.map((p) => p.mesh));
    for (const hit of hits) {
      const body = hit.object.userData.list[hit.instanceId].body;
      if (body >= 0) return { body, point: hit.point.toArray() };
    }
    return null;
  }

  // Where a body is on the screen, in page coordinates; for tests and labels.
  screenOf(body) {
    const com = this.model.bodies.com.slice(3 * body, 3 * body + 3);
    const pose = this.poseOf(body);
    const r = rotate(pose.q, com);
    const v = new THREE.Vector3(pose.p[0] + r[0], pose.p[1] + r[1], pose.p[2] + r[2]).project(this.camera);
    const box = this.renderer.domElement.getBoundingClientRect();
    return [box.left + (0.5 + 0.5 * v.x) * box.width, box.top + (0.5 - 0.5 * v.y) * box.height];
  }

  // The point under the pointer in the plane through `at` that faces the camera.
  pointAt(x, y, at) {
    const normal = this.camera.getWorldDirection(new THREE.Vector3());
    const plane = new THREE.Plane().setFromNormalAndCoplanarPoint(normal, new THREE.Vector3(...at));
    const hit = this.rayAt(x, y).ray.intersectPlane(plane, new THREE.Vector3());
    return hit ? hit.toArray() : at;
  }

  select(body) {
    if (body === this.selected) return;
    for (const p of this.parts) {
      p.list.forEach((item, k) => {
        if (item.body !== this.selected && item.body !== body) return;
        p.mesh.setColorAt(k, new THREE.Color(item.body === body ? COLORS.selected : item.color));
        if (p.mesh.instanceColor) p.mesh.instanceColor.needsUpdate = true;
      });
    }
    this.selected = body;
    this.needsDraw = true;
  }

  // ---- drawing

  resize() {
    const width = Math.max(this.container.clientWidth, 1);
    const height = Math.max(this.container.clientHeight, 1);
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
    // the middle of the picture is the middle of what the panels leave free
    const shift = 0.5 * (this.covered[1] - this.covered[0]);
    this.camera.setViewOffset(width, height, width > 900 ? shift : 0, 0, width, height);
    this.camera.updateProjectionMatrix();
    this.needsDraw = true;
  }

  // How many pixels of the picture panels cover on the left and on the right.
  setCovered(left, right) {
    this.covered = [left, right];
    this.resize();
  }

  draw() {
    this.controls.update();
    if (!this.needsDraw) return;
    this.needsDraw = false;
    this.renderer.render(this.scene, this.camera);
  }
}
