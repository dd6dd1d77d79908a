/* Links of tiles: plans of new ones, and the flat arrays of all links of a tile.
 *
 * Outer links (across tiles, and of off-mesh connections) are stored in the order they were made; inner links
 * follow from the polygons. In the flat arrays each polygon has its outer links first, the newest first, then
 * its inner ones by edge: the order of Detour's lists, which decides between equal paths. The portal of each
 * link is computed once, so that searches and string pulling only read.
 *
 * Source of the rules: M. Mononen, Detour (2009-). */
#include "base/debug/assert.h"
#include "mesh/links/segment_sets.h"
#include "mesh/mesh_internal.h"

/* ---- Planning ----------------------------------------------------------------------------------------- */

void wm_plan_touch(WmLinkPlan *plan, WmTileRecord *record) {
  if (record->is_touched) return;
  record->is_touched = true;
  record->next_touched = plan->touched;
  plan->touched = record;
}

void wm_plan_untie(WmLinkPlan *plan, WmTileRecord *record, const WmTileRecord *leaving) {
  const WmOuterLink *links = record->dynamic.items;
  for (uint32_t i = 0; i < record->dynamic_count && !record->is_touched; i++) {
    if (links[i].slot == leaving->tile.slot) wm_plan_touch(plan, record);
  }
}

WmOuterLink *wm_plan_link(WmLinkPlan *plan, WmTileRecord *owner, uint32_t polygon, const WmTileRecord *to,
                          uint32_t target, uint32_t edge, uint32_t side) {
  wm_plan_touch(plan, owner);
  const size_t count = plan->mesh->link_count + ++plan->planned;
  if (!plan->status && plan->link_limit && count > plan->link_limit) {
    plan->status = wm_fail_range(plan->mesh->context, WM_ERROR_LIMIT, "links", (double)count, 0,
                                 (double)plan->link_limit,
                                 "too many edges of tiles, or polygons under links, lie on each other");
  }
  if (!plan->status) plan->status = wm_tile_reserve_links(plan->mesh->context, owner);
  WmOuterLink *link = &plan->unused;
  if (!plan->status) link = (WmOuterLink *)owner->dynamic.items + owner->dynamic_count + owner->pending++;
  *link = (WmOuterLink){.slot = to->tile.slot,
                        .polygon = polygon,
                        .target = target,
                        .edge = (uint8_t)edge,
                        .side = (uint8_t)side,
                        .high = 255};
  return link;
}

bool wm_tile_find_ground(const WmMeshTile *tile, const float end[3], float radius, float climb,
                         WmNearestSearch *ground) {
  const float half_extents[3] = {radius, climb, radius};
  wm_nearest_begin(ground, end, half_extents);
  ground->any_flags = true;
  wm_tile_find_nearest(tile, ground);
  const float x = ground->point[0] - end[0], z = ground->point[2] - end[2];
  return ground->tile && x * x + z * z <= radius * radius;
}

void wm_plan_landing(WmLinkPlan *plan, WmTileRecord *from, uint32_t connection, uint32_t end,
                     WmTileRecord *to, uint32_t target, const float point[3], uint32_t side) {
  const uint32_t polygon = from->tile.ground_count + connection;
  const uint32_t back = side == WM_TILE_SIDE_INSIDE ? side : (side + 4) & 7;
  const bool both_ways = from->tile.connections[connection].flags & WM_TILE_OFF_MESH_BIDIRECTIONAL;
  WmOuterLink *link = wm_plan_link(plan, from, polygon, to, target, end, side);
  memcpy(link->point, point, sizeof link->point);
  if (end == 1 && !both_ways) return;
  link = wm_plan_link(plan, to, target, from, polygon, 255, back);
  memcpy(link->point, point, sizeof link->point);
}

void wm_plan_connection(WmLinkPlan *plan, WmTileRecord *from, uint32_t connection, uint32_t end,
                        WmTileRecord *to) {
  const WmTileConnection *ends = &from->tile.connections[connection];
  uint8_t *started = &from->connection_started[connection];
  WmNearestSearch ground;
  if (end == 1 && !*started) return;
  if (!wm_tile_find_ground(&to->tile, end ? ends->end : ends->start, ends->radius, from->tile.agent_max_climb,
                           &ground)) {
    return;
  }
  *started = 1;
  wm_plan_landing(plan, from, connection, end, to, ground.polygon, ground.point,
                  end ? ends->side : WM_TILE_SIDE_INSIDE);
}

/* ---- Applying ----------------------------------------------------------------------------------------- */

/* True if a link of a record stays: neither of its tiles is leaving. */
static bool stays(const WmMesh *mesh, const WmTileRecord *record, const WmOuterLink *link) {
  return !record->is_leaving && !wm_mesh_slots(mesh)[link->slot].record->is_leaving;
}

/* Gives the landing of a connection from another tile the four search states that polygons on the side of a
 * tile have (wm_tile_fill_states), for as long as the landing's tile is in the mesh. */
static void enter_across_side(WmTileRecord *record, uint32_t polygon) {
  uint32_t *first = record->arrays.state_first;
  if (first[polygon + 1] - first[polygon] > 1) return;
  record->has_landings = true;
  for (uint32_t p = polygon; p < record->tile.polygon_count; p++) first[p + 1] += 3;
}

/* Drops the links of leaving records and adds the planned ones, or discards these if the plan has failed;
 * then computes the flat links. Can't fail. */
static void apply_links(WmLinkPlan *plan, WmTileRecord *record) {
  WmMesh *mesh = plan->mesh;
  const bool make = !plan->status;
  WmOuterLink *links = record->dynamic.items;
  const uint32_t count = record->dynamic_count + (make ? record->pending : 0);
  uint32_t retained = 0;
  for (uint32_t i = 0; i < count; i++) {
    const bool made = i < record->dynamic_count;
    if (made && make && !stays(mesh, record, &links[i])) continue;
    if (!made && links[i].polygon >= record->tile.ground_count && links[i].side != WM_TILE_SIDE_INSIDE) {
      enter_across_side(wm_mesh_slots(mesh)[links[i].slot].record, links[i].target);
    }
    links[retained++] = links[i];
  }
  mesh->link_count += (size_t)retained - record->dynamic_count;
  record->dynamic_count = retained;
  record->pending = 0;
  if (make && plan->lay) {
    plan->lay(plan, record);
  } else if (!mesh->loading) {
    wm_tile_lay_links(mesh, record);
  }
}

/* True if the links of all records of an applied or discarded plan are valid. */
static bool are_links_valid(const WmLinkPlan *plan) {
  for (const WmTileRecord *record = plan->touched; record; record = record->next_touched) {
    const bool is_inserted = wm_mesh_slots(plan->mesh)[record->tile.slot].record == record;
    if (is_inserted && !wm_tile_links_validate(plan->mesh, record)) return false;
  }
  return true;
}

/* A new record that could not be inserted is not in its slot, and its owner frees it. */
WmStatus wm_plan_finish(WmLinkPlan *plan) {
  WmMesh *mesh = plan->mesh;
  for (WmTileRecord *record = plan->touched; record; record = record->next_touched) {
    if (wm_mesh_slots(mesh)[record->tile.slot].record != record) continue;
    apply_links(plan, record);
    wm_mesh_note_change(mesh, record->tile.slot);
  }
  for (WmTileRecord *record = plan->touched; record; record = record->next_touched) {
    record->is_touched = record->is_leaving = false;
    if (record->tile.ground_count > 0 || plan->status) continue;
    if (record->tile.segments) {
      wm_link_set_apply_ties(mesh, (WmLinkSet *)record);
      continue;
    }
    WmConnectionRecord *connection = (WmConnectionRecord *)record;
    memcpy(connection->ties, connection->planned, sizeof connection->ties);
  }
  WM_VALIDATE(mesh->loading || are_links_valid(plan));
  return plan->status;
}

/* ---- Memory ------------------------------------------------------------------------------------------- */

/* A portal, a WmLink and its link back: three arrays in one block. */
enum { LAID_BYTES = 6 * sizeof(float) + sizeof(WmLink) + sizeof(uint8_t) };

WmStatus wm_tile_reserve_links(WmContext *context, WmTileRecord *record) {
  const size_t dynamic = (size_t)record->dynamic_count + record->pending + 1;
  const WmStatus status = wm_buffer_reserve(context, &record->dynamic, dynamic, sizeof(WmOuterLink));
  if (status) return status;
  return wm_buffer_reserve(context, &record->laid, dynamic + record->inner_link_count, LAID_BYTES);
}

/* ---- Laying out --------------------------------------------------------------------------------------- */

/* The segment link that a link enters or leaves; NULL: none. */
static const WmSegmentLink *segment_link_of(const WmMesh *mesh, const WmTileRecord *record,
                                            const WmOuterLink *link) {
  if (record->tile.segments) return &record->tile.segments[link->polygon];
  if (link->edge != 255 || link->polygon >= record->tile.ground_count) return NULL;
  const WmMeshTile *to = &wm_mesh_slots(mesh)[link->slot].record->tile;
  return to->segments ? &to->segments[link->target] : NULL;
}

/* The portal of a link onto or off a segment link. Agents that cross from the near segment to the far one have `across` 0 on
 * their left, others 1. */
static void find_tie_portal(const WmSegmentLink *segments, const WmOuterLink *link, bool is_entry,
                            float portal[6]) {
  const bool is_far = link->point[2] != 0;
  const float(*at)[3] = is_far ? segments->end : segments->start;
  const bool is_back = is_far == is_entry;
  wm_interpolate(at[0], at[1], link->point[is_back], portal);
  wm_interpolate(at[0], at[1], link->point[!is_back], portal + 3);
}

static void put_link(const WmMesh *mesh, WmTileRecord *record, uint32_t at, const WmOuterLink *link) {
  const WmMeshTile *tile = &record->tile;
  float *portal = record->arrays.link_portals + 6 * (size_t)at;
  const float *first = link->point, *second = first;
  const WmSegmentLink *segments = segment_link_of(mesh, record, link);
  if (link->polygon < tile->ground_count && link->edge != 255) {
    first = wm_tile_vertex(tile, link->polygon, link->edge);
    second = wm_tile_vertex(tile, link->polygon, link->edge + 1u);
  }
  if (segments) {
    find_tie_portal(segments, link, !tile->segments, portal);
  } else if (link->low == 0 && link->high == 255) {
    memcpy(portal, first, 3 * sizeof(float));
    memcpy(portal + 3, second, 3 * sizeof(float));
  } else {
    const float unit = 1.0f / 255.0f;
    wm_interpolate(first, second, (float)link->low * unit, portal);
    wm_interpolate(first, second, (float)link->high * unit, portal + 3);
  }
  record->arrays.links[at] = (WmLink){
      link->slot,
      link->target,
      link->edge,
      link->side,
      link->low,
      link->high,
      {(portal[0] + portal[3]) * 0.5f, (portal[1] + portal[4]) * 0.5f, (portal[2] + portal[5]) * 0.5f}};
}

/* Counts a link, or writes it behind the others of its polygon. */
static void lay_link(const WmMesh *mesh, WmTileRecord *record, const WmOuterLink *link, bool counting) {
  uint32_t *first = record->arrays.link_first + link->polygon;
  if (counting) {
    first[2]++;
  } else {
    put_link(mesh, record, first[1]++, link);
  }
}

/* Resets the ends of connections to the given ones, then moves linked ends to the point of their newest
 * link. */
static void move_ends(WmTileRecord *record) {
  const WmMeshTile *tile = &record->tile;
  const WmOuterLink *links = record->dynamic.items;
  float *ends = record->arrays.connection_ends;
  for (size_t i = 0; i < tile->connection_count; i++) {
    memcpy(ends + 6 * i, tile->connections[i].start, 3 * sizeof *ends);
    memcpy(ends + 6 * i + 3, tile->connections[i].end, 3 * sizeof *ends);
  }
  for (uint32_t i = 0; i < record->dynamic_count; i++) {
    if (links[i].polygon < tile->ground_count) continue;
    const size_t end = 2 * (size_t)(links[i].polygon - tile->ground_count) + links[i].edge;
    memcpy(ends + 3 * end, links[i].point, sizeof links[i].point);
  }
}

/* The only link of a polygon that leads to another one of its tile, counted from its first; WM_NO_BACK: there is none,
 * or several, or the polygon has so many links (to off-mesh connections) that this would take long. */
static uint32_t find_only_link(const WmMeshTile *tile, uint32_t polygon, uint32_t target) {
  const uint32_t first = tile->link_first[polygon], count = tile->link_first[polygon + 1] - first;
  uint32_t found = WM_NO_BACK;
  for (uint32_t i = 0; i < count && count < WM_NO_BACK; i++) {
    if (tile->links[first + i].polygon != target || tile->links[first + i].slot != tile->slot) continue;
    if (found != WM_NO_BACK) return WM_NO_BACK;
    found = i;
  }
  return found;
}

/* Computes the links back, of both directions at once. */
static void fill_backs(WmTileRecord *record) {
  const WmMeshTile *tile = &record->tile;
  const uint32_t *first = tile->link_first;
  uint8_t *backs = record->arrays.link_backs;
  memset(backs, WM_NO_BACK, first[tile->polygon_count]);
  for (uint32_t p = 0; p < tile->polygon_count; p++) {
    for (uint32_t i = first[p]; i < first[p + 1]; i++) {
      const uint32_t target = tile->links[i].polygon;
      if (target <= p || tile->links[i].slot != tile->slot) continue;
      const uint32_t there = find_only_link(tile, p, target), back = find_only_link(tile, target, p);
      if (there == WM_NO_BACK || back == WM_NO_BACK) continue;
      backs[i] = (uint8_t)back;
      backs[first[target] + back] = (uint8_t)there;
    }
  }
}

/* Two passes. The first counts the links of polygon p in first[p + 2], and sums up. In the second, first[p +
 * 1] is the cursor of polygon p, which stops at the first link of polygon p + 1. */
void wm_tile_lay_links(const WmMesh *mesh, WmTileRecord *record) {
  WmMeshTile *tile = &record->tile;
  float *portals = record->laid.items;
  tile->link_portals = record->arrays.link_portals = portals;
  tile->links = record->arrays.links = (void *)(portals + 6 * record->laid.capacity);
  tile->link_backs = record->arrays.link_backs = (void *)(record->arrays.links + record->laid.capacity);
  uint32_t *first = record->arrays.link_first;
  const WmOuterLink *dynamic = record->dynamic.items;
  if (!tile->segments) move_ends(record);
  memset(first, 0, (tile->polygon_count + 2) * sizeof *first);
  WmOuterLink inner = {.slot = tile->slot, .side = WM_TILE_SIDE_INSIDE, .high = 255};
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = record->dynamic_count; i > 0; i--) lay_link(mesh, record, &dynamic[i - 1], pass == 0);
    for (uint32_t p = 0; p < tile->ground_count; p++) {
      inner.polygon = p;
      for (uint32_t k = 0; k < tile->polygon_size[p]; k++) {
        const uint16_t code = tile->polygon_neighbours[WM_TILE_VERTICES_PER_POLYGON * (size_t)p + k];
        if (code == 0 || (code & WM_TILE_PORTAL)) continue;
        inner.target = code - 1u;
        inner.edge = (uint8_t)k;
        lay_link(mesh, record, &inner, pass == 0);
      }
    }
    for (uint32_t p = 0; p < tile->polygon_count && pass == 0; p++) first[p + 2] += first[p + 1];
  }
  fill_backs(record);
}
