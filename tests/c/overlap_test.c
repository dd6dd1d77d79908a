/* Polygons in a box, a cylinder or a prism, compared with slow methods. */
#include <math.h>

#include "golden_queries.h"
#include "maze_world.h"
#include "mesh/locate.h"
#include "query/local/overlap.h"

/* ---- The slow method ---------------------------------------------------------------------------------- */

/* A convex polygon or, with a radius, a circle around its only corner. */
typedef struct Shape {
  int count;
  double corners[32][2], radius;
  float low, high;
} Shape;

/* The largest distance between two convex outlines along the normals of the edges of `a`, as a fraction of
 * their lengths: above 0 they don't touch. */
static double separate(const Shape *a, const Shape *b) {
  double most = -INFINITY;
  for (int k = 0; k < a->count; k++) {
    const double *first = a->corners[k], *second = a->corners[(k + 1) % a->count];
    const double x = second[1] - first[1], z = first[0] - second[0];
    if (x == 0 && z == 0) continue;
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int side = 0; side < 2; side++) {
      const Shape *shape = side ? b : a;
      for (int i = 0; i < shape->count; i++) {
        const double along = (shape->corners[i][0] * x + shape->corners[i][1] * z) / hypot(x, z);
        low[side] = fmin(low[side], along);
        high[side] = fmax(high[side], along);
      }
    }
    most = fmax(most, fmax(low[0] - high[1], low[1] - high[0]));
  }
  return most;
}

static double distance_to_corner(const Shape *polygon, const double *corner) {
  double best = INFINITY;
  bool inside = true;
  for (int k = 0; k < polygon->count; k++) {
    const double *a = polygon->corners[k], *b = polygon->corners[(k + 1) % polygon->count];
    const double x = b[0] - a[0], z = b[1] - a[1];
    const double t = fmin(1, fmax(0, ((corner[0] - a[0]) * x + (corner[1] - a[1]) * z) / (x * x + z * z)));
    best = fmin(best, hypot(a[0] + t * x - corner[0], a[1] + t * z - corner[1]));
    inside &= z * (corner[0] - a[0]) - x * (corner[1] - a[1]) >= 0;
  }
  return inside ? 0 : best;
}

/* Above 0: they do not touch. */
static double find_gap(const Shape *polygon, const Shape *shape) {
  if (shape->radius >= 0) return distance_to_corner(polygon, shape->corners[0]) - shape->radius;
  return fmax(separate(polygon, shape), separate(shape, polygon));
}

static Shape shape_of(const WmMeshTile *tile, uint32_t p) {
  Shape shape = {.count = tile->polygon_size[p], .radius = -1, .low = INFINITY, .high = -INFINITY};
  for (int k = 0; k < shape.count; k++) {
    shape.corners[k][0] = wm_tile_vertex(tile, p, (uint32_t)k)[0];
    shape.corners[k][1] = wm_tile_vertex(tile, p, (uint32_t)k)[2];
  }
  for (int k = 0; k < shape.count + tile->details[p].vertex_count; k++) {
    shape.low = fminf(shape.low, wm_tile_corner(tile, p, (uint32_t)k)[1]);
    shape.high = fmaxf(shape.high, wm_tile_corner(tile, p, (uint32_t)k)[1]);
  }
  return shape;
}

/* Tiles by row, column, newest layer: the order of the result. */
static int compare_places(const void *a, const void *b) {
  const WmMeshTile *first = *(const WmMeshTile *const *)a, *second = *(const WmMeshTile *const *)b;
  if (first->z != second->z) return first->z < second->z ? -1 : 1;
  if (first->x != second->x) return first->x < second->x ? -1 : 1;
  return first->layer > second->layer ? -1 : 1; /* layers were added by their numbers */
}

typedef struct Slow {
  size_t count;
  WmRef polygons[8192];
  bool doubtful[8192]; /* so close that rounding decides */
} Slow;

static void find_slowly(const WmMesh *mesh, const Shape *shape, const WmFilter *filter, double doubt,
                        Slow *slow) {
  const WmMeshTile *tiles[1024];
  size_t count = 0;
  slow->count = 0;
  for (size_t s = 0; s < wm_mesh_slot_count(mesh); s++) {
    if (wm_mesh_tile(mesh, s)) tiles[count++] = wm_mesh_tile(mesh, s);
  }
  qsort(tiles, count, sizeof *tiles, compare_places);
  for (size_t i = 0; i < count; i++) {
    for (uint32_t p = 0; p < tiles[i]->ground_count; p++) {
      if (!wm_filter_passes(filter, tiles[i]->polygon_flags[p])) continue;
      const Shape polygon = shape_of(tiles[i], p);
      if (polygon.low > shape->high || polygon.high < shape->low) continue;
      const double gap = find_gap(&polygon, shape);
      if (gap > doubt) continue;
      slow->doubtful[slow->count] = gap > -doubt && doubt > 0;
      slow->polygons[slow->count++] = tiles[i]->ref + p;
    }
  }
}

/* The same, except for doubtful ones that may be missing. */
static void check_found(const WmPolygons *found, const Slow *slow) {
  size_t at = 0;
  for (size_t i = 0; i < slow->count; i++) {
    const bool same = at < found->count && found->polygons[at] == slow->polygons[i];
    CHECK(same || slow->doubtful[i]);
    at += same;
  }
  CHECK_EQUAL_INT(at, found->count);
  CHECK(!found->cut && found->parents == NULL);
}

/* ---- Regions ------------------------------------------------------------------------------------------ */

typedef struct Region {
  int kind; /* 0 box, 1 cylinder, 2 prism */
  float centre[3], half_extents[3];
  float vertices[32 * 3];
  size_t vertex_count;
} Region;

static WmStatus ask(WmQuery *query, const Region *region, const WmFilter *filter, size_t max_polygons,
                    WmPolygons *polygons) {
  const float *centre = region->centre, *half = region->half_extents;
  if (region->kind == 0) return wm_query_polygons_in_box(query, centre, half, filter, max_polygons, polygons);
  if (region->kind == 1)
    return wm_query_polygons_in_circle(query, centre, half[0], half[1], filter, max_polygons, polygons);
  return wm_query_polygons_in_convex(query, region->vertices, region->vertex_count, centre[1] - half[1],
                                     centre[1] + half[1], filter, max_polygons, polygons);
}

static Shape shape_of_region(const Region *region) {
  Shape shape = {.count = 1, .radius = region->kind == 1 ? region->half_extents[0] : -1};
  shape.low = region->centre[1] - region->half_extents[1];
  shape.high = region->centre[1] + region->half_extents[1];
  shape.corners[0][0] = region->centre[0];
  shape.corners[0][1] = region->centre[2];
  if (region->kind == 0) {
    shape.count = 4;
    for (int k = 0; k < 4; k++) {
      const float x = region->half_extents[0], z = region->half_extents[2];
      shape.corners[k][0] = k == 1 || k == 2 ? region->centre[0] + x : region->centre[0] - x;
      shape.corners[k][1] = k >= 2 ? region->centre[2] + z : region->centre[2] - z;
    }
  }
  if (region->kind == 2) {
    shape.count = (int)region->vertex_count;
    for (int k = 0; k < shape.count; k++) {
      shape.corners[k][0] = region->vertices[3 * k];
      shape.corners[k][1] = region->vertices[3 * k + 2];
    }
  }
  return shape;
}

/* in         step: coordinates are its multiples */
static Region draw_region(uint32_t *seed, int kind, const float low[3], const float high[3], float size,
                          float step) {
  Region region = {.kind = kind};
  for (int axis = 0; axis < 3; axis++) {
    region.centre[axis] = step * floorf(random_between(seed, low[axis], high[axis]) / step);
    region.half_extents[axis] = step * floorf(random_between(seed, 0, size) / step);
  }
  region.vertex_count = 3 + grid_random(seed) % 20;
  const float turn = (grid_random(seed) % 2 ? 6.2831853f : -6.2831853f) / (float)region.vertex_count;
  const float begin = random_between(seed, 0, 6);
  for (size_t k = 0; k < region.vertex_count; k++) {
    region.vertices[3 * k] = region.centre[0] + (0.1f + size) * cosf(begin + turn * (float)k);
    region.vertices[3 * k + 2] = region.centre[2] + (0.1f + size) * sinf(begin + turn * (float)k);
  }
  return region;
}

static void compare(const WmMesh *mesh, WmQuery *query, const Region *region, const WmFilter *filter,
                    double doubt, size_t *found) {
  static Slow slow;
  const Shape shape = shape_of_region(region);
  WmPolygons polygons;
  find_slowly(mesh, &shape, filter, doubt, &slow);
  CHECK_EQUAL_INT(ask(query, region, filter, 0, &polygons), WM_OK);
  check_found(&polygons, &slow);
  *found += polygons.count;
  const size_t count = polygons.count;
  if (count == 0) return;
  const WmRef last = polygons.polygons[count - 1];
  CHECK_EQUAL_INT(ask(query, region, filter, count, &polygons), WM_OK);
  CHECK(polygons.count == count && !polygons.cut && polygons.polygons[count - 1] == last);
  if (count == 1) return;
  CHECK_EQUAL_INT(ask(query, region, filter, count - 1, &polygons), WM_OK);
  CHECK(polygons.count == count - 1 && polygons.cut);
}

/* ---- Cases -------------------------------------------------------------------------------------------- */

static void overlaps_equal_slow_ones_on_drawn_worlds(void) {
  WmContext *context = wm_context_create(NULL);
  size_t found[3] = {0}, exact = 0;
  for (uint32_t world = 1; world <= 8; world++) {
    uint32_t seed = world;
    WmMesh *mesh = make_maze_world(context, world, 6);
    for (int32_t i = 0; i < 4; i++) { /* more layers */
      GridTile grid = {
          .x = i % 2, .layer = 1 + i / 2, .seed = world + 90, .floor = 12, .hole = 3, .tree = true};
      WmTileData tile = make_grid_tile(context, &grid);
      if (world % 2) lift_grid_nodes(&tile);
      CHECK_EQUAL_INT(wm_mesh_add_tile(mesh, tile.bytes, tile.byte_count, NULL), WM_OK);
      wm_tile_data_free(context, &tile);
    }
    WmQuery *query = NULL;
    CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
    WmFilter filter = wm_filter_default();
    const float low[3] = {-2, -1, -2}, high[3] = {26, 4, 26};
    for (int i = 0; i < CHECK_ROUNDS(300); i++) {
      if (i == CHECK_ROUNDS(200)) filter.exclude_flags = 2;
      const float size = i % 10 == 9 ? 40 : i % 10 == 8 ? 0 : random_between(&seed, 0, 6);
      Region region = draw_region(&seed, i % 3, low, high, size, 1e-3f);
      compare(mesh, query, &region, &filter, 1e-6, &found[i % 3]);
      if (i % 3 == 2) continue;
      /* On half cells, where many regions only just touch; all numbers are exact. */
      region = draw_region(&seed, i % 3, low, high, size, 0.5f);
      compare(mesh, query, &region, &filter, 0, &exact);
    }
    wm_query_destroy(query);
    wm_mesh_destroy(mesh);
  }
  for (int i = 0; i < 3; i++) CHECK(found[i] > (size_t)CHECK_ROUNDS(2000));
  CHECK(exact > (size_t)CHECK_ROUNDS(3000));
  wm_context_destroy(context);
}

static void overlaps_equal_slow_ones_on_golden_meshes(void) {
  for (int s = 0; s < GOLDEN_SCENE_COUNT; s++) {
    Golden golden;
    if (!open_golden(GOLDEN_SCENES[s], &golden)) continue;
    const WmMeshTile *tile = wm_mesh_tile(golden.mesh, 0);
    uint32_t seed = (uint32_t)s;
    size_t found = 0;
    for (int i = 0; i < 90; i++) {
      Region region = draw_region(&seed, i % 3, tile->bounds_min, tile->bounds_max,
                                  random_between(&seed, 0, 20), 1.0f / 1024);
      region.half_extents[1] += 2;
      compare(golden.mesh, golden.query, &region, &golden.filter, 1e-5, &found);
    }
    CHECK(found > 200);
    close_golden(&golden);
  }
}

static void huge_regions_end_soon_and_keep_the_order(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_mesh(context);
  static const int32_t PLACES[6][3] = {{9000, -70, 0}, {-5, 2, 0}, {-5, 2, 1},
                                       {300, 2, 0},    {-5, 2, 2}, {0, -90, 0}};
  for (int i = 0; i < 6; i++) {
    const GridTile grid = {
        .x = PLACES[i][0], .z = PLACES[i][1], .layer = PLACES[i][2], .hole = UINT32_MAX, .tree = true};
    add_grid_tile(mesh, &grid);
  }
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  static const size_t ORDER[6] = {5, 0, 4, 2, 1, 3};
  static const float SIZES[4] = {1e6f, 1e9f, 1e30f, 3e38f};
  for (int i = 0; i < 8; i++) {
    Region region = {.kind = i % 2, .centre = {1, 2, 3}};
    for (int axis = 0; axis < 3; axis++) region.half_extents[axis] = SIZES[i / 2];
    WmPolygons polygons;
    CHECK_EQUAL_INT(ask(query, &region, NULL, 0, &polygons), WM_OK);
    CHECK_EQUAL_INT(polygons.count, 24);
    for (size_t k = 0; k < polygons.count && k < 24; k++) {
      CHECK_EQUAL_INT(polygons.polygons[k], wm_mesh_tile(mesh, ORDER[k / 4])->ref + k % 4);
    }
    region.centre[0] = 3e38f;
    region.half_extents[0] = 1e30f;
    CHECK_EQUAL_INT(ask(query, &region, NULL, 0, &polygons), WM_OK);
    CHECK_EQUAL_INT(polygons.count, 0);
  }
  const float triangle[9] = {-1e9f, 0, -1e9f, 1e9f, 0, -1e9f, 0, 0, 1e9f};
  WmPolygons polygons;
  CHECK_EQUAL_INT(wm_query_polygons_in_convex(query, triangle, 3, -INFINITY, INFINITY, NULL, 23, &polygons),
                  WM_OK);
  CHECK(polygons.count == 23 && polygons.cut);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void bad_regions_are_refused(void) {
  WmContext *context = wm_context_create(NULL);
  WmMesh *mesh = make_grid_world(context, 1, 0);
  WmQuery *query = NULL;
  CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
  const float good[3] = {1, 1, 1}, bad[3] = {1, NAN, 1}, negative[3] = {1, -1, 1};
  static const float SQUARE[12] = {0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 0};
  WmPolygons polygons;
  CHECK_EQUAL_INT(wm_query_polygons_in_box(query, bad, good, NULL, 0, &polygons), WM_ERROR_INVALID_ARGUMENT);
  CHECK(polygons.count == 0 && polygons.polygons == NULL);
  const WmStatus statuses[] = {wm_query_polygons_in_box(query, good, bad, NULL, 0, &polygons),
                               wm_query_polygons_in_box(query, good, negative, NULL, 0, &polygons),
                               wm_query_polygons_in_circle(query, bad, 1, 1, NULL, 0, &polygons),
                               wm_query_polygons_in_circle(query, good, -1, 1, NULL, 0, &polygons),
                               wm_query_polygons_in_circle(query, good, NAN, 1, NULL, 0, &polygons),
                               wm_query_polygons_in_circle(query, good, 1, -1, NULL, 0, &polygons),
                               wm_query_polygons_in_convex(query, SQUARE, 2, 0, 1, NULL, 0, &polygons),
                               wm_query_polygons_in_convex(query, NULL, 0, 0, 1, NULL, 0, &polygons),
                               wm_query_polygons_in_convex(query, SQUARE, 4, 1, 0, NULL, 0, &polygons),
                               wm_query_polygons_in_convex(query, SQUARE, 4, NAN, 0, NULL, 0, &polygons)};
  for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
    CHECK_EQUAL_INT(statuses[i], WM_ERROR_INVALID_ARGUMENT);
  }
  CHECK(polygons.count == 0 && polygons.polygons == NULL);
  /* Regions without width: a point, a circle without radius. */
  static const float NONE[3] = {0};
  for (int i = 0; i < 5; i++) {
    const float at[3] = {(float)i * 2, 0.125f,
                         4}; /* a corner of two, an inner edge, the corner of four ... */
    static const size_t COUNTS[5] = {2, 2, 4, 2, 2};
    const float tall[3] = {0, 1, 0};
    CHECK_EQUAL_INT(wm_query_polygons_in_box(query, at, tall, NULL, 0, &polygons), WM_OK);
    CHECK_EQUAL_INT(polygons.count, COUNTS[i]);
    CHECK_EQUAL_INT(wm_query_polygons_in_circle(query, at, 0, 1, NULL, 0, &polygons), WM_OK);
    CHECK_EQUAL_INT(polygons.count, COUNTS[i]);
  }
  const float inside[3] = {1, 0, 1}, over[3] = {1, 1e-6f, 1};
  CHECK_EQUAL_INT(wm_query_polygons_in_box(query, inside, NONE, NULL, 0, &polygons), WM_OK);
  CHECK_EQUAL_INT(polygons.count, 1);
  CHECK_EQUAL_INT(wm_query_polygons_in_box(query, over, NONE, NULL, 0, &polygons), WM_OK);
  CHECK_EQUAL_INT(polygons.count, 0);
  wm_query_destroy(query);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
}

static void a_warm_overlap_allocates_nothing_and_a_cold_one_survives_failures(void) {
  Ration ration = {.until_failure = -1};
  const WmAllocator allocator = {allocate_rationed, release_rationed, &ration};
  WmContext *context = wm_context_create(&allocator);
  WmMesh *mesh = make_maze_world(context, 5, 0);
  int failures = 0;
  for (int kind = 0; kind < 2; kind++) {
    WmStatus status = WM_ERROR_OUT_OF_MEMORY;
    const Region region = {.kind = kind, .centre = {12, 0, 12}, .half_extents = {1e9f, 1e9f, 1e9f}};
    for (long n = 0; status && n < 100; n++) {
      WmQuery *query = NULL;
      CHECK_EQUAL_INT(wm_query_create(context, mesh, &query), WM_OK);
      WmPolygons polygons;
      ration.until_failure = n;
      status = ask(query, &region, NULL, 0, &polygons);
      ration.until_failure = -1;
      CHECK_EQUAL_INT(status, status ? WM_ERROR_OUT_OF_MEMORY : WM_OK);
      CHECK_EQUAL_INT(polygons.count == 0, status != WM_OK);
      failures += status != WM_OK;
      CHECK_EQUAL_INT(ask(query, &region, NULL, 0, &polygons), WM_OK);
      CHECK(polygons.count > 50);
      const long allocations = ration.allocations;
      CHECK_EQUAL_INT(ask(query, &region, NULL, 0, &polygons), WM_OK);
      CHECK_EQUAL_INT(ration.allocations, allocations);
      wm_query_destroy(query);
    }
  }
  CHECK(failures > 6);
  wm_mesh_destroy(mesh);
  wm_context_destroy(context);
  CHECK_EQUAL_INT(ration.in_use, 0);
}

int main(void) {
  RUN(overlaps_equal_slow_ones_on_drawn_worlds);
  RUN(overlaps_equal_slow_ones_on_golden_meshes);
  RUN(huge_regions_end_soon_and_keep_the_order);
  RUN(bad_regions_are_refused);
  RUN(a_warm_overlap_allocates_nothing_and_a_cold_one_survives_failures);
  return check_finish();
}
