/* Polygon meshes: drawn and hand-made contours, validity over seeded random regions, slow oracles of ear
 * clipping and joining, rings that defeat ear clipping, tile borders, limits, large contours, golden dumps.
 */
#include <time.h>

#include "bake/polygons/polygon_mesh_internal.h"
#include "flat_field.h"
#include "golden_case.h"

/* Processor time: the machine may be busy. */
static double now_milliseconds(void) { return (double)clock() * 1e3 / CLOCKS_PER_SEC; }

/* ---- Invariants of a mesh --------------------------------------------------------------------------- */

static WmPlanarPoint corner(const WmPolygonMesh *mesh, const uint16_t *polygon, uint32_t k) {
  return wm_mesh_point(mesh->vertices, polygon[k]);
}

/* The polygon is convex and has an area. Returns twice the area. */
static int64_t check_polygon(const WmPolygonMesh *mesh, const uint16_t *polygon, uint32_t size) {
  int64_t area = 0;
  CHECK(size >= 3);
  for (uint32_t k = 0; k < size; k++) {
    CHECK(polygon[k] < mesh->vertex_count);
    const WmPlanarPoint a = corner(mesh, polygon, k), b = corner(mesh, polygon, (k + 1) % size);
    CHECK(wm_planar_area(a, b, corner(mesh, polygon, (k + 2) % size)) <= 0);
    area -= wm_planar_area(corner(mesh, polygon, 0), a, b);
  }
  CHECK(area > 0);
  return area;
}

static void check_neighbour(const WmPolygonMesh *mesh, uint32_t own, const uint16_t *polygon, uint32_t size,
                            uint32_t edge) {
  const uint32_t most = (uint32_t)mesh->max_vertices_per_polygon;
  const uint16_t across = polygon[most + edge];
  if (across & WM_POLYGON_PORTAL) return;
  CHECK(across < mesh->polygon_count);
  const uint16_t *other = mesh->polygons + 2 * (size_t)across * most;
  const uint32_t other_size = wm_polygon_size(other, most);
  int mutual = 0;
  for (uint32_t k = 0; k < other_size; k++) {
    mutual += other[most + k] == own && other[k] == polygon[(edge + 1) % size] &&
              other[(k + 1) % other_size] == polygon[edge];
  }
  CHECK_EQUAL_INT(mutual, 1);
}

/* Returns twice the area of all polygons. */
static int64_t check_mesh(const WmPolygonMesh *mesh) {
  const uint32_t most = (uint32_t)mesh->max_vertices_per_polygon;
  int64_t area = 0;
  for (uint32_t i = 0; i < mesh->polygon_count; i++) {
    const uint16_t *polygon = mesh->polygons + 2 * (size_t)i * most;
    const uint32_t size = wm_polygon_size(polygon, most);
    area += check_polygon(mesh, polygon, size);
    for (uint32_t k = 0; k < size; k++) check_neighbour(mesh, i, polygon, size, k);
    for (uint32_t k = size; k < most; k++) {
      CHECK(polygon[k] == WM_POLYGON_NONE && polygon[most + k] == WM_POLYGON_NONE);
    }
  }
  return area;
}

/* Contours with max_error, and the polygon mesh of them. */
static WmPolygonMesh build(WmContext *context, const FlatField *field, float max_error, int32_t most) {
  WmContourSet set;
  WmPolygonMesh mesh;
  CHECK(wm_build_contours(context, &field->compact, &field->regions, max_error, 0,
                          WM_CONTOUR_SPLIT_WALL_EDGES, &set) == WM_OK);
  CHECK(wm_build_polygon_mesh(context, &set, most, &mesh) == WM_OK);
  wm_contour_set_free(context, &set);
  return mesh;
}

/* ---- Drawn and hand-made --------------------------------------------------------------------------- */

static void a_square_is_one_polygon(void) {
  WmContext *context = wm_context_create(NULL);
  FlatField field = draw_flat_field(context, ".../.aa/.aa");
  WmPolygonMesh mesh = build(context, &field, 0.5f, 6);
  CHECK_EQUAL_INT(mesh.polygon_count, 1);
  CHECK_EQUAL_INT(mesh.vertex_count, 4);
  CHECK_EQUAL_INT(mesh.polygon_region[0], 1);
  CHECK_EQUAL_INT(mesh.polygon_area[0], WM_AREA_WALKABLE);
  CHECK_EQUAL_INT(check_mesh(&mesh), 8);
  wm_polygon_mesh_free(context, &mesh);
  mesh = build(context, &field, 0.5f, 3);
  CHECK_EQUAL_INT(mesh.polygon_count, 2);
  CHECK_EQUAL_INT(check_mesh(&mesh), 8);
  wm_polygon_mesh_free(context, &mesh);
  free_flat_field(context, &field);
  wm_context_destroy(context);
}

static void regions_side_by_side_are_neighbours(void) {
  WmContext *context = wm_context_create(NULL);
  FlatField field = draw_flat_field(context, "aaabbb/aaabbb/aaabbb");
  WmPolygonMesh mesh = build(context, &field, 0.5f, 6);
  CHECK_EQUAL_INT(mesh.polygon_count, 2);
  CHECK_EQUAL_INT(mesh.vertex_count, 6);
  int links = 0;
  for (uint32_t i = 0; i < 2; i++) {
    for (uint32_t k = 0; k < 4; k++) links += mesh.polygons[12 * i + 6 + k] == 1 - i;
  }
  CHECK_EQUAL_INT(links, 2);
  CHECK_EQUAL_INT(check_mesh(&mesh), 36);
  wm_polygon_mesh_free(context, &mesh);
  free_flat_field(context, &field);
  wm_context_destroy(context);
}

static void a_ring_with_a_hole_is_covered(void) {
  WmContext *context = wm_context_create(NULL);
  FlatField field = draw_flat_field(context, "aaaaa/a...a/a...a/a...a/aaaaa");
  WmPolygonMesh mesh = build(context, &field, 0.5f, 6);
  CHECK_EQUAL_INT(check_mesh(&mesh), 2 * 16);
  CHECK_EQUAL_INT(mesh.vertex_count, 8);
  wm_polygon_mesh_free(context, &mesh);
  free_flat_field(context, &field);
  wm_context_destroy(context);
}

/* A contour set over given vertices; `first` has count + 1 entries. */
static WmContourSet make_set(uint32_t count, uint32_t *first, int32_t *vertices, uint16_t *regions,
                             uint8_t *areas) {
  WmContourSet set = {0};
  set.grid.width = set.grid.depth = 60000;
  set.contour_count = count;
  set.vertex_first = first;
  set.vertices = vertices;
  set.contour_region = regions;
  set.contour_area = areas;
  return set;
}

/* Heights 0, 3 and 2 at one corner: 3 is too far from 0, and 2 is merged with the newer of the two. */
static void vertices_merge_with_the_newest_in_reach(void) {
  int32_t vertices[9][4] = {{0, 0, 0, 0},  {0, 50, 4, 0}, {4, 50, 4, 0}, {0, 3, 0, 0}, {0, 60, 4, 0},
                            {4, 60, 4, 0}, {0, 2, 0, 0},  {0, 70, 4, 0}, {4, 70, 4, 0}};
  uint32_t first[4] = {0, 3, 6, 9};
  uint16_t regions[3] = {1, 2, 3};
  uint8_t areas[3] = {63, 63, 63};
  WmContext *context = wm_context_create(NULL);
  const WmContourSet set = make_set(3, first, vertices[0], regions, areas);
  WmPolygonMesh mesh;
  CHECK(wm_build_polygon_mesh(context, &set, 6, &mesh) == WM_OK);
  CHECK_EQUAL_INT(mesh.polygon_count, 3);
  CHECK_EQUAL_INT(mesh.vertex_count, 8);
  CHECK_EQUAL_INT(mesh.vertices[3 * 3 + 1], 3);
  int uses = 0;
  for (uint32_t k = 0; k < 3; k++) uses += mesh.polygons[12 * 2 + k] == 3;
  CHECK_EQUAL_INT(uses, 1);
  wm_polygon_mesh_free(context, &mesh);
  wm_context_destroy(context);
}

static void no_contours_make_an_empty_mesh(void) {
  uint32_t first[3] = {0, 0, 0};
  int32_t vertices[4] = {0};
  uint16_t regions[2] = {1, 1};
  uint8_t areas[2] = {1, 1};
  WmContext *context = wm_context_create(NULL);
  for (uint32_t count = 0; count < 3; count++) {
    const WmContourSet set = make_set(count, first, vertices, regions, areas);
    WmPolygonMesh mesh;
    CHECK(wm_build_polygon_mesh(context, &set, 6, &mesh) == WM_OK);
    CHECK(mesh.polygon_count == 0 && mesh.vertex_count == 0 && mesh.block);
    wm_polygon_mesh_free(context, &mesh);
  }
  const WmContourSet set = make_set(0, first, vertices, regions, areas);
  WmPolygonMesh mesh;
  CHECK(wm_build_polygon_mesh(context, &set, 2, &mesh) == WM_ERROR_INVALID_ARGUMENT);
  CHECK(wm_build_polygon_mesh(context, &set, 7, &mesh) == WM_ERROR_INVALID_ARGUMENT);
  wm_context_destroy(context);
}

/* ---- Whole regions --------------------------------------------------------------------------------- */

/* With an error of 0 contours follow the cells, so polygons must cover exactly these: holes of any size,
 * holes that touch, outlines that touch themselves. */
static void polygons_cover_the_cells_seed_1(void) {
  Random random = {1};
  static uint8_t map[60 * 60];
  uint64_t cells = 0;
  for (int round = 0; round < CHECK_ROUNDS(400); round++) {
    WmContext *context = wm_context_create(NULL);
    const int32_t width = 2 + random_below(&random, 58), depth = 2 + random_below(&random, 58);
    const int32_t passes = random_below(&random, 4);
    const int32_t filled = 6 + random_below(&random, 10);
    fill_random_map(&random, map, width, depth, passes, filled, 1);
    FlatField field = make_flat_field(context, width, depth, map, NULL);
    number_patches(&field, map);
    WmPolygonMesh mesh = build(context, &field, 0, 3 + round % 4);
    int64_t expected = 0;
    for (uint32_t i = 0; i < field.compact.span_count; i++) {
      uint32_t all = WM_NO_SPAN;
      for (size_t d = 0; d < 4; d++) all &= wm_link(&field.compact.links, i, d);
      expected += all != WM_NO_SPAN; /* single cells have no contour */
    }
    CHECK_EQUAL_INT(check_mesh(&mesh), 2 * expected);
    cells += (uint64_t)expected;
    wm_polygon_mesh_free(context, &mesh);
    free_flat_field(context, &field);
    wm_context_destroy(context);
  }
  CHECK(cells > (uint64_t)CHECK_ROUNDS(100000));
}

/* ---- Ear clipping against a simple form ------------------------------------------------------------- */

typedef struct PlainRing {
  const WmPlanarPoint *points;
  uint32_t index[600];
  bool ear[600]; /* by position: the vertex there may be clipped */
  uint32_t count;
} PlainRing;

static WmPlanarPoint at(const PlainRing *ring, uint32_t position) {
  return ring->points[ring->index[position % ring->count]];
}

static bool plain_within(WmPlanarPoint a, WmPlanarPoint b, WmPlanarPoint c) {
  if (wm_planar_area(a, b, c) != 0) return false;
  if (a.x != b.x) return (a.x <= c.x && c.x <= b.x) || (a.x >= c.x && c.x >= b.x);
  return (a.z <= c.z && c.z <= b.z) || (a.z >= c.z && c.z >= b.z);
}

static bool plain_hit(WmPlanarPoint a, WmPlanarPoint b, WmPlanarPoint c, WmPlanarPoint d) {
  return wm_planar_cross(a, b, c, d) || plain_within(a, b, c) || plain_within(a, b, d) ||
         plain_within(c, d, a) || plain_within(c, d, b);
}

static bool plain_diagonal(const PlainRing *ring, uint32_t i, uint32_t j, bool loose) {
  const uint32_t n = ring->count;
  const WmPlanarPoint a = at(ring, i), b = at(ring, j);
  const WmPlanarPoint before = at(ring, i + n - 1), after = at(ring, i + 1);
  if (!wm_planar_in_cone(&before, &a, &after, &b, loose)) return false;
  for (uint32_t k = 0; k < n; k++) {
    const WmPlanarPoint c = at(ring, k), d = at(ring, k + 1);
    if (wm_planar_equal(a, c) || wm_planar_equal(a, d) || wm_planar_equal(b, c) || wm_planar_equal(b, d))
      continue;
    if (loose ? wm_planar_cross(a, b, c, d) : plain_hit(a, b, c, d)) return false;
  }
  return true;
}

static uint32_t plain_choose(const PlainRing *ring, bool loose) {
  uint32_t best = UINT32_MAX;
  int64_t shortest = 0;
  for (uint32_t i = 0; i < ring->count; i++) {
    const int64_t length = wm_planar_distance_squared(at(ring, i), at(ring, i + (loose ? 3 : 2)));
    if (loose ? !plain_diagonal(ring, i, i + 2, true) : !ring->ear[(i + 1) % ring->count]) continue;
    if (best != UINT32_MAX && length >= shortest) continue;
    best = i;
    shortest = length;
  }
  return best;
}

/* Returns the number of triangles, or UINT32_MAX on failure. */
static uint32_t plain_triangulate(const WmPlanarPoint *points, uint32_t count, uint32_t *triangles) {
  static PlainRing ring;
  ring.points = points;
  ring.count = count;
  uint32_t made = 0;
  for (uint32_t i = 0; i < count; i++) ring.index[i] = i;
  for (uint32_t i = 0; i < count; i++)
    ring.ear[(i + 1) % count] = plain_diagonal(&ring, i, (i + 2) % count, false);
  while (ring.count > 3) {
    uint32_t i = plain_choose(&ring, false);
    if (i == UINT32_MAX) i = plain_choose(&ring, true);
    if (i == UINT32_MAX) return UINT32_MAX;
    const uint32_t tip = (i + 1) % ring.count;
    triangles[3 * made] = ring.index[i];
    triangles[3 * made + 1] = ring.index[tip];
    triangles[3 * made++ + 2] = ring.index[(i + 2) % ring.count];
    memmove(ring.index + tip, ring.index + tip + 1, (ring.count - tip - 1) * sizeof *ring.index);
    memmove(ring.ear + tip, ring.ear + tip + 1, (ring.count - tip - 1) * sizeof *ring.ear);
    ring.count--;
    if (tip < i) i--;
    const uint32_t n = ring.count, next = (i + 1) % n;
    ring.ear[i] = plain_diagonal(&ring, (i + n - 1) % n, next, false);
    ring.ear[next] = plain_diagonal(&ring, i, (i + 2) % n, false);
  }
  for (uint32_t k = 0; k < 3; k++) triangles[3 * made + k] = ring.index[k];
  return made + 1;
}

static int64_t ring_area(const WmPlanarPoint *points, uint32_t count) {
  int64_t area = 0;
  for (uint32_t i = 1; i + 1 < count; i++) area -= wm_planar_area(points[0], points[i], points[i + 1]);
  return area;
}

/* Sum of doubled areas; each triangle must have an area if `strict`. */
static int64_t triangles_area(const WmPlanarPoint *points, const uint32_t *triangles, uint32_t count,
                              bool strict) {
  int64_t area = 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t *t = triangles + 3 * (size_t)i;
    const int64_t own = -wm_planar_area(points[t[0]], points[t[1]], points[t[2]]);
    if (strict) CHECK(own > 0);
    area += own;
  }
  return area;
}

/* A ring around a growing patch of cells would be simple; this one is not: points of a star, some moved,
 * some doubled, on a grid coarse enough for touching and crossing. */
static uint32_t make_star(Random *random, WmPlanarPoint *points, uint32_t most, int32_t size) {
  static const int32_t WAVE[16] = {0, 38, 71, 92, 100, 92, 71, 38, 0, -38, -71, -92, -100, -92, -71, -38};
  const uint32_t count = 4 + (uint32_t)random_below(random, (int32_t)most - 4);
  const bool untidy = random_below(random, 2) != 0;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t angle = 16 * 64 * i / count;
    const int32_t from = WAVE[angle / 64 % 16], to = WAVE[(angle / 64 + 1) % 16],
                  part = (int32_t)(angle % 64);
    const int32_t from_z = WAVE[(angle / 64 + 4) % 16], to_z = WAVE[(angle / 64 + 5) % 16];
    const int32_t radius = size / 4 + random_below(random, size / 2 + 1);
    points[i].x = size + radius * (from * (64 - part) + to * part) / 6400;
    points[i].z = size + radius * (from_z * (64 - part) + to_z * part) / 6400;
    if (untidy && random_below(random, 8) == 0) points[i].x += random_below(random, 5) - 2;
    if (untidy && i > 0 && random_below(random, 16) == 0)
      points[i] = points[(uint32_t)random_below(random, (int32_t)i)];
  }
  return count;
}

static void ear_clipping_equals_its_plain_form_seed_2(void) {
  Random random = {2};
  WmContext *context = wm_context_create(NULL);
  static WmPlanarPoint points[600];
  static uint32_t expected[1800], actual[1800];
  int clipped = 0, gave_up = 0;
  for (int round = 0; round < CHECK_ROUNDS(1500); round++) {
    const uint32_t most = round % 8 == 0 ? 300 : 60;
    const uint32_t count =
        make_star(&random, points, most, round % 3 == 0 ? 12 : 20 + random_below(&random, 400));
    const uint32_t plain_count = plain_triangulate(points, count, expected);
    uint32_t triangle_count = 0;
    bool failed = false;
    CHECK(wm_triangulate_ring(context, points, count, actual, &triangle_count, &failed) == WM_OK);
    CHECK_EQUAL_INT(failed, plain_count == UINT32_MAX);
    if (failed) {
      gave_up++;
      CHECK(triangle_count <= count - 2);
      triangles_area(points, actual, triangle_count, true);
    } else {
      clipped++;
      CHECK_EQUAL_INT(triangle_count, plain_count);
      CHECK(memcmp(actual, expected, 12 * (size_t)plain_count) == 0);
      CHECK_EQUAL_INT(triangles_area(points, actual, triangle_count, false), ring_area(points, count));
    }
  }
  printf("ear clipping: %d rings as the plain form, %d that defeat it\n", clipped, gave_up);
  CHECK(clipped > CHECK_ROUNDS(900) && gave_up > CHECK_ROUNDS(150));
  wm_context_destroy(context);
}

/* ---- Rings that defeat ear clipping ---------------------------------------------------------------- */

/* Contours of cell maps at most touch themselves: true ears alone must suffice. */
static void touching_rings_are_covered_by_true_ears_seed_3(void) {
  Random random = {3};
  static uint8_t map[50 * 50];
  static WmPlanarPoint points[20000];
  static uint32_t triangles[60000];
  for (int round = 0; round < CHECK_ROUNDS(150); round++) {
    WmContext *context = wm_context_create(NULL);
    const int32_t width = 2 + random_below(&random, 48), depth = 2 + random_below(&random, 48);
    const int32_t passes = random_below(&random, 3);
    const int32_t filled = 8 + random_below(&random, 7);
    fill_random_map(&random, map, width, depth, passes, filled, 1);
    FlatField field = make_flat_field(context, width, depth, map, NULL);
    number_patches(&field, map);
    WmContourSet set;
    CHECK(wm_build_contours(context, &field.compact, &field.regions, 0, 0, 0, &set) == WM_OK);
    for (uint32_t i = 0; i < set.contour_count; i++) {
      const uint32_t count = set.vertex_first[i + 1] - set.vertex_first[i];
      for (uint32_t k = 0; k < count; k++) {
        const int32_t *v = set.vertices + 4 * (size_t)(set.vertex_first[i] + k);
        points[k] = (WmPlanarPoint){v[0], v[2]};
      }
      uint32_t made = 0;
      CHECK(wm_triangulate_any_ring(context, points, count, triangles, &made) == WM_OK);
      if (count >= 3)
        CHECK_EQUAL_INT(triangles_area(points, triangles, made, true), ring_area(points, count));
    }
    wm_contour_set_free(context, &set);
    free_flat_field(context, &field);
    wm_context_destroy(context);
  }
}

static void odd_rings_are_triangulated(void) {
  WmContext *context = wm_context_create(NULL);
  static const struct {
    uint32_t count;
    WmPlanarPoint points[12];
    int64_t area; /* doubled, of the triangles */
  } RINGS[] = {
      {4, {{0, 0}, {0, 4}, {4, 4}, {4, 0}}, 32},
      {4, {{4, 0}, {4, 4}, {0, 4}, {0, 0}}, 0},                  /* the reverse winding */
      {6, {{0, 0}, {0, 4}, {4, 4}, {4, 4}, {4, 0}, {0, 0}}, 32}, /* equal points */
      {6, {{0, 0}, {0, 4}, {4, 4}, {9, 4}, {4, 4}, {4, 0}}, 32}, /* a spike */
      {6, {{0, 0}, {0, 4}, {4, 4}, {4, 2}, {9, 2}, {4, 2}}, 24}, /* a spike instead of a corner */
      {8, {{0, 0}, {0, 2}, {2, 2}, {2, 4}, {4, 4}, {4, 2}, {2, 2}, {2, 0}}, 16}, /* two squares at a corner */
      {12,
       {{0, 0}, {0, 9}, {9, 9}, {9, 0}, {0, 0}, {3, 3}, {6, 3}, {6, 6}, {3, 6}, {3, 3}, {0, 0}, {0, 0}},
       144},
      {3, {{0, 0}, {1, 1}, {2, 2}}, 0},
      {5, {{1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}}, 0},
      {2, {{0, 0}, {1, 1}}, 0},
      {0, {{0, 0}}, 0},
  };
  for (size_t i = 0; i < sizeof RINGS / sizeof *RINGS; i++) {
    uint32_t triangles[36], made = 99;
    CHECK(wm_triangulate_any_ring(context, RINGS[i].points, RINGS[i].count, triangles, &made) == WM_OK);
    CHECK_EQUAL_INT(triangles_area(RINGS[i].points, triangles, made, true), RINGS[i].area);
  }
  wm_context_destroy(context);
}

/* ---- Merging against a simple form ------------------------------------------------------------------ */

typedef struct PlainPolygon {
  uint16_t v[8];
  uint32_t n;
} PlainPolygon;

static int64_t plain_value(const uint16_t *vertices, const PlainPolygon *a, const PlainPolygon *b,
                           uint32_t most, uint32_t *at_a, uint32_t *at_b) {
  if (a->n + b->n - 2 > most) return -1;
  bool found = false;
  for (uint32_t p = 0; p < a->n; p++) {
    for (uint32_t q = 0; q < b->n; q++) {
      const uint16_t s = a->v[p], t = a->v[(p + 1) % a->n], u = b->v[q], w = b->v[(q + 1) % b->n];
      if (!((s == u && t == w) || (s == w && t == u))) continue;
      *at_a = p;
      *at_b = q;
      found = true;
      break;
    }
  }
  if (!found) return -1;
  const uint32_t p = *at_a, q = *at_b;
  const WmPlanarPoint from = wm_mesh_point(vertices, a->v[p]),
                      to = wm_mesh_point(vertices, a->v[(p + 1) % a->n]);
  if (wm_planar_area(wm_mesh_point(vertices, a->v[(p + a->n - 1) % a->n]), from,
                     wm_mesh_point(vertices, b->v[(q + 2) % b->n])) >= 0) {
    return -1;
  }
  if (wm_planar_area(wm_mesh_point(vertices, b->v[(q + b->n - 1) % b->n]), wm_mesh_point(vertices, b->v[q]),
                     wm_mesh_point(vertices, a->v[(p + 2) % a->n])) >= 0) {
    return -1;
  }
  return wm_planar_distance_squared(from, to);
}

static uint32_t plain_join(const uint16_t *vertices, PlainPolygon *polygons, uint32_t count, uint32_t most) {
  for (;;) {
    int64_t best = 0;
    uint32_t best_j = 0, best_k = 0, best_p = 0, best_q = 0, p = 0, q = 0;
    for (uint32_t j = 0; j < count; j++) {
      for (uint32_t k = j + 1; k < count; k++) {
        const int64_t value = plain_value(vertices, &polygons[j], &polygons[k], most, &p, &q);
        if (value <= best) continue;
        best = value;
        best_j = j, best_k = k, best_p = p, best_q = q;
      }
    }
    if (best == 0) return count;
    const PlainPolygon a = polygons[best_j], b = polygons[best_k];
    PlainPolygon joint = {{0}, 0};
    for (uint32_t i = 1; i < a.n; i++) joint.v[joint.n++] = a.v[(best_p + i) % a.n];
    for (uint32_t i = 1; i < b.n; i++) joint.v[joint.n++] = b.v[(best_q + i) % b.n];
    polygons[best_j] = joint;
    polygons[best_k] = polygons[--count];
  }
}

/* Triangles of rings, simple and tangled; equal points become one vertex, so that many triangles can share
 * an edge. */
static void joining_equals_its_plain_form_seed_4(void) {
  Random random = {4};
  WmContext *context = wm_context_create(NULL);
  static WmPlanarPoint points[200];
  static uint32_t triangles[600];
  static uint16_t vertices[600], slots[200 * 6], regions[200], number[200];
  static uint8_t areas[200];
  static PlainPolygon plain[200];
  for (int round = 0; round < CHECK_ROUNDS(600); round++) {
    const uint32_t most = 3 + (uint32_t)random_below(&random, 4);
    const uint32_t count = make_star(&random, points, round % 4 ? 40 : 120, round % 3 ? 300 : 10);
    uint32_t made = 0;
    CHECK(wm_triangulate_ring(context, points, count, triangles, &made, NULL) == WM_OK);
    for (uint32_t i = 0; i < count; i++) {
      number[i] = 0;
      while (!wm_planar_equal(points[number[i]], points[i])) number[i]++;
      vertices[3 * i] = (uint16_t)points[i].x;
      vertices[3 * i + 2] = (uint16_t)points[i].z;
    }
    memset(slots, 0xff, sizeof slots);
    for (uint32_t i = 0; i < made; i++) {
      plain[i].n = 3;
      regions[i] = 7;
      areas[i] = (uint8_t)i;
      for (uint32_t k = 0; k < 3; k++) plain[i].v[k] = slots[i * most + k] = number[triangles[3 * i + k]];
    }
    WmPolygonList list = {slots, regions, areas, made, made, most};
    CHECK(wm_polygon_merge(context, &list, vertices) == WM_OK);
    const uint32_t expected = most > 3 ? plain_join(vertices, plain, made, most) : made;
    CHECK_EQUAL_INT(list.count, expected);
    for (uint32_t i = 0; i < expected && i < list.count; i++) {
      CHECK_EQUAL_INT(wm_polygon_size(slots + i * most, most), plain[i].n);
      CHECK(memcmp(slots + i * most, plain[i].v, 2 * plain[i].n) == 0);
    }
  }
  wm_context_destroy(context);
}

static void joined_regions_are_none_and_areas_the_first(void) {
  uint16_t vertices[4][3] = {{0, 0, 0}, {0, 0, 4}, {4, 0, 4}, {4, 0, 0}};
  uint16_t slots[2][4] = {{0, 1, 2, 0xffff}, {0, 2, 3, 0xffff}}, regions[2] = {3, 4};
  uint8_t areas[2] = {5, 6};
  WmContext *context = wm_context_create(NULL);
  WmPolygonList list = {slots[0], regions, areas, 2, 2, 4};
  CHECK(wm_polygon_merge(context, &list, vertices[0]) == WM_OK);
  CHECK_EQUAL_INT(list.count, 1);
  CHECK_EQUAL_INT(regions[0], WM_REGION_NONE);
  CHECK_EQUAL_INT(areas[0], 5);
  wm_context_destroy(context);
}

/* The edges around a hole that a removed vertex left come from several polygons. */
static void a_triangle_between_two_regions_has_none(void) {
  uint16_t vertices[3][3] = {{0, 0, 0}, {0, 0, 4}, {4, 0, 4}};
  WmContext *context = wm_context_create(NULL);
  for (int other = 0; other < 4; other++) { /* 3: all edges have one region */
    WmPolygonEdge ring[3];
    for (int k = 0; k < 3; k++) {
      const uint16_t from = (uint16_t)k, to = (uint16_t)((k + 1) % 3);
      ring[k] = (WmPolygonEdge){.from = from, .to = to, .region = k == other ? 4 : 3, .area = 5};
    }
    uint16_t corners[3 + 8], region = 9;
    uint8_t area = 9;
    WmPolygonMeshParts parts = {
        .vertices = vertices[0],
        .vertex_count = 3,
        .polygons = {
            .vertices = corners, .region = &region, .area = &area, .capacity = 1, .max_vertices = 3}};
    CHECK_EQUAL_INT(wm_polygon_fill(context, &parts, ring, 3), WM_OK);
    CHECK_EQUAL_INT(parts.polygons.count, 1);
    CHECK_EQUAL_INT(region, other < 3 ? WM_REGION_NONE : 3);
    CHECK_EQUAL_INT(area, 5);
  }
  wm_context_destroy(context);
}

/* ---- Borders of tiles ------------------------------------------------------------------------------ */

/* Strips of border regions around a tile of `side` cells whose inside is a map; the corners belong to
 * rows. */
static FlatField make_tile(WmContext *context, const uint8_t *inside, int32_t side, int32_t border,
                           uint8_t *map) {
  const int32_t width = side + 2 * border;
  for (int32_t i = 0; i < width * width; i++) {
    const int32_t x = i % width - border, z = i / width - border;
    const bool in = x >= 0 && z >= 0 && x < side && z < side;
    const int32_t near_x = x < 0       ? 0
                           : x >= side ? side - 1
                                       : x,
                  near_z = z < 0       ? 0
                           : z >= side ? side - 1
                                       : z;
    /* Outside, cells repeat the nearest inside cell. */
    map[i] = inside[near_x + near_z * side];
    if (!in && map[i]) map[i] = z < 0 ? 102 : z >= side ? 103 : x < 0 ? 100 : 101;
  }
  FlatField field = make_flat_field(context, width, width, map, NULL);
  field.compact.grid.border_size = border;
  number_patches(&field, map);
  for (int32_t i = 0; i < width * width; i++) {
    if (map[i] < 100) continue;
    field.regions.span_region[field.compact.cell_first[i]] = (uint16_t)(WM_REGION_BORDER | (map[i] - 99));
  }
  return field;
}

/* All edges on the tile's sides are portals, and no vertex lies inside a straight run of side that one
 * region touches. */
static void borders_become_portals_seed_5(void) {
  Random random = {5};
  static uint8_t inside[40 * 40], map[50 * 50];
  int portals = 0;
  for (int round = 0; round < CHECK_ROUNDS(120); round++) {
    WmContext *context = wm_context_create(NULL);
    const int32_t side = 8 + random_below(&random, 32);
    const int32_t colours_used = 1 + random_below(&random, 3);
    fill_random_map(&random, inside, side, side, 4, 13, colours_used);
    FlatField field = make_tile(context, inside, side, 1 + random_below(&random, 5), map);
    WmPolygonMesh mesh = build(context, &field, round % 2 ? 1.3f : 0, 3 + round % 4);
    const uint32_t most = (uint32_t)mesh.max_vertices_per_polygon;
    for (uint32_t i = 0; i < mesh.polygon_count; i++) {
      const uint16_t *polygon = mesh.polygons + 2 * (size_t)i * most;
      const uint32_t size = wm_polygon_size(polygon, most);
      for (uint32_t k = 0; k < size; k++) {
        const WmPlanarPoint a = corner(&mesh, polygon, k), b = corner(&mesh, polygon, (k + 1) % size);
        const bool on_side =
            (a.x == b.x && (a.x == 0 || a.x == side)) || (a.z == b.z && (a.z == 0 || a.z == side));
        const uint16_t across = polygon[most + k];
        CHECK_EQUAL_INT(across != WM_POLYGON_NONE && (across & WM_POLYGON_PORTAL) != 0, on_side);
        portals += on_side;
      }
    }
    CHECK_EQUAL_INT(mesh.grid.border_size, field.compact.grid.border_size);
    wm_polygon_mesh_free(context, &mesh);
    free_flat_field(context, &field);
    wm_context_destroy(context);
  }
  CHECK(portals > CHECK_ROUNDS(1000));
}

/* Two regions meet at the side of a tile; beyond it one region changes to another in the middle of each:
 * those vertices are removed, the one between the regions remains. */
static void rim_vertices_are_taken_out(void) {
  WmContext *context = wm_context_create(NULL);
  int32_t vertices[8][4] = {{0, 0, 0, 0x8001}, {0, 0, 3, 0x18001}, {0, 0, 8, 0}, {8, 0, 8, 0},
                            {8, 0, 0, 0},      {5, 0, 0, 0},       {3, 0, 0, 0}, {1, 0, 0, 0}};
  uint32_t first[2] = {0, 8};
  uint16_t regions[1] = {9};
  uint8_t areas[1] = {63};
  WmContourSet set = make_set(1, first, vertices[0], regions, areas);
  set.grid.width = set.grid.depth = 8;
  set.grid.border_size = 3;
  WmPolygonMesh mesh;
  CHECK(wm_build_polygon_mesh(context, &set, 6, &mesh) == WM_OK);
  CHECK_EQUAL_INT(mesh.vertex_count, 7);
  for (uint32_t i = 0; i < mesh.vertex_count; i++)
    CHECK(!(mesh.vertices[3 * i] == 0 && mesh.vertices[3 * i + 2] == 3));
  CHECK_EQUAL_INT(check_mesh(&mesh), 128);
  wm_polygon_mesh_free(context, &mesh);
  wm_context_destroy(context);
}

/* ---- Limits and large contours --------------------------------------------------------------------- */

/* The ring of a comb with `teeth` teeth, four points each and two more, at most `count` points. */
static WmContourSet make_comb_ring(uint32_t count, uint32_t *first, int32_t *vertices, uint16_t *regions,
                                   uint8_t *areas) {
  uint32_t n = 0;
  const uint32_t teeth = (count - 2) / 4;
  for (uint32_t t = 0; t < teeth; t++) {
    static const int32_t TOOTH[4][2] = {{0, 5}, {0, 9}, {1, 9}, {1, 5}};
    for (int k = 0; k < 4; k++, n++) {
      vertices[4 * n] = (int32_t)(2 * t) + TOOTH[k][0];
      vertices[4 * n + 1] = 0;
      vertices[4 * n + 2] = TOOTH[k][1];
      vertices[4 * n + 3] = 0;
    }
  }
  for (int k = 0; n < count; k++, n++) {
    vertices[4 * n] = n + 1 == count ? 0 : (int32_t)(2 * teeth) - 1 - k;
    vertices[4 * n + 1] = vertices[4 * n + 2] = vertices[4 * n + 3] = 0;
  }
  first[0] = 0;
  first[1] = count;
  regions[0] = 1;
  areas[0] = 63;
  return make_set(1, first, vertices, regions, areas);
}

static void too_many_vertices_or_polygons_are_an_error(void) {
  WmContext *context = wm_context_create(NULL);
  int32_t *vertices = malloc(65534 * 16);
  uint32_t first[2];
  uint16_t regions[1];
  uint8_t areas[1];
  WmPolygonMesh mesh;
  WmContourSet set = make_comb_ring(65534, first, vertices, regions, areas);
  CHECK(wm_build_polygon_mesh(context, &set, 6, &mesh) == WM_ERROR_LIMIT);
  CHECK(!mesh.block && strstr(wm_context_error(context)->message, "65534 vertices"));
  CHECK(strstr(wm_context_error(context)->message, "use tiles (tileSize) or larger cells"));
  set = make_comb_ring(65533, first, vertices, regions, areas);
  CHECK(wm_build_polygon_mesh(context, &set, 3, &mesh) == WM_ERROR_LIMIT);
  CHECK(!mesh.block && strstr(wm_context_error(context)->message, "65531 polygons"));
  set = make_comb_ring(40001, first, vertices, regions, areas);
  double start = now_milliseconds();
  CHECK(wm_build_polygon_mesh(context, &set, 6, &mesh) == WM_OK);
  printf("comb of 40001 vertices: %u polygons, %.0f ms\n", mesh.polygon_count, now_milliseconds() - start);
  int64_t area = 0;
  for (uint32_t i = 0; i < 40001; i++) {
    const int32_t *a = vertices + 4 * (size_t)i, *b = vertices + 4 * (size_t)((i + 1) % 40001);
    area += (int64_t)b[0] * a[2] - (int64_t)a[0] * b[2];
  }
  CHECK_EQUAL_INT(check_mesh(&mesh), area);
  wm_polygon_mesh_free(context, &mesh);

  /* The same ring, folded over itself so that ear clipping fails. */
  for (uint32_t i = 0; i < 40001; i += 7) vertices[4 * (size_t)i + 2] = 9 - vertices[4 * (size_t)i + 2];
  start = now_milliseconds();
  const WmStatus status = wm_build_polygon_mesh(context, &set, 6, &mesh);
  printf("crossing ring of 40001 vertices: %u polygons, %.0f ms\n", mesh.polygon_count,
         now_milliseconds() - start);
  CHECK(status == WM_OK || status == WM_ERROR_LIMIT);
  wm_polygon_mesh_free(context, &mesh);
  free(vertices);
  wm_context_destroy(context);
}

static void five_thousand_holes_are_triangulated(void) {
  WmContext *context = wm_context_create(NULL);
  const int32_t side = 4 * 71 + 2;
  uint8_t *map = malloc((size_t)side * (size_t)side);
  memset(map, 1, (size_t)side * (size_t)side);
  for (int32_t i = 0; i < 5000; i++) {
    const int32_t x = 2 + 4 * (i % 71), z = 2 + 4 * (i / 71);
    map[x + z * side] = map[x + 1 + z * side] = map[x + (z + 1) * side] = map[x + 1 + (z + 1) * side] = 0;
  }
  FlatField field = make_flat_field(context, side, side, map, NULL);
  const double start = now_milliseconds();
  WmPolygonMesh mesh = build(context, &field, 0.5f, 6);
  printf("5000 holes: %u polygons, contours and polygons %.0f ms\n", mesh.polygon_count,
         now_milliseconds() - start);
  CHECK_EQUAL_INT(check_mesh(&mesh), 2 * (int64_t)field.compact.span_count);
  wm_polygon_mesh_free(context, &mesh);
  free_flat_field(context, &field);
  wm_context_destroy(context);
  free(map);
}

/* ---- Failures and golden dumps --------------------------------------------------------------------- */

static void every_failed_allocation_is_survived(void) {
  Random random = {6};
  static uint8_t inside[40 * 40], map[50 * 50];
  fill_random_map(&random, inside, 40, 40, 1, 13, 2);
  WmContext *plain = wm_context_create(NULL);
  FlatField field = make_tile(plain, inside, 40, 4, map);
  WmContourSet set;
  CHECK(wm_build_contours(plain, &field.compact, &field.regions, 0, 12, 1, &set) == WM_OK);
  int failed = 0;
  for (int allowed = 0;; allowed++, failed++) {
    FailingAllocator failing = {1};
    const WmAllocator allocator = {failing_allocate, failing_release, &failing};
    WmContext *context = wm_context_create(&allocator);
    failing.left = allowed;
    WmPolygonMesh mesh;
    memset(&mesh, 0x55, sizeof mesh);
    const WmStatus status = wm_build_polygon_mesh(context, &set, 6, &mesh);
    if (status) {
      CHECK_EQUAL_INT(status, WM_ERROR_OUT_OF_MEMORY);
      CHECK(!mesh.block && mesh.polygon_count == 0 && !mesh.vertices);
    }
    wm_polygon_mesh_free(context, &mesh);
    wm_context_destroy(context);
    if (!status) break;
  }
  CHECK(failed >= 2);
  wm_contour_set_free(plain, &set);
  free_flat_field(plain, &field);
  wm_context_destroy(plain);
}

static void polygons_equal_the_golden_dumps(void) {
  for (int i = 0; i < GOLDEN_CASE_COUNT; i++) {
    const GoldenCase *golden = &GOLDEN_CASES[i];
    WmBytes before = read_golden(golden, "contours");
    if (!before.bytes) {
      SKIP("no ../shared/golden/dumps");
      continue;
    }
    WmContext *context = wm_context_create(NULL);
    const WmGrid grid = golden_grid(golden);
    WmContourSet set = read_contours(context, before, &grid, 1.3f);
    WmPolygonMesh mesh;
    WmBytes dump = {0};
    CHECK(wm_build_polygon_mesh(context, &set, 6, &mesh) == WM_OK);
    CHECK(wm_dump_polygon_mesh(context, &mesh, &dump) == WM_OK);
    check_golden(context, golden, "polymesh", dump);
    wm_polygon_mesh_free(context, &mesh);
    wm_contour_set_free(context, &set);
    wm_context_destroy(context);
    free(before.bytes);
  }
}

int main(void) {
  RUN(a_square_is_one_polygon);
  RUN(regions_side_by_side_are_neighbours);
  RUN(a_ring_with_a_hole_is_covered);
  RUN(vertices_merge_with_the_newest_in_reach);
  RUN(no_contours_make_an_empty_mesh);
  RUN(polygons_cover_the_cells_seed_1);
  RUN(ear_clipping_equals_its_plain_form_seed_2);
  RUN(touching_rings_are_covered_by_true_ears_seed_3);
  RUN(odd_rings_are_triangulated);
  RUN(joining_equals_its_plain_form_seed_4);
  RUN(joined_regions_are_none_and_areas_the_first);
  RUN(a_triangle_between_two_regions_has_none);
  RUN(borders_become_portals_seed_5);
  RUN(rim_vertices_are_taken_out);
  RUN(too_many_vertices_or_polygons_are_an_error);
  RUN(five_thousand_holes_are_triangulated);
  RUN(every_failed_allocation_is_survived);
  RUN(polygons_equal_the_golden_dumps);
  return check_finish();
}
