/**
 * Bakes of levels of real games, in one tile and in tiles of 64: what users will see. Levels of games have columns of several floors, large
 * empty parts, brushes of all sizes and thin details; our own scenes have fewer. The files may not be part of the repository: without
 * them this part measures nothing, and says so.
 */
import { loadContestants, measureLevel } from './bakes.js';
import { chooseGameLevels, gameLevelsByCell, inTiles, makeLevel } from './levels.js';
import { comparisonText, meansOf, meansTable, ratio, totalRatio } from './report.js';
import { geometricMean } from './statistics.js';
import { ratioText, timeText } from './tables.js';
import { agreementText, loadTiledContestants, measureTiledLevel } from './tiled.js';

const MILLISECONDS_A_LEVEL = 3000;

/**
 * @typedef {object} GameFigures
 * @property {import('./report.js').LevelFigures[]} solo in one tile
 * @property {any[]} tiled the same levels in tiles
 * @property {string[]} missing names of levels whose files are not there
 */

/** @param {import('./bakes.js').BenchOptions} [options] @returns {Promise<GameFigures>} */
export async function measureGame(options = {}) {
  const chosen = options.smallest ? [makeLevel({ name: 'plaza', cellSize: 0.3, group: 'game' })] : chooseGameLevels(options.scenes);
  const [contestants, tiledContestants] = [await loadContestants({}), await loadTiledContestants()];
  const limits = { ...options, runs: options.smallest ? 1 : options.runs, milliseconds: MILLISECONDS_A_LEVEL };
  const solo = [], tiled = [];
  for (const level of chosen.filter(({ missing }) => !missing)) {
    solo.push(await measureLevel(contestants, level, limits));
    tiled.push({ ...await measureTiledLevel(tiledContestants, inTiles(level), limits), group: 'game, tiles of 64' });
  }
  options.onProgress?.('');
  return { solo, tiled, missing: [...new Set(chosen.filter(({ missing }) => missing).map(({ name }) => name))] };
}

/** Times of both, in milliseconds, and their ratio. @param {import('./report.js').LevelFigures} level */
function totalCells({ rows, contestants }) {
  const total = rows[rows.length - 1], times = contestants.slice(0, 2).map((name) => timeText(total.figures[name].median));
  return [...times, ...(contestants.length > 1 ? [] : ['-']), ratioText(ratio(total, contestants[0], contestants[1]))];
}

/** The geometric mean and the least of the ratios. @param {import('./report.js').LevelFigures[]} levels */
function meanCells(levels) {
  const ratios = levels.map((level) => totalRatio(level)).filter((value) => value !== undefined);
  return ratios.length > 0 ? [ratioText(geometricMean(ratios)), ratioText(Math.min(...ratios))] : ['-', '-'];
}

/** @param {GameFigures} figures @returns {import('./tables.js').Table[]} */
export function gameTables({ solo, tiled, missing }) {
  const absent = missing.length > 0 ? [`Not measured, for their files are not beside the repository (shared/scenes/game): ${missing.join(', ')}.`] : [];
  const title = 'Bakes of levels of games, ms (medians)';
  if (solo.length === 0) return [{ title, rows: [['level, cell']], notes: absent }];
  const rows = solo.map((level, i) => [`${level.level} ${level.cellSize}`, ...totalCells(level), ...totalCells(tiled[i])]);
  const [one, many] = [gameLevelsByCell(solo), gameLevelsByCell(tiled)];
  const means = one.flatMap(({ cells, levels }, i) => {
    const [[mean, least], [tiledMean, tiledLeast]] = [meanCells(levels), meanCells(many[i].levels)];
    return [[`geometric mean, ${cells}`, '', '', mean, '', '', tiledMean], [`the least, ${cells}`, '', '', least, '', '', tiledLeast]];
  });
  const agree = solo.flatMap((level, i) => [`${level.level} ${level.cellSize}: ${comparisonText(level.comparison)}`
    + `; in tiles: ${tiled[i].comparison ? agreementText(tiled[i].comparison) : 'not compared'}.`]);
  const header = ['level, cell', 'walkmesh', 'recast-navigation', 'ratio', 'in tiles of 64: walkmesh', 'recast-navigation', 'ratio'];
  const stages = meansTable(meansOf([...solo, ...tiled]), 'Bakes of levels of games, stage by stage');
  return [{ title, rows: [header, ...rows, ...means], notes: absent }, { ...stages, notes: agree, section: 'game-stages' }];
}
