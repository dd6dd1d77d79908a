/**
 * The generated links of the mesh. A generator keeps the air of the level: when only the settings of links change, links are generated
 * again, and nothing is baked. When obstacles that block the air change, a new generator replaces it. All work is done in slices.
 */
import { NavError } from 'walkmesh';
import { obstacleVolumes, toVolume } from '../edit/items.js';
import { LinkSync } from './link-sync.js';
import { toLinkConfig, wantsLinks } from './kinds.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../bake/bakes.js').Baked} Baked */
/** @typedef {import('../state/document.js').Document} Document */
/** @typedef {import('walkmesh').GeneratedLinks} GeneratedLinks */
/** @typedef {import('walkmesh').LinkGenerator} LinkGenerator */
/** @typedef {import('walkmesh').RefusedSegmentLink} RefusedLink */

/**
 * The session's state of the links.
 * @typedef {object} LinksState
 * @property {'off' | 'running' | 'done' | 'failed'} state off: no kind is on
 * @property {number} share of the work that is done, 0 to 1
 * @property {{ count: number, counts: GeneratedLinks['counts'], milliseconds: number } | null} report of the links in the mesh
 * @property {{ message: string, field?: string } | null} error
 */

/** @type {LinksState} */
export const NO_LINKS = { state: 'off', share: 0, report: null, error: null };

/** The text of a configuration without kinds. */
const OFF = '{}';
/** Milliseconds without a change before links are generated; of a slice of work; between reports of progress. */
const [DELAY, SLICE, PAUSE] = [250, 8, 200];
/** Milliseconds between looks at a mesh whose obstacles are being carved. */
const CARVING_PAUSE = 50;
/** The part of the progress that making the air has. */
const AIR = 0.6;

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

/** The obstacles through which no link leads, as volumes. @param {Baked | null} baked @param {Document} document */
const blockersOf = (baked, document) => (baked?.dynamic ? obstacleVolumes(document).filter(({ area }) => area === 0) : []);

export class Links {
  #app;
  /** @type {LinkGenerator | null} */
  #generator = null;
  /** The obstacles that the generator knows, as text. */
  #blockers = '';
  /** @type {LinkSync | null} */
  #sync = null;
  /** @type {AbortController | null} */
  #running = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** The configuration of the links in the mesh, and the obstacles between them, as text; null: none was generated here. @type {string | null} */
  #made = null;
  /** The configuration alone. */
  #settings = '';
  #reported = 0;
  #wantsRefused = false;
  /** The places without links of the last run that asked for them. @type {readonly RefusedLink[] | null} */
  refused = null;
  /** Why the body doesn't pass along pinned links, by their number: no generated link stands in for these. @type {ReadonlyMap<number, RefusedLink>} */
  blocked = new Map();

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  start() {
    const { events, store } = this.#app;
    store.setSession({ links: NO_LINKS });
    events.on('mesh-ending', () => this.#drop());
    events.on('mesh', (baked) => this.#setMesh(baked));
    store.subscribe((state, previous) => {
      const [now, before] = [state.document, previous.document];
      if (now.forbiddenLinks !== before.forbiddenLinks || now.pinnedLinks !== before.pinnedLinks) this.#bring();
      if (now.links !== before.links || now.obstacles !== before.obstacles || (state.view.autoBake && !previous.view.autoBake)) this.#follow();
      if (state.session.bake.state !== previous.session.bake.state) this.#followBake(state.session.bake.state);
    });
  }

  /** @returns {LinksState} */
  get state() {
    return this.#app.store.state.session.links ?? NO_LINKS;
  }

  /** True while links are generated, or are about to be. */
  get isPending() {
    return this.#running !== null || this.#timer !== undefined;
  }

  /** True if links can be generated: opened meshes have no level that is known to be theirs. */
  get canGenerate() {
    const { bakes, levels } = this.#app;
    return Boolean(bakes.current?.report && levels.current);
  }

  /** True if the settings have changed since the links were generated. */
  get isStale() {
    return this.canGenerate && !this.isPending && this.#wanted !== (this.#made ?? OFF);
  }

  /** What the links of the document depend on beside the mesh, as text. */
  get #wanted() {
    const { document } = this.#app.store.state;
    return wantsLinks(document) ? JSON.stringify([toLinkConfig(document), blockersOf(this.#app.bakes.current, document)]) : OFF;
  }

  /** The pinned links that the mesh has beside its generated ones. */
  get pinnedInMesh() {
    return this.#app.store.state.document.pinnedLinks.filter(({ id }) => this.#sync?.hasPinned(id) ?? true);
  }

  /** The generator, to ask for reasons; null: not ready, or no kind is on. */
  get generator() {
    return this.isPending ? null : this.#generator;
  }

  #drop() {
    this.#stop();
    // The mesh frees its generator.
    this.#generator = this.#sync = this.#made = this.refused = null;
    this.blocked = new Map();
    this.#settings = '';
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running?.abort();
    this.#running = null;
  }

  /** @param {Baked | null} baked */
  #setMesh(baked) {
    if (!baked) {
      this.#set(NO_LINKS);
      return;
    }
    this.#sync = new LinkSync(baked.navMesh);
    this.#bring();
    if (baked.report === null) this.#set({ ...NO_LINKS, ...reportOf(baked.navMesh) });
    else if (wantsLinks(this.#app.store.state.document)) void this.generate();
    else this.#set(NO_LINKS);
  }

  /** A bake needs the workers, and replaces the mesh; if it doesn't, the links of the mesh are finished. @param {string} bake state */
  #followBake(bake) {
    if (bake === 'running') this.#stop();
    else if (this.state.state === 'running' && !this.isPending) void this.generate();
  }

  /** Generates links a moment after the settings changed. */
  #follow() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { view, session } = this.#app.store.state;
    if (!view.autoBake || !this.canGenerate || session.bake.state === 'running' || this.#wanted === (this.#made ?? OFF)) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.generate();
    }, DELAY);
  }

  /** Makes the mesh match the forbidden and pinned links of the document. */
  #bring() {
    if (this.#sync?.update(this.#app.store.state.document)) this.#tell();
  }

  /** Moves the body along the pinned links that the mesh has beside its generated ones. */
  #checkPinned() {
    const { generator } = this, navMesh = this.#app.bakes.current?.navMesh;
    if (!generator || !navMesh) return;
    const { refs, byHand, userIds } = navMesh.segmentLinks();
    const checked = Array.from(refs, (ref, i) => /** @type {const} */ ([userIds[i], byHand[i] === 1 ? generator.checkLink(ref) : null]));
    this.blocked = new Map(checked.flatMap(([id, answer]) => (answer?.reason ? [[id, answer]] : [])));
  }

  /** The links of the mesh changed. */
  #tell() {
    this.#checkPinned();
    this.#app.events.emit('tiles', { tiles: [] });
  }

  /** Shows or hides the places without links; they are found by a run that asks for them. @param {boolean} isWanted */
  wantRefused(isWanted) {
    this.#wantsRefused = isWanted;
    if (isWanted && this.refused === null && this.#generator && !this.isPending) void this.generate();
  }

  /** Generates the links of the document; a run before this one ends. */
  async generate() {
    this.#stop();
    const { current } = this.#app.bakes;
    if (!current || !this.canGenerate) return;
    const running = this.#running = new AbortController();
    const wanted = toLinkConfig(this.#app.store.state.document);
    const text = this.#wanted, settings = JSON.stringify(wanted);
    this.#set({ state: 'running', share: 0, error: null });
    try {
      const generated = await this.#run(current, wanted, running);
      if (running !== this.#running) return;
      this.#running = null;
      this.#made = text;
      this.refused = this.#wantsRefused ? generated?.refused ?? [] : null;
      this.#sync?.update(this.#app.store.state.document);
      this.#set({ state: generated ? 'done' : 'off', share: 1, report: generated && { count: generated.count, counts: generated.counts, milliseconds: generated.milliseconds } });
      // Links that gave way to an obstacle aren't a change of the settings.
      if (settings !== this.#settings) this.#app.events.emit('links', null);
      this.#settings = settings;
      this.#tell();
    } catch (error) {
      if (running === this.#running) this.#fail(error, text);
    }
  }

  /**
   * @param {Baked} baked @param {import('walkmesh').LinkConfig} links @param {AbortController} running
   * @returns {Promise<GeneratedLinks | null>} null: no kind is on, and the mesh has no generated links
   */
  async #run({ navMesh, dynamic }, links, running) {
    const isOff = Object.keys(links).length === 0;
    if (!this.#generator && isOff) return null;
    const { signal } = running;
    const volumes = blockersOf(this.#app.bakes.current, this.#app.store.state.document), blockers = JSON.stringify(volumes);
    const isNew = this.#generator === null || (!isOff && blockers !== this.#blockers);
    const generator = this.#generator && !isNew ? this.#generator : await this.#createGenerator(navMesh, links, volumes, running);
    while (running === this.#running && dynamic && dynamic.dirtyTiles > 0) await pause(CARVING_PAUSE);
    if (running !== this.#running) {
      if (isNew) generator.free();
      return null;
    }
    if (!isNew) generator.configure(links);
    else if (this.#generator) this.#generator.free();
    this.#generator = generator;
    if (isNew) this.#blockers = blockers;
    const first = isNew ? AIR : 0;
    const generated = await generator.generateAsync({
      signal, refused: this.#wantsRefused, sliceMilliseconds: SLICE,
      onProgress: ({ done, tiles }) => this.#report(running, first + (1 - first) * done / tiles),
    });
    return isOff ? null : generated;
  }

  /** @param {import('walkmesh').NavMesh} navMesh @param {import('walkmesh').LinkConfig} links @param {any[]} blockers volumes @param {AbortController} running */
  #createGenerator(navMesh, links, blockers, running) {
    const { walkmesh, bakes, levels } = this.#app;
    const { positions, indices, areas } = /** @type {NonNullable<App['levels']['current']>} */ (levels.current);
    const { volumes } = bakes.document ?? this.#app.store.state.document;
    return walkmesh.createLinkGenerator(navMesh, { positions, indices, areas, volumes: [...volumes.map(toVolume), ...blockers] }, {
      links, workers: bakes.pool, signal: running.signal,
      onProgress: ({ done, tiles }) => this.#report(running, AIR * done / tiles),
    });
  }

  /** @param {AbortController} running @param {number} share */
  #report(running, share) {
    const now = performance.now();
    if (running !== this.#running || now - this.#reported < PAUSE) return;
    this.#reported = now;
    this.#set({ share });
  }

  /** @param {unknown} error @param {string} text the configuration that failed: it isn't tried again */
  #fail(error, text) {
    this.#running = null;
    if (!(error instanceof NavError)) throw error;
    if (error.code === 'cancelled') return;
    this.#made = text;
    this.#set({ state: 'failed', error: { message: error.message, field: typeof error.field === 'string' ? error.field : undefined } });
  }

  /** @param {Partial<LinksState>} patch */
  #set(patch) {
    this.#app.store.setSession({ links: { ...this.state, ...patch } });
  }
}

/** The links of an opened mesh. @param {import('walkmesh').NavMesh} navMesh @returns {Partial<LinksState>} */
function reportOf(navMesh) {
  const { count, kinds } = navMesh.segmentLinks();
  const [drop, jump, climb, vault] = [0, 1, 2, 3].map((kind) => kinds.filter((value) => value === kind).length);
  return count > 0 ? { state: 'done', report: { count, counts: { drop, jump, climb, vault }, milliseconds: 0 } } : {};
}
