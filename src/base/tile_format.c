/* See tile_format.h. */
#include "base/tile_format.h"

#include <stddef.h>

WmTileSections wm_tile_sections(const WmTileHeader *header, uint64_t link_bytes) {
  static const uint8_t RECORD_BYTES[8] = {
      WM_TILE_VERTEX_BYTES, WM_TILE_POLYGON_BYTES,   0,
      WM_TILE_DETAIL_BYTES, WM_TILE_VERTEX_BYTES,    WM_TILE_TRIANGLE_BYTES,
      WM_TILE_NODE_BYTES,   WM_TILE_CONNECTION_BYTES};
  int32_t counts[8]; /* in the order of the sections, except that the first two are swapped */
  memcpy(counts, (const uint8_t *)header + offsetof(WmTileHeader, polygon_count), sizeof counts);
  WmTileSections at;
  _Static_assert(sizeof at == 9 * sizeof(uint64_t), "eight sections and the size");
  uint64_t *ends = (void *)&at;
  ends[0] = WM_TILE_HEADER_BYTES;
  for (int i = 0; i < 8; i++) {
    const uint64_t record_bytes = i == 2 ? link_bytes : RECORD_BYTES[i];
    ends[i + 1] = ends[i] + (uint64_t)counts[i < 2 ? 1 - i : i] * record_bytes;
  }
  return at;
}
