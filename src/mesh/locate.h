/* Points and polygons of one tile: inside, height, nearest. Shared by off-mesh connections, which look for
 * the ground at their ends, and by queries. Everything is decided on x and z; heights come from the detail
 * mesh.
 *
 * Formulas and their order are Detour's (M. Mononen, 2009-), so that results are the same bits. */
#ifndef WALKMESH_MESH_LOCATE_H
#define WALKMESH_MESH_LOCATE_H

#include "mesh/mesh.h"

static inline const float *wm_tile_vertex(const WmMeshTile *tile, uint32_t polygon, uint32_t k) {
  return tile->vertices +
         3 * (size_t)tile->polygon_vertices[WM_TILE_VERTICES_PER_POLYGON * (size_t)polygon + k];
}

/* first + (second - first) * t */
static inline void wm_interpolate(const float first[3], const float second[3], float t, float out[3]) {
  for (int axis = 0; axis < 3; axis++) out[axis] = first[axis] + (second[axis] - first[axis]) * t;
}

/* Squared distance on x and z from a point to a segment; *t is where on it, 0..1. */
static inline float wm_distance_to_segment(const float point[3], const float first[3], const float second[3],
                                           float *t) {
  const float edge_x = second[0] - first[0], edge_z = second[2] - first[2];
  const float along = edge_x * (point[0] - first[0]) + edge_z * (point[2] - first[2]);
  const float squared = edge_x * edge_x + edge_z * edge_z;
  float at = squared > 0 ? along / squared : along;
  if (at < 0) {
    at = 0;
  } else if (at > 1) {
    at = 1;
  }
  const float x = (first[0] + at * edge_x) - point[0], z = (first[2] + at * edge_z) - point[2];
  *t = at;
  return x * x + z * z;
}

/* Whether a point is inside a polygon: even-odd, so that points on the outline are for some edges only. */
bool wm_tile_contains(const WmMeshTile *tile, uint32_t polygon, const float point[3]);

/* Height of a ground polygon's surface straight above or below a point, which must be inside. */
float wm_tile_height(const WmMeshTile *tile, uint32_t polygon, const float point[3]);

/* The point of a polygon's surface nearest to a point, and whether it is straight above or below. */
void wm_tile_closest_point(const WmMeshTile *tile, uint32_t polygon, const float point[3], float closest[3],
                           bool *over);

/* The point itself where it is inside the polygon, otherwise the nearest on its outline (heights of the
 * polygon's vertices, without detail). */
void wm_tile_clamp_to_polygon(const WmMeshTile *tile, uint32_t polygon, const float point[3],
                              float clamped[3]);

/* The best so far of a search for the nearest polygon; start with score FLT_MAX and tile NULL. */
typedef struct WmNearestSearch {
  const WmMeshTile *tile;
  uint32_t polygon;
  float score; /* squared distance, 0 within the climb above or below */
  float point[3];
  bool over;
} WmNearestSearch;

/* Improves `best` by the ground polygons of a tile within a box that pass the flags. */
void wm_tile_find_nearest(const WmMeshTile *tile, const float centre[3], const float half_extents[3],
                          uint16_t include_flags, uint16_t exclude_flags, WmNearestSearch *best);

#endif
