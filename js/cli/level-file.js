/** The level that a command reads, and its options. */
import { InvalidArgumentError, Option } from 'commander';
import { UP_AXES } from '../input/up-axis.js';
import { readLevel } from '../level/files.js';
import { fillConvex } from '../level/fill-convex.js';
import { parseNumber, readPlaced } from './options.js';
import { requireAbsent } from './usage-error.js';

/** @typedef {import('commander').Command} Command */

/** Appends a value of an option that may be repeated. @param {string} pattern @param {string[]} [list] */
const collect = (pattern, list = []) => [...list, pattern];

/** @param {string} text @param {Record<string, number>} [areas] */
function collectArea(text, areas = {}) {
  const at = text.lastIndexOf('=');
  if (at <= 0) throw new InvalidArgumentError("must be a name and an area, like 'Mud*=3'");
  return { ...areas, [text.slice(0, at)]: parseNumber(text.slice(at + 1)) };
}

/**
 * Adds options of the level: its up axis, which nodes, materials and groups of a level count, by name, and what is placed in it.
 * @param {Command} command
 */
export function addLevelOptions(command) {
  command.addOption(new Option('--up-axis <axis>', 'the axis of the level that points up (default: y)').choices(UP_AXES));
  for (const [flag, help] of [['--include <pattern>', 'only nodes, materials, groups with such a name; * stands for any characters; repeatable'],
    ['--exclude <pattern>', 'without nodes, materials, groups with such a name; repeatable']]) {
    command.addOption(new Option(flag, help).argParser(collect));
  }
  command.addOption(new Option('--area <pattern=area>', 'area of nodes, materials, groups with such a name; repeatable').argParser(collectArea));
  command.option('--fill-convex', 'fill closed convex parts of the level, such as crates: meshes are hollow');
  return command.option('--placed <file.json>', 'JSON object of volumes, solids, offMeshConnections, areaFlags');
}

/** Options of a level, by the names under which commander stores them. */
const LEVEL_OPTIONS = ['upAxis', 'include', 'exclude', 'area', 'fillConvex', 'placed'];

/** Refuses options of a level where none is named. @param {Record<string, any>} options of the command @param {string} needed what names it */
export const requireNoLevelOptions = (options, needed) => requireAbsent(options, LEVEL_OPTIONS, needed);

/**
 * Reads the level that the options describe.
 * @param {string} path @param {Record<string, any>} options @param {(warning: string) => void} onWarning
 * @param {(file: string) => void} [onFile] receives the path of each file that the level names
 * @returns {Promise<import('../index.js').Geometry>}
 */
export async function readLevelFile(path, { include, exclude, area: areas, upAxis, fillConvex: isFilled, placed }, onWarning, onFile = undefined) {
  const names = Object.fromEntries(Object.entries({ include, exclude, areas }).filter(([, value]) => value !== undefined));
  const besides = await readPlaced(placed);
  const level = { ...await readLevel(path, onWarning, names, onFile), upAxis, ...besides };
  return isFilled ? fillConvex(level) : level;
}
