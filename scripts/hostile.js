/**
 * `npm run hostile`: bakes levels that are made to break the baker, at sizes that double. The result must be a sound mesh on the
 * surface of the level or an error with a code, and time must grow with the size. Prints a table; the exit status is 1 if a mesh
 * isn't sound or an error has no code.
 *
 *   node scripts/hostile.js [--only NAME] [--quick]
 *
 * --only selects levels whose names contain NAME; --quick runs only the smallest size. tests/js/adversarial.test.js bakes small
 * versions with all partitions, in one tile and in several; here each is as large as a single tile can be.
 */
import { parseArgs } from 'node:util';
import * as hurt from '../bench/hurt-levels.js';
import { growthExponent } from '../bench/statistics.js';
import * as levels from '../tests/js/adversarial/levels.js';
import { run, setUp } from './setup.js';

const { values: { only = '', quick = false } } = parseArgs({ options: { only: { type: 'string' }, quick: { type: 'boolean' } } });

/** The unit of the sizes, the sizes, and the level. @type {[string, number[], (size: number) => levels.Level][]} */
const CASES = [
  ['metres of floors that lie in each other', [160, 320, 640], levels.coplanar],
  ['needles over a square', [20000, 40000, 80000], (n) => levels.needles(n / 2)],
  ['needles through one cell', [25000, 50000, 100000], hurt.needles],
  ['rows of a checkerboard of single cells', [250, 500, 1000], (n) => levels.checkerboard(0, n)],
  ['rows of pillars in every other cell', [100, 200, 400], levels.pillars],
  ['steps of one cell', [500, 1000, 2000], levels.oneCellStairs],
  ['turns of a ramp around a core', [50, 100, 200], levels.helix],
  ['cubes of a Menger sponge', [20, 400, 8000], (n) => levels.sponge(Math.round(Math.log(n) / Math.log(20)))],
  ['cells of rough ground', [250000, 1000000, 4000000], (n) => levels.heightfield(2, 1.5, Math.round(Math.sqrt(n) / 2.5))],
  ['cells of spikes', [250000, 1000000, 4000000], (n) => levels.heightfield(3, 6, Math.round(Math.sqrt(n) / 2.5))],
  ['holes in rows', [2500, 5000, 10000], (n) => hurt.holes(n)],
  ['holes strewn about', [2500, 5000, 10000], (n) => hurt.holes(n, true)],
  ['teeth of a comb', [1000, 2000, 4000], (n) => hurt.comb(n, 5)],
  ['teeth of a ragged comb', [1000, 2000, 4000], (n) => hurt.comb(n, 30, { ragged: true })],
  ['cells of a spiral', [50000, 100000, 200000], (n) => hurt.spiral(Math.round(Math.sqrt(2 * n)))],
  ['islands', [2500, 5000, 10000], hurt.islands],
  ['basins that all merge', [5000, 10000, 20000], (n) => hurt.basins(n)],
  ['strips that all merge', [2500, 5000, 10000], hurt.strips],
  ['storeys', [125, 250, 500], hurt.storeys],
  ['cells under two huge triangles', [1000000, 2000000, 4000000], (n) => hurt.hugeTriangles(Math.round(Math.sqrt(n)))],
  ['spans of one column', [8000, 16000, 32000], hurt.column],
  ['turns of a ramp, 1,000 km from the origin', [5, 10, 20], (n) => levels.place(levels.helix(n), { shift: [1e6, 0, -1e6] })],
  ['turns of a ramp of a few millimetres', [50, 100, 200], (n) => levels.place(levels.helix(n), { scale: 1e-3 })],
];

const chosen = CASES.filter(([name]) => name.includes(only));
if (chosen.length === 0) {
  console.error(`hostile: no level is called ${only}: ${CASES.map(([name]) => name).join(', ')}`);
  process.exit(2);
}
setUp({ forTests: true });
run('node', ['wasm/build.js']);
const { NavError, checkNavMesh, load } = await import('../js/index.js');
let failures = 0;

/** @param {levels.Level} level */
async function bake({ geometry, config }) {
  const walkmesh = await load();
  try {
    const [first, second] = [1, 2].map(() => {
      const { navMesh, report } = walkmesh.bake(geometry, config);
      return { navMesh, report };
    });
    const start = performance.now();
    const { isSound, findings } = checkNavMesh(second.navMesh, { geometry });
    const checkMilliseconds = performance.now() - start;
    if (!isSound) failures++;
    const milliseconds = Math.min(first.report.milliseconds, second.report.milliseconds);
    const { polygons } = second.report.counts;
    for (const { navMesh } of [first, second]) navMesh.free();
    return { polygons, milliseconds, checkMilliseconds, outcome: isSound ? 'sound' : `NOT SOUND: ${JSON.stringify(findings[0])}` };
  } catch (error) {
    if (!(error instanceof NavError)) failures++;
    return { polygons: NaN, milliseconds: NaN, checkMilliseconds: NaN,
      outcome: error instanceof NavError ? `refused: ${error.message}` : `NO NAMED ERROR: ${error}` };
  }
}

const list = (/** @type {number[]} */ numbers, digits = 0) => numbers.map((value) => (
  Number.isNaN(value) ? '-' : value.toLocaleString('en', { maximumFractionDigits: digits, minimumFractionDigits: digits }))).join(', ');
console.log('| level, by size | polygons | outcome | bake, ms | exponent | check, ms |\n| --- | ---: | --- | ---: | ---: | ---: |');
for (const [name, sizes, make] of chosen) {
  const taken = quick ? sizes.slice(0, 1) : sizes;
  const results = [];
  for (const size of taken) results.push(await bake(make(size)));
  const baked = results.map(({ milliseconds }, i) => ({ milliseconds, size: taken[i] })).filter(({ milliseconds }) => milliseconds > 0);
  const [first, last] = [baked[0], baked[baked.length - 1]];
  const exponent = baked.length > 1 ? growthExponent(first.size, first.milliseconds, last.size, last.milliseconds).toFixed(2) : '-';
  console.log(`| ${name}: ${list(taken)} | ${list(results.map(({ polygons }) => polygons))} | ${[...new Set(results.map(({ outcome }) => outcome))].join('; ')} `
    + `| ${list(results.map(({ milliseconds }) => milliseconds), 1)} | ${exponent} | ${list(results.map(({ checkMilliseconds }) => checkMilliseconds), 1)} |`);
}
process.exitCode = failures > 0 ? 1 : 0;
