/* Invariants of an agent's corridor, for tests and debug builds. */
#include "query/corridor/corridor_internal.h"

bool wm_corridor_validate_links(const WmPathCorridor *corridor) {
  const WmRefList *list = &corridor->polygons;
  if (list->count == 0) return true;
  return list->first + list->count <= list->storage.capacity &&
         wm_query_count_linked(corridor->query->mesh, wm_ref_list_items(list), list->count) == list->count;
}

bool wm_corridor_leads_back(const WmPathCorridor *corridor, const WmRef *visited, size_t count) {
  for (size_t i = 1; i < count; i++) {
    const WmRef back[2] = {visited[i], visited[i - 1]};
    if (wm_query_count_linked(corridor->query->mesh, back, 2) < 2) return false;
  }
  return true;
}

bool wm_corridor_validate(const WmPathCorridor *corridor) {
  const WmMesh *mesh = corridor->query->mesh;
  const size_t count = corridor->polygons.count;
  const WmRef *items = wm_corridor_polygons(corridor);
  if (!wm_corridor_validate_links(corridor)) return false;
  return count == 0 || (wm_query_is_on_polygon(mesh, items[0], corridor->position, true) &&
                        wm_query_is_on_polygon(mesh, items[count - 1], corridor->target, true));
}
