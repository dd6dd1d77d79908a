/**
 * Compares two navigation meshes, such as those of two versions of a level: where ground was lost or gained, and which links and
 * connections differ. Bytes of tiles say less: a higher tower changes the bounds in the header of each tile, and a new polygon at one
 * end of a room other polygons all over it.
 *
 * Polygons that both meshes have are equal. All others are sampled on a grid of cells, and each sample is looked for in the other
 * mesh; samples that lie beside each other are one change.
 */
import { requireOptions } from '../runtime/arguments.js';
import { invalidArgument } from '../runtime/errors.js';
import { NAV_MESH } from '../runtime/handle-kinds.js';
import { addressOf } from '../runtime/handle.js';
import { nameSet } from '../runtime/option-names.js';
import { readTile } from '../mesh/detour-tile.js';
import { GroundChanges, listTriangles, sampleTriangle } from './ground-changes.js';
import { ROUNDING, findUnpaired } from './link-changes.js';

/** @typedef {import('../mesh/connections.js').Connection} Connection */
/** @typedef {import('../mesh/mesh.js').NavMesh} NavMesh */
/** @typedef {import('../mesh/segment-links.js').SegmentLink} SegmentLink */
/** @typedef {import('./ground-changes.js').GroundChange} GroundChange */

/**
 * @typedef {object} CompareOptions
 * @property {number} [tolerance] how far the edges of ground, and the ends of links, may lie apart on x and z, world units; default: maxEdgeError of the first
 *   mesh, by which the edges of a bake may stray
 */

/**
 * @typedef {object} MeshComparison
 * @property {boolean} isSame true if there are no changes. Polygons may differ all the same, where they cover the same ground
 * @property {GroundChange[]} ground where ground was lost, gained, or has another area or other flags, the largest first
 * @property {{ before: number, after: number }} area of all ground on x and z, square world units
 * @property {{ before: number, after: number }} islands their numbers, for a filter that passes everything
 * @property {{ lost: SegmentLink[], gained: SegmentLink[] }} links that only one of the meshes has; a link that moved by more
 *   than the tolerance, or by more than a climb on y, is in both lists
 * @property {{ lost: Connection[], gained: Connection[] }} connections off-mesh connections that only one of them has
 */

/** @typedef {{ key: string, triangles: Float32Array, area: number, flags: number }} Ground a polygon that filters can pass */

const NAMES = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<CompareOptions>} */ ({ tolerance: 1 }));

/** The values for meshes that store none: maxEdgeError in cells, and the size of cells and the climb in world units. */
const [DEFAULT_EDGE_ERROR, DEFAULT_CELL, DEFAULT_CLIMB] = [1.3, 0.3, 0.9];
/** The grid is coarser than cells where a mesh has more samples than this. */
const MOST_SAMPLES = 400_000;

/**
 * Where two meshes differ. The meshes may have other tiles, cells and agents, and be of two instances.
 *
 * O(polygons), and some microseconds for each cell of polygons that only one of them has. Ground that no filter passes, because its flags are 0,
 * counts as none. Ground whose height differs by at most the climb of the first mesh is the same.
 * @param {NavMesh} before @param {NavMesh} after @param {CompareOptions} [options]
 * @returns {MeshComparison}
 */
export function compareNavMeshes(before, after, options = {}) {
  addressOf(before, NAV_MESH);
  addressOf(after, NAV_MESH);
  const { parameters, config } = before;
  const cell = parameters.cellSize || DEFAULT_CELL;
  const { tolerance = (config?.maxEdgeError ?? DEFAULT_EDGE_ERROR) * cell } = requireOptions(options, NAMES);
  if (!(typeof tolerance === 'number' && tolerance >= 0 && tolerance < Infinity)) throw invalidArgument('tolerance', 'must be a number, 0 or more', tolerance);
  const [old, now] = [readGround(before), readGround(after)];
  const area = { before: areaOf(old), after: areaOf(now) };
  const step = Math.max(cell, Math.sqrt((area.before + area.after) / MOST_SAMPLES));
  const changes = new GroundChanges(step);
  const reach = { width: tolerance, box: Math.max(tolerance, cell), height: parameters.agentMaxClimb || DEFAULT_CLIMB };
  findChanges(without(old, now), after, 'lost', reach, changes);
  findChanges(without(now, old), before, 'gained', reach, changes);
  const ground = changes.list();
  const links = findUnpaired(listLinks(before), listLinks(after), reach);
  const connections = findUnpaired(listConnections(before), listConnections(after), reach);
  const differing = [ground, links.lost, links.gained, connections.lost, connections.gained];
  return {
    isSame: differing.every(({ length }) => length === 0), ground, area,
    islands: { before: countIslands(before), after: countIslands(after) }, links, connections,
  };
}

/** The ground of one mesh that another one doesn't have. @param {Ground[]} list @param {Ground[]} other */
function without(list, other) {
  const keys = new Set(other.map(({ key }) => key));
  return list.filter(({ key }) => !keys.has(key));
}

/** @param {NavMesh} navMesh @returns {Ground[]} */
function readGround(navMesh) {
  return navMesh.tiles().flatMap(({ bytes }) => {
    const tile = readTile(bytes);
    return Array.from({ length: tile.groundCount }, (_, polygon) => {
      const triangles = listTriangles(tile, polygon), area = tile.areas[polygon], flags = tile.flags[polygon];
      return { key: String.fromCharCode(area, flags, ...new Uint16Array(triangles.buffer)), triangles, area, flags };
    }).filter(({ flags }) => flags !== 0);
  });
}

/** On x and z. @param {Ground[]} ground */
function areaOf(ground) {
  let doubled = 0;
  for (const { triangles } of ground) {
    for (let t = 0; t < triangles.length; t += 9) {
      const [ax, , az, bx, , bz, cx, , cz] = triangles.subarray(t, t + 9);
      doubled += Math.abs((bx - ax) * (cz - az) - (cx - ax) * (bz - az));
    }
  }
  return doubled / 2;
}

/**
 * Samples ground of one mesh, and looks for each sample in the other one.
 * @param {Ground[]} ground @param {NavMesh} other @param {'lost' | 'gained'} kind where the other mesh has no ground
 * @param {{ width: number, box: number, height: number }} reach how far from a sample its ground may lie on x and z, how far it is looked for there, and both on y
 * @param {GroundChanges} changes
 */
function findChanges(ground, other, kind, reach, changes) {
  const options = { halfExtents: [reach.box, reach.height, reach.box] };
  /** @type {ReturnType<NavMesh['nearestPoint']>} */
  let found = null;
  for (const { triangles, area, flags } of ground) {
    for (let t = 0; t < triangles.length; t += 9) {
      sampleTriangle(triangles.subarray(t, t + 9), changes.step, (x, y, z) => {
        found = other.nearestPoint([x, y, z], options, found ?? undefined);
        const width = reach.width + ROUNDING * Math.max(Math.abs(x), Math.abs(z));
        // The nearest point can lie outside of the box, on a polygon whose bounds overlap it.
        if (!found || Math.hypot(found.point[0] - x, found.point[2] - z) > width || Math.abs(found.point[1] - y) > reach.height) changes.add(kind, x, y, z);
        // Both meshes have the ground: only one direction says so.
        else if (kind === 'gained' && found.isOver && (other.polygonArea(found.polygon) !== area || other.polygonFlags(found.polygon) !== flags)) changes.add('marked', x, y, z);
      });
    }
  }
}

/** @param {NavMesh} navMesh */
function countIslands(navMesh) {
  const islands = navMesh.islands();
  try {
    return islands.count;
  } finally {
    islands.free();
  }
}

/** @param {NavMesh} navMesh @returns {import('./link-changes.js').Described<SegmentLink>[]} */
function listLinks(navMesh) {
  const { count, refs } = navMesh.segmentLinks();
  return Array.from(refs.subarray(0, count), (ref) => {
    const link = navMesh.segmentLink(ref), { kind, start, end, peak, cost, area, flags, userId, bidirectional, enabled, byHand, startTied, endTied } = link;
    const words = JSON.stringify([kind, area, flags, userId, bidirectional, enabled, byHand, startTied, endTied]);
    // The peak is a height as well.
    return { one: link, words, points: [...start, ...end, [0, peak, 0]].flat(), cost };
  });
}

/** All connections of a mesh: those of its tiles, and those that were added later. @param {NavMesh} navMesh @returns {import('./link-changes.js').Described<Connection>[]} */
function listConnections(navMesh) {
  const baked = navMesh.tiles().flatMap(({ ref, bytes, polygons }) => {
    const { groundCount } = readTile(bytes);
    return Array.from({ length: polygons - groundCount }, (_, i) => ref + groundCount + i);
  });
  return [...baked, ...navMesh.connections()].map((ref) => {
    const connection = navMesh.connection(ref), { start, end, startTied, endTied, radius, bidirectional, enabled, area, flags, userId, costFactor } = connection;
    const words = JSON.stringify([startTied, endTied, radius, bidirectional, enabled, area, flags, userId, costFactor]);
    return { one: connection, words, points: [...start, ...end], cost: 0 };
  });
}
