/* Shares: how much of the avoiding, and of an overlap, is one body's part, and how much the other's.
 *
 * A share of 1: the agent does all of it; 0: the other one does. The shares of two walking agents are 0.5 each
 * unless their priorities differ. Half-planes (orca.c) and contacts (contact.c) apply the shares. Who enters a
 * narrow passage first is decided in passages/right_of_way.c. */
#ifndef WALKMESH_CROWD_SHARES_H
#define WALKMESH_CROWD_SHARES_H

#include "crowd/crowd_internal.h"

/* The agent's share by priority: the higher number yields; 0.5 if both are equal, 1 from a difference of
 * WM_PRIORITY_RANGE on. */
WM_INLINE float wm_crowd_share_by_priority(const WmBody *own, const WmBody *other) {
  const float share = 0.5f + 0.5f * ((float)own->priority - (float)other->priority) / WM_PRIORITY_RANGE;
  return wm_clamp_unit(share);
}

/* The agent's share of avoiding a collision (orca.c). It does everything if the other one doesn't yield: an
 * obstacle, an agent without avoidance, paused, or whose `avoids` excludes the agent's group. Who waits
 * before a passage makes way for those who come out. Other agents that stand do the smaller share, and nothing for
 * agents with the same target, which come to rest beside them. */
static inline float wm_crowd_avoidance_share(const WmBody *own, const WmBody *other) {
  if (!other->yields || !(own->group & other->avoids)) return 1;
  if (own->waits_outside && other->comes_out) return WM_CROWD_MAKE_WAY_SHARE;
  if (own->comes_out && other->waits_outside) return 1 - WM_CROWD_MAKE_WAY_SHARE;
  if (other->is_still && !own->is_still) {
    return other->target_id == own->target_id ? 1 : WM_CROWD_STANDING_SHARE;
  }
  if (own->is_still && !other->is_still) {
    return other->target_id == own->target_id ? 0 : 1 - WM_CROWD_STANDING_SHARE;
  }
  return wm_crowd_share_by_priority(own, other);
}

/* The agent's share of an overlap (contact.c). Agents that stand can be pushed by any agent, whatever the
 * priorities: else no agent would pass between them. */
static inline float wm_crowd_contact_share(const WmBody *own, const WmBody *other) {
  if (other->index == WM_NONE) return WM_CROWD_OBSTACLE_SHARE;
  if (!(own->group & other->avoids)) return 1;
  return own->is_still || other->is_still ? 0.5f : wm_crowd_share_by_priority(own, other);
}

/* True if the other one is an agent that stands and that contacts can move. Agents that were blocked for
 * WM_SQUEEZE_TIME no longer avoid such agents: they push between them. */
static inline bool wm_crowd_can_be_pushed(const WmCrowd *crowd, const WmBody *other) {
  return other->is_still && other->index != WM_NONE && !crowd->records[other->index].is_paused;
}

/* True if one of two agents passes softly through the other: they neither avoid nor push each other. An agent
 * that rests in a narrow place lets those pass that walk. */
static inline bool wm_crowd_is_soft(const WmBody *own, const WmBody *other) {
  if (other->index == WM_NONE) return false; /* nobody passes through obstacles */
  return own->passes || other->passes || (own->lets_pass && !other->is_still) ||
         (other->lets_pass && !own->is_still);
}

#endif
