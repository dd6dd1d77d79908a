// Changed files of every format, with their checksums mended: read, used and saved. `npm run attack` runs 20,000 of each.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attackFiles } from './files.js';
import { load } from '../../js/index.js';
import { FORMATS, sealDynamic } from './formats.js';
import { KNOWN_FILES } from './known.js';
import { makeFiles } from './world.js';

const FILES = 200;
const formats = Object.keys(FORMATS);

test('attack: changed files of every format are refused, or can be used and saved', async (context) => {
  const failures = await attackFiles({ formats, seed: 1, count: FILES * formats.length });
  const known = new Set(KNOWN_FILES), found = new Set(failures.map(({ id, symptom }) => `${id}: ${symptom}`));
  assert.deepEqual(failures.map(({ id, symptom, message }) => `${id}: ${symptom}: ${message}`).filter((text) => !KNOWN_FILES.some((one) => text.startsWith(one))), []);
  assert.deepEqual([...known].filter((one) => !found.has(one)), [], 'failures that are listed in known.js, and pass: take them off the list');
  context.diagnostic(`${FILES} files of each of ${formats.length} formats`);
});

test('attack: a dynamic mesh whose mesh names another number of tiles is refused; createFileSource looked for 134 million of them', async () => {
  const walkmesh = await load();
  const bytes = /** @type {Uint8Array} */ (makeFiles(walkmesh).get('dynamic')).slice();
  const TILE_COUNT_X = 184 + 24 + 16 + 20; // the header, that of the mesh and of its first section, origin and size of a tile
  const view = new DataView(bytes.buffer);
  assert.deepEqual([view.getInt32(TILE_COUNT_X, true), view.getInt32(TILE_COUNT_X + 4, true)], [2, 2]);
  walkmesh.createFileSource(sealDynamic(bytes)).navMesh.free();
  for (const [x, z] of [[2, 67108866], [1, 4], [4, 1], [0, 4], [2, 0]]) {
    view.setInt32(TILE_COUNT_X, x, true);
    view.setInt32(TILE_COUNT_X + 4, z, true);
    assert.throws(() => walkmesh.createFileSource(sealDynamic(bytes)), { code: 'corrupt', message: /another grid/ });
  }
});
