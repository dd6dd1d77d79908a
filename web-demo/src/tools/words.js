/** What the library's answers mean, in plain words; numbers with their units. */

/** @typedef {import('walkmesh').Path} Path */
/** @typedef {'good' | 'fair' | 'bad'} Tone */
/** @typedef {{ tone: Tone, title: string, text: string }} Verdict */

/** @param {number} value @param {number} digits */
const fixed = (value, digits) => value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** World units. @param {number} value */
export const metres = (value) => `${fixed(value, Math.abs(value) < 100 ? 2 : 1)} m`;

/** Costs have no unit: an area of cost 1 makes them metres. @param {number} value */
export const costs = (value) => fixed(value, Math.abs(value) < 100 ? 2 : 1);

/** @param {readonly number[] | ArrayLike<number>} point */
export const place = (point) => Array.from(point, (part) => fixed(part, 2)).join(', ');

/** Whole things. @param {number} count @param {string} one @param {string} [many] */
export const counted = (count, one, many = `${one}s`) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** As many digits as the clock is good for. @param {number} value of one question */
export function microseconds(value) {
  if (value >= 100_000) return `${fixed(value / 1000, 0)} ms`;
  if (value >= 1000) return `${fixed(value / 1000, 2)} ms`;
  return `${fixed(value, value < 10 ? 2 : value < 100 ? 1 : 0)} µs`;
}

/** What a path says of itself. @param {Path} path @param {number} maxNodes that it was asked with @returns {Verdict} */
export function pathVerdict(path, maxNodes) {
  const rest = `It ends ${metres(path.remaining)} from the target.`;
  switch (path.reason) {
    case null:
      return { tone: 'good', title: 'Complete', text: 'The path reaches the end.' };
    case 'start-not-found':
      return { tone: 'bad', title: 'No path', text: 'The start is not on the mesh: nothing walkable is near it.' };
    case 'end-not-found':
      return { tone: 'bad', title: 'No path', text: 'The end is not on the mesh: nothing walkable is near it.' };
    case 'end-excluded':
      return { tone: 'bad', title: 'Unreachable', text: `The end lies where agents may not go: a shut door, or an area that is not walkable. ${rest}` };
    case 'not-connected':
      return { tone: 'bad', title: 'Unreachable', text: `No way leads to the end. The path goes to the nearest place that can be reached. ${rest}` };
    case 'node-limit':
      return { tone: 'fair', title: 'Partial', text: `The search was stopped after ${counted(maxNodes, 'polygon')}. ${rest}` };
    case 'broken-corridor':
      return { tone: 'fair', title: 'Partial', text: `A polygon on the way has gone. ${rest}` };
    default:
      return { tone: 'fair', title: 'Partial', text: `The search was not finished. ${rest}` };
  }
}

/** @typedef {import('walkmesh').AgentState} AgentState */
/** @typedef {import('walkmesh').AgentReason} AgentReason */

/** States of agents, for counts and for one. @type {Record<AgentState, string>} */
export const STATE_WORDS = {
  'no-target': 'standing', planning: 'looking for a way', following: 'walking', waiting: 'waiting', 'on-connection': 'on a connection',
  arrived: 'arrived', unreachable: 'at the nearest reachable place', 'off-mesh': 'off the mesh',
};

/** Why an agent is in its state. @type {Record<AgentReason, string>} */
export const REASON_WORDS = {
  paused: 'paused', connection: 'before a connection that it does not take by itself', blocked: 'others are in its way', velocity: 'goes at a given velocity',
  'target-off-mesh': 'no ground is near its target', 'target-excluded': 'its target lies where agents may not go', 'target-not-connected': 'no way leads to its target',
  crowded: 'others fill the space up to its target', 'mesh-changed': 'its way was lost with its ground', 'no-ground': 'there is no ground under it', 'search-limit': 'the search was stopped',
};
