/* Questions around one place, answered by walking from polygon to polygon. No caps: arrays of an answer are
 * as long as they need to be, up to the limit the caller sets, and an answer that was cut says so. */
#ifndef WALKMESH_QUERY_LOCAL_H
#define WALKMESH_QUERY_LOCAL_H

#include "query/query.h"

/* ---- Rays --------------------------------------------------------------------------------------------- */

typedef struct WmRay {
  bool hit;        /* a wall stops it; false: it reaches its end */
  bool outside;    /* it does not touch its start polygon (on x and z): nothing was walked, t is 0 */
  bool cut;        /* there are more polygons than max_polygons: the ray went on all the same */
  float t;         /* how much of it is free, 0..1 */
  float point[3];  /* where it ends: on x and z from + (to - from) * t */
  float normal[3]; /* of the wall, horizontal, towards the ray; 0 without a hit */
  WmRef polygon;   /* the last it enters */
  uint32_t edge;   /* of that polygon: the wall; UINT32_MAX without a hit */
  float cost;      /* of the way through its polygons by the filter's costs, up to `point` */
  size_t polygon_count;
  const WmRef *polygons; /* from the start on */
} WmRay;

/* Walks on x and z from polygon to polygon until a wall or a polygon that the filter refuses stops it.
 * Off-mesh connections are not entered (a ray that starts in one is outside); y of `to` is of no account. The
 * start polygon is not asked for its flags.
 * in         on_surface: y of `point` is the height of the surface; otherwise, for a third less, that of `to`
 *            where it is reached, and that of the edge where a wall stops it, by which `cost` ends, too;
 *            max_polygons 0: no limit
 * out        as Detour's raycast, but for `outside` and `cut`, and where Detour's stops without a wall: rays
 *            along edges and through corners, which rounding puts beside a polygon, go on here
 * cost       O(polygons entered) */
WmStatus wm_query_raycast(WmQuery *query, WmRef start, const float from[3], const float to[3],
                          const WmFilter *filter, bool on_surface, size_t max_polygons, WmRay *ray);

/* ---- Moving ------------------------------------------------------------------------------------------- */

typedef struct WmMove {
  WmRef polygon; /* where it ends */
  float point[3];
  size_t polygon_count;
  const WmRef *polygons; /* visited, from the start to the last: to mend a corridor with */
} WmMove;

/* Moves along the surface as far towards `to` as walls let it, sliding along them: the nearest place to `to`
 * that can be reached without leaving a circle around the way. Meant for short moves. Where an edge on a
 * tile's side is open in part, the rest of it is a wall (Detour takes it for open in all its length).
 * Off-mesh connections are not entered; from one, it moves along that only.
 * in         on_surface: y of the result is the height of the surface; otherwise, as Detour's, that of `to`
 *            where it is reached, and that of the edge where a wall stops it
 * cost       O(polygons near the way) */
WmStatus wm_query_move_along_surface(WmQuery *query, WmRef start, const float from[3], const float to[3],
                                     const WmFilter *filter, bool on_surface, WmMove *move);

/* ---- Walls -------------------------------------------------------------------------------------------- */

typedef struct WmWall {
  bool found;
  float distance;  /* on x and z; max_distance where none was found */
  float point[3];  /* on the wall */
  float normal[3]; /* from the point to the centre, unit length; 0 at distance 0 or where none was found */
  float segment[2][3]; /* the wall */
  WmRef polygon;       /* that it is an edge of */
  uint32_t edge;
} WmWall;

/* The wall nearest to a point among those that can be reached. Edges towards polygons that the filter refuses
 * are walls; an edge on a tile's side is a wall where nothing behind it is open (Detour looks at its first
 * link alone). From an off-mesh connection none is found.
 * in         max_distance >= 0
 * out        of walls that are equally near, any: mostly they share the corner that is meant
 * cost       O(polygons not farther away than the wall) */
WmStatus wm_query_distance_to_wall(WmQuery *query, WmRef start, const float centre[3], float max_distance,
                                   const WmFilter *filter, WmWall *wall);

typedef struct WmSegments {
  size_t count;
  const float (*ends)[2][3]; /* [count] */
  const WmRef *polygons;     /* [count] behind it; 0: a wall */
} WmSegments;

/* The outline of a polygon: its walls and, if wanted, its ways into other polygons. Edge by edge; an edge on
 * a tile's side may have several ways, which may overlap (layers), then the walls between them. An off-mesh
 * connection has no outline. */
WmStatus wm_query_wall_segments(WmQuery *query, WmRef polygon, const WmFilter *filter, bool with_portals,
                                WmSegments *segments);

/* ---- Polygons around ---------------------------------------------------------------------------------- */

typedef struct WmPolygons {
  size_t count;
  const WmRef *polygons;
  const uint32_t *parents; /* place in `polygons` of the one it was reached from, its own for the first; NULL
                              where nothing is walked */
  bool cut;                /* there are more */
} WmPolygons;

/* Polygons that can be reached within a circle without one lying over another: a flat piece of the mesh
 * around a point, for steering. The start comes first, then the others as they were reached.
 * in         max_polygons 0: no limit
 * cost       O(polygons^2), as each is held against those before it */
WmStatus wm_query_local_neighbourhood(WmQuery *query, WmRef start, const float centre[3], float radius,
                                      const WmFilter *filter, size_t max_polygons, WmPolygons *polygons);

/* A filter for the following three: all polygons, whatever their flags, 0 too. */
extern const WmFilter WM_EVERY_POLYGON;

/* All ground polygons that touch a box, a vertical cylinder, or a prism over a convex outline, connected or
 * not. Tested exactly on x and z by the polygon's outline, on y by the heights of its surface's vertices.
 * in         vertices [vertex_count][3], 3 to 255, on x and z in either winding; low, high: on y
 * out        by tile (rows of z, then x, then layer newest first), then by number
 * returns    as all; WM_ERROR_INVALID_ARGUMENT for a negative extent or radius, low above high, an outline
 *            that is not convex
 * cost       O(tiles + tree nodes touched) */
WmStatus wm_query_polygons_in_box(WmQuery *query, const float centre[3], const float half_extents[3],
                                  const WmFilter *filter, size_t max_polygons, WmPolygons *polygons);
WmStatus wm_query_polygons_in_circle(WmQuery *query, const float centre[3], float radius, float half_height,
                                     const WmFilter *filter, size_t max_polygons, WmPolygons *polygons);
WmStatus wm_query_polygons_in_convex(WmQuery *query, const float *vertices, size_t vertex_count, float low,
                                     float high, const WmFilter *filter, size_t max_polygons,
                                     WmPolygons *polygons);

#endif
