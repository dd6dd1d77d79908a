/**
 * The configuration of a bake: its fields, and writing it into the module. Names and types are checked here, ranges in
 * src/bake/config.c.
 */
import { numbersOfPoint } from '../runtime/arguments.js';
import { NavError, describe } from '../runtime/errors.js';
import { adviseName, nameSet, requireNames } from '../runtime/option-names.js';
import { Bake, WmConfig } from '../runtime/layout.js';

/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {'watershed' | 'monotone' | 'layers' | 'chunky'} Partition */
/** @typedef {'voxels' | 'surface'} Heights */

/**
 * Lengths are in world units unless another unit is named.
 * @typedef {object} Config
 * @property {number} [cellSize] side of a voxel on x and z, above 0; default 0.3. Smaller cells
 *   follow the level more closely; halving them takes about 4 times the time and memory
 * @property {number} [cellHeight] height of a voxel, above 0; default 0.2
 * @property {number} [agentHeight] default 2
 * @property {number} [agentRadius] 0 or more; default 0.6
 * @property {number} [agentMaxClimb] the highest step agents climb, 0 to agentHeight; default 0.9
 * @property {number} [agentMaxSlope] the steepest walkable slope, degrees, 0 to 90; default 45
 * @property {Partition} [partition] how the surface is divided into regions. `watershed` (default): the best polygons,
 *   the slowest; `monotone`: the fastest, long thin polygons; `layers`: between the two, good with tiles; `chunky`: monotone in
 *   squares of chunkSize
 * @property {number} [chunkSize] cells, 1 to 4096; default 16
 * @property {number} [minRegionSize] smaller islands are removed; cells on a side, default 8
 * @property {number} [mergeRegionSize] smaller regions are merged into neighbours; cells on a side, default 20
 * @property {number} [maxEdgeLength] longer edges of contours are split; 0 = off; default 12
 * @property {number} [maxEdgeError] the largest distance of a simplified contour from the raw one, cells; default 1.3
 * @property {number} [maxVerticesPerPolygon] 3 to 6; default 6
 * @property {number} [detailSampleDistance] distance between height samples, cells: 0 for no height detail, else 0.9 or
 *   more; default 6
 * @property {number} [detailMaxError] the largest distance of the detail mesh from the surface, cell heights; default 1
 * @property {number} [tileSize] side of a tile, cells, 8 to 4096; default 0: a single tile
 * @property {boolean} [filterLowHangingObstacles] makes obstacles lower than the climb walkable; default true
 * @property {boolean} [filterLedges] makes ledges unwalkable; default true
 * @property {boolean} [filterLowHeight] makes surface with too little headroom unwalkable; default true
 * @property {boolean} [medianFilter] smooths the borders of areas; default false
 * @property {Heights} [heights] the source of the mesh's heights. `voxels` (default): Recast's heights, up to two cell heights
 *   above the level; `surface`: the level's own triangles and solids, so that feet stand on the floor. Not in walkmesh/core
 * @property {Bounds} [bounds] the part of the world to bake; default: the bounds of the level
 * @property {import('./link-config.js').LinkConfig} [links] drops, jumps, climbs and vaults that the bake generates; default: none.
 *   Not in walkmesh/core
 */

/**
 * The value in force of every field. It has links only if a kind of them is on.
 * @typedef {Readonly<Required<Omit<Config, 'bounds' | 'links'>> & Pick<Config, 'links'>>} FullConfig
 */

/**
 * @typedef {object} Bounds
 * @property {Point} min
 * @property {Point} max
 * @property {boolean} [above] true: what stands higher than `max` is baked, too, instead of cut off; default false. A bake without bounds
 *   stores it in its mesh, so that a rebake takes what was built higher than the level was
 */

const BOUNDS = nameSet(/** @satisfies {import('../runtime/option-names.js').Names<Bounds>} */ ({ min: 1, max: 1, above: 1 }));

/** In the order of WmPartition. @type {readonly Partition[]} */
export const PARTITIONS = Object.freeze(['watershed', 'monotone', 'layers', 'chunky']);

/** In the order of WmHeights. @type {readonly Heights[]} */
export const HEIGHTS = Object.freeze(['voxels', 'surface']);

/** Fields whose values are words, with these. @type {Readonly<Record<string, readonly string[]>>} */
const WORDS = { partition: PARTITIONS, heights: HEIGHTS };

/**
 * Every field but bounds and links, in the order of WM_CONFIG_FIELDS in src/bake/config.c. config-fields.js adds the help.
 * @type {readonly { name: Exclude<keyof Config, 'bounds' | 'links'>, default: number | boolean | Partition | Heights }[]}
 */
export const CONFIG_DEFAULTS = [
  { name: 'cellSize', default: 0.3 },
  { name: 'cellHeight', default: 0.2 },
  { name: 'agentHeight', default: 2 },
  { name: 'agentRadius', default: 0.6 },
  { name: 'agentMaxClimb', default: 0.9 },
  { name: 'agentMaxSlope', default: 45 },
  { name: 'partition', default: 'watershed' },
  { name: 'chunkSize', default: 16 },
  { name: 'minRegionSize', default: 8 },
  { name: 'mergeRegionSize', default: 20 },
  { name: 'maxEdgeLength', default: 12 },
  { name: 'maxEdgeError', default: 1.3 },
  { name: 'maxVerticesPerPolygon', default: 6 },
  { name: 'detailSampleDistance', default: 6 },
  { name: 'detailMaxError', default: 1 },
  { name: 'tileSize', default: 0 },
  { name: 'filterLowHangingObstacles', default: true },
  { name: 'filterLedges', default: true },
  { name: 'filterLowHeight', default: true },
  { name: 'medianFilter', default: false },
  { name: 'heights', default: 'voxels' },
];

/** These are integers; other numbers are float32. */
const INTEGER_NAMES = ['partition', 'chunkSize', 'maxVerticesPerPolygon', 'tileSize', 'heights'];

/** Where the WmConfig lies in what bake_create returns, in bytes. */
const CONFIG_AT = 4 * Bake.config;
/** The byte of a field in it. @param {string} name */
const byteOf = (name) => 4 * /** @type {Record<string, number>} */ (WmConfig)[name];

/** @param {Session} session @param {number} bake */
const viewConfig = ({ wasm }, bake) => new DataView(wasm.memory.buffer, bake + CONFIG_AT);

/**
 * The value in force of every field, as the shortest decimal of its float32.
 * @param {Session} session @param {number} bake
 * @returns {FullConfig} without links
 */
export function readConfig(session, bake) {
  const view = viewConfig(session, bake);
  return Object.freeze(/** @type {any} */ (Object.fromEntries(CONFIG_DEFAULTS.map(({ name, default: initial }) => {
    if (typeof initial === 'boolean') return [name, view.getUint8(byteOf(name)) !== 0];
    if (!INTEGER_NAMES.includes(name)) return [name, shortestFloat(view.getFloat32(byteOf(name), true))];
    const value = view.getInt32(byteOf(name), true);
    return [name, WORDS[name]?.[value] ?? value];
  }))));
}

/** The shortest decimal of a float32: 0.3, not 0.30000001192092896. @param {number} value */
export function shortestFloat(value) {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}

/** The default of every field. @returns {Required<Omit<Config, 'bounds' | 'links'>>} */
export function defaultConfig() {
  return /** @type {any} */ (Object.fromEntries(CONFIG_DEFAULTS.map((field) => [field.name, field.default])));
}

/** @param {string} field @param {string} problem @param {unknown} value */
export function configurationError(field, problem, value) {
  return new NavError('configuration', `${field} ${problem}`, { field, value });
}

/** Fields of levels; a configuration with one of them was given in place of the level. */
const LEVEL_FIELDS = ['positions', 'indices', 'solids', 'volumes', 'offMeshConnections'];

/** @param {string} name @param {unknown} value */
function unknownField(name, value) {
  if (LEVEL_FIELDS.includes(name)) return configurationError(name, 'is a field of the level, not of the configuration: the level is the first argument, the configuration the second', value);
  const names = [...CONFIG_DEFAULTS.map((field) => field.name), 'bounds', 'links'];
  return configurationError(name, `is not a configuration field${adviseName(name, names)}`, value);
}

/**
 * The number that C stores for a field's value.
 * @param {typeof CONFIG_DEFAULTS[number]} field @param {unknown} value
 */
function toNumber({ name, default: initial }, value) {
  const words = WORDS[name];
  if (words) {
    const index = words.indexOf(/** @type {string} */ (value));
    if (index < 0) throw configurationError(name, `is ${describe(value)}: must be ${words.join(', ')}`, value);
    return index;
  }
  if (typeof value !== typeof initial) {
    const kind = typeof initial === 'number' ? 'a number' : 'true or false';
    throw configurationError(name, `is ${describe(value)}: must be ${kind}`, value);
  }
  const number = Number(value);
  if (INTEGER_NAMES.includes(name) && number !== (number | 0)) {
    throw configurationError(name, `is ${describe(value)}: must be a whole number`, value);
  }
  return number;
}

/** @param {unknown} value @param {string} field */
function readCorner(value, field) {
  const numbers = numbersOfPoint(value);
  if (!numbers) throw configurationError(field, `is ${describe(value)}: must be a point, [x, y, z] or { x, y, z }`, value);
  return numbers;
}

/** Both corners; no numbers if there are no bounds. @param {unknown} bounds */
function readBounds(bounds) {
  if (bounds === undefined) return { corners: [], above: false };
  requireNames(Object(bounds), BOUNDS, 'bounds.');
  const { min, max, above = false } = /** @type {Partial<Bounds>} */ (bounds ?? {});
  if (typeof above !== 'boolean') throw configurationError('bounds.above', `is ${describe(above)}: must be true or false`, above);
  return { corners: [...readCorner(min, 'bounds.min'), ...readCorner(max, 'bounds.max')], above };
}

/** The bounds of a bake, as a configuration has them. @param {Pick<import('../bake/bake-steps.js').Voxels, 'boundsMin' | 'boundsMax' | 'isOpenAbove'>} voxels */
export const toBounds = ({ boundsMin, boundsMax, isOpenAbove }) => (
  /** @type {Bounds} */ (/** @type {unknown} */ ({ min: boundsMin.map(shortestFloat), max: boundsMax.map(shortestFloat), ...isOpenAbove && { above: true } })));

/**
 * Checks names and types, and writes the given fields, except links (link-config.js), into the WmConfig: minus zero as zero, since
 * JSON has no other.
 * @param {Session} session @param {number} bake @param {Config} config
 */
export function writeConfig(session, bake, config) {
  if (typeof config !== 'object' || config === null || Array.isArray(config)) {
    throw configurationError('config', `is ${describe(config)}: must be an object`, config);
  }
  const given = Object.entries(config).filter(([, value]) => value !== undefined);
  const bounds = readBounds(given.find(([name]) => name === 'bounds')?.[1]);
  const view = viewConfig(session, bake); // from here on no code of the caller runs
  bounds.corners.forEach((number, i) => view.setFloat32(byteOf('boundsMin') + 4 * i, number + 0, true));
  view.setUint8(byteOf('hasBounds'), Number(bounds.corners.length > 0));
  view.setUint8(byteOf('boundsAbove'), Number(bounds.above));
  for (const [name, value] of given) {
    if (name === 'bounds' || name === 'links') continue;
    const index = CONFIG_DEFAULTS.findIndex((field) => field.name === name);
    if (index < 0) throw unknownField(name, value);
    const number = toNumber(CONFIG_DEFAULTS[index], value);
    if (typeof CONFIG_DEFAULTS[index].default === 'boolean') {
      view.setUint8(byteOf(name), number);
    } else if (INTEGER_NAMES.includes(name)) {
      view.setInt32(byteOf(name), number, true);
    } else {
      view.setFloat32(byteOf(name), number + 0, true);
    }
  }
}
