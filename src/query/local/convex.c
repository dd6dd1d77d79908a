/* Convex outlines. See convex.h.
 *
 * Source: M. Cyrus, J. Beck, "Generalized two- and three-dimensional clipping", 1978. */
#include "query/local/convex.h"

#include <math.h>

#include "query/query_internal.h"

/* The rounding error of a coordinate, as a fraction of it. */
#define ROUNDING (1.0 / (1 << 22))

/* Twice the area of a triangle on x and z: above 0 if its winding is that of polygons of a mesh. */
static double find_turn(const float *a, const float *b, const float *c) {
  return ((double)b[2] - a[2]) * ((double)c[0] - b[0]) - ((double)b[0] - a[0]) * ((double)c[2] - b[2]);
}

static double find_length(const float *a, const float *b) {
  return fabs((double)b[0] - a[0]) + fabs((double)b[2] - a[2]);
}

/* An outline with turns to one side only may still go around several times: then x changes its direction more
 * than twice. */
static bool is_convex(const WmConvex *convex) {
  const float *v = convex->vertices;
  const size_t last = convex->count - 1;
  int reversals = 0, direction = 0, first_direction = 0;
  for (size_t i = 0; i <= last; i++) {
    const float *a = v + 3 * (i ? i - 1 : last), *b = v + 3 * i, *c = v + 3 * (i < last ? i + 1 : 0);
    const double slack = (find_length(a, b) + find_length(b, c)) * ROUNDING *
                         (fabs((double)b[0]) + fabs((double)b[2]) + find_length(a, b) + find_length(b, c));
    if (find_turn(a, b, c) * convex->winding < -slack) return false;
    const int now = (c[0] > b[0]) - (c[0] < b[0]);
    if (now == 0) continue;
    if (direction == 0) first_direction = now;
    reversals += direction + now == 0;
    direction = now;
  }
  return reversals + (direction + first_direction == 0) == 2;
}

WmStatus wm_convex_make(WmContext *context, const float *vertices, size_t count, const char *field,
                        WmConvex *convex) {
  if (!vertices || count < 3 || count > WM_CONVEX_VERTEX_LIMIT) {
    return wm_fail_number(context, WM_ERROR_INVALID_ARGUMENT, field, "the outline has ", (double)count,
                          " vertices: must be 3 to 255");
  }
  const WmStatus status = wm_query_check_numbers(context, vertices, 3 * count, -INFINITY, field);
  if (status) return status;
  double area = 0;
  for (size_t i = 2; i < count; i++) area += find_turn(vertices, vertices + 3 * (i - 1), vertices + 3 * i);
  *convex = (WmConvex){vertices, count, area < 0 ? -1 : 1};
  if (area != 0 && is_convex(convex)) return WM_OK;
  return wm_fail(context, WM_ERROR_INVALID_ARGUMENT, field, "the outline is not convex, or has no area");
}

bool wm_convex_touches(const WmConvex *convex, const float first[3], const float second[3]) {
  const double along_x = (double)second[0] - first[0], along_z = (double)second[2] - first[2];
  double enter = 0, leave = 1;
  const float *a = convex->vertices + 3 * (convex->count - 1);
  for (size_t i = 0; i < convex->count; i++) {
    const float *b = convex->vertices + 3 * i;
    const double x = ((double)b[0] - a[0]) * convex->winding, z = ((double)b[2] - a[2]) * convex->winding;
    const double level = z * ((double)first[0] - a[0]) - x * ((double)first[2] - a[2]);
    const double slope = along_z * x - along_x * z;
    a = b;
    if (slope == 0) {
      if (level < 0) return false;
      continue;
    }
    const double t = level / slope;
    if (slope < 0) {
      enter = t > enter ? t : enter;
    } else {
      leave = t < leave ? t : leave;
    }
    if (enter > leave) return false;
  }
  return true;
}
