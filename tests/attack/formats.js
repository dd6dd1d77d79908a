/**
 * Every format that the package reads: files to begin with, how a changed file gets its checksum back, how it is read, and what is
 * done with what was read.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryTileCache, readTile } from '../../js/index.js';
import { Checksum } from '../../js/caches/checksum.js';
import { parseObj, readGltf } from '../../js/level/index.js';
import { ROOT } from '../../scripts/setup.js';
import { makeGlb, splitGlb } from './glb.js';
import { mutateBytes, mutateJson, mutateText } from './mutate.js';
import { useDynamic, useLevel, useMesh } from './use.js';
import { PLACE, TARGET, makeConfig, makeFiles, makeLevel } from './world.js';

/** @typedef {import('./values.js').Random} Random */
/**
 * @typedef {object} Format
 * @property {(walkmesh: any) => Promise<any[]> | any[]} seeds
 * @property {(random: Random, seed: any) => any} mutate
 * @property {(walkmesh: any, file: any, random: Random) => unknown} read throws, or uses what was read and frees it
 */

const MASK = (1n << 64n) - 1n;

/** The checksum of .walkmesh and of dynamic files (docs/formats.md). @param {Uint8Array} bytes a multiple of 8 */
function fileChecksum(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let sum = 0x9e3779b97f4a7c15n;
  for (let i = 0; i + 8 <= bytes.length; i += 8) {
    sum = ((sum ^ view.getBigUint64(i, true)) * 0xd6e8feb86659fd93n) & MASK;
    sum ^= sum >> 32n;
  }
  return sum;
}

/** Mends the size and the checksum of a .walkmesh file. @param {Uint8Array} bytes @param {boolean} [withSize] */
function sealFile(bytes, withSize = true) {
  if (bytes.length < 32) return bytes;
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 8));
  const view = new DataView(whole.buffer, whole.byteOffset, whole.length);
  if (withSize) view.setBigUint64(16, BigInt(whole.length), true);
  view.setBigUint64(whole.length - 8, fileChecksum(whole.subarray(0, -8)), true);
  return whole;
}

/** Mends both checksums of a dynamic file: that of its mesh, and its own. @param {Uint8Array} bytes @param {boolean} [withSize] */
export function sealDynamic(bytes, withSize = true) {
  const HEAD = 184;
  if (bytes.length < HEAD + 64) return bytes;
  const meshBytes = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(24, true));
  if (meshBytes % 8 === 0 && HEAD + meshBytes + 8 <= bytes.length) sealFile(bytes.subarray(HEAD, HEAD + meshBytes), withSize);
  return sealFile(bytes, withSize);
}

/** Mends the checksum of a tile in a cache. @param {string} key @param {Uint8Array} bytes */
function sealCached(key, bytes) {
  if (bytes.length % 4 !== 0 || bytes.length < 24) return bytes;
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const sum = new Checksum();
  sum.addText(key);
  sum.addWords(words, 0, 2);
  sum.addWords(words, 4, words.length);
  words.set(sum.finish(), 2);
  return bytes;
}

/** @param {any} walkmesh @param {string[]} names */
const filesOf = (walkmesh, ...names) => names.map((name) => makeFiles(walkmesh).get(name));

/** @param {any} walkmesh @param {Uint8Array} bytes @param {Random} random */
const readMesh = (walkmesh, bytes, random) => useMesh(walkmesh, walkmesh.loadNavMesh(bytes), random);

/** @param {any} walkmesh @param {(walkmesh: any) => any} open @param {Random} random */
const readDynamic = (walkmesh, open, random) => useDynamic(walkmesh, open(walkmesh), random);

/** A mesh with a dynamic mesh, for what is read into one. @param {any} walkmesh @param {Random} random @param {(made: any) => void} change */
function changeDynamic(walkmesh, random, change) {
  const made = walkmesh.bakeDynamic(makeLevel(), makeConfig());
  try {
    change(made);
  } catch (error) {
    made.navMesh.free();
    throw error;
  }
  return useDynamic(walkmesh, made, random);
}

/** Files that recast-navigation writes: a set of one tile, a set of several, a tile cache. */
async function exportFromPeer() {
  const peer = /** @type {any} */ (await import('recast-navigation'));
  const generators = /** @type {any} */ (await import('recast-navigation/generators'));
  await peer.init();
  const { positions, indices } = makeLevel();
  const config = { cs: 0.5, ch: 0.25, walkableRadius: 1, walkableHeight: 8, walkableClimb: 3 };
  const solo = generators.generateSoloNavMesh(positions, indices, config);
  const tiled = generators.generateTiledNavMesh(positions, indices, { ...config, tileSize: 8 });
  const cached = generators.generateTileCache(positions, indices, { ...config, tileSize: 8, expectedLayersPerTile: 4, maxObstacles: 16 });
  return { sets: [solo, tiled].map(({ navMesh }) => peer.exportNavMesh(navMesh).slice()), caches: [peer.exportTileCache(cached.navMesh, cached.tileCache).slice()] };
}

/** A bake that takes one tile from a changed cache. @param {any} walkmesh @param {{ tiles: Map<string, Uint8Array>, key: string, bytes: Uint8Array }} file @param {Random} random */
async function bakeFromCache(walkmesh, { tiles, key, bytes }, random) {
  const cache = new MemoryTileCache();
  for (const [name, tile] of tiles) cache.set(name, name === key ? bytes : tile);
  const { navMesh } = await walkmesh.bakeTiled(makeLevel(), makeConfig(), { workers: 0, cache });
  return useMesh(walkmesh, navMesh, random);
}

async function fillCache(/** @type {any} */ walkmesh) {
  /** @type {Map<string, Uint8Array>} */
  const tiles = new Map();
  const { navMesh } = await walkmesh.bakeTiled(makeLevel(), makeConfig(), { workers: 0,
    cache: { get: () => undefined, set: (/** @type {string} */ key, /** @type {Uint8Array} */ bytes) => tiles.set(key, bytes.slice()) } });
  navMesh.free();
  return [...tiles.keys()].map((key) => ({ tiles, key, bytes: /** @type {Uint8Array} */ (tiles.get(key)) }));
}

/** @type {Record<string, Format>} */
export const FORMATS = {
  'tiles (DNAV)': {
    seeds: (walkmesh) => filesOf(walkmesh, 'tile'), mutate: mutateBytes,
    read(walkmesh, bytes, random) {
      if (random.below(4) === 0) return readTile(bytes);
      if (random.below(2) === 0) return readMesh(walkmesh, bytes, random);
      const { navMesh } = walkmesh.bake(makeLevel(), makeConfig());
      try {
        navMesh.replaceTile(bytes);
      } catch (error) {
        navMesh.free();
        throw error;
      }
      return useMesh(walkmesh, navMesh, random);
    },
  },
  '.walkmesh': { seeds: (walkmesh) => filesOf(walkmesh, 'walkmesh'), mutate: (random, bytes) => sealFile(mutateBytes(random, bytes), random.below(4) > 0), read: readMesh },
  'Detour sets (MSET)': { seeds: (walkmesh) => filesOf(walkmesh, 'set', 'set64'), mutate: mutateBytes, read: readMesh },
  "recast-navigation's sets": { seeds: async () => (await exportFromPeer()).sets, mutate: mutateBytes, read: readMesh },
  'tile caches (TSET)': {
    seeds: async () => [new Uint8Array(readFileSync(join(ROOT, 'tests/golden/detour-cache/tower.tset'))), ...(await exportFromPeer()).caches], mutate: mutateBytes,
    read: (walkmesh, bytes, random) => readDynamic(walkmesh, () => walkmesh.loadTileCache(bytes), random),
  },
  'dynamic meshes': {
    seeds: (walkmesh) => filesOf(walkmesh, 'dynamic'), mutate: (random, bytes) => sealDynamic(mutateBytes(random, bytes), random.below(4) > 0),
    read: (walkmesh, bytes, random) => readDynamic(walkmesh, () => walkmesh.loadDynamic(bytes), random),
  },
  'kept tiles': {
    seeds: (walkmesh) => filesOf(walkmesh, 'kept'), mutate: mutateBytes,
    read: (walkmesh, bytes, random) => changeDynamic(walkmesh, random, ({ dynamic }) => dynamic.keepTile(0, 0, bytes)),
  },
  'states of tiles': {
    seeds: (walkmesh) => filesOf(walkmesh, 'tileState'), mutate: mutateBytes,
    read: (walkmesh, bytes, random) => changeDynamic(walkmesh, random, ({ navMesh }) => navMesh.restoreTileState(bytes)),
  },
  'entries of tile caches': {
    seeds: fillCache, mutate: (random, { tiles, key, bytes }) => ({ tiles, key, bytes: sealCached(key, mutateBytes(random, bytes)) }), read: bakeFromCache,
  },
  'sources of files': {
    seeds: (walkmesh) => filesOf(walkmesh, 'walkmesh', 'dynamic'),
    mutate: (random, bytes) => (bytes[4] === 'M'.charCodeAt(0) ? sealFile(mutateBytes(random, bytes)) : sealDynamic(mutateBytes(random, bytes), true)),
    read(walkmesh, bytes, random) {
      const { navMesh, dynamic } = walkmesh.createFileSource(bytes);
      return dynamic ? useDynamic(walkmesh, { navMesh, dynamic }, random) : useMesh(walkmesh, navMesh, random);
    },
  },
  'GLB and glTF': {
    seeds: () => [makeGlb()],
    mutate(random, bytes) {
      if (random.below(6) === 0) return mutateBytes(random, bytes);
      const { json, data } = splitGlb(bytes);
      return makeGlb(mutateJson(random, json), random.below(6) === 0 ? mutateBytes(random, data) : data);
    },
    read: async (walkmesh, bytes, random) => useLevel(walkmesh, await readGltf(bytes, { maxTriangles: 1e5 }), random),
  },
  OBJ: {
    seeds: () => [OBJ_FLOOR], mutate: (random, text) => new TextEncoder().encode(mutateText(random, text)),
    read: (walkmesh, bytes, random) => useLevel(walkmesh, parseObj(bytes), random),
  },
};

const OBJ_FLOOR = `# a floor, a block\no floor\nv ${PLACE.join(' ')}\nv 0 0 0 1 1 1\nv 0 0 8\nv 8 0 8\nv 8 0 0\nvt 0 0\nvn 0 1 0\ng floor\nusemtl stone\nf 2 3 4 5\n`
  + `v 3 2.5e0 3\nv 3 2 5\nv +5 2 5\nv ${TARGET.join(' ')}\nf -4/1/1 -3/1/1 -2/1/1\nf 6//1 7//1 \\\n8//1\ns off\n`;
