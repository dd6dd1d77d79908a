/* Cheapest lines for agents: where the line through their corridor crosses from cost to cost, and what it costs. */
#ifndef WALKMESH_QUERY_CHEAPEST_H
#define WALKMESH_QUERY_CHEAPEST_H

#include "query/search/straighten.h"

/* Finds where the line that costs least crosses the portals of a corridor.
 * in         as wm_query_measure
 * out        *portals: left and right end of the portal behind each polygon, [polygon_count - 1][2][3], an array of the query: both ends
 *            are the crossing of a portal between two costs, except that of a segment link; NULL: the string costs as little
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY
 * cost       O(polygons) */
WmStatus wm_cheapest_find_portals(WmQuery *query, const float start[3], const float end[3],
                                  const WmRef *polygons, size_t polygon_count, const WmFilter *filter,
                                  const float **portals);

/* wm_query_measure of the line that costs least. */
WmStatus wm_cheapest_measure_line(WmQuery *query, const float start[3], const float end[3],
                                  const WmRef *polygons, size_t polygon_count, const WmFilter *filter,
                                  float *cost);

#endif
