/* wm_crowd_validate: a crowd in the middle of its work is valid, and each single corrupted field is found. */
#include "crowd/crowd_internal.h"
#include "crowd_worlds.h"
#include "judge.h"

enum { AGENTS = 40 };

typedef struct World {
  WmContext *context;
  WmMesh *mesh;
  WmCrowd *crowd;
} World;

/* Agents that walk, removed ones, two without an order, one off the mesh, an obstacle, waiting requests. */
static World make_world(void) {
  World world;
  world.context = wm_context_create(NULL);
  world.mesh = make_field(world.context, 4);
  WmCrowdOptions options = wm_crowd_options_default();
  options.search_budget = 16;
  CHECK_EQUAL_INT(wm_crowd_create(world.context, world.mesh, &options, &world.crowd), WM_OK);
  WmAgent agents[AGENTS];
  for (int i = 0; i < AGENTS; i++) {
    agents[i] = add_agent(world.crowd, 2 + 0.8f * (float)(i % 8), 2 + 0.8f * (float)(i / 8), NULL);
  }
  (void)add_agent(world.crowd, 500, 500, NULL);
  for (int i = 2; i < AGENTS - 8; i++) send_to(world.crowd, agents[i], 28, 28 - 0.5f * (float)(i % 4));
  const float at[3] = {10, 0, 10}, radius = 1;
  CHECK_EQUAL_INT(wm_crowd_set_obstacles(world.crowd, 1, at, NULL, &radius, NULL), WM_OK);
  run_crowd(world.crowd, 80, 0.02f);
  CHECK_EQUAL_INT(wm_crowd_remove_agents(world.crowd, 2, agents + 4), WM_OK);
  CHECK(wm_crowd_validate(world.crowd));
  run_crowd(world.crowd, 2, 0.02f);
  for (int i = AGENTS - 8; i < AGENTS; i++) send_to(world.crowd, agents[i], 28 - (float)i / 2, 25);
  CHECK(wm_crowd_validate(world.crowd));
  return world;
}

static void destroy_world(World *world) {
  wm_crowd_destroy(world->crowd);
  wm_mesh_destroy(world->mesh);
  wm_context_destroy(world->context);
}

/* The first walking agent with a corridor of at least `count` polygons, none of whose requests waits. */
static size_t find_walker(const WmCrowd *crowd, uint32_t count) {
  size_t i = 0;
  while (i < crowd->count && (crowd->states[i] != WM_AGENT_FOLLOWING || crowd->records[i].needs_plan ||
                              crowd->records[i].corridor.count < count)) {
    i++;
  }
  CHECK(i < crowd->count);
  return i;
}

static size_t find_state(const WmCrowd *crowd, uint8_t state) {
  size_t i = 0;
  while (i < crowd->count && crowd->states[i] != state) i++;
  CHECK(i < crowd->count);
  return i;
}

/* Writes a value over a field, expects that it is found, and restores the field. */
#define CHECK_FOUND(field, value) \
  do { \
    __typeof__(field) kept_value = (field); \
    (field) = (value); \
    CHECK(!wm_crowd_validate(crowd)); \
    (field) = kept_value; \
    CHECK(wm_crowd_validate(crowd)); \
  } while (0)

/* The same for a value that is allowed. */
#define CHECK_ALLOWED(field, value) \
  do { \
    __typeof__(field) kept_value = (field); \
    (field) = (value); \
    CHECK(wm_crowd_validate(crowd)); \
    (field) = kept_value; \
  } while (0)

static void corrupted_handles_are_found(void) {
  World world = make_world();
  WmCrowd *crowd = world.crowd;
  WmAgentNumber *numbers = crowd->numbers.items;
  CHECK_FOUND(crowd->agents[3], crowd->agents[2]);
  CHECK_FOUND(numbers[wm_agent_number(crowd->agents[1])].index, 0);
  CHECK_FOUND(numbers[wm_agent_number(crowd->agents[1])].generation, 99);
  CHECK_FOUND(numbers[wm_agent_number(crowd->agents[1])].is_used, false);
  CHECK_FOUND(crowd->free_number, WM_NONE);
  CHECK_FOUND(crowd->free_number, 0);
  CHECK_FOUND(numbers[crowd->free_number].index, crowd->free_number);
  CHECK_FOUND(crowd->count, crowd->count - 1);
  CHECK_FOUND(crowd->capacity, crowd->count - 1);
  CHECK_ALLOWED(crowd->capacity, crowd->count);
  CHECK_FOUND(crowd->numbers.capacity, crowd->number_count - 1u);
  CHECK_ALLOWED(crowd->numbers.capacity, crowd->number_count);
  /* Beyond the last agent, even if the handle there is right. */
  CHECK(crowd->count < crowd->capacity);
  crowd->agents[crowd->count] = crowd->agents[1];
  CHECK_FOUND(numbers[wm_agent_number(crowd->agents[1])].index, (uint32_t)crowd->count);
  /* A number without a generation left is not among the free ones. */
  const uint32_t retired = crowd->free_number;
  numbers[retired].generation = (uint32_t)1 << WM_AGENT_GENERATION_BITS;
  CHECK(!wm_crowd_validate(crowd));
  crowd->free_number = numbers[retired].index;
  CHECK(wm_crowd_validate(crowd));
  destroy_world(&world);
}

static void corrupted_corridors_are_found(void) {
  World world = make_world();
  WmCrowd *crowd = world.crowd;
  WmAgentRecord *record = &crowd->records[find_walker(crowd, 3)];
  WmAgentCorridor *corridor = &record->corridor;
  const WmCorridorCursor second = wm_agent_corridor_next(crowd, wm_agent_corridor_begin(corridor));
  WmCorridorBlock *block = wm_agent_corridor_block(crowd, second.block);
  CHECK_FOUND(corridor->first, WM_NONE);
  CHECK_FOUND(corridor->last, crowd->corridor_block_count);
  CHECK_FOUND(corridor->head, WM_CORRIDOR_BLOCK);
  CHECK_FOUND(corridor->tail, corridor->tail + 1);
  CHECK_FOUND(corridor->count, corridor->count + 1);
  CHECK_FOUND(corridor->count, 0);
  CHECK_FOUND(block->polygons[second.offset], block->polygons[second.offset] + (WmRef)1);
  CHECK_FOUND(block->polygons[second.offset], 0);
  CHECK_FOUND(block->connections, block->connections ^ 1u << second.offset);
  CHECK_FOUND(wm_agent_corridor_block(crowd, corridor->last)->next, 0);
  CHECK_FOUND(crowd->free_corridor_blocks, crowd->free_corridor_blocks + 1);
  CHECK_FOUND(crowd->free_corridor_block, corridor->first);
  CHECK_FOUND(crowd->corridor_blocks.capacity, crowd->corridor_block_count - 1u);
  WmAgentCorridor *none = &crowd->records[find_state(crowd, WM_AGENT_NO_TARGET)].corridor;
  CHECK_FOUND(none->first, crowd->free_corridor_block);
  CHECK_FOUND(none->last, crowd->free_corridor_block);
  /* A chain of one block that is free instead. */
  CHECK_EQUAL_INT(corridor->first, corridor->last);
  const uint32_t only = corridor->first;
  wm_agent_corridor_block(crowd, only)->next = crowd->free_corridor_block;
  crowd->free_corridor_block = only;
  crowd->free_corridor_blocks++;
  corridor->first = crowd->corridor_block_count;
  CHECK(!wm_crowd_validate(crowd));
  corridor->first = only;
  crowd->free_corridor_blocks--;
  crowd->free_corridor_block = wm_agent_corridor_block(crowd, only)->next;
  wm_agent_corridor_block(crowd, only)->next = WM_NONE;
  CHECK(wm_crowd_validate(crowd));
  /* A broken corridor that is still to be checked is no violation. */
  const WmRef polygon = block->polygons[second.offset];
  record->checked_version--;
  block->polygons[second.offset] = 0;
  CHECK(wm_crowd_validate(crowd));
  block->polygons[second.offset] = polygon;
  destroy_world(&world);
}

static void corrupted_agents_are_found(void) {
  World world = make_world();
  WmCrowd *crowd = world.crowd;
  const size_t i = find_walker(crowd, 2), lost = find_state(crowd, WM_AGENT_OFF_MESH);
  WmAgentRecord *record = &crowd->records[i];
  CHECK_FOUND(crowd->positions[3 * i], NAN);
  CHECK_FOUND(crowd->positions[3 * i], crowd->positions[3 * i] + 100);
  CHECK_FOUND(crowd->positions[3 * i + 1], 1);
  CHECK_FOUND(crowd->previous[3 * i + 2], INFINITY);
  CHECK_FOUND(crowd->velocities[3 * i + 2], INFINITY);
  CHECK_FOUND(crowd->headings[2 * i], 2);
  CHECK_FOUND(crowd->states[i], WM_AGENT_OFF_MESH + 1);
  CHECK_FOUND(crowd->reasons[i], WM_AGENT_REASON_RIGHT_OF_WAY + 1);
  CHECK_FOUND(record->passage, WM_PASSAGE_HOLDS + 1);
  CHECK_FOUND(record->passage_wait, NAN);
  CHECK_FOUND(record->passage_entry[1], INFINITY);
  CHECK_FOUND(record->gained, NAN);
  CHECK_FOUND(record->stalled_time, -1);
  CHECK_FOUND(crowd->records[lost].passes, true);
  CHECK_FOUND(record->polygon, 0);
  CHECK_FOUND(record->polygon, record->polygon + 1);
  CHECK_FOUND(crowd->records[lost].polygon, record->polygon);
  CHECK_FOUND(record->parameters.type, 1);
  CHECK_FOUND(record->parameters.filter, WM_CROWD_FILTERS);
  CHECK_FOUND(record->corner_count, WM_CROWD_CORNERS + 1);
  CHECK_FOUND(record->wall_count, WM_CROWD_WALLS + 1);
  CHECK_FOUND(record->corners[0].point[0], NAN);
  CHECK_FOUND(record->preferred[0], NAN);
  CHECK_FOUND(record->chosen[1], INFINITY);
  CHECK_FOUND(record->destination[0], NAN);
  CHECK_FOUND(record->target[2], NAN);
  CHECK_FOUND(record->neighbour_range, -1);
  CHECK_FOUND(record->blocked_time, NAN);
  CHECK_FOUND(record->progress, 2);
  CHECK_FOUND(record->oncoming, 100);
  CHECK_FOUND(record->shortcut_turns, 100);
  for (size_t axis = 0; axis < 3; axis++) {
    CHECK_FOUND(crowd->previous[3 * i + axis], INFINITY);
    CHECK_FOUND(crowd->velocities[3 * i + axis], NAN);
    CHECK_FOUND(record->corners[0].point[axis], NAN);
    CHECK_FOUND(record->destination[axis], NAN);
    CHECK_FOUND(record->target[axis], NAN);
    if (axis == 2) continue;
    CHECK_FOUND(record->preferred[axis], NAN);
    CHECK_FOUND(record->chosen[axis], NAN);
    CHECK_FOUND(crowd->headings[2 * i + axis], NAN);
  }
  CHECK_FOUND(record->neighbour_range, 0);
  CHECK_FOUND(record->blocked_time, -1);
  CHECK_FOUND(record->slowdown, -1);
  CHECK_FOUND(record->slowdown, NAN);
  CHECK_FOUND(record->progress, -0.1f);
  destroy_world(&world);
}

static void values_at_their_limits_are_allowed(void) {
  World world = make_world();
  WmCrowd *crowd = world.crowd;
  WmAgentRecord *record = &crowd->records[find_walker(crowd, 2)];
  CHECK_ALLOWED(record->blocked_time, 0);
  CHECK_ALLOWED(record->slowdown, 0);
  CHECK_ALLOWED(record->progress, 0);
  CHECK_ALLOWED(record->progress, 1);
  CHECK_ALLOWED(record->oncoming, WM_CROWD_ONCOMING_MANY);
  CHECK_ALLOWED(record->shortcut_turns, WM_CROWD_SHORTCUT_TURNS);
  CHECK_FOUND(record->shortcut_turns, WM_CROWD_SHORTCUT_TURNS + 1);
  CHECK_ALLOWED(record->parameters.filter, WM_CROWD_FILTERS - 1);
  memset(record->corners, 0, sizeof record->corners);
  memset(record->walls, 0, sizeof record->walls);
  record->wall_count = 1;
  CHECK_FOUND(record->walls[0][0], NAN);
  CHECK_FOUND(record->walls[0][3], NAN);
  CHECK_ALLOWED(record->walls[1][0], NAN);
  record->corner_count = 1;
  CHECK_ALLOWED(record->corners[1].point[0], NAN);
  record->corner_count = WM_CROWD_CORNERS;
  record->wall_count = WM_CROWD_WALLS;
  CHECK(wm_crowd_validate(crowd));
  CHECK_FOUND(record->corners[WM_CROWD_CORNERS - 1].point[2], NAN);
  CHECK_FOUND(record->walls[WM_CROWD_WALLS - 1][3], NAN);
  record->order = WM_ORDER_VELOCITY;
  CHECK_FOUND(record->order, WM_ORDER_VELOCITY + 1);
  destroy_world(&world);
}

static void states_against_orders_are_found(void) {
  World world = make_world();
  WmCrowd *crowd = world.crowd;
  const size_t i = find_walker(crowd, 2), idle = find_state(crowd, WM_AGENT_NO_TARGET);
  static const uint8_t WRONG[] = {WM_AGENT_NO_TARGET,     WM_AGENT_PLANNING,    WM_AGENT_WAITING,
                                  WM_AGENT_ON_CONNECTION, WM_AGENT_UNREACHABLE, WM_AGENT_OFF_MESH,
                                  WM_AGENT_CROWDED};
  for (size_t k = 0; k < sizeof WRONG; k++) CHECK_FOUND(crowd->states[i], WRONG[k]);
  CHECK_FOUND(crowd->states[idle], WM_AGENT_FOLLOWING);
  CHECK_FOUND(crowd->states[idle], WM_AGENT_ARRIVED);
  CHECK_FOUND(crowd->records[idle].order, WM_ORDER_TARGET);
  CHECK_FOUND(crowd->records[idle].needs_plan, true);
  CHECK_FOUND(crowd->records[i].order, WM_ORDER_NONE);
  CHECK_FOUND(crowd->reasons[find_state(crowd, WM_AGENT_OFF_MESH)], WM_AGENT_REASON_NONE);
  destroy_world(&world);
}

static void corrupted_requests_are_found(void) {
  World world = make_world();
  WmCrowd *crowd = world.crowd;
  CHECK(crowd->queue_count >= 2);
  WmPathRequest *items = crowd->queue.items;
  WmPathRequest *first = &items[crowd->queue_first],
                *next = &items[(crowd->queue_first + 1) % crowd->queue.capacity];
  size_t index;
  CHECK(wm_crowd_peek(crowd, first->agent, &index));
  CHECK_FOUND(first->agent, next->agent);
  CHECK_FOUND(first->agent, 0);
  CHECK_FOUND(first->request, next->request);
  CHECK_FOUND(crowd->removed_requests, crowd->removed_requests + 1);
  CHECK_FOUND(crowd->queue_count, crowd->queue_count - 1);
  CHECK_FOUND(crowd->request, crowd->request + 1);
  CHECK_FOUND(crowd->records[index].queued, 0);
  CHECK_FOUND(crowd->records[index].request, 12345);
  CHECK_FOUND(crowd->records[find_walker(crowd, 2)].queued, 1);
  WmCrowdMesh *on = wm_crowd_mesh(crowd, 0);
  const bool was_searching = on->is_searching;
  on->is_searching = true;
  CHECK_FOUND(on->field, &crowd->flow_fields[WM_CROWD_FLOW_FIELDS]);
  CHECK_FOUND(on->field, &crowd->flow_fields[WM_CROWD_FLOW_FIELDS - 1]);
  on->is_searching = was_searching;
  destroy_world(&world);
}

static void corrupted_bodies_are_found(void) {
  World world = make_world();
  WmCrowd *crowd = world.crowd;
  WmBody *bodies = crowd->bodies.items;
  uint32_t *first = crowd->cell_first.items;
  uint32_t cell = 0, agent = 0;
  while (first[cell + 1] == 0) cell++;
  while (bodies[agent].index == WM_NONE) agent++;
  CHECK_FOUND(bodies[agent].x, bodies[agent].x + 4);
  CHECK_FOUND(bodies[agent].z, bodies[agent].z + 1);
  CHECK_FOUND(((float *)crowd->body_axes[1].items)[agent], -1);
  CHECK_FOUND(first[0], 1);
  CHECK_FOUND(first[cell + 1], 0);
  CHECK_FOUND(first[crowd->cell_mask + 1], 0);
  CHECK_FOUND(crowd->cell_mask, 2 * crowd->cell_mask + 1);
  CHECK_FOUND(crowd->cell_first.capacity, crowd->cell_mask + 1u);
  CHECK_ALLOWED(crowd->cell_first.capacity, crowd->cell_mask + 2u);
  CHECK_FOUND(crowd->bodies.capacity, crowd->body_count - 1u);
  CHECK_ALLOWED(crowd->bodies.capacity, crowd->body_count);
  CHECK_FOUND(bodies[agent].index, (uint32_t)crowd->count);
  CHECK_FOUND(bodies[agent].number, bodies[agent].number + 1);
  size_t i = 0;
  while (crowd->neighbour_counts[i] == 0) i++;
  CHECK_FOUND(crowd->neighbours[WM_CROWD_NEIGHBOURS * i], (uint32_t)crowd->body_count);
  CHECK_FOUND(crowd->found[WM_CROWD_NEIGHBOURS * i], (uint32_t)crowd->count);
  CHECK_FOUND(crowd->found_counts[i], WM_CROWD_NEIGHBOURS + 1);
  CHECK_FOUND(crowd->neighbour_counts[i], crowd->found_counts[i] + 1);
  /* A body of no agent, even if the handle there is right; and entries that aren't in use. */
  CHECK(crowd->count < crowd->capacity);
  crowd->agents[crowd->count] = crowd->agents[bodies[agent].index];
  CHECK_FOUND(bodies[agent].index, (uint32_t)crowd->count);
  i = 0;
  while (crowd->neighbour_counts[i] == 0 || crowd->found_counts[i] == WM_CROWD_NEIGHBOURS) i++;
  CHECK(i < crowd->count);
  uint32_t *found = crowd->found + WM_CROWD_NEIGHBOURS * i;
  uint32_t *neighbours = crowd->neighbours + WM_CROWD_NEIGHBOURS * i;
  const uint32_t found_count = crowd->found_counts[i], neighbour_count = crowd->neighbour_counts[i];
  CHECK_ALLOWED(found[found_count], (uint32_t)crowd->count);
  CHECK_ALLOWED(neighbours[neighbour_count], (uint32_t)crowd->body_count);
  CHECK_FOUND(found[found_count - 1], (uint32_t)crowd->count);
  CHECK_FOUND(neighbours[neighbour_count - 1], (uint32_t)crowd->body_count);
  uint32_t own = 0;
  while (bodies[own].index != i) own++;
  CHECK_FOUND(neighbours[0], own);
  destroy_world(&world);
}

/* ---- The hash ---------------------------------------------------------------------------------------- */

/* Writes a value over a field and expects another hash. */
#define CHECK_HASHED(field, value) \
  do { \
    const __typeof__(field) kept_value = (field); \
    (field) = (value); \
    CHECK(wm_crowd_hash(crowd) != hash); \
    (field) = kept_value; \
    CHECK(wm_crowd_hash(crowd) == hash); \
  } while (0)

static void the_hash_depends_on_each_result(void) {
  World world = make_world();
  WmCrowd *crowd = world.crowd;
  const uint64_t hash = wm_crowd_hash(crowd);
  CHECK_HASHED(crowd->steps, crowd->steps + 1);
  CHECK_HASHED(crowd->count, crowd->count - 1);
  for (size_t i = 0; i < crowd->count; i++) {
    WmAgentRecord *record = &crowd->records[i];
    CHECK_HASHED(crowd->agents[i], crowd->agents[i] + 1);
    CHECK_HASHED(crowd->states[i], (uint8_t)(crowd->states[i] ^ 1));
    CHECK_HASHED(crowd->reasons[i], (uint8_t)(crowd->reasons[i] ^ 1));
    CHECK_HASHED(record->polygon, record->polygon + 1);
    CHECK_HASHED(record->corridor.count, record->corridor.count + 1);
    CHECK_HASHED(record->progress, record->progress + 1);
    for (size_t axis = 0; axis < 3; axis++) {
      CHECK_HASHED(crowd->positions[3 * i + axis], crowd->positions[3 * i + axis] + 1);
      CHECK_HASHED(crowd->velocities[3 * i + axis], crowd->velocities[3 * i + axis] + 1);
      CHECK_HASHED(record->destination[axis], record->destination[axis] + 1);
      if (axis < 2) CHECK_HASHED(crowd->headings[2 * i + axis], crowd->headings[2 * i + axis] + 1);
    }
  }
  destroy_world(&world);
}

/* ---- Each word --------------------------------------------------------------------------------------- */

static bool is_crowd_valid(const void *crowd) { return wm_crowd_validate(crowd); }

/* Members that consist of words, of bytes, or are flags. */
#define JUDGE(member) judge_entries(crowd, is_crowd_valid, &(member), sizeof(member) / 4, 4)
#define JUDGE_BYTE(member) judge_entries(crowd, is_crowd_valid, &(member), 1, 1)
#define JUDGE_FLAG(member) judge_flag(crowd, is_crowd_valid, &(member))

static void judge_record(WmCrowd *crowd, WmAgentRecord *record) {
  JUDGE(record->parameters.type);
  JUDGE(record->parameters.filter);
  JUDGE(record->polygon);
  JUDGE(record->corners[0].point);
  JUDGE(record->walls[0]);
  JUDGE(record->preferred);
  JUDGE(record->chosen);
  JUDGE(record->destination);
  JUDGE(record->target);
  JUDGE(record->neighbour_range);
  JUDGE(record->blocked_time);
  JUDGE(record->slowdown);
  JUDGE(record->progress);
  JUDGE(record->passage_wait);
  JUDGE(record->stalled_time);
  JUDGE(record->merge_speed);
  JUDGE(record->gained);
  JUDGE(record->passage_entry);
  JUDGE(record->corridor);
  JUDGE(record->connection);
  JUDGE(record->checked_version);
  JUDGE(record->request);
  JUDGE(record->queued);
}

static void judge_record_bytes(WmCrowd *crowd, WmAgentRecord *record) {
  JUDGE_BYTE(record->order);
  JUDGE_BYTE(record->corner_count);
  JUDGE_BYTE(record->wall_count);
  JUDGE_BYTE(record->shortcut_turns);
  JUDGE_BYTE(record->oncoming);
  JUDGE_BYTE(record->passage);
  JUDGE_BYTE(record->pushed_off);
  JUDGE_FLAG(record->is_paused);
  JUDGE_FLAG(record->is_partial);
  JUDGE_FLAG(record->needs_plan);
  JUDGE_FLAG(record->passes);
}

static void judge_agent(WmCrowd *crowd, size_t i) {
  uint32_t *found = crowd->found + WM_CROWD_NEIGHBOURS * i;
  uint32_t *neighbours = crowd->neighbours + WM_CROWD_NEIGHBOURS * i;
  judge_record(crowd, &crowd->records[i]);
  judge_record_bytes(crowd, &crowd->records[i]);
  JUDGE_BYTE(crowd->states[i]);
  JUDGE_BYTE(crowd->reasons[i]);
  JUDGE(crowd->agents[i]);
  for (size_t axis = 0; axis < 3; axis++) {
    JUDGE(crowd->positions[3 * i + axis]);
    JUDGE(crowd->previous[3 * i + axis]);
    JUDGE(crowd->velocities[3 * i + axis]);
    if (axis < 2) JUDGE(crowd->headings[2 * i + axis]);
  }
  for (size_t k = 0; k < crowd->found_counts[i]; k++) JUDGE(found[k]);
  for (size_t k = 0; k < crowd->neighbour_counts[i]; k++) JUDGE(neighbours[k]);
}

static void judge_arrays(WmCrowd *crowd) {
  WmAgentNumber *numbers = crowd->numbers.items;
  WmPathRequest *requests = crowd->queue.items;
  for (uint32_t k = 0; k < crowd->number_count; k++) {
    JUDGE(numbers[k].generation);
    JUDGE(numbers[k].index);
    JUDGE_FLAG(numbers[k].is_used);
  }
  for (size_t k = 0; k < crowd->body_count; k += 8) {
    WmBody *body = &wm_crowd_bodies(crowd)[k];
    JUDGE(body->x);
    JUDGE(body->z);
    JUDGE(body->index);
    JUDGE(body->number);
  }
  for (size_t k = 0; k < crowd->queue_count; k++) {
    WmPathRequest *request = &requests[(crowd->queue_first + k) % crowd->queue.capacity];
    JUDGE(request->agent);
    JUDGE(request->request);
  }
  for (uint32_t k = 0; k < crowd->corridor_block_count; k += 4) {
    WmCorridorBlock *block = wm_agent_corridor_block(crowd, k);
    JUDGE(block->next);
    JUDGE(block->polygons[0]);
    JUDGE(block->connections);
  }
  JUDGE(crowd->free_number);
  JUDGE(crowd->free_corridor_block);
  JUDGE(crowd->free_corridor_blocks);
  JUDGE(crowd->removed_requests);
  JUDGE(crowd->request);
}

/* The verdicts are golden traces (trace.h). */
static void every_broken_word_of_a_crowd_is_found_as_it_was(void) {
  World world = make_world();
  WmCrowd *crowd = world.crowd;
  trace_begin("agents");
  for (int state = WM_AGENT_NO_TARGET; state <= WM_AGENT_OFF_MESH; state++) {
    size_t i = 0;
    while (i < crowd->count && crowd->states[i] != state) i++;
    trace_number(i);
    if (i < crowd->count) judge_agent(crowd, i);
  }
  trace_end();
  trace_begin("arrays");
  judge_arrays(crowd);
  trace_end();
  CHECK(wm_crowd_validate(crowd));
  destroy_world(&world);
}

int main(void) {
  trace_open("crowd-checks");
  RUN(corrupted_handles_are_found);
  RUN(corrupted_corridors_are_found);
  RUN(corrupted_agents_are_found);
  RUN(values_at_their_limits_are_allowed);
  RUN(states_against_orders_are_found);
  RUN(corrupted_requests_are_found);
  RUN(corrupted_bodies_are_found);
  RUN(the_hash_depends_on_each_result);
  RUN(every_broken_word_of_a_crowd_is_found_as_it_was);
  trace_close();
  return check_finish();
}
