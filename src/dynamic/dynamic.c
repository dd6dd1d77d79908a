/* The tiles of a dynamic mesh: kept tiles, the queue of dirty tiles, and building tiles. See dynamic.h. */
#include "dynamic/dynamic.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "bake/tile/tile_hash.h"
#include "base/heap.h"
#include "base/number.h"
#include "dynamic/dynamic_internal.h"

/* Allocates the grid of tiles and the cache. */
static WmStatus create_tiles(WmDynamic *dynamic) {
  const WmVoxelConfig *voxels = wm_baker_voxels(dynamic->baker);
  dynamic->columns = voxels->tile_count_x;
  dynamic->rows = voxels->tile_count_z;
  const size_t count = (size_t)dynamic->columns * (size_t)dynamic->rows;
  WmLayout layout = {0};
  wm_layout_add(&layout, count, sizeof *dynamic->tiles);
  dynamic->tiles = wm_layout_allocate(dynamic->context, &layout);
  if (!dynamic->tiles) return WM_ERROR_OUT_OF_MEMORY;
  for (size_t i = 0; i < count; i++) {
    dynamic->tiles[i] = (WmDynamicTile){.first_obstacle_tile = WM_INDEX_NONE};
  }
  return wm_tile_cache_open(dynamic->context, count, &dynamic->cache);
}

/* Checks the agent radius of eroded tiles against the cells: the baker has none, but files and workers read it. */
static WmStatus check_radius(const WmDynamic *dynamic, const WmConfig *config) {
  float low[3], high[3];
  WmVoxelConfig voxels;
  wm_baker_bounds(dynamic->baker, low, high);
  return wm_config_to_voxels(dynamic->context, config, low, high, &voxels);
}

WmStatus wm_dynamic_create(WmContext *context, WmMesh *mesh, const WmConfig *config, const WmBakeInput *input,
                           WmDynamic **out) {
  *out = NULL;
  WmDynamic *dynamic = wm_block_allocate(context, sizeof *dynamic);
  if (!dynamic) return WM_ERROR_OUT_OF_MEMORY;
  *dynamic = (WmDynamic){.context = context,
                         .mesh = mesh,
                         .agent_radius = config->agent_radius,
                         .offset_radius = input->kept_tiles_are_eroded ? config->agent_radius : 0,
                         .free_record = WM_INDEX_NONE,
                         .free_obstacle_tile = WM_INDEX_NONE};
  WmConfig without_radius = *config; /* eroded tiles are not eroded again */
  if (input->kept_tiles_are_eroded) without_radius.agent_radius = 0;
  WmStatus status = wm_config_check(context, config);
  if (!status) status = wm_dynamic_copy_input(dynamic, input);
  if (!status) status = wm_baker_create(context, &without_radius, &dynamic->input, &dynamic->baker);
  if (!status) status = check_radius(dynamic, config);
  if (!status) status = create_tiles(dynamic);
  if (!status) status = wm_dynamic_reserve_queue(dynamic, 0);
  if (status) {
    wm_dynamic_destroy(dynamic);
    return status;
  }
  wm_heap_clear(dynamic->queue.items);
  wm_dynamic_limit_cache(dynamic, WM_DYNAMIC_CACHE_BYTES);
  *out = dynamic;
  return WM_OK;
}

void wm_dynamic_destroy(WmDynamic *dynamic) {
  if (!dynamic) return;
  WmContext *context = dynamic->context;
  const size_t count = dynamic->tiles ? (size_t)dynamic->columns * (size_t)dynamic->rows : 0;
  for (size_t i = 0; i < count; i++) wm_block_free(context, dynamic->tiles[i].kept);
  for (uint32_t i = 0; i < dynamic->record_count; i++) wm_dynamic_free_outlines(dynamic, i);
  wm_block_free(context, dynamic->tiles);
  wm_block_free(context, dynamic->obstacles.items);
  wm_block_free(context, dynamic->obstacle_tiles.items);
  wm_block_free(context, dynamic->moving.items);
  wm_block_free(context, dynamic->queue.items);
  wm_block_free(context, dynamic->focus.items);
  wm_tile_cache_close(&dynamic->cache);
  wm_dynamic_free_links(dynamic);
  wm_baker_destroy(dynamic->baker);
  wm_block_free(context, dynamic->input_block);
  wm_block_free(context, dynamic);
}

WmStatus wm_dynamic_replace_input(WmDynamic *dynamic, const WmBakeInput *input) {
  WmContext *context = dynamic->context;
  if (dynamic->offset_radius > 0) {
    return wm_fail(context, WM_ERROR_STATE, "dynamic",
                   "tiles of a tile cache of Detour have no level: bake the level");
  }
  WmConfig config = *wm_baker_config(dynamic->baker);
  config.bounds_above |= !config.has_bounds;
  config.has_bounds = true;
  wm_baker_bounds(dynamic->baker, config.bounds_min, config.bounds_max);
  WmDynamic next = {.context = context};
  WmStatus status = wm_dynamic_copy_input(&next, input);
  if (!status) status = wm_baker_create(context, &config, &next.input, &next.baker);
  if (status) {
    wm_block_free(context, next.input_block);
    return status;
  }
  wm_baker_destroy(dynamic->baker);
  wm_block_free(context, dynamic->input_block);
  dynamic->baker = next.baker;
  dynamic->input = next.input;
  dynamic->input_block = next.input_block;
  return WM_OK;
}

/* ---- Dirty tiles -------------------------------------------------------------------------------------- */

WmStatus wm_dynamic_reserve_queue(WmDynamic *dynamic, size_t tiles) {
  const size_t all = (size_t)dynamic->columns * (size_t)dynamic->rows;
  const size_t needed = dynamic->dirty_count + dynamic->job_count + tiles;
  return wm_buffer_reserve(dynamic->context, &dynamic->queue, (needed < all ? needed : all) + WM_HEAP_MARGIN,
                           sizeof(uint64_t));
}

/* The squared distance from a tile's centre to the nearest focus, as a float: the key of the heap. */
static float distance_of(const WmDynamic *dynamic, uint32_t tile) {
  const WmVoxelConfig *voxels = wm_baker_voxels(dynamic->baker);
  const float *points = dynamic->focus.items;
  float low[3], high[3], nearest = dynamic->focus_count ? FLT_MAX : 0;
  wm_baker_bounds(dynamic->baker, low, high);
  const int32_t columns = dynamic->columns;
  const float x = low[0] + ((float)((int32_t)tile % columns) + 0.5f) * voxels->tile_world_size;
  const float z = low[2] + ((float)((int32_t)tile / columns) + 0.5f) * voxels->tile_world_size;
  for (size_t i = 0; i < dynamic->focus_count; i++) {
    const float dx = points[3 * i] - x, dz = points[3 * i + 2] - z, square = dx * dx + dz * dz;
    if (square < nearest) nearest = square;
  }
  return nearest;
}

uint64_t wm_dynamic_queue_key(const WmDynamic *dynamic, uint32_t tile) {
  return wm_heap_key(distance_of(dynamic, tile), tile);
}

static void push_tile(WmDynamic *dynamic, uint32_t tile) {
  wm_heap_push(dynamic->queue.items, &dynamic->dirty_count, wm_dynamic_queue_key(dynamic, tile));
}

void wm_dynamic_mark(WmDynamic *dynamic, uint32_t tile) {
  if (!dynamic->tiles[tile].kept || dynamic->tiles[tile].is_dirty) return;
  dynamic->tiles[tile].is_dirty = true;
  if (!dynamic->tiles[tile].ticket) push_tile(dynamic, tile);
}

WmStatus wm_dynamic_set_focus(WmDynamic *dynamic, const float *points, size_t count) {
  if (!wm_are_within(points, 3 * count, FLT_MAX)) {
    return wm_fail(dynamic->context, WM_ERROR_INVALID_ARGUMENT, "points", "points of focus must be finite");
  }
  const WmScratchMark mark = wm_scratch_mark(dynamic->context);
  const size_t dirty_count = dynamic->dirty_count;
  uint64_t *keys = wm_scratch_array(dynamic->context, dirty_count, sizeof *keys);
  WmStatus status = keys ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
  if (!status) status = wm_buffer_reserve(dynamic->context, &dynamic->focus, count, 3 * sizeof(float));
  if (!status) {
    if (count) memcpy(dynamic->focus.items, points, count * 3 * sizeof(float));
    dynamic->focus_count = count;
    memcpy(keys, dynamic->queue.items, dirty_count * sizeof *keys);
    dynamic->dirty_count = 0;
    wm_heap_clear(dynamic->queue.items);
    for (size_t i = 0; i < dirty_count; i++) push_tile(dynamic, (uint32_t)keys[i]);
    wm_dynamic_sort_links(dynamic);
  }
  wm_scratch_rewind(dynamic->context, mark);
  return status;
}

size_t wm_dynamic_dirty_count(const WmDynamic *dynamic) {
  return dynamic->dirty_count + dynamic->job_count + wm_dynamic_dirty_link_count(dynamic);
}

/* ---- Tiles -------------------------------------------------------------------------------------------- */

WmStatus wm_dynamic_find_tile(const WmDynamic *dynamic, int32_t x, int32_t z, WmDynamicTile **tile) {
  const bool is_inside = (uint32_t)x < (uint32_t)dynamic->columns;
  *tile = NULL;
  if (is_inside && (uint32_t)z < (uint32_t)dynamic->rows) {
    *tile = dynamic->tiles + (size_t)z * (size_t)dynamic->columns + (size_t)x;
    return WM_OK;
  }
  return wm_fail_range(dynamic->context, WM_ERROR_INVALID_ARGUMENT, is_inside ? "z" : "x", is_inside ? z : x,
                       0, (is_inside ? dynamic->rows : dynamic->columns) - 1, "no such tile");
}

WmStatus wm_dynamic_keep_tile(WmDynamic *dynamic, int32_t x, int32_t z, const uint8_t *bytes,
                              size_t byte_count, bool is_built) {
  WmContext *context = dynamic->context;
  WmDynamicTile *tile;
  size_t kept_bytes, air_bytes;
  wm_kept_tile_split(bytes, byte_count, &kept_bytes, &air_bytes);
  if (!dynamic->links) air_bytes = 0;
  if (!air_bytes) byte_count = kept_bytes;
  WmStatus status = wm_dynamic_find_tile(dynamic, x, z, &tile);
  /* Bytes that can't be built are rejected now, not at the first obstacle. */
  if (!status) status = wm_baker_begin_kept_tile(dynamic->baker, x, z, bytes, kept_bytes, NULL, 0);
  if (!status) status = wm_dynamic_reserve_queue(dynamic, 1);
  if (status) return status;
  const uint32_t number = (uint32_t)(tile - dynamic->tiles);
  uint8_t *kept = wm_block_allocate(context, byte_count);
  if (!kept) return WM_ERROR_OUT_OF_MEMORY;
  memcpy(kept, bytes, byte_count);
  status = wm_dynamic_set_air(dynamic, number, air_bytes ? kept + kept_bytes : NULL, air_bytes);
  if (status) {
    wm_block_free(context, kept);
    return status;
  }
  wm_tile_cache_forget(&dynamic->cache, number);
  wm_block_free(context, tile->kept);
  tile->kept = kept;
  tile->kept_bytes = (uint32_t)kept_bytes;
  tile->air_bytes = (uint32_t)air_bytes;
  tile->kept_number = wm_dynamic_next_number(dynamic);
  wm_dynamic_cancel_job(dynamic, number, true);
  if (!is_built || tile->first_obstacle_tile != WM_INDEX_NONE) wm_dynamic_mark(dynamic, number);
  wm_dynamic_note_tile_change(dynamic, number); /* the caller may have put it into the mesh */
  return WM_OK;
}

const uint8_t *wm_dynamic_kept_tile(const WmDynamic *dynamic, int32_t x, int32_t z, size_t *byte_count) {
  WmDynamicTile *tile;
  *byte_count = 0;
  if (wm_dynamic_find_tile(dynamic, x, z, &tile)) return NULL;
  *byte_count = tile->kept ? wm_dynamic_stored_bytes(tile) : 0;
  return tile->kept;
}

WmStatus wm_dynamic_drop_tile(WmDynamic *dynamic, int32_t x, int32_t z) {
  WmDynamicTile *tile;
  WmStatus status = wm_dynamic_find_tile(dynamic, x, z, &tile);
  if (status) return status;
  const uint32_t number = (uint32_t)(tile - dynamic->tiles);
  const WmMeshTile *built = wm_mesh_find_tile(dynamic->mesh, x, z, 0);
  if (dynamic->links) status = wm_mesh_put_links(dynamic->mesh, x, z, 0, NULL, 0, NULL);
  if (!status && built) status = wm_mesh_remove_tile(dynamic->mesh, built->ref);
  if (status) {
    wm_dynamic_mark_links(dynamic, number); /* they may have been removed */
    return status;
  }
  wm_tile_cache_forget(&dynamic->cache, number);
  wm_dynamic_cancel_job(dynamic, number, false);
  wm_block_free(dynamic->context, tile->kept);
  tile->kept = NULL; /* if it is dirty, wm_dynamic_step removes it from the queue */
  tile->kept_bytes = tile->air_bytes = 0;
  wm_dynamic_set_air(dynamic, number, NULL, 0);
  wm_dynamic_note_tile_change(dynamic, number);
  return WM_OK;
}

/* ---- Building ----------------------------------------------------------------------------------------- */

/* True if a tile of the mesh has these bytes; NULL has none. */
static bool has_bytes(const WmMeshTile *tile, const uint8_t *bytes, size_t byte_count) {
  return (tile ? tile->byte_count : 0) == byte_count &&
         (byte_count == 0 || tile->bytes == bytes || memcmp(tile->bytes, bytes, byte_count) == 0);
}

/* Makes a ready tile from bytes, or returns the one in the mesh if it has the same bytes.
 * in         is_trusted: the bytes are from our own baker
 * out        *ready: the caller releases it; NULL: it has no polygons */
static WmStatus make_ready(WmDynamic *dynamic, uint32_t tile, const uint8_t *bytes, size_t byte_count,
                           bool is_trusted, WmReadyTile **ready) {
  *ready = NULL;
  if (byte_count == 0) return WM_OK;
  const WmMeshTile *built =
      wm_mesh_find_tile(dynamic->mesh, (int32_t)tile % dynamic->columns, (int32_t)tile / dynamic->columns, 0);
  if (!built || !has_bytes(built, bytes, byte_count) ||
      wm_ready_tile_is_altered(wm_mesh_ready_tile(dynamic->mesh, built->ref))) {
    return wm_ready_tile_make(dynamic->context, bytes, byte_count, is_trusted, ready);
  }
  *ready = wm_mesh_ready_tile(dynamic->mesh, built->ref);
  wm_ready_tile_retain(*ready);
  return WM_OK;
}

/* Puts a tile into the mesh, and the volumes that block its air into the generator of links; NULL removes the present tile. */
static WmStatus put_tile(WmDynamic *dynamic, WmReadyTile *ready, WmTileChange *change) {
  WmMesh *mesh = dynamic->mesh;
  const uint32_t number = (uint32_t)change->z * (uint32_t)dynamic->columns + (uint32_t)change->x;
  const WmMeshTile *built = wm_mesh_find_tile(mesh, change->x, change->z, 0);
  const WmMeshTile *view = ready ? wm_ready_tile_view(ready) : NULL;
  change->before = built ? built->ref : 0;
  bool has_other_air;
  WmStatus status = wm_dynamic_update_blocking(dynamic, number, &has_other_air);
  if (status || has_bytes(built, view ? view->bytes : NULL, view ? view->byte_count : 0)) {
    change->after = change->before;
  } else if (ready) {
    status = wm_mesh_swap_tile(mesh, ready, &change->after);
  } else {
    status = wm_mesh_remove_tile(mesh, built->ref);
  }
  change->is_changed = change->after != change->before;
  if (change->is_changed) {
    wm_dynamic_note_tile_change(dynamic, number);
  } else if (has_other_air) {
    wm_dynamic_mark_links_around(dynamic, number);
  }
  return status;
}

/* The key of a result in the cache. */
WmContentHash wm_dynamic_hash_volumes(const WmAreaVolume *volumes, size_t count) {
  WmContentHash hash = wm_content_hash_start();
  for (size_t i = 0; i < count; i++) wm_hash_area_volume(&hash, &volumes[i]);
  wm_content_hash_finish(&hash);
  return hash;
}

/* The build of a tile: its volumes and its result. */
typedef struct Build {
  uint32_t tile;
  const WmAreaVolume *volumes;
  size_t volume_count;
  WmContentHash hash; /* of the volumes */
  WmTileData data;    /* of the baker, if the tile was baked */
  bool is_baked;      /* otherwise `ready` is of the cache */
  WmReadyTile *ready; /* NULL: it has no polygons */
} Build;

/* Finds the result of a build in the cache. */
static bool find_cached(WmDynamic *dynamic, Build *build) {
  return wm_tile_cache_result(&dynamic->cache, build->tile, &build->hash, &build->ready);
}

/* Starts the tile from its unpacked tile, of the cache or new.
 * out        *used: the unpacked tile; *passing: the same if the cache doesn't own it: the caller frees it */
static WmStatus begin_unpacked(WmDynamic *dynamic, const Build *build, bool *is_baseline,
                               WmUnpackedTile **used, WmUnpackedTile **passing) {
  const WmDynamicTile *tile = dynamic->tiles + build->tile;
  WmUnpackedTile *unpacked = wm_tile_cache_unpacked(&dynamic->cache, build->tile);
  if (!unpacked) {
    const WmStatus status = wm_baker_unpack_tile(dynamic->baker, (int32_t)build->tile % dynamic->columns,
                                                 (int32_t)build->tile / dynamic->columns, tile->kept,
                                                 tile->kept_bytes, &unpacked);
    if (status) return status;
    if (!wm_tile_cache_put_unpacked(&dynamic->cache, build->tile, unpacked)) *passing = unpacked;
  }
  *used = unpacked;
  return wm_baker_begin_rebuild(dynamic->baker, unpacked, build->volumes, build->volume_count, is_baseline);
}

/* Takes the tile of the baker, and sets the agent radius, which is 0 in the baker's configuration if kept
 * tiles are eroded. */
static WmTileData take_tile(const WmDynamic *dynamic) {
  const WmTileData data = wm_baker_take_tile(dynamic->baker);
  if (data.byte_count) {
    memcpy(data.bytes + offsetof(WmTileHeader, agent_radius), &dynamic->agent_radius, sizeof(float));
  }
  return data;
}

/* Runs the remaining stages.
 * in         unpacked: the unpacked tile, or NULL; is_passing: it is not in the cache */
static WmStatus run_stages(WmDynamic *dynamic, const Build *build, WmUnpackedTile *unpacked, bool is_baseline,
                           bool is_passing) {
  WmBaker *baker = dynamic->baker;
  WmStatus status = unpacked ? wm_baker_rebuild_regions(baker, unpacked) : WM_OK;
  while (!status && wm_baker_next_stage(baker) != WM_STAGE_DONE) {
    if (unpacked && wm_baker_next_stage(baker) == WM_STAGE_POLYGON_MESH) {
      status = wm_baker_rebuild_polygons(baker, unpacked, is_baseline, !is_passing);
      if (!is_passing) wm_tile_cache_measure(&dynamic->cache, build->tile);
    } else {
      status = wm_baker_step(baker);
    }
  }
  return status;
}

/* Bakes a tile from its kept tile. If obstacles turn out to change nothing, the cached tile without obstacles
 * is the result. */
static WmStatus bake(WmDynamic *dynamic, Build *build) {
  WmBaker *baker = dynamic->baker;
  const WmDynamicTile *tile = dynamic->tiles + build->tile;
  WmUnpackedTile *unpacked = NULL, *passing = NULL;
  bool is_baseline = build->volume_count == 0;
  WmStatus status;
  if (wm_baker_estimate_unpacked_bytes(baker) <= dynamic->cache.budget) {
    status = begin_unpacked(dynamic, build, &is_baseline, &unpacked, &passing);
  } else {
    status = wm_baker_begin_kept_tile(baker, (int32_t)build->tile % dynamic->columns,
                                      (int32_t)build->tile / dynamic->columns, tile->kept, tile->kept_bytes,
                                      build->volumes, build->volume_count);
  }
  if (!status && is_baseline) build->hash = wm_dynamic_hash_volumes(NULL, 0);
  if (!status && !(is_baseline && build->volume_count > 0 && find_cached(dynamic, build))) {
    status = run_stages(dynamic, build, unpacked, is_baseline, passing != NULL);
    build->is_baked = !status;
    if (!status) build->data = take_tile(dynamic);
  }
  wm_unpacked_tile_free(dynamic->context, passing);
  return status;
}

/* Builds a tile with the obstacles that carve in it, or finds it in the cache, and puts it into the mesh. */
static WmStatus build_tile(WmDynamic *dynamic, uint32_t number, WmTileChange *change) {
  WmContext *context = dynamic->context;
  const WmScratchMark mark = wm_scratch_mark(context);
  Build build = {.tile = number};
  WmStatus status = wm_dynamic_collect(dynamic, number, &build.volumes, &build.volume_count);
  if (!status) build.hash = wm_dynamic_hash_volumes(build.volumes, build.volume_count);
  if (!status && !find_cached(dynamic, &build)) status = bake(dynamic, &build);
  if (!status && build.is_baked) {
    status = make_ready(dynamic, number, build.data.bytes, build.data.byte_count, true, &build.ready);
  }
  if (!status) status = put_tile(dynamic, build.ready, change);
  if (build.is_baked) {
    if (!status) wm_tile_cache_put_result(&dynamic->cache, number, &build.hash, build.ready);
    wm_ready_tile_release(context, build.ready);
    wm_tile_data_free(context, &build.data);
  }
  wm_scratch_rewind(context, mark);
  return status;
}

/* Builds a tile; if there is too little memory, clears the cache and tries again. */
static WmStatus build_with_memory(WmDynamic *dynamic, uint32_t number, WmTileChange *change) {
  const WmStatus status = build_tile(dynamic, number, change);
  if (status != WM_ERROR_OUT_OF_MEMORY || !wm_tile_cache_clear(&dynamic->cache)) return status;
  return build_tile(dynamic, number, change);
}

WmStatus wm_dynamic_insert_tile(WmDynamic *dynamic, uint32_t tile, const uint8_t *bytes, size_t byte_count,
                                WmTileChange *change) {
  WmReadyTile *ready;
  *change = (WmTileChange){.x = (int32_t)tile % dynamic->columns, .z = (int32_t)tile / dynamic->columns};
  WmStatus status = make_ready(dynamic, tile, bytes, byte_count, false, &ready);
  if (!status) status = put_tile(dynamic, ready, change);
  wm_ready_tile_release(dynamic->context, ready);
  return status;
}

static WmStatus copy_tile(WmContext *context, const WmMeshTile *tile, WmTileData *data) {
  uint8_t *bytes = wm_block_allocate(context, tile->byte_count);
  if (!bytes) return WM_ERROR_OUT_OF_MEMORY;
  memcpy(bytes, tile->bytes, tile->byte_count);
  *data = (WmTileData){bytes, tile->byte_count};
  return WM_OK;
}

WmStatus wm_dynamic_build_tile(WmDynamic *dynamic, uint32_t tile, const WmAreaVolume *volumes, size_t count,
                               WmTileData *data) {
  Build build = {.tile = tile, .volumes = volumes, .volume_count = count};
  WmStatus status = bake(dynamic, &build);
  if (status == WM_ERROR_OUT_OF_MEMORY && wm_tile_cache_clear(&dynamic->cache)) {
    build = (Build){.tile = tile, .volumes = volumes, .volume_count = count};
    status = bake(dynamic, &build);
  }
  *data = (WmTileData){NULL, 0};
  if (status) return status;
  if (build.is_baked) {
    *data = build.data;
    return WM_OK;
  }
  return build.ready ? copy_tile(dynamic->context, wm_ready_tile_view(build.ready), data) : WM_OK;
}

void wm_dynamic_limit_cache(WmDynamic *dynamic, size_t bytes) {
  wm_tile_cache_limit(&dynamic->cache, bytes);
  wm_dynamic_limit_link_cache(dynamic, bytes);
}

size_t wm_dynamic_cache_bytes(const WmDynamic *dynamic) { return wm_tile_cache_bytes(&dynamic->cache); }

/* Builds the first dirty tile. */
static WmStatus step_tiles(WmDynamic *dynamic, WmTileChange *change) {
  while (dynamic->dirty_count > 0) {
    const uint32_t number = (uint32_t) * (const uint64_t *)dynamic->queue.items;
    WmDynamicTile *tile = dynamic->tiles + number;
    if (tile->kept) {
      change->x = (int32_t)number % dynamic->columns;
      change->z = (int32_t)number / dynamic->columns;
      const WmStatus status = build_with_memory(dynamic, number, change);
      if (status) {
        *change = (WmTileChange){.x = -1, .z = -1};
        return status;
      }
    }
    tile->is_dirty = false;
    wm_heap_remove(dynamic->queue.items, &dynamic->dirty_count);
    wm_dynamic_unpark_links_around(dynamic, number);
    if (change->x >= 0) return WM_OK;
  }
  return WM_OK;
}

WmStatus wm_dynamic_step(WmDynamic *dynamic, WmTileChange *change) {
  *change = (WmTileChange){.x = -1, .z = -1};
  const WmStatus status = step_tiles(dynamic, change);
  return status || change->x >= 0 ? status : wm_dynamic_step_links(dynamic, change);
}
