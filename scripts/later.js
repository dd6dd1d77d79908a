/**
 * Part of dist/index.js: loads dist/later.cjs with the first use of something in it. Half of the package's code is for crowds,
 * levels that change, streaming, checks and workers; to look through it takes an engine longer than all else at the start.
 */
import { createRequire } from 'node:module';

/** @type {Record<string, Function>} */
let internals;
/** @type {Record<string, Function> | undefined} */
let loaded;

/** Takes what dist/later.cjs needs of this file. @param {Record<string, Function>} given */
export function give(given) {
  internals = given;
}

/** By name there. */
function loadAll() {
  loaded ??= createRequire(import.meta.url)('./later.cjs')(internals, import.meta.url);
  return /** @type {Record<string, Function>} */ (loaded);
}

/** @param {string} name */
export const functionLater = (name) => (/** @type {unknown[]} */ ...values) => loadAll()[name](...values);

/**
 * A class that is loaded when anything is asked of it. Nothing tells it from the class itself: it is the constructor of its
 * instances, instanceof knows them, and other classes may extend it.
 * @param {string} name there @param {string} ownName
 */
export function classLater(name, ownName) {
  // Bound functions have no prototype, which could not be changed to that of the class.
  const target = /** @type {Function} */ (function () {}.bind(undefined));
  /** @type {Function | undefined} */
  let found;
  const find = () => {
    if (found) return found;
    found = loadAll()[name];
    Object.defineProperty(found, 'name', { value: ownName, configurable: true });
    Object.defineProperty(found.prototype, 'constructor', { value: own, writable: true, configurable: true });
    // A proxy may only tell of it, as it cannot be deleted, where its target has the same.
    Object.defineProperty(target, 'prototype', { value: found.prototype });
    return found;
  };
  /** @type {Function} */
  const own = new Proxy(target, {
    construct: (_, values, maker) => Reflect.construct(find(), values, maker === own ? find() : maker),
    get: (_, key) => Reflect.get(find(), key),
    set: (_, key, value) => Reflect.set(find(), key, value),
    has: (_, key) => Reflect.has(find(), key),
    apply: (_, self, values) => Reflect.apply(find(), self, values),
    deleteProperty: (_, key) => Reflect.deleteProperty(find(), key),
    defineProperty: (_, key, description) => Reflect.defineProperty(find(), key, description),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(find(), key),
    getPrototypeOf: () => Reflect.getPrototypeOf(find()),
    ownKeys: () => Reflect.ownKeys(find()),
  });
  return own;
}
