/* Contours: drawn regions, properties and slow oracles over seeded random ones, long and many-holed ones,
 * golden dumps. */
#include <time.h>

#include "flat_field.h"
#include "golden_case.h"

enum { RAW_AND_WALLS = WM_CONTOUR_SPLIT_WALL_EDGES | WM_CONTOUR_KEEP_RAW };

static WmContourSet build(WmContext *context, const FlatField *field, float max_error, int32_t max_edge) {
  WmContourSet set;
  CHECK(wm_build_contours(context, &field->compact, &field->regions, max_error, max_edge, RAW_AND_WALLS,
                          &set) == WM_OK);
  return set;
}

static uint32_t size_of(const WmContourSet *set, uint32_t i) {
  return set->vertex_first[i + 1] - set->vertex_first[i];
}
static uint32_t raw_size_of(const WmContourSet *set, uint32_t i) {
  return set->raw_first[i + 1] - set->raw_first[i];
}

static int64_t doubled_area(const int32_t *vertices, uint32_t count) {
  int64_t area = 0;
  for (uint32_t i = 0; i < count; i++) {
    const int32_t *a = vertices + 4 * (size_t)i, *b = vertices + 4 * (size_t)((i + 1) % count);
    area += (int64_t)b[0] * a[2] - (int64_t)a[0] * b[2];
  }
  return area;
}

/* Processor time: the machine may be busy. */
static double now_milliseconds(void) { return (double)clock() * 1e3 / CLOCKS_PER_SEC; }

/* ---- Drawn regions ------------------------------------------------------------------------------------- */

static void a_square_has_four_corners(void) {
  WmContext *context = wm_context_create(NULL);
  FlatField field = draw_flat_field(context,
                                    "...../"
                                    ".aaa./"
                                    ".aaa./"
                                    ".aaa./"
                                    ".....");
  WmContourSet set = build(context, &field, 1.3f, 0);
  CHECK_EQUAL_INT(set.contour_count, 1);
  CHECK_EQUAL_INT(set.contour_region[0], 1);
  CHECK_EQUAL_INT(set.contour_area[0], WM_AREA_WALKABLE);
  CHECK_EQUAL_INT(raw_size_of(&set, 0), 12);
  CHECK_EQUAL_INT(size_of(&set, 0), 4);
  static const int32_t CORNERS[4][4] = {{1, 5, 1, 0}, {1, 5, 4, 0}, {4, 5, 4, 0}, {4, 5, 1, 0}};
  CHECK(memcmp(set.vertices, CORNERS, sizeof CORNERS) == 0);
  CHECK_EQUAL_INT(doubled_area(set.vertices, 4), 18);
  wm_contour_set_free(context, &set);
  free_flat_field(context, &field);
  wm_context_destroy(context);
}

static void long_edges_are_halved(void) {
  WmContext *context = wm_context_create(NULL);
  FlatField field =
      draw_flat_field(context, "aaaaaaaaaaaaaaaa/aaaaaaaaaaaaaaaa/aaaaaaaaaaaaaaaa/aaaaaaaaaaaaaaaa");
  WmContourSet set = build(context, &field, 1.3f, 8);
  CHECK_EQUAL_INT(size_of(&set, 0), 6); /* 16 is split once, 8 is not longer than 8 */
  wm_contour_set_free(context, &set);
  set = build(context, &field, 1.3f, 7);
  CHECK_EQUAL_INT(size_of(&set, 0), 10);
  wm_contour_set_free(context, &set);
  CHECK(wm_build_contours(context, &field.compact, &field.regions, 1.3f, 7, 0, &set) == WM_OK);
  CHECK_EQUAL_INT(size_of(&set, 0), 4); /* no flag, no splitting, no raw vertices */
  CHECK_EQUAL_INT(raw_size_of(&set, 0), 0);
  wm_contour_set_free(context, &set);
  free_flat_field(context, &field);
  wm_context_destroy(context);
}

static void regions_share_the_ends_of_their_border(void) {
  WmContext *context = wm_context_create(NULL);
  FlatField field = draw_flat_field(context,
                                    "aaabbb/"
                                    "aaabbb/"
                                    "aaabbb/"
                                    "aaabbb");
  WmContourSet set = build(context, &field, 1.3f, 0);
  CHECK_EQUAL_INT(set.contour_count, 2);
  int at_ends = 0, across = 0;
  for (uint32_t i = 0; i < set.vertex_first[2]; i++) {
    const int32_t *v = set.vertices + 4 * (size_t)i;
    at_ends += v[0] == 3 && (v[2] == 0 || v[2] == 4);
    across += (v[3] & 0xffff) != 0;
  }
  CHECK_EQUAL_INT(at_ends, 4);
  CHECK_EQUAL_INT(across, 2);
  CHECK_EQUAL_INT(set.vertex_first[2], 8);
  wm_contour_set_free(context, &set);
  free_flat_field(context, &field);
  wm_context_destroy(context);
}

static void a_hole_is_joined_to_its_outline(void) {
  WmContext *context = wm_context_create(NULL);
  FlatField field = draw_flat_field(context,
                                    "aaaaaaa/"
                                    "aaaaaaa/"
                                    "aa...aa/"
                                    "aa...aa/"
                                    "aa...aa/"
                                    "aaaaaaa/"
                                    "aaaaaaa");
  WmContourSet set = build(context, &field, 0.5f, 0);
  CHECK_EQUAL_INT(set.contour_count, 2);
  CHECK_EQUAL_INT(size_of(&set, 0), 4 + 4 + 2);
  CHECK_EQUAL_INT(size_of(&set, 1), 0);
  CHECK_EQUAL_INT(raw_size_of(&set, 1), 12);
  CHECK_EQUAL_INT(doubled_area(set.vertices, 10), 2 * (49 - 9));
  wm_contour_set_free(context, &set);
  free_flat_field(context, &field);
  wm_context_destroy(context);
}

static void single_cells_and_empty_fields_have_no_contour(void) {
  WmContext *context = wm_context_create(NULL);
  static const char *const DRAWINGS[] = {".../.a./...", ".", "....", "a"};
  for (int i = 0; i < 4; i++) {
    FlatField field = draw_flat_field(context, DRAWINGS[i]);
    WmContourSet set = build(context, &field, 1.3f, 0);
    CHECK_EQUAL_INT(set.contour_count, 0);
    CHECK_EQUAL_INT(set.vertex_first[0], 0);
    wm_contour_set_free(context, &set);
    free_flat_field(context, &field);
  }
  wm_context_destroy(context);
}

/* Border cells get region 0x8001 and up; vertices on the rim between two of them are marked. */
static void the_border_is_taken_off(void) {
  WmContext *context = wm_context_create(NULL);
  FlatField field = draw_flat_field(context,
                                    "dddddddd/"
                                    "dddddddd/"
                                    "bbaaaacc/"
                                    "bbaaaacc/"
                                    "bbaaaacc/"
                                    "bbaaaacc/"
                                    "eeeeeeee/"
                                    "eeeeeeee");
  for (uint32_t i = 0; i < field.compact.span_count; i++) {
    uint16_t *region = &field.regions.span_region[i];
    if (*region > 1) *region = (uint16_t)(WM_REGION_BORDER | (*region - 1));
  }
  field.compact.grid.border_size = 2;
  WmContourSet set = build(context, &field, 1.3f, 0);
  CHECK_EQUAL_INT(set.contour_count, 1);
  CHECK_EQUAL_INT(set.grid.width, 4);
  CHECK_EQUAL_INT(set.grid.depth, 4);
  CHECK(set.grid.bounds_min[0] == 2 && set.grid.bounds_max[2] == 6);
  CHECK_EQUAL_INT(size_of(&set, 0), 4);
  for (uint32_t i = 0; i < 4; i++) {
    const int32_t *v = set.vertices + 4 * (size_t)i;
    CHECK((v[0] == 0 || v[0] == 4) && (v[2] == 0 || v[2] == 4));
    CHECK(v[3] & WM_REGION_BORDER);
    CHECK(!(v[3] & WM_CONTOUR_BORDER_VERTEX)); /* tile corners remain */
  }
  int marked = 0;
  for (uint32_t i = 0; i < set.raw_first[1]; i++)
    marked += (set.raw_vertices[4 * i + 3] & WM_CONTOUR_BORDER_VERTEX) != 0;
  CHECK_EQUAL_INT(marked, 12); /* three inner corners on each side */
  wm_contour_set_free(context, &set);
  free_flat_field(context, &field);
  wm_context_destroy(context);
}

/* A span that can be entered but not left: walks end instead of circling forever. */
static void one_way_links_end_the_walk(void) {
  Random random = {77};
  for (int round = 0; round < CHECK_ROUNDS(300); round++) {
    WmContext *context = wm_context_create(NULL);
    uint8_t map[12 * 9];
    fill_random_map(&random, map, 12, 9, 1, 12, 2);
    FlatField field = make_flat_field(context, 12, 9, map, NULL);
    uint32_t *links = unpack_links(&field.compact);
    for (uint32_t i = 0; i < 4 * field.compact.span_count; i++) {
      if (random_below(&random, 8) == 0) links[i] = WM_NO_SPAN;
    }
    pack_links(context, links, &field.compact);
    free(links);
    field.compact.links_are_symmetric = false;
    WmContourSet set = build(context, &field, 1.3f, 4);
    for (uint32_t i = 0; i < set.contour_count; i++) CHECK(size_of(&set, i) >= 3 || size_of(&set, i) == 0);
    wm_contour_set_free(context, &set);
    free_flat_field(context, &field);
    wm_context_destroy(context);
  }
}

/* ---- Raw outlines against the map ------------------------------------------------------------------ */

static int map_at(const FlatField *field, const uint8_t *map, int32_t x, int32_t z) {
  const WmGrid *grid = &field->compact.grid;
  if (x < 0 || z < 0 || x >= grid->width || z >= grid->depth || !map[x + z * grid->width]) return 0;
  return field->regions.span_region[field->compact.cell_first[x + z * grid->width]];
}

/* Sides between a region and anything else, except those of single cells. */
static uint32_t count_sides(const FlatField *field, const uint8_t *map) {
  uint32_t sides = 0;
  for (int32_t z = 0; z < field->compact.grid.depth; z++) {
    for (int32_t x = 0; x < field->compact.grid.width; x++) {
      const int own = map_at(field, map, x, z);
      if (own == 0) continue;
      const uint32_t n =
          (uint32_t)(map_at(field, map, x - 1, z) != own) + (uint32_t)(map_at(field, map, x + 1, z) != own) +
          (uint32_t)(map_at(field, map, x, z - 1) != own) + (uint32_t)(map_at(field, map, x, z + 1) != own);
      sides += n == 4 ? 0 : n;
    }
  }
  return sides;
}

/* An edge of a raw outline has its region on the inside and the region of its code across. */
static void check_raw_edge(const FlatField *field, const uint8_t *map, const int32_t *a, const int32_t *b,
                           int region) {
  const int32_t dx = b[0] - a[0], dz = b[2] - a[2];
  CHECK(abs(dx) + abs(dz) == 1);
  /* A walk along +z has its inside on the +x side, and so on: outlines have the winding of contours. */
  const int32_t x = (dx < 0 ? b[0] : a[0]) + (dz < 0 ? -1 : 0),
                z = (dz < 0 ? b[2] : a[2]) + (dx > 0 ? -1 : 0);
  const int32_t other_x = dz > 0 ? x - 1 : dz < 0 ? x + 1 : x, other_z = dx > 0 ? z + 1 : dx < 0 ? z - 1 : z;
  CHECK_EQUAL_INT(map_at(field, map, x, z), region);
  CHECK_EQUAL_INT(map_at(field, map, other_x, other_z), b[3] & 0xffff);
}

static void raw_outlines_separate_regions_seed_1(void) {
  Random random = {1};
  for (int round = 0; round < CHECK_ROUNDS(200); round++) {
    WmContext *context = wm_context_create(NULL);
    const int32_t width = 2 + random_below(&random, 40), depth = 2 + random_below(&random, 30);
    const int32_t colours = round % 2 ? 1 : 2 + random_below(&random, 4);
    uint8_t map[42 * 32];
    const int32_t passes = random_below(&random, 4);
    const int32_t filled = 4 + random_below(&random, 13);
    fill_random_map(&random, map, width, depth, passes, filled, colours);
    FlatField field = make_flat_field(context, width, depth, map, NULL);
    number_patches(&field, map);
    WmContourSet set = build(context, &field, 0, 0);
    uint32_t edges = 0;
    for (uint32_t i = 0; i < set.contour_count; i++) {
      const int32_t *raw = set.raw_vertices + 4 * (size_t)set.raw_first[i];
      const uint32_t count = raw_size_of(&set, i);
      for (uint32_t k = 0; k < count; k++) {
        check_raw_edge(&field, map, raw + 4 * (size_t)((k + count - 1) % count), raw + 4 * (size_t)k,
                       set.contour_region[i]);
      }
      edges += count;
    }
    /* A region entirely inside another has no vertex to retain, so no contour. */
    if (colours == 1) CHECK_EQUAL_INT(edges, count_sides(&field, map));
    CHECK(edges <= count_sides(&field, map));
    wm_contour_set_free(context, &set);
    free_flat_field(context, &field);
    wm_context_destroy(context);
  }
}

/* ---- Simplification against a simple form ----------------------------------------------------------- */

typedef struct Kept {
  uint32_t index[8192];
  uint32_t count;
} Kept;

static void insert_kept(Kept *kept, uint32_t after, uint32_t index) {
  memmove(kept->index + after + 2, kept->index + after + 1, (kept->count - after - 1) * sizeof *kept->index);
  kept->index[after + 1] = index;
  kept->count++;
}

static bool goes_up(const int32_t *a, const int32_t *b) {
  return b[0] > a[0] || (b[0] == a[0] && b[2] > a[2]);
}

static float oracle_distance2(const int32_t *p, const int32_t *q, const int32_t *point) {
  const float ex = (float)(q[0] - p[0]), ez = (float)(q[2] - p[2]);
  float dx = (float)(point[0] - p[0]), dz = (float)(point[2] - p[2]);
  const float length2 = ex * ex + ez * ez;
  float t = ex * dx + ez * dz;
  if (length2 > 0) t = t / length2;
  if (t < 0) t = 0;
  if (t > 1) t = 1;
  dx = ((float)p[0] + t * ex) - (float)point[0];
  dz = ((float)p[2] + t * ez) - (float)point[2];
  return dx * dx + dz * dz;
}

/* From one retained vertex to the next, retains the farthest one between, repeatedly. */
static void oracle_refine(const int32_t *raw, uint32_t n, float max_error, Kept *kept) {
  for (uint32_t i = 0; i < kept->count;) {
    const uint32_t a = kept->index[i], b = kept->index[(i + 1) % kept->count];
    const int32_t *va = raw + 4 * (size_t)a, *vb = raw + 4 * (size_t)b;
    const bool up = goes_up(va, vb);
    const uint32_t first = up ? (a + 1) % n : (b + n - 1) % n, end = up ? b : a;
    uint32_t worst = UINT32_MAX;
    float most = 0;
    const int32_t code = raw[4 * (size_t)first + 3];
    if ((code & 0xffff) == 0 || (code & WM_CONTOUR_AREA_BORDER)) {
      for (uint32_t k = first; k != end; k = up ? (k + 1) % n : (k + n - 1) % n) {
        const float d = up ? oracle_distance2(va, vb, raw + 4 * (size_t)k)
                           : oracle_distance2(vb, va, raw + 4 * (size_t)k);
        if (d > most) most = d, worst = k;
      }
    }
    if (worst != UINT32_MAX && most > max_error * max_error) {
      insert_kept(kept, i, worst);
    } else {
      i++;
    }
  }
}

static void oracle_split(const int32_t *raw, uint32_t n, int32_t max_edge, Kept *kept) {
  for (uint32_t i = 0; i < kept->count;) {
    const uint32_t a = kept->index[i], b = kept->index[(i + 1) % kept->count];
    const int32_t *va = raw + 4 * (size_t)a, *vb = raw + 4 * (size_t)b;
    const int32_t dx = vb[0] - va[0], dz = vb[2] - va[2];
    const uint32_t between = b < a ? b + n - a : b - a;
    if ((raw[4 * (size_t)((a + 1) % n) + 3] & 0xffff) == 0 && dx * dx + dz * dz > max_edge * max_edge &&
        between > 1) {
      insert_kept(kept, i, (a + (goes_up(va, vb) ? between / 2 : (between + 1) / 2)) % n);
    } else {
      i++;
    }
  }
}

static void oracle_start(const int32_t *raw, uint32_t n, Kept *kept) {
  bool any = false;
  kept->count = 0;
  for (uint32_t i = 0; i < n; i++) any |= (raw[4 * (size_t)i + 3] & 0xffff) != 0;
  for (uint32_t i = 0; i < n && any; i++) {
    const int32_t change = raw[4 * (size_t)i + 3] ^ raw[4 * (size_t)((i + 1) % n) + 3];
    if (change & (0xffff | WM_CONTOUR_AREA_BORDER)) kept->index[kept->count++] = i;
  }
  if (kept->count > 0) return;
  uint32_t least = 0, most = 0;
  for (uint32_t i = 1; i < n; i++) {
    if (goes_up(raw + 4 * (size_t)i, raw + 4 * (size_t)least)) least = i;
    if (goes_up(raw + 4 * (size_t)most, raw + 4 * (size_t)i)) most = i;
  }
  kept->index[kept->count++] = least;
  kept->index[kept->count++] = most;
}

/* Simplified vertices of one raw ring; returns their number, 0 if fewer than three remain. */
static uint32_t oracle_simplify(const int32_t *raw, uint32_t n, float max_error, int32_t max_edge,
                                int32_t (*out)[4]) {
  static Kept kept;
  oracle_start(raw, n, &kept);
  oracle_refine(raw, n, max_error, &kept);
  if (max_edge > 0) oracle_split(raw, n, max_edge, &kept);
  uint32_t count = kept.count;
  for (uint32_t i = 0; i < count; i++) {
    const int32_t *own = raw + 4 * (size_t)kept.index[i], *next = raw + 4 * (size_t)((kept.index[i] + 1) % n);
    memcpy(out[i], own, 12);
    out[i][3] = (next[3] & (0xffff | WM_CONTOUR_AREA_BORDER)) | (own[3] & WM_CONTOUR_BORDER_VERTEX);
  }
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t next = (i + 1) % count;
    if (out[i][0] != out[next][0] || out[i][2] != out[next][2]) continue;
    memmove(out[i], out[i + 1], (count - i - 1) * sizeof *out);
    count--;
  }
  return count < 3 ? 0 : count;
}

static uint32_t count_contours_of(const WmContourSet *set, uint16_t region) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < set->contour_count; i++) count += set->contour_region[i] == region;
  return count;
}

static void simplification_equals_its_plain_form_seed_2(void) {
  Random random = {2};
  static int32_t expected[8192][4];
  static uint8_t map[70 * 60];
  uint32_t compared = 0;
  for (int round = 0; round < CHECK_ROUNDS(300); round++) {
    WmContext *context = wm_context_create(NULL);
    const int32_t width = 3 + random_below(&random, 67), depth = 3 + random_below(&random, 57);
    const int32_t passes = random_below(&random, 5);
    const int32_t filled = 6 + random_below(&random, 11);
    const int32_t colours = 1 + random_below(&random, 3);
    fill_random_map(&random, map, width, depth, passes, filled, colours);
    FlatField field = make_flat_field(context, width, depth, map, NULL);
    for (uint32_t i = 0; i < field.compact.span_count; i++) {
      if (random_below(&random, 4) == 0) field.compact.span_floor[i] = (uint16_t)random_below(&random, 9);
      if (round % 4 == 3 && random_below(&random, 6) == 0) field.compact.span_area[i] = 7;
    }
    number_patches(&field, map);
    const float max_error = (float)random_below(&random, 25) * 0.1f;
    const int32_t max_edge = random_below(&random, 2) ? 0 : 1 + random_below(&random, 20);
    WmContourSet set = build(context, &field, max_error, max_edge);
    uint32_t contour = 0;
    for (; contour < set.contour_count; contour++) {
      const int32_t *raw = set.raw_vertices + 4 * (size_t)set.raw_first[contour];
      const uint32_t count = oracle_simplify(raw, raw_size_of(&set, contour), max_error, max_edge, expected);
      if (count_contours_of(&set, set.contour_region[contour]) > 1) continue; /* holes have their own test */
      const int32_t *actual = set.vertices + 4 * (size_t)set.vertex_first[contour];
      CHECK_EQUAL_INT(size_of(&set, contour), count);
      CHECK(memcmp(actual, expected, count * sizeof *expected) == 0);
      compared++;
    }
    wm_contour_set_free(context, &set);
    free_flat_field(context, &field);
    wm_context_destroy(context);
  }
  CHECK(compared > CHECK_ROUNDS(3000u));
}

/* Between two vertices of an outline along walls no raw vertex is farther than the error. */
static void walls_stray_no_farther_than_the_error_seed_3(void) {
  Random random = {3};
  static uint8_t map[90 * 90];
  uint32_t walked = 0;
  for (int round = 0; round < CHECK_ROUNDS(40); round++) {
    WmContext *context = wm_context_create(NULL);
    fill_random_map(&random, map, 90, 90, 3, 7, 1);
    FlatField field = make_flat_field(context, 90, 90, map, NULL);
    number_patches(&field, map);
    const float max_error = 0.3f + (float)random_below(&random, 20) * 0.1f;
    WmContourSet set = build(context, &field, max_error, 0);
    for (uint32_t i = 0; i < set.contour_count; i++) {
      if (count_contours_of(&set, set.contour_region[i]) > 1) continue;
      const int32_t *raw = set.raw_vertices + 4 * (size_t)set.raw_first[i];
      const int32_t *kept = set.vertices + 4 * (size_t)set.vertex_first[i];
      const uint32_t n = raw_size_of(&set, i), count = size_of(&set, i);
      uint32_t at = 0, met = 0;
      while (at < n && memcmp(raw + 4 * (size_t)at, kept, 12) != 0) at++;
      for (uint32_t k = 1; k <= n && at < n; k++) {
        const int32_t *point = raw + 4 * (size_t)((at + k) % n);
        const int32_t *from = kept + 4 * (size_t)(met % count), *to = kept + 4 * (size_t)((met + 1) % count);
        CHECK(oracle_distance2(from, to, point) <= max_error * max_error * 1.0001f);
        if (memcmp(point, to, 12) == 0) met++;
      }
      CHECK_EQUAL_INT(met, count);
      walked += n;
    }
    wm_contour_set_free(context, &set);
    free_flat_field(context, &field);
    wm_context_destroy(context);
  }
  CHECK(walked > CHECK_ROUNDS(10000u));
}

/* ---- Holes against a simple form -------------------------------------------------------------------- */

typedef struct Ring {
  int32_t (*v)[4];
  int count;
} Ring;

static int64_t turn(const int32_t *a, const int32_t *b, const int32_t *c) {
  return (int64_t)(b[0] - a[0]) * (c[2] - a[2]) - (int64_t)(c[0] - a[0]) * (b[2] - a[2]);
}

static bool same_place(const int32_t *a, const int32_t *b) { return a[0] == b[0] && a[2] == b[2]; }

static bool lies_between(const int32_t *a, const int32_t *b, const int32_t *c) {
  if (turn(a, b, c) != 0) return false;
  const int axis = a[0] != b[0] ? 0 : 2;
  return (a[axis] <= c[axis] && c[axis] <= b[axis]) || (a[axis] >= c[axis] && c[axis] >= b[axis]);
}

static bool touch(const int32_t *a, const int32_t *b, const int32_t *c, const int32_t *d) {
  const int64_t s = turn(a, b, c), t = turn(a, b, d), u = turn(c, d, a), v = turn(c, d, b);
  if (s && t && u && v && (s < 0) != (t < 0) && (u < 0) != (v < 0)) return true;
  return lies_between(a, b, c) || lies_between(a, b, d) || lies_between(c, d, a) || lies_between(c, d, b);
}

static bool is_blocked(const Ring *ring, const int32_t *p, const int32_t *q) {
  for (int i = 0; i < ring->count; i++) {
    const int32_t *a = ring->v[i], *b = ring->v[(i + 1) % ring->count];
    if (same_place(a, p) || same_place(a, q) || same_place(b, p) || same_place(b, q)) continue;
    if (touch(p, q, a, b)) return true;
  }
  return false;
}

static bool opens_to(const Ring *ring, int at, const int32_t *target) {
  const int32_t *m = ring->v[at], *n = ring->v[(at + 1) % ring->count];
  const int32_t *p = ring->v[(at + ring->count - 1) % ring->count];
  if (turn(p, m, n) <= 0) return turn(m, target, p) < 0 && turn(target, m, n) < 0;
  return !(turn(m, target, n) <= 0 && turn(target, m, p) <= 0);
}

static int leftmost_of(const Ring *ring) {
  int best = 0;
  for (int i = 1; i < ring->count; i++) {
    const int32_t *v = ring->v[i], *b = ring->v[best];
    if (v[0] < b[0] || (v[0] == b[0] && v[2] < b[2])) best = i;
  }
  return best;
}

/* The nearest outline vertex that sees vertex `corner` of hole `h`, or -1. */
static int oracle_find_bridge(const Ring *outline, const Ring *holes, int hole_count, int h, int corner) {
  const int32_t *p = holes[h].v[corner];
  int best = -1;
  int64_t shortest = 0;
  for (int j = 0; j < outline->count; j++) {
    const int32_t *q = outline->v[j];
    const int64_t dx = q[0] - p[0], dz = q[2] - p[2], length = dx * dx + dz * dz;
    if ((best >= 0 && length >= shortest) || !opens_to(outline, j, p) || is_blocked(outline, q, p)) continue;
    bool blocked = false;
    for (int k = h; k < hole_count && !blocked; k++) blocked = is_blocked(&holes[k], q, p);
    if (blocked) continue;
    best = j;
    shortest = length;
  }
  return best;
}

static void oracle_join(Ring *outline, const Ring *hole, int o, int v) {
  Ring joint = {malloc((size_t)(outline->count + hole->count + 2) * 16), 0};
  for (int i = 0; i <= outline->count; i++)
    memcpy(joint.v[joint.count++], outline->v[(o + i) % outline->count], 16);
  for (int i = 0; i <= hole->count; i++) memcpy(joint.v[joint.count++], hole->v[(v + i) % hole->count], 16);
  free(outline->v);
  *outline = joint;
}

/* False if a hole finds no bridge. */
static bool oracle_merge(Ring *outline, Ring *holes, int hole_count) {
  for (int i = 1; i < hole_count; i++) { /* stable insertion by leftmost vertex */
    for (int k = i; k > 0; k--) {
      const int32_t *a = holes[k - 1].v[leftmost_of(&holes[k - 1])], *b = holes[k].v[leftmost_of(&holes[k])];
      if (a[0] < b[0] || (a[0] == b[0] && a[2] <= b[2])) break;
      const Ring swap = holes[k];
      holes[k] = holes[k - 1];
      holes[k - 1] = swap;
    }
  }
  for (int h = 0; h < hole_count; h++) {
    int corner = leftmost_of(&holes[h]), found = -1;
    for (int tries = 0; tries < holes[h].count; tries++) {
      found = oracle_find_bridge(outline, holes, hole_count, h, corner);
      if (found >= 0) break;
      corner = (corner + 1) % holes[h].count;
    }
    if (found < 0) return false;
    oracle_join(outline, &holes[h], found, corner);
  }
  return true;
}

enum { MOST_RINGS = 600 };

/* Simplifies and joins the contours of a region by Recast's rules; false if they leave a hole unjoined. */
static bool oracle_region(const WmContourSet *set, uint16_t region, float max_error, Ring *outline,
                          uint32_t *outline_at) {
  static int32_t simplified[8192][4];
  Ring holes[MOST_RINGS];
  int hole_count = 0;
  bool joined = true;
  *outline = (Ring){NULL, 0};
  for (uint32_t i = 0; i < set->contour_count; i++) {
    if (set->contour_region[i] != region) continue;
    const uint32_t count = oracle_simplify(set->raw_vertices + 4 * (size_t)set->raw_first[i],
                                           raw_size_of(set, i), max_error, 0, simplified);
    Ring ring = {malloc(16 * (size_t)count + 16), (int)count};
    memcpy(ring.v, simplified, 16 * (size_t)count);
    const int64_t area = doubled_area(simplified[0], count);
    if (area < 0 && area > -3) joined = false; /* a hole that Recast's rules regard as an outline */
    if (area <= -3) {
      CHECK(hole_count < MOST_RINGS);
      if (hole_count == MOST_RINGS) abort();
      holes[hole_count++] = ring;
    } else {
      free(outline->v);
      *outline = ring;
      *outline_at = i;
    }
  }
  if (joined && hole_count > 0 && outline->v) joined = oracle_merge(outline, holes, hole_count);
  for (int i = 0; i < hole_count; i++) free(holes[i].v);
  return joined && outline->v;
}

/* Twice the area inside a region's contours; -1 if a hole was not joined. */
static int64_t area_of_region(const WmContourSet *set, uint16_t region) {
  int64_t sum = 0;
  for (uint32_t i = 0; i < set->contour_count; i++) {
    if (set->contour_region[i] != region) continue;
    const int64_t area = doubled_area(set->vertices + 4 * (size_t)set->vertex_first[i], size_of(set, i));
    if (area < 0) return -1;
    sum += area;
  }
  return sum;
}

static int64_t count_cells(const FlatField *field, uint16_t region) {
  int64_t cells = 0;
  for (uint32_t i = 0; i < field->compact.span_count; i++) cells += field->regions.span_region[i] == region;
  return cells;
}

/* Rows of equal holes: many vertices are equally near, so that ties decide. */
static void fill_lattice(uint8_t *map, int32_t width, int32_t depth, int32_t spacing) {
  for (int32_t i = 0; i < width * depth; i++) {
    const int32_t x = i % width, z = i / width;
    const bool inside = x > 0 && z > 0 && x + 1 < width && z + 1 < depth;
    map[i] = !(inside && x % spacing < 2 && z % spacing < 2);
  }
}

/* The number of regions with holes that were compared with the plain form, and of those where it leaves a
 * hole unjoined. */
typedef struct Compared {
  int regions, lost;
} Compared;

/* Draws the contours of a map and compares them with the plain form. */
static void compare_with_plain_form(const uint8_t *map, int32_t width, int32_t depth, float max_error,
                                    Compared *compared) {
  WmContext *context = wm_context_create(NULL);
  FlatField field = make_flat_field(context, width, depth, map, NULL);
  number_patches(&field, map);
  WmContourSet set = build(context, &field, max_error, 0);
  for (uint32_t i = 0; i < set.contour_count; i++) {
    const uint16_t region = set.contour_region[i];
    bool first = true;
    for (uint32_t k = 0; k < i; k++) first = first && set.contour_region[k] != region;
    if (!first || count_contours_of(&set, region) < 2) continue;
    Ring expected;
    uint32_t at = 0;
    if (oracle_region(&set, region, max_error, &expected, &at)) {
      CHECK_EQUAL_INT(size_of(&set, at), expected.count);
      CHECK(size_of(&set, at) == (uint32_t)expected.count &&
            memcmp(set.vertices + 4 * (size_t)set.vertex_first[at], expected.v,
                   16 * (size_t)expected.count) == 0);
      compared->regions++;
    } else {
      compared->lost++;
    }
    free(expected.v);
    if (max_error == 0) CHECK_EQUAL_INT(area_of_region(&set, region), 2 * count_cells(&field, region));
  }
  wm_contour_set_free(context, &set);
  free_flat_field(context, &field);
  wm_context_destroy(context);
}

static void joined_holes_equal_their_plain_form_seed_4(void) {
  Random random = {4};
  static uint8_t map[60 * 50];
  Compared compared = {0, 0};
  for (int round = 0; round < CHECK_ROUNDS(600); round++) {
    const int32_t width = 5 + random_below(&random, 56), depth = 5 + random_below(&random, 46);
    const int32_t passes = random_below(&random, 4);
    const int32_t filled = 9 + random_below(&random, 5);
    fill_random_map(&random, map, width, depth, passes, filled, 1);
    if (round % 20 == 0) fill_lattice(map, width, depth, 3 + round % 3);
    const float max_error = round % 3 == 0 ? 0 : (float)random_below(&random, 20) * 0.1f;
    compare_with_plain_form(map, width, depth, max_error, &compared);
  }
  printf("holes: %d regions compared, %d where the plain rules leave a hole alone\n", compared.regions,
         compared.lost);
  CHECK(compared.regions > CHECK_ROUNDS(100));
}

/* Each hole of a long row is joined to an earlier one. Their labels get denser until the whole ring is
 * labelled again: ties between equally near vertices are still decided. */
static void long_rows_of_holes_equal_their_plain_form_seed_6(void) {
  enum { WIDTH = 180, DEPTH = 26 };
  static uint8_t map[WIDTH * DEPTH];
  Random random = {6};
  Compared compared = {0, 0};
  for (int round = 0; round < CHECK_ROUNDS(60); round++) {
    const int32_t depth = 6 + 4 * random_below(&random, 6), spacing = 4 + random_below(&random, 2);
    const int32_t stray = random_below(&random, 3) ? 2 : 1;
    for (int32_t i = 0; i < WIDTH * depth; i++) map[i] = 1;
    for (int32_t z = 2; z + 4 < depth + 1; z += spacing) {
      for (int32_t x = 2; x + 4 < WIDTH;
           x += spacing) { /* a hole of two cells by two, somewhere in its square */
        const int32_t first = x + random_below(&random, stray) + WIDTH * (z + random_below(&random, stray));
        map[first] = map[first + 1] = map[first + WIDTH] = map[first + WIDTH + 1] = 0;
      }
    }
    compare_with_plain_form(map, WIDTH, depth, 0.5f, &compared);
  }
  printf("rows of holes: %d regions compared, %d lost\n", compared.regions, compared.lost);
  CHECK(compared.regions > CHECK_ROUNDS(60) / 3);
}

/* ---- Large ones ------------------------------------------------------------------------------------ */

static void five_thousand_holes_in_one_region(void) {
  WmContext *context = wm_context_create(NULL);
  const int32_t side = 4 * 71 + 2;
  uint8_t *map = malloc((size_t)side * (size_t)side);
  memset(map, 1, (size_t)side * (size_t)side);
  uint32_t holes = 0;
  for (int32_t i = 0; i < 71 * 71 && holes < 5000; i++, holes++) {
    const int32_t x = 2 + 4 * (i % 71), z = 2 + 4 * (i / 71);
    map[x + z * side] = map[x + 1 + z * side] = map[x + (z + 1) * side] = map[x + 1 + (z + 1) * side] = 0;
  }
  FlatField field = make_flat_field(context, side, side, map, NULL);
  const double start = now_milliseconds();
  WmContourSet set = build(context, &field, 0.5f, 0);
  printf("5000 holes: contours %.0f ms\n", now_milliseconds() - start);
  CHECK_EQUAL_INT(set.contour_count, 5001);
  CHECK_EQUAL_INT(size_of(&set, 0), 4 + 6 * 5000);
  CHECK_EQUAL_INT(doubled_area(set.vertices, size_of(&set, 0)), 2 * (int64_t)field.compact.span_count);
  wm_contour_set_free(context, &set);
  free_flat_field(context, &field);
  wm_context_destroy(context);
  free(map);
}

/* A comb: teeth one cell wide, one cell apart, on a back two cells deep. */
static FlatField make_comb(WmContext *context, int32_t teeth, int32_t length) {
  const int32_t width = 2 * teeth, depth = length + 2;
  uint8_t *map = malloc((size_t)width * (size_t)depth);
  for (int32_t i = 0; i < width * depth; i++) map[i] = i / width < 2 || i % width % 2 == 0;
  FlatField field = make_flat_field(context, width, depth, map, NULL);
  free(map);
  return field;
}

static void a_comb_of_50000_vertices_is_one_contour(void) {
  WmContext *context = wm_context_create(NULL);
  FlatField field = make_comb(context, 12500, 6);
  const double start = now_milliseconds();
  WmContourSet set = build(context, &field, 0.5f, 0);
  printf("comb: %u raw vertices to %u, %.0f ms\n", raw_size_of(&set, 0), size_of(&set, 0),
         now_milliseconds() - start);
  CHECK_EQUAL_INT(set.contour_count, 1);
  CHECK(raw_size_of(&set, 0) > 200000);
  /* Four vertices per tooth; a few more may result from splitting long segments in the middle. */
  CHECK(size_of(&set, 0) >= 50000 && size_of(&set, 0) < 50100);
  CHECK_EQUAL_INT(doubled_area(set.vertices, size_of(&set, 0)), 2 * (int64_t)field.compact.span_count);
  wm_contour_set_free(context, &set);
  free_flat_field(context, &field);
  wm_context_destroy(context);
}

/* ---- Failures and golden dumps --------------------------------------------------------------------- */

static void every_failed_allocation_is_survived(void) {
  Random random = {5};
  static uint8_t map[80 * 80];
  fill_random_map(&random, map, 80, 80, 1, 13, 2);
  int failed = 0;
  for (int allowed = 0;; allowed++, failed++) {
    FailingAllocator failing = {1};
    const WmAllocator allocator = {failing_allocate, failing_release, &failing};
    WmContext *context = wm_context_create(&allocator), *plain = wm_context_create(NULL);
    FlatField field = make_flat_field(plain, 80, 80, map, NULL);
    number_patches(&field, map);
    failing.left = allowed;
    WmContourSet set;
    memset(&set, 0x55, sizeof set);
    const WmStatus status =
        wm_build_contours(context, &field.compact, &field.regions, 1.3f, 12, RAW_AND_WALLS, &set);
    if (status) {
      CHECK_EQUAL_INT(status, WM_ERROR_OUT_OF_MEMORY);
      CHECK(!set.block && set.contour_count == 0 && !set.vertices);
    }
    wm_contour_set_free(context, &set);
    wm_context_destroy(context);
    free_flat_field(plain, &field);
    wm_context_destroy(plain);
    if (!status) break;
  }
  CHECK(failed >= 3);
}

static void contours_equal_the_golden_dumps(void) {
  for (int i = 0; i < GOLDEN_CASE_COUNT; i++) {
    const GoldenCase *golden = &GOLDEN_CASES[i];
    WmBytes before = read_golden(golden, "compact");
    if (!before.bytes) {
      SKIP("no ../shared/golden/dumps");
      continue;
    }
    WmBytes areas = read_golden(golden, "areas_eroded"), numbers = read_golden(golden, "regions");
    WmContext *context = wm_context_create(NULL);
    const WmGrid grid = golden_grid(golden);
    FlatField field = {0};
    field.compact = read_compact(context, before, &grid, golden->walkable_height, golden->walkable_climb);
    memcpy(field.compact.span_area, areas.bytes, areas.byte_count);
    field.regions.span_count = field.compact.span_count;
    field.regions.span_region = (uint16_t *)(void *)numbers.bytes;
    WmContourSet set = build(context, &field, 1.3f, 40);
    WmBytes dump = {0};
    CHECK(wm_dump_contours(context, &set, &dump) == WM_OK);
    check_golden(context, golden, "contours", dump);
    wm_contour_set_free(context, &set);
    wm_compact_heightfield_free(context, &field.compact);
    wm_context_destroy(context);
    free(before.bytes);
    free(areas.bytes);
    free(numbers.bytes);
  }
}

int main(void) {
  RUN(a_square_has_four_corners);
  RUN(long_edges_are_halved);
  RUN(regions_share_the_ends_of_their_border);
  RUN(a_hole_is_joined_to_its_outline);
  RUN(single_cells_and_empty_fields_have_no_contour);
  RUN(the_border_is_taken_off);
  RUN(one_way_links_end_the_walk);
  RUN(raw_outlines_separate_regions_seed_1);
  RUN(simplification_equals_its_plain_form_seed_2);
  RUN(walls_stray_no_farther_than_the_error_seed_3);
  RUN(joined_holes_equal_their_plain_form_seed_4);
  RUN(long_rows_of_holes_equal_their_plain_form_seed_6);
  RUN(five_thousand_holes_in_one_region);
  RUN(a_comb_of_50000_vertices_is_one_contour);
  RUN(every_failed_allocation_is_survived);
  RUN(contours_equal_the_golden_dumps);
  return check_finish();
}
