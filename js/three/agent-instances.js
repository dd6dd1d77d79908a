/** Agents as instances: a capsule for each, with a nose in its direction. Used by the helpers that draw agents. */
import { RENDER_ORDER } from './helper.js';
import { Instances } from './geometry/instances.js';
import { makeCapsule, makeCoarseCapsule, makeNose, makeShaded } from './geometry/shapes.js';

/** @typedef {import('three').Color} Color */
/** @typedef {import('./helper.js').Helper} Helper */

/** Below this speed an agent stands still, world units per second. */
const STANDING = 1e-3;

/** Above this number of agents, bodies have fewer triangles: a thousand agents are 120,000 instead of 550,000. */
const FINE = 250;

/** Opacity of faint agents. */
const FAINT = 0.4;

/** Brightness of noses relative to their bodies. */
const NOSE_SHADE = 0.3;

/**
 * @typedef {object} AgentRows
 * @property {ArrayLike<number>} [velocities] [count][3] velocities or headings: noses point there, unless the agent stands still
 * @property {ArrayLike<number>} [radii] [count]
 * @property {ArrayLike<number>} [heights] [count]
 * @property {ArrayLike<number>} [colors] [count][3]
 * @property {ArrayLike<number>} [faint] [count] not 0: translucent
 */

/** The bodies and noses of the agents with one opacity: begin(), add() and paint() for each, then finish(). */
class Bodies {
  #fine;
  /** Replaces fine bodies if there are many agents. */
  #coarse;
  #noses;
  #isCoarse = false;
  #count = 0;

  /** @param {Helper} helper @param {number} opacity 0 to 1 */
  constructor(helper, opacity) {
    const [fine, coarse, noses] = [makeCapsule(), makeCoarseCapsule(), makeNose()].map((shape) => (
      new Instances(helper, shape, [{ material: makeShaded({ opacity }), order: RENDER_ORDER.solids }])));
    this.#fine = fine;
    this.#coarse = coarse;
    this.#noses = noses;
  }

  /** @param {boolean} isCoarse true: bodies with fewer triangles */
  begin(isCoarse) {
    this.#isCoarse = isCoarse;
    this.#count = 0;
  }

  get #bodies() {
    return this.#isCoarse ? this.#coarse : this.#fine;
  }

  /**
   * @param {ArrayLike<number>} positions @param {number} at number of the agent's x @param {number} radius @param {number} height
   * @param {number} dx direction @param {number} dz
   */
  add(positions, at, radius, height, dx, dz) {
    const bodies = this.#bodies, index = this.#count++;
    const x = positions[at], y = positions[at + 1], z = positions[at + 2];
    bodies.reserve(this.#count);
    this.#noses.reserve(this.#count);
    bodies.setUpright(index, x, y, z, radius, height / 2);
    // A flat cone, its axis along the direction, half of it inside the body.
    const { matrices } = this.#noses;
    const to = 16 * index, width = 0.5 * radius;
    matrices.fill(0, to, to + 15);
    matrices[to] = dz * width;
    matrices[to + 2] = -dx * width;
    matrices[to + 4] = dx * radius;
    matrices[to + 6] = dz * radius;
    matrices[to + 9] = -width;
    matrices[to + 12] = x + 0.75 * radius * dx;
    matrices[to + 13] = y + 0.62 * height;
    matrices[to + 14] = z + 0.75 * radius * dz;
    matrices[to + 15] = 1;
  }

  /** Colours the last agent that was added. @param {number} r @param {number} g @param {number} b */
  paint(r, g, b) {
    const { colors } = this.#bodies, noses = this.#noses.colors, at = 3 * (this.#count - 1);
    colors[at] = r;
    colors[at + 1] = g;
    colors[at + 2] = b;
    noses[at] = r * NOSE_SHADE;
    noses[at + 1] = g * NOSE_SHADE;
    noses[at + 2] = b * NOSE_SHADE;
  }

  finish() {
    this.#fine.finish(this.#isCoarse ? 0 : this.#count);
    this.#coarse.finish(this.#isCoarse ? this.#count : 0);
    this.#noses.finish(this.#count);
  }
}

export class AgentInstances {
  #radius;
  #height;
  #color;
  #solid;
  #faint;
  #count = 0;
  /** Directions of the noses: x and z of each agent. */
  #directions = new Float32Array(0);

  /** @param {Helper} helper @param {number} radius @param {number} height @param {Color} color defaults for missing rows */
  constructor(helper, radius, height, color) {
    this.#radius = radius;
    this.#height = height;
    this.#color = color;
    this.#solid = new Bodies(helper, 1);
    this.#faint = new Bodies(helper, FAINT);
  }

  /** The number of agents that are drawn. */
  get count() {
    return this.#count;
  }

  /** @param {number} count @param {ArrayLike<number>} positions [count][3] @param {AgentRows} rows */
  draw(count, positions, { velocities, radii, heights, colors, faint }) {
    const isCoarse = count > FINE, directions = this.#reserveDirections(count), { r, g, b } = this.#color;
    this.#count = count;
    this.#solid.begin(isCoarse);
    this.#faint.begin(isCoarse);
    for (let i = 0; i < count; i++) {
      if (velocities) this.#turn(i, velocities[3 * i], velocities[3 * i + 2]);
      const bodies = faint && faint[i] !== 0 ? this.#faint : this.#solid;
      bodies.add(positions, 3 * i, radii ? radii[i] : this.#radius, heights ? heights[i] : this.#height, directions[2 * i], directions[2 * i + 1]);
      if (colors) bodies.paint(colors[3 * i], colors[3 * i + 1], colors[3 * i + 2]);
      else bodies.paint(r, g, b);
    }
    this.#solid.finish();
    this.#faint.finish();
  }

  /** @param {number} count */
  #reserveDirections(count) {
    if (this.#directions.length >= 2 * count) return this.#directions;
    const directions = new Float32Array(3 * count);
    for (let i = 1; i < directions.length; i += 2) directions[i] = 1;
    directions.set(this.#directions);
    return (this.#directions = directions);
  }

  /** @param {number} i @param {number} x @param {number} z */
  #turn(i, x, z) {
    const speed = Math.hypot(x, z);
    if (!(speed > STANDING)) return;
    this.#directions[2 * i] = x / speed;
    this.#directions[2 * i + 1] = z / speed;
  }
}
