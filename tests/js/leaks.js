/**
 * Tests for leaks. Works in rounds and compares the tenth with the last: the module's memory, the bytes in use in it, the heap of
 * JavaScript after garbage collection, and whether any freed result or object is still referenced. Run it with --expose-gc, alone
 * in its process; tests/js/leaks.test.js and `npm run soak -- --leaks` do so.
 *
 *   node --expose-gc tests/js/leaks.js [--bakes 500] [--queries 10000] [--failures 100000] [--only NAME]     one line of JSON per
 *   finding; --only: runs only that kind of work, to see whether its growth levels off
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import v8 from 'node:v8';
import { NavError, TileStreamer, load } from '../../js/index.js';
import { leaveBakesUnchecked } from './check-bakes.js';
import { describeQuestions, makeQuestioner } from './questions.js';
import { ROOT, makeGround, readScene } from './support.js';

leaveBakesUnchecked();

/** Rounds before the memory must stay constant. */
const WARM_ROUNDS = 10;

/**
 * @typedef {object} Finding
 * @property {string} name
 * @property {number} calls after the tenth round
 * @property {number} wasmBytes growth of the module's memory since the tenth round
 * @property {number} bytes growth of the bytes in use in it
 * @property {number} heapBytes growth of the heap of JavaScript, with array buffers and without code
 * @property {number} steadyHeapBytes four times the growth of the quarter in which it grew least: a leak grows in each quarter,
 *   the engine's memory for code grows and shrinks
 * @property {number[]} quarters growth of the heap in each quarter of the calls
 * @property {number} retained results and freed objects that were not collected
 * @property {number} seconds
 */

/** The only kind of work to run; undefined: all. @type {string | undefined} */
let only;

/** Lets finalizers run and collects all garbage. */
async function collect() {
  for (let i = 0; i < 2; i++) {
    await new Promise((resolve) => setImmediate(resolve));
    globalThis.gc?.();
  }
}

/** What is in use, after garbage was collected. @param {import('../../js/index.js').Walkmesh} walkmesh */
function measure(walkmesh) {
  const { external_memory: external } = v8.getHeapStatistics();
  const heap = v8.getHeapSpaceStatistics().filter(({ space_name: name }) => !name.includes('code'))
    .reduce((sum, { space_used_size: size }) => sum + size, 0);
  const { bytes, wasmBytes } = walkmesh.memory();
  return { heapBytes: heap + external, bytes, wasmBytes };
}

/**
 * @param {string} name @param {import('../../js/index.js').Walkmesh} walkmesh @param {number} calls in all
 * @param {number} callsARound @param {(watch: (object: object) => void) => void | Promise<void>} runRound
 * @returns {Promise<Finding | undefined>} undefined if `--only` excludes it
 */
async function soak(name, walkmesh, calls, callsARound, runRound) {
  if (only !== undefined && name !== only) return undefined;
  const start = performance.now();
  /** @type {WeakRef<object>[]} */
  const results = [];
  const watch = (/** @type {any} */ object) => {
    if (typeof object === 'object' && object !== null) results.push(new WeakRef(object));
  };
  let retained = 0;
  /** Collects garbage at the end. @param {number} rounds */
  const run = async (rounds) => {
    for (let round = 0; round < rounds; round++) {
      await runRound(watch);
      if (results.length > 5000 || round === rounds - 1) {
        await collect();
        retained += results.filter((result) => result.deref() !== undefined).length;
        results.length = 0;
      }
    }
  };
  await run(WARM_ROUNDS);
  const before = measure(walkmesh);
  const rounds = Math.max(4, Math.ceil(calls / callsARound) - WARM_ROUNDS);
  const quarters = [];
  let after = before;
  for (let quarter = 0; quarter < 4; quarter++) {
    await run(Math.floor((rounds * (quarter + 1)) / 4) - Math.floor((rounds * quarter) / 4));
    const former = after;
    after = measure(walkmesh);
    quarters.push(after.heapBytes - former.heapBytes);
  }
  return {
    name, calls: rounds * callsARound, wasmBytes: after.wasmBytes - before.wasmBytes, bytes: after.bytes - before.bytes,
    heapBytes: after.heapBytes - before.heapBytes, steadyHeapBytes: 4 * Math.min(...quarters), quarters, retained,
    seconds: (performance.now() - start) / 1000,
  };
}

const SCENE = 'plaza';
const TILED = [{ tileSize: 48 }, { tileSize: 32, partition: 'monotone' }, { tileSize: 64, cellSize: 0.25 }, { tileSize: 96, partition: 'layers' },
  { tileSize: 40, agentRadius: 0.3 }];

/** Bakes, each with a path, a save and every object made from a mesh; then with bakeTiled, in this thread and in a worker. */
async function* soakBakes(/** @type {number} */ bakes) {
  const walkmesh = await load({ leakWarnings: false });
  const level = { ...readScene(SCENE), offMeshConnections: [{ start: [2, 0, 2], end: [30, 0, 30], radius: 1 }] };
  const live = (/** @type {import('../../js/index.js').NavMesh} */ navMesh, /** @type {(object: object) => void} */ watch) => {
    const [a, b] = [[2, 0, 2], [38, 0, 38]].map((near) => navMesh.nearestPoint(near));
    const crowd = navMesh.createCrowd();
    crowd.setTarget(crowd.addAgents([a.point, b.point]), [20, 0, 20]);
    crowd.step(0.02);
    const made = [navMesh, navMesh.createFilter(), navMesh.islands(), navMesh.createSearch(), navMesh.createCorridor(a.polygon, a.point), crowd];
    for (const object of [...made, navMesh.findPath(a.point, b.point, { islands: true }), navMesh.tiles()]) watch(object);
    const again = walkmesh.loadNavMesh(navMesh.save());
    watch(again);
    again.free();
    made[1].free();
    navMesh.free();
  };
  let next = 0;
  yield await soak('tiled bakes', walkmesh, bakes, 1, (watch) => {
    const { navMesh, report } = walkmesh.bake(level, TILED[next++ % TILED.length]);
    watch(report);
    live(navMesh, watch);
  });
  yield await soak('dynamic meshes', walkmesh, bakes / 2, 1, (watch) => {
    const { navMesh, dynamic } = walkmesh.bakeDynamic(level, TILED[next++ % TILED.length]);
    const obstacles = dynamic.addObstacles({ kind: 'prism', vertices: [0, 0, 0, 2, 0, 0, 0, 0, 2], minY: 0, maxY: 2, carving: 'at rest' },
      [[5, 0, 5], [20, 0, 20], [30, 0, 9]]);
    dynamic.onTileChanged(watch);
    for (let step = 0; step < 4; step++) {
      dynamic.moveObstacles(obstacles, [[5, 0, 5 + step], [20 + step, 0, 20], [30, 0, 9]]);
      watch(dynamic.update({ deltaTime: 0.3 }));
      watch(dynamic.movingObstacles());
    }
    dynamic.removeObstacle(obstacles[0]);
    watch(dynamic);
    if (next % 2) dynamic.free();
    live(navMesh, watch);
  });
  yield* soakLevelsThatChange(walkmesh, level, bakes);
  const pool = walkmesh.createWorkerPool({ workers: 1 });
  for (const [name, workers] of /** @type {const} */ ([['bakeTiled in slices', 0], ['bakeTiled in a worker', pool]])) {
    yield await soak(name, walkmesh, bakes / 2, 1, async (watch) => {
      const { navMesh, report } = await walkmesh.bakeTiled(level, TILED[next++ % TILED.length], { workers });
      watch(report);
      live(navMesh, watch);
    });
  }
  let used = { bytes: 0, wasmBytes: 0, peakBytes: 0 };
  yield await soak('the worker itself', /** @type {any} */ ({ memory: () => used }), bakes / 10, 1, async () => {
    const { navMesh } = await walkmesh.bakeTiled(level, TILED[next++ % TILED.length], { workers: pool });
    navMesh.free();
    [used] = await pool.memory();
  });
  pool.free();
}

/**
 * Switches, streamers, dynamic meshes that are updated in a worker, and tile caches: made and freed, or left to their mesh.
 * @param {import('../../js/index.js').Walkmesh} walkmesh @param {any} level @param {number} bakes
 */
async function* soakLevelsThatChange(walkmesh, level, bakes) {
  const { navMesh, dynamic } = walkmesh.bakeDynamic(level, TILED[1]);
  const whole = dynamic.save();
  let next = 0;
  yield await soak('switches', walkmesh, 20 * bakes, 20, (watch) => {
    for (let i = 0; i < 20; i++) {
      const switches = navMesh.createSwitches();
      const door = switches.addDoor({ volume: { kind: 'box', min: [next % 30, -1, 5], max: [next % 30 + 2, 2, 9] } });
      const gate = switches.add({ volume: { kind: 'prism', vertices: [0, 0, 0, 2, 0, 0, 0, 0, 2], minY: 0, maxY: 2 }, setFlags: 8, isOn: true });
      door.close();
      if (next++ % 2) switches.remove(gate);
      for (const object of [switches, door, door.polygons()]) watch(object);
      switches.free();
    }
  });
  yield await soak('streamers', walkmesh, bakes, 2, async (watch) => {
    for (const bytes of [whole, next++ % 2 ? navMesh.save() : navMesh.exportDetour()]) {
      const source = walkmesh.createFileSource(bytes);
      const streamer = new TileStreamer(source.dynamic ?? source.navMesh, source.tiles, { innerRadius: 6, outerRadius: 9 });
      for (let step = 0; step < 4; step++) {
        streamer.setInvokers([[5 + 8 * step, 0, 10 + next % 20]]);
        await streamer.load();
        source.dynamic?.update();
      }
      for (const object of [streamer, source.navMesh, source.tiles]) watch(object);
      if (next % 2) streamer.free();
      source.navMesh.free();
    }
  });
  const pool = walkmesh.createWorkerPool({ workers: 1 });
  let used = { bytes: 0, wasmBytes: 0, peakBytes: 0 };
  yield await soak('updates in a worker', /** @type {any} */ ({ memory: () => ({ ...used, bytes: used.bytes + walkmesh.memory().bytes }) }), bakes / 2, 1,
    async (watch) => {
      const made = walkmesh.loadDynamic(whole);
      made.dynamic.addObstacles({ kind: 'cylinder', base: [0, 0, 0], radius: 1, height: 2 }, [[5 + next++ % 9, 0, 5], [20, 0, 20]]);
      watch(await made.dynamic.updateAsync({ workers: pool }));
      watch(made.dynamic);
      made.navMesh.free();
      [used] = await pool.memory();
    });
  pool.free();
  const layers = new Uint8Array(readFileSync(join(ROOT, 'tests/golden/detour-cache/tower.tset')));
  yield await soak('tile caches', walkmesh, bakes / 2, 1, (watch) => {
    const made = walkmesh.loadTileCache(layers);
    made.dynamic.addObstacle({ kind: 'box', min: [3, -1, 3], max: [5, 2, 5 + next++ % 5] });
    made.dynamic.update();
    watch(made.dynamic);
    if (next % 2) made.dynamic.free();
    made.navMesh.free();
  });
  navMesh.free();
}

/** @param {any} walkmesh */
function makeWorld(walkmesh) {
  const { navMesh } = walkmesh.bake(readScene(SCENE), { tileSize: 48 });
  const [a, b] = [[2, 0, 2], [38, 0, 38]].map((near) => navMesh.nearestPoint(near));
  return makeQuestioner(navMesh, a, b);
}

async function* soakQueries(/** @type {number} */ queries) {
  const walkmesh = await load({ leakWarnings: false });
  for (const [name, ask] of Object.entries(describeQuestions(makeWorld(walkmesh)))) {
    const count = Math.ceil(queries / 100);
    const out = ask();
    if (name.startsWith('crowd')) for (let i = 0; i < 300; i++) ask(); // until paths have reached their largest length
    yield await soak(name, walkmesh, queries, count, (watch) => {
      for (let i = 0; i < count; i++) {
        if (i % 2) ask(typeof out === 'object' ? out : undefined);
        else watch(ask());
      }
    });
  }
}

/** Calls that fail, one of every kind. @param {any} walkmesh */
function describeFailures(walkmesh) {
  const { navMesh, a, b, crowd, walkers } = makeWorld(walkmesh);
  const other = makeWorld(walkmesh);
  const freed = walkmesh.bake(makeGround()).navMesh;
  freed.free();
  const ground = makeGround();
  const [file, cut] = [navMesh.save(), navMesh.save().slice(0, 3000)];
  file[2000] ^= 255;
  const [tile] = navMesh.tiles();
  const stale = a.polygon + 2 ** 40;
  return [
    () => walkmesh.bake(null), () => walkmesh.bake({ ...ground, positions: [NaN, 0, 0] }), () => walkmesh.bake(ground, { cellSize: -1 }),
    () => walkmesh.bake({ ...ground, indices: [0, 1, 9] }), () => walkmesh.bake(ground, { celSize: 1 }),
    () => walkmesh.bake({ ...ground, volumes: [{ kind: 'box' }] }), () => walkmesh.bake({ ...ground, solids: [{ kind: 'convex', positions: [0, 0, 0], indices: [0] }] }),
    () => walkmesh.bake(ground, { tileSize: 16 }, { onProgress: () => { throw new NavError('state', 'enough'); } }),
    () => walkmesh.createBaker({ ...ground, indices: ground.indices.slice().reverse() }), () => walkmesh.loadNavMesh(cut), () => walkmesh.loadNavMesh(file),
    () => walkmesh.loadNavMesh('x'), () => freed.findPath(a.point, b.point), () => navMesh.findPath([NaN, 0, 0], b.point),
    () => navMesh.findPath(a.point, b.point, { maxNodes: -1 }), () => navMesh.findPath(a.point, b.point, { filter: other.filter }),
    () => navMesh.findPath(a.point, b.point, { filter: { areaCosts: { 64: 1 } } }), () => navMesh.raycast(stale, a.point, b.point),
    () => navMesh.findCorridor(a.polygon, a.point, stale, b.point), () => navMesh.straighten(a.point, b.point, [stale, -1]),
    () => navMesh.flood(stale, a.point), () => navMesh.polygonsInConvex([0, 0, 0]), () => navMesh.createFilter({ areaCosts: [1] }),
    () => navMesh.createFilter({ polygonCosts: { polygons: [stale], factors: [1] } }), () => navMesh.createCorridor(stale, a.point),
    () => navMesh.islands(7), () => navMesh.createSearch.call({}), () => navMesh.addTile(tile.bytes), () => navMesh.addTile(tile.bytes.slice(0, 200)),
    () => navMesh.replaceTile(new Uint8Array(100)), () => navMesh.removeTile(stale), () => navMesh.restoreTileState(new Uint8Array(3)),
    () => navMesh.addConnection({ start: a.point }), () => navMesh.connection(a.polygon), () => navMesh.exportDetour('tile'),
    () => crowd.step(NaN), () => crowd.addAgent([NaN, 0, 0]), () => crowd.addAgent(a.point, { radius: -1 }), () => crowd.setTarget(walkers, [NaN, 0, 0]),
    () => crowd.remove([walkers[0], 5]), () => crowd.info(99), () => crowd.setObstacles({ positions: a.point, radii: -1 }), () => crowd.setOptions({ maxStep: 0 }),
    () => crowd.beginConnection(walkers[0]), () => navMesh.createCrowd({ searchBudget: 0 }), () => crowd.addMesh(freed),
    () => navMesh.nearestPoints([1, 2]), () => navMesh.findPaths(a.point, [1]), () => navMesh.nearestPoint(a.point, {}, new Float32Array(3)),
  ];
}

async function* soakFailures(/** @type {number} */ failures) {
  const walkmesh = await load({ leakWarnings: false });
  const calls = describeFailures(walkmesh);
  yield await soak('failed calls', walkmesh, failures, calls.length, (watch) => {
    for (const call of calls) watch(expectFailure(call));
  });
  const limited = await load({ leakWarnings: false, memoryLimit: 2e6 });
  const level = readScene('city');
  yield await soak('out of memory', limited, failures / 500, 1, (watch) => {
    watch(expectFailure(() => limited.bake(level, { tileSize: 128 })));
  });
}

/** Work that leaks in every way, to test that leaks are found. */
export async function* soakLeak() {
  const walkmesh = await load({ leakWarnings: false });
  /** @type {unknown[]} */
  const kept = [];
  const { navMesh } = walkmesh.bake(readScene('city'), { cellSize: 0.5 });
  const file = navMesh.save();
  yield await soak('a leak', walkmesh, 100, 5, (watch) => {
    for (let i = 0; i < 5; i++) {
      const again = walkmesh.loadNavMesh(file);
      watch(again);
      kept.push(again, Array.from({ length: 1500 }, (_, k) => ({ k })));
    }
  });
}

/** @param {() => unknown} call */
function expectFailure(call) {
  try {
    call();
  } catch (error) {
    if (error instanceof NavError && error.code !== 'internal') return error;
    throw error;
  }
  throw new Error(`did not fail: ${call}`);
}

/** The error of a finding; undefined: none. @param {Finding} finding */
export function judge({ name, calls, wasmBytes, bytes, steadyHeapBytes, retained }) {
  const wrong = [];
  if (wasmBytes !== 0) wrong.push(`the module's memory grew by ${wasmBytes} bytes`);
  if (bytes > 0) wrong.push(`${bytes} bytes more are in use`);
  if (retained > 0) wrong.push(`${retained} objects are retained`);
  // One object per call is at least 16 bytes; the engine's own data about code is some tens of kB in each quarter.
  if (steadyHeapBytes > 100_000 && steadyHeapBytes > 8 * calls) wrong.push(`the heap grew by ${steadyHeapBytes} bytes`);
  return wrong.length ? `${name}, ${calls} calls: ${wrong.join(', ')}` : undefined;
}

/** Runs this file in a separate process. @param {string[]} args @param {(finding: Finding) => void} onFinding */
export async function findLeaks(args, onFinding) {
  const child = spawn(process.execPath, ['--expose-gc', fileURLToPath(import.meta.url), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) onFinding(JSON.parse(line));
  const status = child.exitCode ?? await new Promise((resolve) => child.once('close', resolve));
  if (status !== 0) throw new Error(`the search for leaks ended with status ${status}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values } = parseArgs({ options: { bakes: { type: 'string', default: '500' }, queries: { type: 'string', default: '10000' },
    failures: { type: 'string', default: '100000' }, leak: { type: 'boolean', default: false }, only: { type: 'string' } } });
  only = values.only;
  const parts = values.leak ? [soakLeak()]
    : [soakBakes(Number(values.bakes)), soakQueries(Number(values.queries)), soakFailures(Number(values.failures))];
  for (const part of parts) {
    for await (const finding of part) {
      if (finding) console.log(JSON.stringify(finding));
    }
  }
}
