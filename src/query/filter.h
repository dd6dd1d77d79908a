/* Which polygons may be used, and how dear they are: tables only, no callbacks. */
#ifndef WALKMESH_QUERY_FILTER_H
#define WALKMESH_QUERY_FILTER_H

#include "mesh/mesh.h"

typedef struct WmCosts WmCosts;

typedef struct WmFilter {
  uint16_t include_flags; /* at least one of these is needed; default 0xffff. Flags 0 never pass */
  uint16_t exclude_flags; /* none of these may be set; default 0 */
  float area_costs[64]; /* of a world unit, finite, >= 0; default 1. With costs below 1 searches take longer:
                           what is left is estimated with the least cost there is, so that corridors stay
                           the cheapest */
  const WmCosts *costs; /* of single polygons of the mesh that is asked, multiplied with their area's; NULL:
                           none */
} WmFilter;

WmFilter wm_filter_default(void);

static inline bool wm_filter_passes(const WmFilter *filter, uint16_t flags) {
  return (flags & filter->include_flags) != 0 && (flags & filter->exclude_flags) == 0;
}

/* ---- Costs of single polygons ----------------------------------------------------------------------------
 *
 * A table of factors for the polygons of a mesh, for danger, crowding, mud: read by searches, never by
 * anything else. It is of use for questions to its mesh only. Polygons without an entry have factor 1.
 * Entries of a tile that was removed are passed over and forgotten when their slot gets new ones. */

/* returns    WM_OK, WM_ERROR_OUT_OF_MEMORY; *costs is NULL on failure. The mesh must outlive it */
WmStatus wm_costs_create(WmContext *context, const WmMesh *mesh, WmCosts **costs);
void wm_costs_destroy(WmCosts *costs);

/* Sets many at once, all or nothing.
 * in         polygons [count]; factors [count]: finite, >= 0
 * returns    WM_OK; WM_ERROR_STALE_REFERENCE, WM_ERROR_INVALID_ARGUMENT (names what is wrong);
 *            WM_ERROR_OUT_OF_MEMORY
 * memory     4 bytes a polygon of each tile that has an entry */
WmStatus wm_costs_set(WmCosts *costs, const WmRef *polygons, const float *factors, size_t count);

/* All factors are 1 again; memory is kept. */
void wm_costs_clear(WmCosts *costs);

/* For searches: the factors of a tile's polygons, or NULL where all are 1; and the least factor there is, at
 * most 1. */
const float *wm_costs_of(const WmCosts *costs, const WmMeshTile *tile);
float wm_costs_least(const WmCosts *costs);

/* The cost of a world unit in a polygon: area cost, cost factor of the tile and factor of the polygon.
 * in         tile, polygon: a polygon of the mesh; filter: not NULL */
static inline float wm_filter_unit_cost(const WmFilter *filter, const WmMeshTile *tile, uint32_t polygon) {
  const float cost = filter->area_costs[tile->polygon_area[polygon]] * tile->cost_factor;
  const float *factors = filter->costs ? wm_costs_of(filter->costs, tile) : NULL;
  return factors ? cost * factors[polygon] : cost;
}

#endif
