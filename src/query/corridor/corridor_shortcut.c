/* Shorter corridors: along a free ray, or by a short search.
 *
 * A shortcut is used only if its string costs no more than that of the corridor: neither a ray nor a search
 * over midpoints of edges ensures that. */
#include "base/debug/assert.h"
#include "mesh/locate.h"
#include "query/corridor/corridor_internal.h"
#include "query/local/raycast.h"
#include "query/search/search_internal.h"

/* Points nearer than this need no ray, world units. */
#define REACHED 0.01f
/* Length by which a ray passes its destination, to enter the polygons behind it, world units. */
#define OVERSHOOT 0.01f
/* Fraction of a ray that must be free: its destination may lie on a wall. */
#define FREE_ENOUGH 0.99f

/* The cost of the string through polygons from the position to the target; INFINITY if not linked. */
static WmStatus find_cost(const WmPathCorridor *corridor, const WmFilter *filter, const WmRef *polygons,
                          size_t count, float *cost) {
  WmPath path;
  const WmStatus status = wm_query_straighten(corridor->query, corridor->position, corridor->target, polygons,
                                              count, WM_CROSSINGS_ALL, 0, &path);
  *cost = path.state == WM_PATH_COMPLETE ? 0 : INFINITY;
  for (size_t i = 0; i + 1 < path.point_count && !status; i++) {
    const WmRef polygon = path.point_polygons[i];
    const WmMeshTile *tile = wm_mesh_tile_of(corridor->query->mesh, polygon);
    const float length = tile->segments ? tile->segments[wm_ref_polygon(polygon)].cost
                                        : wm_distance(path.points + 3 * i, path.points + 3 * i + 3);
    *cost += length * wm_filter_unit_cost(filter, tile, wm_ref_polygon(polygon));
  }
  return status;
}

/* Replaces the start of the corridor by other polygons, up to the last polygon that both have, if that costs
 * less.
 * in         shortcut [count]: from the corridor's first polygon on, each linked to the next */
static WmStatus try_shortcut(WmPathCorridor *corridor, const WmFilter *filter, const WmRef *shortcut,
                             size_t count, bool *changed) {
  WmQuery *query = corridor->query;
  const bool was_linked = WM_WAS_VALID(wm_corridor_validate_links(corridor));
  WmRefList *list = &corridor->polygons;
  const WmRef *items = wm_ref_list_items(list);
  size_t i, j;
  if (!wm_ref_list_meet(list, shortcut, count, true, &i, &j) || j == 0) return WM_OK;
  if (i == j && memcmp(items, shortcut, j * sizeof *items) == 0) return WM_OK;
  const size_t rest = list->count - i;
  /* `shortcut` may be this array. */
  WmBuffer *polygons = &query->arrays[WM_QUERY_POLYGONS];
  const bool same = shortcut == polygons->items;
  WmStatus status = wm_query_reserve(query, WM_QUERY_POLYGONS, WM_QUERY_POLYGONS, j + rest);
  if (status) return status;
  WmRef *joined = polygons->items;
  if (!same) memcpy(joined, shortcut, j * sizeof *joined);
  memcpy(joined + j, items + i, rest * sizeof *joined);
  float cost, joined_cost;
  status = find_cost(corridor, filter, items, list->count, &cost);
  if (!status) status = find_cost(corridor, filter, joined, j + rest, &joined_cost);
  if (status || !(joined_cost < cost || (joined_cost == cost && j < i))) return status;
  status = wm_ref_list_set(corridor->context, list, joined, j + rest);
  *changed = !status;
  WM_VALIDATE(!was_linked || wm_corridor_validate_links(corridor));
  return status;
}

WmStatus wm_corridor_optimize_visibility(WmPathCorridor *corridor, const float next[3], float range,
                                         const WmFilter *filter, bool *changed) {
  WmContext *context = corridor->context;
  bool unused;
  if (!changed) changed = &unused;
  *changed = false;
  WmStatus status = wm_corridor_check(corridor);
  if (!status) status = wm_query_check_position(context, next, "next");
  if (!status) status = wm_query_check_numbers(context, &range, 1, 0, "range");
  if (status) return status;
  const float *position = corridor->position;
  const float away = sqrtf(wm_squared_distance_on_plane(position, next));
  if (!(away >= REACHED) || corridor->polygons.count < 2) return WM_OK;
  const float reach = away + OVERSHOOT < range ? away + OVERSHOOT : range;
  const float looked_for = away < range ? away : range;
  float to[3];
  wm_interpolate(position, next, reach / away, to);
  WmRay ray;
  status = wm_query_raycast(corridor->query, wm_corridor_polygons(corridor)[0], position, to, filter, false,
                            0, &ray);
  if (status || ray.outside || (ray.hit && !(ray.t * reach >= looked_for * FREE_ENOUGH))) return status;
  return try_shortcut(corridor, wm_query_filter(corridor->query, filter), ray.polygons, ray.polygon_count,
                      changed);
}

WmStatus wm_corridor_optimize_topology(WmPathCorridor *corridor, size_t budget, const WmFilter *filter,
                                       bool *changed) {
  WmQuery *query = corridor->query;
  bool unused;
  if (!changed) changed = &unused;
  *changed = false;
  WmStatus status = wm_corridor_check(corridor);
  const size_t count = corridor->polygons.count;
  if (status || count < 3) return status;
  const WmRef *items = wm_corridor_polygons(corridor);
  const WmSearchOptions options = {.filter = filter};
  WmSearchTask task;
  WmSearchState state;
  WmCorridor found;
  status = wm_search_check(query, items[0], corridor->position, items[count - 1], corridor->target, &options,
                           &task);
  if (!status) status = wm_search_start(query, &task, &state);
  if (!status) status = wm_search_run(&state, budget);
  if (!status) {
    status = wm_search_write(&state, wm_search_find_along(&state, items, count), &found);
  }
  if (status) return status;
  return try_shortcut(corridor, task.options.filter, found.polygons, found.polygon_count, changed);
}
