/* Contacts: agents that overlap are pushed apart, each by its share, after all have moved. */
#include "crowd/crowd_internal.h"

/* What each of several rounds takes of an agent's overlaps, by how many it has: one is all but gone after a
 * step; of many at once no more can be taken, or throngs tremble. */
static const float FIRMNESS[] = WM_CROWD_FIRMNESS;

/* How much of an overlap the agent itself gives way. */
static float share_of(const WmBody *own, const WmBody *other) {
  if (other->index == WM_NONE) return WM_CROWD_OBSTACLE_SHARE;
  if (!(own->group & other->avoids)) return 1;
  /* Who rests can be pushed by anybody, else nobody gets through. */
  return own->is_still || other->is_still ? 0.5f : wm_crowd_share(own, other);
}

/* in         place: of the agent in `near`
 * out        the push of its spot */
void wm_crowd_find_push(const WmCrowd *crowd, size_t body) {
  const WmBody *bodies = wm_crowd_bodies(crowd), *own = bodies + body;
  const WmContactBody *contact_bodies = wm_crowd_contact_bodies(crowd);
  WmContactBody *contact_body = wm_crowd_contact_bodies(crowd) + body;
  const uint32_t *indices = crowd->neighbours + (size_t)WM_CROWD_NEIGHBOURS * own->index;
  float push[2] = {0, 0};
  uint32_t contacts = 0;
  const uint32_t count = contact_body->is_paused ? 0 : crowd->neighbour_counts[own->index];
  for (uint32_t k = 0; k < count; k++) {
    const WmContactBody *at = contact_bodies + indices[k];
    const float x = contact_body->x - at->x, z = contact_body->z - at->z, squared = x * x + z * z;
    const float radius = (contact_body->radius + at->radius) * WM_AVOIDANCE_MARGIN;
    if (!(squared < radius * radius)) continue;
    const WmBody *other = bodies + indices[k];
    const float distance = sqrtf(squared), share = share_of(own, other);
    contacts++;
    if (distance > WM_CROWD_SAME_POINT) {
      const float scale = (radius - distance) / distance * share;
      push[0] += x * scale;
      push[1] += z * scale;
    } else { /* at the same place: apart by number */
      push[0] += own->number < other->number ? radius * share : -radius * share;
    }
  }
  contact_body->push[0] = contact_body->push[1] = 0;
  if (contacts == 0) return; /* as mostly: the records stay where they are */
  const float firmness = FIRMNESS[contacts < WM_CROWD_FIRMNESS_LAST ? contacts : WM_CROWD_FIRMNESS_LAST];
  const bool heeds = crowd->records[own->index].parameters.avoidance != WM_AVOIDANCE_NONE;
  const float along = firmness, aside = heeds ? 0 : firmness * WM_CROWD_CONTACT_DEFLECTION;
  contact_body->push[0] = push[0] * along - push[1] * aside;
  contact_body->push[1] = push[1] * along + push[0] * aside;
}
