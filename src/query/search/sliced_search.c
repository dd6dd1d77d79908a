/* Searches in slices: the search of search.c with a query of its own, stopped after any polygon and
 * continued. Its nodes name polygons by slots and numbers, which mean other polygons once their tiles or
 * the links of these have changed: then it starts again. Where only tiles that it hasn't met have changed, it would find the same
 * nodes again, and goes on. It goes on where flags and areas have changed, too, unless that has closed its corridor when it is done.
 * See search.h. */
#include "query/check.h"
#include "query/search/replay.h"
#include "query/search/search_internal.h"

struct WmSearch {
  WmQuery query; /* holds its nodes and its corridor */
  WmFilter filter;
  WmSearchTask task;
  WmSearchState state;
  bool begun;                      /* there is a task */
  bool started;                    /* `state` belongs to it and to the mesh of shape_version */
  uint64_t shape_version, version; /* of the mesh when it started, or was found to be the same still */
  uint64_t change_count;           /* of the mesh, then */
};

WmStatus wm_search_create(WmContext *context, const WmMesh *mesh, WmSearch **out) {
  WmSearch *search = *out = wm_block_allocate(context, sizeof *search);
  if (!search) return WM_ERROR_OUT_OF_MEMORY;
  memset(search, 0, sizeof *search);
  wm_query_init(&search->query, context, mesh);
  return WM_OK;
}

void wm_search_destroy(WmSearch *search) {
  if (!search) return;
  WmContext *context = search->query.context;
  wm_query_free(&search->query);
  wm_block_free(context, search);
}

/* True if the ordinary search, the first of two, would be the same on the present mesh: no tile that it has met has changed since, nor the
 * lower bound of costs. Its nodes are lost where shortcuts are looked for, and walls near them may be those of any tile. */
static bool is_intact(const WmSearch *search) {
  const WmSearchState *state = &search->state;
  const WmNodes *nodes = &search->query.nodes;
  const WmMesh *mesh = search->query.mesh;
  if (state->shortcuts || state->task->options.wall_cost > 0) return false;
  if (state->left_scale != wm_search_left_scale(mesh, state->filter)) return false;
  const WmNodeTile *tiles = nodes->tiles.items;
  for (size_t slot = 0; slot < nodes->tiles.capacity; slot++) {
    if (tiles[slot].stamp == nodes->stamp && wm_mesh_slot_change(mesh, slot) > search->change_count)
      return false;
  }
  return true;
}

/* Makes an intact search one of the present mesh: a search in cones or over spots begins again. */
static WmStatus keep_ordinary(WmSearch *search) {
  WmSearchState *state = &search->state;
  WmNodes *nodes = &search->query.nodes;
  const WmStatus status = wm_buffer_reserve(nodes->context, &nodes->tiles,
                                            wm_mesh_slot_count(search->query.mesh), sizeof(WmNodeTile));
  if (status || !state->is_in_cones) return status;
  state->is_in_cones = state->refused = false;
  state->cones = (WmConeSearch){0};
  state->spots = (WmSpotSearch){0};
  state->expanded = state->first_expanded;
  state->limited = state->first_limited;
  return wm_search_go_on(state);
}

/* Starts the search, unless it is started for the present mesh. A search that has failed counts as not
 * started. */
static WmStatus start_again(WmSearch *search) {
  const WmQuery *query = &search->query;
  const uint64_t version = wm_mesh_shape_version(query->mesh);
  if (!search->begun) return wm_fail(query->context, WM_ERROR_STATE, "search", "no search was begun");
  if (search->started && search->shape_version == version) return WM_OK;
  const bool stays = search->started && is_intact(search);
  search->started = false;
  WmStatus status = wm_mesh_check_ref(query->context, query->mesh, search->task.start, "start");
  if (!status) status = wm_mesh_check_ref(query->context, query->mesh, search->task.end, "end");
  if (!status)
    status = stays ? keep_ordinary(search) : wm_search_start(&search->query, &search->task, &search->state);
  search->started = !status;
  search->shape_version = version;
  search->version = wm_mesh_version(query->mesh);
  search->change_count = wm_mesh_change_count(query->mesh);
  return status;
}

/* Makes the task the search's own. */
static void adopt(WmSearch *search) {
  search->filter = *search->task.options.filter;
  search->task.options.filter = &search->filter;
  search->begun = true;
}

WmStatus wm_search_begin(WmSearch *search, WmRef start, const float start_position[3], WmRef end,
                         const float end_position[3], const WmSearchOptions *options) {
  search->begun = search->started = false;
  WmStatus status =
      wm_search_check(&search->query, start, start_position, end, end_position, options, &search->task);
  if (status) return status;
  adopt(search);
  status = start_again(search);
  search->begun = !status;
  return status;
}

/* Finds whether changes of flags since the search started have closed the corridor to the end. */
static WmStatus find_closed(const WmSearch *search, bool *is_closed) {
  const WmMesh *mesh = search->query.mesh;
  WmCorridor found;
  *is_closed = false;
  if (search->version == wm_mesh_version(mesh)) return WM_OK;
  const WmStatus status = wm_search_result(&search->state, &found);
  if (status || found.state != WM_PATH_COMPLETE) return status;
  for (size_t i = 0; i < found.polygon_count; i++) {
    const uint16_t flags =
        wm_mesh_tile_of(mesh, found.polygons[i])->polygon_flags[wm_ref_polygon(found.polygons[i])];
    if (!wm_filter_passes(&search->filter, flags)) *is_closed = true;
  }
  return WM_OK;
}

WmStatus wm_search_advance(WmSearch *search, size_t budget, bool *done, size_t *used) {
  *done = false;
  if (used) *used = 0;
  WmStatus status = start_again(search);
  if (status) return status;
  const size_t expanded = search->state.expanded;
  bool is_closed = false;
  status = wm_search_run(&search->state, budget);
  if (!status && search->state.done) status = find_closed(search, &is_closed);
  search->started = !status && !is_closed;
  if (status) return status;
  *done = search->state.done && !is_closed;
  if (used) *used = search->state.expanded - expanded;
  return WM_OK;
}

/* The cheapest node of a polygon that the search has met, or UINT32_MAX. */
static uint32_t find_node(const WmSearchState *state, WmRef polygon) {
  const WmNodes *nodes = &state->query->nodes;
  uint32_t best = UINT32_MAX;
  const WmMeshTile *tile = wm_mesh_tile_of(nodes->mesh, polygon);
  if (!tile) return best;
  const WmNodeTile *entry = (const WmNodeTile *)nodes->tiles.items + tile->slot;
  if (entry->stamp != nodes->stamp) return best;
  const uint32_t *first = tile->state_first + wm_ref_polygon(polygon);
  const WmNode *items = wm_nodes_items(nodes);
  for (uint32_t i = entry->first_node + first[0]; i < entry->first_node + first[1]; i++) {
    if (items[i].stamp != nodes->stamp) continue;
    if (best == UINT32_MAX || items[i].cost < items[best].cost) best = i;
  }
  return best;
}

uint32_t wm_search_find_along(const WmSearchState *state, const WmRef *corridor, size_t polygon_count) {
  for (size_t i = polygon_count; i > 0; i--) {
    const uint32_t node = find_node(state, corridor[i - 1]);
    if (node != UINT32_MAX) return node;
  }
  return state->best;
}

WmStatus wm_search_finish_along(WmSearch *search, const WmRef *corridor, size_t polygon_count,
                                WmCorridor *found) {
  *found = (WmCorridor){0};
  WmStatus status = start_again(search);
  if (status) return status;
  const uint32_t node = wm_search_find_along(&search->state, corridor, polygon_count);
  if (node == search->state.best) return wm_search_result(&search->state, found);
  status = wm_search_write(&search->state, node, found);
  if (status) *found = (WmCorridor){0};
  return status;
}

WmStatus wm_search_finish(WmSearch *search, WmCorridor *corridor) {
  return wm_search_finish_along(search, NULL, 0, corridor);
}

/* ---- Made again (replay.h) ---------------------------------------------------------------------------- */

bool wm_search_get_replay(const WmSearch *search, WmSearchReplay *replay) {
  const WmSearchTask *task = &search->task;
  const WmMesh *mesh = search->query.mesh;
  *replay = (WmSearchReplay){0};
  if (!search->begun) return false;
  *replay = (WmSearchReplay){.start = task->start,
                             .end = task->end,
                             .max_nodes = task->options.max_nodes,
                             .wall_distance = task->options.wall_distance,
                             .wall_cost = task->options.wall_cost,
                             .shortest = task->options.shortest};
  memcpy(replay->start_position, task->start_position, sizeof replay->start_position);
  memcpy(replay->end_position, task->end_position, sizeof replay->end_position);
  const WmSearchState *state = &search->state;
  const bool has_changed = search->version != wm_mesh_version(mesh),
             has_other_shape = search->shape_version != wm_mesh_shape_version(mesh);
  const bool stays = search->started && (!has_changed || is_intact(search));
  if (!search->started || (has_other_shape && !stays)) return true;
  replay->is_mixed = has_changed && !has_other_shape && state->expanded > 0 && (!stays || state->is_in_cones);
  const size_t expanded = has_other_shape && state->is_in_cones ? state->first_expanded : state->expanded;
  replay->expanded = replay->is_mixed ? 0 : expanded;
  return true;
}

/* The positions are those of a task: with `shortest` on their polygons already. */
WmStatus wm_search_replay(WmSearch *search, const WmSearchReplay *replay, const WmFilter *filter) {
  WmSearchOptions options = wm_search_options_default();
  options.filter = filter;
  options.max_nodes = replay->max_nodes < SIZE_MAX ? (size_t)replay->max_nodes : SIZE_MAX;
  options.wall_distance = replay->wall_distance;
  options.wall_cost = replay->wall_cost;
  options.shortest = replay->shortest;
  options.is_plain = replay->wall_distance > 0; /* as the crowd began it */
  search->begun = search->started = false;
  WmStatus status = wm_query_check_position(search->query.context, replay->start_position, "startPosition");
  if (!status) status = wm_query_check_position(search->query.context, replay->end_position, "endPosition");
  if (!status) status = wm_search_check_options(&search->query, &options);
  if (status) return status;
  search->task = wm_search_task(&search->query, replay->start, replay->start_position, replay->end,
                                replay->end_position, &options);
  adopt(search);
  const WmMesh *mesh = search->query.mesh;
  const bool exists = wm_mesh_tile_of(mesh, replay->start) && wm_mesh_tile_of(mesh, replay->end);
  if (!exists || replay->expanded == 0) return WM_OK;
  bool done;
  return wm_search_advance(search, replay->expanded < SIZE_MAX ? (size_t)replay->expanded : SIZE_MAX, &done,
                           NULL);
}
