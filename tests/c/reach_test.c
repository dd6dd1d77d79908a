/* What can be reached: islands and floods, against the golden answers and slow oracles on drawn worlds. */
#include "query/reach.h"

#include <math.h>

#include "golden_queries.h"
#include "maze_world.h"
#include "mesh/locate.h"

/* ---- Islands ------------------------------------------------------------------------------------------ */

typedef uint32_t Labels[MAZE_SLOT_LIMIT][GRID_POLYGON_LIMIT];

/* Spreads the smallest numbers along links, both ways, until nothing changes; walls get 0. */
static void spread_labels(const WmMesh *mesh, const WmFilter *filter, Labels labels) {
  uint32_t next = 1;
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (uint32_t p = 0; tile && p < tile->polygon_count; p++, next++) {
      labels[s][p] = wm_filter_passes(filter, tile->polygon_flags[p]) ? next : 0;
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
      const WmMeshTile *tile = wm_mesh_tile(mesh, s);
      for (uint32_t p = 0; tile && p < tile->polygon_count; p++) {
        for (uint32_t i = tile->link_first[p]; i < tile->link_first[p + 1]; i++) {
          uint32_t *from = &labels[s][p], *to = &labels[tile->links[i].slot][tile->links[i].polygon];
          if (!*from || !*to || *from == *to) continue;
          *from = *to = *from < *to ? *from : *to;
          changed = true;
        }
      }
    }
  }
}

static double polygon_area(const WmMeshTile *tile, uint32_t polygon) {
  double area = 0;
  for (uint32_t k = 0; k < tile->polygon_size[polygon]; k++) {
    const float *a = wm_tile_vertex(tile, polygon, k), *b = wm_tile_vertex(tile, polygon, k + 1);
    area += (double)a[0] * b[2] - (double)b[0] * a[2];
  }
  return fabs(area) / 2;
}

/* Same islands, largest first, equal ones by their smallest reference, areas as measured. */
static void check_islands(const WmMesh *mesh, const WmFilter *filter, const WmIslands *islands) {
  static Labels labels;
  spread_labels(mesh, filter, labels);
  const size_t count = wm_islands_count(islands);
  double *areas = calloc(count + 1, sizeof *areas);
  WmRef *smallest = calloc(count + 1, sizeof *smallest);
  uint32_t *names = calloc(count + 1, sizeof *names);
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (uint32_t p = 0; tile && p < tile->polygon_count; p++) {
      const uint32_t island = wm_islands_of(islands, tile->ref + p);
      CHECK(island <= count && (island == 0) == (labels[s][p] == 0));
      if (island == 0 || island > count) continue;
      if (names[island] == 0) names[island] = labels[s][p];
      CHECK_EQUAL_INT(names[island], labels[s][p]);
      if (p < tile->ground_count) areas[island] += polygon_area(tile, p);
      if (!smallest[island] || tile->ref + p < smallest[island]) smallest[island] = tile->ref + p;
    }
  }
  for (uint32_t i = 1; i <= count; i++) {
    CHECK(names[i] != 0);
    for (uint32_t k = 1; k < i; k++) CHECK(names[k] != names[i]);
    CHECK(fabs(wm_islands_area(islands, i) - areas[i]) <= 1e-3);
    if (i == 1) continue;
    const float before = wm_islands_area(islands, i - 1), area = wm_islands_area(islands, i);
    CHECK(before > area || (before == area && smallest[i - 1] < smallest[i]));
  }
  free(areas);
  free(smallest);
  free(names);
}

static void islands_equal_labels_spread_along_links(void) {
  WmContext *context = wm_context_create(NULL);
  for (uint32_t world = 1; world <= 24; world++) {
    WmMesh *mesh = make_maze_world(context, world, 1 + world % 4);
    WmIslands *islands = NULL;
    CHECK_EQUAL_INT(wm_islands_create(context, mesh, &islands), WM_OK);
    WmFilter filter = wm_filter_default();
    for (int pass = 0; pass < 4; pass++) {
      CHECK(!wm_islands_are_current(islands, &filter));
      CHECK_EQUAL_INT(wm_islands_update(islands, &filter), WM_OK);
      CHECK(wm_islands_are_current(islands, &filter));
      check_islands(mesh, &filter, islands);
      /* Another filter; another flag; another tile, whose slot comes with a higher generation. */
      if (pass == 0) filter.exclude_flags = 2;
      if (pass == 1) wm_mesh_set_polygon_flags(mesh, wm_mesh_tile(mesh, 4)->ref, 2);
      if (pass == 2) {
        const WmRef gone = wm_mesh_tile(mesh, 2)->ref;
        const GridTile grid = {.x = 2, .seed = world + 50, .hole = 1, .tree = true};
        CHECK(wm_islands_of(islands, gone) < 1000);
        CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, gone), WM_OK);
        CHECK_EQUAL_INT(wm_islands_of(islands, gone), 0);
        const WmRef fresh = add_grid_tile(mesh, &grid);
        CHECK_EQUAL_INT(wm_islands_of(islands, fresh), 0);
      }
    }
    wm_islands_destroy(islands);
    wm_mesh_destroy(mesh);
  }
  wm_context_destroy(context);
}

static void islands_are_joined_by_ways_of_one_direction(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  const WmOffMeshConnection jump = {
      .start = {6.2f, 4.25f, 4.3f}, .end = {10.1f, 0.25f, 4.2f}, .radius = 0.5f, .flags = 4};
  const GridTile upper = {
      .floor = 16, .hole = UINT32_MAX, .tree = true, .connections = &jump, .connection_count = 1};
  const GridTile lower = {.x = 1, .seed = 3, .hole = UINT32_MAX, .tree = true};
  const WmRef from = add_grid_tile(mesh, &upper), to = add_grid_tile(mesh, &lower);
  WmIslands *islands = NULL;
  CHECK_EQUAL_INT(wm_islands_create(context, mesh, &islands), WM_OK);
  CHECK_EQUAL_INT(wm_islands_count(islands), 0);
  CHECK_EQUAL_INT(wm_islands_update(islands, NULL), WM_OK);
  CHECK_EQUAL_INT(wm_islands_count(islands), 1);
  CHECK(wm_islands_area(islands, 1) == 128);
  CHECK(wm_islands_area(islands, 0) == 0 && wm_islands_area(islands, 2) == 0);
  WmFilter filter = wm_filter_default();
  filter.exclude_flags = 4;
  CHECK_EQUAL_INT(wm_islands_update(islands, &filter), WM_OK);
  CHECK_EQUAL_INT(wm_islands_count(islands), 2);
  /* Two squares of 64: the smaller reference first. */
  CHECK_EQUAL_INT(wm_islands_of(islands, from), 1);
  CHECK_EQUAL_INT(wm_islands_of(islands, to), 2);
  CHECK_EQUAL_INT(wm_islands_of(islands, 0), 0);
  CHECK_EQUAL_INT(wm_islands_of(islands, UINT64_MAX), 0);
  CHECK(!wm_islands_are_current(islands, NULL));
  wm_islands_destroy(islands);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void islands_survive_failing_memory(void) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  int failures = 0;
  for (long n = 0; n < 20; n++) {
    WmContext *context = wm_context_create(&allocator);
    WmMesh *mesh = make_maze_world(context, 6, 3);
    WmIslands *islands = NULL;
    wm_context_trim(context);
    ration.until_failure = n;
    WmStatus status = wm_islands_create(context, mesh, &islands);
    if (!status) status = wm_islands_update(islands, NULL);
    ration.until_failure = -1;
    CHECK_EQUAL_INT(status, status ? WM_ERROR_OUT_OF_MEMORY : WM_OK);
    failures += status != WM_OK;
    if (islands && status) {
      CHECK(!wm_islands_are_current(islands, NULL));
      CHECK_EQUAL_INT(wm_islands_count(islands), 0);
      CHECK_EQUAL_INT(wm_islands_of(islands, wm_mesh_tile(mesh, 0)->ref), 0);
      CHECK_EQUAL_INT(wm_islands_update(islands, NULL), WM_OK);
    }
    const WmFilter filter = wm_filter_default();
    if (islands) check_islands(mesh, &filter, islands);
    wm_islands_destroy(islands);
    wm_mesh_destroy(mesh);
    wm_context_destroy(context);
  }
  CHECK(failures > 3 && failures < 19);
  CHECK_EQUAL_INT(ration.in_use, 0);
}

int main(void) {
  RUN(islands_equal_labels_spread_along_links);
  RUN(islands_are_joined_by_ways_of_one_direction);
  RUN(islands_survive_failing_memory);
  return check_finish();
}
