/* Follows the changes of the mesh: finds the slots that changed, updates the borders of their tiles, then lists and costs of
 * the clusters on both sides of borders that changed, then the blocks above clusters whose lists or costs differ. */
#include "query/tile_graph/tile_graph_internal.h"

static void mark_stale(WmTileGraph *graph, uint32_t cluster) {
  if (cluster != WM_NONE) wm_graph_clusters(graph)[cluster].flags |= WM_CLUSTER_STALE;
}

/* ---- Lists -------------------------------------------------------------------------------------------- */

/* The sorting keys of entries, the least important first. Entries of a list never have equal keys unless they are equal for
 * every purpose. */
enum { KEY_COUNT = 12 };
static uint32_t key_of(const void *of, uint32_t entry, int key) {
  const WmTileGraph *graph = of;
  const WmEntrance *entrance = wm_graph_entrance(graph, entry);
  const WmCluster *own = wm_graph_clusters(graph) + wm_graph_side(graph, entry),
                  *other = wm_graph_clusters(graph) + wm_graph_side(graph, entry ^ 1);
  /* In lists of blocks, own tiles differ, too: layers of one place may have equal polygons at one point. */
  const uint32_t keys[KEY_COUNT] = {(uint32_t)own->layer,
                                    (uint32_t)own->x,
                                    (uint32_t)own->z,
                                    entrance->state,
                                    entrance->polygons[1 - (entry & 1)],
                                    entrance->polygons[entry & 1],
                                    (uint32_t)other->layer,
                                    (uint32_t)other->x,
                                    (uint32_t)other->z,
                                    wm_graph_key(entrance->point[1]),
                                    wm_graph_key(entrance->point[0]),
                                    wm_graph_key(entrance->point[2])};
  return keys[key];
}

static WmStatus check_count(const WmTileGraph *graph, size_t count) {
  if (count <= WM_ENTRANCE_LIMIT) return WM_OK;
  return wm_fail_range(graph->context, WM_ERROR_LIMIT, "entrances", (double)count, 0, WM_ENTRANCE_LIMIT,
                       "a tile, or a block of tiles, has too many: a larger spacing has fewer");
}

WmStatus wm_graph_sort_entries(WmTileGraph *graph, uint32_t *entries, size_t count) {
  const WmStatus status = check_count(graph, count);
  return status ? status : wm_graph_sort(graph->context, entries, count, key_of, KEY_COUNT, graph);
}

/* ---- Parts -------------------------------------------------------------------------------------------- */

/* The parts of a list that is stored. */
typedef struct Parts {
  uint16_t *roots; /* scratch [count]: the first entry of the part of each */
  uint16_t *sizes; /* scratch [count]: of the part that an entry is the first of */
  uint32_t *order; /* scratch [count]: the entries in the order of the parts */
  uint32_t *list;  /* scratch [count + part_count]: as it is stored */
  size_t part_count, cost_count;
} Parts;

/* The sorting keys of entries in parts, the least important first. */
enum { PART_KEYS = 2 };
static uint32_t part_key_of(const void *of, uint32_t number, int key) {
  const Parts *parts = of;
  const uint16_t root = parts->roots[number];
  return key == 0 ? root : WM_ENTRANCE_LIMIT - parts->sizes[root];
}

static uint16_t find_first(uint16_t *roots, uint16_t number) {
  while (roots[number] != number) number = roots[number] = roots[roots[number]];
  return number;
}

/* Finds the parts of a list: entries that costs join. */
static WmStatus find_parts(WmTileGraph *graph, const uint32_t *entries, size_t count, const float *costs,
                           bool symmetric, Parts *parts) {
  parts->roots = wm_scratch_array(graph->context, count, sizeof *parts->roots);
  parts->sizes = wm_scratch_zeroed(graph->context, count, sizeof *parts->sizes);
  parts->order = wm_scratch_array(graph->context, count, sizeof *parts->order);
  parts->list = wm_scratch_array(graph->context, 2 * count, sizeof *parts->list);
  if (!parts->roots || !parts->sizes || !parts->order || !parts->list) return WM_ERROR_OUT_OF_MEMORY;
  for (size_t i = 0; i < count; i++) {
    parts->order[i] = (uint32_t)i;
    parts->roots[i] = (uint16_t)i;
    for (size_t j = 0; j < i; j++) {
      if (!(costs[i * count + j] < INFINITY) && !(costs[j * count + i] < INFINITY)) continue;
      const uint16_t a = find_first(parts->roots, (uint16_t)i), b = find_first(parts->roots, (uint16_t)j);
      parts->roots[a > b ? a : b] = a > b ? b : a;
    }
  }
  for (size_t i = 0; i < count; i++) parts->sizes[find_first(parts->roots, (uint16_t)i)]++;
  for (size_t i = 0; i < count; i++) parts->roots[i] = find_first(parts->roots, (uint16_t)i);
  const WmStatus status = wm_graph_sort(graph->context, parts->order, count, part_key_of, PART_KEYS, parts);
  parts->part_count = parts->cost_count = 0;
  for (size_t i = 0; i < count; i++) parts->list[i] = entries[parts->order[i]];
  for (size_t end = 0; end < count && parts->sizes[parts->roots[parts->order[end]]] > 1;) {
    const uint16_t size = parts->sizes[parts->roots[parts->order[end]]];
    end += size;
    parts->list[count + parts->part_count++] = (uint32_t)end;
    parts->cost_count += wm_graph_cost_count(size, symmetric);
  }
  return status;
}

/* ---- Costs -------------------------------------------------------------------------------------------- */

enum { MAX_ROOT = WM_NO_COST - 1 };

/* The stored root of a cost: rounded up, so that sums are upper bounds. */
static uint8_t find_root(float cost, float unit) {
  if (cost == INFINITY) return WM_NO_COST;
  if (!(unit > 0)) return 0;
  const float whole = ceilf(sqrtf(cost / unit));
  uint32_t root = whole < MAX_ROOT ? (uint32_t)whole : MAX_ROOT;
  while (root > 0 && wm_graph_square(root - 1, unit) >= cost) root--;
  while (root < MAX_ROOT && wm_graph_square(root, unit) < cost) root++;
  return (uint8_t)root;
}

/* The unit: the largest cost has the largest root. */
static float find_unit(const float *costs, size_t count) {
  float most = 0;
  for (size_t i = 0; i < count * count; i++) {
    if (costs[i] > most && costs[i] < INFINITY) most = costs[i];
  }
  float unit = most / (MAX_ROOT * MAX_ROOT);
  while (unit > 0 && wm_graph_square(MAX_ROOT, unit) < most) unit = nextafterf(unit, INFINITY);
  return unit;
}

/* Gives a cluster stretches of the pools that have room for a list and its costs. */
static WmStatus replace_stretches(WmTileGraph *graph, WmCluster *cluster, size_t count, const Parts *parts) {
  const size_t former = (size_t)cluster->count + cluster->part_count,
               former_costs = wm_graph_all_cost_count(graph, cluster);
  uint32_t list, costs;
  WmStatus status =
      wm_pool_add(graph->context, &graph->lists, count + parts->part_count, sizeof(uint32_t), &list);
  if (!status)
    status = wm_pool_add(graph->context, &graph->costs, parts->cost_count, sizeof(uint8_t), &costs);
  if (status) return status;
  graph->lists.garbage += former;
  graph->costs.garbage += former_costs;
  cluster->list = list;
  cluster->costs = costs;
  cluster->count = (uint16_t)count;
  cluster->part_count = (uint16_t)parts->part_count;
  return WM_OK;
}

static WmStatus store(WmTileGraph *graph, uint32_t number, const uint32_t *entries, size_t count,
                      const float *costs, bool symmetric, bool *changed) {
  WmCluster *cluster = wm_graph_clusters(graph) + number;
  Parts parts;
  WmStatus status = find_parts(graph, entries, count, costs, symmetric, &parts);
  if (status) return status;
  const size_t words = count + parts.part_count;
  const bool was_symmetric = cluster->flags & WM_CLUSTER_SYMMETRIC;
  const bool is_same =
      cluster->count == count && cluster->part_count == parts.part_count && symmetric == was_symmetric &&
      (words == 0 || !memcmp(wm_graph_list(graph, cluster), parts.list, words * sizeof(uint32_t)));
  if (!is_same) status = replace_stretches(graph, cluster, count, &parts);
  if (status) return status;
  if (words) memcpy(wm_graph_list(graph, cluster), parts.list, words * sizeof(uint32_t));
  const float unit = find_unit(costs, count);
  *changed = !is_same || unit != cluster->unit;
  cluster->flags =
      (uint8_t)((cluster->flags & ~WM_CLUSTER_SYMMETRIC) | (symmetric ? WM_CLUSTER_SYMMETRIC : 0));
  cluster->unit = unit;
  WmGraphPart part = {.roots = wm_graph_roots(graph, cluster)};
  for (uint32_t k = 0; k < cluster->part_count; k++) {
    part = wm_graph_next_part(cluster, parts.list, k, part);
    const uint32_t *order = parts.order + part.first;
    for (size_t i = 0, at = 0; i < part.count; i++) {
      for (size_t j = 0; j < (symmetric ? i : part.count); j++, at++) {
        const uint8_t root = find_root(costs[order[i] * count + order[j]], unit);
        *changed = *changed || part.roots[at] != root;
        part.roots[at] = root;
      }
    }
  }
  return WM_OK;
}

WmStatus wm_graph_store(WmTileGraph *graph, uint32_t number, const uint32_t *entries, size_t count,
                        const float *costs, bool symmetric, bool *changed) {
  const WmScratchMark mark = wm_scratch_mark(graph->context);
  const WmStatus status = store(graph, number, entries, count, costs, symmetric, changed);
  wm_scratch_rewind(graph->context, mark);
  return status;
}

/* ---- Attaching ---------------------------------------------------------------------------------------- */

/* Removes an entrance from one of its two lists; from the second one, frees it. */
static void drop(WmTileGraph *graph, uint32_t entry) {
  WmEntrance *entrance = wm_graph_entrances(graph) + (entry >> 1);
  if (++entrance->is_dead == 3) wm_graph_free_entrance(graph, entry >> 1);
}

/* Removes a tile or connection with its entrances. */
static void remove_cluster(WmTileGraph *graph, uint32_t number) {
  WmCluster *clusters = wm_graph_clusters(graph);
  const uint32_t *list = wm_graph_list(graph, &clusters[number]);
  for (uint32_t i = 0; i < clusters[number].count; i++) {
    WmEntrance *entrance = wm_graph_entrances(graph) + (list[i] >> 1);
    clusters[entrance->clusters[1 - (list[i] & 1)]].flags |= WM_CLUSTER_LIST_STALE;
    if (!entrance->is_dead) entrance->is_dead = 1;
    drop(graph, list[i]);
  }
  wm_graph_remove(graph, number);
}

static bool has_changed(const WmTileGraph *graph, size_t slot) {
  return wm_mesh_slot_change(graph->mesh, slot) > graph->change_count;
}

static WmStatus reserve_slots(WmTileGraph *graph) {
  const size_t former = graph->slots.capacity, count = wm_mesh_slot_count(graph->mesh);
  const WmStatus status = wm_buffer_reserve(graph->context, &graph->slots, count, sizeof(uint32_t));
  const size_t grown = graph->slots.capacity - former;
  if (!status && grown) memset((uint32_t *)graph->slots.items + former, 0xff, grown * sizeof(uint32_t));
  return status;
}

/* Detaches clusters from slots whose tile was removed or replaced.
 * out        detached [*count]: scratch, room for all slots */
static void detach_all(WmTileGraph *graph, uint32_t *detached, size_t *count) {
  uint32_t *slots = graph->slots.items;
  *count = 0;
  for (size_t slot = 0; slot < wm_mesh_slot_count(graph->mesh); slot++) {
    if (slots[slot] == WM_NONE || !has_changed(graph, slot)) continue;
    const WmMeshTile *tile = wm_mesh_tile(graph->mesh, slot);
    WmCluster *cluster = wm_graph_clusters(graph) + slots[slot];
    if (tile && tile->ref == cluster->tile) continue;
    cluster->tile = 0;
    detached[(*count)++] = slots[slot];
    slots[slot] = WM_NONE;
  }
}

/* The place of a tile; of a connection or of segment links, that of the first start. */
static void find_place(const WmMesh *mesh, const WmMeshTile *tile, int32_t place[3]) {
  place[0] = tile->x;
  place[1] = tile->z;
  place[2] = tile->layer;
  if (tile->ground_count > 0) return;
  const float *start = tile->segments ? tile->segments[0].start[0] : tile->connections[0].start;
  place[0] = wm_mesh_place(mesh, 0, start[0]);
  place[1] = wm_mesh_place(mesh, 2, start[2]);
  place[2] = 0;
}

/* Attaches clusters to the slots that have changed, and marks them as stale. */
static WmStatus attach_all(WmTileGraph *graph) {
  uint32_t *slots = graph->slots.items;
  for (size_t slot = 0; slot < wm_mesh_slot_count(graph->mesh); slot++) {
    if (!has_changed(graph, slot)) continue;
    const WmMeshTile *tile = wm_mesh_tile(graph->mesh, slot);
    if (!tile) continue;
    if (slots[slot] == WM_NONE) {
      const bool is_connection = tile->ground_count == 0;
      int32_t place[3];
      find_place(graph->mesh, tile, place);
      uint32_t number = is_connection ? WM_NONE : wm_graph_find(graph, 0, place[0], place[1], place[2]);
      WmStatus status = WM_OK;
      if (number == WM_NONE)
        status = wm_graph_add(graph, place[0], place[1], place[2], is_connection, &number);
      if (status) return status;
      slots[slot] = number;
      wm_graph_clusters(graph)[number].tile = tile->ref;
    }
    mark_stale(graph, slots[slot]);
  }
  return WM_OK;
}

/* Removes connections that aren't in the mesh (they were read from bytes) next to a loaded tile, if all tiles at their ends
 * are loaded: the mesh decides there. */
static void remove_saved_connections(WmTileGraph *graph, uint32_t number) {
  for (uint32_t i = 0; i < wm_graph_clusters(graph)[number].count; i++) {
    const uint32_t entry = wm_graph_list(graph, wm_graph_clusters(graph) + number)[i];
    if (wm_graph_entrance(graph, entry)->is_dead) continue;
    const uint32_t other = wm_graph_side(graph, entry ^ 1);
    const WmCluster *connection = wm_graph_clusters(graph) + other;
    if (!(connection->flags & WM_CLUSTER_CONNECTION) || connection->tile) continue;
    bool is_known = true;
    for (uint32_t k = 0; k < connection->count; k++) {
      const uint32_t end = wm_graph_side(graph, wm_graph_list(graph, connection)[k] ^ 1);
      is_known = is_known && wm_graph_clusters(graph)[end].tile;
    }
    if (is_known) remove_cluster(graph, other);
  }
}

/* Makes clusters of the tiles and connections of the mesh, and removes those of removed ones.
 * out        *stale [*count]: scratch: loaded clusters whose tile has changed */
static WmStatus attach(WmTileGraph *graph, uint32_t **stale, size_t *count) {
  WmStatus status = reserve_slots(graph);
  uint32_t *detached = wm_scratch_array(graph->context, wm_mesh_slot_count(graph->mesh), sizeof *detached);
  if (!status && !detached) status = WM_ERROR_OUT_OF_MEMORY;
  if (status) return status;
  detach_all(graph, detached, count);
  status = attach_all(graph);
  if (status) return status;
  for (size_t i = 0; i < *count; i++) {
    const WmCluster *cluster = wm_graph_clusters(graph) + detached[i];
    const bool stays = graph->keeps_removed && !(cluster->flags & WM_CLUSTER_CONNECTION);
    if (!cluster->tile && !stays) remove_cluster(graph, detached[i]);
  }
  *count = 0;
  *stale = detached;
  for (size_t slot = 0; slot < wm_mesh_slot_count(graph->mesh); slot++) {
    const uint32_t number = ((uint32_t *)graph->slots.items)[slot];
    if (number == WM_NONE || !(wm_graph_clusters(graph)[number].flags & WM_CLUSTER_STALE)) continue;
    (*stale)[(*count)++] = number;
    remove_saved_connections(graph, number);
  }
  return WM_OK;
}

/* ---- Borders ------------------------------------------------------------------------------------------ */

/* Collects the clusters that border a tile: along its links, and those it has entrances to. */
static WmStatus find_neighbours(WmTileGraph *graph, uint32_t number, uint32_t **neighbours, size_t *count) {
  const WmCluster *cluster = wm_graph_clusters(graph) + number;
  const WmMeshTile *tile = wm_graph_tile(graph, cluster);
  const uint32_t *list = wm_graph_list(graph, cluster);
  const size_t links = tile->link_first[tile->polygon_count], most = links + cluster->count;
  WmSortItem *items = wm_scratch_array(graph->context, 2 * most, sizeof *items);
  *neighbours = wm_scratch_array(graph->context, most, sizeof **neighbours);
  if (!items || !*neighbours) return WM_ERROR_OUT_OF_MEMORY;
  size_t found = 0;
  for (size_t i = 0; i < links; i++) {
    const uint32_t slot = tile->links[i].slot;
    if (slot != tile->slot) items[found++].key = ((uint32_t *)graph->slots.items)[slot];
  }
  for (uint32_t i = 0; i < cluster->count; i++) {
    if (!wm_graph_entrance(graph, list[i])->is_dead) items[found++].key = wm_graph_side(graph, list[i] ^ 1);
  }
  wm_sort_stable(items, items + most, found);
  *count = 0;
  for (size_t i = 0; i < found; i++) {
    if (i == 0 || items[i].key != items[i - 1].key) (*neighbours)[(*count)++] = items[i].key;
  }
  return WM_OK;
}

/* True if find_neighbours of a cluster has found another one, in this update: one-way links are known to one of them only. */
static bool is_neighbour(const WmTileGraph *graph, uint32_t number, uint32_t other) {
  const WmCluster *clusters = wm_graph_clusters(graph), *cluster = clusters + number;
  const WmMeshTile *tile = wm_graph_tile(graph, cluster);
  const uint32_t *list = wm_graph_list(graph, cluster), *slots = graph->slots.items;
  for (uint32_t i = 0; i < tile->link_first[tile->polygon_count]; i++) {
    if (slots[tile->links[i].slot] == other) return true;
  }
  for (uint32_t i = 0; i < cluster->count; i++) {
    if (wm_graph_side(graph, list[i] ^ 1) == other) return true;
  }
  return false;
}

static WmStatus update_borders(WmTileGraph *graph, const uint32_t *stale, size_t stale_count,
                               WmNewEntries *added) {
  WmGraphLabels labels = {wm_scratch_zeroed(graph->context, graph->cluster_count, sizeof *labels.of)};
  WmStatus status = labels.of ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
  for (size_t i = 0; i < stale_count && !status; i++) {
    uint32_t *neighbours;
    size_t count;
    status = find_neighbours(graph, stale[i], &neighbours, &count);
    for (size_t k = 0; !status && k < count; k++) {
      /* A border of two stale tiles is updated once. */
      const bool is_done = (wm_graph_clusters(graph)[neighbours[k]].flags & WM_CLUSTER_DONE) &&
                           is_neighbour(graph, neighbours[k], stale[i]);
      if (!is_done) status = wm_graph_update_border(graph, &labels, stale[i], neighbours[k], added);
    }
    wm_graph_clusters(graph)[stale[i]].flags |= WM_CLUSTER_DONE;
  }
  for (size_t i = 0; i < stale_count; i++) {
    wm_graph_clusters(graph)[stale[i]].flags &= (uint8_t)~WM_CLUSTER_DONE;
  }
  return status;
}

/* ---- Tiles -------------------------------------------------------------------------------------------- */

/* The costs of a tile that isn't loaded, after entrances were removed: those it had.
 * in         entries [count]: of its former list
 * out        costs [count * count] */
static void carry_costs(const WmTileGraph *graph, const WmCluster *cluster, const uint32_t *entries,
                        size_t count, float *costs) {
  const uint32_t *list = wm_graph_list(graph, cluster);
  for (size_t i = 0; i < count; i++) {
    const uint32_t from = wm_graph_index_of(list, cluster->count, entries[i]);
    for (size_t j = 0; j < count; j++) {
      const uint32_t to = wm_graph_index_of(list, cluster->count, entries[j]);
      costs[i * count + j] = wm_graph_cost(graph, cluster, from, to);
    }
  }
}

/* Makes the list of a cluster again, and its costs.
 * in         added [added_count]: its new entries */
static WmStatus update_tile(WmTileGraph *graph, uint32_t number, const WmSortItem *added,
                            size_t added_count) {
  WmCluster *cluster = wm_graph_clusters(graph) + number;
  const size_t most = cluster->count + added_count;
  uint32_t *entries = wm_scratch_array(graph->context, most, sizeof *entries);
  if (!entries) return WM_ERROR_OUT_OF_MEMORY;
  size_t count = 0;
  for (uint32_t i = 0; i < cluster->count; i++) {
    const uint32_t entry = wm_graph_list(graph, cluster)[i];
    if (!wm_graph_entrance(graph, entry)->is_dead) {
      entries[count++] = entry;
    } else {
      drop(graph, entry);
    }
  }
  for (size_t i = 0; i < added_count; i++) entries[count++] = added[i].value;
  WmStatus status = wm_graph_sort_entries(graph, entries, count);
  float *costs = status ? NULL : wm_scratch_array(graph->context, count, count * sizeof *costs);
  if (!status && !costs) status = WM_ERROR_OUT_OF_MEMORY;
  if (status) return status;
  const WmMeshTile *tile = wm_graph_tile(graph, cluster);
  const bool symmetric = tile ? wm_graph_is_symmetric(tile) : cluster->flags & WM_CLUSTER_SYMMETRIC;
  if (tile) {
    status = wm_graph_tile_costs(graph, tile, entries, count, symmetric, costs);
  } else {
    carry_costs(graph, cluster, entries, count, costs);
  }
  bool changed;
  if (!status) status = wm_graph_store(graph, number, entries, count, costs, symmetric, &changed);
  if (!status && changed) mark_stale(graph, wm_graph_parents(graph)[number]);
  return status;
}

/* The new entries of all clusters, sorted by cluster.
 * out        *sorted [2 * added->count]: scratch: cluster, entry */
static WmStatus sort_added(WmTileGraph *graph, const WmNewEntries *added, WmSortItem **sorted) {
  WmSortItem *items = *sorted = wm_scratch_array(graph->context, 4 * added->count, sizeof *items);
  if (!items) return WM_ERROR_OUT_OF_MEMORY;
  for (size_t i = 0; i < 2 * added->count; i++) {
    const uint32_t entry = 2 * ((const uint32_t *)added->entries.items)[i / 2] + (i & 1);
    items[i] = (WmSortItem){wm_graph_side(graph, entry), entry};
  }
  wm_sort_stable(items, items + 2 * added->count, 2 * added->count);
  return WM_OK;
}

static WmStatus update_tiles(WmTileGraph *graph, const WmNewEntries *added) {
  WmSortItem *items;
  WmStatus status = sort_added(graph, added, &items);
  size_t at = 0;
  for (uint32_t i = 0; i < graph->cluster_count && !status; i++) {
    WmCluster *cluster = wm_graph_clusters(graph) + i;
    if (cluster->level > 0 || !(cluster->flags & (WM_CLUSTER_STALE | WM_CLUSTER_LIST_STALE))) continue;
    const size_t first = at;
    while (at < 2 * added->count && items[at].key == i) at++;
    const WmScratchMark mark = wm_scratch_mark(graph->context);
    status = update_tile(graph, i, items + first, at - first);
    wm_scratch_rewind(graph->context, mark);
    cluster->flags &= (uint8_t) ~(WM_CLUSTER_STALE | WM_CLUSTER_LIST_STALE);
  }
  return status;
}

/* ---- The update --------------------------------------------------------------------------------------- */

/* Updates the blocks of all levels. One look at all clusters finds them: in a large world, nearly all are tiles that didn't
 * change. */
static WmStatus update_blocks(WmTileGraph *graph) {
  const WmCluster *clusters = wm_graph_clusters(graph);
  uint32_t *blocks = wm_scratch_array(graph->context, graph->cluster_count, sizeof *blocks);
  if (!blocks) return WM_ERROR_OUT_OF_MEMORY;
  size_t count = 0;
  for (uint32_t i = 0; i < graph->cluster_count; i++) {
    if (clusters[i].level > 0) blocks[count++] = i;
  }
  WmStatus status = WM_OK;
  for (uint32_t level = 1; level < WM_GRAPH_LEVELS && !status; level++)
    status = wm_graph_update_level(graph, level, blocks, count);
  return status;
}

static WmStatus update(WmTileGraph *graph, WmNewEntries *added) {
  uint32_t *stale = NULL;
  size_t count = 0;
  WmStatus status = attach(graph, &stale, &count);
  if (!status) status = wm_graph_update_doors(graph);
  if (!status) status = update_borders(graph, stale, count, added);
  if (!status) status = update_tiles(graph, added);
  if (!status) status = update_blocks(graph);
  return status ? status : wm_graph_compact(graph);
}

static WmStatus update_or_clear(WmTileGraph *graph) {
  const WmScratchMark mark = wm_scratch_mark(graph->context);
  WmNewEntries added = {0};
  const WmStatus status = update(graph, &added);
  wm_block_free(graph->context, added.entries.items);
  wm_scratch_rewind(graph->context, mark);
  if (status) wm_graph_clear(graph);
  wm_graph_reuse_entrances(graph);
  wm_graph_find_detour(graph);
  if (!status && graph->mesh) graph->change_count = wm_mesh_change_count(graph->mesh);
  return status;
}

WmStatus wm_tile_graph_update(WmTileGraph *graph) {
  const bool is_current = !graph->mesh || graph->change_count == wm_mesh_change_count(graph->mesh);
  return is_current ? WM_OK : update_or_clear(graph);
}

/* True if a way leads through a connection, from an entrance to another one, none of them to a given tile. */
static bool leads_past(const WmTileGraph *graph, const WmCluster *connection, uint32_t tile) {
  const uint32_t *list = wm_graph_list(graph, connection);
  for (uint32_t i = 0; i < connection->count; i++) {
    for (uint32_t j = 0; j < connection->count; j++) {
      const bool is_past =
          wm_graph_side(graph, list[i] ^ 1) != tile && wm_graph_side(graph, list[j] ^ 1) != tile;
      if (i != j && is_past && wm_graph_cost(graph, connection, i, j) < INFINITY) return true;
    }
  }
  return false;
}

/* Removes the connections of a tile that aren't in the mesh (they were read from bytes), if no way leads through them without the
 * tile. */
static void forget_connections(WmTileGraph *graph, uint32_t tile) {
  const WmCluster *clusters = wm_graph_clusters(graph);
  for (uint32_t i = 0; i < clusters[tile].count; i++) {
    const uint32_t entry = wm_graph_list(graph, &clusters[tile])[i], other = wm_graph_side(graph, entry ^ 1);
    if (wm_graph_entrance(graph, entry)->is_dead || clusters[other].tile) continue;
    const bool is_connection = clusters[other].flags & WM_CLUSTER_CONNECTION;
    if (is_connection && !leads_past(graph, &clusters[other], tile)) remove_cluster(graph, other);
  }
}

/* Updates lists and blocks after a change of tiles that aren't loaded. */
static WmStatus update_unloaded(WmTileGraph *graph) {
  WmNewEntries none = {0};
  const WmScratchMark mark = wm_scratch_mark(graph->context);
  WmStatus status = wm_graph_update_doors(graph);
  if (!status) status = update_tiles(graph, &none);
  if (!status) status = update_blocks(graph);
  if (!status) status = wm_graph_compact(graph);
  wm_scratch_rewind(graph->context, mark);
  if (status) wm_graph_clear(graph);
  wm_graph_reuse_entrances(graph);
  wm_graph_find_detour(graph);
  return status;
}

WmStatus wm_tile_graph_assume_open(WmTileGraph *graph, int32_t x, int32_t z, int32_t layer, bool *found) {
  const WmStatus status = wm_tile_graph_update(graph);
  const uint32_t number = status ? WM_NONE : wm_graph_find(graph, 0, x, z, layer);
  *found = number != WM_NONE && !wm_graph_clusters(graph)[number].tile;
  if (!*found) return status;
  wm_graph_clusters(graph)[number].flags |= WM_CLUSTER_DOUBTED;
  return update_unloaded(graph);
}

WmStatus wm_tile_graph_forget(WmTileGraph *graph, int32_t x, int32_t z, int32_t layer) {
  const WmStatus status = wm_tile_graph_update(graph);
  const uint32_t number = status ? WM_NONE : wm_graph_find(graph, 0, x, z, layer);
  if (number == WM_NONE) return status;
  if (wm_graph_clusters(graph)[number].tile) {
    return wm_fail(graph->context, WM_ERROR_STATE, "tile", "the tile is in the mesh: remove it first");
  }
  forget_connections(graph, number);
  remove_cluster(graph, number);
  return update_unloaded(graph);
}
