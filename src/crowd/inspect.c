/* The state of one agent. */
#include "crowd/crowd_internal.h"

static float measure(const WmAgentRecord *record, const float position[3]) {
  float length = 0, last[3];
  memcpy(last, position, sizeof last);
  for (uint32_t k = 0; k < record->corner_count; k++) {
    const float *corner = record->corners[k].point;
    const float x = corner[0] - last[0], z = corner[2] - last[2];
    length += sqrtf(x * x + z * z);
    memcpy(last, corner, sizeof last);
  }
  const float x = record->destination[0] - last[0], z = record->destination[2] - last[2];
  return record->ends_at_last ? length : length + sqrtf(x * x + z * z);
}

/* Returns the handle that a number has now; 0 for an obstacle or an unused number. */
static WmAgent handle_of(const WmCrowd *crowd, uint32_t number) {
  if (number >= crowd->number_count) return 0;
  const WmAgentNumber *entry = (const WmAgentNumber *)crowd->numbers.items + number;
  if (!entry->is_used) return 0;
  return (WmAgent)entry->generation << WM_AGENT_NUMBER_BITS | number;
}

/* The nearest neighbour in the direction of an agent. */
static WmAgent find_blocker(const WmCrowd *crowd, size_t index) {
  const WmAgentRecord *record = &crowd->records[index];
  const float *position = crowd->positions + 3 * index;
  float nearest = INFINITY;
  WmAgent blocker = 0;
  for (uint32_t k = 0; k < crowd->neighbour_counts[index]; k++) {
    const uint32_t body = crowd->neighbours[WM_CROWD_NEIGHBOURS * index + k];
    if (body >= crowd->body_count) continue;
    const WmBody *other = wm_crowd_bodies(crowd) + body;
    const float x = other->x - position[0], z = other->z - position[2], squared = x * x + z * z;
    if (!(x * record->direction[0] + z * record->direction[1] > 0) || squared >= nearest) continue;
    nearest = squared;
    blocker = handle_of(crowd, other->number);
  }
  return blocker;
}

/* The agent for which a waiting agent waits. */
static WmAgent find_awaited(const WmCrowd *crowd, size_t index) {
  if (crowd->states[index] != WM_AGENT_WAITING) return 0;
  if (crowd->reasons[index] == WM_AGENT_REASON_BLOCKED) return find_blocker(crowd, index);
  if (crowd->reasons[index] != WM_AGENT_REASON_RIGHT_OF_WAY) return 0;
  return handle_of(crowd, crowd->records[index].passage_holder);
}

WmStatus wm_crowd_info(const WmCrowd *crowd, WmAgent agent, WmAgentInfo *info) {
  size_t index;
  const WmStatus status = wm_crowd_find(crowd, agent, &index);
  if (status) return status;
  const WmAgentRecord *record = &crowd->records[index];
  *info = (WmAgentInfo){.index = index,
                        .state = (WmAgentState)crowd->states[index],
                        .reason = (WmAgentReason)crowd->reasons[index],
                        .polygon = record->polygon,
                        .has_target = record->order == WM_ORDER_TARGET,
                        .desired_velocity = {record->preferred[0], 0, record->preferred[1]},
                        .radius = record->parameters.radius,
                        .connection = record->connection,
                        .connection_progress = record->progress,
                        .neighbour_count = crowd->neighbour_counts[index],
                        .wall_count = record->wall_count,
                        .corner_count = record->corner_count,
                        .passage = (WmPassageState)record->passage,
                        .waits_for = find_awaited(crowd, index)};
  if (info->has_target) {
    memcpy(info->target, record->target, sizeof info->target);
    memcpy(info->reachable, record->destination, sizeof info->reachable);
    if (record->corridor.count) info->remaining = measure(record, crowd->positions + 3 * index);
  }
  if (record->passage != WM_PASSAGE_NONE) {
    info->passage_entry[0] = record->passage_entry[0];
    info->passage_entry[1] = crowd->positions[3 * index + 1];
    info->passage_entry[2] = record->passage_entry[1];
  }
  if (record->flight.is_on_link) {
    info->is_on_link = true;
    info->link_is_reversed = record->flight.is_reversed;
    info->link_kind = (WmSegmentLinkKind)record->flight.kind;
    info->link_across = record->flight.across;
    info->link_peak = record->flight.peak;
  }
  memcpy(info->connection_start, record->connection_start, sizeof info->connection_start);
  memcpy(info->connection_end, record->connection_end, sizeof info->connection_end);
  return WM_OK;
}

WmStatus wm_crowd_details(const WmCrowd *crowd, WmAgent agent, size_t room, float *corners,
                          WmAgent *neighbours, float *walls) {
  size_t index;
  const WmStatus status = wm_crowd_find(crowd, agent, &index);
  if (status) return status;
  const WmAgentRecord *record = &crowd->records[index];
  const float height = crowd->positions[3 * index + 1];
  for (size_t k = 0; corners && k < room && k < record->corner_count; k++) {
    memcpy(corners + 3 * k, record->corners[k].point, 3 * sizeof *corners);
  }
  for (size_t k = 0; neighbours && k < room && k < crowd->neighbour_counts[index]; k++) {
    const uint32_t body = crowd->neighbours[WM_CROWD_NEIGHBOURS * index + k];
    neighbours[k] = body < crowd->body_count ? handle_of(crowd, wm_crowd_bodies(crowd)[body].number) : 0;
  }
  for (size_t k = 0; walls && k < room && k < record->wall_count; k++) {
    for (int i = 0; i < 6; i++) {
      walls[6 * k + (size_t)i] = i % 3 == 1 ? height : record->walls[k][2 * (i / 3) + (i % 3) / 2];
    }
  }
  return WM_OK;
}

WmStatus wm_crowd_corridor(const WmCrowd *crowd, WmAgent agent, size_t room, WmRef *polygons, size_t *count) {
  size_t index;
  const WmStatus status = wm_crowd_find(crowd, agent, &index);
  if (status) return status;
  const WmAgentCorridor *corridor = &crowd->records[index].corridor;
  *count = corridor->count;
  if (!polygons || corridor->count == 0) return WM_OK;
  WmCorridorCursor cursor = wm_agent_corridor_begin(corridor);
  for (size_t i = 0; i < room && i < corridor->count; i++) {
    /* The last polygon may have no next block. */
    if (i > 0) cursor = wm_agent_corridor_next(crowd, cursor);
    polygons[i] = wm_agent_corridor_polygon(crowd, cursor);
  }
  return WM_OK;
}
