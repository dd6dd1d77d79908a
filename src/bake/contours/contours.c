/* Contours: the outline of each region as a ring of vertices.
 *
 * In: compact heightfield and regions, both by span. First each span gets four bits, one for each side
 * with another region across. Then, in span order, each set bit starts a walk along the outline with the
 * region on its inside. The walk clears the bits it passes and writes a vertex at each cell corner where
 * it turns or crosses. The raw ring is simplified (contour_simplify.c), the retained vertices get their
 * heights, holes are joined to outlines (contour_regions.c), and all contours are packed into one block.
 *
 * Invariants: with symmetric links the walk is a permutation of (span, direction), so it returns to its
 * start. With asymmetric ones it may end early, and it is stopped when it circles. Its length has no
 * limit. Source: M. Mononen, Recast Navigation (2009-); N. Sprague's study of its contours, CritterAI
 * (2011). */
#include <string.h>

#include "bake/contours/contours_internal.h"
#include "bake/contours/contours_validate.h"
#include "base/debug/assert.h"
#include "bake/compact/links.h"
#include "base/simd.h"

static const int32_t STEP_X[4] = {-1, 0, 1, 0}, STEP_Z[4] = {0, 1, 0, -1};
/* The corner at the end of each side, on a walk with the region on the inside. */
static const int32_t CORNER_X[4] = {0, 1, 1, 0}, CORNER_Z[4] = {1, 1, 0, 0};

typedef WmContourTracer Tracer;
enum { DIRECTION_SHIFT = WM_CONTOUR_DIRECTION_SHIFT };

WM_COLD bool wm_contour_extend(WmContext *context, WmContourVertexList *list, size_t extra) {
  list->items =
      wm_scratch_reserve(context, list->items, &list->capacity, list->count + extra, sizeof *list->items);
  return list->items != NULL;
}

/* ---- Edge bits ------------------------------------------------------------------------------------- */

static uint8_t find_edges(const WmLinks *links, const uint16_t *span_region, uint32_t span) {
  const uint32_t region = span_region[span];
  if (region == WM_REGION_NONE || (region & WM_REGION_BORDER)) return 0;
  uint32_t bits = 0;
  for (uint32_t d = 0; d < 4; d++) {
    const uint32_t next = wm_link_inline(links, span, d);
    bits |= (uint32_t)((next == WM_NO_SPAN ? WM_REGION_NONE : span_region[next]) != region) << d;
  }
  return (uint8_t)bits;
}

/* The regions of the spans these steps away from eight spans. */
WM_INLINE WmUshort8 gather_regions(const uint16_t *region, const int16_t *steps) {
  return (WmUshort8){region[0 + steps[0]], region[1 + steps[1]], region[2 + steps[2]], region[3 + steps[3]],
                     region[4 + steps[4]], region[5 + steps[5]], region[6 + steps[6]], region[7 + steps[7]]};
}

/* Adds the bit of a side to those of eight spans that have no link there, or one to another region. */
WM_INLINE WmShort8 add_side(WmShort8 sides, const WmLinkBlock *block, int d, WmUshort8 own,
                            WmUshort8 across) {
  const WmShort8 bits = {1, 2, 4, 8, 16, 32, 64, 128};
  const WmShort8 missing = (WmShort8)((wm_splat_short8(block->present[d]) & bits) == 0);
  return sides | ((missing | (WmShort8)(own != across)) & (int16_t)(1 << d));
}

/* The sides of eight spans with these steps, 0 where a link is missing. Not inlined: engines hold the vectors of the
 * ordinary case in memory otherwise. */
WM_NOINLINE static void find_listed_edges(const WmLinkBlock *block, const int16_t *steps,
                                          const uint16_t *region, uint8_t *edges) {
  const WmUshort8 own = wm_load_ushort8(region);
  WmShort8 sides = wm_splat_short8(0);
#pragma GCC unroll 4
  for (int d = 0; d < 4; d++) {
    sides = add_side(sides, block, d, own, gather_regions(region, steps + WM_LINK_BLOCK * d));
  }
  wm_store_shorts_as_bytes(edges, sides & (WmShort8)((WmShort8)own > 0));
}

/* The same for eight spans. Returns false, with nothing done, if it isn't known that their links lead to existing
 * spans. */
WM_INLINE bool find_edges_x8(const WmLinks *links, const WmLinkBlock *block, const uint16_t *span_region,
                             uint32_t span, uint32_t span_count, uint8_t *edges) {
  const WmUshort8 own = wm_load_ushort8(span_region + span);
  const WmUshort8 inside = (WmUshort8)((WmShort8)own > 0); /* neither none (0) nor border (bit 15) */
  WmShort8 sides = wm_splat_short8(0);
  if (wm_mask_short8((WmShort8)inside)) {
    if (block->is_wide) return false;
    if (block->list) {
      find_listed_edges(block, wm_find_list(links, block), span_region + span, edges);
      return true;
    }
#pragma GCC unroll 4
    for (int d = 0; d < 4; d++) {
      const uint32_t across = span + (uint32_t)block->step[d];
      if (across > span_count - WM_LINK_BLOCK) return false;
      sides = add_side(sides, block, d, own, wm_load_ushort8(span_region + across));
    }
  }
  wm_store_shorts_as_bytes(edges, sides & (WmShort8)inside);
  return true;
}

void wm_contour_find_edges(const WmCompactHeightfield *compact, const uint16_t *span_region, uint32_t first,
                           uint32_t last, uint8_t *edges) {
  const uint32_t count = compact->span_count;
  const WmLinkBlock *block = compact->links.blocks + first / WM_LINK_BLOCK;
  for (uint32_t span = first / WM_LINK_BLOCK * WM_LINK_BLOCK; span < last; block++) {
    const uint32_t end = count - span < WM_LINK_BLOCK ? count : span + WM_LINK_BLOCK;
    if (WM_SIMD && end == span + WM_LINK_BLOCK &&
        find_edges_x8(&compact->links, block, span_region, span, count, edges + span)) {
      span = end;
    }
    for (; span < end; span++) edges[span] = find_edges(&compact->links, span_region, span);
  }
}

/* ---- Tracing ------------------------------------------------------------------------------------------- */

static uint32_t span_key(const Tracer *tracer, uint32_t span) {
  if (span == WM_NO_SPAN) return 0;
  return tracer->span_region[span] | (uint32_t)tracer->compact->span_area[span] << 16;
}

/* True if the corner between a span of an area and three others lies on a tile's side only because of its
 * border: two equal spans of the border, then two spans of one area inside. Such vertices are removed from
 * the polygon mesh again. */
static bool is_border_corner(const Tracer *tracer, uint8_t area, uint32_t ahead, uint32_t aside,
                             uint32_t across) {
  const uint32_t border = span_key(tracer, across), ahead_key = span_key(tracer, ahead),
                 aside_key = span_key(tracer, aside);
  const uint32_t other = border == ahead_key ? aside_key : border == aside_key ? ahead_key : 0;
  return (border & WM_REGION_BORDER) && other && !(other & WM_REGION_BORDER) && other >> 16 == area;
}

/* A vertex's height is the highest floor around the corner. Two of the spans around it are next to the
 * walk's span: one ahead in its direction, and one aside. */
WM_COLD void wm_contour_resolve_vertices(const Tracer *tracer, WmContourVertex *vertex, uint32_t count) {
  const WmLinks *links = &tracer->compact->links;
  const uint16_t *floors = tracer->compact->span_floor;
  for (; count > 0; count--, vertex++) {
    const uint32_t span = (uint32_t)vertex->y, direction = (uint32_t)vertex->code >> DIRECTION_SHIFT;
    uint32_t around[4];
    for (uint32_t turn = 0; turn < 2; turn++) {
      const uint32_t beside = around[turn] = wm_link(links, span, (direction + turn) & 3);
      around[2 + turn] = beside == WM_NO_SPAN ? beside : wm_link(links, beside, (direction + 1 - turn) & 3);
    }
    int32_t height = floors[span];
    for (int k = 0; k < 4; k++) {
      if (around[k] != WM_NO_SPAN && floors[around[k]] > height) height = floors[around[k]];
    }
    vertex->y = height;
    vertex->code &= (1 << DIRECTION_SHIFT) - 1;
    const uint32_t across = around[3] == WM_NO_SPAN ? around[2] : around[3];
    if (tracer->has_border &&
        is_border_corner(tracer, tracer->compact->span_area[span], around[0], around[1], across)) {
      vertex->code |= WM_CONTOUR_BORDER_VERTEX;
    }
  }
}

/* `side` is 4 * span + direction: the walk is inside the span, at that side. It has one of two moves:
 *
 *     edge here (another region across):   append its vertex, clear its bit, turn to the next side
 *     no edge:                             step across, and turn back by one side */
WmStatus wm_contour_walk(Tracer *tracer, uint32_t start, int32_t x, int32_t z) {
  const WmLinks *links = &tracer->compact->links;
  const uint16_t *regions = tracer->span_region;
  const uint8_t *areas = tracer->compact->span_area;
  uint8_t *edges = tracer->edges;
  const uint8_t area = areas[start];
  const size_t start_side = 4 * (size_t)start + (size_t)__builtin_ctz(edges[start]);
  size_t side = start_side, circle_side = SIZE_MAX, moves = 0;
  uint32_t across = wm_link_inline(links, start, side & 3);
  do {
    const uint32_t span = (uint32_t)(side / 4), direction = side & 3;
    if (edges[span] >> direction & 1) {
      const uint32_t aside = wm_link_inline(links, span, (direction + 1) & 3);
      uint32_t code = direction << DIRECTION_SHIFT;
      if (across != WM_NO_SPAN) {
        code |= regions[across];
        if (areas[across] != area) code |= WM_CONTOUR_AREA_BORDER;
      }
      if (tracer->raw.count == tracer->raw.capacity && !wm_contour_extend(tracer->context, &tracer->raw, 1)) {
        return WM_ERROR_OUT_OF_MEMORY;
      }
      tracer->raw.items[tracer->raw.count++] =
          (WmContourVertex){x + CORNER_X[direction], (int32_t)span, z + CORNER_Z[direction], (int32_t)code};
      edges[span] ^= (uint8_t)(1u << direction);
      side = 4 * (size_t)span + ((direction + 1) & 3);
      across = aside;
      circle_side = SIZE_MAX;
      moves = 0;
    } else {
      /* Moves without a vertex circle one grid point; if they repeat, they never end. (R. P. Brent's cycle
       * detection, 1980: circle_side is renewed after 1, 2, 4, ... moves.) */
      if (across == WM_NO_SPAN || side == circle_side) break;
      if ((moves & (moves - 1)) == 0) circle_side = side;
      moves++;
      x += STEP_X[direction];
      z += STEP_Z[direction];
      side = 4 * (size_t)across + ((direction + 3) & 3);
      across = wm_link_inline(links, across, (direction + 3) & 3);
    }
  } while (side != start_side);
  return WM_OK;
}

/* Traces and simplifies the outline that starts at a span. Few of its vertices are retained: only those
 * are resolved, unless raw ones are stored. */
WM_COLD static WmStatus add_contour(Tracer *tracer, uint32_t span, int32_t x, int32_t z) {
  WmContourVertexList *raw = &tracer->raw;
  WmContourRecord record = {.ring = {tracer->simplified.count, 0},
                            .raw = {raw->count, 0},
                            .start = span,
                            .region = tracer->span_region[span],
                            .area = tracer->compact->span_area[span]};
  WmStatus status = wm_contour_walk(tracer, span, x, z);
  if (status) return status;
  const uint32_t raw_count = (uint32_t)(raw->count - record.raw.first);
  if (tracer->keep_raw) wm_contour_resolve_vertices(tracer, raw->items + record.raw.first, raw_count);
  status = wm_contour_simplify(tracer->context, &tracer->simplifier, raw, raw_count, &tracer->simplified,
                               &record.ring.count);
  if (status) return status;
  if (record.ring.count > 0 && tracer->keep_raw) record.raw.count = raw_count;
  raw->count = record.raw.first + record.raw.count;
  if (record.ring.count == 0) return WM_OK;
  WmContourVertex *ring = tracer->simplified.items + record.ring.first;
  if (!tracer->keep_raw) wm_contour_resolve_vertices(tracer, ring, record.ring.count);
  for (size_t i = record.raw.first; i < raw->count; i++) {
    raw->items[i].x -= tracer->simplifier.border_size;
    raw->items[i].z -= tracer->simplifier.border_size;
  }
  tracer->contours = wm_scratch_reserve(tracer->context, tracer->contours, &tracer->contour_capacity,
                                        tracer->contour_count + 1, sizeof record);
  if (!tracer->contours) return WM_ERROR_OUT_OF_MEMORY;
  tracer->contours[tracer->contour_count++] = record;
  return WM_OK;
}

static WmStatus trace_row(Tracer *tracer, int32_t z) {
  const int32_t width = tracer->compact->grid.width;
  const uint32_t first_cell = (uint32_t)z * (uint32_t)width;
  const uint32_t *row = tracer->compact->cell_first + first_cell;
  for (uint32_t span = row[0]; span < row[width];) {
    uint64_t eight;
    if (span + 8 <= row[width] && (memcpy(&eight, tracer->edges + span, 8), eight == 0)) {
      span += 8;
      continue;
    }
    const uint8_t edges = tracer->edges[span];
    if (edges == 15) {
      tracer->edges[span] = 0; /* a single cell makes no contour */
    } else if (edges != 0) {
      const uint32_t cell = wm_find_cell(tracer->compact, span);
      const WmStatus status = add_contour(tracer, span, (int32_t)(cell - first_cell), z);
      if (status) return status;
    }
    span++;
  }
  return WM_OK;
}

/* ---- The result ------------------------------------------------------------------------------------- */

WM_COLD static WmStatus pack_contours(const Tracer *tracer, WmContourSet *set) {
  const size_t count = tracer->contour_count;
  const size_t raw_count = tracer->raw.count; /* in the order of contours, without gaps */
  size_t vertex_count = 0;
  for (size_t i = 0; i < count; i++) vertex_count += tracer->contours[i].ring.count;
  if (vertex_count > UINT32_MAX || raw_count > UINT32_MAX) {
    return wm_fail_number(tracer->context, WM_ERROR_LIMIT, NULL, "contours have ",
                          (double)(vertex_count > raw_count ? vertex_count : raw_count),
                          " vertices, at most 4294967295 are possible: use tiles (tileSize) or larger cells");
  }
  WmLayout layout = {0}; /* element sizes decrease: no padding between the arrays */
  wm_layout_add(&layout, vertex_count + raw_count, sizeof(WmContourVertex));
  wm_layout_add(&layout, count + 1, 2 * sizeof *set->vertex_first + sizeof *set->contour_region + 1);
  set->block = wm_layout_allocate(tracer->context, &layout);
  if (!set->block) return WM_ERROR_OUT_OF_MEMORY;
  set->contour_count = (uint32_t)count;
  set->vertices = set->block;
  set->raw_vertices = set->vertices + 4 * vertex_count;
  set->vertex_first = (uint32_t *)(void *)(set->raw_vertices + 4 * raw_count);
  set->raw_first = set->vertex_first + count + 1;
  set->contour_region = (uint16_t *)(void *)(set->raw_first + count + 1);
  set->contour_area = (uint8_t *)(set->contour_region + count);
  size_t at = 0;
  for (size_t i = 0; i < count; i++) {
    const WmContourRecord *record = &tracer->contours[i];
    set->contour_region[i] = record->region;
    set->contour_area[i] = record->area;
    set->vertex_first[i] = (uint32_t)at;
    set->raw_first[i] = (uint32_t)record->raw.first;
    memcpy(set->vertices + 4 * at, tracer->simplified.items + record->ring.first,
           record->ring.count * sizeof(WmContourVertex));
    at += record->ring.count;
  }
  set->vertex_first[count] = (uint32_t)at;
  set->raw_first[count] = (uint32_t)raw_count;
  if (raw_count > 0) memcpy(set->raw_vertices, tracer->raw.items, raw_count * sizeof(WmContourVertex));
  return WM_OK;
}

WM_COLD void wm_contour_start(WmContext *context, const WmCompactHeightfield *compact,
                              const WmRegions *regions, const WmContourSettings *settings, uint8_t *edges,
                              WmContourTracer *tracer) {
  const int32_t border = compact->grid.border_size;
  const uint32_t flags = settings->flags;
  *tracer = (Tracer){.context = context,
                     .compact = compact,
                     .span_region = regions->span_region,
                     .edges = edges,
                     .has_border = border > 0,
                     .keep_raw = (flags & WM_CONTOUR_KEEP_RAW) != 0,
                     .simplifier = {settings->max_error, settings->max_edge_cells, flags, border, NULL, 0}};
}

WmStatus wm_contour_trace(WmContourTracer *tracer) {
  WmStatus status = WM_OK;
  for (int32_t z = 0; z < tracer->compact->grid.depth && !status; z++) status = trace_row(tracer, z);
  return status;
}

WM_COLD WmStatus wm_contour_finish(WmContourTracer *tracer, WmContourSet *set) {
  WmStatus status = wm_contour_merge_holes(tracer->context, tracer->contours, (uint32_t)tracer->contour_count,
                                           &tracer->simplified);
  if (!status) status = pack_contours(tracer, set);
  if (status) return status;
  set->grid = tracer->compact->grid;
  if (set->grid.border_size > 0) wm_grid_trim(&set->grid);
  set->max_error = tracer->simplifier.max_error;
  WM_VALIDATE(wm_contour_set_validate(set) ||
              !wm_contour_input_validate(tracer->compact, tracer->span_region));
  return WM_OK;
}

WM_COLD WmStatus wm_build_contours(WmContext *context, const WmCompactHeightfield *compact,
                                   const WmRegions *regions, float max_error, int32_t max_edge_cells,
                                   uint32_t flags, WmContourSet *contours) {
  memset(contours, 0, sizeof *contours);
  if (regions->span_count != compact->span_count) {
    return wm_fail(context, WM_ERROR_INVALID_ARGUMENT, "regions",
                   "the regions belong to another field: span counts differ");
  }
  const WmContourSettings settings = {max_error, max_edge_cells, flags};
  const WmScratchMark mark = wm_scratch_mark(context);
  WmStatus status = WM_ERROR_OUT_OF_MEMORY;
  uint8_t *edges = wm_scratch_array(context, compact->span_count, 1);
  if (edges) {
    WmContourTracer tracer;
    wm_contour_find_edges(compact, regions->span_region, 0, compact->span_count, edges);
    wm_contour_start(context, compact, regions, &settings, edges, &tracer);
    status = wm_contour_trace(&tracer);
    if (!status) status = wm_contour_finish(&tracer, contours);
  }
  wm_scratch_rewind(context, mark);
  return status;
}
