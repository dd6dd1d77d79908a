/* Floods: all polygons that a cost or radius can reach, cheapest first. */
#ifndef WALKMESH_QUERY_FLOOD_H
#define WALKMESH_QUERY_FLOOD_H

#include "base/public.h"
#include "query/query.h"

WM_PUBLIC_BEGIN

typedef struct WmFloodOptions {
  const WmFilter *filter;
  float max_cost;      /* polygons that cost more are left out; default INFINITY */
  float radius;        /* only through edges that touch this circle around the start; default INFINITY */
  const float *shape;  /* [shape_count][3] only through edges that touch this convex outline; NULL: none */
  size_t shape_count;  /* 3..255 */
  size_t max_polygons; /* 0: no limit */
} WmFloodOptions;

WmFloodOptions wm_flood_options_default(void);

typedef struct WmFlood {
  size_t count;
  const WmRef *polygons;   /* [count] by ascending cost; the start first */
  const uint32_t *parents; /* [count] index in `polygons` of the polygon before; of the start: 0 */
  const float *costs;      /* [count] from the start to the midpoint of the edge it was entered by */
  bool cut;                /* max_polygons was reached and there are more */
} WmFlood;

/* All polygons that can be reached, cheapest first (Dijkstra over midpoints of edges, one node a polygon, as
 * Detour's circle and shape searches). With a shape, the start position is the mean of the shape's vertices.
 * out        flood: arrays of the query
 * returns    as all queries; WM_ERROR_INVALID_ARGUMENT for limits below 0 or NaN, an outline that isn't
 *            convex
 * cost       O(n log n) in polygons reached */
WmStatus wm_query_flood(WmQuery *query, WmRef start, const float position[3], const WmFloodOptions *options,
                        WmFlood *flood);

/* The path to a polygon of the flood. Its arrays may be copies.
 * in         index: below its count
 * out        path [capacity]: from the start to polygons[index]; the first `capacity` if it is longer
 * returns    its length; 0: no path, as the arrays aren't a flood's */
size_t wm_flood_path(const WmFlood *flood, size_t index, WmRef *path, size_t capacity);

WM_PUBLIC_END

#endif
