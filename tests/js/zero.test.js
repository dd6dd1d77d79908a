// Signs of zero and numbers near zero on their way into the module, to files and to workers: js/runtime/zero.js, and bounds in C.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadBoth, makeGround } from './support.js';
import { makeRandom } from './random.js';

const builds = await loadBoth();
const [walkmesh] = builds;
const pool = walkmesh.createWorkerPool({ workers: 1 });
test.after(() => pool.free());

/** The smallest float32 above zero, the smallest normal one, and float64 numbers that float32 rounds to zero or to a neighbour. */
const NEAR_ZERO = [0, 0, 2 ** -149, 2 ** -126, 1e-40, 1e-60, Number.MIN_VALUE, 0.1, 1 / 3];

/**
 * A level, its configuration and its changes, in which every zero is one of `zero()`.
 * @param {() => number} zero @param {() => number} near a number near zero, 0 or more
 */
function makeCase(zero, near) {
  const positions = Array.from(makeGround(10).positions, (value) => value === 0 ? zero() : value);
  const point = (x, y, z) => [x, y, z].map((value) => value === 0 ? zero() : value);
  const box = { kind: 'box', min: point(0, 0, 0), max: [2, 1, 2] };
  return {
    level: {
      positions, indices: [0, 1, 2, 0, 2, 3],
      volumes: [{ ...box, area: 3 }, { kind: 'prism', vertices: [...point(0, 0, 0), ...point(0, 0, 3), ...point(3, 0, 3)], minY: zero(), maxY: 1, area: 4 },
        { kind: 'rotatedBox', centre: point(5, 0, 0), halfExtents: [1, 1, 1], yaw: zero(), area: 5 }],
      solids: [{ kind: 'sphere', centre: point(0, 0, 8), radius: 0.5 }, { kind: 'convex', positions: [...point(6, 0, 6), ...point(7, 0, 6), ...point(7, 0, 7), ...point(6, 2, 6)],
        indices: [0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2] }],
      offMeshConnections: [{ start: point(0, 0, 5), end: point(4, 0, 0), radius: 0.5 }],
    },
    config: { cellSize: 0.5, cellHeight: 0.25, tileSize: 16, agentRadius: near(), agentMaxClimb: zero() + 0.5, agentMaxSlope: 45, minRegionSize: zero(),
      mergeRegionSize: near(), maxEdgeLength: zero(), maxEdgeError: near(), detailSampleDistance: zero(), detailMaxError: zero(), bounds: undefined },
    obstacles: [{ kind: 'box', min: point(0, 0, 4), max: [1, 2, 6] }, { kind: 'cylinder', base: point(7, 0, 0), radius: 1, height: 2, moveThreshold: zero(), timeToRest: zero() },
      { kind: 'rotatedBox', centre: point(5, 0, 5), halfExtents: [1, 1, 1], yaw: zero() }],
    moveTo: point(3, 0, 0), connection: { start: point(1, 0, 0), end: point(8, 0, 8), radius: 1, climb: 1 }, focus: point(0, 0, 0),
  };
}

const bytesOf = (navMesh) => Buffer.from(navMesh.save()).toString('base64');

/** Bakes, changes, saves, loads and updates, and returns all bytes on the way. With a pool also in workers. @param {any} instance @param {ReturnType<typeof makeCase>} made */
async function run(instance, { level, config, obstacles, moveTo, connection, focus }, workers) {
  const { navMesh, dynamic } = instance.bakeDynamic(level, config);
  const { navMesh: inWorkers, dynamic: alike } = workers ? await instance.bakeDynamicAsync(level, config, { workers }) : instance.bakeDynamic(level, config);
  const all = [bytesOf(navMesh), bytesOf(inWorkers), bytesOf(dynamic)];
  assert.equal(all[0], all[1]);
  for (const each of [dynamic, alike]) {
    each.setFocus([focus]);
    const [first, , turned] = obstacles.map((obstacle) => each.addObstacle(obstacle));
    each.addObstacles(obstacles[0], [moveTo, [4, 0, 4]]);
    each.moveObstacle(first, moveTo);
    each.moveObstacle(turned, moveTo, moveTo[1]);
  }
  dynamic.update();
  await alike.updateAsync(workers ? { workers } : {});
  all.push(bytesOf(dynamic), bytesOf(alike));
  assert.equal(all[3], all[4], 'in workers as here');
  const loaded = instance.loadDynamic(dynamic.save());
  loaded.dynamic.update();
  all.push(bytesOf(loaded.dynamic));
  assert.equal(all[5], all[3], 'loaded and saved again');
  const ref = navMesh.addConnection(connection);
  all.push(bytesOf(navMesh));
  const again = instance.loadNavMesh(navMesh.save());
  assert.equal(bytesOf(again), all[6]);
  navMesh.removeConnection(ref);
  for (const mesh of [navMesh, inWorkers, loaded.navMesh, again]) mesh.free();
  return all;
}

for (const [index, instance] of builds.entries()) {
  test(`zero: -0 gives the bytes of 0, in files, in workers and after loading, build ${index}`, async () => {
    const near = () => 0;
    const expected = await run(instance, makeCase(() => 0, near), undefined);
    assert.deepEqual(await run(instance, makeCase(() => -0, () => -0), index === 0 ? pool : undefined), expected);
    assert.deepEqual(await run(builds[0], makeCase(() => 0, near), undefined), expected, 'both builds agree');
  });
}

test('zero: any mixture of signs of zero and numbers near zero is saved, loaded and updated, seeds 1 to 12', async () => {
  for (let seed = 1; seed <= 12; seed++) {
    const { below } = makeRandom(seed);
    const draws = Array.from({ length: 400 }, () => below(2)), sizes = Array.from({ length: 40 }, () => NEAR_ZERO[below(NEAR_ZERO.length)]);
    const make = (signed) => {
      let [draw, size] = [0, 0];
      const sign = () => signed && draws[draw++] ? -1 : 1;
      return makeCase(() => sign() * 0, () => sizes[size++] || sign() * 0);
    };
    assert.deepEqual(await run(walkmesh, make(true), seed <= 3 ? pool : undefined), await run(walkmesh, make(false), undefined), `seed ${seed}`);
  }
});

test('zero: bounds of -0 in the configuration, and in a level from text, as an exporter writes it', async () => {
  for (const instance of builds) {
    const { parseObj } = await import('../../js/level/index.js');
    const text = (zero) => `v ${zero} ${zero} ${zero}\nv ${zero} ${zero} 10\nv 10 ${zero} 10\nv 10 ${zero} ${zero}\nf 1 2 3 4\n`;
    const config = (zero) => ({ cellSize: 0.5, tileSize: 16, bounds: { min: [zero, zero - 1, zero], max: [10, 1, 10] } });
    const save = (zero, level, given) => {
      const { navMesh, dynamic } = instance.bakeDynamic(level, given);
      const saved = dynamic.save();
      const loaded = instance.loadDynamic(saved);
      assert.deepEqual(loaded.dynamic.save(), saved);
      for (const mesh of [navMesh, loaded.navMesh]) mesh.free();
      return saved;
    };
    const level = (zero) => parseObj(text(zero === 0 && Object.is(zero, -0) ? '-0.000000' : '0.000000'));
    for (const without of [false, true]) {
      const one = (zero) => save(zero, level(zero), without ? { cellSize: 0.5, tileSize: 16 } : config(zero));
      assert.deepEqual(one(-0), one(0));
    }
  }
});

test('zero: the hashes of tiles, and so caches and rebakes, do not depend on signs of zero', async () => {
  const { level, config } = makeCase(() => -0, () => 0), plain = makeCase(() => 0, () => 0);
  const { navMesh } = walkmesh.bake(level, config);
  const { report } = await walkmesh.rebake(navMesh, plain.level, { workers: 0 });
  assert.equal(report.tiles.kept, report.tiles.x * report.tiles.z);
  const [one, other] = [walkmesh.createBaker(level, config), walkmesh.createBaker(plain.level, plain.config)];
  assert.equal(one.hashTile(0, 0), other.hashTile(0, 0));
  for (const owner of [navMesh, one, other]) owner.free();
});
