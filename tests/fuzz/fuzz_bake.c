/* Whole bakes of arbitrary soups. The input is a level with solids, volumes, connections and a configuration
 * (invent.h). It is refused with a message, or its tiles are baked: all at once, stage by stage with all
 * arrays kept, and from kept tiles; the bytes are the same each time. The results are valid, and a mesh
 * accepts the tiles. */
#include "stage_dump.h"
#include "bake/input/facing.h"
#include "bake/rebuild/unpacked_tile.h"
#include "bake/tile/tile_hash.h"
#include "invent.h"
#include "walkmesh.h"

enum { TILES = 3 };

static bool is_refusal(WmStatus status) {
  return status == WM_ERROR_CONFIGURATION || status == WM_ERROR_GEOMETRY || status == WM_ERROR_LIMIT ||
         status == WM_ERROR_INVALID_ARGUMENT;
}

/* The sums exist for levels that are refused, too; areas are not negative where all corners are numbers. */
static void sum_facing(const FuzzLevel *level, uint8_t step) {
  WmFacingSums sums;
  wm_sum_facing(&level->input.triangles, 1 + (size_t)step % 4, 0.7, &sums);
  for (int i = 0; i < 6; i++) FUZZ_REQUIRE(!(sums.facing[i] < 0));
}

/* The same of lines through them. */
static void trace_lines(WmContext *context, const FuzzLevel *level) {
  WmFacingLines lines;
  WmFacingGaps gaps;
  FUZZ_REQUIRE(wm_find_facing_lines(context, &level->input.triangles, &lines) == WM_OK);
  FUZZ_REQUIRE(wm_measure_facing_gaps(context, &level->input.triangles, &gaps) == WM_OK);
  double share;
  FUZZ_REQUIRE(wm_find_turned_ground(context, &level->input.triangles, &share) == WM_OK);
  FUZZ_REQUIRE(share >= 0 && share <= 1);
  for (int axis = 0; axis < 3; axis++) {
    FUZZ_REQUIRE(lines.open[axis] >= -1 && lines.open[axis] <= 1);
    FUZZ_REQUIRE(lines.rooms[axis] >= 0 && lines.rooms[axis] <= 1);
  }
  FUZZ_REQUIRE(!(gaps.air < 0) && !(gaps.solid < 0));
}

/* In one call, or in portions. */
static WmBaker *open_baker(WmContext *context, const FuzzLevel *level, uint8_t portion) {
  WmBaker *baker = NULL;
  WmStatus status;
  if (portion < 128) {
    status = wm_baker_create(context, &level->config, &level->input, &baker);
    FUZZ_REQUIRE(!baker == !!status);
  } else {
    status = wm_baker_begin(context, &level->config, &level->input, &baker);
    FUZZ_REQUIRE(!baker == !!status);
    for (bool is_ready = false; !status && !is_ready;) {
      status = wm_baker_prepare(baker, (size_t)portion - 127, &is_ready);
    }
    if (status) wm_baker_destroy(baker);
  }
  if (!status) return baker;
  FUZZ_REQUIRE(is_refusal(status) && wm_context_error(context)->message[0]);
  return NULL;
}

/* The dumps of a stage exist, and are empty only before it has run. */
static void dump_stages(WmContext *context, const WmBakeStages *stages) {
  WmBytes bytes[8];
  FUZZ_REQUIRE(!wm_dump_heightfield(context, &stages->heightfield, &bytes[0]));
  FUZZ_REQUIRE(!wm_dump_compact(context, &stages->compact, &stages->heightfield, &bytes[1]));
  FUZZ_REQUIRE(!wm_dump_areas(context, &stages->compact, &bytes[2]));
  FUZZ_REQUIRE(!wm_dump_distance(context, &stages->distance, &bytes[3]));
  FUZZ_REQUIRE(!wm_dump_regions(context, &stages->regions, &bytes[4]));
  FUZZ_REQUIRE(!wm_dump_contours(context, &stages->contours, &bytes[5]));
  FUZZ_REQUIRE(!wm_dump_polygon_mesh(context, &stages->polygon_mesh, &bytes[6]));
  FUZZ_REQUIRE(!wm_dump_detail_mesh(context, &stages->detail_mesh, &bytes[7]));
  uint64_t hash = WM_HASH_START;
  for (int i = 0; i < 8; i++) {
    hash = wm_hash_bytes(hash, bytes[i].bytes, bytes[i].byte_count);
    wm_block_free(context, bytes[i].bytes);
  }
  FUZZ_REQUIRE(hash != WM_HASH_START);
}

static void require_same(const WmTileData *tile, const WmTileData *other) {
  FUZZ_REQUIRE(tile->byte_count == other->byte_count);
  if (tile->byte_count) FUZZ_REQUIRE(memcmp(tile->bytes, other->bytes, tile->byte_count) == 0);
}

/* Bakes stage by stage; *kept gets the kept tile, unless all stages are kept. */
static WmStatus bake_in_steps(WmBaker *baker, int32_t x, int32_t z, bool keep_stages, uint8_t **kept,
                              size_t *kept_bytes, WmTileData *tile) {
  WmStatus status = wm_baker_begin_tile(baker, x, z, keep_stages);
  while (!status && wm_baker_next_stage(baker) != WM_STAGE_DONE) {
    const bool is_kept = wm_baker_next_stage(baker) == WM_STAGE_COMPACT && !keep_stages;
    if (is_kept) FUZZ_REQUIRE(!wm_baker_keep_tile(baker, kept, kept_bytes));
    status = wm_baker_step(baker);
  }
  if (!status) *tile = wm_baker_take_tile(baker);
  return status;
}

/* From the kept bytes, and through an unpacked tile: the result is the same. */
static void bake_again(WmContext *context, WmBaker *baker, int32_t x, int32_t z, const uint8_t *kept,
                       size_t kept_bytes, WmStatus expected, const WmTileData *tile) {
  WmStatus status = wm_baker_begin_kept_tile(baker, x, z, kept, kept_bytes, NULL, 0);
  while (!status && wm_baker_next_stage(baker) != WM_STAGE_DONE) status = wm_baker_step(baker);
  FUZZ_REQUIRE(status == expected);
  WmTileData again = {0};
  if (!status) again = wm_baker_take_tile(baker);
  if (!status) require_same(tile, &again);
  wm_tile_data_free(context, &again);
  WmUnpackedTile *ground = NULL;
  status = wm_baker_unpack_tile(baker, x, z, kept, kept_bytes, &ground);
  FUZZ_REQUIRE(!ground == !!status);
  if (status) {
    FUZZ_REQUIRE(status == expected);
    return;
  }
  FUZZ_REQUIRE(wm_unpacked_tile_bytes(ground) > 0 && wm_baker_estimate_unpacked_bytes(baker) > 0);
  bool is_plain;
  status = wm_baker_begin_rebuild(baker, ground, NULL, 0, &is_plain);
  FUZZ_REQUIRE(status || is_plain);
  if (!status) status = wm_baker_rebuild_regions(baker, ground);
  while (!status && wm_baker_next_stage(baker) < WM_STAGE_POLYGON_MESH) status = wm_baker_step(baker);
  if (!status) status = wm_baker_rebuild_polygons(baker, ground, is_plain, true);
  while (!status && wm_baker_next_stage(baker) != WM_STAGE_DONE) status = wm_baker_step(baker);
  FUZZ_REQUIRE(status == expected);
  if (!status) again = wm_baker_take_tile(baker);
  if (!status) require_same(tile, &again);
  wm_tile_data_free(context, &again);
  wm_unpacked_tile_free(context, ground);
}

static void bake_tile(WmContext *context, WmBaker *baker, int32_t x, int32_t z, uint32_t seed) {
  WmContentHash hashes[2] = {{{0}}};
  WmGrid grid;
  wm_baker_tile_grid(baker, x, z, &grid);
  FUZZ_REQUIRE(grid.width > 0 && grid.depth > 0);
  const WmStatus status = wm_baker_bake_tile(baker, x, z);
  FUZZ_REQUIRE(!status || is_refusal(status));
  FUZZ_REQUIRE(!status || wm_context_error(context)->message[0]);
  WmTileData tile = {0}, again = {0};
  if (!status) tile = wm_baker_take_tile(baker);
  FUZZ_REQUIRE(!wm_baker_hash_tile(baker, x, z, &hashes[0]) || status);
  FUZZ_REQUIRE(bake_in_steps(baker, x, z, true, NULL, NULL, &again) == status);
  if (!status) {
    const WmBakeStages *stages = wm_baker_stages(baker);
    require_same(&tile, &again);
    dump_stages(context, stages);
    if (stages->compact.links_are_symmetric) fuzz_check_polygons(&stages->polygon_mesh, &stages->contours);
    fuzz_check_details(&stages->polygon_mesh, &stages->detail_mesh, true);
  }
  wm_tile_data_free(context, &again);
  uint8_t *kept = NULL;
  size_t kept_bytes = 0;
  FUZZ_REQUIRE(bake_in_steps(baker, x, z, false, &kept, &kept_bytes, &again) == status);
  if (!status) require_same(&tile, &again);
  wm_tile_data_free(context, &again);
  if (kept) bake_again(context, baker, x, z, kept, kept_bytes, status, &tile);
  wm_block_free(context, kept);
  FUZZ_REQUIRE(!wm_baker_hash_tile(baker, x, z, &hashes[1]) || status);
  FUZZ_REQUIRE(memcmp(&hashes[0], &hashes[1], sizeof hashes[0]) == 0);
  if (!status) fuzz_use_tile(context, &tile, seed);
  wm_tile_data_free(context, &tile);
}

/* All tiles in one call. A mesh refuses no tile of a bake, except at its limits. */
static void bake_whole(WmContext *context, const FuzzLevel *level, uint32_t tile_count) {
  WmMesh *mesh;
  const WmStatus status = wm_bake_mesh(context, &level->config, &level->input, &mesh);
  FUZZ_REQUIRE(!mesh == !!status);
  FUZZ_REQUIRE(!status || is_refusal(status));
  if (mesh) FUZZ_REQUIRE(wm_mesh_tile_count(mesh) <= tile_count);
  wm_mesh_destroy(mesh);
}

int fuzz_bake(const uint8_t *bytes, size_t byte_count) {
  FuzzMemory memory;
  fuzz_begin(&memory);
  FuzzInput input = {bytes, byte_count};
  FuzzLevel level;
  const uint8_t portion = fuzz_byte(&input), first = fuzz_byte(&input);
  fuzz_level(&input, &level);
  sum_facing(&level, portion);
  trace_lines(memory.context, &level);
  WmBaker *baker = open_baker(memory.context, &level, portion);
  if (baker) {
    const WmVoxelConfig *voxels = wm_baker_voxels(baker);
    const uint32_t across = (uint32_t)voxels->tile_count_x, down = (uint32_t)voxels->tile_count_z;
    FUZZ_REQUIRE(across * down > 0 && wm_baker_config(baker)->cell_size == level.config.cell_size);
    FUZZ_REQUIRE(wm_baker_triangle_areas(baker) && wm_baker_warnings(baker) < 64);
    for (uint32_t i = 0; i < TILES && i < across * down; i++) {
      const uint32_t tile = (first + i) % (across * down);
      bake_tile(memory.context, baker, (int32_t)(tile % across), (int32_t)(tile / across), first);
    }
    FUZZ_REQUIRE(wm_baker_begin_tile(baker, (int32_t)across, 0, false) == WM_ERROR_INVALID_ARGUMENT);
    wm_baker_destroy(baker);
    if (across * down <= TILES) bake_whole(memory.context, &level, across * down);
  }
  fuzz_end(&memory);
  return 0;
}
