// Bytes of callers: js/runtime/bytes.js, and every method that reads them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load as loadCore } from '../../js/core.js';
import { NavError, TileStreamer, load, readTile } from '../../js/index.js';
import { parseObj, readGltf } from '../../js/level/index.js';
import { init, importNavMesh, importTileCache } from '../../js/recast-navigation/index.js';
import { makeGround } from './support.js';

const walkmesh = await load();
await init();
const LEVEL = makeGround();
const CONFIG = { cellSize: 0.5, tileSize: 32, agentRadius: 0.5 };
const BAKED = walkmesh.bakeDynamic(LEVEL, CONFIG);
const { navMesh: MESH, dynamic: DYNAMIC } = BAKED;
const [TILE] = MESH.tiles();

/** A copy of bytes in a buffer of its own kind, from an odd offset on. */
function placed(bytes, buffer) {
  const all = new Uint8Array(buffer);
  all.fill(0xee);
  all.set(bytes, 3);
  return all.subarray(3, 3 + bytes.length);
}

class Liar extends Uint8Array {
  get length() { return 1 << 30; }
  get byteLength() { return 1 << 30; }
  get byteOffset() { return 0; }
  get buffer() { return new ArrayBuffer(8); }
  slice() { return new Uint8Array(1); }
  subarray() { return new Uint8Array(1); }
  [Symbol.iterator]() { return [].values(); }
  static get [Symbol.species]() { return Uint16Array; }
}

/** Ways to hold bytes. Each returns what a caller passes, and never shares a buffer with another. */
const FORMS = {
  'a Uint8Array': (bytes) => bytes.slice(),
  'an ArrayBuffer': (bytes) => bytes.slice().buffer,
  'a Uint8Array at an odd offset': (bytes) => placed(bytes, new ArrayBuffer(bytes.length + 16)),
  'a DataView at an odd offset': (bytes) => {
    const { buffer, byteOffset, byteLength } = placed(bytes, new ArrayBuffer(bytes.length + 16));
    return new DataView(buffer, byteOffset, byteLength);
  },
  'a Buffer of the pool': (bytes) => Buffer.from(placed(bytes, new ArrayBuffer(bytes.length + 16))),
  'a Buffer at an odd offset': (bytes) => {
    const { buffer, byteOffset, byteLength } = placed(bytes, new ArrayBuffer(bytes.length + 16));
    return Buffer.from(buffer, byteOffset, byteLength);
  },
  'a shared Uint8Array': (bytes) => placed(bytes, new SharedArrayBuffer(bytes.length + 16)),
  'a SharedArrayBuffer': (bytes) => {
    const shared = new SharedArrayBuffer(bytes.length);
    new Uint8Array(shared).set(bytes);
    return shared;
  },
  'a resizable ArrayBuffer': (bytes) => {
    const resizable = new ArrayBuffer(bytes.length, { maxByteLength: 2 * bytes.length });
    new Uint8Array(resizable).set(bytes);
    return resizable;
  },
  'a Liar': (bytes) => Object.setPrototypeOf(bytes.slice(), Liar.prototype),
};

const OBJ = new TextEncoder().encode('v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 3\n');

/** A GLB of one triangle. */
function makeGlb() {
  const numbers = new Uint8Array(Float32Array.of(0, 0, 0, 0, 0, 1, 1, 0, 0).buffer);
  const json = JSON.stringify({
    asset: { version: '2.0' }, buffers: [{ byteLength: 36 }], bufferViews: [{ buffer: 0, byteLength: 36 }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 0, 1] }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }], nodes: [{ mesh: 0 }], scenes: [{ nodes: [0] }], scene: 0,
  });
  const text = new TextEncoder().encode(json.padEnd(4 * Math.ceil(json.length / 4)));
  const glb = new Uint8Array(12 + 8 + text.length + 8 + numbers.length);
  const head = new DataView(glb.buffer);
  [0x46546c67, 2, glb.length, text.length, 0x4e4f534a].forEach((word, i) => head.setUint32(4 * i, word, true));
  glb.set(text, 20);
  head.setUint32(20 + text.length, numbers.length, true);
  head.setUint32(24 + text.length, 0x004e4942, true);
  glb.set(numbers, 28 + text.length);
  return glb;
}

/** Frees a mesh and returns its bytes. */
function saveAndFree(navMesh) {
  const saved = navMesh.save();
  navMesh.free();
  return saved;
}

/** Streams the only tile of the level into an empty mesh of its file. */
async function stream(file, place) {
  const { navMesh, dynamic } = walkmesh.createFileSource(file);
  const streamer = new TileStreamer(dynamic ?? navMesh, () => place, { innerRadius: 1, outerRadius: 2 });
  streamer.setInvokers([[1, 0, 1]]);
  const failures = [];
  await streamer.load();
  dynamic?.update();
  streamer.free();
  return [...failures, navMesh.tiles().map(({ bytes }) => bytes), navMesh.free()];
}

/** Methods that read bytes: name -> the good bytes, and a call that returns a comparable result. */
const READERS = {
  loadNavMesh: [MESH.save(), (bytes) => saveAndFree(walkmesh.loadNavMesh(bytes))],
  loadDynamic: [DYNAMIC.save(), (bytes) => saveAndFree(walkmesh.loadDynamic(bytes).navMesh)],
  createFileSource: [DYNAMIC.save(), (bytes) => {
    const { navMesh, tiles } = walkmesh.createFileSource(bytes);
    navMesh.free();
    return tiles;
  }],
  detectFormat: [MESH.exportDetour(), (bytes) => walkmesh.detectFormat(bytes)],
  hash: [MESH.save(), (bytes) => walkmesh.hash(bytes)],
  readTile: [TILE.bytes, (bytes) => readTile(bytes)],
  addTile: [TILE.bytes, (bytes) => {
    const { navMesh } = walkmesh.createFileSource(MESH.save());
    navMesh.addTile(bytes);
    return saveAndFree(navMesh);
  }],
  replaceTile: [TILE.bytes, (bytes) => [MESH.replaceTile(bytes), MESH.tiles()]],
  restoreTileState: [MESH.saveTileState(TILE.ref), (bytes) => [MESH.restoreTileState(bytes), MESH.tiles()]],
  keepTile: [DYNAMIC.keptTile(0, 0), (bytes) => [DYNAMIC.keepTile(0, 0, bytes), DYNAMIC.keepTile(0, 0, bytes, TILE.bytes), DYNAMIC.keptTile(0, 0)]],
  'keepTile with a tile': [TILE.bytes, (bytes) => [DYNAMIC.keepTile(0, 0, DYNAMIC.keptTile(0, 0), bytes), MESH.tiles().length]],
  'a source of tiles': [TILE.bytes, (bytes) => stream(MESH.save(), bytes)],
  'a source of kept tiles': [DYNAMIC.keptTile(0, 0), (bytes) => stream(DYNAMIC.save(), bytes)],
  'a source of { kept, tile }': [TILE.bytes, (bytes) => stream(DYNAMIC.save(), { kept: DYNAMIC.keptTile(0, 0), tile: bytes })],
  importNavMesh: [MESH.exportDetour(), (bytes) => saveAndFree(importNavMesh(bytes).navMesh.raw)],
  importTileCache: [DYNAMIC.save(), (bytes) => saveAndFree(importTileCache(bytes).navMesh.raw)],
  parseObj: [OBJ, (bytes) => parseObj(bytes)],
  readGltf: [makeGlb(), (bytes) => readGltf(bytes)],
};

for (const [name, [bytes, read]] of Object.entries(READERS)) {
  test(`bytes: ${name} takes any view at any offset`, async () => {
    const expected = await read(bytes);
    for (const [form, make] of Object.entries(FORMS)) assert.deepEqual(await read(make(bytes)), expected, form);
  });

  test(`bytes: ${name} refuses anything else, and bytes that were transferred`, async () => {
    const transferred = bytes.slice();
    structuredClone(transferred.buffer, { transfer: [transferred.buffer] });
    for (const [what, given] of Object.entries({
      'numbers': [1, 2, 3], 'a number': 5, 'an object': { length: 4, byteLength: 4 }, 'a proxy': new Proxy(bytes.slice(), {}),
      'made from its prototype': Object.create(Uint8Array.prototype), 'a transferred view': transferred, 'a transferred buffer': transferred.buffer,
    })) {
      if (name.startsWith('a source')) {
        const errors = [];
        const { navMesh, dynamic } = walkmesh.createFileSource(name === 'a source of tiles' ? MESH.save() : DYNAMIC.save());
        const streamer = new TileStreamer(dynamic ?? navMesh, () => given, { innerRadius: 1, outerRadius: 2, onError: (error) => errors.push(error) });
        streamer.setInvokers([[1, 0, 1]]);
        await streamer.load();
        assert.ok(errors.length === 1 && errors[0] instanceof NavError && errors[0].code === 'invalid-argument', `${what}: ${errors}`);
        navMesh.free();
        continue;
      }
      await assert.rejects(async () => read(given), (error) => error instanceof NavError && error.code === 'invalid-argument'
        && /must be|transferred/.test(error.message), what);
    }
  });
}

/** Caches of one's own: what `get` answers with. */
const ANSWERS = { ...FORMS, 'a promise of a Buffer': async (bytes) => FORMS['a Buffer of the pool'](bytes) };

for (const [form, make] of Object.entries(ANSWERS)) {
  test(`bytes: a bake takes all tiles of a cache that answers with ${form}`, async () => {
    const store = new Map();
    const cache = {
      get: (key) => store.has(key) ? make(store.get(key)) : null,
      set: (key, bytes) => { store.set(key, bytes.slice()); },
      delete: (key) => store.delete(key),
    };
    const config = { ...CONFIG, tileSize: 8 };
    const [cold, warm] = [await walkmesh.bakeTiled(LEVEL, config, { workers: 0, cache }), await walkmesh.bakeTiled(LEVEL, config, { workers: 0, cache })];
    assert.deepEqual([warm.report.warnings, warm.report.tiles.cached], [cold.report.warnings, warm.report.tiles.x * warm.report.tiles.z]);
    assert.deepEqual(saveAndFree(warm.navMesh), saveAndFree(cold.navMesh));
  });
}

test('bytes: readTile refuses bytes that are no tile, cut tiles, and counts beyond the bytes', () => {
  const refuse = (bytes, message) => assert.throws(() => readTile(bytes), { name: 'NavError', code: 'corrupt', message });
  for (let length = 0; length < TILE.bytes.length; length++) refuse(TILE.bytes.subarray(0, length), /are no tile|need \d+ bytes, and there are/);
  refuse(new Uint8Array(200), /are no tile: one begins with DNAV/);
  const change = (at, value) => {
    const bytes = TILE.bytes.slice();
    new DataView(bytes.buffer).setInt32(at, value, true);
    return bytes;
  };
  refuse(change(4, 8), /are a tile of version 8/);
  for (const at of [24, 28, 32, 36, 40, 44, 48]) {
    for (const value of [-1, 1e6, 0x7fffffff, -0x80000000]) refuse(change(at, value), /are a damaged tile/);
  }
});

test('bytes: load takes a module in any view; engines may refuse shared and resizable memory', async () => {
  const wasm = readFileSync(new URL('../../dist/walkmesh-core.wasm', import.meta.url));
  for (const [form, make] of Object.entries(FORMS)) {
    const loading = loadCore({ wasm: make(wasm) });
    const outcome = await loading.then((core) => core.memory().bytes > 0, (error) => error);
    assert.ok(outcome === true || (/shared|resizable/i.test(form) && outcome instanceof NavError), `${form}: ${outcome}`);
  }
});
