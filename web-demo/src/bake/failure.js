/**
 * Failed bakes in the words of the configuration panel: which setting doesn't fit, why, and a value that does. The causes are those that the
 * library checks; messages of other failures get the labels of the settings in place of the names of fields.
 */
import { defaultDocument } from '../state/document.js';
import { FIELD_GROUPS, findField } from './config-table.js';
import { PRESETS, TOO_MANY_CELLS, countCells, roundUp, suggest } from './suggest.js';

/** @typedef {import('../state/document.js').Document['config']} Config */
/** @typedef {import('./config-table.js').NumberFieldRow} NumberFieldRow */
/** @typedef {{ min: readonly number[], max: readonly number[] }} Bounds */
/** @typedef {{ label: string, step: string, fields: Partial<Config> }} Fix a change that lets the level bake */
/** field: of the setting at fault, if it isn't the one that the library names. @typedef {{ text: string, fix: Fix | null, field?: string }} Failure */

/** The library's limits: cells on the vertical axis, of the agent's height and of its radius, and of the numbers of positions. */
const [MOST_HEIGHTS, MOST_HEIGHT_CELLS, MOST_RADIUS_CELLS, PRECISION] = [65_533, 255, 127, 8_388_608];

const short = (/** @type {number} */ value) => String(Number(value.toPrecision(6)));

/** A value with the unit of its field. @param {string} name @param {number} value */
function measured(name, value) {
  const { unit } = /** @type {NumberFieldRow} */ (findField(name));
  if (unit === 'degrees') return `${short(value)}°`;
  return unit ? `${short(value)} ${unit}` : short(value);
}

/** @param {string} name */
const labelOf = (name) => findField(name)?.label ?? name;

/** @param {Partial<Config>} fields of one or several settings; the first one names the change @returns {Fix} */
function useValue(fields) {
  const [name, value] = Object.entries(fields)[0];
  const label = labelOf(name).toLowerCase();
  return { label: `Use ${label} ${measured(name, /** @type {number} */ (value))}`, step: `change ${label}`, fields };
}

/** A number outside its range. @param {Config} config @param {string} name @returns {Failure | null} */
function outOfRange(config, name) {
  const field = findField(name);
  if (field?.kind !== 'number') return null;
  const { min, max, orZero, label } = field;
  const value = /** @type {number} */ (config[field.name]);
  if ((value >= min && value <= max) || (orZero && value === 0)) return null;
  const lowest = min === 1e-6 ? 'more than 0' : max === 1e6 ? `${short(min)} or more` : `${short(min)} to ${short(max)}`;
  const fit = value > max ? max : min === 1e-6 ? null : orZero && value <= 0 ? 0 : min;
  return { text: `${label} is ${measured(name, value)}. It must be ${lowest}${orZero ? ', or 0' : ''}.`, fix: fit === null ? null : useValue({ [name]: fit }) };
}

/** Too many cells. @param {Config} config @param {Bounds} bounds @returns {Failure} */
function tooManyCells(config, bounds) {
  const { config: sizes } = suggest(bounds, config);
  const cells = countCells(bounds, config);
  const isFewEnough = cells <= TOO_MANY_CELLS && config.tileSize === 0;
  const count = cells >= 1e9 ? `${Number((cells / 1e9).toPrecision(2)).toLocaleString('en')} billion` : `${Math.round(cells / 1e6).toLocaleString('en')} million`;
  return {
    text: `Cell size ${measured('cellSize', config.cellSize)} cuts the level into ${count} cells, more than fit in memory.`,
    fix: useValue(isFewEnough ? { tileSize: sizes.tileSize } : { cellSize: sizes.cellSize, cellHeight: Math.max(sizes.cellHeight, config.cellHeight), tileSize: sizes.tileSize }),
  };
}

/** The least cell size that a bake accepts. */
const LEAST_CELL = 1e-6;

/** A cell size that doesn't fit the level. @param {Config} config @param {Bounds} bounds @param {string} message @returns {Failure} */
function wrongCellSize(config, bounds, message) {
  const size = measured('cellSize', config.cellSize);
  const narrow = Math.min(bounds.max[0] - bounds.min[0], bounds.max[2] - bounds.min[2]);
  if (narrow < 0.001 * (bounds.max[1] - bounds.min[1])) return { text: 'The level is flat and stands upright. If z is up in its file, set the up axis.', fix: null };
  if (narrow < LEAST_CELL) return { text: `The level is only ${measured('cellSize', narrow)} wide. Is its scale 0?`, fix: null };
  if (narrow < config.cellSize) {
    const { config: sizes } = suggest(bounds, { ...config, agentRadius: 0 });
    return { text: `The level is smaller than a cell of ${size}.`, fix: useValue({ cellSize: sizes.cellSize }) };
  }
  if (/GiB/.test(message)) return tooManyCells(config, bounds);
  const spacing = Math.max(...[0, 2].flatMap((axis) => [-bounds.min[axis], bounds.max[axis]])) / PRECISION;
  if (config.cellSize < 2 * spacing) {
    return { text: `The level is too far from the origin for cells of ${size}. Move it nearer, or use larger cells.`, fix: useValue({ cellSize: roundUp(Math.max(2 * spacing, config.agentRadius / MOST_RADIUS_CELLS)) }) };
  }
  return { text: withLabels(message), fix: null };
}

/** An agent wider than the level. @param {number} radius @param {Bounds} bounds @returns {Failure | null} */
function agentTooWide(radius, { min, max }) {
  const width = Math.max(max[0] - min[0], max[2] - min[2]);
  if (2 * radius <= width) return null;
  return {
    text: `Agent radius ${measured('agentRadius', radius)} is too large for a level ${measured('agentRadius', width)} wide.`,
    fix: useValue({ agentRadius: defaultDocument().config.agentRadius }),
  };
}

/** The widest radius for which the cells are at fault, not the radius: that of the largest preset. */
const USUAL_RADIUS = Math.max(...PRESETS.map(({ agent }) => agent.agentRadius));

/** Cells that are too small for an agent, or an agent that is too large for its cells. @param {number} radius @param {number} cellSize @returns {Failure} */
function tooManyRadiusCells(radius, cellSize) {
  const fix = useValue({ cellSize: roundUp(radius / MOST_RADIUS_CELLS) });
  if (radius > USUAL_RADIUS) return { text: `Agent radius ${measured('agentRadius', radius)} is more than ${MOST_RADIUS_CELLS} cells.`, fix };
  return { text: `Cell size ${measured('cellSize', cellSize)} is too small: an agent radius of ${measured('agentRadius', radius)} may be at most ${MOST_RADIUS_CELLS} cells.`, fix, field: 'cellSize' };
}

/** Settings that don't fit each other, by field. @type {Record<string, (config: Config, bounds: Bounds, message: string) => Failure | null>} */
const CAUSES = {
  agentMaxClimb: ({ agentMaxClimb, agentHeight }) => (agentMaxClimb > agentHeight ? {
    text: `Max step height is ${measured('agentMaxClimb', agentMaxClimb)}, more than the agent height of ${measured('agentHeight', agentHeight)}.`, fix: useValue({ agentMaxClimb: agentHeight }),
  } : null),
  agentHeight: ({ agentHeight, cellHeight }) => (agentHeight / cellHeight > MOST_HEIGHT_CELLS ? {
    text: `Agent height ${measured('agentHeight', agentHeight)} is more than ${MOST_HEIGHT_CELLS} cell heights.`, fix: useValue({ cellHeight: roundUp(agentHeight / MOST_HEIGHT_CELLS) }),
  } : null),
  agentRadius: ({ agentRadius, cellSize }, bounds) => (agentRadius / cellSize > MOST_RADIUS_CELLS ? agentTooWide(agentRadius, bounds) ?? tooManyRadiusCells(agentRadius, cellSize) : null),
  cellHeight: ({ cellHeight, agentHeight }, { min, max }) => ((max[1] - min[1]) / cellHeight > MOST_HEIGHTS ? {
    text: `Cell height ${measured('cellHeight', cellHeight)} is too small for a level ${measured('cellHeight', max[1] - min[1])} high.`, fix: useValue({ cellHeight: roundUp(Math.max((max[1] - min[1]) / MOST_HEIGHTS, agentHeight / MOST_HEIGHT_CELLS)) }),
  } : null),
  cellSize: wrongCellSize,
  bounds: () => ({ text: 'The bake bounds are empty: each minimum must be below its maximum.', fix: { label: 'Bake the whole level', step: 'change bake bounds', fields: { bounds: undefined } } }),
};

/** A message of the library with labels in place of the names of fields. @param {string} message */
export function withLabels(message) {
  const names = FIELD_GROUPS.flatMap(({ fields }) => fields.map(({ name }) => name));
  const text = message.replace(new RegExp(`\\b(${names.join('|')})\\b`, 'g'), (name) => labelOf(name).toLowerCase());
  return text && text[0].toUpperCase() + text.slice(1);
}

/**
 * @param {{ message: string, field?: unknown }} error of a bake @param {Config} config that was baked @param {Bounds} [level] bounds of the level
 * @returns {Failure}
 */
export function explainFailure({ message, field }, config, level) {
  const bounds = config.bounds ?? level;
  const name = typeof field !== 'string' ? '' : field.startsWith('bounds') ? 'bounds' : field;
  return outOfRange(config, name) ?? (bounds && CAUSES[name]?.(config, bounds, message)) ?? { text: withLabels(message), fix: null };
}
