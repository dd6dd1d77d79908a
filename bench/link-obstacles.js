/**
 * What links cost after obstacles. At each of many random points on the surface, an obstacle is added and removed, with an update of the mesh
 * after each. The same is done on a dynamic mesh without links and on one with all kinds, in turns, in tiles of 48 cells. The table has
 * medians by the number of tiles that an obstacle touches. At the end the links must equal those at the beginning.
 */
import { load } from '../js/index.js';
import { stateOf } from '../tests/js/links/incremental.js';
import { LINKS } from '../tests/js/links/scenes.js';
import { Random } from '../tests/js/live/random.js';
import { boundsOf } from '../tests/js/live/voxels.js';
import { makeLevel } from './levels.js';
import { ratioText, timeText } from './tables.js';

const LEVELS = [{ name: 'city', cellSize: 0.15 }, { name: 'nav_test', cellSize: 0.1 }];
const TILE_SIZE = 48;
const PLACES = 300;
/** Unmeasured rounds at the start: code is compiled. */
const WARM_UP = 30;

/** @typedef {{ level: string, tiles: number, places: number, plain: number, linked: number }} ObstacleCost medians, milliseconds */

/** @param {any} navMesh @param {ArrayLike<number>} positions @param {number} count */
function findPlaces(navMesh, positions, count) {
  const { minimum, maximum } = boundsOf(positions), random = new Random(7), places = [];
  while (places.length < count) {
    const found = navMesh.nearestPoint(minimum.map((low, axis) => random.between(low, maximum[axis])), { halfExtents: [2, 20, 2] });
    if (found?.polygon) places.push([...found.point]);
  }
  return places;
}

/** @param {any} dynamic @param {number[]} base */
function play(dynamic, base) {
  const start = performance.now();
  const obstacle = dynamic.addObstacle({ kind: 'cylinder', base, radius: 1, height: 2 });
  const { built } = dynamic.update();
  dynamic.removeObstacle(obstacle);
  dynamic.update();
  return { built, milliseconds: performance.now() - start };
}

const medianOf = (/** @type {number[]} */ values) => values.sort((a, b) => a - b)[values.length >> 1];

/** @param {any} walkmesh @param {{ name: string, cellSize: number }} one @param {number} count @returns {ObstacleCost[]} */
function measureLevel(walkmesh, one, count) {
  const { config, read } = makeLevel(one), level = read();
  const meshes = [undefined, LINKS].map((links) => walkmesh.bakeDynamic(level, { ...config, partition: 'monotone', tileSize: TILE_SIZE, links }));
  const places = findPlaces(meshes[0].navMesh, level.positions, count), before = JSON.stringify(stateOf(meshes[1].navMesh));
  for (const place of places.slice(0, WARM_UP)) for (const { dynamic } of meshes) play(dynamic, place);
  const rounds = places.map((place, i) => {
    const order = i % 2 ? [1, 0] : [0, 1], times = [0, 0];
    let tiles = 0;
    for (const k of order) ({ built: tiles, milliseconds: times[k] } = play(meshes[k].dynamic, place));
    return { tiles, times };
  });
  if (JSON.stringify(stateOf(meshes[1].navMesh)) !== before) throw new Error('walkmesh: links are not what they were before the obstacles came');
  for (const { navMesh } of meshes) navMesh.free();
  return [...new Set(rounds.map(({ tiles }) => tiles))].sort((a, b) => a - b).map((tiles) => {
    const those = rounds.filter((round) => round.tiles === tiles);
    const [plain, linked] = [0, 1].map((k) => medianOf(those.map(({ times }) => times[k])));
    return { level: `${one.name} ${one.cellSize}`, tiles, places: those.length, plain, linked };
  });
}

/** @param {{ smallest?: boolean, onProgress?: (text: string) => void }} [options] @returns {Promise<ObstacleCost[]>} */
export async function measureLinkObstacles({ smallest = false, onProgress = () => {} } = {}) {
  const walkmesh = await load(), levels = smallest ? [{ name: 'plaza', cellSize: 0.3 }] : LEVELS.filter((one) => !makeLevel(one).missing);
  return levels.flatMap((one) => {
    onProgress(`links after obstacles: ${one.name}`);
    return measureLevel(walkmesh, one, smallest ? 4 : PLACES);
  });
}

/** @param {ObstacleCost[]} costs @returns {import('./tables.js').Table} */
export const linkObstacleTable = (costs) => ({
  title: 'An obstacle that is added and removed, with links of all kinds, tiles of 48, medians',
  rows: [['level, cell', 'tiles touched', 'places', 'without links, ms', 'with links, ms', 'times'],
    ...costs.map(({ level, tiles, places, plain, linked }) => [level, String(tiles), String(places), timeText(plain), timeText(linked), ratioText(linked / plain)])],
});
