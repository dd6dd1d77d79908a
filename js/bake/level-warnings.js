/**
 * Warnings about parts of a level that have no effect: names, volumes and connections that match nothing. What they need of the level is
 * copied before the bake begins, since it may change later.
 */
import { numbersOfPoint, requirePoints } from '../runtime/arguments.js';
import { keptWarnings } from '../input/kept-warnings.js';
import { listConnections, warnOfConnections } from './connection-warnings.js';

/** @typedef {import('../input/config.js').Config} Config */
/** @typedef {import('../input/geometry.js').Geometry} Geometry */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {{ index: number, area: number, min: number[], max: number[] }} PlacedShape */
/** @typedef {ReturnType<typeof noteLevel>} NotedLevel */

/** The area that a bake gives to unmarked ground, which has area 0 in the mesh. */
const UNMARKED = 63;
/** Further warnings are only counted. */
const MAX_NAMED = 5;

/** The box around points, grown by a radius. @param {number[][]} points @param {number} radius */
const boxOf = (points, radius) => ({
  min: [0, 1, 2].map((axis) => Math.min(...points.map((point) => point[axis])) - radius),
  max: [0, 1, 2].map((axis) => Math.max(...points.map((point) => point[axis])) + radius),
});

/** The bounds of a volume or solid; not finite if it is none. @param {any} shape */
function boundsOf({ kind, min, max, centre, halfExtents, base, radius = 0, height = 0, vertices, positions, minY, maxY, start, end }) {
  const point = (/** @type {unknown} */ value) => numbersOfPoint(value) ?? [NaN, NaN, NaN];
  const around = (/** @type {number[]} */ [x, y, z], /** @type {number[]} */ halves) => ({ min: [x - halves[0], y - halves[1], z - halves[2]], max: [x + halves[0], y + halves[1], z + halves[2]] });
  if (kind === 'cylinder') {
    const [x, y, z] = point(base);
    return { min: [x - radius, y, z - radius], max: [x + radius, y + height, z + radius] };
  }
  if (kind === 'prism') {
    const floats = requirePoints(vertices, 'vertices'), corners = Array.from({ length: floats.length / 3 }, (_, i) => [floats[3 * i], 0, floats[3 * i + 2]]);
    const { min: [x, , z], max: [x1, , z1] } = boxOf(corners, 0);
    return { min: [x, minY, z], max: [x1, maxY, z1] };
  }
  if (kind === 'convex') {
    const floats = requirePoints(positions, 'positions');
    return boxOf(Array.from({ length: floats.length / 3 }, (_, i) => [...floats.slice(3 * i, 3 * i + 3)]), 0);
  }
  if (kind === 'capsule') return boxOf([point(start), point(end)], radius);
  if (kind === 'sphere') return around(point(centre), [radius, radius, radius]);
  if (min !== undefined) return { min: point(min), max: point(max) };
  const [x, y, z] = point(halfExtents), across = Math.hypot(x, z);
  return around(point(centre), kind === 'rotatedBox' ? [across, y, across] : [x, y, z]);
}

/** The volumes or solids of a level, without those that the bake will reject. @param {readonly any[] | undefined} list @returns {PlacedShape[]} */
function listShapes(list) {
  if (!Array.isArray(list)) return [];
  return list.flatMap((shape, index) => {
    try {
      const { min, max } = boundsOf(shape);
      return [...min, ...max].every(Number.isFinite) ? [{ index, area: shape.area, min, max }] : [];
    } catch {
      return []; // the bake names it
    }
  });
}

/**
 * Copies what the warnings need.
 * @param {Geometry} geometry @param {Config | undefined} config
 */
export const noteLevel = (geometry, config) => ({
  connections: listConnections(geometry), volumes: listShapes(geometry?.volumes), solids: listShapes(geometry?.solids),
  isBounded: config?.bounds !== undefined, warnings: keptWarnings(geometry),
});

/** @param {{ min: ArrayLike<number>, max: ArrayLike<number> }} a @param {{ min: ArrayLike<number>, max: ArrayLike<number> }} b @param {number[]} slack */
const overlap = (a, b, slack) => [0, 1, 2].every((axis) => a.min[axis] <= b.max[axis] + slack[axis] && a.max[axis] >= b.min[axis] - slack[axis]);

/** @param {NavMesh} navMesh @param {PlacedShape} volume @param {number[]} slack @returns {Float64Array} */
function findGround(navMesh, { min, max }, slack) {
  const middle = min.map((low, axis) => (low + max[axis]) / 2), halves = min.map((low, axis) => (max[axis] - low) / 2 + slack[axis]);
  const { polygons, count } = navMesh.polygonsInBox(/** @type {[number, number, number]} */ (middle), /** @type {[number, number, number]} */ (halves));
  return polygons.subarray(0, count);
}

/**
 * Why a volume marks nothing; undefined: it does, or may have done so. Where other volumes or the agent radius take the ground that it
 * marks, or it has area 0, that can't be told from the mesh.
 * @param {NavMesh} navMesh @param {NotedLevel} noted @param {PlacedShape} volume @param {{ min: ArrayLike<number>, max: ArrayLike<number> }} level
 */
function describeIdle(navMesh, { isBounded }, volume, level) {
  const { cellSize, cellHeight } = navMesh.parameters, slack = [cellSize, 2 * cellHeight, cellSize];
  if (!overlap(volume, level, slack)) return isBounded ? undefined : 'it lies outside the level';
  const area = volume.area === UNMARKED ? 0 : volume.area;
  if (volume.area === 0 || findGround(navMesh, volume, slack).some((polygon) => navMesh.polygonArea(polygon) === area)) return undefined;
  return findGround(navMesh, volume, [0, 0, 0]).length === 0 ? 'no ground lies in it' : undefined;
}

/** Cuts a list of warnings short. @param {string[]} list @param {(more: number) => string} count the last line */
function shorten(list, count) {
  const more = list.length - MAX_NAMED;
  if (more > 1) list.splice(MAX_NAMED, more, count(more));
  return list;
}

/**
 * Warnings about names, volumes, solids and connections that match nothing, for the report of a bake of the whole level.
 * @param {NavMesh} navMesh @param {NotedLevel} noted @param {import('./bake-steps.js').Voxels} voxels of the bake @returns {string[]}
 */
export function warnOfLevel(navMesh, noted, { boundsMin, boundsMax, isOpenAbove }) {
  const { connections, volumes, solids, warnings } = noted;
  const canAsk = 'mesh_totals' in navMesh.session.wasm && 'query_polygons_in_box' in navMesh.session.wasm; // not in walkmesh/core
  if (!canAsk || navMesh.totals.polygons === 0) return [...warnings]; // other warnings explain an empty mesh
  const idle = volumes.flatMap((volume) => {
    const reason = describeIdle(navMesh, noted, volume, { min: boundsMin, max: boundsMax });
    return reason ? [`volumes[${volume.index}] marks nothing: ${reason}`] : [];
  });
  const room = { min: boundsMin, max: isOpenAbove ? [boundsMax[0], Infinity, boundsMax[2]] : boundsMax };
  const outside = solids.filter((solid) => !overlap(solid, room, [0, 0, 0])).map(({ index }) => `solids[${index}] lies outside the bounds of the navigation mesh, and was ignored`);
  return [...warnings, ...shorten(idle, (more) => `${more} more of volumes mark nothing`),
    ...shorten(outside, (more) => `${more} more of solids lie outside the bounds`), ...warnOfConnections(navMesh, connections)];
}
