/* Worlds for tests of crowds: flat tiles drawn by code (grid_tiles.h), and agents on them. */
#ifndef WALKMESH_TESTS_CROWD_WORLDS_H
#define WALKMESH_TESTS_CROWD_WORLDS_H

#include <math.h>

#include "crowd/crowd.h"
#include "grid_tiles.h"

static inline float crowd_random(uint32_t *seed, float low, float high) {
  return low + (high - low) * (float)(grid_random(seed) & 0xffff) / 65535.0f;
}

/* An open field of side x side tiles without walls inside. */
static inline WmMesh *make_field(WmContext *context, int32_t side) {
  WmMesh *mesh = make_grid_mesh(context);
  for (int32_t i = 0; i < side * side; i++) {
    const GridTile grid = {.x = i % side, .z = i / side, .flat = true, .hole = UINT32_MAX, .tree = true};
    add_grid_tile(mesh, &grid);
  }
  return mesh;
}

static inline WmCrowd *make_crowd(WmContext *context, const WmMesh *mesh) {
  WmCrowd *crowd = NULL;
  CHECK_EQUAL_INT(wm_crowd_create(context, mesh, NULL, &crowd), WM_OK);
  return crowd;
}

static inline WmAgent add_agent(WmCrowd *crowd, float x, float z, const WmAgentParameters *parameters) {
  WmAgent agent = 0;
  const float position[3] = {x, 0, z};
  CHECK_EQUAL_INT(wm_crowd_add_agents(crowd, 1, position, parameters, parameters ? 1 : 0, &agent), WM_OK);
  return agent;
}

static inline void send_to(WmCrowd *crowd, WmAgent agent, float x, float z) {
  const float target[3] = {x, 0, z};
  CHECK_EQUAL_INT(wm_crowd_set_targets(crowd, 1, &agent, target, false), WM_OK);
}

static inline void run_crowd(WmCrowd *crowd, int steps, float seconds) {
  for (int i = 0; i < steps; i++) CHECK_EQUAL_INT(wm_crowd_step(crowd, seconds, NULL), WM_OK);
}

static inline WmAgentInfo info_of(const WmCrowd *crowd, WmAgent agent) {
  WmAgentInfo info = {0};
  CHECK_EQUAL_INT(wm_crowd_info(crowd, agent, &info), WM_OK);
  return info;
}

static inline const float *position_of(const WmCrowd *crowd, WmAgent agent) {
  WmCrowdView view;
  wm_crowd_view(crowd, &view);
  return view.positions + 3 * info_of(crowd, agent).index;
}

#endif
