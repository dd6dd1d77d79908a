/* Checking a tile: what is wrong with bytes from anywhere.
 *
 * After this every count fits its section, every index names something, every float is finite, and the tree
 * is properly nested and holds each ground polygon. What only makes answers poor is let pass, because old
 * tools wrote it: neighbours that do not answer, polygons without detail triangles or boundary flags, a tree
 * whose boxes are wrong. Links in the bytes are not looked at: ours are made anew. */
#include <math.h>
#include <stddef.h>

#include "mesh/formats.h"
#include "mesh/mesh_internal.h"

/* ---- Saying what is wrong ----------------------------------------------------------------------------- */

static WmStatus fail_at(WmContext *context, const char *before, double number, const char *after) {
  return wm_fail_number(context, WM_ERROR_CORRUPT, "tile", before, number, after);
}

static WmStatus fail_polygon(WmContext *context, uint32_t polygon, const char *what) {
  return fail_at(context, "the tile's polygon ", polygon, what);
}

static bool are_finite(const float *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!isfinite(values[i])) return false;
  }
  return true;
}

/* ---- Header ------------------------------------------------------------------------------------------- */

/* A number of the header and what it may be; after a failure nothing more. */
static void check_range(WmContext *context, WmStatus *status, int32_t value, int32_t low, int32_t high,
                        const char *what) {
  if (*status || (value >= low && value <= high)) return;
  *status = fail_at(context, "the tile's header says ", value, what);
}

static WmStatus check_integers(WmContext *context, const WmTileHeader *header) {
  const int32_t polygons = header->polygon_count, ground = header->first_off_mesh;
  const int32_t most_ground = polygons < WM_TILE_GROUND_LIMIT ? polygons : WM_TILE_GROUND_LIMIT;
  WmStatus status = WM_OK;
  check_range(context, &status, header->version, WM_TILE_VERSION, WM_TILE_VERSION,
              " as its version: only 7 can be read");
  check_range(context, &status, polygons, 1, WM_TILE_POLYGON_LIMIT, " polygons: must be 1 to 65535");
  check_range(context, &status, ground, 1, most_ground,
              " ground polygons: must be 1 to 32767, and not more than polygons");
  if (status) return status;
  check_range(context, &status, header->vertex_count, 3, WM_TILE_VERTEX_LIMIT,
              " vertices: must be 3 to 65535");
  check_range(context, &status, header->connection_count, polygons - ground, polygons - ground,
              " off-mesh connections: must be the polygons that are not ground");
  check_range(context, &status, header->detail_count, ground, ground,
              " detail meshes: must be one for each ground polygon");
  check_range(context, &status, header->node_count, 0, 2 * ground,
              " tree nodes: must be 0 to twice the ground polygons");
  const int32_t others[] = {header->layer, header->link_count, header->detail_vertex_count,
                            header->detail_triangle_count};
  for (int i = 0; i < 4; i++)
    check_range(context, &status, others[i], 0, INT32_MAX, ": must not be negative");
  for (int i = 0; i < 2; i++) {
    check_range(context, &status, i ? header->z : header->x, -WM_TILE_COORDINATE_LIMIT,
                WM_TILE_COORDINATE_LIMIT, " in its place: out of range");
  }
  return status;
}

/* What is wrong with the other numbers, or NULL. */
static const char *find_fault(const uint8_t *bytes, const WmTileHeader *header) {
  float numbers[10]; /* of the agent, the bounds and the tree */
  memcpy(numbers, bytes + offsetof(WmTileHeader, agent_height), sizeof numbers);
  if (!are_finite(numbers, 10)) return "the tile's header has a number that is not finite";
  for (int i = 0; i < 3; i++) {
    if (numbers[i] < 0) return "the tile's agent has a negative size";
    if (numbers[3 + i] > numbers[6 + i]) return "the tile's bounds are inside out";
  }
  return header->node_count > 0 && !(numbers[9] > 0) ? "the tile's tree has no scale" : NULL;
}

WmStatus wm_tile_check_header(WmContext *context, const uint8_t *bytes, size_t byte_count,
                              WmTileHeader *header, WmTileSections *at) {
  const char *wrong = "the tile is cut: it is shorter than a header";
  if (byte_count >= WM_TILE_HEADER_BYTES) {
    memcpy(header, bytes, sizeof *header);
    wrong = "this is no tile: it does not begin with DNAV";
    if (header->magic == WM_TILE_MAGIC) {
      const WmStatus status = check_integers(context, header);
      if (status) return status;
      wrong = find_fault(bytes, header);
    }
  }
  if (wrong) return wm_fail(context, WM_ERROR_CORRUPT, "tile", wrong);
  *at = wm_tile_sections(header, WM_TILE_LINK_BYTES);
  if (at->byte_count != byte_count) *at = wm_tile_sections(header, WM_TILE_WIDE_LINK_BYTES);
  if (at->byte_count == byte_count) return WM_OK;
  return fail_at(context, "the tile's counts do not add up to its ", (double)byte_count, " bytes");
}

/* ---- Contents ----------------------------------------------------------------------------------------- */

static WmStatus check_points(WmContext *context, const float *points, uint32_t count, const char *before) {
  for (uint32_t i = 0; i < count; i++) {
    if (!are_finite(points + 3 * (size_t)i, 3)) return fail_at(context, before, i, " is not finite");
  }
  return WM_OK;
}

static WmStatus check_polygon(WmContext *context, const WmTileHeader *header, const WmTileRecord *record,
                              uint32_t number) {
  const WmMeshTile *tile = &record->tile;
  const WmTilePolygon *polygon = &record->polygons[number];
  const bool ground = number < tile->ground_count;
  const uint32_t size = polygon->vertex_count;
  if (polygon->area_and_type >> 6 != (ground ? WM_TILE_GROUND : WM_TILE_OFF_MESH)) {
    return fail_polygon(context, number, " has the wrong type for its place");
  }
  if (ground ? size - 3 > WM_TILE_VERTICES_PER_POLYGON - 3 : size != 2) {
    return fail_polygon(context, number, " has an impossible number of vertices");
  }
  for (uint32_t k = 0; k < size; k++) {
    const uint32_t code = polygon->neighbours[k];
    if (polygon->vertices[k] >= tile->vertex_count) {
      return fail_polygon(context, number, " names a vertex that does not exist");
    }
    if (code == 0) continue;
    const bool inner = code <= tile->ground_count && code != number + 1;
    if (!ground || !(inner || (code & ~6u) == WM_TILE_PORTAL)) {
      return fail_polygon(context, number, " names a neighbour that cannot be one");
    }
  }
  if (!ground) return WM_OK;
  const WmTileDetail *detail = &tile->details[number];
  bool good =
      (uint64_t)detail->first_vertex + detail->vertex_count <= tile->detail_vertex_count &&
      (uint64_t)detail->first_triangle + detail->triangle_count <= (uint64_t)header->detail_triangle_count;
  for (uint32_t k = 0; good && k < 4u * detail->triangle_count; k++) {
    good = k % 4 == 3 ||
           tile->detail_triangles[4 * (size_t)detail->first_triangle + k] < size + detail->vertex_count;
  }
  return good ? WM_OK
              : fail_at(context, "the detail mesh of polygon ", number,
                        " names vertices or triangles that do not exist");
}

static WmStatus check_connection(WmContext *context, const WmMeshTile *tile, uint32_t number) {
  const WmTileConnection *connection = &tile->connections[number];
  const char *wrong = NULL;
  if (connection->side > 7 && connection->side != WM_TILE_SIDE_INSIDE) {
    wrong = " ends on a side that is none";
  }
  if (connection->polygon != tile->ground_count + number) wrong = " names another's polygon";
  if (!are_finite((const float *)(const void *)connection, 7) || connection->radius < 0) {
    wrong = " has a number that is not finite";
  }
  return wrong ? fail_at(context, "the tile's off-mesh connection ", number, wrong) : WM_OK;
}

/* Walks the nodes of the root's subtree in their order, with the ends of the subtrees around on a stack.
 * in         ends [node_count]; seen [ground_count] zeros
 * out        tile->node_count: without unused nodes behind the tree */
static WmStatus check_tree(WmContext *context, WmMeshTile *tile, uint32_t *ends, uint8_t *seen) {
  uint32_t depth = 0, end = tile->node_count, count = 0;
  for (uint32_t i = 0; i < end; i++) {
    while (depth > 0 && ends[depth - 1] == i) depth--;
    const WmTileNode *node = &tile->nodes[i];
    const uint32_t size = node->index < 0 ? 0u - (uint32_t)node->index : 1;
    const char *wrong = NULL;
    for (int axis = 0; axis < 3; axis++) {
      if (node->low[axis] > node->high[axis]) wrong = " is inside out";
    }
    if (node->index >= (int32_t)tile->ground_count) wrong = " names no ground polygon";
    if (size > (depth > 0 ? ends[depth - 1] : end) - i) wrong = " reaches beyond its parent";
    if (wrong) return fail_at(context, "the tile's tree node ", i, wrong);
    if (node->index < 0) {
      ends[depth++] = i + size;
    } else {
      count += !seen[node->index];
      seen[node->index] = 1;
    }
    if (i == 0) end = size;
  }
  const uint8_t *unused = (const uint8_t *)(tile->nodes + end);
  for (size_t i = 0; i < WM_TILE_NODE_BYTES * (size_t)(tile->node_count - end); i++) {
    if (unused[i]) return fail_at(context, "behind the tile's tree node ", end, " there are more");
  }
  tile->node_count = end;
  if (end == 0 || count == tile->ground_count) return WM_OK;
  return fail_at(context, "the tile's tree holds ", count, " polygons: must hold all that are ground");
}

WmStatus wm_tile_check_contents(WmContext *context, const WmTileHeader *header, WmTileRecord *record) {
  WmMeshTile *tile = &record->tile;
  const WmScratchMark mark = wm_scratch_mark(context);
  uint32_t *ends = wm_scratch_array(context, tile->node_count, sizeof *ends);
  uint8_t *seen = wm_scratch_zeroed(context, tile->ground_count, 1);
  WmStatus status = ends && seen ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
  if (!status) status = check_points(context, tile->vertices, tile->vertex_count, "the tile's vertex ");
  if (!status) {
    status =
        check_points(context, tile->detail_vertices, tile->detail_vertex_count, "the tile's detail vertex ");
  }
  for (uint32_t i = 0; i < tile->polygon_count && !status; i++) {
    status = check_polygon(context, header, record, i);
  }
  for (uint32_t i = 0; i < tile->connection_count && !status; i++)
    status = check_connection(context, tile, i);
  if (!status) status = check_tree(context, tile, ends, seen);
  wm_scratch_rewind(context, mark);
  return status;
}

WmStatus wm_tile_check(WmContext *context, const uint8_t *bytes, size_t byte_count) {
  WmTileRecord *record;
  const WmStatus status = wm_tile_make(context, bytes, byte_count, &record);
  wm_tile_free(context, record);
  return status;
}
