// Code of the caller that runs inside of a call: getters, listeners, sources. Each cell of the table in docs/security.md ("Your code
// inside of a call") is tried. After each, a bake has the right bytes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, test } from 'node:test';
import { FixedStep, NavError, TileStreamer, load } from '../../js/index.js';
import { makeGround, readScene } from './support.js';

const walkmesh = await load({ leakWarnings: false });
const CONFIG = { cellSize: 0.4, tileSize: 32 };
/** Two floors with a connection between them. */
const LEVEL = {
  positions: Float32Array.of(0, 0, 0, 0, 0, 20, 20, 0, 20, 20, 0, 0, 24, 0, 0, 24, 0, 20, 44, 0, 20, 44, 0, 0),
  indices: Uint32Array.of(0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7),
  offMeshConnections: [{ start: [19, 0, 10], end: [25, 0, 10], radius: 1 }],
};
const OWN = new Error('of the caller');

function hashOfBake() {
  const { navMesh } = walkmesh.bake(readScene('plaza'), CONFIG);
  const hash = walkmesh.hash(navMesh.save());
  navMesh.free();
  return hash;
}
const good = hashOfBake();
const whole = walkmesh.bake(LEVEL, CONFIG).navMesh;
const goodLevel = walkmesh.hash(whole.save());

/** Everything that another method overwrites: mailboxes, the memory of one call, the module's memory. */
function callAll() {
  whole.findPath([1, 0, 1], [18, 0, 18], { filter: { areaCosts: { 0: 3 } } });
  whole.nearestPoints(new Float32Array(9000));
  walkmesh.bake(LEVEL, CONFIG).navMesh.free();
  walkmesh.trimMemory();
}
const throwOwn = () => { throw OWN; };
const isOwn = (/** @type {unknown} */ error) => error === OWN;
const isState = { code: 'state' };

/** Runs a bake with a listener, and checks its bytes. @param {(act: () => void) => Promise<any> | any} bake */
const bakeCases = (bake) => ({
  calls: async () => assert.equal(walkmesh.hash((await bake(callAll)).navMesh.save()), goodLevel),
  frees: async () => {
    const other = walkmesh.bakeDynamic(LEVEL, CONFIG);
    assert.equal(walkmesh.hash((await bake(() => other.navMesh.free())).navMesh.save()), goodLevel);
  },
  throws: async () => assert.rejects(async () => bake(throwOwn), isOwn),
});

/** A dynamic mesh with an obstacle that isn't built yet, and a listener. @param {(dynamic: any) => void} act */
function makeDynamic(act) {
  const { navMesh, dynamic } = walkmesh.bakeDynamic(LEVEL, CONFIG);
  const obstacle = dynamic.addObstacle({ kind: 'box', min: [2, -1, 2], max: [15, 1, 15] });
  dynamic.onTileChanged(() => act(dynamic));
  return { navMesh, dynamic, obstacle };
}

/** A crowd whose agent stands before a connection. */
function makeCrowd() {
  const { navMesh } = walkmesh.bake(LEVEL, CONFIG);
  const crowd = navMesh.createCrowd();
  crowd.setTarget(crowd.addAgent([17, 0, 10]), [35, 0, 10]);
  return { navMesh, crowd };
}

/** Steps a crowd until its listener was called. @param {any} crowd @param {(event: any) => void} act */
function stepUntilHeard(crowd, act) {
  let heard = 0;
  crowd.onConnection = (/** @type {any} */ event) => { heard++; act(event); };
  for (let i = 0; i < 200 && heard === 0; i++) crowd.step(0.05);
  assert.ok(heard > 0);
}

/** A streamer over an empty mesh. @param {any} source @param {any} [options] */
function makeStreamer(source, options = {}) {
  const { navMesh } = walkmesh.bake(LEVEL, CONFIG);
  for (const ref of navMesh.tileRefs()) navMesh.removeTile(ref);
  const streamer = new TileStreamer(navMesh, source, { innerRadius: 5, outerRadius: 30, ...options });
  streamer.setInvokers([[10, 0, 10]]);
  return { navMesh, streamer };
}

const turn = () => new Promise((resolve) => { setTimeout(resolve, 5); });
const tileOf = (/** @type {number} */ x, /** @type {number} */ z) => { const ref = whole.tileAt(x, z); return ref ? whole.tileBytes(ref) : null; };

/** @param {(key: string) => void} act */
const makeCache = (act) => ({ get(/** @type {string} */ key) { act(key); return undefined; }, set(/** @type {string} */ key) { act(key); }, delete(/** @type {string} */ key) { act(key); } });

/** By the first words of the row: what each cell promises. @type {Record<string, { calls: () => unknown, frees: () => unknown, throws: () => unknown }>} */
const CASES = {
  'a getter or proxy in an argument': {
    calls: () => {
      const right = whole.nearestPoint([3, 0, 3]);
      assert.throws(() => whole.nearestPoint({ get x() { callAll(); return 3; }, y: 0, z: 3 }), isState);
      assert.throws(() => whole.raycast(right.polygon, new Proxy([3, 0, 3], { get: (list, name) => { callAll(); return Reflect.get(list, name); } }), [9, 0, 9]), isState);
      assert.deepEqual(whole.nearestPoint([3, 0, 3]), right);
    },
    frees: () => {
      const { navMesh, dynamic } = makeDynamic(() => {});
      assert.throws(() => dynamic.addObstacle({ kind: 'box', get centre() { dynamic.free(); return [5, 0, 5]; }, halfExtents: [1, 1, 1] }), isState);
      assert.ok(dynamic.isFreed);
      navMesh.free();
    },
    throws: () => {
      const { version } = whole;
      assert.throws(() => whole.addConnection({ start: [1, 0, 1], get end() { throw OWN; } }), isOwn);
      assert.equal(whole.version, version);
    },
  },
  'a setter or proxy in `out`': {
    calls: () => {
      const right = whole.findPath([1, 0, 1], [18, 0, 18]);
      assert.throws(() => whole.findPath([1, 0, 1], [18, 0, 18], {}, new Proxy(structuredClone(right), { set: (out, name, value) => { callAll(); return Reflect.set(out, name, value); } })), isState);
      assert.deepEqual(whole.findPath([1, 0, 1], [18, 0, 18]), right);
    },
    frees: () => {
      const { navMesh } = walkmesh.bake(LEVEL, CONFIG);
      assert.throws(() => navMesh.nearestPoint([3, 0, 3], {}, /** @type {any} */ ({ set polygon(_) { navMesh.free(); } })), isState);
    },
    throws: () => assert.throws(() => whole.nearestPoint([3, 0, 3], {}, /** @type {any} */ ({ set polygon(_) { throw OWN; } })), isOwn),
  },
  'a getter in a level or a configuration': bakeCases((act) => walkmesh.bake(
    { ...LEVEL, get offMeshConnections() { act(); return LEVEL.offMeshConnections; } }, { get cellSize() { act(); return 0.4; }, tileSize: 32 })),
  '`onProgress` of `bake` and `bakeDynamic`': bakeCases((act) => walkmesh.bake(LEVEL, CONFIG, { onProgress: act })),
  '`onTile`, `onProgress` of other bakes': {
    ...bakeCases((act) => walkmesh.bakeTiled(LEVEL, CONFIG, { workers: 0, onTile: act, onProgress: act })),
    frees: async () => {
      const { navMesh } = walkmesh.bake(makeGround(20), CONFIG);
      const level = { ...LEVEL, volumes: [{ kind: 'box', min: [2, -1, 2], max: [15, 1, 15], area: 3 }] };
      await assert.rejects(walkmesh.rebake(navMesh, /** @type {any} */ (level), { workers: 0, onTile: () => navMesh.free() }), isState);
    },
  },
  'a listener of `onTileChanged`': {
    calls: () => {
      let rounds = 0;
      const { navMesh, dynamic } = makeDynamic((self) => { callAll(); if (rounds++ < 3) self.update({ tiles: 1 }); });
      dynamic.update();
      assert.equal(dynamic.dirtyTiles, 0);
      const { navMesh: right, dynamic: alone } = makeDynamic(() => {});
      alone.update();
      assert.deepEqual(navMesh.tiles().map(({ bytes }) => bytes), right.tiles().map(({ bytes }) => bytes));
    },
    frees: () => {
      const { dynamic } = makeDynamic((self) => self.free());
      assert.throws(() => dynamic.update(), isState);
      const second = makeDynamic(() => second.navMesh.free());
      assert.throws(() => second.dynamic.update(), isState);
    },
    throws: () => {
      let isBad = true;
      const { dynamic } = makeDynamic(() => { if (isBad) throw OWN; });
      assert.throws(() => dynamic.update(), isOwn);
      isBad = false;
      dynamic.update();
      assert.equal(dynamic.dirtyTiles, 0);
    },
  },
  '`crowd.onConnection`': {
    calls: () => {
      const { crowd } = makeCrowd();
      stepUntilHeard(crowd, ({ agent }) => {
        callAll();
        crowd.setTarget(agent, [2, 0, 2]);
        assert.throws(() => crowd.step(0.05), isState);
      });
      crowd.step(0.05);
    },
    frees: () => {
      const { crowd } = makeCrowd();
      assert.throws(() => { stepUntilHeard(crowd, () => crowd.free()); crowd.step(0.05); }, isState);
    },
    throws: () => {
      const { crowd } = makeCrowd();
      assert.throws(() => stepUntilHeard(crowd, throwOwn), isOwn);
      crowd.onConnection = null;
      crowd.step(0.05);
    },
  },
  '`onStep` of a `FixedStep`': {
    calls: () => {
      const { crowd } = makeCrowd();
      let calls = 0;
      const clock = new FixedStep(crowd, { step: 0.05, onStep: () => { calls++; callAll(); assert.throws(() => clock.advance(0.1), isState); } });
      assert.equal(clock.advance(0.1), 2);
      assert.equal(calls, 2);
    },
    frees: () => {
      const { crowd } = makeCrowd();
      assert.throws(() => new FixedStep(crowd, { step: 0.05, onStep: () => crowd.free() }).advance(0.1), isState);
    },
    throws: () => {
      const { crowd } = makeCrowd();
      const [hash, clock] = [crowd.hash(), new FixedStep(crowd, { step: 0.05, onStep: throwOwn })];
      assert.throws(() => clock.advance(0.1), isOwn);
      assert.equal(crowd.hash(), hash);
    },
  },
  'a source of a `TileStreamer`': {
    calls: async () => {
      const { navMesh, streamer } = makeStreamer((/** @type {number} */ x, /** @type {number} */ z) => {
        callAll();
        assert.throws(() => streamer.update(), isState);
        return tileOf(x, z);
      });
      await streamer.load();
      assert.ok(navMesh.tiles().length > 0);
      streamer.free();
    },
    frees: async () => {
      let requests = 0;
      const { streamer } = makeStreamer(() => { requests++; streamer.free(); return null; });
      assert.throws(() => streamer.update(), isState);
      await turn();
      assert.equal(requests, 1);
    },
    throws: async () => {
      /** @type {unknown[]} */
      const errors = [];
      const { streamer } = makeStreamer(throwOwn, { onError: (/** @type {unknown} */ error) => errors.push(error) });
      streamer.update();
      await turn();
      assert.ok(errors.length > 0 && errors.every(isOwn));
      streamer.free();
    },
  },
  '`onError` of a `TileStreamer`': {
    calls: async () => {
      let heard = 0;
      const { navMesh, streamer } = makeStreamer(() => new Uint8Array(8), { onError: () => {
        heard++;
        callAll();
        assert.throws(() => streamer.update(), isState);
      } });
      streamer.update();
      await turn();
      streamer.update(); // the bytes are refused
      assert.ok(heard > 0);
      assert.equal(navMesh.tiles().length, 0);
      streamer.free();
    },
    frees: async () => {
      let heard = 0;
      const { streamer } = makeStreamer(() => new Uint8Array(8), { onError: () => { heard++; streamer.free(); } });
      streamer.update();
      await turn();
      assert.throws(() => streamer.update(), isState);
      assert.equal(heard, 1);
    },
    throws: async () => {
      const { streamer } = makeStreamer(() => new Uint8Array(8), { onError: throwOwn });
      streamer.update();
      await turn();
      assert.throws(() => streamer.update(), isOwn);
      streamer.free();
    },
  },
  '`get`, `set`, `delete` of your own tile cache': {
    ...bakeCases((act) => walkmesh.bakeTiled(LEVEL, CONFIG, { workers: 0, cache: makeCache(act) })),
    throws: async () => {
      const { navMesh, report } = await walkmesh.bakeTiled(LEVEL, CONFIG, { workers: 0, cache: makeCache(throwOwn) });
      assert.equal(walkmesh.hash(navMesh.save()), goodLevel);
      assert.ok(report.warnings.some((text) => text.includes(OWN.message)));
    },
  },
  'a listener of your `AbortSignal`': {
    calls: async () => {
      const controller = new AbortController();
      controller.signal.addEventListener('abort', callAll);
      await assert.rejects(walkmesh.bakeTiled(LEVEL, CONFIG, { workers: 0, signal: controller.signal, onTile: () => controller.abort() }), { code: 'cancelled' });
    },
    frees: async () => {
      const controller = new AbortController(), { dynamic } = makeDynamic(() => controller.abort());
      controller.signal.addEventListener('abort', () => dynamic.free());
      await assert.rejects(dynamic.updateAsync({ signal: controller.signal }), (error) => error instanceof NavError && ['state', 'cancelled'].includes(error.code));
    },
    throws: async () => {
      const signal = /** @type {any} */ ({ aborted: false, addEventListener: throwOwn, removeEventListener() {} });
      await assert.rejects(walkmesh.bakeTiled(LEVEL, CONFIG, { workers: 0, signal }), isOwn);
    },
  },
};

afterEach(() => { assert.equal(hashOfBake(), good); });

const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');
const rows = page.split('## Your code inside of a call')[1].split('\n## ')[0].split('\n').filter((line) => line.startsWith('| ')).slice(2);

test('callbacks: every row of the table is tried', () => {
  assert.deepEqual(rows.map((row) => row.split(' | ')[0].slice(2)).sort(), Object.keys(CASES).sort());
});
for (const [name, { calls, frees, throws }] of Object.entries(CASES)) {
  test(`callbacks: ${name}: calls`, calls);
  test(`callbacks: ${name}: frees`, frees);
  test(`callbacks: ${name}: throws`, throws);
}
