// Levels that change: obstacles, updates under a budget, dirty tiles, moving obstacles; each tile equals that of a full bake.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeBigTerrain } from '../scenes/big-terrain.js';
import { DynamicNavMesh, NavError, load } from '../../js/index.js';
import { makeRandom } from './random.js';
import { loadBoth, makeGround, readScene } from './support.js';

const both = await loadBoth();
const [walkmesh] = both;
const SIDE = 60;
const level = makeGround(SIDE);
const CONFIG = { tileSize: 32, cellSize: 0.3 };
const crate = (x, z, more = {}) => ({ kind: 'cylinder', base: [x, 0, z], radius: 0.7, height: 1, ...more });

/** Tiles by tile place. */
const tilesOf = (navMesh) => new Map(navMesh.tiles().map((tile) => [`${tile.x}, ${tile.z}`, tile]));

function assertSameTiles(navMesh, expected, label) {
  const [a, b] = [tilesOf(navMesh), tilesOf(expected)];
  assert.deepEqual([...a.keys()].sort(), [...b.keys()].sort(), label);
  for (const [place, { bytes }] of b) assert.deepEqual(a.get(place).bytes, bytes, `${label}, tile ${place}`);
}

/** A bake of the level with obstacles as volumes. */
function bakeWith(walker, geometry, config, obstacles) {
  const volumes = obstacles.map(({ carving, moveThreshold, timeToRest, isCarving, area = 0, beforeErosion = area === 0, ...shape }) => (
    { ...shape, area, beforeErosion }));
  return walker.bake({ ...geometry, volumes: [...geometry.volumes ?? [], ...volumes] }, config).navMesh;
}

function randomObstacle(random, [low, high]) {
  const [x, y, z] = [0, 1, 2].map((axis) => random(low[axis], high[axis]));
  const size = random(0.2, 2.5);
  const shapes = [
    { kind: 'box', min: [x - size, y, z - 1], max: [x, y + 2, z + size] },
    { kind: 'rotatedBox', centre: { x, y, z }, halfExtents: [size, 2, 0.5], yaw: random(-3, 3) },
    { kind: 'cylinder', base: [x, y, z], radius: size, height: 2 },
    { kind: 'prism', vertices: [[x, 0, z], [x + size, 0, z], [x, 0, z + size]], minY: y - 1, maxY: y + 2 },
    { kind: 'sphere', centre: [x, y, z], radius: size },
    { kind: 'capsule', start: [x, y, z], end: [x + 1, y + 1, z], radius: size },
  ];
  const area = random(0, 3) < 2 ? undefined : Math.floor(random(1, 63));
  return { ...shapes[Math.floor(random(0, 6))], area, beforeErosion: random(0, 2) < 1 ? undefined : true };
}

for (const walker of both) {
  test(`dynamic: any sequence of changes gives the tiles of a bake, and none the first ones (${walker.simd ? 'SIMD' : 'scalar'})`, () => {
    const plaza = { ...readScene('plaza'), volumes: [{ kind: 'box', min: [4, 0, 4], max: [9, 4, 8], area: 5 }], areaFlags: { 5: 6 },
      offMeshConnections: [{ start: [2, 0, 2], end: [30, 0, 30], radius: 1 }] };
    const { navMesh, dynamic, report } = walker.bakeDynamic(plaza, CONFIG);
    const first = walker.bake(plaza, CONFIG).navMesh;
    assert.deepEqual(navMesh.save(), first.save());
    const file = first.exportDetour(), whole = first.save();
    assert.ok(dynamic instanceof DynamicNavMesh && dynamic.navMesh === navMesh && dynamic.dirtyTiles === 0);
    const random = makeRandom(7).between;
    const bounds = [report.voxels.boundsMin, report.voxels.boundsMax];
    for (let round = 0; round < 12; round++) {
      const live = new Map();
      for (let i = 0; i < 20; i++) {
        const handles = [...live.keys()], one = handles[Math.floor(random(0, handles.length))];
        const what = random(0, 10);
        if (what < 5 || handles.length === 0) {
          const obstacle = randomObstacle(random, bounds);
          live.set(dynamic.addObstacle(obstacle), obstacle);
        } else if (what < 6) {
          const obstacle = randomObstacle(random, bounds);
          dynamic.changeObstacle(one, obstacle);
        } else if (what < 7) {
          dynamic.moveObstacle(one, bounds[0].map((low, axis) => random(low, bounds[1][axis])));
        } else if (what < 8) {
          dynamic.removeObstacle(one);
          live.delete(one);
        } else {
          dynamic.update({ tiles: Math.floor(random(0, 4)) });
        }
      }
      dynamic.update();
      assert.deepEqual([...dynamic.obstacles()].sort(), [...live.keys()].sort());
      const obstacles = [...live.keys()].map((handle) => dynamic.obstacle(handle));
      const expected = bakeWith(walker, plaza, CONFIG, obstacles);
      assertSameTiles(navMesh, expected, `round ${round}`);
      expected.free();
      dynamic.removeObstacles([...live.keys()]);
      dynamic.update();
      assert.deepEqual(navMesh.exportDetour(), file, `round ${round}: the first mesh again`);
      assert.deepEqual(navMesh.save(), whole, `round ${round}: the first file again, to the last byte`);
    }
    first.free();
    navMesh.free();
    assert.ok(dynamic.isFreed);
  });
}

test('dynamic: bakeDynamicAsync makes the same, in this thread and in workers', async () => {
  const city = readScene('city');
  const { navMesh, dynamic } = walkmesh.bakeDynamic(city, { tileSize: 48 });
  dynamic.addObstacle(crate(96, 96));
  dynamic.update();
  const before = walkmesh.memory().bytes;
  for (const workers of [0, 2]) {
    let tiles = 0;
    const made = await walkmesh.bakeDynamicAsync(city, { tileSize: 48 }, { workers, onProgress: () => { tiles++; } });
    assert.equal(tiles, made.report.tiles.x * made.report.tiles.z);
    assert.equal(made.dynamic.keptBytes, dynamic.keptBytes);
    made.dynamic.addObstacle(crate(96, 96));
    made.dynamic.update();
    assertSameTiles(made.navMesh, navMesh, `${workers} workers`);
    made.navMesh.free();
  }
  await assert.rejects(walkmesh.bakeDynamicAsync(city, { tileSize: 48 }, { workers: 2, signal: AbortSignal.abort() }), { code: 'cancelled' });
  await assert.rejects(walkmesh.bakeDynamicAsync(city, { tileSize: 0 }), { code: 'configuration', field: 'tileSize' });
  await assert.rejects(walkmesh.bakeDynamicAsync({ ...city, volumes: [{ kind: 'cube' }] }, {}), { code: 'invalid-argument' });
  walkmesh.trimMemory();
  assert.ok(walkmesh.memory().bytes <= before, 'nothing is left');
  navMesh.free();
});

test('dynamic: bakeDynamicAsync hands tiles out, and rests while it takes over what is kept of them', async () => {
  const city = readScene('city');
  walkmesh.trimMemory();
  const before = walkmesh.memory().bytes;
  /** The number of turns of the event loop after the last tile, and the result of bakeDynamicAsync; turn `abortIn` aborts. */
  const bake = async (abortIn = Infinity) => {
    const controller = new AbortController();
    let [turns, tiles, isOver] = [0, 0, false];
    const turn = () => {
      if (++turns >= abortIn) controller.abort();
      if (!isOver) setImmediate(turn);
    };
    const onProgress = (progress) => { if (progress.done === progress.tiles) setImmediate(turn); };
    const onTile = ({ bytes }) => { if (bytes) tiles++; };
    try {
      const baked = await walkmesh.bakeDynamicAsync(city, { tileSize: 32 },
        { workers: 0, sliceMilliseconds: 1e-6, signal: controller.signal, onTile, onProgress });
      return { ...baked, turns, tiles };
    } finally {
      isOver = true;
    }
  };
  const { navMesh, tiles, turns } = await bake();
  assert.equal(tiles, navMesh.totals.tiles);
  assert.ok(turns >= tiles, `${turns} turns for ${tiles} tiles`);
  navMesh.free();
  await assert.rejects(bake(turns >> 1), { code: 'cancelled' });
  walkmesh.trimMemory();
  assert.ok(walkmesh.memory().bytes <= before, 'nothing is left');
});

test('dynamic: an update stops at its budget, the nearest to the focus come first, listeners hear of each', () => {
  const { navMesh, dynamic } = walkmesh.bakeDynamic(level, CONFIG);
  const refs = new Map([...tilesOf(navMesh)].map(([place, { ref }]) => [place, ref]));
  const heard = [];
  const stop = dynamic.onTileChanged((change) => heard.push(change));
  for (let i = 0; i < 40; i++) dynamic.addObstacle(crate(3 + (i % 7) * 9, 3 + Math.floor(i / 7) * 9));
  const dirty = dynamic.dirtyTiles;
  assert.ok(dirty > 20);
  dynamic.setFocus([[55, 0, 55]]);
  assert.deepEqual(dynamic.update(0), { built: 0, changed: [], linked: 0, changedLinks: [], dirtyTiles: dirty });
  assert.deepEqual(dynamic.update({ tiles: 0 }), { built: 0, changed: [], linked: 0, changedLinks: [], dirtyTiles: dirty });
  const some = dynamic.update({ tiles: 3 });
  assert.equal(some.built, 3);
  assert.equal(some.dirtyTiles, dirty - 3);
  const side = 32 * 0.3;
  for (const { x, z, before, after } of some.changed) {
    assert.ok(Math.hypot(55 - (x + 0.5) * side, 55 - (z + 0.5) * side) < 1.6 * side, `${x}, ${z}`);
    assert.equal(before, refs.get(`${x}, ${z}`));
    assert.equal(after, navMesh.tileAt(x, z));
  }
  assert.deepEqual(heard, some.changed);
  const { version } = navMesh;
  const least = dynamic.update(1e-9); // the clock is read before each tile
  assert.equal(least.built, 1, 'a budget above 0 makes progress');
  assert.equal(dynamic.update(0).built, 0);
  const rest = dynamic.update({ milliseconds: 1e9 });
  assert.equal(rest.dirtyTiles, 0);
  assert.notEqual(navMesh.version, version);
  assert.equal(heard.length, some.changed.length + least.changed.length + rest.changed.length);
  stop();
  dynamic.removeObstacles(dynamic.obstacles());
  dynamic.onTileChanged(() => { throw new Error('of a listener'); });
  assert.throws(() => dynamic.update(), /of a listener/);
  const left = dynamic.dirtyTiles;
  assert.equal(left, dirty - 1, 'one was built');
  navMesh.free();
});

test('dynamic: a round of listeners calls those that were there when it began, also those that subscribe anew for ever', () => {
  const { navMesh, dynamic } = walkmesh.bakeDynamic(level, CONFIG);
  const calls = [];
  /** Ends an endless round: it would hang the test. */
  const hear = (name) => {
    calls.push(name);
    if (calls.length > 100) throw new Error('an endless round');
  };
  let stop = () => {};
  const anew = () => {
    stop();
    hear('anew');
    stop = dynamic.onTileChanged(anew);
  };
  stop = dynamic.onTileChanged(anew);
  const stopped = [];
  dynamic.onTileChanged(() => stopped.forEach((end) => end()));
  stopped.push(dynamic.onTileChanged(() => hear('removed')));
  const same = () => hear('twice');
  const stopFirst = dynamic.onTileChanged(same);
  dynamic.onTileChanged(same);
  dynamic.addObstacle(crate(20, 20));
  const { changed } = dynamic.update({ tiles: 1 });
  assert.deepEqual([changed.length, calls], [1, ['anew', 'twice', 'twice']]);
  stopFirst();
  stopFirst();
  calls.length = 0;
  const { changed: { length } } = dynamic.update();
  assert.deepEqual(calls, Array.from({ length }, () => ['twice', 'anew']).flat());
  navMesh.free();
});

test('dynamic: paths know whether any part of them is stale', () => {
  const { navMesh, dynamic } = walkmesh.bakeDynamic(level, CONFIG);
  const [a, b, c] = [[5, 0, 5], [55, 0, 5], [5, 0, 55]].map((point) => navMesh.nearestPoint(point));
  const along = navMesh.findCorridor(a.polygon, a.point, b.polygon, b.point);
  const down = navMesh.findCorridor(a.polygon, a.point, c.polygon, c.point);
  const agents = [along, down].map((corridor, i) => {
    const agent = navMesh.createCorridor(a.polygon, a.point);
    agent.set([b, c][i].point, corridor);
    return agent;
  });
  assert.ok(![along, down, along.polygons, [...down.polygons], agents[0]].some((polygons) => navMesh.isStale(polygons)));
  dynamic.addObstacle(crate(35, 5));
  assert.ok(!navMesh.isStale(along), 'nothing changes before an update');
  const { changed } = dynamic.update();
  assert.ok(changed.length > 0);
  assert.ok(navMesh.isStale(along) && navMesh.isStale(along.polygons) && agents[0].isStale);
  assert.ok(!navMesh.isStale(down) && !navMesh.isStale([...down.polygons]) && !agents[1].isStale);
  assert.ok(!navMesh.isStale({ polygons: along.polygons, count: 1 }), 'its first polygon is still there');
  assert.ok(navMesh.isStale([0]) && navMesh.isStale([2 ** 52 + 5]) && !navMesh.isStale([]));
  for (const bad of [7, null, undefined, 'x', new Float32Array(2)]) {
    assert.throws(() => navMesh.isStale(bad), { code: 'invalid-argument', field: 'polygons' });
  }
  assert.throws(() => navMesh.isStale([1.5]), { code: 'invalid-argument' });
  assert.throws(() => navMesh.isStale({ polygons: along.polygons, count: 1e6 }), { code: 'invalid-argument' });
  navMesh.free();
});

test('dynamic: untouched tiles keep their references, and so do those that come out as they were', () => {
  const { navMesh, dynamic } = walkmesh.bakeDynamic(level, CONFIG);
  const before = navMesh.tileRefs();
  const obstacle = dynamic.addObstacle(crate(24, 24));
  dynamic.update();
  const changed = navMesh.tileRefs().filter((ref) => !before.includes(ref));
  assert.ok(changed.length >= 1 && changed.length <= 4);
  const carved = navMesh.tileRefs();
  dynamic.moveObstacle(obstacle, [24, 40, 24]);
  dynamic.moveObstacle(obstacle, [24, 0, 24]);
  assert.ok(dynamic.dirtyTiles > 0);
  assert.deepEqual(dynamic.update().changed, []);
  assert.deepEqual(navMesh.tileRefs(), carved);
  navMesh.free();
});

test('dynamic: bad obstacles are errors that name the field, and change nothing', () => {
  const { navMesh, dynamic } = walkmesh.bakeDynamic(level, CONFIG);
  const other = walkmesh.bakeDynamic(makeGround(20), CONFIG);
  dynamic.refuseOutside(true);
  const good = dynamic.addObstacle(crate(5, 5));
  const foreign = [0, 1, 2].map(() => other.dynamic.addObstacle(crate(5, 5)))[2];
  const gone = dynamic.addObstacle(crate(9, 9));
  dynamic.removeObstacle(gone);
  dynamic.update();
  const file = navMesh.exportDetour();
  const box = { kind: 'box', min: [1, 0, 1], max: [2, 1, 2] };
  const turned = { kind: 'rotatedBox', centre: [5, 0, 5], halfExtents: [1, 1, 1], yaw: 0 };
  const prism = { kind: 'prism', vertices: [[1, 0, 1], [5, 0, 1], [3, 0, 4]], minY: 0, maxY: 2 };
  const capsule = { kind: 'capsule', start: [3, 1, 3], end: [5, 1, 3], radius: 1 };
  const obstacles = [
    [{ ...crate(5, 5), radius: NaN }, 'obstacle.radius'], [{ ...crate(5, 5), radius: 0 }, 'obstacle.radius'], [{ ...crate(5, 5), radius: -2 }, 'obstacle.radius'],
    [{ ...crate(5, 5), radius: 1e30 }, 'obstacle'], [{ ...crate(5, 5), radius: Infinity }, 'obstacle.radius'], [{ ...crate(5, 5), radius: '1' }, 'obstacle.radius'],
    [{ ...crate(5, 5), height: 0 }, 'obstacle.height'], [crate(NaN, 5), 'obstacle.base[0]'], [crate(5, Infinity), 'obstacle.base'],
    [crate(-30, 5), 'obstacle'], [crate(5, 5000), 'obstacle'], [{ ...crate(5, 5), base: [5, -50, 5] }, 'obstacle'], [crate(5, 1e9), 'obstacle'],
    [crate(5, 5, { area: 64 }), 'obstacle.area'], [crate(5, 5, { area: 1.5 }), 'obstacle.area'], [crate(5, 5, { beforeErosion: 1 }), 'obstacle.beforeErosion'],
    [crate(5, 5, { carving: 'rest' }), 'obstacle.carving'], [crate(5, 5, { moveThreshold: -1 }), 'obstacle.moveThreshold'],
    [crate(5, 5, { timeToRest: NaN }), 'obstacle.timeToRest'], [crate(5, 5, { timeToRest: Infinity }), 'obstacle.timeToRest'],
    [crate(5, 5, { size: 1 }), 'obstacle.size'], [{ kind: 'cone' }, 'obstacle.kind'], [{ ...box, yaw: 1 }, 'obstacle.yaw'],
    [{ ...box, max: [2, 0, 2] }, 'obstacle.max'], [{ ...box, max: [NaN, 1, 2] }, 'obstacle.max[0]'], [{ ...box, min: [-Infinity, 0, 1] }, 'obstacle.min'],
    [{ ...box, min: undefined }, 'obstacle.min'], [{ ...turned, halfExtents: [1, 0, 1] }, 'obstacle.halfExtents'], [{ ...turned, yaw: Infinity }, 'obstacle.yaw'],
    [{ ...prism, vertices: [1, 0, 1, 2, 0, 2] }, 'obstacle.vertices'], [{ ...prism, vertices: [1, 0] }, 'obstacle.vertices', 'geometry'],
    [{ ...prism, vertices: [[1, 0, 1], [5, 0, NaN], [3, 0, 4]] }, 'obstacle.vertices[1]'], [{ ...prism, maxY: 0 }, 'obstacle.maxY'],
    [{ ...prism, minY: Infinity }, 'obstacle.minY'], [{ ...capsule, radius: 0 }, 'obstacle.radius'], [{ ...capsule, start: [1, 2] }, 'obstacle.start'],
    [null, 'obstacle'], [undefined, 'obstacle'], [7, 'obstacle'], [[], 'obstacle'],
  ];
  for (const [call, message] of /** @type {[() => unknown, RegExp][]} */ ([
    [() => dynamic.addObstacle({ ...prism, vertices: [1, 0, 1, 2, 0, 2] }), /^obstacle\.vertices is 2: /], [() => dynamic.addObstacle({ ...prism, maxY: 0 }), /^obstacle\.maxY: an obstacle's size/],
  ])) assert.throws(call, { code: 'invalid-argument', message });
  const calls = [];
  for (const [obstacle, field, code = 'invalid-argument'] of obstacles) {
    calls.push([() => dynamic.addObstacle(obstacle), code, field], [() => dynamic.changeObstacle(good, obstacle), code, field]);
  }
  const handles = [[0, 'invalid-argument'], [NaN, 'invalid-argument'], ['1', 'invalid-argument'], [1.5, 'invalid-argument'], [-1, 'invalid-argument'],
    [foreign, 'invalid-argument'], [2 ** 53, 'invalid-argument'], [good + 2 ** 32, 'invalid-argument'], [gone, 'stale-reference']];
  for (const [handle, code] of handles) {
    calls.push([() => dynamic.obstacle(handle), code], [() => dynamic.removeObstacle(handle), code], [() => dynamic.moveObstacle(handle, [5, 0, 5]), code],
      [() => dynamic.changeObstacle(handle, crate(7, 7)), code], [() => dynamic.moveObstacles([good, handle], [9, 0, 9, 5, 0, 5]), code],
      [() => dynamic.removeObstacles([good, handle]), code]);
  }
  calls.push(
    [() => dynamic.removeObstacles([good, good]), 'invalid-argument', 'obstacles[1]'],
    [() => dynamic.removeObstacles([good, gone]), 'stale-reference', 'obstacles[1]'], [() => dynamic.removeObstacles([good, -1]), 'invalid-argument', 'obstacles[1]'],
    [() => dynamic.moveObstacles([good, gone], [5, 0, 5, 6, 0, 6]), 'stale-reference', 'obstacles[1]'], [() => dynamic.moveObstacles([good], [500, 0, 5]), 'invalid-argument', 'obstacles[0]'], [() => dynamic.removeObstacles(7), 'invalid-argument', 'obstacles'],
    [() => dynamic.removeObstacles(new Float32Array([good])), 'invalid-argument', 'obstacles'],
    [() => dynamic.moveObstacle(good, [NaN, 0, 5]), 'invalid-argument', 'position'], [() => dynamic.moveObstacle(good, 5), 'invalid-argument', 'position'],
    [() => dynamic.moveObstacle(good, [5, 0, 5], NaN), 'invalid-argument', 'yaw'], [() => dynamic.moveObstacle(good, [500, 0, 5]), 'invalid-argument', 'obstacle'],
    [() => dynamic.moveObstacles([good], [1, 2]), 'invalid-argument', 'positions'], [() => dynamic.moveObstacles([good], [1, NaN, 2]), 'invalid-argument', 'positions[0]'],
    [() => dynamic.moveObstacles([good], [1, 0, 2], [1, 2]), 'invalid-argument', 'yaws'], [() => dynamic.moveObstacles([good], [1, 0, 2], [NaN]), 'invalid-argument', 'yaws[0]'],
    [() => dynamic.addObstacles(crate(5, 5), [1, 2]), 'invalid-argument', 'positions'], [() => dynamic.addObstacles(crate(5, 5), [5, 0, 5, 5000, 0, 5]), 'invalid-argument', 'positions[1]'],
    [() => dynamic.addObstacles({ ...crate(5, 5), radius: 0 }, [5, 0, 5]), 'invalid-argument', 'obstacle.radius'],
    [() => dynamic.addObstacles(box, [5, 0, 5], [1]), 'invalid-argument', 'yaws[0]'], [() => dynamic.setFocus([1, NaN, 2]), 'invalid-argument', 'points'],
    [() => dynamic.setFocus(3), 'invalid-argument', 'points'], [() => dynamic.update(-1), 'invalid-argument', 'milliseconds'], [() => dynamic.update(NaN), 'invalid-argument', 'milliseconds'],
    [() => dynamic.update({ tiles: 1.5 }), 'invalid-argument', 'tiles'], [() => dynamic.update({ deltaTime: -1 }), 'invalid-argument', 'deltaTime'],
    [() => dynamic.update({ deltaTime: Infinity }), 'invalid-argument', 'deltaTime'], [() => dynamic.update({ time: 1 }), 'invalid-argument', 'time'],
    [() => dynamic.update('x'), 'invalid-argument', 'options'], [() => dynamic.onTileChanged(3), 'invalid-argument', 'listener'],
    [() => dynamic.keepTile(0, 0, new Uint8Array(20)), 'corrupt'], [() => dynamic.keepTile(-1, 0, dynamic.keptTile(0, 0)), 'invalid-argument', 'x'],
    [() => dynamic.dropTile(0, 99), 'invalid-argument', 'z'], [() => dynamic.dropTile(0, 'x'), 'invalid-argument', 'z'], [() => dynamic.movingObstacles(7), 'invalid-argument', 'out'],
  );
  for (const [call, code, field] of calls) {
    assert.throws(call, (error) => {
      assert.ok(error instanceof NavError, `${call}: ${error.stack}`);
      assert.equal(error.code, code, `${call}: ${error.message}`);
      if (field) assert.equal(error.field, field, `${call}: ${error.message}`);
      return true;
    }, `${call}`);
  }
  assert.equal(dynamic.dirtyTiles, 0);
  assert.deepEqual([...dynamic.obstacles()], [good]);
  assert.deepEqual(dynamic.obstacle(good).base, [5, 0, 5]);
  dynamic.update();
  assert.deepEqual(navMesh.exportDetour(), file);
  other.navMesh.free();
  navMesh.free();
  for (const call of [() => dynamic.update(), () => dynamic.addObstacle(crate(5, 5)), () => dynamic.navMesh, () => dynamic.obstacles()]) {
    assert.throws(call, { code: 'state' });
  }
  assert.throws(() => new DynamicNavMesh(), { code: 'state' });
  assert.throws(() => DynamicNavMesh.prototype.update.call(navMesh), { code: 'state' });
  assert.throws(() => walkmesh.bakeDynamic(level, { tileSize: 0 }), { code: 'configuration', field: 'tileSize' });
});

test('dynamic: a crate that falls out of the level is parked, and carves again when it comes back', async () => {
  const pool = walkmesh.createWorkerPool({ workers: 2 });
  for (const update of [(dynamic) => dynamic.update(), (dynamic) => dynamic.updateAsync(), (dynamic) => dynamic.updateAsync({ workers: pool })]) {
    const { navMesh, dynamic } = walkmesh.bakeDynamic(level, CONFIG);
    const empty = navMesh.exportDetour();
    const [home, beneath, beside] = [[5, 0, 5], [5, -1000, 5], [-300, 0, 5]];
    const fallen = dynamic.addObstacle(crate(5, 5)), added = dynamic.addObstacle(crate(-30, 5));
    assert.deepEqual([fallen, added].map((one) => dynamic.isOutside(one)), [false, true]);
    await update(dynamic);
    const carved = navMesh.exportDetour();
    assert.notDeepEqual(carved, empty);
    for (const away of [beneath, beside]) {
      dynamic.moveObstacle(fallen, away);
      assert.equal(dynamic.isOutside(fallen), true);
      assert.equal(dynamic.obstacle(fallen).isCarving, false);
      await update(dynamic);
      assert.deepEqual(navMesh.exportDetour(), empty);
      const { navMesh: mesh, dynamic: read } = walkmesh.loadDynamic(dynamic.save());
      assert.equal(read.isOutside(fallen), true);
      read.moveObstacle(fallen, home);
      read.update();
      assert.deepEqual(mesh.exportDetour(), carved);
      mesh.free();
      dynamic.moveObstacles([fallen], [home]);
      assert.equal(dynamic.isOutside(fallen), false);
      await update(dynamic);
      assert.deepEqual(navMesh.exportDetour(), carved);
    }
    dynamic.refuseOutside(true);
    assert.throws(() => dynamic.moveObstacle(fallen, beneath), { code: 'invalid-argument', field: 'obstacle', message: /outside the level/ });
    assert.equal(dynamic.isOutside(fallen), false);
    dynamic.refuseOutside(false);
    dynamic.moveObstacle(fallen, beneath);
    assert.throws(() => dynamic.refuseOutside('yes'), { code: 'invalid-argument' });
    dynamic.removeObstacle(added);
    assert.throws(() => dynamic.isOutside(added), { code: 'stale-reference' });
    navMesh.free();
  }
  pool.free();
});

test('dynamic: a crate carves at rest, and is listed with its velocity while it moves', () => {
  const { navMesh, dynamic } = walkmesh.bakeDynamic(level, CONFIG);
  const first = navMesh.exportDetour();
  const obstacle = dynamic.addObstacle(crate(20, 20, { carving: 'at rest', moveThreshold: 0.25 }));
  const still = dynamic.addObstacle({ kind: 'rotatedBox', centre: [40, 1, 40], halfExtents: [3, 1, 4], yaw: 1, carving: 'never' });
  dynamic.update({ deltaTime: 0.25 });
  const carved = navMesh.exportDetour();
  assert.notDeepEqual(carved, first);
  assert.deepEqual(dynamic.movingObstacles(), {
    count: 1, obstacles: Float64Array.of(still), positions: Float32Array.of(40, 0, 40), radii: Float32Array.of(5), heights: Float32Array.of(2),
    velocities: Float32Array.of(0, 0, 0),
  });
  dynamic.moveObstacle(obstacle, [20.25, 0, 20]);
  assert.equal(dynamic.update({ deltaTime: 0.25 }).built, 0, 'within the threshold');
  dynamic.moveObstacle(obstacle, [21, 0, 20]);
  assert.equal(dynamic.obstacle(obstacle).isCarving, false);
  dynamic.update({ deltaTime: 0.25 });
  assert.deepEqual(navMesh.exportDetour(), first);
  const moving = dynamic.movingObstacles();
  const answer = dynamic.movingObstacles(moving);
  assert.ok(answer === moving && moving.count === 2);
  const at = moving.obstacles.indexOf(obstacle);
  assert.deepEqual([...moving.velocities.slice(3 * at, 3 * at + 3)], [3, 0, 0]);
  assert.equal(moving.radii[at], Math.fround(0.7));
  assert.equal(dynamic.update({ deltaTime: 0.125 }).built, 0, 'not yet');
  assert.ok(dynamic.update({ deltaTime: 0.375 }).built > 0, 'half a second without a move');
  assert.equal(dynamic.movingObstacles(moving).count, 1);
  assert.equal(dynamic.obstacle(obstacle).isCarving, true);
  dynamic.changeObstacle(still, { kind: 'sphere', centre: [40, 1, 40], radius: 2 });
  assert.equal(dynamic.movingObstacles().count, 0);
  dynamic.update();
  const expected = bakeWith(walkmesh, level, CONFIG, [crate(21, 20), { kind: 'sphere', centre: [40, 1, 40], radius: 2 }]);
  assertSameTiles(navMesh, expected, 'both carve');
  expected.free();
  navMesh.free();
});

test('dynamic: a crowd avoids what moves', () => {
  const { navMesh, dynamic } = walkmesh.bakeDynamic(level, CONFIG);
  const crowd = navMesh.createCrowd();
  const agent = crowd.addAgent([30, 0, 30]);
  const cart = dynamic.addObstacle(crate(20, 30, { carving: 'never', radius: 1.5 }));
  let moving = dynamic.movingObstacles();
  let nearest = Infinity;
  for (let step = 0; step < 120; step++) {
    dynamic.moveObstacle(cart, [20 + step / 6, 0, 30]);
    dynamic.update({ deltaTime: 1 / 30 });
    moving = dynamic.movingObstacles(moving);
    crowd.setObstacles(moving);
    crowd.step(1 / 30);
    const [x, , z] = crowd.position(agent);
    nearest = Math.min(nearest, Math.hypot(x - 20 - step / 6, z - 30));
  }
  assert.ok(nearest > 1, `${nearest}: the cart has driven by, not over it`);
  crowd.free();
  navMesh.free();
});

test('dynamic: an obstacle reads back as it was written', () => {
  const { navMesh, dynamic } = walkmesh.bakeDynamic(level, CONFIG);
  const options = { area: 7, beforeErosion: true, carving: 'at rest', moveThreshold: 0.5, timeToRest: 2 };
  const shapes = [
    { kind: 'box', min: [1, 0, 1], max: [2, 1, 2] }, { kind: 'rotatedBox', centre: [5, 0, 5], halfExtents: [1, 2, 3], yaw: 0.5 },
    { kind: 'cylinder', base: [5, 0, 5], radius: 2, height: 3 }, { kind: 'sphere', centre: [3, 1, 3], radius: 1 },
    { kind: 'capsule', start: [3, 1, 3], end: [5, 1, 3], radius: 1 },
    { kind: 'prism', vertices: Float32Array.of(1, 0, 1, 5, 0, 1, 3, 0, 4), minY: 0, maxY: 2 },
  ];
  for (const shape of shapes) {
    const obstacle = dynamic.addObstacle({ ...shape, ...options });
    assert.deepEqual(dynamic.obstacle(obstacle), { ...shape, ...options, isCarving: true });
  }
  const defaults = dynamic.obstacle(dynamic.addObstacle(shapes[3]));
  assert.deepEqual(defaults, { ...shapes[3], area: 0, beforeErosion: true, carving: 'always', moveThreshold: 0, timeToRest: 0.5, isCarving: true });
  const mud = dynamic.obstacle(dynamic.addObstacle({ ...shapes[3], area: 3, carving: 'at rest' }));
  assert.equal(mud.beforeErosion, false);
  assert.equal(mud.moveThreshold, Math.fround(0.1));
  navMesh.free();
});

test('dynamic: 1,000 obstacles of one frame are all applied, added and moved at once', () => {
  const { navMesh, dynamic } = walkmesh.bakeDynamic(level, CONFIG);
  const random = makeRandom(3).between;
  const positions = Float32Array.from({ length: 3000 }, (_, i) => (i % 3 === 1 ? 0 : Math.fround(random(1, SIDE - 1))));
  const yaws = Float32Array.from({ length: 1000 }, () => random(-3, 3));
  const shape = { kind: 'rotatedBox', centre: [0, 0, 0], halfExtents: [0.3, 1, 0.1], yaw: 0 };
  const handles = dynamic.addObstacles(shape, positions, yaws);
  assert.equal(new Set(handles).size, 1000);
  for (const round of [0, 1]) {
    dynamic.update();
    const expected = bakeWith(walkmesh, level, CONFIG, Array.from(handles, (_, i) => (
      { ...shape, centre: positions.subarray(3 * i, 3 * i + 3), yaw: yaws[i] })));
    assertSameTiles(navMesh, expected, `round ${round}`);
    expected.free();
    if (round === 1) break;
    positions.reverse().forEach((_, i) => { if (i % 3 === 1) positions[i] = 0; });
    dynamic.moveObstacles(handles, positions, yaws.reverse());
  }
  const prisms = dynamic.addObstacles({ kind: 'prism', vertices: [0, 0, 0, 1, 0, 0, 0, 0, 1], minY: 0, maxY: 1 }, [[5, 0, 5], [9, 0.5, 9]]);
  assert.deepEqual([...dynamic.obstacle(prisms[1]).vertices], [8.5, 0.5, 8.5, 9.5, 0.5, 8.5, 8.5, 0.5, 9.5]);
  assert.equal(dynamic.addObstacles(crate(0, 0), []).length, 0);
  navMesh.free();
});

test('dynamic: 10,000 obstacles live on a level of a kilometre', () => {
  const terrain = makeBigTerrain();
  const { navMesh, dynamic } = walkmesh.bakeDynamic(terrain, { cellSize: 1, agentRadius: 1, tileSize: 64 });
  const { boundsMin: low, boundsMax: high } = navMesh.totals;
  const random = makeRandom(5).between;
  const positions = Float32Array.from({ length: 30000 }, (_, i) => (i % 3 === 1 ? low[1] : random(low[i % 3], high[i % 3])));
  const shape = { kind: 'cylinder', base: [0, 0, 0], radius: 2, height: high[1] - low[1] + 5 };
  const handles = dynamic.addObstacles(shape, positions);
  assert.equal(dynamic.obstacleCount, 10000);
  dynamic.update();
  const expected = bakeWith(walkmesh, terrain, { cellSize: 1, agentRadius: 1, tileSize: 64 }, Array.from(handles, (_, i) => (
    { ...shape, base: positions.subarray(3 * i, 3 * i + 3) })));
  assertSameTiles(navMesh, expected, 'all of them');
  expected.free();
  navMesh.free();
});

test('dynamic: there is no cap but memory, and that is an error', async () => {
  const limited = await load({ memoryLimit: 3e6 });
  const { navMesh, dynamic } = limited.bakeDynamic(level, CONFIG);
  let count = 0;
  const positions = Array.from({ length: 3000 }, (_, i) => (i % 3 === 1 ? 0 : 5 + (i * 7) % 50));
  assert.throws(() => {
    for (;;) {
      dynamic.addObstacles(crate(5, 5), positions);
      count += 1000;
    }
  }, { code: 'out-of-memory' });
  assert.equal(dynamic.obstacleCount, count);
  assert.ok(count > 1000);
  dynamic.removeObstacles(dynamic.obstacles());
  dynamic.update();
  const expected = limited.bake(level, CONFIG).navMesh;
  assertSameTiles(navMesh, expected, 'the first tiles');
  navMesh.free();
  expected.free();
});

test('dynamic: whichever allocation fails, nothing is lost and nothing leaks', async () => {
  const own = await load();
  own.bake(level, CONFIG).navMesh.free();
  own.trimMemory();
  const before = own.memory().bytes;
  const prism = { kind: 'prism', vertices: [3, 0, 3, 9, 0, 4, 5, 0, 12], minY: 0, maxY: 2, carving: 'at rest' };
  let failures = 0;
  for (let count = 0, isOver = false; !isOver; count++) {
    let made;
    own.failAllocationsAfter(count);
    try {
      made = own.bakeDynamic(makeGround(12), CONFIG);
      const handles = made.dynamic.addObstacles(prism, [[5, 0, 5], [8, 0, 8]]);
      made.dynamic.moveObstacles(handles, [[6, 0, 5], [8, 0, 6]]);
      made.dynamic.setFocus([[3, 0, 3]]);
      made.dynamic.update({ deltaTime: 1 });
      made.dynamic.removeObstacle(handles[0]);
      isOver = true;
    } catch (error) {
      assert.equal(error.code, 'out-of-memory', error.stack);
      failures++;
    }
    own.failAllocationsAfter(undefined);
    if (made) {
      made.dynamic.removeObstacles(made.dynamic.obstacles());
      made.dynamic.update();
      const expected = own.bake(makeGround(12), CONFIG).navMesh;
      assert.deepEqual(made.navMesh.exportDetour(), expected.exportDetour());
      expected.free();
      made.navMesh.free();
    }
    assert.ok(failures < 4000);
  }
  assert.ok(failures > 50, `${failures}`);
  own.trimMemory();
  assert.equal(own.memory().bytes, before);
});

test('dynamic: the mesh outlives it; tiles may go and come back', async () => {
  const { navMesh, dynamic } = walkmesh.bakeDynamic(level, CONFIG);
  const kept = dynamic.keptTile(2, 2);
  dynamic.dropTile(2, 2);
  assert.equal(navMesh.tileAt(2, 2), 0);
  assert.equal(dynamic.keptTile(2, 2), null);
  dynamic.addObstacle(crate(24, 24));
  dynamic.update();
  assert.equal(navMesh.tileAt(2, 2), 0);
  dynamic.keepTile(2, 2, kept);
  dynamic.update();
  const expected = bakeWith(walkmesh, level, CONFIG, [crate(24, 24)]);
  assertSameTiles(navMesh, expected, 'it is back');
  dynamic.free();
  assert.throws(() => dynamic.update(), { code: 'state' });
  assertSameTiles(navMesh, expected, 'it stays as it is');
  await walkmesh.rebake(navMesh, level, { workers: 0 });
  expected.free();
  navMesh.free();
});

test('dynamic: what was saved goes on where it was; cut and altered bytes are refused', () => {
  const yard = { ...makeGround(30), volumes: [{ kind: 'prism', vertices: [[2, 0, 2], [6, 0, 2], [2, 0, 7]], minY: -1, maxY: 2, area: 5 }],
    offMeshConnections: [{ start: [2, 0, 2], end: [20, 0, 20], radius: 1 }], areaFlags: { 5: 6 } };
  const { navMesh, dynamic } = walkmesh.bakeDynamic(yard, CONFIG);
  const first = navMesh.save();
  const crates = dynamic.addObstacles(crate(0, 0, { carving: 'at rest' }), [[5, 0, 5], [15, 0, 15], [20, 0, 9]]);
  const gone = dynamic.addObstacle(crate(9, 9));
  dynamic.update();
  dynamic.removeObstacle(gone);
  dynamic.moveObstacle(crates[1], [16, 0, 15]);
  dynamic.setFocus([[20, 0, 20]]);
  dynamic.update({ deltaTime: 0.25, tiles: 1 });
  navMesh.save(); // records the inputs of the tiles in the configuration
  const bytes = dynamic.save();
  assert.equal(walkmesh.detectFormat(bytes), 'walkmeshDynamic');
  assert.throws(() => walkmesh.loadNavMesh(bytes), { code: 'unsupported', field: 'file', message: /loadDynamic/ });
  const loaded = walkmesh.loadDynamic(bytes);
  assert.deepEqual(loaded.dynamic.obstacles(), dynamic.obstacles());
  assert.deepEqual(loaded.dynamic.movingObstacles(), dynamic.movingObstacles());
  assert.equal(loaded.dynamic.dirtyTiles, dynamic.dirtyTiles);
  assert.deepEqual(loaded.navMesh.config, navMesh.config);
  const handles = [dynamic, loaded.dynamic].map((each) => {
    each.update({ deltaTime: 0.25 });
    const handle = each.addObstacle({ kind: 'sphere', centre: [8, 0, 20], radius: 2 });
    each.update();
    assert.throws(() => each.obstacle(gone), { code: 'stale-reference' });
    return handle;
  });
  assert.equal(handles[0], handles[1]);
  assertSameTiles(loaded.navMesh, navMesh, 'the same happens to both');
  assert.deepEqual(loaded.navMesh.exportDetour('set64'), navMesh.exportDetour('set64'));
  const again = walkmesh.loadNavMesh(loaded.navMesh.save());
  const isKnown = ({ x, z }) => again.tileHashes.get(again, x, z) !== undefined;
  const known = again.tiles().filter(isKnown).length;
  assert.ok(known < again.tiles().length, 'hashes of tiles that are others now are not passed on');
  for (const each of [dynamic, loaded.dynamic]) {
    each.removeObstacles(each.obstacles());
    each.update();
  }
  assert.deepEqual(navMesh.save(), first, 'without obstacles the first file again');
  assert.deepEqual(loaded.navMesh.save(), first, 'also of what was loaded');
  const noDynamic = navMesh.save();
  const before = walkmesh.memory().bytes;
  for (const length of [0, 7, 100, 184, bytes.length - 8, bytes.length - 1]) {
    assert.throws(() => walkmesh.loadDynamic(bytes.subarray(0, length)), { code: 'corrupt', field: 'file' });
  }
  for (let at = 0; at < bytes.length; at += 37) {
    const altered = bytes.slice();
    altered[at] ^= 8;
    assert.throws(() => walkmesh.loadDynamic(altered), { code: 'corrupt' });
  }
  for (const bad of [null, 'x', [1, 2, 3]]) assert.throws(() => walkmesh.loadDynamic(bad), { code: 'invalid-argument', field: 'bytes' });
  assert.throws(() => walkmesh.loadDynamic(noDynamic), { code: 'unsupported', message: /loadNavMesh/ });
  assert.equal(walkmesh.memory().bytes, before);
  assert.ok(dynamic.cacheBytes > 0);
  dynamic.limitCache(0);
  assert.equal(dynamic.cacheBytes, 0);
  for (const mesh of [navMesh, loaded.navMesh, again]) mesh.free();
});
