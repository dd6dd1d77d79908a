/* Corrects heights of the detail mesh by the surface itself. See surface_heights.h.
 *
 * Heights of spans are rounded up to cell heights, and are the highest of a whole cell; the height of a vertex
 * is the highest of four cells. So the surface lies below a vertex: by up to a cell height on level ground, and
 * on slopes by the rise over a cell besides. Candidates are compared with the middle of the highest voxel.
 *
 * Vertices are sorted into square bins. Triangles are processed one after another: each looks up the vertices
 * in the bins below it, and every vertex stores its best candidate. The order of triangles has no effect. */
#include "bake/detail/surface_heights.h"

#include <math.h>
#include <string.h>

#include "bake/input/solid_shapes.h"

enum { BIN_SIDE_LIMIT = 512, VERTICES_A_BIN = 2 };

/* A vertex, and its best candidate. */
typedef struct Point {
  double x, z;
  double expected; /* height */
  double distance; /* of the candidate on x and z; INFINITY: none was found */
  double height;   /* of the candidate */
  uint32_t vertex;
} Point;

typedef struct Bins {
  double low[2], bins_per_unit;
  int32_t count[2];
  uint32_t *first;     /* [count[0] * count[1] + 1] into points */
  Point *points;       /* by bin: rows of z, then x */
  double reach;        /* farthest distance of a candidate on x and z */
  double below, above; /* the range of candidates around the expected height */
  double lowest;       /* no candidate is lower: the floor of the grid */
} Bins;

/* ---- Bins --------------------------------------------------------------------------------------------- */

static int32_t bin_of(const Bins *bins, int axis, double value) {
  const double bin = (value - bins->low[axis]) * bins->bins_per_unit;
  return bin <= 0 ? 0 : bin >= bins->count[axis] ? bins->count[axis] - 1 : (int32_t)bin;
}

static uint32_t bin_of_vertex(const Bins *bins, const float *vertex) {
  return (uint32_t)(bin_of(bins, 0, vertex[0]) + bin_of(bins, 1, vertex[2]) * bins->count[0]);
}

static void measure_bins(const WmGrid *grid, uint32_t vertex_count, Bins *bins) {
  const double width = (double)grid->bounds_max[0] - grid->bounds_min[0];
  const double depth = (double)grid->bounds_max[2] - grid->bounds_min[2];
  bins->low[0] = grid->bounds_min[0];
  bins->low[1] = grid->bounds_min[2];
  const double side = sqrt(width * depth * VERTICES_A_BIN / vertex_count),
               widest = width > depth ? width : depth;
  bins->bins_per_unit = 1 / (side * BIN_SIDE_LIMIT > widest ? side : widest / BIN_SIDE_LIMIT);
  bins->count[0] = (int32_t)(width * bins->bins_per_unit) + 1;
  bins->count[1] = (int32_t)(depth * bins->bins_per_unit) + 1;
}

/* Sorts the vertices into bins. */
static WmStatus fill_bins(WmContext *context, const WmGrid *grid, const WmDetailMesh *detail, Bins *bins) {
  measure_bins(grid, detail->vertex_count, bins);
  const size_t bin_count = (size_t)bins->count[0] * (size_t)bins->count[1];
  bins->first = wm_scratch_zeroed(context, bin_count + 2, sizeof *bins->first);
  bins->points = wm_scratch_array(context, detail->vertex_count, sizeof *bins->points);
  if (!bins->first || !bins->points) return WM_ERROR_OUT_OF_MEMORY;
  uint32_t *cursor = bins->first + 1; /* counts, then the next free element: `first` after the last vertex */
  for (uint32_t i = 0; i < detail->vertex_count; i++) {
    cursor[bin_of_vertex(bins, detail->vertices + 3 * (size_t)i) + 1]++;
  }
  for (size_t bin = 0; bin < bin_count; bin++) cursor[bin + 1] += cursor[bin];
  for (uint32_t i = 0; i < detail->vertex_count; i++) {
    const float *vertex = detail->vertices + 3 * (size_t)i;
    bins->points[cursor[bin_of_vertex(bins, vertex)]++] =
        (Point){vertex[0], vertex[2], (double)vertex[1] - 1.5 * (double)grid->cell_height, INFINITY, 0, i};
  }
  return WM_OK;
}

/* ---- Candidates --------------------------------------------------------------------------------------- */

/* Stores a candidate if it is in range and better than the one before. */
static void offer(const Bins *bins, Point *point, double distance, double height) {
  const double offset = height - point->expected;
  if (!(distance <= bins->reach) || distance > point->distance || height < bins->lowest) return;
  if (!(offset >= -bins->below && offset <= bins->above)) return; /* written so that NaN fails */
  if (distance == point->distance) {
    const double former = point->height - point->expected;
    if (fabs(offset) > fabs(former) || (fabs(offset) == fabs(former) && height <= point->height)) return;
  }
  point->distance = distance;
  point->height = height;
}

/* A triangle that faces up, relative to its first corner. */
typedef struct Triangle {
  const float *corners; /* [3][3] */
  double slope[2];      /* rise of its plane along x and z */
} Triangle;

/* The nearest point of an edge, on x and z: offers its height. */
static double edge_distance(const float *a, const float *b, double x, double z, double *height) {
  const double ux = (double)b[0] - a[0], uz = (double)b[2] - a[2], length = ux * ux + uz * uz;
  const double along = length > 0 ? ((x - a[0]) * ux + (z - a[2]) * uz) / length : 0;
  const double t = along < 0 ? 0 : along > 1 ? 1 : along;
  const double dx = a[0] + t * ux - x, dz = a[2] + t * uz - z;
  *height = a[1] + t * ((double)b[1] - a[1]);
  return sqrt(dx * dx + dz * dz);
}

/* True if the point is on the inner side of the edge from a to b, or on it. */
static bool is_inside(const float *a, const float *b, double x, double z) {
  return ((double)b[2] - a[2]) * (x - a[0]) - ((double)b[0] - a[0]) * (z - a[2]) >= 0;
}

static void offer_triangle(const Bins *bins, const Triangle *triangle, Point *point) {
  const float *a = triangle->corners, *b = a + 3, *c = a + 6;
  if (is_inside(a, b, point->x, point->z) && is_inside(b, c, point->x, point->z) &&
      is_inside(c, a, point->x, point->z)) {
    const double height =
        a[1] + triangle->slope[0] * (point->x - a[0]) + triangle->slope[1] * (point->z - a[2]);
    offer(bins, point, 0, height);
    return;
  }
  if (point->distance == 0) return;
  double nearest = INFINITY, height = 0;
  for (int k = 0; k < 3; k++) {
    double edge_height;
    const double distance = edge_distance(a + 3 * k, a + 3 * ((k + 1) % 3), point->x, point->z, &edge_height);
    if (distance >= nearest) continue;
    nearest = distance;
    height = edge_height;
  }
  offer(bins, point, nearest, height);
}

static void offer_solid(const Bins *bins, const WmSolid *solid, Point *point) {
  double height;
  if (wm_find_solid_top(solid, point->x, point->z, &height)) offer(bins, point, 0, height);
}

/* ---- The surface -------------------------------------------------------------------------------------- */

typedef struct Rectangle {
  double low[2], high[2]; /* x, z */
} Rectangle;

static Rectangle extend(const Bins *bins, const float low[3], const float high[3]) {
  return (Rectangle){{low[0] - bins->reach, low[2] - bins->reach},
                     {high[0] + bins->reach, high[2] + bins->reach}};
}

/* Offers a triangle, or a solid if that is NULL, to the vertices in a rectangle. */
static void offer_in(const Bins *bins, const Rectangle *rectangle, const Triangle *triangle,
                     const WmSolid *solid) {
  const int32_t left = bin_of(bins, 0, rectangle->low[0]), right = bin_of(bins, 0, rectangle->high[0]);
  const int32_t last = bin_of(bins, 1, rectangle->high[1]);
  for (int32_t row = bin_of(bins, 1, rectangle->low[1]); row <= last; row++) {
    const uint32_t *first = bins->first + (size_t)row * (size_t)bins->count[0];
    for (uint32_t i = first[left]; i < first[right + 1]; i++) {
      Point *point = &bins->points[i];
      if (point->x < rectangle->low[0] || point->x > rectangle->high[0] || point->z < rectangle->low[1] ||
          point->z > rectangle->high[1]) {
        continue;
      }
      if (triangle) {
        offer_triangle(bins, triangle, point);
      } else {
        offer_solid(bins, solid, point);
      }
    }
  }
}

static void offer_triangles(const Bins *bins, const WmSurface *surface) {
  for (uint32_t i = 0; i < surface->triangle_count; i++) {
    const float *corner = surface->triangles + 9 * (size_t)i;
    Triangle triangle = {.corners = corner};
    float low[3], high[3];
    memcpy(low, corner, sizeof low);
    memcpy(high, corner, sizeof high);
    wm_extend_bounds(corner + 3, low, high);
    wm_extend_bounds(corner + 6, low, high);
    double u[3], v[3];
    for (int axis = 0; axis < 3; axis++) {
      u[axis] = (double)corner[3 + axis] - corner[axis];
      v[axis] = (double)corner[6 + axis] - corner[axis];
    }
    const double up = u[2] * v[0] - u[0] * v[2]; /* above 0 */
    triangle.slope[0] = (u[2] * v[1] - u[1] * v[2]) / up;
    triangle.slope[1] = (u[1] * v[0] - u[0] * v[1]) / up;
    const Rectangle rectangle = extend(bins, low, high);
    offer_in(bins, &rectangle, &triangle, NULL);
  }
}

static void offer_solids(const Bins *bins, const WmSurface *surface) {
  for (uint32_t i = 0; i < surface->solid_count; i++) {
    const WmRoundSolid *round = &surface->solids[i];
    WmSolid solid = {.kind = round->kind, .radius = round->radius};
    float low[3], high[3];
    memcpy(solid.start, round->start, sizeof solid.start);
    memcpy(solid.end, round->end, sizeof solid.end);
    wm_find_solid_bounds(&solid, low, high);
    const Rectangle rectangle = extend(bins, low, high);
    offer_in(bins, &rectangle, NULL, &solid);
  }
}

static void write_heights(const Bins *bins, float cell_height, WmDetailMesh *detail) {
  for (uint32_t i = 0; i < detail->vertex_count; i++) {
    const Point *point = &bins->points[i];
    float *height = detail->vertices + 3 * (size_t)point->vertex + 1;
    *height = point->distance < INFINITY ? (float)point->height : *height - cell_height;
  }
  detail->is_on_surface = true;
}

WmStatus wm_correct_heights(WmContext *context, const WmGrid *grid, const WmSurface *surface, float climb,
                            WmDetailMesh *detail) {
  if (detail->vertex_count == 0) return WM_OK;
  const WmScratchMark mark = wm_scratch_mark(context);
  const double cell_height = (double)grid->cell_height;
  Bins bins = {.reach = (double)grid->cell_size,
               .below = (double)climb + 2 * cell_height,
               .above = cell_height,
               .lowest = (double)grid->bounds_min[1]};
  const WmStatus status = fill_bins(context, grid, detail, &bins);
  if (!status) {
    offer_triangles(&bins, surface);
    offer_solids(&bins, surface);
    write_heights(&bins, grid->cell_height, detail);
  }
  wm_scratch_rewind(context, mark);
  return status;
}
