/** Thick lines: tubes with round joints, thickness in world units, faintly visible behind other objects. */
import { Color } from 'three';
import { RENDER_ORDER } from '../helper.js';
import { Instances } from './instances.js';
import { makeBall, makeShaded, makeTube } from './shapes.js';

/** @typedef {import('../helper.js').Helper} Helper */

/** Opacity behind other objects. */
const GHOST_OPACITY = 0.22;

/** A solid material, and a ghost of it that is visible through walls. */
export function makeSolidAndGhost() {
  return [
    { material: makeShaded({ opacity: GHOST_OPACITY, isGhost: true }), order: RENDER_ORDER.ghosts },
    { material: makeShaded(), order: RENDER_ORDER.solids },
  ];
}

const numbers = new Float64Array(12);

/**
 * Writes the matrix that maps a shape along y, of length 1 and radius 1, to a line.
 * @param {Instances} instances @param {number} index @param {ArrayLike<number>} p points @param {number} a first number of
 *   the start @param {number} b of the end @param {number} radius
 * @returns {boolean} false if the line has no length
 */
export function setAlong(instances, index, p, a, b, radius) {
  const [dx, dy, dz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
  const length = Math.hypot(dx, dy, dz);
  if (!(length > 0)) return false;
  const flat = Math.hypot(dx, dz);
  // The tube is round: any perpendicular direction will do. This one is level.
  const [sx, sz] = flat > 1e-6 * length ? [dz / flat, -dx / flat] : [1, 0];
  const [ux, uy, uz] = [dx / length, dy / length, dz / length];
  numbers.set([sx * radius, 0, sz * radius, dx, dy, dz, -uy * sz * radius, (ux * sz - uz * sx) * radius, uy * sx * radius,
    p[a], p[a + 1], p[a + 2]]);
  instances.setMatrix(index, numbers);
  return true;
}

export class Tubes {
  #segments;
  #joints;
  #segmentCount = 0;
  #jointCount = 0;

  /** @param {Helper} helper */
  constructor(helper) {
    this.#segments = new Instances(helper, makeTube(), makeSolidAndGhost());
    this.#joints = new Instances(helper, makeBall(), makeSolidAndGhost());
  }

  /** Removes all lines: then add lines, and call finish(). */
  begin() {
    this.#segmentCount = this.#jointCount = 0;
  }

  /** @param {ArrayLike<number>} points x, y, z of each @param {number} radius @param {Color} color */
  add(points, radius, color) {
    const count = Math.floor(points.length / 3);
    this.#segments.reserve(this.#segmentCount + count);
    this.#joints.reserve(this.#jointCount + count);
    for (let i = 0; i < count; i++) {
      this.#joints.setUpright(this.#jointCount, points[3 * i], points[3 * i + 1], points[3 * i + 2], radius, radius);
      this.#joints.setColor(this.#jointCount++, color);
      if (i + 1 === count || !setAlong(this.#segments, this.#segmentCount, points, 3 * i, 3 * i + 3, radius)) continue;
      this.#segments.setColor(this.#segmentCount++, color);
    }
  }

  finish() {
    this.#segments.finish(this.#segmentCount);
    this.#joints.finish(this.#jointCount);
  }
}
