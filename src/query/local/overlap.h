/* Polygons that touch a box, a vertical cylinder or a prism. No caps: arrays of an answer are as long as they
 * need to be, up to the limit that the caller sets; `cut` says that an answer has reached it. */
#ifndef WALKMESH_QUERY_OVERLAP_H
#define WALKMESH_QUERY_OVERLAP_H

#include "query/query.h"

typedef struct WmPolygons {
  size_t count;
  const WmRef *polygons;
  const uint32_t *parents; /* place in `polygons` of the one it was reached from, its own for the first; NULL
                              where nothing is walked */
  bool cut;                /* there are more */
} WmPolygons;

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
