/* The line through a corridor that costs least where ground costs differ: on each portal between two costs, the point at
 * which it crosses. Between these points a string costs least, which string pulling finds. */
#ifndef WALKMESH_QUERY_CHEAPEST_LINE_H
#define WALKMESH_QUERY_CHEAPEST_LINE_H

#include "query/query_internal.h"

/* A portal, and the line's point on it. */
typedef struct WmCheapestRow {
  double left[3], width[3]; /* from left to right */
  double at;                /* of the point on the portal, 0 to 1 */
  double before;            /* `at` of the step before */
  double slope, curve,
      tie; /* first and second derivatives of the cost: by `at`, and by it and that of the row behind */
  double step;
  double cost; /* of a world unit on the way to the next row */
  bool is_gap; /* that way leads over a segment link: both rows are to be at one position */
} WmCheapestRow;

_Static_assert(sizeof(WmCheapestRow) == WM_CHEAPEST_ROW_BYTES, "query.c knows it");

/* Portals of a corridor, in a plane. */
typedef struct WmCheapestLine {
  size_t portal_count;
  const float *portals, *start, *end; /* [portal_count][6], [3], [3] */
  const float *unit_costs;            /* [portal_count + 1] of the polygons */
  const uint8_t *kinds;               /* [portal_count + 1] of WM_QUERY_KINDS */
} WmCheapestLine;

/* True if a portal lies between two costs. Both portals of a segment link lie between those of the ground on both sides. */
bool wm_cheapest_is_between(const WmCheapestLine *line, size_t portal);

/* Finds the crossing of each portal, so that the sum of unit cost times length of all parts is least, to about 1e-6 of it.
 * out        WM_QUERY_CHEAPEST_ROWS [portal_count + 2]: `at` of portal i is that of row i + 1
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY
 * cost       O(portals) */
WmStatus wm_cheapest_find_crossings(WmQuery *query, const WmCheapestLine *line);

#endif
