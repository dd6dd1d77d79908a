/** Options that several commands share: the configuration of a bake, and points. */
import { readFile } from 'node:fs/promises';
import { InvalidArgumentError, Option } from 'commander';
import { CONFIG_FIELDS } from '../bake/config.js';
import { NavError } from '../runtime/errors.js';
import { adviseName } from '../runtime/names.js';

/** @typedef {import('commander').Command} Command */
/** @typedef {import('../bake/config.js').Config} Config */

/** @param {string} name */
const toKebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** @param {string} text */
function parseNumber(text) {
  const number = Number(text);
  // NaN and Infinity are passed on: the library says what is wrong with them.
  if (text.trim() === '' || (Number.isNaN(number) && text !== 'NaN')) throw new InvalidArgumentError('not a number');
  return number;
}

/** @param {string} text */
export function parseWorkers(text) {
  if (text === 'auto') return text;
  const number = parseNumber(text);
  if (!Number.isInteger(number) || number < 0 || number > 64) throw new InvalidArgumentError('must be auto or 0 to 64');
  return number;
}

/** @param {number} count */
function numbersParser(count) {
  return (/** @type {string} */ text) => {
    const numbers = text.split(',').map(parseNumber);
    if (numbers.length !== count) throw new InvalidArgumentError(`must be ${count} numbers with commas between`);
    return numbers;
  };
}

export const parsePoint = numbersParser(3);

/** Adds an option for every configuration field, and --config. @param {Command} command */
export function addConfigOptions(command) {
  command.option('--config <file.json>', 'configuration fields; options given as well win');
  for (const { name, default: initial, help } of CONFIG_FIELDS) {
    const flag = `--${toKebab(name)}`;
    const described = `${help} (default: ${initial})`;
    if (typeof initial === 'boolean') {
      command.addOption(new Option(`${flag} [on|off]`, described).choices(['on', 'off', 'true', 'false']).preset('on'));
    } else if (typeof initial === 'number') {
      command.addOption(new Option(`${flag} <number>`, described).argParser(parseNumber));
    } else {
      command.addOption(new Option(`${flag} <name>`, described));
    }
  }
  command.addOption(new Option('--bounds <minX,minY,minZ,maxX,maxY,maxZ>', 'the part of the world to bake')
    .argParser(numbersParser(6)));
  return command;
}

/** Limits of a bake, with what is said of them. */
const LIMITS = /** @type {const} */ ({
  cells: 'refuse levels of more cells on x and z',
  tiles: 'refuse levels of more tiles',
  milliseconds: 'end bakes that take longer',
});

/** Adds an option for every limit of a bake. @param {Command} command */
export function addLimitOptions(command) {
  for (const [name, help] of Object.entries(LIMITS)) {
    command.addOption(new Option(`--limit-${name} <number>`, help).argParser(parseNumber));
  }
  return command;
}

/** @param {Record<string, any>} options @returns {import('../bake/limits.js').BakeLimits} */
export function readLimits({ limitCells: cells, limitTiles: tiles, limitMilliseconds: milliseconds }) {
  return { cells, tiles, milliseconds };
}

/**
 * A file that holds an object.
 * @param {string} path @param {string} field the option @param {string} what it holds @returns {Promise<Record<string, any>>}
 */
async function readObjectFile(path, field, what) {
  let text;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new NavError('file', `${path} cannot be read`, { field, value: path, cause });
  }
  try {
    const object = JSON.parse(text);
    if (typeof object === 'object' && object !== null && !Array.isArray(object)) return object;
  } catch {
    // Falls through to the same message.
  }
  throw new NavError('file', `${path} is not a JSON object of ${what}`, { field, value: path });
}

/** What a level has beside its triangles. */
const PLACED_NAMES = ['volumes', 'solids', 'offMeshConnections', 'areaFlags'];

/**
 * Reads what --placed names; what is in it is checked as in a bake from JavaScript.
 * @param {string | undefined} path
 * @returns {Promise<Pick<import('../bake/geometry.js').Geometry, 'volumes' | 'solids' | 'offMeshConnections' | 'areaFlags'>>}
 */
export async function readPlaced(path) {
  if (path === undefined) return {};
  const placed = await readObjectFile(path, 'placed', PLACED_NAMES.join(', '));
  const unknown = Object.keys(placed).find((name) => !PLACED_NAMES.includes(name));
  if (unknown === undefined) return placed;
  throw new NavError('file', `${path}: ${unknown} is not a field${adviseName(unknown, PLACED_NAMES)}`, { field: 'placed', value: path });
}

/**
 * The configuration that the options ask for.
 * @param {Record<string, any>} options @returns {Promise<Config>}
 */
export async function readConfig(options) {
  /** @type {Record<string, unknown>} */
  const config = options.config ? { ...await readObjectFile(options.config, 'config', 'configuration fields') } : {};
  for (const { name, default: initial } of CONFIG_FIELDS) {
    const value = options[name];
    if (value === undefined) continue;
    config[name] = typeof initial === 'boolean' ? value === 'on' || value === 'true' : value;
  }
  if (options.bounds) config.bounds = { min: options.bounds.slice(0, 3), max: options.bounds.slice(3) };
  return config;
}
