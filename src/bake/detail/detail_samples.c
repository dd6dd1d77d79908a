/* Sample points inside one polygon, their distances from its triangles, and the insertion loop.
 *
 * Samples lie on a grid, slightly jittered. The sample farthest from the triangles becomes a vertex, the
 * vertices are triangulated again, and so on until every sample is within max_error. Source: M. Garland,
 * P. Heckbert, Fast polygonal approximation of terrains and height fields (1995), greedy insertion; as
 * there, only samples under changed triangles are measured again.
 *
 * A sample's error is its smallest vertical distance from the facets that cover it (more than one near
 * shared edges, as the test is tolerant). The facet with that distance owns the sample. When it is
 * removed, the new facets there are measured; if others cover the sample too, it is measured against all.
 * The bits of a distance depend on the facet's first corner, so facets are equal only if their corners are
 * in the same order.
 *
 * A facet can only cover samples of its bounding box, enlarged by what the tolerance and rounding may add
 * (see relative_margin). Samples are sorted by rows, so the box's rows are one run, measured four samples
 * at a time. */
#include "bake/detail/detail_internal.h"

#include <math.h>
#include <string.h>

/* Grids of more points are refused: they would run for hours. */
static const float GRID_LIMIT = 1 << 26;

typedef WmDetailSamples Samples;
typedef WmDetailShape Shape;

/* ---- The grid of samples ------------------------------------------------------------------------------ */

/* Reserves capacity for `count` samples and at most as many rows. */
static bool reserve_samples(WmContext *context, Samples *samples, uint32_t count) {
  enum { ARRAYS = 6 };
  if ((size_t)count + 4 > samples->capacity) samples->x = NULL; /* their contents are not needed */
  samples->x = wm_scratch_reserve(context, samples->x, &samples->capacity, (size_t)count + 4,
                                  ARRAYS * sizeof *samples->x);
  if (!samples->x) return false;
  samples->y = samples->x + samples->capacity;
  samples->z = samples->y + samples->capacity;
  samples->error = samples->z + samples->capacity;
  samples->owner = (int32_t *)(void *)(samples->error + samples->capacity);
  samples->row_first = samples->owner + samples->capacity;
  return true;
}

/* Bit k is set if the point (x[k], z[k]) is inside, by parity, and far enough from the outline. */
static int accept_points(const Shape *shape, WmFloat4 x, WmFloat4 z, WmFloat4 margin_squared) {
  const WmFloat4 zero = {0}, one = wm_splat_float4(1);
  const int32_t count = shape->polygon_vertex_count;
  WmInt4 inside = {0}, far = wm_splat_int4(-1);
  for (int32_t i = 0, j = count - 1; i < count; j = i++) {
    const WmFloat4 sx = wm_splat_float4(shape->x[j]), sz = wm_splat_float4(shape->z[j]);
    const WmFloat4 tx = wm_splat_float4(shape->x[i]), tz = wm_splat_float4(shape->z[i]);
    const WmFloat4 ex = tx - sx, ez = tz - sz;
    inside ^= ((tz > z) ^ (sz > z)) & (x < (ex * (z - tz)) / ez + tx);
    const WmFloat4 length_squared = ex * ex + ez * ez;
    WmFloat4 t = ex * (x - sx) + ez * (z - sz);
    if (length_squared[0] > 0) t /= length_squared;
    t = wm_select_float4(t < zero, zero, wm_select_float4(t > one, one, t));
    const WmFloat4 dx = (sx + t * ex) - x, dz = (sz + t * ez) - z;
    far &= dx * dx + dz * dz >= margin_squared;
  }
  return wm_mask_int4(inside & far);
}

/* A number in [-1, 1] that depends only on the sample's number. */
static float jitter_of(uint32_t sample, uint32_t factor) {
  return ((float)((sample * factor) & 0xffff) / 65535.0f) * 2.0f - 1.0f;
}

static void append_sample(Samples *samples, WmHeightPatch *patch, float x, float middle_y, float z,
                          float cell_size) {
  const uint32_t sample = samples->count++;
  const float height = wm_height_patch_look_up(patch, (WmFloat4){x, middle_y, z, 0});
  samples->x[sample] = NAN; /* no facet covers it */
  samples->y[sample] = samples->z[sample] = 0;
  if (isnan(height)) return;
  samples->x[sample] = x + (jitter_of(sample, 0x8da6b343u) * cell_size) * 0.1f;
  samples->z[sample] = z + (jitter_of(sample, 0xd8163841u) * cell_size) * 0.1f;
  samples->y[sample] = wm_height_patch_correct(patch, samples->x[sample], height, samples->z[sample]);
}

/* Makes samples at columns first .. end - 1 of all rows. */
static WM_NOINLINE void make_samples(Samples *samples, WmHeightPatch *patch, const Shape *shape,
                                     int32_t first, int32_t end, float middle_y, float cell_size) {
  const float distance = samples->distance, half = distance / 2;
  /* Half the sample distance; the reference compares it with a squared length. */
  const WmFloat4 margin_squared = wm_splat_float4(patch->surface ? half * half : half);
  samples->count = 0;
  for (int32_t row = 0; row < samples->row_count; row++) {
    const float z = (float)(samples->first_row + row) * distance;
    samples->row_first[row] = (int32_t)samples->count;
    for (int32_t column = first; column < end; column += 4) {
      const WmInt4 columns = wm_splat_int4(column) + (WmInt4){0, 1, 2, 3};
      const WmFloat4 x = wm_int4_to_float4(columns) * wm_splat_float4(distance);
      int accepted = accept_points(shape, x, wm_splat_float4(z), margin_squared);
      for (int32_t k = column; accepted && k < end; k++, accepted >>= 1) {
        if (accepted & 1) append_sample(samples, patch, (float)k * distance, middle_y, z, cell_size);
      }
    }
  }
  samples->row_first[samples->row_count] = (int32_t)samples->count;
}

/* ---- Measuring ---------------------------------------------------------------------------------------- */

/* Measures samples from .. to - 1, and up to three more, against the facet. The order of operations
 * decides the bits. */
WM_NOINLINE static void measure_samples(Samples *samples, uint32_t number, int32_t from, int32_t to) {
  const WmDetailFacet *facet = &samples->facets[number];
  const WmFloat4 ax = wm_splat_float4(facet->a[0]), az = wm_splat_float4(facet->a[2]);
  const WmFloat4 e0x = wm_splat_float4(facet->e0[0]), e0z = wm_splat_float4(facet->e0[2]);
  const WmFloat4 e1x = wm_splat_float4(facet->e1[0]), e1z = wm_splat_float4(facet->e1[2]);
  const WmFloat4 d00 = wm_splat_float4(facet->d00), d01 = wm_splat_float4(facet->d01);
  const WmFloat4 d11 = wm_splat_float4(facet->d11), inverse = wm_splat_float4(facet->inverse);
  const WmFloat4 low = wm_splat_float4(-1e-4f), high = wm_splat_float4(1 + 1e-4f);
  const WmInt4 zero = {0}, new_owner = wm_splat_int4((int32_t)number + 1);
  for (; from < to; from += 4) {
    const WmFloat4 e2x = wm_load_float4(samples->x + from) - ax;
    const WmFloat4 e2z = wm_load_float4(samples->z + from) - az;
    const WmFloat4 d02 = e0x * e2x + e0z * e2z, d12 = e1x * e2x + e1z * e2z;
    const WmFloat4 u = (d11 * d02 - d01 * d12) * inverse, v = (d00 * d12 - d01 * d02) * inverse;
    const WmInt4 covered = (u >= low) & (v >= low) & (u + v <= high);
    if (!wm_mask_int4(covered)) continue;
    const WmFloat4 y = (wm_splat_float4(facet->a[1]) + wm_splat_float4(facet->e0[1]) * u) +
                       wm_splat_float4(facet->e1[1]) * v;
    const WmInt4 difference = (WmInt4)(y - wm_load_float4(samples->y + from));
    const WmFloat4 distance = (WmFloat4)(difference & wm_splat_int4(INT32_MAX));
    const WmFloat4 error = wm_load_float4(samples->error + from);
    const WmInt4 owner = wm_load_int4(samples->owner + from);
    const WmInt4 nearer = covered & ~(distance >= error); /* also if there is no error yet */
    const WmInt4 shared = covered & (owner != zero) & wm_splat_int4(WM_DETAIL_SHARED);
    wm_store_float4(samples->error + from, wm_select_float4(nearer, distance, error));
    wm_store_int4(samples->owner + from, wm_select_int4(nearer, new_owner, owner) | shared);
  }
}

/* The margin, in diameters, by which a facet may cover samples outside its bounding box; infinite:
 * anywhere.
 *
 * The tolerance allows 1e-4 of each edge vector, two of them from the far edge. Rounding: with p at the
 * computed and q at the true position, |p - q| <= 32 epsilon k^1.5 |q - a| by first-order bounds of the
 * dot products, the determinant and its inverse, where k = d00 d11 / determinant is 1 over the squared
 * sine of the angle at a; |q - a| is at most 1.1 diameters while that factor is below 0.06, that is k <=
 * 1000. Thinner facets, a few in a hundred, are compared with every sample. */
static float relative_margin(float product, float determinant) {
  return product <= 30 * determinant ? 0.0015f : product <= 1000 * determinant ? 0.16f : INFINITY;
}

/* Adds a facet for a triangle and measures samples against it. Returns its number. */
static uint16_t add_facet(Samples *samples, const Shape *shape, const uint8_t *corners) {
  const uint16_t number =
      samples->free_count > 0 ? samples->free_facets[--samples->free_count] : (uint16_t)samples->facet_high++;
  WmDetailFacet *facet = &samples->facets[number];
  const WmFloat4 a = wm_load_float4(shape->at[corners[0]]), b = wm_load_float4(shape->at[corners[1]]);
  const WmFloat4 c = wm_load_float4(shape->at[corners[2]]), e0 = c - a, e1 = b - a;
  wm_store_float4(facet->a, a);
  wm_store_float4(facet->e0, e0);
  wm_store_float4(facet->e1, e1);
  const WmFloat4 p00 = e0 * e0, p01 = e0 * e1, p11 = e1 * e1;
  const float d00 = facet->d00 = p00[0] + p00[2], d01 = facet->d01 = p01[0] + p01[2];
  const float d11 = facet->d11 = p11[0] + p11[2];
  const float product = d00 * d11, determinant = product - d01 * d01;
  facet->inverse = 1.0f / determinant;
  facet->stamp = samples->stamp;
  memcpy(&facet->corners, corners, 4);
  const WmFloat4 low = wm_min_float4(a, wm_min_float4(b, c)), high = wm_max_float4(a, wm_max_float4(b, c));
  const WmFloat4 size = high - low;
  const float around = relative_margin(product, determinant) * (size[0] + size[2]) + samples->jitter;
  /* All grid lines from low to high are included, and a few beyond: the slack covers the rounding of the
   * lines and of this division. */
  const float end = (high[2] + around) * samples->inverse_distance, slack = 0.01f + 5e-7f * end;
  const float first_row = (float)samples->first_row, last = end + slack - first_row;
  const float first = (low[2] - around) * samples->inverse_distance - slack - first_row + 0.9999f;
  int32_t row_end = samples->row_count;
  if (last < (float)(row_end - 1)) row_end = (int32_t)last + 1;
  facet->from = samples->row_first[first > 0 ? (int32_t)first : 0];
  facet->to = samples->row_first[row_end];
  measure_samples(samples, number, facet->from, facet->to);
  return number;
}

/* Releases the samples from .. to - 1 of facets that have been removed. */
static void release_samples(Samples *samples, int32_t from, int32_t to) {
  for (; from < to; from++) {
    const int32_t owner = samples->owner[from];
    if (!owner || samples->facets[(owner & ~WM_DETAIL_SHARED) - 1].corners) continue;
    samples->owner[from] = 0;
    samples->error[from] = NAN;
    if (!(owner & WM_DETAIL_SHARED)) continue;
    /* The next three samples are measured too: that can only mark them as shared. */
    for (uint32_t number = 0; number < samples->facet_high; number++) {
      const WmDetailFacet *facet = &samples->facets[number];
      if (from >= facet->from && from < facet->to) measure_samples(samples, number, from, from + 1);
    }
  }
}

static uint16_t *facet_of(Samples *samples, const uint8_t *corners) {
  return samples->facet_of + (corners[0] * WM_DETAIL_VERTEX_STRIDE + corners[1]);
}

/* Updates the facets to the shape's triangles: only samples under changed triangles are measured again. */
static void update_facets(Samples *samples, const Shape *shape) {
  uint16_t added[WM_DETAIL_EDGE_LIMIT];
  uint32_t added_count = 0;
  samples->stamp++;
  for (uint32_t i = 0; i < shape->triangle_count; i++) {
    const uint8_t *corners = shape->corners + 4 * i;
    const uint32_t number = *facet_of(samples, corners);
    if (number < samples->facet_high && memcmp(&samples->facets[number].corners, corners, 4) == 0) {
      samples->facets[number].stamp = samples->stamp;
    } else {
      added[added_count++] = (uint16_t)i;
    }
  }
  int32_t from = (int32_t)samples->count, to = 0;
  for (uint32_t number = 0; number < samples->facet_high; number++) {
    WmDetailFacet *facet = &samples->facets[number];
    if (!facet->corners || facet->stamp == samples->stamp) continue;
    facet->corners = 0;
    facet->inverse = NAN; /* covers nothing */
    samples->free_facets[samples->free_count++] = (uint16_t)number;
    if (facet->from < from) from = facet->from;
    if (facet->to > to) to = facet->to;
  }
  release_samples(samples, from, to);
  for (uint32_t i = 0; i < added_count; i++) {
    const uint8_t *corners = shape->corners + 4 * (uint32_t)added[i];
    *facet_of(samples, corners) = add_facet(samples, shape, corners);
  }
}

/* ---- Insertion ---------------------------------------------------------------------------------------- */

/* Removes all facets and errors. */
static void clear_errors(Samples *samples) {
  const size_t count = samples->count;
  wm_store_float4(samples->x + count, wm_splat_float4(NAN));
  memset(samples->error, 0xff, (count + 4) * sizeof *samples->error);
  memset(samples->owner, 0, (count + 4) * sizeof *samples->owner);
  samples->facet_high = samples->free_count = 0;
}

static float find_largest_error(const Samples *samples) {
  WmFloat4 largest = {0};
  for (uint32_t i = 0; i < samples->count; i += 4) {
    largest = wm_max_float4(wm_load_float4(samples->error + i), largest);
  }
  largest = wm_max_float4(largest, (WmFloat4)wm_swap_pairs_int4((WmInt4)largest));
  largest = wm_max_float4(largest, (WmFloat4)wm_swap_halves_int4((WmInt4)largest));
  return largest[0];
}

/* Makes vertices of samples until all are within max_error. With by_flips from the hull's triangles, which
 * leaves no holes; otherwise by Recast's method, which returns false at the first dangling face.
 * used[vertex] is the sample of each new vertex. */
static bool insert_samples(WmDetailWorkspace *work, float max_error, bool by_flips, uint32_t *used) {
  Shape *shape = &work->shape;
  Samples *samples = &work->samples;
  clear_errors(samples);
  if (by_flips) {
    wm_detail_inserter_start(&work->inserter, shape);
  } else {
    wm_detail_triangulation_start(&work->triangulation);
  }
  while (shape->vertex_count < WM_DETAIL_VERTEX_LIMIT) {
    update_facets(samples, shape);
    const float error = find_largest_error(samples);
    if (!(error > 0) || error <= max_error) break;
    uint32_t i = 0;
    while (samples->error[i] != error) i++;
    used[shape->vertex_count] = i;
    wm_detail_append_vertex(shape, (WmFloat4){samples->x[i], samples->y[i], samples->z[i], 0});
    samples->x[i] = NAN; /* no facet covers it any more */
    samples->error[i] = 0;
    if (!by_flips) {
      if (!wm_detail_triangulate(&work->triangulation, shape)) return false;
    } else if (!wm_detail_insert_vertex(&work->inserter, shape)) {
      shape->vertex_count--;
    }
  }
  return true;
}

WmStatus wm_detail_sample_inside(WmContext *context, WmDetailWorkspace *work, WmFloat4 low, WmFloat4 high,
                                 float sample_distance, float max_error, float cell_size) {
  Shape *shape = &work->shape;
  Samples *samples = &work->samples;
  const float first_x = floorf(low[0] / sample_distance), end_x = ceilf(high[0] / sample_distance);
  const float first_z = floorf(low[2] / sample_distance), end_z = ceilf(high[2] / sample_distance);
  if (!(end_x < GRID_LIMIT && end_z < GRID_LIMIT && (end_x - first_x) * (end_z - first_z) < GRID_LIMIT)) {
    return wm_fail_number(context, WM_ERROR_LIMIT, "detailSampleDistance", "", (double)sample_distance,
                          " world units is too small for polygons of this size");
  }
  const int32_t rows = (int32_t)(end_z - first_z), columns = (int32_t)(end_x - first_x);
  if (rows == 0 || columns == 0) return WM_OK;
  if (!reserve_samples(context, samples, (uint32_t)(rows * columns))) return WM_ERROR_OUT_OF_MEMORY;
  samples->first_row = (int32_t)first_z;
  samples->row_count = rows;
  samples->distance = sample_distance;
  samples->inverse_distance = 1 / sample_distance;
  samples->jitter = 0.11f * cell_size;
  make_samples(samples, &work->patch, shape, (int32_t)first_x, (int32_t)end_x, (high[1] + low[1]) * 0.5f,
               cell_size);
  if (samples->count == 0 || work->patch.is_unreachable) return WM_OK;
  uint32_t used[WM_DETAIL_VERTEX_LIMIT] = {0};
  if (!work->patch.surface && insert_samples(work, max_error, false, used)) return WM_OK;
  /* Turns the inner vertices into samples again. */
  while (shape->vertex_count > shape->hull_count) {
    const int32_t vertex = --shape->vertex_count;
    samples->x[used[vertex]] = shape->x[vertex];
  }
  wm_detail_triangulate_hull(shape);
  insert_samples(work, max_error, true, used);
  return WM_OK;
}
