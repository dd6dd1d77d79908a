/** Drawing of the inspector: a pin at the point, its polygon highlighted, a line to the wall or to the nearest walkable point. */
import { Color, ConeGeometry, Group, Mesh, MeshBasicMaterial, Vector3 } from 'three';
import { readTile } from 'walkmesh';
import { PolygonsHelper } from 'walkmesh/three';
import { shiftDepth } from '../layers/depth-shift.js';
import { lineMaterial } from '../layers/materials.js';
import { makePalette } from '../layers/palette.js';
import { makeLines, makePart } from '../layers/primitives.js';
import { END, SELECTED, START } from '../view/colors.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../state/document.js').Point} Point */
/** @typedef {import('walkmesh').NavMesh} NavMesh */

/** Line colours by index: outline of the polygon, to the wall, to the nearest walkable point. */
const COLORS = [SELECTED, 0xffffff, START];

/** Height of the pin relative to its distance from the camera. */
const PIN_SIZE = 0.035;

/** Bits of a reference that hold the polygon's index in its tile. */
const POLYGON_BITS = 20;

/** The outline of a polygon as line segments. @param {NavMesh} navMesh @param {number} polygon @returns {number[]} */
function outlineOf(navMesh, polygon) {
  const index = polygon % 2 ** POLYGON_BITS;
  const { sizes, polygons, vertices } = readTile(navMesh.tileBytes(polygon));
  const corner = (/** @type {number} */ k) => {
    const at = 3 * polygons[6 * index + k % sizes[index]];
    return vertices.subarray(at, at + 3);
  };
  return Array.from({ length: sizes[index] }, (_, k) => [...corner(k), ...corner(k + 1), 0, 0]).flat();
}

export class Marker {
  object = new Group();
  #app;
  #pin;
  #lines = makePart(makeLines(new Float32Array(0)), lineMaterial(makePalette(COLORS), { width: 2.5, lift: 0.1 }), 7);
  /** @type {PolygonsHelper | null} */
  #polygons = null;
  /** @type {NavMesh | null} */
  #navMesh = null;

  /** @param {App} app @param {() => void} [placed] called when the view draws the pin */
  constructor(app, placed = () => {}) {
    this.#app = app;
    const cone = new ConeGeometry(0.32, 1, 24).rotateX(Math.PI).translate(0, 0.5, 0);
    this.#pin = new Mesh(cone, new MeshBasicMaterial({ color: START, toneMapped: false, depthTest: false, transparent: true, opacity: 0.92 }));
    this.#pin.renderOrder = 8;
    this.#pin.raycast = () => {};
    const { camera } = app.viewport;
    const place = new Vector3();
    this.#pin.onBeforeRender = () => {
      const size = camera.position.distanceTo(this.#pin.getWorldPosition(place)) * PIN_SIZE;
      if (Math.abs(size - this.#pin.scale.y) > 1e-3 * size) this.#pin.scale.setScalar(size);
      this.#pin.updateMatrixWorld();
      this.#pin.modelViewMatrix.multiplyMatrices(camera.matrixWorldInverse, this.#pin.matrixWorld);
      placed();
    };
    this.#lines.frustumCulled = this.#pin.frustumCulled = false;
    this.object.add(this.#pin, this.#lines);
    this.object.visible = false;
    app.viewport.overlay.add(this.object);
  }

  hide() {
    this.object.visible = false;
    this.#polygons?.update([]);
    this.#app.viewport.invalidate();
  }

  /** Call it before the mesh is freed. */
  drop() {
    this.#polygons?.dispose();
    this.#polygons = this.#navMesh = null;
  }

  /**
   * @param {{ point: Point, navMesh: NavMesh | null, polygon: number, wall: Point | null, walkable: Point | null }} spot polygon 0: none; wall, walkable:
   *   ends of the lines
   */
  show({ point, navMesh, polygon, wall, walkable }) {
    this.object.visible = true;
    this.#pin.position.set(...point);
    this.#pin.material.color = new Color(polygon ? SELECTED : END);
    const lines = polygon && navMesh ? outlineOf(navMesh, polygon) : [];
    if (wall) lines.push(...point, ...wall, 1, 0);
    if (walkable) lines.push(...point, ...walkable, 2, 0);
    this.#lines.geometry.dispose();
    this.#lines.geometry = makeLines(Float32Array.from(lines));
    this.#light(navMesh, polygon);
    this.#app.viewport.invalidate();
  }

  /** @param {NavMesh | null} navMesh @param {number} polygon */
  #light(navMesh, polygon) {
    if (navMesh !== this.#navMesh) this.drop();
    if (!navMesh) return;
    if (!this.#polygons) {
      this.#navMesh = navMesh;
      this.#polygons = new PolygonsHelper(navMesh, { color: SELECTED, opacity: 0.55, lift: 0.09 });
      shiftDepth(this.#polygons.surface.material);
      this.object.add(this.#polygons);
    }
    this.#polygons.update(polygon ? [polygon] : []);
  }
}
