// Values of callers that answer differently each time, throw, call or are not what they seem: what `npm run attack` found.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TileStreamer, load } from '../../js/index.js';
import { bakeDynamic, bakeDynamicAsync } from '../../js/dynamic/bake-dynamic.js';
import { makeGround } from './support.js';

const walkmesh = await load();
const { navMesh, dynamic } = walkmesh.bakeDynamic(makeGround(), { tileSize: 16 });
const { polygon, point } = navMesh.nearestPoint([5, 0, 5]);

const isArgument = (field) => ({ name: 'NavError', code: 'invalid-argument', ...(field && { field }) });
const hostile = new Error('hostile');

/** A copy with a getter in place of a field. */
const withGetter = (object, name, get) => Object.defineProperty({ ...object }, name, { get, enumerable: true });

/** An object that cannot be converted to a text or a number. */
const bare = Object.create(null);

test('hostile values: a result whose getters ask the mesh ends the call with state', () => {
  const calls = {
    moveAlongSurface: (out) => navMesh.moveAlongSurface(polygon, point, [8, 0, 8], {}, out),
    raycast: (out) => navMesh.raycast(polygon, point, [8, 0, 8], {}, out),
    findPath: (out) => navMesh.findPath(point, [8, 0, 8], {}, out),
  };
  const inner = [() => navMesh.nearestPoint([1, 0, 1]), () => navMesh.raycast(polygon, point, [9, 0, 2]), () => navMesh.distanceToWall(polygon, point, 20),
    () => navMesh.findPath([1, 0, 1], [9, 0, 9]), () => navMesh.flood(polygon, point)];
  for (const [name, call] of Object.entries(calls)) {
    const good = call();
    for (const field of Object.keys(good)) {
      for (const ask of inner) {
        const out = Object.defineProperty({ ...good }, field, { enumerable: true, set: ask, get() { ask(); return good[field]; } });
        assert.throws(() => call(out), { code: 'state' }, `${name}, ${field}, ${ask}`);
      }
    }
  }
});

test('hostile values: floods, kinds, areas and limits that cannot be converted are named', () => {
  const flood = navMesh.flood(polygon, point);
  for (const count of [bare, 10n, Symbol('x')]) {
    assert.throws(() => navMesh.floodPath({ ...flood, count }, 0), isArgument('flood'));
  }
  let deep = [];
  for (let i = 0; i < 20000; i++) deep = [deep];
  for (const value of [bare, deep, 10n, Symbol('x')]) {
    assert.throws(() => dynamic.addObstacle({ kind: value, centre: [5, 0, 5], radius: 1 }), isArgument());
    assert.throws(() => dynamic.addObstacle({ kind: 'sphere', centre: [5, 0, 5], radius: 1, area: value }), isArgument());
  }
  for (const memoryLimit of [bare, Symbol('x')]) assert.throws(() => walkmesh.createWorkerPool({ memoryLimit }), isArgument('memoryLimit'));
});

test('hostile values: proxies and heirs of meshes and pools are named', async () => {
  for (const target of [new Proxy(navMesh, {}), Object.create(navMesh), new Proxy(dynamic, {}), Object.create(dynamic)]) {
    assert.throws(() => new TileStreamer(target, () => null, { innerRadius: 1, outerRadius: 2 }), isArgument('target'));
  }
  const pool = walkmesh.createWorkerPool({ workers: 1 });
  for (const workers of [new Proxy(pool, {}), Object.create(pool)]) {
    await assert.rejects(dynamic.updateAsync({ workers }), isArgument('workers'));
    await assert.rejects(walkmesh.bakeTiled(makeGround(), {}, { workers }), isArgument('workers'));
  }
  pool.free();
});

test('hostile values: options of bakes are read once', async () => {
  let reads = 0;
  const options = withGetter({ workers: 0 }, 'onProgress', () => (reads++ === 0 ? () => {} : 7));
  (await walkmesh.bakeTiled(makeGround(), {}, options)).navMesh.free();
  assert.equal(reads, 1);
  let calls = 0;
  const inherited = Object.create({ workers: 0, onProgress: () => { calls++; } });
  (await walkmesh.bakeTiled(makeGround(), {}, inherited)).navMesh.free();
  assert.ok(calls > 0, 'options of a prototype count');
});

test('hostile values: a level whose getters throw leaves no memory', async () => {
  const level = { ...makeGround(), volumes: [], offMeshConnections: [{ start: [1, 0, 1], end: [5, 0, 5], radius: 0.5 }], areaFlags: new Uint16Array(64).fill(1) };
  const { session } = navMesh;
  const bakes = {
    bakeDynamic: (given) => bakeDynamic(session, given, {}, {}), // without the check of its mesh, which reads the level, too
    bakeDynamicAsync: (given) => bakeDynamicAsync({ session, module: undefined }, given, {}, { workers: 0 }),
  };
  (await bakes.bakeDynamicAsync(level)).navMesh.free(); // some memory stays for the next bake
  walkmesh.trimMemory();
  const before = walkmesh.memory().bytes;
  let thrown = 0;
  for (const field of Object.keys(level)) {
    for (let left = 0; left < 5; left++) {
      for (const [name, bake] of Object.entries(bakes)) {
        let reads = 0;
        const given = withGetter(level, field, () => {
          if (reads++ === left) throw hostile;
          return level[field];
        });
        try {
          (await bake(given)).navMesh.free();
        } catch (error) {
          assert.equal(error, hostile);
          thrown++;
        }
        walkmesh.trimMemory();
        assert.equal(walkmesh.memory().bytes, before, `${name}, ${field}, ${left}`);
      }
    }
  }
  assert.ok(thrown > 10, `${thrown}`);
});

test('hostile values: a list with a hole ends the bake at once', () => {
  const reads = [];
  const offMeshConnections = new Proxy([], { get: (list, key) => {
    if (key === 'length') return 1e9;
    if (typeof key === 'string' && /^\d+$/.test(key)) reads.push(key);
    assert.ok(reads.length < 10, 'the list is read to its end');
    return Reflect.get(list, key);
  } });
  assert.throws(() => walkmesh.bake({ ...makeGround(), offMeshConnections }, {}), isArgument('offMeshConnections[0]'));
});

test('hostile values: a proxy as a result, a text as a point, and holes among invokers are errors at once', () => {
  const corridor = navMesh.createCorridor(polygon, point), good = corridor.corners(4);
  const out = new Proxy(good, { get: (target, key) => {
    navMesh.raycast(polygon, point, [9, 0, 2]);
    navMesh.nearestPoint([1, 0, 1]);
    return Reflect.get(target, key);
  }, getPrototypeOf: (target) => {
    navMesh.raycast(polygon, point, [9, 0, 2]);
    return Reflect.getPrototypeOf(target);
  } });
  assert.throws(() => corridor.corners(4, out), { code: 'state' });
  corridor.free();
  const crowd = navMesh.createCrowd();
  const agent = crowd.addAgent([5, 0, 5]);
  assert.throws(() => crowd.velocity(agent, Object('text')), isArgument('out'));
  crowd.free();
  const streamer = new TileStreamer(navMesh, () => null, { innerRadius: 1, outerRadius: 2 });
  const invokers = [[1, 0, 1], [1, 0, 1]];
  delete invokers[0];
  assert.throws(() => streamer.setInvokers(invokers), isArgument('invokers[0]'));
  streamer.free();
});

test('hostile values: a list of positions whose memory shrank has none', () => {
  const crowd = navMesh.createCrowd();
  const memory = new ArrayBuffer(48, { maxByteLength: 48 });
  const positions = new Float32Array(memory, 24, 3);
  memory.resize(0);
  assert.deepEqual(Array.from(crowd.addAgents(positions) ?? []), []);
  crowd.free();
});
