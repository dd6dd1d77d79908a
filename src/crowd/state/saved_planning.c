/* Planning in saved crowds: path requests, the searches that run, flow fields, labels of islands, cost factors of polygons.
 *
 * Searches and flow fields are made again on the same mesh (query/search/replay.h), labels are found again. On a mesh that has
 * changed they are left out: there the crowd would have begun them again. */
#include "base/sort.h"
#include "crowd/planning/flow_fields.h"
#include "crowd/state/saved_crowd_internal.h"
#include "query/search/replay.h"

/* ---- Path requests ------------------------------------------------------------------------------------ */

static void code_queue(WmSavedCodec *codec, uint32_t count) {
  WmCrowd *crowd = codec->crowd;
  wm_saved_expect(codec, count, 2 * sizeof(uint64_t));
  if (codec->reads && !codec->status)
    codec->status = wm_buffer_reserve(crowd->context, &crowd->queue, count, sizeof(WmPathRequest));
  for (uint32_t k = 0; k < count && !codec->status; k++) {
    const size_t capacity = crowd->queue.capacity;
    WmPathRequest *entry = (WmPathRequest *)crowd->queue.items + (crowd->queue_first + k) % capacity;
    wm_saved_code(codec, entry, WM_TABLE_REQUEST);
    if (codec->reads) crowd->removed_requests += entry->agent == 0;
  }
  if (codec->reads && !codec->status) crowd->queue_count = count;
}

/* Sorts pairs of keys and numbers by keys. */
static WmStatus sort_pairs(WmContext *context, const uint64_t (*pairs)[2], size_t count,
                           WmSortItem **sorted) {
  WmSortItem *items = *sorted = wm_scratch_array(context, 2 * count, sizeof *items);
  if (!items) return WM_ERROR_OUT_OF_MEMORY;
  for (size_t i = 0; i < count; i++) items[i] = (WmSortItem){(uint32_t)pairs[i][0], (uint32_t)i};
  wm_sort_stable(items, items + count, count);
  for (size_t i = 0; i < count; i++) items[i].key = (uint32_t)(pairs[items[i].value][0] >> 32);
  wm_sort_stable(items, items + count, count);
  return WM_OK;
}

/* In the order of keys: that of the table depends on its size. */
static void write_demand(WmSavedCodec *codec, size_t count) {
  uint64_t(*pairs)[2] = wm_scratch_array(codec->context, count, sizeof *pairs);
  WmSortItem *sorted;
  size_t slot = 0;
  codec->status = pairs ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
  if (codec->status) return;
  for (size_t i = 0; wm_crowd_next_demand(codec->crowd, &slot, &pairs[i][0], &pairs[i][1]);) i++;
  codec->status = sort_pairs(codec->context, (const uint64_t(*)[2])pairs, count, &sorted);
  for (size_t i = 0; i < count && !codec->status; i++)
    wm_saved_code_items(codec, pairs[sorted[i].value], 2, WM_SAVED_LONG);
}

void wm_saved_code_requests(WmSavedCodec *codec, WmSavedCrowdHead *head) {
  code_queue(codec, head->request_count);
  WmCrowd *crowd = codec->crowd;
  wm_saved_expect(codec, head->demand_count, 2 * sizeof(uint64_t));
  if (codec->status) return;
  if (codec->reads) {
    codec->status = wm_crowd_reserve_demand(crowd, head->demand_count);
    for (uint32_t i = 0; i < head->demand_count && !codec->status; i++) {
      uint64_t pair[2];
      wm_saved_code_items(codec, pair, 2, WM_SAVED_LONG);
      wm_crowd_add_demand(crowd, pair[0] | 1, pair[1]);
    }
    return;
  }
  const WmScratchMark mark = wm_scratch_mark(codec->context);
  write_demand(codec, head->demand_count);
  wm_scratch_rewind(codec->context, mark);
}

/* ---- Costs -------------------------------------------------------------------------------------------- */

static uint32_t count_cost_tiles(const WmMesh *mesh, const WmCosts *costs) {
  uint32_t count = 0;
  for (size_t slot = 0; slot < wm_mesh_slot_count(mesh); slot++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, slot);
    count += tile && wm_costs_of(costs, tile);
  }
  return count;
}

/* Reads the factors of a tile. */
static void read_factors(WmSavedCodec *codec, WmCosts *costs, WmRef tile, uint32_t count) {
  for (uint32_t i = 0; i < count && !codec->status; i++) {
    float factor;
    const WmRef polygon = tile + i;
    wm_saved_code_items(codec, &factor, 1, WM_SAVED_FINITE);
    if (tile && !codec->status)
      wm_saved_note(codec, wm_costs_set(costs, &polygon, &factor, 1), "a cost factor is out of range");
  }
}

static void read_cost_tiles(WmSavedCodec *codec, WmCosts *costs, uint32_t count) {
  const WmMesh *mesh = codec->on->mesh;
  for (uint32_t i = 0; i < count && !codec->status; i++) {
    WmRef first;
    uint32_t polygons;
    wm_saved_code_items(codec, &first, 1, WM_SAVED_POLYGON);
    wm_saved_code_items(codec, &polygons, 1, WM_SAVED_WORD);
    wm_saved_expect(codec, polygons, sizeof(float));
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, first);
    if (tile && (tile->ref != first || tile->polygon_count != polygons))
      wm_saved_fail(codec, "a tile of costs is out of range");
    read_factors(codec, costs, tile ? first : 0, polygons);
  }
}

static void write_cost_tiles(WmSavedCodec *codec, const WmCosts *costs) {
  const WmMesh *mesh = codec->on->mesh;
  for (size_t slot = 0; slot < wm_mesh_slot_count(mesh); slot++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, slot);
    const float *factors = tile ? wm_costs_of(costs, tile) : NULL;
    if (!factors) continue;
    WmRef first = tile->ref;
    uint32_t polygons = tile->polygon_count;
    wm_saved_code_items(codec, &first, 1, WM_SAVED_POLYGON);
    wm_saved_code_items(codec, &polygons, 1, WM_SAVED_WORD);
    wm_saved_code_items(codec, (void *)factors, polygons, WM_SAVED_FINITE);
  }
}

void wm_saved_code_costs(WmSavedCodec *codec, WmCosts **costs) {
  const WmMesh *mesh = codec->on->mesh;
  bool has_costs = *costs != NULL;
  wm_saved_code_items(codec, &has_costs, 1, WM_SAVED_BOOL);
  if (!has_costs || codec->status) return;
  uint32_t count = codec->reads ? 0 : count_cost_tiles(mesh, *costs);
  float least = codec->reads ? 1 : wm_costs_least(*costs);
  wm_saved_code_items(codec, &count, 1, WM_SAVED_WORD);
  wm_saved_code_items(codec, &least, 1, WM_SAVED_FINITE);
  if (!codec->reads) {
    write_cost_tiles(codec, *costs);
    return;
  }
  if (!codec->status) codec->status = wm_costs_create(codec->crowd->context, mesh, costs);
  read_cost_tiles(codec, *costs, count);
  if (codec->status) return;
  if (!(least >= 0 && least <= wm_costs_least(*costs))) wm_saved_fail(codec, "a cost factor is out of range");
  wm_costs_restore_least(*costs, least);
}

/* ---- Searches ----------------------------------------------------------------------------------------- */

/* True if an agent of the mesh still waits for the result of its search: else the next step ends it. */
static bool is_wanted(const WmSavedCodec *codec, const WmCrowdMesh *on, size_t *index) {
  return on->is_searching && !on->field && wm_crowd_is_wanted(codec->crowd, on->searcher, on->request, index);
}

/* Makes the search of a mesh again. Its filter is that of the agent: with another one it would no longer be wanted. */
static void read_search(WmSavedCodec *codec, WmCrowdMesh *on, const WmSearchReplay *replay) {
  size_t index;
  WmSearchReplay again = *replay;
  if (codec->status || !is_wanted(codec, on, &index)) return;
  const WmAgentRecord *record = &codec->crowd->records[index];
  if (wm_agent_mesh(codec->crowd, record) != on) {
    wm_saved_fail(codec, "a search is on another mesh than its agent");
    return;
  }
  if (!codec->on->is_same) again.expanded = 0;
  wm_saved_note(codec, wm_search_replay(on->search, &again, wm_crowd_path_filter(codec->crowd, record)),
                "a search is out of range");
}

/* Codes the search of a mesh, or the number of the flow field that grows instead. */
static void code_search(WmSavedCodec *codec, WmCrowdMesh *on) {
  WmCrowd *crowd = codec->crowd;
  bool has_search = false;
  uint32_t field = on->is_searching && on->field ? (uint32_t)(on->field - crowd->flow_fields) : WM_NONE;
  WmSearchReplay replay = {0};
  size_t index;
  if (!codec->reads && is_wanted(codec, on, &index)) has_search = wm_search_get_replay(on->search, &replay);
  wm_saved_code_items(codec, &field, 1, WM_SAVED_WORD);
  wm_saved_code_items(codec, &has_search, 1, WM_SAVED_BOOL);
  if (has_search) wm_saved_code(codec, &replay, WM_TABLE_SEARCH);
  if (!codec->reads || codec->status) return;
  if (field != WM_NONE && (field >= WM_CROWD_FLOW_FIELDS || !on->is_searching)) {
    wm_saved_fail(codec, "a search is out of range");
    return;
  }
  on->field = field != WM_NONE ? &crowd->flow_fields[field] : NULL;
  if (has_search) read_search(codec, on, &replay);
}

static void code_mesh(WmSavedCodec *codec, uint32_t type) {
  WmCrowdMesh *on = wm_crowd_mesh(codec->crowd, type);
  codec->on = &codec->meshes[type];
  wm_saved_code(codec, on, WM_TABLE_MESH);
  wm_saved_code_costs(codec, &on->passage_costs);
  code_search(codec, on);
}

/* ---- Flow fields -------------------------------------------------------------------------------------- */

/* Makes a flow field again. One that isn't current, or has no target any more, is only a place in the cache. */
static void read_flow(WmSavedCodec *codec, WmCrowdFlowField *field, bool is_current, bool is_exhausted) {
  WmCrowd *crowd = codec->crowd;
  const WmMesh *mesh = codec->on->mesh;
  WmStatus status = wm_flow_field_create(crowd->context, mesh, &field->flow);
  if (!status && is_current && codec->on->is_same && wm_mesh_tile_of(mesh, field->polygon)) {
    const WmCrowdFilter *filter = crowd->filters[field->filter];
    status = wm_flow_field_begin(field->flow, field->polygon, field->position,
                                 filter ? &filter->filter : &crowd->default_filter);
    if (!status) status = wm_flow_field_replay(field->flow, field->cost, is_exhausted);
  }
  wm_saved_note(codec, status, "a flow field is out of range");
}

static void code_flow_field(WmSavedCodec *codec, WmCrowdFlowField *field) {
  bool is_used = field->flow != NULL;
  bool is_current = is_used && wm_flow_field_is_current(field->flow);
  bool is_exhausted = is_current && wm_flow_field_is_exhausted(field->flow);
  wm_saved_code_items(codec, &is_used, 1, WM_SAVED_BOOL);
  if (!is_used || codec->status) return;
  wm_saved_code_items(codec, &is_current, 1, WM_SAVED_BOOL);
  wm_saved_code_items(codec, &is_exhausted, 1, WM_SAVED_BOOL);
  wm_saved_code_items(codec, &field->type, 1, WM_SAVED_WORD);
  if (field->type >= codec->mesh_count) wm_saved_fail(codec, "a flow field has no mesh");
  if (codec->status) return;
  codec->on = &codec->meshes[field->type];
  wm_saved_code(codec, field, WM_TABLE_FIELD);
  if (field->filter >= WM_CROWD_FILTERS) wm_saved_fail(codec, "a flow field has no filter");
  if (codec->reads && !codec->status) read_flow(codec, field, is_current, is_exhausted);
}

/* ---- Islands ------------------------------------------------------------------------------------------ */

static void code_islands(WmSavedCodec *codec, WmCrowdIslands *entry) {
  WmCrowd *crowd = codec->crowd;
  WmFilter filter = wm_filter_default();
  filter.include_flags = entry->include_flags;
  filter.exclude_flags = entry->exclude_flags;
  bool has_islands = entry->islands != NULL;
  bool is_current = has_islands && wm_islands_are_current(entry->islands, &filter);
  wm_saved_code_items(codec, &has_islands, 1, WM_SAVED_BOOL);
  wm_saved_code_items(codec, &is_current, 1, WM_SAVED_BOOL);
  wm_saved_code(codec, entry, WM_TABLE_ISLANDS);
  if (entry->type >= codec->mesh_count) wm_saved_fail(codec, "an island has no mesh");
  if (!codec->reads || !has_islands || codec->status) return;
  const WmSavedMesh *on = &codec->meshes[entry->type];
  filter.include_flags = entry->include_flags;
  filter.exclude_flags = entry->exclude_flags;
  codec->status = wm_islands_create(crowd->context, on->mesh, &entry->islands);
  if (!codec->status && is_current && on->is_same) codec->status = wm_islands_update(entry->islands, &filter);
}

void wm_saved_code_planning(WmSavedCodec *codec) {
  WmCrowd *crowd = codec->crowd;
  for (uint32_t i = 0; i < WM_CROWD_FLOW_FIELDS && !codec->status; i++)
    code_flow_field(codec, &crowd->flow_fields[i]);
  for (uint32_t i = 0; i < WM_CROWD_ISLANDS && !codec->status; i++) code_islands(codec, &crowd->islands[i]);
  for (uint32_t type = 0; type < codec->mesh_count && !codec->status; type++) code_mesh(codec, type);
}
