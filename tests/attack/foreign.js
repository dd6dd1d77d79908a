/** Files among bytes of others, as Node's small Buffers lie in their pool: a reader that leaves the file is found by what it reads. */

/** The bytes around a file. As a float32 they are -2.87e-16, a number that no file has. */
const FOREIGN = 0xa5;
const FOREIGN_FLOAT = new Float32Array(Uint8Array.of(FOREIGN, FOREIGN, FOREIGN, FOREIGN).buffer)[0];
const [BEFORE, AROUND] = [1024, 4096];

export class BytesOfOthers extends Error {}

/** A copy of a file among other bytes. @param {any} file */
export function surround(file) {
  if (!(file instanceof Uint8Array)) return file;
  const pool = new Uint8Array(file.length + AROUND).fill(FOREIGN);
  pool.set(file, BEFORE);
  return pool.subarray(BEFORE, BEFORE + file.length);
}

/** Throws if numbers that were read lie outside of the file. @param {Float32Array} numbers */
export function requireOwn(numbers) {
  const at = numbers.indexOf(FOREIGN_FLOAT);
  if (at >= 0) throw new BytesOfOthers(`number ${at} of ${numbers.length} lies outside of the file`);
}
