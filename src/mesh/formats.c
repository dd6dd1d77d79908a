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
#include <stddef.h>

#include "mesh/mesh_internal.h"

enum {
  FILE_VERSION = 1, /* of .walkmesh and of sets */
  CHECKSUM_BYTES = 8,
  KIND_PARAMETERS = 0x41524150,    /* "PARA" */
  KIND_CONFIGURATION = 0x464e4f43, /* "CONF" */
  KIND_TILE = 0x454c4954,          /* "TILE" */
  SET_MAGIC = 0x4d534554,
  SET_REFERENCE_BITS = 22 /* of 32, for tile and polygon together: Detour wants 10 for generations */
};

/* "WALKMESH" */
#define WALKMESH_MAGIC UINT64_C(0x4853454d4b4c4157)

/* Sizes of headers and of what precedes each part. */
enum { FILE_HEADER = 24, SET_HEADER = 40, SECTION_HEAD = 16, SET_HEAD = 8, TILE_PLACE = 16 };

_Static_assert(sizeof(WmMeshParameters) == 56, "parameters are stored as they lie in memory");

static WmStatus fail(WmContext *context, const char *message) {
  return wm_fail(context, WM_ERROR_CORRUPT, "file", message);
}

static WmStatus fail_number(WmContext *context, const char *before, double number, const char *after) {
  return wm_fail_number(context, WM_ERROR_CORRUPT, "file", before, number, after);
}

WmFormat wm_format_detect(const uint8_t *bytes, size_t byte_count) {
  uint64_t magic = 0;
  if (byte_count) memcpy(&magic, bytes, byte_count < sizeof magic ? byte_count : sizeof magic);
  if (magic == WALKMESH_MAGIC) return WM_FORMAT_WALKMESH;
  if ((uint32_t)magic == WM_TILE_MAGIC) return WM_FORMAT_TILE;
  return (uint32_t)magic == SET_MAGIC ? WM_FORMAT_SET : WM_FORMAT_UNKNOWN;
}

/* Of a whole number of words. */
static uint64_t checksum(const uint8_t *bytes, size_t byte_count) {
  uint64_t sum = UINT64_C(0x9e3779b97f4a7c15);
  for (size_t i = 0; i + 8 <= byte_count; i += 8) {
    uint64_t word;
    memcpy(&word, bytes + i, sizeof word);
    sum = (sum ^ word) * UINT64_C(0xd6e8feb86659fd93);
    sum ^= sum >> 32;
  }
  return sum;
}

/* ---- Reading: what all formats share ------------------------------------------------------------------ */

/* The rest of a file, and what it has become so far. */
typedef struct Reader {
  WmContext *context;
  const uint8_t *bytes;
  size_t left;
  uint32_t part; /* number of the tile or section in hand, from 1, the header being 0: for messages */
  WmMeshParameters parameters;
  WmMesh *mesh;
} Reader;

static WmStatus fail_part(const Reader *reader, const char *what) {
  return fail_number(reader->context, "part ", reader->part, what);
}

/* Steps over the next bytes and returns them, or NULL where the file is cut. */
static const uint8_t *take(Reader *reader, uint64_t byte_count) {
  const uint8_t *bytes = reader->bytes;
  if (byte_count > reader->left) {
    fail_part(reader, " of the file is cut");
    return NULL;
  }
  reader->bytes += byte_count;
  reader->left -= (size_t)byte_count;
  return bytes;
}

static const char OUT_OF_RANGE[] = "the parameters are out of range";

static uint32_t read_word(const uint8_t *bytes) {
  uint32_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

static uint64_t read_long(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

/* A mesh that lays out its links when all tiles are there. Of numbers that are not negative, the bits tell
 * whether they are finite, and whole. */
static WmStatus create_mesh(Reader *reader) {
  const uint8_t *words = (const uint8_t *)&reader->parameters;
  const uint32_t integers = 0x3060; /* a bit for each word */
  WmStatus status = WM_ERROR_INVALID_ARGUMENT;
  int i = 3;
  while (i < 14 && read_word(words + 4 * i) < (integers >> i & 1 ? 0x80000000u : 0x7f800000u)) i++;
  if (i == 14) status = wm_mesh_create(reader->context, &reader->parameters, &reader->mesh);
  if (status == WM_ERROR_INVALID_ARGUMENT) {
    return fail(reader->context, OUT_OF_RANGE);
  }
  if (!status) reader->mesh->loading = true;
  return status;
}

static WmStatus add_tile(const Reader *reader, const uint8_t *bytes, size_t byte_count) {
  const WmStatus status = wm_mesh_add_tile(reader->mesh, bytes, byte_count, NULL);
  return status == WM_ERROR_STATE ? fail(reader->context, "two tiles have the same place and layer") : status;
}

/* ---- Reading ------------------------------------------------------------------------------------------ */

static WmStatus read_tile(Reader *reader) {
  WmMeshParameters *parameters = &reader->parameters;
  parameters->tile_width = parameters->tile_depth = 1;
  parameters->tile_count_x = parameters->tile_count_z = 1;
  const WmStatus status = create_mesh(reader);
  return status ? status : add_tile(reader, reader->bytes, reader->left);
}

/* Fills in what Detour's formats do not say from the first tile. The place of a single tile is its own
 * bounds, wherever it says it is in its grid. */
static WmStatus adopt_tile(WmMesh *mesh, bool is_single) {
  if (!mesh->oldest) return WM_OK;
  const WmMeshTile *tile = &mesh->oldest->tile;
  WmMeshParameters *parameters = &mesh->parameters;
  memcpy(&parameters->agent_height, &tile->agent_height, 3 * sizeof(float)); /* and radius, climb */
  const float cell_size = tile->cells_per_unit > 0 ? 1.0f / tile->cells_per_unit : 0;
  if (isfinite(cell_size)) parameters->cell_size = cell_size;
  if (!is_single) return WM_OK;
  for (int axis = 0; axis < 3; axis += 2) {
    const float least = tile->bounds_min[axis], extent = tile->bounds_max[axis] - least;
    const float size = extent > 0 ? extent : 1.0f;
    *(axis ? &parameters->tile_depth : &parameters->tile_width) = size;
    parameters->origin[axis] = least - (float)(axis ? tile->z : tile->x) * size;
    if (!isfinite(parameters->origin[axis])) return fail(mesh->context, OUT_OF_RANGE);
  }
  parameters->origin[1] = tile->bounds_min[1];
  return WM_OK;
}

/* What the header of .walkmesh says of the rest, which loses its checksum. */
static WmStatus check_rest(Reader *reader, const uint8_t *header) {
  const size_t byte_count = reader->left + FILE_HEADER, end = byte_count - CHECKSUM_BYTES;
  if (read_long(header + 16) != byte_count) {
    return fail_number(reader->context, "the file has ", (double)byte_count, " bytes, not what it says");
  }
  if (byte_count % 8 != 0 || reader->left < CHECKSUM_BYTES ||
      checksum(header, end) != read_long(header + end)) {
    return fail(reader->context, "the checksum is wrong: the file was altered");
  }
  reader->left -= CHECKSUM_BYTES;
  return WM_OK;
}

/* What the header of a set says. */
static WmStatus create_set(Reader *reader, const uint8_t *header, uint32_t count) {
  memcpy(&reader->parameters, header + 12, 5 * sizeof(float)); /* origin and the tile's size */
  memcpy(&reader->parameters.detour_max_tiles, header + 32, 2 * sizeof(int32_t)); /* and polygons */
  if (count > read_word(header + 32)) {
    return fail_number(reader->context, "the set cannot have ", count, " tiles");
  }
  return create_mesh(reader);
}

/* A tile, after its place in .walkmesh. */
static WmStatus read_part(Reader *reader, bool is_set) {
  const uint8_t *head = take(reader, is_set ? SET_HEAD : SECTION_HEAD);
  if (!head) return WM_ERROR_CORRUPT;
  uint64_t byte_count = is_set ? read_word(head + 4) : read_long(head + 8);
  const uint32_t kind = read_word(head);
  const uint8_t *content = take(reader, byte_count);
  if (!content) return WM_ERROR_CORRUPT;
  const bool is_first = reader->part == 1;
  if (is_set) {
    if (kind == 0 || byte_count == 0) return fail_part(reader, " of the file is empty");
    return add_tile(reader, content, (size_t)byte_count);
  }
  take(reader, reader->left % 8); /* zeros: what is left was a multiple of 8 */
  if (is_first && kind == KIND_PARAMETERS && byte_count == sizeof reader->parameters) {
    memcpy(&reader->parameters, content, sizeof reader->parameters);
    return create_mesh(reader);
  }
  if (reader->part == 2 && kind == KIND_CONFIGURATION) {
    return wm_mesh_set_configuration(reader->mesh, (const char *)content, (size_t)byte_count);
  }
  if (is_first || kind != KIND_TILE || byte_count < TILE_PLACE) {
    return fail_part(reader, " of the file is of a wrong kind or size");
  }
  const WmStatus status = add_tile(reader, content + TILE_PLACE, (size_t)byte_count - TILE_PLACE);
  if (status || memcmp(content, &reader->mesh->newest->tile.x, 3 * sizeof(int32_t)) == 0) return status;
  return fail_part(reader, " of the file has a wrong place");
}

/* Sets and .walkmesh: a header, and parts with a head each. */
static WmStatus read_parts(Reader *reader, bool is_set) {
  const uint8_t *header = take(reader, is_set ? SET_HEADER : FILE_HEADER);
  if (!header) return WM_ERROR_CORRUPT;
  const uint8_t *fields = header + (is_set ? 4 : 8); /* version and number of parts */
  if (read_word(fields) != FILE_VERSION) {
    return fail_number(reader->context, "the file has version ", read_word(fields), ": only 1 can be read");
  }
  const uint32_t count = read_word(fields + 4);
  WmStatus status = is_set ? create_set(reader, header, count) : check_rest(reader, header);
  while (!status && reader->part < count) {
    reader->part++;
    status = read_part(reader, is_set);
  }
  if (!status && reader->left > 0) status = fail_part(reader, " of the file should be the last");
  return status || reader->mesh ? status : fail(reader->context, "the file has no parameters");
}

WmStatus wm_mesh_read(WmContext *context, const uint8_t *bytes, size_t byte_count, WmMesh **out) {
  WmStatus status = WM_OK;
  const WmFormat format = wm_format_detect(bytes, byte_count);
  Reader reader = {.context = context, .bytes = bytes, .left = byte_count};
  *out = NULL;
  if (format == WM_FORMAT_UNKNOWN) {
    return fail(context,
                byte_count ? "the file is neither .walkmesh nor DNAV nor MSET" : "the file is empty");
  }
  status = format == WM_FORMAT_TILE ? read_tile(&reader) : read_parts(&reader, format == WM_FORMAT_SET);
  if (!status && format != WM_FORMAT_WALKMESH) status = adopt_tile(reader.mesh, format == WM_FORMAT_TILE);
  if (status) {
    wm_mesh_destroy(reader.mesh);
    return status;
  }
  wm_mesh_finish_loading(reader.mesh);
  *out = reader.mesh;
  return WM_OK;
}

/* ---- Writing ------------------------------------------------------------------------------------------ */

/* Appends to a block, or only counts while there is none: each format is written twice. */
typedef struct Writer {
  uint8_t *bytes;
  size_t at, total;         /* total: 0 while counting */
  uint32_t reference, step; /* of a set: of the next tile, and on to the one behind */
} Writer;

static void put(Writer *writer, const void *source, size_t byte_count) {
  if (writer->bytes && byte_count) memcpy(writer->bytes + writer->at, source, byte_count);
  writer->at += byte_count;
}

/* A section: its head, for a tile its place, and what is in it. */
static void put_section(Writer *writer, uint32_t kind, const WmMeshTile *tile, const void *content,
                        size_t byte_count) {
  static const uint8_t ZEROS[8] = {0};
  const uint64_t size = byte_count + (tile ? TILE_PLACE : 0);
  uint32_t head[8] = {kind, 0, (uint32_t)size, (uint32_t)(size >> 32)};
  if (tile) memcpy(head + 4, &tile->x, 3 * sizeof *head);
  put(writer, head, tile ? SECTION_HEAD + TILE_PLACE : SECTION_HEAD);
  put(writer, content, byte_count);
  put(writer, ZEROS, (0 - writer->at) & 7);
}

/* .walkmesh up to its tiles. */
static void put_head(const WmMesh *mesh, Writer *writer) {
  const size_t length = mesh->configuration_length;
  const uint32_t sections = (uint32_t)(1 + (length > 0) + mesh->tile_count);
  const uint64_t head[3] = {WALKMESH_MAGIC, (uint64_t)sections << 32 | FILE_VERSION, writer->total};
  put(writer, head, sizeof head);
  put_section(writer, KIND_PARAMETERS, NULL, &mesh->parameters, sizeof mesh->parameters);
  if (length) put_section(writer, KIND_CONFIGURATION, NULL, mesh->configuration, length);
}

/* Bits for numbers below `count`, 1 to 2^31. */
static uint32_t bits_for(uint32_t count) { return 31u - (uint32_t)__builtin_clz(2 * count - 1); }

/* A set up to its tiles. References can name as many tiles and polygons as the set was made with, if that
 * does, and else as many as there are. */
static WmStatus put_set_head(const WmMesh *mesh, Writer *writer) {
  const uint32_t tile_count = (uint32_t)mesh->tile_count;
  uint32_t tiles = tile_count ? tile_count : 1, polygons = 1;
  for (const WmTileRecord *record = mesh->oldest; record; record = record->newer) {
    if (record->tile.polygon_count > polygons) polygons = record->tile.polygon_count;
  }
  const uint32_t former_tiles = (uint32_t)mesh->parameters.detour_max_tiles;
  const uint32_t former_polygons = (uint32_t)mesh->parameters.detour_max_polygons;
  const uint32_t more_tiles = former_tiles > tiles ? former_tiles : tiles;
  const uint32_t more_polygons = former_polygons > polygons ? former_polygons : polygons;
  if (bits_for(more_tiles) + bits_for(more_polygons) <= SET_REFERENCE_BITS) {
    tiles = more_tiles;
    polygons = more_polygons;
  }
  const uint32_t polygon_bits = bits_for(polygons), bits = bits_for(tiles) + polygon_bits;
  if (bits > SET_REFERENCE_BITS) {
    return wm_fail_range(mesh->context, WM_ERROR_LIMIT, "tiles", tiles, 0,
                         UINT32_C(1) << (SET_REFERENCE_BITS - polygon_bits),
                         "a set cannot name all polygons: write .walkmesh");
  }
  writer->reference = UINT32_C(1) << bits;
  writer->step = UINT32_C(1) << polygon_bits;
  uint32_t head[10] = {SET_MAGIC, FILE_VERSION, tile_count};
  memcpy(head + 3, &mesh->parameters, 5 * sizeof *head);
  head[8] = tiles;
  head[9] = polygons;
  put(writer, head, sizeof head);
  return WM_OK;
}

static WmStatus write_format(const WmMesh *mesh, WmFormat format, Writer *writer) {
  if (format == WM_FORMAT_WALKMESH) {
    put_head(mesh, writer);
  } else if (format == WM_FORMAT_SET) {
    const WmStatus status = put_set_head(mesh, writer);
    if (status) return status;
  } else if (format != WM_FORMAT_TILE) {
    return wm_fail_number(mesh->context, WM_ERROR_INVALID_ARGUMENT, "format", "format ", format,
                          " cannot be written");
  } else if (mesh->tile_count != 1) {
    return wm_fail_number(mesh->context, WM_ERROR_LIMIT, "tiles", "the mesh has ", (double)mesh->tile_count,
                          " tiles: DNAV holds one; write a set or .walkmesh");
  }
  for (const WmTileRecord *record = mesh->oldest; record; record = record->newer) {
    const WmMeshTile *tile = &record->tile;
    const uint32_t head[2] = {writer->reference, (uint32_t)tile->byte_count};
    if (format == WM_FORMAT_SET) put(writer, head, sizeof head);
    if (format == WM_FORMAT_WALKMESH) {
      put_section(writer, KIND_TILE, tile, tile->bytes, tile->byte_count);
    } else {
      put(writer, tile->bytes, tile->byte_count);
    }
    writer->reference += writer->step;
  }
  if (format == WM_FORMAT_WALKMESH) {
    const uint64_t sum = writer->bytes ? checksum(writer->bytes, writer->at) : 0;
    put(writer, &sum, sizeof sum);
  }
  return WM_OK;
}

WmStatus wm_mesh_write(const WmMesh *mesh, WmFormat format, uint8_t **bytes, size_t *byte_count) {
  *bytes = NULL;
  *byte_count = 0;
  Writer writer = {0};
  const WmStatus status = write_format(mesh, format, &writer);
  if (status) return status;
  writer.total = writer.at;
  writer.at = 0;
  writer.bytes = wm_block_allocate(mesh->context, writer.total);
  if (!writer.bytes) return WM_ERROR_OUT_OF_MEMORY;
  write_format(mesh, format, &writer);
  *bytes = writer.bytes;
  *byte_count = writer.at;
  return WM_OK;
}
