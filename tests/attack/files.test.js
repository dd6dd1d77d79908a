// Changed files of every format, with their checksums mended: read, used and saved. `npm run attack` runs 20,000 of each.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attackFiles } from './files.js';
import { FORMATS } from './formats.js';
import { KNOWN_FILES } from './known.js';

const FILES = 200;
const formats = Object.keys(FORMATS);

test('attack: changed files of every format are refused, or can be used and saved', async (context) => {
  const failures = await attackFiles({ formats, seed: 1, count: FILES * formats.length });
  const known = new Set(KNOWN_FILES), found = new Set(failures.map(({ id, symptom }) => `${id}: ${symptom}`));
  assert.deepEqual(failures.map(({ id, symptom, message }) => `${id}: ${symptom}: ${message}`).filter((text) => !KNOWN_FILES.some((one) => text.startsWith(one))), []);
  assert.deepEqual([...known].filter((one) => !found.has(one)), [], 'failures that are listed in known.js, and pass: take them off the list');
  context.diagnostic(`${FILES} files of each of ${formats.length} formats`);
});
