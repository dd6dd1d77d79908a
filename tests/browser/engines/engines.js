/**
 * The browser engines of the tests. Each module beside this one opens pages in one of them, and all pages share the methods of
 * EnginePage, so that a test is written once:
 *
 *   ENGINE=firefox node --test tests/browser/workers.test.js
 *
 * Chromium's pages are Playwright's: tests that need more than EnginePage run in Chromium only.
 */

import { closeDisplay } from './display.js';

/**
 * The methods that pages of every engine have, named as in Playwright.
 * @typedef {object} EnginePage
 * @property {(url: string) => Promise<unknown>} goto
 * @property {(work: string | ((argument: any) => any), argument?: any) => Promise<any>} evaluate a string is an expression;
 *   promises are awaited
 * @property {(condition: string | ((argument: any) => any), argument?: any) => Promise<unknown>} waitForFunction
 * @property {() => Promise<string>} title
 * @property {() => Promise<Uint8Array>} screenshot of the visible part, a PNG file
 * @property {{ click: (x: number, y: number) => Promise<void> }} mouse
 */

/**
 * @typedef {object} PageOptions
 * @property {{ width: number, height: number }} [viewport] of the page, in its pixels
 * @property {number} [deviceScaleFactor] canvas pixels per page pixel; WebKit ignores it
 * @property {boolean} [isolated] true if the server sends the headers that SharedArrayBuffer needs; only WebKit must know
 */

/**
 * @callback Report
 * @param {string} problem @param {boolean} isFatal true if further waiting is useless
 */

/**
 * @typedef {object} Engine
 * @property {string} name as people call the browser
 * @property {boolean} seesProblems false if its driver doesn't report a page's errors: the server then has to
 * @property {(report: Report, options: PageOptions) => Promise<{ page: EnginePage, close: () => Promise<void> }>} openPage
 *   opens an empty page
 * @property {() => Promise<void>} close ends the browser
 */

/** The engines by name. @type {Record<string, () => Promise<Engine>>} */
const ENGINES = {
  chromium: async () => (await import('./chromium.js')).chromium,
  firefox: async () => (await import('./firefox.js')).firefox,
  webkit: async () => (await import('./webkit.js')).webkit,
};

export const ENGINE_NAMES = Object.keys(ENGINES);

/** The engine of this process. */
export const ENGINE = process.env.ENGINE ?? 'chromium';

/** Opened engines. @type {Map<string, Promise<Engine>>} */
const opened = new Map();

/** @param {string} [name] default: the engine of this process @returns {Promise<Engine>} */
export function openEngine(name = ENGINE) {
  if (!ENGINE_NAMES.includes(name)) throw new Error(`ENGINE is ${name}: must be one of ${ENGINE_NAMES.join(', ')}`);
  const engine = opened.get(name) ?? ENGINES[name]();
  opened.set(name, engine);
  return engine;
}

/** Ends all browsers that this process has opened, and then their display. */
export async function closeEngines() {
  await Promise.all([...opened.values()].map(async (engine) => (await engine).close()));
  await closeDisplay();
}
