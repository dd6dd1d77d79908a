/** Draws a crowd: its agents, coloured by state, and for selected agents their path, neighbours, walls and what they wait for. */
import { Color } from 'three';
import { AGENT_REASONS } from '../crowd/agent-states.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { isOfKind } from '../runtime/foreign.js';
import { CROWD } from '../runtime/handle-kinds.js';
import { AgentInstances } from './agent-instances.js';
import { requireOptions } from '../runtime/arguments.js';
import { nameSet } from '../runtime/option-names.js';
import { Helper, readNumbers, readOptions } from './helper.js';
import { Instances } from './geometry/instances.js';
import { COLORS, STATE_COLORS, agentReasonColor, agentStateColor } from './palette.js';
import { makeCone, makeRing } from './geometry/shapes.js';
import { Tubes, makeSolidAndGhost, setAlong } from './geometry/tubes.js';

/** @typedef {import('../crowd/crowd.js').AgentDetails} AgentDetails */
/** @typedef {import('../crowd/crowd.js').Crowd} Crowd */
/** @typedef {import('../crowd/info.js').AgentInfo} AgentInfo */

/**
 * @typedef {object} CrowdHelperOptions
 * @property {boolean} [velocities] true: an arrow shows the distance each agent walks in the next second; default false
 * @property {number} [lift] height above their position at which paths are drawn, world units; default 0.15
 * @property {number} [lineRadius] of paths, world units; default 0.04
 */

/**
 * @typedef {object} CrowdUpdate
 * @property {ArrayLike<number>} [positions] [count][3], for example of FixedStep.positions; default: those of the crowd
 * @property {ArrayLike<number>} [headings] [count][2], for example of FixedStep.headings; default: those of the crowd
 * @property {ArrayLike<number>} [selected] agents whose path (yellow), avoided neighbours (orange) and avoided walls are drawn, the
 *   agent that they wait for (a line in their own colour), and the entry of the narrow passage near them (a ring: blue while they
 *   wait outside, green once they may enter); handles of removed agents are skipped; default: none
 */

const UPDATE_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<CrowdUpdate>} */ ({ positions: 1, headings: 1, selected: 1 }));

/** Below this speed an agent has no arrow, world units per second. */
const STANDING = 0.05;

/** Radius of the ring at the entry of a passage, relative to the agent. */
const ENTRY = 1.4;

const PASSING = AGENT_REASONS.indexOf('passing');

/** @param {any} crowd @returns {Crowd} */
function requireCrowd(crowd) {
  if (isOfKind(crowd, CROWD)) return crowd;
  throw invalidArgument('crowd', `must be a crowd, not ${describe(crowd)}`, crowd);
}

/** A crowd, drawn in a few calls at any size. Call update() in every frame. */
export class CrowdHelper extends Helper {
  type = 'CrowdHelper';
  #crowd;
  #options;
  /** @type {AgentInstances} */
  #agents;
  #arrows = new Instances(this, makeCone(), makeSolidAndGhost());
  #lines = new Tubes(this);
  #entries = new Instances(this, makeRing(), makeSolidAndGhost());
  #entryCount = 0;
  #sizes = new Float32Array(0);
  #radii = new Float32Array(0);
  #heights = new Float32Array(0);
  #headings = new Float32Array(0);
  #colors = new Float32Array(0);
  #faint = new Uint8Array(0);
  #stateColors = STATE_COLORS.map((color) => new Color(color));
  #reasonColors = AGENT_REASONS.map((reason) => agentReasonColor(reason));
  #paint = {
    waits: /** @type {Color} */ (agentReasonColor('right-of-way')), holds: agentStateColor('arrived'),
    path: new Color(COLORS.path), velocity: new Color(COLORS.velocity), neighbour: new Color(COLORS.neighbour), wall: new Color(COLORS.seenWall),
  };
  /** @type {AgentDetails | undefined} */
  #details;
  /** @type {AgentInfo | undefined} */
  #info;

  /** @param {Crowd} crowd don't update the helper after freeing it @param {CrowdHelperOptions} [options] */
  constructor(crowd, options) {
    super();
    this.#crowd = requireCrowd(crowd);
    this.#options = readOptions(options, { velocities: false, lift: 0.15, lineRadius: 0.04 });
    this.#agents = new AgentInstances(this, 0.5, 2, new Color(COLORS.agent));
  }

  /** The number of agents that are drawn. */
  get count() {
    return this.#agents.count;
  }

  /** Draws the present crowd. @param {CrowdUpdate} [update] */
  update(update = {}) {
    this.check();
    const { positions: places, headings: directions, selected: chosen } = requireOptions(update, UPDATE_NAMES);
    const selected = chosen === undefined ? [] : readNumbers(chosen, 'selected', 0);
    const crowd = this.#crowd; // what is given is read before the crowd is: it may be a getter that changes the crowd
    const given = { positions: places && readNumbers(places, 'positions', 3 * crowd.count), headings: directions && readNumbers(directions, 'headings', 2 * crowd.count) };
    const { count } = crowd;
    const positions = readNumbers(given.positions ?? crowd.positions, 'positions', 3 * count);
    const headings = readNumbers(given.headings ?? crowd.headings, 'headings', 2 * count);
    this.#readAgents(count, headings);
    this.#agents.draw(count, positions, { velocities: this.#headings, radii: this.#radii, heights: this.#heights, colors: this.#colors, faint: this.#faint });
    this.#drawArrows(count, positions);
    this.#lines.begin();
    this.#entryCount = 0;
    for (let i = 0; i < selected.length; i++) {
      if (!this.#crowd.has(selected[i])) continue;
      this.#drawDetails(selected[i], positions);
      this.#drawWaiting(selected[i], positions);
    }
    this.#lines.finish();
    this.#entries.finish(this.#entryCount);
  }

  /** Reads all agents into arrays that are reused while they are large enough. @param {number} count @param {ArrayLike<number>} headings */
  #readAgents(count, headings) {
    const crowd = this.#crowd;
    if (this.#radii.length < count) {
      const room = Math.ceil(1.5 * count);
      this.#sizes = new Float32Array(2 * room);
      this.#radii = new Float32Array(room);
      this.#heights = new Float32Array(room);
      this.#headings = new Float32Array(3 * room);
      this.#colors = new Float32Array(3 * room);
      this.#faint = new Uint8Array(room);
    }
    crowd.sizes(this.#sizes);
    for (let i = 0; i < count; i++) {
      this.#radii[i] = this.#sizes[2 * i];
      this.#heights[i] = this.#sizes[2 * i + 1];
    }
    const { states, reasons } = crowd;
    for (let i = 0; i < count; i++) {
      this.#headings[3 * i] = headings[2 * i];
      this.#headings[3 * i + 2] = headings[2 * i + 1];
      const { r, g, b } = this.#reasonColors[reasons[i]] ?? this.#stateColors[states[i]];
      this.#faint[i] = reasons[i] === PASSING ? 1 : 0;
      this.#colors[3 * i] = r;
      this.#colors[3 * i + 1] = g;
      this.#colors[3 * i + 2] = b;
    }
  }

  /** @param {number} count @param {ArrayLike<number>} positions */
  #drawArrows(count, positions) {
    let drawn = 0;
    if (this.#options.velocities) {
      const { velocities } = this.#crowd;
      const ends = new Float64Array(6);
      this.#arrows.reserve(count);
      for (let i = 0; i < count; i++) {
        if (Math.hypot(velocities[3 * i], velocities[3 * i + 2]) < STANDING) continue;
        for (let axis = 0; axis < 3; axis++) {
          ends[axis] = positions[3 * i + axis] + (axis === 1 ? this.#options.lift : 0);
          ends[3 + axis] = ends[axis] + velocities[3 * i + axis];
        }
        if (!setAlong(this.#arrows, drawn, ends, 0, 3, 0.25 * this.#radii[i])) continue;
        this.#arrows.setColor(drawn++, this.#paint.velocity);
      }
    }
    this.#arrows.finish(drawn);
  }

  /** @param {number} agent @param {ArrayLike<number>} positions */
  #drawDetails(agent, positions) {
    const crowd = this.#crowd;
    const { lineRadius, lift } = this.#options;
    const details = (this.#details = crowd.details(agent, this.#details));
    const { cornerCount, corners, neighbourCount, neighbours, wallCount, walls } = details;
    const own = crowd.indexOf(agent);
    const positionOf = (/** @type {number} */ index) => [positions[3 * index], positions[3 * index + 1] + lift, positions[3 * index + 2]];
    const lifted = (/** @type {ArrayLike<number>} */ points, /** @type {number} */ first, /** @type {number} */ count) =>
      Array.from({ length: 3 * count }, (_, i) => points[3 * first + i] + (i % 3 === 1 ? lift : 0));
    if (cornerCount > 0) this.#lines.add([...positionOf(own), ...lifted(corners, 0, cornerCount)], lineRadius, this.#paint.path);
    for (let i = 0; i < neighbourCount; i++) {
      if (crowd.has(neighbours[i])) this.#lines.add([...positionOf(own), ...positionOf(crowd.indexOf(neighbours[i]))], lineRadius / 2, this.#paint.neighbour);
    }
    for (let i = 0; i < wallCount; i++) this.#lines.add(lifted(walls, 2 * i, 2), lineRadius / 2, this.#paint.wall);
  }

  /** Draws the agent that a selected one waits for, and the entry of its passage. @param {number} agent @param {ArrayLike<number>} positions */
  #drawWaiting(agent, positions) {
    const crowd = this.#crowd;
    const { lineRadius, lift } = this.#options;
    const { index, passage, waitsFor, radius } = (this.#info = crowd.info(agent, this.#info));
    if (waitsFor !== 0) {
      const ends = [index, crowd.indexOf(waitsFor)].flatMap((i) => [positions[3 * i], positions[3 * i + 1] + this.#heights[i] / 2, positions[3 * i + 2]]);
      this.#lines.add(ends, 1.5 * lineRadius, new Color().fromArray(this.#colors, 3 * index));
    }
    if (passage === null) return;
    const [x, y, z] = passage.entry;
    this.#entries.reserve(this.#entryCount + 1);
    this.#entries.setUpright(this.#entryCount, x, y + lift, z, ENTRY * radius, 1);
    this.#entries.setColor(this.#entryCount++, this.#paint[passage.state]);
  }
}
