/* Shared by the files of this folder: what a query keeps between questions.
 *
 *   filter.c     filters, costs of single polygons
 *   query.c      creating, checks of arguments
 *   nearest.c    points on the mesh
 *   nodes.c      the nodes of a search
 *   search.c     corridors
 *   any_angle.c  shortcuts along rays
 *   slices.c     searches in slices
 *   funnel.c     string pulling
 *   path.c       from point to point
 *   smooth.c     the same, a step apart along the surface
 *   island_nearest.c  where paths to another island end
 *   corridor*.c  the corridor of an agent (corridor_internal.h)
 *   outline.c    edges of polygons: ways and walls
 *   spread.c     over polygons breadth first
 *   move.c       moving along the surface
 *   walls.c      the nearest wall, outlines
 *   neighbourhood.c  polygons around that do not lie over one another
 *   raycast.c    straight lines from polygon to polygon
 *   islands.c    connected components
 *   overlap.c    polygons in a box, a cylinder, a prism
 *   random.c     random points
 *   flood.c      what can be reached, by cost
 *   convex.c     convex outlines from outside
 *
 * All arrays grow and never shrink, so that a warmed-up query allocates nothing. */
#ifndef WALKMESH_QUERY_QUERY_INTERNAL_H
#define WALKMESH_QUERY_QUERY_INTERNAL_H

#include "base/vector.h"
#include "query/check.h"
#include "query/search/nodes.h"
#include "query/search/path.h"

/* The arrays of a query's answers, which the next question overwrites. Those that grow together stand
 * together. */
typedef enum WmQueryArray {
  /* Polygons in an order: corridors, floods, neighbours. */
  WM_QUERY_POLYGONS, /* WmRef */
  WM_QUERY_PARENTS,  /* uint32_t: place of the one before */
  WM_QUERY_COSTS,    /* float */
  /* What a corridor is pulled through. */
  WM_QUERY_PORTALS, /* float [6]: way from each polygon to the next */
  WM_QUERY_KINDS,   /* uint8_t: area of each polygon, and WM_KIND_OFF_MESH */
  /* The points. */
  WM_QUERY_POINTS,         /* float [3] */
  WM_QUERY_POINT_FLAGS,    /* uint8_t */
  WM_QUERY_POINT_POLYGONS, /* WmRef */
  /* Segments of an outline. */
  WM_QUERY_SEGMENTS,         /* float [6] */
  WM_QUERY_SEGMENT_POLYGONS, /* WmRef */
  /* The corridor that a search with shortcuts has to better. */
  WM_QUERY_FORMER, /* WmRef */
  /* Points of many paths. */
  WM_QUERY_BATCH_POINTS, /* float [3] */
  /* Of no answer: lists of node numbers, and the like. */
  WM_QUERY_NUMBERS, /* uint32_t */
  WM_QUERY_ARRAY_COUNT
} WmQueryArray;

struct WmQuery {
  WmContext *context;
  const WmMesh *mesh;
  WmFilter default_filter;
  WmNodes nodes;
  WmBuffer arrays[WM_QUERY_ARRAY_COUNT];
};

enum { WM_KIND_OFF_MESH = 0x80 };

/* A query within another object: wm_query_create and wm_query_destroy but for the memory it lies in. */
void wm_query_init(WmQuery *query, WmContext *context, const WmMesh *mesh);
void wm_query_free(WmQuery *query);

/* Room for `needed` items in arrays `first` to `last`; those there are kept.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY (what has not grown is as it was) */
WmStatus wm_query_reserve(WmQuery *query, WmQueryArray first, WmQueryArray last, size_t needed);

/* wm_query_find_nearest_point in two parts: of its options, which are not NULL, and of a point. */
WmStatus wm_query_check_nearest(WmContext *context, const WmNearestOptions *options);
WmStatus wm_query_nearest_checked(WmQuery *query, const float centre[3], const WmNearestOptions *options,
                                  WmNearest *nearest);

/* String pulling through a corridor, as far as its polygons are linked; fills in points, length, cut,
 * polygons, and for a broken corridor state and reason. in         polygons [polygon_count], at least one;
 * the first is a reference of the mesh */
WmStatus wm_query_pull(WmQuery *query, const float start[3], const float end[3], const WmRef *polygons,
                       size_t polygon_count, WmCrossings crossings, size_t max_points, WmPath *path);

/* The options' filter, or the default one. */
static inline const WmFilter *wm_query_filter(const WmQuery *query, const WmFilter *filter) {
  return filter ? filter : &query->default_filter;
}

#endif
