/**
 * The form of a tile in a cache: its bytes, the counts of its bake, and a checksum over both and the key, which finds damaged or
 * truncated bytes and those of another key. It protects against accidents, not against attacks.
 *
 * Words of 32 bits: magic, version, checksum (2), number of counts, bytes of the tile (0: it has no polygons), counts; then
 * the tile. A tile with air (of a bake with links) has another version, and behind the tile the bytes of the air and the air, filled
 * up to whole words.
 */
import { STAGE_COUNTS } from './stages.js';
import { Checksum } from '../caches/checksum.js';

/** @typedef {import('./stages.js').StageCounts} StageCounts */
/** @typedef {{ bytes: Uint8Array | null, counts: StageCounts, air?: Uint8Array }} CachedTile bytes: a multiple of four */

const NO_COUNTS = /** @type {StageCounts} */ (Object.fromEntries(STAGE_COUNTS.map((name) => [name, 0])));

/** `WMT1` */
const MAGIC = 0x31544d57;
const [VERSION, VERSION_WITH_AIR] = [2, 3];
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
 * @param {string} key @param {CachedTile} tile
 * @returns {Uint8Array<ArrayBuffer>}
 */
export function sealTile(key, { bytes, counts, air }) {
  const length = bytes?.length ?? 0;
  const airWord = HEAD_WORDS + STAGE_COUNTS.length + length / 4;
  const words = new Uint32Array(airWord + (air ? 1 + Math.ceil(air.length / 4) : 0));
  words.set([MAGIC, air ? VERSION_WITH_AIR : VERSION, 0, 0, STAGE_COUNTS.length, length, ...STAGE_COUNTS.map((name) => counts[name])]);
  const sealed = new Uint8Array(words.buffer);
  if (bytes) sealed.set(bytes, 4 * (HEAD_WORDS + STAGE_COUNTS.length));
  if (air) {
    words[airWord] = air.length;
    sealed.set(air, 4 * (airWord + 1));
  }
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
  const hasAir = words[1] === VERSION_WITH_AIR;
  if (words[0] !== MAGIC || !(hasAir || words[1] === VERSION) || words[COUNTS_AT] !== STAGE_COUNTS.length) return undefined;
  const end = first + words[BYTES_AT], airBytes = hasAir ? words[end / 4] : 0;
  if (sealed.length !== end + (hasAir ? 4 + 4 * Math.ceil(airBytes / 4) : 0)) return undefined;
  const [a, b] = sumUp(key, words);
  if (words[CHECKSUM_AT] !== a || words[CHECKSUM_AT + 1] !== b) return undefined;
  const counts = { ...NO_COUNTS };
  for (let i = 0; i < STAGE_COUNTS.length; i++) counts[STAGE_COUNTS[i]] = words[HEAD_WORDS + i];
  return {
    bytes: words[BYTES_AT] === 0 ? null : all.subarray(first, end), counts, ...(hasAir && { air: all.subarray(end + 4, end + 4 + airBytes) }),
  };
}
