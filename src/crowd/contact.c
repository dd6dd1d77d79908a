/* Contacts: agents that overlap are pushed apart, each by its share, after all have moved. */
#include "crowd/crowd_internal.h"

/* Overlaps below this part of both radii are left alone, so that who rests does not tremble. */
#define SLACK 0.01f
/* What each of several rounds takes of an overlap: more makes throngs tremble. */
#define FIRMNESS 0.2f

/* How much of an overlap the agent itself gives way. */
static float share_of(const WmNear *own, const WmNear *other) {
  if (other->index == WM_NONE || !(own->group & other->avoids)) return 1;
  return 0.5f;
}

/* in         place: of the agent in `near`
 * out        pushes of the agent */
void wm_crowd_find_push(WmCrowd *crowd, size_t place) {
  const WmNear *near = wm_crowd_near(crowd), *own = near + place;
  const uint32_t *places = crowd->neighbours + (size_t)WM_CROWD_NEIGHBOURS * own->index;
  const float *position = crowd->positions + 3 * (size_t)own->index;
  float *push = crowd->pushes + 2 * (size_t)own->index;
  push[0] = push[1] = 0;
  if (crowd->records[own->index].is_paused) return;
  for (uint32_t k = 0; k < crowd->neighbour_counts[own->index]; k++) {
    const WmNear *other = near + places[k];
    const bool is_agent = other->index != WM_NONE;
    const float other_x = is_agent ? crowd->positions[3 * (size_t)other->index] : other->x;
    const float other_z = is_agent ? crowd->positions[3 * (size_t)other->index + 2] : other->z;
    const float x = position[0] - other_x, z = position[2] - other_z, squared = x * x + z * z;
    const float radius = (own->radius + other->radius) * (1 - SLACK);
    if (!(squared < radius * radius)) continue;
    const float distance = sqrtf(squared), share = share_of(own, other) * FIRMNESS;
    if (distance > 1e-4f) {
      const float scale = (radius - distance) / distance * share;
      push[0] += x * scale;
      push[1] += z * scale;
    } else { /* at the same place: apart by number */
      push[0] += own->number < other->number ? radius * share : -radius * share;
    }
  }
}
