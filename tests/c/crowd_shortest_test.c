/* Agents with `shortest`: the string through the corridor of each is the exact shortest path. Agents with distances and costs of
 * walls beside others. */
#include "crowd/crowd_internal.h"
#include "crowd_worlds.h"
#include "query/query_internal.h"

enum { SIDE = 7, MANY = 200 };

typedef struct World {
  WmContext *context;
  WmMesh *mesh;
  WmCrowd *crowd;
  WmQuery *query;
  WmAgent agents[MANY];
} World;

/* in         budget: of a step; fields: the most flow fields */
static World open_world(uint32_t seed, uint32_t budget, uint32_t fields) {
  World world = {.context = wm_context_create(NULL)};
  world.mesh = make_grid_mesh(world.context);
  add_block(world.mesh, 0, 0, SIDE, SIDE, seed);
  world.crowd = make_crowd(world.context, world.mesh);
  CHECK_EQUAL_INT(wm_query_create(world.context, world.mesh, &world.query), WM_OK);
  WmCrowdOptions options;
  wm_crowd_options(world.crowd, &options);
  options.search_budget = budget;
  options.max_fields = fields;
  CHECK_EQUAL_INT(wm_crowd_set_options(world.crowd, &options), WM_OK);
  return world;
}

static void close_world(World *world) {
  wm_query_destroy(world->query);
  wm_crowd_destroy(world->crowd);
  wm_mesh_destroy(world->mesh);
  wm_context_destroy(world->context);
}

/* Every second agent has `shortest`. */
static void add_many(World *world, uint32_t seed) {
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.radius = 0.2f;
  for (size_t i = 0; i < MANY; i++) {
    parameters.shortest = i % 2 == 1;
    world->agents[i] = add_agent(world->crowd, crowd_random(&seed, 0.5f, 8 * SIDE - 0.5f),
                                 crowd_random(&seed, 0.5f, 8 * SIDE - 0.5f), &parameters);
  }
}

/* Plans without moving until no agent waits; returns the steps. */
static int plan(WmCrowd *crowd) {
  WmCrowdStep step = {.waiting_searches = 1};
  int steps = 0;
  for (; step.waiting_searches > 0 && steps < 5000; steps++) {
    CHECK_EQUAL_INT(wm_crowd_step(crowd, 0, &step), WM_OK);
    CHECK(wm_crowd_validate(crowd));
  }
  return steps;
}

/* The length of the string through an agent's corridor. */
static float length_of(const World *world, size_t index) {
  static WmRef polygons[2048];
  const WmAgentRecord *record = &world->crowd->records[index];
  WmCorridorCursor cursor = wm_agent_corridor_begin(&record->corridor);
  CHECK(record->corridor.count > 0 && record->corridor.count <= 2048);
  for (uint32_t i = 0; i < record->corridor.count; i++) {
    polygons[i] = wm_agent_corridor_polygon(world->crowd, cursor);
    if (i + 1 < record->corridor.count) cursor = wm_agent_corridor_next(world->crowd, cursor);
  }
  WmPath path;
  CHECK_EQUAL_INT(wm_query_straighten(world->query, world->crowd->positions + 3 * index, record->destination,
                                      polygons, record->corridor.count, WM_CROSSINGS_NONE, 0, &path),
                  WM_OK);
  CHECK_EQUAL_INT(path.state, WM_PATH_COMPLETE);
  return path.length;
}

/* The length of the shortest path from an agent to its destination. */
static float least_length(const World *world, size_t index) {
  WmPathOptions options = wm_path_options_default();
  options.search.shortest = true;
  WmPath path;
  CHECK_EQUAL_INT(wm_query_find_path(world->query, world->crowd->positions + 3 * index,
                                     world->crowd->records[index].destination, &options, &path),
                  WM_OK);
  return path.length;
}

/* Checks the corridors of all agents that follow one.
 * returns    the agents without `shortest` whose way is longer than the shortest */
static int compare(const World *world) {
  int longer = 0, exact = 0;
  for (size_t i = 0; i < MANY; i++) {
    if (world->crowd->states[i] != WM_AGENT_FOLLOWING || world->crowd->records[i].is_partial) continue;
    const float length = length_of(world, i), least = least_length(world, i);
    const bool is_longer = length > least * 1.0001f + 1e-4f;
    CHECK(length >= least * 0.9999f - 1e-4f);
    if (world->crowd->records[i].parameters.shortest) {
      CHECK(!is_longer);
      exact++;
    } else {
      longer += is_longer;
    }
  }
  CHECK(exact > MANY / 3);
  return longer;
}

static void corridors_of_agents_are_the_shortest_within_any_budget(void) {
  static const uint32_t BUDGETS[] = {1000000, 300, 7};
  for (size_t b = 0; b < 3; b++) {
    World world = open_world(3 + (uint32_t)b, BUDGETS[b], 8);
    add_many(&world, 11);
    uint32_t seed = 5;
    for (size_t i = 0; i < MANY; i++) {
      send_to(world.crowd, world.agents[i], crowd_random(&seed, 1, 8 * SIDE - 1),
              crowd_random(&seed, 1, 8 * SIDE - 1));
    }
    CHECK((plan(world.crowd) > 1) == (BUDGETS[b] < 1000000));
    CHECK(compare(&world) > MANY / 10);
    close_world(&world);
  }
}

/* Agents with one target share a flow field; those with `shortest` search by themselves, first or last. */
static void a_shared_target_makes_no_way_longer(void) {
  World world = open_world(9, 4000, 8);
  add_many(&world, 2);
  CHECK_EQUAL_INT(
      wm_crowd_set_targets(world.crowd, MANY, world.agents, (float[3]){8 * SIDE - 3, 0, 8 * SIDE - 5}, true),
      WM_OK);
  plan(world.crowd);
  CHECK(compare(&world) > MANY / 10);
  close_world(&world);
}

static void another_target_in_the_same_polygon_is_searched_for_again(void) {
  World world = open_world(21, 1000000, 8);
  add_many(&world, 8);
  int moved = 0;
  for (int turn = 0; turn < 4; turn++) {
    uint32_t seed = 17;
    for (size_t i = 0; i < MANY; i++) {
      const float x = crowd_random(&seed, 2, 8 * SIDE - 2), z = crowd_random(&seed, 2, 8 * SIDE - 2);
      const WmRef before = world.crowd->records[i].target_polygon;
      send_to(world.crowd, world.agents[i], x + (float)turn / 4, z - (float)turn / 4);
      moved += turn > 0 && before == world.crowd->records[i].target_polygon;
    }
    plan(world.crowd);
    compare(&world);
  }
  CHECK(moved > MANY);
  close_world(&world);
}

static void agents_change_their_kind_of_corridor_with_the_parameter(void) {
  World world = open_world(33, 1000000, 8);
  add_many(&world, 4);
  uint32_t seed = 1;
  for (size_t i = 0; i < MANY; i++)
    send_to(world.crowd, world.agents[i], crowd_random(&seed, 1, 8 * SIDE - 1),
            crowd_random(&seed, 1, 8 * SIDE - 1));
  plan(world.crowd);
  CHECK(compare(&world) > MANY / 10);
  for (size_t i = 0; i < MANY; i++) {
    WmAgentParameters parameters;
    CHECK_EQUAL_INT(wm_crowd_parameters(world.crowd, world.agents[i], &parameters), WM_OK);
    CHECK_EQUAL_INT(parameters.shortest, i % 2 == 1);
    parameters.shortest = true;
    CHECK_EQUAL_INT(wm_crowd_set_parameters(world.crowd, 1, &world.agents[i], &parameters, 1), WM_OK);
  }
  plan(world.crowd);
  CHECK_EQUAL_INT(compare(&world), 0);
  close_world(&world);
}

/* The corridor of an agent with wall_cost is that of a search of its own, even if many others share its target. */
static void shared_targets_leave_wall_costs_alone(void) {
  World world = open_world(3, 1000000, 8);
  WmAgentParameters parameters = wm_agent_parameters_default();
  uint32_t seed = 21;
  for (size_t i = 0; i < MANY; i++) {
    parameters.wall_distance = 2;
    parameters.wall_cost = i % 4 == 0 ? 4 : 0;
    world.agents[i] = add_agent(world.crowd, crowd_random(&seed, 1, 8 * SIDE - 1),
                                crowd_random(&seed, 1, 8 * SIDE - 1), &parameters);
    send_to(world.crowd, world.agents[i], 8 * SIDE - 2, 8 * SIDE - 2);
  }
  plan(world.crowd);
  int compared = 0;
  for (size_t i = 0; i < MANY; i++) {
    const WmAgentRecord *record = &world.crowd->records[i];
    if (record->parameters.wall_cost == 0 || record->is_partial || record->corridor.count < 2) continue;
    WmSearchOptions options = wm_search_options_default();
    options.wall_distance = 2;
    options.wall_cost = 4;
    WmCorridor corridor;
    CHECK_EQUAL_INT(wm_query_find_corridor(world.query, record->polygon, world.crowd->positions + 3 * i,
                                           record->target_polygon, record->target, &options, &corridor),
                    WM_OK);
    CHECK_EQUAL_INT(record->corridor.count, corridor.polygon_count);
    WmCorridorCursor cursor = wm_agent_corridor_begin(&record->corridor);
    for (uint32_t k = 0; k < record->corridor.count && k < corridor.polygon_count; k++) {
      CHECK(wm_agent_corridor_polygon(world.crowd, cursor) == corridor.polygons[k]);
      if (k + 1 < record->corridor.count) cursor = wm_agent_corridor_next(world.crowd, cursor);
    }
    compared++;
  }
  CHECK(compared > MANY / 8);
  close_world(&world);
}

/* Agents that keep a distance from walls walk on along corridors that have lost tiles, until they get others. */
static void tiles_are_removed_under_wide_corridors(void) {
  World world = open_world(5, 7, 0);
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.wall_distance = 0.6f;
  uint32_t seed = 9;
  for (size_t i = 0; i < MANY; i++) {
    parameters.shortest = i % 2;
    world.agents[i] = add_agent(world.crowd, crowd_random(&seed, 1, 8 * SIDE - 1),
                                crowd_random(&seed, 1, 8 * SIDE - 1), &parameters);
    send_to(world.crowd, world.agents[i], crowd_random(&seed, 1, 8 * SIDE - 1),
            crowd_random(&seed, 1, 8 * SIDE - 1));
  }
  plan(world.crowd);
  int stale = 0;
  for (int32_t turn = 0; turn < 12; turn++) {
    const int32_t x = 1 + turn % (SIDE - 2), z = 1 + turn * 3 % (SIDE - 2);
    const WmMeshTile *tile = wm_mesh_tile(world.mesh, (size_t)(z * SIDE + x));
    if (tile) CHECK_EQUAL_INT(wm_mesh_remove_tile(world.mesh, tile->ref), WM_OK);
    for (size_t i = 0; i < world.crowd->count; i++) world.crowd->records[i].corners_are_valid = false;
    run_crowd(world.crowd, 3, 0.1f);
    for (size_t i = 0; i < world.crowd->count; i++) stale += world.crowd->records[i].needs_plan;
  }
  CHECK(stale > MANY / 4);
  close_world(&world);
}

/* A step that runs out of memory is tried again. */
static void agents_survive_every_failed_allocation(void) {
  int failures = 0;
  for (long n = 0; n < 80; n++) {
    Ration ration = {.until_failure = -1};
    const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
    WmContext *context = wm_context_create(&allocator);
    WmMesh *mesh = make_grid_mesh(context);
    add_block(mesh, 0, 0, 3, 3, 5);
    WmCrowd *crowd = make_crowd(context, mesh);
    WmAgentParameters parameters = wm_agent_parameters_default();
    parameters.shortest = true;
    add_agent(crowd, 1, 1, &parameters);
    WmCrowdView view;
    wm_crowd_view(crowd, &view);
    send_to(crowd, view.agents[0], 22, 22);
    ration.until_failure = n;
    ration.once = true;
    const WmStatus status = wm_crowd_step(crowd, 0, NULL);
    CHECK_EQUAL_INT(status, end_ration(&ration));
    failures += status != WM_OK;
    for (int i = 0; i < 3; i++) CHECK_EQUAL_INT(wm_crowd_step(crowd, 0, NULL), WM_OK);
    CHECK_EQUAL_INT(crowd->states[0], WM_AGENT_FOLLOWING);
    CHECK(wm_crowd_validate(crowd));
    wm_crowd_destroy(crowd);
    wm_mesh_destroy(mesh);
    wm_context_destroy(context);
    CHECK_EQUAL_INT(ration.in_use, 0);
  }
  CHECK(failures > 10 && failures < 80);
}

int main(void) {
  RUN(corridors_of_agents_are_the_shortest_within_any_budget);
  RUN(a_shared_target_makes_no_way_longer);
  RUN(another_target_in_the_same_polygon_is_searched_for_again);
  RUN(agents_change_their_kind_of_corridor_with_the_parameter);
  RUN(shared_targets_leave_wall_costs_alone);
  RUN(tiles_are_removed_under_wide_corridors);
  RUN(agents_survive_every_failed_allocation);
  return check_finish();
}
