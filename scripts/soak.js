/**
 * `npm run soak`: compares many random levels with recast-navigation, array by array and bit by bit; with --queries
 * the answers to questions on meshes of random levels (tests/js/live/queries.js).
 *
 *   node scripts/soak.js [--queries] [--count 5000, or 1000 scenes] [--seed 1] [--scalar]
 *   node scripts/soak.js --crowd [--count 100000 steps] [--seed 1] [--scalar]     500 agents on a level where everything changes, natively
 *                                    (tests/c/crowd_soak.h) and in WebAssembly (tests/js/crowd-soak.js)
 *   node scripts/soak.js --leaks     500 tiled bakes, 10,000 questions of each kind, 100,000 failed calls: does anything leak?
 *
 * Prints progress, every difference that nobody can explain, and a table at the end. Exit status 1 when
 * there was such a difference.
 */
import { parseArgs } from 'node:util';
import { run, setUp } from './setup.js';

const { values } = parseArgs({
  options: {
    queries: { type: 'boolean', default: false },
    count: { type: 'string' },
    seed: { type: 'string', default: '1' },
    scalar: { type: 'boolean', default: false },
    leaks: { type: 'boolean', default: false },
    crowd: { type: 'boolean', default: false },
  },
});
const [count, firstSeed] = [Number(values.count ?? (values.crowd ? 100000 : values.queries ? 1000 : 5000)), Number(values.seed)];
if (!Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(firstSeed) || firstSeed < 0) {
  console.error('soak: --count and --seed must be whole numbers');
  process.exit(2);
}

setUp();
run('node', ['wasm/build.js']);
if (values.leaks) await reportLeaks();
if (values.crowd) await soakCrowds();
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
console.log(`${((performance.now() - start) / 1000).toFixed(0)} s`);
process.exitCode = (values.queries ? tally.faults : tally.different).length > 0 ? 1 : 0;

function showProgress(outcome, done) {
  if (outcome.status === 'different') console.log(`\nseed ${outcome.seed}: ${outcome.detail}`);
  for (const fault of outcome.faults ?? []) console.log(`\nseed ${outcome.seed}: ${fault}`);
  if (done % 50 === 0 || done === count) {
    const seconds = (performance.now() - start) / 1000;
    const left = Math.round((seconds / done) * (count - done));
    process.stderr.write(`\r${done} / ${count} levels, ${seconds.toFixed(0)} s, ${left} s left   `);
  }
}

/** Prints what each kind of work left behind, and ends the program. */
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

/** Crowds that live long, natively and here; ends the program. */
async function soakCrowds() {
  const build = 'build/soak';
  run('cmake', ['-S', '.', '-B', build, '-DCMAKE_BUILD_TYPE=Release']);
  run('cmake', ['--build', build, '--target', 'crowd_soak']);
  console.log('\nnatively');
  run(`${build}/crowd_soak`, [String(count), '500', String(firstSeed)]);
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
