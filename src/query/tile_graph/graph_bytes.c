/* Tile graphs as bytes. The layout, little-endian:
 *
 *   SavedHead
 *   SavedCluster [cluster_count]    tiles by z, x, layer; then connections made at run time
 *   SavedCluster [block_count]      blocks by level, z, x; `layer` is the level
 *   SavedEntrance [entrance_count]  in the order in which the tiles' lists have them first
 *   u16 parts [list_count]          of all clusters, then of all blocks: the part of each entry of the list, sorted; part_count: none
 *   u8 costs [cost_count]           of the parts in the same order (tile_graph_internal.h)
 *   zeros up to a multiple of 8, u64 checksum of all bytes before
 *
 * Lists aren't stored: they follow from the entrances, sorted, and the parts. */
#include "mesh/formats/formats.h"
#include "query/tile_graph/tile_graph_internal.h"

enum { MAGIC = 0x52475457, VERSION = 3 }; /* "WTGR" */

typedef struct SavedHead {
  uint32_t magic, version;
  uint64_t byte_count;
  float origin[3], tile_size[2], spacing, least_cost;
  uint32_t list_count; /* entries of all lists */
  uint16_t include_flags, exclude_flags;
  uint32_t cluster_count, block_count, entrance_count;
  float area_costs[64];
  uint64_t cost_count;
} SavedHead;

typedef struct SavedCluster {
  int32_t x, z, layer;
  uint32_t flags;
  uint16_t count, part_count; /* of the list */
  float unit;
} SavedCluster;

typedef struct SavedEntrance {
  float point[3];
  uint32_t clusters[2];
  uint16_t polygons[2];
  uint8_t state, level;
  uint16_t padding;
  float unit_cost;
} SavedEntrance;

static_assert(sizeof(SavedHead) == 328 && sizeof(SavedCluster) == 24 && sizeof(SavedEntrance) == 32,
              "layout");

/* Above the flags of a tile is the state of the switches over it. */
enum {
  SAVED_FLAGS = WM_CLUSTER_CONNECTION | WM_CLUSTER_SYMMETRIC | WM_CLUSTER_ASSUMED | WM_CLUSTER_DOUBTED,
  DOORS_SHIFT = 8
};

/* ---- Writing ------------------------------------------------------------------------------------------ */

typedef struct Writer {
  WmTileGraph *graph;
  uint32_t *order;                        /* scratch: clusters in the order of the file */
  uint32_t *numbers;                      /* scratch: by cluster, its number in the file */
  uint32_t *entrances, *entrance_numbers; /* the same of entrances */
  SavedHead head;
  uint8_t *at;
} Writer;

static void put(Writer *writer, const void *item, size_t byte_count) {
  if (byte_count) memcpy(writer->at, item, byte_count);
  writer->at += byte_count;
}

static WmStatus allocate(Writer *writer) {
  WmContext *context = writer->graph->context;
  const size_t clusters = writer->graph->cluster_count, entrances = writer->graph->entrance_count;
  writer->order = wm_scratch_array(context, clusters, sizeof(uint32_t));
  writer->numbers = wm_scratch_array(context, clusters, sizeof(uint32_t));
  writer->entrances = wm_scratch_array(context, entrances, sizeof(uint32_t));
  writer->entrance_numbers = wm_scratch_array(context, entrances, sizeof(uint32_t));
  if (!writer->order || !writer->numbers || !writer->entrances || !writer->entrance_numbers)
    return WM_ERROR_OUT_OF_MEMORY;
  if (entrances) memset(writer->entrance_numbers, 0xff, entrances * sizeof(uint32_t));
  return WM_OK;
}

enum { PLACE_KEYS = 4 };
static uint32_t place_key_of(const void *clusters, uint32_t number, int key) {
  const WmCluster *cluster = (const WmCluster *)clusters + number;
  const int32_t keys[PLACE_KEYS] = {cluster->layer, cluster->x, cluster->z, cluster->level};
  return (uint32_t)keys[key] ^ 0x80000000u;
}

/* Appends the tiles, or the blocks, to the order: by level, z, x, layer. */
static WmStatus order_places(Writer *writer, bool blocks, uint32_t *count) {
  const WmTileGraph *graph = writer->graph;
  const WmCluster *clusters = wm_graph_clusters(graph);
  uint32_t *order = writer->order + *count;
  size_t added = 0;
  for (uint32_t i = 0; i < graph->cluster_count; i++) {
    const uint8_t kind = clusters[i].flags & (WM_CLUSTER_USED | WM_CLUSTER_CONNECTION);
    if (kind == WM_CLUSTER_USED && (clusters[i].level > 0) == blocks) order[added++] = i;
  }
  *count += (uint32_t)added;
  return wm_graph_sort(graph->context, order, added, place_key_of, PLACE_KEYS, clusters);
}

static void number_entrances(Writer *writer, uint32_t tile_count) {
  const WmTileGraph *graph = writer->graph;
  for (uint32_t i = 0; i < tile_count; i++) {
    const WmCluster *cluster = wm_graph_clusters(graph) + writer->order[i];
    for (uint32_t k = 0; k < cluster->count; k++) {
      const uint32_t entrance = wm_graph_list(graph, cluster)[k] >> 1;
      if (writer->entrance_numbers[entrance] != WM_NONE) continue;
      writer->entrance_numbers[entrance] = writer->head.entrance_count;
      writer->entrances[writer->head.entrance_count++] = entrance;
    }
  }
}

/* Appends the connections that have entrances, in the order of their first one. */
static void order_connections(Writer *writer, uint32_t *count) {
  const WmTileGraph *graph = writer->graph;
  const WmCluster *clusters = wm_graph_clusters(graph);
  for (uint32_t i = 0; i < writer->head.entrance_count; i++) {
    const WmEntrance *entrance = wm_graph_entrances(graph) + writer->entrances[i];
    for (int side = 0; side < 2; side++) {
      const uint32_t number = entrance->clusters[side];
      if (!(clusters[number].flags & WM_CLUSTER_CONNECTION) || writer->numbers[number] != WM_NONE) continue;
      writer->numbers[number] = *count;
      writer->order[(*count)++] = number;
    }
  }
}

static WmStatus order_all(Writer *writer) {
  const WmTileGraph *graph = writer->graph;
  SavedHead *head = &writer->head;
  if (graph->cluster_count) memset(writer->numbers, 0xff, graph->cluster_count * sizeof(uint32_t));
  uint32_t count = 0;
  WmStatus status = order_places(writer, false, &count);
  if (status) return status;
  for (uint32_t i = 0; i < count; i++) writer->numbers[writer->order[i]] = i;
  number_entrances(writer, count);
  order_connections(writer, &count);
  head->cluster_count = count;
  status = order_places(writer, true, &count);
  head->block_count = count - head->cluster_count;
  for (uint32_t i = 0; i < count; i++) {
    const WmCluster *cluster = wm_graph_clusters(graph) + writer->order[i];
    head->list_count += cluster->count;
    head->cost_count += wm_graph_all_cost_count(graph, cluster);
  }
  return status;
}

static void fill_head(Writer *writer) {
  const WmTileGraph *graph = writer->graph;
  SavedHead *head = &writer->head;
  head->magic = MAGIC;
  head->version = VERSION;
  memcpy(head->origin, graph->origin, sizeof head->origin);
  memcpy(head->tile_size, graph->tile_size, sizeof head->tile_size);
  head->spacing = graph->spacing;
  head->least_cost = wm_graph_least_connection_cost(graph);
  head->include_flags = graph->filter.include_flags;
  head->exclude_flags = graph->filter.exclude_flags;
  memcpy(head->area_costs, graph->filter.area_costs, sizeof head->area_costs);
  const uint64_t bytes = sizeof *head +
                         ((uint64_t)head->cluster_count + head->block_count) * sizeof(SavedCluster) +
                         (uint64_t)head->entrance_count * sizeof(SavedEntrance) +
                         (uint64_t)head->list_count * sizeof(uint16_t) + head->cost_count;
  head->byte_count = ((bytes + 7) & ~(uint64_t)7) + sizeof(uint64_t);
}

static void put_entrance(Writer *writer, const WmEntrance *entrance) {
  SavedEntrance saved = {.state = entrance->state & WM_ENTRANCE_SAVED,
                         .level = entrance->level,
                         .unit_cost = entrance->unit_cost};
  memcpy(saved.point, entrance->point, sizeof saved.point);
  memcpy(saved.polygons, entrance->polygons, sizeof saved.polygons);
  for (int side = 0; side < 2; side++) saved.clusters[side] = writer->numbers[entrance->clusters[side]];
  put(writer, &saved, sizeof saved);
}

/* The number of the part of an entry of a list; part_count: it is in none. */
static uint16_t part_of(const WmTileGraph *graph, const WmCluster *cluster, uint32_t entry) {
  const uint32_t *list = wm_graph_list(graph, cluster), at = wm_graph_index_of(list, cluster->count, entry);
  uint16_t part = 0;
  while (part < cluster->part_count && list[cluster->count + part] <= at) part++;
  return part;
}

static WmStatus put_parts(Writer *writer, const WmCluster *cluster) {
  WmTileGraph *graph = writer->graph;
  uint32_t entries[WM_ENTRANCE_LIMIT];
  if (cluster->count) memcpy(entries, wm_graph_list(graph, cluster), cluster->count * sizeof *entries);
  const WmStatus status = wm_graph_sort_entries(graph, entries, cluster->count);
  for (uint32_t i = 0; i < cluster->count && !status; i++) {
    const uint16_t part = part_of(graph, cluster, entries[i]);
    put(writer, &part, sizeof part);
  }
  return status;
}

static WmStatus put_all(Writer *writer) {
  const WmTileGraph *graph = writer->graph;
  const SavedHead *head = &writer->head;
  const uint32_t count = head->cluster_count + head->block_count;
  put(writer, head, sizeof *head);
  for (uint32_t i = 0; i < count; i++) {
    const WmCluster *cluster = wm_graph_clusters(graph) + writer->order[i];
    const SavedCluster saved = {.x = cluster->x,
                                .z = cluster->z,
                                .layer = cluster->level > 0 ? cluster->level : cluster->layer,
                                .flags = (cluster->flags & SAVED_FLAGS) | cluster->doors << DOORS_SHIFT,
                                .count = cluster->count,
                                .part_count = cluster->part_count,
                                .unit = cluster->unit};
    put(writer, &saved, sizeof saved);
  }
  for (uint32_t i = 0; i < head->entrance_count; i++) {
    put_entrance(writer, wm_graph_entrances(graph) + writer->entrances[i]);
  }
  WmStatus status = WM_OK;
  for (uint32_t i = 0; i < count && !status; i++) {
    status = put_parts(writer, wm_graph_clusters(graph) + writer->order[i]);
  }
  for (uint32_t i = 0; i < count; i++) {
    const WmCluster *cluster = wm_graph_clusters(graph) + writer->order[i];
    put(writer, wm_graph_roots(graph, cluster), wm_graph_all_cost_count(graph, cluster));
  }
  return status;
}

WmStatus wm_tile_graph_write(WmTileGraph *graph, uint8_t **bytes, size_t *byte_count) {
  *bytes = NULL;
  *byte_count = 0;
  Writer writer = {.graph = graph};
  const WmScratchMark mark = wm_scratch_mark(graph->context);
  WmStatus status = allocate(&writer);
  if (!status) status = order_all(&writer);
  if (!status) fill_head(&writer);
  uint8_t *block = status ? NULL : wm_block_allocate(graph->context, (size_t)writer.head.byte_count);
  if (!status && !block) status = WM_ERROR_OUT_OF_MEMORY;
  if (!status) {
    writer.at = block;
    status = put_all(&writer);
  }
  if (!status) {
    *byte_count = (size_t)writer.head.byte_count;
    *bytes = block;
    const size_t end = *byte_count - sizeof(uint64_t);
    memset(writer.at, 0, (size_t)(block + end - writer.at));
    const uint64_t sum = wm_file_checksum(block, end);
    memcpy(block + end, &sum, sizeof sum);
  } else {
    wm_block_free(graph->context, block);
  }
  wm_scratch_rewind(graph->context, mark);
  return status;
}

/* ---- Reading ------------------------------------------------------------------------------------------ */

typedef struct Reader {
  WmContext *context;
  WmTileGraph *graph;
  SavedHead head;
  const uint8_t *clusters, *entrances, *parts, *costs; /* in the file; not aligned */
  uint32_t *numbers; /* scratch [cluster_count + block_count]: clusters of the graph */
} Reader;

static WmStatus fail(const Reader *reader, const char *what) {
  return wm_fail(reader->context, WM_ERROR_CORRUPT, "file", what);
}

static bool are_finite(const float *numbers, size_t count, float minimum) {
  for (size_t i = 0; i < count; i++) {
    if (!isfinite(numbers[i]) || numbers[i] < minimum) return false;
  }
  return true;
}

/* Checks the head, and that its counts add up to the number of bytes. */
static WmStatus read_head(Reader *reader, const uint8_t *bytes, size_t byte_count) {
  SavedHead *head = &reader->head;
  if (byte_count < sizeof *head + sizeof(uint64_t)) return fail(reader, "the file is cut");
  memcpy(head, bytes, sizeof *head);
  if (head->magic != MAGIC) return fail(reader, "the file is no tile graph");
  if (head->version != VERSION) {
    return wm_fail_number(reader->context, WM_ERROR_CORRUPT, "file", "the file has version ", head->version,
                          ": only 3 can be read");
  }
  uint64_t sum = 0;
  if (head->byte_count == byte_count && byte_count % 8 == 0)
    memcpy(&sum, bytes + byte_count - sizeof sum, sizeof sum);
  if (head->byte_count != byte_count || byte_count % 8 != 0 ||
      sum != wm_file_checksum(bytes, byte_count - sizeof sum)) {
    return fail(reader, "the length or the checksum is wrong: the file was cut or altered");
  }
  const uint64_t clusters = (uint64_t)head->cluster_count + head->block_count;
  const uint64_t at_entrances = sizeof *head + clusters * sizeof(SavedCluster);
  const uint64_t at_parts = at_entrances + (uint64_t)head->entrance_count * sizeof(SavedEntrance);
  const uint64_t at_costs = at_parts + (uint64_t)head->list_count * sizeof(uint16_t);
  const uint64_t room = byte_count - sizeof sum;
  if (at_costs > room || head->cost_count > room - at_costs) return fail(reader, "the file is cut");
  const float sizes[4] = {head->tile_size[0], head->tile_size[1], head->spacing, head->least_cost};
  const bool is_valid = are_finite(head->origin, 3, -INFINITY) && are_finite(sizes, 4, 0) && sizes[0] > 0 &&
                        sizes[1] > 0 && head->least_cost <= 1 && are_finite(head->area_costs, 64, 0);
  if (!is_valid) return fail(reader, "a number of the head is out of range");
  reader->clusters = bytes + sizeof *head;
  reader->entrances = bytes + at_entrances;
  reader->parts = bytes + at_parts;
  reader->costs = bytes + at_costs;
  return WM_OK;
}

static SavedCluster read_cluster(const Reader *reader, uint32_t number) {
  SavedCluster saved;
  memcpy(&saved, reader->clusters + (size_t)number * sizeof saved, sizeof saved);
  return saved;
}

/* Places must leave room for sums. */
static bool is_place(int32_t value) { return value > -(1 << 24) && value < 1 << 24; }

static WmStatus read_tiles(Reader *reader) {
  for (uint32_t i = 0; i < reader->head.cluster_count; i++) {
    const SavedCluster saved = read_cluster(reader, i);
    const bool is_connection = saved.flags & WM_CLUSTER_CONNECTION;
    const bool is_valid = (saved.flags & UINT8_MAX & ~(uint32_t)SAVED_FLAGS) == 0 &&
                          saved.count <= WM_ENTRANCE_LIMIT && are_finite(&saved.unit, 1, 0) &&
                          is_place(saved.x) && is_place(saved.z);
    if (!is_valid) return fail(reader, "a tile is out of range");
    if (!is_connection && wm_graph_find(reader->graph, 0, saved.x, saved.z, saved.layer) != WM_NONE) {
      return fail(reader, "a tile is there twice");
    }
    uint32_t number;
    const WmStatus status =
        wm_graph_add(reader->graph, saved.x, saved.z, saved.layer, is_connection, &number);
    if (status) return status;
    reader->numbers[i] = number;
    WmCluster *cluster = wm_graph_clusters(reader->graph) + number;
    cluster->flags |= saved.flags & (WM_CLUSTER_ASSUMED | WM_CLUSTER_DOUBTED);
    cluster->doors = saved.flags >> DOORS_SHIFT;
  }
  return WM_OK;
}

static WmStatus read_blocks(Reader *reader) {
  const uint32_t tiles = reader->head.cluster_count;
  if (reader->head.block_count != reader->graph->used_clusters - tiles)
    return fail(reader, "the number of blocks is wrong");
  for (uint32_t i = tiles; i < tiles + reader->head.block_count; i++) {
    const SavedCluster saved = read_cluster(reader, i);
    const bool is_valid = saved.layer > 0 && saved.layer < WM_GRAPH_LEVELS &&
                          saved.count <= WM_ENTRANCE_LIMIT &&
                          (saved.flags & ~(uint32_t)(WM_CLUSTER_SYMMETRIC | WM_CLUSTER_ASSUMED)) == 0 &&
                          are_finite(&saved.unit, 1, 0);
    const uint32_t number =
        is_valid ? wm_graph_find(reader->graph, (uint32_t)saved.layer, saved.x, saved.z, 0) : WM_NONE;
    if (number == WM_NONE) return fail(reader, "a block is out of range");
    WmCluster *block = wm_graph_clusters(reader->graph) + number;
    if (!(block->flags & WM_CLUSTER_STALE)) return fail(reader, "a block is there twice");
    block->flags &= (uint8_t)~WM_CLUSTER_STALE;
    block->flags |= saved.flags & WM_CLUSTER_ASSUMED;
    reader->numbers[i] = number;
  }
  return WM_OK;
}

static WmStatus read_entrances(Reader *reader) {
  WmTileGraph *graph = reader->graph;
  for (uint32_t i = 0; i < reader->head.entrance_count; i++) {
    SavedEntrance saved;
    memcpy(&saved, reader->entrances + (size_t)i * sizeof saved, sizeof saved);
    const uint32_t *ends = saved.clusters, count = reader->head.cluster_count;
    const bool is_valid = are_finite(saved.point, 3, -INFINITY) && are_finite(&saved.unit_cost, 1, 0) &&
                          saved.state <= WM_ENTRANCE_SAVED && ends[0] < count && ends[1] < count &&
                          ends[0] != ends[1] && saved.level < WM_GRAPH_LEVELS;
    if (!is_valid) return fail(reader, "an entrance is out of range");
    uint32_t number;
    const WmStatus status = wm_graph_new_entrance(graph, &number);
    if (status) return status;
    WmEntrance *entrance = wm_graph_entrances(graph) + number;
    *entrance = (WmEntrance){.state = saved.state, .level = saved.level, .unit_cost = saved.unit_cost};
    memcpy(entrance->point, saved.point, sizeof saved.point);
    memcpy(entrance->polygons, saved.polygons, sizeof saved.polygons);
    for (int side = 0; side < 2; side++) entrance->clusters[side] = reader->numbers[ends[side]];
    entrance->state |= wm_graph_end_state(graph, entrance);
    entrance->directions = wm_graph_directions(graph, entrance);
    const uint32_t *sides = entrance->clusters;
    const WmCluster *clusters = wm_graph_clusters(graph);
    if (!wm_graph_comes_before(&clusters[sides[0]], &clusters[sides[1]])) {
      return fail(reader, "the tiles of an entrance are in the wrong order");
    }
    if (wm_graph_ancestor(graph, sides[0], saved.level) == wm_graph_ancestor(graph, sides[1], saved.level)) {
      return fail(reader, "an entrance is within a block that lists it");
    }
  }
  return WM_OK;
}

/* Makes the lists of all clusters from the entrances. */
static WmStatus make_lists(Reader *reader) {
  WmTileGraph *graph = reader->graph;
  const size_t most = 2 * (size_t)graph->entrance_count * WM_GRAPH_LEVELS;
  WmSortItem *items = wm_scratch_array(reader->context, 2 * most, sizeof *items);
  uint32_t *entries = wm_scratch_array(reader->context, WM_ENTRANCE_LIMIT, sizeof *entries);
  if (!items || !entries) return WM_ERROR_OUT_OF_MEMORY;
  size_t count = 0;
  for (uint32_t entry = 0; entry < 2 * graph->entrance_count; entry++) {
    for (uint32_t level = 0; level <= wm_graph_entrance(graph, entry)->level; level++) {
      items[count++] = (WmSortItem){wm_graph_ancestor(graph, wm_graph_side(graph, entry), level), entry};
    }
  }
  wm_sort_stable(items, items + most, count);
  for (size_t i = 0; i < count;) {
    WmCluster *cluster = wm_graph_clusters(graph) + items[i].key;
    size_t length = 0;
    for (const uint32_t key = items[i].key; i < count && items[i].key == key; i++, length++) {
      if (length == WM_ENTRANCE_LIMIT) return fail(reader, "a tile has too many entrances");
      entries[length] = items[i].value;
    }
    WmStatus status = wm_graph_sort_entries(graph, entries, length);
    if (!status) {
      status =
          wm_pool_add(reader->context, &graph->lists, length + length / 2, sizeof(uint32_t), &cluster->list);
    }
    if (status) return status;
    cluster->count = (uint16_t)length;
    memcpy(wm_graph_list(graph, cluster), entries, length * sizeof *entries);
  }
  return WM_OK;
}

/* Moves the entries of a sorted list to their parts. */
static WmStatus read_parts(Reader *reader, WmCluster *cluster, uint32_t part_count) {
  const uint32_t count = cluster->count;
  uint32_t *list = wm_graph_list(reader->graph, cluster), entries[WM_ENTRANCE_LIMIT];
  uint16_t parts[WM_ENTRANCE_LIMIT], ends[WM_ENTRANCE_LIMIT + 1] = {0};
  if (part_count > count / 2) return fail(reader, "a list has too many parts");
  if (count) memcpy(entries, list, count * sizeof *entries);
  memcpy(parts, reader->parts, count * sizeof *parts);
  reader->parts += count * sizeof *parts;
  for (uint32_t i = 0; i < count; i++) {
    if (parts[i] > part_count) return fail(reader, "a list has another number of parts");
    ends[parts[i]]++;
  }
  for (uint32_t k = 0; k < part_count; k++) {
    if (ends[k] < 2 || (k > 0 && ends[k] > ends[k - 1]))
      return fail(reader, "the parts of a list are out of order");
  }
  for (uint32_t k = 0, first = 0; k <= part_count; k++) {
    const uint32_t size = ends[k];
    ends[k] = (uint16_t)first; /* then that of the next entry, which ends up as its end */
    first += size;
  }
  for (uint32_t i = 0; i < count; i++) list[ends[parts[i]]++] = entries[i];
  for (uint32_t k = 0; k < part_count; k++) list[count + k] = ends[k];
  cluster->part_count = (uint16_t)part_count;
  reader->graph->lists.garbage += count / 2 - part_count;
  return WM_OK;
}

/* Reads the parts and costs, whose numbers follow from the lists. */
static WmStatus read_costs(Reader *reader) {
  WmTileGraph *graph = reader->graph;
  uint64_t left = reader->head.cost_count, left_of_lists = reader->head.list_count;
  for (uint32_t i = 0; i < reader->head.cluster_count + reader->head.block_count; i++) {
    const SavedCluster saved = read_cluster(reader, i);
    WmCluster *cluster = wm_graph_clusters(graph) + reader->numbers[i];
    if (cluster->count != saved.count || saved.count > left_of_lists)
      return fail(reader, "a list has another length");
    left_of_lists -= saved.count;
    WmStatus status = read_parts(reader, cluster, saved.part_count);
    if (status) return status;
    cluster->unit = saved.unit;
    if (saved.flags & WM_CLUSTER_SYMMETRIC) cluster->flags |= WM_CLUSTER_SYMMETRIC;
    const size_t count = wm_graph_all_cost_count(graph, cluster);
    if (count > left) return fail(reader, "there are fewer costs than entrances need");
    status = wm_pool_add(reader->context, &graph->costs, count, sizeof(uint8_t), &cluster->costs);
    if (status) return status;
    if (count) memcpy(wm_graph_roots(graph, cluster), reader->costs, count);
    reader->costs += count;
    left -= count;
  }
  return left || left_of_lists ? fail(reader, "there are more costs than entrances need") : WM_OK;
}

static WmStatus check_grid(const Reader *reader, const WmMesh *mesh) {
  const WmMeshParameters *parameters = wm_mesh_parameters(mesh);
  const SavedHead *head = &reader->head;
  const bool is_same = wm_is_same_point(parameters->origin, head->origin) &&
                       parameters->tile_width == head->tile_size[0] &&
                       parameters->tile_depth == head->tile_size[1];
  return is_same ? WM_OK
                 : wm_fail(reader->context, WM_ERROR_INVALID_ARGUMENT, "mesh",
                           "the mesh has another origin or tile size than the tile graph");
}

static WmStatus read_graph(Reader *reader, const WmMesh *mesh) {
  const SavedHead *head = &reader->head;
  WmStatus status = mesh ? check_grid(reader, mesh) : WM_OK;
  if (!status) status = wm_tile_graph_create(reader->context, mesh, NULL, &reader->graph);
  if (status) return status;
  WmTileGraph *graph = reader->graph;
  memcpy(graph->origin, head->origin, sizeof graph->origin);
  memcpy(graph->tile_size, head->tile_size, sizeof graph->tile_size);
  graph->spacing = head->spacing;
  graph->saved_least_cost = head->least_cost;
  graph->keeps_removed = true; /* else tiles that are loaded and removed again would be forgotten */
  graph->filter.include_flags = head->include_flags;
  graph->filter.exclude_flags = head->exclude_flags;
  memcpy(graph->filter.area_costs, head->area_costs, sizeof head->area_costs);
  reader->numbers =
      wm_scratch_array(reader->context, (size_t)head->cluster_count + head->block_count, sizeof(uint32_t));
  if (!reader->numbers) return WM_ERROR_OUT_OF_MEMORY;
  status = read_tiles(reader);
  if (!status) status = read_blocks(reader);
  if (!status) status = read_entrances(reader);
  if (!status) status = make_lists(reader);
  if (!status) status = read_costs(reader);
  if (!status) status = wm_graph_compact(graph);
  if (!status) wm_graph_find_detour(graph);
  return status;
}

WmStatus wm_tile_graph_read(WmContext *context, const WmMesh *mesh, const uint8_t *bytes, size_t byte_count,
                            WmTileGraph **out) {
  *out = NULL;
  Reader reader = {.context = context};
  const WmScratchMark mark = wm_scratch_mark(context);
  WmStatus status = read_head(&reader, bytes, byte_count);
  if (!status) status = read_graph(&reader, mesh);
  wm_scratch_rewind(context, mark);
  if (status) {
    wm_tile_graph_destroy(reader.graph);
  } else {
    *out = reader.graph;
  }
  return status;
}
