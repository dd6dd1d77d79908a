/* Jams: an agent whose path has not become shorter for some time passes softly through the others. It neither
 * avoids nor pushes them, and they neither avoid nor push it, until it overlaps nobody and is where there is
 * room.
 *
 * Progress is the decrease of the path's length: the distance walked along the path in each step, and the
 * difference of both lengths where the path is replaced. An agent that is pushed back and forth, or that
 * changes between two paths, makes no progress. docs/crowd.md proves that every agent gets nearer to its target
 * within a bounded time. */
#include "crowd/passages/passages.h"

/* The neighbours of an agent that makes no progress. */
typedef struct Neighbours {
  bool overlaps;   /* it overlaps one of them */
  bool is_waiting; /* it is behind one that waits for its turn at a passage */
  bool is_queued;  /* it is behind one that waits, or that walks in the same direction */
  bool is_at_rest; /* it is behind one that rests in the way */
} Neighbours;

static void note_neighbour_ahead(const WmCrowd *crowd, const WmAgentRecord *record, const WmBody *other,
                                 Neighbours *neighbours) {
  if (other->index == WM_NONE) return;
  const bool goes_along = wm_dot(record->direction, crowd->records[other->index].direction) > WM_CROWD_ALONG;
  neighbours->is_waiting = neighbours->is_waiting || other->waits_outside;
  neighbours->is_queued = neighbours->is_queued || other->is_held || (other->walks && goes_along);
  neighbours->is_at_rest = neighbours->is_at_rest || !other->walks;
}

static Neighbours look_around(const WmCrowd *crowd, size_t body) {
  const WmBody *bodies = wm_crowd_bodies(crowd), *own = bodies + body;
  const WmContactBody *contact_bodies = wm_crowd_contact_bodies(crowd), *at = contact_bodies + body;
  const WmAgentRecord *record = &crowd->records[own->index];
  const uint32_t *indices = crowd->neighbours + (size_t)WM_CROWD_NEIGHBOURS * own->index;
  Neighbours neighbours = {0};
  for (uint32_t k = 0; k < crowd->neighbour_counts[own->index]; k++) {
    const WmContactBody *other = contact_bodies + indices[k];
    const float x = other->x - at->x, z = other->z - at->z, squared = x * x + z * z;
    const float radius = other->radius + at->radius, near = radius * WM_CROWD_BEHIND;
    neighbours.overlaps = neighbours.overlaps || squared < radius * radius;
    if (squared < near * near && x * record->direction[0] + z * record->direction[1] > 0)
      note_neighbour_ahead(crowd, record, bodies + indices[k], &neighbours);
  }
  return neighbours;
}

/* How fast the agent's patience runs out, in seconds a second: 1 if it is blocked, or waits for its turn; less if it
 * queues, walks well, or is near its destination, where resting agents make room. */
static float haste_of(const WmAgentRecord *record, const Neighbours *neighbours) {
  if (record->progress_speed > WM_FREE_PACE * record->parameters.max_speed) return WM_CROWD_QUEUE_HASTE;
  if (record->is_held || neighbours->is_waiting) return 1;
  const bool is_there = neighbours->is_at_rest && record->last_leg < WM_CROWD_NEARLY_THERE;
  return neighbours->is_queued || is_there ? WM_CROWD_QUEUE_HASTE : 1;
}

/* True if the path has become shorter by WM_CROWD_GAIN since the last time. */
static bool has_gained(WmCrowd *crowd, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  const float *position = crowd->positions + 3 * index, *direction = record->direction;
  const float x = position[0] - record->from[0], z = position[2] - record->from[1];
  record->gained += x * direction[0] + z * direction[1];
  if (!(record->gained > WM_CROWD_GAIN)) return false;
  record->gained = record->stalled_time = 0;
  record->turns = 0;
  return true;
}

void wm_crowd_note_turn(WmAgentRecord *record) {
  if (record->turns == WM_CROWD_TURNS_PER_GAIN) return;
  record->turns++;
  record->stalled_time = 0;
}

void wm_crowd_measure_jam(WmCrowd *crowd, size_t body, float seconds) {
  const size_t index = wm_crowd_bodies(crowd)[body].index;
  WmAgentRecord *record = &crowd->records[index];
  const float patience = crowd->options.patience;
  const bool gained = has_gained(crowd, index);
  if (!record->passes && record->stalled_time < WM_CROWD_UNTROUBLED) { /* the usual case */
    record->stalled_time += gained ? 0 : seconds;
    record->is_queued = false;
    return;
  }
  const Neighbours neighbours = look_around(crowd, body);
  record->is_queued = neighbours.is_queued;
  record->stalled_time += seconds * haste_of(record, &neighbours);
  if (record->passes && gained && !neighbours.overlaps &&
      wm_crowd_has_room(crowd, index, crowd->positions + 3 * index))
    record->passes = false;
  if (patience > 0 && record->stalled_time > patience) record->passes = true;
}
