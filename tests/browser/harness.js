/**
 * The harness of the browser tests: a server for folders of this machine, and pages of a browser that belong to one test each. The
 * browser is Chromium, or the engine that ENGINE names (engines/engines.js).
 *
 *   test('...', async () => {
 *     await withPage({ files: { 'index.html': html }, mounts: { 'walkmesh': ROOT } }, async (page, url) => { ... });
 *   });
 *
 * A page starts with an empty profile (no cache, no storage). Each error that it reports fails the test: uncaught
 * errors, unhandled rejections, console.error and console.warn, responses above 399, failed requests.
 */
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ENGINE, closeEngines, openEngine } from './engines/engines.js';

export { ENGINE };

/** Options of tests that drive a page by Playwright's methods. */
export const CHROMIUM_ONLY = { skip: ENGINE !== 'chromium' && 'needs Playwright, which drives Chromium' };

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const MIME_TYPES = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json', '.map': 'application/json', '.css': 'text/css; charset=utf-8', '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml', '.png': 'image/png', '.glb': 'model/gltf-binary', '.obj': 'text/plain; charset=utf-8',
};

/** The headers that make SharedArrayBuffer available to a page. */
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** The script that collects the errors of a page: its path on the server, and its file. */
const COLLECTOR = { path: '/problems-page.js', file: fileURLToPath(new URL('engines/problems-page.js', import.meta.url)) };

/** Puts the script that collects errors before all others of a page. @param {string} html */
const withCollector = (html) => html.replace(/^(<!doctype html>)?/i, `$&<script src="${COLLECTOR.path}"></script>`);

/**
 * @typedef {object} ServerOptions
 * @property {Record<string, string | Uint8Array>} [files] path -> content, served before mounted files; 'index.html' also answers '/'
 * @property {Record<string, string>} [mounts] first part of a path ('' for the root) -> the folder that contains the rest
 * @property {Record<string, string>} [headers] headers of every response
 * @property {boolean} [isolated] with the headers (COOP and COEP) that SharedArrayBuffer needs
 * @property {(problem: string) => void} [report] for engines that see no problems: called for paths without a file; pages collect
 *   their errors
 */

/** The file behind a path of the server, or undefined. @param {string} path @param {Record<string, string>} mounts */
function findFile(path, mounts) {
  const [, first, rest] = /^\/([^/]*)\/?(.*)$/.exec(path) ?? [];
  const candidates = [[mounts[first], rest], [mounts[''], path.slice(1)]];
  for (const [folder, name] of candidates) {
    if (folder === undefined) continue;
    const file = normalize(join(folder, name || 'index.html'));
    if (file.startsWith(normalize(folder + sep)) && existsSync(file) && statSync(file).isFile()) return file;
  }
  return undefined;
}

/**
 * Serves files and folders to this machine only, on a free port.
 * @param {ServerOptions} options
 * @returns {Promise<{ url: string, requests: string[], close: () => Promise<void> }>} url without a slash at its end;
 *   requests: the paths of all requests until now
 */
export async function startServer({ files = {}, mounts = {}, headers: more = {}, isolated = false, report }) {
  /** @type {string[]} */
  const requests = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    if (path !== COLLECTOR.path) requests.push(path);
    const headers = { 'Cache-Control': 'no-store', ...more, ...(isolated ? ISOLATION : {}) };
    const send = (/** @type {number} */ status, /** @type {string} */ type) =>
      response.writeHead(status, { ...headers, 'Content-Type': type });
    const type = MIME_TYPES[/** @type {keyof typeof MIME_TYPES} */ (extname(path) || '.html')] ?? 'application/octet-stream';
    const file = path === COLLECTOR.path ? COLLECTOR.file : findFile(path, mounts);
    const content = files[path.slice(1) || 'index.html'] ?? (file && report && type === MIME_TYPES['.html'] ? readFileSync(file, 'utf8') : undefined);
    if (content !== undefined) send(200, type).end(report && typeof content === 'string' && type === MIME_TYPES['.html'] ? withCollector(content) : content);
    else if (file) createReadStream(file).pipe(send(200, type));
    else if (path === '/favicon.ico') response.writeHead(204).end();
    else {
      report?.(`404: http://${request.headers.host}${path}`);
      send(404, MIME_TYPES['.obj']).end(`no file at ${path}`);
    }
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', () => resolve(undefined)); });
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    // Browsers treat this origin as secure, as OPFS and SharedArrayBuffer require.
    url: `http://localhost:${port}`,
    requests,
    close: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}

/** Chromium, for work that no other engine has. @returns {Promise<import('playwright-core').Browser>} */
export async function openBrowser() {
  await openEngine('chromium');
  return (await import('./engines/chromium.js')).openBrowser();
}

after(closeEngines);

/** Rejects after a delay; doesn't keep the process alive. @param {number} milliseconds */
function timeOut(milliseconds) {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`the page was not done in ${milliseconds} ms`)), milliseconds).unref();
  });
}

/**
 * Serves files, opens the first page, runs the body with it, and fails if the page reported an error: at once if it was fatal,
 * otherwise when the body is done.
 * @template T
 * @param {ServerOptions & { engine?: string, path?: string, origin?: string, allow?: RegExp, milliseconds?: number,
 *   context?: import('playwright-core').BrowserContextOptions, prepare?: (page: import('playwright-core').Page) => unknown }} options
 *   engine: default: the engine of this process; path: what to open, default '/'; origin: that of a running server, instead of files and folders; context: size of the page and
 *   similar options; prepare: called before the page is opened; allow: matching problems are expected; milliseconds: the time limit of
 *   the whole call, default 60,000
 * @param {(page: any, server: Awaited<ReturnType<typeof startServer>>) => Promise<T>} body
 *   page: an EnginePage (engines/engines.js); in Chromium, a page of Playwright
 * @returns {Promise<T>} the result of the body
 */
export async function withPage({ engine: engineName = ENGINE, path = '/', origin, allow, context, prepare, milliseconds = 60_000, ...serverOptions }, body) {
  /** @type {string[]} */
  const problems = [];
  let fail = (/** @type {Error} */ error) => void error;
  const fatal = new Promise((_, reject) => { fail = reject; });
  const report = (/** @type {string} */ problem, isFatal = false) => {
    if (allow?.test(problem)) return;
    problems.push(problem);
    if (isFatal) fail(new Error(problem));
  };
  // Opens the browser first: if there is none, an open server would keep the process alive.
  const engine = await openEngine(engineName);
  const { page, close } = await engine.openPage(report, { ...context, isolated: serverOptions.isolated });
  const server = await startServer({ ...serverOptions, ...(engine.seesProblems ? {} : { report }) });
  if (origin) server.url = origin;
  const work = async () => {
    await prepare?.(page);
    await page.goto(server.url + path);
    return body(page, server);
  };
  let result, failure;
  try {
    result = await Promise.race([work(), fatal, timeOut(milliseconds)]);
  } catch (error) {
    failure = error;
  } finally {
    await close();
    await server.close();
  }
  if (problems.length > 0) throw new Error(`the page found something wrong:\n${problems.join('\n')}`, { cause: failure });
  if (failure) throw failure;
  return /** @type {T} */ (result);
}

/**
 * Opens a page whose only script is a module, and returns the value that the script passes to `done(...)`. The script imports
 * from 'walkmesh', which an import map resolves to this repository.
 * @param {string} script @param {Parameters<typeof withPage>[0] & { imports?: Record<string, string> }} [options]
 *   imports: further entries of the import map
 * @returns {Promise<any>}
 */
export function runInPage(script, { imports = {}, files = {}, mounts = {}, ...options } = {}) {
  const map = { imports: { walkmesh: '/walkmesh/js/index.js', ...imports } };
  const html = `<!doctype html><meta charset="utf-8"><title>test</title>
<script>window.outcome = new Promise((resolve) => { window.done = resolve; });</script>
<script type="importmap">${JSON.stringify(map)}</script>
<script type="module">${script}</script>`;
  return withPage({ files: { 'index.html': html, ...files }, mounts: { walkmesh: ROOT, ...mounts }, ...options },
    (page) => page.evaluate('window.outcome'));
}
