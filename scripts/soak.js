/**
 * `npm run soak`: random use of the whole package for an hour, in Node or in a page: completed and aborted bakes, obstacles,
 * tiles that are added and removed, crowds, queries, valid and corrupt files, exhausted memory, objects that are freed in any
 * order or never. Memory use must stay constant: see docs/soak.md.
 *
 *   node scripts/soak.js [--minutes 60] [--seed 1] [--browser] [--scalar] [--only CHORE] [--out NAME]    rows and a chart in out/
 *   node scripts/soak.js --levels [--count 5000] [--seed 1] [--scalar]     random levels, compared with recast-navigation bit by bit
 *   node scripts/soak.js --queries [--count 1000 scenes] [--seed 1] [--scalar]     answers on random levels (tests/js/live/queries.js)
 *   node scripts/soak.js --shortest [--count 300 pairs] [--seed 1] [--scalar]     shortest paths on all scenes and levels of games,
 *                                    compared with the visibility graph of their corners (tests/js/shortest/)
 *   node scripts/soak.js --links [--count 300 levels] [--seed 1] [--scalar]     links that make themselves on random levels, judged by
 *                                    the oracles of precision, recall and paths (tests/js/links/)
 *   node scripts/soak.js --edits [--count 300 sequences] [--seed 1] [--scalar]     links after random obstacles, rebakes and streamed tiles,
 *                                    compared with those of a new generation (tests/js/links/incremental.js)
 *   node scripts/soak.js --crowd [--count 100000 steps] [--seed 1] [--scalar]     500 agents on a dynamic level, natively
 *                                    (tests/c/crowd_soak.h) and in WebAssembly (tests/js/crowd-soak.js); and 2,000 mazes of lanes
 *                                    (tests/c/crowd_progress_test.c)
 *   node scripts/soak.js --leaks     500 tiled bakes, 10,000 queries of each kind, 100,000 failed calls: fails if any of them leaks
 *
 * --leak-heap BYTES and --leak-module 1 leak in each cycle, to test the detection. Exit status 1 if a check fails.
 */
import { parseArgs } from 'node:util';
import { run, setUp } from './setup.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    browser: { type: 'boolean', default: false },
    only: { type: 'string' },
    out: { type: 'string' },
    'leak-heap': { type: 'string', default: '0' },
    'leak-module': { type: 'string', default: '0' },
    levels: { type: 'boolean', default: false },
    queries: { type: 'boolean', default: false },
    shortest: { type: 'boolean', default: false },
    links: { type: 'boolean', default: false },
    edits: { type: 'boolean', default: false },
    count: { type: 'string' },
    seed: { type: 'string', default: '1' },
    scalar: { type: 'boolean', default: false },
    leaks: { type: 'boolean', default: false },
    crowd: { type: 'boolean', default: false },
  },
});
const [count, firstSeed] = [Number(values.count ?? (values.crowd ? 100000 : values.queries ? 1000 : values.shortest || values.links || values.edits ? 300 : 5000)), Number(values.seed)];
if (!Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(firstSeed) || firstSeed < 0) {
  console.error('soak: --count and --seed must be whole numbers');
  process.exit(2);
}

const [minutes, leak] = [Number(values.minutes), { heap: Number(values['leak-heap']), module: Number(values['leak-module']) }];
if (!(minutes > 0) || !Object.values(leak).every((bytes) => bytes >= 0)) {
  console.error('soak: --minutes must be above 0, leaks numbers of bytes');
  process.exit(2);
}

setUp();
run('node', ['wasm/build.js']);
if (values.leaks) await reportLeaks();
if (values.crowd) await soakCrowds();
if (values.shortest) await compareShortest();
if (values.links) await judgeLinks();
if (values.edits) await compareEdits();
if (!values.queries && !values.levels) await soakLife();
const compare = values.queries ? (await import('../tests/js/live/queries.js')).compareQueries
  : (await import('../tests/js/live/run.js')).compareSeeds;

const start = performance.now();
const tally = await compare({ firstSeed, count, scalar: values.scalar, onOutcome: showProgress });
if (tally === null) {
  console.error('soak: recast-navigation is not installed (npm ci)');
  process.exit(1);
}
process.stderr.write('\n');
console.log(tally.toTable());
if (tally.soundness) console.log(`${tally.soundness}`);
for (const fault of tally.soundness?.faults ?? []) console.log(fault);
console.log(`${((performance.now() - start) / 1000).toFixed(0)} s`);
process.exitCode = [...(values.queries ? tally.faults : tally.different), ...(tally.soundness?.faults ?? [])].length > 0 ? 1 : 0;

function showProgress(outcome, done) {
  if (outcome.status === 'different') console.log(`\nseed ${outcome.seed}: ${outcome.detail}`);
  for (const fault of outcome.faults ?? []) console.log(`\nseed ${outcome.seed}: ${fault}`);
  if (done % 50 === 0 || done === count) {
    const seconds = (performance.now() - start) / 1000;
    const left = Math.round((seconds / done) * (count - done));
    process.stderr.write(`\r${done} / ${count} levels, ${seconds.toFixed(0)} s, ${left} s left   `);
  }
}

/** Runs the random soak; ends the program. */
async function soakLife() {
  const { runLife } = await import('./soak/life.js');
  const open = values.browser ? (await import('./soak/page-host.js')).openPageHost : (await import('./soak/node-host.js')).openNodeHost;
  const where = values.browser ? 'Chromium' : 'Node';
  const host = await open({ seed: firstSeed, scalar: values.scalar, leak, ...(values.only !== undefined && { only: values.only }) });
  const faults = await runLife(host, { name: values.out ?? `soak-${where.toLowerCase()}`, minutes, seed: firstSeed,
    title: `Random use in ${where}, seed ${firstSeed}${values.scalar ? ', without SIMD' : ''}` });
  await host.close();
  for (const fault of faults) console.log(`WRONG: ${fault}`);
  console.log(faults.length > 0 ? 'something was left behind' : 'nothing was left behind');
  process.exit(faults.length > 0 ? 1 : 0);
}

/** Prints the bytes that each kind of work left behind, and ends the program. */
async function reportLeaks() {
  const { findLeaks, judge } = await import('../tests/js/leaks.js');
  const columns = ['calls', 'wasmBytes', 'bytes', 'heapBytes', 'steadyHeapBytes', 'retained'];
  console.log(`${'after the tenth round'.padEnd(24)}${columns.map((column) => column.padStart(16)).join('')}${'seconds'.padStart(9)}`);
  const verdicts = [];
  await findLeaks([], (finding) => {
    verdicts.push(judge(finding));
    console.log(finding.name.padEnd(24) + columns.map((column) => String(finding[column]).padStart(16)).join('')
      + finding.seconds.toFixed(1).padStart(9));
  });
  const leaks = verdicts.filter((verdict) => verdict !== undefined);
  for (const leak of leaks) console.log(`LEAK: ${leak}`);
  process.exit(leaks.length > 0 ? 1 : 0);
}

/** Compares shortest paths with the visibility graph; ends the program. */
async function compareShortest() {
  const { compareScenes } = await import('../tests/js/shortest/scenes.js');
  const faults = await compareScenes({ pairs: count, seed: firstSeed, simd: !values.scalar, onRow: (row) => console.log(row) });
  for (const fault of faults) console.log(`WRONG: ${fault}`);
  process.exit(faults.length > 0 ? 1 : 0);
}

/** Judges links that make themselves; ends the program. */
async function judgeLinks() {
  const { judgeSeeds } = await import('../tests/js/links/soak.js');
  const faults = await judgeSeeds({ count, firstSeed, simd: !values.scalar, onRow: (row) => console.log(row) });
  for (const fault of faults) console.log(`WRONG: ${fault}`);
  process.exit(faults.length > 0 ? 1 : 0);
}

/** Compares links after random edits with those of a new generation; ends the program. */
async function compareEdits() {
  const [{ load }, { compareSequences }] = await Promise.all([import('../js/index.js'), import('../tests/js/links/incremental.js')]);
  const { faults, links } = await compareSequences(await load({ simd: !values.scalar, leakWarnings: false }), { count, firstSeed });
  console.log(`${count} sequences: ${links} links at their ends`);
  for (const fault of faults) console.log(`WRONG: ${fault}`);
  process.exit(faults.length > 0 ? 1 : 0);
}

/** Runs crowds for many steps, natively and as WebAssembly; ends the program. */
async function soakCrowds() {
  const build = 'build/soak';
  run('cmake', ['-S', '.', '-B', build, '-DCMAKE_BUILD_TYPE=Release']);
  run('cmake', ['--build', build, '--target', 'crowd_soak', 'walkmesh_tests']);
  console.log('\nnatively');
  run(`${build}/crowd_soak`, [String(count), '500', String(firstSeed)]);
  console.log('\n2,000 mazes of lanes');
  run(`${build}/walkmesh_tests`, ['crowd_progress_test'], { WALKMESH_MAZES: '2000' });
  const [{ load }, { CrowdSoak }] = await Promise.all([import('../js/index.js'), import('../tests/js/crowd-soak.js')]);
  const soak = new CrowdSoak(await load({ simd: !values.scalar }), { seed: firstSeed });
  const columns = /** @type {const} */ (['steps', 'stuck', 'offMesh', 'bytes', 'wasmBytes', 'heapBytes']);
  console.log(`\nWebAssembly, ${values.scalar ? 'scalar' : 'SIMD'}\n${columns.map((column) => column.padStart(12)).join('')}${'seconds'.padStart(10)}`);
  const reports = [];
  const start = performance.now();
  for (let part = 1; part <= 10; part++) {
    for (let i = Math.round((count * (part - 1)) / 10); i < Math.round((count * part) / 10); i++) {
      soak.disturb();
      soak.step();
    }
    const report = soak.calm(120);
    reports.push(report);
    console.log(columns.map((column) => String(report[column]).padStart(12)).join('') + ((performance.now() - start) / 1000).toFixed(0).padStart(10));
  }
  const [middle, last] = [reports[4], reports[9]];
  const hasGrown = last.wasmBytes > middle.wasmBytes || last.bytes > 1.02 * middle.bytes;
  if (hasGrown) console.log('memory has GROWN');
  process.exit(last.stuck > 0 || hasGrown ? 1 : 0);
}
