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

#endif
