/**
 * `npm run build:demo`: builds the level tool and the examples as static files (web-demo/dist) that work from any folder. Sets up
 * and compiles missing parts first.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT, run, setUp } from './setup.js';

export const CONFIG_FILE = join(ROOT, 'web-demo', 'vite.config.js');
const BUILT = join(ROOT, 'web-demo', 'dist', 'index.html');

/** The sources of the pages. */
const SOURCES = ['package-lock.json', 'web-demo/index.html', 'web-demo/vite.config.js', 'web-demo/examples-plugin.js', 'web-demo/src',
  'web-demo/examples', 'web-demo/public', 'tests/scenes', 'js', 'dist'];

/** The time of the last change of a file, or of the newest file in a folder. @param {string} path @returns {number} */
function changedAt(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return readdirSync(path, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile())
    .reduce((last, entry) => Math.max(last, statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs), stats.mtimeMs);
}

/** True if the built files are newer than all sources. */
export function isDemoBuilt() {
  if (!existsSync(BUILT)) return false;
  const built = statSync(BUILT).mtimeMs;
  return SOURCES.every((path) => changedAt(join(ROOT, path)) < built);
}

/** Builds the pages. */
export async function buildDemo() {
  const { build } = await import('vite');
  await build({ configFile: CONFIG_FILE, logLevel: 'warn' });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  setUp();
  run('node', ['wasm/build.js']);
  await buildDemo();
  console.log('Built: web-demo/dist (index.html: the level tool; examples/index.html: the examples)');
}
