/** Obstacles that are in the way: volumes of area 0 in the level, and obstacles of a dynamic mesh. Tried by bakes of the level without some of them. */
import { isRecord, numbersOfPoint } from '../runtime/arguments.js';
import { carvedVolumes, withVolumes } from '../input/with-obstacles.js';
import { triedCause } from './mesh-causes.js';
import { obstaclesText } from './words.js';

/** @typedef {import('../input/geometry.js').AreaVolume} AreaVolume */
/** @typedef {import('../input/geometry.js').Geometry} Geometry */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('../query/find-path.js').Path} Path */
/** @typedef {import('./causes.js').Cause} Cause */
/** @typedef {import('./causes.js').Change & { kind: 'remove' }} Removal */
/** @typedef {import('./level-trials.js').LevelTrials} LevelTrials */
/** @typedef {import('./mesh-graph.js').Vector} Vector */
/** A volume of the level, or an obstacle of the mesh, that nothing walks through. @typedef {{ volume: AreaVolume, change: Removal }} Obstacle */

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
    const change = /** @type {Removal} */ ({ kind: 'remove', obstacle: handle });
    // Not enumerable: causes can be printed, copied and sent.
    return { volume, change: Object.defineProperty(change, 'dynamic', { value: dynamic }) };
  }) : [];
  return {
    geometry: placed.length > 0 ? withVolumes(geometry, placed.map(({ volume }) => volume)) : geometry,
    obstacles: [...own, ...placed].filter(({ volume }) => closes(volume)),
  };
}

/**
 * As few of some obstacles as must go beside others: with any of them there is no way. About 2 k log2(n) trials for k of n.
 * @template T @param {readonly T[]} removed @param {readonly T[]} candidates which open the way if they are removed as well
 * @param {(removed: readonly T[]) => boolean} opens @returns {readonly T[]}
 */
function fewest(removed, candidates, opens) {
  if (candidates.length === 1) return candidates;
  const half = candidates.length >> 1, halves = [candidates.slice(0, half), candidates.slice(half)];
  for (const part of halves) if (opens([...removed, ...part])) return fewest(removed, part, opens);
  const first = fewest([...removed, ...halves[1]], halves[0], opens);
  return [...first, ...fewest([...removed, ...first], halves[1], opens)];
}

/** Most sets of obstacles that are compared: each is another way. */
const MOST_SETS = 4;

/**
 * Of sets of obstacles that open a way on their own, and have none in common, the smallest.
 * @template T @param {readonly T[]} all which open the way together @param {(removed: readonly T[]) => boolean} opens @returns {readonly T[]}
 */
function smallestSet(all, opens) {
  let best = fewest([], all, opens), others = all.filter((each) => !best.includes(each));
  for (let sets = 1; sets < MOST_SETS && best.length > 1 && others.length > 0 && opens(others); sets++) {
    const next = fewest([], others, opens);
    if (next.length < best.length) best = next;
    others = others.filter((each) => !next.includes(each));
  }
  return best;
}

/** The middle of a shape. @param {any} volume checked by a bake @returns {Vector} */
function middleOf({ min, max, centre, base, vertices, minY, start, end }) {
  const point = (/** @type {any} */ given) => Array.from(/** @type {Vector} */ (numbersOfPoint(given)));
  const mean = (/** @type {number[][]} */ points) => /** @type {Vector} */ ([0, 1, 2].map((axis) => points.reduce((sum, each) => sum + each[axis], 0) / points.length));
  if (vertices !== undefined) {
    const numbers = typeof vertices[0] === 'number' ? Array.from(vertices) : Array.from(vertices, point).flat();
    const [x, , z] = mean(Array.from({ length: numbers.length / 3 }, (_, i) => numbers.slice(3 * i, 3 * i + 3)));
    return [x, minY, z];
  }
  if (min !== undefined) return mean([point(min), point(max)]);
  return mean(start !== undefined ? [point(start), point(end)] : [point(centre ?? base)]);
}

/**
 * The obstacles that are in the way, as one cause; null: none, or the level has the way with them.
 * @param {LevelTrials} trials of the level with all of them @param {number | null} before length of the path; null: there is none
 * @param {(length: number | null) => boolean} isWorth of the length of a path @returns {Cause | null}
 */
export function obstacleCause(trials, before, isWorth) {
  const { obstacles } = trials;
  /** @type {Map<string, Path | null>} */
  const known = new Map();
  const pathWithout = (/** @type {readonly Obstacle[]} */ removed) => {
    const key = obstacles.flatMap((obstacle, i) => (removed.includes(obstacle) ? [i] : [])).join();
    if (!known.has(key)) known.set(key, trials.without(removed).pathWith({}));
    return known.get(key) ?? null;
  };
  const opens = (/** @type {readonly Obstacle[]} */ removed) => isWorth(pathWithout(removed)?.length ?? null);
  if (obstacles.length === 0 || !opens(obstacles) || opens([])) return null;
  const found = smallestSet(obstacles, opens), path = /** @type {Path} */ (pathWithout(found));
  const changes = found.map(({ change }) => change);
  const cause = triedCause({ kind: 'obstacle', text: obstaclesText(changes), point: middleOf(found[0].volume), changes }, trials.isExact ? path.length : null, before);
  return { ...cause, saves: before === null ? null : before - path.length };
}
