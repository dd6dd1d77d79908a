/* Exports of the bake: a handle that owns copies of the input, the baker, and the array last dumped.
 *
 * Order of calls: bake_create; input (bake_positions, bake_indices, ... each returns an address to fill, or
 * results); bake_set for each field; bake_start; then bake_begin_tile and bake_step as in bake/bake.h;
 * bake_destroy. */
#include <stdlib.h>
#include <string.h>

#include "bake/bake.h"
#include "bake/dump.h"
#include "session.h"

/* The arrays that bake_dump can show, in the order of STAGE_ARRAYS in js/stages.js. */
typedef enum DumpArray {
  DUMP_TRIANGLE_AREAS = 0,
  DUMP_HEIGHTFIELD,
  DUMP_COMPACT,
  DUMP_AREAS,
  DUMP_DISTANCE,
  DUMP_REGIONS,
  DUMP_CONTOURS,
  DUMP_POLYGON_MESH,
  DUMP_DETAIL_MESH,
  DUMP_TILE,
  DUMP_COUNT
} DumpArray;

typedef struct Bake {
  Session *session;
  WmConfig config;
  WmBakeInput input;
  size_t position_count, index_count, area_count;
  void *positions, *indices, *areas;
  WmSolid *solids;
  WmAreaVolume *volumes;
  WmOffMeshConnection *connections;
  size_t solid_capacity, volume_capacity, connection_capacity;
  uint16_t *area_flags;
  WmBaker *baker;
  WmBytes dump;
} Bake;

/* ---- Life ---------------------------------------------------------------------------------------------- */

EXPORT(bake_create) Bake *export_bake_create(Session *session) {
  Bake *bake = wm_block_allocate(session->context, sizeof *bake);
  if (!bake) return NULL;
  *bake = (Bake){.session = session, .config = wm_config_default()};
  return bake;
}

EXPORT(bake_destroy) void export_bake_destroy(Bake *bake) {
  WmContext *context = bake->session->context;
  wm_baker_destroy(bake->baker);
  for (size_t i = 0; i < bake->input.solid_count; i++) {
    wm_block_free(context, (void *)bake->solids[i].vertices);
    wm_block_free(context, (void *)bake->solids[i].indices);
  }
  for (size_t i = 0; i < bake->input.volume_count; i++) {
    wm_block_free(context, (void *)bake->volumes[i].vertices);
  }
  wm_block_free(context, bake->dump.bytes);
  wm_block_free(context, bake->positions);
  wm_block_free(context, bake->indices);
  wm_block_free(context, bake->areas);
  wm_block_free(context, bake->solids);
  wm_block_free(context, bake->volumes);
  wm_block_free(context, bake->connections);
  wm_block_free(context, bake->area_flags);
  wm_block_free(context, bake);
}

/* ---- Input --------------------------------------------------------------------------------------------- */

static void *allocate_elements(Bake *bake, size_t count, size_t element_bytes) {
  WmLayout layout = {0};
  wm_layout_add(&layout, count, element_bytes);
  return wm_layout_allocate(bake->session->context, &layout);
}

static void *replace_array(Bake *bake, void **array, size_t count, size_t element_bytes) {
  wm_block_free(bake->session->context, *array);
  *array = allocate_elements(bake, count, element_bytes);
  return *array;
}

/* `count` floats, vertices `stride` floats apart. Returns the address to fill, or NULL. */
EXPORT(bake_positions) void *export_bake_positions(Bake *bake, size_t count, size_t stride) {
  bake->position_count = count;
  bake->input.triangles.position_stride = stride;
  return replace_array(bake, &bake->positions, count, sizeof(float));
}

EXPORT(bake_indices) void *export_bake_indices(Bake *bake, size_t count) {
  bake->index_count = count;
  return replace_array(bake, &bake->indices, count, sizeof(uint32_t));
}

/* One byte a triangle. */
EXPORT(bake_areas) void *export_bake_areas(Bake *bake, size_t count) {
  bake->area_count = count;
  return replace_array(bake, &bake->areas, count, 1);
}

/* 64 u16: the flags of polygons by area. */
EXPORT(bake_area_flags) void *export_bake_area_flags(Bake *bake) {
  void *array = bake->area_flags;
  bake->area_flags = replace_array(bake, &array, WM_AREA_COUNT, sizeof(uint16_t));
  return bake->area_flags;
}

/* Makes room for what the bake_add functions add. Once. */
EXPORT(bake_reserve)
WmStatus export_bake_reserve(Bake *bake, size_t solids, size_t volumes, size_t connections) {
  if (bake->solids || bake->volumes || bake->connections) {
    return wm_fail(bake->session->context, WM_ERROR_STATE, NULL, "the input was reserved before");
  }
  bake->solids = allocate_elements(bake, solids, sizeof *bake->solids);
  bake->volumes = allocate_elements(bake, volumes, sizeof *bake->volumes);
  bake->connections = allocate_elements(bake, connections, sizeof *bake->connections);
  if (!bake->solids || !bake->volumes || !bake->connections) return WM_ERROR_OUT_OF_MEMORY;
  bake->solid_capacity = solids;
  bake->volume_capacity = volumes;
  bake->connection_capacity = connections;
  return WM_OK;
}

static WmStatus fail_capacity(Bake *bake) {
  return wm_fail(bake->session->context, WM_ERROR_STATE, NULL, "more was added than reserved");
}

/* Parameters: start[3], end[3], three half axes [3][3], radius. Results: where vertices and indices go. */
EXPORT(bake_add_solid)
WmStatus export_bake_add_solid(Bake *bake, int kind, int area, size_t vertex_count, size_t triangle_count) {
  if (bake->input.solid_count == bake->solid_capacity) return fail_capacity(bake);
  Session *session = bake->session;
  float *vertices = allocate_elements(bake, vertex_count, 3 * sizeof(float));
  uint32_t *indices = vertices ? allocate_elements(bake, triangle_count, 3 * sizeof(uint32_t)) : NULL;
  if (!indices) {
    wm_block_free(session->context, vertices);
    return WM_ERROR_OUT_OF_MEMORY;
  }
  WmSolid solid = {.kind = kind, .area = (uint8_t)area, .vertices = vertices, .vertex_count = vertex_count,
                   .indices = indices, .triangle_count = triangle_count};
  session_read_floats(session, 0, 3, solid.start);
  session_read_floats(session, 3, 3, solid.end);
  session_read_floats(session, 6, 9, solid.half_axes[0]);
  session_read_floats(session, 15, 1, &solid.radius);
  bake->solids[bake->input.solid_count++] = solid;
  session->results[0] = (double)(uintptr_t)vertices;
  session->results[1] = (double)(uintptr_t)indices;
  return WM_OK;
}

/* Parameters: minimum[3], maximum[3], centre[3], half extents[3], yaw, radius, height. Result: where
 * vertices go. */
EXPORT(bake_add_volume)
WmStatus export_bake_add_volume(Bake *bake, int kind, int area, size_t vertex_count) {
  if (bake->input.volume_count == bake->volume_capacity) return fail_capacity(bake);
  Session *session = bake->session;
  float *vertices = allocate_elements(bake, vertex_count, 3 * sizeof(float));
  if (!vertices) return WM_ERROR_OUT_OF_MEMORY;
  WmAreaVolume volume = {.kind = kind, .area = (uint8_t)area, .vertices = vertices,
                         .vertex_count = vertex_count};
  session_read_floats(session, 0, 3, volume.minimum);
  session_read_floats(session, 3, 3, volume.maximum);
  session_read_floats(session, 6, 3, volume.centre);
  session_read_floats(session, 9, 3, volume.half_extents);
  session_read_floats(session, 12, 1, &volume.yaw);
  session_read_floats(session, 13, 1, &volume.radius);
  session_read_floats(session, 14, 1, &volume.height);
  bake->volumes[bake->input.volume_count++] = volume;
  session->results[0] = (double)(uintptr_t)vertices;
  return WM_OK;
}

/* Parameters: start[3], end[3], radius. */
EXPORT(bake_add_connection)
WmStatus export_bake_add_connection(Bake *bake, int flags, int area, int bidirectional, uint32_t user_id) {
  if (bake->input.connection_count == bake->connection_capacity) return fail_capacity(bake);
  WmOffMeshConnection connection = {.flags = (uint16_t)flags, .area = (uint8_t)area,
                                    .bidirectional = bidirectional != 0, .user_id = user_id};
  session_read_floats(bake->session, 0, 3, connection.start);
  session_read_floats(bake->session, 3, 3, connection.end);
  session_read_floats(bake->session, 6, 1, &connection.radius);
  bake->connections[bake->input.connection_count++] = connection;
  return WM_OK;
}

/* ---- Configuration ------------------------------------------------------------------------------------- */

typedef struct ConfigField {
  const char *name;
  enum { FIELD_REAL, FIELD_INTEGER, FIELD_SWITCH } kind;
  size_t offset;
} ConfigField;

static const ConfigField CONFIG_FIELDS[] = {
    {"cellSize", FIELD_REAL, offsetof(WmConfig, cell_size)},
    {"cellHeight", FIELD_REAL, offsetof(WmConfig, cell_height)},
    {"agentHeight", FIELD_REAL, offsetof(WmConfig, agent_height)},
    {"agentRadius", FIELD_REAL, offsetof(WmConfig, agent_radius)},
    {"agentMaxClimb", FIELD_REAL, offsetof(WmConfig, agent_max_climb)},
    {"agentMaxSlope", FIELD_REAL, offsetof(WmConfig, agent_max_slope)},
    {"partition", FIELD_INTEGER, offsetof(WmConfig, partition)},
    {"chunkSize", FIELD_INTEGER, offsetof(WmConfig, chunk_size)},
    {"minRegionSize", FIELD_REAL, offsetof(WmConfig, min_region_size)},
    {"mergeRegionSize", FIELD_REAL, offsetof(WmConfig, merge_region_size)},
    {"maxEdgeLength", FIELD_REAL, offsetof(WmConfig, max_edge_length)},
    {"maxEdgeError", FIELD_REAL, offsetof(WmConfig, max_edge_error)},
    {"maxVerticesPerPolygon", FIELD_INTEGER, offsetof(WmConfig, max_vertices_per_polygon)},
    {"detailSampleDistance", FIELD_REAL, offsetof(WmConfig, detail_sample_distance)},
    {"detailMaxError", FIELD_REAL, offsetof(WmConfig, detail_max_error)},
    {"tileSize", FIELD_INTEGER, offsetof(WmConfig, tile_size)},
    {"filterLowHangingObstacles", FIELD_SWITCH, offsetof(WmConfig, filter_low_hanging_obstacles)},
    {"filterLedges", FIELD_SWITCH, offsetof(WmConfig, filter_ledges)},
    {"filterLowHeight", FIELD_SWITCH, offsetof(WmConfig, filter_low_height)},
    {"medianFilter", FIELD_SWITCH, offsetof(WmConfig, median_filter)},
};
enum { CONFIG_FIELD_COUNT = sizeof CONFIG_FIELDS / sizeof *CONFIG_FIELDS };

/* The name of field `index`, or NULL after the last. */
EXPORT(config_field_name) const char *export_config_field_name(uint32_t index) {
  return index < CONFIG_FIELD_COUNT ? CONFIG_FIELDS[index].name : NULL;
}

EXPORT(bake_get) double export_bake_get(const Bake *bake, uint32_t index) {
  if (index >= CONFIG_FIELD_COUNT) return 0;
  const char *address = (const char *)&bake->config + CONFIG_FIELDS[index].offset;
  switch (CONFIG_FIELDS[index].kind) {
    case FIELD_REAL: return *(const float *)address;
    case FIELD_INTEGER: return *(const int32_t *)address;
    case FIELD_SWITCH: return *(const bool *)address;
  }
  return 0;
}

EXPORT(bake_set) WmStatus export_bake_set(Bake *bake, uint32_t index, double value) {
  if (index >= CONFIG_FIELD_COUNT) {
    return wm_fail(bake->session->context, WM_ERROR_INVALID_ARGUMENT, NULL, "no such configuration field");
  }
  const ConfigField *field = &CONFIG_FIELDS[index];
  char *address = (char *)&bake->config + field->offset;
  switch (field->kind) {
    case FIELD_REAL: *(float *)address = (float)value; break;
    case FIELD_INTEGER:
      return session_read_integer(bake->session, WM_ERROR_CONFIGURATION, field->name, value,
                                  (int32_t *)address);
    case FIELD_SWITCH: *(bool *)address = value != 0; break;
  }
  return WM_OK;
}

/* Parameters: minimum[3], maximum[3]. */
EXPORT(bake_set_bounds) void export_bake_set_bounds(Bake *bake) {
  bake->config.has_bounds = true;
  session_read_floats(bake->session, 0, 3, bake->config.bounds_min);
  session_read_floats(bake->session, 3, 3, bake->config.bounds_max);
}

/* ---- Running ------------------------------------------------------------------------------------------- */

EXPORT(bake_start) WmStatus export_bake_start(Bake *bake) {
  WmContext *context = bake->session->context;
  WmTriangles *triangles = &bake->input.triangles;
  if (bake->baker) return wm_fail(context, WM_ERROR_STATE, NULL, "the bake was started before");
  if (!bake->positions || !bake->indices) {
    return wm_fail(context, WM_ERROR_STATE, NULL, "positions and indices must be given first");
  }
  const size_t stride = triangles->position_stride;
  if (stride < 3 || (bake->position_count % stride != 0 && bake->position_count % stride < 3)) {
    return wm_fail(context, WM_ERROR_GEOMETRY, "positions",
                   "positions: the length is not a multiple of the stride (3 where none is given)");
  }
  if (bake->index_count % 3) {
    return wm_fail(context, WM_ERROR_GEOMETRY, "indices", "indices: the length is not a multiple of 3");
  }
  triangles->triangle_count = bake->index_count / 3;
  if (bake->areas && bake->area_count != triangles->triangle_count) {
    return wm_fail(context, WM_ERROR_GEOMETRY, "areas", "areas: there must be one for every triangle");
  }
  triangles->positions = bake->positions;
  triangles->vertex_count = (bake->position_count + stride - 3) / stride;
  triangles->indices = bake->indices;
  triangles->areas = bake->areas;
  bake->input.solids = bake->solids;
  bake->input.volumes = bake->volumes;
  bake->input.connections = bake->connections;
  bake->input.area_flags = bake->area_flags;
  return wm_baker_create(context, &bake->config, &bake->input, &bake->baker);
}

/* Results: bounds minimum[3], maximum[3], width, depth, walkable height, climb, radius, longest edge, region
 * areas (minimum, merge), detail distance, detail error, border, tiles on x and z, side of a tile, warnings. */
EXPORT(bake_info) void export_bake_info(Bake *bake) {
  double *results = bake->session->results;
  float bounds[6];
  wm_baker_bounds(bake->baker, bounds, bounds + 3);
  for (int i = 0; i < 6; i++) results[i] = bounds[i];
  const WmVoxelConfig *voxels = wm_baker_voxels(bake->baker);
  const double values[] = {
      voxels->width, voxels->depth, voxels->walkable_height, voxels->walkable_climb,
      voxels->walkable_radius, voxels->max_edge_cells, voxels->min_region_cells, voxels->merge_region_cells,
      voxels->detail_sample_distance_world, voxels->detail_max_error_world, voxels->border_size,
      voxels->tile_count_x, voxels->tile_count_z, voxels->tile_world_size, wm_baker_warnings(bake->baker)};
  memcpy(results + 6, values, sizeof values);
}

EXPORT(bake_begin_tile) WmStatus export_bake_begin_tile(Bake *bake, int x, int z, int keep_stages) {
  return wm_baker_begin_tile(bake->baker, x, z, keep_stages != 0);
}

/* The number of the stage the next step runs; as many as there are stages when the tile is finished. */
EXPORT(bake_next_stage) int export_bake_next_stage(Bake *bake) { return (int)wm_baker_next_stage(bake->baker); }

EXPORT(bake_step) WmStatus export_bake_step(Bake *bake) { return wm_baker_step(bake->baker); }

/* ---- Results ------------------------------------------------------------------------------------------- */

/* Results: spans of the heightfield and of the compact one, largest distance, regions, contours, their
 * simplified and raw vertices, vertices and polygons of the mesh, vertices and triangles of the detail mesh,
 * bytes of the tile. 0 where the array does not stand. */
EXPORT(bake_counts) void export_bake_counts(Bake *bake) {
  const WmBakeStages *stages = wm_baker_stages(bake->baker);
  const WmContourSet *contours = &stages->contours;
  const bool traced = contours->block != NULL;
  const double values[] = {stages->heightfield.span_count,
                           stages->compact.span_count,
                           stages->distance.max_distance,
                           stages->regions.region_count,
                           contours->contour_count,
                           traced ? contours->vertex_first[contours->contour_count] : 0,
                           traced ? contours->raw_first[contours->contour_count] : 0,
                           stages->polygon_mesh.vertex_count,
                           stages->polygon_mesh.polygon_count,
                           stages->detail_mesh.vertex_count,
                           stages->detail_mesh.triangle_count,
                           (double)stages->tile.byte_count};
  memcpy(bake->session->results, values, sizeof values);
}

/* Whether the array stands: its stage has run and nothing has freed it. */
static bool stands(const Bake *bake, DumpArray array) {
  const WmBakeStages *stages = wm_baker_stages(bake->baker);
  switch (array) {
    case DUMP_TRIANGLE_AREAS: return true;
    case DUMP_HEIGHTFIELD: return stages->heightfield.block;
    case DUMP_COMPACT:
    case DUMP_AREAS: return stages->compact.block;
    case DUMP_DISTANCE: return stages->distance.block;
    case DUMP_REGIONS: return stages->regions.block;
    case DUMP_CONTOURS: return stages->contours.block;
    case DUMP_POLYGON_MESH: return stages->polygon_mesh.block;
    case DUMP_DETAIL_MESH: return stages->detail_mesh.block;
    case DUMP_TILE: return stages->tile.bytes;
    case DUMP_COUNT: break;
  }
  return false;
}

static WmStatus write_dump(Bake *bake, DumpArray array, WmBytes *out) {
  WmContext *context = bake->session->context;
  const WmBakeStages *stages = wm_baker_stages(bake->baker);
  switch (array) {
    case DUMP_HEIGHTFIELD: return wm_dump_heightfield(context, &stages->heightfield, out);
    case DUMP_COMPACT: {
      const bool kept = stages->heightfield.block != NULL;
      return wm_dump_compact(context, &stages->compact, kept ? &stages->heightfield : NULL, out);
    }
    case DUMP_AREAS: return wm_dump_areas(context, &stages->compact, out);
    case DUMP_DISTANCE: return wm_dump_distance(context, &stages->distance, out);
    case DUMP_REGIONS: return wm_dump_regions(context, &stages->regions, out);
    case DUMP_CONTOURS: return wm_dump_contours(context, &stages->contours, out);
    case DUMP_POLYGON_MESH: return wm_dump_polygon_mesh(context, &stages->polygon_mesh, out);
    case DUMP_DETAIL_MESH: return wm_dump_detail_mesh(context, &stages->detail_mesh, out);
    default: return wm_fail(context, WM_ERROR_INVALID_ARGUMENT, "array", "no such array");
  }
}

/* Writes an array in the layout of tests/golden/README.md. Results: address, bytes (valid until the next
 * dump or step; address 0 where the array does not stand). */
EXPORT(bake_dump) WmStatus export_bake_dump(Bake *bake, int array) {
  Session *session = bake->session;
  wm_block_free(session->context, bake->dump.bytes);
  bake->dump = (WmBytes){0};
  session_return_bytes(session, NULL, 0);
  if (!stands(bake, (DumpArray)array)) return WM_OK;
  if (array == DUMP_TRIANGLE_AREAS) {
    session_return_bytes(session, wm_baker_triangle_areas(bake->baker), bake->index_count / 3);
    return WM_OK;
  }
  if (array == DUMP_TILE) {
    const WmTileData *tile = &wm_baker_stages(bake->baker)->tile;
    session_return_bytes(session, tile->bytes, tile->byte_count);
    return WM_OK;
  }
  const WmStatus status = write_dump(bake, (DumpArray)array, &bake->dump);
  if (!status) session_return_bytes(session, bake->dump.bytes, bake->dump.byte_count);
  return status;
}

/* Hands the finished tile over. Results: address (memory_free it), bytes; 0, 0 where it has no polygons. */
EXPORT(bake_take_tile) void export_bake_take_tile(Bake *bake) {
  WmTileData tile = wm_baker_take_tile(bake->baker);
  if (!tile.byte_count) wm_tile_data_free(bake->session->context, &tile);
  session_return_bytes(bake->session, tile.byte_count ? tile.bytes : NULL, tile.byte_count);
}
