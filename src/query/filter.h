/* Filters: the polygons that may be used, and their costs. Tables only, no callbacks. */
#ifndef WALKMESH_QUERY_FILTER_H
#define WALKMESH_QUERY_FILTER_H

#include "base/inline.h"
#include "base/public.h"
#include "mesh/mesh.h"

WM_PUBLIC_BEGIN

typedef struct WmCosts WmCosts;

typedef struct WmFilter {
  uint16_t include_flags; /* at least one of these is needed; default 0xffff. Flags 0 never pass */
  uint16_t exclude_flags; /* none of these may be set; default 0 */
  float area_costs[64]; /* of a world unit, finite, >= 0; default 1. With costs below 1 searches take longer:
                           the rest is estimated with the lowest cost of all, so that corridors stay the
                           cheapest */
  const WmCosts *costs; /* factors of single polygons of the queried mesh; NULL: none */
} WmFilter;

WmFilter wm_filter_default(void);

static inline bool wm_filter_passes(const WmFilter *filter, uint16_t flags) {
  return (flags & filter->include_flags) != 0 && (flags & filter->exclude_flags) == 0;
}

/* ---- Costs of single polygons -------------------------------------------------------------------------- */

/* A table of cost factors for the polygons of one mesh, for danger, crowding, mud. Only searches read it.
 * Polygons without an entry have factor 1. Entries of a removed tile are ignored, and dropped when their slot
 * gets new ones. */

/* in         mesh: must outlive the table
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY; *costs is NULL on failure */
WmStatus wm_costs_create(WmContext *context, const WmMesh *mesh, WmCosts **costs);
void wm_costs_destroy(WmCosts *costs);

/* Sets the factors of polygons: all of them, or none on failure.
 * in         polygons [count]; factors [count]: finite, >= 0
 * returns    WM_OK; WM_ERROR_STALE_REFERENCE, WM_ERROR_INVALID_ARGUMENT (naming the argument);
 *            WM_ERROR_OUT_OF_MEMORY
 * memory     4 bytes a polygon of each tile that has an entry */
WmStatus wm_costs_set(WmCosts *costs, const WmRef *polygons, const float *factors, size_t count);

/* Sets all factors to 1; the memory stays allocated. */
void wm_costs_clear(WmCosts *costs);

/* For searches: the factors of a tile's polygons, NULL if all are 1; the lowest factor of all, at most 1. */
const float *wm_costs_of(const WmCosts *costs, const WmMeshTile *tile);
float wm_costs_least(const WmCosts *costs);

/* For saved crowds: the mesh of a table; restores wm_costs_least, which factors that were overwritten may have lowered.
 * in         least: 0..1 */
const WmMesh *wm_costs_mesh(const WmCosts *costs);
void wm_costs_restore_least(WmCosts *costs, float least);

/* The factors of a tile's polygons for a filter; NULL: all 1. */
static inline const float *wm_filter_factors(const WmFilter *filter, const WmMeshTile *tile) {
  return filter->costs ? wm_costs_of(filter->costs, tile) : NULL;
}

/* The cost of a world unit in a polygon: area cost, cost factor of the tile and factor of the polygon.
 * in         filter: not NULL; tile, polygon: a polygon of the mesh; factors: the tile's wm_filter_factors */
WM_INLINE float wm_filter_unit_cost_with(const WmFilter *filter, const WmMeshTile *tile, const float *factors,
                                         uint32_t polygon) {
  const float cost = filter->area_costs[tile->polygon_area[polygon]] * tile->cost_factor;
  return factors ? cost * factors[polygon] : cost;
}

/* The same where the factors aren't at hand. */
static inline float wm_filter_unit_cost(const WmFilter *filter, const WmMeshTile *tile, uint32_t polygon) {
  return wm_filter_unit_cost_with(filter, tile, wm_filter_factors(filter, tile), polygon);
}

WM_PUBLIC_END

#endif
