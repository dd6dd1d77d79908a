/**
 * Makes an instance from a .wasm file, bytes or a compiled module. There is no generated JavaScript: the module imports nothing,
 * and all arguments and results of its exports are numbers.
 */
import { NavError, describe, invalidArgument } from './errors.js';
import { nameSet } from './option-names.js';

/**
 * @typedef {Record<string, (...args: number[]) => number> & { memory: WebAssembly.Memory }} WasmExports
 */

/**
 * @typedef {object} LoadOptions
 * @property {boolean} [simd] true: the SIMD build; default: true if the engine supports SIMD
 * @property {BufferSource | WebAssembly.Module | URL | string | Response} [wasm] the module, compiled or as
 *   bytes, or its address; default: the file of this package
 * @property {number} [memoryLimit] the largest number of bytes in use; more is an `out-of-memory` error
 * @property {boolean} [leakWarnings] warns with console.warn, once per kind, of objects that were garbage-collected
 *   before free(); default: true unless NODE_ENV is `production`
 * @property {boolean} [trackAllocations] these warnings have the stack trace of the object's creation, once per creation site;
 *   slows creation down; default false
 */

export const LOAD_NAMES = nameSet(/** @satisfies {import('./option-names.js').Names<LoadOptions>} */ (
  { simd: 1, wasm: 1, memoryLimit: 1, leakWarnings: 1, trackAllocations: 1 }));

/** A module with a function that returns i32x4.splat(0): valid only if the engine supports SIMD. */
const SIMD_PROBE = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, // magic, version
  1, 5, 1, 96, 0, 1, 123, // type section: () -> v128
  3, 2, 1, 0, // function section
  10, 8, 1, 6, 0, 65, 0, 253, 17, 11, // code: i32.const 0, i32x4.splat
]);

/** @type {boolean | undefined} */
let simdSupported;

/** True if this engine supports WebAssembly SIMD. */
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
    // The name is concatenated so that bundlers for browsers do not resolve it. Node before 20.16 lacks getBuiltinModule.
    const name = ['node', 'fs'].join(':');
    const { readFileSync } = /** @type {typeof import('node:fs')} */ (
      process.getBuiltinModule?.(name) ?? await import(/* @vite-ignore */ /* webpackIgnore: true */ name));
    // Synchronously: it takes 3 ms, and sending it to other threads takes longer.
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
  // Last, since reading the name makes Node load its fetch.
  if (typeof Response !== 'undefined' && source instanceof Response) {
    return WebAssembly.compile(await source.arrayBuffer());
  }
  throw invalidArgument('wasm', `must be bytes, a WebAssembly.Module, a URL or a Response, not ${describe(source)}`);
}

/** Compiled modules of this package, by address. @type {Map<string, Promise<WebAssembly.Module>>} */
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
 * @param {(simd: boolean) => URL} packagedUrl the address of the package's module
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
