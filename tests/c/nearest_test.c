/* Nearest points with a choice of shape and floor, and points of outlines, against brute force. */
#include <math.h>

#include "golden_queries.h"
#include "maze_world.h"
#include "mesh/locate.h"

/* Three floors, each cut differently, over two by two tile places. */
static WmMesh *make_floors(WmContext *context, uint32_t seed, bool tree) {
  WmMesh *mesh = make_grid_mesh(context);
  uint32_t state = seed;
  for (int32_t i = 0; i < 12; i++) {
    const GridTile grid = {.x = i % 2,
                           .z = i / 2 % 2,
                           .layer = i / 4,
                           .seed = seed + (uint32_t)i,
                           .floor = (uint16_t)(i / 4 * 5 + (int32_t)(grid_random(&state) % 3)),
                           .hole = grid_random(&state) % 7,
                           .tree = tree};
    const WmRef tile = add_grid_tile(mesh, &grid);
    for (uint32_t p = 0; p < wm_mesh_tile_of(mesh, tile)->polygon_count; p++) {
      if (grid_random(&state) % 8 == 0) CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(mesh, tile + p, 2), WM_OK);
    }
  }
  return mesh;
}

/* The rank of a polygon: smaller is better, by floor, then score, then reference. */
typedef struct Rank {
  int floor;
  float score;
  WmRef polygon; /* 0: none */
  float point[3];
} Rank;

static bool is_better(const Rank *a, const Rank *b) {
  if (!b->polygon || a->floor != b->floor) return !b->polygon || a->floor < b->floor;
  return a->score < b->score || (a->score == b->score && a->polygon < b->polygon);
}

static bool touches_box(const WmMeshTile *tile, uint32_t p, const float centre[3],
                        const float half_extents[3], float slack) {
  for (int axis = 0; axis < 3; axis++) {
    float low = INFINITY, high = -INFINITY;
    for (uint32_t k = 0; k < tile->polygon_size[p]; k++) {
      low = fminf(low, wm_tile_vertex(tile, p, k)[axis]);
      high = fmaxf(high, wm_tile_vertex(tile, p, k)[axis]);
    }
    if (low > centre[axis] + half_extents[axis] + slack || high < centre[axis] - half_extents[axis] - slack)
      return false;
  }
  return true;
}

static Rank rank_polygon(const WmMeshTile *tile, uint32_t p, const float centre[3],
                         WmHeightPreference preference) {
  Rank rank = {.polygon = tile->ref + p};
  const bool over = wm_tile_closest_point(tile, p, centre, true, rank.point);
  const float x = centre[0] - rank.point[0], y = centre[1] - rank.point[1], z = centre[2] - rank.point[2];
  const float climb = tile->agent_max_climb;
  rank.score = x * x + y * y + z * z;
  if (preference == WM_HEIGHT_CLIMB && over) {
    rank.score = fabsf(y) > climb ? (fabsf(y) - climb) * (fabsf(y) - climb) : 0;
  }
  if (preference == WM_HEIGHT_BELOW) rank.floor = -y > climb;
  if (preference == WM_HEIGHT_ABOVE) rank.floor = y > climb;
  return rank;
}

/* The best of all polygons by the contract in the header. */
static Rank rank_all(const WmMesh *mesh, const float centre[3], const WmNearestOptions *options,
                     float slack) {
  Rank best = {0};
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (uint32_t p = 0; tile && p < tile->ground_count; p++) {
      if (options->filter && !wm_filter_passes(options->filter, tile->polygon_flags[p])) continue;
      const Rank rank = rank_polygon(tile, p, centre, options->preference);
      if (options->radius > 0) {
        const Rank away = rank_polygon(tile, p, centre, WM_HEIGHT_CLOSEST);
        if (away.score > options->radius * options->radius) continue;
      } else if (!touches_box(tile, p, centre, options->half_extents, slack)) {
        continue;
      }
      if (is_better(&rank, &best)) best = rank;
    }
  }
  return best;
}

static void check_answer(const WmMesh *mesh, const float centre[3], const WmNearestOptions *options,
                         const WmNearest *nearest, int *decided) {
  const Rank best = rank_all(mesh, centre, options, 0);
  /* Boxes of a tree are compared with the query's in pairs of cells. */
  const Rank wide = rank_all(mesh, centre, options, options->radius > 0 ? 0 : 2);
  if (!nearest->polygon) {
    CHECK(!best.polygon);
    return;
  }
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, nearest->polygon);
  const Rank found = rank_polygon(tile, wm_ref_polygon(nearest->polygon), centre, options->preference);
  CHECK(memcmp(found.point, nearest->point, sizeof found.point) == 0);
  if (options->preference == WM_HEIGHT_CLIMB) { /* equal scores: the order of the tree */
    CHECK(!best.polygon || found.score <= best.score);
    CHECK(found.score >= wide.score);
  } else {
    CHECK(!best.polygon || !is_better(&best, &found));
    CHECK(!is_better(&found, &wide));
  }
  *decided += best.polygon == wide.polygon;
}

static void nearest_points_equal_brute_force_in_all_modes(void) {
  WmContext *context = wm_context_create(NULL);
  int decided[4][2] = {{0}}, above = 0;
  for (uint32_t world = 1; world <= (uint32_t)CHECK_ROUNDS(10); world++) {
    uint32_t seed = world;
    WmMesh *mesh = make_floors(context, world, world % 2 == 0);
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    WmFilter filter = wm_filter_default();
    filter.exclude_flags = 2;
    for (int i = 0; i < 400; i++) {
      const float centre[3] = {random_between(&seed, -2, 18), random_between(&seed, -2, 5),
                               random_between(&seed, -2, 18)};
      WmNearestOptions options = wm_nearest_options_default();
      options.filter = i % 3 ? &filter : NULL;
      options.preference = (WmHeightPreference)(i % 4);
      for (int axis = 0; axis < 3; axis++) options.half_extents[axis] = random_between(&seed, 0, 4);
      if (i % 8 >= 4) options.radius = random_between(&seed, 0.1f, 4);
      WmNearest nearest;
      CHECK_EQUAL_INT(wm_query_find_nearest_point(query, centre, &options, &nearest), WM_OK);
      check_answer(mesh, centre, &options, &nearest, &decided[i % 4][i % 8 >= 4]);
      above += nearest.polygon && nearest.point[1] > centre[1] + 0.5f;
      if (options.preference == WM_HEIGHT_CLIMB && options.radius == 0) {
        WmNearest same;
        CHECK_EQUAL_INT(wm_query_find_nearest(query, centre, options.half_extents, options.filter, &same),
                        WM_OK);
        CHECK(same.polygon == nearest.polygon && same.over == nearest.over);
      }
    }
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  for (int i = 0; i < 8; i++) CHECK(decided[i / 2][i % 2] > CHECK_ROUNDS(250));
  CHECK(above > CHECK_ROUNDS(100));
  wm_context_destroy(context);
}

/* Two floors, 1.25 and 2.5 high, under and over the point. */
static void the_floor_that_is_meant_is_found(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  const GridTile lower = {.floor = 4, .hole = UINT32_MAX, .tree = true};
  const GridTile upper = {.floor = 14, .layer = 1, .hole = UINT32_MAX, .tree = true};
  const WmRef low = add_grid_tile(mesh, &lower), high = add_grid_tile(mesh, &upper);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  const struct {
    WmHeightPreference preference;
    float y;
    WmRef tile;
  } cases[] = {{WM_HEIGHT_CLOSEST, 3.4f, high}, {WM_HEIGHT_BELOW, 2.9f, low},  {WM_HEIGHT_BELOW, 3.4f, high},
               {WM_HEIGHT_BELOW, 0.2f, low},    {WM_HEIGHT_ABOVE, 1.9f, high}, {WM_HEIGHT_ABOVE, 1.2f, low},
               {WM_HEIGHT_ABOVE, 6, high},      {WM_HEIGHT_CLOSEST, 1.2f, low}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    WmNearestOptions options = wm_nearest_options_default();
    options.preference = cases[i].preference;
    const float centre[3] = {3, cases[i].y, 3};
    WmNearest nearest;
    CHECK_EQUAL_INT(wm_query_find_nearest_point(query, centre, &options, &nearest), WM_OK);
    CHECK_EQUAL_INT(wm_ref_slot(nearest.polygon), wm_ref_slot(cases[i].tile));
    CHECK(nearest.over && nearest.point[0] == 3 && nearest.point[2] == 3);
  }
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* A point on an outline has distance 0 to polygons that it isn't above: those with score 0 that come first in
 * the tree still win. */
static void the_first_leaf_of_score_0_is_nearest(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  const GridTile grid = {.floor = 4, .hole = UINT32_MAX, .tree = true};
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, add_grid_tile(mesh, &grid));
  WmQuery *query = NULL;
  int beside = 0;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  CHECK_EQUAL_INT(tile->leaf_count, tile->ground_count);
  for (uint32_t i = 0; i < 2 * 4 * tile->ground_count; i++) {
    const uint32_t p = i / 8, k = i / 2 % 4 % tile->polygon_size[p];
    float at[3];
    wm_interpolate(wm_tile_vertex(tile, p, k), wm_tile_vertex(tile, p, k + 1), i % 2 ? 0.5f : 0, at);
    uint32_t first = UINT32_MAX;
    for (uint32_t n = 0; n < tile->node_count && first == UINT32_MAX; n++) {
      const int32_t index = tile->nodes[n].index;
      if (index < 0) continue;
      if (rank_polygon(tile, (uint32_t)index, at, WM_HEIGHT_CLIMB).score == 0) first = (uint32_t)index;
    }
    WmNearest nearest;
    CHECK_EQUAL_INT(wm_query_find_nearest_point(query, at, NULL, &nearest), WM_OK);
    CHECK_EQUAL_INT(wm_ref_polygon(nearest.polygon), first);
    beside += !nearest.over;
  }
  CHECK(beside > 0);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void points_of_outlines_equal_brute_force(void) {
  WmContext *context = wm_context_create(NULL);
  uint32_t seed = 3;
  int inside = 0;
  WmMesh *mesh = make_maze_world(context, 8, 0);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  for (int i = 0; i < 3000; i++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, grid_random(&seed) % 9);
    const uint32_t p = grid_random(&seed) % tile->polygon_count;
    const float *corner = wm_tile_vertex(tile, p, 0);
    const float at[3] = {corner[0] + random_between(&seed, -3, 3), random_between(&seed, -3, 3),
                         corner[2] + random_between(&seed, -3, 3)};
    WmNearest closest;
    CHECK_EQUAL_INT(wm_query_closest_boundary_point(query, tile->ref + p, at, &closest), WM_OK);
    CHECK_EQUAL_INT(closest.polygon, tile->ref + p);
    const bool ground = p < tile->ground_count;
    CHECK_EQUAL_INT(closest.over, ground && wm_tile_contains(tile, p, at));
    if (closest.over) {
      inside++;
      CHECK(memcmp(closest.point, at, sizeof at) == 0);
      continue;
    }
    float best = INFINITY, point[3] = {0};
    for (uint32_t k = 0; k < (ground ? tile->polygon_size[p] : 1u); k++) {
      const float *ends = tile->connection_ends + 6 * (size_t)(p - tile->ground_count);
      const float *a = ground ? wm_tile_vertex(tile, p, k) : ends;
      const float *b = ground ? wm_tile_vertex(tile, p, k + 1) : ends + 3;
      for (int t = 0; t <= 256; t++) {
        float on[3];
        wm_interpolate(a, b, (float)t / 256, on);
        const float away = (on[0] - at[0]) * (on[0] - at[0]) + (on[2] - at[2]) * (on[2] - at[2]);
        if (away < best) memcpy(point, on, sizeof on);
        best = fminf(best, away);
      }
    }
    const float away = hypotf(closest.point[0] - at[0], closest.point[2] - at[2]);
    CHECK(away <= sqrtf(best) + 1e-5f);
    CHECK(distance(point, closest.point) < 0.05f);
  }
  CHECK(inside > 100);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void bad_points_are_refused_and_far_ones_find_nothing(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_floors(context, 1, true);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  const float good[3] = {1, 0, 1}, bad[3] = {NAN, 0, 1};
  WmNearest nearest;
  const struct {
    const float *centre;
    WmNearestOptions options;
    const char *field;
  } cases[] = {{bad, {.radius = 1}, "position"},
               {good, {.radius = -1}, "radius"},
               {good, {.radius = NAN}, "radius"},
               {good, {.radius = INFINITY}, "radius"},
               {good, {.half_extents = {1, NAN, 1}}, "halfExtents"},
               {good, {.half_extents = {1, 1, -1}}, "halfExtents"},
               {good, {.preference = (WmHeightPreference)4}, "heightPreference"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    nearest.polygon = 1;
    CHECK_EQUAL_INT(wm_query_find_nearest_point(query, cases[i].centre, &cases[i].options, &nearest),
                    WM_ERROR_INVALID_ARGUMENT);
    CHECK(strcmp(wm_context_error(context)->field, cases[i].field) == 0);
    CHECK(nearest.polygon == 0);
  }
  for (int i = 0; i < 4; i++) {
    const float far[3] = {1e30f, 0, -1e30f}, huge[3] = {1e9f, 1e9f, 1e9f}, none[3] = {0, 0, 0};
    const float tiny[3] = {-1e-30f, 1e-30f, 0};
    WmNearestOptions options = {.preference = (WmHeightPreference)i};
    memcpy(options.half_extents, huge, sizeof huge);
    CHECK_EQUAL_INT(wm_query_find_nearest_point(query, far, &options, &nearest), WM_OK);
    CHECK_EQUAL_INT(nearest.polygon, 0);
    CHECK_EQUAL_INT(wm_query_find_nearest_point(query, good, &options, &nearest), WM_OK);
    CHECK(nearest.polygon != 0);
    options.radius = 1e38f;
    CHECK_EQUAL_INT(wm_query_find_nearest_point(query, good, &options, &nearest), WM_OK);
    CHECK(nearest.polygon != 0);
    options.radius = 1e-30f;
    CHECK_EQUAL_INT(wm_query_find_nearest_point(query, tiny, &options, &nearest), WM_OK);
    options.radius = 0;
    memcpy(options.half_extents, none, sizeof none);
    CHECK_EQUAL_INT(wm_query_find_nearest_point(query, tiny, &options, &nearest), WM_OK);
  }
  CHECK_EQUAL_INT(wm_query_find_nearest_point(query, good, NULL, &nearest), WM_OK);
  CHECK(nearest.polygon != 0);
  CHECK_EQUAL_INT(wm_query_closest_boundary_point(query, 0, good, &nearest), WM_ERROR_INVALID_ARGUMENT);
  const WmRef gone = wm_mesh_tile(mesh, 0)->ref;
  CHECK_EQUAL_INT(wm_query_closest_boundary_point(query, gone, bad, &nearest), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, gone), WM_OK);
  CHECK_EQUAL_INT(wm_query_closest_boundary_point(query, gone, good, &nearest), WM_ERROR_STALE_REFERENCE);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* Places of tiles far away, and of no number, are the first and the last that are possible. */
static void places_are_limited_to_24_bits(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  static const struct {
    float position;
    int32_t place;
  } CASES[] = {{0, 0},
               {GRID_TILE_SIZE, 1},
               {-0.5f, -1},
               {8388607 * GRID_TILE_SIZE, 8388607},
               {8388608 * GRID_TILE_SIZE, 8388608},
               {1e30f, 8388608},
               {INFINITY, 8388608},
               {-8388607 * GRID_TILE_SIZE, -8388607},
               {-8388608 * GRID_TILE_SIZE, -8388608},
               {-1e30f, -8388608},
               {NAN, -8388608}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    CHECK_EQUAL_INT(wm_mesh_place(mesh, 0, CASES[i].position), CASES[i].place);
    CHECK_EQUAL_INT(wm_mesh_place(mesh, 2, CASES[i].position), CASES[i].place);
  }
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

int main(void) {
  RUN(places_are_limited_to_24_bits);
  RUN(nearest_points_equal_brute_force_in_all_modes);
  RUN(the_floor_that_is_meant_is_found);
  RUN(the_first_leaf_of_score_0_is_nearest);
  RUN(points_of_outlines_equal_brute_force);
  RUN(bad_points_are_refused_and_far_ones_find_nothing);
  return check_finish();
}
