/* The velocities that avoidance chooses: against all velocities of a fine grid in the disc of speeds, and the
 * guarantee of reciprocal avoidance for two agents that both follow it. */
#include "crowd/avoidance/half_planes.h"
#include "crowd_worlds.h"

enum { GRID = 120 };

static double violation_of(const WmHalfPlane *plane, double x, double z) {
  return (double)plane->direction[0] * ((double)plane->point[1] - z) -
         (double)plane->direction[1] * ((double)plane->point[0] - x);
}

/* The largest violation from `first` to `end`; negative inside all of them. */
static double worst_of(const WmHalfPlanes *set, uint32_t first, uint32_t end, double x, double z) {
  double worst = -INFINITY;
  for (uint32_t i = first; i < end; i++) worst = fmax(worst, violation_of(&set->planes[i], x, z));
  return worst;
}

typedef struct Oracle {
  bool is_possible;
  double nearest; /* distance of the best one to the preferred velocity */
  double least;   /* the largest violation of the others, among velocities that walls allow */
} Oracle;

/* Searches a grid, and the preferred velocity itself. */
static Oracle sample(const WmHalfPlanes *set, const float preferred[2]) {
  Oracle oracle = {.nearest = INFINITY, .least = INFINITY};
  const double speed = set->speed;
  for (int i = 0; i <= GRID * GRID; i++) {
    const bool is_last = i == GRID * GRID;
    const double x = is_last ? preferred[0] : speed * (2.0 * (i % GRID) / (GRID - 1) - 1);
    const double z = is_last ? preferred[1] : speed * (2.0 * (i / GRID) / (GRID - 1) - 1);
    if (x * x + z * z > speed * speed) continue;
    if (worst_of(set, 0, set->wall_count, x, z) > 0) continue;
    const double worst = worst_of(set, set->wall_count, set->count, x, z);
    oracle.least = fmin(oracle.least, worst);
    if (worst > 0) continue;
    oracle.is_possible = true;
    oracle.nearest = fmin(oracle.nearest, hypot(x - (double)preferred[0], z - (double)preferred[1]));
  }
  return oracle;
}

static WmHalfPlane draw_plane(uint32_t *seed, float speed, bool allows_rest) {
  WmHalfPlane plane;
  float length;
  do {
    for (int i = 0; i < 2; i++) plane.direction[i] = crowd_random(seed, -1, 1);
    length = hypotf(plane.direction[0], plane.direction[1]);
  } while (length < 0.1f);
  if (grid_random(seed) % 4 == 0) { /* parallel ones, and right angles */
    const int axis = (int)(grid_random(seed) % 2);
    plane.direction[axis] = plane.direction[axis] < 0 ? -1.0f : 1.0f;
    plane.direction[1 - axis] = 0;
    length = 1;
  }
  for (int i = 0; i < 2; i++) plane.direction[i] /= length;
  const float aside = crowd_random(seed, -0.9f, allows_rest ? 0 : 0.4f) * speed,
              along = crowd_random(seed, -1, 1);
  plane.point[0] = -plane.direction[1] * aside + plane.direction[0] * along;
  plane.point[1] = plane.direction[0] * aside + plane.direction[1] * along;
  return plane;
}

static void the_chosen_velocity_is_the_best_of_all(void) {
  uint32_t seed = 4;
  int possible = 0, impossible = 0;
  for (int round = 0; round < 700; round++) {
    WmHalfPlanes set;
    set.speed = crowd_random(&seed, 0.5f, 5);
    set.wall_count = grid_random(&seed) % 3;
    set.count = set.wall_count + 1 + grid_random(&seed) % (round % 2 ? 4 : 14);
    for (uint32_t i = 0; i < set.count; i++) set.planes[i] = draw_plane(&seed, set.speed, i < set.wall_count);
    float preferred[2], chosen[2];
    for (int i = 0; i < 2; i++) preferred[i] = crowd_random(&seed, -0.7f, 0.7f) * set.speed;
    const uint32_t kept = wm_half_planes_solve(&set, preferred, chosen);
    if (kept < set.count)
      wm_half_planes_solve_least(&set, kept < set.wall_count ? set.wall_count : kept, chosen);
    const Oracle oracle = sample(&set, preferred);
    const double slack = 1e-4 * (double)set.speed, cell = 2.0 * (double)set.speed / (GRID - 1);
    CHECK(hypot((double)chosen[0], (double)chosen[1]) <= (double)set.speed + slack);
    CHECK(worst_of(&set, 0, set.wall_count, (double)chosen[0], (double)chosen[1]) <= slack);
    const double worst = worst_of(&set, set.wall_count, set.count, (double)chosen[0], (double)chosen[1]);
    if (oracle.is_possible) {
      const double away = hypot((double)(chosen[0] - preferred[0]), (double)(chosen[1] - preferred[1]));
      CHECK(kept == set.count);
      CHECK(worst <= slack);
      CHECK(away <= oracle.nearest + slack);
      possible++;
    } else {
      CHECK(kept < set.count || worst <= slack); /* between two points of the grid */
      CHECK(worst <= fmax(oracle.least, 0) + slack);
      impossible++;
    }
    /* The result isn't better than possible: the grid is as good, except for the distance of its points. */
    if (kept < set.count) CHECK(worst >= oracle.least - cell);
  }
  CHECK(possible > 150 && impossible > 150);
}

/* Nearly parallel edges cross so far away that a float has no digits left for a velocity. */
static void nearly_parallel_planes_leave_speeds_within_their_disc(void) {
  uint32_t seed = 11;
  int squeezed = 0;
  for (int round = 0; round < 20000; round++) {
    WmHalfPlanes set = {.speed = crowd_random(&seed, 0.2f, 6)};
    set.wall_count = grid_random(&seed) % 3;
    set.count = set.wall_count + 2 + grid_random(&seed) % 8;
    for (uint32_t i = 0; i < set.count; i++) {
      set.planes[i] = draw_plane(&seed, set.speed, i < set.wall_count);
      if (i == 0 || grid_random(&seed) % 3) continue;
      const float *like = set.planes[grid_random(&seed) % i].direction;
      float share = 1e-1f;
      for (uint32_t tenths = grid_random(&seed) % 6; tenths > 0; tenths--) share *= 0.1f;
      float *direction = set.planes[i].direction, sign = round & 1 ? 1.0f : -1.0f;
      for (int k = 0; k < 2; k++) direction[k] = sign * like[k] + crowd_random(&seed, -share, share);
      const float length = hypotf(direction[0], direction[1]);
      for (int k = 0; k < 2; k++) direction[k] /= length;
      if (i >= set.wall_count) continue;
      const float aside = crowd_random(&seed, -1, 0);
      set.planes[i].point[0] = -direction[1] * aside;
      set.planes[i].point[1] = direction[0] * aside;
    }
    float preferred[2], chosen[2];
    for (int i = 0; i < 2; i++) preferred[i] = crowd_random(&seed, -1, 1) * set.speed;
    const uint32_t kept = wm_half_planes_solve(&set, preferred, chosen);
    if (kept < set.count)
      wm_half_planes_solve_least(&set, kept < set.wall_count ? set.wall_count : kept, chosen);
    squeezed += kept < set.count;
    CHECK(hypotf(chosen[0], chosen[1]) <= set.speed * 1.0001f);
  }
  CHECK(squeezed > 1000);
}

/* Two agents that reach their chosen velocity immediately. An agent that yields alone relies on the other
 * one's present velocity: that one doesn't change it. */
static void two_agents_do_not_meet_within_the_horizon(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_field(context, 6);
  uint32_t seed = 21;
  int changed = 0;
  for (int round = 0; round < 400; round++) {
    WmCrowd *crowd = make_crowd(context, mesh);
    WmAgentParameters parameters = wm_agent_parameters_default();
    parameters.max_acceleration = 1e6f;
    parameters.max_speed = 4;
    parameters.avoidance = WM_AVOIDANCE_LOW + grid_random(&seed) % 3;
    WmAgent agents[2];
    float velocities[6];
    uint32_t priorities[2];
    for (int i = 0; i < 2; i++) {
      parameters.radius = crowd_random(&seed, 0.2f, 0.6f);
      parameters.horizon = 1;
      parameters.priority = priorities[i] = grid_random(&seed) % 50;
      /* Nearer than 1.5, neighbours can't always part in time. */
      const float away = i ? crowd_random(&seed, 1.5f, 4) : 0;
      const float aside = i ? crowd_random(&seed, -1, 1) : 0;
      agents[i] = add_agent(crowd, 22 + away, 24 + aside, &parameters);
    }
    const bool both = abs((int)priorities[0] - (int)priorities[1]) < 20;
    for (int step = 0; step < 2; step++) { /* towards each other, more or less */
      for (int i = 0; i < 6 && (both || step == 0); i++) {
        const bool ahead = i % 3 == 0;
        velocities[i] = ahead ? crowd_random(&seed, 0, i ? -2 : 2) : crowd_random(&seed, -1, 1);
      }
      CHECK_EQUAL_INT(wm_crowd_set_velocities(crowd, 2, agents, velocities, false), WM_OK);
      run_crowd(crowd, 1, 1e-3f);
    }
    WmCrowdView view;
    wm_crowd_view(crowd, &view);
    float gap = 0;
    for (int i = 0; i < 2; i++) gap += info_of(crowd, agents[i]).radius;
    const float *p = view.positions, *v = view.velocities;
    for (int t = 0; t <= 100; t++) {
      const float seconds = (float)t / 100;
      const float x = p[3] - p[0] + (v[3] - v[0]) * seconds, z = p[5] - p[2] + (v[5] - v[2]) * seconds;
      CHECK(hypotf(x, z) >= gap - 1e-3f);
    }
    changed += hypotf(v[0] - velocities[0], v[2] - velocities[2]) > 1e-3f;
    wm_crowd_destroy(crowd);
  }
  CHECK(changed > 60);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

int main(void) {
  RUN(the_chosen_velocity_is_the_best_of_all);
  RUN(nearly_parallel_planes_leave_speeds_within_their_disc);
  RUN(two_agents_do_not_meet_within_the_horizon);
  return check_finish();
}
