/* Links of tiles: which ones a new tile brings, and how all of a tile's links lie flat.
 *
 * Links that come and go (across tiles, and of off-mesh connections) are kept in the order they were made;
 * inner links follow from the polygons. Laid out, each polygon has its newest first and then the inner ones
 * by edge: the order that Detour's lists have, which decides between equal paths. For each link the ends of
 * the opening are computed once, so that searches and string pulling only read.
 *
 * Source of rules: M. Mononen, Detour (2009-). */
#include "mesh/locate.h"
#include "mesh/mesh_internal.h"

/* ---- Planning ----------------------------------------------------------------------------------------- */

WmDynamicLink *wm_plan_link(WmLinkPlan *plan, WmTileRecord *owner, uint32_t polygon, const WmTileRecord *to,
                            uint32_t target, uint32_t edge, uint32_t side) {
  if (!plan->status) plan->status = wm_tile_reserve_links(plan->context, owner);
  WmDynamicLink *link = &plan->unused;
  if (!plan->status) link = (WmDynamicLink *)owner->dynamic.items + owner->dynamic_count + owner->pending++;
  *link = (WmDynamicLink){.slot = to->tile.slot,
                          .polygon = polygon,
                          .target = target,
                          .edge = (uint8_t)edge,
                          .side = (uint8_t)side,
                          .high = 255};
  return link;
}

void wm_plan_connections(WmLinkPlan *plan, WmTileRecord *from, WmTileRecord *to, uint32_t end,
                         uint32_t side) {
  const WmMeshTile *tile = &from->tile;
  for (uint32_t i = 0; i < tile->connection_count; i++) {
    const WmTileConnection *connection = &tile->connections[i];
    if (end == 1 && (connection->side != side || !from->connection_started[i])) continue;
    const float *position = end ? connection->end : connection->start;
    const float reach = connection->radius;
    const float half_extents[3] = {reach, tile->agent_max_climb, reach};
    WmNearestSearch ground;
    wm_nearest_begin(&ground, position, half_extents);
    ground.any_flags = true;
    wm_tile_find_nearest(&to->tile, &ground);
    if (!ground.tile) continue;
    const float x = ground.point[0] - position[0], z = ground.point[2] - position[2];
    if (!(x * x + z * z <= reach * reach)) continue;
    const uint32_t polygon = tile->ground_count + i;
    const uint32_t back = side == WM_TILE_SIDE_INSIDE ? side : (side + 4) & 7;
    from->connection_started[i] = 1;
    WmDynamicLink *link = wm_plan_link(plan, from, polygon, to, ground.polygon, end, side);
    memcpy(link->point, ground.point, sizeof link->point);
    if (end == 1 && !(connection->flags & WM_TILE_OFF_MESH_BIDIRECTIONAL)) continue;
    link = wm_plan_link(plan, to, ground.polygon, from, polygon, 255, back);
    memcpy(link->point, ground.point, sizeof link->point);
  }
}

/* ---- Memory ------------------------------------------------------------------------------------------- */

/* A way's ends and the link: array behind array in one block. */
enum { LAID_BYTES = 6 * sizeof(float) + sizeof(WmLink) };

WmStatus wm_tile_reserve_links(WmContext *context, WmTileRecord *record) {
  const size_t dynamic = (size_t)record->dynamic_count + record->pending + 1;
  const WmStatus status = wm_buffer_reserve(context, &record->dynamic, dynamic, sizeof(WmDynamicLink));
  if (status) return status;
  return wm_buffer_reserve(context, &record->laid, dynamic + record->inner_link_count, LAID_BYTES);
}

/* ---- Laying out --------------------------------------------------------------------------------------- */

static void put_link(WmTileRecord *record, uint32_t at, const WmDynamicLink *link) {
  const WmMeshTile *tile = &record->tile;
  ((WmLink *)tile->links)[at] =
      (WmLink){link->slot, link->target, link->edge, link->side, link->low, link->high};
  float *portal = (float *)tile->link_portals + 6 * (size_t)at;
  const float *first = link->point, *second = first;
  if (link->polygon < tile->ground_count && link->edge != 255) {
    first = wm_tile_vertex(tile, link->polygon, link->edge);
    second = wm_tile_vertex(tile, link->polygon, link->edge + 1u);
  }
  if (link->low == 0 && link->high == 255) {
    memcpy(portal, first, 3 * sizeof(float));
    memcpy(portal + 3, second, 3 * sizeof(float));
  } else {
    const float unit = 1.0f / 255.0f;
    wm_interpolate(first, second, (float)link->low * unit, portal);
    wm_interpolate(first, second, (float)link->high * unit, portal + 3);
  }
}

/* Counts a link, or puts it to the others of its polygon. */
static void lay_link(WmTileRecord *record, const WmDynamicLink *link, bool counting) {
  uint32_t *first = (uint32_t *)record->tile.link_first + link->polygon;
  if (counting) {
    first[2]++;
  } else {
    put_link(record, first[1]++, link);
  }
}

/* Counts links per polygon two places ahead, and sums up; then polygon p's cursor is first[p + 1], which
 * stops where it belongs. */
void wm_tile_lay_links(WmTileRecord *record) {
  WmMeshTile *tile = &record->tile;
  const float *portals = record->laid.items;
  tile->link_portals = portals;
  tile->links = (const void *)(portals + 6 * record->laid.capacity);
  uint32_t *first = (uint32_t *)tile->link_first;
  const WmDynamicLink *dynamic = record->dynamic.items;
  memset(first, 0, (tile->polygon_count + 2) * sizeof *first);
  WmDynamicLink inner = {.slot = tile->slot, .side = WM_TILE_SIDE_INSIDE, .high = 255};
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = record->dynamic_count; i > 0; i--) lay_link(record, &dynamic[i - 1], pass == 0);
    for (uint32_t p = 0; p < tile->ground_count; p++) {
      inner.polygon = p;
      for (uint32_t k = 0; k < tile->polygon_size[p]; k++) {
        const uint16_t code = tile->polygon_neighbours[WM_TILE_VERTICES_PER_POLYGON * (size_t)p + k];
        if (code == 0 || (code & WM_TILE_PORTAL)) continue;
        inner.target = code - 1u;
        inner.edge = (uint8_t)k;
        lay_link(record, &inner, pass == 0);
      }
    }
    for (uint32_t p = 0; p < tile->polygon_count && pass == 0; p++) first[p + 2] += first[p + 1];
  }
}

bool wm_tile_drop_links(WmTileRecord *record, uint32_t slot) {
  WmDynamicLink *links = record->dynamic.items;
  const uint32_t count = record->dynamic_count;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (links[i].slot != slot) links[kept++] = links[i];
  }
  record->dynamic_count = kept;
  return kept != count;
}
