/* Reads files of navigation meshes. See formats.h; layouts are in formats_internal.h.
 *
 * References in files are not used, since ours are wider. They are compared with the set's header, because a
 * file that contradicts itself was not written by Detour. */
#include "mesh/formats/formats.h"

#include <float.h>
#include <math.h>

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
  /* Only the position of its first tile shows how wide a set's references are. */
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

/* ---- All formats -------------------------------------------------------------------------------------- */

/* The rest of a file, and the mesh that is made of it. */
typedef struct Reader {
  WmContext *context;
  const uint8_t *bytes;
  size_t left;
  uint32_t part, part_count; /* the current tile or section, from 1; 0 is the header */
  bool has_connections;      /* their section was read: only links may follow */
  WmFormat format;
  WmMeshParameters parameters;
  WmMesh *mesh;
  /* Of a set: the layout of its references, and the slots in them, to find duplicates. */
  uint32_t tile_bits, polygon_bits;
  WmSortItem *slots; /* [parts], and as many more for sorting */
} Reader;

static WmStatus fail_part(const Reader *reader, const char *what) {
  return fail_number(reader->context, "part ", reader->part, what);
}

/* Returns the next bytes and skips them; NULL if the file is cut. */
static const uint8_t *next_bytes(Reader *reader, uint64_t byte_count) {
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

/* True if a size is finite and not negative; -0 is 0. */
static bool is_size(float value) { return value >= 0 && value <= FLT_MAX; }

static bool are_in_range(const WmMeshParameters *parameters) {
  return is_size(parameters->tile_width) && is_size(parameters->tile_depth) &&
         parameters->tile_count_x >= 0 && parameters->tile_count_z >= 0 && is_size(parameters->cell_size) &&
         is_size(parameters->cell_height) && is_size(parameters->agent_height) &&
         is_size(parameters->agent_radius) && is_size(parameters->agent_max_climb) &&
         parameters->detour_max_tiles >= 0 && parameters->detour_max_polygons >= 0;
}

/* Creates a mesh that computes its flat links when all tiles were added. */
static WmStatus create_mesh(Reader *reader) {
  if (!are_in_range(&reader->parameters)) return fail(reader->context, OUT_OF_RANGE);
  WmMesh *mesh = NULL;
  const WmStatus status = wm_mesh_create(reader->context, &reader->parameters, &mesh);
  if (status == WM_ERROR_INVALID_ARGUMENT) return fail(reader->context, OUT_OF_RANGE);
  if (status) return status;
  mesh->loading = true;
  reader->mesh = mesh;
  return WM_OK;
}

static WmStatus add_tile(const Reader *reader, const uint8_t *bytes, size_t byte_count) {
  WmStatus status = wm_mesh_add_tile(reader->mesh, bytes, byte_count, NULL);
  if (status == WM_ERROR_STATE) status = fail(reader->context, "two tiles have the same place and layer");
  return status ? wm_fail_in_part(reader->context, reader->part) : WM_OK;
}

/* ---- Single tiles ------------------------------------------------------------------------------------- */

static WmStatus read_tile(Reader *reader) {
  WmMeshParameters *parameters = &reader->parameters;
  parameters->tile_width = parameters->tile_depth = 1;
  parameters->tile_count_x = parameters->tile_count_z = 1;
  const WmStatus status = create_mesh(reader);
  return status ? status : add_tile(reader, reader->bytes, reader->left);
}

/* Sets the parameters that Detour's formats don't have from the first tile. The grid of a single tile follows
 * from its bounds, at the place in its header. */
static WmStatus adopt_tile(WmMesh *mesh, bool is_single) {
  if (!mesh->oldest) return WM_OK;
  const WmMeshTile *tile = &mesh->oldest->tile;
  WmMeshParameters *parameters = &mesh->parameters;
  parameters->agent_height = tile->agent_height;
  parameters->agent_radius = tile->agent_radius;
  parameters->agent_max_climb = tile->agent_max_climb;
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

/* Reads the header of a set. Allocates memory for at most as many tiles as the file can hold. */
static WmStatus create_set(Reader *reader, const uint8_t *bytes) {
  WmSetHeader header;
  memcpy(&header, bytes, sizeof header);
  memcpy(reader->parameters.origin, header.origin, sizeof header.origin);
  reader->parameters.tile_width = header.tile_width;
  reader->parameters.tile_depth = header.tile_depth;
  reader->parameters.detour_max_tiles = (int32_t)header.max_tiles;
  reader->parameters.detour_max_polygons = (int32_t)header.max_polygons;
  const uint32_t count = header.tile_count, tiles = header.max_tiles, polygons = header.max_polygons;
  if (count > tiles) return fail_number(reader->context, "the set cannot have ", count, " tiles");
  if (tiles - 1 > INT32_MAX - 1 || polygons - 1 > INT32_MAX - 1) return fail(reader->context, OUT_OF_RANGE);
  const uint32_t tile_bits = wm_bits_for(tiles), polygon_bits = wm_bits_for(polygons);
  const bool fits = is_wide(reader)
                        ? tile_bits <= WM_SET_WIDE_TILE_BITS && polygon_bits <= WM_SET_WIDE_POLYGON_BITS
                        : tile_bits + polygon_bits <= WM_SET_NARROW_BITS;
  if (!fits) return fail(reader->context, "the set's references cannot name all its tiles and polygons");
  reader->tile_bits = is_wide(reader) ? WM_SET_WIDE_TILE_BITS : tile_bits;
  reader->polygon_bits = is_wide(reader) ? WM_SET_WIDE_POLYGON_BITS : polygon_bits;
  const size_t limit = reader->left / WM_TILE_HEADER_BYTES + 1; /* the last may be cut */
  reader->slots = wm_scratch_array(reader->context, count < limit ? count : limit, 2 * sizeof(WmSortItem));
  return reader->slots ? create_mesh(reader) : WM_ERROR_OUT_OF_MEMORY;
}

/* Reads a tile of a set: reference, size, content. */
static WmStatus read_set_part(Reader *reader) {
  const bool wide = is_wide(reader);
  const uint8_t *head = next_bytes(reader, wide ? WM_SET_WIDE_HEAD_BYTES : WM_SET_HEAD_BYTES);
  if (!head) return WM_ERROR_CORRUPT;
  const uint64_t reference = wide ? read_long(head) : read_word(head);
  const uint32_t byte_count = read_word(head + (wide ? 8 : 4));
  const uint32_t bits = reader->tile_bits + reader->polygon_bits;
  const uint32_t slot = (uint32_t)(reference >> reader->polygon_bits) & ((1u << reader->tile_bits) - 1);
  if (reference >> bits == 0 || (reference & ((1u << reader->polygon_bits) - 1)) != 0 ||
      slot >= (uint32_t)reader->parameters.detour_max_tiles) {
    return fail_part(reader, " of the file has a wrong reference");
  }
  const uint8_t *content = next_bytes(reader, byte_count);
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

/* Checks that no two tiles of a set have the same reference. */
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

/* Checks size and checksum, then excludes the checksum from the rest. */
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
  memcpy(connection.start, saved.start, sizeof saved.start);
  memcpy(connection.end, saved.end, sizeof saved.end);
  const float sizes[] = {saved.radius, saved.climb, saved.cost_factor};
  const bool is_usable = saved.options < 4 && wm_are_within(saved.start, 3, WM_FARTHEST) &&
                         wm_are_within(saved.end, 3, WM_FARTHEST) && wm_are_within(sizes, 3, WM_FARTHEST);
  WmStatus status = WM_ERROR_INVALID_ARGUMENT;
  WmRef ref;
  if (is_usable) {
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

static WmStatus read_tile_section(Reader *reader, const uint8_t *content, size_t byte_count) {
  WmSavedPlace place;
  memcpy(&place, content, sizeof place);
  const WmStatus status = add_tile(reader, content + sizeof place, byte_count - sizeof place);
  if (status) return status;
  const WmMeshTile *tile = &reader->mesh->newest->tile;
  if (place.x == tile->x && place.z == tile->z && place.layer == tile->layer) return WM_OK;
  return fail_part(reader, " of the file has a wrong place");
}

static WmStatus read_section(Reader *reader) {
  const uint8_t *bytes = next_bytes(reader, WM_SECTION_HEAD_BYTES);
  if (!bytes) return WM_ERROR_CORRUPT;
  WmSectionHead head;
  memcpy(&head, bytes, sizeof head);
  const uint64_t byte_count = head.byte_count;
  const uint32_t kind = head.zero == 0 ? head.kind : 0;
  const uint8_t *content = next_bytes(reader, byte_count);
  if (!content) return WM_ERROR_CORRUPT;
  next_bytes(reader, reader->left % 8); /* zeros: before the content the rest was a multiple of 8 */
  const bool is_first = reader->part == 1;
  if (is_first && kind == WM_SECTION_PARAMETERS && byte_count == sizeof reader->parameters) {
    memcpy(&reader->parameters, content, sizeof reader->parameters);
    return create_mesh(reader);
  }
  if (reader->part == 2 && kind == WM_SECTION_CONFIGURATION) {
    return wm_mesh_set_configuration(reader->mesh, (const char *)content, (size_t)byte_count);
  }
  const uint32_t behind = reader->part_count - reader->part;
  if (!is_first && behind == 0 && kind == WM_SECTION_LINKS) {
    const WmStatus status = wm_saved_links_read(reader->mesh, content, (size_t)byte_count);
    return status ? wm_fail_in_part(reader->context, reader->part) : WM_OK;
  }
  if (!is_first && behind <= 1 && kind == WM_SECTION_CONNECTIONS && !reader->has_connections &&
      byte_count % sizeof(WmSavedConnection) == 0) {
    reader->has_connections = true;
    return read_connections(reader, content, byte_count);
  }
  if (is_first || reader->has_connections || kind != WM_SECTION_TILE || byte_count < WM_TILE_PLACE_BYTES) {
    return fail_part(reader, " of the file is of a wrong kind or size");
  }
  return read_tile_section(reader, content, (size_t)byte_count);
}

/* ---- All ---------------------------------------------------------------------------------------------- */

/* Reads a set or .walkmesh: a header, then parts, each with a head. */
static WmStatus read_parts(Reader *reader) {
  const bool is_set = reader->format != WM_FORMAT_WALKMESH;
  const uint8_t *header = next_bytes(reader, is_set ? WM_SET_HEADER_BYTES : WM_FILE_HEADER_BYTES);
  if (!header) return WM_ERROR_CORRUPT;
  const uint8_t *fields = header + (is_set ? 4 : 8); /* version and number of parts */
  if (read_word(fields) != WM_FILE_VERSION) {
    return fail_number(reader->context, "the file has version ", read_word(fields), ": only 1 can be read");
  }
  const uint32_t count = reader->part_count = read_word(fields + 4);
  WmStatus status = is_set ? create_set(reader, header) : check_rest(reader, header);
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
