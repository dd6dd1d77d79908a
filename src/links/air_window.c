/* Columns around a tile. See links_internal.h. */
#include <math.h>

#include "links/links_internal.h"

WmStatus wm_link_check_place(const WmLinkGenerator *generator, int32_t x, int32_t z) {
  const WmVoxelConfig *voxels = &generator->voxels;
  if (x < 0 || x >= voxels->tile_count_x) {
    return wm_fail_range(generator->context, WM_ERROR_INVALID_ARGUMENT, "x", x, 0, voxels->tile_count_x - 1,
                         NULL);
  }
  if (z < 0 || z >= voxels->tile_count_z) {
    return wm_fail_range(generator->context, WM_ERROR_INVALID_ARGUMENT, "z", z, 0, voxels->tile_count_z - 1,
                         NULL);
  }
  return WM_OK;
}

int32_t wm_link_places_around(const WmLinkLimits *limits, int32_t tile_cells) {
  return (int32_t)((limits->farthest + limits->radius + 2) / (float)tile_cells) + 1;
}

WmStatus wm_air_window_start(WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z,
                             WmAirWindow *window) {
  const int32_t tile[2] = {generator->tile_width, generator->tile_depth}, place[2] = {x, z};
  WmGrid grid;
  *window = (WmAirWindow){.generator = generator, .mesh = mesh};
  for (int axis = 0; axis < 2; axis++) {
    const int32_t around = wm_link_places_around(&generator->limits, tile[axis]);
    window->first[axis] = place[axis] - around;
    window->count[axis] = 2 * around + 1;
    window->cells[axis] = window->count[axis] * tile[axis];
  }
  window->tile_width = generator->tile_width;
  wm_link_tile_grid(generator, x, z, &grid);
  for (int axis = 0; axis < 2; axis++) {
    const int32_t before = (window->count[axis] - 1) / 2 * tile[axis];
    window->origin[axis] = grid.bounds_min[2 * axis] - (float)before * generator->bake.cell_size;
  }
  const size_t views = (size_t)window->count[0] * (size_t)window->count[1];
  window->views = wm_scratch_zeroed(generator->context, views, sizeof *window->views);
  return window->views ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}

uint64_t wm_hash_layers(const WmMesh *mesh, int32_t x, int32_t z) {
  const WmMeshTile *tile = NULL;
  uint64_t key = wm_mesh_number(mesh); /* another mesh may have equal references */
  while ((tile = wm_mesh_next_layer(mesh, x, z, tile)) != NULL) {
    key = (key ^ tile->ref) * UINT64_C(0x9e3779b97f4a7c15);
    key ^= key >> 29;
  }
  return key | 1;
}

static WmStatus open_view(WmAirWindow *window, int32_t x, int32_t z, WmAirView *view) {
  WmLinkGenerator *generator = window->generator;
  const WmVoxelConfig *voxels = &generator->voxels;
  view->state = WM_VIEW_OUTSIDE;
  if (x < 0 || x >= voxels->tile_count_x || z < 0 || z >= voxels->tile_count_z) return WM_OK;
  view->state = WM_VIEW_MISSING;
  WmAirTile *tile = wm_air_tile(generator, x, z);
  if (!wm_air_tile_exists(tile)) return WM_OK;
  WmStatus status = wm_air_tile_unpack(generator, tile, x, z);
  if (status) return status;
  const uint64_t key = wm_hash_layers(window->mesh, x, z);
  if (tile->unpacked->ground_key != key) {
    status = wm_air_mark_ground(generator, window->mesh, tile, x, z, NULL);
    if (status) return status;
    tile->unpacked->ground_key = key;
  }
  view->air = tile->unpacked;
  view->offset = -(x - window->first[0]) * generator->tile_width -
                 (z - window->first[1]) * generator->tile_depth * generator->tile_width;
  view->newest = wm_mesh_next_layer(window->mesh, x, z, NULL);
  view->state = WM_VIEW_READY;
  return WM_OK;
}

/* A line whose direction has less than this on an axis stays in its row of squares. */
#define ALONG_SIDE 1e-6f

/* A square of ground, or a tile without ground: its cells on an axis, from `low` up to `high`. */
typedef struct Extent {
  int32_t low[2], high[2];
} Extent;

/* Finds the square of a cell in the tile of the cursor.
 * returns    true if it may have ground between two heights */
WM_INLINE bool find_square(const WmTileCursor *cursor, const int32_t cell[2], const WmGroundRange *range,
                           Extent *extent) {
  int32_t square[2];
  for (int axis = 0; axis < 2; axis++) {
    extent->low[axis] = cursor->low[axis];
    extent->high[axis] = cursor->low[axis] + (int32_t)cursor->size[axis];
  }
  if (!cursor->cell_first) return cursor->state == WM_VIEW_MISSING;
  for (int axis = 0; axis < 2; axis++) {
    square[axis] = (cell[axis] - extent->low[axis]) >> WM_GROUND_SQUARE_SHIFT;
    extent->low[axis] += square[axis] << WM_GROUND_SQUARE_SHIFT;
    const int32_t high = extent->low[axis] + WM_GROUND_SQUARE;
    if (high < extent->high[axis]) extent->high[axis] = high;
  }
  const WmGroundSquare ground = cursor->squares[square[0] + square[1] * cursor->squares_wide];
  return (float)ground.high >= range->low && (float)ground.low <= range->high && ground.low <= ground.high;
}

float wm_find_farthest_ground(WmAirWindow *window, const float start[2], const float outward[2], float from,
                              const WmGroundRange ranges[2], WmLane *lane) {
  const float to = ranges[1].distance > ranges[0].distance ? ranges[1].distance : ranges[0].distance;
  float inverse[2], farthest = -1;
  for (int axis = 0; axis < 2; axis++) {
    inverse[axis] = fabsf(outward[axis]) < ALONG_SIDE ? 0 : 1 / outward[axis];
  }
  const int across = inverse[0] == 0 ? 0 : 1;
  *lane = (WmLane){.low = INT32_MIN, .high = inverse[0] == 0 || inverse[1] == 0 ? INT32_MAX : INT32_MIN};
  for (float along = from; along < to;) {
    const float point[2] = {start[0] + along * outward[0], start[1] + along * outward[1]};
    const int32_t cell[2] = {(int32_t)point[0], (int32_t)point[1]};
    /* Outside of the window everything is missing. */
    if (point[0] >= 0 && point[1] >= 0) wm_air_window_reach(window, cell[0], cell[0], cell[1]);
    if (!(point[0] >= 0 && point[1] >= 0) || window->cursor.size[0] == 0) {
      lane->high = INT32_MIN;
      return to;
    }
    Extent extent;
    const bool may_land = find_square(&window->cursor, cell, &ranges[along > ranges[0].distance], &extent);
    if (extent.low[across] > lane->low) lane->low = extent.low[across];
    if (extent.high[across] < lane->high) lane->high = extent.high[across];
    float end = to;
    for (int axis = 0; axis < 2; axis++) {
      if (inverse[axis] == 0) continue;
      const float side = (float)(inverse[axis] > 0 ? extent.high[axis] : extent.low[axis]);
      const float leaves = (side - start[axis]) * inverse[axis];
      if (leaves < end) end = leaves;
    }
    if (end < along) end = along; /* by rounding */
    if (may_land) farthest = end;
    along = end + 0.001f; /* past the side */
  }
  return farthest;
}

void wm_air_window_open(WmAirWindow *window, uint32_t index) {
  WmAirView *view = &window->views[index];
  const int32_t x = window->first[0] + (int32_t)index % window->count[0];
  const int32_t z = window->first[1] + (int32_t)index / window->count[0];
  const WmStatus status = open_view(window, x, z, view);
  if (status && !window->status) window->status = status;
}

void wm_air_window_move(WmAirWindow *window, int32_t x, int32_t z) {
  WmTileCursor *cursor = &window->cursor;
  /* Rows beside a border of two tiles change between them. */
  const WmTileCursor former = window->former;
  window->former = *cursor;
  if ((uint32_t)x - (uint32_t)former.low[0] < former.size[0] &&
      (uint32_t)z - (uint32_t)former.low[1] < former.size[1]) {
    *cursor = former;
    return;
  }
  if ((uint32_t)x >= (uint32_t)window->cells[0] || (uint32_t)z >= (uint32_t)window->cells[1]) {
    *cursor = (WmTileCursor){.state = WM_VIEW_MISSING};
    return;
  }
  const int32_t tile[2] = {window->generator->tile_width, window->generator->tile_depth};
  const int32_t place[2] = {x / tile[0], z / tile[1]};
  const uint32_t index = (uint32_t)place[0] + (uint32_t)place[1] * (uint32_t)window->count[0];
  const WmAirView *view = &window->views[index];
  if (view->state == WM_VIEW_NEW) wm_air_window_open(window, index);
  *cursor = (WmTileCursor){.low = {place[0] * tile[0], place[1] * tile[1]},
                           .size = {(uint32_t)tile[0], (uint32_t)tile[1]},
                           .view = index,
                           .state = view->state};
  if (view->state != WM_VIEW_READY) return;
  cursor->cell_first = view->air->cell_first;
  cursor->gaps = view->air->gaps;
  cursor->ground = view->air->ground;
  cursor->squares = view->air->squares;
  cursor->squares_wide = wm_count_squares(tile[0]);
  cursor->offset = view->offset;
}
