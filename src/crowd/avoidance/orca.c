/* Avoidance by reciprocal velocity obstacles: each neighbour and each wall allows a half-plane of velocities;
 * the result is the velocity nearest to the desired one that all allow, or the least forbidden one.
 *
 * Velocities are x and z. A half-plane is a point on its edge and the edge's direction; velocities to its
 * left are allowed. Two agents that meet head-on both keep right, since neither side is better.
 *
 * Source: J. van den Berg, S. J. Guy, M. Lin, D. Manocha, "Reciprocal n-body collision avoidance", 2011. Ours
 * differs: shares depend on priorities and on which one stands (shares.h); walls allow velocities that
 * don't reach them within a short time; agents that can't avoid all neighbours as far ahead as they look do so
 * as far as braking needs. */
#include "crowd/avoidance/neighbour_planes.h"
#include "crowd/avoidance/shares.h"

/* ---- Half-planes -------------------------------------------------------------------------------------- */

/* True if a velocity leads past one of a wall's ends, or to it.
 * in         along: from the wall's first end to the agent, of `length`; beside: the wall's unit vector; time: until
 *            the velocity reaches the wall's line */
static bool passes_end(const float velocity[2], float along, float length, const float beside[2],
                       float time) {
  const float at = along + wm_dot(velocity, beside) * time;
  return at < WM_CROWD_WALL_END || at > length - WM_CROWD_WALL_END;
}

/* Adds a wall beside the agent: limits the velocity towards it, so that reaching it takes
 * WM_CROWD_WALL_TIME; but not below the desired velocity where that leads past the wall's end. */
static void add_wall(WmHalfPlanes *set, const WmBody *own, const float preferred[2], const float wall[4]) {
  const float x = wall[2] - wall[0], z = wall[3] - wall[1];
  const float to_x = own->x - wall[0], to_z = own->z - wall[1];
  const float squared = x * x + z * z, along = to_x * x + to_z * z;
  if (!(squared > 0) || along < 0 || along > squared) return;
  const float length = sqrtf(squared);
  /* The surface is where wm_cross(wall, to) has the sign of polygons' insides. */
  const float distance = (z * to_x - x * to_z) / length;
  if (distance < -WM_CROWD_WALL_BEHIND || distance > set->speed * WM_CROWD_WALL_TIME) return;
  const float normal[2] = {z / length, -x / length};
  float speed = (distance > 0 ? distance : 0) / WM_CROWD_WALL_TIME;
  const float beside[2] = {x / length, z / length}, towards = -wm_dot(preferred, normal);
  if (towards > speed && distance > 0 &&
      passes_end(preferred, along / length, length, beside, distance / towards))
    speed = towards;
  WmHalfPlane *line = &set->planes[set->count++];
  line->point[0] = -normal[0] * speed;
  line->point[1] = -normal[1] * speed;
  line->direction[0] = normal[1];
  line->direction[1] = -normal[0];
}

/* Separation: adds to the desired velocity, by the distance of neighbours beyond touching. */
static void keep_apart(const WmCrowd *crowd, const WmBody *own, WmAgentRecord *record) {
  const WmBody *bodies = wm_crowd_bodies(crowd);
  const uint32_t *indices = crowd->neighbours + (size_t)WM_CROWD_NEIGHBOURS * own->index;
  const float most = record->parameters.max_speed, strength = record->parameters.separation * most;
  float away[2] = {0, 0};
  for (uint32_t k = 0; k < crowd->neighbour_counts[own->index]; k++) {
    const WmBody *other = bodies + indices[k];
    const float x = own->x - other->x, z = own->z - other->z, distance = sqrtf(x * x + z * z);
    const float range = WM_CROWD_SEPARATION_RANGE * (own->radius + other->radius);
    if (!(distance < range) || !(distance > WM_CROWD_SAME_POINT)) continue;
    const float weight = strength * (1 - distance / range) / distance;
    away[0] += x * weight;
    away[1] += z * weight;
  }
  record->preferred[0] += away[0];
  record->preferred[1] += away[1];
  const float squared = wm_dot(record->preferred, record->preferred);
  if (squared > most * most) {
    const float scale = most / sqrtf(squared);
    record->preferred[0] *= scale;
    record->preferred[1] *= scale;
  }
}

/* An eighth of a turn aside, to the same side for all: two agents without avoidance would push each other
 * forever. */
static void lean(WmAgentRecord *record) {
  const float x = record->preferred[0] * 0.70710678f, z = record->preferred[1] * 0.70710678f;
  record->chosen[0] = x - z;
  record->chosen[1] = x + z;
}

/* How far ahead neighbours are avoided: the agent's horizon; the time to brake; WM_CROWD_SHORT_HORIZON. */
typedef enum Foresight { FORESEE_ALL, FORESEE_BRAKING, FORESEE_LITTLE } Foresight;

/* The time in which the agent alone could stop approaching the other one, seconds. */
static float braking_time(const WmAgentRecord *record, const WmBody *own, const WmBody *other) {
  const float to[2] = {other->x - own->x, other->z - own->z};
  const float velocity[2] = {own->velocity_x - other->velocity_x, own->velocity_z - other->velocity_z};
  const float distance = sqrtf(wm_dot(to, to));
  return distance > 0 ? wm_dot(velocity, to) / (distance * record->parameters.max_acceleration) : 0;
}

static float horizon_of(const WmAgentRecord *record, const WmBody *own, const WmBody *other,
                        Foresight foresight) {
  const bool yields = other->yields || (other->is_still && other->index != WM_NONE);
  const float least = yields ? 0 : WM_CROWD_OBSTACLE_HORIZON;
  float horizon = record->parameters.horizon;
  /* Agents of one row have their distances already (passages/merge.c), and turn at the entry. */
  if (own->row && own->row == other->row && foresight == FORESEE_ALL) foresight = FORESEE_BRAKING;
  if (foresight != FORESEE_ALL) {
    const float braking = foresight == FORESEE_BRAKING ? braking_time(record, own, other) : 0;
    const float time = braking > WM_CROWD_SHORT_HORIZON ? braking : WM_CROWD_SHORT_HORIZON;
    horizon = time < horizon ? time : horizon;
  }
  return horizon < least ? least : horizon;
}

/* Collects the neighbours that the agent avoids. */
static void collect(const WmCrowd *crowd, const WmBody *own, bool is_held_up, WmAvoided *avoided) {
  const WmBody *bodies = wm_crowd_bodies(crowd);
  const uint32_t *indices = crowd->neighbours + (size_t)WM_CROWD_NEIGHBOURS * own->index;
  uint32_t count = 0;
  for (uint32_t k = 0; k < crowd->neighbour_counts[own->index]; k++) {
    const WmBody *other = bodies + indices[k];
    if (wm_crowd_is_soft(own, other) || (is_held_up && wm_crowd_can_be_pushed(crowd, other))) continue;
    const float share = wm_crowd_avoidance_share(own, other);
    if (share <= 0) continue;
    avoided->bodies[count] = other;
    avoided->shares[count++] = share;
  }
  avoided->count = count;
  for (; count % WM_PLANE_LANES; count++) {
    avoided->bodies[count] = avoided->bodies[count - 1];
    avoided->shares[count] = 0;
  }
}

static void set_horizons(const WmAgentRecord *record, const WmBody *own, Foresight foresight,
                         WmAvoided *avoided) {
  uint32_t k = 0;
  for (; k < avoided->count; k++)
    avoided->horizons[k] = horizon_of(record, own, avoided->bodies[k], foresight);
  for (; k % WM_PLANE_LANES; k++) avoided->horizons[k] = avoided->horizons[k - 1];
}

/* Chooses the velocity that neighbours and walls allow. Velocities that can't be reached in time are useless:
 * an agent at speed that finds none past all neighbours avoids those that it must brake for by now. A blocked
 * agent doesn't, since dense crowds would stop. */
static void choose(const WmCrowd *crowd, const WmBody *own, WmAgentRecord *record, bool is_held_up) {
  WmAvoided avoided;
  collect(crowd, own, is_held_up, &avoided);
  if (avoided.count == 0) return;
  WmHalfPlanes set;
  set.count = 0;
  set.speed = record->parameters.max_speed;
  for (uint32_t k = 0; k < record->wall_count; k++) {
    if (!wm_crowd_leaves_over(record, own, record->walls[k]))
      add_wall(&set, own, record->preferred, record->walls[k]);
  }
  set.wall_count = set.count;
  const bool is_at_speed = record->progress_speed > WM_FREE_PACE * record->parameters.max_speed;
  Foresight foresight = record->parameters.horizon > WM_CROWD_SHORT_HORIZON ? FORESEE_ALL : FORESEE_LITTLE;
  for (;;) {
    set_horizons(record, own, foresight, &avoided);
    set.count = set.wall_count;
    wm_add_neighbour_planes(&set, own, &avoided);
    const uint32_t solved = wm_half_planes_solve(&set, record->preferred, record->chosen);
    if (solved == set.count) break;
    if (foresight == FORESEE_LITTLE) {
      wm_half_planes_solve_least(&set, solved < set.wall_count ? set.wall_count : solved, record->chosen);
      break;
    }
    foresight = foresight == FORESEE_ALL && is_at_speed ? FORESEE_BRAKING : FORESEE_LITTLE;
  }
}

void wm_crowd_avoid(WmCrowd *crowd, size_t body) {
  const WmBody *own = wm_crowd_bodies(crowd) + body;
  WmAgentRecord *record = &crowd->records[own->index];
  memcpy(record->chosen, record->preferred, sizeof record->chosen);
  const bool is_held_up = record->blocked_time > WM_SQUEEZE_TIME && !own->is_still;
  if (record->parameters.avoidance == WM_AVOIDANCE_NONE) {
    if (is_held_up) lean(record);
    return;
  }
  if (crowd->neighbour_counts[own->index] == 0 || record->is_paused) {
    record->slowdown = 0;
    return;
  }
  const bool heeds_others = !own->is_still && !own->passes;
  if (record->parameters.separation > 0 && heeds_others) keep_apart(crowd, own, record);
  if (heeds_others && record->order == WM_ORDER_TARGET) wm_crowd_keep_right(crowd, body);
  memcpy(record->chosen, record->preferred, sizeof record->chosen);
  /* Between two resting agents, samples find nothing better than to stand, and resting agents don't step
   * aside. */
  const bool samples = record->parameters.avoidance == WM_AVOIDANCE_SAMPLING;
  if (samples && !own->is_still && record->blocked_time < WM_SAMPLING_PATIENCE) {
    wm_crowd_sample(crowd, body);
  } else {
    choose(crowd, own, record, is_held_up);
  }
  wm_crowd_measure_slowdown(record);
}
