/* String pulling: the shortest line through a corridor of polygons, as points of a path. */
#ifndef WALKMESH_QUERY_STRAIGHTEN_H
#define WALKMESH_QUERY_STRAIGHTEN_H

#include "base/public.h"
#include "query/search/search.h"

WM_PUBLIC_BEGIN

/* Flags of the points of a path. */
enum {
  WM_POINT_START = 1,
  WM_POINT_END = 2,
  WM_POINT_OFF_MESH =
      4 /* an off-mesh connection or a segment link begins here; the next point is its other end */
};

/* Points to add where the path crosses from polygon to polygon. */
typedef enum WmCrossings {
  WM_CROSSINGS_NONE = 0,
  WM_CROSSINGS_AREAS = 1, /* where the area changes */
  WM_CROSSINGS_ALL = 2
} WmCrossings;

typedef struct WmPath {
  WmPathState state;
  WmPathReason reason;
  float cost;      /* of the corridor */
  float length;    /* of the line through the points, world units, without the gaps of segment links */
  float remaining; /* straight distance from its last point to the end on the mesh; 0 where complete */
  bool cut;        /* max_points was reached: the points end before the path does */
  size_t polygon_count;
  const WmRef *polygons;
  size_t point_count;
  const float *points;         /* [point_count][3] */
  const uint8_t *point_flags;  /* [point_count] WM_POINT_... */
  const WmRef *point_polygons; /* [point_count] polygon entered at the point; 0 at the end */
  WmNearest start, end;        /* the ends on the mesh (find_path only) */
  size_t searched;
  float bound; /* as in WmCorridor (find_path only) */
} WmPath;

/* Pulls a string through a corridor.
 * in         start, end: clamped to the first and last polygon; corridor [polygon_count >= 1]: may be the
 *            array of the query's last result; max_points 0: no limit
 * out        path: state WM_PATH_COMPLETE, or WM_PATH_PARTIAL with WM_PATH_REASON_BROKEN_CORRIDOR: the points
 *            lead to the last polygon that is linked; cost 0 */
WmStatus wm_query_straighten(WmQuery *query, const float start[3], const float end[3], const WmRef *corridor,
                             size_t polygon_count, WmCrossings crossings, size_t max_points, WmPath *path);

/* The cost of the string through a corridor: the length of its part in each polygon times the unit cost
 * there.
 * in         start, end: clamped to the first and last polygon; polygons [polygon_count >= 1]: the first is a
 *            reference of the mesh; where one isn't linked to the next, the string ends there
 * out        *cost
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY
 * cost       O(polygons) */
WmStatus wm_query_measure(WmQuery *query, const float start[3], const float end[3], const WmRef *polygons,
                          size_t polygon_count, const WmFilter *filter, float *cost);

/* The portal [2][3] from a polygon to the next one, left and right end: that of the first link that leads
 * there.
 * in         tile, polygon: a polygon of the mesh; next: any reference, stale ones and 0 too
 * returns    NULL: no link leads there
 * cost       O(links of the polygon) */
const float *wm_query_find_portal(const WmMeshTile *tile, uint32_t polygon, WmRef next);

WM_PUBLIC_END

#endif
