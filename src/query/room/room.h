/* Room: a string that keeps a distance from walls, and how much more ground costs near them.
 *
 * The line is the shortest one around discs. Each disc lies on a point of a wall near the plain string, on the side of
 * the string where the wall lies; its radius is the wanted distance, or half the width of the passage where that is
 * less, so that discs of both sides never overlap. So the line keeps the distance where there is room for it, passes
 * narrow places in their middle, and rounds corners in arcs.
 *
 *   room_walls.c    points on walls near each leg of the plain string, and the side on which they lie
 *   room_discs.c    the radii of their discs; how start and end leave walls that are too near
 *   room_string.c   the string around the discs, in points
 *   room.c          the check of the line by rays over the mesh; where it fails, discs shrink, and at last the plain
 *                   string is the result
 *   room_path.c     paths: parts between off-mesh connections, corridors and crossings
 *   room_search.c   another corridor, where the line is much longer than the plain string
 *   room_cost.c     costs near walls
 *
 * Sources: for polygons H. Rohnert, "Shortest paths in the plane with convex polygonal obstacles", 1986, and for the
 * order of turns the funnel (query/search/funnel.h); D. Demyen, M. Buro, "Efficient Triangulation-Based Pathfinding",
 * 2006, pulls a string around discs of one radius at the ends of portals. Ours takes walls behind portals into account,
 * and radii that differ. */
#ifndef WALKMESH_QUERY_ROOM_H
#define WALKMESH_QUERY_ROOM_H

#include "query/search/straighten.h"

/* The string through a part of a corridor without connections. */
typedef struct WmRoomTask {
  const WmFilter *filter; /* not NULL */
  float distance;         /* > 0, finite: from walls */
  size_t point_count;     /* >= 2 */
  const float *points;    /* [point_count][3] start, corners, end */
  /* [point_count] ground polygon entered at each point; at the end, the last one; behind the horizon, any */
  const WmRef *polygons;
  bool stays; /* start and end don't leave walls that are too near: distances grow along the line */
  float
      growth; /* if it stays, 0..1: distances grow from the start's by at most this fraction of the way; 0: no limit */
  /* Walls farther along the string are not looked at: the line is certain up to this length, and behind that only rounds
   * the string's corners. 0: no limit. */
  float horizon;
  /* The string turns where ground costs differ, too: the line passes its corners off walls. */
  bool is_cheapest;
  /* The corridor, and the index of each point's polygon in it; NULL: the line needn't be exact about polygons. */
  const WmRef *corridor;
  const uint32_t *entries; /* [point_count], ascending */
} WmRoomTask;

/* The line, in arrays of the query that wm_room_find overwrites. */
typedef struct WmRoomLine {
  size_t point_count;  /* 0: it is the plain string */
  const float *points; /* [point_count][3] on the surface, up to the horizon; first and last are the task's */
  const uint32_t *at;  /* [point_count] index in `polygons` of the polygon entered at each point */
  size_t polygon_count;
  const WmRef *polygons; /* those that it crosses, each linked to the next; up to the horizon */
  bool is_cut;           /* it is longer than the horizon */
} WmRoomLine;

/* Finds the line.
 * in         task: its arrays must not be those that a line needs
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY
 * cost       O(walls^2) for each leg of the string in the worst case; a leg sees at most 256 polygons */
WmStatus wm_room_find(WmQuery *query, const WmRoomTask *task, WmRoomLine *line);

/* Makes a path keep `distance` from walls, where wm_query_pull or wm_cheapest_pull has pulled its string without crossings. Its
 * corridor becomes the polygons that the line crosses.
 * in         options of the search: filter (not NULL) and wall_distance; is_cheapest: as in WmRoomTask; the path's cost is then
 *            that of the line
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_room_widen_path(WmQuery *query, const WmSearchOptions *options, bool is_cheapest,
                            WmCrossings crossings, size_t max_points, WmPath *path);

/* The question whether a path that keeps its distance from walls gets shorter on other sides of obstacles. It is asked for paths
 * whose line without the distance is the exact shortest one. */
typedef struct WmRoomOther {
  const WmSearchOptions *options; /* filter (not NULL) and wall_distance */
  WmCrossings crossings;
  size_t max_points;  /* 0: no limit */
  WmRef end;          /* polygon, and point, that the path leads to */
  const float *to;    /* [3] */
  float plain_length; /* of the string without a distance */
} WmRoomOther;

/* Where a path keeps a distance and is much longer than the plain string, looks for one past other sides of obstacles, and
 * replaces the path if that one is shorter. Paths over connections stay.
 * in/out     path: of wm_room_widen_path without a limit of points
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_room_shorten_path(WmQuery *query, const WmRoomOther *task, WmPath *path);

/* Checks wall_distance and wall_cost.
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT; WM_ERROR_UNSUPPORTED in the core module */
WmStatus wm_room_check(const WmQuery *query, const WmSearchOptions *options);

/* How near walls are: 1 at a wall, 0 at `distance` and beyond, and linear between.
 * in         polygon: a polygon of the mesh; a connection has no walls */
float wm_room_nearness(const WmMesh *mesh, const WmFilter *filter, const WmMeshTile *tile, uint32_t polygon,
                       const float point[3], float distance);

#endif
