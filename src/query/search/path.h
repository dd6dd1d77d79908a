/* Paths from point to point: nearest points, a search and string pulling in one call. */
#ifndef WALKMESH_QUERY_PATH_H
#define WALKMESH_QUERY_PATH_H

#include "base/public.h"
#include "query/search/straighten.h"
#include "query/search/islands.h"

WM_PUBLIC_BEGIN

typedef struct WmPathOptions {
  WmSearchOptions search;
  float half_extents[3]; /* boxes around start and end, as of WmNearestOptions; default 2, 4, 2 */
  float radius; /* > 0: spheres instead of the boxes: both points may be this far from the mesh; default 0 */
  WmCrossings crossings;
  size_t max_points; /* 0: no limit */
  /* Islands of the same mesh. If set, they are updated for the filter and asked first: an end on another
   * island is WM_PATH_UNREACHABLE without a search of the whole island of the start. The path then leads to
   * the point of the start's island nearest to the end. NULL: the search decides (Detour's results). */
  WmIslands *islands;
} WmPathOptions;

WmPathOptions wm_path_options_default(void);

/* A path between two points of the world: moves both onto the mesh, searches, pulls the string.
 * in         options NULL: the defaults
 * out        path: state, reason and remaining tell if, and why, it doesn't reach the end */
WmStatus wm_query_find_path(WmQuery *query, const float start[3], const float end[3],
                            const WmPathOptions *options, WmPath *path);

/* wm_query_straighten for a line that keeps options->search.wall_distance from walls, as paths do: for corridors of searches
 * in slices and of agents. Walls are the borders of the mesh, and edges towards polygons that the filter excludes. Or, with
 * search.shortest or search.any_angle and without the distance, for the line through the corridor that costs least.
 * in         options: only these and search.filter, crossings and max_points count; with none of them it is wm_query_straighten
 * out        path: as of wm_query_straighten; polygons: those that the line crosses */
WmStatus wm_query_straighten_wide(WmQuery *query, const float start[3], const float end[3],
                                  const WmRef *corridor, size_t polygon_count, const WmPathOptions *options,
                                  WmPath *path);

/* The same path as points on the surface at equal steps: for drawing, or for following it without a corridor.
 * The corners (and the crossings, if wanted) are among the points, so that no line between two points leaves
 * the mesh; steps start again at each corner, and the last step before a corner is shorter. Each point is on
 * the surface (detail heights); an off-mesh connection is two points, the first with its flag.
 * in         step: finite, > 0, world units on x and z between points
 * out        path: as above; point_polygons: the polygon of each point; length: along these points
 * returns    as all queries; WM_ERROR_LIMIT for more than 1,000,000 points if max_points is 0
 * memory     29 bytes a point
 * cost       O(points + polygons) beyond the path's */
WmStatus wm_query_find_smooth_path(WmQuery *query, const float start[3], const float end[3], float step,
                                   const WmPathOptions *options, WmPath *path);

WM_PUBLIC_END

#endif
