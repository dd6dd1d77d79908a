/* The ground under segment links: ties, and plans of the links between sets and ground polygons. See segment_sets.h.
 *
 * A segment is clipped on x and z by the edges of each polygon near it. An edge along which the segment runs, up to a small
 * tolerance, doesn't clip it; so a segment on the border of the mesh lies on the polygon behind it, and polygons that only
 * touch it with a corner have an empty interval. Ties depend on the tiles of the mesh alone: they are sorted by segment,
 * interval, place of the tile and polygon.
 *
 * When a tile comes or goes, the segments that reach its place are tied again. Others keep their ties, but all sets that have such
 * segments plan their links again. */
#include <math.h>

#include "base/debug/assert.h"
#include "mesh/links/link_crossing.h"
#include "mesh/links/segment_sets.h"

/* Search states of a link that WmLink.side can name, without state 0; ties beyond can't be entered. */
enum { ENTRY_LIMIT = 126 };

/* Largest number of ties of a link. No level has as many: it bounds the cost of hostile bytes. */
enum { TIE_LIMIT = 4096 };

/* Distance of a segment from an edge that it lies on, cells; and relative to coordinates, which rounding reaches. */
#define ON_EDGE_CELLS 1e-3f
#define ON_EDGE_SCALE 1e-6f

/* ---- One segment -------------------------------------------------------------------------------------- */

/* A segment that is compared with the polygons of tiles. */
typedef struct Segment {
  WmLinkPlan *plan;
  WmLinkSet *set;
  uint32_t end;   /* 0 near, 1 far */
  uint32_t count; /* ties of the plan until now, of all links */
  uint32_t first; /* of them, of this link */
  const float (*at)[3];
  float low[3], high[3]; /* its box, with the tolerances */
  float slack;           /* world units on x and z */
} Segment;

/* The tolerance on x and z at a segment. */
static float find_slack(const WmMesh *mesh, const float at[2][3]) {
  float farthest = 0;
  for (int i = 0; i < 2; i++) farthest = fmaxf(farthest, fmaxf(fabsf(at[i][0]), fabsf(at[i][2])));
  return ON_EDGE_CELLS * mesh->parameters.cell_size + ON_EDGE_SCALE * farthest;
}

/* How far above or below a surface a segment may lie. */
static float find_rise(const WmMesh *mesh) {
  return mesh->parameters.agent_max_climb + fmaxf(mesh->parameters.cell_size, mesh->parameters.cell_height);
}

/* Clips an interval of the segment by a polygon. Returns false if less than WM_LINK_OVERLAP is left. */
static bool clip(const Segment *segment, const WmMeshTile *tile, uint32_t polygon, float *low, float *high) {
  const float *from = segment->at[0], *to = segment->at[1];
  *low = 0;
  *high = 1;
  for (uint32_t k = 0; k < tile->polygon_size[polygon]; k++) {
    const float *first = wm_tile_vertex(tile, polygon, k), *second = wm_tile_vertex(tile, polygon, k + 1);
    const double x = (double)second[0] - (double)first[0], z = (double)second[2] - (double)first[2];
    const double length = sqrt(x * x + z * z), slack = (double)segment->slack * length;
    /* Distances inside of the edge, times its length. */
    const double a = ((double)from[0] - (double)first[0]) * z - ((double)from[2] - (double)first[2]) * x;
    const double b = ((double)to[0] - (double)first[0]) * z - ((double)to[2] - (double)first[2]) * x;
    if (a >= -slack && b >= -slack) continue;
    if (a <= 0 && b <= 0) return false;
    const float t = (float)(a / (a - b));
    if (a < b) {
      *low = fmaxf(*low, t);
    } else {
      *high = fminf(*high, t);
    }
  }
  return *high - *low >= WM_LINK_OVERLAP; /* false for NaN */
}

/* True if the middle of an interval lies close enough to the surface of a polygon on y. */
static bool is_at_height(const Segment *segment, const WmMeshTile *tile, uint32_t polygon, float low,
                         float high) {
  float middle[3];
  wm_interpolate(segment->at[0], segment->at[1], 0.5f * (low + high), middle);
  return fabsf(wm_tile_height(tile, polygon, middle) - middle[1]) <= find_rise(segment->plan->mesh);
}

/* ---- Ties --------------------------------------------------------------------------------------------- */

static bool is_before(const WmMesh *mesh, const WmLinkTie *a, const WmLinkTie *b,
                      const WmTileRecord *coming) {
  if (a->is_entry != b->is_entry) return a->is_entry;
  if (a->end != b->end) return a->end < b->end;
  if (a->low != b->low) return a->low < b->low;
  const WmTileRecord *first = wm_mesh_slots(mesh)[a->slot].record,
                     *second = wm_mesh_slots(mesh)[b->slot].record;
  const WmMeshTile *one = &(coming && coming->tile.slot == a->slot ? coming : first)->tile;
  const WmMeshTile *other = &(coming && coming->tile.slot == b->slot ? coming : second)->tile;
  if (one->z != other->z) return one->z < other->z;
  if (one->x != other->x) return one->x < other->x;
  if (one->layer != other->layer) return one->layer < other->layer;
  return a->polygon < b->polygon;
}

/* Fails if a link has too many ties, or all links of the mesh together. */
static WmStatus check_count(const Segment *segment) {
  const WmLinkPlan *plan = segment->plan;
  const size_t count = plan->mesh->tie_count - wm_link_set_tie_count(segment->set) + segment->count;
  const bool is_many = segment->count - segment->first >= TIE_LIMIT || count >= plan->link_limit;
  if (plan->link_limit == 0 || !is_many) return WM_OK;
  return wm_fail(plan->mesh->context, WM_ERROR_LIMIT, "links", "too many polygons lie under a segment link");
}

static void append_tie(Segment *segment, const WmLinkTie *tie) {
  WmLinkPlan *plan = segment->plan;
  WmBuffer *planned = &segment->set->planned;
  plan->status = check_count(segment);
  if (!plan->status) {
    plan->status =
        wm_buffer_reserve(plan->mesh->context, planned, (size_t)segment->count + 1, sizeof(WmLinkTie));
  }
  if (!plan->status) ((WmLinkTie *)planned->items)[segment->count++] = *tie;
}

/* Ties the segment to a polygon if it lies on it. */
static void add_tie(Segment *segment, const WmMeshTile *tile, uint32_t polygon) {
  float low, high;
  if (segment->plan->status || !clip(segment, tile, polygon, &low, &high) ||
      !is_at_height(segment, tile, polygon, low, high)) {
    return;
  }
  append_tie(
      segment,
      &(WmLinkTie){
          .slot = tile->slot, .polygon = polygon, .low = low, .high = high, .end = (uint8_t)segment->end});
}

/* Boxes of nodes are in cells, truncated at their high ends; on y surfaces may lie beside them. */
enum { NODE_SLACK = 2 };

static void tie_in_tree(Segment *segment, const WmMeshTile *tile) {
  float low[3], high[3];
  for (int axis = 0; axis < 3; axis++) {
    const float slack = axis == 1 ? NODE_SLACK + tile->node_rise : NODE_SLACK;
    low[axis] = (segment->low[axis] - tile->bounds_min[axis]) * tile->cells_per_unit - slack;
    high[axis] = (segment->high[axis] - tile->bounds_min[axis]) * tile->cells_per_unit + slack;
    low[axis] = fminf(low[axis], WM_TILE_NODE_LIMIT); /* bounds of nodes are clamped to it */
    high[axis] = fmaxf(high[axis], 0);
  }
  for (uint32_t i = 0; i < tile->node_count;) {
    const WmTileNode *node = &tile->nodes[i];
    bool apart = false;
    for (int axis = 0; axis < 3; axis++) {
      apart |= (float)node->low[axis] > high[axis] || (float)node->high[axis] < low[axis];
    }
    const bool is_leaf = node->index >= 0;
    if (is_leaf && !apart) add_tie(segment, tile, (uint32_t)node->index);
    i += is_leaf || !apart ? 1 : (uint32_t)-node->index;
  }
}

static void tie_in_tile(Segment *segment, const WmMeshTile *tile) {
  for (int axis = 0; axis < 3; axis += 2) {
    if (segment->low[axis] > tile->bounds_max[axis] || segment->high[axis] < tile->bounds_min[axis]) return;
  }
  if (tile->node_count > 0) {
    tie_in_tree(segment, tile);
    return;
  }
  for (uint32_t p = 0; p < tile->ground_count; p++) add_tie(segment, tile, p);
}

/* Sets the segment and its box. */
static void set_segment(Segment *segment, const WmSegmentLink *link, uint32_t end) {
  const WmMesh *mesh = segment->plan->mesh;
  segment->end = end;
  segment->at = end ? link->end : link->start;
  segment->slack = find_slack(mesh, segment->at);
  for (int axis = 0; axis < 3; axis++) {
    const float slack = axis == 1 ? find_rise(mesh) : segment->slack;
    segment->low[axis] = fminf(segment->at[0][axis], segment->at[1][axis]) - slack;
    segment->high[axis] = fmaxf(segment->at[0][axis], segment->at[1][axis]) + slack;
  }
}

/* True if a place is one of those around a segment. */
static bool is_in_places(const WmBoxTiles *tiles, int32_t x, int32_t z) {
  return x >= tiles->first[0] && x <= tiles->last[0] && z >= tiles->first[1] && z <= tiles->last[1];
}

/* Ties one segment as it is tied. */
static void keep_ties(Segment *segment, uint32_t link) {
  const WmLinkSet *set = segment->set;
  const WmLinkTie *ties = set->ties.items;
  for (uint32_t i = set->tie_first[link]; i < set->tie_first[link + 1] && !segment->plan->status; i++) {
    WmLinkTie tie = ties[i];
    tie.is_entry = tie.is_exit = false; /* as those that aren't ordered yet */
    if (tie.end == segment->end) append_tie(segment, &tie);
  }
}

/* Ties one segment to all tiles around it that stay, and to the one that is coming.
 * in         changed: the only place whose tiles have changed since it was tied; NULL: it wasn't tied yet */
static void tie_segment(Segment *segment, uint32_t link, const int32_t *changed, const WmTileRecord *coming) {
  const WmMesh *mesh = segment->plan->mesh;
  WmBoxTiles tiles;
  wm_box_tiles_begin(&tiles, mesh, segment->low, segment->high);
  if (changed && !is_in_places(&tiles, changed[0], changed[1])) {
    keep_ties(segment, link);
    return;
  }
  for (const WmMeshTile *tile; (tile = wm_box_tiles_next(&tiles)) != NULL;) {
    const bool is_leaving = wm_mesh_slots(mesh)[tile->slot].record->is_leaving;
    if (!is_leaving && is_in_places(&tiles, tile->x, tile->z)) tie_in_tile(segment, tile);
  }
  if (coming && is_in_places(&tiles, coming->tile.x, coming->tile.z)) tie_in_tile(segment, &coming->tile);
}

/* True if a tie of the other segment overlaps this one. */
static bool has_partner(const WmLinkTie *ties, uint32_t count, const WmLinkTie *tie) {
  for (uint32_t i = 0; i < count; i++) {
    const float low = fmaxf(ties[i].low, tie->low), high = fminf(ties[i].high, tie->high);
    if (ties[i].end != tie->end && high - low >= WM_LINK_OVERLAP) return true;
  }
  return false;
}

static void sort_ties(const WmMesh *mesh, WmLinkTie *ties, uint32_t count, const WmTileRecord *coming) {
  for (uint32_t i = 1; i < count; i++) {
    const WmLinkTie tie = ties[i];
    uint32_t k = i;
    for (; k > 0 && is_before(mesh, &tie, &ties[k - 1], coming); k--) ties[k] = ties[k - 1];
    ties[k] = tie;
  }
}

/* Finds which ties of one link lead onto it and off it, and sorts them. */
static void order_ties(const WmMesh *mesh, const WmSegmentLink *link, WmLinkTie *ties, uint32_t count,
                       const WmTileRecord *coming) {
  uint32_t entries = 0;
  sort_ties(mesh, ties, count, coming);
  for (uint32_t i = 0; i < count; i++) {
    const bool is_open = has_partner(ties, count, &ties[i]);
    ties[i].is_entry = is_open && (ties[i].end == 0 || link->bidirectional) && entries < ENTRY_LIMIT;
    ties[i].is_exit = is_open && (ties[i].end == 1 || link->bidirectional);
    entries += ties[i].is_entry;
  }
  sort_ties(mesh, ties, count, coming);
}

/* Finds the ties of all links of a set.
 * in         changed: as of tie_segment
 * out        set->planned, set->planned_first */
static void plan_ties_of(WmLinkPlan *plan, WmLinkSet *set, const int32_t *changed,
                         const WmTileRecord *coming) {
  Segment segment = {.plan = plan, .set = set};
  for (uint32_t i = 0; i < set->record.tile.polygon_count && !plan->status; i++) {
    const uint32_t first = segment.first = set->planned_first[i] = segment.count;
    for (uint32_t end = 0; end < 2; end++) {
      set_segment(&segment, &set->links[i], end);
      tie_segment(&segment, i, changed, coming);
    }
    if (segment.count == first) continue;
    order_ties(plan->mesh, &set->links[i], (WmLinkTie *)set->planned.items + first, segment.count - first,
               coming);
  }
  set->planned_first[set->record.tile.polygon_count] = segment.count;
}

/* ---- Links -------------------------------------------------------------------------------------------- */

/* The interval of a tie, in place of the point of a connection's end. */
static void set_interval(WmOuterLink *link, const WmLinkTie *tie) {
  link->point[0] = tie->low;
  link->point[1] = tie->high;
  link->point[2] = (float)tie->end;
}

/* Plans the links of a set's planned ties. */
static void plan_links(WmLinkPlan *plan, WmLinkSet *set, WmTileRecord *coming) {
  for (uint32_t i = 0; i < set->record.tile.polygon_count; i++) {
    uint32_t state = 1;
    for (uint32_t k = set->planned_first[i]; k < set->planned_first[i + 1] && !plan->status; k++) {
      const WmLinkTie *tie = (const WmLinkTie *)set->planned.items + k;
      WmTileRecord *ground =
          coming && coming->tile.slot == tie->slot ? coming : wm_mesh_slots(plan->mesh)[tie->slot].record;
      if (tie->is_exit) {
        set_interval(wm_plan_link(plan, &set->record, i, ground, tie->polygon, tie->end, WM_TILE_SIDE_INSIDE),
                     tie);
      }
      if (tie->is_entry) {
        set_interval(wm_plan_link(plan, ground, tie->polygon, &set->record, i, 255, 2 * state++), tie);
      }
    }
  }
}

void wm_plan_link_set_removal(WmLinkPlan *plan, WmLinkSet *set) {
  set->record.is_leaving = true;
  for (uint32_t i = 0; i < wm_link_set_tie_count(set); i++) {
    WmTileRecord *ground = wm_mesh_slots(plan->mesh)[((const WmLinkTie *)set->ties.items)[i].slot].record;
    if (!ground->is_leaving) wm_plan_touch(plan, ground);
  }
}

void wm_plan_link_set(WmLinkPlan *plan, WmLinkSet *set, const int32_t *changed, WmTileRecord *coming) {
  plan_ties_of(plan, set, changed, coming);
  if (plan->status) return;
  wm_plan_touch(plan, &set->record);
  wm_plan_link_set_removal(plan, set);
  plan_links(plan, set, coming);
}

void wm_link_set_apply_ties(WmMesh *mesh, WmLinkSet *set) {
  WmMeshTile *tile = &set->record.tile;
  mesh->tie_count += set->planned_first[tile->polygon_count];
  mesh->tie_count -= wm_link_set_tie_count(set);
  wm_block_free(mesh->context, set->ties.items);
  set->ties = set->planned;
  set->planned = (WmBuffer){0};
  memcpy(set->tie_first, set->planned_first, (tile->polygon_count + (size_t)1) * sizeof *set->tie_first);
  tile->ties = set->ties.items;
  uint32_t *states = set->record.arrays.state_first;
  for (uint32_t i = 0; i < tile->polygon_count; i++) {
    states[i + 1] = states[i] + 1;
    for (uint32_t k = set->tie_first[i]; k < set->tie_first[i + 1]; k++)
      states[i + 1] += tile->ties[k].is_entry;
  }
}

/* ---- Places ------------------------------------------------------------------------------------------- */

void wm_link_set_find_boxes(const WmMesh *mesh, WmLinkSet *set) {
  for (uint32_t end = 0; end < 2; end++) {
    WmPlaceBox *box = &set->boxes[end];
    for (uint32_t i = 0; i < set->record.tile.polygon_count; i++) {
      const WmSegmentLink *link = &set->links[i];
      const float(*at)[3] = end ? link->end : link->start;
      const float slack = find_slack(mesh, at);
      for (int k = 0; k < 2; k++) {
        const int axis = 2 * k;
        const int32_t first = wm_mesh_place(mesh, axis, fminf(at[0][axis], at[1][axis]) - slack);
        const int32_t last = wm_mesh_place(mesh, axis, fmaxf(at[0][axis], at[1][axis]) + slack);
        if (i == 0 || first < box->first[k]) box->first[k] = first;
        if (i == 0 || last > box->last[k]) box->last[k] = last;
      }
    }
  }
}

bool wm_link_set_is_around(const WmLinkSet *set, int32_t x, int32_t z) {
  for (int end = 0; end < 2; end++) {
    const WmPlaceBox *box = &set->boxes[end];
    if (x >= box->first[0] && x <= box->last[0] && z >= box->first[1] && z <= box->last[1]) return true;
  }
  return false;
}
