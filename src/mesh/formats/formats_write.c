/* Writes files of navigation meshes. See formats.h; layouts are in formats_internal.h. Tiles of a set have
 * generation 1 and consecutive numbers. */
#include "mesh/links/connections.h"
#include "mesh/formats/formats_internal.h"
#include "mesh/mesh_internal.h"

/* Each format is written twice: first without a block, to count the bytes. */
typedef struct Writer {
  uint8_t *bytes;
  size_t at, total; /* total: 0 while counting */
  WmFormat format;
  uint64_t reference, step; /* of a set: of the next tile; difference to the tile after it */
} Writer;

/* Appends bytes.
 * in         source: NULL for zeros */
static void put(Writer *writer, const void *source, size_t byte_count) {
  uint8_t *at = writer->bytes ? writer->bytes + writer->at : NULL;
  if (at && source && byte_count) memcpy(at, source, byte_count);
  if (at && !source) memset(at, 0, byte_count);
  writer->at += byte_count;
}

/* Appends a section: its head, the place of a tile, the content.
 * in         tile: NULL: the section is no tile */
static void put_section(Writer *writer, uint32_t kind, const WmMeshTile *tile, const void *content,
                        size_t byte_count) {
  const WmSectionHead head = {.kind = kind, .byte_count = byte_count + (tile ? sizeof(WmSavedPlace) : 0)};
  put(writer, &head, sizeof head);
  if (tile) {
    const WmSavedPlace place = {.x = tile->x, .z = tile->z, .layer = tile->layer};
    put(writer, &place, sizeof place);
  }
  put(writer, content, byte_count);
  put(writer, NULL, (0 - writer->at) & 7);
}

/* Appends the start of .walkmesh, up to its tiles. */
static void put_head(const WmMesh *mesh, Writer *writer) {
  const size_t length = mesh->configuration_length;
  const bool has_links = wm_saved_links_bytes(mesh) > 0;
  const uint32_t sections =
      (uint32_t)(1 + (length > 0) + mesh->tile_count + (mesh->connection_count > 0) + has_links);
  const uint64_t head[3] = {WM_FILE_MAGIC, (uint64_t)sections << 32 | WM_FILE_VERSION, writer->total};
  put(writer, head, sizeof head);
  put_section(writer, WM_SECTION_PARAMETERS, NULL, &mesh->parameters, sizeof mesh->parameters);
  if (length) put_section(writer, WM_SECTION_CONFIGURATION, NULL, mesh->configuration, length);
}

/* Appends the segment links. */
static void put_links(const WmMesh *mesh, Writer *writer) {
  const size_t byte_count = wm_saved_links_bytes(mesh);
  if (byte_count == 0) return;
  const WmSectionHead head = {.kind = WM_SECTION_LINKS, .byte_count = byte_count};
  put(writer, &head, sizeof head);
  if (writer->bytes) wm_saved_links_write(mesh, writer->bytes + writer->at);
  writer->at += byte_count;
  put(writer, NULL, (0 - writer->at) & 7);
}

/* Appends the connections made at run time, the segment links and the checksum. */
static void put_tail(const WmMesh *mesh, Writer *writer) {
  const uint64_t byte_count = mesh->connection_count * sizeof(WmSavedConnection);
  const WmSectionHead head = {.kind = WM_SECTION_CONNECTIONS, .byte_count = byte_count};
  if (byte_count) put(writer, &head, sizeof head);
  for (WmRef ref = 0; (ref = wm_mesh_next_connection(mesh, ref)) != 0;) {
    WmConnection connection;
    wm_mesh_connection(mesh, ref, &connection, NULL, NULL);
    WmSavedConnection saved = {.radius = connection.radius,
                               .climb = connection.climb,
                               .cost_factor = connection.cost_factor,
                               .user_id = connection.user_id,
                               .flags = connection.flags,
                               .area = connection.area,
                               .options = (uint8_t)(connection.bidirectional * WM_SAVED_BIDIRECTIONAL +
                                                    connection.enabled * WM_SAVED_ENABLED)};
    memcpy(saved.start, connection.start, sizeof saved.start);
    memcpy(saved.end, connection.end, sizeof saved.end);
    put(writer, &saved, sizeof saved);
  }
  put(writer, NULL, (0 - writer->at) & 7);
  put_links(mesh, writer);
  const uint64_t sum = writer->bytes ? wm_file_checksum(writer->bytes, writer->at) : 0;
  put(writer, &sum, sizeof sum);
}

/* ---- Sets --------------------------------------------------------------------------------------------- */

/* True if references of a format can have this many bits of tile and polygon. */
static bool can_name(WmFormat format, uint32_t tile_bits, uint32_t polygon_bits) {
  if (format == WM_FORMAT_SET) return tile_bits + polygon_bits <= WM_SET_NARROW_BITS;
  return tile_bits <= WM_SET_WIDE_TILE_BITS && polygon_bits <= WM_SET_WIDE_POLYGON_BITS;
}

/* The largest numbers of tiles and of polygons of a tile, for the header: those of the set that the mesh was
 * read from if they suffice and fit into references, else the present ones. */
static void find_set_limits(const WmMesh *mesh, WmFormat format, uint32_t *tiles, uint32_t *polygons) {
  *tiles = mesh->tile_count ? (uint32_t)mesh->tile_count : 1;
  *polygons = 1;
  for (const WmTileRecord *record = mesh->oldest; record; record = record->newer) {
    if (record->tile.polygon_count > *polygons) *polygons = record->tile.polygon_count;
  }
  const uint32_t former_tiles = (uint32_t)mesh->parameters.detour_max_tiles;
  const uint32_t former_polygons = (uint32_t)mesh->parameters.detour_max_polygons;
  const uint32_t more_tiles = former_tiles > *tiles ? former_tiles : *tiles;
  const uint32_t more_polygons = former_polygons > *polygons ? former_polygons : *polygons;
  if (!can_name(format, wm_bits_for(more_tiles), wm_bits_for(more_polygons))) return;
  *tiles = more_tiles;
  *polygons = more_polygons;
}

/* Appends the header of a set. */
static WmStatus put_set_head(const WmMesh *mesh, Writer *writer) {
  const uint32_t tile_count = (uint32_t)mesh->tile_count;
  /* A set without tiles is read as a narrow one. */
  const WmFormat format = tile_count ? writer->format : WM_FORMAT_SET;
  uint32_t tiles, polygons;
  find_set_limits(mesh, format, &tiles, &polygons);
  uint32_t polygon_bits = wm_bits_for(polygons), tile_bits = wm_bits_for(tiles);
  if (!can_name(format, tile_bits, polygon_bits)) {
    return wm_fail_range(mesh->context, WM_ERROR_LIMIT, "tiles", tiles, 0,
                         UINT32_C(1) << (WM_SET_NARROW_BITS - polygon_bits),
                         "a set cannot name all polygons: write .walkmesh");
  }
  if (format == WM_FORMAT_SET_WIDE) {
    polygon_bits = WM_SET_WIDE_POLYGON_BITS;
    tile_bits = WM_SET_WIDE_TILE_BITS;
  }
  writer->reference = UINT64_C(1) << (tile_bits + polygon_bits);
  writer->step = UINT64_C(1) << polygon_bits;
  WmSetHeader header = {.magic = WM_SET_MAGIC,
                        .version = WM_FILE_VERSION,
                        .tile_count = tile_count,
                        .tile_width = mesh->parameters.tile_width,
                        .tile_depth = mesh->parameters.tile_depth,
                        .max_tiles = tiles,
                        .max_polygons = polygons};
  memcpy(header.origin, mesh->parameters.origin, sizeof header.origin);
  put(writer, &header, sizeof header);
  return WM_OK;
}

/* Appends a tile of a set, after its head; a wide one has wider links, which are meaningless. */
static void put_set_tile(const WmMeshTile *tile, Writer *writer) {
  const bool is_wide = writer->format == WM_FORMAT_SET_WIDE;
  const size_t links = is_wide ? WM_TILE_WIDE_LINK_BYTES - WM_TILE_LINK_BYTES : 0;
  const size_t more = links * tile->link_room, byte_count = tile->byte_count + more;
  const uint32_t low = (uint32_t)writer->reference, high = (uint32_t)(writer->reference >> 32);
  const uint32_t size = (uint32_t)byte_count;
  put(writer, is_wide ? (uint32_t[4]){low, high, size, 0} : (uint32_t[2]){low, size},
      is_wide ? WM_SET_WIDE_HEAD_BYTES : WM_SET_HEAD_BYTES);
  const size_t before = (size_t)((const uint8_t *)tile->details - tile->bytes);
  put(writer, tile->bytes, before);
  put(writer, NULL, more);
  put(writer, tile->details, tile->byte_count - before);
  writer->reference += writer->step;
}

/* ---- All ---------------------------------------------------------------------------------------------- */

/* Appends the head of the file, if the mesh can be written in this format. */
static WmStatus begin_format(const WmMesh *mesh, Writer *writer) {
  switch (writer->format) {
    case WM_FORMAT_WALKMESH: put_head(mesh, writer); return WM_OK;
    case WM_FORMAT_SET:
    case WM_FORMAT_SET_WIDE: return put_set_head(mesh, writer);
    case WM_FORMAT_TILE:
      if (mesh->tile_count == 1) return WM_OK;
      return wm_fail_number(mesh->context, WM_ERROR_LIMIT, "tiles", "the mesh has ", (double)mesh->tile_count,
                            " tiles: DNAV holds one; write a set or .walkmesh");
    default:
      return wm_fail_number(mesh->context, WM_ERROR_INVALID_ARGUMENT, "format", "format ", writer->format,
                            " cannot be written");
  }
}

static WmStatus write_format(const WmMesh *mesh, Writer *writer) {
  const WmStatus status = begin_format(mesh, writer);
  if (status) return status;
  for (const WmTileRecord *record = mesh->oldest; record; record = record->newer) {
    const WmMeshTile *tile = &record->tile;
    if (writer->format == WM_FORMAT_WALKMESH) {
      put_section(writer, WM_SECTION_TILE, tile, tile->bytes, tile->byte_count);
    } else if (writer->format == WM_FORMAT_TILE) {
      put(writer, tile->bytes, tile->byte_count);
    } else {
      put_set_tile(tile, writer);
    }
  }
  if (writer->format == WM_FORMAT_WALKMESH) put_tail(mesh, writer);
  return WM_OK;
}

WmStatus wm_mesh_write(const WmMesh *mesh, WmFormat format, uint8_t **bytes, size_t *byte_count) {
  *bytes = NULL;
  *byte_count = 0;
  Writer writer = {.format = format};
  const WmStatus status = write_format(mesh, &writer);
  if (status) return status;
  writer.total = writer.at;
  writer.at = 0;
  writer.bytes = wm_block_allocate(mesh->context, writer.total);
  if (!writer.bytes) return WM_ERROR_OUT_OF_MEMORY;
  write_format(mesh, &writer);
  *bytes = writer.bytes;
  *byte_count = writer.at;
  return WM_OK;
}
