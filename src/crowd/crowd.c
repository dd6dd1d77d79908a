/* The crowd: creating, options, meshes, filters, obstacles, focus, the hash. See crowd.h. */
#include "base/number.h"
#include "crowd/planning/flow_fields.h"
#include "query/check.h"
#include "query/search/islands.h"

/* ---- Options ---------------------------------------------------------------------------------------- */

WmCrowdOptions wm_crowd_options_default(void) {
  return (WmCrowdOptions){.search_budget = 8192,
                          .max_fields = 8,
                          .max_step = 0.05f,
                          .max_substeps = 8,
                          .place_extents = {2, 4, 2},
                          .focus_radius = 30,
                          .neighbour_range = 6,
                          .patience = 5,
                          .gravity = 9.81f};
}

static WmStatus check_above_0(WmContext *context, const char *field, const char *message, float value) {
  if (value > 0 && value <= WM_FARTHEST) return WM_OK;
  return wm_fail_number(context, WM_ERROR_INVALID_ARGUMENT, field, message, (double)value,
                        ": must be above 0 and finite");
}

WmStatus wm_crowd_check_options(WmContext *context, const WmCrowdOptions *options) {
  WmStatus status = check_above_0(context, "maxStep", "maxStep is ", options->max_step);
  if (!status) status = check_above_0(context, "focusRadius", "focusRadius is ", options->focus_radius);
  if (!status)
    status = check_above_0(context, "neighbourRange", "neighbourRange is ", options->neighbour_range);
  if (!status) status = check_above_0(context, "gravity", "gravity is ", options->gravity);
  if (!status && options->search_budget == 0) {
    status = wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, "searchBudget", 0, 1, NAN, NULL);
  }
  if (!status && (options->max_substeps == 0 || options->max_substeps > 64)) {
    status =
        wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, "maxSubsteps", options->max_substeps, 1, 64, NULL);
  }
  if (!status && options->max_fields > WM_CROWD_FLOW_FIELDS) {
    status = wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, "maxFields", options->max_fields, 0,
                           WM_CROWD_FLOW_FIELDS, NULL);
  }
  if (!status && !(options->patience >= 0 && options->patience <= WM_FARTHEST)) {
    status = wm_fail_number(context, WM_ERROR_INVALID_ARGUMENT, "patience", "patience is ",
                            (double)options->patience, ": must be 0 or more and finite");
  }
  if (!status) status = wm_query_check_numbers(context, options->place_extents, 3, 0, "placeExtents");
  return status;
}

WmStatus wm_crowd_set_options(WmCrowd *crowd, const WmCrowdOptions *options) {
  const WmStatus status = wm_crowd_check_options(crowd->context, options);
  if (status) return status;
  crowd->options = *options;
  for (uint32_t i = options->max_fields; i < WM_CROWD_FLOW_FIELDS; i++) {
    bool is_in_use = false; /* a field that grows is finished first */
    for (uint32_t type = 0; type < crowd->mesh_count; type++) {
      const WmCrowdMesh *on = wm_crowd_mesh(crowd, type);
      is_in_use = is_in_use || (on->is_searching && on->field == &crowd->flow_fields[i]);
    }
    if (!is_in_use) wm_crowd_free_flow_field(&crowd->flow_fields[i]);
  }
  return WM_OK;
}

void wm_crowd_options(const WmCrowd *crowd, WmCrowdOptions *options) { *options = crowd->options; }

WmStatus wm_crowd_check_numbers(const WmCrowd *crowd, const float *numbers, size_t count, const char *field) {
  if (wm_are_within(numbers, count, WM_FARTHEST)) return WM_OK;
  size_t i = 0;
  while (wm_are_within(numbers + i, 1, WM_FARTHEST)) i++;
  return wm_fail_number(crowd->context, WM_ERROR_INVALID_ARGUMENT, field, "a coordinate is ",
                        (double)numbers[i], ": must be from -1,000,000,000 to 1,000,000,000");
}

/* ---- Keys ------------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

uint64_t wm_crowd_polygon_key(const WmMesh *mesh, WmRef polygon) {
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, polygon);
  if (!tile) return polygon;
  /* No tile has this place: else the first polygon of the tile at (0, 0) would have the key of none. */
  const uint64_t none = UINT64_C(0x8000000080000000);
  const uint64_t place = mix(none, (uint64_t)(uint32_t)tile->x << 32 | (uint32_t)tile->z);
  return mix(place, (uint64_t)(uint32_t)tile->layer << 32 | wm_ref_polygon(polygon));
}

/* ---- Meshes ----------------------------------------------------------------------------------------- */

static void destroy_mesh(WmContext *context, WmCrowdMesh *on) {
  wm_passages_free(context, &on->passages);
  wm_costs_destroy(on->passage_costs);
  wm_search_destroy(on->search);
  wm_query_destroy(on->query);
  wm_block_free(context, on);
}

WmStatus wm_crowd_add_mesh(WmCrowd *crowd, const WmMesh *mesh, uint32_t *type) {
  WmContext *context = crowd->context;
  if (crowd->mesh_count == WM_CROWD_TYPES) {
    return wm_fail(context, WM_ERROR_LIMIT, "mesh", "a crowd can have at most 256 meshes");
  }
  WmStatus status =
      wm_buffer_reserve(context, &crowd->meshes, crowd->mesh_count + (size_t)1, sizeof(WmCrowdMesh *));
  if (status) return status;
  WmCrowdMesh *on = wm_block_allocate(context, sizeof *on);
  if (!on) return WM_ERROR_OUT_OF_MEMORY;
  *on = (WmCrowdMesh){.mesh = mesh, .seen_version = wm_mesh_version(mesh)};
  status = wm_query_create(context, mesh, &on->query);
  if (!status) status = wm_search_create(context, mesh, &on->search);
  if (status) {
    destroy_mesh(context, on);
    return status;
  }
  ((WmCrowdMesh **)crowd->meshes.items)[crowd->mesh_count] = on;
  if (type) *type = crowd->mesh_count;
  crowd->mesh_count++;
  return WM_OK;
}

/* ---- Creating --------------------------------------------------------------------------------------- */

WmStatus wm_crowd_create(WmContext *context, const WmMesh *mesh, const WmCrowdOptions *options,
                         WmCrowd **out) {
  const WmCrowdOptions standard = wm_crowd_options_default();
  *out = NULL;
  WmStatus status = wm_crowd_check_options(context, options ? options : &standard);
  if (status) return status;
  WmCrowd *crowd = wm_block_allocate(context, sizeof *crowd);
  if (!crowd) return WM_ERROR_OUT_OF_MEMORY;
  *crowd = (WmCrowd){.context = context,
                     .options = options ? *options : standard,
                     .default_filter = wm_filter_default(),
                     .free_number = WM_NONE,
                     .free_corridor_block = WM_NONE};
  status = wm_crowd_add_mesh(crowd, mesh, NULL);
  if (status) {
    wm_crowd_destroy(crowd);
    return status;
  }
  *out = crowd;
  return WM_OK;
}

void wm_crowd_destroy(WmCrowd *crowd) {
  if (!crowd) return;
  WmContext *context = crowd->context;
  for (uint32_t type = 0; type < crowd->mesh_count; type++) destroy_mesh(context, wm_crowd_mesh(crowd, type));
  for (uint32_t i = 0; i < WM_CROWD_FILTERS; i++) {
    if (crowd->filters[i]) wm_costs_destroy(crowd->filters[i]->own_costs);
    wm_block_free(context, crowd->filters[i]);
  }
  for (uint32_t i = 0; i < WM_CROWD_FLOW_FIELDS; i++) wm_crowd_free_flow_field(&crowd->flow_fields[i]);
  for (uint32_t i = 0; i < WM_CROWD_ISLANDS; i++) wm_islands_destroy(crowd->islands[i].islands);
  WmBuffer *buffers[] = {
      &crowd->meshes,          &crowd->numbers,        &crowd->bodies,     &crowd->body_indices,
      &crowd->cell_first,      &crowd->queue,          &crowd->obstacles,  &crowd->corridor_blocks,
      &crowd->focus,           &crowd->ray_polygons,   &crowd->demand,     &crowd->body_axes[0],
      &crowd->body_axes[1],    &crowd->contact_bodies, &crowd->claims,     &crowd->candidates,
      &crowd->candidate_order, &crowd->places,         &crowd->link_rivals};
  for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) wm_block_free(context, buffers[i]->items);
  wm_block_free(context, crowd->block);
  wm_block_free(context, crowd);
}

/* Of costs of polygons, which may have changed, nothing is known. */
static bool is_same_filter(const WmFilter *a, const WmFilter *b) {
  bool is_same =
      !a->costs && !b->costs && a->include_flags == b->include_flags && a->exclude_flags == b->exclude_flags;
  for (size_t area = 0; area < sizeof a->area_costs / sizeof *a->area_costs && is_same; area++)
    is_same = a->area_costs[area] == b->area_costs[area];
  return is_same;
}

WmStatus wm_crowd_set_filter(WmCrowd *crowd, uint32_t number, const WmFilter *filter) {
  if (number >= WM_CROWD_FILTERS) {
    return wm_fail_range(crowd->context, WM_ERROR_INVALID_ARGUMENT, "filter", number, 0, WM_CROWD_FILTERS - 1,
                         NULL);
  }
  WmStatus status = wm_query_check_filter(crowd->context, filter);
  if (!status) status = wm_crowd_reserve_requests(crowd, crowd->count);
  if (status) return status;
  WmCrowdFilter *set = crowd->filters[number];
  if (!set) {
    set = crowd->filters[number] = wm_block_allocate(crowd->context, sizeof *set);
    if (!set) return WM_ERROR_OUT_OF_MEMORY;
    set->own_costs = NULL;
  } else if (is_same_filter(&set->filter, filter)) {
    return WM_OK;
  }
  set->filter = *filter;
  wm_crowd_drop_flow_fields(crowd, number);
  const WmAgentNumber *numbers = crowd->numbers.items;
  for (uint32_t agent = 0; agent < crowd->number_count; agent++) {
    if (!numbers[agent].is_used) continue;
    const size_t i = numbers[agent].index;
    WmAgentRecord *record = &crowd->records[i];
    if (record->parameters.filter != number) continue;
    record->walls_are_valid = false;
    if (record->order != WM_ORDER_TARGET || crowd->states[i] == WM_AGENT_OFF_MESH) continue;
    (void)wm_crowd_request(crowd, i);
  }
  return WM_OK;
}

/* ---- Obstacles and focus ---------------------------------------------------------------------------- */

WmStatus wm_crowd_set_obstacles(WmCrowd *crowd, size_t count, const float *positions, const float *velocities,
                                const float *radii, const float *heights) {
  WmContext *context = crowd->context;
  WmStatus status = wm_crowd_check_numbers(crowd, positions, 3 * count, "positions");
  if (!status && velocities) status = wm_crowd_check_numbers(crowd, velocities, 3 * count, "velocities");
  for (size_t i = 0; i < count && !status; i++) {
    status = check_above_0(context, "radii", "radii is ", radii[i]);
    if (!status && heights) status = check_above_0(context, "heights", "heights is ", heights[i]);
  }
  if (!status) status = wm_buffer_reserve(context, &crowd->obstacles, count, sizeof(WmMovingObstacle));
  if (status) return status;
  WmMovingObstacle *obstacles = crowd->obstacles.items;
  for (size_t i = 0; i < count; i++) {
    obstacles[i] = (WmMovingObstacle){.radius = radii[i], .height = heights ? heights[i] : 2};
    memcpy(obstacles[i].position, positions + 3 * i, 3 * sizeof(float));
    if (velocities) memcpy(obstacles[i].velocity, velocities + 3 * i, 3 * sizeof(float));
  }
  crowd->obstacle_count = count;
  return WM_OK;
}

WmStatus wm_crowd_set_focus(WmCrowd *crowd, size_t count, const float *points) {
  WmStatus status = wm_crowd_check_numbers(crowd, points, 3 * count, "points");
  if (!status) status = wm_buffer_reserve(crowd->context, &crowd->focus, count, 3 * sizeof(float));
  if (status) return status;
  if (count) memcpy(crowd->focus.items, points, 3 * count * sizeof *points);
  crowd->focus_count = count;
  return WM_OK;
}

/* ---- The hash --------------------------------------------------------------------------------------- */

static uint64_t mix_floats(uint64_t hash, const float *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint32_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    hash = mix(hash, bits);
  }
  return hash;
}

static uint64_t mix_flight(uint64_t hash, const WmLinkFlight *flight) {
  hash = mix(hash, (uint64_t)flight->kind << 16 | (uint64_t)flight->is_reversed << 8 | flight->part);
  hash = mix_floats(hash, &flight->part_progress, 1);
  hash = mix_floats(hash, flight->from, 3);
  return mix_floats(hash, (float[2]){flight->across, flight->peak}, 2);
}

/* By its place and its number in the tile: references of the same polygon differ in meshes that were made in another order. */
static uint64_t mix_polygon(uint64_t hash, const WmMesh *mesh, WmRef polygon) {
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, polygon);
  if (!tile) return mix(hash, polygon != 0);
  hash = mix(hash, (uint64_t)(uint32_t)tile->x << 32 | (uint32_t)tile->z);
  return mix(hash, (uint64_t)(uint32_t)tile->layer << 32 | wm_ref_polygon(polygon));
}

/* The sum of the agents' hashes, which doesn't depend on their order. */
uint64_t wm_crowd_hash(const WmCrowd *crowd) {
  uint64_t sum = mix(crowd->steps, crowd->count);
  for (size_t i = 0; i < crowd->count; i++) {
    const WmAgentRecord *record = &crowd->records[i];
    uint64_t hash = mix(0, crowd->agents[i]);
    hash = mix_floats(hash, crowd->positions + 3 * i, 3);
    hash = mix_floats(hash, crowd->velocities + 3 * i, 3);
    hash = mix_floats(hash, crowd->headings + 2 * i, 2);
    hash = mix(hash, (uint64_t)crowd->states[i] << 8 | crowd->reasons[i]);
    hash = mix_polygon(hash, wm_agent_mesh(crowd, record)->mesh, record->polygon);
    hash = mix(hash, record->corridor.count);
    hash = mix_floats(hash, record->destination, 3);
    hash = mix_floats(hash, &record->progress, 1);
    if (record->flight.is_on_link) hash = mix_flight(hash, &record->flight);
    sum += hash;
  }
  return sum;
}
