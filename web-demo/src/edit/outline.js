/** An outline drawn click by click; its first corner, Enter or a double click closes it. */
import { BufferGeometry, Group, Line, LineBasicMaterial, Points, PointsMaterial, Vector3 } from 'three';
import { SELECTED } from '../view/colors.js';
import { crossesItself, roundPoint } from './shapes.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./shapes.js').Point} Point */

/** Distance within which a click hits a corner, pixels. */
const NEAR = 12;

export class Outline {
  /** @type {Point[]} */
  points = [];
  #app;
  #finish;
  #group = new Group();
  /** Position of the pointer. @type {Point | null} */
  #next = null;
  #line = new Line(new BufferGeometry(), new LineBasicMaterial({ color: SELECTED, depthTest: false, transparent: true }));
  #dots = new Points(new BufferGeometry(), new PointsMaterial({ color: SELECTED, size: 9, sizeAttenuation: false, depthTest: false, transparent: true }));

  /** @param {App} app @param {(points: Point[]) => void} finish receives a closed outline of at least 3 corners */
  constructor(app, finish) {
    this.#app = app;
    this.#finish = finish;
    this.#group.add(this.#line, this.#dots);
    for (const part of this.#group.children) {
      part.renderOrder = 950;
      part.frustumCulled = false;
    }
  }

  get isDrawing() {
    return this.points.length > 0;
  }

  /** @param {import('../view/picking.js').LevelHit | null} hit @param {{ clientX: number, clientY: number }} event */
  click(hit, event) {
    const [first] = this.points;
    if (first && this.points.length > 2 && this.#distance(first, event) < NEAR) this.close();
    else if (hit && !this.points.some((point) => this.#distance(point, event) < 3)) {
      this.points.push(roundPoint(hit.point));
      this.#next = null;
    }
    this.#draw();
  }

  /** @param {import('../view/picking.js').LevelHit | null} hit */
  move(hit) {
    if (!this.isDrawing) return;
    this.#next = hit?.point ?? this.#next;
    this.#draw();
  }

  /** Removes the last corner. */
  back() {
    this.points.pop();
    this.#draw();
  }

  cancel() {
    this.points = [];
    this.#next = null;
    this.#draw();
  }

  close() {
    const { points } = this;
    if (points.length < 3) return;
    if (crossesItself(points.map(([x, , z]) => [x, z]))) {
      this.#app.notices.warn('The outline crosses itself', 'Remove corners with Backspace, or start over with Esc.');
      return;
    }
    this.cancel();
    this.#finish(points);
  }

  /** Distance on the screen, pixels. @param {Point} point @param {{ clientX: number, clientY: number }} event */
  #distance(point, { clientX, clientY }) {
    const { camera, canvas } = this.#app.viewport;
    const box = canvas.getBoundingClientRect();
    const { x, y } = new Vector3(...point).project(camera);
    return Math.hypot(box.left + (x + 1) / 2 * box.width - clientX, box.top + (1 - y) / 2 * box.height - clientY);
  }

  #draw() {
    const { viewport, panels } = this.#app;
    const corners = this.points.map(([x, y, z]) => new Vector3(x, y + 0.08, z));
    this.#dots.geometry.dispose();
    this.#dots.geometry = new BufferGeometry().setFromPoints(corners);
    this.#line.geometry.dispose();
    const next = this.#next ? [new Vector3(this.#next[0], this.#next[1] + 0.08, this.#next[2])] : [];
    this.#line.geometry = new BufferGeometry().setFromPoints([...corners, ...next, ...corners.slice(0, 1)]);
    if (this.isDrawing) viewport.overlay.add(this.#group);
    else this.#group.removeFromParent();
    viewport.invalidate();
    panels.refresh();
  }
}
