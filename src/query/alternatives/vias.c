/* Vias: a flood from the start and a flow field to the end give the cheapest corridor over every polygon. Corridors over
 * polygons of one plateau are the same, so that only its first polygon is listed. See alternatives_internal.h. */
#include "base/sort.h"
#include "mesh/locate.h"
#include "query/alternatives/alternatives_internal.h"
#include "query/search/flood.h"
#include "query/search/flow_field_internal.h"

#define NONE UINT32_MAX

typedef struct Graph {
  const WmWayTask *task;
  size_t count;
  WmRef *polygons;
  uint32_t *parents;
  float *costs; /* from the start to the point of entry */
  float (*entries)[3];
  uint32_t *next;  /* number of the next polygon to the end; NONE: not in the flood, or the last */
  float *rest;     /* from the point of entry to the end */
  uint32_t *heads; /* numbers by hash, open addressing */
  size_t head_count;
} Graph;

static size_t hash_of(const Graph *graph, WmRef polygon) {
  const uint32_t mixed = (uint32_t)(polygon ^ polygon >> 32) * 0x9e3779b1u;
  return (mixed ^ mixed >> 15) & (graph->head_count - 1);
}

/* The number of a polygon in the flood, or NONE. */
static uint32_t find(const Graph *graph, WmRef polygon) {
  for (size_t at = hash_of(graph, polygon);; at = (at + 1) & (graph->head_count - 1)) {
    const uint32_t number = graph->heads[at];
    if (number == NONE || graph->polygons[number] == polygon) return number;
  }
}

static WmStatus allocate(Graph *graph, size_t count) {
  WmContext *context = graph->task->query->context;
  graph->count = count;
  for (graph->head_count = 4; graph->head_count < 2 * count;) graph->head_count *= 2;
  graph->polygons = wm_scratch_array(context, count, sizeof *graph->polygons);
  graph->parents = wm_scratch_array(context, count, sizeof *graph->parents);
  graph->costs = wm_scratch_array(context, count, sizeof *graph->costs);
  graph->entries = wm_scratch_array(context, count, sizeof *graph->entries);
  graph->next = wm_scratch_array(context, count, sizeof *graph->next);
  graph->rest = wm_scratch_array(context, count, sizeof *graph->rest);
  graph->heads = wm_scratch_array(context, graph->head_count, sizeof *graph->heads);
  const bool done = graph->polygons && graph->parents && graph->costs && graph->entries && graph->next &&
                    graph->rest && graph->heads;
  return done ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}

/* The middle of the portal between two polygons that are linked. */
static void find_entry(const WmMesh *mesh, WmRef from, WmRef to, float entry[3]) {
  const float *portal = wm_query_find_portal(wm_mesh_tile_of(mesh, from), wm_ref_polygon(from), to);
  if (portal) wm_interpolate(portal, portal + 3, 0.5f, entry);
}

static WmStatus flood(Graph *graph, float most) {
  const WmWayTask *task = graph->task;
  WmFloodOptions options = wm_flood_options_default();
  options.filter = task->search.filter;
  options.max_cost = most;
  options.max_polygons = task->search.max_nodes;
  WmFlood result;
  WmStatus status = wm_query_flood(task->query, task->start.polygon, task->start.point, &options, &result);
  if (!status) status = allocate(graph, result.count);
  if (status) return status;
  memcpy(graph->polygons, result.polygons, result.count * sizeof *graph->polygons);
  memcpy(graph->parents, result.parents, result.count * sizeof *graph->parents);
  memcpy(graph->costs, result.costs, result.count * sizeof *graph->costs);
  for (size_t i = 0; i < graph->head_count; i++) graph->heads[i] = NONE;
  for (size_t i = 0; i < graph->count; i++) {
    size_t at = hash_of(graph, graph->polygons[i]);
    while (graph->heads[at] != NONE) at = (at + 1) & (graph->head_count - 1);
    graph->heads[at] = (uint32_t)i;
    memcpy(graph->entries[i], task->start.point, sizeof graph->entries[i]);
    if (i > 0)
      find_entry(task->query->mesh, graph->polygons[graph->parents[i]], graph->polygons[i],
                 graph->entries[i]);
  }
  return WM_OK;
}

static WmStatus flow(Graph *graph, float most) {
  const WmWayTask *task = graph->task;
  WmQuery *query = task->query;
  WmStatus status = query->flow ? WM_OK : wm_flow_field_create(query->context, query->mesh, &query->flow);
  if (!status)
    status = wm_flow_field_begin(query->flow, task->end.polygon, task->end.point, task->search.filter);
  if (!status) status = wm_flow_field_grow(query->flow, most);
  for (size_t i = 0; i < graph->count && !status; i++) {
    WmRef next;
    graph->next[i] = NONE;
    if (!wm_flow_field_next(query->flow, graph->polygons[i], graph->entries[i], &graph->rest[i], &next)) {
      graph->rest[i] = INFINITY;
    } else if (next) {
      graph->next[i] = find(graph, next);
    }
  }
  return status;
}

/* Follows the plateau from a polygon on.
 * out        *last: its last polygon
 * returns    its length, from the entry of its first polygon to the exit of its last one */
static float measure_plateau(const Graph *graph, uint32_t first, uint32_t *last) {
  float length = 0;
  for (*last = first;;) {
    const uint32_t next = graph->next[*last];
    const float *from = graph->entries[*last];
    if (next == NONE) return length + wm_distance(from, graph->task->end.point);
    float exit[3] = {from[0], from[1], from[2]};
    find_entry(graph->task->query->mesh, graph->polygons[*last], graph->polygons[next], exit);
    length += wm_distance(from, exit);
    if (graph->parents[next] != *last) return length;
    *last = next;
  }
}

WmStatus wm_vias_list(const WmWayTask *task, float most, float least_plateau, WmVias *vias) {
  Graph graph = {.task = task};
  WmContext *context = task->query->context;
  WmStatus status = flood(&graph, most);
  if (!status) status = flow(&graph, most);
  if (status) return status;
  WmVia *all = wm_scratch_array(context, graph.count, sizeof *all);
  WmVia *sorted = wm_scratch_array(context, graph.count, sizeof *sorted);
  WmSortItem *items = wm_scratch_array(context, 2 * graph.count, sizeof *items);
  if (!all || !sorted || !items) return WM_ERROR_OUT_OF_MEMORY;
  size_t count = 0;
  for (uint32_t i = 0; i < graph.count; i++) {
    const uint32_t parent = graph.parents[i];
    const float cost = graph.costs[i] + graph.rest[i];
    if (!(cost <= most) || graph.next[parent] == i || graph.next[i] == parent) continue;
    const float plateau = measure_plateau(&graph, i, &all[count].last);
    if (plateau < least_plateau) continue;
    all[count].first = i;
    const float outside = plateau < cost ? cost - plateau : 0;
    memcpy(&items[count].key, &outside,
           sizeof outside); /* of numbers that aren't negative, the bits have their order */
    items[count].value = (uint32_t)count;
    count++;
  }
  wm_sort_stable(items, items + graph.count, count);
  for (size_t i = 0; i < count; i++) sorted[i] = all[items[i].value];
  *vias = (WmVias){graph.count, graph.polygons, graph.parents, count, sorted};
  return WM_OK;
}

size_t wm_vias_corridor(const WmWayTask *task, const WmVias *vias, size_t number, WmRef *polygons,
                        size_t *first, size_t *last) {
  const WmVia *via = &vias->vias[number];
  size_t before = 0;
  for (uint32_t at = via->first; at != 0; at = vias->parents[at]) before++;
  for (uint32_t at = via->first, i = (uint32_t)before; i > 0; at = vias->parents[at], i--)
    polygons[i] = vias->polygons[at];
  polygons[0] = vias->polygons[0];
  float entry[3];
  memcpy(entry, task->start.point, sizeof entry);
  find_entry(task->query->mesh, vias->polygons[vias->parents[via->first]], vias->polygons[via->first], entry);
  const size_t room = 2 * vias->polygon_count - before;
  const size_t after =
      wm_flow_field_list(task->query->flow, vias->polygons[via->first], entry, polygons + before, room);
  if (after == 0 || after > room) return 0;
  *first = *last = before;
  while (polygons[*last] != vias->polygons[via->last] && *last + 1 < before + after) (*last)++;
  return before + after;
}
