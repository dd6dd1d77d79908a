/* Outlines of polygons on x and z. See rings.h. */
#include "mesh/tile/rings.h"

#include "mesh/mesh_internal.h"

/* True if the edges on the boundary of a polygon's detail mesh are those of its outline, each once. Without detail the
 * outline stands for the boundary. */
static bool has_outline_as_boundary(const WmMeshTile *tile, uint32_t polygon) {
  const WmTileDetail *detail = &tile->details[polygon];
  const uint8_t *triangle = tile->detail_triangles + 4 * (size_t)detail->first_triangle;
  const uint32_t size = tile->polygon_size[polygon];
  uint32_t found = 0;
  for (uint32_t i = 0; i < detail->triangle_count; i++, triangle += 4) {
    for (uint32_t k = 0, from = 2; k < 3; from = k++) {
      if ((triangle[3] >> (2 * from) & 1) == 0) continue;
      const uint32_t edge = triangle[from];
      if (edge >= size || triangle[k] != (edge + 1 == size ? 0 : edge + 1) || (found >> edge & 1))
        return false;
      found |= 1u << edge;
    }
  }
  return found == 0 || found == (1u << size) - 1;
}

void wm_tile_fill_rings(WmTileRecord *record) {
  const WmMeshTile *tile = &record->tile;
  float *ring = record->arrays.rings;
  for (uint32_t p = 0; p < tile->ground_count; p++, ring += WM_RING_NUMBERS) {
    const uint32_t size = tile->polygon_size[p];
    const uint16_t *numbers = tile->polygon_vertices + WM_TILE_VERTICES_PER_POLYGON * (size_t)p;
    for (uint32_t k = 0; k < WM_RING_CORNERS; k++) {
      const float *corner = tile->vertices + 3 * (size_t)numbers[k == 0 || k > size ? size - 1 : k - 1];
      ring[k] = corner[0];
      ring[WM_RING_CORNERS + k] = corner[2];
    }
    ring[2 * WM_RING_CORNERS] = (float)size;
    ring[WM_RING_BOUNDARY] = has_outline_as_boundary(tile, p) ? 1 : 0;
  }
}
