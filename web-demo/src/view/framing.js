/** Finds the nearest camera position from which points fit into a part of the view. */
import { Vector3 } from 'three';

/** Tangents of the angles from the view's middle to the sides of the part. @typedef {{ left: number, right: number, top: number, bottom: number }} Sides */

/** Vertices of a level that are looked at, at most: the others lie close to them. */
const MOST = 1 << 17;

/** The corners of a box. @param {import('three').Box3} box @returns {Float32Array} [8][3] */
export function cornersOf({ min, max }) {
  return Float32Array.from({ length: 24 }, (_, i) => [min, max][Math.floor(i / 3) >> i % 3 & 1].getComponent(i % 3));
}

/** The vertices of a level within its bounds. @param {Float32Array} positions @param {import('three').Box3} bounds @returns {Float32Array} [n][3] */
export function pointsOf(positions, { min, max }) {
  const step = Math.ceil(positions.length / 3 / MOST);
  return Float32Array.from({ length: 3 * Math.floor(positions.length / 3 / step) }, (_, i) => {
    const value = positions[3 * step * Math.floor(i / 3) + i % 3];
    return Math.max(min.getComponent(i % 3), Math.min(max.getComponent(i % 3), value));
  });
}

/**
 * The largest value of a direction's product with the points.
 * @param {ArrayLike<number>} points [n][3] @param {Vector3} direction
 */
function farthest(points, { x, y, z }) {
  let most = -Infinity;
  for (let i = 0; i < points.length; i += 3) most = Math.max(most, x * points[i] + y * points[i + 1] + z * points[i + 2]);
  return most;
}

/**
 * Along one axis of the screen: the least distance of the camera from the origin, and the camera's place on the axis for a distance.
 * @param {ArrayLike<number>} points @param {Vector3} axis @param {Vector3} direction to the camera @param {number} below tangents @param {number} above
 */
function fitAxis(points, axis, direction, below, above) {
  const high = farthest(points, axis.clone().addScaledVector(direction, above));
  const low = farthest(points, axis.clone().negate().addScaledVector(direction, below));
  return { least: (high + low) / (above + below), place: (/** @type {number} */ distance) => (high - low + distance * (below - above)) / 2 };
}

/**
 * @param {ArrayLike<number>} points [n][3] @param {Vector3} direction from the points to the camera @param {Vector3} worldUp @param {Sides} sides
 * @returns {{ position: Vector3, target: Vector3, distance: number }} target: on the camera's axis, as far away as the middle of the points;
 * distance: between both
 */
export function fitCamera(points, direction, worldUp, { left, right, top, bottom }) {
  const across = new Vector3().crossVectors(worldUp, direction).normalize();
  const up = new Vector3().crossVectors(direction, across);
  const [x, y] = [fitAxis(points, across, direction, left, right), fitAxis(points, up, direction, bottom, top)];
  const [nearest, last] = [farthest(points, direction), -farthest(points, direction.clone().negate())];
  const distance = Math.max(x.least, y.least, nearest + 1);
  const position = across.multiplyScalar(x.place(distance)).addScaledVector(up, y.place(distance)).addScaledVector(direction, distance);
  const away = distance - (nearest + last) / 2;
  return { position, target: position.clone().addScaledVector(direction, -away), distance: away };
}
