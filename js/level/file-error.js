/** Shared by the readers of levels: the bytes of a file, and errors that name its real format. */
import { requireBytes } from '../runtime/bytes.js';
import { NavError } from '../runtime/errors.js';

/** @typedef {{ positions: Float32Array, indices: Uint32Array, areas?: Uint8Array }} Level triangles, as bake() takes them; areas: of each triangle */
/** @typedef {import('../runtime/bytes.js').Bytes | string} LevelBytes the contents of a file */

/** First bytes of other file formats. @type {readonly [string, readonly number[]][]} */
const BEGINNINGS = [
  ['a PNG picture', [0x89, 0x50, 0x4e, 0x47]], ['a JPEG picture', [0xff, 0xd8, 0xff]], ['a GIF picture', [0x47, 0x49, 0x46, 0x38]],
  ['a WebP picture', [0x52, 0x49, 0x46, 0x46]], ['a ZIP archive', [0x50, 0x4b, 3, 4]], ['compressed with gzip', [0x1f, 0x8b]],
  ['a PDF document', [0x25, 0x50, 0x44, 0x46]], ['an FBX file', [...new TextEncoder().encode('Kaydara FBX')]],
  ['a Blender file', [...new TextEncoder().encode('BLENDER')]], ['a GLB file', [0x67, 0x6c, 0x54, 0x46]],
];

/** The format of a file from its first bytes, or undefined. @param {Uint8Array} bytes */
export function nameContents(bytes) {
  return BEGINNINGS.find(([, first]) => first.every((byte, i) => bytes[i] === byte))?.[0];
}

/** @param {string} name of the file @param {string} problem @param {unknown} [cause] */
export function fileError(name, problem, cause) {
  return new NavError('file', `${name} ${problem}`, { field: 'file', value: name, cause });
}

/** @param {unknown} data @param {string} [field] @returns {Uint8Array} */
export function toBytes(data, field = 'data') {
  if (typeof data === 'string') return new TextEncoder().encode(data);
  return requireBytes(data, field, ' or text');
}
