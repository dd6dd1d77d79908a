/**
 * From a .wasm file, bytes or a compiled module to a running instance. No generated JavaScript is involved:
 * the module imports nothing, and everything that crosses is a number.
 */
import { NavError, describe, invalidArgument } from './errors.js';
import { nameSet } from './names.js';

/**
 * @typedef {Record<string, (...args: number[]) => number> & { memory: WebAssembly.Memory }} WasmExports
 */

/**
 * @typedef {object} LoadOptions
 * @property {boolean} [simd] which of the two builds; without it the SIMD build where the engine can run it
 * @property {BufferSource | WebAssembly.Module | URL | string | Response} [wasm] the module itself, compiled or
 *   as bytes, or where it lies; without it the file of this package
 * @property {number} [memoryLimit] bytes that this instance may use; more is an `out-of-memory` error
 * @property {boolean} [leakWarnings] whether console.warn tells, once a kind, of objects that were collected without being
 *   freed; default: unless NODE_ENV is `production`
 * @property {boolean} [trackAllocations] those warnings tell where the object was made, once a place; makes objects slower to
 *   make; default false
 */

export const LOAD_NAMES = nameSet(/** @satisfies {import('./names.js').Names<LoadOptions>} */ (
  { simd: 1, wasm: 1, memoryLimit: 1, leakWarnings: 1, trackAllocations: 1 }));

/**
 * A function that returns i32x4.splat(0): valid only where SIMD is.
 */
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, // magic, version
  1, 5, 1, 96, 0, 1, 123, // type section: () -> v128
  3, 2, 1, 0, // function section
  10, 8, 1, 6, 0, 65, 0, 253, 17, 11, // code: i32.const 0, i32x4.splat
]);

/** @type {boolean | undefined} */
let simdSupported;

/** Whether this engine runs WebAssembly SIMD. */
export function supportsSimd() {
  simdSupported ??= WebAssembly.validate(SIMD_PROBE);
  return simdSupported;
}

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
export function decodeBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** @param {URL} url @returns {Promise<WebAssembly.Module>} */
async function compileFrom(url) {
  if (url.protocol === 'file:' && typeof process !== 'undefined' && process.versions?.node) {
    // The name is put together so that bundlers for browsers do not look for it. Node before 20.16 can only import it.
    const name = ['node', 'fs'].join(':');
    const { readFileSync } = /** @type {typeof import('node:fs')} */ (
      process.getBuiltinModule?.(name) ?? await import(/* @vite-ignore */ /* webpackIgnore: true */ name));
    // At once: that takes three milliseconds, and handing it to other threads takes longer.
    return new WebAssembly.Module(readFileSync(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** @param {NonNullable<LoadOptions['wasm']>} source @returns {Promise<WebAssembly.Module>} */
async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === 'string') source = new URL(source, globalThis.location?.href ?? import.meta.url);
  if (source instanceof URL) return compileFrom(source);
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    return WebAssembly.compile(/** @type {BufferSource} */ (source));
  }
  // Last, for the name alone makes Node load all of its fetch.
  if (typeof Response !== 'undefined' && source instanceof Response) {
    return WebAssembly.compile(await source.arrayBuffer());
  }
  throw invalidArgument('wasm', `must be bytes, a WebAssembly.Module, a URL or a Response, not ${describe(source)}`);
}

/** Modules of this package, compiled once, by their addresses. @type {Map<string, Promise<WebAssembly.Module>>} */
const packaged = new Map();

/** @param {URL} url */
function compilePackaged(url) {
  let module = packaged.get(url.href);
  if (!module) {
    module = compile(url);
    packaged.set(url.href, module);
    module.catch(() => packaged.delete(url.href));
  }
  return module;
}

/**
 * @param {LoadOptions} options
 * @param {(simd: boolean) => URL} packagedUrl where the package has the module
 * @returns {Promise<{ wasm: WasmExports, simd: boolean, module: WebAssembly.Module }>}
 */
export async function instantiateFrom({ simd = supportsSimd(), wasm }, packagedUrl) {
  if (typeof simd !== 'boolean') throw invalidArgument('simd', `must be true or false, not ${describe(simd)}`, simd);
  try {
    const module = await (wasm === undefined ? compilePackaged(packagedUrl(simd)) : compile(wasm));
    const { exports } = await WebAssembly.instantiate(module);
    const instance = /** @type {WasmExports} */ (/** @type {unknown} */ (exports));
    instance._initialize();
    return { wasm: instance, simd, module };
  } catch (cause) {
    if (cause instanceof NavError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new NavError('corrupt', `the WebAssembly module cannot be loaded: ${reason}`, { field: 'wasm', cause });
  }
}
