/* Destinations of unreachable targets, by islands. */
#ifndef WALKMESH_CROWD_REDIRECT_H
#define WALKMESH_CROWD_REDIRECT_H

#include "crowd/crowd_internal.h"

/* Returns the destination of an agent's next search: its target, or the nearest point of the agent's island
 * if the target is known to be on another one.
 * cost       one lookup; a scan over the island's polygons if the target is elsewhere */
WmCrowdDestination wm_crowd_find_destination(WmCrowd *crowd, const WmAgentRecord *record);

/* Labels the islands for an agent's mesh and filter; replaces the least recently used labels.
 * cost       one pass over the mesh */
WmStatus wm_crowd_label_islands(WmCrowd *crowd, const WmAgentRecord *record);

/* Finds the ground of a target: the nearest that the agent's filter allows, or ground over which the target lies and which the filter
 * excludes, if that is nearer by more than the agent's radius: the agent can't get there, and goes there once it is allowed.
 * out        ground: polygon 0 if there is none
 * returns    as wm_query_find_nearest */
WmStatus wm_crowd_find_target_ground(WmCrowd *crowd, const WmAgentRecord *record, const float target[3],
                                     WmNearest *ground);

/* Finds the target's polygon again if its tile was removed; 0 if nothing is near it.
 * returns    as wm_query_find_nearest */
WmStatus wm_crowd_find_target(WmCrowd *crowd, WmAgentRecord *record);

/* Finds out whether the mesh's changes have opened a way for an agent whose last search failed: its target is on the
 * agent's island, and was not when this was last looked at. Before the first look after an order or a success it counts as
 * apart, since cheap failures label nothing. So where one-way links lead back, from the same island, one search comes of
 * it.
 * out        *has_opened
 * cost       some lookups; now and then one pass over the mesh for all agents with the same filter */
WmStatus wm_crowd_look_for_way(WmCrowd *crowd, WmAgentRecord *record, bool *has_opened);

#endif
