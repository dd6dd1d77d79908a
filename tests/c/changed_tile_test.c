/* Tiles that obstacles change: regions and edges made from what is kept of the plain tile are those made from
 * nothing, and few rows are swept again for them. */
#include "bake/ground.h"
#include "bake/plain_tile.h"
#include "dynamic_world.h"

enum { CHANGES = 60, MOST_OBSTACLES = 3 };

/* Over all tiles and changes of a test. */
typedef struct Tally {
  int changed, rows, swept, regions, kept;
} Tally;

/* A tile of a baker, its ground and what its plain build came to. */
typedef struct Tile {
  WmBaker *baker;
  WmGround *ground;
  WmPlainTile plain;
  uint8_t *plain_area;
} Tile;

static const WmCompactHeightfield *begin(const Tile *tile, const WmAreaVolume *obstacles, size_t count) {
  bool is_plain;
  CHECK_EQUAL_INT(wm_baker_begin_ground(tile->baker, tile->ground, obstacles, count, &is_plain), WM_OK);
  return &wm_baker_stages(tile->baker)->compact;
}

static void open_tile(WmContext *context, WmBaker *baker, int32_t x, int32_t z, Tile *tile) {
  uint8_t *bytes;
  size_t byte_count;
  *tile = (Tile){.baker = baker};
  CHECK_EQUAL_INT(wm_baker_begin_tile(baker, x, z, false), WM_OK);
  while (wm_baker_next_stage(baker) != WM_STAGE_COMPACT) CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_keep_tile(baker, &bytes, &byte_count), WM_OK);
  CHECK_EQUAL_INT(wm_baker_open_ground(baker, x, z, bytes, byte_count, &tile->ground), WM_OK);
  wm_block_free(context, bytes);
  const WmCompactHeightfield *compact = begin(tile, NULL, 0);
  tile->plain_area = calloc(compact->span_count + 16, 1);
  memcpy(tile->plain_area, compact->span_area, compact->span_count);
  CHECK_EQUAL_INT(wm_plain_tile_make(context, compact, (WmPartition)wm_baker_config(baker)->partition,
                                     &tile->plain, &byte_count),
                  WM_OK);
  CHECK((tile->plain.block != NULL) == (compact->span_count > 0));
}

static void close_tile(WmContext *context, Tile *tile) {
  wm_plain_tile_free(context, &tile->plain);
  wm_ground_free(context, tile->ground);
  free(tile->plain_area);
}

/* Partners have the same spans, before the merge that the final regions do not show. */
static int count_partners(const WmChangedTile *changed) {
  int count = 0;
  for (uint32_t i = 1; i < changed->next_number; i++) {
    if (!changed->partner[i]) continue;
    count++;
    CHECK(changed->partner[i] < changed->plain->record_count);
  }
  return count;
}

static void compare_with_whole(WmContext *context, const Tile *tile, const WmCompactHeightfield *compact,
                               Tally *tally) {
  const WmRegionSettings settings = {.partition = wm_baker_config(tile->baker)->partition,
                                     .min_region_cells = wm_baker_voxels(tile->baker)->min_region_cells,
                                     .merge_region_cells = wm_baker_voxels(tile->baker)->merge_region_cells};
  WmChangedTile changed = {.plain = &tile->plain, .plain_area = tile->plain_area, .compact = compact};
  WmRegions regions, whole;
  const WmScratchMark mark = wm_scratch_mark(context);
  CHECK_EQUAL_INT(wm_build_changed_regions(context, &settings, &changed, &regions), WM_OK);
  CHECK_EQUAL_INT(wm_build_regions(context, compact, NULL, &settings, &whole), WM_OK);
  CHECK_EQUAL_INT(regions.region_count, whole.region_count);
  CHECK(memcmp(regions.span_region, whole.span_region, compact->span_count * sizeof(uint16_t)) == 0);
  uint8_t *edges = wm_scratch_array(context, compact->span_count, 1);
  wm_contour_find_edges(compact, whole.span_region, 0, compact->span_count, edges);
  CHECK(memcmp(changed.edges, edges, compact->span_count) == 0);
  if (changed.first_row >= 0) {
    tally->changed++;
    tally->rows += compact->grid.depth - 2 * compact->grid.border_size;
    tally->swept += changed.last_row - changed.first_row + 1;
    tally->regions += (int)changed.next_number;
    tally->kept += count_partners(&changed);
  }
  wm_regions_free(context, &regions);
  wm_regions_free(context, &whole);
  wm_scratch_rewind(context, mark);
}

static void change_tiles(uint32_t seed, int32_t partition, Tally *tally) {
  WmContext *context = wm_context_create(NULL);
  World world = {.scene = make_random_scene(seed), .config = wm_config_default()};
  world.config.cell_size = seed % 2 ? 0.3f : 0.15f;
  world.config.tile_size = 48;
  world.config.partition = partition;
  world.config.min_region_size = (float)(seed % 3 * 4);
  const WmBakeInput input = scene_input(&world.scene);
  WmBaker *baker;
  CHECK_EQUAL_INT(wm_baker_create(context, &world.config, &input, &baker), WM_OK);
  wm_baker_bounds(baker, world.low, world.high);
  const WmVoxelConfig *voxels = wm_baker_voxels(baker);
  Random random = {seed};
  for (int32_t i = 0; i < voxels->tile_count_x * voxels->tile_count_z; i++) {
    Tile tile;
    open_tile(context, baker, i % voxels->tile_count_x, i / voxels->tile_count_x, &tile);
    for (int change = 0; tile.plain.block && change < CHANGES; change++) {
      float outlines[MOST_OBSTACLES][OUTLINE][3];
      WmAreaVolume obstacles[MOST_OBSTACLES];
      const int count = 1 + random_below(&random, MOST_OBSTACLES);
      for (int k = 0; k < count; k++) obstacles[k] = random_obstacle(&random, &world, outlines[k]);
      compare_with_whole(context, &tile, begin(&tile, obstacles, (size_t)count), tally);
    }
    close_tile(context, &tile);
  }
  wm_baker_destroy(baker);
  free_scene(&world.scene);
  wm_context_destroy(context);
}

static void changed_regions_are_those_of_a_whole_build(void) {
  for (int32_t partition = WM_PARTITION_MONOTONE; partition <= WM_PARTITION_LAYERS; partition++) {
    Tally tally = {0};
    for (uint32_t seed = 1; seed <= 12; seed++) change_tiles(seed, partition, &tally);
    printf("partition %d: %d changes, %d of %d rows swept again, %d of %d regions kept\n", partition,
           tally.changed, tally.swept, tally.rows, tally.kept, tally.regions);
    CHECK(tally.changed > 1000);
    CHECK(tally.swept < tally.rows / 2);
    CHECK(tally.kept > tally.regions / 3);
  }
}

int main(void) {
  RUN(changed_regions_are_those_of_a_whole_build);
  return check_finish();
}
