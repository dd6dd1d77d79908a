/* Exports of costs of single polygons. Filters themselves are memory that JavaScript fills
 * (js/mesh/filter.js). */
#include "session.h"

/* Answer: the handle. */
EXPORT(costs_create) WmStatus export_costs_create(Mesh *mesh) {
  return wm_costs_create(mesh->session->context, mesh->mesh, ANSWER(WmCosts *, mesh->session));
}

EXPORT(costs_destroy) void export_costs_destroy(WmCosts *costs) { wm_costs_destroy(costs); }

EXPORT(costs_set)
WmStatus export_costs_set(WmCosts *costs, const WmRef *polygons, const float *factors, size_t count) {
  return wm_costs_set(costs, polygons, factors, count);
}

EXPORT(costs_clear) void export_costs_clear(WmCosts *costs) { wm_costs_clear(costs); }

/* The polygons of a mesh whose factor isn't 1, by tiles. Writes at most `capacity` of them. Answer: their number. */
EXPORT(costs_list)
void export_costs_list(Mesh *mesh, const WmCosts *costs, size_t capacity, WmRef *polygons, float *factors) {
  uint32_t count = 0;
  for (size_t slot = 0; slot < wm_mesh_slot_count(mesh->mesh); slot++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh->mesh, slot);
    const float *of_tile = tile ? wm_costs_of(costs, tile) : NULL;
    for (uint32_t i = 0; of_tile && i < tile->polygon_count; i++) {
      if (of_tile[i] == 1) continue;
      if (count < capacity) {
        polygons[count] = tile->ref + i;
        factors[count] = of_tile[i];
      }
      count++;
    }
  }
  *ANSWER(uint32_t, mesh->session) = count;
}
