/**
 * The files of dist/ that contain other files of the package as JavaScript, and those that are one file for a page without a bundler:
 * * inline-bytes.js: the two full modules in base64, and the worker script as text;
 * * inline.js: the entry `walkmesh/inline`, which needs no other file;
 * * development*.js: the entries that bundlers take under the condition `development`. If the bundler moved the package's JavaScript
 *   away from its files, as Vite 5 to 7 do, they import inline-bytes.js. No build for production contains them;
 * * walkmesh.min.js: `walkmesh/inline` in one file; level.min.js: `walkmesh/level` with the packages that it needs.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DIST, writeIfChanged } from './bundle.js';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** @type {import('esbuild').BuildOptions} */
const OPTIONS = {
  absWorkingDir: ROOT, bundle: true, format: 'esm', platform: 'browser', target: 'es2022', charset: 'utf8', write: false, minify: true,
  external: ['node:*'], logLevel: 'warning', legalComments: 'none',
};

/** @param {string} name @param {string} text */
const write = (name, text) => writeIfChanged(join(DIST, name), Buffer.from(`// Made by wasm/build.js.\n${text}`));

/** @param {import('esbuild').BuildOptions} options @returns {Promise<string>} */
async function bundle(options) {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({ ...OPTIONS, ...options });
  return /** @type {import('esbuild').OutputFile[]} */ (outputFiles)[0].text;
}

/** Provides the files in inline-bytes.js to whichever entry loads them. */
const DEVELOPMENT = `import { decodeBase64, isMoved } from '../js/loader.js';
import { provideStandIns } from '../js/runtime/stand-ins.js';

const files = () => import('./inline-bytes.js');

provideStandIns({
  module: async (simd) => decodeBase64((await files())[simd ? 'SIMD' : 'SCALAR']),
  worker: async () => (await files()).WORKER,
}, isMoved());
`;

/** The entries that load the module: the name of the file -> the source of the entry. */
const ENTRIES = {
  development: 'index', 'development-core': 'core', 'development-game': 'game', 'development-recast-navigation': 'recast-navigation/index',
  'development-recast-navigation-three': 'recast-navigation-three/index',
};

/** The beginning of the entries that contain the module. @param {string} names of inline-bytes.js */
const writeInlineEntry = (names) => `import { load as loadFrom } from '../js/index.js';
import { decodeBase64, isMoved, supportsSimd } from '../js/loader.js';
import { provideStandIns } from '../js/runtime/stand-ins.js';
import { ${names} } from './inline-bytes.js';

export * from '../js/index.js';

provideStandIns({ worker: async () => WORKER }, isMoved());
`;

/** Writes the files that contain others. Needs the modules. */
export async function writeInline() {
  const base64 = (/** @type {string} */ name) => readFileSync(join(DIST, name)).toString('base64');
  // A classic script: browsers that lack module workers run it, and pages opened from file:// too.
  const worker = await bundle({ entryPoints: ['js/workers/worker.js'], format: 'iife' });
  write('inline-bytes.js', `export const SIMD = '${base64('walkmesh.wasm')}';
export const SCALAR = '${base64('walkmesh-scalar.wasm')}';
export const WORKER = ${JSON.stringify(worker)};
`);
  write('inline.js', `${writeInlineEntry('SCALAR, SIMD, WORKER')}
/** As load of 'walkmesh', without fetching anything. */
export function load(options = {}) {
  const simd = options.simd ?? supportsSimd();
  return loadFrom({ wasm: decodeBase64(simd ? SIMD : SCALAR), ...options, simd });
}
`);
  write('development-files.js', DEVELOPMENT);
  for (const [name, entry] of Object.entries(ENTRIES)) {
    write(`${name}.js`, `import './development-files.js';\n\nexport * from '../js/${entry}.js';\n`);
  }
}

/** The one-file build has the SIMD module only. Engines without SIMD, older than 2023, fetch the other one. */
const ONE_FILE = `${writeInlineEntry('SIMD, WORKER')}
export function load(options = {}) {
  const simd = options.simd ?? supportsSimd();
  return loadFrom({ ...(simd ? { wasm: decodeBase64(SIMD) } : {}), ...options, simd });
}
`;

/** The imports of the glTF reader, by package. The packages export ten times as much. */
const GLTF_NAMES = /** @type {Record<string, string>} */ ({
  '@gltf-transform/core': 'GLB_BUFFER, Logger, Verbosity, WebIO',
  '@gltf-transform/extensions': 'EXTMeshGPUInstancing, EXTMeshoptCompression, KHRDracoMeshCompression, KHRMeshQuantization',
});

/** Replaces dynamic imports, from which esbuild removes nothing. @type {import('esbuild').Plugin} */
const ONLY_USED_NAMES = {
  name: 'only-used-names',
  setup(build) {
    build.onResolve({ filter: /^@gltf-transform\// }, ({ path, kind }) => (kind === 'dynamic-import' ? { path, namespace: 'names' } : undefined));
    build.onLoad({ filter: /.*/, namespace: 'names' }, ({ path }) => ({
      contents: `export { ${GLTF_NAMES[path]} } from '${path}';`, resolveDir: ROOT,
    }));
  },
};

/** Writes the one-file builds. Needs the files that contain others. */
export async function bundleForBrowser() {
  write('walkmesh.min.js', await bundle({ stdin: { contents: ONE_FILE, resolveDir: DIST } }));
  write('level.min.js', await bundle({ entryPoints: ['js/level/index.js'], plugins: [ONLY_USED_NAMES] }));
}
