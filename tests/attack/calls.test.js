// Hostile calls: every public function and method with hostile values in its arguments. `npm run attack` runs 100,000 cases.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attackCalls } from './calls.js';
import { KNOWN } from './known.js';
import { readTargets } from './targets.js';

const CASES = 2000;
const { targets, functions } = readTargets();

test('attack: every public function is called with hostile arguments, and the module stands it', async (context) => {
  const failures = await attackCalls({ targets, seed: 1, count: CASES });
  const found = new Set(failures.map(({ id, symptom }) => `${id}: ${symptom}`));
  const known = new Set(KNOWN);
  assert.deepEqual(failures.filter(({ id, symptom }) => !known.has(`${id}: ${symptom}`)).map(({ id, symptom, message, index }) => `${id}: ${symptom}: ${message} (seed 1, case ${index})`), []);
  assert.deepEqual([...known].filter((one) => !found.has(one)), [], 'failures that are listed in known.js, and pass: take them off the list');
  context.diagnostic(`${CASES} cases of ${functions} functions`);
});
