/* Tile jobs: tiles of a dynamic mesh that are built elsewhere, in another thread with its own memory.
 *
 * Usual order: wm_dynamic_write_helper writes bytes from which the other side makes a worker mesh
 * (wm_dynamic_read): a dynamic mesh of the same bake without tiles and obstacles. Here wm_dynamic_take_job
 * hands a dirty tile out. The worker mesh gets its kept tile (wm_dynamic_keep_tile, is_built true), unless it
 * has it, and wm_dynamic_do_job builds it. wm_dynamic_finish_job puts the result into the mesh.
 *
 * A tile has at most one job. Changes in the tile meanwhile make it dirty again: the result is still put into
 * the mesh, since it was right when the job was handed out, and the tile is built again. If the kept tile was
 * replaced or dropped, or the job was cancelled, the job's ticket is void, and its result is discarded. So
 * the mesh becomes what wm_dynamic_step would make it, whoever builds which tile, and in any order. */
#ifndef WALKMESH_DYNAMIC_TILE_JOBS_H
#define WALKMESH_DYNAMIC_TILE_JOBS_H

#include "base/public.h"
#include "dynamic/dynamic.h"

WM_PUBLIC_BEGIN

typedef struct WmTileJob {
  int32_t x, z;          /* -1, -1: no tile is dirty */
  uint32_t ticket;       /* above 0 */
  uint32_t kept_number;  /* unique to the bytes of the kept tile */
  uint8_t *obstacles;    /* a block of the context: the tile's obstacles, for wm_dynamic_do_job */
  size_t obstacle_bytes; /* a multiple of 4, never 0 */
} WmTileJob;

/* Writes bytes from which wm_dynamic_read makes a worker mesh.
 * out        *bytes [*byte_count]: a block of the context (wm_block_free); NULL, 0 on failure
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_dynamic_write_helper(const WmDynamic *dynamic, uint8_t **bytes, size_t *byte_count);

/* Hands out the first dirty tile. It counts as dirty still, but wm_dynamic_step skips it.
 * out        *job; the caller frees its obstacles
 * returns    WM_OK; WM_ERROR_OUT_OF_MEMORY: nothing was handed out */
WmStatus wm_dynamic_take_job(WmDynamic *dynamic, WmTileJob *job);

/* Builds a tile of a worker mesh, whose own tiles and obstacles are ignored.
 * in         obstacles [byte_count]: any bytes are safe
 * out        *data: freed by wm_tile_data_free; zeroed on failure
 * returns    WM_OK; WM_ERROR_INVALID_ARGUMENT (outside the grid), WM_ERROR_STATE (it has no kept tile there),
 *            WM_ERROR_CORRUPT, WM_ERROR_LIMIT, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_dynamic_do_job(WmDynamic *helper, int32_t x, int32_t z, const uint8_t *obstacles,
                           size_t byte_count, WmTileData *data);

/* Ends a job and puts its result into the mesh.
 * in         bytes [byte_count]: of the tile, checked as wm_mesh_add_tile does; 0: it has no polygons
 * out        change: as wm_dynamic_step; x and z are -1 if the ticket is void
 * returns    WM_OK; WM_ERROR_INVALID_ARGUMENT (outside the grid, a tile of another place), and as
 *            wm_mesh_replace_tile: the mesh is unchanged, and the tile is dirty */
WmStatus wm_dynamic_finish_job(WmDynamic *dynamic, int32_t x, int32_t z, uint32_t ticket,
                               const uint8_t *bytes, size_t byte_count, WmTileChange *change);

/* Cancels a job: wm_dynamic_step builds the tile, or it is handed out again. Does nothing if the ticket is
 * void.
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (outside the grid) */
WmStatus wm_dynamic_give_up_job(WmDynamic *dynamic, int32_t x, int32_t z, uint32_t ticket);

/* Stores a kept tile together with the tile itself, built without obstacles: it is dirty only if obstacles
 * overlap it.
 * in         bytes, byte_count: as wm_dynamic_keep_tile; tile [tile_bytes]: as wm_dynamic_finish_job
 * out        change: as wm_dynamic_step
 * returns    as both: the former kept tile and the mesh are unchanged, except that a former tile may be
 *            built again */
WmStatus wm_dynamic_keep_built_tile(WmDynamic *dynamic, int32_t x, int32_t z, const uint8_t *bytes,
                                    size_t byte_count, const uint8_t *tile, size_t tile_bytes,
                                    WmTileChange *change);

WM_PUBLIC_END

#endif
