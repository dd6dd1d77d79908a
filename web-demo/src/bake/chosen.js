/**
 * Which values of the configuration the tool chose for a level. They are chosen again for the next level; values that the user set
 * stay. The document stores the tool's values: a field that still has its value is the tool's, one that differs is the user's.
 */
import { defaultToolConfig } from '../state/document.js';
import { TOO_MANY_CELLS, countCells, suggest } from './suggest.js';

/** @typedef {import('../state/document.js').Document} Document */
/** @typedef {Document['config']} Config */
/** @typedef {{ min: readonly number[], max: readonly number[] }} Bounds */
/** @typedef {Partial<Pick<Config, 'cellSize' | 'cellHeight' | 'tileSize'>>} Sizes */
/**
 * @typedef {object} Chosen
 * @property {string} level of idOf
 * @property {Sizes} values
 * @property {Sizes} [before] values that the tool replaced on its own; none: the user asked for the suggestion
 */

const FIELDS = /** @type {const} */ (['cellSize', 'cellHeight', 'tileSize']);

/** Identifies a level as it is baked. @param {Document['level']} level */
export const idOf = ({ kind, name, key, import: settings }) => [key ?? `${kind} ${name}`, settings ? JSON.stringify(settings) : ''].join(' ').trim();

/** Records values that the user asked the tool for: a preset, or "Suggest settings". @param {Document} draft @param {Sizes} values */
export function recordSuggestion(draft, { cellSize, cellHeight, tileSize }) {
  draft.chosen = { level: idOf(draft.level), values: { cellSize, cellHeight, tileSize } };
}

/** The fields that still have the tool's values. @param {Pick<Document, 'config'> & { chosen?: Partial<Chosen> }} document */
export const ownFields = ({ config, chosen }) => FIELDS.filter((name) => chosen?.values?.[name] !== undefined && chosen.values[name] === config[name]);

/** @param {Sizes} values @param {readonly (keyof Sizes)[]} names @returns {Sizes} */
const pick = (values, names) => Object.fromEntries(names.map((name) => [name, values[name]]));

/**
 * Chooses the tool's values for a level that was opened.
 * @param {Document} document @param {Bounds} bounds of the level
 * @returns {{ config: Config, chosen: Document['chosen'], text: string | null, isTooLarge: boolean } | null} null: they are chosen already.
 *   text: why a large level has other values; isTooLarge: it has too many cells of the size that the user set
 */
export function chooseFor({ level, config, chosen }, bounds) {
  const id = idOf(level);
  if (chosen.level === id) return null;
  const mine = ownFields({ config, chosen });
  /** @type {Config} */
  let next = { ...config, ...(chosen.before && pick(chosen.before, mine)) };
  /** @type {Document['chosen']} */
  let record = {};
  if (mine.length > 0 && !chosen.before) {
    const values = pick(suggest(next.bounds ?? bounds, next).config, mine);
    next = { ...next, ...values };
    record = { level: id, values };
  }
  if (next.bounds || countCells(bounds, next) <= TOO_MANY_CELLS) return { config: next, chosen: record, text: null, isTooLarge: false };
  const initial = defaultToolConfig();
  const free = FIELDS.filter((name) => mine.includes(name) || next[name] === initial[name]);
  if (!free.includes('cellSize')) return { config: next, chosen: record, text: null, isTooLarge: true };
  const { config: suggested, text } = suggest(bounds, next);
  const values = pick(suggested, free);
  return { config: { ...next, ...values }, chosen: { level: id, values, before: pick(next, free) }, text, isTooLarge: false };
}
