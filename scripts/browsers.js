/**
 * `npm run test:browsers`: runs the package's tests of pages in each browser engine, Chromium, Firefox and WebKitGTK, and the level
 * tool's smoke test (tests/browser/engines.test.js).
 *
 *   node scripts/browsers.js [firefox] [webkit]
 *
 * Tests of the level tool's parts (tests/browser/tool-*.test.js) use Playwright throughout: they run in Chromium only, in `npm test`.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ENGINE_NAMES } from '../tests/browser/engines/engines.js';
import { ROOT, setUp, stop } from './setup.js';

const engines = process.argv.length > 2 ? process.argv.slice(2) : ENGINE_NAMES;
for (const engine of engines) if (!ENGINE_NAMES.includes(engine)) stop(`${engine} is no engine: must be one of ${ENGINE_NAMES.join(', ')}`);

const FOLDER = join('tests', 'browser');
const files = readdirSync(join(ROOT, FOLDER)).filter((name) => name.endsWith('.test.js') && !name.startsWith('tool-')).map((name) => join(FOLDER, name));

setUp({ forTests: true });
const failed = engines.filter((engine) => {
  console.log(`\n== ${engine}`);
  const { status } = spawnSync(process.execPath, ['--test-reporter=spec', join('scripts', 'test-files.js'), ...files],
    { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ENGINE: engine } });
  return status !== 0;
});
if (failed.length > 0) stop(`failed in ${failed.join(', ')}`);
