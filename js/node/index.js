/** The entry `walkmesh/node`: parts that need Node. */
export { DiskTileCache } from './disk-tile-cache.js';
