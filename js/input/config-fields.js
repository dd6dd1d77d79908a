/** The fields of the configuration with their help. Apart from config.js, since walkmesh/core does without the texts. */
import { CONFIG_DEFAULTS } from './config.js';

/** @typedef {import('./config.js').Config} Config */
/** @typedef {import('./config.js').Heights} Heights */
/** @typedef {import('./config.js').Partition} Partition */

/** @type {Record<Exclude<keyof Config, 'bounds' | 'links'>, string>} */
const HELP = {
  cellSize: 'side of a voxel on x and z, world units',
  cellHeight: 'height of a voxel, world units',
  agentHeight: 'height of agents, world units',
  agentRadius: 'radius of agents, world units',
  agentMaxClimb: 'highest step agents climb, world units',
  agentMaxSlope: 'steepest walkable slope, degrees',
  partition: 'watershed, monotone, layers or chunky',
  chunkSize: 'side of the squares of the chunky partition, cells',
  minRegionSize: 'smaller islands are removed, cells on a side',
  mergeRegionSize: 'smaller regions are merged, cells on a side',
  maxEdgeLength: 'longer contour edges are split, world units, 0 = off',
  maxEdgeError: 'largest error of simplified contours, cells',
  maxVerticesPerPolygon: 'vertices of a polygon, 3 to 6',
  detailSampleDistance: 'distance between height samples, cells, 0 = none',
  detailMaxError: 'largest error of heights, cell heights',
  tileSize: 'side of a tile, cells, 0 = a single tile',
  filterLowHangingObstacles: 'make low obstacles walkable',
  filterLedges: 'make ledges unwalkable',
  filterLowHeight: 'make surface with too little headroom unwalkable',
  medianFilter: 'smooth the borders of areas',
  heights: 'voxels, or surface: heights of the level itself',
};

/**
 * Every field but bounds and links, with its default and its help.
 * @type {readonly { name: Exclude<keyof Config, 'bounds' | 'links'>, default: number | boolean | Partition | Heights, help: string }[]}
 */
export const CONFIG_FIELDS = Object.freeze(CONFIG_DEFAULTS.map((field) => ({ ...field, help: HELP[field.name] })));
