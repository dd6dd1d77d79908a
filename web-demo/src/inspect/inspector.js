/** The inspected point: facts of the mesh and the bake, updated as they change. */
import { SHAPING } from '../stages/stages.js';
import { keepAboveSheet } from '../view/keep-in-view.js';
import { pointInfoOf, nearestWalkable, polygonAt } from './point-info.js';
import { Marker } from './marker.js';
import { PinLabel } from './pin-label.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../state/document.js').Point} Point */
/** @typedef {import('./point-info.js').PointInfo} PointInfo */
/** @typedef {import('../stages/explain.js').Explanation} Explanation */

/**
 * @typedef {object} Inspected
 * @property {Point} point
 * @property {PointInfo | null} facts null: no polygon at the point
 * @property {{ point: Point, distance: number } | null} nearest the nearest walkable point, if this one isn't
 * @property {Explanation | null} explanation null: not yet received
 * @property {string | null} failure why there is no explanation
 */

export class Inspector {
  #app;
  /** @type {Inspected | null} */
  current = null;
  #marker;
  #label;
  /** Number of the current request; answers to older requests are ignored. */
  #look = 0;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
    this.#label = new PinLabel(app);
    this.#marker = new Marker(app, () => this.#label.follow());
    app.events.on('mesh-ending', () => this.#marker.drop());
    app.events.on('level', () => this.clear());
    app.events.on('cause', () => this.#draw());
    for (const name of /** @type {const} */ (['mesh', 'tiles', 'main-ground'])) app.events.on(name, () => this.#lookAgain());
    app.store.subscribe(({ document: now }, { document: before }) => {
      if (this.current && SHAPING.some((name) => now[name] !== before[name])) void this.#explain(this.current.point);
    });
  }

  clear() {
    this.#look++;
    this.current = null;
    this.#marker.hide();
    this.#label.hide();
    this.#app.panels.refresh();
  }

  /** @param {Point} point */
  look(point) {
    this.current = { point, ...this.#query(point), explanation: null, failure: null };
    this.#draw();
    void this.#explain(point);
  }

  #lookAgain() {
    if (!this.current) return;
    Object.assign(this.current, this.#query(this.current.point));
    this.#draw();
  }

  /** Facts of the mesh. @param {Point} point @returns {Pick<Inspected, 'facts' | 'nearest'>} */
  #query(point) {
    const navMesh = this.#app.bakes.current?.navMesh;
    if (!navMesh) return { facts: null, nearest: null };
    const polygon = polygonAt(navMesh, point);
    if (polygon === 0) return { facts: null, nearest: nearestWalkable(navMesh, point) };
    return { facts: pointInfoOf(navMesh, this.#app.islands.finish(), polygon, point), nearest: null };
  }

  #draw() {
    if (!this.current) return;
    const { point, facts, nearest } = this.current;
    if (facts && facts.island > 1) this.#app.problems.causes.want([facts.island]);
    this.#marker.show({
      point, navMesh: this.#app.bakes.current?.navMesh ?? null, polygon: facts?.polygon ?? 0,
      wall: facts?.wall.found ? facts.wall.point : null, walkable: nearest?.point ?? null,
    });
    this.#label.show(this.current);
    this.#app.panels.refresh();
  }

  /** Facts of the bake. @param {Point} point */
  async #explain(point) {
    const look = ++this.#look;
    /** @type {Pick<Inspected, 'explanation' | 'failure'>} */
    let found;
    try {
      let explanation = await this.#app.stages.explain(point);
      // null: the configuration changed meanwhile.
      if (explanation === null && look === this.#look) explanation = await this.#app.stages.explain(point);
      found = { explanation, failure: null };
    } catch (error) {
      found = { explanation: null, failure: error instanceof Error ? error.message : String(error) };
    }
    if (look !== this.#look || !this.current) return;
    Object.assign(this.current, found);
    this.#label.show(this.current);
    this.#app.panels.refresh();
    // The answer makes the sheet higher.
    requestAnimationFrame(() => keepAboveSheet(this.#app, point));
  }
}
