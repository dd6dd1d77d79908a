/* Tile graphs: creating, clusters by place, pools. See tile_graph.h. */
#include "query/tile_graph/tile_graph_internal.h"

/* ---- Creating ----------------------------------------------------------------------------------------- */

WmTileGraphOptions wm_tile_graph_options_default(void) { return (WmTileGraphOptions){0}; }

static WmStatus check_options(WmContext *context, const WmTileGraphOptions *options) {
  WmStatus status = wm_query_check_filter(context, options->filter);
  if (!status) status = wm_query_check_numbers(context, &options->spacing, 1, 0, "spacing");
  if (status || !options->filter || !options->filter->costs) return status;
  return wm_fail(context, WM_ERROR_INVALID_ARGUMENT, "filter",
                 "a tile graph can't have costs of single polygons");
}

WmStatus wm_tile_graph_create(WmContext *context, const WmMesh *mesh, const WmTileGraphOptions *options,
                              WmTileGraph **out) {
  const WmTileGraphOptions standard = wm_tile_graph_options_default();
  if (!options) options = &standard;
  *out = NULL;
  const WmStatus status = check_options(context, options);
  if (status) return status;
  WmTileGraph *graph = *out = wm_block_allocate(context, sizeof *graph);
  if (!graph) return WM_ERROR_OUT_OF_MEMORY;
  memset(graph, 0, sizeof *graph);
  graph->context = context;
  graph->mesh = mesh;
  graph->filter = options->filter ? *options->filter : wm_filter_default();
  graph->keeps_removed = options->keeps_removed;
  graph->spacing = options->spacing;
  graph->saved_least_cost = 1;
  graph->detour = 1;
  wm_query_init(&graph->query, context, mesh);
  wm_graph_clear(graph);
  /* Stretches of no items have an address, too. */
  WmStatus made = wm_buffer_reserve(context, &graph->lists.items, 1, sizeof(uint32_t));
  if (!made) made = wm_buffer_reserve(context, &graph->costs.items, 1, sizeof(uint8_t));
  if (made) {
    wm_tile_graph_destroy(graph);
    *out = NULL;
    return made;
  }
  if (!mesh) return WM_OK;
  const WmMeshParameters *parameters = wm_mesh_parameters(mesh);
  memcpy(graph->origin, parameters->origin, sizeof graph->origin);
  graph->tile_size[0] = parameters->tile_width;
  graph->tile_size[1] = parameters->tile_depth;
  if (graph->spacing == 0) graph->spacing = fminf(graph->tile_size[0], graph->tile_size[1]) / 3;
  return WM_OK;
}

void wm_tile_graph_destroy(WmTileGraph *graph) {
  if (!graph) return;
  WmContext *context = graph->context;
  WmBuffer *buffers[] = {&graph->clusters,    &graph->parents,     &graph->entrances,   &graph->buckets,
                         &graph->slots,       &graph->lists.items, &graph->costs.items, &graph->waypoints,
                         &graph->step_points, &graph->steps};
  for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) wm_block_free(context, buffers[i]->items);
  wm_walk_free(context, &graph->walk);
  wm_walk_free(context, &graph->inner);
  wm_query_free(&graph->query);
  wm_block_free(context, graph);
}

static void fill_with_none(WmBuffer *buffer) {
  if (buffer->items) memset(buffer->items, 0xff, buffer->capacity * sizeof(uint32_t));
}

void wm_graph_clear(WmTileGraph *graph) {
  graph->cluster_count = graph->entrance_count = 0;
  graph->used_clusters = graph->used_entrances = graph->tile_count = 0;
  graph->free_cluster = graph->free_entrance = graph->freed_entrance = WM_NONE;
  graph->lists.count = graph->lists.garbage = graph->costs.count = graph->costs.garbage = 0;
  graph->change_count = 0;
  fill_with_none(&graph->buckets);
  fill_with_none(&graph->slots);
}

/* ---- Clusters by place -------------------------------------------------------------------------------- */

static uint32_t *bucket_of(const WmTileGraph *graph, uint32_t level, int32_t x, int32_t z) {
  const uint32_t hash = ((uint32_t)x * 0x8da6b343u ^ (uint32_t)z * 0xd8163841u) + level * 0x9e3779b1u;
  return (uint32_t *)graph->buckets.items + ((hash ^ hash >> 15) & (graph->buckets.capacity - 1));
}

static void put_in_bucket(WmTileGraph *graph, uint32_t number) {
  WmCluster *cluster = wm_graph_clusters(graph) + number;
  uint32_t *bucket = bucket_of(graph, cluster->level, cluster->x, cluster->z);
  cluster->next_in_bucket = *bucket;
  *bucket = number;
}

/* The number of buckets is a power of two, at least that of the clusters. */
static WmStatus reserve_clusters(WmTileGraph *graph) {
  const size_t needed = (size_t)graph->cluster_count + 1;
  WmStatus status = wm_buffer_reserve(graph->context, &graph->clusters, needed, sizeof(WmCluster));
  if (!status) status = wm_buffer_reserve(graph->context, &graph->parents, needed, sizeof(uint32_t));
  if (status || needed <= graph->buckets.capacity) return status;
  size_t count = 16;
  while (count < needed) count *= 2;
  status = wm_buffer_reserve(graph->context, &graph->buckets, count, sizeof(uint32_t));
  if (status) return status;
  size_t whole = 16;
  while (2 * whole <= graph->buckets.capacity) whole *= 2;
  graph->buckets.capacity = whole;
  memset(graph->buckets.items, 0xff, whole * sizeof(uint32_t));
  for (uint32_t i = 0; i < graph->cluster_count; i++) {
    const uint8_t flags = wm_graph_clusters(graph)[i].flags;
    if ((flags & WM_CLUSTER_USED) && !(flags & WM_CLUSTER_CONNECTION)) put_in_bucket(graph, i);
  }
  return WM_OK;
}

uint32_t wm_graph_find(const WmTileGraph *graph, uint32_t level, int32_t x, int32_t z, int32_t layer) {
  if (graph->buckets.capacity == 0) return WM_NONE;
  uint32_t number = *bucket_of(graph, level, x, z);
  for (; number != WM_NONE; number = wm_graph_clusters(graph)[number].next_in_bucket) {
    const WmCluster *cluster = wm_graph_clusters(graph) + number;
    if (cluster->x == x && cluster->z == z && cluster->layer == layer && cluster->level == level) break;
  }
  return number;
}

/* The first tile of a place from `number` on in its bucket. */
static uint32_t find_layer(const WmTileGraph *graph, uint32_t number, int32_t x, int32_t z) {
  for (; number != WM_NONE; number = wm_graph_clusters(graph)[number].next_in_bucket) {
    const WmCluster *cluster = wm_graph_clusters(graph) + number;
    if (cluster->x == x && cluster->z == z && cluster->level == 0) break;
  }
  return number;
}

uint32_t wm_graph_first_layer(const WmTileGraph *graph, int32_t x, int32_t z) {
  return graph->buckets.capacity ? find_layer(graph, *bucket_of(graph, 0, x, z), x, z) : WM_NONE;
}

uint32_t wm_graph_next_layer(const WmTileGraph *graph, uint32_t previous) {
  const WmCluster *cluster = wm_graph_clusters(graph) + previous;
  return find_layer(graph, cluster->next_in_bucket, cluster->x, cluster->z);
}

/* Rounds down. */
static int32_t divide(int32_t value) { return (value - (value < 0 ? WM_BLOCK_SIDE - 1 : 0)) / WM_BLOCK_SIDE; }

/* Adds a cluster without a parent. */
static WmStatus add_cluster(WmTileGraph *graph, WmCluster cluster, uint32_t *added) {
  uint32_t number = graph->free_cluster;
  if (number == WM_NONE) {
    const WmStatus status = reserve_clusters(graph);
    if (status) return status;
    number = graph->cluster_count++;
  } else {
    graph->free_cluster = wm_graph_clusters(graph)[number].next_in_bucket;
  }
  wm_graph_clusters(graph)[number] = cluster;
  wm_graph_parents(graph)[number] = WM_NONE;
  if (!(cluster.flags & WM_CLUSTER_CONNECTION)) put_in_bucket(graph, number);
  graph->used_clusters++;
  graph->tile_count += cluster.level == 0;
  *added = number;
  return WM_OK;
}

WmStatus wm_graph_add(WmTileGraph *graph, int32_t x, int32_t z, int32_t layer, bool is_connection,
                      uint32_t *added) {
  WmCluster cluster = {.x = x, .z = z, .layer = layer, .first_child = WM_NONE, .next_child = WM_NONE};
  cluster.flags = (uint8_t)(WM_CLUSTER_USED | (is_connection ? WM_CLUSTER_CONNECTION : 0));
  WmStatus status = add_cluster(graph, cluster, added);
  uint32_t child = *added;
  for (uint32_t level = 1; level < WM_GRAPH_LEVELS && !status; level++) {
    x = divide(x);
    z = divide(z);
    uint32_t parent = wm_graph_find(graph, level, x, z, 0);
    const bool is_new = parent == WM_NONE;
    cluster = (WmCluster){.x = x, .z = z, .first_child = WM_NONE, .next_child = WM_NONE};
    cluster.level = (uint8_t)level;
    cluster.flags = WM_CLUSTER_USED | WM_CLUSTER_STALE;
    if (is_new) status = add_cluster(graph, cluster, &parent);
    if (status) return status;
    WmCluster *clusters = wm_graph_clusters(graph);
    wm_graph_parents(graph)[child] = parent;
    clusters[child].next_child = clusters[parent].first_child;
    clusters[parent].first_child = child;
    if (!is_new) break;
    child = parent;
  }
  return status;
}

static void detach_child(WmTileGraph *graph, uint32_t number) {
  WmCluster *clusters = wm_graph_clusters(graph);
  uint32_t *at = &clusters[wm_graph_parents(graph)[number]].first_child;
  while (*at != number) at = &clusters[*at].next_child;
  *at = clusters[number].next_child;
}

void wm_graph_remove(WmTileGraph *graph, uint32_t number) {
  WmCluster *clusters = wm_graph_clusters(graph);
  while (number != WM_NONE && clusters[number].first_child == WM_NONE) {
    WmCluster *cluster = clusters + number;
    const uint32_t parent = wm_graph_parents(graph)[number];
    if (parent != WM_NONE) {
      detach_child(graph, number);
      clusters[parent].flags |= WM_CLUSTER_STALE;
    }
    if (!(cluster->flags & WM_CLUSTER_CONNECTION)) {
      uint32_t *at = bucket_of(graph, cluster->level, cluster->x, cluster->z);
      while (*at != number) at = &clusters[*at].next_in_bucket;
      *at = cluster->next_in_bucket;
    }
    graph->lists.garbage += (size_t)cluster->count + cluster->part_count;
    graph->costs.garbage += wm_graph_all_cost_count(graph, cluster);
    graph->used_clusters--;
    graph->tile_count -= cluster->level == 0;
    *cluster = (WmCluster){.next_in_bucket = graph->free_cluster, .first_child = WM_NONE};
    graph->free_cluster = number;
    number = parent;
  }
}

/* ---- Entrances ---------------------------------------------------------------------------------------- */

WmStatus wm_graph_new_entrance(WmTileGraph *graph, uint32_t *entrance) {
  if (graph->free_entrance != WM_NONE) {
    *entrance = graph->free_entrance;
    graph->free_entrance = wm_graph_entrances(graph)[*entrance].clusters[1];
  } else {
    const size_t needed = (size_t)graph->entrance_count + 1;
    const WmStatus status = wm_buffer_reserve(graph->context, &graph->entrances, needed, sizeof(WmEntrance));
    if (status) return status;
    *entrance = graph->entrance_count++;
  }
  graph->used_entrances++;
  return WM_OK;
}

void wm_graph_free_entrance(WmTileGraph *graph, uint32_t entrance) {
  wm_graph_entrances(graph)[entrance] = (WmEntrance){.clusters = {WM_NONE, graph->freed_entrance}};
  graph->freed_entrance = entrance;
  graph->used_entrances--;
}

void wm_graph_reuse_entrances(WmTileGraph *graph) {
  while (graph->freed_entrance != WM_NONE) {
    const uint32_t entrance = graph->freed_entrance;
    uint32_t *next = &wm_graph_entrances(graph)[entrance].clusters[1];
    graph->freed_entrance = *next;
    *next = graph->free_entrance;
    graph->free_entrance = entrance;
  }
}

/* ---- Pools -------------------------------------------------------------------------------------------- */

WmStatus wm_pool_add(WmContext *context, WmPool *pool, size_t count, size_t item_bytes, uint32_t *first) {
  const WmStatus status = wm_buffer_reserve(context, &pool->items, pool->count + count, item_bytes);
  if (status) return status;
  *first = (uint32_t)pool->count;
  pool->count += count;
  return WM_OK;
}

/* True if an eighth of a pool's memory, and more than a little, isn't in use. */
static bool is_wasteful(const WmPool *pool) {
  const size_t used = pool->count - pool->garbage;
  return pool->items.capacity > used + used / 8 + 256;
}

/* Copies the stretches of all clusters to a new block of just their size. */
static WmStatus compact(WmTileGraph *graph, WmPool *pool, bool is_lists) {
  if (!is_wasteful(pool)) return WM_OK;
  const size_t item_bytes = is_lists ? sizeof(uint32_t) : sizeof(uint8_t), used = pool->count - pool->garbage;
  WmBuffer fresh = {0};
  const WmStatus status = wm_buffer_reserve(graph->context, &fresh, used + 1, item_bytes);
  if (status) return status;
  size_t at = 0;
  for (uint32_t i = 0; i < graph->cluster_count; i++) {
    WmCluster *cluster = wm_graph_clusters(graph) + i;
    uint32_t *first = is_lists ? &cluster->list : &cluster->costs;
    const size_t count =
        is_lists ? (size_t)cluster->count + cluster->part_count : wm_graph_all_cost_count(graph, cluster);
    if (!count) continue;
    memcpy((char *)fresh.items + at * item_bytes, (const char *)pool->items.items + *first * item_bytes,
           count * item_bytes);
    *first = (uint32_t)at;
    at += count;
  }
  wm_block_free(graph->context, pool->items.items);
  *pool = (WmPool){.items = fresh, .count = at};
  return WM_OK;
}

/* Frees the unused end of an array if it is more than an eighth of it. */
static WmStatus trim(WmContext *context, WmBuffer *buffer, size_t used, size_t item_bytes) {
  if (buffer->capacity <= used + used / 8 + 64) return WM_OK;
  WmBuffer fresh = {0};
  const WmStatus status = wm_buffer_reserve(context, &fresh, used + 1, item_bytes);
  if (status) return status;
  if (used) memcpy(fresh.items, buffer->items, used * item_bytes);
  wm_block_free(context, buffer->items);
  *buffer = fresh;
  return WM_OK;
}

WmStatus wm_graph_compact(WmTileGraph *graph) {
  WmContext *context = graph->context;
  WmStatus status = compact(graph, &graph->lists, true);
  if (!status) status = compact(graph, &graph->costs, false);
  if (!status) status = trim(context, &graph->entrances, graph->entrance_count, sizeof(WmEntrance));
  if (!status) status = trim(context, &graph->clusters, graph->cluster_count, sizeof(WmCluster));
  return status ? status : trim(context, &graph->parents, graph->cluster_count, sizeof(uint32_t));
}

/* ---- Sorting ------------------------------------------------------------------------------------------ */

WmStatus wm_graph_sort(WmContext *context, uint32_t *numbers, size_t count, WmGraphKeyOf *key_of,
                       int key_count, const void *of) {
  const WmScratchMark mark = wm_scratch_mark(context);
  WmSortItem *items = wm_scratch_array(context, 2 * count, sizeof *items);
  if (!items) return WM_ERROR_OUT_OF_MEMORY;
  for (int key = 0; key < key_count; key++) {
    for (size_t i = 0; i < count; i++) items[i] = (WmSortItem){key_of(of, numbers[i], key), numbers[i]};
    wm_sort_stable(items, items + count, count);
    for (size_t i = 0; i < count; i++) numbers[i] = items[i].value;
  }
  wm_scratch_rewind(context, mark);
  return WM_OK;
}

/* ---- Inspecting --------------------------------------------------------------------------------------- */

void wm_tile_graph_totals(const WmTileGraph *graph, WmTileGraphTotals *totals) {
  *totals = (WmTileGraphTotals){.tiles = graph->tile_count,
                                .entrances = graph->used_entrances,
                                .blocks = (size_t)graph->used_clusters - graph->tile_count};
  for (uint32_t i = 0; i < graph->cluster_count; i++) {
    totals->loaded_tiles += wm_graph_clusters(graph)[i].tile != 0;
  }
  totals->byte_count = sizeof *graph + graph->clusters.capacity * sizeof(WmCluster) +
                       graph->entrances.capacity * sizeof(WmEntrance) +
                       (graph->parents.capacity + graph->buckets.capacity + graph->slots.capacity +
                        graph->lists.items.capacity) *
                           sizeof(uint32_t) +
                       graph->costs.items.capacity * sizeof(uint8_t) +
                       graph->step_points.capacity * sizeof(float) + graph->steps.capacity * sizeof(uint32_t);
}
