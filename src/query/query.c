/* Queries: what they keep, arguments, and the path from point to point. See query.h. */
#include "query/query.h"

#include "query/query_internal.h"

/* ---- Filters and options ------------------------------------------------------------------------------ */

WmFilter wm_filter_default(void) {
  WmFilter filter = {.include_flags = 0xffff};
  for (int i = 0; i < 64; i++) filter.area_costs[i] = 1.0f;
  return filter;
}

WmPathOptions wm_path_options_default(void) { return (WmPathOptions){.half_extents = {2, 4, 2}}; }

/* ---- Creating ----------------------------------------------------------------------------------------- */

WmStatus wm_query_create(WmContext *context, const WmMesh *mesh, WmQuery **out) {
  WmQuery *query = *out = wm_block_allocate(context, sizeof *query);
  if (!query) return WM_ERROR_OUT_OF_MEMORY;
  memset(query, 0, sizeof *query);
  query->context = context;
  query->mesh = mesh;
  query->default_filter = wm_filter_default();
  return WM_OK;
}

void wm_query_destroy(WmQuery *query) {
  if (!query) return;
  for (int i = 0; i < WM_QUERY_ARRAY_COUNT; i++) wm_block_free(query->context, query->arrays[i].items);
  wm_block_free(query->context, query);
}

WmStatus wm_query_reserve(WmQuery *query, WmQueryArray first, WmQueryArray last, size_t needed) {
  static const uint8_t ITEM_BYTES[WM_QUERY_ARRAY_COUNT] = {sizeof(WmNode),      sizeof(WmSearchTile),
                                                           sizeof(WmHeapEntry), sizeof(WmRef),
                                                           6 * sizeof(float),   1,
                                                           3 * sizeof(float),   1,
                                                           sizeof(WmRef)};
  WmStatus status = WM_OK;
  for (WmQueryArray i = first; i <= last && !status; i++) {
    status = wm_buffer_reserve(query->context, &query->arrays[i], needed, ITEM_BYTES[i]);
  }
  return status;
}

/* ---- Arguments ---------------------------------------------------------------------------------------- */

WmStatus wm_query_check_numbers(WmQuery *query, const float *numbers, size_t count, float minimum,
                                const char *field) {
  for (size_t i = 0; i < count; i++) {
    if (isfinite(numbers[i]) && numbers[i] >= minimum) continue;
    return wm_fail_number(query->context, WM_ERROR_INVALID_ARGUMENT, field, "a number is ", numbers[i],
                          minimum < 0 ? ": must be finite" : ": must be finite, not negative");
  }
  return WM_OK;
}

WmStatus wm_query_check_position(WmQuery *query, const float position[3], const char *field) {
  return wm_query_check_numbers(query, position, 3, -INFINITY, field);
}

static WmStatus check_costs(WmQuery *query, const WmFilter *filter) {
  return wm_query_check_numbers(query, filter->area_costs, 64, 0, "areaCosts");
}

/* ---- Paths -------------------------------------------------------------------------------------------- */

WmStatus wm_query_find_corridor(WmQuery *query, WmRef start, const float start_position[3], WmRef end,
                                const float end_position[3], const WmFilter *filter, size_t max_nodes,
                                WmCorridor *corridor) {
  *corridor = (WmCorridor){0};
  if (!filter) filter = &query->default_filter;
  WmStatus status = wm_mesh_check_ref(query->context, query->mesh, start, "start");
  if (!status) status = wm_mesh_check_ref(query->context, query->mesh, end, "end");
  if (!status) status = wm_query_check_position(query, start_position, "startPosition");
  if (!status) status = wm_query_check_position(query, end_position, "endPosition");
  if (!status) status = check_costs(query, filter);
  if (status) return status;
  return wm_query_search(query, start, start_position, end, end_position, filter, max_nodes, corridor);
}

/* Both ends onto the mesh.
 * out        path->reason: which of them is not on it, if any */
static WmStatus find_ends(WmQuery *query, const float start[3], const float end[3],
                          const WmPathOptions *options, const WmFilter *filter, WmPath *path) {
  WmStatus status = wm_query_find_nearest(query, start, options->half_extents, filter, &path->start);
  if (!status) status = wm_query_find_nearest(query, end, options->half_extents, filter, &path->end);
  if (status) return status;
  if (!path->end.polygon) path->reason = WM_PATH_REASON_END_NOT_FOUND;
  if (!path->start.polygon) path->reason = WM_PATH_REASON_START_NOT_FOUND;
  return WM_OK;
}

static WmStatus find_path(WmQuery *query, const float start[3], const float end[3],
                          const WmPathOptions *options, const WmFilter *filter, WmPath *path) {
  WmStatus status = wm_query_check_position(query, start, "start");
  if (!status) status = wm_query_check_position(query, end, "end");
  if (!status) status = check_costs(query, filter);
  if (!status) status = find_ends(query, start, end, options, filter, path);
  if (status || path->reason) return status;
  WmCorridor corridor;
  status = wm_query_search(query, path->start.polygon, path->start.point, path->end.polygon, path->end.point,
                           filter, options->max_nodes, &corridor);
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
  if (!options) options = &standard;
  const WmFilter *filter = options->filter ? options->filter : &query->default_filter;
  const WmStatus status = find_path(query, start, end, options, filter, path);
  if (status) memset(path, 0, sizeof *path);
  return status;
}
