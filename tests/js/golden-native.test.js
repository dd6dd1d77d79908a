// The golden figures natively: the builds of gcc and of clang, which has sanitizers, print every array's hash (tests/c/stages_native.c).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { SINGLE_ORDER, TILED_ORDER, exemptFrom } from './golden-cases.js';
import { goldenConfig } from './live/golden.js';
import { TileSoundness } from './live/sound.js';
import { DEFAULTS } from './live/voxels.js';
import { ROOT, makeFolder } from './support.js';

/** @type {[string, string][]} names, and programs in build/ */
const BUILDS = [['gcc', 'test-gcc/stages_native'], ['gcc-without-SIMD', 'test-gcc/stages_native_scalar'],
  ['clang-sanitizers', 'test-clang-sanitizers/stages_native']];
/** Cases that repeat smaller ones with more cells, and take two thirds of the time: the build with gcc has all of them. */
const LARGE = { 'gcc-without-SIMD': ['fine', 'tiled32fine'], 'clang-sanitizers': ['fine', 'tiled32fine', 'small', 'voxel01'] };
const tally = { cases: 0, equal: 0, exempt: 0 };

/** Lines "NAME BYTES HASH" as { NAME: { bytes, fnv1a64 } }. */
function bakeNatively(program, level, config) {
  const fields = Object.entries(config).map(([name, value]) => `${name}=${value}`);
  const result = spawnSync(program, [level, ...fields], { cwd: ROOT, encoding: 'utf8' });
  assert.equal(result.status, 0, result.stderr);
  return Object.fromEntries(result.stdout.trim().split('\n').map((line) => {
    const [name, bytes, fnv1a64] = line.split(' ');
    return [name, { bytes: Number(bytes), fnv1a64 }];
  }));
}

function compareCase(program, label, level, config, figures) {
  const order = 'tiles_data' in figures.arrays ? TILED_ORDER : SINGLE_ORDER;
  const exempt = exemptFrom(figures.recastErrors, order === TILED_ORDER);
  const exemptIndex = exempt === undefined ? order.length : order.indexOf(exempt);
  const arrays = bakeNatively(program, level, config);
  tally.cases++;
  for (const [index, name] of order.entries()) {
    const expected = figures.arrays[name];
    if (!expected) continue;
    assert.ok(arrays[name], `${label}: ${name} is missing`);
    if (index >= exemptIndex) {
      tally.exempt++;
      continue;
    }
    assert.equal(arrays[name].fnv1a64, expected.fnv1a64, `${label}: ${name}`);
    tally.equal++;
  }
}

const synthetic = JSON.parse(readFileSync(join(ROOT, 'tests', 'golden', 'synthetic.json'), 'utf8'));
const shared = join(ROOT, '..', 'shared');
const navTest = join(shared, 'scenes', 'recast', 'nav_test.obj');
const levels = Object.entries(synthetic).map(([scene, cases]) => ({ scene, cases, path: `tests/scenes/${scene}.obj` }));
if (existsSync(navTest)) {
  const figures = JSON.parse(readFileSync(join(shared, 'golden', 'recast_nav_test.json'), 'utf8'));
  levels.push({ scene: 'nav_test', cases: figures.nav_test, path: navTest });
}

for (const [build, path] of BUILDS) {
  const program = join(ROOT, 'build', path);
  const skip = existsSync(program) ? false : `no native build of ${build}: npm test makes it`;
  for (const { scene, cases, path } of levels) {
    test(`golden, native ${build}: ${scene}`, { skip }, () => {
      for (const [name, figures] of Object.entries(cases)) {
        if (LARGE[build]?.includes(name)) continue;
        const { areaFlags, ...config } = goldenConfig(name);
        if (name === 'voxel01') Object.assign(config, { cellSize: 0.1, cellHeight: 0.2 / 3 });
        compareCase(program, `${scene} ${name}`, path, config, figures);
      }
    });
  }
}

// golden.test.js checks the tiles of tests/scenes: they have the same bytes.
test('the random levels of the C tests, natively: every tile is sound', async (context) => {
  const program = BUILDS.map(([, path]) => join(ROOT, 'build', path)).find(existsSync);
  if (!program) return context.skip('no native build: npm test makes it');
  const soundness = await TileSoundness.create();
  const folder = makeFolder(context);
  for (let seed = 1; seed <= 24; seed++) {
    const config = { partition: ['watershed', 'monotone', 'layers', 'chunky'][seed % 4], cellSize: seed % 3 ? 0.3 : 0.2 };
    const dump = join(folder, `${seed}`);
    mkdirSync(dump);
    bakeNatively(program, `random:${seed}`, { ...config, dump });
    const tile = join(dump, 'tile.bin');
    if (existsSync(tile)) soundness.look(readFileSync(tile), { ...DEFAULTS, ...config }, `random:${seed}`);
  }
  context.diagnostic(`${soundness}`);
  assert.deepEqual(soundness.faults, []);
  assert.ok(soundness.tiles === 24 && soundness.asRecast.length === 0, `${soundness}`);
  return undefined;
});

after(() => console.log(`golden figures, native: ${tally.cases} cases, ${tally.equal} arrays equal, ${tally.exempt} exempt`));
