/* What a dynamic mesh remembers of tiles so that they need not be read or built again: grounds
 * (bake/ground.h) of those built lately, and results, the bytes that a tile had with certain obstacles, a few
 * for each.
 *
 * All of it is a budget of bytes; what was used longest ago goes first. Nothing depends on what is there but
 * time. Where there is no memory for more, nothing more is remembered: that is no failure. */
#ifndef WALKMESH_DYNAMIC_TILE_CACHE_H
#define WALKMESH_DYNAMIC_TILE_CACHE_H

#include "bake/ground.h"

typedef struct WmCacheEntry WmCacheEntry;

typedef struct WmTileCache {
  WmContext *context;
  WmCacheEntry **tiles; /* [tile_count] chains of what is known of each */
  size_t tile_count;
  WmCacheEntry *newest, *oldest;
  size_t byte_count, budget;
} WmTileCache;

/* Zeroes are a cache of nothing that is closed. */
WmStatus wm_tile_cache_open(WmContext *context, size_t tile_count, WmTileCache *cache);
void wm_tile_cache_close(WmTileCache *cache);

/* Forgets until no more than so many bytes are left, and stays there. */
void wm_tile_cache_limit(WmTileCache *cache, size_t budget);

/* Forgets everything; the budget stays. Returns whether there was anything. */
bool wm_tile_cache_clear(WmTileCache *cache);

void wm_tile_cache_forget(WmTileCache *cache, uint32_t tile);

/* The ground of a tile, or NULL; it stays until something is put or forgotten. */
WmGround *wm_tile_cache_ground(WmTileCache *cache, uint32_t tile);

/* Hands a ground over, of a tile that has none here. Returns false where it is not taken: it stays the
 * caller's. */
bool wm_tile_cache_put_ground(WmTileCache *cache, uint32_t tile, WmGround *ground);

/* What a tile was with obstacles of this hash (byte_count 0: without polygons), or NULL; it stays until
 * something is put or forgotten. */
const WmTileData *wm_tile_cache_result(WmTileCache *cache, uint32_t tile, const WmContentHash *obstacles);

/* Hands bytes over, of obstacles that have none here. Returns false where they are not taken: they stay the
 * caller's. */
bool wm_tile_cache_put_result(WmTileCache *cache, uint32_t tile, const WmContentHash *obstacles,
                              const WmTileData *data);

#endif
