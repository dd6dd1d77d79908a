/* A Detour tile cache that was read: where its layers lie in the file, by place.
 *
 *   fast_lz.c             decodes FastLZ
 *   detour_cache_read.c   reads and checks sets of layers
 *   detour_cache_tiles.c  layers -> kept tiles */
#ifndef WALKMESH_DYNAMIC_DETOUR_CACHE_INTERNAL_H
#define WALKMESH_DYNAMIC_DETOUR_CACHE_INTERNAL_H

#include "dynamic/detour_cache/detour_cache.h"

enum { WM_LAYER_HEADER_BYTES = 56, WM_LAYER_PLANES = 3 };

/* A layer that was checked; x and z are its tile place in the mesh. */
typedef struct WmCacheLayer {
  int32_t x, z, layer;
  uint32_t first_floor;   /* height 0 of the layer, cell heights above the bottom of the grid, >= 1 */
  const uint8_t *content; /* compressed: heights, areas and connections [tile_size][tile_size] each */
  uint32_t content_count;
} WmCacheLayer;

struct WmDetourCache {
  WmContext *context;
  WmDetourCacheSummary summary;
  WmCacheLayer *layers; /* [layer_count] by z, x and layer */
};

/* Decodes the planes of a layer [3][tile_size][tile_size].
 * returns    false if its content is not valid */
bool wm_cache_layer_decode(const WmDetourCache *cache, const WmCacheLayer *layer, uint8_t *planes);

/* Finds the layers of a place.
 * out        *first [returned count] */
size_t wm_cache_layers_at(const WmDetourCache *cache, int32_t x, int32_t z, const WmCacheLayer **first);

#endif
