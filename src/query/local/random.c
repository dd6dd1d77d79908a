/* Random points on the surface, each as likely as every other by area on x and z. See random.h.
 *
 * Draws a polygon by its area, a triangle of its fan by its area, and a point of the triangle. A polygon that
 * doesn't pass is drawn again, which keeps the others equally likely; after 64 failures plus one for each
 * tile, all polygons that pass are summed up instead, which is slower and just as even. Around a point,
 * polygons are first clipped to the circle's square, and points outside the circle drawn again; the last
 * resort is a polygon of 64 corners in the circle, which lacks the outermost 0.2 % of its area.
 *
 * Sources: G. L. Steele, D. Lea, C. H. Flood, "Fast Splittable Pseudorandom Number Generators", 2014
 * (SplitMix64); R. Osada, T. Funkhouser, B. Chazelle, D. Dobkin, "Shape Distributions", 2002 (points of a
 * triangle); I. E. Sutherland, G. W. Hodgman, "Reentrant Polygon Clipping", 1974. */
#include "base/number.h"
#include "mesh/locate.h"
#include "mesh/tile/rings.h"
#include "query/query_internal.h"
#include "query/search/flood.h"
#include "query/search/islands.h"
#include "query/local/random.h"

/* ---- Numbers ------------------------------------------------------------------------------------------ */

WmRandom wm_random_seeded(uint64_t seed) { return (WmRandom){seed}; }

static uint64_t next_bits(WmRandom *random) {
  uint64_t bits = random->state += 0x9e3779b97f4a7c15u;
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
  return bits ^ bits >> 31;
}

float wm_random_next(WmRandom *random) { return (float)(next_bits(random) >> 40) * 0x1p-24f; }

static double next_number(WmRandom *random) { return (double)(next_bits(random) >> 11) * 0x1p-53; }

/* ---- Points of a polygon ------------------------------------------------------------------------------ */

enum {
  RIM_CORNERS = 64,
  CORNER_LIMIT = WM_TILE_VERTICES_PER_POLYGON + RIM_CORNERS, /* of a convex polygon clipped to them */
};

/* A polygon on x and z. */
typedef struct Face {
  size_t count;
  double corners[CORNER_LIMIT][2];
} Face;

static void gather(const WmMeshTile *tile, uint32_t polygon, Face *face) {
  const float *ring = wm_tile_ring(tile, polygon) + 1;
  face->count = tile->polygon_size[polygon];
  for (uint32_t k = 0; k < face->count; k++) {
    face->corners[k][0] = ring[k];
    face->corners[k][1] = ring[WM_RING_CORNERS + k];
  }
}

/* Twice the area of a triangle, above 0 if its winding is that of polygons of a mesh. */
static double find_turn(const double a[2], const double b[2], const double c[2]) {
  return (b[1] - a[1]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[1] - a[1]);
}

/* Twice the area of triangle k of the fan. */
static double find_part(const Face *face, size_t k) {
  return fabs(find_turn(face->corners[0], face->corners[k - 1], face->corners[k]));
}

static double find_area(const Face *face) {
  double area = 0;
  for (size_t k = 2; k < face->count; k++) area += find_part(face, k);
  return area;
}

/* in         face: at least three corners
 * out        point: y 0 */
static void draw_point(WmRandom *random, const Face *face, float point[3]) {
  double left = next_number(random) * find_area(face);
  size_t k = 2;
  for (; k + 1 < face->count; k++) {
    const double part = find_part(face, k);
    if (left < part) break;
    left -= part;
  }
  const double away = sqrt(next_number(random)), across = next_number(random);
  const double a = 1 - away, b = away * (1 - across), c = away * across;
  for (int i = 0; i < 2; i++) {
    /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): faces have three corners at least */
    point[2 * i] = (float)(a * face->corners[0][i] + b * face->corners[k - 1][i] + c * face->corners[k][i]);
  }
  point[1] = 0;
}

/* Moves a point, which rounding may have put beside its polygon, onto the surface. */
static void snap_to_surface(const WmMeshTile *tile, uint32_t polygon, const float point[3],
                            WmNearest *nearest) {
  nearest->polygon = tile->ref + polygon;
  nearest->over = true;
  wm_tile_closest_point(tile, polygon, point, true, nearest->point);
}

/* ---- Anywhere ----------------------------------------------------------------------------------------- */

WmRandomOptions wm_random_options_default(void) { return (WmRandomOptions){.area = -1}; }

static bool may_be_drawn(const WmFilter *filter, const WmRandomOptions *options, const WmMeshTile *tile,
                         uint32_t polygon) {
  return wm_filter_passes(filter, tile->polygon_flags[polygon]) &&
         (options->area < 0 || tile->polygon_area[polygon] == options->area) &&
         (!options->islands || !options->island ||
          wm_islands_of(options->islands, tile->ref + polygon) == options->island);
}

/* Draws one of all polygons with an area; NULL: there is none. */
static const WmMeshTile *draw_polygon(const WmMesh *mesh, WmRandom *random, uint32_t *polygon) {
  double within;
  const WmMeshTile *tile = wm_mesh_sample_tile(mesh, next_number(random), &within);
  if (!tile) return NULL;
  const double *before = tile->area_before;
  /* The last polygon whose area begins at or before `within`, and ends behind it. */
  uint32_t first = 0, left = tile->ground_count;
  if (within >= before[left]) within = before[left] * (1 - 0x1p-50);
  while (left > 1) { /* without branches, as they can't be predicted */
    const uint32_t half = left / 2;
    first += before[first + half] <= within ? half : 0;
    left -= half;
  }
  *polygon = first;
  return tile;
}

/* Finds a polygon among all that may be drawn: the first pass sums up their area, the second finds the
 * polygon at a fraction of it. If none has an area, the first polygon. */
static const WmMeshTile *find_polygon(const WmMesh *mesh, const WmFilter *filter,
                                      const WmRandomOptions *options, double fraction, uint32_t *polygon) {
  const WmMeshTile *found = NULL;
  double left = INFINITY;
  for (int pass = 0; pass < 2; pass++) {
    double sum = 0;
    for (size_t slot = 0; slot < wm_mesh_slot_count(mesh); slot++) {
      const WmMeshTile *tile = wm_mesh_tile(mesh, slot);
      for (uint32_t p = 0; tile && p < tile->ground_count; p++) {
        if (!may_be_drawn(filter, options, tile, p)) continue;
        const double area = tile->area_before[p + 1] - tile->area_before[p];
        if (found && !(area > 0)) continue;
        found = tile;
        *polygon = p;
        sum += area;
        if (sum > left) return tile;
      }
    }
    left = fraction * sum;
  }
  return found;
}

WmStatus wm_query_random_point(WmQuery *query, WmRandom *random, const WmRandomOptions *options,
                               WmNearest *nearest) {
  const WmRandomOptions standard = wm_random_options_default();
  if (!options) options = &standard;
  memset(nearest, 0, sizeof *nearest);
  const WmFilter *filter = wm_query_filter(query, options->filter);
  if (options->area < -1 || options->area > 63) {
    return wm_fail_range(query->context, WM_ERROR_INVALID_ARGUMENT, "area", options->area, -1, 63, NULL);
  }
  if (options->islands && options->island && !wm_islands_are_current(options->islands, filter)) {
    return wm_fail(query->context, WM_ERROR_STATE, "islands",
                   "the islands are out of date, or of another filter: update them");
  }
  const WmMesh *mesh = query->mesh;
  const WmMeshTile *tile = NULL;
  uint32_t polygon = 0;
  /* Drawing a polygon takes as long as looking at about 16. */
  for (size_t tries = 64 + wm_mesh_tile_count(mesh); tries > 0; tries--) {
    tile = draw_polygon(mesh, random, &polygon);
    if (!tile || may_be_drawn(filter, options, tile, polygon)) break;
    tile = NULL;
  }
  if (!tile) tile = find_polygon(mesh, filter, options, next_number(random), &polygon);
  if (!tile) return WM_OK;
  Face face;
  float point[3];
  gather(tile, polygon, &face);
  draw_point(random, &face, point);
  snap_to_surface(tile, polygon, point, nearest);
  return WM_OK;
}

/* ---- Around a point ----------------------------------------------------------------------------------- */

/* Makes a convex polygon in or around the circle, with the winding of polygons of a mesh. */
static void make_bound(const float centre[3], double radius, size_t corners, Face *bound) {
  bound->count = corners;
  for (size_t k = 0; k < corners; k++) {
    const double angle = 6.283185307179586 / (double)corners * ((double)k + 0.5);
    bound->corners[k][0] = centre[0] + radius * wm_sine(angle, 0);
    bound->corners[k][1] = centre[2] + radius * wm_sine(angle, 1);
  }
}

/* Clips a polygon to the inner side of the line through a and b. A polygon that isn't convex may lose corners
 * beyond the capacity. */
static void cut_face(const Face *face, const double a[2], const double b[2], Face *rest) {
  rest->count = 0;
  for (size_t k = 0, j = face->count - 1; k < face->count; j = k++) {
    const double *first = face->corners[j], *second = face->corners[k];
    const double from = find_turn(a, b, first), to = find_turn(a, b, second);
    if ((from < 0) != (to < 0) && rest->count < CORNER_LIMIT) {
      const double t = from / (from - to);
      double *corner = rest->corners[rest->count++];
      for (int i = 0; i < 2; i++) corner[i] = first[i] + (second[i] - first[i]) * t;
    }
    if (to >= 0 && rest->count < CORNER_LIMIT)
      memcpy(rest->corners[rest->count++], second, sizeof *rest->corners);
  }
}

static void clip_face(const WmMesh *mesh, WmRef polygon, const Face *bound, Face *face) {
  gather(wm_mesh_tile_of(mesh, polygon), wm_ref_polygon(polygon), face);
  for (size_t k = 0; k < bound->count && face->count > 0; k++) {
    Face rest;
    cut_face(face, bound->corners[k], bound->corners[k + 1 < bound->count ? k + 1 : 0], &rest);
    face->count = rest.count;
    memcpy(face->corners, rest.corners, rest.count * sizeof *rest.corners);
  }
}

/* Draws points of the flood's polygons, clipped to the bound, until one is in the circle.
 * out        areas [flood->count]: scratch; *drawn false: no point was in the circle in 64 tries
 * returns    index of the polygon in the flood */
static size_t draw_within(const WmMesh *mesh, const WmFlood *flood, float *areas, const Face *bound,
                          WmRandom *random, const float centre[3], float radius, float point[3],
                          bool *drawn) {
  Face face;
  double sum = 0;
  for (size_t i = 0; i < flood->count; i++) {
    clip_face(mesh, flood->polygons[i], bound, &face);
    areas[i] = (float)find_area(&face);
    sum += areas[i];
  }
  *drawn = false;
  for (int tries = 0; tries < 64 && sum > 0; tries++) {
    double left = next_number(random) * sum;
    size_t i = 0, last = 0;
    for (; i < flood->count && !(left < areas[i]); i++) {
      if (areas[i] > 0) last = i;
      left -= areas[i];
    }
    if (i == flood->count) i = last;
    clip_face(mesh, flood->polygons[i], bound, &face);
    draw_point(random, &face, point);
    const double x = (double)point[0] - centre[0], z = (double)point[2] - centre[2];
    *drawn = x * x + z * z <= (double)radius * radius;
    if (*drawn) return i;
  }
  return 0;
}

/* The flood's point nearest to the centre, if it is in the circle. */
static void find_nearest_point(const WmMesh *mesh, const WmFlood *flood, const float centre[3], float radius,
                               WmNearest *nearest) {
  float best = radius * radius;
  for (size_t i = 0; i < flood->count; i++) {
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, flood->polygons[i]);
    float point[3];
    wm_tile_closest_point(tile, wm_ref_polygon(flood->polygons[i]), centre, false, point);
    const float x = point[0] - centre[0], z = point[2] - centre[2];
    if (!(x * x + z * z <= best)) continue;
    best = x * x + z * z;
    snap_to_surface(tile, wm_ref_polygon(flood->polygons[i]), point, nearest);
  }
}

/* Removes the connections from a flood, whose arrays are the query's. */
static void remove_connections(WmQuery *query, WmFlood *flood) {
  WmRef *polygons = query->arrays[WM_QUERY_POLYGONS].items;
  const size_t count = flood->count;
  flood->count = 0;
  for (size_t i = 0; i < count; i++) {
    if (wm_ref_polygon(polygons[i]) < wm_mesh_tile_of(query->mesh, polygons[i])->ground_count) {
      polygons[flood->count++] = polygons[i];
    }
  }
}

WmStatus wm_query_random_point_around(WmQuery *query, WmRandom *random, WmRef start, const float centre[3],
                                      float radius, const WmFilter *filter, WmNearest *nearest) {
  memset(nearest, 0, sizeof *nearest);
  WmFloodOptions options = wm_flood_options_default();
  options.filter = wm_query_filter(query, filter);
  options.radius = radius;
  WmFlood flood;
  WmStatus status = wm_query_check_numbers(query->context, &radius, 1, 0, "radius");
  if (!status) status = wm_query_flood(query, start, centre, &options, &flood);
  if (status) return status;
  const WmMesh *mesh = query->mesh;
  if (!wm_filter_passes(options.filter, wm_mesh_tile_of(mesh, start)->polygon_flags[wm_ref_polygon(start)])) {
    return WM_OK;
  }
  remove_connections(query, &flood);
  Face bound;
  float point[3];
  bool drawn = false;
  size_t index = 0;
  for (size_t corners = 4; corners <= RIM_CORNERS && !drawn; corners *= RIM_CORNERS / 4) {
    /* The square is around the circle; the polygon of 64 corners in it, less some rounding. */
    const double reach = corners == 4 ? radius * 1.4142135623730951 : radius * (1 - 1e-6);
    make_bound(centre, reach, corners, &bound);
    index = draw_within(mesh, &flood, query->arrays[WM_QUERY_COSTS].items, &bound, random, centre, radius,
                        point, &drawn);
  }
  if (drawn) {
    const WmRef polygon = flood.polygons[index];
    snap_to_surface(wm_mesh_tile_of(mesh, polygon), wm_ref_polygon(polygon), point, nearest);
  } else {
    find_nearest_point(mesh, &flood, centre, radius, nearest);
  }
  return WM_OK;
}
