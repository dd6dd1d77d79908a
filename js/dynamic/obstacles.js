/** Obstacles of a dynamic mesh: their types, and writing and reading them in the module's memory. */
import { arrayFor, readReference, requireOut } from '../runtime/results.js';
import { copyToScratch, isRecord, requireAmount, requireFloats, requireName } from '../runtime/arguments.js';
import { NavError, describe, invalidArgument } from '../runtime/errors.js';
import { SCALARS, VOLUMES, nameVolumeField, readVolume, writeVolume } from '../input/geometry.js';
import { makeArray, typeOf, viewOf } from '../runtime/typed-arrays.js';
import { Dynamic, WmAreaVolume, WmMovingObstacle, WmObstacleMotion } from '../runtime/layout.js';
import { dropZeroSigns } from '../runtime/zero.js';

/** @typedef {import('../runtime/arguments.js').ObstacleHandles} ObstacleHandles */
/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('../runtime/session.js').Session} Session */

/**
 * The options of an obstacle besides its shape.
 *
 * `carving`: when it makes a hole in the mesh (or sets the area there)
 * - `always`, the default: the hole follows it
 * - `at rest`: when it has moved further than `moveThreshold` its hole is removed; when it has been still for `timeToRest` it gets
 *   a new one. In between it is listed by movingObstacles(), for agents to avoid. A new obstacle is at rest
 * - `never`: it is always listed by movingObstacles()
 * @typedef {object} ObstacleOptions
 * @property {number} [area] 0 to 63: the area of the surface inside it; default 0: it blocks
 * @property {boolean} [beforeErosion] true: the mesh stays away from it by the agent's radius, exactly as in a bake of the level
 *   with it; default true if it blocks. false: the mesh reaches up to it, agents must keep their distance themselves, and tiles
 *   are built a little faster
 * @property {'always' | 'at rest' | 'never'} [carving] default 'always'
 * @property {number} [moveThreshold] the distance any point of it may move before its hole follows or is removed, world units;
 *   default 0, with `at rest` 0.1
 * @property {number} [timeToRest] seconds without movement until it carves again; default 0.5
 */

/** Fields as of volumes of a bake. @typedef {import('../input/geometry.js').VolumeShape & ObstacleOptions} Obstacle */
/** An obstacle as it reads back. @typedef {import('../input/geometry.js').StoredVolumeShape & ObstacleOptions} StoredObstacle */

/**
 * Obstacles that agents must avoid, as the upright cylinder around each: arrays of x, y, z or of single numbers.
 * @typedef {object} MovingObstacles
 * @property {number} count
 * @property {ObstacleHandles} obstacles handles
 * @property {Float32Array} positions the base centre of each
 * @property {Float32Array} radii
 * @property {Float32Array} heights
 * @property {Float32Array} velocities world units per second
 */

/** In the order of WmCarving in src/dynamic/obstacles/motion.h. @type {readonly ('always' | 'at rest' | 'never')[]} */
const CARVINGS = ['always', 'at rest', 'never'];

/**
 * Byte offsets of the volume and the motion in the C handle, and of the outline in the volume.
 */
const [VOLUME_AT, MOTION_AT, OUTLINE_AT] = [4 * Dynamic.volume, 4 * Dynamic.motion, 4 * WmAreaVolume.vertices];
const VOLUME_WORDS = WmAreaVolume.words;
/** Words of a WmAreaVolume. */
const { area: VOLUME_AREA_AT, minimum: MINIMUM_AT, maximum: MAXIMUM_AT, centre: CENTRE_AT, halfExtents: HALF_EXTENTS_AT, yaw: YAW_AT,
  radius: VOLUME_RADIUS_AT, height: VOLUME_HEIGHT_AT } = WmAreaVolume;
/** Words of a WmObstacleMotion. */
const { carving: CARVING_AT, moveThreshold: THRESHOLD_AT, timeToRest: REST_AT } = WmObstacleMotion;

/** @param {unknown} value @param {string} field */
const requireField = (value, field) => requireAmount(value, `obstacle.${field}`);

/** The fields of each kind of obstacle, in the order of VOLUMES. */
const FIELD_NAMES = VOLUMES.map(({ names }) => [...names, 'carving', 'moveThreshold', 'timeToRest']);
const KIND_NAMES = VOLUMES.map(({ kind }) => kind);

/** Writes a point; false if it isn't three numbers. @param {Float32Array} f32 @param {number} at @param {any} point */
function putPoint(f32, at, point) {
  if (typeof point !== 'object' || point === null) return false;
  const { length } = point, isList = typeof length === 'number'; // a vector class may have a method named length
  if (isList && length !== 3) return false;
  const x = isList ? point[0] : point.x, y = isList ? point[1] : point.y, z = isList ? point[2] : point.z;
  if (typeof x !== 'number' || typeof y !== 'number' || typeof z !== 'number' || Number.isNaN(x + y + z)) return false;
  f32[at] = x + 0; // minus zero is zero: runtime/zero.js
  f32[at + 1] = y + 0;
  f32[at + 2] = z + 0;
  return true;
}

/** Writes a number; false if it isn't one. @param {Float32Array} f32 @param {number} at @param {unknown} value */
function putNumber(f32, at, value) {
  if (typeof value !== 'number' || Number.isNaN(value)) return false;
  f32[at] = value + 0;
  return true;
}

/**
 * Writes the floats of a shape at the offsets of VOLUMES; false if one is missing.
 * @param {Float32Array} f32 of the struct @param {string} kind @param {any} shape
 */
function putShape(f32, kind, shape) {
  switch (kind) {
    case 'box': return putPoint(f32, MINIMUM_AT, shape.min) && putPoint(f32, MAXIMUM_AT, shape.max);
    case 'rotatedBox':
      return putPoint(f32, CENTRE_AT, shape.centre) && putPoint(f32, HALF_EXTENTS_AT, shape.halfExtents) && putNumber(f32, YAW_AT, shape.yaw);
    case 'cylinder':
      return putPoint(f32, CENTRE_AT, shape.base) && putNumber(f32, VOLUME_RADIUS_AT, shape.radius)
        && putNumber(f32, VOLUME_HEIGHT_AT, shape.height);
    case 'sphere': return putPoint(f32, CENTRE_AT, shape.centre) && putNumber(f32, VOLUME_RADIUS_AT, shape.radius);
    case 'capsule':
      return putPoint(f32, MINIMUM_AT, shape.start) && putPoint(f32, MAXIMUM_AT, shape.end)
        && putNumber(f32, VOLUME_RADIUS_AT, shape.radius);
    default: return false;
  }
}

/** True if all fields of an object are among `names`. @param {object} object @param {readonly string[]} names */
function hasOnly(object, names) {
  next: for (const name in object) {
    for (let i = 0; i < names.length; i++) {
      if (names[i] === name) continue next;
    }
    return false;
  }
  return true;
}

/** The words of the volume that is being read: one array, since obstacles that move are written every frame. */
const words = new Uint32Array(VOLUME_WORDS), floats = new Float32Array(words.buffer);

/**
 * The fast path of writeObstacle, for valid plain objects without an outline: allocates nothing. Returns undefined for all others,
 * else the kind.
 * @param {Session} session @param {number} calls @param {number} address @param {any} obstacle
 */
function writePlain(session, calls, address, obstacle) {
  if (obstacle?.constructor !== Object) return undefined;
  const { kind, area = 0, beforeErosion = area === 0, carving = 'always', moveThreshold, timeToRest = 0.5 } = obstacle;
  const index = KIND_NAMES.indexOf(kind), mode = CARVINGS.indexOf(carving);
  const threshold = moveThreshold ?? (mode === 1 ? 0.1 : 0);
  if (index < 0 || mode < 0 || typeof area !== 'number' || (area & 63) !== area || typeof beforeErosion !== 'boolean' || typeof threshold !== 'number' || !(threshold >= 0)
    || typeof timeToRest !== 'number' || !(timeToRest >= 0) || !hasOnly(obstacle, FIELD_NAMES[index])) return undefined;
  words.fill(0);
  if (!putShape(floats, kind, obstacle)) return undefined;
  words[0] = index;
  words[VOLUME_AREA_AT] = area | (beforeErosion ? 256 : 0);
  session.requireNoCallSince(calls);
  session.u32.set(words, (address + VOLUME_AT) / 4);
  writeMotion(session, address, mode, threshold, timeToRest);
  return kind;
}

/** @param {Session} session @param {number} address @param {number} mode @param {number} threshold @param {number} timeToRest */
function writeMotion({ u32, f32 }, address, mode, threshold, timeToRest) {
  const at = (address + MOTION_AT) / 4;
  u32[at + CARVING_AT] = mode;
  f32[at + THRESHOLD_AT] = threshold + 0;
  f32[at + REST_AT] = timeToRest + 0;
}

/** The values of any obstacle. @param {unknown} obstacle */
export function readObstacleValues(obstacle) {
  if (!isRecord(obstacle)) {
    throw invalidArgument('obstacle', `must be an object with a shape, not ${describe(obstacle)}`, obstacle);
  }
  const { area = 0, beforeErosion = area === 0, carving = 'always', moveThreshold, timeToRest = 0.5, ...shape } = /** @type {any} */ (obstacle);
  const mode = requireName(CARVINGS, carving, 'obstacle.carving');
  const threshold = requireField(moveThreshold ?? (mode === 1 ? 0.1 : 0), 'moveThreshold');
  requireField(timeToRest, 'timeToRest');
  return { kind: shape.kind, volume: readVolume({ ...shape, area, beforeErosion }, 'obstacle'), mode, threshold, timeToRest };
}

/**
 * Writes an obstacle to the volume and the motion of the C handle.
 * @param {Session} session @param {number} address of the handle @param {ReturnType<typeof readObstacleValues>} obstacle
 * @param {number} outline address of its vertices; 0: it has none
 */
export function writeObstacleValues(session, address, { volume, mode, threshold, timeToRest }, outline) {
  session.u32.fill(0, (address + VOLUME_AT) / 4, (address + VOLUME_AT) / 4 + VOLUME_WORDS);
  writeVolume(session, address + VOLUME_AT, volume, outline);
  writeMotion(session, address, mode, threshold, timeToRest);
}

/**
 * Reads an obstacle, and writes it to the C handle, with its outline in the memory of one call. Returns its kind.
 * @param {Session} session @param {number} calls session.calls, from before anything of the arguments was read
 * @param {number} address of the handle @param {unknown} obstacle @returns {string}
 */
export function writeObstacle(session, calls, address, obstacle) {
  session.refresh();
  const kind = writePlain(session, calls, address, obstacle);
  if (kind !== undefined) return kind;
  const values = readObstacleValues(obstacle), { vertices } = values.volume;
  session.requireNoCallSince(calls);
  const outline = copyToScratch(session, vertices);
  writeObstacleValues(session, address, values, vertices.length === 0 ? 0 : outline);
  return values.kind;
}

/** The start of C's messages about one item of an array. */
const PART = /^part (\d+): /;

/**
 * Translates C's error about an array of obstacles: the field names the item.
 * @param {NavError} error @param {string} what name of the array, for an error about a whole obstacle @returns {NavError}
 */
export function nameItem(error, what) {
  const part = PART.exec(error.message);
  if (!part) return error;
  const { code, field = what, value } = error;
  const name = `${field === 'obstacle' ? what : field}[${Number(part[1]) - 1}]`;
  return new NavError(code, `${name}: ${error.message.slice(part[0].length)}`, { field: name, value });
}

/**
 * Translates C's error about an obstacle to the field names of JavaScript.
 * @param {NavError} error @param {string} [kind] of an obstacle that was given; 'one': it was named by its handle @returns {NavError}
 */
export function nameField(error, kind) {
  const { code, field, value } = error, message = error.message.replace(PART, '');
  if (code !== 'invalid-argument' || field === undefined || field === 'obstacle' || kind === undefined) return new NavError(code, message, { field, value });
  if (kind === 'one') return new NavError(code, message, { field: field.replace(/s$/, ''), value });
  if (field === 'positions' || field === 'yaws') return error;
  return nameVolumeField({ code, message, field, value }, kind, 'obstacle');
}

/**
 * Reads an obstacle from the volume and the motion of the C handle; the outline lies where the volume points.
 * @param {Session} session @param {number} address @returns {StoredObstacle}
 */
export function readObstacle(session, address) {
  session.refresh();
  const { f32, u32 } = session;
  const at = (address + VOLUME_AT) / 4, motion = (address + MOTION_AT) / 4;
  const { kind, places } = VOLUMES[u32[at]];
  /** @type {Record<string, unknown>} */
  const fields = { kind };
  for (const [name, place] of Object.entries(places)) {
    const from = at + place;
    if (place >= 0) fields[name] = SCALARS.includes(name) ? f32[from] : Array.from(f32.subarray(from, from + 3));
  }
  if (kind === 'prism') {
    const [vertices, count] = u32.subarray(at + OUTLINE_AT / 4, at + OUTLINE_AT / 4 + 2);
    fields.vertices = f32.slice(vertices / 4, vertices / 4 + 3 * count);
  }
  const marks = u32[at + VOLUME_AREA_AT];
  return /** @type {any} */ ({
    ...fields, area: marks & 255, beforeErosion: (marks >> 8 & 255) !== 0, carving: CARVINGS[u32[motion + CARVING_AT]],
    moveThreshold: f32[motion + THRESHOLD_AT], timeToRest: f32[motion + REST_AT],
  });
}

/** Checks the type of a handle; C checks that the obstacle exists. @param {unknown} obstacle @param {string} field @returns {number} */
export function requireHandle(obstacle, field) {
  if (Number.isSafeInteger(obstacle) && /** @type {number} */ (obstacle) >= 0) return /** @type {number} */ (obstacle);
  throw invalidArgument(field, `is ${describe(obstacle)}: must be an obstacle that addObstacle returned`, obstacle);
}

/**
 * Writes handles as pairs of words.
 * @param {Session} session @param {number} address @param {Float64Array} obstacles of requireHandles @param {number} count
 */
function writeHandles({ u32 }, address, obstacles, count) {
  for (let i = 0, at = address >>> 2; i < count; i++, at += 2) {
    const handle = obstacles[i];
    if (!(Number.isSafeInteger(handle) && handle >= 0)) requireHandle(handle, `obstacles[${i}]`); // throws
    writeHandle(u32, at, handle);
  }
}

/** Writes a handle as a pair of words. @param {Uint32Array} u32 @param {number} at @param {number} handle */
export function writeHandle(u32, at, handle) {
  u32[at] = handle;
  u32[at + 1] = handle / 4294967296;
}

/** Copies handles to the memory of one call. @param {Session} session @param {number} calls @param {unknown} obstacles */
export function copyHandles(session, calls, obstacles) {
  const handles = requireHandles(obstacles), count = handles.length;
  session.requireNoCallSince(calls);
  const room = session.reserve(8 * count);
  writeHandles(session, room, handles, count);
  return { room, count };
}

/** A view of an array of handles, or a copy. @param {unknown} obstacles @returns {Float64Array} */
function requireHandles(obstacles) {
  if (typeOf(obstacles) === 'Float64Array') return viewOf(/** @type {Float64Array} */ (obstacles));
  if (Array.isArray(obstacles)) {
    const handles = makeArray(Float64Array, obstacles.length, 'obstacles');
    for (let i = 0; i < handles.length; i++) handles[i] = requireHandle(obstacles[i], `obstacles[${i}]`);
    return handles;
  }
  throw invalidArgument('obstacles', `must be a Float64Array or an array of obstacles, not ${describe(obstacles)}`, obstacles);
}

/**
 * Checks positions and yaws of obstacles, and converts them to float32.
 * @param {unknown} positions @param {unknown} yaws @param {unknown} [obstacles] handles, one for each position; default: any number
 *   of positions
 */
export function readPoses(positions, yaws, obstacles) {
  const points = requireFloats(positions, 'positions');
  const turns = yaws === undefined ? undefined : requireFloats(yaws, 'yaws');
  const handles = obstacles === undefined ? undefined : requireHandles(obstacles);
  const count = handles ? handles.length : Math.floor(points.length / 3);
  if (points.length !== 3 * count) {
    throw invalidArgument('positions', `has ${points.length} numbers: must have three for each obstacle`, points.length);
  }
  if (turns && turns.length !== count) {
    throw invalidArgument('yaws', `has ${turns.length} numbers: must have one for each obstacle`, turns.length);
  }
  return { points, turns, handles, count };
}

/**
 * Copies handles (or leaves space for them), positions, yaws and an outline to the memory of one call.
 * @param {Session} session @param {ReturnType<typeof readPoses>} poses @param {Float32Array} [outline]
 * @returns {{ handles: number, points: number, turns: number, outline: number }} addresses; 0 where there are none
 */
export function copyPoses(session, { points, turns, handles, count }, outline = new Float32Array(0)) {
  const [pointsAt, turnsAt, outlineAt] = [8 * count, 20 * count, 24 * count];
  const room = session.reserve(outlineAt + 4 * outline.length);
  if (handles) writeHandles(session, room, handles, count);
  session.f32.set(points, (room + pointsAt) / 4);
  if (turns) session.f32.set(turns, (room + turnsAt) / 4);
  session.f32.set(outline, (room + outlineAt) / 4);
  dropZeroSigns(session.f32, (room + pointsAt) / 4, (room + outlineAt) / 4 + outline.length);
  return {
    handles: room, points: room + pointsAt, turns: turns ? room + turnsAt : 0, outline: outline.length > 0 ? room + outlineAt : 0,
  };
}

/** Words of a WmMovingObstacle: position, radius, height, velocity, obstacle. */
const { radius: RADIUS_AT, height: HEIGHT_AT, velocity: VELOCITY_AT, obstacle: HANDLE_AT, words: MOVING_WORDS } = WmMovingObstacle;

/**
 * @param {Session} session with the result of dynamic_moving_obstacles @param {MovingObstacles | undefined} out
 * @returns {MovingObstacles}
 */
export function readMoving(session, out) {
  const { u32, f32, answer, calls } = session;
  const [address, count] = [u32[answer] / 4, u32[answer + 1]];
  const given = requireOut(out);
  const moving = {
    count,
    obstacles: arrayFor(/** @type {new (count: number) => Float64Array} */ (Float64Array), given?.obstacles, count),
    positions: arrayFor(Float32Array, given?.positions, 3 * count),
    radii: arrayFor(Float32Array, given?.radii, count),
    heights: arrayFor(Float32Array, given?.heights, count),
    velocities: arrayFor(Float32Array, given?.velocities, 3 * count),
  };
  for (let i = 0; i < count; i++) {
    const at = address + MOVING_WORDS * i;
    moving.obstacles[i] = readReference(u32, at + HANDLE_AT);
    moving.radii[i] = f32[at + RADIUS_AT];
    moving.heights[i] = f32[at + HEIGHT_AT];
    for (let axis = 0; axis < 3; axis++) {
      moving.positions[3 * i + axis] = f32[at + axis];
      moving.velocities[3 * i + axis] = f32[at + VELOCITY_AT + axis];
    }
  }
  session.requireNoCallSince(calls);
  return given ? Object.assign(given, moving) : moving;
}
