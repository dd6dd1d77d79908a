// glTF files that lie about their bytes, or ask for work without end: js/level/gltf-layout.js, gltf-limits.js, gltf-buffers.js.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseObj, readGltf } from '../../js/level/index.js';
import { makeRandom } from './random.js';

const isDamaged = (message) => ({ name: 'NavError', code: 'file', message });
const isLimit = (message) => ({ name: 'NavError', code: 'limit', field: 'maxTriangles', message });

/** Ten vertices and four triangles of 16-bit indices. */
const NUMBERS = Float32Array.from({ length: 30 }, (_, i) => i % 7);
const INDICES = Uint16Array.of(0, 1, 2, 1, 2, 3, 2, 3, 4, 4, 5, 6);
const OWN = new Uint8Array(NUMBERS.byteLength + INDICES.byteLength);
OWN.set(new Uint8Array(NUMBERS.buffer));
OWN.set(new Uint8Array(INDICES.buffer), NUMBERS.byteLength);

/** The file, with the resource `own.bin`. Every change is made to a fresh copy. */
function makeFile(change = () => {}) {
  const file = {
    asset: { version: '2.0' }, extensionsUsed: ['EXT_mesh_gpu_instancing', 'KHR_mesh_quantization'],
    buffers: [{ uri: 'own.bin', byteLength: OWN.length }],
    bufferViews: [{ buffer: 0, byteOffset: 0, byteLength: 120 }, { buffer: 0, byteOffset: 120, byteLength: 24 }],
    accessors: [{ bufferView: 0, byteOffset: 0, componentType: 5126, count: 10, type: 'VEC3' },
      { bufferView: 1, byteOffset: 0, componentType: 5123, count: 12, type: 'SCALAR' }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }], nodes: [{ mesh: 0 }], scenes: [{ nodes: [0] }],
  };
  change(file);
  return JSON.stringify(file);
}

/** Passes the bytes of the file as a part of memory that also has others. @param {Uint8Array} [own] */
function makeResources(own = OWN) {
  const shared = new Uint8Array(own.length + 8192).fill(0x53);
  shared.set(own, 4096);
  return { 'own.bin': shared.subarray(4096, 4096 + own.length) };
}

const read = (change, options = {}) => readGltf(makeFile(change), { resources: makeResources(), ...options });
const sparse = (count, more = {}) => ({ count, indices: { bufferView: 1, componentType: 5123 }, values: { bufferView: 0 }, ...more });

test('hostile glTF: the file without a change is read, also with a sparse accessor', async () => {
  assert.deepEqual((await read()).positions, NUMBERS);
  const { positions } = await read(({ accessors }) => { accessors[0].sparse = sparse(2); });
  assert.deepEqual(positions, NUMBERS);
  const moved = await read(({ accessors }) => {
    accessors[0].sparse = sparse(1, { values: { bufferView: 0, byteOffset: 12 } });
  });
  assert.deepEqual([...moved.positions.subarray(0, 6)], [...NUMBERS.subarray(3, 6), ...NUMBERS.subarray(3, 6)]);
});

test('hostile glTF: offsets of sparse indices and values do not come from their accessor', async () => {
  const { positions } = await read(({ accessors }) => Object.assign(accessors[0], { byteOffset: 24, count: 8, sparse: sparse(1) }));
  assert.deepEqual([...positions.subarray(0, 3)], [...NUMBERS.subarray(0, 3)]);
});

const LIES = {
  'an accessor beyond its view': [({ accessors }) => { accessors[0].count = 11; }, /accessor 0 would need 132 bytes of buffer view 0, which has 120/],
  'an accessor that begins beyond its view': [({ accessors }) => { accessors[0].byteOffset = 4; }, /accessor 0 would need 124 bytes of buffer view 0/],
  'indices beyond their view': [({ accessors }) => { accessors[1].count = 13; }, /accessor 1 would need 26 bytes of buffer view 1, which has 24/],
  'an accessor that no mesh uses': [({ accessors }) => accessors.push({ ...accessors[0], count: 1e9 }), /accessor 2 would need 12000000000 bytes/],
  'an accessor of a type that does not exist': [({ accessors }) => { accessors[0].type = 'constructor'; }, /accessor 0 has the type "constructor"/],
  'an accessor of an unknown number type': [({ accessors }) => { accessors[0].componentType = '5126'; }, /accessor 0 has the type "VEC3" of "5126"/],
  'positions that are no vectors': [({ accessors }) => { accessors[0].type = 'SCALAR'; }, /mesh 0 uses accessor 0 of type SCALAR: must be VEC3/],
  'indices that are fractions': [({ accessors }) => Object.assign(accessors[1], { componentType: 5126, count: 6 }), /the indices of mesh 0 have the type 5126/],
  'an accessor without its view': [({ accessors }) => { accessors[0].bufferView = 9; }, /accessor 0 names the buffer view 9, which does not exist/],
  'an accessor whose view is a name': [({ accessors }) => { accessors[0].bufferView = 'length'; }, /accessor 0 names the buffer view "length"/],
  'an accessor with a negative offset': [({ accessors }) => { accessors[0].byteOffset = -12; }, /the byteOffset of accessor 0 is -12/],
  'an accessor with half a count': [({ accessors }) => { accessors[0].count = 2.5; }, /the count of accessor 0 is 2\.5/],
  'sparse elements without end': [({ accessors }) => { accessors[0].sparse = sparse(1e8); }, /accessor 0 has 10 elements, and 100000000 sparse ones/],
  'sparse indices beyond their view': [({ accessors }) => { accessors[0].sparse = sparse(9, { indices: { bufferView: 1, byteOffset: 8, componentType: 5123 } }); },
    /the sparse indices of accessor 0 would need 26 bytes of buffer view 1, which has 24/],
  'sparse values beyond their view': [({ accessors }) => { accessors[0].sparse = sparse(9, { values: { bufferView: 0, byteOffset: 24 } }); },
    /the sparse values of accessor 0 would need 132 bytes of buffer view 0/],
  'sparse indices of floats': [({ accessors }) => { accessors[0].sparse = sparse(1, { indices: { bufferView: 0, componentType: 5126 } }); },
    /the sparse indices of accessor 0 have the type 5126/],
  'a view beyond its buffer': [({ bufferViews }) => { bufferViews[0].byteLength = 145; }, /buffer view 0 would need 145 bytes of buffer 0, which has 144/],
  'a view that no accessor uses': [({ bufferViews }) => bufferViews.push({ buffer: 0, byteOffset: 140, byteLength: 5 }), /buffer view 2 would need 145 bytes/],
  'a view of no buffer': [({ bufferViews }) => { bufferViews[1].buffer = 1; }, /buffer view 1 names the buffer 1, which does not exist/],
  'a view with a stride of nothing': [({ bufferViews }) => { bufferViews[0].byteStride = 0; }, /elements of 12 bytes, and its buffer view a stride of 0/],
  'a stride that leads out of the view': [({ bufferViews }) => { bufferViews[0].byteStride = 16; }, /accessor 0 would need 156 bytes of buffer view 0/],
  'a compressed view beyond its buffer': [({ bufferViews }) => {
    bufferViews[0].extensions = { EXT_meshopt_compression: { buffer: 0, byteOffset: 0, byteLength: 500, byteStride: 12, count: 10 } };
  }, /the compressed buffer view 0 would need 500 bytes of buffer 0/],
  'a buffer that is longer than its file': [({ buffers }) => { buffers[0].byteLength = 200; }, /needs 200 bytes of own\.bin, which has 144/],
  'an image beside all views': [(file) => { file.images = [{ bufferView: 7 }]; }, /image 0 names the buffer view 7/],
  'instances that differ in number': [(file) => {
    file.accessors.push({ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' }, { bufferView: 0, componentType: 5126, count: 2, type: 'VEC3' });
    file.nodes[0].extensions = { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 2, SCALE: 3 } } };
  }, /the instances of node 0 have attributes of 3 and 2 elements/],
};

for (const [what, [change, message]] of Object.entries(LIES)) {
  test(`hostile glTF: ${what} is refused by name`, async () => {
    await assert.rejects(read(change), isDamaged(message));
  });
}

test('hostile glTF: what is in memory beside the data of an address or a file is never read', async () => {
  const data = `data:application/octet-stream;base64,${Buffer.from(OWN).toString('base64')}`;
  const secret = Buffer.from('session=5f3a; password=hunter2; '.repeat(8)); // in the same pool as small buffers
  assert.ok(secret.length < Buffer.poolSize);
  for (const uri of [data, 'own.bin']) {
    await assert.rejects(read(({ buffers, bufferViews, accessors }) => {
      buffers[0].uri = uri;
      bufferViews[0].byteLength = 144;
      accessors[0].count = 60;
    }), isDamaged(/accessor 0 would need 720 bytes of buffer view 0, which has 144/));
  }
  const { positions } = await read(({ buffers }) => { buffers[0].uri = data; });
  assert.deepEqual(positions, NUMBERS);
});

/** Every number and word in the file's lists. */
function listPlaces(value, path = []) {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, part]) => listPlaces(part, [...path, name]));
}

test('hostile glTF: with any fields changed it is refused, or read from its own bytes, 3,000 files', async () => {
  const { below } = makeRandom(9);
  const whole = JSON.parse(makeFile(({ accessors }) => { accessors[0].sparse = sparse(2, {
    indices: { bufferView: 1, byteOffset: 2, componentType: 5123 }, values: { bufferView: 0, byteOffset: 12 } }); }));
  const places = listPlaces(whole).filter(([first]) => first !== 'asset');
  const values = [0, 1, 2, 3, 4, 9, 10, 11, 12, 24, 100, 120, 144, 145, 4095, 65535, 1e6, 2 ** 31, 2 ** 32, 2 ** 53, -1, -12, 0.5, 1e308, null, '', '1', [], {},
    true, 'VEC4', 'toString', '__proto__', 5120, 5125];
  const pick = (list) => list[below(list.length)];
  let read = 0;
  for (let round = 0; round < 3000; round++) {
    const file = structuredClone(whole);
    for (let change = 0; change < 1 + round % 3; change++) {
      const path = pick(places);
      const owner = path.slice(0, -1).reduce((part, name) => part?.[name], file);
      if (typeof owner === 'object' && owner !== null) owner[path.at(-1)] = pick(values);
    }
    try {
      const { positions } = await readGltf(JSON.stringify(file), { resources: makeResources(), maxTriangles: 1000 });
      read++;
      const bytes = new Uint8Array(positions.buffer);
      for (let i = 0; i + 4 <= bytes.length; i += 4) {
        assert.ok(bytes.subarray(i, i + 4).some((byte) => byte !== 0x53), `round ${round}: ${JSON.stringify(file)}`);
      }
    } catch (error) {
      assert.ok(error.name === 'NavError' && ['file', 'limit'].includes(error.code), `round ${round}: ${error.stack}`);
    }
  }
  assert.ok(read > 100, `${read} files are read`);
});

test('hostile glTF: counts are held against the limit before a file is asked for', async () => {
  const never = () => assert.fail('a file was asked for');
  const refuse = (change, message, maxTriangles = 10) => assert.rejects(
    readGltf(makeFile(change), { resources: never, maxTriangles }), isLimit(message));
  const zeros = (count) => ({ componentType: 5126, count, type: 'VEC3' });
  await refuse(({ accessors }) => { accessors[0] = zeros(1e8); }, /has 300000012 numbers/);
  await refuse(({ accessors }) => { accessors[0] = { ...zeros(40), sparse: sparse(10, { values: { bufferView: 0, byteOffset: 0 } }) }; }, /has 162 numbers/);
  await refuse((file) => {
    file.accessors.push({ ...zeros(0), count: 50 });
    file.accessors[0].count = 0;
    file.nodes[0].extensions = { EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 2 } } };
    delete file.meshes[0].primitives[0].indices;
  }, /has 50 vertices/);
  const many = (count, item) => Array.from({ length: count }, item);
  await refuse((file) => { file.nodes = many(11_000, () => ({})); }, /has 11\d\d\d nodes, meshes and other objects: more than 10010/);
  await refuse((file) => {
    file.accessors[0].count = 0;
    file.meshes[0].primitives = many(200, () => ({ attributes: { POSITION: 0 } }));
    file.nodes = many(200, () => ({ mesh: 0 }));
  }, /has \d+ meshes and materials of nodes: more than 10010/);
  await refuse((file) => { file.nodes = many(300_000, () => ({})); }, /more than 250000/, 2e7);
});

test('hostile glTF: nodes of many ancestors together are refused', async () => {
  const nodes = [];
  for (let chain = 0; chain < 24; chain++) {
    for (let i = 0; i < 1000; i++) nodes.push(i < 999 ? { mesh: 0, children: [nodes.length + 1] } : { mesh: 0 });
  }
  await assert.rejects(read((file) => { file.nodes = nodes; }), isDamaged(/its nodes have 11988000 ancestors together, more than 10000000/));
});

test('hostile glTF: a level that uses all that maxTriangles allows is read', async () => {
  const corners = new Uint8Array(Float32Array.from({ length: 18 }, (_, i) => i * i % 11).buffer);
  const order = new Uint8Array(Uint16Array.of(0, 1, 2, 3, 4, 5).buffer);
  const own = new Uint8Array([...corners, ...order]);
  const file = makeFile(({ buffers, bufferViews, accessors }) => {
    buffers[0].byteLength = own.length;
    Object.assign(bufferViews[0], { byteLength: 72 });
    Object.assign(bufferViews[1], { byteOffset: 72, byteLength: 12 });
    accessors[0].count = accessors[1].count = 6;
  });
  assert.equal((await readGltf(file, { resources: makeResources(own), maxTriangles: 2 })).indices.length, 6);
});

test('hostile glTF: a file of many buffers asks for each address once, and only for own properties', async () => {
  const asked = [];
  await read((file) => { file.buffers.push(...Array.from({ length: 500 }, () => ({ ...file.buffers[0] }))); }, { resources: (address) => {
    asked.push(address);
    return OWN;
  } });
  assert.deepEqual(asked, ['own.bin']);
  for (const uri of ['constructor', '__proto__', 'toString']) {
    await assert.rejects(read(({ buffers }) => { buffers[0].uri = uri; }), isDamaged(/needs the file/), uri);
  }
});

test('hostile glTF: what the caller writes into the bytes while they are read changes nothing', async () => {
  const resources = makeResources();
  const reading = readGltf(makeFile(), { resources });
  for (let turn = 0; turn < 3; turn++) await Promise.resolve();
  setImmediate(() => resources['own.bin'].fill(0x53));
  assert.deepEqual((await reading).positions, NUMBERS);
});

test('OBJ: bytes that are transferred while they are read are an error', () => {
  const bytes = new TextEncoder().encode(`v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 3\n${'# a comment\n'.repeat(200_000)}f 1 3 2\n`);
  assert.throws(() => parseObj(bytes, { onProgress: () => structuredClone(bytes.buffer, { transfer: [bytes.buffer] }) }), isDamaged(/was transferred while it was read/));
});
