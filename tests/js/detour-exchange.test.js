/**
 * Navigation meshes as Detour's sets, exchanged in both directions between this package and recast-navigation: random levels,
 * single and tiled, with off-mesh connections and area costs. A loaded mesh gives the same paths: the same polygons in the same
 * order, points to 1e-4.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from '../../js/index.js';
import { toInput } from './live/ours.js';
import { loadPeer } from './live/peer.js';
import { Random } from './live/random.js';
import { makeCase } from './live/scenes.js';

const LEVELS = 24;
const PATHS = 25;
const HALF_EXTENTS = [1, 2, 1];
/** The fraction of all paths that may differ: paths of equal cost, and heights where edges lie above each other. */
const TIES = 0.005;

const peer = await loadPeer();
const skip = peer === null && 'recast-navigation is not installed';
const walkmesh = await load();
const toVector = ([x, y, z]) => ({ x, y, z });

/** Costs of areas by number: 1, 2.5, 4, 5.5, 1, ... */
const costOf = (area) => 1 + (area % 4) * 1.5;
const AREA_COSTS = Array.from({ length: 64 }, (_, area) => costOf(area));

/** A level whose surface is large enough for paths. @returns {{ test: object, random: Random }} */
function makeLevel(seed, tileSize) {
  const made = makeCase(seed);
  const random = new Random(seed);
  const agentRadius = Math.min(made.config.agentRadius, 0.3);
  Object.assign(made.config, { agentRadius, tileSize, minRegionSize: 2, partition: 'watershed' });
  delete made.config.areaFlags;
  delete made.config.connections;
  return { test: made, random };
}

/** Points on the surface, spread over the bounds. */
function surfacePoints(navMesh, random, count) {
  const { boundsMin, boundsMax } = navMesh.totals;
  const points = [];
  for (let tries = 0; tries < 20 * count && points.length < count; tries++) {
    const at = boundsMin.map((low, axis) => low + random.real() * (boundsMax[axis] - low));
    const found = navMesh.nearestPoint(at, { halfExtents: HALF_EXTENTS });
    if (found) points.push([...found.point].map(Math.fround));
  }
  return points;
}

/**
 * Connections between points of the surface that are at most a tile apart: Detour links no others. No two share an
 * end: their order of expansion would decide which one a search enters.
 */
function makeConnections(navMesh, random, reach) {
  const points = surfacePoints(navMesh, random, 24);
  const near = (a, b) => Math.abs(a[0] - b[0]) < reach && Math.abs(a[2] - b[2]) < reach;
  const pairs = [];
  while (points.length > 1) {
    const start = points.pop();
    const other = points.findIndex((point) => near(start, point));
    if (other >= 0) pairs.push([start, ...points.splice(other, 1)]);
  }
  return pairs.slice(0, 5).map(([start, end], i) => ({
    start, end, radius: 0.5, bidirectional: i % 2 === 0, area: i + 1, flags: 1, userId: i,
  }));
}

/** The index of a polygon that is equal on both sides: number of its tile in the file, and its own. */
const placeOfOurs = (ref) => `${Math.floor(ref / 2 ** 20) % 2 ** 20}:${ref % 2 ** 20}`;
function placeOfPeers(navMesh, ref) {
  const { tileIndex, tilePolygonIndex } = navMesh.decodePolyId(ref);
  return `${tileIndex}:${tilePolygonIndex}`;
}

/** A path of the peer: indices of its polygons, and points. null: an end is not on the mesh. */
function peerPath(navMesh, query, filter, start, end) {
  const halfExtents = toVector(HALF_EXTENTS);
  const [from, to] = [start, end].map((at) => query.findNearestPoly(toVector(at), { halfExtents, filter }));
  if (!from.nearestRef || !to.nearestRef) return null;
  const { polys } = query.findPath(from.nearestRef, to.nearestRef, from.nearestPoint, to.nearestPoint,
    { filter, maxPathPolys: 4096 });
  const refs = Array.from(polys.getHeapView());
  const straight = query.findStraightPath(from.nearestPoint, to.nearestPoint, polys, { maxStraightPathPoints: 4096 });
  const points = Float32Array.from(straight.straightPath.getHeapView()).subarray(0, 3 * straight.straightPathCount);
  polys.destroy();
  return { places: refs.map((ref) => placeOfPeers(navMesh, ref)), points };
}

/**
 * True if only the heights of the ends differ: where edges of the detail mesh lie above each other on a polygon's
 * outline, rounding decides which is nearer.
 */
function differOnlyInHeight(points, others) {
  const differing = Array.from(points.keys()).filter((k) => Math.abs(points[k] - others[k]) > 1e-4);
  return differing.length > 0 && differing.every((k) => k === 1 || k === points.length - 2);
}

/** Compares paths on both sides. @returns {{ paths: number, ties: number, long: number }} */
function comparePaths(ours, theirs, random, label) {
  const query = new peer.NavMeshQuery(theirs, { maxNodes: 16384 });
  const filter = new peer.QueryFilter();
  AREA_COSTS.forEach((cost, area) => filter.setAreaCost(area, cost));
  const points = surfacePoints(ours, random, PATHS + 1);
  const tally = { paths: 0, ties: 0, long: 0, connections: 0 };
  for (let i = 1; i < points.length; i++) {
    const [start, end] = [points[i - 1], points[i]];
    const path = ours.findPath(start, end, { halfExtents: HALF_EXTENTS, filter: { areaCosts: AREA_COSTS } });
    const other = peerPath(theirs, query, filter, start, end);
    assert.ok(other && path.start, `${label}: both find the ends`);
    tally.paths++;
    tally.long += path.corridor.length > 3 ? 1 : 0;
    tally.connections += path.offMesh.some(Boolean) ? 1 : 0;
    const places = Array.from(path.corridor, placeOfOurs);
    if (places.join() !== other.places.join()) {
      tally.ties++;
      continue;
    }
    // The end of a path that does not reach its end is moved onto the mesh, where Detour keeps the height of the end.
    const { points: line } = path.status === 'complete' ? path : ours.straighten(path.start.point, path.end.point, path.corridor);
    assert.equal(line.length, other.points.length, `${label}: points of path ${i}`);
    if (differOnlyInHeight(line, other.points)) {
      tally.ties++;
      continue;
    }
    for (let k = 0; k < line.length; k++) {
      assert.ok(Math.abs(line[k] - other.points[k]) <= 1e-4, `${label}: path ${i}, number ${k}`);
    }
  }
  query.destroy();
  return tally;
}

/** @param {ReturnType<typeof comparePaths>[]} tallies */
function summarise(context, tallies) {
  const sum = (key) => tallies.reduce((total, tally) => total + tally[key], 0);
  const used = tallies.filter((tally) => tally.paths > 0).length;
  context.diagnostic(`${used} levels, ${sum('paths')} paths, ${sum('long')} of more than 3 polygons, `
    + `${sum('connections')} over connections, ${sum('ties')} with other polygons`);
  assert.ok(used >= 10, 'enough levels');
  assert.ok(sum('long') > 100 && sum('connections') > 10, 'paths worth comparing');
  assert.ok(sum('ties') <= TIES * sum('paths'), 'the same polygons');
}

for (const tileSize of [0, 24]) {
  const kind = tileSize ? 'tiled' : 'single';
  test(`sets that we write give the same paths in recast-navigation: ${kind}`, { skip }, (context) => {
    const tallies = [];
    for (let seed = 1; seed <= LEVELS; seed++) {
      const { test: level, random } = makeLevel(seed, tileSize);
      const bare = walkmesh.bake(...toInput(level)).navMesh;
      const reach = tileSize ? tileSize * level.config.cellSize : Infinity;
      level.config.connections = bare.totals.polygons > 6 ? makeConnections(bare, random, reach) : [];
      const { navMesh } = walkmesh.bake(...toInput(level));
      if (navMesh.totals.polygons > 6) {
        const { navMesh: theirs } = peer.importNavMesh(navMesh.exportDetour());
        assert.ok(theirs, `seed ${seed}: loads`);
        tallies.push(comparePaths(navMesh, theirs, random, `seed ${seed}`));
        theirs.destroy();
      }
      bare.free();
      navMesh.free();
    }
    summarise(context, tallies);
  });
}

/** A mesh from the peer's own generators, with areas by polygon number. */
async function peerMesh({ level, config }, connections) {
  const { generateSoloNavMesh, generateTiledNavMesh } = await import('recast-navigation/generators');
  const settings = {
    cs: config.cellSize, ch: config.cellHeight, walkableSlopeAngle: config.agentMaxSlope,
    walkableHeight: Math.ceil(config.agentHeight / config.cellHeight),
    walkableClimb: Math.floor(config.agentMaxClimb / config.cellHeight),
    walkableRadius: Math.ceil(config.agentRadius / config.cellSize),
    maxVertsPerPoly: config.maxVerticesPerPolygon,
    offMeshConnections: connections.map(({ start, end, ...rest }) =>
      ({ startPosition: toVector(start), endPosition: toVector(end), ...rest })),
  };
  if (config.tileSize) settings.tileSize = config.tileSize;
  const generate = config.tileSize ? generateTiledNavMesh : generateSoloNavMesh;
  const { success, navMesh } = generate(level.positions, level.indices, settings);
  return success ? navMesh : null;
}

/** Sets areas of ground polygons through the peer's own setter. */
function paint(navMesh) {
  for (let i = 0; i < navMesh.getMaxTiles(); i++) {
    const tile = navMesh.getTile(i);
    const header = tile.header();
    if (!header) continue;
    const base = navMesh.getPolyRefBase(tile);
    for (let polygon = 0; polygon < header.offMeshBase(); polygon++) navMesh.setPolyArea(base + polygon, polygon % 7);
  }
}

for (const tileSize of [0, 24]) {
  const kind = tileSize ? 'tiled' : 'single';
  test(`sets that recast-navigation writes give the same paths here: ${kind}`, { skip }, async (context) => {
    const tallies = [];
    for (let seed = 101; seed < 101 + LEVELS; seed++) {
      const { test: level, random } = makeLevel(seed, tileSize);
      const bare = await peerMesh(level, []);
      if (!bare) continue;
      const first = walkmesh.loadNavMesh(peer.exportNavMesh(bare));
      const reach = tileSize ? tileSize * level.config.cellSize : Infinity;
      const connections = first.totals.polygons > 6 ? makeConnections(first, random, reach) : [];
      first.free();
      bare.destroy();
      const theirs = await peerMesh(level, connections);
      paint(theirs);
      const bytes = peer.exportNavMesh(theirs);
      const ours = walkmesh.loadNavMesh(bytes);
      assert.equal(walkmesh.detectFormat(bytes), 'detourSet');
      if (ours.totals.polygons > 6) tallies.push(comparePaths(ours, theirs, random, `seed ${seed}`));
      theirs.destroy();
      ours.free();
    }
    summarise(context, tallies);
  });
}

test('a set goes round: ours, theirs, ours', { skip }, () => {
  const { test: level } = makeLevel(3, 24);
  const { navMesh } = walkmesh.bake(...toInput(level));
  const { navMesh: theirs } = peer.importNavMesh(navMesh.exportDetour());
  const back = walkmesh.loadNavMesh(peer.exportNavMesh(theirs));
  assert.deepEqual(back.exportDetour(), navMesh.exportDetour());
  back.free();
  theirs.destroy();
  navMesh.free();
});
