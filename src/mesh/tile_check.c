/* Checking a tile: bytes from anywhere -> a view of a tile that is safe to use, or what is wrong with it.
 *
 * After this every count fits its section, every index names something, every float is finite, and the tree
 * is properly nested and holds each ground polygon. What only makes answers poor is let pass, because old
 * tools wrote it: neighbours that do not answer, polygons without detail triangles or boundary flags, a tree
 * whose boxes are wrong. Links in the bytes are not looked at: ours are made anew. */
#include <math.h>

#include "mesh/mesh_internal.h"

/* ---- Saying what is wrong ----------------------------------------------------------------------------- */

static WmStatus fail(WmContext *context, const char *message) {
  return wm_fail(context, WM_ERROR_CORRUPT, "tile", message);
}

static WmStatus fail_at(WmContext *context, const char *before, double number, const char *after) {
  return wm_fail_number(context, WM_ERROR_CORRUPT, "tile", before, number, after);
}

static bool are_finite(const float *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!isfinite(values[i])) return false;
  }
  return true;
}

/* ---- Header ------------------------------------------------------------------------------------------- */

static WmStatus check_counts(WmContext *context, const WmTileHeader *header) {
  const int32_t ground = header->first_off_mesh;
  if (header->polygon_count < 1 || header->polygon_count > WM_TILE_POLYGON_LIMIT) {
    return fail_at(context, "the tile's header says ", header->polygon_count,
                   " polygons: must be 1 to 65535");
  }
  if (header->vertex_count < 3 || header->vertex_count > WM_TILE_VERTEX_LIMIT) {
    return fail_at(context, "the tile's header says ", header->vertex_count, " vertices: must be 3 to 65535");
  }
  if (ground < 1 || ground > WM_TILE_GROUND_LIMIT || ground > header->polygon_count) {
    return fail_at(context, "the tile's header says ", ground,
                   " ground polygons: must be 1 to 32767, and not more than polygons");
  }
  if (header->connection_count != header->polygon_count - ground) {
    return fail_at(context, "the tile's header says ", header->connection_count,
                   " off-mesh connections: must be the polygons that are not ground");
  }
  if (header->detail_count != ground) {
    return fail_at(context, "the tile's header says ", header->detail_count,
                   " detail meshes: must be one for each ground polygon");
  }
  if (header->node_count < 0 || header->node_count > 2 * ground) {
    return fail_at(context, "the tile's header says ", header->node_count,
                   " tree nodes: must be 0 to twice the ground polygons");
  }
  if (header->detail_vertex_count < 0 || header->detail_triangle_count < 0 || header->link_count < 0) {
    return fail(context, "the tile's header has a negative count");
  }
  return WM_OK;
}

static WmStatus check_header(WmContext *context, const WmTileHeader *header) {
  if (header->magic != WM_TILE_MAGIC) return fail(context, "this is no tile: it does not begin with DNAV");
  if (header->version != WM_TILE_VERSION) {
    return fail_at(context, "the tile has version ", header->version, ": only 7 can be read");
  }
  if (header->x < -WM_TILE_COORDINATE_LIMIT || header->x > WM_TILE_COORDINATE_LIMIT ||
      header->z < -WM_TILE_COORDINATE_LIMIT || header->z > WM_TILE_COORDINATE_LIMIT || header->layer < 0) {
    return fail(context, "the tile's place is out of range");
  }
  if (!are_finite(&header->agent_height, 3) || !are_finite(header->bounds_min, 3) ||
      !are_finite(header->bounds_max, 3) || !isfinite(header->cells_per_unit)) {
    return fail(context, "the tile's header has a number that is not finite");
  }
  if (header->agent_height < 0 || header->agent_radius < 0 || header->agent_max_climb < 0) {
    return fail(context, "the tile's agent has a negative size");
  }
  for (int axis = 0; axis < 3; axis++) {
    if (header->bounds_min[axis] > header->bounds_max[axis]) {
      return fail(context, "the tile's bounds are inside out");
    }
  }
  if (header->node_count > 0 && !(header->cells_per_unit > 0.0f)) {
    return fail(context, "the tile's tree has no scale");
  }
  return check_counts(context, header);
}

/* ---- Sections ----------------------------------------------------------------------------------------- */

static WmStatus check_floats(WmContext *context, const WmTileView *view, uint64_t section, int32_t count,
                             const char *before) {
  for (int32_t i = 0; i < count; i++) {
    float position[3];
    wm_tile_get(view->bytes, section, (size_t)i, sizeof position, position);
    if (!are_finite(position, 3)) return fail_at(context, before, i, " of the tile is not finite");
  }
  return WM_OK;
}

static WmStatus check_edges(WmContext *context, const WmTileView *view, const WmTilePolygon *polygon,
                            int32_t number) {
  const int32_t ground = view->header.first_off_mesh;
  for (int k = 0; k < polygon->vertex_count; k++) {
    if (polygon->vertices[k] >= view->header.vertex_count) {
      return fail_at(context, "polygon ", number, " of the tile names a vertex that does not exist");
    }
    const uint16_t code = polygon->neighbours[k];
    bool known = code <= ground && code != number + 1;
    if (code & WM_TILE_PORTAL) known = (code & ~(WM_TILE_PORTAL | 6)) == 0;
    if (number >= ground) known = code == 0;
    if (!known) {
      return fail_at(context, "polygon ", number, " of the tile names a neighbour that cannot be one");
    }
  }
  return WM_OK;
}

static WmStatus check_polygons(WmContext *context, const WmTileView *view) {
  for (int32_t i = 0; i < view->header.polygon_count; i++) {
    WmTilePolygon polygon;
    wm_tile_get(view->bytes, view->at.polygons, (size_t)i, sizeof polygon, &polygon);
    const bool ground = i < view->header.first_off_mesh;
    if (polygon.area_and_type >> 6 != (ground ? WM_TILE_GROUND : WM_TILE_OFF_MESH)) {
      return fail_at(context, "polygon ", i, " of the tile has the wrong type for its place");
    }
    const int least = ground ? 3 : 2, most = ground ? WM_TILE_VERTICES_PER_POLYGON : 2;
    if (polygon.vertex_count < least || polygon.vertex_count > most) {
      return fail_at(context, "polygon ", i, " of the tile has an impossible number of vertices");
    }
    const WmStatus status = check_edges(context, view, &polygon, i);
    if (status) return status;
  }
  return WM_OK;
}

static WmStatus check_details(WmContext *context, const WmTileView *view) {
  const WmTileHeader *header = &view->header;
  for (int32_t i = 0; i < header->detail_count; i++) {
    WmTileDetail detail;
    wm_tile_get(view->bytes, view->at.details, (size_t)i, sizeof detail, &detail);
    if ((uint64_t)detail.first_vertex + detail.vertex_count > (uint64_t)header->detail_vertex_count ||
        (uint64_t)detail.first_triangle + detail.triangle_count > (uint64_t)header->detail_triangle_count) {
      return fail_at(context, "the detail mesh of polygon ", i, " lies outside the tile's");
    }
    WmTilePolygon polygon;
    wm_tile_get(view->bytes, view->at.polygons, (size_t)i, sizeof polygon, &polygon);
    const int corners = polygon.vertex_count + detail.vertex_count;
    for (uint32_t k = 0; k < detail.triangle_count; k++) {
      uint8_t triangle[4];
      wm_tile_get(view->bytes, view->at.detail_triangles, (size_t)detail.first_triangle + k, 4, triangle);
      if (triangle[0] >= corners || triangle[1] >= corners || triangle[2] >= corners) {
        return fail_at(context, "the detail mesh of polygon ", i, " names a vertex that does not exist");
      }
    }
  }
  return WM_OK;
}

static WmStatus check_connections(WmContext *context, const WmTileView *view) {
  for (int32_t i = 0; i < view->header.connection_count; i++) {
    WmTileConnection connection;
    wm_tile_get(view->bytes, view->at.connections, (size_t)i, sizeof connection, &connection);
    if (!are_finite(connection.start, 3) || !are_finite(connection.end, 3) || !isfinite(connection.radius) ||
        connection.radius < 0) {
      return fail_at(context, "off-mesh connection ", i, " of the tile has a number that is not finite");
    }
    if (connection.polygon != view->header.first_off_mesh + i) {
      return fail_at(context, "off-mesh connection ", i, " of the tile names another's polygon");
    }
    if (connection.side > 7 && connection.side != WM_TILE_SIDE_INSIDE) {
      return fail_at(context, "off-mesh connection ", i, " of the tile ends on a side that is none");
    }
  }
  return WM_OK;
}

/* ---- The tree ----------------------------------------------------------------------------------------- */

/* Walks the nodes of the root's subtree in their order, with the ends of the subtrees around on a stack.
 * in         ends [node_count]; seen [ground polygons] zeroed */
static WmStatus walk_tree(WmContext *context, const WmTileView *view, uint32_t *ends, uint8_t *seen,
                          uint32_t *node_count) {
  const int32_t ground = view->header.first_off_mesh;
  uint32_t depth = 0, end = (uint32_t)view->header.node_count;
  for (uint32_t i = 0; i < end; i++) {
    while (depth > 0 && ends[depth - 1] == i) depth--;
    WmTileNode node;
    wm_tile_get(view->bytes, view->at.nodes, i, sizeof node, &node);
    for (int axis = 0; axis < 3; axis++) {
      if (node.low[axis] > node.high[axis]) {
        return fail_at(context, "node ", i, " of the tile's tree is inside out");
      }
    }
    if (node.index >= ground)
      return fail_at(context, "node ", i, " of the tile's tree names no ground polygon");
    if (node.index >= 0) {
      seen[node.index] = 1;
      if (i == 0) end = 1;
      continue;
    }
    const int64_t subtree_end = (int64_t)i - node.index;
    if (subtree_end > (depth > 0 ? ends[depth - 1] : end)) {
      return fail_at(context, "node ", i, " of the tile's tree reaches beyond its parent");
    }
    if (i == 0) end = (uint32_t)subtree_end;
    ends[depth++] = (uint32_t)subtree_end;
  }
  *node_count = end;
  return WM_OK;
}

static WmStatus check_tree(WmContext *context, WmTileView *view) {
  const size_t nodes = (size_t)view->header.node_count, ground = (size_t)view->header.first_off_mesh;
  if (nodes == 0) return WM_OK;
  const WmScratchMark mark = wm_scratch_mark(context);
  uint32_t *ends = wm_scratch_array(context, nodes, sizeof *ends);
  uint8_t *seen = wm_scratch_zeroed(context, ground, 1);
  WmStatus status = ends && seen ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
  if (!status) status = walk_tree(context, view, ends, seen, &view->tree_nodes);
  for (size_t i = 0; i < ground && !status; i++) {
    if (!seen[i]) status = fail_at(context, "the tile's tree lacks polygon ", (double)i, "");
  }
  for (size_t i = view->tree_nodes; i < nodes && !status; i++) {
    static const WmTileNode UNUSED;
    WmTileNode node;
    wm_tile_get(view->bytes, view->at.nodes, i, sizeof node, &node);
    if (memcmp(&node, &UNUSED, sizeof node) != 0) {
      status = fail_at(context, "node ", (double)i, " of the tile's tree belongs to nothing");
    }
  }
  wm_scratch_rewind(context, mark);
  return status;
}

/* ------------------------------------------------------------------------------------------------------- */

WmStatus wm_tile_open(WmContext *context, const uint8_t *bytes, size_t byte_count, WmTileView *view) {
  *view = (WmTileView){.bytes = bytes};
  if (byte_count < WM_TILE_HEADER_BYTES) {
    return fail_at(context, "the tile is cut: ", (double)byte_count, " bytes are less than its header");
  }
  memcpy(&view->header, bytes, sizeof view->header);
  WmStatus status = check_header(context, &view->header);
  if (status) return status;
  view->at = wm_tile_sections(&view->header, WM_TILE_LINK_BYTES);
  if (view->at.byte_count != byte_count) {
    view->at = wm_tile_sections(&view->header, WM_TILE_WIDE_LINK_BYTES);
  }
  if (view->at.byte_count != byte_count) {
    return fail_at(context, "the tile's counts do not add up to its ", (double)byte_count, " bytes");
  }
  status = check_floats(context, view, view->at.vertices, view->header.vertex_count, "vertex ");
  if (!status) status = check_polygons(context, view);
  if (!status) status = check_details(context, view);
  if (!status) {
    status = check_floats(context, view, view->at.detail_vertices, view->header.detail_vertex_count,
                          "detail vertex ");
  }
  if (!status) status = check_tree(context, view);
  if (!status) status = check_connections(context, view);
  return status;
}
