/* Corridors of agents: merges, walks over random worlds, targets and meshes that change, connections,
 * shortcuts that never make a path longer. */
#include "query/corridor/corridor.h"

#include <math.h>

#include "grid_tiles.h"
#include "mesh/links/connections.h"
#include "mesh/locate.h"
#include "query/corridor/corridor_internal.h"

static float between(uint32_t *seed, float low, float high) {
  return low + (high - low) * (float)(grid_random(seed) & 0xffff) / 65535.0f;
}

static float flat_distance(const float a[3], const float b[3]) { return hypotf(b[0] - a[0], b[2] - a[2]); }

/* ---- The list ------------------------------------------------------------------------------------------ */

static void check_list(const WmRefList *list, const WmRef *expected, size_t count) {
  CHECK_EQUAL_INT(list->count, count);
  for (size_t i = 0; i < count && i < list->count; i++)
    CHECK_EQUAL_INT(wm_ref_list_items(list)[i], expected[i]);
}

static void merges_are_those_of_detour_without_cuts(void) {
  static const struct {
    WmRef path[4], visited[6], start[8], end[8];
    size_t path_count, visited_count, start_count, end_count;
  } CASES[] = {
      {{1, 2}, {1, 2}, {2}, {1, 2}, 2, 2, 1, 2},
      {{1, 2}, {1, 2, 3, 4}, {4, 3, 2}, {1, 2, 3, 4}, 2, 4, 3, 4},
      {{1, 2}, {1, 2, 3, 4, 5}, {5, 4, 3, 2}, {1, 2, 3, 4, 5}, 2, 5, 4, 5},
      {{1, 2}, {1, 3}, {3, 1, 2}, {1, 3}, 2, 2, 3, 2},
      {{1, 2, 3}, {3, 4}, {4, 3}, {1, 2, 3, 4}, 3, 2, 2, 4},
      {{1, 2, 3}, {3, 2, 5}, {5, 2, 3}, {1, 2, 5}, 3, 3, 3, 3},
      {{1, 2, 3}, {7, 8}, {1, 2, 3}, {1, 2, 3}, 3, 2, 3, 3},
      {{1, 2, 3}, {1}, {1, 2, 3}, {1}, 3, 1, 3, 1},
      {{0}, {1, 2}, {0}, {0}, 0, 2, 0, 0},
  };
  WmContext *context = wm_context_create(NULL);
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    WmRefList list = {0};
    CHECK_EQUAL_INT(wm_ref_list_set(context, &list, CASES[i].path, CASES[i].path_count), WM_OK);
    CHECK_EQUAL_INT(wm_ref_list_move_start(context, &list, CASES[i].visited, CASES[i].visited_count), WM_OK);
    /* [1, 2, 3] with [3, 2, 5] meets at the last index, 3. */
    const WmRef meets_at_3[] = {5, 2, 3};
    check_list(&list, i == 5 ? meets_at_3 : CASES[i].start, CASES[i].start_count);
    CHECK_EQUAL_INT(wm_ref_list_set(context, &list, CASES[i].path, CASES[i].path_count), WM_OK);
    CHECK_EQUAL_INT(wm_ref_list_move_end(context, &list, CASES[i].visited, CASES[i].visited_count), WM_OK);
    check_list(&list, CASES[i].end, CASES[i].end_count);
    wm_block_free(context, list.storage.items);
  }
  wm_context_destroy(context);
}

enum { MODEL_ROOM = 4096 };

/* The same with plain arrays. */
typedef struct Model {
  WmRef items[MODEL_ROOM];
  size_t count;
} Model;

static void move_model(Model *model, const WmRef *visited, size_t count, bool start) {
  WmRef merged[MODEL_ROOM];
  size_t n = 0, i, j;
  for (size_t k = 0; k < model->count; k++) {
    i = start ? model->count - 1 - k : k;
    for (j = 0; j < count && visited[j] != model->items[i]; j++) {
    }
    if (j == count) continue;
    if (start) {
      for (size_t v = count; v > j; v--) merged[n++] = visited[v - 1];
      for (size_t p = i + 1; p < model->count; p++) merged[n++] = model->items[p];
    } else {
      for (size_t p = 0; p <= i; p++) merged[n++] = model->items[p];
      for (size_t v = j + 1; v < count; v++) merged[n++] = visited[v];
    }
    memcpy(model->items, merged, n * sizeof *merged);
    model->count = n;
    return;
  }
}

static void random_merges_equal_those_of_plain_arrays(void) {
  WmContext *context = wm_context_create(NULL);
  for (uint32_t world = 1; world <= 20; world++) {
    uint32_t seed = world;
    WmRefList list = {0};
    static Model model;
    model.count = 3;
    for (size_t i = 0; i < 3; i++) model.items[i] = i + 1;
    CHECK_EQUAL_INT(wm_ref_list_set(context, &list, model.items, 3), WM_OK);
    size_t longest = 0;
    for (int i = 0; i < 2000; i++) {
      WmRef visited[8];
      const size_t count = 1 + grid_random(&seed) % 8;
      const bool start = grid_random(&seed) & 1;
      const size_t at =
          grid_random(&seed) % 8 ? (start ? 0 : model.count - 1) : grid_random(&seed) % model.count;
      for (size_t k = 0; k < count; k++) visited[k] = 10 + grid_random(&seed) % 500;
      visited[0] = model.items[at];
      if (model.count > 1000) visited[0] = model.items[start ? 900 : 100];
      move_model(&model, visited, count, start);
      CHECK_EQUAL_INT(start ? wm_ref_list_move_start(context, &list, visited, count)
                            : wm_ref_list_move_end(context, &list, visited, count),
                      WM_OK);
      check_list(&list, model.items, model.count);
      if (model.count > longest) longest = model.count;
    }
    CHECK(longest > 50);
    wm_block_free(context, list.storage.items);
  }
  wm_context_destroy(context);
}

/* ---- Worlds -------------------------------------------------------------------------------------------- */

/* A mesh with an agent's corridor. */
typedef struct World {
  WmContext *context;
  WmMesh *mesh;
  WmQuery *query;
  WmPathCorridor *corridor;
  uint32_t seed;
} World;

static World open_world(uint32_t seed, int32_t side, bool walls) {
  World world = {.context = wm_context_create(NULL), .seed = seed};
  world.mesh = make_grid_world(world.context, side, seed);
  for (size_t s = 0; walls && s < (size_t)(side * side); s++) {
    const WmMeshTile *tile = wm_mesh_tile(world.mesh, s);
    for (uint32_t p = 0; p < tile->polygon_count; p++) {
      if (grid_random(&world.seed) % 4 == 0) wm_mesh_set_polygon_flags(world.mesh, tile->ref + p, 0);
    }
  }
  CHECK_EQUAL_INT(wm_query_create(world.context, world.mesh, &world.query), WM_OK);
  CHECK_EQUAL_INT(wm_corridor_create(world.context, world.query, &world.corridor), WM_OK);
  return world;
}

static void close_world(World *world) {
  wm_corridor_destroy(world->corridor);
  wm_query_destroy(world->query);
  wm_mesh_destroy(world->mesh);
  wm_context_destroy(world->context);
}

static WmNearest nearest_to(World *world, float x, float y, float z) {
  const float at[3] = {x, y, z}, near[3] = {4, 8, 4};
  WmNearest nearest;
  CHECK_EQUAL_INT(wm_query_find_nearest(world->query, at, near, NULL, &nearest), WM_OK);
  return nearest;
}

static WmNearest random_place(World *world, float side) {
  const float x = between(&world->seed, 0, side), z = between(&world->seed, 0, side);
  return nearest_to(world, x, 0, z);
}

static WmCorridorState state_of(const World *world) {
  WmCorridorState state;
  wm_corridor_state(world->corridor, &state);
  return state;
}

/* The distance of a point from the surface of a polygon. */
static float away_from(const World *world, WmRef polygon, const float point[3]) {
  const WmMeshTile *tile = wm_mesh_tile_of(world->mesh, polygon);
  float closest[3];
  if (!tile) return INFINITY;
  wm_tile_closest_point(tile, wm_ref_polygon(polygon), point, true, closest);
  return wm_distance(closest, point);
}

/* Each polygon is linked to the next, the position is on the first, the target on the last. */
static void check_corridor(const World *world) {
  const WmCorridorState state = state_of(world);
  CHECK(state.polygon_count > 0);
  CHECK(wm_corridor_is_valid(world->corridor, 0, NULL));
  CHECK(away_from(world, state.polygons[0], state.position) < 1e-3f);
  CHECK(away_from(world, state.polygons[state.polygon_count - 1], state.target) < 1e-3f);
}

/* Sets the corridor from the agent to a point; returns true if it ends there. */
static bool plan(World *world, const WmNearest *target) {
  const WmCorridorState state = state_of(world);
  WmCorridor found;
  CHECK_EQUAL_INT(wm_query_find_corridor(world->query, state.polygons[0], state.position, target->polygon,
                                         target->point, NULL, &found),
                  WM_OK);
  CHECK_EQUAL_INT(wm_corridor_set(world->corridor, target->point, found.polygons, found.polygon_count),
                  WM_OK);
  check_corridor(world);
  return found.state == WM_PATH_COMPLETE;
}

/* Length of the string-pulled path through the whole corridor, over the edges between its polygons. */
static float length_left(const World *world) {
  const WmCorridorState state = state_of(world);
  WmPath path;
  CHECK_EQUAL_INT(wm_query_straighten(world->query, state.position, state.target, state.polygons,
                                      state.polygon_count, WM_CROSSINGS_ALL, 0, &path),
                  WM_OK);
  CHECK_EQUAL_INT(path.state, WM_PATH_COMPLETE);
  return path.length;
}

/* Moves towards the next corner, at most by `step`. Returns false if there is none: the agent has arrived. */
static bool take_step(World *world, float step) {
  const WmCorridorState state = state_of(world);
  WmPath corners;
  CHECK_EQUAL_INT(wm_corridor_find_corners(world->corridor, 2, &corners), WM_OK);
  CHECK(corners.point_count <= 2);
  if (corners.point_count == 0) return false;
  CHECK(corners.cut || (corners.point_flags[corners.point_count - 1] & (WM_POINT_END | WM_POINT_OFF_MESH)));
  const float away = flat_distance(state.position, corners.points);
  CHECK(away > 0.01f);
  CHECK(corners.length >= wm_distance(state.position, corners.points) - 1e-4f);
  float to[3];
  wm_interpolate(state.position, corners.points, away > step ? step / away : 1, to);
  CHECK_EQUAL_INT(wm_corridor_move(world->corridor, to, NULL), WM_OK);
  check_corridor(world);
  return true;
}

static void walks_end_at_their_targets(void) {
  int arrived = 0, partial = 0;
  for (uint32_t i = 1; i <= 24; i++) {
    World world = open_world(i, 3, i % 2 == 0);
    WmNearest place = random_place(&world, 24);
    CHECK_EQUAL_INT(wm_corridor_reset(world.corridor, place.polygon, place.point), WM_OK);
    for (int walk = 0; walk < 12; walk++) {
      place = random_place(&world, 24);
      const bool complete = plan(&world, &place);
      const float step = between(&world.seed, 0.05f, 3);
      int steps = (int)(length_left(&world) / step) * 2 + 100;
      while (steps > 0 && take_step(&world, step)) steps--;
      CHECK(steps > 0);
      const WmCorridorState state = state_of(&world);
      CHECK(flat_distance(state.position, state.target) <= 0.0101f);
      if (complete) CHECK(flat_distance(state.position, place.point) <= 0.0101f);
      arrived += complete;
      partial += !complete;
    }
    close_world(&world);
  }
  CHECK(arrived > 50);
  CHECK(partial > 10);
}

/* The first corners are those of all corners. */
static int compare_first_corners(const World *world) {
  enum { MOST = 24 };
  WmPath path;
  float points[MOST][3], length = 0;
  CHECK_EQUAL_INT(wm_corridor_find_corners(world->corridor, SIZE_MAX, &path), WM_OK);
  const size_t count = path.point_count < MOST ? path.point_count : MOST, all = path.point_count;
  memcpy(points, path.points, count * sizeof *points);
  for (size_t most = 1; most <= count; most++) {
    CHECK_EQUAL_INT(wm_corridor_find_corners(world->corridor, most, &path), WM_OK);
    CHECK_EQUAL_INT(path.point_count, most);
    CHECK(path.cut == (most < all));
    CHECK(memcmp(path.points, points, most * sizeof *points) == 0);
    CHECK(path.length > length);
    length = path.length;
  }
  return (int)count;
}

/* Where the agent is almost at a corner, the corner and its own position are left out: as many others are found all the same. */
static void the_first_corners_are_found_on_a_corner_too(void) {
  int compared = 0;
  for (uint32_t i = 1; i <= 16; i++) {
    World world = open_world(i, 3, true);
    const WmNearest place = random_place(&world, 24), target = random_place(&world, 24);
    CHECK_EQUAL_INT(wm_corridor_reset(world.corridor, place.polygon, place.point), WM_OK);
    plan(&world, &target);
    for (int corner = 0; corner < 8; corner++) {
      compared += compare_first_corners(&world);
      WmPath path;
      CHECK_EQUAL_INT(wm_corridor_find_corners(world.corridor, 1, &path), WM_OK);
      if (path.point_count == 0) break;
      const WmCorridorState state = state_of(&world);
      const float away = flat_distance(state.position, path.points);
      const float t = 1 - 0.005f / (away > 0.005f ? away : 0.005f); /* almost there */
      float at[3];
      for (int axis = 0; axis < 3; axis++) {
        at[axis] = state.position[axis] + t * (path.points[axis] - state.position[axis]);
      }
      CHECK_EQUAL_INT(wm_corridor_move(world.corridor, at, NULL), WM_OK);
    }
    close_world(&world);
  }
  CHECK(compared > 60);
}

/* The agent is pushed in random directions, while the target moves too. */
static void pushes_and_moving_targets_keep_it_linked(void) {
  for (uint32_t i = 1; i <= 12; i++) {
    World world = open_world(100 + i, 3, i % 2 == 0);
    WmNearest place = random_place(&world, 24);
    CHECK_EQUAL_INT(wm_corridor_reset(world.corridor, place.polygon, place.point), WM_OK);
    place = random_place(&world, 24);
    plan(&world, &place);
    for (int k = 0; k < 200; k++) {
      const WmCorridorState state = state_of(&world);
      const bool target = grid_random(&world.seed) & 1;
      const float reach = between(&world.seed, 0, 2), *from = target ? state.target : state.position;
      const float to[3] = {from[0] + between(&world.seed, -reach, reach), from[1],
                           from[2] + between(&world.seed, -reach, reach)};
      CHECK_EQUAL_INT(target ? wm_corridor_move_target(world.corridor, to, NULL)
                             : wm_corridor_move(world.corridor, to, NULL),
                      WM_OK);
      check_corridor(&world);
      const WmCorridorState now = state_of(&world);
      CHECK(memcmp(target ? now.position : now.target, target ? state.position : state.target, 12) == 0);
      length_left(&world);
    }
    close_world(&world);
  }
}

/* ---- A mesh that changes ------------------------------------------------------------------------------- */

static void a_closed_polygon_makes_it_invalid_until_it_is_trimmed(void) {
  int trimmed = 0;
  for (uint32_t i = 1; i <= 20; i++) {
    World world = open_world(200 + i, 3, false);
    WmNearest place = nearest_to(&world, 1, 0, 1);
    CHECK_EQUAL_INT(wm_corridor_reset(world.corridor, place.polygon, place.point), WM_OK);
    place = nearest_to(&world, 23, 0, 23);
    CHECK(plan(&world, &place));
    WmCorridorState state = state_of(&world);
    const size_t closed = grid_random(&world.seed) % state.polygon_count;
    CHECK_EQUAL_INT(wm_mesh_set_polygon_flags(world.mesh, state.polygons[closed], 2), WM_OK);
    WmFilter filter = wm_filter_default();
    CHECK(wm_corridor_is_valid(world.corridor, 0, &filter));
    filter.exclude_flags = 2;
    CHECK(!wm_corridor_is_valid(world.corridor, 0, &filter));
    CHECK(closed == 0 || wm_corridor_is_valid(world.corridor, closed, &filter));
    CHECK(!wm_corridor_is_valid(world.corridor, closed + 1, &filter));
    const WmNearest safe = nearest_to(&world, 12, 0, 12);
    CHECK_EQUAL_INT(wm_corridor_trim(world.corridor, safe.polygon, safe.point, &filter), WM_OK);
    state = state_of(&world);
    CHECK_EQUAL_INT(state.polygon_count, closed ? closed : 1);
    check_corridor(&world);
    if (closed == 0) CHECK(state.polygons[0] == safe.polygon);
    trimmed += closed > 0;
    int steps = 400;
    while (steps > 0 && take_step(&world, 0.5f)) steps--;
    CHECK(steps > 0);
    close_world(&world);
  }
  CHECK(trimmed > 10);
}

/* Replaces the tile of a polygon by another one. */
static void swap_tile(World *world, WmRef polygon, uint32_t seed) {
  const WmMeshTile *tile = wm_mesh_tile_of(world->mesh, polygon);
  const GridTile grid = {.x = tile->x, .z = tile->z, .seed = seed, .hole = UINT32_MAX, .tree = true};
  CHECK_EQUAL_INT(wm_mesh_remove_tile(world->mesh, polygon), WM_OK);
  add_grid_tile(world->mesh, &grid);
}

static void a_tile_replaced_under_the_agent_is_told_and_mended(void) {
  for (uint32_t i = 1; i <= 20; i++) {
    World world = open_world(300 + i, 3, false);
    WmNearest place = nearest_to(&world, 1, 0, 1);
    CHECK_EQUAL_INT(wm_corridor_reset(world.corridor, place.polygon, place.point), WM_OK);
    const WmNearest goal = nearest_to(&world, 23, 0, 23);
    CHECK(plan(&world, &goal));
    WmCorridorState state = state_of(&world);
    const WmRef old_first = state.polygons[0], last = state.polygons[state.polygon_count - 1];
    swap_tile(&world, old_first, 900 + i);
    CHECK(!wm_corridor_is_valid(world.corridor, 0, NULL));
    CHECK(!wm_corridor_is_valid(world.corridor, 1, NULL));
    const float to[3] = {2, 0, 2};
    CHECK_EQUAL_INT(wm_corridor_move(world.corridor, to, NULL), WM_ERROR_STALE_REFERENCE);
    WmPath corners;
    CHECK_EQUAL_INT(wm_corridor_find_corners(world.corridor, 4, &corners), WM_ERROR_STALE_REFERENCE);
    CHECK(corners.points == NULL && corners.point_count == 0);
    CHECK_EQUAL_INT(wm_corridor_fix_start(world.corridor, old_first, to), WM_ERROR_STALE_REFERENCE);
    bool changed = true;
    CHECK_EQUAL_INT(wm_corridor_optimize_topology(world.corridor, 32, NULL, &changed),
                    WM_ERROR_STALE_REFERENCE);
    CHECK(!changed);
    CHECK_EQUAL_INT(wm_corridor_optimize_visibility(world.corridor, goal.point, 9, NULL, &changed),
                    WM_ERROR_STALE_REFERENCE);
    CHECK(!changed);
    /* On new ground, with the former end. */
    place = nearest_to(&world, 1, 0, 1);
    CHECK_EQUAL_INT(wm_corridor_fix_start(world.corridor, place.polygon, place.point), WM_OK);
    state = state_of(&world);
    CHECK(state.polygons[0] == place.polygon && state.polygons[1] == 0);
    CHECK(state.polygons[state.polygon_count - 1] == last);
    CHECK(!wm_corridor_is_valid(world.corridor, 0, NULL));
    CHECK_EQUAL_INT(wm_corridor_find_corners(world.corridor, 4, &corners), WM_OK);
    CHECK_EQUAL_INT(corners.reason, WM_PATH_REASON_BROKEN_CORRIDOR);
    CHECK(plan(&world, &goal));
    CHECK(wm_corridor_is_valid(world.corridor, 0, NULL));
    /* In between. */
    state = state_of(&world);
    const size_t middle = state.polygon_count / 2;
    const uint32_t first_slot = wm_ref_slot(state.polygons[0]);
    swap_tile(&world, state.polygons[middle], 1900 + i);
    size_t valid = 0;
    while (valid < state.polygon_count && wm_mesh_tile_of(world.mesh, state.polygons[valid])) valid++;
    CHECK(valid <= middle);
    CHECK_EQUAL_INT(wm_corridor_trim(world.corridor, place.polygon, place.point, NULL),
                    valid || wm_mesh_tile_of(world.mesh, place.polygon) ? WM_OK : WM_ERROR_STALE_REFERENCE);
    if (first_slot == wm_ref_slot(state.polygons[0]) && valid) {
      CHECK_EQUAL_INT(state_of(&world).polygon_count, valid);
      check_corridor(&world);
    }
    close_world(&world);
  }
}

static void fixing_the_start_of_a_short_corridor_keeps_its_end(void) {
  World world = open_world(7, 2, false);
  const WmNearest place = nearest_to(&world, 1, 0, 1), other = nearest_to(&world, 12, 0, 12);
  CHECK_EQUAL_INT(wm_corridor_reset(world.corridor, place.polygon, place.point), WM_OK);
  CHECK_EQUAL_INT(wm_corridor_fix_start(world.corridor, other.polygon, other.point), WM_OK);
  const WmCorridorState state = state_of(&world);
  CHECK_EQUAL_INT(state.polygon_count, 3);
  CHECK(state.polygons[0] == other.polygon && state.polygons[1] == 0 && state.polygons[2] == place.polygon);
  CHECK(memcmp(state.position, other.point, sizeof state.position) == 0);
  CHECK(memcmp(state.target, place.point, sizeof state.target) == 0);
  CHECK(!wm_corridor_is_valid(world.corridor, 2, NULL));
  CHECK(wm_corridor_is_valid(world.corridor, 1, NULL));
  close_world(&world);
}

/* ---- Connections --------------------------------------------------------------------------------------- */

/* Two tiles, far apart in height, and a connection made at run time. */
static World open_cliff(bool bidirectional, WmRef *connection) {
  World world = {.context = wm_context_create(NULL), .seed = 1};
  world.mesh = make_grid_mesh(world.context);
  const GridTile grids[2] = {{.seed = 0, .hole = UINT32_MAX, .tree = true},
                             {.x = 1, .seed = 0, .floor = 16, .hole = UINT32_MAX, .tree = true}};
  add_grid_tile(world.mesh, &grids[0]);
  add_grid_tile(world.mesh, &grids[1]);
  WmConnection settings = wm_connection_default(world.mesh);
  const float start[3] = {6.2f, 0.25f, 4.3f}, end[3] = {10.1f, 4.25f, 4.2f};
  memcpy(settings.start, start, sizeof start);
  memcpy(settings.end, end, sizeof end);
  settings.radius = 0.5f;
  settings.bidirectional = bidirectional;
  CHECK_EQUAL_INT(wm_mesh_add_connection(world.mesh, &settings, connection), WM_OK);
  CHECK_EQUAL_INT(wm_query_create(world.context, world.mesh, &world.query), WM_OK);
  CHECK_EQUAL_INT(wm_corridor_create(world.context, world.query, &world.corridor), WM_OK);
  return world;
}

static void connections_are_passed_both_ways(void) {
  for (int back = 0; back < 2; back++) {
    WmRef connection;
    World world = open_cliff(true, &connection);
    const WmNearest low = nearest_to(&world, 1, 0, 1), high = nearest_to(&world, 15, 4, 7);
    const WmNearest *from = back ? &high : &low, *to = back ? &low : &high;
    CHECK_EQUAL_INT(wm_corridor_reset(world.corridor, from->polygon, from->point), WM_OK);
    CHECK(plan(&world, to));
    int steps = 200;
    float start[3], end[3];
    bool moved = true;
    CHECK_EQUAL_INT(wm_corridor_move_over_connection(world.corridor, low.polygon, start, end, &moved),
                    WM_ERROR_INVALID_ARGUMENT);
    CHECK(!moved);
    WmPath corners = {0};
    while (steps-- > 0) {
      CHECK_EQUAL_INT(wm_corridor_find_corners(world.corridor, 8, &corners), WM_OK);
      const size_t last = corners.point_count - 1;
      CHECK_EQUAL_INT(corners.point_flags[last], WM_POINT_OFF_MESH);
      CHECK(corners.point_polygons[last] == connection);
      CHECK(!corners.cut);
      if (last == 0 && flat_distance(state_of(&world).position, corners.points) < 0.02f) break;
      take_step(&world, 0.25f);
    }
    CHECK(steps > 0);
    CHECK_EQUAL_INT(wm_corridor_move_over_connection(world.corridor, connection, start, end, &moved), WM_OK);
    CHECK(moved);
    CHECK(fabsf(start[0] - (back ? 10.1f : 6.2f)) < 1e-4f && fabsf(end[0] - (back ? 6.2f : 10.1f)) < 1e-4f);
    CHECK(back ? end[1] < 1 : end[1] > 3.5f);
    check_corridor(&world);
    CHECK(memcmp(state_of(&world).position, end, sizeof end) == 0);
    CHECK_EQUAL_INT(wm_corridor_move_over_connection(world.corridor, connection, start, end, &moved), WM_OK);
    CHECK(!moved && start[0] == 0 && end[1] == 0);
    while (steps-- > 0 && take_step(&world, 0.25f)) {
    }
    CHECK(flat_distance(state_of(&world).position, to->point) <= 0.0101f);
    close_world(&world);
  }
}

static void a_connection_at_the_end_of_a_corridor_can_be_entered(void) {
  for (int tied = 0; tied < 2; tied++) {
    WmRef connection;
    World world = open_cliff(false, &connection);
    const WmNearest low = nearest_to(&world, 6, 0, 4);
    if (!tied)
      CHECK_EQUAL_INT(wm_mesh_remove_tile(world.mesh, wm_mesh_find_tile(world.mesh, 1, 0, 0)->ref), WM_OK);
    CHECK_EQUAL_INT(wm_corridor_reset(world.corridor, low.polygon, low.point), WM_OK);
    const WmRef polygons[2] = {low.polygon, connection};
    const float target[3] = {10, 4, 4};
    CHECK_EQUAL_INT(wm_corridor_set(world.corridor, target, polygons, 2), WM_OK);
    float start[3], end[3];
    bool moved;
    CHECK_EQUAL_INT(wm_corridor_move_over_connection(world.corridor, connection, start, end, &moved), WM_OK);
    CHECK_EQUAL_INT(moved, tied);
    const WmCorridorState state = state_of(&world);
    CHECK_EQUAL_INT(state.polygon_count, tied ? 1 : 2);
    if (tied) {
      check_corridor(&world);
      CHECK(wm_mesh_tile_of(world.mesh, state.polygons[0])->x == 1);
      CHECK(memcmp(state.position, end, sizeof end) == 0 && memcmp(state.target, end, sizeof end) == 0);
    }
    close_world(&world);
  }
}

/* ---- Shortcuts ----------------------------------------------------------------------------------------- */

/* A corridor with a long detour: found with area costs that are too high. */
static void plan_badly(World *world, const WmNearest *target) {
  WmFilter odd = wm_filter_default();
  for (int i = 0; i < 64; i++) odd.area_costs[i] = (float)(1 + grid_random(&world->seed) % 20);
  const WmCorridorState state = state_of(world);
  const WmSearchOptions options = {.filter = &odd};
  WmCorridor found;
  CHECK_EQUAL_INT(wm_query_find_corridor(world->query, state.polygons[0], state.position, target->polygon,
                                         target->point, &options, &found),
                  WM_OK);
  CHECK_EQUAL_INT(wm_corridor_set(world->corridor, target->point, found.polygons, found.polygon_count),
                  WM_OK);
}

static void shortcuts_never_make_a_way_longer(void) {
  int by_sight = 0, by_search = 0;
  float gained = 0;
  for (uint32_t i = 1; i <= 16; i++) {
    World world = open_world(400 + i, 3, i % 2 == 0);
    for (size_t s = 0; s < 9; s++) {
      const WmMeshTile *tile = wm_mesh_tile(world.mesh, s);
      for (uint32_t p = 0; p < tile->polygon_count; p++) {
        wm_mesh_set_polygon_area(world.mesh, tile->ref + p, (uint8_t)(grid_random(&world.seed) % 64));
      }
    }
    for (int k = 0; k < 12; k++) {
      WmNearest place = random_place(&world, 24);
      CHECK_EQUAL_INT(wm_corridor_reset(world.corridor, place.polygon, place.point), WM_OK);
      place = random_place(&world, 24);
      plan_badly(&world, &place);
      for (int n = 0; n < 10; n++) {
        const float before = length_left(&world);
        bool changed = false;
        WmPath corners;
        CHECK_EQUAL_INT(wm_corridor_find_corners(world.corridor, 2, &corners), WM_OK);
        if (corners.point_count == 0) break;
        float next[3];
        memcpy(next, corners.points + 3 * (corners.point_count - 1), sizeof next);
        if (n % 2 == 0) {
          CHECK_EQUAL_INT(wm_corridor_optimize_visibility(world.corridor, next, between(&world.seed, 1, 30),
                                                          NULL, &changed),
                          WM_OK);
          by_sight += changed;
        } else {
          const size_t budget = 1 + grid_random(&world.seed) % 60;
          CHECK_EQUAL_INT(wm_corridor_optimize_topology(world.corridor, budget, NULL, &changed), WM_OK);
          by_search += changed;
        }
        check_corridor(&world);
        const float after = length_left(&world);
        CHECK(after <= before + 1e-3f);
        gained += before - after;
        if (!take_step(&world, 0.5f)) break;
      }
    }
    close_world(&world);
  }
  printf("shortcuts: %d by sight, %d by search, %.1f units gained\n", by_sight, by_search, (double)gained);
  CHECK(by_sight > 30);
  CHECK(by_search > 100);
  CHECK(gained > 100);
}

/* A wall close behind a corner must not hide it: Detour stretches the ray to the range. */
static void sight_reaches_the_point_and_no_farther(void) {
  World world = open_world(0, 2, false); /* squares of four units, 16 x 16 in all */
  const WmNearest start = nearest_to(&world, 1, 0, 1), end = nearest_to(&world, 15.5f, 0, 15.9f);
  CHECK_EQUAL_INT(wm_corridor_reset(world.corridor, start.polygon, start.point), WM_OK);
  /* Around two sides of the world. */
  WmRef polygons[8];
  for (int i = 0; i < 7; i++) {
    polygons[i] =
        nearest_to(&world, i < 4 ? 4 * (float)i + 1 : 13, 0, i < 4 ? 1 : 4 * (float)(i - 3) + 1).polygon;
  }
  CHECK_EQUAL_INT(wm_corridor_set(world.corridor, end.point, polygons, 7), WM_OK);
  const float before = length_left(&world);
  bool changed;
  CHECK_EQUAL_INT(wm_corridor_optimize_visibility(world.corridor, end.point, 100, NULL, &changed), WM_OK);
  CHECK(changed);
  CHECK(length_left(&world) < before - 0.5f);
  check_corridor(&world);
  CHECK(fabsf(length_left(&world) - flat_distance(start.point, end.point)) < 0.1f);
  /* No shortcut is left. */
  CHECK_EQUAL_INT(wm_corridor_optimize_visibility(world.corridor, end.point, 100, NULL, &changed), WM_OK);
  CHECK(!changed);
  CHECK_EQUAL_INT(wm_corridor_optimize_visibility(world.corridor, start.point, 100, NULL, NULL), WM_OK);
  close_world(&world);
}

/* ---- Arguments ----------------------------------------------------------------------------------------- */

static void bad_arguments_change_nothing(void) {
  World world = open_world(5, 2, false);
  WmPathCorridor *corridor = world.corridor;
  const float good[3] = {1, 0, 1}, bad[3] = {1, NAN, 1};
  const WmNearest place = nearest_to(&world, 1, 0, 1), goal = nearest_to(&world, 15, 0, 15);
  float start[3], end[3];
  bool moved;
  WmPath path;
  /* Empty. */
  CHECK(state_of(&world).polygons == NULL);
  CHECK(wm_corridor_is_valid(corridor, 0, NULL));
  CHECK_EQUAL_INT(wm_corridor_move(corridor, good, NULL), WM_ERROR_STATE);
  CHECK_EQUAL_INT(wm_corridor_move_target(corridor, good, NULL), WM_ERROR_STATE);
  CHECK_EQUAL_INT(wm_corridor_find_corners(corridor, 3, &path), WM_ERROR_STATE);
  CHECK_EQUAL_INT(wm_corridor_set(corridor, good, &place.polygon, 1), WM_ERROR_STATE);
  CHECK_EQUAL_INT(wm_corridor_fix_start(corridor, place.polygon, good), WM_ERROR_STATE);
  CHECK_EQUAL_INT(wm_corridor_optimize_topology(corridor, 32, NULL, &moved), WM_ERROR_STATE);
  CHECK_EQUAL_INT(wm_corridor_optimize_visibility(corridor, good, 1, NULL, &moved), WM_ERROR_STATE);
  CHECK_EQUAL_INT(wm_corridor_move_over_connection(corridor, place.polygon, start, end, &moved), WM_OK);
  CHECK(!moved);
  CHECK_EQUAL_INT(wm_corridor_trim(corridor, 0, good, NULL), WM_OK);
  CHECK_EQUAL_INT(wm_corridor_reset(corridor, 0, good), WM_OK);
  CHECK_EQUAL_INT(wm_corridor_reset(corridor, 0, bad), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_corridor_reset(corridor, place.polygon + (1ull << 45), good), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(state_of(&world).polygon_count, 0);
  /* Filled. */
  CHECK_EQUAL_INT(wm_corridor_reset(corridor, place.polygon, place.point), WM_OK);
  plan(&world, &goal);
  const WmCorridorState before = state_of(&world);
  static const char *const FIELDS[] = {"position", "polygons", "polygons",  "target",
                                       "next",     "range",    "maxCorners"};
  for (int i = 0; i < 7; i++) {
    WmStatus status = WM_OK;
    const WmRef wrong[2] = {before.polygons[0], 12345};
    if (i == 0) status = wm_corridor_reset(corridor, place.polygon, bad);
    if (i == 1) status = wm_corridor_set(corridor, good, &goal.polygon, 1);
    if (i == 2) status = wm_corridor_set(corridor, good, wrong, 2);
    if (i == 3) status = wm_corridor_set(corridor, bad, before.polygons, 1);
    if (i == 4) status = wm_corridor_optimize_visibility(corridor, bad, 9, NULL, &moved);
    if (i == 5) status = wm_corridor_optimize_visibility(corridor, good, -1, NULL, &moved);
    if (i == 6) status = wm_corridor_find_corners(corridor, 0, &path);
    CHECK_EQUAL_INT(status, WM_ERROR_INVALID_ARGUMENT);
    CHECK(strcmp(wm_context_error(world.context)->field, FIELDS[i]) == 0);
  }
  CHECK_EQUAL_INT(wm_corridor_move(corridor, bad, NULL), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_corridor_move_target(corridor, bad, NULL), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_corridor_trim(corridor, place.polygon, bad, NULL), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_corridor_fix_start(corridor, 0, good), WM_ERROR_INVALID_ARGUMENT);
  const WmCorridorState after = state_of(&world);
  CHECK(memcmp(&before, &after, sizeof after) == 0);
  /* The first few of its own polygons. */
  CHECK_EQUAL_INT(wm_corridor_set(corridor, good, after.polygons, 2), WM_OK);
  CHECK_EQUAL_INT(state_of(&world).polygon_count, 2);
  check_corridor(&world);
  /* The number of requested corners may be arbitrary. */
  CHECK_EQUAL_INT(wm_corridor_find_corners(corridor, SIZE_MAX, &path), WM_OK);
  CHECK(!path.cut);
  close_world(&world);
}

static void a_corridor_that_is_reset_is_where_it_was_put(void) {
  World world = open_world(1, 2, false);
  const WmCorridorState before = state_of(&world);
  const float place[3] = {1.5f, -7, 99};
  CHECK_EQUAL_INT(wm_corridor_reset(world.corridor, 0, place), WM_OK);
  const WmCorridorState after = state_of(&world);
  CHECK_EQUAL_INT(after.polygon_count, 0);
  CHECK(memcmp(after.position, place, sizeof place) == 0);
  CHECK(memcmp(after.target, place, sizeof place) == 0);
  CHECK(memcmp(before.position, place, sizeof place) != 0);
  /* For a point on a polygon it is the nearest point of that polygon. */
  const WmRef polygon = wm_mesh_tile(world.mesh, 0)->ref;
  float on[3];
  wm_corridor_snap(world.corridor, polygon, place, on);
  CHECK(memcmp(on, place, sizeof place) != 0);
  CHECK_EQUAL_INT(wm_corridor_reset(world.corridor, polygon, place), WM_OK);
  const WmCorridorState last = state_of(&world);
  CHECK_EQUAL_INT(last.polygon_count, 1);
  CHECK(memcmp(last.position, on, sizeof on) == 0 && memcmp(last.target, on, sizeof on) == 0);
  close_world(&world);
}

int main(void) {
  RUN(merges_are_those_of_detour_without_cuts);
  RUN(random_merges_equal_those_of_plain_arrays);
  RUN(walks_end_at_their_targets);
  RUN(the_first_corners_are_found_on_a_corner_too);
  RUN(pushes_and_moving_targets_keep_it_linked);
  RUN(a_closed_polygon_makes_it_invalid_until_it_is_trimmed);
  RUN(a_tile_replaced_under_the_agent_is_told_and_mended);
  RUN(fixing_the_start_of_a_short_corridor_keeps_its_end);
  RUN(connections_are_passed_both_ways);
  RUN(a_connection_at_the_end_of_a_corridor_can_be_entered);
  RUN(shortcuts_never_make_a_way_longer);
  RUN(sight_reaches_the_point_and_no_farther);
  RUN(bad_arguments_change_nothing);
  RUN(a_corridor_that_is_reset_is_where_it_was_put);
  return check_finish();
}
