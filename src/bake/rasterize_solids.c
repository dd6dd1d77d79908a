/* Solids to runs: boxes, spheres, capsules, cylinders and convex hulls, filled.
 *
 * in: one solid; out: for each cell whose square it touches, the stretch from its lowest to its highest point
 * above that square. Above a square [x0, x1] x [z0, z1] that is:
 *
 * - box, hull: the lowest and highest point of its faces cut to the square (rasterize_clip.c); a closed
 * surface holds the extreme points of the body;
 * - sphere: from centre.y - h to centre.y + h, h = sqrt(r^2 - d^2), d the distance from the centre to the
 * square;
 * - capsule: a ball moves along the segment; with the centre at parameter t the top is y(t) + sqrt(r^2 -
 * d(t)^2). d(t)^2 is a quadratic between the parameters where the segment crosses a side of the square; on
 * each such piece the maximum has a closed form;
 * - cylinder: upright and level ones directly; tilted ones by candidates: the top of a concave surface over a
 *   square is its highest point, if that lies above the square, or on a side of the square, where it is an
 * end, a crossing with the outline or a rim, or the maximum of the mantle's curve.
 *
 * All in double, then rounded to float: exact but for rounding, and conservative in that the whole square
 * counts (a triangle mesh of the same shape gives the same or smaller spans). Heights beyond the field are
 * cut off. */
#include <math.h>
#include <string.h>

#include "bake/rasterize_internal.h"

/* What lies above a square; low > high where nothing does. */
typedef struct Stretch {
  double low, high;
} Stretch;

typedef struct Square {
  double low[2], high[2]; /* x, z */
} Square;

static const Stretch NOTHING = {INFINITY, -INFINITY};

static void widen(Stretch *stretch, double low, double high) {
  if (low < stretch->low) stretch->low = low;
  if (high > stretch->high) stretch->high = high;
}

static double clamp(double value, double low, double high) {
  return value < low ? low : value > high ? high : value;
}

/* ---- Checks -------------------------------------------------------------------------------------- */

/* Coordinates up to here can be squared and multiplied in float without overflow. */
static const float FARTHEST = 1e9f;

static WmStatus fail_solid(WmContext *context, size_t index, const char *field, const char *rule) {
  return wm_fail_number(context, WM_ERROR_INVALID_ARGUMENT, field, "solid number ", (double)index, rule);
}

static bool are_finite(const float *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!(fabsf(values[i]) <= FARTHEST)) return false;
  }
  return true;
}

/* Volume of the parallelepiped of three vectors, one after the other. */
static double volume_of_axes(const float *axes) {
  const float *a = axes, *b = axes + 3, *c = axes + 6;
  const double x = (double)b[1] * c[2] - (double)b[2] * c[1];
  const double y = (double)b[2] * c[0] - (double)b[0] * c[2];
  const double z = (double)b[0] * c[1] - (double)b[1] * c[0];
  return fabs(a[0] * x + a[1] * y + a[2] * z);
}

static double length_of(const float *v) {
  return sqrt((double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2]);
}

/* Whether three half axes span no volume; a millionth of the cube of their lengths is taken for none. */
static bool axes_are_flat(const float *axes) {
  const double cube = length_of(axes) * length_of(axes + 3) * length_of(axes + 6);
  return !(volume_of_axes(axes) > 1e-6 * cube);
}

/* Whether the hull's faces enclose a volume. */
static bool hull_is_flat(const WmSolid *solid) {
  const float *origin = solid->vertices;
  double volume = 0, farthest = 0;
  for (size_t i = 0; i < solid->triangle_count; i++) {
    float arms[9];
    for (size_t k = 0; k < 3; k++) {
      const float *corner = solid->vertices + 3 * (size_t)solid->indices[3 * i + k];
      for (size_t axis = 0; axis < 3; axis++) arms[3 * k + axis] = corner[axis] - origin[axis];
      farthest = fmax(farthest, length_of(arms + 3 * k));
    }
    volume += volume_of_axes(arms);
  }
  return !(volume > 1e-12 * farthest * farthest * farthest);
}

static WmStatus check_hull(WmContext *context, const WmSolid *solid, size_t index) {
  if (!solid->vertices || solid->vertex_count < 4) {
    return fail_solid(context, index, "vertices", ": a convex hull needs at least 4 vertices");
  }
  if (!solid->indices || solid->triangle_count < 4) {
    return fail_solid(context, index, "indices", ": a convex hull needs at least 4 triangles");
  }
  if (!are_finite(solid->vertices, 3 * solid->vertex_count)) {
    return fail_solid(context, index, "vertices", ": a vertex is not finite or beyond 1e9");
  }
  for (size_t i = 0; i < 3 * solid->triangle_count; i++) {
    if (solid->indices[i] < solid->vertex_count) continue;
    return fail_solid(context, index, "indices", ": an index is out of range");
  }
  if (hull_is_flat(solid)) return fail_solid(context, index, "vertices", ": the hull is flat");
  return WM_OK;
}

static WmStatus check_solid(WmContext *context, const WmSolid *solid, size_t index) {
  if (solid->kind < WM_SOLID_BOX || solid->kind > WM_SOLID_CONVEX) {
    return fail_solid(context, index, "kind", ": there is no such kind of solid");
  }
  if (solid->area >= WM_AREA_COUNT) return fail_solid(context, index, "area", ": the area must be 0 to 63");
  if (solid->kind == WM_SOLID_CONVEX) return check_hull(context, solid, index);
  if (!are_finite(solid->start, 3)) {
    return fail_solid(context, index, "start", ": start is not finite or beyond 1e9");
  }
  if (solid->kind == WM_SOLID_BOX) {
    if (!are_finite(&solid->half_axes[0][0], 9)) {
      return fail_solid(context, index, "halfAxes", ": a half axis is not finite or beyond 1e9");
    }
    return axes_are_flat(&solid->half_axes[0][0])
               ? fail_solid(context, index, "halfAxes", ": the box is flat")
               : WM_OK;
  }
  if (!(solid->radius > 0 && solid->radius <= FARTHEST)) {
    return fail_solid(context, index, "radius", ": the radius must be above 0 and at most 1e9");
  }
  if (solid->kind == WM_SOLID_SPHERE) return WM_OK;
  if (!are_finite(solid->end, 3))
    return fail_solid(context, index, "end", ": end is not finite or beyond 1e9");
  if (solid->kind == WM_SOLID_CYLINDER && memcmp(solid->start, solid->end, sizeof solid->start) == 0) {
    return fail_solid(context, index, "end", ": the cylinder's ends are the same point");
  }
  return WM_OK;
}

WmStatus wm_raster_check_solids(WmContext *context, const WmSolid *solids, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const WmStatus status = check_solid(context, &solids[i], i);
    if (status) return status;
  }
  return WM_OK;
}

/* ---- Where a solid lies -------------------------------------------------------------------------- */

/* Corner k of a box: bit i of k chooses the side along half axis i. */
static void find_box_corner(const WmSolid *solid, int k, float corner[3]) {
  for (int axis = 0; axis < 3; axis++) {
    float value = solid->start[axis];
    for (int i = 0; i < 3; i++)
      value += (k >> i & 1) ? solid->half_axes[i][axis] : -solid->half_axes[i][axis];
    corner[axis] = value;
  }
}

static void widen_bounds(const float point[3], float margin, float low[3], float high[3]) {
  for (int axis = 0; axis < 3; axis++) {
    if (point[axis] - margin < low[axis]) low[axis] = point[axis] - margin;
    if (point[axis] + margin > high[axis]) high[axis] = point[axis] + margin;
  }
}

static void find_bounds(const WmSolid *solid, float low[3], float high[3]) {
  for (int axis = 0; axis < 3; axis++) low[axis] = INFINITY, high[axis] = -INFINITY;
  if (solid->kind == WM_SOLID_BOX) {
    for (int k = 0; k < 8; k++) {
      float corner[3];
      find_box_corner(solid, k, corner);
      widen_bounds(corner, 0, low, high);
    }
  } else if (solid->kind == WM_SOLID_CONVEX) {
    for (size_t i = 0; i < 3 * solid->triangle_count; i++) {
      widen_bounds(solid->vertices + 3 * (size_t)solid->indices[i], 0, low, high);
    }
  } else {
    widen_bounds(solid->start, solid->radius, low, high);
    if (solid->kind != WM_SOLID_SPHERE) widen_bounds(solid->end, solid->radius, low, high);
  }
}

bool wm_raster_solid_cells(const WmRasterGrid *grid, const WmSolid *solid, int32_t first[2],
                           int32_t last[2]) {
  float low[3], high[3];
  find_bounds(solid, low, high);
  for (int axis = 0; axis < 3; axis++) {
    if (!(low[axis] <= grid->end[axis] && high[axis] >= grid->origin[axis])) return false;
  }
  for (int i = 0; i < 2; i++) {
    const int32_t count = i == 0 ? grid->width : grid->depth;
    first[i] = wm_raster_cell(grid, 2 * i, low[2 * i], count - 1) - 1;
    last[i] = wm_raster_cell(grid, 2 * i, high[2 * i], count - 1) + 1;
    if (first[i] < 0) first[i] = 0;
    if (last[i] > count - 1) last[i] = count - 1;
    if (first[i] > last[i]) return false;
  }
  return true;
}

/* ---- Spheres and capsules ------------------------------------------------------------------------ */

static Stretch cut_sphere(const WmSolid *solid, const Square *square) {
  const double x = solid->start[0], y = solid->start[1], z = solid->start[2], r = solid->radius;
  const double dx = clamp(x, square->low[0], square->high[0]) - x;
  const double dz = clamp(z, square->low[1], square->high[1]) - z;
  const double rest = r * r - (dx * dx + dz * dz);
  if (rest < 0) return NOTHING;
  return (Stretch){y - sqrt(rest), y + sqrt(rest)};
}

/* The parameters 0..1 of the segment where it crosses the lines through the square's sides, sorted, with 0
 * and 1; returns how many. */
static int find_pieces(const double start[3], const double way[3], const Square *square, double pieces[6]) {
  int count = 0;
  pieces[count++] = 0;
  for (int i = 0; i < 2; i++) {
    if (way[2 * i] == 0) continue;
    for (int side = 0; side < 2; side++) {
      const double t = ((side ? square->high[i] : square->low[i]) - start[2 * i]) / way[2 * i];
      if (!(t > 0 && t < 1)) continue;
      int at = count++;
      for (; at > 1 && pieces[at - 1] > t; at--) pieces[at] = pieces[at - 1];
      pieces[at] = t;
    }
  }
  pieces[count++] = 1;
  return count;
}

/* One piece of the segment: the squared distance to the square is a t^2 + 2 b t + c. */
typedef struct Distance {
  double a, b, c;
} Distance;

static Distance measure_distance(const double start[3], const double way[3], const Square *square,
                                 double middle) {
  Distance distance = {0, 0, 0};
  for (int i = 0; i < 2; i++) {
    const double p = start[2 * i], w = way[2 * i], at = p + w * middle;
    if (at >= square->low[i] && at <= square->high[i]) continue;
    const double away = p - (at < square->low[i] ? square->low[i] : square->high[i]);
    distance.a += w * w;
    distance.b += w * away;
    distance.c += away * away;
  }
  return distance;
}

/* The ball's stretch with its centre at t. */
static void widen_at(Stretch *stretch, double y, double rise, double radius, const Distance *d, double t) {
  const double rest = radius * radius - ((d->a * t + 2 * d->b) * t + d->c);
  if (rest < 0) return;
  widen(stretch, y + rise * t - sqrt(rest), y + rise * t + sqrt(rest));
}

static Stretch cut_capsule(const WmSolid *solid, const Square *square) {
  const double radius = solid->radius;
  double start[3], way[3], pieces[6];
  for (int axis = 0; axis < 3; axis++) {
    start[axis] = solid->start[axis];
    way[axis] = (double)solid->end[axis] - solid->start[axis];
  }
  const int count = find_pieces(start, way, square, pieces);
  Stretch stretch = NOTHING;
  for (int i = 0; i + 1 < count; i++) {
    const double from = pieces[i], to = pieces[i + 1];
    const Distance d = measure_distance(start, way, square, 0.5 * (from + to));
    widen_at(&stretch, start[1], way[1], radius, &d, from);
    widen_at(&stretch, start[1], way[1], radius, &d, to);
    if (d.a <= 0) continue;
    /* With s = t + b/a: rest = R^2 - a s^2, and y +- sqrt(rest) is extreme at s = +-rise R / sqrt(a^2 + a
     * rise^2). */
    const double rest = radius * radius - (d.c - d.b * d.b / d.a);
    if (rest < 0) continue;
    const double offset = way[1] * sqrt(rest) / sqrt(d.a * d.a + d.a * way[1] * way[1]);
    const double reach = sqrt(rest / d.a), middle = -d.b / d.a;
    const double candidates[4] = {middle + offset, middle - offset, middle - reach, middle + reach};
    for (int k = 0; k < 4; k++) {
      if (candidates[k] > from && candidates[k] < to) {
        widen_at(&stretch, start[1], way[1], radius, &d, candidates[k]);
      }
    }
  }
  return stretch;
}

/* ---- Cylinders ----------------------------------------------------------------------------------- */

/* A cylinder seen along its axis's shadow: s runs with the shadow, d across it, both from the start. */
typedef struct Cylinder {
  double x, y, z;   /* start, not above the end */
  double shadow[2]; /* unit vector on x, z; (1, 0) for an upright one */
  double length, radius;
  double cosine, sine; /* of the axis's slope: length * cosine along s, length * sine up */
} Cylinder;

static Cylinder measure_cylinder(const WmSolid *solid) {
  const bool flip = solid->end[1] < solid->start[1];
  const float *from = flip ? solid->end : solid->start, *to = flip ? solid->start : solid->end;
  const double x = (double)to[0] - from[0], y = (double)to[1] - from[1], z = (double)to[2] - from[2];
  const double flat = sqrt(x * x + z * z), length = sqrt(flat * flat + y * y);
  Cylinder cylinder = {from[0], from[1], from[2], {1, 0}, length, solid->radius, flat / length, y / length};
  if (flat > 0) cylinder.shadow[0] = x / flat, cylinder.shadow[1] = z / flat;
  return cylinder;
}

/* The body above the point (s, d), both clear of an upright or level axis; points a rounding error outside
 * count as on the outline. */
static void widen_above(const Cylinder *c, double s, double d, Stretch *stretch) {
  const double r2 = c->radius * c->radius;
  if (d * d > r2 * (1 + 1e-9)) return;
  const double h = sqrt(fmax(r2 - d * d, 0)), rise = s * c->sine / c->cosine;
  const double mantle_low = rise - h / c->cosine, mantle_high = rise + h / c->cosine;
  const double cap_low = -s * c->cosine / c->sine, cap_high = (c->length - s * c->cosine) / c->sine;
  const double low = fmax(mantle_low, cap_low), high = fmin(mantle_high, cap_high);
  if (low > high + 1e-9 * (c->length + c->radius)) return;
  widen(stretch, c->y + fmin(low, high), c->y + fmax(low, high));
}

/* Real roots of a t^2 + 2 b t + c within (0, 1), widened by rounding. */
static int find_roots(double a, double b, double c, double roots[2]) {
  int count = 0;
  double found[2];
  int candidates = 0;
  if (a == 0) {
    if (b != 0) found[candidates++] = -c / (2 * b);
  } else {
    const double rest = b * b - a * c;
    if (rest < 0) return 0;
    found[candidates++] = (-b - sqrt(rest)) / a;
    found[candidates++] = (-b + sqrt(rest)) / a;
  }
  for (int i = 0; i < candidates; i++) {
    if (found[i] > 0 && found[i] < 1) roots[count++] = found[i];
  }
  return count;
}

/* Candidates along one side of the square, from (s, d) by (ws, wd). */
static void widen_along(const Cylinder *c, double s, double d, double ws, double wd, Stretch *stretch) {
  const double r2 = c->radius * c->radius, k = c->sine * c->sine;
  double roots[2];
  widen_above(c, s, d, stretch);
  /* The outline's straight sides. */
  int count = find_roots(wd * wd, wd * d, d * d - r2, roots);
  for (int i = 0; i < count; i++) widen_above(c, s + ws * roots[i], d + wd * roots[i], stretch);
  /* The rims of both caps: (s - middle)^2 + d^2 sine^2 = r^2 sine^2. */
  for (int cap = 0; cap < 2; cap++) {
    const double away = s - (cap ? c->length * c->cosine : 0);
    count = find_roots(ws * ws + k * wd * wd, ws * away + k * wd * d, away * away + k * (d * d - r2), roots);
    for (int i = 0; i < count; i++) widen_above(c, s + ws * roots[i], d + wd * roots[i], stretch);
  }
  /* The mantle's curve sine s +- sqrt(r^2 - d^2), times 1 / cosine: with d = wd u, u = t + d / wd, extreme
   * where u = +-m r / (wd sqrt(wd^2 + m^2)), m = sine ws. */
  if (wd != 0) {
    const double m = c->sine * ws, middle = -d / wd;
    const double offset = m * c->radius / (fabs(wd) * sqrt(wd * wd + m * m));
    const double candidates[2] = {middle + offset, middle - offset};
    for (int i = 0; i < 2; i++) {
      const double t = candidates[i];
      if (t > 0 && t < 1) widen_above(c, s + ws * t, d + wd * t, stretch);
    }
  }
}

/* Corner k of the square, counter-clockwise, in s and d. */
static void turn_corner(const Cylinder *c, const Square *square, int k, double *s, double *d) {
  const double x = (k == 1 || k == 2 ? square->high[0] : square->low[0]) - c->x;
  const double z = (k >= 2 ? square->high[1] : square->low[1]) - c->z;
  *s = x * c->shadow[0] + z * c->shadow[1];
  *d = z * c->shadow[0] - x * c->shadow[1];
}

/* A point of the surface counts if the square holds it. */
static void widen_point(const Cylinder *c, const Square *square, double s, double y, Stretch *stretch) {
  const double x = c->x + s * c->shadow[0], z = c->z + s * c->shadow[1];
  if (x >= square->low[0] && x <= square->high[0] && z >= square->low[1] && z <= square->high[1]) {
    widen(stretch, y, y);
  }
}

static Stretch cut_tilted_cylinder(const Cylinder *c, const Square *square) {
  Stretch stretch = NOTHING;
  for (int k = 0; k < 4; k++) {
    double s, d, next_s, next_d;
    turn_corner(c, square, k, &s, &d);
    turn_corner(c, square, (k + 1) & 3, &next_s, &next_d);
    widen_along(c, s, d, next_s - s, next_d - d, &stretch);
  }
  const double lean = c->radius * c->sine, lift = c->radius * c->cosine;
  widen_point(c, square, lean, c->y - lift, &stretch);
  widen_point(c, square, c->length * c->cosine - lean, c->y + c->length * c->sine + lift, &stretch);
  return stretch;
}

static Stretch cut_upright_cylinder(const Cylinder *c, const Square *square) {
  const double dx = clamp(c->x, square->low[0], square->high[0]) - c->x;
  const double dz = clamp(c->z, square->low[1], square->high[1]) - c->z;
  if (dx * dx + dz * dz > c->radius * c->radius) return NOTHING;
  return (Stretch){c->y, c->y + c->length};
}

/* A level cylinder: the square is cut to the stretch between the caps; the point nearest to the axis counts.
 */
static Stretch cut_level_cylinder(const Cylinder *c, const Square *square) {
  double s[4], d[4], least = INFINITY, most = -INFINITY;
  for (int k = 0; k < 4; k++) turn_corner(c, square, k, &s[k], &d[k]);
  for (int k = 0; k < 4; k++) {
    const int next = (k + 1) & 3;
    double from = 0, to = 1;
    const double way = s[next] - s[k];
    if (way != 0) {
      const double a = -s[k] / way, b = (c->length - s[k]) / way;
      from = fmax(from, fmin(a, b));
      to = fmin(to, fmax(a, b));
    } else if (s[k] < 0 || s[k] > c->length) {
      continue;
    }
    if (from > to) continue;
    const double ends[2] = {d[k] + (d[next] - d[k]) * from, d[k] + (d[next] - d[k]) * to};
    least = fmin(least, fmin(ends[0], ends[1]));
    most = fmax(most, fmax(ends[0], ends[1]));
  }
  /* The stretch between the caps is endless across the axis, so where it meets the square it meets a side. */
  if (least > most) return NOTHING;
  const double nearest = least > 0 ? least : most < 0 ? -most : 0;
  if (nearest > c->radius) return NOTHING;
  const double h = sqrt(c->radius * c->radius - nearest * nearest);
  return (Stretch){c->y - h, c->y + h};
}

/* Slopes this close to upright or level are taken for it: over the axis's length that is less than a float
 * tells apart. */
static const double LEAST_SLOPE = 1e-7;

static Stretch cut_cylinder(const WmSolid *solid, const Square *square) {
  const Cylinder cylinder = measure_cylinder(solid);
  if (cylinder.cosine < LEAST_SLOPE) return cut_upright_cylinder(&cylinder, square);
  if (cylinder.sine < LEAST_SLOPE) return cut_level_cylinder(&cylinder, square);
  return cut_tilted_cylinder(&cylinder, square);
}

/* ---- Round solids to runs ------------------------------------------------------------------------ */

static Stretch cut_round(const WmSolid *solid, const Square *square) {
  if (solid->kind == WM_SOLID_SPHERE) return cut_sphere(solid, square);
  if (solid->kind == WM_SOLID_CAPSULE) return cut_capsule(solid, square);
  return cut_cylinder(solid, square);
}

/* One row of a round solid; `low` and `high` as for wm_raster_add_run. */
static void cut_round_row(const WmRasterGrid *grid, const WmSolid *solid, int32_t z, int32_t first,
                          int32_t last, float *low, float *high) {
  for (int32_t x = first; x <= last; x++) {
    const Square square = {{wm_raster_limit(grid, 0, x - 1), wm_raster_limit(grid, 2, z - 1)},
                           {wm_raster_limit(grid, 0, x), wm_raster_limit(grid, 2, z)}};
    const Stretch stretch = cut_round(solid, &square);
    low[x - first] = (float)stretch.low;
    high[x - first] = (float)stretch.high;
  }
}

/* ---- Boxes and hulls ----------------------------------------------------------------------------- */

/* The cells a hull's faces are gathered in. */
typedef struct Footprint {
  int32_t first[2], last[2];
  size_t stride;
  float *low, *high;
} Footprint;

static void take_face_row(void *user, int32_t row, int32_t first, int32_t count, const float *minimum,
                          const float *maximum) {
  const Footprint *footprint = user;
  if (row < footprint->first[1] || row > footprint->last[1]) return;
  const size_t start = (size_t)(row - footprint->first[1]) * footprint->stride;
  for (int32_t i = 0; i < count; i++) {
    const int32_t x = first + i;
    if (x < footprint->first[0] || x > footprint->last[0]) continue;
    const size_t cell = start + (size_t)(x - footprint->first[0]);
    if (minimum[i] < footprint->low[cell]) footprint->low[cell] = minimum[i];
    if (maximum[i] > footprint->high[cell]) footprint->high[cell] = maximum[i];
  }
}

typedef struct FaceCutter {
  const WmRasterGrid *grid;
  Footprint footprint;
  float *minimum, *maximum; /* [width + padding] */
} FaceCutter;

static void cut_face(FaceCutter *cutter, const float *a, const float *b, const float *c) {
  const WmRasterGrid *grid = cutter->grid;
  const float *const corners[3] = {a, b, c};
  const float low = fminf(a[2], fminf(b[2], c[2])), high = fmaxf(a[2], fmaxf(b[2], c[2]));
  if (high < grid->origin[2] || low > grid->end[2]) return;
  const int32_t first = wm_raster_cell(grid, 2, low, grid->depth - 1);
  int32_t last = wm_raster_cell(grid, 2, high, grid->depth - 1);
  if (last < 0) last = 0;
  if (last > cutter->footprint.last[1]) last = cutter->footprint.last[1];
  wm_raster_clip_triangle(grid, corners, first, last, true, cutter->minimum, cutter->maximum, take_face_row,
                          &cutter->footprint);
}

static void cut_box(FaceCutter *cutter, const WmSolid *solid) {
  /* Corners of each side in order; which way round does not matter. */
  static const uint8_t SIDES[6][4] = {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                      {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
  float corners[8][3];
  for (int k = 0; k < 8; k++) find_box_corner(solid, k, corners[k]);
  for (int i = 0; i < 6; i++) {
    const uint8_t *side = SIDES[i];
    cut_face(cutter, corners[side[0]], corners[side[1]], corners[side[2]]);
    cut_face(cutter, corners[side[0]], corners[side[2]], corners[side[3]]);
  }
}

static void cut_hull(FaceCutter *cutter, const WmSolid *solid) {
  for (size_t i = 0; i < solid->triangle_count; i++) {
    const uint32_t *corner = solid->indices + 3 * i;
    cut_face(cutter, solid->vertices + 3 * (size_t)corner[0], solid->vertices + 3 * (size_t)corner[1],
             solid->vertices + 3 * (size_t)corner[2]);
  }
}

/* ---- One solid ----------------------------------------------------------------------------------- */

/* Room for `cells` cells and two rows besides. It stays with the raster, since columns take scratch memory of
 * their own in between. */
static WmStatus reserve_cells(WmRaster *raster, size_t cells) {
  const size_t needed = cells + 2 * ((size_t)raster->grid.width + WM_RASTER_PADDING) + WM_RASTER_PADDING;
  if (needed <= raster->solid_capacity) return WM_OK;
  const size_t capacity = needed > 2 * raster->solid_capacity ? needed : 2 * raster->solid_capacity;
  raster->solid_low = wm_scratch_zeroed(raster->context, capacity, sizeof(float));
  raster->solid_high = wm_scratch_zeroed(raster->context, capacity, sizeof(float));
  raster->solid_capacity = raster->solid_low && raster->solid_high ? capacity : 0;
  return raster->solid_capacity ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
}

static void add_row(WmRaster *raster, const Footprint *footprint, int32_t z, const float *low,
                    const float *high, uint8_t area) {
  wm_raster_add_run(raster, z, footprint->first[0], footprint->last[0] - footprint->first[0] + 1, low, high,
                    area);
}

static void add_faces(WmRaster *raster, const WmSolid *solid, const Footprint *footprint, size_t cells) {
  const size_t row = (size_t)raster->grid.width + WM_RASTER_PADDING;
  FaceCutter cutter = {&raster->grid, *footprint, raster->solid_low + cells + WM_RASTER_PADDING, NULL};
  cutter.maximum = cutter.minimum + row;
  for (size_t i = 0; i < cells; i++) footprint->low[i] = INFINITY, footprint->high[i] = -INFINITY;
  if (solid->kind == WM_SOLID_BOX) {
    cut_box(&cutter, solid);
  } else {
    cut_hull(&cutter, solid);
  }
  for (int32_t z = footprint->first[1]; z <= footprint->last[1]; z++) {
    const size_t start = (size_t)(z - footprint->first[1]) * footprint->stride;
    add_row(raster, footprint, z, footprint->low + start, footprint->high + start, solid->area);
  }
}

WmStatus wm_raster_add_solid(WmRaster *raster, const WmSolid *solid) {
  Footprint footprint = {0};
  if (!wm_raster_solid_cells(&raster->grid, solid, footprint.first, footprint.last)) return raster->status;
  if (footprint.first[1] < raster->band_first) footprint.first[1] = raster->band_first;
  if (footprint.last[1] > raster->band_last) footprint.last[1] = raster->band_last;
  if (footprint.first[1] > footprint.last[1]) return raster->status;
  footprint.stride = (size_t)(footprint.last[0] - footprint.first[0] + 1);
  const bool has_faces = solid->kind == WM_SOLID_BOX || solid->kind == WM_SOLID_CONVEX;
  const size_t rows = has_faces ? (size_t)(footprint.last[1] - footprint.first[1] + 1) : 1;
  const size_t cells = rows * footprint.stride;
  if (reserve_cells(raster, cells)) return WM_ERROR_OUT_OF_MEMORY;
  footprint.low = raster->solid_low;
  footprint.high = raster->solid_high;
  if (has_faces) {
    add_faces(raster, solid, &footprint, cells);
    return raster->status;
  }
  for (int32_t z = footprint.first[1]; z <= footprint.last[1] && !raster->status; z++) {
    cut_round_row(&raster->grid, solid, z, footprint.first[0], footprint.last[0], footprint.low,
                  footprint.high);
    add_row(raster, &footprint, z, footprint.low, footprint.high, solid->area);
  }
  return raster->status;
}
