/* Jams at exact limits: bodies and records of two agents are set by hand, and one measurement is made. Runs of a crowd never
 * meet the limits themselves. */
#include <math.h>

#include "crowd/passages/passages.h"
#include "crowd_worlds.h"

/* One second before the agent passes through others. */
enum { PATIENCE = 8 };

typedef struct World {
  WmContext *context;
  WmMesh *mesh;
  WmCrowd *crowd;
  size_t index, body, other_body;
  WmAgentRecord *record, *other;
} World;

static size_t body_of(const WmCrowd *crowd, size_t index) {
  size_t body = 0;
  while (wm_crowd_bodies(crowd)[body].index != index) body++;
  return body;
}

/* Two agents beside each other that walk; each is the other's only neighbour. */
static World open_world(size_t which) {
  World world = {.context = wm_context_create(NULL)};
  world.mesh = make_field(world.context, 2);
  WmCrowdOptions options = wm_crowd_options_default();
  options.patience = PATIENCE;
  CHECK_EQUAL_INT(wm_crowd_create(world.context, world.mesh, &options, &world.crowd), WM_OK);
  WmAgent agents[2];
  for (int i = 0; i < 2; i++) {
    agents[i] = add_agent(world.crowd, 4 + 1.5f * (float)i, 4, NULL);
    send_to(world.crowd, agents[i], 14, 14);
  }
  run_crowd(world.crowd, 2, 0.02f);
  CHECK_EQUAL_INT(wm_crowd_index(world.crowd, agents[which], &world.index), WM_OK);
  CHECK_EQUAL_INT(world.crowd->neighbour_counts[world.index], 1);
  world.record = &world.crowd->records[world.index];
  world.other = &world.crowd->records[1 - world.index];
  world.body = body_of(world.crowd, world.index);
  world.other_body = body_of(world.crowd, 1 - world.index);
  return world;
}

static void close_world(World *world) {
  wm_crowd_destroy(world->crowd);
  wm_mesh_destroy(world->mesh);
  wm_context_destroy(world->context);
}

/* The agent has stood still for 2 s and looks along x; the other one walks away from it, at x and z from it. */
static void place(World *world, float x, float z) {
  WmAgentRecord *record = world->record;
  const float ahead[2] = {1, 0}, back[2] = {-1, 0};
  memcpy(record->direction, ahead, sizeof ahead);
  memcpy(world->other->direction, back, sizeof back);
  for (int k = 0; k < 2; k++) record->from[k] = world->crowd->positions[3 * world->index + 2 * (size_t)k];
  record->gained = 0;
  record->stalled_time = 2;
  record->progress_speed = 0;
  record->last_leg = 100;
  record->passes = record->is_held = record->is_queued = false;
  WmBody *other = &wm_crowd_bodies(world->crowd)[world->other_body];
  other->is_held = other->walks = true;
  other->waits_outside = false;
  WmContactBody *bodies = wm_crowd_contact_bodies(world->crowd);
  bodies[world->body].x = bodies[world->body].z = 0;
  bodies[world->other_body].x = x;
  bodies[world->other_body].z = z;
  bodies[world->body].radius = bodies[world->other_body].radius = 0.5f;
}

static void measure(World *world) { wm_crowd_measure_jam(world->crowd, world->body, 1); }

static void a_neighbour_ahead_is_nearer_than_its_limit(void) {
  World world = open_world(0);
  const float limit = WM_CROWD_BEHIND;
  const struct {
    float x, z;
    bool is_queued;
  } cases[] = {
      {limit, 0, false}, {0.999f * limit, 0, true}, {0, 1, false}, {0.001f, 1, true}, {-1, 0, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    place(&world, cases[i].x, cases[i].z);
    measure(&world);
    CHECK_EQUAL_INT(world.record->is_queued, cases[i].is_queued);
    CHECK(world.record->stalled_time == 2 + (cases[i].is_queued ? WM_CROWD_QUEUE_HASTE : 1));
  }
  close_world(&world);
}

static void a_neighbour_that_walks_along_is_a_queue(void) {
  World world = open_world(0);
  for (int i = 0; i < 3; i++) {
    place(&world, 1.1f, 0);
    wm_crowd_bodies(world.crowd)[world.other_body].is_held = false;
    world.other->direction[0] = i == 0 ? WM_CROWD_ALONG : i == 1 ? 1.01f * WM_CROWD_ALONG : 1;
    if (i == 2) wm_crowd_bodies(world.crowd)[world.other_body].walks = false;
    measure(&world);
    CHECK_EQUAL_INT(world.record->is_queued, i == 1);
  }
  /* It rests, and the destination is near. */
  for (int i = 0; i < 2; i++) {
    place(&world, 1.1f, 0);
    wm_crowd_bodies(world.crowd)[world.other_body].is_held = false;
    wm_crowd_bodies(world.crowd)[world.other_body].walks = false;
    world.record->last_leg = i ? 0.999f * WM_CROWD_NEARLY_THERE : WM_CROWD_NEARLY_THERE;
    measure(&world);
    CHECK(world.record->stalled_time == 2 + (i ? WM_CROWD_QUEUE_HASTE : 1));
  }
  close_world(&world);
}

static void who_waits_for_its_turn_has_no_more_patience_than_who_is_blocked(void) {
  World world = open_world(0);
  WmAgentRecord *record = world.record;
  for (int i = 0; i < 4; i++) {
    place(&world, 1.1f, 0);
    record->is_held = i & 1;
    wm_crowd_bodies(world.crowd)[world.other_body].waits_outside = i & 2;
    measure(&world);
    CHECK(record->stalled_time == 2 + (i == 0 ? WM_CROWD_QUEUE_HASTE : 1));
  }
  close_world(&world);
}

static void times_and_speeds_have_exact_limits(void) {
  World world = open_world(0);
  WmAgentRecord *record = world.record;
  for (int i = 0; i < 2; i++) { /* walks well */
    place(&world, -9, 0);
    record->progress_speed = (i ? 1.01f : 1) * (WM_FREE_PACE * record->parameters.max_speed);
    measure(&world);
    CHECK(record->stalled_time == 2 + (i ? WM_CROWD_QUEUE_HASTE : 1));
  }
  for (int i = 0; i < 2; i++) { /* out of patience */
    place(&world, -9, 0);
    record->stalled_time = PATIENCE - (i ? 0.5f : 1);
    measure(&world);
    CHECK_EQUAL_INT(record->passes, i);
  }
  for (int i = 0; i < 2; i++) { /* the usual case */
    place(&world, 1, 0);
    record->stalled_time = i ? WM_CROWD_UNTROUBLED : 0.5f * WM_CROWD_UNTROUBLED;
    record->is_queued = true;
    measure(&world);
    CHECK_EQUAL_INT(record->is_queued, i);
    CHECK(record->stalled_time == (i ? WM_CROWD_UNTROUBLED + WM_CROWD_QUEUE_HASTE : 0.375f + 1));
  }
  close_world(&world);
}

static void a_gain_ends_a_jam_unless_bodies_overlap(void) {
  World world = open_world(0);
  WmAgentRecord *record = world.record;
  for (int i = 0; i < 4; i++) {
    const float apart = i == 1 ? 0.999f : 1; /* the radii are 0.5 */
    place(&world, -apart, 0);
    record->passes = true;
    record->turns = 2;
    record->gained = i == 2 ? WM_CROWD_GAIN : 1.5f * WM_CROWD_GAIN;
    if (i == 3) record->from[0] += 1; /* it was pushed back by 1 */
    measure(&world);
    CHECK_EQUAL_INT(record->passes, i > 0);
    CHECK_EQUAL_INT(record->turns, i < 2 ? 0 : 2);
    CHECK(record->gained == (i < 2 ? 0 : i == 2 ? WM_CROWD_GAIN : 1.5f * WM_CROWD_GAIN - 1));
    CHECK(record->stalled_time == (i < 2 ? 1 : 3));
  }
  record->turns = 0;
  for (int i = 1; i <= WM_CROWD_TURNS_PER_GAIN + 1; i++) { /* a claim was granted */
    record->stalled_time = 5;
    wm_crowd_note_turn(record);
    CHECK_EQUAL_INT(record->turns, i > WM_CROWD_TURNS_PER_GAIN ? WM_CROWD_TURNS_PER_GAIN : i);
    CHECK(record->stalled_time == (i > WM_CROWD_TURNS_PER_GAIN ? 5 : 0));
  }
  close_world(&world);
}

/* The second agent, away from the origin, that looks and walks in both directions at once. */
static void both_directions_count(void) {
  World world = open_world(1);
  WmAgentRecord *record = world.record;
  WmContactBody *bodies = wm_crowd_contact_bodies(world.crowd);
  const struct {
    float x, z;
    bool is_queued;
  } cases[] = {{0.6f, 0.8f, true},  {-0.6f, -0.8f, false}, {0.9f, -0.6f, true}, {0.7f, -0.6f, false},
               {-0.7f, 0.6f, true}, {-0.9f, 0.6f, false},  {1.2f, 0.9f, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    place(&world, 3 + cases[i].x, 5 + cases[i].z);
    const float direction[2] = {0.6f, 0.8f};
    memcpy(record->direction, direction, sizeof direction);
    bodies[world.body].x = 3;
    bodies[world.body].z = 5;
    world.other->direction[0] = -1;
    measure(&world);
    CHECK_EQUAL_INT(record->is_queued, cases[i].is_queued);
    const float walked[2] = {0.25f, -0.125f}, *position = world.crowd->positions + 3 * world.index;
    for (int k = 0; k < 2; k++) record->from[k] = position[2 * k] - walked[k];
    record->gained = 0;
    measure(&world);
    CHECK(fabsf(record->gained - 0.05f) < 1e-5f);
  }
  place(&world, 9, 9); /* progress in the usual case */
  record->stalled_time = 0.5f;
  record->gained = 2 * WM_CROWD_GAIN;
  measure(&world);
  CHECK(record->gained == 0 && record->stalled_time == 0);
  for (int i = 0; i < 3; i++) { /* no patience at all, or little */
    place(&world, 9, 9);
    world.crowd->options.patience = 0.5f * (float)i;
    measure(&world);
    CHECK_EQUAL_INT(record->passes, i > 0);
  }
  /* Alone near the destination: patience runs out as usual. */
  place(&world, 9, 9);
  record->last_leg = 1;
  measure(&world);
  CHECK(record->stalled_time == 3);
  close_world(&world);
}

int main(void) {
  RUN(both_directions_count);
  RUN(a_neighbour_ahead_is_nearer_than_its_limit);
  RUN(a_neighbour_that_walks_along_is_a_queue);
  RUN(who_waits_for_its_turn_has_no_more_patience_than_who_is_blocked);
  RUN(times_and_speeds_have_exact_limits);
  RUN(a_gain_ends_a_jam_unless_bodies_overlap);
  return check_finish();
}
