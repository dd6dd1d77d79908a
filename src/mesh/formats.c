/* Files of navigation meshes. See formats.h.
 *
 * .walkmesh, version 1, little-endian:
 *
 *    0  "WALKMESH"
 *    8  u32 version, u32 number of sections
 *   16  u64 bytes of the whole file
 *   24  sections, each: u32 kind, u32 0, u64 bytes of its content, the content, zeros up to a multiple of 8
 *   -8  u64 checksum of all bytes before
 *
 * Sections, in this order: PARA, once: the WmMeshParameters; CONF, at most once: text; TILE, any number: i32
 * x, z, layer, u32 0, the tile in Detour's format. The checksum is of words of 8 bytes, each xored in and
 * mixed by a multiplication and a shift, so that no change of a single word can go unnoticed.
 *
 * MSET: a header of 40 bytes, then tiles, each after its reference (u32) and size (i32). References in files
 * are not kept: ours are wider. Tiles written get generation 1 and are numbered in order. */
#include "mesh/formats.h"

#include <math.h>

#include "mesh/mesh_internal.h"

enum {
  WALKMESH_VERSION = 1,
  WALKMESH_HEADER_BYTES = 24,
  SECTION_HEADER_BYTES = 16,
  TILE_PLACE_BYTES = 16,
  CHECKSUM_BYTES = 8,
  KIND_PARAMETERS = 0x41524150,    /* "PARA" */
  KIND_CONFIGURATION = 0x464e4f43, /* "CONF" */
  KIND_TILE = 0x454c4954,          /* "TILE" */
  SET_MAGIC = 0x4d534554,
  SET_VERSION = 1,
  SET_HEADER_BYTES = 40,
  SET_RECORD_BYTES = 8,
  SET_REFERENCE_BITS = 22 /* of 32, for tile and polygon together: Detour wants 10 for generations */
};

static const char WALKMESH_MAGIC[8] = {'W', 'A', 'L', 'K', 'M', 'E', 'S', 'H'};

_Static_assert(sizeof(WmMeshParameters) == 56, "parameters are stored as they lie in memory");

static uint32_t get_u32(const uint8_t *bytes) {
  uint32_t value;
  memcpy(&value, bytes, sizeof value);
  return value;
}

static int32_t get_i32(const uint8_t *bytes) {
  int32_t value;
  memcpy(&value, bytes, sizeof value);
  return value;
}

static uint64_t get_u64(const uint8_t *bytes) {
  uint64_t value;
  memcpy(&value, bytes, sizeof value);
  return value;
}

static WmStatus fail(WmContext *context, const char *message) {
  return wm_fail(context, WM_ERROR_CORRUPT, "file", message);
}

static WmStatus fail_number(WmContext *context, const char *before, double number, const char *after) {
  return wm_fail_number(context, WM_ERROR_CORRUPT, "file", before, number, after);
}

WmFormat wm_format_detect(const uint8_t *bytes, size_t byte_count) {
  if (byte_count >= sizeof WALKMESH_MAGIC && memcmp(bytes, WALKMESH_MAGIC, sizeof WALKMESH_MAGIC) == 0) {
    return WM_FORMAT_WALKMESH;
  }
  if (byte_count < 4) return WM_FORMAT_UNKNOWN;
  if (get_u32(bytes) == WM_TILE_MAGIC) return WM_FORMAT_TILE;
  return get_u32(bytes) == SET_MAGIC ? WM_FORMAT_SET : WM_FORMAT_UNKNOWN;
}

/* Of a whole number of words. */
static uint64_t checksum(const uint8_t *bytes, size_t byte_count) {
  uint64_t sum = UINT64_C(0x9e3779b97f4a7c15);
  for (size_t i = 0; i + 8 <= byte_count; i += 8) {
    sum = (sum ^ get_u64(bytes + i)) * UINT64_C(0xd6e8feb86659fd93);
    sum ^= sum >> 32;
  }
  return sum;
}

/* ---- Reading: what all formats share
 * ------------------------------------------------------------------------ */

static WmStatus check_parameters(WmContext *context, const WmMeshParameters *parameters) {
  const float sizes[] = {parameters->tile_width,     parameters->tile_depth,   parameters->cell_size,
                         parameters->cell_height,    parameters->agent_height, parameters->agent_radius,
                         parameters->agent_max_climb};
  bool good = parameters->tile_width > 0 && parameters->tile_depth > 0;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    good = good && isfinite(sizes[i]) && sizes[i] >= 0;
  for (int axis = 0; axis < 3; axis++) good = good && isfinite(parameters->origin[axis]);
  good = good && parameters->tile_count_x >= 0 && parameters->tile_count_z >= 0 &&
         parameters->detour_max_tiles >= 0 && parameters->detour_max_polygons >= 0;
  return good ? WM_OK : fail(context, "the file's parameters are out of range or not finite");
}

/* A mesh that lays out its links when all tiles are there. */
static WmStatus create_mesh(WmContext *context, const WmMeshParameters *parameters, WmMesh **mesh) {
  const WmStatus status = wm_mesh_create(context, parameters, mesh);
  if (!status) wm_mesh_begin_loading(*mesh);
  return status;
}

static WmStatus add_tile(WmMesh *mesh, const uint8_t *bytes, size_t byte_count) {
  const WmStatus status = wm_mesh_add_tile(mesh, bytes, byte_count, NULL);
  if (status != WM_ERROR_STATE) return status;
  return fail(wm_mesh_context(mesh), "the file has two tiles at the same place and layer");
}

/* Fills in what a file does not say from its first tile. */
static void adopt_tile(WmMeshParameters *parameters, const WmTileHeader *header) {
  parameters->agent_height = header->agent_height;
  parameters->agent_radius = header->agent_radius;
  parameters->agent_max_climb = header->agent_max_climb;
  if (header->cells_per_unit > 0 && isfinite(1.0f / header->cells_per_unit)) {
    parameters->cell_size = 1.0f / header->cells_per_unit;
  }
}

/* ---- Reading: a single tile
 * --------------------------------------------------------------------------------- */

/* The place of a single tile is its own bounds, wherever it says it is in its grid. */
static WmStatus read_tile(WmContext *context, const uint8_t *bytes, size_t byte_count, WmMesh **mesh) {
  WmTileView view;
  WmStatus status = wm_tile_open(context, bytes, byte_count, &view);
  if (status) return status;
  const WmTileHeader *header = &view.header;
  WmMeshParameters parameters = {.tile_count_x = 1, .tile_count_z = 1};
  const float width = header->bounds_max[0] - header->bounds_min[0];
  const float depth = header->bounds_max[2] - header->bounds_min[2];
  parameters.tile_width = width > 0 ? width : 1.0f;
  parameters.tile_depth = depth > 0 ? depth : 1.0f;
  parameters.origin[0] = header->bounds_min[0] - (float)header->x * parameters.tile_width;
  parameters.origin[1] = header->bounds_min[1];
  parameters.origin[2] = header->bounds_min[2] - (float)header->z * parameters.tile_depth;
  adopt_tile(&parameters, header);
  status = check_parameters(context, &parameters);
  if (!status) status = create_mesh(context, &parameters, mesh);
  if (!status) status = add_tile(*mesh, bytes, byte_count);
  return status;
}

/* ---- Reading: a set
 * ----------------------------------------------------------------------------------------- */

static WmStatus read_set_tiles(WmMesh *mesh, const uint8_t *bytes, size_t byte_count, int32_t tile_count) {
  WmContext *context = wm_mesh_context(mesh);
  size_t at = SET_HEADER_BYTES;
  for (int32_t i = 0; i < tile_count; i++) {
    if (byte_count - at < SET_RECORD_BYTES) return fail_number(context, "the set is cut before tile ", i, "");
    const uint32_t reference = get_u32(bytes + at);
    const int32_t size = get_i32(bytes + at + 4);
    at += SET_RECORD_BYTES;
    if (reference == 0 || size <= 0) return fail_number(context, "tile ", i, " of the set is empty");
    if ((size_t)size > byte_count - at) return fail_number(context, "the set is cut inside tile ", i, "");
    const WmStatus status = add_tile(mesh, bytes + at, (size_t)size);
    if (status) return status;
    at += (size_t)size;
  }
  if (at != byte_count)
    return fail_number(context, "", (double)(byte_count - at), " bytes follow the set's last tile");
  return WM_OK;
}

static WmStatus read_set(WmContext *context, const uint8_t *bytes, size_t byte_count, WmMesh **mesh) {
  if (byte_count < SET_HEADER_BYTES) return fail(context, "the set is cut: less than its header");
  const int32_t version = get_i32(bytes + 4), tile_count = get_i32(bytes + 8);
  if (version != SET_VERSION)
    return fail_number(context, "the set has version ", version, ": only 1 can be read");
  WmMeshParameters parameters = {0};
  memcpy(parameters.origin, bytes + 12, 5 * sizeof(float)); /* with the tile's size */
  parameters.detour_max_tiles = get_i32(bytes + 32);
  parameters.detour_max_polygons = get_i32(bytes + 36);
  if (tile_count < 0 || tile_count > parameters.detour_max_tiles) {
    return fail_number(context, "the set says it has ", tile_count, " tiles: not 0 to its own limit");
  }
  if (byte_count - SET_HEADER_BYTES > SET_RECORD_BYTES + WM_TILE_HEADER_BYTES) {
    WmTileHeader header;
    memcpy(&header, bytes + SET_HEADER_BYTES + SET_RECORD_BYTES, sizeof header);
    if (isfinite(header.agent_height) && isfinite(header.agent_radius) && isfinite(header.agent_max_climb)) {
      adopt_tile(&parameters, &header);
    }
  }
  WmStatus status = check_parameters(context, &parameters);
  if (!status) status = create_mesh(context, &parameters, mesh);
  if (!status) status = read_set_tiles(*mesh, bytes, byte_count, tile_count);
  return status;
}

/* ---- Reading: .walkmesh
 * ------------------------------------------------------------------------------------- */

static WmStatus read_tile_section(WmMesh *mesh, const uint8_t *content, size_t byte_count, uint32_t number) {
  WmContext *context = wm_mesh_context(mesh);
  if (byte_count < TILE_PLACE_BYTES + WM_TILE_HEADER_BYTES) {
    return fail_number(context, "section ", number, " of the file is too short for a tile");
  }
  WmTileHeader header;
  memcpy(&header, content + TILE_PLACE_BYTES, sizeof header);
  if (get_i32(content) != header.x || get_i32(content + 4) != header.z ||
      get_i32(content + 8) != header.layer) {
    return fail_number(context, "section ", number, " of the file places its tile where it does not belong");
  }
  return add_tile(mesh, content + TILE_PLACE_BYTES, byte_count - TILE_PLACE_BYTES);
}

static WmStatus read_section(WmContext *context, uint32_t number, uint32_t kind, const uint8_t *content,
                             size_t byte_count, WmMesh **mesh) {
  if (kind == KIND_PARAMETERS && number == 0) {
    WmMeshParameters parameters;
    if (byte_count != sizeof parameters) return fail(context, "the file's parameters have the wrong size");
    memcpy(&parameters, content, sizeof parameters);
    const WmStatus status = check_parameters(context, &parameters);
    return status ? status : create_mesh(context, &parameters, mesh);
  }
  if (kind == KIND_CONFIGURATION && number == 1) {
    return wm_mesh_set_configuration(*mesh, (const char *)content, byte_count);
  }
  if (kind == KIND_TILE && number > 0) return read_tile_section(*mesh, content, byte_count, number);
  return fail_number(context, "section ", number, " of the file is of a kind that does not belong there");
}

static WmStatus read_walkmesh(WmContext *context, const uint8_t *bytes, size_t byte_count, WmMesh **mesh) {
  if (byte_count < WALKMESH_HEADER_BYTES + CHECKSUM_BYTES)
    return fail(context, "the file is cut: less than its header");
  if (get_u32(bytes + 8) != WALKMESH_VERSION) {
    return fail_number(context, "the file has version ", get_u32(bytes + 8), ": only 1 can be read");
  }
  if (get_u64(bytes + 16) != byte_count) {
    return fail_number(context, "the file is cut or has grown: it has ", (double)byte_count,
                       " bytes, not what it says");
  }
  const size_t end = byte_count - CHECKSUM_BYTES;
  if (byte_count % 8 != 0 || checksum(bytes, end) != get_u64(bytes + end)) {
    return fail(context, "the file's checksum is wrong: some of its bytes have been altered");
  }
  const uint32_t section_count = get_u32(bytes + 12);
  size_t at = WALKMESH_HEADER_BYTES;
  for (uint32_t i = 0; i < section_count; i++) {
    if (end - at < SECTION_HEADER_BYTES)
      return fail_number(context, "the file is cut before section ", i, "");
    const uint32_t kind = get_u32(bytes + at);
    const uint64_t size = get_u64(bytes + at + 8);
    at += SECTION_HEADER_BYTES;
    if (size > end - at) return fail_number(context, "the file is cut inside section ", i, "");
    const WmStatus status = read_section(context, i, kind, bytes + at, (size_t)size, mesh);
    if (status) return status;
    at += (size_t)((size + 7) & ~UINT64_C(7)); /* `end` is a multiple of 8 */
  }
  if (at != end) return fail_number(context, "", (double)(end - at), " bytes follow the file's last section");
  return *mesh ? WM_OK : fail(context, "the file has no parameters");
}

WmStatus wm_mesh_read(WmContext *context, const uint8_t *bytes, size_t byte_count, WmMesh **out) {
  *out = NULL;
  WmMesh *mesh = NULL;
  WmStatus status = WM_OK;
  switch (wm_format_detect(bytes, byte_count)) {
    case WM_FORMAT_WALKMESH: status = read_walkmesh(context, bytes, byte_count, &mesh); break;
    case WM_FORMAT_TILE: status = read_tile(context, bytes, byte_count, &mesh); break;
    case WM_FORMAT_SET: status = read_set(context, bytes, byte_count, &mesh); break;
    case WM_FORMAT_UNKNOWN:
      status = fail(context, byte_count == 0
                                 ? "the file is empty"
                                 : "the file is neither .walkmesh nor a tile (DNAV) or set (MSET) of Detour");
      break;
  }
  if (!status) status = wm_mesh_finish_loading(mesh);
  if (status) {
    wm_mesh_destroy(mesh);
    return status;
  }
  *out = mesh;
  return WM_OK;
}

WmStatus wm_tile_check(WmContext *context, const uint8_t *bytes, size_t byte_count) {
  WmTileView view;
  return wm_tile_open(context, bytes, byte_count, &view);
}

/* ---- Writing
 * ------------------------------------------------------------------------------------------------ */

/* Appends to a block of known size. */
typedef struct Writer {
  uint8_t *bytes;
  size_t at;
} Writer;

static void put(Writer *writer, const void *source, size_t byte_count) {
  if (byte_count) memcpy(writer->bytes + writer->at, source, byte_count);
  writer->at += byte_count;
}

static void put_u32(Writer *writer, uint32_t value) { put(writer, &value, sizeof value); }
static void put_u64(Writer *writer, uint64_t value) { put(writer, &value, sizeof value); }

static uint64_t padded(uint64_t byte_count) { return (byte_count + 7) & ~UINT64_C(7); }

static void put_section_header(Writer *writer, uint32_t kind, size_t byte_count) {
  put_u32(writer, kind);
  put_u32(writer, 0);
  put_u64(writer, byte_count);
}

static void pad(Writer *writer) {
  static const uint8_t ZEROS[8] = {0};
  put(writer, ZEROS, (size_t)(padded(writer->at) - writer->at));
}

/* A block of `byte_count` bytes, if this machine can address so many. */
static WmStatus start_writer(WmContext *context, uint64_t byte_count, Writer *writer) {
  if (byte_count > SIZE_MAX / 2) return wm_fail_memory(context, SIZE_MAX);
  *writer = (Writer){wm_block_allocate(context, (size_t)byte_count), 0};
  return writer->bytes ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}

static WmStatus write_walkmesh(const WmMesh *mesh, const WmTileRecord *const *tiles, Writer *writer) {
  size_t length = 0;
  const char *configuration = wm_mesh_configuration(mesh, &length);
  const size_t count = wm_mesh_tile_count(mesh);
  uint64_t total = WALKMESH_HEADER_BYTES + SECTION_HEADER_BYTES + padded(sizeof(WmMeshParameters));
  if (length) total += SECTION_HEADER_BYTES + padded(length);
  for (size_t i = 0; i < count; i++) {
    total += SECTION_HEADER_BYTES + padded(TILE_PLACE_BYTES + (uint64_t)tiles[i]->tile.byte_count);
  }
  total += CHECKSUM_BYTES;
  const WmStatus status = start_writer(wm_mesh_context(mesh), total, writer);
  if (status) return status;
  put(writer, WALKMESH_MAGIC, sizeof WALKMESH_MAGIC);
  put_u32(writer, WALKMESH_VERSION);
  put_u32(writer, (uint32_t)(1 + (length > 0) + count));
  put_u64(writer, total);
  put_section_header(writer, KIND_PARAMETERS, sizeof(WmMeshParameters));
  put(writer, wm_mesh_parameters(mesh), sizeof(WmMeshParameters));
  pad(writer);
  if (length) {
    put_section_header(writer, KIND_CONFIGURATION, length);
    put(writer, configuration, length);
    pad(writer);
  }
  for (size_t i = 0; i < count; i++) {
    const WmMeshTile *tile = &tiles[i]->tile;
    put_section_header(writer, KIND_TILE, TILE_PLACE_BYTES + tile->byte_count);
    put_u32(writer, (uint32_t)tile->x);
    put_u32(writer, (uint32_t)tile->z);
    put_u32(writer, (uint32_t)tile->layer);
    put_u32(writer, 0);
    put(writer, tile->bytes, tile->byte_count);
    pad(writer);
  }
  put_u64(writer, checksum(writer->bytes, writer->at));
  return WM_OK;
}

/* Bits for numbers below `count`. */
static uint32_t bits_for(uint32_t count) {
  uint32_t bits = 0;
  while (bits < 32 && (UINT64_C(1) << bits) < count) bits++;
  return bits;
}

/* How many tiles and polygons a set's references can name: what the set was made with, if that still does. */
static WmStatus choose_set_limits(const WmMesh *mesh, const WmTileRecord *const *tiles, int32_t *max_tiles,
                                  int32_t *max_polygons) {
  const WmMeshParameters *parameters = wm_mesh_parameters(mesh);
  const size_t count = wm_mesh_tile_count(mesh);
  uint32_t polygons = 1;
  for (size_t i = 0; i < count; i++) {
    if (tiles[i]->tile.polygon_count > polygons) polygons = tiles[i]->tile.polygon_count;
  }
  *max_tiles = parameters->detour_max_tiles;
  *max_polygons = parameters->detour_max_polygons;
  if (*max_tiles < 1 || (size_t)*max_tiles < count) *max_tiles = count ? (int32_t)count : 1;
  if (*max_polygons < 1 || (uint32_t)*max_polygons < polygons) *max_polygons = (int32_t)polygons;
  const uint32_t bits = bits_for((uint32_t)*max_tiles) + bits_for((uint32_t)*max_polygons);
  if (bits <= SET_REFERENCE_BITS) return WM_OK;
  *max_tiles = count ? (int32_t)count : 1;
  *max_polygons = (int32_t)polygons;
  if (bits_for((uint32_t)*max_tiles) + bits_for(polygons) <= SET_REFERENCE_BITS) return WM_OK;
  return wm_fail_range(wm_mesh_context(mesh), WM_ERROR_LIMIT, "tiles", (double)count, NAN,
                       (double)(UINT32_C(1) << (SET_REFERENCE_BITS - bits_for(polygons))),
                       "32-bit references of a Detour set cannot name all polygons: write .walkmesh instead");
}

static WmStatus write_set(const WmMesh *mesh, const WmTileRecord *const *tiles, Writer *writer) {
  int32_t max_tiles = 0, max_polygons = 0;
  WmStatus status = choose_set_limits(mesh, tiles, &max_tiles, &max_polygons);
  const size_t count = wm_mesh_tile_count(mesh);
  uint64_t total = SET_HEADER_BYTES;
  for (size_t i = 0; i < count; i++) total += SET_RECORD_BYTES + (uint64_t)tiles[i]->tile.byte_count;
  if (!status) status = start_writer(wm_mesh_context(mesh), total, writer);
  if (status) return status;
  put_u32(writer, SET_MAGIC);
  put_u32(writer, SET_VERSION);
  put_u32(writer, (uint32_t)count);
  put(writer, wm_mesh_parameters(mesh)->origin, 5 * sizeof(float)); /* with the tile's size */
  put_u32(writer, (uint32_t)max_tiles);
  put_u32(writer, (uint32_t)max_polygons);
  const uint32_t polygon_bits = bits_for((uint32_t)max_polygons), tile_bits = bits_for((uint32_t)max_tiles);
  for (size_t i = 0; i < count; i++) {
    put_u32(writer, UINT32_C(1) << (tile_bits + polygon_bits) | (uint32_t)i << polygon_bits);
    put_u32(writer, (uint32_t)tiles[i]->tile.byte_count);
    put(writer, tiles[i]->tile.bytes, tiles[i]->tile.byte_count);
  }
  return WM_OK;
}

static WmStatus write_tile(const WmMesh *mesh, const WmTileRecord *const *tiles, Writer *writer) {
  if (wm_mesh_tile_count(mesh) != 1) {
    return wm_fail_number(wm_mesh_context(mesh), WM_ERROR_LIMIT, "tiles", "the mesh has ",
                          (double)wm_mesh_tile_count(mesh),
                          " tiles: a DNAV file holds exactly one; write a set or .walkmesh instead");
  }
  const WmMeshTile *tile = &tiles[0]->tile;
  const WmStatus status = start_writer(wm_mesh_context(mesh), tile->byte_count, writer);
  if (!status) put(writer, tile->bytes, tile->byte_count);
  return status;
}

WmStatus wm_mesh_write(const WmMesh *mesh, WmFormat format, uint8_t **bytes, size_t *byte_count) {
  *bytes = NULL;
  *byte_count = 0;
  WmContext *context = wm_mesh_context(mesh);
  const WmScratchMark mark = wm_scratch_mark(context);
  const WmTileRecord **tiles = wm_mesh_tiles_by_age(mesh);
  WmStatus status = tiles ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
  Writer writer = {0};
  if (!status) {
    switch (format) {
      case WM_FORMAT_WALKMESH: status = write_walkmesh(mesh, tiles, &writer); break;
      case WM_FORMAT_TILE: status = write_tile(mesh, tiles, &writer); break;
      case WM_FORMAT_SET: status = write_set(mesh, tiles, &writer); break;
      default:
        status = wm_fail_number(context, WM_ERROR_INVALID_ARGUMENT, "format", "format ", format,
                                " cannot be written");
    }
  }
  wm_scratch_rewind(context, mark);
  if (status) return status;
  *bytes = writer.bytes;
  *byte_count = writer.at;
  return WM_OK;
}
