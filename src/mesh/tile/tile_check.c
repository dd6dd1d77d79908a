/* Checks the bytes of a tile, from any source.
 *
 * Afterwards every count fits its section, every index is in range, every float is at most 1e9, and the tree
 * is properly nested and contains each ground polygon. Data that only makes results poor is accepted, because
 * old tools wrote it. So no walk over the mesh may rely on its absence to end:
 *
 *   - vertices outside the bounds
 *   - ground polygons that have a vertex twice, aren't convex, are wound the other way or have no area
 *   - edges without length, also portal edges
 *   - neighbours that don't have the polygon as theirs
 *   - polygons without detail triangles (they count as fans) or boundary flags
 *   - a tree with wrong boxes, or with a leaf twice
 *   - connections with unknown flags, or far from their tile
 *
 * Not checked: links and first links, which are computed again; vertices and neighbours of a polygon behind
 * its last one. A tree whose 16-bit numbers can't span the bounds is not used. */
#include <stddef.h>

#include "base/number.h"
#include "mesh/formats/formats.h"
#include "mesh/mesh_internal.h"

static WmStatus fail_at(WmContext *context, const char *before, double number, const char *after) {
  return wm_fail_number(context, WM_ERROR_CORRUPT, "tile", before, number, after);
}

/* True if all numbers are small enough to be multiplied without overflow: then points between them are
 * finite, too. */
static bool are_usable(const float *floats, size_t count) {
  return wm_are_within(floats, count, WM_FARTHEST);
}

/* ---- Header ------------------------------------------------------------------------------------------- */

/* Bounds of the integers of a header: constants, and numbers that follow from other integers. */
typedef enum Bound {
  NONE,
  ONE,
  TWO,
  VERSION,
  MOST_16_BITS,
  MOST_32_BITS,
  WEST,
  EAST,
  MOST_GROUND,
  GROUND,
  TWICE_GROUND,
  NOT_GROUND,
  BOUND_COUNT
} Bound;

/* In the order of the checks: bounds that follow from counts are used after the counts were checked. */
static const struct {
  const char *name;
  uint8_t offset, low, high;
} INTEGERS[] = {
    {" as version, only 7", offsetof(WmTileHeader, version), VERSION, VERSION},
    {" polygons", offsetof(WmTileHeader, polygon_count), ONE, MOST_16_BITS},
    {" ground polygons", offsetof(WmTileHeader, first_off_mesh), ONE, MOST_GROUND},
    {" vertices", offsetof(WmTileHeader, vertex_count), TWO, MOST_16_BITS}, /* a polygon may have one twice */
    {" off-mesh connections", offsetof(WmTileHeader, connection_count), NOT_GROUND, NOT_GROUND},
    {" detail meshes", offsetof(WmTileHeader, detail_count), GROUND, GROUND},
    {" tree nodes", offsetof(WmTileHeader, node_count), NONE, TWICE_GROUND},
    {" as layer", offsetof(WmTileHeader, layer), NONE, MOST_32_BITS},
    {" links", offsetof(WmTileHeader, link_count), NONE, MOST_32_BITS},
    {" detail vertices", offsetof(WmTileHeader, detail_vertex_count), NONE, MOST_32_BITS},
    {" detail triangles", offsetof(WmTileHeader, detail_triangle_count), NONE, MOST_32_BITS},
    {" as place", offsetof(WmTileHeader, x), WEST, EAST},
    {" as place", offsetof(WmTileHeader, z), WEST, EAST},
};

static WmStatus check_integers(WmContext *context, const WmTileHeader *header) {
  const uint32_t polygons = (uint32_t)header->polygon_count, ground = (uint32_t)header->first_off_mesh;
  const int32_t bounds[BOUND_COUNT] = {
      [ONE] = 1,
      [TWO] = 2,
      [VERSION] = WM_TILE_VERSION,
      [MOST_16_BITS] = 65535, /* WM_TILE_POLYGON_LIMIT, WM_TILE_VERTEX_LIMIT */
      [MOST_32_BITS] = INT32_MAX,
      [WEST] = -WM_TILE_COORDINATE_LIMIT,
      [EAST] = WM_TILE_COORDINATE_LIMIT,
      [MOST_GROUND] = (int32_t)(polygons < WM_TILE_GROUND_LIMIT ? polygons : WM_TILE_GROUND_LIMIT),
      [GROUND] = (int32_t)ground,
      [TWICE_GROUND] = (int32_t)(2 * ground),
      [NOT_GROUND] = (int32_t)(polygons - ground)};
  for (size_t i = 0; i < sizeof INTEGERS / sizeof *INTEGERS; i++) {
    int32_t value;
    memcpy(&value, (const uint8_t *)header + INTEGERS[i].offset, sizeof value);
    if (value >= bounds[INTEGERS[i].low] && value <= bounds[INTEGERS[i].high]) continue;
    return fail_at(context, "the header cannot say ", value, INTEGERS[i].name);
  }
  return WM_OK;
}

/* Checks the floats of a header; returns the fault or NULL. */
static const char *find_fault(const WmTileHeader *header) {
  const float agent[] = {header->agent_height, header->agent_radius, header->agent_max_climb};
  if (!are_usable(agent, 3) || !are_usable(header->bounds_min, 3) || !are_usable(header->bounds_max, 3) ||
      !are_usable(&header->cells_per_unit, 1)) {
    return "the header is not finite, or too large";
  }
  for (int i = 0; i < 3; i++) {
    if (agent[i] < 0) return "the agent has a negative size";
    if (header->bounds_min[i] > header->bounds_max[i]) return "the bounds are inside out";
  }
  return header->node_count > 0 && !(header->cells_per_unit > 0) ? "the tree has no scale" : NULL;
}

WmStatus wm_tile_check_header(WmContext *context, const uint8_t *bytes, size_t byte_count,
                              WmTileHeader *header, WmTileSections *at) {
  const char *wrong = "the tile is cut";
  if (byte_count >= WM_TILE_HEADER_BYTES) {
    memcpy(header, bytes, sizeof *header);
    wrong = "a tile begins with DNAV";
    if (header->magic == WM_TILE_MAGIC) {
      const WmStatus status = check_integers(context, header);
      if (status) return status;
      wrong = find_fault(header);
    }
  }
  if (wrong) return wm_fail(context, WM_ERROR_CORRUPT, "tile", wrong);
  *at = wm_tile_sections(header, WM_TILE_LINK_BYTES);
  const uint64_t more = byte_count - at->byte_count;
  if (more == 0 || more == 4 * (uint64_t)header->link_count) return WM_OK; /* or wide links */
  return fail_at(context, "the counts do not add up to ", (double)byte_count, " bytes");
}

/* ---- Contents: each function returns the fault of a record, or NULL ------------------------------------ */

static const char *find_fault_of_detail(const WmTileRecord *record, uint32_t number) {
  const WmMeshTile *tile = &record->tile;
  const WmTileDetail *detail = &tile->details[number];
  bool good = (uint64_t)detail->first_vertex + detail->vertex_count <= tile->detail_vertex_count &&
              (uint64_t)detail->first_triangle + detail->triangle_count <= tile->detail_triangle_count;
  const uint8_t *triangles = tile->detail_triangles + 4 * (size_t)detail->first_triangle;
  const uint32_t corners = record->polygons[number].vertex_count + (uint32_t)detail->vertex_count;
  for (uint32_t k = 0; good && k < 4u * detail->triangle_count; k++) {
    good = k % 4 == 3 || triangles[k] < corners;
  }
  return good ? NULL : " has a wrong detail mesh";
}

/* in / out   on_ground [vertex_count]: 1 if a ground polygon up to here has the vertex */
static const char *find_fault_of_polygon(const WmTileRecord *record, uint32_t number, uint8_t *on_ground) {
  const WmMeshTile *tile = &record->tile;
  const WmTilePolygon *polygon = &record->polygons[number];
  const bool ground = number < tile->ground_count;
  const uint32_t size = polygon->vertex_count;
  if (polygon->area_and_type >> 6 != (ground ? WM_TILE_GROUND : WM_TILE_OFF_MESH)) {
    return " has a wrong type";
  }
  if (ground ? size - 3 > WM_TILE_VERTICES_PER_POLYGON - 3 : size != 2) {
    return " has a wrong number of vertices";
  }
  for (uint32_t k = 0; k < size; k++) {
    const uint32_t code = polygon->neighbours[k], vertex = polygon->vertices[k];
    if (vertex >= tile->vertex_count) return " has a wrong vertex";
    /* Ends of connections are moved, so that they must be theirs alone. A ground polygon may have a vertex
     * twice: outlines with holes are bridged that way. */
    if (!ground && on_ground[vertex]) return " shares a vertex with the ground";
    if (!ground && k > 0 && vertex == polygon->vertices[0]) return " has a vertex twice";
    on_ground[vertex] |= ground;
    const bool inner = code <= tile->ground_count && code != number + 1;
    if (code && !(ground && (inner || (code & ~6u) == WM_TILE_PORTAL))) {
      return " has a wrong neighbour";
    }
  }
  return ground ? find_fault_of_detail(record, number) : NULL;
}

static const char *find_fault_of_connection(const WmMeshTile *tile, uint32_t number) {
  const WmTileConnection *connection = &tile->connections[number];
  const bool is_usable = are_usable(connection->start, 3) && are_usable(connection->end, 3) &&
                         are_usable(&connection->radius, 1) && connection->radius >= 0;
  if (!is_usable) return " is not finite, or too large";
  if (connection->polygon != tile->ground_count + number) return " has a wrong polygon";
  const bool inside = connection->side == WM_TILE_SIDE_INSIDE;
  return connection->side > 7 && !inside ? " has a wrong side" : NULL;
}

bool wm_tile_is_beyond_tree(const WmMeshTile *tile) {
  bool beyond = false;
  for (int axis = 0; axis < 3; axis++) {
    const float extent = tile->bounds_max[axis] - tile->bounds_min[axis];
    beyond |= !(extent * tile->cells_per_unit <= WM_TILE_NODE_LIMIT);
  }
  return beyond;
}

/* Walks the nodes of the root's subtree in their order, with a stack of the ends of the enclosing subtrees.
 * in         ends [node_count + 1]; seen [ground_count] zeros
 * out        tile->node_count: without unused nodes behind the tree; 0 if the tree can't be used */
static WmStatus check_tree(WmContext *context, WmMeshTile *tile, uint32_t *ends, uint8_t *seen) {
  uint32_t end = tile->node_count, count = 0;
  *ends = end;
  for (uint32_t i = 0; i < end; i++) {
    const char *wrong = NULL;
    while (*ends == i) ends--;
    const WmTileNode *node = &tile->nodes[i];
    const int32_t index = node->index;
    const uint32_t size = index < 0 ? 0u - (uint32_t)index : 1;
    for (int axis = 0; axis < 3; axis++) {
      if (node->low[axis] > node->high[axis]) wrong = " is inside out";
    }
    if (index >= (int32_t)tile->ground_count) wrong = " has a wrong polygon";
    if (size > *ends - i) wrong = " reaches beyond its parent";
    if (wrong) return fail_at(context, "tree node ", i, wrong);
    if (index < 0) {
      *++ends = i + size;
    } else {
      count += !seen[index];
      seen[index] = 1;
    }
    if (i == 0) end = size;
  }
  const uint8_t *unused = (const uint8_t *)(tile->nodes + end);
  for (size_t i = 0; i < WM_TILE_NODE_BYTES * (size_t)(tile->node_count - end); i++) {
    if (unused[i]) return fail_at(context, "the tree ends at node ", end, ", not the nodes");
  }
  tile->node_count = wm_tile_is_beyond_tree(tile) ? 0 : end;
  if (end == 0 || count == tile->ground_count) return WM_OK;
  return fail_at(context, "the tree holds ", count, " ground polygons, not all");
}

/* Kinds of records, in the order of the checks. */
enum { VERTICES, DETAIL_VERTICES, POLYGONS, CONNECTIONS, KIND_COUNT };
static const char *const KIND_NAMES[KIND_COUNT] = {"vertex ", "detail vertex ", "polygon ",
                                                   "off-mesh connection "};

static const char *find_fault_of(const WmTileRecord *record, int kind, uint32_t number, uint8_t *on_ground) {
  const WmMeshTile *tile = &record->tile;
  if (kind == POLYGONS) return find_fault_of_polygon(record, number, on_ground);
  if (kind == CONNECTIONS) return find_fault_of_connection(tile, number);
  const float *points = kind == VERTICES ? tile->vertices : tile->detail_vertices;
  return are_usable(points + 3 * (size_t)number, 3) ? NULL : " is not finite, or too large";
}

static WmStatus check_records(WmContext *context, const WmTileRecord *record, uint8_t *on_ground) {
  const WmMeshTile *tile = &record->tile;
  const uint32_t counts[KIND_COUNT] = {tile->vertex_count, tile->detail_vertex_count, tile->polygon_count,
                                       tile->connection_count};
  for (int kind = 0; kind < KIND_COUNT; kind++) {
    for (uint32_t i = 0; i < counts[kind]; i++) {
      const char *wrong = find_fault_of(record, kind, i, on_ground);
      if (wrong) return fail_at(context, KIND_NAMES[kind], i, wrong);
    }
  }
  return WM_OK;
}

WmStatus wm_tile_check_contents(WmContext *context, WmTileRecord *record) {
  WmMeshTile *tile = &record->tile;
  uint32_t *ends = wm_scratch_array(context, tile->node_count + 1, sizeof *ends);
  uint8_t *seen = wm_scratch_zeroed(context, tile->ground_count, 1);
  uint8_t *on_ground = wm_scratch_zeroed(context, tile->vertex_count, 1);
  if (!ends || !seen || !on_ground) return WM_ERROR_OUT_OF_MEMORY;
  const WmStatus status = check_records(context, record, on_ground);
  return status ? status : check_tree(context, tile, ends, seen);
}

WmStatus wm_tile_check(WmContext *context, const uint8_t *bytes, size_t byte_count) {
  WmTileRecord *record;
  const WmStatus status = wm_tile_make(context, bytes, byte_count, &record);
  wm_tile_free(context, record);
  return status;
}
