/* Doors over tiles that aren't loaded. The mesh knows the volumes and states of its switches (switches.h) without the tiles, but not what
 * they change there. So each tile has the state of the switches over it when it was loaded last. While theirs is another one, the
 * tile is assumed to be open: all its entrances can be crossed, also those that switches had closed, and straight lines join those that
 * no known way joins. Its costs stay as they were: when the switches are as before, so is the graph. */
#include "query/switches/switch_cover.h"
#include "query/tile_graph/tile_graph_internal.h"

/* The tile places from low to high on x and z. */
typedef struct Places {
  int32_t low[2], high[2];
} Places;

/* The places of all tiles. */
static Places find_extent(const WmTileGraph *graph) {
  Places all = {{INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN}};
  for (uint32_t i = 0; i < graph->cluster_count; i++) {
    const WmCluster *cluster = wm_graph_clusters(graph) + i;
    if (!(cluster->flags & WM_CLUSTER_USED) || cluster->level > 0) continue;
    for (int axis = 0; axis < 2; axis++) {
      const int32_t at = axis ? cluster->z : cluster->x;
      if (at < all.low[axis]) all.low[axis] = at;
      if (at > all.high[axis]) all.high[axis] = at;
    }
  }
  return all;
}

enum { STATES = 0xffffff };

/* The state of a switch that is on: a hash of where it is and what it does. */
static uint32_t find_state(const WmSwitchPlace *place) {
  WmContentHash hash = wm_content_hash_start();
  wm_content_hash_words(&hash, place, offsetof(WmSwitchPlace, is_on) / sizeof(uint32_t));
  wm_content_hash_finish(&hash);
  return ((uint32_t)hash.lanes[0] & STATES) | 1;
}

/* Adds up the states of the switches over each tile.
 * in/out     states [cluster_count] */
static void add_states(const WmTileGraph *graph, uint32_t *states) {
  WmSwitchPlace place;
  const Places all = find_extent(graph);
  for (uint32_t i = 0; wm_switches_next_place(wm_mesh_switches(graph->mesh), &i, &place);) {
    if (!place.is_on) continue;
    const uint32_t state = find_state(&place);
    Places under;
    for (int axis = 0; axis < 2; axis++) {
      const int32_t low = wm_mesh_place(graph->mesh, 2 * axis, place.low[2 * axis]),
                    high = wm_mesh_place(graph->mesh, 2 * axis, place.high[2 * axis]);
      under.low[axis] = low > all.low[axis] ? low : all.low[axis];
      under.high[axis] = high < all.high[axis] ? high : all.high[axis];
    }
    for (int32_t z = under.low[1]; z <= under.high[1]; z++) {
      for (int32_t x = under.low[0]; x <= under.high[0]; x++) {
        uint32_t number = wm_graph_first_layer(graph, x, z);
        for (; number != WM_NONE; number = wm_graph_next_layer(graph, number)) {
          states[number] = (states[number] + state) & STATES;
        }
      }
    }
  }
}

uint8_t wm_graph_directions(const WmTileGraph *graph, const WmEntrance *entrance) {
  for (int side = 0; side < 2; side++) {
    const uint8_t flags = wm_graph_clusters(graph)[entrance->clusters[side]].flags;
    if (entrance->state & WM_ENTRANCE_CLOSED << side && !(flags & WM_CLUSTER_ASSUMED)) return 0;
  }
  return entrance->state & WM_ENTRANCE_OPEN;
}

/* Sets flags of all blocks that hold a tile. */
static void mark_blocks(WmTileGraph *graph, uint32_t tile, uint8_t flags) {
  for (uint32_t i = wm_graph_parents(graph)[tile]; i != WM_NONE; i = wm_graph_parents(graph)[i]) {
    wm_graph_clusters(graph)[i].flags |= flags;
  }
}

void wm_graph_set_directions(WmTileGraph *graph, WmEntrance *entrance) {
  const uint8_t directions = wm_graph_directions(graph, entrance);
  if (entrance->is_dead || directions == entrance->directions) return;
  entrance->directions = directions;
  entrance->level = 0;
  for (int side = 0; side < 2; side++) mark_blocks(graph, entrance->clusters[side], WM_CLUSTER_STALE);
}

/* in         state: of the switches over the tile now */
static void update_tile(WmTileGraph *graph, uint32_t number, uint32_t state) {
  WmCluster *tile = wm_graph_clusters(graph) + number;
  if (tile->tile) {
    tile->doors = state;
    tile->flags &= (uint8_t)~WM_CLUSTER_DOUBTED;
  }
  const bool is_assumed = tile->flags & WM_CLUSTER_DOUBTED || tile->doors != state;
  if (is_assumed) mark_blocks(graph, number, WM_CLUSTER_ASSUMED);
  if (is_assumed == ((tile->flags & WM_CLUSTER_ASSUMED) != 0)) return;
  tile->flags ^= WM_CLUSTER_ASSUMED;
  mark_blocks(graph, number, WM_CLUSTER_STALE);
  for (uint32_t i = 0; i < tile->count; i++) {
    wm_graph_set_directions(graph, wm_graph_entrances(graph) + (wm_graph_list(graph, tile)[i] >> 1));
  }
}

WmStatus wm_graph_update_doors(WmTileGraph *graph) {
  uint32_t *states = wm_scratch_zeroed(graph->context, graph->cluster_count, sizeof *states);
  if (!states) return WM_ERROR_OUT_OF_MEMORY;
  WmCluster *clusters = wm_graph_clusters(graph);
  if (graph->mesh && wm_mesh_switches(graph->mesh)) add_states(graph, states);
  for (uint32_t i = 0; i < graph->cluster_count; i++) {
    if (clusters[i].level > 0) clusters[i].flags &= (uint8_t)~WM_CLUSTER_ASSUMED;
  }
  for (uint32_t i = 0; i < graph->cluster_count; i++) {
    if (clusters[i].level == 0) update_tile(graph, i, graph->mesh ? states[i] : clusters[i].doors);
  }
  return WM_OK;
}

bool *wm_graph_find_switched(const WmTileGraph *graph, const WmMeshTile *tile) {
  bool *marks = wm_scratch_array(graph->context, tile->polygon_count, sizeof *marks);
  for (uint32_t p = 0; marks && p < tile->polygon_count; p++) marks[p] = tile->polygon_flags[p] == 0;
  WmSwitchPlace place;
  for (uint32_t i = 0; marks && wm_switches_next_place(wm_mesh_switches(graph->mesh), &i, &place);) {
    for (size_t k = 0; k < place.polygon_count; k++) {
      const uint32_t polygon = wm_ref_polygon(place.polygons[k]);
      if (place.polygons[k] == tile->ref + polygon) marks[polygon] = true;
    }
  }
  return marks;
}

void wm_walk_improve_assumed(const WmTileGraph *graph, const WmCluster *cluster, uint32_t from, float cost,
                             float *costs, WmImproved *improved) {
  const uint32_t *list = wm_graph_list(graph, cluster);
  const WmEntrance *start = wm_graph_entrance(graph, list[from]);
  for (uint32_t i = 0; i < cluster->count; i++) {
    const WmEntrance *end = wm_graph_entrance(graph, list[i]);
    float step = wm_graph_cost(graph, cluster, from, i);
    if (step == INFINITY)
      step = wm_distance(start->point, end->point) * fmaxf(start->unit_cost, end->unit_cost);
    if (i == from || !(cost + step < costs[i])) continue;
    costs[i] = cost + step;
    improved->indices[improved->count++] = (uint16_t)i;
  }
}
