/* Alternative paths. See alternatives.h. */
#include "query/alternatives/alternatives.h"

#include "query/alternatives/alternatives_internal.h"
#include "query/search/search_internal.h"

/* Vias that are tried: MIN_TRIES, and MORE_TRIES for each path. */
enum { MIN_TRIES = 24, MORE_TRIES = 8, MOST_WAYS = MIN_TRIES + MORE_TRIES * WM_MOST_ALTERNATIVES };
/* Costs along midpoints of edges are up to this many times those of strings. */
#define MIDPOINT_SCALE 1.3f
/* The least plateau, as a share of the part that has to differ. */
#define LEAST_PLATEAU 0.0f
/* Ways differ where they are farther apart than this share of the first path's length. */
#define APART 0.05f

WmAlternativeOptions wm_alternative_options_default(void) {
  return (WmAlternativeOptions){
      .path = wm_path_options_default(), .count = 3, .difference = 0.3f, .max_length = 2};
}

static WmStatus check_options(WmContext *context, const WmAlternativeOptions *options) {
  if (options->count < 1 || options->count > WM_MOST_ALTERNATIVES) {
    return wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, "count", options->count, 1, WM_MOST_ALTERNATIVES,
                         NULL);
  }
  if (!(options->difference >= 0 && options->difference <= 1)) {
    return wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, "difference", (double)options->difference, 0, 1,
                         NULL);
  }
  if (!(options->max_length >= 1 && options->max_length <= 1e6f)) {
    return wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, "maxLength", (double)options->max_length, 1, 1e6,
                         NULL);
  }
  return WM_OK;
}

/* ---- Choosing ----------------------------------------------------------------------------------------- */

typedef struct Ways {
  WmWay ways[MOST_WAYS + 1]; /* the first path, then others, cheapest first */
  size_t count;
  WmWay tight; /* the first path without corners in the open */
} Ways;

static void insert(Ways *ways, const WmWay *way) {
  size_t at = ways->count++;
  for (; at > 1 && ways->ways[at - 1].cost > way->cost; at--) ways->ways[at] = ways->ways[at - 1];
  ways->ways[at] = *way;
}

/* Tries the way over a via: it is kept if it differs from the first path. */
static WmStatus try_via(const WmWayTask *task, const WmVias *vias, size_t number, float difference,
                        WmRef *corridor, Ways *ways) {
  WmContext *context = task->query->context;
  const WmScratchMark mark = wm_scratch_mark(context);
  size_t first, last;
  const size_t count = wm_vias_corridor(task, vias, number, corridor, &first, &last);
  WmWay way;
  bool found = false;
  float share = 0;
  WmStatus status = count > 0 ? wm_way_shorten(task, corridor, count, first, last, &way, &found) : WM_OK;
  for (size_t i = 1; i < ways->count && found && !status; i++) {
    found = way.length != ways->ways[i].length ||
            way.polygon_count != ways->ways[i].polygon_count; /* seen before */
  }
  if (!status && found && way.cost <= task->max_length * task->first_cost) {
    bool sensible;
    status = wm_way_compare(task, &way, &ways->ways[0], true, &share, &sensible);
    found = !status && sensible && share > 0 && share >= difference;
    if (found && ways->tight.polygons != ways->ways[0].polygons) {
      status = wm_way_compare(task, &way, &ways->tight, false, &share, &sensible);
      found = !status && share > 0 && share >= difference;
    }
  } else {
    found = false;
  }
  if (found) {
    insert(ways, &way);
  } else {
    wm_scratch_rewind(context, mark);
  }
  return status;
}

/* Collects the ways that differ from the first path. */
static WmStatus collect(const WmWayTask *task, const WmAlternativeOptions *options, Ways *ways) {
  WmVias vias;
  const float plateau = LEAST_PLATEAU * options->difference * task->first_cost;
  WmStatus status = wm_vias_list(task, MIDPOINT_SCALE * task->max_length * task->first_cost, plateau, &vias);
  if (status) return status;
  WmRef *corridor = wm_scratch_array(task->query->context, 2 * vias.polygon_count, sizeof *corridor);
  if (!corridor) return WM_ERROR_OUT_OF_MEMORY;
  const size_t tries = MIN_TRIES + MORE_TRIES * (size_t)options->count;
  for (size_t i = 0; i < vias.count && i < tries && !status; i++) {
    status = try_via(task, &vias, i, options->difference, corridor, ways);
  }
  return status;
}

/* Chooses the cheapest ways that differ from all chosen before.
 * in/out     ways: the chosen ones become the first */
static WmStatus choose(const WmWayTask *task, const WmAlternativeOptions *options, Ways *ways) {
  size_t chosen = 1;
  for (size_t i = 1; i < ways->count && chosen < options->count; i++) {
    bool differs = true;
    for (size_t k = 1; k < chosen && differs; k++) {
      const WmScratchMark mark = wm_scratch_mark(task->query->context);
      float share;
      bool sensible;
      const WmStatus status = wm_way_compare(task, &ways->ways[i], &ways->ways[k], false, &share, &sensible);
      wm_scratch_rewind(task->query->context, mark);
      if (status) return status;
      differs = share > 0 && share >= options->difference;
    }
    if (differs) ways->ways[chosen++] = ways->ways[i];
  }
  ways->count = chosen;
  return WM_OK;
}

/* ---- Storing ------------------------------------------------------------------------------------------ */

/* Copies an array behind the others.
 * in/out     used: bytes of all arrays */
static void store(WmQuery *query, size_t *used, const void *array, size_t bytes) {
  if (bytes > 0) memcpy((uint8_t *)query->arrays[WM_QUERY_ALTERNATIVE_BYTES].items + *used, array, bytes);
  *used += (bytes + 7) / 8 * 8;
}

/* Copies the arrays of a path into memory that other queries leave alone. */
static WmStatus keep(WmQuery *query, size_t number, size_t *used, WmPath path) {
  const size_t polygons = path.polygon_count * sizeof(WmRef), points = path.point_count * 3 * sizeof(float);
  const size_t behind = path.point_count * sizeof(WmRef), flags = path.point_count;
  WmStatus status = wm_query_reserve(query, WM_QUERY_ALTERNATIVE_BYTES, WM_QUERY_ALTERNATIVE_BYTES,
                                     *used + polygons + points + behind + flags + 32);
  if (!status) status = wm_query_reserve(query, WM_QUERY_ALTERNATIVES, WM_QUERY_ALTERNATIVES, number + 1);
  if (status) return status;
  store(query, used, path.polygons, polygons);
  store(query, used, path.point_polygons, behind);
  store(query, used, path.points, points);
  store(query, used, path.point_flags, flags);
  ((WmPath *)query->arrays[WM_QUERY_ALTERNATIVES].items)[number] = path;
  return WM_OK;
}

/* Points the paths to their arrays, which have moved if their memory has grown. */
static void place(const WmQuery *query, size_t count) {
  const uint8_t *at = query->arrays[WM_QUERY_ALTERNATIVE_BYTES].items;
  WmPath *paths = query->arrays[WM_QUERY_ALTERNATIVES].items;
  for (size_t i = 0; i < count; i++) {
    const size_t points = paths[i].point_count;
    paths[i].polygons = (const WmRef *)(const void *)at;
    at += paths[i].polygon_count * sizeof(WmRef);
    paths[i].point_polygons = (const WmRef *)(const void *)at;
    at += points * sizeof(WmRef);
    paths[i].points = (const float *)(const void *)at;
    at += (points * 3 * sizeof(float) + 7) / 8 * 8;
    paths[i].point_flags = at;
    at += (points + 7) / 8 * 8;
  }
}

/* True if the lines of ways keep a distance and are the cheapest ones of their corridors: their costs are then those of lines. */
static bool has_line_costs(const WmQuery *query, const WmSearchOptions *search) {
  return search->wall_distance > 0 && wm_search_is_cheapest(search) && query->is_cheapest;
}

/* Makes paths of the ways behind the first one.
 * in         has_costs: has_line_costs */
static WmStatus keep_ways(const WmWayTask *task, const WmPathOptions *options, const WmPath *first,
                          const Ways *ways, bool has_costs, size_t *used) {
  WmStatus status = WM_OK;
  WmSearchOptions strings = task->search;
  strings.shortest = has_costs;
  for (size_t i = 1; i < ways->count && !status; i++) {
    const WmWay *way = &ways->ways[i];
    WmPath path = {.state = WM_PATH_COMPLETE, .start = first->start, .end = first->end};
    status = wm_query_pull_line(task->query, &strings, options, first->start.point, first->end.point,
                                way->polygons, NULL, way->polygon_count, &path);
    if (!has_costs) path.cost = way->cost;
    if (!status) status = keep(task->query, i, used, path);
  }
  return status;
}

/* Sorts paths by cost. */
static void sort_by_cost(WmPath *paths, size_t count) {
  for (size_t i = 1; i < count; i++) {
    const WmPath path = paths[i];
    size_t at = i;
    for (; at > 0 && path.cost < paths[at - 1].cost; at--) paths[at] = paths[at - 1];
    paths[at] = path;
  }
}

/* ---- The query ---------------------------------------------------------------------------------------- */

static WmWayTask make_task(WmQuery *query, const WmAlternativeOptions *options, const WmPath *first) {
  const float radius = wm_mesh_tile_of(query->mesh, first->start.polygon)->agent_radius;
  WmWayTask task = {.query = query,
                    .start = first->start,
                    .end = first->end,
                    .search = options->path.search,
                    .max_length = options->max_length,
                    .radius = radius};
  task.search.filter = wm_query_filter(query, options->path.search.filter);
  task.search.any_angle = false;
  task.search.shortest = true;
  task.search.wall_cost = 0; /* of ordinary corridors only */
  return task;
}

static WmStatus find_others(WmQuery *query, const WmAlternativeOptions *options, const WmPath *first,
                            bool has_costs, size_t *used, size_t *count) {
  WmWayTask task = make_task(query, options, first);
  Ways *ways = wm_scratch_array(query->context, 1, sizeof *ways);
  if (!ways) return WM_ERROR_OUT_OF_MEMORY;
  ways->count = 1;
  WmStatus status = wm_way_draw(&task, first->polygons, first->polygon_count, &ways->ways[0]);
  if (status) return status;
  task.first_length = ways->ways[0].length;
  task.first_cost = ways->ways[0].cost;
  task.apart = APART * task.first_length;
  if (task.apart < task.radius) task.apart = task.radius;
  bool is_tight;
  ways->tight = ways->ways[0];
  status = wm_way_tighten(&task, &ways->tight, &is_tight);
  if (!is_tight) ways->tight = ways->ways[0];
  if (!status) status = collect(&task, options, ways);
  if (!status) status = choose(&task, options, ways);
  if (!status) status = keep_ways(&task, &options->path, first, ways, has_costs, used);
  *count = ways->count;
  return status;
}

static WmStatus find_all(WmQuery *query, const float start[3], const float end[3],
                         const WmAlternativeOptions *options, WmAlternatives *alternatives) {
  WmStatus status = check_options(query->context, options);
  WmPath first = {0};
  if (!status) status = wm_query_find_path(query, start, end, &options->path, &first);
  size_t used = 0, count = 1;
  if (!status) status = keep(query, 0, &used, first);
  if (status) return status;
  place(query, 1);
  const bool has_costs = has_line_costs(query, &options->path.search);
  if (first.state == WM_PATH_COMPLETE && options->count > 1 && first.polygon_count > 1) {
    const WmScratchMark mark = wm_scratch_mark(query->context);
    WmPath kept = *(const WmPath *)query->arrays[WM_QUERY_ALTERNATIVES].items;
    status = find_others(query, options, &kept, has_costs, &used, &count);
    wm_scratch_rewind(query->context, mark);
  }
  if (status) return status;
  place(query, count);
  if (has_costs) sort_by_cost(query->arrays[WM_QUERY_ALTERNATIVES].items, count);
  *alternatives = (WmAlternatives){count, query->arrays[WM_QUERY_ALTERNATIVES].items};
  return WM_OK;
}

WmStatus wm_query_find_alternatives(WmQuery *query, const float start[3], const float end[3],
                                    const WmAlternativeOptions *options, WmAlternatives *alternatives) {
  const WmAlternativeOptions standard = wm_alternative_options_default();
  *alternatives = (WmAlternatives){0};
  return find_all(query, start, end, options ? options : &standard, alternatives);
}
