/* Rays against the golden results, and against marching in small steps over drawn worlds. */
#include "query/local/raycast.h"

#include <float.h>

#include "local_worlds.h"
#include "turned_tiles.h"

static void rays_equal_golden_answers(void) {
  for (int s = 0; s < GOLDEN_SCENE_COUNT; s++) {
    Golden golden;
    if (!open_golden(GOLDEN_SCENES[s], &golden)) continue;
    Reader answers = open_answers(GOLDEN_SCENES[s], "raycast");
    uint32_t hits = 0;
    for (uint32_t i = 0; i < golden.count; i++) {
      const Question question = next_question(&golden);
      WmRay ray;
      CHECK_EQUAL_INT(wm_query_raycast(golden.query, question.start, question.from, question.to,
                                       &golden.filter, true, 0, &ray),
                      WM_OK);
      CHECK_EQUAL_INT(next_u32(&answers), 1u << 30);
      float t, normal[3];
      next_floats(&answers, &t, 1);
      next_floats(&answers, normal, 3);
      CHECK_EQUAL_INT(ray.hit, t != FLT_MAX);
      CHECK(ray.t == (ray.hit ? t : 1));
      CHECK(memcmp(ray.normal, normal, sizeof normal) == 0);
      CHECK(!ray.cut && !ray.outside);
      const uint32_t count = next_u32(&answers);
      CHECK_EQUAL_INT(ray.polygon_count, count);
      for (uint32_t k = 0; k < count; k++) {
        const WmRef expected = from_golden(&golden, next_u32(&answers));
        if (k < ray.polygon_count) CHECK_EQUAL_INT(ray.polygons[k], expected);
      }
      hits += ray.hit;
    }
    CHECK_EQUAL_INT(answers.at, answers.file.byte_count);
    CHECK(hits > 200 && hits < golden.count);
    free(answers.file.bytes);
    close_golden(&golden);
  }
}

/* ---- Drawn worlds ---------------------------------------------------------------------------------- */

/* Openings are stored to 1/255 of an edge, whose length is at most 3 units. */
#define TOLERANCE 0.02f

/* The same ray without the surface: equal except for the height of its end, and its cost. */
static void check_without_surface(WmQuery *query, const WmMesh *mesh, WmRef start, const float from[3],
                                  const float to[3], const WmRay *expected) {
  WmRay ray;
  CHECK_EQUAL_INT(wm_query_raycast(query, start, from, to, NULL, false, 0, &ray), WM_OK);
  CHECK(ray.hit == expected->hit && ray.t == expected->t && ray.edge == expected->edge);
  CHECK(ray.polygon == expected->polygon && ray.polygon_count == expected->polygon_count);
  CHECK(ray.point[0] == expected->point[0] && ray.point[2] == expected->point[2]);
  CHECK(memcmp(ray.normal, expected->normal, sizeof ray.normal) == 0);
  if (!ray.hit) {
    CHECK(ray.point[1] == to[1]);
    return;
  }
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, ray.polygon);
  const uint32_t polygon = wm_ref_polygon(ray.polygon);
  const float a = wm_tile_vertex(tile, polygon, ray.edge)[1],
              b = wm_tile_vertex(tile, polygon, ray.edge + 1)[1];
  CHECK(ray.point[1] >= (a < b ? a : b) - 1e-4f && ray.point[1] <= (a < b ? b : a) + 1e-4f);
}

static void rays_go_as_far_as_marching_in_small_steps(void) {
  WmContext *context = wm_context_create(NULL);
  int hits = 0, reached = 0;
  for (uint32_t world = 1; world <= 12; world++) {
    uint32_t seed = world;
    WmMesh *mesh = make_local_world(context, world);
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    for (int i = 0; i < 150; i++) {
      float from[3];
      const WmRef start = random_ground(mesh, &seed, from);
      const float reach = random_between(&seed, 0.1f, 12);
      const float to[3] = {from[0] + random_between(&seed, -reach, reach), from[1],
                           from[2] + random_between(&seed, -reach, reach)};
      WmRay ray;
      CHECK_EQUAL_INT(wm_query_raycast(query, start, from, to, NULL, true, 0, &ray), WM_OK);
      CHECK(!ray.outside && !ray.cut && ray.t >= 0 && ray.t <= 1);
      CHECK(ray.hit || ray.t == 1);
      const float length = distance(from, to), free = ray.t * length;
      for (float at = 0; at < free - TOLERANCE; at += 0.05f) {
        const float point[3] = {from[0] + (to[0] - from[0]) * at / length, from[1],
                                from[2] + (to[2] - from[2]) * at / length};
        CHECK(is_ground_near(mesh, point, TOLERANCE));
      }
      const float end[3] = {ray.point[0], from[1], ray.point[2]};
      if (ray.hit) CHECK(is_wall_near(mesh, end, TOLERANCE));
      /* The point lies on its last polygon. */
      const WmMeshTile *tile = wm_mesh_tile_of(mesh, ray.polygon);
      float closest[3];
      wm_tile_closest_point(tile, wm_ref_polygon(ray.polygon), ray.point, true, closest);
      CHECK(distance(closest, ray.point) < 1e-3f);
      CHECK(ray.polygons[0] == start && ray.polygons[ray.polygon_count - 1] == ray.polygon);
      CHECK(ray.cost > free - 1e-3f && ray.cost < free * 2 + 0.5f);
      hits += ray.hit;
      reached += !ray.hit;
      /* The normal points against the ray. */
      if (ray.hit) CHECK(ray.normal[0] * (to[0] - from[0]) + ray.normal[2] * (to[2] - from[2]) <= 0);
      CHECK((ray.edge == UINT32_MAX) == !ray.hit);
      const float lifted[3] = {to[0], to[1] + 7, to[2]};
      check_without_surface(query, mesh, start, from, lifted, &ray);
    }
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  CHECK(hits > 300 && reached > 300);
  wm_context_destroy(context);
}

static void a_turned_scene_gives_turned_rays(void) {
  WmContext *context = wm_context_create(NULL);
  int other_ways = 0, count = 0;
  for (uint32_t world = 1; world <= 5; world++) {
    uint32_t seed = world;
    const TurnedPair pair = make_turned_pair(context, make_local_world(context, world));
    for (int i = 0; i < 200; i++, count++) {
      float from[3], turned_from[3], turned_to[3], point[3];
      const WmRef start = random_ground(pair.mesh, &seed, from);
      const float to[3] = {random_between(&seed, 0, WORLD_SIZE), from[1],
                           random_between(&seed, 0, WORLD_SIZE)};
      turn_point(from, turned_from);
      turn_point(to, turned_to);
      WmRay ray, turned;
      CHECK_EQUAL_INT(wm_query_raycast(pair.query, start, from, to, NULL, true, 0, &ray), WM_OK);
      CHECK_EQUAL_INT(wm_query_raycast(pair.turned_query, turned_ref(pair.turned_mesh, start), turned_from,
                                       turned_to, NULL, true, 0, &turned),
                      WM_OK);
      turn_point(ray.point, point);
      CHECK(distance(point, turned.point) < 1e-3f);
      CHECK(fabsf(ray.cost - turned.cost) < 1e-2f);
      bool same = ray.polygon_count == turned.polygon_count;
      for (size_t k = 0; same && k < ray.polygon_count; k++)
        same = turned_ref(pair.turned_mesh, ray.polygons[k]) == turned.polygons[k];
      other_ways += !same;
    }
    free_turned_pair(pair);
  }
  CHECK(other_ways * 200 <= count);
  wm_context_destroy(context);
}

/* Lines on edges of polygons and through their corners: rounding must not stop them. */
static void rays_along_edges_and_through_corners_go_on(void) {
  WmContext *context = wm_context_create(NULL);
  uint32_t seed = 3;
  for (int turns = 0; turns < 2; turns++) {
    WmMesh *mesh = make_grid_world(context, 3, 0); /* squares of four units */
    for (int i = 0; i < turns; i++) {
      WmMesh *turned = make_turned_mesh(context, mesh);
      wm_mesh_destroy(mesh);
      mesh = turned;
    }
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    for (int i = 0; i < 2000; i++) {
      /* From a corner, or a point of an edge, of a square to another. */
      const int32_t x = (int32_t)(grid_random(&seed) % 6), z = (int32_t)(grid_random(&seed) % 6);
      const int32_t right = (int32_t)(grid_random(&seed) % 7), down = (int32_t)(grid_random(&seed) % 7);
      float from[3] = {(float)x * 4, 0, (float)z * 4}, to[3] = {(float)right * 4, 0, (float)down * 4};
      if (i % 3 == 0) from[0] += random_between(&seed, 0, 4);
      if (i % 4 == 0) to[2] = fminf(to[2] + random_between(&seed, 0, 4), 24);
      const float inside[3] = {(float)x * 4 + 2, 0, (float)z * 4 + 2};
      float turned_inside[3];
      memcpy(turned_inside, inside, sizeof inside);
      for (int k = 0; k < turns; k++) {
        turn_point(from, from);
        turn_point(to, to);
        turn_point(inside, turned_inside);
      }
      WmRef start = 0;
      for (size_t s = 0; s < 9 && !start; s++) {
        const WmMeshTile *tile = wm_mesh_tile(mesh, s);
        for (uint32_t p = 0; p < tile->ground_count; p++) {
          if (wm_tile_contains(tile, p, turned_inside)) start = tile->ref + p;
        }
      }
      WmRay ray;
      CHECK_EQUAL_INT(wm_query_raycast(query, start, from, to, NULL, true, 0, &ray), WM_OK);
      CHECK(!ray.outside);
      CHECK(!ray.hit);
      CHECK(fabsf(ray.point[0] - to[0]) < 1e-4f && fabsf(ray.point[2] - to[2]) < 1e-4f);
    }
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  wm_context_destroy(context);
}

/* The same with fractional coordinates: along the inner edges of baked scenes, from either side. */
static void rays_along_inner_edges_of_scenes_go_on(void) {
  for (int scene = 0; scene < GOLDEN_SCENE_COUNT; scene++) {
    Golden golden;
    if (!open_golden(GOLDEN_SCENES[scene], &golden)) continue;
    const WmMeshTile *tile = wm_mesh_tile(golden.mesh, 0);
    uint32_t seed = 1, count = 0, stopped = 0;
    for (uint32_t p = 0; p < tile->ground_count; p++) {
      for (uint32_t k = 0; k < tile->polygon_size[p]; k++) {
        const uint32_t neighbour = tile->polygon_neighbours[6 * p + k];
        if (neighbour == 0 || !wm_filter_passes(&golden.filter, tile->polygon_flags[neighbour - 1])) continue;
        float from[3], to[3];
        wm_interpolate(wm_tile_vertex(tile, p, k), wm_tile_vertex(tile, p, k + 1),
                       random_between(&seed, 0.05f, 0.4f), from);
        wm_interpolate(wm_tile_vertex(tile, p, k), wm_tile_vertex(tile, p, k + 1),
                       random_between(&seed, 0.6f, 0.95f), to);
        WmRay ray;
        CHECK_EQUAL_INT(
            wm_query_raycast(golden.query, tile->ref + p, from, to, &golden.filter, true, 0, &ray), WM_OK);
        count++;
        stopped += ray.outside || ray.hit;
      }
    }
    CHECK(count > 50);
    CHECK_EQUAL_INT(stopped, 0);
    close_golden(&golden);
  }
}

static void rays_say_when_they_are_outside_cut_or_dear(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 3, 0);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  const WmRef start = wm_mesh_tile(mesh, 0)->ref; /* 0..4 by 0..4 */
  const float from[3] = {1, 0, 1}, to[3] = {23, 50, 1}, beside[3] = {1, 0, 5}, beyond[3] = {30, 0, 1};
  WmRay ray;
  CHECK_EQUAL_INT(wm_query_raycast(query, start, from, to, NULL, true, 0, &ray), WM_OK);
  CHECK(!ray.hit && ray.polygon_count == 6 && !ray.cut);
  CHECK(ray.point[1] < 1); /* the surface, not the requested height */
  CHECK(fabsf(ray.cost - 22) < 0.5f);
  CHECK_EQUAL_INT(wm_query_raycast(query, start, from, to, NULL, true, 4, &ray), WM_OK);
  CHECK(!ray.hit && ray.polygon_count == 4 && ray.cut && ray.point[0] == 23);
  CHECK_EQUAL_INT(wm_query_raycast(query, start, from, to, NULL, true, 6, &ray), WM_OK);
  CHECK(ray.polygon_count == 6 && !ray.cut);
  CHECK_EQUAL_INT(wm_query_raycast(query, start, from, beyond, NULL, true, 0, &ray), WM_OK);
  CHECK(ray.hit && fabsf(ray.point[0] - 24) < 1e-4f && ray.normal[0] == -1 && ray.normal[2] == 0);
  CHECK_EQUAL_INT(wm_query_raycast(query, start, beside, to, NULL, true, 0, &ray), WM_OK);
  CHECK(ray.outside && !ray.hit && ray.t == 0 && ray.polygon_count == 0 && ray.cost == 0);
  CHECK(ray.point[0] == beside[0] && ray.point[2] == beside[2]);
  /* No length: inside, on a corner, outside. */
  CHECK_EQUAL_INT(wm_query_raycast(query, start, from, from, NULL, true, 0, &ray), WM_OK);
  CHECK(!ray.hit && ray.t == 1 && ray.polygon_count == 1 && ray.cost < 0.3f);
  const float corner[3] = {4, 0, 4};
  CHECK_EQUAL_INT(wm_query_raycast(query, start, corner, corner, NULL, true, 0, &ray), WM_OK);
  CHECK(!ray.outside && !ray.hit && ray.t == 1 && ray.point[0] == 4);
  CHECK_EQUAL_INT(wm_query_raycast(query, start, beside, beside, NULL, true, 0, &ray), WM_OK);
  CHECK(ray.outside);
  /* A polygon of high cost, and a closed one. */
  WmFilter filter = wm_filter_default();
  CHECK_EQUAL_INT(wm_query_raycast(query, start, from, to, &filter, true, 0, &ray), WM_OK);
  const WmRef third = ray.polygons[2]; /* 8..12 */
  const float plain = ray.cost;
  filter.area_costs[7] = 3;
  CHECK_EQUAL_INT(wm_mesh_set_polygon_area(mesh, third, 7), WM_OK);
  CHECK_EQUAL_INT(wm_query_raycast(query, start, from, to, &filter, true, 0, &ray), WM_OK);
  CHECK(ray.cost > plain + 7.9f && ray.cost < plain + 8.1f);
  WmCosts *costs = NULL;
  const float factor = 0.5f;
  CHECK_EQUAL_INT(wm_costs_create(context, mesh, &costs), WM_OK);
  CHECK_EQUAL_INT(wm_costs_set(costs, &third, &factor, 1), WM_OK);
  filter.costs = costs;
  CHECK_EQUAL_INT(wm_query_raycast(query, start, from, to, &filter, true, 0, &ray), WM_OK);
  CHECK(ray.cost > plain + 1.9f && ray.cost < plain + 2.1f);
  wm_costs_destroy(costs);
  filter.costs = NULL;
  CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(mesh, third, 2), WM_OK);
  filter.exclude_flags = 2;
  CHECK_EQUAL_INT(wm_query_raycast(query, start, from, to, &filter, true, 0, &ray), WM_OK);
  CHECK(ray.hit && ray.polygon_count == 2 && fabsf(ray.point[0] - 8) < 1e-4f);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void bad_rays_are_errors_and_zero_the_answer(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 1, 0);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  const WmRef start = wm_mesh_tile(mesh, 0)->ref;
  const float good[3] = {1, 0, 1}, bad[3] = {1, 0, NAN}, far[3] = {3e38f, 0, -3e38f};
  WmRay ray;
  CHECK_EQUAL_INT(wm_query_raycast(query, start, bad, good, NULL, true, 0, &ray), WM_ERROR_INVALID_ARGUMENT);
  CHECK(strcmp(wm_context_error(context)->field, "from") == 0);
  CHECK_EQUAL_INT(wm_query_raycast(query, start, good, bad, NULL, true, 0, &ray), WM_ERROR_INVALID_ARGUMENT);
  CHECK(strcmp(wm_context_error(context)->field, "to") == 0);
  CHECK_EQUAL_INT(wm_query_raycast(query, start + 99, good, good, NULL, true, 0, &ray),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK(strcmp(wm_context_error(context)->field, "start") == 0);
  CHECK_EQUAL_INT(wm_query_raycast(query, 0, good, good, NULL, true, 0, &ray), WM_ERROR_INVALID_ARGUMENT);
  WmFilter filter = wm_filter_default();
  filter.area_costs[9] = NAN;
  CHECK_EQUAL_INT(wm_query_raycast(query, start, good, good, &filter, true, 0, &ray),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK(ray.polygon_count == 0 && ray.polygon == 0 && !ray.polygons);
  /* Distances that overflow: no mesh is there. */
  CHECK_EQUAL_INT(wm_query_raycast(query, start, good, far, NULL, true, 0, &ray), WM_OK);
  CHECK(ray.outside && ray.t == 0 && ray.cost == 0);
  CHECK_EQUAL_INT(wm_query_raycast(query, start, far, good, NULL, true, 0, &ray), WM_OK);
  CHECK(ray.outside);
  CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, start), WM_OK);
  CHECK_EQUAL_INT(wm_query_raycast(query, start, good, good, NULL, true, 0, &ray), WM_ERROR_STALE_REFERENCE);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

int main(void) {
  RUN(rays_equal_golden_answers);
  RUN(rays_go_as_far_as_marching_in_small_steps);
  RUN(a_turned_scene_gives_turned_rays);
  RUN(rays_along_edges_and_through_corners_go_on);
  RUN(rays_along_inner_edges_of_scenes_go_on);
  RUN(rays_say_when_they_are_outside_cut_or_dear);
  RUN(bad_rays_are_errors_and_zero_the_answer);
  return check_finish();
}
