/**
 * Applies the edits to the navigation mesh: obstacles, connections, doors and areas that are not walkable. It follows every change
 * of the document or the mesh, and rebuilds tiles a few milliseconds per frame, nearest to the camera's
 * target first.
 */
import { areasOf } from './areas.js';
import { ConnectionSync } from './connection-sync.js';
import { wantedObstacles } from './items.js';
import { poseAt } from './motion.js';
import { ObstacleSync } from './obstacle-sync.js';
import { SwitchSync, areaSwitches, doorSwitches } from './switch-sync.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../bake/bakes.js').Baked} Baked */

/**
 * The session's state of the edits.
 * @typedef {object} LiveState
 * @property {boolean} playing true if motion plays
 * @property {{ milliseconds: number, tiles: number, waiting: number }} last last series of updates: duration, tiles
 * built, and tiles still waiting
 * @property {Record<string, string>} errors errors of items that are not in the mesh, by kind and id, such as 'door 3'
 */

/** Milliseconds per frame for rebuilding tiles; the rest is for drawing. */
const BUDGET = 4;
/** Milliseconds between updates of the figures. */
const REPORT_EVERY = 250;

/** @type {LiveState} */
export const NOTHING_YET = { playing: false, last: { milliseconds: 0, tiles: 0, waiting: 0 }, errors: {} };

export class LiveEdits {
  #app;
  /** @type {Baked | null} */
  #baked = null;
  /** @type {{ obstacles: ObstacleSync | null, connections: ConnectionSync, switches: SwitchSync } | null} */
  #syncs = null;
  /** Playing time of the motion, seconds. */
  #time = 0;
  #reported = 0;
  /** True if an update belongs to the same series as the one before. */
  #isRunning = false;
  #last = NOTHING_YET.last;
  /** Called in every frame in which an obstacle moved or tiles changed. @type {Set<(seconds: number) => boolean>} */
  followers = new Set();

  /** @param {App} app */
  constructor(app) {
    this.#app = app;
  }

  start() {
    const { events, store, frames } = this.#app;
    store.setSession({ edits: NOTHING_YET });
    events.on('mesh-ending', () => this.#drop());
    events.on('mesh', (baked) => this.#setMesh(baked));
    store.subscribe((state, previous) => {
      const [now, before] = [state.document, previous.document];
      if (now.obstacles !== before.obstacles || now.connections !== before.connections || now.doors !== before.doors
        || now.areas !== before.areas) this.#bring();
    });
    frames.add((seconds, now) => this.#frame(seconds, now));
    if (this.#app.bakes.current) this.#setMesh(this.#app.bakes.current);
  }

  /** @returns {LiveState} */
  get state() {
    return this.#app.store.state.session.edits ?? NOTHING_YET;
  }

  /** Playing time of the motion, seconds. */
  get time() {
    return this.#time;
  }

  /** True if obstacles can change the current mesh. */
  get canCarve() {
    return Boolean(this.#baked?.dynamic);
  }

  /** The reference of a connection in the mesh. @param {number} id @returns {number} 0: not in the mesh */
  connectionRef(id) {
    return this.#syncs?.connections.ref(id) ?? 0;
  }

  /** The handle of an obstacle in the mesh. @param {number} id @returns {number} 0: not in the mesh */
  obstacleHandle(id) {
    return this.#syncs?.obstacles?.handle(`obstacle ${id}`) ?? 0;
  }

  /** The handle of the switch of a door or of an area. @param {string} key `door 1`, `area 2` @returns {number} 0: not in the mesh */
  switchNumber(key) {
    return this.#syncs?.switches.number(key) ?? 0;
  }

  /** The polygons that a door blocks. @param {number} id */
  doorPolygons(id) {
    return this.#syncs?.switches.polygons(`door ${id}`) ?? new Float64Array(0);
  }

  /** Plays or pauses the motion. @param {boolean} playing */
  play(playing) {
    this.#report({ playing });
    this.#app.frames.wake();
  }

  /** Moves obstacles back to where they were placed. */
  rewind() {
    this.#time = 0;
    this.#report({ playing: false });
    for (const { id, moving } of this.#app.store.state.document.obstacles) {
      if (moving) this.#syncs?.obstacles?.moved(`obstacle ${id}`);
    }
    this.#bring();
  }

  #drop() {
    this.#syncs = null;
    this.#baked = null;
  }

  /** @param {Baked | null} baked */
  #setMesh(baked) {
    this.#baked = baked;
    this.#syncs = baked && {
      obstacles: baked.dynamic && new ObstacleSync(baked.dynamic), connections: new ConnectionSync(baked.navMesh),
      switches: new SwitchSync(baked.navMesh),
    };
    this.#isRunning = false;
    this.#last = NOTHING_YET.last;
    this.#bring();
  }

  /** Makes the mesh match the document; the next frames rebuild the tiles. */
  #bring() {
    if (!this.#syncs || !this.#baked) return;
    const { document } = this.#app.store.state;
    const { obstacles, connections, switches } = this.#syncs;
    const { navMesh, dynamic } = this.#baked;
    obstacles?.update(wantedObstacles(document));
    const isChanged = connections.update(document.connections);
    const { cellSize } = navMesh.parameters;
    const { boundsMin, boundsMax } = navMesh.totals;
    // Room on all sides, because tiles built later must lie inside too.
    const [min, max] = [boundsMin.map((value) => value - 1000), boundsMax.map((value) => value + 1000)];
    const wanted = [...doorSwitches(document.doors, { isExact: dynamic !== null, cellSize }),
      ...areaSwitches(areasOf(document), { min: /** @type {any} */ (min), max: /** @type {any} */ (max) })];
    if (switches.update(wanted) || isChanged) this.#app.events.emit('tiles', { tiles: [] });
    const errors = { ...obstacles?.errors, ...switches.errors,
      ...Object.fromEntries(Object.entries(connections.errors).map(([id, error]) => [`connection ${id}`, error])) };
    if (JSON.stringify(errors) !== JSON.stringify(this.state.errors)) this.#report({ errors });
    this.#app.frames.wake();
  }

  /** @param {Partial<LiveState>} patch */
  #report(patch) {
    this.#app.store.setSession({ edits: { ...this.state, ...patch } });
  }

  /** @param {number} seconds @param {number} now @returns {boolean} true if work is left */
  #frame(seconds, now) {
    const dynamic = this.#baked?.dynamic;
    const isMoving = this.#moveAll(seconds);
    if (dynamic && (isMoving || dynamic.dirtyTiles > 0 || this.#isSettling())) this.#update(dynamic, seconds, now);
    let continues = isMoving || Boolean(dynamic && (dynamic.dirtyTiles > 0 || this.#isSettling()));
    for (const follow of this.followers) continues = follow(seconds) || continues;
    return continues;
  }

  /** Moves the obstacles. @param {number} seconds @returns {boolean} true if an obstacle moves */
  #moveAll(seconds) {
    const { obstacles } = this.#app.store.state.document;
    if (!this.state.playing || !obstacles.some(({ moving }) => moving)) return false;
    this.#time += seconds;
    for (const { id, shape, moving } of obstacles) {
      if (!moving) continue;
      const handle = this.obstacleHandle(id);
      if (handle !== 0) this.#move(handle, shape, poseAt(shape, moving, this.#time));
    }
    return true;
  }

  /** @param {number} handle @param {any} shape @param {{ position: import('./shapes.js').Point, turned: number }} place */
  #move(handle, shape, { position, turned }) {
    this.#baked?.dynamic?.moveObstacle(handle, position, shape.kind === 'rotatedBox' ? shape.yaw + turned : undefined);
  }

  /** True if an obstacle has stopped but not yet carved. */
  #isSettling() {
    const dynamic = this.#baked?.dynamic;
    return dynamic !== undefined && dynamic !== null && this.#app.store.state.document.obstacles.some(({ id, moving }) => {
      const handle = moving ? this.obstacleHandle(id) : 0;
      return handle !== 0 && !dynamic.obstacle(handle).isCarving && !dynamic.isOutside(handle);
    });
  }

  /** @param {import('walkmesh').DynamicNavMesh} dynamic @param {number} seconds @param {number} now */
  #update(dynamic, seconds, now) {
    dynamic.setFocus([this.#app.viewport.controls.target]);
    const start = performance.now();
    const { built, changed, dirtyTiles } = dynamic.update({ milliseconds: BUDGET, deltaTime: seconds });
    if (built > 0) {
      const before = this.#isRunning ? this.#last : NOTHING_YET.last;
      this.#last = { milliseconds: before.milliseconds + performance.now() - start, tiles: before.tiles + built, waiting: dirtyTiles };
    }
    this.#isRunning = dirtyTiles > 0;
    if (changed.length > 0) this.#app.events.emit('tiles', { tiles: changed.map(({ x, z }) => ({ x, z })) });
    if (this.#last !== this.state.last && (dirtyTiles === 0 && !this.state.playing || now - this.#reported > REPORT_EVERY)) {
      this.#reported = now;
      this.#report({ last: this.#last });
    }
  }
}
