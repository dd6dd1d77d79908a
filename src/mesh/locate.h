/* Points and polygons of one tile: inside, height, nearest. Shared by off-mesh connections, which look for
 * the ground at their ends, and by queries. Everything is decided on x and z; heights come from the detail
 * mesh.
 *
 * Formulas and their order are Detour's (M. Mononen, 2009-), so that results are the same bits. */
#ifndef WALKMESH_MESH_LOCATE_H
#define WALKMESH_MESH_LOCATE_H

#include "mesh/mesh.h"

/* Corner k of a polygon; the one behind the last is the first. */
const float *wm_tile_vertex(const WmMeshTile *tile, uint32_t polygon, uint32_t k);

/* Corner of a polygon's detail triangle: its own vertices come first. */
const float *wm_tile_corner(const WmMeshTile *tile, uint32_t polygon, uint32_t corner);

/* Area on x and z of a triangle, and of a polygon: that of the triangles (first corner, k - 1, k) together,
 * each counted as positive. Never NaN or infinite. */
double wm_triangle_area(const float a[3], const float b[3], const float c[3]);
double wm_tile_polygon_area(const WmMeshTile *tile, uint32_t polygon);

/* first + (second - first) * t */
void wm_interpolate(const float first[3], const float second[3], float t, float out[3]);

/* Squared distance on x and z from a point to a segment; *t is where on it, 0..1. */
float wm_distance_to_segment(const float point[3], const float first[3], const float second[3], float *t);

/* Whether a point is inside a polygon: even-odd, so that points on the outline are for some edges only. */
bool wm_tile_contains(const WmMeshTile *tile, uint32_t polygon, const float point[3]);

/* Height of a ground polygon's surface straight above or below a point, which is inside or, by rounding,
 * beside it. */
float wm_tile_height(const WmMeshTile *tile, uint32_t polygon, const float point[3]);

/* The nearest point of a polygon to a point, and whether that is straight above or below: then it has the
 * point's x and z. Heights come from the detail mesh, or, without `detail`, from the point itself where it is
 * inside, and else from the polygon's own vertices. */
bool wm_tile_closest_point(const WmMeshTile *tile, uint32_t polygon, const float point[3], bool detail,
                           float closest[3]);

/* The tiles at the places that a box touches on x and z, row by row and the layers of a place the newest
 * first; where those places are more than there are tiles, and where there is one tile only, all tiles by
 * slot (also some beside the box). Cost: O(places), or O(slots) where that is less. */
typedef struct WmBoxTiles {
  const WmMesh *mesh;
  int32_t first[2], last[2]; /* places on x and z */
  /* What comes next. */
  int32_t place[2];
  size_t slot;
  const WmMeshTile *tile;
  bool by_slot;
} WmBoxTiles;

void wm_box_tiles_begin(WmBoxTiles *tiles, const WmMesh *mesh, const float low[3], const float high[3]);
const WmMeshTile *wm_box_tiles_next(WmBoxTiles *tiles); /* NULL: no more */

/* The place of a position on axis 0 or 2, held where tiles can be. */
int32_t wm_mesh_place(const WmMesh *mesh, int axis, float position);

/* A search for the ground polygon nearest to a point within a box around it, tile by tile. */
typedef struct WmNearestSearch {
  float centre[4], low[4], high[4];      /* of three numbers: the fourth is 0 */
  uint16_t include_flags, exclude_flags; /* a polygon needs one of the former and none of the latter */
  bool any_flags;                        /* none of that counts, and flags may be 0 */
  bool near;  /* only polygons of score 0 count, within the climb above or below: few nodes lead to them */
  bool ignores_climb; /* the score is the squared distance whatever the climb; of equal ones the smaller reference */
  int side;   /* -1: only points not above the centre (by more than the climb) count; 1: not below; 0: all */
  float farthest; /* only points up to this squared distance count; INFINITY: all */
  /* The best so far. */
  const WmMeshTile *tile; /* NULL: none */
  uint32_t polygon;
  float score; /* squared distance, 0 within the climb above or below */
  float point[3];
  bool over;
} WmNearestSearch;

/* Makes a search that any flags but 0 pass and that has found nothing yet. */
void wm_nearest_begin(WmNearestSearch *search, const float centre[3], const float half_extents[3]);

/* Improves the best by the polygons of a tile. */
void wm_tile_find_nearest(const WmMeshTile *tile, WmNearestSearch *search);

#endif
