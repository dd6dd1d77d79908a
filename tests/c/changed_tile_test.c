/* Rebuilt tiles: regions and contours copied from the baseline equal those built from the start, and few rows
 * are swept again for them. */
#include "bake/rebuild/unpacked_tile.h"
#include "bake/compact/links.h"
#include "bake/rebuild/baseline.h"
#include "guarded_memory.h"
#include "dynamic_world.h"
#include "lattice.h"
#include "trace.h"

enum { CHANGES = 60, MOST_OBSTACLES = 3, RENUMBERINGS = 100 };

/* Sums over all tiles and changes of a test. */
typedef struct Tally {
  int changed, rows, swept, regions, kept, contours, kept_contours;
} Tally;

/* A tile of a baker, unpacked, and its baseline. */
typedef struct Tile {
  WmBaker *baker;
  WmUnpackedTile *ground;
  WmBaseline baseline;
  uint8_t *baseline_area;
} Tile;

static const WmCompactHeightfield *begin(const Tile *tile, const WmAreaVolume *obstacles, size_t count) {
  bool is_baseline;
  CHECK_EQUAL_INT(wm_baker_begin_rebuild(tile->baker, tile->ground, obstacles, count, &is_baseline), WM_OK);
  return &wm_baker_stages(tile->baker)->compact;
}

static WmRegionSettings region_settings(const WmBaker *baker) {
  const WmVoxelConfig *voxels = wm_baker_voxels(baker);
  return (WmRegionSettings){.partition = wm_baker_config(baker)->partition,
                            .min_region_cells = voxels->min_region_cells,
                            .merge_region_cells = voxels->merge_region_cells};
}

static WmContourSettings contour_settings(const WmBaker *baker) {
  return (WmContourSettings){wm_baker_config(baker)->max_edge_error, wm_baker_voxels(baker)->max_edge_cells,
                             WM_CONTOUR_SPLIT_WALL_EDGES};
}

static void open_tile(WmContext *context, WmBaker *baker, int32_t x, int32_t z, Tile *tile) {
  uint8_t *bytes;
  size_t byte_count;
  *tile = (Tile){.baker = baker};
  CHECK_EQUAL_INT(wm_baker_begin_tile(baker, x, z, false), WM_OK);
  while (wm_baker_next_stage(baker) != WM_STAGE_COMPACT) CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_keep_tile(baker, &bytes, &byte_count), WM_OK);
  CHECK_EQUAL_INT(wm_baker_unpack_tile(baker, x, z, bytes, byte_count, &tile->ground), WM_OK);
  CHECK_EQUAL_INT(wm_baker_next_stage(baker), WM_STAGE_DONE); /* the baker's tile was dropped */
  wm_block_free(context, bytes);
  const WmCompactHeightfield *compact = begin(tile, NULL, 0);
  tile->baseline_area = calloc(compact->span_count + 16, 1);
  memcpy(tile->baseline_area, compact->span_area, compact->span_count);
  const WmRegionSettings regions = region_settings(baker);
  const WmContourSettings contours = contour_settings(baker);
  CHECK_EQUAL_INT(wm_baseline_build(context, compact, &regions, &contours, &tile->baseline, &byte_count),
                  WM_OK);
  const bool may_have_one = regions.partition != WM_PARTITION_WATERSHED;
  CHECK((tile->baseline.block != NULL) == (may_have_one && compact->span_count > 0));
}

static void close_tile(WmContext *context, Tile *tile) {
  wm_baseline_free(context, &tile->baseline);
  CHECK(!tile->baseline.raw_region && !tile->baseline.block && !tile->baseline.contour_block);
  wm_unpacked_tile_free(context, tile->ground);
  free(tile->baseline_area);
}

/* Partners have the same spans before regions are merged, which the final regions don't show. */
static int count_partners(const WmChangedTile *changed) {
  int count = 0;
  for (uint32_t i = 1; i < changed->next_number; i++) {
    if (!changed->partner[i]) continue;
    count++;
    CHECK(changed->partner[i] < changed->baseline->record_count);
  }
  return count;
}

static void check_contours(const WmContourSet *set, const WmContourSet *whole) {
  const size_t count = whole->contour_count;
  CHECK_EQUAL_INT(set->contour_count, whole->contour_count);
  if (set->contour_count != whole->contour_count) return;
  CHECK(memcmp(set->contour_region, whole->contour_region, count * sizeof(uint16_t)) == 0);
  CHECK(memcmp(set->contour_area, whole->contour_area, count) == 0);
  CHECK(memcmp(set->vertex_first, whole->vertex_first, (count + 1) * sizeof(uint32_t)) == 0);
  CHECK(memcmp(set->vertices, whole->vertices, whole->vertex_first[count] * 4 * sizeof(int32_t)) == 0);
  CHECK(memcmp(&set->grid, &whole->grid, sizeof set->grid) == 0);
  CHECK(set->max_error == whole->max_error);
}

static void tally_changes(const WmChangedTile *changed, Tally *tally) {
  const WmGrid *grid = &changed->compact->grid;
  if (changed->first_row >= 0) {
    tally->changed++;
    tally->rows += grid->depth - 2 * grid->border_size;
    tally->swept += changed->last_row - changed->first_row + 1;
  }
  tally->regions += (int)changed->next_number;
  tally->kept += count_partners(changed);
  for (uint32_t i = 0; i < changed->baseline->contour_count; i++) {
    tally->contours++;
    tally->kept_contours += changed->retained_region[changed->baseline->contours[i].region] != 0;
  }
}

static bool is_traced;

/* Traces the rows, neighbours and retained regions that a rebuild found: its results don't show them. */
static void trace_changes(const WmChangedTile *changed) {
  const WmBaseline *baseline = changed->baseline;
  const uint32_t numbers[] = {(uint32_t)changed->first_row, (uint32_t)changed->last_row, changed->next_number,
                              changed->side_count, changed->region_count};
  TRACE(numbers);
  trace_fold(changed->partner, changed->next_number * sizeof *changed->partner);
  trace_fold(changed->number, changed->next_number * sizeof *changed->number);
  for (uint32_t i = 0; i < changed->side_count; i++) {
    trace_number((uint64_t)changed->sides[i].side << 32 | changed->sides[i].across);
  }
  for (uint32_t i = 1; i <= baseline->region_count; i++) trace_number(changed->retained_region[i]);
  for (uint32_t i = 0; i <= changed->region_count; i++) trace_number(changed->is_retained[i]);
}

/* The contours of changed regions are those of a whole build.
 * in         whole: the regions of the whole build */
static void compare_contours(WmContext *context, const Tile *tile, WmChangedTile *changed,
                             const WmRegions *regions, const WmRegions *whole, Tally *tally) {
  const WmContourSettings outlines = contour_settings(tile->baker);
  WmContourSet contours, whole_contours;
  CHECK_EQUAL_INT(wm_build_changed_contours(context, &outlines, changed, regions, &contours), WM_OK);
  CHECK_EQUAL_INT(wm_build_contours(context, changed->compact, whole, outlines.max_error,
                                    outlines.max_edge_cells, outlines.flags, &whole_contours),
                  WM_OK);
  check_contours(&contours, &whole_contours);
  tally_changes(changed, tally);
  if (is_traced) trace_changes(changed);
  wm_contour_set_free(context, &contours);
  wm_contour_set_free(context, &whole_contours);
}

static void compare_with_whole(WmContext *context, const Tile *tile, const WmCompactHeightfield *compact,
                               Tally *tally) {
  const WmRegionSettings settings = region_settings(tile->baker);
  WmChangedTile changed;
  memset(&changed, 0xa5, sizeof changed); /* only three fields are inputs */
  changed.baseline = &tile->baseline;
  changed.baseline_area = tile->baseline_area;
  changed.compact = compact;
  WmRegions regions, whole;
  const WmScratchMark mark = wm_scratch_mark(context);
  CHECK_EQUAL_INT(wm_build_changed_regions(context, &settings, &changed, &regions), WM_OK);
  CHECK_EQUAL_INT(wm_build_regions(context, compact, NULL, &settings, &whole), WM_OK);
  CHECK_EQUAL_INT(regions.region_count, whole.region_count);
  CHECK(memcmp(regions.span_region, whole.span_region, compact->span_count * sizeof(uint16_t)) == 0);
  compare_contours(context, tile, &changed, &regions, &whole, tally);
  wm_regions_free(context, &regions);
  wm_regions_free(context, &whole);
  wm_scratch_rewind(context, mark);
}

/* Blocks one cell of a region beside another one, for some edges between them: the other region stays, but its
 * contour borders nothing there. */
static void block_cells_beside_regions(WmContext *context, const Tile *tile, Tally *tally) {
  enum { EVERY = 37 };
  static const int32_t OFFSET_X[4] = {-1, 0, 1, 0}, OFFSET_Z[4] = {0, 1, 0, -1};
  const WmRegionSettings settings = region_settings(tile->baker);
  const WmCompactHeightfield *compact = begin(tile, NULL, 0);
  const WmGrid grid = compact->grid;
  WmRegions regions;
  CHECK_EQUAL_INT(wm_build_regions(context, compact, NULL, &settings, &regions), WM_OK);
  const uint32_t *cell_first = compact->cell_first; /* of the unpacked tile: it stays */
  const WmLinks links = compact->links;
  int edge = 0;
  for (int32_t i = 0; i < grid.width * grid.depth; i++) {
    for (uint32_t span = cell_first[i]; span < cell_first[i + 1]; span++) {
      for (size_t d = 0; d < 4; d++) {
        const uint32_t other = wm_link(&links, span, d);
        const uint16_t own = regions.span_region[span];
        if (other == WM_NO_SPAN || own == 0 || own == regions.span_region[other]) continue;
        if (regions.span_region[other] == 0 || edge++ % EVERY != 0) continue;
        const float x = (float)(i % grid.width + OFFSET_X[d]), z = (float)(i / grid.width + OFFSET_Z[d]);
        const WmAreaVolume obstacle = {.minimum = {grid.bounds_min[0] + (x + 0.25f) * grid.cell_size, -1000,
                                                   grid.bounds_min[2] + (z + 0.25f) * grid.cell_size},
                                       .maximum = {grid.bounds_min[0] + (x + 0.75f) * grid.cell_size, 1000,
                                                   grid.bounds_min[2] + (z + 0.75f) * grid.cell_size}};
        const WmCompactHeightfield *changed = begin(tile, &obstacle, 1);
        CHECK_EQUAL_INT(changed->span_area[other], WM_AREA_NULL);
        compare_with_whole(context, tile, changed, tally);
      }
    }
  }
  wm_regions_free(context, &regions);
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
    for (int change = 0; tile.baseline.block && change < CHANGES; change++) {
      float outlines[MOST_OBSTACLES][OUTLINE][3];
      WmAreaVolume obstacles[MOST_OBSTACLES];
      const int count = 1 + random_below(&random, MOST_OBSTACLES);
      for (int k = 0; k < count; k++) obstacles[k] = random_obstacle(&random, &world, outlines[k]);
      compare_with_whole(context, &tile, begin(&tile, obstacles, (size_t)count), tally);
    }
    if (tile.baseline.block) block_cells_beside_regions(context, &tile, tally);
    close_tile(context, &tile);
  }
  wm_baker_destroy(baker);
  free_scene(&world.scene);
  wm_context_destroy(context);
}

static void changed_tiles_are_those_of_a_whole_build(void) {
  for (int32_t partition = WM_PARTITION_MONOTONE; partition <= WM_PARTITION_LAYERS; partition++) {
    Tally tally = {0};
    for (uint32_t seed = 1; seed <= (uint32_t)CHECK_ROUNDS(12); seed++) change_tiles(seed, partition, &tally);
    printf(
        "partition %d: %d changes, %d of %d rows swept again, %d of %d regions and %d of %d contours kept\n",
        partition, tally.changed, tally.swept, tally.rows, tally.kept, tally.regions, tally.kept_contours,
        tally.contours);
    CHECK(tally.changed > CHECK_ROUNDS(1000));
    CHECK(tally.swept < tally.rows / 2);
    CHECK(tally.kept > tally.regions / 3);
    CHECK(tally.kept_contours > tally.contours / 4);
  }
}

/* Boxes of all sizes, in areas too. */
static void trace_tiles(uint32_t seed, int32_t partition) {
  char name[32];
  snprintf(name, sizeof name, "rebuild-%d-%u", (int)partition, (unsigned)seed);
  WmContext *context = wm_context_create(NULL);
  World world = {.scene = make_random_scene(seed), .config = wm_config_default()};
  world.config.cell_size = 0.3f;
  world.config.tile_size = 40;
  world.config.partition = partition;
  world.config.min_region_size = (float)(seed % 2 * 4);
  world.config.merge_region_size = (float)(seed % 3 * 8);
  const WmBakeInput input = scene_input(&world.scene);
  WmBaker *baker;
  Tally tally = {0};
  trace_begin(name);
  CHECK_EQUAL_INT(wm_baker_create(context, &world.config, &input, &baker), WM_OK);
  wm_baker_bounds(baker, world.low, world.high);
  const WmVoxelConfig *voxels = wm_baker_voxels(baker);
  Random random = {seed};
  for (int32_t i = 0; i < voxels->tile_count_x * voxels->tile_count_z && i < 4; i++) {
    Tile tile;
    open_tile(context, baker, i % voxels->tile_count_x, i / voxels->tile_count_x, &tile);
    for (int change = 0; tile.baseline.block && change < 4; change++) {
      WmAreaVolume boxes[3];
      for (int k = 0; k < 3; k++) {
        const float x = between(&random, world.low[0], world.high[0]), size = between(&random, 0.2f, 4);
        const float z = between(&random, world.low[2], world.high[2]);
        boxes[k] = (WmAreaVolume){.area = (uint8_t)(random_below(&random, 3) ? 0 : 5),
                                  .minimum = {x, -100, z},
                                  .maximum = {x + size, 100, z + 0.7f * size}};
      }
      compare_with_whole(context, &tile, begin(&tile, boxes, 3), &tally);
    }
    close_tile(context, &tile);
  }
  trace_end();
  wm_baker_destroy(baker);
  free_scene(&world.scene);
  wm_context_destroy(context);
}

static void rebuilds_retain_what_they_did(void) {
  is_traced = true;
  for (uint32_t seed = 1; seed <= 4; seed++) {
    trace_tiles(seed, WM_PARTITION_MONOTONE);
    trace_tiles(seed, WM_PARTITION_LAYERS);
  }
  is_traced = false;
}

/* ---- Baselines ---------------------------------------------------------------------------------------- */

static void trace_baseline(const WmBaseline *baseline, const WmCompactHeightfield *compact) {
  const uint32_t numbers[] = {baseline->record_count, baseline->side_count,   baseline->step_count,
                              baseline->column_count, baseline->region_count, baseline->contour_count,
                              baseline->edge_count,   baseline->vertex_count};
  TRACE(numbers);
  trace_fold(baseline->raw_region, compact->span_count * sizeof *baseline->raw_region);
  trace_fold(baseline->row_number, ((size_t)compact->grid.depth + 1) * sizeof *baseline->row_number);
  trace_fold(baseline->records, baseline->record_count * sizeof *baseline->records);
  trace_fold(baseline->sides, baseline->side_count * sizeof *baseline->sides);
  trace_fold(baseline->steps, baseline->step_count * sizeof *baseline->steps);
  trace_fold(baseline->columns, baseline->column_count * sizeof *baseline->columns);
  trace_fold(baseline->number, baseline->record_count * sizeof *baseline->number);
  trace_fold(baseline->member_count, ((size_t)baseline->region_count + 1) * sizeof *baseline->member_count);
  for (uint32_t i = 0; i < baseline->contour_count; i++) {
    const WmBaselineContour *contour = &baseline->contours[i];
    const uint32_t fields[] = {contour->start,        contour->first_edge,   contour->edge_count,
                               contour->first_vertex, contour->vertex_count, contour->region};
    TRACE(fields);
  }
  trace_fold(baseline->edges, baseline->edge_count * sizeof *baseline->edges);
  trace_fold(baseline->vertices, baseline->vertex_count * sizeof *baseline->vertices);
  trace_fold(baseline->vertex_edge, baseline->vertex_count * sizeof *baseline->vertex_edge);
}

/* Boxes along borders of cells, some of which are eroded. */
static void invent_boxes(Random *random, const WmGrid *grid, WmAreaVolume boxes[MOST_OBSTACLES]) {
  for (int k = 0; k < MOST_OBSTACLES; k++) {
    const int32_t x = random_below(random, grid->width), z = random_below(random, grid->depth);
    const int32_t wide = 1 + random_below(random, 12), deep = 1 + random_below(random, 12);
    const float low_x = grid->bounds_min[0] + (float)x * grid->cell_size;
    const float low_z = grid->bounds_min[2] + (float)z * grid->cell_size;
    boxes[k] = (WmAreaVolume){
        .area = (uint8_t)(random_below(random, 3) ? 0 : 5),
        .before_erosion = random_below(random, 2),
        .minimum = {low_x, -100, low_z},
        .maximum = {low_x + (float)wide * grid->cell_size, 100, low_z + (float)deep * grid->cell_size}};
  }
}

/* Obstacles of one row or column, near each side of the tile: whether they change anything. */
static void trace_border(const Tile *tile, const WmGrid *grid) {
  const int32_t cells[2] = {grid->width, grid->depth};
  for (int axis = 0; axis < 2; axis++) {
    for (int32_t i = 0; i < cells[axis]; i++) {
      if (i == 8 && cells[axis] > 16) i = cells[axis] - 8;
      WmAreaVolume line = {
          .before_erosion = i % 2, .minimum = {-1000, -1000, -1000}, .maximum = {1000, 1000, 1000}};
      line.minimum[2 * axis] = grid->bounds_min[2 * axis] + ((float)i + 0.25f) * grid->cell_size;
      line.maximum[2 * axis] = grid->bounds_min[2 * axis] + ((float)i + 0.75f) * grid->cell_size;
      bool is_baseline;
      CHECK_EQUAL_INT(wm_baker_begin_rebuild(tile->baker, tile->ground, &line, 1, &is_baseline), WM_OK);
      trace_number(is_baseline);
    }
  }
}

static void trace_lattice_tile(WmContext *context, WmBaker *baker, int32_t x, int32_t z, Random *random,
                               Tally *tally) {
  Tile tile;
  open_tile(context, baker, x, z, &tile);
  trace_number(wm_unpacked_tile_bytes(tile.ground));
  trace_number(wm_baker_estimate_unpacked_bytes(baker));
  trace_border(&tile, &begin(&tile, NULL, 0)->grid);
  const WmCompactHeightfield *compact = begin(&tile, NULL, 0);
  if (tile.baseline.block) trace_baseline(&tile.baseline, compact);
  for (int change = 0; tile.baseline.block && change < 3; change++) {
    WmAreaVolume boxes[MOST_OBSTACLES];
    invent_boxes(random, &compact->grid, boxes);
    const WmCompactHeightfield *changed =
        begin(&tile, boxes, (size_t)random_below(random, MOST_OBSTACLES + 1));
    trace_fold(changed->span_area, changed->span_count);
    compare_with_whole(context, &tile, changed, tally);
  }
  close_tile(context, &tile);
}

/* Levels and obstacles with borders along cells. */
static void trace_lattice(const char *kind, Scene scene, uint32_t seed, int32_t partition) {
  char name[32];
  snprintf(name, sizeof name, "%s-%d-%u", kind, (int)partition, (unsigned)seed);
  WmContext *context = wm_context_create(NULL);
  WmConfig config = wm_config_default();
  config.cell_size = 0.5f;
  config.cell_height = 0.25f;
  config.agent_radius = seed % 3 ? 0.5f : 0;
  config.tile_size = seed % 2 ? 24 : 0;
  config.partition = partition;
  config.min_region_size = (float)(seed % 2 * 2);
  config.merge_region_size = (float)(seed % 3 * 5);
  for (size_t i = 0; i < 3 * scene.vertex_count; i++) scene.positions[i] = snap(scene.positions[i], 0.5f);
  const WmBakeInput input = scene_input(&scene);
  WmBaker *baker;
  Tally tally = {0};
  Random random = {seed};
  trace_begin(name);
  CHECK_EQUAL_INT(wm_baker_create(context, &config, &input, &baker), WM_OK);
  const WmVoxelConfig *voxels = wm_baker_voxels(baker);
  for (int32_t i = 0; i < voxels->tile_count_x * voxels->tile_count_z && i < 4; i++) {
    trace_lattice_tile(context, baker, i % voxels->tile_count_x, i / voxels->tile_count_x, &random, &tally);
  }
  trace_end();
  wm_baker_destroy(baker);
  free_scene(&scene);
  wm_context_destroy(context);
}

static void baselines_hold_what_they_did(void) {
  is_traced = true;
  for (uint32_t seed = 1; seed <= trace_seeds(10); seed++) {
    trace_lattice("baseline", make_random_scene(seed + 40), seed, WM_PARTITION_MONOTONE);
    trace_lattice("baseline", make_random_scene(seed + 40), seed, WM_PARTITION_LAYERS);
  }
  for (uint32_t seed = 2; seed <= 6;
       seed += 2) { /* one tile each, with more contours than fit into a first array */
    trace_lattice("pillars", make_pillars(14), seed, WM_PARTITION_MONOTONE);
    trace_lattice("pillars", make_pillars(14), seed, WM_PARTITION_LAYERS);
  }
  is_traced = false;
}

/* ---- Regions with other numbers ---------------------------------------------------------------------- */

/* The raw region of each span: that of the baseline, whose regions are all partners. */
static uint16_t *find_raw_regions(const WmChangedTile *changed, uint32_t span_count) {
  const WmBaseline *baseline = changed->baseline;
  uint16_t *partner_of = calloc(baseline->record_count, sizeof *partner_of);
  uint16_t *raw = malloc(((size_t)span_count + 1) * sizeof *raw);
  for (uint32_t i = 1; i < changed->next_number; i++) partner_of[changed->partner[i]] = (uint16_t)i;
  for (uint32_t i = 0; i < span_count; i++) {
    const uint16_t region = baseline->raw_region[i];
    raw[i] = region & WM_REGION_BORDER ? region : partner_of[region];
  }
  free(partner_of);
  return raw;
}

/* Drops a raw region, makes it one of its own, or gives it to another; at last numbers all regions another way. */
static void renumber(WmChangedTile *changed, Random *random) {
  const int changes = random_below(random, 3);
  for (int k = 0; k <= changes; k++) {
    const int first = 5 + random_below(random, (int)changed->next_number - 5);
    const int second = 5 + random_below(random, (int)changed->next_number - 5);
    const int kind = random_below(random, 3);
    changed->number[first] = kind == 0   ? 0
                             : kind == 1 ? (uint16_t)++changed->region_count
                                         : changed->number[second];
  }
  if (random_below(random, 2) == 0) return;
  for (uint32_t i = 5; i < changed->next_number; i++) {
    if (changed->number[i]) changed->number[i] = (uint16_t)(changed->region_count + 1 - changed->number[i]);
  }
}

/* Contours of a tile whose spans are those of the baseline, and whose regions have been renumbered. */
static void compare_renumbered(WmContext *context, const Tile *tile, Random *random, Tally *tally) {
  const WmRegionSettings settings = region_settings(tile->baker);
  const WmCompactHeightfield *compact = begin(tile, NULL, 0);
  WmChangedTile changed = {
      .baseline = &tile->baseline, .baseline_area = tile->baseline_area, .compact = compact};
  WmRegions regions;
  const WmScratchMark mark = wm_scratch_mark(context);
  CHECK_EQUAL_INT(wm_build_changed_regions(context, &settings, &changed, &regions), WM_OK);
  if (changed.next_number > 5) {
    uint16_t *raw = find_raw_regions(&changed, compact->span_count);
    renumber(&changed, random);
    for (uint32_t i = 0; i < compact->span_count; i++) {
      if (!(raw[i] & WM_REGION_BORDER)) regions.span_region[i] = raw[i] ? changed.number[raw[i]] : 0;
    }
    memcpy(changed.span_region, regions.span_region, compact->span_count * sizeof *changed.span_region);
    regions.region_count = changed.region_count;
    compare_contours(context, tile, &changed, &regions, &regions, tally);
    free(raw);
  }
  wm_regions_free(context, &regions);
  wm_scratch_rewind(context, mark);
}

static void renumber_tiles(uint32_t seed, int32_t partition, Tally *tally) {
  WmContext *context = wm_context_create(NULL);
  WmConfig config = wm_config_default();
  config.cell_size = 0.15f;
  config.tile_size = 96;
  config.partition = partition;
  config.min_region_size = 0;
  if (seed % 2) config.merge_region_size = 0; /* else final regions have several raw ones */
  Scene scene = make_random_scene(seed);
  const WmBakeInput input = scene_input(&scene);
  WmBaker *baker;
  CHECK_EQUAL_INT(wm_baker_create(context, &config, &input, &baker), WM_OK);
  const WmVoxelConfig *voxels = wm_baker_voxels(baker);
  Random random = {seed};
  for (int32_t i = 0; i < voxels->tile_count_x * voxels->tile_count_z; i++) {
    Tile tile;
    open_tile(context, baker, i % voxels->tile_count_x, i / voxels->tile_count_x, &tile);
    for (int k = 0; tile.baseline.block && k < RENUMBERINGS; k++) {
      compare_renumbered(context, &tile, &random, tally);
    }
    close_tile(context, &tile);
  }
  wm_baker_destroy(baker);
  free_scene(&scene);
  wm_context_destroy(context);
}

/* Dropped, divided, joined and renumbered neighbours: the table at the head of changed_contours.c. */
static void contours_are_copied_only_if_numbers_can_be_replaced_one_for_one(void) {
  for (int32_t partition = WM_PARTITION_MONOTONE; partition <= WM_PARTITION_LAYERS; partition++) {
    Tally tally = {0};
    for (uint32_t seed = 1; seed <= 4; seed++) renumber_tiles(seed, partition, &tally);
    printf("partition %d, renumbered: %d of %d regions and %d of %d contours kept\n", partition, tally.kept,
           tally.regions, tally.kept_contours, tally.contours);
    CHECK_EQUAL_INT(tally.regions, 20400);
    CHECK_EQUAL_INT(tally.kept, 18800);
    CHECK_EQUAL_INT(tally.contours, partition == WM_PARTITION_MONOTONE ? 10000 : 6500);
    CHECK_EQUAL_INT(tally.kept_contours, partition == WM_PARTITION_MONOTONE ? 5594 : 2645);
  }
}

/* ---- Neighbours that divide or join ------------------------------------------------------------------- */

/* A box of a 48-cell tile, in cells of 0.25. */
static WmAreaVolume cells_volume(float x, float z, float end_x, float end_z, uint8_t area) {
  return (WmAreaVolume){
      .area = area, .minimum = {0.25f * x, -1, 0.25f * z}, .maximum = {0.25f * end_x, 1, 0.25f * end_z}};
}

/* Spans of another area are left of a straight border. Beyond it, a pillar divides the region: the part between border
 * and pillar begins with the pillar, unless the part behind the pillar is blocked. So vertices of the retained
 * contour come and go with a region that has no gap to the other one. */
static void check_straight_border(const WmAreaVolume *built, size_t built_count,
                                  const WmAreaVolume *obstacles, size_t count, Tally *tally) {
  WmContext *context = wm_context_create(NULL);
  WmConfig config = wm_config_default();
  config.cell_size = 0.25f;
  config.agent_radius = 0;
  config.tile_size = 48;
  config.partition = WM_PARTITION_MONOTONE;
  config.min_region_size = config.merge_region_size = 0;
  Scene scene = make_square(12);
  WmBakeInput input = scene_input(&scene);
  input.volumes = built;
  input.volume_count = built_count;
  WmBaker *baker;
  Tile tile;
  CHECK_EQUAL_INT(wm_baker_create(context, &config, &input, &baker), WM_OK);
  open_tile(context, baker, 0, 0, &tile);
  compare_with_whole(context, &tile, begin(&tile, obstacles, count), tally);
  close_tile(context, &tile);
  wm_baker_destroy(baker);
  free_scene(&scene);
  wm_context_destroy(context);
}

static void contours_beside_neighbours_that_divide_or_join_are_traced_again(void) {
  const WmAreaVolume volumes[] = {cells_volume(0, 0, 10, 48, 1), cells_volume(24, 16, 28, 32, 0)};
  const WmAreaVolume behind = cells_volume(28, 8, 48, 40, 0);
  Tally divided = {0}, joined = {0}, same = {0};
  check_straight_border(volumes, 1, &volumes[1], 1, &divided);
  check_straight_border(volumes, 2, &behind, 1, &joined);
  const WmAreaVolume corner = cells_volume(46, 46, 48, 48, 0);
  check_straight_border(volumes, 2, &corner, 1, &same);
  CHECK_EQUAL_INT(divided.contours, 2);
  CHECK_EQUAL_INT(divided.kept_contours, 0);
  CHECK_EQUAL_INT(joined.contours, 5);
  CHECK_EQUAL_INT(joined.kept_contours, 0);
  CHECK_EQUAL_INT(same.contours, 5);
  CHECK_EQUAL_INT(same.kept_contours, 4);
}

/* ---- Obstacles that change nothing ------------------------------------------------------------------ */

static WmTileData build_whole(WmBaker *baker, const uint8_t *bytes, size_t byte_count,
                              const WmAreaVolume *obstacle) {
  CHECK_EQUAL_INT(wm_baker_begin_kept_tile(baker, 0, 0, bytes, byte_count, obstacle, 1), WM_OK);
  while (wm_baker_next_stage(baker) != WM_STAGE_DONE) CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
  return wm_baker_take_tile(baker);
}

/* Of the border's columns only the first one, next to the inside, matters. */
static void check_border(int32_t partition) {
  WmContext *context = wm_context_create(NULL);
  WmConfig config = wm_config_default();
  config.tile_size = 48;
  config.partition = partition;
  const float cell = config.cell_size, edge = 48 * cell;
  const Scene scene = make_square(2 * edge - 0.1f);
  const WmBakeInput input = scene_input(&scene);
  WmBaker *baker;
  uint8_t *bytes;
  size_t byte_count;
  WmUnpackedTile *ground;
  float low[3], high[3];
  CHECK_EQUAL_INT(wm_baker_create(context, &config, &input, &baker), WM_OK);
  wm_baker_bounds(baker, low, high);
  CHECK_EQUAL_INT(wm_baker_begin_tile(baker, 0, 0, false), WM_OK);
  while (wm_baker_next_stage(baker) != WM_STAGE_COMPACT) CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_keep_tile(baker, &bytes, &byte_count), WM_OK);
  CHECK_EQUAL_INT(wm_baker_unpack_tile(baker, 0, 0, bytes, byte_count, &ground), WM_OK);
  const WmAreaVolume nothing = {.minimum = {-9, -9, -9}, .maximum = {-8, 9, -8}};
  WmTileData baseline = build_whole(baker, bytes, byte_count, &nothing);
  for (int column = 0; column < 3; column++) {
    const WmAreaVolume obstacle = {
        .minimum = {low[0] + edge + ((float)column + 0.25f) * cell, low[1] - 1, low[2] + 3},
        .maximum = {low[0] + edge + ((float)column + 2.75f) * cell, low[1] + 1, low[2] + 5}};
    bool is_baseline;
    CHECK_EQUAL_INT(wm_baker_begin_rebuild(baker, ground, &obstacle, 1, &is_baseline), WM_OK);
    CHECK_EQUAL_INT(is_baseline, column > 0);
    WmTileData built = build_whole(baker, bytes, byte_count, &obstacle);
    const bool is_equal =
        built.byte_count == baseline.byte_count && memcmp(built.bytes, baseline.bytes, built.byte_count) == 0;
    CHECK_EQUAL_INT(is_equal, column > 0);
    wm_tile_data_free(context, &built);
  }
  wm_tile_data_free(context, &baseline);
  wm_unpacked_tile_free(context, ground);
  wm_block_free(context, bytes);
  wm_baker_destroy(baker);
  Scene gone = scene;
  free_scene(&gone);
  wm_context_destroy(context);
}

static void an_obstacle_in_the_border_changes_what_is_next_to_it(void) {
  check_border(WM_PARTITION_MONOTONE);
  check_border(WM_PARTITION_LAYERS);
}

/* Obstacles that cover one cell, at the four corners of the tile's grid, border included: the watershed's distances depend on them,
 * other partitions don't. */
static void check_corners(int32_t partition, bool corners_matter) {
  WmContext *context = wm_context_create(NULL);
  WmConfig config = wm_config_default();
  config.tile_size = 32;
  config.agent_radius = 0; /* else the outermost cells are not walkable */
  config.filter_ledges = false;
  config.partition = partition;
  Scene scene = make_square(3 * 32 * config.cell_size);
  const WmBakeInput input = scene_input(&scene);
  WmBaker *baker;
  Tile tile;
  CHECK_EQUAL_INT(wm_baker_create(context, &config, &input, &baker), WM_OK);
  open_tile(context, baker, 1, 1, &tile);
  const WmGrid grid = begin(&tile, NULL, 0)->grid;
  for (int corner = 0; corner < 4; corner++) {
    WmAreaVolume cell = {.minimum = {0, -100, 0}, .maximum = {0, 100, 0}};
    for (int axis = 0; axis < 3; axis += 2) {
      const int32_t last = (axis ? grid.depth : grid.width) - 1, at = corner >> (axis / 2) & 1 ? last : 0;
      cell.minimum[axis] = grid.bounds_min[axis] + ((float)at + 0.25f) * grid.cell_size;
      cell.maximum[axis] = grid.bounds_min[axis] + ((float)at + 0.75f) * grid.cell_size;
    }
    bool is_baseline;
    CHECK_EQUAL_INT(wm_baker_begin_rebuild(baker, tile.ground, &cell, 1, &is_baseline), WM_OK);
    CHECK_EQUAL_INT(is_baseline, !corners_matter);
  }
  close_tile(context, &tile);
  wm_baker_destroy(baker);
  free_scene(&scene);
  wm_context_destroy(context);
}

static void an_obstacle_at_a_corner_of_the_border_changes_the_watershed_only(void) {
  check_corners(WM_PARTITION_WATERSHED, true);
  check_corners(WM_PARTITION_MONOTONE, false);
}

/* ---- Scratch memory ---------------------------------------------------------------------------------- */

/* The areas of an unpacked tile with an obstacle, before erosion. */
static uint8_t *mark_without_erosion(WmContext *context, WmBaker *baker, const uint8_t *bytes,
                                     size_t byte_count, const WmAreaVolume *obstacle, size_t *count) {
  CHECK_EQUAL_INT(wm_baker_begin_kept_tile(baker, 0, 0, bytes, byte_count, NULL, 0), WM_OK);
  CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
  WmCompactHeightfield compact = wm_baker_stages(baker)->compact;
  *count = compact.span_count;
  uint8_t *areas = malloc(*count + 16);
  memcpy(areas, compact.span_area, *count);
  compact.span_area = areas;
  CHECK_EQUAL_INT(wm_mark_area(context, &compact, obstacle), WM_OK);
  return areas;
}

/* The areas before marking are compared with those after it. If scratch memory happens to hold the marked ones
 * already, as after a rebuild with the same obstacle, the obstacle is still found, and eroded. */
static void rebuilt_areas_do_not_depend_on_former_scratch_memory(void) {
  WmContext *context = wm_context_create(NULL);
  WmConfig config = wm_config_default();
  config.tile_size = 48;
  Scene scene = make_square(20);
  const WmBakeInput input = scene_input(&scene);
  WmBaker *baker;
  uint8_t *bytes;
  size_t byte_count, count;
  WmUnpackedTile *ground;
  bool is_baseline;
  CHECK_EQUAL_INT(wm_baker_create(context, &config, &input, &baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_begin_tile(baker, 0, 0, false), WM_OK);
  while (wm_baker_next_stage(baker) != WM_STAGE_COMPACT) CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_keep_tile(baker, &bytes, &byte_count), WM_OK);
  CHECK_EQUAL_INT(wm_baker_unpack_tile(baker, 0, 0, bytes, byte_count, &ground), WM_OK);
  const WmAreaVolume obstacle = {.minimum = {5, -1, 5}, .maximum = {6, 1, 6}, .before_erosion = true};
  uint8_t *marked = mark_without_erosion(context, baker, bytes, byte_count, &obstacle, &count);
  CHECK_EQUAL_INT(wm_baker_begin_rebuild(baker, ground, &obstacle, 1, &is_baseline), WM_OK);
  uint8_t *expected = malloc(count);
  memcpy(expected, wm_baker_stages(baker)->compact.span_area, count);
  CHECK(memcmp(expected, marked, count) != 0); /* the obstacle is eroded */
  scratch_contents = marked;
  scratch_content_bytes = count;
  CHECK_EQUAL_INT(wm_baker_begin_rebuild(baker, ground, &obstacle, 1, &is_baseline), WM_OK);
  scratch_contents = NULL;
  CHECK_EQUAL_INT(wm_baker_stages(baker)->compact.span_count, count);
  CHECK(memcmp(wm_baker_stages(baker)->compact.span_area, expected, count) == 0);
  free(expected);
  free(marked);
  wm_unpacked_tile_free(context, ground);
  wm_block_free(context, bytes);
  wm_baker_destroy(baker);
  free_scene(&scene);
  wm_context_destroy(context);
}

int main(void) {
  trace_open("rebuild");
  RUN(rebuilds_retain_what_they_did);
  RUN(baselines_hold_what_they_did);
  RUN(an_obstacle_in_the_border_changes_what_is_next_to_it);
  RUN(an_obstacle_at_a_corner_of_the_border_changes_the_watershed_only);
  RUN(rebuilt_areas_do_not_depend_on_former_scratch_memory);
  RUN(contours_beside_neighbours_that_divide_or_join_are_traced_again);
  RUN(changed_tiles_are_those_of_a_whole_build);
  RUN(contours_are_copied_only_if_numbers_can_be_replaced_one_for_one);
  trace_close();
  return check_finish();
}
