// The download of a page that starts, bakes and finds a path: bundled by esbuild, minified, gzipped, WebAssembly included.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { ROOT } from './support.js';

/** The page: walkmesh and its module resolve to the entry and the file in package.json. */
const makePage = (entry) => `
import { load } from '${entry}';
import wasm from './dist/${entry === 'walkmesh/core' ? 'walkmesh-core' : 'walkmesh'}.wasm';
export async function findWay(positions, indices, start, end) {
  const walkmesh = await load({ wasm: new URL(wasm, import.meta.url) });
  const { navMesh } = walkmesh.bake({ positions, indices }, { cellSize: 0.3 });
  return navMesh.findPath(start, end).points;
}`;

/** Bytes by kind of file. @param {string} entry */
async function measure(entry) {
  const { outputFiles } = await build({
    stdin: { contents: makePage(entry), resolveDir: ROOT }, bundle: true, minify: true, format: 'esm', platform: 'browser',
    loader: { '.wasm': 'file' }, outdir: join(ROOT, 'build', 'bundle'), write: false, logLevel: 'silent',
  });
  const sizes = outputFiles.map(({ contents }) => gzipSync(contents, { level: 9 }).length);
  const [wasm] = outputFiles.map(({ path }, i) => (path.endsWith('.wasm') ? sizes[i] : 0)).filter(Boolean);
  return { total: sizes.reduce((sum, size) => sum + size, 0), wasm, count: outputFiles.length };
}

test('bundle: start, bake and a path take less than 92 kB with walkmesh/core', async (context) => {
  const { total, wasm, count } = await measure('walkmesh/core');
  context.diagnostic(`${total} bytes gzip: WebAssembly ${wasm}, JavaScript ${total - wasm}`);
  assert.equal(count, 2, 'one script and one module');
  assert.ok(total < 92_000, `${total} bytes, gzip`);
});

test('bundle: the same with walkmesh, which has everything', async (context) => {
  const { total, wasm } = await measure('walkmesh');
  context.diagnostic(`${total} bytes gzip: WebAssembly ${wasm}, JavaScript ${total - wasm}`);
  assert.ok(total < 353_800, `${total} bytes, gzip`);
});

test('bundle: the core entry names no other module of the package', async () => {
  const { metafile } = await build({
    entryPoints: [join(ROOT, 'js/core.js')], bundle: true, format: 'esm', write: false, metafile: true, absWorkingDir: ROOT,
  });
  const inputs = Object.keys(metafile.inputs);
  assert.ok(!inputs.some((path) => /index|loader|workers|stages|batches/.test(path)), inputs.join(' '));
  assert.doesNotMatch(readFileSync(join(ROOT, 'js/core.js'), 'utf8'), /dist\/walkmesh\.wasm/);
});
