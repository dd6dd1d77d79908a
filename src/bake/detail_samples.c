/* Sample points inside one polygon, their distances from its triangles, and the insertion loop.
 *
 * Samples lie on a grid, slightly jittered. The sample farthest from the triangles becomes a vertex, the
 * vertices are triangulated anew, and so on until every sample is close enough. Source: M. Garland, P.
 * Heckbert, Fast polygonal approximation of terrains and height fields (1995), greedy insertion; as there,
 * only samples under triangles that changed are measured again.
 *
 * A sample's error is its smallest vertical distance from the facets that cover it (more than one near shared
 * edges, as the test is tolerant). It belongs to the facet that gives the error, and is linked into that
 * facet's list; when the facet goes, its samples are free for the facets that take its place. The bits of a
 * distance depend on which of its corners a facet starts with, so facets are told apart by ordered corners.
 *
 * A facet can only cover samples of its bounding box, enlarged by what the tolerance and rounding may add
 * (see sample_margin); the samples are sorted by rows, so a box is a few runs, four samples a step. */
#include "bake/detail_internal.h"

#include <math.h>
#include <string.h>

/* Grids of more points than this are refused: they would run for hours. */
static const float GRID_LIMIT = 1 << 26;

/* ---- The grid of samples ------------------------------------------------------------------------------ */

/* The outline's edges, with what a point's test against each needs. */
typedef struct Outline {
  int32_t count;
  float start_x[WM_DETAIL_POLYGON_LIMIT], start_z[WM_DETAIL_POLYGON_LIMIT];
  float along_x[WM_DETAIL_POLYGON_LIMIT], along_z[WM_DETAIL_POLYGON_LIMIT];
  float length_squared[WM_DETAIL_POLYGON_LIMIT];
  float end_x[WM_DETAIL_POLYGON_LIMIT], end_z[WM_DETAIL_POLYGON_LIMIT];
} Outline;

/* Grid lines first .. end - 1 on both axes, and the polygon's mean height. */
typedef struct SampleGrid {
  int32_t first_x, end_x, first_z, end_z;
  float middle_y;
} SampleGrid;

static Outline make_outline(const WmDetailShape *shape) {
  Outline outline = {.count = shape->polygon_vertex_count};
  for (int32_t i = 0, j = outline.count - 1; i < outline.count; j = i++) {
    outline.start_x[i] = shape->x[j];
    outline.start_z[i] = shape->z[j];
    outline.end_x[i] = shape->x[i];
    outline.end_z[i] = shape->z[i];
    outline.along_x[i] = shape->x[i] - shape->x[j];
    outline.along_z[i] = shape->z[i] - shape->z[j];
    outline.length_squared[i] =
        outline.along_x[i] * outline.along_x[i] + outline.along_z[i] * outline.along_z[i];
  }
  return outline;
}

/* Returns false where the grid would be too large. */
static bool make_grid(const WmDetailShape *shape, float sample_distance, SampleGrid *grid) {
  float low[3] = {shape->x[0], shape->y[0], shape->z[0]}, high[3] = {shape->x[0], shape->y[0], shape->z[0]};
  for (int32_t i = 1; i < shape->polygon_vertex_count; i++) {
    const float at[3] = {shape->x[i], shape->y[i], shape->z[i]};
    for (int k = 0; k < 3; k++) {
      low[k] = at[k] < low[k] ? at[k] : low[k];
      high[k] = at[k] > high[k] ? at[k] : high[k];
    }
  }
  const float first_x = floorf(low[0] / sample_distance), end_x = ceilf(high[0] / sample_distance);
  const float first_z = floorf(low[2] / sample_distance), end_z = ceilf(high[2] / sample_distance);
  if (!(end_x < GRID_LIMIT && end_z < GRID_LIMIT && (end_x - first_x) * (end_z - first_z) < GRID_LIMIT)) {
    return false;
  }
  *grid = (SampleGrid){(int32_t)first_x, (int32_t)end_x, (int32_t)first_z, (int32_t)end_z,
                       (high[1] + low[1]) * 0.5f};
  return true;
}

static bool reserve_samples(WmContext *context, WmDetailSamples *samples, size_t count, size_t rows) {
  if (count > samples->capacity) {
    const size_t capacity = count > 2 * samples->capacity ? count : 2 * samples->capacity;
    samples->capacity = 0;
    samples->x = wm_scratch_array(context, capacity + 4, sizeof(float));
    samples->y = wm_scratch_array(context, capacity + 4, sizeof(float));
    samples->z = wm_scratch_array(context, capacity + 4, sizeof(float));
    samples->error = wm_scratch_array(context, capacity + 4, sizeof(float));
    samples->owner = wm_scratch_array(context, capacity, sizeof *samples->owner);
    samples->is_shared = wm_scratch_array(context, capacity, sizeof *samples->is_shared);
    samples->next = wm_scratch_array(context, capacity, sizeof *samples->next);
    samples->previous = wm_scratch_array(context, capacity, sizeof *samples->previous);
    samples->orphans = wm_scratch_array(context, capacity, sizeof *samples->orphans);
    if (!samples->x || !samples->y || !samples->z || !samples->error || !samples->owner ||
        !samples->is_shared || !samples->next || !samples->previous || !samples->orphans) {
      return false;
    }
    samples->capacity = capacity;
  }
  if (rows > samples->row_capacity) {
    const size_t capacity = rows > 2 * samples->row_capacity ? rows : 2 * samples->row_capacity;
    samples->row_capacity = 0;
    samples->row_first = wm_scratch_array(context, capacity + 1, sizeof *samples->row_first);
    samples->row_column = wm_scratch_array(context, capacity, sizeof *samples->row_column);
    if (!samples->row_first || !samples->row_column) return false;
    samples->row_capacity = capacity;
  }
  return true;
}

/* The x at which edges cross a row, for the parity test. */
static int32_t cross_row(const Outline *outline, float z, float crossings[WM_DETAIL_POLYGON_LIMIT]) {
  int32_t count = 0;
  for (int32_t i = 0; i < outline->count; i++) {
    if ((outline->end_z[i] > z) == (outline->start_z[i] > z)) continue;
    const float zi = outline->end_z[i], zj = outline->start_z[i], xi = outline->end_x[i],
                xj = outline->start_x[i];
    crossings[count++] = ((xj - xi) * (z - zi)) / (zj - zi) + xi;
  }
  return count;
}

/* Bit k is set where the point (x[k], z) is inside and far enough from the outline. The measure is half the
 * sample distance held against a squared length, as in the reference. */
static int accept_points(const Outline *outline, const float *crossings, int32_t crossing_count, WmFloat4 x,
                         float z, float half_distance) {
  const WmFloat4 zero = {0}, one = wm_splat_float4(1);
  WmInt4 inside = {0};
  for (int32_t i = 0; i < crossing_count; i++) inside ^= x < wm_splat_float4(crossings[i]);
  if (!wm_mask_int4(inside)) return 0;
  for (int32_t i = 0; i < outline->count; i++) {
    const WmFloat4 sx = wm_splat_float4(outline->start_x[i]), ex = wm_splat_float4(outline->along_x[i]);
    const WmFloat4 ez = wm_splat_float4(outline->along_z[i]);
    const float from_z = z - outline->start_z[i];
    WmFloat4 t = ex * (x - sx) + ez * wm_splat_float4(from_z);
    if (outline->length_squared[i] > 0) t /= wm_splat_float4(outline->length_squared[i]);
    t = wm_select_float4(t < zero, zero, wm_select_float4(t > one, one, t));
    const WmFloat4 dx = (sx + t * ex) - x;
    const WmFloat4 dz = (wm_splat_float4(outline->start_z[i]) + t * ez) - wm_splat_float4(z);
    inside &= dx * dx + dz * dz >= wm_splat_float4(half_distance);
    if (!wm_mask_int4(inside)) return 0;
  }
  return wm_mask_int4(inside);
}

/* A number in [-1, 1] that depends only on the sample's number. */
static float jitter_of(uint32_t sample, uint32_t factor) {
  return ((float)((sample * factor) & 0xffff) / 65535.0f) * 2.0f - 1.0f;
}

static void append_sample(WmDetailSamples *samples, WmHeightPatch *patch, const SampleGrid *grid,
                          int32_t column, float z, float cell_size) {
  const uint32_t sample = (uint32_t)samples->count++;
  const float x = (float)column * samples->distance;
  const float height = (float)wm_height_patch_look_up(patch, x, grid->middle_y, z);
  samples->x[sample] = x + (jitter_of(sample, 0x8da6b343u) * cell_size) * 0.1f;
  samples->y[sample] = height * patch->cell_height;
  samples->z[sample] = z + (jitter_of(sample, 0xd8163841u) * cell_size) * 0.1f;
}

static void make_samples(WmDetailSamples *samples, WmHeightPatch *patch, const WmDetailShape *shape,
                         const SampleGrid *grid, float cell_size) {
  const Outline outline = make_outline(shape);
  const float half_distance = samples->distance / 2;
  samples->count = 0;
  samples->first_row = grid->first_z;
  samples->row_count = grid->end_z - grid->first_z;
  samples->is_irregular = false;
  for (int32_t row = 0; row < samples->row_count; row++) {
    const float z = (float)(grid->first_z + row) * samples->distance;
    float crossings[WM_DETAIL_POLYGON_LIMIT];
    const int32_t crossing_count = cross_row(&outline, z, crossings);
    const uint32_t first = samples->row_first[row] = (uint32_t)samples->count;
    samples->row_column[row] = grid->first_x;
    for (int32_t column = grid->first_x; column < grid->end_x && crossing_count > 0; column += 4) {
      const WmInt4 columns = wm_splat_int4(column) + (WmInt4){0, 1, 2, 3};
      const WmFloat4 x = wm_int4_to_float4(columns) * wm_splat_float4(samples->distance);
      const int accepted = accept_points(&outline, crossings, crossing_count, x, z, half_distance);
      for (int k = 0; k < 4 && column + k < grid->end_x; k++) {
        if (!(accepted >> k & 1)) continue;
        if (samples->count == first) samples->row_column[row] = column + k;
        samples->is_irregular |= column + k - samples->row_column[row] != (int32_t)(samples->count - first);
        append_sample(samples, patch, grid, column + k, z, cell_size);
      }
    }
  }
  samples->row_first[samples->row_count] = (uint32_t)samples->count;
}

/* No facets, no errors yet. */
static void clear_errors(WmDetailSamples *samples) {
  const size_t count = samples->count;
  for (size_t i = count; i < count + 4; i++) samples->x[i] = samples->y[i] = samples->z[i] = NAN;
  memset(samples->error, 0, (count + 4) * sizeof *samples->error);
  memset(samples->owner, 0xff, count * sizeof *samples->owner);
  memset(samples->is_shared, 0, count * sizeof *samples->is_shared);
  samples->facet_high = samples->free_count = 0;
  samples->orphan_count = 0;
}

/* ---- Measuring --------------------------------------------------------------------------------------------
 */

static void unlink_sample(WmDetailSamples *samples, uint32_t sample) {
  const uint32_t next = samples->next[sample], previous = samples->previous[sample];
  if (next != UINT32_MAX) samples->previous[next] = previous;
  if (previous != UINT32_MAX) {
    samples->next[previous] = next;
  } else {
    samples->facets[samples->owner[sample]].first_sample = next;
  }
}

static void link_sample(WmDetailSamples *samples, uint32_t sample, uint16_t facet) {
  const uint32_t next = samples->facets[facet].first_sample;
  samples->owner[sample] = facet;
  samples->next[sample] = next;
  samples->previous[sample] = UINT32_MAX;
  if (next != UINT32_MAX) samples->previous[next] = sample;
  samples->facets[facet].first_sample = sample;
}

/* The facet covers the sample at this distance. */
static void cover_sample(WmDetailSamples *samples, uint32_t sample, uint16_t facet, float distance) {
  const uint16_t owner = samples->owner[sample];
  if (owner == facet) return; /* a step of four reaches into the next row */
  if (owner != WM_DETAIL_NO_FACET) {
    samples->is_shared[sample] = 1;
    if (distance >= samples->error[sample]) return;
    unlink_sample(samples, sample);
  }
  link_sample(samples, sample, facet);
  samples->error[sample] = distance;
}

/* Measures samples first .. first + 3. The operations and their order decide the bits. */
static inline void measure_four(WmDetailSamples *samples, uint16_t number, size_t first) {
  const WmDetailFacet *facet = &samples->facets[number];
  const WmFloat4 e2x = wm_load_float4(samples->x + first) - wm_splat_float4(facet->ax);
  const WmFloat4 e2z = wm_load_float4(samples->z + first) - wm_splat_float4(facet->az);
  const WmFloat4 d02 = wm_splat_float4(facet->e0x) * e2x + wm_splat_float4(facet->e0z) * e2z;
  const WmFloat4 d12 = wm_splat_float4(facet->e1x) * e2x + wm_splat_float4(facet->e1z) * e2z;
  const WmFloat4 d00 = wm_splat_float4(facet->d00), d01 = wm_splat_float4(facet->d01);
  const WmFloat4 d11 = wm_splat_float4(facet->d11), inverse = wm_splat_float4(facet->inverse);
  const WmFloat4 u = (d11 * d02 - d01 * d12) * inverse;
  const WmFloat4 v = (d00 * d12 - d01 * d02) * inverse;
  const WmFloat4 low = wm_splat_float4(-1e-4f);
  const WmInt4 covered = (u >= low) & (v >= low) & (u + v <= wm_splat_float4(1 + 1e-4f));
  int mask = wm_mask_int4(covered);
  if (!mask) return;
  const WmFloat4 y =
      (wm_splat_float4(facet->ay) + wm_splat_float4(facet->e0y) * u) + wm_splat_float4(facet->e1y) * v;
  float distance[4];
  wm_store_float4(distance, y - wm_load_float4(samples->y + first));
  for (size_t k = 0; mask; k++, mask >>= 1) {
    if (mask & 1) cover_sample(samples, (uint32_t)(first + k), number, fabsf(distance[k]));
  }
}

/* How far outside its bounding box, in diameters, a facet may still cover samples; negative: anywhere.
 *
 * The tolerance allows 1e-4 of each edge vector, two of them from the far edge. Rounding: with p at the
 * computed and q at the true position, |p - q| <= 32 epsilon k^1.5 |q - a| by first-order bounds of the dot
 * products, the determinant and its inverse, where k = d00 d11 / determinant is 1 over the squared sine of
 * the angle at a; |q - a| is at most 1.1 diameters while that factor is below 0.06, that is k <= 1000.
 * Thinner facets, a few in a hundred, are held against every sample. */
static float relative_margin(const WmDetailFacet *facet) {
  const float determinant = facet->d00 * facet->d11 - facet->d01 * facet->d01;
  const float product = facet->d00 * facet->d11;
  if (product <= 30 * determinant) return 0.0015f;
  return product <= 1000 * determinant ? 0.16f : -1;
}

static float min_float(float a, float b) { return a < b ? a : b; }
static float max_float(float a, float b) { return a > b ? a : b; }

/* Grid lines first .. last that lie between low and high, or a little beyond: the slack covers the rounding
 * of both the lines and this division. */
typedef struct Lines {
  int32_t first, last;
} Lines;

static Lines lines_between(float low, float high, float inverse_distance) {
  const float first = low * inverse_distance, last = high * inverse_distance;
  const float slack = 0.01f + 4e-7f * last;
  return (Lines){first - slack > 0 ? (int32_t)(first - slack) + 1 : 0, (int32_t)(last + slack)};
}

/* Runs of samples in the facet's enlarged box. */
static void measure_box(WmDetailSamples *samples, const WmDetailShape *shape, uint16_t number, float margin) {
  const uint8_t *c = samples->facets[number].corners;
  const float *x = shape->x, *z = shape->z;
  const float low_x = min_float(x[c[0]], min_float(x[c[1]], x[c[2]]));
  const float high_x = max_float(x[c[0]], max_float(x[c[1]], x[c[2]]));
  const float low_z = min_float(z[c[0]], min_float(z[c[1]], z[c[2]]));
  const float high_z = max_float(z[c[0]], max_float(z[c[1]], z[c[2]]));
  const float around = margin * ((high_x - low_x) + (high_z - low_z)) + samples->jitter;
  const float inverse_distance = samples->inverse_distance;
  const Lines rows = lines_between(low_z - around, high_z + around, inverse_distance);
  const Lines columns = lines_between(low_x - around, high_x + around, inverse_distance);
  int32_t row = rows.first - samples->first_row, last_row = rows.last - samples->first_row;
  if (row < 0) row = 0;
  if (last_row >= samples->row_count) last_row = samples->row_count - 1;
  for (; row <= last_row; row++) {
    const int64_t first = samples->row_first[row], end = samples->row_first[row + 1];
    int64_t from = first + columns.first - samples->row_column[row];
    int64_t to = first + columns.last - samples->row_column[row] + 1;
    if (from < first) from = first;
    if (to > end) to = end;
    for (; from < to; from += 4) measure_four(samples, number, (size_t)from);
  }
}

static void measure_facet(WmDetailSamples *samples, const WmDetailShape *shape, uint16_t number) {
  const float margin = relative_margin(&samples->facets[number]);
  if (margin < 0 || samples->is_irregular) {
    for (size_t i = 0; i < samples->count; i += 4) measure_four(samples, number, i);
  } else {
    measure_box(samples, shape, number, margin);
  }
}

uint16_t wm_detail_add_facet(WmDetailSamples *samples, const WmDetailShape *shape, const uint8_t corners[3]) {
  const uint16_t number =
      samples->free_count > 0 ? samples->free_facets[--samples->free_count] : samples->facet_high++;
  WmDetailFacet *facet = &samples->facets[number];
  const int a = corners[0], b = corners[1], c = corners[2];
  *facet = (WmDetailFacet){.ax = shape->x[a], .ay = shape->y[a], .az = shape->z[a]};
  facet->e0x = shape->x[c] - facet->ax;
  facet->e0y = shape->y[c] - facet->ay;
  facet->e0z = shape->z[c] - facet->az;
  facet->e1x = shape->x[b] - facet->ax;
  facet->e1y = shape->y[b] - facet->ay;
  facet->e1z = shape->z[b] - facet->az;
  facet->d00 = facet->e0x * facet->e0x + facet->e0z * facet->e0z;
  facet->d01 = facet->e0x * facet->e1x + facet->e0z * facet->e1z;
  facet->d11 = facet->e1x * facet->e1x + facet->e1z * facet->e1z;
  facet->inverse = 1.0f / (facet->d00 * facet->d11 - facet->d01 * facet->d01);
  facet->first_sample = UINT32_MAX;
  facet->is_live = true;
  memcpy(facet->corners, corners, 3);
  measure_facet(samples, shape, number);
  return number;
}

void wm_detail_remove_facet(WmDetailSamples *samples, uint16_t number) {
  WmDetailFacet *facet = &samples->facets[number];
  facet->is_live = false;
  samples->free_facets[samples->free_count++] = number;
  for (uint32_t sample = facet->first_sample; sample != UINT32_MAX; sample = samples->next[sample]) {
    samples->owner[sample] = WM_DETAIL_NO_FACET;
    samples->error[sample] = 0;
    if (samples->is_shared[sample]) samples->orphans[samples->orphan_count++] = sample;
    samples->is_shared[sample] = 0;
  }
}

void wm_detail_resolve_orphans(WmDetailSamples *samples) {
  for (uint32_t i = 0; i < samples->orphan_count; i++) {
    /* Its three neighbours in memory are measured along; they gain nothing but marks that they are shared. */
    for (uint16_t number = 0; number < samples->facet_high; number++) {
      if (samples->facets[number].is_live) measure_four(samples, number, samples->orphans[i]);
    }
  }
  samples->orphan_count = 0;
}

/* ---- Insertion
 * ---------------------------------------------------------------------------------------------- */

/* The first sample with the largest error above 0, or SIZE_MAX. */
static size_t find_farthest(const WmDetailSamples *samples, float *error) {
  WmFloat4 largest = {0};
  for (size_t i = 0; i < samples->count; i += 4) {
    largest = wm_max_float4(wm_load_float4(samples->error + i), largest);
  }
  *error = max_float(max_float(largest[0], largest[1]), max_float(largest[2], largest[3]));
  if (!(*error > 0)) return SIZE_MAX;
  size_t i = 0;
  while (samples->error[i] != *error) i++;
  return i;
}

/* Makes a sample a vertex; it covers and is covered no more. */
static void append_vertex(WmDetailShape *shape, WmDetailSamples *samples, size_t sample) {
  const int32_t vertex = shape->vertex_count++;
  shape->x[vertex] = samples->x[sample];
  shape->y[vertex] = samples->y[sample];
  shape->z[vertex] = samples->z[sample];
  samples->x[sample] = NAN;
  samples->error[sample] = 0;
}

/* Makes the vertices inside samples again. */
static void take_vertices_back(WmDetailShape *shape, WmDetailSamples *samples, const uint32_t *used) {
  while (shape->vertex_count > shape->hull_count) {
    const int32_t vertex = --shape->vertex_count;
    samples->x[used[vertex]] = shape->x[vertex];
  }
}

/* By Recast's method. Returns false at the first dangling face. */
static bool insert_exactly(WmDetailWorkspace *work, float max_error, uint32_t *used) {
  WmDetailShape *shape = &work->shape;
  WmDetailSamples *samples = &work->samples;
  clear_errors(samples);
  for (uint32_t i = 0; i < shape->triangle_count; i++)
    wm_detail_add_facet(samples, shape, shape->corners + 4 * i);
  while (shape->vertex_count < WM_DETAIL_VERTEX_LIMIT) {
    float error = 0;
    const size_t farthest = find_farthest(samples, &error);
    if (farthest == SIZE_MAX || error <= max_error) break;
    used[shape->vertex_count] = (uint32_t)farthest;
    append_vertex(shape, samples, farthest);
    if (shape->vertex_count == shape->hull_count + 1) wm_detail_triangulation_start(&work->triangulation);
    if (!wm_detail_triangulate(&work->triangulation, shape, samples)) return false;
  }
  if (shape->vertex_count > shape->hull_count) wm_detail_take_triangles(&work->triangulation, samples, shape);
  return true;
}

/* By flips from the hull's triangles, which leaves no holes. */
static void insert_by_flips(WmDetailWorkspace *work, float max_error, uint32_t *used) {
  WmDetailShape *shape = &work->shape;
  WmDetailSamples *samples = &work->samples;
  take_vertices_back(shape, samples, used);
  clear_errors(samples);
  wm_detail_inserter_start(&work->inserter, shape, samples);
  while (shape->vertex_count < WM_DETAIL_VERTEX_LIMIT) {
    float error = 0;
    const size_t farthest = find_farthest(samples, &error);
    if (farthest == SIZE_MAX || error <= max_error) break;
    used[shape->vertex_count] = (uint32_t)farthest;
    append_vertex(shape, samples, farthest);
    if (!wm_detail_insert_vertex(&work->inserter, shape, samples)) shape->vertex_count--;
  }
}

WmStatus wm_detail_sample_inside(WmContext *context, WmDetailWorkspace *work, float sample_distance,
                                 float max_error, float cell_size) {
  WmDetailShape *shape = &work->shape;
  WmDetailSamples *samples = &work->samples;
  SampleGrid grid;
  if (!make_grid(shape, sample_distance, &grid)) {
    return wm_fail_number(context, WM_ERROR_LIMIT, "detailSampleDistance", "", (double)sample_distance,
                          " world units is too small for polygons of this size");
  }
  const size_t rows = (size_t)(grid.end_z - grid.first_z), columns = (size_t)(grid.end_x - grid.first_x);
  if (!reserve_samples(context, samples, rows * columns, rows)) return WM_ERROR_OUT_OF_MEMORY;
  samples->distance = sample_distance;
  samples->inverse_distance = 1 / sample_distance;
  samples->jitter = 0.11f * cell_size;
  make_samples(samples, &work->patch, shape, &grid, cell_size);
  if (work->patch.status) return work->patch.status;
  if (samples->count == 0 || work->patch.is_unreachable) return WM_OK;
  uint32_t used[WM_DETAIL_VERTEX_LIMIT] = {0}; /* sample of each vertex inside */
  if (!insert_exactly(work, max_error, used)) insert_by_flips(work, max_error, used);
  return WM_OK;
}
