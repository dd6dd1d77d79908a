/* Reads dynamic meshes. See saved_state.h; the layout is in saved_state_internal.h.
 *
 * The parts are read in order, and each count is compared with the rest of the bytes. Their contents are
 * checked by the functions that check the same data from a caller. */
#include "dynamic/state/saved_state.h"

#include <float.h>
#include <string.h>

#include "base/heap.h"
#include "base/number.h"
#include "base/vector.h"
#include "dynamic/state/saved_state_internal.h"
#include "mesh/formats/formats.h"

typedef struct Reader {
  WmContext *context;
  const uint8_t *bytes;
  size_t left;
  WmSavedHead head;
  WmConfig config;
  const uint8_t *grid; /* [tile_count] */
  WmMesh *mesh;
  WmDynamic *dynamic;
} Reader;

static WmStatus fail(const Reader *reader, const char *what) {
  return wm_fail(reader->context, WM_ERROR_CORRUPT, "file", what);
}

/* Turns the failure of a part into WM_ERROR_CORRUPT of the file, except for a lack of memory. */
static WmStatus blame(const Reader *reader, WmStatus status, const char *what) {
  const bool is_of_file = status && status != WM_ERROR_OUT_OF_MEMORY && status != WM_ERROR_CORRUPT;
  return is_of_file ? fail(reader, what) : status;
}

/* Returns the next items and skips them; NULL if the file is cut. */
static const uint8_t *next_items(Reader *reader, uint64_t count, size_t item_bytes) {
  const uint8_t *bytes = reader->bytes;
  if (count > reader->left / item_bytes) {
    fail(reader, "the file is cut");
    return NULL;
  }
  reader->bytes += count * item_bytes;
  reader->left -= (size_t)count * item_bytes;
  return bytes;
}

static bool read_item(Reader *reader, void *item, size_t byte_count) {
  const uint8_t *bytes = next_items(reader, 1, byte_count);
  if (bytes) memcpy(item, bytes, byte_count);
  return bytes != NULL;
}

/* ---- Head --------------------------------------------------------------------------------------------- */

static WmStatus read_config(Reader *reader) {
  const WmSavedHead *head = &reader->head;
  WmConfig *config = &reader->config;
  *config = wm_config_default();
  for (int i = 0; i < WM_SAVED_FIELD_COUNT; i++) {
    const WmConfigField *field = &WM_CONFIG_FIELDS[i];
    const bool is_switch = field->kind == WM_FIELD_SWITCH;
    if (is_switch && head->fields[i] > 1) return fail(reader, "the configuration is out of range");
    memcpy((char *)config + field->offset, &head->fields[i], is_switch ? 1 : 4);
  }
  config->heights = (int32_t)head->heights;
  config->has_bounds = true;
  config->bounds_above = (head->options & WM_STATE_ABOVE) != 0;
  memcpy(config->bounds_min, head->bounds_min, sizeof head->bounds_min);
  memcpy(config->bounds_max, head->bounds_max, sizeof head->bounds_max);
  return WM_OK;
}

static WmStatus read_head(Reader *reader) {
  const uint8_t *file = reader->bytes;
  const size_t byte_count = reader->left;
  WmSavedHead *head = &reader->head;
  if (!read_item(reader, head, sizeof *head)) return WM_ERROR_CORRUPT;
  if (head->magic != WM_STATE_MAGIC) return fail(reader, "the file is no dynamic mesh");
  if (head->version != WM_STATE_VERSION) {
    return wm_fail_number(reader->context, WM_ERROR_CORRUPT, "file", "the file has version ", head->version,
                          ": only 1 can be read");
  }
  uint64_t sum = 0;
  if (head->byte_count == byte_count && byte_count % 8 == 0 && reader->left >= sizeof sum) {
    memcpy(&sum, file + byte_count - sizeof sum, sizeof sum);
    reader->left -= sizeof sum;
    if (sum == wm_file_checksum(file, byte_count - sizeof sum)) return read_config(reader);
  }
  return fail(reader, "the length or the checksum is wrong: the file was cut or altered");
}

/* ---- The bake's input --------------------------------------------------------------------------------- */

/* Reads a volume, its outline into scratch memory. */
static WmStatus read_volume(Reader *reader, WmAreaVolume *volume) {
  WmSavedVolume saved;
  if (!read_item(reader, &saved, sizeof saved)) return WM_ERROR_CORRUPT;
  const bool is_prism = saved.kind == WM_AREA_VOLUME_PRISM;
  if (saved.before_erosion > 1 || (saved.vertex_count && !is_prism)) {
    return fail(reader, "a volume is out of range");
  }
  const uint8_t *vertices = next_items(reader, saved.vertex_count, 3 * sizeof(float));
  if (!vertices) return WM_ERROR_CORRUPT;
  memset(volume, 0, sizeof *volume);
  volume->kind = saved.kind;
  volume->area = saved.area;
  volume->before_erosion = saved.before_erosion;
  memcpy(volume->minimum, saved.minimum, sizeof saved.minimum);
  memcpy(volume->maximum, saved.maximum, sizeof saved.maximum);
  memcpy(volume->centre, saved.centre, sizeof saved.centre);
  memcpy(volume->half_extents, saved.half_extents, sizeof saved.half_extents);
  volume->yaw = saved.yaw;
  volume->radius = saved.radius;
  volume->height = saved.height;
  if (!is_prism) return WM_OK;
  float *outline = wm_scratch_array(reader->context, saved.vertex_count, 3 * sizeof *outline);
  if (!outline) return WM_ERROR_OUT_OF_MEMORY;
  memcpy(outline, vertices, (size_t)saved.vertex_count * 3 * sizeof *outline);
  volume->vertices = outline;
  volume->vertex_count = saved.vertex_count;
  return WM_OK;
}

static WmStatus read_volumes(Reader *reader, size_t count, WmAreaVolume **read) {
  if (count > reader->left / sizeof(WmSavedVolume)) return fail(reader, "the file is cut");
  WmAreaVolume *volumes = wm_scratch_array(reader->context, count, sizeof *volumes);
  WmStatus status = volumes ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
  const WmGrid grid = {.cell_size = 1, .cell_height = 1, .width = 1, .depth = 1};
  for (size_t i = 0; !status && i < count; i++) {
    bool touches;
    status = read_volume(reader, &volumes[i]);
    if (!status) status = wm_check_area_volume(reader->context, &grid, &volumes[i], &touches);
  }
  *read = volumes;
  return blame(reader, status, "a volume is out of range");
}

WmStatus wm_saved_volumes_read(WmContext *context, const uint8_t *bytes, size_t byte_count,
                               WmAreaVolume **volumes, size_t *count) {
  Reader reader = {.context = context, .bytes = bytes, .left = byte_count};
  uint32_t saved_count;
  *count = 0;
  if (!read_item(&reader, &saved_count, sizeof saved_count)) return WM_ERROR_CORRUPT;
  WmStatus status = read_volumes(&reader, saved_count, volumes);
  if (!status && reader.left) status = fail(&reader, "the file has bytes after its end");
  if (!status) *count = saved_count;
  return status;
}

static WmStatus read_connections(Reader *reader, WmBakeInput *input) {
  const size_t count = reader->head.connection_count;
  const uint8_t *bytes = next_items(reader, count, sizeof(WmSavedOffMesh));
  if (!bytes) return WM_ERROR_CORRUPT;
  WmOffMeshConnection *connections = wm_scratch_array(reader->context, count, sizeof *connections);
  if (!connections) return WM_ERROR_OUT_OF_MEMORY;
  for (size_t i = 0; i < count; i++) {
    WmSavedOffMesh saved;
    memcpy(&saved, bytes + i * sizeof saved, sizeof saved);
    if (saved.bidirectional > 1) return fail(reader, "a connection is out of range");
    connections[i] = (WmOffMeshConnection){.flags = saved.flags,
                                           .area = saved.area,
                                           .bidirectional = saved.bidirectional,
                                           .radius = saved.radius,
                                           .user_id = saved.user_id};
    memcpy(connections[i].start, saved.start, sizeof saved.start);
    memcpy(connections[i].end, saved.end, sizeof saved.end);
  }
  input->connections = connections;
  input->connection_count = count;
  return WM_OK;
}

static bool has_grid_of(const WmMeshParameters *parameters, const Reader *reader,
                        const WmVoxelConfig *voxels) {
  const int32_t x = parameters->tile_count_x, z = parameters->tile_count_z;
  const bool is_unknown = x == 0 && z == 0; /* a mesh may be without counts */
  if (!is_unknown && (x != voxels->tile_count_x || z != voxels->tile_count_z)) return false;
  if ((uint64_t)voxels->tile_count_x * (uint64_t)voxels->tile_count_z != reader->head.tile_count)
    return false;
  if (reader->config.tile_size && parameters->tile_width != voxels->tile_world_size) return false;
  /* By value: the origin of a mesh of former versions, or of another tool, may be minus zero. */
  return wm_is_same_point(parameters->origin, reader->head.bounds_min);
}

/* Creates the dynamic mesh for the mesh, which was read already. */
static WmStatus create_dynamic(Reader *reader) {
  const WmSavedHead *head = &reader->head;
  WmBakeInput input = {.from_kept_tiles = true, .kept_tiles_are_eroded = head->options & WM_STATE_ERODED};
  uint16_t flags[WM_AREA_COUNT];
  WmVoxelConfig voxels;
  WmStatus status =
      wm_config_to_voxels(reader->context, &reader->config, head->bounds_min, head->bounds_max, &voxels);
  if (status) return blame(reader, status, "the configuration is out of range");
  if (!has_grid_of(wm_mesh_parameters(reader->mesh), reader, &voxels)) {
    return fail(reader, "the mesh has another grid than its configuration");
  }
  reader->grid = next_items(reader, head->tile_count, 1);
  if (!reader->grid) return WM_ERROR_CORRUPT;
  WmAreaVolume *volumes = NULL;
  status = read_volumes(reader, head->volume_count, &volumes);
  input.volumes = volumes;
  input.volume_count = head->volume_count;
  if (!status) status = read_connections(reader, &input);
  if (!status &&
      (head->has_flags > 1 || head->options > (WM_STATE_ERODED | WM_STATE_LINKS | WM_STATE_ABOVE))) {
    status = fail(reader, "the flags of areas are out of range");
  }
  if (!status && head->has_flags) {
    if (!read_item(reader, flags, sizeof flags)) return WM_ERROR_CORRUPT;
    input.area_flags = flags;
  }
  if (!status) {
    status = wm_dynamic_create(reader->context, reader->mesh, &reader->config, &input, &reader->dynamic);
  }
  return blame(reader, status, "the configuration or a connection is out of range");
}

/* Reads the configuration of links, and makes the dynamic mesh generate them. */
static WmStatus read_links(Reader *reader) {
  WmSavedLinkConfig saved;
  if (!(reader->head.options & WM_STATE_LINKS)) return WM_OK;
  if (!read_item(reader, &saved, sizeof saved)) return WM_ERROR_CORRUPT;
  WmLinkConfig config = {.drop_max_height = saved.drop_max_height,
                         .jump_max_distance = saved.jump_max_distance,
                         .jump_max_up = saved.jump_max_up,
                         .jump_max_down = saved.jump_max_down,
                         .jump_peak = saved.jump_peak,
                         .climb_max_height = saved.climb_max_height,
                         .vault_max_height = saved.vault_max_height,
                         .vault_max_depth = saved.vault_max_depth,
                         .min_width = saved.min_width,
                         .min_saving = saved.min_saving,
                         .thinning = saved.thinning};
  bool is_valid = true;
  for (int i = 0; i < WM_SEGMENT_LINK_KINDS; i++) {
    is_valid &= saved.kinds[i].is_on <= 1;
    config.kinds[i] = (WmLinkKindConfig){.is_on = saved.kinds[i].is_on == 1,
                                         .area = saved.kinds[i].area,
                                         .flags = saved.kinds[i].flags,
                                         .cost_factor = saved.kinds[i].cost_factor};
  }
  if (!is_valid) return fail(reader, "the configuration of links is out of range");
  return blame(reader, wm_dynamic_generate_links(reader->dynamic, &config),
               "the configuration of links is out of range");
}

static WmStatus read_focus(Reader *reader) {
  const uint32_t count = reader->head.focus_count;
  const uint8_t *bytes = next_items(reader, count, 3 * sizeof(float));
  if (!bytes) return WM_ERROR_CORRUPT;
  float *points = wm_scratch_array(reader->context, count, 3 * sizeof *points);
  if (!points) return WM_ERROR_OUT_OF_MEMORY;
  memcpy(points, bytes, (size_t)count * 3 * sizeof *points);
  return blame(reader, wm_dynamic_set_focus(reader->dynamic, points, count), "the focus is out of range");
}

/* ---- Obstacles ---------------------------------------------------------------------------------------- */

static const char BAD_OBSTACLE[] = "an obstacle is out of range";

/* Reads the generations of all records, and the list of free ones. */
static WmStatus read_records(Reader *reader) {
  const WmSavedHead *head = &reader->head;
  WmDynamic *dynamic = reader->dynamic;
  const uint8_t *generations = next_items(reader, head->record_count, sizeof(uint32_t));
  const uint8_t *numbers = generations ? next_items(reader, head->free_count, sizeof(uint32_t)) : NULL;
  if (!numbers) return WM_ERROR_CORRUPT;
  if (head->record_count >= WM_INDEX_NONE - 1) return fail(reader, BAD_OBSTACLE);
  const WmStatus status = wm_dynamic_reserve_records(dynamic, head->record_count);
  if (status) return status;
  WmObstacleRecord *records = wm_obstacle_records(dynamic);
  for (uint32_t i = 0; i < head->record_count; i++) {
    memcpy(&records[i].generation, generations + i * sizeof(uint32_t), sizeof(uint32_t));
    records[i].first_obstacle_tile = records[i].moving = WM_INDEX_NONE;
    if (records[i].generation - 1 >= 1u << WM_OBSTACLE_GENERATION_BITS) return fail(reader, BAD_OBSTACLE);
  }
  dynamic->record_count = head->record_count;
  dynamic->sequence = head->sequence;
  uint32_t *last = &dynamic->free_record;
  for (uint32_t i = 0; i < head->free_count; i++) {
    uint32_t number;
    memcpy(&number, numbers + i * sizeof number, sizeof number);
    /* `moving` 0 marks records that are in the list already. */
    if (number >= head->record_count || records[number].moving == 0 ||
        records[number].generation >> WM_OBSTACLE_GENERATION_BITS) {
      return fail(reader, "free obstacles are out of range");
    }
    records[number].moving = 0;
    *last = number;
    last = &records[number].first_obstacle_tile;
  }
  *last = WM_INDEX_NONE;
  return WM_OK;
}

/* Reads a volume of an obstacle; its outline is a block. */
static WmStatus read_own_volume(Reader *reader, WmAreaVolume *volume) {
  WmContext *context = reader->context;
  const WmScratchMark mark = wm_scratch_mark(context);
  WmGrid grid;
  WmAreaVolume read;
  WmStatus status = read_volume(reader, &read);
  wm_baker_tile_grid(reader->dynamic->baker, 0, 0, &grid);
  if (!status) status = blame(reader, wm_check_obstacle(context, &grid, &read), BAD_OBSTACLE);
  if (!status && read.vertex_count) {
    const size_t byte_count = read.vertex_count * 3 * sizeof(float);
    float *outline = wm_block_allocate(context, byte_count);
    if (outline) memcpy(outline, read.vertices, byte_count);
    if (!outline) status = WM_ERROR_OUT_OF_MEMORY;
    read.vertices = outline;
  }
  if (!status) *volume = read;
  wm_scratch_rewind(context, mark);
  return status;
}

/* Links an obstacle to the tiles it carves in: none if it lies outside the level. */
static WmStatus place_obstacle(Reader *reader, uint32_t number) {
  WmDynamic *dynamic = reader->dynamic;
  WmObstacleRecord *record = wm_obstacle_records(dynamic) + number;
  if (!record->is_carving) return WM_OK;
  const WmScratchMark mark = wm_scratch_mark(reader->context);
  uint32_t *tiles;
  size_t count;
  WmStatus status = wm_dynamic_find_overlapped_tiles(dynamic, &record->carved, &tiles, &count);
  if (!status) status = wm_dynamic_reserve_obstacle_tiles(dynamic, 0, count);
  if (!status) wm_dynamic_link_obstacle(dynamic, number, tiles, count);
  wm_scratch_rewind(reader->context, mark);
  return blame(reader, status, BAD_OBSTACLE);
}

static WmStatus read_obstacle(Reader *reader, uint64_t *sequence) {
  WmDynamic *dynamic = reader->dynamic;
  WmSavedObstacle saved;
  if (!read_item(reader, &saved, sizeof saved)) return WM_ERROR_CORRUPT;
  if (saved.number >= dynamic->record_count || saved.options > 7 || saved.sequence <= *sequence ||
      saved.sequence > dynamic->sequence) {
    return fail(reader, BAD_OBSTACLE);
  }
  WmObstacleRecord *record = wm_obstacle_records(dynamic) + saved.number;
  const bool is_carving = saved.options & WM_SAVED_CARVING;
  const WmObstacleMotion motion = {saved.carving, saved.move_threshold, saved.time_to_rest};
  if (record->sequence != 0 || record->moving == 0 || record->generation >> WM_OBSTACLE_GENERATION_BITS ||
      !(saved.still >= 0 && saved.still <= FLT_MAX) || !wm_are_within(saved.before, 3, FLT_MAX) ||
      wm_check_motion(reader->context, &motion) ||
      motion.carving == (is_carving ? WM_CARVING_NEVER : WM_CARVING_ALWAYS)) {
    return fail(reader, BAD_OBSTACLE);
  }
  record->sequence = *sequence = saved.sequence;
  record->motion = motion;
  record->rest_time = saved.still;
  record->is_carving = is_carving;
  memcpy(record->previous_position, saved.before, sizeof saved.before);
  dynamic->live_count++;
  dynamic->mobile_count += motion.carving != WM_CARVING_ALWAYS;
  /* The record owns each volume as soon as it was read, so that a failure leaks nothing. */
  WmStatus status = read_own_volume(reader, &record->original);
  if (!status && !(saved.options & WM_SAVED_SAME_VOLUME)) {
    status = read_own_volume(reader, &record->volume);
  } else {
    record->volume = record->original;
  }
  if (!status && !(saved.options & WM_SAVED_SAME_CARVED)) {
    status = read_own_volume(reader, &record->carved);
  } else if (!status) {
    record->carved = record->volume;
  }
  return status ? status : place_obstacle(reader, saved.number);
}

/* Reads the moving obstacles: each that doesn't carve, once. */
static WmStatus read_moving(Reader *reader, uint32_t expected) {
  WmDynamic *dynamic = reader->dynamic;
  const uint32_t count = reader->head.moving_count;
  const uint8_t *bytes = next_items(reader, count, sizeof(WmSavedMoving));
  if (!bytes) return WM_ERROR_CORRUPT;
  if (count != expected) return fail(reader, "moving obstacles are out of range");
  const WmStatus status = wm_dynamic_reserve_moving(dynamic, 0);
  for (uint32_t i = 0; !status && i < count; i++) {
    WmSavedMoving saved;
    memcpy(&saved, bytes + i * sizeof saved, sizeof saved);
    if (saved.number >= dynamic->record_count) return fail(reader, "moving obstacles are out of range");
    const WmObstacleRecord *record = wm_obstacle_records(dynamic) + saved.number;
    if (record->sequence == 0 || record->is_carving || record->moving != WM_INDEX_NONE ||
        !wm_are_within(saved.velocity, 3, FLT_MAX)) {
      return fail(reader, "moving obstacles are out of range");
    }
    wm_dynamic_add_to_moving(dynamic, saved.number);
    WmMovingObstacle *moving = dynamic->moving.items;
    memcpy(moving[i].velocity, saved.velocity, sizeof saved.velocity);
  }
  return status;
}

static WmStatus read_obstacles(Reader *reader) {
  WmDynamic *dynamic = reader->dynamic;
  uint64_t sequence = 0;
  uint32_t moving = 0;
  WmStatus status = read_records(reader);
  for (uint32_t i = 0; !status && i < reader->head.live_count; i++) status = read_obstacle(reader, &sequence);
  if (status) return status;
  WmObstacleRecord *records = wm_obstacle_records(dynamic);
  for (uint32_t i = 0; i < dynamic->record_count; i++) {
    if (records[i].moving == 0) records[i].moving = WM_INDEX_NONE;
    moving += records[i].sequence != 0 && !records[i].is_carving;
  }
  return read_moving(reader, moving);
}

/* ---- Tiles -------------------------------------------------------------------------------------------- */

static WmStatus read_tiles(Reader *reader) {
  WmDynamic *dynamic = reader->dynamic;
  const uint32_t count = reader->head.tile_count;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t byte_count;
    if (reader->grid[i] == 0) continue;
    if (reader->grid[i] > (dynamic->links ? 7 : 3) || !(reader->grid[i] & WM_SAVED_KEPT)) {
      return fail(reader, "the grid of tiles is out of range");
    }
    if (!read_item(reader, &byte_count, sizeof byte_count)) return WM_ERROR_CORRUPT;
    const uint8_t *bytes = next_items(reader, byte_count, 1);
    if (!bytes) return WM_ERROR_CORRUPT;
    const int32_t x = (int32_t)i % dynamic->columns, z = (int32_t)i / dynamic->columns;
    const WmStatus status = wm_dynamic_keep_tile(dynamic, x, z, bytes, byte_count, true);
    if (status) return blame(reader, status, "a tile is out of range");
  }
  /* wm_dynamic_keep_tile has made tiles with obstacles dirty: restore the saved queue. */
  wm_heap_clear(dynamic->queue.items);
  dynamic->dirty_count = 0;
  for (uint32_t i = 0; i < count; i++) dynamic->tiles[i].is_dirty = false;
  wm_dynamic_accept_links(dynamic);
  const WmStatus status = wm_dynamic_reserve_queue(dynamic, count);
  for (uint32_t i = 0; !status && i < count; i++) {
    if (reader->grid[i] & WM_SAVED_DIRTY_LINKS) wm_dynamic_mark_links(dynamic, i);
    if (!(reader->grid[i] & WM_SAVED_DIRTY)) continue;
    wm_dynamic_mark(dynamic, i);
    wm_dynamic_mark_links_around(dynamic, i); /* obstacles that it wasn't built with block its air already */
  }
  return status;
}

/* ---- All ---------------------------------------------------------------------------------------------- */

static WmStatus read_mesh(Reader *reader) {
  const uint64_t byte_count = reader->head.mesh_bytes;
  const uint8_t *bytes = next_items(reader, byte_count, 1);
  if (!bytes) return WM_ERROR_CORRUPT;
  if (wm_format_detect(bytes, (size_t)byte_count) != WM_FORMAT_WALKMESH)
    return fail(reader, "the file has no mesh");
  return wm_mesh_read(reader->context, bytes, (size_t)byte_count, &reader->mesh);
}

WmStatus wm_dynamic_read(WmContext *context, const uint8_t *bytes, size_t byte_count, WmMesh **mesh,
                         WmDynamic **dynamic) {
  Reader reader = {.context = context, .bytes = bytes, .left = byte_count};
  *mesh = NULL;
  *dynamic = NULL;
  const WmScratchMark mark = wm_scratch_mark(context);
  WmStatus status = read_head(&reader);
  if (!status) status = read_mesh(&reader);
  if (!status) status = create_dynamic(&reader);
  if (!status) status = read_links(&reader);
  if (!status) status = read_focus(&reader);
  if (!status) status = read_obstacles(&reader);
  if (!status) status = read_tiles(&reader);
  if (!status && reader.left > 7) status = fail(&reader, "the file has bytes after its end");
  wm_scratch_rewind(context, mark);
  if (status) {
    wm_dynamic_destroy(reader.dynamic);
    wm_mesh_destroy(reader.mesh);
    return status;
  }
  *mesh = reader.mesh;
  *dynamic = reader.dynamic;
  return WM_OK;
}
