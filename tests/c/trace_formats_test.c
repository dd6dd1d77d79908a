/* Golden traces of everything that reads bytes (trace.h): files of every format, tiles, kept tiles, saved dynamic
 * meshes and tile caches, each with one word changed at a time, are read, or refused with the same status, field and
 * message as ever. Of files with a checksum, it is made right again, so that later checks must find the change. */
#include "detour_cache_sets.h"
#include "dynamic/detour_cache/detour_cache.h"
#include "dynamic/obstacles/motion.h"
#include "dynamic/state/saved_state.h"
#include "dynamic_world.h"
#include "grid_tiles.h"
#include "harness.h"
#include "trace.h"

typedef void (*Reader)(WmContext *context, const uint8_t *bytes, size_t byte_count);

typedef struct File {
  uint8_t *bytes; /* malloc'ed */
  size_t byte_count;
} File;

/* Takes over a block. */
static File copy_block(WmContext *context, uint8_t *block, size_t byte_count) {
  const File file = {malloc(byte_count), byte_count};
  memcpy(file.bytes, block, byte_count);
  wm_block_free(context, block);
  return file;
}

/* ---- Readers ------------------------------------------------------------------------------------------ */

static void read_mesh(WmContext *context, const uint8_t *bytes, size_t byte_count) {
  WmMesh *mesh = (WmMesh *)(void *)&mesh; /* set to NULL on failure */
  trace_status(context, wm_mesh_read(context, bytes, byte_count, &mesh));
  trace_number(mesh != NULL);
  if (mesh) trace_number(hash_mesh(mesh));
  wm_mesh_destroy(mesh);
}

static void check_tile(WmContext *context, const uint8_t *bytes, size_t byte_count) {
  trace_status(context, wm_tile_check(context, bytes, byte_count));
}

static void read_dynamic(WmContext *context, const uint8_t *bytes, size_t byte_count) {
  WmMesh *mesh = (WmMesh *)(void *)&mesh; /* both are set to NULL on failure */
  WmDynamic *dynamic = (WmDynamic *)(void *)&dynamic;
  const WmStatus status = wm_dynamic_read(context, bytes, byte_count, &mesh, &dynamic);
  trace_status(context, status);
  if (status) CHECK(!mesh && !dynamic);
  if (!status) trace_number(wm_dynamic_dirty_count(dynamic));
  wm_dynamic_destroy(dynamic);
  wm_mesh_destroy(mesh);
}

static void read_cache(WmContext *context, const uint8_t *bytes, size_t byte_count) {
  WmDetourCache *cache = (WmDetourCache *)(void *)&cache; /* set to NULL on failure */
  const WmStatus status = wm_detour_cache_read(context, bytes, byte_count, &cache);
  trace_status(context, status);
  if (status) CHECK(!cache);
  if (status) return;
  const WmDetourCacheSummary *summary = wm_detour_cache_summary(cache);
  TRACE(*summary);
  for (int32_t z = 0; z < summary->tile_count_z && z < 3; z++) {
    for (int32_t x = 0; x < summary->tile_count_x && x < 3; x++) {
      uint8_t *kept = (uint8_t *)&kept;
      size_t kept_bytes = 77;
      trace_status(context, wm_detour_cache_keep_tile(cache, x, z, &kept, &kept_bytes));
      trace_number(kept_bytes);
      if (kept) trace_fold(kept, kept_bytes);
      wm_block_free(context, kept);
    }
  }
  wm_detour_cache_destroy(cache);
}

static WmDynamic *keeper;
static const WmMesh *keeper_mesh;

/* A kept tile is decoded when its tile is built. */
static void keep_tile(WmContext *context, const uint8_t *bytes, size_t byte_count) {
  const WmStatus status = wm_dynamic_keep_tile(keeper, 0, 0, bytes, byte_count, false);
  trace_status(context, status);
  if (status) return;
  WmTileChange change;
  trace_status(context, wm_dynamic_step(keeper, &change));
  const WmMeshTile *tile = wm_mesh_find_tile(keeper_mesh, 0, 0, 0);
  if (tile) trace_fold(tile->bytes, tile->byte_count);
}

/* Makes the checksum right again, and in a file that was cut the size, too. Returns the bytes that remain. */
static size_t mend(uint8_t *bytes, size_t byte_count, Reader read) {
  if (read != read_dynamic) return fuzz_mend_file(bytes, byte_count);
  byte_count &= ~(size_t)7;
  if (byte_count < 64) return byte_count;
  const uint64_t sum = wm_file_checksum(bytes, byte_count - 8);
  memcpy(bytes + byte_count - 8, &sum, sizeof sum);
  return byte_count;
}

/* ---- Changes ------------------------------------------------------------------------------------------ */

/* Every `stride`-th word becomes each of these; and the file ends at some words. */
static void change_words(WmContext *context, const File *file, size_t stride, Reader read) {
  uint8_t *copy = malloc(file->byte_count);
  for (size_t at = 0; at + 4 <= file->byte_count; at += 4 * stride) {
    for (uint32_t how = 0; how < 8; how++) {
      uint32_t word;
      memcpy(copy, file->bytes, file->byte_count);
      memcpy(&word, copy + at, 4);
      const uint32_t before = word, words[] = {0,
                                               UINT32_MAX,
                                               word + 1,
                                               word - 1,
                                               word ^ 0x80000000,
                                               word + (1 << 16),
                                               word - (1 << 16),
                                               0x7fc00000};
      word = words[how];
      if (word == before) continue;
      memcpy(copy + at, &word, 4);
      const size_t byte_count = mend(copy, file->byte_count, read);
      read(context, copy, byte_count);
    }
  }
  for (size_t end = 0; end < file->byte_count; end += 1 + end / 7) {
    memcpy(copy, file->bytes, file->byte_count);
    read(context, copy, end);
    const uint64_t size = end;
    if (read == read_dynamic && end >= 64) memcpy(copy + 16, &size, sizeof size);
    read(context, copy, mend(copy, end, read));
  }
  free(copy);
}

/* A file that ends at any byte, or has more than its own: the bytes are an allocation of their own, so that AddressSanitizer
 * reports what is read behind them. */
static void trace_cuts(const char *of, WmContext *context, const File *file, Reader read) {
  char name[48];
  snprintf(name, sizeof name, "%s-cut", of);
  trace_begin(name);
  for (size_t end = 0; end <= file->byte_count + 9;
       end += end < 512 || end + 64 > file->byte_count ? 1 : 13) {
    uint8_t *copy = calloc(end + 1, 1), *exact = malloc(end ? end : 1);
    memcpy(copy, file->bytes, end < file->byte_count ? end : file->byte_count);
    for (int is_mended = 0; is_mended < 2; is_mended++) {
      const uint64_t size = end;
      if (is_mended && read == read_dynamic && end >= 64) memcpy(copy + 16, &size, sizeof size);
      const size_t left = is_mended ? mend(copy, end, read) : end;
      memcpy(exact, copy, left);
      if (left == end) read(context, exact, left);
    }
    free(copy);
    free(exact);
  }
  trace_end();
}

static void trace_file(const char *name, WmContext *context, File *file, size_t stride, Reader read) {
  trace_begin(name);
  trace_fold(file->bytes, file->byte_count);
  read(context, file->bytes, file->byte_count);
  change_words(context, file, stride, read);
  trace_end();
  trace_cuts(name, context, file, read);
  free(file->bytes);
}

/* ---- Files -------------------------------------------------------------------------------------------- */

static WmMesh *make_small_mesh(WmContext *context, int tiles) {
  WmMesh *mesh = make_grid_mesh(context);
  const WmOffMeshConnection connections[] = {
      {.start = {1, 0, 1}, .end = {6, 0, 6}, .radius = 0.6f, .flags = 1, .bidirectional = true},
      {.start = {7, 0, 2}, .end = {9, 0, 2}, .radius = 0.6f, .flags = 3, .area = 5, .user_id = 9}};
  for (int32_t i = 0; i < tiles; i++) {
    const GridTile grid = {.x = i,
                           .seed = (uint32_t)i,
                           .hole = i == 0 ? UINT32_MAX : 1,
                           .tree = true,
                           .connections = connections,
                           .connection_count = i == 0 ? 2 : 0};
    add_grid_tile(mesh, &grid);
  }
  CHECK_EQUAL_INT(wm_mesh_set_configuration(mesh, "{\"cellSize\":0.5}", 16), WM_OK);
  return mesh;
}

static void every_file_is_read_or_refused_as_it_was(void) {
  static const char *const FORMATS[] = {"", "walkmesh", "tile", "set", "set-wide"};
  for (int format = WM_FORMAT_WALKMESH; format <= WM_FORMAT_SET_WIDE; format++) {
    WmContext *context = wm_context_create(NULL);
    WmMesh *mesh = make_small_mesh(context, format == WM_FORMAT_TILE ? 1 : 2);
    uint8_t *bytes = NULL;
    size_t byte_count = 0;
    CHECK_EQUAL_INT(wm_mesh_write(mesh, (WmFormat)format, &bytes, &byte_count), WM_OK);
    File file = copy_block(context, bytes, byte_count);
    trace_file(FORMATS[format], context, &file, 1, read_mesh);
    wm_mesh_destroy(mesh);
    wm_context_destroy(context);
  }
}

static void every_tile_is_checked_as_it_was(void) {
  WmContext *context = wm_context_create(NULL);
  Scene scene = make_random_scene(5);
  WmConfig config = wm_config_default();
  config.cell_size = 0.6f;
  config.tile_size = 12;
  const WmBakeInput input = scene_input(&scene);
  WmBaker *baker = NULL;
  CHECK_EQUAL_INT(wm_baker_create(context, &config, &input, &baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_bake_tile(baker, 1, 1), WM_OK);
  WmTileData tile = wm_baker_take_tile(baker);
  CHECK(tile.byte_count > 0);
  File file = copy_block(context, tile.bytes, tile.byte_count);
  trace_file("baked-tile", context, &file, 1, check_tile);
  wm_baker_destroy(baker);
  free_scene(&scene);
  wm_context_destroy(context);
}

static void every_saved_state_is_read_or_refused_as_it_was(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_square(&world, context, 2);
  static const float OUTLINES[3][3] = {{3, 0, 3}, {3, 0, 6}, {6, 0, 6}};
  const WmAreaVolume volumes[] = {crate(4, 4),
                                  {.kind = WM_AREA_VOLUME_PRISM,
                                   .area = 4,
                                   .maximum = {0, 2, 0},
                                   .vertices = OUTLINES[0],
                                   .vertex_count = 3}};
  WmObstacle obstacle;
  for (int i = 0; i < 2; i++)
    CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &volumes[i], &obstacle), WM_OK);
  WmObstacle moving[2];
  WmObstacleMotion motion = wm_obstacle_motion_default();
  motion.carving = WM_CARVING_NEVER;
  for (int i = 0; i < 2; i++) {
    const float to[3] = {8, 0.25f, 9 + (float)i};
    CHECK_EQUAL_INT(wm_dynamic_add_moving_obstacle(world.dynamic, &volumes[0], &motion, &moving[i]), WM_OK);
    CHECK_EQUAL_INT(wm_dynamic_move_obstacles(world.dynamic, &moving[i], to, NULL, 1), WM_OK);
  }
  CHECK_EQUAL_INT(wm_dynamic_advance(world.dynamic, 0.25f), WM_OK);
  WmTileChange change;
  CHECK_EQUAL_INT(wm_dynamic_step(world.dynamic, &change), WM_OK);
  size_t moving_count;
  const WmMovingObstacle *first = wm_dynamic_moving_obstacles(world.dynamic, &moving_count);
  CHECK(moving_count == 2 && first->velocity[2] != 0);
  uint8_t *bytes = NULL;
  size_t byte_count = 0;
  CHECK_EQUAL_INT(wm_dynamic_write(world.dynamic, &bytes, &byte_count), WM_OK);
  File file = copy_block(context, bytes, byte_count);
  trace_file("dynamic", context, &file, 1, read_dynamic);
  const uint8_t *kept = wm_dynamic_kept_tile(world.dynamic, 0, 0, &byte_count);
  file = (File){malloc(byte_count), byte_count};
  memcpy(file.bytes, kept, byte_count);
  keeper = world.dynamic;
  keeper_mesh = world.mesh;
  trace_file("kept-tile", context, &file, 1, keep_tile);
  close_world(&world);
  wm_context_destroy(context);
}

static void every_tile_cache_is_read_or_refused_as_it_was(void) {
  WmContext *context = wm_context_create(NULL);
  const float origin[3] = {0, 0, 0};
  SetWriter set = begin_set(12, 0.5f, 0.25f, origin);
  add_flat_layer(&set, 0, 0, 0, 0, 63);
  add_flat_layer(&set, 1, 0, 0, 1, 63);
  add_flat_layer(&set, 0, 0, 1, 20, 7);
  File file = {set.bytes, set.byte_count};
  trace_file("tile-cache", context, &file, 1, read_cache);
  wm_context_destroy(context);
}

int main(void) {
  trace_open("formats");
  RUN(every_file_is_read_or_refused_as_it_was);
  RUN(every_tile_is_checked_as_it_was);
  RUN(every_saved_state_is_read_or_refused_as_it_was);
  RUN(every_tile_cache_is_read_or_refused_as_it_was);
  trace_close();
  return check_finish();
}
