/* Exact shortest corridors on x and z: the corridor that the shortest string passes.
 *
 * A node is a cone: all points of an open part of a portal, from `right` to `left`, that a straight line from the
 * root reaches; the root is the last corner of the string. Popping a cone that enters a polygon makes cones on the
 * polygon's other portals. The part that the root sees keeps the root; the parts beside it get one end of the portal
 * as their root, if the string can turn there.
 *
 *        seen from the root: the middle of the portal    its left part: the string turns at `left`
 *
 *               A-----.-------.-----B                           A-----.
 *                \    .       .    /                             \    .
 *                 \   .       .   /                               \   .
 *                  left-------right                                left (root)
 *                      .     .                                         .
 *                       . . .                                           .
 *                       root                                            former root
 *
 * A cone keeps its rays as vertices on them, so that corners on one line stay on it however many portals lie between. The lower bound of the rest is the shortest line from the root through the portal to the end. Cones are
 * expanded in the order of cost and bound, so the first one that has reached the end is the shortest. Of all ways to a
 * corner only the shortest is followed (cone_corners.h).
 *
 * Most searches are short and need nothing else. A search that hasn't arrived after FIRST_CONES waits for the ordinary
 * one: that tells whether the end can be reached at all, and its string is the most that is worth looking for.
 *
 * Ground costs the least factor of the areas that occur everywhere, connections cost what they cost. So the length is a
 * lower bound of the cost of any path; with the same factor everywhere it is the cost.
 *
 * Cones go over segment links, too: link_cones.c.
 *
 * Source: M. Cui, D. D. Harabor, A. Grastien, "Compromise-free Pathfinding on a Navigation Mesh", IJCAI 2017. */
#include "base/simd.h"
#include "query/shortest/shortest_internal.h"

#define NO_CONE UINT32_MAX

enum { LEFT = WM_CONE_LEFT, RIGHT = WM_CONE_RIGHT };

enum {
  FIRST_CONES = 512,      /* expanded before the ordinary search */
  CONES_PER_POLYGON = 64, /* no level has as many; in hostile meshes cones can go round for ever */
  CONES_WITH_CHEAP_LINKS = 512
};

/* The relative error of a string's cost. */
#define SLACK 1e-5

/* The relative error of a bound: keys of the open list are floats. */
#define BOUND_SLACK 1e-6

static uint64_t *keys_of(const WmSearchState *state) {
  return state->query->arrays[WM_QUERY_CONE_KEYS].items;
}

/* ---- Ways to corners ---------------------------------------------------------------------------------- */

static WmConeCorner *corners_of(const WmSearchState *state) {
  return state->query->arrays[WM_QUERY_CORNERS].items;
}

/* Records a way to a corner.
 * returns    true: it is shorter than those known */
static bool improve(const WmSearchState *state, uint32_t number, double cost) {
  WmConeCorner *corner = corners_of(state) + number;
  const uint32_t stamp = state->query->corners.stamp;
  if (corner->stamp == stamp && !(cost < corner->cost)) return false;
  corner->passes =
      corner->stamp == stamp && !(cost < corner->cost - WM_CONE_SAME * cost) ? corner->passes : 0;
  corner->stamp = stamp;
  corner->cost = cost;
  return true;
}

/* True if a way to a corner, recorded before, is still the shortest. */
static bool is_shortest(const WmSearchState *state, uint32_t number, double cost) {
  return cost <= corners_of(state)[number].cost + WM_CONE_SAME * cost;
}

bool wm_cones_reach(const WmSearchState *state, uint32_t number, double cost) {
  enum { MOST_PASSES = 255 };
  improve(state, number, cost);
  WmConeCorner *corner = corners_of(state) + number;
  if (!is_shortest(state, number, cost) || corner->passes == MOST_PASSES) return false;
  corner->passes++;
  return true;
}

/* ---- The open list ------------------------------------------------------------------------------------ */

WM_INLINE bool has_end(const WmCone *cone, int side) { return cone->has >> side & 1; }

/* The point of a portal that a ray leads through, from the root.
 * in         left, right: the portal's ends, from the root */
WM_INLINE WmConeVector cross_portal(WmConeVector ray, WmConeVector left, WmConeVector right) {
  const WmConeVector across = wm_cone_subtract(left, right);
  const double by_right = wm_cone_cross(ray, right), t = by_right / (by_right - wm_cone_cross(ray, left));
  return (WmConeVector){right.x + across.x * t, right.z + across.z * t};
}

/* The end of the cone's part of its portal on one side, from the root.
 * in         left, right: the portal's ends, from the root */
WM_INLINE WmConeVector find_end(const WmCone *cone, int side, WmConeVector left, WmConeVector right) {
  if (has_end(cone, side)) return side == LEFT ? left : right;
  return cross_portal(wm_cone_ray(cone, side), left, right);
}
/* True if a point lies outside a ray, surely: where the root lies on the portal, a point at its one end could else seem to lie
 * outside the ray to the other one. */
WM_INLINE bool leads_past(WmConeVector root, int side, WmConeVector ray, WmConeVector to) {
  const double area = side == LEFT ? wm_cone_cross(ray, to) : -wm_cone_cross(ray, to);
  return area > 0 && area > WM_CONE_NEAR * (1 + wm_cone_sum(root) + wm_cone_sum(to)) *
                                (wm_cone_sum(ray) + wm_cone_sum(to));
}

/* The length of the shortest line from the root through the cone's portal to the end. */
WM_INLINE double measure_rest(const WmSearchState *state, const WmCone *cone, const float *portal) {
  const WmConeVector root = wm_cone_root(cone), left = wm_cone_direct(root, portal),
                     right = wm_cone_direct(root, portal + 3);
  const WmConeVector across = wm_cone_subtract(left, right);
  WmConeVector to = wm_cone_direct(root, state->end);
  const double side = wm_cone_cross(across, wm_cone_subtract(to, right));
  if (side > 0) { /* on the root's side: mirrored at the portal */
    const double factor = 2 * side / (across.x * across.x + across.z * across.z);
    to = (WmConeVector){to.x + factor * across.z, to.z - factor * across.x};
  }
  int by = LEFT;
  WmConeVector ray = has_end(cone, LEFT) ? left : wm_cone_ray(cone, LEFT);
  if (!(wm_cone_cross(ray, to) > 0)) {
    by = RIGHT;
    ray = has_end(cone, RIGHT) ? right : wm_cone_ray(cone, RIGHT);
  }
  if (!leads_past(root, by, ray, to)) return wm_cone_length(to);
  const WmConeVector at = has_end(cone, by) ? ray : cross_portal(ray, left, right);
  return wm_cone_length(at) + wm_cone_length(wm_cone_subtract(to, at));
}

/* The distance of the origin from a segment. */
static double distance_to(WmConeVector from, WmConeVector to) {
  const WmConeVector along = wm_cone_subtract(to, from);
  const double squared = along.x * along.x + along.z * along.z, t = -(from.x * along.x + from.z * along.z);
  if (!(t > 0)) return wm_cone_length(from);
  return t < squared ? fabs(wm_cone_cross(from, along)) / sqrt(squared) : wm_cone_length(to);
}

/* The least cost of the rest of a string: where connections are cheaper than ground, only its part behind the portal can lead
 * over them. */
WM_INLINE double bound_rest(const WmSearchState *state, const WmCone *cone, const float *portal) {
  const double rest = measure_rest(state, cone, portal), scale = state->cones.scale;
  if (scale >= 1) return rest;
  const WmConeVector root = wm_cone_root(cone), left = wm_cone_direct(root, portal),
                     right = wm_cone_direct(root, portal + 3);
  const double before = distance_to(find_end(cone, LEFT, left, right), find_end(cone, RIGHT, left, right));
  return scale * rest + fmax(1 - scale, 0) * fmin(before, rest);
}

WmStatus wm_cones_grow(WmSearchState *state, size_t more) {
  const WmConeSearch *search = &state->cones;
  WmQuery *query = state->query;
  const size_t cones = search->count + more, keys = cones + WM_HEAP_MARGIN;
  WmStatus status = wm_query_reserve(query, WM_QUERY_CONES, WM_QUERY_CONES, cones);
  if (!status) status = wm_query_reserve(query, WM_QUERY_CONE_KEYS, WM_QUERY_CONE_KEYS, keys);
  if (status) return status;
  const size_t room = query->arrays[WM_QUERY_CONES].capacity;
  const size_t key_room = query->arrays[WM_QUERY_CONE_KEYS].capacity - WM_HEAP_MARGIN;
  state->cones.room = room < key_room ? room : key_room;
  return WM_OK;
}

/* Opens a cone.
 * in         rest: the least cost of the rest of the string
 * The best one that an expansion opens stays out of the open list: it is often the next one. */
WM_INLINE void open_cone(WmSearchState *state, uint32_t number, double rest) {
  WmConeSearch *search = &state->cones;
  const double total = wm_cones_of(state)[number].cost + rest;
  if (!(total <= search->most)) return; /* NaN where vertices are 1e38 apart */
  uint64_t key = wm_heap_key((float)total, number);
  if (key < search->next) {
    const uint64_t former = search->next;
    search->next = key;
    key = former;
  }
  if (key != WM_HEAP_END) wm_heap_push(keys_of(state), &search->heap_count, key);
}

/* Opens a cone through a portal. */
static WM_NOINLINE void open_through(WmSearchState *state, uint32_t number, const float *portal) {
  open_cone(state, number, bound_rest(state, wm_cones_of(state) + number, portal));
}

/* Opens the cone that was held back, if there is one. */
WM_INLINE void open_held(WmSearchState *state) {
  WmConeSearch *search = &state->cones;
  const uint32_t held = search->held;
  search->held = NO_CONE;
  if (held != NO_CONE) open_through(state, held, search->held_portal);
}

/* Takes the only cone of an expansion, or else the best one; NO_CONE: there is none. */
WM_INLINE uint32_t take(WmSearchState *state) {
  WmConeSearch *search = &state->cones;
  const uint32_t held = search->held;
  search->held = NO_CONE;
  if (held != NO_CONE) return held;
  uint64_t *keys = keys_of(state), key = search->next;
  search->next = WM_HEAP_END;
  if (search->heap_count > 0 && keys[0] < key) {
    const uint64_t top = keys[0];
    if (key == WM_HEAP_END) {
      wm_heap_remove(keys, &search->heap_count);
    } else {
      wm_heap_replace(keys, search->heap_count, key);
    }
    key = top;
  }
  return (uint32_t)key; /* of WM_HEAP_END: NO_CONE */
}

/* ---- One polygon -------------------------------------------------------------------------------------- */

/* The corner at an end of the cone's portal. */
static WmStatus find_corner(const WmConeEntry *entry, int side, uint32_t *corner) {
  const WmSearchState *state = entry->state;
  const WmCone *cone = entry->cone;
  *corner = cone->ends[side];
  if (*corner != WM_NO_CORNER) {
    if (corners_of(state)[*corner].kind != WM_CORNER_TURNS) *corner = WM_NO_CORNER;
    return WM_OK;
  }
  const WmQuery *query = state->query;
  const WmCornerTile *from = (const WmCornerTile *)query->arrays[WM_QUERY_CORNER_TILES].items +
                             wm_cones_of(state)[cone->parent].slot;
  WmConeLink *link = (WmConeLink *)query->arrays[WM_QUERY_CONE_LINKS].items + from->first_link + cone->link;
  *corner = link->found[side];
  if (*corner != WM_NOT_FOUND) return WM_OK;
  const WmStatus status = wm_corners_at_point(state->query, state->filter, entry->tile->ref + cone->polygon,
                                              cone->rays[side], corner);
  if (!status) link->found[side] = *corner;
  return status;
}

bool wm_cones_turn_at(WmConeEntry *entry, int side) {
  const WmCone *cone = entry->cone;
  if (entry->turns[side] >= 0) return entry->turns[side];
  WmConeRoot *end = &entry->ends[side];
  bool is_open = has_end(cone, side);
  if (is_open && !entry->status) {
    end->at = (WmConeVector){(double)cone->rays[side][0], (double)cone->rays[side][1]};
    entry->status = find_corner(entry, side, &end->corner);
    is_open =
        !entry->status && end->corner != WM_NO_CORNER && wm_cones_reach(entry->state, end->corner, end->cost);
  }
  entry->turns[side] = is_open;
  return is_open;
}

/* wm_cones_turn_at where it isn't known yet. */
WM_INLINE bool turns_at(WmConeEntry *entry, int side) {
  return entry->turns[side] >= 0 ? entry->turns[side] : wm_cones_turn_at(entry, side);
}

/* A part of a link's portal. */
typedef struct Part {
  uint32_t number;        /* of the link */
  uint32_t slot, polygon; /* that it leads to */
  const float *portal;
  float rays[2][2]; /* as those of WmCone, and its bits */
  uint32_t has, is_before;
} Part;

/* All of a portal. */
WM_INLINE Part whole_portal(const WmConeEntry *entry, uint32_t number, uint32_t slot, uint32_t polygon) {
  const float *portal = entry->tile->link_portals + 6 * (size_t)number;
  return (Part){number, slot, polygon, portal, {{portal[0], portal[2]}, {portal[3], portal[5]}}, 3, 0};
}

/* Limits a part by a ray. */
WM_INLINE void limit(Part *part, int side, const float at[2], uint32_t is_before) {
  memcpy(part->rays[side], at, sizeof part->rays[side]);
  part->has &= ~(1U << side);
  part->is_before |= is_before << side;
}

/* Adds a part of a portal. */
WM_INLINE void push_part(WmConeEntry *entry, const Part *part, const WmConeRoot *root) {
  WmSearchState *state = entry->state;
  WmConeSearch *search = &state->cones;
  WmCone *cone = wm_cones_add(state);
  if (!cone) return;
  const uint32_t *ends = entry->links[part->number].ends;
  cone->cost = root->cost;
  cone->root[0] = (float)root->at.x;
  cone->root[1] = (float)root->at.z;
  memcpy(cone->rays, part->rays, sizeof cone->rays);
  cone->corner = root->corner;
  memcpy(cone->ends, ends, sizeof cone->ends);
  cone->slot = part->slot;
  cone->polygon = part->polygon;
  cone->parent = entry->number;
  cone->link = part->number;
  cone->has = (uint8_t)part->has;
  cone->is_before = (uint8_t)part->is_before;
  cone->kind = WM_CONE_PORTAL;
  const uint32_t own = search->count++;
  if (entry->has_pushed) {
    open_held(state);
    open_through(state, own, part->portal);
    return;
  }
  entry->has_pushed = true;
  search->held = own;
  search->held_portal = part->portal;
}

/* Adds the part of a link's portal that the string reaches by turning at an end of the cone's portal: all of it, or only that
 * beside the cone. It can turn there. */
static WM_NOINLINE void push_turned(WmConeEntry *entry, uint32_t number, int side, bool is_all) {
  const WmLink *link = entry->tile->links + number;
  Part part = whole_portal(entry, number, link->slot, link->polygon);
  if (!is_all) limit(&part, 1 - side, entry->cone->root, 1);
  push_part(entry, &part, &entry->ends[side]);
}

/* True if a point lies outside a ray of the cone. The ray leads through two points that are rounded, so that it is the less
 * exact the farther it is followed. */
WM_INLINE bool is_outside(const WmConeEntry *entry, int side, WmConeVector at) {
  const double area =
      side == LEFT ? wm_cone_cross(entry->rays[side], at) : -wm_cone_cross(entry->rays[side], at);
  return area > 0 && area > entry->near[side] * (entry->lengths[side] + wm_cone_sum(at));
}

/* The part of a portal that a cone which is cut sees. Where the portal goes on behind the cut, it is limited by the ray on
 * that side: the cut meets the portal outside the cone. */
static void push_cut_exit(WmConeEntry *entry, uint32_t number) {
  const WmLink *link = entry->tile->links + number;
  Part part = whole_portal(entry, number, link->slot, link->polygon);
  const WmConeVector ends[2] = {wm_cone_direct(entry->root.at, part.portal),
                                wm_cone_direct(entry->root.at, part.portal + 3)};
  bool behind[2];
  for (int side = LEFT; side <= RIGHT; side++) {
    const WmConeVector other_ray = entry->rays[1 - side];
    const double area = wm_cone_cross(other_ray, ends[side]);
    const double slack = entry->near[1 - side] * entry->lengths[1 - side];
    behind[side] = wm_cone_is_behind(entry, ends[side]);
    if (!behind[side] && (side == RIGHT ? area >= -slack : area <= slack)) return;
    if (behind[side] || is_outside(entry, side, ends[side])) limit(&part, side, entry->cone->rays[side], 0);
  }
  if (!behind[LEFT] || !behind[RIGHT]) push_part(entry, &part, &entry->root);
}

/* The parts of a portal: beside the cone on the left, seen, and beside it on the right. */
WM_INLINE void push_exit(WmConeEntry *entry, uint32_t number, uint32_t slot, uint32_t polygon) {
  const WmCone *cone = entry->cone;
  Part part = whole_portal(entry, number, slot, polygon);
  if (!entry->sees_all) {
    const WmConeVector *rays = entry->rays;
    const WmConeVector left = wm_cone_direct(entry->root.at, part.portal),
                       right = wm_cone_direct(entry->root.at, part.portal + 3);
    const bool is_left = !(wm_cone_cross(rays[LEFT], right) < -entry->widths[LEFT]);
    const bool is_right = !(wm_cone_cross(rays[RIGHT], left) > entry->widths[RIGHT]);
    if (is_left || is_right) {
      /* An end of the portal may lie on both rays, where they are nearly one. */
      const WmConeVector ends = {left.x + right.x, left.z + right.z};
      const bool by_left = is_left && (!is_right || wm_cone_cross(rays[LEFT], ends) > 0);
      const int side = by_left ? LEFT : RIGHT;
      if (turns_at(entry, side)) push_turned(entry, number, side, true);
      return;
    }
    const bool goes_on_left = is_outside(entry, LEFT, left), goes_on_right = is_outside(entry, RIGHT, right);
    if (goes_on_left) {
      limit(&part, LEFT, cone->rays[LEFT], cone->is_before & 1U);
      if (turns_at(entry, LEFT)) push_turned(entry, number, LEFT, false);
    }
    if (goes_on_right) {
      limit(&part, RIGHT, cone->rays[RIGHT], cone->is_before >> RIGHT & 1U);
      if (turns_at(entry, RIGHT)) push_turned(entry, number, RIGHT, false);
    }
  }
  push_part(entry, &part, &entry->root);
}

double wm_cones_measure_to(WmConeEntry *entry, const float to[3]) {
  const WmConeRoot *root = &entry->root;
  if (!entry->sees_all) {
    const WmConeVector line = wm_cone_direct(root->at, to);
    if (entry->is_cut && wm_cone_is_behind(entry, line)) return (double)INFINITY;
    const bool is_left = is_outside(entry, LEFT, line);
    if (is_left || is_outside(entry, RIGHT, line)) {
      const int side = is_left ? LEFT : RIGHT;
      if (!wm_cones_turn_at(entry, side)) return (double)INFINITY;
      root = &entry->ends[side];
    }
  }
  return root->cost + wm_cone_length(wm_cone_direct(root->at, to));
}

/* ---- Connections -------------------------------------------------------------------------------------- */

void wm_cones_push(WmConeEntry *entry, const float *portal) {
  WmSearchState *state = entry->state;
  const uint32_t number = state->cones.count++;
  entry->has_pushed = true;
  open_held(state);
  open_through(state, number, portal);
}

void wm_cones_push_point(WmConeEntry *entry, uint32_t parent, const float at[3], double cost,
                         const WmConeExit *exit, WmConeKind kind) {
  if (entry->status || !(cost < (double)INFINITY)) return;
  WmSearchState *state = entry->state;
  state->cones.has_connections |= kind == WM_CONE_POINT;
  uint32_t corner = WM_NO_CORNER;
  if (kind == WM_CONE_POINT) {
    const WmMeshTile *tile = wm_mesh_tile(state->query->mesh, exit->slot);
    entry->status = wm_corners_at_landing(state->query, tile->ref + exit->polygon,
                                          (const float[2]){at[0], at[2]}, &corner);
    if (entry->status || !improve(state, corner, cost)) return;
  }
  WmCone *cone = wm_cones_add(state);
  if (!cone) return;
  *cone = (WmCone){.cost = cost,
                   .root = {at[0], at[2]},
                   .rays = {{at[1], 0}},
                   .corner = corner,
                   .ends = {exit->ends[LEFT], exit->ends[RIGHT]},
                   .slot = exit->slot,
                   .polygon = exit->polygon,
                   .parent = parent,
                   .link = exit->link,
                   .kind = (uint8_t)kind};
  const double rest =
      kind == WM_CONE_ARRIVED
          ? 0
          : state->cones.scale * wm_cone_length(wm_cone_direct(wm_cone_root(cone), state->end));
  entry->has_pushed = true;
  open_held(state);
  open_cone(state, state->cones.count++, rest);
}

/* The cost from the root of a POINT along its connection. */
static double measure_connection(const WmConeEntry *entry, const float to[3]) {
  const WmSearchState *state = entry->state;
  const WmCone *cone = entry->cone;
  const WmConeVector line = wm_cone_direct(entry->root.at, to);
  const double y = (double)to[1] - (double)cone->rays[0][0];
  const float unit = wm_filter_unit_cost(state->filter, entry->tile, cone->polygon);
  return cone->cost +
         sqrt(line.x * line.x + y * y + line.z * line.z) * (double)unit / (double)state->cones.ground_cost;
}

static bool is_connection(const WmMeshTile *tile, uint32_t polygon) { return polygon >= tile->ground_count; }

/* ---- Expanding ---------------------------------------------------------------------------------------- */

/* Moves the root to the nearer end of a portal that lies on one line with it.
 * returns    false: the cone is empty, or a shorter way leads there */
static bool open_flat(WmConeEntry *entry) {
  const WmCone *cone = entry->cone;
  entry->sees_all = true;
  const WmConeVector *rays = entry->rays;
  if (rays[LEFT].x * rays[RIGHT].x + rays[LEFT].z * rays[RIGHT].z <= 0)
    return true; /* the root lies on the portal */
  if (!has_end(cone, LEFT) || !has_end(cone, RIGHT)) return false;
  const int side = wm_cone_length(rays[LEFT]) < wm_cone_length(rays[RIGHT]) ? LEFT : RIGHT;
  if (!wm_cones_turn_at(entry, side)) return false;
  entry->root = entry->ends[side];
  return true;
}

/* True if a cone is empty, or its root lies on the portal up to rounding: then half of what lies behind would seem to lie
 * on the wrong side of its rays.
 * in         near: the rounding at the root; left, right: the sums of the rays' numbers */
static bool is_flat(const WmConeVector rays[2], double near, double left, double right) {
  const double width = wm_cone_cross(rays[RIGHT], rays[LEFT]);
  if (!(width > 1e-12 * left * right)) return true;
  return rays[LEFT].x * rays[RIGHT].x + rays[LEFT].z * rays[RIGHT].z < 0 &&
         width <= (near + WM_CONE_NEAR * (left + right)) * (left + right);
}

/* True if a cone that touches its root comes back to a polygon around it. */
static WM_NOINLINE bool is_back(const WmSearchState *state, const WmCone *cone) {
  enum { FAN_LIMIT = 64 };
  const WmCone *cones = wm_cones_of(state), *before = cones + cone->parent;
  for (int i = 0; i < FAN_LIMIT; i++, before = cones + before->parent) {
    if (before->root[0] != cone->root[0] || before->root[1] != cone->root[1]) return false;
    if (before->polygon == cone->polygon && before->slot == cone->slot) return true;
    if (before->kind == WM_CONE_POINT) return false;
  }
  return true;
}

/* True if the cone's part of its portal is reached on a shorter way through one of its ends. On the way from that end to
 * the other one the line from the root gets longer at most as fast as that way does, so it is enough to compare both at
 * the other end. */
static WM_NOINLINE bool is_dominated(const WmConeEntry *entry, int side, double by_end) {
  const WmCone *cone = entry->cone, *parent = wm_cones_of(entry->state) + cone->parent;
  const WmMeshTile *from = wm_mesh_tile(entry->state->query->mesh, parent->slot);
  const float *portal = from->link_portals + 6 * (size_t)cone->link;
  const WmConeVector left = wm_cone_direct(entry->root.at, portal),
                     right = wm_cone_direct(entry->root.at, portal + 3);
  const WmConeVector end = side == LEFT ? left : right, other = find_end(cone, 1 - side, left, right);
  const double by_root = cone->cost + wm_cone_length(other);
  return by_end + wm_cone_length(wm_cone_subtract(end, other)) < by_root - WM_CONE_SAME * by_root;
}

/* Records the ways to the ends of the cone's portal.
 * returns    false: a shorter way leads to all of it */
WM_INLINE bool reach_ends(WmConeEntry *entry) {
  const WmCone *cone = entry->cone;
  for (int side = LEFT; side <= RIGHT; side++) {
    if (!has_end(cone, side)) continue;
    const double cost = cone->cost + wm_cone_length(entry->rays[side]);
    entry->ends[side].cost = cost;
    if (cone->ends[side] == WM_NO_CORNER || improve(entry->state, cone->ends[side], cost)) continue;
    if (is_shortest(entry->state, cone->ends[side], cost)) continue;
    if (is_dominated(entry, side, corners_of(entry->state)[cone->ends[side]].cost)) return false;
    entry->turns[side] = 0;
  }
  return true;
}

/* Prepares a cone that was taken.
 * returns    false: it leads nowhere, or a shorter way leads there */
WM_INLINE bool enter(WmSearchState *state, uint32_t number, WmConeEntry *entry) {
  const WmCone *cone = wm_cones_of(state) + number;
  entry->status = WM_OK;
  if (cone->corner != WM_NO_CORNER && !is_shortest(state, cone->corner, cone->cost)) return false;
  entry->cone = cone;
  entry->number = number;
  entry->has_pushed = false;
  entry->turns[LEFT] = has_end(cone, LEFT) ? -1 : 0;
  entry->turns[RIGHT] = has_end(cone, RIGHT) ? -1 : 0;
  entry->root = (WmConeRoot){wm_cone_root(cone), cone->cost, cone->corner};
  entry->is_cut = false;
  entry->sees_all = cone->kind == WM_CONE_POINT;
  if (entry->sees_all) return true;
  entry->rays[LEFT] = wm_cone_ray(cone, LEFT);
  entry->rays[RIGHT] = wm_cone_ray(cone, RIGHT);
  const double near = WM_CONE_NEAR * (1 + wm_cone_sum(entry->root.at));
  const WmConeVector *rays = entry->rays;
  const double left = wm_cone_sum(rays[LEFT]), right = wm_cone_sum(rays[RIGHT]);
  if (left <= WM_CONE_TOUCHING * near || right <= WM_CONE_TOUCHING * near) {
    entry->sees_all = true; /* the same vertex of two tiles can differ by rounding */
    return !is_back(state, cone);
  }
  if (!reach_ends(entry)) return false;
  if (is_flat(rays, near, left, right)) return open_flat(entry);
  if (cone->kind == WM_CONE_CROSSED) wm_cones_cut(entry);
  for (int side = LEFT; side <= RIGHT; side++) {
    entry->lengths[side] = side == LEFT ? left : right;
    entry->near[side] = near + WM_CONE_NEAR * entry->lengths[side];
    entry->widths[side] = entry->near[side] * entry->lengths[side];
  }
  return true;
}

static void arrive(WmConeEntry *entry) {
  const WmSearchState *state = entry->state;
  const WmCone *cone = entry->cone;
  const WmConeExit exit = {.link = WM_NO_LINK, .slot = cone->slot, .polygon = cone->polygon};
  const double cost = is_connection(entry->tile, cone->polygon) ? measure_connection(entry, state->end)
                                                                : wm_cones_measure_to(entry, state->end);
  wm_cones_push_point(entry, entry->number, state->end, cost, &exit, WM_CONE_ARRIVED);
}

/* True if a string may pass a ground polygon that the cone's polygon leads to, or ends there. */
static bool is_open(const WmConeEntry *entry, uint32_t polygon) {
  const WmDeadEnd *dead_end = entry->dead_ends + polygon;
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a tile with ground has some */
  return dead_end->next == WM_NO_DEAD_END || dead_end->stamp == entry->state->query->corners.stamp;
}

/* The same for a polygon of another tile. */
static bool is_open_there(const WmSearchState *state, const WmMeshTile *target, uint32_t polygon) {
  return target->link_first[polygon + 1] - target->link_first[polygon] > 1 ||
         (polygon == state->end_polygon && target->slot == state->end_slot);
}

/* True if a polygon passes the filter. */
static bool passes(const WmConeEntry *entry, const WmMeshTile *target, uint32_t polygon, uint32_t number) {
  const WmSearchState *state = entry->state;
  if (wm_filter_passes(state->filter, target->polygon_flags[polygon])) return true;
  wm_query_note(state->query, WM_TRACE_FILTERED, entry->tile, entry->cone->polygon, number);
  return false;
}

/* Follows any link of the polygon. */
static WM_NOINLINE void follow(WmConeEntry *entry, uint32_t number) {
  const WmSearchState *state = entry->state;
  const WmMeshTile *tile = entry->tile;
  const float *portal = tile->link_portals + 6 * (size_t)number;
  const uint32_t slot = tile->links[number].slot, polygon = tile->links[number].polygon;
  const WmMeshTile *target = slot == entry->slot ? tile : wm_mesh_tile(state->query->mesh, slot);
  if (!passes(entry, target, polygon, number)) return;
  const WmConeExit exit = {number, slot, polygon, {WM_NO_CORNER, WM_NO_CORNER}};
  if (target->segments) {
    wm_cones_cross(entry, number);
  } else if (is_connection(tile, entry->cone->polygon)) {
    wm_cones_push_point(entry, entry->number, portal, measure_connection(entry, portal), &exit,
                        WM_CONE_POINT);
  } else if (is_connection(target, polygon)) {
    wm_cones_push_point(entry, entry->number, portal, wm_cones_measure_to(entry, portal), &exit,
                        WM_CONE_POINT);
  } else if (target == tile ? is_open(entry, polygon) : is_open_there(state, target, polygon)) {
    if (entry->is_cut) {
      push_cut_exit(entry, number);
    } else {
      push_exit(entry, number, slot, polygon);
    }
  }
}

/* Notes that the search has as many cones as it may have, if a link was to lead to another one. */
WM_INLINE void note_refused(const WmConeEntry *entry, uint32_t number) {
  WmSearchState *state = entry->state;
  if (state->refused)
    wm_query_note(state->query, WM_TRACE_LIMITED, entry->tile, entry->cone->polygon, number);
  state->refused = false;
}

/* Follows all links but those to the polygon that the cone comes from. */
static void follow_any(WmConeEntry *entry, uint32_t parent_slot, uint32_t parent_polygon) {
  const WmMeshTile *tile = entry->tile;
  const uint32_t polygon = entry->cone->polygon, end = tile->link_first[polygon + 1];
  for (uint32_t i = tile->link_first[polygon]; i < end && !entry->status; i++) {
    const WmLink *link = tile->links + i;
    if (link->slot == parent_slot && link->polygon == parent_polygon) continue;
    follow(entry, i);
    note_refused(entry, i);
  }
}

/* The same from a ground polygon that isn't cut. */
WM_INLINE void follow_plain(WmConeEntry *entry, uint32_t parent_slot, uint32_t parent_polygon) {
  const WmMeshTile *tile = entry->tile;
  const WmFilter *filter = entry->state->filter;
  const WmConeLink *links = entry->links;
  const WmDeadEnd *dead_ends = entry->dead_ends;
  const uint16_t *flags = tile->polygon_flags, include = filter->include_flags,
                 exclude = filter->exclude_flags;
  const uint32_t polygon = entry->cone->polygon, end = tile->link_first[polygon + 1], slot = entry->slot;
  const uint32_t inside_parent = parent_slot == slot ? parent_polygon : WM_NOT_INSIDE - 1;
  const uint32_t stamp = entry->state->query->corners.stamp;
  for (uint32_t i = tile->link_first[polygon]; i < end; i++) {
    const uint32_t to = links[i].polygon;
    if (to == inside_parent) continue;
    if (to == WM_NOT_INSIDE) {
      const WmLink *link = tile->links + i;
      if (link->slot == parent_slot && link->polygon == parent_polygon) continue;
      follow(entry, i);
    } else {
      if ((flags[to] & include) == 0 || (flags[to] & exclude) != 0) {
        wm_query_note(entry->state->query, WM_TRACE_FILTERED, tile, polygon, i);
        continue;
      }
      /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a tile with ground has some */
      if (dead_ends[to].next != WM_NO_DEAD_END && dead_ends[to].stamp != stamp) continue;
      push_exit(entry, i, slot, to);
    }
    note_refused(entry, i);
    if (entry->status) return;
  }
}

/* Looks up what is stored of a tile. */
static WM_NOINLINE WmStatus prepare_tile(WmSearchState *state, uint32_t slot, WmConeEntry *entry) {
  WmQuery *query = state->query;
  const WmMeshTile *tile = wm_mesh_tile(query->mesh, slot);
  entry->state = state;
  entry->slot = UINT32_MAX;
  const WmStatus status = wm_corners_of_tile(query, state->filter, tile, &entry->tile_corners);
  if (status) return status;
  entry->tile = tile;
  entry->slot = slot;
  entry->dead_ends =
      (WmDeadEnd *)query->arrays[WM_QUERY_DEAD_ENDS].items + entry->tile_corners.first_dead_end;
  entry->links = (WmConeLink *)query->arrays[WM_QUERY_CONE_LINKS].items + entry->tile_corners.first_link;
  return WM_OK;
}

WM_INLINE WmStatus prepare(WmSearchState *state, uint32_t slot, WmConeEntry *entry) {
  return slot == entry->slot ? WM_OK : prepare_tile(state, slot, entry);
}

/* True if a cone comes from a segment link. It may go over it again. */
static bool is_from_link(const WmSearchState *state, const WmCone *cone) {
  if (cone->kind == WM_CONE_PORTAL || cone->link == WM_NO_LINK) return false;
  return wm_mesh_tile(state->query->mesh, wm_cones_of(state)[cone->parent].slot)->segments != NULL;
}

/* Lets the search enter the dead ends that a ground polygon lies in. */
static void open_dead_ends(const WmSearchState *state, const WmConeEntry *entry, uint32_t polygon) {
  if (!is_connection(entry->tile, polygon))
    wm_dead_ends_open(entry->tile, state->filter, polygon, state->query->corners.stamp, entry->dead_ends);
}

WM_INLINE WmStatus expand(WmSearchState *state, uint32_t number, WmConeEntry *entry) {
  const uint32_t polygon = wm_cones_of(state)[number].polygon;
  WmStatus status = prepare(state, wm_cones_of(state)[number].slot, entry);
  if (status) return status;
  /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): `prepare` sets it, as the first slot differs */
  const WmMeshTile *tile = entry->tile;
  const uint32_t first = tile->link_first[polygon], end = tile->link_first[polygon + 1];
  status = wm_cones_reserve(state, WM_CONE_PARTS * (size_t)(end - first) + 1);
  if (status || !enter(state, number, entry)) return status ? status : entry->status;
  wm_query_note(state->query, WM_TRACE_EXPANDED, tile, polygon, 0);
  const WmCone *cone = entry->cone, *parent = wm_cones_of(state) + cone->parent;
  uint32_t parent_slot = parent->slot;
  if (cone->kind != WM_CONE_PORTAL) {
    open_dead_ends(state, entry, polygon);
    if (number == 0 || is_from_link(state, cone)) parent_slot = UINT32_MAX;
  }
  if (cone->slot == state->end_slot && polygon == state->end_polygon) {
    arrive(entry);
    /* Polygons are convex: no way out of it and back is shorter, unless connections are cheap. */
    if (state->cones.scale >= 1 && !is_connection(tile, polygon)) return entry->status;
  }
  state->refused = false;
  if (entry->is_cut || is_connection(tile, polygon)) {
    follow_any(entry, parent_slot, parent->polygon);
  } else {
    follow_plain(entry, parent_slot, parent->polygon);
  }
  return entry->status;
}

/* ---- The result --------------------------------------------------------------------------------------- */

/* Writes the polygons of the corridor to a cone and the links between them, last to first; for links onto segment links, how the
 * string crosses these. */
static void write_corridor(const WmSearchState *state, uint32_t last, WmRef *polygons, uint32_t *links,
                           size_t count) {
  const WmCone *cones = wm_cones_of(state);
  uint32_t next = WM_NO_LINK, crossing = WM_NO_LINK;
  for (size_t i = count; i > 0; i--, last = cones[last].parent) {
    const WmCone *cone = cones + last;
    const WmMeshTile *tile = wm_mesh_tile(state->query->mesh, cone->slot);
    polygons[i - 1] = tile->ref + cone->polygon;
    links[i - 1] = next;
    next = tile->segments ? crossing : cone->link;
    crossing = cone->ends[0];
  }
}

/* True if the cost of the result is that of all ground times the length of its string. */
static bool may_leave_cost(const WmSearchState *state) {
  const WmConeSearch *search = &state->cones;
  return state->task->leaves_cost && search->is_even && !search->has_connections && !search->is_free;
}

/* The cost below which there is no way, of the least total of all cones that may still be expanded. */
static float bound_of(const WmConeSearch *search, double total) {
  return search->is_free ? 0 : (float)(total * (double)search->ground_cost * (1 - BOUND_SLACK));
}

/* True if segment links may cost less than the distance between their ends. Then cones can lead over many links at nearly the
 * same cost, where rounding decides: the ordinary corridor stays unless the exact one costs less. */
static bool has_cheap_links(const WmSearchState *state) {
  return state->cones.scale < 1 && wm_mesh_segment_link_count(state->query->mesh) > 0;
}

/* Copies a corridor, whose arrays the next query overwrites. */
static void take_over(WmSearchState *state, const WmRef *polygons, const uint32_t *links, size_t count,
                      float cost) {
  WmQuery *query = state->query;
  WmCorridor *former = &state->former;
  memcpy(query->arrays[WM_QUERY_FORMER].items, polygons, count * sizeof *polygons);
  memcpy(query->arrays[WM_QUERY_LINKS].items, links, count * sizeof *links);
  former->polygon_count = count;
  former->cost = cost;
  former->state = WM_PATH_COMPLETE;
}

/* Makes the corridor to a cone the result, unless the ordinary one costs less. */
static WmStatus finish(WmSearchState *state, uint32_t last) {
  WmQuery *query = state->query;
  const WmSearchTask *task = state->task;
  const WmCone *cones = wm_cones_of(state);
  if (!state->limited) state->former.bound = bound_of(&state->cones, cones[last].cost);
  last = cones[last].parent;
  size_t count = 1;
  for (uint32_t i = last; i != 0; i = cones[i].parent) count++;
  WmStatus status = wm_query_reserve(query, WM_QUERY_LINKS, WM_QUERY_POLYGONS, count);
  if (!status) status = wm_query_reserve(query, WM_QUERY_FORMER, WM_QUERY_NUMBERS, count);
  if (status) return status;
  WmRef *polygons = query->arrays[WM_QUERY_POLYGONS].items;
  uint32_t *links = query->arrays[WM_QUERY_NUMBERS].items;
  write_corridor(state, last, polygons, links, count);
  float cost = -state->cones.ground_cost;
  if (!may_leave_cost(state))
    status = wm_query_measure_linked(query, task->start_position, task->end_position, polygons, links, count,
                                     state->filter, &cost);
  if (status) return status;
  WmCorridor *former = &state->former;
  former->polygons = query->arrays[WM_QUERY_FORMER].items;
  state->done = true;
  const bool is_best = state->cones.is_even && !state->limited && !has_cheap_links(state);
  if (is_best || former->polygon_count == 0 || cost < former->cost)
    take_over(state, polygons, links, count, cost);
  if (former->cost >= 0) former->bound = fminf(former->bound, former->cost);
  return WM_OK;
}

/* No cone is left: no way is cheaper than the ordinary one, unless cones were left out. */
static void exhaust(WmSearchState *state) {
  state->done = true;
  if (!state->limited && !state->cones.is_free) state->former.bound = state->former.cost;
}

WmStatus wm_search_run_cones(WmSearchState *state, size_t budget) {
  WmConeEntry entry;
  entry.slot = UINT32_MAX;
  for (; budget > 0 && !state->done; budget--) {
    const uint32_t number = take(state);
    if (number == NO_CONE) {
      exhaust(state);
      break;
    }
    state->expanded++;
    const WmStatus status = wm_cones_of(state)[number].kind == WM_CONE_ARRIVED
                                ? finish(state, number)
                                : expand(state, number, &entry);
    if (status) return status;
  }
  return WM_OK;
}

/* ---- The search --------------------------------------------------------------------------------------- */

/* The least and the most that a world unit costs in any area. */
static void find_all_costs(const WmFilter *filter, float *least, float *most) {
  WmFloat4 low = wm_load_float4(filter->area_costs), high = low;
  for (int i = 4; i < 64; i += 4) {
    const WmFloat4 costs = wm_load_float4(filter->area_costs + i);
    low = wm_min_float4(low, costs);
    high = wm_max_float4(high, costs);
  }
  float lows[4], highs[4];
  wm_store_float4(lows, low);
  wm_store_float4(highs, high);
  *least = lows[0];
  *most = highs[0];
  for (int i = 1; i < 4; i++) {
    *least = lows[i] < *least ? lows[i] : *least;
    *most = highs[i] > *most ? highs[i] : *most;
  }
}

/* The same of some areas; INFINITY, 0 if there are none. */
static void find_costs(const WmFilter *filter, uint64_t areas, float *least, float *most) {
  *least = INFINITY;
  *most = 0;
  for (int i = 0; i < 64 && areas >> i; i++) {
    if (!(areas >> i & 1)) continue;
    const float cost = filter->area_costs[i];
    *least = cost < *least ? cost : *least;
    *most = cost > *most ? cost : *most;
  }
}

/* Finds the least cost of a world unit of ground, and if it is the same everywhere; lowers the scale where connections cost less
 * than ground. */
static void find_ground_cost(const WmSearchState *state, WmConeSearch *search) {
  const WmFilter *filter = state->filter;
  float least, most;
  find_all_costs(filter, &least, &most);
  uint64_t connections = 0;
  const uint64_t areas = least < most ? wm_corners_areas(state->query, &connections) : 0;
  if (areas) find_costs(filter, areas, &least, &most);
  search->is_even = least == most && !filter->costs;
  float cheapest, dearest;
  find_costs(filter, connections, &cheapest, &dearest);
  if (cheapest < least) search->scale *= (double)cheapest / (double)least;
  if (filter->costs) least *= wm_costs_least(filter->costs);
  search->is_free = !(least > 0);
  search->ground_cost = search->is_free ? 1 : least;
}

/* Puts the start on the open list. */
static WmStatus begin(WmSearchState *state) {
  WmQuery *query = state->query;
  const WmSearchTask *task = state->task;
  WmConeSearch *search = &state->cones;
  *search = (WmConeSearch){.begun = true,
                           .most = (double)INFINITY,
                           .next = WM_HEAP_END,
                           .held = NO_CONE,
                           .limit = NO_CONE,
                           .scale = (double)wm_mesh_least_cost(query->mesh)};
  find_ground_cost(state, search);
  WmStatus status = wm_corners_begin(query, state->filter);
  WmConeEntry entry;
  if (!status) status = prepare_tile(state, state->end_slot, &entry);
  if (!status) open_dead_ends(state, &entry, state->end_polygon);
  if (!status) status = wm_cones_reserve(state, 1);
  if (status) return status;
  wm_heap_clear(keys_of(state));
  search->held = search->count++;
  *wm_cones_of(state) = (WmCone){.root = {task->start_position[0], task->start_position[2]},
                                 .rays = {{task->start_position[1], 0}},
                                 .corner = WM_NO_CORNER,
                                 .slot = wm_ref_slot(task->start),
                                 .polygon = wm_ref_polygon(task->start),
                                 .link = WM_NO_LINK,
                                 .kind = WM_CONE_POINT};
  return WM_OK;
}

/* True if the start or the end is on a segment link: the ordinary search decides alone. */
static bool is_on_link(const WmMesh *mesh, const WmSearchTask *task) {
  return wm_is_segment_link(wm_mesh_tile_of(mesh, task->start)) ||
         wm_is_segment_link(wm_mesh_tile_of(mesh, task->end));
}

WmStatus wm_search_start_cones(WmSearchState *state) {
  WmStatus status = wm_search_keep(state);
  if (!status && !state->cones.begun) status = begin(state);
  if (status) return status;
  WmConeSearch *search = &state->cones;
  const uint64_t per_polygon = has_cheap_links(state) ? CONES_WITH_CHEAP_LINKS : CONES_PER_POLYGON;
  const uint64_t limit = search->count + per_polygon * (uint64_t)state->touched;
  search->most = (double)state->former.cost / (double)search->ground_cost * (1 + SLACK);
  search->limit = (uint32_t)(limit < NO_CONE ? limit : NO_CONE);
  if (state->max_nodes < search->limit) search->limit = (uint32_t)state->max_nodes;
  state->is_in_cones = true;
  const bool stays = is_on_link(state->query->mesh, state->task);
  state->done = stays || (state->former.polygon_count == 1 && search->scale >= 1);
  const double x = (double)state->end[0] - (double)state->task->start_position[0],
               z = (double)state->end[2] - (double)state->task->start_position[2];
  const float bound = stays ? 0 : bound_of(search, search->scale * sqrt(x * x + z * z));
  state->former.bound = fminf(bound, state->former.cost);
  return WM_OK;
}

WmStatus wm_search_shortest(WmQuery *query, const WmSearchTask *task, WmCorridor *corridor) {
  WmSearchState state = {.query = query, .task = task, .filter = task->options.filter, .is_in_cones = true};
  memcpy(state.end, task->end_position, sizeof state.end);
  state.end_slot = wm_ref_slot(task->end);
  state.end_polygon = wm_ref_polygon(task->end);
  WmStatus status = begin(&state);
  if (!status && state.cones.is_even && task->options.max_nodes == 0 && !is_on_link(query->mesh, task) &&
      !has_cheap_links(&state))
    status = wm_search_run_cones(&state, FIRST_CONES);
  if (!status && !state.former.polygon_count) {
    const WmConeSearch cones = state.cones;
    const size_t expanded = state.expanded;
    status = wm_search_start(query, task, &state);
    state.cones = cones;
    state.expanded = expanded;
    if (!status) status = wm_search_run(&state, SIZE_MAX);
  }
  if (!status) return wm_search_result(&state, corridor);
  *corridor = (WmCorridor){0};
  return status;
}
