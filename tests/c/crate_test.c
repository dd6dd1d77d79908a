/* A crate is pushed across levels full of agents: moving obstacles, carving and the crowd together. At most
 * one tile is built per frame. */
#include "crowd/crowd.h"
#include "dynamic/obstacles/motion.h"
#include "dynamic_world.h"
#include "query/query.h"

enum { AGENTS = 200, FRAMES_A_SECOND = 30, PUSHED_SECONDS = 24, SECONDS_AFTER = 4 };

static const float SIZE = 1.5f; /* half of the crate */

typedef struct Push {
  World *world;
  WmQuery *query;
  WmCrowd *crowd;
  WmAgent agents[AGENTS];
  WmObstacle crate;
  float position[3], yaw;
  int touched; /* the number of agents that the crate's hole or body reached, summed over all frames */
} Push;

static void nearest_ground(const Push *push, const float position[3], WmNearest *nearest) {
  WmNearestOptions options = wm_nearest_options_default();
  CHECK_EQUAL_INT(wm_query_find_nearest_point(push->query, position, &options, nearest), WM_OK);
}

/* A random point on the mesh. */
static void somewhere(const Push *push, Random *random, float place[3]) {
  const World *world = push->world;
  WmNearest nearest = {0};
  while (!nearest.polygon) {
    const float at[3] = {between(random, world->low[0], world->high[0]),
                         between(random, world->low[1], world->high[1]),
                         between(random, world->low[2], world->high[2])};
    nearest_ground(push, at, &nearest);
  }
  memcpy(place, nearest.point, 3 * sizeof *place);
}

/* The depth of a point inside the crate on x and z; below 0 outside. */
static float depth_in_crate(const Push *push, const float point[3]) {
  const float x = point[0] - push->position[0], z = point[2] - push->position[2];
  const float along = x * cosf(push->yaw) + z * sinf(push->yaw),
              across = z * cosf(push->yaw) - x * sinf(push->yaw);
  return SIZE - fmaxf(fabsf(along), fabsf(across));
}

static void open_push(Push *push, World *world, Random *random, WmCarving carving) {
  WmContext *context = world->context;
  *push = (Push){.world = world};
  CHECK_EQUAL_INT(wm_query_create(context, world->mesh, &push->query), WM_OK);
  CHECK_EQUAL_INT(wm_crowd_create(context, world->mesh, NULL, &push->crowd), WM_OK);
  float places[AGENTS][3];
  for (int i = 0; i < AGENTS; i++) somewhere(push, random, places[i]);
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.radius = 0.4f;
  CHECK_EQUAL_INT(wm_crowd_add_agents(push->crowd, AGENTS, places[0], &parameters, 1, push->agents), WM_OK);
  push->position[0] = world->low[0] + 4;
  push->position[1] = world->low[1];
  push->position[2] = (world->low[2] + world->high[2]) / 2;
  const WmAreaVolume volume = {.kind = WM_AREA_VOLUME_ROTATED_BOX,
                               .before_erosion = true,
                               .centre = {push->position[0], push->position[1], push->position[2]},
                               .half_extents = {SIZE, 2, SIZE}};
  WmObstacleMotion motion = wm_obstacle_motion_default();
  motion.carving = carving;
  motion.move_threshold = 0.2f;
  CHECK_EQUAL_INT(wm_dynamic_add_moving_obstacle(world->dynamic, &volume, &motion, &push->crate), WM_OK);
}

static void close_push(Push *push) {
  wm_crowd_destroy(push->crowd);
  wm_query_destroy(push->query);
}

/* The crowd avoids moving obstacles that don't carve. */
static void tell_obstacles(const Push *push) {
  size_t count;
  const WmMovingObstacle *moving = wm_dynamic_moving_obstacles(push->world->dynamic, &count);
  CHECK(count <= 1);
  if (count) {
    CHECK_EQUAL_INT(wm_crowd_set_obstacles(push->crowd, 1, moving->position, moving->velocity,
                                           &moving->radius, &moving->height),
                    WM_OK);
  } else {
    CHECK_EQUAL_INT(wm_crowd_set_obstacles(push->crowd, 0, NULL, NULL, NULL, NULL), WM_OK);
  }
}

/* A frame: the crate moves, at most one tile is built, the crowd steps. */
static void run_frame(Push *push, float speed) {
  const float seconds = 1.0f / FRAMES_A_SECOND;
  WmDynamic *dynamic = push->world->dynamic;
  push->position[0] += speed * seconds;
  push->position[2] += 0.3f * speed * seconds * cosf(push->position[0] / 5);
  push->yaw += 0.2f * speed * seconds;
  CHECK_EQUAL_INT(wm_dynamic_move_obstacles(dynamic, &push->crate, push->position, &push->yaw, 1), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_advance(dynamic, seconds), WM_OK);
  WmTileChange change;
  const size_t dirty = wm_dynamic_dirty_count(dynamic);
  CHECK_EQUAL_INT(wm_dynamic_step(dynamic, &change), WM_OK);
  CHECK(wm_dynamic_dirty_count(dynamic) + (dirty > 0) == dirty);
  tell_obstacles(push);
  CHECK_EQUAL_INT(wm_crowd_step(push->crowd, seconds, NULL), WM_OK);
  WmCrowdView view;
  wm_crowd_view(push->crowd, &view);
  for (size_t i = 0; i < view.count; i++) {
    for (int k = 0; k < 3; k++)
      CHECK(isfinite(view.positions[3 * i + k]) && isfinite(view.velocities[3 * i + k]));
    push->touched += depth_in_crate(push, view.positions + 3 * i) > -0.4f;
  }
}

static void send_everybody(Push *push, Random *random) {
  float targets[AGENTS][3];
  for (int i = 0; i < AGENTS; i++) somewhere(push, random, targets[i]);
  CHECK_EQUAL_INT(wm_crowd_set_targets(push->crowd, AGENTS, push->agents, targets[0], false), WM_OK);
}

/* All agents stand on the mesh, and none in the crate. */
static void check_everybody(const Push *push) {
  int inside = 0, off = 0;
  WmCrowdView view;
  wm_crowd_view(push->crowd, &view);
  CHECK_EQUAL_INT(view.count, AGENTS);
  for (size_t i = 0; i < view.count; i++) {
    const float *position = view.positions + 3 * i;
    WmNearest nearest;
    nearest_ground(push, position, &nearest);
    const float x = nearest.point[0] - position[0], y = nearest.point[1] - position[1],
                z = nearest.point[2] - position[2];
    off += view.states[i] == WM_AGENT_OFF_MESH || !nearest.polygon || x * x + y * y + z * z > 0.1f * 0.1f;
    inside += depth_in_crate(push, position) > 0 && fabsf(position[1] - push->position[1]) < 2;
  }
  CHECK_EQUAL_INT(off, 0);
  CHECK_EQUAL_INT(inside, 0);
}

static void push_across(WmCarving carving, Scene scene, bool is_random) {
  WmContext *context = wm_context_create(NULL);
  Random random = {11};
  World world;
  Push push;
  WmConfig config = small_tiles(is_random ? WM_PARTITION_LAYERS : WM_PARTITION_WATERSHED);
  open_world(&world, context, scene, config, scene_input(&scene));
  const uint64_t first = hash_mesh(world.mesh);
  open_push(&push, &world, &random, carving);
  const float speed = (world.high[0] - world.low[0] - 8) / PUSHED_SECONDS;
  for (int frame = 0; frame < PUSHED_SECONDS * FRAMES_A_SECOND; frame++) {
    if (frame % (6 * FRAMES_A_SECOND) == 0) send_everybody(&push, &random);
    run_frame(&push, speed);
  }
  for (int frame = 0; frame < SECONDS_AFTER * FRAMES_A_SECOND; frame++) run_frame(&push, 0);
  CHECK(push.touched > 0); /* it passed through agents */
  CHECK_EQUAL_INT(wm_dynamic_dirty_count(world.dynamic), 0);
  check_everybody(&push);
  CHECK(hash_mesh(world.mesh) != first);
  CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world.dynamic, push.crate), WM_OK);
  update_all(&world);
  CHECK(hash_mesh(world.mesh) == first);
  close_push(&push);
  close_world(&world);
  wm_context_destroy(context);
}

static void one_that_carves_as_it_goes_leaves_nobody_inside(void) {
  push_across(WM_CARVING_ALWAYS, make_square(48), false);
  push_across(WM_CARVING_ALWAYS, make_random_scene(3), true);
}

static void one_that_carves_at_rest_is_avoided_and_leaves_nobody_inside(void) {
  push_across(WM_CARVING_AT_REST, make_square(48), false);
  push_across(WM_CARVING_AT_REST, make_random_scene(3), true);
}

int main(void) {
  RUN(one_that_carves_as_it_goes_leaves_nobody_inside);
  RUN(one_that_carves_at_rest_is_avoided_and_leaves_nobody_inside);
  return check_finish();
}
