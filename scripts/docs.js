/**
 * `npm run docs`: draws the pictures of docs/, writes the tables of docs/wasm-api.md and generates the API reference (docs/api, not
 * committed) from the comments in js/. `npm run docs -- --pictures` only draws, `npm run docs -- --tables` only writes the tables.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run, setUp } from './setup.js';

setUp();
run('node', ['wasm/build.js']);

// Packages and built files exist from here on.
const only = ['--pictures', '--tables'].find((option) => process.argv.includes(option));

async function draw() {
  const { drawPictures } = await import('./docs/pictures.js');
  const pictures = await drawPictures();
  const folder = join(ROOT, 'docs', 'pictures');
  mkdirSync(folder, { recursive: true });
  for (const [name, svg] of Object.entries(pictures)) writeFileSync(join(folder, name), svg);
  // In a process of its own: the harness of the browser tests reports to the test runner.
  const { status } = spawnSync(process.execPath, ['scripts/docs/three-picture.js'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) console.error('docs/pictures/three-helpers.png stays as it is: it is drawn in Chromium, which is not here or failed');
  console.log(`Drawn: ${Object.keys(pictures).length} pictures in docs/pictures`);
}

async function writeTables() {
  const [{ fillTables }, { makeApi }] = await Promise.all([import('./docs/wasm-tables.js'), import('../wasm/api.js')]);
  const page = join(ROOT, 'docs', 'wasm-api.md');
  writeFileSync(page, fillTables(readFileSync(page, 'utf8'), makeApi()));
  console.log('Written: the tables of docs/wasm-api.md');
}

if (only !== '--tables') await draw();
if (only !== '--pictures') await writeTables();
if (!only) {
  run('node', ['node_modules/typedoc/bin/typedoc']);
  console.log('Written: docs/api/index.html');
}
