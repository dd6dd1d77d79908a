/* Merging: agents that may enter a passage come to its entry one after the other.
 *
 * If all of them pressed to the entry, two would arrive beside each other, and neither could enter. So they
 * follow each other by their distance to the entry, from whatever direction they come: each keeps as far behind
 * the one before it as both need in a row. Its speed is that of the one before it, more if it is farther behind,
 * and less if it is nearer. Among those about equally far from the entry, agents with little leeway come first: a
 * wait costs an agent with a short way more of its time than one with a long way. */
#include "crowd/passages/passages.h"

/* The speed at which an agent keeps its distance to the one before it. */
static float find_speed(const WmCrowd *crowd, const WmCandidate *own, const WmCandidate *before) {
  const float *velocity = crowd->velocities + 3 * before->index;
  const float ahead = sqrtf(velocity[0] * velocity[0] + velocity[2] * velocity[2]);
  const float radii =
      crowd->records[own->index].parameters.radius + crowd->records[before->index].parameters.radius;
  const float spare = own->distance - before->distance - WM_CROWD_MERGE_SPACING * radii;
  const float speed = ahead + spare / WM_CROWD_MERGE_TIME;
  return speed > 0 ? speed : 0;
}

/* Sorts those who may enter and are near by entry and direction, and within these by distance and leeway.
 * returns    how many there are */
static size_t line_up(const WmCrowd *crowd, WmSortItem *items) {
  const WmCandidate *candidates = crowd->candidates.items;
  size_t count = 0;
  for (size_t i = 0; i < crowd->candidate_count; i++) {
    const WmAgentRecord *record = &crowd->records[candidates[i].index];
    const bool holds = record->passage == WM_PASSAGE_HOLDS;
    if (!holds || candidates[i].is_inside || candidates[i].distance > WM_CROWD_MERGE_RANGE) continue;
    const float place = candidates[i].distance + WM_CROWD_MERGE_LEEWAY * record->leeway;
    items[count].value = (uint32_t)i;
    memcpy(&items[count++].key, &place, sizeof items->key); /* floats above 0 sort as their bits */
  }
  wm_sort_stable(items, items + count, count);
  const WmClaim *claims = crowd->claims.items;
  const WmPlace *places = crowd->places.items;
  for (size_t i = 0; i < count; i++) {
    const WmClaim *claim = claims + candidates[items[i].value].ahead.first;
    items[i].key = (uint32_t)(wm_crowd_place(crowd, claim->key) - places) << 1 | claim->direction;
  }
  wm_sort_stable(items, items + count, count);
  return count;
}

void wm_crowd_merge(WmCrowd *crowd, WmSortItem *items) {
  const WmCandidate *candidates = crowd->candidates.items;
  for (size_t i = 0; i < crowd->candidate_count; i++)
    crowd->records[candidates[i].index].merge_speed = INFINITY;
  const size_t count = line_up(crowd, items);
  for (size_t i = 1; i < count; i++) {
    if (items[i].key != items[i - 1].key) continue;
    const WmCandidate *own = candidates + items[i].value, *before = candidates + items[i - 1].value;
    WmAgentRecord *record = &crowd->records[own->index];
    record->merge_speed = find_speed(crowd, own, before);
    record->passage_holder = wm_agent_number(crowd->agents[before->index]);
  }
}

void wm_crowd_follow(WmAgentRecord *record) {
  const float speed = sqrtf(wm_dot(record->preferred, record->preferred));
  if (!(speed > record->merge_speed)) return;
  record->is_held = record->merge_speed < WM_CROWD_MERGE_HELD;
  record->preferred[0] *= record->merge_speed / speed;
  record->preferred[1] *= record->merge_speed / speed;
}
