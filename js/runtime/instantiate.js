/**
 * Makes an instance from a .wasm file, bytes or a compiled module. There is no generated JavaScript: the module imports nothing,
 * and all arguments and results of its exports are numbers.
 */
import { NavError, describe, invalidArgument } from './errors.js';
import { compileFetched, explainRefusal, isUnreachable, readResponse, unreachable } from './fetch-module.js';
import { nameSet } from './option-names.js';
import { fetchOrStandIn, getStandIns } from './stand-ins.js';

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

/** Stands for the missing exports of a smaller module: they throw. */
const absent = new Proxy({}, {
  get: (_, name) => () => {
    throw new NavError('unsupported', `this WebAssembly module has no ${String(name)}: load walkmesh.wasm`);
  },
});

/** Only walkmesh.wasm has both: walkmesh-core.wasm reads no files, and walkmesh-game.wasm bakes nothing. @param {WasmExports} wasm */
const isWhole = (wasm) => 'mesh_read' in wasm && 'bake_create' in wasm;

/** The exports of a module, with functions that throw in place of those that a smaller one lacks. @param {WasmExports} wasm @returns {WasmExports} */
export const refuseAbsent = (wasm) => (isWhole(wasm) ? wasm : Object.assign(Object.create(absent), wasm));

/** Reads a file with Node's functions. @param {URL} url @returns {Promise<Uint8Array<ArrayBuffer>>} */
async function readModule(url) {
  // The name is concatenated so that bundlers for browsers do not resolve it; a bare `process` makes Parcel add one. Node before 20.16 lacks getBuiltinModule.
  const name = ['node', 'fs'].join(':');
  const { readFileSync } = /** @type {typeof import('node:fs')} */ (
    globalThis.process.getBuiltinModule?.(name) ?? await import(/* @vite-ignore */ /* webpackIgnore: true */ name));
  try {
    return readFileSync(url);
  } catch (cause) {
    throw unreachable(url.href, 'cannot be read', cause);
  }
}

/** @param {URL} url @returns {Promise<WebAssembly.Module>} */
async function compileFrom(url) {
  if (url.protocol === 'file:' && globalThis.process?.versions?.node) {
    const bytes = await readModule(url);
    // Synchronously: it takes 3 ms, and sending it to other threads takes longer.
    return new WebAssembly.Module(bytes);
  }
  return compileFetched(url);
}

/** @param {string} address @returns {URL} */
function parseAddress(address) {
  try {
    return new URL(address, globalThis.location?.href ?? import.meta.url);
  } catch {
    throw invalidArgument('wasm', `is ${describe(address)}: must be an address, or the module itself`, address);
  }
}

/** @param {NonNullable<LoadOptions['wasm']>} source @returns {Promise<WebAssembly.Module>} */
async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === 'string') source = parseAddress(source);
  if (source instanceof URL) return compileFrom(source);
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    // The engine reads the bounds itself. V8 takes no DataView.
    const bytes = source instanceof DataView ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength) : source;
    return WebAssembly.compile(/** @type {BufferSource} */ (bytes));
  }
  // Last, since reading the name makes Node load its fetch.
  if (typeof Response !== 'undefined' && source instanceof Response) return WebAssembly.compile(await readResponse(source));
  throw invalidArgument('wasm', `must be bytes, a WebAssembly.Module, a URL or a Response, not ${describe(source)}`);
}

/** @typedef {(simd: boolean) => URL} FindPackaged the address of a module of this package; throws if the host gives none */

/** @param {FindPackaged} findPackaged @param {boolean} simd */
async function compileFile(findPackaged, simd) {
  let url;
  try {
    url = findPackaged(simd);
  } catch (cause) {
    throw unreachable('walkmesh.wasm', 'has no address on this host', cause);
  }
  return compileFrom(url);
}

/** Compiled modules of this package, for each entry: without and with SIMD. @type {Map<FindPackaged, (Promise<WebAssembly.Module> | undefined)[]>} */
const packaged = new Map();

/** @param {FindPackaged} findPackaged @param {boolean} simd */
function compilePackaged(findPackaged, simd) {
  const modules = packaged.get(findPackaged) ?? [];
  packaged.set(findPackaged, modules);
  const { module: standIn } = getStandIns();
  const compiled = modules[+simd] ??= fetchOrStandIn(() => compileFile(findPackaged, simd),
    standIn && (async () => WebAssembly.compile(await standIn(simd))), isUnreachable);
  compiled.catch(() => { modules[+simd] = undefined; });
  return compiled;
}

/**
 * @param {LoadOptions} options
 * @param {FindPackaged} findPackaged
 * @returns {Promise<{ wasm: WasmExports, simd: boolean, module: WebAssembly.Module }>}
 */
export async function instantiateFrom({ simd = supportsSimd(), wasm }, findPackaged) {
  if (typeof simd !== 'boolean') throw invalidArgument('simd', `must be true or false, not ${describe(simd)}`, simd);
  try {
    const module = await (wasm === undefined ? compilePackaged(findPackaged, simd) : compile(wasm));
    const { exports } = await WebAssembly.instantiate(module);
    const instance = /** @type {WasmExports} */ (/** @type {unknown} */ (exports));
    instance._initialize();
    return { wasm: instance, simd, module };
  } catch (cause) {
    throw cause instanceof NavError ? cause : await explainRefusal(cause);
  }
}
