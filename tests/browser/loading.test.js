// Pages whose server does not give the package its files: errors name the address and what came back; stand-ins replace the files.
// The one-file builds need no other file.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Document, NodeIO } from '@gltf-transform/core';
import { ROOT, runInPage, withPage } from './harness.js';

const LEVEL = '{ positions: [0, 0, 0, 0, 0, 40, 40, 0, 40, 40, 0, 0], indices: [0, 1, 2, 0, 2, 3] }';
const HTML_PAGE = '<!doctype html><title>My game</title>';
/** The package without dist/. */
const SOURCES = { js: join(ROOT, 'js') };

/** Reports the error of a statement. */
const report = (statement) => `try { ${statement}; done('no error'); }
catch (error) { done({ name: error.name, code: error.code, value: error.value, message: error.message }); }`;

/** Loads a package that has its sources, and an answer to the module's address. */
const loadFrom = (files, options) => runInPage(`import { load } from '/js/index.js'; ${report('await load()')}`, { mounts: SOURCES, files, ...options });

test('loading: a module that is not there is an error with its address and the status', async () => {
  const { name, code, value, message } = await loadFrom({}, { allow: /404/ });
  assert.deepEqual([name, code, new URL(value).pathname], ['NavError', 'unreachable', '/dist/walkmesh.wasm']);
  assert.equal(message, `${value} cannot be fetched: the server answered 404. Pass the module, load({ wasm }), or import 'walkmesh/inline'`);
});

test('loading: an HTML page in place of the module is named as such', async () => {
  const { code, value, message } = await loadFrom({ 'dist/walkmesh.wasm': HTML_PAGE });
  assert.equal(code, 'unreachable');
  assert.ok(message.startsWith(`${value} is an HTML page, not the WebAssembly module. `), message);
});

test('loading: other bytes in place of the module are corrupt', async () => {
  const { code, value, message } = await loadFrom({ 'dist/walkmesh.wasm': 'version https://git-lfs' });
  assert.equal(code, 'corrupt');
  assert.equal(message, `${value} is not a WebAssembly module: it starts with "version https://git-"`);
});

test('loading: a module is compiled while it arrives, so that browsers store its code, unless its type is another', async () => {
  const count = (address) => runInPage(`import { load } from 'walkmesh';
let count = 0;
const { compileStreaming } = WebAssembly;
WebAssembly.compileStreaming = (...given) => (count++, compileStreaming.apply(WebAssembly, given));
const walkmesh = await load({ wasm: '${address}' });
done([count, walkmesh.bake(${LEVEL}).navMesh.totals.tiles]);`, { files: { 'module.bin': readFileSync(join(ROOT, 'dist/walkmesh.wasm')) } });
  assert.deepEqual(await count('/walkmesh/dist/walkmesh.wasm'), [1, 1]);
  assert.deepEqual(await count('/module.bin'), [0, 1]);
});

test('loading: a server that does not answer is unreachable', async () => {
  const outcome = await runInPage(`import { load } from 'walkmesh'; ${report("await load({ wasm: 'http://127.0.0.1:1/walkmesh.wasm' })")}`,
    { allow: /ERR_UNSAFE_PORT|ERR_CONNECTION_REFUSED|Failed to load resource/ });
  assert.equal(outcome.code, 'unreachable');
  assert.match(outcome.message, /^http:\/\/127\.0\.0\.1:1\/walkmesh\.wasm cannot be fetched: (Failed to fetch|NetworkError when attempting to fetch resource|Load failed)/);
});

const POOL = `const walkmesh = await load();
const workers = walkmesh.createWorkerPool({ workers: 1 });
const { navMesh } = await walkmesh.bakeTiled(${LEVEL}, { tileSize: 32 }, { workers })`;
/** An HTML page at the address of the worker script. */
const NO_WORKER = { 'walkmesh/js/workers/worker.js': HTML_PAGE };

test('loading: a worker script that is not there is an error with its address', async () => {
  const { code, message } = await runInPage(`import { load } from 'walkmesh'; ${report(POOL)}`, { files: NO_WORKER, allow: /SyntaxError/ });
  assert.equal(code, 'worker');
  assert.match(message, /walkmesh\/worker, expected at http:.*\/walkmesh\/js\/workers\/worker\.js: .*createWorkerPool\(\{ worker \}\)/);
});

test('loading: in a bundle, where the script has another address, the error names none', async () => {
  const port = readFileSync(join(ROOT, 'js/workers/port.js'), 'utf8').replaceAll("from '../", "from '/walkmesh/js/").replaceAll("'./worker.js'", "'/none.js'");
  const { code, message } = await runInPage(`import { load } from 'walkmesh'; ${report(POOL)}`, {
    files: { ...NO_WORKER, 'assets/bundle-1.js': port, 'walkmesh/js/workers/port.js': "export * from '/assets/bundle-1.js';" }, allow: /none\.js|404|SyntaxError/,
  });
  assert.equal(code, 'worker');
  assert.match(message, /could not be started: walkmesh\/worker: .*Check the address/);
});

test('loading: the inline entry starts its own worker where the script is not there', async () => {
  const outcome = await runInPage(`import { load } from '/walkmesh/dist/inline.js'; ${POOL}; done(navMesh.totals.tiles);`,
    { files: NO_WORKER, allow: /SyntaxError/ });
  assert.equal(outcome, 25);
});

/** A page that only has one script beside it, and its requests. */
function runOneFile(file, script, more = {}) {
  const html = `<!doctype html><meta charset="utf-8"><script>window.outcome = new Promise((resolve) => { window.done = resolve; });</script>
<script type="module">${script}</script>`;
  const files = { 'index.html': html, [file]: readFileSync(join(ROOT, 'dist', file), 'utf8'), ...more };
  return withPage({ files }, async (page, { requests }) => ({ outcome: await page.evaluate('window.outcome'), requests }));
}

test('loading: the one-file build bakes in workers with one request', async () => {
  const { outcome, requests } = await runOneFile('walkmesh.min.js',
    `import { NavError, load } from './walkmesh.min.js'; ${POOL}; done([navMesh.findPath([1, 0, 1], [39, 0, 39]).status, NavError.name.length > 0]);`);
  assert.deepEqual(outcome, ['complete', true]);
  assert.deepEqual(requests.filter((path) => path !== '/favicon.ico'), ['/', '/walkmesh.min.js']);
});

/** A GLB file of one triangle, in base64. */
async function makeGlb() {
  const document = new Document();
  const buffer = document.createBuffer();
  const accessor = document.createAccessor().setType('VEC3').setArray(Float32Array.of(0, 0, 0, 0, 0, 9, 9, 0, 9)).setBuffer(buffer);
  const mesh = document.createMesh().addPrimitive(document.createPrimitive().setAttribute('POSITION', accessor));
  document.createScene().addChild(document.createNode().setMesh(mesh));
  return Buffer.from(await new NodeIO().writeBinary(document)).toString('base64');
}

const readGlb = async () => `await readGltf(Uint8Array.from(atob('${await makeGlb()}'), (letter) => letter.charCodeAt(0)))`;

test('loading: the one-file build of walkmesh/level reads glTF with one request', async () => {
  const { outcome, requests } = await runOneFile('level.min.js',
    `import { readGltf } from './level.min.js'; done((${await readGlb()}).positions.length);`);
  assert.equal(outcome, 9);
  assert.deepEqual(requests.filter((path) => path !== '/favicon.ico'), ['/', '/level.min.js']);
});

test('loading: without a bundler readGltf names the packages that are missing, and does not blame the file', async () => {
  const { code, message } = await runInPage(`import { readGltf } from '/walkmesh/js/level/index.js'; ${report(await readGlb())}`);
  assert.equal(code, 'unreachable');
  assert.match(message, /^readGltf needs the packages @gltf-transform\/core and .*import dist\/level\.min\.js/);
});
