/* Segment links as off-mesh connections in the tiles where they start, for Detour, which knows no links wider than a point.
 *
 * The tiles are copied into another mesh, each with the records of its connections behind those that it has; that mesh is
 * written. */
#include <math.h>

#include "mesh/formats/formats_internal.h"
#include "mesh/links/link_crossing.h"
#include "mesh/links/segment_sets.h"

/* ---- Connections -------------------------------------------------------------------------------------- */

/* A connection with what its polygon needs. */
typedef struct PointLink {
  WmTileConnection record;
  uint16_t flags;
  uint8_t area;
} PointLink;

/* The connections of one tile. */
typedef struct PointLinks {
  const WmMesh *mesh;
  const WmMeshTile *tile;
  float spacing;
  PointLink *items; /* scratch */
  size_t count, capacity;
} PointLinks;

/* The side of a tile on which a point lies. */
static uint8_t find_side(const WmMeshTile *tile, const float point[3]) {
  static const uint8_t SIDES[3][3] = {{WM_SIDE_X_MINUS_Z_MINUS, WM_SIDE_Z_MINUS, WM_SIDE_X_PLUS_Z_MINUS},
                                      {WM_SIDE_X_MINUS, WM_TILE_SIDE_INSIDE, WM_SIDE_X_PLUS},
                                      {WM_SIDE_X_MINUS_Z_PLUS, WM_SIDE_Z_PLUS, WM_SIDE_X_PLUS_Z_PLUS}};
  int place[2];
  for (int k = 0; k < 2; k++) {
    place[k] = 1 - (point[2 * k] < tile->bounds_min[2 * k]) + (point[2 * k] >= tile->bounds_max[2 * k]);
  }
  return SIDES[place[1]][place[0]];
}

/* Appends the connection at one position of a link. */
static WmStatus add_link(PointLinks *links, const WmSegmentLink *link, float across) {
  PointLink point = {.flags = link->flags, .area = link->area};
  point.record.radius = links->tile->agent_radius;
  point.record.flags = link->bidirectional ? WM_TILE_OFF_MESH_BIDIRECTIONAL : 0;
  point.record.user_id = link->user_id;
  wm_interpolate(link->start[0], link->start[1], across, point.record.start);
  wm_interpolate(link->end[0], link->end[1], across, point.record.end);
  point.record.side = find_side(links->tile, point.record.end);
  links->items = wm_scratch_reserve(links->mesh->context, links->items, &links->capacity, links->count + 1,
                                    sizeof point);
  if (!links->items) return WM_ERROR_OUT_OF_MEMORY;
  links->items[links->count++] = point;
  return WM_OK;
}

/* True if the near side of a link lies on a tile at a position, first of all its ties, and the far side on any. */
static bool starts_on(const WmMeshTile *set, uint32_t number, float across, uint32_t slot) {
  bool starts = false, ends = false;
  uint32_t first = WM_NO_SLOT;
  for (uint32_t i = set->tie_first[number]; i < set->tie_first[number + 1]; i++) {
    const WmLinkTie *tie = &set->ties[i];
    if (across < tie->low || across > tie->high) continue;
    ends = ends || tie->end == 1;
    if (tie->end == 1 || first != WM_NO_SLOT) continue;
    first = tie->slot;
    starts = first == slot;
  }
  return starts && ends;
}

/* Appends the connections of one link that start on the tile: at equal distances, at least one. */
static WmStatus add_positions(PointLinks *links, const WmMeshTile *set, uint32_t number) {
  const WmSegmentLink *link = &set->segments[number];
  const float wanted = floorf(wm_segment_link_width(link) / links->spacing + 1e-3f);
  const uint32_t count = wanted >= 1 ? (uint32_t)fminf(wanted, WM_TILE_POLYGON_LIMIT) : 1;
  WmStatus status = WM_OK;
  for (uint32_t i = 0; i < count && link->enabled && !status; i++) {
    const float across = ((float)i + 0.5f) / (float)count;
    if (starts_on(set, number, across, links->tile->slot)) status = add_link(links, link, across);
  }
  return status;
}

/* Collects the connections that start on a tile. */
static WmStatus collect(PointLinks *links) {
  WmStatus status = WM_OK;
  for (size_t i = 0; i < links->mesh->link_set_count && !status; i++) {
    const WmLinkSet *set = wm_mesh_link_sets(links->mesh)[i];
    if (!wm_link_set_is_around(set, links->tile->x, links->tile->z)) continue;
    for (uint32_t k = 0; k < set->record.tile.polygon_count && !status; k++) {
      status = add_positions(links, &set->record.tile, k);
    }
  }
  return status;
}

/* ---- Tiles -------------------------------------------------------------------------------------------- */

/* Copies the records of a section. */
static void copy(uint8_t *bytes, uint64_t to, const uint8_t *source, uint64_t from, uint64_t byte_count) {
  if (byte_count) memcpy(bytes + to, source + from, (size_t)byte_count);
}

/* Writes the records of a connection: two vertices, a polygon, the connection.
 * in         number: of all connections of the tile */
static void put_link(uint8_t *bytes, const WmTileHeader *header, const WmTileSections *at,
                     const PointLink *link, uint32_t number, uint32_t vertex) {
  const uint32_t polygon = (uint32_t)header->first_off_mesh + number;
  wm_tile_put(bytes, at->vertices, vertex, WM_TILE_VERTEX_BYTES, link->record.start);
  wm_tile_put(bytes, at->vertices, vertex + (size_t)1, WM_TILE_VERTEX_BYTES, link->record.end);
  const WmTilePolygon record = {.vertices = {(uint16_t)vertex, (uint16_t)(vertex + 1)},
                                .flags = link->flags,
                                .vertex_count = 2,
                                .area_and_type = (uint8_t)(WM_TILE_OFF_MESH << 6 | link->area)};
  wm_tile_put(bytes, at->polygons, polygon, WM_TILE_POLYGON_BYTES, &record);
  WmTileConnection connection = link->record;
  connection.polygon = (uint16_t)polygon;
  wm_tile_put(bytes, at->connections, number, WM_TILE_CONNECTION_BYTES, &connection);
}

/* The bytes of a tile with more connections.
 * out        *bytes [*byte_count]: scratch */
static WmStatus add_to_tile(const PointLinks *links, const uint8_t **bytes, size_t *byte_count) {
  enum { LINKS_OF_CONNECTION = 4 };
  WmContext *context = links->mesh->context;
  const uint8_t *source = links->tile->bytes;
  WmTileHeader header;
  memcpy(&header, source, sizeof header);
  const WmTileSections from = wm_tile_sections(&header, WM_TILE_LINK_BYTES);
  const uint32_t connections = (uint32_t)header.connection_count, vertices = (uint32_t)header.vertex_count;
  const size_t count = links->count, most = ((size_t)WM_TILE_VERTEX_LIMIT - vertices) / 2;
  if (count > most || count + links->tile->polygon_count > WM_TILE_POLYGON_LIMIT) {
    return wm_fail_range(context, WM_ERROR_LIMIT, "links", (double)count, 0, (double)most,
                         "a tile can't hold as many connections: a larger spacing has fewer");
  }
  header.polygon_count += (int32_t)count;
  header.vertex_count += 2 * (int32_t)count;
  header.link_count += LINKS_OF_CONNECTION * (int32_t)count;
  header.connection_count += (int32_t)count;
  const WmTileSections at = wm_tile_sections(&header, WM_TILE_LINK_BYTES);
  uint8_t *tile = wm_scratch_zeroed(context, (size_t)at.byte_count, 1);
  if (!tile) return WM_ERROR_OUT_OF_MEMORY;
  memcpy(tile, &header, sizeof header);
  copy(tile, at.vertices, source, from.vertices, from.polygons - from.vertices);
  copy(tile, at.polygons, source, from.polygons, from.links - from.polygons);
  copy(tile, at.details, source, from.details, from.connections - from.details);
  copy(tile, at.connections, source, from.connections, from.byte_count - from.connections);
  for (uint32_t i = 0; i < count; i++) {
    put_link(tile, &header, &at, &links->items[i], connections + i, vertices + 2 * i);
  }
  *bytes = tile;
  *byte_count = (size_t)at.byte_count;
  return WM_OK;
}

/* Adds a tile with its connections to the copy of the mesh. */
static WmStatus copy_tile(const WmMesh *mesh, const WmMeshTile *tile, float spacing, WmMesh *with) {
  const WmScratchMark mark = wm_scratch_mark(mesh->context);
  PointLinks links = {.mesh = mesh, .tile = tile, .spacing = spacing};
  const uint8_t *bytes = tile->bytes;
  size_t byte_count = tile->byte_count;
  WmStatus status = collect(&links);
  if (!status && links.count > 0) status = add_to_tile(&links, &bytes, &byte_count);
  if (!status) status = wm_mesh_add_tile(with, bytes, byte_count, NULL);
  wm_scratch_rewind(mesh->context, mark);
  return status;
}

WmStatus wm_mesh_write_point_links(const WmMesh *mesh, WmFormat format, float spacing, uint8_t **bytes,
                                   size_t *byte_count) {
  *bytes = NULL;
  *byte_count = 0;
  if (!(spacing >= 0 && spacing < INFINITY)) {
    return wm_fail_number(mesh->context, WM_ERROR_INVALID_ARGUMENT, "spacing", "a spacing is ", spacing,
                          ": must be finite, 0 or more");
  }
  const float diameter = 2 * mesh->parameters.agent_radius;
  if (spacing == 0) spacing = diameter > 0 ? diameter : 1;
  WmMesh *with;
  WmStatus status = wm_mesh_create(mesh->context, &mesh->parameters, &with);
  if (status) return status;
  with->loading = true; /* nobody asks it for paths */
  for (const WmTileRecord *record = mesh->oldest; record && !status; record = record->newer) {
    status = copy_tile(mesh, &record->tile, spacing, with);
  }
  if (!status) status = wm_mesh_write(with, format, bytes, byte_count);
  wm_mesh_destroy(with);
  return status;
}
