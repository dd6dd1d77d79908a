/* Off-mesh connections made at run time, and the polygons that their ends are tied to. See connections.h.
 *
 * An end is tied to the best polygon of all tiles at the places around it: the nearest, then by the tile's
 * place. When a tile is added, only its best polygon is compared with the present tie; when the tied tile is
 * removed, all tiles around are searched again. Both results equal that of a full search. A connection whose
 * ties change loses all its links, four at most, and gets new ones. */
#include "mesh/links/connections.h"

#include <math.h>

#include "mesh/links/link_crossing.h"
#include "mesh/links/segment_sets.h"
#include "mesh/mesh_internal.h"

/* ---- Ties --------------------------------------------------------------------------------------------- */

static bool is_before(const WmMeshTile *a, const WmMeshTile *b) {
  if (a->z != b->z) return a->z < b->z;
  return a->x != b->x ? a->x < b->x : a->layer < b->layer;
}

static const float *position_of(const WmConnectionRecord *connection, uint32_t end) {
  return end ? connection->connection.end : connection->connection.start;
}

static WmConnectionReach *reach_of(const WmMesh *mesh, const WmConnectionRecord *connection) {
  return (WmConnectionReach *)mesh->connection_reaches.items + connection->number;
}

/* True if a place is one of those around an end. */
static bool is_around(const WmConnectionReach *reach, uint32_t end, int32_t x, int32_t z) {
  const int32_t *first = reach->first[end], *last = reach->last[end];
  return x >= first[0] && x <= last[0] && z >= first[1] && z <= last[1];
}

/* A lower bound of the squared distance on x and z from an end to a tile's bounds. */
static float distance_to_bounds(const float position[3], const WmMeshTile *tile) {
  float squared = 0;
  for (int axis = 0; axis < 3; axis += 2) {
    const float below = tile->bounds_min[axis] - position[axis],
                above = position[axis] - tile->bounds_max[axis];
    const float away = fmaxf(fmaxf(below, above), 0);
    squared += away * away;
  }
  return squared * 0.99f;
}

/* Replaces a tie by the nearest polygon of a tile if that is better. */
static void improve(const WmMesh *mesh, const WmConnectionRecord *connection, uint32_t end,
                    WmTileRecord *record, WmTie *tie) {
  const WmMeshTile *tile = &record->tile;
  WmNearestSearch ground;
  if (tie->record && distance_to_bounds(position_of(connection, end), tile) > tie->score) return;
  if (!is_around(reach_of(mesh, connection), end, tile->x, tile->z) ||
      !wm_tile_find_ground(tile, position_of(connection, end), connection->connection.radius,
                           connection->record.tile.agent_max_climb, &ground)) {
    return;
  }
  if (tie->record) {
    if (ground.score > tie->score) return;
    if (ground.score == tie->score && !is_before(tile, &tie->record->tile)) return;
  }
  *tie = (WmTie){.record = record, .polygon = ground.polygon, .score = ground.score};
  memcpy(tie->point, ground.point, sizeof tie->point);
}

/* Finds the tie of an end among all tiles around it that are not leaving. */
static WmTie find_tie(const WmMesh *mesh, const WmConnectionRecord *connection, uint32_t end) {
  const float *position = position_of(connection, end), radius = connection->connection.radius;
  const float low[3] = {position[0] - radius, 0, position[2] - radius};
  const float high[3] = {position[0] + radius, 0, position[2] + radius};
  WmBoxTiles tiles;
  wm_box_tiles_begin(&tiles, mesh, low, high);
  WmConnectionReach *reach = reach_of(mesh, connection);
  memcpy(reach->first[end], tiles.first, sizeof tiles.first);
  memcpy(reach->last[end], tiles.last, sizeof tiles.last);
  WmTie tie = {0};
  for (const WmMeshTile *tile; (tile = wm_box_tiles_next(&tiles)) != NULL;) {
    WmTileRecord *record = wm_mesh_slots(mesh)[tile->slot].record;
    if (!record->is_leaving) improve(mesh, connection, end, record, &tie);
  }
  return tie;
}

/* Plans the ties of both ends. Returns true if one of them changes. */
static bool plan_tie(const WmMesh *mesh, WmConnectionRecord *connection, WmTileRecord *coming) {
  bool changed = false;
  for (uint32_t end = 0; end < 2; end++) {
    const WmTileRecord *former = connection->ties[end].record;
    WmTie *tie = &connection->planned[end];
    *tie = former && former->is_leaving ? find_tie(mesh, connection, end) : connection->ties[end];
    if (coming) improve(mesh, connection, end, coming, tie);
    changed |= tie->record != former;
  }
  return changed;
}

/* Plans the links of both ends. */
static void plan_links(WmLinkPlan *plan, WmConnectionRecord *connection) {
  for (uint32_t end = 0; end < 2; end++) {
    const WmTie *tie = &connection->planned[end];
    if (!tie->record) continue;
    wm_plan_landing(plan, &connection->record, 0, end, tie->record, tie->polygon, tie->point,
                    WM_TILE_SIDE_INSIDE);
  }
}

/* Plans to drop all links of a connection. */
static void plan_untying(WmLinkPlan *plan, WmConnectionRecord *connection) {
  connection->record.is_leaving = true;
  for (int end = 0; end < 2; end++) {
    WmTileRecord *ground = connection->ties[end].record;
    if (ground && !ground->is_leaving) wm_plan_touch(plan, ground);
  }
}

bool wm_mesh_has_ends_around(const WmMesh *mesh, int32_t x, int32_t z) {
  const WmConnectionReach *reach = mesh->connection_reaches.items;
  for (size_t i = 0; i < mesh->connection_count; i++, reach++) {
    if (is_around(reach, 0, x, z) || is_around(reach, 1, x, z)) return true;
  }
  for (size_t i = 0; i < mesh->link_set_count; i++) {
    if (wm_link_set_is_around(wm_mesh_link_sets(mesh)[i], x, z)) return true;
  }
  return false;
}

/* Connections with no end around the place keep their ties. */
void wm_plan_ties(WmLinkPlan *plan, int32_t x, int32_t z, WmTileRecord *coming) {
  const WmConnectionReach *reach = plan->mesh->connection_reaches.items;
  for (size_t i = 0; i < plan->mesh->connection_count && !plan->status; i++, reach++) {
    if (!is_around(reach, 0, x, z) && !is_around(reach, 1, x, z)) continue;
    if (!plan_tie(plan->mesh, reach->connection, coming)) continue;
    wm_plan_touch(plan, &reach->connection->record);
    plan_untying(plan, reach->connection);
    plan_links(plan, reach->connection);
  }
  for (size_t i = 0; i < plan->mesh->link_set_count && !plan->status; i++) {
    WmLinkSet *set = wm_mesh_link_sets(plan->mesh)[i];
    if (wm_link_set_is_around(set, x, z)) wm_plan_link_set(plan, set, (const int32_t[2]){x, z}, coming);
  }
}

/* ---- Making and removing ------------------------------------------------------------------------------ */

WmConnection wm_connection_default(const WmMesh *mesh) {
  return (WmConnection){.radius = mesh->parameters.agent_radius,
                        .climb = mesh->parameters.agent_max_climb,
                        .bidirectional = true,
                        .enabled = true,
                        .flags = 1,
                        .cost_factor = 1};
}

/* Checks the numbers of one field: finite, and not below `minimum`. */
static WmStatus check_numbers(WmContext *context, const float *numbers, int count, float minimum,
                              const char *field) {
  for (int i = 0; i < count; i++) {
    if (isfinite(numbers[i]) && numbers[i] >= minimum) continue;
    return wm_fail_number(context, WM_ERROR_INVALID_ARGUMENT, field, "a number is ", numbers[i],
                          minimum < 0 ? ": must be finite" : ": must be finite, not negative");
  }
  return WM_OK;
}

static WmStatus check_settings(WmContext *context, const WmConnection *settings) {
  WmStatus status = check_numbers(context, settings->start, 3, -INFINITY, "start");
  if (!status) status = check_numbers(context, settings->end, 3, -INFINITY, "end");
  if (!status) status = check_numbers(context, &settings->radius, 1, 0, "radius");
  if (!status) status = check_numbers(context, &settings->climb, 1, 0, "climb");
  if (!status) status = check_numbers(context, &settings->cost_factor, 1, 0, "costFactor");
  if (status || settings->area <= 63) return status;
  return wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, "area", settings->area, 0, 63, NULL);
}

/* The arrays of a tile of one off-mesh polygon. */
static void set_view(WmConnectionRecord *connection) {
  static const uint16_t VERTICES[WM_TILE_VERTICES_PER_POLYGON] = {0, 1};
  static const uint16_t NEIGHBOURS[WM_TILE_VERTICES_PER_POLYGON] = {0};
  static const uint8_t SIZE = 2;
  WmTileArrays *arrays = &connection->record.arrays;
  WmMeshTile *tile = &connection->record.tile;
  tile->polygon_vertices = VERTICES;
  tile->polygon_neighbours = NEIGHBOURS;
  tile->polygon_size = &SIZE;
  tile->connections = &connection->connection;
  tile->vertices = connection->vertices[0];
  tile->polygon_area = arrays->polygon_area = &connection->area;
  tile->polygon_flags = arrays->polygon_flags = &connection->flags;
  tile->connection_ends = arrays->connection_ends = connection->ends;
  tile->link_first = arrays->link_first = connection->link_first;
  tile->state_first = arrays->state_first = connection->state_first;
  tile->area_before = arrays->area_before = &connection->area_before;
}

/* Makes the record of a connection.
 * in         connection: zeros */
static void fill_record(WmConnectionRecord *connection, const WmConnection *settings) {
  WmTileRecord *record = &connection->record;
  connection->connection =
      (WmTileConnection){.radius = settings->radius,
                         .flags = settings->bidirectional ? WM_TILE_OFF_MESH_BIDIRECTIONAL : 0,
                         .side = WM_TILE_SIDE_INSIDE,
                         .user_id = settings->user_id};
  memcpy(connection->connection.start, settings->start, sizeof settings->start);
  memcpy(connection->connection.end, settings->end, sizeof settings->end);
  memcpy(connection->vertices[0], settings->start, sizeof settings->start);
  memcpy(connection->vertices[1], settings->end, sizeof settings->end);
  connection->polygon = (WmTilePolygon){.vertices = {0, 1},
                                        .flags = settings->flags,
                                        .vertex_count = 2,
                                        .area_and_type = (uint8_t)(WM_TILE_OFF_MESH << 6 | settings->area)};
  connection->state_first[1] = 1;
  connection->area = settings->area;
  connection->flags = settings->enabled ? settings->flags : 0;
  record->is_disabled = !settings->enabled;
  record->polygons = &connection->polygon;
  record->connection_started = &connection->started;
  WmMeshTile *tile = &record->tile;
  tile->polygon_count = tile->connection_count = 1;
  tile->vertex_count = 2;
  tile->agent_max_climb = settings->climb;
  tile->cost_factor = settings->cost_factor;
  for (int axis = 0; axis < 3; axis++) {
    const float start = settings->start[axis], end = settings->end[axis];
    tile->bounds_min[axis] = start < end ? start : end;
    tile->bounds_max[axis] = start < end ? end : start;
  }
  set_view(connection);
}

/* The cost factor of a connection for mesh->least_cost. */
static float cost_of(const WmTileRecord *record) {
  return record->is_disabled ? INFINITY : record->tile.cost_factor;
}

void wm_mesh_update_least_cost(WmMesh *mesh) {
  mesh->least_cost = 1;
  for (const WmTileRecord *record = mesh->oldest_connection; record; record = record->newer) {
    mesh->least_cost = fminf(mesh->least_cost, cost_of(record));
  }
  for (size_t i = 0; i < mesh->link_set_count; i++) {
    mesh->least_cost = fminf(mesh->least_cost, wm_mesh_link_sets(mesh)[i]->least_cost);
  }
}

/* Updates mesh->least_cost after a connection's cost changed from `former` to `now`. All connections are
 * visited only if the least cost may have risen. */
static void change_cost(WmMesh *mesh, float former, float now) {
  mesh->version++;
  if (now < mesh->least_cost) mesh->least_cost = now;
  if (former > mesh->least_cost || former >= 1 || now <= former) return;
  wm_mesh_update_least_cost(mesh);
}

/* Plans and applies the ties and links of a new connection. */
static WmStatus tie_new_connection(WmMesh *mesh, WmConnectionRecord *connection) {
  WmLinkPlan plan = {.mesh = mesh};
  connection->number = mesh->connection_count;
  reach_of(mesh, connection)->connection = connection;
  wm_plan_touch(&plan, &connection->record);
  for (uint32_t end = 0; end < 2; end++) connection->planned[end] = find_tie(mesh, connection, end);
  plan_links(&plan, connection);
  if (!plan.status) wm_mesh_insert_record(mesh, &connection->record);
  return wm_plan_finish(&plan);
}

WmStatus wm_mesh_add_connection(WmMesh *mesh, const WmConnection *settings, WmRef *out) {
  *out = 0;
  WmStatus status = check_settings(mesh->context, settings);
  if (status) return status;
  WmConnectionRecord *connection = wm_block_allocate(mesh->context, sizeof *connection);
  if (!connection) return WM_ERROR_OUT_OF_MEMORY;
  memset(connection, 0, sizeof *connection);
  fill_record(connection, settings);
  WmTileRecord *record = &connection->record;
  status = wm_mesh_choose_slot(mesh, &record->tile);
  if (!status) status = wm_tile_reserve_links(mesh->context, record);
  if (!status) {
    status = wm_buffer_reserve(mesh->context, &mesh->connection_reaches, mesh->connection_count + 1,
                               sizeof(WmConnectionReach));
  }
  if (!status) status = tie_new_connection(mesh, connection);
  if (status) {
    wm_tile_free(mesh->context, record);
    return status;
  }
  change_cost(mesh, INFINITY, cost_of(record));
  *out = record->tile.ref;
  return WM_OK;
}

/* Finds the record of a connection.
 * in         at_run_time: it must be one made at run time */
static WmStatus check_connection(const WmMesh *mesh, WmRef ref, bool at_run_time, WmTileRecord **record) {
  const WmStatus status = wm_mesh_check_ref(mesh->context, mesh, ref, "connection");
  *record = NULL;
  if (status) return status;
  WmTileRecord *found = wm_mesh_record(mesh, ref);
  const uint32_t least = at_run_time ? 0 : wm_ref_polygon(ref);
  if (found->tile.ground_count <= least && !found->tile.segments) {
    *record = found;
    return WM_OK;
  }
  return wm_fail(mesh->context, WM_ERROR_INVALID_ARGUMENT, "connection",
                 found->tile.segments ? "the polygon is a segment link"
                 : at_run_time        ? "the polygon is no connection made at run time"
                                      : "the polygon is no off-mesh connection");
}

WmStatus wm_mesh_remove_connection(WmMesh *mesh, WmRef ref) {
  WmTileRecord *record;
  const WmStatus status = check_connection(mesh, ref, true, &record);
  if (status) return status;
  WmLinkPlan plan = {.mesh = mesh};
  plan_untying(&plan, (WmConnectionRecord *)record);
  wm_plan_finish(&plan); /* makes no links: cannot fail */
  WmConnectionReach *reaches = mesh->connection_reaches.items;
  WmConnectionReach *reach = reach_of(mesh, (WmConnectionRecord *)record);
  *reach = reaches[mesh->connection_count - 1]; /* the last one fills the gap */
  reach->connection->number = ((WmConnectionRecord *)record)->number;
  const float former = cost_of(record);
  wm_mesh_detach_record(mesh, record);
  change_cost(mesh, former, INFINITY);
  return WM_OK;
}

/* ---- Changing ----------------------------------------------------------------------------------------- */

WmStatus wm_mesh_set_connection_enabled(WmMesh *mesh, WmRef ref, bool enabled) {
  WmTileRecord *record;
  const WmStatus status = check_connection(mesh, ref, true, &record);
  if (status) return status;
  const float former = cost_of(record);
  record->is_disabled = !enabled;
  ((WmConnectionRecord *)record)->flags = enabled ? record->polygons->flags : 0;
  wm_mesh_note_change(mesh, record->tile.slot);
  change_cost(mesh, former, cost_of(record));
  return WM_OK;
}

WmStatus wm_mesh_set_connection_cost(WmMesh *mesh, WmRef ref, float cost_factor) {
  WmTileRecord *record;
  WmStatus status = check_connection(mesh, ref, true, &record);
  if (!status) status = check_numbers(mesh->context, &cost_factor, 1, 0, "costFactor");
  if (status) return status;
  const float former = cost_of(record);
  record->tile.cost_factor = cost_factor;
  wm_mesh_note_change(mesh, record->tile.slot);
  change_cost(mesh, former, cost_of(record));
  return WM_OK;
}

/* ---- Reading ------------------------------------------------------------------------------------------ */

/* Bits of the ends of an off-mesh polygon that are linked to a polygon; `to` 0: to any. */
static int find_ties(const WmMeshTile *tile, uint32_t polygon, WmRef to) {
  int ties = 0;
  for (uint32_t i = tile->link_first[polygon]; i < tile->link_first[polygon + 1]; i++) {
    const WmLink *link = &tile->links[i];
    if (!to || (link->slot == wm_ref_slot(to) && link->polygon == wm_ref_polygon(to)))
      ties |= 1 << link->edge;
  }
  return ties;
}

WmStatus wm_mesh_connection(const WmMesh *mesh, WmRef ref, WmConnection *settings, float ends[2][3],
                            int *tied) {
  *settings = (WmConnection){0};
  if (ends) memset(ends, 0, 6 * sizeof(float));
  if (tied) *tied = 0;
  WmTileRecord *record;
  const WmStatus status = check_connection(mesh, ref, false, &record);
  if (status) return status;
  const WmMeshTile *tile = &record->tile;
  const uint32_t polygon = wm_ref_polygon(ref), number = polygon - tile->ground_count;
  const WmTileConnection *connection = &tile->connections[number];
  *settings = (WmConnection){.radius = connection->radius,
                             .climb = tile->agent_max_climb,
                             .bidirectional = connection->flags & WM_TILE_OFF_MESH_BIDIRECTIONAL,
                             .enabled = !record->is_disabled,
                             .area = tile->polygon_area[polygon],
                             .flags = record->polygons[polygon].flags,
                             .user_id = connection->user_id,
                             .cost_factor = tile->cost_factor};
  memcpy(settings->start, connection->start, sizeof settings->start);
  memcpy(settings->end, connection->end, sizeof settings->end);
  if (ends) memcpy(ends, tile->connection_ends + 6 * (size_t)number, 6 * sizeof(float));
  if (tied) *tied = find_ties(tile, polygon, 0);
  return WM_OK;
}

/* The middles of both sides of a segment link where it is open to an agent that comes from `previous`. */
static WmStatus find_link_ends(const WmMesh *mesh, WmRef previous, WmRef ref, float entry[3], float exit[3]) {
  WmLinkCrossing crossing;
  const WmStatus status = previous ? wm_mesh_check_ref(mesh->context, mesh, previous, "previous") : WM_OK;
  memset(entry, 0, 3 * sizeof *entry);
  memset(exit, 0, 3 * sizeof *exit);
  if (status) return status;
  if (!wm_mesh_find_crossing(mesh, previous, ref, 0, &crossing)) {
    (void)wm_mesh_find_crossing(mesh, 0, ref, 0, &crossing);
  }
  const float across = 0.5f * (crossing.low + crossing.high);
  wm_link_crossing_point(&crossing, 0, across, entry);
  wm_link_crossing_point(&crossing, 1, across, exit);
  return WM_OK;
}

WmStatus wm_mesh_connection_ends(const WmMesh *mesh, WmRef previous, WmRef ref, float entry[3],
                                 float exit[3]) {
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, ref);
  if (tile && tile->segments) return find_link_ends(mesh, previous, ref, entry, exit);
  WmConnection settings;
  float ends[2][3];
  WmStatus status = wm_mesh_connection(mesh, ref, &settings, ends, NULL);
  if (!status && previous) status = wm_mesh_check_ref(mesh->context, mesh, previous, "previous");
  if (status) memset(ends, 0, sizeof ends);
  const int from =
      !status && previous && find_ties(wm_mesh_tile_of(mesh, ref), wm_ref_polygon(ref), previous) == 2;
  memcpy(entry, ends[from], sizeof ends[0]);
  memcpy(exit, ends[1 - from], sizeof ends[0]);
  return status;
}

WmRef wm_mesh_next_connection(const WmMesh *mesh, WmRef previous) {
  const WmTileRecord *record = mesh->oldest_connection;
  if (previous) {
    record = wm_mesh_record(mesh, previous);
    record = record && record->tile.ground_count == 0 && !record->tile.segments ? record->newer : NULL;
  }
  return record ? record->tile.ref : 0;
}

size_t wm_mesh_connection_count(const WmMesh *mesh) { return mesh->connection_count; }
