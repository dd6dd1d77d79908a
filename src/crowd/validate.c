/* Checks of a whole crowd. See wm_crowd_validate in crowd.h.
 *
 * Nothing is allocated: sets of numbers and of blocks are compared by their counts and by the sum of a hash
 * of each element, which differ if an element is missing or twice in the set. */
#include "base/number.h"
#include "crowd/crowd_internal.h"
#include "mesh/locate.h"
#include "query/search/straighten.h"

/* Distance of positions from their polygon, world units, and as a fraction of the coordinates: rounding. */
#define TOLERANCE 1e-2f
#define RELATIVE_TOLERANCE 1e-5f

static uint64_t mix(uint64_t value) {
  value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
  value = (value ^ value >> 27) * 0x94d049bb133111ebu;
  return value ^ value >> 31;
}

static bool are_finite(const float *numbers, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!isfinite(numbers[i])) return false;
  }
  return true;
}

/* ---- Handles ---------------------------------------------------------------------------------------- */

/* Numbers of agents have the agent's index, and the agent their handle; all other numbers are in the list of
 * free ones, once, or have no generation left. */
static bool check_handles(const WmCrowd *crowd) {
  const WmAgentNumber *numbers = crowd->numbers.items;
  if (crowd->count > crowd->capacity || crowd->number_count > crowd->numbers.capacity) return false;
  size_t used = 0, retired = 0, free = 0;
  uint64_t unused_sum = 0, free_sum = 0;
  for (uint32_t n = 0; n < crowd->number_count; n++) {
    const bool is_retired = !numbers[n].is_used && numbers[n].generation >> WM_AGENT_GENERATION_BITS;
    used += numbers[n].is_used;
    retired += is_retired;
    if (!numbers[n].is_used && !is_retired) unused_sum += mix(n);
    if (!numbers[n].is_used) continue;
    const uint32_t i = numbers[n].index;
    const WmAgent agent = (WmAgent)numbers[n].generation << WM_AGENT_NUMBER_BITS | n;
    if (i >= crowd->count || crowd->agents[i] != agent) return false;
  }
  const size_t all = crowd->number_count;
  for (uint32_t n = crowd->free_number; n != WM_NONE; n = numbers[n].index) {
    if (n >= all || free++ == all) return false;
    free_sum += mix(n);
  }
  return used == crowd->count && used + retired + free == all && free_sum == unused_sum;
}

/* ---- Corridors -------------------------------------------------------------------------------------- */

/* The blocks of a corridor, which end where its last polygon says. Adds them to *blocks and *sum. */
static bool check_chain(const WmCrowd *crowd, const WmAgentCorridor *corridor, size_t *blocks,
                        uint64_t *sum) {
  if (corridor->count == 0) return corridor->first == WM_NONE && corridor->last == WM_NONE;
  if (corridor->head >= WM_CORRIDOR_BLOCK) return false;
  const size_t end = (size_t)corridor->head + corridor->count;
  uint32_t block = corridor->first, last = WM_NONE;
  for (size_t left = (end - 1) / WM_CORRIDOR_BLOCK + 1; left > 0; left--) {
    if (block >= crowd->corridor_block_count) return false;
    *sum += mix(block);
    ++*blocks;
    last = block;
    block = wm_agent_corridor_block(crowd, block)->next;
  }
  return block == WM_NONE && last == corridor->last && corridor->tail == (end - 1) % WM_CORRIDOR_BLOCK + 1;
}

/* Each block belongs to one corridor, or is free. */
static bool check_blocks(const WmCrowd *crowd) {
  if (crowd->corridor_block_count > crowd->corridor_blocks.capacity) return false;
  size_t blocks = 0, free = 0;
  uint64_t sum = 0, all = 0;
  for (size_t i = 0; i < crowd->count; i++) {
    if (!check_chain(crowd, &crowd->records[i].corridor, &blocks, &sum)) return false;
  }
  for (uint32_t block = crowd->free_corridor_block; block != WM_NONE;) {
    if (block >= crowd->corridor_block_count || free++ == crowd->corridor_block_count) return false;
    sum += mix(block);
    block = wm_agent_corridor_block(crowd, block)->next;
  }
  for (uint32_t block = 0; block < crowd->corridor_block_count; block++) all += mix(block);
  return free == crowd->free_corridor_blocks && blocks + free == crowd->corridor_block_count && sum == all;
}

/* False for a version to come: once the mesh has it, its changes until then would go unnoticed. Versions of a loaded crowd may
 * lie before 0. */
static bool is_past(const WmMesh *mesh, uint64_t version) {
  return (wm_mesh_version(mesh) - version) >> 63 == 0;
}

/* The corridor of an agent on the surface begins in its polygon; as far as it was checked for the present mesh, each
 * polygon exists and is linked to the next. Partial ones are requested again after a change, unchecked. */
static bool check_corridor(const WmCrowd *crowd, size_t index) {
  const WmAgentRecord *record = &crowd->records[index];
  const WmMesh *mesh = wm_agent_mesh(crowd, record)->mesh;
  if (record->corridor.count == 0) return true;
  if (!is_past(mesh, record->checked_version)) return false;
  if (record->corridor.checked > 0 && !is_past(mesh, record->checking_version)) return false;
  const uint64_t version = wm_mesh_version(mesh);
  const bool is_current = record->checked_version == version && !(record->is_partial && record->needs_plan);
  const uint32_t begun = record->checking_version == version ? record->corridor.checked : 0;
  const uint32_t checked = is_current ? record->corridor.count : begun;
  WmCorridorCursor cursor = wm_agent_corridor_begin(&record->corridor);
  WmRef polygon = wm_agent_corridor_polygon(crowd, cursor);
  if (crowd->states[index] != WM_AGENT_ON_CONNECTION && polygon != record->polygon) return false;
  for (;;) {
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, polygon);
    if (cursor.index < checked && !tile) return false;
    if (tile &&
        wm_agent_corridor_is_connection(crowd, cursor) != (wm_ref_polygon(polygon) >= tile->ground_count)) {
      return false;
    }
    if (cursor.index + 1 == record->corridor.count) return true;
    cursor = wm_agent_corridor_next(crowd, cursor);
    const WmRef next = wm_agent_corridor_polygon(crowd, cursor);
    if (cursor.index <= checked && !wm_query_find_portal(tile, wm_ref_polygon(polygon), next)) return false;
    polygon = next;
  }
}

/* ---- Agents ----------------------------------------------------------------------------------------- */

/* The position is on the agent's polygon, which is a ground polygon. */
static bool is_on_polygon(const WmCrowd *crowd, size_t index) {
  const WmAgentRecord *record = &crowd->records[index];
  const WmMeshTile *tile = wm_mesh_tile_of(wm_agent_mesh(crowd, record)->mesh, record->polygon);
  if (!tile || wm_ref_polygon(record->polygon) >= tile->ground_count) return false;
  const float *position = crowd->positions + 3 * index;
  float nearest[3], size = 0, distance = 0;
  wm_tile_closest_point(tile, wm_ref_polygon(record->polygon), position, true, nearest);
  for (int axis = 0; axis < 3; axis++) {
    const float off = fabsf(nearest[axis] - position[axis]);
    distance = off > distance ? off : distance;
    size = fabsf(position[axis]) > size ? fabsf(position[axis]) : size;
  }
  return distance <= TOLERANCE + RELATIVE_TOLERANCE * size;
}

/* Agents have a polygon unless they are off mesh. If the mesh has changed since the last step, the next one
 * finds the agents whose polygon was removed. */
static bool check_position(const WmCrowd *crowd, size_t index) {
  const WmAgentRecord *record = &crowd->records[index];
  const WmCrowdMesh *on = wm_agent_mesh(crowd, record);
  const uint8_t state = crowd->states[index];
  const float *heading = crowd->headings + 2 * index;
  if (!are_finite(crowd->positions + 3 * index, 3) || !are_finite(crowd->previous + 3 * index, 3))
    return false;
  if (!are_finite(crowd->velocities + 3 * index, 3)) return false;
  if (!(fabsf(heading[0] * heading[0] + heading[1] * heading[1] - 1) < 1e-3f)) return false;
  if ((state == WM_AGENT_OFF_MESH) != (record->polygon == 0)) return false;
  if (state == WM_AGENT_OFF_MESH || state == WM_AGENT_ON_CONNECTION) return true;
  const bool is_new = on->seen_version != wm_mesh_version(on->mesh);
  return (is_new && !wm_mesh_tile_of(on->mesh, record->polygon)) || is_on_polygon(crowd, index);
}

/* Counts are within their arrays, floats finite. */
static bool check_record(const WmCrowd *crowd, size_t index) {
  const WmAgentRecord *record = &crowd->records[index];
  if (record->parameters.type >= crowd->mesh_count || record->parameters.filter >= WM_CROWD_FILTERS)
    return false;
  if (record->order > WM_ORDER_VELOCITY || crowd->states[index] > WM_AGENT_CROWDED) return false;
  if (crowd->reasons[index] > WM_AGENT_REASON_RIGHT_OF_WAY) return false;
  if (record->partial_reason > WM_AGENT_REASON_RIGHT_OF_WAY) return false;
  if (record->corner_count > WM_CROWD_CORNERS || record->wall_count > WM_CROWD_WALLS) return false;
  if (record->shortcut_turns > WM_CROWD_SHORTCUT_TURNS || record->oncoming > WM_CROWD_ONCOMING_MANY)
    return false;
  for (uint32_t k = 0; k < record->corner_count; k++) {
    if (!are_finite(record->corners[k].point, 3)) return false;
  }
  if (record->wall_count > 0 && !are_finite(record->walls[0], 4 * (size_t)record->wall_count)) return false;
  if (record->link_side > 1 || !are_finite(record->link_aim, 2)) return false;
  if (!are_finite(record->preferred, 2) || !are_finite(record->chosen, 2)) return false;
  if (!are_finite(record->destination, 3) || !are_finite(record->target, 3)) return false;
  const float most = fmaxf(WM_FARTHEST, crowd->options.neighbour_range);
  if (!(record->neighbour_range > 0 && record->neighbour_range <= most)) return false;
  if (!(record->blocked_time >= 0 && record->slowdown >= 0 && record->slowdown <= WM_FARTHEST)) return false;
  if (!(fabsf(record->progress_speed) <= WM_FARTHEST)) return false;
  if (!(record->certain_length >= 0)) return false;
  return record->progress >= 0 && record->progress <= 1;
}

/* Only an agent that is on a segment link, or waits before one, has a flight. */
static bool check_flight(const WmCrowd *crowd, size_t index) {
  const WmAgentRecord *record = &crowd->records[index];
  const WmLinkFlight *flight = &record->flight;
  if (!flight->is_on_link) return true;
  if (!record->connection || flight->kind >= WM_SEGMENT_LINK_KINDS || flight->part >= WM_FLIGHT_PARTS)
    return false;
  if (!(flight->part_progress >= 0 && flight->part_progress <= 1)) return false;
  if (!(flight->across >= 0 && flight->across <= 1 && flight->peak >= 0)) return false;
  return are_finite(flight->from, 3) && are_finite(record->connection_start, 3) &&
         are_finite(record->connection_end, 3);
}

/* Only agents with a target pass through others. */
static bool check_passage(const WmCrowd *crowd, size_t index) {
  const WmAgentRecord *record = &crowd->records[index];
  if (record->passage > WM_PASSAGE_HOLDS || record->pushed_off > WM_CROWD_PUSHED_OFF_LIMIT) return false;
  if (!(record->passage_wait >= 0 && record->stalled_time >= 0)) return false;
  if (!(record->wait_time >= 0 && record->walk_time >= 0 && record->free_time >= 0)) return false;
  if (!(record->merge_speed >= 0)) return false;
  if (!(record->coming_out >= 0 && record->coming_out <= WM_CROWD_COMING_OUT_TIME)) return false;
  if ((record->row != 0) != (record->passage == WM_PASSAGE_HOLDS)) return false;
  if (!are_finite(&record->gained, 1) || !are_finite(record->passage_entry, 2)) return false;
  return !record->passes || record->order == WM_ORDER_TARGET;
}

/* The state agrees with the order. */
static bool check_state(const WmCrowd *crowd, size_t index) {
  const WmAgentRecord *record = &crowd->records[index];
  const uint8_t reason = crowd->reasons[index];
  const bool has_target = record->order == WM_ORDER_TARGET, has_none = record->order == WM_ORDER_NONE;
  if (record->needs_plan && !has_target) return false;
  switch ((WmAgentState)crowd->states[index]) {
    case WM_AGENT_NO_TARGET: return has_none;
    case WM_AGENT_PLANNING: return has_target && record->needs_plan;
    case WM_AGENT_FOLLOWING:
      if (!has_target) return !has_none;
      return record->needs_plan || record->corridor.count > 0;
    case WM_AGENT_WAITING:
      if (reason == WM_AGENT_REASON_PAUSED) return !has_none;
      if (reason == WM_AGENT_REASON_CONNECTION) return has_target && record->connection != 0;
      return has_target && (reason == WM_AGENT_REASON_BLOCKED || reason == WM_AGENT_REASON_RIGHT_OF_WAY);
    case WM_AGENT_ON_CONNECTION: return record->connection != 0;
    case WM_AGENT_ARRIVED: return has_target && !record->is_partial;
    case WM_AGENT_CROWDED: return has_target && !record->is_partial && reason == WM_AGENT_REASON_CROWDED;
    case WM_AGENT_UNREACHABLE: return has_target && record->is_partial;
    case WM_AGENT_OFF_MESH: break;
  }
  return reason == WM_AGENT_REASON_NO_GROUND; /* off the mesh: check_record has refused unknown states */
}

/* ---- Path requests ---------------------------------------------------------------------------------- */

static bool is_searched(const WmCrowd *crowd, size_t index) {
  const WmCrowdMesh *on = wm_agent_mesh(crowd, &crowd->records[index]);
  return on->is_searching && on->searcher == crowd->agents[index] &&
         on->request == crowd->records[index].request;
}

/* An agent that needs a corridor is in the queue, or its search runs, or the next step in which it is on the surface adds it to
 * the queue. */
static bool check_request(const WmCrowd *crowd, size_t index) {
  const WmAgentRecord *record = &crowd->records[index];
  if (!record->needs_plan) return true;
  return record->request == 0 || record->request == record->queued || is_searched(crowd, index);
}

/* Entries are in the order of their ids, each agent in the queue has one entry, and the number of entries
 * that were removed early is right. Entries of agents that were removed remain until their turn. */
static bool check_queue(const WmCrowd *crowd) {
  const WmPathRequest *items = crowd->queue.items;
  const size_t capacity = crowd->queue.capacity;
  if (crowd->queue_count > capacity || (capacity > 0 && crowd->queue_first >= capacity)) return false;
  size_t removed = 0, waiting = 0, queued = 0, index;
  uint32_t before = 0;
  for (size_t k = 0; k < crowd->queue_count; k++) {
    const WmPathRequest *entry = &items[(crowd->queue_first + k) % capacity];
    const uint32_t expected = before + 1 ? before + 1 : 1;
    if (entry->request == 0 || (k > 0 && entry->request != expected)) return false;
    before = entry->request;
    removed += entry->agent == 0;
    if (!entry->agent || !wm_crowd_peek(crowd, entry->agent, &index)) continue;
    if (crowd->records[index].queued != entry->request) return false;
    waiting++;
  }
  if (crowd->queue_count > 0 && before != crowd->request) return false;
  for (size_t i = 0; i < crowd->count; i++) queued += crowd->records[i].queued != 0;
  return removed == crowd->removed_requests && waiting == queued;
}

/* The last step was in the past, and so was the beginning of searches; those that wait for a flow field have one. */
static bool check_searches(const WmCrowd *crowd) {
  for (uint32_t type = 0; type < crowd->mesh_count; type++) {
    const WmCrowdMesh *on = wm_crowd_mesh(crowd, type);
    if (!is_past(on->mesh, on->seen_version)) return false;
    if (!on->is_searching) continue;
    if (!is_past(on->mesh, on->destination.version)) return false;
    if (on->destination.partial_reason > WM_AGENT_REASON_RIGHT_OF_WAY) return false;
    if (!on->field) continue;
    if (on->field < crowd->flow_fields || on->field >= crowd->flow_fields + WM_CROWD_FLOW_FIELDS)
      return false;
    if (!on->field->flow || on->field->type != type) return false;
  }
  return true;
}

/* ---- Bodies ----------------------------------------------------------------------------------------- */

/* Each body lies in the part of the array that belongs to its cell. */
static bool check_grid(const WmCrowd *crowd) {
  if (crowd->body_count == 0) return true;
  const WmBody *bodies = wm_crowd_bodies(crowd);
  const uint32_t *first = crowd->cell_first.items, mask = crowd->cell_mask;
  const float *xs = crowd->body_axes[0].items, *zs = crowd->body_axes[1].items;
  if (crowd->body_count > crowd->bodies.capacity || (size_t)mask + 2 > crowd->cell_first.capacity)
    return false;
  if (first[0] != 0 || first[mask + 1] != crowd->body_count) return false;
  for (uint32_t cell = 0; cell <= mask; cell++) {
    if (first[cell] > first[cell + 1]) return false;
    for (uint32_t k = first[cell]; k < first[cell + 1]; k++) {
      const WmBody *body = bodies + k;
      if (body->x != xs[k] || body->z != zs[k]) return false;
      const uint32_t column = (uint32_t)wm_crowd_cell(body->x, crowd->grid_low[0]);
      const uint32_t row = (uint32_t)wm_crowd_cell(body->z, crowd->grid_low[1]);
      if (((column + row * (uint32_t)crowd->cell_columns) & mask) != cell) return false;
    }
  }
  return true;
}

/* Bodies of agents have their index and number; neighbours are bodies. Both are outdated from the removal
 * of an agent to the next step. */
static bool check_neighbours(const WmCrowd *crowd) {
  if (crowd->neighbours_are_stale) return true;
  const WmBody *bodies = wm_crowd_bodies(crowd);
  for (size_t k = 0; k < crowd->body_count; k++) {
    if (bodies[k].index == WM_NONE) continue;
    if (bodies[k].index >= crowd->count) return false;
    if (bodies[k].number != wm_agent_number(crowd->agents[bodies[k].index])) return false;
  }
  for (size_t i = 0; i < crowd->count; i++) {
    const uint32_t *found = crowd->found + WM_CROWD_NEIGHBOURS * i;
    const uint32_t *neighbours = crowd->neighbours + WM_CROWD_NEIGHBOURS * i;
    if (crowd->found_counts[i] > WM_CROWD_NEIGHBOURS) return false;
    if (crowd->neighbour_counts[i] > crowd->found_counts[i]) return false;
    for (uint32_t k = 0; k < crowd->found_counts[i]; k++) {
      if (!(found[k] & WM_OBSTACLE) && found[k] >= crowd->count) return false;
    }
    for (uint32_t k = 0; crowd->body_count > 0 && k < crowd->neighbour_counts[i]; k++) {
      if (neighbours[k] >= crowd->body_count || bodies[neighbours[k]].index == i) return false;
    }
  }
  return true;
}

bool wm_crowd_validate(const WmCrowd *crowd) {
  if (!check_handles(crowd) || !check_blocks(crowd) || !check_queue(crowd) || !check_searches(crowd))
    return false;
  for (size_t i = 0; i < crowd->count; i++) {
    if (!check_record(crowd, i) || !check_position(crowd, i) || !check_state(crowd, i)) return false;
    if (!check_corridor(crowd, i) || !check_request(crowd, i) || !check_passage(crowd, i)) return false;
    if (!check_flight(crowd, i)) return false;
  }
  return check_grid(crowd) && check_neighbours(crowd);
}
