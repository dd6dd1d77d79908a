/**
 * The shapes of obstacles, area volumes and doors: plain objects in the form of the library (VolumeShape). Functions here return
 * new objects and never change their arguments.
 *
 * The position of a shape is the centre of a box, rotatedBox, sphere or capsule, the base centre of a cylinder, and for a prism
 * the centre of its bounds at its base, as in DynamicNavMesh.moveObstacle.
 */

/** @typedef {[number, number, number]} Point */
/** @typedef {'cylinder' | 'box' | 'rotatedBox' | 'prism' | 'sphere' | 'capsule'} Kind */
/** @typedef {any} Shape { kind, ... } */
/** @typedef {{ min: Point, max: Point }} Box */

/** In the order of the buttons. */
export const KINDS = /** @type {const} */ ({
  cylinder: { label: 'Cylinder', icon: 'cylinder' },
  box: { label: 'Box', icon: 'box' },
  rotatedBox: { label: 'Rotated box', icon: 'diamond' },
  prism: { label: 'Polygon', icon: 'pentagon' },
  capsule: { label: 'Capsule', icon: 'pill' },
  sphere: { label: 'Sphere', icon: 'circle' },
});

/** Least distance between the sides of a shape, and least radius, world units. */
export const MIN_SIZE = 0.05;

/** @param {readonly number[]} a @param {readonly number[]} b @returns {Point} */
export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
/** @param {readonly number[]} a @param {readonly number[]} b @returns {Point} */
export const subtract = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
/** @param {readonly number[]} a @param {readonly number[]} b @returns {Point} */
export const middle = (a, b) => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];

/** Copies a point. @param {readonly number[]} a @returns {Point} */
export const pointOf = ([x, y, z]) => [x, y, z];

/** Rounds a number to a millimetre, for display. @param {number} value */
export const round = (value) => Math.round(value * 1e3) / 1e3;
/** Rounds a point to a centimetre, for placing with the mouse. @param {readonly number[]} point @returns {Point} */
export const roundPoint = ([x, y, z]) => [Math.round(x * 100) / 100, Math.round(y * 100) / 100, Math.round(z * 100) / 100];

/** Rounds all numbers of a shape; angles to a tenth of a milliradian. @param {Shape} shape @returns {Shape} */
export function tidy(shape) {
  /** @type {(value: any) => any} */
  const clean = (value) => (typeof value === 'number' ? round(value) : Array.isArray(value) ? value.map(clean) : value);
  return Object.fromEntries(Object.entries(shape).map(([name, value]) => [name, name === 'yaw' ? Math.round(value * 1e4) / 1e4 : clean(value)]));
}

/**
 * Makes a shape that stands on the ground. Its base lies a little lower, so that it reaches sloping ground.
 * @param {Kind} kind @param {readonly number[]} spot
 * @param {{ radius: number, height: number, sink: number }} size
 * @returns {Shape}
 */
export function makeShape(kind, [x, y, z], { radius, height, sink }) {
  const low = y - sink;
  const shapes = {
    cylinder: () => ({ kind, base: [x, low, z], radius, height: height + sink }),
    box: () => ({ kind, min: [x - radius, low, z - radius], max: [x + radius, y + height, z + radius] }),
    rotatedBox: () => ({
      kind, centre: [x, (low + y + height) / 2, z], halfExtents: [1.5 * radius, (height + sink) / 2, radius], yaw: Math.PI / 6,
    }),
    prism: () => {
      const vertices = [0, 1, 2, 3, 4].flatMap((corner) => {
        const angle = (corner - 0.25) * 2 * Math.PI / 5;
        return [x + 1.3 * radius * Math.cos(angle), low, z + 1.3 * radius * Math.sin(angle)];
      });
      return { kind, vertices, minY: low, maxY: y + height };
    },
    capsule: () => ({ kind, start: [x - 1.5 * radius, y + radius / 2, z], end: [x + 1.5 * radius, y + radius / 2, z], radius }),
    sphere: () => ({ kind, centre: [x, y + radius / 2, z], radius: 1.2 * radius }),
  };
  return tidy(shapes[kind]());
}

/**
 * Makes a prism over an outline, from `sink` below the lowest point to `height` above the highest.
 * @param {readonly Point[]} outline @param {{ height: number, sink: number }} size
 */
export function makePrism(outline, { height, sink }) {
  const heights = outline.map(([, y]) => y);
  const minY = Math.min(...heights) - sink;
  return tidy({ kind: 'prism', vertices: outline.flatMap(([x, , z]) => [x, minY, z]), minY, maxY: Math.max(...heights) + height });
}

/** The corners of a prism on x and z. @param {{ vertices: readonly number[] }} prism @returns {[number, number][]} */
export function cornersOf({ vertices }) {
  return Array.from({ length: vertices.length / 3 }, (_, i) => [vertices[3 * i], vertices[3 * i + 2]]);
}

/** The bounds of a shape. @param {Shape} shape @returns {Box} */
export function boundsOf(shape) {
  switch (shape.kind) {
    case 'box': return { min: pointOf(shape.min), max: pointOf(shape.max) };
    case 'rotatedBox': {
      const { centre, halfExtents: [width, height, depth], yaw } = shape;
      const [sin, cos] = [Math.abs(Math.sin(yaw)), Math.abs(Math.cos(yaw))];
      return around(centre, [width * cos + depth * sin, height, width * sin + depth * cos]);
    }
    case 'cylinder': {
      const { base: [x, y, z], radius, height } = shape;
      return { min: [x - radius, y, z - radius], max: [x + radius, y + height, z + radius] };
    }
    case 'prism': {
      const corners = cornersOf(shape);
      const [xs, zs] = [corners.map(([x]) => x), corners.map(([, z]) => z)];
      return { min: [Math.min(...xs), shape.minY, Math.min(...zs)], max: [Math.max(...xs), shape.maxY, Math.max(...zs)] };
    }
    case 'sphere': return around(shape.centre, [shape.radius, shape.radius, shape.radius]);
    default: {
      const { start, end, radius } = shape;
      const each = (/** @type {(...values: number[]) => number} */ pick, /** @type {number} */ by) => (
        /** @type {Point} */ ([0, 1, 2].map((axis) => pick(start[axis], end[axis]) + by)));
      return { min: each(Math.min, -radius), max: each(Math.max, radius) };
    }
  }
}

/** @param {readonly number[]} centre @param {readonly number[]} half @returns {Box} */
const around = (centre, half) => ({ min: subtract(centre, half), max: add(centre, half) });

/** The position of a shape. @param {Shape} shape @returns {Point} */
export function positionOf(shape) {
  if (shape.kind === 'box') return middle(shape.min, shape.max);
  if (shape.kind === 'capsule') return middle(shape.start, shape.end);
  if (shape.kind === 'cylinder') return pointOf(shape.base);
  if (shape.kind !== 'prism') return pointOf(shape.centre);
  const { min, max } = boundsOf(shape);
  return [(min[0] + max[0]) / 2, shape.minY, (min[2] + max[2]) / 2];
}

/** @param {Shape} shape @param {readonly number[]} by @returns {Shape} */
export function translate(shape, by) {
  const moved = { ...shape };
  for (const name of ['min', 'max', 'centre', 'base', 'start', 'end']) if (name in shape) moved[name] = add(shape[name], by);
  if (shape.kind === 'prism') {
    moved.vertices = shape.vertices.map((/** @type {number} */ value, /** @type {number} */ i) => value + by[i % 3]);
    moved.minY += by[1];
    moved.maxY += by[1];
  }
  return tidy(moved);
}

/** @param {Shape} shape @param {readonly number[]} position */
export const moveTo = (shape, position) => translate(shape, subtract(position, positionOf(shape)));

/** Converts a box to a rotatedBox. @param {Shape} box */
const toRotatedBox = ({ min, max }) => (
  { kind: 'rotatedBox', centre: middle(min, max), halfExtents: /** @type {Point} */ (subtract(max, min).map((side) => side / 2)), yaw: 0 });

/**
 * Centre of rotation: the position; for a prism the mean of its corners, which rotation preserves.
 * @param {Shape} shape @returns {Point}
 */
export function pivotOf(shape) {
  if (shape.kind !== 'prism') return positionOf(shape);
  const corners = cornersOf(shape);
  const mean = (/** @type {0 | 1} */ axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / corners.length;
  return [mean(0), shape.minY, mean(1)];
}

/**
 * Rotates a shape counter-clockwise seen from above; a box becomes a rotatedBox.
 * @param {Shape} shape @param {number} radians @returns {Shape}
 */
export function turn(shape, radians) {
  const pivot = pivotOf(shape);
  const about = (/** @type {readonly number[]} */ [x, y, z]) => {
    const [sin, cos] = [Math.sin(radians), Math.cos(radians)];
    const [dx, dz] = [x - pivot[0], z - pivot[2]];
    return [pivot[0] + dx * cos + dz * sin, y, pivot[2] - dx * sin + dz * cos];
  };
  if (shape.kind === 'box') return turn(toRotatedBox(shape), radians);
  if (shape.kind === 'rotatedBox') return tidy({ ...shape, yaw: wrap(shape.yaw + radians) });
  if (shape.kind === 'capsule') return tidy({ ...shape, start: about(shape.start), end: about(shape.end) });
  if (shape.kind !== 'prism') return shape;
  const { vertices } = shape;
  const turned = cornersOf(shape).flatMap(([x, z], i) => about([x, vertices[3 * i + 1], z]));
  return tidy({ ...shape, vertices: turned });
}

/** True if rotation changes the shape. @param {Shape} shape */
export const canTurn = (shape) => !['cylinder', 'sphere'].includes(shape.kind);

/** Wraps an angle to -pi to pi. @param {number} angle */
export const wrap = (angle) => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));

/** True if a point is inside a shape. @param {Shape} shape @param {readonly number[]} point */
export function contains(shape, [x, y, z]) {
  switch (shape.kind) {
    case 'sphere': return Math.hypot(...subtract([x, y, z], shape.centre)) <= shape.radius;
    case 'capsule': return distanceToSegment([x, y, z], shape.start, shape.end) <= shape.radius;
    case 'cylinder': {
      const [bx, by, bz] = shape.base;
      return y >= by && y <= by + shape.height && Math.hypot(x - bx, z - bz) <= shape.radius;
    }
    case 'rotatedBox': {
      const [dx, dy, dz] = subtract([x, y, z], shape.centre);
      const [sin, cos] = [Math.sin(shape.yaw), Math.cos(shape.yaw)];
      const [width, height, depth] = shape.halfExtents;
      return Math.abs(dy) <= height && Math.abs(dx * cos - dz * sin) <= width && Math.abs(dx * sin + dz * cos) <= depth;
    }
    case 'prism': return y >= shape.minY && y <= shape.maxY && isInside(cornersOf(shape), x, z);
    default: return [x, y, z].every((value, axis) => value >= shape.min[axis] && value <= shape.max[axis]);
  }
}

/** Even-odd test of a point against an outline. @param {[number, number][]} corners @param {number} x @param {number} z */
function isInside(corners, x, z) {
  let inside = false;
  corners.forEach(([ax, az], i) => {
    const [bx, bz] = corners[(i + 1) % corners.length];
    if ((az > z) !== (bz > z) && x < (bx - ax) * (z - az) / (bz - az) + ax) inside = !inside;
  });
  return inside;
}

/** @param {readonly number[]} point @param {readonly number[]} start @param {readonly number[]} end */
function distanceToSegment(point, start, end) {
  const [axis, to] = [subtract(end, start), subtract(point, start)];
  const dot = (/** @type {readonly number[]} */ a, /** @type {readonly number[]} */ b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const share = Math.min(1, Math.max(0, dot(to, axis) / (dot(axis, axis) || 1)));
  return Math.hypot(...subtract(to, /** @type {Point} */ (axis.map((part) => part * share))));
}

/** True if two edges of an outline without a common corner cross. @param {[number, number][]} corners */
export function crossesItself(corners) {
  const side = (/** @type {number[]} */ a, /** @type {number[]} */ b, /** @type {number[]} */ c) => (
    Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])));
  const { length } = corners;
  for (let i = 0; i < length; i++) {
    for (let k = i + 2; k < length - (i === 0 ? 1 : 0); k++) {
      const [a, b, c, d] = [corners[i], corners[i + 1], corners[k], corners[(k + 1) % length]];
      if (side(a, b, c) !== side(a, b, d) && side(c, d, a) !== side(c, d, b)) return true;
    }
  }
  return false;
}

/** Describes the sizes of a shape for lists. @param {Shape} shape */
export function describeShape(shape) {
  const { min, max } = boundsOf(shape);
  const [width, height, depth] = subtract(max, min).map((side) => side.toFixed(1));
  return `${width} × ${depth} × ${height} m`;
}

/**
 * Changes an offset so that a position lands on a grid on x and z.
 * @param {Point} position @param {Point} by @param {number} grid world units; 0: none @returns {Point}
 */
export function snapOffset(position, by, grid) {
  if (!(grid > 0)) return by;
  const along = (/** @type {number} */ axis) => round(Math.round((position[axis] + by[axis]) / grid) * grid - position[axis]);
  return [along(0), by[1], along(2)];
}
