/**
 * Makes an instance of the whole module, walkmesh.wasm. Internal, but at the top of js/: bundles in dist/ have the same depth, so
 * that the addresses below hold there too.
 */
import { instantiateFrom, refuseAbsent } from './runtime/instantiate.js';

export { decodeBase64 } from './runtime/encodings.js';
export { LOAD_NAMES, supportsSimd } from './runtime/instantiate.js';

/** @typedef {import('./runtime/instantiate.js').WasmExports} WasmExports */
/** @typedef {import('./runtime/instantiate.js').LoadOptions} LoadOptions */

/** Both addresses are literal, so that bundlers find both files. @param {boolean} simd */
function packagedUrl(simd) {
  return simd ? new URL('../dist/walkmesh.wasm', import.meta.url)
    : new URL('../dist/walkmesh-scalar.wasm', import.meta.url);
}

/** The first of these addresses, not literal: bundlers leave it as it is. */
const SIMD_MODULE = '../dist/walkmesh.wasm';

/**
 * True if a bundler moved this module into another file, but did not change the addresses above: they are wrong then, and so is the
 * worker's.
 */
export function isMoved() {
  try {
    const here = new URL(import.meta.url);
    return !here.pathname.endsWith('/js/loader.js') && packagedUrl(true).href === new URL(SIMD_MODULE, here).href;
  } catch {
    return true; // the host gives modules no addresses
  }
}

/**
 * @param {LoadOptions} options
 * @returns {Promise<{ wasm: WasmExports, simd: boolean, module: WebAssembly.Module }>}
 */
export async function instantiate(options) {
  const { wasm, simd, module } = await instantiateFrom(options, packagedUrl);
  return { wasm: refuseAbsent(wasm), simd, module };
}
