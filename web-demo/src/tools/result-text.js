/** Messages for the library's results, and numbers with units. */

/** @typedef {import('walkmesh').Path} Path */
/** @typedef {'good' | 'fair' | 'bad'} Tone */
/** @typedef {{ tone: Tone, title: string, text: string }} Verdict */

/** @param {number} value @param {number} digits */
const fixed = (value, digits) => value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** World units. @param {number} value */
export const metres = (value) => `${fixed(value, Math.abs(value) < 100 ? 2 : 1)} m`;

/** Areas. @param {number} value */
export const squareMetres = (value) => `${value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 })} m²`;

/** Keeps numbers and their units in one line. @param {string} text */
export const joinUnits = (text) => text.replace(/(\d) (m²?)(?![a-z])/g, '$1\u00a0$2');

/** Costs have no unit; in an area of cost 1 they equal metres. @param {number} value */
export const costs = (value) => fixed(value, Math.abs(value) < 100 ? 2 : 1);

/** @param {readonly number[] | ArrayLike<number>} point */
export const place = (point) => Array.from(point, (part) => fixed(part, 2)).join(', ');

/** A count with its noun. @param {number} count @param {string} one @param {string} [many] */
export const counted = (count, one, many = `${one}s`) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** A duration with as many digits as the clock resolves. @param {number} value of one query */
export function microseconds(value) {
  if (value >= 100_000) return `${fixed(value / 1000, 0)} ms`;
  if (value >= 1000) return `${fixed(value / 1000, 2)} ms`;
  return `${fixed(value, value < 10 ? 2 : value < 100 ? 1 : 0)} µs`;
}

/** The result line of a path. @param {Path} path @param {number} maxNodes limit of the search @returns {Verdict} */
export function pathVerdict(path, maxNodes) {
  const rest = `It ends ${metres(path.remaining)} from the destination.`;
  switch (path.reason) {
    case null:
      return { tone: 'good', title: 'Complete', text: 'The path reaches the end.' };
    case 'start-not-found':
      return { tone: 'bad', title: 'No path', text: "Start isn't on the mesh. Move it near walkable ground." };
    case 'end-not-found':
      return { tone: 'bad', title: 'No path', text: "End isn't on the mesh. Move it near walkable ground." };
    case 'start-excluded':
      return { tone: 'bad', title: 'No path', text: "The start is in a closed door, or an area that the filter doesn't walk on." };
    case 'end-excluded':
      return { tone: 'bad', title: 'No path', text: "The end is in a closed door, or an area that the filter doesn't walk on." };
    case 'not-connected':
      return { tone: 'bad', title: 'Unreachable', text: `The end isn't connected; the path goes to the nearest reachable point. ${rest}` };
    case 'node-limit':
      return { tone: 'fair', title: 'Partial', text: `The search hit its limit of ${counted(maxNodes, 'polygon')}. ${rest}` };
    case 'broken-corridor':
      return { tone: 'fair', title: 'Partial', text: `A polygon of the path was removed. ${rest}` };
    default:
      return { tone: 'fair', title: 'Partial', text: `The search didn't finish. ${rest}` };
  }
}

/** @typedef {import('walkmesh').AgentState} AgentState */
/** @typedef {import('walkmesh').AgentReason} AgentReason */

/** Agent states. @type {Record<AgentState, string>} */
export const STATE_WORDS = {
  'no-target': 'standing', planning: 'planning', following: 'walking', waiting: 'waiting', 'on-connection': 'on a connection',
  arrived: 'arrived', unreachable: 'at the nearest reachable point', 'off-mesh': 'off the mesh', crowded: 'crowded',
};

/** Reasons of agent states. @type {Record<AgentReason, string>} */
export const REASON_WORDS = {
  paused: 'paused', connection: 'at a manual connection', blocked: 'blocked by other agents', 'right-of-way': 'waiting for right of way', passing: 'passing through others', velocity: 'follows a given velocity',
  'target-off-mesh': "destination isn't on the mesh", 'target-excluded': "destination isn't walkable", 'target-not-connected': "destination isn't connected",
  crowded: 'others rest before the destination', 'mesh-changed': 'path lost after a mesh change', 'no-ground': 'no ground below the agent', 'search-limit': 'search limit reached',
};
