/* Generated links: exact ones of small levels of boxes, and properties of those of random levels. */
#include <math.h>

#include "link_levels.h"
#include "mesh/locate.h"
#include "random_field.h"

/* ---- Small levels whose links are known ---------------------------------------------------------------- */

/* A link that a level must have: its kind, its directions, the x of its start and of its end, and the z of both segments. */
typedef struct Expected {
  int kind;
  bool bidirectional;
  float start_x, end_x, z[2], start_y, end_y, peak;
} Expected;

static bool is_near(float a, float b, float error) { return fabsf(a - b) <= error; }

/* Segments run along z; positions may differ by the half cell between samples, and by nothing else. */
static bool is_expected(const WmSegmentLink *link, const Expected *expected) {
  bool is_good =
      link->kind == expected->kind && link->bidirectional == expected->bidirectional && link->enabled;
  const float low = fminf(link->start[0][2], link->start[1][2]),
              high = fmaxf(link->start[0][2], link->start[1][2]);
  is_good &= is_near(low, expected->z[0], 0.01f) && is_near(high, expected->z[1], 0.01f);
  for (int i = 0; i < 2; i++) {
    is_good &= is_near(link->start[i][0], expected->start_x, 0.01f) &&
               is_near(link->end[i][0], expected->end_x, 0.01f);
    is_good &= is_near(link->start[i][1], expected->start_y, 0.01f) &&
               is_near(link->end[i][1], expected->end_y, 0.01f);
    is_good &= link->start[i][2] == link->end[i][2];
  }
  return is_good && is_near(link->peak, expected->peak, 0.01f);
}

static void print_links(const WmSegmentLink *links, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const WmSegmentLink *link = &links[i];
    printf("  kind %d%s (%g %g %g) (%g %g %g) -> (%g %g %g) (%g %g %g) peak %g\n", link->kind,
           link->bidirectional ? " both" : "", (double)link->start[0][0], (double)link->start[0][1],
           (double)link->start[0][2], (double)link->start[1][0], (double)link->start[1][1],
           (double)link->start[1][2], (double)link->end[0][0], (double)link->end[0][1],
           (double)link->end[0][2], (double)link->end[1][0], (double)link->end[1][1], (double)link->end[1][2],
           (double)link->peak);
  }
}

/* Bakes a level, and compares its links with the expected ones, in any order. */
static void check_links(LinkLevel *level, const Expected *expected, size_t expected_count) {
  finish_link_level(level);
  size_t count;
  WmSegmentLink *links = run_all_tiles(level, &count);
  bool all = count == expected_count;
  for (size_t i = 0; i < expected_count; i++) {
    bool found = false;
    for (size_t k = 0; k < count; k++) found |= is_expected(&links[k], &expected[i]);
    all &= found;
  }
  CHECK(all);
  if (!all) print_links(links, count);
  free(links);
}

/* A ground 20 x 10, on height 0. */
static LinkLevel start_on_ground(void) {
  LinkLevel level = start_link_level();
  add_box(&level.scene, 0, -1, 0, 20, 0, 10);
  return level;
}

/*      ____       ____
 *     |    | 2 m |    |     */
static void a_gap_is_jumped_both_ways(void) {
  LinkLevel level = start_link_level();
  add_box(&level.scene, 0, -1, 0, 10, 0, 10);
  add_box(&level.scene, 12, -1, 0, 22, 0, 10);
  /* Borders keep the radius from walls and ledges, and one more cell where the level ends. */
  const Expected expected[] = {
      {WM_SEGMENT_LINK_JUMP, true, 9.5f, 12.75f, {0.75f, 9}, 0.125f, 0.125f, 0.75f},
  };
  check_links(&level, expected, 1);
  free_link_level(&level);
}

/* The ends lie at about the same height only at one end of the border. The highest jumps of the two positions there differ by more than
 * two cell heights. */
static void slopes_that_fall_against_each_other_are_jumped_between(void) {
  LinkLevel level = start_link_level();
  add_box(&level.scene, 0, -1, 0, 10, 0, 10);
  add_box(&level.scene, 12, -1, 0, 22, 0, 10);
  for (size_t i = 0; i < level.scene.vertex_count; i++) {
    float *position = level.scene.positions + 3 * i;
    position[1] += (position[0] < 11 ? 0.8f : -0.8f) * (position[2] - 0.78f);
  }
  finish_link_level(&level);
  size_t count, jumps = 0;
  WmSegmentLink *links = run_all_tiles(&level, &count);
  for (size_t i = 0; i < count; i++) {
    const WmSegmentLink *link = &links[i];
    if (link->kind != WM_SEGMENT_LINK_JUMP || !link->bidirectional) continue;
    jumps++;
    for (int side = 0; side < 2; side++) {
      const float low = fminf(link->start[side][1], link->end[side][1]),
                  top = fmaxf(link->start[side][1], link->end[side][1]) + link->peak;
      CHECK(top - low <= level.links.jump_max_up + 0.001f);
    }
  }
  CHECK(jumps > 0);
  free(links);
  free_link_level(&level);
}

/*      ____
 *     |    |  3 m, too high to climb
 *     |    |_______   */
static void a_high_ledge_is_dropped_from(void) {
  LinkLevel level = start_on_ground();
  add_box(&level.scene, 0, 0, 0, 10, 3, 10);
  const Expected expected[] = {
      {WM_SEGMENT_LINK_DROP, false, 9.5f, 10.75f, {0.75f, 9}, 3.125f, 0.125f, 0},
  };
  check_links(&level, expected, 1);
  CHECK_EQUAL_INT(level.generator->limits.has_jumps, true);
  free_link_level(&level);
}

static void a_low_ledge_is_climbed_up_and_dropped_from(void) {
  LinkLevel level = start_on_ground();
  add_box(&level.scene, 0, 0, 0, 10, 1.5f, 10);
  level.links.kinds[WM_SEGMENT_LINK_JUMP].is_on = false;
  const Expected expected[] = {
      {WM_SEGMENT_LINK_DROP, false, 9.5f, 10.75f, {0.75f, 9}, 1.625f, 0.125f, 0},
      {WM_SEGMENT_LINK_CLIMB, false, 10.75f, 9.5f, {0.75f, 9}, 0.125f, 1.625f, 0},
  };
  check_links(&level, expected, 2);
  free_link_level(&level);
}

/* Jumps that lead back up stay beside drops. */
static void nobody_jumps_down_where_a_drop_leads(void) {
  const Expected drop = {WM_SEGMENT_LINK_DROP, false, 9.5f, 10.75f, {0.75f, 9}, 1.625f, 0.125f, 0},
                 down = {WM_SEGMENT_LINK_JUMP, false, 9.5f, 10.875f, {0.75f, 9}, 1.625f, 0.125f, 0.5f},
                 both = {WM_SEGMENT_LINK_JUMP, true, 9.5f, 10.75f, {0.75f, 9}, 1.625f, 0.125f, 2.5f};
  const struct {
    bool drops;
    float thinning, up, peak;
    Expected expected[2];
    size_t count;
  } cases[] = {
      {true, 0.6f, 0.5f, 0, {drop}, 1},
      {false, 0.6f, 0.5f, 0, {down}, 1},
      {true, 0, 0.5f, 0, {drop, down}, 2},
      {true, 0.6f, 2, 4, {drop, both}, 2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    LinkLevel level = start_on_ground();
    add_box(&level.scene, 0, 0, 0, 10, 1.5f, 10);
    level.links.kinds[WM_SEGMENT_LINK_CLIMB].is_on = false;
    level.links.kinds[WM_SEGMENT_LINK_DROP].is_on = cases[i].drops;
    level.links.thinning = cases[i].thinning;
    level.links.jump_max_up = cases[i].up;
    level.links.jump_max_down = 2;
    level.links.jump_peak = cases[i].peak;
    check_links(&level, cases[i].expected, cases[i].count);
    free_link_level(&level);
  }
}

static void agents_climb_down_where_they_do_not_drop(void) {
  LinkLevel level = start_on_ground();
  add_box(&level.scene, 0, 0, 0, 10, 1.5f, 10);
  level.links.kinds[WM_SEGMENT_LINK_JUMP].is_on = level.links.kinds[WM_SEGMENT_LINK_DROP].is_on = false;
  const Expected expected[] = {
      {WM_SEGMENT_LINK_CLIMB, true, 10.75f, 9.5f, {0.75f, 9}, 0.125f, 1.625f, 0},
  };
  check_links(&level, expected, 1);
  free_link_level(&level);
}

static void a_fence_is_vaulted_over(void) {
  LinkLevel level = start_on_ground();
  add_box(&level.scene, 9.75f, 0, 0, 10.25f, 1, 10);
  level.links.kinds[WM_SEGMENT_LINK_JUMP].is_on = false;
  finish_link_level(&level);
  size_t count;
  WmSegmentLink *links = run_all_tiles(&level, &count);
  CHECK_EQUAL_INT(count, 1);
  CHECK(count == 1 && links[0].kind == WM_SEGMENT_LINK_VAULT && links[0].bidirectional);
  CHECK(count == 1 && is_near(wm_segment_link_width(&links[0]), 8.25f, 0.01f) &&
        is_near(links[0].peak, 1, 0.13f));
  free(links);
  free_link_level(&level);
}

/* A fence that ends 2 m before the ground does: walking around it is at most about eight times as far. A second vault leads over the corner
 * at its end, from the slanted border there: walking around the corner costs less than that. */
static size_t count_vaults(float min_saving) {
  LinkLevel level = start_on_ground();
  add_box(&level.scene, 9.75f, 0, 0, 10.25f, 1, 7);
  level.links.kinds[WM_SEGMENT_LINK_JUMP].is_on = false;
  level.links.min_saving = min_saving;
  finish_link_level(&level);
  size_t count;
  free(run_all_tiles(&level, &count));
  int32_t first[2], last[2];
  wm_link_generator_affected(level.generator, 0, 0, first, last);
  CHECK(first[0] == 0 && last[0] == 0 && first[1] == 0 && last[1] == 0);
  free_link_level(&level);
  return count;
}

static void links_that_save_little_are_left_out(void) {
  CHECK_EQUAL_INT(count_vaults(0), 2);
  CHECK_EQUAL_INT(count_vaults(1), 1);
  CHECK_EQUAL_INT(count_vaults(20), 0);
}

/* The reasons of refused positions of a kind, as bits. */
static uint32_t find_reasons(LinkLevel *level, int kind) {
  uint32_t reasons = 0;
  for (int32_t z = 0; z < level->tiles[1]; z++) {
    for (int32_t x = 0; x < level->tiles[0]; x++) {
      WmLinkResult result;
      CHECK_EQUAL_INT(wm_link_generator_run(level->generator, level->mesh, x, z, true, &result), WM_OK);
      for (size_t i = 0; i < result.refused_count; i++) {
        if (result.refused[i].kind == kind) reasons |= 1u << result.refused[i].reason;
      }
      wm_link_result_free(level->context, &result);
    }
  }
  return reasons;
}

static void a_high_wall_is_not_vaulted_over(void) {
  LinkLevel level = start_on_ground();
  add_box(&level.scene, 9.75f, 0, 0, 10.25f, 1.5f, 10);
  check_links(&level, NULL, 0);
  CHECK(find_reasons(&level, WM_SEGMENT_LINK_VAULT) >> WM_LINK_TOO_HIGH & 1);
  free_link_level(&level);
}

static void a_low_beam_over_a_gap_stops_jumps(void) {
  LinkLevel level = start_link_level();
  add_box(&level.scene, 0, -1, 0, 10, 0, 10);
  add_box(&level.scene, 12, -1, 0, 22, 0, 10);
  add_box(&level.scene, 10.75f, 2, 0, 11.25f, 4, 10);
  check_links(&level, NULL, 0);
  CHECK(find_reasons(&level, WM_SEGMENT_LINK_JUMP) >> WM_LINK_BLOCKED & 1);
  free_link_level(&level);
}

/* A bridge without ground below, under a roof: the air below the roof's slab belongs to no floor. */
static void a_bottomless_gap_under_a_roof_is_jumped(void) {
  LinkLevel level = start_link_level();
  add_box(&level.scene, 0, -1, 0, 10, 0, 10);
  add_box(&level.scene, 12, -1, 0, 22, 0, 10);
  add_box(&level.scene, 0, 4, 0, 22, 4.5f, 10);
  level.links.kinds[WM_SEGMENT_LINK_DROP].is_on = false;
  level.links.kinds[WM_SEGMENT_LINK_CLIMB].is_on = false;
  const Expected expected[] = {
      {WM_SEGMENT_LINK_JUMP, true, 9.5f, 12.75f, {0.75f, 9}, 0.125f, 0.125f, 0.75f},
  };
  check_links(&level, expected, 1);
  free_link_level(&level);
}

static void a_pillar_in_the_arc_divides_a_jump(void) {
  LinkLevel level = start_link_level();
  add_box(&level.scene, 0, -1, 0, 10, 0, 10);
  add_box(&level.scene, 12, -1, 0, 22, 0, 10);
  add_box(&level.scene, 10.75f, -1, 4.5f, 11.25f, 4, 5.5f);
  finish_link_level(&level);
  size_t count;
  WmSegmentLink *links = run_all_tiles(&level, &count);
  CHECK_EQUAL_INT(count, 2);
  for (size_t i = 0; i < count; i++) {
    const float low = fminf(links[i].start[0][2], links[i].start[1][2]),
                high = fmaxf(links[i].start[0][2], links[i].start[1][2]);
    CHECK(links[i].kind == WM_SEGMENT_LINK_JUMP);
    CHECK(low >= 6 - 0.26f || high <= 4 + 0.26f); /* a radius away, and half a cell */
    CHECK(high - low > 2.7f);
  }
  free(links);
  free_link_level(&level);
}

static void volumes_block_links(void) {
  LinkLevel level = start_link_level();
  add_box(&level.scene, 0, -1, 0, 10, 0, 10);
  add_box(&level.scene, 12, -1, 0, 22, 0, 10);
  finish_link_level(&level);
  const WmAreaVolume wall = {
      .kind = WM_AREA_VOLUME_BOX, .minimum = {10.75f, -5, -5}, .maximum = {11.25f, 5, 5}};
  WmTileData tile = {0};
  uint8_t *air = NULL;
  size_t air_bytes, count;
  bake_with_air(&level, 0, 0, &tile, &air, &air_bytes);
  CHECK_EQUAL_INT(wm_link_generator_set_air(level.generator, 0, 0, air, air_bytes, &wall, 1), WM_OK);
  WmSegmentLink *links = run_all_tiles(&level, &count);
  CHECK_EQUAL_INT(count, 1);
  CHECK(count == 1 && fminf(links[0].start[0][2], links[0].start[1][2]) >= 5.25f);
  /* They come and go, the air stays. */
  for (size_t blocking = 0; blocking < 2; blocking++) {
    free(links);
    CHECK_EQUAL_INT(wm_link_generator_set_volumes(level.generator, 0, 0, &wall, blocking), WM_OK);
    links = run_all_tiles(&level, &count);
    CHECK(count == 1 && (fminf(links[0].start[0][2], links[0].start[1][2]) >= 5.25f) == (blocking == 1));
  }
  CHECK_EQUAL_INT(wm_link_generator_set_air(level.generator, 0, 0, NULL, 0, NULL, 0), WM_OK);
  CHECK_EQUAL_INT(wm_link_generator_set_volumes(level.generator, 0, 0, &wall, 1), WM_ERROR_INVALID_ARGUMENT);
  wm_block_free(level.context, air);
  wm_tile_data_free(level.context, &tile);
  free(links);
  free_link_level(&level);
}

static void links_over_missing_tiles_wait(void) {
  LinkLevel level = start_link_level();
  level.config.tile_size = 44; /* the border between the tiles lies in the middle of the gap */
  add_box(&level.scene, 0, -1, 0, 10, 0, 10);
  add_box(&level.scene, 12, -1, 0, 22, 0, 10);
  finish_link_level(&level);
  size_t count;
  WmSegmentLink *links = run_all_tiles(&level, &count);
  CHECK_EQUAL_INT(count, 2); /* each tile has the one of its border */
  free(links);
  CHECK_EQUAL_INT(wm_link_generator_set_air(level.generator, 1, 0, NULL, 0, NULL, 0), WM_OK);
  CHECK_EQUAL_INT(wm_mesh_remove_tile(level.mesh, wm_mesh_find_tile(level.mesh, 1, 0, 0)->ref), WM_OK);
  links = run_all_tiles(&level, &count);
  CHECK_EQUAL_INT(count, 0);
  CHECK(find_reasons(&level, WM_SEGMENT_LINK_JUMP) >> WM_LINK_TILE_MISSING & 1);
  free(links);
  free_link_level(&level);
}

static void explanations_name_the_nearest_link(void) {
  LinkLevel level = start_link_level();
  add_box(&level.scene, 0, -1, 0, 10, 0, 10);
  add_box(&level.scene, 12, -1, 0, 22, 0, 10);
  finish_link_level(&level);
  WmRefusedLink refused;
  const float near[3] = {9, 0, 5}, across[3] = {13, 0, 5}, inside[3] = {5, 0, 5};
  CHECK_EQUAL_INT(wm_link_generator_explain(level.generator, level.mesh, near, across, &refused), WM_OK);
  CHECK_EQUAL_INT(refused.reason, WM_LINK_MADE);
  CHECK(is_near(refused.start[2], 5, 0.3f) && is_near(refused.end[0], 12.75f, 0.01f));
  CHECK_EQUAL_INT(wm_link_generator_explain(level.generator, level.mesh, across, near, &refused), WM_OK);
  CHECK_EQUAL_INT(refused.reason, WM_LINK_MADE);
  CHECK_EQUAL_INT(wm_link_generator_explain(level.generator, level.mesh, inside, across, &refused), WM_OK);
  CHECK_EQUAL_INT(refused.reason, WM_LINK_NO_BORDER);
  free_link_level(&level);
}

/* Explains a pair in a level of two boxes `gap` apart, the second one higher by `up`. */
static WmRefusedLink explain_gap(float gap, float up) {
  LinkLevel level = start_link_level();
  add_box(&level.scene, 0, -1, 0, 10, 0, 10);
  add_box(&level.scene, 10 + gap, -8, 0, 20 + gap, up, 10);
  for (int kind = 0; kind < WM_SEGMENT_LINK_KINDS; kind++)
    level.links.kinds[kind].is_on = kind == WM_SEGMENT_LINK_JUMP;
  finish_link_level(&level);
  WmRefusedLink refused;
  const float from[3] = {9, 0, 5}, to[3] = {11 + gap, up, 5};
  CHECK_EQUAL_INT(wm_link_generator_explain(level.generator, level.mesh, from, to, &refused), WM_OK);
  free_link_level(&level);
  return refused;
}

static void explanations_tell_which_limit_is_exceeded(void) {
  WmRefusedLink refused = explain_gap(3, 0);
  CHECK(refused.reason == WM_LINK_TOO_FAR && refused.kind == WM_SEGMENT_LINK_JUMP);
  CHECK(is_near(refused.value, 4.25f, 0.13f) && is_near(refused.limit, 4, 0.001f));
  refused = explain_gap(2, 1.25f);
  CHECK(refused.reason == WM_LINK_TOO_HIGH && refused.kind == WM_SEGMENT_LINK_JUMP);
  CHECK(is_near(refused.value, 1.25f, 0.13f) && is_near(refused.limit, 0.75f, 0.001f));
  refused = explain_gap(2, -4);
  CHECK(refused.reason == WM_LINK_TOO_DEEP && refused.kind == WM_SEGMENT_LINK_JUMP);
  CHECK(is_near(refused.value, 4, 0.13f) && is_near(refused.limit, 2, 0.001f));
  refused = explain_gap(2, 0);
  CHECK_EQUAL_INT(refused.reason, WM_LINK_MADE);
}

/* Finishes a level, explains a way in it, and frees it. */
static WmRefusedLink explain_way(LinkLevel *level, const float from[3], const float to[3]) {
  WmRefusedLink refused;
  finish_link_level(level);
  CHECK_EQUAL_INT(wm_link_generator_explain(level->generator, level->mesh, from, to, &refused), WM_OK);
  free_link_level(level);
  return refused;
}

static void a_wall_is_explained_by_the_height_of_vaults(void) {
  LinkLevel level = start_on_ground();
  add_box(&level.scene, 9.75f, -1, -1, 10, 1.625f, 11);
  const WmRefusedLink refused = explain_way(&level, (float[3]){9, 0, 5}, (float[3]){11, 0, 5});
  CHECK_EQUAL_INT(refused.reason, WM_LINK_TOO_HIGH);
  CHECK_EQUAL_INT(refused.kind, WM_SEGMENT_LINK_VAULT);
  CHECK(is_near(refused.value, 1.625f, 0.13f) && is_near(refused.limit, 1.25f, 0.001f));
}

static void links_that_save_nothing_are_explained_so(void) {
  /* Two floors with a gap of 2 between them, joined at z = 0 to 4: walking around is at most 40 long. */
  for (int far = 0; far < 2; far++) {
    LinkLevel level = start_link_level();
    level.links.min_saving = 20;
    add_box(&level.scene, 0, -1, 0, 10, 0, 10);
    add_box(&level.scene, 10, -1, 0, 12, 0, 4);
    add_box(&level.scene, 12, -1, 0, 22, 0, 10);
    const float z = far ? 9 : 5;
    const WmRefusedLink refused = explain_way(&level, (float[3]){9.25f, 0, z}, (float[3]){12.75f, 0, z});
    CHECK_EQUAL_INT(refused.reason, WM_LINK_SAVES_NOTHING);
    CHECK_EQUAL_INT(refused.kind, WM_SEGMENT_LINK_JUMP);
    CHECK(refused.value > 1 && refused.value <= 20 && refused.limit == 20);
    CHECK(is_near(refused.start[2], z, 0.8f) && is_near(refused.end[0], 12.75f, 0.3f));
  }
}

static void a_way_is_explained_by_kinds_that_lead_there(void) {
  /* A canyon, whose floor is deeper than any kind reaches, narrow enough to jump over: from both borders, and off the line. */
  for (int is_off = 0; is_off < 2; is_off++) {
    LinkLevel level = start_link_level();
    add_box(&level.scene, 0, -9, 0, 10, 0, 10);
    add_box(&level.scene, 10, -9, 0, 12, -6, 10);
    add_box(&level.scene, 12, -9, 0, 22, 0, 10);
    const WmRefusedLink refused =
        explain_way(&level, (float[3]){9.25f, 0, 5}, (float[3]){11, -6, is_off ? 6.5f : 5});
    CHECK_EQUAL_INT(refused.reason, WM_LINK_TOO_DEEP);
    CHECK(refused.value > refused.limit && is_near(refused.value, 6, 0.13f));
  }
  /* Up a wall: never a drop, whether climbs are on, off, or too low. */
  for (int is_on = 0; is_on < 2; is_on++) {
    LinkLevel level = start_on_ground();
    add_box(&level.scene, 10, -1, 0, 20, 3, 10);
    for (int kind = 0; kind < WM_SEGMENT_LINK_KINDS; kind++)
      level.links.kinds[kind].is_on = kind == WM_SEGMENT_LINK_DROP;
    level.links.kinds[WM_SEGMENT_LINK_CLIMB].is_on = is_on;
    const WmRefusedLink refused = explain_way(&level, (float[3]){9.25f, 0, 5}, (float[3]){10.75f, 3, 5});
    CHECK_EQUAL_INT(refused.reason, is_on ? WM_LINK_TOO_HIGH : WM_LINK_KIND_OFF);
    CHECK_EQUAL_INT(refused.kind, WM_SEGMENT_LINK_CLIMB);
  }
}

/* ---- Configuration ------------------------------------------------------------------------------------- */

static void check_refused(const WmLinkConfig *links, const WmConfig *config, const char *field) {
  WmContext *context = wm_context_create(NULL);
  CHECK_EQUAL_INT(wm_link_config_check(context, links, config), WM_ERROR_CONFIGURATION);
  CHECK(strcmp(wm_context_error(context)->field, field) == 0);
  wm_context_destroy(context);
}

static void limits_are_checked(void) {
  LinkLevel level = start_link_level();
  WmContext *context = level.context;
  CHECK_EQUAL_INT(wm_link_config_check(context, &level.links, &level.config), WM_OK);
  static const struct {
    const char *name;
    size_t offset;
  } FIELDS[] = {
      {"links.drop.maxHeight", offsetof(WmLinkConfig, drop_max_height)},
      {"links.jump.maxDistance", offsetof(WmLinkConfig, jump_max_distance)},
      {"links.jump.maxUp", offsetof(WmLinkConfig, jump_max_up)},
      {"links.jump.maxDown", offsetof(WmLinkConfig, jump_max_down)},
      {"links.jump.peak", offsetof(WmLinkConfig, jump_peak)},
      {"links.climb.maxHeight", offsetof(WmLinkConfig, climb_max_height)},
      {"links.vault.maxHeight", offsetof(WmLinkConfig, vault_max_height)},
      {"links.vault.maxDepth", offsetof(WmLinkConfig, vault_max_depth)},
      {"links.minWidth", offsetof(WmLinkConfig, min_width)},
      {"links.minSaving", offsetof(WmLinkConfig, min_saving)},
      {"links.thinning", offsetof(WmLinkConfig, thinning)},
  };
  static const float BAD[] = {NAN, -1, 1e9f, INFINITY};
  for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; i++) {
    for (size_t k = 0; k < sizeof BAD / sizeof *BAD; k++) {
      WmLinkConfig links = level.links;
      memcpy((char *)&links + FIELDS[i].offset, &BAD[k], sizeof BAD[k]);
      check_refused(&links, &level.config, FIELDS[i].name);
    }
  }
  WmLinkConfig off = level.links;
  off.jump_max_distance = NAN;
  off.kinds[WM_SEGMENT_LINK_JUMP].is_on = false;
  CHECK_EQUAL_INT(wm_link_config_check(context, &off, &level.config), WM_OK);
  free_link_level(&level);
}

/* ---- Random levels ------------------------------------------------------------------------------------- */

static LinkLevel start_random_level(uint32_t seed, int32_t tile_size) {
  LinkLevel level = start_link_level();
  level.scene = make_random_scene(seed);
  level.config.tile_size = tile_size;
  return level;
}

/* True if a point lies on the mesh. */
static bool is_on_mesh(const WmMesh *mesh, const float point[3]) {
  WmBoxTiles tiles;
  WmNearestSearch search;
  wm_nearest_begin(&search, point, (const float[3]){0.02f, 0.3f, 0.02f});
  search.any_flags = true;
  wm_box_tiles_begin(&tiles, mesh, search.low, search.high);
  const WmMeshTile *tile;
  while ((tile = wm_box_tiles_next(&tiles)) != NULL) wm_tile_find_nearest(tile, &search);
  return search.tile != NULL;
}

static void check_link(const LinkLevel *level, const WmSegmentLink *link) {
  for (int i = 0; i < 2; i++) {
    CHECK(is_on_mesh(level->mesh, link->start[i]));
    CHECK(is_on_mesh(level->mesh, link->end[i]));
  }
  const float up = 0.5f * (link->end[0][1] + link->end[1][1] - link->start[0][1] - link->start[1][1]);
  const WmLinkConfig *links = &level->links;
  const float slack = 0.2f, climb = level->config.agent_max_climb;
  CHECK(wm_segment_link_width(link) >= 0.98f * level->config.cell_size);
  if (link->kind == WM_SEGMENT_LINK_DROP) CHECK(-up > climb - slack && -up <= links->drop_max_height + slack);
  if (link->kind == WM_SEGMENT_LINK_CLIMB) CHECK(up > climb - slack && up <= links->climb_max_height + slack);
  if (link->kind == WM_SEGMENT_LINK_JUMP)
    CHECK(up <= links->jump_max_up + slack && -up <= links->jump_max_down + slack);
  if (link->kind == WM_SEGMENT_LINK_VAULT)
    CHECK(link->peak + fabsf(up) <= links->vault_max_height + 2 * slack);
  CHECK_EQUAL_INT(link->area, link->kind + 1);
  CHECK_EQUAL_INT(link->flags, 2 << link->kind);
}

/* All links of a mesh lie on its ground on both sides. */
static void check_ties(const WmMesh *mesh) {
  WmRef set = 0;
  while ((set = wm_mesh_next_links(mesh, set)) != 0) {
    int32_t x, z;
    uint32_t number;
    size_t count;
    CHECK_EQUAL_INT(wm_mesh_links_place(mesh, set, &x, &z, &number), WM_OK);
    CHECK(wm_mesh_links_at(mesh, x, z, number, &count, NULL) != NULL);
    for (size_t i = 0; i < count; i++) {
      WmSegmentLink link;
      int tied;
      CHECK_EQUAL_INT(wm_mesh_segment_link(mesh, set + i, &link, &tied), WM_OK);
      CHECK_EQUAL_INT(tied, 3);
    }
  }
}

static void links_keep_their_limits(void) {
  size_t kinds[WM_SEGMENT_LINK_KINDS] = {0};
  for (uint32_t seed = 1; seed <= 30; seed++) {
    LinkLevel level = start_random_level(seed, seed % 2 ? 0 : 24);
    finish_link_level(&level);
    size_t count;
    WmSegmentLink *links = run_all_tiles(&level, &count);
    for (size_t i = 0; i < count; i++) {
      check_link(&level, &links[i]);
      kinds[links[i].kind]++;
    }
    CHECK_EQUAL_INT(wm_mesh_put_links(level.mesh, 0, 0, 0, links, count, NULL), WM_OK);
    CHECK_EQUAL_INT(wm_mesh_segment_link_count(level.mesh), count);
    check_ties(level.mesh);
    CHECK(wm_mesh_least_cost(level.mesh) ==
          1); /* no link costs less than the distance that it bridges at any position */
    free(links);
    free_link_level(&level);
  }
  for (int kind = 0; kind < WM_SEGMENT_LINK_KINDS; kind++) CHECK(kinds[kind] > 0);
}

/* Runs the tiles in a shuffled order, with no memory for unpacked air; every result must be the same bytes. */
static void order_and_cache_change_nothing(void) {
  for (uint32_t seed = 1; seed <= 6; seed++) {
    LinkLevel level = start_random_level(seed, 24);
    finish_link_level(&level);
    const int32_t count = level.tiles[0] * level.tiles[1];
    WmLinkResult *first = calloc((size_t)count, sizeof *first);
    for (int32_t i = 0; i < count; i++) {
      CHECK_EQUAL_INT(wm_link_generator_run(level.generator, level.mesh, i % level.tiles[0],
                                            i / level.tiles[0], true, &first[i]),
                      WM_OK);
    }
    level.generator->unpacked_limit = 0;
    for (int32_t i = count; i-- > 0;) {
      const int32_t tile = (int32_t)((uint32_t)i * 7u % (uint32_t)count);
      WmLinkResult again;
      CHECK_EQUAL_INT(wm_link_generator_run(level.generator, level.mesh, tile % level.tiles[0],
                                            tile / level.tiles[0], true, &again),
                      WM_OK);
      const WmLinkResult *result = &first[tile];
      CHECK(again.link_count == result->link_count &&
            memcmp(again.links, result->links, again.link_count * sizeof *again.links) == 0);
      CHECK(again.refused_count == result->refused_count &&
            (again.refused_count == 0 ||
             memcmp(again.refused, result->refused, again.refused_count * sizeof *again.refused) == 0));
      wm_link_result_free(level.context, &again);
    }
    for (int32_t i = 0; i < count; i++) wm_link_result_free(level.context, &first[i]);
    free(first);
    free_link_level(&level);
  }
}

/* Sums of the widths of links by kind. */
static void sum_widths(uint32_t seed, int32_t tile_size, float widths[WM_SEGMENT_LINK_KINDS]) {
  LinkLevel level = start_random_level(seed, tile_size);
  level.links.thinning = 0;
  level.config.min_region_size = 0; /* tiles keep small regions at their sides */
  finish_link_level(&level);
  size_t count;
  WmSegmentLink *links = run_all_tiles(&level, &count);
  for (size_t i = 0; i < count; i++) widths[links[i].kind] += wm_segment_link_width(&links[i]);
  free(links);
  free_link_level(&level);
}

static void tiles_of_any_size_have_as_many_links(void) {
  float whole[WM_SEGMENT_LINK_KINDS] = {0}, tiled[WM_SEGMENT_LINK_KINDS] = {0};
  for (uint32_t seed = 1; seed <= 12; seed++) {
    sum_widths(seed, 0, whole);
    sum_widths(seed, 20, tiled);
  }
  for (int kind = 0; kind < WM_SEGMENT_LINK_KINDS; kind++)
    CHECK(is_near(whole[kind], tiled[kind], 0.2f * whole[kind]));
}

/* Bakes the tiles of a level again, and gives their air to a generator that keeps at most `limit` bytes of it unpacked. */
static WmLinkGenerator *give_air_again(LinkLevel *level, size_t limit, const WmAreaVolume *blocking,
                                       size_t blocking_count) {
  WmLinkGenerator *generator;
  CHECK_EQUAL_INT(wm_link_generator_create(level->context, &level->links, &level->bounded, &generator),
                  WM_OK);
  CHECK_EQUAL_INT(wm_link_generator_limit_cache(generator, limit, 0), WM_OK);
  for (int32_t i = 0; i < level->tiles[0] * level->tiles[1]; i++) {
    const int32_t x = i % level->tiles[0], z = i / level->tiles[0];
    WmAir *air;
    uint8_t *bytes, *copy;
    size_t byte_count, copy_count;
    CHECK_EQUAL_INT(wm_baker_begin_tile(level->baker, x, z, false), WM_OK);
    while (wm_baker_next_stage(level->baker) != WM_STAGE_COMPACT)
      CHECK_EQUAL_INT(wm_baker_step(level->baker), WM_OK);
    CHECK_EQUAL_INT(wm_baker_keep_air(level->baker, &bytes, &byte_count), WM_OK);
    CHECK_EQUAL_INT(wm_baker_take_air(level->baker, &air), WM_OK);
    CHECK_EQUAL_INT(wm_link_generator_give_air(generator, x, z, air, blocking, blocking_count), WM_OK);
    if (i % 2 == 0) {
      CHECK_EQUAL_INT(wm_link_generator_copy_air(generator, x, z, &copy, &copy_count), WM_OK);
      CHECK(copy_count == byte_count && memcmp(copy, bytes, byte_count) == 0);
      wm_block_free(level->context, copy);
    }
    CHECK_EQUAL_INT(wm_baker_take_air(level->baker, &air), WM_ERROR_STATE); /* it has gone */
    CHECK(!air);
    wm_block_free(level->context, bytes);
    while (wm_baker_next_stage(level->baker) != WM_STAGE_DONE)
      CHECK_EQUAL_INT(wm_baker_step(level->baker), WM_OK);
  }
  return generator;
}

/* Makes the links of a level with another generator, which it frees, and compares them. */
static void check_same_links(LinkLevel *level, WmLinkGenerator *generator, const WmSegmentLink *links,
                             size_t count) {
  WmLinkGenerator *own = level->generator;
  size_t other_count;
  level->generator = generator;
  WmSegmentLink *others = run_all_tiles(level, &other_count);
  CHECK_EQUAL_INT(other_count, count);
  CHECK(other_count == count && memcmp(others, links, count * sizeof *links) == 0);
  free(others);
  wm_link_generator_destroy(generator);
  level->generator = own;
}

/* The floors of a tile that have ground, and how many of them their square doesn't have. */
static void count_ground(const LinkLevel *level, int32_t x, int32_t z, size_t *floors, size_t *outside) {
  const WmAirTile *tile = wm_air_tile(level->generator, x, z);
  const WmUnpackedAir *air = tile ? tile->unpacked : NULL;
  WmGrid place;
  if (!air || !air->surface_key) return;
  wm_link_tile_grid(level->generator, x, z, &place);
  for (int32_t cell = 0; cell < place.width * place.depth; cell++) {
    const int32_t column = (cell % place.width) >> WM_GROUND_SQUARE_SHIFT,
                  row = (cell / place.width) >> WM_GROUND_SQUARE_SHIFT;
    const WmGroundSquare square = air->squares[column + row * wm_count_squares(place.width)];
    for (uint32_t k = air->cell_first[cell]; k < air->cell_first[cell + 1]; k++) {
      if (air->ground[k] == 0) continue;
      ++*floors;
      *outside += air->gaps[k].floor < square.low || air->gaps[k].floor > square.high;
    }
  }
}

/* Lines pass over squares without ground. Columns that a volume closes have no floor near the mesh, those beside them have. */
static void squares_have_the_heights_of_their_ground(void) {
  const WmAreaVolume wall = {.kind = WM_AREA_VOLUME_BOX, .minimum = {8, -5, 0}, .maximum = {9, 5, 30}};
  size_t floors = 0, outside = 0;
  for (uint32_t seed = 1; seed <= 6; seed++) {
    LinkLevel level = start_random_level(seed, seed % 2 ? 0 : 24);
    size_t count;
    finish_link_level(&level);
    WmLinkGenerator *own = level.generator;
    level.generator = give_air_again(&level, 64 << 20, &wall, 1);
    free(run_all_tiles(&level, &count));
    for (int32_t place = 0; place < level.tiles[0] * level.tiles[1]; place++)
      count_ground(&level, place % level.tiles[0], place / level.tiles[0], &floors, &outside);
    wm_link_generator_destroy(own);
    free_link_level(&level);
  }
  CHECK(floors > 1000);
  CHECK_EQUAL_INT(outside, 0);
}

/* Gives the air of all tiles to another generator, with volumes that block it. */
static void block_air(const LinkLevel *level, WmLinkGenerator *to, const WmAreaVolume *blocking,
                      size_t count) {
  for (int32_t i = 0; i < level->tiles[0] * level->tiles[1]; i++) {
    const int32_t x = i % level->tiles[0], z = i / level->tiles[0];
    uint8_t *bytes;
    size_t byte_count;
    CHECK_EQUAL_INT(wm_link_generator_copy_air(level->generator, x, z, &bytes, &byte_count), WM_OK);
    CHECK_EQUAL_INT(wm_link_generator_set_air(to, x, z, bytes, byte_count, blocking, count), WM_OK);
    wm_block_free(level->context, bytes);
  }
}

/* The unpacked air of a tile if it has all volumes, and ground; else NULL. */
static const WmUnpackedAir *find_present_air(const WmLinkGenerator *generator, int32_t x, int32_t z) {
  const WmAirTile *tile = wm_air_tile(generator, x, z);
  const WmUnpackedAir *air = tile->unpacked;
  return air && air->volumes_key == tile->volumes_key && air->surface_key ? air : NULL;
}

/* Compares the gaps and the ground of a tile that two generators have.
 * in/out     compared: counts tiles that both have needed since their volumes moved */
static bool has_same_air(const WmLinkGenerator *one, const WmLinkGenerator *other, int32_t x, int32_t z,
                         size_t *compared) {
  const WmUnpackedAir *a = find_present_air(one, x, z), *b = find_present_air(other, x, z);
  if (!a || !b) return true;
  ++*compared;
  const size_t cells = (size_t)a->air->width * (size_t)a->air->depth;
  return a->gap_count == b->gap_count &&
         memcmp(a->cell_first, b->cell_first, (cells + 1) * sizeof *a->cell_first) == 0 &&
         memcmp(a->gaps, b->gaps, a->gap_count * sizeof *a->gaps) == 0 &&
         memcmp(a->ground, b->ground, a->gap_count * sizeof *a->ground) == 0;
}

/* Ground is copied from the air as it was before volumes moved, but for the rows that they meet. Their order changes nothing. */
static void volumes_that_move_leave_the_air_beside_them(void) {
  enum { VOLUMES = 3, MOVES = 10 };
  Random random = {7};
  size_t all = 0, compared = 0;
  for (uint32_t seed = 1; seed <= 3; seed++) {
    LinkLevel level = start_random_level(seed, 24);
    finish_link_level(&level);
    WmLinkGenerator *own = level.generator, *cached;
    CHECK_EQUAL_INT(wm_link_generator_create(level.context, &level.links, &level.bounded, &cached), WM_OK);
    CHECK_EQUAL_INT(wm_link_generator_limit_cache(cached, 64 << 20, 1 << 20), WM_OK);
    for (int move = 0; move < MOVES; move++) {
      WmAreaVolume volumes[VOLUMES], reversed[VOLUMES];
      for (int i = 0; i < VOLUMES; i++) {
        const float x = (float)random_below(&random, 8), z = (float)random_below(&random, 8);
        volumes[i] = (WmAreaVolume){.kind = WM_AREA_VOLUME_BOX,
                                    .minimum = {x, -1, z},
                                    .maximum = {x + 2, (float)random_below(&random, 5), z + 1}};
      }
      WmLinkGenerator *fresh;
      CHECK_EQUAL_INT(wm_link_generator_create(level.context, &level.links, &level.bounded, &fresh), WM_OK);
      const size_t count = (size_t)random_below(&random, VOLUMES + 1);
      for (size_t i = 0; i < count; i++) reversed[i] = volumes[count - 1 - i];
      block_air(&level, cached, volumes, count);
      block_air(&level, fresh, reversed, count);
      size_t link_count, expected_count;
      level.generator = cached;
      WmSegmentLink *links = run_all_tiles(&level, &link_count);
      level.generator = fresh;
      WmSegmentLink *expected = run_all_tiles(&level, &expected_count);
      level.generator = own;
      CHECK(link_count == expected_count && memcmp(links, expected, link_count * sizeof *links) == 0);
      all += link_count;
      for (int32_t i = 0; i < level.tiles[0] * level.tiles[1]; i++)
        CHECK(has_same_air(cached, fresh, i % level.tiles[0], i / level.tiles[0], &compared));
      free(links);
      free(expected);
      wm_link_generator_destroy(fresh);
    }
    wm_link_generator_destroy(cached);
    free_link_level(&level);
  }
  CHECK(all > 100);
  CHECK(compared > 100);
}

static void given_air_makes_the_same_links(void) {
  const WmAreaVolume wall = {.kind = WM_AREA_VOLUME_BOX, .minimum = {8, -5, 0}, .maximum = {9, 5, 30}};
  size_t all = 0;
  for (uint32_t seed = 1; seed <= 3; seed++) {
    LinkLevel level = start_random_level(seed, seed == 1 ? 0 : 24);
    finish_link_level(&level);
    size_t count;
    WmSegmentLink *links = run_all_tiles(&level, &count);
    all += count;
    check_same_links(&level, give_air_again(&level, 64 << 20, NULL, 0), links, count);
    check_same_links(&level, give_air_again(&level, 0, NULL, 0), links, count);
    check_same_links(&level, give_air_again(&level, 40000, NULL, 0), links, count);
    /* Air that is moved to another generator, before and after it was packed. */
    for (int packs = 0; packs < 3; packs++) {
      WmLinkGenerator *first = give_air_again(&level, 64 << 20, NULL, 0), *second;
      if (packs > 0) CHECK(wm_link_generator_trim(first));
      CHECK_EQUAL_INT(wm_link_generator_create(level.context, &level.links, &level.bounded, &second), WM_OK);
      if (packs > 1) CHECK_EQUAL_INT(wm_link_generator_limit_cache(second, 64 << 20, 1 << 20), WM_OK);
      const size_t bytes = wm_link_generator_air_bytes(first);
      CHECK_EQUAL_INT(wm_link_generator_take_air(second, first), WM_OK);
      CHECK_EQUAL_INT(wm_link_generator_air_bytes(second), bytes);
      CHECK_EQUAL_INT(wm_link_generator_air_bytes(first), 0);
      uint8_t *none;
      size_t none_count;
      CHECK_EQUAL_INT(wm_link_generator_copy_air(first, 0, 0, &none, &none_count), WM_OK);
      CHECK(!none && none_count == 0);
      wm_link_generator_destroy(first);
      check_same_links(&level, second, links, count);
    }
    free(links);
    /* With volumes that block. */
    WmLinkGenerator *own = level.generator;
    level.generator = give_air_again(&level, 64 << 20, &wall, 1);
    for (int32_t i = 0; i < level.tiles[0] * level.tiles[1]; i++) {
      uint8_t *bytes;
      size_t byte_count;
      const int32_t x = i % level.tiles[0], z = i / level.tiles[0];
      CHECK_EQUAL_INT(wm_link_generator_copy_air(level.generator, x, z, &bytes, &byte_count), WM_OK);
      CHECK_EQUAL_INT(i % 2 ? wm_link_generator_set_volumes(own, x, z, &wall, 1)
                            : wm_link_generator_set_air(own, x, z, bytes, byte_count, &wall, 1),
                      WM_OK);
      wm_block_free(level.context, bytes);
    }
    links = run_all_tiles(&level, &count);
    wm_link_generator_destroy(level.generator);
    level.generator = own;
    size_t other_count;
    WmSegmentLink *others = run_all_tiles(&level, &other_count);
    CHECK(count == other_count && memcmp(others, links, count * sizeof *links) == 0);
    free(others);
    free(links);
    free_link_level(&level);
  }
  CHECK(all > 20);
}

/* Air that was moved counts as new air: borders are looked at again when it changes. It is kept unpacked within the limit only. */
static void moved_air_is_noted(void) {
  size_t all = 0;
  for (uint32_t seed = 1; seed <= 3; seed++) {
    LinkLevel level = start_random_level(seed, 24);
    finish_link_level(&level);
    WmLinkGenerator *given = give_air_again(&level, 64 << 20, NULL, 0), *own = level.generator;
    CHECK_EQUAL_INT(wm_link_generator_create(level.context, &level.links, &level.bounded, &level.generator),
                    WM_OK);
    CHECK_EQUAL_INT(wm_link_generator_limit_cache(level.generator, 1000, 1 << 20), WM_OK);
    CHECK_EQUAL_INT(wm_link_generator_take_air(level.generator, given), WM_OK);
    CHECK(level.generator->unpacked_bytes <= 1000);
    CHECK_EQUAL_INT(wm_link_generator_take_air(level.generator, level.generator), WM_OK);
    size_t count;
    free(run_all_tiles(&level, &count));
    all += count;
    for (int32_t i = 0; i < level.tiles[0] * level.tiles[1]; i += 2) {
      const int32_t x = i % level.tiles[0], z = i / level.tiles[0];
      CHECK_EQUAL_INT(wm_link_generator_set_air(level.generator, x, z, NULL, 0, NULL, 0), WM_OK);
      CHECK_EQUAL_INT(wm_link_generator_set_air(own, x, z, NULL, 0, NULL, 0), WM_OK);
    }
    WmLinkGenerator *cached = level.generator;
    WmSegmentLink *links = run_all_tiles(&level, &count);
    level.generator = own;
    size_t expected_count;
    WmSegmentLink *expected = run_all_tiles(&level, &expected_count);
    CHECK(count == expected_count && memcmp(links, expected, count * sizeof *links) == 0);
    free(links);
    free(expected);
    wm_link_generator_destroy(cached);
    wm_link_generator_destroy(given);
    free_link_level(&level);
  }
  CHECK(all > 20);
}

static void air_of_another_grid_is_refused(void) {
  LinkLevel small = start_random_level(2, 24), large = start_random_level(2, 32);
  finish_link_level(&small);
  finish_link_level(&large);
  WmAir *air;
  CHECK_EQUAL_INT(wm_baker_begin_tile(small.baker, 0, 0, false), WM_OK);
  while (wm_baker_next_stage(small.baker) != WM_STAGE_COMPACT)
    CHECK_EQUAL_INT(wm_baker_step(small.baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_take_air(small.baker, &air), WM_OK);
  size_t before = wm_link_generator_air_bytes(large.generator);
  CHECK_EQUAL_INT(wm_link_generator_give_air(large.generator, 0, 0, air, NULL, 0), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_link_generator_take_air(large.generator, small.generator), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_link_generator_air_bytes(large.generator), before);
  free_link_level(&small);
  free_link_level(&large);
}

/* A mesh of the same grid of tiles that was baked with other cells. */
static void a_mesh_with_other_cells_is_refused(void) {
  LinkLevel level = start_random_level(2, 24);
  finish_link_level(&level);
  const float sizes[3] = {level.config.cell_size, 2 * level.config.cell_size, 0};
  for (int i = 0; i < 3; i++) {
    WmMeshParameters parameters = *wm_mesh_parameters(level.mesh);
    WmMesh *mesh = NULL;
    WmLinkResult result;
    parameters.cell_size = sizes[i];
    CHECK_EQUAL_INT(wm_mesh_create(level.context, &parameters, &mesh), WM_OK);
    CHECK_EQUAL_INT(wm_link_generator_run(level.generator, mesh, 0, 0, false, &result),
                    i == 1 ? WM_ERROR_INVALID_ARGUMENT : WM_OK);
    wm_link_result_free(level.context, &result);
    wm_mesh_destroy(mesh);
  }
  free_link_level(&level);
}

int main(void) {
  RUN(a_gap_is_jumped_both_ways);
  RUN(slopes_that_fall_against_each_other_are_jumped_between);
  RUN(a_high_ledge_is_dropped_from);
  RUN(a_low_ledge_is_climbed_up_and_dropped_from);
  RUN(nobody_jumps_down_where_a_drop_leads);
  RUN(agents_climb_down_where_they_do_not_drop);
  RUN(a_fence_is_vaulted_over);
  RUN(links_that_save_little_are_left_out);
  RUN(a_high_wall_is_not_vaulted_over);
  RUN(a_low_beam_over_a_gap_stops_jumps);
  RUN(a_bottomless_gap_under_a_roof_is_jumped);
  RUN(a_pillar_in_the_arc_divides_a_jump);
  RUN(volumes_block_links);
  RUN(links_over_missing_tiles_wait);
  RUN(explanations_name_the_nearest_link);
  RUN(explanations_tell_which_limit_is_exceeded);
  RUN(a_wall_is_explained_by_the_height_of_vaults);
  RUN(links_that_save_nothing_are_explained_so);
  RUN(a_way_is_explained_by_kinds_that_lead_there);
  RUN(limits_are_checked);
  RUN(links_keep_their_limits);
  RUN(order_and_cache_change_nothing);
  RUN(squares_have_the_heights_of_their_ground);
  RUN(volumes_that_move_leave_the_air_beside_them);
  RUN(given_air_makes_the_same_links);
  RUN(moved_air_is_noted);
  RUN(air_of_another_grid_is_refused);
  RUN(a_mesh_with_other_cells_is_refused);
  RUN(tiles_of_any_size_have_as_many_links);
  return check_finish();
}
