// How `npm test` runs its steps: side by side, in order, and not after what they need has failed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runSteps } from '../../scripts/steps.js';

/** Steps that end when they are told to, and what has begun so far. */
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
