/* Flow fields that grow step by step, for alternatives/. */
#ifndef WALKMESH_QUERY_FLOW_FIELD_INTERNAL_H
#define WALKMESH_QUERY_FLOW_FIELD_INTERNAL_H

#include "query/search/flow_field.h"

/* Closes all nodes that cost at most `most`.
 * returns    WM_OK; WM_ERROR_OUT_OF_MEMORY (no field exists any more) */
WmStatus wm_flow_field_grow(WmFlowField *flow, float most);

/* The polygon after a place on the cheapest corridor over the nodes closed until now.
 * out        *cost, *next (0: the target is in `start`)
 * returns    false: none leads to the target */
bool wm_flow_field_next(const WmFlowField *flow, WmRef start, const float position[3], float *cost,
                        WmRef *next);

/* That corridor.
 * out        polygons [capacity]: the first ones
 * returns    the number of polygons; 0: none leads to the target */
size_t wm_flow_field_list(const WmFlowField *flow, WmRef start, const float position[3], WmRef *polygons,
                          size_t capacity);

#endif
