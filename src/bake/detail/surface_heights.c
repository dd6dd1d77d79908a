/* Heights of the surface of a tile. See surface_heights.h.
 *
 * Heights of spans are rounded up to cell heights, and are the highest of a whole cell; the height of a polygon's
 * vertex is the highest of four cells. So the surface lies below: by up to a cell height on level ground, and
 * on slopes by the rise over a cell besides. Of several triangles in the range, the highest one made the span.
 *
 * Items are sorted into square bins: each is in all bins that its rectangle on x and z, extended by a cell,
 * overlaps, so that a look-up reads a single bin. The order of items has no effect. */
#include "bake/detail/surface_heights.h"

#include <math.h>
#include <string.h>

#include "bake/input/solid_shapes.h"

enum { BIN_SIDE_LIMIT = 512, ITEMS_A_BIN = 2, BINS_AN_ITEM = 8 };

/* ---- Items -------------------------------------------------------------------------------------------- */

static uint32_t item_count(const WmSurface *surface) {
  return surface->triangle_count + surface->solid_count;
}

static WmSolid solid_of(const WmSurface *surface, uint32_t item) {
  const WmRoundSolid *round = &surface->solids[item - surface->triangle_count];
  WmSolid solid = {.kind = round->kind, .radius = round->radius};
  memcpy(solid.start, round->start, sizeof solid.start);
  memcpy(solid.end, round->end, sizeof solid.end);
  return solid;
}

static void find_item_bounds(const WmSurface *surface, uint32_t item, float low[3], float high[3]) {
  if (item >= surface->triangle_count) {
    const WmSolid solid = solid_of(surface, item);
    wm_find_solid_bounds(&solid, low, high);
    return;
  }
  const float *corner = surface->triangles + 9 * (size_t)item;
  memcpy(low, corner, 3 * sizeof *low);
  memcpy(high, corner, 3 * sizeof *high);
  wm_extend_bounds(corner + 3, low, high);
  wm_extend_bounds(corner + 6, low, high);
}

/* ---- Bins --------------------------------------------------------------------------------------------- */

typedef struct BinRange {
  int32_t low[2], high[2]; /* x, z; both included */
} BinRange;

static int32_t bin_of(const WmSurfaceHeights *heights, int axis, double value) {
  const double bin = (value - heights->low[axis]) * heights->bins_per_unit;
  return bin <= 0 ? 0 : bin >= heights->count[axis] ? heights->count[axis] - 1 : (int32_t)bin;
}

static BinRange bins_of_item(const WmSurfaceHeights *heights, uint32_t item) {
  float low[3], high[3];
  BinRange range;
  find_item_bounds(heights->surface, item, low, high);
  for (int axis = 0; axis < 2; axis++) {
    range.low[axis] = bin_of(heights, axis, low[2 * axis] - heights->reach);
    range.high[axis] = bin_of(heights, axis, high[2 * axis] + heights->reach);
  }
  return range;
}

/* Counts all pairs of an item and a bin. */
static uint64_t count_pairs(const WmSurfaceHeights *heights) {
  uint64_t pairs = 0;
  for (uint32_t item = 0; item < item_count(heights->surface); item++) {
    const BinRange range = bins_of_item(heights, item);
    pairs += (uint64_t)(range.high[0] - range.low[0] + 1) * (uint64_t)(range.high[1] - range.low[1] + 1);
  }
  return pairs;
}

/* Chooses the number of bins: half as many as items, and fewer if items are large. Returns the number of
 * pairs. */
static uint64_t measure_bins(const WmGrid *grid, WmSurfaceHeights *heights) {
  const double width = (double)grid->bounds_max[0] - grid->bounds_min[0];
  const double depth = (double)grid->bounds_max[2] - grid->bounds_min[2];
  const uint32_t items = item_count(heights->surface);
  const double side = sqrt(width * depth * ITEMS_A_BIN / (items ? items : 1)),
               widest = width > depth ? width : depth;
  heights->bins_per_unit = 1 / (side * BIN_SIDE_LIMIT > widest ? side : widest / BIN_SIDE_LIMIT);
  for (;;) {
    heights->count[0] = (int32_t)(width * heights->bins_per_unit) + 1;
    heights->count[1] = (int32_t)(depth * heights->bins_per_unit) + 1;
    const uint64_t pairs = count_pairs(heights);
    if (pairs <= (uint64_t)items * BINS_AN_ITEM) return pairs;
    heights->bins_per_unit /= 2;
  }
}

/* Counts the items of each bin, or stores them where the counts point. */
static void sort_items(WmSurfaceHeights *heights, uint32_t *cursor) {
  for (uint32_t item = 0; item < item_count(heights->surface); item++) {
    const BinRange range = bins_of_item(heights, item);
    for (int32_t row = range.low[1]; row <= range.high[1]; row++) {
      uint32_t *bin = cursor + (size_t)row * (size_t)heights->count[0];
      for (int32_t column = range.low[0]; column <= range.high[0]; column++) {
        if (heights->items) heights->items[bin[column]] = item;
        bin[column]++;
      }
    }
  }
}

WmStatus wm_surface_heights_start(WmContext *context, const WmGrid *grid, const WmSurface *surface,
                                  float climb, WmSurfaceHeights *heights) {
  const double cell_height = (double)grid->cell_height;
  *heights = (WmSurfaceHeights){.surface = surface,
                                .low = {grid->bounds_min[0], grid->bounds_min[2]},
                                .reach = (double)grid->cell_size,
                                .below = (double)climb + 2.5 * cell_height,
                                .above = 0.5 * cell_height,
                                .lowest = (double)grid->bounds_min[1]};
  const uint64_t pairs = measure_bins(grid, heights);
  const size_t bin_count = (size_t)heights->count[0] * (size_t)heights->count[1];
  heights->first = wm_scratch_zeroed(context, bin_count + 2, sizeof *heights->first);
  uint32_t *items = wm_scratch_array(context, (size_t)pairs + 1, sizeof *items);
  if (!heights->first || !items) return WM_ERROR_OUT_OF_MEMORY;
  uint32_t *cursor = heights->first + 1; /* counts, then the next free element: `first` after the last item */
  sort_items(heights, cursor + 1);
  for (size_t bin = 0; bin < bin_count; bin++) cursor[bin + 1] += cursor[bin];
  heights->items = items;
  sort_items(heights, cursor);
  return WM_OK;
}

/* ---- Candidates --------------------------------------------------------------------------------------- */

/* A look-up, and its best candidate. */
typedef struct Point {
  double x, z;
  double lowest, highest; /* the range of heights */
  double distance;        /* of the candidate on x and z; INFINITY: none was found */
  double height;          /* of the candidate */
} Point;

/* Stores a candidate if it is in range, and nearer than the one before, or as near and higher. */
static void offer(Point *point, double distance, double height) {
  if (!(height >= point->lowest && height <= point->highest)) return; /* written so that NaN fails */
  if (distance > point->distance || (distance == point->distance && height <= point->height)) return;
  point->distance = distance;
  point->height = height;
}

/* The distance to an edge on x and z; *height: of its nearest point. */
static double edge_distance(const float *a, const float *b, double x, double z, double *height) {
  const double ux = (double)b[0] - a[0], uz = (double)b[2] - a[2], length = ux * ux + uz * uz;
  const double along = length > 0 ? ((x - a[0]) * ux + (z - a[2]) * uz) / length : 0;
  const double t = along < 0 ? 0 : along > 1 ? 1 : along;
  const double dx = a[0] + t * ux - x, dz = a[2] + t * uz - z;
  *height = a[1] + t * ((double)b[1] - a[1]);
  return sqrt(dx * dx + dz * dz);
}

/* True if the point is on the inner side of the edge from a to b, or on it. */
static bool is_inside(const float *a, const float *b, const Point *point) {
  return ((double)b[2] - a[2]) * (point->x - a[0]) - ((double)b[0] - a[0]) * (point->z - a[2]) >= 0;
}

/* The height of a triangle's plane, from its first corner. */
static double plane_height(const float *a, const float *b, const float *c, const Point *point) {
  const double ux = (double)b[0] - a[0], uy = (double)b[1] - a[1], uz = (double)b[2] - a[2];
  const double vx = (double)c[0] - a[0], vy = (double)c[1] - a[1], vz = (double)c[2] - a[2];
  const double up = uz * vx - ux * vz; /* above 0 */
  return a[1] + (uz * vy - uy * vz) / up * (point->x - a[0]) + (uy * vx - ux * vy) / up * (point->z - a[2]);
}

/* Offers a triangle over or under the point. */
static void offer_over(const float *corners, Point *point) {
  const float *a = corners, *b = a + 3, *c = a + 6;
  if (is_inside(a, b, point) && is_inside(b, c, point) && is_inside(c, a, point)) {
    offer(point, 0, plane_height(a, b, c, point));
  }
}

/* Offers the nearest point of a triangle beside the point. */
static void offer_beside(const float *corners, double reach, Point *point) {
  double nearest = INFINITY, nearest_height = 0;
  for (int k = 0; k < 3; k++) {
    double height;
    const double distance =
        edge_distance(corners + 3 * k, corners + 3 * ((k + 1) % 3), point->x, point->z, &height);
    if (distance >= nearest) continue;
    nearest = distance;
    nearest_height = height;
  }
  if (nearest <= reach) offer(point, nearest, nearest_height);
}

static void offer_solid(const WmSurface *surface, uint32_t item, Point *point) {
  const WmSolid solid = solid_of(surface, item);
  double top;
  if (wm_find_solid_top(&solid, point->x, point->z, &top)) offer(point, 0, top);
}

bool wm_surface_heights_find(const WmSurfaceHeights *heights, double x, double z, double top,
                             double *height) {
  const WmSurface *surface = heights->surface;
  const double lowest = top - heights->below;
  Point point = {.x = x,
                 .z = z,
                 .lowest = lowest > heights->lowest ? lowest : heights->lowest,
                 .highest = top + heights->above,
                 .distance = INFINITY};
  const uint32_t *bin =
      heights->first + bin_of(heights, 0, x) + (size_t)bin_of(heights, 1, z) * (size_t)heights->count[0];
  const uint32_t *items = heights->items + bin[0], count = bin[1] - bin[0];
  for (uint32_t i = 0; i < count; i++) {
    if (items[i] < surface->triangle_count) {
      offer_over(surface->triangles + 9 * (size_t)items[i], &point);
    } else {
      offer_solid(surface, items[i], &point);
    }
  }
  for (uint32_t i = 0; point.distance > 0 && i < count; i++) {
    if (items[i] < surface->triangle_count) {
      offer_beside(surface->triangles + 9 * (size_t)items[i], heights->reach, &point);
    }
  }
  if (point.distance == INFINITY) return false;
  *height = point.height;
  return true;
}
