/**
 * `npm run attack`: hostile calls of every public function, changed files of every format, faulty workers, and the command line on
 * full disks. Prints a table for docs/evidence.md; the exit status is 1 if anything failed. Takes about an hour on two processors.
 *
 *   node scripts/attack.js [--calls N] [--files N] [--seed N] [--only NAME]
 *
 * --calls and --files: cases, and files of each format, default 100000 and 20000; 0: none. --only selects formats, and functions, whose
 * names contain NAME. A failure names its seed and its case; tests/attack/ runs a small number of the same in `npm test`.
 */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { ROOT } from './setup.js';

const { values } = parseArgs({ options: { calls: { type: 'string', default: '100000' }, files: { type: 'string', default: '20000' },
  seed: { type: 'string', default: '2' }, only: { type: 'string', default: '' } } });
const [calls, files, seed] = [Number(values.calls), Number(values.files), Number(values.seed)];
const only = /** @type {string} */ (values.only);
/** Seconds that a call, or a file with all that is done with it, may take. */
const LONGEST = 5;

const { attackCalls } = await import('../tests/attack/calls.js');
const { attackFiles } = await import('../tests/attack/files.js');
const { FORMATS } = await import('../tests/attack/formats.js');
const { readTargets } = await import('../tests/attack/targets.js');

/** @typedef {{ what: string, cases: number, seconds: number, failures: import('../tests/attack/watch.js').FoundFailure[] }} Row */
/** @type {Row[]} */
const rows = [];

/** @param {string} what @param {number} cases @param {() => Promise<Row['failures']>} run */
async function measure(what, cases, run) {
  const start = performance.now();
  const failures = await run();
  rows.push({ what, cases, failures, seconds: (performance.now() - start) / 1000 });
  console.error(`${what}: ${cases} cases, ${failures.length} failures`);
  for (const { id, symptom, message, index } of failures.slice(0, 50)) console.error(`  case ${index}, ${id}: ${symptom}: ${message}`);
}

/** A file of tests, as one row. @param {string} what @param {string} file */
async function runTests(what, file) {
  const start = performance.now();
  const { stdout } = spawnSync(process.execPath, ['--test', '--test-reporter=tap', file], { cwd: ROOT, encoding: 'utf8' });
  const count = (/** @type {string} */ word) => Number(new RegExp(`^# ${word} (\\d+)$`, 'm').exec(stdout)?.[1] ?? 0);
  const failed = Math.max(count('fail'), count('tests') === 0 ? 1 : 0);
  const failures = Array.from({ length: failed }, (_, index) => ({ id: file, symptom: 'a test failed', message: '', index }));
  rows.push({ what, cases: count('tests'), failures, seconds: (performance.now() - start) / 1000 });
}

const { targets, functions } = readTargets();
const chosen = targets.filter(({ id }) => id.includes(only));
const formats = Object.keys(FORMATS).filter((name) => name.includes(only));
if (calls > 0 && chosen.length > 0) {
  await measure(only ? `hostile calls of functions called ${only}` : `hostile calls of ${functions} functions`, calls,
    () => attackCalls({ targets: chosen, seed, count: calls, longest: LONGEST }));
}
for (const format of files > 0 ? formats : []) await measure(`changed files: ${format}`, files, () => attackFiles({ formats: [format], seed, count: files, longest: LONGEST }));
if (!only) {
  await runTests('faults of workers, pools that are freed (tests)', 'tests/attack/workers.test.js');
  await runTests('the command line: full disks, signals, pipes (tests)', 'tests/attack/command.test.js');
}

console.log('| attack | cases | minutes | failures |\n| --- | ---: | ---: | ---: |');
for (const { what, cases, seconds, failures } of rows) console.log(`| ${what} | ${cases.toLocaleString('en')} | ${(seconds / 60).toFixed(1)} | ${failures.length} |`);
process.exit(rows.some(({ failures }) => failures.length > 0) ? 1 : 0);
