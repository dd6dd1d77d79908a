/* Local neighbourhoods: against the golden results, and against a flood over drawn worlds. */
#include "query/local/overlap.h"
#include "query/local/neighbourhood.h"

#include "local_worlds.h"

static void neighbourhoods_equal_golden_answers(void) {
  int cut = 0;
  for (int s = 0; s < GOLDEN_SCENE_COUNT; s++) {
    Golden golden;
    if (!open_golden(GOLDEN_SCENES[s], &golden)) continue;
    Reader answers = open_answers(GOLDEN_SCENES[s], "findLocalNeighbourhood");
    for (uint32_t i = 0; i < golden.count; i++) {
      const Question question = next_question(&golden);
      WmPolygons around;
      CHECK_EQUAL_INT(wm_query_local_neighbourhood(golden.query, question.start, question.from, 7.2f,
                                                   &golden.filter, 16, &around),
                      WM_OK);
      CHECK_EQUAL_INT(next_u32(&answers), around.cut ? 1u << 30 | 16 : 1u << 30);
      const uint32_t count = next_u32(&answers);
      CHECK_EQUAL_INT(around.count, count);
      for (uint32_t k = 0; k < count; k++) {
        const WmRef polygon = from_golden(&golden, next_u32(&answers));
        const WmRef parent = from_golden(&golden, next_u32(&answers));
        if (k >= around.count) continue;
        CHECK_EQUAL_INT(around.polygons[k], polygon);
        CHECK_EQUAL_INT(k > 0 ? around.polygons[around.parents[k]] : 0, parent);
      }
      cut += around.cut;
    }
    CHECK_EQUAL_INT(answers.at, answers.file.byte_count);
    free(answers.file.bytes);
    close_golden(&golden);
  }
  if (check_cases_skipped == 0) CHECK(cut > 100);
}

/* ---- Drawn worlds ------------------------------------------------------------------------------------ */

/* Number of polygons that can be reached through portals that touch a circle. */
static size_t flood_circle(const WmMesh *mesh, WmRef start, const float centre[3], float radius,
                           uint8_t reached[64][GRID_POLYGON_LIMIT]) {
  static WmRef queue[64 * GRID_POLYGON_LIMIT];
  size_t tail = 0;
  memset(reached, 0, 64 * GRID_POLYGON_LIMIT);
  queue[tail++] = start;
  reached[wm_ref_slot(start)][wm_ref_polygon(start)] = 1;
  for (size_t head = 0; head < tail; head++) {
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, queue[head]);
    const uint32_t p = wm_ref_polygon(queue[head]);
    for (uint32_t i = tile->link_first[p]; i < tile->link_first[p + 1]; i++) {
      const WmLink *link = &tile->links[i];
      const WmMeshTile *target = wm_mesh_tile(mesh, link->slot);
      const float *portal = tile->link_portals + 6 * (size_t)i;
      float t;
      if (reached[link->slot][link->polygon] || !target->polygon_flags[link->polygon]) continue;
      if (wm_distance_to_segment(centre, portal, portal + 3, &t) > radius * radius) continue;
      reached[link->slot][link->polygon] = 1;
      queue[tail++] = target->ref + link->polygon;
    }
  }
  return tail;
}

/* No polygon lies above another one of its floor, so all reachable polygons are in the result. */
static void on_a_flat_floor_it_is_all_that_can_be_reached(void) {
  static uint8_t reached[64][GRID_POLYGON_LIMIT];
  WmContext *context = wm_context_create(NULL);
  size_t largest = 0;
  for (uint32_t world = 1; world <= 8; world++) {
    uint32_t seed = 300 + world;
    WmMesh *mesh = make_local_world(context, world);
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    for (int i = 0; i < 60; i++) {
      float centre[3];
      const WmRef start = random_ground(mesh, &seed, centre);
      const float radius = i % 10 == 0 ? 50 : random_between(&seed, 0, 6);
      WmPolygons around;
      CHECK_EQUAL_INT(wm_query_local_neighbourhood(query, start, centre, radius, NULL, 0, &around), WM_OK);
      const size_t count = flood_circle(mesh, start, centre, radius, reached);
      CHECK_EQUAL_INT(around.count, count);
      CHECK(!around.cut && around.polygons[0] == start && around.parents[0] == 0);
      for (size_t k = 0; k < around.count; k++) {
        uint8_t *mark = &reached[wm_ref_slot(around.polygons[k])][wm_ref_polygon(around.polygons[k])];
        CHECK_EQUAL_INT(*mark, 1); /* reached, and here for the first time */
        *mark = 2;
        CHECK(k == 0 || around.parents[k] < k);
      }
      if (count > largest) largest = count;
      /* A result with room for all polygons isn't cut; with room for one less, it is. */
      CHECK_EQUAL_INT(wm_query_local_neighbourhood(query, start, centre, radius, NULL, count, &around),
                      WM_OK);
      CHECK(around.count == count && !around.cut);
      if (count == 1) continue;
      CHECK_EQUAL_INT(wm_query_local_neighbourhood(query, start, centre, radius, NULL, count - 1, &around),
                      WM_OK);
      CHECK(around.count == count - 1 && around.cut);
    }
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  CHECK(largest > 64); /* more than Detour's nodes */
  wm_context_destroy(context);
}

/* True if some point is well inside both. */
static bool share_ground(const WmMesh *mesh, WmRef a, WmRef b) {
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, a), *other = wm_mesh_tile_of(mesh, b);
  const float *low = wm_tile_vertex(tile, wm_ref_polygon(a), 0);
  const float *high = wm_tile_vertex(tile, wm_ref_polygon(a), 2); /* they are rectangles */
  for (int i = 0; i < 81; i++) {
    const float x = 0.05f + 0.1125f * (float)(i % 9), z = 0.05f + 0.1125f * (float)(i / 9);
    const float point[3] = {low[0] + (high[0] - low[0]) * x, 0, low[2] + (high[2] - low[2]) * z};
    if (wm_tile_contains(other, wm_ref_polygon(b), point)) return true;
  }
  return false;
}

/* Two tile layers at the same tile place: two polygons above one another are both found only if one polygon
 * leads to both. */
static void in_layers_none_lies_over_another(void) {
  static uint8_t reached[64][GRID_POLYGON_LIMIT];
  WmContext *context = wm_context_create(NULL);
  size_t left_out = 0, pairs = 0;
  for (uint32_t world = 1; world <= 4; world++) {
    uint32_t seed = world;
    WmMesh *mesh = make_layered_world(context, world);
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    for (int i = 0; i < 20; i++) {
      float centre[3];
      do {
        centre[0] = random_between(&seed, 0, WORLD_SIZE);
        centre[1] = 0;
        centre[2] = random_between(&seed, 0, WORLD_SIZE);
      } while (!ground_at(mesh, centre));
      const WmRef start = ground_at(mesh, centre);
      WmPolygons around;
      CHECK_EQUAL_INT(wm_query_local_neighbourhood(query, start, centre, 6, NULL, 0, &around), WM_OK);
      left_out += flood_circle(mesh, start, centre, 6, reached) - around.count;
      for (size_t b = 1; b < around.count; b++) {
        const WmRef parent = around.polygons[around.parents[b]];
        CHECK(are_linked(mesh, parent, around.polygons[b]));
        for (size_t a = 0; a < b; a++) {
          if (!share_ground(mesh, around.polygons[a], around.polygons[b])) continue;
          CHECK(are_linked(mesh, parent, around.polygons[a]));
          pairs++;
        }
      }
    }
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  CHECK(left_out > 50 && pairs > 50);
  wm_context_destroy(context);
}

static void bad_arguments_are_errors_and_zero_the_answer(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 1, 0);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  const WmRef start = wm_mesh_tile(mesh, 0)->ref;
  const float good[3] = {1, 0, 1}, bad[3] = {NAN, 0, 1};
  WmPolygons around;
  CHECK_EQUAL_INT(wm_query_local_neighbourhood(query, start, bad, 1, NULL, 0, &around),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK(strcmp(wm_context_error(context)->field, "centre") == 0);
  CHECK_EQUAL_INT(wm_query_local_neighbourhood(query, start, good, -1, NULL, 0, &around),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK(strcmp(wm_context_error(context)->field, "radius") == 0);
  CHECK_EQUAL_INT(wm_query_local_neighbourhood(query, 3, good, 1, NULL, 0, &around),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK(around.count == 0 && !around.polygons && !around.parents);
  CHECK_EQUAL_INT(wm_query_local_neighbourhood(query, start, good, 0, NULL, 0, &around), WM_OK);
  CHECK(around.count == 1 && around.polygons[0] == start);
  CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, start), WM_OK);
  CHECK_EQUAL_INT(wm_query_local_neighbourhood(query, start, good, 1, NULL, 0, &around),
                  WM_ERROR_STALE_REFERENCE);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

int main(void) {
  RUN(neighbourhoods_equal_golden_answers);
  RUN(on_a_flat_floor_it_is_all_that_can_be_reached);
  RUN(in_layers_none_lies_over_another);
  RUN(bad_arguments_are_errors_and_zero_the_answer);
  return check_finish();
}
