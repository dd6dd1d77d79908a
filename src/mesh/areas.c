/* Areas on x and z, for random points: sums over the polygons of a tile, and over the tiles of a mesh.
 *
 * The mesh has a binary tree over its slots, each node the sum of the two below it. When a tile is added or
 * removed, all nodes from its slot to the root are summed again. So rounding errors don't accumulate: the
 * sums depend only on which tile is in which slot. */
#include <math.h>

#include "mesh/locate.h"
#include "mesh/mesh_internal.h"

double wm_triangle_area(const float a[3], const float b[3], const float c[3]) {
  const double x = (double)b[0] - a[0], z = (double)b[2] - a[2];
  return fabs(x * ((double)c[2] - a[2]) - z * ((double)c[0] - a[0])) * 0.5;
}

double wm_tile_polygon_area(const WmMeshTile *tile, uint32_t polygon) {
  const float *first = wm_tile_vertex(tile, polygon, 0);
  double area = 0;
  for (uint32_t k = 2; k < tile->polygon_size[polygon]; k++) {
    area += wm_triangle_area(first, wm_tile_vertex(tile, polygon, k - 1), wm_tile_vertex(tile, polygon, k));
  }
  return area;
}

void wm_tile_fill_areas(WmTileRecord *record) {
  double *before = record->arrays.area_before; /* zeros */
  for (uint32_t i = 0; i < record->tile.ground_count; i++) {
    before[i + 1] = before[i] + wm_tile_polygon_area(&record->tile, i);
  }
}

void wm_mesh_set_area(WmMesh *mesh, uint32_t slot, double area) {
  double *sums = mesh->areas.items;
  size_t node = mesh->slots.capacity + slot;
  sums[node] = area;
  for (; node > 1; node /= 2) sums[node / 2] = sums[node] + sums[node ^ 1];
}

double wm_mesh_area(const WmMesh *mesh) {
  return mesh->slots.capacity ? ((const double *)mesh->areas.items)[1] : 0;
}

/* Descends only into nodes with an area, also if rounding makes `left` too large. */
const WmMeshTile *wm_mesh_sample_tile(const WmMesh *mesh, double fraction, double *within) {
  const double *sums = mesh->areas.items;
  *within = 0;
  if (!(wm_mesh_area(mesh) > 0)) return NULL;
  double left = fraction > 0 ? fraction * sums[1] : 0;
  size_t node = 1;
  while (node < mesh->slots.capacity) {
    node *= 2;
    if (left < sums[node] || !(sums[node + 1] > 0)) continue;
    left -= sums[node++];
  }
  *within = left < sums[node] ? left : sums[node];
  return wm_mesh_tile(mesh, node - mesh->slots.capacity);
}
