/** Makes a state from outside (an address, a file) valid: parts of the wrong form are replaced by their defaults. */
import { HEIGHTS, PARTITIONS } from 'walkmesh';
import { ITEM_CHECKS, isAreaTable } from '../edit/check-items.js';
import { isImport } from '../level/import-settings.js';
import { isLinkSettings } from '../links/kinds.js';
import { defaultDocument, defaultView } from './document.js';

/** @typedef {import('./document.js').Document} Document */
/** @typedef {import('./document.js').View} View */
/** @typedef {(value: any) => boolean} Check */

/** @param {unknown} value */
const isPlain = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @type {Check} */
const isPoint = (value) => Array.isArray(value) && value.length === 3 && value.every(Number.isFinite);

/** Plain data with finite numbers only. @type {Check} */
const isSound = (value) => (typeof value === 'number' ? Number.isFinite(value)
  : typeof value === 'object' && value !== null ? Object.values(value).every(isSound) : true);

/** @param {unknown} value @param {unknown} like */
const isOfKind = (value, like) => typeof value === typeof like && isPlain(value) === isPlain(like) && Array.isArray(value) === Array.isArray(like);

/** True for values that the tool chose, or none. @type {Check} */
function isChosen({ level, values, before = {} }) {
  return level === undefined || (typeof level === 'string' && [values, before].every((part) => isPlain(part) && Object.values(part).every(Number.isFinite)));
}

/** Checks for parts where the type alone is not enough. @type {Record<string, Check>} */
const PARTS = {
  areas: isAreaTable,
  level: (value) => ['scene', 'file'].includes(value.kind) && typeof value.name === 'string' && ['string', 'undefined'].includes(typeof value.key)
    && (value.import === undefined || isImport(value.import)),
  chosen: isChosen,
  links: isLinkSettings,
  layers: (value) => Object.values(value).every((layer) => typeof layer?.visible === 'boolean' && layer.opacity >= 0 && layer.opacity <= 1),
  theme: (value) => ['system', 'light', 'dark'].includes(value),
  picture: (value) => ['auto', 'fine', 'plain'].includes(value),
  snap: (value) => value >= 0,
  panels: (value) => typeof value.left === 'boolean' && typeof value.right === 'boolean',
};

/** Checks for parts that may be null. @type {Record<string, Check>} */
const OR_NULL = {
  clip: Number.isFinite,
  shell: (value) => typeof value === 'boolean',
  camera: (value) => isPoint(value?.position) && isPoint(value?.target),
};

/** The entries of a value that have the type of the base's entries; other entries come from the base. @template {object} T @param {unknown} value @param {T} base @returns {T} */
function takeKnown(value, base) {
  if (!isPlain(value)) return base;
  const given = /** @type {Record<string, any>} */ (value);
  const isGood = (/** @type {string} */ key, /** @type {unknown} */ like) => {
    const entry = given[key];
    if (key in OR_NULL) return entry === null || OR_NULL[key](entry);
    return isOfKind(entry, like) && isSound(entry) && (PARTS[key]?.(entry) ?? true);
  };
  return /** @type {T} */ (Object.fromEntries(
    Object.entries(base).map(([key, like]) => [key, key in given && isGood(key, like) ? given[key] : like])));
}

/** @param {unknown} items @param {Check} isGood */
function takeItems(items, isGood) {
  const taken = new Set();
  return /** @type {any[]} */ (items).filter((item) => {
    if (!isPlain(item) || !Number.isInteger(item.id) || item.id < 1 || taken.has(item.id) || !isGood(item)) return false;
    taken.add(item.id);
    return true;
  });
}

/** @param {unknown} config @param {Document['config']} [base] @returns {Document['config']} missing fields and wrong types get those of the base, default: of the tool; the bake checks the ranges */
export function checkConfig(config, base = defaultDocument().config) {
  const { bounds } = /** @type {any} */ (isPlain(config) ? config : {});
  const known = takeKnown(config, base);
  if (!PARTITIONS.includes(known.partition)) known.partition = 'watershed';
  if (!HEIGHTS.includes(known.heights)) known.heights = 'voxels';
  if (isPlain(bounds) && isPoint(bounds.min) && isPoint(bounds.max)) known.bounds = { min: bounds.min, max: bounds.max };
  return known;
}

/** @param {unknown} document @param {Document['config']} [config] for missing fields of the configuration @returns {Document} */
export function checkDocument(document, config) {
  const known = takeKnown(document, defaultDocument());
  for (const [key, isGood] of Object.entries(ITEM_CHECKS)) Object.assign(known, { [key]: takeItems(/** @type {any} */ (known)[key], isGood) });
  known.config = checkConfig(/** @type {any} */ (document)?.config, config);
  return known;
}

/** @param {unknown} view @returns {View} */
export const checkView = (view) => takeKnown(view, defaultView());
