/* What the files of the contour stage share: lists of vertices that grow in scratch memory.
 *
 *   contours.c  traces outlines  ->  contour_simplify.c  keeps few of their vertices
 *               ->  contour_regions.c  finds holes  ->  contour_holes.c  joins them to outlines
 *               ->  contours.c  packs the result
 *
 * Every list lives in scratch memory taken after the stage's mark. A step that marks and rewinds for itself
 * must therefore reserve room in a list before its mark. */
#ifndef WALKMESH_BAKE_CONTOURS_INTERNAL_H
#define WALKMESH_BAKE_CONTOURS_INTERNAL_H

#include "bake/geometry/planar.h"
#include "bake/stages.h"

typedef struct WmContourVertex {
  int32_t x, y, z;
  int32_t
      code; /* region across, WM_CONTOUR_AREA_BORDER; above them the vertex's own bits, as the tracer likes */
} WmContourVertex;

typedef struct WmContourVertexList {
  WmContourVertex *items;
  size_t count, capacity;
} WmContourVertexList;

/* Some of a list's vertices. */
typedef struct WmContourStretch {
  size_t first;
  uint32_t count;
} WmContourStretch;

/* One contour being built. */
typedef struct WmContourRecord {
  WmContourStretch ring, raw; /* simplified vertices; raw ones, where they are kept */
  uint32_t start;             /* the span with which the walk began: contours are in the order of these */
  uint16_t region;
  uint8_t area;
} WmContourRecord;

/* Makes room for `extra` more vertices; false after recording out-of-memory. */
bool wm_contour_extend(WmContext *context, WmContourVertexList *list, size_t extra);

/* Where a stretch of a ring ends; indices count on past the end of the ring. */
typedef struct WmContourEnd {
  uint32_t index;
  bool by_length; /* the stretch is part of one that was too long */
} WmContourEnd;

/* What simplification takes besides the vertices, and an array it reuses from contour to contour. */
typedef struct WmContourSimplifier {
  float max_error;        /* cells */
  int32_t max_edge_cells; /* 0 = off */
  uint32_t flags;         /* WM_CONTOUR_SPLIT_... */
  int32_t border_size;    /* subtracted from x and z */
  WmContourEnd *ends;     /* [capacity] */
  size_t capacity;
} WmContourSimplifier;

typedef struct WmContourSettings {
  float max_error;        /* cells */
  int32_t max_edge_cells; /* 0 = off */
  uint32_t flags;         /* WM_CONTOUR_... */
} WmContourSettings;

/* The sides of spans from `first` to before `last` (and some around them) across which no span of the same
 * region lies.
 * out        edges [span_count]: bit d for direction d; none of what is no region */
void wm_contour_find_edges(const WmCompactHeightfield *compact, const uint16_t *span_region, uint32_t first,
                           uint32_t last, uint8_t *edges);

/* Appends the simplified form of a raw contour to `simplified`, with border_size taken off.
 * in         the contour is the last raw_count of the raw vertices; room after them is used
 * out        *count vertices appended: at least 3, or 0 where nothing with an inside was left */
WmStatus wm_contour_simplify(WmContext *context, WmContourSimplifier *simplifier, WmContourVertexList *raw,
                             uint32_t raw_count, WmContourVertexList *simplified, uint32_t *count);

/* Until a vertex is settled, y is the span and the bits of its code from here on the direction of the walk
 * that met it. */
enum { WM_CONTOUR_DIRECTION_SHIFT = 20 };

typedef struct WmContourTracer {
  WmContext *context;
  const WmCompactHeightfield *compact;
  const uint16_t *span_region;
  uint8_t *edges; /* [span_count] bit d: another region across direction d, not walked along yet */
  bool keep_raw;
  bool has_border; /* otherwise no region has WM_REGION_BORDER */
  WmContourSimplifier simplifier;
  WmContourVertexList raw, simplified;
  WmContourRecord *contours;
  size_t contour_count, contour_capacity;
} WmContourTracer;

/* Makes a tracer of edges that are known; they are used up. */
void wm_contour_start(WmContext *context, const WmCompactHeightfield *compact, const WmRegions *regions,
                      const WmContourSettings *settings, uint8_t *edges, WmContourTracer *tracer);

/* Appends the contours of all edges. */
WmStatus wm_contour_trace(WmContourTracer *tracer);

/* Walks one outline from a span with edges, appending its vertices to `raw`, not settled yet. */
WmStatus wm_contour_walk(WmContourTracer *tracer, uint32_t start, int32_t x, int32_t z);

/* Gives vertices their heights and flags. */
void wm_contour_settle(const WmContourTracer *tracer, WmContourVertex *vertex, uint32_t count);

/* Joins holes to outlines and packs the contours: what wm_build_contours returns. */
WmStatus wm_contour_finish(WmContourTracer *tracer, WmContourSet *set);

WM_INLINE WmPlanarPoint wm_contour_point(const WmContourVertex *vertex) {
  return (WmPlanarPoint){vertex->x, vertex->z};
}

/* The order of places: by x, then by z. Equal where and only where the places are. */
WM_INLINE int64_t wm_contour_place(const WmContourVertex *vertex) {
  return vertex->x * ((int64_t)1 << 32) + vertex->z;
}

/* Joins holes (contour numbers, at least one) to an outline, in place; those that were not joined are moved
 * to the front of `holes`, and *hole_count says how many. `any_bridge`: leave none. */
WmStatus wm_contour_join_holes(WmContext *context, WmContourRecord *contours, WmContourVertexList *list,
                               uint32_t outline, uint32_t *holes, uint32_t *hole_count, bool any_bridge);

/* Joins each region's holes to its outline, in place: the outline gets a new stretch of `vertices`, a hole
 * keeps its record with 0 vertices. */
WmStatus wm_contour_merge_holes(WmContext *context, WmContourRecord *contours, uint32_t contour_count,
                                WmContourVertexList *vertices);

#endif
