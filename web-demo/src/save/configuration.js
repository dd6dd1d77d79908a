/**
 * The configuration as a file: a JSON object of fields, also read by `walkmesh bake --config`. This module checks names
 * and types of the fields; the bake checks the ranges.
 */
import { CONFIG_FIELDS, HEIGHTS, NavError, PARTITIONS } from 'walkmesh';
import { listNames } from '../project/unknown-fields.js';
import { shortened } from './literals.js';

/** @typedef {import('../state/document.js').Document} Document */

/** @param {Document['config']} config @returns {string} */
export function configurationText(config) {
  const { bounds, ...fields } = config;
  return `${JSON.stringify(shortened(bounds ? { ...fields, bounds } : fields), null, 2)}\n`;
}

/** The fields that differ from their defaults, in the order of CONFIG_FIELDS. @param {Document['config']} config */
export function changedFields(config) {
  /** @type {[string, unknown][]} */
  const changed = CONFIG_FIELDS.filter(({ name, default: initial }) => config[name] !== undefined && config[name] !== initial)
    .map(({ name }) => [name, config[name]]);
  if (config.bounds) changed.push(['bounds', config.bounds]);
  return /** @type {Partial<Document['config']>} */ (Object.fromEntries(changed));
}

/** @param {string} file @param {string} problem */
const refuse = (file, problem) => new NavError('file', `${file} ${problem}`, { field: 'file', value: file });

/** @param {unknown} point */
const isPoint = (point) => Array.isArray(point) && point.length === 3 && point.every(Number.isFinite);

/** The problem with a field's value, or undefined. @param {typeof CONFIG_FIELDS[number]} field @param {unknown} value */
function problemOf({ name, default: initial }, value) {
  /** @type {readonly unknown[] | undefined} */
  const names = name === 'partition' ? PARTITIONS : name === 'heights' ? HEIGHTS : undefined;
  if (names) return names.includes(value) ? undefined : `must be one of ${names.join(', ')}`;
  if (typeof value !== typeof initial) return `must be ${typeof initial === 'number' ? 'a number' : 'true or false'}`;
  return typeof value === 'number' && !Number.isFinite(value) ? 'must be a number' : undefined;
}

/** Throws if there are fields that don't exist, and names all of them. @param {string[]} names @param {string} file */
function requireKnown(names, file) {
  const known = [...CONFIG_FIELDS.map(({ name }) => name), 'bounds'];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const advice = unknown.map((name) => known.find((candidate) => plain(candidate) === plain(name))).filter((name) => name !== undefined);
  throw refuse(file, `has ${unknown.length === 1 ? 'an unknown field' : 'unknown fields'}: ${listNames(unknown)}. `
    + (advice.length > 0 ? `Did you mean ${advice.join(', ')}?` : `Remove ${unknown.length === 1 ? 'it' : 'them'}.`));
}

/** A name without case and signs. @param {string} name */
const plain = (name) => name.toLowerCase().replaceAll(/[^a-z]/g, '');

/**
 * Reads a configuration file; missing fields get their defaults.
 * @param {string} text @param {string} file file name, for messages
 * @param {Document['config']} defaults @returns {Document['config']}
 */
export function parseConfiguration(text, file, defaults) {
  let read;
  try {
    read = JSON.parse(text);
  } catch {
    throw refuse(file, 'isn\'t JSON. Use an object of fields, such as { "cellSize": 0.2 }');
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read)) throw refuse(file, 'isn\'t an object of configuration fields, such as { "cellSize": 0.2 }');
  if (Object.keys(read).length === 0) throw refuse(file, 'has no configuration fields. Add at least one, such as "cellSize"');
  requireKnown(Object.keys(read), file);
  for (const [name, value] of Object.entries(read)) {
    if (name === 'bounds') {
      if (isPoint(value?.min) && isPoint(value?.max)) continue;
      throw refuse(file, 'has invalid bounds. Use { "min": [x, y, z], "max": [x, y, z] }');
    }
    const field = /** @type {typeof CONFIG_FIELDS[number]} */ (CONFIG_FIELDS.find((candidate) => candidate.name === name));
    const problem = problemOf(field, value);
    if (problem) throw refuse(file, `has ${name}: ${JSON.stringify(value)}: ${problem}`);
  }
  const { bounds: _, ...rest } = defaults;
  return { ...rest, ...read };
}
