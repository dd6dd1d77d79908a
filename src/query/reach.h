/* What can be reached: floods by cost, islands, random points. */
#ifndef WALKMESH_QUERY_REACH_H
#define WALKMESH_QUERY_REACH_H

#include "query/query.h"

/* ---- Floods ------------------------------------------------------------------------------------------- */

typedef struct WmFloodOptions {
  const WmFilter *filter;
  float max_cost;      /* polygons that cost more are left out; default INFINITY */
  float radius;        /* only through edges that touch this circle around the start; default INFINITY */
  const float *shape;  /* [shape_count][3] only through edges that touch this convex outline, NULL: none */
  size_t shape_count;  /* 3..255 */
  size_t max_polygons; /* 0: no limit */
} WmFloodOptions;

WmFloodOptions wm_flood_options_default(void);

typedef struct WmFlood {
  size_t count;
  const WmRef *polygons;   /* [count] by ascending cost; the start first */
  const uint32_t *parents; /* [count] place in `polygons` of the one before; of the start: 0 */
  const float *costs;      /* [count] from the start to the middle of the edge it was entered by */
  bool cut;                /* max_polygons was reached and there are more */
} WmFlood;

/* All polygons that can be reached, cheapest first (Dijkstra over midpoints of edges, one node a polygon, as
 * Detour's circle and shape searches). With a shape the start position is the middle of the shape's vertices.
 * returns    as all; WM_ERROR_INVALID_ARGUMENT for limits below 0 or NaN, an outline that is not convex
 * cost       O(n log n) in polygons reached */
WmStatus wm_query_flood(WmQuery *query, WmRef start, const float position[3], const WmFloodOptions *options,
                        WmFlood *flood);

/* The way to a polygon of the flood: works as long as its arrays do (they may be copies).
 * in         index: below its count
 * out        path [room]: from the start to polygons[index]; the first `room` where it is longer
 * returns    its length */
size_t wm_flood_path(const WmFlood *flood, size_t index, WmRef *path, size_t room);

/* ---- Islands ------------------------------------------------------------------------------------------ */

/* Connected components of the polygons that a filter lets pass, ways of one direction counted as if they led
 * both ways: between islands there is no path at all; within one there is, but for connections that lead one
 * way only. */
typedef struct WmIslands WmIslands;

WmStatus wm_islands_create(WmContext *context, const WmMesh *mesh, WmIslands **islands);
void wm_islands_destroy(WmIslands *islands);

/* Labels anew if the mesh or the filter's flags have changed since, else does nothing.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY (the former labels are lost)
 * cost       O(polygons + links) when something has changed */
WmStatus wm_islands_update(WmIslands *islands, const WmFilter *filter);

/* Number of islands; the island of a polygon: 1 to the count, the largest by area first and equal ones by
 * slot, 0 for one that does not pass or is no polygon of the mesh; area of an island on x and z. */
size_t wm_islands_count(const WmIslands *islands);
uint32_t wm_islands_of(const WmIslands *islands, WmRef polygon);
float wm_islands_area(const WmIslands *islands, uint32_t island);

/* Whether the labels are those of the mesh and filter now. */
bool wm_islands_are_current(const WmIslands *islands, const WmFilter *filter);

/* ---- Random points ------------------------------------------------------------------------------------ */

/* A generator: the same seed gives the same points everywhere. */
typedef struct WmRandom {
  uint64_t state;
} WmRandom;

WmRandom wm_random_seeded(uint64_t seed);
float wm_random_next(WmRandom *random); /* [0, 1) */

typedef struct WmRandomOptions {
  const WmFilter *filter;
  const WmIslands *islands; /* of the same mesh; with island > 0: only there; current for the filter */
  uint32_t island;
  int area; /* 0..63: only polygons of this area; -1 (default): any */
} WmRandomOptions;

WmRandomOptions wm_random_options_default(void);

/* A point on the surface, every place as likely as every other by area on x and z.
 * out        polygon 0: no polygon passes
 * returns    as all; WM_ERROR_STATE: the islands are not current for the filter
 * cost       O(log tiles + log polygons of a tile) where most of the mesh passes; O(polygons) where little
 *            does */
WmStatus wm_query_random_point(WmQuery *query, WmRandom *random, const WmRandomOptions *options,
                               WmNearest *point);

/* A point that can be reached from `start` through edges that touch the circle, and that lies in the circle
 * (Detour's may lie outside).
 * in         radius: finite, >= 0
 * out        polygon 0: the start does not pass, or nothing that can be reached is in the circle
 * cost       that of the flood, and twice as much again for clipping what it reached */
WmStatus wm_query_random_point_around(WmQuery *query, WmRandom *random, WmRef start, const float centre[3],
                                      float radius, const WmFilter *filter, WmNearest *point);

#endif
