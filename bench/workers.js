/**
 * Bakes of tiles in workers: the speed-up of two workers over one on large levels, and the cost of starting them and of passing
 * them the level. Rounds alternate the order; every result is compared with that of a plain bake. Two threads that only count run
 * in between: their speed-up is the most that the machine allows.
 */
import { Worker } from 'node:worker_threads';
import { load } from '../js/index.js';
import { chooseLevels } from './levels.js';
import { alignColumns } from './report.js';
import { summarise } from './statistics.js';

const TILE_SIZE = 64;
const ROUNDS = 9;
/** Counts for some 100 milliseconds. */
const COUNT = 1e8;
const LARGE_LEVELS = ['city', 'terrain'];

/** Threads that count; they are started once. */
class Counters {
  #workers = [0, 1].map(() => new Worker(new URL('./spin-worker.js', import.meta.url)));

  /** The speed-up of two threads that do twice the work over one after the other. */
  async gain() {
    const one = await this.#time(1);
    return 2 * one / await this.#time(2);
  }

  /** Milliseconds in which `count` threads finish. @param {number} count */
  async #time(count) {
    const start = performance.now();
    await Promise.all(this.#workers.slice(0, count).map((worker) => new Promise((resolve) => {
      worker.once('message', resolve);
      worker.postMessage(COUNT);
    })));
    return performance.now() - start;
  }

  free() {
    this.#workers.forEach((worker) => worker.terminate());
  }
}

/**
 * The variants: in this thread, plainly and in slices; in permanent pools of one worker and of two; in two workers that start and
 * end with the bake; in two workers that get copies instead of shared memory.
 */
function makeWays(walkmesh, pools) {
  const tiled = (workers) => (level) => walkmesh.bakeTiled(level.geometry, level.config, { workers });
  const unshared = async (level) => {
    globalThis.crossOriginIsolated = false;
    try {
      return await tiled(pools[1])(level);
    } finally {
      delete globalThis.crossOriginIsolated;
    }
  };
  return {
    'plain bake': (level) => walkmesh.bake(level.geometry, level.config),
    'in slices': tiled(0),
    '1 worker': tiled(pools[0]),
    '2 workers': tiled(pools[1]),
    '2 workers, started for it': tiled(2),
    '2 workers, level copied': unshared,
  };
}

/**
 * @param {{ scenes: string[], runs?: number, onProgress: (text: string) => void }} options
 * @returns {Promise<{ level: string, tiles: number, ways: Record<string, object>, speedUp: number, machine: number }[]>}
 *   milliseconds; speedUp: two workers against one; machine: two threads that count against one
 */
export async function measureWorkers({ scenes, runs = ROUNDS, onProgress }) {
  const walkmesh = await load();
  const pools = [1, 2].map((workers) => walkmesh.createWorkerPool({ workers }));
  await Promise.all(pools.map((pool) => pool.ready()));
  const ways = Object.entries(makeWays(walkmesh, pools));
  const counters = new Counters();
  const figures = [];
  for (const { name, config, read } of chooseLevels(scenes.length > 0 ? scenes : LARGE_LEVELS)) {
    const { positions, indices } = read();
    const level = { geometry: { positions, indices }, config: { ...config, tileSize: TILE_SIZE } };
    const times = Object.fromEntries(ways.map(([way]) => [way, []]));
    const gains = [];
    let expected, tiles;
    for (let round = -2; round < runs; round++) {
      const gain = await counters.gain();
      if (round >= 0) gains.push(gain);
      onProgress(`${name}: round ${round + 1} of ${runs}`);
      for (const [way, bake] of round % 2 ? [...ways].reverse() : ways) {
        let baked;
        const start = performance.now();
        baked = await bake(level);
        const milliseconds = performance.now() - start;
        const hash = walkmesh.hash(baked.navMesh.save());
        tiles = baked.report.tiles.withPolygons;
        baked.navMesh.free();
        expected ??= hash;
        if (hash !== expected) throw new Error(`${name}, ${way}: not the mesh of a plain bake`);
        if (round >= 0) times[way].push(milliseconds);
      }
    }
    const summaries = Object.fromEntries(Object.entries(times).map(([way, list]) => [way, summarise(list)]));
    figures.push({
      level: name, tiles, ways: summaries, machine: summarise(gains).median,
      speedUp: summaries['1 worker'].median / summaries['2 workers'].median,
    });
  }
  onProgress('');
  pools.forEach((pool) => pool.free());
  counters.free();
  return figures;
}

/** @param {Awaited<ReturnType<typeof measureWorkers>>} figures */
export function workersTable(figures) {
  const rows = figures.flatMap(({ level, tiles, ways }) => Object.entries(ways).map(([way, { median, minimum, maximum }]) => [
    `${level}, ${tiles} tiles`, way, median.toFixed(0), minimum.toFixed(0), maximum.toFixed(0),
    (ways['1 worker'].median / median).toFixed(2)]));
  const table = alignColumns([['bakes of tiles', 'where', 'median ms', 'least', 'most', 'against 1 worker'], ...rows]);
  const gains = figures.map(({ level, speedUp, machine }) => `${level}: two workers are ${speedUp.toFixed(2)} times as fast as one; `
    + `two threads that only count gained ${machine.toFixed(2)} at the same time`);
  return `${table}\n${gains.join('\n')}\n`;
}
