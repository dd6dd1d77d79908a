// Warnings about names and volumes of a level that match nothing, and messages that name mistakes: far triangles, options of other libraries.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Document, WebIO } from '@gltf-transform/core';
import * as THREE from 'three';
import { askUnits } from '../../js/bake/bake-limits.js';
import { load } from '../../js/index.js';
import { describeStrays } from '../../js/input/stray.js';
import { fillConvex, readGltf } from '../../js/level/index.js';
import { geometryFromScene } from '../../js/three/index.js';
import { makeGround } from './support.js';

const walkmesh = await load();
const CONFIG = { cellSize: 0.2, agentRadius: 0.4 };
const idle = ({ warnings }) => warnings.filter((warning) => /marks? nothing/.test(warning));

test('warnings of levels: volumes outside the level or without ground in them are told, others are not', async () => {
  const ground = { ...makeGround(40), solids: [{ kind: 'box', min: [10, 0, 10], max: [14, 3, 14] }] };
  const volumes = [
    ['it lies outside the level', { kind: 'box', min: [1, -5, 1], max: [5, -2, 5], area: 5 }],
    ['it lies outside the level', { kind: 'cylinder', base: [90, 0, 1], radius: 2, height: 2, area: 0 }],
    ['no ground lies in it', { kind: 'box', min: [20, 1.5, 20], max: [22, 2, 22], area: 5 }],
    ['no ground lies in it', { kind: 'prism', vertices: [[30, 0, 1], [33, 0, 1], [32, 0, 4]], minY: 1.5, maxY: 2.5, area: 2 }],
    ['no ground lies in it', { kind: 'capsule', start: [5, 2.5, 20], end: [8, 2.5, 20], radius: 0.5, area: 63 }],
    [null, { kind: 'box', min: [1, -1, 1], max: [5, 2, 5], area: 5 }],
    [null, { kind: 'box', centre: [30, 0, 5], halfExtents: [2, 1, 2], area: 4, beforeErosion: true }],
    [null, { kind: 'cylinder', base: [20, 0.05, 30], radius: 2, height: 1, area: 9 }],
    [null, { kind: 'sphere', centre: [30, 0, 30], radius: 2, area: 63 }],
    [null, { kind: 'rotatedBox', centre: [36, 0, 36], halfExtents: [2, 1, 1], yaw: 0.7, area: 8 }],
    [null, { kind: 'box', min: [6, 0, 30], max: [8, 2, 33], area: 0 }],
    [null, { kind: 'box', min: [6, 2.4, 30], max: [8, 3, 33], area: 0 }], // it may stop jumps
  ];
  const bakes = [(level, config) => walkmesh.bake(level, config), (level, config) => walkmesh.bakeTiled(level, config, { workers: 0 }),
    (level, config) => walkmesh.bakeDynamic(level, config), (level, config) => walkmesh.bakeDynamicAsync(level, config, { workers: 0 })];
  for (const bake of bakes) {
    for (const [reason, volume] of volumes) {
      const { navMesh, report } = await bake({ ...ground, volumes: [volume] }, { ...CONFIG, tileSize: bake === bakes[0] ? 0 : 64 });
      assert.deepEqual(idle(report), reason ? [`volumes[0] marks nothing: ${reason}`] : [], JSON.stringify(volume));
      navMesh.free();
    }
  }
  const [, far] = volumes[1];
  const { report, navMesh } = walkmesh.bake({ ...ground, volumes: Array(8).fill(far) }, { ...CONFIG, tileSize: 64 });
  assert.equal(idle(report).length, 6);
  assert.equal(idle(report)[5], '3 more of volumes mark nothing');
  const rebaked = await walkmesh.rebake(navMesh, { ...ground, volumes: [volumes[0][1], volumes[2][1]] }, { workers: 0 });
  assert.deepEqual(idle(rebaked.report), ['volumes[1] marks nothing: no ground lies in it'], 'its bounds were set before: others may lie outside');
  navMesh.free();
  const part = walkmesh.bake({ ...ground, volumes: [far] }, { ...CONFIG, bounds: { min: [0, -1, 0], max: [20, 5, 20] } });
  assert.deepEqual(part.report.warnings, [], 'of a part of a level, volumes may lie outside');
  part.navMesh.free();
});

test('warnings of levels: name patterns that match nothing are in the report of the bake, of glTF files and scenes', async () => {
  const document = new Document(), buffer = document.createBuffer();
  const { positions, indices } = makeGround(10);
  const accessor = (type, array) => document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
  const scene = document.createScene(), group = new THREE.Group();
  for (const name of ['mud.1', 'floor', 'decor']) {
    const primitive = document.createPrimitive().setAttribute('POSITION', accessor('VEC3', positions)).setIndices(accessor('SCALAR', indices));
    scene.addChild(document.createNode(name).setMesh(document.createMesh().addPrimitive(primitive)));
    const geometry = new THREE.BufferGeometry().setAttribute('position', new THREE.BufferAttribute(positions, 3)).setIndex(new THREE.BufferAttribute(indices, 1));
    const mesh = new THREE.Mesh(geometry);
    mesh.name = name;
    group.add(mesh);
  }
  const bytes = await new WebIO().writeBinary(document);
  for (const read of [(options) => readGltf(bytes, options), (options) => geometryFromScene(group, options)]) {
    const level = await read({ areas: { 'Mad*': 5, 'mud*': 4, mud: 3, '*.1': 6 }, exclude: ['dekor*', 'decor'], include: ['f*', 'floor', 'm*'] });
    for (const one of [level, { ...level }, fillConvex(level)]) {
      const { navMesh, report } = walkmesh.bake(one, CONFIG);
      assert.deepEqual(report.warnings, ["exclude: 'dekor*' is the name of no node, mesh or material", "areas: 'Mad*' is the name of no node, mesh or material",
        "areas: 'mud' is the name of no node, mesh or material"]);
      navMesh.free();
    }
    assert.deepEqual(walkmesh.bake(await read({ include: ['f*'] }), CONFIG).report.warnings, []);
  }
});

test('a level that single triangles make huge: the message names the farthest, its place and that of the others', () => {
  const positions = [], indices = [];
  for (let x = 0; x < 20; x++) {
    for (let z = 0; z < 20; z++) {
      const first = positions.length / 3;
      positions.push(2 * x, 0, 2 * z, 2 * x, 0, 2 * z + 2, 2 * x + 2, 0, 2 * z + 2, 2 * x + 2, 0, 2 * z);
      indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
    }
  }
  const count = positions.length / 3;
  const withStrays = (...strays) => ({ positions: [...positions, ...strays.flat()], indices: [...indices.slice(0, 300), ...strays.flatMap((_, i) => [0, 1, 2].map((k) => count + 3 * i + k)), ...indices.slice(300)] });
  const flyer = [1e5, 0, 20, 1e5, 0, 21, 1e5 + 1, 0, 20], spike = [1, 0, 10, 5, 0, -5e5, 1, 0, 11];
  const expected = { name: 'NavError', code: 'configuration', field: 'positions' };
  assert.throws(() => walkmesh.bake(withStrays(flyer)), { ...expected,
    message: 'triangle 100 makes the level huge: vertex 1602 is at (100000, 0, 20), and all others lie within 20.67 of (20.67, 20.33) on x and z. Remove it, or set bounds' });
  assert.throws(() => walkmesh.bake(withStrays(flyer, spike)), { ...expected, message: /^triangle 101 and 1 more make the level huge: vertex 1604 is at \(5, 0, -500000\)/ });
  const { positions: turned, indices: same } = withStrays(flyer);
  assert.throws(() => walkmesh.bake({ positions: turned.map((_, i) => [turned[i], -turned[i + 1], turned[i - 1]][i % 3]), indices: same, upAxis: 'z' }),
    { ...expected, message: /vertex 1602 is at \(100000, -20, 0\).* on x and y/ });
  // Large all over: the units are asked for.
  const vast = { positions: positions.map((value) => 1000 * value), indices };
  assert.throws(() => walkmesh.bake(vast), { field: 'cellSize', message: /centimetres/ });
  assert.throws(() => walkmesh.bake({ positions: [0, 0, 0, 0, 0, 1e6, 1e6, 0, 1e6, 1e6, 0, 0], indices: [0, 1, 2, 0, 2, 3] }), { field: 'cellSize' });
  assert.equal(describeStrays(vast), undefined);
  assert.match(askUnits(30000, 0.6, undefined, () => describeStrays(withStrays(flyer))), /^triangle 100 makes the level huge.* The level has 30000 tiles/);
  assert.match(askUnits(30000, 0.6, undefined, () => describeStrays(vast)), /^is the level in centimetres/);
});

test('frequent mistakes: names of recast-navigation, positions in place of a level, of a tile place and that are not finite', async () => {
  const level = makeGround(10);
  for (const [name, advice] of [['cs', 'did you mean cellSize?'], ['ch', 'did you mean cellHeight?'], ['walkableRadius', 'agentRadius has world units, not cells'], ['maxVertsPerPoly', 'did you mean maxVerticesPerPolygon?']]) {
    assert.throws(() => walkmesh.bake(level, { [name]: 0.2 }), { code: 'configuration', message: `${name} is not a configuration field: ${advice}` });
  }
  const isPositional = { code: 'invalid-argument', field: 'geometry', message: /: bake\(\{ positions, indices \}, config\)$/ };
  assert.throws(() => walkmesh.bake(level.positions, level.indices, { cs: 0.2 }), isPositional);
  await assert.rejects(walkmesh.bakeTiled([...level.positions], level.indices, { cs: 0.2 }), isPositional);
  const { navMesh } = walkmesh.bake(level, { ...CONFIG, tileSize: 16 });
  assert.throws(() => navMesh.tileAt(-43.06, 2), { field: 'x', message: /column of a tile.*tilePlace/ });
  const { x, z } = navMesh.tilePlace([5, 9, 9.8]);
  assert.deepEqual([x, z], [1, 3]);
  assert.ok(navMesh.nearestPoint([5, 0, 9.4]).polygon >= navMesh.tileAt(1, 2));
  assert.deepEqual(navMesh.tilePlace({ x: -1, y: 0, z: 11 }), { x: -1, z: 3 });
  assert.throws(() => navMesh.tilePlace([NaN, 0, 0]), { field: 'point' });
  assert.throws(() => navMesh.createCrowd({ maxAgents: 10 }), { message: 'maxAgents is not an option: there is no limit' });
  const crowd = navMesh.createCrowd();
  for (const positions of [[[1, 0, 1], [2, 0, NaN]], [1, 0, 1, 2, 0, NaN], Float32Array.of(1, 0, 1, 2, 0, NaN)]) {
    assert.throws(() => crowd.addAgents(positions, { radius: 0.4 }), { code: 'invalid-argument', field: 'positions', message: 'positions has a point 1, (2, 0, NaN): must be finite' });
  }
  assert.equal(crowd.count, 0);
  navMesh.free();
});

test('findConnection finds connections by userId: made at run time first, then baked ones, also in a loaded mesh', () => {
  const connection = (userId, x) => ({ start: [1, 0, x], end: [9, 0, x], radius: 1, userId });
  const { navMesh } = walkmesh.bake({ ...makeGround(10), offMeshConnections: [connection(7, 2), connection(8, 3)] }, { ...CONFIG, tileSize: 32 });
  const made = navMesh.addConnection(connection(8, 6));
  navMesh.addConnection(connection(9, 7));
  for (const mesh of [navMesh, walkmesh.loadNavMesh(navMesh.save())]) {
    const found = [7, 8, 9].map((userId) => mesh.connection(mesh.findConnection(userId)));
    assert.deepEqual(found.map(({ userId, start }) => [userId, start[2]]), [[7, 2], [8, 6], [9, 7]]);
    assert.equal(mesh.findConnection(10), 0);
  }
  assert.equal(navMesh.findConnection(8), made);
  navMesh.removeConnection(made);
  assert.equal(navMesh.connection(navMesh.findConnection(8)).start[2], 3);
  assert.throws(() => navMesh.findConnection(-1), { field: 'userId' });
  navMesh.free();
});
