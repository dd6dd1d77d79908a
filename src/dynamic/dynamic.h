/* Dynamic meshes: obstacles are added, moved and removed, and the tiles they overlap are built again from
 * their kept tiles (bake/rebuild/kept_tile.h). The result, height detail included, equals that of a full bake
 * with these obstacles.
 *
 * Usual order: bake a level in tiles and store the kept tile of each (wm_baker_keep_tile); wm_dynamic_create
 * for the mesh, wm_dynamic_keep_tile for each tile; then add, change and remove obstacles at any time, and
 * call wm_dynamic_step, which builds one tile, until none is dirty. The mesh is valid between any two calls.
 * Tiles may be added and dropped as well, in any order with obstacles: an obstacle waits for missing tiles.
 *
 * A tile depends on its kept tile and on the present obstacles, in the order in which they were added. It
 * doesn't depend on earlier positions of obstacles, nor on the order of updates.
 *
 * By default obstacles carve wherever they are; obstacles/motion.h has those that carve at rest only, or
 * never.
 *
 * A function that fails leaves everything unchanged, and the context explains the failure. */
#ifndef WALKMESH_DYNAMIC_DYNAMIC_H
#define WALKMESH_DYNAMIC_DYNAMIC_H

#include "bake/bake.h"
#include "base/public.h"
#include "mesh/mesh.h"

WM_PUBLIC_BEGIN

/* A handle: generation and number, below 2^53, never 0. The handle of a removed obstacle stays invalid. */
typedef uint64_t WmObstacle;

enum { WM_OBSTACLE_GENERATION_BITS = 21, WM_OBSTACLE_NUMBER_BITS = 32 };

typedef struct WmDynamic WmDynamic;

/* Makes a dynamic mesh for a mesh, which must outlive it. From then on only the dynamic mesh may add or
 * remove tiles at the places of kept tiles.
 * in         config: of the bake, with its bounds (wm_baker_bounds); input: volumes, connections and flags of
 *            the bake, copied; triangles and solids are ignored
 * returns    WM_OK, WM_ERROR_CONFIGURATION, WM_ERROR_INVALID_ARGUMENT, WM_ERROR_OUT_OF_MEMORY; *dynamic is
 *            NULL on failure
 * memory     some 32 bytes for each place of the grid of tiles */
WmStatus wm_dynamic_create(WmContext *context, WmMesh *mesh, const WmConfig *config, const WmBakeInput *input,
                           WmDynamic **dynamic);

/* Destroys a dynamic mesh, not its mesh. NULL is allowed. */
void wm_dynamic_destroy(WmDynamic *dynamic);

/* Replaces the volumes, connections and flags of the bake by those of a level that has changed. Tiles stay as they are until
 * they are kept again: call wm_dynamic_keep_tile for each tile whose inputs (wm_baker_hash_tile) changed. Obstacles stay.
 * in         input: as for wm_dynamic_create, copied
 * returns    WM_OK; WM_ERROR_STATE (the kept tiles are of a tile cache of Detour); WM_ERROR_INVALID_ARGUMENT,
 *            WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_dynamic_replace_input(WmDynamic *dynamic, const WmBakeInput *input);

/* ---- Tiles ------------------------------------------------------------------------------------------ */

/* Stores the kept tile of a place, or replaces it.
 * in         bytes: copied; is_built: the mesh has this tile, built without obstacles. Otherwise, or if
 *            obstacles overlap the tile, it is dirty afterwards
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (outside the grid), WM_ERROR_CORRUPT, WM_ERROR_OUT_OF_MEMORY
 * cost       that of reading the bytes */
WmStatus wm_dynamic_keep_tile(WmDynamic *dynamic, int32_t x, int32_t z, const uint8_t *bytes,
                              size_t byte_count, bool is_built);

/* The kept tile of a place: bytes [*byte_count], valid until it is dropped or replaced; NULL: none. */
const uint8_t *wm_dynamic_kept_tile(const WmDynamic *dynamic, int32_t x, int32_t z, size_t *byte_count);

/* Removes the kept tile of a place, and the tile from the mesh. Obstacles stay.
 * returns    WM_OK, also if there is none; WM_ERROR_INVALID_ARGUMENT (outside the grid), and as
 *            wm_mesh_remove_tile */
WmStatus wm_dynamic_drop_tile(WmDynamic *dynamic, int32_t x, int32_t z);

/* ---- Obstacles -------------------------------------------------------------------------------------- */

/* Adds an obstacle: a volume that blocks (area 0) or sets the area of the surface inside it.
 * in         volume: copied, also its outline; before_erosion: the mesh stays the agent's radius away from
 *            it, as in a bake; otherwise the mesh reaches its sides
 * out        *obstacle; 0 on failure
 * returns    WM_OK; WM_ERROR_INVALID_ARGUMENT naming the field that is not finite, not above 0 or farther
 *            than 1e8 from the origin; WM_ERROR_LIMIT (2^32 obstacles, or pairs of obstacle and tile);
 *            WM_ERROR_OUT_OF_MEMORY
 * cost       O(overlapped tiles) */
WmStatus wm_dynamic_add_obstacle(WmDynamic *dynamic, const WmAreaVolume *volume, WmObstacle *obstacle);

/* Changes the shape, position or area of an obstacle. The tiles that it overlapped before and those that it
 * overlaps now are dirty afterwards; none are if nothing changes.
 * returns    as wm_dynamic_add_obstacle; WM_ERROR_STALE_REFERENCE */
WmStatus wm_dynamic_change_obstacle(WmDynamic *dynamic, WmObstacle obstacle, const WmAreaVolume *volume);

/* Removes an obstacle. The tiles that it overlapped are dirty afterwards.
 * returns    WM_OK; WM_ERROR_STALE_REFERENCE (it was removed), WM_ERROR_INVALID_ARGUMENT (never was one) */
WmStatus wm_dynamic_remove_obstacle(WmDynamic *dynamic, WmObstacle obstacle);

size_t wm_dynamic_obstacle_count(const WmDynamic *dynamic);

/* The volume of an obstacle, valid until any obstacle is added, changed or removed; NULL if the handle is not
 * that of an obstacle. */
const WmAreaVolume *wm_dynamic_obstacle(const WmDynamic *dynamic, WmObstacle obstacle);

/* The status of a handle; failures are explained by the context.
 * returns    WM_OK; WM_ERROR_STALE_REFERENCE (it was removed), WM_ERROR_INVALID_ARGUMENT (never was one) */
WmStatus wm_dynamic_check_obstacle(const WmDynamic *dynamic, WmObstacle obstacle);

/* True if an obstacle lies outside the level: it overlaps no tile of the grid, since it is beside or below
 * all. It is parked: it changes nothing until it is moved into the level again.
 * returns    as wm_dynamic_check_obstacle; WM_ERROR_OUT_OF_MEMORY; *is_outside is unchanged on failure
 * cost       O(overlapped tiles) */
WmStatus wm_dynamic_is_outside(WmDynamic *dynamic, WmObstacle obstacle, bool *is_outside);

/* Adding, changing or moving an obstacle to outside the level fails with WM_ERROR_INVALID_ARGUMENT if
 * `refuses`. At first it is parked. Present obstacles stay, and files don't store this. */
void wm_dynamic_refuse_outside(WmDynamic *dynamic, bool refuses);

/* The next obstacle by number: pass 0, then the last result, until it returns 0. */
WmObstacle wm_dynamic_next_obstacle(const WmDynamic *dynamic, WmObstacle previous);

/* ---- Updates ---------------------------------------------------------------------------------------- */

/* Sets the focus: the dirty tile whose centre is nearest to any of these points, on x and z, is built first.
 * Equally near tiles, and all tiles without a focus, are built by z, then x.
 * in         points [count][3], finite: copied
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT, WM_ERROR_OUT_OF_MEMORY
 * cost       O(count * dirty tiles) */
WmStatus wm_dynamic_set_focus(WmDynamic *dynamic, const float *points, size_t count);

/* Number of steps to do: of tiles to build, those handed out as tile jobs included, and of places whose links are outdated
 * (dynamic_links.h). */
size_t wm_dynamic_dirty_count(const WmDynamic *dynamic);

/* True if any obstacle carves in a tile; false outside the grid. */
bool wm_dynamic_is_touched(const WmDynamic *dynamic, int32_t x, int32_t z);

/* A tile that was built, or a place whose links were generated. If the bytes equal those of the former tile, or set of links,
 * references stay valid and `is_changed` is false. */
typedef struct WmTileChange {
  int32_t x, z;
  bool is_changed;
  bool of_links;
  WmRef before, after; /* references of the tile, or of the first generated link; 0 where there is none */
} WmTileChange;

/* Builds the first dirty tile; if no tile is dirty, generates the first outdated links (dynamic_links.h).
 * out        change: of the tile; x and z are -1 if nothing was dirty
 * returns    WM_OK; WM_ERROR_LIMIT, WM_ERROR_OUT_OF_MEMORY: the tile stays dirty, the mesh is unchanged; for links see
 *            wm_dynamic_step_links
 * cost       that of the bake of a tile without its rasterization; far less with cached data of the tile. For links see
 *            wm_link_generator_run */
WmStatus wm_dynamic_step(WmDynamic *dynamic, WmTileChange *change);

/* ---- Memory ------------------------------------------------------------------------------------------- */

/* Size of the cache of a dynamic mesh at first, bytes, besides its kept tiles. It stores unpacked tiles, some
 * 15 bytes a cell, border included, and ready tiles by the obstacles they were built with, so that a door
 * that opens again, or a crate that is removed, needs no bake. The least recently used entry is removed
 * first. Results never depend on the cache. */
enum { WM_DYNAMIC_CACHE_BYTES = 16 << 20 };

/* Limits the cache to `bytes`, WM_DYNAMIC_CACHE_BYTES at first; 0: nothing is cached. */
void wm_dynamic_limit_cache(WmDynamic *dynamic, size_t bytes);

/* The bytes that the cache uses now. */
size_t wm_dynamic_cache_bytes(const WmDynamic *dynamic);

WM_PUBLIC_END

#endif
