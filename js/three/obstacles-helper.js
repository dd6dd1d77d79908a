/** Draws the obstacles of a dynamic mesh at their present positions, moving ones in another colour. */
import { Color } from 'three';
import { describe, invalidArgument } from '../runtime/errors.js';
import { isOfKind } from '../runtime/foreign.js';
import { DYNAMIC } from '../runtime/handle-kinds.js';
import { Helper, RENDER_ORDER, readOptions } from './helper.js';
import { Instances } from './geometry/instances.js';
import { COLORS, areaColor } from './palette.js';
import { makeBox, makeOrb, makePillar, makeShaded } from './geometry/shapes.js';

/** @typedef {import('three').ColorRepresentation} ColorRepresentation */
/** @typedef {import('../dynamic/dynamic-nav-mesh.js').DynamicNavMesh} DynamicNavMesh */

/**
 * @typedef {object} ObstaclesHelperOptions
 * @property {ColorRepresentation} [color] of obstacles that carve
 * @property {ColorRepresentation} [movingColor] of obstacles that don't carve now
 * @property {number} [opacity] 0 to 1; default 0.8
 */

/** Thickness of the drawn walls of a prism, world units. */
const WALL = 0.05;

/** @param {any} dynamic @returns {DynamicNavMesh} */
export function requireDynamic(dynamic) {
  if (isOfKind(dynamic, DYNAMIC)) return dynamic;
  throw invalidArgument('dynamic', `must be a DynamicNavMesh, not ${describe(dynamic)}`, dynamic);
}

/** @typedef {{ numbers: number[], color: Color }} Item numbers: three columns and a position, for Instances.setMatrix */

/** An upright box. @param {number[]} middle centre of its base @param {number[]} size @param {number} yaw */
function boxMatrix([x, y, z], [width, height, depth], yaw) {
  const [sin, cos] = [Math.sin(yaw), Math.cos(yaw)];
  return [width * cos, 0, -width * sin, 0, height, 0, depth * sin, 0, depth * cos, x, y, z];
}

/** A pillar of a radius between two points. @param {number[]} start @param {number[]} end @param {number} radius */
function pillarMatrix(start, end, radius) {
  const axis = end.map((value, i) => value - start[i]);
  const length = Math.hypot(...axis) || 1;
  const [x, y, z] = axis.map((value) => value / length);
  // Any direction across the axis, and the direction across both.
  const across = Math.abs(y) < 0.9 ? [z, 0, -x] : [0, -z, y];
  const width = Math.hypot(...across);
  const [a, b, c] = across.map((value) => value / width);
  const other = [y * c - z * b, z * a - x * c, x * b - y * a];
  return [a, b, c].map((value) => radius * value).concat(axis, other.map((value) => -radius * value), start);
}

export class ObstaclesHelper extends Helper {
  type = 'ObstaclesHelper';
  #dynamic;
  #options;
  #boxes;
  #pillars;
  #balls;

  /** @param {DynamicNavMesh} dynamic @param {ObstaclesHelperOptions} [options] */
  constructor(dynamic, options) {
    super();
    this.#dynamic = requireDynamic(dynamic);
    this.#options = readOptions(options, { color: /** @type {ColorRepresentation} */ (COLORS.obstacle),
      movingColor: /** @type {ColorRepresentation} */ (COLORS.moving), opacity: 0.8 });
    const make = (/** @type {import('three').BufferGeometry} */ shape) => (
      // In front of the object that it is an obstacle for, whose sides may lie in the same planes.
      new Instances(this, shape, [{ material: makeShaded({ opacity: this.#options.opacity, isInFront: true }), order: RENDER_ORDER.solids }]));
    this.#boxes = make(makeBox());
    this.#pillars = make(makePillar());
    this.#balls = make(makeOrb());
    this.update();
  }

  /**
   * Draws the present obstacles: call it in every frame in which any may have changed. A capsule consists of three shapes, a prism
   * of its walls.
   */
  update() {
    this.check();
    const dynamic = this.#dynamic;
    /** @type {{ boxes: Item[], pillars: Item[], balls: Item[] }} */
    const items = { boxes: [], pillars: [], balls: [] };
    const [blocks, moves] = [this.#options.color, this.#options.movingColor].map((color) => new Color(color));
    for (const handle of dynamic.obstacles()) {
      /** @type {any} */
      const obstacle = dynamic.obstacle(handle);
      addShape(items, obstacle, obstacle.isCarving ? (obstacle.area ? areaColor(obstacle.area) : blocks) : moves);
    }
    draw(this.#boxes, items.boxes);
    draw(this.#pillars, items.pillars);
    draw(this.#balls, items.balls);
  }
}

/** @param {{ boxes: Item[], pillars: Item[], balls: Item[] }} items @param {any} shape @param {Color} color */
function addShape(items, shape, color) {
  const { kind, radius } = shape;
  const addBall = (/** @type {number[]} */ centre) => (
    items.balls.push({ color, numbers: [radius, 0, 0, 0, radius, 0, 0, 0, radius, ...centre] }));
  const addBox = (/** @type {number[]} */ numbers) => items.boxes.push({ color, numbers });
  const addPillar = (/** @type {number[]} */ start, /** @type {number[]} */ end) => (
    items.pillars.push({ color, numbers: pillarMatrix(start, end, radius) }));
  if (kind === 'box') {
    const { min, max } = shape;
    const size = [0, 1, 2].map((axis) => max[axis] - min[axis]);
    addBox(boxMatrix([(min[0] + max[0]) / 2, min[1], (min[2] + max[2]) / 2], size, 0));
  } else if (kind === 'rotatedBox') {
    const { centre: [x, y, z], halfExtents, yaw } = shape;
    addBox(boxMatrix([x, y - halfExtents[1], z], halfExtents.map((/** @type {number} */ half) => 2 * half), yaw));
  } else if (kind === 'cylinder') {
    const [x, y, z] = shape.base;
    addPillar([x, y, z], [x, y + shape.height, z]);
  } else if (kind === 'prism') {
    addWalls(shape, addBox);
  } else if (kind === 'sphere') {
    addBall(shape.centre);
  } else {
    addBall(shape.start);
    addBall(shape.end);
    addPillar(shape.start, shape.end);
  }
}

/** @param {{ vertices: Float32Array, minY: number, maxY: number }} prism @param {(numbers: number[]) => void} add */
function addWalls({ vertices, minY, maxY }, add) {
  const { length } = vertices;
  for (let i = 0; i < length; i += 3) {
    const [x, z] = [vertices[i], vertices[i + 2]];
    const [dx, dz] = [vertices[(i + 3) % length] - x, vertices[(i + 5) % length] - z];
    const scale = WALL / (Math.hypot(dx, dz) || 1);
    add([dx, 0, dz, 0, maxY - minY, 0, -dz * scale, 0, dx * scale, x + dx / 2, minY, z + dz / 2]);
  }
}

/** @param {Instances} instances @param {Item[]} items */
function draw(instances, items) {
  instances.reserve(items.length);
  items.forEach(({ numbers, color }, i) => {
    instances.setMatrix(i, numbers);
    instances.setColor(i, color);
  });
  instances.finish(items.length);
}
