// Values of hostile callers in walkmesh/three and walkmesh/recast-navigation, in messages, switches and sources: what `npm run attack` found.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { BoxGeometry, Color, Group, InstancedMesh, Mesh, MeshBasicMaterial } from 'three';
import { fetchSource, load } from '../../js/index.js';
import { readGltf } from '../../js/level/index.js';
import * as recast from '../../js/recast-navigation/index.js';
import { getWalkmesh } from '../../js/recast-navigation/instance.js';
import * as recastThree from '../../js/recast-navigation-three/index.js';
import * as three from '../../js/three/index.js';
import { describe } from '../../js/runtime/errors.js';
import { makeGround } from './support.js';

const walkmesh = await load();
const { navMesh, dynamic } = walkmesh.bakeDynamic(makeGround(), { tileSize: 16 });
await recast.init();
const LEVEL = [Float32Array.of(0, 0, 0, 0, 0, 8, 8, 0, 8, 8, 0, 0), Uint32Array.of(0, 1, 2, 0, 2, 3)];
const makeMesh = () => recast.generateTiledNavMesh(...LEVEL, { cs: 0.5, ch: 0.25, walkableRadius: 1, tileSize: 8 }).navMesh;
const theirs = makeMesh();
const bare = Object.create(null);
const HOSTILE = [bare, 10n, Symbol('x'), null, [[]]];
const isArgument = (field) => ({ name: 'NavError', code: 'invalid-argument', ...(field && { field }) });

test('hostile values: messages describe any value, and run no code of it', () => {
  class Liar extends Float32Array {
    get length() { return Symbol('x'); }
  }
  const values = [Object.defineProperty({}, 'constructor', { value: { name: Symbol('x') } }), { constructor: { name: bare } }, new Liar(3), new DataView(new ArrayBuffer(3)),
    new Proxy([], { get: (target, key) => (key === 'length' ? bare : Reflect.get(target, key)) }), bare, Object.assign(() => 1, { toString: () => bare }), 10n, Symbol('x')];
  for (const value of values) assert.match(describe(value), /^[^\n]+$/);
  assert.equal(describe(new Liar(3)), 'a Float32Array of 3');
  assert.equal(describe(function many() {
    return 1;
  }), 'a function');
});

test('hostile values: walkmesh/three names meshes, crowds and colours that are none, and numbers that are none', () => {
  const crowd = navMesh.createCrowd();
  const helpers = { navMesh: ['ConnectionsHelper', 'LinksHelper', 'NavMeshHelper', 'PolygonsHelper'], dynamic: ['ObstaclesHelper', 'RebuiltTilesHelper'], crowd: ['CrowdHelper'] };
  for (const [field, names] of Object.entries(helpers)) {
    for (const name of names) {
      const owner = { navMesh, dynamic, crowd }[field];
      for (const value of [new Proxy(owner, {}), Object.create(owner), { handle: {} }, 10n]) assert.throws(() => new three[name](value), isArgument(field), name);
    }
  }
  assert.throws(() => new three.NavMeshHelper(navMesh, { color: -1 }), isArgument('color'));
  for (const target of [{}, 10n, null]) assert.throws(() => three.areaColor(3, target), isArgument('target'));
  for (const value of [bare, 10n, Symbol('x')]) {
    assert.throws(() => three.regionColor(value, new Color()), isArgument('number'));
    assert.throws(() => new three.AgentsHelper().update([value, 0, 0]), isArgument());
    assert.throws(() => new three.PathHelper([[value, 0, 0], [1, 0, 0]]), isArgument());
  }
  assert.throws(() => new three.PolygonsHelper(navMesh).update(new Array(1e9)), isArgument());
  for (const [helper, ...rest] of [[new three.AgentsHelper(), []], [new three.PolygonsHelper(navMesh), []], [new three.NavMeshHelper(navMesh)], [new three.CrowdHelper(crowd)],
    [new three.VoxelsHelper(), undefined], [new three.ContoursHelper(), undefined]]) {
    assert.throws(() => helper.update(...rest, null), isArgument('options'));
  }
  crowd.free();
});

test('hostile values: a scene with wrong structure is a NavError that names it, and callbacks throw what they throw', () => {
  const makeScene = () => new Group().add(new Mesh(new BoxGeometry(), new MeshBasicMaterial()), new InstancedMesh(new BoxGeometry(), new MeshBasicMaterial(), 2));
  const changes = [(scene) => { scene.children = {}; }, (scene) => { scene.children.push(undefined); }, (scene) => { scene.children[0].parent = scene.children[0]; },
    (scene) => { scene.children.push(scene); }, (scene) => { scene.children[0].matrixWorld.elements = null; }, (scene) => { scene.children[0].userData = null; },
    (scene) => { scene.children[0].geometry.attributes.position.count = 1e9; }, (scene) => { scene.children[0].geometry.attributes.position.array = new Array(1e9); },
    (scene) => { scene.children[0].geometry.index.count = 1e9; }, (scene) => { scene.children[0].name = Symbol('x'); scene.children[0].geometry = null; },
    (scene) => { scene.children[0].parent = null; scene.parent = scene; }];
  changes.forEach((change, i) => {
    const scene = makeScene();
    change(scene);
    assert.throws(() => three.geometryFromScene(scene), { name: 'NavError', code: 'geometry' }, `change ${i}`);
  });
  const lying = makeScene();
  lying.children[1].count = lying.children[1].instanceMatrix.count = 1e9;
  assert.equal(three.geometryFromScene(lying).indices.length, 3 * 36);
  const own = new TypeError('mine');
  for (const name of ['filter', 'area']) {
    assert.throws(() => three.geometryFromScene(makeScene(), { [name]() { throw own; } }), (error) => error === own);
  }
  const mesh = new Mesh(new BoxGeometry(), new MeshBasicMaterial());
  for (const meshes of [[{}], [null], null, [Object.assign(mesh.clone(), { matrixWorld: null })]]) assert.throws(() => recast.getPositionsAndIndices(meshes), { name: 'NavError', code: 'geometry' });
  mesh.geometry.index.count = 1e9;
  assert.throws(() => recast.getPositionsAndIndices([mesh]), { name: 'NavError', code: 'geometry' });
});

test('hostile values: functions of walkmesh/recast-navigation name what they cannot use', () => {
  const { vec3 } = recast, list = new recast.FloatArray(Float32Array.of(1, 2, 3)), filter = new recast.QueryFilter();
  const calls = (value) => [() => recast.rgbToDuRgba(value), () => recast.statusSucceed(value), () => recast.statusDetail(1, value), () => recast.dtIlog2(value),
    () => recast.dtNextPow2(value), () => recast.setRandomSeed(value), () => recast.array(value, 1), () => recast.array(() => 1, value), () => vec3.fromRaw(value),
    () => vec3.lerp({ x: 0, y: value, z: 0 }, { x: 0, y: 0, z: 0 }, 0.5), () => vec3.copy({ x: 0, y: 0, z: 0 }, value === bare ? 1 : value), () => list.get(value), () => list.set(0, value),
    () => list.resize(value), () => list.copy(value === null ? value : [value]), () => new recast.IntArray(value), () => filter.setAreaCost(value, 1), () => new recast.NavMesh(value),
    () => new recast.NavMeshQuery(value), () => new recast.Crowd(value), () => recast.exportNavMesh(value), () => recast.getNavMeshPositionsAndIndices(theirs, value),
    () => recast.floodFillPruneNavMesh(value, []), () => recast.mergePositionsAndIndices([value]), () => recast.getBoundingBox([value], [0]), () => theirs.addTile(value),
    () => theirs.calcTileLoc(value), () => new recastThree.NavMeshHelper(value), () => new recastThree.CrowdHelper(value), () => new recastThree.TileCacheHelper(value),
    () => new recastThree.DebugDrawer().drawNavMeshPoly(value, 1, 1), () => new recastThree.DebugDrawer({ lineMaterial: value === null ? 1 : value })];
  for (const value of HOSTILE) calls(value).forEach((call) => assert.throws(call, isArgument(), `${call} ${typeof value}`));
  for (const value of [new Proxy(theirs.raw, {}), Object.create(theirs.raw)]) assert.throws(() => new recast.NavMesh(value), isArgument('raw'));
  assert.deepEqual([...list.toTypedArray()], [1, 2, 3], 'a failure changes nothing');
});

test('hostile values: queries and generators of walkmesh/recast-navigation fail by their status', () => {
  const query = new recast.NavMeshQuery(theirs), point = { x: 1, y: 0, z: 1 };
  for (const filter of [new Proxy(new recast.QueryFilter(), {}), Object.create(new recast.QueryFilter()), Object.assign(new recast.QueryFilter(), { includeFlags: 10n })]) {
    assert.equal(query.findNearestPoly(point, { filter }).success, false);
  }
  assert.equal(query.findNearestPoly(point, null).success, false);
  for (const value of HOSTILE) {
    for (const config of [value, { cs: value }, { offMeshConnections: [value] }, { bounds: value }]) {
      if (config === bare) continue; // an object without fields
      assert.equal(recast.generateSoloNavMesh(...LEVEL, config).success, false);
      assert.equal(recast.generateTileCache(...LEVEL, config).success, false);
    }
    assert.equal(recast.generateSoloNavMesh(value, LEVEL[1]).success, false);
  }
});

test('hostile values: a tile cache of recast-navigation reads an obstacle once, and leaves no memory if its process throws', () => {
  const own = new Error('mine'), bytes = () => {
    getWalkmesh().trimMemory();
    return getWalkmesh().memory().bytes;
  };
  const make = (process) => recast.generateTileCache(...LEVEL, { cs: 0.5, ch: 0.25, walkableRadius: 1, tileSize: 8, tileCacheMeshProcess: process });
  const { tileCache, navMesh: mesh } = make();
  let reads = 0;
  const position = { get x() { if (++reads > 1) throw own; return 4; }, y: 0, z: 4 };
  const { obstacle } = tileCache.addCylinderObstacle(position, 1, 2);
  assert.deepEqual([reads, obstacle.position, tileCache.raw.obstacles().length], [1, { x: 4, y: 0, z: 4 }, 1]);
  tileCache.destroy();
  mesh.destroy();
  const before = bytes();
  assert.throws(() => make(new recast.TileCacheMeshProcess(() => { throw own; })), (error) => error === own);
  assert.match(make({}).error, /tileCacheMeshProcess/);
  assert.equal(bytes(), before);
});

test('hostile values: a switch saves the volume that is in force', () => {
  const switches = navMesh.createSwitches();
  let reads = 0;
  const volume = { kind: 'cylinder', get base() { return ++reads % 2 === 1 ? [1, -1, 1] : [9, -1, 9]; }, radius: 0.3, height: 3 };
  const number = switches.add({ volume, clearFlags: 1 }), covered = [...switches.polygons(number)];
  const [saved] = switches.list(), other = navMesh.createSwitches();
  assert.ok(covered.length > 0);
  assert.deepEqual([...other.polygons(other.restore(saved))], covered);
  other.free();
  switches.free();
});

test('hostile values: lists of statuses, of names, and pools that are none end the call at once', async () => {
  assert.throws(() => fetchSource('/{x}_{z}', { missing: new Array(1e9) }), isArgument('missing[0]'));
  await assert.rejects(readGltf(new Uint8Array(64), { exclude: new Array(1e9) }), { name: 'NavError' });
  assert.throws(() => three.geometryFromScene(new Group(), { exclude: new Array(1e9) }), isArgument('exclude'));
  const pool = walkmesh.createWorkerPool({ workers: 1 });
  for (const workers of [new Proxy(pool, {}), Object.create(pool), 1]) {
    await assert.rejects(walkmesh.createDynamicBakeSource(makeGround(), {}, { workers }), isArgument('workers'));
    await assert.rejects(walkmesh.createBakeSource(makeGround(), {}, { workers }), isArgument('workers'));
  }
  pool.free();
});

after(() => {
  theirs.destroy();
  navMesh.free();
});
