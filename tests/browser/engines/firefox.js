/** Firefox, driven by Puppeteer over WebDriver BiDi. */
import { openDisplay } from './display.js';
import { pollUntil } from './poll.js';
import { findProgram } from './programs.js';

/** WebGL in software, also where Firefox's own trial of the driver takes too long on a busy machine. */
const PREFERENCES = { 'webgl.force-enabled': true };

/** @type {Promise<import('puppeteer-core').Browser> | undefined} */
let browser;

async function launch() {
  const { default: puppeteer } = await import('puppeteer-core');
  return puppeteer.launch({
    browser: 'firefox', headless: true, executablePath: findProgram('FIREFOX', ['firefox-esr', 'firefox']), protocolTimeout: 0,
    extraPrefsFirefox: PREFERENCES,
    env: { ...process.env, DISPLAY: await openDisplay() },
  });
}

async function openBrowser() {
  const before = browser;
  if (before && !(await before).connected && browser === before) browser = undefined;
  browser ??= launch();
  return browser;
}

/** The stack of an error without its first line, which repeats the message. @param {Error} error */
const stackOf = ({ stack = '' }) => stack.split('\n').slice(1).join('\n');

/** @param {import('puppeteer-core').Page} page @param {import('./engines.js').Report} report */
function watchPage(page, report) {
  page.on('pageerror', (error) => report(`uncaught: ${error.message}\n${stackOf(error)}`, true));
  page.on('error', () => report('the page crashed', true));
  page.on('console', (message) => {
    if (['error', 'warn'].includes(message.type())) report(`console.${message.type()}: ${message.text()}`, false);
  });
  page.on('response', (response) => {
    if (response.status() > 399) report(`${response.status()}: ${response.url()}`, false);
  });
  page.on('requestfailed', (request) => report(`${request.failure()?.errorText}: ${request.url()}`, false));
}

/** @type {import('./engines.js').Engine} */
export const firefox = {
  name: 'Firefox',
  seesProblems: true,
  async openPage(report, { viewport, deviceScaleFactor }) {
    const profile = await (await openBrowser()).createBrowserContext();
    const page = await profile.newPage();
    if (viewport) await page.setViewport({ ...viewport, deviceScaleFactor });
    watchPage(page, report);
    const evaluate = (/** @type {any} */ work, /** @type {any} */ argument) => page.evaluate(work, argument);
    return {
      page: {
        goto: (url) => page.goto(url), evaluate, title: () => page.title(), mouse: page.mouse, screenshot: () => page.screenshot(),
        waitForFunction: (condition, argument) => pollUntil(() => evaluate(condition, argument)),
      },
      close: () => profile.close(),
    };
  },
  close: async () => (await browser?.catch(() => undefined))?.close(),
};
