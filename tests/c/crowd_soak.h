/* A crowd for a long time on a level where everything changes: carved obstacles are added, moved and removed,
 * cylinders move, tiles are removed and added, doors open and close, connections and agents are added and
 * removed, agents get orders of all kinds. The crowd has a context of its own, so that its memory is counted
 * separately from the level's.
 *
 * After each step the crowd is valid and numbers are finite. At intervals each agent is checked to be on its
 * polygon, or, if it is off mesh, to have none near. At longer intervals all agents come to rest: agents with
 * a reachable target are there, and memory has not grown. */
#ifndef WALKMESH_TESTS_CROWD_SOAK_H
#define WALKMESH_TESTS_CROWD_SOAK_H

#include <malloc.h>

#include "check.h"
#include "crowd/crowd.h"
#include "dynamic/obstacles/motion.h"
#include "dynamic_world.h"
#include "mesh/links/connections.h"
#include "mesh/locate.h"
#include "query/search/path.h"
#include "query/switches/switches.h"

enum { SOAK_TILES = 8, SOAK_CARVED = 12, SOAK_MOVING = 8, SOAK_DOORS = 4, SOAK_GONE = 3, SOAK_AGENTS = 512 };

#define SOAK_STEP (1.0f / 30)
#define SOAK_SIDE 76.0f

typedef struct SoakMeter {
  size_t bytes, allocations;
} SoakMeter;

/* The bytes of a removed tile. */
typedef struct SoakTile {
  int32_t x, z;
  uint8_t *bytes;
  size_t byte_count;
} SoakTile;

typedef struct Soak {
  SoakMeter level_meter, crowd_meter;
  World world;
  WmContext *context; /* of the crowd */
  WmQuery *query;
  WmSwitches *switches;
  WmSwitch doors[SOAK_DOORS];
  WmCrowd *crowd;
  Random random;
  size_t agent_count;
  WmAgent agents[SOAK_AGENTS];
  WmObstacle carved[SOAK_CARVED];
  size_t carved_count;
  float moving[SOAK_MOVING][3], velocities[SOAK_MOVING][3];
  SoakTile gone[SOAK_GONE];
  /* Results. */
  size_t steps, disturbed, last_allocation, stuck, off_mesh;
  size_t bytes, level_bytes; /* of the crowd, and of everything else: when all rested last */
} Soak;

static void *soak_allocate(void *user, size_t bytes) {
  SoakMeter *meter = user;
  void *block = malloc(bytes);
  if (!block) return NULL;
  meter->bytes += malloc_usable_size(block);
  meter->allocations++;
  return block;
}

static void soak_release(void *user, void *block) {
  ((SoakMeter *)user)->bytes -= malloc_usable_size(block);
  free(block);
}

static inline void soak_point(Soak *soak, float point[3]) {
  point[0] = between(&soak->random, 1, SOAK_SIDE - 1);
  point[1] = 0;
  point[2] = between(&soak->random, 1, SOAK_SIDE - 1);
}

static inline WmAgent *soak_someone(Soak *soak) {
  return &soak->agents[random_below(&soak->random, (int32_t)soak->agent_count)];
}

/* ---- Changes ---------------------------------------------------------------------------------------- */

static inline void soak_orders(Soak *soak) {
  const WmAgent *agent = soak_someone(soak);
  float point[3];
  soak_point(soak, point);
  const float velocity[3] = {between(&soak->random, -3, 3), 0, between(&soak->random, -3, 3)};
  switch (random_below(&soak->random, 16)) {
    case 0: CHECK_EQUAL_INT(wm_crowd_stop(soak->crowd, 1, agent), WM_OK); break;
    case 1: CHECK_EQUAL_INT(wm_crowd_pause(soak->crowd, 1, agent, true), WM_OK); break;
    case 2: CHECK_EQUAL_INT(wm_crowd_warp(soak->crowd, 1, agent, point, false), WM_OK); break;
    case 3: CHECK_EQUAL_INT(wm_crowd_set_velocities(soak->crowd, 1, agent, velocity, false), WM_OK); break;
    case 4: CHECK_EQUAL_INT(wm_crowd_move(soak->crowd, 1, agent, velocity, false), WM_OK); break;
    default:
      CHECK_EQUAL_INT(wm_crowd_pause(soak->crowd, 1, agent, false), WM_OK);
      CHECK_EQUAL_INT(wm_crowd_set_targets(soak->crowd, 1, agent, point, false), WM_OK);
  }
}

static inline void soak_add(Soak *soak, size_t count, WmAgent *agents) {
  float positions[16][3];
  WmAgentParameters parameters[16];
  for (size_t i = 0; i < count; i++) {
    soak_point(soak, positions[i]);
    parameters[i] = wm_agent_parameters_default();
    parameters[i].radius = between(&soak->random, 0.2f, 0.6f);
    parameters[i].max_speed = between(&soak->random, 1, 5);
    parameters[i].avoidance = (uint32_t)random_below(&soak->random, 5);
    parameters[i].priority = (uint32_t)random_below(&soak->random, 100);
  }
  CHECK_EQUAL_INT(wm_crowd_add_agents(soak->crowd, count, positions[0], parameters, count, agents), WM_OK);
}

static inline void soak_churn(Soak *soak) {
  WmAgent *agent = soak_someone(soak);
  CHECK_EQUAL_INT(wm_crowd_remove_agents(soak->crowd, 1, agent), WM_OK);
  soak_add(soak, 1, agent);
}

static inline void soak_carve(Soak *soak) {
  const int32_t what = random_below(&soak->random, 3);
  float point[3];
  soak_point(soak, point);
  if (what == 0 && soak->carved_count < SOAK_CARVED) {
    WmAreaVolume volume = crate(point[0], point[2]);
    volume.radius = between(&soak->random, 0.5f, 3);
    WmObstacle *added = &soak->carved[soak->carved_count++];
    CHECK_EQUAL_INT(wm_dynamic_add_obstacle(soak->world.dynamic, &volume, added), WM_OK);
  } else if (what == 1 && soak->carved_count) {
    const size_t one = (size_t)random_below(&soak->random, (int32_t)soak->carved_count);
    CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(soak->world.dynamic, soak->carved[one]), WM_OK);
    soak->carved[one] = soak->carved[--soak->carved_count];
  } else if (soak->carved_count) {
    CHECK_EQUAL_INT(wm_dynamic_move_obstacles(soak->world.dynamic, soak->carved, point, NULL, 1), WM_OK);
  }
}

static inline void soak_bring_back(Soak *soak, SoakTile *tile) {
  if (!tile->bytes) return;
  CHECK_EQUAL_INT(
      wm_dynamic_keep_tile(soak->world.dynamic, tile->x, tile->z, tile->bytes, tile->byte_count, false),
      WM_OK);
  free(tile->bytes);
  tile->bytes = NULL;
}

/* Removes a tile, and adds the one that was removed before it. */
static inline void soak_swap_tile(Soak *soak) {
  SoakTile *tile = &soak->gone[random_below(&soak->random, SOAK_GONE)];
  soak_bring_back(soak, tile);
  const int32_t x = random_below(&soak->random, SOAK_TILES), z = random_below(&soak->random, SOAK_TILES);
  size_t byte_count;
  const uint8_t *bytes = wm_dynamic_kept_tile(soak->world.dynamic, x, z, &byte_count);
  if (!bytes) return; /* it is removed already */
  *tile = (SoakTile){x, z, malloc(byte_count), byte_count};
  memcpy(tile->bytes, bytes, byte_count);
  CHECK_EQUAL_INT(wm_dynamic_drop_tile(soak->world.dynamic, x, z), WM_OK);
}

static inline void soak_connect(Soak *soak) {
  WmMesh *mesh = soak->world.mesh;
  WmConnection settings = wm_connection_default(mesh);
  WmRef ref = wm_mesh_next_connection(mesh, 0);
  if (wm_mesh_connection_count(mesh) > 3) CHECK_EQUAL_INT(wm_mesh_remove_connection(mesh, ref), WM_OK);
  soak_point(soak, settings.start);
  settings.end[0] = settings.start[0] + between(&soak->random, -12, 12);
  settings.end[2] = settings.start[2] + between(&soak->random, -12, 12);
  settings.radius = 2;
  settings.cost_factor = 0.5f;
  CHECK_EQUAL_INT(wm_mesh_add_connection(mesh, &settings, &ref), WM_OK);
}

static inline void soak_toggle(Soak *soak) {
  const WmSwitch door = soak->doors[random_below(&soak->random, SOAK_DOORS)];
  const bool is_on = wm_switch_is_on(soak->switches, door);
  CHECK_EQUAL_INT(wm_switch_set(soak->switches, door, !is_on), WM_OK);
}

/* Cylinders that move back and forth. */
static inline void soak_move_obstacles(Soak *soak) {
  float radii[SOAK_MOVING];
  for (size_t i = 0; i < SOAK_MOVING; i++) {
    radii[i] = 0.5f + 0.2f * (float)i;
    for (int axis = 0; axis < 3; axis += 2) {
      float *at = &soak->moving[i][axis], *velocity = &soak->velocities[i][axis];
      *at += *velocity * SOAK_STEP;
      if (*at < 2 || *at > SOAK_SIDE - 2) *velocity = *at < 2 ? fabsf(*velocity) : -fabsf(*velocity);
    }
  }
  CHECK_EQUAL_INT(
      wm_crowd_set_obstacles(soak->crowd, SOAK_MOVING, soak->moving[0], soak->velocities[0], radii, NULL),
      WM_OK);
}

static inline void soak_events(Soak *soak) {
  Random *random = &soak->random;
  soak->disturbed++;
  if (random_below(random, 2) == 0) soak_orders(soak);
  if (random_below(random, 15) == 0) soak_churn(soak);
  if (random_below(random, 20) == 0) soak_carve(soak);
  if (random_below(random, 80) == 0) soak_swap_tile(soak);
  if (random_below(random, 100) == 0) soak_toggle(soak);
  if (random_below(random, 200) == 0) soak_connect(soak);
  soak_move_obstacles(soak);
}

/* ---- Checks ----------------------------------------------------------------------------------------- */

static inline void soak_check_agent(Soak *soak, const WmCrowdView *view, size_t i) {
  const float *position = view->positions + 3 * i;
  WmAgentInfo info;
  CHECK_EQUAL_INT(wm_crowd_info(soak->crowd, view->agents[i], &info), WM_OK);
  if (info.state == WM_AGENT_ON_CONNECTION) return;
  if (info.state == WM_AGENT_OFF_MESH) {
    WmCrowdOptions options;
    WmNearest nearest;
    soak->off_mesh++;
    wm_crowd_options(soak->crowd, &options);
    CHECK_EQUAL_INT(wm_query_find_nearest(soak->query, position, options.place_extents, NULL, &nearest),
                    WM_OK);
    CHECK(nearest.polygon == 0); /* it would have been snapped to the mesh */
    return;
  }
  const WmMeshTile *tile = wm_mesh_tile_of(soak->world.mesh, info.polygon);
  CHECK(tile != NULL);
  if (!tile) return;
  float on[3];
  wm_tile_closest_point(tile, wm_ref_polygon(info.polygon), position, true, on);
  CHECK(hypotf(on[0] - position[0], on[2] - position[2]) < 5e-3f && fabsf(on[1] - position[1]) < 0.02f);
}

static inline void soak_check(Soak *soak, bool all) {
  WmCrowdView view;
  wm_crowd_view(soak->crowd, &view);
  CHECK_EQUAL_INT(view.count, soak->agent_count);
  bool is_finite = true;
  for (size_t i = 0; i < 3 * view.count; i++) {
    is_finite &=
        isfinite(view.positions[i]) && isfinite(view.velocities[i]) && isfinite(view.headings[i / 2]);
  }
  CHECK(is_finite);
  for (size_t i = 0; all && i < view.count; i++) soak_check_agent(soak, &view, i);
}

static inline void soak_step(Soak *soak) {
  const size_t allocations = soak->crowd_meter.allocations;
  WmTileChange change;
  size_t changed;
  CHECK_EQUAL_INT(wm_dynamic_step(soak->world.dynamic, &change), WM_OK);
  CHECK_EQUAL_INT(wm_switches_update(soak->switches, &changed), WM_OK);
  CHECK_EQUAL_INT(wm_crowd_step(soak->crowd, SOAK_STEP, NULL), WM_OK);
  CHECK(wm_crowd_validate(soak->crowd));
  soak->steps++;
  if (soak->crowd_meter.allocations != allocations) soak->last_allocation = soak->steps;
  soak_check(soak, soak->steps % 16 == 0);
}

/* True if a corridor leads from an agent to its target. */
static inline bool soak_can_arrive(Soak *soak, const WmCrowdView *view, size_t i) {
  WmAgentInfo info;
  WmCorridor corridor;
  WmNearest nearest;
  const float extents[3] = {2, 4, 2};
  CHECK_EQUAL_INT(wm_crowd_info(soak->crowd, view->agents[i], &info), WM_OK);
  CHECK_EQUAL_INT(wm_query_find_nearest(soak->query, info.target, extents, NULL, &nearest), WM_OK);
  if (!info.polygon || !nearest.polygon) return false;
  CHECK_EQUAL_INT(wm_query_find_corridor(soak->query, info.polygon, view->positions + 3 * i, nearest.polygon,
                                         info.target, NULL, &corridor),
                  WM_OK);
  return corridor.state == WM_PATH_COMPLETE;
}

/* Restores everything, sets a target for all agents and waits until they can be there; then compares
 * memory. */
static inline void soak_calm(Soak *soak, int seconds) {
  for (size_t i = 0; i < SOAK_GONE; i++) soak_bring_back(soak, &soak->gone[i]);
  while (soak->carved_count) {
    CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(soak->world.dynamic, soak->carved[--soak->carved_count]),
                    WM_OK);
  }
  for (int i = 0; i < SOAK_DOORS; i++)
    CHECK_EQUAL_INT(wm_switch_set(soak->switches, soak->doors[i], false), WM_OK);
  while (wm_dynamic_dirty_count(soak->world.dynamic)) soak_step(soak);
  CHECK_EQUAL_INT(wm_crowd_set_obstacles(soak->crowd, 0, NULL, NULL, NULL, NULL), WM_OK);
  CHECK_EQUAL_INT(wm_crowd_pause(soak->crowd, soak->agent_count, soak->agents, false), WM_OK);
  for (size_t i = 0; i < soak->agent_count; i++) {
    float point[3];
    soak_point(soak, point);
    CHECK_EQUAL_INT(wm_crowd_set_targets(soak->crowd, 1, &soak->agents[i], point, false), WM_OK);
  }
  for (int i = 0; i < seconds * 30; i++) soak_step(soak);
  WmCrowdView view;
  wm_crowd_view(soak->crowd, &view);
  for (size_t i = 0; i < view.count; i++) {
    if (view.states[i] == WM_AGENT_ARRIVED || view.states[i] == WM_AGENT_CROWDED) continue;
    if (view.states[i] == WM_AGENT_OFF_MESH || soak_can_arrive(soak, &view, i)) soak->stuck++;
  }
  wm_context_trim(soak->context);
  wm_context_trim(soak->world.context);
  soak->bytes = soak->crowd_meter.bytes;
  soak->level_bytes = soak->level_meter.bytes;
}

/* ---- Life --------------------------------------------------------------------------------------------- */

static inline void soak_open(Soak *soak, uint32_t seed, size_t agent_count) {
  *soak = (Soak){.random = {seed}, .agent_count = agent_count};
  const WmAllocator of_level = {soak_allocate, soak_release, &soak->level_meter};
  const WmAllocator of_crowd = {soak_allocate, soak_release, &soak->crowd_meter};
  WmContext *context = wm_context_create(&of_level);
  soak->context = wm_context_create(&of_crowd);
  open_square(&soak->world, context, SOAK_TILES);
  wm_dynamic_limit_cache(soak->world.dynamic, 0);
  CHECK_EQUAL_INT(wm_query_create(context, soak->world.mesh, &soak->query), WM_OK);
  CHECK_EQUAL_INT(wm_switches_create(context, soak->world.mesh, &soak->switches), WM_OK);
  for (int i = 0; i < SOAK_DOORS; i++) {
    const float x = 15 * (float)(i + 1);
    const WmSwitchVolume volume = {
        .kind = WM_SWITCH_BOX, .area = -1, .minimum = {x, -1, 10}, .maximum = {x + 2, 2, 30}};
    CHECK_EQUAL_INT(wm_switch_add(soak->switches, &volume, 0, 1, false, &soak->doors[i]), WM_OK);
  }
  CHECK_EQUAL_INT(wm_crowd_create(soak->context, soak->world.mesh, NULL, &soak->crowd), WM_OK);
  for (size_t i = 0; i < agent_count; i += 16) {
    soak_add(soak, agent_count - i < 16 ? agent_count - i : 16, soak->agents + i);
  }
  for (size_t i = 0; i < SOAK_MOVING; i++) {
    soak_point(soak, soak->moving[i]);
    soak->velocities[i][0] = between(&soak->random, -2, 2);
    soak->velocities[i][2] = between(&soak->random, -2, 2);
  }
}

static inline void soak_close(Soak *soak) {
  WmContext *context = soak->world.context;
  wm_crowd_destroy(soak->crowd);
  wm_context_destroy(soak->context);
  CHECK_EQUAL_INT(soak->crowd_meter.bytes, 0);
  for (size_t i = 0; i < SOAK_GONE; i++) free(soak->gone[i].bytes);
  wm_switches_destroy(soak->switches);
  wm_query_destroy(soak->query);
  close_world(&soak->world);
  wm_context_destroy(context);
  CHECK_EQUAL_INT(soak->level_meter.bytes, 0);
}

#endif
