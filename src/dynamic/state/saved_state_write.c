/* Writes dynamic meshes. See saved_state.h; the layout is in saved_state_internal.h. */
#include <string.h>

#include "base/sort.h"
#include "dynamic/state/saved_state_internal.h"
#include "mesh/formats/formats.h"

/* Everything is written twice: first without a block, to count the bytes. */
typedef struct Writer {
  uint8_t *bytes;
  size_t at;
} Writer;

/* Appends bytes.
 * in         source: NULL for zeros */
static void put(Writer *writer, const void *source, size_t byte_count) {
  if (writer->bytes && byte_count) {
    if (source) {
      memcpy(writer->bytes + writer->at, source, byte_count);
    } else {
      memset(writer->bytes + writer->at, 0, byte_count);
    }
  }
  writer->at += byte_count;
}

static void put_volume(Writer *writer, const WmAreaVolume *volume) {
  const bool is_prism = volume->kind == WM_AREA_VOLUME_PRISM;
  WmSavedVolume saved = {.kind = volume->kind,
                         .area = volume->area,
                         .before_erosion = volume->before_erosion,
                         .vertex_count = is_prism ? (uint32_t)volume->vertex_count : 0};
  memcpy(saved.minimum, volume->minimum, sizeof saved.minimum);
  memcpy(saved.maximum, volume->maximum, sizeof saved.maximum);
  memcpy(saved.centre, volume->centre, sizeof saved.centre);
  memcpy(saved.half_extents, volume->half_extents, sizeof saved.half_extents);
  saved.yaw = volume->yaw;
  saved.radius = volume->radius;
  saved.height = volume->height;
  put(writer, &saved, sizeof saved);
  put(writer, volume->vertices, (size_t)saved.vertex_count * 3 * sizeof(float));
}

static void put_volumes(Writer *writer, const WmAreaVolume *volumes, size_t count) {
  const uint32_t saved_count = (uint32_t)count;
  put(writer, &saved_count, sizeof saved_count);
  for (size_t i = 0; i < count; i++) put_volume(writer, volumes + i);
}

WmStatus wm_saved_volumes_write(WmContext *context, const WmAreaVolume *volumes, size_t count,
                                uint8_t **bytes, size_t *byte_count) {
  Writer writer = {NULL, 0};
  put_volumes(&writer, volumes, count);
  *byte_count = 0;
  *bytes = wm_block_allocate(context, writer.at);
  if (!*bytes) return WM_ERROR_OUT_OF_MEMORY;
  writer = (Writer){*bytes, 0};
  put_volumes(&writer, volumes, count);
  *byte_count = writer.at;
  return WM_OK;
}

static void put_connection(Writer *writer, const WmOffMeshConnection *connection) {
  WmSavedOffMesh saved = {.flags = connection->flags,
                          .area = connection->area,
                          .bidirectional = connection->bidirectional,
                          .radius = connection->radius,
                          .user_id = connection->user_id};
  memcpy(saved.start, connection->start, sizeof saved.start);
  memcpy(saved.end, connection->end, sizeof saved.end);
  put(writer, &saved, sizeof saved);
}

static void put_obstacle(Writer *writer, const WmObstacleRecord *record, uint32_t number) {
  const bool is_given = wm_volumes_are_equal(&record->original, &record->volume);
  const bool is_carved = wm_volumes_are_equal(&record->volume, &record->carved);
  WmSavedObstacle saved = {
      .number = number,
      .options = (uint32_t)(record->is_carving * WM_SAVED_CARVING + is_given * WM_SAVED_SAME_VOLUME +
                            is_carved * WM_SAVED_SAME_CARVED),
      .sequence = record->sequence,
      .carving = record->motion.carving,
      .move_threshold = record->motion.move_threshold,
      .time_to_rest = record->motion.time_to_rest,
      .still = record->rest_time};
  memcpy(saved.before, record->previous_position, sizeof saved.before);
  put(writer, &saved, sizeof saved);
  put_volume(writer, &record->original);
  if (!is_given) put_volume(writer, &record->volume);
  if (!is_carved) put_volume(writer, &record->carved);
}

/* ---- Parts -------------------------------------------------------------------------------------------- */

/* Data that is computed before anything is written. */
typedef struct Sources {
  const uint32_t *order; /* [live_count] numbers by sequence */
  uint32_t free_count;
  const uint8_t *mesh;
  size_t mesh_bytes, byte_count; /* byte_count: of the file; 0 while counting */
} Sources;

static void put_head(Writer *writer, const WmDynamic *dynamic, const Sources *sources) {
  WmSavedHead head = {.magic = WM_STATE_MAGIC,
                      .version = WM_STATE_VERSION,
                      .byte_count = sources->byte_count,
                      .mesh_bytes = sources->mesh_bytes,
                      .sequence = dynamic->sequence,
                      .tile_count = (uint32_t)dynamic->columns * (uint32_t)dynamic->rows,
                      .volume_count = (uint32_t)dynamic->input.volume_count,
                      .connection_count = (uint32_t)dynamic->input.connection_count,
                      .has_flags = dynamic->input.area_flags != NULL,
                      .focus_count = (uint32_t)dynamic->focus_count,
                      .record_count = dynamic->record_count,
                      .free_count = sources->free_count,
                      .live_count = dynamic->live_count,
                      .moving_count = dynamic->moving_count,
                      .options = (uint32_t)((dynamic->offset_radius > 0) * WM_STATE_ERODED +
                                            (dynamic->links != NULL) * WM_STATE_LINKS)};
  WmConfig config = *wm_baker_config(dynamic->baker);
  config.agent_radius = dynamic->agent_radius;
  for (int i = 0; i < WM_SAVED_FIELD_COUNT; i++) {
    const WmConfigField *field = &WM_CONFIG_FIELDS[i];
    memcpy(&head.fields[i], (const char *)&config + field->offset, field->kind == WM_FIELD_SWITCH ? 1 : 4);
  }
  head.heights = (uint32_t)config.heights;
  if (config.bounds_above || !config.has_bounds) head.options |= WM_STATE_ABOVE;
  wm_baker_bounds(dynamic->baker, head.bounds_min, head.bounds_max);
  put(writer, &head, sizeof head);
}

static void put_link_config(Writer *writer, const WmLinkConfig *config) {
  WmSavedLinkConfig saved = {.drop_max_height = config->drop_max_height,
                             .jump_max_distance = config->jump_max_distance,
                             .jump_max_up = config->jump_max_up,
                             .jump_max_down = config->jump_max_down,
                             .jump_peak = config->jump_peak,
                             .climb_max_height = config->climb_max_height,
                             .vault_max_height = config->vault_max_height,
                             .vault_max_depth = config->vault_max_depth,
                             .min_width = config->min_width,
                             .min_saving = config->min_saving,
                             .thinning = config->thinning};
  for (int i = 0; i < WM_SEGMENT_LINK_KINDS; i++) {
    saved.kinds[i].is_on = config->kinds[i].is_on;
    saved.kinds[i].area = config->kinds[i].area;
    saved.kinds[i].flags = config->kinds[i].flags;
    saved.kinds[i].cost_factor = config->kinds[i].cost_factor;
  }
  put(writer, &saved, sizeof saved);
}

static void put_input(Writer *writer, const WmDynamic *dynamic) {
  const WmBakeInput *input = &dynamic->input;
  for (size_t i = 0; i < input->volume_count; i++) put_volume(writer, &input->volumes[i]);
  for (size_t i = 0; i < input->connection_count; i++) put_connection(writer, &input->connections[i]);
  if (input->area_flags) put(writer, input->area_flags, WM_AREA_COUNT * sizeof *input->area_flags);
  if (dynamic->links) put_link_config(writer, wm_dynamic_link_config(dynamic));
  put(writer, dynamic->focus.items, dynamic->focus_count * 3 * sizeof(float));
}

/* Appends the grid; zeros for a worker mesh (tile_jobs.h), which has no tiles. */
static void put_grid(Writer *writer, const WmDynamic *dynamic) {
  const size_t count = (size_t)dynamic->columns * (size_t)dynamic->rows;
  if (!dynamic->tiles) put(writer, NULL, count);
  for (size_t i = 0; dynamic->tiles && i < count; i++) {
    const WmDynamicTile *tile = dynamic->tiles + i;
    const bool is_dirty = tile->is_dirty || tile->ticket;
    const bool has_dirty_links = wm_dynamic_has_dirty_links(dynamic, (uint32_t)i);
    const int marks = WM_SAVED_KEPT + is_dirty * WM_SAVED_DIRTY + has_dirty_links * WM_SAVED_DIRTY_LINKS;
    const uint8_t saved = tile->kept ? (uint8_t)marks : 0;
    put(writer, &saved, 1);
  }
}

/* in         order [live_count]: numbers by sequence */
static void put_obstacles(Writer *writer, const WmDynamic *dynamic, const uint32_t *order) {
  const WmObstacleRecord *records = wm_obstacle_records(dynamic);
  for (uint32_t i = 0; i < dynamic->record_count; i++) put(writer, &records[i].generation, sizeof(uint32_t));
  for (uint32_t i = dynamic->free_record; i != WM_INDEX_NONE; i = records[i].first_obstacle_tile) {
    put(writer, &i, sizeof i);
  }
  for (uint32_t i = 0; i < dynamic->live_count; i++) put_obstacle(writer, records + order[i], order[i]);
  const WmMovingObstacle *moving = dynamic->moving.items;
  for (uint32_t i = 0; i < dynamic->moving_count; i++) {
    WmSavedMoving saved = {.number = (uint32_t)(moving[i].obstacle & UINT32_MAX)};
    memcpy(saved.velocity, moving[i].velocity, sizeof saved.velocity);
    put(writer, &saved, sizeof saved);
  }
}

static void put_tiles(Writer *writer, const WmDynamic *dynamic) {
  const size_t count = dynamic->tiles ? (size_t)dynamic->columns * (size_t)dynamic->rows : 0;
  for (size_t i = 0; i < count; i++) {
    const WmDynamicTile *tile = dynamic->tiles + i;
    const uint32_t byte_count = (uint32_t)wm_dynamic_stored_bytes(tile);
    if (!tile->kept) continue;
    put(writer, &byte_count, sizeof byte_count);
    put(writer, tile->kept, byte_count);
  }
}

/* ---- All ---------------------------------------------------------------------------------------------- */

static void put_all(Writer *writer, const WmDynamic *dynamic, const Sources *sources) {
  put_head(writer, dynamic, sources);
  put(writer, sources->mesh, sources->mesh_bytes);
  put_grid(writer, dynamic);
  put_input(writer, dynamic);
  put_obstacles(writer, dynamic, sources->order);
  put_tiles(writer, dynamic);
  put(writer, NULL, (0 - writer->at) & 7);
  const uint64_t sum = writer->bytes ? wm_file_checksum(writer->bytes, writer->at) : 0;
  put(writer, &sum, sizeof sum);
}

/* Sorts the numbers of all obstacles by sequence, and counts free numbers.
 * out        *order [live_count]: in scratch memory of the caller's mark */
static WmStatus sort_obstacles(const WmDynamic *dynamic, uint32_t **order, uint32_t *free_count) {
  const WmObstacleRecord *records = wm_obstacle_records(dynamic);
  const size_t count = dynamic->live_count;
  WmSortItem *items = wm_scratch_array(dynamic->context, 2 * count, sizeof *items);
  *order = wm_scratch_array(dynamic->context, count, sizeof **order);
  if (!items || !*order) return WM_ERROR_OUT_OF_MEMORY;
  size_t found = 0;
  for (uint32_t i = 0; i < dynamic->record_count; i++) {
    if (records[i].sequence) items[found++] = (WmSortItem){(uint32_t)records[i].sequence, i};
  }
  wm_sort_stable(items, items + count, count);
  for (size_t i = 0; i < count; i++) items[i].key = (uint32_t)(records[items[i].value].sequence >> 32);
  wm_sort_stable(items, items + count, count);
  for (size_t i = 0; i < count; i++) (*order)[i] = items[i].value;
  *free_count = 0;
  for (uint32_t i = dynamic->free_record; i != WM_INDEX_NONE; i = records[i].first_obstacle_tile)
    ++*free_count;
  return WM_OK;
}

WmStatus wm_dynamic_write(const WmDynamic *dynamic, uint8_t **bytes, size_t *byte_count) {
  WmContext *context = dynamic->context;
  const WmScratchMark mark = wm_scratch_mark(context);
  uint32_t *order, free_count;
  uint8_t *mesh = NULL;
  size_t mesh_bytes = 0;
  *bytes = NULL;
  *byte_count = 0;
  WmStatus status = sort_obstacles(dynamic, &order, &free_count);
  if (!status) status = wm_mesh_write(dynamic->mesh, WM_FORMAT_WALKMESH, &mesh, &mesh_bytes);
  if (!status) {
    Sources sources = {order, free_count, mesh, mesh_bytes, 0};
    Writer writer = {NULL, 0};
    put_all(&writer, dynamic, &sources);
    sources.byte_count = writer.at;
    writer = (Writer){wm_block_allocate(context, writer.at), 0};
    status = writer.bytes ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
    if (!status) {
      put_all(&writer, dynamic, &sources);
      *bytes = writer.bytes;
      *byte_count = writer.at;
    }
  }
  wm_block_free(context, mesh);
  wm_scratch_rewind(context, mark);
  return status;
}
