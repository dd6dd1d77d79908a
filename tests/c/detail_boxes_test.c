/* Boxes of detail triangles: heights found with them equal those of a scan over all triangles. */
#include "mesh/tile/detail_boxes.h"

#include <math.h>

#include "golden_queries.h"
#include "grid_tiles.h"
#include "mesh/locate.h"

static float random_float(uint32_t *state, float low, float high) {
  return low + (high - low) * ((float)grid_random(state) / 16777216.0f);
}

/* Twice the area of a, b, c on x and z. */
static double cross(const float *a, const float *b, const float *c) {
  return ((double)b[0] - a[0]) * ((double)c[2] - a[2]) - ((double)b[2] - a[2]) * ((double)c[0] - a[0]);
}

/* True if a point is in a triangle, by a small margin. */
static bool is_well_inside(const float *a, const float *b, const float *c, const float *point) {
  const double area = cross(a, b, c), sign = area < 0 ? -1 : 1, least = 1e-4 * fabs(area);
  return fabs(area) > 1e-4 && sign * cross(a, b, point) > least && sign * cross(b, c, point) > least &&
         sign * cross(c, a, point) > least;
}

static void boxes_have_the_points_of_their_triangles(void) {
  static const char *const SCENES[] = {"terrain", "city", "tower"};
  uint32_t random = 5;
  for (int s = 0; s < 3; s++) {
    Golden golden;
    if (!open_golden(SCENES[s], &golden)) continue;
    const WmMeshTile *tile = wm_mesh_tile(golden.mesh, 0);
    int inside = 0, passed = 0, tried = 0;
    for (uint32_t p = 0; p < tile->ground_count; p++) {
      const WmTileDetail *detail = &tile->details[p];
      const float *corners[WM_TILE_VERTICES_PER_POLYGON] = {NULL};
      for (uint32_t k = 0; k < tile->polygon_size[p]; k++) corners[k] = wm_tile_vertex(tile, p, k);
      const WmDetailFrame frame = wm_detail_frame(corners, tile->polygon_size[p]);
      for (int i = 0; i < 200; i++) {
        const float u = random_float(&random, 0, 1), v = random_float(&random, 0, 1);
        float point[3] = {0, 0, 0};
        for (int axis = 0; axis < 3; axis += 2) {
          point[axis] = corners[0][axis] * (1 - u) + (corners[1][axis] * (1 - v) + corners[2][axis] * v) * u;
        }
        const uint32_t at = wm_detail_point(&frame, point);
        for (uint32_t t = detail->first_triangle; t < detail->first_triangle + detail->triangle_count; t++) {
          const uint8_t *numbers = tile->detail_triangles + 4 * (size_t)t;
          const bool has = wm_detail_boxes_have(tile->detail_boxes + t, at) & 1;
          tried++;
          passed += has;
          if (!is_well_inside(wm_tile_corner(tile, p, numbers[0]), wm_tile_corner(tile, p, numbers[1]),
                              wm_tile_corner(tile, p, numbers[2]), point)) {
            continue;
          }
          CHECK(has);
          inside++;
        }
      }
    }
    CHECK(inside > 1000);
    /* The boxes are worth it: few triangles of a large polygon remain. */
    if (s == 0) CHECK(passed * 5 < tried);
    close_golden(&golden);
  }
}

int main(void) {
  RUN(boxes_have_the_points_of_their_triangles);
  return check_finish();
}
