/** Runs a soak in this process. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import v8 from 'node:v8';
import vm from 'node:vm';
import { MemoryTileCache } from '../../js/index.js';
import { DiskTileCache } from '../../js/node/disk-tile-cache.js';
import { Soak } from '../../tests/js/soak/soak.js';
import { collectAll } from './life.js';

/** @typedef {import('./life.js').Host} Host */

const turn = () => new Promise((resolve) => { setImmediate(resolve); });

/** @param {{ seed: number, scalar: boolean, only?: string, leak: { heap?: number, module?: number } }} options @returns {Promise<Host>} */
export async function openNodeHost({ scalar, ...options }) {
  v8.setFlagsFromString('--expose-gc');
  const collectGarbage = vm.runInNewContext('gc');
  const folder = mkdtempSync(join(tmpdir(), 'walkmesh-soak-'));
  const disk = new DiskTileCache(folder, { maxBytes: 2e6 });
  let isDisk = false, workers = 0;
  process.on('worker', (worker) => {
    workers++;
    worker.on('exit', () => { workers--; });
  });
  const makeCache = async () => ((isDisk = !isDisk) ? disk : new MemoryTileCache());
  const soak = new Soak({ ...options, makeCache });
  await soak.open(!scalar);
  const collect = async () => {
    // Finalizers run in a separate turn, and the memory that they release may be garbage, too.
    for (let i = 0; i < 3; i++) {
      await turn();
      collectGarbage();
    }
    await turn();
  };
  return {
    cycle: () => soak.cycle(),
    async weigh() {
      const late = await collectAll(collect, () => soak.isAsAtFirst());
      const weighing = await soak.weigh();
      // Ended workers exit with a delay.
      for (let i = 0; i < 300 && workers > 2; i++) await new Promise((resolve) => { setTimeout(resolve, 10); });
      const heapBytes = v8.getHeapSpaceStatistics().filter(({ space_name: name }) => !name.includes('code'))
        .reduce((sum, { space_used_size: size }) => sum + size, 0);
      const { external, rss } = process.memoryUsage();
      return { ...weighing, heapBytes, bufferBytes: external, processBytes: rss, workers, handles: process.getActiveResourcesInfo().length, late };
    },
    counts: async () => soak.counts,
    async close() {
      soak.free();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
