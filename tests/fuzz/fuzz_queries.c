/* Queries with any arguments on any mesh (hostile.h). The input is a mesh, then a program of queries, one
 * after the other with one query object. Invalid arguments are refused with a message and an empty result;
 * results have valid polygons and finite numbers; queries after a refusal give the same results as without
 * it. Unlike in questions.c, no argument is made valid first. */
#include <math.h>

#include "base/content_hash.h"
#include "hostile.h"
#include "query/alternatives/alternatives.h"
#include "query/batch.h"
#include "query/local/ray_walk.h"
#include "query/local/raycast.h"
#include "query/local/move.h"
#include "query/local/walls.h"
#include "query/local/overlap.h"
#include "query/local/neighbourhood.h"
#include "query/search/flood.h"
#include "query/search/islands.h"
#include "query/trace.h"
#include "query/local/random.h"

enum { MOST_QUESTIONS = 32, ROWS = 3, OUTLINE = 5 };

typedef struct Asking {
  Hostile hostile;
  WmQuery *query;
  WmIslands *islands;
  WmFilter room;
} Asking;

static uint8_t draw(Asking *asking) { return fuzz_byte(&asking->hostile.input); }

static void require_nearest(const Asking *asking, WmStatus status, const WmNearest *nearest) {
  fuzz_require_status(&asking->hostile, status);
  FUZZ_REQUIRE(!status || nearest->polygon == 0);
  if (nearest->polygon) fuzz_require_live(&asking->hostile, nearest->polygon);
  FUZZ_REQUIRE(fuzz_are_finite(nearest->point, 3));
}

static void require_polygons(const Asking *asking, WmStatus status, const WmRef *polygons, size_t count) {
  fuzz_require_status(&asking->hostile, status);
  FUZZ_REQUIRE(!status || count == 0);
  for (size_t i = 0; i < count; i++) fuzz_require_live(&asking->hostile, polygons[i]);
}

/* ---- Points ---------------------------------------------------------------------------------------- */

static void ask_nearest(Asking *asking) {
  Hostile *hostile = &asking->hostile;
  float at[3], half_extents[3];
  WmNearest nearest;
  fuzz_place(hostile, at);
  for (int axis = 0; axis < 3; axis++) half_extents[axis] = fuzz_length(hostile);
  const WmFilter *filter = fuzz_filter(hostile, &asking->room);
  memset(&nearest, 0x55, sizeof nearest);
  WmStatus status = wm_query_find_nearest(asking->query, at, half_extents, filter, &nearest);
  require_nearest(asking, status, &nearest);
  WmNearestOptions options = wm_nearest_options_default();
  options.filter = filter;
  options.radius = fuzz_length(hostile);
  options.preference = (WmHeightPreference)(draw(asking) % 5);
  if (draw(asking) & 1) memcpy(options.half_extents, half_extents, sizeof half_extents);
  memset(&nearest, 0x55, sizeof nearest);
  status = wm_query_find_nearest_point(asking->query, at, draw(asking) < 16 ? NULL : &options, &nearest);
  require_nearest(asking, status, &nearest);
}

static void ask_polygon(Asking *asking) {
  Hostile *hostile = &asking->hostile;
  float at[3], elsewhere[3], height = NAN;
  bool found = true;
  WmNearest nearest;
  const WmRef ref = fuzz_ref(hostile, at);
  if (draw(asking) & 1)
    fuzz_place(hostile, elsewhere);
  else
    memcpy(elsewhere, at, sizeof at);
  memset(&nearest, 0x55, sizeof nearest);
  WmStatus status = wm_query_closest_point(asking->query, ref, elsewhere, &nearest);
  require_nearest(asking, status, &nearest);
  FUZZ_REQUIRE(status || nearest.polygon == ref);
  memset(&nearest, 0x55, sizeof nearest);
  status = wm_query_closest_boundary_point(asking->query, ref, elsewhere, &nearest);
  require_nearest(asking, status, &nearest);
  status = wm_query_height(asking->query, ref, elsewhere, &height, &found);
  fuzz_require_status(hostile, status);
  FUZZ_REQUIRE(isfinite(height) && (!status || (!found && height == 0)));
}

/* ---- Local queries --------------------------------------------------------------------------------- */

static void ask_ray(Asking *asking) {
  Hostile *hostile = &asking->hostile;
  float from[3], to[3];
  const WmRef ref = fuzz_ref(hostile, from);
  fuzz_place(hostile, to);
  WmRay ray;
  memset(&ray, 0x55, sizeof ray);
  const WmStatus status = wm_query_raycast(asking->query, ref, from, to, fuzz_filter(hostile, &asking->room),
                                           draw(asking) & 1, draw(asking) % 5, &ray);
  require_polygons(asking, status, ray.polygons, ray.polygon_count);
  FUZZ_REQUIRE(ray.t >= 0 && ray.t <= 1 && fuzz_are_finite(ray.point, 3) && fuzz_are_finite(ray.normal, 3));
  if (!status) fuzz_require_live(hostile, ray.polygon);
}

static void ask_move(Asking *asking) {
  Hostile *hostile = &asking->hostile;
  float from[3], to[3];
  const WmRef ref = fuzz_ref(hostile, from);
  fuzz_place(hostile, to);
  WmMove move;
  memset(&move, 0x55, sizeof move);
  const WmStatus status = wm_query_move_along_surface(
      asking->query, ref, from, to, fuzz_filter(hostile, &asking->room), draw(asking) & 1, &move);
  require_polygons(asking, status, move.polygons, move.polygon_count);
  FUZZ_REQUIRE(fuzz_are_finite(move.point, 3));
  if (!status) fuzz_require_live(hostile, move.polygon);
}

static void ask_walls(Asking *asking) {
  Hostile *hostile = &asking->hostile;
  float at[3];
  const WmRef ref = fuzz_ref(hostile, at);
  const float distance = fuzz_length(hostile);
  const WmFilter *filter = fuzz_filter(hostile, &asking->room);
  WmWall wall;
  WmSegments segments;
  memset(&wall, 0x55, sizeof wall);
  WmStatus status = wm_query_distance_to_wall(asking->query, ref, at, distance, filter, &wall);
  fuzz_require_status(hostile, status);
  FUZZ_REQUIRE(wall.distance >= 0 && fuzz_are_finite(wall.point, 3) && fuzz_are_finite(wall.normal, 3));
  FUZZ_REQUIRE(!status || !wall.found);
  memset(&segments, 0x55, sizeof segments);
  status = wm_query_wall_segments(asking->query, ref, filter, draw(asking) & 1, &segments);
  fuzz_require_status(hostile, status);
  FUZZ_REQUIRE(!status || segments.count == 0);
  for (size_t i = 0; i < segments.count; i++) FUZZ_REQUIRE(fuzz_are_finite(segments.ends[i][0], 6));
}

static void ask_neighbourhood(Asking *asking) {
  Hostile *hostile = &asking->hostile;
  float at[3];
  const WmRef ref = fuzz_ref(hostile, at);
  const float radius = fuzz_length(hostile);
  WmPolygons polygons;
  memset(&polygons, 0x55, sizeof polygons);
  const WmStatus status = wm_query_local_neighbourhood(
      asking->query, ref, at, radius, fuzz_filter(hostile, &asking->room), draw(asking) % 20, &polygons);
  require_polygons(asking, status, polygons.polygons, polygons.count);
}

static size_t invent_outline(Asking *asking, float outline[OUTLINE][3]) {
  const uint8_t kind = draw(asking);
  fuzz_place(&asking->hostile, outline[0]);
  for (int i = 1; i < OUTLINE; i++) {
    static const float AROUND[OUTLINE][2] = {{0, 0}, {3, 0}, {5, 2}, {3, 4}, {0, 4}};
    if (kind < 32) {
      fuzz_place(&asking->hostile, outline[i]);
      continue;
    }
    outline[i][0] = outline[0][0] + AROUND[i][0] * (float)(1 + kind % 8) * 0.3f;
    outline[i][1] = outline[0][1];
    outline[i][2] = outline[0][2] + AROUND[i][1] * (float)(1 + kind % 8) * 0.3f;
  }
  return kind == 255 ? 2 : 3 + kind % (OUTLINE - 2);
}

static void ask_overlap(Asking *asking) {
  Hostile *hostile = &asking->hostile;
  float at[3], half_extents[3], outline[OUTLINE][3];
  WmPolygons polygons;
  fuzz_place(hostile, at);
  for (int axis = 0; axis < 3; axis++) half_extents[axis] = fuzz_length(hostile);
  const WmFilter *filter = draw(asking) & 1 ? &WM_EVERY_POLYGON : fuzz_filter(hostile, &asking->room);
  const size_t most = draw(asking) % 9;
  memset(&polygons, 0x55, sizeof polygons);
  WmStatus status = wm_query_polygons_in_box(asking->query, at, half_extents, filter, most, &polygons);
  require_polygons(asking, status, polygons.polygons, polygons.count);
  memset(&polygons, 0x55, sizeof polygons);
  status = wm_query_polygons_in_circle(asking->query, at, half_extents[0], half_extents[1], filter, most,
                                       &polygons);
  require_polygons(asking, status, polygons.polygons, polygons.count);
  const size_t corners = invent_outline(asking, outline);
  memset(&polygons, 0x55, sizeof polygons);
  status = wm_query_polygons_in_convex(asking->query, outline[0], corners, at[1] - half_extents[1],
                                       at[1] + half_extents[2], filter, most, &polygons);
  require_polygons(asking, status, polygons.polygons, polygons.count);
}

/* ---- Floods and islands ---------------------------------------------------------------------------- */

static void ask_flood(Asking *asking) {
  Hostile *hostile = &asking->hostile;
  float at[3], outline[OUTLINE][3];
  const WmRef ref = fuzz_ref(hostile, at);
  WmFloodOptions options = wm_flood_options_default();
  options.filter = fuzz_filter(hostile, &asking->room);
  const uint8_t what = draw(asking);
  if (what & 1) options.max_cost = fuzz_length(hostile);
  if (what & 2) options.radius = fuzz_length(hostile);
  if (what & 4) options.shape = outline[0];
  if (what & 4) options.shape_count = invent_outline(asking, outline);
  options.max_polygons = what >> 4;
  WmFlood flood;
  memset(&flood, 0x55, sizeof flood);
  const WmStatus status = wm_query_flood(asking->query, ref, at, &options, &flood);
  require_polygons(asking, status, flood.polygons, flood.count);
  WmRef path[3];
  for (size_t i = 0; i < flood.count; i++) {
    FUZZ_REQUIRE(i == 0 || (flood.parents[i] < i && flood.costs[i] >= flood.costs[i - 1]));
    FUZZ_REQUIRE(wm_flood_path(&flood, i, path, draw(asking) % 4) > 0);
  }
}

static void ask_random(Asking *asking) {
  Hostile *hostile = &asking->hostile;
  float at[3];
  const WmRef ref = fuzz_ref(hostile, at);
  WmRandom random = wm_random_seeded(draw(asking));
  FUZZ_REQUIRE(wm_random_next(&random) < 1);
  WmRandomOptions options = wm_random_options_default();
  options.filter = fuzz_filter(hostile, &asking->room);
  options.area = draw(asking) % 67 - 2;
  if (draw(asking) & 1) options.islands = asking->islands;
  options.island = draw(asking) % 4;
  WmNearest nearest;
  memset(&nearest, 0x55, sizeof nearest);
  require_nearest(asking, wm_query_random_point(asking->query, &random, &options, &nearest), &nearest);
  const float radius = fuzz_length(hostile);
  memset(&nearest, 0x55, sizeof nearest);
  const WmStatus status = wm_query_random_point_around(asking->query, &random, ref, at, radius,
                                                       fuzz_filter(hostile, &asking->room), &nearest);
  require_nearest(asking, status, &nearest);
  WmRef found[ROWS] = {0};
  float points[3 * ROWS] = {0};
  fuzz_require_status(hostile,
                      wm_query_random_point_batch(asking->query, ROWS, &random, &options, found, points));
  for (int i = 0; i < ROWS; i++) {
    if (found[i]) fuzz_require_live(hostile, found[i]);
  }
}

static void ask_islands(Asking *asking) {
  Hostile *hostile = &asking->hostile;
  float at[3];
  WmFilter room;
  const WmFilter *filter = fuzz_filter(hostile, &room);
  const WmStatus status = wm_islands_update(asking->islands, filter);
  fuzz_require_status(hostile, status);
  if (!status) FUZZ_REQUIRE(wm_islands_are_current(asking->islands, filter));
  const uint32_t island = wm_islands_of(asking->islands, fuzz_ref(hostile, at));
  FUZZ_REQUIRE(island <= wm_islands_count(asking->islands));
  FUZZ_REQUIRE(!isnan(wm_islands_area(asking->islands, island)));
  FUZZ_REQUIRE(wm_islands_area(asking->islands, UINT32_MAX) == 0);
  const WmNearest point = wm_islands_point(asking->islands, island);
  FUZZ_REQUIRE(!point.polygon || wm_islands_of(asking->islands, point.polygon) == island);
  FUZZ_REQUIRE(!wm_islands_point(asking->islands, UINT32_MAX).polygon);
}

/* Factors: all are set or none. */
static void set_costs(Asking *asking) {
  Hostile *hostile = &asking->hostile;
  WmRef refs[3];
  float factors[3], at[3];
  for (int i = 0; i < 3; i++) {
    refs[i] = fuzz_ref(hostile, at);
    factors[i] = fuzz_length(hostile);
  }
  fuzz_require_status(hostile, wm_costs_set(hostile->costs, refs, factors, draw(asking) % 4));
  FUZZ_REQUIRE(wm_costs_least(hostile->costs) >= 0 && wm_costs_least(hostile->costs) <= 1);
  const WmMeshTile *tile = wm_mesh_tile_of(hostile->mesh, refs[0]);
  if (tile) (void)wm_costs_of(hostile->costs, tile);
  if (draw(asking) < 16) wm_costs_clear(hostile->costs);
}

/* ---- Paths -------------------------------------------------------------------------------------------- */

/* A hash of a path's numbers and arrays. */
static uint64_t hash_path(const WmPath *path) {
  WmContentHash hash = wm_content_hash_start();
  const float numbers[3] = {path->cost, path->length, path->remaining};
  const uint32_t counts[3] = {(uint32_t)path->state, (uint32_t)path->reason, (uint32_t)path->searched};
  wm_content_hash_words(&hash, numbers, 3);
  wm_content_hash_words(&hash, counts, 3);
  wm_content_hash_words(&hash, path->points, 3 * path->point_count);
  wm_content_hash_words(&hash, path->polygons, 2 * path->polygon_count);
  wm_content_hash_finish(&hash);
  return hash.lanes[0];
}

static void require_path(const Asking *asking, WmStatus status, const WmPath *path) {
  require_polygons(asking, status, path->polygons, path->polygon_count);
  FUZZ_REQUIRE(!status || path->point_count == 0);
  FUZZ_REQUIRE(fuzz_are_finite(path->points, 3 * path->point_count));
  FUZZ_REQUIRE(path->length >= 0 && path->remaining >= 0);
}

static WmSearchOptions invent_search(Asking *asking) {
  WmSearchOptions options = wm_search_options_default();
  options.filter = fuzz_filter(&asking->hostile, &asking->room);
  const uint8_t what = draw(asking);
  options.max_nodes = what & 1 ? what >> 4 : 0;
  options.any_angle = what & 2;
  options.shortest = what & 8;
  if (what & 16) options.wall_distance = fuzz_length(&asking->hostile);
  if (what & 32) options.wall_cost = fuzz_length(&asking->hostile);
  if (what & 4) options.ray_limit = fuzz_length(&asking->hostile);
  return options;
}

/* Every event of a trace is about polygons of the mesh, and a refused link leads to its target. */
static void require_event(void *user, const WmTraceEvent *event) {
  const Asking *asking = user;
  const WmMesh *mesh = asking->hostile.mesh;
  fuzz_require_live(&asking->hostile, event->polygon);
  FUZZ_REQUIRE(event->kind <= WM_TRACE_LIMITED && (event->kind == WM_TRACE_EXPANDED) == (event->target == 0));
  if (event->kind == WM_TRACE_EXPANDED) return;
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, event->polygon);
  const uint32_t *first = tile->link_first + wm_ref_polygon(event->polygon);
  FUZZ_REQUIRE(event->link >= first[0] && event->link < first[1]);
  const WmLink *link = tile->links + event->link;
  FUZZ_REQUIRE(event->target == wm_mesh_tile(mesh, link->slot)->ref + link->polygon);
}

/* The same path with a sink has the same bits. */
static void require_traced(Asking *asking, const float from[3], const float to[3],
                           const WmPathOptions *options, WmStatus status, const WmPath *plain) {
  const uint64_t before = hash_path(plain);
  const WmTraceSink sink = {require_event, asking};
  WmPath path;
  memset(&path, 0x55, sizeof path);
  wm_query_trace(asking->query, &sink);
  FUZZ_REQUIRE(wm_query_find_path(asking->query, from, to, options, &path) == status);
  wm_query_trace(asking->query, NULL);
  FUZZ_REQUIRE(hash_path(&path) == before);
}

static void ask_path(Asking *asking) {
  Hostile *hostile = &asking->hostile;
  float from[3], to[3];
  fuzz_place(hostile, from);
  fuzz_place(hostile, to);
  WmPathOptions options = wm_path_options_default();
  options.search = invent_search(asking);
  options.crossings = (WmCrossings)(draw(asking) % 4);
  options.max_points = draw(asking) % 16;
  if (draw(asking) & 1) options.islands = asking->islands;
  for (int axis = 0; axis < 3; axis++) options.half_extents[axis] = fuzz_length(hostile);
  WmPath path;
  memset(&path, 0x55, sizeof path);
  WmStatus status = wm_query_find_path(asking->query, from, to, &options, &path);
  require_path(asking, status, &path);
  require_traced(asking, from, to, &options, status, &path);
  float step = fuzz_length(hostile);
  if (step < 0.05f) step = 0.05f; /* shorter ones test as much, and longer ones take longer */
  memset(&path, 0x55, sizeof path);
  status = wm_query_find_smooth_path(asking->query, from, to, step, &options, &path);
  require_path(asking, status, &path);
  FUZZ_REQUIRE(!options.max_points || path.point_count <= options.max_points);
}

static void ask_alternatives(Asking *asking) {
  Hostile *hostile = &asking->hostile;
  float from[3], to[3];
  fuzz_place(hostile, from);
  fuzz_place(hostile, to);
  WmAlternativeOptions options = wm_alternative_options_default();
  options.path.search = invent_search(asking);
  options.path.max_points = draw(asking) % 16;
  options.count = draw(asking) % 8;
  options.difference = (float)draw(asking) / 200;
  options.max_length = (float)draw(asking) / 50;
  WmAlternatives found;
  memset(&found, 0x55, sizeof found);
  const WmStatus status = wm_query_find_alternatives(asking->query, from, to, &options, &found);
  FUZZ_REQUIRE(status ? found.count == 0 : found.count >= 1 && found.count <= options.count);
  for (size_t i = 0; i < found.count; i++) require_path(asking, status, &found.paths[i]);
}

static void ask_corridor(Asking *asking) {
  Hostile *hostile = &asking->hostile;
  float from[3], to[3];
  const WmRef start = fuzz_ref(hostile, from), end = fuzz_ref(hostile, to);
  const WmSearchOptions options = invent_search(asking);
  WmCorridor corridor;
  WmPath path;
  memset(&corridor, 0x55, sizeof corridor);
  WmStatus status = wm_query_find_corridor(asking->query, start, from, end, to, &options, &corridor);
  require_polygons(asking, status, corridor.polygons, corridor.polygon_count);
  FUZZ_REQUIRE(status || (corridor.polygon_count > 0 && corridor.polygons[0] == start));
  /* Along the corridor of a search, or along an invalid one. */
  WmRef other[4] = {start, end};
  for (int i = 2; i < 4; i++) other[i] = fuzz_ref(hostile, to);
  const bool is_found = !status && draw(asking) < 160;
  memset(&path, 0x55, sizeof path);
  const WmRef *polygons = is_found ? corridor.polygons : other;
  const size_t count = is_found ? corridor.polygon_count : draw(asking) % 5;
  status = wm_query_straighten(asking->query, from, to, polygons, count, (WmCrossings)(draw(asking) % 4),
                               draw(asking) % 9, &path);
  if (!is_found) path.polygon_count = 0; /* the caller's polygons, valid or not */
  require_path(asking, status, &path);
  const WmPathOptions wide = {.search = options, .crossings = WM_CROSSINGS_ALL};
  memset(&path, 0x55, sizeof path);
  status = wm_query_straighten_wide(asking->query, from, to, polygons, count, &wide, &path);
  if (!is_found) path.polygon_count = 0;
  require_path(asking, status, &path);
}

/* ---- Many at once ------------------------------------------------------------------------------------- */

static void require_rows(const Asking *asking, WmStatus status, const uint8_t *statuses) {
  fuzz_require_status(&asking->hostile, status);
  for (int i = 0; !status && i < ROWS; i++) {
    FUZZ_REQUIRE(statuses[i] == WM_OK || statuses[i] == WM_ERROR_INVALID_ARGUMENT ||
                 statuses[i] == WM_ERROR_STALE_REFERENCE || statuses[i] == WM_ERROR_LIMIT);
  }
}

static void ask_batches(Asking *asking) {
  Hostile *hostile = &asking->hostile;
  WmRef refs[ROWS], found[ROWS];
  float from[3 * ROWS], to[3 * ROWS], points[3 * ROWS], normals[3 * ROWS], numbers[3][ROWS];
  uint8_t bytes[2][ROWS], statuses[ROWS];
  uint32_t path_starts[ROWS + 1];
  for (int i = 0; i < ROWS; i++) {
    refs[i] = fuzz_ref(hostile, from + 3 * i);
    fuzz_place(hostile, to + 3 * i);
  }
  WmQuery *query = asking->query;
  const WmFilter *filter = fuzz_filter(hostile, &asking->room);
  WmNearestOptions nearest = wm_nearest_options_default();
  nearest.filter = filter;
  nearest.radius = fuzz_length(hostile);
  WmStatus status =
      wm_query_find_nearest_batch(query, ROWS, from, &nearest, found, points, bytes[0], statuses);
  require_rows(asking, status, statuses);
  status = wm_query_raycast_batch(query, ROWS, refs, from, to, filter, draw(asking) & 1, numbers[0], points,
                                  normals, found, statuses);
  require_rows(asking, status, statuses);
  for (int i = 0; !status && i < ROWS; i++) {
    if (!statuses[i]) fuzz_require_live(hostile, found[i]);
    if (statuses[i]) FUZZ_REQUIRE(found[i] == 0);
  }
  status = wm_query_height_batch(query, ROWS, refs, from, numbers[0], bytes[0], statuses);
  require_rows(asking, status, statuses);
  status = wm_query_distance_to_wall_batch(query, ROWS, refs, from, fuzz_length(hostile), filter, numbers[0],
                                           points, normals, statuses);
  require_rows(asking, status, statuses);
  WmPathOptions options = wm_path_options_default();
  options.search = invent_search(asking);
  const float *path_points = NULL;
  status =
      wm_query_find_path_batch(query, ROWS, from, to, draw(asking) < 32 ? NULL : &options, bytes[0], bytes[1],
                               numbers[0], numbers[1], numbers[2], path_starts, &path_points, statuses);
  require_rows(asking, status, statuses);
  if (!status) FUZZ_REQUIRE(fuzz_are_finite(path_points, 3 * (size_t)path_starts[ROWS]));
  status = wm_query_move_batch(query, ROWS, refs, from, to, filter, draw(asking) & 1, statuses);
  require_rows(asking, status, statuses);
  for (int i = 0; !status && i < ROWS; i++) {
    if (!statuses[i]) fuzz_require_live(hostile, refs[i]);
  }
}

/* ---- All ---------------------------------------------------------------------------------------------- */

static void (*const QUESTIONS[])(Asking *) = {ask_nearest,  ask_polygon,       ask_ray,         ask_move,
                                              ask_walls,    ask_neighbourhood, ask_overlap,     ask_flood,
                                              ask_random,   ask_islands,       set_costs,       ask_path,
                                              ask_corridor, ask_batches,       ask_alternatives};
enum { QUESTION_COUNT = sizeof QUESTIONS / sizeof *QUESTIONS };

int fuzz_queries(const uint8_t *bytes, size_t byte_count) {
  FuzzMemory memory;
  fuzz_begin(&memory);
  Asking asking;
  memset(&asking, 0, sizeof asking);
  fuzz_hostile_begin(&asking.hostile, &memory, bytes, byte_count);
  WmMesh *mesh = asking.hostile.mesh;
  FUZZ_REQUIRE(!wm_query_create(memory.context, mesh, &asking.query));
  FUZZ_REQUIRE(!wm_islands_create(memory.context, mesh, &asking.islands));
  for (int i = 0; i < MOST_QUESTIONS && asking.hostile.input.left > 0; i++) {
    QUESTIONS[draw(&asking) % QUESTION_COUNT](&asking);
  }
  wm_islands_destroy(asking.islands);
  wm_query_destroy(asking.query);
  fuzz_hostile_end(&asking.hostile);
  fuzz_end(&memory);
  return 0;
}
