/**
 * Measures the speed of memory copies inside WebAssembly: `memory.copy` of a large block, in a module of one function that is
 * written out below. A copy of n bytes moves 2 n bytes: n are read, n are written.
 */
import { summarise } from './statistics.js';

const MEGABYTE = 1 << 20;
/** Block sizes: one far larger than any cache, and one as large as the part of a cache that a stage's arrays may use. */
const LARGE = 64 * MEGABYTE;
const SMALL = 256 * 1024;

/** Encodes a number as LEB128. @param {number} value @returns {number[]} */
const leb = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...leb(value >>> 7)]);
/** @param {number} id @param {number[]} bytes */
const section = (id, bytes) => [id, ...leb(bytes.length), ...bytes];

/** (module (memory (export "m") pages) (func (export "c") (param i32 i32 i32) ... memory.copy)) @param {number} pages */
function assemble(pages) {
  const body = [0, 0x20, 0, 0x20, 1, 0x20, 2, 0xfc, 0x0a, 0, 0, 0x0b];
  return Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, [1, 0x60, 3, 0x7f, 0x7f, 0x7f, 0]), ...section(3, [1, 0]), ...section(5, [1, 0, ...leb(pages)]),
    ...section(7, [2, 1, 0x6d, 2, 0, 1, 0x63, 0, 0]), ...section(10, [1, body.length, ...body])]);
}

/** @param {(to: number, from: number, bytes: number) => void} copy @param {number} bytes @param {number} rounds @returns {number} bytes moved per second */
function measure(copy, bytes, rounds) {
  const repeats = Math.max(1, Math.round(LARGE / bytes / 4));
  const speeds = Array.from({ length: rounds + 2 }, () => {
    const start = performance.now();
    for (let i = 0; i < repeats; i++) copy(LARGE, 0, bytes);
    return (2 * bytes * repeats * 1000) / (performance.now() - start);
  });
  return summarise(speeds.slice(2)).median;
}

/** @param {{ smallest?: boolean }} [options] @returns {{ large: number, cached: number }} bytes moved per second: blocks of 64 MB, of 256 kB */
export function measureCopyBandwidth({ smallest = false } = {}) {
  const module = new WebAssembly.Module(assemble((2 * LARGE) >> 16));
  const { m: memory, c: copy } = /** @type {any} */ (new WebAssembly.Instance(module).exports);
  new Uint8Array(memory.buffer).fill(1);
  const rounds = smallest ? 1 : 15;
  return { large: measure(copy, LARGE, rounds), cached: measure(copy, SMALL, rounds) };
}
