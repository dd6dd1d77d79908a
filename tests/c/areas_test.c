/* Areas of tiles and of the mesh, and the tile at a fraction of the area, against sums from the first tile to
 * the last. */
#include <math.h>

#include "grid_tiles.h"
#include "mesh/mesh.h"

static double area_of(const WmMeshTile *tile) { return tile->area_before[tile->ground_count]; }

/* The tile at a fraction of the area, by a linear search. */
static void check_samples(const WmMesh *mesh, double total) {
  double within = -1;
  CHECK(fabs(wm_mesh_area(mesh) - total) < 1e-9 * (1 + total));
  if (total == 0) {
    CHECK(wm_mesh_sample_tile(mesh, 0.5, &within) == NULL);
    CHECK(within == 0);
    return;
  }
  double before = 0;
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, s);
    for (int i = 0; tile && i < 5; i++) {
      const double part = 0.01 + 0.245 * i;
      CHECK(wm_mesh_sample_tile(mesh, (before + part * area_of(tile)) / total, &within) == tile);
      CHECK(fabs(within - part * area_of(tile)) < 1e-9 * total);
    }
    if (tile) before += area_of(tile);
  }
  const double ends[] = {0, 1, -3, 2, NAN, INFINITY};
  for (int i = 0; i < 6; i++) {
    const WmMeshTile *tile = wm_mesh_sample_tile(mesh, ends[i], &within);
    CHECK(tile && within >= 0 && within <= area_of(tile));
  }
}

static void tiles_are_sampled_by_area_whatever_comes_and_goes(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  WmRef tiles[49] = {0};
  uint32_t random = 5;
  check_samples(mesh, 0);
  for (int step = 0; step < 400; step++) {
    const uint32_t place = grid_random(&random) % 49;
    if (tiles[place]) {
      CHECK_EQUAL_INT(wm_mesh_remove_tile(mesh, tiles[place]), WM_OK);
      tiles[place] = 0;
    } else {
      const GridTile grid = {.x = (int32_t)(place % 7) - 3,
                             .z = (int32_t)(place / 7) - 3,
                             .seed = 1 + (uint32_t)step,
                             .hole = step % 3 ? UINT32_MAX : 1};
      tiles[place] = add_grid_tile(mesh, &grid);
    }
    double total = 0;
    for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
      const WmMeshTile *tile = wm_mesh_tile(mesh, s);
      if (tile) total += area_of(tile);
      for (uint32_t i = 0; tile && i < tile->ground_count; i++) {
        const float *a = tile->vertices + 3 * (size_t)tile->polygon_vertices[6 * (size_t)i],
                    *c = tile->vertices + 3 * (size_t)tile->polygon_vertices[6 * (size_t)i + 2];
        const double expected = fabs((double)(c[0] - a[0]) * (double)(c[2] - a[2])); /* rectangles */
        CHECK(fabs(tile->area_before[i + 1] - tile->area_before[i] - expected) < 1e-9);
      }
    }
    check_samples(mesh, total);
  }
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

int main(void) {
  RUN(tiles_are_sampled_by_area_whatever_comes_and_goes);
  return check_finish();
}
