/** Obstacles that are in the way: volumes of area 0 in the level, and obstacles of a dynamic mesh. Tried by bakes of the level without some of them. */
import { finish } from '../bake/bake-steps.js';
import { isRecord, numbersOfPoint } from '../runtime/arguments.js';
import { carvedVolumes, withVolumes } from '../input/with-obstacles.js';
import { triedCause } from './mesh-causes.js';
import { findObstaclesInWay } from './obstacles-in-way.js';
import { obstaclesText, outOfTrialsText } from './words.js';

/** @typedef {import('../input/geometry.js').AreaVolume} AreaVolume */
/** @typedef {import('../input/geometry.js').Geometry} Geometry */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('../query/find-path.js').Path} Path */
/** @typedef {import('./causes.js').Cause} Cause */
/** @typedef {import('./causes.js').Change & { kind: 'remove' }} Removal */
/** @typedef {import('./level-trials.js').Fields} Fields */
/** @typedef {import('./level-trials.js').LevelTrials} LevelTrials */
/** @typedef {import('./mesh-graph.js').Vector} Vector */
/** A volume or solid of the level, or an obstacle of the mesh, that nothing walks through; volume: its shape, or a box around it; index: its place in the level's volumes, which the solids follow. @typedef {{ volume: AreaVolume, index: number, change: Removal }} Obstacle */

/** True for volumes that close ground: those with another area are walked through. @param {unknown} volume of the caller, not checked yet */
const closes = (volume) => isRecord(volume) && /** @type {any} */ (volume).area === 0;

/**
 * The level of a mesh with the obstacles that the mesh has now, and all that may be in the way.
 * @param {NavMesh} navMesh @param {Geometry} geometry @returns {{ geometry: Geometry, obstacles: Obstacle[] }}
 */
export function withObstaclesOf(navMesh, geometry) {
  const { changedBy } = navMesh, dynamic = changedBy && !changedBy.isFreed ? /** @type {import('../dynamic/dynamic-nav-mesh.js').DynamicNavMesh} */ (changedBy) : null;
  const own = Array.from(geometry.volumes ?? [], (volume, i) => ({ volume, change: /** @type {Removal} */ ({ kind: 'remove', volume: i }) }));
  const placed = dynamic ? carvedVolumes(dynamic).map(({ handle, volume }) => {
    const change = /** @type {Removal} */ ({ kind: 'remove', obstacle: handle, shape: volume.kind === 'rotatedBox' ? 'box' : volume.kind, point: middleOf(volume) });
    // Not enumerable: causes can be printed, copied and sent.
    return { volume, change: Object.defineProperty(change, 'dynamic', { value: dynamic }) };
  }) : [];
  return {
    geometry: placed.length > 0 ? withVolumes(geometry, placed.map(({ volume }) => volume)) : geometry,
    obstacles: [...own, ...placed].map((each, index) => ({ ...each, index })).filter(({ volume }) => closes(volume)),
  };
}

/** The points of a shape, and how far it reaches around them on x and z. @param {any} volume checked by a bake @returns {{ points: Vector[], reach: number }} */
function outlineOf({ min, max, centre, base, vertices, minY, start, end, radius, halfExtents }) {
  const point = (/** @type {any} */ given) => /** @type {Vector} */ (Array.from(/** @type {Vector} */ (numbersOfPoint(given))));
  if (vertices !== undefined) {
    const numbers = typeof vertices[0] === 'number' ? Array.from(vertices) : Array.from(vertices, point).flat();
    return { points: Array.from({ length: numbers.length / 3 }, (_, i) => [numbers[3 * i], minY, numbers[3 * i + 2]]), reach: 0 };
  }
  if (min !== undefined) return { points: [point(min), point(max)], reach: 0 };
  if (halfExtents !== undefined) return { points: [point(centre)], reach: Math.hypot(point(halfExtents)[0], point(halfExtents)[2]) };
  return { points: start !== undefined ? [point(start), point(end)] : [point(centre ?? base)], reach: radius };
}

/** The middle of a shape. @param {AreaVolume} volume checked by a bake @returns {Vector} */
function middleOf(volume) {
  const { points } = outlineOf(volume);
  return /** @type {Vector} */ ([0, 1, 2].map((axis) => points.reduce((sum, each) => sum + each[axis], 0) / points.length));
}

/** Obstacles as far from a path as this many cells beside the agent's radius may close it: cells round sizes up. */
const BESIDE = 2;

/** True if a path leads so near to a shape's box on x and z that the shape may close it. @param {AreaVolume} volume @param {Path} path @param {number} beside world units */
function isBeside(volume, { points, count }, beside) {
  const { points: outline, reach } = outlineOf(volume);
  const bounds = [0, 2].map((axis) => [Math.min(...outline.map((each) => each[axis])) - reach - beside, Math.max(...outline.map((each) => each[axis])) + reach + beside]);
  for (let i = 0; i + 1 < count; i++) {
    // The part of the segment between the box's sides, from 0 to 1.
    let [first, last] = [0, 1];
    bounds.forEach(([low, high], k) => {
      const from = points[3 * i + 2 * k], along = points[3 * i + 3 + 2 * k] - from;
      const ends = along === 0 ? [from < low ? 2 : 0, from > high ? -1 : 1] : [(low - from) / along, (high - from) / along].sort((a, b) => a - b);
      [first, last] = [Math.max(first, ends[0]), Math.min(last, ends[1])];
    });
    if (first <= last) return true;
  }
  return false;
}

/**
 * The obstacles that are in the way, as one cause; null: none, or the level has the way with them.
 * @param {LevelTrials} trials of the level with all of them @param {number | null} before length of the path; null: there is none
 * @param {(length: number | null) => boolean} isWorth of the length of a path @param {Fields} [fields] of the configuration that change as well
 * @param {readonly Obstacle[]} [obstacles] that may be in the way @returns {Cause | null}
 */
export function obstacleCause(trials, before, isWorth, fields = {}, obstacles = trials.obstacles) {
  const { mostTrials, config: { agentRadius, cellSize } } = trials;
  /** The last path that opened the way, and what was left out for it. @type {Map<string, Path | null>} */
  const paths = new Map();
  const pathWithout = (/** @type {readonly Obstacle[]} */ removed) => {
    const key = removed.map(({ index }) => index).join();
    if (!paths.has(key)) paths.set(key, trials.without(removed).pathWith(fields));
    return paths.get(key) ?? null;
  };
  const search = findObstaclesInWay(obstacles, (removed) => isWorth(pathWithout(removed)?.length ?? null), {
    mostTrials, likely: () => obstacles.filter(({ volume }) => isBeside(volume, /** @type {Path} */ (pathWithout(obstacles)), agentRadius + BESIDE * cellSize)),
  });
  const { obstacles: found, areFewest } = finish(search);
  if (found.length === 0) return null;
  const path = /** @type {Path} */ (pathWithout(found)), changes = found.map(({ change }) => change);
  const text = `${obstaclesText(changes)}${areFewest ? '' : ` ${outOfTrialsText(mostTrials)}`}`;
  const cause = triedCause({ kind: 'obstacle', text, point: middleOf(found[0].volume), changes }, trials.isExact ? path.length : null, before);
  return { ...cause, saves: before === null ? null : before - path.length };
}
