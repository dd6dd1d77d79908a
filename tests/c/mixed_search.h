/* Whether a search of a crowd begins again when the crowd is saved and loaded (crowd/state/saved_crowd.h). */
#ifndef WALKMESH_TESTS_MIXED_SEARCH_H
#define WALKMESH_TESTS_MIXED_SEARCH_H

#include "crowd/crowd_internal.h"
#include "query/search/replay.h"

/* True if flags or areas have changed since a running search began, and its result is still needed. */
static inline bool has_mixed_search(const WmCrowd *crowd) {
  for (uint32_t type = 0; type < crowd->mesh_count; type++) {
    const WmCrowdMesh *on = wm_crowd_mesh(crowd, type);
    WmSearchReplay replay;
    if (on->is_searching && !on->field && wm_search_get_replay(on->search, &replay) && replay.is_mixed)
      return true;
  }
  return false;
}

#endif
