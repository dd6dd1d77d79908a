/** Recognizes files of dynamic meshes, crowds, tile caches and tile graphs by their first bytes. A module of its own: the readers are much larger. */

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
