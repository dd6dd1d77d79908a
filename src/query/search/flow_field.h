/* Flow fields: the cheapest corridors from everywhere to one point, found by one backward search.
 *
 * Usual order: wm_flow_field_create; wm_flow_field_begin at a target; for each start wm_flow_field_advance
 * until it is covered, then wm_flow_field_find writes its corridor. The field grows only as far as its starts
 * need, some nodes at a time. The nodes it has found stay, for any number of starts, until the next
 * wm_flow_field_begin or a change of the mesh.
 *
 * Costs are those of wm_query_find_corridor: straight lines between midpoints of edges, each times the unit
 * cost of its polygon. That search gives a polygon one position, where it was first entered; the field has a
 * node for each portal in the direction of travel. So its corridor is the cheapest by that measure (within
 * rounding), never more expensive than that of a single search, and one-way connections are followed in their
 * direction.
 *
 * Source: E. W. Dijkstra, "A Note on Two Problems in Connexion with Graphs", 1959. Ours skips portals from
 * which the path through another portal of the polygon costs no more: one or two nodes for each polygon are
 * left. */
#ifndef WALKMESH_QUERY_FLOW_FIELD_H
#define WALKMESH_QUERY_FLOW_FIELD_H

#include "base/public.h"
#include "query/search/search.h"

WM_PUBLIC_BEGIN

typedef struct WmFlowField WmFlowField;

/* in         mesh: must outlive the field
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY; *flow is NULL on failure
 * memory     about 28 bytes for each portal of the tiles that it touches */
WmStatus wm_flow_field_create(WmContext *context, const WmMesh *mesh, WmFlowField **flow);
void wm_flow_field_destroy(WmFlowField *flow); /* NULL is allowed */

/* Starts a new field to a target.
 * in         filter: copied, its WmCosts are borrowed; NULL: the default filter
 * returns    as all queries; after WM_ERROR_STALE_REFERENCE and WM_ERROR_INVALID_ARGUMENT no field exists
 * cost       O(tiles) once after a change of tiles or connections */
WmStatus wm_flow_field_begin(WmFlowField *flow, WmRef target, const float target_position[3],
                             const WmFilter *filter);

/* True if there is a field, and the mesh hasn't changed since it began. */
bool wm_flow_field_is_current(const WmFlowField *flow);

/* Grows the field until the cheapest corridor from a start is certain, or nothing is left to grow to.
 * in         start: a polygon of the mesh (it need not pass the filter)
 * out        *done: the start is covered; *used (may be NULL): nodes closed, at most `budget`
 * returns    WM_OK; WM_ERROR_STATE (no field, or the mesh has changed); WM_ERROR_STALE_REFERENCE;
 *            WM_ERROR_OUT_OF_MEMORY (no field exists any more) */
WmStatus wm_flow_field_advance(WmFlowField *flow, WmRef start, const float start_position[3], size_t budget,
                               bool *done, size_t *used);

/* True if the start is covered: wm_flow_field_find has a result. False also if there is no field. */
bool wm_flow_field_covers(const WmFlowField *flow, WmRef start, const float start_position[3]);

/* The corridor from a start that is covered.
 * out        *corridor: state WM_PATH_COMPLETE, polygons until the next call; or, if the target can't be
 *            reached, WM_PATH_UNREACHABLE without polygons (a search finds the nearest reachable point)
 * returns    WM_OK; WM_ERROR_STATE (not covered, no field, or the mesh has changed); WM_ERROR_OUT_OF_MEMORY
 *            */
WmStatus wm_flow_field_find(WmFlowField *flow, WmRef start, const float start_position[3],
                            WmCorridor *corridor);

WM_PUBLIC_END

#endif
