// The download of a page that starts, bakes and finds a path: bundled by esbuild, minified, gzipped, WebAssembly included. Limits are for
// fflate's gzip, which is the same on every processor (zlib's isn't, and is 4 to 5 % smaller); pages tell users zlib's.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync as gzip } from 'node:zlib';
import { build } from 'esbuild';
import { gzipSync } from 'fflate';
import { ROOT } from './support.js';

const MAKERS = {
  walkmesh: 'walkmesh.bake(level, { cellSize: 0.3 }).navMesh', 'walkmesh/game': 'walkmesh.loadNavMesh(level)',
  'walkmesh/core': 'walkmesh.bake(level, { cellSize: 0.3 }).navMesh',
};

/** The page: an entry and its module resolve to the files in package.json. @param {keyof typeof MAKERS} entry */
const makePage = (entry) => `
import { load } from '${entry}';
import wasm from './dist/${entry.replace('/', '-')}.wasm';
export async function findWay(level, start, end) {
  const walkmesh = await load({ wasm: new URL(wasm, import.meta.url) });
  return ${MAKERS[entry]}.findPath(start, end).points;
}`;

/** Bytes by kind of file. @param {keyof typeof MAKERS} entry */
async function measure(entry, compress = gzipSync) {
  const { outputFiles } = await build({
    stdin: { contents: makePage(entry), resolveDir: ROOT }, bundle: true, minify: true, format: 'esm', platform: 'browser',
    loader: { '.wasm': 'file' }, outdir: join(ROOT, 'build', 'bundle'), write: false, logLevel: 'silent',
  });
  const sizes = outputFiles.map(({ contents }) => compress(contents, { level: 9 }).length);
  const [wasm] = outputFiles.map(({ path }, i) => (path.endsWith('.wasm') ? sizes[i] : 0)).filter(Boolean);
  return { total: sizes.reduce((sum, size) => sum + size, 0), wasm, count: outputFiles.length };
}

test('bundle: start, bake and a path take no more than they did with walkmesh/core', async (context) => {
  const { total, wasm, count } = await measure('walkmesh/core');
  context.diagnostic(`${total} bytes gzip: WebAssembly ${wasm}, JavaScript ${total - wasm}`);
  assert.equal(count, 2, 'one script and one module');
  assert.ok(total < 100_700, `${total} bytes, gzip`);
});

test('bundle: the same with walkmesh, which has everything', async (context) => {
  const { total, wasm } = await measure('walkmesh');
  context.diagnostic(`${total} bytes gzip: WebAssembly ${wasm}, JavaScript ${total - wasm}`);
  assert.ok(total < 411_500, `${total} bytes, gzip`);
});

test('bundle: a page that loads a mesh and finds a path takes no more than it did with walkmesh/game', async (context) => {
  const { total, wasm } = await measure('walkmesh/game');
  context.diagnostic(`${total} bytes gzip: WebAssembly ${wasm}, JavaScript ${total - wasm}`);
  assert.ok(total < 216_800, `${total} bytes, gzip`);
});

test('bundle: the sizes of walkmesh.min.js that docs/hosts.md gives are right to a twentieth', () => {
  const contents = readFileSync(join(ROOT, 'dist', 'walkmesh.min.js'));
  const [, kilobytes, compressed] = /in one file of (\d+) kB \((\d+) kB compressed\)/.exec(readFileSync(join(ROOT, 'docs', 'hosts.md'), 'utf8'));
  for (const [told, bytes] of [[kilobytes, contents.length], [compressed, gzip(contents, { level: 9 }).length]]) {
    assert.ok(Math.abs(1000 * told / bytes - 1) < 0.05, `${told} kB told, ${bytes} bytes`);
  }
});

test('bundle: the sizes of the entries that docs/getting-started.md gives are right to a twentieth', async () => {
  const page = readFileSync(join(ROOT, 'docs', 'getting-started.md'), 'utf8');
  for (const entry of /** @type {(keyof typeof MAKERS)[]} */ (Object.keys(MAKERS))) {
    const told = Number(new RegExp(`\\| \`${entry}\` \\|.*\\| (\\d+) kB \\|`).exec(page)?.[1]), { total } = await measure(entry, gzip);
    assert.ok(Math.abs(1000 * told / total - 1) < 0.05, `${entry}: ${told} kB told, ${total} bytes`);
  }
});

test('bundle: the core entry names no other module of the package', async () => {
  const { metafile } = await build({
    entryPoints: [join(ROOT, 'js/core.js')], bundle: true, format: 'esm', write: false, metafile: true, absWorkingDir: ROOT,
  });
  const inputs = Object.keys(metafile.inputs);
  assert.ok(!inputs.some((path) => /index|loader|workers|stages|batches/.test(path)), inputs.join(' '));
  assert.doesNotMatch(readFileSync(join(ROOT, 'js/core.js'), 'utf8'), /dist\/walkmesh\.wasm/);
});
