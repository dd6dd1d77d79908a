/* A convex outline on x and z from the caller: floods and overlaps are bounded by one. */
#ifndef WALKMESH_QUERY_CONVEX_H
#define WALKMESH_QUERY_CONVEX_H

#include "base/context.h"

typedef struct WmConvex {
  const float *vertices; /* [count][3], borrowed; y is ignored */
  size_t count;
  double winding; /* 1: the direction of polygons of a mesh; -1: the other one */
} WmConvex;

enum { WM_CONVEX_VERTEX_LIMIT = 255 };

/* Checks vertices: 3 to 255, finite, once around without a turn the other way (except for rounding of
 * coordinates), not all on one line.
 * returns    WM_OK; WM_ERROR_INVALID_ARGUMENT naming the field */
WmStatus wm_convex_make(WmContext *context, const float *vertices, size_t count, const char *field,
                        WmConvex *convex);

/* True if a segment, which may be a point, touches the outline or its inside. Exact where products of
 * differences of coordinates are exact in double. */
bool wm_convex_touches(const WmConvex *convex, const float first[3], const float second[3]);

#endif
