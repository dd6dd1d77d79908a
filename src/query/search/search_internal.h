/* A corridor search that can stop after any polygon: what wm_query_find_corridor and WmSearch share.
 *
 * Usual order: wm_search_start, wm_search_run with any budgets until it is done, wm_search_write. The answer
 * depends on the budgets in no way. */
#ifndef WALKMESH_QUERY_SEARCH_INTERNAL_H
#define WALKMESH_QUERY_SEARCH_INTERNAL_H

#include "query/query_internal.h"

/* What is asked for. */
typedef struct WmSearchTask {
  WmRef start, end;
  float start_position[3], end_position[3];
  WmSearchOptions options; /* with a filter */
} WmSearchTask;

/* What a search keeps between two slices, but for its nodes, which are the query's. */
typedef struct WmSearchState {
  WmQuery *query;
  const WmSearchTask *task;
  const WmFilter *filter;
  float left_scale; /* what is left costs at least so much a unit */
  float end[3];
  uint32_t end_slot, end_polygon;
  size_t max_nodes;      /* SIZE_MAX: no limit */
  size_t touched, taken; /* nodes met; polygons taken up */
  uint32_t best;         /* node nearest to the end; the end's once it is reached */
  float best_left;
  bool reached; /* the end was taken up */
  bool limited; /* max_nodes kept polygons out */
  bool done;    /* nothing is left to do */
  /* any_angle: the second of two searches. */
  bool shortcuts;
  float ray_squared; /* longer shortcuts are not tried */
  WmCorridor former; /* of the first search, in the query's former polygons; its cost is that of the string */
} WmSearchState;

/* WM_OK, or what is wrong with the filter or the limit of rays. */
WmStatus wm_search_check_options(const WmQuery *query, const WmSearchOptions *options);

/* A task of arguments that have been checked: with the query's default filter where there is none. */
WmSearchTask wm_search_task(const WmQuery *query, WmRef start, const float start_position[3], WmRef end,
                            const float end_position[3], const WmSearchOptions *options);

/* The same with the checks of wm_query_find_corridor.
 * in         options NULL: the defaults */
WmStatus wm_search_check(const WmQuery *query, WmRef start, const float start_position[3], WmRef end,
                         const float end_position[3], const WmSearchOptions *options, WmSearchTask *task);

/* All of it at once.
 * in         task: checked */
WmStatus wm_query_search(WmQuery *query, const WmSearchTask *task, WmCorridor *corridor);

/* in         task: checked; its filter must outlive the search */
WmStatus wm_search_start(WmQuery *query, const WmSearchTask *task, WmSearchState *state);

/* Takes up `budget` polygons, or fewer where it comes to an end. After a failure the search is lost. */
WmStatus wm_search_run(WmSearchState *state, size_t budget);

/* The node of the last polygon of a corridor that the search has met, the cheapest of several; the best node
 * where it has met none. */
uint32_t wm_search_find_along(const WmSearchState *state, const WmRef *corridor, size_t polygon_count);

/* The corridor to a node. */
WmStatus wm_search_write(const WmSearchState *state, uint32_t node, WmCorridor *corridor);

/* The corridor that is the search's answer so far: to the best node, or, with any_angle, the better of two.
 */
WmStatus wm_search_answer(const WmSearchState *state, WmCorridor *corridor);

/* ---- Shortcuts (any_angle.c) -------------------------------------------------------------------------- */

/* Keeps the corridor of a search that has reached the end, and starts the one with shortcuts. */
WmStatus wm_search_start_shortcuts(WmSearchState *state);

/* A straight way to a node from the node before the one it is reached from (`from`, which is not the start).
 * in         cost: of the way through `from`
 * out        *cost: of the cheaper way; *parent: the node before, where that is the straight one */
void wm_search_shorten(const WmSearchState *state, uint32_t from, const WmNode *node, float *cost,
                       uint32_t *parent);

/* wm_search_write and wm_search_answer for the second search. */
WmStatus wm_search_write_shortcuts(const WmSearchState *state, uint32_t node, WmCorridor *corridor);
WmStatus wm_search_choose(const WmSearchState *state, WmCorridor *corridor);

#endif
