/* Erosion of a part of a field: see unpacked_tile.h. */
#ifndef WALKMESH_BAKE_ERODE_WINDOW_H
#define WALKMESH_BAKE_ERODE_WINDOW_H

#include "bake/fields.h"
#include "base/simd.h"

/* The cells x first[0] to last[0], z first[1] to last[1], all inside the grid; empty if last < first. */
typedef struct WmWindow {
  int32_t first[2], last[2];
} WmWindow;

/* A bit for each of sixteen spans whose areas differ; only the first `count` spans count, but 16 bytes are
 * read. */
WM_INLINE uint32_t wm_compare_areas(const uint8_t *before, const uint8_t *after, uint32_t count) {
  const WmByte16 like = (WmByte16)(wm_load_byte16(before) == wm_load_byte16(after));
  const uint32_t differ = ~(uint32_t)wm_mask_byte16(like) & 0xffff;
  return count < 16 ? differ & ((1u << count) - 1) : differ;
}

/* The bounds of the cells whose spans' areas differ. 16 bytes after either array must be readable. */
WmWindow wm_find_changes(const WmCompactHeightfield *compact, const uint8_t *before, const uint8_t *after);

/* Clears areas of spans that are nearer than the radius to an area border because spans of the window have
 * become unwalkable. Spans that are near one anyway may be cleared or not.
 * in         before, area [span_count]: before erosion, without and with the changes; radius_cells: 1 to
 *            127; distance: [span_count] working memory
 * in/out     cleared [span_count] */
void wm_erode_window(const WmCompactHeightfield *compact, const uint8_t *before, const uint8_t *area,
                     const WmWindow *window, int32_t radius_cells, uint8_t *distance, uint8_t *cleared);

#endif
