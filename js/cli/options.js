/** Options that several commands share: the configuration of a bake, and points. */
import { readFile } from 'node:fs/promises';
import { InvalidArgumentError, Option } from 'commander';
import { CONFIG_FIELDS } from '../input/config-fields.js';
import { NavError } from '../runtime/errors.js';
import { adviseName } from '../runtime/option-names.js';
import { findJsonError } from './json-place.js';
import { UsageError } from './usage-error.js';

/** @typedef {import('commander').Command} Command */
/** @typedef {import('../input/config.js').Config} Config */

/** @param {string} name */
const toKebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** @param {string} text */
export function parseNumber(text) {
  const number = Number(text);
  // NaN and Infinity pass: the library has better error messages for them.
  if (text.trim() === '' || (Number.isNaN(number) && text !== 'NaN')) throw new InvalidArgumentError('not a number');
  return number;
}

/** @param {string} text */
export function parseWorkers(text) {
  if (text === 'auto') return text;
  const number = parseNumber(text);
  if (!Number.isInteger(number) || number < 0 || number > 64) throw new InvalidArgumentError('must be auto, or 0 to 64');
  return number;
}

/** @param {number} count */
function numbersParser(count) {
  return (/** @type {string} */ text) => {
    const numbers = text.split(',').map(parseNumber);
    if (numbers.length !== count) throw new InvalidArgumentError(`must be ${count} numbers, separated by commas`);
    return numbers;
  };
}

export const parsePoint = numbersParser(3);

/**
 * Options of generated links, with the kind and the field that each sets. Without a kind: a field of all kinds. The configuration file
 * also sets areas, flags and costs.
 * @type {{ flag: string, kind?: import('../runtime/link-kinds.js').LinkKind, field: string, help: string }[]}
 */
const LINK_OPTIONS = [
  { flag: 'drop', kind: 'drop', field: 'maxHeight', help: 'generate drops, at most this high' },
  { flag: 'jump', kind: 'jump', field: 'maxDistance', help: 'generate jumps, at most this long' },
  { flag: 'jump-up', kind: 'jump', field: 'maxUp', help: 'with --jump, how far up (default: agent-max-climb)' },
  { flag: 'jump-down', kind: 'jump', field: 'maxDown', help: 'with --jump, how far down (default: agent-max-climb)' },
  { flag: 'jump-peak', kind: 'jump', field: 'peak', help: 'with --jump, how far the arc rises (default: jump-up, or an eighth of jump)' },
  { flag: 'climb', kind: 'climb', field: 'maxHeight', help: 'generate climbs, at most this high' },
  { flag: 'vault', kind: 'vault', field: 'maxHeight', help: 'generate vaults over obstacles, at most this high' },
  { flag: 'vault-depth', kind: 'vault', field: 'maxDepth', help: 'with --vault, how deep obstacles may be (default: 1)' },
  { flag: 'link-width', field: 'minWidth', help: 'generate no narrower links (default: 0)' },
  { flag: 'link-saving', field: 'minSaving', help: 'omit links if walking costs at most this many times as much (default: 0, off)' },
  { flag: 'link-thinning', field: 'thinning', help: 'of links nearer than this to each other keep the widest (default: agent-radius)' },
];

/** Adds an option for every configuration field, and --config. @param {Command} command */
export function addConfigOptions(command) {
  command.option('--config <file.json>', 'JSON object of configuration fields; other options override it');
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
  for (const { flag, help } of LINK_OPTIONS) {
    command.addOption(new Option(`--${flag} <units>`, help).argParser(parseNumber));
  }
  command.addOption(new Option('--bounds <minX,minY,minZ,maxX,maxY,maxZ>', 'the part of the world to bake')
    .argParser(numbersParser(6)));
  return command;
}

/** Limits of a bake, with their help. */
const LIMITS = /** @type {const} */ ({
  cells: 'refuse levels with more cells',
  tiles: 'refuse levels with more tiles',
  milliseconds: 'stop a bake that takes longer',
});

/** Adds an option for every limit of a bake. @param {Command} command */
export function addLimitOptions(command) {
  for (const [name, help] of Object.entries(LIMITS)) {
    command.addOption(new Option(`--limit-${name} <number>`, help).argParser(parseNumber));
  }
  return command;
}

/** @param {Record<string, any>} options @returns {import('../bake/bake-limits.js').BakeLimits} */
export function readLimits({ limitCells: cells, limitTiles: tiles, limitMilliseconds: milliseconds }) {
  return { cells, tiles, milliseconds };
}

/**
 * Reads a file with a JSON object.
 * @param {string} path @param {string} field the option @param {string} contents for the error message @returns {Promise<Record<string, any>>}
 */
async function readObjectFile(path, field, contents) {
  let text;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new NavError('file', `cannot read ${path}`, { field, value: path, cause });
  }
  try {
    const object = JSON.parse(text);
    if (typeof object === 'object' && object !== null && !Array.isArray(object)) return object;
  } catch {
    const place = findJsonError(text);
    if (place) throw new NavError('file', `${path}, line ${place.line}, column ${place.column}: isn't JSON. Expected ${place.expected}`, { field, value: path });
  }
  throw new NavError('file', `${path} must be a JSON object of ${contents}`, { field, value: path });
}

/** Fields of a level besides its triangles. */
const PLACED_NAMES = ['volumes', 'solids', 'offMeshConnections', 'areaFlags'];

/**
 * Reads the file of --placed. The bake checks its contents.
 * @param {string | undefined} path
 * @returns {Promise<Pick<import('../input/geometry.js').Geometry, 'volumes' | 'solids' | 'offMeshConnections' | 'areaFlags'>>}
 */
export async function readPlaced(path) {
  if (path === undefined) return {};
  const placed = await readObjectFile(path, 'placed', PLACED_NAMES.join(', '));
  const unknown = Object.keys(placed).find((name) => !PLACED_NAMES.includes(name));
  if (unknown === undefined) return placed;
  throw new NavError('file', `${path}: ${unknown} is not a field${adviseName(unknown, PLACED_NAMES)}`, { field: 'placed', value: path });
}

/** The name under which commander stores an option. @param {string} flag */
const toCamel = (flag) => flag.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase());

/**
 * The links of a configuration file, changed by the options; undefined if there are none.
 * @param {Record<string, any>} options @param {any} links of the file
 * @returns {Record<string, any> | undefined}
 */
function readLinkOptions(options, links) {
  const given = LINK_OPTIONS.filter(({ flag }) => options[toCamel(flag)] !== undefined);
  if (given.length === 0) return links;
  /** @type {Record<string, any>} */
  const all = { ...links };
  for (const { flag, kind, field } of given) {
    const value = options[toCamel(flag)];
    if (kind) all[kind] = { ...all[kind], [field]: value };
    else all[field] = value;
  }
  for (const { flag, kind } of given) {
    const first = LINK_OPTIONS.find((option) => option.kind === kind);
    if (kind && first && all[kind][first.field] === undefined) throw new UsageError(`--${flag} needs --${first.flag}, or links.${kind}.${first.field} in the file of --config`);
  }
  return all;
}

/**
 * The configuration from the options.
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
  const links = readLinkOptions(options, config.links);
  if (links) config.links = links;
  if (options.bounds) config.bounds = { min: options.bounds.slice(0, 3), max: options.bounds.slice(3) };
  return config;
}
