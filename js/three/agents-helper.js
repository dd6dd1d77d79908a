/** Draws agents from flat arrays: a capsule for each, with a nose in its direction. */
import { Color } from 'three';
import { requireCount, requireOptions } from '../runtime/arguments.js';
import { NavError, invalidArgument } from '../runtime/errors.js';
import { nameSet } from '../runtime/option-names.js';
import { AgentInstances } from './agent-instances.js';
import { Helper, readNumbers, readOptions, requireFinite } from './helper.js';
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

/** The first numbers of an array, which must be finite. @param {ArrayLike<number>} numbers @param {string} field @param {number} count */
function readFinite(numbers, field, count) {
  const list = readNumbers(numbers, field, count);
  requireFinite(list, count, field);
  return list;
}

/** As readFinite, for lengths. @param {ArrayLike<number>} numbers @param {string} field @param {number} count */
function readLengths(numbers, field, count) {
  const list = readFinite(numbers, field, count);
  for (let i = 0; i < count; i++) {
    if (list[i] < 0) throw invalidArgument(`${field}[${i}]`, `is ${list[i]}: must be 0 or more`, list[i]);
  }
  return list;
}

const UPDATE_NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<AgentsUpdate>} */ ({ count: 1, velocities: 1, radii: 1, colors: 1 }));

/** The most agents that are drawn. */
const MOST_AGENTS = 2 ** 24;

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
  update(positions, update = {}) {
    this.check();
    const { count, velocities, radii, colors } = requireOptions(update, UPDATE_NAMES);
    const least = count === undefined ? 0 : 3 * requireCount(count, 'count', MOST_AGENTS);
    const places = readNumbers(positions, 'positions', least);
    if (count === undefined && places.length % 3 !== 0) {
      throw new NavError('invalid-argument', `positions has ${places.length} numbers: must have three for each agent`, { field: 'positions' });
    }
    const agents = count ?? places.length / 3;
    requireFinite(places, 3 * agents, 'positions');
    this.#agents.draw(agents, places, {
      velocities: velocities && readFinite(velocities, 'velocities', 3 * agents),
      radii: radii && readLengths(radii, 'radii', agents),
      colors: colors && readFinite(colors, 'colors', 3 * agents),
    });
  }
}
