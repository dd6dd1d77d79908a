/* The invariants of corridors and paths: results over random worlds have them, and each broken one is
 * found. */
#include "maze_world.h"
#include "query/corridor/corridor_internal.h"
#include "query/query_internal.h"
#include "trace.h"

enum { COPY_LIMIT = 4096 };

static float between(uint32_t *seed, float low, float high) {
  return low + (high - low) * (float)(grid_random(seed) & 0xffff) / 65535.0f;
}

static void draw_position(uint32_t *seed, float position[3]) {
  for (int axis = 0; axis < 3; axis++) {
    position[axis] = axis == 1 ? 0.5f : between(seed, 0, MAZE_SIDE * GRID_TILE_SIZE);
  }
}

/* A path and copies of its arrays, to be changed. */
typedef struct Copy {
  WmPath path;
  WmRef polygons[COPY_LIMIT], point_polygons[COPY_LIMIT];
  float points[3 * COPY_LIMIT];
  uint8_t flags[COPY_LIMIT];
} Copy;

static void copy_path(const WmPath *path, Copy *copy) {
  copy->path = *path;
  memcpy(copy->polygons, path->polygons, path->polygon_count * sizeof *copy->polygons);
  memcpy(copy->point_polygons, path->point_polygons, path->point_count * sizeof *copy->point_polygons);
  memcpy(copy->points, path->points, 3 * path->point_count * sizeof *copy->points);
  memcpy(copy->flags, path->point_flags, path->point_count);
  copy->path.polygons = copy->polygons;
  copy->path.point_polygons = copy->point_polygons;
  copy->path.points = copy->points;
  copy->path.point_flags = copy->flags;
}

static void results_over_random_worlds_are_valid(void) {
  size_t complete = 0, connections = 0, cut = 0;
  for (uint32_t seed = 1; seed <= 12; seed++) {
    WmContext *context = wm_context_create(NULL);
    WmMesh *mesh = make_maze_world(context, seed, seed % 3 ? 9 : 0);
    WmQuery *query;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    uint32_t state = seed;
    for (int i = 0; i < 60; i++) {
      float start[3], end[3];
      draw_position(&state, start);
      draw_position(&state, end);
      WmPathOptions options = wm_path_options_default();
      options.crossings = (WmCrossings)(i % 3);
      options.search.any_angle = i % 4 == 0;
      options.search.shortest = i % 4 == 1;
      options.search.max_nodes = i % 5 == 0 ? 12 : 0;
      options.max_points = i % 7 == 0 ? 3 : 0;
      WmPath path;
      CHECK_EQUAL_INT(wm_query_find_path(query, start, end, &options, &path), WM_OK);
      CHECK(wm_path_validate(mesh, &path));
      complete += path.state == WM_PATH_COMPLETE;
      cut += path.cut;
      for (size_t k = 0; k < path.point_count; k++) connections += path.point_flags[k] == WM_POINT_OFF_MESH;
      CHECK_EQUAL_INT(wm_query_find_smooth_path(query, start, end, 0.4f, &options, &path), WM_OK);
      CHECK(wm_path_validate(mesh, &path));
      if (!path.start.polygon || !path.end.polygon) continue;
      WmCorridor corridor;
      CHECK_EQUAL_INT(wm_query_find_corridor(query, path.start.polygon, path.start.point, path.end.polygon,
                                             path.end.point, &options.search, &corridor),
                      WM_OK);
      CHECK(wm_search_validate(mesh, &corridor));
    }
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
    wm_context_destroy(context);
  }
  CHECK(complete > 100);
  CHECK(connections > 20);
  CHECK(cut > 20);
}

/* A world, a query and a complete path with at least 3 points and 3 polygons, in a copy. */
typedef struct World {
  WmContext *context;
  WmMesh *mesh;
  WmQuery *query;
  WmPath path; /* as found: its ends */
  Copy copy;
} World;

static World *make_world(void) {
  static World world;
  world.context = wm_context_create(NULL);
  world.mesh = make_maze_world(world.context, 3, 0);
  CHECK_EQUAL_INT(wm_query_create(world.context, world.mesh, &world.query), WM_OK);
  const WmPathOptions options = wm_path_options_default();
  uint32_t seed = 5;
  do {
    float start[3], end[3];
    draw_position(&seed, start);
    draw_position(&seed, end);
    CHECK_EQUAL_INT(wm_query_find_path(world.query, start, end, &options, &world.path), WM_OK);
  } while (world.path.state != WM_PATH_COMPLETE || world.path.point_count < 4 ||
           world.path.polygon_count < 4);
  copy_path(&world.path, &world.copy);
  CHECK(wm_path_validate(world.mesh, &world.copy.path));
  return &world;
}

static void destroy_world(World *world) {
  wm_query_destroy(world->query);
  wm_mesh_destroy(world->mesh);
  wm_context_destroy(world->context);
}

/* Each case changes one thing of a valid path. */
static void broken_paths_are_found(void) {
  World *world = make_world();
  const Copy good = world->copy;
  enum { CASES = 12 };
  for (int i = 0; i < CASES; i++) {
    Copy bad;
    copy_path(&good.path, &bad);
    const size_t last = bad.path.point_count - 1;
    switch (i) {
      case 0: bad.path.reason = WM_PATH_REASON_NODE_LIMIT; break;
      case 1: bad.path.state = WM_PATH_NONE; break;
      case 2: bad.polygons[1] = 0; break;
      case 3:
        memmove(bad.polygons + 1, bad.polygons + 2, (bad.path.polygon_count - 2) * sizeof(WmRef));
        break;
      case 4: bad.points[3] += 3000; break;
      case 5: bad.points[3] = NAN; break;
      case 6: bad.path.length *= 1.1f; break;
      case 7: bad.flags[last] = 0; break;
      case 8: bad.flags[1] = WM_POINT_END; break;
      case 9: bad.flags[1] = WM_POINT_START; break;
      case 10: bad.point_polygons[0] = bad.polygons[bad.path.polygon_count - 1]; break;
      default: bad.path.point_count = 0; break;
    }
    CHECK(!wm_path_validate(world->mesh, &bad.path));
  }
  /* Heights aren't checked: a smooth path may run above the surface. */
  Copy bad;
  copy_path(&good.path, &bad);
  for (size_t k = 0; k < bad.path.point_count; k++) bad.points[3 * k + 1] += 5;
  CHECK(wm_path_validate(world->mesh, &bad.path));
  /* Points in the wrong order: the first polygon comes after the others. */
  copy_path(&good.path, &bad);
  bad.point_polygons[bad.path.point_count - 2] = bad.polygons[0];
  memcpy(bad.points + 3 * (bad.path.point_count - 2), bad.points, 3 * sizeof(float));
  bad.path.length = 0;
  for (size_t k = 1; k < bad.path.point_count; k++) {
    bad.path.length += wm_distance(bad.points + 3 * k - 3, bad.points + 3 * k);
  }
  CHECK(bad.point_polygons[1] != bad.polygons[0]);
  CHECK(!wm_path_validate(world->mesh, &bad.path));
  destroy_world(world);
}

static void broken_corridors_of_searches_are_found(void) {
  World *world = make_world();
  const WmCorridor good = {.state = WM_PATH_COMPLETE,
                           .cost = 1,
                           .polygon_count = world->copy.path.polygon_count,
                           .polygons = world->copy.polygons};
  CHECK(wm_search_validate(world->mesh, &good));
  WmCorridor bad = good;
  bad.cost = NAN;
  CHECK(!wm_search_validate(world->mesh, &bad));
  bad = good;
  bad.state = WM_PATH_UNREACHABLE;
  CHECK(!wm_search_validate(world->mesh, &bad));
  bad = good;
  bad.polygon_count = 0;
  CHECK(!wm_search_validate(world->mesh, &bad));
  world->copy.polygons[2] = world->copy.polygons[0] ^ (WmRef)1 << (WM_REF_POLYGON_BITS + WM_REF_SLOT_BITS);
  CHECK(!wm_search_validate(world->mesh, &good)); /* another generation: stale */
  destroy_world(world);
}

static void each_state_has_its_reasons(void) {
  World *world = make_world();
  enum { REASONS = WM_PATH_REASON_START_EXCLUDED + 2 };
  static const unsigned NONE_FITS = 1u << WM_PATH_REASON_START_NOT_FOUND |
                                    1u << WM_PATH_REASON_END_NOT_FOUND | 1u << WM_PATH_REASON_START_EXCLUDED |
                                    1u << WM_PATH_REASON_END_EXCLUDED;
  /* By state: the reasons of a corridor, as bits; corridors without a polygon aren't valid. */
  static const unsigned FIT[] = {
      [WM_PATH_NONE] = 0,
      [WM_PATH_COMPLETE] = 1u << WM_PATH_REASON_NONE | 1u << WM_PATH_REASON_UNFINISHED,
      [WM_PATH_PARTIAL] = 1u << WM_PATH_REASON_NODE_LIMIT | 1u << WM_PATH_REASON_BROKEN_CORRIDOR |
                          1u << WM_PATH_REASON_UNFINISHED,
      [WM_PATH_UNREACHABLE] = 1u << WM_PATH_REASON_END_EXCLUDED | 1u << WM_PATH_REASON_NOT_CONNECTED};
  for (int state = 0; state < 4; state++) {
    for (int reason = 0; reason < REASONS; reason++) {
      const WmCorridor corridor = {.state = (WmPathState)state,
                                   .reason = (WmPathReason)reason,
                                   .polygon_count = world->copy.path.polygon_count,
                                   .polygons = world->copy.polygons};
      CHECK_EQUAL_INT(wm_search_validate(world->mesh, &corridor), FIT[state] >> reason & 1);
      const WmPath none = {.state = WM_PATH_NONE, .reason = (WmPathReason)reason};
      CHECK_EQUAL_INT(wm_path_validate(world->mesh, &none), NONE_FITS >> reason & 1);
    }
  }
  destroy_world(world);
}

static void broken_corridors_of_agents_are_found(void) {
  World *world = make_world();
  const Copy *copy = &world->copy;
  WmPathCorridor *corridor;
  CHECK_EQUAL_INT(wm_corridor_create(world->context, world->query, &corridor), WM_OK);
  CHECK(wm_corridor_validate(corridor)); /* empty */
  CHECK_EQUAL_INT(wm_corridor_reset(corridor, copy->polygons[0], world->path.start.point), WM_OK);
  CHECK_EQUAL_INT(wm_corridor_set(corridor, world->path.end.point, copy->polygons, copy->path.polygon_count),
                  WM_OK);
  CHECK(wm_corridor_validate(corridor));
  /* It stays valid while the agent walks. */
  for (int step = 0; step < 40; step++) {
    WmPath corners;
    CHECK_EQUAL_INT(wm_corridor_find_corners(corridor, 1, &corners), WM_OK);
    if (corners.point_count == 0 || corners.point_flags[0] & WM_POINT_OFF_MESH) break;
    float to[3];
    const float length = wm_distance(corridor->position, corners.points);
    for (int axis = 0; axis < 3; axis++) {
      to[axis] = corridor->position[axis] +
                 (corners.points[axis] - corridor->position[axis]) * (length > 0.3f ? 0.3f / length : 1);
    }
    CHECK_EQUAL_INT(wm_corridor_move(corridor, to, NULL), WM_OK);
    CHECK(wm_corridor_validate(corridor));
  }
  const WmPathCorridor good = *corridor;
  corridor->position[0] += 2000;
  CHECK(!wm_corridor_validate(corridor));
  *corridor = good;
  corridor->target[1] += 1;
  CHECK(!wm_corridor_validate(corridor));
  *corridor = good;
  corridor->polygons.first = corridor->polygons.storage.capacity;
  CHECK(!wm_corridor_validate(corridor));
  *corridor = good;
  CHECK_EQUAL_INT(wm_corridor_set(corridor, world->path.end.point, wm_corridor_polygons(corridor), 1), WM_OK);
  CHECK_EQUAL_INT(wm_corridor_fix_start(corridor, copy->polygons[0], world->path.start.point), WM_OK);
  CHECK(!wm_corridor_validate(corridor)); /* reference 0 follows the first polygon */
  wm_corridor_destroy(corridor);
  destroy_world(world);
}

/* A way that an agent came leads back if each of its polygons has a link to the one before. */
static void ways_without_a_link_back_are_found(void) {
  World *world = make_world();
  const Copy *copy = &world->copy;
  const size_t count = copy->path.polygon_count;
  WmPathCorridor *corridor;
  WmRef reversed[COPY_LIMIT];
  CHECK_EQUAL_INT(wm_corridor_create(world->context, world->query, &corridor), WM_OK);
  for (size_t i = 0; i < count; i++) reversed[i] = copy->polygons[count - 1 - i];
  CHECK(wm_corridor_leads_back(corridor, reversed, count));
  CHECK(wm_corridor_leads_back(corridor, reversed, 1));
  CHECK(wm_corridor_leads_back(corridor, reversed, 0));
  CHECK(wm_corridor_leads_back(corridor, reversed, 2));
  const WmRef jump[3] = {copy->polygons[1], copy->polygons[0], copy->polygons[2]};
  CHECK(wm_corridor_leads_back(corridor, jump, 2));
  CHECK(!wm_corridor_leads_back(corridor, jump, 3));
  CHECK(!wm_corridor_leads_back(corridor, jump + 1, 2));
  CHECK(wm_corridor_validate_links(corridor)); /* empty */
  CHECK_EQUAL_INT(wm_corridor_reset(corridor, copy->polygons[0], world->path.start.point), WM_OK);
  CHECK_EQUAL_INT(wm_corridor_set(corridor, world->path.end.point, copy->polygons, count), WM_OK);
  CHECK(wm_corridor_validate_links(corridor));
  wm_corridor_destroy(corridor);
  destroy_world(world);
}

/* ---- Each entry --------------------------------------------------------------------------------------- */

/* Changes words of an array of a path, one at a time, and folds what the checks say. */
static void judge_words(const WmMesh *mesh, Copy *copy, void *array, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint8_t *entry = (uint8_t *)array + 4 * i;
    uint32_t before, next;
    memcpy(&before, entry, 4);
    memcpy(&next, (uint8_t *)array + 4 * ((i + 2) % count), 4);
    const uint32_t values[] = {before + 1, before - 1, 0, next, before ^ (1u << 20), before + (1 << 16)};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
      memcpy(entry, &values[k], 4);
      const WmCorridor corridor = {.state = copy->path.state,
                                   .reason = copy->path.reason,
                                   .polygon_count = copy->path.polygon_count,
                                   .polygons = copy->polygons};
      trace_number((uint64_t)wm_path_validate(mesh, &copy->path) << 2 |
                   (uint64_t)wm_path_validate_links(mesh, &copy->path) << 1 |
                   wm_search_validate(mesh, &corridor));
    }
    memcpy(entry, &before, 4);
  }
}

/* The verdicts are golden traces (trace.h). */
static void every_broken_entry_of_a_path_is_found_as_it_was(void) {
  static Copy copy;
  for (uint32_t seed = 1; seed <= 6; seed++) {
    char name[32];
    snprintf(name, sizeof name, "paths-%u", (unsigned)seed);
    WmContext *context = wm_context_create(NULL);
    WmMesh *mesh = make_maze_world(context, seed, seed % 3 ? 9 : 0);
    WmQuery *query;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    uint32_t state = seed + 40;
    trace_begin(name);
    for (int i = 0; i < 12; i++) {
      float start[3], end[3];
      draw_position(&state, start);
      draw_position(&state, end);
      WmPathOptions options = wm_path_options_default();
      options.crossings = (WmCrossings)(i % 3);
      options.search.max_nodes = i % 5 == 0 ? 12 : 0;
      options.max_points = i % 7 == 0 ? 3 : 0;
      WmPath path;
      CHECK_EQUAL_INT(wm_query_find_path(query, start, end, &options, &path), WM_OK);
      copy_path(&path, &copy);
      judge_words(mesh, &copy, copy.points, 3 * path.point_count);
      judge_words(mesh, &copy, copy.polygons, 2 * path.polygon_count);
      judge_words(mesh, &copy, copy.point_polygons, 2 * path.point_count);
      judge_words(mesh, &copy, copy.flags, (path.point_count + 3) / 4);
      judge_words(mesh, &copy, &copy.path.length, 1);
    }
    trace_end();
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
    wm_context_destroy(context);
  }
}

int main(void) {
  trace_open("path-checks");
  RUN(results_over_random_worlds_are_valid);
  RUN(broken_paths_are_found);
  RUN(broken_corridors_of_searches_are_found);
  RUN(each_state_has_its_reasons);
  RUN(broken_corridors_of_agents_are_found);
  RUN(ways_without_a_link_back_are_found);
  RUN(every_broken_entry_of_a_path_is_found_as_it_was);
  trace_close();
  return check_finish();
}
