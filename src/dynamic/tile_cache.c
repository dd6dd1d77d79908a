/* Two lists of entries by last use, and a chain of the few entries of each tile, the last used one first. See
 * tile_cache.h. */
#include "dynamic/tile_cache.h"

#include <string.h>

enum {
  RESULTS_A_TILE = 8, /* three doors and whether they are open */
  RESULTS_PART = 8    /* results displace unpacked tiles only up to 1/8 of the budget */
};

/* An unpacked tile, or a result if `unpacked` is NULL. */
struct WmCacheEntry {
  WmCacheEntry *newer, *older;
  WmCacheEntry *next; /* of the tile */
  uint32_t tile;
  size_t bytes;
  WmUnpackedTile *unpacked;
  WmContentHash obstacles;
  WmReadyTile *ready;
};

WmStatus wm_tile_cache_open(WmContext *context, size_t tile_count, WmTileCache *cache) {
  *cache = (WmTileCache){.context = context, .tile_count = tile_count};
  WmLayout layout = {0};
  wm_layout_add(&layout, tile_count, sizeof *cache->tiles);
  cache->tiles = wm_layout_allocate(context, &layout);
  if (!cache->tiles) return WM_ERROR_OUT_OF_MEMORY;
  memset(cache->tiles, 0, tile_count * sizeof *cache->tiles);
  return WM_OK;
}

/* ---- Removing ----------------------------------------------------------------------------------------- */

static WmCacheList *list_of(WmTileCache *cache, const WmCacheEntry *entry) {
  return entry->unpacked ? &cache->unpacked_tiles : &cache->results;
}

size_t wm_tile_cache_bytes(const WmTileCache *cache) {
  return cache->unpacked_tiles.byte_count + cache->results.byte_count;
}

static void unlink_entry(WmCacheList *list, WmCacheEntry *entry) {
  *(entry->newer ? &entry->newer->older : &list->newest) = entry->older;
  *(entry->older ? &entry->older->newer : &list->oldest) = entry->newer;
}

static void forget_entry(WmTileCache *cache, WmCacheEntry *entry) {
  WmCacheEntry **at = &cache->tiles[entry->tile];
  while (*at != entry) at = &(*at)->next;
  *at = entry->next;
  unlink_entry(list_of(cache, entry), entry);
  list_of(cache, entry)->byte_count -= entry->bytes;
  wm_unpacked_tile_free(cache->context, entry->unpacked);
  wm_ready_tile_release(cache->context, entry->ready);
  wm_block_free(cache->context, entry);
}

static void shrink(WmTileCache *cache, size_t bytes) {
  while (wm_tile_cache_bytes(cache) > bytes) {
    const WmCacheList *unpacked_tiles = &cache->unpacked_tiles, *results = &cache->results;
    const bool takes_result = !unpacked_tiles->oldest || results->byte_count > cache->budget / RESULTS_PART;
    forget_entry(cache, takes_result ? results->oldest : unpacked_tiles->oldest);
  }
}

void wm_tile_cache_limit(WmTileCache *cache, size_t budget) {
  cache->budget = budget;
  shrink(cache, budget);
}

bool wm_tile_cache_clear(WmTileCache *cache) {
  const bool had_any = wm_tile_cache_bytes(cache) > 0;
  shrink(cache, 0);
  return had_any;
}

void wm_tile_cache_forget(WmTileCache *cache, uint32_t tile) {
  while (cache->tiles[tile]) forget_entry(cache, cache->tiles[tile]);
}

void wm_tile_cache_close(WmTileCache *cache) {
  if (!cache->tiles) return;
  wm_tile_cache_clear(cache);
  wm_block_free(cache->context, cache->tiles);
  *cache = (WmTileCache){0};
}

/* ---- Finding and adding ------------------------------------------------------------------------------- */

static void link_newest(WmCacheList *list, WmCacheEntry *entry) {
  entry->newer = NULL;
  entry->older = list->newest;
  *(list->newest ? &list->newest->newer : &list->oldest) = entry;
  list->newest = entry;
}

static void use_entry(WmTileCache *cache, WmCacheEntry *entry) {
  WmCacheEntry **at = &cache->tiles[entry->tile];
  while (*at != entry) at = &(*at)->next;
  *at = entry->next;
  entry->next = cache->tiles[entry->tile];
  cache->tiles[entry->tile] = entry;
  WmCacheList *list = list_of(cache, entry);
  if (entry == list->newest) return;
  unlink_entry(list, entry);
  link_newest(list, entry);
}

/* Adds an entry if budget and memory allow. */
static bool put_entry(WmTileCache *cache, const WmCacheEntry *made) {
  const size_t bytes = sizeof *made + made->bytes;
  if (bytes > cache->budget) return false;
  WmCacheEntry *entry = wm_block_allocate(cache->context, sizeof *entry);
  if (!entry) return false;
  shrink(cache, cache->budget - bytes);
  *entry = *made;
  entry->bytes = bytes;
  entry->next = cache->tiles[entry->tile];
  cache->tiles[entry->tile] = entry;
  list_of(cache, entry)->byte_count += bytes;
  link_newest(list_of(cache, entry), entry);
  return true;
}

WmUnpackedTile *wm_tile_cache_unpacked(WmTileCache *cache, uint32_t tile) {
  WmCacheEntry *entry = cache->tiles[tile];
  while (entry && !entry->unpacked) entry = entry->next;
  if (!entry) return NULL;
  use_entry(cache, entry);
  return entry->unpacked;
}

bool wm_tile_cache_put_unpacked(WmTileCache *cache, uint32_t tile, WmUnpackedTile *unpacked) {
  const WmCacheEntry entry = {.tile = tile, .bytes = wm_unpacked_tile_bytes(unpacked), .unpacked = unpacked};
  return put_entry(cache, &entry);
}

void wm_tile_cache_measure(WmTileCache *cache, uint32_t tile) {
  WmCacheEntry *entry = cache->tiles[tile];
  while (entry && !entry->unpacked) entry = entry->next;
  if (!entry) return;
  const size_t bytes = sizeof *entry + wm_unpacked_tile_bytes(entry->unpacked);
  cache->unpacked_tiles.byte_count += bytes - entry->bytes;
  entry->bytes = bytes;
  shrink(cache, cache->budget);
}

static bool are_equal(const WmContentHash *a, const WmContentHash *b) {
  return a->lanes[0] == b->lanes[0] && a->lanes[1] == b->lanes[1];
}

bool wm_tile_cache_result(WmTileCache *cache, uint32_t tile, const WmContentHash *obstacles,
                          WmReadyTile **ready) {
  *ready = NULL;
  WmCacheEntry *entry = cache->tiles[tile];
  while (entry && (entry->unpacked || !are_equal(&entry->obstacles, obstacles))) entry = entry->next;
  if (!entry) return false;
  if (entry->ready && wm_ready_tile_is_altered(entry->ready)) {
    WmReadyTile *copy;
    if (wm_ready_tile_copy(cache->context, entry->ready, &copy)) {
      forget_entry(cache, entry);
      return false;
    }
    wm_ready_tile_release(cache->context, entry->ready);
    entry->ready = copy;
  }
  use_entry(cache, entry);
  *ready = entry->ready;
  return true;
}

void wm_tile_cache_put_result(WmTileCache *cache, uint32_t tile, const WmContentHash *obstacles,
                              WmReadyTile *ready) {
  WmCacheEntry *last = NULL;
  int count = 0;
  for (WmCacheEntry *entry = cache->tiles[tile]; entry; entry = entry->next) {
    if (entry->unpacked) continue;
    last = entry;
    count++;
  }
  if (count == RESULTS_A_TILE) forget_entry(cache, last);
  const WmCacheEntry entry = {.tile = tile,
                              .bytes = ready ? wm_ready_tile_memory(ready) : 0,
                              .obstacles = *obstacles,
                              .ready = ready};
  if (put_entry(cache, &entry)) wm_ready_tile_retain(ready);
}
