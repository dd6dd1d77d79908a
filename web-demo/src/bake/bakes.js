/** The navigation mesh of the level: baked in workers, again when the level or the configuration changes. */
import { NavError } from 'walkmesh';
import { toVolume } from '../edit/items.js';

/** @typedef {import('../app.js').App} App */

/**
 * @typedef {object} Baked
 * @property {import('walkmesh').NavMesh} navMesh
 * @property {import('walkmesh').DynamicNavMesh | null} dynamic null: obstacles cannot be added
 * @property {import('walkmesh').BakeReport} report
 * @property {import('walkmesh').Config} config
 */

/** Milliseconds of rest before a change is baked. */
const DELAY = 250;

export class Bakes {
  #app;
  /** @type {Baked | null} */
  current = null;
  /** @type {AbortController | null} */
  #running = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {import('walkmesh').WorkerPool | undefined} */
  #pool;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  start() {
    this.#app.events.on('level', () => {
      // The mesh of another level.
      if (this.current) this.replace(null);
      void this.bake();
    });
    this.#app.store.subscribe((state, previous) => {
      const [now, before] = [state.document, previous.document];
      if (state.view.autoBake && (now.config !== before.config || now.volumes !== before.volumes)) this.#bakeSoon();
    });
  }

  #bakeSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.bake(), DELAY);
  }

  /** Ends the bake that is going on, or waits to begin; the mesh that stands stays. */
  cancel() {
    clearTimeout(this.#timer);
    this.#running?.abort();
  }

  /** Bakes what the document asks for; the mesh that stands stays until the new one is there. */
  async bake() {
    clearTimeout(this.#timer);
    const level = this.#app.levels.current;
    if (!level) return;
    this.#running?.abort();
    const running = this.#running = new AbortController();
    const { document } = this.#app.store.state;
    const { config } = document;
    this.#set({ state: 'running', done: 0, tiles: 0, error: null });
    try {
      this.#pool ??= this.#app.walkmesh.createWorkerPool();
      const { navMesh, dynamic, report } = await this.#app.walkmesh.bakeDynamicAsync(
        { positions: level.positions, indices: level.indices, volumes: document.volumes.map(toVolume) }, config,
        {
          workers: this.#pool, signal: running.signal,
          onProgress: ({ done, tiles }) => { if (running === this.#running) this.#set({ done, tiles }); },
        });
      this.replace({ navMesh, dynamic, report, config });
      this.#set({ state: 'done', report });
    } catch (error) {
      if (running !== this.#running) return;
      const { code, message, field } = /** @type {NavError} */ (error);
      if (code === 'cancelled') this.#set({ state: 'cancelled' });
      else this.#set({ state: 'failed', error: { message, field: typeof field === 'string' ? field : undefined } });
    }
  }

  /** Another mesh takes the place of the one that stands. @param {Baked | null} baked */
  replace(baked) {
    const old = this.current;
    if (old) this.#app.events.emit('mesh-ending', old);
    this.current = baked;
    this.#app.events.emit('mesh', baked);
    old?.navMesh.free();
  }

  /** @param {Partial<import('../state/document.js').BakeState>} patch */
  #set(patch) {
    this.#app.store.setSession({ bake: { ...this.#app.store.state.session.bake, ...patch } });
  }
}
