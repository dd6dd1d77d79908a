/* heights = WM_HEIGHTS_SURFACE: vertices of tiles lie on the level itself. */
#include <math.h>
#include <string.h>

#include "bake/bake.h"
#include "base/tile_format.h"
#include "check.h"
#include "scene.h"

/* The largest distance on y of any ground vertex or detail vertex of tile 0, 0 from the plane y = rise * x + base. */
static float farthest_from_plane(const WmTileData *tile, float rise, float base) {
  WmTileHeader header;
  float farthest = 0;
  CHECK(tile->byte_count > sizeof header);
  if (tile->byte_count <= sizeof header) return INFINITY;
  memcpy(&header, tile->bytes, sizeof header);
  const WmTileSections at = wm_tile_sections(&header, WM_TILE_LINK_BYTES);
  const float *lists[2] = {(const float *)(const void *)(tile->bytes + at.vertices),
                           (const float *)(const void *)(tile->bytes + at.detail_vertices)};
  const int32_t counts[2] = {header.vertex_count, header.detail_vertex_count};
  for (int k = 0; k < 2; k++) {
    for (int32_t i = 0; i < counts[k]; i++) {
      const float *vertex = lists[k] + 3 * (size_t)i;
      farthest = fmaxf(farthest, fabsf(vertex[1] - (rise * vertex[0] + base)));
    }
  }
  return farthest;
}

static float bake_distance(const WmConfig *config, const WmBakeInput *input, float rise, float base) {
  WmContext *context = wm_context_create(NULL);
  WmBaker *baker;
  CHECK_EQUAL_INT(wm_baker_create(context, config, input, &baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_bake_tile(baker, 0, 0), WM_OK);
  const float distance = farthest_from_plane(&wm_baker_stages(baker)->tile, rise, base);
  wm_baker_destroy(baker);
  wm_context_destroy(context);
  return distance;
}

static void vertices_of_a_plane_lie_on_it(void) {
  Scene scene = make_square(20);
  const WmBakeInput input = scene_input(&scene);
  WmConfig config = wm_config_default();
  CHECK(bake_distance(&config, &input, 0, 0) > 0.19f);
  config.heights = WM_HEIGHTS_SURFACE;
  CHECK_EQUAL_INT(bake_distance(&config, &input, 0, 0) == 0, 1);
  config.detail_sample_distance = 0;
  config.tile_size = 32;
  CHECK_EQUAL_INT(bake_distance(&config, &input, 0, 0) == 0, 1);
  free_scene(&scene);
}

static void vertices_of_a_slope_lie_on_it(void) {
  Scene scene = make_square(20);
  for (size_t i = 0; i < scene.vertex_count; i++) {
    scene.positions[3 * i + 1] = 0.5f * scene.positions[3 * i] + 3.07f;
  }
  const WmBakeInput input = scene_input(&scene);
  WmConfig config = wm_config_default();
  CHECK(bake_distance(&config, &input, 0.5f, 3.07f) > 0.1f);
  config.heights = WM_HEIGHTS_SURFACE;
  CHECK(bake_distance(&config, &input, 0.5f, 3.07f) < 1e-5f);
  free_scene(&scene);
}

/* A box and an upright cylinder cover the square's ground. */
static void vertices_on_solids_lie_on_their_tops(void) {
  const WmSolid solids[2] = {
      {.kind = WM_SOLID_BOX,
       .area = 63,
       .start = {10, 0.5f, 10},
       .half_axes = {{15, 0, 0}, {0, 0.63f, 0}, {0, 0, 15}}},
      {.kind = WM_SOLID_CYLINDER, .area = 63, .start = {10, 0, 10}, .end = {10, 1.13f, 10}, .radius = 25}};
  Scene scene = make_square(20);
  WmBakeInput input = scene_input(&scene);
  WmConfig config = wm_config_default();
  config.heights = WM_HEIGHTS_SURFACE;
  for (int k = 0; k < 2; k++) {
    input.solids = solids + k;
    input.solid_count = 1;
    CHECK(bake_distance(&config, &input, 0, 1.13f) < 1e-5f);
  }
  free_scene(&scene);
}

/* Any damage of a kept tile's surface is an error or a tile, never a crash. */
static void damaged_surfaces_of_kept_tiles_are_safe(void) {
  WmContext *context = wm_context_create(NULL);
  Scene scene = make_square(20);
  const WmBakeInput input = scene_input(&scene);
  WmConfig config = wm_config_default();
  config.heights = WM_HEIGHTS_SURFACE;
  WmBaker *baker;
  uint8_t *bytes = NULL;
  size_t byte_count;
  CHECK_EQUAL_INT(wm_baker_create(context, &config, &input, &baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_begin_tile(baker, 0, 0, false), WM_OK);
  while (wm_baker_next_stage(baker) != WM_STAGE_COMPACT) CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_keep_tile(baker, &bytes, &byte_count), WM_OK);
  CHECK(byte_count > 2 * 36 + 8);
  CHECK_EQUAL_INT(wm_baker_begin_kept_tile(baker, 0, 0, bytes, byte_count, NULL, 0), WM_OK);
  size_t refused = 0;
  for (size_t length = 0; length < byte_count; length++) {
    refused += wm_baker_begin_kept_tile(baker, 0, 0, bytes, length, NULL, 0) == WM_ERROR_CORRUPT;
  }
  CHECK(refused >=
        byte_count - 1); /* cut after two zeros of the first corner, it is a tile with no surface */
  for (size_t i = byte_count - 2 * 36 - 8; i < byte_count; i++) {
    for (uint8_t bit = 1; bit; bit = (uint8_t)(bit << 1)) {
      bytes[i] ^= bit;
      WmStatus status = wm_baker_begin_kept_tile(baker, 0, 0, bytes, byte_count, NULL, 0);
      if (status) CHECK_EQUAL_INT(status, WM_ERROR_CORRUPT);
      bytes[i] ^= bit;
    }
  }
  wm_block_free(context, bytes);
  wm_baker_destroy(baker);
  free_scene(&scene);
  wm_context_destroy(context);
}

int main(void) {
  RUN(vertices_of_a_plane_lie_on_it);
  RUN(vertices_of_a_slope_lie_on_it);
  RUN(vertices_on_solids_lie_on_their_tops);
  RUN(damaged_surfaces_of_kept_tiles_are_safe);
  return check_finish();
}
