/**
 * Position of a moving obstacle at a time: along a line and back with a rest at both ends, or around a circle. It depends
 * on the time only, so that every run is the same.
 */
import { add, positionOf, subtract } from './shapes.js';

/** @typedef {import('./shapes.js').Point} Point */
/** @typedef {import('./shapes.js').Shape} Shape */

/**
 * @typedef {{ path: 'line', to: Point, speed: number, rest: number } | { path: 'circle', centre: Point, speed: number }} Motion
 * to, centre: world position; speed: world units per second; rest: seconds at each end, while it carves
 */

/** Seconds at each end of a line: longer than the time after which an obstacle counts as at rest. */
export const REST = 2;

/** @param {Shape} shape @param {'line' | 'circle'} path @param {number} size length of the line, or radius of the circle @returns {Motion} */
export function makeMotion(shape, path, size) {
  const at = positionOf(shape);
  return path === 'line' ? { path, to: add(at, [size, 0, 0]), speed: 2, rest: REST } : { path, centre: add(at, [-size, 0, 0]), speed: 2 };
}

/**
 * Duration of one cycle, seconds; Infinity for an obstacle at rest.
 * @param {Shape} shape @param {Motion} motion
 */
export function periodOf(shape, motion) {
  if (!(motion.speed > 0)) return Infinity;
  const from = positionOf(shape);
  if (motion.path === 'circle') {
    return 2 * Math.PI * radiusOf(from, motion.centre) / motion.speed || Infinity;
  }
  const length = Math.hypot(...subtract(motion.to, from));
  return length > 0 ? 2 * (length / motion.speed + motion.rest) : Infinity;
}

/** @param {readonly number[]} from @param {readonly number[]} centre */
const radiusOf = (from, centre) => Math.hypot(from[0] - centre[0], from[2] - centre[2]);

/**
 * @param {Shape} shape as placed @param {Motion} motion @param {number} seconds of motion
 * @returns {{ position: Point, turned: number }} turned: rotation, radians
 */
export function poseAt(shape, motion, seconds) {
  const from = positionOf(shape);
  const period = periodOf(shape, motion);
  if (period === Infinity) return { position: from, turned: 0 };
  const time = seconds % period;
  if (motion.path === 'circle') {
    const angle = 2 * Math.PI * time / period;
    const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
    const [dx, dz] = [from[0] - motion.centre[0], from[2] - motion.centre[2]];
    return { position: [motion.centre[0] + dx * cos + dz * sin, from[1], motion.centre[2] - dx * sin + dz * cos], turned: angle };
  }
  const travelTime = period / 2 - motion.rest;
  // Out, rest, back, rest.
  const share = time < travelTime ? time / travelTime : time < period / 2 ? 1 : time < period / 2 + travelTime ? 1 - (time - period / 2) / travelTime : 0;
  return { position: add(from, /** @type {Point} */ (subtract(motion.to, from).map((part) => share * part))), turned: 0 };
}

/** The path of the motion, for drawing. @param {Shape} shape @param {Motion} motion @returns {Point[]} */
export function pathOf(shape, motion) {
  const from = positionOf(shape);
  if (motion.path === 'line') return [from, motion.to];
  const { centre } = motion;
  const [dx, dz] = [from[0] - centre[0], from[2] - centre[2]];
  return Array.from({ length: 65 }, (_, i) => {
    const [sin, cos] = [Math.sin(i * Math.PI / 32), Math.cos(i * Math.PI / 32)];
    return [centre[0] + dx * cos + dz * sin, from[1], centre[2] - dx * sin + dz * cos];
  });
}
