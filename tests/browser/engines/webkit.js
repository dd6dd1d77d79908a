/**
 * WebKitGTK, the engine of Safari in a small browser for Linux (MiniBrowser), driven over WebDriver by Selenium. Its driver doesn't
 * report the errors of a page: the page collects them (problems-page.js), and each evaluation brings them here.
 */
import { openDisplay } from './display.js';
import { pollUntil } from './poll.js';
import { findProgram, startProgram } from './programs.js';

/**
 * @typedef {import('selenium-webdriver').WebDriver} WebDriver
 * @typedef {import('node:child_process').ChildProcess} ChildProcess
 */

/** Milliseconds that a script may take: the tests have their own, shorter limits. */
const LONGEST_SCRIPT = 3_600_000;

/** Milliseconds that a launch may take: the driver answers nothing if the browser ends at its start. */
const LONGEST_LAUNCH = 60_000;

/**
 * One browser for isolated pages, one for all others: WebKitGTK gives isolated pages SharedArrayBuffer only if the whole browser has it.
 * @type {Map<boolean, Promise<{ driver: WebDriver, server: ChildProcess }>>}
 */
const browsers = new Map();

/** A port that is free now. @returns {Promise<number>} */
async function findPort() {
  const { createServer } = await import('node:net');
  const server = createServer();
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', () => resolve(undefined)); });
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await new Promise((resolve) => { server.close(resolve); });
  return port;
}

/** Waits until the driver answers, and opens a browser. @param {string} url @param {ChildProcess} server */
async function openSession(url, server) {
  const isOver = () => (server.exitCode ?? server.signalCode) !== null;
  await pollUntil(() => fetch(`${url}/status`).then(({ ok }) => ok, isOver));
  const { Builder, Capabilities } = await import('selenium-webdriver');
  const driver = await new Builder().usingServer(url).withCapabilities(new Capabilities({ browserName: 'MiniBrowser' })).build();
  await driver.manage().setTimeouts({ script: LONGEST_SCRIPT });
  return driver;
}

/** @param {boolean} isolated */
async function launch(isolated) {
  const port = await findPort();
  const server = startProgram(findProgram('WEBKIT_DRIVER', ['WebKitWebDriver']), [`--port=${port}`, '--host=127.0.0.1'],
    { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DISPLAY: await openDisplay(), JSC_useSharedArrayBuffer: String(isolated) } });
  const late = new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`WebKitGTK's browser did not start in ${LONGEST_LAUNCH / 1000} s`)), LONGEST_LAUNCH).unref();
  });
  try {
    return { driver: await Promise.race([openSession(`http://127.0.0.1:${port}`, server), late]), server };
  } catch (error) {
    server.kill();
    throw error;
  }
}

/**
 * Evaluates in the page; returns the value, and the problems since the last evaluation, as JSON: the driver changes the order of keys.
 * A fatal problem ends the waiting.
 */
const RUN = (/** @type {string} */ call) => `return Promise.race([window.fatalProblem ?? new Promise(() => {}), (async () => ${call})()])
  .then((value) => JSON.stringify({ value, problems: window.problems?.splice(0) ?? [] }));`;

/** @implements {import('./engines.js').EnginePage} */
class WebKitPage {
  /** @param {WebDriver} driver @param {import('./engines.js').Report} report */
  constructor(driver, report) {
    this.driver = driver;
    this.report = report;
    this.mouse = { click: (/** @type {number} */ x, /** @type {number} */ y) => this.#click(x, y) };
  }

  /** @param {string} url */
  goto(url) {
    return this.driver.get(url);
  }

  /** @param {string | ((argument: any) => any)} work @param {any} [argument] @returns {Promise<any>} */
  async evaluate(work, argument) {
    const call = typeof work === 'string' ? `(${work})` : `(${work})(arguments[0])`;
    const { value, problems } = JSON.parse(await this.driver.executeScript(RUN(call), argument));
    for (const { text, isFatal } of problems) this.report(text, isFatal);
    return value;
  }

  /** @param {string | ((argument: any) => any)} condition @param {any} [argument] */
  waitForFunction(condition, argument) {
    return pollUntil(() => this.evaluate(condition, argument));
  }

  title() {
    return this.driver.getTitle();
  }

  async screenshot() {
    return Buffer.from(await this.driver.takeScreenshot(), 'base64');
  }

  /** Makes the page as large as asked for: the window is larger by its bars. @param {{ width: number, height: number }} size */
  async setViewport({ width, height }) {
    const window = this.driver.manage().window();
    const { width: outerWidth, height: outerHeight } = await window.getRect();
    const inner = /** @type {number[]} */ (await this.driver.executeScript('return [innerWidth, innerHeight]'));
    await window.setRect({ x: 0, y: 0, width: width + outerWidth - inner[0], height: height + outerHeight - inner[1] });
  }

  /** @param {number} x @param {number} y */
  async #click(x, y) {
    await this.driver.actions().move({ x: Math.round(x), y: Math.round(y) }).click().perform();
  }
}

/** @type {import('./engines.js').Engine} */
export const webkit = {
  name: 'WebKitGTK',
  seesProblems: false,
  async openPage(report, { viewport, isolated = false }) {
    const browser = browsers.get(isolated) ?? launch(isolated);
    browsers.set(isolated, browser);
    const { driver } = await browser;
    const first = await driver.getWindowHandle();
    await driver.switchTo().newWindow('window');
    const page = new WebKitPage(driver, report);
    if (viewport) await page.setViewport(viewport);
    return {
      page,
      async close() {
        await page.evaluate('null').catch(() => {});
        await driver.close();
        await driver.switchTo().window(first);
      },
    };
  },
  async close() {
    for (const browser of browsers.values()) {
      const open = await browser.catch(() => undefined);
      await open?.driver.quit();
      open?.server.kill();
    }
  },
};
