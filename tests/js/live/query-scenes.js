/**
 * Random meshes that are equal in this package and the peer: the same tiles, byte by byte, exchanged in either
 * direction. scenes.js makes the levels; this file adds off-mesh connections whose ends lie on the mesh, area costs,
 * flags that a filter refuses, and points for queries.
 */

import { toInput } from './ours.js';
import { Random } from './random.js';
import { makeCase, makeVolumes } from './scenes.js';
import { boundsOf, toVoxels } from './voxels.js';

/** The methods of exchanging a mesh. */
export const EXCHANGES = ['our set', 'our tiles', 'their set', 'our set, theirs again'];

/** Flags that filters may refuse. */
const REFUSED_FLAG = 0x8000;

/**
 * @param {number} seed
 * @returns {object} level, config (with connections once placed), exchange, filter
 */
export function makeQueryCase(seed) {
  const random = new Random(seed * 7 + 3);
  const test = makeCase(seed);
  const { config } = test;
  config.tileSize = seed % 2 === 0 ? 0 : random.integer(12, 40);
  config.agentRadius = Math.min(config.agentRadius, 2 * config.cellSize);
  config.minRegionSize = Math.min(config.minRegionSize, 4);
  config.areaFlags = Uint16Array.from({ length: 64 }, (_, area) =>
    random.integer(1, 0x7fff) | (area > 0 && random.chance(0.15) ? REFUSED_FLAG : 0));
  config.areaFlags[0] &= ~REFUSED_FLAG;
  config.connections = [];
  if (random.chance(0.5)) config.volumes ??= makeVolumes(random, config.bounds ?? boundsOf(test.level.positions));
  const costly = random.chance(0.7);
  const filter = {
    includeFlags: random.chance(0.8) ? 0xffff : random.integer(1, 0xffff),
    excludeFlags: random.chance(0.6) ? REFUSED_FLAG : 0,
    areaCosts: Float32Array.from({ length: 64 }, () => (costly && random.chance(0.7) ? random.between(1, 6) : 1)),
  };
  return { ...test, exchange: EXCHANGES[(seed >> 1) % EXCHANGES.length], filter, random };
}

/**
 * Both meshes of a case, or null if no part of the level is walkable.
 * @param {object} peer from loadPeer
 * @param {import('../../../js/index.js').Walkmesh} walkmesh
 */
export function makeMeshes(peer, walkmesh, test) {
  if (!hasGround(test)) return null; // a bake refuses a level if only triangles that face down would be walkable
  const plain = walkmesh.bake(...toInput(test));
  const triangles = plain.navMesh.triangles();
  plain.navMesh.free();
  if (triangles.length === 0) return null;
  test.config.connections = makeConnections(test, triangles);
  const meshes = exchangeMeshes(peer, walkmesh, test);
  return meshes && { ...meshes, triangles };
}

/** True if a triangle faces up and is flat enough. */
function hasGround({ level: { positions, indices }, config }) {
  const least = Math.cos((config.agentMaxSlope * Math.PI) / 180);
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((corner) => positions.subarray(3 * indices[i + corner], 3 * indices[i + corner] + 3));
    const [px, py, pz, qx, qy, qz] = [...b.map((value, axis) => value - a[axis]), ...c.map((value, axis) => value - a[axis])];
    const normal = [py * qz - pz * qy, pz * qx - px * qz, px * qy - py * qx];
    if (normal[1] > least * Math.hypot(...normal)) return true;
  }
  return false;
}

/** Connections between points of the mesh, near enough for the peer, which searches only neighbouring tiles. */
function makeConnections({ random, config, level }, triangles) {
  if (random.chance(0.25)) return [];
  const { cellSize } = toVoxels(config, config.bounds ?? boundsOf(level.positions));
  const reach = config.tileSize > 0 ? config.tileSize * cellSize * 0.9 : Infinity;
  const connections = [];
  for (let tries = random.integer(2, 24); tries > 0; tries--) {
    const [start, end] = [pointOnSurface(random, triangles), pointOnSurface(random, triangles)];
    if (Math.max(Math.abs(start[0] - end[0]), Math.abs(start[2] - end[2])) > reach) continue;
    connections.push({
      start, end,
      radius: Math.fround(random.between(0.1, 1)),
      bidirectional: random.chance(0.5),
      area: random.integer(0, 62),
      flags: random.integer(1, 0x7fff),
      userId: random.integer(0, 1000000),
    });
  }
  return connections;
}

/** @param {Random} random @param {Float32Array} triangles nine numbers each */
export function pointOnSurface(random, triangles) {
  const first = random.integer(0, triangles.length / 9 - 1) * 9;
  let [u, v] = [random.real(), random.real()];
  if (u + v > 1) [u, v] = [1 - u, 1 - v];
  return [0, 1, 2].map((axis) => {
    const [a, b, c] = [0, 3, 6].map((corner) => triangles[first + corner + axis]);
    return Math.fround(a + (b - a) * u + (c - a) * v);
  });
}

function exchangeMeshes(peer, walkmesh, test) {
  if (test.exchange === 'their set') return loadTheirs(peer, walkmesh, bakeThere(peer, test));
  const { navMesh } = walkmesh.bake(...toInput(test));
  if (navMesh.totals.polygons === 0) {
    navMesh.free();
    return null;
  }
  const theirs = test.exchange === 'our tiles' ? addTiles(peer, navMesh)
    : peer.importNavMesh(navMesh.exportDetour('set')).navMesh;
  if (test.exchange !== 'our set, theirs again') return { ours: navMesh, theirs };
  navMesh.free();
  return loadTheirs(peer, walkmesh, theirs);
}

function loadTheirs(peer, walkmesh, theirs) {
  return theirs && { ours: walkmesh.loadNavMesh(peer.exportNavMesh(theirs)), theirs };
}

/** Adds our tiles to a mesh of the peer, one by one. */
function addTiles(peer, navMesh) {
  const mesh = new peer.NavMesh();
  const tiles = navMesh.tiles();
  const { origin: [x, y, z], tileWidth, tileDepth } = navMesh.parameters;
  const powerOfTwo = (count) => 2 ** Math.ceil(Math.log2(Math.max(1, count)));
  mesh.initTiled(peer.NavMeshParams.create({
    orig: { x, y, z }, tileWidth, tileHeight: tileDepth, maxTiles: powerOfTwo(tiles.length),
    maxPolys: powerOfTwo(Math.max(...tiles.map(({ polygons }) => polygons))),
  }));
  for (const { bytes } of tiles) {
    const data = new peer.UnsignedCharArray();
    data.copy(bytes);
    const { status } = mesh.addTile(data, peer.Detour.DT_TILE_FREE_DATA, 0);
    if (!peer.statusSucceed(status)) throw new Error(`the peer does not take our tile: status ${status}`);
  }
  return mesh;
}

/** A mesh that the peer's own generators bake, with random areas and flags. @returns {object | null} */
function bakeThere(peer, { level, config, random }) {
  const voxels = toVoxels(config, boundsOf(level.positions));
  const settings = {
    cs: voxels.cellSize, ch: voxels.cellHeight, walkableSlopeAngle: config.agentMaxSlope,
    walkableHeight: Math.max(3, voxels.walkableHeight), walkableClimb: voxels.walkableClimb, walkableRadius: voxels.walkableRadius,
    maxEdgeLen: voxels.maxEdgeCells, maxSimplificationError: config.maxEdgeError, minRegionArea: config.minRegionSize,
    mergeRegionArea: config.mergeRegionSize, maxVertsPerPoly: config.maxVerticesPerPolygon,
    detailSampleDist: 6, detailSampleMaxError: 1, // other values sometimes make its detail mesh trap
    offMeshConnections: config.connections.map(({ start, end, ...rest }) => ({
      startPosition: toVector(start), endPosition: toVector(end), ...rest,
    })),
  };
  const generate = config.tileSize > 0 ? peer.generateTiledNavMesh : peer.generateSoloNavMesh;
  const { success, navMesh } = generate(level.positions, level.indices, { ...settings, ...(config.tileSize > 0 && { tileSize: config.tileSize }) });
  if (!success) return null;
  let polygons = 0;
  for (let i = 0; i < navMesh.getMaxTiles(); i++) {
    const tile = navMesh.getTile(i);
    const header = tile.header();
    if (header === null) continue;
    const base = navMesh.getPolyRefBase(tile) >>> 0;
    polygons += header.polyCount();
    for (let number = 0; number < header.polyCount(); number++) {
      if (!random.chance(0.4)) continue;
      const area = random.integer(0, 62);
      navMesh.setPolyArea(base + number, area);
      navMesh.setPolyFlags(base + number, config.areaFlags[area]);
    }
  }
  if (polygons > 0) return navMesh;
  navMesh.destroy();
  return null;
}

/** @param {ArrayLike<number>} point */
export function toVector(point) {
  return { x: point[0], y: point[1], z: point[2] };
}
