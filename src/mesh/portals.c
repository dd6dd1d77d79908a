/* Where edges on the facing sides of two tiles meet: portal edges of both -> planned links.
 *
 * Every portal edge was reduced to a segment along its side (mesh_internal.h). Two segments meet when they
 * lie at the same coordinate across the side, overlap along it, and their heights come close enough to step
 * from one to the other, or cross. The candidates of an edge are found by binary search over low ends, with
 * the farthest high end so far, and taken in the order of polygons and edges; of one polygon the first edge
 * counts.
 *
 * Source: M. Mononen, Detour (2009-): same tests and same order, but any number of targets for an edge (the
 * original drops the fifth without a word). */
#include <math.h>

#include "base/sort.h"
#include "mesh/mesh_internal.h"

/* Slack along and across the side, world units. */
#define SLACK 0.01f

/* No level has more polygons than this along one edge: a bound on what bytes made to do harm can cost. */
enum { CANDIDATE_LIMIT = 4096 };

/* Whether one can step between two overlapping segments.
 * in         climb: of the target's tile */
static bool do_meet(const WmPortalEdge *a, const WmPortalEdge *b, float climb) {
  const float a_low = a->low + SLACK, b_low = b->low + SLACK;
  const float a_high = a->high - SLACK, b_high = b->high - SLACK;
  const float low = a_low > b_low ? a_low : b_low;
  const float high = a_high < b_high ? a_high : b_high;
  if (!(low <= high)) return false;
  const float a_slope = (a->y_high - a->y_low) / (a->high - a->low);
  const float a_base = a->y_low - a_slope * a->low;
  const float b_slope = (b->y_high - b->y_low) / (b->high - b->low);
  const float b_base = b->y_low - b_slope * b->low;
  const float at_low = (b_slope * low + b_base) - (a_slope * low + a_base);
  const float at_high = (b_slope * high + b_base) - (a_slope * high + a_base);
  if (at_low * at_high < 0) return true; /* they cross */
  const float tolerance = (climb * 2) * (climb * 2);
  return at_low * at_low <= tolerance || at_high * at_high <= tolerance;
}

/* Part of an edge, from its first vertex, as 0..255. */
static uint8_t to_range(float value) {
  if (!(value > 0.0f)) return 0; /* NaN too */
  return value >= 1.0f ? 255 : (uint8_t)roundf(value * 255.0f);
}

/* The link from `a` to the polygon of `b`, open where they overlap. */
static WmDynamicLink make_link(const WmTileRecord *from, const WmPortalEdge *a, const WmTileRecord *to,
                               const WmPortalEdge *b, uint32_t portal_side, uint32_t side) {
  const float low = a->low > b->low ? a->low : b->low;
  const float high = a->high < b->high ? a->high : b->high;
  const WmMeshTile *tile = &from->tile;
  const uint16_t *numbers = tile->polygon_vertices + WM_TILE_VERTICES_PER_POLYGON * (size_t)a->polygon;
  const uint32_t next = a->edge + 1u < tile->polygon_size[a->polygon] ? a->edge + 1u : 0;
  const size_t along = portal_side & 2 ? 0 : 2;
  const float first = tile->vertices[3 * (size_t)numbers[a->edge] + along];
  const float second = tile->vertices[3 * (size_t)numbers[next] + along];
  float begin = (low - first) / (second - first), end = (high - first) / (second - first);
  if (begin > end) {
    const float swap = begin;
    begin = end;
    end = swap;
  }
  return (WmDynamicLink){.slot = to->tile.slot,
                         .polygon = a->polygon,
                         .target = b->polygon,
                         .edge = a->edge,
                         .side = (uint8_t)side,
                         .low = to_range(begin),
                         .high = to_range(end)};
}

/* The first in `by_low` whose segment, or one before it, reaches as far as `low`. */
static uint32_t find_first_reaching(const WmPortalSide *side, float low) {
  uint32_t begin = 0, end = side->count;
  while (begin < end) {
    const uint32_t middle = begin + (end - begin) / 2;
    if (side->reach[middle] < low) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

/* in         items [2 * CANDIDATE_LIMIT] */
static void plan_edge(WmLinkPlan *plan, WmTileRecord *from, const WmPortalEdge *edge, const WmTileRecord *to,
                      uint32_t portal_side, uint32_t side, WmSortItem *items) {
  const WmPortalSide *facing = &to->sides[((portal_side + 4) & 7) >> 1];
  uint32_t count = 0;
  for (uint32_t i = find_first_reaching(facing, edge->low); i < facing->count && count < CANDIDATE_LIMIT;
       i++) {
    const uint32_t number = facing->by_low[i];
    const WmPortalEdge *other = &facing->edges[number];
    if (other->low > edge->high) break;
    if (fabsf(edge->coordinate - other->coordinate) > SLACK) continue;
    /* Numbers of edges ascend with polygons and their edges. */
    if (do_meet(edge, other, to->tile.agent_max_climb)) items[count++] = (WmSortItem){number, number};
  }
  wm_sort_stable(items, items + CANDIDATE_LIMIT, count);
  for (uint32_t i = 0; i < count; i++) {
    const WmPortalEdge *other = &facing->edges[items[i].value];
    if (i > 0 && facing->edges[items[i - 1].value].polygon == other->polygon) continue;
    wm_plan_link(plan, from, make_link(from, edge, to, other, portal_side, side));
  }
}

/* Planning in the order of polygons and their edges, whatever their sides. */
void wm_plan_portals(WmLinkPlan *plan, WmTileRecord *from, const WmTileRecord *to, uint32_t side) {
  if (plan->status) return;
  uint32_t next[4] = {0}, end[4] = {0};
  for (uint32_t s = 0; s < 4; s++) {
    if (side == 2 * s || side == WM_TILE_SIDE_INSIDE) end[s] = from->sides[s].count;
  }
  if (end[0] + end[1] + end[2] + end[3] == 0) return;
  WmSortItem *items = plan->candidates;
  if (!items) items = plan->candidates = wm_scratch_array(plan->context, 2 * CANDIDATE_LIMIT, sizeof *items);
  if (!items) {
    plan->status = WM_ERROR_OUT_OF_MEMORY;
    return;
  }
  while (!plan->status) {
    uint32_t first = 4, first_key = UINT32_MAX;
    for (uint32_t s = 0; s < 4; s++) {
      if (next[s] == end[s]) continue;
      const WmPortalEdge *edge = &from->sides[s].edges[next[s]];
      const uint32_t key = (uint32_t)edge->polygon << 8 | edge->edge;
      if (key < first_key) {
        first_key = key;
        first = s;
      }
    }
    if (first == 4) break;
    plan_edge(plan, from, &from->sides[first].edges[next[first]++], to, 2 * first, side, items);
  }
}
