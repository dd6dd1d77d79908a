/* Agents: handles, adding and removing, the arrays by index. */
#include "base/number.h"
#include "crowd/crowd_internal.h"

/* ---- Arrays ----------------------------------------------------------------------------------------- */

/* The offset of an array's pointer in WmCrowd, and the bytes per agent. */
typedef struct AgentArray {
  size_t offset;
  size_t item_bytes;
} AgentArray;

static const AgentArray ARRAYS[] = {
    {offsetof(WmCrowd, positions), 3 * sizeof(float)},
    {offsetof(WmCrowd, previous), 3 * sizeof(float)},
    {offsetof(WmCrowd, velocities), 3 * sizeof(float)},
    {offsetof(WmCrowd, headings), 2 * sizeof(float)},
    {offsetof(WmCrowd, states), 1},
    {offsetof(WmCrowd, reasons), 1},
    {offsetof(WmCrowd, agents), sizeof(WmAgent)},
    {offsetof(WmCrowd, records), sizeof(WmAgentRecord)},
    {offsetof(WmCrowd, found_counts), 1},
    {offsetof(WmCrowd, found), WM_CROWD_NEIGHBOURS * sizeof(uint32_t)},
    {offsetof(WmCrowd, neighbours), WM_CROWD_NEIGHBOURS * sizeof(uint32_t)},
    {offsetof(WmCrowd, neighbour_counts), 1},
};
enum { ARRAY_COUNT = sizeof ARRAYS / sizeof *ARRAYS };

static uint8_t *get_array(const WmCrowd *crowd, size_t i) {
  uint8_t *array;
  memcpy(&array, (const uint8_t *)crowd + ARRAYS[i].offset, sizeof array);
  return array;
}

/* Allocates a larger block and copies all arrays. */
WmStatus wm_crowd_reserve_agents(WmCrowd *crowd, size_t needed) {
  if (needed <= crowd->capacity) return WM_OK;
  if (needed > INT32_MAX) {
    return wm_fail(crowd->context, WM_ERROR_LIMIT, "count", "a crowd can have at most 2,147,483,647 agents");
  }
  size_t capacity = crowd->capacity + crowd->capacity / 2;
  if (capacity < needed) capacity = needed;
  WmLayout layout = {0};
  size_t offsets[ARRAY_COUNT];
  for (size_t i = 0; i < ARRAY_COUNT; i++) {
    offsets[i] = wm_layout_add(&layout, capacity, ARRAYS[i].item_bytes);
  }
  uint8_t *block = wm_layout_allocate(crowd->context, &layout);
  if (!block) return WM_ERROR_OUT_OF_MEMORY;
  for (size_t i = 0; i < ARRAY_COUNT; i++) {
    uint8_t *array = block + offsets[i];
    if (crowd->count) memcpy(array, get_array(crowd, i), crowd->count * ARRAYS[i].item_bytes);
    memcpy((uint8_t *)crowd + ARRAYS[i].offset, &array, sizeof array);
  }
  wm_block_free(crowd->context, crowd->block);
  crowd->block = block;
  crowd->capacity = capacity;
  return WM_OK;
}

/* ---- Handles ---------------------------------------------------------------------------------------- */

static WmAgentNumber *get_numbers(const WmCrowd *crowd) { return crowd->numbers.items; }

bool wm_crowd_peek(const WmCrowd *crowd, WmAgent agent, size_t *index) {
  const uint32_t number = wm_agent_number(agent);
  *index = 0;
  if (number >= crowd->number_count) return false;
  const WmAgentNumber *entry = &get_numbers(crowd)[number];
  *index = entry->index;
  return entry->is_used && agent >> WM_AGENT_NUMBER_BITS == entry->generation;
}

WmStatus wm_crowd_find(const WmCrowd *crowd, WmAgent agent, size_t *index) {
  if (wm_crowd_peek(crowd, agent, index)) return WM_OK;
  const uint64_t number = agent & UINT32_MAX, generation = agent >> WM_AGENT_NUMBER_BITS;
  const bool was_one =
      number < crowd->number_count && generation > 0 && generation <= get_numbers(crowd)[number].generation;
  const bool is_next = was_one && generation == get_numbers(crowd)[number].generation;
  const bool is_stale = was_one && !is_next;
  return wm_fail_number(crowd->context, is_stale ? WM_ERROR_STALE_REFERENCE : WM_ERROR_INVALID_ARGUMENT,
                        "agent", "agent ", (double)agent, is_stale ? " was removed" : " never existed");
}

/* Uses free numbers first, the one freed last before others. */
static WmAgent take_number(WmCrowd *crowd, size_t index) {
  uint32_t number = crowd->free_number;
  if (number == WM_NONE) {
    number = crowd->number_count++;
    get_numbers(crowd)[number].generation = 1;
  } else {
    crowd->free_number = get_numbers(crowd)[number].index;
  }
  WmAgentNumber *entry = &get_numbers(crowd)[number];
  entry->index = (uint32_t)index;
  entry->is_used = true;
  return (WmAgent)entry->generation << WM_AGENT_NUMBER_BITS | number;
}

/* A number without generations left is never used again. */
static void give_number(WmCrowd *crowd, uint32_t number) {
  WmAgentNumber *entry = &get_numbers(crowd)[number];
  entry->is_used = false;
  entry->generation++;
  if (entry->generation >> WM_AGENT_GENERATION_BITS) return;
  entry->index = crowd->free_number;
  crowd->free_number = number;
}

/* ---- Parameters ------------------------------------------------------------------------------------- */

WmAgentParameters wm_agent_parameters_default(void) {
  return (WmAgentParameters){.radius = 0.5f,
                             .height = 2,
                             .max_speed = 3.5f,
                             .max_acceleration = 8,
                             .turning_speed = 120,
                             .horizon = 1.2f,
                             .avoidance = WM_AVOIDANCE_MEDIUM,
                             .priority = 50,
                             .group = 1,
                             .avoids = UINT32_MAX,
                             .auto_braking = true,
                             .auto_connections = true};
}

static WmStatus check_number(WmContext *context, const char *field, const char *message, float value,
                             bool may_be_zero) {
  if ((may_be_zero ? value >= 0 : value > 0) && value <= WM_FARTHEST) return WM_OK;
  return wm_fail_number(context, WM_ERROR_INVALID_ARGUMENT, field, message, (double)value,
                        may_be_zero ? ": must be 0 or more and finite" : ": must be above 0 and finite");
}

static WmStatus check_count(WmContext *context, const char *field, uint32_t value, uint32_t maximum) {
  if (value <= maximum) return WM_OK;
  return wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, field, value, 0, maximum, NULL);
}

WmStatus wm_crowd_check_parameters(const WmCrowd *crowd, const WmAgentParameters *parameters) {
  WmContext *context = crowd->context;
  WmStatus status = check_number(context, "radius", "radius is ", parameters->radius, false);
  if (!status) status = check_number(context, "height", "height is ", parameters->height, false);
  if (!status) status = check_number(context, "maxSpeed", "maxSpeed is ", parameters->max_speed, true);
  if (!status)
    status =
        check_number(context, "maxAcceleration", "maxAcceleration is ", parameters->max_acceleration, true);
  if (!status)
    status = check_number(context, "turningSpeed", "turningSpeed is ", parameters->turning_speed, true);
  if (!status)
    status = check_number(context, "stoppingDistance", "stoppingDistance is ", parameters->stopping_distance,
                          true);
  if (!status) status = check_number(context, "separation", "separation is ", parameters->separation, true);
  if (!status) status = check_number(context, "horizon", "horizon is ", parameters->horizon, false);
  if (!status)
    status = check_number(context, "wallDistance", "wallDistance is ", parameters->wall_distance, true);
  if (!status) status = check_number(context, "wallCost", "wallCost is ", parameters->wall_cost, true);
  if (!status) status = check_number(context, "climbSpeed", "climbSpeed is ", parameters->climb_speed, true);
  if (!status && parameters->shortest && parameters->wall_cost > 0)
    return wm_fail(context, WM_ERROR_INVALID_ARGUMENT, "wallCost",
                   "wallCost works with the ordinary search only: leave out shortest");
  if (!status) status = check_count(context, "avoidance", parameters->avoidance, WM_AVOIDANCE_SAMPLING);
  if (!status) status = check_count(context, "priority", parameters->priority, 99);
  if (!status) status = check_count(context, "filter", parameters->filter, WM_CROWD_FILTERS - 1);
  if (!status) status = check_count(context, "type", parameters->type, crowd->mesh_count - 1);
  return status;
}

/* ---- Adding ----------------------------------------------------------------------------------------- */

static WmStatus reserve_numbers(WmCrowd *crowd, size_t count) {
  size_t free = 0;
  for (uint32_t n = crowd->free_number; n != WM_NONE && free < count; n = get_numbers(crowd)[n].index) free++;
  return wm_buffer_reserve(crowd->context, &crowd->numbers, crowd->number_count + (count - free),
                           sizeof(WmAgentNumber));
}

/* Initializes an agent that stands without an order. */
static WmStatus init_agent(WmCrowd *crowd, size_t index, const WmAgentParameters *parameters,
                           const float position[3]) {
  WmAgentRecord *record = &crowd->records[index];
  *record = (WmAgentRecord){.parameters = *parameters,
                            .corridor = {.first = WM_NONE, .last = WM_NONE},
                            .braking_distance = INFINITY,
                            .neighbour_range = crowd->options.neighbour_range,
                            .rest_from = {INFINITY, INFINITY}};
  memset(crowd->velocities + 3 * index, 0, 3 * sizeof(float));
  crowd->headings[2 * index] = 0;
  crowd->headings[2 * index + 1] = 1;
  crowd->neighbour_counts[index] = crowd->found_counts[index] = 0;
  const WmStatus status = wm_crowd_snap_agent(crowd, index, position);
  memcpy(crowd->previous + 3 * index, crowd->positions + 3 * index, 3 * sizeof(float));
  return status;
}

WmStatus wm_crowd_add_agents(WmCrowd *crowd, size_t count, const float *positions,
                             const WmAgentParameters *parameters, size_t parameter_count, WmAgent *agents) {
  const WmAgentParameters standard = wm_agent_parameters_default();
  if (parameter_count == 0) parameters = &standard;
  if (parameter_count > 1 && parameter_count != count) {
    return wm_fail(crowd->context, WM_ERROR_INVALID_ARGUMENT, "parameters",
                   "pass parameters for each agent, or one for all");
  }
  WmStatus status = wm_crowd_check_numbers(crowd, positions, 3 * count, "positions");
  for (size_t i = 0; i < (parameter_count > 1 ? parameter_count : 1) && !status; i++) {
    status = wm_crowd_check_parameters(crowd, &parameters[i]);
  }
  if (!status && count > INT32_MAX) status = wm_crowd_reserve_agents(crowd, count);
  if (!status) status = wm_crowd_reserve_agents(crowd, crowd->count + count);
  if (!status) status = reserve_numbers(crowd, count);
  const size_t before = crowd->count;
  for (size_t i = 0; i < count && !status; i++) {
    const WmAgentParameters *own = parameters + (parameter_count > 1 ? i : 0);
    status = init_agent(crowd, before + i, own, positions + 3 * i);
  }
  if (status) return status;
  for (size_t i = 0; i < count; i++) {
    const WmAgent agent = take_number(crowd, before + i);
    crowd->agents[before + i] = agent;
    if (agents) agents[i] = agent;
  }
  crowd->count += count;
  return WM_OK;
}

/* ---- Removing --------------------------------------------------------------------------------------- */

/* Removes an agent; the last one moves to its index. */
static void remove_agent(WmCrowd *crowd, size_t index) {
  wm_agent_corridor_clear(crowd, &crowd->records[index].corridor);
  give_number(crowd, wm_agent_number(crowd->agents[index]));
  const size_t last = --crowd->count;
  crowd->neighbours_are_stale = true;
  if (index == last) return;
  for (size_t i = 0; i < ARRAY_COUNT; i++) {
    uint8_t *array = get_array(crowd, i);
    const size_t bytes = ARRAYS[i].item_bytes;
    memcpy(array + index * bytes, array + last * bytes, bytes);
  }
  get_numbers(crowd)[wm_agent_number(crowd->agents[index])].index = (uint32_t)index;
}

WmStatus wm_crowd_remove_agents(WmCrowd *crowd, size_t count, const WmAgent *agents) {
  size_t index;
  WmStatus status = WM_OK;
  for (size_t i = 0; i < count && !status; i++) status = wm_crowd_find(crowd, agents[i], &index);
  if (status) return status;
  /* An agent that is named twice is gone the second time. */
  for (size_t i = 0; i < count; i++) {
    if (wm_crowd_peek(crowd, agents[i], &index)) remove_agent(crowd, index);
  }
  return WM_OK;
}

/* ---- Indices, parameters, views --------------------------------------------------------------------- */

WmStatus wm_crowd_index(const WmCrowd *crowd, WmAgent agent, size_t *index) {
  size_t found;
  const WmStatus status = wm_crowd_find(crowd, agent, &found);
  if (!status) *index = found;
  return status;
}

WmStatus wm_crowd_parameters(const WmCrowd *crowd, WmAgent agent, WmAgentParameters *parameters) {
  size_t index;
  const WmStatus status = wm_crowd_find(crowd, agent, &index);
  if (!status) *parameters = crowd->records[index].parameters;
  return status;
}

/* Finds the agents' nearest points on their new meshes; for all agents if any one gets another mesh.
 * out        *nearest: scratch, or NULL if no mesh changes */
static WmStatus find_new_points(WmCrowd *crowd, size_t count, const WmAgent *agents,
                                const WmAgentParameters *parameters, size_t stride, WmNearest **nearest) {
  bool is_same = true;
  size_t index = 0;
  *nearest = NULL;
  for (size_t i = 0; i < count; i++) {
    (void)wm_crowd_peek(crowd, agents[i], &index);
    is_same = is_same && crowd->records[index].parameters.type == parameters[i * stride].type;
  }
  if (is_same) return WM_OK;
  *nearest = wm_scratch_array(crowd->context, count, sizeof **nearest);
  if (!*nearest) return WM_ERROR_OUT_OF_MEMORY;
  for (size_t i = 0; i < count; i++) {
    (void)wm_crowd_peek(crowd, agents[i], &index);
    const WmAgentRecord as = {.parameters = parameters[i * stride]};
    const WmStatus status =
        wm_query_find_nearest(wm_agent_mesh(crowd, &as)->query, crowd->positions + 3 * index,
                              crowd->options.place_extents, wm_agent_filter(crowd, &as), &(*nearest)[i]);
    if (status) return status;
  }
  return WM_OK;
}

/* An agent that waited for the game before a connection walks on, and enters it by itself. */
static void stop_waiting(WmCrowd *crowd, size_t index) {
  WmAgentRecord *record = &crowd->records[index];
  wm_agent_forget_connection(record);
  record->corners_are_valid = false;
  crowd->states[index] = record->needs_plan ? WM_AGENT_PLANNING : WM_AGENT_FOLLOWING;
  crowd->reasons[index] = record->is_partial ? record->partial_reason : WM_AGENT_REASON_NONE;
  wm_crowd_show_pause(crowd, index);
}

/* Space for a request is reserved.
 * in         nearest: the point on its mesh, if that changes */
static void change_parameters(WmCrowd *crowd, size_t index, const WmAgentParameters *parameters,
                              const WmNearest *nearest) {
  WmAgentRecord *record = &crowd->records[index];
  const WmAgentParameters former = record->parameters;
  record->parameters = *parameters;
  record->walls_are_valid = false;
  if (former.wall_distance != parameters->wall_distance) record->corners_are_valid = false;
  if (parameters->auto_connections && crowd->states[index] == WM_AGENT_WAITING &&
      crowd->reasons[index] == WM_AGENT_REASON_CONNECTION)
    stop_waiting(crowd, index);
  const bool is_elsewhere = former.type != parameters->type;
  const bool is_same_search =
      former.filter == parameters->filter && former.shortest == parameters->shortest &&
      former.wall_cost == parameters->wall_cost &&
      (former.wall_distance == parameters->wall_distance || parameters->wall_cost == 0);
  if (is_elsewhere) {
    const float position[3] = {crowd->positions[3 * index], crowd->positions[3 * index + 1],
                               crowd->positions[3 * index + 2]};
    wm_crowd_set_on_mesh(crowd, index, position, nearest);
    record->progress = 0;
  }
  if (record->order != WM_ORDER_TARGET || (is_same_search && !is_elsewhere)) return;
  if (is_elsewhere && record->polygon) { /* as after a warp */
    crowd->states[index] = WM_AGENT_PLANNING;
    crowd->reasons[index] = WM_AGENT_REASON_NONE;
  }
  (void)wm_crowd_request(crowd, index);
}

WmStatus wm_crowd_set_parameters(WmCrowd *crowd, size_t count, const WmAgent *agents,
                                 const WmAgentParameters *parameters, size_t parameter_count) {
  if (parameter_count != 1 && parameter_count != count) {
    return wm_fail(crowd->context, WM_ERROR_INVALID_ARGUMENT, "parameters",
                   "pass parameters for each agent, or one for all");
  }
  const size_t stride = parameter_count > 1;
  size_t index = 0;
  WmStatus status = WM_OK;
  for (size_t i = 0; i < count && !status; i++) status = wm_crowd_find(crowd, agents[i], &index);
  for (size_t i = 0; i < parameter_count && !status; i++)
    status = wm_crowd_check_parameters(crowd, &parameters[i]);
  if (!status) status = wm_crowd_reserve_requests(crowd, count);
  if (status) return status;
  const WmScratchMark mark = wm_scratch_mark(crowd->context);
  WmNearest *nearest;
  status = find_new_points(crowd, count, agents, parameters, stride, &nearest);
  for (size_t i = 0; i < count && !status; i++) {
    (void)wm_crowd_peek(crowd, agents[i], &index);
    change_parameters(crowd, index, &parameters[i * stride], nearest ? &nearest[i] : NULL);
  }
  wm_scratch_rewind(crowd->context, mark);
  return status;
}

size_t wm_crowd_count(const WmCrowd *crowd) { return crowd->count; }

void wm_crowd_view(const WmCrowd *crowd, WmCrowdView *view) {
  *view = (WmCrowdView){.count = crowd->count,
                        .positions = crowd->positions,
                        .previous_positions = crowd->previous,
                        .velocities = crowd->velocities,
                        .headings = crowd->headings,
                        .states = crowd->states,
                        .reasons = crowd->reasons,
                        .agents = crowd->agents};
}

void wm_crowd_interpolate(const WmCrowd *crowd, float fraction, float *positions) {
  for (size_t i = 0; i < 3 * crowd->count; i++) {
    positions[i] = crowd->previous[i] + (crowd->positions[i] - crowd->previous[i]) * fraction;
  }
}

void wm_crowd_sizes(const WmCrowd *crowd, float *sizes) {
  for (size_t i = 0; i < crowd->count; i++) {
    sizes[2 * i] = crowd->records[i].parameters.radius;
    sizes[2 * i + 1] = crowd->records[i].parameters.height;
  }
}
