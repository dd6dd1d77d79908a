/* Traces: what searches decide, told to a sink while they run.
 *
 * A query with a sink calls it for every polygon that a search expands and for every link that it refuses. The sink
 * must not call the query. Results are the same bits with and without a sink. A query without one tests a pointer for
 * each polygon and for each refused link, and nothing else.
 *
 * Usual order: wm_query_trace with a sink, one query, wm_query_trace with NULL. Sliced searches have a query of their
 * own and no sink. */
#ifndef WALKMESH_QUERY_TRACE_H
#define WALKMESH_QUERY_TRACE_H

#include "base/public.h"
#include "query/query.h"

WM_PUBLIC_BEGIN

typedef enum WmTraceKind {
  WM_TRACE_EXPANDED =
      0, /* the search follows the links of `polygon`; again where a cheaper way to it was found, and
                            with any_angle and shortest in each of two searches, also where `searched` leaves one
                            out. With shortest also those of polygons that are convex together with it */
  WM_TRACE_FILTERED = 1, /* a link is refused: `target` doesn't pass the filter */
  WM_TRACE_LIMITED =
      2 /* a link is refused: max_nodes polygons have been searched; in the second search of shortest:
                            cones, or their own limit is reached */
} WmTraceKind;

typedef struct WmTraceEvent {
  WmRef polygon;
  WmRef target;  /* of a refused link; WM_TRACE_EXPANDED: 0 */
  uint32_t link; /* of a refused link: its number in the tile of `polygon` (WmMeshTile.links) */
  uint32_t kind; /* WmTraceKind */
} WmTraceEvent;

typedef struct WmTraceSink {
  void (*receive)(void *user, const WmTraceEvent *event); /* NULL: no sink */
  void *user;
} WmTraceSink;

/* Sets the sink of a query.
 * in         sink: copied; NULL: none */
void wm_query_trace(WmQuery *query, const WmTraceSink *sink);

WM_PUBLIC_END

#endif
