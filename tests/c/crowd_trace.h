/* Traces of crowds (trace.h): a crowd on a mesh gets random calls, and every few steps all that callers can see of
 * it is folded. */
#ifndef WALKMESH_TESTS_CROWD_TRACE_H
#define WALKMESH_TESTS_CROWD_TRACE_H

#include "crowd_worlds.h"
#include "lattice.h"
#include "mesh/links/connections.h"
#include "trace.h"

enum { TRACED_AGENTS = 64, TRACED_POLYGONS = 512, TRACED_TILES = 16, TRACED_OBSTACLES = 4 };

/* What else happens than steps and new targets. */
typedef enum TracedEvents {
  TRACED_NOTHING = 0,
  TRACED_ORDERS = 1,       /* stops, pauses, warps, displacements, velocities */
  TRACED_CHURN = 2,        /* agents are removed and added, and get other parameters */
  TRACED_OBSTACLES_ON = 4, /* moving obstacles */
  TRACED_MESH = 8,         /* flags, areas, tiles and connections change */
  TRACED_SETTINGS = 16     /* filters, focus points and options change */
} TracedEvents;

typedef struct TracedCrowd {
  WmContext *context;
  WmMesh *mesh;
  WmCrowd *crowd;
  uint32_t seed;
  float low[2], high[2]; /* of positions */
  float lattice;         /* all numbers are multiples of it (lattice.h); 0: they are arbitrary */
  size_t count;
  WmAgent agents[TRACED_AGENTS];
  /* Removed tiles. */
  uint8_t *gone[TRACED_TILES];
  size_t gone_bytes[TRACED_TILES], gone_count;
  float obstacles[TRACED_OBSTACLES][3], velocities[TRACED_OBSTACLES][3];
} TracedCrowd;

/* A number of one random bit in `of`. */
static inline bool traced_chance(TracedCrowd *traced, uint32_t of) {
  return grid_random(&traced->seed) % of == 0;
}

static inline float traced_between(TracedCrowd *traced, float low, float high) {
  return snap(crowd_random(&traced->seed, low, high), traced->lattice);
}

static inline void traced_point(TracedCrowd *traced, float point[3]) {
  for (int axis = 0; axis < 2; axis++) {
    point[2 * axis] = traced_between(traced, traced->low[axis], traced->high[axis]);
  }
  point[1] = 0;
}

static inline WmAgent traced_someone(TracedCrowd *traced) {
  return traced->agents[grid_random(&traced->seed) % traced->count];
}

/* Takes over the mesh. */
static inline void open_traced(TracedCrowd *traced, WmContext *context, WmMesh *mesh,
                               const WmCrowdOptions *options, uint32_t seed) {
  *traced = (TracedCrowd){.context = context, .mesh = mesh, .seed = seed};
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (int axis = 0; tile && axis < 2; axis++) {
      const float low = tile->bounds_min[2 * axis], high = tile->bounds_max[2 * axis];
      if (s == 0 || low < traced->low[axis]) traced->low[axis] = low;
      if (s == 0 || high > traced->high[axis]) traced->high[axis] = high;
    }
  }
  CHECK_EQUAL_INT(wm_crowd_create(context, mesh, options, &traced->crowd), WM_OK);
}

static inline void close_traced(TracedCrowd *traced) {
  for (size_t i = 0; i < traced->gone_count; i++) free(traced->gone[i]);
  wm_crowd_destroy(traced->crowd);
  wm_mesh_destroy(traced->mesh);
}

/* ---- What is folded ----------------------------------------------------------------------------------- */

static inline void trace_agent_details(const WmCrowd *crowd, WmAgent agent, const WmAgentInfo *info) {
  float corners[32][3], walls[32][6];
  WmAgent neighbours[32];
  WmRef polygons[TRACED_POLYGONS];
  size_t count = 0;
  CHECK_EQUAL_INT(wm_crowd_details(crowd, agent, 32, corners[0], neighbours, walls[0]), WM_OK);
  trace_fold(corners, sizeof *corners * info->corner_count);
  trace_fold(neighbours, sizeof *neighbours * info->neighbour_count);
  trace_fold(walls, sizeof *walls * info->wall_count);
  CHECK_EQUAL_INT(wm_crowd_corridor(crowd, agent, TRACED_POLYGONS, polygons, &count), WM_OK);
  CHECK(count <= TRACED_POLYGONS);
  trace_number(count);
  trace_fold(polygons, count * sizeof *polygons);
}

static inline void trace_agent(const WmCrowd *crowd, WmAgent agent) {
  WmAgentInfo info;
  CHECK_EQUAL_INT(wm_crowd_info(crowd, agent, &info), WM_OK);
  const uint64_t numbers[] = {agent,           info.index,        info.state,      info.reason,
                              info.polygon,    info.has_target,   info.connection, info.neighbour_count,
                              info.wall_count, info.corner_count, info.passage,    info.waits_for};
  TRACE(numbers);
  TRACE(info.target);
  TRACE(info.reachable);
  TRACE(info.desired_velocity);
  TRACE(info.remaining);
  TRACE(info.connection_start);
  TRACE(info.connection_end);
  TRACE(info.connection_progress);
  TRACE(info.passage_entry);
  trace_agent_details(crowd, agent, &info);
}

static inline void trace_crowd(const WmCrowd *crowd) {
  WmCrowdView view;
  wm_crowd_view(crowd, &view);
  trace_number(view.count);
  trace_fold(view.positions, view.count * 3 * sizeof(float));
  trace_fold(view.previous_positions, view.count * 3 * sizeof(float));
  trace_fold(view.velocities, view.count * 3 * sizeof(float));
  trace_fold(view.headings, view.count * 2 * sizeof(float));
  for (size_t i = 0; i < view.count; i++) trace_agent(crowd, view.agents[i]);
}

static inline void trace_crowd_step(TracedCrowd *traced, float seconds) {
  WmCrowdStep step;
  CHECK_EQUAL_INT(wm_crowd_step(traced->crowd, seconds, &step), WM_OK);
  TRACE(step.simulated);
  const uint32_t numbers[] = {step.substeps, step.searched, step.waiting_searches,
                              step.searches, step.arrived,  step.crowded};
  TRACE(numbers);
}

/* ---- Events ------------------------------------------------------------------------------------------- */

/* Adds agents of all kinds; `variety` 0: all have the defaults of a small agent. */
static inline void traced_add(TracedCrowd *traced, size_t count, uint32_t variety) {
  for (size_t i = 0; i < count; i++) {
    float point[3];
    traced_point(traced, point);
    WmAgentParameters parameters = wm_agent_parameters_default();
    parameters.radius = 0.3f;
    if (variety & 1) {
      parameters.radius = traced_between(traced, 0.2f, 0.6f);
      parameters.max_speed = traced_between(traced, 1, 5);
      parameters.max_acceleration = traced_between(traced, 4, 20);
      parameters.avoidance = grid_random(&traced->seed) % 5;
    }
    if (variety & 2) {
      parameters.priority = grid_random(&traced->seed) % 100;
      parameters.group = 1u << grid_random(&traced->seed) % 3;
      if (traced_chance(traced, 3)) parameters.avoids = 1u << grid_random(&traced->seed) % 3;
      parameters.height = traced_between(traced, 0.5f, 2);
    }
    if (variety & 4) {
      parameters.separation = traced_chance(traced, 2) ? traced_between(traced, 0, 2) : 0;
      parameters.horizon = traced_between(traced, 0.4f, 2.5f);
      parameters.turning_speed = traced_between(traced, 60, 400);
      parameters.stopping_distance = traced_chance(traced, 3) ? traced_between(traced, 0, 2) : 0;
      parameters.auto_braking = !traced_chance(traced, 4);
    }
    if (variety & 8) {
      parameters.anticipate_turns = traced_chance(traced, 2);
      parameters.auto_connections = !traced_chance(traced, 3);
      parameters.filter = grid_random(&traced->seed) % 3;
    }
    CHECK_EQUAL_INT(
        wm_crowd_add_agents(traced->crowd, 1, point, &parameters, 1, &traced->agents[traced->count++]),
        WM_OK);
  }
}

static inline void traced_send(TracedCrowd *traced, WmAgent agent) {
  float target[3];
  traced_point(traced, target);
  CHECK_EQUAL_INT(wm_crowd_set_targets(traced->crowd, 1, &agent, target, false), WM_OK);
}

static inline void traced_send_all(TracedCrowd *traced) {
  for (size_t i = 0; i < traced->count; i++) traced_send(traced, traced->agents[i]);
}

static inline void traced_order(TracedCrowd *traced) {
  const WmAgent agent = traced_someone(traced);
  WmCrowd *crowd = traced->crowd;
  float point[3];
  traced_point(traced, point);
  const float velocity[3] = {traced_between(traced, -3, 3), 0, traced_between(traced, -3, 3)};
  const float displacement[3] = {0.2f * velocity[2], 0, 0.2f * velocity[0]};
  switch (grid_random(&traced->seed) % 8) {
    case 0: trace_number(wm_crowd_stop(crowd, 1, &agent)); break;
    case 1: trace_number(wm_crowd_pause(crowd, 1, &agent, true)); break;
    case 2: trace_number(wm_crowd_pause(crowd, 1, &agent, false)); break;
    case 3: trace_number(wm_crowd_warp(crowd, 1, &agent, point, false)); break;
    case 4: trace_number(wm_crowd_move(crowd, 1, &agent, displacement, false)); break;
    case 5: trace_number(wm_crowd_set_velocities(crowd, 1, &agent, velocity, false)); break;
    default: traced_send(traced, agent);
  }
}

static inline void traced_churn(TracedCrowd *traced, uint32_t variety) {
  const size_t i = grid_random(&traced->seed) % traced->count;
  if (traced_chance(traced, 2)) { /* it gets the parameters of another one */
    WmAgentParameters parameters;
    CHECK_EQUAL_INT(wm_crowd_parameters(traced->crowd, traced_someone(traced), &parameters), WM_OK);
    CHECK_EQUAL_INT(wm_crowd_set_parameters(traced->crowd, 1, &traced->agents[i], &parameters, 1), WM_OK);
    return;
  }
  CHECK_EQUAL_INT(wm_crowd_remove_agents(traced->crowd, 1, &traced->agents[i]), WM_OK);
  traced->agents[i] = traced->agents[--traced->count];
  traced_add(traced, 1, variety);
  traced_send(traced, traced->agents[traced->count - 1]);
}

static inline void traced_obstacles(TracedCrowd *traced) {
  float radii[TRACED_OBSTACLES], heights[TRACED_OBSTACLES];
  for (int i = 0; i < TRACED_OBSTACLES; i++) {
    traced_point(traced, traced->obstacles[i]);
    radii[i] = traced_between(traced, 0.3f, 1.2f);
    heights[i] = traced_between(traced, 0.5f, 3);
    traced->velocities[i][0] = traced_between(traced, -2, 2);
    traced->velocities[i][2] = traced_between(traced, -2, 2);
  }
  const bool has_usual_heights = traced_chance(traced, 2), is_still = traced_chance(traced, 3);
  CHECK_EQUAL_INT(wm_crowd_set_obstacles(traced->crowd, TRACED_OBSTACLES, traced->obstacles[0],
                                         is_still ? NULL : traced->velocities[0], radii,
                                         has_usual_heights ? NULL : heights),
                  WM_OK);
}

/* Removes a tile, or adds one that was removed. */
static inline void traced_swap_tile(TracedCrowd *traced) {
  if (traced->gone_count > 0 && (traced_chance(traced, 2) || traced->gone_count == TRACED_TILES)) {
    const size_t i = --traced->gone_count;
    CHECK_EQUAL_INT(wm_mesh_add_tile(traced->mesh, traced->gone[i], traced->gone_bytes[i], NULL), WM_OK);
    free(traced->gone[i]);
    return;
  }
  const WmMeshTile *tile =
      wm_mesh_tile(traced->mesh, grid_random(&traced->seed) % wm_mesh_slot_count(traced->mesh));
  if (!tile || tile->ground_count == 0) return;
  const size_t i = traced->gone_count++;
  traced->gone_bytes[i] = tile->byte_count;
  traced->gone[i] = malloc(tile->byte_count);
  memcpy(traced->gone[i], tile->bytes, tile->byte_count);
  CHECK_EQUAL_INT(wm_mesh_remove_tile(traced->mesh, tile->ref), WM_OK);
}

static inline void traced_connect(TracedCrowd *traced) {
  WmRef ref = wm_mesh_next_connection(traced->mesh, 0);
  if (wm_mesh_connection_count(traced->mesh) > 4) {
    CHECK_EQUAL_INT(wm_mesh_remove_connection(traced->mesh, ref), WM_OK);
    return;
  }
  WmConnection settings = wm_connection_default(traced->mesh);
  traced_point(traced, settings.start);
  traced_point(traced, settings.end);
  settings.radius = 2;
  settings.cost_factor = 0.3f;
  settings.bidirectional = traced_chance(traced, 2);
  trace_status(traced->context, wm_mesh_add_connection(traced->mesh, &settings, &ref));
}

static inline void traced_change_mesh(TracedCrowd *traced) {
  const uint32_t what = grid_random(&traced->seed) % 8;
  if (what == 0) traced_swap_tile(traced);
  if (what == 1) traced_connect(traced);
  if (what < 2) return;
  const WmMeshTile *tile =
      wm_mesh_tile(traced->mesh, grid_random(&traced->seed) % wm_mesh_slot_count(traced->mesh));
  if (!tile) return;
  const WmRef polygon = tile->ref + grid_random(&traced->seed) % tile->polygon_count;
  const uint32_t value = grid_random(&traced->seed) % 4;
  if (what < 6) {
    trace_number(wm_mesh_set_polygon_flags(traced->mesh, polygon, (uint16_t)(value == 3 ? 0 : 1 + value)));
  } else {
    trace_number(wm_mesh_set_polygon_area(traced->mesh, polygon, (uint8_t)value));
  }
}

static inline void traced_settings(TracedCrowd *traced) {
  WmCrowdOptions options;
  float points[2][3];
  WmFilter filter = wm_filter_default();
  switch (grid_random(&traced->seed) % 3) {
    case 0:
      filter.exclude_flags = (uint16_t)(grid_random(&traced->seed) % 3);
      for (int i = 0; i < 4; i++) filter.area_costs[i] = traced_between(traced, 0.5f, 8);
      trace_number(wm_crowd_set_filter(traced->crowd, 1 + grid_random(&traced->seed) % 2, &filter));
      break;
    case 1:
      for (int i = 0; i < 2; i++) traced_point(traced, points[i]);
      trace_number(wm_crowd_set_focus(traced->crowd, grid_random(&traced->seed) % 3, points[0]));
      break;
    default:
      wm_crowd_options(traced->crowd, &options);
      options.search_budget = 1 + grid_random(&traced->seed) % 200;
      options.max_search_nodes = traced_chance(traced, 3) ? 1 + grid_random(&traced->seed) % 60 : 0;
      options.focus_radius = traced_between(traced, 3, 12);
      options.neighbour_range = traced_between(traced, 2, 8);
      options.patience = traced_between(traced, 0, 3);
      trace_number(wm_crowd_set_options(traced->crowd, &options));
  }
}

/* Agents that wait before a connection which the game traverses. */
static inline void traced_traverse(TracedCrowd *traced) {
  for (size_t i = 0; i < traced->count; i++) {
    const WmAgent agent = traced->agents[i];
    const WmAgentInfo info = info_of(traced->crowd, agent);
    if (info.reason == WM_AGENT_REASON_CONNECTION) {
      if (traced_chance(traced, 8)) trace_number(wm_crowd_begin_connection(traced->crowd, agent));
    } else if (info.state == WM_AGENT_ON_CONNECTION && info.connection_progress < 1) {
      WmAgentParameters parameters;
      CHECK_EQUAL_INT(wm_crowd_parameters(traced->crowd, agent, &parameters), WM_OK);
      if (parameters.auto_connections) continue;
      const float progress = info.connection_progress + 0.1f;
      trace_number(wm_crowd_set_connection_progress(traced->crowd, agent, progress < 1 ? progress : 1));
    } else if (info.state == WM_AGENT_ON_CONNECTION) {
      trace_number(wm_crowd_complete_connection(traced->crowd, agent));
    }
  }
}

static inline void traced_events(TracedCrowd *traced, uint32_t events, uint32_t variety) {
  if (traced_chance(traced, 6)) traced_send(traced, traced_someone(traced));
  if (events & TRACED_ORDERS && traced_chance(traced, 3)) traced_order(traced);
  if (events & TRACED_CHURN && traced_chance(traced, 8)) traced_churn(traced, variety);
  if (events & TRACED_OBSTACLES_ON && traced_chance(traced, 60)) traced_obstacles(traced);
  if (events & TRACED_MESH && traced_chance(traced, 5)) traced_change_mesh(traced);
  if (events & TRACED_SETTINGS && traced_chance(traced, 20)) traced_settings(traced);
  if (variety & 8) traced_traverse(traced);
}

/* Steps of several lengths, some of which are divided, or end early. */
static inline void traced_run(TracedCrowd *traced, int steps, uint32_t events, uint32_t variety) {
  static const float SECONDS[] = {1.0f / 60, 1.0f / 30, 1.0f / 30, 0.05f, 0.08f, 1.0f / 60, 0, 0.6f};
  const float usual = traced->lattice > 0 ? 1.0f / 32 : 1.0f / 30;
  for (int i = 0; i < steps; i++) {
    traced_events(traced, events, variety);
    trace_crowd_step(traced, traced_chance(traced, 10) ? SECONDS[grid_random(&traced->seed) % 8] : usual);
    if (i % 4 == 0) trace_crowd(traced->crowd);
    if (i % 25 == 0) CHECK(wm_crowd_validate(traced->crowd));
  }
  trace_number(wm_crowd_hash(traced->crowd));
}

#endif
