/** Functions and methods of recast-navigation that this entry doesn't have: each throws when it is used, and names a replacement. */
import { NavError } from '../runtime/errors.js';

/** Replacements by the name of a function, a class, or `Class.method`. @type {Map<string, string>} */
export const replacements = new Map();

/** @param {string} name @returns {NavError} */
export function missing(name) {
  return new NavError('unsupported', `walkmesh/recast-navigation has no ${name}: use ${replacements.get(name)} (see docs/migration.md)`, { field: name });
}

/**
 * Adds methods that throw to a class.
 * @param {{ name: string, prototype: any }} type @param {Record<string, string>} names method -> its replacement
 * @param {string} [typeName] the name that users know
 */
export function addMissing(type, names, typeName = type.name) {
  for (const [name, instead] of Object.entries(names)) {
    replacements.set(`${typeName}.${name}`, instead);
    type.prototype[name] = () => {
      throw missing(`${typeName}.${name}`);
    };
  }
}
