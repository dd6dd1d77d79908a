/* Islands and floods, against the golden results and slow oracles on drawn worlds. */
#include "query/search/flood.h"
#include "query/search/islands.h"

#include <math.h>

#include "golden_queries.h"
#include "maze_world.h"
#include "mesh/locate.h"

/* ---- Islands ------------------------------------------------------------------------------------------ */

typedef uint32_t Labels[MAZE_SLOT_LIMIT][GRID_POLYGON_LIMIT];

/* Spreads the smallest numbers along links, in both directions, until nothing changes; walls get 0. */
static void spread_labels(const WmMesh *mesh, const WmFilter *filter, Labels labels) {
  uint32_t next = 1;
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (uint32_t p = 0; tile && p < tile->polygon_count; p++, next++) {
      labels[s][p] = wm_filter_passes(filter, tile->polygon_flags[p]) ? next : 0;
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
      const WmMeshTile *tile = wm_mesh_tile(mesh, s);
      for (uint32_t p = 0; tile && p < tile->polygon_count; p++) {
        for (uint32_t i = tile->link_first[p]; i < tile->link_first[p + 1]; i++) {
          uint32_t *from = &labels[s][p], *to = &labels[tile->links[i].slot][tile->links[i].polygon];
          if (!*from || !*to || *from == *to) continue;
          *from = *to = *from < *to ? *from : *to;
          changed = true;
        }
      }
    }
  }
}

static double polygon_area(const WmMeshTile *tile, uint32_t polygon) {
  double area = 0;
  for (uint32_t k = 0; k < tile->polygon_size[polygon]; k++) {
    const float *a = wm_tile_vertex(tile, polygon, k), *b = wm_tile_vertex(tile, polygon, k + 1);
    area += (double)a[0] * b[2] - (double)b[0] * a[2];
  }
  return fabs(area) / 2;
}

/* The point lies on the largest polygon of the island, which has an area. */
static void check_island_point(const WmMesh *mesh, const WmIslands *islands, uint32_t island,
                               double largest) {
  const WmNearest found = wm_islands_point(islands, island);
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, found.polygon);
  CHECK((found.polygon == 0) == (largest == 0));
  if (!tile) return;
  const uint32_t polygon = wm_ref_polygon(found.polygon);
  CHECK_EQUAL_INT(wm_islands_of(islands, found.polygon), island);
  CHECK(fabs(polygon_area(tile, polygon) - largest) <= 1e-6);
  CHECK(found.over && wm_tile_contains(tile, polygon, found.point));
}

/* Same islands, largest first, equal ones by slot and polygon, areas as measured. */
static void check_islands(const WmMesh *mesh, const WmFilter *filter, const WmIslands *islands) {
  static Labels labels;
  spread_labels(mesh, filter, labels);
  const size_t count = wm_islands_count(islands);
  double *areas = calloc(count + 1, sizeof *areas), *largest = calloc(count + 1, sizeof *largest);
  WmRef *smallest = calloc(count + 1, sizeof *smallest);
  uint32_t *names = calloc(count + 1, sizeof *names);
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (uint32_t p = 0; tile && p < tile->polygon_count; p++) {
      const uint32_t island = wm_islands_of(islands, tile->ref + p);
      CHECK(island <= count && (island == 0) == (labels[s][p] == 0));
      if (island == 0 || island > count) continue;
      if (names[island] == 0) names[island] = labels[s][p];
      CHECK_EQUAL_INT(names[island], labels[s][p]);
      if (p < tile->ground_count) {
        areas[island] += polygon_area(tile, p);
        largest[island] = fmax(largest[island], polygon_area(tile, p));
      }
      const WmRef place = wm_ref_make(1, (uint32_t)s, p);
      if (!smallest[island] || place < smallest[island]) smallest[island] = place;
    }
  }
  for (uint32_t i = 1; i <= count; i++) {
    CHECK(names[i] != 0);
    for (uint32_t k = 1; k < i; k++) CHECK(names[k] != names[i]);
    CHECK(fabs(wm_islands_area(islands, i) - areas[i]) <= 1e-3);
    check_island_point(mesh, islands, i, largest[i]);
    if (i == 1) continue;
    const float before = wm_islands_area(islands, i - 1), area = wm_islands_area(islands, i);
    CHECK(before > area || (before == area && smallest[i - 1] < smallest[i]));
  }
  free(areas);
  free(largest);
  free(smallest);
  free(names);
}

static void islands_equal_labels_spread_along_links(void) {
  WmContext *context = wm_context_create(NULL);
  for (uint32_t world = 1; world <= 24; world++) {
    WmMesh *mesh = make_maze_world(context, world, 1 + world % 4);
    WmIslands *islands = NULL;
    CHECK_EQUAL_INT(wm_islands_create(context, mesh, &islands), WM_OK);
    WmFilter filter = wm_filter_default();
    for (int pass = 0; pass < 4; pass++) {
      CHECK(!wm_islands_are_current(islands, &filter));
      CHECK_EQUAL_INT(wm_islands_update(islands, &filter), WM_OK);
      CHECK(wm_islands_are_current(islands, &filter));
      check_islands(mesh, &filter, islands);
      /* Another filter; another flag; another tile, whose slot has a new generation. */
      if (pass == 0) filter.exclude_flags = 2;
      if (pass == 1) wm_mesh_set_polygon_flags(mesh, wm_mesh_tile(mesh, 4)->ref, 2);
      if (pass == 2) {
        const WmRef gone = wm_mesh_tile(mesh, 2)->ref;
        const GridTile grid = {.x = 2, .seed = world + 50, .hole = 1, .tree = true};
        CHECK(wm_islands_of(islands, gone) < 1000);
        CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, gone), WM_OK);
        CHECK_EQUAL_INT(wm_islands_of(islands, gone), 0);
        /* An island whose largest polygon was there has no point until the next update. */
        for (uint32_t i = 1; i <= wm_islands_count(islands); i++) {
          CHECK((wm_islands_point(islands, i).polygon >> 20) != gone >> 20);
        }
        const WmRef fresh = add_grid_tile(mesh, &grid);
        CHECK_EQUAL_INT(wm_islands_of(islands, fresh), 0);
      }
    }
    wm_islands_destroy(islands);
    wm_mesh_destroy(mesh);
  }
  wm_context_destroy(context);
}

static void islands_are_joined_by_ways_of_one_direction(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  const WmOffMeshConnection jump = {
      .start = {6.2f, 4.25f, 4.3f}, .end = {10.1f, 0.25f, 4.2f}, .radius = 0.5f, .flags = 4};
  const GridTile upper = {
      .floor = 16, .hole = UINT32_MAX, .tree = true, .connections = &jump, .connection_count = 1};
  const GridTile lower = {.x = 1, .seed = 3, .hole = UINT32_MAX, .tree = true};
  const WmRef from = add_grid_tile(mesh, &upper), to = add_grid_tile(mesh, &lower);
  WmIslands *islands = NULL;
  CHECK_EQUAL_INT(wm_islands_create(context, mesh, &islands), WM_OK);
  CHECK_EQUAL_INT(wm_islands_count(islands), 0);
  CHECK_EQUAL_INT(wm_islands_update(islands, NULL), WM_OK);
  CHECK_EQUAL_INT(wm_islands_count(islands), 1);
  CHECK(wm_islands_area(islands, 1) == 128);
  CHECK(wm_islands_area(islands, 0) == 0 && wm_islands_area(islands, 2) == 0);
  CHECK(wm_islands_point(islands, 0).polygon == 0 && wm_islands_point(islands, 2).polygon == 0);
  WmFilter filter = wm_filter_default();
  filter.exclude_flags = 4;
  CHECK_EQUAL_INT(wm_islands_update(islands, &filter), WM_OK);
  CHECK_EQUAL_INT(wm_islands_count(islands), 2);
  /* Two squares of 64: the smaller slot first. */
  CHECK_EQUAL_INT(wm_islands_of(islands, from), 1);
  CHECK_EQUAL_INT(wm_islands_of(islands, to), 2);
  CHECK_EQUAL_INT(wm_islands_of(islands, 0), 0);
  CHECK_EQUAL_INT(wm_islands_of(islands, UINT64_MAX), 0);
  CHECK(!wm_islands_are_current(islands, NULL));
  wm_islands_destroy(islands);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void islands_survive_failing_memory(void) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  int failures = 0;
  for (long n = 0; n < 20; n++) {
    WmContext *context = wm_context_create(&allocator);
    WmMesh *mesh = make_maze_world(context, 6, 3);
    WmIslands *islands = NULL;
    wm_context_trim(context);
    ration.until_failure = n;
    WmStatus status = wm_islands_create(context, mesh, &islands);
    if (!status) status = wm_islands_update(islands, NULL);
    CHECK_EQUAL_INT(status, end_ration(&ration));
    failures += status != WM_OK;
    if (islands && status) {
      CHECK(!wm_islands_are_current(islands, NULL));
      CHECK_EQUAL_INT(wm_islands_count(islands), 0);
      CHECK_EQUAL_INT(wm_islands_of(islands, wm_mesh_tile(mesh, 0)->ref), 0);
      CHECK_EQUAL_INT(wm_islands_update(islands, NULL), WM_OK);
    }
    const WmFilter filter = wm_filter_default();
    if (islands) check_islands(mesh, &filter, islands);
    wm_islands_destroy(islands);
    wm_mesh_destroy(mesh);
    wm_context_destroy(context);
  }
  CHECK(failures > 3 && failures < 19);
  CHECK_EQUAL_INT(ration.in_use, 0);
}

/* An update that fails leaves no islands, not even those of the filter before. */
static void islands_of_a_failed_update_are_not_current(void) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  const WmFilter standard = wm_filter_default();
  WmFilter other = standard;
  other.exclude_flags = 0x4000;
  int failures = 0;
  for (long n = 0; n < 20; n++) {
    WmContext *context = wm_context_create(&allocator);
    WmMesh *mesh = make_maze_world(context, 6, 3);
    WmIslands *islands = NULL;
    CHECK_EQUAL_INT(wm_islands_create(context, mesh, &islands), WM_OK);
    CHECK_EQUAL_INT(wm_islands_update(islands, &standard), WM_OK);
    wm_context_trim(context);
    ration.until_failure = n;
    const WmStatus status = wm_islands_update(islands, &other);
    CHECK_EQUAL_INT(status, end_ration(&ration));
    failures += status != WM_OK;
    CHECK(!wm_islands_are_current(islands, &standard));
    CHECK_EQUAL_INT(wm_islands_update(islands, &standard), WM_OK);
    check_islands(mesh, &standard, islands);
    wm_islands_destroy(islands);
    wm_mesh_destroy(mesh);
    wm_context_destroy(context);
  }
  CHECK(failures > 0 && failures < 19);
  CHECK_EQUAL_INT(ration.in_use, 0);
}

/* ---- Floods ------------------------------------------------------------------------------------------- */

static void floods_in_a_circle_equal_golden_answers(void) {
  for (int s = 0; s < GOLDEN_SCENE_COUNT; s++) {
    Golden golden;
    if (!open_golden(GOLDEN_SCENES[s], &golden)) continue;
    Reader answers = open_answers(GOLDEN_SCENES[s], "findPolysAroundCircle");
    WmFloodOptions options = wm_flood_options_default();
    options.filter = &golden.filter;
    options.radius = 10;
    options.max_polygons = 256;
    size_t reached = 0;
    for (uint32_t i = 0; i < golden.count; i++) {
      const Question question = next_question(&golden);
      WmFlood flood;
      CHECK_EQUAL_INT(wm_query_flood(golden.query, question.start, question.from, &options, &flood), WM_OK);
      const uint32_t status = next_u32(&answers), count = next_u32(&answers);
      CHECK_EQUAL_INT(flood.count, count);
      CHECK_EQUAL_INT(flood.cut, (status & 16) != 0);
      for (uint32_t k = 0; k < count; k++) {
        const WmRef ref = from_golden(&golden, next_u32(&answers));
        const WmRef parent = from_golden(&golden, next_u32(&answers));
        float cost;
        next_floats(&answers, &cost, 1);
        if (k >= flood.count) continue;
        CHECK_EQUAL_INT(flood.polygons[k], ref);
        CHECK_EQUAL_INT(k ? flood.polygons[flood.parents[k]] : 0, parent);
        CHECK(memcmp(&flood.costs[k], &cost, sizeof cost) == 0);
      }
      reached += count;
    }
    CHECK_EQUAL_INT(answers.at, answers.file.byte_count);
    CHECK(reached > 2 * golden.count);
    free(answers.file.bytes);
    close_golden(&golden);
  }
}

/* A polygon of the slow flood. */
typedef struct SlowNode {
  float position[3], cost;
  uint32_t parent;
  WmRef ref;
  bool met, done;
} SlowNode;

typedef struct SlowFlood {
  size_t count;
  WmRef polygons[1024];
  uint32_t parents[1024];
  float costs[1024];
} SlowFlood;

/* True if the midpoint of a short part of the segment is inside a convex outline, or nearly. */
static bool is_near_shape(const float *shape, size_t count, const float *first, const float *second) {
  for (int i = 0; i <= 400; i++) {
    const double t = i / 400.0;
    const double x = first[0] + t * (second[0] - first[0]), z = first[2] + t * (second[2] - first[2]);
    int left = 0, right = 0;
    for (size_t k = 0; k < count; k++) {
      const float *a = shape + 3 * k, *b = shape + 3 * ((k + 1) % count);
      const double turn = ((double)b[2] - a[2]) * (x - a[0]) - ((double)b[0] - a[0]) * (z - a[2]);
      left += turn >= 0;
      right += turn <= 0;
    }
    if (left == (int)count || right == (int)count) return true;
  }
  return false;
}

/* The open list of the oracle: a linear search finds a node in it. */
typedef struct SlowList {
  size_t count;
  SlowNode *nodes[2048];
} SlowList;

static void raise_slowly(SlowList *list, size_t at) {
  while (at > 0 && list->nodes[(at - 1) / 2]->cost > list->nodes[at]->cost) {
    SlowNode *parent = list->nodes[(at - 1) / 2];
    list->nodes[(at - 1) / 2] = list->nodes[at];
    list->nodes[at] = parent;
    at = (at - 1) / 2;
  }
}

static SlowNode *take_slowly(SlowList *list) {
  SlowNode *top = list->nodes[0];
  SlowNode *last = list->nodes[--list->count];
  size_t at = 0;
  while (2 * at + 1 < list->count) {
    size_t child = 2 * at + 1;
    if (child + 1 < list->count && list->nodes[child]->cost > list->nodes[child + 1]->cost) child++;
    list->nodes[at] = list->nodes[child];
    at = child;
  }
  list->nodes[at] = last;
  if (list->count > 0) raise_slowly(list, at);
  return top;
}

/* The rules of the contract. */
static void flood_slowly(const WmMesh *mesh, WmRef start, const float centre[3],
                         const WmFloodOptions *options, SlowFlood *answer) {
  static SlowNode nodes[MAZE_SLOT_LIMIT][GRID_POLYGON_LIMIT];
  static SlowList list;
  memset(nodes, 0, sizeof nodes);
  answer->count = 0;
  list.count = 1;
  SlowNode *first = list.nodes[0] = &nodes[wm_ref_slot(start)][wm_ref_polygon(start)];
  *first = (SlowNode){.position = {centre[0], centre[1], centre[2]}, .ref = start, .met = true};
  while (list.count > 0) {
    SlowNode *best = take_slowly(&list);
    if (best->cost > options->max_cost) return;
    best->done = true;
    const size_t place = answer->count++;
    answer->polygons[place] = best->ref;
    answer->parents[place] = best->parent;
    answer->costs[place] = best->cost;
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, best->ref);
    const uint32_t p = wm_ref_polygon(best->ref);
    for (uint32_t i = tile->link_first[p]; i < tile->link_first[p + 1]; i++) {
      const WmLink *link = &tile->links[i];
      const float *portal = tile->link_portals + 6 * (size_t)i;
      const WmMeshTile *target = wm_mesh_tile(mesh, link->slot);
      SlowNode *node = &nodes[link->slot][link->polygon];
      float t;
      if (node->done || !wm_filter_passes(options->filter, target->polygon_flags[link->polygon])) continue;
      if (sqrtf(wm_distance_to_segment(centre, portal, portal + 3, &t)) > options->radius) continue;
      if (options->shape && !is_near_shape(options->shape, options->shape_count, portal, portal + 3))
        continue;
      if (!node->met) wm_interpolate(portal, portal + 3, 0.5f, node->position);
      const float cost = best->cost + distance(node->position, best->position) *
                                          options->filter->area_costs[tile->polygon_area[p]];
      if (node->met && cost >= node->cost) continue;
      size_t at = 0;
      if (!node->met && list.count < sizeof list.nodes / sizeof *list.nodes) list.nodes[list.count++] = node;
      while (list.nodes[at] != node) at++;
      node->met = true;
      node->ref = target->ref + link->polygon;
      node->cost = cost;
      node->parent = (uint32_t)place;
      raise_slowly(&list, at);
    }
  }
}

static void check_flood(const WmFlood *flood, const SlowFlood *slow, size_t count) {
  CHECK_EQUAL_INT(flood->count, count);
  for (size_t i = 0; i < count && i < flood->count; i++) {
    CHECK_EQUAL_INT(flood->polygons[i], slow->polygons[i]);
    CHECK_EQUAL_INT(flood->parents[i], slow->parents[i]);
    CHECK(flood->costs[i] == slow->costs[i]);
  }
}

/* Paths from the result: each step is a link, costs grow along it. */
static void check_flood_paths(const WmMesh *mesh, const WmFlood *flood) {
  WmRef path[1024], short_path[2] = {0, 77};
  for (size_t i = 0; i < flood->count; i += 7) {
    const size_t length = wm_flood_path(flood, i, path, 1024);
    CHECK(length >= 1 && length <= flood->count);
    CHECK_EQUAL_INT(path[0], flood->polygons[0]);
    CHECK_EQUAL_INT(path[length - 1], flood->polygons[i]);
    for (size_t k = 1; k < length; k++) {
      const WmMeshTile *tile = wm_mesh_tile_of(mesh, path[k - 1]);
      bool linked = false;
      for (uint32_t l = tile->link_first[wm_ref_polygon(path[k - 1])];
           l < tile->link_first[wm_ref_polygon(path[k - 1]) + 1]; l++) {
        linked |= wm_mesh_tile(mesh, tile->links[l].slot)->ref + tile->links[l].polygon == path[k];
      }
      CHECK(linked);
    }
    CHECK_EQUAL_INT(wm_flood_path(flood, i, short_path, 1), length);
    CHECK(short_path[0] == path[0] && short_path[1] == 77);
  }
  CHECK_EQUAL_INT(wm_flood_path(flood, flood->count, path, 1024), 0);
}

static void floods_equal_slow_ones(void) {
  WmContext *context = wm_context_create(NULL);
  static SlowFlood slow;
  size_t reached = 0;
  for (uint32_t world = 1; world <= 12; world++) {
    uint32_t seed = world;
    WmMesh *mesh = make_maze_world(context, world, world % 3 == 0 ? 0 : 5);
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    WmFilter filter = wm_filter_default();
    filter.area_costs[7] = world % 2 ? 3 : 0.25f;
    for (int i = 0; i < 12; i++) {
      const float at[3] = {random_between(&seed, 0, 24), 0, random_between(&seed, 0, 24)}, far[3] = {9, 9, 9};
      WmNearest nearest;
      CHECK_EQUAL_INT(wm_query_find_nearest(query, at, far, &filter, &nearest), WM_OK);
      if (!nearest.polygon) continue;
      WmFloodOptions options = wm_flood_options_default();
      options.filter = &filter;
      if (i % 3 == 1) options.radius = random_between(&seed, 0, 9);
      float shape[3 * 16] = {0}, centre[3];
      memcpy(centre, nearest.point, sizeof centre);
      if (i % 3 == 2) { /* a polygon of many corners, in either winding */
        options.shape = shape;
        options.shape_count = 3 + grid_random(&seed) % 13;
        const float size = random_between(&seed, 1, 8), turn = i % 2 ? 6.2831853f : -6.2831853f;
        memset(centre, 0, sizeof centre);
        for (size_t k = 0; k < options.shape_count; k++) {
          const float angle = turn * (float)k / (float)options.shape_count;
          shape[3 * k] = at[0] + size * cosf(angle);
          shape[3 * k + 1] = at[1];
          shape[3 * k + 2] = at[2] + size * sinf(angle);
          for (int axis = 0; axis < 3; axis++) centre[axis] += shape[3 * k + (size_t)axis];
        }
        for (int axis = 0; axis < 3; axis++) centre[axis] *= 1.0f / (float)options.shape_count;
      }
      WmFlood flood;
      CHECK_EQUAL_INT(wm_query_flood(query, nearest.polygon, nearest.point, &options, &flood), WM_OK);
      flood_slowly(mesh, nearest.polygon, centre, &options, &slow);
      check_flood(&flood, &slow, slow.count);
      CHECK(!flood.cut);
      check_flood_paths(mesh, &flood);
      reached += flood.count;
      /* Limits remove the end of the result and change nothing else. */
      options.max_cost = slow.costs[slow.count / 2];
      size_t count = slow.count / 2;
      while (count < slow.count && slow.costs[count] <= options.max_cost) count++;
      CHECK_EQUAL_INT(wm_query_flood(query, nearest.polygon, nearest.point, &options, &flood), WM_OK);
      check_flood(&flood, &slow, count);
      CHECK(!flood.cut);
      options.max_polygons = count > 1 ? count - 1 : 1;
      CHECK_EQUAL_INT(wm_query_flood(query, nearest.polygon, nearest.point, &options, &flood), WM_OK);
      check_flood(&flood, &slow, options.max_polygons);
      CHECK_EQUAL_INT(flood.cut, count > 1);
    }
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  CHECK(reached > 5000);
  wm_context_destroy(context);
}

static void floods_refuse_bad_arguments(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_maze_world(context, 2, 0);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  const WmRef start = wm_mesh_tile(mesh, 0)->ref;
  const float good[3] = {1, 0, 1}, bad[3] = {1, 0, INFINITY};
  static const float HOLLOW[12] = {0, 0, 0, 2, 0, 0, 1, 0, 0.5f, 0, 0, 2},
                     LINE[9] = {0, 0, 0, 1, 0, 1, 2, 0, 2};
  static const float NOT_A_NUMBER[9] = {0, 0, 0, 1, NAN, 1, 2, 0, 0};
  float star[15], round[3 * WM_TILE_DETAIL_LIMIT];
  for (int i = 0; i < 5; i++) {
    star[3 * i] = cosf(6.2831853f * 0.4f * (float)i);
    star[3 * i + 1] = 0;
    star[3 * i + 2] = sinf(6.2831853f * 0.4f * (float)i);
  }
  WmFlood flood;
  CHECK_EQUAL_INT(wm_query_flood(query, start, bad, NULL, &flood), WM_ERROR_INVALID_ARGUMENT);
  CHECK(flood.count == 0 && flood.polygons == NULL);
  CHECK_EQUAL_INT(wm_query_flood(query, 0, good, NULL, &flood), WM_ERROR_INVALID_ARGUMENT);
  const struct {
    float max_cost, radius;
    const float *shape;
    size_t count;
    const char *field;
  } cases[] = {{NAN, 1, NULL, 0, "maxCost"}, {-1, 1, NULL, 0, "maxCost"}, {1, NAN, NULL, 0, "radius"},
               {1, -1, NULL, 0, "radius"},   {1, 1, HOLLOW, 4, "shape"},  {1, 1, HOLLOW, 2, "shape"},
               {1, 1, HOLLOW, 256, "shape"}, {1, 1, LINE, 3, "shape"},    {1, 1, NOT_A_NUMBER, 3, "shape"},
               {1, 1, star, 5, "shape"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const WmFloodOptions options = {.max_cost = cases[i].max_cost,
                                    .radius = cases[i].radius,
                                    .shape = cases[i].shape,
                                    .shape_count = cases[i].count};
    CHECK_EQUAL_INT(wm_query_flood(query, start, good, &options, &flood), WM_ERROR_INVALID_ARGUMENT);
    CHECK(strcmp(wm_context_error(context)->field, cases[i].field) == 0);
    CHECK(flood.count == 0 && flood.polygons == NULL);
  }
  /* Polygons as round as possible, far from the origin, where coordinates are coarse: still convex. */
  for (int i = 0; i < 255; i++) {
    round[3 * i] = 20000 + 3 * cosf(6.2831853f / 255 * (float)i);
    round[3 * i + 1] = 0;
    round[3 * i + 2] = 30000 + 3 * sinf(6.2831853f / 255 * (float)i);
  }
  const WmFloodOptions options = {.max_cost = 1, .radius = INFINITY, .shape = round, .shape_count = 255};
  CHECK_EQUAL_INT(wm_query_flood(query, start, good, &options, &flood), WM_OK);
  CHECK_EQUAL_INT(flood.count, 1);
  const uint32_t parents[3] = {0, 2, 1};
  const WmFlood broken = {.count = 3, .polygons = flood.polygons, .parents = parents};
  WmRef path[4];
  CHECK_EQUAL_INT(wm_flood_path(&broken, 2, path, 4), 0);
  CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, start), WM_OK);
  CHECK_EQUAL_INT(wm_query_flood(query, start, good, NULL, &flood), WM_ERROR_STALE_REFERENCE);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void a_warm_flood_allocates_nothing_and_a_cold_one_survives_failures(void) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  WmContext *context = wm_context_create(&allocator);
  WmMesh *mesh = make_maze_world(context, 5, 0);
  const float at[3] = {1, 0, 1};
  int failures = 0;
  WmStatus status = WM_ERROR_OUT_OF_MEMORY;
  for (long n = 0; status && n < 100; n++) {
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    WmFlood flood;
    ration.until_failure = n;
    status = wm_query_flood(query, wm_mesh_tile(mesh, 0)->ref, at, NULL, &flood);
    CHECK_EQUAL_INT(status, end_ration(&ration));
    CHECK_EQUAL_INT(flood.count == 0, status != WM_OK);
    failures += status != WM_OK;
    CHECK_EQUAL_INT(wm_query_flood(query, wm_mesh_tile(mesh, 0)->ref, at, NULL, &flood), WM_OK);
    const long allocations = ration.allocations;
    for (uint32_t i = 0; i < 5; i++) {
      CHECK_EQUAL_INT(wm_query_flood(query, wm_mesh_tile(mesh, 0)->ref + i, at, NULL, &flood), WM_OK);
    }
    CHECK_EQUAL_INT(ration.allocations, allocations);
    wm_query_destroy(query);
  }
  CHECK(failures > 5 && failures < 99);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
  CHECK_EQUAL_INT(ration.in_use, 0);
}

int main(void) {
  RUN(islands_equal_labels_spread_along_links);
  RUN(islands_are_joined_by_ways_of_one_direction);
  RUN(islands_survive_failing_memory);
  RUN(islands_of_a_failed_update_are_not_current);
  RUN(floods_in_a_circle_equal_golden_answers);
  RUN(floods_equal_slow_ones);
  RUN(floods_refuse_bad_arguments);
  RUN(a_warm_flood_allocates_nothing_and_a_cold_one_survives_failures);
  return check_finish();
}
