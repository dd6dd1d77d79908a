/* Moving a corridor over an off-mesh connection. */
#include "base/debug/assert.h"
#include "mesh/links/connections.h"
#include "query/corridor/corridor_internal.h"

/* The landing of a connection: the polygon that its end `end` is tied to, or 0. */
static WmRef find_landing(const WmMesh *mesh, WmRef connection, const float end[3]) {
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, connection);
  const uint32_t polygon = wm_ref_polygon(connection);
  for (uint32_t i = tile->link_first[polygon]; i < tile->link_first[polygon + 1]; i++) {
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c): bits */
    if (memcmp(tile->link_portals + 6 * (size_t)i, end, 3 * sizeof *end) != 0) continue;
    return wm_mesh_tile(mesh, tile->links[i].slot)->ref + tile->links[i].polygon;
  }
  return 0;
}

WmStatus wm_corridor_move_over_connection(WmPathCorridor *corridor, WmRef connection, float start[3],
                                          float end[3], bool *moved) {
  const WmMesh *mesh = corridor->query->mesh;
  WmRefList *list = &corridor->polygons;
  WmRef *items = wm_ref_list_items(list);
  *moved = false;
  memset(start, 0, 3 * sizeof *start);
  memset(end, 0, 3 * sizeof *end);
  const bool was_linked = WM_WAS_VALID(wm_corridor_validate_links(corridor));
  size_t k = 0;
  while (k < list->count && items[k] != connection) k++;
  if (k == list->count) return WM_OK;
  float entry[3], leave[3];
  const WmStatus status = wm_mesh_connection_ends(mesh, k ? items[k - 1] : 0, connection, entry, leave);
  if (status) return status;
  const bool is_last = k + 1 == list->count;
  const WmRef next = is_last ? find_landing(mesh, connection, leave) : items[k + 1];
  if (!wm_mesh_tile_of(mesh, next)) return WM_OK;
  /* The landing replaces a connection that is last. */
  if (is_last) items[k] = next;
  const size_t dropped = is_last ? k : k + 1;
  list->first += dropped;
  list->count -= dropped;
  wm_corridor_snap(corridor, next, leave, corridor->position);
  if (is_last) memcpy(corridor->target, corridor->position, sizeof corridor->target);
  memcpy(start, entry, sizeof entry);
  memcpy(end, corridor->position, sizeof leave);
  *moved = true;
  WM_VALIDATE(!was_linked || wm_corridor_validate_links(corridor));
  return WM_OK;
}
