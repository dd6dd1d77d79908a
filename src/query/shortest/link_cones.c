/* Cones over segment links. See shortest_internal.h.
 *
 * A cone goes through a link as if there were no gap: its root is laid over to the far side by the link's rigid motion, and
 * the link's cost is added. The part of the near segment that the root sees becomes the part of the far segment that the
 * cone enters through.
 *
 *          the near side                        the far side
 *
 *                                                  .       .
 *                                                   .     .
 *      left ----.-----.---- right         left ------------------ right
 *                .   .                                . .
 *                 . .                                  .
 *                 root                        root, laid over
 *
 * Segments may lie inside polygons: agents come to them from both sides, and leave them to both sides. An agent that turns back
 * at a link comes to the point where the way is shortest, as light to a mirror: the root is laid over to the other side.
 * At the ends of a link the string turns in any direction: a cone of kind POINT stands there on the far side. */
#include "mesh/locate.h"
#include "query/shortest/shortest_internal.h"

enum { LEFT = WM_CONE_LEFT, RIGHT = WM_CONE_RIGHT };

/* Cones that a crossing can make: two at its ends, one where another link comes out; the seen part and those beside it, on both sides. */
enum { CONES_PER_CROSSING = 9 };

/* Parts of a segment narrower than this, relative to coordinates, are empty. */
#define EMPTY 1e-9

/* ---- Segments ----------------------------------------------------------------------------------------- */

static double dot(WmConeVector a, WmConeVector b) { return a.x * b.x + a.z * b.z; }

/* The point of a frame at distances to the right and forward. */
static WmConeVector point_of(const WmConeFrame *frame, double right, double forward) {
  return (WmConeVector){frame->middle.x + right * frame->right.x + forward * frame->forward.x,
                        frame->middle.z + right * frame->right.z + forward * frame->forward.z};
}

static WmConeCrossing *crossings_of(const WmSearchState *state) {
  return state->query->arrays[WM_QUERY_CONE_CROSSINGS].items;
}

void wm_cones_cut(WmConeEntry *entry) {
  const WmConeCrossing *crossing = crossings_of(entry->state) + entry->cone->ends[1];
  const WmConeFrame *far = &crossing->frames[1];
  const double depth = dot(wm_cone_subtract(far->middle, entry->root.at), far->forward);
  /* From a root just before the segment, ground at its one end can lie behind the ray to the other one. */
  entry->is_cut = (crossing->sides[0] && crossing->sides[1]) || fabs(depth) <= crossing->slack;
  if (!entry->is_cut) return;
  entry->front = depth > 0 ? far->forward : (WmConeVector){-far->forward.x, -far->forward.z};
  entry->depth = fabs(depth);
  entry->slack = crossing->slack;
}

/* ---- Parts of the near segment ------------------------------------------------------------------------ */

/* A crossing that is followed. */
typedef struct Passage {
  WmConeEntry *entry;
  WmConeCrossing *crossing;
  uint32_t number; /* of the crossing */
  uint32_t record; /* the cone of the link; 0: there is none yet */
  WmCone link;     /* which it becomes */
  double cost;
  double known[2]; /* costs of the shortest known ways to the ends of the far side; INFINITY: none */
  WmConeExit exit;
} Passage;

/* From the left end of the open part, 0, to the right one, 1. */
typedef struct Part {
  double from, to;
} Part;

/* Limits a part to where a linear function, known at both ends of the open part, is 0 or more. */
static void limit(Part *part, double at_left, double at_right) {
  if (at_left < 0 && at_right < 0) {
    part->to = part->from;
  } else if (at_left < 0) {
    part->from = fmax(part->from, at_left / (at_left - at_right));
  } else if (at_right < 0) {
    part->to = fmin(part->to, at_left / (at_left - at_right));
  }
}

static WmConeVector interpolate(const float portal[6], double t) {
  return (WmConeVector){(double)portal[0] + t * ((double)portal[3] - (double)portal[0]),
                        (double)portal[2] + t * ((double)portal[5] - (double)portal[2])};
}

static bool is_empty(const Passage *passage, const Part *part) {
  const WmConeVector from = interpolate(passage->crossing->near, part->from),
                     to = interpolate(passage->crossing->near, part->to);
  return !(part->to > part->from) ||
         wm_cone_length(wm_cone_subtract(to, from)) <= EMPTY * (1 + wm_cone_sum(from));
}

/* True if a part is reached on a shorter way through an end of the far segment: see is_dominated in shortest.c.
 * in         from, to: the part on the far side */
static bool is_dominated(const Passage *passage, const WmConeRoot *root, WmConeVector from, WmConeVector to) {
  const WmConeVector others[2] = {to, from};
  for (int side = LEFT; side <= RIGHT; side++) {
    const double by_root = root->cost + wm_cone_length(wm_cone_subtract(others[side], root->at));
    const double by_end =
        passage->known[side] +
        wm_cone_length(wm_cone_direct(others[side], passage->crossing->far + 3 * (ptrdiff_t)side));
    if (by_end < by_root - WM_CONE_SAME * by_root) return true;
  }
  return false;
}

/* True if the string crosses the link for the second time at no cost: links that cost nothing can lead round.
 * in         at: the root laid over; way: how the string crosses, as WmCone.ends */
static bool goes_round(const Passage *passage, const float at[2], uint32_t way, double cost) {
  const WmCone *cones = wm_cones_of(passage->entry->state);
  if (passage->cost > 0) return false;
  for (uint32_t i = passage->entry->number; i != 0; i = cones[i].parent) {
    const bool is_record = cones[i].kind == WM_CONE_POINT && cones[i].cost == 0;
    if (is_record) continue;
    if (cones[i].cost < cost - WM_CONE_SAME * cost) return false;
    if (cones[i].kind == WM_CONE_CROSSED && cones[i].ends[1] == passage->number && cones[i].ends[0] == way &&
        cones[i].root[0] == at[0] && cones[i].root[1] == at[1])
      return true;
  }
  return false;
}

/* Adds the record of the link, unless there is one.
 * returns    false: there may be no more cones */
static bool record_link(Passage *passage) {
  WmConeEntry *entry = passage->entry;
  WmSearchState *state = entry->state;
  if (passage->record) return true;
  WmCone *record = wm_cones_add(state);
  if (!record) return false;
  wm_cones_part(entry);
  *record = passage->link;
  passage->record = state->cones.count++;
  return true;
}

/* The cones that have crossed, of the last one on. */
static uint32_t first_window(const Passage *passage) {
  const WmConeCrossing *crossing = passage->crossing;
  return crossing->stamp == passage->entry->state->query->corners.stamp ? crossing->window : WM_NO_CORNER;
}

/* Adds the cone through a part on the far side, unless other cones reach all of it on ways that are as short.
 * in         root: laid over; part: on the far side; way: WmFoldWay; is_first: the cone represents the part
 * returns    false: other cones do */
static bool push_crossed(Passage *passage, const WmConeRoot *root, const WmConeVector part[2], uint32_t way,
                         bool is_first) {
  const bool is_back = way & WM_FOLD_LEAVES_TURNED; /* it sees left and right the other way round */
  WmConeEntry *entry = passage->entry;
  WmSearchState *state = entry->state;
  const WmConeVector left = part[is_back], right = part[!is_back];
  WmCone made = {.cost = root->cost,
                 .root = {root->point[0], root->point[1]},
                 .rays = {(float)left.x, (float)right.x, (float)left.z, (float)right.z},
                 .corner = WM_NO_CORNER,
                 .ends = {wm_fold_link(passage->crossing->segment, way), passage->number},
                 .slot = passage->exit.slot,
                 .polygon = passage->exit.polygon,
                 .link = passage->exit.link,
                 .kind = WM_CONE_CROSSED};
  if (is_first && (is_dominated(passage, root, part[0], part[1]) ||
                   wm_cones_are_before(state, first_window(passage), &made, part, WM_CONE_SAME)))
    return false;
  if (entry->status || goes_round(passage, root->point, made.ends[0], root->cost) || !record_link(passage))
    return true;
  WmCone *cone = wm_cones_add(state);
  if (!cone) return true;
  made.parent = passage->record;
  if (is_first) {
    made.corner = first_window(passage);
    passage->crossing->stamp = state->query->corners.stamp;
    passage->crossing->window = state->cones.count;
  }
  *cone = made;
  const float *far = passage->crossing->far, *far_left = far + (is_back ? 3 : 0),
              *far_right = far + (is_back ? 0 : 3);
  wm_cones_push(entry, (const float[4]){far_left[0], far_right[0], far_left[2], far_right[2]});
  return true;
}

/* Adds the cone that stands at a point of the far segment.
 * in         t: where, from the left end of the open part, 0, to the right one, 1; from: the corner before it */
static void push_landing(Passage *passage, const float at[3], float t, double cost, WmConeVector from) {
  WmConeExit exit = passage->exit;
  exit.ends[0] = wm_fold_link(passage->crossing->segment, WM_FOLD_AT_POINT);
  memcpy(&exit.ends[1], &t, sizeof t);
  if (!record_link(passage)) return;
  float on_ground[3];
  wm_cone_landing(passage->entry->state->query, exit.slot, exit.polygon, at, on_ground);
  wm_cones_push_point(passage->entry, passage->record, on_ground, cost, from, &exit, WM_CONE_POINT);
}

/* Adds the cone that stands between the ends of the far segment. */
static void push_landing_within(Passage *passage, double t, double cost, WmConeVector from) {
  float at[3];
  wm_interpolate(passage->crossing->far, passage->crossing->far + 3, (float)t, at);
  WmCorners *corners = &passage->entry->state->query->corners;
  const uint32_t count = corners->count;
  push_landing(passage, at, (float)t, cost + passage->cost, from);
  corners->root_count += corners->count > count;
}

/* The cost of the shortest known way to an end of the far side. */
static double find_known(const Passage *passage, int end) {
  const WmQuery *query = passage->entry->state->query;
  const WmConeCorner *known =
      (const WmConeCorner *)query->arrays[WM_QUERY_CORNERS].items + passage->crossing->corners[end];
  return known->stamp == query->corners.stamp ? known->cost : (double)INFINITY;
}

/* Adds the cone that stands at an end of the far side, unless a way that is as short leads there. */
static void push_end(Passage *passage, int end) {
  const WmConeCrossing *crossing = passage->crossing;
  WmConeVector from;
  const double cost =
      wm_cones_measure_to(passage->entry, crossing->before + 3 * (ptrdiff_t)end, &from) + passage->cost;
  if (cost < find_known(passage, end))
    push_landing(passage, crossing->far + 3 * (ptrdiff_t)end, (float)end, cost, from);
  passage->known[end] = find_known(passage, end);
}

/* Adds the cones of a part that is reached on straight lines from a root. */
static void push_part(Passage *passage, const WmConeRoot *root, const Part *part) {
  const WmConeFrame *near = &passage->crossing->frames[0], *far = &passage->crossing->frames[1];
  const WmConeVector from = wm_cone_subtract(root->at, near->middle);
  const double right = dot(from, near->right), forward = dot(from, near->forward), depth = fabs(forward);
  const double by_root = wm_cone_sum(root->at), by_far = passage->crossing->sum;
  if (depth <= WM_CONE_TOUCHING * WM_CONE_NEAR * (1 + (by_root > by_far ? by_root : by_far))) {
    /* The root lies on the segment's line, here or where it is laid over: on the segment, it sees all behind it; beside it, only the
     * nearer end. */
    const WmConeVector along =
        wm_cone_subtract(interpolate(passage->crossing->near, 1), interpolate(passage->crossing->near, 0));
    const double t =
        dot(wm_cone_subtract(root->at, interpolate(passage->crossing->near, 0)), along) / dot(along, along);
    if (t >= part->from && t <= part->to) push_landing_within(passage, t, root->cost, root->at);
    return;
  }
  const WmConeVector ends[2] = {interpolate(passage->crossing->far, part->from),
                                interpolate(passage->crossing->far, part->to)};
  bool is_first = true;
  for (int is_back = 0; is_back < 2; is_back++) {
    if (!passage->crossing->sides[is_back]) continue;
    const WmConeVector at = point_of(far, right, is_back ? depth : -depth);
    const WmConeRoot laid = {root->cost + passage->cost, {(float)at.x, (float)at.z}, at, WM_NO_CORNER};
    const uint32_t way =
        WM_FOLD_STRAIGHT | (forward > 0 ? WM_FOLD_COMES_TURNED : 0U) | (is_back ? WM_FOLD_LEAVES_TURNED : 0U);
    if (!push_crossed(passage, &laid, ends, way, is_first)) return;
    is_first = false;
  }
}

/* Limits the seen part to where the entry's cone is. Where the segments of both links meet, the string may turn.
 * in         left, right: the ends of the open part, from the root */
static void cut(Passage *passage, Part *seen, WmConeVector left, WmConeVector right) {
  const WmConeEntry *entry = passage->entry;
  const double at_left = dot(left, entry->front) - entry->depth,
               at_right = dot(right, entry->front) - entry->depth;
  const double t = at_left / (at_left - at_right); /* NaN if the segments are on one line */
  if (t > seen->from && t < seen->to) {
    const WmConeVector at = wm_cone_subtract(interpolate(passage->crossing->near, t), entry->root.at);
    push_landing_within(passage, t, entry->root.cost + wm_cone_length(at), entry->root.at);
  }
  limit(seen, at_left, at_right);
}

/* True if a part that the entry's root sees lies before the portal: where a link ends a little beside ground, rays that are nearly on one
 * line with the portal can lead there. */
static bool is_before_portal(const Passage *passage, const Part *part) {
  const WmConeEntry *entry = passage->entry;
  const double slack = 2 * passage->crossing->slack;
  if (entry->sees_all) return false;
  for (int end = 0; end < 2; end++) {
    const WmConeVector at = interpolate(passage->crossing->near, end ? part->to : part->from);
    if (!wm_cones_is_before(entry, wm_cone_subtract(at, entry->root.at), slack)) return false;
  }
  return true;
}

/* Adds the cones of the part that the entry's root sees, and of those that the string reaches by turning. */
static void push_parts(Passage *passage) {
  WmConeEntry *entry = passage->entry;
  Part seen = {0, 1};
  const WmConeVector left = wm_cone_direct(entry->root.at, passage->crossing->near);
  const WmConeVector right = wm_cone_direct(entry->root.at, passage->crossing->near + 3);
  for (int side = LEFT; side <= RIGHT && !entry->sees_all; side++) {
    const double sign = side == LEFT ? 1 : -1;
    const double at_left = sign * wm_cone_cross(wm_cone_side(entry->rays, side), left),
                 at_right = sign * wm_cone_cross(wm_cone_side(entry->rays, side), right);
    Part beside = {0, 1};
    limit(&beside, at_left, at_right);
    limit(&seen, -at_left, -at_right);
    if (!is_empty(passage, &beside) && wm_cones_turn_at(entry, side))
      push_part(passage, &entry->ends[side], &beside);
  }
  if (entry->is_cut) cut(passage, &seen, left, right);
  if (!is_empty(passage, &seen) && !is_before_portal(passage, &seen)) push_part(passage, &entry->root, &seen);
}

/* ---- Crossings ---------------------------------------------------------------------------------------- */

/* True if the cone came over the same link, out of the segment where it would go in again. From one of its ends, it may go back
 * to another polygon: it has gone along the segment. */
static bool is_way_back(const WmConeEntry *entry, const WmLink *onto, const WmMeshTile *set,
                        const WmConeCrossing *crossing) {
  const WmCone *cone = entry->cone, *cones = wm_cones_of(entry->state);
  const WmCone *link = cones + cone->parent, *before = cones + link->parent;
  if (cone->kind == WM_CONE_PORTAL || cone->kind == WM_CONE_JOINED || cone->link == WM_NO_LINK) return false;
  if (link->slot != onto->slot || link->polygon != onto->polygon ||
      set->links[cone->link].edge != crossing->segment)
    return false;
  return cone->kind == WM_CONE_CROSSED ||
         (before->slot == crossing->slot && wm_cones_left(entry->state, link) == crossing->polygon);
}

/* Makes the cones of a crossing. */
static void pass(Passage *passage, uint32_t number) {
  const WmConeCrossing *crossing = passage->crossing = crossings_of(passage->entry->state) + number;
  WmConeSearch *search = &passage->entry->state->cones;
  search->slack = fmax(search->slack, crossing->slack);
  passage->number = number;
  passage->exit =
      (WmConeExit){crossing->link, crossing->slot, crossing->polygon, {WM_NO_CORNER, WM_NO_CORNER}};
  push_end(passage, 0);
  push_end(passage, 1);
  push_parts(passage);
}

void wm_cones_cross(WmConeEntry *entry, uint32_t number) {
  WmSearchState *state = entry->state;
  const WmLink *onto = entry->tile->links + number;
  const WmMeshTile *set = wm_mesh_tile(state->query->mesh, onto->slot);
  WmConeLink *stored = entry->links + number;
  entry->status = wm_cone_crossings_find(state->query, state->filter, entry->tile, stored);
  if (entry->status) return;
  const uint32_t first = stored->found[0], end = first + stored->found[1];
  entry->status = wm_cones_reserve(
      state, 1 + CONES_PER_CROSSING * (size_t)(end - first) + WM_CONE_PARTS * entry->exit_count);
  entry->cone = wm_cones_of(state) + entry->number;
  if (entry->status) return;
  state->cones.has_connections = true;
  Passage passage = {.entry = entry,
                     .link = {.slot = onto->slot,
                              .polygon = onto->polygon,
                              .parent = entry->number,
                              .link = number,
                              .kind = WM_CONE_POINT}};
  passage.cost =
      (double)(set->segments[onto->polygon].cost * wm_filter_unit_cost(state->filter, set, onto->polygon)) /
      (double)state->cones.ground_cost;
  wm_query_note(state->query, WM_TRACE_EXPANDED, set, onto->polygon, 0);
  for (uint32_t i = first; i < end && !entry->status; i++) {
    const WmConeCrossing *crossing = crossings_of(state) + i;
    state->refused = false;
    if (crossing->is_closed) {
      wm_query_note(state->query, WM_TRACE_FILTERED, set, onto->polygon, crossing->link);
    } else if (!is_way_back(entry, onto, set, crossing)) {
      pass(&passage, i);
    }
    if (state->refused) wm_query_note(state->query, WM_TRACE_LIMITED, set, onto->polygon, crossing->link);
  }
  state->refused = false; /* the link onto the segment link was followed */
}
