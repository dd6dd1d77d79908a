/**
 * `npm run pictures`: drives the built level tool and the examples in Chromium and retakes docs/images and the pictures of the
 * examples' start page. `npm run pictures -- path crowd` retakes only those.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildDemo, isDemoBuilt } from './demo.js';
import { ROOT, run, setUp, stop } from './setup.js';

setUp({ forTests: true });
run('node', ['wasm/build.js']);
if (!isDemoBuilt()) await buildDemo();
// In a process of its own: the harness of the browser tests reports to the test runner.
const { status } = spawnSync(process.execPath, ['scripts/pictures/take.js', ...process.argv.slice(2)], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
if (status !== 0) stop('pictures could not be taken');
console.log(`Taken: ${join('docs', 'images')} and ${join('web-demo', 'examples', 'pictures')}`);
