/* String-pulled paths through random corridors: points where polygons are crossed, and limits of the number
 * of points. */
#include "golden_queries.h"
#include "mesh/locate.h"

enum { SIDE = 3, POINT_LIMIT = 512 };

/* A copy of a path's points, for use after the query's next call. */
typedef struct Points {
  size_t count;
  float points[3 * POINT_LIMIT];
  uint8_t flags[POINT_LIMIT];
  WmRef polygons[POINT_LIMIT];
  float length;
  bool cut;
} Points;

typedef struct World {
  WmContext *context;
  WmMesh *mesh;
  WmQuery *query;
} World;

static World open_world(uint32_t seed) {
  World world = {.context = wm_context_create(NULL)};
  world.mesh = make_grid_world(world.context, SIDE, seed);
  CHECK_EQUAL_INT(wm_query_create(world.context, world.mesh, &world.query), WM_OK);
  for (size_t s = 0; s < SIDE * SIDE; s++) {
    const WmMeshTile *tile = wm_mesh_tile(world.mesh, s);
    for (uint32_t p = 0; p < tile->polygon_count; p++) {
      if (grid_random(&seed) % 4 == 0) wm_mesh_set_polygon_flags(world.mesh, tile->ref + p, 0);
      wm_mesh_set_polygon_area(world.mesh, tile->ref + p, (uint8_t)(grid_random(&seed) % 2));
    }
  }
  return world;
}

static void close_world(World *world) {
  wm_query_destroy(world->query);
  wm_mesh_destroy(world->mesh);
  wm_context_destroy(world->context);
}

static void pull(const World *world, const WmNearest *start, const WmNearest *end, const WmRef *corridor,
                 size_t count, WmCrossings crossings, size_t max_points, Points *points) {
  WmPath path;
  CHECK_EQUAL_INT(wm_query_straighten(world->query, start->point, end->point, corridor, count, crossings,
                                      max_points, &path),
                  WM_OK);
  CHECK(path.point_count <= POINT_LIMIT && (max_points == 0 || path.point_count <= max_points));
  points->count = path.point_count < POINT_LIMIT ? path.point_count : POINT_LIMIT;
  memcpy(points->points, path.points, points->count * 3 * sizeof(float));
  memcpy(points->flags, path.point_flags, points->count);
  memcpy(points->polygons, path.point_polygons, points->count * sizeof(WmRef));
  points->length = path.length;
  points->cut = path.cut;
}

static bool same_point(const Points *a, size_t i, const Points *b, size_t k) {
  return memcmp(a->points + 3 * i, b->points + 3 * k, 3 * sizeof(float)) == 0;
}

static uint8_t area_of(const World *world, WmRef polygon) {
  return wm_mesh_tile_of(world->mesh, polygon)->polygon_area[wm_ref_polygon(polygon)];
}

static size_t place_of(const WmRef *corridor, size_t count, WmRef polygon) {
  size_t place = 0;
  while (place < count && corridor[place] != polygon) place++;
  return place;
}

/* A crossing lies on the edge between the polygon that it names and the previous one. */
static void check_crossings(const World *world, const WmRef *corridor, size_t count, const Points *points) {
  for (size_t i = 0; i < points->count; i++) {
    if (points->polygons[i] == 0) {
      CHECK_EQUAL_INT(i, points->count - 1);
      continue;
    }
    const size_t place = place_of(corridor, count, points->polygons[i]);
    CHECK(place < count);
    if (place == count || points->flags[i] != 0) continue;
    const WmMeshTile *tile = wm_mesh_tile_of(world->mesh, corridor[place]);
    float closest[3];
    wm_tile_closest_point(tile, wm_ref_polygon(corridor[place]), points->points + 3 * i, false, closest);
    const float x = closest[0] - points->points[3 * i], z = closest[2] - points->points[3 * i + 2];
    CHECK(x * x + z * z < 1e-4f);
    if (place == 0) continue;
    tile = wm_mesh_tile_of(world->mesh, corridor[place - 1]);
    wm_tile_closest_point(tile, wm_ref_polygon(corridor[place - 1]), points->points + 3 * i, false, closest);
    const float u = closest[0] - points->points[3 * i], w = closest[2] - points->points[3 * i + 2];
    CHECK(u * u + w * w < 1e-4f);
  }
}

/* Every point of `few` is among the points of `many`, in order; points closer than 1/16000 count as one. */
static bool is_part_of(const Points *few, const Points *many) {
  size_t k = 0;
  for (size_t i = 0; i < few->count; i++, k++) {
    while (k < many->count && distance(few->points + 3 * i, many->points + 3 * k) > 1e-3f) k++;
    if (k == many->count) return false;
  }
  return true;
}

static float flat_length(const Points *points) {
  float sum = 0;
  for (size_t i = 0; i + 1 < points->count; i++) {
    const float x = points->points[3 * i + 3] - points->points[3 * i];
    const float z = points->points[3 * i + 5] - points->points[3 * i + 2];
    sum += sqrtf(x * x + z * z);
  }
  return sum;
}

/* A path is cut exactly if it has more points, and the cut one has its first points. */
static void check_limits(const World *world, const WmNearest *start, const WmNearest *end,
                         const WmRef *corridor, size_t count, WmCrossings crossings, const Points *all) {
  static Points some;
  for (size_t limit = 1; limit <= all->count + 1; limit++) {
    pull(world, start, end, corridor, count, crossings, limit, &some);
    CHECK_EQUAL_INT(some.cut, limit < all->count);
    CHECK_EQUAL_INT(some.count, limit < all->count ? limit : all->count);
    for (size_t i = 0; i < some.count; i++) CHECK(same_point(&some, i, all, i));
  }
}

static void crossings_lie_on_openings_and_limits_cut_the_rest(void) {
  static Points plain, areas, all;
  int count = 0, crossed = 0, changed = 0;
  for (uint32_t w = 1; w <= 6; w++) {
    World world = open_world(w);
    uint32_t seed = w;
    static const float HALF_EXTENTS[3] = {30, 30, 30};
    for (int i = 0; i < 40; i++) {
      WmNearest ends[2];
      for (int e = 0; e < 2; e++) {
        const float centre[3] = {random_between(&seed, 0, 8 * SIDE), 0, random_between(&seed, 0, 8 * SIDE)};
        CHECK_EQUAL_INT(wm_query_find_nearest(world.query, centre, HALF_EXTENTS, NULL, &ends[e]), WM_OK);
      }
      WmCorridor corridor;
      CHECK_EQUAL_INT(wm_query_find_corridor(world.query, ends[0].polygon, ends[0].point, ends[1].polygon,
                                             ends[1].point, NULL, &corridor),
                      WM_OK);
      /* The corridor is the query's own array, and stays the same during all of this. */
      const WmRef *polygons = corridor.polygons;
      const size_t n = corridor.polygon_count;
      pull(&world, &ends[0], &ends[1], polygons, n, WM_CROSSINGS_NONE, 0, &plain);
      pull(&world, &ends[0], &ends[1], polygons, n, WM_CROSSINGS_AREAS, 0, &areas);
      pull(&world, &ends[0], &ends[1], polygons, n, WM_CROSSINGS_ALL, 0, &all);
      CHECK(!plain.cut && !areas.cut && !all.cut);
      CHECK(is_part_of(&plain, &areas) && is_part_of(&areas, &all));
      CHECK(all.count <= 2 * n + 2);
      CHECK(fabsf(flat_length(&plain) - flat_length(&all)) < 1e-2f * (1 + flat_length(&plain)));
      check_crossings(&world, polygons, n, &areas);
      check_crossings(&world, polygons, n, &all);
      size_t changes = 0;
      for (size_t k = 0; k + 1 < n; k++) {
        changes += area_of(&world, polygons[k]) != area_of(&world, polygons[k + 1]);
      }
      CHECK(areas.count <= plain.count + changes);
      check_limits(&world, &ends[0], &ends[1], polygons, n, WM_CROSSINGS_NONE, &plain);
      check_limits(&world, &ends[0], &ends[1], polygons, n, WM_CROSSINGS_ALL, &all);
      count++;
      crossed += all.count > plain.count;
      changed += areas.count > plain.count && areas.count < all.count;
    }
    close_world(&world);
  }
  printf("%d corridors, %d with crossings, %d with more of them than changes of area\n", count, crossed,
         changed);
  CHECK(crossed > count / 2 && changed > 20);
}

static void a_corridor_with_a_gap_ends_at_it(void) {
  World world = open_world(2);
  const WmMeshTile *tile = wm_mesh_tile(world.mesh, 0), *far = wm_mesh_tile(world.mesh, SIDE * SIDE - 1);
  const WmRef broken[3] = {tile->ref, far->ref, far->ref};
  const float start[3] = {0.1f, 0, 0.1f}, end[3] = {20, 0, 20};
  WmPath path;
  CHECK_EQUAL_INT(wm_query_straighten(world.query, start, end, broken, 3, WM_CROSSINGS_ALL, 0, &path), WM_OK);
  CHECK_EQUAL_INT(path.state, WM_PATH_PARTIAL);
  CHECK_EQUAL_INT(path.reason, WM_PATH_REASON_BROKEN_CORRIDOR);
  const float *last = path.points + 3 * (path.point_count - 1);
  CHECK(fabsf(path.remaining - distance(last, end)) < 1e-5f && path.remaining > 10);
  /* Reference 0, or a removed polygon, in between. */
  const WmRef none[2] = {tile->ref, (WmRef)1 << 52};
  CHECK_EQUAL_INT(wm_query_straighten(world.query, start, end, none, 2, WM_CROSSINGS_NONE, 0, &path), WM_OK);
  CHECK_EQUAL_INT(path.reason, WM_PATH_REASON_BROKEN_CORRIDOR);
  /* As the first polygon it is an error. */
  CHECK_EQUAL_INT(wm_query_straighten(world.query, start, end, none + 1, 1, WM_CROSSINGS_NONE, 0, &path),
                  WM_ERROR_INVALID_ARGUMENT);
  CHECK(path.points == NULL && path.point_count == 0);
  const float bad[3] = {0, INFINITY, 0};
  CHECK_EQUAL_INT(wm_query_straighten(world.query, start, bad, none, 1, WM_CROSSINGS_NONE, 0, &path),
                  WM_ERROR_INVALID_ARGUMENT);
  close_world(&world);
}

int main(void) {
  RUN(crossings_lie_on_openings_and_limits_cut_the_rest);
  RUN(a_corridor_with_a_gap_ends_at_it);
  return check_finish();
}
