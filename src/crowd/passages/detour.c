/* Another way around a passage: who has waited before one for some time searches again, with costs for the
 * passages before which agents wait. Once for each passage: the new path may lead through it again. */
#include "crowd/passages/passages.h"

/* Sets the costs of a mesh: places with many agents that wait or go through cost more. */
static WmStatus set_costs(WmCrowd *crowd, WmCrowdMesh *on, uint32_t type) {
  WmStatus status = on->passage_costs ? WM_OK : wm_costs_create(crowd->context, on->mesh, &on->passage_costs);
  if (status) return status;
  wm_costs_clear(on->passage_costs);
  const WmPlace *places = crowd->places.items;
  for (uint32_t i = 0; i <= crowd->place_mask && !status; i++) {
    if (places[i].key == 0 || places[i].type != type || !places[i].polygon) continue;
    const uint32_t agents = (uint32_t)places[i].waiting + places[i].holders[0] + places[i].holders[1];
    const float factor = 1 + WM_CROWD_WAITING_COST * (float)agents;
    status = wm_costs_set(on->passage_costs, &places[i].polygon, &factor, 1);
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

const WmFilter *wm_crowd_detour_filter(WmCrowdMesh *on, const WmAgentRecord *record, const WmFilter *filter) {
  if (!record->seeks_detour || !on->passage_costs || filter->costs) return filter;
  on->detour_filter = *filter;
  on->detour_filter.costs = on->passage_costs;
  return &on->detour_filter;
}
