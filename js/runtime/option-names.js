/**
 * Checks the names of options and fields. An unknown name is an error that suggests the most similar one. Queries run thousands
 * of times a frame: the check makes no garbage, and costs time only for names that are given.
 */
import { invalidArgument } from './errors.js';

/** The names of a type's fields. @template T @typedef {{ readonly [name in keyof Required<T>]: 1 }} Names */

/** Names of other libraries. */
const SYNONYMS = /** @type {Record<string, string>} */ ({
  vertices: 'positions', triangles: 'indices', faces: 'indices', index: 'indices', cs: 'cellSize', ch: 'cellHeight', walkableSlopeAngle: 'agentMaxSlope',
  maxSimplificationError: 'maxEdgeError', minRegionArea: 'minRegionSize', mergeRegionArea: 'mergeRegionSize', maxVertsPerPoly: 'maxVerticesPerPolygon', detailSampleMaxError: 'detailMaxError',
});
/** Advice on names of other libraries that mean something else here. */
const ADVICE = /** @type {Record<string, string>} */ ({
  walkableRadius: 'agentRadius has world units, not cells', walkableHeight: 'agentHeight has world units, not cells',
  walkableClimb: 'agentMaxClimb has world units, not cells', maxEdgeLen: 'maxEdgeLength has world units, not cells',
  borderSize: 'it follows from agentRadius', maxAgents: 'there is no limit', maxAgentRadius: 'there is no limit',
});
/** The largest edit distance of a suggestion; also at most half of the letters. */
const MAX_EDITS = 4;
/** The fewest letters of the beginning of a name that suggest it; also at least half of its letters. */
const LEAST_BEGINNING = 4;

/** A set of names, as an array: linear search is fastest for such small sets. @typedef {readonly string[]} NameSet */

/** @param {Readonly<Record<string, 1>>} names @param {NameSet} [more] names of another set @returns {NameSet} */
export const nameSet = (names, more = []) => [...Object.keys(names), ...more];

/** The edit distance of two words. @param {string} a @param {string} b */
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

/** The name that is most similar to an unknown one, if any is. @param {string} name @param {NameSet} names @returns {string | undefined} */
export function findSimilarName(name, names) {
  const distance = (/** @type {string} */ other) => editDistance(name.toLowerCase(), other.toLowerCase());
  const begins = (/** @type {string} */ other) => name.length >= Math.max(LEAST_BEGINNING, other.length / 2) && other.toLowerCase().startsWith(name.toLowerCase());
  const [nearest] = Object.hasOwn(SYNONYMS, name) && names.includes(SYNONYMS[name]) ? [SYNONYMS[name]] : names.some(begins) ? names.filter(begins)
    : names.filter((other) => distance(other) <= Math.min(MAX_EDITS, name.length / 2)).sort((a, b) => distance(a) - distance(b));
  return nearest;
}

/** The second half of a message about an unknown name: the most similar name, or all names. @param {string} name @param {NameSet} names */
export function adviseName(name, names) {
  const nearest = findSimilarName(name, names);
  if (Object.hasOwn(ADVICE, name)) return `: ${ADVICE[name]}`;
  return nearest ? `: did you mean ${nearest}?` : `: must be one of ${names.join(', ')}`;
}

/** @param {string} name @param {NameSet} names @param {unknown} value @param {string} [owner] of a field, as `volumes[3].`; default: it is an option */
export function unknownName(name, names, value, owner) {
  return invalidArgument((owner ?? '') + name, `is not ${owner === undefined ? 'an option' : 'a field'}${adviseName(name, names)}`, value);
}

/**
 * A copy of an object's fields, each of which is read once. Of an object of a class only the fields with these names, also those of its getters.
 * @param {any} given @param {Iterable<string>} names @returns {Record<string, any>}
 */
export function copyFields(given, names) {
  const prototype = Object.getPrototypeOf(given);
  if (prototype === Object.prototype || prototype === null) return { ...given };
  return Object.fromEntries(Array.from(names, (name) => [name, given[name]]).filter(([, value]) => value !== undefined));
}

/** @param {any} object @param {NameSet} names @param {string} name @param {string} [owner] */
function refuse(object, names, name, owner) {
  const prototype = Object.getPrototypeOf(object);
  const isPlain = prototype === null || prototype === Object.prototype; // objects of classes may have other fields
  if (isPlain && Object.hasOwn(object, name) && object[name] !== undefined) throw unknownName(name, names, object[name], owner);
}

/**
 * Throws if a plain object has a value with an unknown name.
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
