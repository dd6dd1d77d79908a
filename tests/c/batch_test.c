/* Many queries in one call: unused outputs, rows that fail, arguments of the whole batch.
 * tests/js/batches.test.js checks that rows equal single queries. */
#include "query/batch.h"

#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "dump_read.h"
#include "mesh/formats/formats.h"
#include "query/local/random.h"

enum { ROWS = 50 };

typedef struct World {
  WmContext *context;
  WmMesh *mesh;
  WmQuery *query;
  WmRef polygons[ROWS];
  float points[3 * ROWS], ends[3 * ROWS];
} World;

static void open_world(World *world) {
  const WmBytes tile = read_file("tests/golden/queries/plaza/tile.bin");
  world->context = wm_context_create(NULL);
  CHECK_EQUAL_INT(wm_mesh_read(world->context, tile.bytes, tile.byte_count, &world->mesh), WM_OK);
  free(tile.bytes);
  CHECK_EQUAL_INT(wm_query_create(world->context, world->mesh, &world->query), WM_OK);
  WmRandom random = wm_random_seeded(1);
  WmRef unused[ROWS];
  CHECK_EQUAL_INT(wm_query_random_point_batch(world->query, ROWS, &random, NULL, unused, world->ends), WM_OK);
  CHECK_EQUAL_INT(
      wm_query_random_point_batch(world->query, ROWS, &random, NULL, world->polygons, world->points), WM_OK);
}

static void close_world(World *world) {
  wm_query_destroy(world->query);
  wm_mesh_destroy(world->mesh);
  wm_context_destroy(world->context);
}

static void outputs_that_nobody_wants_may_be_missing(void) {
  World world;
  open_world(&world);
  WmRef polygons[ROWS];
  float points[3 * ROWS], distances[ROWS];
  CHECK_EQUAL_INT(
      wm_query_find_nearest_batch(world.query, ROWS, world.points, NULL, polygons, points, NULL, NULL),
      WM_OK);
  for (int i = 0; i < ROWS; i++) CHECK(polygons[i] != 0);
  CHECK_EQUAL_INT(wm_query_raycast_batch(world.query, ROWS, world.polygons, world.points, world.ends, NULL,
                                         true, NULL, NULL, NULL, NULL, NULL),
                  WM_OK);
  CHECK_EQUAL_INT(wm_query_distance_to_wall_batch(world.query, ROWS, world.polygons, world.points, 9, NULL,
                                                  distances, NULL, NULL, NULL),
                  WM_OK);
  uint32_t path_starts[ROWS + 1];
  const float *path_points;
  CHECK_EQUAL_INT(wm_query_find_path_batch(world.query, ROWS, world.points, world.ends, NULL, NULL, NULL,
                                           NULL, NULL, NULL, path_starts, &path_points, NULL),
                  WM_OK);
  CHECK(path_points != NULL && path_starts[ROWS] >= 2 * ROWS);
  for (uint32_t i = 0; i < 3 * path_starts[ROWS]; i++) CHECK(isfinite(path_points[i]));
  CHECK_EQUAL_INT(wm_query_find_path_batch(world.query, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                                           path_starts, &path_points, NULL),
                  WM_OK);
  CHECK_EQUAL_INT(path_starts[0], 0);
  close_world(&world);
}

static void a_row_that_fails_has_zeros_and_its_status(void) {
  World world;
  open_world(&world);
  world.points[3 * 7] = NAN;
  world.polygons[9] = 1;
  uint8_t statuses[ROWS], found[ROWS], states[ROWS];
  float heights[ROWS];
  CHECK_EQUAL_INT(
      wm_query_height_batch(world.query, ROWS, world.polygons, world.points, heights, found, statuses),
      WM_OK);
  for (int i = 0; i < ROWS; i++) {
    const bool bad = i == 7 || i == 9;
    CHECK_EQUAL_INT(statuses[i], bad ? WM_ERROR_INVALID_ARGUMENT : WM_OK);
    CHECK_EQUAL_INT(found[i], !bad);
    if (bad) CHECK(heights[i] == 0);
  }
  uint32_t path_starts[ROWS + 1];
  const float *points;
  CHECK_EQUAL_INT(wm_query_find_path_batch(world.query, ROWS, world.points, world.ends, NULL, states, NULL,
                                           NULL, NULL, NULL, path_starts, &points, statuses),
                  WM_OK);
  for (int i = 0; i < ROWS; i++) {
    CHECK_EQUAL_INT(statuses[i], i == 7 ? WM_ERROR_INVALID_ARGUMENT : WM_OK);
    CHECK_EQUAL_INT(path_starts[i + 1] > path_starts[i], i != 7);
  }
  close_world(&world);
}

static void what_all_share_is_checked_first_and_nothing_written(void) {
  World world;
  open_world(&world);
  WmFilter filter = wm_filter_default();
  filter.area_costs[3] = -1;
  float t[ROWS] = {42}, distances[ROWS] = {42}, points[3 * ROWS] = {42};
  WmRef polygons[ROWS] = {42};
  CHECK_EQUAL_INT(wm_query_raycast_batch(world.query, ROWS, world.polygons, world.points, world.ends, &filter,
                                         true, t, NULL, NULL, NULL, NULL),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_query_distance_to_wall_batch(world.query, ROWS, world.polygons, world.points, NAN, NULL,
                                                  distances, NULL, NULL, NULL),
                  WM_ERROR_INVALID_ARGUMENT);
  WmNearestOptions options = wm_nearest_options_default();
  options.half_extents[1] = -1;
  CHECK_EQUAL_INT(
      wm_query_find_nearest_batch(world.query, ROWS, world.points, &options, polygons, points, NULL, NULL),
      WM_ERROR_INVALID_ARGUMENT);
  CHECK(t[0] == 42 && distances[0] == 42 && points[0] == 42 && polygons[0] == 42);
  close_world(&world);
}

int main(void) {
  RUN(outputs_that_nobody_wants_may_be_missing);
  RUN(a_row_that_fails_has_zeros_and_its_status);
  RUN(what_all_share_is_checked_first_and_nothing_written);
  return check_finish();
}
