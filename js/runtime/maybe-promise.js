/**
 * Values that are there or will be: caches in memory and bakes in this thread answer at once, workers later. Waiting for
 * what is there costs a turn of the microtasks, which for a tile out of a cache is as much as the tile.
 */

/** @template T @typedef {T | PromiseLike<T>} Soon */

/** @template T @param {Soon<T>} value @returns {value is PromiseLike<T>} */
export const comesLater = (value) => typeof (/** @type {any} */ (value)?.then) === 'function';

/**
 * Goes on with a value: at once where it is there.
 * @template T, R
 * @param {Soon<T>} value @param {(value: T) => Soon<R>} next
 * @returns {R | Promise<R>} what `next` returns; what it throws is thrown, or rejects the promise
 */
export function whenThere(value, next) {
  if (comesLater(value)) return Promise.resolve(value).then(next);
  const result = next(value);
  return comesLater(result) ? Promise.resolve(result) : result;
}
