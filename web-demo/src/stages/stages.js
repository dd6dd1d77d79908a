/**
 * What the stages of the bake look like, tile by tile: asks the stage worker for pictures of tiles, those nearest to where the camera
 * looks first, and hands them to the layers that want them. The worker starts when somebody first asks.
 *
 * Tiles that are drawn stay until their successors are there; those that turn out to be the same stay for good.
 */
import { NOUNS, nameItem, toDoorGround, toObstacle, toVolume } from '../edit/items.js';
import { Pictures } from '../view/pictures.js';
import { TileQueue } from './tile-queue.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('./server.js').Answer} Answer */
/** @typedef {import('./server.js').ReadyAnswer} ReadyAnswer */
/** @typedef {import('./views.js').View} View */
/** @typedef {import('./explain.js').Explanation} Explanation */
/** @typedef {import('./volumes.js').NamedVolume} NamedVolume */

/**
 * Somebody who draws views.
 * @typedef {object} Viewer
 * @property {readonly string[]} views
 * @property {(grid: ReadyAnswer) => void} begin another grid of tiles: nothing is drawn
 * @property {(tile: { x: number, z: number }, views: Record<string, View>) => void} draw in place of what was drawn of the tile
 * @property {(tile: { x: number, z: number }) => void} erase
 */

/** What is drawn at most, boxes and lines and half of triangles. */
export const BUDGET = 2e6;

/** Requests that are on their way at once: the worker is never idle, and little is in vain. */
const IN_FLIGHT = 2;

/** What a call to draw counts for: thousands of them take as long as millions of boxes. */
const CALL_COST = 700;

/** What a view counts for against the budget. @param {View} view */
const costOf = ({ boxes, lines, triangles }) => {
  const parts = [(boxes?.length ?? 0) / 8, (lines?.length ?? 0) / 8, (triangles?.values.length ?? 0) / 6];
  return parts.reduce((sum, part) => sum + (part > 0 ? part + CALL_COST : 0), 0);
};

/**
 * What changes the ground of a document, as a bake takes it, with names for words.
 * @param {import('../state/document.js').Document} document @returns {NamedVolume[]}
 */
export function volumesOf({ volumes, obstacles, doors }) {
  const asVolume = (/** @type {any} */ { carving, moveThreshold, timeToRest, ...obstacle }) => (
    { ...obstacle, beforeErosion: obstacle.beforeErosion ?? obstacle.area === 0 });
  /** @type {(kind: 'volume' | 'door' | 'obstacle', item: any) => { origin: 'volume' | 'obstacle', label: string }} */
  const name = (kind, item) => (
    { origin: kind === 'volume' ? 'volume' : 'obstacle', label: `the ${NOUNS[kind]} “${nameItem(kind, item)}”` });
  return [
    ...volumes.map((volume) => ({ ...toVolume(volume), ...name('volume', volume) })),
    ...doors.map((door) => ({ ...asVolume(toDoorGround(door)), ...name('door', door) })),
    ...obstacles.map((obstacle) => ({ ...asVolume(toObstacle(obstacle)), ...name('obstacle', obstacle) })),
  ];
}

/** What of a document changes what is baked. */
export const SHAPING = /** @type {const} */ (['config', 'volumes', 'obstacles', 'doors']);

export class Stages {
  #app;
  /** @type {Worker | null} */
  #worker = null;
  /** @type {object | null} the level that the worker has */
  #sentLevel = null;
  /** @type {import('../state/document.js').Document | null} the document that it was told of */
  #sentDocument = null;
  #generation = 0;
  #request = 0;
  /** @type {ReadyAnswer | null} */
  #grid = null;
  /** @type {string | null} why there is nothing to draw */
  failure = null;
  /** @type {Set<Viewer>} */
  #viewers = new Set();
  #queue = new TileQueue();
  /** Tiles that are being made, by request. @type {Map<number, { key: number, viewers: Viewer[], generation: number }>} */
  #asked = new Map();
  /** @type {Map<number, { resolve: (value: Explanation | null) => void, reject: (error: Error) => void }>} */
  #explaining = new Map();
  #pictures;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
    this.#pictures = new Pictures(app);
  }

  start() {
    const { store, events, viewport } = this.#app;
    events.on('level', () => this.#follow());
    store.subscribe(({ document: now }, { document: before }) => {
      if (SHAPING.some((name) => now[name] !== before[name])) this.#follow();
    });
    viewport.controls.addEventListener('change', () => this.#look());
  }

  /** Whether everything that there is room for is drawn as it is now. */
  get isComplete() {
    if (this.#viewers.size === 0 || this.failure !== null) return true;
    const { tiles, drawn, isCut } = this.progress;
    return this.#grid?.generation === this.#generation && this.#asked.size === 0 && (drawn === tiles || isCut);
  }

  /** How many tiles there are, and how many are up to date. */
  get progress() {
    return { tiles: this.#queue.size, drawn: this.#queue.countDrawn(), isCut: this.#queue.isCut };
  }

  /** Begins to draw for somebody. @param {Viewer} viewer */
  show(viewer) {
    if (this.#viewers.has(viewer)) return;
    this.#viewers.add(viewer);
    this.#connect();
    if (this.#grid) viewer.begin(this.#grid);
    this.#queue.want(viewer);
    this.#pump();
  }

  /** Nothing more is drawn for somebody, who erases by himself. @param {Viewer} viewer */
  hide(viewer) {
    if (!this.#viewers.delete(viewer)) return;
    this.#queue.leave(viewer);
    this.#pump();
  }

  /**
   * What there is to say of a spot; null where the level or the configuration changed meanwhile.
   * @param {readonly number[]} point @returns {Promise<Explanation | null>}
   */
  explain(point) {
    this.#connect();
    if (!this.#worker) return Promise.resolve(null);
    const request = ++this.#request;
    return new Promise((resolve, reject) => {
      this.#explaining.set(request, { resolve, reject });
      this.#send({ kind: 'explain', request, generation: this.#generation, point: [...point] });
    });
  }

  #follow() {
    // Also where there is no worker yet: layers may have been visible before there was a level.
    if (this.#viewers.size > 0) this.#connect();
  }

  /** Whether the worker knows of all that it should. */
  #isUpToDate() {
    const { document } = this.#app.store.state;
    const sent = this.#sentDocument;
    return this.#sentLevel === this.#app.levels.current && sent !== null && SHAPING.every((name) => document[name] === sent[name]);
  }

  /** Brings the worker up to date; starts it first where there is none. */
  #connect() {
    const level = this.#app.levels.current;
    if (!level || this.#isUpToDate()) return;
    this.failure = null;
    this.#worker ??= this.#start();
    if (this.#sentLevel !== level) {
      this.#sentLevel = level;
      const { positions, indices } = level;
      this.#send({ kind: 'level', level: { positions, indices, ...('areas' in level && level.areas ? { areas: level.areas } : {}) } });
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
      this.#app.notices.error('The stages of the bake cannot be shown', new Error(event.message || 'its worker did not start'));
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
    else if (answer.kind === 'dropped') {
      this.#settle(answer.request, (promise) => promise.resolve(null));
      this.#asked.delete(answer.request);
    } else if (answer.kind === 'failed') this.#fail(answer);
    else this.#drawTile(answer);
    this.#pump();
  }

  /**
   * @param {number} request
   * @param {(promise: { resolve: (value: Explanation | null) => void, reject: (error: Error) => void }) => void} end
   */
  #settle(request, end) {
    const promise = this.#explaining.get(request);
    this.#explaining.delete(request);
    if (promise) end(promise);
  }

  /** @param {import('./server.js').FailedAnswer} answer */
  #fail({ request, generation, message }) {
    this.#settle(request, (promise) => promise.reject(new Error(message)));
    const asked = this.#asked.get(request);
    this.#asked.delete(request);
    if (generation !== this.#generation) return;
    if (asked) {
      this.#queue.release(asked.key);
      for (const viewer of asked.viewers) this.#queue.finish(asked.key, viewer, { hash: `failed ${message}`, cost: 0 });
    }
    if (asked || request === 0) this.failure = message;
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
    const asked = this.#asked.get(request);
    this.#asked.delete(request);
    if (!asked || generation !== this.#generation) return;
    const { key } = asked;
    const place = this.#queue.placeOf(key);
    const viewers = asked.viewers.filter((viewer) => this.#viewers.has(viewer));
    if (failure) this.failure ??= `tile ${place.x}, ${place.z}: ${failure}`;
    this.#queue.release(key);
    for (const viewer of viewers) {
      if (views) viewer.draw(place, Object.fromEntries(viewer.views.map((name) => [name, views[name]])));
      const cost = viewer.views.reduce((sum, name) => sum + (views ? costOf(views[name]) : 0), 0);
      this.#queue.finish(key, viewer, views && { hash, cost });
    }
    this.#pictures.soon(this.isComplete);
  }

  /** The camera looks elsewhere. */
  #look() {
    const { target } = this.#app.viewport.controls;
    this.#queue.sort(target.x, target.z);
    this.#pump();
  }

  /** Asks for tiles as long as there is room for them. */
  #pump() {
    while (this.#viewers.size > 0 && this.#asked.size < IN_FLIGHT) {
      const next = this.#queue.next([...this.#viewers], BUDGET, (viewer, place) => viewer.erase(place));
      if (!next) return;
      const request = ++this.#request;
      const { key, viewers, known } = next;
      const views = [...new Set(viewers.flatMap((viewer) => viewer.views))];
      this.#asked.set(request, { key, viewers, generation: this.#generation });
      this.#send({ kind: 'tile', request, generation: this.#generation, ...this.#queue.placeOf(key), views, known });
    }
  }
}

/** Whether tiles lie where they lay. @param {ReadyAnswer} a @param {ReadyAnswer} b */
function sameGrid(a, b) {
  const text = (/** @type {ReadyAnswer} */ { voxels: { boundsMin, boundsMax, tileCountX, tileCountZ, tileWorldSize }, cellSize, cellHeight }) => (
    JSON.stringify([boundsMin, boundsMax, tileCountX, tileCountZ, tileWorldSize, cellSize, cellHeight]));
  return text(a) === text(b);
}
