/* Tile hashes: equal hashes always mean equal bytes, for any edits; a change that can't reach a tile leaves
 * its hash the same; and the hash function separates nearly equal streams. */
#include "bake/tile/tile_hash.h"

#include <math.h>

#include "base/number.h"
#include "check.h"
#include "scene.h"

static uint32_t next_integer(uint32_t *state, uint32_t limit) {
  *state = *state * 1664525u + 1013904223u;
  return (uint32_t)(((uint64_t)(*state >> 8) * limit) >> 24);
}

static float next_real(uint32_t *state, float low, float high) {
  return low + (high - low) * (float)next_integer(state, 1 << 20) / (float)(1 << 20);
}

/* ---- The hash function ------------------------------------------------------------------------------ */

static WmContentHash hash_words(const uint32_t *words, size_t count) {
  WmContentHash hash = wm_content_hash_start();
  wm_content_hash_words(&hash, words, count);
  wm_content_hash_finish(&hash);
  return hash;
}

static void one_bit_of_the_stream_changes_half_the_bits_of_the_hash(void) {
  uint32_t words[10], state = 5, least = 128, most = 0;
  uint64_t sum = 0;
  for (int i = 0; i < 10; i++) words[i] = next_integer(&state, 1 << 24) * 977;
  const WmContentHash before = hash_words(words, 10);
  for (uint32_t bit = 0; bit < 320; bit++) {
    words[bit / 32] ^= 1u << bit % 32;
    const WmContentHash after = hash_words(words, 10);
    words[bit / 32] ^= 1u << bit % 32;
    const uint32_t changed = (uint32_t)(__builtin_popcountll(before.lanes[0] ^ after.lanes[0]) +
                                        __builtin_popcountll(before.lanes[1] ^ after.lanes[1]));
    sum += changed;
    least = changed < least ? changed : least;
    most = changed > most ? changed : most;
  }
  CHECK(sum > 320 * 62 && sum < 320 * 66);
  CHECK(least > 36 && most < 92);
}

static int compare_long(const void *a, const void *b) {
  const uint64_t *left = a, *right = b;
  return *left < *right ? -1 : *left > *right;
}

/* Points of a grid with their signs, as in levels: neither half of the hash repeats. */
static void streams_of_few_bits_never_agree(void) {
  enum { SIDE = 24, COUNT = SIDE * SIDE * SIDE * 8 };
  uint64_t *lanes[2] = {malloc(COUNT * sizeof(uint64_t)), malloc(COUNT * sizeof(uint64_t))};
  for (uint32_t i = 0; i < COUNT; i++) {
    const uint32_t at = i / 8;
    float point[4] = {(float)(at % SIDE) + 1, (float)(at / SIDE % SIDE) * 0.25f + 1, 0, 1};
    point[2] = (float)(at / SIDE / SIDE) * 0.5f + 1;
    for (int axis = 0; axis < 3; axis++) point[axis] = i >> axis & 1 ? -point[axis] : point[axis];
    WmContentHash hash = wm_content_hash_start();
    wm_content_hash_words(&hash, point, 4);
    wm_content_hash_finish(&hash);
    for (int lane = 0; lane < 2; lane++) lanes[lane][i] = hash.lanes[lane];
  }
  for (int lane = 0; lane < 2; lane++) {
    qsort(lanes[lane], COUNT, sizeof(uint64_t), compare_long);
    int repeated = 0;
    for (size_t i = 1; i < COUNT; i++) repeated += lanes[lane][i] == lanes[lane][i - 1];
    CHECK_EQUAL_INT(repeated, 0);
    free(lanes[lane]);
  }
}

static void words_count_where_they_stand(void) {
  const uint32_t words[3] = {7, 0, 7};
  const WmContentHash one = hash_words(words, 1), two = hash_words(words, 2), three = hash_words(words, 3);
  const WmContentHash turned = hash_words(words + 1, 2);
  CHECK(memcmp(&one, &two, sizeof one) == 0); /* the value in the header's contract */
  CHECK(memcmp(&two, &three, sizeof two) != 0 && memcmp(&two, &turned, sizeof two) != 0);
}

/* ---- Tiles ----------------------------------------------------------------------------------------- */

enum { VOLUMES = 4, SOLIDS = 3, CONNECTIONS = 4, MOST_TILES = 64 };

/* A level that can be edited, and memory for the bytes and hashes of its tiles. */
typedef struct Level {
  Scene scene;
  uint8_t *areas;
  uint16_t flags[WM_AREA_COUNT];
  float outline[12];
  WmAreaVolume volumes[VOLUMES];
  WmSolid solids[SOLIDS];
  WmOffMeshConnection connections[CONNECTIONS];
  WmConfig config;
} Level;

typedef struct Baked {
  WmContentHash hashes[MOST_TILES];
  uint64_t bytes[MOST_TILES]; /* their hash */
  size_t tile_count;
} Baked;

static WmBakeInput input_of(const Level *level) {
  WmBakeInput input = scene_input(&level->scene);
  input.triangles.areas = level->areas;
  input.area_flags = level->flags;
  input.volumes = level->volumes;
  input.volume_count = VOLUMES;
  input.solids = level->solids;
  input.solid_count = SOLIDS;
  input.connections = level->connections;
  input.connection_count = CONNECTIONS;
  return input;
}

static float level_side(const Level *level) { return level->config.bounds_max[0]; }

static void place(const Level *level, uint32_t *state, float point[3]) {
  point[0] = next_real(state, 0, level_side(level));
  point[1] = next_real(state, 0, 1);
  point[2] = next_real(state, 0, level_side(level));
}

static void edit_volume(Level *level, uint32_t *state) {
  WmAreaVolume *volume = &level->volumes[next_integer(state, VOLUMES)];
  const float radius = next_real(state, 0.5f, 3);
  volume->area = (uint8_t)next_integer(state, 5);
  volume->kind = (int32_t)next_integer(state, 4);
  place(level, state, volume->centre);
  for (int axis = 0; axis < 3; axis++) {
    volume->half_extents[axis] = radius;
    volume->minimum[axis] = volume->centre[axis] - radius;
    volume->maximum[axis] = volume->centre[axis] + radius;
  }
  volume->radius = radius;
  volume->height = 2;
  volume->yaw = next_real(state, 0, 3);
  volume->vertices = level->outline;
  volume->vertex_count = 4;
}

static void edit_solid(Level *level, uint32_t *state) {
  WmSolid *solid = &level->solids[next_integer(state, SOLIDS)];
  *solid = (WmSolid){.kind = (int32_t)next_integer(state, 4), .area = WM_AREA_WALKABLE, .radius = 1};
  place(level, state, solid->start);
  memcpy(solid->end, solid->start, sizeof solid->end);
  solid->end[1] += 2;
  for (int axis = 0; axis < 3; axis++) solid->half_axes[axis][axis] = next_real(state, 0.3f, 2);
}

static void edit_connection(Level *level, uint32_t *state) {
  WmOffMeshConnection *connection = &level->connections[next_integer(state, CONNECTIONS)];
  *connection = (WmOffMeshConnection){.radius = next_real(state, 0.2f, 1), .flags = 1};
  place(level, state, connection->start);
  place(level, state, connection->end);
  connection->user_id = next_integer(state, 100);
  connection->bidirectional = next_integer(state, 2) != 0;
}

/* Moves a corner of a triangle a little or far away, or replaces the whole triangle by a random one. */
static void edit_triangle(Level *level, uint32_t *state) {
  const uint32_t triangle = next_integer(state, (uint32_t)level->scene.triangle_count);
  const uint32_t *corner = level->scene.indices + 3 * (size_t)triangle;
  const float reach = next_integer(state, 4) ? 0.3f : 5;
  const float x = next_real(state, -reach, reach), z = next_real(state, -reach, reach);
  const uint32_t corners = 1 + 2 * next_integer(state, 2);
  for (uint32_t k = 0; k < corners; k++) {
    float *point = level->scene.positions + 3 * (size_t)corner[k];
    point[0] += x;
    point[1] += next_real(state, -0.2f, 0.2f);
    point[2] += z;
  }
}

static void edit_configuration(Level *level, uint32_t *state) {
  const WmConfigField *field = &WM_CONFIG_FIELDS[next_integer(state, WM_CONFIG_FIELD_COUNT)];
  if (strcmp(field->name, "tileSize") == 0 || strcmp(field->name, "cellSize") == 0) return;
  const double value = wm_config_get(&level->config, field);
  double next = field->kind == WM_FIELD_REAL ? value * next_real(state, 0.8f, 1.2f) : value + 1;
  if (field->kind == WM_FIELD_SWITCH) next = value == 0;
  if (next > field->maximum) next = field->minimum;
  wm_config_set(&level->config, field, next);
}

static void edit(Level *level, uint32_t *state) {
  switch (next_integer(state, 8)) {
    case 0: edit_volume(level, state); return;
    case 1: edit_solid(level, state); return;
    case 2: edit_connection(level, state); return;
    case 3: edit_configuration(level, state); return;
    case 4: level->areas[next_integer(state, (uint32_t)level->scene.triangle_count)] ^= 1; return;
    case 5: level->flags[next_integer(state, 6)] ^= 2; return;
    case 6: level->outline[next_integer(state, 12)] += next_real(state, -2, 2); return;
    default: edit_triangle(level, state);
  }
}

static void make_level(Level *level, uint32_t seed) {
  *level = (Level){.scene = make_random_scene(seed), .config = wm_config_default()};
  level->areas = malloc(level->scene.triangle_count);
  memset(level->areas, WM_AREA_WALKABLE, level->scene.triangle_count);
  for (int i = 0; i < WM_AREA_COUNT; i++) level->flags[i] = 1;
  float side = 1;
  for (size_t i = 0; i < 3 * level->scene.vertex_count; i++) {
    if (level->scene.positions[i] > side) side = level->scene.positions[i];
  }
  level->config.tile_size = (int32_t)(side / 0.3f / 5);
  level->config.has_bounds = true;
  level->config.bounds_min[1] = -1;
  level->config.bounds_max[0] = level->config.bounds_max[2] = side;
  level->config.bounds_max[1] = 8;
  const float outline[12] = {1, 0, 1, 1, 0, 4, 4, 0, 5, 4, 0, 1};
  memcpy(level->outline, outline, sizeof outline);
  uint32_t state = seed;
  for (int i = 0; i < 40; i++) edit_volume(level, &state);
  for (int i = 0; i < SOLIDS; i++) {
    level->solids[i] = (WmSolid){.kind = WM_SOLID_SPHERE, .radius = 1};
    place(level, &state, level->solids[i].start);
  }
  for (int i = 0; i < 40; i++) edit_connection(level, &state);
}

static void free_level(Level *level) {
  free(level->areas);
  free_scene(&level->scene);
}

static WmStatus bake(WmContext *context, const Level *level, Baked *baked) {
  WmBaker *baker;
  const WmBakeInput input = input_of(level);
  WmStatus status = wm_baker_create(context, &level->config, &input, &baker);
  if (status) return status;
  const WmVoxelConfig *voxels = wm_baker_voxels(baker);
  baked->tile_count = (size_t)voxels->tile_count_x * (size_t)voxels->tile_count_z;
  CHECK(baked->tile_count <= MOST_TILES);
  for (size_t i = 0; i < baked->tile_count && !status; i++) {
    const int32_t x = (int32_t)i % voxels->tile_count_x, z = (int32_t)i / voxels->tile_count_x;
    status = wm_baker_hash_tile(baker, x, z, &baked->hashes[i]);
    if (!status) status = wm_baker_bake_tile(baker, x, z);
    if (status) break;
    WmTileData tile = wm_baker_take_tile(baker);
    WmContentHash bytes = wm_content_hash_start();
    wm_content_hash_words(&bytes, tile.bytes, tile.byte_count / 4);
    wm_content_hash_finish(&bytes);
    baked->bytes[i] = bytes.lanes[0] + tile.byte_count;
    wm_tile_data_free(context, &tile);
  }
  wm_baker_destroy(baker);
  return status;
}

static bool are_equal(const WmContentHash *a, const WmContentHash *b) { return memcmp(a, b, sizeof *a) == 0; }

static void equal_hashes_mean_equal_bytes_over_random_edits(void) {
  uint32_t kept = 0, changed = 0, in_vain = 0;
  for (uint32_t seed = 1; seed <= (uint32_t)CHECK_ROUNDS(6); seed++) {
    WmContext *context = wm_context_create(NULL);
    Level level;
    Baked before, after;
    make_level(&level, seed);
    CHECK_EQUAL_INT(bake(context, &level, &before), WM_OK);
    uint32_t state = seed * 77;
    for (int step = 0; step < 40; step++) {
      edit(&level, &state);
      if (bake(context, &level, &after)) { /* a configuration that contradicts itself */
        const WmConfig config = wm_config_default();
        level.config.agent_max_climb = config.agent_max_climb;
        level.config.agent_height = config.agent_height;
        CHECK_EQUAL_INT(bake(context, &level, &after), WM_OK);
      }
      CHECK_EQUAL_INT(after.tile_count, before.tile_count);
      for (size_t i = 0; i < after.tile_count; i++) {
        const bool same_hash = are_equal(&before.hashes[i], &after.hashes[i]);
        const bool same_bytes = before.bytes[i] == after.bytes[i];
        if (same_hash) CHECK(same_bytes);
        kept += same_hash;
        changed += !same_bytes;
        in_vain += same_bytes && !same_hash;
      }
      before = after;
    }
    free_level(&level);
    wm_context_destroy(context);
  }
  /* All three cases occur: tiles are unchanged, tiles change, and few tiles are baked without a change (most
   * because of flags that no polygon has). */
  CHECK(kept > (uint32_t)CHECK_ROUNDS(2000) && changed > (uint32_t)CHECK_ROUNDS(500) && in_vain < kept);
}

static void what_lies_out_of_reach_does_not_change_the_hash(void) {
  WmContext *context = wm_context_create(NULL);
  Level level;
  Baked before, after;
  make_level(&level, 3);
  CHECK_EQUAL_INT(bake(context, &level, &before), WM_OK);
  /* A prop in the middle; more vertices before it, so that all indices change. */
  const size_t vertices = level.scene.vertex_count, triangles = level.scene.triangle_count;
  const float middle = level_side(&level) / 2;
  Scene scene = {malloc(12 * (vertices + 3) * sizeof(float)), malloc(3 * (triangles + 1) * sizeof(uint32_t)),
                 vertices + 3, triangles + 1};
  const float prop[9] = {middle, 0.5f, middle, middle, 0.5f, middle + 1, middle + 1, 0.5f, middle};
  memcpy(scene.positions, prop, sizeof prop);
  memcpy(scene.positions + 9, level.scene.positions, 3 * vertices * sizeof(float));
  for (uint32_t k = 0; k < 3; k++) scene.indices[k] = k;
  for (size_t k = 0; k < 3 * triangles; k++) scene.indices[k + 3] = level.scene.indices[k] + 3;
  free_scene(&level.scene);
  level.scene = scene;
  level.areas = realloc(level.areas, triangles + 1);
  level.areas[triangles] = WM_AREA_WALKABLE;
  CHECK_EQUAL_INT(bake(context, &level, &after), WM_OK);
  size_t changed = 0;
  for (size_t i = 0; i < after.tile_count; i++) {
    changed += !are_equal(&before.hashes[i], &after.hashes[i]);
    if (are_equal(&before.hashes[i], &after.hashes[i])) CHECK(before.bytes[i] == after.bytes[i]);
  }
  CHECK(changed >= 1 && changed <= 9 && after.tile_count >= 25);
  free_level(&level);
  wm_context_destroy(context);
}

/* Fields one by one, in a level with all kinds of input: the hash changes if the bytes do. */
static void every_field_of_the_configuration_counts_where_the_bytes_follow(void) {
  WmContext *context = wm_context_create(NULL);
  Level level;
  Baked before, after;
  make_level(&level, 5);
  CHECK_EQUAL_INT(bake(context, &level, &before), WM_OK);
  for (int i = 0; i < WM_CONFIG_FIELD_COUNT; i++) {
    const WmConfigField *field = &WM_CONFIG_FIELDS[i];
    if (strcmp(field->name, "tileSize") == 0 || strcmp(field->name, "cellSize") == 0) continue;
    const WmConfig kept = level.config;
    for (int step = 0; step < 3; step++) {
      const double value = wm_config_get(&kept, field);
      const double factors[3] = {0.999, 0.6, 0.3};
      double next = value * factors[step];
      if (field->kind == WM_FIELD_INTEGER) next = value + 1 - step > 0 ? value + 1 - step : 1;
      if (field->kind == WM_FIELD_SWITCH) next = value == 0;
      if (next > field->maximum) next = field->maximum;
      wm_config_set(&level.config, field, next);
      if (bake(context, &level, &after) == WM_OK) {
        for (size_t tile = 0; tile < after.tile_count; tile++) {
          if (before.bytes[tile] != after.bytes[tile]) {
            CHECK(!are_equal(&before.hashes[tile], &after.hashes[tile]));
          }
        }
      }
      level.config = kept;
    }
  }
  free_level(&level);
  wm_context_destroy(context);
}

/* This hash is stored in caches. If it changes, WM_BAKE_VERSION must change, too. The figures below may only
 * change with WM_BAKE_VERSION, or if other values are hashed. */
static void the_hash_is_pinned_to_the_version(void) {
  WmContext *context = wm_context_create(NULL);
  Scene scene = make_square(10);
  const WmBakeInput input = scene_input(&scene);
  WmConfig config = wm_config_default();
  config.tile_size = 16;
  WmBaker *baker;
  WmContentHash hash = {{0, 0}};
  CHECK_EQUAL_INT(wm_baker_create(context, &config, &input, &baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_hash_tile(baker, 1, 1, &hash), WM_OK);
  CHECK_EQUAL_INT(WM_BAKE_VERSION, 1);
  CHECK(hash.lanes[0] == UINT64_C(0x65cde4cb448345c9) && hash.lanes[1] == UINT64_C(0xa356939461e5748e));
  if (check_failures)
    printf("%016llx %016llx\n", (unsigned long long)hash.lanes[0], (unsigned long long)hash.lanes[1]);
  CHECK_EQUAL_INT(wm_baker_hash_tile(baker, 3, 0, &hash), WM_ERROR_INVALID_ARGUMENT);
  CHECK_EQUAL_INT(wm_baker_hash_tile(baker, 0, -1, &hash), WM_ERROR_INVALID_ARGUMENT);
  wm_baker_destroy(baker);
  free_scene(&scene);
  wm_context_destroy(context);
}

static void a_volume_that_cannot_be_marked_is_an_error_everywhere(void) {
  WmContext *context = wm_context_create(NULL);
  Level level;
  make_level(&level, 2);
  level.volumes[2].kind = WM_AREA_VOLUME_CYLINDER;
  level.volumes[2].radius = NAN;
  Baked baked;
  CHECK_EQUAL_INT(bake(context, &level, &baked), WM_ERROR_INVALID_ARGUMENT);
  CHECK(strcmp(wm_context_error(context)->field, "radius") == 0);
  free_level(&level);
  wm_context_destroy(context);
}

int main(void) {
  RUN(one_bit_of_the_stream_changes_half_the_bits_of_the_hash);
  RUN(streams_of_few_bits_never_agree);
  RUN(words_count_where_they_stand);
  RUN(equal_hashes_mean_equal_bytes_over_random_edits);
  RUN(what_lies_out_of_reach_does_not_change_the_hash);
  RUN(every_field_of_the_configuration_counts_where_the_bytes_follow);
  RUN(the_hash_is_pinned_to_the_version);
  RUN(a_volume_that_cannot_be_marked_is_an_error_everywhere);
  return check_finish();
}
