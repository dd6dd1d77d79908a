/* min_saving measures the shortest walk: compared with the shortest paths of queries, which share no code with it. */
#include <math.h>

#include "base/vector.h"
#include "link_levels.h"
#include "query/search/path.h"

/* Cells by which walks and paths may differ, besides rounding: their ends lie on borders, which queries move onto polygons. */
#define ERROR 0.1f

static void find_middle(const float segment[2][3], float middle[3]) {
  wm_interpolate(segment[0], segment[1], 0.5f, middle);
}

/* The length of the shortest path between the middles of a link's segments; INFINITY: there is none. On slopes the path that is the
 * shortest on x and z may be longer than the ordinary one. */
static float find_path_length(WmQuery *query, const float start[3], const float end[3]) {
  float length = INFINITY;
  for (int shortest = 0; shortest < 2; shortest++) {
    WmPathOptions options = wm_path_options_default();
    WmPath path;
    options.search.shortest = shortest != 0;
    options.half_extents[0] = options.half_extents[2] = 0.1f;
    options.half_extents[1] = 0.7f;
    CHECK_EQUAL_INT(wm_query_find_path(query, start, end, &options, &path), WM_OK);
    if (path.state == WM_PATH_COMPLETE) length = fminf(length, path.length);
  }
  return length;
}

static bool is_among(const WmSegmentLink *link, const WmSegmentLink *links, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (links[i].kind == link->kind && memcmp(links[i].start, link->start, sizeof link->start) == 0 &&
        memcmp(links[i].end, link->end, sizeof link->end) == 0)
      return true;
  }
  return false;
}

/* Compares the reason why a link was left out with its walk. */
static bool is_explained(const LinkLevel *level, const WmSegmentLink *link, float walk) {
  float start[3], end[3];
  find_middle(link->start, start);
  find_middle(link->end, end);
  for (int32_t i = 0; i < level->tiles[0] * level->tiles[1]; i++) {
    WmLinkResult result;
    bool found = false;
    CHECK_EQUAL_INT(wm_link_generator_run(level->generator, level->mesh, i % level->tiles[0],
                                          i / level->tiles[0], true, &result),
                    WM_OK);
    for (size_t k = 0; k < result.refused_count; k++) {
      const WmRefusedLink *refused = &result.refused[k];
      found |= refused->reason == WM_LINK_SAVES_NOTHING && refused->kind == link->kind &&
               wm_is_same_point(refused->start, start) && wm_is_same_point(refused->end, end) &&
               refused->value * link->cost <= walk * 1.001f + ERROR * level->config.cell_size &&
               refused->value * link->cost >= 0.95f * walk - ERROR * level->config.cell_size;
    }
    wm_link_result_free(level->context, &result);
    if (found) return true;
  }
  return false;
}

static void links_are_left_out_if_the_shortest_walk_is_short(void) {
  static const float SAVINGS[3] = {2, 5, 20};
  int left_out = 0, walks = 0;
  for (uint32_t seed = 1; seed <= (uint32_t)CHECK_ROUNDS(60); seed++) {
    LinkLevel level = start_link_level();
    level.scene = make_random_scene(seed);
    level.config.tile_size = seed % 2 ? 0 : 24;
    finish_link_level(&level);
    size_t count, stay_count;
    WmSegmentLink *links = run_all_tiles(&level, &count);
    level.links.min_saving = SAVINGS[seed % 3];
    CHECK_EQUAL_INT(wm_link_generator_configure(level.generator, &level.links), WM_OK);
    WmSegmentLink *stay = run_all_tiles(&level, &stay_count);
    WmQuery *query;
    CHECK_EQUAL_INT(wm_query_create(level.context, level.mesh, &query), WM_OK);
    for (size_t i = 0; i < count; i++) {
      const WmSegmentLink *link = &links[i];
      float start[3], end[3];
      find_middle(link->start, start);
      find_middle(link->end, end);
      const float walk = find_path_length(query, start, end), error = ERROR * level.config.cell_size;
      const float most = level.links.min_saving * link->cost;
      walks += walk < INFINITY;
      if (is_among(link, stay, stay_count)) {
        CHECK(walk > 0.999f * most - error);
      } else {
        CHECK(walk < 1.001f * most + error);
        CHECK(is_explained(&level, link, walk));
        left_out++;
      }
    }
    wm_query_destroy(query);
    free(links);
    free(stay);
    free_link_level(&level);
  }
  CHECK(left_out > 0 && left_out < walks);
}

/* Two large floors side by side with a hole between them, whose corner is near: over the midpoints of portals the walk is several times as
 * long as it is. */
static void a_straight_walk_over_large_polygons_is_short(void) {
  LinkLevel level = start_link_level();
  add_box(&level.scene, 0, -1, 0, 40, 0, 20);
  add_box(&level.scene, 0, -1, 20, 20, 0, 22);
  add_box(&level.scene, 21, -1, 20, 40, 0, 22);
  level.links.jump_max_distance = 6;
  finish_link_level(&level);
  size_t count;
  WmSegmentLink *links = run_all_tiles(&level, &count);
  CHECK(count > 0);
  free(links);
  level.links.min_saving = 5;
  CHECK_EQUAL_INT(wm_link_generator_configure(level.generator, &level.links), WM_OK);
  free(run_all_tiles(&level, &count));
  CHECK_EQUAL_INT(count, 0);
  free_link_level(&level);
}

int main(void) {
  RUN(links_are_left_out_if_the_shortest_walk_is_short);
  RUN(a_straight_walk_over_large_polygons_is_short);
  return check_finish();
}
