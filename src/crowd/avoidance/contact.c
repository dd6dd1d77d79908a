/* Contacts: agents that overlap are pushed apart, each by its share (shares.h), after all have moved. An
 * agent that was put down inside others and these are parted over WM_CROWD_PARTING_TIME. */
#include "crowd/avoidance/shares.h"

/* The fraction of an agent's overlaps that one round resolves, by the number of its overlaps. */
static const float FIRMNESS[] = {0, WM_CROWD_FIRMNESS_ONE, WM_CROWD_FIRMNESS_TWO, WM_CROWD_FIRMNESS_MANY};
enum { MANY = 3 };

/* Computes the push of one agent; writes it to its contact body only. An agent that is farther from all its
 * neighbours than WM_CROWD_NEARLY_TOUCHING is looked at again once they can have come as near.
 * in         body: the agent's index in `bodies` */
void wm_crowd_find_push(const WmCrowd *crowd, size_t body, float approached) {
  const WmBody *bodies = wm_crowd_bodies(crowd), *own = bodies + body;
  const WmContactBody *contact_bodies = wm_crowd_contact_bodies(crowd);
  WmContactBody *contact_body = wm_crowd_contact_bodies(crowd) + body;
  const uint32_t *indices = crowd->neighbours + (size_t)WM_CROWD_NEIGHBOURS * own->index;
  float push[2] = {0, 0}, parting[2] = {0, 0};
  uint32_t contacts = 0;
  bool is_near = false;
  const uint32_t count = own->is_paused ? 0 : crowd->neighbour_counts[own->index];
  for (uint32_t k = 0; k < count; k++) {
    const WmContactBody *at = contact_bodies + indices[k];
    const float x = contact_body->x - at->x, z = contact_body->z - at->z, squared = x * x + z * z;
    const float radius = (contact_body->radius + at->radius) * WM_AVOIDANCE_MARGIN;
    const float near = radius + WM_CROWD_NEARLY_TOUCHING;
    is_near = is_near || !(squared >= near * near);
    if (!(squared < radius * radius)) continue;
    const WmBody *other = bodies + indices[k];
    if (wm_crowd_is_soft(own, other)) continue;
    const float distance = sqrtf(squared), share = wm_crowd_contact_share(own, other);
    float apart[2];
    contact_body->touches = true;
    if (distance > WM_CROWD_SAME_POINT) {
      const float scale = (radius - distance) / distance * share;
      apart[0] = x * scale;
      apart[1] = z * scale;
    } else { /* at the same point: apart by number */
      apart[0] = own->number < other->number ? radius * share : -radius * share;
      apart[1] = 0;
    }
    const float part = contact_body->parting < at->parting ? contact_body->parting : at->parting;
    if (part < 1) {
      parting[0] += apart[0] * (part / WM_CROWD_CONTACT_ROUNDS);
      parting[1] += apart[1] * (part / WM_CROWD_CONTACT_ROUNDS);
    } else {
      push[0] += apart[0];
      push[1] += apart[1];
      contacts++;
    }
  }
  contact_body->push[0] = contact_body->push[1] = 0;
  if (!is_near) contact_body->untouched_until = approached + WM_CROWD_NEARLY_TOUCHING * WM_CROWD_SAFELY;
  if (!contact_body->touches) return; /* the usual case: records stay out of the cache */
  const float firmness = FIRMNESS[contacts < MANY ? contacts : MANY];
  const bool avoids = crowd->records[own->index].parameters.avoidance != WM_AVOIDANCE_NONE;
  const float aside = avoids ? 0 : WM_CROWD_CONTACT_DEFLECTION;
  push[0] = push[0] * firmness + parting[0];
  push[1] = push[1] * firmness + parting[1];
  contact_body->push[0] = push[0] - push[1] * aside;
  contact_body->push[1] = push[1] + push[0] * aside;
}
