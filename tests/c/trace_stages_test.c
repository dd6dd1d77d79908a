/* Golden traces of stages (trace.h): each by itself, with results of 1 element, 2, and so on; height detail at all distances and
 * errors; volumes that are offset; and what the checks of results (bake/validate.h) say when entries of them are changed. */
#include <math.h>

#include "bake/contours/contours_internal.h"
#include "bake/contours/contours_validate.h"
#include "bake/detail/detail_mesh_validate.h"
#include "bake/polygons/polygon_mesh_validate.h"
#include "bake/rebuild/unpacked_tile.h"
#include "bake/tile/tile_validate.h"
#include "bake/validate.h"
#include "baked_levels.h"
#include "dynamic/obstacles/offset_volume.h"

/* ---- Polygons that grow ------------------------------------------------------------------------------- */

/* Outlines of every kind, offset inwards and outwards, and volumes offset by an agent radius. */
static void every_offset_is_as_it_was(void) {
  WmContext *context = wm_context_create(NULL);
  trace_begin("offsets");
  for (uint32_t seed = 1; seed <= 200; seed++) {
    Random random = {seed};
    float outline[OUTLINE][3], widened[2 * OUTLINE][3] = {{0}};
    WmAreaVolume volume = invent_volume(&random, outline);
    for (int i = 0; i < OUTLINE && seed % 2; i++) {
      outline[i][0] += between(&random, -1, 1);
      outline[i][2] += between(&random, -1, 1);
    }
    size_t count = 0;
    const float radius = between(&random, -1, 2);
    const size_t room = (size_t)random_below(&random, 2 * OUTLINE + 1);
    trace_status(context, wm_offset_polygon(context, outline[0], OUTLINE, radius, widened[0], room, &count));
    trace_number(count);
    TRACE(widened);
    if (volume.kind == WM_AREA_VOLUME_PRISM) volume.kind = WM_AREA_VOLUME_CYLINDER;
    volume.before_erosion = true;
    const WmScratchMark mark = wm_scratch_mark(context);
    const WmAreaVolume *volumes = &volume;
    size_t volume_count = 1;
    const WmStatus status = wm_offset_volumes(context, fabsf(radius), &volumes, &volume_count);
    trace_status(context, status);
    for (size_t i = 0; !status && i < volume_count; i++) {
      const WmAreaVolume *one = &volumes[i];
      trace_number((uint64_t)one->kind << 8 | one->area);
      if (one->kind == WM_AREA_VOLUME_PRISM) trace_fold(one->vertices, one->vertex_count * 3 * sizeof(float));
      TRACE(one->minimum);
      TRACE(one->maximum);
      TRACE(one->centre);
      TRACE(one->radius);
      TRACE(one->height);
    }
    wm_scratch_rewind(context, mark);
  }
  trace_end();
  wm_context_destroy(context);
}

/* ---- Broken results ----------------------------------------------------------------------------------- */

/* What the checks of stages' results look at. */
static struct {
  WmContext *context;
  WmBakeStages stages;
  WmHeightfieldLayers layers;
  uint8_t *areas; /* before volumes were marked */
} judged;

typedef bool (*Judge)(void);

static bool judge_heightfield(void) { return wm_heightfield_validate(&judged.stages.heightfield); }
static bool judge_compact(void) { return wm_compact_heightfield_validate(&judged.stages.compact); }
static bool judge_areas(void) { return wm_areas_validate(&judged.stages.compact, judged.areas); }
static bool judge_distance(void) {
  return wm_distance_field_validate(&judged.stages.compact, &judged.stages.distance);
}
static bool judge_regions(void) {
  return wm_regions_validate(judged.context, &judged.stages.compact, &judged.stages.regions);
}
static bool judge_contours(void) { return wm_contour_set_validate(&judged.stages.contours); }
static bool judge_polygons(void) { return wm_polygon_mesh_validate(&judged.stages.polygon_mesh); }
static bool judge_details(void) {
  return wm_detail_mesh_validate(&judged.stages.detail_mesh, &judged.stages.polygon_mesh);
}
static bool judge_layers(void) {
  return wm_heightfield_layers_validate(&judged.stages.compact, &judged.layers);
}
static bool judge_tile(void) { return wm_tile_validate(&judged.stages.tile); }

/* Changes some entries of an array, one at a time, and folds what the check says. */
static void judge_array(void *array, size_t count, size_t entry_bytes, Judge is_valid) {
  trace_number(is_valid());
  for (size_t i = 0; i < count; i += 1 + count / 100) {
    uint8_t *entry = (uint8_t *)array + i * entry_bytes;
    const uint8_t *other = (uint8_t *)array + (i + 1) % count * entry_bytes;
    uint32_t before = 0, next = 0;
    memcpy(&before, entry, entry_bytes);
    memcpy(&next, other, entry_bytes);
    const uint32_t values[] = {before + 1, before - 1, 0, UINT32_MAX, next, before ^ 0x80, before + 7};
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
      memcpy(entry, &values[k], entry_bytes);
      trace_number(is_valid());
    }
    memcpy(entry, &before, entry_bytes);
  }
}

static void judge_fields(WmStage stage) {
  WmBakeStages *stages = &judged.stages;
  const size_t cells = (size_t)stages->heightfield.grid.width * (size_t)stages->heightfield.grid.depth;
  if (stage == WM_STAGE_FILTER_LOW_HEIGHT) {
    WmHeightfield *field = &stages->heightfield;
    judge_array(field->cell_first, cells + 1, 4, judge_heightfield);
    judge_array(field->span_min, field->span_count, 2, judge_heightfield);
    judge_array(field->span_max, field->span_count, 2, judge_heightfield);
    judge_array(field->span_area, field->span_count, 1, judge_heightfield);
  }
  WmCompactHeightfield *compact = &stages->compact;
  if (stage == WM_STAGE_COMPACT) {
    judge_array(compact->cell_first, cells + 1, 4, judge_compact);
    judge_array(compact->span_floor, compact->span_count, 2, judge_compact);
    judge_array(compact->span_area, compact->span_count, 1, judge_compact);
    judge_array(&compact->walkable_climb, 1, 4, judge_compact);
    compact->links_are_symmetric = !compact->links_are_symmetric;
    trace_number(judge_compact());
    compact->links_are_symmetric = !compact->links_are_symmetric;
  }
  if (stage == WM_STAGE_MARK_AREAS) judge_array(compact->span_area, compact->span_count, 1, judge_areas);
  if (stage == WM_STAGE_DISTANCE && stages->distance.block) {
    judge_array(stages->distance.span_distance, compact->span_count, 2, judge_distance);
    judge_array(&stages->distance.max_distance, 1, 2, judge_distance);
  }
  if (stage == WM_STAGE_REGIONS) {
    judge_array(stages->regions.span_region, compact->span_count, 2, judge_regions);
    judge_array(&stages->regions.region_count, 1, 4, judge_regions);
  }
}

static void judge_layer_images(void) {
  const size_t cells = (size_t)judged.layers.grid.width * (size_t)judged.layers.grid.depth;
  for (uint32_t i = 0; i < judged.layers.layer_count; i++) {
    WmHeightfieldLayer *layer = &judged.layers.layers[i];
    judge_array(layer->heights, cells, 1, judge_layers);
    judge_array(layer->areas, cells, 1, judge_layers);
    judge_array(layer->connections, cells, 1, judge_layers);
    judge_array(&layer->height_min, 1, 4, judge_layers);
  }
}

static void judge_meshes(void) {
  const WmContourSet *set = &judged.stages.contours;
  const WmPolygonMesh *mesh = &judged.stages.polygon_mesh;
  const WmDetailMesh *detail = &judged.stages.detail_mesh;
  const size_t contours = set->contour_count, polygons = mesh->polygon_count;
  judge_array(set->vertices, 4 * (size_t)set->vertex_first[contours], 4, judge_contours);
  judge_array(set->raw_vertices, 4 * (size_t)set->raw_first[contours], 4, judge_contours);
  judge_array(set->vertex_first, contours + 1, 4, judge_contours);
  judge_array(set->raw_first, contours + 1, 4, judge_contours);
  judge_array(set->contour_region, contours, 2, judge_contours);
  judge_array(set->contour_area, contours, 1, judge_contours);
  judge_array(mesh->vertices, 3 * (size_t)mesh->vertex_count, 2, judge_polygons);
  judge_array(mesh->polygons, 2 * (size_t)mesh->max_vertices_per_polygon * polygons, 2, judge_polygons);
  judge_array(mesh->polygon_area, polygons, 1, judge_polygons);
  judge_array(detail->submeshes, 4 * (size_t)detail->submesh_count, 4, judge_details);
  judge_array(detail->vertices, 3 * (size_t)detail->vertex_count, 4, judge_details);
  judge_array(detail->triangles, 4 * (size_t)detail->triangle_count, 1, judge_details);
  judge_array(judged.stages.tile.bytes, judged.stages.tile.byte_count / 4, 4, judge_tile);
  judge_array(judged.stages.tile.bytes, judged.stages.tile.byte_count / 2, 2, judge_tile);
}

static void judge_level(uint32_t seed) {
  static Level level;
  char name[32];
  snprintf(name, sizeof name, "judged-%u", (unsigned)seed);
  invent_level(&level, seed);
  level.config.cell_size = 0.8f;
  level.config.agent_radius = 0.4f;
  level.config.tile_size = seed % 2 ? 14 : 0;
  WmContext *context = wm_context_create(NULL);
  WmBaker *baker = NULL;
  trace_begin(name);
  CHECK_EQUAL_INT(wm_baker_create(context, &level.config, &level.input, &baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_begin_tile(baker, 0, 0, true), WM_OK);
  judged.context = context;
  judged.areas = NULL;
  while (wm_baker_next_stage(baker) != WM_STAGE_DONE) {
    const WmStage stage = wm_baker_next_stage(baker);
    CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
    judged.stages = *wm_baker_stages(baker);
    judge_fields(stage);
    if (stage != WM_STAGE_ERODE) continue;
    judged.areas = malloc(judged.stages.compact.span_count + 1);
    memcpy(judged.areas, judged.stages.compact.span_area, judged.stages.compact.span_count);
  }
  const int32_t height = judged.stages.compact.walkable_height;
  CHECK_EQUAL_INT(wm_build_heightfield_layers(context, &judged.stages.compact, height, &judged.layers),
                  WM_OK);
  judge_layer_images();
  judge_meshes();
  wm_heightfield_layers_free(context, &judged.layers);
  free(judged.areas);
  wm_baker_destroy(baker);
  trace_end();
  wm_context_destroy(context);
  free_scene(&level.scene);
}

static void every_broken_result_is_found_as_it_was(void) {
  for (uint32_t seed = 1; seed <= trace_seeds(6); seed++) judge_level(seed);
}

/* ---- Counts ------------------------------------------------------------------------------------------- */

enum { FLAGSTONES_ACROSS = 8, MOST_FLAGSTONES = 64 };

/* Flat squares of 1, 1 apart; the first one is longer if the count is odd. */
static Scene make_flagstones(uint32_t count) {
  Scene scene = {.positions = malloc(12 * (size_t)count * sizeof(float)),
                 .indices = malloc(6 * (size_t)count * sizeof(uint32_t)),
                 .vertex_count = 4 * (size_t)count,
                 .triangle_count = 2 * (size_t)count};
  for (uint32_t i = 0; i < count; i++) {
    const float x = 2 * (float)(i % FLAGSTONES_ACROSS), z = 2 * (float)(i / FLAGSTONES_ACROSS);
    const float end = x + (i == 0 && count % 2 ? 1.5f : 1);
    const float corners[4][3] = {{x, 0, z}, {x, 0, z + 1}, {end, 0, z + 1}, {end, 0, z}};
    const uint32_t first = 4 * i, indices[6] = {first, first + 1, first + 2, first, first + 2, first + 3};
    memcpy(scene.positions + 12 * (size_t)i, corners, sizeof corners);
    memcpy(scene.indices + 6 * (size_t)i, indices, sizeof indices);
  }
  return scene;
}

/* Unpacks the kept tile, and builds it without obstacles and with one. */
static void rebuild_tile(WmContext *context, WmBaker *baker) {
  static const WmAreaVolume OBSTACLE = {.minimum = {0.5f, -1, 0}, .maximum = {1, 1, 0.5f}};
  uint8_t *kept = NULL;
  size_t kept_bytes = 0;
  WmUnpackedTile *unpacked = NULL;
  CHECK_EQUAL_INT(wm_baker_begin_tile(baker, 0, 0, false), WM_OK);
  while (wm_baker_next_stage(baker) < WM_STAGE_COMPACT) CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_keep_tile(baker, &kept, &kept_bytes), WM_OK);
  CHECK_EQUAL_INT(wm_baker_unpack_tile(baker, 0, 0, kept, kept_bytes, &unpacked), WM_OK);
  for (size_t count = 0; count < 2; count++) {
    bool is_baseline = false;
    trace_status(context, wm_baker_begin_rebuild(baker, unpacked, &OBSTACLE, count, &is_baseline));
    trace_status(context, wm_baker_rebuild_regions(baker, unpacked));
    while (wm_baker_next_stage(baker) < WM_STAGE_POLYGON_MESH) trace_status(context, wm_baker_step(baker));
    trace_status(context, wm_baker_rebuild_polygons(baker, unpacked, is_baseline, true));
    trace_status(context, wm_baker_step(baker));
    trace_tile(context, baker);
  }
  wm_unpacked_tile_free(context, unpacked);
  wm_block_free(context, kept);
}

/* Levels of 1 region, contour and polygon, of 2, and so on: some fill each array to its last element. */
static void count_flagstones(int32_t partition) {
  static Level level;
  char name[32];
  snprintf(name, sizeof name, "counts-%d", (int)partition);
  trace_begin(name);
  for (uint32_t count = 1; count <= MOST_FLAGSTONES; count++) {
    level = (Level){.random = {1}, .scene = make_flagstones(count), .config = wm_config_default()};
    level.config.cell_size = 0.5f;
    level.config.agent_radius = level.config.min_region_size = level.config.merge_region_size = 0;
    level.config.filter_ledges = false;
    level.config.partition = partition;
    level.input = scene_input(&level.scene);
    WmContext *context = wm_context_create(NULL);
    WmBaker *baker = NULL;
    CHECK_EQUAL_INT(wm_baker_create(context, &level.config, &level.input, &baker), WM_OK);
    bake_tile(context, baker, &level, 0, 0);
    rebuild_tile(context, baker);
    wm_baker_destroy(baker);
    wm_context_destroy(context);
    free_scene(&level.scene);
  }
  trace_end();
}

static void every_count_is_as_it_was(void) {
  for (int32_t partition = 0; partition < 4; partition++) count_flagstones(partition);
}

/* ---- Holes that touch and cross ----------------------------------------------------------------------- */

enum { HOLES = 6, RING_LIMIT = 9, RING_SIDE = 24 };

/* A rectangle, clockwise for holes and counter-clockwise for the outline, with some corners moved, and doubled. */
static WmContourRecord invent_ring(Random *random, WmContext *context, WmContourVertexList *list,
                                   bool is_hole) {
  WmContourRecord record = {.ring = {.first = list->count}, .region = 1, .area = 1};
  const int32_t most = is_hole ? 7 : RING_SIDE;
  const int32_t x = is_hole ? random_below(random, RING_SIDE) : 0,
                wide = is_hole ? 1 + random_below(random, most) : most;
  const int32_t z = is_hole ? random_below(random, RING_SIDE) : 0,
                deep = is_hole ? 1 + random_below(random, most) : most;
  CHECK(wm_contour_extend(context, list, RING_LIMIT));
  for (int32_t corner = 0; corner < 4; corner++) {
    const int32_t at = is_hole ? 3 - corner : corner;
    const bool is_moved = random_below(random, 3) == 0;
    for (int32_t copies = random_below(random, 5) == 0 ? 2 : 1; copies > 0; copies--) {
      WmContourVertex *vertex = &list->items[list->count++];
      vertex->x = x + (at == 1 || at == 2 ? wide : 0);
      vertex->z = z + (at > 1 ? deep : 0);
      if (is_moved) vertex->x += random_below(random, 5) - 2;
      if (is_moved) vertex->z += random_below(random, 5) - 2;
      vertex->y = random_below(random, 4);
      vertex->code = (int32_t)list->count;
    }
  }
  record.ring.count = (uint32_t)(list->count - record.ring.first);
  return record;
}

/* Holes lie in, on and beyond each other and the outline: some can't be joined unless any bridge will do. */
static void every_hole_is_joined_as_it_was(void) {
  trace_begin("holes");
  for (uint32_t seed = 1; seed <= 400; seed++) {
    Random random = {seed};
    WmContext *context = wm_context_create(NULL);
    const WmScratchMark mark = wm_scratch_mark(context);
    WmContourVertexList list = {0};
    WmContourRecord contours[HOLES + 1] = {invent_ring(&random, context, &list, false)};
    uint32_t holes[HOLES], hole_count = 1 + (uint32_t)random_below(&random, HOLES);
    for (uint32_t i = 0; i < hole_count; i++) {
      contours[i + 1] = invent_ring(&random, context, &list, true);
      holes[i] = i + 1;
    }
    trace_status(context,
                 wm_contour_join_holes(context, contours, &list, 0, holes, &hole_count, seed % 4 == 0));
    trace_number(hole_count);
    trace_fold(holes, hole_count * sizeof *holes);
    for (int i = 0; i <= HOLES; i++) trace_number(contours[i].ring.count);
    trace_fold(list.items + contours[0].ring.first, contours[0].ring.count * sizeof *list.items);
    wm_scratch_rewind(context, mark);
    wm_context_destroy(context);
  }
  trace_end();
}

/* ---- Each stage by itself ----------------------------------------------------------------------------- */

/* The fields that a stage may have changed. */
static void fold_fields(WmContext *context, const WmBakeStages *stages, WmStage stage) {
  WmBytes bytes = {NULL, 0};
  WmStatus status = wm_dump_heightfield(context, &stages->heightfield, &bytes);
  fold_dump(context, status, bytes);
  if (stage < WM_STAGE_COMPACT) return;
  status = wm_dump_areas(context, &stages->compact, &bytes);
  fold_dump(context, status, bytes);
}

/* The stages are kept: later ones must not have run early. */
static void step_level(uint32_t seed) {
  static Level level;
  char name[32];
  snprintf(name, sizeof name, "stages-%u", (unsigned)seed);
  invent_lattice_level(&level, seed + 600);
  WmContext *context = wm_context_create(NULL);
  WmBaker *baker = NULL;
  trace_begin(name);
  CHECK_EQUAL_INT(wm_baker_create(context, &level.config, &level.input, &baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_begin_tile(baker, 0, 0, true), WM_OK);
  while (wm_baker_next_stage(baker) < WM_STAGE_REGIONS) {
    const WmStage stage = wm_baker_next_stage(baker);
    CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
    fold_fields(context, wm_baker_stages(baker), stage);
  }
  wm_baker_destroy(baker);
  trace_end();
  wm_context_destroy(context);
  free_scene(&level.scene);
}

static void every_stage_is_as_it_was(void) {
  for (uint32_t seed = 1; seed <= trace_seeds(12); seed++) step_level(seed);
}

/* ---- Height detail ------------------------------------------------------------------------------------ */

enum { HILL_SIDE = 20 };

/* Hills of heights in quarters, some of them steep; a second floor over a part of them. */
static Scene make_hills(uint32_t seed) {
  Random random = {seed};
  const size_t side = HILL_SIDE + 1, half = HILL_SIDE / 2;
  Scene scene = {.positions = malloc(3 * (side * side + 4) * sizeof(float)),
                 .indices = malloc(3 * (2 * (size_t)HILL_SIDE * HILL_SIDE + 2) * sizeof(uint32_t))};
  for (size_t i = 0; i < side * side; i++) {
    const size_t west = 3 * (i - 1) + 1, north = 3 * (i - side) + 1;
    const float before = i % side ? scene.positions[west] : 2, above = i >= side ? scene.positions[north] : 2;
    float *position = scene.positions + 3 * scene.vertex_count++;
    position[0] = (float)(i % side);
    position[1] = snap(0.5f * (before + above) + between(&random, -0.6f, 0.6f), 0.125f);
    position[2] = (float)(i / side);
  }
  for (size_t i = 0; i < (size_t)HILL_SIDE * HILL_SIDE; i++) {
    const uint32_t a = (uint32_t)(i % HILL_SIDE + i / HILL_SIDE * side), b = a + (uint32_t)side;
    const uint32_t corners[6] = {a, b, b + 1, a, b + 1, a + 1};
    memcpy(scene.indices + 6 * i, corners, sizeof corners);
  }
  scene.triangle_count = 2 * (size_t)HILL_SIDE * HILL_SIDE;
  const float floor[4][3] = {
      {2, 5, 2}, {2, 6, (float)half}, {(float)half, 6, (float)half}, {(float)half, 5, 2}};
  memcpy(scene.positions + 3 * scene.vertex_count, floor, sizeof floor);
  const uint32_t first = (uint32_t)scene.vertex_count;
  const uint32_t corners[6] = {first, first + 1, first + 2, first, first + 2, first + 3};
  memcpy(scene.indices + 3 * scene.triangle_count, corners, sizeof corners);
  scene.vertex_count += 4;
  scene.triangle_count += 2;
  return scene;
}

/* Builds the detail of a mesh with settings from none to the finest, and again with polygons that belong to no region. */
static void fold_details(WmContext *context, const WmBakeStages *stages, float scale) {
  static const float DISTANCES[] = {0, 0.3f, 0.5f, 0.9f, 1.5f, 4, 100}, ERRORS[] = {0, 0.125f, 1};
  for (uint32_t i = 0; i < stages->polygon_mesh.polygon_count; i++) {
    if (i % 3 == 2) stages->polygon_mesh.polygon_region[i] = 0;
  }
  for (size_t d = 0; d < sizeof DISTANCES / sizeof *DISTANCES; d++) {
    for (size_t e = 0; e < sizeof ERRORS / sizeof *ERRORS; e++) {
      const WmDetailSettings settings = {.sample_distance = scale * DISTANCES[d],
                                         .max_error = scale * ERRORS[e]};
      WmDetailMesh detail;
      const WmStatus status = wm_build_detail_mesh(context, &stages->polygon_mesh, &stages->compact,
                                                   &stages->regions, &settings, &detail);
      trace_status(context, status);
      WmBytes bytes = {NULL, 0};
      if (status) continue;
      const WmStatus dumped = wm_dump_detail_mesh(context, &detail, &bytes);
      fold_dump(context, dumped, bytes);
      wm_detail_mesh_free(context, &detail);
    }
  }
}

/* Sizes are multiplied by `scale`. */
static void detail_level(const char *kind, uint32_t seed, float scale) {
  Scene scene = make_hills(seed);
  char name[32];
  snprintf(name, sizeof name, "%s-%u", kind, (unsigned)seed);
  for (size_t i = 0; i < 3 * scene.vertex_count; i++) scene.positions[i] *= scale;
  WmContext *context = wm_context_create(NULL);
  WmConfig config = wm_config_default();
  config.cell_size = scale * (seed % 2 ? 0.5f : 0.3f);
  config.cell_height = scale * (seed % 3 ? 0.25f : 0.1f);
  config.agent_height *= scale;
  config.agent_radius = scale * 0.5f;
  config.agent_max_climb = scale * 0.5f;
  config.partition = (int32_t)(seed % 4);
  config.max_vertices_per_polygon = 3 + (int32_t)(seed % 4);
  config.tile_size = seed % 3 ? 20 : 0;
  config.max_edge_length = scale * 6;
  const WmBakeInput input = scene_input(&scene);
  WmBaker *baker = NULL;
  trace_begin(name);
  CHECK_EQUAL_INT(wm_baker_create(context, &config, &input, &baker), WM_OK);
  const WmVoxelConfig *voxels = wm_baker_voxels(baker);
  CHECK_EQUAL_INT(wm_baker_begin_tile(baker, voxels->tile_count_x / 2, voxels->tile_count_z / 2, true),
                  WM_OK);
  while (wm_baker_next_stage(baker) < WM_STAGE_DETAIL_MESH) CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
  fold_details(context, wm_baker_stages(baker), scale);
  wm_baker_destroy(baker);
  trace_end();
  wm_context_destroy(context);
  free_scene(&scene);
}

static void every_detail_is_as_it_was(void) {
  for (uint32_t seed = 1; seed <= trace_seeds(16); seed++) detail_level("detail", seed, 1);
}

/* So small that areas and distances meet the tolerances of triangulations, and so large that numbers are rounded. */
static void every_detail_of_another_scale_is_as_it_was(void) {
  for (uint32_t seed = 1; seed <= trace_seeds(12); seed++) {
    detail_level("small-detail", seed, seed % 2 ? 1.0f / 64 : 1.0f / 256);
    if (seed % 3 == 0) detail_level("large-detail", seed, 1000.1f);
  }
}

int main(void) {
  trace_open("stages");
  RUN(every_count_is_as_it_was);
  RUN(every_hole_is_joined_as_it_was);
  RUN(every_stage_is_as_it_was);
  RUN(every_detail_is_as_it_was);
  RUN(every_detail_of_another_scale_is_as_it_was);
  RUN(every_offset_is_as_it_was);
  RUN(every_broken_result_is_found_as_it_was);
  trace_close();
  return check_finish();
}
