/** The navigation mesh of the level: workers bake it again when the level or the configuration changes. */
import { NavError, STAGES } from 'walkmesh';
import { toVolume } from '../edit/items.js';
import { runSoon } from '../view/run-soon.js';
import { Preview } from './preview.js';
import { chooseFor, recordSuggestion } from './chosen.js';
import { explainFailure } from './failure.js';
import { countCells, suggest } from './suggest.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../level/levels.js').Level} Level */
/** @typedef {import('../state/document.js').BakeState} BakeState */
/** @typedef {import('../state/document.js').Document} Document */

/**
 * @typedef {object} Baked
 * @property {import('walkmesh').NavMesh} navMesh
 * @property {import('walkmesh').DynamicNavMesh | null} dynamic null: obstacles cannot be added
 * @property {import('walkmesh').BakeReport} report
 * @property {Document['config']} config
 * @property {(Document['level'] & { hash?: string }) | null} [level] that an opened file names; null: it names none
 */

/** Milliseconds without an edit before a bake starts. */
const DELAY = 250;
/** Milliseconds between progress reports: each one redraws the bar. */
const PAUSE = 250;

/** Drawings within which a mesh is on the screen. */
const MOST_DRAWINGS = 3;

/** Merges all edits of opening a level into one undo step. */
export const OPENING = 'open level';

/** True if two documents bake to the same mesh. @param {Document} a @param {Document} b */
const isSameInput = (a, b) => a.config === b.config && a.volumes === b.volumes;

export class Bakes {
  #app;
  /** @type {Baked | null} */
  current = null;
  /** @type {AbortController | null} */
  #running = null;
  /** @type {Preview | null} */
  #preview = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {import('walkmesh').WorkerPool | undefined} */
  #pool;
  /** The document that the mesh was baked from. @type {Document | undefined} */
  #baked;
  /** Drawings of the view after which the mesh counts as drawn, even if the view is never at rest. */
  #drawnBy = 0;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  start() {
    const { events, store } = this.#app;
    // The workers start while the level is read. The first bake reports workers that don't start.
    this.pool.ready().catch(() => {});
    events.on('level', (level) => this.#beginLevel(level));
    store.subscribe(({ document, view }, previous) => {
      const isChanged = !isSameInput(document, previous.document);
      if (isChanged) this.#forgetFailure();
      // Turning auto-bake off cancels a bake that has not started.
      if (!view.autoBake) clearTimeout(this.#timer);
      else if (isChanged || (!previous.view.autoBake && this.isStale)) this.#scheduleBake();
    });
  }

  /** The workers of all bakes. */
  get pool() {
    return this.#pool ??= this.#app.walkmesh.createWorkerPool();
  }

  /** True if the configuration has changed since the bake. */
  get isStale() {
    return this.current !== null && this.#baked !== undefined && !isSameInput(this.#baked, this.#app.store.state.document);
  }

  /** True once the view shows the mesh: work that nobody waits for begins then, since without a graphics card it would slow the drawing down. */
  get isDrawn() {
    const { layers, viewport } = this.#app;
    if (viewport.drawn >= this.#drawnBy) return true;
    const { current } = this;
    // In a later task: at the end of this frame the browser reads the canvas, which takes long enough.
    if (layers.isComplete && this.previewed === 0 && viewport.isCurrent) runSoon(() => { if (current === this.current) this.#drawnBy = 0; });
    return false;
  }

  /** The document that the mesh was baked from. */
  get document() {
    return this.#baked;
  }

  /** Tiles of the running bake that are drawn; 0 once the mesh itself is drawn. */
  get previewed() {
    return this.#preview?.isDisposed === false ? this.#preview.drawn : 0;
  }

  /** A new level discards the previous mesh. @param {Level} level */
  #beginLevel({ bounds: { min, max }, name }) {
    this.#running?.abort();
    if (this.current) this.replace(null);
    this.#set({ report: null });
    const { store, notices, levels } = this.#app;
    const bounds = { min: min.toArray(), max: max.toArray() };
    const choice = chooseFor(store.state.document, bounds);
    if (choice) {
      const { config, chosen } = choice;
      store.edit(`suggest a configuration for ${name}`, (draft) => { Object.assign(draft, { config, chosen }); }, { merge: OPENING });
    }
    // In a wrong unit, its size means nothing: the import strip says so.
    if (choice?.text && !levels.importAdvice?.settings.unit) notices.info(`${name} is large`, choice.text, [], { topic: 'level' });
    if (choice?.isTooLarge) this.#askForSize(name, bounds);
    if (store.state.view.autoBake && !choice?.isTooLarge) void this.bake();
    else this.#set({ state: 'idle', report: null, error: null });
  }

  /** A level has too many cells of the size that the user set: offers another size. @param {string} name @param {import('./chosen.js').Bounds} bounds */
  #askForSize(name, bounds) {
    const { store, notices } = this.#app;
    const { config } = suggest(bounds, store.state.document.config);
    const { cellSize } = store.state.document.config;
    const cells = countCells(bounds, { cellSize });
    notices.warn(`${name} is too large for your cell size`, `Cell size ${cellSize} makes ${Math.round(cells / 1e6).toLocaleString('en')} million cells.`, [
      { label: `Use ${config.cellSize}`, run: () => {
        store.edit(`suggest a configuration for ${name}`, (draft) => {
          Object.assign(draft.config, config);
          recordSuggestion(draft, config);
        });
        void this.bake();
      } },
      { label: 'Bake anyway', run: () => void this.bake() },
    ], { topic: 'level' });
  }

  #scheduleBake() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.bake(), DELAY);
  }

  /** Cancels the bake that runs or waits; the current mesh stays. */
  cancel() {
    clearTimeout(this.#timer);
    this.#running?.abort();
  }

  /** Bakes the document; the current mesh stays until the new one is ready. */
  async bake() {
    clearTimeout(this.#timer);
    const level = this.#app.levels.current;
    if (!level) return;
    this.#running?.abort();
    const running = this.#running = new AbortController();
    const { document } = this.#app.store.state;
    this.#preview?.dispose();
    const preview = this.#preview = new Preview(this.#app);
    this.#set({ state: 'running', done: 0, tiles: 0, error: null });
    try {
      const baked = await this.#run(level, document, running, preview);
      this.replace(baked, document);
      preview.end();
      // The end of the bake has a task of its own: it draws all panels, as the new mesh does.
      await new Promise((resolve) => { runSoon(() => resolve(undefined)); });
      if (this.current !== baked) return;
      if (running !== this.#running) this.#set({ report: baked.report });
      else this.#set({ state: 'done', done: this.#app.store.state.session.bake.tiles, report: baked.report });
    } catch (error) {
      preview.dispose();
      if (running === this.#running) this.#fail(error, document);
    }
  }

  /** @param {Level} level @param {Document} document @param {AbortController} running @param {Preview} preview @returns {Promise<Baked>} */
  async #run({ positions, indices, areas }, { config, volumes }, running, preview) {
    const { walkmesh } = this.#app;
    let reported = 0;
    const report = (/** @type {number} */ done, /** @type {number} */ tiles) => {
      const now = performance.now();
      if (running !== this.#running || (now - reported < PAUSE && done < tiles)) return;
      reported = now;
      this.#set({ done, tiles });
    };
    const geometry = { positions, indices, areas, volumes: volumes.map(toVolume) };
    const options = {
      workers: this.pool, signal: running.signal,
      onTile: (/** @type {{ bytes: Uint8Array | null }} */ { bytes }) => { if (bytes) preview.add(bytes); },
    };
    if (config.tileSize > 0) {
      const onProgress = (/** @type {{ done: number, tiles: number }} */ { done, tiles }) => {
        preview.progress(done, tiles);
        report(done, tiles);
      };
      return { ...await walkmesh.bakeDynamicAsync(geometry, config, { ...options, onProgress }), config };
    }
    let stages = 0;
    const onProgress = () => report(++stages, STAGES.length);
    return { ...await walkmesh.bakeAsync(geometry, config, { ...options, onProgress }), dynamic: null, config };
  }

  /** @param {unknown} error @param {Document} document that was baked */
  #fail(error, document) {
    if (!(error instanceof NavError)) throw error;
    const { code, field } = error;
    if (code === 'cancelled') this.#set({ state: 'cancelled' });
    else {
      const { text: message, fix, field: fault = field } = explainFailure(error, document.config, this.#app.store.state.session.level?.bounds);
      this.#set({ state: 'failed', error: { message, field: typeof fault === 'string' ? fault : undefined, fix } });
    }
    if (!isSameInput(document, this.#app.store.state.document)) this.#forgetFailure();
  }

  /** Clears an error once the values that caused it have changed. */
  #forgetFailure() {
    if (this.#app.store.state.session.bake.state === 'failed') this.#set({ state: this.current ? 'done' : 'idle', error: null });
  }

  /**
   * Replaces the current mesh.
   * @param {Baked | null} baked @param {Document} [document] source of the mesh, if it isn't the current document
   */
  replace(baked, document = this.#app.store.state.document) {
    const old = this.current;
    if (old) this.#app.events.emit('mesh-ending', old);
    this.current = baked;
    this.#baked = document;
    this.#drawnBy = this.#app.viewport.drawn + MOST_DRAWINGS;
    this.#app.events.emit('mesh', baked);
    old?.navMesh.free();
  }

  /** @param {Partial<BakeState>} patch */
  #set(patch) {
    this.#app.store.setSession({ bake: { ...this.#app.store.state.session.bake, ...patch } });
  }
}
