/**
 * One GLB, three ways to a level: geometryFromScene of the scene that three.js's loader makes, readGltf, and the command line. Their
 * triangles and areas are equal: marks in extras, names of nodes and materials, filters, instances.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Document, NodeIO } from '@gltf-transform/core';
import { EXTMeshGPUInstancing } from '@gltf-transform/extensions';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { main } from '../../js/cli/main.js';
import { readLevel } from '../../js/level/files.js';
import { load } from '../../js/index.js';
import { readGltf } from '../../js/level/index.js';
import { geometryFromScene } from '../../js/three/index.js';
import { makeFolder } from './support.js';

globalThis.self ??= globalThis; // GLTFLoader expects a page

/** A level whose nodes are squares in a row, each marked in another way; the comment is the area, or '-' if it is left out. */
async function makeGlb() {
  const document = new Document();
  const buffer = document.createBuffer();
  const accessor = (type, array) => document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
  const positions = accessor('VEC3', Float32Array.of(0, 0, 0, 0, 0, 8, 8, 0, 8, 8, 0, 0));
  const indices = accessor('SCALAR', Uint16Array.of(0, 1, 2, 0, 2, 3));
  const material = (name, walkmesh) => document.createMaterial(name).setExtras(walkmesh ? { walkmesh } : {});
  const [plain, mud, glass] = [material('plain'), material('Mud.001', { area: 3 }), material('glass', { ignore: true })];
  const mesh = (name, materials, walkmesh) => {
    const made = document.createMesh(name).setExtras(walkmesh ? { walkmesh } : {});
    for (const one of materials) made.addPrimitive(document.createPrimitive().setAttribute('POSITION', positions).setIndices(indices).setMaterial(one));
    return made;
  };
  const square = mesh('square', [plain]);
  const both = mesh('both', [plain, mud]);
  let count = 0;
  const node = (name, ofMesh, walkmesh, children = []) => {
    const made = document.createNode(name).setMesh(ofMesh).setExtras(walkmesh ? { walkmesh } : {}).setTranslation([ofMesh ? 8 * count++ : 0, 0, 0]);
    for (const child of children) made.addChild(child.setTranslation([child.getTranslation()[0] - made.getTranslation()[0], 0, 0]));
    return made;
  };
  const instances = document.createExtension(EXTMeshGPUInstancing).createInstancedMesh()
    .setAttribute('TRANSLATION', accessor('VEC3', Float32Array.of(0, 0, 20, 0, 0, 40)));
  const scene = document.createScene('Level').setExtras({ walkmesh: { area: 9 } });
  for (const made of [
    node('floor', square), // 9, the scene's
    node('road', square, { area: 1 }, [node('kerb', square), node('drain', square, { area: 2 })]), // 1, 1, 2
    node('Sky box.002', square, { ignore: true }, [node('cloud', square)]), // -, -
    node('swamp', mesh('swampy', [mud])), // 3
    node('window', mesh('pane', [glass])), // -
    node('own', mesh('marked', [plain], { area: 4 })), // 4
    node('replaced', mesh('marked too', [plain], { area: 4 }), { area: 5 }), // 5
    node('two', both, { area: 6 }), // 6 and 3
    node('two of a mesh', mesh('two marked', [plain, mud], { area: 7 }), { area: 6 }), // 7 and 7
    node('trees', square).setExtension('EXT_mesh_gpu_instancing', instances), // 9, twice
    node('mirrored', square).setScale([-1, 1, 1]), // 9
    node('empty', null, { area: 8 }, [node('box', square)]), // 8
  ]) scene.addChild(made);
  return new NodeIO().registerExtensions([EXTMeshGPUInstancing]).writeBinary(document);
}

const glb = await makeGlb();

const readScene = () => new GLTFLoader().parseAsync(glb.buffer.slice(glb.byteOffset, glb.byteOffset + glb.byteLength), '').then(({ scene }) => scene);

/** Triangles as text, with their areas, in an order of their own. */
function listTriangles({ positions, indices, areas }) {
  return Array.from({ length: indices.length / 3 }, (_, t) => {
    const corners = Array.from(indices.subarray(3 * t, 3 * t + 3), (i) => [...positions.subarray(3 * i, 3 * i + 3)].map((value) => value + 0).join(' '));
    return `${corners.join(', ')}: ${areas ? areas[t] : 63}`;
  }).sort();
}

const countAreas = ({ areas, indices }) => {
  const counts = {};
  for (let t = 0; t < indices.length / 3; t++) counts[areas?.[t] ?? 63] = (counts[areas?.[t] ?? 63] ?? 0) + 1;
  return counts;
};

/** The command line's arguments for patterns. */
const toArguments = ({ include = [], exclude = [], areas = {} }) => [...include.flatMap((name) => ['--include', name]),
  ...exclude.flatMap((name) => ['--exclude', name]), ...Object.entries(areas).flatMap((pair) => ['--area', pair.join('=')])];

const CONFIG = { cellSize: 0.5, agentRadius: 0.5, tileSize: 32 };

/** Bakes with the command line, and returns the file's bytes. */
async function bakeByCommand(folder, ...args) {
  const [level, output] = [join(folder, 'level.glb'), join(folder, 'level.walkmesh')];
  writeFileSync(level, glb);
  writeFileSync(join(folder, 'config.json'), JSON.stringify(CONFIG));
  const { log, error } = console;
  Object.assign(console, { log() {}, error() {} });
  try {
    assert.equal(await main(['bake', level, '-o', output, '--config', join(folder, 'config.json'), ...args], new URL('../../package.json', import.meta.url)), 0);
  } finally {
    Object.assign(console, { log, error });
  }
  return new Uint8Array(readFileSync(output));
}

const CASES = [
  { patterns: {}, expected: { 1: 4, 2: 2, 3: 4, 4: 2, 5: 2, 6: 2, 7: 4, 8: 2, 9: 8 } },
  { patterns: { include: ['road', 'Mud*'] }, expected: { 1: 4, 2: 2, 3: 4, 7: 2 } },
  { patterns: { exclude: ['*o*'] }, expected: { 3: 2, 5: 2, 9: 4 } },
  { patterns: { include: ['Level'], exclude: ['Mud.001', 'empty'] }, expected: { 1: 4, 2: 2, 4: 2, 5: 2, 6: 2, 7: 2, 9: 8 } },
  { patterns: { areas: { 'd?ain': 11, drain: 12, 'Mud.*': 0, window: 13, 'Sky box.002': 14 } }, expected: { 0: 6, 1: 4, 4: 2, 5: 2, 6: 2, 7: 2, 8: 2, 9: 8, 12: 2, 13: 2 } },
];

for (const [number, { patterns, expected }] of CASES.entries()) {
  test(`one GLB: the same triangles and areas in three ways, names ${number}`, async (context) => {
    const fromScene = geometryFromScene(await readScene(), patterns);
    const fromFile = await readGltf(glb, patterns);
    assert.deepEqual(listTriangles(fromFile), listTriangles(fromScene));
    assert.deepEqual(countAreas(fromFile), expected);
    const folder = makeFolder(context);
    const bytes = await bakeByCommand(folder, ...toArguments(patterns));
    const walkmesh = await load();
    const { navMesh } = walkmesh.bake(fromFile, CONFIG);
    assert.deepEqual(bytes, navMesh.save());
    navMesh.free();
    assert.deepEqual(listTriangles(await readLevel(join(folder, 'level.glb'), undefined, patterns)), listTriangles(fromFile));
  });
}

test('one GLB: filter and area as functions', async () => {
  const fromScene = geometryFromScene(await readScene(), {
    filter: ({ userData, parent }) => (userData.name ?? parent.userData.name) !== 'floor',
    area: (mesh, { name }, instance) => (instance === 1 ? null : name === 'Mud.001' ? 20 : mesh.userData.name === 'own' ? null : undefined),
  });
  const seen = [];
  const fromFile = await readGltf(glb, {
    filter(part) {
      seen.push(part);
      return part.node !== 'floor';
    },
    area: ({ node, material }, instance) => (instance === 1 ? null : material === 'Mud.001' ? 20 : node === 'own' ? null : undefined),
  });
  assert.deepEqual(listTriangles(fromFile), listTriangles(fromScene));
  assert.deepEqual(countAreas(fromFile), { 1: 4, 2: 2, 5: 2, 6: 2, 7: 2, 8: 2, 9: 4, 20: 6 });
  const { nodeIndex, ...kerb } = seen.find(({ node }) => node === 'kerb');
  assert.deepEqual(kerb, { node: 'kerb', ancestors: ['road', 'Level'], mesh: 'square', material: 'plain' });
  assert.equal(JSON.parse(Buffer.from(glb.buffer, glb.byteOffset + 20, new DataView(glb.buffer, glb.byteOffset).getUint32(12, true)).toString()).nodes[nodeIndex].name, 'kerb');
});

test('one GLB: the command bakes a mesh that changes', async (context) => {
  const folder = makeFolder(context);
  const walkmesh = await load();
  const baked = walkmesh.bakeDynamic(await readGltf(glb), CONFIG);
  for (const args of [[], ['--workers', '2']]) {
    const bytes = await bakeByCommand(folder, '--dynamic', ...args);
    assert.deepEqual(bytes, baked.dynamic.save());
    const { navMesh, dynamic } = walkmesh.loadDynamic(bytes);
    const isOver = () => navMesh.nearestPoint([4, 0, 4])?.isOver;
    assert.equal(isOver(), true);
    dynamic.addObstacle({ kind: 'cylinder', base: [4, -1, 4], radius: 1, height: 3 });
    dynamic.update();
    assert.equal(isOver(), false);
    navMesh.free();
  }
  baked.navMesh.free();
  await assert.rejects(bakeByCommand(folder, '--dynamic', '--format', 'detour'), /2 !== 0/);
});

test('one GLB: wrong patterns, functions and marks are errors that name them', async (context) => {
  const scene = await readScene();
  const wrong = [[{ include: 'road' }, 'include', /must be an array of names/], [{ exclude: [3] }, 'exclude', /must be an array of names/],
    [{ areas: { road: 64 } }, 'areas', /'road'.* 64: must be a whole number from 0 to 63/], [{ areas: [] }, 'areas', /must be an object/]];
  for (const [options, field, message] of wrong) {
    assert.throws(() => geometryFromScene(scene, options), { code: 'invalid-argument', field, message }, field);
    await assert.rejects(readGltf(glb, options), { code: 'invalid-argument', field, message }, field);
  }
  await assert.rejects(readGltf(glb, { filter: 3 }), { code: 'invalid-argument', field: 'filter' });
  await assert.rejects(readGltf(glb, { exclude: ['*'] }), { code: 'file', message: /has no triangles, or all are left out/ });
  const json = { asset: { version: '2.0' }, scenes: [{ nodes: [0] }], nodes: [{ name: 'odd', extras: { walkmesh: { area: 64 } } }] };
  await assert.rejects(readGltf(JSON.stringify(json)), { code: 'file', message: /has a node 0 \(odd\), and extras\.walkmesh\.area is 64: must be/ });
  const path = join(makeFolder(context), 'level.obj');
  writeFileSync(path, 'v 0 0 0\nv 0 0 1\nv 1 0 0\ng wall\nf 1 2 3\ng floor\nf 1 2 3\n');
  assert.equal((await readLevel(path)).indices.length, 6);
  assert.equal((await readLevel(path, undefined, { exclude: ['wall'] })).indices.length, 3);
});
