/** Recognizes files by their first bytes, and refuses those that another function opens. A module of its own: the readers are much larger. */
import { NavError } from '../runtime/errors.js';

/** "WALKDYNA" */
const DYNAMIC_MAGIC = [0x57, 0x41, 0x4c, 0x4b, 0x44, 0x59, 0x4e, 0x41];
/** "TSET" as a number, little-endian: the bytes are in reverse order. */
const TILE_CACHE_MAGIC = [0x54, 0x45, 0x53, 0x54];

/** "WALKCRWD" */
const CROWD_MAGIC = [0x57, 0x41, 0x4c, 0x4b, 0x43, 0x52, 0x57, 0x44];

/** "WTGR" */
const TILE_GRAPH_MAGIC = [0x57, 0x54, 0x47, 0x52];

/** True if a file was written by TileGraph.save. @param {Uint8Array} bytes */
export const isTileGraph = (bytes) => TILE_GRAPH_MAGIC.every((byte, i) => bytes[i] === byte);

/** True if a file was written by DynamicNavMesh.save. @param {Uint8Array} bytes */
export const isDynamicFile = (bytes) => DYNAMIC_MAGIC.every((byte, i) => bytes[i] === byte);

/** True if a file was written by Crowd.save. @param {Uint8Array} bytes */
export const isCrowdFile = (bytes) => CROWD_MAGIC.every((byte, i) => bytes[i] === byte);

/** True if bytes begin like a tile cache set of Detour. @param {Uint8Array} bytes */
export const isTileCache = (bytes) => TILE_CACHE_MAGIC.every((byte, i) => bytes[i] === byte);

/** "WALKMESH", and Detour's "DNAV" and "MSET", whose bytes are in reverse order. */
const NAV_MESH_START = /^(WALKMESH|VAND|TESM)/;

/**
 * Our own files and Detour's: what each is, and the method that opens it. The entry walkmesh/game lacks some of these.
 * @type {{ opener: 'loadTileCache' | 'loadDynamic' | 'loadTileGraph' | 'loadCrowd of its mesh' | 'loadNavMesh', is: (bytes: Uint8Array) => boolean, text: string, lack?: string }[]}
 */
const FILES = [
  { opener: 'loadTileCache', is: isTileCache, text: 'a Detour tile cache (TSET)', lack: ', which walkmesh/game lacks' },
  { opener: 'loadDynamic', is: isDynamicFile, text: 'a dynamic mesh', lack: ', which walkmesh/game lacks' },
  { opener: 'loadTileGraph', is: isTileGraph, text: 'a tile graph' },
  { opener: 'loadCrowd of its mesh', is: isCrowdFile, text: 'a crowd' },
  { opener: 'loadNavMesh', is: (bytes) => NAV_MESH_START.test(readStart(bytes)), text: 'a navigation mesh' },
];

/** Files that servers, builds or repositories send instead of the right one: their first bytes, and what to tell the user. @type {[start: RegExp, text: string][]} */
const STAND_INS = [
  [/^(\xef\xbb\xbf)?\s*<(!doctype|html|!--)/i, 'is an HTML page: check its address'],
  [/^\x1f\x8b/, 'is compressed with gzip: unpack it first'],
  [/^version https:\/\/git-lfs/, 'is a pointer of Git LFS: fetch the file with git lfs pull'],
];

/** The first bytes as characters. @param {Uint8Array} bytes */
const readStart = (bytes) => String.fromCharCode(...bytes.subarray(0, 32));

/**
 * Throws if a file is none that a method opens, and says what it is instead. Does nothing if the file is the right one or unknown.
 * @param {Uint8Array} bytes @param {typeof FILES[number]['opener']} opener the method
 */
export function refuseOtherFile(bytes, opener) {
  const file = FILES.find(({ is }) => is(bytes));
  if (file && file.opener !== opener) {
    throw new NavError('unsupported', `the file is ${file.text}: open it with ${file.opener}${file.lack ?? ''}`, { field: 'file' });
  }
  const start = readStart(bytes), [, text] = STAND_INS.find(([pattern]) => pattern.test(start)) ?? [];
  if (text) throw new NavError('corrupt', `the file ${text}`, { field: 'file' });
}
