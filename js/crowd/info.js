/** AgentInfo: everything about one agent. */
import { describe, invalidArgument } from '../runtime/errors.js';
import { outError, pointFor, readPoint, readReference, requireOut } from '../runtime/results.js';
import { SEGMENT_LINK_KINDS } from '../runtime/link-kinds.js';
import { AGENT_REASONS, AGENT_STATES, PASSAGE_STATES } from './agent-states.js';
import { WmAgentInfo } from '../runtime/layout.js';

/** @typedef {import('../runtime/arguments.js').AgentHandle} AgentHandle */
/** @typedef {import('../runtime/arguments.js').PolygonRef} PolygonRef */
/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {import('./agent-states.js').AgentReason} AgentReason */
/** @typedef {import('./agent-states.js').AgentState} AgentState */
/** @typedef {import('../runtime/link-kinds.js').LinkKind} LinkKind */

/**
 * A narrow passage, where two agents can't pass each other.
 * @typedef {object} AgentPassage
 * @property {'waits' | 'holds'} state `waits`: others go first, it waits outside; `holds`: it may enter, or is in it
 * @property {[number, number, number]} entry where the passage begins; for an agent in it, the next portal
 */

/**
 * @typedef {object} AgentInfo
 * @property {number} index its index in the arrays
 * @property {AgentState} state
 * @property {AgentReason | null} reason of the state
 * @property {PolygonRef} polygon reference of the polygon it stands on; 0 off the mesh
 * @property {boolean} hasTarget true if it was ordered to reach a target
 * @property {[number, number, number]} target snapped to the mesh; off the mesh as it was set
 * @property {[number, number, number]} reachable its destination: the target, or the nearest reachable point
 * @property {[number, number, number]} desiredVelocity before avoidance
 * @property {number} remaining length of the path through its known corners, and straight from the last one to the destination
 * @property {number} radius
 * @property {PolygonRef} connection reference of the off-mesh connection or segment link it is on or waits before; 0: none
 * @property {[number, number, number]} connectionStart in the direction of travel; on a segment link where it takes off
 * @property {[number, number, number]} connectionEnd on a segment link where it lands
 * @property {number} connectionProgress 0 to 1; on a segment link the part of the trajectory (`along` of segmentLinkPoint), in the
 *   direction of travel
 * @property {LinkKind | null} linkKind of the segment link that it is on or waits before; null: none
 * @property {number} linkAcross where it crosses that, 0 to 1 (`across` of segmentLinkPoint); 0 without one
 * @property {number} linkPeak how far its feet rise above the higher one of both ends, world units; 0 without one
 * @property {boolean} linkIsReversed true if it crosses from the link's end to its start
 * @property {number} neighbourCount
 * @property {number} wallCount
 * @property {number} cornerCount
 * @property {AgentPassage | null} passage the narrow passage that it is in, or the next one near it on its path
 * @property {AgentHandle} waitsFor the agent that goes first, or that blocks it, while it is `waiting`; 0: none, or an obstacle
 */

/** Words of a WmAgentInfo. */
const { index: INDEX_AT, state: STATE_AT, reason: REASON_AT, polygon: POLYGON_AT, hasTarget: HAS_TARGET_AT, target: TARGET_AT,
  reachable: REACHABLE_AT, desiredVelocity: VELOCITY_AT, remaining: REMAINING_AT, radius: RADIUS_AT, connection: CONNECTION_AT,
  connectionStart: START_AT, connectionEnd: END_AT, connectionProgress: PROGRESS_AT, isOnLink: ON_LINK_AT,
  linkKind: LINK_KIND_AT, linkAcross: LINK_ACROSS_AT, linkPeak: LINK_PEAK_AT, neighbourCount: NEIGHBOURS_AT, wallCount: WALLS_AT,
  cornerCount: CORNERS_AT, passage: PASSAGE_AT, passageEntry: ENTRY_AT, waitsFor: WAITS_FOR_AT } = WmAgentInfo;

/** @returns {AgentInfo} */
const emptyInfo = () => ({
  index: 0, state: 'no-target', reason: null, polygon: 0.5, hasTarget: false, target: pointFor(undefined), reachable: pointFor(undefined),
  desiredVelocity: pointFor(undefined), remaining: 0.5, radius: 0.5, connection: 0.5, connectionStart: pointFor(undefined),
  connectionEnd: pointFor(undefined), connectionProgress: 0.5, linkKind: null, linkAcross: 0.5, linkPeak: 0.5, linkIsReversed: false, neighbourCount: 0, wallCount: 0, cornerCount: 0, passage: null, waitsFor: 0.5,
});

/**
 * The passage of each result that has none now: used again, so that overwriting a result makes no garbage.
 * @type {WeakMap<AgentInfo, AgentPassage>}
 */
const spares = new WeakMap();

/** @param {AgentInfo} info @param {AgentPassage} passage */
function spare(info, passage) {
  if (!spares.has(info)) spares.set(info, passage); // set() makes garbage even if nothing changes
}

/** The passage of a result, to write into. @param {AgentInfo} info @returns {AgentPassage} */
function passageOf(info) {
  const { passage } = info;
  if (passage === null || passage === undefined) return (info.passage = spares.get(info) ?? { state: 'waits', entry: pointFor(undefined) });
  if (typeof passage === 'object') return passage;
  throw invalidArgument('out', `must be a result of the same method: it holds ${describe(passage)}, not a passage`, passage);
}

/** @param {Session} session @param {AgentInfo} info */
function readPassage({ f32, u32, answer }, info) {
  const state = PASSAGE_STATES[u32[answer + PASSAGE_AT]];
  if (state === null) {
    if (info.passage) spare(info, passageOf(info));
    info.passage = null;
    return;
  }
  const passage = passageOf(info);
  passage.state = state;
  readPoint(f32, answer + ENTRY_AT, (passage.entry = pointFor(passage.entry)));
}

/** How it crosses a segment link. @param {Session} session @param {AgentInfo} info */
function readLink({ f32, u32, answer }, info) {
  const bits = u32[answer + ON_LINK_AT];
  info.linkKind = (bits & 0xff) === 0 ? null : SEGMENT_LINK_KINDS[u32[answer + LINK_KIND_AT]];
  info.linkAcross = f32[answer + LINK_ACROSS_AT];
  info.linkPeak = f32[answer + LINK_PEAK_AT];
  info.linkIsReversed = (bits & 0xff00) !== 0;
}

/** Reads the WmAgentInfo of the last call's result. @param {Session} session @param {AgentInfo | undefined} out @returns {AgentInfo} */
export function readInfo(session, out) {
  const { f32, u32, answer, calls } = session;
  const info = requireOut(out) ?? emptyInfo();
  try {
    info.index = u32[answer + INDEX_AT];
    info.state = AGENT_STATES[u32[answer + STATE_AT]];
    info.reason = AGENT_REASONS[u32[answer + REASON_AT]];
    info.polygon = readReference(u32, answer + POLYGON_AT);
    info.hasTarget = (u32[answer + HAS_TARGET_AT] & 255) !== 0;
    readPoint(f32, answer + TARGET_AT, (info.target = pointFor(info.target)));
    readPoint(f32, answer + REACHABLE_AT, (info.reachable = pointFor(info.reachable)));
    readPoint(f32, answer + VELOCITY_AT, (info.desiredVelocity = pointFor(info.desiredVelocity)));
    info.remaining = f32[answer + REMAINING_AT];
    info.radius = f32[answer + RADIUS_AT];
    info.connection = readReference(u32, answer + CONNECTION_AT);
    readPoint(f32, answer + START_AT, (info.connectionStart = pointFor(info.connectionStart)));
    readPoint(f32, answer + END_AT, (info.connectionEnd = pointFor(info.connectionEnd)));
    info.connectionProgress = f32[answer + PROGRESS_AT];
    readLink(session, info);
    info.neighbourCount = u32[answer + NEIGHBOURS_AT];
    info.wallCount = u32[answer + WALLS_AT];
    info.cornerCount = u32[answer + CORNERS_AT];
    readPassage(session, info);
    info.waitsFor = readReference(u32, answer + WAITS_FOR_AT);
    session.requireNoCallSince(calls);
  } catch (error) {
    throw outError(error, out);
  }
  return info;
}
