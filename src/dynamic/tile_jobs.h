/* Tiles of a dynamic mesh that are built elsewhere: in another thread with memory of its own.
 *
 * Usual order: wm_dynamic_write_helper gives bytes from which the other side makes a helper
 * (wm_dynamic_read): a dynamic mesh without tiles and obstacles, told of the same bake. Here
 * wm_dynamic_take_job hands a dirty tile out; the helper is given what is kept of it (wm_dynamic_keep_tile,
 * is_built true), unless it has it, and wm_dynamic_do_job builds it; wm_dynamic_finish_job puts what came of
 * it into the mesh.
 *
 * A tile is out at most once. What changes in it meanwhile makes it dirty again: then what comes back is put
 * in all the same, for it was right when the job was taken, and the tile is built again. Where another tile
 * was kept there, or the tile was dropped or given up, the job's ticket has become void, and what comes back
 * is forgotten. So the mesh ends up as wm_dynamic_step would make it, whoever built what, and whenever. */
#ifndef WALKMESH_DYNAMIC_TILE_JOBS_H
#define WALKMESH_DYNAMIC_TILE_JOBS_H

#include "dynamic/dynamic.h"

typedef struct WmTileJob {
  int32_t x, z;          /* -1, -1: there is nothing to be built */
  uint32_t ticket;       /* above 0 */
  uint32_t kept_number;  /* of what is kept of the tile: another number where that is another */
  uint8_t *obstacles;    /* a block of the context: what it is to be built with, for wm_dynamic_do_job */
  size_t obstacle_bytes; /* a multiple of 4, never 0 */
} WmTileJob;

/* Bytes for wm_dynamic_read that make a helper.
 * out        *bytes [*byte_count]: a block of the context (wm_block_free); NULL, 0 on failure
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_dynamic_write_helper(const WmDynamic *dynamic, uint8_t **bytes, size_t *byte_count);

/* Hands out the first dirty tile. It is dirty still, but not to wm_dynamic_step.
 * out        *job; its obstacles are the caller's to free
 * returns    WM_OK; WM_ERROR_OUT_OF_MEMORY: nothing was handed out */
WmStatus wm_dynamic_take_job(WmDynamic *dynamic, WmTileJob *job);

/* Builds a tile of a helper, whose own mesh and obstacles are of no account.
 * in         obstacles [byte_count]: any bytes are safe
 * out        *data: freed by wm_tile_data_free; zeroed on failure
 * returns    WM_OK; WM_ERROR_INVALID_ARGUMENT (outside the grid), WM_ERROR_STATE (nothing is kept of the
 *            tile), WM_ERROR_CORRUPT, WM_ERROR_LIMIT, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_dynamic_do_job(WmDynamic *helper, int32_t x, int32_t z, const uint8_t *obstacles,
                           size_t byte_count, WmTileData *data);

/* Puts in what came of a job.
 * in         bytes [byte_count]: of the tile, checked as wm_mesh_add_tile does; 0: it has no polygons
 * out        change: as wm_dynamic_step; x and z are -1 where the ticket is void
 * returns    WM_OK; WM_ERROR_INVALID_ARGUMENT (outside the grid, a tile of another place), and as
 *            wm_mesh_replace_tile: the mesh is as it was, and the tile is to be built again */
WmStatus wm_dynamic_finish_job(WmDynamic *dynamic, int32_t x, int32_t z, uint32_t ticket,
                               const uint8_t *bytes, size_t byte_count, WmTileChange *change);

/* Gives a job up: the tile is built by wm_dynamic_step, or handed out again. Nothing where the ticket is
 * void. returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (outside the grid) */
WmStatus wm_dynamic_give_up_job(WmDynamic *dynamic, int32_t x, int32_t z, uint32_t ticket);

/* Takes in what is kept of a tile together with the tile itself, as it is without obstacles: it need not be
 * built, unless obstacles touch it.
 * in         bytes, byte_count: as wm_dynamic_keep_tile; tile [tile_bytes]: as wm_dynamic_finish_job
 * out        change: as wm_dynamic_step
 * returns    as both: what was kept is as it was, and so is the mesh, but that a tile that was there may be
 *            built again */
WmStatus wm_dynamic_keep_built_tile(WmDynamic *dynamic, int32_t x, int32_t z, const uint8_t *bytes,
                                    size_t byte_count, const uint8_t *tile, size_t tile_bytes,
                                    WmTileChange *change);

#endif
