/* Floods: Dijkstra over polygons through the midpoints of their edges, in a circle or a convex shape.
 *
 * A polygon is one node, at the midpoint of the edge it is first reached by, even if it turns out to be
 * cheaper through another edge; once popped it is final. A node's parent is the index in the result of the
 * polygon before, as only popped nodes lead on.
 *
 * The open list is a binary heap by cost alone; a node's entry moves up when its cost falls, as Detour's: the
 * order of equal costs depends on every move in it.
 *
 * Sources: E. W. Dijkstra, "A note on two problems in connexion with graphs", 1959; M. Mononen, Detour
 * (2009-), whose circle and shape searches have the same order and costs. */
#include "mesh/links/link_crossing.h"
#include "mesh/locate.h"
#include "query/local/convex.h"
#include "query/query_internal.h"
#include "query/search/flood.h"

WmFloodOptions wm_flood_options_default(void) {
  return (WmFloodOptions){.max_cost = INFINITY, .radius = INFINITY};
}

typedef struct Flood {
  WmNodes *nodes;
  const WmFilter *filter;
  float centre[3];
  float squared_radius;
  WmConvex shape; /* count 0: none */
} Flood;

/* ---- The open list ------------------------------------------------------------------------------------- */

/* WmNode.sequence is the index in it plus 1; 0 once the node is popped. */

typedef struct Entry {
  uint64_t key;
  uint32_t value; /* node */
} Entry;

/* Stores an entry at a hole, or farther up while the entries above cost more. */
static void move_up(WmNodes *nodes, size_t hole, Entry entry) {
  Entry *entries = nodes->entries.items;
  for (size_t parent; hole > 0 && entries[parent = (hole - 1) / 2].key > entry.key; hole = parent) {
    entries[hole] = entries[parent];
    wm_nodes_items(nodes)[entries[hole].value].sequence = (uint32_t)hole + 1;
  }
  entries[hole] = entry;
  wm_nodes_items(nodes)[entry.value].sequence = (uint32_t)hole + 1;
}

/* Pushes a node, or moves it up. */
static WmStatus put(WmNodes *nodes, uint32_t number, bool fresh) {
  const WmNode *node = wm_nodes_items(nodes) + number;
  const Entry entry = {wm_heap_key(node->cost, 0), number};
  if (fresh && nodes->heap_count == nodes->entries.capacity) {
    const WmStatus status =
        wm_buffer_reserve(nodes->context, &nodes->entries, nodes->heap_count + 64, sizeof(Entry));
    if (status) return status;
  }
  move_up(nodes, fresh ? nodes->heap_count++ : node->sequence - 1u, entry);
  return WM_OK;
}

/* Pops the cheapest node; UINT32_MAX if there is none. The hole sinks to the bottom, the last entry rises
 * from there. */
static uint32_t pop_node(WmNodes *nodes) {
  if (nodes->heap_count == 0) return UINT32_MAX;
  Entry *entries = nodes->entries.items;
  const uint32_t cheapest = entries[0].value;
  const size_t left = --nodes->heap_count;
  size_t hole = 0;
  for (size_t child = 1; child < left; child = 2 * hole + 1) {
    if (child + 1 < left && entries[child].key > entries[child + 1].key) child++;
    entries[hole] = entries[child];
    wm_nodes_items(nodes)[entries[hole].value].sequence = (uint32_t)hole + 1;
    hole = child;
  }
  if (left > 0) move_up(nodes, hole, entries[left]);
  wm_nodes_items(nodes)[cheapest].sequence = 0;
  return cheapest;
}

/* ---- Expanding ---------------------------------------------------------------------------------------- */

/* True if a portal touches the circle and the shape. */
WM_INLINE bool is_open(const Flood *flood, const float *portal) {
  float t;
  if (flood->squared_radius < INFINITY &&
      wm_distance_to_segment(flood->centre, portal, portal + 3, &t) > flood->squared_radius) {
    return false;
  }
  return flood->shape.count == 0 || wm_convex_touches(&flood->shape, portal, portal + 3);
}

/* Follows link `number` of the tile of a popped node, index `index` in the result. */
WM_INLINE WmStatus follow(Flood *flood, const WmNode *from, uint32_t index, const WmMeshTile *tile,
                          float unit_cost, uint32_t number, const WmNodeTile *target) {
  WmNodes *nodes = flood->nodes;
  const WmLink *link = &tile->links[number];
  const uint32_t to = wm_nodes_at(target, link->polygon, WM_TILE_SIDE_INSIDE);
  WmNode *node = wm_nodes_items(nodes) + to;
  const bool fresh = node->stamp != nodes->stamp;
  const float *portal = tile->link_portals + 6 * (size_t)number;
  if (!fresh && (node->sequence == 0 || !(from->cost < node->cost))) return WM_OK;
  if (!wm_filter_passes(flood->filter, target->tile->polygon_flags[link->polygon])) return WM_OK;
  if (!is_open(flood, portal)) return WM_OK;
  if (fresh) {
    wm_interpolate(portal, portal + 3, 0.5f, node->position);
    node->stamp = nodes->stamp;
    node->slot = link->slot;
    node->polygon = link->polygon;
  }
  const float cost = from->cost + wm_distance(from->position, node->position) * unit_cost;
  if (!fresh && cost >= node->cost) return WM_OK;
  node->cost = cost;
  node->parent = index;
  return put(nodes, to, fresh);
}

/* The position where a link onto or off a segment link leads, and the cost of the step there.
 * returns    false: the link can't be crossed there from where it was entered */
static bool step_over(const Flood *flood, const WmNode *from, uint32_t from_number, const WmNodeTile *entry,
                      uint32_t link_number, const WmNodeTile *target, float position[3], float *cost) {
  const WmMeshTile *tile = entry->tile;
  const WmLink *link = &tile->links[link_number];
  const float unit = wm_nodes_cost(flood->nodes, entry, from->polygon);
  WmLinkCrossing crossing;
  if (target->tile->segments) {
    const WmLinkTie *tie = wm_link_entry_tie(target->tile, link);
    crossing = (WmLinkCrossing){&target->tile->segments[link->polygon], tie->end, tie->low, tie->high};
    wm_link_crossing_point(&crossing, 0, wm_link_crossing_nearest(&crossing, 0, from->position), position);
    *cost = from->cost + wm_distance(from->position, position) * unit;
    return true;
  }
  const uint32_t state = from_number - entry->first_node - tile->state_first[from->polygon];
  const WmLinkTie *tie = state ? &tile->ties[tile->tie_first[from->polygon] + state - 1] : NULL;
  const WmLinkTie *exit = wm_link_exit_tie(tile, from->polygon, link);
  if (!wm_link_crossing_between(tile, from->polygon, tie, exit, &crossing)) return false;
  const float shift = wm_link_crossing_land(&crossing, from->position, position);
  *cost = from->cost + (crossing.link->cost + (tie ? shift : 0)) * unit;
  return true;
}

/* follow() onto and off segment links, which have a node for each polygon that they are entered from. */
static WM_COLD WmStatus follow_segment_link(Flood *flood, uint32_t from_number, uint32_t index,
                                            const WmNodeTile *entry, uint32_t number,
                                            const WmNodeTile *target) {
  WmNodes *nodes = flood->nodes;
  const WmNode *from = wm_nodes_items(nodes) + from_number;
  const WmLink *link = &entry->tile->links[number];
  const uint32_t to = wm_nodes_at(target, link->polygon, link->side);
  WmNode *node = wm_nodes_items(nodes) + to;
  const bool fresh = node->stamp != nodes->stamp;
  float position[3], cost;
  if (!fresh && (node->sequence == 0 || !(from->cost < node->cost))) return WM_OK;
  if (!wm_filter_passes(flood->filter, target->tile->polygon_flags[link->polygon])) return WM_OK;
  if (!is_open(flood, entry->tile->link_portals + 6 * (size_t)number)) return WM_OK;
  if (!step_over(flood, from, from_number, entry, number, target, position, &cost)) return WM_OK;
  if (fresh) {
    memcpy(node->position, position, sizeof position);
    node->stamp = nodes->stamp;
    node->slot = link->slot;
    node->polygon = link->polygon;
  } else {
    cost += wm_distance(position, node->position) * wm_nodes_cost(nodes, target, link->polygon);
  }
  if (!fresh && cost >= node->cost) return WM_OK;
  node->cost = cost;
  node->parent = index;
  return put(nodes, to, fresh);
}

static WmStatus expand(Flood *flood, uint32_t number, uint32_t index) {
  WmNodes *nodes = flood->nodes;
  const WmNode *node = wm_nodes_items(nodes) + number;
  const WmNodeTile *entry = (const WmNodeTile *)nodes->tiles.items + node->slot;
  const WmMeshTile *tile = entry->tile;
  const float unit_cost = wm_nodes_cost(nodes, entry, node->polygon);
  const uint32_t *first = tile->link_first + node->polygon, end = first[1];
  WmStatus status = WM_OK;
  for (uint32_t i = *first; i < end && !status; i++) {
    const WmNodeTile *target = wm_nodes_tile(nodes, tile->links[i].slot);
    if (!target) return WM_ERROR_OUT_OF_MEMORY;
    if (target->tile->segments || tile->segments) {
      entry = (const WmNodeTile *)nodes->tiles.items + tile->slot;
      status = follow_segment_link(flood, number, index, entry, i, target);
      continue;
    }
    status = follow(flood, wm_nodes_items(nodes) + number, index, tile, unit_cost, i, target);
  }
  return status;
}

static WmStatus begin(Flood *flood, WmRef start) {
  WmNodes *nodes = flood->nodes;
  const WmStatus status = wm_nodes_begin(nodes, flood->filter);
  if (status) return status;
  const WmNodeTile *entry = wm_nodes_tile(nodes, wm_ref_slot(start));
  if (!entry) return WM_ERROR_OUT_OF_MEMORY;
  const uint32_t polygon = wm_ref_polygon(start), number = wm_nodes_at(entry, polygon, WM_TILE_SIDE_INSIDE);
  WmNode *node = wm_nodes_items(nodes) + number;
  *node = (WmNode){.stamp = nodes->stamp, .slot = wm_ref_slot(start), .polygon = polygon};
  memcpy(node->position, flood->centre, sizeof node->position);
  return put(nodes, number, true);
}

/* Pops polygons until there are none, or enough. */
static WmStatus run(Flood *flood, WmQuery *query, const WmFloodOptions *options, WmFlood *result) {
  WmStatus status = WM_OK;
  for (uint32_t number; !status && (number = pop_node(flood->nodes)) != UINT32_MAX;) {
    const WmNode *node = wm_nodes_items(flood->nodes) + number;
    const size_t index = result->count;
    if (!(node->cost <= options->max_cost)) break;
    if (options->max_polygons && index == options->max_polygons) {
      result->cut = true;
      break;
    }
    status = wm_query_reserve(query, WM_QUERY_POLYGONS, WM_QUERY_COSTS, index + 1);
    if (status) break;
    ((WmRef *)query->arrays[WM_QUERY_POLYGONS].items)[index] = wm_nodes_ref(flood->nodes, node);
    ((uint32_t *)query->arrays[WM_QUERY_PARENTS].items)[index] = node->parent;
    ((float *)query->arrays[WM_QUERY_COSTS].items)[index] = node->cost;
    result->count++;
    status = expand(flood, number, (uint32_t)index);
  }
  result->polygons = query->arrays[WM_QUERY_POLYGONS].items;
  result->parents = query->arrays[WM_QUERY_PARENTS].items;
  result->costs = query->arrays[WM_QUERY_COSTS].items;
  return status;
}

/* ---- Queries ------------------------------------------------------------------------------------------ */

static WmStatus refuse_limit(WmContext *context, const char *field, float limit) {
  return wm_fail_number(context, WM_ERROR_INVALID_ARGUMENT, field, "a limit is ", limit,
                        ": must be 0 or more");
}

/* Sets the centre of the flood, its circle and its shape. */
static WmStatus set_bounds(WmContext *context, const float *position, const WmFloodOptions *options,
                           Flood *flood) {
  if (!(options->max_cost >= 0)) return refuse_limit(context, "maxCost", options->max_cost);
  if (!(options->radius >= 0)) return refuse_limit(context, "radius", options->radius);
  flood->squared_radius = options->radius * options->radius;
  if (options->shape) {
    const size_t count = options->shape_count;
    const WmStatus status = wm_convex_make(context, options->shape, count, "shape", &flood->shape);
    if (status) return status;
    for (size_t i = 0; i < 3 * count; i++) flood->centre[i % 3] += options->shape[i];
    for (int axis = 0; axis < 3; axis++) flood->centre[axis] *= 1.0f / (float)count;
    return WM_OK;
  }
  const WmStatus status = wm_query_check_position(context, position, "position");
  if (!status) memcpy(flood->centre, position, sizeof flood->centre);
  return status;
}

WmStatus wm_query_flood(WmQuery *query, WmRef start, const float position[3], const WmFloodOptions *options,
                        WmFlood *result) {
  const WmFloodOptions standard = wm_flood_options_default();
  if (!options) options = &standard;
  memset(result, 0, sizeof *result);
  Flood flood = {.nodes = &query->nodes, .filter = wm_query_filter(query, options->filter)};
  WmStatus status = wm_mesh_check_ref(query->context, query->mesh, start, "start");
  if (!status) status = wm_query_check_filter(query->context, options->filter);
  if (!status) status = set_bounds(query->context, position, options, &flood);
  if (!status) status = begin(&flood, start);
  if (!status) status = run(&flood, query, options, result);
  if (status) memset(result, 0, sizeof *result);
  return status;
}

/* In a flood parents come before their children. */
size_t wm_flood_path(const WmFlood *flood, size_t index, WmRef *path, size_t capacity) {
  if (index >= flood->count) return 0;
  size_t length = 1;
  for (size_t at = index, parent; at > 0; at = parent, length++) {
    parent = flood->parents[at];
    if (parent >= at) return 0;
  }
  for (size_t i = length; i > 0; i--, index = flood->parents[index]) {
    if (i <= capacity) path[i - 1] = flood->polygons[index];
  }
  return length;
}
