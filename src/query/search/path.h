/* Paths from point to point: a search and string pulling in one call. */
#ifndef WALKMESH_QUERY_PATH_H
#define WALKMESH_QUERY_PATH_H

#include "query/search/funnel.h"
#include "query/search/islands.h"

/* ---- Paths -------------------------------------------------------------------------------------------- */

typedef struct WmPathOptions {
  WmSearchOptions search;
  float half_extents[3]; /* how far from the mesh start and end may lie; default 2, 4, 2 */
  WmCrossings crossings;
  size_t max_points; /* 0: no limit */
  /* Of the same mesh. Where given, they are brought up to date for the filter and asked first: an end on
   * another island is WM_PATH_UNREACHABLE without a search through all of the start's. The path then leads to
   * the polygon of the start's island nearest to the end. NULL: all of it is searched (Detour's results). */
  WmIslands *islands;
} WmPathOptions;

WmPathOptions wm_path_options_default(void);

/* A path between two points of the world: moves both onto the mesh, searches, pulls the string.
 * in         options NULL: the defaults
 * out        path; a path that does not reach the end says so in state, reason and remaining */
WmStatus wm_query_find_path(WmQuery *query, const float start[3], const float end[3],
                            const WmPathOptions *options, WmPath *path);

/* The same path as points on the surface, a step apart: for drawing, or for walking without a corridor. The
 * string's own points (corners, crossings asked for) are among them, so that no line between two points
 * leaves the mesh; from each the steps begin anew, and the last one before the next is shorter. Each point
 * lies on the surface (detail heights); off-mesh connections are two points, the first flagged.
 * in         step: finite, > 0, world units on x and z between points
 * out        path: as above; point_polygons: the polygon that a point is on; length along these points
 * returns    WM_ERROR_LIMIT where there would be more than 1,000,000 points and max_points is 0
 * memory     29 bytes a point
 * cost       O(points + polygons) beyond the path's */
WmStatus wm_query_find_smooth_path(WmQuery *query, const float start[3], const float end[3], float step,
                                   const WmPathOptions *options, WmPath *path);

#endif
