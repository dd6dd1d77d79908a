/* The compact heightfield: the open space above walkable spans.
 *
 * Spans are numbered in raster order and hold floor, clearance and area [span_count each]; ceilings count all
 * solid spans, walkable or not. The links between them are made by compact_links.c as rows get complete.
 * Source: M. Mononen, Recast Navigation. */
#include <string.h>

#include "bake/chamfer.h"
#include "bake/compact_internal.h"
#include "base/simd.h"

enum { CLEARANCE_LIMIT = 255 };

static size_t count_cells(const WmGrid *grid) { return (size_t)grid->width * (size_t)grid->depth; }

/* Bytes that are not 0. */
static uint32_t count_walkable(const uint8_t *area, uint32_t span_count) {
  uint32_t count = 0, span = 0;
  for (; WM_SIMD && span + 16 <= span_count; span += 16) {
    count +=
        (uint32_t)__builtin_popcount((unsigned)wm_mask_byte16((WmByte16)(wm_load_byte16(area + span) != 0)));
  }
  for (; span < span_count; span++) count += area[span] != WM_AREA_NULL;
  return count;
}

static WmStatus allocate_compact(WmContext *context, const WmHeightfield *field, size_t span_count,
                                 WmCompactHeightfield *compact) {
  const size_t cells = count_cells(&field->grid);
  WmLayout layout = {0};
  const size_t first = wm_layout_add(&layout, cells + 1, sizeof *compact->cell_first);
  const size_t floor = wm_layout_add(&layout, span_count, sizeof *compact->span_floor);
  const size_t clearance = wm_layout_add(&layout, span_count, sizeof *compact->span_clearance);
  const size_t area = wm_layout_add(&layout, span_count, sizeof *compact->span_area);
  const size_t neighbour = wm_layout_add(&layout, span_count, 4 * sizeof *compact->span_neighbour);
  const size_t block_count = wm_chamfer_block_count(span_count);
  const size_t blocks = wm_layout_add(&layout, block_count, sizeof *compact->chamfer_blocks);
  uint8_t *block = wm_layout_allocate(context, &layout);
  if (!block) return WM_ERROR_OUT_OF_MEMORY;
  compact->block = block;
  compact->grid = field->grid;
  compact->span_count = (uint32_t)span_count;
  compact->cell_first = (uint32_t *)(void *)(block + first);
  compact->span_floor = (uint16_t *)(void *)(block + floor);
  compact->span_clearance = block + clearance;
  compact->span_area = block + area;
  compact->span_neighbour = (uint32_t *)(void *)(block + neighbour);
  if (block_count) compact->chamfer_blocks = (WmChamferBlock *)(void *)(block + blocks);
  return WM_OK;
}

/* The arrays of both fields, held by value: bytes written might otherwise be taken for the pointers. */
typedef struct Arrays {
  const uint16_t *span_min, *span_max;
  const uint8_t *span_area;
  uint16_t *floor;
  uint8_t *clearance, *area;
} Arrays;

/* Copies the walkable spans of one cell; returns the number after the last. */
static inline uint32_t copy_cell(Arrays arrays, uint32_t span, uint32_t end, uint32_t next) {
  for (; span < end; span++) {
    const uint8_t area = arrays.span_area[span];
    if (area == WM_AREA_NULL) continue;
    const int32_t ceiling = span + 1 < end ? arrays.span_min[span + 1] : WM_OPEN_CEILING;
    const int32_t clearance = ceiling - arrays.span_max[span];
    arrays.floor[next] = arrays.span_max[span];
    arrays.clearance[next] = (uint8_t)(clearance < CLEARANCE_LIMIT ? clearance : CLEARANCE_LIMIT);
    arrays.area[next] = area;
    next++;
  }
  return next;
}

/* Whether eight cells have one span each, all walkable and with nothing above within the clearance limit. */
static bool is_open_ground(const WmHeightfield *field, const uint32_t *first) {
  const WmUint4 low = wm_load_uint4(first + 1) - wm_load_uint4(first);
  const WmUint4 high = wm_load_uint4(first + 5) - wm_load_uint4(first + 4);
  /* Eight in all, and none has none. */
  if (first[8] - first[0] != 8 || wm_mask_int4((WmInt4)((low - 1) | (high - 1)))) return false;
  const WmUshort8 limit = wm_splat_ushort8(WM_OPEN_CEILING - CLEARANCE_LIMIT);
  const WmShort8 is_low_ceiling = (WmShort8)(wm_load_ushort8(field->span_max + first[0]) > limit);
  return !wm_mask_short8(is_low_ceiling | (wm_load_bytes_as_short8(field->span_area + first[0]) - 1));
}

/* Copies the walkable spans of one row; returns the number after the last. */
static uint32_t copy_row(const WmHeightfield *field, const WmCompactHeightfield *compact, size_t first_cell,
                         uint32_t next) {
  const uint32_t *first = field->cell_first + first_cell;
  uint32_t *out_first = compact->cell_first + first_cell;
  const int32_t width = field->grid.width;
  const WmUint4 steps = {0, 1, 2, 3};
  const Arrays arrays = {field->span_min,     field->span_max,         field->span_area,
                         compact->span_floor, compact->span_clearance, compact->span_area};
  for (int32_t x = 0, end; x < width; x = end) {
    end = x + 8 < width ? x + 8 : width;
    if (end == x + 8 && is_open_ground(field, first + x)) {
      const uint32_t span = first[x];
      const WmUint4 numbers = steps + next;
      wm_store_uint4(out_first + x, numbers);
      wm_store_uint4(out_first + x + 4, numbers + 4);
      wm_store_ushort8(compact->span_floor + next, wm_load_ushort8(field->span_max + span));
      memset(compact->span_clearance + next, CLEARANCE_LIMIT, 8);
      memcpy(compact->span_area + next, field->span_area + span, 8);
      next += 8;
      continue;
    }
    for (int32_t i = x; i < end; i++) {
      out_first[i] = next;
      next = copy_cell(arrays, first[i], first[i + 1], next);
    }
  }
  out_first[width] = next; /* what the next row starts with, or the end */
  return next;
}

/* Copies all rows, each linked when the one after it is there. */
static void copy_and_link(const WmHeightfield *field, const WmCompactHeightfield *compact,
                          WmPlaneWindow *window) {
  const size_t width = (size_t)field->grid.width;
  const int32_t depth = field->grid.depth;
  WmChamferFinder finder = {0};
  uint32_t next = 0;
  window->floors = compact->span_floor;
  window->clearances = compact->span_clearance;
  if (WM_SIMD) {
    finder = wm_chamfer_start_blocks(compact->span_neighbour, compact->span_count, compact->chamfer_blocks);
  }
  for (int32_t z = 0; z <= depth; z++) {
    const uint32_t *first = compact->cell_first + (size_t)z * width;
    if (z < depth) next = copy_row(field, compact, (size_t)z * width, next);
    wm_planes_fill(window, z, z < depth ? first : NULL);
    if (z == 0) continue;
    wm_compact_link_row(compact, window, z - 1);
    if (WM_SIMD) {
      wm_chamfer_find_blocks(&finder, first[0]);
      if (z > 1) wm_chamfer_settle_blocks(&finder, *(first - 2 * width));
    }
  }
  if (WM_SIMD) wm_chamfer_settle_blocks(&finder, next);
}

WmStatus wm_build_compact_heightfield(WmContext *context, const WmHeightfield *field, int32_t walkable_height,
                                      int32_t walkable_climb, WmCompactHeightfield *compact) {
  *compact = (WmCompactHeightfield){0};
  const WmScratchMark mark = wm_scratch_mark(context);
  WmPlaneWindow *window = wm_planes_create(context, field, walkable_height);
  WmStatus status = WM_ERROR_OUT_OF_MEMORY;
  if (window) {
    status = allocate_compact(context, field, count_walkable(field->span_area, field->span_count), compact);
  }
  if (!status) {
    compact->walkable_height = walkable_height;
    compact->walkable_climb = walkable_climb;
    compact->grid.bounds_max[1] += (float)walkable_height * field->grid.cell_height;
    copy_and_link(field, compact, window);
    /* Two candidates in one cell lie more than the agent's height apart, yet both within the climb. */
    compact->links_are_symmetric =
        walkable_height >= 2 * walkable_climb || wm_compact_are_links_symmetric(compact);
  }
  wm_scratch_rewind(context, mark);
  return status;
}
