/**
 * The contents of a glTF file's buffers, as the parser gets them: copies in memory that nothing else shares, each of the length that
 * the file says. So no read of the parser ends in other memory of the process, whatever the file says.
 */
import { decodeBase64 } from '../runtime/encodings.js';
import { copyBytes } from '../runtime/bytes.js';
import { NavError } from '../runtime/errors.js';
import { MESHOPT } from './gltf-layout.js';
import { fileError, toBytes } from './file-error.js';

/** @typedef {import('./file-error.js').LevelBytes} LevelBytes */
/** @typedef {Record<string, LevelBytes> | ((address: string) => LevelBytes | undefined | Promise<LevelBytes | undefined>)} Resources */

/** Start of an address that contains the bytes. */
const [DATA, BASE64] = [/^data:/i, /^data:[^,]*;base64,/i];

/** @param {string} address @param {number} i index of the buffer @param {string} file name */
function decodeData(address, i, file) {
  const [head] = BASE64.exec(address) ?? [];
  if (!head) throw fileError(file, `is damaged: the data of buffer ${i} is not in base64`);
  try {
    return decodeBase64(address.slice(head.length));
  } catch (cause) {
    throw fileError(file, `is damaged: the base64 of buffer ${i} is invalid`, cause);
  }
}

/** Calls the caller's function; its errors aren't damage of the file. @param {Extract<Resources, Function>} resources @param {string} address @param {string} file name */
async function askFor(resources, address, file) {
  try {
    return await resources(address);
  } catch (cause) {
    if (cause instanceof NavError) throw cause;
    throw fileError(file, `needs the file ${address}: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
  }
}

/** @param {Resources | undefined} resources @param {string} address @param {string} file name */
async function findResource(resources, address, file) {
  const own = typeof resources === 'object' && Object.hasOwn(resources, address) ? resources[address] : undefined;
  const data = typeof resources === 'function' ? await askFor(resources, address, file) : own;
  if (data === undefined) throw fileError(file, `needs the file ${address}: pass it in resources`);
  return copyBytes(toBytes(data, `resources[${address}]`));
}

/**
 * Reads all buffers, each file once.
 * @param {any[]} buffers of the JSON, whose lengths checkLayout has compared with the views
 * @param {Uint8Array | undefined} binary of a GLB file, a copy @param {Resources | undefined} resources @param {string} file name
 * @returns {Promise<{ buffers: { uri: string, byteLength: number, extensions?: any }[], contents: Record<string, Uint8Array<ArrayBuffer>> }>} contents by the new
 *   addresses of the buffers
 */
export async function readBuffers(buffers, binary, resources, file) {
  /** @type {Map<string, Promise<Uint8Array>>} */
  const files = new Map();
  /** @type {Record<string, Uint8Array<ArrayBuffer>>} */
  const contents = {};
  const read = async (/** @type {any} */ { uri, extensions }, /** @type {number} */ i) => {
    if (uri === undefined) {
      if (i === 0 && binary) return binary;
      if (extensions?.[MESHOPT]?.fallback === true) return undefined;
      throw fileError(file, `is damaged: buffer ${i} has no uri${i === 0 ? ', and the file has no binary chunk' : ''}`);
    }
    if (typeof uri !== 'string') throw fileError(file, `is damaged: the uri of buffer ${i} is not text`);
    if (DATA.test(uri)) return decodeData(uri, i, file);
    const reading = files.get(uri) ?? findResource(resources, uri, file);
    files.set(uri, reading);
    return reading;
  };
  for (const [i, buffer] of buffers.entries()) {
    const { uri, byteLength } = buffer, bytes = await read(buffer, i);
    if (!bytes) continue;
    const source = uri === undefined ? 'the binary chunk' : DATA.test(uri) ? `buffer ${i}` : uri;
    if (bytes.length < byteLength) throw fileError(file, `needs ${byteLength} bytes of ${source}, which has ${bytes.length}`);
    contents[addressOf(i)] = /** @type {Uint8Array<ArrayBuffer>} */ (bytes.subarray(0, byteLength));
  }
  return { buffers: buffers.map(({ byteLength, extensions }, i) => ({ uri: addressOf(i), byteLength, extensions })), contents };
}

/** The address of a buffer in what the parser gets. @param {number} i */
const addressOf = (i) => `buffer-${i}`;
