/* Queries: what they keep, arguments, and the path from point to point. See query.h. */
#include "query/query.h"

#include "base/simd.h"
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
  *out = NULL;
  WmQuery *query = wm_block_allocate(context, sizeof *query);
  if (!query) return WM_ERROR_OUT_OF_MEMORY;
  *query = (WmQuery){.context = context, .mesh = mesh, .default_filter = wm_filter_default()};
  *out = query;
  return WM_OK;
}

void wm_query_destroy(WmQuery *query) {
  if (!query) return;
  WmBuffer *const buffers[] = {&query->nodes,    &query->tiles,       &query->heap,
                               &query->polygons, &query->portals,     &query->kinds,
                               &query->points,   &query->point_flags, &query->point_polygons};
  for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
    wm_block_free(query->context, buffers[i]->items);
  wm_block_free(query->context, query);
}

/* Grows by half at least; new bytes are zero, since stamps must not be those of a search to come. */
WmStatus wm_buffer_reserve(WmContext *context, WmBuffer *buffer, size_t needed, size_t item_bytes) {
  if (needed <= buffer->capacity) return WM_OK;
  size_t capacity = buffer->capacity + buffer->capacity / 2;
  if (capacity < needed) capacity = needed;
  if (capacity < 64) capacity = 64;
  WmLayout layout = {0};
  wm_layout_add(&layout, capacity, item_bytes);
  uint8_t *items = wm_layout_allocate(context, &layout);
  if (!items) return WM_ERROR_OUT_OF_MEMORY;
  const size_t kept = buffer->capacity * item_bytes;
  if (kept) memcpy(items, buffer->items, kept);
  memset(items + kept, 0, (capacity - buffer->capacity) * item_bytes);
  wm_block_free(context, buffer->items);
  *buffer = (WmBuffer){items, capacity};
  return WM_OK;
}

/* ---- Arguments ---------------------------------------------------------------------------------------- */

WmStatus wm_query_check_position(WmQuery *query, const float position[3], const char *field) {
  for (int axis = 0; axis < 3; axis++) {
    if (!isfinite(position[axis])) {
      return wm_fail_number(query->context, WM_ERROR_INVALID_ARGUMENT, field, "position has a coordinate of ",
                            position[axis], ": all must be finite");
    }
  }
  return WM_OK;
}

WmStatus wm_query_check_costs(WmQuery *query, const WmFilter *filter) {
  WmInt4 good = {-1, -1, -1, -1};
  for (int i = 0; i < 64; i += 4) {
    const WmFloat4 costs = wm_load_float4(filter->area_costs + i);
    good &= (costs >= wm_splat_float4(0.0f)) & (costs < wm_splat_float4(INFINITY));
  }
  if (wm_mask_int4(good) == 15) return WM_OK;
  int bad = 0;
  while (filter->area_costs[bad] >= 0.0f && filter->area_costs[bad] < INFINITY) bad++;
  return wm_fail_range(query->context, WM_ERROR_INVALID_ARGUMENT, "areaCosts", filter->area_costs[bad], 0,
                       NAN, "costs are finite and not negative");
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
  if (!status) status = wm_query_check_costs(query, filter);
  if (status) return status;
  return wm_query_search(query, start, start_position, end, end_position, filter, max_nodes, false, corridor);
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
  if (!status) status = wm_query_check_costs(query, filter);
  if (!status) status = find_ends(query, start, end, options, filter, path);
  if (status || path->reason) return status;
  WmCorridor corridor;
  status = wm_query_search(query, path->start.polygon, path->start.point, path->end.polygon, path->end.point,
                           filter, options->max_nodes, true, &corridor);
  if (status) return status;
  path->state = corridor.state;
  path->reason = corridor.reason;
  path->cost = corridor.cost;
  path->searched = corridor.searched;
  const WmPortalPath way = {.polygons = corridor.polygons,
                            .polygon_count = corridor.polygon_count,
                            .portals = query->portals.items,
                            .kinds = query->kinds.items,
                            .broken = corridor.polygon_count};
  return wm_query_pull(query, path->start.point, path->end.point, &way, options->crossings,
                       options->max_points, path);
}

WmStatus wm_query_find_path(WmQuery *query, const float start[3], const float end[3],
                            const WmPathOptions *options, WmPath *path) {
  *path = (WmPath){0};
  const WmPathOptions standard = wm_path_options_default();
  if (!options) options = &standard;
  const WmFilter *filter = options->filter ? options->filter : &query->default_filter;
  const WmStatus status = find_path(query, start, end, options, filter, path);
  if (status) *path = (WmPath){0};
  return status;
}
