/**
 * The configuration as a file: a JSON object of fields, also read by `walkmesh bake --config`. This module checks names
 * and types of the fields; the bake checks the ranges.
 */
import { CONFIG_FIELDS, HEIGHTS, NavError, PARTITIONS } from 'walkmesh';
import { fromLinkConfig, toLinkConfig, wantsLinks } from '../links/kinds.js';
import { listNames } from '../project/unknown-fields.js';
import { shortened } from './literals.js';

/** @typedef {import('../state/document.js').Document} Document */

/** @param {Pick<Document, 'config' | 'links'>} document @returns {string} */
export function configurationText(document) {
  const { bounds, ...fields } = document.config;
  return `${JSON.stringify(shortened({ ...fields, bounds, ...linksField(document) }), null, 2)}\n`;
}

/** The field of links; none if no kind is on. @param {Pick<Document, 'config' | 'links'>} document @returns {{ links?: import('walkmesh').LinkConfig }} */
const linksField = (document) => (wantsLinks(document) ? { links: toLinkConfig(document) } : {});

/** The fields that differ from their defaults, in the order of CONFIG_FIELDS, and links. @param {Pick<Document, 'config' | 'links'>} document */
export function changedFields(document) {
  const { config } = document;
  /** @type {[string, unknown][]} */
  const changed = CONFIG_FIELDS.filter(({ name, default: initial }) => config[name] !== undefined && config[name] !== initial)
    .map(({ name }) => [name, config[name]]);
  if (config.bounds) changed.push(['bounds', config.bounds]);
  return /** @type {Partial<import('walkmesh').Config>} */ ({ ...Object.fromEntries(changed), ...linksField(document) });
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
  const known = [...CONFIG_FIELDS.map(({ name }) => name), 'bounds', 'links'];
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
 * @param {Document['config']} defaults @returns {Pick<Document, 'config' | 'links'>} without links in the file, all kinds are off
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
    if (name === 'links') {
      if (areLinks(value)) continue;
      throw refuse(file, 'has invalid links. Use { "jump": { "maxDistance": 3 } }');
    }
    const field = /** @type {typeof CONFIG_FIELDS[number]} */ (CONFIG_FIELDS.find((candidate) => candidate.name === name));
    const problem = problemOf(field, value);
    if (problem) throw refuse(file, `has ${name}: ${JSON.stringify(value)}: ${problem}`);
  }
  const { bounds: _, ...rest } = defaults;
  const { links, ...fields } = read;
  const config = { ...rest, ...fields };
  return { config, links: fromLinkConfig(links, config) };
}

/** True for an object of numbers and of objects of numbers. @param {unknown} links */
const areLinks = (links) => isRecord(links) && Object.values(links).every((value) => Number.isFinite(value) || (isRecord(value) && Object.values(value).every(Number.isFinite)));

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isRecord = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
