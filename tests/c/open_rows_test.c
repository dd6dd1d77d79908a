/* Rows of open spans: the rasterizer's rows equal those that the stages make one by one. */
#include "bake/compact/links.h"
#include "bake/compact/open_rows.h"
#include "random_soup.h"

static WmStatus build_at_once(WmContext *context, const Soup *scene, uint32_t *solid_count,
                              WmCompactHeightfield *compact) {
  const WmRasterInput input = {.triangles = &scene->triangles, .areas = scene->areas};
  WmOpenRows rows;
  *compact = (WmCompactHeightfield){0};
  const WmStatus status = wm_rasterize_open(context, &scene->grid, &scene->filters, &input, &rows, NULL);
  if (status) {
    CHECK(!rows.cell_first && !rows.first_chunk && rows.span_count == 0);
    return status;
  }
  *solid_count = rows.solid_count;
  return wm_link_open_rows(context, &rows, scene->filters.walkable_height, scene->filters.walkable_climb,
                           true, compact);
}

static WmStatus build_by_stages(WmContext *context, const Soup *scene, uint32_t *solid_count,
                                WmCompactHeightfield *compact) {
  WmHeightfield field;
  WmStatus status = wm_rasterize(context, &scene->grid, scene->filters.walkable_climb, &scene->triangles,
                                 scene->areas, NULL, 0, NULL, 0, 45, &field);
  *solid_count = field.span_count;
  if (!status) status = wm_filter_heightfield(context, &scene->filters, &field);
  if (!status) {
    status = wm_build_compact_heightfield(context, &field, scene->filters.walkable_height,
                                          scene->filters.walkable_climb, compact);
  }
  wm_heightfield_free(context, &field);
  return status;
}

static bool have_same_links(const WmCompactHeightfield *a, const WmCompactHeightfield *b) {
  for (uint32_t i = 0; i < 4 * a->span_count; i++) {
    if (wm_link(&a->links, i / 4, i & 3) != wm_link(&b->links, i / 4, i & 3)) return false;
  }
  return true;
}

static bool are_same(const WmCompactHeightfield *a, const WmCompactHeightfield *b) {
  const size_t cells = (size_t)a->grid.width * (size_t)a->grid.depth, spans = a->span_count;
  return a->span_count == b->span_count && a->links_are_symmetric == b->links_are_symmetric &&
         memcmp(&a->grid, &b->grid, sizeof a->grid) == 0 &&
         memcmp(a->cell_first, b->cell_first, 4 * (cells + 1)) == 0 &&
         memcmp(a->span_floor, b->span_floor, 2 * spans) == 0 &&
         memcmp(a->span_clearance, b->span_clearance, spans) == 0 &&
         memcmp(a->span_area, b->span_area, spans) == 0 && have_same_links(a, b);
}

static void rows_give_what_stages_give_on_random_scenes_of_seeds_1_to_400(void) {
  WmContext *context = wm_context_create(NULL);
  uint64_t spans = 0;
  for (uint64_t seed = 1; seed <= 400; seed++) {
    Random random = {seed};
    static Soup scene;
    WmCompactHeightfield at_once, by_stages;
    uint32_t solid[2] = {0, 1}; /* unequal until both are set */
    make_soup(&random, &scene);
    CHECK_EQUAL_INT(build_at_once(context, &scene, &solid[0], &at_once), WM_OK);
    CHECK_EQUAL_INT(build_by_stages(context, &scene, &solid[1], &by_stages), WM_OK);
    CHECK_EQUAL_INT(solid[0], solid[1]);
    if (!are_same(&at_once, &by_stages)) {
      printf("seed %llu\n", (unsigned long long)seed);
      CHECK(false);
    }
    spans += at_once.span_count;
    wm_compact_heightfield_free(context, &at_once);
    wm_compact_heightfield_free(context, &by_stages);
  }
  CHECK(spans > 40000);
  wm_context_destroy(context);
}

static void running_out_of_memory_leaves_nothing(void) {
  Random random = {3};
  static Soup scene;
  make_soup(&random, &scene);
  for (int allowed = 0;; allowed++) {
    FailingAllocator failing = {1};
    const WmAllocator allocator = {failing_allocate, failing_release, &failing};
    WmContext *context = wm_context_create(&allocator);
    failing.left = allowed;
    WmCompactHeightfield compact;
    uint32_t solid;
    const WmStatus status = build_at_once(context, &scene, &solid, &compact);
    if (status) CHECK(status == WM_ERROR_OUT_OF_MEMORY && !compact.block && compact.span_count == 0);
    wm_compact_heightfield_free(context, &compact);
    wm_context_destroy(context);
    if (!status) break;
  }
}

/* Sets an entry of the rows, checks that their check finds it, and restores it. */
#define CHECK_FINDS(entry, broken) \
  do { \
    const __typeof__(entry) original = (entry); \
    (entry) = (__typeof__(entry))(broken); \
    CHECK(!wm_open_rows_validate(&rows)); \
    (entry) = original; \
    CHECK(wm_open_rows_validate(&rows)); \
  } while (0)

static void broken_rows_are_found(void) {
  WmContext *context = wm_context_create(NULL);
  Random random = {3};
  static Soup scene;
  make_soup(&random, &scene);
  const WmRasterInput input = {.triangles = &scene.triangles, .areas = scene.areas};
  WmOpenRows rows;
  CHECK_EQUAL_INT(wm_rasterize_open(context, &scene.grid, &scene.filters, &input, &rows, NULL), WM_OK);
  uint32_t cell = 0;
  while (rows.cell_first[cell + 1] - rows.cell_first[cell] < 2) cell++;
  uint32_t *spans = rows.first_chunk->spans + rows.cell_first[cell];
  CHECK_FINDS(spans[0], spans[0] & 0xffffff); /* no area */
  CHECK_FINDS(spans[0], spans[0] | (uint32_t)WM_AREA_COUNT << 24);
  CHECK_FINDS(spans[0], (spans[0] & 0xff000000) | 255 << 16 | (spans[1] & 0xffff)); /* into the next span */
  CHECK_FINDS(spans[1], spans[0]);
  CHECK_FINDS(rows.first_chunk->count, rows.first_chunk->count - 1);
  CHECK_FINDS(rows.first_chunk->capacity, 1);
  CHECK_FINDS(rows.span_count, rows.span_count + 1);
  CHECK_FINDS(rows.cell_first[0], 1);
  CHECK_FINDS(rows.cell_first[cell], rows.span_count + 1);
  wm_open_rows_free(context, &rows);
  wm_context_destroy(context);
}

int main(void) {
  RUN(rows_give_what_stages_give_on_random_scenes_of_seeds_1_to_400);
  RUN(running_out_of_memory_leaves_nothing);
  RUN(broken_rows_are_found);
  return check_finish();
}
