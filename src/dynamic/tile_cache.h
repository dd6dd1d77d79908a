/* The cache of a dynamic mesh: unpacked tiles (bake/rebuild/unpacked_tile.h), and results, a few for each
 * tile: the ready tile (mesh/tile/ready_tile.h) that was built with certain obstacles.
 *
 * It has one budget of bytes; the least recently used entry is removed first. But moving obstacles leave many
 * results that are never used again, so results can displace unpacked tiles only up to an eighth of the
 * budget. Only time depends on the cache: if there is no memory for an entry, it isn't stored, which is no
 * failure. */
#ifndef WALKMESH_DYNAMIC_TILE_CACHE_H
#define WALKMESH_DYNAMIC_TILE_CACHE_H

#include "bake/rebuild/unpacked_tile.h"
#include "mesh/tile/ready_tile.h"

typedef struct WmCacheEntry WmCacheEntry;

/* Entries by their last use. */
typedef struct WmCacheList {
  WmCacheEntry *newest, *oldest;
  size_t byte_count;
} WmCacheList;

typedef struct WmTileCache {
  WmContext *context;
  WmCacheEntry **tiles; /* [tile_count] first entry of each tile, the last used one */
  size_t tile_count;
  WmCacheList unpacked_tiles, results;
  size_t budget;
} WmTileCache;

size_t wm_tile_cache_bytes(const WmTileCache *cache);

/* Opens an empty cache. One that is all zeros can be closed, too. */
WmStatus wm_tile_cache_open(WmContext *context, size_t tile_count, WmTileCache *cache);
void wm_tile_cache_close(WmTileCache *cache);

/* Sets the budget, and removes entries until the rest is within it. */
void wm_tile_cache_limit(WmTileCache *cache, size_t budget);

/* Removes all entries; the budget stays.
 * returns    true if there were any */
bool wm_tile_cache_clear(WmTileCache *cache);

/* Removes all entries of a tile. */
void wm_tile_cache_forget(WmTileCache *cache, uint32_t tile);

/* The unpacked tile of a tile, or NULL; valid until an entry is added or removed. */
WmUnpackedTile *wm_tile_cache_unpacked(WmTileCache *cache, uint32_t tile);

/* Stores the unpacked tile of a tile that has none here.
 * returns    true if the cache owns it now; false: it stays the caller's */
bool wm_tile_cache_put_unpacked(WmTileCache *cache, uint32_t tile, WmUnpackedTile *unpacked);

/* Updates the byte count of an unpacked tile after it has changed. */
void wm_tile_cache_measure(WmTileCache *cache, uint32_t tile);

/* Finds the tile that was built with obstacles of this hash; if its flags or areas were set since, replaces
 * it by a copy without these changes.
 * out        *ready: NULL: it had no polygons; valid until an entry is added or removed
 * returns    true if there is such an entry */
bool wm_tile_cache_result(WmTileCache *cache, uint32_t tile, const WmContentHash *obstacles,
                          WmReadyTile **ready);

/* Stores the tile that was built with obstacles of a hash that has no entry, if memory and budget allow.
 * in         ready: the cache adds a reference; NULL: it has no polygons */
void wm_tile_cache_put_result(WmTileCache *cache, uint32_t tile, const WmContentHash *obstacles,
                              WmReadyTile *ready);

#endif
