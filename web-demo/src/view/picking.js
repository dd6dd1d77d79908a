/** Finds the point under the pointer. */
import { Raycaster, Vector2, Vector3 } from 'three';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../state/document.js').Point} Point */
/** @typedef {{ point: Point, normal: Point, triangle: number }} LevelHit triangle: index in the level; -1: a plane */

/** Largest distance between a point of the level and its polygon, world units. */
const REACH = [0.5, 1.5, 0.5];

export class Picking {
  #app;
  #caster = new Raycaster();
  #pointer = new Vector2();

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
    this.#caster.firstHitOnly = true;
  }

  /** The ray through the pointer. @param {{ clientX: number, clientY: number }} event */
  ray(event) {
    const { canvas, camera } = this.#app.viewport;
    const box = canvas.getBoundingClientRect();
    this.#pointer.set((event.clientX - box.left) / box.width * 2 - 1, 1 - (event.clientY - box.top) / box.height * 2);
    camera.updateMatrixWorld();
    this.#caster.setFromCamera(this.#pointer, camera);
    return this.#caster.ray;
  }

  /**
   * The first point of the level under the pointer, below the clipping height.
   * @param {{ clientX: number, clientY: number }} event @returns {LevelHit | null}
   */
  level(event) {
    const mesh = this.#app.levels.current?.mesh;
    if (!mesh) return null;
    const ray = this.ray(event);
    this.#skipClipped(ray);
    const [hit] = this.#caster.intersectObject(mesh, false);
    if (!hit?.face) return null;
    return { point: toPoint(hit.point), normal: toPoint(hit.face.normal), triangle: hit.faceIndex ?? -1 };
  }

  /**
   * The point of a horizontal plane under the pointer.
   * @param {{ clientX: number, clientY: number }} event @param {number} height @returns {LevelHit | null}
   */
  plane(event, height) {
    const { origin, direction } = this.ray(event);
    const distance = (height - origin.y) / direction.y;
    if (!(distance > 0)) return null;
    return { point: toPoint(new Vector3().copy(origin).addScaledVector(direction, distance)), normal: [0, 1, 0], triangle: -1 };
  }

  /** The height of the level below a point. @param {Point} from @param {number} reach world units @returns {number | null} */
  below([x, y, z], reach) {
    const mesh = this.#app.levels.current?.mesh;
    if (!mesh) return null;
    this.#caster.ray.origin.set(x, y, z);
    this.#caster.ray.direction.set(0, -1, 0);
    this.#caster.near = 0;
    this.#caster.far = reach;
    const [hit] = this.#caster.intersectObject(mesh, false);
    this.#caster.far = Infinity;
    return hit?.point.y ?? null;
  }

  /**
   * The point of a vertical line nearest to the pointer.
   * @param {{ clientX: number, clientY: number }} event @param {{ x: number, z: number }} foot @returns {LevelHit | null}
   */
  height(event, { x, z }) {
    const { origin, direction } = this.ray(event);
    // On the vertical plane through the line that faces the camera; impossible if the camera looks straight down.
    const [nx, nz] = [direction.x, direction.z];
    const distance = ((x - origin.x) * nx + (z - origin.z) * nz) / (nx * nx + nz * nz);
    if (!(distance > 0 && Number.isFinite(distance))) return null;
    return { point: [x, origin.y + distance * direction.y, z], normal: [0, 1, 0], triangle: -1 };
  }

  /**
   * The first point of the level under the pointer, and its polygon: 0 if there is none.
   * @param {{ clientX: number, clientY: number }} event @returns {(LevelHit & { polygon: number }) | null}
   */
  mesh(event) {
    const hit = this.level(event);
    const navMesh = this.#app.bakes.current?.navMesh;
    if (!hit) return null;
    const nearest = navMesh?.nearestPoint(hit.point, { halfExtents: REACH });
    return { ...hit, polygon: nearest?.polygon ?? 0 };
  }

  /** Skips everything above the clipping height. @param {import('three').Ray} ray */
  #skipClipped(ray) {
    const { clip } = this.#app.store.state.view;
    this.#caster.near = 0;
    if (clip === null || ray.origin.y <= clip) return;
    this.#caster.near = ray.direction.y < 0 ? (clip - ray.origin.y) / ray.direction.y : Infinity;
  }
}

/** @param {Vector3} vector @returns {Point} */
function toPoint({ x, y, z }) {
  return [x, y, z];
}
