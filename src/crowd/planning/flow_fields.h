/* Flow fields that agents with the same goal share. */
#ifndef WALKMESH_CROWD_FIELDS_H
#define WALKMESH_CROWD_FIELDS_H

#include "crowd/crowd_internal.h"

/* The field to a polygon for the type and filter of an agent, current; NULL: there is none. */
WmCrowdFlowField *wm_crowd_find_flow_field(WmCrowd *crowd, const WmAgentRecord *record, WmRef polygon);

/* A new one, in the place of the one that was used least recently. in         options.max_fields > 0 */
WmStatus wm_crowd_begin_flow_field(WmCrowd *crowd, const WmAgentRecord *record, WmRef polygon,
                                   const float position[3], WmCrowdFlowField **field);

/* Whether a field takes less than searches for so many, as far as what these took lately tells; and keeping
 * account of that. */
bool wm_crowd_is_flow_field_worth(const WmCrowdMesh *on, size_t demand);
void wm_crowd_note_search(WmCrowdMesh *on, size_t searched);
void wm_crowd_note_flow_field(WmCrowdMesh *on, const WmCrowdFlowField *field);

void wm_crowd_free_flow_field(WmCrowdFlowField *field);

/* Those for a filter go. */
void wm_crowd_drop_flow_fields(WmCrowd *crowd, uint32_t filter);

/* Whether its ways, of which one costs so much, are as good as cheapest to another place of its polygon: a
 * detour past the field's own goal is the most that it can be dearer. */
bool wm_crowd_flow_field_suits(const WmCrowd *crowd, const WmCrowdFlowField *field,
                               const WmAgentRecord *record, const float position[3], float cost);

#endif
