/* Stages one by one on arbitrary fields. The input is a solid heightfield, then settings of each stage, which
 * may contradict one another: any height and climb, areas and regions painted over the results of earlier
 * stages, regions that overlap themselves, fall apart or lie on unwalkable ground. Each stage ends with a
 * result that the next one accepts, or with an error that names a limit. */
#include <math.h>

#include "stage_dump.h"
#include "bake/compact/links.h"
#include "bake/input/surface.h"
#include "invent.h"

typedef struct Stages {
  WmContext *context;
  FuzzInput input;
  int32_t walkable_height, walkable_climb;
  WmHeightfield field;
  WmCompactHeightfield compact;
  WmDistanceField distance;
  WmRegions regions;
  WmContourSet contours;
  WmPolygonMesh mesh;
  WmDetailMesh detail;
  WmTileData tile;
} Stages;

/* ---- Fields ------------------------------------------------------------------------------------------- */

static void filter_field(Stages *stages) {
  const uint8_t what = fuzz_byte(&stages->input);
  const WmFilterSettings settings = {.walkable_height = stages->walkable_height,
                                     .walkable_climb = stages->walkable_climb,
                                     .low_hanging_obstacles = what & 1,
                                     .ledges = what & 2,
                                     .low_height = what & 4};
  const uint32_t spans = stages->field.span_count;
  FUZZ_REQUIRE(!wm_filter_heightfield(stages->context, &settings, &stages->field));
  FUZZ_REQUIRE(stages->field.span_count == spans);
}

/* Links lead to spans of the cell across, near enough to step there, and back if the field requires it. */
static void check_links(const Stages *stages) {
  static const int32_t STEP_X[4] = {-1, 0, 1, 0}, STEP_Z[4] = {0, 1, 0, -1};
  const WmCompactHeightfield *compact = &stages->compact;
  for (uint32_t span = 0; span < compact->span_count; span++) {
    const int32_t cell = (int32_t)wm_find_cell(compact, span), width = compact->grid.width;
    for (size_t d = 0; d < 4; d++) {
      const uint32_t across = wm_link(&compact->links, span, d);
      if (across == WM_NO_SPAN) continue;
      FUZZ_REQUIRE(across < compact->span_count);
      const int32_t there = (int32_t)wm_find_cell(compact, across);
      FUZZ_REQUIRE(there % width == cell % width + STEP_X[d] && there / width == cell / width + STEP_Z[d]);
      FUZZ_REQUIRE(abs(compact->span_floor[span] - compact->span_floor[across]) <= stages->walkable_climb);
      if (!compact->links_are_symmetric) continue;
      FUZZ_REQUIRE(wm_link(&compact->links, across, (d + 2) & 3) == span);
    }
  }
}

/* Areas of runs of spans. */
static void paint_areas(Stages *stages) {
  const uint8_t even = fuzz_byte(&stages->input);
  if (even < 64) return;
  uint8_t area = 63;
  for (uint32_t span = 0; span < stages->compact.span_count; span++) {
    if (fuzz_byte(&stages->input) > even) area = fuzz_byte(&stages->input) % WM_AREA_COUNT;
    stages->compact.span_area[span] = area;
  }
}

static void change_areas(Stages *stages) {
  FuzzInput *input = &stages->input;
  WmCompactHeightfield *compact = &stages->compact;
  const uint8_t what = fuzz_byte(input);
  if (what & 1) {
    const int32_t radius = what & 64 ? fuzz_byte(input) : fuzz_byte(input) % 5;
    const WmStatus status = wm_erode(stages->context, compact, radius);
    FUZZ_REQUIRE(status == (radius > 127 ? WM_ERROR_INVALID_ARGUMENT : WM_OK));
  }
  if (what & 2) FUZZ_REQUIRE(!wm_filter_median(stages->context, compact));
  const float low[3] = {-3.25f, 1.5f, 7}, high[3] = {8.75f, 14, 19};
  for (int i = 0; i < (what >> 2 & 3); i++) {
    float outline[FUZZ_OUTLINE][3], moved[2 * FUZZ_OUTLINE][3], lowest[3], highest[3];
    WmAreaVolume volume = fuzz_volume(input, low, high, outline);
    bool touches;
    const WmStatus status = wm_check_area_volume(stages->context, &compact->grid, &volume, &touches);
    FUZZ_REQUIRE(!status || status == WM_ERROR_INVALID_ARGUMENT);
    FUZZ_REQUIRE(wm_mark_area(stages->context, compact, &volume) == status);
    wm_find_volume_bounds(stages->context, &volume, lowest, highest);
    FUZZ_REQUIRE(status ||
                 (!isnan(lowest[0]) && !isnan(highest[0]))); /* a negative size: bounds are reversed */
    size_t count = 77;
    const float offset = fuzz_between(input, -3, 3);
    const size_t room = fuzz_byte(input) % (2 * FUZZ_OUTLINE + 1);
    const WmStatus offset_status =
        wm_offset_polygon(stages->context, outline[0], volume.vertex_count, offset, moved[0], room, &count);
    FUZZ_REQUIRE(offset_status ? count == 0 : count <= room);
    FUZZ_REQUIRE(offset_status != WM_ERROR_LIMIT || room < 2 * volume.vertex_count);
  }
}

/* ---- Regions ------------------------------------------------------------------------------------------ */

/* True if a span's cell lies in the border of the tile. */
static bool is_in_border(const WmCompactHeightfield *compact, uint32_t span) {
  const WmGrid *grid = &compact->grid;
  const int32_t cell = (int32_t)wm_find_cell(compact, span), border = grid->border_size;
  const int32_t x = cell % grid->width, z = cell / grid->width;
  return x < border || z < border || x >= grid->width - border || z >= grid->depth - border;
}

/* Region numbers of runs of spans, border numbers among them. */
static void paint_regions(Stages *stages) {
  FuzzInput *input = &stages->input;
  const uint32_t count = stages->compact.span_count;
  WmRegions *regions = &stages->regions;
  uint16_t *numbers = wm_block_allocate(stages->context, count * sizeof *numbers + 16);
  FUZZ_REQUIRE(numbers);
  *regions = (WmRegions){.span_count = count, .span_region = numbers, .block = numbers};
  const uint8_t even = fuzz_byte(input), most = fuzz_byte(input) % 32 + 1, borders = fuzz_byte(input);
  uint16_t number = 1;
  for (uint32_t span = 0; span < count; span++) {
    if (fuzz_byte(input) > even) {
      number = (uint16_t)(fuzz_byte(input) % (most + 1));
      if (borders > 192 && fuzz_byte(input) > borders) number |= WM_REGION_BORDER;
    }
    numbers[span] = is_in_border(&stages->compact, span) ? number | WM_REGION_BORDER : number;
    if (!(numbers[span] & WM_REGION_BORDER) && number > regions->region_count) regions->region_count = number;
  }
}

/* Cells of the tile's border belong to border regions, others don't; all spans of a region have one area. */
static void build_regions(Stages *stages, bool is_chosen) {
  const WmCompactHeightfield *compact = &stages->compact;
  const WmRegionSettings settings = {.partition = fuzz_byte(&stages->input) % 4,
                                     .chunk_size = 1 + fuzz_byte(&stages->input) % 20,
                                     .min_region_cells = fuzz_byte(&stages->input) % 40,
                                     .merge_region_cells = fuzz_byte(&stages->input)};
  FUZZ_REQUIRE(!wm_build_distance_field(stages->context, compact, &stages->distance));
  WmRegions *regions = &stages->regions;
  FUZZ_REQUIRE(!wm_build_regions(stages->context, compact, &stages->distance, &settings, regions));
  FUZZ_REQUIRE(regions->span_count == compact->span_count);
  for (uint32_t cell = 0; cell < (uint32_t)(compact->grid.width * compact->grid.depth); cell++) {
    const uint32_t end = compact->cell_first[cell + 1];
    for (uint32_t span = compact->cell_first[cell]; span < end; span++) {
      const uint32_t number = regions->span_region[span];
      if (number & WM_REGION_BORDER) continue;
      FUZZ_REQUIRE(number <= regions->region_count);
      FUZZ_REQUIRE(number == 0 || compact->span_area[span] != WM_AREA_NULL);
      for (uint32_t other = span + 1; other < end; other++) {
        FUZZ_REQUIRE(number == 0 || regions->span_region[other] != number);
      }
    }
  }
  if (!is_chosen) wm_regions_free(stages->context, regions);
}

static void build_layers(Stages *stages) {
  WmHeightfieldLayers layers;
  const WmStatus status =
      wm_build_heightfield_layers(stages->context, &stages->compact, stages->walkable_height, &layers);
  FUZZ_REQUIRE(!status || status == WM_ERROR_LIMIT);
  const size_t cells = (size_t)layers.grid.width * (size_t)layers.grid.depth;
  for (uint32_t i = 0; i < layers.layer_count; i++) {
    const WmHeightfieldLayer *layer = &layers.layers[i];
    FUZZ_REQUIRE(layer->height_max - layer->height_min < 255);
    for (size_t cell = 0; cell < cells; cell++) {
      if (layer->connections[cell] >> 4) continue; /* the height of the link into another layer */
      FUZZ_REQUIRE(layer->heights[cell] == 255 ||
                   layer->heights[cell] <= layer->height_max - layer->height_min);
    }
  }
  wm_heightfield_layers_free(stages->context, &layers);
}

/* ---- From contours on ------------------------------------------------------------------------------ */

static void build_contours(Stages *stages) {
  FuzzInput *input = &stages->input;
  const float max_error = fuzz_byte(input) < 16 ? 1000 : (float)(fuzz_byte(input) % 32) * 0.2f;
  const int32_t max_edge_cells = fuzz_byte(input) % 20;
  const uint32_t flags = fuzz_byte(input) % 8;
  FUZZ_REQUIRE(!wm_build_contours(stages->context, &stages->compact, &stages->regions, max_error,
                                  max_edge_cells, flags, &stages->contours));
  const WmContourSet *contours = &stages->contours;
  for (uint32_t i = 0; i < contours->contour_count; i++) {
    FUZZ_REQUIRE(contours->contour_region[i] > 0 && contours->contour_region[i] < WM_REGION_BORDER);
    for (uint32_t k = contours->vertex_first[i]; k < contours->vertex_first[i + 1]; k++) {
      const int32_t *vertex = contours->vertices + 4 * (size_t)k;
      FUZZ_REQUIRE(vertex[0] >= 0 && vertex[2] >= 0);
      FUZZ_REQUIRE(vertex[0] <= contours->grid.width && vertex[2] <= contours->grid.depth);
    }
  }
}

static void build_tile(Stages *stages) {
  FuzzInput *input = &stages->input;
  const WmOffMeshConnection connection = {
      .start = {fuzz_between(input, -4, 9), fuzz_between(input, 0, 20), fuzz_between(input, 6, 20)},
      .end = {fuzz_between(input, -4, 9), 3, fuzz_between(input, 6, 20)},
      .radius = 1,
      .flags = 1,
      .area = 7};
  WmTileSettings settings = {.x = fuzz_byte(input) % 3 - 1,
                             .z = fuzz_byte(input) % 3 - 1,
                             .agent_height = 2,
                             .agent_radius = 0.5f,
                             .agent_max_climb = 0.5f,
                             .build_tree = fuzz_byte(input) & 1,
                             .connections = &connection,
                             .connection_count = fuzz_byte(input) & 1};
  for (int i = 0; i < WM_AREA_COUNT; i++) settings.area_flags[i] = (uint16_t)(i + 1);
  const WmDetailMesh *detail = fuzz_byte(input) & 1 ? &stages->detail : NULL;
  FUZZ_REQUIRE(!wm_build_tile(stages->context, &stages->mesh, detail, &settings, &stages->tile));
  fuzz_use_tile(stages->context, &stages->tile, stages->mesh.polygon_count);
}

enum { SURFACE_TRIANGLES = 6 };

/* Invents triangles that face up, of any size and steepness. */
static WmSurface invent_triangles(FuzzInput *input, float triangles[SURFACE_TRIANGLES][9]) {
  WmSurface surface = {.triangles = triangles[0]};
  for (int i = 0; i < SURFACE_TRIANGLES; i++) {
    float *a = triangles[surface.triangle_count], *b = a + 3, *c = a + 6;
    for (int k = 0; k < 9; k++) a[k] = fuzz_between(input, -20, 40);
    const double facing =
        ((double)b[2] - a[2]) * ((double)c[0] - a[0]) - ((double)b[0] - a[0]) * ((double)c[2] - a[2]);
    surface.triangle_count += facing > 0;
  }
  return surface;
}

static void build_details(Stages *stages) {
  FuzzInput *input = &stages->input;
  float triangles[SURFACE_TRIANGLES][9];
  WmSurface surface;
  const uint8_t what = fuzz_byte(input);
  WmDetailSettings settings = {.sample_distance = (float)(what % 16) * 0.4f,
                               .max_error = (float)(fuzz_byte(input) % 16) * 0.1f,
                               .climb = 0.5f};
  if (what & 0x80) {
    surface = invent_triangles(input, triangles);
    settings.surface = &surface;
  }
  FUZZ_REQUIRE(!wm_build_detail_mesh(stages->context, &stages->mesh, &stages->compact, &stages->regions,
                                     &settings, &stages->detail));
}

/* is_sound: the regions were built over links that lead back. */
static void build_surface(Stages *stages, bool is_sound) {
  FuzzInput *input = &stages->input;
  build_contours(stages);
  const int32_t most = 3 + fuzz_byte(input) % 4;
  FUZZ_REQUIRE(!wm_build_polygon_mesh(stages->context, &stages->contours, most, &stages->mesh));
  if (is_sound) fuzz_check_polygons(&stages->mesh, &stages->contours);
  build_details(stages);
  fuzz_check_details(&stages->mesh, &stages->detail, is_sound);
  build_tile(stages);
}

/* Every array that exists can be dumped. */
static void dump(const Stages *stages) {
  WmBytes bytes[3];
  FUZZ_REQUIRE(!wm_dump_heightfield(stages->context, &stages->field, &bytes[0]));
  FUZZ_REQUIRE(!wm_dump_compact(stages->context, &stages->compact, NULL, &bytes[1]));
  FUZZ_REQUIRE(!wm_dump_contours(stages->context, &stages->contours, &bytes[2]));
  for (int i = 0; i < 3; i++) wm_block_free(stages->context, bytes[i].bytes);
}

int fuzz_stages(const uint8_t *bytes, size_t byte_count) {
  FuzzMemory memory;
  fuzz_begin(&memory);
  Stages stages = {.context = memory.context, .input = {bytes, byte_count}};
  const uint8_t what = fuzz_byte(&stages.input);
  stages.walkable_height = 1 + (what & 1 ? fuzz_byte(&stages.input) % 255 : what >> 4);
  stages.walkable_climb = what & 2 ? fuzz_below(&stages.input, 70000) : what >> 2 & 3;
  fuzz_heightfield(memory.context, &stages.input, &stages.field);
  filter_field(&stages);
  FUZZ_REQUIRE(!wm_build_compact_heightfield(memory.context, &stages.field, stages.walkable_height,
                                             stages.walkable_climb, &stages.compact));
  check_links(&stages);
  paint_areas(&stages);
  change_areas(&stages);
  const bool is_painted = fuzz_byte(&stages.input) & 1;
  build_regions(&stages, !is_painted);
  build_layers(&stages);
  if (is_painted) paint_regions(&stages);
  build_surface(&stages, !is_painted && stages.compact.links_are_symmetric);
  dump(&stages);
  wm_tile_data_free(memory.context, &stages.tile);
  wm_detail_mesh_free(memory.context, &stages.detail);
  wm_polygon_mesh_free(memory.context, &stages.mesh);
  wm_contour_set_free(memory.context, &stages.contours);
  wm_regions_free(memory.context, &stages.regions);
  wm_distance_field_free(memory.context, &stages.distance);
  wm_compact_heightfield_free(memory.context, &stages.compact);
  wm_heightfield_free(memory.context, &stages.field);
  fuzz_end(&memory);
  return 0;
}
