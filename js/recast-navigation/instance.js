/** The one instance of the module that this entry works with, as recast-navigation has one. */
import { load } from '../index.js';
import { NavError } from '../runtime/errors.js';

/** @typedef {import('../index.js').Walkmesh} Walkmesh */

/** @type {Walkmesh | undefined} */
let instance;
/** @type {Promise<void> | undefined} */
let loading;

/**
 * Loads the module; once is enough, further calls wait for the first. Where a bundler does not find the module's file,
 * `{ wasm }` says where it is.
 * @param {import('../index.js').LoadOptions} [options]
 * @returns {Promise<void>}
 */
export function init(options = {}) {
  loading ??= load(options).then((walkmesh) => { instance = walkmesh; }, (error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** The instance; throws before init has loaded it. @returns {Walkmesh} */
export function getWalkmesh() {
  if (!instance) throw new NavError('state', 'the module is not loaded: await init() first');
  return instance;
}
