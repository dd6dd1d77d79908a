/* Tile caches of Detour come along: sets of layers (TSET, with DTLR layers compressed by FastLZ), as Detour's
 * demo and recast-navigation write them, become dynamic meshes.
 *
 * Usual order: wm_detour_cache_read checks a whole set; wm_detour_cache_config says how it was baked, which
 * is changed where other polygons are wanted; wm_dynamic_create for a mesh with this configuration and
 * input.kept_tiles_are_eroded; wm_detour_cache_keep_tile for every place, what it gives to wm_dynamic_keep_tile with
 * is_built false; then wm_dynamic_step builds the tiles. wm_detour_cache_destroy.
 *
 * What a layer has is the walkable surface of a tile, after erosion by the agent's radius: heights and areas
 * of the cells of one floor. All layers of a place become one kept tile (bake/rebuild/kept_tile.h) with the floors
 * one above the other, any number; the cells around it come from the layers of the tiles next to it. So tiles
 * are partitioned, simplified and get their height detail as those of any bake, and no floor is a tile of its
 * own.
 *
 * What comes along: place, size and count of tiles, cell size and height, the agent, the largest error of
 * edges, heights to the cell, all areas (63 is that of ground nobody marked). What does not: ground that
 * erosion has taken away; flags, off-mesh connections and obstacles, which the format does not have; the
 * surface of tiles without walkable cells. Which neighbours are linked follows from heights, as it does in
 * Detour's own regions. Portal cells stand in the file as high as the highest floor across: they stay there
 * unless that leaves no headroom below the floor above. */
#ifndef WALKMESH_DYNAMIC_DETOUR_CACHE_H
#define WALKMESH_DYNAMIC_DETOUR_CACHE_H

#include "bake/bake.h"

typedef struct WmDetourCache WmDetourCache;

/* What a set says of itself, and what it comes to. */
typedef struct WmDetourCacheSummary {
  float origin[3];              /* of tile (0, 0) */
  float cell_size, cell_height; /* world units */
  float agent_height, agent_radius, agent_max_climb, max_edge_error;
  int32_t tile_size;                  /* cells on x and z */
  int32_t first_x, first_z;           /* tile of the set that is (0, 0) of the mesh: 0 or below */
  int32_t tile_count_x, tile_count_z; /* of the grid that holds all layers */
  uint32_t layer_count, place_count;  /* places that have layers */
  int32_t max_tiles, max_obstacles;   /* as the set has them: of no use here */
  float bounds_min[3], bounds_max[3]; /* of the grid; on y of all layers, and a cell below */
} WmDetourCacheSummary;

/* Whether bytes begin as a set of layers. */
bool wm_is_detour_cache(const uint8_t *bytes, size_t byte_count);

/* Checks a set in full, every layer decoded.
 * in         bytes [byte_count]: they must outlive the cache; any are safe
 * returns    WM_OK; WM_ERROR_CORRUPT, naming what is wrong, and in which layer, numbered from 1;
 *            WM_ERROR_UNSUPPORTED (tiles that are not square); WM_ERROR_LIMIT (more than a million tiles of
 *            the grid, more than 65533 cells on y); WM_ERROR_OUT_OF_MEMORY. *cache is NULL on failure
 * memory     24 bytes a layer */
WmStatus wm_detour_cache_read(WmContext *context, const uint8_t *bytes, size_t byte_count,
                              WmDetourCache **cache);

/* NULL is allowed. */
void wm_detour_cache_destroy(WmDetourCache *cache);

const WmDetourCacheSummary *wm_detour_cache_summary(const WmDetourCache *cache);

/* The configuration of a bake with the set's grid, agent and edges; nothing is dropped for being small, and
 * long edges are not split, as Detour does it. The rest is as in wm_config_default. */
WmConfig wm_detour_cache_config(const WmDetourCache *cache);

/* Makes a kept tile of all layers at a place, with what lies around them, for a bake with the set's grid that
 * erodes nothing (kept_tiles_are_eroded).
 * in         x, z: as the mesh counts them
 * out        *bytes [*byte_count], freed by wm_block_free; NULL where no layer has a walkable cell there
 * returns    WM_OK; WM_ERROR_INVALID_ARGUMENT (outside the grid); WM_ERROR_OUT_OF_MEMORY; NULL on failure
 * cost       some 50 ns a cell; scratch memory 3 bytes a cell of the layers of nine places */
WmStatus wm_detour_cache_keep_tile(const WmDetourCache *cache, int32_t x, int32_t z, uint8_t **bytes,
                                   size_t *byte_count);

#endif
