/* Meshes of levels that change: obstacles come, move and go, and the tiles they touch are built again from
 * what was kept of them (bake/rebuild/kept_tile.h), with height detail, as a full bake with these obstacles would
 * build them.
 *
 * Usual order: bake a level in tiles, keep what wm_baker_keep_tile gives of each; wm_dynamic_create for its
 * mesh, wm_dynamic_keep_tile for each tile; then obstacles come, change and go at any time, and
 * wm_dynamic_step builds one tile after the other until none is dirty. Between any two calls the mesh is
 * valid. Tiles may come and go as well, in any order with obstacles: an obstacle waits for the tiles that are
 * not there.
 *
 * What a tile becomes depends on what was kept of it and on the obstacles there are, in the order in which
 * they were added: not on how they came to be where they are, nor on the order of updates.
 *
 * Obstacles carve wherever they are; those that shall do so at rest only, or not at all, are in motion.h.
 *
 * Failures are explained by the context and leave everything as it was. */
#ifndef WALKMESH_DYNAMIC_DYNAMIC_H
#define WALKMESH_DYNAMIC_DYNAMIC_H

#include "bake/bake.h"
#include "mesh/mesh.h"

/* A handle: generation and number, below 2^53, never 0. One of a removed obstacle stays invalid. */
typedef uint64_t WmObstacle;

enum { WM_OBSTACLE_GENERATION_BITS = 21, WM_OBSTACLE_NUMBER_BITS = 32 };

typedef struct WmDynamic WmDynamic;

/* Makes a dynamic mesh of a mesh, which must outlive it, and in which only it may add or remove tiles at the
 * places of kept tiles.
 * in         config: of the bake, with its bounds (wm_baker_bounds); input: volumes, connections and flags of
 *            the bake: copied; triangles and solids are not looked at
 * returns    WM_OK, WM_ERROR_CONFIGURATION, WM_ERROR_INVALID_ARGUMENT, WM_ERROR_OUT_OF_MEMORY; *dynamic is
 *            NULL on failure
 * memory     some 32 bytes a place of the grid of tiles */
WmStatus wm_dynamic_create(WmContext *context, WmMesh *mesh, const WmConfig *config, const WmBakeInput *input,
                           WmDynamic **dynamic);

/* The mesh stays. NULL is allowed. */
void wm_dynamic_destroy(WmDynamic *dynamic);

/* ---- Tiles ------------------------------------------------------------------------------------------ */

/* Says what was kept of a tile, in place of what was known of it.
 * in         bytes: copied; is_built: the mesh has this tile as it is without obstacles. Where it has not, or
 *            obstacles touch the tile, it is dirty afterwards
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (outside the grid), WM_ERROR_CORRUPT, WM_ERROR_OUT_OF_MEMORY
 * cost       that of reading the bytes */
WmStatus wm_dynamic_keep_tile(WmDynamic *dynamic, int32_t x, int32_t z, const uint8_t *bytes,
                              size_t byte_count, bool is_built);

/* What was kept of a tile: bytes [*byte_count], until the tile is dropped or replaced; NULL: nothing. */
const uint8_t *wm_dynamic_kept_tile(const WmDynamic *dynamic, int32_t x, int32_t z, size_t *byte_count);

/* Forgets what was kept of a tile and removes it from the mesh. Obstacles stay.
 * returns    WM_OK, also where there is none; WM_ERROR_INVALID_ARGUMENT (outside the grid), and as
 *            wm_mesh_remove_tile */
WmStatus wm_dynamic_drop_tile(WmDynamic *dynamic, int32_t x, int32_t z);

/* ---- Obstacles -------------------------------------------------------------------------------------- */

/* Adds an obstacle: a volume that blocks (area 0) or sets the area of the ground in it.
 * in         volume: copied, outline and all; before_erosion: keeps the agent's radius from it, as a bake
 *            would; otherwise the mesh goes up to it
 * out        *obstacle; 0 on failure
 * returns    WM_OK; WM_ERROR_INVALID_ARGUMENT naming what is not finite, not above 0, further than 1e8 from
 *            the origin, or that it touches no tile of the grid; WM_ERROR_LIMIT (2^32 obstacles or touched
 *            tiles); WM_ERROR_OUT_OF_MEMORY
 * cost       O(tiles touched) */
WmStatus wm_dynamic_add_obstacle(WmDynamic *dynamic, const WmAreaVolume *volume, WmObstacle *obstacle);

/* Gives an obstacle another shape, place or area. The tiles it leaves and those it reaches are dirty
 * afterwards; none are where nothing changes.
 * returns    as wm_dynamic_add_obstacle; WM_ERROR_STALE_REFERENCE */
WmStatus wm_dynamic_change_obstacle(WmDynamic *dynamic, WmObstacle obstacle, const WmAreaVolume *volume);

/* returns    WM_OK; WM_ERROR_STALE_REFERENCE (it was removed), WM_ERROR_INVALID_ARGUMENT (never was one) */
WmStatus wm_dynamic_remove_obstacle(WmDynamic *dynamic, WmObstacle obstacle);

size_t wm_dynamic_obstacle_count(const WmDynamic *dynamic);

/* The volume of an obstacle, until any obstacle comes, changes or goes; NULL for what is no obstacle. */
const WmAreaVolume *wm_dynamic_obstacle(const WmDynamic *dynamic, WmObstacle obstacle);

/* Why wm_dynamic_obstacle said NULL.
 * returns    WM_OK; WM_ERROR_STALE_REFERENCE (it was removed), WM_ERROR_INVALID_ARGUMENT (never was one) */
WmStatus wm_dynamic_check_obstacle(const WmDynamic *dynamic, WmObstacle obstacle);

/* To visit all: the obstacle after the given one in the order of numbers, 0 for the first; 0: no more. */
WmObstacle wm_dynamic_next_obstacle(const WmDynamic *dynamic, WmObstacle previous);

/* ---- Updates ---------------------------------------------------------------------------------------- */

/* Dirty tiles nearest to these points (on x and z, from the tile's middle) are built first; ties, and all
 * tiles where there are no points, by z and x.
 * in         points [count][3], finite: copied
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT, WM_ERROR_OUT_OF_MEMORY
 * cost       O(count * dirty tiles) */
WmStatus wm_dynamic_set_focus(WmDynamic *dynamic, const float *points, size_t count);

size_t wm_dynamic_dirty_count(const WmDynamic *dynamic);

/* Whether any obstacle carves in a tile; false outside the grid. */
bool wm_dynamic_is_touched(const WmDynamic *dynamic, int32_t x, int32_t z);

/* A tile that was built. Where its bytes came out as they were before, references stay and `is_changed` is
 * false. */
typedef struct WmTileChange {
  int32_t x, z;
  bool is_changed;
  WmRef before, after; /* references of the tile, 0 where there is none */
} WmTileChange;

/* Builds the first dirty tile.
 * out        change: of the tile; x and z are -1 where none was dirty
 * returns    WM_OK; WM_ERROR_LIMIT, WM_ERROR_OUT_OF_MEMORY: the tile stays dirty, the mesh as it was
 * cost       that of the bake of a tile without its rasterization; far less where something of it is
 *            remembered */
WmStatus wm_dynamic_step(WmDynamic *dynamic, WmTileChange *change);

/* ---- Memory ---------------------------------------------------------------------------------------------
 */

/* What a dynamic mesh remembers to save time, besides what is kept of tiles: the grounds of tiles built
 * lately, some 15 bytes a cell, border included, and what tiles were with which obstacles, so that a door
 * that opens again, or a crate that goes, needs no bake. What was used longest ago is forgotten first.
 * Results never depend on it. */
enum { WM_DYNAMIC_CACHE_BYTES = 16 << 20 };

/* in         bytes: at most so many are remembered, WM_DYNAMIC_CACHE_BYTES at first; 0: nothing ever is */
void wm_dynamic_limit_cache(WmDynamic *dynamic, size_t bytes);

size_t wm_dynamic_cache_bytes(const WmDynamic *dynamic);

#endif
