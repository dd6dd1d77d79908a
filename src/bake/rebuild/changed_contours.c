/* Contours of a tile that obstacles change. See baseline.h.
 *
 * A region with the same spans has the same outlines. Simplification uses the regions across them only to
 * see where they change, whether there are any, and whether their area differs. So if the numbers of the
 * regions across can be replaced one for one, the vertices are those of the baseline, with these numbers
 * replaced:
 *
 *   codes across, baseline   0 7 7 7 3 3 0
 *   codes across, now        0 5 5 5 3 3 0     7 -> 5, 3 -> 3: copied
 *   codes across, now        0 5 5 2 3 3 0     7 -> 5 and 7 -> 2: traced again
 *   codes across, now        0 5 5 5 5 5 0     7 -> 5 and 3 -> 5: traced again
 *
 * Their heights, and whether they lie on the tile's sides because of its border, are computed again: they
 * are few. */
#include <string.h>

#include "bake/compact/links.h"
#include "bake/rebuild/baseline.h"

enum { REGION = 0xffff, SPOILED = 0xffff };

/* ---- Recording -------------------------------------------------------------------------------------- */

/* Contours of a baseline while their number is unknown; in scratch memory. */
typedef struct ContourRecorder {
  WmBaselineContour *contours;
  WmBaselineEdge *edges;
  uint32_t *vertex_edge; /* by index in the tracer's simplified vertices */
  uint32_t contour_count, edge_count;
  size_t contour_capacity, edge_capacity, vertex_capacity;
} ContourRecorder;

static WmStatus record_edges(WmContourTracer *tracer, uint32_t count, ContourRecorder *recorder) {
  recorder->edges = wm_scratch_reserve(tracer->context, recorder->edges, &recorder->edge_capacity,
                                       (size_t)recorder->edge_count + count, sizeof *recorder->edges);
  if (!recorder->edges) return WM_ERROR_OUT_OF_MEMORY;
  const WmContourVertex *raw = tracer->raw.items + tracer->raw.count - count;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t code = (uint32_t)raw[i].code, direction = code >> WM_CONTOUR_DIRECTION_SHIFT;
    recorder->edges[recorder->edge_count++] =
        (WmBaselineEdge){wm_link(&tracer->compact->links, (uint32_t)raw[i].y, direction),
                         code & ((1u << WM_CONTOUR_DIRECTION_SHIFT) - 1)};
  }
  return WM_OK;
}

/* Finds the edges that start at the contour's simplified vertices, the last ones of the list: each has the
 * code of the raw vertex after its own. */
static WmStatus find_vertex_edges(WmContourTracer *tracer, const WmBaselineContour *contour,
                                  ContourRecorder *recorder) {
  const size_t end = tracer->simplified.count;
  recorder->vertex_edge = wm_scratch_reserve(tracer->context, recorder->vertex_edge,
                                             &recorder->vertex_capacity, end, sizeof *recorder->vertex_edge);
  if (!recorder->vertex_edge) return WM_ERROR_OUT_OF_MEMORY;
  uint32_t at = 0;
  for (size_t i = end - contour->vertex_count; i < end; i++) {
    const WmContourVertex *vertex = &tracer->simplified.items[i], *raw = tracer->raw.items;
    while (raw[at].y != vertex->y || (raw[at].code ^ vertex->code) >> WM_CONTOUR_DIRECTION_SHIFT != 0) {
      at = at + 1 == contour->edge_count ? 0 : at + 1;
    }
    recorder->vertex_edge[i] = contour->first_edge + (at + 1 == contour->edge_count ? 0 : at + 1);
  }
  return WM_OK;
}

/* Traces, simplifies and records the contour that starts at a span; its vertices stay in `simplified`. */
static WmStatus record_contour(WmContourTracer *tracer, uint32_t span, ContourRecorder *recorder) {
  const uint32_t cell = wm_find_cell(tracer->compact, span), width = (uint32_t)tracer->compact->grid.width;
  WmBaselineContour contour = {.start = span,
                               .first_edge = recorder->edge_count,
                               .first_vertex = (uint32_t)tracer->simplified.count,
                               .region = tracer->span_region[span]};
  tracer->raw.count = 0;
  WmStatus status = wm_contour_walk(tracer, span, (int32_t)(cell % width), (int32_t)(cell / width));
  contour.edge_count = (uint32_t)tracer->raw.count;
  if (!status) status = record_edges(tracer, contour.edge_count, recorder);
  if (!status) {
    status = wm_contour_simplify(tracer->context, &tracer->simplifier, &tracer->raw, contour.edge_count,
                                 &tracer->simplified, &contour.vertex_count);
  }
  if (!status) status = find_vertex_edges(tracer, &contour, recorder);
  if (status) return status;
  recorder->contours = wm_scratch_reserve(tracer->context, recorder->contours, &recorder->contour_capacity,
                                          (size_t)recorder->contour_count + 1, sizeof contour);
  if (!recorder->contours) return WM_ERROR_OUT_OF_MEMORY;
  recorder->contours[recorder->contour_count++] = contour;
  return WM_OK;
}

static WmStatus pack(const WmContourTracer *tracer, const WmChangedTile *tile,
                     const ContourRecorder *recorder, WmBaseline *baseline, size_t *byte_count) {
  const size_t record_count = baseline->record_count, region_count = (size_t)tile->region_count + 1;
  WmLayout layout = {0};
  const size_t contours = wm_layout_add(&layout, recorder->contour_count, sizeof *baseline->contours);
  const size_t edges = wm_layout_add(&layout, recorder->edge_count, sizeof *baseline->edges);
  const size_t vertices = wm_layout_add(&layout, tracer->simplified.count, sizeof *baseline->vertices);
  const size_t vertex_edge = wm_layout_add(&layout, tracer->simplified.count, sizeof *baseline->vertex_edge);
  const size_t number = wm_layout_add(&layout, record_count, sizeof *baseline->number);
  const size_t members = wm_layout_add(&layout, region_count, sizeof *baseline->member_count);
  uint8_t *block = wm_layout_allocate(tracer->context, &layout);
  if (!block) return WM_ERROR_OUT_OF_MEMORY;
  baseline->contour_block = block;
  baseline->contours = (WmBaselineContour *)(void *)(block + contours);
  baseline->edges = (WmBaselineEdge *)(void *)(block + edges);
  baseline->vertices = (WmContourVertex *)(void *)(block + vertices);
  baseline->vertex_edge = (uint32_t *)(void *)(block + vertex_edge);
  baseline->number = (uint16_t *)(void *)(block + number);
  baseline->member_count = (uint16_t *)(void *)(block + members);
  baseline->region_count = tile->region_count;
  baseline->contour_count = recorder->contour_count;
  baseline->edge_count = recorder->edge_count;
  baseline->vertex_count = (uint32_t)tracer->simplified.count;
  if (recorder->contour_count) {
    memcpy(baseline->contours, recorder->contours, recorder->contour_count * sizeof *baseline->contours);
    memcpy(baseline->edges, recorder->edges, recorder->edge_count * sizeof *baseline->edges);
  }
  if (baseline->vertex_count) {
    memcpy(baseline->vertices, tracer->simplified.items, baseline->vertex_count * sizeof *baseline->vertices);
    /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): vertices have edges */
    memcpy(baseline->vertex_edge, recorder->vertex_edge,
           baseline->vertex_count * sizeof *baseline->vertex_edge);
  }
  memcpy(baseline->number, tile->number, record_count * sizeof *baseline->number);
  memset(baseline->member_count, 0, region_count * sizeof *baseline->member_count);
  for (size_t i = 1; i < record_count; i++) {
    if (baseline->records[i].cells > 0) baseline->member_count[baseline->number[i]]++;
  }
  *byte_count += layout.bytes;
  return WM_OK;
}

WmStatus wm_baseline_record_contours(WmContext *context, const WmContourSettings *settings,
                                     const WmChangedTile *tile, const WmRegions *regions,
                                     WmBaseline *baseline, size_t *byte_count) {
  WmContourTracer tracer;
  ContourRecorder recorder = {0};
  WmStatus status = WM_OK;
  wm_contour_find_edges(tile->compact, regions->span_region, 0, tile->compact->span_count, tile->edges);
  wm_contour_start(context, tile->compact, regions, settings, tile->edges, &tracer);
  for (uint32_t span = 0; !status && span < tile->compact->span_count; span++) {
    if (tile->edges[span] == 15) tile->edges[span] = 0;
    if (tile->edges[span]) status = record_contour(&tracer, span, &recorder);
  }
  return status ? status : pack(&tracer, tile, &recorder, baseline, byte_count);
}

/* ---- Retained contours ------------------------------------------------------------------------------ */

/* Finds the final regions that are made of the same raw regions as in the baseline. */
static void find_retained_regions(WmChangedTile *c, uint16_t *source, uint16_t *members) {
  const WmBaseline *baseline = c->baseline;
  for (uint32_t i = 1; i < c->next_number; i++) {
    const uint16_t region = c->number[i], partner = c->partner[i];
    if (region == 0) continue;
    const uint16_t was = partner ? baseline->number[partner] : 0;
    members[region]++;
    if (source[region] == 0) source[region] = was ? was : SPOILED;
    if (source[region] != was) source[region] = SPOILED;
  }
  for (uint32_t region = 1; region <= c->region_count; region++) {
    const uint16_t was = source[region];
    c->is_retained[region] = was != SPOILED && was != 0 && members[region] == baseline->member_count[was];
    if (c->is_retained[region]) c->retained_region[was] = (uint16_t)region;
  }
}

/* The code of an edge now, given the span across. */
static uint32_t find_code(const WmChangedTile *c, uint32_t across, uint8_t area) {
  if (across == WM_NO_SPAN) return 0;
  return c->span_region[across] |
         (c->compact->span_area[across] == area ? 0 : (uint32_t)WM_CONTOUR_AREA_BORDER);
}

/* True if the codes across a contour can be replaced one for one; then image[old] is the new one. */
static bool is_contour_equal(const WmChangedTile *c, const WmBaselineContour *contour, uint16_t *image,
                             uint16_t *source) {
  const WmBaseline *baseline = c->baseline;
  const WmBaselineEdge *edge = baseline->edges + contour->first_edge, *end = edge + contour->edge_count;
  const uint8_t area = c->compact->span_area[contour->start];
  if (area != c->baseline_area[contour->start]) return false;
  memset(image, 0, ((size_t)baseline->region_count + 1) * sizeof *image);
  memset(source, 0, ((size_t)c->region_count + 1) * sizeof *source);
  for (uint32_t last = 0, last_code = 0; edge < end; edge++) {
    const uint32_t code = find_code(c, edge->across, area), was = edge->code & REGION, is = code & REGION;
    if (code == last_code && edge->code == last) continue;
    if ((code ^ edge->code) & ~(uint32_t)REGION) return false;
    last = edge->code;
    last_code = code;
    if (was == 0 || is == 0 || (was | is) & WM_REGION_BORDER) {
      if (was != is) return false;
    } else if (image[was] == 0 && source[is] == 0) {
      image[was] = (uint16_t)is;
      source[is] = (uint16_t)was;
    } else if (image[was] != is) {
      return false;
    }
  }
  return true;
}

/* A side between raw regions that are now one region is no edge. Regions that were dropped have none. */
static void set_edges(const WmChangedTile *c) {
  memset(c->edges, 0, c->compact->span_count);
  for (uint32_t i = 0; i < c->side_count; i++) {
    const WmRegionSide *side = &c->sides[i];
    const uint32_t span = side->side / 4, own = c->span_region[span];
    if (c->is_retained[own]) continue;
    const uint32_t other = side->across == WM_NO_SPAN ? 0 : c->span_region[side->across];
    if (own != other) c->edges[span] |= (uint8_t)(1u << side->side % 4);
  }
}

static WmStatus find_edges(WmContext *context, WmChangedTile *c) {
  const WmBaseline *baseline = c->baseline;
  const size_t were = (size_t)baseline->region_count + 1, are = (size_t)c->region_count + 1;
  c->retained_region = wm_scratch_zeroed(context, were, sizeof *c->retained_region);
  c->is_retained = wm_scratch_zeroed(context, are, sizeof *c->is_retained);
  uint16_t *image = wm_scratch_zeroed(context, were, sizeof *image);
  uint16_t *source = wm_scratch_zeroed(context, 2 * are, sizeof *source);
  if (!c->retained_region || !c->is_retained || !image || !source) return WM_ERROR_OUT_OF_MEMORY;
  if (baseline->contour_block) find_retained_regions(c, source, source + are);
  for (uint32_t i = 0; i < baseline->contour_count; i++) {
    const WmBaselineContour *contour = &baseline->contours[i];
    const uint16_t region = c->retained_region[contour->region];
    if (region == 0 || is_contour_equal(c, contour, image, source)) continue;
    c->is_retained[region] = false;
    c->retained_region[contour->region] = 0;
  }
  c->is_retained[0] = true; /* no region: no edges */
  set_edges(c);
  return WM_OK;
}

/* ---- Building ------------------------------------------------------------------------------------------ */

/* Appends the vertices of a retained contour, with the present codes of their edges. */
static WmStatus copy_contour(WmContourTracer *tracer, const WmChangedTile *c,
                             const WmBaselineContour *contour, WmContourRecord *record) {
  const WmBaseline *baseline = c->baseline;
  WmContourVertexList *list = &tracer->simplified;
  if (!wm_contour_extend(tracer->context, list, contour->vertex_count)) return WM_ERROR_OUT_OF_MEMORY;
  *record = (WmContourRecord){.ring = {list->count, contour->vertex_count},
                              .start = contour->start,
                              .region = c->retained_region[contour->region],
                              .area = c->compact->span_area[contour->start]};
  WmContourVertex *vertices = list->items + list->count;
  for (uint32_t i = 0; i < contour->vertex_count; i++) {
    const uint32_t number = contour->first_vertex + i;
    const uint32_t code = find_code(c, baseline->edges[baseline->vertex_edge[number]].across, record->area);
    vertices[i] = baseline->vertices[number];
    vertices[i].code = (int32_t)(code | ((uint32_t)vertices[i].code >> WM_CONTOUR_DIRECTION_SHIFT
                                                                           << WM_CONTOUR_DIRECTION_SHIFT));
  }
  wm_contour_resolve_vertices(tracer, vertices, contour->vertex_count);
  list->count += contour->vertex_count;
  return WM_OK;
}

/* Merges retained contours and traced ones, in the order of their starts. */
static WmStatus add_retained(WmContourTracer *tracer, const WmChangedTile *c) {
  const WmBaseline *baseline = c->baseline;
  WmContourRecord *all =
      wm_scratch_array(tracer->context, tracer->contour_count + baseline->contour_count, sizeof *all);
  size_t count = 0, traced = 0;
  if (!all) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < baseline->contour_count; i++) {
    const WmBaselineContour *contour = &baseline->contours[i];
    if (c->retained_region[contour->region] == 0 || contour->vertex_count == 0) continue;
    while (traced < tracer->contour_count && tracer->contours[traced].start < contour->start) {
      all[count++] = tracer->contours[traced++];
    }
    if (copy_contour(tracer, c, contour, &all[count++])) return WM_ERROR_OUT_OF_MEMORY;
  }
  while (traced < tracer->contour_count) all[count++] = tracer->contours[traced++];
  tracer->contours = all;
  tracer->contour_count = count;
  return WM_OK;
}

WmStatus wm_build_changed_contours(WmContext *context, const WmContourSettings *settings, WmChangedTile *c,
                                   const WmRegions *regions, WmContourSet *set) {
  WmContourTracer tracer;
  memset(set, 0, sizeof *set);
  WmStatus status = find_edges(context, c);
  if (status) return status;
  wm_contour_start(context, c->compact, regions, settings, c->edges, &tracer);
  status = wm_contour_trace(&tracer);
  if (!status) status = add_retained(&tracer, c);
  return status ? status : wm_contour_finish(&tracer, set);
}
