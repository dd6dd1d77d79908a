/* Agents with `shortest` where ground costs differ: what they walk costs as much as the path that findPath finds, alone and among
 * others; saved, and without memory. */
#include "crowd/crowd_internal.h"
#include "crowd_worlds.h"
#include "query/query_internal.h"
#include "saved_crowds.h"
#include "visibility_graph.h"

enum { SIDE = 3, DEAR = 1 };
#define STEP (1.0f / 60)

typedef struct World {
  WmContext *context;
  WmMesh *mesh;
  WmCrowd *crowd;
  WmQuery *query;
  WmFilter filter;
} World;

static World open_world(WmMesh *mesh, WmContext *context) {
  World world = {.context = context, .mesh = mesh, .filter = wm_filter_default()};
  world.crowd = make_crowd(context, mesh);
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &world.query), WM_OK);
  return world;
}

static void set_costs(World *world, float ordinary, float dear, float other) {
  world->filter.area_costs[0] = world->filter.area_costs[63] = ordinary;
  world->filter.area_costs[1] = dear;
  world->filter.area_costs[2] = other;
  CHECK_EQUAL_INT(wm_crowd_set_filter(world->crowd, 1, &world->filter), WM_OK);
}

static void close_world(World *world) {
  wm_query_destroy(world->query);
  wm_crowd_destroy(world->crowd);
  wm_mesh_destroy(world->mesh);
  wm_context_destroy(world->context);
}

static WmAgentParameters shortest_parameters(void) {
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.radius = 0.2f;
  parameters.max_speed = 3;
  parameters.filter = 1;
  parameters.shortest = true;
  return parameters;
}

/* A field of squares of 4 units; those in a box are dear. */
static World open_pool(float dear) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  for (int32_t i = 0; i < SIDE * SIDE; i++) {
    const GridTile grid = {.x = i % SIDE, .z = i / SIDE, .flat = true, .hole = UINT32_MAX, .tree = true};
    add_grid_tile(mesh, &grid);
  }
  World world = open_world(mesh, context);
  for (size_t s = 0; s < (size_t)SIDE * SIDE; s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (uint32_t p = 0; p < tile->ground_count; p++) {
      const float *a = wm_tile_vertex(tile, p, 0), *b = wm_tile_vertex(tile, p, 2);
      const float x = (a[0] + b[0]) / 2, z = (a[2] + b[2]) / 2;
      wm_mesh_set_polygon_area(mesh, tile->ref + p, x > 4 && x < 20 && z > 4 && z < 20 ? DEAR : 63);
    }
  }
  set_costs(&world, 1, dear, 1);
  return world;
}

/* The cost of ground at the middle of a way, the least where polygons meet: a line may lead along an edge between them. */
static float unit_cost(const World *world, const float from[3], const float to[3]) {
  static const float AROUND[5][2] = {
      {0, 0}, {0.004f, 0.004f}, {-0.004f, 0.004f}, {0.004f, -0.004f}, {-0.004f, -0.004f}};
  float least = INFINITY;
  for (int k = 0; k < 5; k++) {
    const float at[3] = {(from[0] + to[0]) / 2 + AROUND[k][0], 0, (from[2] + to[2]) / 2 + AROUND[k][1]};
    WmNearest nearest;
    CHECK_EQUAL_INT(
        wm_query_find_nearest(world->query, at, (const float[3]){1, 1, 1}, &world->filter, &nearest), WM_OK);
    const WmMeshTile *tile = wm_mesh_tile_of(world->mesh, nearest.polygon);
    if (tile)
      least = fminf(least, wm_filter_unit_cost(&world->filter, tile, wm_ref_polygon(nearest.polygon)));
  }
  return least;
}

/* Steps until the agents have arrived, at most `most`; adds what each of them walks to `costs`.
 * returns    the steps */
static int walk(const World *world, int most, double *costs) {
  const WmCrowd *crowd = world->crowd;
  for (int step = 0; step < most; step++) {
    CHECK_EQUAL_INT(wm_crowd_step(world->crowd, STEP, NULL), WM_OK);
    CHECK(wm_crowd_validate(crowd));
    size_t arrived = 0;
    for (size_t i = 0; i < crowd->count; i++) {
      const float *from = crowd->previous + 3 * i, *to = crowd->positions + 3 * i;
      costs[i] += (double)distance(from, to) * (double)unit_cost(world, from, to);
      arrived += wm_agent_rests(crowd->states[i]);
    }
    if (arrived == crowd->count) return step;
  }
  return most;
}

/* The cost of findPath's line, and of the string through its corridor. */
static float find_cost(const World *world, const float from[3], const float to[3], float *string) {
  static WmRef polygons[1024];
  WmPathOptions options = wm_path_options_default();
  options.search.filter = &world->filter;
  options.search.shortest = true;
  WmPath path;
  CHECK_EQUAL_INT(wm_query_find_path(world->query, from, to, &options, &path), WM_OK);
  const float cost = path.cost;
  *string = 0;
  if (path.state != WM_PATH_COMPLETE) return -1;
  const size_t count = path.polygon_count;
  CHECK(count <= 1024);
  memcpy(polygons, path.polygons, count * sizeof *polygons);
  CHECK_EQUAL_INT(wm_query_measure(world->query, from, to, polygons, count, &world->filter, string), WM_OK);
  return cost;
}

static void an_agent_leaves_a_pool_at_its_nearest_edge(void) {
  static const float WAYS[][4] = {{18.5f, 8, 12, 23}, {18.5f, 16, 1, 10}, {12, 5, 13, 22}, {12, 23, 18, 12}};
  for (size_t i = 0; i < sizeof WAYS / sizeof *WAYS; i++) {
    World world = open_pool(8);
    const WmAgentParameters parameters = shortest_parameters();
    const WmAgent agent = add_agent(world.crowd, WAYS[i][0], WAYS[i][1], &parameters);
    const float to[3] = {WAYS[i][2], 0, WAYS[i][3]};
    send_to(world.crowd, agent, to[0], to[2]);
    float string;
    const float least = find_cost(&world, world.crowd->positions, to, &string);
    double cost = 0;
    CHECK(walk(&world, 1000, &cost) < 1000);
    CHECK(cost < 1.02 * (double)least + 0.2);
    close_world(&world);
  }
}

/* Lone agents on random patches pay what findPath says. The strings of their corridors cost more. */
static void lone_agents_walk_the_cheapest_line(void) {
  double sum = 0, least_sum = 0, strings = 0, worst = 0, worst_string = 0;
  int walked = 0, dearer = 0;
  for (uint32_t seed = 1; seed <= 12; seed++) {
    WmContext *context = wm_context_create(NULL);
    World world = open_world(make_world(context, SIDE, 10 * seed, true), context);
    uint32_t random = seed;
    for (int i = 0; i < 6; i++) {
      float costs[3]; /* drawn one after the other: compilers evaluate arguments in orders of their own */
      for (int k = 0; k < 3; k++) costs[k] = random_between(&random, 0.3f, 8);
      set_costs(&world, costs[0], costs[1], costs[2]);
      const WmNearest from = random_place(world.query, SIDE, &random),
                      to = random_place(world.query, SIDE, &random);
      float string;
      const float least = find_cost(&world, from.point, to.point, &string);
      if (least < 3) continue;
      WmAgentParameters parameters = shortest_parameters();
      WmAgent agent;
      CHECK_EQUAL_INT(wm_crowd_add_agents(world.crowd, 1, from.point, &parameters, 1, &agent), WM_OK);
      CHECK_EQUAL_INT(wm_crowd_set_targets(world.crowd, 1, &agent, to.point, false), WM_OK);
      double cost = 0;
      CHECK(walk(&world, 3000, &cost) < 3000);
      CHECK_EQUAL_INT(wm_crowd_remove_agents(world.crowd, 1, &agent), WM_OK);
      walked++;
      sum += cost;
      least_sum += (double)least;
      strings += (double)string;
      worst = fmax(worst, cost / (double)least);
      worst_string = fmax(worst_string, (double)(string / least));
      dearer += cost > 1.02 * (double)string + 0.1;
    }
    close_world(&world);
  }
  printf(
      "%d ways: %.3f times the cost of the paths, at most %.3f; their strings %.3f, at most %.3f; %d "
      "dearer\n",
      walked, sum / least_sum, worst, strings / least_sum, worst_string, dearer);
  CHECK(walked > 40 && worst < 1.04 && worst_string > 1.3 && dearer == 0);
}

enum { MANY = 40 };

/* Adds agents at random places, half of them in the pool, with targets on the other side. */
static void add_many(World *world, uint32_t seed, WmAgent *agents) {
  const WmAgentParameters parameters = shortest_parameters();
  for (size_t i = 0; i < MANY; i++) {
    const bool goes_back = i % 2;
    const float low = goes_back ? 14 : 1, high = goes_back ? 23 : 10;
    const float x = crowd_random(&seed, low, high), z = crowd_random(&seed, 6, 18);
    agents[i] = add_agent(world->crowd, x, z, &parameters);
    const float to_x = 24 - crowd_random(&seed, low, high), to_z = crowd_random(&seed, 2, 22);
    send_to(world->crowd, agents[i], to_x, to_z);
  }
}

/* Others push agents off their lines, along the pool's edge into it: with crossings that stay they pay 1.53 times the cost of their paths,
 * on strings 1.65 times. */
static void agents_that_are_pushed_off_their_lines_cross_elsewhere(void) {
  double sum = 0, least_sum = 0, strings = 0;
  for (uint32_t seed = 1; seed <= 4; seed++) {
    World world = open_pool(6);
    WmAgent agents[MANY];
    double costs[MANY] = {0};
    add_many(&world, seed, agents);
    for (size_t i = 0; i < MANY; i++) {
      float string;
      least_sum +=
          (double)find_cost(&world, world.crowd->positions + 3 * i, world.crowd->records[i].target, &string);
      strings += (double)string;
    }
    CHECK(walk(&world, 3000, costs) < 3000);
    for (size_t i = 0; i < MANY; i++) sum += costs[i];
    close_world(&world);
  }
  printf("among others: %.3f times the cost of the paths, their strings %.3f\n", sum / least_sum,
         strings / least_sum);
  CHECK(sum < 1.42 * least_sum);
}

/* A crossing isn't a narrow place. */
static void a_crossing_is_no_passage(void) {
  World world = open_pool(8);
  WmAgent agents[MANY];
  add_many(&world, 3, agents);
  bool has_crossings = false;
  for (int step = 0; step < 200; step++) {
    CHECK_EQUAL_INT(wm_crowd_step(world.crowd, STEP, NULL), WM_OK);
    for (size_t i = 0; i < MANY; i++) {
      const WmAgentRecord *record = &world.crowd->records[i];
      CHECK_EQUAL_INT(record->passage, WM_PASSAGE_NONE);
      if (record->corridor.count > 1)
        has_crossings |= wm_agent_portal_is_crossing(
            wm_agent_corridor_portal(world.crowd, wm_agent_corridor_begin(&record->corridor)));
    }
  }
  CHECK(has_crossings);
  close_world(&world);
}

static void a_saved_crowd_goes_on_over_its_crossings(void) {
  World world = open_pool(8);
  WmAgent agents[MANY];
  add_many(&world, 7, agents);
  run_crowd(world.crowd, 40, STEP);
  const SavedCrowd saved = save_crowd(world.crowd, world.context);
  const WmMesh *mesh = world.mesh;
  WmCrowd *other = load_crowd(world.context, saved, &mesh, 1);
  free(saved.bytes);
  bool is_same = true;
  for (int step = 0; step < 400 && is_same; step++) {
    CHECK_EQUAL_INT(wm_crowd_step(world.crowd, STEP, NULL), WM_OK);
    CHECK_EQUAL_INT(wm_crowd_step(other, STEP, NULL), WM_OK);
    is_same = do_the_same(world.crowd, other);
  }
  CHECK(is_same);
  wm_crowd_destroy(other);
  close_world(&world);
}

/* A step that runs out of memory is tried again: then agents have their crossings. */
static void crossings_survive_every_failed_allocation(void) {
  int failures = 0;
  for (long n = 0; n < 120; n++) {
    Ration ration = {.until_failure = -1};
    const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
    WmContext *context = wm_context_create(&allocator);
    World world = open_world(make_world(context, 2, 20, true), context);
    set_costs(&world, 1, 6, 3);
    uint32_t seed = 4;
    const WmNearest from = random_place(world.query, 2, &seed), to = random_place(world.query, 2, &seed);
    const WmAgentParameters parameters = shortest_parameters();
    WmAgent agent;
    CHECK_EQUAL_INT(wm_crowd_add_agents(world.crowd, 1, from.point, &parameters, 1, &agent), WM_OK);
    CHECK_EQUAL_INT(wm_crowd_set_targets(world.crowd, 1, &agent, to.point, false), WM_OK);
    ration.until_failure = n;
    ration.once = true;
    const WmStatus status = wm_crowd_step(world.crowd, 0, NULL);
    CHECK_EQUAL_INT(status, end_ration(&ration));
    failures += status != WM_OK;
    for (int i = 0; i < 3; i++) CHECK_EQUAL_INT(wm_crowd_step(world.crowd, 0, NULL), WM_OK);
    int crossings = 0;
    const WmAgentCorridor *corridor = &world.crowd->records[0].corridor;
    WmCorridorCursor cursor = wm_agent_corridor_begin(corridor);
    for (; cursor.index + 1 < corridor->count; cursor = wm_agent_corridor_next(world.crowd, cursor))
      crossings += wm_agent_portal_is_crossing(wm_agent_corridor_portal(world.crowd, cursor));
    CHECK(crossings > 0);
    CHECK_EQUAL_INT(world.crowd->states[0], WM_AGENT_FOLLOWING);
    CHECK(wm_crowd_validate(world.crowd));
    close_world(&world);
    CHECK_EQUAL_INT(ration.in_use, 0);
  }
  CHECK(failures > 10 && failures < 120);
}

int main(void) {
  RUN(an_agent_leaves_a_pool_at_its_nearest_edge);
  RUN(lone_agents_walk_the_cheapest_line);
  RUN(agents_that_are_pushed_off_their_lines_cross_elsewhere);
  RUN(a_crossing_is_no_passage);
  RUN(a_saved_crowd_goes_on_over_its_crossings);
  RUN(crossings_survive_every_failed_allocation);
  return check_finish();
}
