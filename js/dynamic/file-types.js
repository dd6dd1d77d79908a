/** Files of levels that change, by their first bytes. Apart from what reads them, which is much more. */

/** "WALKDYNA" */
const DYNAMIC_MAGIC = [0x57, 0x41, 0x4c, 0x4b, 0x44, 0x59, 0x4e, 0x41];
/** "TSET" as a number, little-endian. */
const TILE_CACHE_MAGIC = [0x54, 0x45, 0x53, 0x54];

/** Whether a file is what DynamicNavMesh.save gives. @param {Uint8Array} bytes */
export const isDynamicFile = (bytes) => DYNAMIC_MAGIC.every((byte, i) => bytes[i] === byte);

/** Whether bytes begin as a tile cache set of Detour. @param {Uint8Array} bytes */
export const isTileCache = (bytes) => TILE_CACHE_MAGIC.every((byte, i) => bytes[i] === byte);
