/**
 * A tool that queries the mesh: markers that are dragged, placed by clicks, nudged with arrow keys or typed; settings; and a result that
 * updates immediately when a marker, a setting or the mesh changes.
 *
 * A Query defines the query, the drawing and the panel of a tool; this class has everything they share.
 */
import { html, nothing } from 'lit';
import { Group, Vector3 } from 'three';
import { areaFilter } from '../edit/areas.js';
import { pointField } from '../ui/fields.js';
import { defaultMarkers, tidy } from './default-markers.js';
import { isPoint, readSettings } from './settings.js';
import { say } from '../ui/touch.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../state/document.js').Document} Document */
/** @typedef {import('../state/document.js').Point} Point */
/** @typedef {import('../state/document.js').State} State */
/** @typedef {import('../view/handles.js').Handle} Handle */
/** @typedef {import('../view/picking.js').LevelHit} LevelHit */
/** @typedef {import('walkmesh').FilterOptions} FilterOptions */
/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {import('lit').TemplateResult | typeof import('lit').nothing} Template */
/** @typedef {{ key: string, label: string, color: number, first: keyof import('./default-markers.js').DefaultMarkers }} Marker first: initial position */

/**
 * Drawing of a result. The object is in the scene while it is visible.
 * @template Result
 * @typedef {object} Drawing
 * @property {import('three').Object3D} object
 * @property {(result: Result, navMesh: NavMesh, places: any, settings: any) => void} draw
 * @property {() => void} clear releases everything that refers to the mesh, which is about to be freed
 * @property {(isActive: boolean) => void} [activate] called when its tool begins and ends; the drawing may stay then
 */

/**
 * @template Result
 * @typedef {object} Query
 * @property {string} id also the key of its entry in document.places
 * @property {string} label
 * @property {string} icon
 * @property {string} shortcut
 * @property {string} hint
 * @property {Marker[]} markers clicks set them in order, Shift+click the first
 * @property {Record<string, import('./settings.js').Setting<any>>} settings
 * @property {(navMesh: NavMesh, places: any, settings: any, filter: FilterOptions) => Result} run
 * @property {(app: App) => Drawing<Result>} makeDrawing
 * @property {(context: PanelContext<Result>) => Template} panel
 * @property {boolean} [stays] true if the drawing can stay when another tool is active; settings.keep decides
 * @property {(context: HoverContext<Result>) => void} [hover] called when the pointer moves over the level
 */

/**
 * @template Result
 * @typedef {object} PanelContext
 * @property {App} app
 * @property {Result} result
 * @property {any} settings
 * @property {any} places
 * @property {State} state
 * @property {(label: string, patch: Record<string, unknown>, options?: { isRun?: boolean }) => void} set changes settings as one undo step, or as
 * part of a run with the same label
 */

/** @template Result @typedef {{ app: App, result: Result, navMesh: NavMesh, hit: LevelHit | null, drawing: Drawing<Result> }} HoverContext */

/** Vertical search distance for the ground below a nudged marker, world units. */
const STEP_HEIGHT = 3;

/** @template Result */
export class QueryTool {
  #app;
  #query;
  #drawing;
  /** @type {Map<string, Handle>} */
  #handles = new Map();
  /** @type {Result | null} */
  #result = null;
  /** Error of the query. */
  #problem = '';
  #isActive = false;
  /** True if the drawing is in the scene. */
  #isShown = false;
  /** True if the tool was ever active; before that its drawing can't stay. */
  #wasChosen = false;
  /** The marker that the arrow keys move. */
  #held;
  /** Index of the marker that the next click places: clicks go through the markers in order. */
  #next = 0;
  /** Initial marker positions, by level name. @type {{ level: string, places: import('./default-markers.js').DefaultMarkers } | null} */
  #first = null;
  /** The previous level's mesh, which stays until the new level is baked. @type {NavMesh | null} */
  #former = null;
  #root = new Group();

  /** @param {App} app @param {Query<Result>} query */
  constructor(app, query) {
    this.#app = app;
    this.#query = query;
    this.#held = query.markers[query.markers.length - 1].key;
    this.#drawing = query.makeDrawing(app);
    this.#root.name = `tool ${query.id}`;
    this.#root.add(this.#drawing.object);
    app.store.subscribe((state, previous) => {
      if (state.view.tool !== previous.view.tool) this.#showOrHide();
      this.#follow(state.document, previous.document);
    });
    app.events.on('mesh-ending', () => this.#forget());
    app.events.on('mesh', () => this.#run());
    app.events.on('tiles', () => this.#run());
    app.events.on('level', () => {
      this.#first = null;
      this.#former = app.bakes.current?.navMesh ?? null;
    });
  }

  // ---- Markers -----------------------------------------------------------------------------------------------

  get #level() {
    return this.#app.store.state.document.level.name;
  }

  /** The saved entry of the document, unchecked. */
  get #saved() {
    const saved = this.#app.store.state.document.places[this.#query.id];
    return /** @type {Record<string, unknown>} */ (typeof saved === 'object' && saved !== null ? saved : {});
  }

  /** @returns {any} */
  get settings() {
    return readSettings(this.#query.settings, this.#saved);
  }

  /** Marker positions: the saved ones of this level, or the initial ones. @returns {Record<string, Point>} */
  get places() {
    const saved = this.#saved;
    const isHere = saved.level === undefined || saved.level === this.#level;
    return Object.fromEntries(this.#query.markers.map(({ key, first }) => {
      const place = saved[key];
      return [key, isHere && isPoint(place) ? place : this.#defaultMarkers()[first]];
    }));
  }

  #defaultMarkers() {
    const level = this.#app.levels.current, navMesh = this.#app.bakes.current?.navMesh;
    const middle = level ? level.bounds.getCenter(new Vector3()) : new Vector3();
    const centre = /** @type {Point} */ ([middle.x, middle.y, middle.z]);
    if (!level || !navMesh || navMesh === this.#former) return this.#first?.places ?? { start: centre, end: centre, middle: centre };
    // The positions stay when the same level is baked again.
    if (this.#first?.level !== level.name) {
      const ground = /** @type {import('./default-markers.js').Ground} */ (this.#app.islands.finish().raw);
      this.#first = { level: level.name, places: defaultMarkers(navMesh, centre, ground) };
    }
    return this.#first.places;
  }

  // ---- Query -------------------------------------------------------------------------------------------------

  /** @param {Document} document @param {Document} previous */
  #follow(document, previous) {
    const { id } = this.#query;
    if (document.places[id] === previous.places[id] && areaFilter(document) === areaFilter(previous)) return;
    this.#run();
  }

  #run() {
    if (!this.#isShown) return;
    const navMesh = this.#app.bakes.current?.navMesh;
    const { places, settings } = this;
    for (const [key, handle] of this.#handles) handle.setPosition(places[key]);
    this.#result = null;
    this.#problem = '';
    if (navMesh) this.#askMesh(navMesh, places, settings);
    this.#root.visible = this.#result !== null;
    this.#app.viewport.invalidate();
    this.#app.panels.refresh();
  }

  /** @param {NavMesh} navMesh @param {Record<string, Point>} places @param {any} settings */
  #askMesh(navMesh, places, settings) {
    try {
      const result = this.#query.run(navMesh, places, settings, areaFilter(this.#app.store.state.document));
      this.#drawing.draw(result, navMesh, places, settings);
      this.#result = result;
    } catch (error) {
      this.#problem = /** @type {Error} */ (error).message;
    }
  }

  /** The last result, for tests. */
  get result() {
    return this.#result;
  }

  #forget() {
    this.#result = null;
    this.#drawing.clear();
    this.#root.visible = false;
  }

  // ---- Activation --------------------------------------------------------------------------------------------

  activate() {
    this.#isActive = this.#wasChosen = true;
    this.#drawing.activate?.(true);
    this.#next = 0;
    this.#showHandles();
    this.#showOrHide();
  }

  deactivate() {
    this.#isActive = false;
    this.#drawing.activate?.(false);
    for (const handle of this.#handles.values()) handle.dispose();
    this.#handles.clear();
    this.#showOrHide();
  }

  /** The drawing stays beside edit tools and the crowd, where it shows their effect. */
  #showOrHide() {
    const stays = this.#wasChosen && this.#query.stays && this.settings.keep && this.#app.tools.activeKind?.group !== 'query';
    const isShown = this.#isActive || Boolean(stays);
    if (isShown === this.#isShown) return;
    this.#isShown = isShown;
    if (isShown) {
      this.#app.viewport.overlay.add(this.#root);
      this.#run();
    } else {
      this.#forget();
      this.#root.removeFromParent();
      this.#app.viewport.invalidate();
    }
  }

  #showHandles() {
    const { places } = this;
    for (const { key, label, color } of this.#query.markers) {
      const handle = this.#app.handles.create({
        id: `${this.#query.id}-${key}`, label, color, position: places[key],
        onDrag: (point) => {
          this.#held = key;
          this.setPlace(key, point);
        },
      });
      this.#handles.set(key, handle);
    }
  }

  // ---- Input -------------------------------------------------------------------------------------------------

  /** @param {string} key of a marker @param {Point} point */
  setPlace(key, point) {
    // Saves all marker positions for this level.
    this.#app.store.moveMarkers(this.#query.id, { ...this.places, level: this.#level, [key]: tidy(point) });
  }

  /** @param {string} label @param {Record<string, unknown>} patch @param {boolean} isRun */
  #setSettings(label, patch, isRun) {
    const { id } = this.#query;
    this.#app.store.edit(label, ({ places }) => { places[id] = { ...places[id], ...patch }; }, { merge: `${id} ${label}` });
    if (!isRun) this.#app.store.commit();
  }

  /** @param {LevelHit | null} hit @param {PointerEvent} event */
  click(hit, event) {
    if (!hit) return;
    const { markers } = this.#query;
    const at = event.shiftKey ? 0 : this.#next;
    this.#next = (at + 1) % markers.length;
    this.#held = markers[at].key;
    this.setPlace(this.#held, hit.point);
  }

  /** @param {LevelHit | null} hit */
  pointermove(hit) {
    const navMesh = this.#app.bakes.current?.navMesh;
    if (!this.#query.hover || !this.#result || !navMesh) return;
    this.#query.hover({ app: this.#app, result: this.#result, navMesh, hit, drawing: this.#drawing });
  }

  /** Arrow keys move the last moved marker by a cell, Page Up and Page Down raise and lower it; x swaps two markers. @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const { markers } = this.#query;
    if (event.key === 'x' && markers.length === 2) {
      this.#swap();
      return true;
    }
    const chosen = markers[Number(event.key) - 1];
    if (markers.length > 1 && chosen) {
      this.#held = chosen.key;
      this.#app.panels.refresh();
      return true;
    }
    const step = this.#stepOf(event);
    if (!step) return false;
    this.#nudge(step);
    return true;
  }

  #swap() {
    const [a, b] = this.#query.markers.map(({ key }) => key);
    const { places } = this;
    this.setPlace(a, places[b]);
    this.setPlace(b, places[a]);
  }

  /** The direction of an arrow key: the nearest axis of the level on the screen. @param {KeyboardEvent} event @returns {Point | null} */
  #stepOf({ key, shiftKey }) {
    const size = this.#app.store.state.document.config.cellSize * (shiftKey ? 10 : 1);
    if (key === 'PageUp') return [0, size, 0];
    if (key === 'PageDown') return [0, -size, 0];
    const turn = ['ArrowUp', 'ArrowRight', 'ArrowDown', 'ArrowLeft'].indexOf(key);
    if (turn < 0) return null;
    const { camera, controls } = this.#app.viewport;
    const quarter = Math.round(Math.atan2(controls.target.x - camera.position.x, controls.target.z - camera.position.z) / (Math.PI / 2)) - turn;
    return [Math.round(Math.sin(quarter * Math.PI / 2)) * size, 0, Math.round(Math.cos(quarter * Math.PI / 2)) * size];
  }

  /** @param {Point} step */
  #nudge([dx, dy, dz]) {
    const [x, y, z] = this.places[this.#held];
    const next = /** @type {Point} */ ([x + dx, y + dy, z + dz]);
    const navMesh = this.#app.bakes.current?.navMesh;
    // Along the ground, like a drag.
    const ground = dy === 0 ? navMesh?.nearestPoint(next, { halfExtents: [0.05, STEP_HEIGHT, 0.05] }) : null;
    if (ground) next[1] = ground.point[1];
    this.setPlace(this.#held, next);
  }

  // ---- Panel -------------------------------------------------------------------------------------------------

  /** @param {State} state */
  panel(state) {
    const { markers, panel } = this.#query;
    const { places, settings } = this;
    const context = {
      app: this.#app, result: /** @type {Result} */ (this.#result), settings, places, state,
      set: (/** @type {string} */ label, /** @type {Record<string, unknown>} */ patch, { isRun = false } = {}) => this.#setSettings(label, patch, isRun),
    };
    return html`
      ${markers.length > 1 ? html`<p class="hint">${say('Next click')}: ${markers[this.#next].label.toLowerCase()}.</p>` : nothing}
      ${markers.map(({ key, label, color }) => html`
        <div class="marker ${key === this.#held && markers.length > 1 ? 'held' : ''}" style="--marker: #${color.toString(16).padStart(6, '0')}">
          ${pointField({ label, value: places[key], change: (point) => {
            this.#held = key;
            this.setPlace(key, point);
          } })}
        </div>`)}
      ${this.#problem ? html`<p class="result bad" role="alert">${this.#problem}</p>` : nothing}
      ${this.#result ? panel(context) : this.#problem ? nothing : html`<p class="quiet">No navigation mesh yet. Bake the level first.</p>`}`;
  }
}
