/* The tiles that obstacles overlap: a list for each obstacle, and one for each tile. See
 * dynamic_internal.h. */
#include "base/number.h"
#include "base/sort.h"
#include "dynamic/dynamic_internal.h"
#include "dynamic/obstacles/offset_volume.h"

/* The first (direction -1) or last (1) tile on an axis that a volume up to `value` may overlap; rather one
 * too many. */
static int32_t find_tile(const WmDynamic *dynamic, int axis, float value, int direction) {
  const WmConfig *config = wm_baker_config(dynamic->baker);
  const WmVoxelConfig *voxels = wm_baker_voxels(dynamic->baker);
  const int32_t count = axis == 0 ? dynamic->columns : dynamic->rows;
  if (!config->tile_size) return direction < 0 ? 0 : count - 1;
  float low[3], high[3];
  wm_baker_bounds(dynamic->baker, low, high);
  const double reach =
      ((double)voxels->border_size + 2) * (double)config->cell_size + 2 * (double)dynamic->offset_radius;
  const double tile =
      ((double)value + direction * reach - (double)low[axis]) / (double)voxels->tile_world_size;
  return tile < 0       ? (direction < 0 ? 0 : -1)
         : tile < count ? (int32_t)tile
                        : (direction < 0 ? count : count - 1);
}

/* True if a volume within these bounds, offset as it is carved, may mark any cell of a tile. */
static bool may_overlap(const WmDynamic *dynamic, int32_t x, int32_t z, const float low[3],
                        const float high[3]) {
  const float grown = 2 * dynamic->offset_radius; /* more than wm_offset_volume adds */
  const WmAreaVolume box = {.kind = WM_AREA_VOLUME_BOX,
                            .minimum = {low[0] - grown, low[1], low[2] - grown},
                            .maximum = {high[0] + grown, high[1], high[2] + grown}};
  WmGrid grid;
  bool touches;
  wm_baker_tile_grid(dynamic->baker, x, z, &grid);
  return !wm_check_area_volume(dynamic->context, &grid, &box, &touches) && touches;
}

WmStatus wm_dynamic_find_overlapped_tiles(WmDynamic *dynamic, const WmAreaVolume *volume, uint32_t **tiles,
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
      if (!may_overlap(dynamic, x, z, low, high)) continue;
      (*tiles)[(*count)++] = (uint32_t)z * (uint32_t)dynamic->columns + (uint32_t)x;
    }
  }
  return WM_OK;
}

size_t wm_dynamic_count_overlapped_tiles(const WmDynamic *dynamic, const WmObstacleRecord *record) {
  size_t count = 0;
  for (uint32_t at = record->first_obstacle_tile; at != WM_INDEX_NONE;
       at = wm_obstacle_tiles(dynamic)[at].next_tile)
    count++;
  return count;
}

bool wm_dynamic_is_touched(const WmDynamic *dynamic, int32_t x, int32_t z) {
  const bool is_inside = (uint32_t)x < (uint32_t)dynamic->columns && (uint32_t)z < (uint32_t)dynamic->rows;
  return is_inside && dynamic->tiles[(size_t)z * (size_t)dynamic->columns + (size_t)x].first_obstacle_tile !=
                          WM_INDEX_NONE;
}

WmStatus wm_dynamic_reserve_obstacle_tiles(WmDynamic *dynamic, size_t left, size_t count) {
  const size_t more =
      count > dynamic->free_obstacle_tile_count ? count - dynamic->free_obstacle_tile_count : 0;
  if (more > (size_t)(WM_INDEX_NONE - 1 - dynamic->obstacle_tile_count)) {
    return wm_fail_range(dynamic->context, WM_ERROR_LIMIT, "obstacle",
                         (double)dynamic->obstacle_tile_count + (double)more, 0, (double)(WM_INDEX_NONE - 1),
                         "pairs of obstacle and tile");
  }
  WmStatus status = wm_dynamic_reserve_queue(dynamic, left + count);
  if (!status) {
    status = wm_buffer_reserve(dynamic->context, &dynamic->obstacle_tiles,
                               dynamic->obstacle_tile_count + more, sizeof(WmObstacleTile));
  }
  return status;
}

void wm_dynamic_link_obstacle(WmDynamic *dynamic, uint32_t obstacle, const uint32_t *tiles, size_t count) {
  WmObstacleTile *links = wm_obstacle_tiles(dynamic);
  uint32_t *last = &wm_obstacle_records(dynamic)[obstacle].first_obstacle_tile;
  for (size_t i = 0; i < count; i++) {
    uint32_t at = dynamic->free_obstacle_tile;
    if (at != WM_INDEX_NONE) {
      dynamic->free_obstacle_tile = links[at].next_tile;
      dynamic->free_obstacle_tile_count--;
    } else {
      at = dynamic->obstacle_tile_count++;
    }
    WmDynamicTile *tile = dynamic->tiles + tiles[i];
    links[at] = (WmObstacleTile){
        .obstacle = obstacle, .tile = tiles[i], .next = tile->first_obstacle_tile, .previous = WM_INDEX_NONE};
    if (tile->first_obstacle_tile != WM_INDEX_NONE) links[tile->first_obstacle_tile].previous = at;
    tile->first_obstacle_tile = at;
    *last = at;
    last = &links[at].next_tile;
    wm_dynamic_mark(dynamic, tiles[i]);
  }
  *last = WM_INDEX_NONE;
}

void wm_dynamic_unlink_obstacle(WmDynamic *dynamic, uint32_t obstacle) {
  WmObstacleTile *links = wm_obstacle_tiles(dynamic);
  for (uint32_t at = wm_obstacle_records(dynamic)[obstacle].first_obstacle_tile, next; at != WM_INDEX_NONE;
       at = next) {
    WmObstacleTile *link = links + at;
    next = link->next_tile;
    if (link->next != WM_INDEX_NONE) links[link->next].previous = link->previous;
    if (link->previous != WM_INDEX_NONE) {
      links[link->previous].next = link->next;
    } else {
      dynamic->tiles[link->tile].first_obstacle_tile = link->next;
    }
    link->next_tile = dynamic->free_obstacle_tile;
    dynamic->free_obstacle_tile = at;
    dynamic->free_obstacle_tile_count++;
    wm_dynamic_mark(dynamic, link->tile);
  }
  wm_obstacle_records(dynamic)[obstacle].first_obstacle_tile = WM_INDEX_NONE;
}

WmStatus wm_dynamic_collect(WmDynamic *dynamic, uint32_t tile, const WmAreaVolume **volumes, size_t *count) {
  WmContext *context = dynamic->context;
  const WmObstacleTile *links = wm_obstacle_tiles(dynamic);
  const WmObstacleRecord *records = wm_obstacle_records(dynamic);
  const uint32_t first = dynamic->tiles[tile].first_obstacle_tile;
  *count = 0;
  *volumes = NULL;
  for (uint32_t at = first; at != WM_INDEX_NONE; at = links[at].next) ++*count;
  WmSortItem *items = wm_scratch_array(context, 2 * *count, sizeof *items);
  WmAreaVolume *list = wm_scratch_array(context, *count, sizeof *list);
  if (!items || !list) return WM_ERROR_OUT_OF_MEMORY;
  WmSortItem *item = items;
  for (uint32_t at = first; at != WM_INDEX_NONE; at = links[at].next) {
    *item++ = (WmSortItem){(uint32_t)records[links[at].obstacle].sequence, links[at].obstacle};
  }
  wm_sort_stable(items, items + *count, *count);
  for (size_t i = 0; i < *count; i++) items[i].key = (uint32_t)(records[items[i].value].sequence >> 32);
  wm_sort_stable(items, items + *count, *count);
  for (size_t i = 0; i < *count; i++) list[i] = records[items[i].value].carved;
  *volumes = list;
  return dynamic->offset_radius > 0 ? wm_offset_volumes(context, dynamic->offset_radius, volumes, count)
                                    : WM_OK;
}
