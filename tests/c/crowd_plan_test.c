/* Planning of many agents: shared searches, unreachable targets, budgets. */
#include "crowd/crowd_internal.h"
#include "crowd/planning/destination.h"
#include "crowd/planning/flow_fields.h"
#include "crowd_worlds.h"
#include "mesh/links/connections.h"
#include "mesh/locate.h"
#include "query/query_internal.h"

enum { SIDE = 9, MANY = 1000 };

typedef struct World {
  WmContext *context;
  WmMesh *mesh;
  WmCrowd *crowd;
  WmAgent agents[MANY];
  size_t polygons;
} World;

/* A block, a gap of `gap` tiles, and a second block of the same depth but a third of the width. */
static World open_world(uint32_t seed, int32_t gap) {
  World world = {.context = wm_context_create(NULL)};
  world.mesh = make_grid_mesh(world.context);
  add_block(world.mesh, 0, 0, SIDE, SIDE, seed);
  if (gap > 0) add_block(world.mesh, SIDE + gap, 0, SIDE / 3, SIDE, seed + 500);
  WmMeshTotals totals;
  wm_mesh_totals(world.mesh, &totals);
  world.polygons = totals.polygons;
  world.crowd = make_crowd(world.context, world.mesh);
  return world;
}

static void close_world(World *world) {
  wm_crowd_destroy(world->crowd);
  wm_mesh_destroy(world->mesh);
  wm_context_destroy(world->context);
}

static void set_options(WmCrowd *crowd, uint32_t budget, uint32_t max_fields) {
  WmCrowdOptions options;
  wm_crowd_options(crowd, &options);
  options.search_budget = budget;
  options.max_fields = max_fields;
  CHECK_EQUAL_INT(wm_crowd_set_options(crowd, &options), WM_OK);
}

static void add_many(World *world, size_t count, uint32_t seed) {
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.radius = 0.2f;
  for (size_t i = 0; i < count; i++) {
    world->agents[i] = add_agent(world->crowd, crowd_random(&seed, 0.5f, 8 * SIDE - 0.5f),
                                 crowd_random(&seed, 0.5f, 8 * SIDE - 0.5f), &parameters);
  }
}

/* Plans without moving until no agent waits.
 * out        *searched
 * returns    the steps */
static int plan(WmCrowd *crowd, size_t *searched) {
  WmCrowdStep step = {.waiting_searches = 1};
  int steps = 0;
  for (*searched = 0; step.waiting_searches > 0 && steps < 1000; steps++) {
    CHECK_EQUAL_INT(wm_crowd_step(crowd, 0, &step), WM_OK);
    CHECK(wm_crowd_validate(crowd));
    *searched += step.searched;
  }
  return steps;
}

/* Copies the polygons of an agent's corridor. */
static size_t copy_corridor(const WmCrowd *crowd, size_t index, WmRef *polygons, size_t room) {
  const WmAgentCorridor *corridor = &crowd->records[index].corridor;
  WmCorridorCursor cursor = wm_agent_corridor_begin(corridor);
  for (size_t i = 0; i < corridor->count && i < room; i++) {
    polygons[i] = wm_agent_corridor_polygon(crowd, cursor);
    if (i + 1 < corridor->count) cursor = wm_agent_corridor_next(crowd, cursor);
  }
  CHECK(corridor->count <= room);
  return corridor->count;
}

/* The length of the string through an agent's corridor. */
static double length_of(const World *world, size_t index) {
  static WmRef polygons[2048];
  const WmAgentRecord *record = &world->crowd->records[index];
  const size_t count = copy_corridor(world->crowd, index, polygons, 2048);
  WmPath path;
  CHECK(count > 0);
  CHECK_EQUAL_INT(
      wm_query_straighten(wm_crowd_mesh(world->crowd, 0)->query, world->crowd->positions + 3 * index,
                          record->destination, polygons, count, WM_CROSSINGS_NONE, 0, &path),
      WM_OK);
  CHECK_EQUAL_INT(path.state, WM_PATH_COMPLETE);
  return (double)path.length;
}

/* ---- One target ------------------------------------------------------------------------------------- */

/* Measures all corridors.
 * out        the sum of their lengths; *worst: the largest difference to `former` (NULL: of none) */
static double send_all(World *world, size_t count, float spread, double *lengths) {
  uint32_t seed = 77;
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    send_to(world->crowd, world->agents[i], 61 + crowd_random(&seed, 0, spread),
            21 + crowd_random(&seed, 0, spread));
  }
  size_t searched;
  plan(world->crowd, &searched);
  for (size_t i = 0; i < count; i++) sum += lengths[i] = length_of(world, i);
  return sum;
}

static void a_thousand_agents_with_one_goal_take_one_search(void) {
  World world = open_world(3, 0);
  set_options(world.crowd, 1000000, 8);
  add_many(&world, MANY, 11);
  const float goal[3] = {61, 0, 21};
  CHECK_EQUAL_INT(wm_crowd_set_targets(world.crowd, MANY, world.agents, goal, true), WM_OK);
  size_t searched, alone;
  CHECK_EQUAL_INT(plan(world.crowd, &searched), 1);
  CHECK(searched < 5 * world.polygons / 2);
  for (size_t i = 0; i < MANY; i++) CHECK_EQUAL_INT(world.crowd->states[i], WM_AGENT_FOLLOWING);
  /* The field is stored: further agents need no search. */
  const WmAgent late = add_agent(world.crowd, 30, 60, NULL);
  send_to(world.crowd, late, 61, 21);
  plan(world.crowd, &alone);
  CHECK_EQUAL_INT(alone, 0);
  /* Until the mesh changes. */
  const WmMeshTile *tile = wm_mesh_tile(world.mesh, 0);
  CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(world.mesh, tile->ref, 0), WM_OK);
  send_to(world.crowd, late, 61.05f, 21);
  CHECK_EQUAL_INT(wm_crowd_warp(world.crowd, 1, &late, (float[3]){10, 0, 10}, false), WM_OK);
  plan(world.crowd, &alone);
  CHECK(alone > 0);
  /* Searches of their own visit many times as many polygons. */
  set_options(world.crowd, 1000000, 0);
  CHECK_EQUAL_INT(wm_crowd_set_targets(world.crowd, MANY, world.agents, (float[3]){22, 0, 60}, true), WM_OK);
  plan(world.crowd, &alone);
  CHECK(alone > 20 * searched);
  close_world(&world);
}

static void shared_ways_are_as_short_as_single_ones(void) {
  static double shared[MANY], single[MANY];
  for (uint32_t seed = 1; seed <= 6; seed++) {
    for (int spread = 0; spread < 2; spread++) {
      World worlds[2] = {open_world(seed, 0), open_world(seed, 0)};
      double sums[2];
      for (int k = 0; k < 2; k++) {
        set_options(worlds[k].crowd, 1000000, k == 0 ? 8 : 0);
        add_many(&worlds[k], 300, seed);
        sums[k] = send_all(&worlds[k], 300, spread ? 2.5f : 0, k == 0 ? shared : single);
        close_world(&worlds[k]);
      }
      CHECK(sums[0] < 1.004 * sums[1]);
      for (int i = 0; i < 300; i++) CHECK(shared[i] < 1.2 * single[i] + 0.1);
    }
  }
}

static void near_agents_set_out_before_a_field_has_reached_far_ones(void) {
  World world = open_world(4, 0);
  set_options(world.crowd, 150, 8);
  add_many(&world, 400, 5);
  const float goal[3] = {4, 0, 4};
  CHECK_EQUAL_INT(wm_crowd_set_targets(world.crowd, 400, world.agents, goal, true), WM_OK);
  WmCrowdStep step;
  uint32_t before = 400;
  int steps = 0;
  for (; before > 0 && steps < 100; steps++) {
    CHECK_EQUAL_INT(wm_crowd_step(world.crowd, 0, &step), WM_OK);
    CHECK(wm_crowd_validate(world.crowd));
    CHECK(step.searched <= 150);
    CHECK(step.waiting_searches <= before);
    before = step.waiting_searches;
    if (steps != 3) continue;
    double near = 0, far = 0;
    size_t body_count = 0, far_count = 0;
    for (size_t i = 0; i < 400; i++) {
      const float *position = world.crowd->positions + 3 * i;
      const bool is_answered = world.crowd->states[i] == WM_AGENT_FOLLOWING;
      const double distance = hypot((double)position[0] - 4, (double)position[2] - 4);
      near += is_answered ? distance : 0;
      far += is_answered ? 0 : distance;
      body_count += is_answered;
      far_count += !is_answered;
    }
    CHECK(body_count > 10 && far_count > 10);
    CHECK(near / (double)body_count < 0.6 * far / (double)far_count);
  }
  CHECK(steps > 5 && steps < 80);
  close_world(&world);
}

/* The squared distance of an agent from its target. */
static float distance_to_target(const World *world, size_t i) {
  return wm_squared_distance_on_plane(world->crowd->positions + 3 * i, world->crowd->records[i].target);
}

/* Forty ask for paths in one step, twenty others with near targets in the next one: those of the first step are
 * answered by the distance to their targets, the others after them. */
static void near_targets_of_one_step_come_first_and_older_steps_before_newer(void) {
  enum { FIRST = 40, ALL = 60 };
  World world = open_world(3, 0);
  set_options(world.crowd, 60, 0);
  add_many(&world, ALL, 7);
  uint32_t seed = 11;
  for (size_t i = 0; i < FIRST; i++)
    send_to(world.crowd, world.agents[i], crowd_random(&seed, 0.5f, 8 * SIDE - 0.5f),
            crowd_random(&seed, 0.5f, 8 * SIDE - 0.5f));
  WmCrowdStep step = {.waiting_searches = 1};
  int part_answered = 0;
  for (int steps = 0; step.waiting_searches > 0 && steps < 1000; steps++) {
    CHECK_EQUAL_INT(wm_crowd_step(world.crowd, 0, &step), WM_OK);
    CHECK(wm_crowd_validate(world.crowd));
    for (size_t i = FIRST; i < ALL && steps == 0; i++) {
      const float *position = world.crowd->positions + 3 * i;
      send_to(world.crowd, world.agents[i], position[0] + 1, position[2]);
    }
    float farthest = 0, nearest = INFINITY;
    size_t waiting = 0, newer = 0;
    for (size_t i = 0; i < ALL; i++) {
      const bool is_answered = world.crowd->states[i] == WM_AGENT_FOLLOWING;
      const float distance = distance_to_target(&world, i);
      if (i >= FIRST) newer += is_answered;
      if (i >= FIRST) continue;
      waiting += !is_answered;
      if (is_answered && distance > farthest) farthest = distance;
      if (!is_answered && distance < nearest) nearest = distance;
    }
    CHECK(farthest <= nearest);
    CHECK(waiting == 0 || newer == 0);
    part_answered += waiting > 0 && waiting < FIRST;
  }
  CHECK_EQUAL_INT(step.waiting_searches, 0);
  CHECK(part_answered > 5);
  close_world(&world);
}

static void those_who_chase_a_goal_that_moves_come_to_it(void) {
  World world = open_world(6, 0);
  set_options(world.crowd, 400, 4);
  add_many(&world, 300, 8);
  for (int step = 0; step < 1200; step++) {
    const float t = step < 900 ? (float)step / 900 : 1;
    const float goal[3] = {10 + 60 * t, 0, 70 - 50 * t};
    CHECK_EQUAL_INT(wm_crowd_set_targets(world.crowd, 300, world.agents, goal, true), WM_OK);
    run_crowd(world.crowd, 1, 1.0f / 30);
  }
  size_t near = 0;
  for (size_t i = 0; i < 300; i++) {
    near += hypotf(world.crowd->positions[3 * i] - 70, world.crowd->positions[3 * i + 2] - 20) < 12;
  }
  CHECK(near > 285);
  close_world(&world);
}

/* ---- Many targets ----------------------------------------------------------------------------------- */

static void a_thousand_new_goals_are_answered_within_ten_steps(void) {
  World world = open_world(9, 0);
  set_options(world.crowd, 20000, 8); /* about 2 ms */
  add_many(&world, MANY, 21);
  uint32_t seed = 5;
  for (int round = 0; round < 2; round++) {
    for (size_t i = 0; i < MANY; i++) {
      send_to(world.crowd, world.agents[i], crowd_random(&seed, 0.5f, 8 * SIDE - 0.5f),
              crowd_random(&seed, 0.5f, 8 * SIDE - 0.5f));
    }
    size_t searched;
    CHECK(plan(world.crowd, &searched) <= 10);
    for (size_t i = 0; i < MANY; i++) CHECK(world.crowd->states[i] == WM_AGENT_FOLLOWING);
  }
  close_world(&world);
}

static void fields_are_few_and_take_no_more_memory(void) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  World world = {.context = wm_context_create(&allocator)};
  world.mesh = make_grid_mesh(world.context);
  add_block(world.mesh, 0, 0, SIDE, SIDE, 12);
  world.crowd = make_crowd(world.context, world.mesh);
  set_options(world.crowd, 1000000, 3);
  add_many(&world, 200, 3);
  long before = 0;
  for (int goal = 0; goal < 60; goal++) {
    uint32_t seed = 100 + (uint32_t)goal % 12;
    const float at[3] = {crowd_random(&seed, 1, 79), 0, crowd_random(&seed, 1, 79)};
    size_t searched;
    CHECK_EQUAL_INT(wm_crowd_set_targets(world.crowd, 200, world.agents, at, true), WM_OK);
    plan(world.crowd, &searched);
    size_t fields = 0;
    for (int i = 0; i < WM_CROWD_FLOW_FIELDS; i++) fields += world.crowd->flow_fields[i].flow != NULL;
    CHECK(fields <= 3);
    if (goal == 40) before = ration.allocations;
  }
  CHECK_EQUAL_INT(ration.allocations, before);
  set_options(world.crowd, 1000, 0);
  for (int i = 0; i < WM_CROWD_FLOW_FIELDS; i++) CHECK(world.crowd->flow_fields[i].flow == NULL);
  close_world(&world);
  CHECK_EQUAL_INT(ration.in_use, 0);
}

/* A field that is requested stays; of the others the oldest is removed. */
static void the_field_used_least_recently_goes(void) {
  World world = {.context = wm_context_create(NULL)};
  world.mesh = make_field(world.context, 2);
  world.crowd = make_crowd(world.context, world.mesh);
  set_options(world.crowd, 4096, 3);
  const WmAgent agent = add_agent(world.crowd, 2, 2, NULL);
  const WmAgentRecord *record = &world.crowd->records[info_of(world.crowd, agent).index];
  static const float POSITION[3] = {3, 0, 3};
  WmRef polygons[5];
  WmCrowdFlowField *fields[5];
  for (uint32_t i = 0; i < 5; i++) polygons[i] = wm_mesh_tile(world.mesh, i / 4)->ref + i % 4;
  for (int i = 0; i < 3; i++) {
    CHECK_EQUAL_INT(wm_crowd_begin_flow_field(world.crowd, record, polygons[i], POSITION, &fields[i]), WM_OK);
  }
  /* 0 and then 1 are requested: 2 is removed, and then 0. */
  CHECK(wm_crowd_find_flow_field(world.crowd, record, polygons[0]) == fields[0]);
  CHECK(wm_crowd_find_flow_field(world.crowd, record, polygons[1]) == fields[1]);
  CHECK_EQUAL_INT(wm_crowd_begin_flow_field(world.crowd, record, polygons[3], POSITION, &fields[3]), WM_OK);
  CHECK(fields[3] == fields[2]);
  CHECK_EQUAL_INT(wm_crowd_begin_flow_field(world.crowd, record, polygons[4], POSITION, &fields[4]), WM_OK);
  CHECK(fields[4] == fields[0]);
  static const bool ARE_LEFT[5] = {false, true, false, true, true};
  for (int i = 0; i < 5; i++) {
    CHECK((wm_crowd_find_flow_field(world.crowd, record, polygons[i]) != NULL) == ARE_LEFT[i]);
  }
  /* Fields of other filters stay. */
  const WmFilter filter = wm_filter_default();
  CHECK_EQUAL_INT(wm_crowd_set_filter(world.crowd, 1, &filter), WM_OK);
  for (int i = 0; i < 3; i++) CHECK(world.crowd->flow_fields[i].flow != NULL);
  CHECK_EQUAL_INT(wm_crowd_set_filter(world.crowd, 0, &filter), WM_OK);
  for (int i = 0; i < 3; i++) CHECK(world.crowd->flow_fields[i].flow == NULL);
  close_world(&world);
}

static void fields_go_with_their_filter(void) {
  World world = open_world(13, 0);
  set_options(world.crowd, 200, 8);
  add_many(&world, 300, 6);
  const float goal[3] = {70, 0, 70};
  CHECK_EQUAL_INT(wm_crowd_set_targets(world.crowd, 300, world.agents, goal, true), WM_OK);
  run_crowd(world.crowd, 3, 1.0f / 60); /* the field grows */
  WmFilter filter = wm_filter_default();
  filter.area_costs[0] = 2;
  CHECK_EQUAL_INT(wm_crowd_set_filter(world.crowd, 0, &filter), WM_OK);
  size_t searched;
  CHECK(plan(world.crowd, &searched) < 100);
  for (size_t i = 0; i < 300; i++) CHECK(world.crowd->states[i] == WM_AGENT_FOLLOWING);
  close_world(&world);
}

/* ---- Unreachable targets ---------------------------------------------------------------------------- */

static double distance_to(const float *a, const float *b) {
  return hypot((double)a[0] - (double)b[0], (double)a[2] - (double)b[2]);
}

static void unreachable_goals_are_cheap_and_end_as_near_as_can_be(void) {
  World world = open_world(20, 3);
  set_options(world.crowd, 1000000, 0);
  add_many(&world, 60, 2);
  uint32_t seed = 4;
  float goals[60][3];
  for (size_t i = 0; i < 60; i++) {
    goals[i][0] = crowd_random(&seed, 8 * (SIDE + 3) + 1, 8 * (SIDE + 6) - 1);
    goals[i][1] = 0;
    goals[i][2] = crowd_random(&seed, 1, 8 * SIDE - 1);
  }
  size_t first, others;
  send_to(world.crowd, world.agents[0], goals[0][0], goals[0][2]);
  plan(world.crowd, &first);
  CHECK(first > world.polygons / 2);
  CHECK_EQUAL_INT(wm_crowd_set_targets(world.crowd, 59, world.agents + 1, goals[1], false), WM_OK);
  plan(world.crowd, &others);
  CHECK(others < 59 * world.polygons / 5);
  WmQuery *query = wm_crowd_mesh(world.crowd, 0)->query;
  for (size_t i = 0; i < 60; i++) {
    const WmAgentRecord *record = &world.crowd->records[i];
    CHECK_EQUAL_INT(world.crowd->reasons[i], WM_AGENT_REASON_TARGET_NOT_CONNECTED);
    WmCorridor corridor;
    CHECK_EQUAL_INT(wm_query_find_corridor(query, record->polygon, world.crowd->positions + 3 * i,
                                           record->target_polygon, record->target, NULL, &corridor),
                    WM_OK);
    CHECK_EQUAL_INT(corridor.state, WM_PATH_UNREACHABLE);
    const WmRef last = corridor.polygons[corridor.polygon_count - 1];
    WmNearest end;
    CHECK_EQUAL_INT(wm_query_closest_point(query, last, record->target, &end), WM_OK);
    CHECK(distance_to(record->destination, record->target) <= distance_to(end.point, record->target) + 1e-3);
  }
  for (int step = 0; step < 60 * 50; step++) run_crowd(world.crowd, 1, 1.0f / 60);
  size_t there = 0;
  for (size_t i = 0; i < 60; i++) there += world.crowd->states[i] == WM_AGENT_UNREACHABLE;
  CHECK(there > 40); /* other agents have lower indices */
  close_world(&world);
}

static void islands_are_forgotten_when_they_are_joined(void) {
  World world = open_world(22, 1);
  set_options(world.crowd, 1000000, 8);
  add_many(&world, 1, 2);
  const float x = 8 * (SIDE + 2), z = 30;
  send_to(world.crowd, world.agents[0], x, z);
  size_t searched;
  plan(world.crowd, &searched);
  CHECK_EQUAL_INT(world.crowd->reasons[0], WM_AGENT_REASON_TARGET_NOT_CONNECTED);
  WmConnection bridge = wm_connection_default(world.mesh);
  memcpy(bridge.start, (float[3]){8 * SIDE - 1, 0, 40}, sizeof bridge.start);
  memcpy(bridge.end, (float[3]){8 * (SIDE + 1) + 1, 0, 40}, sizeof bridge.end);
  bridge.radius = 3;
  WmRef connection;
  CHECK_EQUAL_INT(wm_mesh_add_connection(world.mesh, &bridge, &connection), WM_OK);
  for (int step = 0; step < 60 * 60; step++) run_crowd(world.crowd, 1, 1.0f / 60);
  CHECK_EQUAL_INT(world.crowd->states[0], WM_AGENT_ARRIVED);
  close_world(&world);
}

/* Two tiles far apart. */
static WmMesh *make_two_islands(WmContext *context) {
  WmMesh *mesh = make_grid_mesh(context);
  add_block(mesh, 0, 0, 1, 1, 1);
  add_block(mesh, 3, 0, 1, 1, 1);
  return mesh;
}

static bool is_redirected(WmCrowd *crowd, const WmAgentRecord *record) {
  const WmCrowdDestination destination = wm_crowd_find_destination(crowd, record);
  if (!destination.is_redirected) return false;
  CHECK(destination.point[0] == 8); /* where the tile ends */
  CHECK_EQUAL_INT(destination.partial_reason, WM_AGENT_REASON_TARGET_NOT_CONNECTED);
  return true;
}

/* Labels are for one mesh and one filter; those used least recently are removed. */
static void islands_are_labelled_by_mesh_and_filter(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *meshes[2] = {make_two_islands(context), make_two_islands(context)};
  WmCrowd *crowd = make_crowd(context, meshes[0]);
  uint32_t type;
  CHECK_EQUAL_INT(wm_crowd_add_mesh(crowd, meshes[1], &type), WM_OK);
  WmFilter filter = wm_filter_default();
  filter.exclude_flags = 2;
  CHECK_EQUAL_INT(wm_crowd_set_filter(crowd, 1, &filter), WM_OK);
  filter.include_flags = 1;
  CHECK_EQUAL_INT(wm_crowd_set_filter(crowd, 2, &filter), WM_OK);
  /* One more than there is space for, in the order of their use. */
  enum { KINDS = WM_CROWD_ISLANDS + 1 };
  static const uint32_t TYPES[KINDS] = {1, 0, 0, 0, 1}, FILTERS[KINDS] = {0, 0, 1, 2, 1};
  WmAgentRecord records[KINDS];
  for (int i = 0; i < KINDS; i++) {
    const WmMesh *mesh = meshes[TYPES[i]];
    records[i] = (WmAgentRecord){.polygon = wm_mesh_find_tile(mesh, 0, 0, 0)->ref,
                                 .target = {28, 0, 4},
                                 .target_polygon = wm_mesh_find_tile(mesh, 3, 0, 0)->ref};
    records[i].parameters.type = TYPES[i];
    records[i].parameters.filter = FILTERS[i];
  }
  for (int i = 0; i < WM_CROWD_ISLANDS; i++) {
    for (int k = 0; k < KINDS; k++) CHECK_EQUAL_INT(is_redirected(crowd, &records[k]), k < i);
    CHECK_EQUAL_INT(wm_crowd_label_islands(crowd, &records[i]), WM_OK);
  }
  CHECK(is_redirected(crowd, &records[1]));
  CHECK(is_redirected(crowd, &records[0])); /* the second one is now used least recently */
  CHECK(is_redirected(crowd, &records[2]));
  CHECK(is_redirected(crowd, &records[3]));
  CHECK_EQUAL_INT(wm_crowd_label_islands(crowd, &records[4]), WM_OK);
  for (int k = 0; k < KINDS; k++) CHECK_EQUAL_INT(is_redirected(crowd, &records[k]), k != 1);
  wm_crowd_destroy(crowd);
  for (int i = 0; i < 2; i++) wm_mesh_destroy(meshes[i]);
  wm_context_destroy(context);
}

/* The second block has a connection to the first, not back: both are one island, and its point nearest to a
 * target on a third block lies on the second one, which can't be reached. */
static void ways_of_one_direction_make_no_island_reachable(void) {
  World world = open_world(24, 2);
  add_block(world.mesh, SIDE + 6, 0, 2, SIDE, 900);
  WmConnection slide = wm_connection_default(world.mesh);
  memcpy(slide.start, (float[3]){8 * (SIDE + 2) + 1, 0, 40}, sizeof slide.start);
  memcpy(slide.end, (float[3]){8 * SIDE - 1, 0, 40}, sizeof slide.end);
  slide.radius = 3;
  slide.bidirectional = false;
  WmRef connection;
  CHECK_EQUAL_INT(wm_mesh_add_connection(world.mesh, &slide, &connection), WM_OK);
  set_options(world.crowd, 1000000, 8);
  add_many(&world, 20, 7);
  const float beyond[3] = {8 * (SIDE + 7), 0, 40}, second[3] = {8 * (SIDE + 3), 0, 40};
  for (int k = 0; k < 2; k++) {
    CHECK_EQUAL_INT(wm_crowd_set_targets(world.crowd, 20, world.agents, k ? second : beyond, true), WM_OK);
    size_t searched;
    plan(world.crowd, &searched);
    for (size_t i = 0; i < 20; i++) {
      CHECK_EQUAL_INT(world.crowd->reasons[i], WM_AGENT_REASON_TARGET_NOT_CONNECTED);
      CHECK(world.crowd->records[i].destination[0] <= 8 * SIDE);
      CHECK(world.crowd->records[i].destination[0] > 8 * SIDE - 2);
    }
  }
  /* Down the one-way connection it works, also for many. */
  WmAgent upper[40];
  uint32_t seed = 6;
  for (int i = 0; i < 40; i++)
    upper[i] = add_agent(world.crowd, crowd_random(&seed, 8 * (SIDE + 2) + 2, 8 * (SIDE + 4) - 2),
                         crowd_random(&seed, 2, 8 * SIDE - 2), NULL);
  CHECK_EQUAL_INT(wm_crowd_set_targets(world.crowd, 40, upper, (float[3]){40, 0, 40}, true), WM_OK);
  size_t searched;
  plan(world.crowd, &searched);
  for (int i = 0; i < 40; i++) {
    const WmAgentInfo info = info_of(world.crowd, upper[i]);
    CHECK_EQUAL_INT(info.state, WM_AGENT_FOLLOWING);
    CHECK_EQUAL_INT(info.reason, WM_AGENT_REASON_NONE);
  }
  close_world(&world);
}

/* Converting to an integer that can't hold the value gives another number on every machine. */
static void far_targets_that_lie_apart_have_keys_apart(void) {
  static const float PLACES[] = {-3e12f, -1e12f, -4, 0, 4, 1e12f, 3e12f};
  enum { COUNT = sizeof PLACES / sizeof *PLACES };
  uint64_t keys[COUNT];
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_field(context, 1);
  WmCrowd *crowd = make_crowd(context, mesh);
  for (int i = 0; i < COUNT; i++) {
    keys[i] = wm_crowd_target_key(crowd, &(WmAgentRecord){.target = {PLACES[i], 0, 0}});
    for (int k = 0; k < i; k++) CHECK(keys[k] != keys[i]);
  }
  CHECK(wm_crowd_target_key(crowd, &(WmAgentRecord){.target = {-0.0f, 0, 3.9f}}) ==
        wm_crowd_target_key(crowd, &(WmAgentRecord){.target = {3.9f, 0, 0}}));
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

/* ---- Corridors that are checked over several steps ---------------------------------------------------- */

/* An agent walks out of a polygon between two steps that check its corridor: none of the others is left out. */
static void a_polygon_that_closes_is_noticed_while_the_agent_walks(void) {
  World world = open_world(1, 0);
  WmCrowd *crowd = world.crowd;
  send_to(crowd, add_agent(crowd, 1, 1, NULL), SIDE * GRID_TILE_SIZE - 1, SIDE * GRID_TILE_SIZE - 1);
  CHECK_EQUAL_INT(wm_crowd_step(crowd, 0, NULL), WM_OK);
  static WmRef polygons[2048];
  WmAgentRecord *record = &crowd->records[0];
  CHECK(copy_corridor(crowd, 0, polygons, 2048) > 2 * WM_CROWD_CHECKED_PER_STEP);
  const WmRef closed = polygons[WM_CROWD_CHECKED_PER_STEP + 1];
  CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(world.mesh, closed, 0), WM_OK);
  CHECK_EQUAL_INT(wm_crowd_step(crowd, 0, NULL), WM_OK);
  CHECK_EQUAL_INT(record->corridor.checked, WM_CROWD_CHECKED_PER_STEP);
  record->polygon = polygons[1];
  wm_agent_corridor_drop(crowd, &record->corridor, 1);
  wm_tile_closest_point(wm_mesh_tile_of(world.mesh, polygons[1]), wm_ref_polygon(polygons[1]),
                        crowd->positions, true, crowd->positions);
  for (int i = 0; i < 100; i++) CHECK_EQUAL_INT(wm_crowd_step(crowd, 0, NULL), WM_OK);
  const size_t count = copy_corridor(crowd, 0, polygons, 2048);
  for (size_t i = 0; i < count; i++) CHECK(polygons[i] != closed);
  close_world(&world);
}

/* After the most failures that can be counted. */
static void failures_are_counted_up_to_a_limit(void) {
  World world = open_world(1, 1);
  WmCrowd *crowd = world.crowd;
  send_to(crowd, add_agent(crowd, 1, 1, NULL), (SIDE + 2) * GRID_TILE_SIZE, 1);
  crowd->records[0].failures = UINT32_MAX;
  for (int i = 0; i < 100; i++) CHECK_EQUAL_INT(wm_crowd_step(crowd, 0, NULL), WM_OK);
  CHECK(crowd->records[0].is_partial);
  CHECK_EQUAL_INT(crowd->records[0].failures, UINT32_MAX);
  CHECK(crowd->records[0].retry == WM_CROWD_LONGEST_RETRY);
  close_world(&world);
}

int main(void) {
  RUN(a_thousand_agents_with_one_goal_take_one_search);
  RUN(shared_ways_are_as_short_as_single_ones);
  RUN(near_agents_set_out_before_a_field_has_reached_far_ones);
  RUN(near_targets_of_one_step_come_first_and_older_steps_before_newer);
  RUN(those_who_chase_a_goal_that_moves_come_to_it);
  RUN(a_thousand_new_goals_are_answered_within_ten_steps);
  RUN(fields_are_few_and_take_no_more_memory);
  RUN(the_field_used_least_recently_goes);
  RUN(fields_go_with_their_filter);
  RUN(unreachable_goals_are_cheap_and_end_as_near_as_can_be);
  RUN(islands_are_forgotten_when_they_are_joined);
  RUN(islands_are_labelled_by_mesh_and_filter);
  RUN(ways_of_one_direction_make_no_island_reachable);
  RUN(far_targets_that_lie_apart_have_keys_apart);
  RUN(a_polygon_that_closes_is_noticed_while_the_agent_walks);
  RUN(failures_are_counted_up_to_a_limit);
  return check_finish();
}
