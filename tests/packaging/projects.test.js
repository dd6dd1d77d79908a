/**
 * The first steps of a new user: the packed package installed into fresh projects (tests/packaging/projects), each set up as the
 * README describes. Each bakes, finds a path and bakes in workers, in Node or in Chromium. Bundlers are this repository's
 * development dependencies.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { withPage } from '../browser/harness.js';
import { makeProject } from './install.js';

const EXPECTED = { status: 'complete', tiledStatus: 'complete', tiles: 9, points: 6 };

/** Opens the page of a project and returns window.outcome. */
async function openProject(mounts, { leastWorkers = 2, ...options } = {}) {
  let workers = 0;
  const prepare = (page) => page.on('worker', () => { workers++; });
  const outcome = await withPage({ path: '/index.html', mounts, prepare, ...options }, async (page) => {
    await page.waitForFunction('window.outcome');
    return page.evaluate('window.outcome');
  });
  assert.ok(workers >= leastWorkers, `${workers} workers were started`);
  return outcome;
}

/** Runs a script in a project and returns its output. */
const run = (folder, ...args) => execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });

test('project: Node', () => {
  const folder = makeProject('node');
  assert.deepEqual(JSON.parse(run(folder, 'main.js')), EXPECTED);
});

test('project: an import map without a bundler', async () => {
  assert.deepEqual(await openProject({ '': makeProject('import-map') }), EXPECTED);
});

test('project: Vite, built and in development', async () => {
  const folder = makeProject('vite', { tools: ['vite'] });
  run(folder, 'node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn');
  const emitted = readdirSync(join(folder, 'dist', 'assets')).map((name) => name.replace(/-[\w-]{8}\./, '.'));
  assert.deepEqual(emitted.sort(), ['index.js', 'own-worker.js', 'walkmesh-scalar.wasm', 'walkmesh.wasm', 'worker.js']);
  assert.deepEqual(await openProject({ '': join(folder, 'dist') }), { ...EXPECTED, ownStatus: 'complete' });

  const { createServer } = await import('vite');
  const server = await createServer({ root: folder, logLevel: 'error', server: { port: 0, host: '127.0.0.1' } });
  await server.listen();
  try {
    const { port } = server.httpServer.address();
    assert.deepEqual(await openProject({}, { origin: `http://localhost:${port}` }), { ...EXPECTED, ownStatus: 'complete' });
  } finally {
    await server.close();
  }
});

test('project: webpack', async () => {
  const folder = makeProject('webpack');
  const { default: webpack } = await import('webpack');
  const { default: config } = await import(pathToFileURL(join(folder, 'webpack.config.js')));
  const stats = await new Promise((resolve, reject) => {
    webpack({ ...config, context: folder, output: { path: join(folder, 'dist') } },
      (error, result) => (error ? reject(error) : resolve(result)));
  });
  assert.deepEqual(stats.toJson({ all: false, errors: true, warnings: true }).errors, []);
  assert.deepEqual(await openProject({ '': folder }), { ...EXPECTED, ownStatus: 'complete' });
});

test('project: esbuild', async () => {
  const folder = makeProject('esbuild', { tools: ['esbuild'] });
  run(folder, 'build.js');
  assert.deepEqual(await openProject({ '': folder }), EXPECTED);
});

test('project: Rollup', async () => {
  const folder = makeProject('rollup', { tools: ['rollup', '@rollup/plugin-node-resolve'] });
  run(folder, 'node_modules/rollup/dist/bin/rollup', '--config', '--silent');
  assert.deepEqual(await openProject({ '': folder }), EXPECTED);
});
