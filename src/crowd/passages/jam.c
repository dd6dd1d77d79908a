/* The way out of any jam: an agent that does not get nearer to its destination for a time passes through the
 * others softly: it neither avoids nor pushes them, and they don't avoid it. */
#include "clearance/width.h"
#include "crowd/passages/passages.h"

/* Looks at the neighbours: whether the agent overlaps one, and whether it stands behind one that waits. */
static void look_around(const WmCrowd *crowd, size_t body, bool *overlaps, bool *is_queued) {
  const WmBody *bodies = wm_crowd_bodies(crowd), *own = bodies + body;
  const WmContactBody *contact_bodies = wm_crowd_contact_bodies(crowd), *at = contact_bodies + body;
  const WmAgentRecord *record = &crowd->records[own->index];
  const uint32_t *indices = crowd->neighbours + (size_t)WM_CROWD_NEIGHBOURS * own->index;
  *overlaps = *is_queued = false;
  for (uint32_t k = 0; k < crowd->neighbour_counts[own->index]; k++) {
    const WmContactBody *other = contact_bodies + indices[k];
    const float x = other->x - at->x, z = other->z - at->z, squared = x * x + z * z;
    const float radius = other->radius + at->radius, near = radius * 1.3f;
    *overlaps = *overlaps || squared < radius * radius;
    if (!bodies[indices[k]].is_held || squared > near * near) continue;
    if (x * record->direction[0] + z * record->direction[1] > 0) *is_queued = true;
  }
}

static bool is_in_narrow_place(const WmCrowd *crowd, size_t index) {
  const WmAgentRecord *record = &crowd->records[index];
  const WmCrowdMesh *on = wm_agent_mesh(crowd, record);
  const float width = on->passages.width;
  return wm_width_at(on->mesh, record->polygon, crowd->positions + 3 * index, width, NULL) <= width;
}

void wm_crowd_measure_jam(WmCrowd *crowd, size_t body, float seconds) {
  const size_t index = wm_crowd_bodies(crowd)[body].index;
  WmAgentRecord *record = &crowd->records[index];
  const float *position = crowd->positions + 3 * index, *direction = record->direction;
  const float x = position[0] - record->from[0], z = position[2] - record->from[1];
  record->gained += x * direction[0] + z * direction[1];
  record->stalled_time += seconds;
  bool overlaps;
  look_around(crowd, body, &overlaps, &record->is_queued);
  if (record->gained > WM_CROWD_GAIN) {
    record->gained = 0;
    record->stalled_time = 0;
    if (record->passes && !overlaps && !is_in_narrow_place(crowd, index)) record->passes = false;
  }
  const bool waits = record->is_held || record->is_queued;
  if (record->stalled_time > (waits ? WM_CROWD_LONG_JAM_TIME : WM_CROWD_JAM_TIME)) record->passes = true;
}
