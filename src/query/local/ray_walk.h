/* A walk from polygon to polygon along a straight line on x and z: what wm_query_raycast answers, and what
 * searches and corridors shorten their ways with. */
#ifndef WALKMESH_QUERY_RAY_WALK_H
#define WALKMESH_QUERY_RAY_WALK_H

#include "base/buffer.h"
#include "query/filter.h"
#include "query/local/raycast.h"

typedef struct WmRayWalk {
  /* What the caller sets; the rest may hold anything. */
  WmContext *context;
  const WmMesh *mesh;
  const WmFilter *filter; /* never NULL; its costs checked */
  WmBuffer *polygons;     /* WmRef, grows: the polygons entered, from place `polygon_count` on. NULL: none */
  size_t max_polygons;    /* to be written; SIZE_MAX: no limit. The line goes on all the same */
  size_t polygon_count;   /* behind the last one in `polygons`: moves on with each one written */
  bool on_surface; /* y of `end` is the height of the surface; else that of `to`, or of the wall's edge */
  /* What is found. */
  bool outside;      /* the line does not touch its first polygon: nothing was walked */
  bool hit;          /* a wall stops it before it reaches its end */
  float t;           /* how much of it is free, 0..1; 1 without a hit */
  float end[3];      /* where it ends: from + (to - from) * t on x and z */
  float cost;        /* of the way through its polygons, from edge to edge, each at its own cost */
  WmRef polygon;     /* the last it enters */
  uint32_t edge;     /* of that polygon: the wall; UINT32_MAX without a hit */
  const float *wall; /* the same in its ring (mesh/tile/rings.h): both ends */
  size_t entered;    /* polygons, the first included, written or not */
} WmRayWalk;

/* Walks from `from` to `to`, beginning in polygon `start` whatever its flags, up to a wall, or to an edge
 * behind which the filter lets no polygon pass; an edge with several polygons behind it is open where one of
 * them lies. Off-mesh connections are not entered, and a line that starts in one is `outside`.
 *
 * A point that rounding has put beside its polygon is taken for one on its outline, so that lines which run
 * along edges, start on them or pass through corners do not end there. On a mesh whose polygons are not
 * convex, overlap, or lead in circles, the line stops where it would leave the plane or enter a polygon for
 * the second time: that edge is then the wall.
 *
 * in         start: a polygon of the mesh; from, to: finite; y of both only counts for `cost` and `end`
 * returns    WM_OK; WM_ERROR_OUT_OF_MEMORY (polygons could not grow)
 * cost       O(polygons entered) */
WmStatus wm_ray_walk(WmRayWalk *walk, WmRef start, const float from[3], const float to[3]);

#endif
