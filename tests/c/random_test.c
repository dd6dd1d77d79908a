/* Random points: even by area (chi-square against counted areas), the same every time, only on polygons that
 * pass. */
#include <math.h>

#include "drawn_mesh.h"
#include "golden_queries.h"
#include "maze_world.h"
#include "mesh/locate.h"
#include "query/search/flood.h"
#include "query/search/islands.h"
#include "query/local/random.h"

/* ---- Bins --------------------------------------------------------------------------------------------- */

/* Four bins per polygon: its quarters. All ground polygons of these worlds are rectangles along the axes. */
typedef struct Bins {
  uint32_t counts[MAZE_SLOT_LIMIT][GRID_POLYGON_LIMIT][4];
  double areas[MAZE_SLOT_LIMIT][GRID_POLYGON_LIMIT]; /* expected number of points; 0: must not be drawn */
} Bins;

static void find_middle(const WmMeshTile *tile, uint32_t p, float middle[3]) {
  wm_interpolate(wm_tile_vertex(tile, p, 0), wm_tile_vertex(tile, p, 2), 0.5f, middle);
}

static void count_point(const WmMesh *mesh, const WmNearest *nearest, Bins *bins) {
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, nearest->polygon);
  const uint32_t p = wm_ref_polygon(nearest->polygon);
  CHECK(tile != NULL && p < tile->ground_count);
  if (!tile || p >= tile->ground_count) return;
  CHECK(bins->areas[tile->slot][p] > 0);
  float middle[3], again[3];
  find_middle(tile, p, middle);
  const int quarter = (nearest->point[0] > middle[0]) + 2 * (nearest->point[2] > middle[2]);
  bins->counts[tile->slot][p][quarter]++;
  CHECK(nearest->over);
  wm_tile_closest_point(tile, p, nearest->point, true, again);
  CHECK(distance(again, nearest->point) < 1e-5f);
}

/* Chi-square as a deviation from its expected value, in standard deviations. */
static double judge_bins(const Bins *bins, uint32_t drawn) {
  double sum = 0, chi_square = 0;
  int count = 0;
  for (int s = 0; s < MAZE_SLOT_LIMIT; s++) {
    for (int p = 0; p < GRID_POLYGON_LIMIT; p++) sum += bins->areas[s][p];
  }
  for (int s = 0; s < MAZE_SLOT_LIMIT; s++) {
    for (int p = 0; p < GRID_POLYGON_LIMIT; p++) {
      const double expected = bins->areas[s][p] / sum / 4 * drawn;
      for (int q = 0; q < 4 && expected > 0; q++, count++) {
        const double off = bins->counts[s][p][q] - expected;
        chi_square += off * off / expected;
      }
    }
  }
  return (chi_square - (count - 1)) / sqrt(2.0 * (count - 1));
}

/* ---- Anywhere ----------------------------------------------------------------------------------------- */

/* Draws points and compares them with the polygons that pass filter, area and island. */
static void check_draws(const WmMesh *mesh, WmQuery *query, const WmRandomOptions *options, uint32_t seed,
                        uint32_t draws) {
  static Bins bins;
  memset(&bins, 0, sizeof bins);
  double passing = 0;
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (uint32_t p = 0; tile && p < tile->ground_count; p++) {
      if (options->filter && !wm_filter_passes(options->filter, tile->polygon_flags[p])) continue;
      if (!options->filter && tile->polygon_flags[p] == 0) continue;
      if (options->area >= 0 && tile->polygon_area[p] != options->area) continue;
      if (options->island && wm_islands_of(options->islands, tile->ref + p) != options->island) continue;
      passing += bins.areas[s][p] = wm_tile_polygon_area(tile, p);
    }
  }
  CHECK(passing > 0);
  WmRandom random = wm_random_seeded(seed);
  for (uint32_t i = 0; i < draws; i++) {
    WmNearest nearest;
    CHECK_EQUAL_INT(wm_query_random_point(query, &random, options, &nearest), WM_OK);
    count_point(mesh, &nearest, &bins);
  }
  CHECK(fabs(judge_bins(&bins, draws)) < 4);
}

static void points_are_even_over_all_that_passes(void) {
  WmContext *context = wm_context_create(NULL);
  for (uint32_t world = 1; world <= (uint32_t)CHECK_ROUNDS(3); world++) {
    WmMesh *mesh = make_maze_world(context, world, 4);
    WmQuery *query = NULL;
    WmIslands *islands = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    CHECK_EQUAL_INT(wm_islands_create(context, mesh, &islands), WM_OK);
    WmFilter filter = wm_filter_default();
    WmRandomOptions options = wm_random_options_default();
    check_draws(mesh, query, &options, world, 40000);
    filter.exclude_flags = 1;
    options.filter = &filter;
    check_draws(mesh, query, &options, world, 20000);
    options.area = 7;
    check_draws(mesh, query, &options, world, 20000);
    options.area = -1;
    filter.exclude_flags = 0;
    CHECK_EQUAL_INT(wm_islands_update(islands, &filter), WM_OK);
    options.islands = islands;
    for (options.island = 1; options.island <= wm_islands_count(islands); options.island += 3) {
      if (wm_islands_area(islands, options.island) == 0) break; /* connections alone */
      check_draws(mesh, query, &options, options.island, 4000);
    }
    wm_islands_destroy(islands);
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  wm_context_destroy(context);
}

/* So rare that rejection sampling wouldn't find them: three polygons of a large world. */
static void rare_polygons_are_even_too(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 24, 0);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  WmRef rare[3];
  uint32_t counts[3] = {0}, number = 0;
  for (int i = 0; i < 3; i++) {
    rare[i] = wm_mesh_tile(mesh, 100 + 200 * (size_t)i)->ref + (uint32_t)i;
    CHECK_EQUAL_INT(wm_mesh_set_polygon_area(mesh, rare[i], 9), WM_OK);
  }
  WmRandom random = wm_random_seeded(5);
  WmRandomOptions options = wm_random_options_default();
  options.area = 9;
  for (int i = 0; i < 900; i++) {
    WmNearest nearest;
    CHECK_EQUAL_INT(wm_query_random_point(query, &random, &options, &nearest), WM_OK);
    for (number = 0; number < 3 && rare[number] != nearest.polygon;) number++;
    CHECK(number < 3);
    if (number < 3) counts[number]++;
  }
  for (int i = 0; i < 3; i++) CHECK(counts[i] > 240 && counts[i] < 360);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* ---- Around a point ----------------------------------------------------------------------------------- */

enum { FIELD = 24 };

/* The fraction of each square of `size` that is in the circle and on reachable polygons, by many samples. */
static void measure_field(const WmMesh *mesh, const WmFlood *flood, const float centre[3], float radius,
                          double size, double field[FIELD][FIELD]) {
  enum { SAMPLES = 8 };
  memset(field, 0, sizeof(double[FIELD][FIELD]));
  for (size_t i = 0; i < flood->count; i++) {
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, flood->polygons[i]);
    const uint32_t p = wm_ref_polygon(flood->polygons[i]);
    if (p >= tile->ground_count) continue;
    for (int row = 0; row < FIELD * SAMPLES; row++) {
      for (int column = 0; column < FIELD * SAMPLES; column++) {
        const double x = size * ((column + 0.5) / SAMPLES - FIELD / 2.0);
        const double z = size * ((row + 0.5) / SAMPLES - FIELD / 2.0);
        const float at[3] = {(float)(centre[0] + x), 0, (float)(centre[2] + z)};
        if (x * x + z * z > (double)radius * radius || !wm_tile_contains(tile, p, at)) continue;
        field[row / SAMPLES][column / SAMPLES] += 1;
      }
    }
  }
}

static double judge_field(double field[FIELD][FIELD], uint32_t counts[FIELD][FIELD], uint32_t draws) {
  double sum = 0, chi_square = 0, rest = 0, rest_counts = 0;
  int bins = 0;
  for (int i = 0; i < FIELD * FIELD; i++) sum += field[i / FIELD][i % FIELD];
  for (int i = 0; i < FIELD * FIELD; i++) {
    const double expected = field[i / FIELD][i % FIELD] / sum * draws, count = counts[i / FIELD][i % FIELD];
    if (expected < 10) { /* too little for a bin of its own */
      rest += expected;
      rest_counts += count;
      continue;
    }
    chi_square += (count - expected) * (count - expected) / expected;
    bins++;
  }
  CHECK(fabs(rest_counts - rest) < 6 * sqrt(rest + 4));
  return (chi_square - bins) / sqrt(2.0 * bins);
}

/* Draws points in the circle, and compares them with the reachable polygons; anywhere: on the whole mesh, which
 * is in the circle. */
static void check_field(const WmMesh *mesh, WmQuery *query, const WmNearest *start, float radius,
                        uint32_t seed, bool anywhere) {
  static double field[FIELD][FIELD];
  static uint32_t counts[FIELD][FIELD];
  WmFloodOptions options = wm_flood_options_default();
  options.radius = radius;
  WmFlood flood;
  CHECK_EQUAL_INT(wm_query_flood(query, start->polygon, start->point, &options, &flood), WM_OK);
  memset(counts, 0, sizeof counts);
  const double size = 2.02 * (double)radius / FIELD;
  measure_field(mesh, &flood, start->point, radius, size, field);
  WmRandom random = wm_random_seeded(seed);
  const uint32_t draws = 12000;
  for (uint32_t i = 0; i < draws; i++) {
    WmNearest nearest;
    CHECK_EQUAL_INT(anywhere ? wm_query_random_point(query, &random, NULL, &nearest)
                             : wm_query_random_point_around(query, &random, start->polygon, start->point,
                                                            radius, NULL, &nearest),
                    WM_OK);
    CHECK(nearest.polygon != 0 && nearest.over);
    const double x = (double)nearest.point[0] - start->point[0],
                 z = (double)nearest.point[2] - start->point[2];
    CHECK(hypot(x, z) <= (double)radius * 1.000001);
    const int column = (int)(x / size + FIELD / 2.0), row = (int)(z / size + FIELD / 2.0);
    counts[row][column]++;
  }
  CHECK(fabs(judge_field(field, counts, draws)) < 4);
}

static void points_around_are_even_in_the_circle(void) {
  WmContext *context = wm_context_create(NULL);
  for (uint32_t world = 1; world <= (uint32_t)CHECK_ROUNDS(6); world++) {
    uint32_t seed = world;
    WmMesh *mesh = make_maze_world(context, 3 * world + 1, world % 2 ? 6 : 0);
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    const float half_extents[3] = {9, 9, 9};
    const float at[3] = {random_between(&seed, 4, 20), 0, random_between(&seed, 4, 20)};
    WmNearest start;
    CHECK_EQUAL_INT(wm_query_find_nearest(query, at, half_extents, NULL, &start), WM_OK);
    check_field(mesh, query, &start, random_between(&seed, 1, 9), world, false);
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  wm_context_destroy(context);
}

/* One polygon of six corners, whose fan has four triangles of unlike areas. */
static WmMesh *make_hexagon(WmContext *context) {
  static uint16_t vertices[] = {100, 0, 0, 0, 0, 150, 30, 0, 300, 280, 0, 320, 400, 0, 200, 300, 0, 20};
  enum { N = 0xffff };
  static uint16_t polygons[] = {0, 1, 2, 3, 4, 5, N, N, N, N, N, N};
  static uint8_t areas[] = {63};
  WmPolygonMesh hexagon = {.max_vertices_per_polygon = 6,
                           .vertex_count = 6,
                           .polygon_count = 1,
                           .vertices = vertices,
                           .polygons = polygons,
                           .polygon_area = areas,
                           .grid = {.cell_size = 0.1f, .cell_height = 0.1f, .bounds_max = {64, 4, 64}}};
  return make_lone_tile(context, &hexagon, 0.3f);
}

/* Rectangles have two triangles only. */
static void points_are_even_over_polygons_of_many_corners(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_hexagon(context);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  WmNearest start = {.polygon = wm_mesh_tile(mesh, 0)->ref, .point = {20, 0, 16}};
  check_field(mesh, query, &start, 26, 1, true);
  check_field(mesh, query, &start, 26, 2, false);
  start.point[0] = 8;
  check_field(mesh, query, &start, 12, 3, false);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* The circle barely reaches into the start polygon: rejection sampling doesn't find a point there. */
static void slivers_are_found(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 1, 0);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  const WmRef start = wm_mesh_tile(mesh, 0)->ref;
  WmRandom random = wm_random_seeded(1);
  double sum = 0;
  for (int i = 0; i < 400; i++) {
    WmNearest nearest; /* the square has a corner of 0.69 * 0.69 of the mesh, the circle one of 0.01 * 0.2 */
    const float corner[3] = {-0.7f, 0, -0.7f}, radius = 1;
    CHECK_EQUAL_INT(wm_query_random_point_around(query, &random, start, corner, radius, NULL, &nearest),
                    WM_OK);
    CHECK_EQUAL_INT(nearest.polygon, start);
    CHECK(hypotf(nearest.point[0] - corner[0], nearest.point[2] - corner[2]) <= radius * 1.00001f);
    sum += (double)nearest.point[0] - (double)nearest.point[2];
  }
  CHECK(fabs(sum / 400) < 0.001);
  WmNearest nearest;
  const float inside[3] = {1, 0.1f, 1}, beside[3] = {-1, 0, 1}, edge[3] = {-1, 0, 2};
  CHECK_EQUAL_INT(wm_query_random_point_around(query, &random, start, inside, 0, NULL, &nearest), WM_OK);
  CHECK(nearest.polygon == start && nearest.point[0] == 1 && nearest.point[2] == 1);
  CHECK_EQUAL_INT(wm_query_random_point_around(query, &random, start, beside, 0.9f, NULL, &nearest), WM_OK);
  CHECK_EQUAL_INT(nearest.polygon, 0);
  CHECK_EQUAL_INT(wm_query_random_point_around(query, &random, start, edge, 1, NULL, &nearest), WM_OK);
  CHECK(nearest.polygon == start && nearest.point[0] == 0 && nearest.point[2] == 2);
  CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(mesh, start, 0), WM_OK);
  CHECK_EQUAL_INT(wm_query_random_point_around(query, &random, start, inside, 2, NULL, &nearest), WM_OK);
  CHECK_EQUAL_INT(nearest.polygon, 0);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* ---- Repeatability, empty results ------------------------------------------------------------------ */

static void a_seed_gives_the_same_points_everywhere(void) {
  WmRandom random = wm_random_seeded(1);
  uint32_t hash = 2166136261u;
  for (int i = 0; i < 1000; i++) {
    const float number = wm_random_next(&random);
    CHECK(number >= 0 && number < 1);
    hash = (hash ^ (uint32_t)(number * 16777216.0f)) * 16777619u;
  }
  CHECK_EQUAL_INT(hash, 2302235339u);
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_maze_world(context, 1, 5);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  const float at[3] = {12, 0, 12}, half_extents[3] = {9, 9, 9};
  WmNearest start;
  CHECK_EQUAL_INT(wm_query_find_nearest(query, at, half_extents, NULL, &start), WM_OK);
  for (int i = 0; i < 500; i++) {
    WmNearest nearest;
    if (i % 2) {
      wm_query_random_point(query, &random, NULL, &nearest);
    } else {
      wm_query_random_point_around(query, &random, start.polygon, at, 5, NULL, &nearest);
    }
    for (int axis = 0; axis < 3; axis++) {
      uint32_t bits;
      memcpy(&bits, &nearest.point[axis], sizeof bits);
      hash = (hash ^ bits) * 16777619u;
    }
  }
  CHECK_EQUAL_INT(hash, 2204362);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void bad_arguments_are_refused_and_nothing_is_found_on_nothing(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  WmQuery *query = NULL;
  WmIslands *islands = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  CHECK_EQUAL_INT(wm_islands_create(context, mesh, &islands), WM_OK);
  WmRandom random = wm_random_seeded(1);
  WmNearest nearest;
  WmRandomOptions options = wm_random_options_default();
  CHECK_EQUAL_INT(wm_query_random_point(query, &random, NULL, &nearest), WM_OK);
  CHECK_EQUAL_INT(nearest.polygon, 0);
  const GridTile grid = {.hole = UINT32_MAX, .tree = true};
  const WmRef tile = add_grid_tile(mesh, &grid);
  options.area = 5;
  CHECK_EQUAL_INT(wm_query_random_point(query, &random, &options, &nearest), WM_OK);
  CHECK_EQUAL_INT(nearest.polygon, 0);
  static const int AREAS[3] = {-2, 64, 1000};
  for (int i = 0; i < 3; i++) {
    options.area = AREAS[i];
    CHECK_EQUAL_INT(wm_query_random_point(query, &random, &options, &nearest), WM_ERROR_INVALID_ARGUMENT);
    CHECK(strcmp(wm_context_error(context)->field, "area") == 0);
  }
  options.area = -1;
  options.islands = islands;
  CHECK_EQUAL_INT(wm_query_random_point(query, &random, &options, &nearest), WM_OK);
  CHECK(nearest.polygon != 0);
  options.island = 1;
  CHECK_EQUAL_INT(wm_query_random_point(query, &random, &options, &nearest), WM_ERROR_STATE);
  CHECK_EQUAL_INT(nearest.polygon, 0);
  CHECK_EQUAL_INT(wm_islands_update(islands, NULL), WM_OK);
  CHECK_EQUAL_INT(wm_query_random_point(query, &random, &options, &nearest), WM_OK);
  CHECK(nearest.polygon != 0);
  options.island = 2;
  CHECK_EQUAL_INT(wm_query_random_point(query, &random, &options, &nearest), WM_OK);
  CHECK_EQUAL_INT(nearest.polygon, 0);
  const float good[3] = {1, 0, 1}, bad[3] = {NAN, 0, 1};
  static const float RADII[3] = {-1, NAN, INFINITY};
  for (int i = 0; i < 3; i++) {
    CHECK_EQUAL_INT(wm_query_random_point_around(query, &random, tile, good, RADII[i], NULL, &nearest),
                    WM_ERROR_INVALID_ARGUMENT);
    CHECK(strcmp(wm_context_error(context)->field, "radius") == 0);
  }
  CHECK_EQUAL_INT(wm_query_random_point_around(query, &random, tile, bad, 1, NULL, &nearest),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_query_random_point_around(query, &random, 0, good, 1, NULL, &nearest),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_query_random_point_around(query, &random, tile, good, 1e30f, NULL, &nearest), WM_OK);
  CHECK(nearest.polygon != 0);
  wm_islands_destroy(islands);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

int main(void) {
  RUN(points_are_even_over_all_that_passes);
  RUN(rare_polygons_are_even_too);
  RUN(points_around_are_even_in_the_circle);
  RUN(points_are_even_over_polygons_of_many_corners);
  RUN(slivers_are_found);
  RUN(a_seed_gives_the_same_points_everywhere);
  RUN(bad_arguments_are_refused_and_nothing_is_found_on_nothing);
  return check_finish();
}
