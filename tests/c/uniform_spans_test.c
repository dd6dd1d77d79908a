/* wm_find_contacts against the links of each span, and partitions of a field without regions. */
#include "bake/bake.h"
#include "bake/baker_internal.h"
#include "bake/compact/links.h"
#include "bake/regions/regions_internal.h"
#include "base/simd.h"
#include "check.h"
#include "plain_links.h"
#include "scene.h"

/* Compares the contacts of all blocks of eight spans. Returns the number of blocks that have them. */
static int check_blocks(const WmCompactHeightfield *compact, const uint16_t *span_region) {
  int blocks = 0;
  for (uint32_t first = 0; first < compact->span_count; first += WM_LINK_BLOCK) {
    const uint32_t contacts = wm_find_contacts(compact, span_region, first);
    if (contacts == UINT32_MAX) continue;
    blocks++;
    for (uint32_t lane = 0; lane < WM_LINK_BLOCK; lane++) {
      if (span_region[first + lane] == 0) continue;
      for (size_t d = 0; d < 4; d++) {
        const uint32_t other = wm_link(&compact->links, first + lane, d);
        const bool differs = other != WM_NO_SPAN && span_region[other] != span_region[first + lane];
        CHECK_EQUAL_INT(contacts >> (4 * lane + d) & 1, differs);
      }
    }
  }
  return blocks;
}

static void contacts_are_links_to_other_regions(void) {
  int blocks = 0;
  for (uint32_t seed = 1; seed <= 4; seed++) {
    WmContext *context = wm_context_create(NULL);
    Scene scene = make_random_scene(seed);
    const WmBakeInput input = scene_input(&scene);
    WmConfig config = wm_config_default();
    config.partition = (int32_t)(seed % 4);
    WmBaker *baker;
    CHECK_EQUAL_INT(wm_baker_create(context, &config, &input, &baker), WM_OK);
    CHECK_EQUAL_INT(wm_baker_begin_tile(baker, 0, 0, true), WM_OK);
    while (wm_baker_next_stage(baker) != WM_STAGE_DONE) CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
    const WmBakeStages *stages = wm_baker_stages(baker);
    blocks += check_blocks(&stages->compact, stages->regions.span_region);
    wm_baker_destroy(baker);
    free_scene(&scene);
    wm_context_destroy(context);
  }
  CHECK(WM_SIMD ? blocks > 1000 : blocks == 0);
}

/* Numbers go on after the last region: a partition that makes none gives back the first one. */
static void a_partition_without_regions_uses_no_numbers(void) {
  WmContext *context = wm_context_create(NULL);
  Scene scene = make_square(5);
  const WmBakeInput input = scene_input(&scene);
  const WmConfig config = wm_config_default();
  WmBaker *baker;
  CHECK_EQUAL_INT(wm_baker_create(context, &config, &input, &baker), WM_OK);
  CHECK_EQUAL_INT(wm_baker_begin_tile(baker, 0, 0, true), WM_OK);
  while (wm_baker_next_stage(baker) != WM_STAGE_REGIONS) CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
  const WmCompactHeightfield *field = &wm_baker_stages(baker)->compact;
  uint16_t *span_region = calloc(field->span_count + 16, sizeof *span_region);
  uint8_t *areas = calloc(field->span_count + 16, 1);
  WmDistanceField distance = {.span_count = field->span_count};
  uint32_t next_number = UINT32_MAX;
  CHECK_EQUAL_INT(wm_partition_watershed(context, field, &distance, 5, span_region, &next_number), WM_OK);
  CHECK_EQUAL_INT(next_number, 5);
  next_number = UINT32_MAX;
  CHECK_EQUAL_INT(wm_partition_rows(context, field, areas, 0, 5, span_region, &next_number), WM_OK);
  CHECK_EQUAL_INT(next_number, 5);
  free(areas);
  free(span_region);
  wm_baker_destroy(baker);
  free_scene(&scene);
  wm_context_destroy(context);
}

/* A region with two spans in one column, and the largest number of regions: its second piece has no number left. */
static void a_piece_beyond_the_last_number_is_refused(void) {
  for (uint32_t count = WM_REGION_LIMIT - 1; count <= WM_REGION_LIMIT; count++) {
    WmContext *context = wm_context_create(NULL);
    uint32_t cell_first[2] = {0, 2}, links[8], regions = count;
    uint16_t span_region[2] = {1, 1};
    for (int i = 0; i < 8; i++) links[i] = WM_NO_SPAN;
    WmCompactHeightfield compact = {
        .grid = {.width = 1, .depth = 1}, .span_count = 2, .cell_first = cell_first};
    pack_links(context, links, &compact);
    const WmStatus status = wm_split_overlaps(context, &compact, span_region, &regions);
    CHECK_EQUAL_INT(status, count < WM_REGION_LIMIT ? WM_OK : WM_ERROR_LIMIT);
    if (status) CHECK(strcmp(wm_context_error(context)->field, "regions") == 0);
    CHECK_EQUAL_INT(span_region[0], 1);
    CHECK_EQUAL_INT(span_region[1], status ? 1 : WM_REGION_LIMIT);
    wm_links_free(context, &compact.links);
    wm_context_destroy(context);
  }
}

/* Reports of bakes read it. */
static void the_baker_counts_walkable_spans_after_erosion(void) {
  for (uint32_t seed = 1; seed <= 4; seed++) {
    WmContext *context = wm_context_create(NULL);
    Scene scene = make_random_scene(seed);
    const WmBakeInput input = scene_input(&scene);
    WmConfig config = wm_config_default();
    config.cell_size = 0.3f;
    WmBaker *baker;
    CHECK_EQUAL_INT(wm_baker_create(context, &config, &input, &baker), WM_OK);
    CHECK_EQUAL_INT(wm_baker_begin_tile(baker, 0, 0, true), WM_OK);
    CHECK_EQUAL_INT(baker->walkable_count, 0);
    while (wm_baker_next_stage(baker) <= WM_STAGE_ERODE) CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
    const WmCompactHeightfield *compact = &wm_baker_stages(baker)->compact;
    uint32_t count = 0;
    for (uint32_t i = 0; i < compact->span_count; i++) count += compact->span_area[i] != WM_AREA_NULL;
    CHECK(count > 100 && count < compact->span_count);
    CHECK_EQUAL_INT(baker->walkable_count, count);
    while (wm_baker_next_stage(baker) != WM_STAGE_DONE) CHECK_EQUAL_INT(wm_baker_step(baker), WM_OK);
    CHECK_EQUAL_INT(baker->walkable_count, count);
    CHECK_EQUAL_INT(wm_baker_begin_tile(baker, 0, 0, false), WM_OK);
    CHECK_EQUAL_INT(baker->walkable_count, 0);
    wm_baker_destroy(baker);
    free_scene(&scene);
    wm_context_destroy(context);
  }
}

int main(void) {
  RUN(the_baker_counts_walkable_spans_after_erosion);
  RUN(a_piece_beyond_the_last_number_is_refused);
  RUN(contacts_are_links_to_other_regions);
  RUN(a_partition_without_regions_uses_no_numbers);
  return check_finish();
}
