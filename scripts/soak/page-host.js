/** Runs a soak in a page of a headless Chromium. */
import { openBrowser, startServer, ROOT } from '../../tests/browser/harness.js';
import { collectAll } from './life.js';

/** @typedef {import('./life.js').Host} Host */

const PAGE = `<!doctype html><meta charset="utf-8"><title>soak</title>
<script type="module">
import { IndexedDbTileCache, MemoryTileCache } from '/walkmesh/js/index.js';
import { Soak } from '/walkmesh/tests/js/soak/soak.js';
const stored = new IndexedDbTileCache({ name: 'soak', maxBytes: 2e6 });
let isStored = false;
window.begin = async ({ scalar, ...options }) => {
  window.soak = new Soak({ ...options, makeCache: async () => ((isStored = !isStored) ? stored : new MemoryTileCache()) });
  await window.soak.open(!scalar);
};
window.isReady = true;
</script>`;

/** @param {{ seed: number, scalar: boolean, only?: string, leak: { heap?: number, module?: number } }} options @returns {Promise<Host>} */
export async function openPageHost(options) {
  const server = await startServer({ files: { 'index.html': PAGE }, mounts: { walkmesh: ROOT } });
  const browser = await openBrowser();
  const page = await (await browser.newContext()).newPage();
  /** @type {string[]} */
  const problems = [];
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.stack ?? error.message}`));
  page.on('crash', () => problems.push('the page crashed'));
  page.on('console', (message) => { if (['error', 'warning'].includes(message.type())) problems.push(message.text()); });
  await page.goto(server.url);
  await page.waitForFunction('window.isReady');
  await page.evaluate(`begin(${JSON.stringify(options)})`);
  const protocol = await page.context().newCDPSession(page);
  const collect = async () => {
    for (let i = 0; i < 2; i++) {
      await protocol.send('HeapProfiler.collectGarbage');
      await page.evaluate('new Promise((resolve) => setTimeout(resolve))');
    }
  };
  return {
    async cycle() {
      await page.evaluate('soak.cycle()');
      if (problems.length > 0) throw new Error(`the page found something wrong: ${problems.join('; ')}`);
    },
    async weigh() {
      const late = await collectAll(collect, () => page.evaluate('soak.isAsAtFirst()'));
      const weighing = await page.evaluate('soak.weigh()');
      for (let i = 0; i < 300 && page.workers().length > 2; i++) await page.waitForTimeout(10);
      const usage = /** @type {any} */ (await protocol.send('Runtime.getHeapUsage'));
      return { .../** @type {any} */ (weighing), heapBytes: usage.usedSize, bufferBytes: usage.backingStorageSize ?? 0, processBytes: usage.totalSize,
        workers: page.workers().length, handles: 0, late };
    },
    counts: () => page.evaluate('soak.counts'),
    async close() {
      await browser.close();
      await server.close();
    },
  };
}
