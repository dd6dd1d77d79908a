/* Walls: against the golden results, and against all parts of all edges of drawn worlds. */
#include "query/local/walls.h"

#include "local_worlds.h"
#include "turned_tiles.h"

static void distances_to_walls_equal_golden_answers(void) {
  for (int s = 0; s < GOLDEN_SCENE_COUNT; s++) {
    Golden golden;
    if (!open_golden(GOLDEN_SCENES[s], &golden)) continue;
    Reader answers = open_answers(GOLDEN_SCENES[s], "findDistanceToWall");
    uint32_t same = 0;
    for (uint32_t i = 0; i < golden.count; i++) {
      const Question question = next_question(&golden);
      WmWall wall;
      CHECK_EQUAL_INT(
          wm_query_distance_to_wall(golden.query, question.start, question.from, 100, &golden.filter, &wall),
          WM_OK);
      float expected, point[3], normal[3];
      CHECK_EQUAL_INT(next_u32(&answers), 1u << 30);
      next_floats(&answers, &expected, 1);
      next_floats(&answers, point, 3);
      next_floats(&answers, normal, 3);
      CHECK(wall.found && wall.distance == expected);
      /* If two walls share the nearest corner, the last bit of its height may depend on the wall. */
      CHECK(distance(wall.point, point) < 1e-6f && distance(wall.normal, normal) < 1e-6f);
      same += memcmp(wall.point, point, sizeof point) == 0 && memcmp(wall.normal, normal, sizeof normal) == 0;
    }
    CHECK(same >= golden.count - 3);
    CHECK_EQUAL_INT(answers.at, answers.file.byte_count);
    free(answers.file.bytes);
    close_golden(&golden);
  }
}

/* ---- Drawn worlds ------------------------------------------------------------------------------------ */

/* The distance on x and z to the nearest part of an edge without a link, over all polygons with flags on the
 * floor, reachable or not: a straight line to the nearest wall crosses no other wall. */
static float nearest_closed_part(const WmMesh *mesh, const float centre[3]) {
  float nearest = INFINITY, t;
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    if (!tile || !is_floor(tile, centre)) continue;
    for (uint32_t p = 0; p < tile->ground_count; p++) {
      for (uint32_t k = 0; tile->polygon_flags[p] && k < tile->polygon_size[p]; k++) {
        const float *first = wm_tile_vertex(tile, p, k), *second = wm_tile_vertex(tile, p, k + 1);
        if (wm_distance_to_segment(centre, first, second, &t) > nearest * nearest) continue;
        for (uint32_t part = 0; part < 255; part++) {
          if (!is_part_closed(mesh, tile, p, k, part)) continue;
          float ends[2][3];
          wm_interpolate(first, second, (float)part / 255, ends[0]);
          wm_interpolate(first, second, (float)(part + 1) / 255, ends[1]);
          nearest = fminf(nearest, sqrtf(wm_distance_to_segment(centre, ends[0], ends[1], &t)));
        }
      }
    }
  }
  return nearest;
}

static void distances_equal_those_to_all_closed_parts(void) {
  WmContext *context = wm_context_create(NULL);
  int partial = 0;
  for (uint32_t world = 1; world <= (uint32_t)CHECK_ROUNDS(10); world++) {
    uint32_t seed = 200 + world;
    WmMesh *mesh = make_local_world(context, world);
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    for (int i = 0; i < 150; i++) {
      float centre[3];
      const WmRef start = random_ground(mesh, &seed, centre);
      WmWall wall, none;
      CHECK_EQUAL_INT(wm_query_distance_to_wall(query, start, centre, 1000, NULL, &wall), WM_OK);
      const float nearest = nearest_closed_part(mesh, centre);
      CHECK(wall.found && fabsf(wall.distance - nearest) < 1e-4f);
      CHECK_EQUAL_INT(wm_query_distance_to_wall(query, start, centre, nearest * 0.99f, NULL, &none), WM_OK);
      CHECK(!none.found && none.distance == nearest * 0.99f && none.polygon == 0 && none.normal[0] == 0);
      /* The point lies on the wall that the result names, that wall lies on the named edge, and the normal
       * points back. */
      const WmMeshTile *tile = wm_mesh_tile_of(mesh, wall.polygon);
      const float *first = wm_tile_vertex(tile, wm_ref_polygon(wall.polygon), wall.edge);
      const float *second = wm_tile_vertex(tile, wm_ref_polygon(wall.polygon), wall.edge + 1);
      float t;
      CHECK(wm_distance_to_segment(wall.point, wall.segment[0], wall.segment[1], &t) < 1e-8f);
      for (int k = 0; k < 2; k++) CHECK(wm_distance_to_segment(wall.segment[k], first, second, &t) < 1e-8f);
      partial += memcmp(wall.segment[0], first, 12) != 0 || memcmp(wall.segment[1], second, 12) != 0;
      const float x = centre[0] - wall.point[0], z = centre[2] - wall.point[2];
      CHECK(fabsf(sqrtf(x * x + z * z) - wall.distance) < 1e-4f);
      const float *n = wall.normal;
      CHECK(fabsf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1) < 1e-4f && n[0] * x + n[2] * z >= 0);
    }
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  CHECK(partial > CHECK_ROUNDS(20));
  wm_context_destroy(context);
}

/* The number of segments of the outline that cover a point of an edge: walls for polygon 0, else portals into
 * `polygon`. */
static int count_covering(const WmSegments *outline, const float point[3], const float *first,
                          const float *second, WmRef polygon) {
  int count = 0;
  for (size_t i = 0; i < outline->count; i++) {
    float t;
    if (outline->polygons[i] != polygon) continue;
    if (wm_distance_to_segment(outline->ends[i][0], first, second, &t) > 1e-8f) continue;
    if (wm_distance_to_segment(outline->ends[i][1], first, second, &t) > 1e-8f) continue;
    count += wm_distance_to_segment(point, outline->ends[i][0], outline->ends[i][1], &t) < 1e-8f;
  }
  return count;
}

/* Every closed part of every edge is covered by exactly one wall, every open part by none; each open portal
 * is listed once. */
static void outlines_equal_the_parts_of_edges(void) {
  WmContext *context = wm_context_create(NULL);
  int walls = 0, ways = 0, overlapping = 0;
  for (uint32_t world = 1; world <= 3; world++) {
    WmMesh *mesh = make_layered_world(context, world);
    WmQuery *query = NULL, *other = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &other), WM_OK);
    for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
      const WmMeshTile *tile = wm_mesh_tile(mesh, s);
      for (uint32_t p = 0; tile && p < tile->ground_count; p++) {
        WmSegments outline, closed;
        CHECK_EQUAL_INT(wm_query_wall_segments(query, tile->ref + p, NULL, true, &outline), WM_OK);
        CHECK_EQUAL_INT(wm_query_wall_segments(other, tile->ref + p, NULL, false, &closed), WM_OK);
        size_t wall_count = 0;
        for (size_t i = 0; i < outline.count; i++) {
          if (outline.polygons[i]) continue;
          CHECK(memcmp(outline.ends[i], closed.ends[wall_count++], sizeof *outline.ends) == 0);
        }
        CHECK_EQUAL_INT(wall_count, closed.count);
        for (uint32_t k = 0; k < tile->polygon_size[p]; k++) {
          const float *first = wm_tile_vertex(tile, p, k), *second = wm_tile_vertex(tile, p, k + 1);
          for (uint32_t part = 2; part < 253; part += 5) {
            float point[3];
            wm_interpolate(first, second, ((float)part + 0.5f) / 255, point);
            const int covered = count_covering(&outline, point, first, second, 0);
            CHECK_EQUAL_INT(covered, is_part_closed(mesh, tile, p, k, part));
            walls += covered;
            int open = 0;
            for (uint32_t i = tile->link_first[p]; i < tile->link_first[p + 1]; i++) {
              const WmLink *link = &tile->links[i];
              const WmMeshTile *target = wm_mesh_tile(mesh, link->slot);
              if (link->edge != k || link->low > part || link->high <= part) continue;
              if (!target->polygon_flags[link->polygon]) continue;
              open++;
              CHECK_EQUAL_INT(count_covering(&outline, point, first, second, target->ref + link->polygon), 1);
            }
            ways += open > 0;
            overlapping += open > 1;
          }
        }
      }
    }
    wm_query_destroy(query);
    wm_query_destroy(other);
    wm_mesh_destroy(mesh);
  }
  CHECK(walls > 1000 && ways > 1000 && overlapping > 200);
  wm_context_destroy(context);
}

static void a_turned_scene_gives_turned_walls(void) {
  WmContext *context = wm_context_create(NULL);
  int others = 0, count = 0;
  for (uint32_t world = 1; world <= 5; world++) {
    uint32_t seed = world;
    const TurnedPair pair = make_turned_pair(context, make_local_world(context, world));
    for (int i = 0; i < 200; i++, count++) {
      float centre[3], turned_centre[3], point[3];
      const WmRef start = random_ground(pair.mesh, &seed, centre);
      turn_point(centre, turned_centre);
      WmWall wall, turned;
      CHECK_EQUAL_INT(wm_query_distance_to_wall(pair.query, start, centre, 100, NULL, &wall), WM_OK);
      CHECK_EQUAL_INT(wm_query_distance_to_wall(pair.turned_query, turned_ref(pair.turned_mesh, start),
                                                turned_centre, 100, NULL, &turned),
                      WM_OK);
      CHECK(fabsf(turned.distance - wall.distance) < 1e-3f);
      turn_point(wall.point, point);
      others += distance(point, turned.point) > 1e-3f; /* two walls equally near */
    }
    free_turned_pair(pair);
  }
  CHECK(others * 100 <= count);
  wm_context_destroy(context);
}

static void walls_at_points_of_edges_and_by_filter(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 2, 0); /* squares of four units */
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  const WmRef start = wm_mesh_tile(mesh, 0)->ref;
  const float corner[3] = {0, 0, 0}, edge[3] = {0, 0, 2}, inner[3] = {4, 0, 4}, middle[3] = {2, 0, 1};
  WmWall wall;
  CHECK_EQUAL_INT(wm_query_distance_to_wall(query, start, corner, 0, NULL, &wall), WM_OK);
  CHECK(wall.found && wall.distance == 0 && wall.normal[0] == 0 && wall.normal[1] == 0);
  CHECK_EQUAL_INT(wm_query_distance_to_wall(query, start, edge, 10, NULL, &wall), WM_OK);
  CHECK(wall.found && wall.distance == 0);
  CHECK_EQUAL_INT(wm_query_distance_to_wall(query, start, inner, 10, NULL, &wall), WM_OK);
  CHECK(wall.found && wall.distance == 4);
  CHECK_EQUAL_INT(wm_query_distance_to_wall(query, start, middle, 0, NULL, &wall), WM_OK);
  CHECK(!wall.found && wall.distance == 0);
  CHECK_EQUAL_INT(wm_query_distance_to_wall(query, start, middle, 10, NULL, &wall), WM_OK);
  CHECK(wall.found && wall.distance == 1 && wall.point[0] == 2 && wall.point[2] == 0);
  /* A neighbour that the filter refuses is a wall. */
  const float beside[3] = {3.5f, 0, 2};
  WmFilter filter = wm_filter_default();
  filter.exclude_flags = 2;
  WmSegments outline;
  CHECK_EQUAL_INT(wm_query_wall_segments(query, start, &filter, false, &outline), WM_OK);
  CHECK_EQUAL_INT(outline.count, 2);
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, start);
  for (uint32_t p = 1; p < tile->ground_count; p++) wm_mesh_set_polygon_flags(mesh, start + p, 3);
  CHECK_EQUAL_INT(wm_query_distance_to_wall(query, start, beside, 10, &filter, &wall), WM_OK);
  CHECK(wall.found && wall.distance == 0.5f && wall.polygon == start);
  CHECK_EQUAL_INT(wm_query_wall_segments(query, start, &filter, true, &outline), WM_OK);
  CHECK_EQUAL_INT(outline.count, 4);
  for (size_t i = 0; i < outline.count; i++) CHECK_EQUAL_INT(outline.polygons[i], 0);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void bad_arguments_are_errors_and_zero_the_answer(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 1, 0);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  const WmRef start = wm_mesh_tile(mesh, 0)->ref;
  const float good[3] = {1, 0, 1}, bad[3] = {1, 0, NAN}, far[3] = {3e38f, 3e38f, -3e38f};
  WmWall wall;
  CHECK_EQUAL_INT(wm_query_distance_to_wall(query, start, bad, 1, NULL, &wall), WM_ERROR_INVALID_ARGUMENT);
  CHECK(strcmp(wm_context_error(context)->field, "centre") == 0);
  static const float DISTANCES[3] = {-1, NAN, INFINITY};
  for (int i = 0; i < 3; i++) {
    CHECK_EQUAL_INT(wm_query_distance_to_wall(query, start, good, DISTANCES[i], NULL, &wall),
                    WM_ERROR_INVALID_ARGUMENT);
    CHECK(strcmp(wm_context_error(context)->field, "maxDistance") == 0);
  }
  CHECK_EQUAL_INT(wm_query_distance_to_wall(query, 5, good, 1, NULL, &wall), WM_ERROR_INVALID_ARGUMENT);
  CHECK(!wall.found && wall.polygon == 0 && wall.distance == 0);
  CHECK_EQUAL_INT(wm_query_distance_to_wall(query, start, far, 3e38f, NULL, &wall), WM_OK);
  CHECK(!(wall.distance < 0) && wall.normal[0] == wall.normal[0]);
  WmSegments outline;
  CHECK_EQUAL_INT(wm_query_wall_segments(query, 0, NULL, true, &outline), WM_ERROR_INVALID_ARGUMENT);
  CHECK(outline.count == 0 && !outline.ends);
  CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, start), WM_OK);
  CHECK_EQUAL_INT(wm_query_distance_to_wall(query, start, good, 1, NULL, &wall), WM_ERROR_STALE_REFERENCE);
  CHECK_EQUAL_INT(wm_query_wall_segments(query, start, NULL, true, &outline), WM_ERROR_STALE_REFERENCE);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

int main(void) {
  RUN(distances_to_walls_equal_golden_answers);
  RUN(distances_equal_those_to_all_closed_parts);
  RUN(outlines_equal_the_parts_of_edges);
  RUN(a_turned_scene_gives_turned_walls);
  RUN(walls_at_points_of_edges_and_by_filter);
  RUN(bad_arguments_are_errors_and_zero_the_answer);
  return check_finish();
}
