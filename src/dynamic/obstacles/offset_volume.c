/* Offsets volumes by a radius. See offset_volume.h.
 *
 * Convex outlines: each edge moves outwards by the radius, and the circle around each corner is replaced by
 * tangents. Other outlines: the result is the union of the outline and of its offset edges, each of which is
 * a convex outline of two corners. */
#include "dynamic/obstacles/offset_volume.h"

#include <math.h>
#include <string.h>

#include "base/number.h"

enum { TANGENTS = 4, BOX_CORNERS = 4 }; /* at a corner: of at most 45 degrees each */

typedef struct Point {
  double x, z;
} Point;

/* ---- Outlines ----------------------------------------------------------------------------------------- */

static Point point_of(const float *vertex) { return (Point){(double)vertex[0], (double)vertex[2]}; }

static double cross(Point a, Point b) { return a.x * b.z - a.z * b.x; }
static double dot(Point a, Point b) { return a.x * b.x + a.z * b.z; }
static Point minus(Point a, Point b) { return (Point){a.x - b.x, a.z - b.z}; }

static Point edge_of(const float *vertices, size_t count, size_t i) {
  return minus(point_of(vertices + 3 * ((i + 1) % count)), point_of(vertices + 3 * i));
}

static double twice_area(const float *vertices, size_t count) {
  double sum = 0;
  const Point first = point_of(vertices);
  for (size_t i = 1; i + 1 < count; i++) {
    sum += cross(minus(point_of(vertices + 3 * i), first), minus(point_of(vertices + 3 * (i + 1)), first));
  }
  return sum;
}

/* True if an outline turns in one direction only, once around. */
static bool is_convex(const float *vertices, size_t count) {
  bool left = false, right = false;
  size_t reversals = 0;
  double heading = 0;
  for (size_t i = 0; i < 2 * count; i++) {
    /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): there is no round of the loop without vertices */
    const Point edge = edge_of(vertices, count, i % count);
    const double turn = cross(edge, edge_of(vertices, count, (i + 1) % count));
    left |= turn < 0;
    right |= turn > 0;
    if (edge.x == 0) continue;
    reversals += i >= count && heading * edge.x < 0;
    heading = edge.x;
  }
  return !(left && right) && reversals <= 2;
}

/* The unit vector halfway between two; if they are opposite, the one to the left of the first. */
static Point halve(Point a, Point b) {
  Point sum = {a.x + b.x, a.z + b.z};
  if (dot(sum, sum) < 1e-6) sum = (Point){-a.z, a.x};
  const double length = sqrt(dot(sum, sum));
  return (Point){sum.x / length, sum.z / length};
}

/* Writes the intersection of the tangents with these normals. */
static void put_tangents(Point corner, Point a, Point b, double radius, float *out) {
  const double scale = radius / (1 + dot(a, b));
  out[0] = (float)(corner.x + (a.x + b.x) * scale);
  out[1] = 0;
  out[2] = (float)(corner.z + (a.z + b.z) * scale);
}

/* Writes tangents to the circle around a corner, from the normal of the edge before it to that of the edge
 * after it; returns the number of points. */
static size_t round_corner(Point corner, Point before, Point behind, double radius, float *out) {
  if (dot(before, behind) > 0.7) {
    put_tangents(corner, before, behind, radius, out);
    return 1;
  }
  const Point middle = halve(before, behind);
  const Point normals[TANGENTS + 1] = {before, halve(before, middle), middle, halve(middle, behind), behind};
  const int step = dot(before, behind) > -0.01 ? 2 : 1;
  size_t count = 0;
  for (int i = 0; i < TANGENTS; i += step) {
    put_tangents(corner, normals[i], normals[i + step], radius, out + 3 * count++);
  }
  return count;
}

/* Offsets a convex outline of two corners or more.
 * out        out [TANGENTS * count][3]
 * returns    the number of points */
static size_t offset_outline(const float *vertices, size_t count, double radius, float *out) {
  const double side = twice_area(vertices, count) < 0 ? -1 : 1;
  size_t made = 0;
  Point before = {0, 0};
  for (size_t i = 0; i <= count; i++) { /* the first edge again, for the last corner */
    const size_t at = side > 0 ? i % count : (2 * count - i) % count;
    const size_t next = side > 0 ? (at + 1) % count : (at + count - 1) % count;
    const Point corner = point_of(vertices + 3 * at);
    const Point edge = minus(point_of(vertices + 3 * next), corner);
    const double length = sqrt(dot(edge, edge));
    if (!(length > 0)) continue;
    const Point normal = {edge.z / length, -edge.x / length};
    if (before.x != 0 || before.z != 0) made += round_corner(corner, before, normal, radius, out + 3 * made);
    before = normal;
  }
  return made;
}

/* ---- Volumes ------------------------------------------------------------------------------------------ */

static WmAreaVolume prism_of(const WmAreaVolume *volume, float low, float high, const float *vertices,
                             size_t count) {
  WmAreaVolume prism = {.kind = WM_AREA_VOLUME_PRISM,
                        .area = volume->area,
                        .before_erosion = volume->before_erosion,
                        .vertices = vertices,
                        .vertex_count = count};
  prism.minimum[1] = low;
  prism.maximum[1] = high;
  return prism;
}

static WmStatus offset_prism(WmContext *context, const WmAreaVolume *volume, float low, float high,
                             const float *vertices, size_t count, float radius, WmAreaVolume *offset) {
  float *outline = wm_scratch_array(context, TANGENTS * count, 3 * sizeof *outline);
  if (!outline) return WM_ERROR_OUT_OF_MEMORY;
  const size_t made = offset_outline(vertices, count, (double)radius, outline);
  *offset = prism_of(volume, low, high, outline, made);
  return WM_OK;
}

/* The prism around a horizontal line with the same radius everywhere; for a line without length, a
 * cylinder. */
static WmStatus offset_line(WmContext *context, const WmAreaVolume *volume, const float line[6], float low,
                            float high, float radius, WmAreaVolume *offset) {
  const Point along = minus(point_of(line + 3), point_of(line));
  if (dot(along, along) > 1e-12) return offset_prism(context, volume, low, high, line, 2, radius, offset);
  *offset = (WmAreaVolume){.kind = WM_AREA_VOLUME_CYLINDER,
                           .area = volume->area,
                           .before_erosion = volume->before_erosion,
                           .centre = {line[0], low, line[2]},
                           .radius = radius,
                           .height = high - low};
  return WM_OK;
}

static void find_box_corners(const WmAreaVolume *volume, float corners[3 * BOX_CORNERS]) {
  const bool is_turned = volume->kind == WM_AREA_VOLUME_ROTATED_BOX;
  const double yaw = is_turned ? (double)volume->yaw : 0;
  const double sine = wm_sine(yaw, 0), cosine = wm_sine(yaw, 1);
  double middle[3], half[3];
  for (int axis = 0; axis < 3; axis++) {
    const double low = (double)volume->minimum[axis], high = (double)volume->maximum[axis];
    middle[axis] = is_turned ? (double)volume->centre[axis] : (low + high) / 2;
    half[axis] = is_turned ? (double)volume->half_extents[axis] : (high - low) / 2;
  }
  for (int i = 0; i < BOX_CORNERS; i++) {
    const double u = i < 2 ? -half[0] : half[0], w = i == 1 || i == 2 ? half[2] : -half[2];
    corners[3 * i] = (float)(middle[0] + (u * cosine + w * sine));
    corners[3 * i + 1] = 0;
    corners[3 * i + 2] = (float)(middle[2] + (w * cosine - u * sine));
  }
}

/* Offsets a prism that isn't convex: itself, and a volume around each edge. */
static WmStatus offset_edges(WmContext *context, const WmAreaVolume *volume, float radius,
                             WmAreaVolume *offset) {
  *offset++ = *volume;
  for (size_t i = 0; i < volume->vertex_count; i++) {
    float line[6];
    memcpy(line, volume->vertices + 3 * i, 3 * sizeof *line);
    memcpy(line + 3, volume->vertices + 3 * ((i + 1) % volume->vertex_count), 3 * sizeof *line);
    const WmStatus status =
        offset_line(context, volume, line, volume->minimum[1], volume->maximum[1], radius, offset++);
    if (status) return status;
  }
  return WM_OK;
}

static bool is_offset(const WmAreaVolume *volume) {
  return volume->before_erosion && volume->area == WM_AREA_NULL;
}

static bool is_convex_prism(const WmAreaVolume *volume) {
  return volume->kind == WM_AREA_VOLUME_PRISM && is_convex(volume->vertices, volume->vertex_count);
}

size_t wm_offset_volume_count(const WmAreaVolume *volume) {
  const bool is_prism = volume->kind == WM_AREA_VOLUME_PRISM;
  return is_offset(volume) && is_prism && !is_convex_prism(volume) ? 1 + volume->vertex_count : 1;
}

WmStatus wm_offset_volume(WmContext *context, const WmAreaVolume *volume, float radius,
                          WmAreaVolume *offset) {
  const float *low = volume->minimum, *high = volume->maximum, *centre = volume->centre;
  float corners[3 * BOX_CORNERS];
  *offset = *volume;
  if (!is_offset(volume)) return WM_OK;
  switch (volume->kind) {
    case WM_AREA_VOLUME_BOX:
      find_box_corners(volume, corners);
      return offset_prism(context, volume, low[1], high[1], corners, BOX_CORNERS, radius, offset);
    case WM_AREA_VOLUME_ROTATED_BOX: {
      const float half = volume->half_extents[1];
      find_box_corners(volume, corners);
      return offset_prism(context, volume, centre[1] - half, centre[1] + half, corners, BOX_CORNERS, radius,
                          offset);
    }
    case WM_AREA_VOLUME_CYLINDER: offset->radius += radius; return WM_OK;
    case WM_AREA_VOLUME_SPHERE: {
      const float line[6] = {centre[0], centre[1], centre[2], centre[0], centre[1], centre[2]};
      return offset_line(context, volume, line, centre[1] - volume->radius, centre[1] + volume->radius,
                         volume->radius + radius, offset);
    }
    case WM_AREA_VOLUME_CAPSULE: {
      const float line[6] = {low[0], low[1], low[2], high[0], high[1], high[2]};
      return offset_line(context, volume, line, fminf(low[1], high[1]) - volume->radius,
                         fmaxf(low[1], high[1]) + volume->radius, volume->radius + radius, offset);
    }
    default:
      if (!is_convex_prism(volume)) return offset_edges(context, volume, radius, offset);
      return offset_prism(context, volume, low[1], high[1], volume->vertices, volume->vertex_count, radius,
                          offset);
  }
}

WmStatus wm_offset_volumes(WmContext *context, float radius, const WmAreaVolume **volumes, size_t *count) {
  size_t offset_count = 0;
  for (size_t i = 0; i < *count; i++) offset_count += wm_offset_volume_count(&(*volumes)[i]);
  WmAreaVolume *offset = wm_scratch_array(context, offset_count, sizeof *offset), *next = offset;
  WmStatus status = offset ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
  for (size_t i = 0; !status && i < *count; i++) {
    status = wm_offset_volume(context, &(*volumes)[i], radius, next);
    next += wm_offset_volume_count(&(*volumes)[i]);
  }
  *volumes = offset;
  *count = offset_count;
  return status;
}
