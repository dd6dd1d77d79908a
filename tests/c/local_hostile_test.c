/* Queries around a point on meshes that no bake makes but that files can contain: polygons that aren't convex
 * or lie over one another, neighbours on one side only, links in circles, edges without length. Every query
 * ends, and no number is NaN. */
#include "local_worlds.h"

/* Writes wrong corners and wrong neighbours into some polygons of a tile. */
static void disarrange(uint8_t *bytes, uint32_t *seed) {
  WmTileHeader header;
  memcpy(&header, bytes, sizeof header);
  const WmTileSections at = wm_tile_sections(&header, WM_TILE_LINK_BYTES);
  for (int32_t v = 0; v < header.vertex_count; v++) {
    float point[3];
    wm_tile_get(bytes, at.vertices, (size_t)v, sizeof point, point);
    if (grid_random(seed) % 4 == 0) {
      for (int axis = 0; axis < 3; axis++) point[axis] += random_between(seed, -3, 3);
    }
    if (grid_random(seed) % 16 == 0) memcpy(point, header.bounds_min, sizeof point);
    wm_tile_put(bytes, at.vertices, (size_t)v, sizeof point, point);
  }
  for (int32_t p = 0; p < header.first_off_mesh; p++) {
    WmTilePolygon polygon;
    wm_tile_get(bytes, at.polygons, (size_t)p, sizeof polygon, &polygon);
    for (int k = 0; k < polygon.vertex_count; k++) {
      const uint32_t choice = grid_random(seed) % 12;
      const uint32_t other = grid_random(seed) % (uint32_t)header.first_off_mesh;
      if (choice < 4 && other != (uint32_t)p) polygon.neighbours[k] = (uint16_t)(other + 1);
      if (choice == 4) polygon.neighbours[k] = (uint16_t)(WM_TILE_PORTAL | (grid_random(seed) % 4 * 2));
      if (choice == 5) polygon.vertices[k] = (uint16_t)(grid_random(seed) % (uint32_t)header.vertex_count);
    }
    wm_tile_put(bytes, at.polygons, (size_t)p, sizeof polygon, &polygon);
  }
}

/* Returns the number of tiles that the mesh accepts; others are refused correctly. */
static int add_disarranged(WmMesh *mesh, uint32_t *seed) {
  int taken = 0;
  for (int32_t i = 0; i < 16; i++) {
    const GridTile grid = {
        .x = i % 4 / 2, .z = i % 2, .layer = i / 4, .seed = 1 + grid_random(seed) % 1000, .hole = UINT32_MAX};
    WmTileData tile = make_grid_tile(wm_mesh_context(mesh), &grid);
    disarrange(tile.bytes, seed);
    const WmStatus status = wm_mesh_add_tile(mesh, tile.bytes, tile.byte_count, NULL);
    CHECK(status == WM_OK || status == WM_ERROR_CORRUPT);
    taken += status == WM_OK;
    wm_tile_data_free(wm_mesh_context(mesh), &tile);
  }
  return taken;
}

static bool are_numbers(const float *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!isfinite(values[i])) return false;
  }
  return true;
}

static void ask_around(WmQuery *query, WmRef start, const float from[3], const float to[3]) {
  WmRay ray;
  CHECK_EQUAL_INT(wm_query_raycast(query, start, from, to, NULL, true, 0, &ray), WM_OK);
  CHECK(are_numbers(&ray.t, 1) && ray.t >= 0 && ray.t <= 1 && are_numbers(ray.point, 3));
  CHECK(are_numbers(&ray.cost, 1) && are_numbers(ray.normal, 3));
  CHECK(ray.outside == (ray.polygon_count == 0));
  WmMove move;
  CHECK_EQUAL_INT(wm_query_move_along_surface(query, start, from, to, NULL, true, &move), WM_OK);
  CHECK(are_numbers(move.point, 3) && move.polygon_count > 0);
  WmWall wall;
  CHECK_EQUAL_INT(wm_query_distance_to_wall(query, start, from, 20, NULL, &wall), WM_OK);
  CHECK(wall.distance >= 0 && wall.distance <= 20 && are_numbers(wall.point, 3));
  CHECK(are_numbers(wall.normal, 3));
  WmSegments outline;
  CHECK_EQUAL_INT(wm_query_wall_segments(query, start, NULL, true, &outline), WM_OK);
  for (size_t i = 0; i < outline.count; i++) CHECK(are_numbers(outline.ends[i][0], 6));
  WmPolygons around;
  CHECK_EQUAL_INT(wm_query_local_neighbourhood(query, start, from, 6, NULL, 0, &around), WM_OK);
  CHECK(around.count >= 1);
}

static void walks_end_on_disarranged_meshes(void) {
  WmContext *context = wm_context_create(NULL);
  int tiles = 0;
  for (uint32_t world = 1; world <= 30; world++) {
    uint32_t seed = world;
    WmMesh *mesh = make_grid_mesh(context);
    tiles += add_disarranged(mesh, &seed);
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
      const WmMeshTile *tile = wm_mesh_tile(mesh, s);
      for (uint32_t p = 0; tile && p < tile->ground_count; p++) {
        float from[3], to[3];
        for (int axis = 0; axis < 3; axis++) {
          from[axis] = (wm_tile_vertex(tile, p, 0)[axis] + wm_tile_vertex(tile, p, 1)[axis] +
                        wm_tile_vertex(tile, p, 2)[axis]) /
                       3;
          to[axis] = random_between(&seed, -5, 20);
        }
        ask_around(query, tile->ref + p, from, to);
        ask_around(query, tile->ref + p, wm_tile_vertex(tile, p, 0), to);
        ask_around(query, tile->ref + p, to, wm_tile_vertex(tile, p, 1));
      }
    }
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  CHECK(tiles > 50);
  printf("%d tiles\n", tiles);
  wm_context_destroy(context);
}

int main(void) {
  RUN(walks_end_on_disarranged_meshes);
  return check_finish();
}
