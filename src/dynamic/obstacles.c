/* The obstacles of a dynamic mesh: handles, and the tiles they touch. See dynamic.h. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/sort.h"
#include "dynamic/dynamic_internal.h"

#define FARTHEST 1e8f

/* ---- Handles ----------------------------------------------------------------------------------------------
 */

static WmObstacle make_handle(uint32_t generation, uint32_t number) {
  return (WmObstacle)generation << WM_OBSTACLE_NUMBER_BITS | number;
}

/* The record of a handle, or NULL after a failure. */
static WmObstacleRecord *find_record(const WmDynamic *dynamic, WmObstacle obstacle, WmStatus *status) {
  const uint64_t number = obstacle & UINT32_MAX, generation = obstacle >> WM_OBSTACLE_NUMBER_BITS;
  *status = WM_ERROR_INVALID_ARGUMENT;
  if (number >= dynamic->record_count || generation == 0) return NULL;
  WmObstacleRecord *record = wm_obstacle_records(dynamic) + number;
  if (generation > record->generation) return NULL;
  *status = WM_ERROR_STALE_REFERENCE;
  if (generation < record->generation || record->sequence == 0) return NULL;
  *status = WM_OK;
  return record;
}

static WmStatus find_obstacle(const WmDynamic *dynamic, WmObstacle obstacle, WmObstacleRecord **record) {
  WmStatus status;
  *record = find_record(dynamic, obstacle, &status);
  if (*record) return WM_OK;
  return wm_fail_number(dynamic->context, status, "obstacle", "obstacle ", (double)obstacle,
                        status == WM_ERROR_STALE_REFERENCE ? " was removed" : " never was one");
}

size_t wm_dynamic_obstacle_count(const WmDynamic *dynamic) { return dynamic->live_count; }

const WmAreaVolume *wm_dynamic_obstacle(const WmDynamic *dynamic, WmObstacle obstacle) {
  WmStatus status;
  const WmObstacleRecord *record = find_record(dynamic, obstacle, &status);
  return record ? &record->volume : NULL;
}

WmObstacle wm_dynamic_next_obstacle(const WmDynamic *dynamic, WmObstacle previous) {
  const WmObstacleRecord *records = wm_obstacle_records(dynamic);
  uint64_t number = previous ? (previous & UINT32_MAX) + 1 : 0;
  while (number < dynamic->record_count && records[number].sequence == 0) number++;
  return number < dynamic->record_count ? make_handle(records[number].generation, (uint32_t)number) : 0;
}

/* ---- Checks -----------------------------------------------------------------------------------------------
 */

static WmStatus fail_size(WmContext *context, const char *field, double value) {
  return wm_fail_number(context, WM_ERROR_INVALID_ARGUMENT, field,
                        "an obstacle's size must be above 0, and is ", value, "");
}

/* What a bake allows and what is no obstacle: nothing, and what is too far away for its cells to be told
 * apart. The volume is one that a bake can mark. */
static WmStatus check_sizes(WmContext *context, const WmAreaVolume *volume) {
  float low[3], high[3];
  wm_find_volume_bounds(context, volume, low, high);
  const bool is_box = volume->kind == WM_AREA_VOLUME_BOX || volume->kind == WM_AREA_VOLUME_PRISM;
  for (int axis = 0; axis < 3; axis++) {
    if (!(low[axis] >= -FARTHEST && high[axis] <= FARTHEST)) {
      return wm_fail_number(context, WM_ERROR_INVALID_ARGUMENT, "obstacle",
                            "an obstacle must be within 100,000,000 of the origin, and reaches to ",
                            (double)(low[axis] < -FARTHEST ? low[axis] : high[axis]), "");
    }
    if (is_box && !(low[axis] < high[axis])) {
      return fail_size(context, "maximum", (double)(high[axis] - low[axis]));
    }
    if (volume->kind == WM_AREA_VOLUME_ROTATED_BOX && !(volume->half_extents[axis] > 0)) {
      return fail_size(context, "halfExtents", (double)volume->half_extents[axis]);
    }
  }
  if (is_box || volume->kind == WM_AREA_VOLUME_ROTATED_BOX) return WM_OK;
  if (!(volume->radius > 0)) return fail_size(context, "radius", (double)volume->radius);
  if (volume->kind == WM_AREA_VOLUME_CYLINDER && !(volume->height > 0)) {
    return fail_size(context, "height", (double)volume->height);
  }
  return WM_OK;
}

/* ---- Which tiles an obstacle touches
 * ------------------------------------------------------------------------
 */

/* The first or last tile on an axis that something at `value` may touch; all are found, some too many. */
static int32_t find_tile(const WmDynamic *dynamic, int axis, float value, int direction) {
  const WmConfig *config = wm_baker_config(dynamic->baker);
  const WmVoxelConfig *voxels = wm_baker_voxels(dynamic->baker);
  const int32_t count = axis == 0 ? dynamic->columns : dynamic->rows;
  if (!config->tile_size) return direction < 0 ? 0 : count - 1;
  float low[3], high[3];
  wm_baker_bounds(dynamic->baker, low, high);
  const double reach = ((double)voxels->border_size + 2) * (double)config->cell_size;
  const double tile =
      ((double)value + direction * reach - (double)low[axis]) / (double)voxels->tile_world_size;
  return tile < 0       ? (direction < 0 ? 0 : -1)
         : tile < count ? (int32_t)tile
                        : (direction < 0 ? count : count - 1);
}

/* The tiles whose grids, border included, the volume meets: numbers in scratch memory of the caller's mark.
 */
static WmStatus find_touched(WmDynamic *dynamic, const WmAreaVolume *volume, uint32_t **tiles,
                             size_t *count) {
  WmContext *context = dynamic->context;
  float low[3], high[3];
  *count = 0;
  wm_find_volume_bounds(context, volume, low, high);
  const int32_t first_x = find_tile(dynamic, 0, low[0], -1), last_x = find_tile(dynamic, 0, high[0], 1);
  const int32_t first_z = find_tile(dynamic, 2, low[2], -1), last_z = find_tile(dynamic, 2, high[2], 1);
  const size_t width = first_x <= last_x ? (size_t)(last_x - first_x + 1) : 0;
  const size_t depth = first_z <= last_z ? (size_t)(last_z - first_z + 1) : 0;
  *tiles = wm_scratch_array(context, width * depth, sizeof **tiles);
  if (!*tiles) return WM_ERROR_OUT_OF_MEMORY;
  for (int32_t z = first_z; z <= last_z; z++) {
    for (int32_t x = first_x; x <= last_x; x++) {
      WmGrid grid;
      bool touches;
      wm_baker_tile_grid(dynamic->baker, x, z, &grid);
      const WmStatus status = wm_check_area_volume(context, &grid, volume, &touches);
      if (status) return status;
      if (touches) (*tiles)[(*count)++] = (uint32_t)z * (uint32_t)dynamic->columns + (uint32_t)x;
    }
  }
  if (*count > 0) return WM_OK;
  return wm_fail(context, WM_ERROR_INVALID_ARGUMENT, "obstacle", "the obstacle lies outside the level");
}

static size_t count_touched(const WmDynamic *dynamic, const WmObstacleRecord *record) {
  size_t count = 0;
  for (uint32_t at = record->first_touch; at != WM_TOUCH_NONE; at = wm_touches(dynamic)[at].next_tile)
    count++;
  return count;
}

/* Makes room for so many touches besides those that are left, so that neither leave_tiles nor touch_tiles can
 * fail. */
static WmStatus reserve_touches(WmDynamic *dynamic, size_t left, size_t count) {
  const size_t more = count > dynamic->free_touch_count ? count - dynamic->free_touch_count : 0;
  if (more > (size_t)(WM_TOUCH_NONE - 1 - dynamic->touch_count)) {
    return wm_fail_range(dynamic->context, WM_ERROR_LIMIT, "obstacle",
                         (double)dynamic->touch_count + (double)more, 0, (double)(WM_TOUCH_NONE - 1),
                         "tiles touched by obstacles");
  }
  WmStatus status = wm_dynamic_reserve_queue(dynamic, left + count);
  if (!status) {
    status =
        wm_buffer_reserve(dynamic->context, &dynamic->touches, dynamic->touch_count + more, sizeof(WmTouch));
  }
  return status;
}

static void touch_tiles(WmDynamic *dynamic, uint32_t obstacle, const uint32_t *tiles, size_t count) {
  WmTouch *touches = wm_touches(dynamic);
  uint32_t *last = &wm_obstacle_records(dynamic)[obstacle].first_touch;
  for (size_t i = 0; i < count; i++) {
    uint32_t at = dynamic->free_touch;
    if (at != WM_TOUCH_NONE) {
      dynamic->free_touch = touches[at].next_tile;
      dynamic->free_touch_count--;
    } else {
      at = dynamic->touch_count++;
    }
    WmDynamicTile *tile = dynamic->tiles + tiles[i];
    touches[at] = (WmTouch){
        .obstacle = obstacle, .tile = tiles[i], .next = tile->first_touch, .previous = WM_TOUCH_NONE};
    if (tile->first_touch != WM_TOUCH_NONE) touches[tile->first_touch].previous = at;
    tile->first_touch = at;
    *last = at;
    last = &touches[at].next_tile;
    wm_dynamic_mark(dynamic, tiles[i]);
  }
  *last = WM_TOUCH_NONE;
}

static void leave_tiles(WmDynamic *dynamic, uint32_t obstacle) {
  WmTouch *touches = wm_touches(dynamic);
  for (uint32_t at = wm_obstacle_records(dynamic)[obstacle].first_touch, next; at != WM_TOUCH_NONE;
       at = next) {
    WmTouch *touch = touches + at;
    next = touch->next_tile;
    if (touch->next != WM_TOUCH_NONE) touches[touch->next].previous = touch->previous;
    if (touch->previous != WM_TOUCH_NONE) {
      touches[touch->previous].next = touch->next;
    } else {
      dynamic->tiles[touch->tile].first_touch = touch->next;
    }
    touch->next_tile = dynamic->free_touch;
    dynamic->free_touch = at;
    dynamic->free_touch_count++;
    wm_dynamic_mark(dynamic, touch->tile);
  }
}

WmStatus wm_dynamic_collect(WmDynamic *dynamic, uint32_t tile, const WmAreaVolume **volumes, size_t *count) {
  WmContext *context = dynamic->context;
  const WmTouch *touches = wm_touches(dynamic);
  const WmObstacleRecord *records = wm_obstacle_records(dynamic);
  const uint32_t first = dynamic->tiles[tile].first_touch;
  *count = 0;
  *volumes = NULL;
  for (uint32_t at = first; at != WM_TOUCH_NONE; at = touches[at].next) ++*count;
  WmSortItem *items = wm_scratch_array(context, 2 * *count, sizeof *items);
  WmAreaVolume *list = wm_scratch_array(context, *count, sizeof *list);
  if (!items || !list) return WM_ERROR_OUT_OF_MEMORY;
  WmSortItem *item = items;
  for (uint32_t at = first; at != WM_TOUCH_NONE; at = touches[at].next) {
    *item++ = (WmSortItem){(uint32_t)records[touches[at].obstacle].sequence, touches[at].obstacle};
  }
  wm_sort_stable(items, items + *count, *count);
  for (size_t i = 0; i < *count; i++) items[i].key = (uint32_t)(records[items[i].value].sequence >> 32);
  wm_sort_stable(items, items + *count, *count);
  for (size_t i = 0; i < *count; i++) list[i] = records[items[i].value].volume;
  *volumes = list;
  return WM_OK;
}

/* ---- Coming, changing, going
 * ------------------------------------------------------------------------------- */

/* Checks a volume, finds its tiles and copies its outline: all of a change that can fail. It leaves so many
 * tiles. */
static WmStatus prepare(WmDynamic *dynamic, const WmAreaVolume *volume, size_t left, uint32_t **tiles,
                        size_t *count, float **outline) {
  WmContext *context = dynamic->context;
  WmGrid grid;
  bool touches;
  *outline = NULL;
  wm_baker_tile_grid(dynamic->baker, 0, 0, &grid);
  WmStatus status = wm_check_area_volume(context, &grid, volume, &touches);
  if (!status) status = check_sizes(context, volume);
  if (!status) status = find_touched(dynamic, volume, tiles, count);
  if (!status) status = reserve_touches(dynamic, left, *count);
  if (status || volume->kind != WM_AREA_VOLUME_PRISM) return status;
  WmLayout layout = {0};
  wm_layout_add(&layout, volume->vertex_count, 3 * sizeof(float));
  *outline = wm_layout_allocate(context, &layout);
  if (!*outline) return WM_ERROR_OUT_OF_MEMORY;
  memcpy(*outline, volume->vertices, volume->vertex_count * 3 * sizeof(float));
  return WM_OK;
}

static WmAreaVolume copy_volume(const WmAreaVolume *volume, const float *outline) {
  WmAreaVolume copy;
  memset(&copy, 0, sizeof copy);
  memcpy(&copy, volume, offsetof(WmAreaVolume, vertices));
  copy.vertices = outline;
  copy.vertex_count = outline ? volume->vertex_count : 0;
  return copy;
}

static bool are_equal(const WmAreaVolume *a, const WmAreaVolume *b) {
  if (a->kind != b->kind || a->area != b->area || a->before_erosion != b->before_erosion) return false;
  const size_t first = offsetof(WmAreaVolume, minimum), end = offsetof(WmAreaVolume, vertices);
  if (memcmp((const char *)a + first, (const char *)b + first, end - first) != 0) return false;
  if (a->kind != WM_AREA_VOLUME_PRISM) return true;
  return a->vertex_count == b->vertex_count &&
         memcmp(a->vertices, b->vertices, a->vertex_count * 3 * sizeof(float)) == 0;
}

static WmStatus reserve_record(WmDynamic *dynamic) {
  if (dynamic->free_record != WM_TOUCH_NONE) return WM_OK;
  if (dynamic->record_count >= WM_TOUCH_NONE - 1) {
    return wm_fail_range(dynamic->context, WM_ERROR_LIMIT, "obstacle", (double)dynamic->record_count, 0,
                         (double)(WM_TOUCH_NONE - 1), "obstacles");
  }
  return wm_buffer_reserve(dynamic->context, &dynamic->obstacles, (size_t)dynamic->record_count + 1,
                           sizeof(WmObstacleRecord));
}

WmStatus wm_dynamic_add_obstacle(WmDynamic *dynamic, const WmAreaVolume *given, WmObstacle *obstacle) {
  const WmAreaVolume copy = *given, *const volume = &copy; /* it may be that of a record, which may move */
  *obstacle = 0;
  const WmScratchMark mark = wm_scratch_mark(dynamic->context);
  uint32_t *tiles;
  size_t count;
  float *outline = NULL;
  WmStatus status = reserve_record(dynamic);
  if (!status) status = prepare(dynamic, volume, 0, &tiles, &count, &outline);
  if (!status) {
    uint32_t number = dynamic->free_record;
    WmObstacleRecord *records = wm_obstacle_records(dynamic);
    if (number != WM_TOUCH_NONE) {
      dynamic->free_record = records[number].first_touch;
    } else {
      number = dynamic->record_count++;
      records[number].generation = 1;
    }
    WmObstacleRecord *record = records + number;
    record->volume = copy_volume(volume, outline);
    record->outline = outline;
    record->sequence = ++dynamic->sequence;
    dynamic->live_count++;
    touch_tiles(dynamic, number, tiles, count);
    *obstacle = make_handle(record->generation, number);
  }
  wm_scratch_rewind(dynamic->context, mark);
  return status;
}

WmStatus wm_dynamic_change_obstacle(WmDynamic *dynamic, WmObstacle obstacle, const WmAreaVolume *volume) {
  WmObstacleRecord *record;
  WmStatus status = find_obstacle(dynamic, obstacle, &record);
  if (status || are_equal(&record->volume, volume)) return status;
  const WmScratchMark mark = wm_scratch_mark(dynamic->context);
  uint32_t *tiles;
  size_t count;
  float *outline = NULL;
  status = prepare(dynamic, volume, count_touched(dynamic, record), &tiles, &count, &outline);
  if (!status) {
    const uint32_t number = (uint32_t)(obstacle & UINT32_MAX);
    leave_tiles(dynamic, number);
    wm_block_free(dynamic->context, record->outline);
    record->volume = copy_volume(volume, outline);
    record->outline = outline;
    touch_tiles(dynamic, number, tiles, count);
  }
  wm_scratch_rewind(dynamic->context, mark);
  return status;
}

WmStatus wm_dynamic_remove_obstacle(WmDynamic *dynamic, WmObstacle obstacle) {
  WmObstacleRecord *record;
  WmStatus status = find_obstacle(dynamic, obstacle, &record);
  if (!status) status = wm_dynamic_reserve_queue(dynamic, count_touched(dynamic, record));
  if (status) return status;
  const uint32_t number = (uint32_t)(obstacle & UINT32_MAX);
  leave_tiles(dynamic, number);
  wm_block_free(dynamic->context, record->outline);
  const uint32_t generation = record->generation + 1;
  memset(record, 0, sizeof *record);
  record->generation = generation;
  dynamic->live_count--;
  if (generation >> WM_OBSTACLE_GENERATION_BITS) return WM_OK; /* used up: never again */
  record->first_touch = dynamic->free_record;
  dynamic->free_record = number;
  return WM_OK;
}
