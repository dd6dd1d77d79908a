/** The levels on which generated links are judged, with the agent and the limits of all kinds. */
import { readLevel } from '../live/obj.js';
import { DEFAULTS } from '../live/voxels.js';
import { SCENES, fileOf } from '../shortest/scenes.js';

const GAMES = ['nx_silvercity', 'nx_desertfactory', 'oa_thor', 'oa_shouse', 'fd_MAP07', 'fd_MAP18'];

/** @type {import('./precision.js').Limits} */
export const LINKS = {
  drop: { maxHeight: 4 }, jump: { maxDistance: 4, maxUp: 0.9, maxDown: 2 }, climb: { maxHeight: 2 }, vault: { maxHeight: 1.2, maxDepth: 1 },
};

/** @param {string[]} [names] only these @returns {{ name: string, read: () => import('./triangle-grid.js').Level }[]} without levels whose files are missing */
export const linkScenes = (names = [...SCENES, ...GAMES]) => names.flatMap((name) => {
  const file = fileOf(name);
  return file ? [{ name, read: () => readLevel(file) }] : [];
});

/** Lengths in metres, agents of a person's size, as most benchmarks bake these levels. @param {number} [tileSize] cells */
export const linkConfig = (tileSize = 0) => ({ ...DEFAULTS, tileSize });
