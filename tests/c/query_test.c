/* Queries: nearest polygons, corridors and paths against the golden results, and on drawn meshes. */
#include "query/search/path.h"

#include "golden_queries.h"
#include "mesh/locate.h"

/* ---- Golden -------------------------------------------------------------------------------------------- */

static void nearest_polygons_equal_golden_answers(void) {
  static const float HALF_EXTENTS[3] = {2, 4, 2};
  for (int s = 0; s < GOLDEN_SCENE_COUNT; s++) {
    Golden golden;
    if (!open_golden(GOLDEN_SCENES[s], &golden)) continue;
    Reader answers = open_answers(GOLDEN_SCENES[s], "findNearestPoly");
    int found = 0, same_bits = 0;
    for (uint32_t i = 0; i < golden.count; i++) {
      const Question question = next_question(&golden);
      WmNearest nearest;
      CHECK_EQUAL_INT(
          wm_query_find_nearest(golden.query, question.near, HALF_EXTENTS, &golden.filter, &nearest), WM_OK);
      CHECK_EQUAL_INT(next_u32(&answers), 1u << 30);
      const WmRef expected = from_golden(&golden, next_u32(&answers));
      float point[3];
      next_floats(&answers, point, 3);
      const bool over = next_u32(&answers) != 0;
      CHECK_EQUAL_INT(nearest.polygon, expected);
      CHECK_EQUAL_INT(nearest.over, over);
      CHECK(distance(nearest.point, point) < 1e-4f);
      found += expected != 0;
      same_bits += memcmp(nearest.point, point, sizeof point) == 0;
    }
    CHECK_EQUAL_INT(answers.at, answers.file.byte_count);
    CHECK(found > 100);
    CHECK_EQUAL_INT(same_bits, golden.count);
    free(answers.file.bytes);
    close_golden(&golden);
  }
}

static void corridors_and_points_equal_golden_answers(void) {
  for (int s = 0; s < GOLDEN_SCENE_COUNT; s++) {
    Golden golden;
    if (!open_golden(GOLDEN_SCENES[s], &golden)) continue;
    Reader paths = open_answers(GOLDEN_SCENES[s], "findPath"),
           lines = open_answers(GOLDEN_SCENES[s], "findStraightPath");
    const WmSearchOptions options = {.filter = &golden.filter};
    int complete = 0, partial = 0;
    for (uint32_t i = 0; i < golden.count; i++) {
      const Question question = next_question(&golden);
      WmCorridor corridor;
      CHECK_EQUAL_INT(wm_query_find_corridor(golden.query, question.start, question.from, question.end,
                                             question.to, &options, &corridor),
                      WM_OK);
      const uint32_t status = next_u32(&paths), count = next_u32(&paths);
      CHECK_EQUAL_INT(corridor.state == WM_PATH_COMPLETE, (status & 64) == 0);
      CHECK_EQUAL_INT(corridor.polygon_count, count);
      WmRef *expected = malloc((count + 1) * sizeof *expected);
      for (uint32_t k = 0; k < count; k++) {
        expected[k] = from_golden(&golden, next_u32(&paths));
        if (k < corridor.polygon_count) CHECK_EQUAL_INT(corridor.polygons[k], expected[k]);
      }
      complete += corridor.state == WM_PATH_COMPLETE;
      partial += corridor.state == WM_PATH_UNREACHABLE;
      /* Points over the golden corridor. */
      WmPath path;
      CHECK_EQUAL_INT(wm_query_straighten(golden.query, question.from, question.to, expected, count,
                                          WM_CROSSINGS_NONE, 0, &path),
                      WM_OK);
      CHECK_EQUAL_INT(next_u32(&lines) & 0xc0000000u, 1u << 30);
      const uint32_t points = next_u32(&lines);
      CHECK_EQUAL_INT(path.point_count, points);
      float length = 0, previous[3] = {0};
      for (uint32_t k = 0; k < points; k++) {
        float point[3];
        next_floats(&lines, point, 3);
        const uint32_t flags = next_u32(&lines), ref = next_u32(&lines);
        if (k > 0) length += distance(previous, point);
        memcpy(previous, point, sizeof point);
        if (k >= path.point_count) continue;
        CHECK(memcmp(path.points + 3 * k, point, sizeof point) == 0);
        CHECK_EQUAL_INT(path.point_flags[k], flags);
        CHECK_EQUAL_INT(path.point_polygons[k], from_golden(&golden, ref));
      }
      CHECK(fabsf(length - path.length) <= 1e-4f * (1 + length));
      free(expected);
    }
    CHECK_EQUAL_INT(paths.at, paths.file.byte_count);
    CHECK_EQUAL_INT(lines.at, lines.file.byte_count);
    CHECK(complete > 0);
    printf("%s: %d complete, %d unreachable\n", GOLDEN_SCENES[s], complete, partial);
    free(paths.file.bytes);
    free(lines.file.bytes);
    close_golden(&golden);
  }
}

/* ---- Oracles over drawn worlds --------------------------------------------------------------------- */

/* All polygons within the box by their own bounds, scored by the contract in the header; returns the lowest
 * score. */
static float lowest_score(const WmMesh *mesh, const float centre[3], const float half_extents[3]) {
  float lowest = 1e30f;
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (uint32_t p = 0; tile && p < tile->ground_count; p++) {
      bool apart = false;
      for (int axis = 0; axis < 3; axis++) {
        float low = 1e30f, high = -1e30f;
        for (uint32_t k = 0; k < tile->polygon_size[p]; k++) {
          low = fminf(low, wm_tile_vertex(tile, p, k)[axis]);
          high = fmaxf(high, wm_tile_vertex(tile, p, k)[axis]);
        }
        apart |= low > centre[axis] + half_extents[axis] || high < centre[axis] - half_extents[axis];
      }
      float point[3];
      const bool over = wm_tile_closest_point(tile, p, centre, true, point);
      const float gap = fmaxf(fabsf(point[1] - centre[1]) - tile->agent_max_climb, 0);
      const float score = over ? gap * gap : distance(point, centre) * distance(point, centre);
      if (!apart) lowest = fminf(lowest, score);
    }
  }
  return lowest;
}

static void nearest_equals_brute_force_with_and_without_trees(void) {
  WmContext *context = wm_context_create(NULL);
  for (int tree = 0; tree < 3; tree++) {
    WmMesh *mesh = make_grid_mesh(context);
    for (int32_t i = 0; i < 9; i++) {
      const GridTile grid = {.x = i % 3,
                             .z = i / 3,
                             .seed = 20 + (uint32_t)i,
                             .floor = (uint16_t)(i * 3 % 7),
                             .hole = 2,
                             .tree = tree > 0};
      WmTileData tile = make_grid_tile(context, &grid);
      if (tree == 2) lift_grid_nodes(&tile);
      CHECK_EQUAL_INT(wm_mesh_add_tile(mesh, tile.bytes, tile.byte_count, NULL), WM_OK);
      wm_tile_data_free(context, &tile);
    }
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    uint32_t seed = 5;
    int found = 0;
    for (int i = 0; i < CHECK_ROUNDS(3000); i++) {
      const float centre[3] = {random_between(&seed, -3, 27), random_between(&seed, -1, 4),
                               random_between(&seed, -3, 27)};
      const float size = random_between(&seed, 1, 6);
      const float half_extents[3] = {size, 12, size};
      WmNearest nearest;
      CHECK_EQUAL_INT(wm_query_find_nearest(query, centre, half_extents, NULL, &nearest), WM_OK);
      const float lowest = lowest_score(mesh, centre, half_extents);
      if (!nearest.polygon) {
        CHECK(lowest > 1e29f);
        continue;
      }
      found++;
      const float gap = fmaxf(fabsf(nearest.point[1] - centre[1]) - 0.5f, 0);
      const float away = distance(nearest.point, centre);
      const float score = nearest.over ? gap * gap : away * away;
      /* A tree's boxes are a cell wider than the polygons: the result may be better, never worse. */
      CHECK(score <= lowest + 1e-4f);
      if (tree == 0) CHECK(score >= lowest - 1e-4f);
    }
    CHECK(found > CHECK_ROUNDS(2000));
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  wm_context_destroy(context);
}

/* Which polygons can be reached from one, by flooding over links. */
static void flood(const WmMesh *mesh, WmRef start, uint8_t (*reached)[GRID_POLYGON_LIMIT]) {
  static WmRef queue[16 * GRID_POLYGON_LIMIT];
  size_t head = 0, tail = 0;
  queue[tail++] = start;
  reached[wm_ref_slot(start)][wm_ref_polygon(start)] = 1;
  while (head < tail) {
    const WmRef ref = queue[head++];
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, ref);
    const uint32_t p = wm_ref_polygon(ref);
    for (uint32_t i = tile->link_first[p]; i < tile->link_first[p + 1]; i++) {
      const WmLink *link = &tile->links[i];
      if (reached[link->slot][link->polygon]) continue;
      if (wm_mesh_tile(mesh, link->slot)->polygon_flags[link->polygon] == 0) continue;
      reached[link->slot][link->polygon] = 1;
      queue[tail++] = wm_mesh_tile(mesh, link->slot)->ref + link->polygon;
    }
  }
}

/* A world where polygons without flags are walls. */
static WmMesh *make_maze(WmContext *context, uint32_t seed) {
  WmMesh *mesh = make_grid_world(context, 3, seed);
  for (size_t s = 0; s < 9; s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (uint32_t p = 0; p < tile->polygon_count; p++) {
      if (grid_random(&seed) % 3 == 0) wm_mesh_set_polygon_flags(mesh, tile->ref + p, 0);
      if (grid_random(&seed) % 3 == 0) wm_mesh_set_polygon_area(mesh, tile->ref + p, 7);
    }
  }
  return mesh;
}

/* Complete exactly if flooding reaches the end; each segment stays on walkable ground. */
static void paths_agree_with_flooding_and_stay_on_the_ground(void) {
  WmContext *context = wm_context_create(NULL);
  int complete = 0, unreachable = 0;
  for (uint32_t world = 1; world <= 8; world++) {
    uint32_t seed = world;
    WmMesh *mesh = make_maze(context, world);
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    for (int i = 0; i < 60; i++) {
      const float start[3] = {random_between(&seed, 0, 24), 0, random_between(&seed, 0, 24)};
      const float end[3] = {random_between(&seed, 0, 24), 0, random_between(&seed, 0, 24)};
      WmPath path;
      CHECK_EQUAL_INT(wm_query_find_path(query, start, end, NULL, &path), WM_OK);
      if (!path.start.polygon || !path.end.polygon) {
        CHECK_EQUAL_INT(path.state, WM_PATH_NONE);
        continue;
      }
      static uint8_t reached[16][GRID_POLYGON_LIMIT];
      memset(reached, 0, sizeof reached);
      flood(mesh, path.start.polygon, reached);
      const bool connected = reached[wm_ref_slot(path.end.polygon)][wm_ref_polygon(path.end.polygon)];
      CHECK_EQUAL_INT(path.state, connected ? WM_PATH_COMPLETE : WM_PATH_UNREACHABLE);
      CHECK_EQUAL_INT(path.reason, connected ? WM_PATH_REASON_NONE : WM_PATH_REASON_NOT_CONNECTED);
      complete += connected;
      unreachable += !connected;
      CHECK(path.polygons[0] == path.start.polygon);
      CHECK(!connected || path.polygons[path.polygon_count - 1] == path.end.polygon);
      CHECK(path.point_flags[0] & (WM_POINT_START | WM_POINT_END));
      CHECK_EQUAL_INT(path.point_flags[path.point_count - 1], WM_POINT_END);
      CHECK(!connected || path.length >= distance(path.start.point, path.end.point) - 1e-3f);
      for (size_t k = 0; k + 1 < path.point_count; k++) {
        const float *a = path.points + 3 * k, *b = a + 3;
        for (int t = 1; t < 8; t++) {
          const float at[3] = {a[0] + (b[0] - a[0]) * (float)t / 8, 0, a[2] + (b[2] - a[2]) * (float)t / 8};
          const float near[3] = {0.02f, 4, 0.02f};
          WmNearest ground;
          CHECK_EQUAL_INT(wm_query_find_nearest(query, at, near, NULL, &ground), WM_OK);
          CHECK(ground.polygon != 0);
        }
      }
    }
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  CHECK(complete > 50);
  CHECK(unreachable > 50);
  wm_context_destroy(context);
}

/* Bounds of polygons overlap the box of an end that is farther from the mesh than the box is wide. */
static void a_radius_limits_how_far_ends_of_paths_are_from_the_mesh(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 2, 0);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  const float start[3] = {1, 0, 1}, beside[3] = {17.5f, 0, 15}, diagonal[3] = {17.5f, 0, 17.5f};
  WmPath path;
  WmPathOptions options = wm_path_options_default();
  const struct {
    const float *end;
    float radius;
    WmPathReason reason;
  } CASES[] = {{beside, 0, WM_PATH_REASON_NONE},
               {beside, 1.6f, WM_PATH_REASON_NONE},
               {beside, 1.4f, WM_PATH_REASON_END_NOT_FOUND},
               {diagonal, 0, WM_PATH_REASON_NONE},
               {diagonal, 2, WM_PATH_REASON_END_NOT_FOUND},
               {diagonal, 2.2f, WM_PATH_REASON_NONE}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    options.radius = CASES[i].radius;
    CHECK_EQUAL_INT(wm_query_find_path(query, start, CASES[i].end, &options, &path), WM_OK);
    CHECK_EQUAL_INT(path.reason, CASES[i].reason);
    CHECK_EQUAL_INT(wm_query_find_path(query, CASES[i].end, start, &options, &path), WM_OK);
    CHECK_EQUAL_INT(path.reason, CASES[i].reason ? WM_PATH_REASON_START_NOT_FOUND : WM_PATH_REASON_NONE);
  }
  WmFilter filter =
      wm_filter_default(); /* there is mesh within the radius, but the filter passes none of it */
  filter.include_flags = 2;
  options.search.filter = &filter;
  options.radius = 1.6f;
  CHECK_EQUAL_INT(wm_query_find_path(query, beside, start, &options, &path), WM_OK);
  CHECK_EQUAL_INT(path.reason, WM_PATH_REASON_START_EXCLUDED);
  options.radius = 1.4f;
  CHECK_EQUAL_INT(wm_query_find_path(query, beside, start, &options, &path), WM_OK);
  CHECK_EQUAL_INT(path.reason, WM_PATH_REASON_START_NOT_FOUND);
  options.radius = -1;
  CHECK_EQUAL_INT(wm_query_find_path(query, beside, start, &options, &path), WM_ERROR_INVALID_ARGUMENT);
  CHECK(strcmp(wm_context_error(context)->field, "radius") == 0);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* ---- Points and flags of paths ------------------------------------------------------------------------ */

static void a_path_says_why_it_does_not_arrive(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 2, 0);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  const float start[3] = {1, 0, 1}, end[3] = {15, 0, 15}, far[3] = {40, 0, 1};
  WmPath path;
  CHECK_EQUAL_INT(wm_query_find_path(query, start, end, NULL, &path), WM_OK);
  CHECK_EQUAL_INT(path.state, WM_PATH_COMPLETE);
  CHECK(fabsf(path.length - distance(start, end)) < 0.5f);
  CHECK(path.cost >= path.length - 0.5f);
  CHECK(!path.cut);
  const WmRef goal = path.end.polygon;

  CHECK_EQUAL_INT(wm_query_find_path(query, far, end, NULL, &path), WM_OK);
  CHECK_EQUAL_INT(path.state, WM_PATH_NONE);
  CHECK_EQUAL_INT(path.reason, WM_PATH_REASON_START_NOT_FOUND);
  CHECK_EQUAL_INT(path.point_count, 0);
  CHECK_EQUAL_INT(wm_query_find_path(query, start, far, NULL, &path), WM_OK);
  CHECK_EQUAL_INT(path.reason, WM_PATH_REASON_END_NOT_FOUND);

  WmPathOptions options = wm_path_options_default();
  options.search.max_nodes = 2;
  CHECK_EQUAL_INT(wm_query_find_path(query, start, end, &options, &path), WM_OK);
  CHECK_EQUAL_INT(path.state, WM_PATH_PARTIAL);
  CHECK_EQUAL_INT(path.reason, WM_PATH_REASON_NODE_LIMIT);
  CHECK(path.point_count >= 2);

  options = wm_path_options_default();
  options.crossings = WM_CROSSINGS_ALL;
  CHECK_EQUAL_INT(wm_query_find_path(query, start, end, &options, &path), WM_OK);
  const size_t crossings = path.point_count;
  CHECK(crossings >= 5);
  options.max_points = crossings; /* a path that just fits isn't cut */
  CHECK_EQUAL_INT(wm_query_find_path(query, start, end, &options, &path), WM_OK);
  CHECK(!path.cut && path.point_count == crossings);
  options.max_points = 2;
  CHECK_EQUAL_INT(wm_query_find_path(query, start, end, &options, &path), WM_OK);
  CHECK(path.cut && path.point_count == 2);

  options = wm_path_options_default();
  CHECK_EQUAL_INT(wm_mesh_set_polygon_area(mesh, goal, 9), WM_OK);
  options.crossings = WM_CROSSINGS_AREAS;
  CHECK_EQUAL_INT(wm_query_find_path(query, start, end, &options, &path), WM_OK);
  CHECK_EQUAL_INT(path.point_count, 3);
  CHECK(path.point_polygons[1] == goal);

  WmFilter filter = wm_filter_default();
  CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(mesh, goal, 4), WM_OK);
  filter.exclude_flags = 4;
  WmCorridor corridor;
  const WmSearchOptions search = {.filter = &filter};
  CHECK_EQUAL_INT(
      wm_query_find_corridor(query, wm_mesh_tile(mesh, 0)->ref, start, goal, end, &search, &corridor), WM_OK);
  CHECK_EQUAL_INT(corridor.state, WM_PATH_UNREACHABLE);
  CHECK_EQUAL_INT(corridor.reason, WM_PATH_REASON_END_EXCLUDED);
  CHECK(corridor.polygon_count > 1);

  /* With small extents, the goal is the only polygon near the end. */
  options = wm_path_options_default();
  options.half_extents[0] = options.half_extents[2] = 0.1f;
  options.search.filter = &filter;
  const struct {
    const float *from, *to;
    WmPathReason reason;
  } ends[] = {{start, end, WM_PATH_REASON_END_EXCLUDED},
              {end, start, WM_PATH_REASON_START_EXCLUDED},
              {end, far, WM_PATH_REASON_START_EXCLUDED},
              {far, end, WM_PATH_REASON_START_NOT_FOUND},
              {start, far, WM_PATH_REASON_END_NOT_FOUND}};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
    CHECK_EQUAL_INT(wm_query_find_path(query, ends[i].from, ends[i].to, &options, &path), WM_OK);
    CHECK_EQUAL_INT(path.state, WM_PATH_NONE);
    CHECK_EQUAL_INT(path.reason, ends[i].reason);
    CHECK_EQUAL_INT(path.point_count, 0);
  }

  WmRef refs[3] = {wm_mesh_tile(mesh, 0)->ref, wm_mesh_tile(mesh, 0)->ref + 1, goal};
  CHECK_EQUAL_INT(wm_query_straighten(query, start, end, refs, 3, WM_CROSSINGS_NONE, 0, &path), WM_OK);
  CHECK_EQUAL_INT(path.state, WM_PATH_PARTIAL);
  CHECK_EQUAL_INT(path.reason, WM_PATH_REASON_BROKEN_CORRIDOR);
  CHECK_EQUAL_INT(path.point_flags[path.point_count - 1], WM_POINT_END);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void a_dear_area_is_walked_around(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 3, 0); /* six by six squares of four units */
  for (int32_t z = 0; z < 5; z++) {              /* all but the last row of the third column is area 5 */
    const float point[3] = {10, 0, (float)z * 4 + 2}, near[3] = {0.5f, 2, 0.5f};
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    WmNearest nearest;
    CHECK_EQUAL_INT(wm_query_find_nearest(query, point, near, NULL, &nearest), WM_OK);
    CHECK_EQUAL_INT(wm_mesh_set_polygon_area(mesh, nearest.polygon, 5), WM_OK);
    wm_query_destroy(query);
  }
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  WmFilter filter = wm_filter_default();
  WmPathOptions options = wm_path_options_default();
  options.search.filter = &filter;
  const float start[3] = {2, 0, 2}, end[3] = {22, 0, 2};
  WmPath path;
  CHECK_EQUAL_INT(wm_query_find_path(query, start, end, &options, &path), WM_OK);
  const float straight = path.length;
  filter.area_costs[5] = 20;
  CHECK_EQUAL_INT(wm_query_find_path(query, start, end, &options, &path), WM_OK);
  CHECK_EQUAL_INT(path.state, WM_PATH_COMPLETE);
  CHECK(path.length > straight + 10);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void a_path_takes_an_off_mesh_connection_one_way(void) {
  WmContext *context = wm_context_create(NULL);
  const WmOffMeshConnection connection = {
      .start = {6.2f, 0.25f, 4.3f}, .end = {18.1f, 0.25f, 4.2f}, .radius = 0.5f, .flags = 1};
  WmMesh *mesh = make_grid_mesh(context);
  const GridTile grids[2] = {
      {.seed = 0, .hole = UINT32_MAX, .tree = true, .connections = &connection, .connection_count = 1},
      {.x = 1, .seed = 0, .floor = 16, .hole = UINT32_MAX, .tree = true}};
  add_grid_tile(mesh, &grids[0]);
  add_grid_tile(mesh, &grids[1]);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  const float start[3] = {1, 0, 4.3f}, end[3] = {14, 4, 4.3f};
  WmPath path;
  /* It ends two tiles away, so it never lands: the upper tile is unreachable. */
  CHECK_EQUAL_INT(wm_query_find_path(query, start, end, NULL, &path), WM_OK);
  CHECK_EQUAL_INT(path.state, WM_PATH_UNREACHABLE);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);

  const WmOffMeshConnection near = {
      .start = {6.2f, 0.25f, 4.3f}, .end = {10.1f, 4.25f, 4.2f}, .radius = 0.5f, .flags = 1};
  mesh = make_grid_mesh(context);
  GridTile lower = grids[0];
  lower.connections = &near;
  add_grid_tile(mesh, &lower);
  add_grid_tile(mesh, &grids[1]);
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  CHECK_EQUAL_INT(wm_query_find_path(query, start, end, NULL, &path), WM_OK);
  CHECK_EQUAL_INT(path.state, WM_PATH_COMPLETE);
  CHECK_EQUAL_INT(path.point_count, 4);
  if (path.point_count == 4) {
    CHECK_EQUAL_INT(path.point_flags[1], WM_POINT_OFF_MESH);
    CHECK(path.point_polygons[1] == wm_mesh_tile(mesh, 0)->ref + wm_mesh_tile(mesh, 0)->ground_count);
    CHECK(path.points[3] == 6.2f && path.points[6] == 10.1f);
    CHECK(path.points[7] > 3.9f);
  }
  CHECK_EQUAL_INT(wm_query_find_path(query, end, start, NULL, &path), WM_OK);
  CHECK_EQUAL_INT(path.state, WM_PATH_UNREACHABLE);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void bad_arguments_are_errors_and_zero_the_answer(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 1, 0);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  const float good[3] = {1, 0, 1}, bad[3] = {1, NAN, 1}, negative[3] = {1, -1, 1};
  const WmRef ref = wm_mesh_tile(mesh, 0)->ref;
  WmNearest nearest;
  CHECK_EQUAL_INT(wm_query_find_nearest(query, bad, good, NULL, &nearest), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_query_find_nearest(query, good, bad, NULL, &nearest), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_query_find_nearest(query, good, negative, NULL, &nearest), WM_ERROR_INVALID_ARGUMENT);
  CHECK(strcmp(wm_context_error(context)->field, "halfExtents") == 0);
  CHECK(nearest.polygon == 0);
  WmPath path;
  CHECK_EQUAL_INT(wm_query_find_path(query, bad, good, NULL, &path), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_query_find_path(query, good, bad, NULL, &path), WM_ERROR_INVALID_ARGUMENT);
  CHECK(strcmp(wm_context_error(context)->field, "end") == 0);
  CHECK(path.state == WM_PATH_NONE && path.points == NULL);
  static const float COSTS[3] = {-1, NAN, INFINITY};
  for (int i = 0; i < 3; i++) {
    WmFilter filter = wm_filter_default();
    filter.area_costs[63 - i] = COSTS[i];
    WmPathOptions options = wm_path_options_default();
    options.search.filter = &filter;
    CHECK_EQUAL_INT(wm_query_find_path(query, good, good, &options, &path), WM_ERROR_INVALID_ARGUMENT);
    CHECK(strcmp(wm_context_error(context)->field, "areaCosts") == 0);
  }
  WmCorridor corridor;
  CHECK_EQUAL_INT(wm_query_find_corridor(query, 0, good, ref, good, NULL, &corridor),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_query_straighten(query, good, good, &ref, 0, WM_CROSSINGS_NONE, 0, &path),
                  WM_ERROR_INVALID_ARGUMENT);
  float height;
  bool found;
  CHECK_EQUAL_INT(wm_query_height(query, ref, good, &height, &found), WM_OK);
  CHECK(found && height >= 0 && height <= 0.25f);
  CHECK_EQUAL_INT(wm_query_height(query, ref, (const float[3]){7, 0, 7}, &height, &found), WM_OK);
  CHECK(!found);
  CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, ref), WM_OK);
  CHECK_EQUAL_INT(wm_query_find_corridor(query, ref, good, ref, good, NULL, &corridor),
                  WM_ERROR_STALE_REFERENCE);
  CHECK_EQUAL_INT(wm_query_closest_point(query, ref, good, &nearest), WM_ERROR_STALE_REFERENCE);
  CHECK_EQUAL_INT(wm_query_find_path(query, good, good, NULL, &path), WM_OK);
  CHECK_EQUAL_INT(path.reason, WM_PATH_REASON_START_NOT_FOUND);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* ---- Memory ---------------------------------------------------------------------------------------- */

static void a_warm_query_allocates_nothing_and_a_cold_one_survives_failures(void) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  WmContext *context = wm_context_create(&allocator);
  WmMesh *mesh = make_grid_world(context, 3, 31);
  const float start[3] = {1, 0, 1}, end[3] = {23, 0, 23};
  WmPathOptions options = wm_path_options_default();
  options.crossings = WM_CROSSINGS_ALL;
  WmPath path;
  int failures = 0;
  WmStatus status = WM_ERROR_OUT_OF_MEMORY;
  for (long n = 0; status && n < 100; n++) {
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    ration.until_failure = n;
    status = wm_query_find_path(query, start, end, &options, &path);
    CHECK_EQUAL_INT(status, end_ration(&ration));
    if (status) {
      failures++;
      CHECK(path.points == NULL && path.state == WM_PATH_NONE);
    }
    CHECK_EQUAL_INT(wm_query_find_path(query, start, end, &options, &path), WM_OK);
    CHECK_EQUAL_INT(path.state, WM_PATH_COMPLETE);
    const long allocations = ration.allocations;
    for (int i = 0; i < 10; i++)
      CHECK_EQUAL_INT(wm_query_find_path(query, start, end, &options, &path), WM_OK);
    CHECK_EQUAL_INT(ration.allocations, allocations);
    wm_query_destroy(query);
  }
  CHECK(failures > 6);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
  CHECK_EQUAL_INT(ration.in_use, 0);
}

int main(void) {
  RUN(nearest_polygons_equal_golden_answers);
  RUN(corridors_and_points_equal_golden_answers);
  RUN(nearest_equals_brute_force_with_and_without_trees);
  RUN(paths_agree_with_flooding_and_stay_on_the_ground);
  RUN(a_radius_limits_how_far_ends_of_paths_are_from_the_mesh);
  RUN(a_path_says_why_it_does_not_arrive);
  RUN(a_dear_area_is_walked_around);
  RUN(a_path_takes_an_off_mesh_connection_one_way);
  RUN(bad_arguments_are_errors_and_zero_the_answer);
  RUN(a_warm_query_allocates_nothing_and_a_cold_one_survives_failures);
  return check_finish();
}
