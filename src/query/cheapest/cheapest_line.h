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
  float cost;                         /* of the string, or of another line */
} WmCheapestLine;

/* True if a portal lies between two costs. Both portals of a segment link lie between those of the ground on both sides. */
bool wm_cheapest_is_between(const WmCheapestLine *line, size_t portal);

/* Finds the crossing of each portal, so that the sum of unit cost times length of all parts is least, to about 1e-6 of it.
 * out        WM_QUERY_CHEAPEST_ROWS [portal_count + 2]: `at` of portal i is that of row i + 1
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY
 * cost       O(portals) */
WmStatus wm_cheapest_find_crossings(WmQuery *query, const WmCheapestLine *line);

/* ---- cheapest_pull.c ---------------------------------------------------------------------------------- */

/* The arguments of wm_query_pull: a corridor, its ends, and which points are wanted. */
typedef struct WmPulling {
  const float *start, *end;
  const WmRef *polygons;
  const uint32_t *links;
  size_t polygon_count;
  WmCrossings crossings;
  size_t max_points; /* 0: no limit */
  float inset;       /* distance that crossings keep from walls, if their portals have room for it */
} WmPulling;

/* A line with crossings while wm_query_pull pulls it. The unit costs are in WM_QUERY_COSTS. */
typedef struct WmCrossedLine {
  WmQuery *query;
  const WmPulling *pulling;
  const WmFilter *filter;
  float cost;    /* of the string; then of the line */
  bool is_known; /* its crossings are in WM_QUERY_CHEAPEST_ROWS */
} WmCrossedLine;

/* wm_query_pull of the line that costs least where unit costs differ, unless the string is as cheap. */
WmStatus wm_cheapest_pull(WmQuery *query, const WmPulling *pulling, const WmFilter *filter, WmPath *path);

/* wm_query_measure_linked of that line. */
WmStatus wm_cheapest_measure(WmQuery *query, const WmPulling *pulling, const WmFilter *filter, float least,
                             float *cost);

/* Limits the resolved portals of a line that lie between two costs to its crossings.
 * in         last: the number of portals; is_folded: the line passes segment links; start, end: in the unfolded plane
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_cheapest_narrow(const WmCrossedLine *line, size_t last, bool is_folded, const float start[3],
                            const float end[3]);

#endif
