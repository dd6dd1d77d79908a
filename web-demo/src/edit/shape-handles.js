/**
 * Handles that size and rotate a shape: their positions, and the shape after one is dragged to a point.
 * Dragging a side keeps the opposite side in place.
 */
import { MIN_SIZE, add, boundsOf, canTurn, cornersOf, pivotOf, pointOf, positionOf, subtract, tidy, turn } from './shapes.js';

/** @typedef {import('./shapes.js').Point} Point */
/** @typedef {import('./shapes.js').Shape} Shape */

/**
 * @typedef {object} ShapeHandle
 * @property {string} id
 * @property {string} label its effect
 * @property {'plane' | 'height'} along drag direction: on the horizontal plane, or vertical
 * @property {Point} point
 * @property {boolean} [turns] rotates the shape
 */

/** Distance of the rotation handle from the shape, relative to its size. */
const TURN_DISTANCE = 0.35;

/** @param {number} value */
const atLeast = (value) => Math.max(value, MIN_SIZE);

/** @param {number} yaw rotation of the box @returns {{ x: Point, z: Point }} */
const axesOf = (yaw) => ({ x: [Math.cos(yaw), 0, -Math.sin(yaw)], z: [Math.sin(yaw), 0, Math.cos(yaw)] });

/** @param {readonly number[]} a @param {readonly number[]} b */
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** @param {readonly number[]} from @param {readonly number[]} direction @param {number} length @returns {Point} */
const along = (from, direction, length) => add(from, [direction[0] * length, direction[1] * length, direction[2] * length]);

/** Offsets of the sides of a box on x and z, in its own axes. */
const SIDES = /** @type {const} */ ([['x', 1], ['x', -1], ['z', 1], ['z', -1]]);

/** The handles of a shape. @param {Shape} shape @returns {ShapeHandle[]} */
export function handlesOf(shape) {
  const { min, max } = boundsOf(shape);
  const [x, , z] = positionOf(shape);
  const top = /** @type {ShapeHandle} */ ({ id: 'top', label: 'Height', along: 'height', point: [x, max[1], z] });
  // The ends of a capsule also rotate it.
  const spin = canTurn(shape) && shape.kind !== 'capsule' ? [turnKnob(shape)] : [];
  switch (shape.kind) {
    case 'cylinder': {
      const [, y] = shape.base;
      return [{ id: 'radius', label: 'Radius', along: 'plane', point: [x + shape.radius, y + shape.height / 2, z] }, top];
    }
    case 'sphere': {
      const [, y] = shape.centre;
      return [{ id: 'radius', label: 'Radius', along: 'plane', point: [x + shape.radius, y, z] },
        { id: 'lift', label: 'Height above ground', along: 'height', point: [x, max[1], z] }];
    }
    case 'capsule': {
      const { start, end, radius } = shape;
      const across = acrossOf(start, end);
      return [
        { id: 'start', label: 'Start', along: 'plane', point: pointOf(start) }, { id: 'end', label: 'End', along: 'plane', point: pointOf(end) },
        { id: 'startHeight', label: 'Start height', along: 'height', point: add(start, [0, radius, 0]) },
        { id: 'endHeight', label: 'End height', along: 'height', point: add(end, [0, radius, 0]) },
        { id: 'radius', label: 'Radius', along: 'plane', point: along(positionOf(shape), across, radius) },
      ];
    }
    case 'prism': {
      const level = (shape.minY + shape.maxY) / 2;
      const corners = cornersOf(shape).map(([cx, cz], i) => (
        /** @type {ShapeHandle} */ ({ id: `corner ${i}`, label: `Corner ${i + 1}`, along: 'plane', point: [cx, level, cz] })));
      return [...corners, top, ...spin];
    }
    default: {
      const { centre, half, axes } = frameOf(shape);
      const sides = SIDES.map(([axis, sign]) => /** @type {ShapeHandle} */ ({
        id: `${sign > 0 ? '+' : '-'}${axis}`, label: axis === 'x' ? 'Width' : 'Depth', along: 'plane',
        point: along(centre, axes[axis], sign * half[axis === 'x' ? 0 : 2]),
      }));
      return [
        ...sides, { ...top, point: [centre[0], max[1], centre[2]] }, ...spin,
        { id: 'bottom', label: 'Bottom', along: 'height', point: [centre[0], min[1], centre[2]] },
      ];
    }
  }
}

/**
 * The direction perpendicular to a line between two points, on x and z.
 * @param {readonly number[]} start @param {readonly number[]} end @returns {Point}
 */
function acrossOf(start, end) {
  const [dx, , dz] = subtract(end, start);
  const length = Math.hypot(dx, dz);
  return length > 0 ? [-dz / length, 0, dx / length] : [1, 0, 0];
}

/** Centre, half sizes and axes of a box or rotatedBox. @param {Shape} shape */
function frameOf(shape) {
  if (shape.kind === 'rotatedBox') return { centre: shape.centre, half: shape.halfExtents, axes: axesOf(shape.yaw) };
  const half = subtract(shape.max, shape.min).map((side) => side / 2);
  return { centre: positionOf(shape), half, axes: axesOf(0) };
}

/** @param {Shape} shape @returns {ShapeHandle} */
function turnKnob(shape) {
  const { min, max } = boundsOf(shape);
  const [x, , z] = pivotOf(shape);
  const y = (min[1] + max[1]) / 2;
  const away = TURN_DISTANCE * Math.max(max[0] - min[0], max[2] - min[2]);
  const knob = { id: 'turn', label: 'Rotate', along: /** @type {const} */ ('plane'), turns: true };
  if (shape.kind === 'prism') {
    const [cx, cz] = cornersOf(shape)[0];
    const length = Math.hypot(cx - x, cz - z) || 1;
    return { ...knob, point: along([x, y, z], [(cx - x) / length, 0, (cz - z) / length], length + away) };
  }
  const { half, axes } = frameOf(shape);
  return { ...knob, point: along([x, y, z], axes.x, half[0] + away) };
}

/**
 * The shape after a handle is dragged to a point.
 * @param {Shape} shape as it was when the drag began @param {string} id of the handle @param {readonly number[]} to @param {{ step?: number }} [options] step: rotation snaps to multiples, radians
 * @returns {Shape}
 */
export function dragHandle(shape, id, to, { step = 0 } = {}) {
  if (id === 'turn') return turnTowards(shape, to, step);
  switch (shape.kind) {
    case 'cylinder': return tidy(dragCylinder(shape, id, to));
    case 'sphere': return tidy(dragSphere(shape, id, to));
    case 'capsule': return tidy(dragCapsule(shape, id, to));
    case 'prism': return tidy(dragPrism(shape, id, to));
    default: return tidy(dragBox(shape, id, to));
  }
}

/** @param {Shape} shape @param {readonly number[]} to @param {number} step */
function turnTowards(shape, to, step) {
  const pivot = pivotOf(shape);
  const angleTo = (/** @type {readonly number[]} */ point) => Math.atan2(-(point[2] - pivot[2]), point[0] - pivot[0]);
  const now = angleTo(turnKnob(shape).point);
  const angle = angleTo(to) - now;
  if (!step) return turn(shape, angle);
  const base = shape.kind === 'rotatedBox' ? shape.yaw : 0;
  return turn(shape, Math.round((base + angle) / step) * step - base);
}

/** @param {Shape} shape @param {string} id @param {readonly number[]} to */
function dragCylinder(shape, id, [x, y, z]) {
  const [bx, by, bz] = shape.base;
  return id === 'radius' ? { ...shape, radius: atLeast(Math.hypot(x - bx, z - bz)) } : { ...shape, height: atLeast(y - by) };
}

/** @param {Shape} shape @param {string} id @param {readonly number[]} to */
function dragSphere(shape, id, [x, y, z]) {
  const [cx, , cz] = shape.centre;
  return id === 'radius' ? { ...shape, radius: atLeast(Math.hypot(x - cx, z - cz)) }
    : { ...shape, centre: [cx, y - shape.radius, cz] };
}

/** @param {Shape} shape @param {string} id @param {readonly number[]} to */
function dragCapsule(shape, id, to) {
  const { start, end, radius } = shape;
  if (id === 'start') return { ...shape, start: [to[0], start[1], to[2]] };
  if (id === 'end') return { ...shape, end: [to[0], end[1], to[2]] };
  if (id === 'startHeight') return { ...shape, start: [start[0], to[1] - radius, start[2]] };
  if (id === 'endHeight') return { ...shape, end: [end[0], to[1] - radius, end[2]] };
  return { ...shape, radius: atLeast(Math.abs(dot(subtract(to, positionOf(shape)), acrossOf(start, end)))) };
}

/** @param {Shape} shape @param {string} id @param {readonly number[]} to */
function dragPrism(shape, id, [x, y, z]) {
  if (id === 'top') return { ...shape, maxY: Math.max(y, shape.minY + MIN_SIZE) };
  const at = 3 * Number(id.slice('corner '.length));
  const vertices = [...shape.vertices];
  [vertices[at], vertices[at + 2]] = [x, z];
  return { ...shape, vertices };
}

/** @param {Shape} shape @param {string} id @param {readonly number[]} to */
function dragBox(shape, id, to) {
  if (id === 'top' || id === 'bottom') return dragEnd(shape, id, to[1]);
  const { centre, half, axes } = frameOf(shape);
  const axis = id[1] === 'x' ? 0 : 2;
  const direction = axes[axis === 0 ? 'x' : 'z'];
  const sign = id[0] === '+' ? 1 : -1;
  // From the opposite side, which stays, to the point.
  const size = atLeast(sign * dot(subtract(to, centre), direction) + half[axis]);
  const moved = along(centre, direction, sign * (size / 2 - half[axis]));
  if (shape.kind === 'rotatedBox') {
    const halfExtents = half.map((/** @type {number} */ value, /** @type {number} */ i) => (i === axis ? size / 2 : value));
    return { ...shape, centre: moved, halfExtents };
  }
  const [min, max] = [[...shape.min], [...shape.max]];
  if (sign > 0) max[axis] = min[axis] + size;
  else min[axis] = max[axis] - size;
  return { ...shape, min, max };
}

/** @param {Shape} shape @param {'top' | 'bottom'} id @param {number} y */
function dragEnd(shape, id, y) {
  const bounds = boundsOf(shape);
  const low = id === 'bottom' ? Math.min(y, bounds.max[1] - MIN_SIZE) : bounds.min[1];
  const high = id === 'top' ? Math.max(y, bounds.min[1] + MIN_SIZE) : bounds.max[1];
  if (shape.kind === 'rotatedBox') {
    const { centre: [x, , z], halfExtents: [width, , depth] } = shape;
    return { ...shape, centre: [x, (low + high) / 2, z], halfExtents: [width, (high - low) / 2, depth] };
  }
  return { ...shape, min: [shape.min[0], low, shape.min[2]], max: [shape.max[0], high, shape.max[2]] };
}
