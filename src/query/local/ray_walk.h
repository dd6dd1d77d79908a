/* A walk over polygons along a straight line on x and z: the core of wm_query_raycast, and the ray with which
 * searches, corridors and crowds look for shortcuts. It needs no WmQuery, and appends to an array of the
 * caller. */
#ifndef WALKMESH_QUERY_RAY_WALK_H
#define WALKMESH_QUERY_RAY_WALK_H

#include "base/buffer.h"
#include "query/filter.h"

typedef struct WmRayWalk {
  /* Set by the caller; the other fields need no value. */
  WmContext *context;
  const WmMesh *mesh;
  const WmFilter *filter; /* not NULL; its costs are checked */
  WmBuffer *polygons;     /* WmRef: the polygons entered, from index `polygon_count` on; grows. NULL: none */
  size_t max_polygons;    /* to be written; SIZE_MAX: no limit. The walk itself isn't limited */
  size_t polygon_count;   /* in `polygons`: advances with each polygon written */
  bool on_surface; /* y of `end` is the height of the surface; else that of `to`, or of the wall's edge */
  /* Results. */
  bool outside;      /* the line doesn't touch its first polygon: no polygon was entered */
  bool hit;          /* a wall stops it before its end */
  float t;           /* fraction of the line that is free, 0..1; 1 without a hit */
  float end[3];      /* where it ends: from + (to - from) * t on x and z */
  float cost;        /* of its parts from edge to edge, each at the unit cost of its polygon */
  WmRef polygon;     /* the last polygon it enters */
  uint32_t edge;     /* of that polygon: the wall; UINT32_MAX without a hit */
  const float *wall; /* the same edge in the polygon's ring (mesh/tile/rings.h): both ends */
  size_t entered;    /* polygons entered, the first included, written or not */
} WmRayWalk;

/* Walks from `from` to `to`, starting in polygon `start` whatever its flags, until a wall, or an edge behind
 * which no polygon passes the filter. An edge with several polygons behind it is open where one of them lies.
 * Off-mesh connections are not entered, and a line that starts in one is `outside`.
 *
 * A point that rounding has put beside its polygon is taken for one on its outline, so that lines along
 * edges, from edges and through corners continue. On a mesh whose polygons aren't convex, overlap, or lead in
 * circles, the line stops where it would leave the plane or enter a polygon for the second time: that edge is
 * then the wall.
 *
 * in         start: a polygon of the mesh; from, to: finite; y of both only counts for `cost` and `end`
 * in/out     walk: see its fields
 * returns    WM_OK; WM_ERROR_OUT_OF_MEMORY (polygons could not grow)
 * cost       O(polygons entered) */
WmStatus wm_ray_walk(WmRayWalk *walk, WmRef start, const float from[3], const float to[3]);

#endif
