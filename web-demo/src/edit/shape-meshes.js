/** Geometry of shapes: a body and its edges, relative to the shape's position (positionOf). */
import {
  BoxGeometry, BufferGeometry, CapsuleGeometry, CylinderGeometry, EdgesGeometry, ExtrudeGeometry, Float32BufferAttribute, Quaternion, Shape,
  SphereGeometry, Vector3,
} from 'three';
import { cornersOf, positionOf, subtract } from './shapes.js';

/** Edges between faces at this angle or more are drawn, degrees. */
const EDGE_ANGLE = 30;
const UP = new Vector3(0, 1, 0);

/** @param {any} shape @returns {BufferGeometry} */
export function makeBody(shape) {
  switch (shape.kind) {
    case 'box': return new BoxGeometry(...sidesOf(subtract(shape.max, shape.min)));
    case 'rotatedBox': return new BoxGeometry(...sidesOf(shape.halfExtents.map((/** @type {number} */ half) => 2 * half))).rotateY(shape.yaw);
    case 'cylinder': return new CylinderGeometry(shape.radius, shape.radius, shape.height, 40).translate(0, shape.height / 2, 0);
    case 'sphere': return new SphereGeometry(shape.radius, 36, 20);
    case 'prism': return makePrismBody(shape);
    default: {
      const axis = new Vector3(...subtract(shape.end, shape.start));
      return new CapsuleGeometry(shape.radius, axis.length(), 10, 28).applyQuaternion(turnTo(axis));
    }
  }
}

/** @param {readonly number[]} sides @returns {[number, number, number]} */
const sidesOf = ([width, height, depth]) => [Math.max(width, 1e-3), Math.max(height, 1e-3), Math.max(depth, 1e-3)];

/** Rotation from the vertical to a direction. @param {Vector3} axis */
const turnTo = (axis) => (axis.lengthSq() > 0 ? new Quaternion().setFromUnitVectors(UP, axis.clone().normalize()) : new Quaternion());

/** @param {any} shape a prism */
function makePrismBody(shape) {
  const [x, , z] = positionOf(shape);
  const outline = new Shape();
  // Extruded along z, then rotated: y becomes -z.
  cornersOf(shape).forEach(([cx, cz], i) => (i === 0 ? outline.moveTo(cx - x, z - cz) : outline.lineTo(cx - x, z - cz)));
  return new ExtrudeGeometry(outline, { depth: Math.max(shape.maxY - shape.minY, 1e-3), bevelEnabled: false }).rotateX(-Math.PI / 2);
}

/** The edges of a body. @param {any} shape @param {BufferGeometry} body @returns {BufferGeometry} */
export function makeEdges(shape, body) {
  if (shape.kind === 'sphere') return makeRings([[0, 0, 0]], shape.radius);
  if (shape.kind !== 'capsule') return new EdgesGeometry(body, EDGE_ANGLE);
  const axis = new Vector3(...subtract(shape.end, shape.start));
  return makeCapsuleLines(shape.radius, axis.length()).applyQuaternion(turnTo(axis));
}

/** @param {readonly number[][]} middles @param {number} radius centres, each with three rings */
function makeRings(middles, radius) {
  const lines = middles.flatMap(([x, y, z]) => [0, 1, 2].flatMap((plane) => ringOf(radius, (a, b) => (
    plane === 0 ? [x + a, y + b, z] : plane === 1 ? [x + a, y, z + b] : [x, y + a, z + b]))));
  return fromLines(lines);
}

/**
 * Lines of a vertical capsule: two rings, and four lines that meet over the caps.
 * @param {number} radius @param {number} length
 */
function makeCapsuleLines(radius, length) {
  const half = length / 2;
  const rings = [-half, half].flatMap((y) => ringOf(radius, (a, b) => [a, y, b]));
  const profiles = [0, 1].flatMap((turned) => ringOf(radius, (a, b) => {
    const y = b + Math.sign(b) * half;
    return turned ? [0, y, a] : [a, y, 0];
  }));
  return fromLines([...rings, ...profiles]);
}

/** Line segments around a circle. @param {number} radius @param {(a: number, b: number) => number[]} place */
function ringOf(radius, place) {
  const SEGMENTS = 48;
  const at = (/** @type {number} */ i) => place(radius * Math.cos((i + 0.5) * 2 * Math.PI / SEGMENTS), radius * Math.sin((i + 0.5) * 2 * Math.PI / SEGMENTS));
  return Array.from({ length: SEGMENTS }, (_, i) => [at(i), at(i + 1)]).flat();
}

/** @param {readonly (readonly number[])[]} points two per line */
export function fromLines(points) {
  return new BufferGeometry().setAttribute('position', new Float32BufferAttribute(points.flat(), 3));
}
