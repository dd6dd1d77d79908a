/* Outlines of polygons on x and z. See rings.h. */
#include "mesh/tile/rings.h"

#include "mesh/mesh_internal.h"

void wm_tile_fill_rings(WmTileRecord *record) {
  const WmMeshTile *tile = &record->tile;
  float *ring = record->arrays.rings;
  for (uint32_t p = 0; p < tile->ground_count; p++, ring += WM_RING_NUMBERS) {
    const uint32_t size = tile->polygon_size[p];
    for (uint32_t k = 0; k < WM_RING_CORNERS; k++) {
      const float *corner = wm_tile_vertex(tile, p, k == 0 || k > size ? size - 1 : k - 1);
      ring[k] = corner[0];
      ring[WM_RING_CORNERS + k] = corner[2];
    }
    ring[2 * WM_RING_CORNERS] = (float)size;
  }
}
