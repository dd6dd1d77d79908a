/* A tile of the mesh from checked bytes: one block with the record, a cleaned copy of the bytes, and the
 * arrays that searches read.
 *
 * The copy is aligned, so that vertices, details and tree are read where they lie in it. What belongs to the
 * run time of the program that saved it is cleaned away: link records, first links, and ends of off-mesh
 * polygons that were moved (the connection's record has the original ones). Portal edges are sorted once, per
 * side. */
#include "base/sort.h"
#include "mesh/mesh_internal.h"

/* Sortable number of a float: ascending as the floats are; no NaN comes here. */
static uint32_t sort_key(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

/* ---- Laying out --------------------------------------------------------------------------------------- */

typedef struct Counts {
  uint32_t inner_links;
  uint32_t portals[4];
} Counts;

static Counts count_edges(const WmTileView *view) {
  Counts counts = {0};
  for (size_t i = 0; i < (size_t)view->header.first_off_mesh; i++) {
    WmTilePolygon polygon;
    wm_tile_get(view->bytes, view->at.polygons, i, sizeof polygon, &polygon);
    for (int k = 0; k < polygon.vertex_count; k++) {
      const uint16_t code = polygon.neighbours[k];
      if (code & WM_TILE_PORTAL) {
        counts.portals[(code & 6) >> 1]++;
      } else if (code) {
        counts.inner_links++;
      }
    }
  }
  return counts;
}

typedef struct Offsets {
  size_t record, bytes, vertices, neighbours, size, area, flags, ends, started, link_first, state_first;
  size_t edges[4], by_low[4], reach[4];
} Offsets;

static Offsets lay_out(const WmTileHeader *header, size_t byte_count, const Counts *counts,
                       WmLayout *layout) {
  const size_t polygons = (size_t)header->polygon_count, connections = (size_t)header->connection_count;
  Offsets at;
  at.record = wm_layout_add(layout, 1, sizeof(WmTileRecord));
  at.bytes = wm_layout_add(layout, byte_count, 1);
  at.vertices = wm_layout_add(layout, polygons, 2 * WM_TILE_VERTICES_PER_POLYGON);
  at.neighbours = wm_layout_add(layout, polygons, 2 * WM_TILE_VERTICES_PER_POLYGON);
  at.size = wm_layout_add(layout, polygons, 1);
  at.area = wm_layout_add(layout, polygons, 1);
  at.flags = wm_layout_add(layout, polygons, 2);
  at.ends = wm_layout_add(layout, connections, 6 * sizeof(float));
  at.started = wm_layout_add(layout, connections, 1);
  at.link_first = wm_layout_add(layout, polygons + 1, 4);
  at.state_first = wm_layout_add(layout, polygons + 1, 4);
  for (int side = 0; side < 4; side++) {
    at.edges[side] = wm_layout_add(layout, counts->portals[side], sizeof(WmPortalEdge));
    at.by_low[side] = wm_layout_add(layout, counts->portals[side], 4);
    at.reach[side] = wm_layout_add(layout, counts->portals[side], 4);
  }
  return at;
}

/* ---- Filling in --------------------------------------------------------------------------------------- */

/* Copies the bytes without what a running program left in them, and with links of 12 bytes. */
static void copy_bytes(const WmTileView *view, const WmTileSections *at, uint8_t *bytes) {
  const WmTileHeader *header = &view->header;
  memcpy(bytes, view->bytes, (size_t)at->links);
  memset(bytes + at->links, 0, (size_t)(at->details - at->links));
  memcpy(bytes + at->details, view->bytes + view->at.details, (size_t)(at->byte_count - at->details));
  for (size_t i = 0; i < (size_t)header->polygon_count; i++) {
    memset(bytes + at->polygons + i * WM_TILE_POLYGON_BYTES, 0, sizeof(uint32_t)); /* first_link */
  }
  for (size_t i = 0; i < (size_t)header->connection_count; i++) {
    WmTileConnection connection;
    WmTilePolygon polygon;
    wm_tile_get(bytes, at->connections, i, sizeof connection, &connection);
    wm_tile_get(bytes, at->polygons, connection.polygon, sizeof polygon, &polygon);
    wm_tile_put(bytes, at->vertices, polygon.vertices[0], WM_TILE_VERTEX_BYTES, connection.start);
    wm_tile_put(bytes, at->vertices, polygon.vertices[1], WM_TILE_VERTEX_BYTES, connection.end);
  }
}

static void point_readers(WmTileRecord *record, const WmTileView *view, const WmTileSections *at) {
  WmMeshTile *tile = &record->tile;
  const WmTileHeader *header = &view->header;
  tile->x = header->x;
  tile->z = header->z;
  tile->layer = header->layer;
  tile->user_id = header->user_id;
  tile->agent_height = header->agent_height;
  tile->agent_radius = header->agent_radius;
  tile->agent_max_climb = header->agent_max_climb;
  memcpy(tile->bounds_min, header->bounds_min, sizeof tile->bounds_min);
  memcpy(tile->bounds_max, header->bounds_max, sizeof tile->bounds_max);
  tile->cells_per_unit = header->cells_per_unit;
  tile->polygon_count = (uint32_t)header->polygon_count;
  tile->ground_count = (uint32_t)header->first_off_mesh;
  tile->connection_count = (uint32_t)header->connection_count;
  tile->vertex_count = (uint32_t)header->vertex_count;
  tile->detail_vertex_count = (uint32_t)header->detail_vertex_count;
  tile->node_count = view->tree_nodes;
  tile->bytes = record->bytes;
  tile->byte_count = (size_t)at->byte_count;
  tile->vertices = (const float *)(const void *)(record->bytes + at->vertices);
  tile->details = (const WmTileDetail *)(const void *)(record->bytes + at->details);
  tile->detail_vertices = (const float *)(const void *)(record->bytes + at->detail_vertices);
  tile->detail_triangles = record->bytes + at->detail_triangles;
  tile->nodes = (const WmTileNode *)(const void *)(record->bytes + at->nodes);
  tile->connections = (const WmTileConnection *)(const void *)(record->bytes + at->connections);
}

/* Spreads polygon records over arrays. Polygons that several edges of other tiles can lead into have four
 * search states, one for each side they are entered from, like Detour's. */
static void fill_polygons(WmTileRecord *record, uint16_t *vertices, uint16_t *neighbours, uint8_t *sizes,
                          uint32_t *state_first) {
  const WmMeshTile *tile = &record->tile;
  uint32_t states = 0;
  for (size_t i = 0; i < tile->polygon_count; i++) {
    WmTilePolygon polygon;
    wm_tile_get(record->bytes, record->polygons_at, i, sizeof polygon, &polygon);
    memcpy(vertices + WM_TILE_VERTICES_PER_POLYGON * i, polygon.vertices, sizeof polygon.vertices);
    memcpy(neighbours + WM_TILE_VERTICES_PER_POLYGON * i, polygon.neighbours, sizeof polygon.neighbours);
    sizes[i] = polygon.vertex_count;
    record->areas[i] = polygon.area_and_type & 63;
    record->flags[i] = polygon.flags;
    bool crossed = false;
    for (int k = 0; k < polygon.vertex_count; k++) crossed |= (polygon.neighbours[k] & WM_TILE_PORTAL) != 0;
    if (i >= tile->ground_count)
      crossed = tile->connections[i - tile->ground_count].side != WM_TILE_SIDE_INSIDE;
    state_first[i] = states;
    states += crossed ? 4 : 1;
  }
  state_first[tile->polygon_count] = states;
}

static WmPortalEdge make_portal_edge(const WmMeshTile *tile, size_t polygon, uint32_t k, uint32_t side) {
  const uint16_t *numbers = tile->polygon_vertices + WM_TILE_VERTICES_PER_POLYGON * polygon;
  const float *first = tile->vertices + 3 * (size_t)numbers[k];
  const float *second = tile->vertices + 3 * (size_t)numbers[k + 1 < tile->polygon_size[polygon] ? k + 1 : 0];
  const int along = side & 2 ? 0 : 2; /* sides of x are walked along z */
  WmPortalEdge edge = {.coordinate = first[2 - along], .polygon = (uint16_t)polygon, .edge = (uint8_t)k};
  const bool ascending = first[along] < second[along];
  const float *low = ascending ? first : second, *high = ascending ? second : first;
  edge.low = low[along];
  edge.high = high[along];
  edge.y_low = low[1];
  edge.y_high = high[1];
  return edge;
}

/* in         items [2 * edges of the largest side], scratch */
static void fill_portals(WmTileRecord *record, WmSortItem *items) {
  const WmMeshTile *tile = &record->tile;
  for (size_t i = 0; i < tile->ground_count; i++) {
    for (uint32_t k = 0; k < tile->polygon_size[i]; k++) {
      const uint16_t code = tile->polygon_neighbours[WM_TILE_VERTICES_PER_POLYGON * i + k];
      if (!(code & WM_TILE_PORTAL)) continue;
      WmPortalSide *side = &record->sides[(code & 6) >> 1];
      side->edges[side->count++] = make_portal_edge(tile, i, k, code & 6);
    }
  }
  for (int s = 0; s < 4; s++) {
    WmPortalSide *side = &record->sides[s];
    for (uint32_t i = 0; i < side->count; i++) items[i] = (WmSortItem){sort_key(side->edges[i].low), i};
    wm_sort_stable(items, items + side->count, side->count);
    float reach = 0;
    for (uint32_t i = 0; i < side->count; i++) {
      side->by_low[i] = items[i].value;
      const float high = side->edges[items[i].value].high;
      reach = i == 0 || high > reach ? high : reach;
      side->reach[i] = reach;
    }
  }
}

static void fill_connections(WmTileRecord *record) {
  const WmMeshTile *tile = &record->tile;
  for (size_t i = 0; i < tile->connection_count; i++) {
    memcpy(record->connection_ends + 6 * i, tile->connections[i].start, 3 * sizeof(float));
    memcpy(record->connection_ends + 6 * i + 3, tile->connections[i].end, 3 * sizeof(float));
    record->connection_started[i] = 0;
  }
}

static WmTileRecord *place_record(const WmTileView *view, const WmTileSections *at, const Counts *counts,
                                  const Offsets *offsets, uint8_t *block) {
  WmTileRecord *record = (WmTileRecord *)(void *)(block + offsets->record);
  memset(record, 0, sizeof *record);
  record->bytes = block + offsets->bytes;
  record->polygons_at = at->polygons;
  record->flags = (uint16_t *)(void *)(block + offsets->flags);
  record->areas = block + offsets->area;
  record->connection_ends = (float *)(void *)(block + offsets->ends);
  record->connection_started = block + offsets->started;
  record->link_first = (uint32_t *)(void *)(block + offsets->link_first);
  record->inner_link_count = counts->inner_links;
  for (int side = 0; side < 4; side++) {
    record->sides[side].edges = (WmPortalEdge *)(void *)(block + offsets->edges[side]);
    record->sides[side].by_low = (uint32_t *)(void *)(block + offsets->by_low[side]);
    record->sides[side].reach = (float *)(void *)(block + offsets->reach[side]);
  }
  copy_bytes(view, at, record->bytes);
  point_readers(record, view, at);
  WmMeshTile *tile = &record->tile;
  uint16_t *vertices = (uint16_t *)(void *)(block + offsets->vertices);
  uint16_t *neighbours = (uint16_t *)(void *)(block + offsets->neighbours);
  uint32_t *state_first = (uint32_t *)(void *)(block + offsets->state_first);
  fill_polygons(record, vertices, neighbours, block + offsets->size, state_first);
  tile->polygon_vertices = vertices;
  tile->polygon_neighbours = neighbours;
  tile->polygon_size = block + offsets->size;
  tile->polygon_area = record->areas;
  tile->polygon_flags = record->flags;
  tile->connection_ends = record->connection_ends;
  tile->link_first = record->link_first;
  tile->state_first = state_first;
  for (size_t i = 0; i < tile->ground_count; i++) {
    /* Without detail a polygon is drawn as a fan. */
    const uint32_t detail = tile->details[i].triangle_count;
    tile->triangle_count += detail ? detail : tile->polygon_size[i] - 2u;
  }
  fill_connections(record);
  return record;
}

WmTileRecord *wm_tile_make(WmContext *context, const WmTileView *view) {
  const WmTileSections at = wm_tile_sections(&view->header, WM_TILE_LINK_BYTES);
  const Counts counts = count_edges(view);
  WmLayout layout = {0};
  const Offsets offsets = lay_out(&view->header, (size_t)at.byte_count, &counts, &layout);
  size_t most = 0;
  for (int side = 0; side < 4; side++) most = counts.portals[side] > most ? counts.portals[side] : most;
  const WmScratchMark mark = wm_scratch_mark(context);
  WmSortItem *items = wm_scratch_array(context, 2 * most, sizeof *items);
  uint8_t *block = items ? wm_layout_allocate(context, &layout) : NULL;
  WmTileRecord *record = NULL;
  if (block) {
    record = place_record(view, &at, &counts, &offsets, block);
    fill_portals(record, items);
  }
  wm_scratch_rewind(context, mark);
  return record;
}

/* The record lies at the start of its block. */
void wm_tile_free(WmContext *context, WmTileRecord *record) {
  if (!record) return;
  wm_block_free(context, record->dynamic);
  wm_block_free(context, record->link_block);
  wm_block_free(context, record);
}
