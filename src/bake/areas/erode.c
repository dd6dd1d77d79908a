/* Erosion: keeps the agent's centre a radius away from area borders. In place on span_area [span_count].
 *
 * A span becomes unwalkable if its chamfer distance (chamfer.h) is below twice the radius. All walkable
 * areas count as one, so distances start at walkable spans that touch an unwalkable one or miss a link.
 * The distance of an unwalkable span doesn't matter: the path from inside an unwalkable patch to the
 * outside crosses its area border, which is at 0, as is the walkable side of it. */
#include "bake/areas/chamfer.h"
#include "bake/stages.h"
#include "base/simd.h"

enum { RADIUS_LIMIT = 127 };

/* Clears the areas of spans nearer than `limit`, sixteen at a time. */
static void clear_near(uint8_t *area, const uint16_t *distance, uint32_t span_count, uint16_t limit) {
  const WmUshort8 limit8 = wm_splat_ushort8(limit);
  uint32_t span = 0;
  for (; span + 16 <= span_count; span += 16) {
    const WmShort8 low = (WmShort8)(wm_load_ushort8(distance + span) >= limit8);
    const WmShort8 high = (WmShort8)(wm_load_ushort8(distance + span + 8) >= limit8);
    wm_store_byte16(area + span, wm_load_byte16(area + span) & wm_narrow_mask_short8(low, high));
  }
  for (; span < span_count; span++) {
    if (distance[span] < limit) area[span] = WM_AREA_NULL;
  }
}

WmStatus wm_erode(WmContext *context, WmCompactHeightfield *compact, int32_t radius_cells) {
  if (radius_cells < 0 || radius_cells > RADIUS_LIMIT) {
    return wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, "radius", radius_cells, 0, RADIUS_LIMIT,
                         "cells");
  }
  if (radius_cells == 0) return WM_OK;
  const WmScratchMark mark = wm_scratch_mark(context);
  uint16_t *room = wm_scratch_array(context, wm_chamfer_room(compact->span_count), sizeof *room);
  WmChamfer chamfer;
  const WmStatus status =
      room ? wm_chamfer_measure(context, compact, 1, room, &chamfer) : WM_ERROR_OUT_OF_MEMORY;
  if (!status) {
    clear_near(compact->span_area, chamfer.distance, compact->span_count, (uint16_t)(2 * radius_cells));
  }
  wm_scratch_rewind(context, mark);
  return status;
}
