/* Tile jobs. See tile_jobs.h.
 *
 * A tile with a job is not in the queue, and has a ticket; `is_dirty` then means that it has changed since
 * the job was handed out. Its entry in the queue stays reserved, so that ending the job can't fail. */
#include "dynamic/tile_jobs.h"

#include <string.h>

#include "base/heap.h"
#include "dynamic/dynamic_internal.h"
#include "dynamic/state/saved_state_internal.h"

/* ---- Handing out and ending jobs ---------------------------------------------------------------------- */

/* The first dirty tile that has a kept tile, or NULL; removes tiles without one from the queue. */
static WmDynamicTile *find_dirty(WmDynamic *dynamic) {
  while (dynamic->dirty_count > 0) {
    WmDynamicTile *tile = dynamic->tiles + (uint32_t) * (const uint64_t *)dynamic->queue.items;
    if (tile->kept) return tile;
    tile->is_dirty = false;
    wm_heap_remove(dynamic->queue.items, &dynamic->dirty_count);
    wm_dynamic_unpark_links_around(dynamic, (uint32_t)(tile - dynamic->tiles));
  }
  return NULL;
}

WmStatus wm_dynamic_take_job(WmDynamic *dynamic, WmTileJob *job) {
  *job = (WmTileJob){.x = -1, .z = -1};
  WmDynamicTile *tile = find_dirty(dynamic);
  if (!tile) return WM_OK;
  const uint32_t number = (uint32_t)(tile - dynamic->tiles);
  const WmScratchMark mark = wm_scratch_mark(dynamic->context);
  const WmAreaVolume *volumes;
  size_t count;
  WmStatus status = wm_dynamic_collect(dynamic, number, &volumes, &count);
  if (!status) {
    status = wm_saved_volumes_write(dynamic->context, volumes, count, &job->obstacles, &job->obstacle_bytes);
  }
  wm_scratch_rewind(dynamic->context, mark);
  if (status) return status;
  wm_heap_remove(dynamic->queue.items, &dynamic->dirty_count);
  tile->is_dirty = false;
  tile->ticket = wm_dynamic_next_number(dynamic);
  dynamic->job_count++;
  job->x = (int32_t)number % dynamic->columns;
  job->z = (int32_t)number / dynamic->columns;
  job->ticket = tile->ticket;
  job->kept_number = tile->kept_number;
  return WM_OK;
}

void wm_dynamic_cancel_job(WmDynamic *dynamic, uint32_t number, bool is_dirty) {
  WmDynamicTile *tile = dynamic->tiles + number;
  if (!tile->ticket) return;
  is_dirty |= tile->is_dirty;
  tile->ticket = 0;
  tile->is_dirty = false;
  dynamic->job_count--;
  if (is_dirty) wm_dynamic_mark(dynamic, number);
  wm_dynamic_unpark_links_around(dynamic, number);
}

WmStatus wm_dynamic_give_up_job(WmDynamic *dynamic, int32_t x, int32_t z, uint32_t ticket) {
  WmDynamicTile *tile;
  const WmStatus status = wm_dynamic_find_tile(dynamic, x, z, &tile);
  if (!status && ticket && tile->ticket == ticket) {
    wm_dynamic_cancel_job(dynamic, (uint32_t)(tile - dynamic->tiles), true);
  }
  return status;
}

/* Checks that the header in the bytes has this place; bytes without a whole header pass. */
static WmStatus check_place(const WmDynamic *dynamic, int32_t x, int32_t z, const uint8_t *bytes,
                            size_t byte_count) {
  WmTileHeader header;
  if (byte_count < sizeof header) return WM_OK;
  memcpy(&header, bytes, sizeof header);
  if (header.x == x && header.z == z && header.layer == 0) return WM_OK;
  return wm_fail(dynamic->context, WM_ERROR_INVALID_ARGUMENT, "tile", "the tile is of another place");
}

WmStatus wm_dynamic_finish_job(WmDynamic *dynamic, int32_t x, int32_t z, uint32_t ticket,
                               const uint8_t *bytes, size_t byte_count, WmTileChange *change) {
  *change = (WmTileChange){.x = -1, .z = -1};
  WmDynamicTile *tile;
  WmStatus status = wm_dynamic_find_tile(dynamic, x, z, &tile);
  if (status || !ticket || tile->ticket != ticket) return status;
  const uint32_t number = (uint32_t)(tile - dynamic->tiles);
  status = check_place(dynamic, x, z, bytes, byte_count);
  if (!status) status = wm_dynamic_insert_tile(dynamic, number, bytes, byte_count, change);
  if (status) *change = (WmTileChange){.x = -1, .z = -1};
  wm_dynamic_cancel_job(dynamic, number, status != WM_OK);
  return status;
}

WmStatus wm_dynamic_keep_built_tile(WmDynamic *dynamic, int32_t x, int32_t z, const uint8_t *bytes,
                                    size_t byte_count, const uint8_t *tile, size_t tile_bytes,
                                    WmTileChange *change) {
  *change = (WmTileChange){.x = -1, .z = -1};
  WmDynamicTile *place;
  WmTileChange made;
  WmStatus status = wm_dynamic_find_tile(dynamic, x, z, &place);
  if (status) return status;
  status = check_place(dynamic, x, z, tile, tile_bytes);
  if (!status) status = wm_dynamic_reserve_queue(dynamic, 1);
  const uint32_t number = (uint32_t)(place - dynamic->tiles);
  if (!status) status = wm_dynamic_insert_tile(dynamic, number, tile, tile_bytes, &made);
  if (status) return status;
  status = wm_dynamic_keep_tile(dynamic, x, z, bytes, byte_count, true);
  if (!status) {
    *change = made;
  } else if (place->kept) {
    wm_dynamic_mark(dynamic, number); /* builds the former tile again */
  } else if (made.after) {
    wm_mesh_remove_tile(dynamic->mesh, made.after);
  }
  return status;
}

/* ---- Worker meshes ------------------------------------------------------------------------------------ */

WmStatus wm_dynamic_write_helper(const WmDynamic *dynamic, uint8_t **bytes, size_t *byte_count) {
  WmMesh *mesh;
  *bytes = NULL;
  *byte_count = 0;
  WmStatus status = wm_mesh_create(dynamic->context, wm_mesh_parameters(dynamic->mesh), &mesh);
  if (status) return status;
  const WmDynamic bare = {.context = dynamic->context,
                          .mesh = mesh,
                          .baker = dynamic->baker,
                          .input = dynamic->input,
                          .agent_radius = dynamic->agent_radius,
                          .offset_radius = dynamic->offset_radius,
                          .columns = dynamic->columns,
                          .rows = dynamic->rows,
                          .free_record = WM_INDEX_NONE};
  status = wm_dynamic_write(&bare, bytes, byte_count);
  wm_mesh_destroy(mesh);
  return status;
}

WmStatus wm_dynamic_do_job(WmDynamic *helper, int32_t x, int32_t z, const uint8_t *obstacles,
                           size_t byte_count, WmTileData *data) {
  *data = (WmTileData){NULL, 0};
  WmDynamicTile *tile;
  WmStatus status = wm_dynamic_find_tile(helper, x, z, &tile);
  if (status) return status;
  if (!tile->kept) {
    return wm_fail(helper->context, WM_ERROR_STATE, "tile", "nothing is kept of this tile");
  }
  const WmScratchMark mark = wm_scratch_mark(helper->context);
  WmAreaVolume *volumes;
  size_t count;
  status = wm_saved_volumes_read(helper->context, obstacles, byte_count, &volumes, &count);
  if (!status) {
    status = wm_dynamic_build_tile(helper, (uint32_t)(tile - helper->tiles), volumes, count, data);
  }
  wm_scratch_rewind(helper->context, mark);
  return status;
}
