/** The single instance of the module that this entry uses, as in recast-navigation. */
import { load } from '../index.js';
import { NavError } from '../runtime/errors.js';

/** @typedef {import('../index.js').Walkmesh} Walkmesh */

/** @type {Walkmesh | undefined} */
let instance;
/** @type {Promise<void> | undefined} */
let loading;

/**
 * Loads the module. Once is enough: further calls wait for the first. If a bundler doesn't find the module's file, pass
 * `{ wasm }`.
 * @param {import('../index.js').LoadOptions | Function} [given] options; recast-navigation's own module, a function, is ignored
 * @returns {Promise<void>}
 */
export function init(given = {}) {
  const options = typeof given === 'function' ? {} : given;
  loading ??= load(options).then((walkmesh) => { instance = walkmesh; }, (error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** The instance; throws before init has finished. @returns {Walkmesh} */
export function getWalkmesh() {
  if (!instance) throw new NavError('state', 'the module is not loaded: await init() first');
  return instance;
}
