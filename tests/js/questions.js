/** Every kind of query, for tests that run them all: leaks, soaks. */
import { Random } from '../../js/index.js';

/**
 * Two points of a mesh, and one object of each kind that is made from a mesh; freed with it.
 * @param {any} navMesh @param {any} a @param {any} b results of nearestPoint or randomPoint @param {number} [seed]
 */
export function makeQuestioner(navMesh, a, b, seed = 7) {
  const corridor = navMesh.findCorridor(a.polygon, a.point, b.polygon, b.point);
  const crowd = navMesh.createCrowd();
  const walkers = crowd.addAgents([a.point, b.point, a.point.map((x, k) => x + [2, 0, 2][k]), a.point.map((x, k) => x + [4, 0, 2][k])]);
  crowd.setTarget(walkers, b.point);
  return { navMesh, a, b, corridor, crowd, walkers, filter: navMesh.createFilter({ areaCosts: { 3: 2 } }), islands: navMesh.islands(),
    search: navMesh.createSearch(), agent: navMesh.createCorridor(a.polygon, a.point), random: new Random(seed) };
}

/**
 * Every kind of query, with a new result and with a reused one.
 * @param {any} questioner of makeQuestioner @returns {Record<string, (out?: any) => any>}
 */
export function describeQuestions({ navMesh, a, b, corridor, filter, islands, search, agent, random, crowd, walkers }) {
  const rows = [[a.polygon, b.polygon], [...a.point, ...b.point], [...b.point, ...a.point]];
  const shape = [0, 0, 0, 9, 0, 0, 9, 0, 9];
  /** @type {Record<string, (out?: any) => any>} */
  const questions = {
    nearestPoint: (out) => navMesh.nearestPoint(a.point, { filter }, out), closestPoint: (out) => navMesh.closestPoint(a.polygon, a.point, out),
    closestBoundaryPoint: (out) => navMesh.closestBoundaryPoint(a.polygon, a.point, out), height: () => navMesh.height(a.polygon, a.point),
    findPath: (out) => navMesh.findPath(a.point, b.point, { filter, islands }, out),
    findPathAnyAngle: (out) => navMesh.findPath(a.point, b.point, { anyAngle: true }, out),
    findPathShortest: (out) => navMesh.findPath(a.point, b.point, { shortest: true }, out),
    findPathWide: (out) => navMesh.findPath(a.point, b.point, { wallDistance: 1, wallCost: 1 }, out),
    findSmoothPath: (out) => navMesh.findSmoothPath(a.point, b.point, { step: 3 }, out),
    findCorridor: (out) => navMesh.findCorridor(a.polygon, a.point, b.polygon, b.point, {}, out),
    straighten: (out) => navMesh.straighten(a.point, b.point, corridor, {}, out), raycast: (out) => navMesh.raycast(a.polygon, a.point, b.point, {}, out),
    moveAlongSurface: (out) => navMesh.moveAlongSurface(a.polygon, a.point, [4, 0, 3], {}, out),
    distanceToWall: (out) => navMesh.distanceToWall(a.polygon, a.point, 5, {}, out),
    wallSegments: (out) => navMesh.wallSegments(a.polygon, { portals: true }, out),
    localNeighbourhood: (out) => navMesh.localNeighbourhood(a.polygon, a.point, 5, {}, out),
    polygonsInBox: (out) => navMesh.polygonsInBox(a.point, { x: 3, y: 3, z: 3 }, {}, out),
    polygonsInCircle: (out) => navMesh.polygonsInCircle(a.point, 3, {}, out), polygonsInConvex: (out) => navMesh.polygonsInConvex(shape, {}, out),
    flood: (out) => navMesh.flood(a.polygon, a.point, { maxCost: 9 }, out), floodPath: () => navMesh.floodPath(navMesh.flood(a.polygon, a.point, { maxCost: 5 }), 0),
    randomPoint: (out) => navMesh.randomPoint({ random }, out), randomPointAround: (out) => navMesh.randomPointAround(a.polygon, a.point, 5, { random }, out),
    islands: () => islands.areConnected(a.polygon, b.polygon) && islands.area(islands.of(a.polygon)),
    islandsMade: () => navMesh.islands().free(), filterMade: () => navMesh.createFilter({ polygonCosts: { polygons: [a.polygon], factors: [2] } }).free(),
    plainFilter: () => navMesh.findPath(a.point, b.point, { filter: { areaCosts: { 3: 2 }, excludeFlags: 2 } }),
    search: (out) => (search.begin(a.polygon, a.point, b.polygon, b.point), search.advance(4), search.finish(out)),
    corridor: (out) => (agent.reset(a.polygon, a.point), agent.set(b.point, corridor), agent.move([3, 0, 3]), agent.optimizeTopology(), agent.corners(3, out)),
    corridorMade: () => navMesh.createCorridor(a.polygon, a.point).free(),
    nearestPoints: (out) => navMesh.nearestPoints(rows[1], {}, out), raycasts: (out) => navMesh.raycasts(...rows, {}, out),
    moves: (out) => navMesh.moves(...rows, {}, out), heights: (out) => navMesh.heights(rows[0], rows[1], out),
    wallDistances: (out) => navMesh.wallDistances(rows[0], rows[1], 5, {}, out), randomPoints: (out) => navMesh.randomPoints(2, { random }, out),
    findPaths: (out) => navMesh.findPaths(rows[1], rows[2], {}, out),
    crowdMade: () => navMesh.createCrowd().free(), crowdStep: () => crowd.step(0.02).searched, crowdArrays: () => crowd.positions[0] + crowd.states[0] + crowd.headings[0],
    crowdOrders: () => (crowd.setTarget(walkers.subarray(0, 2), rows[1]), crowd.setVelocity(walkers[0], [1, 0, 0]), crowd.stop(walkers), crowd.pause(walkers), crowd.resume(walkers),
      crowd.warp(walkers.subarray(0, 2), rows[1]), crowd.move(walkers, [0.1, 0, 0]), crowd.step(0).substeps),
    crowdAgents: () => (crowd.remove(crowd.addAgents(rows[1])), crowd.setObstacles({ positions: rows[1], radii: 1 }), crowd.setFocus(a.point)),
    crowdInfo: (out) => crowd.info(walkers[0], out), crowdDetails: (out) => crowd.details(walkers[1], out), crowdInterpolated: (out) => crowd.interpolate(0.5, out),
    connections: () => navMesh.removeConnection(navMesh.addConnection({ start: a.point, end: b.point })),
    tiles: () => (navMesh.tileAt(0, 0), navMesh.restoreTileState(navMesh.saveTileState(a.polygon))),
    flags: () => (navMesh.setPolygonFlags(a.polygon, 3), navMesh.polygonFlags(a.polygon), navMesh.polygonArea(a.polygon)),
    parameters: () => [navMesh.totals, navMesh.parameters, navMesh.config],
  };
  return questions;
}
