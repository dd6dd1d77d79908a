/** What agents do, in words and colours: their state or, where it says more, the reason of their state. */
import { AGENT_REASONS, AGENT_STATES } from 'walkmesh';
import { agentReasonColor, agentStateColor } from 'walkmesh/three';
import { REASON_WORDS, STATE_WORDS } from '../tools/result-text.js';

/** @typedef {import('walkmesh').AgentInfo} AgentInfo */
/** @typedef {import('walkmesh').AgentReason} AgentReason */
/** @typedef {import('walkmesh').AgentState} AgentState */
/** reason: null if the state alone names it. @typedef {{ state: AgentState, reason: AgentReason | null }} Activity */

const ACTIVITIES = AGENT_STATES.flatMap((state) => AGENT_REASONS.map((reason) => ({ state, reason })));

/** True if agents with this reason have a colour of their own. @param {AgentReason | null} reason */
const isNamed = (reason) => agentReasonColor(reason) !== null;

/**
 * Counts agents by activity, in the order of AGENT_STATES.
 * @param {{ states: ArrayLike<number>, reasons: ArrayLike<number>, count: number }} crowd
 * @returns {(Activity & { count: number })[]} those that agents have
 */
export function countActivities({ states, reasons, count }) {
  const counts = new Uint32Array(ACTIVITIES.length);
  for (let i = 0; i < count; i++) counts[states[i] * AGENT_REASONS.length + (isNamed(AGENT_REASONS[reasons[i]]) ? reasons[i] : 0)]++;
  return ACTIVITIES.map((activity, i) => ({ ...activity, count: counts[i] })).filter((each) => each.count > 0);
}

/** @param {Activity} activity @returns {string} a CSS colour */
export const activityColor = ({ state, reason }) => `#${(agentReasonColor(reason) ?? agentStateColor(state)).getHexString()}`;

/** @param {Activity} activity */
export const activityWords = ({ state, reason }) => (reason === null ? STATE_WORDS[state] : REASON_WORDS[reason]);

/** The number that the tool shows: that of the handle, which stays while others are removed. @param {number} agent */
export const numberOf = (agent) => agent % 2 ** 32 + 1;

/** Verbs for agents on links, by kind. @type {Record<string, string>} */
const LINK_WORDS = { drop: 'drops', jump: 'jumps', climb: 'climbs', vault: 'vaults' };

/** A sentence about one agent. @param {AgentInfo} info */
export function describeAgent({ state, reason, waitsFor, linkKind }) {
  if (state === 'on-connection' && linkKind && LINK_WORDS[linkKind]) return LINK_WORDS[linkKind];
  const other = waitsFor === 0 ? '' : ` agent ${numberOf(waitsFor)}`;
  if (reason === 'right-of-way') return `waits${other && ` for${other}`} before a narrow passage`;
  if (reason === 'blocked') return `is blocked by${other || ' others'}`;
  if (reason === 'passing') return 'passes through others';
  return reason ? `${STATE_WORDS[state]}: ${REASON_WORDS[reason]}` : STATE_WORDS[state];
}
