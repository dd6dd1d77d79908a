/** Draws agents from flat arrays: a capsule for each, with a nose in its direction. */
import { Color } from 'three';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { AgentInstances } from './agent-instances.js';
import { Helper, readOptions } from './helper.js';
import { COLORS } from './palette.js';

/** @typedef {import('three').ColorRepresentation} ColorRepresentation */

/**
 * @typedef {object} AgentsHelperOptions
 * @property {number} [radius] world units; default 0.4
 * @property {number} [height] world units; default 1.8
 * @property {ColorRepresentation} [color]
 */

/**
 * @typedef {object} AgentsUpdate
 * @property {number} [count] agents; default: as many as positions
 * @property {ArrayLike<number>} [velocities] [count][3] world units per second: noses point there; agents that stand still keep
 *   their direction
 * @property {ArrayLike<number>} [radii] [count] world units; default: the helper's
 * @property {ArrayLike<number>} [colors] [count][3] red, green and blue, linear, 0 to 1; default: the helper's colour
 */

/** @param {unknown} array @param {string} field @param {number} least length */
function requireArray(array, field, least) {
  const { length } = /** @type {ArrayLike<number>} */ (array ?? {});
  if (typeof array !== 'object' || typeof length !== 'number') {
    throw invalidArgument(field, `must be an array of numbers, not ${describe(array)}`, array);
  }
  if (length < least) throw new NavError('invalid-argument', `${field} has ${length} numbers: must have ${least}`, { field });
}

/** Agents, drawn in two calls for any number of them. Call update() in every frame: it allocates no objects. */
export class AgentsHelper extends Helper {
  type = 'AgentsHelper';
  /** @type {AgentInstances} */
  #agents;

  /** @param {AgentsHelperOptions} [options] */
  constructor(options) {
    super();
    const { radius, height, color } = readOptions(options, { radius: 0.4, height: 1.8, color: /** @type {ColorRepresentation} */ (COLORS.agent) });
    this.#agents = new AgentInstances(this, radius, height, new Color(color));
  }

  /** The number of agents that are drawn. */
  get count() {
    return this.#agents.count;
  }

  /**
   * Draws the agents at their present positions.
   * @param {ArrayLike<number>} positions [count][3] of their bases @param {AgentsUpdate} [update]
   */
  update(positions, { count, velocities, radii, colors } = {}) {
    this.check();
    requireArray(positions, 'positions', 3 * (count ?? 0));
    const agents = count ?? Math.floor(positions.length / 3);
    if (velocities !== undefined) requireArray(velocities, 'velocities', 3 * agents);
    if (radii !== undefined) requireArray(radii, 'radii', agents);
    if (colors !== undefined) requireArray(colors, 'colors', 3 * agents);
    this.#agents.draw(agents, positions, { velocities, radii, colors });
  }
}
