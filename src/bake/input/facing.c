/* The sums of facing.h, one triangle after another, in double precision. */
#include "bake/input/facing.h"

#include <math.h>

/* fmin and fmax, which are calls in WebAssembly: a NaN is passed over. */
static inline double lesser(double a, double b) { return b < a ? b : a; }
static inline double greater(double a, double b) { return b > a ? b : a; }

/* Adds a triangle of the corners a, b and c. */
static void add_triangle(const float *a, const float *b, const float *c, double min_cosine,
                         WmFacingSums *sums) {
  double first[3], second[3];
  for (int axis = 0; axis < 3; axis++) {
    first[axis] = (double)b[axis] - (double)a[axis];
    second[axis] = (double)c[axis] - (double)a[axis];
    const double p = a[axis], q = b[axis], r = c[axis];
    sums->minimum[axis] = lesser(lesser(lesser(sums->minimum[axis], p), q), r);
    sums->maximum[axis] = greater(greater(greater(sums->maximum[axis], p), q), r);
  }
  const double normal[3] = {first[1] * second[2] - first[2] * second[1],
                            first[2] * second[0] - first[0] * second[2],
                            first[0] * second[1] - first[1] * second[0]};
  const double area = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  const double steep = min_cosine * area;
  for (int axis = 0; axis < 3; axis++) {
    sums->net[axis] += normal[axis];
    if (fabs(normal[axis]) > steep) sums->facing[2 * axis + (normal[axis] < 0)] += area;
  }
}

void wm_sum_facing(const WmTriangles *triangles, size_t step, double min_cosine, WmFacingSums *sums) {
  *sums =
      (WmFacingSums){.minimum = {INFINITY, INFINITY, INFINITY}, .maximum = {-INFINITY, -INFINITY, -INFINITY}};
  for (size_t i = 0; i < triangles->triangle_count; i += step) {
    const uint32_t *corner = triangles->indices + 3 * i;
    const float *vertices[3];
    int known = 0;
    while (known < 3 && corner[known] < triangles->vertex_count) {
      vertices[known] = triangles->positions + triangles->position_stride * (size_t)corner[known];
      known++;
    }
    if (known == 3) add_triangle(vertices[0], vertices[1], vertices[2], min_cosine, sums);
  }
}
