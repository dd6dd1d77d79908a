/** Hashes that identify a level: of its files, so that they are found again, and of its triangles, so that a mesh knows its level. */

/** @param {BufferSource} data @returns {Promise<string | undefined>} 16 hexadecimal digits; undefined: pages without a secure origin have no digest */
async function digest(data) {
  if (!globalThis.crypto?.subtle) return undefined;
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', data));
  return Array.from(bytes.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** True if two keys or hashes are digests of different contents; other keys tell nothing. @param {string} a @param {string} b */
export const hashesDiffer = (a, b) => a !== b && [a, b].every((key) => /^[\da-f]{16}$/.test(key));

/** A key of the files' contents, independent of their names. @param {readonly import('./messages.js').LevelFile[]} files */
export async function keyOfFiles(files) {
  const all = new Blob(files.map(({ blob }) => blob));
  // Without a digest, names and sizes are the key.
  return await digest(await all.arrayBuffer()) ?? files.map(({ name, blob }) => `${name}-${blob.size}`).join('-');
}

/**
 * The hash of a level's triangles, as they are baked. @param {{ positions: Float32Array, indices: Uint32Array, areas?: Uint8Array }} level
 */
export async function hashOfTriangles({ positions, indices, areas }) {
  const parts = [positions, indices, ...(areas ? [areas] : [])];
  return digest(await new Blob(/** @type {BlobPart[]} */ (parts)).arrayBuffer());
}
