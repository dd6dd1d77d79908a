/* Flow fields. See flow_field.h.
 *
 *   nodes    [links of touched tiles]: a node is a link of a polygon, at the midpoint of its portal, with the
 *   cost from
 *            there to the target, and the next node
 *   one-way links: onto polygons that have no link back, which a backward search would not find
 *
 * A node is opened from the next one, across the polygon between them: that polygon's cost counts, and its
 * flags decide. The open list is a heap of (cost, sequence). */
#include "query/search/flow_field_internal.h"

#include <float.h>

#include "base/number.h"
#include "mesh/links/link_crossing.h"
#include "query/query_internal.h"
#include "query/search/replay.h"

#define FINAL UINT32_MAX

typedef struct Node {
  float cost;        /* from the midpoint of the portal to the target */
  uint32_t next;     /* FINAL: the target is in the polygon behind it */
  uint32_t sequence; /* of its newest heap entry; 0 once its cost is final; UNKNOWN: another one is better */
  uint32_t slot, polygon, link;
} Node;

/* The sequence of nodes that were never met, and of those that are skipped. */
#define UNKNOWN UINT32_MAX

typedef struct FlowTile {
  const WmMeshTile *tile;
  const float *factors; /* cost factors of its polygons; NULL: all 1 */
  uint32_t stamp;
  uint32_t first_node;
} FlowTile;

/* A link from an off-mesh connection to a polygon that has no link back. */
typedef struct OneWay {
  uint32_t slot, polygon; /* it leads to */
  uint32_t from_slot, from_polygon, link;
  uint32_t next; /* with the same hash; UNKNOWN: no more */
} OneWay;

struct WmFlowField {
  WmContext *context;
  const WmMesh *mesh;
  WmFilter filter;
  bool is_begun;
  uint64_t version, shape_version; /* of the mesh when it began; of the one-way links */
  bool has_one_ways;
  WmRef target;
  float target_position[3];
  WmBuffer tiles; /* FlowTile, by slot */
  WmBuffer nodes; /* Node */
  size_t node_count;
  uint32_t stamp;
  WmBuffer keys, pushed; /* the open list: uint64_t; uint32_t node by sequence */
  size_t heap_count;
  uint32_t sequence;
  WmBuffer one_ways, heads; /* OneWay; uint32_t by hash */
  size_t one_way_count, head_count;
  WmBuffer polygons; /* WmRef: the last result */
};

WmStatus wm_flow_field_create(WmContext *context, const WmMesh *mesh, WmFlowField **out) {
  WmFlowField *flow = *out = wm_block_allocate(context, sizeof *flow);
  if (!flow) return WM_ERROR_OUT_OF_MEMORY;
  memset(flow, 0, sizeof *flow);
  flow->context = context;
  flow->mesh = mesh;
  return WM_OK;
}

void wm_flow_field_destroy(WmFlowField *flow) {
  if (!flow) return;
  const WmBuffer *buffers[] = {&flow->tiles,    &flow->nodes, &flow->keys,    &flow->pushed,
                               &flow->one_ways, &flow->heads, &flow->polygons};
  for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
    wm_block_free(flow->context, buffers[i]->items);
  wm_block_free(flow->context, flow);
}

/* ---- One-way links ------------------------------------------------------------------------------------ */

static uint32_t hash_of(uint32_t slot, uint32_t polygon) {
  const uint32_t hash = (slot * 0x9e3779b1u ^ polygon) * 0x85ebca6bu;
  return hash ^ hash >> 15;
}

static bool leads_to(const WmMeshTile *tile, uint32_t polygon, uint32_t slot, uint32_t target) {
  for (uint32_t i = tile->link_first[polygon]; i < tile->link_first[polygon + 1]; i++) {
    if (tile->links[i].slot == slot && tile->links[i].polygon == target) return true;
  }
  return false;
}

static WmStatus list_one_ways_of(WmFlowField *flow, const WmMeshTile *tile) {
  for (uint32_t p = tile->ground_count; p < tile->polygon_count; p++) {
    for (uint32_t i = tile->link_first[p]; i < tile->link_first[p + 1]; i++) {
      const WmLink *link = &tile->links[i];
      if (leads_to(wm_mesh_tile(flow->mesh, link->slot), link->polygon, tile->slot, p)) continue;
      const WmStatus status =
          wm_buffer_reserve(flow->context, &flow->one_ways, flow->one_way_count + 1, sizeof(OneWay));
      if (status) return status;
      ((OneWay *)flow->one_ways.items)[flow->one_way_count++] =
          (OneWay){link->slot, link->polygon, tile->slot, p, i, UNKNOWN};
    }
  }
  return WM_OK;
}

/* Lists them if tiles or connections have changed. */
static WmStatus list_one_ways(WmFlowField *flow) {
  const uint64_t version = wm_mesh_shape_version(flow->mesh);
  if (flow->has_one_ways && flow->shape_version == version) return WM_OK;
  flow->has_one_ways = false;
  flow->one_way_count = 0;
  WmStatus status = WM_OK;
  for (size_t slot = 0; slot < wm_mesh_slot_count(flow->mesh) && !status; slot++) {
    const WmMeshTile *tile = wm_mesh_tile(flow->mesh, slot);
    if (tile && tile->polygon_count > tile->ground_count) status = list_one_ways_of(flow, tile);
  }
  flow->head_count = 1;
  while (flow->head_count < flow->one_way_count) flow->head_count *= 2;
  if (!status) status = wm_buffer_reserve(flow->context, &flow->heads, flow->head_count, sizeof(uint32_t));
  if (status) return status;
  OneWay *links = flow->one_ways.items;
  uint32_t *heads = flow->heads.items;
  for (size_t i = 0; i < flow->head_count; i++) heads[i] = UNKNOWN;
  /* The last one first, so that the links of a polygon are listed in their order. */
  for (size_t i = flow->one_way_count; i-- > 0;) {
    uint32_t *head = &heads[hash_of(links[i].slot, links[i].polygon) & (flow->head_count - 1)];
    links[i].next = *head;
    *head = (uint32_t)i;
  }
  flow->has_one_ways = true;
  flow->shape_version = version;
  return WM_OK;
}

/* ---- Nodes -------------------------------------------------------------------------------------------- */

static Node *get_nodes(const WmFlowField *flow) { return flow->nodes.items; }

/* Allocates the nodes of a tile that this field touches for the first time. */
static WM_COLD WmStatus touch(WmFlowField *flow, uint32_t slot) {
  const WmMeshTile *tile = wm_mesh_tile(flow->mesh, slot);
  const size_t links = tile->link_first[tile->polygon_count];
  /* One more, so that the array exists even if no tile until now has a link. */
  const WmStatus status =
      wm_buffer_reserve(flow->context, &flow->nodes, flow->node_count + links + 1, sizeof(Node));
  if (status) return status;
  Node *nodes = get_nodes(flow) + flow->node_count;
  for (size_t i = 0; i < links; i++) nodes[i] = (Node){.cost = INFINITY, .sequence = UNKNOWN};
  const float *factors = wm_filter_factors(&flow->filter, tile);
  ((FlowTile *)flow->tiles.items)[slot] = (FlowTile){tile, factors, flow->stamp, (uint32_t)flow->node_count};
  flow->node_count += links;
  return WM_OK;
}

/* NULL: out of memory, recorded. */
static const FlowTile *enter_tile(WmFlowField *flow, uint32_t slot) {
  const FlowTile *entry = (const FlowTile *)flow->tiles.items + slot;
  return entry->stamp != flow->stamp && touch(flow, slot) ? NULL : entry;
}

static float unit_cost(const WmFlowField *flow, const FlowTile *entry, uint32_t polygon) {
  return wm_filter_unit_cost_with(&flow->filter, entry->tile, entry->factors, polygon);
}

/* True if the path through another portal of the polygon, whose cost is final, costs no more. Never for segment links: their
 * portals lie on both sides of a gap. */
static bool is_worse(const WmFlowField *flow, const FlowTile *entry, uint32_t polygon, const float middle[3],
                     float cost) {
  const uint32_t *first = entry->tile->link_first + polygon;
  const Node *nodes = get_nodes(flow) + entry->first_node;
  const float unit = unit_cost(flow, entry, polygon);
  if (entry->tile->segments) return false;
  for (uint32_t i = first[0]; i < first[1]; i++) {
    if (nodes[i].sequence != 0) continue;
    if (!(cost < nodes[i].cost + wm_distance(middle, entry->tile->links[i].middle) * unit)) return true;
  }
  return false;
}

static WmStatus reserve_open(WmFlowField *flow) {
  WmStatus status =
      wm_buffer_reserve(flow->context, &flow->keys, flow->heap_count + 1 + WM_HEAP_MARGIN, sizeof(uint64_t));
  if (!status)
    status = wm_buffer_reserve(flow->context, &flow->pushed, flow->sequence + (size_t)2, sizeof(uint32_t));
  return status;
}

/* Opens a node, or opens it again at less cost. */
static WmStatus open_node(WmFlowField *flow, const FlowTile *entry, uint32_t polygon, uint32_t link,
                          float cost, uint32_t next) {
  const uint32_t number = entry->first_node + link;
  Node *node = get_nodes(flow) + number;
  if (!(cost < node->cost)) return WM_OK;
  if (is_worse(flow, entry, polygon, entry->tile->links[link].middle, cost)) return WM_OK;
  const WmStatus status = reserve_open(flow);
  if (status) return status;
  *node = (Node){cost, next, ++flow->sequence, entry->tile->slot, polygon, link};
  ((uint32_t *)flow->pushed.items)[flow->sequence] = number;
  wm_heap_push(flow->keys.items, &flow->heap_count, wm_heap_key(cost, flow->sequence));
  return WM_OK;
}

/* ---- Growing ------------------------------------------------------------------------------------------ */

/* Opens the links of `from` that lead to a polygon; the path leaves the polygon at `position`. */
static WmStatus open_links(WmFlowField *flow, uint32_t from_slot, uint32_t from, uint32_t slot,
                           uint32_t polygon, const float position[3], float cost, float unit, uint32_t next) {
  const FlowTile *entry = enter_tile(flow, from_slot);
  if (!entry) return WM_ERROR_OUT_OF_MEMORY;
  const WmMeshTile *tile = entry->tile;
  for (uint32_t i = tile->link_first[from]; i < tile->link_first[from + 1]; i++) {
    const WmLink *link = &tile->links[i];
    if (link->polygon != polygon || link->slot != slot) continue;
    const float more = wm_distance(link->middle, position) * unit;
    const WmStatus status = open_node(flow, entry, from, i, cost + more, next);
    if (status) return status;
  }
  return WM_OK;
}

/* Opens all links that lead into a polygon, except from the polygon `to`; the path leaves the polygon at
 * `position`. */
static WmStatus open_around(WmFlowField *flow, const FlowTile *entry, uint32_t polygon,
                            const float position[3], float cost, uint32_t next, uint32_t to_slot,
                            uint32_t to) {
  const WmMeshTile *tile = entry->tile;
  const float unit = unit_cost(flow, entry, polygon);
  const uint32_t end = tile->link_first[polygon + 1];
  for (uint32_t i = tile->link_first[polygon]; i < end; i++) {
    const WmLink *link = &tile->links[i];
    if (link->polygon == to && link->slot == to_slot) continue;
    const WmStatus status =
        open_links(flow, link->slot, link->polygon, tile->slot, polygon, position, cost, unit, next);
    if (status) return status;
  }
  const OneWay *links = flow->one_ways.items;
  if (flow->one_way_count == 0) return WM_OK;
  const uint32_t hash = hash_of(tile->slot, polygon) & (uint32_t)(flow->head_count - 1);
  for (uint32_t i = ((const uint32_t *)flow->heads.items)[hash]; i != UNKNOWN; i = links[i].next) {
    const OneWay *link = &links[i];
    if (link->slot != tile->slot || link->polygon != polygon) continue;
    if (link->from_polygon == to && link->from_slot == to_slot) continue;
    const FlowTile *from = enter_tile(flow, link->from_slot);
    if (!from) return WM_ERROR_OUT_OF_MEMORY;
    const float more = wm_distance(from->tile->links[link->link].middle, position) * unit;
    const WmStatus status = open_node(flow, from, link->from_polygon, link->link, cost + more, next);
    if (status) return status;
  }
  return WM_OK;
}

/* Opens the links onto a segment link from which its link `link` can be reached. */
static WmStatus open_entries(WmFlowField *flow, const FlowTile *entry, uint32_t number, uint32_t link,
                             float cost, uint32_t next) {
  const WmMeshTile *set = entry->tile;
  const WmLinkTie *exit = wm_link_exit_tie(set, number, &set->links[link]);
  const float unit = unit_cost(flow, entry, number);
  for (uint32_t k = set->tie_first[number]; k < set->tie_first[number + 1]; k++) {
    const WmLinkTie *tie = &set->ties[k];
    WmLinkCrossing crossing;
    if (!tie->is_entry || !wm_link_crossing_between(set, number, tie, exit, &crossing)) continue;
    const FlowTile *from = enter_tile(flow, tie->slot);
    if (!from) return WM_ERROR_OUT_OF_MEMORY;
    const float shift = fabsf(0.5f * (tie->low + tie->high) - 0.5f * (exit->low + exit->high));
    const float more = (crossing.link->cost + shift * wm_segment_link_width(crossing.link)) * unit;
    const WmMeshTile *ground = from->tile;
    for (uint32_t i = ground->link_first[tie->polygon]; i < ground->link_first[tie->polygon + 1]; i++) {
      const WmLink *onto = &ground->links[i];
      if (onto->edge != 255 || onto->slot != set->slot || onto->polygon != number) continue;
      if (wm_link_entry_tie(set, onto) != tie) continue;
      const WmStatus status = open_node(flow, from, tie->polygon, i, cost + more, next);
      if (status) return status;
    }
  }
  return WM_OK;
}

/* Pops the cheapest open node. Returns FINAL if there is none. */
static uint32_t pop_node(WmFlowField *flow) {
  uint64_t *keys = flow->keys.items;
  while (flow->heap_count > 0) {
    const uint32_t sequence = (uint32_t)keys[0];
    const uint32_t number = ((const uint32_t *)flow->pushed.items)[sequence];
    wm_heap_remove(keys, &flow->heap_count);
    if (get_nodes(flow)[number].sequence == sequence) return number;
  }
  return FINAL;
}

/* Makes the cost of a node final, and opens the links that lead to it. */
static WmStatus close_node(WmFlowField *flow, uint32_t number) {
  const Node node = get_nodes(flow)[number];
  const FlowTile *entry = (const FlowTile *)flow->tiles.items + node.slot;
  const WmMeshTile *tile = entry->tile;
  const WmLink *link = &tile->links[node.link];
  if (is_worse(flow, entry, node.polygon, link->middle, node.cost)) {
    get_nodes(flow)[number].sequence = UNKNOWN;
    return WM_OK;
  }
  get_nodes(flow)[number].sequence = 0;
  if (!wm_filter_passes(&flow->filter, tile->polygon_flags[node.polygon])) return WM_OK;
  if (tile->segments) return open_entries(flow, entry, node.polygon, node.link, node.cost, number);
  return open_around(flow, entry, node.polygon, link->middle, node.cost, number, link->slot, link->polygon);
}

/* ---- Queries ------------------------------------------------------------------------------------------ */

WmStatus wm_flow_field_begin(WmFlowField *flow, WmRef target, const float target_position[3],
                             const WmFilter *filter) {
  flow->is_begun = false;
  WmStatus status = wm_mesh_check_ref(flow->context, flow->mesh, target, "target");
  if (!status) status = wm_query_check_position(flow->context, target_position, "targetPosition");
  if (!status) status = wm_query_check_filter(flow->context, filter);
  if (!status) status = list_one_ways(flow);
  const size_t slots = wm_mesh_slot_count(flow->mesh);
  if (!status) status = wm_buffer_reserve(flow->context, &flow->tiles, slots, sizeof(FlowTile));
  if (!status) status = wm_buffer_reserve(flow->context, &flow->keys, WM_HEAP_MARGIN, sizeof(uint64_t));
  if (status) return status;
  flow->filter = filter ? *filter : wm_filter_default();
  flow->target = target;
  memcpy(flow->target_position, target_position, sizeof flow->target_position);
  flow->node_count = flow->heap_count = 0;
  flow->sequence = 0;
  if (++flow->stamp == 0) {
    memset(flow->tiles.items, 0, flow->tiles.capacity * sizeof(FlowTile));
    flow->stamp = 1;
  }
  wm_heap_clear(flow->keys.items);
  const FlowTile *entry = enter_tile(flow, wm_ref_slot(target));
  if (!entry) return WM_ERROR_OUT_OF_MEMORY;
  const uint32_t polygon = wm_ref_polygon(target);
  if (wm_filter_passes(&flow->filter, entry->tile->polygon_flags[polygon])) {
    status = open_around(flow, entry, polygon, target_position, 0, FINAL, UNKNOWN, UNKNOWN);
  }
  flow->version = wm_mesh_version(flow->mesh);
  flow->is_begun = !status;
  return status;
}

bool wm_flow_field_is_current(const WmFlowField *flow) {
  return flow->is_begun && flow->version == wm_mesh_version(flow->mesh);
}

/* The cheapest final node of the start's polygon, and the cost from the start; FINAL with the cost of the
 * straight line to the target, or INFINITY. */
static uint32_t find_first(const WmFlowField *flow, WmRef start, const float position[3], float *cost) {
  const FlowTile *entry = (const FlowTile *)flow->tiles.items + wm_ref_slot(start);
  uint32_t best = FINAL;
  *cost = INFINITY;
  if (entry->stamp != flow->stamp) return best;
  const uint32_t polygon = wm_ref_polygon(start);
  const float unit = unit_cost(flow, entry, polygon);
  if (start == flow->target) {
    *cost = wm_distance(position, flow->target_position) * unit;
    return best;
  }
  const uint32_t *first = entry->tile->link_first + polygon;
  for (uint32_t i = first[0]; i < first[1]; i++) {
    const Node *node = get_nodes(flow) + entry->first_node + i;
    if (node->sequence != 0) continue;
    const float total = wm_distance(position, entry->tile->links[i].middle) * unit + node->cost;
    if (!(total < *cost)) continue;
    *cost = total;
    best = entry->first_node + i;
  }
  return best;
}

/* True if no open node can be cheaper. */
static bool is_certain(const WmFlowField *flow, WmRef start, float cost) {
  if (flow->heap_count == 0 || start == flow->target) return true;
  const uint32_t bits = (uint32_t)(((const uint64_t *)flow->keys.items)[0] >> 32);
  float least;
  memcpy(&least, &bits, sizeof least);
  return cost <= least;
}

bool wm_flow_field_covers(const WmFlowField *flow, WmRef start, const float start_position[3]) {
  float cost;
  if (!wm_flow_field_is_current(flow) || !wm_mesh_tile_of(flow->mesh, start)) return false;
  if (!wm_are_within(start_position, 3, FLT_MAX)) return false; /* which wm_flow_field_find would refuse */
  (void)find_first(flow, start, start_position, &cost);
  return is_certain(flow, start, cost);
}

/* The checks that advance and find share. */
static WmStatus check(const WmFlowField *flow, WmRef start, const float position[3]) {
  if (!wm_flow_field_is_current(flow)) {
    return wm_fail(flow->context, WM_ERROR_STATE, "flow",
                   "there is no field, or the mesh has changed: begin it again");
  }
  const WmStatus status = wm_mesh_check_ref(flow->context, flow->mesh, start, "start");
  return status ? status : wm_query_check_position(flow->context, position, "startPosition");
}

WmStatus wm_flow_field_advance(WmFlowField *flow, WmRef start, const float start_position[3], size_t budget,
                               bool *done, size_t *used) {
  *done = false;
  if (used) *used = 0;
  WmStatus status = check(flow, start, start_position);
  if (status) return status;
  const uint32_t slot = wm_ref_slot(start), polygon = wm_ref_polygon(start);
  float cost;
  (void)find_first(flow, start, start_position, &cost);
  size_t closed = 0;
  for (; closed < budget && !is_certain(flow, start, cost); closed++) {
    const uint32_t number = pop_node(flow);
    if (number == FINAL) break;
    status = close_node(flow, number);
    if (status) break;
    const Node *node = get_nodes(flow) + number;
    if (node->polygon == polygon && node->slot == slot) (void)find_first(flow, start, start_position, &cost);
  }
  if (status) flow->is_begun = false;
  *done = !status && is_certain(flow, start, cost);
  if (used) *used = closed;
  return status;
}

/* Writes the polygons from a start on along the nodes.
 * out        polygons [capacity]: the first ones
 * returns    their number */
static size_t list_polygons(const WmFlowField *flow, WmRef start, uint32_t first, WmRef *polygons,
                            size_t capacity) {
  const Node *nodes = get_nodes(flow);
  size_t count = 1;
  if (capacity > 0) polygons[0] = start;
  for (uint32_t number = first; number != FINAL; number = nodes[number].next, count++) {
    if (count >= capacity) continue;
    const FlowTile *entry = (const FlowTile *)flow->tiles.items + nodes[number].slot;
    const WmLink *link = &entry->tile->links[nodes[number].link];
    polygons[count] = wm_mesh_tile(flow->mesh, link->slot)->ref + link->polygon;
  }
  return count;
}

WmStatus wm_flow_field_find(WmFlowField *flow, WmRef start, const float start_position[3],
                            WmCorridor *corridor) {
  *corridor = (WmCorridor){0};
  WmStatus status = check(flow, start, start_position);
  if (status) return status;
  float cost;
  const uint32_t first = find_first(flow, start, start_position, &cost);
  if (!is_certain(flow, start, cost)) {
    return wm_fail(flow->context, WM_ERROR_STATE, "start", "the field does not cover the start yet");
  }
  if (first == FINAL && start != flow->target) {
    *corridor = (WmCorridor){.state = WM_PATH_UNREACHABLE, .reason = WM_PATH_REASON_NOT_CONNECTED};
    return WM_OK;
  }
  const size_t count = list_polygons(flow, start, first, NULL, 0);
  status = wm_buffer_reserve(flow->context, &flow->polygons, count, sizeof(WmRef));
  if (status) return status;
  (void)list_polygons(flow, start, first, flow->polygons.items, count);
  *corridor = (WmCorridor){
      .state = WM_PATH_COMPLETE, .cost = cost, .polygon_count = count, .polygons = flow->polygons.items};
  return WM_OK;
}

WmStatus wm_flow_field_grow(WmFlowField *flow, float most) {
  WmStatus status = WM_OK;
  for (uint32_t number; !status && (number = pop_node(flow)) != FINAL;) {
    if (!(get_nodes(flow)[number].cost <= most)) break;
    status = close_node(flow, number);
  }
  if (status) flow->is_begun = false;
  return status;
}

bool wm_flow_field_is_exhausted(const WmFlowField *flow) { return flow->heap_count == 0; }

/* The last pop finds only entries that are outdated, and removes them. */
WmStatus wm_flow_field_replay(WmFlowField *flow, size_t count, bool is_exhausted) {
  WmStatus status = WM_OK;
  for (size_t closed = 0; !status && (closed < count || is_exhausted); closed++) {
    const uint32_t number = pop_node(flow);
    if (number == FINAL) break;
    status = close_node(flow, number);
  }
  if (status) flow->is_begun = false;
  return status;
}

bool wm_flow_field_next(const WmFlowField *flow, WmRef start, const float position[3], float *cost,
                        WmRef *next) {
  const uint32_t first = find_first(flow, start, position, cost);
  *next = 0;
  if (first == FINAL) return start == flow->target;
  const Node *node = get_nodes(flow) + first;
  const WmLink *link = &((const FlowTile *)flow->tiles.items)[node->slot].tile->links[node->link];
  *next = wm_mesh_tile(flow->mesh, link->slot)->ref + link->polygon;
  return true;
}

size_t wm_flow_field_list(const WmFlowField *flow, WmRef start, const float position[3], WmRef *polygons,
                          size_t capacity) {
  float cost;
  const uint32_t first = find_first(flow, start, position, &cost);
  if (first == FINAL && start != flow->target) return 0;
  return list_polygons(flow, start, first, polygons, capacity);
}
