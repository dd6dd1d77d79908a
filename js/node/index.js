/** What needs Node: the entry `walkmesh/node`. */
export { DiskTileCache } from './disk-tile-cache.js';
