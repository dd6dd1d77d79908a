/* Paths from point to point: both ends onto the mesh, a corridor, a string. See path.h. */
#include "query/search/path.h"

#include "mesh/locate.h"
#include "query/cheapest/cheapest_line.h"
#include "query/room/room.h"
#include "query/search/search_internal.h"
#include "query/search/islands.h"

WmSearchOptions wm_search_options_default(void) { return (WmSearchOptions){0}; }

WmPathOptions wm_path_options_default(void) { return (WmPathOptions){.half_extents = {2, 4, 2}}; }

WmStatus wm_path_explain_end(WmQuery *query, const float position[3], const WmNearestOptions *near,
                             bool is_end, WmPathReason *reason) {
  WmNearest nearest = {0};
  WmNearestOptions unfiltered = *near;
  unfiltered.filter = NULL;
  const WmStatus status =
      near->filter ? wm_query_find_nearest_point(query, position, &unfiltered, &nearest) : WM_OK;
  if (nearest.polygon) {
    *reason = is_end ? WM_PATH_REASON_END_EXCLUDED : WM_PATH_REASON_START_EXCLUDED;
  } else {
    *reason = is_end ? WM_PATH_REASON_END_NOT_FOUND : WM_PATH_REASON_START_NOT_FOUND;
  }
  return status;
}

/* Moves both ends onto the mesh.
 * out        path: start and end; reason: if one of them isn't on the mesh */
static WmStatus find_ends(WmQuery *query, const float start[3], const float end[3],
                          const WmPathOptions *options, WmPath *path) {
  WmNearestOptions near = {.filter = options->search.filter, .radius = options->radius};
  memcpy(near.half_extents, options->half_extents, sizeof near.half_extents);
  WmStatus status = wm_query_find_nearest_point(query, start, &near, &path->start);
  if (!status) status = wm_query_find_nearest_point(query, end, &near, &path->end);
  if (status) return status;
  if (path->start.polygon && path->end.polygon) return WM_OK;
  const bool is_end = path->start.polygon != 0;
  return wm_path_explain_end(query, is_end ? end : start, &near, is_end, &path->reason);
}

/* The destination of the search: the end, or the point of the start's island nearest to it.
 * out        *apart: the end is on another island */
static WmStatus choose_destination(const WmQuery *query, const WmPathOptions *options, const WmPath *path,
                                   WmNearest *destination, bool *apart) {
  *destination = path->end;
  *apart = false;
  if (!options->islands) return WM_OK;
  const WmStatus status = wm_islands_update(options->islands, options->search.filter);
  if (status) return status;
  const uint32_t island = wm_islands_of(options->islands, path->start.polygon);
  *apart = island != 0 && wm_islands_of(options->islands, path->end.polygon) != island;
  if (!*apart) return WM_OK;
  *destination = wm_islands_nearest(options->islands, query->mesh, island, path->end.point);
  return WM_OK;
}

/* Pulls the line without the distance. */
static WmStatus pull_plain(WmQuery *query, const WmPulling *pulling, const WmSearchOptions *search,
                           bool is_cheapest, WmPath *path) {
  if (is_cheapest) return wm_cheapest_pull(query, pulling, search->filter, path);
  return wm_query_pull(query, pulling->start, pulling->end, pulling->polygons, pulling->links,
                       pulling->polygon_count, pulling->crossings, pulling->max_points, pulling->inset, NULL,
                       path);
}

/* wm_query_pull_line.
 * in         max_points: instead of that of the options; is_cheapest: the line is the cheapest one where costs differ
 * out        *plain_length: of the line without the distance */
static WmStatus pull_line(WmQuery *query, const WmSearchOptions *search, WmCrossings crossings,
                          size_t max_points, bool is_cheapest, const float start[3], const float end[3],
                          const WmRef *polygons, const uint32_t *links, size_t polygon_count, WmPath *path,
                          float *plain_length) {
  const bool is_wide = search->wall_distance > 0;
  WmPulling pulling = {start,
                       end,
                       polygons,
                       links,
                       polygon_count,
                       is_wide ? WM_CROSSINGS_NONE : crossings,
                       is_wide ? 0 : max_points,
                       search->wall_distance};
  WmStatus status = pull_plain(query, &pulling, search, is_cheapest, path);
  *plain_length = path->length;
  if (status || !is_wide) return status;
  if (path->reason != WM_PATH_REASON_BROKEN_CORRIDOR)
    return wm_room_widen_path(query, search, is_cheapest, crossings, max_points, path);
  /* Where the corridor is broken, the line keeps no distance. */
  pulling.crossings = crossings;
  pulling.max_points = max_points;
  return pull_plain(query, &pulling, search, is_cheapest, path);
}

WmStatus wm_query_pull_line(WmQuery *query, const WmSearchOptions *search, const WmPathOptions *options,
                            const float start[3], const float end[3], const WmRef *polygons,
                            const uint32_t *links, size_t polygon_count, WmPath *path) {
  float plain_length;
  return pull_line(query, search, options->crossings, options->max_points, wm_search_is_cheapest(search),
                   start, end, polygons, links, polygon_count, path, &plain_length);
}

/* Moves a position that is straight above or below a polygon onto it. */
static void land(const WmQuery *query, WmRef polygon, float position[3]) {
  float closest[3];
  const WmMeshTile *tile = wm_mesh_tile_of(query->mesh, polygon);
  if (wm_tile_closest_point(tile, wm_ref_polygon(polygon), position, true, closest)) {
    memcpy(position, closest, sizeof closest);
  }
}

/* Pulls the line through the corridor of a search. With shortest and a distance from walls, looks for a shorter one past other
 * sides of obstacles. A corridor that doesn't reach the end may lie on another floor: its line ends there, not at the end's height. */
static WmStatus pull_found(WmQuery *query, const WmSearchTask *task, const WmPathOptions *options,
                           const WmCorridor *corridor, const uint32_t *links, bool is_cheapest,
                           WmPath *path) {
  const WmSearchOptions *search = &task->options;
  const bool may_shorten =
      search->shortest && search->wall_distance > 0 && corridor->state == WM_PATH_COMPLETE && !is_cheapest;
  const size_t max_points = may_shorten ? 0 : options->max_points;
  float plain_length, end[3];
  memcpy(end, task->end_position, sizeof end);
  if (corridor->state != WM_PATH_COMPLETE) land(query, corridor->polygons[corridor->polygon_count - 1], end);
  const WmStatus status =
      pull_line(query, search, options->crossings, max_points, is_cheapest, path->start.point, end,
                corridor->polygons, links, corridor->polygon_count, path, &plain_length);
  if (status) return status;
  if (corridor->state != WM_PATH_COMPLETE) {
    path->remaining = wm_distance(path->points + 3 * (path->point_count - 1), task->end_position);
  }
  if (!may_shorten) return WM_OK;
  const WmRoomOther other = {search,    options->crossings, options->max_points,
                             task->end, task->end_position, plain_length};
  return wm_room_shorten_path(query, &other, path);
}

static WmStatus find_path(WmQuery *query, const float start[3], const float end[3],
                          const WmPathOptions *options, WmPath *path) {
  WmStatus status = wm_query_check_position(query->context, start, "start");
  if (!status) status = wm_query_check_position(query->context, end, "end");
  if (!status) status = wm_search_check_options(query, &options->search);
  if (!status) status = find_ends(query, start, end, options, path);
  if (status || path->reason) return status;
  WmNearest destination;
  bool apart;
  status = choose_destination(query, options, path, &destination, &apart);
  if (status) return status;
  WmSearchTask task = wm_search_task(query, path->start.polygon, path->start.point, destination.polygon,
                                     destination.point, &options->search);
  task.leaves_cost = options->max_points == 0;
  WmCorridor corridor;
  status = wm_query_search(query, &task, &corridor);
  if (status) return status;
  path->state = apart ? WM_PATH_UNREACHABLE : corridor.state;
  path->reason = apart ? WM_PATH_REASON_NOT_CONNECTED : corridor.reason;
  path->cost = corridor.cost;
  path->searched = corridor.searched;
  path->bound = path->state == WM_PATH_COMPLETE ? corridor.bound : 0;
  /* Only searches that have reached the end know if costs differ. */
  const bool is_cheapest =
      wm_search_is_cheapest(&task.options) && corridor.state == WM_PATH_COMPLETE && query->is_cheapest;
  const bool has_links = options->search.shortest || !options->search.any_angle || is_cheapest;
  const uint32_t *links = has_links ? query->arrays[WM_QUERY_LINKS].items : NULL;
  status = pull_found(query, &task, options, &corridor, links, is_cheapest, path);
  if (!status) path->bound = fminf(path->bound, path->cost);
  if (!status && apart) {
    path->remaining = wm_distance(path->points + 3 * (path->point_count - 1), path->end.point);
  }
  return status;
}

WmStatus wm_query_find_path(WmQuery *query, const float start[3], const float end[3],
                            const WmPathOptions *options, WmPath *path) {
  memset(path, 0, sizeof *path);
  WmPathOptions standard;
  if (!options) {
    standard = wm_path_options_default();
    options = &standard;
  }
  const WmStatus status = find_path(query, start, end, options, path);
  if (status) memset(path, 0, sizeof *path);
  return status;
}

/* True if a path over a corridor would be the cheapest line. The line over one with stale references ends before them. */
static bool seeks_cheapest(WmQuery *query, const WmSearchOptions *search, const WmRef *corridor,
                           size_t polygon_count) {
  for (size_t i = 0; i < polygon_count; i++)
    if (!wm_mesh_tile_of(query->mesh, corridor[i])) return false;
  const WmSearchTask task = {.start = corridor[0], .end = corridor[polygon_count - 1], .options = *search};
  WmSearchState state = {.query = query, .task = &task, .filter = search->filter};
  wm_search_compare_costs(&state);
  return state.seeks_cheapest;
}

WmStatus wm_query_straighten_wide(WmQuery *query, const float start[3], const float end[3],
                                  const WmRef *corridor, size_t polygon_count, const WmPathOptions *options,
                                  WmPath *path) {
  const WmFilter standard = wm_filter_default();
  WmSearchOptions search = {.filter = options->search.filter ? options->search.filter : &standard,
                            .any_angle = options->search.any_angle,
                            .shortest = options->search.shortest,
                            .wall_distance = options->search.wall_distance};
  memset(path, 0, sizeof *path);
  WmStatus status = wm_query_check_filter(query->context, search.filter);
  if (!status) status = wm_room_check(query, &search);
  if (!status) status = wm_query_check_corridor(query, start, end, corridor, polygon_count);
  if (status) return status;
  path->state = WM_PATH_COMPLETE;
  search.is_plain = search.wall_distance > 0 && !seeks_cheapest(query, &search, corridor, polygon_count);
  status = wm_query_pull_line(query, &search, options, start, end, corridor, NULL, polygon_count, path);
  path->cost = 0;
  if (status) memset(path, 0, sizeof *path);
  return status;
}
