/**
 * The live comparison with recast-navigation: random levels, every array bit by bit (tests/js/live/compare.js).
 * `npm run soak -- --levels` compares more levels.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BITTEN, bittenFloor } from './bitten-floor.js';
import { compareCase } from './live/compare.js';
import { Field, contourOracle } from './live/contour_oracle.js';
import { ARRAY_STAGES, goldenConfig, goldenLevel, readGolden } from './live/golden.js';
import { hashBytes } from './live/hash.js';
import { loadOurs } from './live/ours.js';
import { PeerBake, loadPeer, renewPeer, verifyLayout } from './live/peer.js';
import { Random } from './live/random.js';
import { compareSeeds } from './live/run.js';
import { makeCase } from './live/scenes.js';
import { smoothSort, stableSort } from './live/sorting.js';
import { buildTree, polygonBoxes, tileSections } from './live/tile.js';
import { DEFAULTS, boundsOf, tileGrid, toVoxels } from './live/voxels.js';

const SEEDS = { firstSeed: 1, count: 130 };

/** Cases that once differed, or that show a rare finding, each with its finding. */
const KNOWN_SEEDS = {
  223: 'a hole of one cell is taken for an outline by the peer',
  605: 'a hole finds no place to join',
  20540: 'polygons of a ring that the peer fails to triangulate move others at the border of a tile',
  984: "more strips in a row than the peer's row sweeps have room for",
  3094: 'erosion where most links of the first rows are straight',
  92873: 'rows as narrow as the blocks that distances are swept in',
  94480: 'heights of detail vertices far from their region',
  94592: 'heights of detail vertices far from their region',
  5366: 'a polygon fewer than the peer makes of the same contours',
};

/** Cases whose golden arrays the driver must reproduce: each partition, stacked and flat levels, holes. */
const DRIVER_CASES = [
  ['plaza', 'default'], ['plaza', 'small'], ['maze', 'monotone'], ['tower', 'layers'], ['tower', 'default'],
  ['stairs', 'coarse'], ['islands', 'noradius'], ['soup', 'small'], ['caves', 'layers'],
];

const peer = await loadPeer();
const golden = readGolden();
const skip = peer === null ? 'recast-navigation is not installed' : golden === null && 'no golden figures';

for (const [scene, name] of DRIVER_CASES) {
  test(`the driver reads recast-navigation's arrays: ${scene} ${name}`, { skip }, async () => {
    await renewPeer(peer);
    const level = goldenLevel(scene);
    const config = { ...DEFAULTS, ...goldenConfig(name) };
    const bounds = boundsOf(level.positions);
    const voxels = toVoxels(config, bounds);
    const grid = tileGrid(config, voxels, bounds, 0, 0);
    const bake = new PeerBake(peer, level, config, voxels, grid);
    const figures = golden[scene][name].arrays;
    for (const [array, stage] of ARRAY_STAGES) {
      bake.run(stage);
      if (array === 'contours') useOurContours(bake, voxels, figures.contours.fnv1a64);
      if (array === 'tile') useOurTree(bake);
      if (figures[array]) assert.equal(hashBytes(bake.dump(array)), figures[array].fnv1a64, array);
    }
    assert.deepEqual(verifyLayout(bake), []);
    bake.free();
  });
}

/** The peer's contours follow from our rules with its sort and slip, the golden ones from our rules alone. */
function useOurContours(bake, voxels, hash) {
  const field = new Field(bake.grid.width, bake.grid.depth, bake.dump('compact'), bake.dump('areas_marked'),
    bake.dump('regions'));
  const settings = { maxError: bake.config.maxEdgeError, maxEdgeCells: voxels.maxEdgeCells, borderSize: 0 };
  assert.deepEqual(contourOracle(field, settings, { sort: smoothSort, slip: true }), bake.dump('contours'));
  const ours = contourOracle(field, settings);
  assert.equal(hashBytes(ours), hash);
  bake.injectContours(ours);
}

/** The peer's tree follows from its sort; ours replaces it. */
function useOurTree(bake) {
  const sections = tileSections(bake.tileBytes);
  const items = polygonBoxes(sections.get('header'), bake.dump('detail'));
  assert.deepEqual(buildTree(items, smoothSort), sections.get('tree'));
  sections.get('tree').set(buildTree(items));
}

test('random levels follow from their seed', () => {
  assert.deepEqual(makeCase(17), makeCase(17));
  assert.notDeepEqual(makeCase(17).level, makeCase(18).level);
});

test('both sorts sort, and the stable one keeps the order of ties', () => {
  const random = new Random(5);
  for (let round = 0; round < 300; round++) {
    const keys = Array.from({ length: random.integer(0, 60) }, (_, at) => ({ key: random.integer(0, 9), at }));
    const [stable, smooth] = [[...keys], [...keys]];
    stableSort(stable, (a, b) => a.key - b.key);
    smoothSort(smooth, (a, b) => a.key - b.key);
    assert.deepEqual(smooth.map(({ key }) => key), stable.map(({ key }) => key));
    assert.deepEqual([...smooth].sort((a, b) => a.at - b.at), keys);
    assert.ok(stable.every((item, i) => i === 0 || stable[i - 1].key < item.key || stable[i - 1].at < item.at));
  }
});

for (const scalar of [false, true]) {
  const count = scalar ? 40 : SEEDS.count;
  const title = `${count} random levels equal recast-navigation's, bit by bit${scalar ? ' (without SIMD)' : ''}`;
  test(title, { skip: peer === null ? 'recast-navigation is not installed' : false }, async (t) => {
    const tally = await compareSeeds({ ...SEEDS, count, scalar });
    for (const row of tally.toTable().split('\n')) t.diagnostic(row);
    const faults = tally.different.map(({ seed, detail }) => `seed ${seed}: ${detail}`);
    assert.deepEqual(faults, []);
    t.diagnostic(`${tally.soundness}`);
    assert.deepEqual(tally.soundness.faults, []);
    assert.ok(tally.soundness.asRecast.length < tally.soundness.tiles / 50, `${tally.soundness}`);
    assert.ok(tally.withPolygons > count / 2, 'most levels have polygons');
    assert.ok((tally.statuses.get('refused') ?? 0) <= count / 50, 'few levels are refused');
  });
}

test('one changed byte in any array is found', { skip: peer === null && 'recast-navigation is not installed' }, async () => {
  const bakeOurs = await loadOurs();
  const seed = 6; // a level with every array
  for (const [name] of ARRAY_STAGES) {
    const changed = (...input) => {
      const { arrays } = bakeOurs(...input);
      assert.ok(arrays.get(name).length > 0, `${name} is there`);
      arrays.get(name)[arrays.get(name).length >> 1] ^= 1;
      return { arrays };
    };
    const outcome = await compareCase(peer, changed, makeCase(seed));
    assert.equal(outcome.status, 'different', name);
  }
});

for (const [seed, title] of Object.entries(KNOWN_SEEDS)) {
  test(`level ${seed}: ${title}`, { skip: peer === null && 'recast-navigation is not installed' }, async () => {
    const tally = await compareSeeds({ firstSeed: Number(seed), count: 1 });
    assert.deepEqual(tally.different.map(({ detail }) => detail), []);
  });
}

test('a height that the peer does not find', { skip: peer === null && 'recast-navigation is not installed' }, async () => {
  await renewPeer(peer);
  const { arrays, status, detail } = await compareCase(peer, await loadOurs(), { seed: 0, level: bittenFloor(), config: { ...DEFAULTS, ...BITTEN } });
  assert.equal(status, 'explained', detail);
  assert.equal(arrays.get('detail'), "peer's lost height");
});
