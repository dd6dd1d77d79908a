/* Flow fields: the cheapest ways from anywhere to one place, by one search that goes backwards from there.
 *
 * Usual order: wm_flow_field_create; wm_flow_field_begin at a place; for each start wm_flow_field_advance until it is covered,
 * then wm_flow_field_find reads its corridor off. The field grows only as far as the farthest start asks, a few
 * polygons at a time; what it has found stays, for any number of starts, until the next wm_flow_field_begin or a
 * change of the mesh.
 *
 * Costs are those of wm_query_find_corridor: straight lines between the middles of edges, each times what a
 * unit costs in its polygon. That search gives a polygon one place, where it was first entered; the field
 * has a node for every opening in the direction of travel. So its corridor is the cheapest there is by that
 * measure (within rounding), never dearer than the one of a single search, and off-mesh connections of one
 * direction are followed in it.
 *
 * Source: E. W. Dijkstra, "A Note on Two Problems in Connexion with Graphs", 1959. Ours passes over openings
 * from which it is no cheaper than from another one of the polygon, on the way to which it lies: one or two
 * nodes for each polygon are left. */
#ifndef WALKMESH_QUERY_FLOW_FIELD_H
#define WALKMESH_QUERY_FLOW_FIELD_H

#include "query/search/search.h"

typedef struct WmFlowField WmFlowField;

/* returns    WM_OK, WM_ERROR_OUT_OF_MEMORY; *flow is NULL on failure. The mesh must outlive it
 * memory     about 28 bytes for each opening in the tiles that it touches */
WmStatus wm_flow_field_create(WmContext *context, const WmMesh *mesh, WmFlowField **flow);
void wm_flow_field_destroy(WmFlowField *flow); /* NULL is allowed */

/* A new field, to a place. The filter is copied, its WmCosts are not (NULL: the default filter).
 * returns    as all questions; WM_ERROR_STALE_REFERENCE, WM_ERROR_INVALID_ARGUMENT: there is no field then
 * cost       O(tiles) once after a change of tiles or connections */
WmStatus wm_flow_field_begin(WmFlowField *flow, WmRef goal, const float goal_position[3],
                             const WmFilter *filter);

/* Whether there is a field, and the mesh is as it was when it began. */
bool wm_flow_field_is_current(const WmFlowField *flow);

/* Grows it until the cheapest way from a place is certain, or there is nothing left to grow to.
 * in         start: a polygon of the mesh (it need not pass the filter)
 * out        *done: it is, and wm_flow_field_find has an answer; *used (may be NULL): nodes taken up, `budget` at
 *            most
 * returns    WM_OK; WM_ERROR_STATE (no field, or the mesh has changed); WM_ERROR_STALE_REFERENCE;
 *            WM_ERROR_OUT_OF_MEMORY: there is no field any more */
WmStatus wm_flow_field_advance(WmFlowField *flow, WmRef start, const float start_position[3], size_t budget,
                               bool *done, size_t *used);

/* Whether that would take nothing. false also where there is no field */
bool wm_flow_field_covers(const WmFlowField *flow, WmRef start, const float start_position[3]);

/* The corridor from a start that is covered.
 * out        *corridor: state WM_PATH_COMPLETE, polygons until the next call; or, where no way leads to the
 *            goal, WM_PATH_UNREACHABLE without polygons (a search tells how near one can get)
 * returns    WM_OK; WM_ERROR_STATE (not covered, no field, or the mesh has changed); WM_ERROR_OUT_OF_MEMORY
 */
WmStatus wm_flow_field_find(WmFlowField *flow, WmRef start, const float start_position[3],
                            WmCorridor *corridor);

#endif
