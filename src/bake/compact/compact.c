/* The compact heightfield: the open space above walkable spans.
 *
 * Spans are numbered in raster order, with floor, clearance and area [span_count each]; ceilings are those of
 * all solid spans, walkable or not. compact_links.c links each row once the next one is complete.
 *
 * source     M. Mononen, Recast Navigation */
#include <string.h>

#include "bake/compact/compact_internal.h"
#include "bake/compact/open_rows.h"
#include "bake/validate.h"
#include "base/debug/assert.h"

enum { PAD = 8 }; /* spans beyond the last that vectors may touch */
/* Empty cells before each row, so that blocks begin with the second column: spans of the first one are ledges. A block
 * that lacks one cell takes longer than another empty block. */
enum { CELLS_BEFORE = WM_PLANE_BLOCK - 1 };

static WmStatus allocate_compact(WmContext *context, const WmGrid *grid, size_t span_count,
                                 bool keep_clearance, WmCompactHeightfield *compact) {
  WmLayout layout = {0};
  const size_t floor = wm_layout_add(&layout, span_count + PAD, sizeof *compact->span_floor);
  const size_t area = wm_layout_add(&layout, span_count + PAD, sizeof *compact->span_area);
  const size_t clearance = layout.bytes, clearances = span_count + PAD;
  if (keep_clearance) wm_layout_add(&layout, clearances, 1);
  uint8_t *block = wm_layout_allocate(context, &layout);
  if (!block) return WM_ERROR_OUT_OF_MEMORY;
  compact->block = block;
  compact->span_clearance = keep_clearance ? block + clearance : wm_scratch_array(context, clearances, 1);
  if (!compact->span_clearance) return WM_ERROR_OUT_OF_MEMORY;
  compact->grid = *grid;
  compact->span_count = (uint32_t)span_count;
  compact->span_floor = (uint16_t *)(void *)(block + floor);
  compact->span_area = block + area;
  return WM_OK;
}

/* Separates the fields of `count` packed spans; up to seven more are read and written. */
static WM_NOINLINE void copy_spans(const uint32_t *spans, size_t count, uint16_t *floor, uint8_t *clearance,
                                   uint8_t *area) {
  for (size_t i = 0; i < count; i += 8) {
    const WmInt4 low = (WmInt4)wm_load_uint4(spans + i), high = (WmInt4)wm_load_uint4(spans + i + 4);
    const WmShort8 state = wm_narrow_int4(low >> 16, high >> 16);
    wm_store_ushort8(floor + i, (WmUshort8)wm_narrow_int4(low << 16 >> 16, high << 16 >> 16));
    wm_store_shorts_as_bytes(clearance + i, state & (WM_STATE_AREA - 1));
    wm_store_shorts_as_bytes(area + i, state >> 8);
  }
}

/* Copies the spans of rows to their final arrays, frees each chunk, and takes cell_first. */
static void take_rows(WmContext *context, WmOpenRows *rows, WmCompactHeightfield *compact) {
  size_t done = 0;
  for (WmOpenChunk *chunk = rows->first_chunk; chunk; chunk = rows->first_chunk) {
    copy_spans(chunk->spans, chunk->count, compact->span_floor + done, compact->span_clearance + done,
               compact->span_area + done);
    done += chunk->count;
    rows->first_chunk = chunk->next;
    wm_block_free(context, chunk);
  }
  compact->cell_first = rows->cell_first;
  *rows = (WmOpenRows){0};
}

/* Links each row once the planes of the next one are filled. */
static WmStatus link_spans(WmContext *context, WmPlaneWindow *window, WmCompactHeightfield *compact) {
  const size_t width = (size_t)compact->grid.width;
  const int32_t depth = compact->grid.depth;
  WmLinkBuilder builder;
  WmStatus status = wm_links_start(context, compact->span_count, &builder);
  if (status) return status;
  for (int32_t z = 0; z <= depth && !builder.status; z++) {
    const uint32_t *first = compact->cell_first + (size_t)z * width;
    const bool is_empty = z == depth || first[0] == first[width];
    if (is_empty) {
      wm_planes_clear(window, z);
    } else if (wm_planes_fill_open(context, window, z, compact)) {
      builder.status = WM_ERROR_OUT_OF_MEMORY;
    }
    if (z == 0 || builder.status) continue;
    wm_compact_link_row(compact, window, z - 1, &builder);
    if (z > 1) wm_links_find_allowed(&builder, *(first - 2 * width));
  }
  return wm_links_finish(&builder, compact->span_count, &compact->links);
}

WmStatus wm_link_open_rows(WmContext *context, WmOpenRows *rows, int32_t walkable_height,
                           int32_t walkable_climb, bool keep_clearance, WmCompactHeightfield *compact) {
  *compact = (WmCompactHeightfield){0};
  /* Rows of a kept tile may come from hostile bytes. */
  const bool was_valid = WM_WAS_VALID(wm_open_rows_validate(rows));
  const WmScratchMark mark = wm_scratch_mark(context);
  WmPlaneWindow *window = wm_planes_create(context, rows->grid.width + CELLS_BEFORE, walkable_height);
  WmStatus status = WM_ERROR_OUT_OF_MEMORY;
  if (window) status = allocate_compact(context, &rows->grid, rows->span_count, keep_clearance, compact);
  if (status) {
    wm_open_rows_free(context, rows);
  } else {
    compact->walkable_height = walkable_height;
    compact->walkable_climb = walkable_climb;
    compact->grid.bounds_max[1] += (float)walkable_height * rows->grid.cell_height;
    take_rows(context, rows, compact);
    status = link_spans(context, window, compact);
  }
  if (status) {
    wm_compact_heightfield_free(context, compact);
  } else {
    /* Links are symmetric if two spans of one cell, which lie more than the agent's height apart, can't
     * both be within the climb of a third. */
    compact->links_are_symmetric =
        walkable_height >= 2 * walkable_climb || wm_compact_are_links_symmetric(compact);
    WM_VALIDATE(!was_valid || wm_compact_heightfield_validate(compact));
    if (!keep_clearance) compact->span_clearance = NULL;
  }
  wm_scratch_rewind(context, mark);
  return status;
}

WmStatus wm_build_compact_heightfield(WmContext *context, const WmHeightfield *field, int32_t walkable_height,
                                      int32_t walkable_climb, WmCompactHeightfield *compact) {
  *compact = (WmCompactHeightfield){0};
  const WmFilterSettings none = {.walkable_height = walkable_height};
  const int32_t depth = field->grid.depth;
  const WmScratchMark mark = wm_scratch_mark(context);
  WmOpenRows rows;
  WmOpenSpanSink sink;
  WmStatus status = wm_open_span_sink_start(context, &field->grid, &none, &rows, NULL, &sink);
  const WmSpanRow row = wm_span_row_create(context, field);
  if (!row.spans) status = WM_ERROR_OUT_OF_MEMORY;
  for (int32_t z = 0; z <= depth && !status; z++) {
    if (z < depth) wm_span_row_load(field, z, &row);
    status = wm_open_span_sink_write(context, &sink, z < depth ? &row : NULL, z);
  }
  wm_scratch_rewind(context, mark);
  if (status) {
    wm_open_rows_free(context, &rows);
    return status;
  }
  WM_VALIDATE(wm_open_rows_validate(&rows));
  return wm_link_open_rows(context, &rows, walkable_height, walkable_climb, true, compact);
}
