/** Shortest paths on the scenes of tests/scenes and on levels of games beside the repository, compared with the visibility graph. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { load } from '../../../js/index.js';
import { readLevel } from '../live/obj.js';
import { compareWithGraph } from './compare.js';

export const SCENES = ['caves', 'city', 'holes', 'islands', 'maze', 'plaza', 'soup', 'stairs', 'terrain', 'tower'];
const GAMES = ['nx_silvercity', 'nx_desertfactory', 'oa_thor', 'oa_shouse', 'fd_MAP07', 'fd_MAP18'];
/** Cells across a tile; 0: one tile. */
export const TILE_SIZES = [0, 32, 48, 64];

/** The file of a level; undefined: it isn't there. @param {string} name */
export function fileOf(name) {
  return ['../../scenes', '../../../../shared/scenes/game'].map((folder) => fileURLToPath(new URL(`${folder}/${name}.obj`, import.meta.url)))
    .find((file) => existsSync(file));
}

const COLUMNS = ['pairs', 'polygons', 'corners', 'longer', 'shorter', 'worst', 'ordinary', 'seconds'];
const WIDTH = 11;

/**
 * @param {{ pairs: number, seed: number, simd?: boolean, onRow?: (row: string) => void, names?: string[] }} options
 * @returns {Promise<string[]>} faults
 */
export async function compareScenes({ pairs, seed, simd = true, onRow = () => {}, names = [...SCENES, ...GAMES] }) {
  const walkmesh = await load({ simd });
  const faults = [];
  onRow(`${'level, tile size'.padEnd(22)}${COLUMNS.map((column) => column.padStart(WIDTH)).join('')}`);
  for (const name of names) {
    const file = fileOf(name);
    if (!file) onRow(`${name}: its file is not beside the repository`);
    for (const tileSize of file ? TILE_SIZES : []) {
      const { navMesh } = walkmesh.bake(readLevel(file), { tileSize });
      const found = compareWithGraph(navMesh, { pairs, seed });
      const cells = [found.pairs, navMesh.totals.polygons, found.corners, found.longer, found.shorter, found.worst.toExponential(1),
        `${(100 * found.ordinary).toFixed(2)} %`, (found.milliseconds / 1000).toFixed(1)];
      onRow(`${name} ${tileSize}`.padEnd(22) + cells.map((cell) => String(cell).padStart(WIDTH)).join(''));
      for (const fault of found.faults) faults.push(`${name}, tile size ${tileSize}: ${fault}`);
      if (found.pairs < pairs) faults.push(`${name}, tile size ${tileSize}: only ${found.pairs} pairs are connected`);
      navMesh.free();
    }
  }
  return faults;
}
