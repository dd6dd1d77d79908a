/* Flow fields with any budgets: the cheapest corridors by an oracle, never more expensive than those of
 * single searches. */
#include "golden_queries.h"
#include "mesh/links/connections.h"
#include "query/search/flow_field.h"
#include "query/query_internal.h"

enum { SIDE = 3, NODE_LIMIT = 8192 };

typedef struct World {
  WmContext *context;
  WmMesh *mesh;
  WmQuery *query;
  WmFlowField *flow;
  WmFilter filter;
} World;

/* Tiles with cuts of their own; some polygons closed, some with other costs; connections, some of them
 * one-way.
 */
static World open_world(uint32_t seed) {
  World world = {.context = wm_context_create(NULL), .filter = wm_filter_default()};
  world.filter.area_costs[7] = 0.25f;
  world.filter.area_costs[8] = 6;
  world.mesh = make_grid_world(world.context, SIDE, seed);
  uint32_t random = seed;
  for (size_t s = 0; s < SIDE * SIDE; s++) {
    const WmMeshTile *tile = wm_mesh_tile(world.mesh, s);
    for (uint32_t p = 0; p < tile->polygon_count; p++) {
      const uint32_t dice = grid_random(&random) % 8;
      if (dice < 2) wm_mesh_set_polygon_flags(world.mesh, tile->ref + p, 0);
      if (dice > 4) wm_mesh_set_polygon_area(world.mesh, tile->ref + p, (uint8_t)(dice + 1));
    }
  }
  for (int i = 0; i < 6; i++) {
    WmConnection settings = wm_connection_default(world.mesh);
    for (int axis = 0; axis < 3; axis += 2) {
      settings.start[axis] = random_between(&random, 0.5f, 8 * SIDE - 0.5f);
      settings.end[axis] = random_between(&random, 0.5f, 8 * SIDE - 0.5f);
    }
    settings.radius = 2;
    settings.bidirectional = i % 3 == 0;
    settings.flags = 1;
    WmRef connection;
    CHECK_EQUAL_INT(wm_mesh_add_connection(world.mesh, &settings, &connection), WM_OK);
  }
  CHECK_EQUAL_INT(wm_query_create(world.context, world.mesh, &world.query), WM_OK);
  CHECK_EQUAL_INT(wm_flow_field_create(world.context, world.mesh, &world.flow), WM_OK);
  return world;
}

static void close_world(World *world) {
  wm_flow_field_destroy(world->flow);
  wm_query_destroy(world->query);
  wm_mesh_destroy(world->mesh);
  wm_context_destroy(world->context);
}

static WmNearest random_place(const World *world, uint32_t *seed) {
  return random_place_within(world->query, 8 * SIDE, seed);
}

static float unit_of(const World *world, WmRef polygon) {
  return wm_filter_unit_cost(&world->filter, wm_mesh_tile_of(world->mesh, polygon), wm_ref_polygon(polygon));
}

/* The lowest cost of a corridor through the midpoints of its portals; a step may have several portals. */
static float cost_of(const World *world, const float start[3], const float end[3], const WmRef *polygons,
                     size_t count) {
  float costs[17] = {0}, middles[17][3];
  size_t width = 1;
  memcpy(middles[0], start, 3 * sizeof *start);
  for (size_t i = 0; i < count; i++) {
    const float unit = unit_of(world, polygons[i]);
    float next_costs[17], next_middles[17][3];
    size_t next_width = 0;
    const WmMeshTile *tile = wm_mesh_tile_of(world->mesh, polygons[i]);
    const uint32_t *first = tile->link_first + wm_ref_polygon(polygons[i]);
    for (uint32_t l = first[0]; l < first[1] && i + 1 < count && next_width < 16; l++) {
      const WmLink *link = &tile->links[l];
      if (wm_mesh_tile(world->mesh, link->slot)->ref + link->polygon != polygons[i + 1]) continue;
      memcpy(next_middles[next_width++], link->middle, sizeof link->middle);
    }
    if (i + 1 == count) memcpy(next_middles[next_width++], end, 3 * sizeof *end);
    CHECK(next_width > 0 && next_width < 16); /* linked, and all of them are here */
    for (size_t n = 0; n < next_width; n++) {
      next_costs[n] = INFINITY;
      for (size_t k = 0; k < width; k++)
        next_costs[n] = fminf(next_costs[n], costs[k] + wm_distance(middles[k], next_middles[n]) * unit);
    }
    memcpy(costs, next_costs, sizeof costs);
    memcpy(middles, next_middles, sizeof middles);
    width = next_width;
  }
  return costs[0];
}

/* ---- The oracle --------------------------------------------------------------------------------------- */

typedef struct Opening {
  WmRef from, to;
  float middle[3];
  float cost;
} Opening;

/* The cost from each portal to the target: relaxed until nothing changes. Returns the number of portals. */
static size_t find_costs(const World *world, WmRef goal, const float goal_position[3], Opening *openings) {
  size_t count = 0;
  for (size_t s = 0; s < wm_mesh_slot_count(world->mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(world->mesh, s);
    for (uint32_t p = 0; tile && p < tile->polygon_count; p++) {
      for (uint32_t i = tile->link_first[p]; i < tile->link_first[p + 1]; i++) {
        const WmLink *link = &tile->links[i];
        const WmMeshTile *target = wm_mesh_tile(world->mesh, link->slot);
        if (!wm_filter_passes(&world->filter, target->polygon_flags[link->polygon])) continue;
        CHECK(count < NODE_LIMIT);
        openings[count] =
            (Opening){.from = tile->ref + p, .to = target->ref + link->polygon, .cost = INFINITY};
        memcpy(openings[count++].middle, link->middle, sizeof link->middle);
      }
    }
  }
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (size_t i = 0; i < count; i++) {
      Opening *one = &openings[i];
      const float unit = unit_of(world, one->to);
      float best = one->to == goal ? wm_distance(one->middle, goal_position) * unit : INFINITY;
      for (size_t k = 0; k < count && one->to != goal; k++) {
        if (openings[k].from != one->to || openings[k].to == one->from) continue;
        best = fminf(best, wm_distance(one->middle, openings[k].middle) * unit + openings[k].cost);
      }
      if (!(best < one->cost * 0.99999f)) continue;
      one->cost = best;
      has_changed = true;
    }
  }
  return count;
}

static float oracle_cost(const World *world, const Opening *openings, size_t count, const WmNearest *start) {
  float best = INFINITY;
  const float unit = unit_of(world, start->polygon);
  for (size_t i = 0; i < count; i++) {
    if (openings[i].from != start->polygon) continue;
    best = fminf(best, wm_distance(start->point, openings[i].middle) * unit + openings[i].cost);
  }
  return best;
}

/* ---- Against single searches -------------------------------------------------------------------------- */

/* Grows by random budgets; returns the number of polygons. */
static size_t grow(WmFlowField *flow, const WmNearest *start, uint32_t *seed) {
  size_t sum = 0;
  for (bool done = false; !done;) {
    const size_t budget = seed ? grid_random(seed) % 40 : SIZE_MAX;
    size_t used = 0;
    CHECK_EQUAL_INT(wm_flow_field_advance(flow, start->polygon, start->point, budget, &done, &used), WM_OK);
    CHECK(used <= budget);
    sum += used;
  }
  return sum;
}

typedef struct Lengths {
  double field, single, worst;
  size_t count;
} Lengths;

/* String-pulled paths through both corridors. */
static void compare_lengths(const World *world, const WmNearest *start, const WmNearest *goal,
                            const WmCorridor *field, const WmCorridor *single, Lengths *lengths) {
  WmPath path;
  WmRef polygons[512];
  CHECK(single->polygon_count <= 512);
  memcpy(polygons, single->polygons, single->polygon_count * sizeof *polygons);
  CHECK_EQUAL_INT(wm_query_straighten(world->query, start->point, goal->point, polygons,
                                      single->polygon_count, WM_CROSSINGS_NONE, 0, &path),
                  WM_OK);
  const double one = (double)path.length;
  CHECK_EQUAL_INT(wm_query_straighten(world->query, start->point, goal->point, field->polygons,
                                      field->polygon_count, WM_CROSSINGS_NONE, 0, &path),
                  WM_OK);
  CHECK_EQUAL_INT(path.state, WM_PATH_COMPLETE);
  lengths->single += one;
  lengths->field += (double)path.length;
  lengths->count++;
  if (one > 1) lengths->worst = fmax(lengths->worst, (double)path.length / one);
}

/* Within the target's polygon the way is the straight line. */
static void check_start_beside_target(const World *world, const WmNearest *goal) {
  const float start[3] = {goal->point[0] + 0.5f, goal->point[1], goal->point[2]};
  const float expected = unit_of(world, goal->polygon) * wm_distance(start, goal->point);
  WmNearest at = *goal;
  memcpy(at.point, start, sizeof start);
  grow(world->flow, &at, NULL);
  WmCorridor corridor;
  CHECK_EQUAL_INT(wm_flow_field_find(world->flow, goal->polygon, start, &corridor), WM_OK);
  CHECK_EQUAL_INT(corridor.state, WM_PATH_COMPLETE);
  CHECK(corridor.polygon_count == 1 && corridor.polygons[0] == goal->polygon);
  CHECK(corridor.cost == expected);
}

static void check_world(uint32_t seed, bool with_costs, Lengths *lengths) {
  World world = open_world(seed);
  if (!with_costs) world.filter = wm_filter_default();
  Opening *openings = malloc(NODE_LIMIT * sizeof *openings);
  WmFlowField *sliced;
  CHECK_EQUAL_INT(wm_flow_field_create(world.context, world.mesh, &sliced), WM_OK);
  for (int round = 0; round < 3; round++) {
    const WmNearest goal = random_place(&world, &seed);
    CHECK_EQUAL_INT(wm_flow_field_begin(world.flow, goal.polygon, goal.point, &world.filter), WM_OK);
    CHECK_EQUAL_INT(wm_flow_field_begin(sliced, goal.polygon, goal.point, &world.filter), WM_OK);
    check_start_beside_target(&world, &goal);
    const size_t count = find_costs(&world, goal.polygon, goal.point, openings);
    size_t sum = 0, sliced_sum = 0;
    for (int i = 0; i < 20; i++) {
      const WmNearest start = random_place(&world, &seed);
      if (start.polygon == goal.polygon) continue;
      sum += grow(world.flow, &start, NULL);
      sliced_sum += grow(sliced, &start, &seed);
      CHECK_EQUAL_INT(sum, sliced_sum);
      CHECK(wm_flow_field_covers(world.flow, start.polygon, start.point));
      WmCorridor field, other, single;
      CHECK_EQUAL_INT(wm_flow_field_find(world.flow, start.polygon, start.point, &field), WM_OK);
      CHECK_EQUAL_INT(wm_flow_field_find(sliced, start.polygon, start.point, &other), WM_OK);
      CHECK_EQUAL_INT(field.polygon_count, other.polygon_count);
      CHECK(field.polygon_count == 0 ||
            memcmp(field.polygons, other.polygons, field.polygon_count * sizeof *field.polygons) == 0);
      const WmSearchOptions options = {.filter = &world.filter};
      CHECK_EQUAL_INT(wm_query_find_corridor(world.query, start.polygon, start.point, goal.polygon,
                                             goal.point, &options, &single),
                      WM_OK);
      CHECK((single.state == WM_PATH_COMPLETE) == (field.state == WM_PATH_COMPLETE));
      const float oracle = oracle_cost(&world, openings, count, &start);
      CHECK((field.state == WM_PATH_COMPLETE) == (oracle < INFINITY));
      if (field.state != WM_PATH_COMPLETE) continue;
      CHECK(fabsf(field.cost - oracle) <= 1e-3f * oracle);
      const float cost = cost_of(&world, start.point, goal.point, field.polygons, field.polygon_count);
      CHECK(fabsf(cost - field.cost) <= 1e-4f * cost);
      CHECK(field.cost <=
            1.0001f * cost_of(&world, start.point, goal.point, single.polygons, single.polygon_count));
      compare_lengths(&world, &start, &goal, &field, &single, lengths);
    }
    /* One or two nodes per polygon. */
    WmMeshTotals totals;
    wm_mesh_totals(world.mesh, &totals);
    CHECK(sum <= 2 * totals.polygons);
  }
  wm_flow_field_destroy(sliced);
  free(openings);
  close_world(&world);
}

static void ways_are_the_cheapest_and_never_dearer_than_single_searches(void) {
  Lengths lengths[2] = {{0}};
  for (uint32_t seed = 1; seed <= (uint32_t)CHECK_ROUNDS(24); seed++)
    check_world(seed, seed % 2, &lengths[seed % 2]);
  for (int i = 0; i < 2; i++) CHECK(lengths[i].count > (size_t)CHECK_ROUNDS(200));
  /* Neither method minimizes the length of the string-pulled path. Without costs those of flow fields are
   * shorter on average (0.994 here), and the worst one isn't much longer (1.09). */
  CHECK(lengths[0].field < lengths[0].single);
  CHECK(lengths[0].worst < 1.15);
}

/* ---- Changes, nonsense, memory ------------------------------------------------------------------------ */

static void a_field_ends_with_a_change_of_the_mesh(void) {
  World world = open_world(5);
  uint32_t seed = 9;
  const WmNearest goal = random_place(&world, &seed), start = random_place(&world, &seed);
  WmCorridor corridor;
  bool done;
  CHECK(!wm_flow_field_is_current(world.flow));
  CHECK(!wm_flow_field_covers(world.flow, start.polygon, start.point));
  CHECK_EQUAL_INT(wm_flow_field_find(world.flow, start.polygon, start.point, &corridor), WM_ERROR_STATE);
  CHECK_EQUAL_INT(wm_flow_field_begin(world.flow, goal.polygon, goal.point, NULL), WM_OK);
  CHECK(wm_flow_field_covers(world.flow, goal.polygon, start.point));
  CHECK_EQUAL_INT(wm_flow_field_find(world.flow, goal.polygon, goal.point, &corridor), WM_OK);
  CHECK_EQUAL_INT(corridor.polygon_count, 1);
  CHECK_EQUAL_INT(wm_flow_field_find(world.flow, start.polygon, start.point, &corridor), WM_ERROR_STATE);
  const float nowhere[3] = {NAN, 0, 0};
  CHECK(!wm_flow_field_covers(world.flow, goal.polygon, nowhere));
  CHECK_EQUAL_INT(wm_flow_field_advance(world.flow, start.polygon, nowhere, 1, &done, NULL),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_flow_field_advance(world.flow, 12345, start.point, 1, &done, NULL),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(world.mesh, goal.polygon, 3), WM_OK);
  CHECK(!wm_flow_field_is_current(world.flow));
  CHECK_EQUAL_INT(wm_flow_field_advance(world.flow, start.polygon, start.point, 1, &done, NULL),
                  WM_ERROR_STATE);
  CHECK_EQUAL_INT(wm_flow_field_begin(world.flow, goal.polygon, nowhere, NULL), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_flow_field_begin(world.flow, 0, goal.point, NULL), WM_ERROR_INVALID_ARGUMENT);
  WmFilter bad = wm_filter_default();
  bad.area_costs[3] = -1;
  CHECK_EQUAL_INT(wm_flow_field_begin(world.flow, goal.polygon, goal.point, &bad), WM_ERROR_INVALID_ARGUMENT);
  close_world(&world);
}

static void an_excluded_goal_is_reached_from_nowhere(void) {
  World world = open_world(6);
  uint32_t seed = 2;
  const WmNearest goal = random_place(&world, &seed), start = random_place(&world, &seed);
  CHECK(goal.polygon != start.polygon);
  CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(world.mesh, goal.polygon, 0), WM_OK);
  CHECK_EQUAL_INT(wm_flow_field_begin(world.flow, goal.polygon, goal.point, NULL), WM_OK);
  WmCorridor corridor;
  CHECK_EQUAL_INT(wm_flow_field_find(world.flow, start.polygon, start.point, &corridor), WM_OK);
  CHECK_EQUAL_INT(corridor.state, WM_PATH_UNREACHABLE);
  CHECK_EQUAL_INT(corridor.polygon_count, 0);
  close_world(&world);
}

static void without_memory_there_is_no_field_and_no_leak(void) {
  World world = open_world(7);
  uint32_t seed = 4;
  const WmNearest goal = random_place(&world, &seed), start = random_place(&world, &seed);
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  WmContext *context = wm_context_create(&allocator);
  long failures = 0;
  for (long n = 0;; n++) {
    wm_context_trim(context);
    const long before = ration.in_use;
    ration.until_failure = n;
    WmFlowField *flow = NULL;
    WmCorridor corridor;
    bool done = false;
    WmStatus status = wm_flow_field_create(context, world.mesh, &flow);
    if (!status) status = wm_flow_field_begin(flow, goal.polygon, goal.point, NULL);
    if (!status) status = wm_flow_field_advance(flow, start.polygon, start.point, SIZE_MAX, &done, NULL);
    CHECK(done == !status);
    if (!status) status = wm_flow_field_find(flow, start.polygon, start.point, &corridor);
    ration.until_failure = -1;
    CHECK(status == WM_OK || status == WM_ERROR_OUT_OF_MEMORY);
    wm_flow_field_destroy(flow);
    wm_context_trim(context);
    CHECK_EQUAL_INT(ration.in_use, before);
    if (!status) break;
    failures++;
  }
  CHECK(failures > 8);
  wm_context_destroy(context);
  close_world(&world);
}

int main(void) {
  RUN(ways_are_the_cheapest_and_never_dearer_than_single_searches);
  RUN(a_field_ends_with_a_change_of_the_mesh);
  RUN(an_excluded_goal_is_reached_from_nowhere);
  RUN(without_memory_there_is_no_field_and_no_leak);
  return check_finish();
}
