/* Shortcuts: corridors that follow the shortest line instead of the midpoints of edges.
 *
 * A second search, after the ordinary one has reached the end. In it a node's parent may be any node from
 * which a free ray leads to it: for each link that is followed, a ray from the parent tests if the straight
 * line is free, and adds up its cost. The corridor lists the polygons that those rays cross, so that each is
 * linked to the next. As its line still turns at midpoints of edges, its string need not be the shorter one:
 * both strings are measured, and the cheaper corridor is the result. Ends that can't be reached cost no ray.
 *
 * Source: A. Nash, K. Daniel, S. Koenig, A. Felner, "Theta*: Any-Angle Path Planning on Grids", 2007; there
 * paths are not pulled tight, and the shortcut is always used. */
#include "base/debug/assert.h"
#include "query/local/ray_walk.h"
#include "query/search/search_internal.h"

/* The limit for ray_limit 0, in radii of the agent: Detour's. */
#define RAY_LIMIT_RADII 50.0f

WmStatus wm_search_start_shortcuts(WmSearchState *state) {
  const WmSearchTask *task = state->task;
  wm_search_compare_costs(state);
  WmStatus status = wm_search_keep(state);
  if (status) return status;
  if (state->seeks_cheapest) {
    state->is_in_cones = true;
    return wm_search_start_spots(state);
  }
  const size_t expanded = state->expanded;
  const WmCorridor former = state->former;
  status = wm_search_start(state->query, task, state);
  if (status) return status;
  float limit = task->options.ray_limit;
  if (!(limit > 0)) limit = RAY_LIMIT_RADII * wm_mesh_tile_of(state->query->mesh, task->start)->agent_radius;
  state->shortcuts = true;
  state->ray_squared = limit * limit;
  state->expanded = expanded;
  state->former = former;
  state->done = former.polygon_count == 1;
  return WM_OK;
}

/* Casts a ray from a node to another; *seen: there is no wall between. */
static WmStatus look(const WmSearchState *state, const WmNode *from, const WmNode *to, WmRayWalk *walk,
                     bool *seen) {
  walk->context = state->query->context;
  walk->mesh = state->query->mesh;
  walk->filter = state->filter;
  walk->max_polygons = SIZE_MAX;
  walk->on_surface = false;
  const WmStatus status =
      wm_ray_walk(walk, wm_nodes_ref(&state->query->nodes, from), from->position, to->position);
  *seen = !status && !walk->outside && !walk->hit;
  return status;
}

void wm_search_shorten(const WmSearchState *state, uint32_t from_number, const WmNode *node, float *cost,
                       uint32_t *parent) {
  const WmNodes *nodes = &state->query->nodes;
  const WmNode *from = wm_nodes_items(nodes) + from_number, *before = wm_nodes_items(nodes) + from->parent;
  const float x = from->position[0] - before->position[0], y = from->position[1] - before->position[1],
              z = from->position[2] - before->position[2];
  if (!(x * x + y * y + z * z < state->ray_squared)) return;
  WmRayWalk walk = {.polygons = NULL};
  bool seen;
  if (look(state, before, node, &walk, &seen) || !seen) return;
  /* The ray must end on either side of the edge that the node lies on, or else the corridor would break. */
  if (walk.polygon != wm_nodes_ref(nodes, from) && walk.polygon != wm_nodes_ref(nodes, node)) return;
  const float straight = before->cost + walk.cost;
  if (!(straight <= *cost)) return;
  *cost = straight;
  *parent = from->parent;
}

/* ---- Writing ------------------------------------------------------------------------------------------ */

static bool are_linked(const WmNodes *nodes, const WmNode *from, const WmNode *to) {
  const WmMeshTile *tile = ((const WmNodeTile *)nodes->tiles.items)[from->slot].tile;
  for (uint32_t i = tile->link_first[from->polygon]; i < tile->link_first[from->polygon + 1]; i++) {
    if (tile->links[i].polygon == to->polygon && tile->links[i].slot == to->slot) return true;
  }
  return false;
}

/* Appends the polygons from one node, whose polygon is the last of the array, to another.
 * out        *linked: false if flags that have changed between slices stop the ray before its end */
static WmStatus write_hop(const WmSearchState *state, const WmNode *from, const WmNode *to, size_t *count,
                          bool *linked) {
  WmQuery *query = state->query;
  *linked = true;
  if (!are_linked(&query->nodes, from, to)) {
    WmRayWalk walk = {.polygons = &query->arrays[WM_QUERY_POLYGONS], .polygon_count = *count - 1};
    const WmStatus status = look(state, from, to, &walk, linked);
    if (status || !*linked) return status;
    *count = walk.polygon_count;
    if (walk.polygon == wm_nodes_ref(&query->nodes, to)) return WM_OK;
  }
  const WmStatus status = wm_query_reserve(query, WM_QUERY_POLYGONS, WM_QUERY_POLYGONS, *count + 1);
  if (!status)
    ((WmRef *)query->arrays[WM_QUERY_POLYGONS].items)[(*count)++] = wm_nodes_ref(&query->nodes, to);
  return status;
}

WmStatus wm_search_write_shortcuts(const WmSearchState *state, uint32_t number, WmCorridor *corridor) {
  WmQuery *query = state->query;
  const WmNode *nodes = wm_nodes_items(&query->nodes);
  const size_t hops = corridor->polygon_count;
  WmStatus status = wm_query_reserve(query, WM_QUERY_NUMBERS, WM_QUERY_NUMBERS, hops);
  if (!status) status = wm_query_reserve(query, WM_QUERY_POLYGONS, WM_QUERY_POLYGONS, hops);
  if (status) return status;
  uint32_t *numbers = query->arrays[WM_QUERY_NUMBERS].items;
  for (size_t i = hops; i > 0; i--, number = nodes[number].parent) numbers[i - 1] = number;
  ((WmRef *)query->arrays[WM_QUERY_POLYGONS].items)[0] = wm_nodes_ref(&query->nodes, nodes + numbers[0]);
  size_t count = 1;
  bool linked = true;
  for (size_t i = 1; i < hops && linked && !status; i++) {
    status = write_hop(state, nodes + numbers[i - 1], nodes + numbers[i], &count, &linked);
  }
  if (!linked) {
    corridor->state = WM_PATH_PARTIAL;
    corridor->reason = WM_PATH_REASON_BROKEN_CORRIDOR;
  }
  corridor->polygon_count = count;
  corridor->polygons = query->arrays[WM_QUERY_POLYGONS].items;
  if (!status) WM_VALIDATE(wm_search_validate(query->mesh, corridor));
  return status;
}

WmStatus wm_search_choose(const WmSearchState *state, WmCorridor *corridor) {
  const WmSearchTask *task = state->task;
  WmStatus status = WM_OK;
  if (state->reached && !state->is_in_cones) {
    status = wm_search_write(state, state->best, corridor);
    if (status) return status;
    if (corridor->state == WM_PATH_COMPLETE) {
      status = wm_query_measure(state->query, task->start_position, task->end_position, corridor->polygons,
                                corridor->polygon_count, state->filter, &corridor->cost);
    }
    if (status || (corridor->state == WM_PATH_COMPLETE && corridor->cost < state->former.cost)) return status;
  }
  *corridor = state->former;
  corridor->reason = state->done ? WM_PATH_REASON_NONE : WM_PATH_REASON_UNFINISHED;
  corridor->searched = state->expanded;
  return WM_OK;
}
