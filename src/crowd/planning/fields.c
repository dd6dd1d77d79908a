/* Flow fields that agents with the same goal share: a few are kept, the least recently used goes. See
 * query/search/flow_field.h. */
#include "crowd/planning/fields.h"

#include "base/vector.h"

/* A way to the goal of a field is taken for one to another place of its polygon where it is dearer by no more
 * than this part. */
#define LEEWAY 0.05f

/* So many at least share a field. */
enum { SHARED_BY = 3 };
/* A search is taken for so dear before there was one; a field for as much as so many searches. */
enum { UNKNOWN_SEARCH = 64, UNKNOWN_FIELD = 16 };

static bool is_for(const WmCrowdField *field, const WmAgentRecord *record, WmRef polygon) {
  return field->polygon == polygon && field->type == record->parameters.type &&
         field->filter == record->parameters.filter;
}

WmCrowdField *wm_crowd_find_field(WmCrowd *crowd, const WmAgentRecord *record, WmRef polygon) {
  for (uint32_t i = 0; i < crowd->options.max_fields; i++) {
    WmCrowdField *field = &crowd->fields[i];
    if (!field->flow || !is_for(field, record, polygon) || !wm_flow_field_is_current(field->flow)) continue;
    field->used = ++crowd->field_clock;
    return field;
  }
  return NULL;
}

/* One that is of no use, or that nobody has used for longest. */
static WmCrowdField *choose_field(WmCrowd *crowd) {
  WmCrowdField *best = NULL;
  for (uint32_t i = 0; i < crowd->options.max_fields; i++) {
    WmCrowdField *field = &crowd->fields[i];
    if (!field->flow || !wm_flow_field_is_current(field->flow)) return field;
    if (!best || field->used < best->used) best = field;
  }
  return best;
}

WmStatus wm_crowd_begin_field(WmCrowd *crowd, const WmAgentRecord *record, WmRef polygon,
                              const float position[3], WmCrowdField **out) {
  const WmCrowdMesh *on = wm_agent_mesh(crowd, record);
  WmCrowdField *field = *out = choose_field(crowd);
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): nobody asks where there are no fields */
  if (field->flow && field->type != record->parameters.type) wm_crowd_free_field(field);
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

bool wm_crowd_is_field_worth(const WmCrowdMesh *on, size_t demand) {
  const uint32_t search = on->search_cost ? on->search_cost / 16 + 1 : UNKNOWN_SEARCH;
  const uint32_t field = on->field_cost ? on->field_cost / 4 : UNKNOWN_FIELD * search;
  return demand >= SHARED_BY && (uint64_t)demand * search >= field;
}

void wm_crowd_note_search(WmCrowdMesh *on, size_t searched) {
  const uint32_t cost = searched < UINT32_MAX / 32 ? (uint32_t)searched : UINT32_MAX / 32;
  on->search_cost = on->search_cost ? on->search_cost - on->search_cost / 16 + cost : 16 * cost;
  on->field_cost -= on->field_cost / 256; /* so that it is tried again some time */
}

void wm_crowd_note_field(WmCrowdMesh *on, const WmCrowdField *field) {
  const uint32_t cost = field->cost < UINT32_MAX / 8 ? field->cost : UINT32_MAX / 8;
  on->field_cost = on->field_cost ? on->field_cost - on->field_cost / 4 + cost : 4 * cost;
}

void wm_crowd_free_field(WmCrowdField *field) {
  wm_flow_field_destroy(field->flow);
  *field = (WmCrowdField){0};
}

void wm_crowd_drop_fields(WmCrowd *crowd, uint32_t filter) {
  for (uint32_t i = 0; i < WM_CROWD_FIELDS; i++) {
    if (crowd->fields[i].flow && crowd->fields[i].filter == filter) wm_crowd_free_field(&crowd->fields[i]);
  }
  for (uint32_t type = 0; type < crowd->mesh_count; type++) {
    WmCrowdMesh *on = wm_crowd_mesh(crowd, type);
    /* Those with this filter ask again. */
    if (on->is_searching && on->field && !on->field->flow) on->is_searching = false;
  }
}

bool wm_crowd_field_suits(const WmCrowd *crowd, const WmCrowdField *field, const WmAgentRecord *record,
                          const float position[3], float cost) {
  const WmMeshTile *tile = wm_mesh_tile_of(wm_agent_mesh(crowd, record)->mesh, field->polygon);
  const float unit =
      wm_filter_unit_cost(wm_agent_filter(crowd, record), tile, wm_ref_polygon(field->polygon));
  return 2 * wm_distance(field->position, position) * unit <= LEEWAY * cost;
}
