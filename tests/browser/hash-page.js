/** Hashes of results in a page of any engine, from the same code as in Node (tests/js/determinism/matrix.js). */
import { ROOT, withPage } from './harness.js';

const PAGE = `<!doctype html><meta charset="utf-8"><title>hashes</title><script type="module">
import { hashEverything } from '/walkmesh/tests/js/determinism/matrix.js';
const read = async (path) => new Uint8Array(await (await fetch('/walkmesh/' + path)).arrayBuffer());
window.hashEverything = (wanted) => hashEverything(wanted, read);
</script>`;

/** @typedef {Omit<Parameters<typeof import('../js/determinism/matrix.js').hashEverything>[0], 'simd'>} Wanted */

/**
 * @param {string} engine @param {Wanted} wanted @param {Partial<Parameters<typeof withPage>[0]>} [options] of withPage
 * @returns {Promise<Awaited<ReturnType<typeof import('../js/determinism/matrix.js').hashEverything>>[]>} with SIMD, and without
 */
export const hashInPage = (engine, wanted, { files = {}, ...options } = {}) =>
  withPage({ engine, files: { 'index.html': PAGE, ...files }, mounts: { walkmesh: ROOT }, ...options }, async (page) => {
    await page.waitForFunction('Boolean(window.hashEverything)');
    const hashes = [];
    for (const simd of [true, false]) hashes.push(await page.evaluate(`hashEverything(${JSON.stringify({ ...wanted, simd })})`));
    return hashes;
  });
