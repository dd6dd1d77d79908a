/* The files of the contour stage, in the order in which a contour passes through them, and their shared
 * types:
 *
 *   contours.c          finds edges, traces outlines; packs the result at the end
 *   contour_simplify.c  retains few of an outline's vertices
 *   contour_regions.c   tells holes from outlines
 *   contour_holes.c     joins holes to outlines
 *   contours_validate.c checks the result (contours_validate.h)
 *
 * The vertex lists are in scratch memory that is reserved after the stage's mark. A step that marks and
 * rewinds inside must therefore reserve a list's capacity before its own mark. */
#ifndef WALKMESH_BAKE_CONTOURS_INTERNAL_H
#define WALKMESH_BAKE_CONTOURS_INTERNAL_H

#include "bake/geometry/planar.h"
#include "bake/stages.h"

typedef struct WmContourVertex {
  int32_t x, y, z;
  int32_t code; /* region across, WM_CONTOUR_AREA_BORDER; the tracer uses the bits above */
} WmContourVertex;

typedef struct WmContourVertexList {
  WmContourVertex *items;
  size_t count, capacity;
} WmContourVertexList;

/* A run of vertices in a list. */
typedef struct WmContourRun {
  size_t first;
  uint32_t count;
} WmContourRun;

/* A contour while it is built. */
typedef struct WmContourRecord {
  WmContourRun ring, raw; /* simplified vertices; raw ones, if they are stored */
  uint32_t start;         /* the span at which the walk began: contours are sorted by it */
  uint16_t region;
  uint8_t area;
} WmContourRecord;

/* Reserves capacity for `extra` more vertices; false after recording out-of-memory. */
bool wm_contour_extend(WmContext *context, WmContourVertexList *list, size_t extra);

/* The end of a segment of a ring. Indices don't wrap: they continue past the end of the ring. */
typedef struct WmContourEnd {
  uint32_t index;
  bool by_length; /* the segment is half of one that was too long */
} WmContourEnd;

/* Settings of the simplification, and an array that is reused for each contour. */
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

/* Finds the sides of the spans first .. last - 1 (and of some around them) that border on another region.
 * out        edges [span_count]: bit d is set if the span across side d is of another region or is
 *            missing; 0 for spans without a region */
void wm_contour_find_edges(const WmCompactHeightfield *compact, const uint16_t *span_region, uint32_t first,
                           uint32_t last, uint8_t *edges);

/* Appends the simplified form of a raw contour to `simplified`, with border_size subtracted.
 * in         the contour is the last raw_count raw vertices; the capacity after them is overwritten
 * out        *count vertices appended: at least 3, or 0 if the simplified contour has no inside */
WmStatus wm_contour_simplify(WmContext *context, WmContourSimplifier *simplifier, WmContourVertexList *raw,
                             uint32_t raw_count, WmContourVertexList *simplified, uint32_t *count);

/* Until wm_contour_resolve_vertices, a vertex's y is its span, and the bits of its code from here on are
 * the direction of the walk. */
enum { WM_CONTOUR_DIRECTION_SHIFT = 20 };

typedef struct WmContourTracer {
  WmContext *context;
  const WmCompactHeightfield *compact;
  const uint16_t *span_region;
  uint8_t *edges; /* [span_count] bit d: another region is across side d, and no walk has passed here */
  bool keep_raw;
  bool has_border; /* false: no region has WM_REGION_BORDER */
  WmContourSimplifier simplifier;
  WmContourVertexList raw, simplified;
  WmContourRecord *contours;
  size_t contour_count, contour_capacity;
} WmContourTracer;

/* Starts a tracer on edges found by wm_contour_find_edges. The tracer clears them. */
void wm_contour_start(WmContext *context, const WmCompactHeightfield *compact, const WmRegions *regions,
                      const WmContourSettings *settings, uint8_t *edges, WmContourTracer *tracer);

/* Appends the contours of all edges. */
WmStatus wm_contour_trace(WmContourTracer *tracer);

/* Walks one outline, from a span that has edges. Appends its unresolved vertices to `raw`. */
WmStatus wm_contour_walk(WmContourTracer *tracer, uint32_t start, int32_t x, int32_t z);

/* Replaces the span and direction in vertices by their heights and flags. */
void wm_contour_resolve_vertices(const WmContourTracer *tracer, WmContourVertex *vertex, uint32_t count);

/* Joins holes to outlines and packs the contours: the result of wm_build_contours. */
WmStatus wm_contour_finish(WmContourTracer *tracer, WmContourSet *set);

WM_INLINE WmPlanarPoint wm_contour_point(const WmContourVertex *vertex) {
  return (WmPlanarPoint){vertex->x, vertex->z};
}

/* A key that sorts points by x, then by z. Two keys are equal if and only if the points are. */
WM_INLINE int64_t wm_contour_sort_key(const WmContourVertex *vertex) {
  return vertex->x * ((int64_t)1 << 32) + vertex->z;
}

/* Joins holes (indices of contours, at least one) to an outline, in place. Holes that could not be joined
 * are moved to the front of `holes`; *hole_count is their number. With `any_bridge` there are none. */
WmStatus wm_contour_join_holes(WmContext *context, WmContourRecord *contours, WmContourVertexList *list,
                               uint32_t outline, uint32_t *holes, uint32_t *hole_count, bool any_bridge);

/* Joins each region's holes to its outline, in place: the outline gets a new run of `vertices`, a hole
 * stays in the list with 0 vertices. */
WmStatus wm_contour_merge_holes(WmContext *context, WmContourRecord *contours, uint32_t contour_count,
                                WmContourVertexList *vertices);

#endif
