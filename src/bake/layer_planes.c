/* Layer planes of a row. See layer_planes.h. */
#include "bake/layer_planes.h"

#include <string.h>

enum { PAD = WM_PLANE_BLOCK };

static int32_t count_blocks(int32_t width) { return (width + WM_PLANE_BLOCK - 1) / WM_PLANE_BLOCK; }

bool wm_planes_fit(const uint16_t *floors, uint32_t span_count, int32_t walkable_height,
                   int32_t walkable_climb) {
  if (walkable_height < 1 || walkable_height > WM_PLANE_AGENT_LIMIT) return false;
  if (walkable_climb < 0 || walkable_climb > WM_PLANE_AGENT_LIMIT) return false;
  WmShort8 lowest = wm_splat_short8(0), highest = lowest; /* heights from 32768 on are negative here */
  uint32_t span = 0;
  for (; span + 8 <= span_count; span += 8) {
    const WmShort8 floor = (WmShort8)wm_load_ushort8(floors + span);
    lowest = wm_min_short8(lowest, floor);
    highest = wm_max_short8(highest, floor);
  }
  const WmShort8 limit = wm_splat_short8(WM_PLANE_FLOOR_LIMIT);
  if (wm_mask_short8(lowest | (WmShort8)(highest > limit))) return false;
  for (; span < span_count; span++) {
    if (floors[span] > WM_PLANE_FLOOR_LIMIT) return false;
  }
  return true;
}

bool wm_planes_create(WmContext *context, int32_t width, WmPlaneWindow *window) {
  const size_t stride = (size_t)count_blocks(width) * WM_PLANE_BLOCK + 2 * PAD;
  for (int i = 0; i < 3; i++) {
    WmLayerPlanes *planes = &window->rows[i];
    planes->stride = (int32_t)stride;
    planes->first = wm_scratch_array(context, stride, sizeof *planes->first);
    planes->floor = wm_scratch_array(context, stride * WM_PLANE_LAYERS, sizeof *planes->floor);
    planes->head = wm_scratch_array(context, stride * WM_PLANE_LAYERS, sizeof *planes->head);
    planes->ground = wm_scratch_array(context, stride, sizeof *planes->ground);
    planes->depth = wm_scratch_array(context, (size_t)count_blocks(width) + 2, sizeof *planes->depth);
    if (!planes->first || !planes->floor || !planes->head || !planes->ground || !planes->depth) return false;
    wm_planes_clear(planes, width);
  }
  return true;
}

void wm_planes_clear(WmLayerPlanes *planes, int32_t width) {
  memset(planes->depth, 0, (size_t)count_blocks(width) + 2);
  memset(planes->first, 0, (size_t)planes->stride * sizeof *planes->first);
  /* What a vector one cell aside of the field reads. */
  const WmShort8 absent = wm_splat_short8(WM_PLANE_ABSENT);
  for (int layer = 0; layer < WM_PLANE_LAYERS; layer++) {
    int16_t *floor = planes->floor + (ptrdiff_t)layer * planes->stride;
    wm_store_short8(floor, absent);
    wm_store_short8(floor + planes->stride - PAD, absent);
  }
  const WmShort8 open = wm_splat_short8(WM_PLANE_OPEN);
  for (int32_t x = 0; x < planes->stride; x += WM_PLANE_BLOCK) wm_store_short8(planes->ground + x, open);
}

/* Copies the row's span numbers and finds the depth of every block. */
static void measure_depth(WmLayerPlanes *planes, int32_t width, const uint32_t *cell_first) {
  uint32_t *first = planes->first;
  memcpy(first + PAD, cell_first, ((size_t)width + 1) * sizeof *first);
  /* Cells after the last, to the end of its block and one more, are empty. */
  for (int32_t x = width + 1; x < planes->stride - PAD; x++) first[PAD + x] = cell_first[width];
  for (int32_t block = 0; block < count_blocks(width); block++) {
    const uint32_t *cell = first + PAD + WM_PLANE_BLOCK * block;
    const WmUint4 low = wm_load_uint4(cell + 1) - wm_load_uint4(cell);
    const WmUint4 high = wm_load_uint4(cell + 5) - wm_load_uint4(cell + 4);
    uint32_t depth = cell[WM_PLANE_BLOCK] - cell[0];
    if (wm_mask_int4((WmInt4)((low | high) > 1)) == 0) {
      depth = depth > 0;
    } else {
      depth = 0;
      for (int i = 0; i < WM_PLANE_BLOCK; i++) {
        const uint32_t count = cell[i + 1] - cell[i];
        depth = count > depth ? count : depth;
      }
    }
    planes->depth[1 + block] = (uint8_t)(depth < 255 ? depth : 255);
  }
}

/* How deep to fill a block: -1 where it is too deep itself. Deeper neighbours do not read past the limit. */
static int find_fill_depth(const WmLayerPlanes *planes, int32_t block) {
  if (planes->depth[1 + block] > WM_PLANE_LAYERS) return -1;
  const int reach = wm_planes_reach(planes, block);
  return reach < WM_PLANE_LAYERS ? reach : WM_PLANE_LAYERS;
}

static void fill_absent(WmLayerPlanes *planes, int32_t block, int from, int to) {
  const WmShort8 absent = wm_splat_short8(WM_PLANE_ABSENT);
  int16_t *floor = planes->floor + PAD + WM_PLANE_BLOCK * block;
  for (int layer = from; layer < to; layer++)
    wm_store_short8(floor + (ptrdiff_t)layer * planes->stride, absent);
}

void wm_planes_fill_solid(WmLayerPlanes *planes, int32_t width, const uint32_t *cell_first,
                          const uint16_t *span_min, const uint16_t *span_max, int32_t walkable_height) {
  const int16_t height = (int16_t)walkable_height, open = (int16_t)(WM_PLANE_OPEN - walkable_height);
  const WmShort8 open8 = wm_splat_short8(open), height8 = wm_splat_short8(height);
  measure_depth(planes, width, cell_first);
  for (int32_t block = 0; block < count_blocks(width); block++) {
    const int32_t x = PAD + WM_PLANE_BLOCK * block;
    const int reach = find_fill_depth(planes, block);
    if (wm_planes_is_single(planes, block)) {
      const uint32_t span = planes->first[x];
      wm_store_short8(planes->floor + x, (WmShort8)wm_load_ushort8(span_max + span));
      wm_store_short8(planes->head + x, open8);
      wm_store_short8(planes->ground + x, (WmShort8)wm_load_ushort8(span_min + span) - height8);
      if (reach > 1) fill_absent(planes, block, 1, reach);
      continue;
    }
    if (reach < 0) continue;
    fill_absent(planes, block, 0, reach);
    wm_store_short8(planes->ground + x, open8);
    for (int32_t cell = x; cell < x + WM_PLANE_BLOCK; cell++) {
      const uint32_t end = planes->first[cell + 1];
      uint32_t span = planes->first[cell];
      if (span == end) continue;
      planes->ground[cell] = (int16_t)(span_min[span] - height);
      int16_t *floor = planes->floor + cell, *head = planes->head + cell;
      for (; span + 1 < end; span++, floor += planes->stride, head += planes->stride) {
        *floor = (int16_t)span_max[span];
        *head = (int16_t)(span_min[span + 1] - height);
      }
      *floor = (int16_t)span_max[span];
      *head = open;
    }
  }
}

void wm_planes_fill_open(WmLayerPlanes *planes, int32_t width, const uint32_t *cell_first,
                         const uint16_t *span_floor, const uint8_t *span_clearance, int32_t walkable_height) {
  const int16_t height = (int16_t)walkable_height;
  const WmShort8 height8 = wm_splat_short8(height);
  measure_depth(planes, width, cell_first);
  for (int32_t block = 0; block < count_blocks(width); block++) {
    const int32_t x = PAD + WM_PLANE_BLOCK * block;
    const int reach = find_fill_depth(planes, block);
    if (wm_planes_is_single(planes, block)) {
      const uint32_t span = planes->first[x];
      const WmShort8 floor = (WmShort8)wm_load_ushort8(span_floor + span);
      wm_store_short8(planes->floor + x, floor);
      wm_store_short8(planes->head + x, floor + (wm_load_bytes_as_short8(span_clearance + span) - height8));
      if (reach > 1) fill_absent(planes, block, 1, reach);
      continue;
    }
    if (reach < 0) continue;
    fill_absent(planes, block, 0, reach);
    for (int32_t cell = x; cell < x + WM_PLANE_BLOCK; cell++) {
      const uint32_t end = planes->first[cell + 1];
      int16_t *floor = planes->floor + cell, *head = planes->head + cell;
      for (uint32_t span = planes->first[cell]; span < end; span++) {
        *floor = (int16_t)span_floor[span];
        *head = (int16_t)(span_floor[span] + span_clearance[span] - height);
        floor += planes->stride;
        head += planes->stride;
      }
    }
  }
}
