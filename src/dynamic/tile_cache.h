/* What a dynamic mesh remembers of tiles so that they need not be read or built again: grounds
 * (bake/rebuild/unpacked_tile.h) of those built lately, and results, what a tile was with certain obstacles, ready to be put
 * into the mesh again (mesh/tile/swap.h), a few for each.
 *
 * All of it is a budget of bytes; what was used longest ago goes first, but results, of which what moves
 * along leaves many that are never asked for again, drive no grounds out beyond an eighth of the budget.
 * Nothing depends on what is there but time. Where there is no memory for more, nothing more is remembered:
 * that is no failure. */
#ifndef WALKMESH_DYNAMIC_TILE_CACHE_H
#define WALKMESH_DYNAMIC_TILE_CACHE_H

#include "bake/rebuild/unpacked_tile.h"
#include "mesh/tile/swap.h"

typedef struct WmCacheEntry WmCacheEntry;

/* What was used last, and how much of it there is. */
typedef struct WmCacheList {
  WmCacheEntry *newest, *oldest;
  size_t byte_count;
} WmCacheList;

typedef struct WmTileCache {
  WmContext *context;
  WmCacheEntry **tiles; /* [tile_count] chains of what is known of each */
  size_t tile_count;
  WmCacheList grounds, results;
  size_t budget;
} WmTileCache;

size_t wm_tile_cache_bytes(const WmTileCache *cache);

/* Zeroes are a cache of nothing that is closed. */
WmStatus wm_tile_cache_open(WmContext *context, size_t tile_count, WmTileCache *cache);
void wm_tile_cache_close(WmTileCache *cache);

/* Forgets until no more than so many bytes are left, and stays there. */
void wm_tile_cache_limit(WmTileCache *cache, size_t budget);

/* Forgets everything; the budget stays. Returns whether there was anything. */
bool wm_tile_cache_clear(WmTileCache *cache);

void wm_tile_cache_forget(WmTileCache *cache, uint32_t tile);

/* The ground of a tile, or NULL; it stays until something is put or forgotten. */
WmUnpackedTile *wm_tile_cache_ground(WmTileCache *cache, uint32_t tile);

/* Hands a ground over, of a tile that has none here. Returns false where it is not taken: it stays the
 * caller's. */
bool wm_tile_cache_put_ground(WmTileCache *cache, uint32_t tile, WmUnpackedTile *ground);

/* Says that a ground here takes more memory than before. */
void wm_tile_cache_measure(WmTileCache *cache, uint32_t tile);

/* Whether it is known what a tile was with obstacles of this hash; of a tile that has been altered since, a
 * copy as it was.
 * out        *ready: NULL where it was without polygons; it stays until something is put or forgotten */
bool wm_tile_cache_result(WmTileCache *cache, uint32_t tile, const WmContentHash *obstacles,
                          WmReadyTile **ready);

/* Remembers what a tile was with obstacles of which nothing is known here, if there is room for it.
 * in         ready: the cache becomes one of its holders; NULL: it was without polygons */
void wm_tile_cache_put_result(WmTileCache *cache, uint32_t tile, const WmContentHash *obstacles,
                              WmReadyTile *ready);

#endif
