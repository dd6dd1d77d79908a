/**
 * Writes agents and their values to the memory of one call: handles first, then numbers. Accepts one agent or several, one point
 * for all of them or one for each; allocates no objects.
 */
import { requireAmount } from '../runtime/arguments.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { isNumberArray, lengthOf, typeOf, viewOf } from '../runtime/typed-arrays.js';

/** @typedef {import('../runtime/arguments.js').AgentHandle} AgentHandle */
/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('../runtime/arguments.js').Points} Points */
/** @typedef {import('../runtime/session.js').Session} Session */

/** The maximum of counts in C. */
const COUNT_LIMIT = 0xffffffff;

/** One agent or several: handles from addAgent and addAgents. @typedef {AgentHandle | ArrayLike<AgentHandle>} Agents */

/** @param {unknown} agent @param {string} field @returns {number} */
export function requireAgent(agent, field) {
  if (Number.isSafeInteger(agent) && /** @type {number} */ (agent) >= 0) return /** @type {number} */ (agent);
  throw invalidArgument(field, `is ${describe(agent)}: must be an agent that addAgent returned`, agent);
}

/** The length of a list: of a typed array of numbers, an array, or an object with a length; undefined for other values. @param {any} value */
function lengthOfList(value) {
  if (typeof value !== 'object' || value === null) return undefined;
  if (isNumberArray(value)) return lengthOf(value);
  if (ArrayBuffer.isView(value)) return undefined;
  const { length } = value; // a vector class may have a method named length
  return typeof length === 'number' ? length : undefined;
}

/** The number of agents. @param {Agents} agents @returns {number} */
export function countAgents(agents) {
  if (typeof agents === 'number') return 1;
  const length = ArrayBuffer.isView(agents) && typeOf(agents) !== 'Float64Array' ? undefined : lengthOfList(agents);
  if (length !== undefined && isCount(length)) return length;
  throw invalidArgument('agents', `must be an agent, a Float64Array or an array of them, not ${describe(agents)}`, agents);
}

/** True if a list can have this length. @param {number} length */
const isCount = (length) => Number.isInteger(length) && length >= 0 && length <= COUNT_LIMIT;

/**
 * Writes the handles of a Float64Array. A function of its own, so that the engine compiles it for this array type alone and
 * doesn't allocate an object for each number.
 * @param {Uint32Array} u32 @param {number} at @param {Float64Array} agents @param {number} count
 */
function writeHandles(u32, at, agents, count) {
  for (let i = 0; i < count; i++) {
    const handle = agents[i];
    if (!(Number.isSafeInteger(handle) && handle >= 0)) requireAgent(handle, `agents[${i}]`); // throws
    const low = handle >>> 0;
    u32[at + 2 * i] = low;
    u32[at + 2 * i + 1] = (handle - low) / 4294967296;
  }
}

/**
 * Writes handles as pairs of words.
 * @param {Session} session @param {number} calls session.calls, from before anything of the arguments was read
 * @param {number} address @param {Agents} agents @param {number} count of them
 */
function writeAgents(session, calls, address, agents, count) {
  const { u32 } = session;
  const at = address >>> 2;
  if (typeOf(agents) === 'Float64Array') {
    writeHandles(u32, at, /** @type {Float64Array} */ (agents), count);
    return;
  }
  for (let i = 0; i < count; i++) {
    const agent = typeof agents === 'number' ? agents : agents[i];
    if (!(Number.isSafeInteger(agent) && agent >= 0)) requireAgent(agent, typeof agents === 'number' ? 'agents' : `agents[${i}]`); // throws
    session.requireNoCallSince(calls);
    const low = agent >>> 0;
    u32[at + 2 * i] = low;
    u32[at + 2 * i + 1] = (agent - low) / 4294967296;
  }
}

/**
 * Reserves the memory of one call, with the handles of agents first; returns its address.
 * @param {Session} session @param {number} calls session.calls, from before anything of the arguments was read
 * @param {Agents} agents @param {number} count of them @param {number} bytes for each, including the 8 of its handle
 * @param {number} [extra] bytes
 */
export function reserveAgents(session, calls, agents, count, bytes, extra = 0) {
  session.requireNoCallSince(calls);
  const room = session.reserve(bytes * count + extra);
  writeAgents(session, calls, room, agents, count);
  return room;
}

/** True if `points` is one point: three numbers, or an object with x, y and z. @param {any} points @param {number | undefined} length of the list */
const isOnePoint = (points, length) => length === undefined || (length === 3 && typeof points[0] !== 'object');

/** The error for points that can't be used. @param {unknown} points @param {string} field @param {number} count */
const notPoints = (points, field, count) =>
  invalidArgument(field, `must be a point${count === 1 ? ', [x, y, z] or { x, y, z }' : `, or ${count} points (${3 * count} numbers)`}, not ${describe(points)}`, points);

/**
 * Writes a point's numbers.
 * @param {Session} session @param {number} calls @param {number} at word @param {any} point @param {string} field
 */
function writeOne(session, calls, at, point, field) {
  const length = lengthOfList(point), isArray = length !== undefined;
  const x = isArray ? point[0] : point?.x, y = isArray ? point[1] : point?.y, z = isArray ? point[2] : point?.z;
  if (typeof x !== 'number' || typeof y !== 'number' || typeof z !== 'number' || (isArray && length !== 3)) {
    throw invalidArgument(field, `must be a point, [x, y, z] or { x, y, z }, not ${describe(point)}`, point);
  }
  session.requireNoCallSince(calls);
  const { f32 } = session;
  f32[at] = x;
  f32[at + 1] = y;
  f32[at + 2] = z;
}

/** The number of points. @param {Points | Point} points @param {string} field */
export function countPoints(points, field) {
  const length = lengthOfList(points);
  if (length === undefined || isOnePoint(points, length)) return 1;
  const count = typeof (/** @type {any} */ (points)[0]) === 'object' ? length : length / 3;
  if (isCount(count)) return count;
  throw invalidArgument(field, `must be points, three numbers each, not ${describe(points)}`, points);
}

/**
 * Writes one point or `count` points: a list of points, or their numbers.
 * @param {Session} session @param {number} calls session.calls, from before anything of the arguments was read
 * @param {number} address with 12 bytes for each point @param {Point | Points} points @param {number} count @param {string} field
 * @param {boolean} [mayBeLonger] true: the array may have more numbers
 * @returns {number} points written: 1 or `count`
 */
export function writePoints(session, calls, address, points, count, field, mayBeLonger = false) {
  const at = address >>> 2;
  const length = lengthOfList(points);
  if (length === undefined || isOnePoint(points, length)) {
    writeOne(session, calls, at, points, field);
    return 1;
  }
  const list = /** @type {any} */ (points);
  if (typeof list[0] === 'object') {
    if (length !== count) throw invalidArgument(field, `has ${length} points: must be one${count > 1 ? `, or ${count}, one for each agent` : ', for one agent'}`, points);
    for (let i = 0; i < count; i++) writeOne(session, calls, at + 3 * i, list[i], field);
    return count;
  }
  if (!hasNumbers(list, length, 3 * count, mayBeLonger)) throw notPoints(points, field, count);
  writeNumbers(session, calls, at, list, 3 * count, field);
  return count;
}

/** @param {unknown} list @param {number | undefined} length @param {number} count @param {boolean} mayBeLonger only a Float32Array may */
const hasNumbers = (list, length, count, mayBeLonger) => length === count
  || (mayBeLonger && length !== undefined && length > count && typeOf(list) === 'Float32Array');

/**
 * Writes the first `count` numbers of a list.
 * @param {Session} session @param {number} calls @param {number} at word @param {ArrayLike<number>} numbers @param {number} count @param {string} field
 */
function writeNumbers(session, calls, at, numbers, count, field) {
  session.requireNoCallSince(calls);
  const { f32 } = session;
  if (isNumberArray(numbers)) {
    if (lengthOf(numbers) === count) f32.set(viewOf(numbers), at);
    else for (let i = 0; i < count; i++) f32[at + i] = numbers[i];
    return;
  }
  for (let i = 0; i < count; i++) {
    const number = numbers[i];
    if (typeof number !== 'number') throw invalidArgument(`${field}[${i}]`, `is ${describe(number)}: must be a number`, number);
    session.requireNoCallSince(calls);
    f32[at + i] = number;
  }
}

/**
 * Writes `count` numbers: those of a list, or one number for all.
 * @param {Session} session @param {number} calls session.calls, from before anything of the arguments was read
 * @param {number} address @param {unknown} numbers a Float32Array may have more @param {number} count @param {string} field
 */
export function writeColumn(session, calls, address, numbers, count, field) {
  const at = address >>> 2;
  if (typeof numbers === 'number') {
    session.f32.fill(requireAmount(numbers, field), at, at + count);
    return;
  }
  const length = lengthOfList(numbers);
  if (!hasNumbers(numbers, length, count, true)) throw invalidArgument(field, `must be ${count} numbers, not ${describe(numbers)}`, numbers);
  writeNumbers(session, calls, at, /** @type {ArrayLike<number>} */ (numbers), count, field);
}
