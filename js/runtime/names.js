/**
 * Names of options and fields: one that is misspelt is refused, with the nearest that there is. Written for questions asked
 * thousands of times a frame: no garbage, and only names that are given cost anything.
 */
import { invalidArgument } from './errors.js';

/** The names of a type, each once. @template T @typedef {{ readonly [name in keyof Required<T>]: 1 }} Names */

/** What other libraries call it. */
const SYNONYMS = /** @type {Record<string, string>} */ ({ vertices: 'positions', triangles: 'indices', faces: 'indices', index: 'indices' });
/** More edits than this make another word, and so do more than every second letter. */
const MOST_EDITS = 4;

/** A set of names: so few that looking at each is the fastest way to find one. @typedef {readonly string[]} NameSet */

/** @param {Readonly<Record<string, 1>>} names @param {NameSet} [more] those of another set, too @returns {NameSet} */
export const nameSet = (names, more = []) => [...Object.keys(names), ...more];

/** Edits that turn one word into another. @param {string} a @param {string} b */
function editDistance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j] + 1, next[j - 1] + 1));
    }
    row = next;
  }
  return row[b.length];
}

/** What is said behind an unknown name: the one that is meant, or all there are. @param {string} name @param {NameSet} names */
export function adviseName(name, names) {
  const distance = (/** @type {string} */ other) => editDistance(name.toLowerCase(), other.toLowerCase());
  const [nearest] = names.includes(SYNONYMS[name]) ? [SYNONYMS[name]]
    : names.filter((other) => distance(other) <= Math.min(MOST_EDITS, name.length / 2)).sort((a, b) => distance(a) - distance(b));
  return nearest ? `: did you mean ${nearest}?` : `: there are ${names.join(', ')}`;
}

/** @param {string} name @param {NameSet} names @param {unknown} value @param {string} [owner] of a field, as `volumes[3].`; not given: an option */
export function unknownName(name, names, value, owner) {
  return invalidArgument((owner ?? '') + name, `is not ${owner === undefined ? 'an option' : 'a field'}${adviseName(name, names)}`, value);
}

/** @param {any} object @param {NameSet} names @param {string} name @param {string} [owner] */
function refuse(object, names, name, owner) {
  const prototype = Object.getPrototypeOf(object);
  const isPlain = prototype === null || prototype === Object.prototype; // objects of a class may have fields of their own
  if (isPlain && Object.hasOwn(object, name) && object[name] !== undefined) throw unknownName(name, names, object[name], owner);
}

/**
 * Throws where a plain object has a name that is not among those there are, with a value.
 * @param {object} object @param {NameSet} names @param {string} [owner] as unknownName
 */
export function requireNames(object, names, owner) {
  next: for (const name in object) {
    for (let i = 0; i < names.length; i++) {
      if (names[i] === name) continue next;
    }
    refuse(object, names, name, owner);
  }
}
