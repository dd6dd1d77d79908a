/* Invariants of a dynamic mesh: the queue of dirty tiles and jobs, the lists of obstacles and tiles,
 * obstacles, moving obstacles. */
#include "base/heap.h"
#include "dynamic/dynamic_internal.h"

/* True if the queue is a heap of the dirty tiles without a job, each once, with capacity for all jobs. */
static bool is_queue_valid(const WmDynamic *dynamic) {
  const uint64_t *keys = dynamic->queue.items;
  const size_t tile_count = (size_t)dynamic->columns * (size_t)dynamic->rows;
  size_t dirty = 0, jobs = 0;
  for (size_t i = 0; i < tile_count; i++) {
    const WmDynamicTile *tile = &dynamic->tiles[i];
    if ((tile->kept == NULL) != (tile->kept_bytes == 0)) return false;
    jobs += tile->ticket != 0;
    dirty += tile->is_dirty && tile->ticket == 0;
  }
  if (dirty != dynamic->dirty_count || jobs != dynamic->job_count) return false;
  if (dynamic->queue.capacity < dirty + jobs + WM_HEAP_MARGIN) return false;
  for (size_t i = 0; i < dirty; i++) {
    const uint32_t number = (uint32_t)keys[i];
    if (number >= tile_count || !dynamic->tiles[number].is_dirty || dynamic->tiles[number].ticket)
      return false;
    if (i > 0 && keys[(i - 1) / 4] > keys[i]) return false;
    for (size_t k = 0; k < i; k++) {
      if ((uint32_t)keys[k] == number) return false;
    }
  }
  return true;
}

/* True if the list of a tile has an element, and its elements know each other and the tile. */
static bool is_in_tile(const WmDynamic *dynamic, uint32_t element) {
  const WmObstacleTile *links = wm_obstacle_tiles(dynamic);
  const uint32_t tile = links[element].tile;
  uint32_t previous = WM_INDEX_NONE, steps = 0;
  bool found = false;
  for (uint32_t at = dynamic->tiles[tile].first_obstacle_tile; at != WM_INDEX_NONE; at = links[at].next) {
    if (at >= dynamic->obstacle_tile_count || ++steps > dynamic->obstacle_tile_count) return false;
    if (links[at].tile != tile || links[at].previous != previous) return false;
    found |= at == element;
    previous = at;
  }
  return found;
}

/* True if the lists of obstacles and of tiles have the same elements, and all others are free. */
static bool are_links_valid(const WmDynamic *dynamic) {
  const WmObstacleTile *links = wm_obstacle_tiles(dynamic);
  const size_t tile_count = (size_t)dynamic->columns * (size_t)dynamic->rows;
  size_t of_obstacles = 0, of_tiles = 0, free_count = 0;
  for (uint32_t i = 0; i < dynamic->record_count; i++) {
    const WmObstacleRecord *record = &wm_obstacle_records(dynamic)[i];
    if (record->sequence == 0) continue; /* first_obstacle_tile is the next free record */
    if (!record->is_carving && record->first_obstacle_tile != WM_INDEX_NONE) return false;
    for (uint32_t at = record->first_obstacle_tile; at != WM_INDEX_NONE; at = links[at].next_tile) {
      if (at >= dynamic->obstacle_tile_count || ++of_obstacles > dynamic->obstacle_tile_count) return false;
      if (links[at].obstacle != i || links[at].tile >= tile_count || !is_in_tile(dynamic, at)) return false;
    }
  }
  for (size_t i = 0; i < tile_count; i++) {
    for (uint32_t at = dynamic->tiles[i].first_obstacle_tile; at != WM_INDEX_NONE; at = links[at].next) {
      if (at >= dynamic->obstacle_tile_count || ++of_tiles > dynamic->obstacle_tile_count) return false;
    }
  }
  for (uint32_t at = dynamic->free_obstacle_tile; at != WM_INDEX_NONE; at = links[at].next_tile) {
    if (at >= dynamic->obstacle_tile_count || ++free_count > dynamic->obstacle_tile_count) return false;
  }
  return of_obstacles == of_tiles && free_count == dynamic->free_obstacle_tile_count &&
         of_tiles + free_count == dynamic->obstacle_tile_count;
}

/* True if obstacles that don't carve are the moving ones, and counts and the list of free records are
 * right. */
static bool are_obstacles_valid(const WmDynamic *dynamic) {
  const WmObstacleRecord *records = wm_obstacle_records(dynamic);
  const WmMovingObstacle *moving = dynamic->moving.items;
  size_t live = 0, mobile = 0, still = 0, free_count = 0;
  for (uint32_t i = 0; i < dynamic->record_count; i++) {
    const WmObstacleRecord *record = &records[i];
    if (record->generation == 0) return false;
    if (record->sequence == 0) continue;
    live++;
    mobile += record->motion.carving != WM_CARVING_ALWAYS;
    if (record->sequence > dynamic->sequence) return false;
    if (record->is_carving != (record->moving == WM_INDEX_NONE)) return false;
    if (record->is_carving) continue;
    still++;
    if (record->moving >= dynamic->moving_count ||
        moving[record->moving].obstacle != wm_obstacle_handle(record->generation, i)) {
      return false;
    }
  }
  for (uint32_t i = dynamic->free_record; i != WM_INDEX_NONE; i = records[i].first_obstacle_tile) {
    if (i >= dynamic->record_count || records[i].sequence != 0) return false;
    if (++free_count > dynamic->record_count) return false;
  }
  return live == dynamic->live_count && mobile == dynamic->mobile_count && still == dynamic->moving_count &&
         dynamic->moving.capacity >= dynamic->moving_count;
}

bool wm_dynamic_validate(const WmDynamic *dynamic) {
  return is_queue_valid(dynamic) && are_links_valid(dynamic) && are_obstacles_valid(dynamic) &&
         wm_dynamic_validate_links(dynamic);
}
