/**
 * Reads the results of queries from the module's memory into objects. With `out`, a query overwrites an earlier result without
 * garbage: its numbers, its points, and its arrays if they are long enough. wasm/*.c assert the layouts.
 */
import { isRecord } from './arguments.js';
import { describe, invalidArgument } from './errors.js';
import { WmNearest } from './layout.js';
import { typeOf } from './typed-arrays.js';

/** @typedef {import('./arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('./session.js').Session} Session */

/**
 * @typedef {object} NearestPoint
 * @property {PolygonRef} polygon reference
 * @property {[number, number, number]} point on the surface
 * @property {boolean} isOver true if it lies vertically above or below the given point
 */

/** @template {ArrayLike<number>} T @typedef {new (count: number) => T} ArrayType */

/**
 * True if an array has `count` items. Its length says anything in a class that defines it, and reading its last item takes 16 bytes in V8,
 * which keeps a number that may be undefined in an object.
 * @param {ArrayLike<number>} array @param {number} count
 */
export const hasRoom = (array, count) => count === 0 || count - 1 in array;

/**
 * An array for `count` items: the given one if it is long enough, else a new one.
 * @template {ArrayLike<number>} T
 * @param {ArrayType<T>} type @param {T | undefined} given @param {number} count @returns {T}
 */
export function arrayFor(type, given, count) {
  if (given === undefined) return new type(count);
  if (typeOf(given) !== type.name) {
    const held = given instanceof type ? 'a proxy' : describe(given);
    throw invalidArgument('out', `must be a result of the same method: it holds ${held}, not a ${type.name}`);
  }
  return hasRoom(given, count) ? given : new type(count + (count >> 1));
}

/**
 * Checks `out`: an earlier result or any object; null is none. Queries that run many times a frame first look for a field of
 * their result, which costs less.
 * @template T @param {T} out @returns {T | undefined} */
export function requireOut(out) {
  if (out === undefined || out === null) return undefined;
  if (!isRecord(out)) throw notOut(out);
  return out;
}

/** @param {unknown} out */
const notOut = (out) => invalidArgument('out', `must be a result of the same method, not ${describe(out)}`, out);

/**
 * The error to throw if `out` cannot be written: the engine's error for a frozen object names no argument. It is caught rather
 * than checked for, which costs queries nothing.
 * @param {unknown} error @param {unknown} out
 */
export function outError(error, out) {
  if (!(error instanceof TypeError) || out === undefined || out === null) return error;
  return invalidArgument('out', 'cannot be written: the object or a point in it is frozen', out);
}

/** The point to write into: the given one, or a new one. @param {[number, number, number] | undefined} given @returns {[number, number, number]} */
export function pointFor(given) {
  if (typeof given === 'object' && given !== null) return given;
  if (given !== undefined) throw notPoint(given);
  return [0.5, 0.5, 0.5];
}

/** The point of a result, to write into. It is stored only if it is new, which saves time. @param {{ point: [number, number, number] }} result */
export function pointOf(result) {
  const { point } = result;
  return typeof point === 'object' && point !== null ? point : (result.point = pointFor(point));
}

/** @param {unknown} given */
const notPoint = (given) =>
  invalidArgument('out', `must be a result of the same method: it holds ${describe(given)}, not a point`, given);

/** @param {Uint32Array} u32 @param {number} at word */
export function readReference(u32, at) {
  return u32[at] + u32[at + 1] * 4294967296;
}

/**
 * Reads references, two words each.
 * @param {Session} session @param {number} address @param {number} count @param {Float64Array | undefined} given
 */
export function readReferences(session, address, count, given) {
  const references = given instanceof Float64Array && hasRoom(given, count) ? given : arrayFor(Float64Array, given, count);
  const { u32 } = session;
  for (let i = 0, at = address >>> 2; i < count; i++, at += 2) references[i] = u32[at] + u32[at + 1] * 4294967296;
  return references;
}

/** @param {Session} session @param {number} address @param {number} count @param {Float32Array | undefined} given */
export function readFloats(session, address, count, given) {
  const floats = given instanceof Float32Array && hasRoom(given, count) ? given : arrayFor(Float32Array, given, count);
  const { f32 } = session;
  for (let i = 0, at = address >>> 2; i < count; i++) floats[i] = f32[at + i];
  return floats;
}

/** @param {Session} session @param {number} address @param {number} count @param {Uint32Array | undefined} given */
export function readWords(session, address, count, given) {
  const words = given instanceof Uint32Array && hasRoom(given, count) ? given : arrayFor(Uint32Array, given, count);
  const { u32 } = session;
  for (let i = 0, at = address >>> 2; i < count; i++) words[i] = u32[at + i];
  return words;
}

/**
 * Reads a point, three words.
 * @param {Float32Array} f32 @param {number} at @param {[number, number, number]} point
 */
export function readPoint(f32, at, point) {
  point[0] = f32[at];
  point[1] = f32[at + 1];
  point[2] = f32[at + 2];
}

const POINT_AT = WmNearest.point;

/**
 * Reads a WmNearest.
 * @param {Session} session @param {number} at word @param {NearestPoint | null | undefined} out
 * @returns {NearestPoint | null}
 */
export function readNearest(session, at, out) {
  const { f32, u32 } = session;
  const polygon = u32[at] + u32[at + 1] * 4294967296;
  if (polygon === 0) return null;
  const isOver = (u32[at + WmNearest.over] & 255) !== 0;
  const { calls } = session;
  const given = typeof out?.isOver === 'boolean' ? out : requireOut(out);
  if (!given) return { polygon, point: [f32[at + POINT_AT], f32[at + POINT_AT + 1], f32[at + POINT_AT + 2]], isOver };
  try {
    given.polygon = polygon;
    given.isOver = isOver;
    readPoint(f32, at + POINT_AT, pointOf(given));
    session.requireNoCallSince(calls);
  } catch (error) {
    throw outError(error, out);
  }
  return given;
}
