// camera.js - the camera: it keeps in view what moves, follows a body, and has the usual views.
//
// One perspective camera is turned by the pointer; the parallel one copies it. What the camera should
// show is a ball (`goal`); it moves there softly, and what runs away is followed without lag.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

const VIEWS = {
  iso: [0.62, -1, 0.52],
  front: [0, -1, 0],
  side: [1, 0, 0],
  top: [0, -0.0001, 1],
};

const AUTO = "auto"; // keep in view what moves
const FREE = "free"; // stay where the user put it
const FOLLOW = "follow"; // go along with a body
const SOFT = 0.3; // s in which the camera comes near its goal
const ROAMING = 3.2; // a run that spans so many times its own size is followed, not fitted

export class Rig {
  constructor(canvas) {
    this.camera = new THREE.PerspectiveCamera(40, 1, 0.01, 1000);
    this.camera.up.set(0, 0, 1);
    this.flat = new THREE.OrthographicCamera();
    this.flat.up.set(0, 0, 1);
    this.isFlat = false;
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.addEventListener("change", () => (this.hasChanged = true));
    this.controls.addEventListener("start", () => (this.way = null));
    this.hasChanged = true;
    this.mode = AUTO;
    this.body = -1;
    this.goal = { centre: new THREE.Vector3(), radius: 1 };
    this.zoom = 1;
    this.seen = new THREE.Box3(); // where things have been
    this.home = 1; // radius of what is seen at the start
    this.isRoaming = false;
    this.middle = null; // of what moves, in the frame before
    this.shift = [0, 0, 1, 1]; // pixels, and the size of the canvas
    this.onMode = () => {};
  }

  get view() {
    return this.isFlat ? this.flat : this.camera;
  }

  // How far away the goal fills the free part of the picture: the corners of its box as they are seen from
  // this direction, or the ball around what runs away.
  distanceOf(direction) {
    const [, , width, height] = this.shift;
    const free = Math.max(width - (this.covered || 0), 0.35 * width) / height;
    const slope = Math.tan((this.camera.fov * Math.PI) / 360);
    const { half, radius } = this.goal;
    const tall = 1 - (this.below || 0) / height;
    if (!half) return (1.02 * radius) / Math.sin(Math.atan(slope * Math.min(free, tall)));
    const right = new THREE.Vector3().crossVectors(this.camera.up, direction);
    if (right.lengthSq() < 1e-9) right.set(1, 0, 0);
    right.normalize();
    const up = new THREE.Vector3().crossVectors(direction, right);
    let most = 0;
    for (let k = 0; k < 8; k++) {
      const corner = new THREE.Vector3(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z);
      const reach = Math.max(Math.abs(corner.dot(up)) / (slope * tall), Math.abs(corner.dot(right)) / (slope * free));
      most = Math.max(most, corner.dot(direction) + reach);
    }
    return 1.12 * most;
  }

  // Everything starts anew: `box` is what is seen at the start, `bounds` where it will go, if that is known.
  begin(box, bounds) {
    this.seen.copy(box);
    this.home = 0.5 * box.getSize(new THREE.Vector3()).length();
    this.isRoaming = false;
    this.middle = null;
    if (bounds) this.expand(bounds);
    this.fit("iso");
  }

  expand(box) {
    this.seen.union(box);
    const radius = 0.5 * this.seen.getSize(new THREE.Vector3()).length();
    if (radius > ROAMING * this.home) this.isRoaming = true;
    return radius;
  }

  // At once, and as at the start.
  fit(name = null) {
    const view = name ? new THREE.Vector3(...VIEWS[name]).normalize() : this.direction();
    this.zoom = 1;
    this.way = null;
    this.setMode(AUTO);
    this.aim();
    this.controls.target.copy(this.goal.centre);
    this.put(view, this.distanceOf(view));
  }

  look(name) {
    this.way = new THREE.Vector3(...VIEWS[name]).normalize();
    this.hasChanged = true;
  }

  setFlat(isFlat) {
    this.isFlat = isFlat;
    this.hasChanged = true;
  }

  setMode(mode, body = -1) {
    this.mode = mode;
    this.body = body;
    this.settling = 1.2; // s
    this.middle = mode === FREE ? null : this.middle;
    this.hasChanged = true;
    this.onMode(mode, body);
  }

  follow(body) {
    this.followed = null;
    this.setMode(body >= 0 ? FOLLOW : AUTO, body);
  }

  direction() {
    const d = this.camera.position.clone().sub(this.controls.target);
    return d.lengthSq() > 0 ? d.normalize() : new THREE.Vector3(...VIEWS.iso).normalize();
  }

  put(direction, distance) {
    this.camera.position.copy(this.controls.target).addScaledVector(direction, distance);
    this.controls.update();
    this.last = { distance, target: this.controls.target.clone() };
    this.hasChanged = true;
  }

  aim() {
    if (this.isRoaming && this.moving) {
      this.goal.centre.copy(this.moving.middle);
      this.goal.radius = Math.max(this.moving.radius, 0.3 * this.home);
      this.goal.half = null;
      return;
    }
    this.seen.getCenter(this.goal.centre);
    this.goal.half = this.seen.getSize(new THREE.Vector3()).multiplyScalar(0.5);
    this.goal.radius = Math.max(this.goal.half.length(), 1e-4);
  }

  // What moves in this frame: middle, radius, box; and where the followed body is.
  frame(moving, place) {
    this.moving = moving;
    if (moving) this.expand(moving.box);
    this.aim();
    const now = this.mode === FOLLOW && this.body >= 0 ? place(this.body) : this.mode === AUTO && this.isRoaming && moving ? moving.middle : null;
    if (now && this.middle) this.carry(now.clone().sub(this.middle));
    this.middle = now ? now.clone() : null;
  }

  // Camera and target go along, so that what runs ever faster does not get away.
  carry(by) {
    this.camera.position.add(by);
    this.controls.target.add(by);
    if (this.last) this.last.target.add(by);
    this.hasChanged = true;
  }

  // A moment passes: true when the picture must be drawn anew.
  tick(seconds) {
    this.controls.update();
    this.readHands();
    const share = 1 - Math.exp(-seconds / SOFT);
    let distance = this.camera.position.distanceTo(this.controls.target);
    const direction = this.direction();
    let moved = false;
    if (this.mode === AUTO) {
      const want = this.distanceOf(this.way ?? direction) * this.zoom;
      const off = this.goal.centre.distanceTo(this.controls.target);
      if (off > 1e-3 * want || Math.abs(want - distance) > 2e-3 * want) {
        this.controls.target.lerp(this.goal.centre, share);
        distance += share * (want - distance);
        moved = true;
      }
    } else if (this.mode === FOLLOW && this.middle && this.settling > 0) {
      this.controls.target.lerp(this.middle, share);
      this.settling -= seconds;
      moved = true;
    }
    if (this.way) {
      direction.lerp(this.way, 1 - Math.exp(-seconds / 0.09)).normalize();
      if (direction.distanceTo(this.way) < 2e-3) {
        direction.copy(this.way);
        this.way = null;
      }
      moved = true;
    }
    if (moved) this.put(direction, distance);
    const has = this.hasChanged;
    this.hasChanged = false;
    if (has) this.update(distance);
    return has;
  }

  // A wheel that turned makes all nearer; who shifts the picture wants it to stay.
  readHands() {
    if (!this.last) return;
    const distance = this.camera.position.distanceTo(this.controls.target);
    if (Math.abs(distance / this.last.distance - 1) > 1e-6) {
      this.zoom *= distance / this.last.distance;
      this.last.distance = distance;
    }
    if (this.controls.target.distanceTo(this.last.target) > 1e-5 * distance) {
      this.last.target.copy(this.controls.target);
      if (this.mode === AUTO) this.setMode(FREE);
      else this.settling = 0;
    }
  }

  update(distance) {
    const c = this.camera;
    c.near = distance / 200;
    c.far = distance * 60;
    const [shift, lift, width, height] = this.shift;
    c.aspect = width / height;
    c.setViewOffset(width, height, shift, lift, width, height);
    c.updateProjectionMatrix();
    c.updateMatrixWorld();
    if (!this.isFlat) return;
    const half = distance * Math.tan((c.fov * Math.PI) / 360);
    const f = this.flat;
    f.top = half;
    f.bottom = -half;
    f.right = (half * width) / height;
    f.left = -f.right;
    f.near = -distance * 20;
    f.far = distance * 20;
    f.position.copy(c.position);
    f.quaternion.copy(c.quaternion);
    f.setViewOffset(width, height, shift, lift, width, height);
    f.updateProjectionMatrix();
    f.updateMatrixWorld();
  }

  // The middle of the picture is the middle of what the panels leave free.
  resize(width, height, left, right, below) {
    const isWide = width > 900;
    this.covered = isWide ? left + right : 0;
    this.below = Math.min(below, 0.6 * height);
    this.shift = [isWide ? 0.5 * (right - left) : 0, 0.5 * this.below, width, height];
    this.hasChanged = true;
  }
}
