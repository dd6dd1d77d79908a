/** Kept tiles that are joined with their air: see wm_kept_tile_join in src/dynamic/dynamic_links.h. */

/** "WALKAIR1" */
const MAGIC = [0x57, 0x41, 0x4c, 0x4b, 0x41, 0x49, 0x52, 0x31];
/** Bytes of the end: two sizes and the magic. */
const END_BYTES = 16;

/**
 * The bytes of a kept tile, and of its air, if the bake has links.
 * @param {Uint8Array} kept @param {Uint8Array | undefined} air @returns {Uint8Array}
 */
export function joinKeptTile(kept, air) {
  if (!air) return kept;
  const bytes = new Uint8Array(kept.length + air.length + END_BYTES);
  bytes.set(kept);
  bytes.set(air, kept.length);
  const end = new DataView(bytes.buffer, kept.length + air.length);
  end.setUint32(0, kept.length, true);
  end.setUint32(4, air.length, true);
  bytes.set(MAGIC, bytes.length - MAGIC.length);
  return bytes;
}
