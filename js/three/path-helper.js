/** Draws paths: a tube through their points, with a ball at the start and a cone that points to the end. */
import { Color } from 'three';
import { isRecord, requireCount, requireNumbers } from '../runtime/arguments.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { Helper, readOptions } from './helper.js';
import { Instances } from './geometry/instances.js';
import { COLORS } from './palette.js';
import { makeBall, makeCone, makeRing } from './geometry/shapes.js';
import { Tubes, makeSolidAndGhost, setAlong } from './geometry/tubes.js';

/** @typedef {import('three').ColorRepresentation} ColorRepresentation */
/** @typedef {import('../query/paths.js').Path} Path */

/**
 * @typedef {object} PathHelperOptions
 * @property {ColorRepresentation} [color]
 * @property {number} [radius] of the tube, world units; default 0.08
 * @property {number} [lift] height above its position at which the path is drawn, world units; default 0.15
 */

/**
 * A path to draw: a result of findPath, findSmoothPath or straighten, its points, or other points.
 * @typedef {Pick<Path, 'points' | 'count'> | ArrayLike<number> | readonly ArrayLike<number>[]
 *   | readonly { x: number, y: number, z: number }[]} PathPoints
 */

/** @param {PathPoints | null | undefined} path @returns {ArrayLike<number>} x, y, z of each point */
function flatten(path) {
  if (path === null || path === undefined) return [];
  if (isRecord(path) && 'points' in path) {
    const points = requireNumbers(path.points, 'path.points');
    return points.subarray(0, 3 * requireCount(path.count, 'path.count', Math.floor(points.length / 3)));
  }
  if (typeof path !== 'object' || !('length' in path)) {
    throw invalidArgument('path', `must be a path or points, not ${describe(path)}`, path);
  }
  return requireNumbers(path, 'path');
}

/** Draws a path. Call update() with another path at any time: buffers are reused. */
export class PathHelper extends Helper {
  type = 'PathHelper';
  #options;
  #color;
  #tubes = new Tubes(this);
  #ball = new Instances(this, makeBall(), makeSolidAndGhost());
  #ring = new Instances(this, makeRing(), makeSolidAndGhost());
  #cone = new Instances(this, makeCone(), makeSolidAndGhost());

  /** @param {PathPoints | null} [path] @param {PathHelperOptions} [options] */
  constructor(path, options) {
    super();
    this.#options = readOptions(options, { color: /** @type {ColorRepresentation} */ (COLORS.path), radius: 0.08, lift: 0.15 });
    this.#color = new Color(this.#options.color);
    this.update(path ?? null);
  }

  /** Draws another path; null: none. @param {PathPoints | null} path */
  update(path) {
    this.check();
    const { lift, radius } = this.#options;
    const points = Float32Array.from(flatten(path));
    for (let i = 1; i < points.length; i += 3) points[i] += lift;
    const last = points.length - 3;
    this.#markEnds(points, last);
    this.#tubes.begin();
    this.#tubes.add(points, radius, this.#color);
    this.#tubes.finish();
  }

  /** @param {Float32Array} points the last point is moved back to the base of the cone @param {number} last its first number */
  #markEnds(points, last) {
    const { radius } = this.#options;
    const count = last >= 0 ? 1 : 0;
    for (const mark of [this.#ball, this.#ring, this.#cone]) mark.reserve(1);
    if (count) {
      this.#ball.setUpright(0, points[0], points[1], points[2], 2.6 * radius, 2.6 * radius);
      this.#ring.setUpright(0, points[last], points[last + 1], points[last + 2], 6 * radius, 1);
    }
    for (const mark of [this.#ball, this.#ring, this.#cone]) mark.setColor(0, this.#color);
    let hasCone = false;
    if (last > 0) {
      const back = [0, 1, 2].map((axis) => points[last - 3 + axis] - points[last + axis]);
      const length = Math.hypot(back[0], back[1], back[2]);
      const share = Math.min(7 * radius / length, 1);
      const foot = back.map((part, axis) => points[last + axis] + part * share);
      hasCone = setAlong(this.#cone, 0, [...foot, ...points.subarray(last)], 0, 3, 2.6 * radius);
      if (hasCone) points.set(foot, last);
    }
    this.#ball.finish(count);
    this.#ring.finish(count);
    this.#cone.finish(hasCone ? 1 : 0);
  }
}
