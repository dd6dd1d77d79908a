/**
 * The way in for bytes: files, tiles, answers of caches and sources. Everything that reads bytes of a caller gets them from here.
 *
 * A caller may pass any view at any offset (Node's Buffers are views into a pool that they share), or a whole buffer. The bounds are
 * read by the language's own getters, once: a class derived from Uint8Array may define others, which say anything.
 */
import { describe, invalidArgument } from './errors.js';
import { TYPED_ARRAY, getterOf, typeOf } from './typed-arrays.js';

/** Bytes as callers pass them: a Uint8Array, a Buffer, another view, or a whole buffer. @typedef {ArrayBufferView | ArrayBufferLike} Bytes */

/** @param {object} prototype of views */
const boundsGetters = (prototype) => ['buffer', 'byteOffset', 'byteLength'].map((name) => getterOf(prototype, name));

const OF_TYPED_ARRAYS = boundsGetters(TYPED_ARRAY);
const OF_DATA_VIEWS = boundsGetters(DataView.prototype);
const lengthOfBuffer = getterOf(ArrayBuffer.prototype, 'byteLength');
/** undefined in engines without resizable buffers. */
const isResizable = getterOf(ArrayBuffer.prototype, 'resizable');
/** Pages that are not isolated have no shared memory. */
const lengthOfShared = typeof SharedArrayBuffer === 'function' ? getterOf(SharedArrayBuffer.prototype, 'byteLength') : lengthOfBuffer;

/** The result of a getter; undefined if it isn't one of the owner. @template T @param {(owner: unknown) => T} get @param {unknown} owner */
function tryGetter(get, owner) {
  try {
    return get(owner);
  } catch {
    return undefined;
  }
}

/** Buffer, first byte and number of bytes; undefined if the value has no bytes. @param {unknown} value @returns {[ArrayBufferLike, number, number] | undefined} */
function boundsOf(value) {
  if (ArrayBuffer.isView(value)) {
    const [buffer, offset, length] = typeOf(value) === undefined ? OF_DATA_VIEWS : OF_TYPED_ARRAYS;
    // A DataView of a transferred buffer has no bounds, a typed array those of nothing.
    return [buffer(value), tryGetter(offset, value) ?? 0, tryGetter(length, value) ?? 0];
  }
  const length = tryGetter(lengthOfBuffer, value) ?? tryGetter(lengthOfShared, value);
  return length === undefined ? undefined : [/** @type {ArrayBufferLike} */ (value), 0, length];
}

/** True if other code can change the length of a buffer, or its contents at any time: readers need a copy. @param {ArrayBufferLike} buffer */
const isUnsteady = (buffer) => tryGetter(lengthOfBuffer, buffer) === undefined || isResizable(buffer) === true;

/** @param {Uint8Array} view of any buffer */
const copyOf = (view) => new Uint8Array(view);

/**
 * The bytes of a value, as a plain Uint8Array: a view, or a copy if they are in shared or resizable memory. undefined: it has none.
 * @param {unknown} value @param {string} field for the error if its buffer was transferred
 * @returns {Uint8Array<ArrayBuffer> | undefined}
 */
export function viewBytes(value, field) {
  const bounds = boundsOf(value);
  if (!bounds) return undefined;
  let view;
  try {
    view = new Uint8Array(...bounds);
  } catch {
    throw invalidArgument(field, `has no bytes any more: its buffer was transferred (${describe(value)})`, value);
  }
  return isUnsteady(bounds[0]) ? copyOf(view) : /** @type {Uint8Array<ArrayBuffer>} */ (view);
}

/**
 * As viewBytes, but throws if the value has no bytes.
 * @param {unknown} value @param {string} [field] @param {string} [orElse] other values that are allowed
 */
export function requireBytes(value, field = 'bytes', orElse = '') {
  const view = viewBytes(value, field);
  if (view) return view;
  throw invalidArgument(field, `must be a Uint8Array, another view or an ArrayBuffer${orElse}, not ${describe(value)}`, value);
}

/** A copy of bytes, which no caller can change. @param {unknown} value @param {string} [field] */
export const copyBytes = (value, field) => copyOf(requireBytes(value, field));
