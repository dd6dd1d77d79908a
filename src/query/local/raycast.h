/* Rays: a straight line over the surface, up to the first wall. */
#ifndef WALKMESH_QUERY_RAYCAST_H
#define WALKMESH_QUERY_RAYCAST_H

#include "base/public.h"
#include "query/query.h"

WM_PUBLIC_BEGIN

typedef struct WmRay {
  bool hit;        /* a wall stops it; false: it reaches its end */
  bool outside;    /* it doesn't touch its start polygon (on x and z): t is 0, no polygon was entered */
  bool cut;        /* there are more polygons than max_polygons; the ray itself isn't cut */
  float t;         /* fraction of the ray that is free, 0..1 */
  float point[3];  /* its end: on x and z from + (to - from) * t */
  float normal[3]; /* of the wall, horizontal, towards the ray; 0 without a hit */
  WmRef polygon;   /* the last polygon it enters */
  uint32_t edge;   /* of that polygon: the wall; UINT32_MAX without a hit */
  float cost;      /* of the line up to `point`, each part at the unit cost of its polygon */
  size_t polygon_count;
  const WmRef *polygons; /* from the start on */
} WmRay;

/* Follows a line on x and z from polygon to polygon until a wall, or a polygon that doesn't pass the filter,
 * stops it. Off-mesh connections are not entered (a ray that starts in one is outside); y of `to` is ignored
 * on the way. The start polygon need not pass the filter.
 * in         on_surface: y of `point` is the height of the surface; otherwise, a third faster, that of `to`
 *            if it is reached, and that of the edge if a wall stops the ray, also in `cost`; max_polygons 0:
 *            no limit
 * out        ray: as Detour's raycast, except `outside` and `cut`, and where Detour's stops without a wall:
 *            rays along edges and through corners, where rounding puts a point beside a polygon, continue
 *            here
 * cost       O(polygons entered) */
WmStatus wm_query_raycast(WmQuery *query, WmRef start, const float from[3], const float to[3],
                          const WmFilter *filter, bool on_surface, size_t max_polygons, WmRay *ray);

WM_PUBLIC_END

#endif
