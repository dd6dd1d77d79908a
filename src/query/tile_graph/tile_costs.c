/* Within one tile: connected ground, and costs between places.
 *
 * A search over the tile's polygons (Dijkstra through the midpoints of portals, as the flat search) finds corridors that
 * don't leave the tile; their cost is that of the string through them. So each cost is that of a real line.
 *
 * Off-mesh connections of the tile are polygons like others. Where a way starts or ends on one, its cost is that of the line
 * through the midpoints, because strings start on the ground. */
#include "base/heap.h"
#include "query/tile_graph/tile_graph_internal.h"

/* ---- Labels ------------------------------------------------------------------------------------------- */

static uint16_t find_root(uint16_t *parents, uint16_t number) {
  while (parents[number] != number) number = parents[number] = parents[parents[number]];
  return number;
}

/* True if a link from polygon p to another of the tile can be followed back. */
static bool has_back(const WmMeshTile *tile, uint32_t p, uint32_t i) {
  if (tile->link_backs[i] != WM_NO_BACK) return true;
  const uint32_t target = tile->links[i].polygon;
  for (uint32_t k = tile->link_first[target]; k < tile->link_first[target + 1]; k++) {
    if (tile->links[k].slot == tile->slot && tile->links[k].polygon == p) return true;
  }
  return false;
}

/* Gives connected polygons the number of the first of them. */
static void join(const WmMeshTile *tile, const bool *switched, uint16_t *parents) {
  for (uint32_t p = 0; p < tile->ground_count; p++) {
    for (uint32_t i = tile->link_first[p]; i < tile->link_first[p + 1]; i++) {
      const uint32_t target = tile->links[i].polygon;
      if (tile->links[i].slot != tile->slot || target >= tile->ground_count || switched[p] ||
          switched[target])
        continue;
      if (parents[p] == UINT16_MAX || parents[target] == UINT16_MAX || !has_back(tile, p, i)) continue;
      const uint16_t a = find_root(parents, (uint16_t)p), b = find_root(parents, (uint16_t)target);
      parents[a > b ? a : b] = a > b ? b : a;
    }
  }
  for (uint32_t p = 0; p < tile->polygon_count; p++) {
    if (parents[p] != UINT16_MAX) parents[p] = find_root(parents, (uint16_t)p);
  }
}

uint16_t *wm_graph_label_tile(WmTileGraph *graph, const WmMeshTile *tile) {
  uint16_t *parents = wm_scratch_array(graph->context, tile->polygon_count, sizeof *parents);
  const WmScratchMark mark = wm_scratch_mark(graph->context);
  const bool *switched = parents ? wm_graph_find_switched(graph, tile) : NULL;
  if (!switched) return NULL;
  for (uint32_t p = 0; p < tile->polygon_count; p++) {
    const bool may_pass = switched[p] || wm_filter_passes(&graph->filter, tile->polygon_flags[p]);
    parents[p] = may_pass ? (uint16_t)p : UINT16_MAX;
  }
  join(tile, switched, parents);
  wm_scratch_rewind(graph->context, mark);
  return parents;
}

bool wm_graph_is_symmetric(const WmMeshTile *tile) {
  if (tile->connection_count > 0 || tile->segments) return false;
  for (uint32_t p = 0; p < tile->polygon_count; p++) {
    for (uint32_t i = tile->link_first[p]; i < tile->link_first[p + 1]; i++) {
      if (tile->links[i].slot == tile->slot && !has_back(tile, p, i)) return false;
    }
  }
  return true;
}

/* ---- The search --------------------------------------------------------------------------------------- */

/* A polygon that the search has met. */
typedef struct Visit {
  float position[3]; /* the midpoint of the edge it is entered by */
  float cost;        /* INFINITY: not met */
  uint32_t parent;   /* polygon; of the start: itself */
  uint32_t link;     /* from the parent */
  bool is_expanded;
} Visit;

typedef struct Search {
  WmTileGraph *graph;
  const WmMeshTile *tile;
  Visit *visits;  /* scratch [polygon_count] */
  uint64_t *keys; /* scratch: cost and polygon */
  size_t key_count;
  WmRef *polygons; /* scratch [polygon_count]: a corridor */
  uint32_t *links; /* scratch [polygon_count] */
  WmNearest start;
} Search;

static WmStatus make_search(WmTileGraph *graph, const WmMeshTile *tile, Search *search) {
  const size_t count = tile->polygon_count, links = tile->link_first[count];
  *search = (Search){.graph = graph, .tile = tile};
  search->visits = wm_scratch_array(graph->context, count, sizeof(Visit));
  search->keys = wm_scratch_array(graph->context, links + 1 + WM_HEAP_MARGIN, sizeof(uint64_t));
  search->polygons = wm_scratch_array(graph->context, count, sizeof(WmRef));
  search->links = wm_scratch_array(graph->context, count, sizeof(uint32_t));
  const bool is_made = search->visits && search->keys && search->polygons && search->links;
  return is_made ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}

static void expand(Search *search, uint32_t p) {
  const WmMeshTile *tile = search->tile;
  const Visit *visit = &search->visits[p];
  const float unit = wm_filter_unit_cost(&search->graph->filter, tile, p);
  for (uint32_t i = tile->link_first[p]; i < tile->link_first[p + 1]; i++) {
    const WmLink *link = &tile->links[i];
    if (link->slot != tile->slot) continue;
    Visit *next = &search->visits[link->polygon];
    if (next->is_expanded || !wm_filter_passes(&search->graph->filter, tile->polygon_flags[link->polygon]))
      continue;
    const float cost = visit->cost + wm_distance(visit->position, link->middle) * unit;
    if (!(cost < next->cost)) continue;
    *next = (Visit){.cost = cost, .parent = p, .link = i};
    memcpy(next->position, link->middle, sizeof next->position);
    wm_heap_push(search->keys, &search->key_count, wm_heap_key(cost, link->polygon));
  }
}

/* Finds corridors from a place to all polygons that are connected to it within the tile. */
static void run(Search *search, const WmNearest *start) {
  search->start = *start;
  for (uint32_t p = 0; p < search->tile->polygon_count; p++) {
    search->visits[p] = (Visit){.cost = INFINITY};
  }
  const uint32_t first = wm_ref_polygon(start->polygon);
  if (!wm_filter_passes(&search->graph->filter, search->tile->polygon_flags[first])) return;
  search->visits[first].cost = 0;
  search->visits[first].parent = first;
  memcpy(search->visits[first].position, start->point, sizeof start->point);
  wm_heap_clear(search->keys);
  search->key_count = 0;
  wm_heap_push(search->keys, &search->key_count, wm_heap_key(0, first));
  while (search->key_count > 0) {
    const uint32_t p = (uint32_t)search->keys[0];
    wm_heap_remove(search->keys, &search->key_count);
    if (search->visits[p].is_expanded) continue;
    search->visits[p].is_expanded = true;
    expand(search, p);
  }
}

/* ---- Costs -------------------------------------------------------------------------------------------- */

/* Costs that overflow are this: they are finite, because there is a way. */
#define MOST_COST 1e30f

/* The interval around a position of a link's segment where agents can enter it (or leave it): ties that touch are one. Where no ground is tied,
 * its tile isn't loaded: all of the segment counts as open.
 * returns    false: there is none */
static bool find_open(const WmMeshTile *set, uint32_t number, uint32_t end, bool is_exit, float across,
                      float open[2]) {
  open[0] = open[1] = across;
  bool found = false, is_known = false;
  for (bool grows = true; grows;) {
    grows = false;
    for (uint32_t i = set->tie_first[number]; i < set->tie_first[number + 1]; i++) {
      const WmLinkTie *tie = &set->ties[i];
      if (tie->end != end || tie->low > open[1] + WM_LINK_OVERLAP || tie->high < open[0] - WM_LINK_OVERLAP)
        continue;
      is_known = true;
      if (!(is_exit ? tie->is_exit : tie->is_entry)) continue;
      found = true;
      grows |= tie->low < open[0] || tie->high > open[1];
      open[0] = fminf(open[0], tie->low);
      open[1] = fmaxf(open[1], tie->high);
    }
  }
  if (is_known) return found;
  open[0] = 0;
  open[1] = 1;
  return true;
}

/* True if a way onto a segment link at one position of its segment `entry` can lead off it at one of the other segment. */
static bool do_positions_meet(const WmMeshTile *set, uint32_t number, uint32_t entry, const float across[2]) {
  float on[2], off[2];
  return find_open(set, number, entry, false, across[0], on) &&
         find_open(set, number, 1 - entry, true, across[1], off) &&
         fminf(on[1], off[1]) - fmaxf(on[0], off[0]) >= WM_LINK_OVERLAP;
}

/* The squared distance of entrances from the segments that they lie on: rounding. */
#define ON_SEGMENT_SQUARED 1e-4f

/* The cost over a segment link from the start, a point of one of its segments, to a point of the other one; INFINITY: it
 * doesn't lead there. */
static float measure_link(const Search *search, uint32_t number, const WmNearest *end) {
  const WmMeshTile *set = search->tile;
  const WmSegmentLink *link = &set->segments[number];
  const float unit = wm_filter_unit_cost(&search->graph->filter, set, number);
  float cost = INFINITY;
  for (uint32_t entry = 0; entry < (link->bidirectional ? 2u : 1u); entry++) {
    const float(*from)[3] = entry ? link->end : link->start, (*to)[3] = entry ? link->start : link->end;
    float across[2];
    if (wm_distance_to_segment(search->start.point, from[0], from[1], &across[0]) > ON_SEGMENT_SQUARED ||
        wm_distance_to_segment(end->point, to[0], to[1], &across[1]) > ON_SEGMENT_SQUARED ||
        !do_positions_meet(set, number, entry, across)) {
      continue;
    }
    const float shift = fabsf(across[1] - across[0]) * wm_segment_link_width(link);
    cost = fminf(cost, (link->cost + shift) * unit);
  }
  return cost;
}

/* The cost from the start to a place, by the search that has run; INFINITY: it isn't connected. */
static WmStatus measure(Search *search, const WmNearest *end, float *cost) {
  const WmMeshTile *tile = search->tile;
  const uint32_t first = wm_ref_polygon(search->start.polygon), last = wm_ref_polygon(end->polygon);
  const Visit *visit = &search->visits[last];
  *cost = visit->cost;
  if (*cost == INFINITY) return WM_OK; /* also if the start doesn't pass the filter */
  if (tile->segments) {
    *cost = measure_link(search, first, end);
    return WM_OK;
  }
  const float rest = wm_distance(visit->position, end->point);
  *cost += rest * wm_filter_unit_cost(&search->graph->filter, tile, last);
  if (!(*cost < MOST_COST)) *cost = MOST_COST;
  if (first == last || first >= tile->ground_count || last >= tile->ground_count) return WM_OK;
  size_t count = 1, at;
  for (uint32_t p = last; p != first; p = search->visits[p].parent) count++;
  uint32_t p = last;
  for (at = count; at > 0; p = search->visits[p].parent) {
    search->polygons[--at] = tile->ref + p;
    if (at > 0) search->links[at - 1] = search->visits[p].link;
  }
  search->links[count - 1] = WM_NO_LINK;
  float string;
  const WmStatus status =
      wm_query_measure_linked(&search->graph->query, search->start.point, end->point, search->polygons,
                              search->links, count, &search->graph->filter, WM_NOT_SHORTEST, &string);
  if (!status && string < *cost) *cost = string;
  return status;
}

static WmNearest place_of(const WmTileGraph *graph, const WmMeshTile *tile, uint32_t entry) {
  const WmEntrance *entrance = wm_graph_entrance(graph, entry);
  WmNearest place = {.polygon = tile->ref + entrance->polygons[entry & 1]};
  memcpy(place.point, entrance->point, sizeof place.point);
  return place;
}

/* As wm_graph_costs_from, after make_search. */
static WmStatus find_costs(Search *search, const WmCluster *cluster, const WmNearest *place, bool reversed,
                           float *costs) {
  const WmTileGraph *graph = search->graph;
  const uint32_t *list = wm_graph_list(graph, cluster);
  const bool each = reversed && !(cluster->flags & WM_CLUSTER_SYMMETRIC);
  if (!each) run(search, place);
  WmStatus status = WM_OK;
  for (uint32_t i = 0; i < cluster->count && !status; i++) {
    const WmNearest entrance = place_of(graph, search->tile, list[i]);
    if (each) run(search, &entrance);
    status = measure(search, each ? place : &entrance, &costs[i]);
  }
  return status;
}

WmStatus wm_graph_costs_from(WmTileGraph *graph, const WmCluster *cluster, const WmNearest *place,
                             bool reversed, float *costs) {
  const WmScratchMark mark = wm_scratch_mark(graph->context);
  Search search;
  WmStatus status = make_search(graph, wm_graph_tile(graph, cluster), &search);
  if (!status) status = find_costs(&search, cluster, place, reversed, costs);
  wm_scratch_rewind(graph->context, mark);
  return status;
}

WmStatus wm_graph_cost_within(WmTileGraph *graph, const WmMeshTile *tile, const WmNearest *from,
                              const WmNearest *to, float *cost) {
  const WmScratchMark mark = wm_scratch_mark(graph->context);
  Search search;
  WmStatus status = make_search(graph, tile, &search);
  if (!status) {
    run(&search, from);
    status = measure(&search, to, cost);
  }
  wm_scratch_rewind(graph->context, mark);
  return status;
}

WmStatus wm_graph_tile_costs(WmTileGraph *graph, const WmMeshTile *tile, const uint32_t *entries,
                             size_t count, bool symmetric, float *costs) {
  const WmScratchMark mark = wm_scratch_mark(graph->context);
  Search search;
  WmStatus status = make_search(graph, tile, &search);
  for (size_t i = 0; i < count && !status; i++) {
    const WmNearest from = place_of(graph, tile, entries[i]);
    run(&search, &from);
    for (size_t j = 0; j < (symmetric ? i : count) && !status; j++) {
      const WmNearest to = place_of(graph, tile, entries[j]);
      status = measure(&search, &to, &costs[i * count + j]);
      if (symmetric) costs[j * count + i] = costs[i * count + j];
    }
    costs[i * count + i] = 0;
  }
  wm_scratch_rewind(graph->context, mark);
  return status;
}
