/* Writes the seeds of the corpus: `make_seeds FOLDER` (tests/fuzz/corpus). Seeds of mesh_read are small files
 * of all formats; seeds of the other harnesses are programs of random bytes. */
#include "../c/grid_tiles.h"
#include "../c/detour_cache_sets.h"
#include "harness.h"
#include "query/tile_graph/tile_graph.h"

static void write_bytes(const char *folder, const char *name, const void *bytes, size_t byte_count) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "wb");
  FUZZ_REQUIRE(file && fwrite(bytes, 1, byte_count, file) == byte_count);
  fclose(file);
}

static void write_mesh(const char *folder, const char *name, const WmMesh *mesh) {
  static const char *const ENDINGS[] = {"", "walkmesh", "dnav", "mset", "mset64"};
  char path[512], file[128];
  snprintf(path, sizeof path, "%s/mesh_read", folder);
  for (int format = WM_FORMAT_WALKMESH; format <= WM_FORMAT_SET_WIDE; format++) {
    uint8_t *bytes;
    size_t byte_count;
    if (wm_mesh_write(mesh, (WmFormat)format, &bytes, &byte_count)) continue;
    snprintf(file, sizeof file, "%s.%s", name, ENDINGS[format]);
    write_bytes(path, file, bytes, byte_count);
    wm_block_free(wm_mesh_context(mesh), bytes);
  }
}

static const WmOffMeshConnection CONNECTIONS[2] = {
    {.start = {3, 0.5f, 3},
     .end = {12, 0.5f, 5},
     .radius = 0.75f,
     .flags = 1,
     .area = 3,
     .bidirectional = true},
    {.start = {1, 0.5f, 1}, .end = {7, 0.5f, 7}, .radius = 0.5f, .flags = 2, .area = 1}};

/* Tiles side by side and above each other, named after their contents. */
static void make_meshes(WmContext *context, const char *folder) {
  WmMesh *mesh = make_grid_mesh(context);
  const GridTile first = {
      .hole = UINT32_MAX, .tree = true, .connections = CONNECTIONS, .connection_count = 2};
  add_grid_tile(mesh, &first);
  write_mesh(folder, "tile", mesh);
  const GridTile right = {.x = 1, .hole = 1};
  add_grid_tile(mesh, &right);
  write_mesh(folder, "pair", mesh);
  WmConnection connection = wm_connection_default(mesh);
  WmRef ref;
  memcpy(connection.start, (float[3]){2, 0.5f, 2}, 12);
  memcpy(connection.end, (float[3]){14, 0.5f, 6}, 12);
  FUZZ_REQUIRE(!wm_mesh_add_connection(mesh, &connection, &ref));
  connection.enabled = connection.bidirectional = false;
  connection.cost_factor = 0.25f;
  FUZZ_REQUIRE(!wm_mesh_add_connection(mesh, &connection, &ref));
  FUZZ_REQUIRE(!wm_mesh_set_configuration(mesh, "{\"cellSize\":0.5}", 16));
  const GridTile above = {.layer = 1, .floor = 2, .hole = 0, .tree = true};
  add_grid_tile(mesh, &above);
  write_mesh(folder, "all", mesh);
  wm_mesh_destroy(mesh);
  mesh = make_grid_mesh(context);
  const GridTile cut = {.x = -1, .z = 2, .seed = 5, .hole = UINT32_MAX, .tree = true};
  const GridTile below = {.x = -1, .z = 3, .seed = 9, .hole = UINT32_MAX, .tree = true};
  add_grid_tile(mesh, &cut);
  write_mesh(folder, "strips", mesh);
  add_grid_tile(mesh, &below);
  write_mesh(folder, "seam", mesh);
  wm_mesh_destroy(mesh);
  mesh = make_grid_mesh(context);
  write_mesh(folder, "empty", mesh);
  wm_mesh_destroy(mesh);
}

/* The tile graph of the world of fuzz_tile_graph.c, and of one with connections between tiles. */
static void make_tile_graphs(WmContext *context, const char *folder) {
  static const char *const NAMES[3] = {"strips.graph", "connections.graph", "larger.graph"};
  char path[512];
  snprintf(path, sizeof path, "%s/tile_graph", folder);
  for (int i = 0; i < 3; i++) {
    WmMesh *mesh = make_grid_world(context, 2 + i, 3);
    WmConnection connection = wm_connection_default(mesh);
    memcpy(connection.start, (float[3]){2, 0.5f, 2}, 12);
    memcpy(connection.end, (float[3]){14, 0.5f, 6}, 12);
    connection.bidirectional = false;
    WmRef ref;
    if (i) FUZZ_REQUIRE(!wm_mesh_add_connection(mesh, &connection, &ref));
    WmTileGraph *graph;
    uint8_t *bytes;
    size_t byte_count;
    FUZZ_REQUIRE(!wm_tile_graph_create(context, mesh, NULL, &graph) && !wm_tile_graph_update(graph));
    FUZZ_REQUIRE(!wm_tile_graph_write(graph, &bytes, &byte_count));
    write_bytes(path, NAMES[i], bytes, byte_count);
    wm_block_free(context, bytes);
    wm_tile_graph_destroy(graph);
    wm_mesh_destroy(mesh);
  }
}

/* Programs of the other harnesses: random bytes of several lengths. */
static void make_programs(const char *folder, const char *harness) {
  char path[512], name[32];
  snprintf(path, sizeof path, "%s/%s", folder, harness);
  uint32_t random = 1;
  for (uint32_t i = 0; i < 12; i++) {
    uint8_t bytes[1024];
    const size_t length = 8u << (i / 2 + 1);
    for (size_t k = 0; k < length; k++) bytes[k] = (uint8_t)grid_random(&random);
    snprintf(name, sizeof name, "random-%02u", i);
    write_bytes(path, name, bytes, length < sizeof bytes ? length : sizeof bytes);
  }
}

/* Sets of two tile places: floors above each other with holes and steps, areas, places below 0. */
static void make_detour_caches(const char *folder) {
  char path[512];
  snprintf(path, sizeof path, "%s/detour_cache", folder);
  for (int kind = 0; kind < 3; kind++) {
    const float origin[3] = {1, -2, 3};
    SetWriter set = begin_set(8, 0.5f, 0.25f, origin);
    uint8_t heights[64], areas[64];
    for (int cell = 0; cell < 64; cell++) {
      heights[cell] = (uint8_t)(kind == 1 ? cell % 8 / 2 : cell == 9 ? 3 : 0);
      areas[cell] = cell % 8 == 3 && kind == 1 ? 0 : cell > 40 ? 5 : 63;
    }
    const int32_t first = kind == 2 ? -3 : 0;
    add_layer(&set, first, first, 0, 0, heights, areas);
    add_layer(&set, first + 1, first, 0, 1, heights, areas);
    if (kind == 0) add_flat_layer(&set, first, first, 1, 12, 63);
    write_bytes(path,
                kind == 0   ? "floors.tset"
                : kind == 1 ? "steps.tset"
                            : "below-0.tset",
                set.bytes, set.byte_count);
    free(set.bytes);
  }
}

int main(int count, char **arguments) {
  if (count != 2) return 2;
  WmContext *context = wm_context_create(NULL);
  make_meshes(context, arguments[1]);
  make_programs(arguments[1], "tile");
  make_programs(arguments[1], "mesh_edits");
  make_programs(arguments[1], "dynamic");
  make_programs(arguments[1], "dynamic_tiles");
  make_programs(arguments[1], "dynamic_links");
  make_programs(arguments[1], "crowd");
  make_detour_caches(arguments[1]);
  make_tile_graphs(context, arguments[1]);
  wm_context_destroy(context);
  return 0;
}
