/* Rays: a straight line over the surface, up to the first wall. */
#ifndef WALKMESH_QUERY_RAYCAST_H
#define WALKMESH_QUERY_RAYCAST_H

#include "query/query.h"

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

#endif
