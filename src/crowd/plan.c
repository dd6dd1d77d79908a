/* Planning: requests in the order in which they came, a budget for all searches of a step, and ways that are
 * lost where the mesh changes.
 *
 * An agent stands in the queue once: asked again, it keeps its place, and looks for its newest target. If
 * that changes while the search is under way, the search is finished, and its way taken until the agent's
 * next turn. A search that is not finished at the end of the budget goes on in the next step. An agent that
 * can get no nearer to its target walks to the nearest reachable place and asks again only after the mesh has
 * changed, and then the later the oftener it failed: it never takes time from the others. One that is on an
 * off-mesh connection plans from where it lands. */
#include "crowd/crowd_internal.h"
#include "mesh/locate.h"
#include "query/query_internal.h"

/* Polygons of a way that are looked at in a step after the mesh has changed. */
enum { CHECKED_A_STEP = 16 };
/* Polygons that may lie between an agent and the way found for where it was. */
enum { JOIN_LIMIT = 256 };
/* The longest time until an agent without a way asks again, seconds. */
#define LONGEST_RETRY 30.0f

/* ---- The queue ---------------------------------------------------------------------------------------- */

WmStatus wm_crowd_reserve_requests(WmCrowd *crowd, size_t more) {
  const size_t capacity = crowd->queue.capacity;
  if (crowd->queue_count + more <= capacity) return WM_OK;
  const WmStatus status =
      wm_buffer_reserve(crowd->context, &crowd->queue, crowd->queue_count + more, sizeof(WmPlanRequest));
  if (status) return status;
  /* What went round the end goes to the end of the larger ring. */
  WmPlanRequest *items = crowd->queue.items;
  if (crowd->queue_first + crowd->queue_count > capacity) {
    const size_t tail = capacity - crowd->queue_first;
    memmove(items + crowd->queue.capacity - tail, items + crowd->queue_first, tail * sizeof *items);
    crowd->queue_first = crowd->queue.capacity - tail;
  }
  return WM_OK;
}

WmStatus wm_crowd_request(WmCrowd *crowd, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  if (record->goal != WM_GOAL_PLACE) return WM_OK;
  record->needs_plan = true;
  record->is_overtaken = false;
  if (record->queued) { /* it keeps its place, however often its target changes */
    record->request = record->queued;
    return WM_OK;
  }
  const WmStatus status = wm_crowd_reserve_requests(crowd, 1);
  if (status) { /* asked again by wm_crowd_check_mesh */
    record->request = 0;
    return status;
  }
  if (++crowd->request == 0) crowd->request = 1;
  record->request = record->queued = crowd->request;
  const size_t place = (crowd->queue_first + crowd->queue_count++) % crowd->queue.capacity;
  ((WmPlanRequest *)crowd->queue.items)[place] = (WmPlanRequest){crowd->agents[index], record->request};
  return WM_OK;
}

WmStatus wm_crowd_request_target(WmCrowd *crowd, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  const WmCrowdMesh *on = wm_agent_mesh(crowd, record);
  const bool is_searched = on->is_searching && on->searcher == crowd->agents[index] &&
                           on->request == record->request && record->needs_plan;
  if (!is_searched) return wm_crowd_request(crowd, index);
  record->is_overtaken = true;
  return WM_OK;
}

/* The agent of a request, if it is still its newest one. */
static bool is_wanted(const WmCrowd *crowd, WmAgent agent, uint32_t request, size_t *index) {
  if (!wm_crowd_peek(crowd, agent, index)) return false;
  const WmAgentRecord *record = &crowd->records[*index];
  return record->needs_plan && record->request == request && record->goal == WM_GOAL_PLACE;
}

/* ---- Places ------------------------------------------------------------------------------------------- */

static void stand(WmCrowd *crowd, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  wm_way_clear(crowd, &record->way);
  record->corners_are_valid = record->walls_are_valid = false;
  record->corner_count = record->wall_count = 0;
  record->connection = 0;
  record->direction[0] = record->direction[1] = 0;
}

void wm_crowd_put(WmCrowd *crowd, size_t index, const float position[3], const WmNearest *nearest) {
  WmAgentRecord *record = &crowd->records[index];
  stand(crowd, index);
  record->polygon = nearest->polygon;
  memcpy(crowd->positions + 3 * index, nearest->polygon ? nearest->point : position, 3 * sizeof *position);
  if (nearest->polygon) {
    if (crowd->states[index] == WM_AGENT_OFF_MESH) crowd->states[index] = WM_AGENT_NO_TARGET;
    if (record->goal != WM_GOAL_PLACE) {
      crowd->states[index] = record->goal == WM_GOAL_NONE ? WM_AGENT_NO_TARGET : WM_AGENT_FOLLOWING;
      crowd->reasons[index] = record->goal == WM_GOAL_NONE ? WM_AGENT_REASON_NONE : WM_AGENT_REASON_VELOCITY;
    }
  } else {
    crowd->states[index] = WM_AGENT_OFF_MESH;
    crowd->reasons[index] = WM_AGENT_REASON_NO_GROUND;
    memset(crowd->velocities + 3 * index, 0, 3 * sizeof(float));
  }
}

WmStatus wm_crowd_place(WmCrowd *crowd, size_t index, const float position[3]) {
  const WmAgentRecord *record = &crowd->records[index];
  WmNearest nearest;
  const WmStatus status =
      wm_query_find_nearest(wm_agent_mesh(crowd, record)->query, position, crowd->options.place_extents,
                            wm_agent_filter(crowd, record), &nearest);
  if (!status) wm_crowd_put(crowd, index, position, &nearest);
  return status;
}

/* ---- A mesh that changes ------------------------------------------------------------------------------ */

/* Asks for a way because the former one is lost. */
static WmStatus ask_again(WmCrowd *crowd, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  if (record->goal != WM_GOAL_PLACE || record->needs_plan) return WM_OK;
  if (crowd->states[index] != WM_AGENT_ON_CONNECTION) {
    crowd->states[index] = WM_AGENT_PLANNING;
    crowd->reasons[index] = WM_AGENT_REASON_MESH_CHANGED;
  }
  return wm_crowd_request(crowd, index);
}

/* Whether the next polygons of a way are there, pass and are linked; goes on from step to step. */
static bool check_way(const WmCrowd *crowd, WmAgentRecord *record, const WmMesh *mesh) {
  const WmFilter *filter = wm_agent_filter(crowd, record);
  const uint64_t version = wm_mesh_version(mesh);
  if (record->checking_version != version) {
    record->checking_version = version;
    record->checked = 0;
  }
  WmWayPlace place = wm_way_begin(&record->way);
  while (place.index < record->checked && place.index + 1 < record->way.count)
    place = wm_way_next(crowd, place);
  uint32_t looked_at = 0;
  while (looked_at < CHECKED_A_STEP && place.index + 1 < record->way.count) {
    const WmRef from = wm_way_polygon(crowd, place);
    const WmWayPlace next = wm_way_next(crowd, place);
    const WmRef to = wm_way_polygon(crowd, next);
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, from), *next_tile = wm_mesh_tile_of(mesh, to);
    if (!tile || !next_tile) return false;
    if (!wm_filter_passes(filter, next_tile->polygon_flags[wm_ref_polygon(to)])) return false;
    if (!wm_query_find_portal(tile, wm_ref_polygon(from), to)) return false;
    place = next;
    looked_at++;
  }
  record->checked = place.index;
  if (place.index + 1 >= record->way.count) record->checked_version = version;
  return true;
}

static WmStatus check_agent(WmCrowd *crowd, size_t index, bool has_changed, float seconds) {
  WmAgentRecord *record = &crowd->records[index];
  const WmMesh *mesh = wm_agent_mesh(crowd, record)->mesh;
  if (record->retry > 0) record->retry -= seconds;
  if (has_changed) {
    record->walls_are_valid = false;
    const bool is_flying = crowd->states[index] == WM_AGENT_ON_CONNECTION;
    if (!is_flying && (!record->polygon || !wm_mesh_tile_of(mesh, record->polygon))) {
      float position[3];
      memcpy(position, crowd->positions + 3 * index, sizeof position);
      const WmStatus status = wm_crowd_place(crowd, index, position);
      if (status) return status;
      if (!record->polygon || record->goal != WM_GOAL_PLACE) return WM_OK;
      crowd->states[index] = WM_AGENT_PLANNING;
      crowd->reasons[index] = WM_AGENT_REASON_MESH_CHANGED;
      return wm_crowd_request(crowd, index);
    }
  }
  if (!record->polygon || crowd->states[index] == WM_AGENT_ON_CONNECTION) return WM_OK;
  if (record->needs_plan && record->request == 0) return wm_crowd_request(crowd, index);
  if (record->goal != WM_GOAL_PLACE || record->needs_plan) return WM_OK;
  const uint64_t version = wm_mesh_version(mesh);
  if (record->checked_version == version) return WM_OK;
  if (record->is_partial) {
    if (record->retry > 0) return WM_OK;
    record->checked_version = version;
    return ask_again(crowd, index);
  }
  if (record->way.count > 0 && !check_way(crowd, record, mesh)) return ask_again(crowd, index);
  if (record->way.count == 0) record->checked_version = version;
  return WM_OK;
}

WmStatus wm_crowd_check_mesh(WmCrowd *crowd, float seconds) {
  bool has_changed[WM_CROWD_TYPES];
  for (uint32_t type = 0; type < crowd->mesh_count; type++) {
    WmCrowdMesh *on = wm_crowd_mesh(crowd, type);
    has_changed[type] = on->seen_version != wm_mesh_version(on->mesh);
    on->seen_version = wm_mesh_version(on->mesh);
  }
  WmStatus first = WM_OK;
  /* By number: those whose ways are lost ask for new ones in this order. */
  const WmAgentNumber *numbers = crowd->numbers.items;
  for (uint32_t number = 0; number < crowd->number_count; number++) {
    if (!numbers[number].is_used) continue;
    const size_t i = numbers[number].index;
    const WmStatus status = check_agent(crowd, i, has_changed[crowd->records[i].parameters.type], seconds);
    if (!first) first = status;
  }
  return first;
}

/* ---- Answers ------------------------------------------------------------------------------------------ */

/* There is nowhere to go. */
static void give_up(WmCrowd *crowd, size_t index, WmAgentReason reason) {
  WmAgentRecord *record = &crowd->records[index];
  const WmMesh *mesh = wm_agent_mesh(crowd, record)->mesh;
  wm_way_clear(crowd, &record->way);
  record->corners_are_valid = false;
  record->corner_count = 0;
  record->needs_plan = false;
  record->is_partial = true;
  record->why = (uint8_t)reason;
  memcpy(record->end, crowd->positions + 3 * index, sizeof record->end);
  record->checked_version = wm_mesh_version(mesh);
  crowd->states[index] = WM_AGENT_UNREACHABLE;
  crowd->reasons[index] = (uint8_t)reason;
}

/* How long an agent waits after failures. */
static void postpone(WmAgentRecord *record) {
  record->failures++;
  const float delay = record->failures < 6 ? (float)(1u << (record->failures - 1)) : LONGEST_RETRY;
  record->retry = delay < LONGEST_RETRY ? delay : LONGEST_RETRY;
}

/* The way has been found, for as far as it goes. */
static void go(WmCrowd *crowd, size_t index, const WmCorridor *corridor) {
  WmAgentRecord *record = &crowd->records[index];
  const WmMesh *mesh = wm_agent_mesh(crowd, record)->mesh;
  record->needs_plan = false;
  record->checked_version = wm_mesh_version(mesh);
  record->corners_are_valid = false;
  record->blocked_time = 0;
  record->detours = 0;
  record->is_partial = corridor->state != WM_PATH_COMPLETE;
  record->why = WM_AGENT_REASON_NONE;
  memcpy(record->end, record->target, sizeof record->end);
  if (record->is_partial) {
    const WmRef last = corridor->polygons[corridor->polygon_count - 1];
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, last);
    wm_tile_closest_point(tile, wm_ref_polygon(last), record->target, true, record->end);
    record->why = corridor->reason == WM_PATH_REASON_END_EXCLUDED ? WM_AGENT_REASON_TARGET_EXCLUDED
                  : corridor->reason == WM_PATH_REASON_NODE_LIMIT ? WM_AGENT_REASON_SEARCH_LIMIT
                                                                  : WM_AGENT_REASON_TARGET_NOT_CONNECTED;
    postpone(record);
  } else {
    record->failures = 0;
    record->retry = 0;
  }
  crowd->states[index] = WM_AGENT_FOLLOWING;
  crowd->reasons[index] = record->why;
}

/* The way to a former target has been found: the agent takes it until there is one to the newest. */
static WmStatus go_on_planning(WmCrowd *crowd, size_t index, const WmCorridor *corridor) {
  WmAgentRecord *record = &crowd->records[index];
  const WmMesh *mesh = wm_agent_mesh(crowd, record)->mesh;
  const WmRef last = corridor->polygons[corridor->polygon_count - 1];
  wm_tile_closest_point(wm_mesh_tile_of(mesh, last), wm_ref_polygon(last), record->target, true, record->end);
  record->checked_version = wm_mesh_version(mesh);
  record->corners_are_valid = false;
  record->detours = 0;
  return wm_crowd_request(crowd, index);
}

/* The agent has gone on since its search began: puts the few polygons between in front.
 * out        *corridor, which may be an array of the query */
static WmStatus join(WmCrowd *crowd, size_t index, WmCorridor *corridor, bool *is_joined) {
  const WmAgentRecord *record = &crowd->records[index];
  WmCrowdMesh *on = wm_agent_mesh(crowd, record);
  *is_joined = true;
  for (size_t k = 0; k < corridor->polygon_count && k < JOIN_LIMIT; k++) {
    if (corridor->polygons[k] != record->polygon) continue;
    corridor->polygons += k;
    corridor->polygon_count -= k;
    return WM_OK;
  }
  WmContext *context = crowd->context;
  WmSearchOptions options = wm_search_options_default();
  options.filter = wm_agent_filter(crowd, record);
  options.max_nodes = JOIN_LIMIT;
  WmCorridor gap;
  WmRef *joined = wm_scratch_array(context, JOIN_LIMIT + corridor->polygon_count, sizeof *joined);
  if (!joined) return WM_ERROR_OUT_OF_MEMORY;
  const WmStatus status = wm_query_find_corridor(on->query, record->polygon, crowd->positions + 3 * index,
                                                 corridor->polygons[0], record->end, &options, &gap);
  if (status) return status;
  *is_joined = gap.state == WM_PATH_COMPLETE;
  if (!*is_joined) return WM_OK;
  memcpy(joined, gap.polygons, (gap.polygon_count - 1) * sizeof *joined);
  size_t count = gap.polygon_count - 1;
  /* Where it leads back over the same polygons it turns at once. */
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

/* The search of a mesh has come to an end. */
static WmStatus answer(WmCrowd *crowd, WmCrowdMesh *on, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  WmCorridor corridor;
  WmStatus status = wm_search_finish(on->search, &corridor);
  if (status) return status;
  const WmScratchMark mark = wm_scratch_mark(crowd->context);
  bool is_joined;
  status = join(crowd, index, &corridor, &is_joined);
  if (!status && is_joined) {
    const bool is_overtaken = record->is_overtaken;
    status = wm_way_set(crowd, &record->way, on->mesh, corridor.polygons, corridor.polygon_count);
    if (!status && !is_overtaken) go(crowd, index, &corridor);
    if (!status && is_overtaken) status = go_on_planning(crowd, index, &corridor);
  } else if (!status) {
    status = wm_crowd_request(crowd, index);
  }
  wm_scratch_rewind(crowd->context, mark);
  return status;
}

/* ---- Searching ---------------------------------------------------------------------------------------- */

/* The target's polygon, looked for again where it has gone. */
static WmStatus find_target(WmCrowd *crowd, WmAgentRecord *record, WmCrowdMesh *on) {
  if (record->target_polygon && wm_mesh_tile_of(on->mesh, record->target_polygon)) return WM_OK;
  WmNearest nearest;
  const WmStatus status = wm_query_find_nearest(on->query, record->target, crowd->options.place_extents,
                                                wm_agent_filter(crowd, record), &nearest);
  if (status) return status;
  record->target_polygon = nearest.polygon;
  if (nearest.polygon) memcpy(record->target, nearest.point, sizeof record->target);
  return WM_OK;
}

/* Whether an agent has no polygon to begin from: it is off the mesh, or flies. */
static bool has_no_start(const WmCrowd *crowd, size_t index) {
  return !crowd->records[index].polygon || crowd->states[index] == WM_AGENT_ON_CONNECTION;
}

/* Begins the search of an agent, or answers at once. */
static WmStatus begin(WmCrowd *crowd, WmCrowdMesh *on, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  record->is_overtaken = false;
  if (has_no_start(crowd, index)) { /* asked again when it has */
    record->request = 0;
    return WM_OK;
  }
  WmStatus status = find_target(crowd, record, on);
  if (status) return status;
  if (!record->target_polygon) {
    give_up(crowd, index, WM_AGENT_REASON_TARGET_OFF_MESH);
    return WM_OK;
  }
  if (record->polygon == record->target_polygon) {
    const WmCorridor corridor = {.state = WM_PATH_COMPLETE, .polygon_count = 1, .polygons = &record->polygon};
    status = wm_way_set(crowd, &record->way, on->mesh, corridor.polygons, 1);
    if (!status) go(crowd, index, &corridor);
    return status;
  }
  WmSearchOptions options = wm_search_options_default();
  options.filter = wm_agent_filter(crowd, record);
  options.max_nodes = crowd->options.max_search_nodes;
  status = wm_search_begin(on->search, record->polygon, crowd->positions + 3 * index, record->target_polygon,
                           record->target, &options);
  if (status) return status;
  on->is_searching = true;
  on->searcher = crowd->agents[index];
  on->request = record->request;
  return WM_OK;
}

/* Takes up to `budget` polygons up for the search of a mesh. */
static WmStatus advance(WmCrowd *crowd, WmCrowdMesh *on, WmCrowdStep *step, size_t budget) {
  size_t index, used = 0;
  bool done = false;
  if (!is_wanted(crowd, on->searcher, on->request, &index)) {
    on->is_searching = false;
    return WM_OK;
  }
  WmStatus status = wm_search_advance(on->search, budget, &done, &used);
  step->searched += (uint32_t)used;
  if (status == WM_ERROR_STALE_REFERENCE) { /* its start or end has gone: from the beginning */
    on->is_searching = false;
    return begin(crowd, on, index);
  }
  if (status || !done) {
    if (status) crowd->records[index].request = 0; /* asked again in the next step */
    return status;
  }
  on->is_searching = false;
  step->searches++;
  if (has_no_start(crowd, index)) { /* it has left the ground meanwhile */
    crowd->records[index].request = 0;
    return WM_OK;
  }
  status = answer(crowd, on, index);
  if (status) crowd->records[index].request = 0;
  return status;
}

/* A mesh whose search is under way; NULL. */
static WmCrowdMesh *find_searching(const WmCrowd *crowd) {
  for (uint32_t type = 0; type < crowd->mesh_count; type++) {
    if (wm_crowd_mesh(crowd, type)->is_searching) return wm_crowd_mesh(crowd, type);
  }
  return NULL;
}

WmStatus wm_crowd_plan(WmCrowd *crowd, WmCrowdStep *step) {
  WmStatus first = WM_OK;
  const uint32_t limit = step->searched + crowd->options.search_budget;
  while (step->searched < limit) {
    WmCrowdMesh *on = find_searching(crowd);
    WmStatus status = WM_OK;
    if (on) {
      status = advance(crowd, on, step, limit - step->searched);
      if (status) on->is_searching = false;
    } else {
      if (crowd->queue_count == 0) break;
      const WmPlanRequest request = ((const WmPlanRequest *)crowd->queue.items)[crowd->queue_first];
      crowd->queue_first = (crowd->queue_first + 1) % crowd->queue.capacity;
      crowd->queue_count--;
      size_t index;
      if (wm_crowd_peek(crowd, request.agent, &index)) crowd->records[index].queued = 0;
      if (!is_wanted(crowd, request.agent, request.request, &index)) continue;
      step->searched++; /* what needs no search costs something too */
      status = begin(crowd, wm_agent_mesh(crowd, &crowd->records[index]), index);
      /* What failed for memory is asked again in the next step. */
      if (status) crowd->records[index].request = 0;
    }
    if (status && !first) first = status;
    if (status) break;
  }
  step->waiting_searches = (uint32_t)crowd->queue_count + (find_searching(crowd) != NULL);
  return first;
}
