/* Polygons that touch a box, a vertical cylinder or a prism. */
#ifndef WALKMESH_QUERY_OVERLAP_H
#define WALKMESH_QUERY_OVERLAP_H

#include "base/public.h"
#include "query/query.h"

WM_PUBLIC_BEGIN

/* A filter for the following three functions: all polygons pass, also those with flags 0. */
extern const WmFilter WM_EVERY_POLYGON;

/* All ground polygons that touch a box, a vertical cylinder, or a prism over a convex outline, connected or
 * not. The test is exact on x and z by the polygon's outline, and on y by the heights of its surface's
 * vertices.
 * in         vertices [vertex_count][3]: 3 to 255, on x and z, clockwise or counter-clockwise; low, high: on
 *            y; max_polygons 0: no limit
 * out        polygons: by tile (rows of z, then x, then tile layer, the newest first), then by number;
 *            parents NULL
 * returns    as all queries; WM_ERROR_INVALID_ARGUMENT for a negative extent or radius, low above high, an
 *            outline that isn't convex
 * cost       O(tiles + tree nodes touched) */
WmStatus wm_query_polygons_in_box(WmQuery *query, const float centre[3], const float half_extents[3],
                                  const WmFilter *filter, size_t max_polygons, WmPolygons *polygons);
WmStatus wm_query_polygons_in_circle(WmQuery *query, const float centre[3], float radius, float half_height,
                                     const WmFilter *filter, size_t max_polygons, WmPolygons *polygons);
WmStatus wm_query_polygons_in_convex(WmQuery *query, const float *vertices, size_t vertex_count, float low,
                                     float high, const WmFilter *filter, size_t max_polygons,
                                     WmPolygons *polygons);

WM_PUBLIC_END

#endif
