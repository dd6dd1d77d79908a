/* Flow fields that agents with the same target share. Some are stored, the least recently used one is
 * replaced. See query/search/flow_field.h. */
#include "crowd/planning/flow_fields.h"

#include "base/vector.h"

static bool is_for(const WmCrowdFlowField *field, const WmAgentRecord *record, WmRef polygon) {
  return field->polygon == polygon && field->type == record->parameters.type &&
         field->filter == record->parameters.filter;
}

WmCrowdFlowField *wm_crowd_find_flow_field(WmCrowd *crowd, const WmAgentRecord *record, WmRef polygon) {
  for (uint32_t i = 0; i < crowd->options.max_fields; i++) {
    WmCrowdFlowField *field = &crowd->flow_fields[i];
    if (!field->flow || !is_for(field, record, polygon) || !wm_flow_field_is_current(field->flow)) continue;
    field->used = ++crowd->field_clock;
    return field;
  }
  return NULL;
}

/* An empty or outdated entry, else the least recently used one. */
static WmCrowdFlowField *choose_field(WmCrowd *crowd) {
  WmCrowdFlowField *best = NULL;
  for (uint32_t i = 0; i < crowd->options.max_fields; i++) {
    WmCrowdFlowField *field = &crowd->flow_fields[i];
    if (!field->flow || !wm_flow_field_is_current(field->flow)) return field;
    if (!best || field->used < best->used) best = field;
  }
  return best;
}

WmStatus wm_crowd_begin_flow_field(WmCrowd *crowd, const WmAgentRecord *record, WmRef polygon,
                                   const float position[3], WmCrowdFlowField **out) {
  const WmCrowdMesh *on = wm_agent_mesh(crowd, record);
  WmCrowdFlowField *field = *out = choose_field(crowd);
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): callers have checked max_fields */
  if (field->flow && field->type != record->parameters.type) wm_crowd_free_flow_field(field);
  if (!field->flow) {
    const WmStatus status = wm_flow_field_create(crowd->context, on->mesh, &field->flow);
    if (status) return status;
  }
  field->type = record->parameters.type;
  field->filter = record->parameters.filter;
  field->polygon = polygon;
  field->cost = 0;
  field->used = ++crowd->field_clock;
  memcpy(field->position, position, sizeof field->position);
  return wm_flow_field_begin(field->flow, polygon, position, wm_agent_filter(crowd, record));
}

bool wm_crowd_is_flow_field_worth(const WmCrowdMesh *on, size_t demand) {
  const uint32_t search =
      on->search_cost ? on->search_cost / WM_CROWD_SEARCH_COST_MEMORY + 1 : WM_CROWD_UNKNOWN_SEARCH;
  const uint32_t field =
      on->field_cost ? on->field_cost / WM_CROWD_FIELD_COST_MEMORY : WM_CROWD_UNKNOWN_FIELD * search;
  return demand >= WM_CROWD_FIELD_SHARED_BY && (uint64_t)demand * search >= field;
}

void wm_crowd_note_search(WmCrowdMesh *on, size_t searched) {
  const uint32_t cost = searched < UINT32_MAX / 32 ? (uint32_t)searched : UINT32_MAX / 32;
  on->search_cost = on->search_cost ? on->search_cost - on->search_cost / WM_CROWD_SEARCH_COST_MEMORY + cost
                                    : WM_CROWD_SEARCH_COST_MEMORY * cost;
  on->field_cost -= on->field_cost / WM_CROWD_FIELD_COST_DECAY; /* so that fields are tried again at some
                                                                   time */
}

void wm_crowd_note_flow_field(WmCrowdMesh *on, const WmCrowdFlowField *field) {
  const uint32_t cost = field->cost < UINT32_MAX / 8 ? field->cost : UINT32_MAX / 8;
  on->field_cost = on->field_cost ? on->field_cost - on->field_cost / WM_CROWD_FIELD_COST_MEMORY + cost
                                  : WM_CROWD_FIELD_COST_MEMORY * cost;
}

void wm_crowd_free_flow_field(WmCrowdFlowField *field) {
  wm_flow_field_destroy(field->flow);
  *field = (WmCrowdFlowField){0};
}

void wm_crowd_drop_flow_fields(WmCrowd *crowd, uint32_t filter) {
  for (uint32_t i = 0; i < WM_CROWD_FLOW_FIELDS; i++) {
    if (crowd->flow_fields[i].flow && crowd->flow_fields[i].filter == filter)
      wm_crowd_free_flow_field(&crowd->flow_fields[i]);
  }
  for (uint32_t type = 0; type < crowd->mesh_count; type++) {
    WmCrowdMesh *on = wm_crowd_mesh(crowd, type);
    /* Agents with this filter request again. */
    if (on->is_searching && on->field && !on->field->flow) on->is_searching = false;
  }
}

bool wm_crowd_flow_field_suits(const WmCrowd *crowd, const WmCrowdFlowField *field,
                               const WmAgentRecord *record, const float position[3], float cost) {
  const WmMeshTile *tile = wm_mesh_tile_of(wm_agent_mesh(crowd, record)->mesh, field->polygon);
  const float unit =
      wm_filter_unit_cost(wm_agent_filter(crowd, record), tile, wm_ref_polygon(field->polygon));
  return 2 * wm_distance(field->position, position) * unit <= WM_CROWD_FIELD_LEEWAY * cost;
}
