/* Questions to a navigation mesh: nearest polygon, corridor, path.
 *
 * Usual order: wm_query_create once for each thread, any number of questions, wm_query_destroy. Answers that
 * are arrays belong to the query and stay until its next question. The mesh may change between questions; a
 * reference to a removed tile is then an error, not a crash. A query that has answered a few questions
 * allocates no more.
 *
 * Threads: queries are independent; the mesh must not change during a question.
 *
 * Source of rules and results: M. Mononen, Detour (2009-). Where ours differ, the function says so. */
#ifndef WALKMESH_QUERY_QUERY_H
#define WALKMESH_QUERY_QUERY_H

#include "mesh/mesh.h"

/* Which polygons may be used, and how dear they are. */
typedef struct WmFilter {
  uint16_t include_flags; /* at least one of these is needed; default 0xffff. Flags 0 never pass */
  uint16_t exclude_flags; /* none of these may be set; default 0 */
  float area_costs[64];   /* of a world unit, finite, >= 0; default 1. Below 1 paths need not be cheapest */
} WmFilter;

WmFilter wm_filter_default(void);

typedef struct WmQuery WmQuery;

/* returns    WM_OK, WM_ERROR_OUT_OF_MEMORY; *query is NULL on failure
 * memory     grows with the polygons of the tiles that searches touch, about 60 bytes each */
WmStatus wm_query_create(WmContext *context, const WmMesh *mesh, WmQuery **query);

void wm_query_destroy(WmQuery *query);

/* Every question may return WM_ERROR_OUT_OF_MEMORY, WM_ERROR_INVALID_ARGUMENT (a position that is not finite,
 * a cost that is not finite or below 0, a reference that never was one), or WM_ERROR_STALE_REFERENCE; its
 * output is then zeroed. `filter` NULL is the default filter. */

/* ---- Points ------------------------------------------------------------------------------------------- */

typedef struct WmNearest {
  WmRef polygon;  /* 0: none in the box */
  float point[3]; /* on the surface */
  bool over;      /* the point is straight above or below: x and z are those asked for */
} WmNearest;

/* The polygon nearest to a point, within a box around it.
 * in         half_extents: finite, >= 0, half the size of the box
 * out        a point within the climb above or below a polygon has distance 0 from it; of several such
 *            polygons the first in the order of the tile's tree wins (as Detour). Tiles that do not touch the
 *            box are not looked at (Detour clamps the box instead) */
WmStatus wm_query_find_nearest(WmQuery *query, const float centre[3], const float half_extents[3],
                               const WmFilter *filter, WmNearest *nearest);

/* The point of a polygon's surface nearest to a point. */
WmStatus wm_query_closest_point(WmQuery *query, WmRef polygon, const float position[3], WmNearest *closest);

/* Height of a polygon's surface at (x, z).
 * out        *found false: the point is beside the polygon. Off-mesh connections always have a height */
WmStatus wm_query_height(WmQuery *query, WmRef polygon, const float position[3], float *height, bool *found);

/* ---- Paths -------------------------------------------------------------------------------------------- */

typedef enum WmPathState {
  WM_PATH_NONE = 0,       /* nothing to show: start or end is not on the mesh */
  WM_PATH_COMPLETE = 1,   /* from start to end */
  WM_PATH_PARTIAL = 2,    /* the search was stopped by max_nodes; leads to the nearest place found so far */
  WM_PATH_UNREACHABLE = 3 /* all that can be reached was searched; leads to the place nearest to the end */
} WmPathState;

/* Why a path is not complete. */
typedef enum WmPathReason {
  WM_PATH_REASON_NONE = 0,
  WM_PATH_REASON_START_NOT_FOUND = 1, /* no polygon that passes the filter within half_extents of the start */
  WM_PATH_REASON_END_NOT_FOUND = 2,   /* the same for the end */
  WM_PATH_REASON_END_EXCLUDED = 3,    /* the filter does not let the end's polygon pass */
  WM_PATH_REASON_NOT_CONNECTED = 4,   /* no way from start to end for this filter */
  WM_PATH_REASON_NODE_LIMIT = 5,      /* max_nodes */
  WM_PATH_REASON_BROKEN_CORRIDOR = 6  /* two polygons of the corridor are not linked, or one has gone */
} WmPathReason;

/* Flags of the points of a path. */
enum {
  WM_POINT_START = 1,
  WM_POINT_END = 2,
  WM_POINT_OFF_MESH = 4 /* an off-mesh connection begins here; the next point is its other end */
};

/* Points to add where the path crosses from polygon to polygon. */
typedef enum WmCrossings {
  WM_CROSSINGS_NONE = 0,
  WM_CROSSINGS_AREAS = 1, /* where the area changes */
  WM_CROSSINGS_ALL = 2
} WmCrossings;

typedef struct WmCorridor {
  WmPathState state;
  WmPathReason reason;
  float cost; /* sum over the search's way through edge midpoints, areas' costs included */
  size_t polygon_count;
  const WmRef *polygons; /* from start to end */
  size_t searched;       /* polygons the search took up */
} WmCorridor;

/* The cheapest corridor of polygons (A* over midpoints of edges, as Detour).
 * in         start, end: polygons; positions on or near them. max_nodes 0: no limit
 * out        corridor->polygons stay until the query's next question; the start is always there, whatever the
 *            filter says of it */
WmStatus wm_query_find_corridor(WmQuery *query, WmRef start, const float start_position[3], WmRef end,
                                const float end_position[3], const WmFilter *filter, size_t max_nodes,
                                WmCorridor *corridor);

typedef struct WmPath {
  WmPathState state;
  WmPathReason reason;
  float cost;   /* of the corridor */
  float length; /* of the line through the points, world units */
  bool cut;     /* max_points was reached: the points end before the path does */
  size_t polygon_count;
  const WmRef *polygons;
  size_t point_count;
  const float *points;         /* [point_count][3] */
  const uint8_t *point_flags;  /* [point_count] WM_POINT_... */
  const WmRef *point_polygons; /* [point_count] polygon entered at the point; 0 at the end */
  WmNearest start, end;        /* where the ends came to lie on the mesh (find_path) */
  size_t searched;
} WmPath;

/* Pulls a string tight through a corridor.
 * in         start, end: clamped to the first and last polygon; corridor [polygon_count >= 1]: may be the
 *            array of the query's last answer; max_points 0: no limit
 * out        state WM_PATH_COMPLETE, or WM_PATH_PARTIAL with WM_PATH_REASON_BROKEN_CORRIDOR: the points lead
 *            to the last polygon that can be reached; cost 0 */
WmStatus wm_query_straighten(WmQuery *query, const float start[3], const float end[3], const WmRef *corridor,
                             size_t polygon_count, WmCrossings crossings, size_t max_points, WmPath *path);

typedef struct WmPathOptions {
  const WmFilter *filter; /* NULL: the default */
  float half_extents[3];  /* how far from the mesh start and end may lie; default 2, 4, 2 */
  WmCrossings crossings;
  size_t max_nodes;  /* 0: no limit */
  size_t max_points; /* 0: no limit */
} WmPathOptions;

WmPathOptions wm_path_options_default(void);

/* A path between two points of the world: moves both onto the mesh, searches, pulls the string.
 * in         options NULL: the defaults
 * out        path; a path that does not reach the end says so in state and reason */
WmStatus wm_query_find_path(WmQuery *query, const float start[3], const float end[3],
                            const WmPathOptions *options, WmPath *path);

#endif
