/* Detours: an agent that has waited before a passage for some time searches another path, once for each passage.
 * In that search, passages before which agents wait cost more. The path may still lead through the passage.
 * Shortcuts are compared with the same costs: else they would lead an agent back to the passage. */
#include "crowd/passages/passages.h"

/* Raises the cost factor of a polygon. Of several narrow places in it the dearest counts: their order in the table is that of
 * hashes. */
static WmStatus raise_cost(const WmCrowdMesh *on, WmRef polygon, float factor) {
  const float *factors = wm_costs_of(on->passage_costs, wm_mesh_tile_of(on->mesh, polygon));
  if (factors && factors[wm_ref_polygon(polygon)] >= factor) return WM_OK;
  return wm_costs_set(on->passage_costs, &polygon, &factor, 1);
}

/* Sets the cost factors of a mesh's polygons with narrow places: each agent that waits for the place, or goes
 * through it, raises them. */
static WmStatus set_costs(WmCrowd *crowd, WmCrowdMesh *on, uint32_t type) {
  WmStatus status = on->passage_costs ? WM_OK : wm_costs_create(crowd->context, on->mesh, &on->passage_costs);
  if (status) return status;
  wm_costs_clear(on->passage_costs);
  const WmPlace *places = crowd->places.items;
  for (uint32_t i = 0; i <= crowd->place_mask && !status; i++) {
    if (places[i].key == 0 || places[i].type != type || !places[i].polygon) continue;
    const uint32_t agents =
        places[i].waiting[0] + places[i].waiting[1] + places[i].holders[0] + places[i].holders[1];
    status = raise_cost(on, places[i].polygon, 1 + WM_CROWD_WAITING_COST * (float)agents);
  }
  return status;
}

WmStatus wm_crowd_seek_detour(WmCrowd *crowd, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  WmCrowdMesh *on = wm_agent_mesh(crowd, record);
  if (record->passage != WM_PASSAGE_WAITS || record->passage_wait < WM_CROWD_DETOUR_TIME) return WM_OK;
  if (record->detour_key == record->passage_key || record->is_in_passage || record->needs_plan) return WM_OK;
  if (on->is_searching || wm_agent_filter(crowd, record)->costs) return WM_OK;
  const WmStatus status = set_costs(crowd, on, record->parameters.type);
  if (status) return status;
  record->detour_key = record->passage_key;
  record->seeks_detour = true;
  wm_crowd_request_later(record);
  return WM_OK;
}

const WmFilter *wm_crowd_path_filter(const WmCrowd *crowd, const WmAgentRecord *record) {
  const WmFilter *filter = wm_agent_filter(crowd, record);
  WmCrowdMesh *on = wm_agent_mesh(crowd, record);
  if (!record->is_on_detour || !on->passage_costs || filter->costs) return filter;
  on->detour_filter = *filter;
  on->detour_filter.costs = on->passage_costs;
  return &on->detour_filter;
}
