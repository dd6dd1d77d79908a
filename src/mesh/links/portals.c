/* Portal edges on the facing sides of two tiles -> planned links.
 *
 * Every portal edge was reduced to a segment along its side (mesh_internal.h). Two segments meet if they lie
 * at the same coordinate across the side, overlap along it, and either cross or come close enough in height
 * to step from one to the other. The candidates of an edge are found by binary search in the segments by low
 * end, each with the farthest high end up to it. They are linked in the order of polygons and edges; of one
 * polygon only the first edge is linked.
 *
 * Source: M. Mononen, Detour (2009-): same tests and same order, but any number of targets for an edge (the
 * original silently drops the fifth). */
#include <math.h>

#include "mesh/mesh_internal.h"

/* Slack along and across the side, world units. */
#define SLACK 0.01f

/* Height of a segment at a coordinate along its side. */
static float height_at(const WmPortalEdge *edge, float coordinate) {
  const float slope = (edge->y_high - edge->y_low) / (edge->high - edge->low);
  const float base = edge->y_low - slope * edge->low;
  return slope * coordinate + base;
}

/* True if two segments overlap and agents can step between them.
 * in         climb: of the target's tile */
static bool do_meet(const WmPortalEdge *a, const WmPortalEdge *b, float climb) {
  const float a_low = a->low + SLACK, b_low = b->low + SLACK;
  const float a_high = a->high - SLACK, b_high = b->high - SLACK;
  const float low = a_low > b_low ? a_low : b_low;
  const float high = a_high < b_high ? a_high : b_high;
  if (!(low <= high)) return false;
  const float at_low = height_at(b, low) - height_at(a, low);
  const float at_high = height_at(b, high) - height_at(a, high);
  if (at_low * at_high < 0) return true; /* they cross */
  const float tolerance = (climb * 2) * (climb * 2);
  return at_low * at_low <= tolerance || at_high * at_high <= tolerance;
}

/* Converts a position on an edge, 0..1 from its first vertex, to 0..255. */
static uint8_t to_range(float value) {
  if (!(value > 0.0f)) return 0; /* NaN too */
  if (value >= 1.0f) return 255;
  const float scaled = value * 255.0f;
  const uint8_t whole = (uint8_t)scaled;
  return (uint8_t)(whole + (scaled - whole >= 0.5f));
}

/* Plans the link from `a` to the polygon of `b`, open where they overlap. */
static void plan_portal(WmLinkPlan *plan, WmTileRecord *from, const WmPortalEdge *a, const WmTileRecord *to,
                        const WmPortalEdge *b) {
  const float low = a->low > b->low ? a->low : b->low;
  const float high = a->high < b->high ? a->high : b->high;
  const float first = a->ascending ? a->low : a->high, second = a->ascending ? a->high : a->low;
  const float begin = (low - first) / (second - first), end = (high - first) / (second - first);
  const bool swapped = begin > end;
  WmOuterLink *link = wm_plan_link(plan, from, a->polygon, to, b->polygon, a->edge, a->side);
  link->low = to_range(swapped ? end : begin);
  link->high = to_range(swapped ? begin : end);
}

/* The first index in by_low at which a segment, or one before it, reaches `low`. */
static uint32_t find_first_reaching(const WmTileRecord *to, float low) {
  const uint32_t key = wm_sort_key(low);
  uint32_t begin = 0, end = to->edge_count;
  while (begin < end) {
    const uint32_t middle = begin + (end - begin) / 2;
    if (to->by_low[middle].key < key) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

/* Plans the links of one portal edge to another tile. */
static void plan_edge(WmLinkPlan *plan, WmTileRecord *from, const WmPortalEdge *edge,
                      const WmTileRecord *to) {
  WmSortItem *items = plan->candidates;
  uint32_t count = 0;
  for (uint32_t i = find_first_reaching(to, edge->low); i < to->edge_count; i++) {
    const uint32_t number = to->by_low[i].value;
    const WmPortalEdge *other = &to->edges[number];
    if (other->low > edge->high) break;
    if (plan->work_left-- == 0) {
      plan->status = wm_fail(plan->mesh->context, WM_ERROR_LIMIT, "tile",
                             "too many edges of tiles lie above each other");
      return;
    }
    if ((edge->side ^ 4) != other->side || fabsf(edge->coordinate - other->coordinate) > SLACK) continue;
    if (!do_meet(edge, other, to->tile.agent_max_climb)) continue;
    if (count == WM_CANDIDATE_LIMIT) {
      plan->status = wm_fail_range(plan->mesh->context, WM_ERROR_LIMIT, "neighbours", count + 1.0, 0,
                                   WM_CANDIDATE_LIMIT, "an edge leads to more polygons of one tile");
      return;
    }
    items[count++] = (WmSortItem){number, number};
  }
  wm_sort_stable(items, items + WM_CANDIDATE_LIMIT, count); /* by polygon and edge: the order of `edges` */
  uint32_t last = WM_NO_SLOT;                               /* polygon */
  for (uint32_t i = 0; i < count; i++) {
    const WmPortalEdge *other = &to->edges[items[i].value];
    if (other->polygon != last) plan_portal(plan, from, edge, to, other);
    last = other->polygon;
  }
}

void wm_plan_portals(WmLinkPlan *plan, WmTileRecord *from, const WmTileRecord *to, uint32_t side) {
  for (uint32_t i = 0; i < from->edge_count && !plan->status; i++) {
    const WmPortalEdge *edge = &from->edges[i];
    if (edge->side == side || side == WM_TILE_SIDE_INSIDE) plan_edge(plan, from, edge, to);
  }
}
