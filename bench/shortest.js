/**
 * Exact shortest paths against ordinary ones and those of recast-navigation, on the same mesh: random connected pairs, each asked in
 * turns; a pair's time is the least of its rounds. And how far the proven bound lies below the cost where areas cost differently.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Random as Points, load } from '../js/index.js';
import { readLevel } from '../tests/js/live/obj.js';
import { loadPeer } from '../tests/js/live/peer.js';
import { Random } from '../tests/js/live/random.js';
import { DEFAULTS } from '../tests/js/live/voxels.js';
import { mean } from './statistics.js';

const SCENES = new URL('../tests/scenes/', import.meta.url);
const GAMES = new URL('../../shared/scenes/game/', import.meta.url);
const LEVELS = [...['plaza', 'city', 'terrain', 'holes', 'maze', 'oa_thor', 'oa_shouse', 'nx_silvercity', 'nx_desertfactory', 'fd_MAP07', 'fd_MAP18']
  .map((name) => ({ name, tileSize: 0 })), ...['city', 'terrain', 'maze', 'nx_silvercity'].map((name) => ({ name, tileSize: 48 }))];
const PAIRS = 300;
const ROUNDS = 7;
/** Calls between two looks at the clock: a call takes some microseconds. */
const CALLS = 20;
/** A fifth of the polygons costs 2, a fifth 5. */
const COSTS = { 1: 2, 2: 5 };

/** @typedef {{ name: string, tileSize: number, polygons: number, times: number[][], bounds: number[][] }} Figures times: of each pair; bounds: cost over
 *   bound of each pair, with shortest, with any angle, and ordinary */

/** @param {string} name */
function fileOf(name) {
  return [SCENES, GAMES].map((folder) => fileURLToPath(new URL(`${name}.obj`, folder))).find((file) => existsSync(file));
}

/** @param {any} navMesh @param {number} pairs */
function choosePairs(navMesh, pairs) {
  const random = new Points(1);
  /** @type {[any, any][]} */
  const found = [];
  for (let tries = 0; found.length < pairs && tries < 100 * pairs; tries++) {
    const [a, b] = [navMesh.randomPoint({ random }).point, navMesh.randomPoint({ random }).point];
    if (navMesh.findPath(a, b).status === 'complete') found.push([a, b]);
  }
  return found;
}

/** Microseconds of each pair and contestant. */
function measurePairs(pairs, contestants, rounds) {
  const times = pairs.map(() => contestants.map(() => Infinity));
  for (let round = 0; round < rounds; round++) {
    pairs.forEach((_, i) => contestants.forEach((ask, k) => {
      const start = performance.now();
      for (let call = 0; call < CALLS; call++) ask(i);
      times[i][k] = Math.min(times[i][k], ((performance.now() - start) * 1000) / CALLS);
    }));
  }
  return times;
}

/** Costs over the bound of each pair, with areas strewn over the mesh. */
function measureBounds(navMesh, pairs) {
  const random = new Random(2);
  const tiles = navMesh.tiles();
  for (const tile of tiles) for (let p = 0; p < tile.polygons; p++) navMesh.setPolygonArea(tile.ref + p, random.pick([0, 0, 0, 1, 2]));
  const filter = navMesh.createFilter({ areaCosts: COSTS });
  const kinds = [{ shortest: true }, { anyAngle: true }, {}];
  return pairs.map(([a, b]) => kinds.map((kind) => navMesh.findPath(a, b, { filter, ...kind }))).filter(([{ bound }]) => bound > 0)
    .map((paths) => paths.map(({ cost }) => cost / paths[0].bound));
}

/** @param {{ smallest?: boolean, onProgress?: (text: string) => void }} [options] @returns {Promise<{ levels: Figures[], missing: string[] }>} */
export async function measureShortest({ smallest = false, onProgress = () => {} } = {}) {
  const peer = await loadPeer(), walkmesh = await load();
  const wanted = smallest ? LEVELS.slice(0, 1) : LEVELS;
  const levels = [];
  for (const { name, tileSize } of wanted) {
    const file = fileOf(name);
    if (!file) continue;
    onProgress(`${name}, tiles of ${tileSize}`);
    const { navMesh } = walkmesh.bake(readLevel(file), { ...DEFAULTS, tileSize });
    const pairs = choosePairs(navMesh, smallest ? 5 : PAIRS);
    const theirs = peer && peer.importNavMesh(navMesh.exportDetour('set')).navMesh;
    const query = theirs && new peer.NavMeshQuery(theirs);
    const vectors = pairs.map((pair) => pair.map(([x, y, z]) => ({ x, y, z })));
    const outs = [{}, { shortest: true }, { anyAngle: true }].map((options) => {
      let out;
      return (/** @type {number} */ i) => (out = navMesh.findPath(pairs[i][0], pairs[i][1], options, out));
    });
    const computePath = (/** @type {number} */ i) => query.computePath(vectors[i][0], vectors[i][1]).path;
    const times = measurePairs(pairs, query ? [...outs, computePath] : outs, smallest ? 1 : ROUNDS);
    levels.push({ name, tileSize, polygons: navMesh.totals.polygons, times, bounds: measureBounds(navMesh, pairs) });
    navMesh.free();
    theirs?.destroy();
  }
  onProgress('');
  return { levels, missing: [...new Set(wanted.map(({ name }) => name))].filter((name) => !fileOf(name)) };
}

/** @param {number[]} values @param {number} share */
function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}

/** @param {{ levels: Figures[], missing: string[] }} figures @returns {import('./tables.js').Table[]} */
export function shortestTables({ levels, missing }) {
  const notes = missing.length > 0 ? [`Not measured, for their files are not beside the repository (shared/scenes/game): ${missing.join(', ')}.`] : [];
  const nameOf = ({ name, tileSize }) => (tileSize ? `${name}, tiles of ${tileSize}` : name);
  const header = ['us each: median', 'polygons', 'ordinary', 'shortest', 'any angle', 'recast-navigation', 'shortest to ordinary: median', '95 %', 'recast-navigation to shortest: median'];
  const rows = levels.map((level) => {
    const { times, polygons } = level, column = (k) => times.map((row) => row[k] ?? NaN);
    const ratios = times.map(([ordinary, shortest]) => shortest / ordinary), theirs = times.map(([, shortest, , peer]) => (peer ?? NaN) / shortest);
    return [nameOf(level), String(polygons), ...[0, 1, 2, 3].map((k) => quantile(column(k), 0.5).toFixed(1)), quantile(ratios, 0.5).toFixed(2), quantile(ratios, 0.95).toFixed(2),
      quantile(theirs, 0.5).toFixed(1)];
  });
  const gaps = levels.map((level) => {
    const of = (kind) => level.bounds.map((row) => row[kind]), shares = [0, 1, 2].flatMap((kind) => [mean(of(kind)), quantile(of(kind), 0.95)]);
    return [nameOf(level), String(level.bounds.length), ...shares.map((ratio) => `${(100 * (ratio - 1)).toFixed(1)} %`)];
  });
  return [{ title: 'Shortest paths', rows: [header, ...rows], notes },
    { title: 'Costs above their bounds, with areas that cost 1, 2 and 5', rows: [['', 'pairs', 'shortest: mean', '95 %', 'any angle: mean', '95 %', 'ordinary: mean', '95 %'], ...gaps] }];
}
