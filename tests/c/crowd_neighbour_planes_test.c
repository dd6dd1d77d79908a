/* Half-planes of neighbours: with the whole share, the change that one asks for ends just beside the neighbour; lanes don't
 * depend on each other. */
#include <math.h>

#include "crowd/avoidance/neighbour_planes.h"
#include "crowd_worlds.h"

static WmBody random_body(uint32_t *seed, float reach) {
  return (WmBody){.x = crowd_random(seed, -reach, reach),
                  .z = crowd_random(seed, -reach, reach),
                  .radius = crowd_random(seed, 0.2f, 0.8f),
                  .velocity_x = crowd_random(seed, -3, 3),
                  .velocity_z = crowd_random(seed, -3, 3),
                  .number = grid_random(seed)};
}

static WmHalfPlane plane_of(const WmBody *own, const WmBody *other, float share, float horizon) {
  WmHalfPlanes set = {.count = 0};
  WmAvoided avoided = {.count = 1};
  for (int i = 0; i < WM_PLANE_LANES; i++) {
    avoided.bodies[i] = other;
    avoided.shares[i] = share;
    avoided.horizons[i] = horizon;
  }
  wm_add_neighbour_planes(&set, own, &avoided);
  CHECK_EQUAL_INT(set.count, 1);
  return set.planes[0];
}

/* The least distance of two bodies within a time, the first one at another velocity. */
static double nearest_within(const WmBody *own, const WmBody *other, const double velocity[2], double time) {
  const double x = (double)other->x - (double)own->x, z = (double)other->z - (double)own->z;
  const double u = velocity[0] - (double)other->velocity_x, w = velocity[1] - (double)other->velocity_z;
  const double squared = u * u + w * w, at = squared > 0 ? (x * u + z * w) / squared : 0;
  const double t = at < 0 ? 0 : at > time ? time : at;
  return hypot(x - u * t, z - w * t);
}

static void the_edge_of_a_plane_is_where_bodies_just_touch(void) {
  uint32_t seed = 1;
  int collides = 0, passes = 0;
  for (int i = 0; i < 20000; i++) {
    const WmBody own = random_body(&seed, 4), other = random_body(&seed, 4);
    const double horizon = (double)crowd_random(&seed, 0.3f, 3);
    const double both = (double)((own.radius + other.radius) * WM_AVOIDANCE_MARGIN);
    const double apart = hypot((double)own.x - (double)other.x, (double)own.z - (double)other.z);
    if (apart < 1.01 * both) continue;
    const WmHalfPlane plane = plane_of(&own, &other, 1, (float)horizon);
    CHECK(fabs(hypot((double)plane.direction[0], (double)plane.direction[1]) - 1) < 1e-4);
    const double edge[2] = {(double)plane.point[0], (double)plane.point[1]};
    CHECK(fabs(nearest_within(&own, &other, edge, horizon) - both) < 2e-3 * (1 + apart));
    /* The velocity of now is allowed where it does not lead to the neighbour. */
    const double now[2] = {(double)own.velocity_x, (double)own.velocity_z};
    const double beside =
        (double)plane.direction[0] * (now[1] - edge[1]) - (double)plane.direction[1] * (now[0] - edge[0]);
    const double distance = nearest_within(&own, &other, now, horizon);
    if (fabs(distance - both) < 0.01) continue;
    CHECK((distance > both) == (beside > 0));
    collides += distance < both;
    passes += distance > both;
  }
  CHECK(collides > 500 && passes > 500);
}

static void bodies_that_overlap_part_within_the_time_for_it(void) {
  uint32_t seed = 2;
  int overlaps = 0;
  for (int i = 0; i < 20000; i++) {
    const WmBody own = random_body(&seed, 0.5f), other = random_body(&seed, 0.5f);
    const double both = (double)((own.radius + other.radius) * WM_AVOIDANCE_MARGIN);
    const double x = (double)other.x - (double)own.x, z = (double)other.z - (double)own.z;
    if (hypot(x, z) > 0.99 * both) continue;
    const WmHalfPlane plane = plane_of(&own, &other, 1, 3);
    const double time = (double)WM_CROWD_PART_TIME;
    const double u = (double)plane.point[0] - (double)other.velocity_x,
                 w = (double)plane.point[1] - (double)other.velocity_z;
    CHECK(fabs(hypot(x - u * time, z - w * time) - both) < 1e-4);
    overlaps++;
  }
  CHECK(overlaps > 5000);
}

static void bodies_at_one_point_with_one_velocity_part_by_number(void) {
  WmBody own = {.x = 1, .z = 2, .radius = 0.5f, .velocity_x = 1, .velocity_z = -1, .number = 3}, other = own;
  other.number = 4;
  for (int i = 0; i < 2; i++) {
    const WmHalfPlane plane = plane_of(i ? &other : &own, i ? &own : &other, 0.5f, 3);
    const float side = i ? -1.0f : 1.0f;
    CHECK(fabsf(plane.point[0] - (1 + side * 0.5f * WM_AVOIDANCE_MARGIN / WM_CROWD_PART_TIME)) < 1e-5f);
    CHECK(plane.point[1] == -1 && plane.direction[0] == 0 && plane.direction[1] == -side);
  }
  /* At the centre of the disc, but not at one point: straight away. */
  other.x = 1.25f;
  other.velocity_x = 1 - 0.25f / WM_CROWD_PART_TIME;
  const WmHalfPlane plane = plane_of(&own, &other, 1, 3);
  CHECK(plane.direction[0] == 0 && plane.direction[1] == 1 && plane.point[1] == -1);
  CHECK(fabsf(plane.point[0] - (1 - WM_AVOIDANCE_MARGIN / WM_CROWD_PART_TIME)) < 1e-5f);
}

static void two_that_meet_head_on_turn_to_the_same_side(void) {
  const WmBody own = {.radius = 0.5f, .velocity_x = 1}, other = {.x = 4, .radius = 0.5f, .velocity_x = -1};
  const WmHalfPlane there = plane_of(&own, &other, 0.5f, 3), back = plane_of(&other, &own, 0.5f, 3);
  /* The side is that to which keep_right.c turns: for who walks along x, towards -z. */
  CHECK(there.point[1] < 0 && there.point[1] == -back.point[1]);
  CHECK(there.direction[0] == -back.direction[0] && there.direction[1] == -back.direction[1]);
}

static void lanes_do_not_depend_on_each_other(void) {
  uint32_t seed = 3;
  for (int round = 0; round < 300; round++) {
    const WmBody own = random_body(&seed, 1);
    WmBody bodies[WM_CROWD_NEIGHBOURS];
    WmAvoided avoided = {.count = (uint32_t)round % WM_CROWD_NEIGHBOURS + 1};
    WmHalfPlanes set = {.count = 2};
    for (uint32_t k = 0; k < WM_CROWD_NEIGHBOURS; k++) {
      bodies[k] = k % 5 == 4 ? own : random_body(&seed, 2);
      avoided.bodies[k] = bodies + k;
      avoided.shares[k] = crowd_random(&seed, 0.1f, 1);
      avoided.horizons[k] = crowd_random(&seed, 0.1f, 3);
    }
    wm_add_neighbour_planes(&set, &own, &avoided);
    CHECK_EQUAL_INT(set.count, 2 + avoided.count);
    for (uint32_t k = 0; k < avoided.count; k++) {
      const WmHalfPlane alone = plane_of(&own, bodies + k, avoided.shares[k], avoided.horizons[k]);
      CHECK(memcmp(&alone, set.planes + 2 + k, sizeof alone) == 0);
    }
  }
}

int main(void) {
  RUN(the_edge_of_a_plane_is_where_bodies_just_touch);
  RUN(bodies_that_overlap_part_within_the_time_for_it);
  RUN(bodies_at_one_point_with_one_velocity_part_by_number);
  RUN(two_that_meet_head_on_turn_to_the_same_side);
  RUN(lanes_do_not_depend_on_each_other);
  return check_finish();
}
