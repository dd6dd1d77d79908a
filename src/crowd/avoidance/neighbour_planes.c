/* See neighbour_planes.h. Both cases are computed for all lanes, and one of them is selected:
 *
 *   disc   the relative velocity is nearest to the disc of velocities that touch at the end of the time
 *   leg    it is nearest to one of the two tangents from the origin to that disc
 *
 * Two agents that meet head-on both keep right, since neither side is better. */
#include "crowd/avoidance/neighbour_planes.h"

#include "base/simd.h"

/* Vectors on x and z. */
typedef struct Pair {
  WmFloat4 x, z;
} Pair;

/* Distances, velocities and times of four neighbours, one in each lane. */
typedef struct Lanes {
  Pair to, velocity;        /* to the neighbour; of the agent relative to it */
  WmFloat4 radius, squared; /* both radii; the distance, squared */
  WmFloat4 distance, time;
} Lanes;

/* The smallest change of the relative velocity that avoids the collision, and the direction of the half-plane. */
typedef struct Answer {
  Pair change, direction;
} Answer;

static WmFloat4 dot(Pair a, Pair b) { return a.x * b.x + a.z * b.z; }
static WmFloat4 cross(Pair a, Pair b) { return a.x * b.z - a.z * b.x; }
static WmFloat4 magnitude(WmFloat4 v) { return (WmFloat4)((WmInt4)v & wm_splat_int4(INT32_MAX)); }

static Pair select_pair(WmInt4 mask, Pair a, Pair b) {
  return (Pair){wm_select_float4(mask, a.x, b.x), wm_select_float4(mask, a.z, b.z)};
}

static Lanes gather(const WmBody *own, const WmBody *const bodies[WM_PLANE_LANES], WmFloat4 horizon) {
  WmFloat4 places[4], motions[4];
  for (int i = 0; i < WM_PLANE_LANES; i++) {
    places[i] = wm_load_float4(&bodies[i]->x); /* x, z, y, radius */
    motions[i] = wm_load_float4(&bodies[i]->velocity_x);
  }
  wm_transpose_float4(places);
  wm_transpose_float4(motions);
  Lanes lanes = {
      .to = {places[0] - wm_splat_float4(own->x), places[1] - wm_splat_float4(own->z)},
      .velocity = {wm_splat_float4(own->velocity_x) - motions[0],
                   wm_splat_float4(own->velocity_z) - motions[1]},
      .radius = (wm_splat_float4(own->radius) + places[3]) * wm_splat_float4(WM_AVOIDANCE_MARGIN),
  };
  lanes.squared = dot(lanes.to, lanes.to);
  lanes.distance = wm_sqrt_float4(lanes.squared);
  const WmInt4 is_apart = lanes.squared > lanes.radius * lanes.radius;
  lanes.time = wm_select_float4(is_apart, horizon, wm_splat_float4(WM_CROWD_PART_TIME));
  return lanes;
}

/* in         from: the relative velocity as seen from the disc's centre, not 0 */
static Answer avoid_disc(const Lanes *lanes, Pair from, WmFloat4 length) {
  const Pair away = {from.x / length, from.z / length};
  const WmFloat4 needed = lanes->radius / lanes->time - length;
  return (Answer){.change = {away.x * needed, away.z * needed}, .direction = {away.z, -away.x}};
}

/* in         is_left: the left leg is the nearer one */
static Answer avoid_leg(const Lanes *lanes, WmInt4 is_left) {
  const Pair to = lanes->to, velocity = lanes->velocity;
  const WmFloat4 radius = lanes->radius, squared = lanes->squared;
  const WmFloat4 leg = wm_sqrt_float4(squared - radius * radius);
  const Pair left = {(to.x * leg - to.z * radius) / squared, (to.x * radius + to.z * leg) / squared};
  const Pair right = {-(to.x * leg + to.z * radius) / squared, -(-to.x * radius + to.z * leg) / squared};
  const Pair direction = select_pair(is_left, left, right);
  const WmFloat4 along = dot(velocity, direction);
  return (Answer){.change = {along * direction.x - velocity.x, along * direction.z - velocity.z},
                  .direction = direction};
}

/* The disc's answer for a relative velocity at its very centre: straight away from the neighbour, or apart by number. */
static void avoid_centre(const Lanes *lanes, int lane, const WmBody *own, const WmBody *other,
                         Answer *answer) {
  float away[2] = {own->number < other->number ? 1.0f : -1.0f, 0};
  if (lanes->squared[lane] > 1e-12f) {
    away[0] = -lanes->to.x[lane] / lanes->distance[lane];
    away[1] = -lanes->to.z[lane] / lanes->distance[lane];
  }
  answer->change.x[lane] = away[0] * lanes->radius[lane] / lanes->time[lane];
  answer->change.z[lane] = away[1] * lanes->radius[lane] / lanes->time[lane];
  answer->direction.x[lane] = away[1];
  answer->direction.z[lane] = -away[0];
}

static Answer answer_lanes(const WmBody *own, const WmBody *const bodies[WM_PLANE_LANES], WmFloat4 horizon) {
  const Lanes lanes = gather(own, bodies, horizon);
  const WmFloat4 radius = lanes.radius, both = radius * radius, squared = lanes.squared;
  const Pair from = {lanes.velocity.x - lanes.to.x / lanes.time, lanes.velocity.z - lanes.to.z / lanes.time};
  const WmFloat4 towards = dot(lanes.velocity, lanes.to), beside = cross(lanes.to, lanes.velocity);
  const WmInt4 is_head_on =
      (towards * horizon > lanes.distance * (lanes.distance - radius)) &
      (magnitude(beside) * horizon < wm_splat_float4(WM_CROWD_HEAD_ON) * radius * lanes.distance);
  const WmFloat4 from_towards = dot(from, lanes.to), from_squared = dot(from, from);
  const WmInt4 is_disc = (squared <= both) | (~is_head_on & (from_towards < wm_splat_float4(0)) &
                                              (from_towards * from_towards > both * from_squared));
  const WmFloat4 length = wm_sqrt_float4(from_squared);
  Answer disc = avoid_disc(&lanes, from, length);
  const WmInt4 is_off_centre = length > wm_splat_float4(1e-6f);
  for (int at = wm_mask_int4(is_disc & ~is_off_centre); at; at &= at - 1) {
    const int lane = __builtin_ctz((unsigned)at);
    avoid_centre(&lanes, lane, own, bodies[lane], &disc);
  }
  const Answer leg = avoid_leg(&lanes, ~is_head_on & (cross(lanes.to, from) > wm_splat_float4(0)));
  return (Answer){.change = select_pair(is_disc, disc.change, leg.change),
                  .direction = select_pair(is_disc, disc.direction, leg.direction)};
}

void wm_add_neighbour_planes(WmHalfPlanes *set, const WmBody *own, const WmAvoided *avoided) {
  for (uint32_t k = 0; k < avoided->count; k += WM_PLANE_LANES) {
    const Answer answer = answer_lanes(own, avoided->bodies + k, wm_load_float4(avoided->horizons + k));
    const WmFloat4 share = wm_load_float4(avoided->shares + k);
    WmFloat4 rows[4] = {wm_splat_float4(own->velocity_x) + share * answer.change.x,
                        wm_splat_float4(own->velocity_z) + share * answer.change.z, answer.direction.x,
                        answer.direction.z};
    wm_transpose_float4(rows);
    memcpy(set->planes + set->count + k, rows, sizeof rows);
  }
  set->count += avoided->count;
}
