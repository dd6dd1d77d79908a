/** The measured levels and configurations: the design's defaults at a small cell size, cell height two thirds of it. */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readLevel } from '../tests/js/live/obj.js';
import { DEFAULTS } from '../tests/js/live/voxels.js';
import { makeBigTerrain } from '../tests/scenes/big-terrain.js';

const SCENES = new URL('../tests/scenes/', import.meta.url);
const NAV_TEST = new URL('../../shared/scenes/recast/nav_test.obj', import.meta.url);
const GAME = new URL('../../shared/scenes/game/', import.meta.url);
const TILE_SIZE = 64;

/** Each group has its own mean: on open hills the detail mesh takes most of the time. */
const LEVELS = [
  { name: 'city', cellSize: 0.15, group: 'levels' },
  { name: 'caves', cellSize: 0.1, group: 'levels' },
  { name: 'holes', cellSize: 0.1, group: 'levels' },
  { name: 'maze', cellSize: 0.05, group: 'levels' },
  { name: 'stairs', cellSize: 0.1, group: 'levels' },
  { name: 'nav_test', cellSize: 0.1, group: 'levels' },
  { name: 'terrain', cellSize: 0.15, group: 'terrain' },
  { name: 'terrain', cellSize: 0.1, group: 'terrain' },
];

/** Levels of real games, at the cells that suit them; their licences keep them beside the repository. */
const GAME_LEVELS = [
  { name: 'nx_silvercity', cellSize: 0.3 },
  { name: 'nx_desertfactory', cellSize: 0.2 },
  { name: 'oa_thor', cellSize: 0.3 },
  { name: 'oa_shouse', cellSize: 0.3 },
  { name: 'fd_MAP07', cellSize: 0.15 },
  { name: 'fd_MAP18', cellSize: 0.3 },
];
const FINE_CELLS = [0.15, 0.1];

/** @typedef {{ name: string, group: string, missing: boolean, file?: string, config: any, read: () => { positions: Float32Array, indices: Uint32Array } }} Level */

/** @param {string} name */
function fileOf(name) {
  if (name === 'nav_test') return NAV_TEST;
  return new URL(`${name}.obj`, GAME_LEVELS.some((level) => level.name === name) ? GAME : SCENES);
}

/** @param {number} cellSize */
export const fineConfig = (cellSize) => ({ ...DEFAULTS, cellSize, cellHeight: Math.fround((cellSize * 2) / 3) });

/** @param {{ name: string, cellSize: number, group?: string }} level @returns {Level} */
export function makeLevel({ name, cellSize, group = 'levels' }) {
  const file = fileURLToPath(fileOf(name));
  return { name, group, missing: !existsSync(file), file, config: fineConfig(cellSize), read: () => readLevel(file) };
}

/** @param {{ name: string, cellSize: number, group?: string }[]} levels @param {string[]} names only these; all if empty @returns {Level[]} */
function chooseFrom(levels, names) {
  const known = [...new Set(levels.map(({ name }) => name))];
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`no such level: ${unknown.join(', ')} (there are ${known.join(', ')})`);
  return levels.filter(({ name }) => names.length === 0 || names.includes(name)).map(makeLevel);
}

/** @param {string[]} [names] only these; all if empty @returns {Level[]} */
export const chooseLevels = (names = []) => chooseFrom(LEVELS, names);

/** Levels of real games, each at its cell and at finer ones. @param {string[]} [names] only these; all if empty @returns {Level[]} */
export function chooseGameLevels(names = []) {
  const levels = GAME_LEVELS.flatMap((level) => [level, ...FINE_CELLS.filter((cellSize) => cellSize < level.cellSize).map((cellSize) => ({ ...level, cellSize }))]);
  return chooseFrom(levels.map((level) => ({ ...level, group: 'game' })), names);
}

/**
 * Figures of levels of real games by cell size: of each level at its own, at 0.15, and at 0.1.
 * @template {{ level: string, cellSize: number }} T @param {T[]} levels @returns {{ cells: string, levels: T[] }[]}
 */
export function gameLevelsByCell(levels) {
  const isOwn = (/** @type {T} */ { level, cellSize }) => GAME_LEVELS.some((own) => own.name === level && own.cellSize === cellSize);
  const groups = [{ cells: 'own cells', levels: levels.filter(isOwn) },
    ...FINE_CELLS.map((cell) => ({ cells: `cell ${cell}`, levels: levels.filter(({ cellSize }) => cellSize === cell) }))];
  return groups.filter((group) => group.levels.length > 0);
}

/** The level for bakes in tiles of 64 cells. @param {Level} level @returns {Level} */
export const inTiles = (level) => ({ ...level, config: { ...level.config, tileSize: TILE_SIZE } });

/** Levels for bakes in tiles of 64 cells. @returns {Level[]} */
export function tiledLevels() {
  const city = makeLevel({ name: 'city', cellSize: 0.15 });
  const terrain = { name: '1 km terrain', group: 'tiled', missing: false, config: fineConfig(0.3), read: () => makeBigTerrain() };
  return [city, terrain].map((level) => inTiles(/** @type {Level} */ (level)));
}

/** @typedef {{ name: string, cellSize: number, missing: boolean, read: Level['read'] }} QueryLevel at the default cell size */

/** @param {string[]} names @returns {QueryLevel[]} */
const forQueries = (names) => names.map((name) => makeLevel({ name, cellSize: DEFAULTS.cellSize }))
  .map(({ name, missing, read }) => ({ name, cellSize: DEFAULTS.cellSize, missing, read }));

/** Levels of the query benchmark; levels whose file is missing are left out. */
export const queryLevels = () => forQueries(['city', 'terrain', 'nav_test']).filter(({ missing }) => !missing);

/** Levels of real games for the query benchmark. @param {string[]} [names] only these; all if empty */
export const gameQueryLevels = (names = []) => forQueries(GAME_LEVELS.map(({ name }) => name))
  .filter(({ name }) => names.length === 0 || names.includes(name));
