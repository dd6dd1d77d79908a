/* Simplifies one contour: from a vertex at each cell corner to few.
 *
 * In: the raw vertices [n], a ring. Three rules retain vertices: (1) where the region across changes, or
 * else the two extreme ones; (2) between them, along walls, the vertex farthest from the chord if it is
 * farther than max_error; (3) the midpoints of edges longer than max_edge_cells. Out: the retained
 * vertices in ring order, each with the code of the edge that starts there.
 *
 * The ring is processed as segments between retained vertices, from `first` to the top of a stack of ends.
 * A segment that must be split gets its split point pushed as a nearer end; otherwise `first` is written,
 * and the next segment begins at the end:
 *
 *     first . . . farthest . . . end      ends: [end]
 *     first . farthest                    ends: [end, farthest]   (pushed; the first half is next)
 *             first . . . . . . . end     ends: [end]             (popped; `first` was written)
 *
 * So vertices are written in order, and the stack contains each vertex at most once. Source: D. Douglas,
 * T. Peucker, Algorithms for the reduction of the number of points (1973); the rules for ties, chord
 * directions and codes are the Recast library's. */
#include <string.h>

#include "bake/contours/contours_internal.h"
#include "base/simd.h"

enum {
  REGION_MASK = 0xffff,
  EDGE_CODE = REGION_MASK | WM_CONTOUR_AREA_BORDER, /* the bits that describe the edge ending at a vertex */
  /* Recast ends a trace after 39999 steps, so longer contours have no counterpart. Splitting those near
   * the middle bounds the work for shapes like combs, whose farthest vertex is always near an end. */
  LONGEST_COMPARABLE = 39999,
  LONG_STRETCH = 2048,
  NO_CUT = 0 /* a split point is never the first vertex */
};

WM_COLD static bool is_upward(const WmContourVertex *from, const WmContourVertex *to) {
  return wm_contour_sort_key(to) > wm_contour_sort_key(from);
}

/* ---- Step 1: where to start ------------------------------------------------------------------------- */

/* Stacks the vertices at which the region across changes, the first one on top, above a free slot. Returns
 * the height of the stack; 1 if only walls are across. */
WM_COLD static uint32_t find_changes(const WmContourVertex *raw, uint32_t count, WmContourEnd *ends) {
  uint32_t height = 1;
  int32_t any = 0;
  for (uint32_t i = count; i-- > 0;) {
    any |= raw[i].code;
    if ((raw[i].code ^ raw[i + 1].code) & EDGE_CODE) ends[height++] = (WmContourEnd){i, false};
  }
  return (any & REGION_MASK) ? height : 1;
}

/* Stacks the last and the first vertex by sort key, above a free slot. */
WM_COLD static void find_extremes(const WmContourVertex *raw, uint32_t count, WmContourEnd *ends) {
  uint32_t lowest = 0, highest = 0;
  for (uint32_t i = 1; i < count; i++) {
    if (wm_contour_sort_key(&raw[i]) < wm_contour_sort_key(&raw[lowest])) lowest = i;
    if (wm_contour_sort_key(&raw[i]) > wm_contour_sort_key(&raw[highest])) highest = i;
  }
  ends[1] = (WmContourEnd){highest > lowest ? highest : highest + count, false};
  ends[2] = (WmContourEnd){lowest, false};
}

/* ---- Step 2: vertices too far from the chord -------------------------------------------------------- */

/* The vertex of first..end-1 farthest from the chord, if its distance is more than the square root of
 * limit2; otherwise NO_CUT. Of equally far ones the one nearest to the chord's start along the ring. */
static uint32_t find_farthest(const WmContourVertex *raw, uint32_t chord_start, uint32_t chord_end,
                              uint32_t first, uint32_t end, float limit2) {
  const WmContourVertex *from = raw + chord_start, *to = raw + chord_end;
  const float ex = (float)(to->x - from->x), ez = (float)(to->z - from->z);
  const WmFloat4 from_x = wm_splat_float4((float)from->x), from_z = wm_splat_float4((float)from->z);
  const float length2 = ex * ex + ez * ez;
  const WmFloat4 divisor = wm_splat_float4(length2 > 0 ? length2 : 1); /* a point: 0 / 1 */
  const WmInt4 last_wins = wm_splat_int4(-(chord_start > chord_end));
  const WmInt4 ends = wm_splat_int4((int32_t)end);
  WmFloat4 farthest = wm_splat_float4(0);
  WmInt4 where = wm_splat_int4(0), index = wm_splat_int4((int32_t)first) + (WmInt4){0, 1, 2, 3};
  for (uint32_t i = first; i < end; i += 4, index += 4) {
    /* Lanes past the end read initialized memory and are masked. */
    const uint32_t *four = (const uint32_t *)(const void *)&raw[i];
    WmUint4 v[4] = {wm_load_uint4(four), wm_load_uint4(four + 4), wm_load_uint4(four + 8),
                    wm_load_uint4(four + 12)};
    wm_transpose_uint4(v);
    const WmFloat4 x = wm_int4_to_float4((WmInt4)v[0]), z = wm_int4_to_float4((WmInt4)v[2]);
    WmFloat4 dx = x - from_x, dz = z - from_z;
    WmFloat4 t = (ex * dx + ez * dz) / divisor;
    t = wm_min_float4(wm_max_float4(t, wm_splat_float4(0)), wm_splat_float4(1));
    dx = (from_x + t * ex) - x;
    dz = (from_z + t * ez) - z;
    const WmFloat4 d = dx * dx + dz * dz;
    const WmInt4 better =
        ((WmInt4)(d > farthest) | ((WmInt4)(d == farthest) & last_wins)) & (WmInt4)(index < ends);
    farthest = wm_select_float4(better, d, farthest);
    where = wm_select_int4(better, index, where);
  }
  float best = limit2;
  uint32_t best_index = NO_CUT;
  for (int lane = 0; lane < 4; lane++) {
    const uint32_t at = (uint32_t)where[lane];
    const bool tie_won =
        best_index != NO_CUT && farthest[lane] == best && (at > best_index) == (last_wins[0] != 0);
    if (!(farthest[lane] > best) && !tie_won) continue;
    best = farthest[lane];
    best_index = at;
  }
  return best_index;
}

WM_COLD static uint32_t choose_cut(const WmContourSimplifier *simplifier, const WmContourVertex *raw,
                                   uint32_t count, uint32_t first, uint32_t last) {
  const bool upward = is_upward(&raw[first], &raw[last]);
  const int32_t code = raw[upward ? first + 1 : last - 1].code;
  if ((code & REGION_MASK) != 0 && (code & WM_CONTOUR_AREA_BORDER) == 0) return NO_CUT;
  /* Chords run from the lower to the higher sort key, so that the two contours at an edge choose the same
   * vertices. */
  const uint32_t from = upward ? first : last, to = upward ? last : first, length = last - first;
  const float limit2 = simplifier->max_error * simplifier->max_error;
  const uint32_t cut = find_farthest(raw, from, to, first + 1, last, limit2);
  if (cut == NO_CUT || count <= LONGEST_COMPARABLE || length <= LONG_STRETCH) return cut;
  const uint32_t middle = find_farthest(raw, from, to, first + length / 4, last - length / 4, limit2);
  return middle == NO_CUT ? cut : middle;
}

/* ---- Step 3: edges that are too long ---------------------------------------------------------------- */

WM_COLD static uint32_t choose_midpoint(const WmContourSimplifier *simplifier, const WmContourVertex *raw,
                                        uint32_t first, uint32_t last) {
  const int32_t code = raw[first + 1].code;
  const bool wall = (simplifier->flags & WM_CONTOUR_SPLIT_WALL_EDGES) && (code & REGION_MASK) == 0;
  const bool area = (simplifier->flags & WM_CONTOUR_SPLIT_AREA_EDGES) && (code & WM_CONTOUR_AREA_BORDER);
  const int64_t longest = simplifier->max_edge_cells;
  const WmPlanarPoint a = wm_contour_point(&raw[first]), b = wm_contour_point(&raw[last]);
  if (longest <= 0 || (!wall && !area) || wm_planar_distance_squared(a, b) <= longest * longest)
    return NO_CUT;
  const bool upward = is_upward(&raw[first], &raw[last]);
  return first + (last - first + !upward) / 2;
}

/* ---- The result ------------------------------------------------------------------------------------- */

/* Writes the retained vertices, given the stack of ends and the vertex to start from. */
static uint32_t write_retained(const WmContourSimplifier *simplifier, const WmContourVertex *raw,
                               uint32_t count, uint32_t first, uint32_t height, WmContourVertex *out) {
  uint32_t written = 0;
  while (height > 0) {
    WmContourEnd *end = &simplifier->ends[height - 1];
    uint32_t cut = NO_CUT;
    if (end->index - first > 1) {
      if (!end->by_length) cut = choose_cut(simplifier, raw, count, first, end->index);
      if (cut == NO_CUT) {
        cut = choose_midpoint(simplifier, raw, first, end->index);
        end->by_length |= cut != NO_CUT; /* step 2 is skipped for both halves */
      }
    }
    if (cut != NO_CUT) {
      simplifier->ends[height++] = (WmContourEnd){cut, end->by_length};
      continue;
    }
    const WmContourVertex *vertex = &raw[first];
    out[written++] =
        (WmContourVertex){vertex->x - simplifier->border_size, vertex->y, vertex->z - simplifier->border_size,
                          (vertex[1].code & EDGE_CODE) | (vertex->code & ~EDGE_CODE)};
    first = end->index;
    height--;
  }
  return written;
}

/* Drops a vertex equal to its successor; the successor of a dropped one is skipped. */
WM_COLD static uint32_t drop_equal_neighbours(WmContourVertex *vertices, uint32_t count) {
  uint32_t retained = 0;
  for (uint32_t i = 0; i < count; i++) {
    const WmContourVertex *successor = &vertices[i + 1 == count ? 0 : i + 1];
    if (wm_contour_sort_key(&vertices[i]) == wm_contour_sort_key(successor) && ++i == count) break;
    vertices[retained++] = vertices[i];
  }
  return retained;
}

WM_COLD WmStatus wm_contour_simplify(WmContext *context, WmContourSimplifier *simplifier,
                                     WmContourVertexList *raws, uint32_t raw_count,
                                     WmContourVertexList *simplified, uint32_t *count) {
  *count = 0;
  if (raw_count < 3) return WM_OK;
  simplifier->ends = wm_scratch_reserve(context, simplifier->ends, &simplifier->capacity,
                                        (size_t)raw_count + 1, sizeof *simplifier->ends);
  /* The ring is repeated after its end, so that no walk wraps: its last vertex is number start +
   * raw_count. */
  if (!simplifier->ends || !wm_contour_extend(context, raws, (size_t)raw_count + 4) ||
      !wm_contour_extend(context, simplified, raw_count)) {
    return WM_ERROR_OUT_OF_MEMORY;
  }
  WmContourVertex *raw = raws->items + raws->count - raw_count;
  raw[raw_count] = raw[0];
  uint32_t height = find_changes(raw, raw_count, simplifier->ends);
  if (height == 1) {
    find_extremes(raw, raw_count, simplifier->ends);
    height = 3;
  }
  const uint32_t start = simplifier->ends[--height].index;
  simplifier->ends[0] = (WmContourEnd){start + raw_count, false};
  memcpy(raw + raw_count, raw, (start + 1) * sizeof *raw);

  WmContourVertex *out = simplified->items + simplified->count;
  const uint32_t written = write_retained(simplifier, raw, raw_count, start, height, out);
  const uint32_t left = drop_equal_neighbours(out, written);
  if (left < 3) return WM_OK;
  simplified->count += left;
  *count = left;
  return WM_OK;
}
