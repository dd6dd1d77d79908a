/* Flow fields that agents with the same target share. */
#ifndef WALKMESH_CROWD_FIELDS_H
#define WALKMESH_CROWD_FIELDS_H

#include "crowd/crowd_internal.h"

/* Returns the current flow field to a polygon for the type and filter of an agent; NULL if there is none. */
WmCrowdFlowField *wm_crowd_find_flow_field(WmCrowd *crowd, const WmAgentRecord *record, WmRef polygon);

/* Begins a new field, which replaces the least recently used one.
 * in         options.max_fields > 0 */
WmStatus wm_crowd_begin_flow_field(WmCrowd *crowd, const WmAgentRecord *record, WmRef polygon,
                                   const float position[3], WmCrowdFlowField **field);

/* The first returns true if a field costs less than searches for `demand` agents, by the recent costs that
 * the other two record. */
bool wm_crowd_is_flow_field_worth(const WmCrowdMesh *on, size_t demand);
void wm_crowd_note_search(WmCrowdMesh *on, size_t searched);
void wm_crowd_note_flow_field(WmCrowdMesh *on, const WmCrowdFlowField *field);

void wm_crowd_free_flow_field(WmCrowdFlowField *field);

/* Frees the fields of a filter; searches that use them begin again. */
void wm_crowd_drop_flow_fields(WmCrowd *crowd, uint32_t filter);

/* True if a corridor of the field, with the given cost, is good enough for `position`, another point of the
 * target's polygon. The detour past the field's own target is the most that it can cost more. */
bool wm_crowd_flow_field_suits(const WmCrowd *crowd, const WmCrowdFlowField *field,
                               const WmAgentRecord *record, const float position[3], float cost);

#endif
