/* Moving a corridor over an off-mesh connection or a segment link. */
#include "base/debug/assert.h"
#include "mesh/links/connections.h"
#include "mesh/links/link_crossing.h"
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

/* The landing of a segment link that is the last polygon: that of the exit whose interval is nearest to the corridor's
 * position; 0: there is none. */
static WmRef find_link_landing(const WmMesh *mesh, WmRef before, WmRef link, const float position[3]) {
  const WmMeshTile *set = wm_mesh_tile_of(mesh, link);
  const uint32_t number = wm_ref_polygon(link);
  WmRef best = 0;
  float least = INFINITY;
  for (uint32_t i = set->tie_first[number]; i < set->tie_first[number + 1]; i++) {
    const WmRef ground = wm_mesh_tile(mesh, set->ties[i].slot)->ref + set->ties[i].polygon;
    WmLinkCrossing crossing;
    if (!set->ties[i].is_exit || !wm_mesh_find_crossing(mesh, before, link, ground, &crossing)) continue;
    float entry[3];
    wm_link_crossing_point(&crossing, 0, wm_link_crossing_nearest(&crossing, 0, position), entry);
    const float squared = wm_squared_distance(position, entry);
    if (!(squared < least)) continue;
    least = squared;
    best = ground;
  }
  return best;
}

/* The points where the corridor's agent enters and leaves its polygon k, a connection or a segment link.
 * out        *next: the polygon behind it; 0: there is none */
static WmStatus find_ends(const WmPathCorridor *corridor, size_t k, float entry[3], float leave[3],
                          WmRef *next) {
  const WmMesh *mesh = corridor->query->mesh;
  const WmRefList *list = &corridor->polygons;
  const WmRef *items = wm_ref_list_items(list), before = k ? items[k - 1] : 0, connection = items[k];
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, connection);
  const bool is_last = k + 1 == list->count;
  *next = is_last ? 0 : items[k + 1];
  if (!tile || !tile->segments) {
    const WmStatus status = wm_mesh_connection_ends(mesh, before, connection, entry, leave);
    if (!status && is_last) *next = find_landing(mesh, connection, leave);
    return status;
  }
  if (is_last) *next = find_link_landing(mesh, before, connection, corridor->position);
  WmLinkCrossing crossing;
  if (!*next || !wm_mesh_find_crossing(mesh, before, connection, *next, &crossing)) {
    *next = 0;
    return WM_OK;
  }
  const float across = wm_link_crossing_nearest(&crossing, 0, corridor->position);
  wm_link_crossing_point(&crossing, 0, across, entry);
  wm_link_crossing_point(&crossing, 1, across, leave);
  return WM_OK;
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
  WmRef next;
  const WmStatus status = find_ends(corridor, k, entry, leave, &next);
  if (status) return status;
  const bool is_last = k + 1 == list->count;
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
