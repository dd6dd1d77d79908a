/* Right of way: which agents may enter a passage, and how the others wait before it. See passages.h.
 *
 * Every few steps, all claims are collected again from the corridors of the agents, so that no claim has to be
 * released. First, agents that hold a passage claim the rest of it. Then the waiting agents ask one after the
 * other: agents that are inside first, then by priority, by waiting time, and by number. An agent that is
 * refused and has waited for WM_CROWD_TURN_TIME, or as long as its whole way takes without others, reserves its
 * portals: agents that ask later can't enter in the opposite direction. So both sides of a lane take turns, and
 * each agent's turn comes. */
#include "clearance/width.h"
#include "crowd/passages/passages.h"

/* ---- Places ------------------------------------------------------------------------------------------- */

static WmStatus clear_places(WmCrowd *crowd) {
  uint32_t size = 64;
  while (size < 2 * crowd->claim_count) size *= 2;
  const WmStatus status = wm_buffer_reserve(crowd->context, &crowd->places, size, sizeof(WmPlace));
  if (status) return status;
  crowd->place_mask = size - 1;
  memset(crowd->places.items, 0, size * sizeof(WmPlace));
  return WM_OK;
}

WmPlace *wm_crowd_place(const WmCrowd *crowd, uint64_t key) {
  WmPlace *places = crowd->places.items;
  key |= 1; /* never 0 */
  for (uint32_t at = (uint32_t)(key >> 32) & crowd->place_mask;; at = (at + 1) & crowd->place_mask) {
    if (places[at].key == 0) places[at].key = key;
    if (places[at].key == key) return places + at;
  }
}

/* The polygon that costs more for others because of a claim. It lies within the passage: the room before the first
 * portal is on the way to all other passages as well. */
static WmRef polygon_of(const WmCandidate *candidate, const WmClaim *claims, size_t i) {
  return claims[i == 0 && candidate->ahead.count > 1 ? 1 : i].polygon;
}

/* How an agent uses all places of the passage ahead of it. */
typedef enum Use { USE_HOLD, USE_WAIT, USE_RESERVE } Use;

static void use_place(WmPlace *place, int side, WmAgent agent, Use use) {
  const bool is_first = place->holders[side] == 0 && !place->is_reserved[side];
  if (is_first && (use != USE_WAIT || place->waiting[side] == 0)) place->first[side] = wm_agent_number(agent);
  if (use == USE_HOLD) {
    place->holders[side]++;
    return;
  }
  place->waiting[side]++;
  place->is_reserved[side] = place->is_reserved[side] || use == USE_RESERVE;
}

static void use_places(const WmCrowd *crowd, const WmCandidate *candidate, Use use) {
  const WmClaim *claims = (const WmClaim *)crowd->claims.items + candidate->ahead.first;
  const WmAgentRecord *record = &crowd->records[candidate->index];
  for (size_t i = 0; i < candidate->ahead.count; i++) {
    WmPlace *place = wm_crowd_place(crowd, claims[i].key);
    place->polygon = polygon_of(candidate, claims, i);
    place->type = record->parameters.type;
    use_place(place, claims[i].direction, crowd->agents[candidate->index], use);
  }
  float *tail = &wm_crowd_place(crowd, claims[0].key)->tail[claims[0].direction];
  if (use == USE_HOLD && !candidate->is_inside && candidate->distance > *tail) *tail = candidate->distance;
}

/* True if the turn of an agent's side ends before it: while it comes up to the last one that may enter, those who
 * wait on the other side would lose more time, all together, than a change of turns takes. Agents of higher
 * priority ask before those who wait are counted. */
static bool ends_turn(const WmCrowd *crowd, const WmCandidate *candidate, const WmPlace *place, int side) {
  const WmAgentParameters *parameters = &crowd->records[candidate->index].parameters;
  const int against = !side;
  if (place->holders[side] == 0 || place->waiting[against] == 0) return false;
  const WmClaim *claim = (const WmClaim *)crowd->claims.items + candidate->ahead.first;
  const float gap = candidate->distance - wm_crowd_place(crowd, claim->key)->tail[claim->direction];
  return gap * (float)place->waiting[against] > WM_CROWD_TURN_COST * parameters->max_speed;
}

/* Returns the number of an agent against which the passage can't be entered; WM_NONE: it is free. */
static uint32_t find_holder(const WmCrowd *crowd, const WmCandidate *candidate) {
  const WmClaim *claims = (const WmClaim *)crowd->claims.items + candidate->ahead.first;
  for (size_t i = 0; i < candidate->ahead.count; i++) {
    const WmPlace *place = wm_crowd_place(crowd, claims[i].key);
    const int side = claims[i].direction, against = !side;
    if (place->holders[against] > 0) return place->first[against];
    if (candidate->is_inside) continue;
    if (place->is_reserved[against] || ends_turn(crowd, candidate, place, side)) return place->first[against];
  }
  return WM_NONE;
}

/* ---- Candidates --------------------------------------------------------------------------------------- */

bool wm_crowd_is_in_narrow_place(const WmCrowd *crowd, size_t index) {
  const WmAgentRecord *record = &crowd->records[index];
  const WmCrowdMesh *on = wm_agent_mesh(crowd, record);
  const float width = on->passages.width;
  return wm_width_at(on->mesh, record->polygon, crowd->positions + 3 * index, width, NULL) <= width;
}

bool wm_crowd_has_room(const WmCrowd *crowd, size_t index, const float point[3]) {
  const WmAgentRecord *record = &crowd->records[index];
  const WmCrowdMesh *on = wm_agent_mesh(crowd, record);
  const float width = on->passages.width * WM_PASSAGES_ROOM;
  return wm_width_at(on->mesh, record->polygon, point, width, NULL) > width;
}

/* The key of the last portal or throat of a passage. */
static uint64_t end_of(const WmCrowd *crowd, const WmPassageAhead *ahead) {
  return ((const WmClaim *)crowd->claims.items)[ahead->first + ahead->count - 1].key;
}

/* True if the agent is in a crossing of lanes within the passage that it holds. */
static bool is_in_crossing(const WmCrowd *crowd, size_t index, const WmPassageAhead *ahead) {
  const WmAgentRecord *record = &crowd->records[index];
  if (record->passage != WM_PASSAGE_HOLDS || !record->is_in_passage) return false;
  return record->passage_end == end_of(crowd, ahead) &&
         !wm_crowd_has_room(crowd, index, crowd->positions + 3 * index);
}

/* True if the agent is within the passage: where it is, and on the way to the next portal, there is no room. */
static bool is_within(const WmCrowd *crowd, size_t index, const WmPassageAhead *ahead) {
  const WmAgentRecord *record = &crowd->records[index];
  const WmCrowdMesh *on = wm_agent_mesh(crowd, record);
  const float *position = crowd->positions + 3 * index, width = on->passages.width;
  if (is_in_crossing(crowd, index, ahead)) return true;
  if (!ahead->begins_here || !wm_crowd_is_in_narrow_place(crowd, index)) return false;
  const float x = ahead->entry[0] - position[0], z = ahead->entry[1] - position[2];
  if (x * x + z * z < width * width) return true;
  const float middle[3] = {position[0] + 0.5f * x, position[1], position[2] + 0.5f * z};
  return wm_width_at(on->mesh, record->polygon, middle, width, NULL) <= width;
}

/* The distance in which an agent looks for passages: it can stop before them. */
static float sight_of(const WmAgentRecord *record) {
  const WmAgentParameters *parameters = &record->parameters;
  const float speed = parameters->max_speed, braking = speed * speed / (2 * parameters->max_acceleration);
  return WM_CROWD_HOLD_DISTANCE + 2 * parameters->radius + (braking < 8 ? braking : 8) + 1;
}

static bool wants_to_pass(const WmCrowd *crowd, size_t index) {
  const WmAgentRecord *record = &crowd->records[index];
  return record->order == WM_ORDER_TARGET && record->corridor.count > 1 && !record->is_paused &&
         wm_agent_walks(crowd->states[index], crowd->reasons[index]) &&
         record->parameters.avoidance != WM_AVOIDANCE_NONE;
}

static void count_time(WmCrowd *crowd, size_t index, float seconds) {
  WmAgentRecord *record = &crowd->records[index];
  const float left = record->coming_out - seconds;
  record->coming_out = left > 0 ? left : 0;
  record->leeway = record->leeway > seconds ? record->leeway - seconds : 0;
  if (record->passage == WM_PASSAGE_WAITS || record->is_held) {
    record->wait_time += seconds;
  } else if (wants_to_pass(crowd, index)) {
    record->walk_time += seconds;
  }
}

/* Agents that enter a passage at the same place have the same row. */
static uint32_t row_of(const WmClaim *claim) {
  const uint32_t row = (uint32_t)(claim->key >> 32) << 1 | claim->direction;
  return row ? row : 1;
}

static void leave(WmAgentRecord *record) {
  if (record->passage == WM_PASSAGE_HOLDS && record->is_in_passage)
    record->coming_out = WM_CROWD_COMING_OUT_TIME;
  record->row = 0;
  record->passage = WM_PASSAGE_NONE;
  record->passage_wait = 0;
  record->is_held = false;
}

/* Finds whether an agent lets others pass: it rests in a narrow place, or has been pushed off its destination
 * again and again: two could push each other off for ever. And finds the walls around it, for when its ground is removed. */
static void look_at_rest(WmCrowd *crowd, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  const float *position = crowd->positions + 3 * index;
  const bool rests = record->is_paused || !wm_agent_walks(crowd->states[index], crowd->reasons[index]);
  if (!rests || !wm_agent_takes_part(crowd->states[index]) || !(crowd->options.patience > 0)) {
    record->lets_pass = false;
    record->rest_from[0] = INFINITY;
    return;
  }
  const float x = position[0] - record->rest_from[0], z = position[2] - record->rest_from[1];
  if (x * x + z * z < WM_CROWD_REST_MOVED_SQUARED) return;
  record->rest_from[0] = position[0];
  record->rest_from[1] = position[2];
  record->lets_pass =
      record->pushed_off == WM_CROWD_PUSHED_OFF_LIMIT || wm_crowd_is_in_narrow_place(crowd, index);
  if (record->walls_are_valid) return;
  wm_crowd_find_walls(crowd, index, WM_CROWD_WALL_RANGE + 2 * record->parameters.radius);
  record->walls_are_valid = false; /* avoidance finds its own, from where it begins */
}

/* True if no passage can be in sight, since none was a little before. */
static bool is_known_to_be_clear(const WmCrowd *crowd, size_t index, float sight) {
  const WmAgentRecord *record = &crowd->records[index];
  const float *position = crowd->positions + 3 * index, spare = record->clear_sight - sight;
  const float x = position[0] - record->clear_from[0], z = position[2] - record->clear_from[1];
  return spare > 0 && x * x + z * z < spare * spare && record->clear_polygon == record->polygon &&
         record->clear_changes == record->corridor.changes &&
         record->clear_drops == wm_agent_mesh(crowd, record)->passages.drops;
}

/* Looks farther than `sight`, so that an agent without passages ahead need not look in every step.
 * out        *is_clear: there is none */
static WmStatus look_far_ahead(WmCrowd *crowd, size_t index, float sight, bool *is_clear) {
  WmAgentRecord *record = &crowd->records[index];
  WmPassageAhead ahead;
  const WmStatus status = wm_crowd_find_passage(crowd, index, sight + WM_CROWD_SIGHT_SPARE, &ahead);
  crowd->claim_count = ahead.first;
  *is_clear = !status && ahead.count == 0;
  record->clear_sight = *is_clear ? sight + WM_CROWD_SIGHT_SPARE : 0;
  if (!*is_clear) return status;
  record->clear_from[0] = crowd->positions[3 * index];
  record->clear_from[1] = crowd->positions[3 * index + 2];
  record->clear_polygon = record->polygon;
  record->clear_changes = record->corridor.changes;
  record->clear_drops = wm_agent_mesh(crowd, record)->passages.drops;
  return WM_OK;
}

/* Finds the passage ahead of an agent, and whether it still holds it. */
static WmStatus collect(WmCrowd *crowd, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  if (!wants_to_pass(crowd, index) || record->passes) {
    leave(record);
    return WM_OK;
  }
  const float sight = sight_of(record);
  bool is_clear = is_known_to_be_clear(crowd, index, sight);
  WmStatus status = WM_OK;
  if (!is_clear && record->passage == WM_PASSAGE_NONE)
    status = look_far_ahead(crowd, index, sight, &is_clear);
  if (status || is_clear) {
    leave(record);
    return status;
  }
  WmPassageAhead ahead;
  status = wm_crowd_find_passage(crowd, index, sight, &ahead);
  if (status) return status;
  if (ahead.count == 0) {
    leave(record);
    return WM_OK;
  }
  const float *position = crowd->positions + 3 * index;
  const float x = ahead.entry[0] - position[0], z = ahead.entry[1] - position[2];
  const float distance = sqrtf(x * x + z * z);
  const bool is_inside = is_within(crowd, index, &ahead);
  const uint64_t key = ((const WmClaim *)crowd->claims.items)[ahead.first].key;
  if (record->passage == WM_PASSAGE_HOLDS && !is_inside && key != record->passage_key) leave(record);
  if (!is_inside && record->passage != WM_PASSAGE_HOLDS && distance > sight) {
    crowd->claim_count = ahead.first;
    leave(record);
    return WM_OK;
  }
  record->passage_key = key;
  record->is_in_passage = is_inside;
  memcpy(record->passage_entry, ahead.entry, sizeof record->passage_entry);
  const WmStatus reserved =
      wm_buffer_reserve(crowd->context, &crowd->candidates, crowd->candidate_count + 1, sizeof(WmCandidate));
  if (reserved) return reserved;
  ((WmCandidate *)crowd->candidates.items)[crowd->candidate_count++] =
      (WmCandidate){(uint32_t)index, ahead, distance, is_inside};
  return WM_OK;
}

/* The order in which candidates ask: smaller keys first. */
static uint32_t order_of(const WmAgentRecord *record, bool is_inside) {
  const float wait = record->passage_wait * 64;
  const uint32_t most = (1u << 20) - 1, waited = wait < (float)most ? (uint32_t)wait : most;
  return (is_inside ? 0u : 1u) << 31 | record->parameters.priority << 21 | (most - waited);
}

static WmStatus sort_candidates(WmCrowd *crowd, WmSortItem **items) {
  const size_t count = crowd->candidate_count;
  const WmStatus status =
      wm_buffer_reserve(crowd->context, &crowd->candidate_order, 2 * count, sizeof(WmSortItem));
  if (status) return status;
  *items = crowd->candidate_order.items;
  const WmCandidate *candidates = crowd->candidates.items;
  for (size_t i = 0; i < count; i++) {
    const WmAgentRecord *record = &crowd->records[candidates[i].index];
    (*items)[i] = (WmSortItem){.key = order_of(record, candidates[i].is_inside), .value = (uint32_t)i};
  }
  wm_sort_stable(*items, *items + count, count);
  return WM_OK;
}

/* ---- Who may enter ------------------------------------------------------------------------------------ */

/* Measures how long the whole way takes without others, and how much longer the agent can wait. */
static void measure_free_time(WmCrowd *crowd, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  const float speed = record->parameters.max_speed;
  record->free_time = record->walk_time + (speed > 0 ? wm_crowd_measure_way(crowd, index) / speed : 0);
  const float leeway = (WM_CROWD_TARDY - 1) * record->free_time - record->wait_time;
  record->leeway = leeway < 0 ? 0 : leeway < WM_CROWD_MOST_LEEWAY ? leeway : WM_CROWD_MOST_LEEWAY;
}

/* True if an agent has waited for so long that nobody may enter against it any more. */
static bool may_reserve(const WmAgentRecord *record) {
  const float wait = record->passage_wait;
  return wait > WM_CROWD_TURN_TIME || (wait > record->free_time && wait > WM_CROWD_LEAST_TURN_TIME);
}

static void ask(WmCrowd *crowd, const WmCandidate *candidate, float seconds) {
  WmAgentRecord *record = &crowd->records[candidate->index];
  if (record->passage == WM_PASSAGE_HOLDS) return;
  if (record->passage == WM_PASSAGE_NONE) measure_free_time(crowd, candidate->index);
  record->passage_holder = find_holder(crowd, candidate);
  if (record->passage_holder == WM_NONE) {
    use_places(crowd, candidate, USE_HOLD);
    record->passage = WM_PASSAGE_HOLDS;
    record->passage_end = end_of(crowd, &candidate->ahead);
    record->passage_wait = 0;
    record->row = row_of((const WmClaim *)crowd->claims.items + candidate->ahead.first);
    wm_crowd_note_turn(record);
    return;
  }
  record->passage = WM_PASSAGE_WAITS;
  record->passage_wait += seconds;
  use_places(crowd, candidate, may_reserve(record) ? USE_RESERVE : USE_WAIT);
}

WmStatus wm_crowd_give_way(WmCrowd *crowd, float seconds) {
  if (crowd->steps % WM_CROWD_PASSAGE_PERIOD != 0) return WM_OK;
  crowd->claim_count = crowd->candidate_count = 0;
  for (uint32_t type = 0; type < crowd->mesh_count; type++) {
    WmCrowdMesh *on = wm_crowd_mesh(crowd, type);
    /* Narrower places don't let two agents pass. */
    wm_passages_update(&on->passages, on->mesh, 2 * on->largest_radius * WM_CROWD_NARROW);
  }
  const WmAgentNumber *numbers = crowd->numbers.items;
  for (uint32_t number = 0; number < crowd->number_count; number++) {
    if (!numbers[number].is_used) continue;
    look_at_rest(crowd, numbers[number].index);
    count_time(crowd, numbers[number].index, seconds * WM_CROWD_PASSAGE_PERIOD);
    const WmStatus status = collect(crowd, numbers[number].index);
    if (status) return status;
  }
  if (crowd->candidate_count == 0) return WM_OK;
  WmSortItem *order;
  WmStatus status = clear_places(crowd);
  if (!status) status = sort_candidates(crowd, &order);
  if (status) return status;
  const WmCandidate *candidates = crowd->candidates.items;
  for (size_t i = 0; i < crowd->candidate_count; i++) {
    if (crowd->records[candidates[i].index].passage == WM_PASSAGE_HOLDS)
      use_places(crowd, candidates + i, USE_HOLD);
  }
  for (size_t i = 0; i < crowd->candidate_count; i++)
    ask(crowd, candidates + order[i].value, seconds * WM_CROWD_PASSAGE_PERIOD);
  wm_crowd_merge(crowd, order);
  for (size_t i = 0; i < crowd->candidate_count && !status; i++)
    status = wm_crowd_seek_detour(crowd, candidates[i].index);
  return status;
}

/* ---- Waiting ------------------------------------------------------------------------------------------ */

void wm_crowd_hold_back(WmCrowd *crowd, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  if (record->passage == WM_PASSAGE_HOLDS) wm_crowd_follow(record);
  if (record->passage != WM_PASSAGE_WAITS) return;
  const float *position = crowd->positions + 3 * index;
  const float x = position[0] - record->passage_entry[0], z = position[2] - record->passage_entry[1];
  const float distance = sqrtf(x * x + z * z), most = record->parameters.max_speed;
  const float left = distance - WM_CROWD_HOLD_DISTANCE - record->parameters.radius;
  if (record->is_in_passage) {
    record->preferred[0] = record->preferred[1] = 0;
    record->is_held = true;
    return;
  }
  record->is_held = left < WM_CROWD_HELD;
  const float limit = sqrtf(2 * record->parameters.max_acceleration * fabsf(left) * 0.5f);
  const float speed = limit < most ? limit : most;
  if (left > 0) {
    record->braking_distance = left < record->braking_distance ? left : record->braking_distance;
    const float now = sqrtf(wm_dot(record->preferred, record->preferred));
    if (!(now > speed)) return;
    record->preferred[0] *= speed / now;
    record->preferred[1] *= speed / now;
  } else {
    const float back = distance > WM_CROWD_NO_LENGTH ? 0.5f * speed / distance : 0;
    record->preferred[0] = x * back;
    record->preferred[1] = z * back;
  }
}
