/**
 * The harness of the browser tests: pages of a browser that belong to one test each, on a server for folders of this machine
 * (server.js). The browser is Chromium, or the engine that ENGINE names (engines/engines.js).
 *
 *   test('...', async () => {
 *     await withPage({ files: { 'index.html': html }, mounts: { 'walkmesh': ROOT } }, async (page, url) => { ... });
 *   });
 *
 * A page starts with an empty profile (no cache, no storage). Each error that it reports fails the test: uncaught
 * errors, unhandled rejections, console.error and console.warn, responses above 399, failed requests.
 */
import { after } from 'node:test';
import { ENGINE, closeEngines, openEngine } from './engines/engines.js';
import { ROOT, startServer } from './server.js';

export { ENGINE, ROOT, startServer };
/** @typedef {import('./server.js').ServerOptions} ServerOptions */

/** Options of tests that drive a page by Playwright's methods. */
export const CHROMIUM_ONLY = { skip: ENGINE !== 'chromium' && 'needs Playwright, which drives Chromium' };

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
  /** @type {unknown} */
  let failure;
  let fail = (/** @type {Error} */ error) => void error;
  const fatal = new Promise((_, reject) => { fail = reject; });
  const report = (/** @type {string} */ problem, isFatal = false) => {
    if (failure || allow?.test(problem)) return; // closing a page that failed ends its requests
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
  let result;
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
