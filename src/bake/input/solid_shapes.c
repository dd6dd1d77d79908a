/* Checks solids and finds their faces and bounds. See solid_shapes.h. */
#include "bake/input/solid_shapes.h"

#include <math.h>

#include "base/number.h"

/* ---- Faces and bounds ---------------------------------------------------------------------------------- */

void wm_find_solid_faces(const WmSolid *solid, WmSolidFaces *faces) {
  /* Corner k is on the far side along half axis i if bit i of k is set. Two triangles a side; the winding
   * does not matter. */
  static const uint32_t BOX_TRIANGLES[36] = {0, 1, 3, 0, 3, 2, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                             2, 3, 7, 2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 3, 7, 1, 7, 5};
  faces->vertices = solid->vertices;
  faces->indices = solid->indices;
  faces->triangle_count = solid->kind == WM_SOLID_CONVEX ? solid->triangle_count : 0;
  if (solid->kind != WM_SOLID_BOX) return;
  for (int k = 0; k < 24; k++) {
    const int axis = k % 3;
    float value = solid->start[axis];
    for (int i = 0; i < 3; i++) {
      const float half = solid->half_axes[i][axis];
      value += (k / 3 >> i & 1) ? half : -half;
    }
    faces->corners[k] = value;
  }
  faces->vertices = faces->corners;
  faces->indices = BOX_TRIANGLES;
  faces->triangle_count = 12;
}

void wm_find_point_inside(const WmSolidFaces *faces, double inside[3]) {
  const size_t corner_count = 3 * faces->triangle_count;
  inside[0] = inside[1] = inside[2] = 0;
  for (size_t i = 0; i < 3 * corner_count; i++) {
    inside[i % 3] +=
        (double)faces->vertices[3 * (size_t)faces->indices[i / 3] + i % 3] / (double)corner_count;
  }
}

double wm_side_of_face(const double point[3], const float *a, const float *b, const float *c) {
  double u[3], v[3], w[3];
  for (int axis = 0; axis < 3; axis++) {
    u[axis] = (double)b[axis] - a[axis];
    v[axis] = (double)c[axis] - a[axis];
    w[axis] = point[axis] - a[axis];
  }
  return (u[1] * v[2] - u[2] * v[1]) * w[0] + (u[2] * v[0] - u[0] * v[2]) * w[1] +
         (u[0] * v[1] - u[1] * v[0]) * w[2];
}

void wm_extend_bounds(const float point[3], float low[3], float high[3]) {
  for (int axis = 0; axis < 3; axis++) {
    if (point[axis] < low[axis]) low[axis] = point[axis];
    if (point[axis] > high[axis]) high[axis] = point[axis];
  }
}

void wm_find_solid_bounds(const WmSolid *solid, float low[3], float high[3]) {
  WmSolidFaces faces;
  wm_find_solid_faces(solid, &faces);
  for (int axis = 0; axis < 3; axis++) low[axis] = INFINITY, high[axis] = -INFINITY;
  for (size_t i = 0; i < 3 * faces.triangle_count; i++) {
    wm_extend_bounds(faces.vertices + 3 * (size_t)faces.indices[i], low, high);
  }
  if (faces.triangle_count > 0) return;
  wm_extend_bounds(solid->start, low, high);
  if (solid->kind != WM_SOLID_SPHERE) wm_extend_bounds(solid->end, low, high);
  for (int axis = 0; axis < 3; axis++) low[axis] -= solid->radius, high[axis] += solid->radius;
}

/* ---- Checks ------------------------------------------------------------------------------------------ */

static const char TOO_FAR[] = ": a coordinate is not finite, or beyond 1e9";
static const char FLAT[] = ": it is flat";

/* The volume of the parallelepiped of three vectors, stored one after the other. */
static double volume_of_axes(const float *axes) {
  double volume = 0;
  for (int i = 0; i < 3; i++) {
    const int j = 3 + (i + 1) % 3, k = 3 + (i + 2) % 3;
    volume += axes[i] * ((double)axes[j] * axes[k + 3] - (double)axes[k] * axes[j + 3]);
  }
  return fabs(volume);
}

static double length_of(const float *v) {
  return sqrt((double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2]);
}

/* True if three half axes span no volume: at most a millionth of the product of their lengths. */
static bool axes_are_flat(const float *axes) {
  const double cube = length_of(axes) * length_of(axes + 3) * length_of(axes + 6);
  return !(volume_of_axes(axes) > 1e-6 * cube);
}

/* True if the faces of the hull enclose no volume: the sum of the tetrahedra that they form with the first
 * vertex. */
static bool hull_is_flat(const WmSolid *hull) {
  double volume = 0, farthest = 0;
  for (size_t i = 0; i < hull->triangle_count; i++) {
    float arms[9];
    for (size_t k = 0; k < 9; k++) {
      arms[k] = hull->vertices[3 * (size_t)hull->indices[3 * i + k / 3] + k % 3] - hull->vertices[k % 3];
    }
    for (size_t k = 0; k < 9; k += 3) {
      const double length = length_of(arms + k);
      if (length > farthest) farthest = length;
    }
    volume += volume_of_axes(arms);
  }
  return !(volume > 1e-12 * farthest * farthest * farthest);
}

static const char *find_hull_fault(const WmSolid *hull, const char **field) {
  static const char TOO_FEW[] = ": a hull needs 4 vertices and 4 triangles";
  *field = "vertices";
  if (!hull->vertices || hull->vertex_count < 4) return TOO_FEW;
  if (!wm_are_within(hull->vertices, 3 * hull->vertex_count, WM_FARTHEST)) return TOO_FAR;
  *field = "indices";
  if (!hull->indices || hull->triangle_count < 4) return TOO_FEW;
  for (size_t i = 0; i < 3 * hull->triangle_count; i++) {
    if (hull->indices[i] >= hull->vertex_count) return ": an index is out of range";
  }
  *field = "vertices";
  return hull_is_flat(hull) ? FLAT : NULL;
}

/* Returns the fault of a solid, and the field that has it; NULL if there is none. */
static const char *find_fault(const WmSolid *solid, const char **field) {
  *field = "kind";
  if ((uint32_t)solid->kind > WM_SOLID_CONVEX) return ": no such kind of solid";
  *field = "area";
  if (solid->area >= WM_AREA_COUNT) return ": area must be 0 to 63";
  if (solid->kind == WM_SOLID_CONVEX) return find_hull_fault(solid, field);
  *field = "start";
  if (!wm_are_within(solid->start, 3, WM_FARTHEST)) return TOO_FAR;
  if (solid->kind == WM_SOLID_BOX) {
    *field = "halfAxes";
    if (!wm_are_within(solid->half_axes[0], 9, WM_FARTHEST)) return TOO_FAR;
    return axes_are_flat(solid->half_axes[0]) ? FLAT : NULL;
  }
  *field = "radius";
  if (!(solid->radius > 0 && solid->radius <= WM_FARTHEST)) return ": radius must be above 0, at most 1e9";
  if (solid->kind == WM_SOLID_SPHERE) return NULL;
  *field = "end";
  if (!wm_are_within(solid->end, 3, WM_FARTHEST)) return TOO_FAR;
  if (solid->kind == WM_SOLID_CAPSULE) return NULL;
  for (int axis = 0; axis < 3; axis++) {
    if (solid->start[axis] != solid->end[axis]) return NULL;
  }
  return ": its ends are one point";
}

WmStatus wm_check_solids(WmContext *context, const WmSolid *solids, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const char *field = NULL;
    const char *fault = find_fault(&solids[i], &field);
    if (!fault) continue;
    return wm_fail_number(context, WM_ERROR_INVALID_ARGUMENT, field, "solid number ", (double)i, fault);
  }
  return WM_OK;
}
