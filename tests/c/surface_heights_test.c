/* heights = WM_HEIGHTS_SURFACE: vertices of tiles lie on the level itself. */
#include <math.h>
#include <string.h>

#include "bake/bake.h"
#include "bake/detail/surface_heights.h"
#include "base/number.h"
#include "base/tile_format.h"
#include "check.h"
#include "random_field.h"
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

/* Reads a surface of one triangle and two solids, as a kept tile ends with it. */
static WmStatus read_surface(WmContext *context, const float triangle[9], const WmRoundSolid solids[2]) {
  uint8_t bytes[36 + 2 * sizeof(WmRoundSolid) + 8];
  const uint32_t counts[2] = {1, 2};
  memcpy(bytes, triangle, 36);
  memcpy(bytes + 36, solids, 2 * sizeof *solids);
  memcpy(bytes + sizeof bytes - 8, counts, 8);
  size_t byte_count = sizeof bytes;
  WmSurface surface;
  const WmStatus status = wm_surface_read(context, bytes, &byte_count, &surface);
  CHECK_EQUAL_INT(byte_count, status ? sizeof bytes : 0);
  CHECK_EQUAL_INT(surface.triangle_count, status ? 0 : 1);
  CHECK_EQUAL_INT(surface.solid_count, status ? 0 : 2);
  if (status) CHECK(!surface.block && strcmp(wm_context_error(context)->field, "keptTile") == 0);
  wm_surface_free(context, &surface);
  return status;
}

static void each_invalid_number_of_a_surface_is_refused(void) {
  WmContext *context = wm_context_create(NULL);
  const float good[9] = {2, 4, 2, 2, 4, 8, 8, 4, 2}, reversed[9] = {2, 4, 2, 8, 4, 2, 2, 4, 8};
  const WmRoundSolid solids[2] = {
      {.kind = WM_SOLID_SPHERE, .start = {1, 2, 3}, .end = {1, 2, 3}, .radius = 1},
      {.kind = WM_SOLID_CYLINDER, .start = {1, 2, 3}, .end = {1, 4, 3}, .radius = WM_FARTHEST}};
  CHECK_EQUAL_INT(read_surface(context, good, solids), WM_OK);
  CHECK_EQUAL_INT(read_surface(context, reversed, solids), WM_ERROR_CORRUPT);
  const float bad[] = {NAN, INFINITY, -INFINITY, 2 * WM_FARTHEST};
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 9 && i < 3; k++) {
      float triangle[9];
      memcpy(triangle, good, sizeof triangle);
      triangle[k] = bad[i];
      CHECK_EQUAL_INT(read_surface(context, triangle, solids), WM_ERROR_CORRUPT);
    }
    for (int k = 0; k < 7; k++) {
      for (size_t of = 0; of < 2; of++) {
        WmRoundSolid changed[2] = {solids[0], solids[1]};
        *(k < 3 ? &changed[of].start[k] : k < 6 ? &changed[of].end[k - 3] : &changed[of].radius) = bad[i];
        CHECK_EQUAL_INT(read_surface(context, good, changed), WM_ERROR_CORRUPT);
      }
    }
  }
  for (int i = 0; i < 5; i++) {
    WmRoundSolid changed[2] = {solids[0], solids[1]};
    if (i == 0) changed[0].kind = WM_SOLID_SPHERE - 1;
    if (i == 1) changed[1].kind = WM_SOLID_CYLINDER + 1;
    if (i == 2) changed[0].radius = 0;
    if (i == 3) changed[1].radius = -1;
    if (i == 4) changed[1].end[1] = 2;
    CHECK_EQUAL_INT(read_surface(context, good, changed), WM_ERROR_CORRUPT);
  }
  wm_context_destroy(context);
}

/* ---- Look-ups ----------------------------------------------------------------------------------------- */

static const WmGrid GRID = {
    .bounds_max = {16, 8, 16}, .cell_size = 0.5f, .cell_height = 0.2f, .width = 32, .depth = 32};
enum { CLIMB = 1, SURFACE_LIMIT = 300 };

/* The highest triangle at a point within the range of a span's top, by trying all. */
static bool find_highest(const WmSurface *surface, double x, double z, double top, double *height) {
  bool is_found = false;
  for (uint32_t i = 0; i < surface->triangle_count; i++) {
    const float *a = surface->triangles + 9 * (size_t)i, *b = a + 3, *c = a + 6;
    const double ab = ((double)b[2] - a[2]) * (x - a[0]) - ((double)b[0] - a[0]) * (z - a[2]);
    const double bc = ((double)c[2] - b[2]) * (x - b[0]) - ((double)c[0] - b[0]) * (z - b[2]);
    const double ca = ((double)a[2] - c[2]) * (x - c[0]) - ((double)a[0] - c[0]) * (z - c[2]);
    if (!(ab >= 0 && bc >= 0 && ca >= 0)) continue;
    const double here = (bc * a[1] + ca * b[1] + ab * c[1]) / (ab + bc + ca);
    if (!(here >= top - CLIMB - 2.5 * 0.2 && here <= top + 0.5 * 0.2 && here >= 0)) continue;
    if (!is_found || here > *height) *height = here;
    is_found = true;
  }
  return is_found;
}

/* The nearest point of a triangle's outline: its distance on x and z, and its height. */
static double find_outline_point(const float *corners, double x, double z, double *height) {
  double nearest = INFINITY;
  for (int k = 0; k < 3; k++) {
    const float *a = corners + 3 * k, *b = corners + 3 * ((k + 1) % 3);
    const double ux = (double)b[0] - a[0], uz = (double)b[2] - a[2];
    const double along = ((x - a[0]) * ux + (z - a[2]) * uz) / (ux * ux + uz * uz);
    const double t = fmin(fmax(along, 0), 1);
    const double distance = hypot(a[0] + t * ux - x, a[2] + t * uz - z);
    if (distance >= nearest) continue;
    nearest = distance;
    *height = a[1] + t * ((double)b[1] - a[1]);
  }
  return nearest;
}

/* The nearest outline within a cell whose height is in the range of a span's top, by trying all. Returns its
 * distance. */
static double find_beside(const WmSurface *surface, double x, double z, double top, double *height) {
  double nearest = INFINITY;
  for (uint32_t i = 0; i < surface->triangle_count; i++) {
    double here = 0;
    const double distance = find_outline_point(surface->triangles + 9 * (size_t)i, x, z, &here);
    if (distance > GRID.cell_size || distance >= nearest) continue;
    if (!(here >= top - CLIMB - 2.5 * 0.2 && here <= top + 0.5 * 0.2 && here >= 0)) continue;
    nearest = distance;
    *height = here;
  }
  return nearest;
}

/* Writes a triangle that faces up, of any size and steepness, near the grid. */
static void make_triangle(Random *random, float *corners) {
  const float reach = random_below(random, 8) ? 2 : 40;
  double facing;
  do {
    const float x = (float)random_below(random, 2000) / 100 - 2,
                z = (float)random_below(random, 2000) / 100 - 2;
    for (int k = 0; k < 9; k += 3) {
      corners[k] = x + reach * ((float)random_below(random, 1000) / 1000 - 0.5f);
      corners[k + 1] = (float)random_below(random, 900) / 100 - 0.5f;
      corners[k + 2] = z + reach * ((float)random_below(random, 1000) / 1000 - 0.5f);
    }
    const float *b = corners + 3, *c = corners + 6;
    facing = ((double)b[2] - corners[2]) * ((double)c[0] - corners[0]) -
             ((double)b[0] - corners[0]) * ((double)c[2] - corners[2]);
  } while (!(facing > 0));
}

static void look_ups_equal_a_search_of_all_triangles(void) {
  static float triangles[9 * SURFACE_LIMIT];
  WmContext *context = wm_context_create(NULL);
  int found = 0;
  for (uint32_t seed = 1; seed <= (uint32_t)CHECK_ROUNDS(60); seed++) {
    Random random = {seed};
    WmSurface surface = {.triangles = triangles,
                         .triangle_count = (uint32_t)random_below(&random, SURFACE_LIMIT)};
    for (uint32_t i = 0; i < surface.triangle_count; i++) make_triangle(&random, triangles + 9 * (size_t)i);
    const WmScratchMark mark = wm_scratch_mark(context);
    WmSurfaceHeights heights;
    CHECK_EQUAL_INT(wm_surface_heights_start(context, &GRID, &surface, CLIMB, &heights), WM_OK);
    for (int i = 0; i < 200; i++) {
      const double x = random_below(&random, 1600) / 100.0, z = random_below(&random, 1600) / 100.0;
      const double top = random_below(&random, 40) * 0.2;
      double expected = -1, actual = -1;
      const bool is_over = find_highest(&surface, x, z, top, &expected);
      const bool is_near = wm_surface_heights_find(&heights, x, z, top, &actual);
      if (is_over) CHECK(is_near && fabs(actual - expected) < 1e-6);
      if (!is_over) {
        const double distance = find_beside(&surface, x, z, top, &expected);
        if (fabs(distance - GRID.cell_size) > 1e-9) CHECK(is_near == (distance < GRID.cell_size));
        if (is_near) CHECK(fabs(actual - expected) < 1e-6);
      }
      if (is_near) CHECK(actual >= 0 && actual >= top - CLIMB - 0.51 && actual <= top + 0.11);
      if (!is_near) CHECK(actual == -1);
      found += is_over;
    }
    wm_scratch_rewind(context, mark);
  }
  CHECK(found > 1000 / check_rounds_divisor);
  wm_context_destroy(context);
}

/* Of storeys closer than a cell height, agents stand on the upper one. */
static void of_storeys_within_a_cell_height_the_highest_is_found(void) {
  Scene ground = make_square(20);
  Scene both = {.positions = malloc(24 * sizeof(float)),
                .indices = malloc(12 * sizeof(uint32_t)),
                .vertex_count = 8,
                .triangle_count = 4};
  const float base[2] = {0.06f, 0.19f}; /* in the voxel 0 to 0.2, whose middle is nearer to the lower one */
  for (uint32_t k = 0; k < 2; k++) {
    for (size_t i = 0; i < 12; i++) {
      both.positions[12 * k + i] = i % 3 == 1 ? base[k] : ground.positions[i];
    }
    for (size_t i = 0; i < 6; i++) both.indices[6 * k + i] = ground.indices[i] + 4 * k;
  }
  WmBakeInput input = scene_input(&both);
  WmConfig config = wm_config_default();
  config.has_bounds = true;
  const float low[3] = {0, 0, 0}, high[3] = {20, 4, 20};
  memcpy(config.bounds_min, low, sizeof low);
  memcpy(config.bounds_max, high, sizeof high);
  config.heights = WM_HEIGHTS_SURFACE;
  CHECK(bake_distance(&config, &input, 0, 0.19f) < 1e-6f);
  free_scene(&ground);
  free_scene(&both);
}

/* Triangles of almost no area, seen from above, whose planes are steeper than doubles can tell. */
static void steep_and_thin_triangles_give_no_heights_outside_of_the_range(void) {
  float triangles[3][9] = {{5, -3e38f, 5, 5, 3e38f, 5.0000005f, 5.0000005f, 3e38f, 5},
                           {0, 0, 0, 1e-20f, 8, 16, 16, 1, 16},
                           {4, 0, 4, 4, 8, 4.0000005f, 4.0000005f, 3, 4}};
  WmSurface surface = {.triangles = triangles[0], .triangle_count = 3};
  WmContext *context = wm_context_create(NULL);
  const WmScratchMark mark = wm_scratch_mark(context);
  WmSurfaceHeights heights;
  CHECK_EQUAL_INT(wm_surface_heights_start(context, &GRID, &surface, CLIMB, &heights), WM_OK);
  for (int i = 0; i < 1600; i++) {
    for (int k = 0; k < 3; k++) {
      const double x = k == 0 ? 5 + i * 3e-10 : k == 1 ? i / 100.0 : 4 + i * 3e-10;
      double height = 4;
      wm_surface_heights_find(&heights, x, k == 1 ? 16 - i / 100.0 : x, 4, &height);
      CHECK(height >= 4 - CLIMB - 0.51 && height <= 4.11);
    }
  }
  wm_scratch_rewind(context, mark);
  wm_context_destroy(context);
}

/* Level triangles at the ends of the range below and above a span's top, and just beyond; two at the same place: the
 * higher one. Beside them, up to the reach. */
static void the_range_of_heights_includes_its_ends(void) {
  float triangles[2][9] = {{2, 4, 2, 2, 4, 8, 8, 4, 2}, {2, 4.0625f, 2, 2, 4.0625f, 8, 8, 4.0625f, 2}};
  WmSurface surface = {.triangles = triangles[0], .triangle_count = 1};
  WmContext *context = wm_context_create(NULL);
  const WmScratchMark mark = wm_scratch_mark(context);
  WmSurfaceHeights heights;
  CHECK_EQUAL_INT(wm_surface_heights_start(context, &GRID, &surface, CLIMB, &heights), WM_OK);
  heights.above = 0.125; /* so that the ends are exact */
  heights.below = 0.75;
  heights.lowest = -10;
  double height = 77;
  CHECK(wm_surface_heights_find(&heights, 3, 3, 4 - 0.125, &height) && height == 4);
  CHECK(!wm_surface_heights_find(&heights, 3, 3, 4 - 0.1250001, &height));
  CHECK(wm_surface_heights_find(&heights, 3, 3, 4.75, &height) && height == 4);
  CHECK(!wm_surface_heights_find(&heights, 3, 3, 4.7500001, &height));
  CHECK(wm_surface_heights_find(&heights, 2 - heights.reach, 3, 4, &height) && height == 4);
  CHECK(!wm_surface_heights_find(&heights, 2 - 1.0001 * heights.reach, 3, 4, &height));
  heights.lowest = 4; /* the ground of the grid */
  CHECK(wm_surface_heights_find(&heights, 3, 3, 4, &height) && height == 4);
  heights.lowest = 4.0000001;
  CHECK(!wm_surface_heights_find(&heights, 3, 3, 4, &height));
  wm_scratch_rewind(context, mark);
  surface.triangle_count = 2;
  CHECK_EQUAL_INT(wm_surface_heights_start(context, &GRID, &surface, CLIMB, &heights), WM_OK);
  heights.above = 0.125;
  CHECK(wm_surface_heights_find(&heights, 3, 3, 4, &height) && height == 4.0625);
  CHECK(wm_surface_heights_find(&heights, 3, 3, 3.9, &height) && height == 4);
  wm_scratch_rewind(context, mark);
  wm_context_destroy(context);
}

/* Without any triangle, all heights are those of span tops: a cell height below Recast's. */
static void without_a_surface_heights_are_those_of_span_tops(void) {
  WmContext *context = wm_context_create(NULL);
  Scene scene = make_random_scene(3);
  const WmBakeInput input = scene_input(&scene);
  const WmConfig config = wm_config_default();
  WmBaker *baker;
  CHECK_EQUAL_INT(wm_baker_create(context, &config, &input, &baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_begin_tile(baker, 0, 0, true), WM_OK);
  while (wm_baker_next_stage(baker) != WM_STAGE_TILE) CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
  const WmBakeStages *stages = wm_baker_stages(baker);
  const WmSurface none = {0};
  const WmDetailSettings settings = {.surface = &none, .climb = 0.9f};
  WmDetailMesh detail;
  CHECK_EQUAL_INT(wm_build_detail_mesh(context, &stages->polygon_mesh, &stages->compact, &stages->regions,
                                       &settings, &detail),
                  WM_OK);
  CHECK(detail.is_on_surface && detail.vertex_count > 100);
  for (uint32_t i = 0; i < detail.submesh_count; i++) {
    const float *vertex = detail.vertices + 3 * (size_t)detail.submeshes[4 * i],
                *other = stages->detail_mesh.vertices + 3 * (size_t)stages->detail_mesh.submeshes[4 * i];
    CHECK(fabsf(vertex[1] + config.cell_height - other[1]) < 1e-5f);
  }
  wm_detail_mesh_free(context, &detail);
  wm_baker_destroy(baker);
  free_scene(&scene);
  wm_context_destroy(context);
}

int main(void) {
  RUN(vertices_of_a_plane_lie_on_it);
  RUN(vertices_of_a_slope_lie_on_it);
  RUN(vertices_on_solids_lie_on_their_tops);
  RUN(each_invalid_number_of_a_surface_is_refused);
  RUN(damaged_surfaces_of_kept_tiles_are_safe);
  RUN(look_ups_equal_a_search_of_all_triangles);
  RUN(of_storeys_within_a_cell_height_the_highest_is_found);
  RUN(steep_and_thin_triangles_give_no_heights_outside_of_the_range);
  RUN(the_range_of_heights_includes_its_ends);
  RUN(without_a_surface_heights_are_those_of_span_tops);
  return check_finish();
}
