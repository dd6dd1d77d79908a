/**
 * A level on its way to workers: large arrays go once, in pieces, so that this thread is never busy for long; or, where
 * memory can be shared, they are copied once for all workers.
 */
import { toSendable } from '../bake/geometry.js';

/** @typedef {import('../bake/geometry.js').Geometry} Geometry */
/** @typedef {import('../runtime/slices.js').Slices} Slices */
/** @typedef {import('./messages.js').GeometryArray} GeometryArray */
/** @typedef {import('./thread.js').WorkerThread} WorkerThread */

/** A megabyte is copied in a fraction of a millisecond. */
const PIECE_BYTES = 1 << 20;

/** The arrays that grow with the level. */
const ARRAY_NAMES = /** @type {const} */ (['positions', 'indices', 'areas']);

/** Whether workers can be given memory that is shared: always in Node, in pages only where they are isolated. */
export function canShareMemory() {
  return typeof SharedArrayBuffer === 'function' && globalThis.crossOriginIsolated !== false;
}

/** @param {GeometryArray} array */
const isShared = (array) => typeof SharedArrayBuffer === 'function' && array.buffer instanceof SharedArrayBuffer;

/** @param {GeometryArray} array @param {number} start @param {number} end @returns {GeometryArray} */
const slice = (array, start, end) => array.slice(start, end);

/** The pieces of an array: where each starts and ends. @param {GeometryArray} array */
function* cut(array) {
  const count = PIECE_BYTES / array.BYTES_PER_ELEMENT;
  for (let start = 0; start < array.length; start += count) yield [start, Math.min(start + count, array.length)];
}

/** @param {GeometryArray} array @param {Slices} slices */
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
 * Checks a level as far as that takes no time, and says how to send it.
 * @param {Geometry} geometry its arrays must stay as they are until the bake ends @param {Slices} slices
 * @returns {(thread: WorkerThread, bake: number, check: () => void) => Promise<Partial<Geometry>>} sends the large arrays to
 *   a worker, until check throws; what is to go with the `begin`
 */
export function sendGeometry(geometry, slices) {
  const { positions, indices, areas, ...rest } = toSendable(geometry);
  const large = { positions, indices, areas };
  const arrays = ARRAY_NAMES.flatMap((name) => (large[name] ? [{ name, array: /** @type {GeometryArray} */ (large[name]) }] : []));
  if (canShareMemory()) {
    const shared = (async () => Object.fromEntries(await Promise.all(arrays.map(
      async ({ name, array }) => [name, isShared(array) ? array : await copyShared(array, slices)]))))();
    shared.catch(() => {}); // Those who wait for it hear of it.
    return async (_, __, check) => {
      const sharedArrays = await shared;
      check();
      return { ...rest, ...sharedArrays };
    };
  }
  return async (thread, bake, check) => {
    for (const { name, array } of arrays) {
      if (array.length === 0) thread.tell({ type: 'array', bake, name, length: 0, offset: 0, piece: slice(array, 0, 0) });
      for (const [start, end] of cut(array)) {
        const piece = slice(array, start, end);
        thread.tell({ type: 'array', bake, name, length: array.length, offset: start, piece }, [piece.buffer]);
        await slices.restIfOver();
        check();
      }
    }
    return rest;
  };
}
