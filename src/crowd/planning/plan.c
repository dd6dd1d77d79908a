/* Planning: processes path requests in their order, within a budget for all searches of a step, and stores
 * the results. Of the requests of one step, those to near targets come first.
 *
 * A search that exceeds the budget continues in the next step. If the target changes during a search, the
 * search is finished, and its corridor used until the agent's next request is processed. If many agents wait
 * for the same target, a flow field grows to the first of them (flow_fields.c), and all agents that it covers
 * get their corridors from it immediately, ahead of their turn: that delays no other agent. An expensive
 * search that failed labels the mesh's islands (destination.c): agents whose target is on another island go
 * to the nearest point of their own. An agent on an off-mesh connection plans from where it lands. An agent
 * with an unreachable target walks to the nearest reachable point, and requests again only after the mesh
 * changed: at once if islands were joined that lay apart, else with a wait that doubles with each failure, so that
 * it never delays others. If no way leads on from ground that its filter excludes, it is put beside it, and asks again. */
#include "crowd/planning/flow_fields.h"
#include "crowd/planning/destination.h"
#include "mesh/locate.h"

/* The budget of a step. */
typedef struct Plan {
  WmCrowd *crowd;
  WmCrowdStep *step;
  uint32_t work, limit; /* polygons searched, and corridors copied in the same unit */
} Plan;

/* ---- Results ---------------------------------------------------------------------------------------- */

/* There is no destination: the agent stands. */
static void give_up(WmCrowd *crowd, size_t index, WmAgentReason reason) {
  WmAgentRecord *record = &crowd->records[index];
  const WmMesh *mesh = wm_agent_mesh(crowd, record)->mesh;
  wm_agent_corridor_clear(crowd, &record->corridor);
  record->corners_are_valid = false;
  record->corner_count = 0;
  record->needs_plan = false;
  record->is_partial = true;
  record->partial_reason = (uint8_t)reason;
  memcpy(record->destination, crowd->positions + 3 * index, sizeof record->destination);
  record->checked_version = wm_mesh_version(mesh);
  wm_agent_forget_connection(record);
  crowd->states[index] = WM_AGENT_UNREACHABLE;
  crowd->reasons[index] = (uint8_t)reason;
}

/* Sets the wait after a failed search: 1 s, doubled with each failure on a mesh that has changed. Other agents
 * push an agent off its corridor as often as they like, and each time it fails again: that says nothing about
 * the next change. */
static void postpone(WmAgentRecord *record) {
  if (record->failures < UINT32_MAX) record->failures++;
  const float delay = record->failures < 6 ? (float)(1u << (record->failures - 1)) : WM_CROWD_LONGEST_RETRY;
  record->retry = delay < WM_CROWD_LONGEST_RETRY ? delay : WM_CROWD_LONGEST_RETRY;
}

/* The reason why a corridor is not complete. */
static WmAgentReason reason_of(const WmCorridor *corridor) {
  return corridor->reason == WM_PATH_REASON_END_EXCLUDED ? WM_AGENT_REASON_TARGET_EXCLUDED
         : corridor->reason == WM_PATH_REASON_NODE_LIMIT ? WM_AGENT_REASON_SEARCH_LIMIT
                                                         : WM_AGENT_REASON_TARGET_NOT_CONNECTED;
}

/* True if the plan is for a target that moved on a little: the agent is as blocked as before, or goes on resting. */
static bool has_moved_on(const WmCrowd *crowd, size_t index) {
  const WmAgentRecord *record = &crowd->records[index];
  const uint8_t state = crowd->states[index];
  const bool plans = state == WM_AGENT_PLANNING && crowd->reasons[index] == WM_AGENT_REASON_NONE;
  /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c): bits */
  return (plans || state == WM_AGENT_ARRIVED || state == WM_AGENT_CROWDED) && !record->has_new_goal &&
         memcmp(record->destination, record->target, sizeof record->target) != 0;
}

/* Follows a new corridor to the target, or to the reachable point nearest to it. */
static void go(WmCrowd *crowd, size_t index, const WmCrowdDestination *destination,
               const WmCorridor *corridor) {
  WmAgentRecord *record = &crowd->records[index];
  const WmMesh *mesh = wm_agent_mesh(crowd, record)->mesh;
  const bool is_there = corridor->state == WM_PATH_COMPLETE;
  const bool has_failed_before = record->is_partial && record->checked_version == destination->version;
  record->needs_plan = false;
  record->checked_version = destination->version;
  record->corners_are_valid = false;
  const bool moved_on = has_moved_on(crowd, index);
  if (!moved_on) record->blocked_time = 0;
  if (record->passage == WM_PASSAGE_HOLDS) { /* of its former path */
    record->passage = WM_PASSAGE_NONE;
    record->row = 0;
  }
  record->detours = record->shortcut_turns = 0;
  record->is_partial = !is_there || destination->is_redirected;
  record->partial_reason = WM_AGENT_REASON_NONE;
  memcpy(record->destination, destination->is_redirected ? destination->point : record->target,
         sizeof record->destination);
  if (!is_there) {
    const WmRef last = corridor->polygons[corridor->polygon_count - 1];
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, last);
    wm_tile_closest_point(tile, wm_ref_polygon(last), record->target, true, record->destination);
    record->partial_reason = (uint8_t)reason_of(corridor);
  } else if (destination->is_redirected) {
    record->partial_reason = destination->partial_reason;
  }
  if (!record->is_partial) {
    wm_agent_forget_failures(record);
  } else if (!has_failed_before) {
    postpone(record);
  }
  wm_agent_forget_connection(record);
  if (moved_on && wm_agent_rests(crowd->states[index]) && !record->is_partial) return;
  crowd->states[index] = WM_AGENT_FOLLOWING;
  crowd->reasons[index] = record->partial_reason;
}

/* Follows the corridor to a former target until there is one to the newest. */
static WmStatus go_on_planning(WmCrowd *crowd, size_t index, const WmCorridor *corridor) {
  WmAgentRecord *record = &crowd->records[index];
  const WmMesh *mesh = wm_agent_mesh(crowd, record)->mesh;
  const WmRef last = corridor->polygons[corridor->polygon_count - 1];
  wm_tile_closest_point(wm_mesh_tile_of(mesh, last), wm_ref_polygon(last), record->target, true,
                        record->destination);
  record->checked_version = wm_mesh_version(mesh);
  record->corners_are_valid = false;
  record->detours = record->shortcut_turns = 0;
  return wm_crowd_request(crowd, index);
}

static WmStatus cross(WmCrowd *crowd, size_t index) {
  return wm_agent_seeks_cheapest(&crowd->records[index]) ? wm_crowd_find_crossings(crowd, index) : WM_OK;
}

/* Stores a corridor.
 * in         corridor: from where the agent is */
static WmStatus take_corridor(Plan *plan, size_t index, const WmCrowdDestination *destination,
                              const WmCorridor *corridor) {
  WmCrowd *crowd = plan->crowd;
  WmAgentRecord *record = &crowd->records[index];
  const WmMesh *mesh = wm_agent_mesh(crowd, record)->mesh;
  const bool search_is_outdated = record->search_is_outdated;
  const bool is_same_goal = record->corridor.count > 0 && !record->has_new_goal;
  const float former_way = is_same_goal ? wm_crowd_measure_way(crowd, index) : 0;
  const WmStatus status =
      wm_agent_corridor_set(crowd, &record->corridor, mesh, corridor->polygons, corridor->polygon_count);
  if (status) return status;
  plan->work += (uint32_t)(corridor->polygon_count / WM_CROWD_COPIED_PER_UNIT);
  record->corridor_is_new = true;
  if (search_is_outdated) {
    const WmStatus asked = go_on_planning(crowd, index, corridor);
    return asked ? asked : cross(crowd, index);
  }
  go(crowd, index, destination, corridor);
  record->has_new_goal = false;
  const WmStatus crossed = cross(crowd, index);
  if (crossed) wm_crowd_request_later(record);
  if (crossed) return crossed;
  if (is_same_goal) record->gained -= wm_crowd_measure_way(crowd, index) - former_way;
  return WM_OK;
}

/* Connects a corridor to an agent that has walked on since its search began: prepends the few polygons
 * between.
 * out        *corridor: its polygons may be scratch memory or the query's */
static WmStatus join(WmCrowd *crowd, size_t index, WmCorridor *corridor, bool *is_joined) {
  const WmAgentRecord *record = &crowd->records[index];
  WmCrowdMesh *on = wm_agent_mesh(crowd, record);
  *is_joined = true;
  for (size_t k = 0; k < corridor->polygon_count && k < WM_CROWD_JOIN_LIMIT; k++) {
    if (corridor->polygons[k] != record->polygon) continue;
    corridor->polygons += k;
    corridor->polygon_count -= k;
    return WM_OK;
  }
  WmContext *context = crowd->context;
  WmSearchOptions options = wm_search_options_default();
  options.filter = wm_agent_filter(crowd, record);
  options.max_nodes = WM_CROWD_JOIN_LIMIT;
  WmCorridor gap;
  WmRef *joined = wm_scratch_array(context, WM_CROWD_JOIN_LIMIT + corridor->polygon_count, sizeof *joined);
  if (!joined) return WM_ERROR_OUT_OF_MEMORY;
  const WmStatus status = wm_query_find_corridor(on->query, record->polygon, crowd->positions + 3 * index,
                                                 corridor->polygons[0], record->destination, &options, &gap);
  if (status) return status;
  *is_joined = gap.state == WM_PATH_COMPLETE;
  if (!*is_joined) return WM_OK;
  memcpy(joined, gap.polygons, (gap.polygon_count - 1) * sizeof *joined);
  size_t count = gap.polygon_count - 1;
  /* Where it leads back over the same polygons, it turns earlier. */
  for (size_t k = 0; k < corridor->polygon_count; k++) {
    if (count > 1 && joined[count - 2] == corridor->polygons[k]) {
      count--;
    } else {
      joined[count++] = corridor->polygons[k];
    }
  }
  corridor->polygons = joined;
  corridor->polygon_count = count;
  return WM_OK;
}

/* ---- Beginning a search ----------------------------------------------------------------------------- */

/* True if an agent has no polygon to start from: it is off mesh, or on a connection. */
static bool has_no_start(const WmCrowd *crowd, size_t index) {
  return !crowd->records[index].polygon || crowd->states[index] == WM_AGENT_ON_CONNECTION;
}

/* Records the agent whose search runs. */
static void note_searcher(WmCrowd *crowd, WmCrowdMesh *on, size_t index,
                          const WmCrowdDestination *destination, WmCrowdFlowField *field) {
  on->is_searching = true;
  on->searcher = crowd->agents[index];
  on->request = crowd->records[index].request;
  on->destination = *destination;
  on->key = wm_crowd_target_key(crowd, &crowd->records[index]);
  on->field = field;
}

/* Begins a search for this agent alone. */
static WmStatus begin_search(WmCrowd *crowd, WmCrowdMesh *on, size_t index,
                             const WmCrowdDestination *destination) {
  WmAgentRecord *record = &crowd->records[index];
  WmSearchOptions options = wm_search_options_default();
  options.filter = wm_crowd_path_filter(crowd, record);
  options.max_nodes = crowd->options.max_search_nodes;
  options.wall_distance = record->parameters.wall_distance;
  options.wall_cost = options.wall_distance > 0 ? record->parameters.wall_cost : 0;
  options.shortest = record->parameters.shortest;
  options.is_plain = options.wall_distance > 0;
  const WmStatus status = wm_search_begin(on->search, record->polygon, crowd->positions + 3 * index,
                                          destination->polygon, destination->point, &options);
  if (!status) note_searcher(crowd, on, index, destination, NULL);
  return status;
}

/* Chooses the flow field for an agent: one that covers it, or any if enough agents share it; NULL: none. */
static WmStatus choose_field(WmCrowd *crowd, size_t index, const WmCrowdDestination *destination,
                             WmCrowdFlowField **field) {
  const WmAgentRecord *record = &crowd->records[index];
  *field = NULL;
  if (record->is_on_detour || wm_agent_plans_alone(record)) return WM_OK;
  if (crowd->options.max_fields == 0 || crowd->options.max_search_nodes > 0) return WM_OK;
  const size_t demand = wm_crowd_demand(crowd, wm_crowd_target_key(crowd, record));
  const bool is_shared = wm_crowd_is_flow_field_worth(wm_agent_mesh(crowd, record), demand);
  *field = wm_crowd_find_flow_field(crowd, record, destination->polygon);
  if (*field && !is_shared &&
      !wm_flow_field_covers((*field)->flow, record->polygon, crowd->positions + 3 * index))
    *field = NULL;
  if (*field || !is_shared) return WM_OK;
  return wm_crowd_begin_flow_field(crowd, record, destination->polygon, destination->point, field);
}

/* Stores the corridor of a field that covers the agent. If the field doesn't lead there, or not well enough,
 * begins a search. */
static WmStatus answer_from_field(Plan *plan, WmCrowdMesh *on, size_t index,
                                  const WmCrowdDestination *destination, WmCrowdFlowField *field) {
  WmCrowd *crowd = plan->crowd;
  const WmAgentRecord *record = &crowd->records[index];
  WmCorridor corridor;
  const WmStatus status =
      wm_flow_field_find(field->flow, record->polygon, crowd->positions + 3 * index, &corridor);
  if (status) return status;
  const bool suits = corridor.state == WM_PATH_COMPLETE &&
                     (record->search_is_outdated ||
                      wm_crowd_flow_field_suits(crowd, field, record, destination->point, corridor.cost));
  if (suits) return take_corridor(plan, index, destination, &corridor);
  return begin_search(crowd, on, index, destination);
}

/* True if an agent's filter excludes a polygon of its mesh. */
static bool is_excluded(const WmCrowd *crowd, const WmAgentRecord *record, WmRef polygon) {
  const WmMeshTile *tile = wm_mesh_tile_of(wm_agent_mesh(crowd, record)->mesh, polygon);
  return tile &&
         !wm_filter_passes(wm_agent_filter(crowd, record), tile->polygon_flags[wm_ref_polygon(polygon)]);
}

/* Puts an agent onto the nearest ground that its filter allows, if it stands on other ground, such as that of a door that has been
 * closed, from which no way leads on: only the first polygon of a search may be excluded. It asks again from there.
 * out        *has_left: true if it was put there */
static WmStatus leave_excluded(WmCrowd *crowd, size_t index, bool *has_left) {
  const WmAgentRecord *record = &crowd->records[index];
  const WmCrowdMesh *on = wm_agent_mesh(crowd, record);
  const WmFilter *filter = wm_agent_filter(crowd, record);
  *has_left = false;
  if (!is_excluded(crowd, record, record->polygon)) return WM_OK;
  float position[3];
  memcpy(position, crowd->positions + 3 * index, sizeof position);
  WmNearest nearest;
  const WmStatus status =
      wm_query_find_nearest(on->query, position, crowd->options.place_extents, filter, &nearest);
  if (status || !nearest.polygon) return status;
  *has_left = true;
  wm_crowd_set_on_mesh(crowd, index, position, &nearest);
  crowd->states[index] = WM_AGENT_PLANNING;
  crowd->reasons[index] = WM_AGENT_REASON_MESH_CHANGED;
  return wm_crowd_request(crowd, index);
}

/* Prepares for a target that the agent's filter excludes: no search finds more out than the islands.
 * out        *is_over: nothing else is to be done */
static WmStatus begin_to_excluded(WmCrowd *crowd, size_t index, bool *is_over) {
  const WmAgentRecord *record = &crowd->records[index];
  *is_over = is_excluded(crowd, record, record->polygon);
  if (!*is_over) return wm_crowd_label_islands(crowd, record);
  bool has_left;
  const WmStatus status = leave_excluded(crowd, index, &has_left);
  if (!status && !has_left) give_up(crowd, index, WM_AGENT_REASON_TARGET_EXCLUDED);
  return status;
}

/* Begins the search of an agent, or stores its corridor immediately. */
static WmStatus begin(Plan *plan, WmCrowdMesh *on, size_t index) {
  WmCrowd *crowd = plan->crowd;
  WmAgentRecord *record = &crowd->records[index];
  record->search_is_outdated = false;
  record->is_on_detour = record->seeks_detour;
  record->seeks_detour = false;
  if (has_no_start(crowd, index)) { /* requested again when it has one */
    record->request = 0;
    return WM_OK;
  }
  WmStatus status = wm_crowd_find_target(crowd, record);
  if (status) return status;
  if (!record->target_polygon) {
    give_up(crowd, index, WM_AGENT_REASON_TARGET_OFF_MESH);
    return WM_OK;
  }
  if (is_excluded(crowd, record, record->target_polygon)) {
    bool is_over;
    status = begin_to_excluded(crowd, index, &is_over);
    if (status || is_over) return status;
  }
  const WmCrowdDestination destination = wm_crowd_find_destination(crowd, record);
  if (record->polygon == destination.polygon) {
    const WmRef polygon = record->polygon;
    const WmCorridor corridor = {.state = WM_PATH_COMPLETE, .polygon_count = 1, .polygons = &polygon};
    return take_corridor(plan, index, &destination, &corridor);
  }
  WmCrowdFlowField *field;
  status = choose_field(crowd, index, &destination, &field);
  if (status) return status;
  if (!field) return begin_search(crowd, on, index, &destination);
  if (wm_flow_field_covers(field->flow, record->polygon, crowd->positions + 3 * index))
    return answer_from_field(plan, on, index, &destination, field);
  note_searcher(crowd, on, index, &destination, field);
  return WM_OK;
}

/* ---- Continuing a search ---------------------------------------------------------------------------- */

/* After a failed search, begins another one to a reachable point if that is known. If the search to that
 * point fails as well (because of one-way connections), a last one goes to the target.
 * out        on->is_searching: true if another search runs */
static WmStatus look_elsewhere(Plan *plan, WmCrowdMesh *on, size_t index, const WmCorridor *corridor) {
  WmCrowd *crowd = plan->crowd;
  WmAgentRecord *record = &crowd->records[index];
  if (corridor->state != WM_PATH_UNREACHABLE || record->search_is_outdated || on->destination.is_last)
    return WM_OK;
  if (on->destination.is_redirected) {
    WmCrowdDestination destination = {
        .version = on->destination.version, .polygon = record->target_polygon, .is_last = true};
    memcpy(destination.point, record->target, sizeof destination.point);
    return begin_search(crowd, on, index, &destination);
  }
  if (corridor->searched <= WM_CROWD_COSTLY_FAILURE) return WM_OK;
  const WmStatus status = wm_crowd_label_islands(crowd, record);
  if (status) return status;
  const WmCrowdDestination destination = wm_crowd_find_destination(crowd, record);
  return destination.is_redirected ? begin_search(crowd, on, index, &destination) : WM_OK;
}

/* Stores the result of a mesh's finished search. */
static WmStatus answer(Plan *plan, WmCrowdMesh *on, size_t index) {
  WmCrowd *crowd = plan->crowd;
  WmCorridor corridor;
  WmStatus status = wm_search_finish(on->search, &corridor);
  if (!status) wm_crowd_note_search(on, corridor.searched);
  if (!status) status = look_elsewhere(plan, on, index, &corridor);
  if (status || on->is_searching) return status;
  bool has_left = false;
  if (corridor.state == WM_PATH_UNREACHABLE && !crowd->records[index].search_is_outdated)
    status = leave_excluded(crowd, index, &has_left);
  if (status || has_left) return status;
  const WmScratchMark mark = wm_scratch_mark(crowd->context);
  bool is_joined;
  status = join(crowd, index, &corridor, &is_joined);
  if (!status && is_joined) {
    status = take_corridor(plan, index, &on->destination, &corridor);
  } else if (!status) {
    status = wm_crowd_request(crowd, index);
  }
  wm_scratch_rewind(crowd->context, mark);
  return status;
}

/* Grows a flow field towards the agent that waits for it. */
static WmStatus advance_field(Plan *plan, WmCrowdMesh *on, size_t index) {
  WmCrowd *crowd = plan->crowd;
  const WmAgentRecord *record = &crowd->records[index];
  WmCrowdFlowField *field = on->field;
  bool done;
  size_t used;
  if (has_no_start(crowd, index) || !wm_flow_field_is_current(field->flow)) { /* from the beginning */
    on->is_searching = false;
    return begin(plan, on, index);
  }
  WmStatus status = wm_flow_field_advance(field->flow, record->polygon, crowd->positions + 3 * index,
                                          plan->limit - plan->work, &done, &used);
  plan->step->searched += (uint32_t)used;
  plan->work += (uint32_t)used;
  field->cost += (uint32_t)used;
  if (status || !done) return status;
  on->is_searching = false;
  plan->step->searches++;
  wm_crowd_note_flow_field(on, field);
  crowd->shared_key = on->key;
  const WmCrowdDestination destination = on->destination;
  return answer_from_field(plan, on, index, &destination, field);
}

/* Continues the search for one agent alone. */
static WmStatus advance_search(Plan *plan, WmCrowdMesh *on, size_t index) {
  WmCrowd *crowd = plan->crowd;
  size_t used = 0;
  bool done = false;
  WmStatus status = wm_search_advance(on->search, plan->limit - plan->work, &done, &used);
  plan->step->searched += (uint32_t)used;
  plan->work += (uint32_t)used;
  /* The tile of its start or end was removed, or, in a loaded crowd, isn't in this mesh: from the beginning. */
  if (status == WM_ERROR_STALE_REFERENCE || status == WM_ERROR_INVALID_ARGUMENT) {
    on->is_searching = false;
    return begin(plan, on, index);
  }
  if (status || !done) return status;
  on->is_searching = false;
  if (has_no_start(crowd, index)) { /* it left the surface meanwhile */
    crowd->records[index].request = 0;
    return WM_OK;
  }
  status = answer(plan, on, index);
  plan->step->searches += !on->is_searching;
  return status;
}

/* Continues the search of a mesh. */
static WmStatus advance(Plan *plan, WmCrowdMesh *on) {
  WmCrowd *crowd = plan->crowd;
  size_t index;
  /* In a loaded crowd the request may be one of an agent on another mesh. */
  if (!wm_crowd_is_wanted(crowd, on->searcher, on->request, &index) ||
      wm_agent_mesh(crowd, &crowd->records[index]) != on) {
    on->is_searching = false;
    return WM_OK;
  }
  const WmStatus status = on->field ? advance_field(plan, on, index) : advance_search(plan, on, index);
  if (status) { /* requested again in the next step */
    on->is_searching = false;
    crowd->records[index].request = 0;
  }
  return status;
}

/* A mesh whose search runs; NULL. */
static WmCrowdMesh *find_searching(const WmCrowd *crowd) {
  for (uint32_t type = 0; type < crowd->mesh_count; type++) {
    if (wm_crowd_mesh(crowd, type)->is_searching) return wm_crowd_mesh(crowd, type);
  }
  return NULL;
}

/* Stores the corridors of all waiting agents whose target has this key, as far as a field covers them. */
static WmStatus answer_all(Plan *plan, uint64_t key) {
  WmCrowd *crowd = plan->crowd;
  size_t index;
  for (size_t slot = 0; plan->work < plan->limit && wm_crowd_find_request(crowd, key, &slot, &index);
       slot++) {
    WmAgentRecord *record = &crowd->records[index];
    if (has_no_start(crowd, index) || !record->target_polygon) continue;
    const WmCrowdDestination destination = wm_crowd_find_destination(crowd, record);
    WmCrowdFlowField *field = wm_crowd_find_flow_field(crowd, record, destination.polygon);
    if (!field) return WM_OK;
    const float *position = crowd->positions + 3 * index;
    WmCorridor corridor;
    if (!wm_flow_field_covers(field->flow, record->polygon, position)) continue;
    WmStatus status = wm_flow_field_find(field->flow, record->polygon, position, &corridor);
    if (status) return status;
    if (corridor.state != WM_PATH_COMPLETE ||
        !wm_crowd_flow_field_suits(crowd, field, record, destination.point, corridor.cost)) {
      continue; /* it gets a search of its own, in its turn */
    }
    wm_crowd_remove_request(crowd, slot);
    plan->work++;
    plan->step->searches++;
    status = take_corridor(plan, index, &destination, &corridor);
    if (status) crowd->records[index].request = 0;
    if (status) return status;
  }
  return WM_OK;
}

/* Begins the oldest request of the queue. */
static WmStatus begin_next(Plan *plan) {
  WmCrowd *crowd = plan->crowd;
  size_t index;
  if (!wm_crowd_next_request(crowd, &index)) return WM_OK;
  plan->work++; /* results without a search cost something, too */
  WmCrowdMesh *on = wm_agent_mesh(crowd, &crowd->records[index]);
  const WmStatus status = begin(plan, on, index);
  plan->step->searches += !status && !on->is_searching;
  /* Out of memory: requested again in the next step. */
  if (status) crowd->records[index].request = 0;
  return status;
}

WmStatus wm_crowd_plan(WmCrowd *crowd, WmCrowdStep *step) {
  Plan plan = {.crowd = crowd, .step = step, .limit = crowd->options.search_budget};
  WmCrowdMesh *on = find_searching(crowd);
  crowd->shared_key = 0;
  WmStatus first = WM_OK;
  if (crowd->options.max_fields > 0 && crowd->queue_count > 0) first = wm_crowd_count_demand(crowd);
  if (!first) first = wm_crowd_sort_requests(crowd);
  /* Agents near a target don't wait until the field has reached those far away. */
  if (on && on->field) crowd->shared_key = on->key;
  while (plan.work < plan.limit && !first) {
    const uint64_t key = crowd->shared_key;
    crowd->shared_key = 0;
    on = find_searching(crowd);
    if (key) {
      first = answer_all(&plan, key);
    } else if (on) {
      first = advance(&plan, on);
    } else if (crowd->queue_count > 0) {
      first = begin_next(&plan);
    } else {
      break;
    }
  }
  /* Shortcuts get what is left, up to a fraction of the budget. */
  const uint32_t left = plan.work < plan.limit ? plan.limit - plan.work : 0;
  const uint32_t most = plan.limit / WM_CROWD_SHORTCUT_BUDGET_DIVISOR + 1;
  if (!first && left > WM_CROWD_SHORTCUT_MARGIN)
    first = wm_crowd_find_shortcuts(
        crowd, left - WM_CROWD_SHORTCUT_MARGIN < most ? left - WM_CROWD_SHORTCUT_MARGIN : most, step);
  step->waiting_searches =
      (uint32_t)(crowd->queue_count - crowd->removed_requests) + (find_searching(crowd) != NULL);
  return first;
}
