/// <reference lib="esnext.disposable" preserve="true" />
/** The methods of a dynamic mesh for its obstacles. */
import { readReference, readReferences } from '../runtime/results.js';
import { requireBoolean, writePoint } from '../runtime/arguments.js';
import { describe, invalidArgument } from '../runtime/errors.js';
import { DYNAMIC } from '../runtime/handle-kinds.js';
import { HandleOwner, addressOf } from '../runtime/handle.js';
import {
  copyHandles, copyPoses, nameField, nameItem, readMoving, readObstacle, readPoses, readObstacleValues, requireHandle, writeHandle, writeObstacle,
  writeObstacleValues,
} from './obstacles.js';

/** @typedef {import('../runtime/arguments.js').ObstacleHandle} ObstacleHandle */
/** @typedef {import('../runtime/arguments.js').ObstacleHandles} ObstacleHandles */
/** @typedef {import('../runtime/arguments.js').PointArgument} PointArgument */
/** @typedef {import('../runtime/arguments.js').Points} Points */
/** @typedef {import('./obstacles.js').MovingObstacles} MovingObstacles */
/** @typedef {import('./obstacles.js').Obstacle} Obstacle */
/** @typedef {import('./obstacles.js').StoredObstacle} StoredObstacle */

/** @param {unknown} value @param {string} field @returns {number} */
function requireFinite(value, field) {
  if (typeof value === 'number' && Number.isFinite(Math.fround(value))) return value;
  throw invalidArgument(field, `is ${describe(value)}: must be a finite number`, value);
}

/** The base class of DynamicNavMesh: adds, changes, moves, removes and reads obstacles. */
export class ObstacleSet extends HandleOwner {
  /** The number of obstacles. */
  get obstacleCount() {
    const address = addressOf(this, DYNAMIC);
    return this.session.wasm.dynamic_obstacle_count(address) >>> 0;
  }

  /** All obstacles. @returns {ObstacleHandles} handles */
  obstacles() {
    const address = addressOf(this, DYNAMIC);
    const { wasm } = this.session;
    const all = new Float64Array(this.obstacleCount);
    for (let i = 0, obstacle = 0; i < all.length; i++) all[i] = obstacle = wasm.dynamic_next_obstacle(address, obstacle);
    return all;
  }

  /**
   * Returns the present state of an obstacle: every field, with defaults filled in, and `isCarving`: true if it has a hole in the
   * mesh (or will have one after the next update).
   * @param {ObstacleHandle} obstacle handle @returns {StoredObstacle & { isCarving: boolean }}
   */
  obstacle(obstacle) {
    const address = addressOf(this, DYNAMIC);
    const { session } = this;
    session.check(session.wasm.dynamic_obstacle(address, requireHandle(obstacle, 'obstacle')));
    const isCarving = session.u32[session.answer] !== 0;
    return { ...readObstacle(session, address), isCarving };
  }

  /**
   * True if an obstacle lies outside the level, beside it or below it. It is parked: it changes no tile until it is moved into
   * the level again.
   * @param {ObstacleHandle} obstacle @returns {boolean}
   */
  isOutside(obstacle) {
    const address = addressOf(this, DYNAMIC);
    const { session } = this;
    this.#check(session.wasm.dynamic_is_outside(address, requireHandle(obstacle, 'obstacle')), 'one');
    return session.u32[session.answer] !== 0;
  }

  /**
   * Sets what adding, changing or moving an obstacle to outside the level does: true: it throws (`invalid-argument`, field
   * `obstacle`) and changes nothing; false, the default: the obstacle is parked (see isOutside). Files don't store this.
   * @param {boolean} refuses
   */
  refuseOutside(refuses) {
    const address = addressOf(this, DYNAMIC);
    this.session.wasm.dynamic_refuse_outside(address, requireBoolean(refuses, 'refuses') ? 1 : 0);
  }

  /** Adds an obstacle; outside the level it is parked (see isOutside). @param {Obstacle} obstacle @returns {ObstacleHandle} its handle */
  addObstacle(obstacle) {
    const address = addressOf(this, DYNAMIC);
    const { session } = this;
    const kind = writeObstacle(session, session.calls, address, obstacle);
    this.#check(session.wasm.dynamic_add_obstacle(address), kind);
    return readReference(session.u32, session.answer);
  }

  /**
   * Adds obstacles of one shape, all or none: a thousand in about a millisecond.
   * @param {Obstacle} obstacle the shape; its position is ignored
   * @param {Points} positions as in moveObstacle
   * @param {ArrayLike<number>} [yaws] of rotated boxes: radians
   * @returns {ObstacleHandles} their handles
   */
  addObstacles(obstacle, positions, yaws = undefined) {
    const address = addressOf(this, DYNAMIC);
    const { session } = this, { calls } = session;
    const poses = readPoses(positions, yaws), { count } = poses;
    const values = readObstacleValues(obstacle);
    session.requireNoCallSince(calls);
    const { handles, points, turns, outline } = copyPoses(session, poses, values.volume.vertices);
    writeObstacleValues(session, address, values, outline);
    this.#check(session.wasm.dynamic_add_obstacles(address, points, turns, count, handles), values.kind, 'positions');
    return readReferences(session, handles, count, undefined);
  }

  /**
   * Replaces the shape and options of an obstacle; it keeps its handle. Fields that are left out get their defaults, as in
   * addObstacle.
   * @param {ObstacleHandle} obstacle handle @param {Obstacle} changed
   */
  changeObstacle(obstacle, changed) {
    const address = addressOf(this, DYNAMIC);
    const { session } = this;
    requireHandle(obstacle, 'obstacle');
    const kind = writeObstacle(session, session.calls, address, changed);
    this.#check(session.wasm.dynamic_set_obstacle(address, obstacle), kind);
  }

  /**
   * Moves an obstacle; outside the level it is parked (see isOutside). The new shape is computed from the one that was added (or changed), so that its size stays the same to the
   * last bit however often it moves.
   * @param {ObstacleHandle} obstacle handle
   * @param {PointArgument} position the centre of a box, rotatedBox, sphere or capsule; the centre of a cylinder's base; for a prism
   *   the centre of its bounds, at its minY
   * @param {number} [yaw] of a rotatedBox: radians. Shapes that are round seen from above accept and ignore it; others reject it
   */
  moveObstacle(obstacle, position, yaw = undefined) {
    const address = addressOf(this, DYNAMIC);
    const { session } = this, { calls } = session;
    session.refresh();
    requireHandle(obstacle, 'obstacle');
    writePoint(session, 0, position, 'position');
    session.requireNoCallSince(calls);
    if (yaw !== undefined) session.f32[session.inputs + 3] = requireFinite(yaw, 'yaw') + 0;
    this.#check(session.wasm.dynamic_move_obstacle(address, obstacle, yaw === undefined ? 0 : 1), 'one');
  }

  /**
   * Moves obstacles, all or none: a thousand in one to two milliseconds.
   * @param {ArrayLike<ObstacleHandle>} obstacles handles
   * @param {Points} positions one for each, as in moveObstacle
   * @param {ArrayLike<number>} [yaws] one for each
   */
  moveObstacles(obstacles, positions, yaws = undefined) {
    const address = addressOf(this, DYNAMIC);
    const { session } = this, { calls } = session;
    const poses = readPoses(positions, yaws, obstacles);
    session.requireNoCallSince(calls);
    const { handles, points, turns } = copyPoses(session, poses);
    this.#check(session.wasm.dynamic_move_obstacles(address, handles, points, turns, poses.count), undefined, 'obstacles');
  }

  /** Removes an obstacle; its handle stays invalid. @param {ObstacleHandle} obstacle handle */
  removeObstacle(obstacle) {
    const address = addressOf(this, DYNAMIC);
    const { session } = this;
    const room = session.reserve(8);
    writeHandle(session.u32, room / 4, requireHandle(obstacle, 'obstacle'));
    this.#check(session.wasm.dynamic_remove_obstacles(address, room, 1), 'one');
  }

  /** Removes obstacles, all or none. @param {ArrayLike<ObstacleHandle>} obstacles handles, each once */
  removeObstacles(obstacles) {
    const address = addressOf(this, DYNAMIC);
    const { session } = this;
    const { room, count } = copyHandles(session, session.calls, obstacles);
    this.#check(session.wasm.dynamic_remove_obstacles(address, room, count), undefined, 'obstacles');
  }

  /**
   * The obstacles that don't carve now, in no particular order: agents avoid them. Velocities are those of the last update with a
   * deltaTime.
   * @param {MovingObstacles} [out] an earlier result to overwrite
   * @returns {MovingObstacles}
   */
  movingObstacles(out = undefined) {
    const address = addressOf(this, DYNAMIC);
    const { session } = this;
    session.wasm.dynamic_moving_obstacles(address);
    session.refresh();
    return readMoving(session, out);
  }

  /**
   * Throws the module's error with the field names of JavaScript.
   * @param {number} status @param {string} [kind] of the obstacle that was given; 'one': an obstacle was named by its handle
   * @param {string} [array] name of the array argument; an error about a whole obstacle names its item
   */
  #check(status, kind, array) {
    const { session } = this;
    if (status !== 0) {
      const error = session.lastError();
      throw array !== undefined && /^part/.test(error.message) ? nameItem(error, array) : nameField(error, kind);
    }
    session.refresh();
  }
}
