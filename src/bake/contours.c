/* Contours: the outline of every region as a ring of vertices.
 *
 * In: compact heightfield and regions, both by span. First every span gets four bits, one for each side with
 * another region across. Then, in span order, each set bit starts a walk along the border that keeps the
 * region on its inside, clears the bits it passes and puts a vertex at each cell corner it turns or crosses.
 * The raw ring is simplified (contour_simplify.c), holes are joined to outlines (contour_regions.c), and all
 * is packed into one block.
 *
 * Invariants: with symmetric links the walk is a permutation of (span, direction), so it returns to its
 * start; otherwise it may end early, and is stopped when it runs in a circle. There is no limit on its
 * length. Source: M. Mononen, Recast Navigation (2009-); N. Sprague's study of its contours, CritterAI
 * (2011). */
#include <string.h>

#include "bake/contours_internal.h"
#include "base/simd.h"

static const int32_t STEP_X[4] = {-1, 0, 1, 0}, STEP_Z[4] = {0, 1, 0, -1};
/* The corner at which the side towards a direction ends, walking with the region on the inside. */
static const int32_t CORNER_X[4] = {0, 1, 1, 0}, CORNER_Z[4] = {1, 1, 0, 0};

typedef struct Tracer {
  WmContext *context;
  const WmCompactHeightfield *compact;
  const uint16_t *span_region;
  uint8_t *edges; /* [span_count] bit d: another region across direction d, not walked along yet */
  bool keep_raw;
  bool has_border; /* otherwise no region has WM_REGION_BORDER */
  WmContourSimplifier simplifier;
  WmContourVertexList raw, simplified;
  WmContourRecord *contours;
  size_t contour_count, contour_capacity;
} Tracer;

WM_COLD void *wm_contour_reserve(WmContext *context, void *items, size_t *capacity, size_t count,
                                 size_t item_bytes) {
  if (items && count <= *capacity) return items;
  const size_t doubled = 2 * *capacity + 64, larger = count > doubled ? count : doubled;
  void *grown = wm_scratch_grow(context, items, *capacity, larger, item_bytes);
  *capacity = grown ? larger : 0;
  return grown;
}

WM_COLD bool wm_contour_extend(WmContext *context, WmContourVertexList *list, size_t extra) {
  list->items =
      wm_contour_reserve(context, list->items, &list->capacity, list->count + extra, sizeof *list->items);
  return list->items != NULL;
}

/* ---- Edge bits ------------------------------------------------------------------------------------- */

static uint8_t find_edges(const uint32_t *neighbour, const uint16_t *span_region, uint32_t span) {
  const uint32_t region = span_region[span];
  if (region == WM_REGION_NONE || (region & WM_REGION_BORDER)) return 0;
  uint32_t bits = 0;
  for (uint32_t d = 0; d < 4; d++) {
    const uint32_t next = neighbour[4 * (size_t)span + d];
    bits |= (uint32_t)((next == WM_NO_SPAN ? WM_REGION_NONE : span_region[next]) != region) << d;
  }
  return (uint8_t)bits;
}

#if WM_SIMD
/* Eight spans without regions have no edges. Eight whose neighbours in each direction are eight consecutive
 * spans, as on open ground, compare their regions eight at a time. False, with nothing done, where the links
 * are not like that. */
WM_INLINE bool find_edges_x8(const uint32_t *neighbour, const uint16_t *span_region, uint32_t span,
                             uint8_t *edges) {
  const WmUshort8 own = wm_load_ushort8(span_region + span);
  const WmUshort8 inside = (WmUshort8)((WmShort8)own > 0); /* neither none (0) nor border (bit 15) */
  WmUshort8 bits = inside;
  if (wm_mask_int4((WmInt4)((WmInt4)inside != 0))) {
    const uint32_t *first = neighbour + 4 * (size_t)span;
    const WmUint4 base = wm_load_uint4(first);
    WmUint4 bent = (WmUint4)(base == WM_NO_SPAN); /* NONE, 0, 1, ... would look straight */
#pragma GCC unroll 7
    for (uint32_t k = 1; k < 8; k++) bent |= (wm_load_uint4(first + 4 * k) - k) ^ base;
    if (wm_mask_int4((WmInt4)(bent != 0))) return false;
    bits = (WmUshort8)(own != wm_load_ushort8(span_region + base[0])) & 1;
    bits |= (WmUshort8)(own != wm_load_ushort8(span_region + base[1])) & 2;
    bits |= (WmUshort8)(own != wm_load_ushort8(span_region + base[2])) & 4;
    bits |= (WmUshort8)(own != wm_load_ushort8(span_region + base[3])) & 8;
    bits &= inside;
  }
  wm_store_shorts_as_bytes(edges + span, (WmShort8)bits);
  return true;
}
#endif

static void find_all_edges(const WmCompactHeightfield *compact, const uint16_t *span_region, uint8_t *edges) {
  const uint32_t *neighbour = compact->span_neighbour;
  const uint32_t count = compact->span_count;
  uint32_t span = 0;
  while (span < count) {
    uint32_t end = count;
#if WM_SIMD
    if (count - span >= 8) {
      end = span + 8;
      if (find_edges_x8(neighbour, span_region, span, edges)) span = end;
    }
#endif
    for (; span < end; span++) edges[span] = find_edges(neighbour, span_region, span);
  }
}

/* ---- Tracing ------------------------------------------------------------------------------------------- */

/* The height of the corner where `direction` ends: the highest floor of the four spans around it. */
WM_INLINE int32_t measure_corner(const uint32_t *links, const uint16_t *floors, uint32_t span,
                                 uint32_t direction) {
  const uint32_t turned = (direction + 1) & 3;
  int32_t height = floors[span];
#pragma GCC unroll 2
  for (int way = 0; way < 2; way++) {
    const uint32_t beside = links[4 * (size_t)span + (way ? turned : direction)];
    if (beside == WM_NO_SPAN) continue;
    if (floors[beside] > height) height = floors[beside];
    const uint32_t across = links[4 * (size_t)beside + (way ? direction : turned)];
    if (across != WM_NO_SPAN && floors[across] > height) height = floors[across];
  }
  return height;
}

static uint32_t span_key(const Tracer *tracer, uint32_t span) {
  if (span == WM_NO_SPAN) return 0;
  return tracer->span_region[span] | (uint32_t)tracer->compact->span_area[span] << 16;
}

/* Whether that corner lies on the rim of the tile's border: two alike in the border, then two inside of one
 * area, the span being one of the latter. Such vertices are taken out of the polygon mesh again. */
WM_COLD static bool is_border_corner(const Tracer *tracer, uint32_t span, uint32_t direction) {
  const uint32_t *links = tracer->compact->span_neighbour;
  const uint32_t turned = (direction + 1) & 3;
  const uint32_t ahead = links[4 * (size_t)span + direction], aside = links[4 * (size_t)span + turned];
  uint32_t across = aside == WM_NO_SPAN ? WM_NO_SPAN : links[4 * (size_t)aside + direction];
  if (across == WM_NO_SPAN && ahead != WM_NO_SPAN) across = links[4 * (size_t)ahead + turned];
  const uint32_t border = span_key(tracer, across), ahead_key = span_key(tracer, ahead),
                 aside_key = span_key(tracer, aside);
  const uint32_t other = border == ahead_key ? aside_key : border == aside_key ? ahead_key : 0;
  return (border & WM_REGION_BORDER) && other && !(other & WM_REGION_BORDER) &&
         other >> 16 == tracer->compact->span_area[span];
}

/* Walks one outline from a span with edges, appending its vertices to `raw`. A walk is at a side of a span,
 * numbered as the link across it. */
static WmStatus trace_outline(Tracer *tracer, uint32_t start, int32_t x, int32_t z) {
  const uint32_t *links = tracer->compact->span_neighbour;
  const uint16_t *floors = tracer->compact->span_floor;
  const uint16_t *regions = tracer->span_region;
  const uint8_t *areas = tracer->compact->span_area;
  uint8_t *edges = tracer->edges;
  const uint8_t area = areas[start];
  const bool has_border = tracer->has_border;
  const size_t start_side = 4 * (size_t)start + (size_t)__builtin_ctz(edges[start]);
  size_t side = start_side, circle_side = SIZE_MAX, moves = 0;
  do {
    const uint32_t span = (uint32_t)(side / 4), direction = side & 3, across = links[side];
    if (edges[span] >> direction & 1) {
      const int32_t y = measure_corner(links, floors, span, direction);
      uint32_t code = 0;
      if (has_border && is_border_corner(tracer, span, direction)) code = WM_CONTOUR_BORDER_VERTEX;
      if (across != WM_NO_SPAN) {
        code |= regions[across];
        if (areas[across] != area) code |= WM_CONTOUR_AREA_BORDER;
      }
      if (tracer->raw.count == tracer->raw.capacity && !wm_contour_extend(tracer->context, &tracer->raw, 1)) {
        return WM_ERROR_OUT_OF_MEMORY;
      }
      tracer->raw.items[tracer->raw.count++] =
          (WmContourVertex){x + CORNER_X[direction], y, z + CORNER_Z[direction], (int32_t)code};
      edges[span] ^= (uint8_t)(1u << direction);
      side = 4 * (size_t)span + ((direction + 1) & 3);
      circle_side = SIZE_MAX;
      moves = 0;
    } else {
      /* A side met again since the last vertex; where it is looked for moves on ever more slowly. */
      if (across == WM_NO_SPAN || side == circle_side) break;
      if ((moves & (moves - 1)) == 0) circle_side = side;
      moves++;
      x += STEP_X[direction];
      z += STEP_Z[direction];
      side = 4 * (size_t)across + ((direction + 3) & 3);
    }
  } while (side != start_side);
  return WM_OK;
}

/* Traces and simplifies the outline that starts at a span. */
WM_COLD static WmStatus add_contour(Tracer *tracer, uint32_t span, int32_t x, int32_t z) {
  const size_t raw_first = tracer->raw.count, vertex_first = tracer->simplified.count;
  WmStatus status = trace_outline(tracer, span, x, z);
  if (status) return status;
  uint32_t raw_count = (uint32_t)(tracer->raw.count - raw_first), count = 0;
  status = wm_contour_simplify(tracer->context, &tracer->simplifier, &tracer->raw, raw_count,
                               &tracer->simplified, &count);
  if (status) return status;
  if (count == 0 || !tracer->keep_raw) {
    tracer->raw.count = raw_first;
    raw_count = 0;
  }
  if (count == 0) return WM_OK;
  for (size_t i = raw_first; i < tracer->raw.count; i++) {
    tracer->raw.items[i].x -= tracer->simplifier.border_size;
    tracer->raw.items[i].z -= tracer->simplifier.border_size;
  }
  tracer->contours = wm_contour_reserve(tracer->context, tracer->contours, &tracer->contour_capacity,
                                        tracer->contour_count + 1, sizeof *tracer->contours);
  if (!tracer->contours) return WM_ERROR_OUT_OF_MEMORY;
  tracer->contours[tracer->contour_count++] = (WmContourRecord){
      vertex_first, raw_first, count, raw_count, tracer->span_region[span], tracer->compact->span_area[span]};
  return WM_OK;
}

/* The cell of a row (cell_first [width + 1]) that holds a span. */
static int32_t find_cell_in_row(const uint32_t *row, int32_t width, uint32_t span) {
  int32_t low = 0, high = width - 1;
  while (low < high) {
    const int32_t middle = (low + high + 1) / 2;
    if (row[middle] <= span) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

static WmStatus trace_row(Tracer *tracer, int32_t z) {
  const int32_t width = tracer->compact->grid.width;
  const uint32_t *row = tracer->compact->cell_first + (size_t)z * (size_t)width;
  for (uint32_t span = row[0]; span < row[width];) {
    uint64_t eight;
    if (span + 8 <= row[width] && (memcpy(&eight, tracer->edges + span, 8), eight == 0)) {
      span += 8;
      continue;
    }
    const uint8_t edges = tracer->edges[span];
    if (edges == 15) {
      tracer->edges[span] = 0; /* one cell by itself makes no contour */
    } else if (edges != 0) {
      const WmStatus status = add_contour(tracer, span, find_cell_in_row(row, width, span), z);
      if (status) return status;
    }
    span++;
  }
  return WM_OK;
}

/* ---- The result
 * -------------------------------------------------------------------------------------------- */

WM_COLD static WmStatus pack_contours(const Tracer *tracer, WmContourSet *set) {
  const uint32_t count = (uint32_t)tracer->contour_count;
  size_t vertex_count = 0, raw_count = 0;
  for (uint32_t i = 0; i < count; i++) {
    vertex_count += tracer->contours[i].vertex_count;
    raw_count += tracer->contours[i].raw_count;
  }
  if (vertex_count > UINT32_MAX || raw_count > UINT32_MAX) {
    return wm_fail_number(tracer->context, WM_ERROR_LIMIT, NULL, "contours have ",
                          (double)(vertex_count > raw_count ? vertex_count : raw_count),
                          " vertices, at most 4294967295 are possible: use tiles (tileSize) or larger cells");
  }
  WmLayout layout = {0};
  const size_t region = wm_layout_add(&layout, count, 2), area = wm_layout_add(&layout, count, 1);
  const size_t first = wm_layout_add(&layout, (size_t)count + 1, 4);
  const size_t raw_first = wm_layout_add(&layout, (size_t)count + 1, 4);
  const size_t vertices = wm_layout_add(&layout, vertex_count, sizeof(WmContourVertex));
  const size_t raw = wm_layout_add(&layout, raw_count, sizeof(WmContourVertex));
  uint8_t *block = wm_layout_allocate(tracer->context, &layout);
  if (!block) return WM_ERROR_OUT_OF_MEMORY;
  set->block = block;
  set->contour_count = count;
  set->contour_region = (uint16_t *)(void *)(block + region);
  set->contour_area = block + area;
  set->vertex_first = (uint32_t *)(void *)(block + first);
  set->raw_first = (uint32_t *)(void *)(block + raw_first);
  set->vertices = (int32_t *)(void *)(block + vertices);
  set->raw_vertices = (int32_t *)(void *)(block + raw);
  set->vertex_first[0] = set->raw_first[0] = 0;
  for (uint32_t i = 0; i < count; i++) {
    const WmContourRecord *record = &tracer->contours[i];
    const uint32_t at = set->vertex_first[i], raw_at = set->raw_first[i];
    set->contour_region[i] = record->region;
    set->contour_area[i] = record->area;
    if (record->vertex_count > 0) {
      memcpy(set->vertices + 4 * (size_t)at, tracer->simplified.items + record->vertex_first,
             record->vertex_count * sizeof(WmContourVertex));
    }
    if (record->raw_count > 0) {
      memcpy(set->raw_vertices + 4 * (size_t)raw_at, tracer->raw.items + record->raw_first,
             record->raw_count * sizeof(WmContourVertex));
    }
    set->vertex_first[i + 1] = at + record->vertex_count;
    set->raw_first[i + 1] = raw_at + record->raw_count;
  }
  return WM_OK;
}

WM_COLD static WmStatus build(Tracer *tracer, WmContourSet *set) {
  tracer->edges = wm_scratch_array(tracer->context, tracer->compact->span_count, 1);
  if (!tracer->edges) return WM_ERROR_OUT_OF_MEMORY;
  find_all_edges(tracer->compact, tracer->span_region, tracer->edges);
  WmStatus status = WM_OK;
  for (int32_t z = 0; z < tracer->compact->grid.depth && !status; z++) status = trace_row(tracer, z);
  if (!status) {
    status = wm_contour_merge_holes(tracer->context, tracer->contours, (uint32_t)tracer->contour_count,
                                    &tracer->simplified);
  }
  return status ? status : pack_contours(tracer, set);
}

WM_COLD WmStatus wm_build_contours(WmContext *context, const WmCompactHeightfield *compact,
                                   const WmRegions *regions, float max_error, int32_t max_edge_cells,
                                   uint32_t flags, WmContourSet *contours) {
  memset(contours, 0, sizeof *contours);
  if (regions->span_count != compact->span_count) {
    return wm_fail(context, WM_ERROR_INVALID_ARGUMENT, "regions",
                   "regions are of another field: span counts differ");
  }
  Tracer tracer = {.context = context, .compact = compact, .span_region = regions->span_region};
  tracer.has_border = compact->grid.border_size > 0;
  tracer.keep_raw = (flags & WM_CONTOUR_KEEP_RAW) != 0;
  tracer.simplifier.max_error = max_error;
  tracer.simplifier.max_edge_cells = max_edge_cells;
  tracer.simplifier.flags = flags;
  tracer.simplifier.border_size = compact->grid.border_size;
  const WmScratchMark mark = wm_scratch_mark(context);
  const WmStatus status = build(&tracer, contours);
  wm_scratch_rewind(context, mark);
  if (status) return status;

  WmGrid grid = compact->grid;
  const int32_t border = grid.border_size;
  if (border > 0) {
    const float pad = (float)border * grid.cell_size;
    grid.bounds_min[0] += pad;
    grid.bounds_min[2] += pad;
    grid.bounds_max[0] -= pad;
    grid.bounds_max[2] -= pad;
  }
  grid.width -= 2 * border;
  grid.depth -= 2 * border;
  contours->grid = grid;
  contours->max_error = max_error;
  return WM_OK;
}
