/* Contours of a tile that obstacles change. See plain_tile.h.
 *
 * A region that has the spans it had has the outlines it had, and simplification asks of what lies across
 * them only where it changes, whether it is nothing, and whether its area is another. So where numbers of
 * regions across can be replaced one for one, the vertices are those kept, with these numbers replaced.
 * Heights are found again for them, and whether they lie at the tile's border: they are few. */
#include <string.h>

#include "bake/compact/links.h"
#include "bake/rebuild/plain_tile.h"

enum { REGION = 0xffff, SPOILED = 0xffff };

/* ---- Keeping ------------------------------------------------------------------------------------------- */

/* Contours of a plain tile, before it is known how many there are; in scratch memory. */
typedef struct Keeping {
  WmPlainContour *contours;
  WmPlainEdge *edges;
  uint32_t *vertex_edge; /* of the tracer's simplified vertices */
  uint32_t contour_count, edge_count;
  size_t contour_capacity, edge_capacity, vertex_capacity;
} Keeping;

static WmStatus keep_edges(WmContourTracer *tracer, uint32_t count, Keeping *keeping) {
  keeping->edges = wm_scratch_reserve(tracer->context, keeping->edges, &keeping->edge_capacity,
                                      (size_t)keeping->edge_count + count, sizeof *keeping->edges);
  if (!keeping->edges) return WM_ERROR_OUT_OF_MEMORY;
  const WmContourVertex *raw = tracer->raw.items + tracer->raw.count - count;
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t code = (uint32_t)raw[i].code, direction = code >> WM_CONTOUR_DIRECTION_SHIFT;
    keeping->edges[keeping->edge_count++] =
        (WmPlainEdge){wm_link(&tracer->compact->links, (uint32_t)raw[i].y, direction),
                      code & ((1u << WM_CONTOUR_DIRECTION_SHIFT) - 1)};
  }
  return WM_OK;
}

/* Finds the edges that start at the last `count` simplified vertices, given the contour's: each has the code
 * of the raw vertex after its own. */
static WmStatus find_vertex_edges(WmContourTracer *tracer, const WmPlainContour *contour, Keeping *keeping) {
  const size_t end = tracer->simplified.count;
  keeping->vertex_edge = wm_scratch_reserve(tracer->context, keeping->vertex_edge, &keeping->vertex_capacity,
                                            end, sizeof *keeping->vertex_edge);
  if (!keeping->vertex_edge) return WM_ERROR_OUT_OF_MEMORY;
  uint32_t at = 0;
  for (size_t i = end - contour->vertex_count; i < end; i++) {
    const WmContourVertex *vertex = &tracer->simplified.items[i], *raw = tracer->raw.items;
    while (raw[at].y != vertex->y || (raw[at].code ^ vertex->code) >> WM_CONTOUR_DIRECTION_SHIFT != 0) {
      at = at + 1 == contour->edge_count ? 0 : at + 1;
    }
    keeping->vertex_edge[i] = contour->first_edge + (at + 1 == contour->edge_count ? 0 : at + 1);
  }
  return WM_OK;
}

/* Traces and simplifies the contour that starts at a span; its vertices stay in `simplified`. */
static WmStatus keep_contour(WmContourTracer *tracer, uint32_t span, Keeping *keeping) {
  const uint32_t cell = wm_find_cell(tracer->compact, span), width = (uint32_t)tracer->compact->grid.width;
  WmPlainContour contour = {.start = span,
                            .first_edge = keeping->edge_count,
                            .first_vertex = (uint32_t)tracer->simplified.count,
                            .region = tracer->span_region[span]};
  tracer->raw.count = 0;
  WmStatus status = wm_contour_walk(tracer, span, (int32_t)(cell % width), (int32_t)(cell / width));
  contour.edge_count = (uint32_t)tracer->raw.count;
  if (!status) status = keep_edges(tracer, contour.edge_count, keeping);
  if (!status) {
    status = wm_contour_simplify(tracer->context, &tracer->simplifier, &tracer->raw, contour.edge_count,
                                 &tracer->simplified, &contour.vertex_count);
  }
  if (!status) status = find_vertex_edges(tracer, &contour, keeping);
  if (status) return status;
  keeping->contours = wm_scratch_reserve(tracer->context, keeping->contours, &keeping->contour_capacity,
                                         (size_t)keeping->contour_count + 1, sizeof contour);
  if (!keeping->contours) return WM_ERROR_OUT_OF_MEMORY;
  keeping->contours[keeping->contour_count++] = contour;
  return WM_OK;
}

static WmStatus pack(const WmContourTracer *tracer, const WmChangedTile *tile, const Keeping *keeping,
                     WmPlainTile *plain, size_t *byte_count) {
  const size_t record_count = plain->record_count, region_count = (size_t)tile->region_count + 1;
  WmLayout layout = {0};
  const size_t contours = wm_layout_add(&layout, keeping->contour_count, sizeof *plain->contours);
  const size_t edges = wm_layout_add(&layout, keeping->edge_count, sizeof *plain->edges);
  const size_t vertices = wm_layout_add(&layout, tracer->simplified.count, sizeof *plain->vertices);
  const size_t vertex_edge = wm_layout_add(&layout, tracer->simplified.count, sizeof *plain->vertex_edge);
  const size_t number = wm_layout_add(&layout, record_count, sizeof *plain->number);
  const size_t members = wm_layout_add(&layout, region_count, sizeof *plain->member_count);
  uint8_t *block = wm_layout_allocate(tracer->context, &layout);
  if (!block) return WM_ERROR_OUT_OF_MEMORY;
  plain->contour_block = block;
  plain->contours = (WmPlainContour *)(void *)(block + contours);
  plain->edges = (WmPlainEdge *)(void *)(block + edges);
  plain->vertices = (WmContourVertex *)(void *)(block + vertices);
  plain->vertex_edge = (uint32_t *)(void *)(block + vertex_edge);
  plain->number = (uint16_t *)(void *)(block + number);
  plain->member_count = (uint16_t *)(void *)(block + members);
  plain->region_count = tile->region_count;
  plain->contour_count = keeping->contour_count;
  plain->edge_count = keeping->edge_count;
  plain->vertex_count = (uint32_t)tracer->simplified.count;
  if (keeping->contour_count) {
    memcpy(plain->contours, keeping->contours, keeping->contour_count * sizeof *plain->contours);
    memcpy(plain->edges, keeping->edges, keeping->edge_count * sizeof *plain->edges);
  }
  if (plain->vertex_count) {
    memcpy(plain->vertices, tracer->simplified.items, plain->vertex_count * sizeof *plain->vertices);
    /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): vertices have edges */
    memcpy(plain->vertex_edge, keeping->vertex_edge, plain->vertex_count * sizeof *plain->vertex_edge);
  }
  memcpy(plain->number, tile->number, record_count * sizeof *plain->number);
  memset(plain->member_count, 0, region_count * sizeof *plain->member_count);
  for (size_t i = 1; i < record_count; i++) {
    if (plain->records[i].cells > 0) plain->member_count[plain->number[i]]++;
  }
  *byte_count += layout.bytes;
  return WM_OK;
}

WmStatus wm_keep_contours(WmContext *context, const WmContourSettings *settings, const WmChangedTile *tile,
                          const WmRegions *regions, WmPlainTile *plain, size_t *byte_count) {
  WmContourTracer tracer;
  Keeping keeping = {0};
  WmStatus status = WM_OK;
  wm_contour_find_edges(tile->compact, regions->span_region, 0, tile->compact->span_count, tile->edges);
  wm_contour_start(context, tile->compact, regions, settings, tile->edges, &tracer);
  for (uint32_t span = 0; !status && span < tile->compact->span_count; span++) {
    if (tile->edges[span] == 15) tile->edges[span] = 0;
    if (tile->edges[span]) status = keep_contour(&tracer, span, &keeping);
  }
  return status ? status : pack(&tracer, tile, &keeping, plain, byte_count);
}

/* ---- Which contours stay ------------------------------------------------------------------------------- */

/* Final regions made of the raw regions they were made of. */
static void find_kept_regions(WmChangedTile *c, uint16_t *source, uint16_t *members) {
  const WmPlainTile *plain = c->plain;
  for (uint32_t i = 1; i < c->next_number; i++) {
    const uint16_t region = c->number[i], partner = c->partner[i];
    if (region == 0) continue;
    const uint16_t was = partner ? plain->number[partner] : 0;
    members[region]++;
    if (source[region] == 0) source[region] = was ? was : SPOILED;
    if (source[region] != was) source[region] = SPOILED;
  }
  for (uint32_t region = 1; region <= c->region_count; region++) {
    const uint16_t was = source[region];
    c->is_kept[region] = was != SPOILED && was != 0 && members[region] == plain->member_count[was];
    if (c->is_kept[region]) c->kept_region[was] = (uint16_t)region;
  }
}

/* What lies across an edge now, as its code. */
static uint32_t find_code(const WmChangedTile *c, uint32_t across, uint8_t area) {
  if (across == WM_NO_SPAN) return 0;
  return c->span_region[across] |
         (c->compact->span_area[across] == area ? 0 : (uint32_t)WM_CONTOUR_AREA_BORDER);
}

/* Whether codes across a contour can be replaced one for one; then image says by what. */
static bool is_contour_alike(const WmChangedTile *c, const WmPlainContour *contour, uint16_t *image,
                             uint16_t *source) {
  const WmPlainTile *plain = c->plain;
  const WmPlainEdge *edge = plain->edges + contour->first_edge, *end = edge + contour->edge_count;
  const uint8_t area = c->compact->span_area[contour->start];
  if (area != c->plain_area[contour->start]) return false;
  memset(image, 0, ((size_t)plain->region_count + 1) * sizeof *image);
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

/* Sides between raw regions that have become one are no edges, and dropped regions have none. */
static void set_edges(const WmChangedTile *c) {
  memset(c->edges, 0, c->compact->span_count);
  for (uint32_t i = 0; i < c->side_count; i++) {
    const WmRegionSide *side = &c->sides[i];
    const uint32_t span = side->place / 4, own = c->span_region[span];
    if (c->is_kept[own]) continue;
    const uint32_t other = side->across == WM_NO_SPAN ? 0 : c->span_region[side->across];
    if (own != other) c->edges[span] |= (uint8_t)(1u << side->place % 4);
  }
}

static WmStatus find_edges(WmContext *context, WmChangedTile *c) {
  const WmPlainTile *plain = c->plain;
  const size_t were = (size_t)plain->region_count + 1, are = (size_t)c->region_count + 1;
  c->kept_region = wm_scratch_zeroed(context, were, sizeof *c->kept_region);
  c->is_kept = wm_scratch_zeroed(context, are, sizeof *c->is_kept);
  uint16_t *image = wm_scratch_zeroed(context, were, sizeof *image);
  uint16_t *source = wm_scratch_zeroed(context, 2 * are, sizeof *source);
  if (!c->kept_region || !c->is_kept || !image || !source) return WM_ERROR_OUT_OF_MEMORY;
  if (plain->contour_block) find_kept_regions(c, source, source + are);
  for (uint32_t i = 0; i < plain->contour_count; i++) {
    const WmPlainContour *contour = &plain->contours[i];
    const uint16_t region = c->kept_region[contour->region];
    if (region == 0 || is_contour_alike(c, contour, image, source)) continue;
    c->is_kept[region] = false;
    c->kept_region[contour->region] = 0;
  }
  c->is_kept[0] = true; /* no region: no edges */
  set_edges(c);
  return WM_OK;
}

/* ---- Building ------------------------------------------------------------------------------------------ */

/* Appends the vertices of a kept contour, with what lies across their edges now. */
static WmStatus take_contour(WmContourTracer *tracer, const WmChangedTile *c, const WmPlainContour *contour,
                             WmContourRecord *record) {
  const WmPlainTile *plain = c->plain;
  WmContourVertexList *list = &tracer->simplified;
  if (!wm_contour_extend(tracer->context, list, contour->vertex_count)) return WM_ERROR_OUT_OF_MEMORY;
  *record = (WmContourRecord){.ring = {list->count, contour->vertex_count},
                              .start = contour->start,
                              .region = c->kept_region[contour->region],
                              .area = c->compact->span_area[contour->start]};
  WmContourVertex *vertices = list->items + list->count;
  for (uint32_t i = 0; i < contour->vertex_count; i++) {
    const uint32_t number = contour->first_vertex + i;
    const uint32_t code = find_code(c, plain->edges[plain->vertex_edge[number]].across, record->area);
    vertices[i] = plain->vertices[number];
    vertices[i].code = (int32_t)(code | ((uint32_t)vertices[i].code >> WM_CONTOUR_DIRECTION_SHIFT
                                                                           << WM_CONTOUR_DIRECTION_SHIFT));
  }
  wm_contour_settle(tracer, vertices, contour->vertex_count);
  list->count += contour->vertex_count;
  return WM_OK;
}

/* Puts kept contours between those traced, in the order of their starts. */
static WmStatus add_kept(WmContourTracer *tracer, const WmChangedTile *c) {
  const WmPlainTile *plain = c->plain;
  WmContourRecord *all =
      wm_scratch_array(tracer->context, tracer->contour_count + plain->contour_count, sizeof *all);
  size_t count = 0, traced = 0;
  if (!all) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < plain->contour_count; i++) {
    const WmPlainContour *contour = &plain->contours[i];
    if (c->kept_region[contour->region] == 0 || contour->vertex_count == 0) continue;
    while (traced < tracer->contour_count && tracer->contours[traced].start < contour->start) {
      all[count++] = tracer->contours[traced++];
    }
    if (take_contour(tracer, c, contour, &all[count++])) return WM_ERROR_OUT_OF_MEMORY;
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
  if (!status) status = add_kept(&tracer, c);
  return status ? status : wm_contour_finish(&tracer, set);
}
