/* Solids to runs: filled boxes, spheres, capsules, cylinders and convex hulls.
 *
 * in         one solid
 * out        for each cell whose square it touches, the interval from its lowest to its highest point above
 *            that square, and the highest point there of its surface that is flat enough to walk on
 *
 * Above a square [x0, x1] x [z0, z1] that interval is:
 *
 * - box, hull: the lowest and highest point of its faces cut to the square (rasterize_clip.c), since a closed
 *   surface holds the extreme points of the body;
 * - sphere: from centre.y - h to centre.y + h, h = sqrt(r^2 - d^2), where d is the distance from the centre
 *   to the square;
 * - cylinder: its top is concave, so above a square it is highest at the body's highest point, if that lies
 *   above the square, or on a side of the square: at an end of the side, at a crossing with a rim, or at the
 *   maximum of the mantle's curve. All of these are tried, and the body's height there counts, so that a
 *   candidate too many does no harm. The bottom is the top of the body turned over;
 * - capsule: a cylinder and two balls; an interval that holds both holds the capsule, which is convex.
 *
 * Surface is flat if the y of its unit normal exceeds the limit, as a triangle's must: of a box or hull, each
 * face that is part of the top; of round solids, the points that are tried above. A ball is flattest at the
 * point that is nearest to its pole, a level cylinder at the point nearest to its ridge; both are tried. A cell
 * is walkable if its flat surface reaches to within the climb of its top, since that is when triangles merge
 * (wm_raster_add_solid_runs): cells that a flat face and a steep one share are.
 *
 * All in double, then rounded to float: exact except for rounding, and conservative, since the whole
 * square counts (a triangle mesh of the same shape gives the same or smaller spans). Heights beyond the
 * field are cut off. */
#include <math.h>

#include "bake/rasterize/rasterize_internal.h"
#include "bake/input/slope.h"
#include "bake/input/solid_shapes.h"

/* ---- Spheres ----------------------------------------------------------------------------------------- */

/* The interval above a square; low > high if it is empty. */
typedef struct Stretch {
  double square[4]; /* x from, to, z from, to */
  double slope_limit;
  double low, high, flat; /* flat: the highest flat point; -INFINITY: none */
} Stretch;

static void widen(Stretch *stretch, double low, double high, bool is_flat) {
  if (low < stretch->low) stretch->low = low;
  if (high > stretch->high) stretch->high = high;
  if (is_flat && high > stretch->flat) stretch->flat = high;
}

/* The coordinate in the square that is nearest to `value`. */
static double clamp(const Stretch *stretch, int axis, double value) {
  const double *side = stretch->square + axis;
  return value < side[0] ? side[0] : value > side[1] ? side[1] : value;
}

/* away: a point on the side where the ball is inside a capsule, and no surface; or the centre. */
static void widen_by_ball(Stretch *stretch, const float centre[3], double radius, const float away[3]) {
  const double dx = clamp(stretch, 0, centre[0]) - centre[0], dz = clamp(stretch, 2, centre[2]) - centre[2];
  const double rest = radius * radius - (dx * dx + dz * dz);
  if (!(rest >= 0)) return;
  const double h = sqrt(rest);
  const double inwards = dx * ((double)away[0] - centre[0]) + h * ((double)away[1] - centre[1]) +
                         dz * ((double)away[2] - centre[2]);
  widen(stretch, centre[1] - h, centre[1] + h, h > stretch->slope_limit * radius && inwards <= 0);
}

/* ---- Cylinders --------------------------------------------------------------------------------------- */

/* A cylinder in the plane of its axis: s runs along the axis's shadow on x and z, d across it, both from
 * the start. */
typedef struct Cylinder {
  const float *start; /* not above the end */
  double shadow[2];   /* unit vector on x, z */
  double length, radius;
  double cosine, sine; /* of the axis's slope: length * cosine along s, length * sine up */
  bool has_caps;       /* false for a capsule's: they are inside its balls */
} Cylinder;

/* Slopes this close to upright or level count as that: over the length of the axis, the difference is
 * smaller than a float can tell. */
static const double LEAST_SLOPE = 1e-7;

static void measure_cylinder(const WmSolid *solid, Cylinder *c) {
  const float *from = solid->start, *to = solid->end;
  if (to[1] < from[1]) from = solid->end, to = solid->start;
  const double x = (double)to[0] - from[0], y = (double)to[1] - from[1], z = (double)to[2] - from[2];
  const double flat = sqrt(x * x + z * z), length = sqrt(flat * flat + y * y);
  *c = (Cylinder){.start = from,
                  .shadow = {x / flat, z / flat},
                  .length = length,
                  .radius = solid->radius,
                  .cosine = flat / length,
                  .sine = y / length,
                  .has_caps = solid->kind == WM_SOLID_CYLINDER};
  if (flat <= LEAST_SLOPE * length) {
    c->shadow[0] = c->sine = 1;
    c->shadow[1] = c->cosine = 0;
  } else if (y < LEAST_SLOPE * length) {
    c->cosine = 1;
    c->sine = 0;
  }
}

/* Extends the interval by the body above the point (s, d): between mantle and caps, whichever of them
 * aren't upright. Points a rounding error outside count as on the outline. */
static void widen_above(const Cylinder *c, double s, double d, Stretch *stretch) {
  const double r2 = c->radius * c->radius, slack = 1e-9 * (c->length + c->radius), along = s * c->cosine;
  const double rest = r2 - d * d - (c->cosine > 0 ? 0 : s * s);
  if (rest < -1e-9 * r2) return;
  const double limit = stretch->slope_limit;
  double low = -INFINITY, high = INFINITY, flat = -INFINITY;
  if (c->sine > 0) {
    low = -along / c->sine;
    high = (c->length - along) / c->sine;
    if (c->has_caps && c->sine > limit) flat = high;
  } else if (along < -slack || along > c->length + slack) {
    return;
  }
  if (c->cosine > 0) {
    const double h = rest > 0 ? sqrt(rest) : 0;
    const double mantle_low = (s * c->sine - h) / c->cosine, mantle_high = (s * c->sine + h) / c->cosine;
    if (mantle_low > low) low = mantle_low;
    if (mantle_high < high) high = mantle_high;
    if (c->cosine * h > limit * c->radius && mantle_high <= high + slack) flat = high;
  }
  if (low > high + slack) return;
  widen(stretch, c->start[1] + low, c->start[1] + high, flat <= high + slack && flat > -INFINITY);
}

/* Tries one side of the square, from (s, d) by (ws, wd). The body may be highest where the side meets one
 * of the curves p (s - from)^2 + q d^2 = reach: a quadratic in the share t of the side. (It isn't where
 * the side leaves the outline along the mantle, which is upright there.) The mantle is flattest on its ridge,
 * where d is 0. */
static void widen_along(const Cylinder *c, double s, double d, double ws, double wd, Stretch *stretch) {
  enum { MANTLE, LOWER_RIM, UPPER_RIM, CURVE_COUNT };
  const double r2 = c->radius * c->radius, k = c->sine * c->sine, m2 = k * ws * ws;
  widen_above(c, s, d, stretch);
  const double ridge = -d / wd; /* not within 0 and 1, or NaN, if the side doesn't cross it */
  if (ridge > 0 && ridge < 1) widen_above(c, s + ws * ridge, 0, stretch);
  for (int curve = 0; curve < CURVE_COUNT; curve++) {
    /* Along the side the mantle is sine s +- sqrt(r^2 - d^2), times 1 / cosine: finds its extreme. */
    const double p = curve == MANTLE ? 0 : 1, q = curve == MANTLE ? 1 : k;
    const double reach = r2 * (curve == MANTLE ? m2 / (m2 + wd * wd) : k);
    const double away = curve == UPPER_RIM ? s - c->length * c->cosine : s;
    const double a2 = p * ws * ws + q * wd * wd, a1 = p * ws * away + q * wd * d;
    const double rest = a1 * a1 - a2 * (p * away * away + q * d * d - reach);
    double root = rest > 0 ? sqrt(rest) : 0;
    for (int sign = 0; sign < 2; sign++) {
      const double t = (root - a1) / a2; /* NaN if the side runs along the curve */
      if (t > 0 && t < 1) widen_above(c, s + ws * t, d + wd * t, stretch);
      root = -root;
    }
  }
}

/* Turns a point on x and z into s and d. */
static void turn_point(const Cylinder *c, double x, double z, double point[2]) {
  x -= c->start[0], z -= c->start[2];
  point[0] = x * c->shadow[0] + z * c->shadow[1];
  point[1] = z * c->shadow[0] - x * c->shadow[1];
}

static void widen_by_cylinder(const Cylinder *c, Stretch *stretch) {
  double point[2], s = 0, d = 0;
  for (int k = 0; k < 5; k++) {
    turn_point(c, stretch->square[(k ^ k >> 1) & 1], stretch->square[2 + (k >> 1 & 1)], point);
    if (k > 0) widen_along(c, s, d, point[0] - s, point[1] - d, stretch);
    s = point[0], d = point[1];
  }
  /* Below the lowest point and above the highest one; if those aren't in the square, at the nearest point
   * in it. */
  const double lean = c->radius * c->sine;
  for (int end = 0; end < 2; end++) {
    const double from = end ? c->length * c->cosine - lean : lean;
    turn_point(c, clamp(stretch, 0, c->start[0] + from * c->shadow[0]),
               clamp(stretch, 2, c->start[2] + from * c->shadow[1]), point);
    widen_above(c, point[0], point[1], stretch);
  }
}

/* Widens by the parts of a solid: `cylinder` is measured from it. */
static void widen_by_round(const WmSolid *solid, const Cylinder *cylinder, Stretch *stretch) {
  const bool is_capsule = solid->kind == WM_SOLID_CAPSULE;
  const float *start = solid->start, *end = is_capsule ? solid->end : start;
  if (solid->kind != WM_SOLID_CYLINDER) widen_by_ball(stretch, start, solid->radius, end);
  if (is_capsule) widen_by_ball(stretch, end, solid->radius, start);
  if (solid->kind != WM_SOLID_SPHERE && cylinder->length > 0) widen_by_cylinder(cylinder, stretch);
}

bool wm_find_solid_top(const WmSolid *solid, double x, double z, double *height) {
  Cylinder cylinder;
  Stretch stretch = {{x, x, z, z}, 1, INFINITY, -INFINITY, -INFINITY};
  measure_cylinder(solid, &cylinder);
  widen_by_round(solid, &cylinder, &stretch);
  *height = stretch.high;
  return stretch.low <= stretch.high;
}

static void gather_round(WmFootprint *footprint, const WmSolid *solid) {
  const WmRasterGrid *grid = footprint->grid;
  Cylinder cylinder;
  measure_cylinder(solid, &cylinder);
  for (int32_t z = footprint->first[2]; z <= footprint->last[2]; z++) {
    for (int32_t x = footprint->first[0]; x <= footprint->last[0]; x++) {
      Stretch stretch = {{wm_raster_grid_line(grid, 0, x - 1), wm_raster_grid_line(grid, 0, x),
                          wm_raster_grid_line(grid, 2, z - 1), wm_raster_grid_line(grid, 2, z)},
                         footprint->slope_limit,
                         INFINITY,
                         -INFINITY,
                         -INFINITY};
      widen_by_round(solid, &cylinder, &stretch);
      wm_raster_widen_cell(footprint, x, z, (float)stretch.low, (float)stretch.high, (float)stretch.flat);
    }
  }
}

/* True if a face, seen from outside, is flat enough. Corners in reverse give the same slope with the other
 * sign. */
static bool is_flat(const float *const corners[3], const double inside[3], float limit) {
  const float y = wm_slope_of(corners[0], corners[1], corners[2]).y;
  return (wm_side_of_face(inside, corners[0], corners[1], corners[2]) > 0 ? -y : y) > limit;
}

void wm_raster_gather_solid(WmFootprint *footprint, const WmSolid *solid) {
  WmSolidFaces faces;
  double inside[3];
  wm_find_solid_faces(solid, &faces);
  wm_find_point_inside(&faces, inside);
  if (faces.triangle_count == 0) gather_round(footprint, solid);
  for (size_t i = 0; i < 3 * faces.triangle_count; i += 3) {
    const float *corners[3];
    for (size_t k = 0; k < 3; k++) corners[k] = faces.vertices + 3 * (size_t)faces.indices[i + k];
    footprint->is_flat = is_flat(corners, inside, footprint->slope_limit);
    wm_raster_clip_triangle(footprint, corners);
  }
}
