// Under a strict content security policy, the sources of docs/security.md suffice, and without them the error names them. Requests go
// only to the files of the page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ENGINE } from './engines/engines.js';
import { ROOT, withPage } from './harness.js';
import { DIST } from './tool.js';

/** The policies of docs/security.md, in the same order. */
const [LIBRARY, TOOL] = [...readFileSync(join(ROOT, 'docs', 'security.md'), 'utf8').matchAll(/^Content-Security-Policy: (.*)$/gm)]
  .map(([, policy]) => policy);

const scriptWith = (workers, above = '') => `import { load, NavError } from '/walkmesh/js/index.js';
const refused = [];
try { eval('1'); refused.push('eval runs'); } catch {}
try { new Function('return 1'); refused.push('new Function runs'); } catch {}
let outcome;
try {
  const walkmesh = await load();
  ${above}
  const level = { positions: [0, 0, 0, 0, 0, 40, 40, 0, 40, 40, 0, 0], indices: [0, 1, 2, 0, 2, 3] };
  const { navMesh, report } = await walkmesh.bakeTiled(level, { tileSize: 32 }, { workers: ${workers} });
  const path = navMesh.findPath([1, 0, 1], [39, 0, 39]);
  navMesh.free();
  outcome = { status: path.status, warnings: report.warnings, refused };
} catch (error) {
  outcome = { isNavError: error instanceof NavError, code: error.code, message: error.message, refused };
}
document.title = JSON.stringify(outcome);`;

/** Polls until the answer isn't empty: Playwright's own waiting needs eval in the page. @template T @param {() => Promise<T>} ask */
async function until(ask) {
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    await new Promise((resolve) => { setTimeout(resolve, 20); });
  }
}

/** @param {string} policy @param {string | number} [workers] an expression @param {string} [above] statements before the bake */
const runUnder = (policy, workers = "'auto'", above = '') => withPage({
  files: { 'index.html': '<!doctype html><meta charset="utf-8"><title></title><script type="module" src="/page.js"></script>', 'page.js': scriptWith(workers, above) },
  mounts: { walkmesh: ROOT }, headers: { 'Content-Security-Policy': policy }, allow: /Content[ -]Security[ -]Policy|TrustedScript/,
}, async (page, { requests }) => {
  return { ...JSON.parse(await until(() => page.title())), requests };
});

test('security: bakes in workers under the policy that the documentation gives, without eval', async () => {
  const { requests, ...outcome } = await runUnder(LIBRARY);
  assert.deepEqual(outcome, { status: 'complete', warnings: [], refused: [] });
  for (const path of requests) assert.match(path, /^\/($|page\.js$|favicon\.ico$|walkmesh\/(js|dist)\/)/);
});

test('security: without wasm-unsafe-eval load() rejects with what is missing, as a NavError', async () => {
  const policy = LIBRARY.replace(" 'wasm-unsafe-eval'", '');
  assert.notEqual(policy, LIBRARY);
  const { isNavError, code, message } = await runUnder(policy);
  assert.deepEqual([isNavError, code], [true, 'blocked']);
  assert.match(message, /content security policy or the host forbids to compile WebAssembly: .*Allow script-src 'wasm-unsafe-eval'/);
});

test('security: where the policy forbids to fetch the module, load() rejects with its address and the directive', async () => {
  const { isNavError, code, message } = await runUnder(LIBRARY.replace("connect-src 'self'", "connect-src 'none'"));
  assert.deepEqual([isNavError, code], [true, 'blocked']);
  assert.match(message, /forbids to fetch http:.*\/walkmesh\/dist\/walkmesh\.wasm\. Allow it in connect-src/);
});

test('security: where the policy forbids workers, the page bakes by itself, and a warning says so', async () => {
  for (const workers of ["'auto'", 2]) {
    const { status, warnings } = await runUnder(LIBRARY.replace("worker-src 'self'", "worker-src 'none'"), workers);
    assert.equal(status, 'complete', `workers: ${workers}`);
    assert.match(warnings.join(), /baked without workers/);
  }
});

test('security: under Trusted Types, workers start from the address of a policy, as security.md shows; without one the page bakes by itself', async () => {
  const policy = `${LIBRARY}; require-trusted-types-for 'script'; trusted-types game`;
  const { status, warnings } = await runUnder(policy);
  // Engines without Trusted Types start the workers.
  if (ENGINE === 'chromium') assert.match(warnings.join(), /baked without workers/);
  assert.equal(status, 'complete');
  const pool = `const trusted = globalThis.trustedTypes?.createPolicy('game', { createScriptURL: (text) => text }) ?? { createScriptURL: (text) => text };
    const pool = walkmesh.createWorkerPool({ workers: 1, worker: () => new Worker(trusted.createScriptURL('/walkmesh/js/workers/worker.js'), { type: 'module' }) });`;
  const { requests: _, ...outcome } = await runUnder(policy, 'pool', pool);
  assert.deepEqual(outcome, { status: 'complete', warnings: [], refused: [] });
});

test('security: the level tool works under the policy that the documentation gives, and asks nobody else', () => withPage({
  mounts: { '': DIST }, headers: { 'Content-Security-Policy': TOOL },
}, async (page, { url }) => {
  await until(() => page.evaluate('window.walkmeshTool?.store.state.session.bake.state === "done"'));
  await page.mouse.click(600, 300);
  const addresses = /** @type {string[]} */ (await page.evaluate('performance.getEntriesByType("resource").map(({ name }) => name)'));
  assert.ok(addresses.length > 5);
  for (const address of addresses) assert.ok(/^(blob|data):/.test(address) || new URL(address).origin === url, address);
}));
