/* Layer planes of a row. See layer_planes.h. */
#include "bake/layer_planes.h"

#include "bake/largest.h"

#include <string.h>

/* A cell's share of all arrays; that of `depth` is plenty. */
enum { PAD = WM_PLANE_BLOCK, BYTES_A_CELL = 4 + 2 * 2 * WM_PLANE_LAYERS + 2 + 1 };

static int32_t count_blocks(int32_t width) { return (width + WM_PLANE_BLOCK - 1) / WM_PLANE_BLOCK; }

bool wm_planes_fit(const uint16_t *floors, uint32_t span_count, int32_t walkable_height,
                   int32_t walkable_climb) {
  return walkable_height >= 1 && walkable_height <= WM_PLANE_AGENT_LIMIT && walkable_climb >= 0 &&
         walkable_climb <= WM_PLANE_AGENT_LIMIT &&
         wm_find_largest(floors, span_count) <= WM_PLANE_FLOOR_LIMIT;
}

bool wm_planes_create(WmContext *context, int32_t width, WmPlaneWindow *window) {
  const size_t stride = (size_t)count_blocks(width) * WM_PLANE_BLOCK + 2 * PAD;
  for (int i = 0; i < 3; i++) {
    WmLayerPlanes *planes = &window->rows[i];
    planes->stride = (int32_t)stride;
    planes->first = wm_scratch_array(context, stride, BYTES_A_CELL);
    if (!planes->first) return false;
    planes->floor = (int16_t *)(void *)(planes->first + stride);
    planes->head = planes->floor + WM_PLANE_LAYERS * stride;
    planes->ground = planes->head + WM_PLANE_LAYERS * stride;
    planes->depth = (uint8_t *)(planes->ground + stride);
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
    WmInt4 most = wm_max_int4((WmInt4)low, (WmInt4)high);
    most = wm_max_int4(most, wm_swap_pairs_int4(most));
    most = wm_max_int4(most, wm_swap_halves_int4(most));
    planes->depth[1 + block] = (uint8_t)(most[0] < 255 ? most[0] : 255);
  }
}

/* How deep to fill a block: -1 where it is too deep itself. Deeper neighbours do not read past the limit. */
static int find_fill_depth(const uint8_t *depth) {
  if (depth[0] > WM_PLANE_LAYERS) return -1;
  const int reach = wm_planes_deeper(wm_planes_deeper(depth[-1], depth[0]), depth[1]);
  return reach < WM_PLANE_LAYERS ? reach : WM_PLANE_LAYERS;
}

void wm_planes_fill(WmLayerPlanes *planes, int32_t width, const uint32_t *cell_first, const uint16_t *floors,
                    const uint16_t *bottoms, const uint8_t *clearances, int32_t walkable_height) {
  const WmShort8 height8 = wm_splat_short8((int16_t)walkable_height),
                 absent = wm_splat_short8(WM_PLANE_ABSENT);
  const WmShort8 open8 = wm_splat_short8(WM_PLANE_OPEN) - height8;
  const ptrdiff_t stride = planes->stride;
  measure_depth(planes, width, cell_first);
  for (int32_t block = 0; block < count_blocks(width); block++) {
    const int32_t x = PAD + WM_PLANE_BLOCK * block;
    const int reach = find_fill_depth(planes->depth + 1 + block);
    const bool is_single = wm_planes_is_single(planes, block);
    WmShort8 ground = open8;
    int16_t *floor = planes->floor + x, *head = planes->head + x;
    if (is_single) {
      const uint32_t span = planes->first[x];
      const WmShort8 floor8 = (WmShort8)wm_load_ushort8(floors + span);
      wm_store_short8(floor, floor8);
      if (bottoms) {
        ground = (WmShort8)wm_load_ushort8(bottoms + span) - height8;
        wm_store_short8(head, open8);
      } else {
        wm_store_short8(head, floor8 + (wm_load_bytes_as_short8(clearances + span) - height8));
      }
    }
    wm_store_short8(planes->ground + x, ground);
    for (int layer = is_single; layer < reach; layer++) wm_store_short8(floor + layer * stride, absent);
    if (is_single || reach <= 0) continue;
    for (int32_t i = 0; i < WM_PLANE_BLOCK; i++) {
      const uint32_t end = planes->first[x + i + 1];
      uint32_t span = planes->first[x + i];
      if (span < end && bottoms) planes->ground[x + i] = (int16_t)(bottoms[span] - walkable_height);
      for (ptrdiff_t k = i; span < end; span++, k += stride) {
        const int ceiling = clearances       ? floors[span] + clearances[span]
                            : span + 1 < end ? bottoms[span + 1]
                                             : WM_PLANE_OPEN;
        floor[k] = (int16_t)floors[span];
        head[k] = (int16_t)(ceiling - walkable_height);
      }
    }
  }
}
