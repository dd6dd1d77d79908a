/* Shared by the files of alternative paths:
 *
 *   alternatives.c  the query: which ways become paths
 *   vias.c          polygons that ways lead over
 *   ways.c          the way over a polygon, and where two ways differ
 *
 * All arrays are scratch memory of the query's context. */
#ifndef WALKMESH_QUERY_ALTERNATIVES_INTERNAL_H
#define WALKMESH_QUERY_ALTERNATIVES_INTERNAL_H

#include "query/alternatives/alternatives.h"
#include "query/query_internal.h"

/* What all ways of a query share. */
typedef struct WmWayTask {
  WmQuery *query;
  WmNearest start, end;
  WmSearchOptions search; /* shortest; its filter isn't NULL */
  float first_length, first_cost;
  float max_length;
  float apart;  /* distance beyond which ways differ */
  float radius; /* distance up to which they don't */
} WmWayTask;

/* A polygon that the shortest way over it enters from a polygon of the flood and leaves along the flow field. A plateau: the
 * way from there to the last polygon that is in both. */
typedef struct WmVia {
  uint32_t first, last; /* of its plateau: numbers in the flood */
} WmVia;

typedef struct WmVias {
  size_t polygon_count;
  const WmRef *polygons;   /* [polygon_count] of the flood */
  const uint32_t *parents; /* [polygon_count] */
  size_t count;
  const WmVia *vias; /* [count] those with the least cost outside their plateau first */
} WmVias;

/* Lists the vias whose ways cost at most `most`, with plateaus of at least `least_plateau`. */
WmStatus wm_vias_list(const WmWayTask *task, float most, float least_plateau, WmVias *vias);

/* The corridor over a via, unless it has more polygons than the mesh's flood.
 * out        polygons [2 * vias->polygon_count]; *first, *last: of the plateau
 * returns    the number of polygons; 0: none */
size_t wm_vias_corridor(const WmWayTask *task, const WmVias *vias, size_t number, WmRef *polygons,
                        size_t *first, size_t *last);

/* A corridor and the string through it, with a point in front of each polygon. */
typedef struct WmWay {
  size_t polygon_count;
  const WmRef *polygons;
  size_t point_count;
  const float *points; /* [point_count][3] */
  const uint32_t
      *places; /* [point_count] number of the polygon behind each point; of the last point: the last */
  float length, cost;
} WmWay;

/* Makes the way through a corridor.
 * in         polygons [polygon_count]: copied */
WmStatus wm_way_draw(const WmWayTask *task, const WmRef *polygons, size_t polygon_count, WmWay *way);

/* Makes the way over a corridor's middle, between polygons `first` and `last`, as short as it can be near there, with corners
 * only where walls or areas make them.
 * out        *found: false: it returns to where it was, or has other corners */
WmStatus wm_way_shorten(const WmWayTask *task, const WmRef *polygons, size_t polygon_count, size_t first,
                        size_t last, WmWay *way, bool *found);

/* Shortens a way around its corners in the open, which neither walls nor areas make.
 * out        *found: false: some are left */
WmStatus wm_way_tighten(const WmWayTask *task, WmWay *way, bool *found);

/* The share of a way that differs from another one.
 * in         limits_detours: false is returned in *sensible if a stretch that differs is more than max_length times as long as
 *            the shortest way between its ends */
WmStatus wm_way_compare(const WmWayTask *task, const WmWay *way, const WmWay *other, bool limits_detours,
                        float *share, bool *sensible);

#endif
