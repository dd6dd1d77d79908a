/* A list of what was used lately, and a chain of entries for each tile, what was used last first: a tile has
 * few. See tile_cache.h. */
#include "dynamic/tile_cache.h"

#include <string.h>

/* Results of a tile: three doors and whether they are open. What moves along leaves results that are never
 * asked for again, which would take the place of grounds. */
enum { RESULTS_A_TILE = 8 };

/* A ground, or a result where there is none. */
struct WmCacheEntry {
  WmCacheEntry *newer, *older;
  WmCacheEntry *next; /* of the tile */
  uint32_t tile;
  size_t bytes;
  WmGround *ground;
  WmContentHash obstacles;
  WmTileData data;
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

/* ---- Forgetting ------------------------------------------------------------------------------------------
 */

static void unlink_entry(WmTileCache *cache, WmCacheEntry *entry) {
  *(entry->newer ? &entry->newer->older : &cache->newest) = entry->older;
  *(entry->older ? &entry->older->newer : &cache->oldest) = entry->newer;
}

static void forget_entry(WmTileCache *cache, WmCacheEntry *entry) {
  WmCacheEntry **at = &cache->tiles[entry->tile];
  while (*at != entry) at = &(*at)->next;
  *at = entry->next;
  unlink_entry(cache, entry);
  cache->byte_count -= entry->bytes;
  wm_ground_free(cache->context, entry->ground);
  wm_tile_data_free(cache->context, &entry->data);
  wm_block_free(cache->context, entry);
}

static void shrink(WmTileCache *cache, size_t bytes) {
  while (cache->byte_count > bytes) forget_entry(cache, cache->oldest);
}

void wm_tile_cache_limit(WmTileCache *cache, size_t budget) {
  cache->budget = budget;
  shrink(cache, budget);
}

bool wm_tile_cache_clear(WmTileCache *cache) {
  const bool had_any = cache->oldest != NULL;
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

/* ---- Finding and putting
 * ----------------------------------------------------------------------------------- */

static void link_newest(WmTileCache *cache, WmCacheEntry *entry) {
  entry->newer = NULL;
  entry->older = cache->newest;
  *(cache->newest ? &cache->newest->newer : &cache->oldest) = entry;
  cache->newest = entry;
}

static void use_entry(WmTileCache *cache, WmCacheEntry *entry) {
  WmCacheEntry **at = &cache->tiles[entry->tile];
  while (*at != entry) at = &(*at)->next;
  *at = entry->next;
  entry->next = cache->tiles[entry->tile];
  cache->tiles[entry->tile] = entry;
  if (entry == cache->newest) return;
  unlink_entry(cache, entry);
  link_newest(cache, entry);
}

/* Adds an entry if there is room for it. */
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
  cache->byte_count += bytes;
  link_newest(cache, entry);
  return true;
}

WmGround *wm_tile_cache_ground(WmTileCache *cache, uint32_t tile) {
  WmCacheEntry *entry = cache->tiles[tile];
  while (entry && !entry->ground) entry = entry->next;
  if (!entry) return NULL;
  use_entry(cache, entry);
  return entry->ground;
}

bool wm_tile_cache_put_ground(WmTileCache *cache, uint32_t tile, WmGround *ground) {
  const WmCacheEntry entry = {.tile = tile, .bytes = wm_ground_bytes(ground), .ground = ground};
  return put_entry(cache, &entry);
}

static bool are_equal(const WmContentHash *a, const WmContentHash *b) {
  return a->lanes[0] == b->lanes[0] && a->lanes[1] == b->lanes[1];
}

const WmTileData *wm_tile_cache_result(WmTileCache *cache, uint32_t tile, const WmContentHash *obstacles) {
  WmCacheEntry *entry = cache->tiles[tile];
  while (entry && (entry->ground || !are_equal(&entry->obstacles, obstacles))) entry = entry->next;
  if (!entry) return NULL;
  use_entry(cache, entry);
  return &entry->data;
}

bool wm_tile_cache_put_result(WmTileCache *cache, uint32_t tile, const WmContentHash *obstacles,
                              const WmTileData *data) {
  WmCacheEntry *last = NULL;
  int count = 0;
  for (WmCacheEntry *entry = cache->tiles[tile]; entry; entry = entry->next) {
    if (entry->ground) continue;
    last = entry;
    count++;
  }
  if (count == RESULTS_A_TILE) forget_entry(cache, last);
  const WmCacheEntry entry = {
      .tile = tile, .bytes = data->byte_count, .obstacles = *obstacles, .data = *data};
  return put_entry(cache, &entry);
}
