/**
 * The entry walkmesh/recast-navigation: recast-navigation's own examples (the code blocks of the README in its package)
 * run on both packages with only the import changed; results equal those of the package itself.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { NavError, load } from '../../js/index.js';
import { toConfig } from '../../js/recast-navigation/config.js';
import * as ours from '../../js/recast-navigation/index.js';
import { Random } from './live/random.js';
import { ROOT, makeGround, readScene } from './support.js';

const PEER = 'recast-navigation';
const OURS = 'walkmesh/recast-navigation';
const theirs = { ...await import(PEER), ...await import(`${PEER}/generators`) };
const README = readFileSync(join(ROOT, 'node_modules', PEER, 'README.md'), 'utf8');

test('recast-navigation: what is used before init says so', () => {
  assert.throws(() => ours.generateSoloNavMesh([], []), { name: 'NavError', code: 'state', message: /await init\(\) first/ });
});

test('recast-navigation: init', () => Promise.all([ours.init(), ours.init(), theirs.init()]));

test('recast-navigation: lengths in cells are exactly those cells in the bake, at every cell size', async () => {
  const walkmesh = await load(), sizes = [0.01, 0.05, 0.07, 0.1, 0.12, 0.15, 0.16, 0.2, 0.23, 0.25, 0.3, 1 / 3, 0.35, 0.4, 0.45, 0.6, 0.7, 1.1, 1.3, 8];
  for (const size of sizes) {
    const { positions, indices } = makeGround(30 * size);
    for (let cells = 1; cells <= 60; cells++) {
      const baker = walkmesh.createBaker({ positions, indices },
        toConfig({ cs: size, ch: size, walkableHeight: cells, walkableClimb: cells, walkableRadius: cells, maxEdgeLen: cells }, false));
      const { walkableHeight, walkableClimb, walkableRadius, maxEdgeCells } = baker.voxels;
      assert.deepEqual([walkableHeight, walkableClimb, walkableRadius, maxEdgeCells], [cells, cells, cells, cells], `${size}`);
      assert.ok(!baker.warnings.some((warning) => warning.includes('float32')), `${size}, ${cells}: ${baker.warnings}`);
      baker.free();
    }
  }
});

const toVector = ([x, y, z]) => ({ x, y, z });
const level = readScene('plaza');
const CONFIGS = [
  { cs: 0.25, ch: 0.1, walkableHeight: 20, walkableRadius: 2, walkableClimb: 9, walkableSlopeAngle: 45 },
  { cs: 0.37, ch: 0.13, walkableHeight: 7, walkableRadius: 1, walkableClimb: 3, maxEdgeLen: 20, detailSampleDist: 3,
    detailSampleMaxError: 0.5, maxVertsPerPoly: 4, maxSimplificationError: 1.1, minRegionArea: 3, mergeRegionArea: 5 },
];

// ---- Their examples ----------------------------------------------------------------------------------------------

/** The blocks of code under a heading of their README, without TypeScript's types. */
function readExamples(heading) {
  const [, section] = README.split(`\n### ${heading}\n`);
  assert.ok(section, `their README has ${heading}`);
  const blocks = section.split(/\n###? /)[0].matchAll(/```ts\n([^]*?)```/g);
  return Array.from(blocks, ([, code]) => code.replaceAll(': Uint8Array', ''));
}

const [QUICK_START] = readExamples('Initialization');
const [GENERATE] = readExamples('Generating a NavMesh');
const QUERIES = readExamples('Querying a NavMesh');
const [CONNECTIONS] = readExamples('Off Mesh Connections');
const [, EXPORT, IMPORT] = /^([^]*?)\/\* import \*\/\n([^]*)$/.exec(readExamples('Importing and Exporting')[0]);

/** Data that their examples omit. */
const fillIn = (code) => code
  .replace('/* flat array of positions */', Array.from(level.positions).join())
  .replace('/* flat array of indices */', Array.from(level.indices).join());

/** Rewrites imports of their package to our entry; each name once. */
function changeImports(code, from) {
  const names = new Map();
  const body = code.replaceAll(/import \{([^}]*)\} from '([^']*)';\n/g, (_, list, name) => {
    assert.ok(name.startsWith(PEER));
    for (const item of list.split(',').map((text) => text.trim()).filter(Boolean)) names.set(item, from + name.slice(PEER.length));
    return '';
  });
  return Array.from(names, ([item, name]) => `import { ${item} } from '${name}';`).join('\n') + body;
}

/** Runs blocks of their README as one module, each in its own scope. */
async function runExamples(context, from) {
  const folder = mkdtempSync(join((mkdirSync(join(ROOT, 'build'), { recursive: true }), join(ROOT, 'build')), 'readme-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const imports = "import { getNavMeshPositionsAndIndices } from 'recast-navigation';\n";
  const [createQuery, computePath, findClosestPoint, findRandomPoint] = QUERIES;
  const code = changeImports(`${imports}${QUICK_START}${fillIn(GENERATE)}
    export const outcomes = { generated: success };
    ${createQuery}
    { ${computePath}; outcomes.computePath = { success, error, path }; }
    {
      ${findClosestPoint}; outcomes.findClosestPoint = { success, status, point, isPointOverPoly };
      { ${findRandomPoint}; outcomes.findRandomPoint = { success, status, found: randomPolyRef > 0 }; }
    }
    { ${CONNECTIONS}; outcomes.connections = { success }; }
    ${EXPORT}
    { ${IMPORT}; outcomes.imported = getNavMeshPositionsAndIndices(navMesh).map(({ length }) => length); }
    outcomes.bytes = navMeshExport.length;`, from);
  const path = join(folder, 'example.js');
  writeFileSync(path, code);
  return (await import(pathToFileURL(path))).outcomes;
}

test('recast-navigation: the examples of its README run with only the import changed', async (context) => {
  const [expected, actual] = [await runExamples(context, PEER), await runExamples(context, OURS)];
  assert.equal(actual.computePath.success, true);
  assert.deepEqual(actual, expected);
});

// ---- Results -----------------------------------------------------------------------------------------------------

/** Bytes of a set without scratch space: links, and the tree, which depends on the library's order of equal keys. */
function readTiles(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const tiles = new Map();
  for (let at = 40; at < bytes.length;) {
    const tile = bytes.slice(at + 8, at + 8 + view.getInt32(at + 4, true));
    const header = new DataView(tile.buffer);
    const [, , x, z, , , polygons, vertices, links, details, detailVertices, detailTriangles, nodes] =
      Array.from({ length: 13 }, (_, i) => header.getInt32(4 * i, true));
    const polygonsAt = 100 + 12 * vertices;
    for (let i = 0; i < polygons; i++) header.setUint32(polygonsAt + 32 * i, 0, true);
    const linksAt = polygonsAt + 32 * polygons;
    tile.fill(0, linksAt, linksAt + 12 * links);
    const treeAt = linksAt + 12 * links + 12 * details + 12 * detailVertices + 4 * detailTriangles;
    tile.fill(0, treeAt, treeAt + 16 * nodes);
    tiles.set(`${x}, ${z}`, tile);
    at += 8 + view.getInt32(at + 4, true);
  }
  return tiles;
}

for (const [number, config] of CONFIGS.entries()) {
  test(`recast-navigation: generateSoloNavMesh makes the same tile, configuration ${number}`, () => {
    const [expected, actual] = [theirs, ours].map(({ generateSoloNavMesh, exportNavMesh }) => {
      const { success, navMesh } = generateSoloNavMesh(level.positions, level.indices, config);
      assert.ok(success);
      const bytes = exportNavMesh(navMesh);
      navMesh.destroy();
      return readTiles(bytes);
    });
    assert.deepEqual(actual, expected);
  });

  test(`recast-navigation: generateTiledNavMesh makes the same tiles to a rounding, configuration ${number}`, () => {
    const [expected, actual] = [theirs, ours].map(({ generateTiledNavMesh, exportNavMesh }) => {
      const { success, navMesh } = generateTiledNavMesh(level.positions, level.indices, { ...config, tileSize: 32 });
      assert.ok(success);
      const bytes = exportNavMesh(navMesh);
      navMesh.destroy();
      return readTiles(bytes);
    });
    assert.deepEqual([...actual.keys()].sort(), [...expected.keys()].sort());
    const same = [...actual].filter(([place, bytes]) => bytes.length === expected.get(place).length).length;
    assert.ok(same >= 0.9 * actual.size, `${same} of ${actual.size} tiles have the same size`);
  });
}

/** Both packages with a mesh of the same bytes. */
function bothMeshes(tileSize = 0) {
  const config = { ...CONFIGS[0], tileSize };
  const { navMesh } = (tileSize ? theirs.generateTiledNavMesh : theirs.generateSoloNavMesh)(level.positions, level.indices, config);
  const bytes = theirs.exportNavMesh(navMesh);
  const mine = ours.importNavMesh(bytes).navMesh;
  return [{ api: theirs, navMesh }, { api: ours, navMesh: mine }]
    .map(({ api, navMesh: mesh }) => ({ api, navMesh: mesh, query: new api.NavMeshQuery(mesh) }));
}

/** Equal to 1e-4. References are ignored: each package has its own numbers. */
function assertClose(actual, expected, label) {
  if (typeof expected === 'number') {
    assert.ok(Math.abs(actual - expected) <= 1e-4 * Math.max(1, Math.abs(expected)), `${label}: ${actual}, not ${expected}`);
  } else if (Array.isArray(expected)) {
    assert.equal(actual.length, expected.length, `${label}.length`);
    expected.forEach((item, i) => assertClose(actual[i], item, `${label}[${i}]`));
  } else if (typeof expected === 'object' && expected !== null) {
    assert.deepEqual(Object.keys(actual).sort(), Object.keys(expected).sort(), label);
    for (const key of Object.keys(expected)) assertClose(actual[key], expected[key], `${label}.${key}`);
  } else {
    assert.equal(actual, expected, label);
  }
}

/** The results of the queries at a position, without references. */
function askAt(query, at, to) {
  const halfExtents = { x: 1, y: 2, z: 1 };
  const { nearestRef, nearestPoint: start, ...nearest } = query.findNearestPoly(at, { halfExtents });
  assert.ok(nearestRef > 0);
  const { polyRef, ...closest } = query.findClosestPoint(at, { halfExtents });
  assert.equal(polyRef, nearestRef);
  const { path: rayPath, maxPath, pathCost, status: rayStatus, ...ray } = query.raycast(nearestRef, start, to);
  const { visited, ...moved } = query.moveAlongSurface(nearestRef, start, { x: start.x + 0.7, y: start.y, z: start.z - 0.4 });
  const around = query.findPolysAroundCircle(nearestRef, start, 3);
  return {
    start, nearest, closest, ray, moved, visited: visited.length, height: query.getPolyHeight(nearestRef, start),
    onPoly: query.closestPointOnPoly(nearestRef, to),
    around: around.resultCost.slice(0, around.resultCount),
  };
}

for (const tileSize of [0, 48]) {
  test(`recast-navigation: questions have the same answers, ${tileSize ? 'tiles' : 'a single tile'}`, (context) => {
    const [peer, mine] = bothMeshes(tileSize);
    const random = new Random(7);
    const { boundsMin, boundsMax } = mine.navMesh.raw.totals;
    const points = [];
    for (let tries = 0; points.length < 60 && tries < 5000; tries++) {
      const at = toVector(boundsMin.map((low, axis) => low + random.real() * (boundsMax[axis] - low)));
      if (mine.query.findNearestPoly(at).nearestRef) points.push(at);
    }
    let differing = 0;
    for (const [i, at] of points.entries()) {
      const to = points[(i + 1) % points.length];
      assertClose(askAt(mine.query, at, to), askAt(peer.query, at, to), `point ${i}`);
      // The peer rounds bounds outwards to whole cells.
      const [inBox, inTheirs] = [mine, peer].map(({ query }) => new Set(query.queryPolygons(at, { x: 2, y: 2, z: 2 }).polyRefs).size);
      assert.ok(inBox > 0 && inBox <= inTheirs, `${inBox} of ${inTheirs} polygons in the box`);
      const [path, expected] = [mine, peer].map(({ query }) => query.computePath(at, to));
      assert.equal(path.success, expected.success);
      // Paths of equal cost: the packages may choose different ones.
      if (path.path.length !== expected.path.length) differing++;
      else assertClose(path, expected, `path ${i}`);
    }
    context.diagnostic(`${points.length} points, ${differing} other paths`);
    assert.ok(points.length === 60 && differing <= 2);
    peer.navMesh.destroy();
    mine.navMesh.destroy();
  });
}

test('recast-navigation: questions without an answer fail with the same status', () => {
  const [expected, actual] = bothMeshes().map(({ api, query, navMesh }) => {
    const far = { x: 1000, y: 0, z: 0 };
    const { nearestRef } = query.findNearestPoly(far);
    const { polys, ...path } = query.findPath(0, 0, far, far);
    const outcome = {
      nearestRef, path, computed: query.computePath(far, far), error: api.statusToReadableString(path.status),
      closest: query.findClosestPoint(far).status, height: query.getPolyHeight(12345, far).status,
      ray: query.raycast(12345, far, far).status, move: query.moveAlongSurface(12345, far, far).status,
      valid: navMesh.isValidPolyRef(12345), flags: navMesh.getPolyFlags(12345).status,
    };
    navMesh.destroy();
    return outcome;
  });
  assert.deepEqual(actual, expected);
});

test('recast-navigation: filters, flags, areas and costs count', () => {
  const answers = bothMeshes().map(({ api, query, navMesh }) => {
    const filter = new api.QueryFilter();
    const at = query.findRandomPoint().randomPoint;
    const ref = query.findNearestPoly(at).nearestRef;
    assert.equal(navMesh.setPolyFlags(ref, 4), api.Detour.DT_SUCCESS);
    filter.excludeFlags = 4;
    filter.setAreaCost(3, 7);
    navMesh.setPolyArea(ref, 3);
    const outcome = [filter.getAreaCost(3), filter.getAreaCost(2), navMesh.getPolyFlags(ref), navMesh.getPolyArea(ref),
      query.findNearestPoly(at, { filter }).nearestRef === ref, query.findNearestPoly(at).nearestRef === ref];
    navMesh.destroy();
    return outcome;
  });
  assert.deepEqual(answers[1], answers[0]);
});

test('recast-navigation: straight paths have its flags, and arrays its methods', () => {
  const [expected, actual] = bothMeshes().map(({ query, navMesh }) => {
    const [start, end] = [{ x: 2, y: 0, z: 2 }, { x: 30, y: 0, z: 30 }]
      .map((at) => query.findNearestPoly(at, { halfExtents: { x: 20, y: 9, z: 20 } }));
    const { polys, status } = query.findPath(start.nearestRef, end.nearestRef, start.nearestPoint, end.nearestPoint);
    const straight = query.findStraightPath(start.nearestPoint, end.nearestPoint, polys);
    const { straightPathCount: count } = straight;
    const outcome = {
      status, polys: polys.size, count, first: straight.straightPathRefs.get(0) === polys.get(0),
      last: straight.straightPathRefs.get(count - 1), flags: [...straight.straightPathFlags.toTypedArray().slice(0, count)],
      points: [...straight.straightPath.getHeapView().slice(0, 3 * count)],
    };
    polys.destroy();
    navMesh.destroy();
    return outcome;
  });
  assertClose(actual, expected, 'straight');
});

test('recast-navigation: pruning takes the flags of what cannot be reached', () => {
  const counts = bothMeshes().map(({ api, query, navMesh }) => {
    const { nearestRef } = query.findNearestPoly({ x: 2, y: 0, z: 2 }, { halfExtents: { x: 20, y: 9, z: 20 } });
    api.floodFillPruneNavMesh(navMesh, [nearestRef]);
    const [positions] = api.getNavMeshPositionsAndIndices(navMesh, 1);
    const again = ours.importNavMesh(api.exportNavMesh(navMesh)).navMesh;
    const reachable = again.raw.polygons().filter(({ flags }) => flags !== 0).length;
    again.destroy();
    navMesh.destroy();
    return [reachable, positions.length > 0];
  });
  assert.deepEqual(counts[1], counts[0]);
});

test('recast-navigation: a level without a walkable spot is no success, and bad triangles are none', () => {
  const wall = [[0, 0, 0, 0, 9, 0, 9, 9, 1], [0, 1, 2]];
  assert.equal(theirs.generateSoloNavMesh(...wall).success, false);
  const { success, error, navMesh } = ours.generateSoloNavMesh(...wall);
  assert.deepEqual([success, navMesh], [false, undefined]);
  assert.match(error, /the mesh has no polygons/);
  assert.match(ours.generateSoloNavMesh([0, 0, 0], [0, 1, 2]).error, /\w/);
  assert.match(ours.generateSoloNavMesh(...wall, { cs: -1 }).error, /cellSize/);
});

test('recast-navigation: what is missing says what to use', () => {
  const { positions, indices } = makeGround();
  const { navMesh } = ours.generateSoloNavMesh(positions, indices);
  const calls = {
    'NavMesh.getTile': () => navMesh.getTile(0), createRcConfig: () => ours.createRcConfig(),
    borderSize: () => ours.generateSoloNavMesh(positions, indices, { borderSize: 3 }),
  };
  for (const [field, call] of Object.entries(calls)) {
    assert.throws(call, (error) => error instanceof NavError && error.code === 'unsupported' && error.field === field
      && error.message.includes(field), field);
  }
  navMesh.destroy();
  const theirNames = Object.keys(theirs.NavMesh.prototype).concat(Object.getOwnPropertyNames(theirs.NavMesh.prototype));
  for (const name of theirNames) assert.equal(typeof ours.NavMesh.prototype[name], 'function', `NavMesh.${name}`);
  for (const name of Object.getOwnPropertyNames(theirs.NavMeshQuery.prototype)) {
    assert.equal(typeof ours.NavMeshQuery.prototype[name], 'function', `NavMeshQuery.${name}`);
  }
  for (const [name, value] of Object.entries(ours.Detour)) assert.equal(value, theirs.Detour[name], name);
});

test('recast-navigation: statuses read the same', () => {
  const { DT_SUCCESS, DT_FAILURE, DT_IN_PROGRESS, DT_INVALID_PARAM } = ours.Detour;
  for (const status of [DT_SUCCESS, DT_FAILURE, DT_FAILURE | DT_INVALID_PARAM, DT_IN_PROGRESS, DT_SUCCESS | 64, DT_FAILURE | 4]) {
    const [expected, actual] = [theirs, ours].map((api) => [api.statusToReadableString(status), api.statusSucceed(status),
      api.statusFailed(status), api.statusInProgress(status), api.statusDetail(status, DT_INVALID_PARAM)]);
    assert.deepEqual(actual, expected);
  }
});

test('recast-navigation: meshes of three.js, with their place in the world', async () => {
  const { BoxGeometry, Group, Mesh } = await import('three');
  const ground = new Mesh(new BoxGeometry(10, 0.2, 10));
  const obstacle = new Mesh(new BoxGeometry(2, 2, 2).toNonIndexed());
  obstacle.position.set(0, 1, 0);
  const group = new Group();
  group.add(ground, obstacle);
  group.position.x = 100;
  group.updateMatrixWorld();
  for (const generate of [ours.threeToSoloNavMesh, ours.threeToTiledNavMesh]) {
    const { success, navMesh } = generate([ground, obstacle], { cs: 0.05, ch: 0.2, tileSize: 64 });
    assert.ok(success);
    const { path } = new ours.NavMeshQuery(navMesh).computePath({ x: 96, y: 0, z: 0 }, { x: 104, y: 0, z: 0 });
    assert.ok(path.length > 2 && path.some(({ z }) => Math.abs(z) >= 1), 'goes round the box');
    navMesh.destroy();
  }
});
