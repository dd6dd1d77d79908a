/**
 * `npm run test:browsers`: runs the package's tests of pages in each browser engine: Chromium, Firefox and WebKitGTK. `npm test` runs
 * them in Chromium, and tests/browser/engines/engines.test.js in all.
 *
 *   node scripts/browsers.js [chromium] [firefox] [webkit]
 *
 * Tests of the level tool's parts (tests/browser/tool-*.test.js) use Playwright throughout: they run in Chromium only.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ENGINE_NAMES } from '../tests/browser/engines/engines.js';
import { ROOT, run, setUp, stop } from './setup.js';

const engines = process.argv.length > 2 ? process.argv.slice(2) : ENGINE_NAMES;
for (const engine of engines) if (!ENGINE_NAMES.includes(engine)) stop(`${engine} is not an engine: name any of ${ENGINE_NAMES.join(', ')}`);

const FOLDER = join('tests', 'browser');
const files = readdirSync(join(ROOT, FOLDER)).filter((name) => name.endsWith('.test.js') && !name.startsWith('tool-')).map((name) => join(FOLDER, name));

setUp({ forTests: true });
run(process.execPath, [join('wasm', 'build.js')]);
run(process.execPath, [join('node_modules', 'vite', 'bin', 'vite.js'), 'build', 'web-demo']);
const failed = engines.filter((engine) => {
  console.log(`\n== ${engine}`);
  const { status } = spawnSync(process.execPath, ['--test-reporter=spec', join('scripts', 'test-files.js'), ...files],
    { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ENGINE: engine } });
  return status !== 0;
});
if (failed.length > 0) stop(`tests failed in ${failed.join(', ')}`);
