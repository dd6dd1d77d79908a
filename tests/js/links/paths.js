/**
 * The oracle of paths over links: for random pairs of points, a path with links costs at most the path without; no path crosses a link
 * that its filter excludes; paths walk on ground, and elsewhere cross links that exist; polygons are reachable, and islands connected,
 * as a search of this file through links and polygons finds them.
 */
import { Random as Points, readLinks } from '../../../js/index.js';
import { MeshGround } from './ground.js';
import { listLinks } from './judge-level.js';
import { LINK_KINDS, pointAcross } from './trajectories.js';

/** Flags of ground, and of the kinds of links. */
const FLAGS = { drop: 2, jump: 4, climb: 8, vault: 16 };
const ALL_FLAGS = 30;
/** Costs are equal up to rounding to float32. */
const TOLERANCE = 1e-4;
/** Samples across a link that look for polygons under its segments. */
const SAMPLES = 33;
/** A point on a segment is at most this far off it, world units. */
const OFF_LINK = 0.02;

/** The limits with flags of each kind. @param {import('./precision.js').Limits} limits */
const withFlags = (limits) => ({ ...limits, ...Object.fromEntries(LINK_KINDS.filter((kind) => limits[kind]).map((kind) => [kind, { ...limits[kind], flags: FLAGS[kind] }])) });

/** Polygons that are reachable from each ground polygon in one step. @param {any} navMesh @param {readonly import('./trajectories.js').Link[]} links */
function buildGraph(navMesh, links, cellHeight) {
  /** @type {Map<number, Set<number>>} */
  const next = new Map();
  for (const { ref, groundPolygons } of groundTiles(navMesh)) for (let p = 0; p < groundPolygons; p++) next.set(ref + p, new Set());
  for (const { ref } of navMesh.tiles()) {
    const { count, from, to } = readLinks(navMesh, ref);
    for (let i = 0; i < count; i++) if (next.has(to[i])) next.get(from[i])?.add(to[i]);
  }
  const under = (segment) => new Set(Array.from({ length: SAMPLES }, (_, i) => {
    const point = pointAcross(segment, (i + 0.5) / SAMPLES);
    return navMesh.nearestPoint(point, { halfExtents: [1e-3, cellHeight, 1e-3] })?.polygon;
  }).filter(Boolean));
  for (const { start, end, bidirectional } of links) {
    const [near, far] = [under(start), under(end)];
    for (const a of near) {
      for (const b of far) {
        next.get(a)?.add(b);
        if (bidirectional) next.get(b)?.add(a);
      }
    }
  }
  return next;
}

/** @param {any} navMesh */
const groundTiles = (navMesh) => navMesh.tiles().map(({ ref, polygons }) => ({ ref, groundPolygons: polygons }));

/** All polygons that are reachable from one. @param {Map<number, Set<number>>} next @param {number} from */
function flood(next, from) {
  const reached = new Set([from]), open = [from];
  for (let polygon = open.pop(); polygon !== undefined; polygon = open.pop()) {
    for (const other of next.get(polygon) ?? []) {
      if (!reached.has(other)) open.push(other);
      reached.add(other);
    }
  }
  return reached;
}

/** The reverse of every step, besides the steps. @param {Map<number, Set<number>>} next */
function bothWays(next) {
  const both = new Map([...next].map(([from, to]) => [from, new Set(to)]));
  for (const [from, all] of next) for (const to of all) both.get(to)?.add(from);
  return both;
}

/** True if ground leads straight from a to b. Ground of another storey is higher or lower by the agent's height at least. @param {MeshGround} ground @param {number[]} a @param {number[]} b @param {any} config */
function isGround(ground, a, b, { cellSize, agentHeight }) {
  const count = Math.max(1, Math.ceil(Math.hypot(b[0] - a[0], b[2] - a[2]) / (cellSize / 2)));
  let height = a[1];
  for (let i = 0; i <= count; i++) {
    const [x, , z] = pointAcross([a, b], i / count), next = ground.heightNear(x, height, z, 0.01);
    if (!(Math.abs(next - height) < agentHeight)) return false;
    height = next;
  }
  return true;
}

/** True if a link leads from a to b. @param {readonly import('./trajectories.js').Link[]} links @param {number[]} a @param {number[]} b */
function isCrossing(links, a, b) {
  return links.some(({ start, end, bidirectional }) => [[start, end], ...(bidirectional ? [[end, start]] : [])].some(([near, far]) => {
    const along = near[1].map((value, axis) => value - near[0][axis]), squared = along[0] ** 2 + along[2] ** 2;
    const across = Math.min(1, Math.max(0, ((a[0] - near[0][0]) * along[0] + (a[2] - near[0][2]) * along[2]) / squared));
    const [from, to] = [pointAcross(near, across), pointAcross(far, across)];
    return Math.hypot(from[0] - a[0], from[2] - a[2]) <= OFF_LINK && Math.hypot(to[0] - b[0], to[2] - b[2]) <= OFF_LINK;
  }));
}

/** What is wrong with a path's points. */
function* faultsOfPath({ count, points, offMesh }, { ground, links, config }) {
  const point = (/** @type {number} */ i) => [...points.subarray(3 * i, 3 * i + 3)];
  for (let i = 0; i + 1 < count; i++) {
    const [a, b] = [point(i), point(i + 1)];
    if (offMesh[i]) {
      if (!isCrossing(links, a, b)) yield `crosses no link from ${a} to ${b}`;
    } else if (!isGround(ground, a, b, config)) {
      yield `walks on no ground from ${a} to ${b}`;
    }
  }
}

/** Links whose cost is less than the distance that they bridge at one of their sides: of these alone, shortest paths aren't exact. */
function listCheapLinks(navMesh) {
  const { count, refs, starts, ends } = navMesh.segmentLinks();
  const bridged = (/** @type {number} */ at) => Math.hypot(...[0, 1, 2].map((axis) => ends[at + axis] - starts[at + axis]));
  return Array.from({ length: count }, (_, i) => ({ cost: navMesh.segmentLink(refs[i]).cost, distance: Math.max(bridged(6 * i), bridged(6 * i + 3)) }))
    .filter(({ cost, distance }) => cost < distance * (1 - 1e-6)).map(({ cost, distance }) => `a link over ${distance} costs ${cost}`);
}

/**
 * What shortest paths minimise: the distance on x and z, and the costs of the links.
 * @param {any} navMesh @param {{ count: number, points: Float32Array, offMesh: Uint8Array }} path
 */
function measurePath(navMesh, path) {
  let cost = navMesh.pathLinks(path).reduce((/** @type {number} */ sum, /** @type {any} */ { ref }) => sum + navMesh.segmentLink(ref).cost, 0);
  for (let i = 0; i + 1 < path.count; i++) {
    if (!path.offMesh[i]) cost += Math.hypot(path.points[3 * i + 3] - path.points[3 * i], path.points[3 * i + 5] - path.points[3 * i + 2]);
  }
  return cost;
}

/**
 * @typedef {object} PathFigures
 * @property {number} pairs
 * @property {number} connected without links
 * @property {number} connectedByLinks only with links
 * @property {number} shorter with links, of those connected without
 * @property {number} saved mean share of the cost that links save, of those connected without
 * @property {number} longerOrdinary ordinary paths, which aren't the shortest, that cost more with links
 * @property {number} crossings of links
 * @property {string[]} longer shortest paths that cost more than those with fewer links
 * @property {string[]} faults
 */

/**
 * @param {import('../../../js/index.js').Walkmesh} walkmesh
 * @param {{ level: any, config: any, limits: import('./precision.js').Limits, pairs: number, seed: number }} options
 * @returns {PathFigures}
 */
export function measurePaths(walkmesh, { level, config, limits, pairs, seed }) {
  const { navMesh } = walkmesh.bake(level, { ...config, links: withFlags(limits) });
  const links = listLinks(navMesh), ground = new MeshGround(navMesh, 2 * config.cellSize), world = { ground, links, config };
  const next = buildGraph(navMesh, links, config.cellHeight), both = bothWays(next), islands = navMesh.islands();
  const random = new Points(seed), halfExtents = [0.01, 0.5, 0.01];
  const cheap = listCheapLinks(navMesh);
  const found = { pairs, connected: 0, connectedByLinks: 0, shorter: 0, saved: 0, longerOrdinary: 0, crossings: 0, longer: /** @type {string[]} */ ([]), faults: cheap };
  for (let i = 0; i < pairs; i++) {
    const [a, b] = [navMesh.randomPoint({ random }), navMesh.randomPoint({ random })];
    const pair = `from ${[...a.point]} to ${[...b.point]}`, fault = (/** @type {string} */ text) => found.faults.push(`${pair}: ${text}`);
    const find = (/** @type {any} */ options) => navMesh.findPath(a.point, b.point, { halfExtents, maxNodes: 0, ...options });
    const [without, ordinaryWithout] = [true, false].map((shortest) => find({ shortest, filter: { excludeFlags: ALL_FLAGS } }));
    const [path, ordinary] = [true, false].map((shortest) => find({ shortest }));
    const isReachable = flood(next, a.polygon).has(b.polygon), isConnected = flood(both, a.polygon).has(b.polygon);
    if ((path.status === 'complete') !== isReachable) fault(`the path is ${path.status}, ${isReachable ? 'and links lead there' : 'and no link leads there'}`);
    if ((ordinary.status === 'complete') !== isReachable) fault(`the ordinary path is ${ordinary.status}`);
    if ((islands.of(a.polygon) === islands.of(b.polygon)) !== isConnected) fault(`islands ${islands.of(a.polygon)} and ${islands.of(b.polygon)}, connected: ${isConnected}`);
    for (const [name, one] of Object.entries({ shortest: path, ordinary, without })) for (const text of faultsOfPath(one, world)) fault(`the ${name} path ${text}`);
    for (const crossed of [without, ordinaryWithout]) if (navMesh.pathLinks(crossed).length > 0) fault('crosses links although all are excluded');
    found.crossings += navMesh.pathLinks(path).length;
    const cost = measurePath(navMesh, path);
    if (without.status === 'complete') {
      const before = measurePath(navMesh, without);
      found.connected++;
      if (!(cost <= before * (1 + TOLERANCE) + TOLERANCE)) found.longer.push(`${pair}: costs ${cost} with links, ${before} without`);
      if (cost < before * (1 - TOLERANCE)) found.shorter++;
      found.saved += before > 0 ? 1 - cost / before : 0;
      if (ordinary.cost > ordinaryWithout.cost * (1 + TOLERANCE) + TOLERANCE) found.longerOrdinary++;
    } else if (path.status === 'complete') {
      found.connectedByLinks++;
    }
    for (const kind of LINK_KINDS) {
      const other = find({ shortest: i % 2 === 0, filter: { excludeFlags: FLAGS[kind] } });
      if (navMesh.pathLinks(other).some((crossed) => crossed.kind === kind)) fault(`crosses a ${kind}, which the filter excludes`);
      if (i % 2 === 0 && other.status === 'complete') {
        const more = measurePath(navMesh, other);
        if (!(more >= cost * (1 - TOLERANCE) - TOLERANCE)) found.longer.push(`${pair}: costs ${cost}, without ${kind}s ${more}`);
      }
    }
  }
  found.saved /= Math.max(1, found.connected);
  islands.free();
  navMesh.free();
  return found;
}
