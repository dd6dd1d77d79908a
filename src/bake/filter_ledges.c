/* The ledge filter: makes spans at a drop, or on too steep an edge, unwalkable.
 *
 * In place on span_area [span_count]; only heights of neighbours are read, so that cells can be taken in any
 * order. The "opening" of a span is the space from its top to the next span of its cell (or
 * WM_OPEN_CEILING); below the lowest span of a cell lies an opening, too. With the openings next to it that
 * it shares the agent's height with, a span is a ledge if
 *   one lies below the lowest span of a neighbouring cell, or that cell is outside of the field,
 *   the floor of one is more than the climb lower, or
 *   the floors within the climb differ by more than the climb among themselves.
 *
 * Eight cells at a time, every layer against every layer of the neighbours (layer_planes.h); cells too deep
 * or too high for that one by one, in sweeps over both columns.
 * Source: M. Mononen, Recast Navigation. */
#include <string.h>

#include "bake/layer_planes.h"
#include "bake/stages.h"

static const int32_t STEP_X[4] = {-1, 0, 1, 0}, STEP_Z[4] = {0, 1, 0, -1};

/* ---- One cell ---------------------------------------------------------------------------------------------
 */

static int32_t ceiling_of(const WmHeightfield *field, uint32_t span, uint32_t end) {
  return span + 1 < end ? field->span_min[span + 1] : WM_OPEN_CEILING;
}

/* One neighbour cell while the spans of a cell are taken from the bottom up: spans before `next` have
 * openings that end too low for this span and all above. */
typedef struct Neighbour {
  uint32_t next, end;
  int32_t lowest; /* bottom of its lowest span */
} Neighbour;

/* Whether the span with this floor and ceiling lies at a drop or on too steep an edge. Openings of
 * both cells ascend, so that all spans of a cell together look at every neighbour once, and once more
 * for every opening that reaches across two. */
static WM_COLD bool is_ledge(const WmHeightfield *field, Neighbour neighbours[4], int32_t floor,
                             int32_t ceiling, int32_t walkable_height, int32_t walkable_climb) {
  int32_t lowest = floor, highest = floor;
  for (int direction = 0; direction < 4; direction++) {
    Neighbour *other = &neighbours[direction];
    if ((ceiling < other->lowest ? ceiling : other->lowest) - floor >= walkable_height) return true;
    while (other->next < other->end && ceiling_of(field, other->next, other->end) - floor < walkable_height) {
      other->next++;
    }
    for (uint32_t span = other->next; span < other->end; span++) {
      const int32_t other_floor = field->span_max[span];
      const int32_t other_ceiling = ceiling_of(field, span, other->end);
      if (ceiling - other_floor < walkable_height) break;
      const int32_t top = ceiling < other_ceiling ? ceiling : other_ceiling;
      const int32_t bottom = floor > other_floor ? floor : other_floor;
      if (top - bottom < walkable_height) continue;
      if (other_floor < lowest) lowest = other_floor;
      if (other_floor > highest && other_floor - floor <= walkable_climb) highest = other_floor;
    }
    /* A drop deeper than the climb shows here too: `highest` is at least the floor. */
    if (highest - lowest > walkable_climb) return true;
  }
  return false;
}

static WM_COLD void filter_ledges_of_cell(const WmHeightfield *field, int32_t x, int32_t z,
                                          int32_t walkable_height, int32_t walkable_climb) {
  const WmGrid *grid = &field->grid;
  const size_t cell = (size_t)x + (size_t)z * (size_t)grid->width;
  const uint32_t first = field->cell_first[cell], end = field->cell_first[cell + 1];
  if (x == 0 || x == grid->width - 1) return; /* the rim is done */
  Neighbour neighbours[4];
  for (int d = 0; d < 4; d++) {
    const size_t other = (size_t)(x + STEP_X[d]) + (size_t)(z + STEP_Z[d]) * (size_t)grid->width;
    Neighbour *neighbour = &neighbours[d];
    neighbour->next = field->cell_first[other];
    neighbour->end = field->cell_first[other + 1];
    neighbour->lowest = neighbour->next < neighbour->end ? field->span_min[neighbour->next] : WM_OPEN_CEILING;
  }
  for (uint32_t span = first; span < end; span++) {
    if (field->span_area[span] == WM_AREA_NULL) continue;
    if (is_ledge(field, neighbours, field->span_max[span], ceiling_of(field, span, end), walkable_height,
                 walkable_climb)) {
      field->span_area[span] = WM_AREA_NULL;
    }
  }
}

/* ---- Eight cells
 * -------------------------------------------------------------------------------------------- */

/* What the spans of one layer have seen of their neighbours so far. */
typedef struct Openings {
  WmShort8 floor, head, reach; /* reach: the floor plus the climb */
  WmShort8 lowest, highest;    /* floors of the openings shared, its own included */
  WmShort8 is_ledge;
} Openings;

/* Looks across one direction: `x` is the first of eight cells there, with `depth` layers. */
static inline void look_across(Openings *own, const WmLayerPlanes *other, int32_t x, int depth) {
  const WmShort8 ground = wm_load_short8(other->ground + x);
  own->is_ledge |= (WmShort8)(wm_min_short8(own->head, ground) >= own->floor);
  const int16_t *other_floor = other->floor + x, *other_head = other->head + x;
  for (int layer = 0; layer < depth; layer++) {
    const WmShort8 floor = wm_load_short8(other_floor), head = wm_load_short8(other_head);
    const WmShort8 apart = (WmShort8)(wm_max_short8(own->floor, floor) > wm_min_short8(own->head, head));
    own->lowest = wm_min_short8(own->lowest, wm_select_short8(apart, own->floor, floor));
    own->highest = wm_max_short8(own->highest, floor & ~(apart | (WmShort8)(floor > own->reach)));
    other_floor += other->stride;
    other_head += other->stride;
  }
}

/* Returns which of eight cells' spans of one layer are ledges, a bit a cell. */
static inline int find_ledges(const WmLayerPlanes *own, int32_t x, int layer, const WmLayerPlanes *north,
                              const WmLayerPlanes *south, const int depth[4], WmShort8 climb) {
  Openings openings;
  openings.floor = wm_load_short8(own->floor + (ptrdiff_t)layer * own->stride + x);
  openings.head = wm_load_short8(own->head + (ptrdiff_t)layer * own->stride + x);
  openings.reach = openings.floor + climb;
  openings.lowest = openings.highest = openings.floor;
  openings.is_ledge = wm_splat_short8(0);
  look_across(&openings, own, x - 1, depth[0]);
  look_across(&openings, south, x, depth[1]);
  look_across(&openings, own, x + 1, depth[2]);
  look_across(&openings, north, x, depth[3]);
  /* A drop deeper than the climb shows in the difference, too: `highest` is at least the floor. */
  return wm_mask_short8(openings.is_ledge | (WmShort8)(openings.highest - openings.lowest > climb));
}

static void clear_areas(uint8_t *area, const uint32_t *first, int layer, int ledges) {
  for (; ledges; ledges &= ledges - 1)
    area[first[__builtin_ctz((unsigned)ledges)] + (uint32_t)layer] = WM_AREA_NULL;
}

/* Returns false where planes do not reach deep enough. */
static bool filter_ledges_of_block(WmPlaneWindow *window, uint8_t *area, int32_t z, int32_t block,
                                   WmShort8 climb) {
  const WmLayerPlanes *own = wm_planes_row(window, z);
  const WmLayerPlanes *north = wm_planes_row(window, z - 1), *south = wm_planes_row(window, z + 1);
  const uint8_t *depths = own->depth + 1 + block;
  const int depth[4] = {wm_planes_deeper(depths[-1], depths[0]), south->depth[1 + block],
                        wm_planes_deeper(depths[1], depths[0]), north->depth[1 + block]};
  const int32_t x = WM_PLANE_BLOCK * (block + 1);
  const uint32_t *first = own->first + x;
  if (depth[0] == 1 && depth[1] == 1 && depth[2] == 1 && depth[3] == 1) {
    static const int SINGLE[4] = {1, 1, 1, 1};
    clear_areas(area, first, 0, find_ledges(own, x, 0, north, south, SINGLE, climb));
    return true;
  }
  for (int d = 0; d < 4; d++) {
    if (depth[d] > WM_PLANE_LAYERS) return false;
  }
  for (int layer = 0; layer < depths[0]; layer++) {
    clear_areas(area, first, layer, find_ledges(own, x, layer, north, south, depth, climb));
  }
  return true;
}

static void filter_ledges_of_row(const WmHeightfield *field, WmPlaneWindow *window, int32_t z,
                                 int32_t walkable_height, int32_t walkable_climb) {
  const int32_t width = field->grid.width;
  const WmShort8 climb = wm_splat_short8((int16_t)walkable_climb);
  for (int32_t x = 0; x < width; x += WM_PLANE_BLOCK) {
    if (filter_ledges_of_block(window, field->span_area, z, x / WM_PLANE_BLOCK, climb)) continue;
    for (int32_t i = x; i < x + WM_PLANE_BLOCK && i < width; i++) {
      filter_ledges_of_cell(field, i, z, walkable_height, walkable_climb);
    }
  }
}

/* ---- The field
 * ---------------------------------------------------------------------------------------------- */

/* Cells at the rim have a neighbour outside. */
static WM_COLD void clear_rim(const WmHeightfield *field) {
  const int32_t width = field->grid.width, depth = field->grid.depth;
  const uint32_t *first = field->cell_first;
  for (int32_t z = 0; z < depth; z++, first += width) {
    const bool whole = z == 0 || z == depth - 1 || width == 1;
    const int32_t length = whole ? width : 1, step = whole ? width : width - 1;
    for (int32_t x = 0; x < width; x += step) {
      const uint32_t count = first[x + length] - first[x];
      if (count) memset(field->span_area + first[x], WM_AREA_NULL, count); /* no spans may have no array */
    }
  }
}

static void fill_row(const WmHeightfield *field, WmPlaneWindow *window, int32_t z, int32_t walkable_height) {
  const uint32_t *first = field->cell_first + (size_t)z * (size_t)field->grid.width;
  wm_planes_fill(wm_planes_row(window, z), field->grid.width, first, field->span_max, field->span_min, NULL,
                 walkable_height);
}

WmStatus wm_filter_ledges(WmContext *context, WmHeightfield *field, int32_t walkable_height,
                          int32_t walkable_climb) {
  const int32_t width = field->grid.width, depth = field->grid.depth;
  if (width <= 0 || depth <= 0) return WM_OK;
  if (!wm_planes_fit(field->span_max, field->span_count, walkable_height, walkable_climb)) {
    clear_rim(field);
    for (int32_t z = 1; z + 1 < depth; z++) {
      for (int32_t x = 1; x + 1 < width; x++) {
        filter_ledges_of_cell(field, x, z, walkable_height, walkable_climb);
      }
    }
    return WM_OK;
  }
  const WmScratchMark mark = wm_scratch_mark(context);
  WmPlaneWindow window;
  if (!wm_planes_create(context, width, &window)) {
    wm_scratch_rewind(context, mark);
    return WM_ERROR_OUT_OF_MEMORY;
  }
  clear_rim(field);
  for (int32_t z = 0; z < depth; z++) {
    fill_row(field, &window, z, walkable_height);
    if (z >= 2) filter_ledges_of_row(field, &window, z - 1, walkable_height, walkable_climb);
  }
  wm_scratch_rewind(context, mark);
  return WM_OK;
}
