/* bytes -> the record of a tile: one block with a cleaned copy of the bytes, and the arrays that queries
 * read.
 *
 * The copy is aligned, so that vertices, details and tree are checked and read in place. Run-time data of the
 * program that saved it is reset: link records, first links, and vertices of off-mesh polygons that were
 * moved (the connection's record has the original ones). Portal edges are sorted once. */
#include <stddef.h>

#include "base/debug/assert.h"
#include "mesh/tile/detail_boxes.h"
#include "mesh/tile/leaf_boxes.h"
#include "mesh/locate.h"
#include "mesh/mesh_internal.h"
#include "mesh/tile/near_grid.h"
#include "mesh/tile/rings.h"

/* The value is never NaN; -0 and 0 have the same key. */
uint32_t wm_sort_key(float value) {
  uint32_t bits;
  value += 0.0f;
  memcpy(&bits, &value, sizeof bits);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

/* ---- Memory ------------------------------------------------------------------------------------------- */

/* Numbers of elements, or upper bounds of them, from bytes that have not been checked. */
typedef struct Counts {
  size_t bytes, polygons, connections, edges, triangles, leaves, leaf_blocks;
} Counts;

/* The block of a record and its arrays. */
typedef struct Block {
  WmLayout layout;
  uint8_t *memory; /* NULL: only the layout is computed */
} Block;

static void *next_array(Block *block, size_t count, size_t element_bytes) {
  const size_t offset = wm_layout_add(&block->layout, count, element_bytes);
  return block->memory ? block->memory + offset : NULL;
}

/* Sets the addresses of all arrays. Without memory it computes the size of the block. */
static void place_arrays(Block *block, const Counts *counts, WmTileRecord *record) {
  const size_t polygons = counts->polygons, starts = polygons + 2, vertices = WM_TILE_VERTICES_PER_POLYGON;
  WmTileArrays *arrays = &record->arrays;
  next_array(block, 1, sizeof *record);
  arrays->bytes = next_array(block, counts->bytes, 1);
  arrays->polygon_vertices = next_array(block, polygons, vertices * sizeof(uint16_t));
  arrays->polygon_neighbours = next_array(block, polygons, vertices * sizeof(uint16_t));
  arrays->polygon_size = next_array(block, polygons, sizeof(uint8_t));
  arrays->rings = next_array(block, polygons, WM_RING_NUMBERS * sizeof(float));
  arrays->polygon_area = next_array(block, polygons, sizeof(uint8_t));
  arrays->polygon_flags = next_array(block, polygons, sizeof(uint16_t));
  record->made_flags = next_array(block, polygons, sizeof(uint16_t));
  record->made_areas = next_array(block, polygons, sizeof(uint8_t));
  arrays->connection_ends = next_array(block, counts->connections, 6 * sizeof(float));
  record->connection_started = next_array(block, counts->connections, sizeof(uint8_t));
  arrays->link_first = next_array(block, starts, sizeof(uint32_t));
  arrays->state_first = next_array(block, starts, sizeof(uint32_t));
  arrays->area_before = next_array(block, starts, sizeof(double));
  arrays->detail_boxes = next_array(block, counts->triangles + 3, sizeof(uint32_t));
  arrays->detail_frames = next_array(block, polygons, sizeof(WmDetailFrame));
  arrays->leaf_polygons = next_array(block, counts->leaves, sizeof(uint32_t));
  arrays->leaf_blocks = next_array(block, counts->leaf_blocks, sizeof(WmLeafBlock));
  const size_t leaves = counts->leaves > WM_NEAR_FEW_LEAVES ? counts->leaves : 0;
  arrays->near_first = next_array(block, wm_near_first_count(leaves), sizeof(uint32_t));
  arrays->near_nodes = next_array(block, wm_near_node_count(leaves), sizeof(uint16_t));
  record->edges = next_array(block, counts->edges, sizeof(WmPortalEdge));
  record->by_low = next_array(block, counts->edges, sizeof(WmSortItem));
}

/* Shows readers the arrays, and the sections of the copied bytes. */
static void set_view(WmTileRecord *record, const WmTileSections *at) {
  WmTileArrays *arrays = &record->arrays;
  WmMeshTile *tile = &record->tile;
  uint8_t *bytes = arrays->bytes;
  arrays->vertices = (void *)(bytes + at->vertices);
  record->polygons = (void *)(bytes + at->polygons);
  tile->bytes = bytes;
  tile->vertices = arrays->vertices;
  tile->details = (const void *)(bytes + at->details);
  tile->detail_vertices = (const void *)(bytes + at->detail_vertices);
  tile->detail_triangles = bytes + at->detail_triangles;
  tile->nodes = (const void *)(bytes + at->nodes);
  tile->connections = (const void *)(bytes + at->connections);
  tile->polygon_vertices = arrays->polygon_vertices;
  tile->polygon_neighbours = arrays->polygon_neighbours;
  tile->polygon_size = arrays->polygon_size;
  tile->polygon_area = arrays->polygon_area;
  tile->polygon_flags = arrays->polygon_flags;
  tile->connection_ends = arrays->connection_ends;
  tile->link_first = arrays->link_first;
  tile->state_first = arrays->state_first;
  tile->detail_boxes = arrays->detail_boxes;
  tile->detail_frames = arrays->detail_frames;
  tile->leaf_polygons = arrays->leaf_polygons;
  tile->leaf_blocks = arrays->leaf_blocks;
  tile->area_before = arrays->area_before;
  tile->rings = arrays->rings;
}

/* Number of portal edges in polygons that have not been checked: an upper bound. */
static size_t count_portal_edges(const uint8_t *polygons, size_t count) {
  size_t edges = 0;
  for (size_t i = 0; i < count; i++) {
    const uint8_t *codes = polygons + i * WM_TILE_POLYGON_BYTES + offsetof(WmTilePolygon, neighbours);
    for (int k = 0; k < WM_TILE_VERTICES_PER_POLYGON; k++) edges += codes[2 * k + 1] >> 7; /* high bits */
  }
  return edges;
}

/* Number of leaves of a tree that has not been checked: an upper bound. */
static size_t count_leaves(const uint8_t *nodes, size_t count) {
  size_t leaves = 0;
  for (size_t i = 0; i < count; i++) {
    leaves += nodes[(i + 1) * WM_TILE_NODE_BYTES - 1] < 0x80; /* the highest byte of the index */
  }
  return leaves;
}

static void copy_header(WmMeshTile *tile, const WmTileHeader *header) {
  tile->x = header->x;
  tile->z = header->z;
  tile->layer = header->layer;
  tile->user_id = header->user_id;
  tile->polygon_count = (uint32_t)header->polygon_count;
  tile->vertex_count = (uint32_t)header->vertex_count;
  tile->link_room = (uint32_t)header->link_count;
  tile->detail_count = (uint32_t)header->detail_count;
  tile->detail_vertex_count = (uint32_t)header->detail_vertex_count;
  tile->detail_triangle_count = (uint32_t)header->detail_triangle_count;
  tile->node_count = (uint32_t)header->node_count;
  tile->connection_count = (uint32_t)header->connection_count;
  tile->ground_count = (uint32_t)header->first_off_mesh;
  tile->agent_height = header->agent_height;
  tile->agent_radius = header->agent_radius;
  tile->agent_max_climb = header->agent_max_climb;
  memcpy(tile->bounds_min, header->bounds_min, sizeof tile->bounds_min);
  memcpy(tile->bounds_max, header->bounds_max, sizeof tile->bounds_max);
  tile->cells_per_unit = header->cells_per_unit;
}

/* Copies the bytes. The links in the copy are zeros, 12 bytes each, also where the bytes have wide ones. */
static void copy_bytes(WmTileRecord *record, const WmTileHeader *header, const uint8_t *bytes,
                       size_t byte_count, const WmTileSections *at) {
  uint8_t *copy = record->arrays.bytes; /* zeros */
  const size_t behind = (size_t)(at->byte_count - at->details);
  memcpy(copy, bytes, (size_t)at->links);
  memcpy(copy + at->details, bytes + byte_count - behind, behind);
  copy_header(&record->tile, header);
  record->tile.byte_count = (size_t)at->byte_count;
  record->tile.cost_factor = 1;
}

/* ---- Filling in --------------------------------------------------------------------------------------- */

static void add_edge(WmTileRecord *record, uint32_t polygon, uint32_t k, uint32_t side) {
  const float *first = wm_tile_vertex(&record->tile, polygon, k);
  const float *second = wm_tile_vertex(&record->tile, polygon, k + 1);
  const int along = side & 2 ? 0 : 2; /* sides of x are walked along z */
  const bool ascending = first[along] < second[along];
  const float *low = ascending ? first : second, *high = ascending ? second : first;
  record->edges[record->edge_count++] = (WmPortalEdge){.coordinate = first[2 - along],
                                                       .low = low[along],
                                                       .high = high[along],
                                                       .y_low = low[1],
                                                       .y_high = high[1],
                                                       .polygon = (uint16_t)polygon,
                                                       .edge = (uint8_t)k,
                                                       .side = (uint8_t)side,
                                                       .ascending = ascending};
}

/* Copies polygon records to arrays, and collects portal edges. */
static void fill_polygons(WmTileRecord *record) {
  WmMeshTile *tile = &record->tile;
  const WmTileArrays *arrays = &record->arrays;
  for (uint32_t i = 0; i < tile->polygon_count; i++) {
    WmTilePolygon *polygon = &record->polygons[i];
    polygon->first_link = 0;
    const size_t first = WM_TILE_VERTICES_PER_POLYGON * (size_t)i;
    memcpy(arrays->polygon_vertices + first, polygon->vertices, sizeof polygon->vertices);
    memcpy(arrays->polygon_neighbours + first, polygon->neighbours, sizeof polygon->neighbours);
    arrays->polygon_size[i] = polygon->vertex_count;
    arrays->polygon_area[i] = record->made_areas[i] = polygon->area_and_type & 63;
    arrays->polygon_flags[i] = record->made_flags[i] = polygon->flags;
    for (uint32_t k = 0; k < polygon->vertex_count; k++) {
      const uint32_t code = polygon->neighbours[k];
      if (code & WM_TILE_PORTAL) {
        add_edge(record, i, k, code & 6);
      } else if (code) {
        record->inner_link_count++;
      }
    }
    if (i < tile->ground_count) {
      /* A polygon without detail is drawn as a fan. */
      const uint32_t detail = tile->details[i].triangle_count;
      tile->triangle_count += detail ? detail : polygon->vertex_count - 2u;
    }
  }
}

void wm_tile_fill_states(WmTileRecord *record) {
  const WmMeshTile *tile = &record->tile;
  const WmPortalEdge *edge = record->edges, *end = edge + record->edge_count;
  uint32_t *state_first = record->arrays.state_first;
  state_first[0] = 0;
  for (uint32_t i = 0; i < tile->polygon_count; i++) {
    bool crossed =
        i >= tile->ground_count && tile->connections[i - tile->ground_count].side != WM_TILE_SIDE_INSIDE;
    for (; edge < end && edge->polygon == i; edge++) crossed = true;
    state_first[i + 1] = state_first[i] + (crossed ? 4 : 1);
  }
}

/* Resets the vertices of off-mesh polygons. */
static void fill_connections(WmTileRecord *record) {
  const WmMeshTile *tile = &record->tile;
  for (size_t i = 0; i < tile->connection_count; i++) {
    const WmTileConnection *connection = &tile->connections[i];
    const uint16_t *vertices = record->polygons[tile->ground_count + i].vertices;
    memcpy(record->arrays.vertices + 3 * (size_t)vertices[0], connection->start, sizeof connection->start);
    memcpy(record->arrays.vertices + 3 * (size_t)vertices[1], connection->end, sizeof connection->end);
  }
}

/* Sorts portal edges by their low ends; see WmTileRecord.by_low.
 * in         scratch [edge_count] */
static void sort_edges(WmTileRecord *record, WmSortItem *scratch) {
  WmSortItem *items = record->by_low;
  const uint32_t count = record->edge_count;
  for (uint32_t i = 0; i < count; i++) items[i] = (WmSortItem){wm_sort_key(record->edges[i].low), i};
  wm_sort_stable(items, scratch, count);
  uint32_t reach = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t high = wm_sort_key(record->edges[items[i].value].high);
    if (high > reach) reach = high;
    items[i].key = reach;
  }
}

/* The lowest and highest vertex of a ground polygon's detail mesh. */
static void find_heights(const WmMeshTile *tile, uint32_t p, float *low, float *high) {
  const uint16_t *numbers = tile->polygon_vertices + WM_TILE_VERTICES_PER_POLYGON * (size_t)p;
  const float *more = tile->detail_vertices + 3 * (size_t)tile->details[p].first_vertex;
  *low = *high = tile->vertices[3 * (size_t)numbers[0] + 1];
  for (uint32_t k = 1; k < tile->polygon_size[p]; k++) {
    const float y = tile->vertices[3 * (size_t)numbers[k] + 1];
    *low = y < *low ? y : *low;
    *high = y > *high ? y : *high;
  }
  for (uint32_t k = 0; k < tile->details[p].vertex_count; k++) {
    const float y = more[3 * (size_t)k + 1];
    *low = y < *low ? y : *low;
    *high = y > *high ? y : *high;
  }
}

/* Computes WmMeshTile.node_rise over all leaves. The high bounds of leaves are truncated. */
static float measure_rise(const WmMeshTile *tile) {
  float rise = 0;
  for (uint32_t i = 0; i < tile->node_count; i++) {
    const WmTileNode *node = &tile->nodes[i];
    if (node->index < 0) continue;
    float low, high;
    find_heights(tile, (uint32_t)node->index, &low, &high);
    const float below = (float)node->low[1] - (low - tile->bounds_min[1]) * tile->cells_per_unit;
    const float above = (high - tile->bounds_min[1]) * tile->cells_per_unit - (float)node->high[1] - 1;
    const float more = below > above ? below : above;
    if (more > rise) rise = more;
  }
  return rise;
}

/* Sets node_count as wm_tile_check_contents does, for a tile of our own baker. */
static void trust_tree(WmMeshTile *tile) {
  if (tile->node_count) tile->node_count = wm_tile_is_beyond_tree(tile) ? 0 : 2 * tile->ground_count - 1;
}

static WmStatus fill_record(WmContext *context, WmTileRecord *record, size_t edge_limit, bool is_trusted) {
  WmStatus status = WM_OK;
  if (is_trusted) {
    trust_tree(&record->tile);
  } else {
    status = wm_tile_check_contents(context, record);
  }
  if (status) return status;
  WmSortItem *scratch = wm_scratch_array(context, edge_limit, sizeof *scratch);
  if (!scratch) return WM_ERROR_OUT_OF_MEMORY;
  fill_polygons(record);
  wm_tile_fill_states(record);
  fill_connections(record);
  wm_tile_fill_areas(record);
  wm_tile_fill_rings(record);
  wm_tile_fill_boxes(record);
  wm_tile_fill_leaves(record);
  wm_tile_fill_near_grid(record);
  record->tile.node_rise = measure_rise(&record->tile);
  sort_edges(record, scratch);
  return WM_OK;
}

static WmStatus make(WmContext *context, const uint8_t *bytes, size_t byte_count, bool is_trusted,
                     WmTileRecord **out) {
  *out = NULL;
  WmTileHeader header;
  WmTileSections at;
  WmStatus status = wm_tile_check_header(context, bytes, byte_count, &header, &at);
  if (status) return status;
  const size_t polygons = (size_t)header.polygon_count;
  const size_t leaves =
      count_leaves(bytes + byte_count - (size_t)(at.byte_count - at.nodes), (size_t)header.node_count);
  const Counts counts = {.bytes = (size_t)at.byte_count,
                         .polygons = polygons,
                         .connections = (size_t)header.connection_count,
                         .edges = count_portal_edges(bytes + at.polygons, polygons),
                         .triangles = (size_t)header.detail_triangle_count,
                         .leaves = leaves,
                         .leaf_blocks = wm_leaf_block_count(leaves)};
  Block measured = {.memory = NULL};
  WmTileRecord unused;
  place_arrays(&measured, &counts, &unused);
  Block block = {.memory = wm_layout_allocate(context, &measured.layout)};
  if (!block.memory) return WM_ERROR_OUT_OF_MEMORY;
  memset(block.memory, 0, measured.layout.bytes);
  WmTileRecord *record = (void *)block.memory;
  place_arrays(&block, &counts, record);
  record->block_bytes = block.layout.bytes;
  set_view(record, &at);
  copy_bytes(record, &header, bytes, byte_count, &at);
  const WmScratchMark mark = wm_scratch_mark(context);
  status = fill_record(context, record, counts.edges, is_trusted);
  wm_scratch_rewind(context, mark);
  if (status) {
    wm_tile_free(context, record);
    return status;
  }
  WM_VALIDATE(wm_tile_record_validate(record));
  *out = record;
  return WM_OK;
}

WmStatus wm_tile_make(WmContext *context, const uint8_t *bytes, size_t byte_count, WmTileRecord **out) {
  return make(context, bytes, byte_count, false, out);
}

WmStatus wm_tile_make_trusted(WmContext *context, const uint8_t *bytes, size_t byte_count,
                              WmTileRecord **out) {
  return make(context, bytes, byte_count, true, out);
}

/* The record lies at the start of its block; a reference_count of 0 means 1. */
void wm_tile_free(WmContext *context, WmTileRecord *record) {
  if (!record || record->reference_count-- > 1) return;
  wm_block_free(context, record->dynamic.items);
  wm_block_free(context, record->laid.items);
  wm_block_free(context, record);
}
