/** The levels and configurations that are measured: the design's defaults at a fine cell size. */

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readLevel } from '../tests/js/live/obj.js';
import { DEFAULTS } from '../tests/js/live/voxels.js';

const SCENES = new URL('../tests/scenes/', import.meta.url);

const LEVELS = [
  { name: 'city', cellSize: 0.15, file: new URL('city.obj', SCENES) },
  { name: 'terrain', cellSize: 0.15, file: new URL('terrain.obj', SCENES) },
  { name: 'caves', cellSize: 0.1, file: new URL('caves.obj', SCENES) },
  { name: 'holes', cellSize: 0.1, file: new URL('holes.obj', SCENES) },
  { name: 'maze', cellSize: 0.1, file: new URL('maze.obj', SCENES) },
  { name: 'stairs', cellSize: 0.1, file: new URL('stairs.obj', SCENES) },
  { name: 'nav_test', cellSize: 0.1, file: new URL('../../shared/scenes/recast/nav_test.obj', import.meta.url) },
];

/**
 * @param {string[]} [names] only these; all where empty
 * @returns {{name: string, missing: boolean, config: object, read: () => object}[]}
 */
export function chooseLevels(names = []) {
  const unknown = names.filter((name) => !LEVELS.some((level) => level.name === name));
  if (unknown.length > 0) {
    throw new Error(`no such level: ${unknown.join(', ')} (there are ${LEVELS.map((level) => level.name).join(', ')})`);
  }
  return LEVELS.filter((level) => names.length === 0 || names.includes(level.name)).map((level) => ({
    name: level.name,
    missing: !existsSync(level.file),
    config: { ...DEFAULTS, cellSize: level.cellSize, cellHeight: Math.fround((level.cellSize * 2) / 3) },
    read: () => readLevel(fileURLToPath(level.file)),
  }));
}

/** Levels of the query benchmark, at the default cell size; those whose file is missing are left out. */
export function queryLevels() {
  return LEVELS.filter(({ name, file }) => ['city', 'terrain', 'nav_test'].includes(name) && existsSync(file))
    .map(({ name, file }) => ({ name, cellSize: DEFAULTS.cellSize, read: () => readLevel(fileURLToPath(file)) }));
}
