/* The pass over the links against slower ways to the same: sweeps column by column, refusals wanted or not, links thinned in pairs. */
#include <math.h>

#include "link_levels.h"

static LinkLevel make_random_level(uint32_t seed, int32_t tile_size) {
  LinkLevel level = start_link_level();
  level.scene = make_random_scene(seed);
  level.config.tile_size = tile_size;
  finish_link_level(&level);
  return level;
}

/* A random number from 0 to 1. */
static float random_part(uint32_t *random) {
  *random = *random * 1664525u + 1013904223u;
  return (float)(*random >> 8) / (float)(1 << 24);
}

/* ---- Sweeps -------------------------------------------------------------------------------------------- */

/* A flight over the tile in the middle of a window, near the ground of its start and end. */
static WmFlight make_random_flight(WmAirWindow *window, uint32_t *random) {
  const float angle = random_part(random) < 0.5f ? 1.5707964f * floorf(4 * random_part(random))
                                                 : 6.2831853f * random_part(random);
  WmFlight flight = {.shape = (uint8_t)(random_part(random) * WM_FLIGHT_SHAPES),
                     .outward = {cosf(angle), sinf(angle)},
                     .length = 0.5f * floorf(4 + 28 * random_part(random)),
                     .peak = 0.5f + 6 * random_part(random)};
  for (int axis = 0; axis < 2; axis++)
    flight.start[axis] = (float)window->cells[axis] * (0.35f + 0.3f * random_part(random));
  for (int end = 0; end < 2; end++) {
    const float along = end ? flight.length : 0;
    const WmColumn column = wm_air_column(window, (int32_t)(flight.start[0] + along * flight.outward[0]),
                                          (int32_t)(flight.start[1] + along * flight.outward[1]));
    flight.heights[end] =
        (column.count ? column.gaps[column.count - 1].floor : 20.0f) + 3 * random_part(random);
  }
  if (flight.shape == WM_FLIGHT_LEDGE) {
    /* As the generator makes them: the end is lower than the climb. */
    flight.peak = 0;
    flight.heights[1] = fminf(flight.heights[1], flight.heights[0] - window->generator->limits.climb - 0.1f);
  }
  if (flight.shape == WM_FLIGHT_VAULT) flight.peak += window->generator->limits.climb;
  return flight;
}

/* True if the body passes each column that it meets. */
static bool sweep_slowly(WmAirWindow *window, const WmFlight *flight) {
  const float radius = fmaxf(window->generator->limits.radius, 0.71f);
  const WmFlightPath path = wm_flight_path(&window->generator->limits, flight);
  for (int32_t z = 0; z < window->cells[1]; z++) {
    for (int32_t x = 0; x < window->cells[0]; x++) {
      const float to_x = (float)x + 0.5f - flight->start[0], to_z = (float)z + 0.5f - flight->start[1];
      const float along = to_x * flight->outward[0] + to_z * flight->outward[1],
                  aside = to_z * flight->outward[0] - to_x * flight->outward[1];
      const float squared = radius * radius - aside * aside;
      if (!(squared >= 0)) continue;
      const float half = sqrtf(squared), from = fmaxf(along - half, 0),
                  to = fminf(along + half, flight->length);
      if (!(from <= to)) continue;
      const WmFlightRange range = wm_flight_range(&path, from, to);
      const WmColumn column = wm_air_column(window, x, z);
      if (!wm_column_fits(&column, range.low + 0.03f, range.high - 0.03f)) return false;
    }
  }
  return true;
}

static void sweeps_meet_what_a_sweep_of_all_columns_meets(void) {
  uint32_t random = 7, passed = 0, stopped = 0;
  for (uint32_t seed = 1; seed <= 6; seed++) {
    LinkLevel level = make_random_level(seed, seed % 2 ? 24 : 15);
    const WmScratchMark mark = wm_scratch_mark(level.context);
    WmAirWindow window;
    level.generator->run_count++;
    CHECK_EQUAL_INT(
        wm_air_window_start(level.generator, level.mesh, level.tiles[0] / 2, level.tiles[1] / 2, &window),
        WM_OK);
    for (int i = 0; i < 400; i++) {
      const WmFlight flight = make_random_flight(&window, &random);
      const bool passes = sweep_slowly(&window, &flight);
      WmObstruction stop;
      CHECK(wm_flight_sweep(&window, &flight, &stop) == passes);
      if (!passes) CHECK(!wm_flight_passes(&window, &flight, &stop));
      *(passes ? &passed : &stopped) += 1;
    }
    wm_scratch_rewind(level.context, mark);
    free_link_level(&level);
  }
  CHECK(passed > 200 && stopped > 200);
}

/* ---- Refusals ------------------------------------------------------------------------------------------ */

/* Without refusals lines end early, and flights meet first what stopped others. */
static void refusals_change_no_link(void) {
  size_t count = 0;
  for (uint32_t seed = 1; seed <= 10; seed++) {
    LinkLevel level = make_random_level(seed, seed % 2 ? 0 : 24);
    for (int32_t i = 0; i < level.tiles[0] * level.tiles[1]; i++) {
      WmLinkResult results[2];
      for (int wanted = 0; wanted < 2; wanted++) {
        CHECK_EQUAL_INT(wm_link_generator_run(level.generator, level.mesh, i % level.tiles[0],
                                              i / level.tiles[0], wanted == 1, &results[wanted]),
                        WM_OK);
      }
      CHECK(results[0].link_count == results[1].link_count &&
            memcmp(results[0].links, results[1].links, results[0].link_count * sizeof *results[0].links) ==
                0);
      count += results[0].link_count;
      for (int wanted = 0; wanted < 2; wanted++) wm_link_result_free(level.context, &results[wanted]);
    }
    free_link_level(&level);
  }
  CHECK(count > 50);
}

/* ---- Thinning ------------------------------------------------------------------------------------------ */

static float find_distance(const float point[3], const float segment[2][3]) {
  float length = 0, at = 0, distance = 0;
  for (int axis = 0; axis < 3; axis += 2) {
    const float side = segment[1][axis] - segment[0][axis];
    length += side * side;
    at += (point[axis] - segment[0][axis]) * side;
  }
  at = length > 0 ? fmaxf(0, fminf(at / length, 1)) : 0;
  for (int axis = 0; axis < 3; axis++) {
    const float away = segment[0][axis] + at * (segment[1][axis] - segment[0][axis]) - point[axis];
    distance += away * away;
  }
  return sqrtf(distance);
}

static float find_farthest(const float segment[2][3], const float wider[2][3]) {
  return fmaxf(find_distance(segment[0], wider), find_distance(segment[1], wider));
}

/* How far a link lies from a wider one: less than the thinning if it is needless. */
static float find_link_distance(const WmSegmentLink *link, const WmSegmentLink *wider) {
  if (wider->kind != link->kind || (link->bidirectional && !wider->bidirectional)) return INFINITY;
  const float same = fmaxf(find_farthest(link->start, wider->start), find_farthest(link->end, wider->end));
  const float other = fmaxf(find_farthest(link->start, wider->end), find_farthest(link->end, wider->start));
  return wider->bidirectional ? fminf(same, other) : same;
}

/* Links of random widths over an area, some of them many squares wide. */
static void make_random_links(uint32_t *random, WmSegmentLink *links, size_t count) {
  for (size_t i = 0; i < count; i++) {
    WmSegmentLink *link = &links[i];
    *link = (WmSegmentLink){.kind = (uint8_t)(2 * random_part(random)),
                            .bidirectional = random_part(random) < 0.5f};
    const float angle = 6.2831853f * random_part(random),
                width = 0.5f + (i % 16 ? 3 : 60) * random_part(random);
    const float from[3] = {12 * random_part(random) - 6, random_part(random), 12 * random_part(random) - 6};
    for (int end = 0; end < 2; end++) {
      const float move = (float)end * width;
      const float point[3] = {from[0] + move * cosf(angle), from[1], from[2] + move * sinf(angle)};
      memcpy(link->start[end], point, sizeof point);
      memcpy(link->end[end], point, sizeof point);
      link->end[end][0] -= 2 * sinf(angle);
      link->end[end][2] += 2 * cosf(angle);
    }
    link->cost = (float)(i + 1);
  }
}

/* Each link that is left out lies beside one that stays and is as wide; no two that stay make each other needless. */
static void needless_links_are_those_beside_wider_ones(void) {
  enum { COUNT = 600 };
  static WmSegmentLink links[COUNT];
  uint32_t random = 3;
  LinkLevel level = start_link_level();
  level.config.tile_size = 0;
  add_box(&level.scene, 0, -1, 0, 4, 0, 4);
  finish_link_level(&level);
  const float thinning = level.generator->config.thinning;
  for (int round = 0; round < 4; round++) {
    WmLinkList list = {0};
    make_random_links(&random, links, COUNT);
    CHECK_EQUAL_INT(wm_buffer_reserve(level.context, &list.links, COUNT, sizeof *links), WM_OK);
    memcpy(list.links.items, links, sizeof links);
    list.count = COUNT;
    CHECK_EQUAL_INT(wm_link_economy(level.generator, &list, true), WM_OK);
    const WmSegmentLink *kept = list.links.items;
    bool is_kept[COUNT] = {false};
    for (size_t i = 0; i < list.count; i++) is_kept[(size_t)kept[i].cost - 1] = true;
    for (size_t i = 0; i < COUNT; i++) {
      float nearest = INFINITY;
      for (size_t k = 0; k < list.count; k++) {
        const float more = wm_segment_link_width(&kept[k]) - wm_segment_link_width(&links[i]);
        const bool is_wider = more > 0 || (more == 0 && kept[k].cost < links[i].cost);
        if (is_wider) nearest = fminf(nearest, find_link_distance(&links[i], &kept[k]));
      }
      CHECK(is_kept[i] ? nearest > thinning * 0.999f : nearest < thinning * 1.001f);
    }
    CHECK(list.count < COUNT && list.count > COUNT / 20 && list.refused_count == COUNT - list.count);
    wm_block_free(level.context, list.links.items);
    wm_block_free(level.context, list.refused.items);
  }
  free_link_level(&level);
}

int main(void) {
  RUN(sweeps_meet_what_a_sweep_of_all_columns_meets);
  RUN(refusals_change_no_link);
  RUN(needless_links_are_those_beside_wider_ones);
  return check_finish();
}
