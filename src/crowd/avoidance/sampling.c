/* Avoidance by sampled velocities: rings of candidates around the desired velocity, finer from one refinement
 * to the next; the one with the smallest penalty wins, at equal penalties the first.
 *
 * Penalties: the distance from the desired velocity, the change of the present one, passing on the wrong
 * side, and an early collision. Without neighbours nothing is sampled.
 *
 * Source: M. Mononen, "Adaptive RVO", 2010, as DetourCrowd does it. Ours differs: neighbours at the same
 * point have no side, walls collide with the agent's radius, and the desired velocity itself is the first
 * candidate. */
#include "base/number.h"
#include "crowd/avoidance/shares.h"

enum { CANDIDATES = WM_CROWD_SAMPLE_DIVISIONS * WM_CROWD_SAMPLE_RINGS + 1 };

typedef struct Sampling {
  const WmBody *own;
  const WmBody *bodies;
  const uint32_t *indices;
  uint32_t count;
  const WmAgentRecord *record;
  float most; /* speed */
} Sampling;

/* The time until two circles at relative velocity `x`, `z` collide; WM_CROWD_SAMPLE_HORIZON if they don't
 * within that. */
static float time_to_circle(float to_x, float to_z, float radius, float x, float z) {
  const float speed = x * x + z * z, apart = to_x * to_x + to_z * to_z - radius * radius;
  if (speed < 1e-4f) return WM_CROWD_SAMPLE_HORIZON;
  const float along = x * to_x + z * to_z, root = along * along - speed * apart;
  if (root < 0) return WM_CROWD_SAMPLE_HORIZON;
  const float enter = (along - sqrtf(root)) / speed, leave = (along + sqrtf(root)) / speed;
  if (enter < 0 && leave > 0) return -0.5f * enter; /* inside: the deeper, the later */
  return enter >= 0 && enter < WM_CROWD_SAMPLE_HORIZON ? enter : WM_CROWD_SAMPLE_HORIZON;
}

/* The time until a velocity crosses a wall; doubled, since walls matter less. */
static float time_to_wall(const WmBody *own, const float wall[4], const float velocity[2]) {
  const float x = wall[2] - wall[0], z = wall[3] - wall[1];
  const float across = velocity[0] * z - velocity[1] * x;
  if (fabsf(across) < 1e-6f) return WM_CROWD_SAMPLE_HORIZON;
  const float to_x = wall[0] - own->x, to_z = wall[1] - own->z;
  const float time = (to_x * z - to_z * x) / across;
  const float part = (to_x * velocity[1] - to_z * velocity[0]) / across;
  const bool leads_out = velocity[0] * z - velocity[1] * x < 0; /* the surface is where this is above 0 */
  if (!leads_out || time < 0 || part < 0 || part > 1) return WM_CROWD_SAMPLE_HORIZON;
  return 2 * time < WM_CROWD_SAMPLE_HORIZON ? 2 * time : WM_CROWD_SAMPLE_HORIZON;
}

static float punish(const Sampling *sampling, const float velocity[2]) {
  const WmBody *own = sampling->own;
  const float *preferred = sampling->record->preferred;
  const float off_x = velocity[0] - preferred[0], off_z = velocity[1] - preferred[1];
  const float change_x = velocity[0] - own->velocity_x, change_z = velocity[1] - own->velocity_z;
  float soonest = WM_CROWD_SAMPLE_HORIZON, side = 0;
  for (uint32_t k = 0; k < sampling->count; k++) {
    const WmBody *other = sampling->bodies + sampling->indices[k];
    if (wm_crowd_is_soft(own, other)) continue;
    const float to_x = other->x - own->x, to_z = other->z - own->z, squared = to_x * to_x + to_z * to_z;
    /* Both change their velocity: the other's change is assumed to equal ours. */
    const float x = 2 * velocity[0] - own->velocity_x - other->velocity_x;
    const float z = 2 * velocity[1] - own->velocity_z - other->velocity_z;
    if (squared > 1e-8f) {
      const float scale = 1 / sqrtf(squared);
      const float ahead = 0.5f + 0.5f * scale * (to_x * x + to_z * z),
                  beside = 2 * scale * (to_x * z - to_z * x);
      const float wrong = ahead < beside ? ahead : beside;
      side += wm_clamp_unit(wrong);
    }
    const float time = time_to_circle(to_x, to_z, own->radius + other->radius, x, z);
    soonest = time < soonest ? time : soonest;
  }
  for (uint32_t k = 0; k < sampling->record->wall_count; k++) {
    if (wm_crowd_leaves_over(sampling->record, own, sampling->record->walls[k])) continue;
    const float time = time_to_wall(own, sampling->record->walls[k], velocity);
    soonest = time < soonest ? time : soonest;
  }
  return WM_CROWD_WEIGHT_PREFERRED * sqrtf(off_x * off_x + off_z * off_z) / sampling->most +
         WM_CROWD_WEIGHT_CURRENT * sqrtf(change_x * change_x + change_z * change_z) / sampling->most +
         WM_CROWD_WEIGHT_SIDE * side / (float)sampling->count +
         WM_CROWD_WEIGHT_TIME / (0.1f + soonest / WM_CROWD_SAMPLE_HORIZON);
}

/* Directions of a ring, counted from the desired one. */
static void make_pattern(const float direction[2], float pattern[CANDIDATES][2]) {
  const double turn = 6.283185307179586 / WM_CROWD_SAMPLE_DIVISIONS;
  pattern[0][0] = pattern[0][1] = 0;
  for (int ring = 0; ring < WM_CROWD_SAMPLE_RINGS; ring++) {
    const float radius = (float)(WM_CROWD_SAMPLE_RINGS - ring) / WM_CROWD_SAMPLE_RINGS;
    for (int i = 0; i < WM_CROWD_SAMPLE_DIVISIONS; i++) {
      const double angle = turn * ((double)i + 0.5 * (ring % 2));
      const float cosine = (float)wm_sine(angle, 1) * radius, sine = (float)wm_sine(angle, 0) * radius;
      float *at = pattern[1 + ring * WM_CROWD_SAMPLE_DIVISIONS + i];
      at[0] = direction[0] * cosine - direction[1] * sine;
      at[1] = direction[0] * sine + direction[1] * cosine;
    }
  }
}

/* Chooses a sampled velocity.
 * in         body: the agent's index in `bodies`; it has neighbours */
void wm_crowd_sample(WmCrowd *crowd, size_t body) {
  const WmBody *bodies = wm_crowd_bodies(crowd), *own = bodies + body;
  WmAgentRecord *record = &crowd->records[own->index];
  const Sampling sampling = {.own = own,
                             .bodies = bodies,
                             .indices = crowd->neighbours + (size_t)WM_CROWD_NEIGHBOURS * own->index,
                             .count = crowd->neighbour_counts[own->index],
                             .record = record,
                             .most = record->parameters.max_speed};
  if (!(sampling.most > 0) || own->is_still) return;
  float pattern[CANDIDATES][2];
  make_pattern(record->direction, pattern);
  float best[2] = {record->preferred[0], record->preferred[1]}, least = punish(&sampling, best);
  float centre[2] = {best[0] * WM_CROWD_SAMPLE_BIAS, best[1] * WM_CROWD_SAMPLE_BIAS},
        width = sampling.most * (1 - WM_CROWD_SAMPLE_BIAS);
  for (int level = 0; level < WM_CROWD_SAMPLE_REFINEMENTS; level++) {
    for (int i = 0; i < CANDIDATES; i++) {
      const float velocity[2] = {centre[0] + pattern[i][0] * width, centre[1] + pattern[i][1] * width};
      if (velocity[0] * velocity[0] + velocity[1] * velocity[1] > sampling.most * sampling.most * 1.001f)
        continue;
      const float punished = punish(&sampling, velocity);
      if (!(punished < least)) continue;
      least = punished;
      memcpy(best, velocity, sizeof best);
    }
    memcpy(centre, best, sizeof centre);
    width *= 0.5f;
  }
  memcpy(record->chosen, best, sizeof record->chosen);
}
