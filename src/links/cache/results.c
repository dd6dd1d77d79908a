/* The links of whole tiles, as they were in their last two surroundings. See cache_internal.h. */
#include "links/cache/cache_internal.h"

#include <string.h>

/* A hash of all that the links of a tile can depend on; 0: not known. */
static uint64_t hash_surroundings(const WmLinkGenerator *generator, int32_t x, int32_t z) {
  int32_t first[2], last[2];
  uint64_t hash = 1;
  wm_link_generator_affected(generator, x, z, first, last);
  for (int32_t at_z = first[1]; at_z <= last[1]; at_z++) {
    for (int32_t at_x = first[0]; at_x <= last[0]; at_x++) {
      const WmBorderPlace *place = &generator->border_cache->places[wm_number_place(generator, at_x, at_z)];
      const bool is_known = !place->is_changed && place->surface_key != 0;
      if (!is_known || (place->air != 0 && place->volumes_key == 0)) return 0;
      hash = wm_mix_hash(wm_mix_hash(wm_mix_hash(hash, place->air), place->air ? place->volumes_key : 0),
                         place->surface_key);
    }
  }
  return hash | 1;
}

void wm_border_cache_store_result(WmLinkGenerator *generator, int32_t x, int32_t z, const WmLinkList *list) {
  if (!generator->border_cache) return;
  const WmBorderPlace *place = &generator->border_cache->places[wm_number_place(generator, x, z)];
  WmTileBorders *tile = place->borders;
  if (!tile) return;
  const size_t bytes = list->count * sizeof *tile->result;
  wm_cache_free_result(generator, tile);
  tile->surroundings = place->is_current ? generator->border_cache->surroundings : 0;
  if (tile->surroundings == 0 || bytes > generator->border_cache->limit) return;
  tile->result = wm_block_allocate(generator->context, bytes);
  if (!tile->result) return;
  if (bytes) memcpy(tile->result, list->links.items, bytes);
  tile->result_count = list->count;
  generator->border_cache->bytes += bytes;
  wm_cache_shrink(generator, generator->border_cache->limit);
}

WmStatus wm_border_cache_repeat(WmLinkGenerator *generator, int32_t x, int32_t z, WmLinkResult *result) {
  WmTileBorders *tile = generator->border_cache->places[wm_number_place(generator, x, z)].borders;
  tile->surroundings = generator->border_cache->surroundings;
  return wm_link_result_make(generator->context, tile->result, tile->result_count, result);
}

/* The borders that were found in the same surroundings are valid again. */
static void restore_borders(const WmTileBorders *tile) {
  WmFound found = tile->found;
  for (uint32_t i = 0; i < tile->count; i++) {
    WmCachedBorder *border = &tile->borders[i];
    if (border->is_of_run) {
      wm_cache_set_valid(border, &found);
    } else {
      border->is_valid = border->is_partial = false;
    }
    found = wm_skip_border(found, border);
  }
}

static bool has_result(const WmTileBorders *tile, uint64_t surroundings) {
  return tile && tile->result && tile->surroundings == surroundings;
}

bool wm_border_cache_recall(WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z,
                            WmLinkResult *result) {
  WmBorderCache *cache = generator->border_cache;
  if (!cache || generator->config.min_saving > 0) return false;
  wm_cache_update_polygons(generator, mesh, x, z);
  const uint32_t number = wm_number_place(generator, x, z);
  WmBorderPlace *place = &cache->places[number];
  const uint64_t surroundings = cache->surroundings = hash_surroundings(generator, x, z);
  if (surroundings == 0) return false;
  if (!has_result(place->borders, surroundings)) {
    WmTileBorders *former = place->former;
    if (!has_result(former, surroundings)) return false;
    place->former = place->borders;
    place->borders = former;
  }
  const WmTileBorders *tile = place->borders;
  restore_borders(tile);
  place->is_current = true;
  place->portals_key = wm_cache_hash_portals(mesh, x, z);
  wm_cache_unlist(cache, place);
  wm_cache_list(cache, number);
  return wm_link_result_make(generator->context, tile->result, tile->result_count, result) == WM_OK;
}

bool wm_border_cache_is_current(WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z) {
  if (!generator->border_cache) return false;
  const WmBorderPlace *place = &generator->border_cache->places[wm_number_place(generator, x, z)];
  if (place->is_current) wm_cache_update_polygons(generator, mesh, x, z);
  return place->is_current;
}
