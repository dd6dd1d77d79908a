/* Golden traces of arguments that are out of range (trace.h): every field of every struct that callers fill takes
 * values at and beyond its limits. The call has the same result as ever, or fails with the same status, field and
 * message. */
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "crowd_trace.h"
#include "dynamic/obstacles/motion.h"
#include "dynamic_world.h"
#include "query/local/move.h"
#include "query/local/neighbourhood.h"
#include "query/local/overlap.h"
#include "query/local/raycast.h"
#include "query/local/walls.h"
#include "query/search/flood.h"
#include "query/local/random.h"
#include "query/search/path.h"
#include "query/switches/switches.h"
#include "trace.h"

typedef enum Kind { REAL, WORD, HALF, BYTE } Kind;

typedef struct Field {
  size_t offset, count;
  Kind kind;
} Field;

#define REALS(type, member) \
  { offsetof(type, member), sizeof(((type *)0)->member) / sizeof(float), REAL }
#define WORDS(type, member) \
  { offsetof(type, member), 1, WORD }
#define HALVES(type, member) \
  { offsetof(type, member), 1, HALF }
#define BYTES(type, member) \
  { offsetof(type, member), 1, BYTE }
#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Everything that calls need. */
typedef struct Stage {
  World world;
  WmQuery *query;
  WmSwitches *switches;
  WmCrowd *crowd;
  WmAgent agent;
} Stage;

static Stage stage;

typedef void (*Call)(const void *argument);

static void put(uint8_t *at, Kind kind, size_t choice) {
  static const float NUMBERS[] = {NAN,   INFINITY, -INFINITY, -1,      0,     FLT_MIN, 0.5f, 1,
                                  89.9f, 91,       127.5f,    1000.5f, 10001, 1e7f,    1e9f, FLT_MAX};
  static const uint32_t INTEGERS[] = {0,  1,  2,   3,   4,   5,    6,    7,         8,
                                      63, 64, 255, 256, 257, 4096, 4097, INT32_MAX, UINT32_MAX};
  const uint32_t integer = INTEGERS[choice % COUNT(INTEGERS)];
  const uint16_t half = (uint16_t)integer;
  const uint8_t byte = (uint8_t)integer;
  switch (kind) {
    case REAL: memcpy(at, &NUMBERS[choice % COUNT(NUMBERS)], 4); break;
    case WORD: memcpy(at, &integer, 4); break;
    case HALF: memcpy(at, &half, 2); break;
    case BYTE: *at = byte; break;
  }
}

/* Calls with each value of each field of an argument. */
static void poke(const void *argument, size_t byte_count, const Field *fields, size_t field_count,
                 Call call) {
  static const size_t SIZES[] = {4, 4, 2, 1};
  static _Alignas(16) uint8_t copy[1024];
  CHECK(byte_count <= sizeof copy);
  for (size_t f = 0; f < field_count; f++) {
    for (size_t i = 0; i < fields[f].count; i++) {
      for (size_t choice = 0; choice < 18; choice++) {
        memcpy(copy, argument, byte_count);
        put(copy + fields[f].offset + i * SIZES[fields[f].kind], fields[f].kind, choice);
        call(copy);
      }
    }
  }
}

/* Results are filled with this before a call, so that one which it does not set is noticed. */
#define SOIL(result) memset(&(result), 0x55, sizeof(result))

/* ---- Bakes -------------------------------------------------------------------------------------------- */

static WmBakeInput bake_input;
static WmConfig bake_config;

static void bake(const WmConfig *config, const WmBakeInput *input) {
  WmContext *context = stage.world.context;
  WmBaker *baker;
  SOIL(baker);
  WmStatus status = wm_baker_create(context, config, input, &baker);
  trace_status(context, status);
  trace_number(baker != NULL);
  if (!status) {
    const WmVoxelConfig *voxels = wm_baker_voxels(baker);
    TRACE(*voxels);
    trace_number(wm_baker_warnings(baker));
    if ((int64_t)voxels->width * voxels->depth > 10000) {
      wm_baker_destroy(baker);
      return;
    }
    status = wm_baker_bake_tile(baker, 0, 0);
    trace_status(context, status);
    WmTileData tile = wm_baker_take_tile(baker);
    trace_fold(tile.bytes, tile.byte_count);
    wm_tile_data_free(context, &tile);
  }
  wm_baker_destroy(baker);
}

static void bake_with_config(const void *config) { bake(config, &bake_input); }

static void bake_with_volume(const void *volume) {
  WmBakeInput input = bake_input;
  input.volumes = volume;
  input.volume_count = 1;
  bake(&bake_config, &input);
}

static void bake_with_solid(const void *solid) {
  WmBakeInput input = bake_input;
  input.solids = solid;
  input.solid_count = 1;
  bake(&bake_config, &input);
}

static void bake_with_connection(const void *connection) {
  WmBakeInput input = bake_input;
  input.connections = connection;
  input.connection_count = 1;
  bake(&bake_config, &input);
}

static void bake_with_corner(const void *corner) {
  float positions[12];
  memcpy(positions, bake_input.triangles.positions, sizeof positions);
  memcpy(positions + 6, corner, 3 * sizeof(float));
  WmBakeInput input = bake_input;
  input.triangles.positions = positions;
  bake(&bake_config, &input);
}

static void bake_with_index(const void *index) {
  uint32_t indices[6];
  memcpy(indices, bake_input.triangles.indices, sizeof indices);
  memcpy(indices + 4, index, sizeof *indices);
  WmBakeInput input = bake_input;
  input.triangles.indices = indices;
  bake(&bake_config, &input);
}

static const Field VOLUME_FIELDS[] = {
    WORDS(WmAreaVolume, kind),    BYTES(WmAreaVolume, area),   REALS(WmAreaVolume, minimum),
    REALS(WmAreaVolume, maximum), REALS(WmAreaVolume, centre), REALS(WmAreaVolume, half_extents),
    REALS(WmAreaVolume, yaw),     REALS(WmAreaVolume, radius), REALS(WmAreaVolume, height)};

static const float OUTLINE_POINTS[4][3] = {{2, 0, 2}, {2, 0, 5}, {5, 0, 5}, {5, 0, 2}};

static WmAreaVolume make_volume(int32_t kind) {
  return (WmAreaVolume){.kind = kind,
                        .area = 3,
                        .before_erosion = true,
                        .minimum = {2, -1, 2},
                        .maximum = {5, 2, 5},
                        .centre = {4, 0, 4},
                        .half_extents = {1, 1, 2},
                        .yaw = 0.3f,
                        .radius = 1.5f,
                        .height = 2,
                        .vertices = OUTLINE_POINTS[0],
                        .vertex_count = 4};
}

static void bakes_take_what_they_took(void) {
  static const Field CONFIG[] = {REALS(WmConfig, cell_size),
                                 REALS(WmConfig, cell_height),
                                 REALS(WmConfig, agent_height),
                                 REALS(WmConfig, agent_radius),
                                 REALS(WmConfig, agent_max_climb),
                                 REALS(WmConfig, agent_max_slope),
                                 WORDS(WmConfig, partition),
                                 WORDS(WmConfig, chunk_size),
                                 REALS(WmConfig, min_region_size),
                                 REALS(WmConfig, merge_region_size),
                                 REALS(WmConfig, max_edge_length),
                                 REALS(WmConfig, max_edge_error),
                                 WORDS(WmConfig, max_vertices_per_polygon),
                                 REALS(WmConfig, detail_sample_distance),
                                 REALS(WmConfig, detail_max_error),
                                 WORDS(WmConfig, tile_size),
                                 WORDS(WmConfig, heights)};
  static const Field BOUNDS[] = {REALS(WmConfig, bounds_min), REALS(WmConfig, bounds_max)};
  static const Field SOLID[] = {WORDS(WmSolid, kind), BYTES(WmSolid, area),      REALS(WmSolid, start),
                                REALS(WmSolid, end),  REALS(WmSolid, half_axes), REALS(WmSolid, radius)};
  static const Field CONNECTION[] = {REALS(WmOffMeshConnection, start),  REALS(WmOffMeshConnection, end),
                                     REALS(WmOffMeshConnection, radius), HALVES(WmOffMeshConnection, flags),
                                     BYTES(WmOffMeshConnection, area),   WORDS(WmOffMeshConnection, user_id)};
  static const Field CORNER[] = {{0, 3, REAL}}, INDEX[] = {{0, 1, WORD}};
  trace_begin("bake");
  bake_input = scene_input(&stage.world.scene);
  bake_config = wm_config_default();
  bake_config.cell_size = 0.5f;
  poke(&bake_config, sizeof bake_config, CONFIG, COUNT(CONFIG), bake_with_config);
  WmConfig bounded = bake_config;
  bounded.has_bounds = true;
  const float high[3] = {6, 2, 6};
  memcpy(bounded.bounds_max, high, sizeof high);
  poke(&bounded, sizeof bounded, BOUNDS, COUNT(BOUNDS), bake_with_config);
  for (int32_t kind = 0; kind < 6; kind++) {
    const WmAreaVolume volume = make_volume(kind);
    poke(&volume, sizeof volume, VOLUME_FIELDS, COUNT(VOLUME_FIELDS), bake_with_volume);
  }
  for (int32_t kind = 0; kind < 4; kind++) {
    const WmSolid solid = {.kind = kind,
                           .area = 63,
                           .start = {3, 0, 3},
                           .end = {5, 1, 5},
                           .half_axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                           .radius = 1};
    poke(&solid, sizeof solid, SOLID, COUNT(SOLID), bake_with_solid);
  }
  const WmOffMeshConnection connection = {
      .start = {1, 0, 1}, .end = {6, 0, 6}, .radius = 1, .flags = 1, .bidirectional = true};
  poke(&connection, sizeof connection, CONNECTION, COUNT(CONNECTION), bake_with_connection);
  const float corner[3] = {6, 0, 6};
  const uint32_t index = 2;
  poke(corner, sizeof corner, CORNER, 1, bake_with_corner);
  poke(&index, sizeof index, INDEX, 1, bake_with_index);
  trace_end();
}

/* ---- Dynamic meshes ----------------------------------------------------------------------------------- */

static void add_obstacle(const void *volume) {
  WmObstacle obstacle = 77;
  WmDynamic *dynamic = stage.world.dynamic;
  const WmStatus status = wm_dynamic_add_obstacle(dynamic, volume, &obstacle);
  trace_status(stage.world.context, status);
  TRACE(obstacle);
  if (status) return;
  bool is_outside = false;
  trace_status(stage.world.context, wm_dynamic_is_outside(dynamic, obstacle, &is_outside));
  trace_number(is_outside);
  trace_number(wm_dynamic_dirty_count(dynamic));
  trace_status(stage.world.context, wm_dynamic_remove_obstacle(dynamic, obstacle));
}

static void add_moving(const void *motion) {
  const WmAreaVolume volume = make_volume(WM_AREA_VOLUME_CYLINDER);
  WmObstacle obstacle = 77;
  const WmStatus status = wm_dynamic_add_moving_obstacle(stage.world.dynamic, &volume, motion, &obstacle);
  trace_status(stage.world.context, status);
  TRACE(obstacle);
  if (!status) CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(stage.world.dynamic, obstacle), WM_OK);
}

static void advance(const void *seconds) {
  trace_status(stage.world.context, wm_dynamic_advance(stage.world.dynamic, *(const float *)seconds));
}

static void focus(const void *point) {
  trace_status(stage.world.context, wm_dynamic_set_focus(stage.world.dynamic, point, 1));
}

static void dynamic_meshes_take_what_they_took(void) {
  static const Field MOTION[] = {WORDS(WmObstacleMotion, carving), REALS(WmObstacleMotion, move_threshold),
                                 REALS(WmObstacleMotion, time_to_rest)};
  static const Field NUMBER[] = {{0, 1, REAL}}, POINT[] = {{0, 3, REAL}};
  trace_begin("dynamic");
  for (int32_t kind = 0; kind < 6; kind++) {
    const WmAreaVolume volume = make_volume(kind);
    poke(&volume, sizeof volume, VOLUME_FIELDS, COUNT(VOLUME_FIELDS), add_obstacle);
    wm_dynamic_refuse_outside(stage.world.dynamic, kind % 2 == 0);
  }
  const WmObstacleMotion motion = wm_obstacle_motion_default();
  poke(&motion, sizeof motion, MOTION, COUNT(MOTION), add_moving);
  const float seconds = 0, point[3] = {0};
  poke(&seconds, sizeof seconds, NUMBER, 1, advance);
  poke(point, sizeof point, POINT, 1, focus);
  trace_end();
}

/* ---- Meshes and switches ------------------------------------------------------------------------------ */

static void create_mesh(const void *parameters) {
  WmMesh *mesh;
  SOIL(mesh);
  trace_status(stage.world.context, wm_mesh_create(stage.world.context, parameters, &mesh));
  trace_number(mesh != NULL);
  wm_mesh_destroy(mesh);
}

static void connect(const void *connection) {
  WmRef ref = 77;
  WmConnection settings;
  float ends[2][3];
  int tied = 0;
  WmMesh *mesh = stage.world.mesh;
  const WmStatus status = wm_mesh_add_connection(mesh, connection, &ref);
  trace_status(stage.world.context, status);
  TRACE(ref);
  if (status) return;
  trace_status(stage.world.context, wm_mesh_connection(mesh, ref, &settings, ends, &tied));
  TRACE(ends);
  TRACE(tied);
  TRACE(settings.cost_factor);
  trace_status(stage.world.context, wm_mesh_remove_connection(mesh, ref));
}

static void add_switch(const void *volume) {
  WmSwitch number = 77;
  const WmStatus status = wm_switch_add(stage.switches, volume, 2, 1, true, &number);
  trace_status(stage.world.context, status);
  TRACE(number);
  if (status) return;
  const WmRef *polygons;
  size_t count = 0;
  CHECK_EQUAL_INT(wm_switch_polygons(stage.switches, number, &polygons, &count), WM_OK);
  trace_number(count);
  CHECK_EQUAL_INT(wm_switch_remove(stage.switches, number), WM_OK);
}

static void meshes_take_what_they_took(void) {
  static const Field PARAMETERS[] = {
      REALS(WmMeshParameters, origin),       REALS(WmMeshParameters, tile_width),
      REALS(WmMeshParameters, tile_depth),   WORDS(WmMeshParameters, tile_count_x),
      WORDS(WmMeshParameters, tile_count_z), REALS(WmMeshParameters, cell_size),
      REALS(WmMeshParameters, agent_radius), REALS(WmMeshParameters, agent_height),
      REALS(WmMeshParameters, cell_height)};
  static const Field CONNECTION[] = {REALS(WmConnection, start),  REALS(WmConnection, end),
                                     REALS(WmConnection, radius), REALS(WmConnection, climb),
                                     BYTES(WmConnection, area),   REALS(WmConnection, cost_factor)};
  static const Field VOLUME[] = {
      WORDS(WmSwitchVolume, kind),    WORDS(WmSwitchVolume, area),   REALS(WmSwitchVolume, minimum),
      REALS(WmSwitchVolume, maximum), REALS(WmSwitchVolume, centre), REALS(WmSwitchVolume, half_extents),
      REALS(WmSwitchVolume, yaw),     REALS(WmSwitchVolume, radius), REALS(WmSwitchVolume, height)};
  trace_begin("mesh");
  const WmMeshParameters *parameters = wm_mesh_parameters(stage.world.mesh);
  poke(parameters, sizeof *parameters, PARAMETERS, COUNT(PARAMETERS), create_mesh);
  WmConnection connection = wm_connection_default(stage.world.mesh);
  connection.start[0] = connection.start[2] = 3;
  connection.end[0] = connection.end[2] = 8;
  poke(&connection, sizeof connection, CONNECTION, COUNT(CONNECTION), connect);
  for (int32_t kind = 0; kind < 4; kind++) {
    const WmSwitchVolume volume = {.kind = kind,
                                   .area = -1,
                                   .minimum = {2, -1, 2},
                                   .maximum = {5, 2, 5},
                                   .centre = {4, 0, 4},
                                   .half_extents = {1, 1, 2},
                                   .radius = 1.5f,
                                   .height = 2,
                                   .vertices = OUTLINE_POINTS[0],
                                   .vertex_count = 4};
    poke(&volume, sizeof volume, VOLUME, COUNT(VOLUME), add_switch);
  }
  trace_end();
}

/* ---- Queries ------------------------------------------------------------------------------------------ */

static WmRef query_polygon;

static void trace_path(const WmPath *path) {
  const uint64_t numbers[] = {path->state, path->reason, path->cut, path->polygon_count, path->point_count};
  TRACE(numbers);
  TRACE(path->cost);
  TRACE(path->length);
  TRACE(path->remaining);
  TRACE(path->start.polygon);
  TRACE(path->end.polygon);
  trace_fold(path->points, path->point_count * 3 * sizeof(float));
}

static void trace_nearest(const WmNearest *nearest) {
  TRACE(nearest->polygon);
  TRACE(nearest->point);
  trace_number(nearest->over);
}

static void trace_polygons(WmStatus status, const WmPolygons *polygons) {
  trace_status(stage.world.context, status);
  trace_number(polygons->count);
  trace_number(polygons->cut);
  trace_fold(polygons->polygons, polygons->count * sizeof *polygons->polygons);
}

static void find_path(const void *options) {
  const float from[3] = {2, 0, 2}, to[3] = {16, 0, 12};
  WmPath path;
  SOIL(path);
  trace_status(stage.world.context, wm_query_find_path(stage.query, from, to, options, &path));
  trace_path(&path);
  SOIL(path);
  trace_status(stage.world.context, wm_query_find_smooth_path(stage.query, from, to, 1, options, &path));
  trace_path(&path);
}

static void flood(const void *options) {
  const float at[3] = {4, 0, 4};
  WmFlood found;
  SOIL(found);
  trace_status(stage.world.context, wm_query_flood(stage.query, query_polygon, at, options, &found));
  trace_number(found.count);
  trace_number(found.cut);
  trace_fold(found.costs, found.count * sizeof *found.costs);
}

static void find_nearest(const void *options) {
  const float at[3] = {4, 0.5f, 4};
  WmNearest nearest;
  SOIL(nearest);
  trace_status(stage.world.context, wm_query_find_nearest_point(stage.query, at, options, &nearest));
  trace_nearest(&nearest);
}

static void find_random(const void *options) {
  WmRandom random = wm_random_seeded(3);
  WmNearest nearest;
  SOIL(nearest);
  trace_status(stage.world.context, wm_query_random_point(stage.query, &random, options, &nearest));
  trace_nearest(&nearest);
}

static void ask_around(const float *from, const float *to, float distance) {
  WmContext *context = stage.world.context;
  WmRay ray;
  WmMove move;
  WmWall wall;
  SOIL(ray);
  SOIL(move);
  SOIL(wall);
  trace_status(context, wm_query_raycast(stage.query, query_polygon, from, to, NULL, true, 0, &ray));
  TRACE(ray.t);
  TRACE(ray.point);
  TRACE(ray.normal);
  TRACE(ray.cost);
  TRACE(ray.polygon);
  trace_number(ray.polygon_count);
  trace_status(context, wm_query_move_along_surface(stage.query, query_polygon, from, to, NULL, true, &move));
  TRACE(move.point);
  TRACE(move.polygon);
  trace_number(move.polygon_count);
  trace_status(context, wm_query_distance_to_wall(stage.query, query_polygon, from, distance, NULL, &wall));
  TRACE(wall.distance);
  TRACE(wall.point);
  TRACE(wall.normal);
  TRACE(wall.segment);
  trace_number(wall.found);
}

/* Numbers [10]: two points, three half extents, a radius. */
static void ask_numbers(const void *argument) {
  const float *numbers = argument, *from = numbers, *to = numbers + 3, *extents = numbers + 6;
  const float outline[9] = {from[0], 0, from[2], to[0], 0, from[2], to[0], 0, to[2]}, reach = numbers[9];
  WmQuery *query = stage.query;
  WmContext *context = stage.world.context;
  WmNearest nearest;
  WmPolygons polygons;
  WmPath path;
  SOIL(nearest);
  trace_status(context, wm_query_find_nearest(query, from, extents, NULL, &nearest));
  trace_nearest(&nearest);
  SOIL(nearest);
  trace_status(context, wm_query_closest_point(query, query_polygon, from, &nearest));
  trace_nearest(&nearest);
  SOIL(nearest);
  trace_status(context, wm_query_closest_boundary_point(query, query_polygon, from, &nearest));
  trace_nearest(&nearest);
  ask_around(from, to, reach);
  SOIL(path);
  trace_status(context, wm_query_straighten(query, from, to, &query_polygon, 1, WM_CROSSINGS_NONE, 0, &path));
  trace_path(&path);
  SOIL(polygons);
  trace_polygons(wm_query_local_neighbourhood(query, query_polygon, from, reach, NULL, 0, &polygons),
                 &polygons);
  SOIL(polygons);
  trace_polygons(wm_query_polygons_in_box(query, from, extents, NULL, 0, &polygons), &polygons);
  SOIL(polygons);
  trace_polygons(wm_query_polygons_in_circle(query, from, reach, extents[2], NULL, 0, &polygons), &polygons);
  SOIL(polygons);
  trace_polygons(wm_query_polygons_in_convex(query, outline, 3, from[1], to[1], NULL, 0, &polygons),
                 &polygons);
}

static void queries_take_what_they_took(void) {
  static const Field PATH[] = {REALS(WmPathOptions, half_extents), REALS(WmPathOptions, search.ray_limit),
                               WORDS(WmPathOptions, search.max_nodes), WORDS(WmPathOptions, max_points)};
  static const Field FLOOD[] = {REALS(WmFloodOptions, radius), REALS(WmFloodOptions, max_cost),
                                WORDS(WmFloodOptions, max_polygons)};
  static const Field NEAREST[] = {REALS(WmNearestOptions, half_extents), REALS(WmNearestOptions, radius)};
  static const Field RANDOM[] = {WORDS(WmRandomOptions, area), WORDS(WmRandomOptions, island)};
  static const Field NUMBERS[] = {{0, 10, REAL}};
  trace_begin("query");
  query_polygon = wm_mesh_tile(stage.world.mesh, 0)->ref;
  WmPathOptions path = wm_path_options_default();
  for (int i = 0; i < 3; i++) {
    path.search.any_angle = i == 1;
    path.search.shortest = i == 2;
    poke(&path, sizeof path, PATH, COUNT(PATH), find_path);
  }
  const WmFloodOptions flooding = wm_flood_options_default();
  poke(&flooding, sizeof flooding, FLOOD, COUNT(FLOOD), flood);
  const WmNearestOptions nearest = wm_nearest_options_default();
  poke(&nearest, sizeof nearest, NEAREST, COUNT(NEAREST), find_nearest);
  const WmRandomOptions random = wm_random_options_default();
  poke(&random, sizeof random, RANDOM, COUNT(RANDOM), find_random);
  const float numbers[10] = {3, 0, 3, 7, 1, 6, 2, 2, 2, 4};
  poke(numbers, sizeof numbers, NUMBERS, 1, ask_numbers);
  trace_end();
}

/* ---- Crowds ------------------------------------------------------------------------------------------- */

static void step_twice(void) {
  for (int i = 0; i < 2; i++) {
    WmCrowdStep step = {0};
    trace_status(stage.world.context, wm_crowd_step(stage.crowd, 1.0f / 30, &step));
    trace_number(step.searched);
  }
  trace_number(wm_crowd_hash(stage.crowd));
}

static void set_parameters(const void *parameters) {
  trace_status(stage.world.context, wm_crowd_set_parameters(stage.crowd, 1, &stage.agent, parameters, 1));
  step_twice();
}

static void set_options(const void *options) {
  trace_status(stage.world.context, wm_crowd_set_options(stage.crowd, options));
  step_twice();
}

static void order_point(const void *point) {
  WmContext *context = stage.world.context;
  WmCrowd *crowd = stage.crowd;
  const WmAgent agent = stage.agent;
  trace_status(context, wm_crowd_set_targets(crowd, 1, &agent, point, false));
  step_twice();
  trace_status(context, wm_crowd_set_velocities(crowd, 1, &agent, point, false));
  step_twice();
  trace_status(context, wm_crowd_move(crowd, 1, &agent, point, false));
  trace_status(context, wm_crowd_set_focus(crowd, 1, point));
  const float radius = 1;
  trace_status(context, wm_crowd_set_obstacles(crowd, 1, point, point, &radius, NULL));
  trace_status(context, wm_crowd_set_obstacles(crowd, 1, (const float[3]){3, 0, 3}, NULL, point, point));
  step_twice();
  trace_status(context, wm_crowd_warp(crowd, 1, &agent, point, false));
  trace_status(context, wm_crowd_warp(crowd, 1, &agent, (const float[3]){4, 0, 4}, false));
}

static void name_agent(const void *handle) {
  WmContext *context = stage.world.context;
  WmCrowd *crowd = stage.crowd;
  WmAgent agent;
  size_t index = 77;
  memcpy(&agent, handle, sizeof agent);
  trace_status(context, wm_crowd_index(crowd, agent, &index));
  trace_number(index);
  trace_status(context, wm_crowd_stop(crowd, 1, &agent));
  trace_status(context, wm_crowd_begin_connection(crowd, agent));
  trace_status(context, wm_crowd_set_connection_progress(crowd, agent, 0.5f));
  trace_status(context, wm_crowd_complete_connection(crowd, agent));
}

static void number_filter(const void *number) {
  const WmFilter filter = wm_filter_default();
  trace_status(stage.world.context, wm_crowd_set_filter(stage.crowd, *(const uint32_t *)number, &filter));
}

static void set_filter(const void *filter) {
  trace_status(stage.world.context, wm_crowd_set_filter(stage.crowd, 0, filter));
  step_twice();
}

static void step_for(const void *seconds) {
  WmCrowdStep step = {0};
  trace_status(stage.world.context, wm_crowd_step(stage.crowd, *(const float *)seconds, &step));
  TRACE(step.simulated);
  trace_number(step.substeps);
}

static void crowds_take_what_they_took(void) {
  static const Field PARAMETERS[] = {
      REALS(WmAgentParameters, radius),        REALS(WmAgentParameters, height),
      REALS(WmAgentParameters, max_speed),     REALS(WmAgentParameters, max_acceleration),
      REALS(WmAgentParameters, turning_speed), REALS(WmAgentParameters, stopping_distance),
      REALS(WmAgentParameters, separation),    REALS(WmAgentParameters, horizon),
      WORDS(WmAgentParameters, avoidance),     WORDS(WmAgentParameters, priority),
      WORDS(WmAgentParameters, filter),        WORDS(WmAgentParameters, type)};
  static const Field OPTIONS[] = {
      WORDS(WmCrowdOptions, search_budget),   WORDS(WmCrowdOptions, max_search_nodes),
      REALS(WmCrowdOptions, max_step),        WORDS(WmCrowdOptions, max_substeps),
      REALS(WmCrowdOptions, place_extents),   REALS(WmCrowdOptions, focus_radius),
      REALS(WmCrowdOptions, neighbour_range), WORDS(WmCrowdOptions, max_fields),
      REALS(WmCrowdOptions, patience)};
  static const Field POINT[] = {{0, 3, REAL}}, HANDLE[] = {{0, 1, WORD}, {4, 1, WORD}},
                     NUMBER[] = {{0, 1, WORD}};
  static const Field FILTER[] = {HALVES(WmFilter, include_flags), HALVES(WmFilter, exclude_flags),
                                 REALS(WmFilter, area_costs[0]), REALS(WmFilter, area_costs[63])};
  static const Field SECONDS[] = {{0, 1, REAL}};
  trace_begin("crowd");
  const WmAgentParameters parameters = wm_agent_parameters_default();
  const float point[3] = {12, 0, 9}, second = 0.1f;
  for (int i = 0; i < 4; i++) {
    const float at[3] = {5 + (float)i, 0, 5};
    CHECK_EQUAL_INT(wm_crowd_add_agents(stage.crowd, 1, at, &parameters, 1, &stage.agent), WM_OK);
    CHECK_EQUAL_INT(wm_crowd_set_targets(stage.crowd, 1, &stage.agent, point, false), WM_OK);
  }
  poke(&parameters, sizeof parameters, PARAMETERS, COUNT(PARAMETERS), set_parameters);
  set_parameters(&parameters);
  const WmCrowdOptions options = wm_crowd_options_default();
  poke(&options, sizeof options, OPTIONS, COUNT(OPTIONS), set_options);
  set_options(&options);
  poke(point, sizeof point, POINT, 1, order_point);
  poke(&stage.agent, sizeof stage.agent, HANDLE, COUNT(HANDLE), name_agent);
  const uint32_t number = 0;
  poke(&number, sizeof number, NUMBER, 1, number_filter);
  const WmFilter filter = wm_filter_default();
  poke(&filter, sizeof filter, FILTER, COUNT(FILTER), set_filter);
  poke(&second, sizeof second, SECONDS, 1, step_for);
  trace_end();
}

int main(void) {
  WmContext *context = wm_context_create(NULL);
  trace_open("refusals");
  open_square(&stage.world, context, 2);
  CHECK_EQUAL_INT(wm_query_create(context, stage.world.mesh, &stage.query), WM_OK);
  CHECK_EQUAL_INT(wm_switches_create(context, stage.world.mesh, &stage.switches), WM_OK);
  CHECK_EQUAL_INT(wm_crowd_create(context, stage.world.mesh, NULL, &stage.crowd), WM_OK);
  RUN(bakes_take_what_they_took);
  RUN(meshes_take_what_they_took);
  RUN(queries_take_what_they_took);
  RUN(crowds_take_what_they_took);
  RUN(dynamic_meshes_take_what_they_took);
  wm_crowd_destroy(stage.crowd);
  wm_switches_destroy(stage.switches);
  wm_query_destroy(stage.query);
  close_world(&stage.world);
  wm_context_destroy(context);
  trace_close();
  return check_finish();
}
