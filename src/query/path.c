/* From point to point: both ends onto the mesh, a corridor, a string. See path.h. */
#include "query/path.h"

#include "query/search_internal.h"

WmSearchOptions wm_search_options_default(void) { return (WmSearchOptions){0}; }

WmPathOptions wm_path_options_default(void) { return (WmPathOptions){.half_extents = {2, 4, 2}}; }

/* Both ends onto the mesh.
 * out        path->reason: which of them is not on it, if any */
static WmStatus find_ends(WmQuery *query, const float start[3], const float end[3],
                          const WmPathOptions *options, WmPath *path) {
  const WmFilter *filter = options->search.filter;
  WmStatus status = wm_query_find_nearest(query, start, options->half_extents, filter, &path->start);
  if (!status) status = wm_query_find_nearest(query, end, options->half_extents, filter, &path->end);
  if (status) return status;
  if (!path->end.polygon) path->reason = WM_PATH_REASON_END_NOT_FOUND;
  if (!path->start.polygon) path->reason = WM_PATH_REASON_START_NOT_FOUND;
  return WM_OK;
}

static WmStatus find_path(WmQuery *query, const float start[3], const float end[3],
                          const WmPathOptions *options, WmPath *path) {
  WmStatus status = wm_query_check_position(query->context, start, "start");
  if (!status) status = wm_query_check_position(query->context, end, "end");
  if (!status) status = wm_query_check_filter(query->context, options->search.filter);
  if (!status) status = find_ends(query, start, end, options, path);
  if (status || path->reason) return status;
  WmSearchTask task;
  WmCorridor corridor;
  status = wm_search_check(query, path->start.polygon, path->start.point, path->end.polygon, path->end.point,
                           &options->search, &task);
  if (!status) status = wm_query_search(query, &task, &corridor);
  if (status) return status;
  path->state = corridor.state;
  path->reason = corridor.reason;
  path->cost = corridor.cost;
  path->searched = corridor.searched;
  return wm_query_pull(query, path->start.point, path->end.point, corridor.polygons, corridor.polygon_count,
                       options->crossings, options->max_points, path);
}

WmStatus wm_query_find_path(WmQuery *query, const float start[3], const float end[3],
                            const WmPathOptions *options, WmPath *path) {
  memset(path, 0, sizeof *path);
  const WmPathOptions standard = wm_path_options_default();
  const WmStatus status = find_path(query, start, end, options ? options : &standard, path);
  if (status) memset(path, 0, sizeof *path);
  return status;
}
