// world.js - the three-dimensional picture: bodies, joints, forces, glyphs, ghost, ground and light.
//
// Every shape of every body is an instance of one of three unit solids, so that a hundred thousand
// links are a handful of draw calls; a frame only rewrites the instance matrices.
import * as THREE from "three";
import { Rig } from "./camera.js";
import { Areas } from "./areas.js";
import { Arrows, GLASS, Instances, Pool, SOLID, Skin, geometryOf } from "./instances.js";
import { CONTACT } from "./layout.js";
import { Limits, Links } from "./links.js";
import { equivalent, fromZ, multiply, plus, principal, quaternionOf, rotate } from "./maths.js";
import { Quality } from "./quality.js";
import { COLORS, LIGHT } from "./theme.js";

const SPHERE = 0;
const BOX = 1;
const CYLINDER = 2;
const ROD = 3; // a capsule among very many: three sides, no ends
const SOLIDS = 4; // meshes come behind
const HUGE = 100000; // parts from which on moving capsules are rods
const OVERLAY_COLORS = [0xc2417c, 0x2a9d8f, 0xe0a030, 0x6a5acd];
const SAMPLED = 3000; // bodies that the camera looks at, when there are more

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
  // `runs`: the numbers of all frames, where they are there from the start.
  constructor(container, model, layout, meshes, runs = null) {
    this.container = container;
    this.runs = runs;
    this.model = model;
    this.meshes = meshes;
    this.layout = layout;
    this.visible = { joints: false, forces: false, moments: false, contacts: true, glyphs: false, ghost: true, springs: true, limits: false, wrenches: true };
    this.selected = -1;
    this.selectedJoint = -1;
    this.theme = LIGHT;
    this.looks = new Uint8Array(model.bodies.names.length); // solid, glass or hidden, by body
    this.scales = {};
    this.overlays = []; // recordings over the picture, each with its glass parts
    this.forceScale = 1;
    this.needsDraw = true;
    this.frame = null;
    this.drag = null;
    this.covered = [0, 0, 0];

    this.quality = new Quality();
    // opaque, so that the browser need not blend it with what lies below
    const canvas = document.createElement("canvas");
    const context = canvas.getContext("webgl2", { alpha: false, antialias: !this.quality.isSoftware, powerPreference: "high-performance" });
    this.renderer = new THREE.WebGLRenderer({ canvas, context: context ?? undefined });
    this.renderer.toneMapping = THREE.NoToneMapping;
    container.append(this.renderer.domElement);
    this.scene = new THREE.Scene();
    this.scene.background = new THREE.Color(this.theme.sky);
    this.rig = new Rig(this.renderer.domElement);

    this.buildBodies();
    this.buildSkins();
    this.buildJoints();
    this.buildGlyphs();
    this.links = new Links(this.scene, this, model);
    this.limits = new Limits(this.scene, this, model, layout);
    this.forces = new Arrows(this.scene, COLORS.force);
    this.momentArrows = new Arrows(this.scene, COLORS.moment);
    this.contactArrows = new Arrows(this.scene, COLORS.contact);
    this.wrenchArrows = new Arrows(this.scene, COLORS.wrench);
    this.patches = new Pool(this.scene, new THREE.CylinderGeometry(1, 1, 1, 14).rotateX(Math.PI / 2),
      new THREE.MeshBasicMaterial({ color: COLORS.contact, transparent: true, opacity: 0.75, depthTest: false }));
    this.areas = new Areas(this.scene, COLORS.contact);
    this.pushArrow = new Arrows(this.scene, COLORS.push);
    new ResizeObserver(() => this.resize()).observe(container);
    this.resize();
  }

  get camera() {
    return this.rig.view;
  }

  get controls() {
    return this.rig.controls;
  }

  // ---- building

  solids() {
    const count = this.model.parts.body.length;
    const fine = count < (this.quality.isSoftware ? 400 : 3000);
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
    this.bodyBox = new Float32Array(6 * bodies.names.length); // middle and half sizes, body axes
    this.bodyBoxes = new Map();
    this.standing = new THREE.Box3(); // what the world itself brings, planes left out
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
      if (body < 0 && !isLeftOut && reach > 0) {
        const { middle, half } = halfOf(shape, this.meshGeometries, this.meshKinds);
        const at = plus(pose.slice(0, 3), rotate(pose.slice(3), middle));
        const h = turnedHalf(pose.slice(3), half);
        this.standing.expandByPoint(new THREE.Vector3(...at.map((x, k) => x - h[k]))).expandByPoint(new THREE.Vector3(...at.map((x, k) => x + h[k])));
      }
      if (body >= 0 && !isLeftOut && reach > 0) this.growBox(body, pose, halfOf(shape, this.meshGeometries, this.meshKinds));
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
      this.growBox(b, lists[BOX].at(-1).pose, { middle: [0, 0, 0], half: size.map((x) => x / 2) });
    }
    return lists;
  }

  // The box of a body, in its axes, takes in another shape.
  growBox(body, pose, { middle, half }) {
    const at = plus(pose.slice(0, 3), rotate(pose.slice(3), middle));
    const h = turnedHalf(pose.slice(3), half);
    const box = this.bodyBoxes.get(body) ?? [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
    for (let k = 0; k < 3; k++) {
      box[k] = Math.min(box[k], at[k] - h[k]);
      box[3 + k] = Math.max(box[3 + k], at[k] + h[k]);
    }
    this.bodyBoxes.set(body, box);
    for (let k = 0; k < 3; k++) {
      this.bodyBox[6 * body + k] = 0.5 * (box[k] + box[3 + k]);
      this.bodyBox[6 * body + 3 + k] = 0.5 * (box[3 + k] - box[k]);
    }
  }

  // The box of a body in the world grows into `box`.
  spread(box, values, body) {
    const o = this.layout.poses + 7 * body;
    const l = 6 * body;
    const q = [values[o + 3], values[o + 4], values[o + 5], values[o + 6]];
    const m = rotate(q, [this.bodyBox[l], this.bodyBox[l + 1], this.bodyBox[l + 2]]);
    const h = turnedHalf(q, [this.bodyBox[l + 3], this.bodyBox[l + 4], this.bodyBox[l + 5]]);
    const { min, max } = box;
    const [x, y, z] = [values[o] + m[0], values[o + 1] + m[1], values[o + 2] + m[2]];
    if (!Number.isFinite(x + y + z)) return;
    min.set(Math.min(min.x, x - h[0]), Math.min(min.y, y - h[1]), Math.min(min.z, z - h[2]));
    max.set(Math.max(max.x, x + h[0]), Math.max(max.y, y + h[1]), Math.max(max.z, z + h[2]));
  }

  buildBodies() {
    const lists = this.listParts();
    const geometries = [...this.solids(), ...this.meshGeometries];
    this.isLarge = lists.slice(0, SOLIDS).reduce((sum, list) => sum + list.length, 0) > 20000;
    this.isPlain = this.isLarge || this.quality.isSoftware;
    this.bodyMaterial = this.isPlain
      ? new THREE.MeshLambertMaterial()
      : new THREE.MeshStandardMaterial({ roughness: 0.62, metalness: 0.05 });
    this.glassMaterial = new THREE.MeshLambertMaterial({ transparent: true, opacity: 0.22, depthWrite: false });
    this.ghostMaterial = new THREE.MeshLambertMaterial({
      color: 0x4464ad, transparent: true, opacity: 0.28, depthWrite: false,
    });
    this.parts = lists.map((list, k) => new Instances(geometries[k], this.bodyMaterial, list, true));
    this.glassParts = null; // made when the first body becomes glass
    this.solidGeometries = geometries;
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
    const solid = new THREE.MeshLambertMaterial({ color: COLORS.soft, flatShading: true, side: THREE.DoubleSide });
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
    const around = this.isPlain ? 6 : 14; // software pays for every triangle
    const make = (geometry, color, list) => {
      const item = new Instances(geometry, new THREE.MeshLambertMaterial({ color }), list, false);
      item.mesh.visible = false;
      this.scene.add(item.mesh);
      return item;
    };
    this.jointParts = [
      make(new THREE.SphereGeometry(1, around, (2 * around) / 3), this.theme.joint, points),
      make(new THREE.CylinderGeometry(0.42, 0.42, 9, this.isPlain ? 5 : 8).rotateX(Math.PI / 2), COLORS.turn, turns),
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
    const glass = new THREE.MeshLambertMaterial({ color: 0x577590, transparent: true, opacity: 0.3, depthWrite: false });
    const solid = new THREE.MeshBasicMaterial({ color: 0x1d3557, depthTest: false });
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
      this.spread(box, values, b);
      reach.push(this.extent[b]);
    }
    for (const s of this.model.springs) {
      s.bodies.forEach((b, k) => b < 0 && box.expandByPoint(new THREE.Vector3(...s.points.slice(3 * k, 3 * k + 3))));
    }
    for (let o = this.layout.skins; o < this.layout.ghost; o += 3) {
      box.expandByPoint(new THREE.Vector3(values[o], values[o + 1], values[o + 2]));
    }
    // a frame or a base belongs into the picture, a landscape does not
    const both = box.clone().union(this.standing);
    const [own, all] = [box, both].map((b) => b.getSize(new THREE.Vector3()).length());
    if (!this.standing.isEmpty() && (box.isEmpty() || all < 2.2 * own)) box.copy(both);
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
    this.patchSize = Math.min(0.25 * this.unit, size / 110);
    this.buildGround(box, size);
    this.buildLight(box, size);
    this.limits.build(2 * this.unit);
    this.rig.begin(box, this.boundsOfRun());
  }

  // Where the bodies of a recording go, as far as they reach.
  boundsOfRun() {
    const { runs } = this;
    if (runs) {
      // all states are here: look at some hundred of them
      const box = new THREE.Box3();
      const stride = Math.max(1, Math.ceil((runs.count * this.extent.length) / 20000));
      for (let i = 0; i < runs.count; i += stride) {
        const moving = this.motionOf(runs.values.subarray(i * runs.width, (i + 1) * runs.width));
        if (moving) box.union(moving.box);
      }
      return box.isEmpty() ? null : box;
    }
    const b = this.model.bounds;
    if (!b) return null;
    let reach = 0;
    for (let k = 0; k < this.extent.length; k++) if (!this.model.bodies.fixed[k]) reach = Math.max(reach, this.extent[k]);
    return new THREE.Box3(new THREE.Vector3(b[0], b[1], b[2]), new THREE.Vector3(b[3], b[4], b[5])).expandByScalar(reach);
  }

  // What moves in this frame: the middle of its mass, and a ball and a box around it.
  motionOf(values) {
    const { bodies } = this.model;
    const n = bodies.names.length;
    const stride = Math.max(1, Math.ceil(n / SAMPLED));
    const box = new THREE.Box3();
    const middle = new THREE.Vector3();
    const p = new THREE.Vector3();
    let mass = 0;
    for (let b = 0; b < n; b += stride) {
      if (bodies.fixed[b] || this.looks[b] !== SOLID) continue;
      const o = this.layout.poses + 7 * b;
      p.set(values[o], values[o + 1], values[o + 2]);
      if (!Number.isFinite(p.x + p.y + p.z)) continue;
      const m = bodies.mass[b] || 1e-9;
      middle.addScaledVector(p, m);
      mass += m;
      this.spread(box, values, b);
    }
    for (let o = this.layout.skins; o < this.layout.ghost; o += 3 * stride) {
      box.expandByPoint(p.set(values[o], values[o + 1], values[o + 2]));
    }
    if (box.isEmpty()) return null;
    if (mass > 0) middle.divideScalar(mass);
    else box.getCenter(middle);
    // far corners of the box from the middle of the mass
    const far = new THREE.Vector3().subVectors(box.max, middle).max(new THREE.Vector3().subVectors(middle, box.min));
    return { box, middle, radius: Math.max(0.82 * far.length(), 1e-4) };
  }

  middleOf(body) {
    const com = this.model.bodies.com.slice(3 * body, 3 * body + 3);
    const pose = this.poseOf(body);
    return new THREE.Vector3(...plus(pose.p, rotate(pose.q, com)));
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
    const step = roundUp(size / 8);
    const sheet = new THREE.PlaneGeometry(2 * extent, 2 * extent);
    // a floor that the scene does not have hides nothing: what falls below it is drawn over it
    const floor = new THREE.Mesh(sheet, floorMaterial(hasPlane));
    floor.renderOrder = -1;
    floor.position.set(centre.x, centre.y, level - 0.002 * size);
    const shade = new THREE.Mesh(sheet, new THREE.ShadowMaterial({ color: this.theme.shade, opacity: 0.22, depthWrite: false }));
    shade.position.set(centre.x, centre.y, level + 0.0005 * size);
    shade.receiveShadow = true;
    const lines = Math.min(Math.ceil(extent / step), 60);
    const grid = new THREE.GridHelper(2 * lines * step, 2 * lines, 0xffffff, 0xffffff);
    grid.rotation.x = Math.PI / 2;
    grid.position.set(Math.round(centre.x / step) * step, Math.round(centre.y / step) * step, level);
    grid.material.transparent = true;
    grid.material.opacity = 0.6;
    this.gridStep = step;
    this.scene.add(floor, grid, shade);
    this.ground = { floor, grid, shade, level, step, hasPlane, isShown: true };
    this.scene.fog = new THREE.Fog(this.theme.sky, 3.2 * size, 7 * size);
    if (Math.abs(this.model.gravity[2]) < 1e-9 && !hasPlane) this.ground.isShown = false; // nothing falls: a floor would only confuse
    this.paint();
  }

  buildLight(box, size) {
    const centre = box.getCenter(new THREE.Vector3());
    this.sky = new THREE.HemisphereLight(this.theme.skyLight, this.theme.groundLight, 1.55);
    this.sky.position.set(0, 0, 1);
    const sun = new THREE.DirectionalLight(0xffffff, 1.9);
    this.sun = sun;
    this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
    sun.shadow.bias = -0.0004;
    sun.shadow.normalBias = 0.002 * size;
    this.placeLight(centre, size);
    this.scene.add(this.sky, sun, sun.target);
    this.applyQuality();
  }

  placeLight(centre, size) {
    const sun = this.sun;
    sun.position.copy(centre).add(new THREE.Vector3(0.6 * size, -0.5 * size, 1.3 * size));
    sun.target.position.copy(centre);
    const c = sun.shadow.camera;
    c.left = c.bottom = -1.1 * size;
    c.right = c.top = 1.1 * size;
    c.near = 0.05 * size;
    c.far = 4 * size;
    c.updateProjectionMatrix();
    this.lit = { centre: centre.clone(), size };
  }

  // Ground, fog and light go where the camera looks.
  followView() {
    const g = this.ground;
    const rig = this.rig;
    const target = rig.controls.target;
    const distance = rig.camera.position.distanceTo(target);
    this.scene.fog.near = 2.1 * distance;
    this.scene.fog.far = 5 * distance;
    g.floor.material.uniforms.near.value = this.scene.fog.near;
    g.floor.material.uniforms.far.value = this.scene.fog.far;
    for (const sheet of [g.floor, g.shade]) sheet.position.set(target.x, target.y, sheet.position.z);
    g.grid.position.set(Math.round(target.x / g.step) * g.step, Math.round(target.y / g.step) * g.step, g.level);
    // what fell far below a floor that is none leaves it behind
    const isBelow = !g.hasPlane && target.z < g.level - 1.5 * this.size;
    g.floor.visible = g.grid.visible = g.isShown && !isBelow;
    g.shade.visible = g.isShown && !isBelow && this.hasShadows;
    const need = Math.max(this.size, 1.7 * rig.goal.radius);
    const off = this.lit.centre.distanceTo(rig.goal.centre);
    if (off > 0.25 * this.lit.size || need > 1.3 * this.lit.size) this.placeLight(rig.goal.centre, need);
  }

  // Colours by day or by night.
  setTheme(theme) {
    this.theme = theme;
    this.paint();
    if (this.sky) {
      this.sky.color.setHex(theme.skyLight);
      this.sky.groundColor.setHex(theme.groundLight);
    }
    this.needsDraw = true;
  }

  paint() {
    const t = this.theme;
    this.scene.background.setHex(t.sky);
    this.jointParts[0].mesh.material.color.setHex(t.joint);
    if (!this.ground) return;
    this.scene.fog.color.setHex(t.sky);
    this.ground.floor.material.uniforms.ground.value = raw(t.ground);
    this.ground.floor.material.uniforms.sky.value = raw(t.sky);
    this.ground.grid.material.color.setHex(t.grid);
    this.ground.shade.material.color.setHex(t.shade);
  }

  // Shadows and pixels as the quality says.
  applyQuality() {
    const level = this.quality.level();
    const hasShadows = level.shadow > 0 && !this.isLarge;
    if (this.renderer.getPixelRatio() !== level.ratio) this.renderer.setPixelRatio(level.ratio);
    if (hasShadows !== this.hasShadows || (hasShadows && this.sun.shadow.mapSize.x !== level.shadow)) {
      this.hasShadows = hasShadows;
      this.renderer.shadowMap.enabled = hasShadows;
      this.sun.castShadow = hasShadows;
      if (hasShadows) {
        this.sun.shadow.mapSize.set(level.shadow, level.shadow);
        this.sun.shadow.map?.dispose();
        this.sun.shadow.map = null;
      }
      if (this.ground) this.ground.shade.visible = hasShadows && this.ground.isShown;
      this.scene.traverse((o) => o.material && (o.material.needsUpdate = true));
    }
    this.needsDraw = true;
  }

  // ---- a frame

  setFrame(frame) {
    const isFirst = this.frame === null;
    this.frame = frame;
    if (isFirst) this.settle(frame.values);
    const { poses, ghost } = this.layout;
    const hasLooks = this.hasLooks === true;
    for (const p of this.parts) p.place(frame.values, poses, hasLooks ? this.looks : null, SOLID);
    if (this.glassParts) for (const p of this.glassParts) p.place(frame.values, poses, this.looks, GLASS);
    this.placeIf(this.ghostParts, frame.hasGhost && this.visible.ghost, frame.values, ghost);
    for (const o of this.overlays) for (const p of o.parts) p.place(o.overlay.valuesAt(frame.time), 0);
    this.placeSkins(frame);
    this.placeIf(this.jointParts, this.visible.joints, frame.values, poses);
    this.placeIf(this.glyphParts, this.visible.glyphs, frame.values, poses);
    this.links.place(this.visible.springs);
    this.limits.place(this.visible.limits, frame, this.selectedJoint);
    this.placeLoads(frame);
    this.placeContacts(frame);
    this.placeWrenches(frame);
    this.rig.frame(this.motionOf(frame.values), (b) => this.middleOf(b));
    this.needsDraw = true;
  }

  placeIf(list, isOn, values, offset) {
    for (const p of list) {
      p.mesh.visible = isOn;
      if (isOn) p.place(values, offset);
    }
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

  // What an arrow of full length means: a round number a little above the largest that is shown. It grows
  // when arrows stay longer than that for a moment and shrinks when all stay much shorter: a single spike
  // is cut, and does not make all others vanish.
  scaleFor(key, largest) {
    const s = (this.scales[key] ??= { full: 0, longSince: null, shortSince: null, largest: 0, cut: false });
    const now = performance.now();
    s.largest = largest;
    if (s.full === 0) s.full = roundUp(largest);
    s.longSince = largest > s.full ? (s.longSince ?? now) : null;
    s.shortSince = largest > 0 && largest < 0.22 * s.full ? (s.shortSince ?? now) : null;
    if (s.longSince !== null && now - s.longSince > 250) s.full = roundUp(largest);
    if (s.shortSince !== null && now - s.shortSince > 900) s.full = roundUp(largest);
    s.cut = largest > 1.3 * s.full;
    return s.full > 0 ? (this.forceScale * 0.24 * this.size) / s.full : 0;
  }

  placeVectors(arrows, list, key) {
    let largest = 0;
    let who = null;
    for (const i of list) {
      i.size = Math.hypot(...i.vector);
      if (i.size > largest) [largest, who] = [i.size, i.source];
    }
    const scale = this.scaleFor(key, largest);
    const s = this.scales[key];
    s.who = who;
    s.isOn = true;
    const most = 1.3 * s.full;
    const thickness = Math.min(Math.max(0.1 * this.unit, 0.0022 * this.size), 0.006 * this.size);
    arrows.begin(list.length);
    for (const { at, vector, size, source } of list) {
      const f = size > most ? (scale * most) / size : scale;
      arrows.add(at, vector.map((x) => f * x), thickness, { ...source, size, key });
    }
    arrows.end();
  }

  placeLoads() {
    const count = this.model.detail ? this.model.joints.names.length : 0;
    for (const [flag, arrows, first, key] of [
      ["forces", this.forces, 0, "force"],
      ["moments", this.momentArrows, 3, "moment"],
    ]) {
      if (!this.visible[flag] || count === 0) {
        arrows.hide();
        if (this.scales[key]) this.scales[key].isOn = false;
        continue;
      }
      const list = [];
      for (let j = 0; j < count; j++) list.push({ ...this.loadOf(j, first), source: { joint: j } });
      this.placeVectors(arrows, list, key);
    }
  }

  placeContacts(frame) {
    const c = frame.contacts;
    if (!this.visible.contacts || c.length === 0) {
      this.contactArrows.hide();
      this.patches.hide();
      this.areas.hide();
      if (this.scales.contact) this.scales.contact.isOn = false;
      return;
    }
    const list = [];
    this.patches.begin(c.length / CONTACT);
    for (let i = 0; i < c.length; i += CONTACT) {
      const vector = [c[i + 3], c[i + 4], c[i + 5]];
      const at = [c[i], c[i + 1], c[i + 2]];
      const size = Math.hypot(...vector);
      list.push({ at, vector, source: { contact: i / CONTACT, a: c[i + 6], b: c[i + 7] } });
      if (size > 0) this.patches.add(at, fromZ(vector.map((x) => x / size)), this.patchSize, this.patchSize, 0.04 * this.patchSize);
    }
    this.patches.end();
    this.areas.place(c);
    this.placeVectors(this.contactArrows, list, "contact");
  }

  // The forces that the scene itself applies; their torques are told by the card of the body.
  placeWrenches(frame) {
    const { wrenches } = this.model;
    if (!this.visible.wrenches || !this.model.detail || wrenches.length === 0) {
      this.wrenchArrows.hide();
      return;
    }
    const list = wrenches.map((w, i) => {
      const pose = this.poseOf(w.body);
      const o = this.layout.wrenches + 6 * i;
      return {
        at: plus(pose.p, rotate(pose.q, w.point)),
        vector: Array.from(frame.values.subarray(o, o + 3)),
        source: { wrench: i },
      };
    });
    this.placeVectors(this.wrenchArrows, list, "wrench");
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
    const parts = this.glassParts ? [...this.parts, ...this.glassParts] : this.parts;
    for (const p of parts) p.mesh.boundingSphere = null; // three.js keeps that of the first frame
    const hits = this.rayAt(x, y).intersectObjects(parts.map((p) => p.mesh));
    for (const hit of hits) {
      const body = hit.object.userData.list[hit.instanceId].body;
      if (body >= 0) return { body, point: hit.point.toArray() };
    }
    return null;
  }

  // The joint whose point is nearest to the pointer; -1 when none is within so many pixels.
  pickJoint(x, y, within = 9) {
    if (!this.visible.joints) return -1;
    let best = -1;
    let least = within;
    for (let j = 0; j < this.model.joints.names.length; j++) {
      const [u, v] = this.toScreen(this.jointPoint(j));
      const d = Math.hypot(u - x, v - y);
      if (d < least) [best, least] = [j, d];
    }
    return best;
  }

  // The arrow under the pointer: what it belongs to and its size.
  pickArrow(x, y) {
    const ray = this.rayAt(x, y);
    for (const arrows of [this.forces, this.momentArrows, this.contactArrows, this.wrenchArrows]) {
      const meshes = arrows.meshes();
      if (meshes.length === 0) continue;
      for (const m of meshes) m.boundingSphere = null;
      const hit = ray.intersectObjects(meshes)[0];
      if (hit) return arrows.sources[hit.instanceId];
    }
    return null;
  }

  jointPoint(j) {
    const { joints } = this.model;
    const pose = this.poseOf(joints.follower[j]);
    return plus(pose.p, rotate(pose.q, joints.frameFollower.slice(7 * j, 7 * j + 3)));
  }

  toScreen(p) {
    const v = new THREE.Vector3(...p).project(this.camera);
    const box = this.renderer.domElement.getBoundingClientRect();
    return [box.left + (0.5 + 0.5 * v.x) * box.width, box.top + (0.5 - 0.5 * v.y) * box.height, v.z];
  }

  // Where a body is on the screen, in page coordinates; for tests and labels.
  screenOf(body) {
    return this.toScreen(this.middleOf(body).toArray()).slice(0, 2);
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

  selectJoint(joint) {
    this.selectedJoint = joint;
    this.refresh();
  }

  // A recording over what is shown, in glass of its own colour.
  addOverlay(overlay) {
    const color = OVERLAY_COLORS[this.overlays.length % OVERLAY_COLORS.length];
    const material = this.ghostMaterial.clone();
    material.color.setHex(color);
    const parts = this.parts.map((p, k) => new Instances(this.solidGeometries[k], material,
      p.list.filter((i) => i.body >= 0).map(({ body, pose, scale }) => ({ body, pose, scale })), false));
    for (const p of parts) this.scene.add(p.mesh);
    this.overlays.push({ overlay, parts, color });
    this.refresh();
    return color;
  }

  removeOverlay(overlay) {
    const i = this.overlays.findIndex((o) => o.overlay === overlay);
    if (i < 0) return;
    for (const p of this.overlays[i].parts) this.scene.remove(p.mesh);
    this.overlays.splice(i, 1);
    this.refresh();
  }

  // Solid, glass or hidden.
  setLook(body, look) {
    this.looks[body] = look;
    this.hasLooks = true;
    if (look === GLASS && !this.glassParts) {
      this.glassParts = this.parts.map((p, k) => new Instances(this.solidGeometries[k], this.glassMaterial, p.list, true));
      for (const p of this.glassParts) this.scene.add(p.mesh);
    }
    this.refresh();
  }

  // ---- drawing

  resize() {
    const width = Math.max(this.container.clientWidth, 1);
    const height = Math.max(this.container.clientHeight, 1);
    this.renderer.setSize(width, height);
    this.rig.resize(width, height, ...this.covered);
    this.needsDraw = true;
  }

  // How many pixels of the picture panels cover on the left, on the right and below.
  setCovered(left, right, below = 0) {
    this.covered = [left, right, below];
    this.resize();
  }

  fit() {
    this.rig.fit("iso");
    this.needsDraw = true;
  }

  draw(isMoving = false) {
    const now = performance.now();
    const passed = Math.min((now - (this.drawnAt ?? now)) / 1000, 0.25);
    this.drawnAt = now;
    if (!this.frame) return false;
    const isTurning = this.rig.tick(passed);
    const isBusy = isTurning || isMoving || this.needsDraw;
    if (this.quality.note(now, isBusy)) this.applyQuality();
    if (!this.needsDraw && !isTurning) return false;
    this.needsDraw = false;
    this.render();
    return true;
  }

  // At once: what reads the canvas does so in the same turn, before the browser takes the picture away.
  render() {
    this.followView();
    this.renderer.render(this.scene, this.camera);
  }
}

// Half sizes of the box around a turned box.
function turnedHalf([w, x, y, z], [a, b, c]) {
  return [
    Math.abs(1 - 2 * (y * y + z * z)) * a + Math.abs(2 * (x * y - w * z)) * b + Math.abs(2 * (x * z + w * y)) * c,
    Math.abs(2 * (x * y + w * z)) * a + Math.abs(1 - 2 * (x * x + z * z)) * b + Math.abs(2 * (y * z - w * x)) * c,
    Math.abs(2 * (x * z - w * y)) * a + Math.abs(2 * (y * z + w * x)) * b + Math.abs(1 - 2 * (x * x + y * y)) * c,
  ];
}

// The box of a shape in its own axes.
function halfOf(shape, geometries, kinds) {
  const [a, b, c] = shape.size;
  const none = [0, 0, 0];
  if (shape.kind === "sphere") return { middle: none, half: [a, a, a] };
  if (shape.kind === "ellipsoid") return { middle: none, half: [a, b, c] };
  if (shape.kind === "box") return { middle: none, half: [a / 2, b / 2, c / 2] };
  if (shape.kind === "cylinder") return { middle: none, half: [a, a, c / 2] };
  if (shape.kind === "capsule") return { middle: none, half: [a, a, c / 2 + a] };
  const box = geometries[kinds.get(shape.mesh) - SOLIDS].boundingBox;
  const middle = box.getCenter(new THREE.Vector3());
  return { middle: middle.toArray(), half: box.max.clone().sub(middle).toArray() };
}

// A colour as the screen has it, not linear.
const raw = (hex) => new THREE.Vector3((hex >> 16) & 255, (hex >> 8) & 255, hex & 255).divideScalar(255);

// The floor covers most of the picture: its colours are mixed as the screen has them, which needs no powers
// in every pixel as the materials of three.js do.
function floorMaterial(depthWrite) {
  return new THREE.ShaderMaterial({
    depthWrite,
    uniforms: { ground: { value: null }, sky: { value: null }, near: { value: 1 }, far: { value: 2 } },
    vertexShader: "varying float depth; void main() { vec4 p = modelViewMatrix * vec4(position, 1.0); depth = -p.z; gl_Position = projectionMatrix * p; }",
    fragmentShader: "uniform vec3 ground; uniform vec3 sky; uniform float near; uniform float far; varying float depth; void main() { gl_FragColor = vec4(mix(ground, sky, smoothstep(near, far, depth)), 1.0); }",
  });
}

// 1, 2 or 5 times a power of ten, not below x.
function roundUp(x) {
  if (!(x > 0) || !Number.isFinite(x)) return 0;
  const power = 10 ** Math.floor(Math.log10(x));
  for (const f of [1, 2, 5, 10]) if (f * power >= x * (1 - 1e-9)) return f * power;
  return 10 * power;
}
