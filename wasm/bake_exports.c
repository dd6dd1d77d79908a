/* Exports of the bake: a handle that owns copies of the input, and the baker.
 *
 * Order of calls: bake_create; input (bake_array for each array, bake_reserve, then bake_add_... for each
 * thing); bake_set for each field; bake_start; then bake_begin_tile and bake_step as in bake/bake.h,
 * bake_stages in between to look at the arrays; bake_destroy. */
#include <stdlib.h>
#include <string.h>

#include "bake/bake.h"
#include "session.h"

/* The arrays of the input, in the order of writeTriangles in js/geometry.js. */
enum { POSITIONS, INDICES, AREAS, AREA_FLAGS, ARRAY_COUNT };

/* What the bake_add functions add to. */
typedef struct List {
  char *items;
  size_t count, capacity;
} List;

enum { SOLIDS, VOLUMES, CONNECTIONS, LIST_COUNT };

typedef struct Bake {
  Session *session;
  WmConfig config;
  WmBakeInput input;
  void *arrays[ARRAY_COUNT];
  size_t counts[ARRAY_COUNT];
  List lists[LIST_COUNT];
  WmBaker *baker;
} Bake;

static const uint8_t ARRAY_BYTES[ARRAY_COUNT] = {sizeof(float), sizeof(uint32_t), 1, sizeof(uint16_t)};
static const uint8_t LIST_BYTES[LIST_COUNT] = {sizeof(WmSolid), sizeof(WmAreaVolume),
                                               sizeof(WmOffMeshConnection)};

/* JavaScript never does this. */
static WmStatus fail_order(const Bake *bake) {
  return wm_fail(bake->session->context, WM_ERROR_STATE, NULL, "a call is out of order");
}

/* ---- Life ---------------------------------------------------------------------------------------------- */

EXPORT(bake_create) Bake *export_bake_create(Session *session) {
  Bake *bake = wm_block_allocate(session->context, sizeof *bake);
  if (!bake) return NULL;
  memset(bake, 0, sizeof *bake);
  bake->session = session;
  bake->config = wm_config_default();
  return bake;
}

EXPORT(bake_destroy) void export_bake_destroy(Bake *bake) {
  WmContext *context = bake->session->context;
  wm_baker_destroy(bake->baker);
  const WmSolid *solids = (const WmSolid *)(void *)bake->lists[SOLIDS].items;
  for (size_t i = 0; i < bake->lists[SOLIDS].count; i++) {
    wm_block_free(context, (void *)solids[i].vertices); /* with the indices */
  }
  const WmAreaVolume *volumes = (const WmAreaVolume *)(void *)bake->lists[VOLUMES].items;
  for (size_t i = 0; i < bake->lists[VOLUMES].count; i++) {
    wm_block_free(context, (void *)volumes[i].vertices);
  }
  for (int i = 0; i < ARRAY_COUNT; i++) wm_block_free(context, bake->arrays[i]);
  for (int i = 0; i < LIST_COUNT; i++) wm_block_free(context, bake->lists[i].items);
  wm_block_free(context, bake);
}

/* ---- Input --------------------------------------------------------------------------------------------- */

static void *allocate_elements(Bake *bake, size_t count, size_t element_bytes) {
  WmLayout layout = {0};
  wm_layout_add(&layout, count, element_bytes);
  return wm_layout_allocate(bake->session->context, &layout);
}

/* Positions (f32), indices (u32), areas (u8, one a triangle), or the flags of polygons by area (u16 [64]).
 * Returns the address to fill, or NULL. */
EXPORT(bake_array) void *export_bake_array(Bake *bake, int array, size_t count) {
  wm_block_free(bake->session->context, bake->arrays[array]);
  bake->counts[array] = count;
  return bake->arrays[array] = allocate_elements(bake, count, ARRAY_BYTES[array]);
}

/* Makes room for what the bake_add functions add. Once. */
EXPORT(bake_reserve)
WmStatus export_bake_reserve(Bake *bake, size_t solids, size_t volumes, size_t connections) {
  const size_t counts[LIST_COUNT] = {solids, volumes, connections};
  for (int i = 0; i < LIST_COUNT; i++) {
    List *list = &bake->lists[i];
    if (list->items) return fail_order(bake);
    list->items = allocate_elements(bake, counts[i], LIST_BYTES[i]);
    if (!list->items) return WM_ERROR_OUT_OF_MEMORY;
    list->capacity = counts[i];
  }
  return WM_OK;
}

/* A zeroed item at the end of a list; its floats from `start` on are parameters. NULL after recording that
 * there is no room. */
static void *append(Bake *bake, int number, size_t start, int float_count) {
  List *list = &bake->lists[number];
  if (list->count == list->capacity) {
    fail_order(bake);
    return NULL;
  }
  char *item = list->items + LIST_BYTES[number] * list->count++;
  memset(item, 0, LIST_BYTES[number]);
  session_read_floats(bake->session, 0, float_count, (float *)(void *)(item + start));
  return item;
}

/* Floats of a struct without gaps, so that they can be read as one array. */
#define FLOATS(type, first, last) (int)((offsetof(type, last) - offsetof(type, first)) / sizeof(float) + 1)

/* Parameters: start[3], end[3], three half axes [3][3], radius. Results: where vertices and indices go. */
EXPORT(bake_add_solid)
WmStatus export_bake_add_solid(Bake *bake, int kind, int area, size_t vertex_count, size_t triangle_count) {
  WmSolid *solid = append(bake, SOLIDS, offsetof(WmSolid, start), FLOATS(WmSolid, start, radius));
  if (!solid) return WM_ERROR_STATE;
  WmLayout layout = {0};
  wm_layout_add(&layout, vertex_count, 3 * sizeof(float));
  const size_t indices_at = wm_layout_add(&layout, triangle_count, 3 * sizeof(uint32_t));
  char *block = wm_layout_allocate(bake->session->context, &layout);
  if (!block) return WM_ERROR_OUT_OF_MEMORY;
  solid->vertices = (const float *)(void *)block;
  solid->indices = (const uint32_t *)(void *)(block + indices_at);
  solid->kind = kind;
  solid->area = (uint8_t)area;
  solid->vertex_count = vertex_count;
  solid->triangle_count = triangle_count;
  bake->session->results[0] = (double)(uintptr_t)solid->vertices;
  bake->session->results[1] = (double)(uintptr_t)solid->indices;
  return WM_OK;
}

/* Parameters: minimum[3], maximum[3], centre[3], half extents[3], yaw, radius, height. Result: where
 * vertices go. */
EXPORT(bake_add_volume)
WmStatus export_bake_add_volume(Bake *bake, int kind, int area, size_t vertex_count) {
  WmAreaVolume *volume =
      append(bake, VOLUMES, offsetof(WmAreaVolume, minimum), FLOATS(WmAreaVolume, minimum, height));
  if (!volume) return WM_ERROR_STATE;
  void *vertices = allocate_elements(bake, vertex_count, 3 * sizeof(float));
  volume->vertices = vertices;
  if (!vertices) return WM_ERROR_OUT_OF_MEMORY;
  volume->kind = kind;
  volume->area = (uint8_t)area;
  volume->vertex_count = vertex_count;
  bake->session->results[0] = (double)(uintptr_t)vertices;
  return WM_OK;
}

/* Parameters: start[3], end[3], radius. */
EXPORT(bake_add_connection)
WmStatus export_bake_add_connection(Bake *bake, int flags, int area, int bidirectional, uint32_t user_id) {
  WmOffMeshConnection *connection = append(bake, CONNECTIONS, offsetof(WmOffMeshConnection, start),
                                           FLOATS(WmOffMeshConnection, start, radius));
  if (!connection) return WM_ERROR_STATE;
  connection->flags = (uint16_t)flags;
  connection->area = (uint8_t)area;
  connection->bidirectional = bidirectional != 0;
  connection->user_id = user_id;
  return WM_OK;
}

/* ---- Configuration ------------------------------------------------------------------------------------- */

/* Field `index` of WM_CONFIG_FIELDS. */
EXPORT(bake_get) double export_bake_get(const Bake *bake, uint32_t index) {
  return wm_config_get(&bake->config, &WM_CONFIG_FIELDS[index]);
}

EXPORT(bake_set) WmStatus export_bake_set(Bake *bake, uint32_t index, double value) {
  const WmConfigField *field = &WM_CONFIG_FIELDS[index];
  if (field->kind == WM_FIELD_INTEGER) {
    int32_t integer;
    const WmStatus status =
        session_read_integer(bake->session, WM_ERROR_CONFIGURATION, field->name, value, &integer);
    if (status) return status;
  }
  wm_config_set(&bake->config, field, value);
  return WM_OK;
}

/* Parameters: minimum[3], maximum[3]. */
EXPORT(bake_set_bounds) void export_bake_set_bounds(Bake *bake) {
  bake->config.has_bounds = true;
  session_read_floats(bake->session, 0, 3, bake->config.bounds_min);
  session_read_floats(bake->session, 3, 3, bake->config.bounds_max);
}

/* ---- Running ------------------------------------------------------------------------------------------- */

/* Vertices lie `stride` floats apart. js/geometry.js has checked the lengths of arrays. */
EXPORT(bake_start) WmStatus export_bake_start(Bake *bake, size_t stride) {
  WmContext *context = bake->session->context;
  if (bake->baker) return fail_order(bake);
  WmBakeInput *input = &bake->input;
  input->triangles.positions = bake->arrays[POSITIONS];
  input->triangles.position_stride = stride;
  input->triangles.vertex_count = (bake->counts[POSITIONS] + stride - 3) / stride;
  input->triangles.indices = bake->arrays[INDICES];
  input->triangles.triangle_count = bake->counts[INDICES] / 3;
  input->triangles.areas = bake->arrays[AREAS];
  input->solids = (const WmSolid *)(void *)bake->lists[SOLIDS].items;
  input->solid_count = bake->lists[SOLIDS].count;
  input->volumes = (const WmAreaVolume *)(void *)bake->lists[VOLUMES].items;
  input->volume_count = bake->lists[VOLUMES].count;
  input->connections = (const WmOffMeshConnection *)(void *)bake->lists[CONNECTIONS].items;
  input->connection_count = bake->lists[CONNECTIONS].count;
  input->area_flags = bake->arrays[AREA_FLAGS];
  return wm_baker_create(context, &bake->config, input, &bake->baker);
}

/* Returns the address of the WmVoxelConfig: 32-bit numbers, as js/bake.js names them. Results: bounds
 * minimum[3], maximum[3]; warnings. */
EXPORT(bake_voxels) const WmVoxelConfig *export_bake_voxels(Bake *bake) {
  float bounds[6];
  wm_baker_bounds(bake->baker, bounds, bounds + 3);
  for (int i = 0; i < 6; i++) bake->session->results[i] = bounds[i];
  bake->session->results[6] = wm_baker_warnings(bake->baker);
  return wm_baker_voxels(bake->baker);
}

EXPORT(bake_begin_tile) WmStatus export_bake_begin_tile(Bake *bake, int x, int z, int keep_stages) {
  return wm_baker_begin_tile(bake->baker, x, z, keep_stages != 0);
}

/* The number of the stage the next step runs; as many as there are stages when the tile is finished. */
EXPORT(bake_next_stage) int export_bake_next_stage(Bake *bake) {
  return (int)wm_baker_next_stage(bake->baker);
}

EXPORT(bake_step) WmStatus export_bake_step(Bake *bake) { return wm_baker_step(bake->baker); }

/* ---- Results ------------------------------------------------------------------------------------------- */

#define WORD(member) (offsetof(WmBakeStages, member) / sizeof(uint32_t))

_Static_assert(WORD(heightfield.span_count) == 11 && WORD(heightfield.span_area) == 15 &&
                   WORD(compact.span_count) == 30 && WORD(compact.span_neighbour) == 35 &&
                   WORD(distance.max_distance) == 41 && WORD(regions.region_count) == 45 &&
                   WORD(contours.contour_count) == 59 && WORD(contours.raw_vertices) == 65 &&
                   WORD(polygon_mesh.vertex_count) == 80 && WORD(polygon_mesh.polygon_area) == 85 &&
                   WORD(detail_mesh.submesh_count) == 87 && WORD(detail_mesh.triangles) == 92 &&
                   WORD(tile.byte_count) == 95,
               "js/stage-memory.js knows the layout");

/* What stands now: the address of the WmBakeStages. Result: the address of the triangles' areas. Both are
 * valid until the next step. */
EXPORT(bake_stages) const WmBakeStages *export_bake_stages(Bake *bake) {
  bake->session->results[0] = (double)(uintptr_t)wm_baker_triangle_areas(bake->baker);
  return wm_baker_stages(bake->baker);
}

/* Hands the finished tile over. Results: address (memory_free it), bytes; 0, 0 where it has no polygons. */
EXPORT(bake_take_tile) void export_bake_take_tile(Bake *bake) {
  WmTileData tile = wm_baker_take_tile(bake->baker);
  if (!tile.byte_count) wm_tile_data_free(bake->session->context, &tile);
  session_return_bytes(bake->session, tile.bytes, tile.byte_count);
}
