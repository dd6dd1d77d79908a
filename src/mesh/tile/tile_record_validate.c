/* Invariants of a tile's record: its run-time arrays follow from its bytes. Links are in links_validate.c. */
#include "mesh/mesh_internal.h"
#include "mesh/tile/near_grid.h"
#include "mesh/tile/rings.h"

/* True if the view has the header's numbers and the sections of the bytes. */
static bool has_header(const WmMeshTile *tile) {
  WmTileHeader header;
  memcpy(&header, tile->bytes, sizeof header);
  const WmTileSections at = wm_tile_sections(&header, WM_TILE_LINK_BYTES);
  const uint8_t *bytes = tile->bytes;
  return at.byte_count == tile->byte_count && header.x == tile->x && header.z == tile->z &&
         header.layer == tile->layer && (uint32_t)header.polygon_count == tile->polygon_count &&
         (uint32_t)header.vertex_count == tile->vertex_count &&
         (uint32_t)header.connection_count == tile->connection_count &&
         (uint32_t)header.first_off_mesh == tile->ground_count &&
         tile->polygon_count == tile->ground_count + tile->connection_count &&
         (const uint8_t *)tile->vertices == bytes + at.vertices &&
         (const uint8_t *)tile->details == bytes + at.details &&
         (const uint8_t *)tile->detail_vertices == bytes + at.detail_vertices &&
         tile->detail_triangles == bytes + at.detail_triangles &&
         (const uint8_t *)tile->nodes == bytes + at.nodes &&
         (const uint8_t *)tile->connections == bytes + at.connections;
}

/* True if the arrays have the contents of a polygon's record, and its numbers are in range. */
static bool has_polygon(const WmTileRecord *record, uint32_t p) {
  const WmMeshTile *tile = &record->tile;
  const WmTilePolygon *polygon = &record->polygons[p];
  const size_t first = WM_TILE_VERTICES_PER_POLYGON * (size_t)p;
  const uint32_t size = polygon->vertex_count;
  const bool is_ground = p < tile->ground_count;
  bool valid = tile->polygon_size[p] == size && (is_ground ? size >= 3 && size <= 6 : size == 2) &&
               tile->polygon_area[p] == (polygon->area_and_type & 63) &&
               tile->polygon_flags[p] == (record->is_disabled ? 0 : polygon->flags) &&
               memcmp(tile->polygon_vertices + first, polygon->vertices, sizeof polygon->vertices) == 0 &&
               memcmp(tile->polygon_neighbours + first, polygon->neighbours, sizeof polygon->neighbours) == 0;
  valid &= record->is_altered || (record->made_flags[p] == polygon->flags &&
                                  record->made_areas[p] == (polygon->area_and_type & 63));
  for (uint32_t k = 0; valid && k < size; k++) {
    const uint32_t code = polygon->neighbours[k];
    valid =
        polygon->vertices[k] < tile->vertex_count && ((code & WM_TILE_PORTAL) || code <= tile->ground_count);
  }
  if (valid && is_ground) valid = (uint32_t)wm_tile_ring(tile, p)[2 * WM_RING_CORNERS] == size;
  return valid;
}

/* True if `edges` has all portal edges by polygon and edge, and by_low sorts them. */
static bool has_edges(const WmTileRecord *record) {
  const WmMeshTile *tile = &record->tile;
  uint32_t edges = 0, inner = 0;
  for (uint32_t p = 0; p < tile->ground_count; p++) {
    for (uint32_t k = 0; k < tile->polygon_size[p]; k++) {
      const uint32_t code = record->polygons[p].neighbours[k];
      inner += code != 0 && !(code & WM_TILE_PORTAL);
      if (!(code & WM_TILE_PORTAL)) continue;
      if (edges == record->edge_count) return false;
      const WmPortalEdge *edge = &record->edges[edges++];
      if (edge->polygon != p || edge->edge != k || edge->side != (code & 6)) return false;
    }
  }
  for (uint32_t i = 0; i < record->edge_count; i++) {
    if (record->by_low[i].value >= record->edge_count) return false;
    if (i > 0 && record->by_low[i].key < record->by_low[i - 1].key) return false;
    if (i > 0 && record->edges[record->by_low[i].value].low < record->edges[record->by_low[i - 1].value].low)
      return false;
  }
  return edges == record->edge_count && inner == record->inner_link_count;
}

/* True if the lists of the grid hold leaves in the order of the tree. */
static bool has_near_grid(const WmMeshTile *tile) {
  const WmNearGrid *grid = &tile->near_grid;
  const uint32_t cells = grid->width * grid->depth;
  if ((grid->width > 0) != (tile->leaf_count > WM_NEAR_FEW_LEAVES)) return false;
  if (cells > tile->leaf_count || grid->first[0] != 0 ||
      grid->first[cells] > wm_near_node_count(tile->leaf_count))
    return false;
  for (uint32_t c = 0; c < cells; c++) {
    if (grid->first[c] > grid->first[c + 1]) return false;
    for (uint32_t i = grid->first[c]; i < grid->first[c + 1]; i++) {
      if (grid->nodes[i] >= tile->node_count || tile->nodes[grid->nodes[i]].index < 0) return false;
      if (i > grid->first[c] && grid->nodes[i] <= grid->nodes[i - 1]) return false;
    }
  }
  return true;
}

bool wm_tile_record_validate(const WmTileRecord *record) {
  const WmMeshTile *tile = &record->tile;
  if (tile->segments)
    return tile->ground_count == 0 && tile->connection_count == 0; /* see wm_link_set_validate */
  if (tile->ground_count == 0)
    return tile->polygon_count == 1 && tile->connection_count == 1; /* a connection */
  if (!has_header(tile)) return false;
  if (tile->state_first[0] != 0 || tile->area_before[0] != 0) return false;
  for (uint32_t p = 0; p < tile->polygon_count; p++) {
    const uint32_t states = tile->state_first[p + 1] - tile->state_first[p];
    if (!has_polygon(record, p) || (states != 1 && states != 4)) return false;
  }
  for (uint32_t p = 0; p < tile->ground_count; p++) {
    if (!(tile->area_before[p + 1] >= tile->area_before[p])) return false;
  }
  for (uint32_t i = 0; i < tile->leaf_count; i++) {
    if (tile->leaf_polygons[i] >= tile->ground_count) return false;
  }
  return has_edges(record) && has_near_grid(tile);
}
