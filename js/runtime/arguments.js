/**
 * Checks the arguments of users and writes them into the inputs of a query. A NavError names the argument and its value. Queries
 * run thousands of times a frame: these functions make no garbage, and have no loops over three numbers.
 */
import { NavError, describe, invalidArgument, isOfOtherCopy } from './errors.js';
import { requireNames } from './option-names.js';
import { HandleOwner } from './handle.js';
import { dropZeroSigns } from './zero.js';
import { isNumberArray, lengthOf, makeArray, typeOf, viewOf } from './typed-arrays.js';

/** @typedef {import('./session.js').Session} Session */

/**
 * Handles and references are numbers. Their types differ for the type checker alone: it refuses the handle of an obstacle where that
 * of an agent belongs, and accepts any plain number, such as one from JSON or from a typed array.
 * @typedef {number & { readonly [Symbol.toStringTag]?: 'AgentHandle' }} AgentHandle an agent of a crowd
 */
/** An obstacle of a dynamic mesh. @typedef {number & { readonly [Symbol.toStringTag]?: 'ObstacleHandle' }} ObstacleHandle */
/** A polygon of a navigation mesh, or an off-mesh connection. @typedef {number & { readonly [Symbol.toStringTag]?: 'PolygonRef' }} PolygonRef */
/** A tile of a navigation mesh. @typedef {number & { readonly [Symbol.toStringTag]?: 'TileRef' }} TileRef */
/** A switch of a navigation mesh. @typedef {number & { readonly [Symbol.toStringTag]?: 'SwitchHandle' }} SwitchHandle */
/** @typedef {Float64Array & ArrayLike<AgentHandle>} AgentHandles */
/** @typedef {Float64Array & ArrayLike<ObstacleHandle>} ObstacleHandles */
/** @typedef {Float64Array & ArrayLike<PolygonRef>} PolygonRefs */

/**
 * A typed array in the module's memory that users only read.
 * @template {Float32Array | Uint8Array} T
 * @typedef {Omit<T, number | 'copyWithin' | 'fill' | 'reverse' | 'set' | 'sort' | 'subarray'> & { readonly [index: number]: number }} ReadonlyArrayView
 */

/**
 * A position: three numbers, or an object with x, y and z.
 * @typedef {readonly [number, number, number] | ArrayLike<number> | { readonly x: number, readonly y: number, readonly z: number }} Point
 */

/**
 * A point that is passed to a call. The type checker refuses lists that are known to have another length, such as `[0, 0]`: their type has a
 * member `0`. Lists whose length is unknown have none, and pass: TypeScript infers `number[]` for `const spawn = [2, 0, 2]`.
 * @typedef {readonly [number, number, number] | (ArrayLike<number> & { readonly 0?: never }) | { readonly x: number, readonly y: number, readonly z: number }} PointArgument
 */

/**
 * Points: x, y, z of each without gaps, or an array of points.
 * @typedef {ArrayLike<number> | readonly Point[]} Points
 */

/** The default of options. */
export const NO_OPTIONS = Object.freeze({});

/** @param {unknown} value @param {string} field @param {number} high @param {number} [low] */
export function requireCount(value, field, high, low = 0) {
  if (typeof value === 'number' && value >= low && value <= high && Math.floor(value) === value) return value;
  throw invalidArgument(field, `is ${describe(value)}: must be a whole number from ${low} to ${high}`, value);
}

/** @param {unknown} value @returns {value is number} */
const isInteger = (value) => typeof value === 'number' && (value | 0) === value;

/** @param {unknown} value @param {string} field */
export function requireInteger(value, field) {
  if (isInteger(value)) return value;
  throw invalidArgument(field, `is ${describe(value)}: must be a whole number of 32 bits`, value);
}

/** The place of a tile in the grid. @param {unknown} x @param {unknown} z */
export function requireTilePlace(x, z) {
  if (!isInteger(x)) throw invalidArgument('x', `is ${describe(x)}: must be the column of a tile, a whole number. tilePlace returns those of a point`, x);
  if (!isInteger(z)) throw invalidArgument('z', `is ${describe(z)}: must be the row of a tile, a whole number. tilePlace returns those of a point`, z);
}

/** @param {unknown} listener undefined: none @param {string} field */
export function requireListener(listener, field) {
  if (listener === undefined || typeof listener === 'function') return;
  throw invalidArgument(field, `must be a function, not ${describe(listener)}`, listener);
}

/** @param {unknown} signal undefined: none */
export function requireSignal(signal) {
  if (signal === undefined || (typeof signal === 'object' && signal !== null && 'aborted' in signal)) return;
  throw invalidArgument('signal', `must be an AbortSignal, not ${describe(signal)}`, signal);
}

/** A number that is 0 or more; Infinity is allowed. @param {unknown} value @param {string} field */
export function requireAmount(value, field) {
  if (typeof value === 'number' && value >= 0) return value;
  throw invalidArgument(field, `is ${describe(value)}: must be 0 or more`, value);
}

/** @param {unknown} value @param {string} field */
export function requireBoolean(value, field) {
  if (typeof value === 'boolean') return value;
  throw invalidArgument(field, `is ${describe(value)}: must be true or false`, value);
}

/** The index of a name in a list of names. @param {readonly (string | null)[]} names @param {unknown} name @param {string} field */
export function requireName(names, name, field) {
  const index = names.indexOf(/** @type {string} */ (name));
  if (index >= 0) return index;
  throw invalidArgument(field, `is ${describe(name)}: must be ${names.join(', ')}`, name);
}

/** True if a value is an object of fields: no array, and no handle. @param {unknown} value */
export function isRecord(value) {
  return typeof value === 'object' && value !== null && !(value instanceof HandleOwner) && !isOfOtherCopy(value)
    && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

/**
 * Checks that options are an object without unknown names.
 * @template T @param {T} options @param {import('./option-names.js').NameSet} names @returns {NonNullable<T>}
 */
export function requireOptions(options, names) {
  if (/** @type {unknown} */ (options) === NO_OPTIONS) return /** @type {NonNullable<T>} */ (options);
  if (/** @type {any} */ (options)?.constructor !== Object && !isRecord(options)) throw notOptions(options);
  requireNames(/** @type {NonNullable<T>} */ (options), names);
  return /** @type {NonNullable<T>} */ (options);
}

/** @param {unknown} options */
const notOptions = (options) => invalidArgument('options', `must be an object, not ${describe(options)}`, options);

/**
 * References: a Float64Array as it is (other typed arrays would round them), or a copy of an array.
 * @param {unknown} refs @param {string} field @returns {Float64Array}
 */
export function requireReferences(refs, field) {
  if (typeOf(refs) === 'Float64Array') return /** @type {Float64Array} */ (refs);
  if (typeof refs !== 'object' || refs === null || ArrayBuffer.isView(refs)) {
    throw invalidArgument(field, `must be a Float64Array or an array of references, not ${describe(refs)}`, refs);
  }
  const list = /** @type {ArrayLike<unknown>} */ (refs);
  const copy = makeArray(Float64Array, list.length, field);
  for (let i = 0; i < copy.length; i++) copy[i] = requireReference(list[i], field);
  return copy;
}

/** A number that can be a reference. C checks whether the mesh has it. @param {unknown} ref @param {string} field */
export function requireReference(ref, field) {
  if (Number.isSafeInteger(ref) && /** @type {number} */ (ref) >= 0) return /** @type {number} */ (ref);
  throw invalidArgument(field, `is ${describe(ref)}: must be a polygon reference`, ref);
}

/** Throws if an object was made for another mesh. @param {object} mesh @param {object} owner @param {string} field */
export function requireSame(mesh, owner, field) {
  if (mesh !== owner) throw invalidArgument(field, 'belongs to another navigation mesh', owner);
}

/** The numbers of a point; undefined if it is none. @param {any} point @returns {[number, number, number] | undefined} */
export function numbersOfPoint(point) {
  if (typeof point !== 'object' || point === null) return undefined;
  const { length } = point;
  const isList = typeof length === 'number'; // classes of vectors may have a method of this name
  if (isList && length !== 3) return undefined;
  const numbers = isList ? [point[0], point[1], point[2]] : [point.x, point.y, point.z];
  return numbers.every((number) => typeof number === 'number') ? /** @type {[number, number, number]} */ (numbers) : undefined;
}

/** The end of a sentence: what isn't a point, or which number it lacks. @param {any} point */
function describePoint(point) {
  if (!isRecord(point) || !['x', 'y', 'z'].some((axis) => axis in point)) return `not ${describe(point)}`;
  const axis = ['x', 'y', 'z'].find((name) => typeof point[name] !== 'number');
  return `but ${axis} ${axis !== undefined && point[axis] === undefined ? 'is missing' : `is ${describe(point[axis ?? 'x'])}`}`;
}

/** @param {unknown} point @param {string} field */
function badPoint(point, field) {
  const numbers = numbersOfPoint(point) ?? [];
  const axis = numbers.findIndex((number) => !Number.isFinite(Math.fround(number)));
  if (axis < 0) return invalidArgument(field, `must be a point, [x, y, z] or { x, y, z }, ${describePoint(point)}`, point);
  const name = typeof /** @type {any} */ (point).length === 'number' ? `[${axis}]` : `.${'xyz'[axis]}`;
  const rule = Number.isFinite(numbers[axis]) ? 'must be below 3.4e38' : 'must be finite';
  return new NavError('invalid-argument', `${field}${name} is ${numbers[axis]}: ${rule}`, { field, value: numbers[axis] });
}

/** @param {unknown} number @param {string} field of the array @param {number} index */
function requireNumber(number, field, index) {
  if (typeof number === 'number') return number;
  throw new NavError('invalid-argument', `${field}[${index}] is ${describe(number)}: must be a number`, { field, value: number });
}

/**
 * A copy of an array of numbers. Its elements are read once.
 * @template {Float32Array | Float64Array} T
 * @param {ArrayLike<unknown>} list @param {string} field @param {new (count: number) => T} Type @returns {T}
 */
function copyNumbers(list, field, Type) {
  const numbers = makeArray(Type, list.length, field);
  for (let i = 0; i < numbers.length; i++) numbers[i] = requireNumber(list[i], field, i);
  return numbers;
}

/**
 * The numbers of a list of points. The points are read once.
 * @param {ArrayLike<unknown>} list @param {string} field
 */
function copyPoints(list, field) {
  const floats = makeArray(Float32Array, 3 * list.length, field);
  for (let i = 0; 3 * i < floats.length; i++) {
    const point = list[i], numbers = numbersOfPoint(point);
    if (!numbers) throw badPoint(point, `${field}[${i}]`);
    floats.set(numbers, 3 * i);
  }
  return floats;
}

/**
 * Numbers, or the numbers of points, as float32: an array of ours, or a view of a Float32Array.
 * @param {unknown} value @param {string} field @returns {Float32Array}
 */
export function requireFloats(value, field) {
  if (typeOf(value) === 'Float32Array') return viewOf(/** @type {Float32Array} */ (value));
  if (isNumberArray(value)) return new Float32Array(viewOf(value));
  if (!Array.isArray(value)) throw invalidArgument(field, `must be numbers or points, not ${describe(value)}`, value);
  return typeof value[0] === 'object' ? copyPoints(value, field) : copyNumbers(value, field, Float32Array);
}

/**
 * Numbers, or the numbers of points, in any type: a view of a typed array, or a copy of an array or of an object with a length.
 * @param {unknown} value @param {string} field @returns {import('./typed-arrays.js').NumberArray}
 */
export function requireNumbers(value, field) {
  if (isNumberArray(value)) return viewOf(value);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) throw invalidArgument(field, `must be numbers, not ${describe(value)}`, value);
  const list = /** @type {ArrayLike<unknown>} */ (value);
  return Array.isArray(list) && typeof list[0] === 'object' ? copyPoints(list, field) : copyNumbers(list, field, Float64Array);
}

/**
 * Whole numbers, 0 or more, in an array of the type.
 * @template {Uint8Array | Uint16Array | Uint32Array} T
 * @param {unknown} value @param {string} field @param {number} high @param {{ new (from: ArrayLike<number>): T, new (count: number): T }} type @returns {T}
 */
export function requireIntegers(value, field, high, type) {
  const given = typeOf(value);
  if (given === type.name) return viewOf(/** @type {T} */ (value));
  if (given === 'Uint16Array' && high >= 0xffff) return new type(viewOf(/** @type {Uint16Array} */ (value)));
  if (!isNumberArray(value) && !Array.isArray(value)) throw invalidArgument(field, `must be whole numbers, not ${describe(value)}`, value);
  const integers = makeArray(type, given === undefined ? value.length : lengthOf(/** @type {Uint32Array} */ (value)), field);
  for (let i = 0; i < integers.length; i++) {
    const number = value[i];
    const fits = typeof number === 'number' && number >= 0 && number <= high && Math.floor(number) === number;
    integers[i] = fits ? number : requireCount(number, `${field}[${i}]`, high);
  }
  return integers;
}

/** Areas are 0 to 63. */
export const AREA_COUNT = 64;

/**
 * Numbers by area: 64 numbers, or those of some areas, as { 3: 20 }.
 * @param {unknown} value @param {string} field @param {number} initial of areas that are not named
 * @returns {ArrayLike<unknown>}
 */
export function requireByArea(value, field, initial) {
  if (isNumberArray(value) && lengthOf(value) === AREA_COUNT) return value;
  if (Array.isArray(value) && value.length === AREA_COUNT) return value;
  if (!isRecord(value)) throw invalidArgument(field, `must be ${AREA_COUNT} numbers, or an object of numbers by area (0 to 63), not ${describe(value)}`, value);
  const areas = Object.entries(/** @type {object} */ (value));
  const wrong = areas.find(([area]) => `${Number(area) & 63}` !== area);
  if (wrong) throw new NavError('invalid-argument', `${field}.${wrong[0]}: areas are numbers, 0 to ${AREA_COUNT - 1}`, { field, value: wrong[0] });
  const all = new Array(AREA_COUNT).fill(initial);
  for (const [area, number] of areas) all[Number(area)] = number;
  return all;
}

/** Writes x, y and z of an object; NaN if they are no numbers. @param {Float32Array} f32 @param {number} at @param {any} given */
function writeVector(f32, at, given) {
  f32[at] = NaN;
  if (typeof given !== 'object' || given === null || typeof given.length === 'number') return;
  const { x, y, z } = given; // classes of vectors may have a method `length`
  if (typeof x !== 'number' || typeof y !== 'number' || typeof z !== 'number') return;
  f32[at] = x + 0;
  f32[at + 1] = y + 0;
  f32[at + 2] = z + 0;
}

/**
 * Writes a point into the inputs, `first` words from their start. If it is no point, writes NaN, which C rejects; failureOf then
 * makes the error. It is short, so that engines inline it.
 * @param {Session} session @param {number} first @param {Point} point
 */
export function putPoint(session, first, point) {
  const { f32 } = session;
  const at = session.inputs + first;
  /** @type {any} */
  const given = point;
  if (given?.length !== 3) {
    writeVector(f32, at, given);
    return;
  }
  const x = given[0], y = given[1], z = given[2];
  if (typeof x === 'number' && typeof y === 'number' && typeof z === 'number') {
    f32[at] = x + 0; // minus zero is zero: zero.js
    f32[at + 1] = y + 0;
    f32[at + 2] = z + 0;
  } else {
    f32[at] = NaN;
  }
}

/**
 * As putPoint, but throws if it is no finite point.
 * @param {Session} session @param {number} first @param {Point} point @param {string} field
 */
export function writePoint(session, first, point, field) {
  putPoint(session, first, point);
  const { f32 } = session;
  const at = session.inputs + first;
  // x - x is NaN unless x is finite.
  if ((f32[at] - f32[at]) + (f32[at + 1] - f32[at + 1]) + (f32[at + 2] - f32[at + 2]) !== 0) throw badPoint(point, field);
}

/**
 * The error of a query that failed after putPoint: about the first point that is not finite, else the error of C.
 * @param {Session} session @param {Point} point @param {string} field @param {Point} [more] @param {string} [moreField]
 */
export function failureOf(session, point, field, more, moreField) {
  const error = session.lastError();
  session.refresh();
  writePoint(session, 0, point, field);
  if (moreField !== undefined) writePoint(session, 0, /** @type {Point} */ (more), moreField);
  return error;
}

/**
 * Writes references, two words each.
 * @param {Session} session @param {number} address @param {Float64Array} refs of requireReferences @param {number} count
 * @param {string} field
 */
export function writeReferences(session, address, refs, count, field) {
  const { u32 } = session;
  let at = address >>> 2;
  for (let i = 0; i < count; i++) {
    const ref = refs[i]; // undefined behind the end
    if (typeof ref !== 'number') requireReference(ref, field); // throws
    const low = ref >>> 0;
    const high = (ref - low) / 4294967296;
    if (high >>> 0 !== high) requireReference(ref, field);
    u32[at++] = low;
    u32[at++] = high;
  }
}

/** The numbers of points, three each. @param {Points} points @param {string} field */
export function requirePoints(points, field) {
  const floats = requireFloats(points, field);
  if (floats.length % 3 !== 0) throw invalidArgument(field, `must be three numbers per point, not ${describe(points)}`, points);
  return floats;
}

/**
 * Copies numbers into the memory of one call, and returns their address.
 * @param {Session} session @param {Float32Array} floats of requirePoints
 */
export function copyToScratch(session, floats) {
  const scratch = session.reserve(4 * floats.length);
  session.f32.set(floats, scratch >>> 2);
  dropZeroSigns(session.f32, scratch >>> 2, (scratch >>> 2) + floats.length);
  return scratch;
}
