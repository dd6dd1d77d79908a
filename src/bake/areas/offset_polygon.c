/* Offsets a polygon on x and z, so that a volume can cover everything an agent of some radius would touch.
 *
 * Every corner moves along its miter, outwards if the outline runs clockwise seen from above. An outer corner
 * of 90 degrees or sharper is bevelled into two vertices.
 *
 * source     M. Mononen, Recast Navigation (areas) */
#include "bake/stages.h"

#include <math.h>
#include <string.h>

typedef struct Vector {
  float x, z;
} Vector;

/* The unit vector from one vertex to the next; not normalized if they nearly coincide. */
static Vector find_direction(const float *from, const float *to) {
  const float epsilon = 1e-6f;
  Vector v = {to[0] - from[0], to[2] - from[2]};
  const float squared = v.x * v.x + v.z * v.z;
  if (squared > epsilon) {
    const float inverse = 1.0f / sqrtf(squared);
    v.x *= inverse;
    v.z *= inverse;
  }
  return v;
}

/* Writes the one or two vertices that replace corner b between a and c; returns their number. */
static size_t offset_corner(const float *a, const float *b, const float *c, float offset, float out[6]) {
  const float epsilon = 1e-6f, miter_limit = 1.20f;
  const Vector u = find_direction(a, b), v = find_direction(b, c);
  const float turn = v.x * u.z - u.x * v.z;
  const Vector normal_u = {-u.z, u.x}, normal_v = {-v.z, v.x};
  Vector miter = {(normal_u.x + normal_v.x) * 0.5f, (normal_u.z + normal_v.z) * 0.5f};
  const float squared = miter.x * miter.x + miter.z * miter.z;
  const size_t count = squared * miter_limit * miter_limit < 1.0f && turn < 0.0f ? 2 : 1;
  if (squared > epsilon) {
    const float scale = 1.0f / squared;
    miter.x *= scale;
    miter.z *= scale;
  }
  Vector moves[2] = {miter};
  if (count == 2) {
    const float along = (1.0f - (u.x * v.x + u.z * v.z)) * 0.5f;
    moves[0] = (Vector){-normal_u.x + u.x * along, -normal_u.z + u.z * along};
    moves[1] = (Vector){-normal_v.x - v.x * along, -normal_v.z - v.z * along};
    offset = -offset;
  }
  for (size_t i = 0; i < count; i++, out += 3) {
    out[0] = b[0] - moves[i].x * offset;
    out[1] = b[1];
    out[2] = b[2] - moves[i].z * offset;
  }
  return count;
}

WmStatus wm_offset_polygon(WmContext *context, const float *vertices, size_t vertex_count, float offset,
                           float *out_vertices, size_t capacity, size_t *out_count) {
  *out_count = 0;
  if (vertex_count < 3) {
    return wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, "vertices", (double)vertex_count, 3, (double)NAN,
                         "a polygon needs three corners");
  }
  /* Counted before anything is written: a failure leaves the output unchanged, and the output may be the
   * input. */
  const WmScratchMark mark = wm_scratch_mark(context);
  float *corners = wm_scratch_array(context, vertex_count, 6 * sizeof *corners);
  if (!corners) return WM_ERROR_OUT_OF_MEMORY;
  size_t count = 0;
  const float *a = vertices + 3 * (vertex_count - 1), *last = a;
  for (const float *b = vertices; b <= last; a = b, b += 3) {
    count += offset_corner(a, b, b < last ? b + 3 : vertices, offset, corners + 3 * count);
  }
  WmStatus status = WM_OK;
  if (count > capacity) {
    status = wm_fail_range(context, WM_ERROR_LIMIT, "capacity", (double)capacity, (double)count, (double)NAN,
                           "two vertices a corner are always enough");
  } else {
    memcpy(out_vertices, corners, 3 * count * sizeof *corners);
    *out_count = count;
  }
  wm_scratch_rewind(context, mark);
  return status;
}
