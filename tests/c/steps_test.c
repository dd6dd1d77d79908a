/* No link leads between places that agents can step between: over narrow holes of the mesh where the floor goes on. */
#include <math.h>

#include "base/vector.h"
#include "link_levels.h"
#include "mesh/locate.h"

static uint32_t next_random(uint32_t *seed) { return *seed = *seed * 1664525u + 1013904223u; }

static float between(uint32_t *seed, float low, float high) {
  return low + (high - low) * (float)(next_random(seed) >> 8) / 16777216.0f;
}

/* Areas on the ground: their regions leave holes of a few cells in the mesh, most often at the corners of tiles. */
enum { VOLUME_LIMIT = 4 };

typedef struct Volumes {
  WmAreaVolume volumes[VOLUME_LIMIT];
  float vertices[VOLUME_LIMIT][9];
  size_t count;
} Volumes;

static void make_volumes(uint32_t seed, Volumes *made) {
  *made = (Volumes){.count = 1 + (next_random(&seed) >> 16) % VOLUME_LIMIT};
  for (size_t i = 0; i < made->count; i++) {
    const float x = between(&seed, 6, 34), z = between(&seed, 6, 34);
    WmAreaVolume *volume = &made->volumes[i];
    float *at = made->vertices[i];
    *volume = (WmAreaVolume){.area = (uint8_t)(1 + i % 2)};
    switch ((next_random(&seed) >> 16) % 3) {
      case 0:
        volume->kind = WM_AREA_VOLUME_CYLINDER;
        volume->centre[0] = x;
        volume->centre[1] = -20;
        volume->centre[2] = z;
        volume->radius = between(&seed, 1, 8);
        volume->height = 40;
        break;
      case 1:
        volume->kind = WM_AREA_VOLUME_ROTATED_BOX;
        volume->centre[0] = x;
        volume->centre[2] = z;
        volume->half_extents[0] = between(&seed, 0.1f, 7);
        volume->half_extents[1] = 20;
        volume->half_extents[2] = between(&seed, 0.5f, 7);
        volume->yaw = between(&seed, 0, 3);
        break;
      default:
        volume->kind = WM_AREA_VOLUME_PRISM;
        for (int k = 0; k < 9; k += 3) {
          at[k] = x + between(&seed, -6, 6);
          at[k + 2] = z + between(&seed, -6, 6);
        }
        volume->vertices = at;
        volume->vertex_count = 3;
        volume->minimum[1] = -20;
        volume->maximum[1] = 20;
    }
  }
}

/* A floor of two triangles, 40 x 40, that rises along x. */
static Scene make_slope(float rise) {
  Scene scene = make_square(40);
  for (size_t i = 0; i < scene.vertex_count; i++) scene.positions[3 * i + 1] = rise * scene.positions[3 * i];
  return scene;
}

static LinkLevel start_floor(uint32_t seed, float rise, const Volumes *volumes) {
  static const int32_t SIZES[4] = {0, 24, 48, 40};
  LinkLevel level = start_link_level();
  level.scene = make_slope(rise);
  level.config.tile_size = SIZES[seed % 4];
  level.config.partition = (int32_t)(seed / 4 % 4);
  level.config.cell_size = seed % 5 == 0 ? 0.2f : 0.25f;
  level.config.agent_radius = seed % 7 == 0 ? 0.6f : 0.4f;
  level.volumes = volumes->volumes;
  level.volume_count = volumes->count;
  return level;
}

/* A floor with one round area, whose border passes near corners of tiles. */
static LinkLevel start_round_area(Volumes *volumes) {
  *volumes = (Volumes){
      .count = 1,
      .volumes = {
          {.kind = WM_AREA_VOLUME_CYLINDER, .area = 1, .centre = {16, -1, 16}, .radius = 7, .height = 2}}};
  LinkLevel level = start_floor(0, 0, volumes);
  level.config.tile_size = 48;
  level.config.cell_height = 0.1f;
  level.config.agent_max_climb = 0.4f;
  return level;
}

static size_t count_links(LinkLevel *level) {
  size_t count;
  free(run_all_tiles(level, &count));
  return count;
}

static void no_jump_leads_over_a_hole_at_a_corner_of_tiles(void) {
  Volumes volumes;
  LinkLevel level = start_round_area(&volumes);
  finish_link_level(&level);
  CHECK_EQUAL_INT(count_links(&level), 0);
  /* The hole is there, and its borders say why they have no link. */
  size_t steps = 0;
  float start[3] = {0}, end[3] = {0};
  for (int32_t i = 0; i < level.tiles[0] * level.tiles[1]; i++) {
    WmLinkResult result;
    CHECK_EQUAL_INT(wm_link_generator_run(level.generator, level.mesh, i % level.tiles[0], i / level.tiles[0],
                                          true, &result),
                    WM_OK);
    for (size_t k = 0; k < result.refused_count; k++) {
      const WmRefusedLink *refused = &result.refused[k];
      CHECK(refused->reason != WM_LINK_TOO_NARROW);
      if (refused->kind != WM_SEGMENT_LINK_JUMP || refused->reason != WM_LINK_WALKABLE_STEP) continue;
      steps++;
      memcpy(start, refused->start, sizeof start);
      memcpy(end, refused->end, sizeof end);
    }
    wm_link_result_free(level.context, &result);
  }
  CHECK(steps > 0);
  WmRefusedLink refused;
  CHECK_EQUAL_INT(wm_link_generator_explain(level.generator, level.mesh, start, end, &refused), WM_OK);
  CHECK_EQUAL_INT(refused.reason, WM_LINK_WALKABLE_STEP);
  free_link_level(&level);
}

static bool is_on_mesh(const WmMesh *mesh, const float point[3]) {
  WmBoxTiles tiles;
  WmNearestSearch search;
  wm_nearest_begin(&search, point, (const float[3]){0.01f, 1, 0.01f});
  search.any_flags = true;
  wm_box_tiles_begin(&tiles, mesh, search.low, search.high);
  const WmMeshTile *tile;
  while ((tile = wm_box_tiles_next(&tiles)) != NULL) wm_tile_find_nearest(tile, &search);
  return search.tile && wm_squared_distance_on_plane(search.point, point) < 1e-4f;
}

/* The longest part without mesh of the straight ways across a link, cells. */
static float find_widest_hole(const LinkLevel *level, const WmSegmentLink *link) {
  enum { WAYS = 9, POINTS = 400 };
  float widest = 0;
  for (int way = 0; way < WAYS; way++) {
    float start[3], end[3], hole = 0;
    wm_interpolate(link->start[0], link->start[1], (float)way / (WAYS - 1), start);
    wm_interpolate(link->end[0], link->end[1], (float)way / (WAYS - 1), end);
    const float step = wm_distance(start, end) / POINTS / level->config.cell_size;
    for (int i = 0; i <= POINTS; i++) {
      float point[3];
      wm_interpolate(start, end, (float)i / POINTS, point);
      hole = is_on_mesh(level->mesh, point) ? 0 : hole + step;
      widest = fmaxf(widest, hole);
    }
  }
  return widest;
}

/* Bakes may leave out whole regions: holes that agents can't step over. */
static void floors_have_links_over_wide_holes_only(void) {
  static const float RISES[3] = {0, 0.4f, 0.8f};
  int with_links = 0;
  for (uint32_t seed = 1; seed <= (uint32_t)CHECK_ROUNDS(150); seed++) {
    for (int i = 0; i < 3; i++) {
      Volumes volumes;
      make_volumes(seed, &volumes);
      LinkLevel level = start_floor(seed, RISES[i], &volumes);
      finish_link_level(&level);
      const float radius = ceilf(level.config.agent_radius / level.config.cell_size);
      size_t count;
      WmSegmentLink *links = run_all_tiles(&level, &count);
      for (size_t k = 0; k < count; k++) CHECK(find_widest_hole(&level, &links[k]) > 2 * radius - 1.5f);
      with_links += count > 0;
      free(links);
      free_link_level(&level);
    }
  }
  CHECK(with_links < CHECK_ROUNDS(150) / 5);
}

/* A floor with a hole in the mesh where only the mesh ends. From its short side, the hole is 12 cells wide; over an island in it, its
 * parts are narrower than two radii:
 *
 *        8 ____________ 30
 *         |   ______   |
 *         |  |______|  |   x = 10.5 to 10.75: the island
 *         |____    ____|
 *              |__|         z = 18 to 20: the short side */
static LinkLevel start_hole(bool has_island, WmAreaVolume volumes[5]) {
  static const float BOXES[5][4] = {/* x and z */ {9.5f, 10.25f, 18, 20},
                                    {10.25f, 12.25f, 8, 10},
                                    {10.25f, 12.25f, 28, 30},
                                    {10.25f, 10.375f, 8, 30},
                                    {10.875f, 12.25f, 8, 30}};
  LinkLevel level = start_link_level();
  level.scene = make_square(40);
  level.config.agent_radius = 1.25f;
  level.config.min_region_size = 0;
  level.links.thinning = 0;
  for (int i = 0; i < 5; i++)
    volumes[i] = (WmAreaVolume){.kind = WM_AREA_VOLUME_BOX,
                                .minimum = {BOXES[i][0], -1, BOXES[i][2]},
                                .maximum = {BOXES[i][1], 1, BOXES[i][3]}};
  if (!has_island) volumes[3].maximum[0] = 12.25f;
  level.volumes = volumes;
  level.volume_count = 5;
  finish_link_level(&level);
  return level;
}

/* Replaces the only tile of a level by that of another one. */
static void replace_tile(LinkLevel *level, const LinkLevel *other) {
  const WmMeshTile *after = wm_mesh_find_tile(other->mesh, 0, 0, 0);
  CHECK_EQUAL_INT(wm_mesh_remove_tile(level->mesh, wm_mesh_find_tile(level->mesh, 0, 0, 0)->ref), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_add_tile(level->mesh, after->bytes, after->byte_count, NULL), WM_OK);
  wm_link_generator_tile_changed(level->generator, 0, 0);
}

/* True if a link leads from the short side over the hole. */
static bool leads_over(const WmSegmentLink *links, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const WmSegmentLink *link = &links[i];
    if (fabsf(link->start[0][0] - 9.5f) < 0.01f && fabsf(link->start[1][0] - 9.5f) < 0.01f) return true;
  }
  return false;
}

static void kept_borders_follow_ground_nearer_than_landings(void) {
  WmAreaVolume volumes[3][5];
  LinkLevel kept = start_hole(false, volumes[0]), states[2];
  size_t count, expected_count;
  CHECK_EQUAL_INT(wm_link_generator_limit_cache(kept.generator, 1 << 26, 1 << 26), WM_OK);
  CHECK(count_links(&kept) > 0);
  for (int i = 0; i < 2; i++) states[i] = start_hole(i == 0, volumes[1 + i]);
  for (int round = 0; round < 4; round++) {
    LinkLevel *state = &states[round % 2];
    replace_tile(&kept, state);
    WmSegmentLink *expected = run_all_tiles(state, &expected_count), *links = run_all_tiles(&kept, &count);
    CHECK(leads_over(expected, expected_count) == (round % 2 != 0));
    CHECK(count == expected_count && memcmp(links, expected, count * sizeof *links) == 0);
    free(expected);
    free(links);
  }
  for (int i = 0; i < 2; i++) free_link_level(&states[i]);
  free_link_level(&kept);
}

int main(void) {
  RUN(no_jump_leads_over_a_hole_at_a_corner_of_tiles);
  RUN(floors_have_links_over_wide_holes_only);
  RUN(kept_borders_follow_ground_nearer_than_landings);
  return check_finish();
}
