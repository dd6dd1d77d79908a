/* Fails the n-th allocation, for every n, of whole bakes: each must report out-of-memory, leak nothing, and
 * leave a context that bakes the same bytes as before. Builds that play fewer rounds (CHECK_ROUNDS) fail every
 * third allocation, and play fewer of the bakes after the failures. */
#include "check.h"
#include "scene.h"

/* Counts blocks in use; refuses one allocation. */
typedef struct Ration {
  long until_failure; /* < 0: never */
  long in_use;
  long allocations;
} Ration;

static void *allocate_rationed(void *user, size_t bytes) {
  Ration *ration = user;
  if (ration->until_failure >= 0 && ration->until_failure-- == 0) return NULL;
  ration->allocations++;
  ration->in_use++;
  return malloc(bytes);
}

static void release_rationed(void *user, void *block) {
  Ration *ration = user;
  ration->in_use--;
  free(block);
}

static void sweep(const WmConfig *config, const WmBakeInput *input) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  WmContext *reference = wm_context_create(&allocator);
  uint64_t expected = 0;
  size_t expected_bytes = 0;
  CHECK_EQUAL_INT(bake_scene(reference, config, input, &expected, &expected_bytes), WM_OK);
  CHECK(expected_bytes > 100);
  wm_context_destroy(reference);
  const long allocations = ration.allocations;
  CHECK_EQUAL_INT(ration.in_use, 0);

  long failures = 0;
  const long stride = check_rounds_divisor > 1 ? 3 : 1;
  for (long n = 1; n < allocations; n += stride) { /* 0 is the context itself: tested below */
    ration = (Ration){.until_failure = -1};
    WmContext *context = wm_context_create(&allocator);
    ration.until_failure = n - 1;
    const WmStatus status = bake_scene(context, config, input, NULL, NULL);
    /* The stage may succeed without an optional allocation (a larger chunk than needed): then the bake has
     * succeeded. */
    if (status != WM_OK) {
      failures++;
      CHECK_EQUAL_INT(status, WM_ERROR_OUT_OF_MEMORY);
      CHECK_EQUAL_INT(wm_context_error(context)->status, WM_ERROR_OUT_OF_MEMORY);
    }
    CHECK(ration.until_failure < 0);
    ration.until_failure = -1;
    wm_context_trim(context);
    if (n / stride % check_rounds_divisor == 0) {
      uint64_t hash = 0;
      CHECK_EQUAL_INT(bake_scene(context, config, input, &hash, NULL), WM_OK);
      CHECK(hash == expected);
    }
    wm_context_destroy(context);
    CHECK_EQUAL_INT(ration.in_use, 0);
  }
  CHECK(failures > allocations / stride / 3); /* many are chunks of scratch memory, larger than needed */
  printf("%ld allocations, %ld of the failed ones stopped the bake\n", allocations, failures);
  ration.until_failure = 0;
  CHECK(wm_context_create(&allocator) == NULL);
}

static void bake_of_plaza_survives_every_failed_allocation(void) {
  Scene scene = read_obj("tests/scenes/plaza.obj");
  CHECK(scene.triangle_count == 320);
  const WmBakeInput input = scene_input(&scene);
  const WmConfig config = wm_config_default();
  sweep(&config, &input);
  free_scene(&scene);
}

static void tiled_bake_with_everything_survives_every_failed_allocation(void) {
  Scene scene = make_random_scene(7);
  const float prism[] = {2, 0, 2, 8, 0, 2, 8, 0, 8, 2, 0, 8};
  const WmAreaVolume volumes[] = {
      {.kind = WM_AREA_VOLUME_PRISM,
       .area = 5,
       .minimum = {0, -2, 0},
       .maximum = {0, 4, 0},
       .vertices = prism,
       .vertex_count = 4},
      {.kind = WM_AREA_VOLUME_CYLINDER, .area = 0, .centre = {16, -1, 16}, .radius = 2, .height = 3},
  };
  const WmSolid solids[] = {
      {.kind = WM_SOLID_SPHERE, .start = {12, 0, 12}, .radius = 1.5f},
      {.kind = WM_SOLID_BOX, .start = {5, 1, 18}, .half_axes = {{1, 0, 0.5f}, {0, 1, 0}, {-0.5f, 0, 1}}},
  };
  const WmOffMeshConnection connection = {.start = {4, 0, 4}, .end = {20, 0, 20}, .radius = 0.5f, .flags = 1};
  WmBakeInput input = scene_input(&scene);
  input.volumes = volumes;
  input.volume_count = 2;
  input.solids = solids;
  input.solid_count = 2;
  input.connections = &connection;
  input.connection_count = 1;
  WmConfig config = wm_config_default();
  config.tile_size = 40;
  config.median_filter = true;
  for (int32_t partition = WM_PARTITION_WATERSHED; partition <= WM_PARTITION_CHUNKY; partition++) {
    config.partition = partition;
    config.heights = partition % 2 ? WM_HEIGHTS_SURFACE : WM_HEIGHTS_VOXELS;
    sweep(&config, &input);
  }
  free_scene(&scene);
}

int main(void) {
  RUN(bake_of_plaza_survives_every_failed_allocation);
  RUN(tiled_bake_with_everything_survives_every_failed_allocation);
  return check_finish();
}
