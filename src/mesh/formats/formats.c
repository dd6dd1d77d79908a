/* Reading files of navigation meshes. See formats.h; layouts are in formats_internal.h.
 *
 * References in files are not kept: ours are wider. They are held against what the set says of them, because
 * a file that contradicts itself was not written by Detour. */
#include "mesh/formats/formats.h"

#include <math.h>
#include <stddef.h>

#include "base/number.h"
#include "mesh/links/connections.h"
#include "mesh/formats/formats_internal.h"
#include "mesh/mesh_internal.h"

static WmStatus fail(WmContext *context, const char *message) {
  return wm_fail(context, WM_ERROR_CORRUPT, "file", message);
}

static WmStatus fail_number(WmContext *context, const char *before, double number, const char *after) {
  return wm_fail_number(context, WM_ERROR_CORRUPT, "file", before, number, after);
}

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

WmFormat wm_format_detect(const uint8_t *bytes, size_t byte_count) {
  uint64_t magic = 0;
  if (byte_count) memcpy(&magic, bytes, byte_count < sizeof magic ? byte_count : sizeof magic);
  if (magic == WM_FILE_MAGIC) return WM_FORMAT_WALKMESH;
  if ((uint32_t)magic == WM_TILE_MAGIC) return WM_FORMAT_TILE;
  if ((uint32_t)magic != WM_SET_MAGIC) return WM_FORMAT_UNKNOWN;
  /* Nothing in a set tells how wide its references are but where its first tile begins. */
  const size_t narrow = WM_SET_HEADER_BYTES + WM_SET_HEAD_BYTES;
  const size_t wide = WM_SET_HEADER_BYTES + WM_SET_WIDE_HEAD_BYTES;
  const bool is_wide = byte_count >= wide + 4 && read_word(bytes + narrow) != WM_TILE_MAGIC &&
                       read_word(bytes + wide) == WM_TILE_MAGIC;
  return is_wide ? WM_FORMAT_SET_WIDE : WM_FORMAT_SET;
}

uint64_t wm_file_checksum(const uint8_t *bytes, size_t byte_count) {
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
  uint32_t part, part_count; /* tile or section in hand, from 1, the header being 0; how many there are */
  WmFormat format;
  WmMeshParameters parameters;
  WmMesh *mesh;
  /* Of a set: how its references are cut, and the slots they name, to find those named twice. */
  uint32_t tile_bits, polygon_bits;
  WmSortItem *slots; /* [parts] and as many behind, for sorting */
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

/* Whether a parameter is finite and not negative, by its bits; -0 is 0. */
static bool is_usable(uint32_t word, bool is_integer) {
  return is_integer ? word <= INT32_MAX : word < 0x7f800000u || word == 0x80000000u;
}

/* A mesh that lays out its links when all tiles are there. */
static WmStatus create_mesh(Reader *reader) {
  const uint8_t *words = (const uint8_t *)&reader->parameters;
  const uint32_t integers = 0x3060; /* a bit for each word */
  WmStatus status = WM_ERROR_INVALID_ARGUMENT;
  int i = 3;
  while (i < 14 && is_usable(read_word(words + 4 * i), integers >> i & 1)) i++;
  if (i == 14) status = wm_mesh_create(reader->context, &reader->parameters, &reader->mesh);
  if (status == WM_ERROR_INVALID_ARGUMENT) {
    return fail(reader->context, OUT_OF_RANGE);
  }
  if (!status) reader->mesh->loading = true;
  return status;
}

static WmStatus add_tile(const Reader *reader, const uint8_t *bytes, size_t byte_count) {
  WmStatus status = wm_mesh_add_tile(reader->mesh, bytes, byte_count, NULL);
  if (status == WM_ERROR_STATE) status = fail(reader->context, "two tiles have the same place and layer");
  return status ? wm_fail_in_part(reader->context, reader->part) : WM_OK;
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

/* ---- Sets --------------------------------------------------------------------------------------------- */

static bool is_wide(const Reader *reader) { return reader->format == WM_FORMAT_SET_WIDE; }

/* What the header of a set says. No more tiles are made room for than the file can hold. */
static WmStatus create_set(Reader *reader, const uint8_t *header, uint32_t count) {
  memcpy(&reader->parameters, header + 12, 5 * sizeof(float)); /* origin and the tile's size */
  memcpy(&reader->parameters.detour_max_tiles, header + 32, 2 * sizeof(int32_t)); /* and polygons */
  const uint32_t tiles = read_word(header + 32), polygons = read_word(header + 36);
  if (count > tiles) return fail_number(reader->context, "the set cannot have ", count, " tiles");
  if (tiles - 1 > INT32_MAX - 1 || polygons - 1 > INT32_MAX - 1) return fail(reader->context, OUT_OF_RANGE);
  const uint32_t tile_bits = wm_bits_for(tiles), polygon_bits = wm_bits_for(polygons);
  const bool fits = is_wide(reader)
                        ? tile_bits <= WM_SET_WIDE_TILE_BITS && polygon_bits <= WM_SET_WIDE_POLYGON_BITS
                        : tile_bits + polygon_bits <= WM_SET_NARROW_BITS;
  if (!fits) return fail(reader->context, "the set's references cannot name all its tiles and polygons");
  reader->tile_bits = is_wide(reader) ? WM_SET_WIDE_TILE_BITS : tile_bits;
  reader->polygon_bits = is_wide(reader) ? WM_SET_WIDE_POLYGON_BITS : polygon_bits;
  const size_t most = reader->left / WM_TILE_HEADER_BYTES + 1; /* the last may be cut */
  reader->slots = wm_scratch_array(reader->context, count < most ? count : most, 2 * sizeof(WmSortItem));
  return reader->slots ? create_mesh(reader) : WM_ERROR_OUT_OF_MEMORY;
}

/* A tile, after its reference and size. */
static WmStatus read_set_part(Reader *reader) {
  const bool wide = is_wide(reader);
  const uint8_t *head = take(reader, wide ? WM_SET_WIDE_HEAD_BYTES : WM_SET_HEAD_BYTES);
  if (!head) return WM_ERROR_CORRUPT;
  const uint64_t reference = wide ? read_long(head) : read_word(head);
  const uint32_t byte_count = read_word(head + (wide ? 8 : 4));
  const uint32_t bits = reader->tile_bits + reader->polygon_bits;
  const uint32_t slot = (uint32_t)(reference >> reader->polygon_bits) & ((1u << reader->tile_bits) - 1);
  if (reference >> bits == 0 || (reference & ((1u << reader->polygon_bits) - 1)) != 0 ||
      slot >= (uint32_t)reader->parameters.detour_max_tiles) {
    return fail_part(reader, " of the file has a wrong reference");
  }
  const uint8_t *content = take(reader, byte_count);
  if (!content) return WM_ERROR_CORRUPT;
  reader->slots[reader->part - 1] = (WmSortItem){slot, 0};
  const WmStatus status = add_tile(reader, content, byte_count);
  if (status) return status;
  const WmMeshTile *tile = &reader->mesh->newest->tile;
  if (tile->polygon_count > 1u << reader->polygon_bits) {
    return fail_part(reader, " of the file has more polygons than the set's references can name");
  }
  if (byte_count - tile->byte_count != (wide ? 4 : 0) * (uint64_t)tile->link_room) {
    return fail_part(reader, " of the file has links of another width than its references");
  }
  return WM_OK;
}

/* Whether each tile of a set has a reference of its own. */
static WmStatus check_slots(const Reader *reader) {
  WmSortItem *slots = reader->slots;
  const uint32_t count = reader->part;
  wm_sort_stable(slots, slots + count, count);
  for (uint32_t i = 1; i < count; i++) {
    if (slots[i].key == slots[i - 1].key) return fail(reader->context, "two tiles have the same reference");
  }
  return WM_OK;
}

/* ---- .walkmesh ---------------------------------------------------------------------------------------- */

/* What the header says of the rest, which loses its checksum. */
static WmStatus check_rest(Reader *reader, const uint8_t *header) {
  const size_t byte_count = reader->left + WM_FILE_HEADER_BYTES, end = byte_count - WM_CHECKSUM_BYTES;
  if (read_long(header + 16) != byte_count) {
    return fail_number(reader->context, "the file has ", (double)byte_count, " bytes, not what it says");
  }
  if (byte_count % 8 != 0 || reader->left < WM_CHECKSUM_BYTES ||
      wm_file_checksum(header, end) != read_long(header + end)) {
    return fail(reader->context, "the checksum is wrong: the file was altered");
  }
  reader->left -= WM_CHECKSUM_BYTES;
  return WM_OK;
}

static WmStatus read_connection(const Reader *reader, const uint8_t *bytes, uint32_t number) {
  WmSavedConnection saved;
  memcpy(&saved, bytes, sizeof saved);
  WmConnection connection = {.radius = saved.radius,
                             .climb = saved.climb,
                             .bidirectional = saved.options & WM_SAVED_BIDIRECTIONAL,
                             .enabled = saved.options & WM_SAVED_ENABLED,
                             .area = saved.area,
                             .flags = saved.flags,
                             .user_id = saved.user_id,
                             .cost_factor = saved.cost_factor};
  memcpy(connection.start, saved.start, sizeof saved.start + sizeof saved.end);
  WmStatus status = WM_ERROR_INVALID_ARGUMENT;
  WmRef ref;
  if (saved.options < 4 && wm_are_within(saved.start, 9, WM_FARTHEST)) {
    status = wm_mesh_add_connection(reader->mesh, &connection, &ref);
  }
  if (status == WM_ERROR_INVALID_ARGUMENT) {
    status = fail_number(reader->context, "connection ", number, " is out of range");
  }
  return status ? wm_fail_in_part(reader->context, reader->part) : WM_OK;
}

static WmStatus read_connections(const Reader *reader, const uint8_t *bytes, uint64_t byte_count) {
  WmStatus status = WM_OK;
  const uint32_t count = (uint32_t)(byte_count / sizeof(WmSavedConnection));
  for (uint32_t i = 0; i < count && !status; i++) {
    status = read_connection(reader, bytes + sizeof(WmSavedConnection) * (size_t)i, i);
  }
  return status;
}

/* A section. */
static WmStatus read_section(Reader *reader) {
  const uint8_t *head = take(reader, WM_SECTION_HEAD_BYTES);
  if (!head) return WM_ERROR_CORRUPT;
  const uint64_t byte_count = read_long(head + 8), kind = read_long(head); /* zeros behind the kind */
  const uint8_t *content = take(reader, byte_count);
  if (!content) return WM_ERROR_CORRUPT;
  take(reader, reader->left % 8); /* zeros: what is left was a multiple of 8 */
  const bool is_first = reader->part == 1;
  if (is_first && kind == WM_SECTION_PARAMETERS && byte_count == sizeof reader->parameters) {
    memcpy(&reader->parameters, content, sizeof reader->parameters);
    return create_mesh(reader);
  }
  if (reader->part == 2 && kind == WM_SECTION_CONFIGURATION) {
    return wm_mesh_set_configuration(reader->mesh, (const char *)content, (size_t)byte_count);
  }
  if (!is_first && reader->part == reader->part_count && kind == WM_SECTION_CONNECTIONS &&
      byte_count % sizeof(WmSavedConnection) == 0) {
    return read_connections(reader, content, byte_count);
  }
  if (is_first || kind != WM_SECTION_TILE || byte_count < WM_TILE_PLACE_BYTES) {
    return fail_part(reader, " of the file is of a wrong kind or size");
  }
  const WmStatus status =
      add_tile(reader, content + WM_TILE_PLACE_BYTES, (size_t)byte_count - WM_TILE_PLACE_BYTES);
  if (status || memcmp(content, &reader->mesh->newest->tile.x, 3 * sizeof(int32_t)) == 0) return status;
  return fail_part(reader, " of the file has a wrong place");
}

/* ---- All ---------------------------------------------------------------------------------------------- */

/* Sets and .walkmesh: a header, and parts with a head each. */
static WmStatus read_parts(Reader *reader) {
  const bool is_set = reader->format != WM_FORMAT_WALKMESH;
  const uint8_t *header = take(reader, is_set ? WM_SET_HEADER_BYTES : WM_FILE_HEADER_BYTES);
  if (!header) return WM_ERROR_CORRUPT;
  const uint8_t *fields = header + (is_set ? 4 : 8); /* version and number of parts */
  if (read_word(fields) != WM_FILE_VERSION) {
    return fail_number(reader->context, "the file has version ", read_word(fields), ": only 1 can be read");
  }
  const uint32_t count = reader->part_count = read_word(fields + 4);
  WmStatus status = is_set ? create_set(reader, header, count) : check_rest(reader, header);
  while (!status && reader->part < count) {
    reader->part++;
    status = is_set ? read_set_part(reader) : read_section(reader);
  }
  if (!status && reader->left > 0) status = fail_part(reader, " of the file should be the last");
  if (!status && is_set) status = check_slots(reader);
  return status || reader->mesh ? status : fail(reader->context, "the file has no parameters");
}

WmStatus wm_mesh_read(WmContext *context, const uint8_t *bytes, size_t byte_count, WmMesh **out) {
  WmStatus status = WM_OK;
  const WmFormat format = wm_format_detect(bytes, byte_count);
  Reader reader = {.context = context, .bytes = bytes, .left = byte_count, .format = format};
  *out = NULL;
  if (format == WM_FORMAT_UNKNOWN) {
    return fail(context,
                byte_count ? "the file is neither .walkmesh nor DNAV nor MSET" : "the file is empty");
  }
  const WmScratchMark mark = wm_scratch_mark(context);
  status = format == WM_FORMAT_TILE ? read_tile(&reader) : read_parts(&reader);
  wm_scratch_rewind(context, mark);
  if (!status && format != WM_FORMAT_WALKMESH) status = adopt_tile(reader.mesh, format == WM_FORMAT_TILE);
  if (status) {
    wm_mesh_destroy(reader.mesh);
    return status;
  }
  wm_mesh_finish_loading(reader.mesh);
  *out = reader.mesh;
  return WM_OK;
}
