/* Moving along the surface: against the golden results, and against a simple search over drawn worlds. */
#include "query/local/raycast.h"
#include "query/local/move.h"
#include "query/local/walls.h"
#include "query/local/overlap.h"
#include "query/local/neighbourhood.h"

#include "local_worlds.h"
#include "turned_tiles.h"

/* The destinations of the golden moves: three units from the start towards the end. */
static void three_units_on(const Question *question, float to[3]) {
  const float x = question->to[0] - question->from[0], z = question->to[2] - question->from[2];
  const float scale = x * x + z * z > 0 ? 3 / sqrtf(x * x + z * z) : 0;
  to[0] = question->from[0] + x * scale;
  to[1] = question->from[1];
  to[2] = question->from[2] + z * scale;
}

static void moves_equal_golden_answers(void) {
  for (int s = 0; s < GOLDEN_SCENE_COUNT; s++) {
    Golden golden;
    if (!open_golden(GOLDEN_SCENES[s], &golden)) continue;
    Reader answers = open_answers(GOLDEN_SCENES[s], "moveAlongSurface");
    int slid = 0;
    for (uint32_t i = 0; i < golden.count; i++) {
      const Question question = next_question(&golden);
      float to[3];
      three_units_on(&question, to);
      WmMove move;
      CHECK_EQUAL_INT(wm_query_move_along_surface(golden.query, question.start, question.from, to,
                                                  &golden.filter, false, &move),
                      WM_OK);
      CHECK_EQUAL_INT(next_u32(&answers), 1u << 30);
      float point[3];
      next_floats(&answers, point, 3);
      CHECK(memcmp(move.point, point, sizeof point) == 0);
      const uint32_t count = next_u32(&answers); /* none was cut */
      CHECK_EQUAL_INT(move.polygon_count, count);
      for (uint32_t k = 0; k < count; k++) {
        const WmRef expected = from_golden(&golden, next_u32(&answers));
        if (k < move.polygon_count) CHECK_EQUAL_INT(move.polygons[k], expected);
        if (k + 1 == count) CHECK_EQUAL_INT(move.polygon, expected);
      }
      slid += distance(move.point, to) > 0.01f;
    }
    printf("%s: %d of %u slid\n", GOLDEN_SCENES[s], slid, golden.count);
    CHECK(slid > 0);
    CHECK_EQUAL_INT(answers.at, answers.file.byte_count);
    free(answers.file.bytes);
    close_golden(&golden);
  }
}

/* ---- Drawn worlds ------------------------------------------------------------------------------------ */

/* The point nearest to `to` on the polygons that can be reached through portals within the circle: inside one
 * of them, or on a closed part of an edge. Returns the distance. */
static float nearest_reachable(const WmMesh *mesh, WmRef start, const float from[3], const float to[3]) {
  static uint8_t reached[64][GRID_POLYGON_LIMIT];
  static WmRef queue[64 * GRID_POLYGON_LIMIT];
  memset(reached, 0, sizeof reached);
  float middle[3], nearest = INFINITY, t;
  wm_interpolate(from, to, 0.5f, middle);
  const float radius = distance(from, to) / 2 + 0.001f;
  size_t tail = 0;
  queue[tail++] = start;
  reached[wm_ref_slot(start)][wm_ref_polygon(start)] = 1;
  for (size_t head = 0; head < tail; head++) {
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, queue[head]);
    const uint32_t p = wm_ref_polygon(queue[head]);
    if (wm_tile_contains(tile, p, to)) return 0;
    for (uint32_t k = 0; k < tile->polygon_size[p]; k++) {
      const float *first = wm_tile_vertex(tile, p, k), *second = wm_tile_vertex(tile, p, k + 1);
      for (uint32_t part = 0; part < 255; part++) {
        if (!is_part_closed(mesh, tile, p, k, part)) continue;
        float ends[2][3];
        wm_interpolate(first, second, (float)part / 255, ends[0]);
        wm_interpolate(first, second, (float)(part + 1) / 255, ends[1]);
        nearest = fminf(nearest, sqrtf(wm_distance_to_segment(to, ends[0], ends[1], &t)));
      }
    }
    for (uint32_t i = tile->link_first[p]; i < tile->link_first[p + 1]; i++) {
      const WmLink *link = &tile->links[i];
      const WmMeshTile *target = wm_mesh_tile(mesh, link->slot);
      const float *portal = tile->link_portals + 6 * (size_t)i;
      if (reached[link->slot][link->polygon] || !target->polygon_flags[link->polygon]) continue;
      if (wm_distance_to_segment(middle, portal, portal + 3, &t) > radius * radius) continue;
      reached[link->slot][link->polygon] = 1;
      queue[tail++] = target->ref + link->polygon;
    }
  }
  return nearest;
}

static void moves_end_where_a_plain_search_says(void) {
  WmContext *context = wm_context_create(NULL);
  int arrived = 0, stopped = 0;
  for (uint32_t world = 1; world <= 8; world++) {
    uint32_t seed = 100 + world;
    WmMesh *mesh = make_local_world(context, world);
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    for (int i = 0; i < 100; i++) {
      float from[3];
      const WmRef start = random_ground(mesh, &seed, from);
      const float size = random_between(&seed, 0, i % 10 == 0 ? 30 : 5);
      const float to[3] = {from[0] + random_between(&seed, -size, size), from[1],
                           from[2] + random_between(&seed, -size, size)};
      WmMove move, high;
      CHECK_EQUAL_INT(wm_query_move_along_surface(query, start, from, to, NULL, true, &high), WM_OK);
      CHECK_EQUAL_INT(wm_query_move_along_surface(query, start, from, to, NULL, false, &move), WM_OK);
      CHECK(high.polygon == move.polygon && high.point[0] == move.point[0] && high.point[2] == move.point[2]);
      const float flat[3] = {move.point[0], to[1], move.point[2]};
      const float nearest = nearest_reachable(mesh, start, from, to);
      CHECK(fabsf(distance(flat, to) - nearest) < 1e-4f);
      if (nearest == 0) CHECK(memcmp(move.point, to, sizeof to) == 0);
      arrived += nearest == 0;
      stopped += nearest > 0;
      /* The height is that of the surface, the polygons are linked. */
      const WmMeshTile *tile = wm_mesh_tile_of(mesh, move.polygon);
      float closest[3];
      wm_tile_closest_point(tile, wm_ref_polygon(move.polygon), high.point, true, closest);
      CHECK(distance(closest, high.point) < 1e-3f);
      CHECK(move.polygons[0] == start && move.polygons[move.polygon_count - 1] == move.polygon);
      for (size_t k = 0; k + 1 < move.polygon_count; k++) {
        CHECK(are_linked(mesh, move.polygons[k], move.polygons[k + 1]));
      }
      /* The move goes at least as far as a ray. */
      WmRay ray;
      CHECK_EQUAL_INT(wm_query_raycast(query, start, from, to, NULL, true, 0, &ray), WM_OK);
      if (!ray.hit) CHECK(nearest < 1e-4f);
      const float seen[3] = {ray.point[0], to[1], ray.point[2]};
      CHECK(nearest <= distance(seen, to) + 1e-3f);
    }
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  CHECK(arrived > 150 && stopped > 150);
  wm_context_destroy(context);
}

static void a_turned_scene_gives_turned_moves(void) {
  WmContext *context = wm_context_create(NULL);
  int others = 0, count = 0;
  for (uint32_t world = 1; world <= 5; world++) {
    uint32_t seed = world;
    const TurnedPair pair = make_turned_pair(context, make_local_world(context, world));
    for (int i = 0; i < 200; i++, count++) {
      float from[3], turned_from[3], turned_to[3], point[3];
      const WmRef start = random_ground(pair.mesh, &seed, from);
      const float to[3] = {from[0] + random_between(&seed, -4, 4), from[1],
                           from[2] + random_between(&seed, -4, 4)};
      turn_point(from, turned_from);
      turn_point(to, turned_to);
      WmMove move, turned;
      CHECK_EQUAL_INT(wm_query_move_along_surface(pair.query, start, from, to, NULL, true, &move), WM_OK);
      CHECK_EQUAL_INT(wm_query_move_along_surface(pair.turned_query, turned_ref(pair.turned_mesh, start),
                                                  turned_from, turned_to, NULL, true, &turned),
                      WM_OK);
      turn_point(move.point, point);
      /* If two walls are equally near, either one is valid. */
      CHECK(fabsf(distance(turned.point, turned_to) - distance(move.point, to)) < 1e-3f);
      others += distance(point, turned.point) > 1e-3f;
    }
    free_turned_pair(pair);
  }
  CHECK(others * 200 <= count);
  wm_context_destroy(context);
}

static void a_move_of_no_length_stays_where_it_is(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 2, 0);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  const WmRef start = wm_mesh_tile(mesh, 0)->ref; /* 0..4 by 0..4 */
  /* Inside, on edges and corners of the mesh, and on inner ones. */
  static const float PLACES[7][3] = {{1, 0, 1}, {0, 0, 1}, {1, 0, 0}, {0, 0, 0},
                                     {4, 0, 1}, {1, 0, 4}, {4, 0, 4}};
  for (int i = 0; i < 7; i++) {
    WmMove move;
    CHECK_EQUAL_INT(wm_query_move_along_surface(query, start, PLACES[i], PLACES[i], NULL, true, &move),
                    WM_OK);
    CHECK(move.point[0] == PLACES[i][0] && move.point[2] == PLACES[i][2]);
    CHECK(move.polygon_count >= 1 && move.polygons[0] == start);
  }
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* Detour regards such an edge as open along all its length. */
static void the_closed_part_of_an_edge_is_a_wall(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  const GridTile left = {.hole = UINT32_MAX}, right = {.x = 1, .seed = 1, .hole = UINT32_MAX};
  add_grid_tile(mesh, &left);
  const WmRef ref = add_grid_tile(mesh, &right);
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, ref);
  float low = 0, high = 0; /* of the only polygon at the seam that is open, beside 0..4 */
  for (uint32_t p = 0; p < tile->ground_count; p++) {
    wm_mesh_set_polygon_flags(mesh, ref + p, 0);
    const float *corner = wm_tile_vertex(tile, p, 0), *other = wm_tile_vertex(tile, p, 1);
    if (corner[0] != 8 || corner[2] >= 4 || other[2] >= 4 || high > 0) continue;
    low = corner[2];
    high = other[2];
    wm_mesh_set_polygon_flags(mesh, ref + p, 1);
  }
  CHECK(high > low && high < 4);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  const float from[3] = {7, 0, 3.5f}, to[3] = {8.2f, 0, 3.5f};
  const float gate[3] = {8.2f, 0, (low + high) / 2}, near[3] = {0.1f, 2, 0.1f};
  WmNearest start;
  CHECK_EQUAL_INT(wm_query_find_nearest(query, from, near, NULL, &start), WM_OK);
  WmMove move;
  CHECK_EQUAL_INT(wm_query_move_along_surface(query, start.polygon, from, to, NULL, true, &move), WM_OK);
  CHECK(move.polygon == start.polygon);
  CHECK(fabsf(move.point[0] - 8) < 1e-4f && fabsf(move.point[2] - 3.5f) < 1e-4f);
  CHECK_EQUAL_INT(wm_query_move_along_surface(query, start.polygon, from, gate, NULL, true, &move), WM_OK);
  CHECK(move.polygon_count == 2 && move.point[0] == gate[0] && move.point[2] == gate[2]);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* Rounding places the same seam at two coordinates, with a destination between them: the move must not end at
 * a far wall. */
static void a_move_can_end_in_the_gap_between_two_tiles(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  const GridTile left = {.hole = UINT32_MAX}, right = {.x = 1, .hole = UINT32_MAX};
  add_grid_tile(mesh, &left);
  WmTileData tile = make_grid_tile(context, &right);
  WmTileHeader header;
  memcpy(&header, tile.bytes, sizeof header);
  const WmTileSections at = wm_tile_sections(&header, WM_TILE_LINK_BYTES);
  for (int32_t v = 0; v < header.vertex_count; v++) {
    float point[3];
    wm_tile_get(tile.bytes, at.vertices, (size_t)v, sizeof point, point);
    point[0] += 2e-6f;
    wm_tile_put(tile.bytes, at.vertices, (size_t)v, sizeof point, point);
  }
  CHECK_EQUAL_INT(wm_mesh_add_tile(mesh, tile.bytes, tile.byte_count, NULL), WM_OK);
  wm_tile_data_free(context, &tile);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  const float from[3] = {7, 0, 2}, to[3] = {8.000001f, 0, 2}, near[3] = {0.1f, 2, 0.1f};
  CHECK(!ground_at(mesh, to));
  WmNearest nearest;
  CHECK_EQUAL_INT(wm_query_find_nearest(query, from, near, NULL, &nearest), WM_OK);
  WmMove move;
  CHECK_EQUAL_INT(wm_query_move_along_surface(query, nearest.polygon, from, to, NULL, true, &move), WM_OK);
  CHECK(fabsf(move.point[0] - 8) < 1e-5f && fabsf(move.point[2] - 2) < 1e-5f);
  CHECK(move.polygon == nearest.polygon);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void a_connection_is_moved_along_but_not_entered(void) {
  WmContext *context = wm_context_create(NULL);
  const WmOffMeshConnection ladder = {
      .start = {1, 0.25f, 1}, .end = {7, 0.25f, 1}, .radius = 0.5f, .flags = 1};
  WmMesh *mesh = make_grid_mesh(context);
  const GridTile grid = {.hole = UINT32_MAX, .connections = &ladder, .connection_count = 1};
  const WmRef ref = add_grid_tile(mesh, &grid), connection = ref + wm_mesh_tile_of(mesh, ref)->ground_count;
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  const float from[3] = {2, 0, 1}, to[3] = {4, 0, 2};
  WmMove move;
  CHECK_EQUAL_INT(wm_query_move_along_surface(query, connection, from, to, NULL, true, &move), WM_OK);
  CHECK(move.polygon == connection && move.polygon_count == 1);
  CHECK(fabsf(move.point[0] - 4) < 1e-4f && fabsf(move.point[2] - 1) < 1e-4f);
  WmRay ray;
  CHECK_EQUAL_INT(wm_query_raycast(query, connection, from, to, NULL, true, 0, &ray), WM_OK);
  CHECK(ray.outside);
  WmWall wall;
  CHECK_EQUAL_INT(wm_query_distance_to_wall(query, connection, from, 5, NULL, &wall), WM_OK);
  CHECK(!wall.found && wall.distance == 5);
  WmSegments outline;
  CHECK_EQUAL_INT(wm_query_wall_segments(query, connection, NULL, true, &outline), WM_OK);
  CHECK_EQUAL_INT(outline.count, 0);
  WmPolygons around;
  CHECK_EQUAL_INT(wm_query_local_neighbourhood(query, connection, from, 5, NULL, 0, &around), WM_OK);
  CHECK(around.count == 1 && around.polygons[0] == connection);
  /* It isn't visible from the ground. */
  const float start[3] = {1, 0, 1}, goal[3] = {6.5f, 0, 1};
  CHECK_EQUAL_INT(wm_query_move_along_surface(query, ref, start, goal, NULL, true, &move), WM_OK);
  for (size_t i = 0; i < move.polygon_count; i++) CHECK(move.polygons[i] != connection);
  CHECK_EQUAL_INT(wm_query_local_neighbourhood(query, ref, start, 20, NULL, 0, &around), WM_OK);
  CHECK_EQUAL_INT(around.count, 4);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void bad_moves_are_errors_and_zero_the_answer(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 1, 0);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  const WmRef start = wm_mesh_tile(mesh, 0)->ref;
  const float good[3] = {1, 0, 1}, bad[3] = {INFINITY, 0, 1}, far[3] = {3e38f, 0, -3e38f};
  WmMove move;
  CHECK_EQUAL_INT(wm_query_move_along_surface(query, start, bad, good, NULL, true, &move),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK(strcmp(wm_context_error(context)->field, "from") == 0);
  CHECK_EQUAL_INT(wm_query_move_along_surface(query, start, good, bad, NULL, true, &move),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK(strcmp(wm_context_error(context)->field, "to") == 0);
  CHECK_EQUAL_INT(wm_query_move_along_surface(query, 77, good, good, NULL, true, &move),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK(move.polygon_count == 0 && move.polygon == 0 && !move.polygons);
  /* Distances that overflow: the move stays on the mesh. */
  CHECK_EQUAL_INT(wm_query_move_along_surface(query, start, good, far, NULL, true, &move), WM_OK);
  CHECK(move.point[0] >= 0 && move.point[0] <= 8 && move.point[2] >= 0 && move.point[2] <= 8);
  CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, start), WM_OK);
  CHECK_EQUAL_INT(wm_query_move_along_surface(query, start, good, good, NULL, true, &move),
                  WM_ERROR_STALE_REFERENCE);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

int main(void) {
  RUN(moves_equal_golden_answers);
  RUN(moves_end_where_a_plain_search_says);
  RUN(a_turned_scene_gives_turned_moves);
  RUN(a_move_of_no_length_stays_where_it_is);
  RUN(the_closed_part_of_an_edge_is_a_wall);
  RUN(a_move_can_end_in_the_gap_between_two_tiles);
  RUN(a_connection_is_moved_along_but_not_entered);
  RUN(bad_moves_are_errors_and_zero_the_answer);
  return check_finish();
}
