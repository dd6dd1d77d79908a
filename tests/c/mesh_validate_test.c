/* Validation of tiles, links and the mesh: passes after any changes, and finds each broken invariant. */
#include "link_oracle.h"
#include "maze_world.h"
#include "mesh/mesh_internal.h"
#include "mesh/tile/detail_boxes.h"
#include "mesh/tile/leaf_boxes.h"
#include "scene.h"
#include "trace.h"
#include "walkmesh.h"

enum { SIDE = 4 };

typedef struct World {
  WmContext *context;
  WmMesh *mesh;
  WmRef connection;
} World;

/* Tiles, one of them removed, and two connections, one of them removed. */
static World open_world(uint32_t seed) {
  World world = {.context = wm_context_create(NULL)};
  world.mesh = make_grid_world(world.context, SIDE, seed);
  WmConnection connection = wm_connection_default(world.mesh);
  memcpy(connection.start, (const float[3]){2.3f, 0.2f, 2.7f}, 12);
  memcpy(connection.end, (const float[3]){28.3f, 0.2f, 29.7f}, 12);
  WmRef removed;
  CHECK_EQUAL_INT(wm_mesh_add_connection(world.mesh, &connection, &removed), WM_OK);
  connection.cost_factor = 0.5f;
  CHECK_EQUAL_INT(wm_mesh_add_connection(world.mesh, &connection, &world.connection), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_remove_connection(world.mesh, removed), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_remove_tile(world.mesh, wm_mesh_find_tile(world.mesh, 2, 1, 0)->ref), WM_OK);
  return world;
}

static void close_world(World *world) {
  wm_mesh_destroy(world->mesh);
  wm_context_destroy(world->context);
}

/* Breaks a variable, checks the condition, and restores the variable. */
#define FINDS(variable, broken, is_valid) \
  do { \
    const __typeof__(variable) good = (variable); \
    (variable) = (broken); \
    CHECK(!(is_valid)); \
    (variable) = good; \
    CHECK(is_valid); \
  } while (0)

static WmTileRecord *record_at(const WmMesh *mesh, int32_t x, int32_t z) {
  return wm_mesh_record(mesh, wm_mesh_find_tile(mesh, x, z, 0)->ref);
}

static void a_broken_tile_is_found(void) {
  World world = open_world(5);
  WmTileRecord *record = record_at(world.mesh, 1, 1);
  WmTileArrays *arrays = &record->arrays;
  CHECK(wm_tile_record_validate(record));
  FINDS(arrays->polygon_size[1], 5, wm_tile_record_validate(record));
  FINDS(arrays->polygon_area[1], 7, wm_tile_record_validate(record));
  FINDS(arrays->polygon_flags[1], 99, wm_tile_record_validate(record));
  FINDS(arrays->polygon_vertices[2], 0xffff, wm_tile_record_validate(record));
  FINDS(arrays->polygon_neighbours[2], 0x1234, wm_tile_record_validate(record));
  FINDS(arrays->state_first[1], 3, wm_tile_record_validate(record));
  FINDS(arrays->area_before[1], -1, wm_tile_record_validate(record));
  FINDS(arrays->rings[14], 3, wm_tile_record_validate(record));
  FINDS(arrays->leaf_polygons[0], record->tile.ground_count, wm_tile_record_validate(record));
  FINDS(arrays->near_nodes[0], 65535, wm_tile_record_validate(record));
  FINDS(arrays->near_first[0], 1, wm_tile_record_validate(record));
  FINDS(record->made_flags[0], 77, wm_tile_record_validate(record));
  FINDS(record->edges[0].side, record->edges[0].side ^ 2, wm_tile_record_validate(record));
  FINDS(record->edge_count, record->edge_count - 1, wm_tile_record_validate(record));
  FINDS(record->inner_link_count, 0, wm_tile_record_validate(record));
  FINDS(record->by_low[1].key, 0, wm_tile_record_validate(record));
  FINDS(record->tile.x, 3, wm_tile_record_validate(record));
  FINDS(record->tile.z, 3, wm_tile_record_validate(record));
  FINDS(record->tile.layer, 1, wm_tile_record_validate(record));
  FINDS(record->tile.vertices, record->tile.vertices + 3, wm_tile_record_validate(record));
  FINDS(record->edges[0].polygon, record->edges[0].polygon + 1, wm_tile_record_validate(record));
  FINDS(record->edges[0].edge, record->edges[0].edge + 1, wm_tile_record_validate(record));
  FINDS(record->by_low[0].value, record->edge_count, wm_tile_record_validate(record));
  /* The bytes and the arrays agree, on vertices and neighbours that don't exist. */
  WmTilePolygon *polygon = (WmTilePolygon *)(uintptr_t)&record->polygons[0];
  const WmTilePolygon good = *polygon;
  uint16_t *vertices = arrays->polygon_vertices, *neighbours = arrays->polygon_neighbours;
  vertices[2] = polygon->vertices[2] = (uint16_t)record->tile.vertex_count;
  CHECK(!wm_tile_record_validate(record));
  vertices[2] = polygon->vertices[2] = good.vertices[2];
  CHECK(wm_tile_record_validate(record));
  uint32_t inner = 0; /* a neighbour in the tile */
  while (good.neighbours[inner] == 0 || good.neighbours[inner] & WM_TILE_PORTAL) inner++;
  CHECK(inner < good.vertex_count);
  neighbours[inner] = polygon->neighbours[inner] = (uint16_t)(record->tile.ground_count + 1);
  CHECK(!wm_tile_record_validate(record));
  neighbours[inner] = good.neighbours[inner];
  *polygon = good;
  CHECK(wm_tile_record_validate(record));
  close_world(&world);
}

static uint32_t find_link(const WmTileRecord *record, bool is_inner) {
  const uint32_t count = record->tile.link_first[record->tile.polygon_count];
  for (uint32_t i = 0; i < count; i++) {
    if ((record->tile.links[i].side == WM_TILE_SIDE_INSIDE) == is_inner) return i;
  }
  return 0;
}

static void broken_links_are_found(void) {
  World world = open_world(5);
  const WmMesh *mesh = world.mesh;
  WmTileRecord *record = record_at(mesh, 1, 1), *beside = record_at(mesh, 0, 1);
  WmLink *links = record->arrays.links;
  const uint32_t inner = find_link(record, true), outer = find_link(record, false);
  CHECK(wm_tile_links_validate(mesh, record));
  FINDS(links[outer].slot, 1000, wm_tile_links_validate(mesh, record));
  FINDS(links[outer].polygon, 60000, wm_tile_links_validate(mesh, record));
  FINDS(links[outer].edge, 6, wm_tile_links_validate(mesh, record));
  FINDS(links[outer].middle[0], 1e6f, wm_tile_links_validate(mesh, record));
  FINDS(links[inner].polygon, links[inner].polygon ^ 1, wm_tile_links_validate(mesh, record));
  FINDS(record->arrays.link_portals[6 * outer], 1e6f, wm_tile_links_validate(mesh, record));
  FINDS(record->arrays.link_backs[inner], 17, wm_tile_links_validate(mesh, record));
  FINDS(record->arrays.link_backs[outer], 0, wm_tile_links_validate(mesh, record));
  FINDS(record->arrays.link_first[1], 10000, wm_tile_links_validate(mesh, record));
  FINDS(record->dynamic_count, 0, wm_tile_links_validate(mesh, record));
  FINDS(record->pending, 1, wm_tile_links_validate(mesh, record));
  /* All links of a neighbouring tile to this one are redirected: this tile's links have no reverse. */
  const uint32_t count = beside->tile.link_first[beside->tile.polygon_count];
  for (uint32_t i = 0; i < count; i++) {
    if (beside->tile.links[i].slot == record->tile.slot) beside->arrays.links[i].slot = UINT32_MAX;
  }
  CHECK(!wm_tile_links_validate(mesh, record));
  wm_tile_lay_links(mesh, beside);
  CHECK(wm_tile_links_validate(mesh, record));
  close_world(&world);
}

static void a_broken_mesh_is_found(void) {
  World world = open_world(0);
  WmMesh *mesh = world.mesh;
  CHECK(wm_mesh_validate(mesh));
  WmSlot *slots = wm_mesh_slots(mesh);
  const uint32_t slot = wm_mesh_find_tile(mesh, 1, 1, 0)->slot;
  FINDS(slots[slot].generation, 0, wm_mesh_validate(mesh));
  FINDS(slots[slot].record, slots[slot + 1].record, wm_mesh_validate(mesh));
  FINDS(mesh->tile_count, mesh->tile_count + 1, wm_mesh_validate(mesh));
  FINDS(mesh->link_count, 0, wm_mesh_validate(mesh));
  FINDS(mesh->link_source_count, 0, wm_mesh_validate(mesh));
  FINDS(mesh->free_first, WM_NO_SLOT, wm_mesh_validate(mesh));
  FINDS(mesh->free_first, slot, wm_mesh_validate(mesh));
  FINDS(mesh->free_last, slot, wm_mesh_validate(mesh));
  FINDS(mesh->newest, mesh->oldest, wm_mesh_validate(mesh));
  FINDS(mesh->oldest->newer->older, NULL, wm_mesh_validate(mesh));
  FINDS(((double *)mesh->areas.items)[1], 0, wm_mesh_validate(mesh));
  FINDS(mesh->least_cost, 1, wm_mesh_validate(mesh));
  WmConnectionRecord *connection = (WmConnectionRecord *)wm_mesh_record(mesh, world.connection);
  FINDS(connection->number, 3, wm_mesh_validate(mesh));
  FINDS(connection->ties[0].polygon, 1000, wm_mesh_validate(mesh));
  close_world(&world);
}

/* ---- Each entry --------------------------------------------------------------------------------------- */

/* Changes entries of an array, one at a time, and folds what all checks say. */
static void judge_array(const WmMesh *mesh, const WmTileRecord *record, void *array, size_t count,
                        size_t entry_bytes) {
  for (size_t i = 0; i < count; i++) {
    uint8_t *entry = (uint8_t *)array + i * entry_bytes;
    uint32_t before = 0, next = 0;
    memcpy(&before, entry, entry_bytes);
    memcpy(&next, (uint8_t *)array + (i + 1) % count * entry_bytes, entry_bytes);
    const uint32_t values[] = {before + 1, before - 1, 0, next, before ^ 4, before + 256};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
      memcpy(entry, &values[k], entry_bytes);
      const bool is_valid = wm_tile_record_validate(record); /* the others require it */
      trace_number(is_valid ? 1 + 2 * wm_tile_links_validate(mesh, record) + 4 * wm_mesh_validate(mesh) : 0);
    }
    memcpy(entry, &before, entry_bytes);
  }
  CHECK(wm_mesh_validate(mesh));
}

/* The verdicts are golden traces (trace.h). */
static void every_broken_entry_of_a_mesh_is_found_as_it_was(void) {
  for (uint32_t seed = 0; seed < 2; seed++) {
    char name[32];
    snprintf(name, sizeof name, "entries-%u", (unsigned)seed);
    World world = open_world(seed);
    WmTileRecord *record = record_at(world.mesh, 1, 1);
    WmTileArrays *arrays = &record->arrays;
    const size_t polygons = record->tile.polygon_count, links = record->tile.link_first[polygons];
    const size_t corners = WM_TILE_VERTICES_PER_POLYGON * polygons;
    trace_begin(name);
    judge_array(world.mesh, record, arrays->polygon_vertices, corners, 2);
    judge_array(world.mesh, record, arrays->polygon_neighbours, corners, 2);
    judge_array(world.mesh, record, arrays->polygon_flags, polygons, 2);
    judge_array(world.mesh, record, arrays->polygon_area, polygons, 1);
    judge_array(world.mesh, record, record->made_flags, polygons, 2);
    judge_array(world.mesh, record, record->made_areas, polygons, 1);
    judge_array(world.mesh, record, arrays->links, links * sizeof(WmLink) / 4, 4);
    judge_array(world.mesh, record, arrays->link_portals, 6 * links, 4);
    judge_array(world.mesh, record, arrays->link_backs, links, 1);
    judge_array(world.mesh, record, arrays->link_first, polygons + 1, 4);
    trace_end();
    close_world(&world);
  }
}

/* ---- Arrays of tiles ---------------------------------------------------------------------------------- */

static void trace_tree(const WmMeshTile *tile) {
  const WmNearGrid *grid = &tile->near_grid;
  const uint32_t cells = grid->width * grid->depth, numbers[] = {grid->shift, grid->width, grid->depth};
  TRACE(tile->leaf_count);
  TRACE(tile->node_count);
  TRACE(tile->node_rise);
  TRACE(tile->cells_per_unit);
  TRACE(numbers);
  if (cells) trace_fold(grid->first, (cells + 1) * sizeof *grid->first);
  if (cells) trace_fold(grid->nodes, grid->first[cells] * sizeof *grid->nodes);
  trace_fold(tile->leaf_polygons, tile->leaf_count * sizeof *tile->leaf_polygons);
  trace_fold(tile->leaf_blocks, wm_leaf_block_count(tile->leaf_count) * sizeof *tile->leaf_blocks);
}

static void trace_links(const WmMeshTile *tile) {
  const size_t links = tile->link_first[tile->polygon_count];
  trace_fold(tile->link_first, ((size_t)tile->polygon_count + 1) * sizeof *tile->link_first);
  trace_fold(tile->links, links * sizeof *tile->links);
  trace_fold(tile->link_portals, 6 * links * sizeof *tile->link_portals);
  trace_fold(tile->link_backs, links);
  trace_fold(tile->connection_ends, 6 * (size_t)tile->connection_count * sizeof *tile->connection_ends);
}

static void trace_record(const WmTileRecord *record) {
  const WmMeshTile *tile = &record->tile;
  trace_links(tile);
  if (tile->ground_count == 0) return; /* a connection */
  trace_tree(tile);
  const size_t polygons = tile->polygon_count, ground = tile->ground_count;
  TRACE(tile->triangle_count);
  trace_fold(tile->state_first, (polygons + 1) * sizeof *tile->state_first);
  trace_fold(tile->area_before, (ground + 1) * sizeof *tile->area_before);
  trace_fold(tile->rings, 16 * ground * sizeof *tile->rings);
  trace_fold(tile->detail_boxes, (size_t)tile->detail_triangle_count * sizeof *tile->detail_boxes);
  trace_fold(tile->detail_frames, ground * sizeof *tile->detail_frames);
  for (uint32_t i = 0; i < record->edge_count; i++) {
    const WmPortalEdge *edge = &record->edges[i];
    const float numbers[] = {edge->coordinate, edge->low, edge->high, edge->y_low, edge->y_high};
    TRACE(numbers);
    trace_number((uint64_t)edge->polygon << 24 | edge->edge << 16 | edge->side << 8 | edge->ascending);
    TRACE(record->by_low[i].key);
    TRACE(record->by_low[i].value);
  }
}

static void trace_records(const char *name, const WmMesh *mesh) {
  trace_begin(name);
  for (uint32_t i = 0; i < wm_mesh_slot_count(mesh); i++) {
    const WmSlot *slot = &wm_mesh_slots(mesh)[i];
    trace_number((uint64_t)slot->generation << 32 | slot->former);
    if (slot->record) trace_record(slot->record);
  }
  trace_number(mesh->link_count << 32 | mesh->link_source_count);
  TRACE(mesh->least_cost);
  trace_end();
}

static void all_arrays_are_as_they_were(void) {
  for (uint32_t seed = 0; seed < 6; seed++) {
    char name[32];
    World world = open_world(seed);
    snprintf(name, sizeof name, "arrays-grid-%u", (unsigned)seed);
    trace_records(name, world.mesh);
    close_world(&world);
    WmContext *context = wm_context_create(NULL);
    WmMesh *mesh = make_maze_world(context, seed + 1, seed % 3 == 0 ? 0 : 3 + seed);
    snprintf(name, sizeof name, "arrays-maze-%u", (unsigned)seed);
    trace_records(name, mesh);
    wm_mesh_destroy(mesh);
    wm_context_destroy(context);
  }
}

/* Connections follow the nodes in a tile's bytes. */
static void all_arrays_of_tiles_with_connections_are_as_they_were(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  const WmOffMeshConnection connections[] = {
      {.start = {1, 0, 1}, .end = {6, 0, 6}, .radius = 0.6f, .flags = 1, .bidirectional = true},
      {.start = {7, 0, 2}, .end = {9, 0, 2}, .radius = 0.6f, .flags = 3, .area = 5, .user_id = 9}};
  for (int32_t i = 0; i < 3; i++) {
    const GridTile grid = {.x = i,
                           .seed = (uint32_t)i,
                           .hole = UINT32_MAX,
                           .tree = true,
                           .connections = connections,
                           .connection_count = 2 - (size_t)i};
    add_grid_tile(mesh, &grid);
  }
  trace_records("arrays-connections", mesh);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void all_arrays_of_a_bake_are_as_they_were(void) {
  for (uint32_t seed = 1; seed <= 4; seed++) {
    char name[32];
    WmContext *context = wm_context_create(NULL);
    WmConfig config = wm_config_default();
    config.cell_size = 0.4f;
    config.tile_size = seed % 2 ? 0 : 20;
    Scene scene = make_random_scene(seed);
    const WmBakeInput input = scene_input(&scene);
    WmMesh *mesh = NULL;
    CHECK_EQUAL_INT(wm_bake_mesh(context, &config, &input, &mesh), WM_OK);
    free_scene(&scene);
    snprintf(name, sizeof name, "arrays-bake-%u", (unsigned)seed);
    trace_records(name, mesh);
    wm_mesh_destroy(mesh);
    wm_context_destroy(context);
  }
}

int main(void) {
  trace_open("mesh-checks");
  RUN(a_broken_tile_is_found);
  RUN(broken_links_are_found);
  RUN(a_broken_mesh_is_found);
  RUN(every_broken_entry_of_a_mesh_is_found_as_it_was);
  RUN(all_arrays_are_as_they_were);
  RUN(all_arrays_of_tiles_with_connections_are_as_they_were);
  RUN(all_arrays_of_a_bake_are_as_they_were);
  trace_close();
  return check_finish();
}
