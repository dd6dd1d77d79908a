/** Colours of areas and regions, and their conversion to the bytes of vertex colours. */
import { Color } from 'three';
import { AGENT_STATES } from '../crowd/agent-states.js';
import { requireAmount } from '../runtime/arguments.js';
import { requireColor } from './helper.js';

/** @typedef {import('three').ColorRepresentation} ColorRepresentation */
/** @typedef {import('../crowd/agent-states.js').AgentReason} AgentReason */

/** Colours that several drawings share. */
export const COLORS = {
  ground: 0x1fb5a8, wall: 0x0b3b46, edge: 0xffffff, border: 0xffb454,
  link: 0x8fe6ff, crossing: 0xdd5522, connection: 0xc061ff, untied: 0xb3162e, disabled: 0x5f6876,
  drop: 0x1ec3ff, jump: 0xf0e100, climb: 0xd200b4, vault: 0xff4b0f,
  path: 0xffd23f, agent: 0xf2efe9, notWalkable: 0x8a919e, obstacle: 0xe8604c, moving: 0xffd23f, velocity: 0x7fe3ff, neighbour: 0xff8f5c, seenWall: 0xff5d5d,
};

/** Agents of a crowd by state, in the order of AGENT_STATES. */
export const STATE_COLORS = [0x9aa3b2, 0xffd23f, COLORS.agent, 0xffb454, COLORS.connection, 0x6fd08c, 0xff5d5d, 0x8a3b3b, 0xb8a6f5];

/**
 * The colour of agents in a state, as CrowdHelper draws them.
 * @param {import('../crowd/agent-states.js').AgentState} state @param {Color} [target] @returns {Color}
 */
export const agentStateColor = (state, target = new Color()) => requireColor(target).set(STATE_COLORS[AGENT_STATES.indexOf(state)] ?? COLORS.agent);

/** Agents whose state has one of these reasons: it says more than the state. @type {Partial<Record<AgentReason, number>>} */
const REASON_COLORS = { 'right-of-way': 0x5b9dff, blocked: 0xff7a2f, passing: 0xff86c3 };

/**
 * The colour of agents whose state has a reason, as CrowdHelper draws them; null for most reasons: it draws the colour of the state.
 * @param {AgentReason | null} reason @param {Color} [target] @returns {Color | null}
 */
export function agentReasonColor(reason, target = new Color()) {
  const color = reason === null ? undefined : REASON_COLORS[reason];
  return color === undefined ? null : target.set(color);
}

/** Areas 1 to 7, which levels use most; other colours are computed. */
const AREA_COLORS = [0x4f8ff7, 0x9b7bf5, 0xf0b24a, 0xf2766b, 0xa4cf4e, 0xe77fc0, 0x58c7e8];

/** Degrees around the colour circle from one number to the next: the golden angle, so that no two are equal. */
const GOLDEN_ANGLE = 137.508;

/**
 * A colour for each area; the default area of tiles (0) and the unmarked area of a bake (63) have the same.
 * @param {number} area 0 to 63 @param {Color} [target] @returns {Color}
 */
export function areaColor(area, target = new Color()) {
  requireAmount(area, 'area');
  requireColor(target);
  if (area === 0 || area === 63) return target.set(COLORS.ground);
  const known = AREA_COLORS[area - 1];
  return known === undefined ? target.setHSL(area * GOLDEN_ANGLE % 360 / 360, 0.55, 0.6) : target.set(known);
}

/** A colour for each region, contour or island. @param {number} number @param {Color} [target] @returns {Color} */
export function regionColor(number, target = new Color()) {
  requireAmount(number, 'number');
  requireColor(target);
  return target.setHSL((20 + number * GOLDEN_ANGLE) % 360 / 360, 0.6, 0.5 + 0.1 * (number % 3 - 1));
}

/** Red, green, blue and alpha as bytes, packed for one write. */
export class Bytes {
  /** @param {ColorRepresentation} color @param {number} alpha 0 to 1 */
  constructor(color, alpha = 1) {
    const { r, g, b } = new Color(color);
    this.rgba = [r, g, b, alpha].map((part) => Math.round(255 * Math.min(Math.max(part, 0), 1)));
  }

  /** Colours `count` vertices from vertex `first` on. @param {Uint8Array} colors @param {number} first @param {number} count */
  fill(colors, first, count) {
    for (let i = 4 * first; i < 4 * (first + count); i += 4) colors.set(this.rgba, i);
  }
}
