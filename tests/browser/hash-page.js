/** Hashes of results in a page of any engine, from the same code as in Node (tests/js/determinism/matrix.js). */
import { ROOT, withPage } from './harness.js';

const PAGE = `<!doctype html><meta charset="utf-8"><title>hashes</title><script type="module">
import { hashEverything } from '/walkmesh/tests/js/determinism/matrix.js';
const read = async (path) => new Uint8Array(await (await fetch('/walkmesh/' + path)).arrayBuffer());
window.hashEverything = (wanted) => hashEverything(wanted, read);
</script>`;

/** @typedef {typeof import('../js/determinism/matrix.js').hashEverything} HashEverything */

/**
 * Returns what hashEverything returns in a page of an engine.
 * @param {string} engine @param {Parameters<HashEverything>[0]} wanted @param {Partial<Parameters<typeof withPage>[0]>} [options] of withPage
 * @returns {Promise<Awaited<ReturnType<HashEverything>>>}
 */
export const hashInPage = (engine, wanted, { files = {}, ...options } = {}) =>
  withPage({ engine, files: { 'index.html': PAGE, ...files }, mounts: { walkmesh: ROOT }, ...options }, async (page) => {
    await page.waitForFunction('Boolean(window.hashEverything)');
    return page.evaluate(`hashEverything(${JSON.stringify(wanted)})`);
  });
