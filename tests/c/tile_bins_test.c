/* Binning triangles into tiles: no triangle that touches a tile is missing, the order stays the same, and the
 * bake doesn't depend on the bins. */
#include "bake/input/tile_bins.h"

#include <math.h>

#include "stage_dump.h"
#include "check.h"
#include "scene.h"

static float next_random(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return (float)(*state >> 8) / 16777216.0f;
}

/* Triangles from 0.1 wide to as large as the level, some outside. */
static Scene make_soup(uint32_t seed, size_t triangle_count) {
  Scene scene = {.vertex_count = 3 * triangle_count, .triangle_count = triangle_count};
  scene.positions = malloc(9 * triangle_count * sizeof(float));
  scene.indices = malloc(3 * triangle_count * sizeof(uint32_t));
  for (size_t i = 0; i < triangle_count; i++) {
    const float size = 0.1f + 100 * powf(next_random(&seed), 6);
    const float x = 110 * next_random(&seed) - 5, z = 110 * next_random(&seed) - 5;
    for (size_t corner = 0; corner < 3; corner++) {
      float *position = scene.positions + 9 * i + 3 * corner;
      position[0] = x + size * next_random(&seed);
      position[1] = next_random(&seed);
      position[2] = z + size * next_random(&seed);
      scene.indices[3 * i + corner] = (uint32_t)(3 * i + corner);
    }
  }
  return scene;
}

/* The slow oracle: true if the triangle's rectangle touches the tile's, border included. */
static bool touches(const Scene *scene, uint32_t triangle, const WmConfig *config,
                    const WmVoxelConfig *voxels, int32_t x, int32_t z) {
  const float *position = scene->positions + 9 * (size_t)triangle;
  const float pad = (float)voxels->border_size * config->cell_size;
  const float low[2] = {(float)x * voxels->tile_world_size - pad, (float)z * voxels->tile_world_size - pad};
  for (int axis = 0; axis < 2; axis++) {
    const float high = low[axis] + voxels->tile_world_size + 2 * pad;
    const float a = position[2 * axis], b = position[3 + 2 * axis], c = position[6 + 2 * axis];
    if (fminf(a, fminf(b, c)) > high || fmaxf(a, fmaxf(b, c)) < low[axis]) return false;
  }
  return true;
}

/* Adds 1000 triangles at a time. */
static WmStatus build_bins(WmContext *context, const WmBakeInput *input, const float low[3],
                           const WmConfig *config, const WmVoxelConfig *voxels, WmTileBins *bins) {
  WmStatus status = wm_tile_bins_begin(context, input, WM_BIN_TRIANGLES, low, config, voxels, bins);
  for (size_t i = 0; !status && i < input->triangles.triangle_count; i += 1000) {
    wm_tile_bins_count(bins, i, i + 1000);
  }
  if (!status) status = wm_tile_bins_allocate(context, bins);
  for (size_t i = 0; !status && i < input->triangles.triangle_count; i += 1000) {
    wm_tile_bins_fill(bins, i, i + 1000);
  }
  wm_tile_bins_finish(context, bins);
  return status;
}

static void every_triangle_that_touches_a_tile_is_collected_in_order(void) {
  WmContext *context = wm_context_create(NULL);
  WmConfig config = wm_config_default();
  config.tile_size = 32;
  Scene scene = make_soup(3, 3000);
  const WmBakeInput input = scene_input(&scene);
  const float low[3] = {0, 0, 0}, high[3] = {100, 1, 70};
  WmVoxelConfig voxels;
  WmTileBins bins;
  CHECK_EQUAL_INT(wm_config_to_voxels(context, &config, low, high, &voxels), WM_OK);
  CHECK_EQUAL_INT(build_bins(context, &input, low, &config, &voxels, &bins), WM_OK);
  const uint32_t *large = bins.first + bins.tile_count[0] * bins.tile_count[1];
  CHECK(large[1] - large[0] > 10 && large[1] - large[0] < 2000);
  size_t needed = 0, collected = 0;
  for (int32_t z = 0; z < voxels.tile_count_z; z++) {
    for (int32_t x = 0; x < voxels.tile_count_x; x++) {
      const WmScratchMark mark = wm_scratch_mark(context);
      const uint32_t *triangles;
      size_t count, next = 0;
      CHECK_EQUAL_INT(wm_tile_bins_collect(context, &bins, x, z, &triangles, &count), WM_OK);
      collected += count;
      for (uint32_t triangle = 0; triangle < scene.triangle_count; triangle++) {
        const bool listed = next < count && triangles[next] == triangle;
        if (listed) next++;
        if (!touches(&scene, triangle, &config, &voxels, x, z)) continue;
        needed++;
        CHECK(listed);
      }
      CHECK_EQUAL_INT(next, count); /* ascending, each once */
      wm_scratch_rewind(context, mark);
    }
  }
  CHECK(needed > 5000 && collected < 2 * needed);
  wm_tile_bins_free(context, &bins);
  free_scene(&scene);
  wm_context_destroy(context);
}

static uint64_t hash_rasterized_tile(WmContext *context, const WmBakeInput *input, const uint8_t *areas,
                                     const uint32_t *subset, size_t subset_count, const WmGrid *grid) {
  WmHeightfield field = {0};
  WmBytes bytes = {0};
  CHECK_EQUAL_INT(
      wm_rasterize(context, grid, 4, &input->triangles, areas, subset, subset_count, NULL, 0, 45, &field),
      WM_OK);
  wm_dump_heightfield(context, &field, &bytes);
  const uint64_t hash = wm_hash_bytes(WM_HASH_START, bytes.bytes, bytes.byte_count);
  wm_block_free(context, bytes.bytes);
  wm_heightfield_free(context, &field);
  return hash;
}

static void a_tile_rasterizes_the_same_from_its_bin_as_from_all_triangles(void) {
  WmContext *context = wm_context_create(NULL);
  WmConfig config = wm_config_default();
  config.tile_size = 24;
  Scene scene = make_soup(11, 2000);
  const WmBakeInput input = scene_input(&scene);
  const float low[3] = {0, 0, 0}, high[3] = {100, 1, 70};
  WmVoxelConfig voxels;
  WmTileBins bins;
  CHECK_EQUAL_INT(wm_config_to_voxels(context, &config, low, high, &voxels), WM_OK);
  CHECK_EQUAL_INT(build_bins(context, &input, low, &config, &voxels, &bins), WM_OK);
  uint8_t *areas = malloc(scene.triangle_count);
  mark_slopes(&input.triangles, 45, areas);
  for (int32_t tile = 0; tile < 6; tile++) {
    const float pad = (float)voxels.border_size * config.cell_size, at = (float)tile * voxels.tile_world_size;
    const float end = at + voxels.tile_world_size + pad;
    WmGrid grid = {.bounds_min = {at - pad, 0, at - pad}, .bounds_max = {end, 1, end}};
    grid.cell_size = config.cell_size;
    grid.cell_height = config.cell_height;
    grid.width = grid.depth = config.tile_size + 2 * voxels.border_size;
    const WmScratchMark mark = wm_scratch_mark(context);
    const uint32_t *subset;
    size_t count;
    CHECK_EQUAL_INT(wm_tile_bins_collect(context, &bins, tile, tile, &subset, &count), WM_OK);
    CHECK(count > 0);
    CHECK(hash_rasterized_tile(context, &input, areas, subset, count, &grid) ==
          hash_rasterized_tile(context, &input, areas, NULL, 0, &grid));
    wm_scratch_rewind(context, mark);
  }
  free(areas);
  wm_tile_bins_free(context, &bins);
  free_scene(&scene);
  wm_context_destroy(context);
}

int main(void) {
  RUN(every_triangle_that_touches_a_tile_is_collected_in_order);
  RUN(a_tile_rasterizes_the_same_from_its_bin_as_from_all_triangles);
  return check_finish();
}
