/* The polygons around a point that can be reached and don't lie over one another. */
#ifndef WALKMESH_QUERY_NEIGHBOURHOOD_H
#define WALKMESH_QUERY_NEIGHBOURHOOD_H

#include "base/public.h"
#include "query/query.h"

WM_PUBLIC_BEGIN

/* The polygons that can be reached within a circle, without those that lie over another one of them: a flat
 * part of the mesh around a point, for steering. The start is the first, then the others as they were
 * reached. Equal to Detour's, also where rounding makes polygons overlap that only touch: from about 100 world
 * units from the origin on, such polygons are left out.
 * in         max_polygons 0: no limit
 * out        polygons: arrays of the query
 * cost       O(polygons^2), as each is compared with those before it */
WmStatus wm_query_local_neighbourhood(WmQuery *query, WmRef start, const float centre[3], float radius,
                                      const WmFilter *filter, size_t max_polygons, WmPolygons *polygons);

WM_PUBLIC_END

#endif
