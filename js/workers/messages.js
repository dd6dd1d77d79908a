/**
 * What goes between a page and its workers. The first message to a worker is a `load`; each further one has a number, and
 * an answer with the same number, but for `array` and `cancel`. Work is done in the order in which it was asked for; a
 * bake is named by a number, so that bakes may share workers.
 *
 *   load     the compiled module, the limit of the memory
 *   array    a piece of one of the geometry's arrays, for a bake that has not begun
 *   begin    geometry (without arrays sent before) and configuration      answer: what a baker knows
 *   hash     what a tile is made from                                     answer: its hash
 *   tile     bakes one                                                    answers: stages as they are done; the tile
 *   cancel   drops what is waiting to be done, and stops between stages; `end` still has to follow
 *   end      frees what belongs to a bake                                 answer: the memory that was used and is
 *   memory                                                                answer: the memory that is used
 *
 * Of a dynamic mesh, named by a number as well, that sends its tiles out (js/dynamic/worker-builders.js):
 *
 *   dynamic  bytes that make a helper                                     answer: nothing
 *   build    a tile, and what it is to be built with                      answer: its bytes, or null
 *   release  frees the helper                                             answer: nothing
 */
import { NavError, describe } from '../runtime/errors.js';

/** @typedef {import('../bake/bake-report.js').BakedTile} BakedTile */
/** @typedef {import('../bake/bake.js').Baker} Baker */
/** @typedef {import('../bake/config.js').Config} Config */
/** @typedef {import('../bake/geometry.js').Geometry} Geometry */
/** @typedef {import('../runtime/errors.js').NavErrorCode} NavErrorCode */

/** @typedef {Pick<Baker, 'config' | 'voxels' | 'warningBits'>} BakerFacts what a baker knows once it has begun */
/** @typedef {{ bytes: number, peakBytes: number, wasmBytes: number }} MemoryUse */

/** @typedef {'positions' | 'indices' | 'areas'} ArrayName */
/** @typedef {Float32Array | Uint32Array | Uint16Array | Uint8Array} GeometryArray */

/** @typedef {{ type: 'load', module: WebAssembly.Module, memoryLimit?: number }} LoadMessage */
/** @typedef {{ type: 'array', bake: number, name: ArrayName, length: number, offset: number, piece: GeometryArray }} ArrayMessage */
/** @typedef {{ type: 'begin', bake: number, geometry: Partial<Geometry>, config: Config }} BeginMessage */
/** @typedef {{ type: 'tile', bake: number, x: number, z: number, tellStages: boolean, keeps: boolean }} TileMessage */
/** @typedef {{ type: 'hash', bake: number, x: number, z: number }} HashMessage */
/** @typedef {{ type: 'cancel', bake: number }} CancelMessage */
/** @typedef {{ type: 'end', bake: number }} EndMessage */
/** @typedef {{ type: 'memory' }} MemoryMessage */
/** @typedef {{ type: 'dynamic', dynamic: number, helper: Uint8Array }} DynamicMessage */
/**
 * @typedef {object} BuildMessage
 * @property {'build'} type
 * @property {number} dynamic
 * @property {number} x
 * @property {number} z
 * @property {Uint8Array} obstacles as C writes them
 * @property {Uint8Array} [kept] what is kept of the tile, unless the helper has that
 * @property {[number, number]} [drop] a tile that the helper need not keep any longer
 */
/** @typedef {{ type: 'release', dynamic: number }} ReleaseMessage */
/**
 * @typedef {BeginMessage | HashMessage | TileMessage | EndMessage | MemoryMessage | DynamicMessage | BuildMessage
 *   | ReleaseMessage} Request those that are answered
 */

/**
 * @typedef {{ id: number, error?: PackedError, result?: unknown, stage?: string }} Answer
 *   a stage: there is more to come
 */

/** @typedef {{ code: NavErrorCode, message: string, field?: string, value?: unknown }} PackedError */

/** A value that any thread can be sent. @param {unknown} value */
function packValue(value) {
  if (value === null || !['object', 'function', 'symbol'].includes(typeof value)) return value;
  return describe(value);
}

/** An error as a plain object. @param {unknown} error @returns {PackedError} */
export function packError(error) {
  if (!(error instanceof NavError)) {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { code: 'internal', message: `Walkmesh made a mistake in a worker (${text}): please report it` };
  }
  return { code: error.code, message: error.message, field: error.field, value: packValue(error.value) };
}

/** @param {PackedError} packed */
export const unpackError = ({ code, message, field, value }) => new NavError(code, message, { field, value });
