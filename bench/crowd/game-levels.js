/**
 * The scenarios in levels of real games, which lie beside the repository: their licences keep them out of it. 300 agents with random
 * starts and goals on the largest island.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readLevel } from '../../tests/js/live/obj.js';
import { fineConfig } from '../levels.js';
import { LANE_ARRIVAL, LANE_RADIUS, placeRandomly } from './passages.js';
import { define } from './scenario.js';

const FOLDER = new URL('../../../shared/scenes/game/', import.meta.url);
const AGENTS = 300;
const DURATION = 300;

/** Names and cell sizes. @type {[string, number][]} */
const LEVELS = [['nx_silvercity', 0.3], ['nx_desertfactory', 0.2], ['oa_thor', 0.3], ['oa_shouse', 0.3], ['fd_MAP07', 0.15], ['fd_MAP18', 0.3]];

/** The scenarios in levels of games. @param {number} course @returns {import('./scenario.js').Scenario[]} */
export const gameScenarios = (course) => LEVELS.map(([name, cellSize]) => {
  const file = fileURLToPath(new URL(`${name}.obj`, FOLDER));
  return define({ name, title: `${AGENTS} with random goals, cells of ${cellSize} m`, config: fineConfig(cellSize), radius: LANE_RADIUS, arrivalDistance: LANE_ARRIVAL,
    duration: DURATION, endsEarly: true, readGeometry: () => readLevel(file), place: (navMesh) => placeRandomly(navMesh, AGENTS, course),
    ...(!existsSync(file) && { missing: `${name}.obj in ../shared/scenes/game beside the repository` }) });
});
