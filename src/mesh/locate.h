/* Points and polygons of one tile: inside, height, nearest. Queries use it, and off-mesh connections, to find
 * the polygons at their ends. Everything is decided on x and z; heights come from the detail mesh.
 *
 * Formulas and their order are Detour's (M. Mononen, 2009-), so that results are the same bits. */
#ifndef WALKMESH_MESH_LOCATE_H
#define WALKMESH_MESH_LOCATE_H

#include "mesh/mesh.h"

/* Vertex k of a polygon, 0 to its size; the size gives the first again. */
const float *wm_tile_vertex(const WmMeshTile *tile, uint32_t polygon, uint32_t k);

/* Vertex of a polygon's detail mesh: the polygon's own vertices come first. */
const float *wm_tile_corner(const WmMeshTile *tile, uint32_t polygon, uint32_t corner);

/* Area on x and z of a triangle, and of a polygon: the sum over the triangles (vertex 0, k - 1, k), each
 * counted as positive. Never NaN or infinite. */
double wm_triangle_area(const float a[3], const float b[3], const float c[3]);
double wm_tile_polygon_area(const WmMeshTile *tile, uint32_t polygon);

/* first + (second - first) * t */
void wm_interpolate(const float first[3], const float second[3], float t, float out[3]);

/* Squared distance on x and z from a point to a segment.
 * out        *t: the nearest position on the segment, 0..1 */
float wm_distance_to_segment(const float point[3], const float first[3], const float second[3], float *t);

/* True if a point is inside a polygon, by the even-odd rule: of points on the outline, some are. */
bool wm_tile_contains(const WmMeshTile *tile, uint32_t polygon, const float point[3]);

/* Height of a ground polygon's surface straight above or below a point that is inside it (or, by rounding,
 * just outside). */
float wm_tile_height(const WmMeshTile *tile, uint32_t polygon, const float point[3]);

/* The point of a polygon closest to a point. Heights come from the detail mesh; without `detail`, from the
 * point itself if it is inside, else from the polygon's own vertices.
 * Of a segment link it is the closest point of both segments.
 * returns    true if the closest point is straight above or below: it has the point's x and z */
bool wm_tile_closest_point(const WmMeshTile *tile, uint32_t polygon, const float point[3], bool detail,
                           float closest[3]);

/* Iterates over the tiles at the places that a box overlaps on x and z, row by row, and the layers of a place
 * the newest first. If the box covers more places than there are slots, or the mesh has one tile, it iterates
 * over all tiles by slot instead, also those outside the box.
 * cost       O(places), or O(slots) if that is less */
typedef struct WmBoxTiles {
  const WmMesh *mesh;
  int32_t first[2], last[2]; /* places on x and z */
  /* The next tile. */
  int32_t place[2];
  size_t slot;
  const WmMeshTile *tile;
  bool by_slot;
} WmBoxTiles;

void wm_box_tiles_begin(WmBoxTiles *tiles, const WmMesh *mesh, const float low[3], const float high[3]);
const WmMeshTile *wm_box_tiles_next(WmBoxTiles *tiles); /* NULL: no more */

/* The tile place of a position on axis 0 or 2, clamped to -2^23..2^23. */
int32_t wm_mesh_place(const WmMesh *mesh, int axis, float position);

/* The switches of a mesh (query/switches/switches.h), for those that follow its changes; NULL: there are none, or none has changed. */
struct WmSwitches;
const struct WmSwitches *wm_mesh_switches(const WmMesh *mesh);

/* Sets them, and counts a change of the mesh, and of the slot of a polygon's tile: wm_mesh_change_count. The polygon may be 0, or removed. */
void wm_mesh_note_switches(WmMesh *mesh, const struct WmSwitches *switches, WmRef polygon);

/* Cells of the tree that an `around` search visits on each side of its centre. */
#define WM_AROUND_CELLS 3.0f

/* A search for the ground polygon nearest to a point within a box around it, tile by tile. */
typedef struct WmNearestSearch {
  float centre[4], low[4], high[4];      /* x, y, z, 0 */
  uint16_t include_flags, exclude_flags; /* a polygon needs one of the former and none of the latter */
  bool any_flags;                        /* flags are ignored, and may be 0 */
  bool near;          /* only polygons of score 0 count, within the climb: few nodes to visit */
  bool around;        /* only polygons within WM_AROUND_CELLS of the centre need to be found */
  bool ignores_climb; /* the score is the squared distance only; equal ones: the smaller reference wins */
  int side; /* -1: only points not above the centre (by more than the climb) count; 1: not below; 0: all */
  float farthest; /* only points up to this squared distance count; INFINITY: all */
  /* The best polygon found. */
  const WmMeshTile *tile; /* NULL: none */
  uint32_t polygon;
  float score;   /* squared distance, 0 within the climb above or below */
  float certain; /* of an `around` search: no polygon that it hasn't visited has a score below this */
  float point[3];
  bool over;
} WmNearestSearch;

/* Starts a search that accepts all flags except 0. */
void wm_nearest_begin(WmNearestSearch *search, const float centre[3], const float half_extents[3]);

/* Compares the polygons of a tile with the best found. */
void wm_tile_find_nearest(const WmMeshTile *tile, WmNearestSearch *search);

#endif
