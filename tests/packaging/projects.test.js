/**
 * The first steps of a new user: the packed package installed into fresh projects (tests/packaging/projects), each set up as the
 * README describes. Each bakes, finds a path and bakes in workers, in Node or in Chromium. Bundlers are this repository's
 * development dependencies.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { withPage } from '../browser/harness.js';
import { ROOT, makeProject } from './install.js';

const EXPECTED = { status: 'complete', tiledStatus: 'complete', tiles: 9, points: 6 };

/** Opens the page of a project and returns window.outcome. */
async function openProject(mounts, { leastWorkers = 2, path = '/index.html', ...options } = {}) {
  let workers = 0;
  const prepare = (page) => page.on('worker', () => { workers++; });
  const outcome = await withPage({ path, mounts, prepare, ...options }, async (page) => {
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

for (const vite of ['vite', 'vite-7', 'vite-6', 'vite-5']) {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'node_modules', vite, 'package.json'), 'utf8'));
  const expected = { ...EXPECTED, closedStatus: 'unreachable', ownStatus: 'complete' };

  test(`project: Vite ${version}, built and in development`, async () => {
    const folder = makeProject('vite', { as: vite, tools: [vite] });
    // A process of its own: it sets NODE_ENV.
    run(folder, `node_modules/${vite}/bin/vite.js`, 'build', '--logLevel', 'warn');
    const emitted = readdirSync(join(folder, 'dist', 'assets')).map((name) => name.replace(/-[\w-]{8}\./, '.'));
    assert.deepEqual(emitted.sort(), ['index.js', 'own-worker.js', 'walkmesh-scalar.wasm', 'walkmesh.wasm', 'worker.js']);
    assert.deepEqual(await openProject({ '': join(folder, 'dist') }), expected);

    const { createServer } = await import(pathToFileURL(join(ROOT, 'node_modules', vite, 'dist', 'node', 'index.js')));
    const server = await createServer({ root: folder, logLevel: 'error', server: { port: 0, host: '127.0.0.1' } });
    await server.listen();
    try {
      const origin = `http://localhost:${server.httpServer.address().port}`;
      assert.deepEqual(await openProject({}, { origin }), expected);
      assert.deepEqual(await openProject({}, { origin, path: '/entries.html' }), { ...EXPECTED, points: 2 });
    } finally {
      await server.close();
    }
  });
}

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
