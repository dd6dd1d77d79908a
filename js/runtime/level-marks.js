/**
 * Which parts of a level count, and their areas: the rules that scenes of three.js, glTF and OBJ files share. `walkmesh` in userData or
 * extras holds `ignore` or `area`; patterns choose nodes, materials and groups by name.
 */
import { describe, invalidArgument } from './errors.js';

/** Area of triangles without an area of their own. */
export const DEFAULT_AREA = 63;

/**
 * @typedef {object} NamePatterns
 * @property {string[]} [include] only meshes whose own name, or the name of an ancestor or of their material, matches one of these
 *   patterns; `*` stands for any characters. Of OBJ files: faces whose object (`o`), one of whose groups (`g`) or whose material (`usemtl`) matches
 * @property {string[]} [exclude] without meshes that match one of these patterns; wins over include
 * @property {Record<string, number>} [areas] areas, 0 to 63, by pattern; the first that matches wins over userData and extras
 */

/**
 * @typedef {object} NameRules
 * @property {(names: string[]) => boolean} isWanted
 * @property {(name: string) => boolean} isExcluded
 * @property {(names: string[]) => number | undefined} areaOf
 * @property {() => string[]} warnings of patterns that matched no name until now
 */

/**
 * Checks an area.
 * @param {unknown} area @param {string} what @param {(problem: string) => Error} fail
 * @returns {number | null | undefined}
 */
export function checkArea(area, what, fail) {
  if (area === undefined || area === null) return area;
  if (Number.isInteger(area) && Number(area) >= 0 && Number(area) <= 63) return Number(area);
  throw fail(`${what} is ${describe(area)}: must be a whole number from 0 to 63`);
}

/** The value of a JSON text, or undefined. @param {string} text */
function parseText(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** At most this much of a mark that is no JSON is in its error. */
const SHOWN = 40;

/**
 * Reads the mark of a node, mesh or material; null: leave the owner out. A text is read as JSON: exporters write custom properties so.
 * @param {any} mark `walkmesh` of its userData or extras @param {string} where 'userData' or 'extras' @param {(problem: string) => Error} fail
 * @returns {number | null | undefined} undefined: it has no area
 */
export function readMark(mark, where, fail) {
  if (mark === undefined || mark === null) return undefined;
  const value = typeof mark === 'string' ? parseText(mark) : mark;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw fail(`${where}.walkmesh is ${describe(typeof mark === 'string' ? mark.slice(0, SHOWN) : mark)}: must be an object, or a custom property of type String with the JSON text {"area": 1} or {"ignore": true}`);
  }
  return value.ignore ? null : checkArea(value.area ?? undefined, `${where}.walkmesh.area`, fail);
}

/** A pattern, and whether it has matched a name. @typedef {{ field: string, pattern: string, expression: RegExp, hasMatched: boolean }} NamePattern */

/** @param {string} field @param {string} pattern @returns {NamePattern} */
const toPattern = (field, pattern) => ({ field, pattern, hasMatched: false,
  expression: new RegExp(`^${pattern.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, '\\$&')).join('.*')}$`, 's') });

/** @param {NamePattern} pattern @param {string[]} names */
function matches(pattern, names) {
  const isMatch = names.some((name) => pattern.expression.test(name));
  pattern.hasMatched ||= isMatch;
  return isMatch;
}

/** @param {unknown} list @param {string} field @returns {NamePattern[] | undefined} */
function readPatterns(list, field) {
  if (list === undefined) return undefined;
  const fail = () => invalidArgument(field, `is ${describe(list)}: must be an array of names`, list);
  if (!Array.isArray(list)) throw fail();
  return Array.from(list, (pattern) => { // reads each once; the first hole ends it
    if (typeof pattern !== 'string') throw fail();
    return toPattern(field, pattern);
  });
}

/** @param {unknown} areas @returns {[NamePattern, number][]} */
function readAreas(areas = {}) {
  if (typeof areas !== 'object' || areas === null || Array.isArray(areas)) {
    throw invalidArgument('areas', `is ${describe(areas)}: must be an object like { 'Mud*': 3 }`, areas);
  }
  return Object.entries(areas).map(([pattern, area]) => {
    const number = checkArea(area ?? NaN, `areas['${pattern}']`, (problem) => invalidArgument('areas', problem.replace(/^areas/, ''), area));
    return [toPattern('areas', pattern), Number(number)];
  });
}

/** Checks the patterns. @param {NamePatterns} patterns @param {string} [named] what has names, for warnings @returns {NameRules} */
export function readNameRules({ include, exclude, areas }, named = 'node, mesh or material') {
  const [included, excluded, byName] = [readPatterns(include, 'include'), readPatterns(exclude, 'exclude') ?? [], readAreas(areas)];
  // All patterns are asked, so that those after the first match count as used.
  const isOneOf = (/** @type {NamePattern[]} */ patterns, /** @type {string[]} */ names) => patterns.filter((pattern) => matches(pattern, names)).length > 0;
  return {
    isExcluded: (name) => isOneOf(excluded, [name]),
    isWanted(names) {
      const isIncluded = !included || isOneOf(included, names);
      return !isOneOf(excluded, names) && isIncluded;
    },
    areaOf: (names) => byName.filter(([pattern]) => matches(pattern, names))[0]?.[1],
    warnings: () => [...included ?? [], ...excluded, ...byName.map(([pattern]) => pattern)].filter(({ hasMatched }) => !hasMatched)
      .map(({ field, pattern }) => `${field}: '${pattern}' is the name of no ${named}`),
  };
}
