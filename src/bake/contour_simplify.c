/* Simplifying one contour: from a vertex at every cell corner to few.
 *
 * In: the raw vertices [n], a ring. Kept are (1) vertices where the region across changes, or the two
 * extreme ones; (2) between them along walls, whatever strays farther than max_error from the chord; (3) the
 * middles of edges longer than max_edge_cells. Out: kept vertices in ring order, each with the code of the
 * edge that starts there. Which vertices are kept is a flag per vertex; each stretch between two kept ones is
 * cut by itself, with an explicit stack that holds the longer part, so that it stays below 64 entries.
 * Source: D. Douglas, T. Peucker, Algorithms for the reduction of the number of points (1973); the rules for
 * ties, chord directions and codes are the Recast library's. */
#include "bake/contours_internal.h"

#include <string.h>

#include "base/simd.h"

enum {
  REGION_MASK = 0xffff,
  /* Recast ends a trace after 39999 steps, so longer contours have no counterpart: cutting them near the
   * middle bounds the work for shapes like combs, where the farthest vertex is always near an end. */
  LONGEST_COMPARABLE = 39999,
  LONG_STRETCH = 2048
};

/* Indices count on past the end of the ring: first < last <= first + n. */
typedef struct Stretch {
  uint32_t first, last;
} Stretch;

typedef struct Ring {
  const WmContourVertex *raw;
  uint32_t count;
  const WmContourSimplifier *simplifier;
  uint8_t *keep;
} Ring;

static uint32_t wrap(const Ring *ring, uint32_t index) {
  return index >= ring->count ? index - ring->count : index;
}

static const WmContourVertex *vertex_at(const Ring *ring, uint32_t index) {
  return ring->raw + wrap(ring, index);
}

/* Whether b comes after a in the order of x, then z: chords are always walked that way, so that the two
 * contours on either side of an edge choose the same vertices. */
static bool is_after(const WmContourVertex *b, const WmContourVertex *a) {
  return b->x > a->x || (b->x == a->x && b->z > a->z);
}

/* ---- Step 1: where to start ---------------------------------------------------------------------- */

/* Marks the first vertices to keep; returns the one the result starts with. */
static uint32_t keep_region_changes(const Ring *ring, uint32_t *kept_count) {
  uint32_t start = 0, kept = 0;
  int32_t any = 0;
  for (uint32_t i = 0; i < ring->count; i++) any |= ring->raw[i].code & REGION_MASK;
  if (any) {
    for (uint32_t i = ring->count; i-- > 0;) {
      const int32_t change = ring->raw[i].code ^ vertex_at(ring, i + 1)->code;
      if ((change & (REGION_MASK | WM_CONTOUR_AREA_BORDER)) == 0) continue;
      ring->keep[i] = 1;
      start = i;
      kept++;
    }
  }
  *kept_count = kept;
  return start;
}

static uint32_t keep_extremes(const Ring *ring, uint32_t *kept_count) {
  uint32_t least = 0, most = 0;
  for (uint32_t i = 1; i < ring->count; i++) {
    if (is_after(&ring->raw[least], &ring->raw[i])) least = i;
    if (is_after(&ring->raw[i], &ring->raw[most])) most = i;
  }
  ring->keep[least] = ring->keep[most] = 1;
  *kept_count = least == most ? 1 : 2;
  return least;
}

/* ---- Step 2: what strays too far -------------------------------------------------------------------- */

typedef struct Chord {
  float x, z;    /* where it starts */
  float ex, ez;  /* to its end */
  float length2; /* 1 where it is a point, which changes nothing: 0 / 1 */
} Chord;

typedef struct Farthest {
  float distance2;
  uint32_t index;
} Farthest;

static Chord make_chord(const WmContourVertex *from, const WmContourVertex *to) {
  Chord chord = {(float)from->x, (float)from->z, (float)(to->x - from->x), (float)(to->z - from->z), 0};
  chord.length2 = chord.ex * chord.ex + chord.ez * chord.ez;
  if (!(chord.length2 > 0)) chord.length2 = 1;
  return chord;
}

static float measure_distance2(const Chord *chord, float x, float z) {
  float dx = x - chord->x, dz = z - chord->z;
  float t = (chord->ex * dx + chord->ez * dz) / chord->length2;
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  dx = (chord->x + t * chord->ex) - x;
  dz = (chord->z + t * chord->ez) - z;
  return dx * dx + dz * dz;
}

static WmFloat4 measure_distance2_x4(const Chord *chord, WmFloat4 x, WmFloat4 z) {
  WmFloat4 dx = x - chord->x, dz = z - chord->z;
  WmFloat4 t = (chord->ex * dx + chord->ez * dz) / chord->length2;
  t = wm_min_float4(wm_max_float4(t, wm_splat_float4(0)), wm_splat_float4(1));
  dx = (chord->x + t * chord->ex) - x;
  dz = (chord->z + t * chord->ez) - z;
  return dx * dx + dz * dz;
}

/* The farthest of the vertices first..end-1; of equal ones the first, or the last where `last_wins`. */
static Farthest find_farthest(const WmContourSimplifier *arrays, const Chord *chord, uint32_t first,
                              uint32_t end, bool last_wins) {
  Farthest best = {0, first};
  uint32_t i = first;
  if (end - first >= 12) {
    WmFloat4 most = wm_splat_float4(0);
    WmInt4 where = wm_splat_int4((int32_t)first);
    WmInt4 index = wm_splat_int4((int32_t)first) + (WmInt4){0, 1, 2, 3};
    for (; i + 4 <= end; i += 4, index += 4) {
      const WmFloat4 d =
          measure_distance2_x4(chord, wm_load_float4(arrays->x + i), wm_load_float4(arrays->z + i));
      const WmInt4 better = last_wins ? (WmInt4)(d >= most) : (WmInt4)(d > most);
      most = wm_select_float4(better, d, most);
      where = wm_select_int4(better, index, where);
    }
    for (int lane = 0; lane < 4; lane++) {
      const uint32_t at = (uint32_t)where[lane];
      const bool tie_won = most[lane] == best.distance2 && (last_wins ? at > best.index : at < best.index);
      if (most[lane] > best.distance2 || tie_won) best = (Farthest){most[lane], at};
    }
  }
  for (; i < end; i++) {
    const float d = measure_distance2(chord, arrays->x[i], arrays->z[i]);
    if (d > best.distance2 || (last_wins && d == best.distance2)) best = (Farthest){d, i};
  }
  return best;
}

/* The vertex at which a stretch must be cut, or its first where none strays too far. */
static uint32_t choose_cut(const Ring *ring, Stretch stretch, float limit2) {
  const WmContourVertex *a = vertex_at(ring, stretch.first), *b = vertex_at(ring, stretch.last);
  const bool upward = is_after(b, a);
  const int32_t code = vertex_at(ring, upward ? stretch.first + 1 : stretch.last - 1)->code;
  if ((code & REGION_MASK) != 0 && (code & WM_CONTOUR_AREA_BORDER) == 0) return stretch.first;
  const Chord chord = upward ? make_chord(a, b) : make_chord(b, a);
  const Farthest best = find_farthest(ring->simplifier, &chord, stretch.first + 1, stretch.last, !upward);
  if (!(best.distance2 > limit2)) return stretch.first;
  const uint32_t length = stretch.last - stretch.first;
  if (ring->count > LONGEST_COMPARABLE && length > LONG_STRETCH) {
    const Farthest middle = find_farthest(ring->simplifier, &chord, stretch.first + length / 4,
                                          stretch.last - length / 4, !upward);
    if (middle.distance2 > limit2) return middle.index;
  }
  return best.index;
}

/* ---- Step 3: what is too long ------------------------------------------------------------------------ */

static uint32_t choose_middle(const Ring *ring, Stretch stretch) {
  const WmContourSimplifier *simplifier = ring->simplifier;
  const int32_t code = vertex_at(ring, stretch.first + 1)->code;
  const bool wall = (simplifier->flags & WM_CONTOUR_SPLIT_WALL_EDGES) && (code & REGION_MASK) == 0;
  const bool area = (simplifier->flags & WM_CONTOUR_SPLIT_AREA_EDGES) && (code & WM_CONTOUR_AREA_BORDER);
  if (!wall && !area) return stretch.first;
  const WmContourVertex *a = vertex_at(ring, stretch.first), *b = vertex_at(ring, stretch.last);
  const int64_t dx = (int64_t)b->x - a->x, dz = (int64_t)b->z - a->z, most = simplifier->max_edge_cells;
  const uint32_t length = stretch.last - stretch.first;
  if (dx * dx + dz * dz <= most * most || length <= 1) return stretch.first;
  return stretch.first + (is_after(b, a) ? length / 2 : (length + 1) / 2);
}

/* ---- All stretches ------------------------------------------------------------------------------------ */

/* Cuts one stretch until nothing is left to cut; the parts are independent, so their order is free. */
static void cut_stretch(const Ring *ring, Stretch whole, bool by_length) {
  const float limit2 = ring->simplifier->max_error * ring->simplifier->max_error;
  Stretch waiting[64];
  int waiting_count = 0;
  Stretch stretch = whole;
  for (;;) {
    uint32_t cut = stretch.first;
    if (stretch.last - stretch.first > 1) {
      cut = by_length ? choose_middle(ring, stretch) : choose_cut(ring, stretch, limit2);
    }
    if (cut != stretch.first) {
      ring->keep[wrap(ring, cut)] = 1;
      const Stretch left = {stretch.first, cut}, right = {cut, stretch.last};
      const bool left_longer = left.last - left.first > right.last - right.first;
      waiting[waiting_count++] = left_longer ? left : right;
      stretch = left_longer ? right : left;
    } else {
      if (waiting_count == 0) return;
      stretch = waiting[--waiting_count];
    }
  }
}

/* Cuts every stretch between kept vertices. */
static void cut_all(const Ring *ring, uint32_t start, bool by_length) {
  uint32_t first = start;
  for (uint32_t i = start + 1; i <= start + ring->count; i++) {
    if (!ring->keep[wrap(ring, i)]) continue;
    cut_stretch(ring, (Stretch){first, i}, by_length);
    first = i;
  }
}

/* ---- The result ------------------------------------------------------------------------------------------
 */

static bool have_equal_place(const WmContourVertex *a, const WmContourVertex *b) {
  return a->x == b->x && a->z == b->z;
}

/* Drops a vertex equal to its successor; the successor of a dropped one is not looked at again. */
static uint32_t drop_equal_neighbours(WmContourVertex *vertices, uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    const bool is_last = i + 1 == count;
    const WmContourVertex *successor = !is_last ? &vertices[i + 1] : kept ? &vertices[0] : &vertices[i];
    if (have_equal_place(&vertices[i], successor)) {
      if (is_last) break;
      i++;
    }
    vertices[kept++] = vertices[i];
  }
  return kept;
}

static uint32_t write_kept(const Ring *ring, uint32_t start, WmContourVertex *out) {
  uint32_t count = 0;
  for (uint32_t i = start; i < start + ring->count; i++) {
    if (!ring->keep[wrap(ring, i)]) continue;
    WmContourVertex vertex = *vertex_at(ring, i);
    vertex.code = (vertex_at(ring, i + 1)->code & (REGION_MASK | WM_CONTOUR_AREA_BORDER)) |
                  (vertex.code & WM_CONTOUR_BORDER_VERTEX);
    out[count++] = vertex;
  }
  return count;
}

static bool grow_arrays(WmContext *context, WmContourSimplifier *arrays, size_t count) {
  if (count <= arrays->capacity) return true;
  const size_t capacity = count > 2 * arrays->capacity ? count : 2 * arrays->capacity;
  arrays->capacity = 0;
  arrays->x = wm_scratch_array(context, 2 * capacity, sizeof *arrays->x);
  arrays->z = wm_scratch_array(context, 2 * capacity, sizeof *arrays->z);
  arrays->keep = wm_scratch_array(context, capacity, sizeof *arrays->keep);
  if (!arrays->x || !arrays->z || !arrays->keep) return false;
  arrays->capacity = capacity;
  return true;
}

WmStatus wm_contour_simplify(WmContext *context, WmContourSimplifier *simplifier, const WmContourVertex *raw,
                             uint32_t raw_count, WmContourVertexList *simplified, uint32_t *count) {
  *count = 0;
  if (raw_count < 3) return WM_OK;
  if (!grow_arrays(context, simplifier, raw_count)) return WM_ERROR_OUT_OF_MEMORY;
  memset(simplifier->keep, 0, raw_count);
  const Ring ring = {raw, raw_count, simplifier, simplifier->keep};
  uint32_t kept = 0;
  uint32_t start = keep_region_changes(&ring, &kept);
  if (kept == 0) start = keep_extremes(&ring, &kept);
  if (kept < 2) return WM_OK;

  for (uint32_t i = 0; i < raw_count; i++) {
    simplifier->x[i] = simplifier->x[i + raw_count] = (float)raw[i].x;
    simplifier->z[i] = simplifier->z[i + raw_count] = (float)raw[i].z;
  }
  cut_all(&ring, start, false);
  const uint32_t splits = WM_CONTOUR_SPLIT_WALL_EDGES | WM_CONTOUR_SPLIT_AREA_EDGES;
  if (simplifier->max_edge_cells > 0 && (simplifier->flags & splits)) cut_all(&ring, start, true);

  kept = 0;
  for (uint32_t i = 0; i < raw_count; i++) kept += simplifier->keep[i];
  if (!wm_contour_reserve(context, simplified, kept)) return WM_ERROR_OUT_OF_MEMORY;
  WmContourVertex *out = simplified->items + simplified->count;
  const uint32_t left = drop_equal_neighbours(out, write_kept(&ring, start, out));
  if (left < 3) return WM_OK;
  for (uint32_t i = 0; i < left; i++) {
    out[i].x -= simplifier->border_size;
    out[i].z -= simplifier->border_size;
  }
  simplified->count += left;
  *count = left;
  return WM_OK;
}
