/**
 * Every export of recast-navigation, and every method of its classes, exists in walkmesh/recast-navigation: it works, or throws a
 * NavError with its replacement. docs/migration.md has the same tables.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { NavError } from '../../js/index.js';
import * as ours from '../../js/recast-navigation-three/index.js';
import { replacements } from '../../js/recast-navigation/missing.js';
import { PACKAGES, importPeers, insertTables, listClasses, makeTables } from '../../scripts/migration.js';
import { ROOT, makeGround } from './support.js';

const peers = await importPeers();
const [CORE, GENERATORS, THREE] = PACKAGES;
const core = { ...peers[CORE], ...peers[GENERATORS] };
await Promise.all([ours.init(), core.init()]);

const ENTRIES = { [CORE]: 'walkmesh/recast-navigation', [GENERATORS]: 'walkmesh/recast-navigation/generators', [THREE]: 'walkmesh/recast-navigation/three' };

const isUnsupported = (field) => (error) => error instanceof NavError && error.code === 'unsupported' && error.field === field
  && error.message.includes(`: use ${replacements.get(field)}`);

test('recast-navigation: an import of every export links', async () => {
  const folder = join(ROOT, 'build', 'recast-navigation-imports');
  mkdirSync(folder, { recursive: true });
  for (const [name, entry] of Object.entries(ENTRIES)) {
    const names = Object.keys(peers[name]);
    const path = join(folder, `${names.length}.js`);
    writeFileSync(path, `import { ${names.join(', ')} } from '${entry}';\nexport const all = { ${names.join(', ')} };\n`);
    const { all } = await import(pathToFileURL(path));
    for (const key of names) assert.equal(typeof all[key], typeof peers[name][key], `${name}: ${key}`);
  }
  rmSync(folder, { recursive: true });
});

test('recast-navigation: an export that does not work throws its replacement', () => {
  const names = Object.values(peers).flatMap((peer) => Object.keys(peer)).filter((name) => replacements.has(name));
  assert.ok(names.length > 50);
  for (const name of names) {
    assert.throws(() => ours[name](), isUnsupported(name), name);
    assert.throws(() => new ours[name](), isUnsupported(name), `new ${name}`);
  }
  for (const name of Object.keys(core.Raw)) {
    if (replacements.has(`Raw.${name}`)) assert.throws(() => ours.Raw[name], isUnsupported(`Raw.${name}`));
    else assert.equal(typeof ours.Raw[name], typeof core.Raw[name], `Raw.${name}`);
  }
});

test('recast-navigation: members of its classes exist, or throw their replacement', () => {
  const classes = listClasses(peers);
  for (const name of ['NavMesh', 'NavMeshQuery', 'QueryFilter', 'Crowd', 'CrowdAgent', 'TileCache', 'FloatArray', 'NavMeshHelper', 'DebugDrawer']) {
    assert.ok(classes.some(([type]) => type === name), name);
  }
  for (const [type, members] of classes) {
    const { prototype } = ours[type];
    for (const member of members) {
      const field = `${type}.${member}`;
      if (replacements.has(field)) assert.throws(() => prototype[member](), isUnsupported(field), field);
      // QueryFilter's flags are fields here.
      else assert.ok(member in prototype || member in new ours[type](), field);
    }
  }
  // No row of the table that no export needs.
  const known = new Set([...Object.values(peers).flatMap((peer) => Object.keys(peer)), ...classes.flatMap(([type, members]) => members.map((member) => `${type}.${member}`)),
    ...Object.keys(core.Raw).map((name) => `Raw.${name}`), 'new NavMeshCreateParams']);
  assert.deepEqual([...replacements.keys()].filter((name) => !known.has(name)), []);
});

test('docs/migration.md lists every export: node scripts/migration.js writes it', () => {
  const page = readFileSync(join(ROOT, 'docs', 'migration.md'), 'utf8');
  assert.equal(page, insertTables(page, makeTables(peers)));
});

test('recast-navigation: constants and small functions give its results', () => {
  for (const name of ['Detour', 'Recast', 'recastConfigDefaults', 'soloNavMeshGeneratorConfigDefaults', 'tiledNavMeshGeneratorConfigDefaults',
    'tileCacheGeneratorConfigDefaults', 'crowdAgentParamsDefaults']) assert.deepEqual({ ...ours[name] }, { ...core[name] }, name);
  const ask = ({ dtIlog2, dtNextPow2, rgbToDuRgba, getBoundingBox, array, vec3, FloatArray, VerticesArray, UnsignedShortArray, Raw }) => {
    const between = { x: 0, y: 0, z: 0 }, same = { x: 0, y: 0, z: 0 };
    vec3.lerp({ x: 1, y: 2, z: 3 }, { x: 2, y: 4, z: 7 }, 0.25, between);
    vec3.copy(between, same);
    const { x, y, z } = vec3.fromRaw(vec3.toRaw({ x: 1.5, y: 2.5, z: 3.5 }));
    const numbers = new FloatArray();
    numbers.copy([1, 2, 3]);
    numbers.resize(5);
    numbers.set(4, 9);
    const shorts = UnsignedShortArray.fromRaw(new UnsignedShortArray().raw);
    const outcome = {
      logs: [0, 1, 2, 3, 4, 5, 8, 9, 1000, 2 ** 31 - 1].map(dtIlog2), powers: [0, 1, 2, 3, 5, 8, 9, 1000].map(dtNextPow2),
      colors: [0xff0000, 0x00ff00, 0x0000ff, 0x123456, 0x12345678].map(rgbToDuRgba),
      bounds: [getBoundingBox([0, 1, 2, 3, 4, 5, -1, 9, 9], [0, 1, 0]), getBoundingBox([], [])],
      array: array((i) => 2 * i, 4), between, same, raw: [x, y, z], tuple: vec3.toArray(vec3.fromArray([1, 2, 3])),
      numbers: [numbers.size, numbers.get(1), ...numbers.toTypedArray(), numbers.getHeapView().constructor.name], shorts: shorts.size,
      alias: VerticesArray === FloatArray, nothing: Raw.isNull({}),
    };
    numbers.destroy();
    return outcome;
  };
  assert.deepEqual(ask(ours), ask(core));
});

test('recast-navigation: places of tiles, and tiles that are removed and added again', () => {
  const { positions, indices } = makeGround(20);
  const counts = [core, ours].map((api) => {
    const { navMesh } = api.generateTiledNavMesh(positions, indices, { cs: 0.25, ch: 0.25, tileSize: 32 });
    const location = navMesh.calcTileLoc({ x: 13, y: 0, z: 3 });
    const tile = navMesh.getTileRefAt(location.tileX(), location.tileY(), 0);
    const query = new api.NavMeshQuery(navMesh);
    const isOver = () => query.findNearestPoly({ x: 13, y: 0, z: 3 }, { halfExtents: { x: 0.5, y: 2, z: 0.5 } }).isOverPoly;
    const before = isOver();
    const outcome = { x: location.tileX(), y: location.tileY(), before };
    if (api === ours) { // theirs frees the bytes, so that there is nothing to add again
      const removed = navMesh.removeTile(tile);
      assert.ok(!isOver() && removed.dataSize() > 100);
      const bytes = new api.UnsignedCharArray();
      bytes.copy(removed.data());
      const { status, tileRef } = navMesh.addTile(bytes, 0, 0);
      assert.ok(api.statusSucceed(status) && tileRef > 0 && isOver());
      assert.ok(api.statusFailed(navMesh.addTile(bytes, 0, 0).status), 'its place is occupied');
    }
    navMesh.destroy();
    return outcome;
  });
  assert.deepEqual(counts[1], counts[0]);
});

test('recast-navigation: objects are destroyed in any order, as its examples do, and twice', () => {
  const { positions, indices } = makeGround(20);
  const { navMesh, tileCache } = ours.generateTileCache(positions, indices, { cs: 0.25, ch: 0.25, tileSize: 32 });
  const query = new ours.NavMeshQuery(navMesh);
  const crowd = new ours.Crowd(navMesh, { maxAgents: 4, maxAgentRadius: 1 });
  for (let i = 0; i < 2; i++) for (const object of [navMesh, tileCache, query, crowd]) object.destroy();
  assert.ok(navMesh.raw.isFreed && crowd.raw.isFreed);
});

// ---- Off-mesh connections of a mesh process ------------------------------------------------------------------------

/** Two floors that only a connection joins. */
function makeFloors() {
  const { positions, indices } = makeGround(12);
  const moved = positions.map((value, i) => value + (i % 3 === 0 ? 14 : 0));
  return { positions: Float32Array.of(...positions, ...moved), indices: Uint32Array.of(...indices, ...indices.map((i) => i + positions.length / 3)) };
}

const JUMP = { startPosition: { x: 11, y: 0, z: 6 }, endPosition: { x: 15, y: 0, z: 6 }, radius: 0.8, bidirectional: true, area: 4, flags: 1, userId: 77 };

function makeProcess(api) {
  return new api.TileCacheMeshProcess((params, areas, flags) => {
    for (let i = 0; i < params.polyCount(); i++) {
      areas.set(i, 0);
      flags.set(i, 1);
    }
    params.setOffMeshConnections([JUMP]);
  });
}

/** True if a path leads over the gap. */
function crosses(api, navMesh) {
  const { success, path } = new api.NavMeshQuery(navMesh).computePath({ x: 3, y: 0, z: 6 }, { x: 23, y: 0, z: 6 });
  return success && path.at(-1).x > 22;
}

test('recast-navigation: a mesh process sets off-mesh connections, also after obstacles and in files', () => {
  const { positions, indices } = makeFloors();
  const config = { cs: 0.25, ch: 0.25, tileSize: 16, walkableRadius: 1 };
  const outcomes = [core, ours].map((api) => {
    const { navMesh, tileCache } = api.generateTileCache(positions, indices, { ...config, tileCacheMeshProcess: makeProcess(api) });
    const update = () => { while (!tileCache.update(navMesh).upToDate); };
    const steps = [crosses(api, navMesh)];
    const { obstacle } = tileCache.addCylinderObstacle({ x: 9, y: 0, z: 6 }, 0.5, 2); // in the tile of the start
    update();
    steps.push(crosses(api, navMesh));
    const wall = tileCache.addBoxObstacle({ x: 11, y: 0, z: 6 }, { x: 1.2, y: 2, z: 1.2 }, 0); // over the start
    update();
    steps.push(crosses(api, navMesh));
    tileCache.removeObstacle(obstacle);
    tileCache.removeObstacle(wall.obstacle);
    update();
    steps.push(crosses(api, navMesh));
    if (api === ours) assert.equal(navMesh.raw.connections().length, 1);
    const { allocator, compressor, ...read } = api.importTileCache(api.exportTileCache(navMesh, tileCache), makeProcess(api));
    assert.ok(allocator && compressor);
    steps.push(crosses(api, read.navMesh));
    if (api === ours) assert.equal(read.navMesh.raw.connections().length, 1);
    const without = api.generateTileCache(positions, indices, config);
    steps.push(crosses(api, without.navMesh));
    return steps;
  });
  assert.deepEqual(outcomes[1], outcomes[0]);
  assert.deepEqual(outcomes[1], [true, true, false, true, true, false]);
});

// ---- Helpers -------------------------------------------------------------------------------------------------------

test('recast-navigation: helpers of three.js draw the mesh, obstacles and agents', () => {
  const { positions, indices } = makeGround(20);
  const [peer, mine] = [{ ...core, ...peers[THREE] }, ours].map((api) => {
    const { navMesh, tileCache } = api.generateTileCache(positions, indices, { cs: 0.25, ch: 0.25, tileSize: 32 });
    const meshes = new api.NavMeshHelper(navMesh), obstacles = new api.TileCacheHelper(tileCache);
    const crowd = new api.Crowd(navMesh, { maxAgents: 4, maxAgentRadius: 1 });
    const agents = new api.CrowdHelper(crowd);
    const drawn = () => [obstacles.obstacleMeshes.size, obstacles.children.length, agents.agentMeshes.size, agents.children.length];
    const steps = [drawn()];
    const { obstacle: box } = tileCache.addBoxObstacle({ x: 5, y: 0.5, z: 5 }, { x: 1, y: 1, z: 2 }, 0.5);
    const { obstacle: pillar } = tileCache.addCylinderObstacle({ x: 12, y: 0, z: 5 }, 1, 3);
    const agent = crowd.addAgent({ x: 10, y: 0, z: 10 }, { radius: 0.4, height: 1.8 });
    const before = meshes.navMeshGeometry.getAttribute('position').count;
    for (let i = 0; i < 9; i++) tileCache.update(navMesh);
    crowd.update(0.1);
    for (const helper of [meshes, obstacles, agents]) helper.update();
    steps.push(drawn());
    const [boxMesh, pillarMesh, agentMesh] = [obstacles.obstacleMeshes.get(box), obstacles.obstacleMeshes.get(pillar), agents.agentMeshes.get(0)];
    const places = [boxMesh, pillarMesh, agentMesh].map(({ position: { x, y, z }, rotation }) => [x, z, y > -1 && y < 3, rotation.y].map((value) => (typeof value === 'number' ? Math.round(100 * value) / 100 : value)));
    const changed = meshes.navMeshGeometry.getAttribute('position').count > before;
    agent.radius = 0.9;
    agents.update();
    agentMesh.geometry.computeBoundingBox();
    const wide = Math.round(10 * agentMesh.geometry.boundingBox.max.x) / 10;
    tileCache.removeObstacle(box);
    crowd.removeAgent(agent);
    for (const helper of [obstacles, agents]) helper.update();
    steps.push(drawn());
    navMesh.destroy();
    return { steps, places, changed, wide, isMesh: meshes.mesh.isMesh, inside: meshes.children.includes(meshes.mesh) };
  });
  assert.deepEqual(mine, peer);
  assert.ok(mine.changed && mine.wide === 0.9);
});

test('recast-navigation: materials of helpers, and the debug drawer', async () => {
  const { MeshBasicMaterial } = await import('three');
  const { positions, indices } = makeGround(20);
  const { navMesh, tileCache } = ours.generateTileCache(positions, indices, { cs: 0.25, ch: 0.25, tileSize: 32 });
  const material = new MeshBasicMaterial();
  assert.equal(new ours.NavMeshHelper(navMesh, { navMeshMaterial: material }).mesh.material, material);
  assert.equal(new ours.TileCacheHelper(tileCache, { obstacleMaterial: material }).obstacleMaterial, material);
  assert.equal(new ours.CrowdHelper(new ours.Crowd(navMesh, { maxAgents: 4, maxAgentRadius: 1 }), { agentMaterial: material }).agentMaterial, material);
  const drawer = new ours.DebugDrawer({ triMaterial: material });
  drawer.drawNavMesh(navMesh);
  const [all] = drawer.children;
  assert.equal(all.material, material);
  const { nearestRef } = new ours.NavMeshQuery(navMesh).findNearestPoly({ x: 10, y: 0, z: 10 });
  drawer.drawNavMeshPoly(navMesh, nearestRef, 0xff0000);
  const one = drawer.children.at(-2);
  one.geometry.computeBoundingBox();
  const { min, max } = one.geometry.boundingBox;
  assert.ok(min.x <= 10 && max.x >= 10 && min.z <= 10 && max.z >= 10);
  assert.ok(one.geometry.getAttribute('position').count < all.geometry.getAttribute('position').count);
  assert.equal(one.material.color.getHex(), 0xff0000);
  navMesh.setPolyFlags(nearestRef, 8);
  drawer.drawNavMeshPolysWithFlags(navMesh, 8, 0xff00);
  assert.deepEqual(drawer.children.at(-2).geometry.getAttribute('position').array, one.geometry.getAttribute('position').array);
  assert.throws(() => drawer.drawContours(), isUnsupported('DebugDrawer.drawContours'));
  drawer.reset();
  assert.equal(drawer.children.length, 0);
  drawer.dispose();
  navMesh.destroy();
});

// ---- The calls of its published tests and examples (scripts/peer-examples.js runs the files themselves) ---------------

test('recast-navigation: the calls of its published tests and examples, on both packages', async () => {
  const { BoxGeometry, Mesh } = await import('three');
  const { geometry } = new Mesh(new BoxGeometry(5, 0.1, 5));
  const outcomes = [{ ...core, ...peers[THREE] }, ours].map((api) => {
    const { success, navMesh } = api.generateSoloNavMesh(geometry.getAttribute('position').array, geometry.getIndex().array);
    const query = new api.NavMeshQuery(navMesh);
    const { point: start } = query.findClosestPoint({ x: -2, y: 0, z: -2 }), { point: end } = query.findClosestPoint({ x: 2, y: 1, z: 2 });
    const { path } = query.computePath(start, end);
    const crowd = new api.Crowd(navMesh, { maxAgents: 10, maxAgentRadius: 0.5 });
    const agent = crowd.addAgent({ x: 0, y: 0, z: 0 }, { radius: 0.5 });
    agent.teleport({ x: 2, y: 0, z: 2 });
    const { x, z } = agent.position();
    agent.radius = 0.25;
    const { t } = query.raycast(query.findNearestPoly(start).nearestRef, start, { x: -9, y: 0, z: -2 });
    const helper = new api.NavMeshHelper(api.importNavMesh(api.exportNavMesh(navMesh)).navMesh);
    const outcome = { success, end: [end.x, end.z], path: path.map((point) => [point.x, point.z]), at: [x, z], radius: agent.radius,
      t: Math.round(1e4 * t), drawn: helper.navMeshGeometry.getIndex().count > 0 };
    navMesh.destroy();
    crowd.destroy();
    query.destroy();
    return outcome;
  });
  const [theirs, mine] = outcomes;
  assert.equal(mine.drawn, true); // theirs draws nothing where other meshes were made and destroyed before
  assert.deepEqual({ ...mine, drawn: theirs.drawn }, theirs);
});
