/**
 * Exact shortest paths against the visibility graph of all corners (tests/js/shortest/), a sample of what `npm run soak -- --shortest`
 * compares; bounds of costs; slices and batches.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../js/index.js';
import { PATH_STATUSES } from '../../js/query/find-path.js';
import { compareWithGraph, lengthOnPlane } from './shortest/compare.js';
import { FlatMesh } from './shortest/flat-mesh.js';
import { SCENES, TILE_SIZES, fileOf } from './shortest/scenes.js';
import { findCheapWay } from './shortest/subdivision.js';
import { VisibilityGraph } from './shortest/visibility-graph.js';
import { readObj, readScene } from './support.js';
import { makeCase } from './live/scenes.js';
import { toInput } from './live/ours.js';
import { Random } from './live/random.js';

const walkmesh = await load();
const PAIRS = 100;

for (const [i, name] of SCENES.entries()) {
  test(`shortest: paths on ${name} are as short as those of the visibility graph`, () => {
    for (const tileSize of TILE_SIZES) {
      const { navMesh } = walkmesh.bake(readScene(name), { tileSize });
      const found = compareWithGraph(navMesh, { pairs: PAIRS, seed: 100 + i });
      assert.deepEqual(found.faults, []);
      assert.equal(found.pairs, PAIRS);
      navMesh.free();
    }
  });
}

/**
 * Pairs on edges, vertices and borders of tiles whose paths were up to 20 times too long: level, tile size, start, end, the length on x and z.
 * Those on levels of games, which lie beside the repository, are compared where the files are.
 */
const HARD_PAIRS = /** @type {const} */ ([
  ['city', 0, [62.38043212890625, 0.20000000298023224, 191.07130432128906], [104.10456085205078, 1.0760232210159302, 168.25790405273438], 48.214656],
  ['city', 32, [26.270843505859375, 0.3524676263332367, 57.2569465637207], [144.3052520751953, 0.20000000298023224, 105.5999984741211], 129.949091],
  ['terrain', 48, [110.46430206298828, 3.4550728797912598, 110.80713653564453], [90.04974365234375, 6.3855977058410645, 32.849212646484375], 81.017176],
  ['caves', 0, [55.358768463134766, 0.7323457598686218, 27.95284080505371], [54.30000305175781, 0.6000000238418579, 26.100000381469727], 2.134011],
  ['soup', 48, [7.7076873779296875, 8.61401653289795, 5.016959190368652], [7.1450419425964355, 8.5535888671875, 4.876297950744629], 0.579962],
  ['nx_desertfactory', 48, [12.438603401184082, 6.7447919845581055, -7.868772029876709], [37.75120162963867, 8.279999732971191, -54.850746154785156], 72.683426],
  ['oa_shouse', 0, [-2.039997100830078, 9.680000305175781, -29.48041343688965], [-42.82410430908203, 5.339601993560791, 23.175901412963867], 131.383767],
  ['oa_shouse', 32, [34.8955078125, 10.279999732971191, 44.160003662109375], [24.960002899169922, 8.880000114440918, 44.16000747680664], 9.935505],
]);

/** The most pairs of HARD_PAIRS that are on levels of games: all others are always compared. */
const MOST_SKIPPED = 3;

test('shortest: starts on edges, ends on vertices and lines along borders of tiles make no path longer', (context) => {
  const skipped = HARD_PAIRS.filter(([name]) => !fileOf(name)).map(([name, tileSize]) => `${name} ${tileSize}`);
  if (skipped.length > 0) context.diagnostic(`not compared, because their files are missing: ${skipped.join(', ')}`);
  assert.ok(skipped.length <= MOST_SKIPPED, `${skipped.length} of ${HARD_PAIRS.length} pairs would be skipped: ${skipped.join(', ')}`);
  for (const [name, tileSize, start, end, least] of HARD_PAIRS) {
    const file = fileOf(name);
    if (!file) continue;
    const { navMesh } = walkmesh.bake(readObj(file), { tileSize });
    const path = navMesh.findPath(start, end, { shortest: true, halfExtents: [0.01, 0.5, 0.01] });
    assert.ok(Math.abs(lengthOnPlane(path.points) - least) <= 1e-5 * least, `${name} ${tileSize}: ${lengthOnPlane(path.points)}, not ${least}`);
    navMesh.free();
  }
});

test('shortest: paths on random levels are as short as those of the visibility graph', () => {
  let [pairs, levels] = [0, 0];
  for (let seed = 1; seed <= 40; seed++) {
    const { level, config } = makeCase(seed);
    let navMesh;
    try {
      ({ navMesh } = walkmesh.bake(...toInput({ level, config: { ...config, connections: [] } })));
    } catch {
      continue; // the level has no ground
    }
    if (navMesh.totals.polygons > 0) {
      const found = compareWithGraph(navMesh, { pairs: 10, seed, most: 60 });
      assert.deepEqual(found.faults, [], `seed ${seed}`);
      pairs += found.pairs;
      levels++;
    }
    navMesh.free();
  }
  assert.ok(pairs > 100 && levels > 10, `${pairs} pairs on ${levels} levels`);
});

test('shortest: the visibility graph goes around a wall, and turns at both of its corners', () => {
  const wall = { kind: /** @type {const} */ ('box'), min: [9, -1, 4], max: [11, 3, 21], area: 0 };
  const ground = { positions: Float32Array.of(0, 0, 0, 0, 0, 20, 20, 0, 20, 20, 0, 0), indices: Uint32Array.of(0, 1, 2, 0, 2, 3) };
  const { navMesh } = walkmesh.bake({ ...ground, volumes: [wall] }, { cellSize: 0.2, agentRadius: 0 });
  const graph = new VisibilityGraph(navMesh);
  const [a, b] = [navMesh.nearestPoint([2, 0, 18]), navMesh.nearestPoint([18, 0, 18])];
  const length = graph.measure(a.polygon, a.point, b.polygon, b.point);
  const expected = 2 * Math.hypot(7, 14) + 2;
  assert.ok(Math.abs(length - expected) < 0.3, `${length}, not ${expected}`);
  navMesh.free();
});

/** A scene whose polygons have areas of costs 1, 2 and 5 at random. */
function makeAreas(name, tileSize) {
  const { navMesh } = walkmesh.bake(readScene(name), { tileSize });
  const random = new Random(5);
  for (const tile of navMesh.tiles()) for (let p = 0; p < tile.polygons; p++) navMesh.setPolygonArea(tile.ref + p, random.pick([0, 0, 0, 1, 2]));
  const pairs = Array.from({ length: 40 }, () => [navMesh.nearestPoint(pick(navMesh, random)), navMesh.nearestPoint(pick(navMesh, random))]);
  return { navMesh, pairs };
}

function pick(navMesh, random) {
  const triangles = navMesh.triangles(), at = 9 * random.integer(0, triangles.length / 9 - 1);
  return [0, 1, 2].map((axis) => (triangles[at + axis] + triangles[at + 3 + axis] + triangles[at + 6 + axis]) / 3);
}

test('shortest: no way costs less than the bound, and without area costs the bound is the length on x and z', () => {
  const { navMesh, pairs } = makeAreas('plaza', 32);
  const areaCosts = { 1: 2, 2: 5 };
  const cheaper = navMesh.createFilter({ areaCosts });
  const mesh = new FlatMesh(navMesh), costs = mesh.polygons.map(({ ref }) => [1, 2, 5][navMesh.polygonArea(ref)]);
  let [equal, below] = [0, 0];
  for (const [a, b] of pairs) {
    const [plain, shortest, even] = [{ filter: cheaper }, { filter: cheaper, shortest: true }, { shortest: true }].map((options) => navMesh.findPath(a.point, b.point, options));
    assert.equal(plain.bound, 0);
    if (shortest.status !== 'complete') {
      assert.deepEqual([shortest.bound, even.bound], [0, 0]);
      continue;
    }
    assert.ok(shortest.bound > 0 && shortest.bound <= shortest.cost, `${shortest.bound} of ${shortest.cost}`);
    assert.ok(shortest.bound <= findCheapWay(mesh, costs, shortest.start, shortest.end) * (1 + 1e-6));
    assert.ok(shortest.bound <= even.bound * (1 + 1e-5) && shortest.bound >= even.bound * (1 - 1e-5), 'the least cost is 1');
    const length = lengthOnPlane(even.points);
    assert.ok(even.bound <= even.cost && Math.abs(even.bound - length) <= 2e-6 * length + 1e-5, `${even.bound} of ${length}`);
    equal += even.bound >= even.cost * (1 - 2e-6) ? 1 : 0;
    below += shortest.bound < shortest.cost * 0.99 ? 1 : 0;
  }
  assert.ok(equal > 10 && below > 20, `${equal} equal, ${below} below`);
  navMesh.free();
});

test('shortest: costs of areas that no polygon has change nothing', () => {
  const { navMesh } = walkmesh.bake(readScene('plaza'), {});
  const [a, b] = [[2, 0, 2], [38, 0, 38]];
  const path = navMesh.findPath(a, b, { shortest: true });
  const other = navMesh.findPath(a, b, { shortest: true, filter: { areaCosts: { 7: 9, 8: 0.1 } } });
  assert.deepEqual(other, path);
  navMesh.free();
});

test('shortest: slices and batches find the same as single calls', () => {
  const { navMesh, pairs } = makeAreas('plaza', 48);
  for (const filter of [undefined, navMesh.createFilter({ areaCosts: { 1: 2, 2: 5 } })]) {
    const options = { shortest: true, ...(filter && { filter }) };
    const search = navMesh.createSearch();
    let slices = 0;
    for (const [a, b] of pairs) {
      const whole = navMesh.findCorridor(a.polygon, a.point, b.polygon, b.point, options);
      search.begin(a.polygon, a.point, b.polygon, b.point, options);
      while (!search.advance(5)) {
        const { bound, cost, reason } = search.finish();
        assert.ok(reason === 'unfinished' && bound <= cost && bound <= whole.cost);
        slices++;
      }
      const { searched: _, ...rest } = search.finish();
      const { searched: __, ...expected } = whole;
      assert.deepEqual(rest, expected);
    }
    assert.ok(slices > 100);
    search.free();
    const batch = navMesh.findPaths(pairs.map(([a]) => a.point), pairs.map(([, b]) => b.point), options);
    pairs.forEach(([a, b], i) => {
      const path = navMesh.findPath(a.point, b.point, options);
      assert.deepEqual([PATH_STATUSES[batch.states[i]], batch.costs[i], batch.lengths[i]], [path.status, path.cost, path.length]);
    });
  }
  navMesh.free();
});
