/**
 * The islands of the mesh: numbered once for each version of the mesh, for everything that speaks of them. Number 1 is the main ground
 * (main-ground.js); the others follow by area. Whoever needs the numbers calls advance(), which works a few milliseconds at a time.
 */
import { readTile } from 'walkmesh';
import { IslandList } from './island-list.js';
import { MAIN_WORDS, findMainGround, makeCeilingTest } from './main-ground.js';
import { playStartOf } from './play-start.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('walkmesh').NavMesh} NavMesh */
/** @typedef {import('./main-ground.js').MainGround} MainGround */

/** What a numbering depends on. @typedef {{ navMesh: NavMesh, version: number, level: object | null, start: import('../state/document.js').Point | null }} Source */

/** @param {Source | null} a @param {Source} b */
const isSame = (a, b) => a !== null && a.navMesh === b.navMesh && a.version === b.version && a.level === b.level && a.start === b.start;

export class Islands {
  #app;
  /** @type {import('walkmesh').Islands | null} */
  #found = null;
  /** What the numbers are of. @type {Source | null} */
  #source = null;
  /** The rest of the work. @type {Generator<void, void, void> | null} */
  #steps = null;
  /** @type {MainGround | null} */
  main = null;
  /** Counts the numberings. */
  version = 0;
  /** @type {{ version: number, list: IslandList, steps: Generator<void, void, void> | null } | null} */
  #listed = null;
  #isStartLost = false;

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  start() {
    const { events, store } = this.#app;
    events.on('mesh-ending', () => this.#drop());
    store.subscribe(({ document: now }, { document: before }) => {
      if (now.places.playStart !== before.places.playStart) events.emit('main-ground', null);
    });
  }

  #drop() {
    this.#found?.free();
    this.#found = this.#source = this.#steps = this.#listed = null;
  }

  /** Numbers the islands of the mesh. @param {number} milliseconds @returns {boolean} true: the numbers are up to date, or there is no mesh */
  advance(milliseconds) {
    const navMesh = this.#app.bakes.current?.navMesh;
    if (!navMesh) return true;
    const source = { navMesh, version: navMesh.version, level: this.#app.levels.current, start: playStartOf(this.#app.store.state.document) };
    if (!isSame(this.#source, source)) {
      this.#source = source;
      this.#steps = this.#number(source);
    }
    if (this.#steps && runFor(this.#steps, milliseconds)) this.#steps = null;
    return this.#steps === null;
  }

  /** Numbers the islands at once, for answers to the user. */
  finish() {
    this.advance(Infinity);
    return this;
  }

  /** @param {Source} source */
  * #number({ navMesh, start }) {
    this.#found ??= navMesh.islands();
    this.#found.update();
    yield;
    const { current } = this.#app.levels;
    const tree = current?.isClosed ? current.mesh.geometry.boundsTree : undefined;
    const isUnderCeiling = tree ? makeCeilingTest(/** @type {any} */ (tree), Math.max(navMesh.parameters.agentHeight, 1) / 2) : null;
    this.main = yield* findMainGround(navMesh, this.#found, { start, isUnderCeiling });
    this.version++;
    this.#tellLost(this.main);
  }

  /** Says once that the start is lost. @param {MainGround} main */
  #tellLost({ isStartLost, why }) {
    if (isStartLost && !this.#isStartLost) this.#app.notices.warn("Play start isn't on the mesh", `${sentence(MAIN_WORDS[why])} is the main ground instead.`);
    this.#isStartLost = isStartLost;
    this.#app.panels.refresh();
  }

  /** What the main ground is, in words: "the largest ground indoors"; '' without a mesh. */
  get mainWords() {
    return this.main && this.#found ? MAIN_WORDS[this.main.why] : '';
  }

  // ---- Of the last numbering -----------------------------------------------------------------------------------

  /** The library's islands and the number of the main ground there, for queries; null without a mesh. */
  get raw() {
    return this.#found && this.main ? { islands: this.#found, island: this.main.island } : null;
  }

  get count() {
    return this.#found?.count ?? 0;
  }

  /** The island of a polygon; 0: none. @param {number} polygon reference */
  of(polygon) {
    const island = this.#found?.of(polygon) ?? 0;
    const main = this.main?.island ?? 1;
    return island === main ? Math.min(island, 1) : island < main && island > 0 ? island + 1 : island;
  }

  /** Square world units. @param {number} island 1 to the count */
  area(island) {
    const main = this.main?.island ?? 1;
    return this.#found?.area(island === 1 ? main : island <= main ? island - 1 : island) ?? 0;
  }

  /**
   * A list of the islands with a point of each, made once for each numbering. @param {number} milliseconds of work
   * @returns {IslandList | null} null: not ready, or there is no mesh
   */
  list(milliseconds) {
    const end = performance.now() + milliseconds;
    if (!this.advance(milliseconds) || !this.#source) return null;
    if (this.#listed?.version !== this.version) {
      const list = new IslandList();
      this.#listed = { version: this.version, list, steps: this.#fill(list, this.#source.navMesh) };
    }
    const { steps, list } = this.#listed;
    if (steps && !runFor(steps, end - performance.now())) return null;
    this.#listed.steps = null;
    return list;
  }

  /** @param {IslandList} list @param {NavMesh} navMesh */
  * #fill(list, navMesh) {
    const { cellSize } = navMesh.parameters;
    for (const ref of navMesh.tileRefs()) {
      list.add(readTile(navMesh.tileBytes(ref)), ref, this, cellSize);
      yield;
    }
  }
}

/** @param {string} text */
const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;

/** Runs steps for some time, at least one. @param {Generator<void, void, void>} steps @param {number} milliseconds @returns {boolean} true: all are done */
function runFor(steps, milliseconds) {
  const end = performance.now() + milliseconds;
  do {
    if (steps.next().done) return true;
  } while (performance.now() < end);
  return false;
}
