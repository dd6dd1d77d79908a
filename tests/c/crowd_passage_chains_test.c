/* Right of way where there is more than one lane: a room between two lanes, a throat, a second lane as another way, and
 * two meshes with equal references. */
#include "drawn_mesh.h"
#include "lane_world.h"

static WmAgentParameters WALKER;

/* Steps until all agents have arrived, at most 60 s. Returns the number of steps in which an agent waited for
 * its right of way. */
static int walk_all(const LaneWorld *world, const WmAgent *agents, int count) {
  int waited = 0, left = count;
  for (int step = 0; step < 60 * 60 && left > 0; step++) {
    run_crowd(world->crowd, 1, 1.0f / 60);
    left = count;
    for (int i = 0; i < count; i++) {
      const WmAgentInfo info = info_of(world->crowd, agents[i]);
      left -= info.state == WM_AGENT_ARRIVED;
      waited += info.reason == WM_AGENT_REASON_RIGHT_OF_WAY;
      CHECK(info.reason != WM_AGENT_REASON_PASSING);
    }
  }
  CHECK_EQUAL_INT(left, 0);
  return waited;
}

/* ---- A room between two lanes --------------------------------------------------------------------------- */

/* Two agents enter the two lanes from both ends at the same time, and pass each other in the room between. */
static void lanes_with_a_room_between_are_two_passages(void) {
  LaneMaze maze = {.side = 1};
  maze_add(&maze, 0, 0, 8, 8);
  maze_add(&maze, 24, 0, 32, 8);
  maze_add(&maze, 14, 2, 18, 6);
  maze_add(&maze, 8, 3.2f, 14, 4.8f);
  maze_add(&maze, 18, 3.2f, 24, 4.8f);
  LaneWorld world = open_lane_world(&maze, 5);
  const float west[2] = {2, 4}, east[2] = {30, 4};
  const WmAgent agents[2] = {add_walker(&world, &WALKER, west, east),
                             add_walker(&world, &WALKER, east, west)};
  bool were_in_both_lanes = false;
  for (int step = 0; step < 300; step++) {
    run_crowd(world.crowd, 1, 1.0f / 60);
    const float first = position_of(world.crowd, agents[0])[0],
                second = position_of(world.crowd, agents[1])[0];
    were_in_both_lanes = were_in_both_lanes || (first > 9 && first < 13 && second > 19 && second < 23);
  }
  CHECK(were_in_both_lanes);
  walk_all(&world, agents, 2);
  close_lane_world(&world);
}

/* ---- A throat ------------------------------------------------------------------------------------------- */

/* A field of 10 x 8 with a wall that leaves 0.8 at its tip. All portals are wide:
 *
 *     +----+  +----+
 *     |     \/     |
 *     |  __.^^.__  |      the tip is 0.8 above the lower side
 *     +------------+ */
static WmMesh *make_throat(WmContext *context) {
  static const uint16_t corners[][2] = {{0, 0}, {0, 80}, {40, 80}, {50, 8}, {100, 0}, {60, 80}, {100, 80}};
  static const uint16_t polygons[][DRAWN_CORNERS] = {{0, 1, 2, 3, NO_CORNER, NO_CORNER},         /* west */
                                                     {0, 3, 4, NO_CORNER, NO_CORNER, NO_CORNER}, /* throat */
                                                     {4, 3, 5, 6, NO_CORNER, NO_CORNER}};
  return draw_mesh(context, &(Drawing){corners, polygons, 7, 3});
}

/* Two agents that meet there: one waits before the throat until the other is through. */
static void a_throat_is_a_passage_for_one(void) {
  WmContext *context = wm_context_create(NULL);
  LaneWorld world = open_mesh_world(context, make_throat(context), 5);
  const float west[2] = {1, 2}, east[2] = {9, 2};
  const WmAgent agents[2] = {add_walker(&world, &WALKER, west, east),
                             add_walker(&world, &WALKER, east, west)};
  CHECK(walk_all(&world, agents, 2) > 30);
  close_lane_world(&world);
}

/* Two that go the same way don't wait for each other. */
static void a_throat_lets_one_side_follow_each_other(void) {
  for (int way = 0; way < 2; way++) {
    WmContext *context = wm_context_create(NULL);
    LaneWorld world = open_mesh_world(context, make_throat(context), 5);
    const float west[2] = {1, 2}, beside[2] = {1, 4}, east[2] = {9, 2}, east_beside[2] = {9, 4};
    const WmAgent agents[2] = {
        way ? add_walker(&world, &WALKER, east, west) : add_walker(&world, &WALKER, west, east),
        way ? add_walker(&world, &WALKER, east_beside, beside)
            : add_walker(&world, &WALKER, beside, east_beside)};
    CHECK_EQUAL_INT(walk_all(&world, agents, 2), 0);
    close_lane_world(&world);
  }
}

/* A throat whose portals are half a unit apart, for agents of a twentieth: the way through is shorter than 1. */
static void a_small_throat_is_a_passage_for_one(void) {
  static const uint16_t corners[][2] = {{0, 0}, {0, 8}, {4, 8}, {5, 1}, {10, 0}, {6, 8}, {10, 8}};
  static const uint16_t polygons[][DRAWN_CORNERS] = {{0, 1, 2, 3, NO_CORNER, NO_CORNER},         /* west */
                                                     {0, 3, 4, NO_CORNER, NO_CORNER, NO_CORNER}, /* throat */
                                                     {4, 3, 5, 6, NO_CORNER, NO_CORNER}};
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.radius = 0.05f;
  parameters.max_speed = 0.35f;
  WmContext *context = wm_context_create(NULL);
  LaneWorld world = open_mesh_world(context, draw_mesh(context, &(Drawing){corners, polygons, 7, 3}), 5);
  const float west[2] = {0.1f, 0.2f}, east[2] = {0.9f, 0.2f};
  const WmAgent agents[2] = {add_walker(&world, &parameters, west, east),
                             add_walker(&world, &parameters, east, west)};
  CHECK(walk_all(&world, agents, 2) > 30);
  close_lane_world(&world);
}

/* ---- Two meshes ----------------------------------------------------------------------------------------- */

/* Two agents that don't avoid each other meet at a narrow place, each on a mesh of its own with the same references:
 * neither waits. */
static void check_two_meshes(WmContext *context, WmMesh *mesh, WmMesh *other, const float west[2],
                             const float east[2]) {
  LaneWorld world = open_mesh_world(context, mesh, 5);
  uint32_t type = 0;
  CHECK_EQUAL_INT(wm_crowd_add_mesh(world.crowd, other, &type), WM_OK);
  CHECK(wm_mesh_tile(mesh, 0)->ref == wm_mesh_tile(other, 0)->ref);
  WmAgentParameters parameters[2];
  for (uint32_t i = 0; i < 2; i++) {
    parameters[i] = walker_parameters();
    parameters[i].group = parameters[i].avoids = 1u << i;
  }
  parameters[1].type = type;
  const WmAgent agents[2] = {add_walker(&world, &parameters[0], west, east),
                             add_walker(&world, &parameters[1], east, west)};
  CHECK_EQUAL_INT(walk_all(&world, agents, 2), 0);
  wm_crowd_destroy(world.crowd);
  wm_mesh_destroy(other);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void lanes_of_two_meshes_with_equal_references_are_two_passages(void) {
  WmContext *context = wm_context_create(NULL);
  LaneMaze maze = {.side = 1};
  maze_add(&maze, 0, 0, 8, 8);
  maze_add(&maze, 14, 0, 22, 8);
  maze_add(&maze, 8, 3.2f, 14, 4.8f);
  const float west[2] = {4, 4}, east[2] = {18, 4};
  check_two_meshes(context, maze_bake(context, &maze), maze_bake(context, &maze), west, east);
}

static void throats_of_two_meshes_with_equal_references_are_two_passages(void) {
  WmContext *context = wm_context_create(NULL);
  const float west[2] = {1, 2}, east[2] = {9, 2};
  check_two_meshes(context, make_throat(context), make_throat(context), west, east);
}

/* ---- Another way ---------------------------------------------------------------------------------------- */

/* Two rooms, 6 apart, and two lanes between them: one at z 2, and one at `other_z`. */
static LaneWorld open_two_lanes(float other_z) {
  LaneMaze maze = {.side = 1};
  maze_add(&maze, 0, 0, 8, other_z + 2);
  maze_add(&maze, 14, 0, 22, other_z + 2);
  maze_add(&maze, 8, 1.2f, 14, 2.8f);
  maze_add(&maze, 8, other_z - 0.8f, 14, other_z + 0.8f);
  return open_lane_world(&maze, 5);
}

enum { CROWD = 16 };

/* Sixteen agents in four columns, before a lane at z, in the east or in the west, that go through it. */
static void add_crowd(const LaneWorld *world, bool from_west, float z, WmAgent agents[CROWD]) {
  for (int i = 0; i < CROWD; i++) {
    const float along = (float)(i / 4), across = z - 1.3f + (float)(i % 4);
    const float near_west[2] = {7 - along, across}, near_east[2] = {15 + along, across};
    agents[i] = from_west ? add_walker(world, &WALKER, near_west, near_east)
                          : add_walker(world, &WALKER, near_east, near_west);
  }
}

/* Steps for half a minute. Returns how many of the agents were in the lane at z. */
static int count_in_lane(const LaneWorld *world, const WmAgent *agents, int count, float z) {
  bool was_there[CROWD] = {false};
  int there = 0;
  for (int step = 0; step < 60 * 30; step++) {
    run_crowd(world->crowd, 1, 1.0f / 60);
    for (int i = 0; i < count; i++) {
      const float *at = position_of(world->crowd, agents[i]);
      was_there[i] = was_there[i] || (at[0] > 8.5f && at[0] < 13 && fabsf(at[2] - z) < 1);
    }
  }
  for (int i = 0; i < count; i++) there += was_there[i];
  walk_all(world, agents, count);
  return there;
}

/* Sixteen agents come through the lane at `crowded_z` from the east. Returns true if an agent from the west, which
 * must wait for them, takes the lane at z. */
static bool takes_other_lane(const LaneWorld *world, float crowded_z, float z) {
  const float west[2] = {1, crowded_z - 1}, east[2] = {19, crowded_z - 1};
  WmAgent crowd[CROWD];
  add_crowd(world, false, crowded_z, crowd);
  const WmAgent agent = add_walker(world, &WALKER, west, east);
  const bool takes = count_in_lane(world, &agent, 1, z) == 1;
  walk_all(world, crowd, CROWD);
  /* The lane is free now: it goes back through it. */
  send_to(world->crowd, agent, west[0], west[1]);
  CHECK_EQUAL_INT(count_in_lane(world, &agent, 1, crowded_z), 1);
  CHECK_EQUAL_INT(wm_crowd_remove_agents(world->crowd, CROWD, crowd), WM_OK);
  CHECK_EQUAL_INT(wm_crowd_remove_agents(world->crowd, 1, &agent), WM_OK);
  return takes;
}

static void who_waits_takes_another_way_if_it_is_not_long(void) {
  LaneWorld near = open_two_lanes(10), far = open_two_lanes(60);
  CHECK(takes_other_lane(&near, 2, 10));
  CHECK(!takes_other_lane(&far, 2, 60));
  close_lane_world(&far);
  close_lane_world(&near);
}

/* Two rooms of one polygon each, and two lanes of 4 x 0.8 at their ends:
 *
 *      .-|==|-.      z 12
 *    <   |  |   >
 *      '-|==|-'      z 4 */
static WmMesh *make_two_lanes_of_one_polygon(WmContext *context) {
  static const uint16_t corners[][2] = {{0, 80},   {80, 124},  {80, 116},  {80, 44},  {80, 36},
                                        {200, 80}, {120, 124}, {120, 116}, {120, 44}, {120, 36}};
  static const uint16_t polygons[][DRAWN_CORNERS] = {{0, 1, 2, 3, 4, NO_CORNER},
                                                     {5, 9, 8, 7, 6, NO_CORNER},
                                                     {4, 3, 8, 9, NO_CORNER, NO_CORNER},
                                                     {2, 1, 6, 7, NO_CORNER, NO_CORNER}};
  return draw_mesh(context, &(Drawing){corners, polygons, 10, 4});
}

/* A crowd makes the lane costly, not the room before it: the other lane is at the other end of that room. */
static void who_waits_in_a_large_room_takes_another_way(void) {
  WmContext *context = wm_context_create(NULL);
  LaneWorld world = open_mesh_world(context, make_two_lanes_of_one_polygon(context), 5);
  WmAgent crowd[CROWD];
  for (int i = 0; i < CROWD; i++) {
    const float along = 0.9f * (float)(i / 4), across = 4.5f + (float)(i % 4);
    const float east[2] = {12.5f + along, across},
                west[2] = {7.5f - along, across + 1.2f}; /* all in the room */
    crowd[i] = add_walker(&world, &WALKER, east, west);
  }
  const float west[2] = {4, 6}, east[2] = {16, 6};
  const WmAgent agent = add_walker(&world, &WALKER, west, east);
  CHECK_EQUAL_INT(count_in_lane(&world, &agent, 1, 12), 1);
  walk_all(&world, crowd, CROWD);
  close_lane_world(&world);
}

/* After a crowd in one lane, another way is only sought from where agents wait now. */
static void a_lane_that_was_crowded_is_free_again(void) {
  LaneWorld world = open_two_lanes(10);
  CHECK(takes_other_lane(&world, 10, 2));
  const float west[2] = {1, 9}, east[2] = {19, 9};
  const WmAgent agent = add_walker(&world, &WALKER, west, east);
  CHECK_EQUAL_INT(count_in_lane(&world, &agent, 1, 10), 1);
  CHECK(takes_other_lane(&world, 2, 10));
  close_lane_world(&world);
}

/* One slow agent comes out of a lane. Sixteen wait for it: each raises the cost of the lane, so that some take the
 * other one. */
static void a_crowd_that_waits_for_one_takes_another_way(void) {
  LaneWorld world = open_two_lanes(10);
  WmAgentParameters slow = walker_parameters();
  slow.max_speed = 0.8f;
  const float inside[2] = {13, 2}, west[2] = {1, 5};
  add_walker(&world, &slow, inside, west);
  WmAgent crowd[CROWD];
  add_crowd(&world, true, 2, crowd);
  CHECK(count_in_lane(&world, crowd, CROWD, 10) > 0);
  close_lane_world(&world);
}

/* One that waits searches once for another way, not again and again. */
static void who_waits_searches_once_for_each_passage(void) {
  LaneWorld world = open_two_lanes(60);
  WmAgentParameters slow = walker_parameters();
  slow.max_speed = 0.8f;
  const float inside[2] = {13, 2}, west[2] = {1, 5}, east[2] = {19, 5};
  add_walker(&world, &slow, inside, west);
  const WmAgent waits = add_walker(&world, &WALKER, west, east);
  uint32_t searches = 0;
  for (int i = 0; i < 300; i++) {
    WmCrowdStep step;
    CHECK_EQUAL_INT(wm_crowd_step(world.crowd, 1.0f / 60, &step), WM_OK);
    searches += step.searches;
  }
  CHECK(info_of(world.crowd, waits).reason == WM_AGENT_REASON_RIGHT_OF_WAY);
  CHECK_EQUAL_INT(searches, 3); /* the paths of both, and another way */
  close_lane_world(&world);
}

/* Agents wait on two meshes that are not alike: each seeks its way on its own. */
static void who_waits_on_one_mesh_seeks_another_way_on_it(void) {
  LaneWorld world = open_two_lanes(10);
  LaneMaze maze = {.side = 1};
  maze_add(&maze, 100, 0, 108, 8);
  maze_add(&maze, 114, 0, 122, 8);
  maze_add(&maze, 108, 3.2f, 114, 4.8f);
  WmMesh *other = maze_bake(world.context, &maze);
  WmAgentParameters slow = walker_parameters(), normal = slow;
  slow.max_speed = 0.8f;
  CHECK_EQUAL_INT(wm_crowd_add_mesh(world.crowd, other, &slow.type), WM_OK);
  normal.type = slow.type;
  const float inside[2] = {113, 4}, west[2] = {101, 2}, east[2] = {121, 4};
  WmAgent agents[2] = {add_walker(&world, &slow, inside, west), add_walker(&world, &normal, west, east)};
  CHECK(takes_other_lane(&world, 2, 10));
  walk_all(&world, agents, 2);
  wm_crowd_destroy(world.crowd);
  world.crowd = NULL;
  wm_mesh_destroy(other);
  close_lane_world(&world);
}

int main(void) {
  WALKER = walker_parameters();
  RUN(lanes_with_a_room_between_are_two_passages);
  RUN(a_throat_is_a_passage_for_one);
  RUN(a_throat_lets_one_side_follow_each_other);
  RUN(a_small_throat_is_a_passage_for_one);
  RUN(lanes_of_two_meshes_with_equal_references_are_two_passages);
  RUN(throats_of_two_meshes_with_equal_references_are_two_passages);
  RUN(who_waits_takes_another_way_if_it_is_not_long);
  RUN(who_waits_in_a_large_room_takes_another_way);
  RUN(a_lane_that_was_crowded_is_free_again);
  RUN(a_crowd_that_waits_for_one_takes_another_way);
  RUN(who_waits_searches_once_for_each_passage);
  RUN(who_waits_on_one_mesh_seeks_another_way_on_it);
  return check_finish();
}
