/**
 * `npm run docs`: draws the pictures of docs/ and generates the API reference (docs/api, not committed) from the comments in js/.
 * `npm run docs -- --pictures` only draws.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run, setUp } from './setup.js';

setUp();
run('node', ['wasm/build.js']);

// Packages and built files exist from here on.
const { drawPictures } = await import('./docs/pictures.js');
const pictures = await drawPictures();
const folder = join(ROOT, 'docs', 'pictures');
mkdirSync(folder, { recursive: true });
for (const [name, svg] of Object.entries(pictures)) writeFileSync(join(folder, name), svg);
// In a process of its own: the harness of the browser tests reports to the test runner.
const { status } = spawnSync(process.execPath, ['scripts/docs/three-picture.js'], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
if (status !== 0) console.error('docs/pictures/three-helpers.png stays as it is: it is drawn in Chromium, which is not here or failed');
console.log(`Drawn: ${Object.keys(pictures).length} pictures in docs/pictures`);
if (!process.argv.includes('--pictures')) {
  run('node', ['node_modules/typedoc/bin/typedoc']);
  console.log('Written: docs/api/index.html');
}
