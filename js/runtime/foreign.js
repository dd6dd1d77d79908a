/** Reading objects that other libraries or another copy of the package made: their structure is only known when it is read. */
import { NavError } from './errors.js';
import { HandleOwner } from './handle.js';

/**
 * True for an object of a kind, also one of another copy of the package, but not for a proxy of one or an object that inherits from
 * one: those have none of its private fields.
 * @param {any} value @param {import('./handle-kinds.js').HandleKind} kind
 */
export function isOfKind(value, { noun }) {
  if (value instanceof HandleOwner && !HandleOwner.isOwn(value)) return false;
  return typeof value === 'object' && value?.handle?.kind?.noun === noun;
}

/**
 * Runs code that reads objects of three.js. What the engine throws at wrong structure (a matrix without numbers, children that are no
 * array) becomes a NavError `geometry`; all other errors pass.
 * @template T @param {string} field the argument @param {() => T} read @returns {T}
 */
export function readForeign(field, read) {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    throw new NavError('geometry', `${field} can't be read as three.js's objects: ${error.message}`, { field, cause: error });
  }
}

/** Runs a callback of the user, whose errors readForeign lets pass. @template {any[]} A @template R @param {((...args: A) => R) | undefined} call */
export const passErrors = (call) => call && ((/** @type {A} */ ...args) => {
  try {
    return call(...args);
  } catch (error) {
    throw new OfCaller(error);
  }
});

/** Carries an error that a callback of the user threw, so that it reaches the user unchanged. */
class OfCaller {
  /** @param {unknown} error */
  constructor(error) {
    this.error = error;
  }
}

/** As readForeign, with callbacks of passErrors in it. @template T @param {string} field @param {() => T} read @returns {T} */
export function readWithCallbacks(field, read) {
  try {
    return readForeign(field, read);
  } catch (error) {
    throw error instanceof OfCaller ? error.error : error;
  }
}
