/* Links of tiles: which ones a new tile brings, and how all of a tile's links lie flat.
 *
 * Links that come and go (across tiles, and of off-mesh connections) are kept in the order they were made;
 * inner links follow from the polygons. Laid out, each polygon has its newest first and then the inner ones
 * by edge: the order that Detour's lists have, which decides between equal paths. For each link the ends of
 * the opening are computed once, so that searches and string pulling only read.
 *
 * Source of rules: M. Mononen, Detour (2009-). */
#include <float.h>

#include "mesh/locate.h"
#include "mesh/mesh_internal.h"

/* ---- Planning ----------------------------------------------------------------------------------------- */

static bool make_room(WmLinkPlan *plan, void **array, size_t count, size_t *capacity, size_t element_bytes) {
  if (count < *capacity) return true;
  const size_t larger = *capacity ? 2 * *capacity : 64;
  void *grown = wm_scratch_grow(plan->context, *array, *capacity, larger, element_bytes);
  if (!grown) {
    plan->status = WM_ERROR_OUT_OF_MEMORY;
    return false;
  }
  *array = grown;
  *capacity = larger;
  return true;
}

void wm_plan_link(WmLinkPlan *plan, WmTileRecord *owner, WmDynamicLink link) {
  if (plan->status) return;
  void *links = plan->links;
  if (!make_room(plan, &links, plan->link_count, &plan->link_capacity, sizeof *plan->links)) return;
  plan->links = links;
  plan->links[plan->link_count++] = (WmPlannedLink){owner, link};
  owner->pending++;
}

static void plan_end(WmLinkPlan *plan, WmTileRecord *owner, uint32_t connection, uint32_t end,
                     const float position[3]) {
  if (plan->status) return;
  void *ends = plan->ends;
  if (!make_room(plan, &ends, plan->end_count, &plan->end_capacity, sizeof *plan->ends)) return;
  plan->ends = ends;
  WmPlannedEnd *planned = &plan->ends[plan->end_count++];
  *planned = (WmPlannedEnd){.owner = owner, .connection = connection, .end = end};
  memcpy(planned->position, position, sizeof planned->position);
}

/* The ground near a connection's end.
 * in         from: the connection's tile, whose climb counts */
static bool find_ground(const WmMeshTile *from, const WmTileConnection *connection, const float end[3],
                        const WmMeshTile *to, WmNearestSearch *found) {
  const float half_extents[3] = {connection->radius, from->agent_max_climb, connection->radius};
  wm_nearest_begin(found, end, half_extents);
  wm_tile_find_nearest(to, found);
  if (!found->tile) return false;
  const float x = found->point[0] - end[0], z = found->point[2] - end[2];
  return x * x + z * z <= connection->radius * connection->radius;
}

static void plan_off_mesh_link(WmLinkPlan *plan, WmTileRecord *owner, uint32_t polygon, uint32_t slot,
                               uint32_t target, uint32_t edge, uint32_t side, const float point[3]) {
  WmDynamicLink link = {.slot = slot,
                        .polygon = (uint16_t)polygon,
                        .target = (uint16_t)target,
                        .edge = (uint8_t)edge,
                        .side = (uint8_t)side,
                        .high = 255};
  memcpy(link.point, point, sizeof link.point);
  wm_plan_link(plan, owner, link);
}

void wm_plan_starts(WmLinkPlan *plan, WmTileRecord *record) {
  const WmMeshTile *tile = &record->tile;
  for (uint32_t i = 0; i < tile->connection_count; i++) {
    WmNearestSearch ground;
    if (!find_ground(tile, &tile->connections[i], tile->connections[i].start, tile, &ground)) continue;
    const uint32_t polygon = tile->ground_count + i;
    record->connection_started[i] = 1;
    plan_end(plan, record, i, 0, ground.point);
    plan_off_mesh_link(plan, record, polygon, tile->slot, ground.polygon, 0, WM_TILE_SIDE_INSIDE,
                       ground.point);
    plan_off_mesh_link(plan, record, ground.polygon, tile->slot, polygon, 255, WM_TILE_SIDE_INSIDE,
                       ground.point);
  }
}

void wm_plan_landings(WmLinkPlan *plan, WmTileRecord *from, WmTileRecord *to, uint32_t side) {
  const WmMeshTile *tile = &from->tile;
  for (uint32_t i = 0; i < tile->connection_count; i++) {
    const WmTileConnection *connection = &tile->connections[i];
    if (connection->side != side || !from->connection_started[i]) continue;
    WmNearestSearch ground;
    if (!find_ground(tile, connection, connection->end, &to->tile, &ground)) continue;
    const uint32_t polygon = tile->ground_count + i;
    const uint32_t back = side == WM_TILE_SIDE_INSIDE ? side : (side + 4) & 7;
    plan_end(plan, from, i, 1, ground.point);
    plan_off_mesh_link(plan, from, polygon, to->tile.slot, ground.polygon, 1, side, ground.point);
    if (connection->flags & WM_TILE_OFF_MESH_BIDIRECTIONAL) {
      plan_off_mesh_link(plan, to, ground.polygon, tile->slot, polygon, 255, back, ground.point);
    }
  }
}

/* ---- Memory ------------------------------------------------------------------------------------------- */

WmStatus wm_tile_reserve_dynamic(WmContext *context, WmTileRecord *record, uint32_t extra) {
  const uint64_t needed = (uint64_t)record->dynamic_count + extra;
  if (needed <= record->dynamic_capacity) return WM_OK;
  const uint64_t capacity = needed + needed / 2;
  if (capacity > UINT32_MAX / 2) return wm_fail_memory(context, SIZE_MAX);
  WmLayout layout = {0};
  wm_layout_add(&layout, (size_t)capacity, sizeof(WmDynamicLink));
  WmDynamicLink *larger = wm_layout_allocate(context, &layout);
  if (!larger) return WM_ERROR_OUT_OF_MEMORY;
  if (record->dynamic_count) memcpy(larger, record->dynamic, record->dynamic_count * sizeof *larger);
  wm_block_free(context, record->dynamic);
  record->dynamic = larger;
  record->dynamic_capacity = (uint32_t)capacity;
  return WM_OK;
}

WmStatus wm_tile_reserve_laid(WmContext *context, WmTileRecord *record, uint32_t extra) {
  const uint64_t needed = (uint64_t)record->inner_link_count + record->dynamic_count + extra;
  if (record->link_block && needed <= record->link_capacity) return WM_OK;
  const uint64_t capacity = needed + (needed - record->inner_link_count) / 2;
  if (capacity > UINT32_MAX / 2) return wm_fail_memory(context, SIZE_MAX);
  WmLayout layout = {0};
  const size_t links = wm_layout_add(&layout, (size_t)capacity, sizeof(WmLink));
  const size_t portals = wm_layout_add(&layout, (size_t)capacity, 6 * sizeof(float));
  const size_t ranges = wm_layout_add(&layout, (size_t)capacity, 2);
  uint8_t *block = wm_layout_allocate(context, &layout);
  if (!block) return WM_ERROR_OUT_OF_MEMORY;
  const uint32_t count = record->link_block ? record->link_first[record->tile.polygon_count] : 0;
  if (count) { /* until links are laid out anew, the old ones must stand */
    memcpy(block + links, record->links, count * sizeof(WmLink));
    memcpy(block + portals, record->link_portals, count * 6 * sizeof(float));
    memcpy(block + ranges, record->link_ranges, count * (size_t)2);
  }
  wm_block_free(context, record->link_block);
  record->link_block = block;
  record->link_capacity = (uint32_t)capacity;
  record->tile.links = record->links = (WmLink *)(void *)(block + links);
  record->tile.link_portals = record->link_portals = (float *)(void *)(block + portals);
  record->tile.link_ranges = record->link_ranges = block + ranges;
  return WM_OK;
}

/* ---- Laying out --------------------------------------------------------------------------------------- */

static void put_link(WmTileRecord *record, uint32_t at, const WmDynamicLink *link) {
  const WmMeshTile *tile = &record->tile;
  record->links[at] = (WmLink){link->slot, link->target, link->edge, link->side};
  record->link_ranges[2 * (size_t)at] = link->low;
  record->link_ranges[2 * (size_t)at + 1] = link->high;
  float *portal = record->link_portals + 6 * (size_t)at;
  if (link->polygon >= tile->ground_count || link->edge == 255) {
    memcpy(portal, link->point, 3 * sizeof(float));
    memcpy(portal + 3, link->point, 3 * sizeof(float));
    return;
  }
  const uint32_t next = link->edge + 1u < tile->polygon_size[link->polygon] ? link->edge + 1u : 0;
  const float *first = wm_tile_vertex(tile, link->polygon, link->edge);
  const float *second = wm_tile_vertex(tile, link->polygon, next);
  if (link->low == 0 && link->high == 255) {
    memcpy(portal, first, 3 * sizeof(float));
    memcpy(portal + 3, second, 3 * sizeof(float));
  } else {
    const float unit = 1.0f / 255.0f;
    wm_interpolate(first, second, (float)link->low * unit, portal);
    wm_interpolate(first, second, (float)link->high * unit, portal + 3);
  }
}

/* Counts links per polygon, then uses each polygon's first place as its cursor, and shifts all by one. */
void wm_tile_lay_links(WmTileRecord *record) {
  const WmMeshTile *tile = &record->tile;
  uint32_t *first = record->link_first;
  const size_t polygons = tile->polygon_count;
  memset(first, 0, (polygons + 1) * sizeof *first);
  for (uint32_t i = 0; i < record->dynamic_count; i++) first[record->dynamic[i].polygon]++;
  uint32_t total = 0;
  for (size_t p = 0; p < polygons; p++) {
    uint32_t count = first[p];
    const uint16_t *codes = tile->polygon_neighbours + WM_TILE_VERTICES_PER_POLYGON * p;
    for (uint32_t k = 0; k < tile->polygon_size[p] && p < tile->ground_count; k++) {
      count += codes[k] != 0 && !(codes[k] & WM_TILE_PORTAL);
    }
    first[p] = total;
    total += count;
  }
  for (uint32_t i = record->dynamic_count; i > 0; i--) {
    const WmDynamicLink *link = &record->dynamic[i - 1];
    put_link(record, first[link->polygon]++, link);
  }
  for (size_t p = 0; p < tile->ground_count; p++) {
    const uint16_t *codes = tile->polygon_neighbours + WM_TILE_VERTICES_PER_POLYGON * p;
    for (uint32_t k = 0; k < tile->polygon_size[p]; k++) {
      if (codes[k] == 0 || (codes[k] & WM_TILE_PORTAL)) continue;
      const WmDynamicLink link = {.slot = tile->slot,
                                  .polygon = (uint16_t)p,
                                  .target = (uint16_t)(codes[k] - 1),
                                  .edge = (uint8_t)k,
                                  .side = WM_TILE_SIDE_INSIDE,
                                  .high = 255};
      put_link(record, first[p]++, &link);
    }
  }
  for (size_t p = polygons; p > 0; p--) first[p] = first[p - 1];
  first[0] = 0;
}

void wm_tile_drop_links(WmTileRecord *record, uint32_t slot) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < record->dynamic_count; i++) {
    if (record->dynamic[i].slot != slot) record->dynamic[kept++] = record->dynamic[i];
  }
  record->dynamic_count = kept;
}
