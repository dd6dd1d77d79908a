/* Bounds for crowds of any size: agents that change places at random, sparse and dense, thin and wide, at
 * many and few steps a second, all arrive, and never overlap deeply. */
#include "crowd_worlds.h"

typedef struct Variant {
  int count, steps_a_second;
  float radius;
  uint32_t seed;
} Variant;

enum { SIDE = 5, SECONDS = 60, LOOK = 4 }; /* overlaps are measured every LOOK steps */
#define WIDTH 38.0f

/* Points in rows, as far apart as the field allows. */
static void place_of(const Variant *variant, int i, float place[2]) {
  const int columns = (int)ceilf(sqrtf((float)variant->count));
  const float spacing = WIDTH / (float)columns;
  place[0] = 1 + spacing * (0.5f + (float)(i % columns));
  place[1] = 1 + spacing * (0.5f + (float)(i / columns));
}

static void send_all(WmCrowd *crowd, const Variant *variant) {
  WmAgentParameters parameters = wm_agent_parameters_default();
  parameters.radius = variant->radius;
  uint32_t seed = variant->seed;
  int goals[300];
  for (int i = 0; i < variant->count; i++) goals[i] = i;
  for (int i = variant->count - 1; i > 0; i--) {
    const int other = (int)(grid_random(&seed) % (uint32_t)(i + 1)), goal = goals[i];
    goals[i] = goals[other];
    goals[other] = goal;
  }
  for (int i = 0; i < variant->count; i++) {
    float start[2], goal[2];
    place_of(variant, i, start);
    place_of(variant, goals[i], goal);
    const float x = start[0] + crowd_random(&seed, -0.3f, 0.3f);
    const float z = start[1] + crowd_random(&seed, -0.3f, 0.3f);
    send_to(crowd, add_agent(crowd, x, z, &parameters), goal[0], goal[1]);
  }
}

/* The deepest overlap, and the sum of all, but for agents that pass through others, or did so less than a
 * second ago.
 * in/out     passed [count]: steps until an agent counts again */
static float look_at_overlaps(const WmCrowdView *view, const Variant *variant, int passed[], double *sum) {
  const float radius = variant->radius;
  float deepest = 0;
  for (size_t i = 0; i < view->count; i++) {
    passed[i] = view->reasons[i] == WM_AGENT_REASON_PASSING ? variant->steps_a_second : passed[i] - LOOK;
  }
  for (size_t i = 0; i < view->count; i++) {
    const float *a = view->positions + 3 * i;
    for (size_t j = 0; j < i; j++) {
      const float *b = view->positions + 3 * j;
      const float x = a[0] - b[0], z = a[2] - b[2], squared = x * x + z * z;
      if (squared >= 4 * radius * radius || passed[i] > 0 || passed[j] > 0) continue;
      const float depth = 2 * radius - sqrtf(squared);
      deepest = depth > deepest ? depth : deepest;
      *sum += (double)depth;
    }
  }
  return deepest;
}

static void check_variant(const Variant *variant) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_field(context, SIDE);
  WmCrowd *crowd = make_crowd(context, mesh);
  send_all(crowd, variant);
  WmCrowdView view;
  wm_crowd_view(crowd, &view);
  size_t arrived = 0;
  float deepest = 0;
  double sum = 0;
  int passed[300] = {0};
  for (int step = 0; step < SECONDS * variant->steps_a_second && arrived < view.count; step++) {
    run_crowd(crowd, 1, 1.0f / (float)variant->steps_a_second);
    if (step % LOOK != 0) continue;
    const float depth = look_at_overlaps(&view, variant, passed, &sum);
    deepest = depth > deepest ? depth : deepest;
    arrived = 0;
    for (size_t i = 0; i < view.count; i++) arrived += view.states[i] == WM_AGENT_ARRIVED;
  }
  CHECK_EQUAL_INT(arrived, view.count);
  CHECK(deepest < variant->radius);
  /* With other seeds the worst are at 0.58, the best at 0.3. */
  CHECK(sum * LOOK / variant->steps_a_second < 0.75 * (double)variant->radius * (double)view.count);
  wm_crowd_destroy(crowd);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void agents_that_change_places_arrive_side_by_side(void) {
  static const Variant VARIANTS[] = {{50, 60, 0.3f, 1},  {50, 30, 0.6f, 2},  {300, 60, 0.3f, 3},
                                     {300, 30, 0.3f, 4}, {300, 60, 0.6f, 5}, {300, 30, 0.6f, 6}};
  /* Programs that play fewer rounds play one small and one large crowd. */
  const size_t stride = check_rounds_divisor > 1 ? 3 : 1;
  for (size_t i = 0; i < sizeof VARIANTS / sizeof *VARIANTS; i += stride) check_variant(&VARIANTS[i]);
}

int main(void) {
  RUN(agents_that_change_places_arrive_side_by_side);
  return check_finish();
}
