/* Filters, and cost factors of single polygons by tile. See filter.h. */
#include "query/filter.h"

#include <math.h>

#include "base/buffer.h"

WmFilter wm_filter_default(void) {
  WmFilter filter = {.include_flags = 0xffff};
  for (int i = 0; i < 64; i++) filter.area_costs[i] = 1.0f;
  return filter;
}

/* The factors of a slot's polygons; ignored if `tile` isn't the tile in the slot. */
typedef struct CostTile {
  WmRef tile;
  WmBuffer factors; /* float */
} CostTile;

struct WmCosts {
  WmContext *context;
  const WmMesh *mesh;
  WmBuffer tiles; /* CostTile, by slot */
  float least;
};

WmStatus wm_costs_create(WmContext *context, const WmMesh *mesh, WmCosts **out) {
  WmCosts *costs = *out = wm_block_allocate(context, sizeof *costs);
  if (!costs) return WM_ERROR_OUT_OF_MEMORY;
  *costs = (WmCosts){.context = context, .mesh = mesh, .least = 1};
  return WM_OK;
}

void wm_costs_destroy(WmCosts *costs) {
  if (!costs) return;
  CostTile *tiles = costs->tiles.items;
  for (size_t i = 0; i < costs->tiles.capacity; i++) wm_block_free(costs->context, tiles[i].factors.items);
  wm_block_free(costs->context, tiles);
  wm_block_free(costs->context, costs);
}

/* Allocates the factors of a polygon's tile, all 1, if it has none. */
static WmStatus reserve(WmCosts *costs, WmRef polygon) {
  const WmMeshTile *tile = wm_mesh_tile_of(costs->mesh, polygon);
  WmStatus status =
      wm_buffer_reserve(costs->context, &costs->tiles, (size_t)tile->slot + 1, sizeof(CostTile));
  if (status) return status;
  CostTile *entry = (CostTile *)costs->tiles.items + tile->slot;
  if (entry->tile == tile->ref) return WM_OK;
  status = wm_buffer_reserve(costs->context, &entry->factors, tile->polygon_count, sizeof(float));
  if (status) return status;
  entry->tile = tile->ref;
  for (uint32_t i = 0; i < tile->polygon_count; i++) ((float *)entry->factors.items)[i] = 1;
  return WM_OK;
}

WmStatus wm_costs_set(WmCosts *costs, const WmRef *polygons, const float *factors, size_t count) {
  WmStatus status = WM_OK;
  for (size_t i = 0; i < count && !status; i++) {
    status = wm_mesh_check_ref(costs->context, costs->mesh, polygons[i], "polygons");
    if (!status && !(isfinite(factors[i]) && factors[i] >= 0)) {
      status = wm_fail_number(costs->context, WM_ERROR_INVALID_ARGUMENT, "factors", "a factor is ",
                              factors[i], ": must be finite, not negative");
    }
  }
  for (size_t i = 0; i < count && !status; i++) status = reserve(costs, polygons[i]);
  for (size_t i = 0; i < count && !status; i++) {
    const CostTile *entry = (const CostTile *)costs->tiles.items + wm_ref_slot(polygons[i]);
    ((float *)entry->factors.items)[wm_ref_polygon(polygons[i])] = factors[i];
    if (factors[i] < costs->least) costs->least = factors[i];
  }
  return status;
}

void wm_costs_clear(WmCosts *costs) {
  CostTile *tiles = costs->tiles.items;
  for (size_t i = 0; i < costs->tiles.capacity; i++) tiles[i].tile = 0;
  costs->least = 1;
}

const float *wm_costs_of(const WmCosts *costs, const WmMeshTile *tile) {
  if (tile->slot >= costs->tiles.capacity) return NULL;
  const CostTile *entry = (const CostTile *)costs->tiles.items + tile->slot;
  return entry->tile == tile->ref ? entry->factors.items : NULL;
}

float wm_costs_least(const WmCosts *costs) { return costs->least; }

const WmMesh *wm_costs_mesh(const WmCosts *costs) { return costs->mesh; }

void wm_costs_restore_least(WmCosts *costs, float least) { costs->least = least; }
