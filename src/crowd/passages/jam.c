/* The way out of any jam: an agent that does not get nearer to its destination for a time passes through the
 * others softly: it neither avoids nor pushes them, and they don't avoid it. */
#include <stdio.h>
#include <stdlib.h>
#include "clearance/width.h"
#include "crowd/passages/passages.h"

/* True if another agent walks in about the same direction: the agent queues behind it. */
static bool goes_along(const WmCrowd *crowd, const WmAgentRecord *record, uint32_t other) {
  if (other == WM_NONE || !wm_agent_walks(crowd->states[other], crowd->reasons[other])) return false;
  return wm_dot(record->direction, crowd->records[other].direction) > 0.3f;
}

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
    if (*is_queued || record->stalled_time < 0.5f || squared > near * near) continue;
    if (!(x * record->direction[0] + z * record->direction[1] > 0)) continue;
    *is_queued = bodies[indices[k]].is_held || goes_along(crowd, record, bodies[indices[k]].index);
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
  const bool waits = record->is_held || record->is_queued;
  record->stalled_time += waits ? seconds * WM_CROWD_WAITING_PATIENCE : seconds;
  bool overlaps;
  look_around(crowd, body, &overlaps, &record->is_queued);
  if (record->gained > WM_CROWD_GAIN) {
    record->gained = 0;
    record->stalled_time = 0;
    if (record->passes && !overlaps && !is_in_narrow_place(crowd, index)) record->passes = false;
  }
  if (record->stalled_time > WM_CROWD_JAM_TIME) { if (!record->passes && getenv("DBG")) { const WmBody *bs = wm_crowd_bodies(crowd); const uint32_t *ix = crowd->neighbours + (size_t)WM_CROWD_NEIGHBOURS * index; int ahead = 0; char buf[300] = ""; for (uint32_t k = 0; k < crowd->neighbour_counts[index]; k++) { const WmBody *o = bs + ix[k]; if (o->index == WM_NONE) continue; float dx = o->x - position[0], dz = o->z - position[2]; if (dx*dx+dz*dz < 1.2 && dx*direction[0]+dz*direction[1] > 0) { const WmAgentRecord *r = &crowd->records[o->index]; sprintf(buf + strlen(buf), " [st%d re%d pas%d in%d dot%.1f]", crowd->states[o->index], crowd->reasons[o->index], r->passage, r->is_in_passage, (double)(r->direction[0]*direction[0]+r->direction[1]*direction[1])); if (++ahead == 3) break; } } printf("PASS %zu at %.1f %.1f narrow %d passage %d in %d held %d queued %d:%s\n", index, (double)position[0], (double)position[2], is_in_narrow_place(crowd, index), record->passage, record->is_in_passage, record->is_held, record->is_queued, buf); } record->passes = true; }
}
