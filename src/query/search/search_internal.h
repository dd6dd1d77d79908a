/* A corridor search that can stop after any polygon: shared by wm_query_find_corridor, WmSearch and the
 * repair of corridors.
 *
 *   search.c         the search, and writing its result
 *   ../shortest/     the exact shortest corridor
 *   any_angle.c      the second search, with shortcuts
 *   ../cheapest/     a cheap corridor where ground costs differ
 *   sliced_search.c  WmSearch
 *
 * Usual order: wm_search_start, wm_search_run with any budgets until it is done, wm_search_write. The result
 * doesn't depend on the budgets. */
#ifndef WALKMESH_QUERY_SEARCH_INTERNAL_H
#define WALKMESH_QUERY_SEARCH_INTERNAL_H

#include "query/query_internal.h"

/* The arguments of a search. */
typedef struct WmSearchTask {
  WmRef start, end;
  float start_position[3], end_position[3];
  WmSearchOptions options; /* its filter isn't NULL */
  /* shortest: the cost of a corridor that costs the same everywhere may be left out. It is then minus the cost of a world
   * unit, and wm_query_pull computes it together with the points. */
  bool leaves_cost;
} WmSearchTask;

/* The part of a search's state that belongs to shortest.c. Its cones and corners are the query's. */
typedef struct WmConeSearch {
  bool begun;           /* there are cones */
  bool has_connections; /* some were met */
  bool is_even;         /* ground costs the same everywhere */
  bool is_free;         /* some ground costs nothing: the length is no bound of the cost */
  float ground_cost;    /* of a world unit, > 0; the least if it differs */
  double scale; /* the least cost of a world unit, over ground_cost: below 1 where connections are cheaper */
  double most;  /* dearer strings are not looked for */
  double slack; /* how far ground may lie beside the segment links that were met */
  WmConeVector end;
  uint32_t end_patch;    /* of the end's polygon in its tile; UINT32_MAX: it is no ground */
  struct WmCone *items;  /* the query's cones */
  uint32_t count, limit; /* of them */
  size_t room;           /* cones for which there is memory */
  size_t heap_count;
  uint32_t held; /* the only cone of an expansion; UINT32_MAX: none */
  uint64_t next; /* key of the best cone that isn't in the open list */
  uint64_t taken,
      stopped; /* keys of the last cone from the open list, and of that before the first one was refused */
} WmConeSearch;

/* The part of a search's state that belongs to cheapest/. Its spots and gates are the query's. */
typedef struct WmSpotSearch {
  bool begun;
  float least;   /* lower bound of the cost of a world unit */
  float most;    /* dearer ways are not followed */
  uint32_t last; /* the best way's last spot; UINT32_MAX: none leads to the end */
  uint32_t spot_count, gate_count, next_count, table_size; /* table_size: a power of 2 */
  size_t heap_count;
  bool is_top_removed; /* the heap's top key was popped: the next pushed key replaces it */
  size_t left;         /* spots that may still be expanded */
} WmSpotSearch;

/* The state of a search between two slices, except its nodes, which are the query's. */
typedef struct WmSearchState {
  WmQuery *query;
  const WmSearchTask *task;
  const WmFilter *filter;
  float left_scale; /* lower bound of the cost of a world unit */
  float end[3];
  uint32_t end_slot, end_polygon;
  size_t max_nodes;         /* SIZE_MAX: no limit */
  size_t touched, expanded; /* nodes met; polygons expanded */
  size_t first_expanded;    /* of those, when a search in cones or over spots began */
  uint32_t best;            /* node nearest to the end; the end's node once it is reached */
  float best_left;          /* WmNode.left of it */
  bool reached;             /* the end was popped */
  bool limited;             /* max_nodes kept polygons out, or a limit cones */
  bool first_limited;       /* the same, when a search in cones or over spots began */
  bool done;                /* nothing is left to do */
  /* any_angle: this is the second of two searches. */
  bool shortcuts;
  float ray_squared; /* longer shortcuts are not tried */
  WmCorridor former; /* of the first search, in the query's former polygons; its cost is that of the string */
  /* shortest */
  bool is_in_cones; /* this is the second of two searches, or the only one */
  bool refused;     /* a cone of the current link was refused at the limit */
  WmConeSearch cones;
  /* Both: ground costs differ, and the cheapest line is looked for. */
  bool seeks_cheapest;
  WmSpotSearch spots; /* of a further search, after that in cones, or instead of that with shortcuts */
} WmSearchState;

/* Checks the filter and the ray limit.
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT */
WmStatus wm_search_check_options(const WmQuery *query, const WmSearchOptions *options);

/* A task of checked arguments. NULL as filter becomes the query's default filter. */
WmSearchTask wm_search_task(const WmQuery *query, WmRef start, const float start_position[3], WmRef end,
                            const float end_position[3], const WmSearchOptions *options);

/* Makes a task of arguments after the checks of wm_query_find_corridor.
 * in         options NULL: the defaults
 * out        *task: with `shortest`, positions on their polygons */
WmStatus wm_search_check(const WmQuery *query, WmRef start, const float start_position[3], WmRef end,
                         const float end_position[3], const WmSearchOptions *options, WmSearchTask *task);

/* Runs a whole search and writes its result.
 * in         task: checked */
WmStatus wm_query_search(WmQuery *query, const WmSearchTask *task, WmCorridor *corridor);

/* Puts the start on the open list.
 * in         task: checked; it and its filter must outlive the search */
WmStatus wm_search_start(WmQuery *query, const WmSearchTask *task, WmSearchState *state);

/* Finds the cost of the line through a corridor from start to end: of the string, or where it seeks that, of the cheapest line.
 * in         links, least: as wm_query_measure_linked */
WmStatus wm_search_measure(const WmSearchState *state, const WmRef *polygons, const uint32_t *links,
                           size_t polygon_count, float least, float *cost);

/* The lower bound of the cost of a world unit that a search begins with. */
float wm_search_left_scale(const WmMesh *mesh, const WmFilter *filter);

/* The end was reached: starts the second of two searches, if the options ask for one. */
WmStatus wm_search_go_on(WmSearchState *state);

/* After the first search has reached the end: copies its corridor to state->former, with the cost of its string. */
WmStatus wm_search_keep(WmSearchState *state);

/* Expands `budget` polygons, or fewer if the search is done earlier. After a failure the search is lost. */
WmStatus wm_search_run(WmSearchState *state, size_t budget);

/* The node of the last polygon of a corridor that the search has met, the cheapest node of several; the best
 * node if it has met none. */
uint32_t wm_search_find_along(const WmSearchState *state, const WmRef *corridor, size_t polygon_count);

/* Writes the corridor from the start to a node, with the state and the reason that follow from it.
 * out        corridor: polygons of the query */
WmStatus wm_search_write(const WmSearchState *state, uint32_t number, WmCorridor *corridor);

/* Writes the result of a search, done or not: the corridor to the best node, or with shortcuts the cheaper of
 * both; with shortest the shortest one once it is found. Zeroed on failure. */
WmStatus wm_search_result(const WmSearchState *state, WmCorridor *corridor);

/* ---- shortest.c --------------------------------------------------------------------------------------- */

/* wm_query_search for it. */
WmStatus wm_search_shortest(WmQuery *query, const WmSearchTask *task, WmCorridor *corridor);

/* After the first search has reached the end: starts the search in cones, or goes on with it. */
WmStatus wm_search_start_cones(WmSearchState *state);

/* wm_search_run for it. */
WmStatus wm_search_run_cones(WmSearchState *state, size_t budget);

/* True if the lines of a search are the cheapest ones where ground costs differ. */
static inline bool wm_search_is_cheapest(const WmSearchOptions *options) {
  return (options->shortest || options->any_angle) && !options->is_plain;
}

/* Finds out if the search seeks the cheapest line, as ground costs differ; sets cones.scale, ground_cost, is_even, is_free. */
void wm_search_compare_costs(WmSearchState *state);

/* ---- ../cheapest/cheapest_search.c -------------------------------------------------------------------- */

/* Starts the search over spots: it goes on from the corridor in state->former, and replaces it by a cheaper one. */
WmStatus wm_search_start_spots(WmSearchState *state);

/* wm_search_run for it. */
WmStatus wm_search_run_spots(WmSearchState *state, size_t budget);

/* ---- any_angle.c -------------------------------------------------------------------------------------- */

/* After the first search has reached the end: starts the second one. */
WmStatus wm_search_start_shortcuts(WmSearchState *state);

/* Replaces cost and parent of a node that is reached from `from` by those of the straight line from the
 * parent of `from`, if that is free and costs no more. */
void wm_search_shorten(const WmSearchState *state, uint32_t from, const WmNode *node, float *cost,
                       uint32_t *parent);

/* wm_search_write and wm_search_result for the second search; the latter also for that in cones. */
WmStatus wm_search_write_shortcuts(const WmSearchState *state, uint32_t node, WmCorridor *corridor);
WmStatus wm_search_choose(const WmSearchState *state, WmCorridor *corridor);

/* path.c: the reason why an end of a path has no polygon: there is none near it, or the filter passes none of those.
 * in         near: how its polygon was looked for */
WmStatus wm_path_explain_end(WmQuery *query, const float position[3], const WmNearestOptions *near,
                             bool is_end, WmPathReason *reason);

#endif
