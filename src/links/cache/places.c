/* The tile places of the cache: made, noted changes of their air and polygons, and dropped. See cache_internal.h. */
#include "links/cache/cache_internal.h"

#include <string.h>

/* ---- Creation and destruction ------------------------------------------------------------------------- */

static size_t count_places(const WmLinkGenerator *generator) {
  return (size_t)generator->voxels.tile_count_x * (size_t)generator->voxels.tile_count_z;
}

void wm_cache_unlist(WmBorderCache *cache, const WmBorderPlace *place) {
  *(place->newer == WM_NO_PLACE ? &cache->newest : &cache->places[place->newer].older) = place->older;
  *(place->older == WM_NO_PLACE ? &cache->oldest : &cache->places[place->older].newer) = place->newer;
}

void wm_cache_list(WmBorderCache *cache, uint32_t number) {
  WmBorderPlace *place = &cache->places[number];
  place->newer = WM_NO_PLACE;
  place->older = cache->newest;
  *(cache->newest == WM_NO_PLACE ? &cache->oldest : &cache->places[cache->newest].newer) = number;
  cache->newest = number;
}

void wm_cache_free_result(WmLinkGenerator *generator, WmTileBorders *tile) {
  generator->border_cache->bytes -= tile->result_count * sizeof *tile->result;
  wm_block_free(generator->context, tile->result);
  tile->result = NULL;
  tile->result_count = 0;
}

void wm_cache_free_borders(WmLinkGenerator *generator, WmTileBorders *tile) {
  if (!tile) return;
  wm_cache_free_result(generator, tile);
  generator->border_cache->bytes -= tile->bytes;
  wm_block_free(generator->context, tile);
}

void wm_cache_drop_borders(WmLinkGenerator *generator, uint32_t number) {
  WmBorderCache *cache = generator->border_cache;
  WmBorderPlace *place = &cache->places[number];
  if (!place->borders) return;
  wm_cache_unlist(cache, place);
  wm_cache_free_borders(generator, place->borders);
  wm_cache_free_borders(generator, place->former);
  place->borders = place->former = NULL;
  place->is_current = false;
}

/* Replaces a list. */
static void set_stamps(WmLinkGenerator *generator, WmStampList *list, const WmStampList *made) {
  WmBorderCache *cache = generator->border_cache;
  cache->bytes -= list->bytes;
  wm_block_free(generator->context, list->stamps);
  *list = *made;
  cache->bytes += list->bytes;
}

void wm_cache_shrink(WmLinkGenerator *generator, size_t limit) {
  WmBorderCache *cache = generator->border_cache;
  while (cache->bytes > limit && cache->oldest != WM_NO_PLACE)
    wm_cache_drop_borders(generator, cache->oldest);
}

void wm_border_cache_destroy(WmLinkGenerator *generator) {
  WmBorderCache *cache = generator->border_cache;
  if (!cache) return;
  wm_cache_shrink(generator, 0);
  const size_t count = count_places(generator);
  for (size_t i = 0; i < count; i++) {
    wm_block_free(generator->context, cache->places[i].volumes.stamps);
    wm_block_free(generator->context, cache->places[i].polygons.stamps);
  }
  wm_block_free(generator->context, cache->places);
  wm_block_free(generator->context, cache);
  generator->border_cache = NULL;
}

bool wm_border_cache_drop_all(WmLinkGenerator *generator) {
  if (!generator->border_cache || generator->border_cache->oldest == WM_NO_PLACE) return false;
  while (generator->border_cache->oldest != WM_NO_PLACE)
    wm_cache_drop_borders(generator, generator->border_cache->oldest);
  return true;
}

size_t wm_border_cache_bytes(const WmLinkGenerator *generator) {
  return generator->border_cache
             ? generator->border_cache->bytes + count_places(generator) * sizeof(WmBorderPlace)
             : 0;
}

static void set_changed(WmLinkGenerator *generator, WmBorderPlace *place, bool is_changed) {
  if (place->is_changed == is_changed) return;
  place->is_changed = is_changed;
  generator->border_cache->changed_count += is_changed ? 1 : SIZE_MAX;
}

/* ---- Air ---------------------------------------------------------------------------------------------- */

/* A hash of bytes, never 0. */
static uint64_t hash_bytes(const uint8_t *bytes, size_t byte_count) {
  WmContentHash hash = wm_content_hash_start();
  const uint32_t count = (uint32_t)byte_count;
  uint32_t rest = 0;
  wm_content_hash_words(&hash, bytes, byte_count / 4);
  memcpy(&rest, bytes + byte_count / 4 * 4, byte_count % 4);
  wm_content_hash_words(&hash, &rest, 1);
  wm_content_hash_words(&hash, &count, 1);
  wm_content_hash_finish(&hash);
  return hash.lanes[0] | 1;
}

/* Notes cells whose air changes: an obstacle changes the polygons, too, and borders are invalidated for both at once. */
static void note_cells(WmLinkGenerator *generator, int32_t x, int32_t z, const WmCellRectangle *cells,
                       size_t count) {
  WmBorderPlace *place = &generator->border_cache->places[wm_number_place(generator, x, z)];
  if (count > WM_NOTED_CELLS - (size_t)place->noted_count) {
    wm_cache_invalidate(generator, x, z, &(WmPlaceChange){.air = cells, .air_count = count});
    return;
  }
  for (size_t i = 0; i < count; i++) place->noted[place->noted_count++] = cells[i];
  if (count > 0) set_changed(generator, place, true);
}

/* Sets the volumes of a place, and notes where they differ. */
static void set_volumes(WmLinkGenerator *generator, int32_t x, int32_t z, const WmAreaVolume *blocking,
                        size_t blocking_count, bool invalidates) {
  WmBorderPlace *place = &generator->border_cache->places[wm_number_place(generator, x, z)];
  const WmScratchMark mark = wm_scratch_mark(generator->context);
  const WmStampList volumes = wm_stamp_volumes(generator, blocking, blocking_count);
  WmCellRectangle *cells;
  size_t count;
  if (invalidates && wm_cache_find_difference(generator, &place->volumes, &volumes, &cells, &count)) {
    note_cells(generator, x, z, cells, count);
  } else if (invalidates) {
    wm_cache_invalidate_tile(generator, x, z);
  }
  wm_scratch_rewind(generator->context, mark);
  set_stamps(generator, &place->volumes, &volumes);
  place->volumes_key = volumes.is_complete;
  for (uint32_t i = 0; i < volumes.count; i++)
    place->volumes_key = wm_mix_hash(place->volumes_key, volumes.stamps[i].hash) | 1;
}

void wm_border_cache_note_air(WmLinkGenerator *generator, int32_t x, int32_t z, const uint8_t *bytes,
                              size_t byte_count, const WmAreaVolume *blocking, size_t blocking_count) {
  if (!generator->border_cache) return;
  WmBorderPlace *place = &generator->border_cache->places[wm_number_place(generator, x, z)];
  const uint64_t air = bytes ? hash_bytes(bytes, byte_count) : 0;
  const bool is_same = air == place->air;
  if (!is_same) wm_cache_invalidate_tile(generator, x, z);
  set_volumes(generator, x, z, blocking, blocking_count, is_same);
  place->air = air;
  if (bytes) return;
  wm_cache_drop_borders(generator, wm_number_place(generator, x, z));
  set_stamps(generator, &place->polygons, &(WmStampList){0});
  set_changed(generator, place, true);
}

void wm_border_cache_note_volumes(WmLinkGenerator *generator, int32_t x, int32_t z,
                                  const WmAreaVolume *blocking, size_t blocking_count) {
  if (generator->border_cache) set_volumes(generator, x, z, blocking, blocking_count, true);
}

/* Notes the air that was stored before there was a cache. */
static void note_present_air(WmLinkGenerator *generator) {
  for (int32_t z = 0; z < generator->voxels.tile_count_z; z++) {
    for (int32_t x = 0; x < generator->voxels.tile_count_x; x++) {
      const WmAirTile *tile = wm_air_tile(generator, x, z);
      if (!tile || !tile->bytes) continue;
      wm_border_cache_note_air(generator, x, z, tile->bytes, tile->byte_count, tile->blocking,
                               tile->blocking_count);
    }
  }
}

WmStatus wm_border_cache_limit(WmLinkGenerator *generator, size_t limit) {
  WmContext *context = generator->context;
  if (limit == 0) {
    wm_border_cache_destroy(generator);
    return WM_OK;
  }
  if (!generator->border_cache) {
    const size_t count = count_places(generator);
    WmLayout layout = {0};
    wm_layout_add(&layout, count, sizeof(WmBorderPlace));
    WmBorderCache *cache = wm_block_allocate(context, sizeof *cache);
    WmBorderPlace *places = cache ? wm_layout_allocate(context, &layout) : NULL;
    if (!places) {
      wm_block_free(context, cache);
      return WM_ERROR_OUT_OF_MEMORY;
    }
    memset(places, 0, count * sizeof *places);
    for (size_t i = 0; i < count; i++) places[i].is_changed = true;
    *cache = (WmBorderCache){
        .newest = WM_NO_PLACE, .oldest = WM_NO_PLACE, .changed_count = count, .places = places};
    generator->border_cache = cache;
    note_present_air(generator);
  }
  generator->border_cache->limit = limit;
  wm_cache_shrink(generator, limit);
  return WM_OK;
}

void wm_border_cache_note_tile(WmLinkGenerator *generator, int32_t x, int32_t z) {
  if (generator->border_cache)
    set_changed(generator, &generator->border_cache->places[wm_number_place(generator, x, z)], true);
}

/* ---- Polygons ----------------------------------------------------------------------------------------- */

uint64_t wm_cache_hash_portals(const WmMesh *mesh, int32_t x, int32_t z) {
  uint64_t sum = 0;
  uint32_t layer = 0;
  for (const WmMeshTile *tile = NULL; (tile = wm_mesh_next_layer(mesh, x, z, tile)); layer++) {
    for (uint32_t polygon = 0; polygon < tile->ground_count; polygon++) {
      const uint16_t *neighbours = tile->polygon_neighbours + WM_TILE_VERTICES_PER_POLYGON * (size_t)polygon;
      for (uint32_t i = tile->link_first[polygon]; i < tile->link_first[polygon + 1]; i++) {
        const uint32_t edge = tile->links[i].edge;
        if (edge >= tile->polygon_size[polygon] || !(neighbours[edge] & WM_TILE_PORTAL)) continue;
        uint64_t ends[3], hash = wm_mix_hash((uint64_t)layer << 32 | edge << 16, polygon);
        memcpy(ends, tile->link_portals + 6 * (size_t)i, sizeof ends);
        for (int k = 0; k < 3; k++) hash = wm_mix_hash(hash, ends[k]);
        sum += hash;
      }
    }
  }
  return sum;
}

/* Compares the polygons of a place with those that it had, and invalidates the borders that read where they, or its air, differ. */
static void update_place(WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z) {
  WmBorderPlace *place = &generator->border_cache->places[wm_number_place(generator, x, z)];
  const WmScratchMark mark = wm_scratch_mark(generator->context);
  WmSurfaceHashes hashes;
  WmStampList polygons = {0};
  WmCellRectangle *cells, ground;
  WmPlaceChange change = {.mesh = mesh, .air = place->noted, .air_count = place->noted_count};
  const bool is_hashed = wm_hash_surface(generator->context, mesh, x, z, &hashes) == WM_OK;
  if (is_hashed) polygons = wm_stamp_surface(generator, mesh, x, z, &hashes);
  if (wm_cache_find_difference(generator, &place->polygons, &polygons, &cells, &change.polygon_count)) {
    change.polygons = change.ground = cells;
    change.ground_count = change.polygon_count;
    if (wm_air_tile_refresh(generator, mesh, x, z, place->surface_key, &hashes, &ground)) {
      change.ground = &ground;
      change.ground_count = ground.low[0] < ground.high[0];
    }
    wm_cache_invalidate(generator, x, z, &change);
  } else {
    wm_cache_invalidate_tile(generator, x, z);
  }
  wm_scratch_rewind(generator->context, mark);
  place->noted_count = 0;
  set_stamps(generator, &place->polygons, &polygons);
  place->surface_key = polygons.is_complete ? hashes.key : 0;
  set_changed(generator, place, !polygons.is_complete);
}

void wm_cache_update_polygons(WmLinkGenerator *generator, const WmMesh *mesh, int32_t x, int32_t z) {
  int32_t first[2], last[2];
  if (generator->border_cache->changed_count == 0) return;
  wm_link_generator_affected(generator, x, z, first, last);
  for (int32_t at_z = first[1]; at_z <= last[1]; at_z++) {
    for (int32_t at_x = first[0]; at_x <= last[0]; at_x++) {
      const WmBorderPlace *place = &generator->border_cache->places[wm_number_place(generator, at_x, at_z)];
      if (place->is_changed) update_place(generator, mesh, at_x, at_z);
    }
  }
}

void wm_border_cache_forget(WmLinkGenerator *generator, int32_t x, int32_t z) {
  if (generator->border_cache) wm_cache_drop_borders(generator, wm_number_place(generator, x, z));
}
