/* Checks a tile's bytes. See tile_validate.h. Written for reading, not for speed. */
#include "bake/tile/tile_validate.h"

#include <math.h>

#include "base/tile_format.h"

enum { FEWEST_VERTICES = 3, TYPE_SHIFT = 6, OUTLINE_FLAGS = 1 | 4 | 16 };

/* The bytes with their header and the offsets of their sections. */
typedef struct View {
  const uint8_t *bytes;
  WmTileHeader header;
  WmTileSections at;
} View;

static WmTilePolygon polygon_at(const View *view, size_t polygon) {
  WmTilePolygon record;
  wm_tile_get(view->bytes, view->at.polygons, polygon, sizeof record, &record);
  return record;
}

/* ---- Header ------------------------------------------------------------------------------------------ */

static bool is_header_valid(const WmTileHeader *header) {
  const int32_t counts[8] = {header->polygon_count,       header->vertex_count,
                             header->link_count,          header->detail_count,
                             header->detail_vertex_count, header->detail_triangle_count,
                             header->node_count,          header->connection_count};
  for (int i = 0; i < 8; i++) {
    if (counts[i] < 0) return false;
  }
  return header->magic == WM_TILE_MAGIC && header->version == WM_TILE_VERSION &&
         header->vertex_count <= WM_TILE_VERTEX_LIMIT && header->polygon_count <= WM_TILE_POLYGON_LIMIT &&
         header->first_off_mesh <= WM_TILE_GROUND_LIMIT && header->detail_count == header->first_off_mesh &&
         header->polygon_count == header->first_off_mesh + header->connection_count &&
         (header->node_count == 0 || header->node_count == 2 * header->first_off_mesh) &&
         header->cells_per_unit > 0;
}

static bool are_floats_finite(const View *view, uint64_t section, size_t count) {
  for (size_t i = 0; i < count; i++) {
    float value;
    wm_tile_get(view->bytes, section, i, sizeof value, &value);
    if (!isfinite(value)) return false;
  }
  return true;
}

/* ---- Polygons ---------------------------------------------------------------------------------------- */

/* True if `other` has the edge in the other direction, with `own` as its neighbour. */
static bool is_neighbour_mutual(const View *view, uint32_t own, uint32_t other, uint16_t from, uint16_t to) {
  if (other >= (uint32_t)view->header.first_off_mesh || other == own) return false;
  const WmTilePolygon polygon = polygon_at(view, other);
  for (uint32_t k = 0; k < polygon.vertex_count && k < WM_TILE_VERTICES_PER_POLYGON; k++) {
    const uint32_t next = k + 1 == polygon.vertex_count ? 0 : k + 1;
    if (polygon.vertices[k] == to && polygon.vertices[next] == from && polygon.neighbours[k] == own + 1)
      return true;
  }
  return false;
}

static bool is_neighbour_valid(const View *view, uint32_t own, const WmTilePolygon *polygon, uint32_t edge) {
  const uint16_t code = polygon->neighbours[edge];
  if (code == 0) return true;
  if (code & WM_TILE_PORTAL) {
    const uint32_t side = code & ~(uint32_t)WM_TILE_PORTAL;
    return side <= WM_SIDE_Z_MINUS && side % 2 == 0;
  }
  const uint32_t next = edge + 1 == polygon->vertex_count ? 0 : edge + 1;
  return is_neighbour_mutual(view, own, code - 1u, polygon->vertices[edge], polygon->vertices[next]);
}

static bool is_ground_polygon_valid(const View *view, uint32_t own) {
  const WmTilePolygon polygon = polygon_at(view, own);
  if (polygon.vertex_count < FEWEST_VERTICES || polygon.vertex_count > WM_TILE_VERTICES_PER_POLYGON)
    return false;
  if (polygon.area_and_type >> TYPE_SHIFT != WM_TILE_GROUND) return false;
  for (uint32_t k = 0; k < WM_TILE_VERTICES_PER_POLYGON; k++) {
    if (k >= polygon.vertex_count) {
      if (polygon.vertices[k] != 0 || polygon.neighbours[k] != 0) return false;
    } else if (polygon.vertices[k] >= view->header.vertex_count ||
               !is_neighbour_valid(view, own, &polygon, k)) {
      return false;
    }
  }
  return true;
}

static bool is_same_position(const float a[3], const float b[3]) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Connections use the last polygons and vertices, in order. */
static bool is_connection_valid(const View *view, uint32_t number) {
  WmTileConnection record;
  wm_tile_get(view->bytes, view->at.connections, number, sizeof record, &record);
  const WmTilePolygon polygon = polygon_at(view, (uint32_t)view->header.first_off_mesh + number);
  const uint32_t vertex =
      (uint32_t)(view->header.vertex_count - 2 * view->header.connection_count) + 2 * number;
  float ends[6];
  wm_tile_get(view->bytes, view->at.vertices + (uint64_t)vertex * WM_TILE_VERTEX_BYTES, 0, sizeof ends, ends);
  return record.polygon == (uint32_t)view->header.first_off_mesh + number &&
         (record.side <= WM_SIDE_X_PLUS_Z_MINUS || record.side == WM_TILE_SIDE_INSIDE) &&
         !(record.flags & ~WM_TILE_OFF_MESH_BIDIRECTIONAL) && polygon.vertex_count == 2 &&
         polygon.area_and_type >> TYPE_SHIFT == WM_TILE_OFF_MESH && polygon.vertices[0] == vertex &&
         polygon.vertices[1] == vertex + 1 && is_same_position(ends, record.start) &&
         is_same_position(ends + 3, record.end);
}

/* ---- Details ----------------------------------------------------------------------------------------- */

static bool are_details_valid(const View *view) {
  uint32_t vertex_count = 0, triangle_count = 0;
  for (uint32_t i = 0; i < (uint32_t)view->header.detail_count; i++) {
    WmTileDetail record;
    wm_tile_get(view->bytes, view->at.details, i, sizeof record, &record);
    const uint32_t corner_limit = (uint32_t)polygon_at(view, i).vertex_count + record.vertex_count;
    if (record.first_vertex != vertex_count || record.first_triangle != triangle_count) return false;
    vertex_count += record.vertex_count;
    triangle_count += record.triangle_count;
    if (triangle_count > (uint32_t)view->header.detail_triangle_count) return false;
    for (uint32_t t = record.first_triangle; t < triangle_count; t++) {
      uint8_t triangle[WM_TILE_TRIANGLE_BYTES];
      wm_tile_get(view->bytes, view->at.detail_triangles, t, sizeof triangle, triangle);
      if (triangle[0] >= corner_limit || triangle[1] >= corner_limit || triangle[2] >= corner_limit)
        return false;
      if (triangle[3] & ~OUTLINE_FLAGS) return false;
    }
  }
  return vertex_count == (uint32_t)view->header.detail_vertex_count &&
         triangle_count == (uint32_t)view->header.detail_triangle_count;
}

/* ---- Tree -------------------------------------------------------------------------------------------- */

static bool contains(const WmTileNode *outer, const WmTileNode *inner) {
  for (int axis = 0; axis < 3; axis++) {
    if (outer->low[axis] > inner->low[axis] || outer->high[axis] < inner->high[axis]) return false;
  }
  return true;
}

/* True if the nodes are leaves and subtrees in preorder, each inside the subtree around it, and each ground
 * polygon is one leaf. The subtrees around a node end at ends[0 .. depth - 1]; halving bounds the depth. */
static bool is_tree_valid(const View *view) {
  enum { DEPTH_LIMIT = 64 };
  WmTileNode around[DEPTH_LIMIT], node;
  uint32_t ends[DEPTH_LIMIT], depth = 0;
  bool is_leaf[WM_TILE_GROUND_LIMIT] = {false};
  const uint32_t ground = (uint32_t)view->header.first_off_mesh;
  const uint32_t count = view->header.node_count > 0 ? 2 * ground - 1 : 0;
  for (uint32_t i = 0; i < count; i++) {
    wm_tile_get(view->bytes, view->at.nodes, i, sizeof node, &node);
    while (depth > 0 && ends[depth - 1] == i) depth--;
    if (i > 0 && (depth == 0 || !contains(&around[depth - 1], &node))) return false;
    if (node.index >= 0) {
      if ((uint32_t)node.index >= ground || is_leaf[node.index]) return false;
      is_leaf[node.index] = true;
      continue;
    }
    const uint64_t end = (uint64_t)(i - (int64_t)node.index);
    if (depth == DEPTH_LIMIT || end > (depth > 0 ? ends[depth - 1] : count)) return false;
    around[depth] = node;
    ends[depth++] = (uint32_t)end;
  }
  for (uint32_t i = 0; i < ground && count > 0; i++) {
    if (!is_leaf[i]) return false;
  }
  return true;
}

/* ---- The tile ---------------------------------------------------------------------------------------- */

bool wm_tile_validate(const WmTileData *tile) {
  if (tile->byte_count == 0) return tile->bytes == NULL;
  View view = {.bytes = tile->bytes};
  if (tile->byte_count < sizeof view.header) return false;
  wm_tile_get(tile->bytes, 0, 0, sizeof view.header, &view.header);
  const WmTileHeader *header = &view.header;
  if (!is_header_valid(header)) return false;
  view.at = wm_tile_sections(header, WM_TILE_LINK_BYTES);
  if (view.at.byte_count != tile->byte_count) return false;
  if (!are_floats_finite(&view, view.at.vertices, 3 * (size_t)header->vertex_count)) return false;
  if (!are_floats_finite(&view, view.at.detail_vertices, 3 * (size_t)header->detail_vertex_count))
    return false;
  if (header->vertex_count < 2 * header->connection_count) return false;
  for (uint32_t i = 0; i < (uint32_t)header->first_off_mesh; i++) {
    if (!is_ground_polygon_valid(&view, i)) return false;
  }
  for (uint32_t i = 0; i < (uint32_t)header->connection_count; i++) {
    if (!is_connection_valid(&view, i)) return false;
  }
  return are_details_valid(&view) && is_tree_valid(&view);
}
