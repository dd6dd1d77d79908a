/* Collects the surface of a tile, writes it to kept tiles and reads it from them. See surface.h. */
#include "bake/input/surface.h"

#include <float.h>
#include <string.h>

#include "bake/input/solid_shapes.h"
#include "base/number.h"
#include "base/vector.h"

enum { TRIANGLE_FLOATS = 9, COUNT_BYTES = 8 };

_Static_assert(sizeof(WmRoundSolid) == 32, "stored as it lies in memory");

/* ---- Collecting --------------------------------------------------------------------------------------- */

/* The triangles and solids found; while they are counted, the arrays are NULL. */
typedef struct Collector {
  float low[2], high[2]; /* of the tile on x and z, extended by a cell */
  uint32_t triangle_count, solid_count;
  float *triangles;
  WmRoundSolid *solids;
} Collector;

static bool overlaps(const Collector *collector, const float low[3], const float high[3]) {
  return low[0] <= collector->high[0] && high[0] >= collector->low[0] && low[2] <= collector->high[1] &&
         high[2] >= collector->low[1];
}

/* Twice the triangle's area seen from above; above 0 if it faces up. */
static double facing(const float *a, const float *b, const float *c) {
  return ((double)b[2] - a[2]) * ((double)c[0] - a[0]) - ((double)b[0] - a[0]) * ((double)c[2] - a[2]);
}

static void add_triangle(Collector *collector, const float *a, const float *b, const float *c) {
  float low[3], high[3];
  if (!(facing(a, b, c) > 0)) return;
  memcpy(low, a, sizeof low);
  memcpy(high, a, sizeof high);
  wm_extend_bounds(b, low, high);
  wm_extend_bounds(c, low, high);
  if (!overlaps(collector, low, high)) return;
  if (collector->triangles) {
    float *corners = collector->triangles + TRIANGLE_FLOATS * (size_t)collector->triangle_count;
    memcpy(corners, a, 12);
    memcpy(corners + 3, b, 12);
    memcpy(corners + 6, c, 12);
  }
  collector->triangle_count++;
}

/* Adds the top of a box or hull, whose faces may have either winding. */
static void add_faces(Collector *collector, const WmSolidFaces *faces) {
  const size_t corner_count = 3 * faces->triangle_count;
  double inside[3];
  wm_find_point_inside(faces, inside);
  for (size_t i = 0; i < corner_count; i += 3) {
    const float *a = faces->vertices + 3 * (size_t)faces->indices[i];
    const float *b = faces->vertices + 3 * (size_t)faces->indices[i + 1];
    const float *c = faces->vertices + 3 * (size_t)faces->indices[i + 2];
    const bool is_up = facing(a, b, c) > 0;
    const float *second = is_up ? b : c, *third = is_up ? c : b;
    /* A face that faces up is part of the top if the body lies below it. */
    if (wm_side_of_face(inside, a, second, third) < 0) add_triangle(collector, a, second, third);
  }
}

static void add_solid(Collector *collector, const WmSolid *solid) {
  WmSolidFaces faces;
  float low[3], high[3];
  wm_find_solid_faces(solid, &faces);
  if (faces.triangle_count > 0) {
    add_faces(collector, &faces);
    return;
  }
  wm_find_solid_bounds(solid, low, high);
  if (!overlaps(collector, low, high)) return;
  if (collector->solids) {
    WmRoundSolid *round = &collector->solids[collector->solid_count];
    *round = (WmRoundSolid){.kind = solid->kind, .radius = solid->radius};
    memcpy(round->start, solid->start, sizeof round->start);
    memcpy(round->end, solid->kind == WM_SOLID_SPHERE ? solid->start : solid->end, sizeof round->end);
  }
  collector->solid_count++;
}

static void collect(Collector *collector, const WmRasterInput *input) {
  const WmTriangles *triangles = input->triangles;
  const size_t count = input->subset ? input->subset_count : triangles->triangle_count;
  for (size_t i = 0; i < count; i++) {
    const uint32_t *index = triangles->indices + 3 * (size_t)(input->subset ? input->subset[i] : i);
    const float *corner[3];
    for (int k = 0; k < 3; k++) corner[k] = triangles->positions + triangles->position_stride * index[k];
    add_triangle(collector, corner[0], corner[1], corner[2]);
  }
  for (size_t i = 0; i < input->solid_count; i++) add_solid(collector, &input->solids[i]);
}

static WmStatus allocate(WmContext *context, uint32_t triangle_count, uint32_t solid_count,
                         WmSurface *surface) {
  WmLayout layout = {0};
  wm_layout_add(&layout, triangle_count, TRIANGLE_FLOATS * sizeof(float));
  const size_t solids = wm_layout_add(&layout, solid_count, sizeof(WmRoundSolid));
  uint8_t *block = wm_layout_allocate(context, &layout);
  if (!block) return WM_ERROR_OUT_OF_MEMORY;
  *surface = (WmSurface){.triangle_count = triangle_count,
                         .solid_count = solid_count,
                         .triangles = (float *)(void *)block,
                         .solids = (WmRoundSolid *)(void *)(block + solids),
                         .byte_count = layout.bytes,
                         .block = block};
  return WM_OK;
}

WmStatus wm_surface_collect(WmContext *context, const WmGrid *grid, const WmRasterInput *input,
                            WmSurface *surface) {
  WmGrid proper = *grid;
  if (proper.border_size > 0) wm_grid_trim(&proper);
  Collector collector = {
      .low = {proper.bounds_min[0] - grid->cell_size, proper.bounds_min[2] - grid->cell_size},
      .high = {proper.bounds_max[0] + grid->cell_size, proper.bounds_max[2] + grid->cell_size}};
  *surface = (WmSurface){0};
  collect(&collector, input);
  const WmStatus status = allocate(context, collector.triangle_count, collector.solid_count, surface);
  if (status) return status;
  collector.triangles = surface->triangles;
  collector.solids = surface->solids;
  collector.triangle_count = collector.solid_count = 0;
  collect(&collector, input);
  return WM_OK;
}

/* ---- Kept tiles --------------------------------------------------------------------------------------- */

static size_t triangle_bytes(const WmSurface *surface) {
  return surface->triangle_count * TRIANGLE_FLOATS * sizeof(float);
}

static size_t solid_bytes(const WmSurface *surface) { return surface->solid_count * sizeof(WmRoundSolid); }

WmStatus wm_surface_append(WmContext *context, const WmSurface *surface, uint8_t **bytes,
                           size_t *byte_count) {
  const size_t code_bytes = triangle_bytes(surface) + solid_bytes(surface) + COUNT_BYTES;
  const uint32_t counts[2] = {surface->triangle_count, surface->solid_count};
  uint8_t *block = wm_block_allocate(context, *byte_count + code_bytes);
  if (!block) return WM_ERROR_OUT_OF_MEMORY;
  uint8_t *end = block;
  memcpy(end, *bytes, *byte_count);
  end += *byte_count;
  if (counts[0]) memcpy(end, surface->triangles, triangle_bytes(surface));
  end += triangle_bytes(surface);
  if (counts[1]) memcpy(end, surface->solids, solid_bytes(surface));
  memcpy(end + solid_bytes(surface), counts, sizeof counts);
  wm_block_free(context, *bytes);
  *bytes = block;
  *byte_count += code_bytes;
  return WM_OK;
}

static WmStatus fail_corrupt(WmContext *context) {
  return wm_fail(context, WM_ERROR_CORRUPT, "keptTile", "the kept tile has an invalid surface, or none");
}

static bool is_valid(const WmSurface *surface) {
  if (!wm_are_within(surface->triangles, (size_t)surface->triangle_count * TRIANGLE_FLOATS, FLT_MAX)) {
    return false;
  }
  for (uint32_t i = 0; i < surface->triangle_count; i++) {
    const float *corner = surface->triangles + TRIANGLE_FLOATS * (size_t)i;
    if (!(facing(corner, corner + 3, corner + 6) > 0)) return false;
  }
  for (uint32_t i = 0; i < surface->solid_count; i++) {
    const WmRoundSolid *solid = &surface->solids[i];
    if (solid->kind < WM_SOLID_SPHERE || solid->kind > WM_SOLID_CYLINDER) return false;
    if (!wm_are_within(solid->start, 3, WM_FARTHEST) || !wm_are_within(solid->end, 3, WM_FARTHEST))
      return false;
    if (!(solid->radius > 0 && solid->radius <= WM_FARTHEST)) return false;
    if (solid->kind == WM_SOLID_CYLINDER && wm_is_same_point(solid->start, solid->end)) return false;
  }
  return true;
}

WmStatus wm_surface_read(WmContext *context, const uint8_t *bytes, size_t *byte_count, WmSurface *surface) {
  uint32_t counts[2];
  *surface = (WmSurface){0};
  if (*byte_count < sizeof counts) return fail_corrupt(context);
  const size_t left = *byte_count - sizeof counts;
  memcpy(counts, bytes + left, sizeof counts);
  const uint64_t needed =
      (uint64_t)counts[0] * TRIANGLE_FLOATS * sizeof(float) + (uint64_t)counts[1] * sizeof(WmRoundSolid);
  if (needed > left) return fail_corrupt(context);
  const WmStatus status = allocate(context, counts[0], counts[1], surface);
  if (status) return status;
  const uint8_t *code = bytes + left - (size_t)needed;
  if (counts[0]) memcpy(surface->triangles, code, triangle_bytes(surface));
  if (counts[1]) memcpy(surface->solids, code + triangle_bytes(surface), solid_bytes(surface));
  if (!is_valid(surface)) {
    wm_surface_free(context, surface);
    return fail_corrupt(context);
  }
  *byte_count = left - (size_t)needed;
  return WM_OK;
}

void wm_surface_free(WmContext *context, WmSurface *surface) {
  wm_block_free(context, surface->block);
  *surface = (WmSurface){0};
}
