/** Draws agents out of flat arrays: a capsule for each, with a nose that points where it goes. */
import { Color } from 'three';
import { NavError, describe, invalidArgument } from '../errors.js';
import { Helper, RENDER_ORDER, readOptions } from './helper.js';
import { Instances } from './instances.js';
import { COLORS } from './palette.js';
import { makeCapsule, makeNose, makeShaded } from './shapes.js';

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
 * @property {ArrayLike<number>} [velocities] [count][3] world units a second: their noses point there; those that stand
 *   still keep their direction
 * @property {ArrayLike<number>} [radii] [count] world units; default: the helper's
 * @property {ArrayLike<number>} [colors] [count][3] red, green and blue, linear, 0 to 1; default: the helper's colour
 */

/** Slower than this an agent stands still, world units a second. */
const STANDING = 1e-3;

/** How dark noses are, next to their bodies. */
const NOSE_SHADE = 0.3;

/** @param {unknown} array @param {string} field @param {number} least length */
function requireArray(array, field, least) {
  const { length } = /** @type {ArrayLike<number>} */ (array ?? {});
  if (typeof array !== 'object' || typeof length !== 'number') {
    throw invalidArgument(field, `must be an array of numbers, not ${describe(array)}`, array);
  }
  if (length < least) throw new NavError('invalid-argument', `${field} has ${length} numbers: must have ${least}`, { field });
}

/** Agents, drawn in two calls, whatever their number. Call update() in every frame: it makes no garbage. */
export class AgentsHelper extends Helper {
  type = 'AgentsHelper';
  #options;
  #color;
  /** @type {Instances} */
  #bodies = new Instances(this, makeCapsule(), [{ material: makeShaded(), order: RENDER_ORDER.solids }]);
  /** @type {Instances} */
  #noses = new Instances(this, makeNose(), [{ material: makeShaded(), order: RENDER_ORDER.solids }]);
  /** Where they point: x and z of each. */
  #directions = new Float32Array(0);

  /** @param {AgentsHelperOptions} [options] */
  constructor(options) {
    super();
    this.#options = readOptions(options, { radius: 0.4, height: 1.8, color: /** @type {ColorRepresentation} */ (COLORS.agent) });
    this.#color = new Color(this.#options.color);
  }

  /** How many are drawn. */
  get count() {
    return this.#bodies.count;
  }

  /**
   * Draws the agents where they are now.
   * @param {ArrayLike<number>} positions [count][3] of their feet @param {AgentsUpdate} [update]
   */
  update(positions, { count, velocities, radii, colors } = {}) {
    this.check();
    requireArray(positions, 'positions', 3 * (count ?? 0));
    const agents = count ?? Math.floor(positions.length / 3);
    if (velocities !== undefined) requireArray(velocities, 'velocities', 3 * agents);
    if (radii !== undefined) requireArray(radii, 'radii', agents);
    if (colors !== undefined) requireArray(colors, 'colors', 3 * agents);
    this.#bodies.reserve(agents);
    this.#noses.reserve(agents);
    this.#reserveDirections(agents);
    for (let i = 0; i < agents; i++) {
      if (velocities) this.#turn(i, velocities[3 * i], velocities[3 * i + 2]);
      this.#place(i, positions, radii ? radii[i] : this.#options.radius);
    }
    this.#paint(agents, colors);
    this.#bodies.finish(agents);
    this.#noses.finish(agents);
  }

  /** @param {number} count */
  #reserveDirections(count) {
    if (this.#directions.length >= 2 * count) return;
    const directions = new Float32Array(3 * count);
    for (let i = 1; i < directions.length; i += 2) directions[i] = 1;
    directions.set(this.#directions);
    this.#directions = directions;
  }

  /** @param {number} i @param {number} x @param {number} z */
  #turn(i, x, z) {
    const speed = Math.hypot(x, z);
    if (!(speed > STANDING)) return;
    this.#directions[2 * i] = x / speed;
    this.#directions[2 * i + 1] = z / speed;
  }

  /** @param {number} i @param {ArrayLike<number>} positions @param {number} radius */
  #place(i, positions, radius) {
    const { height } = this.#options;
    const x = positions[3 * i];
    const y = positions[3 * i + 1];
    const z = positions[3 * i + 2];
    this.#bodies.setUpright(i, x, y, z, radius, height / 2);
    // A flat cone, its axis along the direction, half of it inside the body.
    const { matrices } = this.#noses;
    const at = 16 * i;
    const dx = this.#directions[2 * i];
    const dz = this.#directions[2 * i + 1];
    const width = 0.5 * radius;
    matrices.fill(0, at, at + 15);
    matrices[at] = dz * width;
    matrices[at + 2] = -dx * width;
    matrices[at + 4] = dx * radius;
    matrices[at + 6] = dz * radius;
    matrices[at + 9] = -width;
    matrices[at + 12] = x + 0.75 * radius * dx;
    matrices[at + 13] = y + 0.62 * height;
    matrices[at + 14] = z + 0.75 * radius * dz;
    matrices[at + 15] = 1;
  }

  /** @param {number} count @param {ArrayLike<number> | undefined} colors */
  #paint(count, colors) {
    const { r, g, b } = this.#color;
    for (const { colors: painted } of [this.#bodies, this.#noses]) {
      for (let i = 0; i < 3 * count; i += 3) {
        painted[i] = colors ? colors[i] : r;
        painted[i + 1] = colors ? colors[i + 1] : g;
        painted[i + 2] = colors ? colors[i + 2] : b;
      }
    }
    const noses = this.#noses.colors;
    for (let i = 0; i < 3 * count; i++) noses[i] *= NOSE_SHADE;
  }
}
