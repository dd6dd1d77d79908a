/* Destinations of unreachable targets. Islands, the connected components of the mesh, are labelled after an
 * expensive search that failed. If start and target lie on different islands, no corridor connects them, and
 * the destination is the nearest point of the start's island. Within an island there may be no corridor
 * either, because of one-way connections: only a search finds that out. */
#include "crowd/planning/destination.h"

#include "query/search/islands.h"

static bool is_for(const WmCrowdIslands *entry, const WmAgentRecord *record, const WmFilter *filter) {
  return entry->islands && entry->type == record->parameters.type &&
         entry->include_flags == filter->include_flags && entry->exclude_flags == filter->exclude_flags;
}

/* The current labels for an agent's mesh and filter; NULL if there are none. */
static const WmIslands *find_islands(WmCrowd *crowd, const WmAgentRecord *record) {
  const WmFilter *filter = wm_agent_filter(crowd, record);
  for (uint32_t i = 0; i < WM_CROWD_ISLANDS; i++) {
    WmCrowdIslands *entry = &crowd->islands[i];
    if (!is_for(entry, record, filter)) continue;
    entry->used = ++crowd->field_clock;
    return wm_islands_are_current(entry->islands, filter) ? entry->islands : NULL;
  }
  return NULL;
}

WmStatus wm_crowd_label_islands(WmCrowd *crowd, const WmAgentRecord *record) {
  const WmFilter *filter = wm_agent_filter(crowd, record);
  WmCrowdIslands *chosen = NULL;
  for (uint32_t i = 0; i < WM_CROWD_ISLANDS; i++) {
    WmCrowdIslands *entry = &crowd->islands[i];
    const bool is_own = is_for(entry, record, filter);
    if (is_own || !chosen || entry->used < chosen->used) chosen = entry;
    if (is_own) break;
  }
  if (chosen->islands && chosen->type != record->parameters.type) {
    wm_islands_destroy(chosen->islands);
    *chosen = (WmCrowdIslands){0};
  }
  if (!chosen->islands) {
    const WmStatus status =
        wm_islands_create(crowd->context, wm_agent_mesh(crowd, record)->mesh, &chosen->islands);
    if (status) return status;
  }
  chosen->type = record->parameters.type;
  chosen->include_flags = filter->include_flags;
  chosen->exclude_flags = filter->exclude_flags;
  chosen->used = ++crowd->field_clock;
  return wm_islands_update(chosen->islands, filter);
}

WmCrowdDestination wm_crowd_find_destination(WmCrowd *crowd, const WmAgentRecord *record) {
  WmCrowdDestination destination = {.polygon = record->target_polygon};
  memcpy(destination.point, record->target, sizeof destination.point);
  const WmIslands *islands = find_islands(crowd, record);
  const uint32_t island = islands ? wm_islands_of(islands, record->polygon) : 0;
  const uint32_t to = island ? wm_islands_of(islands, record->target_polygon) : 0;
  if (island == to) return destination;
  const WmNearest nearest =
      wm_islands_nearest(islands, wm_agent_mesh(crowd, record)->mesh, island, record->target);
  if (!nearest.polygon) return destination;
  destination.polygon = nearest.polygon;
  memcpy(destination.point, nearest.point, sizeof destination.point);
  destination.is_redirected = true;
  destination.partial_reason = to ? WM_AGENT_REASON_TARGET_NOT_CONNECTED : WM_AGENT_REASON_TARGET_EXCLUDED;
  return destination;
}
