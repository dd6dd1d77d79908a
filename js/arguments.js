/**
 * Checks of what users pass, and writing it into the inputs of a question. A NavError names the argument and its value.
 * Written for questions that are asked thousands of times a frame: no garbage, no loops over what has three numbers.
 */
import { describe, invalidArgument } from './errors.js';
import { Owned } from './session.js';

/** @typedef {import('./session.js').Session} Session */

/**
 * A point of the world: three numbers, or an object with x, y and z.
 * @typedef {ArrayLike<number> | { readonly x: number, readonly y: number, readonly z: number }} Point
 */

/** For options that were not given. */
export const NO_OPTIONS = Object.freeze({});

/** @param {unknown} value @param {string} field @param {number} high */
export function requireCount(value, field, high) {
  if (typeof value === 'number' && value >= 0 && value <= high && Math.floor(value) === value) return value;
  throw invalidArgument(field, `is ${describe(value)}: must be a whole number from 0 to ${high}`, value);
}

/** A number that is not negative and not NaN; Infinity passes. @param {unknown} value @param {string} field */
export function requireAmount(value, field) {
  if (typeof value === 'number' && value >= 0) return value;
  throw invalidArgument(field, `is ${describe(value)}: must be a number, not negative`, value);
}

/** @param {unknown} value @param {string} field */
export function requireBoolean(value, field) {
  if (typeof value === 'boolean') return value;
  throw invalidArgument(field, `is ${describe(value)}: must be true or false`, value);
}

/** The place of a name among the names there are. @param {readonly (string | null)[]} names @param {unknown} name @param {string} field */
export function requireName(names, name, field) {
  const index = names.indexOf(/** @type {string} */ (name));
  if (index >= 0) return index;
  throw invalidArgument(field, `is ${describe(name)}: must be ${names.join(', ')}`, name);
}

/** Whether a value is an object of fields: no array, and nothing that lives in the module's memory. @param {unknown} value */
export function isRecord(value) {
  return typeof value === 'object' && value !== null && !(value instanceof Owned) && !Array.isArray(value)
    && !ArrayBuffer.isView(value);
}

/** Options of a question: an object of fields; what it lacks has defaults. @template T @param {T} options @returns {NonNullable<T>} */
export function requireOptions(options) {
  if (isRecord(options)) return /** @type {NonNullable<T>} */ (options);
  throw invalidArgument('options', `must be an object, not ${describe(options)}`, options);
}

/**
 * An array of references: numbers, or a Float64Array. No other typed array can hold them (a Float32Array would name other
 * polygons).
 * @template T @param {T} refs @param {string} field @returns {T}
 */
export function requireReferences(refs, field) {
  if (typeof refs === 'object' && refs !== null && (refs instanceof Float64Array || !ArrayBuffer.isView(refs))) return refs;
  throw invalidArgument(field, `must be a Float64Array or an array of references, not ${describe(refs)}`, refs);
}

/** What can be a reference; whether it is one of the mesh, C says. @param {unknown} ref @param {string} field */
export function requireReference(ref, field) {
  if (typeof ref === 'number' && ref >= 0 && ref <= Number.MAX_SAFE_INTEGER && Math.floor(ref) === ref) return ref;
  throw invalidArgument(field, `is ${describe(ref)}: must be a reference to a polygon`, ref);
}

/** Whether what a question is given was made for the mesh that is asked. @param {object} mesh @param {object} owner @param {string} field */
export function requireSame(mesh, owner, field) {
  if (mesh !== owner) throw invalidArgument(field, 'belongs to another navigation mesh', owner);
}

/** @param {unknown} point @param {string} field */
function badPoint(point, field) {
  const { x, y, z } = /** @type {any} */ (point ?? {});
  const numbers = ArrayBuffer.isView(point) || Array.isArray(point) ? Array.from(/** @type {any} */ (point)) : [x, y, z];
  if (numbers.length === 3 && numbers.every((number) => typeof number === 'number')) {
    const value = numbers.find((number) => !Number.isFinite(Math.fround(number)));
    return invalidArgument(field, `holds ${value}: must be finite`, value);
  }
  return invalidArgument(field, `must be 3 numbers, not ${describe(point)}`, point);
}

/**
 * Writes a point into the inputs, `first` words from their start.
 * @param {Session} session @param {number} first @param {Point} point @param {string} field
 */
export function writePoint(session, first, point, field) {
  /** @type {any} */
  const given = point;
  // Each way has conversions of its own, so that no number is boxed on the way to where they meet.
  let x = NaN;
  let y = NaN;
  let z = NaN;
  if (typeof given === 'object' && given !== null) {
    if (given.length === 3) {
      const { 0: a, 1: b, 2: c } = given;
      if (typeof a === 'number' && typeof b === 'number' && typeof c === 'number') {
        x = Math.fround(a);
        y = Math.fround(b);
        z = Math.fround(c);
      }
    } else if (typeof given.length !== 'number') {
      const { x: a, y: b, z: c } = given;
      if (typeof a === 'number' && typeof b === 'number' && typeof c === 'number') {
        x = Math.fround(a);
        y = Math.fround(b);
        z = Math.fround(c);
      }
    }
  }
  if ((x - x) + (y - y) + (z - z) !== 0) throw badPoint(point, field); // what is not finite leaves NaN
  const { f32 } = session;
  const at = session.inputs + first;
  f32[at] = x;
  f32[at + 1] = y;
  f32[at + 2] = z;
}

/**
 * Copies references to memory as pairs of words.
 * @param {Session} session @param {number} address @param {ArrayLike<number>} refs @param {number} count
 * @param {string} field
 */
export function writeReferences(session, address, refs, count, field) {
  const { u32 } = session;
  let at = address >>> 2;
  for (let i = 0; i < count; i++) {
    const ref = refs[i];
    if (typeof ref !== 'number') requireReference(ref, field); // which throws
    const low = ref >>> 0;
    const high = (ref - low) / 4294967296;
    if (high >>> 0 !== high) requireReference(ref, field);
    u32[at++] = low;
    u32[at++] = high;
  }
}

/**
 * Copies points, three numbers each without gaps, to memory for one call.
 * @param {Session} session @param {ArrayLike<number>} points @param {string} field
 * @returns {number} their address
 */
export function writePoints(session, points, field) {
  if (typeof points !== 'object' || points === null || !(points.length >= 0) || points.length % 3 !== 0) {
    throw invalidArgument(field, `must be numbers, three a point, not ${describe(points)}`, points);
  }
  const room = session.room(4 * points.length);
  const { f32 } = session;
  for (let i = 0, at = room >>> 2; i < points.length; i++) {
    if (typeof points[i] !== 'number') throw invalidArgument(field, `holds ${describe(points[i])}`, points[i]);
    f32[at + i] = points[i];
  }
  return room;
}
