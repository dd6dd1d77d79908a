/* Corridors: the cheapest polygons from one point to another, found in one call or in slices. */
#ifndef WALKMESH_QUERY_SEARCH_H
#define WALKMESH_QUERY_SEARCH_H

#include "base/public.h"
#include "query/query.h"

WM_PUBLIC_BEGIN

typedef enum WmPathState {
  WM_PATH_NONE = 0,     /* no path: the start or the end isn't on the mesh */
  WM_PATH_COMPLETE = 1, /* from start to end */
  WM_PATH_PARTIAL = 2,  /* stopped by max_nodes; ends in the polygon entered nearest to the end */
  WM_PATH_UNREACHABLE =
      3 /* not connected; ends in such a polygon, too; with islands at the nearest point of the start's island */
} WmPathState;

/* The reason why a path isn't complete. */
typedef enum WmPathReason {
  WM_PATH_REASON_NONE = 0,
  WM_PATH_REASON_START_NOT_FOUND = 1, /* no polygon within half_extents of the start */
  WM_PATH_REASON_END_NOT_FOUND = 2,   /* the same for the end */
  WM_PATH_REASON_END_EXCLUDED = 3,  /* the filter passes no polygon near the end, or not the end's polygon */
  WM_PATH_REASON_NOT_CONNECTED = 4, /* start and end aren't connected for this filter */
  WM_PATH_REASON_NODE_LIMIT = 5,    /* max_nodes was reached */
  WM_PATH_REASON_BROKEN_CORRIDOR = 6, /* two polygons of the corridor aren't linked, or one was removed */
  WM_PATH_REASON_UNFINISHED = 7,      /* the search was finished before it was done */
  WM_PATH_REASON_START_EXCLUDED = 8   /* the filter passes no polygon within half_extents of the start */
} WmPathReason;

/* ---- Corridors ---------------------------------------------------------------------------------------- */

typedef struct WmCorridor {
  WmPathState state;
  WmPathReason reason;
  /* As the search has measured it, area costs included: of the line through a point for each polygon, the midpoint of
   * the edge by which the search met it first, even if the corridor enters by another (as Detour's nodes). Mostly above
   * the cost of the string; where polygons are met again, as at the ends of off-mesh connections, it can be below it. Of
   * a complete corridor with any_angle or shortest: of its string. */
  float cost;
  size_t polygon_count;
  const WmRef *polygons; /* from start to end */
  /* Polygons that the search expanded. With shortest, of an end that can't be reached: those of the ordinary search. */
  size_t searched;
  /* Of a complete corridor with shortest: no way costs less; at most `cost`. Else 0: none is proven. */
  float bound;
} WmCorridor;

typedef struct WmSearchOptions {
  const WmFilter *filter;
  size_t max_nodes; /* 0: no limit; with any_angle or shortest: for each of two searches */
  /* Where the costs of ground that occur differ: a search over points on portals, for the cheapest line
   * (see `shortest`). Else:
   * shortcuts along rays: where a straight line over the surface leads from a node's parent to the next node,
   * the corridor follows it, at the costs that the ray crosses (as Theta* does). So corridors follow the
   * shortest line instead of the midpoints of edges. It is a second search after the ordinary one, with a ray
   * for each link it follows: several times slower. The result is the corridor of the two searches whose
   * string costs less, and `cost` is that of its string; if the end can't be reached, it is that of the first
   * search. Default false: Detour's results. */
  bool any_angle;
  float ray_limit; /* with any_angle, world units, >= 0: nodes farther than this from their parent get no ray
                      past it; 0: 50 times the agent's radius */
  /* The exact shortest corridor: no string over the mesh is shorter than its string, measured on x and z; connections
   * count with their length and cost factor, segment links with their cost. `cost` is that of the string. Takes 1 to 2 times as long as the ordinary
   * search. Where the costs of the ground that occurs differ, `bound` is the length of that corridor's string on x and z times the
   * least of them. A line may then turn wherever costs change, not only at ends of portals: a third search, over
   * points on portals, looks for a cheap corridor, which may pass a polygon twice. The result is the cheaper one of its line and the line
   * through the shortest or the ordinary corridor, whichever has the cheaper string. `cost` is that of the line, which wm_query_find_path draws, and
   * wm_query_straighten_wide. It costs hardly more than the cheapest way (docs/queries.md), and never more than the ordinary string.
   * With wall_distance, the path is that line moved off walls, and its cost that of the path. Where costs don't differ,
   * `bound` is the cost itself, less what the string's heights add, and 1e-6 of it for rounding. If the end can't be
   * reached, the result is the ordinary one. Searches with max_nodes and searches in slices start with the ordinary search,
   * so that they have a corridor at any time: `searched` then is that of both, and `bound` the straight line's until they
   * are done. Between tiles, portals are rounded to 1/255 of an edge: an ordinary string that leaves the mesh there by less
   * than that can be a little shorter. Overrides any_angle. Default false: Detour's results.
   * source     M. Cui, D. D. Harabor, A. Grastien, "Compromise-free Pathfinding on a Navigation Mesh", 2017 */
  bool shortest;
  /* With any_angle or shortest: the corridor is for a string, wherever costs differ. Default false. */
  bool is_plain;
  /* World units, beyond the agent's radius, which the mesh already keeps. Paths keep this distance from walls wherever
   * the passage is at least twice as wide, round corners in arcs (of points at most 26 degrees apart), and pass narrower
   * places in their middle. Within about this distance of start, end and connections they approach the wall there.
   * The corridor is that of the search; the line is the shortest one beside its string that keeps the distance, and
   * leads through polygons beside the corridor where it must. Paths with `shortest` that get much longer are searched again, and
   * lead past other sides of obstacles if they are shorter there: their cost is then above `bound`. 0 (default): the shortest
   * line, along walls. */
  float wall_distance;
  /* >= 0: ground near walls costs more, so that corridors lead through open ground. A world unit at distance d < D from
   * the nearest wall, D = wall_distance, costs 1 + wall_cost * (1 - d / D) times as much; a link costs the mean of both
   * its ends, the midpoints of edges. So no cost becomes lower, and estimates stay lower bounds. The search measures a
   * distance for each polygon it meets: 3 to 10 times slower. `cost` is that of the corridor with these factors. Above 0 it
   * needs wall_distance, and excludes any_angle and shortest, whose corridors are lines, not midpoints. Default 0. */
  float wall_cost;
} WmSearchOptions;

WmSearchOptions wm_search_options_default(void);

/* Finds the cheapest corridor (A* over midpoints of edges, as Detour).
 * in         start, end: polygons; positions on or near them, with `shortest` moved onto them; options NULL: the defaults
 * out        corridor: polygons are valid until the next query, each linked to the next; the start is the
 *            first, even if it doesn't pass the filter */
WmStatus wm_query_find_corridor(WmQuery *query, WmRef start, const float start_position[3], WmRef end,
                                const float end_position[3], const WmSearchOptions *options,
                                WmCorridor *corridor);

/* ---- Searches in slices -------------------------------------------------------------------------------- */

/* The same search, some polygons at a time: begin, advance until it is done, finish. It owns what it needs:
 * other queries, other searches and changes of flags may happen between its calls. A search whose corridor such changes have closed
 * starts again when it would be done. Where tiles or connections
 * change in between, it goes on if it hasn't met them, nor their links, and else starts again by itself, as long as its start
 * and end exist. Some parts start again after any such change: the second search of `shortest` and of costs that differ; all of a
 * search with wall_cost; and with any_angle all, once it looks for shortcuts. */
typedef struct WmSearch WmSearch;

/* returns    WM_OK, WM_ERROR_OUT_OF_MEMORY; *search is NULL on failure */
WmStatus wm_search_create(WmContext *context, const WmMesh *mesh, WmSearch **search);
void wm_search_destroy(WmSearch *search);

/* Begins a search and cancels the one before. The filter is copied, its WmCosts are borrowed.
 * returns    as wm_query_find_corridor */
WmStatus wm_search_begin(WmSearch *search, WmRef start, const float start_position[3], WmRef end,
                         const float end_position[3], const WmSearchOptions *options);

/* Expands at most `budget` polygons.
 * out        *done: nothing is left to do; *used (may be NULL): polygons expanded
 * returns    as all queries; WM_ERROR_STATE (no search was begun); WM_ERROR_STALE_REFERENCE (start or end was
 *            removed with its tile: the search is over). After WM_ERROR_OUT_OF_MEMORY the next call starts
 *            again */
WmStatus wm_search_advance(WmSearch *search, size_t budget, bool *done, size_t *used);

/* Writes the corridor. If the search is done, it is that of wm_query_find_corridor (`searched` may be another with
 * shortest). Else it leads to the
 * reached point nearest to the end, with WM_PATH_REASON_UNFINISHED: WM_PATH_PARTIAL, or WM_PATH_COMPLETE if
 * that is the end already (a cheaper corridor may exist). The search may be advanced and finished again.
 * out        corridor: valid until the search's next call
 * returns    WM_OK; WM_ERROR_STATE (no search was begun); WM_ERROR_STALE_REFERENCE as wm_search_advance;
 *            WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_search_finish(WmSearch *search, WmCorridor *corridor);

/* wm_search_finish for the repair of an existing corridor: leads to the last polygon of that corridor that
 * the search has met, which need not be nearest to the end. If that isn't the end, a search that is done and
 * has reached the end reports WM_PATH_PARTIAL and WM_PATH_REASON_UNFINISHED. If none was met, it is
 * wm_search_finish.
 * in         corridor [polygon_count]: removed polygons are ignored
 * out        found: with any_angle WM_PATH_REASON_BROKEN_CORRIDOR where flags that have changed since block a
 *            shortcut; the corridor ends in front of it */
WmStatus wm_search_finish_along(WmSearch *search, const WmRef *corridor, size_t polygon_count,
                                WmCorridor *found);

WM_PUBLIC_END

#endif
