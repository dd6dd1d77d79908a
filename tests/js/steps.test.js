// The steps of `npm test`: they run side by side, in order, and not after a step that they need has failed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runSteps } from '../../scripts/steps.js';
import { NATIVE_TESTS, endOf, groupTests } from '../../scripts/test-groups.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Steps that end on command, and the list of started ones. */
function makeSteps(...described) {
  const begun = [], ends = new Map();
  const steps = described.map(([name, ...needs]) => ({
    name, needs,
    run: () => new Promise((resolve) => {
      begun.push(name);
      ends.set(name, resolve);
    }),
  }));
  const end = async (name, isGood = true) => {
    ends.get(name)(isGood);
    await new Promise((resolve) => { setImmediate(resolve); });
  };
  return { steps, begun, end };
}

test('steps: as many as there are lanes, in the order of the list, each after what it needs', async () => {
  const { steps, begun, end } = makeSteps(['a'], ['b', 'a'], ['c'], ['d'], ['e', 'b', 'd']);
  const done = runSteps(steps, 2);
  assert.deepEqual(begun, ['a', 'c']);
  await end('c');
  assert.deepEqual(begun, ['a', 'c', 'd'], 'b waits for a');
  await end('a');
  assert.deepEqual(begun, ['a', 'c', 'd', 'b']);
  await end('d');
  assert.equal(begun.length, 4);
  await end('b');
  assert.deepEqual(begun.at(-1), 'e');
  await end('e');
  assert.deepEqual(await done, []);
});

test('steps: what needs a step that failed is not run, nor what needs that; all others are', async () => {
  const { steps, begun, end } = makeSteps(['a'], ['b', 'a'], ['c', 'b'], ['d']);
  const done = runSteps(steps, 1);
  await end('a', false);
  assert.deepEqual(begun, ['a', 'd']);
  await end('d', false);
  assert.deepEqual(await done, ['b', 'c']);
});

test('steps: one that needs what is not above it is an error', async () => {
  const { steps } = makeSteps(['a', 'b'], ['b']);
  await assert.rejects(runSteps(steps, 1), /a needs b/);
});

test('groups: each file of tests is in one, and those that must be alone are', () => {
  for (const folder of ['js', 'browser', 'packaging', 'attack']) {
    const names = readdirSync(join(ROOT, 'tests', folder)).filter((file) => file.endsWith('.test.js')).map((file) => file.replace('.test.js', ''));
    const groups = groupTests(folder, names);
    assert.deepEqual(groups.flat().sort(), names.sort(), folder);
    assert.ok(groups.every(({ length }) => length > 0));
    if (folder !== 'js') continue;
    for (const name of [...NATIVE_TESTS, 'leaks', 'memory', 'heap']) assert.ok(groups.some((group) => group.length === 1 && group[0] === name), name);
    assert.ok(groups.length < names.length / 2);
  }
});

test('files of one process: each after the one before, what fails is counted, and what cannot be loaded is a failure', (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'walkmesh-steps-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const start = "import { after, test } from 'node:test';\nimport { setTimeout } from 'node:timers/promises';\n";
  const texts = {
    'slow.mjs': `${start}globalThis.seen = [];\nafter(() => { globalThis.seen.push('after all'); });
for (const name of ['one', 'two']) test(\`slow \${name}\`, async () => { await setTimeout(30); globalThis.seen.push(name); });`,
    'broken.mjs': `${start}test('before it breaks', () => {});\nthrow new Error('cannot be loaded');`,
    'late.mjs': `${start}await setTimeout(10);\nconst seen = globalThis.seen.join();
test('all before has ended', () => { if (seen !== 'one,two') throw new Error(seen); });\ntest('fails', () => { throw new Error('as it should'); });`,
  };
  const files = Object.entries(texts).map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  });
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { status, stdout } = spawnSync(process.execPath, ['--test-reporter=tap', join(ROOT, 'scripts', 'test-files.js'), ...files], { encoding: 'utf8', env });
  assert.equal(status, 1);
  assert.match(stdout, /^# pass 4\n# fail 2$/m);
  assert.match(stdout, /^not ok \d+ - .*broken\.mjs is loaded$/m);
  assert.match(stdout, /^ok \d+ - all before has ended$/m);
  for (const file of files) assert.ok(stdout.includes(`# Subtest: ${endOf(file)}\n`), file);
});
