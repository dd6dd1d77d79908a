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

typedef struct FileHeader {
  uint64_t magic;
  uint32_t version, section_count;
  uint64_t byte_count;
} FileHeader;

typedef struct SectionHeader {
  uint32_t kind, zero;
  uint64_t byte_count;
} SectionHeader;

typedef struct TilePlace {
  int32_t x, z, layer, zero;
} TilePlace;

typedef struct SetHeader {
  uint32_t magic, version;
  int32_t tile_count;
  float grid[5]; /* as the first fields of WmMeshParameters */
  int32_t max_tiles, max_polygons;
} SetHeader;

typedef struct SetRecord {
  uint32_t reference;
  int32_t byte_count;
} SetRecord;

_Static_assert(sizeof(FileHeader) == 24 && sizeof(SectionHeader) == 16 && sizeof(TilePlace) == 16, "layout");
_Static_assert(sizeof(SetHeader) == 40 && sizeof(SetRecord) == 8, "layout");
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

/* The rest of a file, or of a section. */
typedef struct Reader {
  WmContext *context;
  const uint8_t *bytes;
  size_t left;
  uint32_t part; /* number of the tile or section in hand, from 1: for messages */
} Reader;

/* Steps over the next bytes and returns them, or NULL where the file is cut. */
static const uint8_t *take(Reader *reader, uint64_t byte_count) {
  const uint8_t *bytes = reader->bytes;
  if (byte_count > reader->left) {
    fail_number(reader->context, "the file is cut in part ", reader->part, "");
    return NULL;
  }
  reader->bytes += byte_count;
  reader->left -= (size_t)byte_count;
  return bytes;
}

/* Copies the next record out. */
static WmStatus take_record(Reader *reader, void *record, size_t byte_count) {
  const uint8_t *bytes = take(reader, byte_count);
  if (!bytes) return WM_ERROR_CORRUPT;
  memcpy(record, bytes, byte_count);
  return WM_OK;
}

static WmStatus finish_reading(const Reader *reader) {
  if (reader->left == 0) return WM_OK;
  return fail_number(reader->context, "", (double)reader->left, " bytes of the file do not belong there");
}

static WmStatus check_version(const Reader *reader, uint32_t version) {
  if (version == FILE_VERSION) return WM_OK;
  return fail_number(reader->context, "the file has version ", version, ": only 1 can be read");
}

/* A mesh that lays out its links when all tiles are there. Of numbers that are not negative, the bits tell
 * whether they are finite, and whole. */
static WmStatus create_mesh(WmContext *context, const WmMeshParameters *parameters, WmMesh **mesh) {
  uint32_t words[sizeof *parameters / 4];
  memcpy(words, parameters, sizeof words);
  bool good = true;
  for (int i = 3; i < 14; i++) {
    const bool is_integer = i == 5 || i == 6 || i >= 12;
    good = good && words[i] < (is_integer ? 0x80000000u : 0x7f800000u);
  }
  const WmStatus status = good ? wm_mesh_create(context, parameters, mesh) : WM_ERROR_INVALID_ARGUMENT;
  if (status == WM_ERROR_INVALID_ARGUMENT) return fail(context, "the file's parameters are out of range");
  if (!status) (*mesh)->loading = true;
  return status;
}

static WmStatus add_tile(WmMesh *mesh, const uint8_t *bytes, size_t byte_count) {
  const WmStatus status = wm_mesh_add_tile(mesh, bytes, byte_count, NULL);
  if (status != WM_ERROR_STATE) return status;
  return fail(mesh->context, "two tiles have the same place and layer");
}

/* Fills in what Detour's formats do not say from the first tile. */
static void adopt_tile(WmMesh *mesh) {
  if (!mesh->oldest) return;
  const WmMeshTile *tile = &mesh->oldest->tile;
  WmMeshParameters *parameters = &mesh->parameters;
  parameters->agent_height = tile->agent_height;
  parameters->agent_radius = tile->agent_radius;
  parameters->agent_max_climb = tile->agent_max_climb;
  const float cell_size = tile->cells_per_unit > 0 ? 1.0f / tile->cells_per_unit : 0;
  if (isfinite(cell_size)) parameters->cell_size = cell_size;
}

/* ---- Reading ------------------------------------------------------------------------------------------ */

/* The place of a single tile is its own bounds, wherever it says it is in its grid. */
static WmStatus read_tile(Reader *reader, WmMesh **mesh) {
  WmTileHeader header;
  WmTileSections at;
  WmStatus status = wm_tile_check_header(reader->context, reader->bytes, reader->left, &header, &at);
  if (status) return status;
  WmMeshParameters parameters = {.tile_count_x = 1, .tile_count_z = 1};
  const float width = header.bounds_max[0] - header.bounds_min[0];
  const float depth = header.bounds_max[2] - header.bounds_min[2];
  parameters.tile_width = width > 0 ? width : 1.0f;
  parameters.tile_depth = depth > 0 ? depth : 1.0f;
  parameters.origin[0] = header.bounds_min[0] - (float)header.x * parameters.tile_width;
  parameters.origin[1] = header.bounds_min[1];
  parameters.origin[2] = header.bounds_min[2] - (float)header.z * parameters.tile_depth;
  status = create_mesh(reader->context, &parameters, mesh);
  return status ? status : add_tile(*mesh, reader->bytes, reader->left);
}

static WmStatus read_set(Reader *reader, WmMesh **mesh) {
  SetHeader header;
  WmStatus status = take_record(reader, &header, sizeof header);
  if (!status) status = check_version(reader, header.version);
  if (status) return status;
  if (header.tile_count < 0 || header.tile_count > header.max_tiles) {
    return fail_number(reader->context, "the set cannot have ", header.tile_count, " tiles");
  }
  WmMeshParameters parameters = {.detour_max_tiles = header.max_tiles,
                                 .detour_max_polygons = header.max_polygons};
  memcpy(parameters.origin, header.grid, sizeof header.grid); /* with the tile's size */
  status = create_mesh(reader->context, &parameters, mesh);
  for (int32_t i = 0; i < header.tile_count && !status; i++) {
    SetRecord record;
    reader->part++;
    status = take_record(reader, &record, sizeof record);
    if (status) return status;
    if (record.reference == 0 || record.byte_count <= 0) {
      return fail_number(reader->context, "tile ", i, " of the set is empty");
    }
    const uint8_t *bytes = take(reader, (uint32_t)record.byte_count);
    status = bytes ? add_tile(*mesh, bytes, (size_t)record.byte_count) : WM_ERROR_CORRUPT;
  }
  return status ? status : finish_reading(reader);
}

static WmStatus read_section(Reader *section, uint32_t kind, WmMesh **mesh) {
  WmContext *context = section->context;
  const uint32_t number = section->part;
  WmStatus status;
  if (kind == KIND_PARAMETERS && number == 1) {
    WmMeshParameters parameters;
    status = take_record(section, &parameters, sizeof parameters);
    if (!status) status = finish_reading(section);
    return status ? status : create_mesh(context, &parameters, mesh);
  }
  if (kind == KIND_CONFIGURATION && number == 2) {
    return wm_mesh_set_configuration(*mesh, (const char *)section->bytes, section->left);
  }
  if (kind != KIND_TILE || number == 1) {
    return fail_number(context, "part ", number, " of the file is of a wrong kind");
  }
  TilePlace place;
  status = take_record(section, &place, sizeof place);
  if (!status) status = add_tile(*mesh, section->bytes, section->left);
  if (status) return status;
  const WmMeshTile *tile = &(*mesh)->newest->tile;
  if (place.x == tile->x && place.z == tile->z && place.layer == tile->layer) return WM_OK;
  return fail_number(context, "part ", number, " of the file has a wrong place");
}

static WmStatus read_walkmesh(Reader *reader, WmMesh **mesh) {
  WmContext *context = reader->context;
  const uint8_t *bytes = reader->bytes;
  const size_t byte_count = reader->left;
  FileHeader header;
  WmStatus status = take_record(reader, &header, sizeof header);
  if (!status) status = check_version(reader, header.version);
  if (status) return status;
  if (header.byte_count != byte_count) {
    return fail_number(context, "the file has ", (double)byte_count, " bytes, not what it says");
  }
  const size_t end = byte_count - CHECKSUM_BYTES;
  const uint64_t sum = checksum(bytes, end);
  if (byte_count % 8 != 0 || reader->left < CHECKSUM_BYTES || memcmp(&sum, bytes + end, sizeof sum) != 0) {
    return fail(context, "the file's checksum is wrong: it has been altered");
  }
  reader->left -= CHECKSUM_BYTES;
  for (uint32_t i = 0; i < header.section_count && !status; i++) {
    SectionHeader section;
    reader->part++;
    status = take_record(reader, &section, sizeof section);
    if (status) return status;
    const uint8_t *content = take(reader, section.byte_count);
    if (!content) return WM_ERROR_CORRUPT;
    take(reader, reader->left % 8); /* zeros: what is left was a multiple of 8 */
    Reader inside = {context, content, (size_t)section.byte_count, reader->part};
    status = read_section(&inside, section.kind, mesh);
  }
  if (!status) status = finish_reading(reader);
  return status || *mesh ? status : fail(context, "the file has no parameters");
}

WmStatus wm_mesh_read(WmContext *context, const uint8_t *bytes, size_t byte_count, WmMesh **out) {
  WmMesh *mesh = NULL;
  WmStatus status = WM_OK;
  const WmFormat format = wm_format_detect(bytes, byte_count);
  Reader reader = {context, bytes, byte_count, 0};
  if (format == WM_FORMAT_UNKNOWN) {
    status = fail(context, byte_count == 0
                               ? "the file is empty"
                               : "the file is neither .walkmesh nor a tile or set of Detour (DNAV, MSET)");
  } else if (format == WM_FORMAT_WALKMESH) {
    status = read_walkmesh(&reader, &mesh);
  } else {
    status = format == WM_FORMAT_TILE ? read_tile(&reader, &mesh) : read_set(&reader, &mesh);
    if (!status) adopt_tile(mesh);
  }
  if (!status) {
    wm_mesh_finish_loading(mesh);
  } else {
    wm_mesh_destroy(mesh);
    mesh = NULL;
  }
  *out = mesh;
  return status;
}

/* ---- Writing ------------------------------------------------------------------------------------------ */

/* Appends to a block, or only counts while there is none: each format is written twice. */
typedef struct Writer {
  uint8_t *bytes;
  size_t at, total; /* total: 0 while counting */
} Writer;

static void put(Writer *writer, const void *source, size_t byte_count) {
  if (writer->bytes && byte_count) memcpy(writer->bytes + writer->at, source, byte_count);
  writer->at += byte_count;
}

/* A section of a head, which may be empty, and the rest. */
static void put_section(Writer *writer, uint32_t kind, const void *head, size_t head_bytes, const void *rest,
                        size_t rest_bytes) {
  static const uint8_t ZEROS[8] = {0};
  const SectionHeader header = {.kind = kind, .byte_count = head_bytes + rest_bytes};
  put(writer, &header, sizeof header);
  put(writer, head, head_bytes);
  put(writer, rest, rest_bytes);
  put(writer, ZEROS, (0 - writer->at) & 7);
}

static void write_walkmesh(const WmMesh *mesh, Writer *writer) {
  const uint32_t sections = (uint32_t)(1 + (mesh->configuration_length > 0) + mesh->tile_count);
  const FileHeader header = {WALKMESH_MAGIC, FILE_VERSION, sections, writer->total};
  put(writer, &header, sizeof header);
  put_section(writer, KIND_PARAMETERS, &mesh->parameters, sizeof mesh->parameters, NULL, 0);
  if (mesh->configuration_length) {
    put_section(writer, KIND_CONFIGURATION, mesh->configuration, mesh->configuration_length, NULL, 0);
  }
  for (const WmTileRecord *record = mesh->oldest; record; record = record->newer) {
    const WmMeshTile *tile = &record->tile;
    const TilePlace place = {tile->x, tile->z, tile->layer, 0};
    put_section(writer, KIND_TILE, &place, sizeof place, tile->bytes, tile->byte_count);
  }
  const uint64_t sum = writer->bytes ? checksum(writer->bytes, writer->at) : 0;
  put(writer, &sum, sizeof sum);
}

/* Bits for numbers below `count`, which is at least 1. */
static uint32_t bits_for(uint32_t count) {
  uint32_t bits = 0;
  for (count--; count; count >>= 1) bits++;
  return bits;
}

/* References can name as many tiles and polygons as the set was made with, if that does, and else as many as
 * there are. */
static WmStatus write_set(const WmMesh *mesh, Writer *writer) {
  const WmMeshParameters *parameters = &mesh->parameters;
  uint32_t tiles = mesh->tile_count ? (uint32_t)mesh->tile_count : 1, polygons = 1;
  for (const WmTileRecord *record = mesh->oldest; record; record = record->newer) {
    if (record->tile.polygon_count > polygons) polygons = record->tile.polygon_count;
  }
  const uint32_t former_tiles = (uint32_t)parameters->detour_max_tiles;
  const uint32_t former_polygons = (uint32_t)parameters->detour_max_polygons;
  const uint32_t more_tiles = former_tiles > tiles ? former_tiles : tiles;
  const uint32_t more_polygons = former_polygons > polygons ? former_polygons : polygons;
  if (bits_for(more_tiles) + bits_for(more_polygons) <= SET_REFERENCE_BITS) {
    tiles = more_tiles;
    polygons = more_polygons;
  }
  const uint32_t polygon_bits = bits_for(polygons), bits = bits_for(tiles) + polygon_bits;
  if (bits > SET_REFERENCE_BITS) {
    return wm_fail_range(mesh->context, WM_ERROR_LIMIT, "tiles", tiles, NAN,
                         UINT32_C(1) << (SET_REFERENCE_BITS - polygon_bits),
                         "a Detour set cannot name all polygons: write .walkmesh instead");
  }
  SetHeader header = {.magic = SET_MAGIC,
                      .version = FILE_VERSION,
                      .tile_count = (int32_t)mesh->tile_count,
                      .max_tiles = (int32_t)tiles,
                      .max_polygons = (int32_t)polygons};
  memcpy(header.grid, parameters, sizeof header.grid);
  put(writer, &header, sizeof header);
  uint32_t reference = UINT32_C(1) << bits;
  for (const WmTileRecord *record = mesh->oldest; record; record = record->newer) {
    const SetRecord head = {reference, (int32_t)record->tile.byte_count};
    put(writer, &head, sizeof head);
    put(writer, record->tile.bytes, record->tile.byte_count);
    reference += UINT32_C(1) << polygon_bits;
  }
  return WM_OK;
}

static WmStatus write_tile(const WmMesh *mesh, Writer *writer) {
  if (mesh->tile_count != 1) {
    return wm_fail_number(mesh->context, WM_ERROR_LIMIT, "tiles", "the mesh has ", (double)mesh->tile_count,
                          " tiles: DNAV holds one; write a set or .walkmesh instead");
  }
  put(writer, mesh->oldest->tile.bytes, mesh->oldest->tile.byte_count);
  return WM_OK;
}

static WmStatus write_format(const WmMesh *mesh, WmFormat format, Writer *writer) {
  switch (format) {
    case WM_FORMAT_WALKMESH: write_walkmesh(mesh, writer); return WM_OK;
    case WM_FORMAT_TILE: return write_tile(mesh, writer);
    case WM_FORMAT_SET: return write_set(mesh, writer);
    default:
      return wm_fail_number(mesh->context, WM_ERROR_INVALID_ARGUMENT, "format", "format ", format,
                            " cannot be written");
  }
}

WmStatus wm_mesh_write(const WmMesh *mesh, WmFormat format, uint8_t **bytes, size_t *byte_count) {
  *bytes = NULL;
  *byte_count = 0;
  Writer writer = {0};
  const WmStatus status = write_format(mesh, format, &writer);
  if (status) return status;
  writer = (Writer){wm_block_allocate(mesh->context, writer.at), 0, writer.at};
  if (!writer.bytes) return WM_ERROR_OUT_OF_MEMORY;
  write_format(mesh, format, &writer);
  *bytes = writer.bytes;
  *byte_count = writer.at;
  return WM_OK;
}
