/* Goals that cannot be reached, told by islands. */
#ifndef WALKMESH_CROWD_REDIRECT_H
#define WALKMESH_CROWD_REDIRECT_H

#include "crowd/crowd_internal.h"

/* Where an agent's search goes to: its target, or the place of its island nearest to it where the target is
 * known to be on another one. */
WmCrowdDestination wm_crowd_find_destination(WmCrowd *crowd, const WmAgentRecord *record);

/* Labels the islands for an agent's mesh and filter. */
WmStatus wm_crowd_label_islands(WmCrowd *crowd, const WmAgentRecord *record);

#endif
