/* A crowd on a small maze of lanes (lane_maze.h), for tests of right of way: agents of radius 0.4. A lane 1.6 wide
 * leaves 0.8 for their centres, of which two agents need 0.84. */
#ifndef WALKMESH_TESTS_LANE_WORLD_H
#define WALKMESH_TESTS_LANE_WORLD_H

#include "lane_maze.h"

typedef struct LaneWorld {
  WmContext *context;
  WmMesh *mesh;
  WmCrowd *crowd;
} LaneWorld;

/* Takes over the mesh. */
static inline LaneWorld open_mesh_world(WmContext *context, WmMesh *mesh, float patience) {
  LaneWorld world = {.context = context, .mesh = mesh};
  WmCrowdOptions options = wm_crowd_options_default();
  options.patience = patience;
  CHECK_EQUAL_INT(wm_crowd_create(context, mesh, &options, &world.crowd), WM_OK);
  return world;
}

static inline LaneWorld open_lane_world(const LaneMaze *maze, float patience) {
  WmContext *context = wm_context_create(NULL);
  return open_mesh_world(context, maze_bake(context, maze), patience);
}

static inline void close_lane_world(LaneWorld *world) {
  wm_crowd_destroy(world->crowd);
  wm_mesh_destroy(world->mesh);
  wm_context_destroy(world->context);
}

static inline WmAgentParameters walker_parameters(void) {
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.radius = 0.4f;
  return parameters;
}

/* Adds an agent and sends it to a target. */
static inline WmAgent add_walker(const LaneWorld *world, const WmAgentParameters *parameters,
                                 const float from[2], const float to[2]) {
  const WmAgent agent = add_agent(world->crowd, from[0], from[1], parameters);
  send_to(world->crowd, agent, to[0], to[1]);
  return agent;
}

#endif
