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
