/* Reading Detour's tile caches: sets of layers (TSET, with DTLR layers compressed by FastLZ), as Detour's
 * demo and recast-navigation write them, become dynamic meshes.
 *
 * Usual order: wm_detour_cache_read checks a whole set; wm_detour_cache_config returns its configuration,
 * which the caller may change to get other polygons; wm_dynamic_create for a mesh with this configuration and
 * input.kept_tiles_are_eroded; for every place wm_detour_cache_keep_tile, whose bytes go to
 * wm_dynamic_keep_tile with is_built false; then wm_dynamic_step builds the tiles; wm_detour_cache_destroy.
 *
 * A layer has the walkable surface of a tile after erosion by the agent's radius: heights and areas of the
 * cells of one floor. All layers of a place become one kept tile (bake/rebuild/kept_tile.h) with any number
 * of floors above each other; the cells around it come from the layers of the tiles next to it. So tiles are
 * partitioned, simplified and get height detail like those of any bake, and floors are not separate tiles.
 *
 * Read from the file: position, size and count of tiles, cell size and height, the agent, the largest error
 * of edges, heights in cells, all areas (63 is that of unmarked surface). Not in the file: surface that
 * erosion has removed; flags, off-mesh connections and obstacles; tiles without walkable cells. Links of
 * spans follow from heights, as they do in Detour's own regions. Portal cells have the height of the highest
 * floor across: they keep it unless that leaves no headroom below the floor above. */
#ifndef WALKMESH_DYNAMIC_DETOUR_CACHE_H
#define WALKMESH_DYNAMIC_DETOUR_CACHE_H

#include "bake/bake.h"
#include "base/public.h"

WM_PUBLIC_BEGIN

typedef struct WmDetourCache WmDetourCache;

/* The header of a set, and what follows from it. */
typedef struct WmDetourCacheSummary {
  float origin[3];              /* of tile (0, 0) */
  float cell_size, cell_height; /* world units */
  float agent_height, agent_radius, agent_max_climb, max_edge_error;
  int32_t tile_size;                  /* cells on x and z */
  int32_t first_x, first_z;           /* tile of the set that is (0, 0) of the mesh: 0 or below */
  int32_t tile_count_x, tile_count_z; /* of the grid that holds all layers */
  uint32_t layer_count, place_count;  /* places that have layers */
  int32_t max_tiles, max_obstacles;   /* from the set: unused here */
  float bounds_min[3], bounds_max[3]; /* of the grid; on y of all layers, and a cell below */
} WmDetourCacheSummary;

/* True if bytes begin as a set of layers. */
bool wm_is_detour_cache(const uint8_t *bytes, size_t byte_count);

/* Checks a set in full, every layer decoded.
 * in         bytes [byte_count]: must outlive the cache; any bytes are safe
 * returns    WM_OK; WM_ERROR_CORRUPT, naming what is wrong, and the number of the layer, from 1;
 *            WM_ERROR_UNSUPPORTED (tiles that are not square); WM_ERROR_LIMIT (more than a million tiles of
 *            the grid, more than 65533 cells on y); WM_ERROR_OUT_OF_MEMORY. *cache is NULL on failure
 * memory     24 bytes a layer */
WmStatus wm_detour_cache_read(WmContext *context, const uint8_t *bytes, size_t byte_count,
                              WmDetourCache **cache);

/* NULL is allowed. */
void wm_detour_cache_destroy(WmDetourCache *cache);

const WmDetourCacheSummary *wm_detour_cache_summary(const WmDetourCache *cache);

/* The configuration of a bake with the set's grid, agent and edges. As in Detour, small regions are not
 * dropped and long edges are not split. All else is as in wm_config_default. */
WmConfig wm_detour_cache_config(const WmDetourCache *cache);

/* Makes a kept tile of all layers of a place and the cells around them, for a bake with the set's grid that
 * erodes nothing (kept_tiles_are_eroded).
 * in         x, z: tile place in the mesh
 * out        *bytes [*byte_count], freed by wm_block_free; NULL if no layer has a walkable cell there
 * returns    WM_OK; WM_ERROR_INVALID_ARGUMENT (outside the grid); WM_ERROR_OUT_OF_MEMORY; NULL on failure
 * cost       some 50 ns a cell; scratch memory 3 bytes a cell of the layers of nine places */
WmStatus wm_detour_cache_keep_tile(const WmDetourCache *cache, int32_t x, int32_t z, uint8_t **bytes,
                                   size_t *byte_count);

WM_PUBLIC_END

#endif
