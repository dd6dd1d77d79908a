/* Scenes of crowds of every kind: meshes, agents and events (crowd_trace.h), for tests that play them all. */
#ifndef WALKMESH_TESTS_CROWD_SCENES_H
#define WALKMESH_TESTS_CROWD_SCENES_H

#include "crowd_trace.h"
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

static inline WmMesh *make_open(WmContext *context, uint32_t seed) {
  return make_field(context, (int32_t)seed);
}

static inline WmMesh *make_gap(WmContext *context, uint32_t seed) {
  (void)seed;
  return make_doorway(context);
}

static inline WmMesh *make_lanes(WmContext *context, uint32_t seed) {
  const LaneMaze maze = maze_make(seed);
  return maze_bake(context, &maze);
}

/* Two rooms and a lane between them. */
static inline WmMesh *make_one_lane(WmContext *context, uint32_t seed) {
  LaneMaze maze = {.side = 1};
  const float length = (float)seed;
  maze_add(&maze, 0, 0, 8, 8);
  maze_add(&maze, 8 + length, 0, 16 + length, 8);
  maze_add(&maze, 8, 3.2f, 8 + length, 4.8f);
  return maze_bake(context, &maze);
}

/* Two rooms, and two lanes between them: agents that wait for long take the other one. */
static inline WmMesh *make_two_lanes(WmContext *context, uint32_t seed) {
  LaneMaze maze = {.side = 1};
  const float length = (float)seed;
  maze_add(&maze, 0, 0, 8, 12);
  maze_add(&maze, 8 + length, 0, 16 + length, 12);
  maze_add(&maze, 8, 2.2f, 8 + length, 3.8f);
  maze_add(&maze, 8, 8.2f, 8 + length, 9.5f);
  return maze_bake(context, &maze);
}

static inline WmMesh *make_holes(WmContext *context, uint32_t seed) {
  WmMesh *mesh = make_grid_mesh(context);
  add_block(mesh, 0, 0, 3, 3, seed);
  return mesh;
}

/* Two islands: most targets of the other one can't be reached. */
static inline WmMesh *make_islands(WmContext *context, uint32_t seed) {
  WmMesh *mesh = make_grid_mesh(context);
  add_block(mesh, 0, 0, 2, 2, seed);
  add_block(mesh, 3, 0, 2, 2, seed + 9);
  return mesh;
}

/* Uneven ground with holes, areas, flags, and connections baked into the tiles. */
static inline WmMesh *make_mixed(WmContext *context, uint32_t seed) {
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

static inline void send_all(TracedCrowd *traced, bool to_one_point) {
  if (!to_one_point) {
    traced_send_all(traced);
    return;
  }
  float target[3];
  traced_point(traced, target);
  CHECK_EQUAL_INT(wm_crowd_set_targets(traced->crowd, traced->count, traced->agents, target, true), WM_OK);
}

/* Opens the scene, with its agents on their way. */
static inline void open_scene(TracedCrowd *traced, WmContext *context, const Scenario *scenario,
                              float lattice) {
  WmCrowdOptions options = wm_crowd_options_default();
  if (scenario->variety & 4) options.patience = 1;
  if (scenario->variety & 8) options.search_budget = 60;
  if (scenario->variety == ALL_KINDS) options.max_fields = 1;
  open_traced(traced, context, scenario->make(context, scenario->seed), &options, scenario->seed * 77 + 5);
  traced->lattice = lattice;
  traced_add(traced, scenario->agents, scenario->variety);
  send_all(traced, scenario->meets);
}

/* The seed chooses everything. */
static inline Scenario invent_scenario(uint32_t seed, char *name, size_t name_bytes) {
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

#endif
