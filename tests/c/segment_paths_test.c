/* Paths over segment links in random worlds: reachability and costs by brute force, and all kinds of searches. */
#include "mesh/locate.h"
#include "query/alternatives/alternatives.h"
#include "query/corridor/corridor_internal.h"
#include "query/search/flood.h"
#include "query/search/flow_field.h"
#include "query/search/islands.h"
#include "query/tile_graph/tile_graph.h"
#include "segment_worlds.h"

typedef struct World {
  WmContext *context;
  WmMesh *mesh;
  WmQuery *query;
  uint32_t seed, number;
} World;

static World open_world(uint32_t number) {
  World world = {.context = wm_context_create(NULL), .seed = number, .number = number};
  world.mesh = make_random_world(world.context, &world.seed, number);
  for (int i = 0; i < 6; i++) put_random(world.mesh, &world.seed, number);
  CHECK_EQUAL_INT(wm_query_create(world.context, world.mesh, &world.query), WM_OK);
  return world;
}

static void close_world(const World *world) {
  wm_query_destroy(world->query);
  wm_mesh_destroy(world->mesh);
  wm_context_destroy(world->context);
}

/* A random point of the ground. */
static bool find_point(World *world, WmNearest *nearest) {
  const float at[3] = {random_float(&world->seed, 0, SIDE * GRID_TILE_SIZE), random_float(&world->seed, 0, 8),
                       random_float(&world->seed, 0, SIDE * GRID_TILE_SIZE)};
  CHECK_EQUAL_INT(wm_query_find_nearest(world->query, at, (const float[3]){2, 10, 2}, NULL, nearest), WM_OK);
  return nearest->polygon != 0;
}

/* ---- Reachability by brute force ---------------------------------------------------------------------- */

enum { POLYGON_LIMIT = 2000, STEP_LIMIT = 60000, SAMPLES = 512 };

/* The ground polygons of a mesh, and where they lead: over edges, and over segment links at some positions of each. */
typedef struct Ground {
  WmRef refs[POLYGON_LIMIT];
  float low[POLYGON_LIMIT][3], high[POLYGON_LIMIT][3]; /* grid tiles have rectangles */
  size_t count;
  uint16_t steps[STEP_LIMIT][2];
  size_t step_count;
  bool reached[POLYGON_LIMIT];
} Ground;

static size_t find_ground(const Ground *ground, WmRef ref) {
  size_t i = 0;
  while (i < ground->count && ground->refs[i] != ref) i++;
  return i;
}

static void add_polygons(const World *world, Ground *ground) {
  ground->count = 0;
  for (size_t slot = 0; slot < wm_mesh_slot_count(world->mesh); slot++) {
    const WmMeshTile *tile = wm_mesh_tile(world->mesh, slot);
    for (uint32_t p = 0; tile && p < tile->ground_count; p++) {
      const size_t i = ground->count++;
      ground->refs[i] = tile->ref + p;
      for (int axis = 0; axis < 3; axis++) {
        ground->low[i][axis] = INFINITY;
        ground->high[i][axis] = -INFINITY;
        for (uint32_t k = 0; k < 4; k++) {
          const float value = wm_tile_vertex(tile, p, k)[axis];
          ground->low[i][axis] = fminf(ground->low[i][axis], value);
          ground->high[i][axis] = fmaxf(ground->high[i][axis], value);
        }
      }
    }
  }
}

static bool lies_on(const Ground *ground, size_t i, const float at[3]) {
  const float *low = ground->low[i], *high = ground->high[i];
  if (at[0] < low[0] - 1e-4f || at[0] > high[0] + 1e-4f || at[2] < low[2] - 1e-4f || at[2] > high[2] + 1e-4f)
    return false;
  return at[1] > low[1] - 1 && at[1] < high[1] + 1;
}

static void add_step(Ground *ground, size_t from, size_t to) {
  const size_t last = ground->step_count - 1;
  if (ground->step_count > 0 && ground->steps[last][0] == from && ground->steps[last][1] == to) return;
  CHECK(ground->step_count < STEP_LIMIT);
  if (ground->step_count == STEP_LIMIT) return;
  ground->steps[ground->step_count][0] = (uint16_t)from;
  ground->steps[ground->step_count++][1] = (uint16_t)to;
}

/* Adds the steps over one link from all polygons at one of its sides to all at the other one. */
static void add_link_steps(Ground *ground, const WmSegmentLink *link) {
  for (int sample = 0; sample < SAMPLES; sample++) {
    float near[3], far[3];
    wm_interpolate(link->start[0], link->start[1], ((float)sample + 0.3f) / SAMPLES, near);
    wm_interpolate(link->end[0], link->end[1], ((float)sample + 0.3f) / SAMPLES, far);
    for (size_t i = 0; i < ground->count; i++) {
      if (!lies_on(ground, i, near)) continue;
      for (size_t k = 0; k < ground->count; k++) {
        if (!lies_on(ground, k, far)) continue;
        add_step(ground, i, k);
        if (link->bidirectional) add_step(ground, k, i);
      }
    }
  }
}

static void add_steps(const World *world, Ground *ground) {
  ground->step_count = 0;
  for (size_t i = 0; i < ground->count; i++) {
    const WmMeshTile *tile = wm_mesh_tile_of(world->mesh, ground->refs[i]);
    const uint32_t polygon = wm_ref_polygon(ground->refs[i]);
    for (uint32_t k = tile->link_first[polygon]; k < tile->link_first[polygon + 1]; k++) {
      const WmLink *link = &tile->links[k];
      if (link->edge != 255)
        add_step(ground, i, find_ground(ground, wm_mesh_tile(world->mesh, link->slot)->ref + link->polygon));
    }
  }
  for (WmRef set = 0; (set = wm_mesh_next_links(world->mesh, set)) != 0;) {
    const WmMeshTile *tile = wm_mesh_tile_of(world->mesh, set);
    for (uint32_t i = 0; i < tile->polygon_count; i++) add_link_steps(ground, &tile->segments[i]);
  }
}

static void reach_all(Ground *ground, WmRef start) {
  memset(ground->reached, 0, sizeof ground->reached);
  ground->reached[find_ground(ground, start)] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < ground->step_count; i++) {
      const uint16_t *step = ground->steps[i];
      if (!ground->reached[step[0]] || ground->reached[step[1]]) continue;
      ground->reached[step[1]] = changed = true;
    }
  }
}

/* True if paths are found where the ground is reached, and nowhere else. */
static void paths_lead_where_links_do(void) {
  static Ground ground;
  int complete = 0, unreachable = 0, crossings = 0;
  for (uint32_t number = 1; number <= CHECK_ROUNDS(12u); number++) {
    World world = open_world(number);
    add_polygons(&world, &ground);
    add_steps(&world, &ground);
    WmIslands *islands;
    CHECK_EQUAL_INT(wm_islands_create(world.context, world.mesh, &islands), WM_OK);
    CHECK_EQUAL_INT(wm_islands_update(islands, NULL), WM_OK);
    WmNearest start, end;
    while (!find_point(&world, &start)) {
    }
    reach_all(&ground, start.polygon);
    WmFlood flood;
    CHECK_EQUAL_INT(wm_query_flood(world.query, start.polygon, start.point, NULL, &flood), WM_OK);
    size_t flooded = 0, reached = 0;
    for (size_t i = 0; i < flood.count; i++)
      flooded += find_ground(&ground, flood.polygons[i]) < ground.count;
    for (size_t i = 0; i < ground.count; i++) reached += ground.reached[i];
    CHECK_EQUAL_INT(flooded, reached);
    for (int i = 0; i < 30; i++) {
      if (!find_point(&world, &end)) continue;
      WmPath path;
      CHECK_EQUAL_INT(wm_query_find_path(world.query, start.point, end.point, NULL, &path), WM_OK);
      CHECK(wm_path_validate(world.mesh, &path));
      CHECK_EQUAL_INT(path.state == WM_PATH_COMPLETE, ground.reached[find_ground(&ground, end.polygon)]);
      if (path.state == WM_PATH_COMPLETE) {
        CHECK(wm_islands_of(islands, start.polygon) == wm_islands_of(islands, end.polygon));
      }
      complete += path.state == WM_PATH_COMPLETE;
      unreachable += path.state == WM_PATH_UNREACHABLE;
      for (size_t k = 0; k < path.point_count; k++) crossings += path.point_flags[k] == WM_POINT_OFF_MESH;
    }
    wm_islands_destroy(islands);
    close_world(&world);
  }
  printf("%d complete, %d unreachable, %d crossings\n", complete, unreachable, crossings);
  CHECK(complete > 20 && unreachable > 20 && crossings > 20);
}

/* ---- Strings by brute force --------------------------------------------------------------------------- */

/* Both points of each crossing lie at the same position across the link, within the open interval. */
static void check_crossings(const World *world, const WmPath *path) {
  size_t at = 0;
  for (size_t i = 0; i + 1 < path->point_count; i++) {
    const WmMeshTile *tile = wm_mesh_tile_of(world->mesh, path->point_polygons[i]);
    if (!tile || !tile->segments) continue;
    while (at < path->polygon_count && path->polygons[at] != path->point_polygons[i]) at++;
    CHECK(at > 0 && at + 1 < path->polygon_count && (path->point_flags[i] & WM_POINT_OFF_MESH));
    if (at == 0 || at + 1 >= path->polygon_count) return;
    WmLinkCrossing crossing;
    CHECK(wm_mesh_find_crossing(world->mesh, path->polygons[at - 1], path->polygons[at],
                                path->polygons[at + 1], &crossing));
    const float across = wm_link_crossing_nearest(&crossing, 0, path->points + 3 * i);
    float entry[3], leave[3];
    wm_link_crossing_point(&crossing, 0, across, entry);
    wm_link_crossing_point(&crossing, 1, across, leave);
    CHECK(wm_squared_distance_on_plane(entry, path->points + 3 * i) < 1e-5f &&
          wm_squared_distance_on_plane(leave, path->points + 3 * i + 3) < 1e-5f);
  }
}

/* The least cost of a string through the first segment link of a corridor, over a grid of positions across it. */
static float find_least(const World *world, const float start[3], const float end[3], const WmRef *polygons,
                        size_t count, int positions) {
  const WmFilter filter = wm_filter_default();
  size_t at = 0;
  while (at < count && !wm_mesh_tile_of(world->mesh, polygons[at])->segments) at++;
  float cost;
  if (at == count) {
    CHECK_EQUAL_INT(wm_query_measure(world->query, start, end, polygons, count, &filter, &cost), WM_OK);
    return cost;
  }
  WmLinkCrossing crossing;
  CHECK(wm_mesh_find_crossing(world->mesh, polygons[at - 1], polygons[at], polygons[at + 1], &crossing));
  float least = INFINITY;
  for (int i = 0; i <= positions; i++) {
    const float across = crossing.low + (crossing.high - crossing.low) * (float)i / (float)positions;
    float entry[3], leave[3];
    wm_link_crossing_point(&crossing, 0, across, entry);
    wm_link_crossing_point(&crossing, 1, across, leave);
    const float before = find_least(world, start, entry, polygons, at, positions);
    const float behind = find_least(world, leave, end, polygons + at + 1, count - at - 1, positions / 2);
    least = fminf(least, before + crossing.link->cost + behind);
  }
  return least;
}

static size_t count_links(const World *world, const WmPath *path) {
  size_t count = 0;
  for (size_t i = 0; i < path->polygon_count; i++)
    count += wm_mesh_tile_of(world->mesh, path->polygons[i])->segments != NULL;
  return count;
}

static void strings_are_the_shortest_through_their_corridor(void) {
  int measured = 0;
  for (uint32_t number = 2; number <= CHECK_ROUNDS(24u); number += 2) {
    World world = open_world(number);
    static WmRef polygons[POLYGON_LIMIT];
    for (int i = 0; i < 30; i++) {
      WmNearest start, end;
      if (!find_point(&world, &start) || !find_point(&world, &end)) continue;
      WmPath path;
      CHECK_EQUAL_INT(wm_query_find_path(world.query, start.point, end.point, NULL, &path), WM_OK);
      check_crossings(&world, &path);
      const size_t links = count_links(&world, &path), count = path.polygon_count;
      if (path.state != WM_PATH_COMPLETE || links == 0 || links > 2) continue;
      memcpy(polygons, path.polygons, count * sizeof *polygons);
      const float length = path.length;
      float cost, fees = 0;
      const WmFilter filter = wm_filter_default();
      for (size_t k = 0; k < count; k++) {
        const WmMeshTile *tile = wm_mesh_tile_of(world.mesh, polygons[k]);
        if (tile->segments) fees += tile->segments[wm_ref_polygon(polygons[k])].cost;
      }
      CHECK_EQUAL_INT(wm_query_measure(world.query, start.point, end.point, polygons, count, &filter, &cost),
                      WM_OK);
      const float least = find_least(&world, start.point, end.point, polygons, count, 32);
      /* A portal beside a link is cut at its line: the best string may use the other part. */
      CHECK(cost <= 1.08f * least + 1e-3f && cost >= least - 0.05f - 0.02f * least);
      CHECK(fabsf(cost - length - fees) < 1e-2f);
      measured++;
    }
    close_world(&world);
  }
  printf("%d strings\n", measured);
  CHECK(measured > 10 / check_rounds_divisor);
}

/* ---- All kinds of searches ---------------------------------------------------------------------------- */

static void every_search_passes_links(void) {
  int crossings[6] = {0};
  for (uint32_t number = 1; number <= CHECK_ROUNDS(40u); number++) {
    World world = open_world(number);
    for (int i = 0; i < 24; i++) {
      WmNearest start, end;
      if (!find_point(&world, &start) || !find_point(&world, &end)) continue;
      WmPath path;
      CHECK_EQUAL_INT(wm_query_find_path(world.query, start.point, end.point, NULL, &path), WM_OK);
      const WmPathState state = path.state;
      WmPathOptions options = wm_path_options_default();
      const int kind = i % 6;
      options.search.any_angle = kind == 1;
      options.search.shortest = kind == 2;
      options.search.wall_distance = kind == 3 || kind == 4 ? 0.5f : 0;
      options.search.wall_cost = kind == 4 ? 2 : 0;
      options.crossings = (WmCrossings)(i / 6 % 3);
      if (kind == 5) {
        CHECK_EQUAL_INT(wm_query_find_smooth_path(world.query, start.point, end.point, 0.5f, &options, &path),
                        WM_OK);
      } else {
        CHECK_EQUAL_INT(wm_query_find_path(world.query, start.point, end.point, &options, &path), WM_OK);
      }
      CHECK_EQUAL_INT(path.state, state);
      CHECK(wm_path_validate(world.mesh, &path));
      check_crossings(&world, &path);
      for (size_t k = 0; k < path.point_count; k++)
        crossings[kind] += path.point_flags[k] == WM_POINT_OFF_MESH;
    }
    close_world(&world);
  }
  for (int kind = 0; kind < 6; kind++) CHECK(crossings[kind] > 0);
}

static void fields_and_slices_and_alternatives_pass_links(void) {
  int fields = 0;
  for (uint32_t number = 1; number <= CHECK_ROUNDS(40u); number++) {
    World world = open_world(number);
    WmFlowField *flow;
    WmSearch *search;
    CHECK_EQUAL_INT(wm_flow_field_create(world.context, world.mesh, &flow), WM_OK);
    CHECK_EQUAL_INT(wm_search_create(world.context, world.mesh, &search), WM_OK);
    for (int i = 0; i < 8; i++) {
      WmNearest start, end;
      if (!find_point(&world, &start) || !find_point(&world, &end)) continue;
      WmCorridor corridor, sliced;
      CHECK_EQUAL_INT(wm_query_find_corridor(world.query, start.polygon, start.point, end.polygon, end.point,
                                             NULL, &corridor),
                      WM_OK);
      CHECK(wm_search_validate(world.mesh, &corridor));
      bool done = false;
      CHECK_EQUAL_INT(wm_search_begin(search, start.polygon, start.point, end.polygon, end.point, NULL),
                      WM_OK);
      while (!done) CHECK_EQUAL_INT(wm_search_advance(search, 3, &done, NULL), WM_OK);
      CHECK_EQUAL_INT(wm_search_finish(search, &sliced), WM_OK);
      CHECK(sliced.cost == corridor.cost && sliced.polygon_count == corridor.polygon_count);
      const WmPathState state = corridor.state;
      CHECK_EQUAL_INT(wm_flow_field_begin(flow, end.polygon, end.point, NULL), WM_OK);
      for (done = false; !done;)
        CHECK_EQUAL_INT(wm_flow_field_advance(flow, start.polygon, start.point, 7, &done, NULL), WM_OK);
      CHECK_EQUAL_INT(wm_flow_field_find(flow, start.polygon, start.point, &corridor), WM_OK);
      CHECK_EQUAL_INT(corridor.state == WM_PATH_COMPLETE, state == WM_PATH_COMPLETE);
      if (corridor.state == WM_PATH_COMPLETE) {
        WmPath path;
        CHECK_EQUAL_INT(wm_query_straighten(world.query, start.point, end.point, corridor.polygons,
                                            corridor.polygon_count, WM_CROSSINGS_NONE, 0, &path),
                        WM_OK);
        CHECK_EQUAL_INT(path.state, WM_PATH_COMPLETE);
        check_crossings(&world, &path);
        fields += count_links(&world, &path) > 0;
      }
      WmAlternatives alternatives;
      CHECK_EQUAL_INT(wm_query_find_alternatives(world.query, start.point, end.point, NULL, &alternatives),
                      WM_OK);
      for (size_t k = 0; k < alternatives.count; k++)
        CHECK(wm_path_validate(world.mesh, &alternatives.paths[k]));
    }
    wm_search_destroy(search);
    wm_flow_field_destroy(flow);
    close_world(&world);
  }
  CHECK(fields > 5);
}

static void long_paths_pass_links(void) {
  int complete = 0, apart = 0;
  const uint32_t rounds = CHECK_ROUNDS(30u);
  for (uint32_t round = 0; round <= rounds; round++) {
    /* The last one has a narrow part of a link's start beside a wide one, and only the narrow part leads to other ground. */
    const uint32_t number = round < rounds ? round + 1 : 284;
    World world = open_world(number);
    WmTileGraph *graph;
    CHECK_EQUAL_INT(wm_tile_graph_create(world.context, world.mesh, NULL, &graph), WM_OK);
    for (int i = 0; i < 12; i++) {
      WmNearest start, end;
      if (i % 3 == 0) change_tile(world.mesh, &world.seed, number);
      if (!find_point(&world, &start) || !find_point(&world, &end)) continue;
      CHECK_EQUAL_INT(wm_tile_graph_update(graph), WM_OK);
      WmLongPath path;
      CHECK_EQUAL_INT(wm_tile_graph_find_path(graph, start.point, end.point, NULL, &path), WM_OK);
      complete += path.leads_to_end;
      WmPathOptions options = wm_path_options_default();
      options.search.shortest = true;
      WmPath flat;
      CHECK_EQUAL_INT(wm_query_find_path(world.query, start.point, end.point, &options, &flat), WM_OK);
      CHECK_EQUAL_INT(path.state, flat.state);
      apart += flat.state == WM_PATH_UNREACHABLE;
      if (path.state == WM_PATH_COMPLETE && flat.state == WM_PATH_COMPLETE)
        CHECK(path.cost >= flat.bound * 0.9999f - 1e-3f);
    }
    wm_tile_graph_destroy(graph);
    close_world(&world);
  }
  printf("%d lead to the end, %d apart\n", complete, apart);
  CHECK(complete > 10 && apart > 10);
}

/* An agent that walks corner by corner arrives, over every link of its corridor. */
/* The polygon behind a link may have been replaced since the corridor was found. */
static void strings_end_before_outdated_polygons(void) {
  int tried = 0;
  for (uint32_t number = 0; number < 20; number++) {
    World world = open_world(number);
    for (int i = 0; i < 20; i++) {
      WmNearest start, end;
      WmPath path;
      if (!find_point(&world, &start) || !find_point(&world, &end)) continue;
      CHECK_EQUAL_INT(wm_query_find_path(world.query, start.point, end.point, NULL, &path), WM_OK);
      WmRef polygons[64];
      const size_t count = path.polygon_count < 64 ? path.polygon_count : 0;
      if (count) memcpy(polygons, path.polygons, count * sizeof *polygons);
      for (size_t k = 1; k + 1 < count; k++) {
        if (!wm_is_segment_link(wm_mesh_tile_of(world.mesh, polygons[k]))) continue;
        const WmRef ref = polygons[k + 1];
        polygons[k + 1] = wm_ref_make(wm_ref_generation(ref) + 1, wm_ref_slot(ref), wm_ref_polygon(ref));
        CHECK_EQUAL_INT(wm_query_straighten(world.query, start.point, end.point, polygons, count,
                                            WM_CROSSINGS_NONE, 0, &path),
                        WM_OK);
        CHECK_EQUAL_INT(path.state, WM_PATH_PARTIAL);
        CHECK_EQUAL_INT(path.reason, WM_PATH_REASON_BROKEN_CORRIDOR);
        polygons[k + 1] = ref;
        tried++;
      }
    }
    close_world(&world);
  }
  CHECK(tried > 20);
}

static void corridors_cross_links(void) {
  int arrived = 0, crossed = 0;
  for (uint32_t number = 1; number <= CHECK_ROUNDS(40u); number++) {
    World world = open_world(number);
    WmPathCorridor *corridor;
    CHECK_EQUAL_INT(wm_corridor_create(world.context, world.query, &corridor), WM_OK);
    for (int i = 0; i < 10; i++) {
      WmNearest start, end;
      WmCorridor found;
      if (!find_point(&world, &start) || !find_point(&world, &end)) continue;
      CHECK_EQUAL_INT(wm_query_find_corridor(world.query, start.polygon, start.point, end.polygon, end.point,
                                             NULL, &found),
                      WM_OK);
      if (found.state != WM_PATH_COMPLETE) continue;
      CHECK_EQUAL_INT(wm_corridor_reset(corridor, start.polygon, start.point), WM_OK);
      CHECK_EQUAL_INT(wm_corridor_set(corridor, end.point, found.polygons, found.polygon_count), WM_OK);
      WmPath path = {0};
      for (int step = 0; step < 200; step++) {
        CHECK_EQUAL_INT(wm_corridor_optimize_topology(corridor, 32, NULL, NULL), WM_OK);
        CHECK_EQUAL_INT(wm_corridor_find_corners(corridor, 3, &path), WM_OK);
        if (path.point_count == 0) break;
        float corner[3];
        memcpy(corner, path.points, sizeof corner);
        const bool is_entry = path.point_flags[0] & WM_POINT_OFF_MESH;
        const WmRef link = path.point_polygons[0];
        CHECK_EQUAL_INT(wm_corridor_move(corridor, corner, NULL), WM_OK);
        if (!is_entry) continue;
        float from[3], to[3];
        bool moved;
        CHECK_EQUAL_INT(wm_corridor_move_over_connection(corridor, link, from, to, &moved), WM_OK);
        if (moved) CHECK(wm_distance(from, corner) < 0.5f);
        CHECK(wm_corridor_validate_links(corridor));
        crossed += moved;
      }
      arrived += path.point_count == 0;
      CHECK_EQUAL_INT(path.point_count, 0);
    }
    wm_corridor_destroy(corridor);
    close_world(&world);
  }
  printf("%d arrived, %d crossings\n", arrived, crossed);
  CHECK(arrived > 20 && crossed > 10);
}

int main(void) {
  RUN(paths_lead_where_links_do);
  RUN(strings_are_the_shortest_through_their_corridor);
  RUN(every_search_passes_links);
  RUN(fields_and_slices_and_alternatives_pass_links);
  RUN(long_paths_pass_links);
  RUN(strings_end_before_outdated_polygons);
  RUN(corridors_cross_links);
  return check_finish();
}
