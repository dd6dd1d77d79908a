/** Agents as instances: a capsule for each, with a nose in its direction. Used by the helpers that draw agents. */
import { RENDER_ORDER } from './helper.js';
import { Instances } from './instances.js';
import { makeCapsule, makeCoarseCapsule, makeNose, makeShaded } from './shapes.js';

/** @typedef {import('three').Color} Color */
/** @typedef {import('./helper.js').Helper} Helper */

/** Below this speed an agent stands still, world units per second. */
const STANDING = 1e-3;

/** Above this number of agents, bodies have fewer triangles: a thousand agents are 120,000 instead of 550,000. */
const FINE = 250;

/** Brightness of noses relative to their bodies. */
const NOSE_SHADE = 0.3;

/**
 * @typedef {object} AgentRows
 * @property {ArrayLike<number>} [velocities] [count][3] velocities or headings: noses point there, unless the agent stands still
 * @property {ArrayLike<number>} [radii] [count]
 * @property {ArrayLike<number>} [heights] [count]
 * @property {ArrayLike<number>} [colors] [count][3]
 */

export class AgentInstances {
  #radius;
  #height;
  #color;
  #bodies;
  /** Replaces bodies if there are many agents. */
  #coarseBodies;
  #noses;
  #count = 0;
  /** Directions of the noses: x and z of each agent. */
  #directions = new Float32Array(0);

  /** @param {Helper} helper @param {number} radius @param {number} height @param {Color} color defaults for missing rows */
  constructor(helper, radius, height, color) {
    this.#radius = radius;
    this.#height = height;
    this.#color = color;
    this.#bodies = new Instances(helper, makeCapsule(), [{ material: makeShaded(), order: RENDER_ORDER.solids }]);
    this.#coarseBodies = new Instances(helper, makeCoarseCapsule(), [{ material: makeShaded(), order: RENDER_ORDER.solids }]);
    this.#noses = new Instances(helper, makeNose(), [{ material: makeShaded(), order: RENDER_ORDER.solids }]);
  }

  /** The number of agents that are drawn. */
  get count() {
    return this.#count;
  }

  /** @param {number} count @param {ArrayLike<number>} positions [count][3] @param {AgentRows} rows */
  draw(count, positions, { velocities, radii, heights, colors }) {
    const [bodies, others] = count > FINE ? [this.#coarseBodies, this.#bodies] : [this.#bodies, this.#coarseBodies];
    this.#count = count;
    bodies.reserve(count);
    this.#noses.reserve(count);
    this.#reserveDirections(count);
    for (let i = 0; i < count; i++) {
      if (velocities) this.#turn(i, velocities[3 * i], velocities[3 * i + 2]);
      this.#place(i, bodies, positions, radii ? radii[i] : this.#radius, heights ? heights[i] : this.#height);
    }
    this.#paint(count, bodies, colors);
    bodies.finish(count);
    others.finish(0);
    this.#noses.finish(count);
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

  /** @param {number} i @param {Instances} bodies @param {ArrayLike<number>} positions @param {number} radius @param {number} height */
  #place(i, bodies, positions, radius, height) {
    const x = positions[3 * i];
    const y = positions[3 * i + 1];
    const z = positions[3 * i + 2];
    bodies.setUpright(i, x, y, z, radius, height / 2);
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

  /** @param {number} count @param {Instances} bodies @param {ArrayLike<number> | undefined} colors */
  #paint(count, bodies, colors) {
    const { r, g, b } = this.#color;
    for (const { colors: painted } of [bodies, this.#noses]) {
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
