/* Alternative paths: what holds for all of them on random worlds, and refusals. What ways there are, and which of them are found:
 * tests/js/alternatives.test.js. */
#include "query/alternatives/alternatives.h"

#include "query/query_internal.h"
#include "visibility_graph.h"

/* True if a path meets a polygon twice. */
static bool repeats(const WmPath *path) {
  for (size_t i = 0; i < path->polygon_count; i++) {
    for (size_t k = 0; k < i; k++) {
      if (path->polygons[i] == path->polygons[k]) return true;
    }
  }
  return false;
}

static bool are_equal(const WmPath *a, const WmPath *b) {
  return a->state == b->state && a->reason == b->reason && a->length == b->length && a->cost == b->cost &&
         a->polygon_count == b->polygon_count && a->point_count == b->point_count &&
         memcmp(a->polygons, b->polygons, a->polygon_count * sizeof *a->polygons) == 0 &&
         memcmp(a->points, b->points, a->point_count * 3 * sizeof *a->points) == 0 &&
         memcmp(a->point_flags, b->point_flags, a->point_count) == 0;
}

/* Compares the paths between two places with the rules of alternatives.h. */
static size_t check_paths(const WmMesh *mesh, WmQuery *queries[2], const WmNearest *start,
                          const WmNearest *end, const WmAlternativeOptions *options) {
  WmAlternatives found;
  WmPath first;
  CHECK_EQUAL_INT(wm_query_find_alternatives(queries[0], start->point, end->point, options, &found), WM_OK);
  CHECK_EQUAL_INT(wm_query_find_path(queries[1], start->point, end->point, &options->path, &first), WM_OK);
  CHECK(found.count >= 1 && found.count <= options->count);
  CHECK(are_equal(&found.paths[0], &first));
  if (first.state != WM_PATH_COMPLETE) CHECK(found.count == 1);
  for (size_t i = 1; i < found.count; i++) {
    const WmPath *path = &found.paths[i];
    CHECK(wm_path_validate(mesh, path));
    CHECK_EQUAL_INT(path->state, WM_PATH_COMPLETE);
    CHECK(!repeats(path));
    CHECK(path->polygons[0] == first.start.polygon);
    CHECK(path->polygons[path->polygon_count - 1] == first.end.polygon);
    CHECK(memcmp(path->points, first.points, 3 * sizeof(float)) == 0);
    CHECK(i == 1 || path->cost >= found.paths[i - 1].cost);
    CHECK(path->length <= 1.001f * options->max_length * first.length);
    for (size_t k = 0; k < i; k++) CHECK(!are_equal(path, &found.paths[k]));
  }
  return found.count;
}

static void paths_keep_the_rules_on_random_worlds(void) {
  WmContext *context = wm_context_create(NULL);
  int counts[5] = {0};
  for (int32_t side = 1; side <= 3; side++) {
    for (uint32_t world = 1; world <= 6; world++) {
      WmMesh *mesh = make_world(context, side, 10 * world, false);
      WmQuery *queries[2];
      for (int i = 0; i < 2; i++) CHECK_EQUAL_INT(wm_query_create(context, mesh, &queries[i]), WM_OK);
      uint32_t seed = world;
      for (int i = 0; i < 20; i++) {
        const WmNearest start = random_place(queries[0], side, &seed),
                        end = random_place(queries[0], side, &seed);
        WmAlternativeOptions options = wm_alternative_options_default();
        options.count = 4;
        options.difference = (float)(i % 4) / 5;
        options.max_length = i % 3 ? 1.6f : 1;
        options.path.search.shortest = true;
        counts[check_paths(mesh, queries, &start, &end, &options)]++;
      }
      for (int i = 0; i < 2; i++) wm_query_destroy(queries[i]);
      wm_mesh_destroy(mesh);
    }
  }
  printf("paths: 1 %d times, 2 %d, 3 %d, 4 %d\n", counts[1], counts[2], counts[3], counts[4]);
  CHECK(counts[1] > 20 && counts[2] > 20 && counts[4] > 20);
  wm_context_destroy(context);
}

/* Further paths keep the distance from walls that the first one keeps: they are longer than the strings through their
 * corridors. */
static void all_paths_keep_a_distance_from_walls(void) {
  WmContext *context = wm_context_create(NULL);
  int further = 0, wider = 0;
  for (uint32_t world = 1; world <= 8; world++) {
    WmMesh *mesh = make_world(context, 2, 10 * world, false);
    WmQuery *queries[2];
    for (int i = 0; i < 2; i++) CHECK_EQUAL_INT(wm_query_create(context, mesh, &queries[i]), WM_OK);
    uint32_t seed = world;
    for (int i = 0; i < 10; i++) {
      const WmNearest start = random_place(queries[0], 2, &seed), end = random_place(queries[0], 2, &seed);
      WmAlternativeOptions options = wm_alternative_options_default();
      options.path.search.wall_distance = 0.4f;
      options.path.search.wall_cost = (float)(i % 2);
      WmAlternatives found;
      CHECK_EQUAL_INT(wm_query_find_alternatives(queries[0], start.point, end.point, &options, &found),
                      WM_OK);
      for (size_t k = 1; k < found.count; k++) {
        const WmPath *path = &found.paths[k];
        WmPath plain;
        CHECK(wm_path_validate_links(mesh, path));
        CHECK_EQUAL_INT(wm_query_straighten(queries[1], path->start.point, path->end.point, path->polygons,
                                            path->polygon_count, WM_CROSSINGS_NONE, 0, &plain),
                        WM_OK);
        further++;
        wider += path->length > plain.length + 1e-3f;
      }
    }
    for (int i = 0; i < 2; i++) wm_query_destroy(queries[i]);
    wm_mesh_destroy(mesh);
  }
  printf("%d of %d further paths are longer than their strings\n", wider, further);
  CHECK(further > 20 && 2 * wider > further);
  wm_context_destroy(context);
}

static void options_out_of_range_are_named(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_world(context, 1, 1, false);
  WmQuery *query;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  static const float COUNTS[] = {0, 17}, DIFFERENCES[] = {-0.1f, 1.1f, NAN},
                     LENGTHS[] = {0.9f, INFINITY, NAN};
  const float from[3] = {1, 0, 1}, to[3] = {7, 0, 7};
  for (int i = 0; i < 8; i++) {
    WmAlternativeOptions options = wm_alternative_options_default();
    if (i < 2) options.count = (uint32_t)COUNTS[i];
    if (i >= 2 && i < 5) options.difference = DIFFERENCES[i - 2];
    if (i >= 5) options.max_length = LENGTHS[i - 5];
    WmAlternatives found = {.count = 9};
    CHECK_EQUAL_INT(wm_query_find_alternatives(query, from, to, &options, &found), WM_ERROR_INVALID_ARGUMENT);
    CHECK(found.count == 0 && found.paths == NULL);
    CHECK(strcmp(wm_context_failure(context)->field, i < 2   ? "count"
                                                     : i < 5 ? "difference"
                                                             : "maxLength") == 0);
  }
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

int main(void) {
  RUN(paths_keep_the_rules_on_random_worlds);
  RUN(all_paths_keep_a_distance_from_walls);
  RUN(options_out_of_range_are_named);
  return check_finish();
}
