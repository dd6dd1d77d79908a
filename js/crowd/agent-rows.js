/**
 * Writes agents and their values to the memory of one call: handles first, then numbers. Accepts one agent or several, one point
 * for all of them or one for each; allocates no objects.
 */
import { describe, invalidArgument } from '../runtime/errors.js';

/** @typedef {import('../runtime/arguments.js').AgentHandle} AgentHandle */
/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('../runtime/arguments.js').Points} Points */
/** @typedef {import('../runtime/session.js').Session} Session */

/** One agent or several: handles from addAgent and addAgents. @typedef {AgentHandle | ArrayLike<AgentHandle>} Agents */

/** @param {unknown} agent @param {string} field @returns {number} */
export function requireAgent(agent, field) {
  if (Number.isSafeInteger(agent) && /** @type {number} */ (agent) >= 0) return /** @type {number} */ (agent);
  throw invalidArgument(field, `is ${describe(agent)}: must be an agent that addAgent returned`, agent);
}

/** @param {any} value @returns {value is ArrayLike<number>} */
const isList = (value) => typeof value === 'object' && value !== null && typeof value.length === 'number'
  && !(value instanceof BigInt64Array || value instanceof BigUint64Array);

/** The number of agents. @param {Agents} agents @returns {number} */
export function countAgents(agents) {
  if (typeof agents === 'number') return 1;
  if (isList(agents) && (agents instanceof Float64Array || !ArrayBuffer.isView(agents)) && Number.isInteger(agents.length)) return agents.length;
  throw invalidArgument('agents', `must be an agent, a Float64Array or an array of them, not ${describe(agents)}`, agents);
}

/** @param {Uint32Array} u32 @param {number} at @param {unknown} agent @param {string} field */
function writeAgent(u32, at, agent, field) {
  const handle = requireAgent(agent, field);
  const low = handle >>> 0;
  u32[at] = low;
  u32[at + 1] = (handle - low) / 4294967296;
}

/**
 * Writes the handles of a Float64Array. A function of its own, so that the engine compiles it for this array type alone and
 * doesn't allocate an object for each number.
 * @param {Uint32Array} u32 @param {number} at @param {Float64Array} agents
 */
function writeHandles(u32, at, agents) {
  for (let i = 0; i < agents.length; i++) {
    const handle = agents[i];
    if (!(Number.isSafeInteger(handle) && handle >= 0)) requireAgent(handle, `agents[${i}]`); // throws
    const low = handle >>> 0;
    u32[at + 2 * i] = low;
    u32[at + 2 * i + 1] = (handle - low) / 4294967296;
  }
}

/** Writes handles as pairs of words. @param {Session} session @param {number} address @param {Agents} agents */
export function writeAgents({ u32 }, address, agents) {
  const at = address >>> 2;
  if (typeof agents === 'number') {
    writeAgent(u32, at, agents, 'agents');
  } else if (agents instanceof Float64Array) {
    writeHandles(u32, at, agents);
  } else {
    for (let i = 0; i < agents.length; i++) {
      const agent = agents[i];
      if (Number.isSafeInteger(agent) && agent >= 0) writeAgent(u32, at + 2 * i, agent, 'agents');
      else requireAgent(agent, `agents[${i}]`); // throws
    }
  }
}

/** True if `points` is one point: three numbers, or an object with x, y and z. @param {any} points */
export const isOnePoint = (points) => !isList(points) || (points.length === 3 && typeof points[0] !== 'object');

/** The error for points that can't be used. @param {unknown} points @param {string} field @param {number} count */
const notPoints = (points, field, count) =>
  invalidArgument(field, `must be a point, or ${count} points (${3 * count} numbers), not ${describe(points)}`, points);

/** Writes a point's numbers. @param {Float32Array} f32 @param {number} at @param {any} point @param {string} field */
function writeOne(f32, at, point, field) {
  const isArray = isList(point); // a vector class may have a method named length
  const x = isArray ? point[0] : point?.x, y = isArray ? point[1] : point?.y, z = isArray ? point[2] : point?.z;
  if (typeof x !== 'number' || typeof y !== 'number' || typeof z !== 'number' || (isArray && point.length !== 3)) {
    throw invalidArgument(field, `must be a point, [x, y, z] or { x, y, z }, not ${describe(point)}`, point);
  }
  f32[at] = x;
  f32[at + 1] = y;
  f32[at + 2] = z;
}

/** The number of points. @param {Points | Point} points @param {string} field */
export function countPoints(points, field) {
  if (isOnePoint(points)) return 1;
  const { length, 0: first } = /** @type {any} */ (points);
  const count = typeof first === 'object' ? length : length / 3;
  if (Number.isInteger(count)) return count;
  throw invalidArgument(field, `must be points, three numbers each, not ${describe(points)}`, points);
}

/**
 * Writes one point or `count` points: a list of points, or their numbers.
 * @param {Session} session @param {number} address with 12 bytes for each point @param {Point | Points} points
 * @param {number} count @param {string} field
 * @returns {number} points written: 1 or `count`
 */
export function writePoints({ f32 }, address, points, count, field) {
  const at = address >>> 2;
  if (isOnePoint(points)) {
    writeOne(f32, at, points, field);
    return 1;
  }
  const list = /** @type {any} */ (points);
  if (typeof list[0] === 'object' && !ArrayBuffer.isView(list)) {
    if (list.length !== count) throw notPoints(points, field, count);
    for (let i = 0; i < count; i++) writeOne(f32, at + 3 * i, list[i], field);
    return count;
  }
  if (list.length !== 3 * count) throw notPoints(points, field, count);
  writeNumbers(f32, at, list, field);
  return count;
}

/** Copies numbers. @param {Float32Array} f32 @param {number} at @param {ArrayLike<number>} numbers @param {string} field */
export function writeNumbers(f32, at, numbers, field) {
  if (ArrayBuffer.isView(numbers)) {
    f32.set(numbers, at);
    return;
  }
  for (let i = 0; i < numbers.length; i++) {
    if (typeof numbers[i] !== 'number') throw invalidArgument(`${field}[${i}]`, `is ${describe(numbers[i])}: must be a number`, numbers[i]);
    f32[at + i] = numbers[i];
  }
}

/**
 * Checks that `numbers` has `count` elements.
 * @param {unknown} numbers @param {number} count @param {string} field @returns {ArrayLike<number>}
 */
export function requireNumbers(numbers, count, field) {
  if (isList(numbers) && numbers.length === count && !(numbers instanceof DataView)) return numbers;
  throw invalidArgument(field, `must be ${count} numbers, not ${describe(numbers)}`, numbers);
}
