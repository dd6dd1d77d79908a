/* The polygons around a point that can be reached and do not lie over one another. */
#ifndef WALKMESH_QUERY_NEIGHBOURHOOD_H
#define WALKMESH_QUERY_NEIGHBOURHOOD_H

#include "query/local/overlap.h"

/* Polygons that can be reached within a circle without one lying over another: a flat piece of the mesh
 * around a point, for steering. The start comes first, then the others as they were reached.
 * in         max_polygons 0: no limit
 * cost       O(polygons^2), as each is held against those before it */
WmStatus wm_query_local_neighbourhood(WmQuery *query, WmRef start, const float centre[3], float radius,
                                      const WmFilter *filter, size_t max_polygons, WmPolygons *polygons);

#endif
