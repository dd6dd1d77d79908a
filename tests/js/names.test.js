// Misspelt names of options and fields, in every call with an object: a NavError that names them, and the intended name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { IndexedDbTileCache, MemoryTileCache, NavError, load } from '../../js/index.js';
import * as core from '../../js/core.js';
import * as game from '../../js/game.js';
import { DiskTileCache } from '../../js/node/index.js';
import { makeGround } from './support.js';

const walkmesh = await load();
const ground = makeGround(20);
const { navMesh } = walkmesh.bake(ground, { tileSize: 32 });
const { polygon, point } = navMesh.nearestPoint([5, 0, 5]);
const there = navMesh.nearestPoint([15, 0, 15]);
const search = navMesh.createSearch();
const graph = navMesh.createTileGraph();
const agent = navMesh.createCorridor(polygon, point);
const corridor = navMesh.findCorridor(polygon, point, there.polygon, there.point);
const shape = [0, 0, 0, 9, 0, 0, 9, 0, 9];
const sphere = { kind: 'sphere', centre: [5, 0, 5], radius: 1 };
const box = { kind: 'box', min: [0, 0, 0], max: [1, 1, 1], area: 3 };
const jump = { start: [1, 0, 1], end: [9, 0, 9], radius: 1 };
const { area: _, ...wall } = box;
const { dynamic } = walkmesh.bakeDynamic(ground, { tileSize: 32 });
const bakeWith = (fields) => walkmesh.bake({ ...ground, ...fields });

/** Each call with an object of the misspelt name, that name, the right name, and the error's field if it is another. */
const CALLS = {
  'bake, configuration': [(given) => walkmesh.bake(ground, given), 'cellsize', 'cellSize'],
  'bake, bounds': [(given) => walkmesh.bake(ground, { bounds: { min: [0, 0, 0], max: [9, 9, 9], ...given } }), 'mix', 'min', 'bounds.mix'],
  'bake, links': [(given) => walkmesh.bake(ground, { links: { jump: { maxDistance: 2, ...given } } }), 'maxDist', 'maxDistance', 'links.jump.maxDist'],
  bake: [(given) => walkmesh.bake(ground, {}, given), 'onprogress', 'onProgress'],
  bakeTiled: [(given) => walkmesh.bakeTiled(ground, {}, given), 'worker', 'workers'],
  bakeAsync: [(given) => walkmesh.bakeAsync(ground, {}, given), 'sliceMiliseconds', 'sliceMilliseconds'],
  bakeDynamic: [(given) => walkmesh.bakeDynamic(ground, {}, given), 'onprogress', 'onProgress'],
  bakeDynamicAsync: [(given) => walkmesh.bakeDynamicAsync(ground, {}, given), 'worker', 'workers'],
  addObstacle: [(given) => dynamic.addObstacle({ ...wall, ...given }), 'moveTreshold', undefined, 'obstacle.moveTreshold'],
  'addObstacle, shape': [(given) => dynamic.addObstacle({ ...wall, ...given }), 'areas', 'area', 'obstacle.areas'],
  update: [(given) => dynamic.update(given), 'deltatime', 'deltaTime'],
  rebake: [(given) => walkmesh.rebake(navMesh, ground, given), 'cahce', 'cache'],
  createWorkerPool: [(given) => walkmesh.createWorkerPool(given), 'memorylimit', 'memoryLimit'],
  load: [(given) => load(given), 'leakWarning', 'leakWarnings'],
  'core load': [(given) => core.load(given), 'SIMD', 'simd'],
  'game load': [(given) => game.load(given), 'WASM', 'wasm'],
  beginTile: [(given) => walkmesh.createBaker(ground).beginTile(0, 0, given), 'keepStage', 'keepStages'],
  geometry: [(given) => bakeWith(given), 'vertices', 'positions'],
  'geometry in a worker': [(given) => walkmesh.bakeTiled({ ...ground, ...given }, {}, { workers: 1 }), 'offmeshConnections', 'offMeshConnections'],
  'geometry, faces': [(given) => bakeWith(given), 'faces', 'indices'],
  solids: [(given) => bakeWith({ solids: [sphere, { ...sphere, ...given }] }), 'center', 'centre', 'solids[1].center'],
  volumes: [(given) => bakeWith({ volumes: [{ ...box, ...given }] }), 'areas', 'area', 'volumes[0].areas'],
  'volumes of another kind': [(given) => bakeWith({ volumes: [{ ...box, ...given }] }), 'yaw', undefined, 'volumes[0].yaw'],
  offMeshConnections: [(given) => bakeWith({ offMeshConnections: [{ ...jump, ...given }] }), 'biDirectional', 'bidirectional',
    'offMeshConnections[0].biDirectional'],
  filter: [(given) => navMesh.findPath(point, point, { filter: given }), 'excludeFlag', 'excludeFlags', 'filter.excludeFlag'],
  createFilter: [(given) => navMesh.createFilter(given), 'areaCost', 'areaCosts'],
  polygonCosts: [(given) => navMesh.createFilter({ polygonCosts: { polygons: [], factors: [], ...given } }), 'factor', 'factors'],
  nearestPoint: [(given) => navMesh.nearestPoint(point, given), 'halfExtends', 'halfExtents'],
  findPath: [(given) => navMesh.findPath(point, point, given), 'maxNode', 'maxNodes'],
  findSmoothPath: [(given) => navMesh.findSmoothPath(point, point, given), 'steps', 'step'],
  findCorridor: [(given) => navMesh.findCorridor(polygon, point, polygon, point, given), 'anyangle', 'anyAngle'],
  createTileGraph: [(given) => navMesh.createTileGraph(given), 'keepRemove', 'keepRemoved'],
  'findPath of a tile graph': [(given) => graph.findPath(point, point, given), 'legTile', 'legTiles'],
  straighten: [(given) => navMesh.straighten(point, point, corridor, given), 'crossing', 'crossings'],
  raycast: [(given) => navMesh.raycast(polygon, point, point, given), 'maxPolygon', 'maxPolygons'],
  moveAlongSurface: [(given) => navMesh.moveAlongSurface(polygon, point, point, given), 'onsurface', 'onSurface'],
  distanceToWall: [(given) => navMesh.distanceToWall(polygon, point, 5, given), 'filters', 'filter'],
  wallSegments: [(given) => navMesh.wallSegments(polygon, given), 'portal', 'portals'],
  localNeighbourhood: [(given) => navMesh.localNeighbourhood(polygon, point, 5, given), 'maxpolygons', 'maxPolygons'],
  polygonsInBox: [(given) => navMesh.polygonsInBox(point, [1, 1, 1], given), 'max', undefined],
  polygonsInCircle: [(given) => navMesh.polygonsInCircle(point, 1, given), 'halfheight', 'halfHeight'],
  polygonsInConvex: [(given) => navMesh.polygonsInConvex(shape, given), 'lows', 'low'],
  flood: [(given) => navMesh.flood(polygon, point, given), 'maxCosts', 'maxCost'],
  islands: [(given) => navMesh.islands(given), 'fliter', 'filter'],
  randomPoint: [(given) => navMesh.randomPoint(given), 'seed', undefined],
  randomPointAround: [(given) => navMesh.randomPointAround(polygon, point, 3, given), 'rand0m', 'random'],
  addConnection: [(given) => navMesh.addConnection({ start: point, end: point, ...given }), 'costfactor', 'costFactor'],
  nearestPoints: [(given) => navMesh.nearestPoints(point, given), 'radios', 'radius'],
  raycasts: [(given) => navMesh.raycasts([polygon], point, point, given), 'Filter', 'filter'],
  moves: [(given) => navMesh.moves([polygon], point, point, given), 'onSurfaces', 'onSurface'],
  wallDistances: [(given) => navMesh.wallDistances([polygon], point, 5, given), 'filtre', 'filter'],
  randomPoints: [(given) => navMesh.randomPoints(2, given), 'isle', undefined],
  findPaths: [(given) => navMesh.findPaths(point, point, given), 'maxpoints', 'maxPoints'],
  'search.begin': [(given) => search.begin(polygon, point, polygon, point, given), 'rayLimits', 'rayLimit'],
  'corridor.move': [(given) => agent.move(point, given), 'filtr', 'filter'],
  'corridor.moveTarget': [(given) => agent.moveTarget(point, given), 'filtr', 'filter'],
  'corridor.trim': [(given) => agent.trim(polygon, point, given), 'filtr', 'filter'],
  'corridor.optimizeVisibility': [(given) => agent.optimizeVisibility(point, 5, given), 'filtr', 'filter'],
  'corridor.optimizeTopology': [(given) => agent.optimizeTopology(given), 'Budget', 'budget'],
  'corridor.isValid': [(given) => agent.isValid(given), 'lookahead', 'lookAhead'],
  MemoryTileCache: [(given) => new MemoryTileCache(given), 'maxbytes', 'maxBytes'],
  IndexedDbTileCache: [(given) => new IndexedDbTileCache(given), 'nam', 'name'],
  DiskTileCache: [(given) => new DiskTileCache('folder', given), 'maxByte', 'maxBytes'],
};

for (const [called, [call, wrong, right, field = wrong]] of Object.entries(CALLS)) {
  test(`names: ${called} refuses ${wrong}`, async () => {
    await assert.rejects(async () => call({ [wrong]: 1 }), (error) => {
      assert.ok(error instanceof NavError, `${error.stack}`);
      assert.equal(error.code, called === 'bake, configuration' ? 'configuration' : 'invalid-argument', error.message);
      assert.equal(error.field, field);
      assert.equal(error.value, 1);
      assert.match(error.message, right ? new RegExp(`did you mean ${right}\\?$`) : /: must be one of \w+(, \w+)*$|: a box has min, max; or centre, halfExtents$/);
      return true;
    });
  });
}

test('names: what is undefined, and what objects of a class have beside, is no mistake', () => {
  assert.ok(navMesh.findPath(point, there.point, { maxNode: undefined }));
  class Level { name = 'a level'; positions = ground.positions; indices = ground.indices; }
  walkmesh.bake(new Level()).navMesh.free();
  const options = Object.assign(Object.create(null), { maxNodes: 7 });
  assert.equal(navMesh.findPath(point, there.point, options).status, 'complete');
  assert.throws(() => navMesh.findPath(point, there.point, Object.assign(options, { constructor: 7 })), { field: 'constructor' });
});
