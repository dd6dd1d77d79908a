/* Golden traces of crowds (trace.h): the positions, velocities, states, targets, corners and corridors of all agents
 * in scenes of every kind are the same bits as ever. Other tests say what agents should do; these notice every
 * change of what they do. */
#include "crowd/crowd_internal.h"
#include "crowd_trace.h"
#include "drawn_mesh.h"
#include "lane_world.h"

typedef struct Scenario {
  const char *name;
  WmMesh *(*make)(WmContext *context, uint32_t seed);
  uint32_t seed;
  size_t agents;
  uint32_t variety, events; /* crowd_trace.h */
  int steps;
  bool meets; /* all agents have the same target */
} Scenario;

/* ---- Meshes ------------------------------------------------------------------------------------------- */

static WmMesh *make_open(WmContext *context, uint32_t seed) { return make_field(context, (int32_t)seed); }

static WmMesh *make_gap(WmContext *context, uint32_t seed) {
  (void)seed;
  return make_doorway(context);
}

static WmMesh *make_lanes(WmContext *context, uint32_t seed) {
  const LaneMaze maze = maze_make(seed);
  return maze_bake(context, &maze);
}

/* Two rooms and a lane between them. */
static WmMesh *make_one_lane(WmContext *context, uint32_t seed) {
  LaneMaze maze = {.side = 1};
  const float length = (float)seed;
  maze_add(&maze, 0, 0, 8, 8);
  maze_add(&maze, 8 + length, 0, 16 + length, 8);
  maze_add(&maze, 8, 3.2f, 8 + length, 4.8f);
  return maze_bake(context, &maze);
}

/* Two rooms, and two lanes between them: agents that wait for long take the other one. */
static WmMesh *make_two_lanes(WmContext *context, uint32_t seed) {
  LaneMaze maze = {.side = 1};
  const float length = (float)seed;
  maze_add(&maze, 0, 0, 8, 12);
  maze_add(&maze, 8 + length, 0, 16 + length, 12);
  maze_add(&maze, 8, 2.2f, 8 + length, 3.8f);
  maze_add(&maze, 8, 8.2f, 8 + length, 9.5f);
  return maze_bake(context, &maze);
}

static WmMesh *make_holes(WmContext *context, uint32_t seed) {
  WmMesh *mesh = make_grid_mesh(context);
  add_block(mesh, 0, 0, 3, 3, seed);
  return mesh;
}

/* Two islands: most targets of the other one can't be reached. */
static WmMesh *make_islands(WmContext *context, uint32_t seed) {
  WmMesh *mesh = make_grid_mesh(context);
  add_block(mesh, 0, 0, 2, 2, seed);
  add_block(mesh, 3, 0, 2, 2, seed + 9);
  return mesh;
}

/* Uneven ground with holes, areas, flags, and connections baked into the tiles. */
static WmMesh *make_mixed(WmContext *context, uint32_t seed) {
  WmMesh *mesh = make_grid_mesh(context);
  uint32_t state = seed;
  for (int32_t i = 0; i < 9; i++) {
    const float x = (float)(i % 3) * GRID_TILE_SIZE, z = (float)(i / 3) * GRID_TILE_SIZE;
    WmOffMeshConnection connections[2];
    for (int c = 0; c < 2; c++) {
      connections[c] = (WmOffMeshConnection){
          .start = {x + crowd_random(&state, 0.5f, 7.5f), 0, z + crowd_random(&state, 0.5f, 7.5f)},
          .end = {x + crowd_random(&state, 0.5f, 14), 0, z + crowd_random(&state, 0.5f, 7.5f)},
          .radius = 0.6f,
          .flags = 1,
          .bidirectional = c == 0};
    }
    const GridTile grid = {.x = i % 3,
                           .z = i / 3,
                           .seed = seed + (uint32_t)i,
                           .hole = grid_random(&state) % 9,
                           .floor = (uint16_t)(seed % 2 ? grid_random(&state) % 3 : 0),
                           .tree = seed % 3 != 0,
                           .connections = connections,
                           .connection_count = 2};
    const WmRef tile = add_grid_tile(mesh, &grid);
    for (uint32_t p = 0; p < wm_mesh_tile_of(mesh, tile)->polygon_count; p++) {
      if (grid_random(&state) % 8 == 0) CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(mesh, tile + p, 2), WM_OK);
      if (grid_random(&state) % 4 == 0) CHECK_EQUAL_INT(wm_mesh_set_polygon_area(mesh, tile + p, 2), WM_OK);
    }
  }
  return mesh;
}

/* ---- Scenes ------------------------------------------------------------------------------------------- */

enum { ALL_EVENTS = 31, ALL_KINDS = 15 };

static const Scenario SCENARIOS[] = {
    {"open-field", make_open, 3, 32, 0, TRACED_NOTHING, 150, false},
    {"open-field-of-many-kinds", make_open, 3, 40, 7, TRACED_ORDERS, 200, false},
    {"open-field-with-obstacles", make_open, 2, 24, 5, TRACED_OBSTACLES_ON | TRACED_ORDERS, 200, false},
    {"field-where-all-meet", make_open, 3, 48, 1, TRACED_NOTHING, 250, true},
    {"small-field-where-all-meet", make_open, 1, 30, 4, TRACED_ORDERS, 200, true},
    {"doorway", make_gap, 0, 40, 0, TRACED_NOTHING, 300, false},
    {"doorway-of-many-kinds", make_gap, 0, 40, 7, TRACED_CHURN, 300, false},
    {"one-lane", make_one_lane, 5, 20, 0, TRACED_NOTHING, 400, false},
    {"one-lane-of-many-kinds", make_one_lane, 6, 24, 7, TRACED_ORDERS | TRACED_CHURN, 400, false},
    {"one-long-lane", make_one_lane, 14, 24, 1, TRACED_OBSTACLES_ON, 400, false},
    {"two-lanes", make_two_lanes, 6, 30, 0, TRACED_NOTHING, 400, false},
    {"two-lanes-of-many-kinds", make_two_lanes, 5, 36, 7, TRACED_ORDERS | TRACED_SETTINGS, 400, false},
    {"lanes-1", make_lanes, 1, 30, 0, TRACED_NOTHING, 300, false},
    {"lanes-2", make_lanes, 2, 40, 3, TRACED_CHURN, 300, false},
    {"lanes-3", make_lanes, 3, 40, 8, TRACED_ORDERS, 300, false},
    {"lanes-4", make_lanes, 4, 48, 15, TRACED_SETTINGS, 300, false},
    {"lanes-5", make_lanes, 5, 48, 1, TRACED_NOTHING, 300, true},
    {"lanes-6", make_lanes, 6, 30, 15, ALL_EVENTS, 300, false},
    {"holes", make_holes, 11, 40, 8, TRACED_NOTHING, 200, false},
    {"holes-that-change", make_holes, 12, 40, 7, TRACED_MESH, 300, false},
    {"holes-where-all-meet", make_holes, 13, 48, 0, TRACED_SETTINGS, 250, true},
    {"islands", make_islands, 31, 40, 0, TRACED_NOTHING, 250, false},
    {"islands-of-many-kinds", make_islands, 32, 40, 15, TRACED_SETTINGS | TRACED_ORDERS, 300, false},
    {"islands-that-change", make_islands, 33, 30, 11, TRACED_MESH | TRACED_CHURN, 400, false},
    {"islands-where-all-meet", make_islands, 34, 40, 4, TRACED_SETTINGS, 250, true},
    {"mixed-1", make_mixed, 1, 32, ALL_KINDS, TRACED_NOTHING, 250, false},
    {"mixed-2", make_mixed, 2, 32, ALL_KINDS, TRACED_MESH, 300, false},
    {"mixed-3", make_mixed, 3, 40, ALL_KINDS, TRACED_ORDERS | TRACED_CHURN, 250, false},
    {"mixed-4", make_mixed, 4, 40, ALL_KINDS, ALL_EVENTS, 300, false},
    {"mixed-5", make_mixed, 5, 40, ALL_KINDS, TRACED_SETTINGS | TRACED_MESH, 300, true},
    {"mixed-6", make_mixed, 6, 24, 9, ALL_EVENTS, 300, false},
};

static void send_all(TracedCrowd *traced, bool to_one_point) {
  if (!to_one_point) {
    traced_send_all(traced);
    return;
  }
  float target[3];
  traced_point(traced, target);
  CHECK_EQUAL_INT(wm_crowd_set_targets(traced->crowd, traced->count, traced->agents, target, true), WM_OK);
}

/* in         lattice: all numbers are multiples of it (lattice.h); 0: they are arbitrary */
static void play(const Scenario *scenario, float lattice) {
  static TracedCrowd traced;
  trace_begin(scenario->name);
  WmContext *context = wm_context_create(NULL);
  WmCrowdOptions options = wm_crowd_options_default();
  if (scenario->variety & 4) options.patience = 1;
  if (scenario->variety & 8) options.search_budget = 60;
  if (scenario->variety == ALL_KINDS) options.max_fields = 1;
  open_traced(&traced, context, scenario->make(context, scenario->seed), &options, scenario->seed * 77 + 5);
  traced.lattice = lattice;
  traced_add(&traced, scenario->agents, scenario->variety);
  send_all(&traced, scenario->meets);
  traced_run(&traced, scenario->steps / 2, scenario->events, scenario->variety);
  send_all(&traced, scenario->meets);
  traced_run(&traced, scenario->steps - scenario->steps / 2, scenario->events, scenario->variety);
  close_traced(&traced);
  wm_context_destroy(context);
  trace_end();
}

static void every_agent_moves_as_it_did(void) {
  for (size_t i = 0; i < sizeof SCENARIOS / sizeof *SCENARIOS; i++) play(&SCENARIOS[i], 0);
}

/* The seed chooses everything. */
static Scenario invent_scenario(uint32_t seed, char *name, size_t name_bytes) {
  static WmMesh *(*const MAKERS[])(WmContext *, uint32_t) = {
      make_open, make_gap, make_one_lane, make_two_lanes, make_lanes, make_holes, make_mixed, make_mixed};
  uint32_t state = seed * 2654435761u;
  const uint32_t maker = grid_random(&state) % 8, variety = grid_random(&state) % 16;
  uint32_t events = 0;
  for (uint32_t event = 1; event < ALL_EVENTS; event *= 2) events |= grid_random(&state) % 3 == 0 ? event : 0;
  if (maker > 0 && maker < 5) events &= ~(uint32_t)TRACED_MESH; /* a mesh of one tile */
  snprintf(name, name_bytes, "random-%u", (unsigned)seed);
  return (Scenario){.name = name,
                    .make = MAKERS[maker],
                    .seed = maker == 0   ? 1 + seed % 3
                            : maker == 4 ? seed
                                         : 3 + seed % 12,
                    .agents = 4 + grid_random(&state) % 40,
                    .variety = variety,
                    .events = events,
                    .steps = 60 + (int)(grid_random(&state) % 200),
                    .meets = grid_random(&state) % 4 == 0};
}

static void agents_of_random_scenes_move_as_they_did(void) {
  for (uint32_t seed = 1; seed <= trace_seeds(40); seed++) {
    char name[32];
    const Scenario scenario = invent_scenario(seed, name, sizeof name);
    play(&scenario, 0);
  }
}

/* Positions, sizes, speeds and times are multiples of a quarter, and each mesh is drawn with corners at such places:
 * agents meet head-on, lie on each other, stand on edges, and reach limits exactly. */
static void agents_on_a_lattice_move_as_they_did(void) {
  for (uint32_t seed = 1; seed <= trace_seeds(24); seed++) {
    char name[32];
    Scenario scenario = invent_scenario(seed + 200, name, sizeof name);
    snprintf(name, sizeof name, "lattice-%u", (unsigned)seed);
    scenario.steps = 40 + scenario.steps / 4;
    play(&scenario, 0.25f);
  }
}

/* Pairs of agents at the distance at which avoidance takes them as overlapping, exactly, and a little nearer and farther: from
 * the origin, where coordinates are not rounded. */
static void agents_that_just_touch_move_as_they_did(void) {
  static TracedCrowd traced;
  trace_begin("touching");
  for (int i = 0; i < 36; i++) {
    WmContext *context = wm_context_create(NULL);
    open_traced(&traced, context, make_open(context, 1), NULL, (uint32_t)i);
    WmAgentParameters parameters = wm_agent_parameters_default();
    parameters.radius = 0.25f + 0.0625f * (float)(i / 6);
    const float exactly = 2 * parameters.radius * (i % 2 ? WM_AVOIDANCE_MARGIN : 1);
    const float apart = i % 3 == 0 ? exactly : nextafterf(exactly, i % 3 == 1 ? 0.0f : 2.0f);
    const bool is_along_z = i / 6 % 2;
    const float at[2][3] = {{0, 0, 0}, {is_along_z ? 0 : apart, 0, is_along_z ? apart : 0}};
    const float velocities[2][3] = {{0.5f, 0, 0.5f}, {is_along_z ? 0.5f : -1, 0, is_along_z ? -1 : 0.5f}};
    CHECK_EQUAL_INT(wm_crowd_add_agents(traced.crowd, 2, at[0], &parameters, 1, traced.agents), WM_OK);
    traced.count = 2;
    for (int step = 0; step < 4; step++) {
      CHECK_EQUAL_INT(wm_crowd_set_velocities(traced.crowd, 2, traced.agents, velocities[0], false), WM_OK);
      trace_crowd_step(&traced, step ? 1.0f / 32 : 1e-6f);
      trace_crowd(traced.crowd);
    }
    close_traced(&traced);
    wm_context_destroy(context);
  }
  trace_end();
}

/* A throat as in crowd_passage_chains_test.c, turned by quarters, sheared and moved: corners [7]. */
static void turn_throat(int turns, bool is_sheared, bool is_moved, uint16_t corners[7][2]) {
  static const uint16_t DRAWN[][2] = {{0, 0}, {0, 80}, {40, 80}, {50, 8}, {100, 0}, {60, 80}, {100, 80}};
  for (int i = 0; i < 7; i++) {
    const int x = DRAWN[i][0], z = DRAWN[i][1] + (is_sheared ? x / 2 : 0), side = 150;
    const int turned[4][2] = {{x, z}, {z, side - x}, {side - x, side - z}, {side - z, x}};
    for (int axis = 0; axis < 2; axis++)
      corners[i][axis] = (uint16_t)(turned[turns][axis] + (is_moved ? 20 + 30 * axis : 0));
  }
}

/* Agents that meet at a throat, in all directions. */
static void agents_in_a_throat_move_as_they_did(void) {
  static const uint16_t POLYGONS[][DRAWN_CORNERS] = {{0, 1, 2, 3, NO_CORNER, NO_CORNER},
                                                     {0, 3, 4, NO_CORNER, NO_CORNER, NO_CORNER},
                                                     {4, 3, 5, 6, NO_CORNER, NO_CORNER}};
  static TracedCrowd traced;
  trace_begin("throats");
  for (int i = 0; i < 16; i++) {
    uint16_t corners[7][2];
    WmContext *context = wm_context_create(NULL);
    turn_throat(i % 4, i & 4, i & 8, corners);
    open_traced(&traced, context,
                draw_mesh(context, &(Drawing){(const uint16_t(*)[2])corners, POLYGONS, 7, 3}), NULL,
                (uint32_t)i);
    WmAgentParameters parameters = wm_agent_parameters_default();
    parameters.radius = 0.4f;
    for (int k = 0; k < 4; k++) { /* from the middles of the two fields to each other */
      float ends[2][3] = {{0}};
      for (int axis = 0; axis < 2; axis++) {
        ends[k % 2][2 * axis] = 0.05f * (float)(corners[1][axis] + corners[3][axis]) + 0.5f * (float)(k / 2);
        ends[1 - k % 2][2 * axis] = 0.05f * (float)(corners[6][axis] + corners[3][axis]);
      }
      traced.agents[k] = add_agent(traced.crowd, ends[0][0], ends[0][2], &parameters);
      send_to(traced.crowd, traced.agents[k], ends[1][0], ends[1][2]);
    }
    traced.count = 4;
    for (int step = 0; step < 240; step++) {
      trace_crowd_step(&traced, 1.0f / 30);
      if (step % 8 == 0) trace_crowd(traced.crowd);
    }
    close_traced(&traced);
    wm_context_destroy(context);
  }
  trace_end();
}

/* Agents of two sizes, each on its mesh, avoid each other. */
static void agents_of_two_meshes_move_as_they_did(void) {
  static TracedCrowd traced;
  trace_begin("two-meshes");
  WmContext *context = wm_context_create(NULL);
  open_traced(&traced, context, make_holes(context, 21), NULL, 4);
  WmMesh *other = make_open(context, 3);
  uint32_t type;
  CHECK_EQUAL_INT(wm_crowd_add_mesh(traced.crowd, other, &type), WM_OK);
  traced_add(&traced, 32, 3);
  for (size_t i = 0; i < traced.count; i += 2) {
    WmAgentParameters parameters;
    CHECK_EQUAL_INT(wm_crowd_parameters(traced.crowd, traced.agents[i], &parameters), WM_OK);
    parameters.type = type;
    CHECK_EQUAL_INT(wm_crowd_set_parameters(traced.crowd, 1, &traced.agents[i], &parameters, 1), WM_OK);
  }
  traced_send_all(&traced);
  traced_run(&traced, 200, TRACED_ORDERS | TRACED_CHURN, 3);
  close_traced(&traced);
  wm_mesh_destroy(other);
  wm_context_destroy(context);
  trace_end();
}

/* ---- What agents remember ----------------------------------------------------------------------------- */

static void trace_flags(const WmAgentRecord *record) {
  const uint8_t flags[] = {record->order,
                           record->is_paused,
                           record->is_partial,
                           record->partial_reason,
                           record->needs_plan,
                           record->search_is_outdated,
                           record->corner_count,
                           record->ends_at_last,
                           record->ends_at_connection,
                           record->corners_are_valid,
                           record->corridor_is_new,
                           record->anticipates,
                           record->wall_count,
                           record->walls_are_valid,
                           record->shortcut_turns,
                           record->oncoming,
                           record->passage,
                           record->is_in_passage,
                           record->is_held,
                           record->passes,
                           record->lets_pass,
                           record->turns,
                           record->pushed_off,
                           record->is_queued,
                           record->seeks_detour,
                           record->is_on_detour,
                           record->has_new_goal};
  TRACE(flags);
}

/* Everything between two members, which consist of words. */
#define TRACE_FROM(record, first, last) \
  trace_fold(&(record)->first, \
             offsetof(WmAgentRecord, last) + sizeof((record)->last) - offsetof(WmAgentRecord, first))

static void trace_record(const WmAgentRecord *record) {
  trace_flags(record);
  TRACE(record->corners_from);
  TRACE_FROM(record, direction, merge_speed);
  TRACE(record->passage_key);
  TRACE(record->detour_key);
  TRACE(record->passage_holder);
  TRACE(record->slowdown);
  TRACE(record->destination);
  TRACE(record->corridor);
  TRACE_FROM(record, walls_from, clear_drops);
  TRACE(record->clear_polygon);
  TRACE(record->next_connection);
  TRACE(record->connection);
  TRACE_FROM(record, checked, queued);
  TRACE(record->target_polygon);
  TRACE(record->failures);
  TRACE(record->retry);
  TRACE(record->progress);
}

static void trace_memory(const WmCrowd *crowd) {
  for (size_t i = 0; i < crowd->count; i++) trace_record(&crowd->records[i]);
  for (int i = 0; i < WM_CROWD_FLOW_FIELDS; i++) {
    const WmCrowdFlowField *field = &crowd->flow_fields[i];
    trace_number(field->flow != NULL);
    if (!field->flow) continue;
    const uint64_t numbers[] = {field->type, field->filter, field->polygon, field->cost, field->used};
    TRACE(numbers);
  }
  const WmCrowdMesh *on = wm_crowd_mesh(crowd, 0);
  const uint64_t numbers[] = {on->is_searching,
                              on->request,
                              on->search_cost,
                              on->field_cost,
                              crowd->queue_count,
                              crowd->removed_requests,
                              crowd->request,
                              crowd->sorted_request,
                              crowd->shared_key,
                              crowd->field_clock,
                              crowd->shortcut_next,
                              crowd->claim_count,
                              crowd->candidate_count,
                              crowd->corridor_block_count,
                              crowd->free_corridor_block,
                              crowd->free_corridor_blocks,
                              crowd->cell_mask,
                              crowd->steps};
  TRACE(numbers);
  TRACE(on->largest_radius);
}

/* The records of agents show a change long before positions do. */
static void agents_remember_what_they_did(void) {
  static TracedCrowd traced;
  static const size_t SCENES[] = {1, 8, 11, 15, 23, 28};
  for (size_t s = 0; s < sizeof SCENES / sizeof *SCENES; s++) {
    const Scenario *scenario = &SCENARIOS[SCENES[s]];
    char name[48];
    snprintf(name, sizeof name, "records-%s", scenario->name);
    trace_begin(name);
    WmContext *context = wm_context_create(NULL);
    WmCrowdOptions options = wm_crowd_options_default();
    options.search_budget = 200;
    open_traced(&traced, context, scenario->make(context, scenario->seed), &options, scenario->seed * 31 + 7);
    traced_add(&traced, 20, scenario->variety);
    send_all(&traced, s % 3 == 0);
    for (int round = 0; round < 16; round++) {
      traced_run(&traced, 5, scenario->events, scenario->variety);
      trace_memory(traced.crowd);
    }
    close_traced(&traced);
    wm_context_destroy(context);
    trace_end();
  }
}

/* The number of shared flow fields changes while fields grow, with a budget of few polygons a step. */
static void fields_grow_while_they_are_given_up_as_they_did(void) {
  static TracedCrowd traced;
  for (uint32_t seed = 1; seed <= trace_seeds(4); seed++) {
    char name[32];
    snprintf(name, sizeof name, "fields-%u", (unsigned)seed);
    trace_begin(name);
    WmContext *context = wm_context_create(NULL);
    WmCrowdOptions options = wm_crowd_options_default();
    options.search_budget = 3;
    open_traced(&traced, context, make_holes(context, seed + 60), &options, seed);
    traced_add(&traced, 40, 0);
    for (int step = 0; step < 60; step++) {
      if (step % 20 == 0) send_all(&traced, true);
      options.max_fields = step % 3 == 2 ? 0 : 1 + grid_random(&traced.seed) % 2;
      CHECK_EQUAL_INT(wm_crowd_set_options(traced.crowd, &options), WM_OK);
      trace_crowd_step(&traced, 1.0f / 30);
      trace_memory(traced.crowd);
    }
    close_traced(&traced);
    wm_context_destroy(context);
    trace_end();
  }
}

/* Agents get a mesh that has no ground where they stand, and their own again. */
static void agents_without_ground_stay_where_they_were(void) {
  static TracedCrowd traced;
  trace_begin("without-ground");
  WmContext *context = wm_context_create(NULL);
  open_traced(&traced, context, make_open(context, 2), NULL, 8);
  WmMesh *other = make_grid_mesh(context);
  add_block(other, 1, 1, 1, 1, 3);
  uint32_t type;
  CHECK_EQUAL_INT(wm_crowd_add_mesh(traced.crowd, other, &type), WM_OK);
  traced_add(&traced, 24, 1);
  traced_send_all(&traced);
  for (int round = 0; round < 4; round++) {
    for (size_t i = (size_t)round; i < traced.count; i += 2) {
      WmAgentParameters parameters;
      CHECK_EQUAL_INT(wm_crowd_parameters(traced.crowd, traced.agents[i], &parameters), WM_OK);
      parameters.type = round % 2 ? 0 : type;
      CHECK_EQUAL_INT(wm_crowd_set_parameters(traced.crowd, 1, &traced.agents[i], &parameters, 1), WM_OK);
      trace_agent(traced.crowd, traced.agents[i]);
    }
    trace_crowd(traced.crowd);
    traced_run(&traced, 8, TRACED_NOTHING, 0);
  }
  close_traced(&traced);
  wm_mesh_destroy(other);
  trace_end();
  wm_context_destroy(context);
}

int main(void) {
  trace_open("crowd");
  RUN(agents_remember_what_they_did);
  RUN(every_agent_moves_as_it_did);
  RUN(agents_of_random_scenes_move_as_they_did);
  RUN(agents_on_a_lattice_move_as_they_did);
  RUN(agents_that_just_touch_move_as_they_did);
  RUN(agents_in_a_throat_move_as_they_did);
  RUN(agents_of_two_meshes_move_as_they_did);
  RUN(fields_grow_while_they_are_given_up_as_they_did);
  RUN(agents_without_ground_stay_where_they_were);
  trace_close();
  return check_finish();
}
