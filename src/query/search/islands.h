/* Islands: connected components of the polygons that pass a filter. */
#ifndef WALKMESH_QUERY_ISLANDS_H
#define WALKMESH_QUERY_ISLANDS_H

#include "base/public.h"
#include "query/query.h"

WM_PUBLIC_BEGIN

/* One-way links count as links in both directions: between islands there is no path at all; within one there
 * is, except where only one-way connections lead the other way. */
typedef struct WmIslands WmIslands;

/* in         mesh: must outlive the islands
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY; *islands is NULL on failure */
WmStatus wm_islands_create(WmContext *context, const WmMesh *mesh, WmIslands **islands);
void wm_islands_destroy(WmIslands *islands);

/* Labels the islands if the mesh or the filter's flags have changed since the last update.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY (the former labels are lost)
 * cost       O(polygons + links) when something has changed */
WmStatus wm_islands_update(WmIslands *islands, const WmFilter *filter);

/* Number of islands; the island of a polygon: 1 to the count, the largest by area first and equal ones by
 * slot, 0 for a polygon that doesn't pass and for other references; area of an island on x and z. */
size_t wm_islands_count(const WmIslands *islands);
uint32_t wm_islands_of(const WmIslands *islands, WmRef polygon);
float wm_islands_area(const WmIslands *islands, uint32_t island);

/* A point on an island: the middle of the largest of its polygons.
 * returns    polygon 0 if there is no such island, it has no ground (a link between no grounds), or the tile of the
 *            polygon was removed since the last update */
WmNearest wm_islands_point(const WmIslands *islands, uint32_t island);

/* True if the labels are up to date for the mesh and the filter. */
bool wm_islands_are_current(const WmIslands *islands, const WmFilter *filter);

/* The point of an island nearest to a position, by straight distance. The labels are current.
 * in         mesh: the mesh of the islands
 * returns    polygon 0 if there is no such island
 * cost       O(tiles + tree nodes that are no farther away than the point) */
WmNearest wm_islands_nearest(const WmIslands *islands, const WmMesh *mesh, uint32_t island,
                             const float position[3]);

WM_PUBLIC_END

#endif
