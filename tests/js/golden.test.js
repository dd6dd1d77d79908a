// Every scene and case of the golden figures through the public API, in both builds: each array's hash.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { bakeStageArrays } from '../../js/cli/stage-arrays.js';
import { hashBytes } from '../../js/runtime/hash.js';
import { readStageArray } from '../../js/bake/read-stage-array.js';
import { SINGLE_ORDER, TILED_ORDER, exemptFrom } from './golden-cases.js';
import { goldenConfig } from './live/golden.js';
import { TileSoundness } from './live/sound.js';
import { ROOT, loadBoth, readObj, readScene } from './support.js';
import { checkDetailMesh, checkPolygonMesh } from './validity.js';

const SHARED = join(ROOT, '..', 'shared');

const builds = await loadBoth();
const soundness = new TileSoundness(builds[0]);
const tally = { cases: 0, arrays: 0, equal: 0, exempt: 0, exemptButEqual: 0 };
/** @type {Map<string, string[]>} the peer's own error -> the cases exempt from some array on */
const reasons = new Map();

/** True if an array is sound by itself, where no figures exist to compare it with. */
function checkValidity(name, bytes, label) {
  const pieces = name.startsWith('tiles_') ? [] : [bytes];
  for (const piece of pieces) {
    if (name === 'polymesh') checkPolygonMesh(readStageArray('polygonMesh', piece, 0), label);
    if (name === 'detail') checkDetailMesh(readStageArray('detailMesh', piece, 0), label);
    if (name === 'tile') for (const walkmesh of builds) walkmesh.loadNavMesh(piece).free();
  }
}

/**
 * Hashes the arrays of one case, of one build after the other. Bytes equal to those of the previous build reuse their hash:
 * computing it again needed a third of this file's time.
 */
function shareHashes() {
  /** @type {{ bytes: Buffer, hash: string }[]} */
  const known = [];
  return (walkmesh) => {
    let next = 0;
    walkmesh.hash = (/** @type {Uint8Array} */ array) => {
      const bytes = Buffer.from(array.buffer, array.byteOffset, array.length);
      const before = known[next];
      const hash = before?.bytes.equals(bytes) ? before.hash : hashBytes(array);
      known[next++] = { bytes, hash };
      return hash;
    };
  };
}

/** Tiles in Detour's format. @param {Map<string, Uint8Array>} arrays */
function* tilesOf(arrays) {
  if (arrays.has('tile')) yield arrays.get('tile');
  const all = arrays.get('tiles_data') ?? new Uint8Array(0);
  const view = new DataView(all.buffer, all.byteOffset, all.length);
  for (let at = 0; at < all.length;) {
    const length = view.getUint32(at + 8, true);
    yield all.subarray(at + 12, at + 12 + length);
    at += 12 + length;
  }
}

function compareCase(scene, name, level, config, figures) {
  const label = `${scene} ${name}`;
  const tiled = 'tiles_data' in figures.arrays;
  const order = tiled ? TILED_ORDER : SINGLE_ORDER;
  const exempt = exemptFrom(figures.recastErrors, tiled);
  const exemptIndex = exempt === undefined ? order.length : order.indexOf(exempt);
  const shareWith = shareHashes();
  for (const walkmesh of builds) {
    shareWith(walkmesh);
    const build = `${label}, ${walkmesh.simd ? 'SIMD' : 'scalar'}`;
    const arrays = new Map();
    const summary = bakeStageArrays(walkmesh, level, config, (array, bytes) => arrays.set(array, bytes));
    assert.deepEqual(Object.keys(summary.arrays).filter((array) => !figures.arrays[array] && order.indexOf(array) < exemptIndex),
      [], `${build}: arrays that the peer has not`);
    for (const [index, array] of order.entries()) {
      const expected = figures.arrays[array];
      if (!expected) continue;
      tally.arrays++;
      const isEqual = summary.arrays[array]?.fnv1a64 === expected.fnv1a64;
      if (index >= exemptIndex) {
        tally.exempt++;
        if (isEqual) tally.exemptButEqual++;
        assert.ok(arrays.has(array), `${build}: ${array} is missing`);
        checkValidity(array, arrays.get(array), build);
        continue;
      }
      assert.deepEqual(summary.arrays[array], expected, `${build}: ${array}`);
      tally.equal++;
    }
    if (walkmesh === builds[0]) for (const tile of tilesOf(arrays)) soundness.look(tile, config, label);
    const { params } = figures;
    assert.deepEqual(summary.params, params, `${build}: parameters`);
    assert.equal(summary.triangles, figures.triangles, `${build}: triangles`);
    if (tiled && exempt === undefined) {
      const keys = ['tileSize', 'tiles', 'tilesBuilt', 'polys'];
      assert.deepEqual(keys.map((key) => summary[key]), keys.map((key) => figures[key]), `${build}: tiles`);
    }
  }
  tally.cases++;
  for (const reason of Object.keys(figures.recastErrors ?? {})) {
    reasons.set(reason, [...(reasons.get(reason) ?? []), label]);
  }
}

const synthetic = JSON.parse(readFileSync(join(ROOT, 'tests', 'golden', 'synthetic.json'), 'utf8'));
for (const [scene, cases] of Object.entries(synthetic)) {
  const level = readScene(scene);
  for (const [name, figures] of Object.entries(cases)) {
    test(`golden: ${scene} ${name}`, () => {
      const { areaFlags, ...config } = goldenConfig(name);
      compareCase(scene, name, { ...level, areaFlags }, config, figures);
    });
  }
}

const navTest = join(SHARED, 'scenes', 'recast', 'nav_test.obj');
const navTestFigures = join(SHARED, 'golden', 'recast_nav_test.json');
if (existsSync(navTest) && existsSync(navTestFigures)) {
  const level = readObj(navTest);
  for (const [name, figures] of Object.entries(JSON.parse(readFileSync(navTestFigures, 'utf8')).nav_test)) {
    test(`golden: nav_test ${name}`, () => {
      const { areaFlags, ...config } = goldenConfig(name);
      if (name === 'voxel01') Object.assign(config, { cellSize: 0.1, cellHeight: 0.2 / 3 });
      compareCase('nav_test', name, { ...level, areaFlags }, config, figures);
    });
  }
} else {
  test('golden: nav_test', { skip: `no ${navTest}` }, () => {});
}

test('golden: every tile is sound', (t) => {
  t.diagnostic(`${soundness}`);
  assert.deepEqual(soundness.faults, []);
  // One outline of these crosses itself, both in Recast's results and in ours.
  assert.deepEqual(soundness.asRecast, ['caves noradius']);
  assert.ok(soundness.tiles > 500, `${soundness}`);
});

after(() => {
  console.log(`golden figures: ${tally.cases} cases x 2 builds, ${tally.arrays} arrays: ${tally.equal} equal, `
    + `${tally.exempt} exempt (of which ${tally.exemptButEqual} equal all the same)`);
  for (const [reason, labels] of reasons) console.log(`  exempt, "${reason}": ${labels.join(', ')}`);
});
