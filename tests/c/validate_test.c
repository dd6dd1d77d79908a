/* The checks of stages' results (bake/validate.h): they hold on every stage of baked levels, and each finds a
 * single broken entry. */
#include "bake/validate.h"

#include "bake/compact/links.h"
#include "check.h"
#include "scene.h"

/* ---- Levels ------------------------------------------------------------------------------------------ */

/* Runs the stages of a tile, and every check after its stage and at the end. */
static void bake_and_validate(WmContext *context, WmBaker *baker, int32_t x, int32_t z) {
  CHECK_EQUAL_INT(wm_baker_begin_tile(baker, x, z, true), WM_OK);
  const WmBakeStages *stages = wm_baker_stages(baker);
  uint8_t *before = NULL;
  while (wm_baker_next_stage(baker) != WM_STAGE_DONE) {
    const WmStage stage = wm_baker_next_stage(baker);
    CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
    if (stage < WM_STAGE_COMPACT) CHECK(wm_heightfield_validate(&stages->heightfield));
    if (stage == WM_STAGE_COMPACT || stage == WM_STAGE_ERODE) {
      CHECK(wm_compact_heightfield_validate(&stages->compact));
      CHECK(wm_areas_validate(&stages->compact, before));
      if (!before) before = malloc(stages->compact.span_count + 1);
      memcpy(before, stages->compact.span_area, stages->compact.span_count);
    }
    if (stage == WM_STAGE_MARK_AREAS) CHECK(wm_areas_validate(&stages->compact, before));
    if (stage == WM_STAGE_DISTANCE && stages->distance.block) {
      CHECK(wm_distance_field_validate(&stages->compact, &stages->distance));
    }
    if (stage == WM_STAGE_REGIONS) {
      CHECK(wm_regions_validate(context, &stages->compact, &stages->regions));
    }
  }
  free(before);
  WmHeightfieldLayers layers;
  CHECK_EQUAL_INT(
      wm_build_heightfield_layers(context, &stages->compact, stages->compact.walkable_height, &layers),
      WM_OK);
  CHECK(wm_heightfield_layers_validate(&stages->compact, &layers));
  wm_heightfield_layers_free(context, &layers);
}

static WmAreaVolume box_volume(const float low[3], const float high[3], uint8_t area) {
  WmAreaVolume volume = {.kind = WM_AREA_VOLUME_BOX, .area = area};
  for (int axis = 0; axis < 3; axis++) {
    const float third = (high[axis] - low[axis]) / 3;
    volume.minimum[axis] = axis == 1 ? low[1] - 1 : low[axis] + third;
    volume.maximum[axis] = axis == 1 ? high[1] + 1 : high[axis] - third;
  }
  return volume;
}

static void validate_level(const Scene *scene, int32_t partition, int32_t tile_size) {
  WmContext *context = wm_context_create(NULL);
  WmConfig config = wm_config_default();
  config.partition = partition;
  config.tile_size = tile_size;
  config.median_filter = true;
  WmBakeInput input = scene_input(scene);
  WmBaker *baker;
  float low[3], high[3];
  CHECK_EQUAL_INT(wm_baker_create(context, &config, &input, &baker), WM_OK);
  wm_baker_bounds(baker, low, high);
  wm_baker_destroy(baker);
  const WmAreaVolume volume = box_volume(low, high, 7);
  input.volumes = &volume;
  input.volume_count = 1;
  CHECK_EQUAL_INT(wm_baker_create(context, &config, &input, &baker), WM_OK);
  const WmVoxelConfig *voxels = wm_baker_voxels(baker);
  for (int32_t z = 0; z < voxels->tile_count_z; z++) {
    for (int32_t x = 0; x < voxels->tile_count_x; x++) bake_and_validate(context, baker, x, z);
  }
  wm_baker_destroy(baker);
  wm_context_destroy(context);
}

static void stages_of_levels_are_valid(void) {
  static const char *const FILES[] = {"holes", "stairs", "tower", "maze"};
  for (int32_t i = 0; i < 4; i++) {
    char path[64];
    snprintf(path, sizeof path, "tests/scenes/%s.obj", FILES[i]);
    Scene scene = read_obj(path);
    CHECK(scene.triangle_count > 0);
    validate_level(&scene, i, 0);
    validate_level(&scene, (i + 1) % 4, 64);
    free_scene(&scene);
  }
}

static void stages_of_random_levels_are_valid(void) {
  for (uint32_t seed = 1; seed <= (uint32_t)CHECK_ROUNDS(12); seed++) {
    Scene scene = make_random_scene(seed);
    validate_level(&scene, (int32_t)(seed % 4), seed % 3 ? 48 : 0);
    free_scene(&scene);
  }
}

/* ---- Broken entries ---------------------------------------------------------------------------------- */

typedef struct Level {
  WmContext *context;
  Scene scene;
  WmBaker *baker;
  WmBakeStages stages; /* a copy; its arrays are the baker's */
} Level;

static Level bake_level(void) {
  Level level = {.context = wm_context_create(NULL), .scene = read_obj("tests/scenes/tower.obj")};
  WmConfig config = wm_config_default();
  config.tile_size = 64;
  const WmBakeInput input = scene_input(&level.scene);
  CHECK_EQUAL_INT(wm_baker_create(level.context, &config, &input, &level.baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_begin_tile(level.baker, 0, 0, true), WM_OK);
  while (wm_baker_next_stage(level.baker) != WM_STAGE_DONE) {
    CHECK_EQUAL_INT(wm_baker_step(level.baker), WM_OK);
  }
  level.stages = *wm_baker_stages(level.baker);
  return level;
}

static void free_level(Level *level) {
  wm_baker_destroy(level->baker);
  wm_context_destroy(level->context);
  free_scene(&level->scene);
}

/* Sets an entry, checks that `validate` is false then, and restores it. */
#define CHECK_FINDS(entry, broken, validate) \
  do { \
    unsigned char original[8]; \
    memcpy(original, &(entry), sizeof(entry)); \
    CHECK(validate); \
    (entry) = (__typeof__(entry))(broken); \
    CHECK(!(validate)); \
    memcpy(&(entry), original, sizeof(entry)); \
    CHECK(validate); \
  } while (0)

/* The first span of the tile proper with a link on side d to a walkable span of its area, and its region. */
static uint32_t find_linked(const WmBakeStages *stages, size_t d) {
  for (uint32_t span = 0; span < stages->compact.span_count; span++) {
    const uint32_t other = wm_link(&stages->compact.links, span, d);
    const uint16_t region = stages->regions.span_region[span];
    if (other != WM_NO_SPAN && region && region < WM_REGION_BORDER &&
        stages->regions.span_region[other] == region) {
      return span;
    }
  }
  CHECK(false);
  return 0;
}

/* The first span whose four neighbours are all of its region. */
static uint32_t find_inner(const WmBakeStages *stages) {
  const uint16_t *span_region = stages->regions.span_region;
  for (uint32_t span = 0; span < stages->compact.span_count; span++) {
    size_t d = 0;
    for (; d < 4; d++) {
      const uint32_t other = wm_link(&stages->compact.links, span, d);
      if (other == WM_NO_SPAN || span_region[other] != span_region[span]) break;
    }
    if (d == 4 && span_region[span] && span_region[span] < WM_REGION_BORDER) return span;
  }
  CHECK(false);
  return 0;
}

/* The lowest span of the first cell with at least two. */
static uint32_t find_stacked(const uint32_t *cell_first) {
  uint32_t cell = 0;
  while (cell_first[cell + 1] - cell_first[cell] < 2) cell++;
  return cell_first[cell];
}

static void a_broken_heightfield_is_found(void) {
  Level level = bake_level();
  WmHeightfield *field = &level.stages.heightfield;
  const uint32_t span = find_stacked(field->cell_first);
  CHECK_FINDS(field->span_max[span], field->span_min[span], wm_heightfield_validate(field));
  CHECK_FINDS(field->span_min[span], field->span_max[span], wm_heightfield_validate(field));
  CHECK_FINDS(field->span_max[span], field->span_min[span + 1], wm_heightfield_validate(field)); /* touches */
  CHECK_FINDS(field->span_min[span + 1], field->span_max[span], wm_heightfield_validate(field));
  CHECK_FINDS(field->span_max[span + 1], 65534, wm_heightfield_validate(field));
  CHECK_FINDS(field->span_area[span], WM_AREA_COUNT, wm_heightfield_validate(field));
  CHECK_FINDS(field->span_count, field->span_count - 1, wm_heightfield_validate(field));
  CHECK_FINDS(field->cell_first[0], 1, wm_heightfield_validate(field));
  CHECK_FINDS(field->cell_first[7], field->span_count + 1, wm_heightfield_validate(field));
  free_level(&level);
}

static void a_broken_compact_heightfield_is_found(void) {
  Level level = bake_level();
  WmCompactHeightfield *compact = &level.stages.compact;
  const uint32_t span = find_linked(&level.stages, 2), stacked = find_stacked(compact->cell_first);
  CHECK_FINDS(compact->span_floor[span], 0, wm_compact_heightfield_validate(compact));
  CHECK_FINDS(compact->span_floor[span], compact->span_floor[span] + 5,
              wm_compact_heightfield_validate(compact));
  CHECK_FINDS(compact->span_floor[stacked], compact->span_floor[stacked + 1],
              wm_compact_heightfield_validate(compact));
  CHECK_FINDS(compact->span_clearance[span], 9, wm_compact_heightfield_validate(compact));
  CHECK_FINDS(compact->span_clearance[stacked],
              compact->span_floor[stacked + 1] - compact->span_floor[stacked],
              wm_compact_heightfield_validate(compact));
  CHECK_FINDS(compact->span_area[span], WM_AREA_COUNT, wm_compact_heightfield_validate(compact));
  CHECK_FINDS(compact->span_count, compact->span_count + 1, wm_compact_heightfield_validate(compact));
  CHECK_FINDS(compact->cell_first[9], compact->span_count + 1, wm_compact_heightfield_validate(compact));
  /* A link that is missing on one side only, and links to wrong spans. */
  WmLinkBlock *block = compact->links.blocks + span / WM_LINK_BLOCK;
  CHECK_FINDS(block->present[2], block->present[2] & ~(1u << span % WM_LINK_BLOCK),
              wm_compact_heightfield_validate(compact));
  block = compact->links.blocks;
  while (block->list || !block->present[1]) block++;
  CHECK_FINDS(block->step[1], block->step[1] + 1, wm_compact_heightfield_validate(compact));
  free_level(&level);
}

/* True if a span fits between those above and below it, and an agent can pass each of its links. */
static bool is_span_sound(const WmCompactHeightfield *compact, uint32_t cell, uint32_t span) {
  const uint32_t first = compact->cell_first[cell], end = compact->cell_first[cell + 1];
  const int floor = compact->span_floor[span], ceiling = floor + compact->span_clearance[span];
  const int below = span > first ? compact->span_floor[span - 1] + compact->span_clearance[span - 1] : 0;
  if (floor <= below || (span + 1 < end && compact->span_floor[span + 1] <= ceiling)) return false;
  for (size_t d = 0; d < 4; d++) {
    const uint32_t other = wm_link(&compact->links, span, d);
    if (other == WM_NO_SPAN) continue;
    const int other_floor = compact->span_floor[other], top = other_floor + compact->span_clearance[other];
    if (abs(other_floor - floor) > compact->walkable_climb) return false;
    const int bottom = floor > other_floor ? floor : other_floor;
    if ((ceiling < top ? ceiling : top) - bottom < compact->walkable_height) return false;
  }
  return true;
}

/* Floors and clearances of some spans are moved up and down. */
static void gaps_and_steps_are_checked_to_the_cell_height(void) {
  Level level = bake_level();
  WmCompactHeightfield *compact = &level.stages.compact;
  const uint32_t cells = (uint32_t)(compact->grid.width * compact->grid.depth);
  int sound = 0, broken = 0;
  for (uint32_t cell = 99; cell < cells; cell += cells / 12) {
    const uint32_t span = compact->cell_first[cell];
    if (span == compact->cell_first[cell + 1]) continue;
    const uint16_t floor = compact->span_floor[span];
    const uint8_t clearance = compact->span_clearance[span];
    for (int change = -12; change <= 12; change++) {
      compact->span_floor[span] = (uint16_t)(floor + change);
      const bool with_floor = is_span_sound(compact, cell, span);
      if (floor + change >= 0) CHECK_EQUAL_INT(wm_compact_heightfield_validate(compact), with_floor);
      compact->span_floor[span] = floor;
      if (clearance + change < 0 || clearance + change > 255) continue;
      compact->span_clearance[span] = (uint8_t)(clearance + change);
      const bool with_clearance = is_span_sound(compact, cell, span);
      CHECK_EQUAL_INT(wm_compact_heightfield_validate(compact), with_clearance);
      compact->span_clearance[span] = clearance;
      sound += with_floor + with_clearance;
      broken += !with_floor + !with_clearance;
    }
  }
  CHECK(sound > 30 && broken > 30);
  free_level(&level);
}

/* Each line of cells beside the border's inner edge: inside it regions have numbers, outside they have sides. */
static void borders_are_checked_to_the_cell(void) {
  Level level = bake_level();
  const WmCompactHeightfield *compact = &level.stages.compact;
  WmRegions *regions = &level.stages.regions;
  const WmGrid *grid = &compact->grid;
  const int32_t border = grid->border_size;
  int found[2] = {0, 0};
  for (int32_t z = 0; z < grid->depth; z++) {
    for (int32_t x = 0; x < grid->width; x++) {
      const bool is_edge = x == border || x == border - 1 || x == grid->width - border ||
                           x == grid->width - border - 1 || z == border || z == border - 1 ||
                           z == grid->depth - border || z == grid->depth - border - 1;
      if (!is_edge || (x * 5 + z * 3) % 11 != 0) continue;
      const uint32_t span = compact->cell_first[x + z * grid->width];
      if (span == compact->cell_first[x + z * grid->width + 1]) continue;
      if (compact->span_area[span] == WM_AREA_NULL) continue;
      const bool is_inside =
          x >= border && z >= border && x < grid->width - border && z < grid->depth - border;
      const uint16_t region = regions->span_region[span];
      for (uint32_t side = 0; side < 7; side++) {
        regions->span_region[span] = (uint16_t)(WM_REGION_BORDER | side);
        CHECK_EQUAL_INT(wm_regions_validate(NULL, compact, regions), !is_inside && side >= 1 && side <= 4);
      }
      regions->span_region[span] = 0; /* too small to stay, or not of the border */
      CHECK_EQUAL_INT(wm_regions_validate(NULL, compact, regions), is_inside);
      regions->span_region[span] = (uint16_t)(regions->region_count + 1);
      CHECK(!wm_regions_validate(NULL, compact, regions));
      regions->span_region[span] = region;
      found[is_inside]++;
    }
  }
  CHECK(wm_regions_validate(level.context, compact, regions) && found[0] > 4 && found[1] > 4);
  free_level(&level);
}

/* Heightfields without cells, and with spans at the limits of heights. */
static void heights_and_sizes_at_their_limits_are_valid(void) {
  uint32_t cell_first[2] = {0, 0};
  uint16_t low[2] = {0, 3}, high[2] = {2, 65533};
  uint8_t area[2] = {0, WM_AREA_COUNT - 1};
  WmHeightfield field = {
      .cell_first = cell_first, .span_min = low, .span_max = high, .span_area = area, .span_count = 0};
  CHECK(wm_heightfield_validate(&field));
  CHECK_FINDS(field.grid.width, -1, wm_heightfield_validate(&field));
  CHECK_FINDS(field.grid.depth, -1, wm_heightfield_validate(&field));
  CHECK_FINDS(field.span_count, 1, wm_heightfield_validate(&field));
  field.grid.width = field.grid.depth = 1;
  field.span_count = cell_first[1] = 2;
  CHECK(wm_heightfield_validate(&field));
  CHECK_FINDS(low[1], 2, wm_heightfield_validate(&field)); /* touches the span below */
  CHECK_FINDS(high[1], 65534, wm_heightfield_validate(&field));
  CHECK_FINDS(high[0], 0, wm_heightfield_validate(&field));
  CHECK_FINDS(area[1], WM_AREA_COUNT, wm_heightfield_validate(&field));
  CHECK_FINDS(cell_first[0], 1, wm_heightfield_validate(&field));
}

static void broken_areas_are_found(void) {
  Level level = bake_level();
  WmCompactHeightfield *compact = &level.stages.compact;
  uint8_t *before = malloc(compact->span_count);
  memcpy(before, compact->span_area, compact->span_count);
  uint32_t unwalkable = 0;
  while (before[unwalkable] != WM_AREA_NULL) unwalkable++;
  CHECK_FINDS(compact->span_area[unwalkable], 1, wm_areas_validate(compact, before));
  CHECK_FINDS(compact->span_area[3], 64, wm_areas_validate(compact, NULL));
  free(before);
  free_level(&level);
}

static void a_broken_distance_field_is_found(void) {
  Level level = bake_level();
  const WmCompactHeightfield *compact = &level.stages.compact;
  WmDistanceField *distance = &level.stages.distance;
  uint32_t inner = 0, border = 0;
  while (distance->span_distance[inner] == 0) inner++;
  while (distance->span_distance[border] != 0) border++;
  CHECK_FINDS(distance->span_distance[inner], 0, wm_distance_field_validate(compact, distance));
  CHECK_FINDS(distance->span_distance[border], 1, wm_distance_field_validate(compact, distance));
  CHECK_FINDS(distance->span_distance[inner], distance->max_distance + 1,
              wm_distance_field_validate(compact, distance));
  CHECK_FINDS(distance->span_count, 3, wm_distance_field_validate(compact, distance));
  free_level(&level);
}

static void broken_regions_are_found(void) {
  Level level = bake_level();
  WmContext *context = level.context;
  WmCompactHeightfield *compact = &level.stages.compact;
  WmRegions *regions = &level.stages.regions;
  const uint32_t span = find_linked(&level.stages, 2);
  uint32_t border = 0, unwalkable = 0;
  while (!(regions->span_region[border] & WM_REGION_BORDER)) border++;
  while (compact->span_area[unwalkable] != WM_AREA_NULL) unwalkable++;
  CHECK_FINDS(regions->span_region[span], regions->region_count + 1,
              wm_regions_validate(context, compact, regions));
  CHECK_FINDS(regions->span_region[span], WM_REGION_BORDER | 1,
              wm_regions_validate(context, compact, regions));
  CHECK_FINDS(regions->span_region[border], 1, wm_regions_validate(context, compact, regions));
  CHECK_FINDS(regions->span_region[border], WM_REGION_BORDER | 5,
              wm_regions_validate(context, compact, regions));
  CHECK_FINDS(regions->span_region[unwalkable], 1, wm_regions_validate(context, compact, regions));
  CHECK_FINDS(compact->span_area[span], 9, wm_regions_validate(context, compact, regions));
  CHECK_FINDS(regions->region_count, 0, wm_regions_validate(context, compact, regions));
  CHECK_FINDS(regions->span_count, 0, wm_regions_validate(context, compact, regions));
  /* A span in the middle of a region gets the number of another region. */
  const uint32_t inner = find_inner(&level.stages);
  uint32_t other = 0;
  while (regions->span_region[other] == 0 || regions->span_region[other] & WM_REGION_BORDER ||
         regions->span_region[other] == regions->span_region[inner]) {
    other++;
  }
  CHECK_FINDS(regions->span_region[inner], regions->span_region[other],
              wm_regions_validate(context, compact, regions));
  free_level(&level);
}

static void broken_layers_are_found(void) {
  Level level = bake_level();
  const WmCompactHeightfield *compact = &level.stages.compact;
  WmHeightfieldLayers layers;
  CHECK_EQUAL_INT(wm_build_heightfield_layers(level.context, compact, 10, &layers), WM_OK);
  CHECK(layers.layer_count > 1);
  WmHeightfieldLayer *layer = &layers.layers[0];
  size_t used = 0, empty = 0;
  while ((layer->connections[used] & 15) != 15 || layer->connections[used] >> 4) used++;
  while (layer->heights[empty] != 255) empty++;
  CHECK_FINDS(layer->heights[used], layer->heights[used] + 1,
              wm_heightfield_layers_validate(compact, &layers));
  CHECK_FINDS(layer->heights[used], 255, wm_heightfield_layers_validate(compact, &layers));
  CHECK_FINDS(layer->heights[empty], 3, wm_heightfield_layers_validate(compact, &layers));
  CHECK_FINDS(layer->areas[used], 5, wm_heightfield_layers_validate(compact, &layers));
  CHECK_FINDS(layer->areas[empty], 5, wm_heightfield_layers_validate(compact, &layers));
  CHECK_FINDS(layer->connections[used], 7, wm_heightfield_layers_validate(compact, &layers));
  CHECK_FINDS(layer->connections[used], 31, wm_heightfield_layers_validate(compact, &layers));
  CHECK_FINDS(layer->connections[empty], 1, wm_heightfield_layers_validate(compact, &layers));
  CHECK_FINDS(layer->used_max_x, layer->used_max_x + 1, wm_heightfield_layers_validate(compact, &layers));
  CHECK_FINDS(layer->height_max, layer->height_min - 1, wm_heightfield_layers_validate(compact, &layers));
  CHECK_FINDS(layers.layer_count, layers.layer_count - 1, wm_heightfield_layers_validate(compact, &layers));
  CHECK_FINDS(layers.grid.width, layers.grid.width - 1, wm_heightfield_layers_validate(compact, &layers));
  wm_heightfield_layers_free(level.context, &layers);
  free_level(&level);
}

/* Its bounds are those of no cell. */
static void a_layer_without_cells_is_found(void) {
  const WmCompactHeightfield compact = {0};
  WmHeightfieldLayer layer = {
      .used_min_x = INT32_MAX, .used_max_x = -1, .used_min_z = INT32_MAX, .used_max_z = -1};
  WmHeightfieldLayers layers = {.layers = &layer};
  CHECK(wm_heightfield_layers_validate(&compact, &layers));
  layers.layer_count = 1;
  CHECK(!wm_heightfield_layers_validate(&compact, &layers));
}

int main(void) {
  RUN(stages_of_levels_are_valid);
  RUN(stages_of_random_levels_are_valid);
  RUN(a_broken_heightfield_is_found);
  RUN(a_broken_compact_heightfield_is_found);
  RUN(gaps_and_steps_are_checked_to_the_cell_height);
  RUN(borders_are_checked_to_the_cell);
  RUN(heights_and_sizes_at_their_limits_are_valid);
  RUN(broken_areas_are_found);
  RUN(a_broken_distance_field_is_found);
  RUN(broken_regions_are_found);
  RUN(broken_layers_are_found);
  RUN(a_layer_without_cells_is_found);
  return check_finish();
}
