/* Every query of a mesh, with random arguments, for tests that run all of them on strange meshes or without
 * memory. Each checks the invariants of all results on all meshes: numbers are finite, references are of the
 * mesh, a failed query has an empty result. */
#ifndef WALKMESH_TESTS_QUERY_QUESTIONS_H
#define WALKMESH_TESTS_QUERY_QUESTIONS_H

#include <math.h>

#include "grid_tiles.h"
#include "lattice.h"
#include "mesh/links/connections.h"
#include "mesh/locate.h"
#include "query/batch.h"
#include "query/corridor/corridor.h"
#include "query/local/raycast.h"
#include "query/local/move.h"
#include "query/local/walls.h"
#include "query/local/overlap.h"
#include "query/local/neighbourhood.h"
#include "query/search/flood.h"
#include "query/search/islands.h"
#include "query/local/random.h"
#include "trace.h"

enum { ASKED_REF_LIMIT = 4096 };

typedef struct Asker {
  WmContext *context;
  const WmMesh *mesh;
  WmQuery *query;
  WmSearch *search;
  WmIslands *islands;
  WmPathCorridor *corridor;
  WmCosts *costs;
  WmFilter filters[2];
  WmRef refs[ASKED_REF_LIMIT]; /* all polygons */
  size_t ref_count;
  float low[3], high[3]; /* bounds of positions */
  float lattice;         /* all numbers are multiples of it (lattice.h); 0: they are arbitrary */
  bool is_traced;        /* results are folded (trace.h) */
  bool overflows;        /* coordinates are so large that distances need not be finite */
  uint32_t seed;
  int answered; /* queries with a result that isn't empty */
} Asker;

/* ---- Invariants of every result ------------------------------------------------------------------------ */

static inline void fold_result(const Asker *asker, const void *bytes, size_t byte_count) {
  if (asker->is_traced) trace_fold(bytes, byte_count);
}

static inline void fold_number(const Asker *asker, uint64_t number) {
  fold_result(asker, &number, sizeof number);
}

static inline void check_finite(const Asker *asker, const float *numbers, size_t count) {
  fold_result(asker, numbers, count * sizeof *numbers);
  for (size_t i = 0; i < count && !asker->overflows; i++) CHECK(isfinite(numbers[i]));
}

static inline void check_refs(const Asker *asker, const WmRef *refs, size_t count) {
  fold_number(asker, count);
  fold_result(asker, refs, count * sizeof *refs);
  for (size_t i = 0; i < count; i++) CHECK(wm_mesh_tile_of(asker->mesh, refs[i]) != NULL);
}

static inline void check_nearest(Asker *asker, WmStatus status, const WmNearest *nearest) {
  check_finite(asker, nearest->point, 3);
  fold_number(asker, nearest->over);
  if (nearest->polygon) check_refs(asker, &nearest->polygon, 1);
  if (status) CHECK(nearest->polygon == 0 && nearest->point[0] == 0 && nearest->point[2] == 0);
  asker->answered += nearest->polygon != 0;
}

static inline void check_path(Asker *asker, WmStatus status, const WmPath *path) {
  if (status)
    CHECK(path->state == WM_PATH_NONE && path->point_count == 0 && !path->points && !path->polygons);
  if (status) return;
  check_finite(asker, path->points, 3 * path->point_count);
  const float sums[3] = {path->cost, path->length, path->remaining};
  check_finite(asker, sums, 3);
  fold_number(asker, (uint64_t)path->state << 32 | (uint64_t)path->reason << 8 | path->cut);
  fold_number(asker, path->searched);
  fold_result(asker, path->point_flags, path->point_count * sizeof *path->point_flags);
  fold_result(asker, path->point_polygons, path->point_count * sizeof *path->point_polygons);
  for (size_t i = 0; i < path->point_count; i++) {
    CHECK(path->point_flags[i] < 8);
    if (path->point_polygons[i]) check_refs(asker, path->point_polygons + i, 1);
  }
  if (path->state == WM_PATH_COMPLETE) CHECK(path->reason == WM_PATH_REASON_NONE);
  asker->answered += path->point_count > 0;
}

static inline void check_corridor_found(Asker *asker, WmStatus status, const WmCorridor *corridor) {
  if (status) {
    CHECK(corridor->state == WM_PATH_NONE && corridor->polygon_count == 0 && !corridor->polygons);
    return;
  }
  check_refs(asker, corridor->polygons, corridor->polygon_count);
  check_finite(asker, &corridor->cost, 1);
  fold_number(asker, (uint64_t)corridor->state << 32 | (uint64_t)corridor->reason);
  fold_number(asker, corridor->searched);
  asker->answered += corridor->polygon_count > 0;
}

/* ---- Arguments ----------------------------------------------------------------------------------------- */

static inline float ask_between(Asker *asker, float low, float high) {
  return snap(low + (high - low) * ((float)(grid_random(&asker->seed) & 0xffff) / 65535.0f), asker->lattice);
}

static inline WmRef ask_ref(Asker *asker) {
  return asker->refs[grid_random(&asker->seed) % asker->ref_count];
}

/* A random position, or one in a polygon, on a corner, or at the midpoint of an edge. */
static inline void ask_position(Asker *asker, WmRef polygon, float position[3]) {
  const WmMeshTile *tile = wm_mesh_tile_of(asker->mesh, polygon);
  const uint32_t kind = grid_random(&asker->seed) % 4, number = wm_ref_polygon(polygon);
  const uint32_t size = tile->polygon_size[number], k = grid_random(&asker->seed) % size;
  const float *first = wm_tile_vertex(tile, number, k), *second = wm_tile_vertex(tile, number, k + 1);
  const float *third = wm_tile_vertex(tile, number, (k + 2) % size);
  const float u = ask_between(asker, 0, 1), v = ask_between(asker, 0, 1);
  for (int axis = 0; axis < 3; axis++) {
    position[axis] = ask_between(asker, asker->low[axis], asker->high[axis]);
    if (kind == 1) position[axis] = first[axis];
    if (kind == 2) position[axis] = first[axis] * 0.5f + second[axis] * 0.5f;
    if (kind == 3) position[axis] = first[axis] * u + (second[axis] * v + third[axis] * (1 - v)) * (1 - u);
  }
}

static inline const WmFilter *ask_filter(Asker *asker) {
  const uint32_t choice = grid_random(&asker->seed) % 3;
  return choice < 2 ? &asker->filters[choice] : NULL;
}

/* A length of any order of magnitude, 0 too. */
static inline float ask_length(Asker *asker) {
  const float all = asker->high[0] - asker->low[0];
  const uint32_t choice = grid_random(&asker->seed) % 8;
  return choice == 0 ? 0 : ask_between(asker, 0, choice == 1 ? all : all * 0.2f);
}

static inline size_t ask_limit(Asker *asker) {
  const uint32_t choice = grid_random(&asker->seed) % 4;
  return choice == 0 ? 1 + grid_random(&asker->seed) % 5 : 0;
}

/* ---- Points -------------------------------------------------------------------------------------------- */

static inline WmStatus ask_find_nearest(Asker *asker) {
  float position[3], extents[3];
  ask_position(asker, ask_ref(asker), position);
  for (int axis = 0; axis < 3; axis++) extents[axis] = ask_length(asker);
  WmNearest nearest;
  const WmStatus status = wm_query_find_nearest(asker->query, position, extents, ask_filter(asker), &nearest);
  check_nearest(asker, status, &nearest);
  return status;
}

static inline WmStatus ask_find_nearest_point(Asker *asker) {
  float position[3];
  ask_position(asker, ask_ref(asker), position);
  WmNearestOptions options = wm_nearest_options_default();
  options.filter = ask_filter(asker);
  for (int axis = 0; axis < 3; axis++) options.half_extents[axis] = ask_length(asker);
  options.radius = grid_random(&asker->seed) & 1 ? ask_length(asker) : 0;
  options.preference = (WmHeightPreference)(grid_random(&asker->seed) % 4);
  WmNearest nearest;
  const WmStatus status = wm_query_find_nearest_point(asker->query, position, &options, &nearest);
  check_nearest(asker, status, &nearest);
  return status;
}

static inline WmStatus ask_closest_points(Asker *asker) {
  float position[3], height;
  const WmRef polygon = ask_ref(asker);
  ask_position(asker, ask_ref(asker), position);
  WmNearest closest;
  bool found;
  WmStatus status = wm_query_closest_point(asker->query, polygon, position, &closest);
  check_nearest(asker, status, &closest);
  if (!status) status = wm_query_closest_boundary_point(asker->query, polygon, position, &closest);
  check_nearest(asker, status, &closest);
  if (!status) status = wm_query_height(asker->query, polygon, position, &height, &found);
  if (!status) check_finite(asker, &height, 1);
  return status;
}

/* ---- Around a point ------------------------------------------------------------------------------------ */

static inline WmStatus ask_raycast(Asker *asker) {
  float from[3], to[3];
  const WmRef start = ask_ref(asker);
  ask_position(asker, start, from);
  ask_position(asker, ask_ref(asker), to);
  WmRay ray;
  const size_t most = ask_limit(asker);
  const WmStatus status =
      wm_query_raycast(asker->query, start, from, to, ask_filter(asker), true, most, &ray);
  if (status) {
    CHECK(ray.polygon_count == 0 && ray.polygons == NULL && ray.polygon == 0);
    return status;
  }
  const float numbers[9] = {ray.t,    ray.point[0],  ray.point[1],  ray.point[2],
                            ray.cost, ray.normal[0], ray.normal[1], ray.normal[2]};
  check_finite(asker, numbers, 9);
  CHECK(ray.t >= 0 && ray.t <= 1);
  CHECK(most == 0 || ray.polygon_count <= most);
  check_refs(asker, ray.polygons, ray.polygon_count);
  check_refs(asker, &ray.polygon, 1);
  asker->answered += ray.polygon_count > 0;
  return status;
}

static inline WmStatus ask_move(Asker *asker) {
  float from[3], to[3];
  const WmRef start = ask_ref(asker);
  ask_position(asker, start, from);
  ask_position(asker, ask_ref(asker), to);
  WmMove move;
  const bool on_surface = grid_random(&asker->seed) & 1;
  const WmStatus status =
      wm_query_move_along_surface(asker->query, start, from, to, ask_filter(asker), on_surface, &move);
  if (status) {
    CHECK(move.polygon == 0 && move.polygon_count == 0 && move.polygons == NULL);
    return status;
  }
  check_finite(asker, move.point, 3);
  check_refs(asker, move.polygons, move.polygon_count);
  CHECK(move.polygon_count > 0 && move.polygons[0] == start);
  CHECK(move.polygon == move.polygons[move.polygon_count - 1]);
  asker->answered++;
  return status;
}

static inline WmStatus ask_walls(Asker *asker) {
  float centre[3];
  const WmRef start = ask_ref(asker);
  ask_position(asker, start, centre);
  const float reach = ask_length(asker);
  WmWall wall;
  WmStatus status = wm_query_distance_to_wall(asker->query, start, centre, reach, ask_filter(asker), &wall);
  if (status) {
    CHECK(!wall.found && wall.polygon == 0 && wall.distance == 0);
    return status;
  }
  check_finite(asker, wall.point, 3);
  check_finite(asker, wall.normal, 3);
  check_finite(asker, wall.segment[0], 6);
  check_finite(asker, &wall.distance, 1);
  fold_number(asker, (uint64_t)wall.found << 32 | wall.edge);
  if (wall.found) check_refs(asker, &wall.polygon, 1);
  WmSegments segments;
  const WmFilter *filter = ask_filter(asker);
  status = wm_query_wall_segments(asker->query, start, filter, grid_random(&asker->seed) & 1, &segments);
  CHECK(!status || (segments.count == 0 && segments.ends == NULL && segments.polygons == NULL));
  for (size_t i = 0; i < segments.count; i++) {
    check_finite(asker, segments.ends[i][0], 6);
    if (segments.polygons[i]) check_refs(asker, segments.polygons + i, 1);
  }
  asker->answered += segments.count > 0;
  return status;
}

static inline void check_polygons(Asker *asker, WmStatus status, const WmPolygons *polygons, size_t most) {
  if (status) CHECK(polygons->count == 0 && polygons->polygons == NULL && polygons->parents == NULL);
  check_refs(asker, polygons->polygons, polygons->count);
  CHECK(most == 0 || polygons->count <= most);
  fold_number(asker, polygons->cut);
  if (polygons->parents) fold_result(asker, polygons->parents, polygons->count * sizeof *polygons->parents);
  for (size_t i = 0; polygons->parents && i < polygons->count; i++) CHECK(polygons->parents[i] <= i);
  asker->answered += polygons->count > 0;
}

static inline WmStatus ask_neighbourhood(Asker *asker) {
  float centre[3];
  const WmRef start = ask_ref(asker);
  ask_position(asker, start, centre);
  const float reach = ask_length(asker);
  const size_t most = ask_limit(asker);
  WmPolygons polygons;
  const WmStatus status =
      wm_query_local_neighbourhood(asker->query, start, centre, reach, ask_filter(asker), most, &polygons);
  check_polygons(asker, status, &polygons, most);
  return status;
}

static inline WmStatus ask_overlap(Asker *asker) {
  float centre[3], extents[3];
  ask_position(asker, ask_ref(asker), centre);
  for (int axis = 0; axis < 3; axis++) extents[axis] = ask_length(asker);
  const size_t most = ask_limit(asker);
  WmPolygons polygons;
  WmStatus status =
      wm_query_polygons_in_box(asker->query, centre, extents, ask_filter(asker), most, &polygons);
  check_polygons(asker, status, &polygons, most);
  if (status) return status;
  status = wm_query_polygons_in_circle(asker->query, centre, extents[0], extents[1], ask_filter(asker), most,
                                       &polygons);
  check_polygons(asker, status, &polygons, most);
  return status;
}

/* A prism over a triangle or a square, in either winding. Far away, or without extent, coordinates may be too
 * coarse for a convex outline: the error names it. */
static inline WmStatus ask_convex(Asker *asker) {
  float at[3];
  ask_position(asker, ask_ref(asker), at);
  const float reach = ask_length(asker), x = at[0], z = at[2];
  float outline[12] = {x, at[1], z, x, 0, z + reach, x + reach, 0, z + reach, x + reach, 0, z};
  const size_t count = 3 + (grid_random(&asker->seed) & 1), most = ask_limit(asker);
  if (grid_random(&asker->seed) & 1) { /* the other winding */
    memcpy(outline + 3, (float[3]){x + reach, 0, z}, 3 * sizeof(float));
    memcpy(outline + 9, (float[3]){x, 0, z + reach}, 3 * sizeof(float));
  }
  WmPolygons polygons;
  const WmStatus status = wm_query_polygons_in_convex(asker->query, outline, count, at[1] - reach,
                                                      at[1] + reach, ask_filter(asker), most, &polygons);
  check_polygons(asker, status, &polygons, most);
  if (status != WM_ERROR_INVALID_ARGUMENT) return status;
  const char *field = wm_context_error(asker->context)->field;
  CHECK(strcmp(field, "vertices") == 0 || strcmp(field, "low") == 0);
  return WM_OK;
}

/* ---- Floods and islands  ------------------------------------------------------------------------------- */

static inline WmStatus ask_flood(Asker *asker) {
  float centre[3];
  const WmRef start = ask_ref(asker);
  ask_position(asker, start, centre);
  WmFloodOptions options = wm_flood_options_default();
  options.filter = ask_filter(asker);
  const float reach = asker->high[0] - asker->low[0], x = centre[0], z = centre[2];
  const float shape[12] = {x, 0, z, x, 0, z + reach, x + reach, 0, z + reach, x + reach, 0, z};
  const uint32_t kind = grid_random(&asker->seed) % 4;
  if (kind == 1) options.radius = ask_length(asker);
  if (kind == 2) options.max_cost = ask_length(asker);
  if (kind == 3 && hypotf(x, z) < 1e6f) {
    options.shape = shape;
    options.shape_count = 4;
  }
  options.max_polygons = ask_limit(asker);
  WmFlood flood;
  const WmStatus status = wm_query_flood(asker->query, start, centre, &options, &flood);
  if (status) CHECK(flood.count == 0 && flood.polygons == NULL && flood.costs == NULL);
  check_refs(asker, flood.polygons, flood.count);
  check_finite(asker, flood.costs, flood.count);
  fold_number(asker, flood.cut);
  fold_result(asker, flood.parents, flood.count * sizeof *flood.parents);
  CHECK(options.max_polygons == 0 || flood.count <= options.max_polygons);
  for (size_t i = 1; i < flood.count; i++)
    CHECK(flood.parents[i] < i && !(flood.costs[i] < flood.costs[i - 1]));
  if (flood.count == 0) return status;
  WmRef way[8];
  const size_t room = grid_random(&asker->seed) % 7;
  for (size_t i = 0; i < 8; i++) way[i] = 77;
  const size_t length = wm_flood_path(&flood, grid_random(&asker->seed) % flood.count, way, room);
  CHECK(length > 0 && way[room] == 77);
  check_refs(asker, way, length < room ? length : room);
  asker->answered++;
  return status;
}

static inline WmStatus ask_random_points(Asker *asker) {
  float centre[3];
  WmRandom random = wm_random_seeded(grid_random(&asker->seed));
  WmRandomOptions options = wm_random_options_default();
  options.filter = ask_filter(asker);
  const uint32_t kind = grid_random(&asker->seed) % 3;
  WmStatus status = WM_OK;
  if (kind == 1) options.area = (int)(grid_random(&asker->seed) % 64);
  if (kind == 2) {
    status = wm_islands_update(asker->islands, options.filter);
    options.islands = asker->islands;
    options.island = wm_islands_count(asker->islands) > 0;
  }
  WmNearest point = {0};
  if (!status) status = wm_query_random_point(asker->query, &random, &options, &point);
  check_nearest(asker, status, &point);
  if (status) return status;
  const WmRef start = ask_ref(asker);
  ask_position(asker, start, centre);
  const float reach = ask_length(asker);
  status =
      wm_query_random_point_around(asker->query, &random, start, centre, reach, ask_filter(asker), &point);
  check_nearest(asker, status, &point);
  return status;
}

static inline WmStatus ask_islands(Asker *asker) {
  const WmFilter *filter = ask_filter(asker);
  const WmStatus status = wm_islands_update(asker->islands, filter);
  if (status) {
    CHECK(!wm_islands_are_current(asker->islands, filter));
    return status;
  }
  CHECK(wm_islands_are_current(asker->islands, filter));
  const uint32_t island = wm_islands_of(asker->islands, ask_ref(asker));
  const float area = wm_islands_area(asker->islands, island);
  CHECK(island <= wm_islands_count(asker->islands));
  check_finite(asker, &area, 1);
  fold_number(asker, island);
  asker->answered += island != 0;
  return status;
}

/* ---- Paths --------------------------------------------------------------------------------------------- */

static inline WmSearchOptions ask_search_options(Asker *asker) {
  WmSearchOptions options = wm_search_options_default();
  options.filter = ask_filter(asker);
  options.max_nodes = ask_limit(asker);
  options.any_angle = grid_random(&asker->seed) % 4 == 0;
  options.shortest = asker->seed >> 30 == 0;
  if ((asker->seed >> 28 & 3) == 1) options.wall_distance = ask_length(asker);
  if (grid_random(&asker->seed) & 1) options.ray_limit = ask_length(asker);
  return options;
}

static inline WmStatus ask_corridor(Asker *asker) {
  float from[3], to[3];
  const WmRef start = ask_ref(asker), end = ask_ref(asker);
  ask_position(asker, start, from);
  ask_position(asker, end, to);
  const WmSearchOptions options = ask_search_options(asker);
  WmCorridor corridor;
  WmStatus status = wm_query_find_corridor(asker->query, start, from, end, to, &options, &corridor);
  check_corridor_found(asker, status, &corridor);
  if (status) return status;
  CHECK(corridor.polygons[0] == start);
  WmPath path;
  const WmCrossings crossings = (WmCrossings)(grid_random(&asker->seed) % 3);
  status = wm_query_straighten(asker->query, from, to, corridor.polygons, corridor.polygon_count, crossings,
                               ask_limit(asker), &path);
  check_path(asker, status, &path);
  if (!status) CHECK(path.reason != WM_PATH_REASON_BROKEN_CORRIDOR);
  return status;
}

static inline WmStatus ask_search(Asker *asker) {
  float from[3], to[3];
  const WmRef start = ask_ref(asker), end = ask_ref(asker);
  ask_position(asker, start, from);
  ask_position(asker, end, to);
  const WmSearchOptions options = ask_search_options(asker);
  bool done = false;
  WmCorridor found;
  WmStatus status = wm_search_begin(asker->search, start, from, end, to, &options);
  const uint32_t slices = grid_random(&asker->seed) % 20;
  for (uint32_t i = 0; i < slices && !done && !status; i++) {
    size_t used;
    status = wm_search_advance(asker->search, 1 + i, &done, &used);
    CHECK(used <= 1 + i);
    fold_number(asker, used);
  }
  if (status) return status;
  status = wm_search_finish(asker->search, &found);
  check_corridor_found(asker, status, &found);
  if (status) return status;
  status = wm_search_finish_along(asker->search, &end, 1, &found);
  check_corridor_found(asker, status, &found);
  return status;
}

static inline WmStatus ask_path(Asker *asker) {
  float from[3], to[3];
  ask_position(asker, ask_ref(asker), from);
  ask_position(asker, ask_ref(asker), to);
  WmPathOptions options = wm_path_options_default();
  options.search = ask_search_options(asker);
  options.crossings = (WmCrossings)(grid_random(&asker->seed) % 3);
  options.max_points = ask_limit(asker);
  if (grid_random(&asker->seed) & 1) options.islands = asker->islands;
  for (int axis = 0; axis < 3; axis++) options.half_extents[axis] = ask_length(asker);
  WmPath path;
  WmStatus status = wm_query_find_path(asker->query, from, to, &options, &path);
  check_path(asker, status, &path);
  CHECK(options.max_points == 0 || path.point_count <= options.max_points);
  if (status) return status;
  const float step = (asker->high[0] - asker->low[0]) * ask_between(asker, 0.001f, 0.3f);
  status = wm_query_find_smooth_path(asker->query, from, to, step, &options, &path);
  if (status == WM_ERROR_LIMIT) return WM_OK; /* a vertex far away */
  check_path(asker, status, &path);
  CHECK(options.max_points == 0 || path.point_count <= options.max_points);
  return status;
}

/* The corridor of an agent that is pushed around. */
static inline WmStatus ask_agent(Asker *asker) {
  float from[3], to[3];
  WmPathCorridor *corridor = asker->corridor;
  const WmRef start = ask_ref(asker), end = ask_ref(asker);
  ask_position(asker, start, from);
  ask_position(asker, end, to);
  const WmFilter *filter = ask_filter(asker);
  WmCorridor found = {0};
  WmStatus status = wm_corridor_reset(corridor, start, from);
  if (!status) status = wm_query_find_corridor(asker->query, start, from, end, to, NULL, &found);
  if (!status) status = wm_corridor_set(corridor, to, found.polygons, found.polygon_count);
  for (int i = 0; i < 8 && !status; i++) {
    WmCorridorState state;
    wm_corridor_state(corridor, &state);
    CHECK(state.polygon_count > 0);
    check_refs(asker, state.polygons, state.polygon_count);
    check_finite(asker, state.position, 3);
    check_finite(asker, state.target, 3);
    WmPath corners;
    status = wm_corridor_find_corners(corridor, 1 + grid_random(&asker->seed) % 4, &corners);
    check_path(asker, status, &corners);
    if (status) break;
    memcpy(to, state.target, sizeof to);
    if (corners.point_count > 0) memcpy(to, corners.points + 3 * (corners.point_count - 1), sizeof to);
    WmRef connection = corners.point_count > 0 ? corners.point_polygons[corners.point_count - 1] : 0;
    if (i == 6) ask_position(asker, ask_ref(asker), to);
    bool flag = false;
    float reach = ask_length(asker);
    if (!isfinite(reach)) reach = 0;
    if (i == 1) status = wm_corridor_optimize_topology(corridor, 32, filter, &flag);
    if (!isfinite(to[0]) || !isfinite(to[1]) || !isfinite(to[2])) return status; /* overflow */
    if (i % 3 == 2) status = wm_corridor_optimize_visibility(corridor, to, reach, filter, &flag);
    fold_number(asker, flag);
    if (!status && i == 3) status = wm_corridor_move_target(corridor, to, filter);
    if (!status && i == 5) status = wm_corridor_trim(corridor, start, from, filter);
    if (!status && i % 2 == 0) status = wm_corridor_move(corridor, to, filter);
    if (status || i != 7 || !connection) continue;
    const WmMeshTile *tile = wm_mesh_tile_of(asker->mesh, connection);
    if (wm_ref_polygon(connection) < tile->ground_count) continue;
    status = wm_corridor_move_over_connection(corridor, connection, from, to, &flag);
    fold_number(asker, flag);
  }
  return status;
}

/* ---- Many at once -------------------------------------------------------------------------------------- */

enum { BATCH_ROWS = 6, BATCH_GUARD = 77 };

/* Arrays of a batch, each with a row behind its end that must not change. */
typedef struct Batch {
  WmRef polygons[BATCH_ROWS + 1], found[BATCH_ROWS + 1];
  float from[3 * BATCH_ROWS + 3], to[3 * BATCH_ROWS + 3];
  float points[3 * BATCH_ROWS + 3], normals[3 * BATCH_ROWS + 3], numbers[3][BATCH_ROWS + 1];
  uint8_t bytes[2][BATCH_ROWS + 1], statuses[BATCH_ROWS + 1];
  uint32_t path_starts[BATCH_ROWS + 2];
} Batch;

static inline void fill_batch(Asker *asker, Batch *batch, size_t rows) {
  memset(batch, BATCH_GUARD, sizeof *batch);
  for (size_t i = 0; i < rows; i++) {
    batch->polygons[i] = ask_ref(asker);
    ask_position(asker, batch->polygons[i], batch->from + 3 * i);
    ask_position(asker, ask_ref(asker), batch->to + 3 * i);
  }
}

/* The row behind `rows` is unchanged, rows that failed are zeroed. Returns the status of a row that failed
 * for lack of memory, or for a reason that isn't allowed. */
static inline WmStatus check_batch(Asker *asker, const Batch *batch, size_t rows, WmStatus status) {
  static const uint8_t GUARD[3 * sizeof(float)] = {BATCH_GUARD, BATCH_GUARD, BATCH_GUARD, BATCH_GUARD,
                                                   BATCH_GUARD, BATCH_GUARD, BATCH_GUARD, BATCH_GUARD,
                                                   BATCH_GUARD, BATCH_GUARD, BATCH_GUARD, BATCH_GUARD};
  CHECK(memcmp(batch->polygons + rows, GUARD, 8) == 0 && memcmp(batch->found + rows, GUARD, 8) == 0);
  CHECK(memcmp(batch->from + 3 * rows, GUARD, 12) == 0 && memcmp(batch->points + 3 * rows, GUARD, 12) == 0);
  CHECK(memcmp(batch->normals + 3 * rows, GUARD, 12) == 0);
  for (int i = 0; i < 3; i++) CHECK(memcmp(batch->numbers[i] + rows, GUARD, 4) == 0);
  for (int i = 0; i < 2; i++) CHECK(batch->bytes[i][rows] == BATCH_GUARD);
  CHECK(batch->statuses[rows] == BATCH_GUARD && memcmp(batch->path_starts + rows + 1, GUARD, 4) == 0);
  fold_result(asker, batch, sizeof *batch);
  for (size_t i = 0; i < rows && !status; i++) {
    if (batch->statuses[i] == BATCH_GUARD) continue; /* a batch without it */
    asker->answered += batch->statuses[i] == WM_OK;
    const bool may_fail = asker->overflows && batch->statuses[i] == WM_ERROR_INVALID_ARGUMENT;
    if (batch->statuses[i] && !may_fail) return (WmStatus)batch->statuses[i];
  }
  return status;
}

static inline WmStatus ask_local_batches(Asker *asker) {
  Batch batch;
  const size_t rows = grid_random(&asker->seed) % (BATCH_ROWS + 1);
  const WmFilter *filter = ask_filter(asker);
  WmNearestOptions options = wm_nearest_options_default();
  options.filter = filter;
  for (int axis = 0; axis < 3; axis++) options.half_extents[axis] = ask_length(asker);
  fill_batch(asker, &batch, rows);
  WmStatus status = wm_query_find_nearest_batch(asker->query, rows, batch.from, &options, batch.found,
                                                batch.points, batch.bytes[0], batch.statuses);
  status = check_batch(asker, &batch, rows, status);
  if (status) return status;
  for (size_t i = 0; i < rows; i++) {
    if (batch.found[i]) check_refs(asker, batch.found + i, 1);
  }
  check_finite(asker, batch.points, 3 * rows);
  fill_batch(asker, &batch, rows);
  status = wm_query_raycast_batch(asker->query, rows, batch.polygons, batch.from, batch.to, filter, true,
                                  batch.numbers[0], batch.points, batch.normals, batch.found, batch.statuses);
  status = check_batch(asker, &batch, rows, status);
  if (status) return status;
  check_finite(asker, batch.numbers[0], rows);
  fill_batch(asker, &batch, rows);
  status = wm_query_height_batch(asker->query, rows, batch.polygons, batch.from, batch.numbers[0],
                                 batch.bytes[0], batch.statuses);
  status = check_batch(asker, &batch, rows, status);
  if (status) return status;
  check_finite(asker, batch.numbers[0], rows);
  status =
      wm_query_distance_to_wall_batch(asker->query, rows, batch.polygons, batch.from, ask_length(asker),
                                      filter, batch.numbers[0], batch.points, batch.normals, batch.statuses);
  status = check_batch(asker, &batch, rows, status);
  if (status) return status;
  check_finite(asker, batch.points, 3 * rows);
  status = wm_query_move_batch(asker->query, rows, batch.polygons, batch.from, batch.to, filter,
                               grid_random(&asker->seed) & 1, batch.statuses);
  status = check_batch(asker, &batch, rows, status);
  for (size_t i = 0; i < rows && !status && !batch.statuses[i]; i++) check_refs(asker, batch.polygons + i, 1);
  check_finite(asker, batch.from, 3 * rows);
  return status;
}

static inline WmStatus ask_path_batches(Asker *asker) {
  Batch batch;
  const size_t rows = grid_random(&asker->seed) % (BATCH_ROWS + 1);
  WmRandom random = wm_random_seeded(grid_random(&asker->seed));
  WmRandomOptions random_options = wm_random_options_default();
  random_options.filter = ask_filter(asker);
  fill_batch(asker, &batch, rows);
  WmStatus status =
      wm_query_random_point_batch(asker->query, rows, &random, &random_options, batch.found, batch.points);
  status = check_batch(asker, &batch, rows, status);
  if (status) return status;
  check_finite(asker, batch.points, 3 * rows);
  WmPathOptions options = wm_path_options_default();
  options.search = ask_search_options(asker);
  options.crossings = (WmCrossings)(grid_random(&asker->seed) % 3);
  options.max_points = ask_limit(asker);
  if (grid_random(&asker->seed) & 1) options.islands = asker->islands;
  const float *points = NULL;
  status = wm_query_find_path_batch(asker->query, rows, batch.from, batch.to, &options, batch.bytes[0],
                                    batch.bytes[1], batch.numbers[0], batch.numbers[1], batch.numbers[2],
                                    batch.path_starts, &points, batch.statuses);
  status = check_batch(asker, &batch, rows, status);
  if (status) return status;
  CHECK_EQUAL_INT(batch.path_starts[0], 0);
  for (size_t i = 0; i < rows; i++) CHECK(batch.path_starts[i + 1] >= batch.path_starts[i]);
  for (int i = 0; i < 3; i++) check_finite(asker, batch.numbers[i], rows);
  check_finite(asker, points, 3 * (size_t)batch.path_starts[rows]);
  return status;
}

/* ---- All of them --------------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  WmStatus (*ask)(Asker *asker);
} QUESTIONS[] = {
    {"nearest", ask_find_nearest},
    {"nearest point", ask_find_nearest_point},
    {"closest", ask_closest_points},
    {"raycast", ask_raycast},
    {"move", ask_move},
    {"walls", ask_walls},
    {"around", ask_neighbourhood},
    {"overlap", ask_overlap},
    {"flood", ask_flood},
    {"random", ask_random_points},
    {"islands", ask_islands},
    {"corridor", ask_corridor},
    {"search", ask_search},
    {"path", ask_path},
    {"agent", ask_agent},
    {"convex", ask_convex},
    {"local batches", ask_local_batches},
    {"path batches", ask_path_batches},
};
enum { QUESTION_COUNT = sizeof QUESTIONS / sizeof *QUESTIONS };

static inline void close_asker(Asker *asker) {
  wm_corridor_destroy(asker->corridor);
  wm_islands_destroy(asker->islands);
  wm_search_destroy(asker->search);
  wm_query_destroy(asker->query);
  wm_costs_destroy(asker->costs);
}

/* Makes the objects that queries need, and lists all polygons. On failure nothing is left. */
static inline WmStatus open_asker(Asker *asker, WmContext *context, const WmMesh *mesh) {
  *asker = (Asker){.context = context, .mesh = mesh, .low = {-2, -2, -2}, .high = {26, 6, 26}};
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (uint32_t p = 0; tile && p < tile->polygon_count && asker->ref_count < ASKED_REF_LIMIT; p++) {
      asker->refs[asker->ref_count++] = tile->ref + p;
    }
  }
  WmStatus status = wm_query_create(context, mesh, &asker->query);
  if (!status) status = wm_search_create(context, mesh, &asker->search);
  if (!status) status = wm_islands_create(context, mesh, &asker->islands);
  if (!status) status = wm_corridor_create(context, asker->query, &asker->corridor);
  if (!status) status = wm_costs_create(context, mesh, &asker->costs);
  asker->filters[0] = asker->filters[1] = wm_filter_default();
  asker->filters[0].exclude_flags = 2;
  asker->filters[1].costs = asker->costs;
  for (int i = 0; i < 64; i++) asker->filters[1].area_costs[i] = (float)(i % 7) * 0.5f;
  for (size_t i = 0; i < asker->ref_count && !status; i += 3) {
    const float factor = (float)(i % 5) * 0.4f;
    status = wm_costs_set(asker->costs, asker->refs + i, &factor, 1);
  }
  if (status) close_asker(asker);
  return status;
}

#endif
