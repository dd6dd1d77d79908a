/**
 * Part of dist/index.js: loads dist/later.cjs when one of its exports is first used. Half of the package's code is for crowds,
 * dynamic levels, streaming, checks and workers; parsing it takes longer than the rest of the start.
 */
import { createRequire } from 'node:module';

/** @type {Record<string, Function>} */
let internals;
/** @type {Record<string, Function> | undefined} */
let loaded;

/** Receives the exports of this file that dist/later.cjs needs. @param {Record<string, Function>} given */
export function give(given) {
  internals = given;
}

/** Loads dist/later.cjs; returns its exports by name. */
function loadAll() {
  loaded ??= createRequire(import.meta.url)('./later.cjs')(internals, import.meta.url);
  return /** @type {Record<string, Function>} */ (loaded);
}

/** @param {string} name */
export const functionLater = (name) => (/** @type {unknown[]} */ ...values) => loadAll()[name](...values);

/**
 * A class that is loaded when one of its properties is first read. It behaves as the class itself: it is the constructor of its
 * instances, instanceof recognizes them, and other classes may extend it.
 * @param {string} name in dist/later.cjs @param {string} ownName
 */
export function classLater(name, ownName) {
  // A bound function has no `prototype`; that of a plain function couldn't be replaced by that of the class.
  const target = /** @type {Function} */ (function () {}.bind(undefined));
  /** @type {Function | undefined} */
  let found;
  const find = () => {
    if (found) return found;
    found = loadAll()[name];
    Object.defineProperty(found, 'name', { value: ownName, configurable: true });
    Object.defineProperty(found.prototype, 'constructor', { value: own, writable: true, configurable: true });
    // A proxy must report a property that can't be deleted exactly as its target has it, so the target gets the same one.
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
