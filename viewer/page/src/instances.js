// instances.js - many copies of one solid in one draw call, skins of deformables, and arrows.
import * as THREE from "three";
import { fromZ, writeMatrix } from "./maths.js";

export const SOLID = 0;
export const GLASS = 1;
export const HIDDEN = 2;

// The triangles of a mesh, flat and lit from both sides.
export function geometryOf({ vertices, triangles }) {
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

export class Instances {
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

  // Where `looks` is given, only bodies whose look is `wanted` are drawn: the others have no size.
  place(values, offset, looks = null, wanted = SOLID) {
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
      const look = looks && this.body[k] >= 0 ? looks[this.body[k]] : SOLID;
      const size = look === wanted ? 1 : 0;
      writeMatrix(
        out, 16 * k,
        px + l[a] + w * tx + (y * tz - z * ty),
        py + l[a + 1] + w * ty + (z * tx - x * tz),
        pz + l[a + 2] + w * tz + (x * ty - y * tx),
        w * lw - x * lx - y * ly - z * lz,
        w * lx + x * lw + y * lz - z * ly,
        w * ly - x * lz + y * lw + z * lx,
        w * lz + x * ly - y * lx + z * lw,
        size * s[3 * k], size * s[3 * k + 1], size * s[3 * k + 2],
      );
    }
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

// The skin of a deformable: points that come with every frame, and the triangles over them. Particles
// have no triangles and are drawn as dots.
export class Skin {
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

// Solids that are placed one by one, as many as a frame needs.
export class Pool {
  constructor(scene, geometry, material) {
    this.scene = scene;
    this.geometry = geometry;
    this.material = material;
    this.mesh = null;
    this.capacity = 0;
    this.count = 0;
  }

  begin(count) {
    this.count = 0;
    if (count <= this.capacity) return;
    this.capacity = Math.max(32, 2 * count);
    if (this.mesh) {
      this.scene.remove(this.mesh);
      this.mesh.dispose();
    }
    this.mesh = new THREE.InstancedMesh(this.geometry, this.material, this.capacity);
    this.mesh.frustumCulled = false;
    this.mesh.count = 0;
    if (!this.material.depthTest) this.mesh.renderOrder = 4;
    this.scene.add(this.mesh);
  }

  add(p, q, sx, sy, sz) {
    writeMatrix(this.mesh.instanceMatrix.array, 16 * this.count++, p[0], p[1], p[2], q[0], q[1], q[2], q[3], sx, sy, sz);
  }

  color(value) {
    this.mesh.setColorAt(this.count - 1, value);
    this.mesh.instanceColor.needsUpdate = true;
  }

  end() {
    if (!this.mesh) return;
    this.mesh.count = this.count;
    this.mesh.visible = this.count > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
    this.mesh.boundingSphere = null;
  }

  hide() {
    this.count = 0;
    this.end();
  }
}

// Arrows: a shaft and a head each. `sources` says what each of them means, for the words under the pointer.
export class Arrows {
  constructor(scene, color) {
    // never behind what they act on
    const material = new THREE.MeshLambertMaterial({ color, depthTest: false, transparent: true, opacity: 0.92 });
    const shaft = new THREE.CylinderGeometry(1, 1, 1, 8).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    const head = new THREE.ConeGeometry(1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5);
    this.shafts = new Pool(scene, shaft, material);
    this.heads = new Pool(scene, head, material);
    this.sources = [];
    this.count = 0;
  }

  begin(count) {
    this.shafts.begin(count);
    this.heads.begin(count);
    this.sources.length = 0;
    this.count = 0;
  }

  add(p, v, thickness, source = null) {
    const length = Math.hypot(v[0], v[1], v[2]);
    if (!(length > 1.2 * thickness) || !Number.isFinite(length)) return;
    const d = [v[0] / length, v[1] / length, v[2] / length];
    const q = fromZ(d);
    const head = Math.min(0.4 * length, 5 * thickness);
    const shaft = length - head;
    this.shafts.add(p, q, thickness, thickness, shaft);
    this.heads.add([p[0] + d[0] * shaft, p[1] + d[1] * shaft, p[2] + d[2] * shaft], q, 2.4 * thickness, 2.4 * thickness, head);
    this.sources.push(source);
    this.count++;
  }

  end() {
    this.shafts.end();
    this.heads.end();
  }

  hide() {
    this.count = this.shafts.count = this.heads.count = 0;
    this.sources.length = 0;
    this.end();
  }

  meshes() {
    return [this.shafts.mesh, this.heads.mesh].filter((m) => m && m.visible);
  }
}
