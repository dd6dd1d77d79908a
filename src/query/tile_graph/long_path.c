/* Long paths: both ends into the graph, the search between them, the waypoints, and the exact first leg. See tile_graph.h. */
#include "query/cheapest/cheapest_line.h"
#include "query/search/search_internal.h"
#include "query/tile_graph/tile_graph_internal.h"

/* Rounding of lengths must not make a lower bound larger than a length. */
#define BOUND_SCALE 0.99999f

/* The estimate of the rest of a way, times its lower bound, is at least this: a search with an estimate that is a little too
 * large visits a third of the entrances. Where most ways are longer than that (graph->detour), the estimate is, too. */
#define LEFT_SCALE 1.05f

WmLongPathOptions wm_long_path_options_default(void) {
  return (WmLongPathOptions){.half_extents = {2, 4, 2}, .leg_tiles = 6, .shortest = true};
}

/* ---- Ends --------------------------------------------------------------------------------------------- */

/* The start or the end. */
typedef struct Place {
  uint32_t cluster;  /* WM_NONE: not found */
  WmNearest nearest; /* polygon 0: its tile isn't loaded, the point is the given one */
  float *costs;      /* scratch [entries of the cluster's list] */
} Place;

/* The tile place of a point. */
static int32_t place_on(const WmTileGraph *graph, int axis, const float point[3]) {
  const float place = floorf((point[axis] - graph->origin[axis]) / graph->tile_size[axis / 2]);
  return place > -1e6f && place < 1e6f ? (int32_t)place : INT32_MAX;
}

/* The entry of a cluster's list that is nearest to a point. */
static uint32_t find_nearest_entry(const WmTileGraph *graph, const WmCluster *cluster, const float point[3],
                                   float *distance) {
  uint32_t best = 0;
  *distance = INFINITY;
  for (uint32_t i = 0; i < cluster->count; i++) {
    const float squared =
        wm_squared_distance(wm_graph_entrance(graph, wm_graph_list(graph, cluster)[i])->point, point);
    if (squared < *distance) best = i;
    if (squared < *distance) *distance = squared;
  }
  return best;
}

/* Finds the tile of a point among those that aren't loaded: of several layers, the one with the nearest entrance. */
static uint32_t find_unloaded(const WmTileGraph *graph, const float point[3]) {
  const int32_t x = place_on(graph, 0, point), z = place_on(graph, 2, point);
  uint32_t best = WM_NONE;
  float least = INFINITY;
  for (uint32_t i = wm_graph_first_layer(graph, x, z); i != WM_NONE; i = wm_graph_next_layer(graph, i)) {
    const WmCluster *cluster = wm_graph_clusters(graph) + i;
    float distance;
    find_nearest_entry(graph, cluster, point, &distance);
    if (cluster->tile || !(distance < least)) continue;
    least = distance;
    best = i;
  }
  return best;
}

/* The straight distances between a point and the entries that are connected to the nearest one, or all of them: the ground of the
 * tile isn't known. */
static void estimate(const WmTileGraph *graph, Place *place, bool all) {
  const WmCluster *cluster = wm_graph_clusters(graph) + place->cluster;
  float distance;
  const uint32_t nearest = find_nearest_entry(graph, cluster, place->nearest.point, &distance);
  for (uint32_t i = 0; i < cluster->count; i++) {
    const bool is_connected = all || i == nearest ||
                              (wm_graph_cost(graph, cluster, i, nearest) < INFINITY &&
                               wm_graph_cost(graph, cluster, nearest, i) < INFINITY);
    const float *point = wm_graph_entrance(graph, wm_graph_list(graph, cluster)[i])->point;
    place->costs[i] = is_connected ? wm_distance(point, place->nearest.point) : INFINITY;
  }
}

/* Finds the tile of an end, and the costs between the end and the tile's entrances.
 * in         is_end: costs to the point, else from it */
static WmStatus find_place(WmTileGraph *graph, const float point[3], const WmLongPathOptions *options,
                           bool is_end, Place *place) {
  *place = (Place){.cluster = WM_NONE};
  if (graph->mesh) {
    const WmStatus status =
        wm_query_find_nearest(&graph->query, point, options->half_extents, &graph->filter, &place->nearest);
    if (status) return status;
  }
  if (place->nearest.polygon) {
    place->cluster = ((const uint32_t *)graph->slots.items)[wm_ref_slot(place->nearest.polygon)];
  } else {
    memcpy(place->nearest.point, point, sizeof place->nearest.point);
    place->cluster = find_unloaded(graph, point);
  }
  if (place->cluster == WM_NONE) return WM_OK;
  const WmCluster *cluster = wm_graph_clusters(graph) + place->cluster;
  place->costs = wm_scratch_array(graph->context, cluster->count, sizeof(float));
  if (!place->costs) return WM_ERROR_OUT_OF_MEMORY;
  if (place->nearest.polygon)
    return wm_graph_costs_from(graph, cluster, &place->nearest, is_end, place->costs);
  estimate(graph, place, cluster->flags & WM_CLUSTER_ASSUMED);
  return WM_OK;
}

/* The cost within one tile, if both ends are in it. */
static WmStatus find_direct(WmTileGraph *graph, const Place *start, const Place *end, float *cost) {
  *cost = INFINITY;
  if (start->cluster != end->cluster) return WM_OK;
  if (start->nearest.polygon && end->nearest.polygon) {
    const WmMeshTile *tile = wm_graph_tile(graph, wm_graph_clusters(graph) + start->cluster);
    return wm_graph_cost_within(graph, tile, &start->nearest, &end->nearest, cost);
  }
  *cost = wm_distance(start->nearest.point, end->nearest.point);
  return WM_OK;
}

/* ---- Waypoints ---------------------------------------------------------------------------------------- */

/* The waypoints under construction, with their entries. */
typedef struct Trail {
  WmTileGraph *graph;
  WmBuffer *waypoints;
  size_t count, wanted; /* steps are refined until there are as many */
  bool is_assumed;      /* it leads through a tile that is assumed to be open */
} Trail;

/* Appends the waypoint where the way crosses an entrance into the side of an entry. */
static WmStatus append(Trail *trail, uint32_t entry, float cost) {
  WmTileGraph *graph = trail->graph;
  const WmStatus status =
      wm_buffer_reserve(graph->context, trail->waypoints, trail->count + 1, sizeof(WmWaypoint));
  if (status) return status;
  const WmCluster *cluster = wm_graph_clusters(graph) + wm_graph_side(graph, entry);
  WmWaypoint *waypoint = (WmWaypoint *)trail->waypoints->items + trail->count++;
  *waypoint = (WmWaypoint){.cost = cost, .is_loaded = cluster->tile != 0};
  waypoint->is_connection = (cluster->flags & WM_CLUSTER_CONNECTION) != 0;
  waypoint->entry = entry;
  if (!waypoint->is_connection) {
    waypoint->x = cluster->x;
    waypoint->z = cluster->z;
    waypoint->layer = cluster->layer;
  }
  memcpy(waypoint->point, wm_graph_entrance(graph, entry)->point, sizeof waypoint->point);
  return WM_OK;
}

/* Copies the steps before a step of a search, in their order.
 * in         last: WM_NONE: there are none
 * out        *steps [*count]: scratch */
static WmStatus copy_steps(const WmTileGraph *graph, const WmWalk *walk, uint32_t last, WmWalkStep **steps,
                           size_t *count) {
  *count = 0;
  const uint32_t first = last == WM_NONE ? WM_NONE : wm_walk_step(walk, last)->parent;
  for (uint32_t at = first; at != WM_NONE; at = wm_walk_step(walk, at)->parent) (*count)++;
  *steps = wm_scratch_array(graph->context, *count, sizeof **steps);
  if (!*steps) return WM_ERROR_OUT_OF_MEMORY;
  size_t i = *count;
  for (uint32_t at = first; at != WM_NONE; at = wm_walk_step(walk, at)->parent)
    (*steps)[--i] = *wm_walk_step(walk, at);
  return WM_OK;
}

static WmStatus refine(Trail *trail, uint32_t from, float cost, uint32_t to, float to_cost,
                       const WmCluster *cluster);

/* Appends the steps within a block, and its exit. */
/* NOLINTNEXTLINE(misc-no-recursion): one level deep for each level of blocks */
static WmStatus refine_block(Trail *trail, uint32_t from, float cost, uint32_t to, float to_cost,
                             uint32_t block) {
  WmTileGraph *graph = trail->graph;
  const uint32_t level = wm_graph_clusters(graph)[block].level;
  uint32_t exit;
  WmStatus status = wm_walk_within(graph, block, from, to ^ 1, INFINITY, &exit);
  if (status) return status;
  WmWalkStep *steps; /* between `from` and the exit */
  size_t count;
  status = copy_steps(graph, &graph->inner, exit, &steps, &count);
  if (status) return status;
  float last_cost = cost;
  if (count == 0) count = 1;                       /* a file may claim a way that its lists lack */
  for (size_t i = 1; i <= count && !status; i++) { /* the first step is `from` itself */
    const float step_cost = i < count ? fminf(cost + steps[i].cost, to_cost) : to_cost;
    const uint32_t entry = i < count ? steps[i].entry : to;
    const uint32_t child = wm_graph_ancestor(graph, wm_graph_side(graph, from), level - 1);
    status = refine(trail, from, last_cost, entry, step_cost, wm_graph_clusters(graph) + child);
    from = entry;
    last_cost = step_cost;
  }
  return status;
}

/* Appends the waypoints of a step through a cluster: after `from` was crossed, up to crossing `to`. Blocks with tiles that are assumed to be
 * open are refined, to find out whether it leads through one of those. */
/* NOLINTNEXTLINE(misc-no-recursion): one level deep for each level of blocks */
static WmStatus refine(Trail *trail, uint32_t from, float cost, uint32_t to, float to_cost,
                       const WmCluster *cluster) {
  WmTileGraph *graph = trail->graph;
  const uint32_t number = (uint32_t)(cluster - wm_graph_clusters(graph));
  const bool is_assumed = cluster->flags & WM_CLUSTER_ASSUMED;
  if (cluster->level > 0 && (is_assumed || trail->count < trail->wanted)) {
    return refine_block(trail, from, cost, to, to_cost, number);
  }
  trail->is_assumed |= is_assumed;
  if (trail->count > 0)
    ((WmWaypoint *)trail->waypoints->items)[trail->count - 1].is_next = cluster->level == 0;
  return append(trail, to, to_cost);
}

/* Writes the way that the search has found.
 * in         last: its step to the end */
static WmStatus write_waypoints(WmTileGraph *graph, const WmLongPathOptions *options, uint32_t last,
                                WmLongPath *path) {
  WmWalkStep *steps;
  size_t count;
  WmStatus status = copy_steps(graph, &graph->walk, last, &steps, &count);
  if (status) return status;
  Trail trail = {.graph = graph, .waypoints = &graph->waypoints, .wanted = 2 * (size_t)options->leg_tiles};
  if (count > 0) status = append(&trail, steps[0].entry, steps[0].cost);
  for (size_t i = 1; i < count && !status; i++) {
    const WmWalkStep *from = &steps[i - 1], *to = &steps[i];
    const WmCluster *cluster = wm_graph_choose_cluster(graph, wm_graph_side(graph, from->entry));
    status = refine(&trail, from->entry, from->cost, to->entry, to->cost, cluster);
  }
  if (!status && trail.count) ((WmWaypoint *)graph->waypoints.items)[trail.count - 1].is_next = true;
  path->waypoints = graph->waypoints.items;
  path->waypoint_count = trail.count;
  path->is_estimate |= trail.is_assumed;
  return status;
}

/* ---- The leg ------------------------------------------------------------------------------------------ */

/* The polygon at a waypoint: the one in front of it, or the one behind where that is an off-mesh connection. */
static WmRef find_polygon(const WmTileGraph *graph, uint32_t entry) {
  WmRef found = 0;
  for (uint32_t i = 0; i < 2; i++) {
    const uint32_t side = (entry & 1) ^ (1 - i);
    const WmEntrance *entrance = wm_graph_entrance(graph, entry);
    const WmMeshTile *tile = wm_graph_tile(graph, wm_graph_clusters(graph) + entrance->clusters[side]);
    if (!tile || entrance->polygons[side] >= tile->polygon_count) continue;
    const WmRef polygon = tile->ref + entrance->polygons[side];
    if (entrance->polygons[side] < tile->ground_count) return polygon;
    if (!found) found = polygon;
  }
  return found;
}

/* A waypoint nearer to the start than this has no part in the leg, world units: the start is on a border. */
#define SAME_PLACE 0.01f

/* Chooses where the leg ends: as far as its tiles follow on each other and are loaded. */
static void choose_goal(const WmTileGraph *graph, const WmLongPathOptions *options, const Place *start,
                        const Place *end, WmLongPath *path, WmNearest *goal) {
  const WmWaypoint *waypoints = path->waypoints;
  size_t i = 0, most = options->leg_tiles;
  for (; i < path->waypoint_count && waypoints[i].is_loaded && waypoints[i].is_next; i++) {
    most += wm_distance(waypoints[i].point, start->nearest.point) < SAME_PLACE;
    if (i + 1 >= most) break;
  }
  const bool is_end = i == path->waypoint_count && end->nearest.polygon;
  path->leads_to_end = is_end;
  if (i == path->waypoint_count && i > 0 && !is_end) i--;
  path->leg_waypoints = (uint32_t)(is_end ? i : i + 1);
  *goal = end->nearest;
  if (is_end) return;
  *goal = (WmNearest){.polygon = find_polygon(graph, waypoints[i].entry)};
  memcpy(goal->point, waypoints[i].point, sizeof goal->point);
}

/* Finds the leg: a search and a string, as wm_query_find_path. */
static WmStatus find_leg(WmTileGraph *graph, const WmLongPathOptions *options, const Place *start,
                         const WmNearest *goal, WmPath *leg) {
  WmQuery *query = &graph->query;
  const WmSearchOptions search = {.filter = &graph->filter, .shortest = options->shortest};
  WmSearchTask task = wm_search_task(query, start->nearest.polygon, start->nearest.point, goal->polygon,
                                     goal->point, &search);
  task.leaves_cost = true;
  WmCorridor corridor;
  const WmStatus status = wm_query_search(query, &task, &corridor);
  if (status) return status;
  *leg = (WmPath){.state = corridor.state, .reason = corridor.reason, .cost = corridor.cost};
  leg->searched = corridor.searched;
  leg->start = start->nearest;
  leg->end = *goal;
  const WmPulling pulling = {.start = start->nearest.point,
                             .end = goal->point,
                             .polygons = corridor.polygons,
                             .links = query->arrays[WM_QUERY_LINKS].items,
                             .polygon_count = corridor.polygon_count};
  if (options->shortest && leg->state == WM_PATH_COMPLETE && query->is_cheapest)
    return wm_cheapest_pull(query, &pulling, &graph->filter, leg);
  return wm_query_pull(query, pulling.start, pulling.end, pulling.polygons, pulling.links,
                       pulling.polygon_count, WM_CROSSINGS_NONE, 0, 0, NULL, leg);
}

static WmStatus add_leg(WmTileGraph *graph, const WmLongPathOptions *options, const Place *start,
                        const Place *end, WmLongPath *path) {
  if (!start->nearest.polygon || (path->waypoint_count == 0 && !end->nearest.polygon)) return WM_OK;
  WmNearest goal;
  choose_goal(graph, options, start, end, path, &goal);
  if (!goal.polygon) return WM_OK;
  const WmStatus status = find_leg(graph, options, start, &goal, &path->leg);
  if (status || path->leg.state != WM_PATH_COMPLETE) return status;
  const float promised = path->leads_to_end ? path->cost : path->waypoints[path->leg_waypoints - 1].cost;
  path->cost = path->leg.cost + fmaxf(path->cost - promised, 0);
  return WM_OK;
}

/* ---- The path ----------------------------------------------------------------------------------------- */

/* The reason why an end has no place. */
static WmStatus explain_end(WmTileGraph *graph, const float point[3], const WmLongPathOptions *options,
                            bool is_end, WmLongPath *path) {
  path->reason = is_end ? WM_PATH_REASON_END_NOT_FOUND : WM_PATH_REASON_START_NOT_FOUND;
  if (!graph->mesh) return WM_OK;
  WmNearestOptions near = {.filter = &graph->filter};
  memcpy(near.half_extents, options->half_extents, sizeof near.half_extents);
  return wm_path_explain_end(&graph->query, point, &near, is_end, &path->reason);
}

static WmStatus find_path(WmTileGraph *graph, const float start_point[3], const float end_point[3],
                          const WmLongPathOptions *options, WmLongPath *path) {
  Place start, end;
  WmWalkTask task;
  WmStatus status = find_place(graph, start_point, options, false, &start);
  if (!status) status = find_place(graph, end_point, options, true, &end);
  if (status) return status;
  if (start.cluster == WM_NONE) return explain_end(graph, start_point, options, false, path);
  if (end.cluster == WM_NONE) return explain_end(graph, end_point, options, true, path);
  const float least = wm_graph_least_cost(graph);
  task = (WmWalkTask){
      .start = start.cluster, .end = end.cluster, .start_costs = start.costs, .end_costs = end.costs};
  task.left_scale = fmaxf(LEFT_SCALE, graph->detour) * least;
  memcpy(task.start_point, start.nearest.point, sizeof task.start_point);
  memcpy(task.end_point, end.nearest.point, sizeof task.end_point);
  status = find_direct(graph, &start, &end, &task.direct);
  uint32_t last = WM_NONE;
  if (!status) status = wm_walk_between(graph, &task, &last);
  path->is_estimate = !start.nearest.polygon || !end.nearest.polygon;
  if (!status && last == WM_NONE && path->is_estimate) {
    /* The nearest entrance may be that of a closed yard. */
    if (!start.nearest.polygon) estimate(graph, &start, true);
    if (!end.nearest.polygon) estimate(graph, &end, true);
    status = wm_walk_between(graph, &task, &last);
  }
  if (status) return status;
  path->searched = graph->walk.expanded;
  path->lower_bound = wm_distance(start.nearest.point, end.nearest.point) * least * BOUND_SCALE;
  const bool reached = last != WM_NONE;
  path->state = reached ? WM_PATH_COMPLETE : WM_PATH_UNREACHABLE;
  path->reason = reached ? WM_PATH_REASON_NONE : WM_PATH_REASON_NOT_CONNECTED;
  if (!reached) return WM_OK;
  path->cost = wm_walk_step(&graph->walk, last)->cost;
  status = write_waypoints(graph, options, last, path);
  return status ? status : add_leg(graph, options, &start, &end, path);
}

WmStatus wm_tile_graph_find_path(WmTileGraph *graph, const float start[3], const float end[3],
                                 const WmLongPathOptions *options, WmLongPath *path) {
  const WmLongPathOptions standard = wm_long_path_options_default();
  if (!options) options = &standard;
  memset(path, 0, sizeof *path);
  WmStatus status = wm_query_check_position(graph->context, start, "start");
  if (!status) status = wm_query_check_position(graph->context, end, "end");
  if (!status) status = wm_query_check_numbers(graph->context, options->half_extents, 3, 0, "halfExtents");
  if (!status && (options->leg_tiles < 2 || options->leg_tiles > 1000)) {
    status = wm_fail_range(graph->context, WM_ERROR_INVALID_ARGUMENT, "legTiles", options->leg_tiles, 2, 1000,
                           NULL);
  }
  if (!status) status = wm_tile_graph_update(graph);
  if (status) return status;
  const WmScratchMark mark = wm_scratch_mark(graph->context);
  status = find_path(graph, start, end, options, path);
  wm_scratch_rewind(graph->context, mark);
  if (status) memset(path, 0, sizeof *path);
  return status;
}
