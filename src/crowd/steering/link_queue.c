/* Agents before the same segment link: at which place of its width each aims, and which of them take off.
 *
 * Lanes: shortest lines bend around the ends of a link, so that a crowd that comes from the side would queue there, and leave the
 * middle unused. So the width has lanes. Agents choose in the order of their distance, each the lane over which it is soonest where
 * its path leads, given those before it. An agent that nobody holds up keeps to its line.
 *
 * Taking off: agents on a link are no bodies, and nobody avoids them. So an agent takes off only where it keeps its distance to
 * those before it, on the link or still on the ground. Those who wait for that may start a little to the side. */
#include "base/sort.h"
#include "crowd/crowd_internal.h"
#include "mesh/locate.h"
#include "query/local/ray_walk.h"

/* An agent on a link, or before it: where it enters, and how far it is beyond that place; below 0: before it. */
typedef struct WmLinkRival {
  float at[2], entry[2], ahead, radius;
  uint32_t group, side;
} WmLinkRival;

/* The lanes of one segment of a link: when each is free, seconds from now. */
typedef struct Lanes {
  uint32_t count;
  float free[WM_CROWD_LINK_LANES];
  float across[2]; /* the direction in which agents leave over the segment, unit length */
} Lanes;

typedef struct Queue {
  WmCrowd *crowd;
  WmLinkRival *rivals;
  size_t rival_count;
  Lanes lanes[2]; /* by the segment that is entered over */
} Queue;

static uint32_t side_of(const WmAgentRecord *record) {
  return record->flight.is_on_link ? record->flight.is_reversed : record->link_side;
}

static WmRef link_of(const WmAgentRecord *record) {
  return record->flight.is_on_link ? record->connection : record->next_connection;
}

/* True for agents that take no notice of others: they avoid nobody, or are led by the game. */
static bool ignores_others(const WmAgentRecord *record) {
  return record->parameters.avoidance == WM_AVOIDANCE_NONE || !record->parameters.auto_connections;
}

/* The distance on x and z from an agent to where it may enter its link, and the nearest point there. */
static float find_entry(const WmAgentRecord *record, const float position[3], float *part, float point[3]) {
  const float *ends = record->link_entry;
  const float left[3] = {ends[0], 0, ends[1]}, right[3] = {ends[2], 0, ends[3]};
  const float squared = wm_distance_to_segment(position, left, right, part);
  wm_interpolate(left, right, *part, point);
  return sqrtf(squared);
}

/* ---- Lanes -------------------------------------------------------------------------------------------- */

/* The crossing over the whole link; false if the link was removed. */
static bool find_whole(const WmCrowd *crowd, const WmAgentRecord *record, WmLinkCrossing *crossing) {
  const WmRef ref = link_of(record);
  const WmMeshTile *set = wm_mesh_tile_of(wm_agent_mesh(crowd, record)->mesh, ref);
  if (!set || !wm_is_segment_link(set)) return false;
  *crossing = (WmLinkCrossing){&set->segments[wm_ref_polygon(ref)], side_of(record), 0, 1};
  return true;
}

static Lanes make_lanes(const WmCrowd *crowd, const WmAgentRecord *record, const WmLinkCrossing *crossing) {
  Lanes lanes = {.count = 1};
  float ends[6];
  wm_link_crossing_portal(crossing, 0, ends);
  const float x = ends[3] - ends[0], z = ends[5] - ends[2], width = sqrtf(x * x + z * z);
  const float beside[3] = {ends[0] - z, ends[1], ends[2] + x};
  const float side = wm_link_crossing_find_side(crossing, 0, beside) > 0 ? 1.0f : -1.0f;
  if (!(width > 0)) return lanes;
  lanes.across[0] = side * -z / width;
  lanes.across[1] = side * x / width;
  const float most = WM_CROWD_LINK_LANES - 1,
              between = width / (2 * wm_agent_mesh(crowd, record)->largest_radius);
  lanes.count += (uint32_t)(between < most ? between : most); /* also if the radius is 0 */
  return lanes;
}

/* True if the agent can walk straight to a point of the entry and cross there. */
static bool can_aim_at(const WmCrowd *crowd, size_t index, const WmLinkCrossing *crossing,
                       const float at[3]) {
  const WmAgentRecord *record = &crowd->records[index];
  const float *from = crowd->positions + 3 * index;
  if (!wm_crowd_can_land(crowd, record, wm_link_crossing_nearest(crossing, 0, at))) return false;
  const float length = sqrtf(wm_squared_distance_on_plane(from, at));
  if (!(length > WM_CROWD_LINK_INSIDE)) return true;
  float to[3]; /* on the ground, not on its border */
  wm_interpolate(from, at, 1 - WM_CROWD_LINK_INSIDE / length, to);
  WmRayWalk ray = {.context = crowd->context,
                   .mesh = wm_agent_mesh(crowd, record)->mesh,
                   .filter = wm_agent_filter(crowd, record)};
  return wm_ray_walk(&ray, record->polygon, from, to) == WM_OK && !ray.hit && !ray.outside;
}

/* Where the agent aims in a lane: in its natural one at where its path enters. */
static void find_aim(const WmAgentRecord *record, const Lanes *lanes, uint32_t lane, uint32_t natural,
                     float at[3]) {
  const float *ends = record->link_entry;
  const float left[3] = {ends[0], 0, ends[1]}, right[3] = {ends[2], 0, ends[3]};
  if (lane != natural) {
    wm_interpolate(left, right, (float)lane / (float)(lanes->count - 1), at);
    return;
  }
  at[0] = record->link_natural[0];
  at[1] = 0;
  at[2] = record->link_natural[1];
}

/* When the agent can enter in a lane, seconds from now. */
static float find_arrival(const Lanes *lanes, uint32_t lane, const float position[3], const float at[3],
                          float speed) {
  const float arrives = sqrtf(wm_squared_distance_on_plane(position, at)) / speed;
  return arrives > lanes->free[lane] ? arrives : lanes->free[lane];
}

static uint32_t choose_lane(const WmCrowd *crowd, size_t index, const Lanes *lanes, uint32_t natural) {
  const WmAgentRecord *record = &crowd->records[index];
  const float *position = crowd->positions + 3 * index, speed = record->parameters.max_speed;
  const float after[3] = {record->link_after[0], 0, record->link_after[1]};
  const uint32_t present = record->is_off_line ? record->link_lane : natural;
  float least = INFINITY;
  uint32_t best = natural;
  for (uint32_t lane = 0; lane < lanes->count; lane++) {
    float at[3];
    find_aim(record, lanes, lane, natural, at);
    float time = find_arrival(lanes, lane, position, at, speed) +
                 sqrtf(wm_squared_distance_on_plane(at, after)) / speed;
    if (lane != present) time += WM_CROWD_LINK_CHANGE;
    if (time < least) {
      least = time;
      best = lane;
    }
  }
  return best;
}

/* The agent aims at its own line again: a lane is of one link, and another may be ahead now. */
static void leave_lane(WmAgentRecord *record) {
  if (!record->is_off_line) return;
  record->is_off_line = record->corners_are_valid = false;
}

/* Chooses the agent's lane, every few steps, and reserves its time in it. */
static void take_lane(const Queue *queue, size_t index, Lanes *lanes) {
  const WmCrowd *crowd = queue->crowd;
  WmAgentRecord *record = &crowd->records[index];
  WmLinkCrossing crossing;
  const float *position = crowd->positions + 3 * index, speed = record->parameters.max_speed;
  const float *ends = record->link_entry;
  const float left[3] = {ends[0], 0, ends[1]}, right[3] = {ends[2], 0, ends[3]};
  if (lanes->count < 2 || !(speed > 0) || ignores_others(record) || !find_whole(crowd, record, &crossing)) {
    leave_lane(record);
    return;
  }
  float part, at[3] = {record->link_natural[0], 0, record->link_natural[1]};
  (void)wm_distance_to_segment(at, left, right, &part);
  const uint32_t natural = (uint32_t)(part * (float)(lanes->count - 1) + 0.5f);
  const uint32_t number = wm_agent_number(crowd->agents[index]);
  if (record->is_off_line && record->link_lane >= lanes->count) record->is_off_line = false;
  uint32_t lane = record->is_off_line ? record->link_lane : natural;
  if ((crowd->steps + number) % WM_CROWD_LINK_PERIOD == 0) {
    const uint32_t best = choose_lane(crowd, index, lanes, natural);
    find_aim(record, lanes, best, natural, at);
    lane = best == lane || best == natural || can_aim_at(crowd, index, &crossing, at) ? best : natural;
    const bool was_off_line = record->is_off_line;
    record->is_off_line = lane != natural;
    if (record->is_off_line != was_off_line || (was_off_line && record->link_lane != lane))
      record->corners_are_valid = false;
    record->link_lane = (uint8_t)lane;
  }
  find_aim(record, lanes, lane, natural, at);
  record->link_aim[0] = at[0];
  record->link_aim[1] = at[2];
  lanes->free[lane] = find_arrival(lanes, lane, position, at, speed) + 2 * record->parameters.radius / speed;
}

void wm_crowd_aim_at_lane(WmAgentRecord *record) {
  if (!record->ends_at_link || record->corner_count != 1) return;
  record->corners[0].point[0] = record->link_aim[0];
  record->corners[0].point[2] = record->link_aim[1];
}

/* ---- Taking off --------------------------------------------------------------------------------------- */

/* The square of the shortest distance from the origin to a segment. */
static float nearest_to_origin(const float from[2], const float to[2]) {
  const float x = to[0] - from[0], z = to[1] - from[1], squared = x * x + z * z;
  const float part = squared > 0 ? wm_clamp_unit(-(from[0] * x + from[1] * z) / squared) : 0;
  const float at_x = from[0] + part * x, at_z = from[1] + part * z;
  return at_x * at_x + at_z * at_z;
}

/* Where an agent is that has gone on for a distance: straight to its entry, then across. */
static void go_on(const WmLinkRival *rival, const float across[2], float distance, float point[2]) {
  const float ahead = rival->ahead + distance, part = rival->ahead < 0 ? distance / -rival->ahead : 1;
  for (int axis = 0; axis < 2; axis++)
    point[axis] = ahead < 0 ? rival->at[axis] + (rival->entry[axis] - rival->at[axis]) * part
                            : rival->entry[axis] + across[axis] * ahead;
}

/* The square of how near two agents come to each other if both go on at the same speed: until one of them enters, until the
 * other does, and from then on. */
static float find_nearest(const WmLinkRival *a, const WmLinkRival *b, const float across[2]) {
  const float ways[2] = {fmaxf(0, fminf(-a->ahead, -b->ahead)), fmaxf(0, fmaxf(-a->ahead, -b->ahead))};
  float from[2] = {a->at[0] - b->at[0], a->at[1] - b->at[1]}, nearest = INFINITY;
  for (int i = 0; i < 2; i++) {
    float one[2], other[2];
    go_on(a, across, ways[i], one);
    go_on(b, across, ways[i], other);
    const float to[2] = {one[0] - other[0], one[1] - other[1]};
    nearest = fminf(nearest, nearest_to_origin(from, to));
    memcpy(from, to, sizeof from);
  }
  return nearest;
}

static WmLinkRival make_rival(const WmCrowd *crowd, size_t index, const float at[3], float ahead) {
  const WmAgentRecord *record = &crowd->records[index];
  const float *position = crowd->positions + 3 * index;
  return (WmLinkRival){.at = {position[0], position[2]},
                       .entry = {at[0], at[2]},
                       .ahead = ahead,
                       .radius = record->parameters.radius,
                       .group = record->parameters.group,
                       .side = side_of(record)};
}

/* True if an agent that enters at `at` keeps its distance to all before it. */
static bool has_space(const Queue *queue, size_t index, const float at[3]) {
  const WmCrowd *crowd = queue->crowd;
  const WmAgentParameters *parameters = &crowd->records[index].parameters;
  const float before = sqrtf(wm_squared_distance_on_plane(crowd->positions + 3 * index, at));
  const WmLinkRival own = make_rival(crowd, index, at, -before);
  for (size_t i = 0; i < queue->rival_count; i++) {
    const WmLinkRival *rival = &queue->rivals[i];
    if (rival->side != own.side || !(rival->group & parameters->avoids)) continue;
    const float both = WM_CROWD_LINK_SPACING * (rival->radius + own.radius);
    if (find_nearest(&own, rival, queue->lanes[own.side].across) < both * both) return false;
  }
  return true;
}

/* Finds where the agent enters, if it is near enough: where its line does, or, held up, where it is nearest, or beside that.
 * in/out     at: the nearest point; part: of the segment
 * returns    false: it is too far, or has no space */
static bool find_space(const Queue *queue, size_t index, float part, float distance, float at[3]) {
  const WmAgentRecord *record = &queue->crowd->records[index];
  const float *position = queue->crowd->positions + 3 * index, radius = record->parameters.radius;
  const float *ends = record->link_entry;
  const bool is_held_up = record->slowdown > 0;
  if (!is_held_up && record->corner_count > 0) {
    const float *corner = record->corners[0].point;
    if (wm_squared_distance_on_plane(position, corner) >
        WM_CROWD_LINK_RANGE * WM_CROWD_LINK_RANGE * radius * radius)
      return false;
    memcpy(at, corner, 3 * sizeof *at);
    return ignores_others(record) || has_space(queue, index, at);
  }
  if (distance > WM_CROWD_LINK_HELD_UP_RANGE * radius) return false;
  if (ignores_others(record) || has_space(queue, index, at)) return true;
  const float left[3] = {ends[0], 0, ends[1]}, right[3] = {ends[2], 0, ends[3]};
  const float width = sqrtf(wm_squared_distance_on_plane(left, right));
  for (int i = 0; i < WM_CROWD_LINK_ASIDES; i++) { /* nearest first, left and right in turns */
    const float aside = (float)(i / 2 + 1) * (2 * WM_CROWD_LINK_ASIDE / WM_CROWD_LINK_ASIDES) * radius;
    const float there = part * width + (i % 2 ? aside : -aside);
    if (there < 0 || there > width) continue;
    float beside[3];
    wm_interpolate(left, right, there / width, beside);
    if (!has_space(queue, index, beside)) continue;
    memcpy(at, beside, sizeof beside);
    return true;
  }
  return false;
}

static void add_rival(Queue *queue, size_t index, const float at[3], float ahead) {
  queue->rivals[queue->rival_count++] = make_rival(queue->crowd, index, at, ahead);
}

/* Where the agent would enter the link if it took off towards record->link_aim.
 * returns    false: the link is gone, as entering it will find */
static bool find_actual(const WmCrowd *crowd, size_t index, float at[3]) {
  WmCorridorCursor before;
  WmTakeOff take_off;
  if (!wm_crowd_find_before(crowd, &crowd->records[index], &before) ||
      !wm_crowd_find_take_off(crowd, index, before, &take_off))
    return false;
  wm_link_crossing_point(&take_off.crossing, 0, take_off.across, at);
  return true;
}

/* True if an agent that is held up may go straight to a point and take off there; the next place where it lands may be far. */
static bool is_in_reach(const WmAgentRecord *record, const float position[3], const float at[3]) {
  const float reach = (WM_CROWD_LINK_HELD_UP_RANGE + WM_CROWD_LINK_ASIDE) * record->parameters.radius;
  return wm_squared_distance_on_plane(position, at) <= reach * reach;
}

/* Lets an agent before the link take off if it can. */
static void ask(Queue *queue, size_t index) {
  const WmCrowd *crowd = queue->crowd;
  WmAgentRecord *record = &crowd->records[index];
  const float *position = crowd->positions + 3 * index;
  const float aim[2] = {record->link_aim[0], record->link_aim[1]};
  float part, at[3], actual[3];
  const float distance = find_entry(record, position, &part, at);
  record->takes_off = find_space(queue, index, part, distance, at);
  if (record->takes_off) {
    record->link_aim[0] = at[0];
    record->link_aim[1] = at[2];
    if (find_actual(crowd, index, actual) &&
        wm_squared_distance_on_plane(at, actual) > WM_CROWD_LINK_INSIDE * WM_CROWD_LINK_INSIDE) {
      memcpy(at, actual, sizeof at);
      record->takes_off =
          is_in_reach(record, position, at) && (ignores_others(record) || has_space(queue, index, at));
    }
    if (!record->takes_off) memcpy(record->link_aim, aim, sizeof aim);
  }
  if (record->takes_off || distance <= WM_CROWD_LINK_HELD_UP_RANGE * record->parameters.radius)
    add_rival(queue, index, at, -sqrtf(wm_squared_distance_on_plane(position, at)));
}

/* ---- The queue ---------------------------------------------------------------------------------------- */

/* True if the agent is on its last leg to a segment link. */
static bool is_before_link(const WmCrowd *crowd, size_t index) {
  const WmAgentRecord *record = &crowd->records[index];
  return record->ends_at_link && record->corner_count <= 1 && record->order == WM_ORDER_TARGET &&
         !record->is_paused && wm_agent_walks(crowd->states[index], crowd->reasons[index]);
}

static bool is_flying(const WmCrowd *crowd, size_t index) {
  return crowd->states[index] == WM_AGENT_ON_CONNECTION && crowd->records[index].flight.is_on_link;
}

/* Collects the agents on links and before them, sorted by link and, there, by distance: those on it first.
 * returns    how many there are */
static size_t line_up(const WmCrowd *crowd, WmSortItem *items) {
  const WmAgentNumber *numbers = crowd->numbers.items;
  size_t count = 0;
  for (uint32_t number = 0; number < crowd->number_count; number++) {
    const uint32_t index = numbers[number].index;
    if (!numbers[number].is_used) continue;
    const bool flies = is_flying(crowd, index);
    if (!flies && !is_before_link(crowd, index)) continue;
    items[count] = (WmSortItem){.value = index};
    if (!flies) {
      float part, point[3];
      const float distance = find_entry(&crowd->records[index], crowd->positions + 3 * index, &part, point);
      memcpy(&items[count].key, &distance, sizeof items->key); /* floats from 0 sort as their bits */
      items[count].key++;                                      /* also at distance 0 behind those on it */
    }
    count++;
  }
  wm_sort_stable(items, items + count, count);
  for (int part = 0; part < 3; part++) {
    for (size_t i = 0; i < count; i++) {
      const WmAgentRecord *record = &crowd->records[items[i].value];
      items[i].key = part < 2 ? (uint32_t)(link_of(record) >> 32 * part) : record->parameters.type;
    }
    wm_sort_stable(items, items + count, count);
  }
  return count;
}

/* True if two agents have the same link. */
static bool shares_link(const WmCrowd *crowd, size_t a, size_t b) {
  const WmAgentRecord *one = &crowd->records[a], *other = &crowd->records[b];
  return link_of(one) == link_of(other) && one->parameters.type == other->parameters.type;
}

/* Counts the agents before links, and forgets what was found for others. */
static size_t forget(WmCrowd *crowd) {
  size_t before = 0, flying = 0;
  for (size_t i = 0; i < crowd->count; i++) {
    WmAgentRecord *record = &crowd->records[i];
    const bool is_before = is_before_link(crowd, i);
    const bool waits =
        crowd->states[i] == WM_AGENT_WAITING && crowd->reasons[i] == WM_AGENT_REASON_CONNECTION;
    record->takes_off = record->takes_off && waits; /* until the game lets it */
    before += is_before;
    flying += is_flying(crowd, i);
    if (!is_before) leave_lane(record);
  }
  return before ? before + flying : 0;
}

WmStatus wm_crowd_queue_at_links(WmCrowd *crowd) {
  const size_t most = forget(crowd);
  if (most == 0) return WM_OK;
  WmStatus status = wm_buffer_reserve(crowd->context, &crowd->candidate_order, 2 * most, sizeof(WmSortItem));
  if (!status) status = wm_buffer_reserve(crowd->context, &crowd->link_rivals, most, sizeof(WmLinkRival));
  if (status) return status;
  const WmSortItem *items = crowd->candidate_order.items;
  const size_t count = line_up(crowd, crowd->candidate_order.items);
  Queue queue = {.crowd = crowd, .rivals = crowd->link_rivals.items};
  for (size_t i = 0; i < count; i++) {
    const size_t index = items[i].value;
    const WmAgentRecord *record = &crowd->records[index];
    WmLinkCrossing crossing;
    if (i == 0 || !shares_link(crowd, index, items[i - 1].value)) {
      queue.rival_count = 0;
      const bool exists = find_whole(crowd, record, &crossing);
      for (uint32_t side = 0; side < 2; side++) {
        crossing.entry = side;
        queue.lanes[side] = exists ? make_lanes(crowd, record, &crossing) : (Lanes){.count = 1};
      }
    }
    if (is_flying(crowd, index)) {
      add_rival(&queue, index, record->connection_start, wm_crowd_find_flown(crowd, index));
      continue;
    }
    take_lane(&queue, index, &queue.lanes[record->link_side]);
    ask(&queue, index);
  }
  return WM_OK;
}
