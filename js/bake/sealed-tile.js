/**
 * The form of a tile in a cache: its bytes, the counts of its bake, and a checksum over both and the key, which finds damaged or
 * truncated bytes and those of another key. It protects against accidents, not against attacks.
 *
 * Words of 32 bits: magic, version, checksum (2), number of counts, bytes of the tile (0: it has no polygons), counts; then
 * the tile.
 */
import { STAGE_COUNTS } from './stages.js';
import { Checksum } from '../caches/checksum.js';

/** @typedef {import('./stages.js').StageCounts} StageCounts */
/** @typedef {{ bytes: Uint8Array | null, counts: StageCounts }} CachedTile */

const NO_COUNTS = /** @type {StageCounts} */ (Object.fromEntries(STAGE_COUNTS.map((name) => [name, 0])));

/** `WMT1` */
const MAGIC = 0x31544d57;
const VERSION = 2;
const HEAD_WORDS = 6;
const [CHECKSUM_AT, COUNTS_AT, BYTES_AT] = [2, 4, 5];

/** @param {string} key @param {Uint32Array} words the checksum in them is skipped @returns {[number, number]} */
function sumUp(key, words) {
  const sum = new Checksum();
  sum.addText(key);
  sum.addWords(words, 0, CHECKSUM_AT);
  sum.addWords(words, CHECKSUM_AT + 2, words.length);
  return sum.finish();
}

/**
 * @param {string} key @param {{ bytes: Uint8Array | null, counts: StageCounts }} tile bytes: a multiple of four
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function sealTile(key, { bytes, counts }) {
  const length = bytes?.length ?? 0;
  const words = new Uint32Array(HEAD_WORDS + STAGE_COUNTS.length + length / 4);
  words.set([MAGIC, VERSION, 0, 0, STAGE_COUNTS.length, length, ...STAGE_COUNTS.map((name) => counts[name])]);
  const sealed = new Uint8Array(words.buffer);
  if (bytes) sealed.set(bytes, 4 * (HEAD_WORDS + STAGE_COUNTS.length));
  words.set(sumUp(key, words), CHECKSUM_AT);
  return sealed;
}

/**
 * @param {string} key @param {Uint8Array} sealed
 * @returns {CachedTile | undefined} undefined: sealTile did not make these bytes for this key
 */
export function openTile(key, sealed) {
  if (sealed.length % 4 !== 0 || sealed.length < 4 * HEAD_WORDS) return undefined;
  const all = sealed.byteOffset % 4 === 0 ? sealed : sealed.slice();
  const words = new Uint32Array(all.buffer, all.byteOffset, all.length / 4);
  const first = 4 * (HEAD_WORDS + STAGE_COUNTS.length);
  if (words[0] !== MAGIC || words[1] !== VERSION || words[COUNTS_AT] !== STAGE_COUNTS.length) return undefined;
  if (sealed.length !== first + words[BYTES_AT]) return undefined;
  const [a, b] = sumUp(key, words);
  if (words[CHECKSUM_AT] !== a || words[CHECKSUM_AT + 1] !== b) return undefined;
  const counts = { ...NO_COUNTS };
  for (let i = 0; i < STAGE_COUNTS.length; i++) counts[STAGE_COUNTS[i]] = words[HEAD_WORDS + i];
  return { bytes: words[BYTES_AT] === 0 ? null : all.subarray(first), counts };
}
