/* Golden traces of crowds (trace.h): the positions, velocities, states, targets, corners and corridors of all agents
 * in scenes of every kind are the same bits as ever. Other tests say what agents should do; these notice every
 * change of what they do. */
#include "crowd/crowd_internal.h"
#include "crowd_scenes.h"
#include "drawn_mesh.h"

/* in         lattice: all numbers are multiples of it (lattice.h); 0: they are arbitrary */
static void play(const Scenario *scenario, float lattice) {
  static TracedCrowd traced;
  trace_begin(scenario->name);
  WmContext *context = wm_context_create(NULL);
  open_scene(&traced, context, scenario, lattice);
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
  TRACE_FROM(record, detours, queued);
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
