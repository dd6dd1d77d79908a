// Levels from files: OBJ by the package's own reader, glTF by a library.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Document, NodeIO, WebIO } from '@gltf-transform/core';
import { ALL_EXTENSIONS, EXTMeshGPUInstancing, EXTMeshoptCompression, KHRMeshQuantization } from '@gltf-transform/extensions';
import { MeshoptDecoder, MeshoptEncoder } from 'meshoptimizer';
import { load } from '../../js/index.js';
import { NumberReader } from '../../js/level/decimal.js';
import { readLevel } from '../../js/level/files.js';
import { parseObj, readGltf } from '../../js/level/index.js';
import { makeFolder } from './support.js';

const parse = (text) => parseObj(text, { name: 'test.obj' });
const toText = ({ positions, indices }) => `${[...positions]} | ${[...indices]}`;

/** The sum of the triangles' normals times their area: the direction that a level faces, and its size. */
function sumNormals({ positions, indices }) {
  const sum = [0, 0, 0];
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => positions.subarray(3 * indices[i + k], 3 * indices[i + k] + 3));
    const [u, v] = [b, c].map((p) => [0, 1, 2].map((k) => p[k] - a[k]));
    for (let k = 0; k < 3; k++) sum[k] += (u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]) / 2;
  }
  return sum.map((value) => Math.round(value * 1e4) / 1e4);
}

// ---- OBJ -------------------------------------------------------------------------------------------------------

test('OBJ: vertices and faces, everything else skipped', () => {
  const level = parse('# v 9 9 9\no thing\nv 0 0 0\nvn 0 1 0\nvt 0 1\nv 0 0 1\n  v\t1 0 1\nusemtl x\nf 1/2/3 2//4 3\n');
  assert.equal(toText(level), '0,0,0,0,0,1,1,0,1 | 0,1,2');
});

test('OBJ: polygons are fans, negative indices count back, bad ones are dropped', () => {
  const square = 'v 0 0 0\nv 0 0 1\nv 1 0 1\nv 1 0 0\n';
  assert.equal([...parse(`${square}f 1 2 3 4`).indices].join(), '0,1,2,0,2,3');
  assert.equal([...parse(`${square}f -4 -3 -2`).indices].join(), '0,1,2');
  const warnings = [];
  const some = parseObj(`${square}f 1 2 5\nf 0 1 2\nf 1 2 3\nf 1 -9 2\n`, { onWarning: (warning) => warnings.push(warning) });
  assert.deepEqual([[...some.indices].join(), warnings], ['0,1,2', ['ignored 3 triangles with missing vertices: line 5 names vertex 5, and 4 vertices precede it']]);
  assert.deepEqual(Object.keys(some), ['positions', 'indices'], 'as bake takes it');
});

test('OBJ: a face that names a missing vertex is told by its line and the index', () => {
  const corner = '# a corner\nv 0 0 0\r\nv 0 0 1\nv 1 0 1\n\n';
  const told = (text) => ({ name: 'NavError', code: 'file', message: text });
  assert.throws(() => parseObj(`${corner}f 1 2 99\n`, { name: 'a.obj' }),
    told('a.obj has no triangles that can be read: line 6 names vertex 99, and 3 vertices precede it'));
  assert.throws(() => parseObj('f 1 2 3\n', { name: 'a.obj' }), told('a.obj has no vertices: line 1 names vertex 1, and no vertices precede it'));
  const warnings = [];
  for (const face of ['f 0 1 2', 'f 1 2 -5', 'f 3 2 1 4', `f 1 2 \\7${' '.repeat(600)}`]) {
    parseObj(`${corner}f 1 2 3\n${face}\nf 9 9 9\n`, { onWarning: (warning) => warnings.push(warning.replace(/^.*: /, '')) });
  }
  assert.deepEqual(warnings, [0, -5, 4, 7].map((index) => `line 7 names vertex ${index}, and 3 vertices precede it`));
});

test('OBJ: missing coordinates repeat, continued and long rows, CR LF', () => {
  assert.equal([...parse('v 1 2 3\nv 4\nv # nothing\nf 1 2 3 # a comment').positions].join(), '1,2,3,4,2,3,4,2,3');
  assert.equal(toText(parse('v 0 0 0\nv 0 0#x\nv 1 0 1#y\nf 1 2 3#z\nf 1 2#4 3\nf 1/1#4\nf 1 3 2 \v\n')), '0,0,0,0,0,0,1,0,1 | 0,1,2,0,2,1', 'comments directly behind a number');
  assert.equal(toText(parse('v 0 0 0\r\nv 0 0 1\r\nv 1 0 1\r\nf 1 2 3\r\n')), '0,0,0,0,0,1,1,0,1 | 0,1,2');
  assert.equal([...parse('v 0 0 0\nv 0 0 1\nv 1 0 1\nf 1\\ 2 3\n').indices].join(), '0,1,2');
  const long = `v 0 0 0\nv 0 0 1\nv 1 0 1\nf 1 2 3${' '.repeat(600)}4\n`;
  assert.equal([...parse(long).indices].join(), '0,1,2', 'rows are cut at 511 characters');
});

test('OBJ: text in place of a number is an error that names its line', () => {
  const corner = 'v 0 0 0\nv 0 0 1\nv 1 0 1\n';
  for (const [row, word, rule] of [['v a b c', 'a', 'must be a number'], ['v 1 2,5 3', '2,5', 'must be a number'], ['v 1 2 1.0abc', '1.0abc', 'must be a number'],
    ['v 0x10 0 0', '0x10', 'must be a number'], ['f 1 two 3', 'two', 'must be a vertex like 3, 3/1 or -1'], ['f 1 2 3x', '3x', 'must be a vertex like 3, 3/1 or -1'],
    ['f 1 2.5 3', '2.5', 'must be a vertex like 3, 3/1 or -1'], ['f 1 - 3', '-', 'must be a vertex like 3, 3/1 or -1']]) {
    assert.throws(() => parse(`${corner}${row}\nf 1 2 3\n`), { name: 'NavError', code: 'file', message: `test.obj is damaged: line 4 has "${word}": ${rule}` }, row);
  }
  const others = 'vp 0.5 0.25\nvn x\nvt y\nfoo 1 2 3\nversion 3\n';
  assert.equal(toText(parse(`${others}${corner}${others}v 1e-3 +2. .5 red\nf 1/9/x 2// 3 # f 1 2 3\nf +1 2 -1\n`)), '0,0,0,0,0,1,1,0,1,0.0010000000474974513,2,0.5 | 0,1,2,0,1,3');
});

test('OBJ: numbers are rounded to float32 once', () => {
  const read = (text) => {
    const bytes = new TextEncoder().encode(text);
    return new NumberReader().readFloat(bytes, 0, bytes.length);
  };
  assert.equal(read('16777217'), 16777216); // a tie goes to the even neighbour
  assert.equal(read('16777217.0000000000001'), 16777218); // not a tie, though its float64 is
  assert.equal(read('-16777217.0000000000001'), -16777218);
  assert.equal(read('16777216.9999999999999'), 16777216);
  assert.deepEqual([read('3.4028235e38'), read('3.4028236e38')], [(2 - 2 ** -23) * 2 ** 127, Infinity]);
  assert.equal(read(' \t-.5e1'), -5);
  assert.ok(Number.isNaN(read('nan')));
  assert.equal(read('-inf'), -Infinity);
  assert.equal(read('abc'), undefined);
});

test('OBJ: files that are none', () => {
  const isFile = { name: 'NavError', code: 'file' };
  assert.throws(() => parse(''), { ...isFile, message: /empty/ });
  assert.throws(() => parse('hello\nworld'), { ...isFile, message: /no vertices/ });
  assert.throws(() => parse('v 0 0 0\nv 1 1 1\n'), { ...isFile, message: /no triangles/ });
  assert.throws(() => parseObj(Uint8Array.of(118, 0, 1, 2), { name: 'x.obj' }), { ...isFile, message: /not text/ });
  assert.throws(() => parse('v 0 0 0\nv 0 0 1\nv 1 0 1\nf 1 2 3\nf 1 2'), { ...isFile, message: /truncated/ });
});

// ---- glTF ------------------------------------------------------------------------------------------------------

/** A document with one primitive: a unit square, facing up. */
function makeDocument({ mode = 4, positions = [0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0], indices = [0, 1, 2, 0, 2, 3] } = {}) {
  const document = new Document();
  const buffer = document.createBuffer();
  const primitive = document.createPrimitive().setMode(mode).setAttribute('POSITION',
    document.createAccessor().setType('VEC3').setArray(new Float32Array(positions)).setBuffer(buffer));
  if (indices) primitive.setIndices(document.createAccessor().setType('SCALAR').setArray(new Uint16Array(indices)).setBuffer(buffer));
  const mesh = document.createMesh().addPrimitive(primitive);
  const node = document.createNode().setMesh(mesh);
  const scene = document.createScene().addChild(node);
  return { document, buffer, mesh, node, scene, primitive };
}

async function writeAndRead(context, document, name = 'level.glb') {
  const path = join(makeFolder(context), name);
  await new NodeIO().registerExtensions(ALL_EXTENSIONS).write(path, document);
  return readLevel(path);
}

test('OBJ: names of objects, groups and materials choose faces and give areas', () => {
  const text = `v 0 0 0\nv 0 0 1\nv 1 0 1\nf 1 2 3\no yard\nf 1 2 3\ng floor ramp\nusemtl mud wet\nf 1 2 3\r\ng\nf 1 2 3\no crates # old\nusemtl grass\nf 1 2 3\n`;
  const read = (/** @type {import('../../js/level/obj.js').ObjOptions} */ options) => parseObj(text, options);
  const areasOf = (/** @type {Record<string, number>} */ areas) => Array.from(read({ areas }).areas ?? []);
  assert.equal(read({}).areas, undefined);
  assert.equal(read({}).indices.length, 3 * 5);
  assert.deepEqual(areasOf({ yard: 1 }), [63, 1, 1, 1, 63]);
  assert.deepEqual(areasOf({ ramp: 2 }), [63, 63, 2, 63, 63]);
  assert.deepEqual(areasOf({ 'mud*': 3, yard: 1 }), [63, 1, 3, 3, 63]);
  assert.deepEqual(areasOf({ grass: 0 }), [63, 63, 63, 63, 0]);
  assert.deepEqual(areasOf({ 'crates*': 4 }), [63, 63, 63, 63, 4]);
  for (const [options, count] of /** @type {const} */ ([
    [{ include: ['yard'] }, 3], [{ exclude: ['mud wet'] }, 3], [{ include: ['floor', 'grass'] }, 2], [{ exclude: ['yard', 'grass'] }, 1],
  ])) assert.equal(read({ include: undefined, ...options }).indices.length, 3 * count, JSON.stringify(options));
  assert.deepEqual(Array.from(read({ exclude: ['yard'], areas: { grass: 7 } }).areas ?? []), [63, 7]);
  assert.throws(() => read({ include: ['roof'] }), { code: 'file', message: /has no triangles, or all are left out/ });
  assert.throws(() => read({ areas: { mud: 64 } }), { code: 'invalid-argument', field: 'areas' });
  assert.throws(() => read({ include: /** @type {any} */ ('yard') }), { code: 'invalid-argument', field: 'include' });
});

test('OBJ: a pattern of names that matches nothing is a warning of the bake', async () => {
  const walkmesh = await load();
  const level = parseObj('v 0 0 0\nv 0 0 9\nv 9 0 9\nv 9 0 0\nusemtl grass\nf 1 2 3 4\n', { exclude: ['tree*'], areas: { grass: 5 } });
  const { report, navMesh } = walkmesh.bake(level);
  assert.ok(report.warnings.some((text) => text.includes("exclude: 'tree*' is the name of no object, group or material")), report.warnings.join());
  assert.equal(navMesh.polygonArea(navMesh.nearestPoint([4, 0, 4])?.polygon ?? 0), 5);
  navMesh.free();
});

test('glTF: binary and text, indexed or not, triangles, strips and fans all face up', async (context) => {
  const corners = [0, 0, 0, 0, 0, 1, 1, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0];
  const variants = [{}, { positions: corners, indices: null },
    { mode: 5, positions: [0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1], indices: [0, 1, 2, 3] },
    { mode: 5, positions: [0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 1], indices: null }, { mode: 6, indices: [0, 1, 2, 3] }];
  for (const variant of variants) {
    for (const name of ['level.glb', 'level.gltf']) {
      const level = await writeAndRead(context, makeDocument(variant).document, name);
      assert.deepEqual(sumNormals(level), [0, 1, 0], JSON.stringify(variant));
      assert.equal(level.indices.length, 6);
    }
  }
});

test('glTF: every node with its world matrix; mirrored ones keep facing up', async (context) => {
  const { document, mesh, node, scene } = makeDocument();
  node.setTranslation([10, 5, 0]).setScale([2, 1, 3]);
  const parent = document.createNode().setTranslation([0, 0, 100]).setScale([-1, 1, 1]);
  scene.addChild(parent.addChild(document.createNode().setMesh(mesh).setTranslation([1, 0, 0])));
  const level = await writeAndRead(context, document);
  assert.deepEqual(sumNormals(level), [0, 7, 0]);
  assert.deepEqual([...level.positions.subarray(6, 9)], [12, 5, 3]);
  assert.deepEqual([...level.positions.subarray(12, 15)], [-1, 0, 100]);
});

test('glTF: points and lines are skipped, other scenes too, and instances laid out', async (context) => {
  const { document, buffer, mesh, node, primitive } = makeDocument();
  const lines = document.createPrimitive().setMode(1).setAttribute('POSITION', primitive.getAttribute('POSITION'));
  mesh.addPrimitive(lines);
  document.createScene('another').addChild(document.createNode().setMesh(mesh));
  const instances = document.createExtension(EXTMeshGPUInstancing).createInstancedMesh();
  instances.setAttribute('TRANSLATION', document.createAccessor().setType('VEC3').setBuffer(buffer)
    .setArray(new Float32Array([0, 0, 0, 5, 0, 0, 0, 0, 5])));
  node.setExtension('EXT_mesh_gpu_instancing', instances);
  const level = await writeAndRead(context, document);
  assert.deepEqual(sumNormals(level), [0, 3, 0]);
  assert.equal(Math.max(...level.positions), 6);
});

/** A square named decor_x below a node named yard, with marks in extras. */
function makeMarked({ ofNode, ofMesh, ofMaterial, ofParent }) {
  const made = makeDocument(), { document, node, mesh, primitive, scene } = made;
  const extras = (walkmesh) => (walkmesh === undefined ? {} : { walkmesh });
  scene.removeChild(node);
  scene.addChild(document.createNode('yard').setExtras(extras(ofParent)).addChild(node.setName('decor_x').setExtras(extras(ofNode))));
  mesh.setName('hull').setExtras(extras(ofMesh));
  primitive.setMaterial(document.createMaterial('mud').setExtras(extras(ofMaterial)));
  return new NodeIO().writeBinary(document);
}

test('glTF: a mark that an exporter wrote as JSON text is read', async () => {
  const areas = async (marks, options) => [...(await readGltf(await makeMarked(marks), options)).areas ?? ['none']].join();
  for (const owner of ['ofNode', 'ofMesh', 'ofMaterial', 'ofParent']) {
    assert.equal(await areas({ [owner]: '{ "area": 5 }' }), '5,5', owner);
    await assert.rejects(areas({ [owner]: ' {"ignore": true}' }), { message: 'the glTF file has no triangles, or all are left out' }, owner);
    for (const text of ['ignore', '{ ignore: true }', '5', '[1]', 'null', '']) {
      await assert.rejects(areas({ [owner]: text }), { name: 'NavError', code: 'file',
        message: new RegExp(`extras.walkmesh is ${JSON.stringify(text).replace(/[[\]{}]/g, '\\$&')}: must be an object, or a custom property of type String with the JSON text`) }, `${owner} ${text}`);
    }
    await assert.rejects(areas({ [owner]: '{"area": 99}' }), { message: /extras.walkmesh.area is 99/ }, owner);
  }
});

test('glTF: the marks of a node, mesh or material that is excluded by name are not read', async () => {
  const bad = 'ignore';
  for (const [marks, pattern] of [[{ ofNode: bad, ofMesh: bad, ofMaterial: bad }, 'decor*'], [{ ofParent: bad, ofNode: bad }, 'yard'], [{ ofMaterial: bad }, 'mud']]) {
    await assert.rejects(makeMarked(marks).then((bytes) => readGltf(bytes, { exclude: [pattern] })), { message: 'the glTF file has no triangles, or all are left out' }, pattern);
    await assert.rejects(makeMarked(marks).then((bytes) => readGltf(bytes)), { message: /extras.walkmesh is "ignore"/ });
  }
});

test('glTF: a skinned mesh stands where its joints are, whatever the transform of its node', async () => {
  const { document, buffer, node, scene, primitive, mesh } = makeDocument();
  const column = (type, array) => document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
  const unit = (x, y, z) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];
  const joints = column('VEC4', new Uint8Array([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0]));
  const weights = column('VEC4', new Float32Array([0, 0, 0, 0, 2, 0, 0, 0, 0.5, 0.5, 0, 0, 1, 0, 0, 0]));
  primitive.setAttribute('JOINTS_0', joints).setAttribute('WEIGHTS_0', weights).setAttribute('COLOR_0', weights);
  const [low, high] = [document.createNode().setTranslation([0, 7, 0]), document.createNode().setTranslation([0, 1, 0])];
  const armature = document.createNode().setScale([2, 2, 2]).addChild(low.addChild(high));
  const skin = document.createSkin().addJoint(low).addJoint(high).setInverseBindMatrices(column('MAT4', new Float32Array([...unit(0, -3, 0), ...unit(0, -4, 0)])));
  scene.addChild(armature);
  node.setTranslation([50, 3, 0]).setSkin(skin);
  const read = async () => toText(await readGltf(await new NodeIO().writeBinary(document)));
  // Heights: 2 (7 - 3), and for the second joint 2 (7 + 1 - 4); x and z twice as large.
  assert.equal(await read(), '0,8,0,0,8,2,2,8,2,2,8,0 | 0,1,2,0,2,3');
  high.setTranslation([0, 3, 0]);
  assert.equal(await read(), '0,8,0,0,8,2,2,10,2,2,12,0 | 0,1,2,0,2,3');
  skin.setInverseBindMatrices(null);
  assert.equal(await read(), '0,14,0,0,14,2,2,17,2,2,20,0 | 0,1,2,0,2,3');
  scene.addChild(document.createNode().setMesh(mesh));
  assert.equal((await read()).split(' ')[0], '0,14,0,0,14,2,2,17,2,2,20,0,0,0,0,0,0,1,1,0,1,1,0,0', 'the mesh without the skin is where its node is');
  joints.setElement(2, [0, 5, 0, 0]);
  await assert.rejects(read(), isFile(/a vertex has the joint 5, and its skin 2 joints/));
});

test('glTF: skins that name what is not there are refused, if a mesh has them', async () => {
  const make = (skin, node = { mesh: 0, skin: 0 }) => readGltf(JSON.stringify({
    asset: { version: '2.0' }, buffers: [{ byteLength: 36, uri: `data:;base64,${Buffer.from(new Float32Array([0, 0, 0, 0, 0, 1, 1, 0, 0]).buffer).toString('base64')}` }],
    bufferViews: [{ buffer: 0, byteLength: 36 }], accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' }, { componentType: 5126, count: 3, type: 'VEC4' },
      { componentType: 5121, count: 2, type: 'VEC4' }, { componentType: 5126, count: 1, type: 'MAT4' }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, WEIGHTS_0: 1, JOINTS_0: 2 } }] }], nodes: [node, {}], scenes: [{ nodes: [0, 1] }], skins: [skin],
  }));
  for (const [skin, message] of [[{ joints: [9] }, /skin 0 names the node 9, which does not exist/], [{}, /skin 0 has no joints/], [{ joints: [] }, /skin 0 has no joints/],
    [{ joints: [1], inverseBindMatrices: 0 }, /skin 0 uses accessor 0 of type VEC3: must be MAT4/], [{ joints: [0, 1], inverseBindMatrices: 3 }, /2 joints and 1 inverse bind matrices/],
    [{ joints: [1] }, /3 vertices, and joints or weights for fewer/]]) await assert.rejects(make(skin), isFile(message));
  await assert.rejects(make({ joints: [1] }, { mesh: 0, skin: 4 }), isFile(/a node names the skin 4/));
  await assert.rejects(make({ joints: Array(300_000).fill(1) }), { code: 'limit' });
  assert.equal((await make({ joints: [9] }, { mesh: 0 })).indices.length, 3);
});

test('glTF: quantized positions', async (context) => {
  const { document, primitive, node } = makeDocument();
  document.createExtension(KHRMeshQuantization).setRequired(true);
  primitive.getAttribute('POSITION').setArray(new Int16Array([0, 0, 0, 0, 0, 100, 100, 0, 100, 100, 0, 0]));
  node.setScale([0.01, 0.01, 0.01]);
  assert.deepEqual(sumNormals(await writeAndRead(context, document)), [0, 1, 0]);
});

test('glTF: files that are none', async (context) => {
  const folder = makeFolder(context);
  const { document } = makeDocument();
  const whole = Buffer.from(await new NodeIO().writeBinary(document));
  const files = { 'empty.glb': '', 'text.glb': 'hello world, this is no glTF', 'cut.glb': whole.subarray(0, whole.length - 40),
    'short.glb': whole.subarray(0, 10), 'text.gltf': '{"asset":', 'bare.gltf': '{"asset":{"version":"2.0"}}' };
  for (const [name, contents] of Object.entries(files)) {
    const path = join(folder, name);
    writeFileSync(path, contents);
    await assert.rejects(readLevel(path), { name: 'NavError', code: 'file' }, name);
  }
  await assert.rejects(readLevel(join(folder, 'missing.glb')), { name: 'NavError', code: 'file', message: /does not exist/ });
  await assert.rejects(readLevel(folder), { name: 'NavError', code: 'file' });
  await assert.rejects(readLevel('level.fbx'), { name: 'NavError', code: 'file', message: /\.obj, \.glb or \.gltf/ });
});

// ---- Bytes, as a page receives them ------------------------------------------------------------------------------

const SQUARE = '0,0,0,0,0,1,1,0,1,1,0,0 | 0,1,2,0,2,3';
const isFile = (message) => ({ name: 'NavError', code: 'file', message });

test('OBJ: bytes, buffers and text; progress goes from 0 to 1; options are checked', () => {
  const text = 'v 0 0 0\nv 0 0 1\nv 1 0 1\nf 1 2 3\n';
  const bytes = new TextEncoder().encode(text);
  for (const data of [text, bytes, bytes.buffer]) assert.equal(toText(parseObj(data)), '0,0,0,0,0,1,1,0,1 | 0,1,2');
  const shares = [];
  parseObj(text + '# a line of no account\n'.repeat(200_000), { onProgress: (share) => shares.push(share) });
  assert.ok(shares.length >= 3 && shares.every((share, i) => share > (shares[i - 1] ?? 0) && share <= 1), shares.join());
  assert.throws(() => parseObj(7), { code: 'invalid-argument', field: 'data' });
  assert.throws(() => parseObj(text, { names: 'x' }), { code: 'invalid-argument', message: /did you mean name/ });
  assert.throws(() => parseObj(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0), { name: 'a.obj' }), isFile(/^a\.obj is not an OBJ file: it is a PNG/));
});

test('glTF: from bytes, wherever they lie; the files that it names are asked for, pictures are not', async () => {
  const { document, buffer, primitive } = makeDocument();
  buffer.setURI('a%20b.bin');
  const texture = document.createTexture().setImage(Uint8Array.of(1, 2, 3)).setMimeType('image/png').setURI('picture.png');
  primitive.setMaterial(document.createMaterial().setBaseColorTexture(texture));
  const { json, resources } = await new WebIO().writeJSON(document);
  const text = JSON.stringify(json);
  const asked = [];
  const level = await readGltf(text, { resources: async (address) => {
    asked.push(address);
    return resources[address];
  } });
  assert.deepEqual([toText(level), asked], [SQUARE, ['a%20b.bin']]);
  assert.equal(toText(await readGltf(new TextEncoder().encode(text), { resources })), SQUARE);
  await assert.rejects(readGltf(text, { name: 'x.gltf' }), isFile(/^x\.gltf needs the file a%20b\.bin: pass it in resources/));
  await assert.rejects(readGltf(text, { resources: { 'a%20b.bin': new Uint8Array(3) } }), isFile(/needs \d+ bytes of a%20b\.bin, which has 3/));
  await assert.rejects(readGltf(text, { resources: { 'a%20b.bin': 3 } }), { code: 'invalid-argument', field: 'resources[a%20b.bin]' });
  const embedded = { ...json, buffers: [{ ...json.buffers[0], uri: `data:application/octet-stream;base64,${
    Buffer.from(resources['a%20b.bin']).toString('base64')}` }] };
  assert.equal(toText(await readGltf(JSON.stringify(embedded))), SQUARE);
  const glb = await new WebIO().writeBinary(makeDocument().document);
  for (const shift of [0, 1, 2, 3]) {
    const shifted = new Uint8Array(glb.length + shift + 5);
    shifted.set(glb, shift);
    assert.equal(toText(await readGltf(shifted.subarray(shift, shift + glb.length))), SQUARE);
  }
});

test('glTF: what is no glTF file is named', async () => {
  const reads = [
    [Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10), /^the glTF file is not a glTF file: it is a PNG picture$/],
    ['', /is empty/], ['just some words', /neither GLB nor JSON/], ['{"asset":', /truncated or damaged/], ['{}', /no asset\.version/],
    ['{"asset":{"version":"1.0"}}', /is glTF 1\.0: use glTF 2\.0/], ['{"asset":{"version":"2.0"}}', /has no triangles/],
    ['{"asset":{"version":"2.0"},"meshes":7}', /truncated or damaged/],
    ['levels/house.glb', /^the glTF file is the path levels\/house\.glb: read the file first, and pass its bytes$/],
    [JSON.stringify({ asset: { version: '2.0' }, buffers: [{ byteLength: 4 }] }), /is damaged: buffer 0 has no uri, and the file has no binary chunk$/],
  ];
  for (const [data, message] of reads) await assert.rejects(readGltf(data), isFile(message));
});

test('glTF: a vertex that is not finite is told with its node and mesh; unused ones are 0', async () => {
  const { document, primitive, mesh, node } = makeDocument();
  mesh.setName('floor');
  node.setName('hall');
  primitive.getAttribute('POSITION').setElement(3, [1, NaN, 0]);
  const bytes = async () => new NodeIO().writeBinary(document);
  await assert.rejects(bytes().then(readGltf), isFile('the glTF file has the node "hall" with the mesh "floor": vertex 3 is at (1, NaN, 0): must be finite'));
  primitive.getAttribute('POSITION').setElement(3, [1e30, 0, 0]);
  node.setScale([1e30, 1, 1]);
  await assert.rejects(bytes().then(readGltf), isFile(/vertex 3 exceeds the range of float32 in world space$/));
  primitive.getIndices().setArray(new Uint16Array([0, 1, 2]));
  assert.equal(toText(await readGltf(await bytes())).split(',').slice(9, 12).join(), '0,0,0 | 0');
});

test('glTF: cut off anywhere, or with any byte changed, it is read or refused', async () => {
  const { document, buffer, node } = makeDocument();
  node.setTranslation([1, 2, 3]);
  buffer.setURI('x.bin');
  const glb = await new WebIO().writeBinary(document);
  for (let length = 0; length < glb.length; length++) {
    await assert.rejects(readGltf(glb.subarray(0, length)), { name: 'NavError', code: 'file' }, `${length} bytes`);
  }
  for (let at = 0; at < glb.length; at++) {
    const changed = glb.slice();
    changed[at] ^= 1 << (at % 8);
    try {
      const { positions, indices } = await readGltf(changed);
      assert.ok(indices.length > 0 && indices.length % 3 === 0 && indices.every((index) => index < positions.length / 3));
    } catch (error) {
      assert.equal(error.code, 'file', `byte ${at}: ${error.stack}`);
    }
  }
});

test('glTF: a few bytes that ask for much, or nest for ever, are refused before anything is made of them', async () => {
  const corners = Buffer.from(new Float32Array([0, 0, 0, 0, 0, 1, 1, 0, 0]).buffer);
  const position = { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' };
  const make = (changes) => JSON.stringify({
    asset: { version: '2.0' }, buffers: [{ byteLength: 36, uri: `data:application/octet-stream;base64,${corners.toString('base64')}` }],
    bufferViews: [{ buffer: 0, byteLength: 36 }], accessors: [position], meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    nodes: [{ mesh: 0 }], scenes: [{ nodes: [0] }], ...changes,
  });
  const isLimit = (message) => ({ name: 'NavError', code: 'limit', field: 'maxTriangles', message });
  assert.equal((await readGltf(make({}), { maxTriangles: 1 })).indices.length, 3);
  // These accessors have no data: without the check, they would be gigabytes of zeros.
  const zeros = (count, type = 'VEC3') => ({ componentType: 5126, count, type });
  await assert.rejects(readGltf(make({ accessors: [zeros(3e8)] })), isLimit(/has 900000000 numbers/));
  const instanced = (count) => make({ accessors: [position, zeros(count)], extensionsUsed: ['EXT_mesh_gpu_instancing'],
    nodes: [{ mesh: 0, extensions: { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 1 } } } }] });
  await assert.rejects(readGltf(instanced(3e7)), isLimit(/has 90000000 vertices/));
  assert.equal((await readGltf(instanced(5), { maxTriangles: 5 })).indices.length, 15);
  await assert.rejects(readGltf(instanced(6), { maxTriangles: 5 }), isLimit(/has 18 vertices/));
  const many = Array.from({ length: 5 }, () => ({ mesh: 0 }));
  await assert.rejects(readGltf(make({ nodes: many }), { maxTriangles: 4 }), isLimit(/has 15 vertices/));
  const strip = make({ accessors: [position, { ...zeros(30, 'SCALAR'), componentType: 5123 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, mode: 5 }] }] });
  await assert.rejects(readGltf(strip, { maxTriangles: 29 }), isLimit(/has 90 triangle vertices/));
  const view = { buffer: 0, byteLength: 1, extensions: { EXT_meshopt_compression: { buffer: 0, byteLength: 1, byteStride: 12, count: 1e9 } } };
  await assert.rejects(readGltf(make({ bufferViews: [view], extensionsUsed: ['EXT_meshopt_compression'] })), isLimit(/has 12000000000 bytes of unpacked views/));
  for (const count of [-1, 1.5, '3', {}]) {
    await assert.rejects(readGltf(make({ accessors: [{ ...position, count }] })), isFile(/is damaged: the count of accessor 0/));
  }
  const deep = [...Array.from({ length: 20000 }, (_, i) => ({ children: [i + 1] })), { mesh: 0 }];
  for (const nodes of [deep, [{ children: [0], mesh: 0 }], [{ children: [1] }, { children: [0], mesh: 0 }]]) {
    await assert.rejects(readGltf(make({ nodes })), isFile(/is damaged: node \d+ is nested more than 1000 deep, or in itself/));
  }
  for (const maxTriangles of [0, NaN, '5', null]) {
    await assert.rejects(readGltf(make({}), { maxTriangles }), { code: 'invalid-argument', field: 'maxTriangles' });
  }
});

test('glTF: a file of the disk reads others of its folder and below, and nothing else', async (context) => {
  const folder = makeFolder(context);
  const { document, buffer } = makeDocument();
  buffer.setURI('parts/a b.bin');
  const { json, resources } = await new WebIO().writeJSON(document);
  mkdirSync(join(folder, 'level', 'parts'), { recursive: true });
  const [contents] = Object.values(resources);
  const [inside, outside] = [join(folder, 'level', 'parts', 'a b.bin'), join(folder, 'secret.bin')];
  for (const path of [inside, outside]) writeFileSync(path, contents);
  const path = join(folder, 'level', 'level.gltf');
  const write = (uri) => writeFileSync(path, JSON.stringify({ ...json, buffers: [{ ...json.buffers[0], uri }] }));
  for (const uri of ['parts/a b.bin', 'parts/a%20b.bin', './parts/../parts/a%20b.bin']) {
    write(uri);
    assert.equal(toText(await readLevel(path)), SQUARE);
  }
  for (const uri of ['../secret.bin', '..%2Fsecret.bin', 'parts/../../secret.bin', '..', '../level/../secret.bin']) {
    write(uri);
    await assert.rejects(readLevel(path), isFile(/which is outside its folder/), uri);
  }
  write('%');
  await assert.rejects(readLevel(path), isFile(/names the file %, which is not a valid address/));
  for (const uri of [outside, `file://${outside}`, 'http://127.0.0.1:9/a.bin']) {
    write(uri);
    await assert.rejects(readLevel(path), isFile(/does not exist/), uri); // searched below the folder
  }
});

test('glTF: meshopt is unpacked by the decoder that is given, or the one that is installed', async () => {
  await MeshoptEncoder.ready;
  const { document } = makeDocument();
  document.createExtension(EXTMeshoptCompression).setRequired(true).setEncoderOptions({ method: EXTMeshoptCompression.EncoderMethod.QUANTIZE });
  const glb = await new WebIO().registerExtensions([EXTMeshoptCompression])
    .registerDependencies({ 'meshopt.encoder': MeshoptEncoder }).writeBinary(document);
  assert.match(Buffer.from(glb).toString('latin1'), /EXT_meshopt_compression/);
  for (const decoders of [{ meshopt: MeshoptDecoder }, { meshopt: async () => MeshoptDecoder }, undefined]) {
    assert.deepEqual(sumNormals(await readGltf(glb, { decoders })), [0, 1, 0]);
  }
  const json = '{"asset":{"version":"2.0"},"extensionsUsed":["KHR_draco_mesh_compression"]}';
  await assert.rejects(readGltf(json), isFile(/compressed with KHR_draco_mesh_compression: install the package draco3dgltf/));
});
