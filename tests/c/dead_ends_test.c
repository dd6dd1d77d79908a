/* Dead ends of tiles: all that lies behind one leads back through it. */
#include "query/shortest/dead_ends.h"
#include "visibility_graph.h"

enum { POLYGON_LIMIT = 512 };

static bool is_dead(const WmDeadEnd *dead_ends, uint32_t polygon) {
  return dead_ends[polygon].next != WM_NO_DEAD_END;
}

/* Counts the open polygons that a polygon leads to: all, and those that are no dead ends; -1: it lies at the tile's border. */
static void count_neighbours(const WmMeshTile *tile, const WmFilter *filter, const WmDeadEnd *dead_ends,
                             uint32_t polygon, int *others, int *open) {
  *others = *open = 0;
  for (uint32_t k = 0; k < tile->polygon_size[polygon]; k++) {
    if (tile->polygon_neighbours[WM_TILE_VERTICES_PER_POLYGON * polygon + k] & WM_TILE_PORTAL) *open = -1;
  }
  if (*open < 0) return;
  for (uint32_t i = tile->link_first[polygon]; i < tile->link_first[polygon + 1]; i++) {
    const WmLink *link = &tile->links[i];
    if (!wm_filter_passes(filter, tile->polygon_flags[link->polygon])) continue;
    if (is_dead(dead_ends, link->polygon) && dead_ends[link->polygon].next != polygon &&
        dead_ends[polygon].next != link->polygon)
      ++*others;
    *open += !is_dead(dead_ends, link->polygon);
  }
}

static void check_tile(const WmMeshTile *tile, const WmFilter *filter, int counts[2]) {
  static WmDeadEnd dead_ends[POLYGON_LIMIT];
  CHECK(tile->ground_count <= POLYGON_LIMIT);
  wm_dead_ends_find(tile, filter, dead_ends);
  for (uint32_t p = 0; p < tile->ground_count; p++) {
    CHECK_EQUAL_INT(dead_ends[p].stamp, 0);
    if (!wm_filter_passes(filter, tile->polygon_flags[p])) {
      CHECK(!is_dead(dead_ends, p));
      continue;
    }
    int others, open;
    count_neighbours(tile, filter, dead_ends, p, &others, &open);
    counts[is_dead(dead_ends, p)]++;
    if (is_dead(dead_ends, p)) {
      /* Its neighbours are the way out, and dead ends that lead to it. */
      CHECK_EQUAL_INT(others, 0);
      CHECK_EQUAL_INT(open, !is_dead(dead_ends, dead_ends[p].next));
      uint32_t steps = 0, at = p;
      for (; is_dead(dead_ends, at) && steps <= tile->ground_count; steps++) at = dead_ends[at].next;
      CHECK(steps <= tile->ground_count);
    } else {
      CHECK(open != 1); /* or it would be one */
    }
  }
}

/* Closes a quarter of all polygons: mazes. */
static void close_more(WmMesh *mesh, uint32_t seed) {
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (uint32_t p = 0; p < tile->polygon_count; p++) {
      if (grid_random(&seed) % 4 == 0) wm_mesh_set_polygon_flags(mesh, tile->ref + p, 0);
    }
  }
}

static void all_that_lies_behind_a_dead_end_leads_back_through_it(void) {
  WmContext *context = wm_context_create(NULL);
  const WmFilter filter = wm_filter_default();
  int counts[2] = {0};
  for (uint32_t world = 1; world <= 40; world++) {
    WmMesh *mesh = make_world(context, 2, 10 * world, false);
    if (world % 2) close_more(mesh, world);
    for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) check_tile(wm_mesh_tile(mesh, s), &filter, counts);
    wm_mesh_destroy(mesh);
  }
  printf("%d dead ends of %d open polygons\n", counts[1], counts[0] + counts[1]);
  CHECK(counts[1] > 100 && counts[0] > 100);
  wm_context_destroy(context);
}

static void a_search_may_enter_the_dead_ends_around_its_ends_only(void) {
  WmContext *context = wm_context_create(NULL);
  const WmFilter filter = wm_filter_default();
  static WmDeadEnd dead_ends[POLYGON_LIMIT];
  int opened = 0;
  for (uint32_t world = 1; world <= 200; world++) {
    WmMesh *mesh = make_world(context, 1, 10 * world, false);
    close_more(mesh, world);
    const WmMeshTile *tile = wm_mesh_tile(mesh, 0);
    wm_dead_ends_find(tile, &filter, dead_ends);
    for (uint32_t p = 0; p < tile->ground_count; p++) {
      if (!is_dead(dead_ends, p)) continue;
      const uint32_t stamp = p + 1;
      wm_dead_ends_open(tile, &filter, p, stamp, dead_ends);
      for (uint32_t at = p; is_dead(dead_ends, at); at = dead_ends[at].next) {
        CHECK_EQUAL_INT(dead_ends[at].stamp, stamp);
        opened++;
      }
      int all = 0, chain = 0;
      for (uint32_t at = p; is_dead(dead_ends, at); at = dead_ends[at].next) chain++;
      for (uint32_t k = 0; k < tile->ground_count; k++) all += dead_ends[k].stamp == stamp;
      CHECK_EQUAL_INT(all, chain);
    }
    wm_mesh_destroy(mesh);
  }
  CHECK(opened > 50);
  wm_context_destroy(context);
}

int main(void) {
  RUN(all_that_lies_behind_a_dead_end_leads_back_through_it);
  RUN(a_search_may_enter_the_dead_ends_around_its_ends_only);
  return check_finish();
}
