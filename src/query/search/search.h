/* Corridors: the cheapest polygons from one point to another, in one call or in slices. */
#ifndef WALKMESH_QUERY_SEARCH_H
#define WALKMESH_QUERY_SEARCH_H

#include "query/query.h"

typedef enum WmPathState {
  WM_PATH_NONE = 0,       /* nothing to show: start or end is not on the mesh */
  WM_PATH_COMPLETE = 1,   /* from start to end */
  WM_PATH_PARTIAL = 2,    /* the search was stopped by max_nodes; leads to the nearest place found so far */
  WM_PATH_UNREACHABLE = 3 /* there is no way; leads to the place nearest to the end that can be reached */
} WmPathState;

/* Why a path is not complete. */
typedef enum WmPathReason {
  WM_PATH_REASON_NONE = 0,
  WM_PATH_REASON_START_NOT_FOUND = 1, /* no polygon that passes the filter within half_extents of the start */
  WM_PATH_REASON_END_NOT_FOUND = 2,   /* the same for the end */
  WM_PATH_REASON_END_EXCLUDED = 3,    /* the filter does not let the end's polygon pass */
  WM_PATH_REASON_NOT_CONNECTED = 4,   /* no way from start to end for this filter */
  WM_PATH_REASON_NODE_LIMIT = 5,      /* max_nodes */
  WM_PATH_REASON_BROKEN_CORRIDOR = 6, /* two polygons of the corridor are not linked, or one has gone */
  WM_PATH_REASON_UNFINISHED = 7       /* the search was finished before it came to an end */
} WmPathReason;

/* ---- Corridors ---------------------------------------------------------------------------------------- */

typedef struct WmCorridor {
  WmPathState state;
  WmPathReason reason;
  float cost; /* sum over the search's way through edge midpoints, areas' costs included; of a complete one
                 with any_angle that of its string */
  size_t polygon_count;
  const WmRef *polygons; /* from start to end */
  size_t searched;       /* polygons the search took up */
} WmCorridor;

typedef struct WmSearchOptions {
  const WmFilter *filter;
  size_t max_nodes; /* 0: no limit; of each search with any_angle */
  /* Ray shortcuts: where the ground from the place before to the next one can be walked straight, the way
   * goes straight, at the costs that the ray crosses (as Theta* does), so that corridors follow the shortest
   * line instead of middles of edges. A second search after the plain one, a ray for each polygon it looks
   * at: some times as slow. Of both corridors the one whose string costs less is the answer, and that is its
   * `cost`; an end that cannot be reached is answered by the first alone. Default false: Detour's results. */
  bool any_angle;
  float ray_limit; /* of any_angle, world units, >= 0: where a place lies farther from the one before, there
                      is no ray past it; 0: 50 times the agent's radius */
} WmSearchOptions;

WmSearchOptions wm_search_options_default(void);

/* The cheapest corridor of polygons (A* over midpoints of edges, as Detour).
 * in         start, end: polygons; positions on or near them. options NULL: the defaults
 * out        corridor->polygons stay until the query's next question, each linked to the next; the start is
 *            always there, whatever the filter says of it */
WmStatus wm_query_find_corridor(WmQuery *query, WmRef start, const float start_position[3], WmRef end,
                                const float end_position[3], const WmSearchOptions *options,
                                WmCorridor *corridor);

/* ---- Searches in slices ---------------------------------------------------------------------------------
 *
 * The same search a few polygons at a time: begin, advance until it is done, finish. It owns what it needs:
 * other questions, other searches and changes of flags may happen in between. Where tiles or connections
 * change in between, it starts again by itself, as long as its start and end are there. */
typedef struct WmSearch WmSearch;

/* returns    WM_OK, WM_ERROR_OUT_OF_MEMORY; *search is NULL on failure */
WmStatus wm_search_create(WmContext *context, const WmMesh *mesh, WmSearch **search);
void wm_search_destroy(WmSearch *search);

/* Begins one; a former one is given up. The filter is copied, its WmCosts are not. Refuses what
 * wm_query_find_corridor does. */
WmStatus wm_search_begin(WmSearch *search, WmRef start, const float start_position[3], WmRef end,
                         const float end_position[3], const WmSearchOptions *options);

/* Takes up as many polygons at most.
 * out        *done: nothing is left to do; *used (may be NULL): polygons taken up
 * returns    as all questions; WM_ERROR_STATE (none was begun); WM_ERROR_STALE_REFERENCE (start or end went
 *            with its tile: the search is over). After WM_ERROR_OUT_OF_MEMORY the next call begins it anew */
WmStatus wm_search_advance(WmSearch *search, size_t budget, bool *done, size_t *used);

/* The corridor: of a search that is done what wm_query_find_corridor says; of one that is not, the way to the
 * nearest place so far, with WM_PATH_REASON_UNFINISHED: WM_PATH_PARTIAL, or WM_PATH_COMPLETE where that is
 * the end already (there may be a cheaper way). It may be advanced and finished again. The corridor stays
 * until the search's next call.
 * returns    WM_OK; WM_ERROR_STATE (none was begun); WM_ERROR_STALE_REFERENCE as wm_search_advance;
 *            WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_search_finish(WmSearch *search, WmCorridor *corridor);

/* As wm_search_finish, but to the last polygon of an existing corridor that the search has met, which need
 * not be the nearest: to mend that corridor with. Where that is not the end, a search that is done and has
 * reached it says WM_PATH_PARTIAL and WM_PATH_REASON_UNFINISHED. Falls back on wm_search_finish where none
 * was met.
 * in         corridor [polygon_count]: polygons that have gone are passed over
 * out        with any_angle WM_PATH_REASON_BROKEN_CORRIDOR where flags that have changed since close a
 *            shortcut on the way: the corridor ends before it */
WmStatus wm_search_finish_along(WmSearch *search, const WmRef *corridor, size_t polygon_count,
                                WmCorridor *found);

#endif
