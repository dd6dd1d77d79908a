/* Searches and flow fields that are made again, for saved crowds: from how they began, and how far they had come.
 *
 * Both do the same on the same mesh, whatever the slices: a search of the same arguments that has expanded as many polygons is the
 * same search. So neither nodes nor open lists are saved, and bytes from outside can't make a search unsafe. */
#ifndef WALKMESH_QUERY_REPLAY_H
#define WALKMESH_QUERY_REPLAY_H

#include "query/search/flow_field.h"
#include "query/search/search.h"

/* A search in slices, without its filter. */
typedef struct WmSearchReplay {
  WmRef start, end;
  float start_position[3], end_position[3];
  uint64_t max_nodes;
  float wall_distance, wall_cost;
  bool shortest;
  uint64_t
      expanded; /* polygons; 0: the search starts again in any case, since tiles or connections that it has met have changed */
  /* Flags or areas of what it has met have changed while it ran: from the beginning it may find other nodes. `expanded` is 0. */
  bool is_mixed;
} WmSearchReplay;

/* Returns false if no search was begun. */
bool wm_search_get_replay(const WmSearch *search, WmSearchReplay *replay);

/* Makes a search as it was. If its start or end doesn't exist, the next wm_search_advance says so.
 * in         replay: any values; filter: copied, its WmCosts are borrowed
 * returns    WM_OK; WM_ERROR_INVALID_ARGUMENT (a number that wm_search_begin refuses); WM_ERROR_OUT_OF_MEMORY: no search is begun
 * cost       that of the polygons */
WmStatus wm_search_replay(WmSearch *search, const WmSearchReplay *replay, const WmFilter *filter);

/* True if nothing is left to grow to, and the open list is known to be empty. */
bool wm_flow_field_is_exhausted(const WmFlowField *flow);

/* Closes `count` nodes of a field that has just begun, or all if there are fewer.
 * in         is_exhausted: the result of wm_flow_field_is_exhausted afterwards
 * returns    WM_OK; WM_ERROR_OUT_OF_MEMORY (no field exists any more) */
WmStatus wm_flow_field_replay(WmFlowField *flow, size_t count, bool is_exhausted);

#endif
