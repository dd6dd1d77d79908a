/* Saved dynamic meshes: a mesh that was read continues as the one that was written, and all bytes are safe to
 * read. */
#include "dynamic/state/saved_state.h"

#include <math.h>

#include "dynamic/dynamic_internal.h"
#include "dynamic/obstacles/motion.h"
#include "dynamic/state/saved_state_internal.h"
#include "dynamic_world.h"

enum { MOST = 12 };

typedef struct Saved {
  uint8_t *bytes;
  size_t byte_count;
} Saved;

/* In a block of exactly that length. */
static Saved save(const WmDynamic *dynamic, WmContext *context) {
  Saved saved = {NULL, 0};
  uint8_t *bytes;
  CHECK_EQUAL_INT(wm_dynamic_write(dynamic, &bytes, &saved.byte_count), WM_OK);
  saved.bytes = malloc(saved.byte_count);
  memcpy(saved.bytes, bytes, saved.byte_count);
  wm_block_free(context, bytes);
  return saved;
}

static bool are_equal(Saved a, Saved b) {
  return a.byte_count == b.byte_count && memcmp(a.bytes, b.bytes, a.byte_count) == 0;
}

/* Replaces the dynamic mesh by one that is read from saved bytes. */
static void reopen(World *world, Saved saved) {
  wm_dynamic_destroy(world->dynamic);
  wm_mesh_destroy(world->mesh);
  CHECK_EQUAL_INT(
      wm_dynamic_read(world->context, saved.bytes, saved.byte_count, &world->mesh, &world->dynamic), WM_OK);
}

/* A change from a seed: the same for the same state. */
static void act(World *world, uint32_t seed) {
  WmDynamic *dynamic = world->dynamic;
  Random random = {seed * UINT64_C(77777)};
  float outline[OUTLINE][3];
  const WmAreaVolume volume = random_obstacle(&random, world, outline);
  const WmObstacleMotion motion = {.carving = random_below(&random, 3),
                                   .move_threshold = random_below(&random, 2) ? 0.5f : 0,
                                   .time_to_rest = between(&random, 0, 1)};
  WmObstacle obstacle = 0;
  for (int skip = random_below(&random, MOST); skip >= 0; skip--) {
    obstacle = wm_dynamic_next_obstacle(dynamic, obstacle);
  }
  const int what = random_below(&random, 10);
  if (what < 4 && wm_dynamic_obstacle_count(dynamic) < MOST) {
    CHECK_EQUAL_INT(wm_dynamic_add_moving_obstacle(dynamic, &volume, &motion, &obstacle), WM_OK);
  } else if (what < 7 && obstacle) {
    float position[3];
    wm_volume_position(wm_dynamic_obstacle(dynamic, obstacle), position);
    position[0] += position[0] > world->low[0] + 5 ? -0.4f : 0.4f;
    CHECK_EQUAL_INT(wm_dynamic_move_obstacles(dynamic, &obstacle, position, NULL, 1), WM_OK);
  } else if (what < 8 && obstacle) {
    CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(dynamic, obstacle), WM_OK);
  } else if (what < 9) {
    CHECK_EQUAL_INT(wm_dynamic_advance(dynamic, 0.2f), WM_OK);
  } else {
    WmTileChange change;
    CHECK_EQUAL_INT(wm_dynamic_set_focus(dynamic, volume.centre, 1), WM_OK);
    CHECK_EQUAL_INT(wm_dynamic_step(dynamic, &change), WM_OK);
  }
}

/* A level with volumes, connections and flags of its own. */
static void open_full_world(World *world, WmContext *context, uint32_t seed, WmAreaVolume volumes[2],
                            WmOffMeshConnection *connection, uint16_t flags[WM_AREA_COUNT]) {
  static const float outline[9] = {3, 0, 3, 9, 0, 4, 5, 0, 12};
  const Scene scene = make_random_scene(seed);
  volumes[0] = (WmAreaVolume){.kind = WM_AREA_VOLUME_PRISM,
                              .area = 5,
                              .minimum = {0, -1, 0},
                              .maximum = {0, 20, 0},
                              .vertices = outline,
                              .vertex_count = 3};
  volumes[1] = (WmAreaVolume){
      .kind = WM_AREA_VOLUME_SPHERE, .before_erosion = true, .centre = {12, 1, 12}, .radius = 2};
  *connection = (WmOffMeshConnection){
      .start = {2, 1, 2}, .end = {14, 1, 3}, .radius = 2, .flags = 3, .area = 4, .user_id = 77};
  for (int i = 0; i < WM_AREA_COUNT; i++) flags[i] = (uint16_t)(1 + i);
  WmBakeInput input = scene_input(&scene);
  input.volumes = volumes;
  input.volume_count = 2;
  input.connections = connection;
  input.connection_count = 1;
  input.area_flags = seed % 2 ? flags : NULL;
  open_world(world, context, scene, small_tiles((int32_t)(seed % 4)), input);
}

static void what_was_read_goes_on_as_what_was_written(void) {
  WmContext *context = wm_context_create(NULL);
  WmAreaVolume volumes[2];
  WmOffMeshConnection connection;
  uint16_t flags[WM_AREA_COUNT];
  size_t moved = 0, dirty = 0;
  for (uint32_t seed = 1; seed <= 6; seed++) {
    World world;
    open_full_world(&world, context, seed, volumes, &connection, flags);
    for (uint32_t i = 0; i < 30; i++) act(&world, 100 * seed + i);
    const Saved first = save(world.dynamic, context);
    size_t moving;
    wm_dynamic_moving_obstacles(world.dynamic, &moving);
    moved += moving;
    dirty += wm_dynamic_dirty_count(world.dynamic);
    /* Continues with the original ... */
    for (uint32_t i = 0; i < 30; i++) act(&world, 200 * seed + i);
    const Saved second = save(world.dynamic, context);
    update_all(&world);
    const Saved last = save(world.dynamic, context);
    /* ... and with the mesh that was read. */
    reopen(&world, first);
    const Saved again = save(world.dynamic, context);
    CHECK(are_equal(first, again));
    for (uint32_t i = 0; i < 30; i++) act(&world, 200 * seed + i);
    const Saved second_again = save(world.dynamic, context);
    CHECK(are_equal(second, second_again));
    update_all(&world);
    const Saved last_again = save(world.dynamic, context);
    CHECK(are_equal(last, last_again));
    CHECK(!are_equal(first, second));
    const Saved all[] = {first, second, last, again, second_again, last_again};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i].bytes);
    close_world(&world);
  }
  CHECK(moved > 5 && dirty > 5);
  wm_context_destroy(context);
}

/* Saved meshes store that their kept tiles are eroded, and the radius. */
/* A crate that fell beneath the level, one that moves there, and one that is still in it. */
static void obstacles_outside_the_level_are_read_as_they_were(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_square(&world, context, 3);
  WmAreaVolume volume = crate(5, 5);
  const WmObstacleMotion motions[3] = {{.carving = WM_CARVING_ALWAYS}, {.carving = WM_CARVING_NEVER}, {0}};
  const float beneath[3] = {5, -300, 5};
  WmObstacle obstacles[3];
  for (int i = 0; i < 3; i++) {
    CHECK_EQUAL_INT(wm_dynamic_add_moving_obstacle(world.dynamic, &volume, &motions[i], &obstacles[i]),
                    WM_OK);
    if (i < 2)
      CHECK_EQUAL_INT(wm_dynamic_move_obstacles(world.dynamic, &obstacles[i], beneath, NULL, 1), WM_OK);
  }
  update_all(&world);
  Saved first = save(world.dynamic, context);
  reopen(&world, first);
  Saved second = save(world.dynamic, context);
  CHECK(are_equal(first, second));
  for (int i = 0; i < 3; i++) {
    bool is_outside = false;
    CHECK_EQUAL_INT(wm_dynamic_is_outside(world.dynamic, obstacles[i], &is_outside), WM_OK);
    CHECK(is_outside == (i < 2));
  }
  const float home[3] = {5, 0, 5};
  CHECK_EQUAL_INT(wm_dynamic_move_obstacles(world.dynamic, &obstacles[0], home, NULL, 1), WM_OK);
  CHECK(wm_dynamic_carved_volume(world.dynamic, obstacles[0]) != NULL);
  free(first.bytes);
  free(second.bytes);
  close_world(&world);
  wm_context_destroy(context);
}

static void what_is_eroded_stays_eroded(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_square(&world, context, 2);
  WmBakeInput input = world.input;
  input.kept_tiles_are_eroded = true;
  wm_dynamic_destroy(world.dynamic);
  CHECK_EQUAL_INT(wm_dynamic_create(context, world.mesh, &world.config, &input, &world.dynamic), WM_OK);
  const WmAreaVolume volume = crate(8, 8);
  WmObstacle obstacle;
  CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &volume, &obstacle), WM_OK);
  const Saved eroded = save(world.dynamic, context);
  reopen(&world, eroded);
  const Saved again = save(world.dynamic, context);
  CHECK(are_equal(eroded, again));
  uint32_t options;
  memcpy(&options, again.bytes + 180, sizeof options);
  CHECK_EQUAL_INT(options, WM_STATE_ERODED);
  free(eroded.bytes);
  free(again.bytes);
  close_world(&world);
  wm_context_destroy(context);
}

/* The baker of eroded tiles has no radius, but saved meshes and those of workers do. */
static void eroded_tiles_need_a_radius_that_can_be_read_again(void) {
  WmContext *context = wm_context_create(NULL);
  World world;
  open_square(&world, context, 2);
  WmBakeInput input = world.input;
  input.kept_tiles_are_eroded = true;
  WmConfig config = world.config;
  config.agent_radius = 127.5f * config.cell_size;
  WmDynamic *refused;
  CHECK_EQUAL_INT(wm_dynamic_create(context, world.mesh, &config, &input, &refused), WM_ERROR_CONFIGURATION);
  CHECK(refused == NULL && strcmp(wm_context_error(context)->field, "agentRadius") == 0);
  close_world(&world);
  wm_context_destroy(context);
}

/* A small world with every kind of object. */
static Saved make_saved(WmContext *context) {
  World world;
  open_square(&world, context, 2);
  const float outline[12] = {3, 0, 3, 9, 0, 4, 5, 0, 12, 4, 0, 6};
  const WmAreaVolume prism = {
      .kind = WM_AREA_VOLUME_PRISM, .maximum = {0, 2, 0}, .vertices = outline, .vertex_count = 4};
  const WmAreaVolume cylinder = crate(12, 12);
  const WmObstacleMotion rest = {.carving = WM_CARVING_AT_REST, .move_threshold = 0.3f, .time_to_rest = 0.5f};
  WmObstacle obstacles[4];
  CHECK_EQUAL_INT(wm_dynamic_add_moving_obstacle(world.dynamic, &prism, &rest, &obstacles[0]), WM_OK);
  for (int i = 1; i < 4; i++) {
    CHECK_EQUAL_INT(wm_dynamic_add_moving_obstacle(world.dynamic, &cylinder, &rest, &obstacles[i]), WM_OK);
  }
  update_all(&world);
  const float positions[2][3] = {{6.4f, 0, 7.5f}, {8, 0, 8}};
  CHECK_EQUAL_INT(wm_dynamic_move_obstacles(world.dynamic, obstacles, positions[0], NULL, 2), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_advance(world.dynamic, 0.25f), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world.dynamic, obstacles[3]), WM_OK);
  CHECK_EQUAL_INT(wm_dynamic_set_focus(world.dynamic, positions[0], 2), WM_OK);
  const Saved saved = save(world.dynamic, context);
  close_world(&world);
  return saved;
}

static void seal(Saved saved) {
  const uint64_t sum = wm_file_checksum(saved.bytes, saved.byte_count - 8);
  memcpy(saved.bytes + saved.byte_count - 8, &sum, sizeof sum);
}

/* Reads arbitrary bytes, and continues with the resulting mesh. Returns true if they were accepted. */
static bool try_bytes(WmContext *context, const uint8_t *bytes, size_t byte_count) {
  WmMesh *mesh;
  WmDynamic *dynamic;
  const WmStatus status = wm_dynamic_read(context, bytes, byte_count, &mesh, &dynamic);
  if (status) {
    CHECK(status == WM_ERROR_CORRUPT || status == WM_ERROR_LIMIT || status == WM_ERROR_OUT_OF_MEMORY);
    CHECK(mesh == NULL && dynamic == NULL);
    return false;
  }
  WmTileChange change;
  CHECK_EQUAL_INT(wm_dynamic_advance(dynamic, 0.5f), WM_OK);
  while (wm_dynamic_dirty_count(dynamic)) CHECK_EQUAL_INT(wm_dynamic_step(dynamic, &change), WM_OK);
  for (WmObstacle obstacle; (obstacle = wm_dynamic_next_obstacle(dynamic, 0)) != 0;) {
    CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(dynamic, obstacle), WM_OK);
  }
  const WmAreaVolume volume = crate(5, 5);
  WmObstacle obstacle;
  for (int i = 0; i < 4; i++) wm_dynamic_add_obstacle(dynamic, &volume, &obstacle);
  wm_dynamic_step(dynamic, &change);
  wm_dynamic_destroy(dynamic);
  wm_mesh_destroy(mesh);
  return true;
}

static void cut_files_are_refused(void) {
  WmContext *context = wm_context_create(NULL);
  const Saved saved = make_saved(context);
  CHECK(try_bytes(context, saved.bytes, saved.byte_count));
  for (size_t length = 0; length < saved.byte_count; length++) {
    Saved cut = {malloc(length ? length : 1), length};
    memcpy(cut.bytes, saved.bytes, length);
    CHECK(!try_bytes(context, cut.bytes, length));
    /* The same bytes, with sizes and checksum of a file of this length. */
    const uint64_t told = length;
    if (length >= 184 && length % 8 == 0) {
      memcpy(cut.bytes + 16, &told, sizeof told);
      seal(cut);
      CHECK(!try_bytes(context, cut.bytes, length));
    }
    free(cut.bytes);
  }
  free(saved.bytes);
  wm_context_destroy(context);
}

/* The bytes of make_saved in November 2026: four tiles, a prism and two cylinders, one tile to be built.
 * Later versions must read them as the same mesh, and build the same tiles from the kept ones. */
static void a_file_saved_long_ago_is_read_the_same(void) {
  WmContext *context = wm_context_create(NULL);
  FILE *input = fopen("tests/golden/dynamic/saved-2026-11.bin", "rb");
  Saved old = {malloc(1 << 16), 0};
  old.byte_count = input ? fread(old.bytes, 1, 1 << 16, input) : 0;
  if (input) fclose(input);
  CHECK(old.byte_count > 184);
  World world = {.context = context};
  reopen(&world, old);
  CHECK_EQUAL_INT(wm_dynamic_obstacle_count(world.dynamic), 3);
  const Saved again = save(world.dynamic, context);
  CHECK(are_equal(old, again));
  uint64_t hashes[3] = {hash_mesh(world.mesh), 0, 0};
  CHECK(wm_dynamic_dirty_count(world.dynamic) > 0);
  update_all(&world);
  hashes[1] = hash_mesh(world.mesh);
  for (WmObstacle obstacle; (obstacle = wm_dynamic_next_obstacle(world.dynamic, 0)) != 0;) {
    CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world.dynamic, obstacle), WM_OK);
  }
  update_all(&world);
  hashes[2] = hash_mesh(world.mesh);
  static const uint64_t EXPECTED[3] = {UINT64_C(2478078236971911526), UINT64_C(4957934852031120064),
                                       UINT64_C(9093055797749223667)};
  for (int i = 0; i < 3; i++) CHECK_EQUAL_INT(hashes[i], EXPECTED[i]);
  free(old.bytes);
  free(again.bytes);
  close_world(&world);
  wm_context_destroy(context);
}

/* A file with wrong contents fails with an error of the file, no matter which function detects it. */
static void each_wrong_part_is_an_error_of_the_file(void) {
  WmContext *context = wm_context_create(NULL);
  const Saved saved = make_saved(context);
  WmSavedHead head;
  memcpy(&head, saved.bytes, sizeof head);
  size_t first_switch = 0, cell_size = 0;
  for (int i = WM_SAVED_FIELD_COUNT; i-- > 0;) {
    if (WM_CONFIG_FIELDS[i].kind == WM_FIELD_SWITCH) first_switch = offsetof(WmSavedHead, fields[i]);
    if (WM_CONFIG_FIELDS[i].offset == offsetof(WmConfig, cell_size))
      cell_size = offsetof(WmSavedHead, fields[i]);
  }
  CHECK(head.volume_count == 0 && head.connection_count == 0 && head.has_flags == 0 && head.focus_count == 2);
  const size_t grid = sizeof head + head.mesh_bytes, focus = grid + head.tile_count;
  const size_t generations = focus + 24, free_numbers = generations + 4 * (size_t)head.record_count;
  const size_t obstacle = free_numbers + 4 * (size_t)head.free_count;
  const struct {
    size_t offset;
    uint32_t value;
  } CASES[] = {
      {0, 0},
      {offsetof(WmSavedHead, version), 2},
      {first_switch, 2},
      {cell_size, 0x7fc00000},
      {cell_size, 0xbf800000},
      {offsetof(WmSavedHead, bounds_min), 0x3f800000},
      {offsetof(WmSavedHead, tile_count), head.tile_count + 1},
      {offsetof(WmSavedHead, volume_count), 1u << 30},
      {offsetof(WmSavedHead, connection_count), 1u << 30},
      {offsetof(WmSavedHead, has_flags), 2},
      {offsetof(WmSavedHead, focus_count), 1u << 30},
      {offsetof(WmSavedHead, record_count), 1u << 30},
      {offsetof(WmSavedHead, moving_count), head.moving_count + 1},
      {offsetof(WmSavedHead, options), WM_STATE_ABOVE << 1},
      {grid, 0xffffffff},
      {focus, 0x7fc00000},
      {generations, 0},
      {free_numbers, head.record_count},
      {obstacle + offsetof(WmSavedObstacle, options), 8},
      {obstacle + offsetof(WmSavedObstacle, number), head.record_count},
      {obstacle + offsetof(WmSavedObstacle, still), 0xbf800000},
      {obstacle + sizeof(WmSavedObstacle), 99},
  };
  Saved altered = {malloc(saved.byte_count), saved.byte_count};
  for (size_t i = 0; i < 2 * (sizeof CASES / sizeof *CASES); i++) {
    memcpy(altered.bytes, saved.bytes, saved.byte_count);
    memcpy(altered.bytes + CASES[i / 2].offset, &CASES[i / 2].value, 4);
    if (i % 2) seal(altered); /* else the checksum is wrong as well */
    WmMesh *mesh = NULL;
    WmDynamic *dynamic = NULL;
    const WmStatus status = wm_dynamic_read(context, altered.bytes, altered.byte_count, &mesh, &dynamic);
    CHECK_EQUAL_INT(status, WM_ERROR_CORRUPT);
    CHECK(mesh == NULL && dynamic == NULL);
    CHECK_EQUAL_INT(wm_context_error(context)->status, WM_ERROR_CORRUPT);
    if (strcmp(wm_context_error(context)->field, "file") != 0) {
      printf("case %zu names \"%s\"\n", i, wm_context_error(context)->field);
      CHECK(false);
    }
  }
  free(altered.bytes);
  free(saved.bytes);
  wm_context_destroy(context);
}

static void altered_files_are_refused_or_sound(void) {
  WmContext *context = wm_context_create(NULL);
  const Saved saved = make_saved(context);
  Saved altered = {malloc(saved.byte_count), saved.byte_count};
  const uint8_t masks[] = {0x01, 0x80, 0xff};
  int taken = 0;
  for (size_t at = 0; at < saved.byte_count; at++) {
    for (size_t i = 0; i < sizeof masks; i++) {
      memcpy(altered.bytes, saved.bytes, saved.byte_count);
      altered.bytes[at] ^= masks[i];
      CHECK(!try_bytes(context, altered.bytes, saved.byte_count)); /* the checksum is wrong */
      seal(altered);
      taken += try_bytes(context, altered.bytes, saved.byte_count);
    }
  }
  CHECK(taken > 0); /* moved a little, with another threshold */
  Random random = {3};
  for (int i = 0; i < CHECK_ROUNDS(3000); i++) {
    memcpy(altered.bytes, saved.bytes, saved.byte_count);
    for (int k = 1 + random_below(&random, 4); k > 0; k--) {
      const size_t at = 4 * (size_t)random_below(&random, (uint32_t)(saved.byte_count / 4));
      const uint32_t words[] = {0,          1,          UINT32_MAX,           0x7f800000,
                                0x7fc00000, 0x4b000000, random_bits(&random), 2};
      memcpy(altered.bytes + at, &words[random_below(&random, 8)], 4);
    }
    seal(altered);
    try_bytes(context, altered.bytes, saved.byte_count);
  }
  free(altered.bytes);
  free(saved.bytes);
  wm_context_destroy(context);
}

static void no_memory_while_saving_and_reading_is_an_error(void) {
  WmContext *plain = wm_context_create(NULL);
  const Saved saved = make_saved(plain);
  wm_context_destroy(plain);
  bool was_refused = true;
  int n = 0;
  for (; was_refused; n++) {
    FailingAllocator memory = {INT32_MAX};
    const WmAllocator allocator = {failing_allocate, failing_release, &memory};
    WmContext *context = wm_context_create(&allocator);
    WmMesh *mesh;
    WmDynamic *dynamic;
    memory.left = n;
    const WmStatus read = wm_dynamic_read(context, saved.bytes, saved.byte_count, &mesh, &dynamic);
    CHECK(read == WM_OK || read == WM_ERROR_OUT_OF_MEMORY);
    uint8_t *bytes = NULL;
    size_t byte_count = 0;
    const WmStatus written = read ? read : wm_dynamic_write(dynamic, &bytes, &byte_count);
    CHECK(written == WM_OK || written == WM_ERROR_OUT_OF_MEMORY);
    was_refused = written != WM_OK;
    if (written) CHECK(bytes == NULL && byte_count == 0);
    if (!written) CHECK(byte_count == saved.byte_count && memcmp(bytes, saved.bytes, byte_count) == 0);
    wm_block_free(context, bytes);
    if (!read) {
      wm_dynamic_destroy(dynamic);
      wm_mesh_destroy(mesh);
    }
    wm_context_destroy(context);
    CHECK(n < 1000);
  }
  CHECK(n > 20);
  free(saved.bytes);
}

/* Padding between the fields of a volume is ignored. */
static void volumes_are_equal_whatever_lies_between_their_fields(void) {
  const float outline[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
  WmAreaVolume volumes[2];
  for (int i = 0; i < 2; i++) {
    WmAreaVolume *volume = &volumes[i];
    memset(volume, i ? 0xff : 0, sizeof *volume);
    volume->kind = WM_AREA_VOLUME_CYLINDER;
    volume->area = 0;
    volume->before_erosion = true;
    for (int axis = 0; axis < 3; axis++) {
      volume->minimum[axis] = volume->maximum[axis] = volume->half_extents[axis] = 0;
      volume->centre[axis] = 2;
    }
    volume->yaw = 0;
    volume->radius = 3;
    volume->height = 4;
    volume->vertices = outline[0];
    volume->vertex_count = 3;
  }
  CHECK(wm_volumes_are_equal(&volumes[0], &volumes[1]));
  volumes[1].height = 5;
  CHECK(!wm_volumes_are_equal(&volumes[0], &volumes[1]));
}

int main(void) {
  RUN(what_was_read_goes_on_as_what_was_written);
  RUN(obstacles_outside_the_level_are_read_as_they_were);
  RUN(what_is_eroded_stays_eroded);
  RUN(eroded_tiles_need_a_radius_that_can_be_read_again);
  RUN(cut_files_are_refused);
  RUN(a_file_saved_long_ago_is_read_the_same);
  RUN(each_wrong_part_is_an_error_of_the_file);
  RUN(altered_files_are_refused_or_sound);
  RUN(no_memory_while_saving_and_reading_is_an_error);
  RUN(volumes_are_equal_whatever_lies_between_their_fields);
  return check_finish();
}
