/**
 * Download sizes: the modules alone, and a complete page that starts, bakes a level and finds a path, bundled by esbuild,
 * minified, gzipped, WebAssembly included.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { ratioText } from './tables.js';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const MODULES = ['walkmesh.wasm', 'walkmesh-scalar.wasm', 'walkmesh-game.wasm', 'walkmesh-game-scalar.wasm', 'walkmesh-core.wasm', 'walkmesh-core-scalar.wasm'];

/** @param {string} entry @param {string} module */
const ourPage = (entry, module) => `
import { load } from '${entry}';
import wasm from './dist/${module}.wasm';
export async function findWay(positions, indices, start, end) {
  const walkmesh = await load({ wasm: new URL(wasm, import.meta.url) });
  const { navMesh } = walkmesh.bake({ positions, indices }, { cellSize: 0.3 });
  return navMesh.findPath(start, end).points;
}`;

const PAGES = {
  walkmesh: ourPage('walkmesh', 'walkmesh'),
  'walkmesh/game, baked before': `
import { load } from 'walkmesh/game';
import wasm from './dist/walkmesh-game.wasm';
export async function findWay(file, start, end) {
  const walkmesh = await load({ wasm: new URL(wasm, import.meta.url) });
  return walkmesh.loadNavMesh(file).findPath(start, end).points;
}`,
  'walkmesh/core': ourPage('walkmesh/core', 'walkmesh-core'),
  'recast-navigation': `
import { NavMeshQuery, init } from 'recast-navigation';
import { generateSoloNavMesh } from 'recast-navigation/generators';
export async function findWay(positions, indices, start, end) {
  await init();
  const { navMesh } = generateSoloNavMesh(positions, indices, { cs: 0.3 });
  return new NavMeshQuery(navMesh).computePath(start, end).path;
}`,
  navcat: `
import { DEFAULT_QUERY_FILTER, findPath } from 'navcat';
import { generateSoloNavMesh } from 'navcat/blocks';
export function findWay(positions, indices, start, end, options) {
  const { navMesh } = generateSoloNavMesh({ positions, indices }, options);
  return findPath(navMesh, start, end, [1, 1, 1], DEFAULT_QUERY_FILTER).path;
}`,
};

const gzip = (/** @type {Uint8Array} */ bytes) => gzipSync(bytes, { level: 9 }).length;

/** Gzipped bytes of a page; null if one of its packages isn't installed. @param {any} esbuild @param {string} page */
async function measurePage(esbuild, page) {
  try {
    const { outputFiles } = await esbuild.build({
      stdin: { contents: page, resolveDir: ROOT }, bundle: true, minify: true, format: 'esm', platform: 'browser',
      loader: { '.wasm': 'file' }, outdir: `${ROOT}build/bundle`, write: false, logLevel: 'silent',
    });
    const sizes = outputFiles.map(({ path, contents }) => ({ wasm: path.endsWith('.wasm'), bytes: gzip(contents) }));
    const sum = (/** @type {any[]} */ list) => list.reduce((total, { bytes }) => total + bytes, 0);
    return { total: sum(sizes), wasm: sum(sizes.filter(({ wasm }) => wasm)) };
  } catch {
    return null;
  }
}

/**
 * @param {import('./bakes.js').BenchOptions} [options]
 * @returns {Promise<{ modules: { name: string, bytes: number, gzip: number }[], pages: { name: string, total: number, wasm: number }[] }>}
 *   pages: gzipped bytes; wasm: the part in separate files
 */
export async function measureSizes({ onProgress = () => {} } = {}) {
  onProgress('sizes');
  const modules = MODULES.map((name) => ({ name, path: `${ROOT}dist/${name}` })).filter(({ path }) => existsSync(path))
    .map(({ name, path }) => ({ name, bytes: readFileSync(path).length, gzip: gzip(readFileSync(path)) }));
  const esbuild = await import('esbuild').catch(() => null);
  const pages = [];
  for (const [name, page] of Object.entries(esbuild ? PAGES : {})) {
    const size = await measurePage(esbuild, page);
    if (size) pages.push({ name, ...size });
  }
  onProgress('');
  return { modules, pages };
}

/** @param {Awaited<ReturnType<typeof measureSizes>>} figures @returns {import('./tables.js').Table[]} */
export function sizeTables({ modules, pages }) {
  const kilobytes = (/** @type {number} */ bytes) => `${(bytes / 1000).toFixed(1)}`;
  const ours = pages.find(({ name }) => name === 'walkmesh')?.total ?? NaN;
  const tables = [{
    title: 'Sizes of the modules',
    rows: [['kB (of 1000 bytes)', 'plain', 'gzip'], ...modules.map((one) => [one.name, kilobytes(one.bytes), kilobytes(one.gzip)])],
  }];
  if (pages.length === 0) return tables;
  const rows = pages.map(({ name, total, wasm }) => [name, kilobytes(total), wasm ? kilobytes(wasm) : 'inside', ratioText(total / ours)]);
  return [...tables, { title: 'A page that starts, bakes and finds a path: minified, gzip', rows: [['kB', 'all', 'WebAssembly', 'ratio'], ...rows] }];
}
