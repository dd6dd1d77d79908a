/** Options of paths that several commands share: how to search, what may be crossed, and other ways. */
import { InvalidArgumentError, Option } from 'commander';
import { parseNumber, parsePoint } from './options.js';
import { requireAbsent } from './usage-error.js';

/** @typedef {import('commander').Command} Command */
/** @typedef {import('../index.js').NavMesh} NavMesh */
/** @typedef {import('../index.js').Path} Path */
/** @typedef {import('../index.js').PathOptions} PathOptions */

/** @param {string} text @param {Record<string, number>} [costs] */
function collectAreaCost(text, costs = {}) {
  const parts = text.split('=');
  if (parts.length !== 2 || parts[0] === '') throw new InvalidArgumentError('must be an area and its cost, like 5=4');
  const area = parseNumber(parts[0]);
  if (!(Number.isInteger(area) && area >= 0 && area <= 63)) throw new InvalidArgumentError(`has area ${parts[0]}: must be a whole number from 0 to 63`);
  return { ...costs, [area]: parseNumber(parts[1]) };
}

/** Options that need --count, and all options of paths, by the names under which commander stores them. */
const NEEDS_COUNT = ['difference', 'maxLength'];
const PATH_OPTIONS = ['includeFlags', 'excludeFlags', 'areaCost', 'within', 'shortest', 'anyAngle', 'rayLimit', 'wallDistance', 'wallCost',
  'maxNodes', 'maxPoints', 'crossings', 'count', ...NEEDS_COUNT];

/** Adds the options of filters. @param {Command} command */
export const addFilterOptions = (command) => command
  .option('--include-flags <flags>', 'cross only polygons with one of these flags, such as 0x3 (default: 0xffff)', parseNumber)
  .option('--exclude-flags <flags>', 'cross no polygon with one of these flags, such as 0x10 (default: 0)', parseNumber)
  .option('--area-cost <area=cost>', 'cost of a world unit in an area, such as 5=4 (default: 1); repeatable', collectAreaCost);

/** The filter of those options. @param {Record<string, any>} options of the command @returns {import('../index.js').FilterOptions} */
export const readFilter = ({ includeFlags, excludeFlags, areaCost }) => ({ includeFlags, excludeFlags, areaCosts: areaCost });

/** Adds the options of findPath and findPaths. @param {Command} command */
export function addPathOptions(command) {
  return addFilterOptions(command)
    .option('--within <x,y,z>', 'largest distance of start and end from the mesh (default: 2,4,2)', parsePoint)
    .option('--shortest', 'the exact shortest path, measured on x and z', false)
    .addOption(new Option('--any-angle', 'shorten paths by rays that heed the costs of areas').default(false).conflicts('shortest'))
    .option('--ray-limit <units>', 'with --any-angle, the longest ray (default: 50 times the agent radius)', parseNumber)
    .option('--wall-distance <units>', 'distance from walls, beyond the agent radius, where there is room', parseNumber)
    .option('--wall-cost <factor>', 'how much more ground at walls costs, so that the path prefers open ground', parseNumber)
    .option('--max-nodes <number>', 'the largest number of polygons to search (default: 0, no limit)', parseNumber)
    .option('--max-points <number>', 'the largest number of points of a path (default: 0, no limit)', parseNumber)
    .addOption(new Option('--crossings <name>', 'also a point where the path enters another area, or each polygon').choices(['none', 'areas', 'all']))
    .option('--count <number>', 'find other ways, too: the largest number of paths, 1 to 16', parseNumber)
    .option('--difference <share>', 'with --count, the share of its length by which each differs, 0 to 1 (default: 0.3)', parseNumber)
    .option('--max-length <factor>', 'with --count, no path is longer than this many times the first (default: 2)', parseNumber);
}

/** The options of findPath. @param {Record<string, any>} options of the command @returns {PathOptions} */
export function readPathOptions(options) {
  const { within, shortest, anyAngle, rayLimit, wallDistance, wallCost, maxNodes, maxPoints, crossings } = options;
  return {
    halfExtents: within, filter: readFilter(options), shortest, anyAngle, rayLimit, wallDistance, wallCost, maxNodes, maxPoints,
    crossings,
  };
}

/** Refuses options of other ways without a count. @param {Record<string, any>} options of the command */
export function checkPathOptions(options) {
  if (options.count === undefined) requireAbsent(options, NEEDS_COUNT, '--count');
}

/** Refuses all options of paths. @param {Record<string, any>} options of the command @param {string} needed what is missing */
export const requireNoPathOptions = (options, needed) => requireAbsent(options, PATH_OPTIONS, needed);

/**
 * The path between two points; with --count, other ways after it. A path whose end lies on another island leads to the point of its own island
 * that is nearest to it. @param {NavMesh} navMesh @param {number[]} from @param {number[]} to @param {Record<string, any>} options of the command @returns {Path[]} */
export function findWays(navMesh, from, to, options) {
  const { count, difference, maxLength } = options;
  const search = readPathOptions(options);
  if (count !== undefined) return navMesh.findPaths(from, to, { ...search, count, difference, maxLength });
  const path = navMesh.findPath(from, to, search);
  return [path.reason === 'not-connected' ? navMesh.findPath(from, to, { ...search, islands: true }) : path];
}
