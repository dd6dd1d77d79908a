/* Destinations of unreachable targets. Islands, the connected components of the mesh, are labelled after an
 * expensive search that failed. If start and target lie on different islands, no corridor connects them, and
 * the destination is the nearest point of the start's island. Within an island there may be no corridor
 * either, because of one-way connections: only a search finds that out. */
#include "crowd/planning/destination.h"

#include "mesh/locate.h"
#include "query/local/overlap.h"
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

/* The labels for an agent's mesh and filter, current or not; else those used least recently. */
static WmCrowdIslands *choose_islands(WmCrowd *crowd, const WmAgentRecord *record) {
  const WmFilter *filter = wm_agent_filter(crowd, record);
  WmCrowdIslands *chosen = NULL;
  for (uint32_t i = 0; i < WM_CROWD_ISLANDS; i++) {
    WmCrowdIslands *entry = &crowd->islands[i];
    if (is_for(entry, record, filter)) return entry;
    if (!chosen || entry->used < chosen->used) chosen = entry;
  }
  return chosen;
}

WmStatus wm_crowd_label_islands(WmCrowd *crowd, const WmAgentRecord *record) {
  const WmFilter *filter = wm_agent_filter(crowd, record);
  WmCrowdIslands *chosen = choose_islands(crowd, record);
  if (chosen->islands && chosen->type != record->parameters.type) {
    wm_islands_destroy(chosen->islands);
    chosen->islands = NULL;
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
  WmCrowdDestination destination = {.version = wm_mesh_version(wm_agent_mesh(crowd, record)->mesh),
                                    .polygon = record->target_polygon};
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

/* Finds the nearest ground straight above or below a point, whatever its flags.
 * in         extent: of the search on y; limit: how near it must be
 * in/out     ground: stays if there is none */
static WmStatus find_any_ground(WmCrowdMesh *on, const float point[3], float extent, float limit,
                                WmNearest *ground) {
  WmPolygons polygons;
  const float half_extents[3] = {0, extent, 0};
  const WmStatus status =
      wm_query_polygons_in_box(on->query, point, half_extents, &WM_EVERY_POLYGON, 0, &polygons);
  for (size_t i = 0; i < polygons.count && !status; i++) {
    WmNearest found = {.polygon = polygons.polygons[i]};
    const WmMeshTile *tile = wm_mesh_tile_of(on->mesh, found.polygon);
    found.over = wm_tile_closest_point(tile, wm_ref_polygon(found.polygon), point, true, found.point);
    const float distance = wm_distance(point, found.point);
    if (!found.over || !(distance < limit)) continue;
    limit = distance;
    *ground = found;
  }
  return status;
}

WmStatus wm_crowd_find_target_ground(WmCrowd *crowd, const WmAgentRecord *record, const float target[3],
                                     WmNearest *ground) {
  WmCrowdMesh *on = wm_agent_mesh(crowd, record);
  const float *extents = crowd->options.place_extents;
  const WmStatus status =
      wm_query_find_nearest(on->query, target, extents, wm_agent_filter(crowd, record), ground);
  if (status) return status;
  const float away = ground->polygon ? wm_distance(target, ground->point) : INFINITY;
  if (ground->over && away <= record->parameters.height) return WM_OK;
  return find_any_ground(on, target, extents[1], away - record->parameters.radius, ground);
}

WmStatus wm_crowd_find_target(WmCrowd *crowd, WmAgentRecord *record) {
  const WmCrowdMesh *on = wm_agent_mesh(crowd, record);
  if (record->target_polygon && wm_mesh_tile_of(on->mesh, record->target_polygon)) return WM_OK;
  WmNearest ground;
  const WmStatus status = wm_crowd_find_target_ground(crowd, record, record->target, &ground);
  if (status) return status;
  record->target_polygon = ground.polygon;
  if (ground.polygon) memcpy(record->target, ground.point, sizeof record->target);
  return WM_OK;
}

/* Labels the islands of a mesh that has changed, unless they were labelled so recently that all labelling
 * together would take more than its part of the budget. */
static WmStatus label_again(WmCrowd *crowd, const WmAgentRecord *record) {
  WmCrowdIslands *chosen = choose_islands(crowd, record);
  if (crowd->steps < chosen->next_step) return WM_OK;
  WmMeshTotals totals;
  wm_mesh_totals(wm_agent_mesh(crowd, record)->mesh, &totals);
  chosen->next_step = crowd->steps + 1 +
                      (uint64_t)totals.polygons * WM_CROWD_LABELLING_DIVISOR / crowd->options.search_budget;
  return wm_crowd_label_islands(crowd, record);
}

WmStatus wm_crowd_look_for_way(WmCrowd *crowd, WmAgentRecord *record, bool *has_opened) {
  *has_opened = false;
  WmStatus status = find_islands(crowd, record) ? WM_OK : label_again(crowd, record);
  const WmIslands *islands = status ? NULL : find_islands(crowd, record);
  if (!islands) return status;
  status = wm_crowd_find_target(crowd, record);
  if (status) return status;
  const uint32_t island = wm_islands_of(islands, record->polygon);
  const bool was_apart = record->is_apart;
  record->is_apart = !island || island != wm_islands_of(islands, record->target_polygon);
  *has_opened = was_apart && !record->is_apart;
  return WM_OK;
}
