/** Chromium, driven by Playwright. */
import { findProgram } from './programs.js';

/** Chromium's switches: no downloads, no updates, no graphics card (WebGL runs in software). */
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--use-gl=angle', '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader', '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--no-first-run'];

/**
 * Usable programs, the best first: the headless shell opens a page in a third of the processor time, since it has no windows,
 * whose frames are pages, too.
 */
const BROWSERS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** One browser for all tests of a process. @type {Promise<import('playwright-core').Browser> | undefined} */
let browser;

async function launch() {
  const { chromium: playwright } = await import('playwright-core');
  return playwright.launch({ executablePath: findProgram('CHROMIUM', BROWSERS), args: FLAGS });
}

/** @returns {Promise<import('playwright-core').Browser>} */
export async function openBrowser() {
  // If it crashed, only one test fails.
  const before = browser;
  if (before && !(await before).isConnected() && browser === before) browser = undefined;
  browser ??= launch();
  return browser;
}

/** Messages of a GL driver about its own speed (of readPixels, of a long queue on a busy machine) aren't errors of the page. */
const DRIVER_ON_SPEED = /GL Driver Message \(OpenGL, Performance,/;

/** @param {import('playwright-core').Page} page @param {import('./engines.js').Report} report */
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

/** @type {import('./engines.js').Engine & { openPage: (report: import('./engines.js').Report,
 *   options: import('playwright-core').BrowserContextOptions & import('./engines.js').PageOptions) => Promise<{ page: import('playwright-core').Page, close: () => Promise<void> }> }} */
export const chromium = {
  name: 'Chromium',
  seesProblems: true,
  async openPage(report, { isolated, ...options }) {
    const profile = await (await openBrowser()).newContext(options);
    const page = await profile.newPage();
    watchPage(page, report);
    return { page, close: () => profile.close() };
  },
  close: async () => (await browser?.catch(() => undefined))?.close(),
};
