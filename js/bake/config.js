/**
 * The configuration of a bake as JavaScript, the command line and JSON files know it. Ranges are checked in C
 * (src/bake/config.c); here only what C cannot see: names and types.
 */
import { numbersOfPoint } from '../runtime/arguments.js';
import { NavError, describe } from '../runtime/errors.js';
import { adviseName, nameSet, requireNames } from '../runtime/names.js';
import { Bake, WmConfig } from '../runtime/layout.js';

/** @typedef {import('../runtime/arguments.js').Point} Point */
/** @typedef {import('../runtime/session.js').Session} Session */
/** @typedef {'watershed' | 'monotone' | 'layers' | 'chunky'} Partition */

/**
 * Lengths are in world units unless another unit is named.
 * @typedef {object} Config
 * @property {number} [cellSize] side of a voxel on x and z, above 0; default 0.3. Smaller follows the level more
 *   closely and takes more time and memory, with the inverse square
 * @property {number} [cellHeight] height of a voxel, above 0; default 0.2
 * @property {number} [agentHeight] default 2
 * @property {number} [agentRadius] 0 or more; default 0.6
 * @property {number} [agentMaxClimb] highest step, 0 to agentHeight; default 0.9
 * @property {number} [agentMaxSlope] steepest walkable slope, degrees, 0 to 90; default 45
 * @property {Partition} [partition] default `watershed`: the best polygons, and the slowest; `monotone`: the
 *   fastest, long thin polygons; `layers`: between, good with tiles; `chunky`: monotone in squares of chunkSize
 * @property {number} [chunkSize] cells, 1 to 4096; default 16
 * @property {number} [minRegionSize] smaller islands are dropped; cells on a side, default 8
 * @property {number} [mergeRegionSize] smaller regions are merged into neighbours; cells on a side, default 20
 * @property {number} [maxEdgeLength] longer border edges are split; 0 = off; default 12
 * @property {number} [maxEdgeError] farthest a simplified contour strays from the raw one, cells; default 1.3
 * @property {number} [maxVerticesPerPolygon] 3 to 6; default 6
 * @property {number} [detailSampleDistance] spacing of height samples, cells: 0 for no height detail, otherwise
 *   0.9 or more; default 6
 * @property {number} [detailMaxError] farthest the detail mesh strays from the surface, cell heights; default 1
 * @property {number} [tileSize] side of a tile, cells, 8 to 4096; default 0: a single tile
 * @property {boolean} [filterLowHangingObstacles] steps up on obstacles lower than the climb; default true
 * @property {boolean} [filterLedges] keeps off ledges; default true
 * @property {boolean} [filterLowHeight] keeps out of where headroom is short; default true
 * @property {boolean} [medianFilter] smooths areas; default false
 * @property {Bounds} [bounds] the part of the world to bake; default: that of the input
 */

/** @typedef {{ min: Point, max: Point }} Bounds opposite corners of a box */

const BOUNDS = nameSet(/** @satisfies {import('../runtime/names.js').Names<Bounds>} */ ({ min: 1, max: 1 }));

/** In the order of WmPartition. @type {readonly Partition[]} */
export const PARTITIONS = Object.freeze(['watershed', 'monotone', 'layers', 'chunky']);

/**
 * Every field but bounds, in the order of WM_CONFIG_FIELDS in src/bake/config.c, with its default and a line of help.
 * @type {readonly { name: Exclude<keyof Config, 'bounds'>, default: number | boolean | Partition, help: string }[]}
 */
export const CONFIG_FIELDS = Object.freeze([
  { name: 'cellSize', default: 0.3, help: 'side of a voxel on x and z, world units' },
  { name: 'cellHeight', default: 0.2, help: 'height of a voxel, world units' },
  { name: 'agentHeight', default: 2, help: 'world units' },
  { name: 'agentRadius', default: 0.6, help: 'world units' },
  { name: 'agentMaxClimb', default: 0.9, help: 'highest step, world units' },
  { name: 'agentMaxSlope', default: 45, help: 'steepest walkable slope, degrees' },
  { name: 'partition', default: 'watershed', help: 'watershed, monotone, layers or chunky' },
  { name: 'chunkSize', default: 16, help: 'squares of the chunky partition, cells' },
  { name: 'minRegionSize', default: 8, help: 'smaller islands are dropped, cells on a side' },
  { name: 'mergeRegionSize', default: 20, help: 'smaller regions are merged, cells on a side' },
  { name: 'maxEdgeLength', default: 12, help: 'longer border edges are split, world units, 0 = off' },
  { name: 'maxEdgeError', default: 1.3, help: 'how far contours may be simplified, cells' },
  { name: 'maxVerticesPerPolygon', default: 6, help: '3 to 6' },
  { name: 'detailSampleDistance', default: 6, help: 'spacing of height samples, cells, 0 = none' },
  { name: 'detailMaxError', default: 1, help: 'how far heights may stray, cell heights' },
  { name: 'tileSize', default: 0, help: 'side of a tile, cells, 0 = a single tile' },
  { name: 'filterLowHangingObstacles', default: true, help: 'step up on low obstacles' },
  { name: 'filterLedges', default: true, help: 'keep off ledges' },
  { name: 'filterLowHeight', default: true, help: 'keep out of where headroom is short' },
  { name: 'medianFilter', default: false, help: 'smooth areas' },
]);

/** These are integers; other numbers are float32. */
const INTEGER_NAMES = ['partition', 'chunkSize', 'maxVerticesPerPolygon', 'tileSize'];

/** Where the WmConfig lies in what bake_create returns, in bytes. */
const CONFIG_AT = 4 * Bake.config;
/** The byte of a field in it. @param {string} name */
const byteOf = (name) => 4 * /** @type {Record<string, number>} */ (WmConfig)[name];

/** @param {Session} session @param {number} bake */
const viewConfig = ({ wasm }, bake) => new DataView(wasm.memory.buffer, bake + CONFIG_AT);

/**
 * Every field with the value in force, as the shortest decimals that stand for its float32.
 * @param {Session} session @param {number} bake
 * @returns {Readonly<Required<Omit<Config, 'bounds'>>>}
 */
export function readConfig(session, bake) {
  const view = viewConfig(session, bake);
  return Object.freeze(/** @type {any} */ (Object.fromEntries(CONFIG_FIELDS.map(({ name, default: initial }) => {
    if (typeof initial === 'boolean') return [name, view.getUint8(byteOf(name)) !== 0];
    if (!INTEGER_NAMES.includes(name)) return [name, shortestFloat(view.getFloat32(byteOf(name), true))];
    const value = view.getInt32(byteOf(name), true);
    return [name, name === 'partition' ? PARTITIONS[value] : value];
  }))));
}

/** The shortest decimal that a float32 is written as: 0.3, not 0.30000001192092896. @param {number} value */
export function shortestFloat(value) {
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}

/** The defaults of every field. @returns {Required<Omit<Config, 'bounds'>>} */
export function defaultConfig() {
  return /** @type {any} */ (Object.fromEntries(CONFIG_FIELDS.map((field) => [field.name, field.default])));
}

/** @param {string} field @param {string} problem @param {unknown} value */
function configurationError(field, problem, value) {
  return new NavError('configuration', `${field} ${problem}`, { field, value });
}

/** @param {string} name @param {unknown} value */
function unknownField(name, value) {
  const names = [...CONFIG_FIELDS.map((field) => field.name), 'bounds'];
  return configurationError(name, `is not a configuration field${adviseName(name, names)}`, value);
}

/**
 * The field's value as the number that C takes.
 * @param {typeof CONFIG_FIELDS[number]} field @param {unknown} value
 */
function toNumber({ name, default: initial }, value) {
  if (name === 'partition') {
    const index = PARTITIONS.indexOf(/** @type {Partition} */ (value));
    if (index < 0) throw configurationError(name, `is ${describe(value)}: must be ${PARTITIONS.join(', ')}`, value);
    return index;
  }
  if (typeof value !== typeof initial) {
    const kind = typeof initial === 'number' ? 'a number' : 'true or false';
    throw configurationError(name, `is ${describe(value)}: must be ${kind}`, value);
  }
  const number = Number(value);
  if (INTEGER_NAMES.includes(name) && number !== (number | 0)) {
    throw configurationError(name, `is ${describe(value)}: must be a whole number in range`, value);
  }
  return number;
}

/** @param {unknown} value @param {string} field */
function readCorner(value, field) {
  const numbers = numbersOfPoint(value);
  if (!numbers) throw configurationError(field, `is ${describe(value)}: must be a point, [x, y, z] or { x, y, z }`, value);
  return numbers;
}

/**
 * Checks names and types, and writes every given field where C reads it.
 * @param {Session} session @param {number} bake @param {Config} config
 */
export function writeConfig(session, bake, config) {
  if (typeof config !== 'object' || config === null || Array.isArray(config)) {
    throw configurationError('config', `is ${describe(config)}: must be an object`, config);
  }
  const view = viewConfig(session, bake);
  for (const [name, value] of Object.entries(config)) {
    if (value === undefined) continue;
    if (name === 'bounds') {
      const { min, max } = /** @type {Partial<Bounds>} */ (value ?? {});
      requireNames(Object(value), BOUNDS, 'bounds.');
      const bounds = [...readCorner(min, 'bounds.min'), ...readCorner(max, 'bounds.max')];
      bounds.forEach((number, i) => view.setFloat32(byteOf('boundsMin') + 4 * i, number, true));
      view.setUint8(byteOf('hasBounds'), 1);
      continue;
    }
    const index = CONFIG_FIELDS.findIndex((field) => field.name === name);
    if (index < 0) throw unknownField(name, value);
    const number = toNumber(CONFIG_FIELDS[index], value);
    if (typeof CONFIG_FIELDS[index].default === 'boolean') {
      view.setUint8(byteOf(name), number);
    } else if (INTEGER_NAMES.includes(name)) {
      view.setInt32(byteOf(name), number, true);
    } else {
      view.setFloat32(byteOf(name), number, true);
    }
  }
}
