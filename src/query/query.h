/* Queries of a navigation mesh. This header: the query object, and points on the mesh. The others:
 *
 *   filter.h              polygons that may be used, and their costs
 *   search/search.h       corridors, also searched in slices
 *   search/straighten.h   string pulling through a corridor
 *   search/path.h         paths from point to point, smooth paths
 *   search/flow_field.h   the cheapest corridors from everywhere to one point
 *   search/flood.h        all polygons that a cost or radius can reach
 *   search/islands.h      connected components
 *   local/move.h          short moves along the surface
 *   local/raycast.h       straight lines up to the first wall
 *   local/walls.h         the nearest wall, walls and portals of a polygon
 *   local/neighbourhood.h polygons around a point that don't overlap
 *   local/overlap.h       polygons in a box, a cylinder, a prism
 *   local/random.h        random points
 *   corridor/corridor.h   the corridor that an agent of the caller keeps and repairs
 *   switches/switches.h   doors: flags of the polygons in a volume
 *   tile_graph/tile_graph.h long ways over tiles, also over tiles that aren't loaded
 *   batch.h               many queries in one call
 *   trace.h               what searches decide, told to a sink
 *
 * For folders that build on queries, such as crowd/:
 *
 *   check.h               checks of positions, numbers and filters
 *   filter.h              wm_filter_unit_cost
 *   local/ray_walk.h      a raycast that needs no WmQuery and appends to the caller's array
 *   search/straighten.h   wm_query_find_portal, wm_query_measure
 *   search/funnel.h       the funnel, for any sequence of portals
 *   search/islands.h      wm_islands_nearest
 *
 * Usual order: wm_query_create once for each thread, any number of queries, wm_query_destroy. Arrays in
 * results belong to the query and are valid until its next call. The mesh may change between calls; a
 * reference to a removed tile is then an error, not a crash. After some calls a query allocates no more, and
 * no call takes time that grows with the mesh, only with what it looks at.
 *
 * Every query may return WM_ERROR_OUT_OF_MEMORY, WM_ERROR_INVALID_ARGUMENT (a position that isn't finite, a
 * cost that isn't finite or below 0, a reference that never was one), or WM_ERROR_STALE_REFERENCE; its output
 * is then zeroed. `filter` NULL is the default filter.
 *
 * Threads: queries are independent; the mesh must not change during a call.
 *
 * Source of rules and results: M. Mononen, Detour (2009-). Where ours differ, the function says so. */
#ifndef WALKMESH_QUERY_QUERY_H
#define WALKMESH_QUERY_QUERY_H

#include "base/public.h"
#include "query/filter.h"

WM_PUBLIC_BEGIN

typedef struct WmQuery WmQuery;

/* in         mesh: must outlive the query
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY; *query is NULL on failure
 * memory     grows with the polygons of the tiles that searches touch, about 60 bytes each */
WmStatus wm_query_create(WmContext *context, const WmMesh *mesh, WmQuery **query);

void wm_query_destroy(WmQuery *query);

/* ---- Points ------------------------------------------------------------------------------------------- */

typedef struct WmNearest {
  WmRef polygon;  /* 0: none in the box */
  float point[3]; /* on the surface */
  bool over;      /* the point is straight above or below the position: x and z are equal */
} WmNearest;

/* Polygons as a result. */
typedef struct WmPolygons {
  size_t count;
  const WmRef *polygons;
  const uint32_t *parents; /* index in `polygons` of the polygon it was reached from, its own for the first;
                              NULL for polygons that need not be connected */
  bool cut;                /* max_polygons was reached and there are more */
} WmPolygons;

/* The nearest point of the mesh to a position, within a box around it.
 * in         half_extents: finite, >= 0, half the size of the box
 * out        nearest: a position within the climb above or below a polygon has distance 0 from it; of several
 *            such polygons the first in the order of the tile's tree wins (as Detour). Tiles that do not
 *            touch the box are not looked at (Detour clamps the box instead) */
WmStatus wm_query_find_nearest(WmQuery *query, const float centre[3], const float half_extents[3],
                               const WmFilter *filter, WmNearest *nearest);

/* The choice between several floors. */
typedef enum WmHeightPreference {
  WM_HEIGHT_CLIMB = 0,   /* Detour's rule, above */
  WM_HEIGHT_CLOSEST = 1, /* the polygon whose point (that of wm_query_closest_point) is nearest in space; of
                            equal distances the smaller reference */
  WM_HEIGHT_BELOW = 2, /* floors at or below the point (up to the climb above it) come before those above it,
                          and among them the nearest counts: what a character stands on */
  WM_HEIGHT_ABOVE = 3  /* the reverse: floors at or above the point come first */
} WmHeightPreference;

typedef struct WmNearestOptions {
  const WmFilter *filter;
  float half_extents[3]; /* of the box; default 2, 4, 2 */
  float radius;          /* > 0: a sphere instead of the box: points farther away do not count; default 0 */
  WmHeightPreference preference;
} WmNearestOptions;

WmNearestOptions wm_nearest_options_default(void);

/* The same with a choice of shape and floor. WM_HEIGHT_CLIMB and no radius: wm_query_find_nearest. */
WmStatus wm_query_find_nearest_point(WmQuery *query, const float centre[3], const WmNearestOptions *options,
                                     WmNearest *nearest);

/* The point of a polygon's surface nearest to a position. */
WmStatus wm_query_closest_point(WmQuery *query, WmRef polygon, const float position[3], WmNearest *closest);

/* The nearest point of a polygon on x and z: the position itself if it is inside (with its own y), else one
 * on the polygon's outline; heights are those of its vertices, not of the detail mesh. */
WmStatus wm_query_closest_boundary_point(WmQuery *query, WmRef polygon, const float position[3],
                                         WmNearest *closest);

/* Height of a polygon's surface at (x, z).
 * out        *found false: the position is beside the polygon. Off-mesh connections always have a height */
WmStatus wm_query_height(WmQuery *query, WmRef polygon, const float position[3], float *height, bool *found);

WM_PUBLIC_END

#endif
