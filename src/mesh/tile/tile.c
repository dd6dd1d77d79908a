/* A tile of the mesh from bytes: one block with the record, a cleaned copy of the bytes, and the arrays that
 * searches read.
 *
 * The copy is aligned, so that vertices, details and tree are checked and read where they lie in it. What
 * belongs to the run time of the program that saved it is cleaned away: link records, first links, and ends
 * of off-mesh polygons that were moved (the connection's record has the original ones). Portal edges are
 * sorted once, per side. */
#include <stddef.h>

#include "mesh/tile/detail_boxes.h"
#include "mesh/tile/leaf_boxes.h"
#include "mesh/locate.h"
#include "mesh/mesh_internal.h"
#include "mesh/tile/rings.h"

/* No NaN comes here; zeros with and without a sign are one. */
uint32_t wm_sort_key(float value) {
  uint32_t bits;
  value += 0.0f;
  memcpy(&bits, &value, sizeof bits);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

/* ---- Laying out --------------------------------------------------------------------------------------- */

/* What an array of the block has an element for. */
typedef enum Per {
  PER_BYTE,
  PER_POLYGON,
  PER_START,
  PER_CONNECTION,
  PER_EDGE,
  PER_TRIANGLE,
  PER_LEAF,
  PER_BLOCK,
  PER_COUNT
} Per;

/* Arrays of the block, and where the record keeps their addresses; the record is first. */
static const struct {
  uint8_t per;
  uint8_t bytes;
  uint16_t pointer;
} PARTS[] = {
    {PER_BYTE, 1, offsetof(WmTileRecord, tile.bytes)},
    {PER_POLYGON, 2 * WM_TILE_VERTICES_PER_POLYGON, offsetof(WmTileRecord, tile.polygon_vertices)},
    {PER_POLYGON, 2 * WM_TILE_VERTICES_PER_POLYGON, offsetof(WmTileRecord, tile.polygon_neighbours)},
    {PER_POLYGON, 1, offsetof(WmTileRecord, tile.polygon_size)},
    {PER_POLYGON, WM_RING_NUMBERS * sizeof(float), offsetof(WmTileRecord, tile.rings)},
    {PER_POLYGON, 1, offsetof(WmTileRecord, tile.polygon_area)},
    {PER_POLYGON, 2, offsetof(WmTileRecord, tile.polygon_flags)},
    {PER_POLYGON, 2, offsetof(WmTileRecord, made_flags)},
    {PER_POLYGON, 1, offsetof(WmTileRecord, made_areas)},
    {PER_CONNECTION, 6 * sizeof(float), offsetof(WmTileRecord, tile.connection_ends)},
    {PER_CONNECTION, 1, offsetof(WmTileRecord, connection_started)},
    {PER_START, sizeof(uint32_t), offsetof(WmTileRecord, tile.link_first)},
    {PER_START, sizeof(uint32_t), offsetof(WmTileRecord, tile.state_first)},
    {PER_START, sizeof(double), offsetof(WmTileRecord, tile.area_before)},
    {PER_TRIANGLE, sizeof(uint32_t), offsetof(WmTileRecord, tile.detail_boxes)},
    {PER_POLYGON, sizeof(WmDetailFrame), offsetof(WmTileRecord, tile.detail_frames)},
    {PER_LEAF, sizeof(uint32_t), offsetof(WmTileRecord, tile.leaf_polygons)},
    {PER_BLOCK, sizeof(WmLeafBlock), offsetof(WmTileRecord, tile.leaf_blocks)},
    {PER_EDGE, sizeof(WmPortalEdge), offsetof(WmTileRecord, edges)},
    {PER_EDGE, sizeof(WmSortItem), offsetof(WmTileRecord, by_low)},
};

enum { PART_COUNT = sizeof PARTS / sizeof *PARTS };

/* Where the record keeps the addresses of the sections, in their order; the one of links is of no use, and
 * overwritten by the next. */
static const uint16_t SECTION_POINTERS[] = {
    offsetof(WmTileRecord, tile.vertices),        offsetof(WmTileRecord, polygons),
    offsetof(WmTileRecord, tile.details),         offsetof(WmTileRecord, tile.details),
    offsetof(WmTileRecord, tile.detail_vertices), offsetof(WmTileRecord, tile.detail_triangles),
    offsetof(WmTileRecord, tile.nodes),           offsetof(WmTileRecord, tile.connections)};

/* Sets a pointer of the record, whatever it points to. */
static void point(WmTileRecord *record, size_t offset, uint8_t *address) {
  memcpy((uint8_t *)record + offset, &address, sizeof address);
}

/* Portal edges in polygons that have not been checked: at most as many are used. */
static size_t count_portal_edges(const uint8_t *polygons, size_t count) {
  size_t edges = 0;
  for (size_t i = 0; i < count; i++) {
    const uint8_t *codes = polygons + i * WM_TILE_POLYGON_BYTES + offsetof(WmTilePolygon, neighbours);
    for (int k = 0; k < WM_TILE_VERTICES_PER_POLYGON; k++) edges += codes[2 * k + 1] >> 7; /* high bits */
  }
  return edges;
}

/* Leaves of a tree that has not been checked: at most as many are used. */
static size_t count_leaves(const uint8_t *nodes, size_t count) {
  size_t leaves = 0;
  for (size_t i = 0; i < count; i++) {
    leaves += nodes[(i + 1) * WM_TILE_NODE_BYTES - 1] < 0x80; /* the highest byte of the index */
  }
  return leaves;
}

/* Copies the bytes, with empty links of 12 bytes, and points readers at what lies in them. */
static void copy_bytes(WmTileRecord *record, const WmTileHeader *header, const uint8_t *bytes,
                       size_t byte_count, const WmTileSections *at) {
  WmMeshTile *tile = &record->tile;
  uint8_t *copy = (uint8_t *)tile->bytes; /* zeros */
  const size_t behind = (size_t)(at->byte_count - at->details);
  memcpy(copy, bytes, (size_t)at->links);
  memcpy(copy + at->details, bytes + byte_count - behind, behind);
  memcpy(&tile->x, &header->x, sizeof *header - offsetof(WmTileHeader, x));
  tile->byte_count = (size_t)at->byte_count;
  tile->cost_factor = 1;
  const uint64_t *sections = (const void *)at;
  for (int i = 0; i < 8; i++) point(record, SECTION_POINTERS[i], copy + (size_t)sections[i]);
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

/* Spreads polygon records over arrays. */
static void fill_polygons(WmTileRecord *record) {
  WmMeshTile *tile = &record->tile;
  for (uint32_t i = 0; i < tile->polygon_count; i++) {
    WmTilePolygon *polygon = &record->polygons[i];
    polygon->first_link = 0;
    memcpy((uint16_t *)tile->polygon_vertices + 6 * (size_t)i, polygon->vertices, sizeof polygon->vertices);
    memcpy((uint16_t *)tile->polygon_neighbours + 6 * (size_t)i, polygon->neighbours,
           sizeof polygon->neighbours);
    ((uint8_t *)tile->polygon_size)[i] = polygon->vertex_count;
    ((uint8_t *)tile->polygon_area)[i] = polygon->area_and_type & 63;
    record->made_areas[i] = tile->polygon_area[i];
    ((uint16_t *)tile->polygon_flags)[i] = record->made_flags[i] = polygon->flags;
    for (uint32_t k = 0; k < polygon->vertex_count; k++) {
      const uint32_t code = polygon->neighbours[k];
      if (code & WM_TILE_PORTAL) {
        add_edge(record, i, k, code & 6);
      } else if (code) {
        record->inner_link_count++;
      }
    }
    if (i < tile->ground_count) {
      /* Without detail a polygon is drawn as a fan. */
      const uint32_t detail = tile->details[i].triangle_count;
      tile->triangle_count += detail ? detail : polygon->vertex_count - 2u;
    }
  }
}

void wm_tile_fill_states(WmTileRecord *record) {
  const WmMeshTile *tile = &record->tile;
  const WmPortalEdge *edge = record->edges, *end = edge + record->edge_count;
  uint32_t *state_first = (uint32_t *)tile->state_first;
  state_first[0] = 0;
  for (uint32_t i = 0; i < tile->polygon_count; i++) {
    bool crossed =
        i >= tile->ground_count && tile->connections[i - tile->ground_count].side != WM_TILE_SIDE_INSIDE;
    for (; edge < end && edge->polygon == i; edge++) crossed = true;
    state_first[i + 1] = state_first[i] + (crossed ? 4 : 1);
  }
}

static void fill_connections(WmTileRecord *record) {
  const WmMeshTile *tile = &record->tile;
  for (size_t i = 0; i < tile->connection_count; i++) {
    const float *ends = tile->connections[i].start; /* and the end behind it */
    for (int end = 0; end < 2; end++) {
      const size_t vertex = record->polygons[tile->ground_count + i].vertices[end];
      memcpy((float *)tile->vertices + 3 * vertex, ends + 3 * end, 3 * sizeof(float));
    }
  }
}

/* in         scratch [edges] */
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

/* WmMeshTile.node_rise: over all leaves, which are truncated at their high ends. */
static float measure_rise(const WmMeshTile *tile) {
  float rise = 0;
  for (uint32_t i = 0; i < tile->node_count; i++) {
    const WmTileNode *node = &tile->nodes[i];
    if (node->index < 0) continue;
    const uint32_t p = (uint32_t)node->index;
    for (uint32_t k = 0; k < (uint32_t)tile->polygon_size[p] + tile->details[p].vertex_count; k++) {
      const float y = (wm_tile_corner(tile, p, k)[1] - tile->bounds_min[1]) * tile->cells_per_unit;
      const float below = (float)node->low[1] - y, above = y - (float)node->high[1] - 1;
      const float more = below > above ? below : above;
      if (more > rise) rise = more;
    }
  }
  return rise;
}

/* What wm_tile_check_contents finds out about a tree. */
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
  const size_t edge_limit = count_portal_edges(bytes + at.polygons, polygons);
  const size_t leaves =
      count_leaves(bytes + byte_count - (size_t)(at.byte_count - at.nodes), (size_t)header.node_count);
  const size_t counts[PER_COUNT] = {(size_t)at.byte_count,
                                    polygons,
                                    polygons + 2,
                                    (size_t)header.connection_count,
                                    edge_limit,
                                    (size_t)header.detail_triangle_count + 3,
                                    leaves,
                                    wm_leaf_block_count(leaves)};
  WmLayout layout = {0};
  size_t offsets[PART_COUNT];
  wm_layout_add(&layout, 1, sizeof(WmTileRecord));
  for (int i = 0; i < PART_COUNT; i++) {
    offsets[i] = wm_layout_add(&layout, counts[PARTS[i].per], PARTS[i].bytes);
  }
  uint8_t *block = wm_layout_allocate(context, &layout);
  if (!block) return WM_ERROR_OUT_OF_MEMORY;
  memset(block, 0, layout.bytes);
  WmTileRecord *record = (void *)block;
  for (int i = 0; i < PART_COUNT; i++) point(record, PARTS[i].pointer, block + offsets[i]);
  record->block_bytes = layout.bytes;
  copy_bytes(record, &header, bytes, byte_count, &at);
  const WmScratchMark mark = wm_scratch_mark(context);
  status = fill_record(context, record, edge_limit, is_trusted);
  wm_scratch_rewind(context, mark);
  if (status) {
    wm_tile_free(context, record);
  } else {
    *out = record;
  }
  return status;
}

WmStatus wm_tile_make(WmContext *context, const uint8_t *bytes, size_t byte_count, WmTileRecord **out) {
  return make(context, bytes, byte_count, false, out);
}

WmStatus wm_tile_make_trusted(WmContext *context, const uint8_t *bytes, size_t byte_count,
                              WmTileRecord **out) {
  return make(context, bytes, byte_count, true, out);
}

/* The record lies at the start of its block; 0 reference_count are one. */
void wm_tile_free(WmContext *context, WmTileRecord *record) {
  if (!record || record->reference_count-- > 1) return;
  wm_block_free(context, record->dynamic.items);
  wm_block_free(context, record->laid.items);
  wm_block_free(context, record);
}
