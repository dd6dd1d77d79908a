/**
 * Builds dist/walkmesh.wasm (SIMD), dist/walkmesh-scalar.wasm and dist/inline.js with Emscripten's compiler,
 * without its JavaScript. Skips what is newer than every source; --force builds anyway.
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync,
  writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const DIST = join(ROOT, 'dist');

/** Autovectorised loops were slower in WebAssembly than scalar ones: lanes are written by hand. */
const FLAGS = [
  '-std=c17', '-O3', '-ffp-contract=off', '-fno-vectorize', '-fno-slp-vectorize', '-DNDEBUG', '-Isrc',
  '--no-entry', '-sSTRICT', '-sFILESYSTEM=0', '-sALLOW_MEMORY_GROWTH', '-sINITIAL_MEMORY=1MB',
  '-sTOTAL_STACK=256KB', '-sMAXIMUM_MEMORY=4GB',
];

/** @param {string} folder @param {string} ending @returns {string[]} */
function listFiles(folder, ending) {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return listFiles(path, ending);
    return entry.name.endsWith(ending) ? [path] : [];
  });
}

/** @param {string[]} paths */
const newest = (paths) => Math.max(...paths.map((path) => statSync(join(ROOT, path)).mtimeMs));

/** Emscripten builds its system libraries into a cache; Debian's is read-only for ordinary users. */
function cacheEnvironment() {
  if (process.env.EM_CACHE) return {};
  try {
    accessSync('/usr/share/emscripten/cache', constants.W_OK);
    return {};
  } catch {
    return { EM_CACHE: join(ROOT, 'build', 'emscripten-cache') };
  }
}

/** @param {string} output @param {string[]} sources @param {string[]} flags */
function compile(output, sources, flags) {
  const temporary = join(DIST, `.building-${process.pid}-${output}`);
  const args = [...FLAGS, ...flags, '-o', temporary, ...sources];
  const result = spawnSync('emcc', args, {
    cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...cacheEnvironment() },
  });
  if (result.status !== 0) {
    rmSync(temporary, { force: true });
    console.error(result.error ? `cannot run emcc: ${result.error.message}` : 'emcc failed');
    process.exit(1);
  }
  renameSync(temporary, join(DIST, output));
}

/** The entry for pages without a bundler: the bytes travel in the JavaScript. */
function writeInline() {
  const base64 = (/** @type {string} */ name) => readFileSync(join(DIST, name)).toString('base64');
  writeFileSync(join(DIST, 'inline.js'), `// Made by wasm/build.js.
import { load as loadFrom } from '../js/index.js';
import { decodeBase64, supportsSimd } from '../js/loader.js';

export * from '../js/index.js';

const SIMD = '${base64('walkmesh.wasm')}';
const SCALAR = '${base64('walkmesh-scalar.wasm')}';

/** As load of 'walkmesh', without fetching anything. */
export function load(options = {}) {
  const simd = options.simd ?? supportsSimd();
  return loadFrom({ wasm: decodeBase64(simd ? SIMD : SCALAR), ...options, simd });
}
`);
}

const force = process.argv.includes('--force');
const inputs = [...listFiles('src', '.c'), ...listFiles('src', '.h'), ...listFiles('wasm', '.c'), 'wasm/build.js'];
const sources = inputs.filter((path) => path.endsWith('.c'));
const outputs = ['walkmesh.wasm', 'walkmesh-scalar.wasm', 'inline.js'];
mkdirSync(DIST, { recursive: true });
const current = !force && outputs.every((name) => existsSync(join(DIST, name))
  && statSync(join(DIST, name)).mtimeMs > newest(inputs));
if (!current) {
  compile('walkmesh.wasm', sources, ['-msimd128']);
  compile('walkmesh-scalar.wasm', sources, ['-DWM_FORCE_SCALAR=1']);
  writeInline();
}
for (const name of outputs.slice(0, 2)) {
  const bytes = readFileSync(join(DIST, name));
  const kilobytes = (/** @type {number} */ count) => `${(count / 1000).toFixed(1)} kB`;
  console.log(`dist/${name}: ${kilobytes(bytes.length)}, gzip ${kilobytes(gzipSync(bytes, { level: 9 }).length)}`
    + (current ? ' (up to date)' : ''));
}
