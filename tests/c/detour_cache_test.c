/* Tile caches of Detour: sets written by recast-navigation and by hand are read, altered ones are refused,
 * and the resulting meshes are walkable at the cells of their layers. */
#include "dynamic/detour_cache/detour_cache.h"

#include <math.h>

#include "bake/rebuild/kept_tile.h"
#include "check.h"
#include "dynamic/dynamic.h"
#include "dynamic/detour_cache/fast_lz.h"
#include "dynamic/detour_cache/detour_cache_internal.h"
#include "mesh/formats/formats.h"
#include "random_field.h"
#include "guarded_memory.h"
#include "detour_cache_sets.h"

/* A set, its mesh, and the objects that they need. */
typedef struct World {
  WmContext *context;
  WmDetourCache *cache;
  WmBaker *baker; /* of its configuration, for grids */
  WmMesh *mesh;
  WmDynamic *dynamic;
} World;

static uint8_t *read_file(const char *path, size_t *byte_count) {
  FILE *file = fopen(path, "rb");
  uint8_t *bytes = malloc(1 << 20);
  *byte_count = file ? fread(bytes, 1, 1 << 20, file) : 0;
  if (file) fclose(file);
  CHECK(*byte_count > 0);
  return bytes;
}

/* 16 layers: four tiles with four or more floors. Written by recast-navigation 0.43.1. */
static uint8_t *read_tower(size_t *byte_count) {
  return read_file("tests/golden/detour-cache/tower.tset", byte_count);
}

static void close_world(World *world) {
  wm_dynamic_destroy(world->dynamic);
  wm_mesh_destroy(world->mesh);
  wm_baker_destroy(world->baker);
  wm_detour_cache_destroy(world->cache);
}

static WmStatus keep_place(World *world, int32_t x, int32_t z) {
  uint8_t *bytes;
  size_t byte_count;
  WmStatus status = wm_detour_cache_keep_tile(world->cache, x, z, &bytes, &byte_count);
  if (!status && bytes) status = wm_dynamic_keep_tile(world->dynamic, x, z, bytes, byte_count, false);
  wm_block_free(world->context, bytes);
  return status;
}

static WmStatus update_all(World *world) {
  WmStatus status = WM_OK;
  WmTileChange change;
  while (!status && wm_dynamic_dirty_count(world->dynamic)) status = wm_dynamic_step(world->dynamic, &change);
  return status;
}

/* Runs all steps of reading a set and building its mesh. The caller closes the world after failures, too. */
static WmStatus open_world(World *world, WmContext *context, const uint8_t *bytes, size_t byte_count) {
  *world = (World){.context = context};
  WmStatus status = wm_detour_cache_read(context, bytes, byte_count, &world->cache);
  if (status) return status;
  const WmDetourCacheSummary *summary = wm_detour_cache_summary(world->cache);
  WmConfig config = wm_detour_cache_config(world->cache), without_radius = config;
  without_radius.agent_radius = 0;
  const WmBakeInput input = {.from_kept_tiles = true, .kept_tiles_are_eroded = true};
  status = wm_baker_create(context, &without_radius, &input, &world->baker);
  WmMeshParameters parameters = {.agent_radius = config.agent_radius};
  memcpy(parameters.origin, summary->bounds_min, sizeof parameters.origin);
  parameters.tile_width = parameters.tile_depth = (float)config.tile_size * config.cell_size;
  if (!status) status = wm_mesh_create(context, &parameters, &world->mesh);
  if (!status) status = wm_dynamic_create(context, world->mesh, &config, &input, &world->dynamic);
  for (int32_t z = 0; z < summary->tile_count_z; z++) {
    for (int32_t x = 0; !status && x < summary->tile_count_x; x++) status = keep_place(world, x, z);
  }
  return status ? status : update_all(world);
}

/* ---- FastLZ ------------------------------------------------------------------------------------------- */

/* A random block of a level and its decompressed bytes; returns the size of the block. */
static size_t invent_block(Random *random, int level, uint8_t *block, uint8_t *becomes, size_t *count) {
  size_t made = 0, done = 0;
  for (int left = 1 + random_below(random, random_below(random, 20) ? 30 : 600); left > 0; left--) {
    uint8_t *control = block + made;
    if (done == 0 || random_below(random, 3) == 0) {
      const size_t run = 1 + (size_t)random_below(random, 32);
      block[made++] = (uint8_t)(run - 1);
      for (size_t i = 0; i < run; i++) block[made++] = becomes[done++] = (uint8_t)random_below(random, 256);
    } else {
      /* The length is the control byte's 1 to 7, plus the bytes that follow a 7; 2 more bytes are copied. */
      size_t length = 1 + (size_t)random_below(random, 7);
      block[made++] = (uint8_t)(length << 5);
      if (length == 7) {
        int more = random_below(random, level == 2 ? 600 : 256);
        length += (size_t)more;
        for (; level == 2 && more >= 255; more -= 255) block[made++] = 255;
        block[made++] = (uint8_t)more;
      }
      const size_t farthest = done < 8191 + 65536 ? done : 8191 + 65536;
      size_t distance = 1 + (size_t)random_below(random, (int32_t)farthest);
      if (level == 1 && distance > 8192) distance = 8192;
      if (level == 2 && distance > 8191) {
        *control |= 31;
        block[made++] = 255;
        block[made++] = (uint8_t)((distance - 8192) >> 8);
        block[made++] = (uint8_t)(distance - 8192);
      } else {
        *control |= (uint8_t)((distance - 1) >> 8);
        block[made++] = (uint8_t)(distance - 1);
      }
      for (size_t i = 0; i < length + 2; i++, done++) becomes[done] = becomes[done - distance];
    }
  }
  block[0] |= (uint8_t)((level - 1) << 5);
  *count = done;
  return made;
}

static void fast_lz_becomes_what_was_meant(void) {
  Random random = {1};
  uint8_t *block = malloc(1 << 19), *becomes = malloc(1 << 19), *decoded = malloc(1 << 19);
  size_t far = 0;
  for (int round = 0; round < 4000; round++) {
    size_t count;
    const size_t length = invent_block(&random, 1 + round % 2, block, becomes, &count);
    CHECK(wm_fast_lz_decode(block, length, decoded, count));
    CHECK(memcmp(decoded, becomes, count) == 0);
    CHECK(!wm_fast_lz_decode(block, length, decoded, count + 1));
    CHECK(!wm_fast_lz_decode(block, length, decoded, count - 1));
    far += count > 9000;
  }
  CHECK(far > 5);
  CHECK(!wm_fast_lz_decode(block, 0, decoded, 0));
  const uint8_t level_3[2] = {64, 7}, before_start[5] = {0, 7, 32, 1, 0};
  CHECK(!wm_fast_lz_decode(level_3, 2, decoded, 1));
  CHECK(!wm_fast_lz_decode(before_start, 5, decoded, 5));
  free(block);
  free(becomes);
  free(decoded);
}

/* Blocks of exactly their length, so that sanitizers report reads and writes beyond their ends. */
static void cut_and_random_blocks_do_no_harm(void) {
  Random random = {2};
  uint8_t *block = malloc(1 << 19), *becomes = malloc(1 << 19);
  for (int round = 0; round < 300; round++) {
    size_t count, length = invent_block(&random, 1 + round % 2, block, becomes, &count);
    if (round % 3 == 0) {
      for (size_t i = 0; i < length; i++) block[i] = (uint8_t)random_below(&random, 256);
    }
    for (size_t cut = 0; cut < length && cut < 300; cut++) {
      uint8_t *exact = malloc(cut ? cut : 1), *decoded = malloc(count);
      memcpy(exact, block, cut);
      const bool is_sound = wm_fast_lz_decode(exact, cut, decoded, count);
      CHECK(!is_sound || round % 3 == 0);
      free(exact);
      free(decoded);
    }
  }
  free(block);
  free(becomes);
}

/* ---- Sets --------------------------------------------------------------------------------------------- */

static void a_set_of_recast_navigation_says_what_it_is(void) {
  WmContext *context = wm_context_create(NULL);
  size_t byte_count;
  uint8_t *bytes = read_tower(&byte_count);
  WmDetourCache *cache;
  CHECK(wm_is_detour_cache(bytes, byte_count));
  const WmScratchMark mark = wm_scratch_mark(context);
  CHECK_EQUAL_INT(wm_detour_cache_read(context, bytes, byte_count, &cache), WM_OK);
  CHECK(wm_scratch_mark(context) == mark);
  const WmDetourCacheSummary *summary = wm_detour_cache_summary(cache);
  CHECK_EQUAL_INT(summary->layer_count, 16);
  CHECK_EQUAL_INT(summary->place_count, 4);
  CHECK_EQUAL_INT(summary->tile_count_x, 2);
  CHECK_EQUAL_INT(summary->tile_count_z, 2);
  CHECK_EQUAL_INT(summary->tile_size, 48);
  CHECK(summary->cell_size == 0.3f && summary->cell_height == 0.2f && summary->agent_radius == 0.6f);
  CHECK(summary->bounds_min[0] == -12 && fabsf(summary->bounds_max[2] - 16.8f) < 1e-4f);
  const WmConfig config = wm_detour_cache_config(cache);
  CHECK_EQUAL_INT(wm_config_check(context, &config), WM_OK);
  wm_detour_cache_destroy(cache);
  free(bytes);
  wm_context_destroy(context);
}

/* Every truncation of a real set, in a block of exactly that size, and every changed byte of headers. */
static void cut_and_altered_sets_are_refused_or_safe(void) {
  WmContext *context = wm_context_create(NULL);
  size_t byte_count;
  uint8_t *bytes = read_tower(&byte_count);
  for (size_t cut = 0; cut < byte_count; cut++) {
    uint8_t *exact = malloc(cut ? cut : 1);
    memcpy(exact, bytes, cut);
    WmDetourCache *cache;
    CHECK_EQUAL_INT(wm_detour_cache_read(context, exact, cut, &cache), WM_ERROR_CORRUPT);
    CHECK(!cache && strcmp(wm_context_error(context)->field, "file") == 0);
    free(exact);
  }
  Random random = {3};
  int refused = 0, read = 0;
  for (int round = 0; round < 3000; round++) {
    uint8_t *exact = malloc(byte_count);
    memcpy(exact, bytes, byte_count);
    const size_t at = round < 160 ? (size_t)round : (size_t)random_below(&random, (int32_t)byte_count);
    exact[at] ^= (uint8_t)(1 + random_below(&random, 255));
    World world;
    const WmStatus status = open_world(&world, context, exact, byte_count);
    CHECK(status == WM_OK || status == WM_ERROR_CORRUPT || status == WM_ERROR_LIMIT ||
          status == WM_ERROR_UNSUPPORTED || status == WM_ERROR_CONFIGURATION);
    *(status ? &refused : &read) += 1;
    close_world(&world);
    free(exact);
    if (round == 400) round = 2700; /* each needs a bake of four tiles */
  }
  CHECK(refused > 150 && read > 100);
  free(bytes);
  wm_context_destroy(context);
}

static void check_refused(const SetWriter *set, const char *what, WmStatus expected) {
  WmContext *context = wm_context_create(NULL);
  WmDetourCache *cache;
  uint8_t *exact = malloc(set->byte_count);
  memcpy(exact, set->bytes, set->byte_count);
  CHECK_EQUAL_INT(wm_detour_cache_read(context, exact, set->byte_count, &cache), expected);
  const char *message = wm_context_error(context)->message;
  if (!strstr(message, what)) printf("\"%s\" does not say \"%s\"\n", message, what);
  CHECK(strstr(message, what) != NULL);
  free(exact);
  wm_context_destroy(context);
}

static void check_read(const SetWriter *set) {
  WmContext *context = wm_context_create(NULL);
  WmDetourCache *cache;
  CHECK_EQUAL_INT(wm_detour_cache_read(context, set->bytes, set->byte_count, &cache), WM_OK);
  wm_detour_cache_destroy(cache);
  wm_context_destroy(context);
}

/* A field of the set or of its second layer replaced by other values, one at a time. */
static void each_field_is_checked(void) {
  static const struct {
    size_t at;
    int bytes;
    double value;
    const char *what;
  } CASES[] = {
      {0, 4, 1, "no set"},
      {4, 4, 2, "version 2"},
      {8, 4, -1, "cannot have -1 layers"},
      {8, 4, 3, "part 3"},
      {8, 4, 1, "behind the layers"},
      {8, 4, 0, "has no layers"},
      {8, 4, 4000, "no room for 4000"},
      {8, 4, 5000, "cannot have 5000"},
      {12, -4, (double)NAN, "origin"},
      {48, -4, 2e9, "origin"},
      {24, -4, 3, "not as wide"},
      {28, -4, 0, "not as wide"},
      {52, -4, 0, "cells are out of range"},
      {56, -4, -1, "cells are out of range"},
      {56, -4, (double)INFINITY, "cells are out of range"},
      {60, 4, 0, "1 to 255"},
      {64, 4, 256, "1 to 255"},
      {68, -4, 0, "agentHeight is 0"},
      {72, -4, -1, "agentRadius is -1"},
      {76, -4, (double)NAN, "agentMaxClimb is"},
      {80, -4, (double)NAN, "maxEdgeError is"},
      {0x10000, 4, 0, "part 2: has no reference"},
      {0x10004, 4, 56, "part 2: is cut"},
      {0x10004, 4, -5, "part 2: is cut"},
      {0x10004, 4, 0x7fffffff, "part 2: is cut"},
      {0x10008, 4, 0x444e4156, "part 2: is no layer"},
      {0x1000c, 4, 2, "part 2: has a version"},
      {0x10010, 4, 1 << 22, "part 2: has a place"},
      {0x10014, 4, -(1 << 22), "part 2: has a place"},
      {0x10018, 4, -1, "part 2: has a place"},
      {0x10010, 4, 2, "part 2: does not lie"},
      {0x1001c, -4, (double)NAN, "part 2: has bounds"},
      {0x10020, -4, 900, "part 2: has bounds that"},
      {0x10034, 2, 1, "part 2: has limits"},
      {0x10038, 1, 9, "part 2: is not as large"},
      {0x10039, 1, 9, "part 2: is not as large"},
      {0x1003b, 1, 8, "part 2: has limits"},
      {0x1003c, 1, 8, "part 2: has limits"},
      {0x10040, 1, 96, "part 2: is not compressed"},
      {0x10040, 1, 30, "part 2: is not compressed"},
  };
  const float origin[3] = {-4, 1, 2};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    SetWriter set = begin_set(8, 0.5f, 0.25f, origin);
    add_flat_layer(&set, 0, 0, 0, 0, 63);
    const size_t second = set.byte_count;
    add_flat_layer(&set, 1, 0, 0, 0, 63);
    uint8_t *at = set.bytes + (CASES[i].at & 0xffff) + (CASES[i].at >> 16 ? second : 0);
    if (CASES[i].bytes < 0) put_float(at, (float)CASES[i].value);
    if (CASES[i].bytes == 4) put_int(at, (int32_t)CASES[i].value);
    if (CASES[i].bytes == 1 || CASES[i].bytes == 2) at[0] = (uint8_t)CASES[i].value;
    check_refused(&set, CASES[i].what, WM_ERROR_CORRUPT);
    free(set.bytes);
  }
}

/* A thousandth of 15.625 is 1/64 exactly: tiles may be that much wider or narrower than their cells. */
static void widths_at_their_tolerance_are_read(void) {
  enum { WIDTH = 24, DEPTH = 28 };
  const float origin[3] = {0, 0, 0}, cells = 15.625f, tolerance = 0.015625f;
  for (int i = 0; i < 8; i++) {
    const float side = i & 1 ? tolerance : -tolerance, world = cells + side;
    SetWriter set = begin_set(8, cells / 8, 0.25f, origin);
    add_flat_layer(&set, 0, 0, 0, 0, 63);
    put_float(set.bytes + (i & 2 ? WIDTH : DEPTH), i & 4 ? nextafterf(world, cells + 2 * side) : world);
    if (i & 4) {
      check_refused(&set, "not as wide", WM_ERROR_CORRUPT);
    } else {
      check_read(&set);
    }
    free(set.bytes);
  }
}

/* Layers may lie so far apart that the highest cell still fits into a span, at whatever height they lie. */
static void the_height_of_a_set_has_a_limit(void) {
  enum { HIGHEST = 65533 - 255 - 1 }; /* cells of a layer above the lowest one */
  for (int low = -1; low <= 1; low++) {
    const float origin[3] = {0, 4000 * (float)low, 0};
    for (int above = 0; above < 2; above++) {
      SetWriter set = begin_set(8, 0.5f, 0.25f, origin);
      add_flat_layer(&set, 0, 0, 0, 0, 63);
      add_flat_layer(&set, 0, 0, 1, HIGHEST + above, 63);
      if (above) {
        check_refused(&set, "lie 65534 cell heights apart: at most 65533", WM_ERROR_LIMIT);
      } else {
        check_read(&set);
      }
      free(set.bytes);
    }
  }
}

static void sets_beyond_limits_are_refused(void) {
  const float origin[3] = {0, 0, 0};
  SetWriter set = begin_set(8, 0.5f, 0.25f, origin);
  add_flat_layer(&set, 0, 0, 0, 0, 63);
  add_flat_layer(&set, 0, 0, 0, 20, 63);
  check_refused(&set, "same place and number", WM_ERROR_CORRUPT);
  free(set.bytes);
  set = begin_set(8, 0.5f, 0.25f, origin);
  add_flat_layer(&set, -3000, 0, 0, 0, 63);
  add_flat_layer(&set, 0, 3000, 0, 0, 63);
  check_refused(&set, "9006001 places", WM_ERROR_LIMIT);
  free(set.bytes);
  set = begin_set(8, 0.5f, 0.25f, origin);
  add_flat_layer(&set, 0, 0, 0, 0, 63);
  add_flat_layer(&set, 0, 0, 1, 65300, 63);
  check_refused(&set, "cell heights apart", WM_ERROR_LIMIT);
  free(set.bytes);
  set = begin_set(8, 0.5f, 0.25f, origin);
  add_flat_layer(&set, 0, 0, 0, 0, 64);
  check_refused(&set, "part 1: has areas above 63", WM_ERROR_CORRUPT);
  put_int(set.bytes + 64, 9);
  put_float(set.bytes + 28, 4.5f);
  check_refused(&set, "not square", WM_ERROR_UNSUPPORTED);
  free(set.bytes);
}

/* ---- Kept tiles --------------------------------------------------------------------------------------- */

/* Spans of a cell at a height, in a kept tile. */
static int count_spans_at(const WmOpenRows *rows, const uint32_t *spans, size_t cell, uint32_t least,
                          uint32_t most, uint32_t area) {
  int count = 0;
  for (uint32_t i = rows->cell_first[cell]; i < rows->cell_first[cell + 1]; i++) {
    const uint32_t floor = spans[i] & 0xffff;
    count += floor >= least && floor <= most && spans[i] >> 24 == area;
  }
  return count;
}

/* Every walkable cell of the layers is a span of the kept tile of its tile place, and every span is such a
 * cell. */
static void kept_tiles_have_the_cells_of_the_layers(void) {
  World world;
  WmContext *context = wm_context_create(NULL);
  size_t byte_count;
  uint8_t *bytes = read_tower(&byte_count), *planes = malloc(3 * 48 * 48);
  CHECK_EQUAL_INT(open_world(&world, context, bytes, byte_count), WM_OK);
  size_t expected = 0, found = 0;
  for (int32_t place = 0; place < 4; place++) {
    const int32_t tile_x = place % 2, tile_z = place / 2;
    WmGrid grid;
    WmOpenRows rows;
    size_t kept_bytes;
    const uint8_t *kept = wm_dynamic_kept_tile(world.dynamic, tile_x, tile_z, &kept_bytes);
    wm_baker_tile_grid(world.baker, tile_x, tile_z, &grid);
    CHECK_EQUAL_INT(wm_kept_tile_read(context, kept, kept_bytes, &grid, &rows), WM_OK);
    CHECK(rows.first_chunk == rows.last_chunk);
    const uint32_t *spans = rows.first_chunk->spans;
    const WmCacheLayer *layers;
    const size_t count = wm_cache_layers_at(world.cache, tile_x, tile_z, &layers);
    for (size_t i = 0; i < count; i++) {
      CHECK(wm_cache_layer_decode(world.cache, layers + i, planes));
      for (int32_t at = 0; at < 48 * 48; at++) {
        if (planes[48 * 48 + at] == 0) continue;
        const size_t cell = (size_t)(at / 48 + 3) * 54 + (size_t)(at % 48 + 3);
        const uint32_t floor = layers[i].first_floor + planes[at];
        expected++;
        CHECK_EQUAL_INT(
            count_spans_at(&rows, spans, cell, floor > 4 ? floor - 4 : 1, floor, planes[48 * 48 + at]), 1);
      }
    }
    for (int32_t at = 0; at < 48 * 48; at++) {
      const size_t cell = (size_t)(at / 48 + 3) * 54 + (size_t)(at % 48 + 3);
      found += rows.cell_first[cell + 1] - rows.cell_first[cell];
    }
    wm_open_rows_free(context, &rows);
  }
  CHECK_EQUAL_INT(found, expected);
  CHECK(expected > 4000);
  /* The mesh covers these cells: simplified edges add as much area as they remove. */
  const double area = wm_mesh_area(world.mesh), cells = (double)expected * 0.3 * 0.3;
  if (fabs(area / cells - 1) > 0.05) printf("%g square units of mesh, %g of cells\n", area, cells);
  CHECK(fabs(area / cells - 1) <= 0.05);
  close_world(&world);
  free(planes);
  free(bytes);
  wm_context_destroy(context);
}

static size_t count_links_between_tiles(const WmMesh *mesh) {
  size_t count = 0;
  for (size_t slot = 0; slot < wm_mesh_slot_count(mesh); slot++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, slot);
    for (uint32_t i = 0; tile && i < tile->link_first[tile->polygon_count]; i++) {
      count += tile->links[i].slot != slot;
    }
  }
  return count;
}

/* Forty floors one above the other, in two tiles that start at places below 0. */
static void any_number_of_layers_at_one_place(void) {
  WmContext *context = wm_context_create(NULL);
  const float origin[3] = {3, 1, -2};
  SetWriter set = begin_set(16, 0.5f, 0.25f, origin);
  for (int32_t floor = 0; floor < 40; floor++) {
    add_flat_layer(&set, -2, -1, floor, 12 * floor, (uint8_t)(floor + 1));
    add_flat_layer(&set, -1, -1, 39 - floor, 12 * floor, (uint8_t)(floor + 1));
  }
  World world;
  CHECK_EQUAL_INT(open_world(&world, context, set.bytes, set.byte_count), WM_OK);
  const WmDetourCacheSummary *summary = wm_detour_cache_summary(world.cache);
  CHECK_EQUAL_INT(summary->first_x, -2);
  CHECK_EQUAL_INT(summary->first_z, -1);
  CHECK_EQUAL_INT(summary->tile_count_x, 2);
  CHECK_EQUAL_INT(wm_mesh_tile_count(world.mesh), 2);
  for (int32_t x = 0; x < 2; x++) {
    const WmMeshTile *tile = wm_mesh_find_tile(world.mesh, x, 0, 0);
    CHECK_EQUAL_INT(tile->ground_count, 40);
    CHECK(tile->agent_radius == 0.6f);
    bool seen[41] = {false};
    for (uint32_t i = 0; i < 40; i++) {
      const float y = tile->vertices[3 * tile->polygon_vertices[6 * i] + 1];
      const int floor = (int)lroundf((y - 1) / 3);
      CHECK(fabsf(y - 1 - 3 * (float)floor) <= 0.26f);
      CHECK(floor >= 0 && floor < 40 && tile->polygon_area[i] == floor + 1);
      seen[tile->polygon_area[i] % 41] = true;
    }
    for (int area = 1; area <= 40; area++) CHECK(seen[area]);
  }
  CHECK_EQUAL_INT(count_links_between_tiles(world.mesh), 80);
  close_world(&world);
  free(set.bytes);
  wm_context_destroy(context);
}

/* A portal cell that was raised to the floor across the portal gets its clearance back; a floor that occurs
 * twice is stored once. */
static void floors_without_headroom(void) {
  WmContext *context = wm_context_create(NULL);
  const float origin[3] = {0, 0, 0};
  SetWriter set = begin_set(8, 0.5f, 0.25f, origin); /* clearance of 8 cell heights, steps of 3 */
  uint8_t heights[64] = {0}, areas[64];
  memset(areas, 63, sizeof areas);
  heights[0] = 3; /* 5 below the floor above, and up to 2 may have been added */
  heights[1] = 6;
  add_layer(&set, 0, 0, 0, 10, heights, areas);
  add_flat_layer(&set, 0, 0, 1, 20, 63);
  add_flat_layer(&set, 0, 0, 2, 20, 5);
  World world;
  CHECK_EQUAL_INT(open_world(&world, context, set.bytes, set.byte_count), WM_OK);
  size_t kept_bytes;
  WmGrid grid;
  WmOpenRows rows;
  const uint8_t *kept = wm_dynamic_kept_tile(world.dynamic, 0, 0, &kept_bytes);
  wm_baker_tile_grid(world.baker, 0, 0, &grid);
  CHECK_EQUAL_INT(wm_kept_tile_read(context, kept, kept_bytes, &grid, &rows), WM_OK);
  const uint32_t *spans = rows.first_chunk->spans;
  const size_t first = 3 * 14 + 3;
  CHECK_EQUAL_INT(rows.cell_first[first + 1] - rows.cell_first[first], 2);
  CHECK_EQUAL_INT(spans[rows.cell_first[first]] & 0xffff, 2); /* a cell below the lowest layer is 0 */
  CHECK_EQUAL_INT(spans[rows.cell_first[first]] >> 16 & 255, 8);
  CHECK_EQUAL_INT(rows.cell_first[first + 2] - rows.cell_first[first + 1], 1);
  CHECK_EQUAL_INT(rows.cell_first[first + 3] - rows.cell_first[first + 2], 2);
  wm_open_rows_free(context, &rows);
  close_world(&world);
  free(set.bytes);
  wm_context_destroy(context);
}

/* ---- Obstacles ---------------------------------------------------------------------------------------- */

/* Only the cells of its neighbour are walkable. */
static void a_tile_without_walkable_cells_is_not_kept(void) {
  WmContext *context = wm_context_create(NULL);
  SetWriter set = begin_set(16, 0.5f, 0.25f, (float[3]){0, 0, 0});
  add_flat_layer(&set, 0, 0, 0, 4, 0);
  add_flat_layer(&set, 1, 0, 0, 4, 63);
  WmDetourCache *cache;
  CHECK_EQUAL_INT(wm_detour_cache_read(context, set.bytes, set.byte_count, &cache), WM_OK);
  for (int32_t x = 0; x < 2; x++) {
    uint8_t *bytes = NULL;
    size_t byte_count = 77;
    CHECK_EQUAL_INT(wm_detour_cache_keep_tile(cache, x, 0, &bytes, &byte_count), WM_OK);
    CHECK((bytes != NULL) == (x == 1) && (byte_count > 0) == (x == 1));
    wm_block_free(context, bytes);
  }
  wm_detour_cache_destroy(cache);
  free(set.bytes);
  wm_context_destroy(context);
}

static uint64_t hash_mesh(const WmMesh *mesh) {
  uint8_t *bytes = NULL;
  size_t byte_count = 0;
  CHECK_EQUAL_INT(wm_mesh_write(mesh, WM_FORMAT_WALKMESH, &bytes, &byte_count), WM_OK);
  uint64_t hash = UINT64_C(14695981039346656037);
  for (size_t i = 0; i < byte_count; i++) hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
  wm_block_free(wm_mesh_context(mesh), bytes);
  return hash;
}

/* An obstacle blocks the ground within the agent's radius around it, and nothing else: walls don't move. */
static void obstacles_keep_the_agents_radius(void) {
  WmContext *context = wm_context_create(NULL);
  const float origin[3] = {0, 0, 0};
  SetWriter set = begin_set(32, 0.25f, 0.25f, origin);
  for (int32_t place = 0; place < 4; place++) add_flat_layer(&set, place % 2, place / 2, 0, 0, 63);
  World world;
  CHECK_EQUAL_INT(open_world(&world, context, set.bytes, set.byte_count), WM_OK);
  const uint64_t first = hash_mesh(world.mesh);
  CHECK(fabs(wm_mesh_area(world.mesh) - 256) < 0.01);
  WmAreaVolume box = {
      .kind = WM_AREA_VOLUME_BOX, .before_erosion = true, .minimum = {6, -1, 7}, .maximum = {9, 2, 9}};
  WmObstacle obstacle;
  CHECK_EQUAL_INT(wm_dynamic_add_obstacle(world.dynamic, &box, &obstacle), WM_OK);
  CHECK_EQUAL_INT(update_all(&world), WM_OK);
  /* A rectangle of 3 by 2 and a margin of 0.6 with round corners. */
  const double hole = 256 - wm_mesh_area(world.mesh), exact = 3 * 2 + 2 * 0.6 * 5 + 3.14159 * 0.36;
  if (fabs(hole - exact) > 1.5) printf("the hole is %g wide, expected %g\n", hole, exact);
  CHECK(fabs(hole - exact) <= 1.5);
  box.before_erosion = false;
  CHECK_EQUAL_INT(wm_dynamic_change_obstacle(world.dynamic, obstacle, &box), WM_OK);
  CHECK_EQUAL_INT(update_all(&world), WM_OK);
  /* All cells that it touches, also at its far edges: 13 by 9. */
  CHECK(fabs(256 - wm_mesh_area(world.mesh) - 13 * 9 * 0.0625) < 0.01);
  CHECK_EQUAL_INT(wm_dynamic_remove_obstacle(world.dynamic, obstacle), WM_OK);
  CHECK_EQUAL_INT(update_all(&world), WM_OK);
  CHECK(hash_mesh(world.mesh) == first);
  close_world(&world);
  free(set.bytes);
  wm_context_destroy(context);
}

static void reading_survives_every_failed_allocation(void) {
  size_t byte_count;
  uint8_t *bytes = read_tower(&byte_count);
  int failures = 0, n = 0;
  for (WmStatus status = WM_ERROR_OUT_OF_MEMORY; status == WM_ERROR_OUT_OF_MEMORY; n++) {
    FailingAllocator failing = {.left = n};
    const WmAllocator allocator = {failing_allocate, failing_release, &failing};
    WmContext *context = wm_context_create(&allocator);
    if (!context) continue;
    World world;
    status = open_world(&world, context, bytes, byte_count);
    failures += status != WM_OK;
    CHECK(status == WM_OK || status == WM_ERROR_OUT_OF_MEMORY);
    close_world(&world);
    wm_context_destroy(context);
  }
  CHECK(failures > 50);
  free(bytes);
}

static void arrays_of_kept_tiles_are_read_to_their_ends_and_no_farther(void) {
  WmContext *context = wm_context_create(NULL);
  size_t byte_count;
  uint8_t *bytes = read_tower(&byte_count);
  WmDetourCache *cache = NULL;
  CHECK_EQUAL_INT(wm_detour_cache_read(context, bytes, byte_count, &cache), WM_OK);
  uint8_t *kept[2];
  size_t kept_bytes[2];
  const uint32_t usual = scratch_guard_value;
  for (int i = 0; i < 2; i++) {
    scratch_guard_value = i == 1 ? 0 : usual;
    CHECK_EQUAL_INT(wm_detour_cache_keep_tile(cache, 0, 0, &kept[i], &kept_bytes[i]), WM_OK);
  }
  scratch_guard_value = usual;
  CHECK(kept_bytes[0] > 0 && kept_bytes[0] == kept_bytes[1]);
  CHECK(memcmp(kept[0], kept[1], kept_bytes[0]) == 0);
  for (int i = 0; i < 2; i++) wm_block_free(context, kept[i]);
  wm_detour_cache_destroy(cache);
  free(bytes);
  wm_context_destroy(context);
}

int main(void) {
  RUN(fast_lz_becomes_what_was_meant);
  RUN(cut_and_random_blocks_do_no_harm);
  RUN(a_set_of_recast_navigation_says_what_it_is);
  RUN(cut_and_altered_sets_are_refused_or_safe);
  RUN(each_field_is_checked);
  RUN(widths_at_their_tolerance_are_read);
  RUN(the_height_of_a_set_has_a_limit);
  RUN(sets_beyond_limits_are_refused);
  RUN(kept_tiles_have_the_cells_of_the_layers);
  RUN(any_number_of_layers_at_one_place);
  RUN(floors_without_headroom);
  RUN(a_tile_without_walkable_cells_is_not_kept);
  RUN(arrays_of_kept_tiles_are_read_to_their_ends_and_no_farther);
  RUN(obstacles_keep_the_agents_radius);
  RUN(reading_survives_every_failed_allocation);
  return check_finish();
}
