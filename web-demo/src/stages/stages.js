/**
 * Views of the bake stages, tile by tile: requests views of tiles from the stage worker, nearest to the camera's target
 * first, and passes them to the layers. The worker starts with the first request.
 *
 * Drawn tiles stay until their replacements arrive; tiles that turn out to be equal stay for good.
 */
import { withLabels } from '../bake/failure.js';
import { NOUNS, nameItem, toDoorSurface, toObstacle, toVolume } from '../edit/items.js';
import { ProgressFrames } from '../view/progress-frames.js';
import { TileQueue } from './tile-queue.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./server.js').Answer} Answer */
/** @typedef {import('./server.js').ReadyAnswer} ReadyAnswer */
/** @typedef {import('./views.js').View} View */
/** @typedef {import('./explain.js').Explanation} Explanation */
/** @typedef {import('./volumes.js').NamedVolume} NamedVolume */

/**
 * A consumer that draws views.
 * @typedef {object} Viewer
 * @property {readonly string[]} views
 * @property {(grid: ReadyAnswer) => void} begin a new grid of tiles: everything drawn is discarded
 * @property {(tile: { x: number, z: number }, views: Record<string, View>) => void} draw replaces the drawing of the tile
 * @property {(tile: { x: number, z: number }) => void} erase
 */

/** Budget of the drawing: boxes, lines and half of the triangles. */
export const BUDGET = 2e6;

/** Requests in flight: enough to keep the worker busy, few enough to waste little. */
const IN_FLIGHT = 2;

/** Cost of a draw call: thousands of them take as long as millions of boxes. */
const CALL_COST = 700;

/** Cost of a view against the budget. @param {View} view */
const costOf = ({ boxes, lines, triangles }) => {
  const parts = [(boxes?.length ?? 0) / 8, (lines?.length ?? 0) / 8, (triangles?.values.length ?? 0) / 6];
  return parts.reduce((sum, part) => sum + (part > 0 ? part + CALL_COST : 0), 0);
};

/**
 * The volumes and obstacles of a document in the form of a bake, with names for messages.
 * @param {import('../state/document.js').Document} document @returns {NamedVolume[]}
 */
export function volumesOf({ volumes, obstacles, doors }) {
  const asVolume = (/** @type {any} */ { carving, moveThreshold, timeToRest, ...obstacle }) => (
    { ...obstacle, beforeErosion: obstacle.beforeErosion ?? obstacle.area === 0 });
  /** @type {(kind: 'volume' | 'door' | 'obstacle', item: any) => { origin: 'volume' | 'obstacle', item: import('../edit/items.js').Selection, label: string }} */
  const name = (kind, item) => (
    { origin: kind === 'volume' ? 'volume' : 'obstacle', item: { kind, id: item.id }, label: `the ${NOUNS[kind]} “${nameItem(kind, item)}”` });
  return [
    ...volumes.map((volume) => ({ ...toVolume(volume), ...name('volume', volume) })),
    ...doors.map((door) => ({ ...asVolume(toDoorSurface(door)), ...name('door', door) })),
    ...obstacles.map((obstacle) => ({ ...asVolume(toObstacle(obstacle)), ...name('obstacle', obstacle) })),
  ];
}

/** Parts of the document that the bake depends on. */
export const SHAPING = /** @type {const} */ (['config', 'volumes', 'obstacles', 'doors']);

export class Stages {
  #app;
  /** @type {Worker | null} */
  #worker = null;
  /** @type {object | null} the worker's level */
  #sentLevel = null;
  /** @type {import('../state/document.js').Document | null} the worker's document */
  #sentDocument = null;
  #generation = 0;
  #request = 0;
  /** @type {ReadyAnswer | null} */
  #grid = null;
  /** @type {string | null} error that prevents drawing */
  failure = null;
  /** @type {Set<Viewer>} */
  #viewers = new Set();
  #queue = new TileQueue();
  /** Requested tiles by request. @type {Map<number, { key: number, viewers: Viewer[], generation: number }>} */
  #requests = new Map();
  /** Promises of explanations and joins by request. @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  #asked = new Map();
  #progressFrames;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
    this.#progressFrames = new ProgressFrames(app);
  }

  start() {
    const { store, events, viewport } = this.#app;
    events.on('level', () => this.#follow());
    store.subscribe(({ document: now }, { document: before }) => {
      if (SHAPING.some((name) => now[name] !== before[name])) this.#follow();
    });
    viewport.controls.addEventListener('change', () => this.#look());
  }

  /** True if everything within the budget is drawn and up to date. */
  get isComplete() {
    if (this.#viewers.size === 0 || this.failure !== null) return true;
    const { tiles, drawn, isCut } = this.progress;
    return this.#grid?.generation === this.#generation && this.#requests.size === 0 && (drawn === tiles || isCut);
  }

  /** Number of tiles, and number of tiles that are up to date. */
  get progress() {
    return { tiles: this.#queue.size, drawn: this.#queue.countDrawn(), isCut: this.#queue.isCut };
  }

  /** The part of the tiles that are up to date for a viewer, 0 to 1; 1 also for what the budget allows, and after a failure. @param {Viewer} viewer */
  shareOf(viewer) {
    if (this.failure !== null || !this.#app.levels.current || !this.#viewers.has(viewer)) return 1;
    if (this.#grid?.generation !== this.#generation || this.#queue.size === 0) return 0;
    return this.#queue.isCut && this.#requests.size === 0 ? 1 : this.#queue.countDrawnFor(viewer) / this.#queue.size;
  }

  /** Adds a viewer. @param {Viewer} viewer */
  show(viewer) {
    if (this.#viewers.has(viewer)) return;
    this.#viewers.add(viewer);
    this.#connect();
    if (this.#grid) viewer.begin(this.#grid);
    this.#queue.want(viewer);
    this.#pump();
  }

  /** Removes a viewer, which erases its own drawing. @param {Viewer} viewer */
  hide(viewer) {
    if (!this.#viewers.delete(viewer)) return;
    this.#queue.leave(viewer);
    this.#pump();
  }

  /**
   * Explains a point; null if the level or the configuration changed meanwhile.
   * @param {readonly number[]} point @returns {Promise<Explanation | null>}
   */
  explain(point) {
    return this.#ask({ kind: 'explain', point: [...point] });
  }

  /**
   * The smallest change of the settings that joins an island to other ground; null if the level or the configuration changed meanwhile.
   * Where none joins it to the main ground, also the links that would.
   * @param {import('../problems/borders.js').Reach} reach @param {import('walkmesh').LinkConfig} links that the mesh has
   * @returns {Promise<Pick<import('./server.js').JoinAnswer, 'join' | 'links'> | null>}
   */
  findJoin({ windows, link }, links) {
    return this.#ask({ kind: 'join', windows, link, links });
  }

  /**
   * Why there is no path in the level as it is baked, or a long one; null if the level or the configuration changed meanwhile.
   * @param {readonly number[]} start @param {readonly number[]} end
   * @param {import('walkmesh').PathOptions['filter']} filter
   * @param {import('walkmesh').LinkConfig} links that the mesh has
   * @returns {Promise<import('./server.js').LevelCause[] | null>}
   */
  explainPath(start, end, filter, links) {
    return this.#ask({ kind: 'path', start: [...start], end: [...end], filter, links });
  }

  /** @param {object} message @returns {Promise<any>} null: dropped */
  #ask(message) {
    this.#connect();
    if (!this.#worker) return Promise.resolve(null);
    const request = ++this.#request;
    return new Promise((resolve, reject) => {
      this.#asked.set(request, { resolve, reject });
      this.#send({ ...message, request, generation: this.#generation });
    });
  }

  #follow() {
    // Also without a worker: layers can be visible before there is a level.
    if (this.#viewers.size > 0) this.#connect();
  }

  /** True if the worker has the current level and setup. */
  #isUpToDate() {
    const { document } = this.#app.store.state;
    const sent = this.#sentDocument;
    return this.#sentLevel === this.#app.levels.current && sent !== null && SHAPING.every((name) => document[name] === sent[name]);
  }

  /** Updates the worker; starts it if necessary. */
  #connect() {
    const level = this.#app.levels.current;
    if (!level || this.#isUpToDate()) return;
    this.failure = null;
    this.#worker ??= this.#start();
    if (this.#sentLevel !== level) {
      this.#sentLevel = level;
      const { positions, indices, areas } = level;
      this.#send({ kind: 'level', level: { positions, indices, areas } });
    }
    const { document } = this.#app.store.state;
    this.#sentDocument = document;
    this.#queue.pause();
    this.#send({ kind: 'setup', generation: ++this.#generation, config: document.config, volumes: volumesOf(document) });
  }

  #start() {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = (event) => {
      this.#app.notices.error("Can't show the bake stages", new Error(event.message || "The worker can't start. Reload the page."));
    };
    return worker;
  }

  /** @param {any} message */
  #send(message) {
    this.#worker?.postMessage(message);
  }

  /** @param {Answer} answer */
  #receive(answer) {
    if (answer.kind === 'ready') this.#begin(answer);
    else if (answer.kind === 'explain') this.#settle(answer.request, (promise) => promise.resolve(answer.explanation));
    else if (answer.kind === 'join') this.#settle(answer.request, (promise) => promise.resolve({ join: answer.join, links: answer.links }));
    else if (answer.kind === 'path') this.#settle(answer.request, (promise) => promise.resolve(answer.causes));
    else if (answer.kind === 'dropped') {
      this.#settle(answer.request, (promise) => promise.resolve(null));
      this.#requests.delete(answer.request);
    } else if (answer.kind === 'failed') this.#fail(answer);
    else this.#drawTile(answer);
    this.#pump();
  }

  /**
   * @param {number} request
   * @param {(promise: { resolve: (value: any) => void, reject: (error: Error) => void }) => void} end
   */
  #settle(request, end) {
    const promise = this.#asked.get(request);
    this.#asked.delete(request);
    if (promise) end(promise);
  }

  /** @param {import('./server.js').FailedAnswer} answer */
  #fail({ request, generation, message: reported }) {
    const message = withLabels(reported);
    this.#settle(request, (promise) => promise.reject(new Error(message)));
    const pending = this.#requests.get(request);
    this.#requests.delete(request);
    if (generation !== this.#generation) return;
    if (pending) {
      this.#queue.release(pending.key);
      for (const viewer of pending.viewers) this.#queue.finish(pending.key, viewer, { hash: `failed ${message}`, cost: 0 });
    }
    if (pending || request === 0) this.failure = message;
    this.#app.panels.refresh();
  }

  /** @param {ReadyAnswer} grid */
  #begin(grid) {
    if (grid.generation !== this.#generation) return;
    const isSame = this.#grid !== null && sameGrid(this.#grid, grid);
    this.#grid = grid;
    const { boundsMin, tileWorldSize, tileCountX, tileCountZ } = grid.voxels;
    this.#queue.begin({ x: boundsMin[0], z: boundsMin[2], size: tileWorldSize, countX: tileCountX, countZ: tileCountZ }, isSame);
    if (!isSame) for (const viewer of this.#viewers) viewer.begin(grid);
    for (const viewer of this.#viewers) this.#queue.want(viewer);
    this.#look();
  }

  /** @param {import('./server.js').TileAnswer} answer */
  #drawTile({ request, generation, hash, views, failure }) {
    const pending = this.#requests.get(request);
    this.#requests.delete(request);
    if (!pending || generation !== this.#generation) return;
    const { key } = pending;
    const place = this.#queue.placeOf(key);
    const viewers = pending.viewers.filter((viewer) => this.#viewers.has(viewer));
    if (failure) this.failure ??= `tile ${place.x}, ${place.z}: ${failure}`;
    this.#queue.release(key);
    for (const viewer of viewers) {
      if (views) viewer.draw(place, Object.fromEntries(viewer.views.map((name) => [name, views[name]])));
      const cost = viewer.views.reduce((sum, name) => sum + (views ? costOf(views[name]) : 0), 0);
      this.#queue.finish(key, viewer, views && { hash, cost });
    }
    this.#progressFrames.schedule(this.isComplete);
  }

  /** Follows the camera's target. */
  #look() {
    const { target } = this.#app.viewport.controls;
    this.#queue.sort(target.x, target.z);
    this.#pump();
  }

  /** Sends requests while there is room. */
  #pump() {
    while (this.#viewers.size > 0 && this.#requests.size < IN_FLIGHT) {
      const next = this.#queue.next([...this.#viewers], BUDGET, (viewer, place) => viewer.erase(place));
      if (!next) return;
      const request = ++this.#request;
      const { key, viewers, known } = next;
      const views = [...new Set(viewers.flatMap((viewer) => viewer.views))];
      this.#requests.set(request, { key, viewers, generation: this.#generation });
      this.#send({ kind: 'tile', request, generation: this.#generation, ...this.#queue.placeOf(key), views, known });
    }
  }
}

/** True if two grids have their tiles in the same places. @param {ReadyAnswer} a @param {ReadyAnswer} b */
function sameGrid(a, b) {
  const text = (/** @type {ReadyAnswer} */ { voxels: { boundsMin, boundsMax, tileCountX, tileCountZ, tileWorldSize }, cellSize, cellHeight }) => (
    JSON.stringify([boundsMin, boundsMax, tileCountX, tileCountZ, tileWorldSize, cellSize, cellHeight]));
  return text(a) === text(b);
}
