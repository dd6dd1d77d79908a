/**
 * Sends a level to workers. If memory can be shared, its large arrays are copied once for all workers; else they are sent to each
 * in chunks, so that this thread is never busy for long.
 */
import { toSendable } from '../input/geometry.js';

/** @typedef {import('../input/geometry.js').Geometry} Geometry */
/** @typedef {import('../runtime/time-slices.js').TimeSlices} TimeSlices */
/** @typedef {import('./messages.js').GeometryArray} GeometryArray */
/** @typedef {import('./thread.js').WorkerThread} WorkerThread */

/** Bytes that are copied between two rests: a fraction of a millisecond. */
const CHUNK_BYTES = 1 << 20;

/** The arrays that grow with the level. */
const ARRAY_NAMES = /** @type {const} */ (['positions', 'indices', 'areas']);

/** True if memory can be shared with workers: always in Node, in pages if they are cross-origin isolated. */
export function canShareMemory() {
  return typeof SharedArrayBuffer === 'function' && globalThis.crossOriginIsolated !== false;
}

/** @param {GeometryArray} array */
const isShared = (array) => typeof SharedArrayBuffer === 'function' && array.buffer instanceof SharedArrayBuffer;

/** @param {GeometryArray} array @param {number} start @param {number} end @returns {GeometryArray} */
const slice = (array, start, end) => array.slice(start, end);

/** Start and end of each chunk of an array. @param {GeometryArray} array */
function* cut(array) {
  const count = CHUNK_BYTES / array.BYTES_PER_ELEMENT;
  for (let start = 0; start < array.length; start += count) yield [start, Math.min(start + count, array.length)];
}

/** @param {GeometryArray} array @param {TimeSlices} slices */
async function copyShared(array, slices) {
  const Type = /** @type {any} */ (array.constructor);
  const copy = /** @type {GeometryArray} */ (new Type(new SharedArrayBuffer(array.byteLength)));
  for (const [start, end] of cut(array)) {
    copy.set(array.subarray(start, end), start);
    await slices.restIfOver();
  }
  return copy;
}

/**
 * Checks the types of a level, and returns a function that sends it.
 * @param {Geometry} geometry its arrays must not change until the bake ends @param {TimeSlices} slices
 * @returns {(thread: WorkerThread, bake: number, check: () => void) => Promise<Partial<Geometry>>} sends the large arrays to
 *   a worker, unless check throws; resolves with the geometry for `begin`
 */
export function sendGeometry(geometry, slices) {
  const { positions, indices, areas, ...rest } = toSendable(geometry);
  const large = { positions, indices, areas };
  const arrays = ARRAY_NAMES.flatMap((name) => (large[name] ? [{ name, array: /** @type {GeometryArray} */ (large[name]) }] : []));
  if (canShareMemory()) {
    const shared = (async () => Object.fromEntries(await Promise.all(arrays.map(
      async ({ name, array }) => [name, isShared(array) ? array : await copyShared(array, slices)]))))();
    shared.catch(() => {}); // Callers that await it get the error.
    return async (_, __, check) => {
      const sharedArrays = await shared;
      check();
      return { ...rest, ...sharedArrays };
    };
  }
  return async (thread, bake, check) => {
    for (const { name, array } of arrays) {
      if (array.length === 0) thread.tell({ type: 'array', bake, name, length: 0, offset: 0, chunk: slice(array, 0, 0) });
      for (const [start, end] of cut(array)) {
        const chunk = slice(array, start, end);
        thread.tell({ type: 'array', bake, name, length: array.length, offset: start, chunk }, [chunk.buffer]);
        await slices.restIfOver();
        check();
      }
    }
    return rest;
  };
}
