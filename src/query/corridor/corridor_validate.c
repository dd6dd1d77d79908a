/* Invariants of an agent's corridor, for tests and debug builds. */
#include "query/corridor/corridor_internal.h"

bool wm_corridor_validate(const WmPathCorridor *corridor) {
  const WmMesh *mesh = corridor->query->mesh;
  const WmRefList *list = &corridor->polygons;
  if (list->count == 0) return true;
  if (list->first + list->count > list->storage.capacity) return false;
  const WmRef *items = wm_ref_list_items(list);
  return wm_query_count_linked(mesh, items, list->count) == list->count &&
         wm_query_is_on_polygon(mesh, items[0], corridor->position, true) &&
         wm_query_is_on_polygon(mesh, items[list->count - 1], corridor->target, true);
}
