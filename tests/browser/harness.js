/**
 * The harness of the browser tests: a server for folders of this machine, and pages of a headless Chromium that belong to one
 * test each.
 *
 *   test('...', async () => {
 *     await withPage({ files: { 'index.html': html }, mounts: { 'walkmesh': ROOT } }, async (page, url) => { ... });
 *   });
 *
 * A page starts with an empty profile (no cache, no storage). Each error that it reports fails the test: uncaught
 * errors, unhandled rejections, console.error and console.warn, responses above 399, failed requests.
 */
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { delimiter, extname, join, normalize, sep } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const MIME_TYPES = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json', '.map': 'application/json', '.css': 'text/css; charset=utf-8', '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml', '.png': 'image/png', '.glb': 'model/gltf-binary', '.obj': 'text/plain; charset=utf-8',
};

/** Chromium's switches: no downloads, no updates, no graphics card (WebGL runs in software). */
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--use-gl=angle', '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader', '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--no-first-run'];

/** The headers that make SharedArrayBuffer available to a page. */
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/**
 * @typedef {object} ServerOptions
 * @property {Record<string, string>} [files] path -> text, served before mounted files; 'index.html' also answers '/'
 * @property {Record<string, string>} [mounts] first part of a path ('' for the root) -> the folder that contains the rest
 * @property {Record<string, string>} [headers] headers of every response
 * @property {boolean} [isolated] with the headers (COOP and COEP) that SharedArrayBuffer needs
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
export async function startServer({ files = {}, mounts = {}, headers: more = {}, isolated = false }) {
  /** @type {string[]} */
  const requests = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    requests.push(path);
    const headers = { 'Cache-Control': 'no-store', ...more, ...(isolated ? ISOLATION : {}) };
    const send = (/** @type {number} */ status, /** @type {string} */ type) =>
      response.writeHead(status, { ...headers, 'Content-Type': type });
    const type = MIME_TYPES[/** @type {keyof typeof MIME_TYPES} */ (extname(path) || '.html')] ?? 'application/octet-stream';
    const text = files[path.slice(1) || 'index.html'];
    const file = text === undefined ? findFile(path, mounts) : undefined;
    if (text !== undefined) send(200, type).end(text);
    else if (file) createReadStream(file).pipe(send(200, type));
    else if (path === '/favicon.ico') response.writeHead(204).end();
    else send(404, MIME_TYPES['.obj']).end(`no file at ${path}`);
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

/**
 * Usable programs, the best first: the headless shell opens a page in a third of the processor time, since it has no windows,
 * whose frames are pages, too.
 */
const BROWSERS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** The path of Chromium: CHROMIUM, or the first of BROWSERS on the PATH. */
function findChromium() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = BROWSERS.flatMap((name) => folders.map((folder) => join(folder, name)));
  const path = process.env.CHROMIUM ?? paths.find((candidate) => existsSync(candidate));
  if (!path) throw new Error('Chromium is missing: npm run setup installs it, or CHROMIUM=/path/to/chromium says where it is');
  return path;
}

/** One browser for all tests of a process. @type {Promise<import('playwright-core').Browser> | undefined} */
let browser;

/** @returns {Promise<import('playwright-core').Browser>} */
export async function openBrowser() {
  // If it crashed, only one test fails.
  const before = browser;
  if (before && !(await before).isConnected() && browser === before) browser = undefined;
  browser ??= chromium.launch({ executablePath: findChromium(), args: FLAGS });
  return browser;
}

after(async () => (await browser?.catch(() => undefined))?.close());

/** Messages of a GL driver about its own speed (of readPixels, of a long queue on a busy machine) aren't errors of the page. */
const DRIVER_ON_SPEED = /GL Driver Message \(OpenGL, Performance,/;

/**
 * Calls back with every error of a page; the last argument is true if further waiting is useless.
 * @param {import('playwright-core').Page} page @param {(problem: string, isFatal: boolean) => void} report
 */
function watchPage(page, report) {
  page.on('pageerror', (error) => report(`uncaught: ${error.stack ?? error.message}`, true));
  page.on('crash', () => report('the page crashed', true));
  page.on('console', (message) => {
    if (DRIVER_ON_SPEED.test(message.text())) return;
    if (['error', 'warning'].includes(message.type())) report(`console.${message.type()}: ${message.text()}`, false);
  });
  page.on('response', (response) => {
    if (response.status() > 399) report(`${response.status()}: ${response.url()}`, false);
  });
  page.on('requestfailed', (request) => report(`${request.failure()?.errorText}: ${request.url()}`, false));
}

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
 * @param {ServerOptions & { path?: string, origin?: string, allow?: RegExp, milliseconds?: number,
 *   context?: import('playwright-core').BrowserContextOptions, prepare?: (page: import('playwright-core').Page) => unknown }} options
 *   path: what to open, default '/'; origin: that of a running server, instead of files and folders; context: size of the page and
 *   similar options; prepare: called before the page is opened; allow: matching problems are expected; milliseconds: the time limit of
 *   the whole call, default 60,000
 * @param {(page: import('playwright-core').Page, server: Awaited<ReturnType<typeof startServer>>) => Promise<T>} body
 * @returns {Promise<T>} the result of the body
 */
export async function withPage({ path = '/', origin, allow, context, prepare, milliseconds = 60_000, ...serverOptions }, body) {
  // Opens the browser first: if there is none, an open server would keep the process alive.
  const profile = await (await openBrowser()).newContext(context);
  const server = await startServer(serverOptions);
  if (origin) server.url = origin;
  /** @type {string[]} */
  const problems = [];
  const complaint = (/** @type {unknown} */ cause) =>
    new Error(`the page found something wrong:\n${problems.join('\n')}`, { cause });
  try {
    const page = await profile.newPage();
    const fatal = new Promise((_, reject) => {
      watchPage(page, (problem, isFatal) => {
        if (allow?.test(problem)) return;
        problems.push(problem);
        if (isFatal) reject(new Error(problem));
      });
    });
    await prepare?.(page);
    const work = page.goto(server.url + path).then(() => body(page, server));
    const result = await Promise.race([work, fatal, timeOut(milliseconds)]);
    if (problems.length > 0) throw complaint(undefined);
    return /** @type {T} */ (result);
  } catch (error) {
    throw problems.length > 0 ? complaint(error) : error;
  } finally {
    await profile.close();
    await server.close();
  }
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
