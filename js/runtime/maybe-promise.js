/**
 * Values that may be promises: caches in memory and bakes in this thread return values, workers return promises. Awaiting a value
 * costs a microtask, which takes as long as reading a tile from a cache.
 */

/** @template T @typedef {T | PromiseLike<T>} MaybePromise */

/** @template T @param {MaybePromise<T>} value @returns {value is PromiseLike<T>} */
export const isPromise = (value) => typeof (/** @type {any} */ (value)?.then) === 'function';

/**
 * Calls `next` with a value: immediately, unless the value is a promise.
 * @template T, R
 * @param {MaybePromise<T>} value @param {(value: T) => MaybePromise<R>} next
 * @returns {R | Promise<R>} the result of `next`
 */
export function chain(value, next) {
  if (isPromise(value)) return Promise.resolve(value).then(next);
  const result = next(value);
  return isPromise(result) ? Promise.resolve(result) : result;
}
