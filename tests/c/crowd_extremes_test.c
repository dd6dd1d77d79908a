/* Crowds with the smallest and the largest numbers that are allowed: all numbers stay finite, and a crowd that was saved can be
 * loaded and goes on as it was. */
#include "crowd_scenes.h"
#include "saved_crowds.h"

static float extreme(TracedCrowd *traced) {
  static const float NUMBERS[] = {0,    1e-45f, 1e-39f, 1e-30f, 1e-20f, 1e-9f, 1e-3f,
                                  0.3f, 2,      30,     1e3f,   1e6f,   1e9f};
  return NUMBERS[grid_random(&traced->seed) % (sizeof NUMBERS / sizeof *NUMBERS)];
}

/* Sets two parameters of an agent. Numbers that aren't allowed are refused. */
static void set_parameters(TracedCrowd *traced) {
  const WmAgent agent = traced_someone(traced);
  WmAgentParameters parameters;
  CHECK_EQUAL_INT(wm_crowd_parameters(traced->crowd, agent, &parameters), WM_OK);
  float *const numbers[] = {&parameters.radius,        &parameters.height,
                            &parameters.max_speed,     &parameters.max_speed,
                            &parameters.climb_speed,   &parameters.max_acceleration,
                            &parameters.turning_speed, &parameters.wall_distance,
                            &parameters.wall_cost,     &parameters.stopping_distance,
                            &parameters.separation,    &parameters.horizon};
  for (int i = 0; i < 2; i++) *numbers[grid_random(&traced->seed) % 12] = extreme(traced);
  (void)wm_crowd_set_parameters(traced->crowd, 1, &agent, &parameters, 1);
}

static void set_option(TracedCrowd *traced) {
  WmCrowdOptions options;
  wm_crowd_options(traced->crowd, &options);
  float *const numbers[] = {&options.gravity,  &options.neighbour_range, &options.focus_radius,
                            &options.patience, &options.max_step,        &options.place_extents[0]};
  *numbers[grid_random(&traced->seed) % 6] = extreme(traced);
  (void)wm_crowd_set_options(traced->crowd, &options);
}

static void change_something(TracedCrowd *traced) {
  float at[3];
  const float velocity[3] = {extreme(traced), 0, -extreme(traced)}, radius = extreme(traced),
              height = extreme(traced);
  const WmAgent agent = traced_someone(traced);
  traced_point(traced, at);
  switch (grid_random(&traced->seed) % 12) {
    case 0: (void)wm_crowd_set_velocities(traced->crowd, 1, &agent, velocity, false); break;
    case 1: (void)wm_crowd_set_obstacles(traced->crowd, 1, at, velocity, &radius, &height); break;
    case 2: (void)wm_crowd_set_focus(traced->crowd, 1, velocity); break;
    case 3:
    case 4: set_option(traced); break;
    case 5:
    case 6: traced_order(traced); break;
    default:
      for (int i = 0; i < 3; i++) set_parameters(traced);
  }
}

/* Returns false if the crowd isn't sound. */
static bool step(TracedCrowd *traced) {
  static const float SECONDS[] = {0.03f, 0.03f, 0.03f, 0.03f, 0.03f, 1e-9f, 1e-20f, 1e-40f, 10, 1e3f};
  CHECK_EQUAL_INT(wm_crowd_step(traced->crowd, SECONDS[grid_random(&traced->seed) % 10], NULL), WM_OK);
  return wm_crowd_validate(traced->crowd);
}

/* Returns false if the crowd can't be loaded, or goes on otherwise. */
static bool goes_on(TracedCrowd *traced, WmContext *context) {
  const WmMesh *mesh = traced->mesh;
  const SavedCrowd saved = save_crowd(traced->crowd, context);
  WmCrowd *loaded = load_crowd(context, saved, &mesh, 1);
  free(saved.bytes);
  if (!loaded) return false;
  CHECK_EQUAL_INT(wm_crowd_step(traced->crowd, 0.03f, NULL), WM_OK);
  CHECK_EQUAL_INT(wm_crowd_step(loaded, 0.03f, NULL), WM_OK);
  const bool is_same = do_the_same(traced->crowd, loaded);
  wm_crowd_destroy(loaded);
  return is_same;
}

static void crowds_with_extreme_numbers_stay_sound_and_can_be_loaded(void) {
  static TracedCrowd traced;
  for (uint32_t seed = 1; seed <= (uint32_t)CHECK_ROUNDS(120); seed++) {
    WmContext *context = wm_context_create(NULL);
    char name[32];
    Scenario scenario = invent_scenario(seed, name, sizeof name);
    scenario.agents = 4 + seed % 16;
    open_scene(&traced, context, &scenario, 0);
    bool is_sound = true;
    for (int round = 0; round < 30 && is_sound; round++) {
      change_something(&traced);
      for (int i = 0; i < 5 && is_sound; i++) is_sound = step(&traced);
      is_sound = is_sound && goes_on(&traced, context);
      if (!is_sound) printf("%s, round %d\n", name, round);
      CHECK(is_sound);
    }
    close_traced(&traced);
    wm_context_destroy(context);
  }
}

int main(void) {
  RUN(crowds_with_extreme_numbers_stay_sound_and_can_be_loaded);
  return check_finish();
}
