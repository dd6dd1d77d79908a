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
 * Polygons that are convex together are entered as one (patches.h).
 *
 * A cone keeps its rays as vertices on them, so that corners on one line stay on it however many portals lie between. The lower bound of the rest is the shortest line from the root through the portal to the end. Cones are
 * expanded in the order of cost and bound, so the first one that has reached the end is the shortest. Of all ways to a
 * corner only the shortest is followed (cone_corners.h).
 *
 * Most searches are short and need nothing else. A search that hasn't arrived after FIRST_CONES waits for the ordinary
 * one: that tells whether the end can be reached at all, and its string is the most that is worth looking for. Ground that an ordinary
 * search found closed is remembered (unreachable.h): from there, it comes first. `searched` of an end that can't be reached counts only
 * its polygons, so results don't depend on what is remembered.
 *
 * Ground costs the least factor of the areas that occur everywhere, connections cost what they cost. So the length is a
 * lower bound of the cost of any path; with the same factor everywhere it is the cost.
 *
 * Cones go over segment links, too: link_cones.c.
 *
 * Source: M. Cui, D. D. Harabor, A. Grastien, "Compromise-free Pathfinding on a Navigation Mesh", IJCAI 2017. */
#include "query/shortest/shortest_internal.h"

#define NO_CONE UINT32_MAX
#define NO_PARENT (UINT32_MAX - 1)

enum { LEFT = WM_CONE_LEFT, RIGHT = WM_CONE_RIGHT };

enum {
  FIRST_CONES = 1024,     /* expanded before the ordinary search: few searches that arrive need more */
  MADE_FIRST = 16384,     /* which make about as many cones where there are links */
  CONES_PER_POLYGON = 64, /* no level has as many; in hostile meshes cones can go round for ever */
  CONES_WITH_CHEAP_LINKS = 512
};

/* Cones of a list that one is compared with. */
enum { LIST_LIMIT = 64 };

/* How far beside a ray a point may lie that a cone covers, relative to their lengths. */
#define COVER 1e-9

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

/* The cost of a way of a cone that is recorded. Where a segment link lies beside ground, a cone over it, whose root is no corner, can reach
 * a corner on a way that is a little shorter than any on ground, and from which the string can't turn as others can. */
WM_INLINE double recorded_cost(const WmConeEntry *entry, double cost) {
  return entry->root.corner == WM_NO_CORNER ? cost + 2 * entry->state->cones.slack : cost;
}

/* Records a way of a cone that turns at a corner.
 * returns    true: no shorter one is known */
static bool reach(const WmConeEntry *entry, uint32_t number, double cost) {
  enum { MOST_PASSES = 255 };
  improve(entry->state, number, recorded_cost(entry, cost));
  WmConeCorner *corner = corners_of(entry->state) + number;
  if (!is_shortest(entry->state, number, cost) || corner->passes == MOST_PASSES) return false;
  corner->passes++;
  return true;
}

/* ---- The open list ------------------------------------------------------------------------------------ */

/* The point of a portal that a ray leads through, from the root.
 * in         ends: the portal's, from the root */
WM_INLINE WmConeVector cross_portal(WmConeVector ray, WmConePair ends) {
  const WmConeVector left = wm_cone_side(ends, LEFT), right = wm_cone_side(ends, RIGHT);
  const WmConeVector across = wm_cone_subtract(left, right);
  const double by_right = wm_cone_cross(ray, right), t = by_right / (by_right - wm_cone_cross(ray, left));
  return (WmConeVector){right.x + across.x * t, right.z + across.z * t};
}

/* The end of the cone's part of its portal on one side, from the root.
 * in         rays: from the root; ends: the portal's, from the root */
WM_INLINE WmConeVector find_end(const WmCone *cone, int side, WmConePair rays, WmConePair ends) {
  const WmConeVector ray = wm_cone_side(rays, side);
  return wm_cone_has_end(cone, side) ? ray : cross_portal(ray, ends);
}

/* True if a point lies outside a ray, surely: where the root lies on the portal, a point at its one end could else seem to lie
 * outside the ray to the other one.
 * in         area: between the ray and the point, positive if it lies outside */
WM_INLINE bool leads_past(WmConeVector root, double area, WmConeVector ray, WmConeVector to) {
  return area > 0 && area > WM_CONE_NEAR * (1 + wm_cone_sum(root) + wm_cone_sum(to)) *
                                (wm_cone_sum(ray) + wm_cone_sum(to));
}

/* The length of the shortest line from the root through the cone's portal to a point.
 * in         to: the point, from the root; rays, ends: those of the cone, and of its portal, from the root */
WM_INLINE double measure_rest(WmConeVector to, const WmCone *cone, WmConePair rays, WmConePair ends) {
  const WmConeVector root = wm_cone_root(cone), right = wm_cone_side(ends, RIGHT);
  const WmConeVector across = wm_cone_subtract(wm_cone_side(ends, LEFT), right);
  const double behind = wm_cone_cross(across, wm_cone_subtract(to, right));
  if (behind > 0) { /* on the root's side: mirrored at the portal */
    const double factor = 2 * behind / (across.x * across.x + across.z * across.z);
    to = (WmConeVector){to.x + factor * across.z, to.z - factor * across.x};
  }
  const double left = wm_cone_cross(wm_cone_side(rays, LEFT), to);
  const int side = left > 0 ? LEFT : RIGHT;
  const WmConeVector ray = side == LEFT ? wm_cone_side(rays, LEFT) : wm_cone_side(rays, RIGHT);
  const double area = side == LEFT ? left : -wm_cone_cross(ray, to);
  if (!leads_past(root, area, ray, to)) return wm_cone_length(to);
  const WmConeVector at = wm_cone_has_end(cone, side) ? ray : cross_portal(ray, ends);
  const WmDouble2 lengths = wm_cone_pair_length((WmConePair){{at.x, to.x - at.x}, {at.z, to.z - at.z}});
  return lengths[0] + lengths[1];
}

/* The distance of the origin from a segment. */
static double distance_to(WmConeVector from, WmConeVector to) {
  const WmConeVector along = wm_cone_subtract(to, from);
  const double squared = along.x * along.x + along.z * along.z, t = -(from.x * along.x + from.z * along.z);
  if (!(t > 0)) return wm_cone_length(from);
  return t < squared ? fabs(wm_cone_cross(from, along)) / sqrt(squared) : wm_cone_length(to);
}

/* The least cost of the rest of a string: where connections are cheaper than ground, only its part behind the portal can lead
 * over them.
 * in         portal: x of its ends, z of both */
WM_INLINE double bound_rest(const WmSearchState *state, const WmCone *cone, const float portal[4]) {
  const WmConePair rays = wm_cone_rays(cone);
  const WmConePair ends = cone->has == 3 ? rays : wm_cone_pair(wm_cone_root(cone), portal);
  const WmConeVector to = wm_cone_subtract(state->cones.end, wm_cone_root(cone));
  const double rest = measure_rest(to, cone, rays, ends), scale = state->cones.scale;
  if (scale >= 1) return rest;
  const double before = distance_to(find_end(cone, LEFT, rays, ends), find_end(cone, RIGHT, rays, ends));
  return scale * rest + (1 - scale) * (before < rest ? before : rest);
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
  state->cones.items = query->arrays[WM_QUERY_CONES].items;
  return WM_OK;
}

/* Opens a cone.
 * in         rest: the least cost of the rest of the string
 * The best one that an expansion opens stays out of the open list: it is often the next one. */
WM_INLINE void open_cone(WmSearchState *state, const WmCone *cone, uint32_t number, double rest) {
  WmConeSearch *search = &state->cones;
  const double total = cone->cost + rest;
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
WM_INLINE void open_through(WmSearchState *state, const WmCone *cone, uint32_t number,
                            const float portal[4]) {
  open_cone(state, cone, number, bound_rest(state, cone, portal));
}

/* Opens the cones that an expansion has made through portals of its polygon. */
static WM_NOINLINE void open_pending(WmConeEntry *entry) {
  WmSearchState *state = entry->state;
  const WmCone *cones = wm_cones_of(state);
  const WmConeLink *links = entry->links;
  const uint32_t count = state->cones.count;
  uint32_t number = entry->lone, next = entry->pending;
  entry->has_opened = true;
  entry->lone = NO_CONE;
  entry->pending = count;
  if (number == NO_CONE) number = next++;
  for (; number < count; number = next++)
    open_through(state, cones + number, number, links[cones[number].link].exit.portal);
}

/* Opens them at the end of the expansion, or holds the only cone back. */
WM_INLINE void settle_pending(WmConeEntry *entry) {
  WmConeSearch *search = &entry->state->cones;
  const uint32_t count = search->count - entry->pending;
  if (entry->has_opened || count + (entry->lone != NO_CONE) > 1) {
    open_pending(entry);
  } else {
    search->held = count ? entry->pending : entry->lone;
  }
}

void wm_cones_part(WmConeEntry *entry) {
  const uint32_t count = entry->state->cones.count - entry->pending;
  if (count + (entry->lone != NO_CONE) > 1) {
    open_pending(entry);
  } else if (count) {
    entry->lone = entry->pending;
  }
  entry->pending = entry->state->cones.count + 1;
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
  search->taken = key;
  return (uint32_t)key; /* of WM_HEAP_END: NO_CONE */
}

/* ---- One polygon -------------------------------------------------------------------------------------- */

/* Finds the stored link that a cone came through. It leads out of a ground polygon of the parent's tile. */
static WmConeLink *stored_link(const WmSearchState *state, const WmCone *cone) {
  return wm_cones_tile(state, wm_cones_of(state)[cone->parent].slot)->links + cone->link;
}

static bool is_connection(const WmMeshTile *tile, uint32_t polygon) { return polygon >= tile->ground_count; }

uint32_t wm_cones_left(const WmSearchState *state, const WmCone *cone) {
  const WmCone *parent = wm_cones_of(state) + cone->parent;
  return wm_cones_left_by(state, cone, parent, wm_mesh_tile(state->query->mesh, parent->slot));
}

/* The corner at an end of a link's portal where the string can turn; WM_NO_CORNER: it can't.
 * in         known: the end's, as WmCone.ends; polygon: that the link leads to; at: the end */
static WmStatus find_corner(const WmSearchState *state, uint32_t known, WmConeLink *link, int side,
                            WmRef polygon, const float at[2], uint32_t *corner) {
  *corner = known;
  if (*corner != WM_NO_CORNER) {
    if (corners_of(state)[*corner].kind != WM_CORNER_TURNS) *corner = WM_NO_CORNER;
    return WM_OK;
  }
  *corner = link->found[side];
  if (*corner != WM_NOT_FOUND && *corner != WM_SLIT) return WM_OK;
  const bool is_rounded = *corner == WM_SLIT;
  const WmStatus status = is_rounded ? wm_corners_at_landing(state->query, polygon, at, corner)
                                     : wm_corners_at_point(state->query, state->filter, polygon, at, corner);
  if (status) return status;
  if (is_rounded) corners_of(state)[*corner].kind = WM_CORNER_ROUNDED;
  link->found[side] = *corner;
  return WM_OK;
}

/* How much longer a way past a rounded end of a portal may be than the straight line, relative to the line. */
#define ROUNDED 1e-4

/* True if the shortest way to a corner is a straight line from a root before, past the cone's root: a rounded end of a portal, or a corner
 * that lies on that line up to rounding. The line can reach the corner on the side where no string turns: then the cone goes on there, at
 * its cost.
 * in         at: the corner
 * in/out     *cost: of the cone's way to the corner */
static WM_NOINLINE bool passes_rounded(const WmConeEntry *entry, uint32_t corner, WmConeVector at,
                                       double *cost) {
  enum { ROUNDED_LIMIT = 64 };
  const WmSearchState *state = entry->state;
  const double least = corners_of(state)[corner].cost;
  if (entry->root.corner == WM_NO_CORNER) return false;
  const bool is_rounded = corners_of(state)[entry->root.corner].kind == WM_CORNER_ROUNDED;
  const double most = WM_CONE_NEAR * (1 + wm_cone_sum(entry->root.at));
  const WmCone *cones = wm_cones_of(state), *cone = entry->cone;
  for (int i = 0; i < ROUNDED_LIMIT && cone != cones && (is_rounded || *cost - least <= most); i++) {
    cone = cones + cone->parent;
    const double line = wm_cone_length(wm_cone_subtract(at, wm_cone_root(cone)));
    if (fabs(cone->cost + line - least) > WM_CONE_SAME * least) continue;
    if (*cost - least > ROUNDED * line) return false;
    *cost = least;
    return true;
  }
  return false;
}

/* True if a way to a corner isn't so much longer than the shortest one that passes_rounded must look. */
WM_INLINE bool may_pass_rounded(const WmConeEntry *entry, uint32_t corner, double cost) {
  return cost - corners_of(entry->state)[corner].cost <= ROUNDED * cost;
}

bool wm_cones_turn_at(WmConeEntry *entry, int side) {
  const WmCone *cone = entry->cone;
  if (entry->turns[side] >= 0) return entry->turns[side];
  WmConeRoot *end = &entry->ends[side];
  bool is_open = wm_cone_has_end(cone, side);
  if (is_open && !entry->status) {
    *end = wm_cone_root_at((const float[2]){cone->rays[side], cone->rays[2 + side]}, end->cost, WM_NO_CORNER);
    entry->status = find_corner(entry->state, cone->ends[side], stored_link(entry->state, cone), side,
                                entry->tile->ref + cone->polygon, end->point, &end->corner);
    is_open =
        !entry->status && end->corner != WM_NO_CORNER &&
        (reach(entry, end->corner, end->cost) ||
         (may_pass_rounded(entry, end->corner, end->cost) &&
          passes_rounded(entry, end->corner, end->at, &end->cost) && reach(entry, end->corner, end->cost)));
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
  WmFloat4 rays; /* as those of WmCone, and its bits */
  uint32_t has, is_before;
} Part;

/* The sides with bits 1 (left) and 2 (right) of a point on each, as in WmCone.rays. */
static const WmInt4 LANES[4] = {{0, 0, 0, 0}, {-1, 0, -1, 0}, {0, -1, 0, -1}, {-1, -1, -1, -1}};

/* Limits a part of a portal by rays.
 * in         sides: bits; at: a point on each ray; is_before: bits */
WM_INLINE void limit(Part *part, uint32_t sides, WmFloat4 at, uint32_t is_before) {
  part->rays = wm_select_float4(LANES[sides], at, part->rays);
  part->has = 3 & ~sides;
  part->is_before = sides & is_before;
}

/* All of a portal. */
WM_INLINE Part whole_portal(const WmPatchExit *exit) { return (Part){wm_load_float4(exit->portal), 3, 0}; }

/* Copies 16 bytes at once. */
WM_INLINE void copy_16_bytes(void *to, const void *from) { wm_store_int4(to, wm_load_int4(from)); }

/* Adds a cone through a part of a link's portal. */
WM_INLINE void add_part(const WmConeEntry *entry, const WmPatchExit *exit, const Part *part,
                        const WmConeRoot *root) {
  WmCone *cone = wm_cones_add(entry->state);
  if (!cone) return;
  entry->state->cones.count++;
  copy_16_bytes(&cone->cost, &root->cost); /* and root */
  wm_store_float4(cone->rays, part->rays); /* at once: the next expansion loads it so */
  copy_16_bytes(cone->ends, exit->ends);   /* and slot, polygon */
  cone->corner = root->corner;
  cone->parent = entry->number;
  cone->link = exit->number;
  cone->has = (uint8_t)part->has;
  cone->is_before = (uint8_t)part->is_before;
  cone->kind = WM_CONE_PORTAL;
}

/* The area between a ray and a point, positive if it lies outside. */
WM_INLINE double find_outward(const WmConeEntry *entry, int side, WmConeVector at) {
  const double area = wm_cone_cross(wm_cone_side(entry->rays, side), at);
  return side == LEFT ? area : -area;
}

/* True if a point lies outside a ray of the cone. The ray leads through two points that are rounded, so that it is the less
 * exact the farther it is followed. */
WM_INLINE bool is_outside(const WmConeEntry *entry, int side, WmConeVector at) {
  return find_outward(entry, side, at) > entry->near[side] * (entry->lengths[side] + wm_cone_sum(at));
}

/* How far the direction of a ray may be off, as a share of its length. A point on it that lies just beside the root would let all be seen
 * that lies farther off. */
#define ASKEW 1e-3

/* A ray that rounding has bent leads beside points on its line by less than this, relative to their distance. */
#define BENT 1e-3

/* True if a point lies so far outside a ray that it isn't on its line, also if rounding has bent the ray. */
WM_INLINE bool is_far_outside(const WmConeEntry *entry, int side, WmConeVector at) {
  const double sum = wm_cone_sum(at);
  return find_outward(entry, side, at) >
         entry->near[side] * (entry->lengths[side] + sum) + BENT * entry->lengths[side] * sum;
}

/* Finds the last corner on a ray before the end of the cone's portal. The ends of portals behind it were on the ray up to rounding. Each
 * became the point that the ray leads through, so that the ray leads beside the corner.
 * out        *root: there
 * returns    false: there is none, or a shorter way leads to it */
static bool find_bend(WmConeEntry *entry, int side, WmConeRoot *root) {
  enum { BEND_LIMIT = 64 };
  const WmSearchState *state = entry->state;
  const WmCone *cones = wm_cones_of(state), *cone = entry->cone;
  const double touching = WM_CONE_TOUCHING * WM_CONE_NEAR * (1 + wm_cone_sum(entry->root.at));
  for (int i = 0; i < BEND_LIMIT && !entry->status; i++) {
    cone = cones + cone->parent;
    if (cone->kind != WM_CONE_PORTAL || !wm_cone_has_end(cone, side) ||
        cone->root[0] != entry->cone->root[0] || cone->root[1] != entry->cone->root[1])
      return false;
    *root = wm_cone_root_at((const float[2]){cone->rays[side], cone->rays[2 + side]}, 0, WM_NO_CORNER);
    const WmConeVector to = wm_cone_subtract(root->at, entry->root.at);
    if (wm_cone_sum(to) <= touching || is_outside(entry, side, to)) return false;
    root->cost = entry->root.cost + wm_cone_length(to);
    entry->status = find_corner(state, cone->ends[side], stored_link(state, cone), side,
                                wm_mesh_tile(state->query->mesh, cone->slot)->ref + cone->polygon,
                                root->point, &root->corner);
    if (!entry->status && root->corner != WM_NO_CORNER) return reach(entry, root->corner, root->cost);
  }
  return false;
}

/* Adds the part of a link's portal that the string reaches by turning on one side: all of it, or only that beside the cone. */
WM_INLINE void push_beside(const WmConeEntry *entry, const WmPatchExit *exit, int side, bool is_all,
                           const WmConeRoot *root) {
  Part part = whole_portal(exit);
  const float x = entry->cone->root[0], z = entry->cone->root[1];
  if (!is_all) limit(&part, side == LEFT ? 2 : 1, (WmFloat4){x, x, z, z}, 3);
  add_part(entry, exit, &part, root);
}

/* Adds such a part if the string can turn at a corner before the end of the cone's portal. */
static WM_NOINLINE void push_bent(WmConeEntry *entry, const WmPatchExit *exit, int side, bool is_all) {
  WmConeRoot root;
  if (find_bend(entry, side, &root)) push_beside(entry, exit, side, is_all, &root);
}

/* Adds the parts of a portal beside the cone, on sides where its end lies outside the ray.
 * in         sides: bits */
static WM_NOINLINE void push_sides(WmConeEntry *entry, const WmPatchExit *exit, int sides) {
  for (int side = LEFT; side <= RIGHT; side++) {
    if (!(sides >> side & 1)) continue;
    if (turns_at(entry, side)) {
      push_beside(entry, exit, side, false, &entry->ends[side]);
      continue;
    }
    const WmConeVector end = {(double)exit->portal[side] - entry->root.at.x,
                              (double)exit->portal[2 + side] - entry->root.at.z};
    if (!is_far_outside(entry, side, end)) push_bent(entry, exit, side, false);
  }
}

/* True if both rays are one up to rounding. */
static bool is_narrow(const WmConeEntry *entry) {
  const WmConePair rays = entry->rays;
  const double width = wm_cone_cross(wm_cone_side(rays, RIGHT), wm_cone_side(rays, LEFT));
  return !(width > entry->widths[LEFT] + entry->widths[RIGHT]);
}

/* True if a cone over a segment link has rays that are nearly one: its root was laid over just beside the segment's line. */
static bool is_along_link(const WmConeEntry *entry) {
  const WmConeVector left = wm_cone_side(entry->rays, LEFT), right = wm_cone_side(entry->rays, RIGHT);
  return entry->cone->kind == WM_CONE_CROSSED && left.x * right.x + left.z * right.z > 0 &&
         wm_cone_cross(right, left) <= ASKEW * entry->lengths[LEFT] * entry->lengths[RIGHT];
}

/* True if a point on one line with the rays of a narrow cone lies before its portal: then it isn't outside of them, but no straight line
 * leads there through the portal. */
static bool is_before_portal(const WmConeEntry *entry, WmConeVector at) {
  const WmConePair rays = entry->rays;
  if (!is_narrow(entry) && !is_along_link(entry)) return false;
  const WmDouble2 before =
      rays.x * (rays.x - wm_splat_double2(at.x)) + rays.z * (rays.z - wm_splat_double2(at.z));
  return wm_mask_long2(before > wm_splat_double2(WM_CONE_TOUCHING) * entry->widths) == 3;
}

/* The part of a portal that a cone which is cut sees. Where the portal goes on behind the cut, it is limited by the ray on
 * that side: the cut meets the portal outside the cone. */
static void push_cut_exit(const WmConeEntry *entry, const WmPatchExit *exit) {
  const WmConePair ends = wm_cone_pair(entry->root.at, exit->portal);
  bool behind[2], limited[2];
  /* Lines from a root outside the polygon enter it there. */
  if (!(wm_cone_cross(wm_cone_side(ends, RIGHT), wm_cone_side(ends, LEFT)) > 0)) return;
  for (int side = LEFT; side <= RIGHT; side++) {
    const WmConeVector end = wm_cone_side(ends, side), ray = wm_cone_side(entry->rays, 1 - side);
    const double area = (side == LEFT ? 1 : -1) * wm_cone_cross(ray, end);
    /* An end on the other side of the root, where the rays lie nearly along the segment, isn't beside the ray. */
    const double near = entry->near[1 - side],
                 least = ray.x * end.x + ray.z * end.z > 0 ? near : -near - entry->slack;
    behind[side] = wm_cone_is_behind(entry, end);
    if (!behind[side] && area <= least * entry->lengths[1 - side]) return;
    limited[side] = behind[side] || is_outside(entry, side, end);
  }
  if (behind[LEFT] && behind[RIGHT]) return;
  Part part = whole_portal(exit);
  limit(&part, limited[LEFT] | (uint32_t)limited[RIGHT] << 1, wm_load_float4(entry->cone->rays), 0);
  add_part(entry, exit, &part, &entry->root);
}

/* Adds the cone through a portal on one line with a ray, seen from its nearer end, if the string can turn there. Where the outline lies on
 * the ray, too, a wall behind it may end at that point, and no portal that the cone has passed. A start just beside the line sees the portal:
 * the string may turn at the other end. */
static WM_NOINLINE void push_flat(WmConeEntry *entry, const WmPatchExit *exit, WmConePair ends) {
  const WmSearchState *state = entry->state;
  const WmDouble2 lengths = wm_cone_pair_length(ends);
  int side = lengths[LEFT] < lengths[RIGHT] ? LEFT : RIGHT;
  WmConeRoot root = {.corner = WM_NO_CORNER};
  if (is_before_portal(entry, wm_cone_side(ends, side))) return;
  const bool is_seen = wm_cone_cross(wm_cone_side(ends, RIGHT), wm_cone_side(ends, LEFT)) > 0;
  const int most = is_seen && entry->root.corner == WM_NO_CORNER ? 2 : 1;
  for (int i = 0; i < most && !entry->status && root.corner == WM_NO_CORNER; i++, side = 1 - side) {
    root = wm_cone_root_at((const float[2]){exit->portal[side], exit->portal[2 + side]},
                           entry->root.cost + lengths[side], WM_NO_CORNER);
    entry->status = find_corner(state, exit->ends[side], entry->links + exit->number, side,
                                wm_mesh_tile(state->query->mesh, exit->slot)->ref + exit->polygon, root.point,
                                &root.corner);
  }
  if (entry->status || root.corner == WM_NO_CORNER || !reach(entry, root.corner, root.cost)) return;
  const Part part = whole_portal(exit);
  add_part(entry, exit, &part, &root);
}

/* Adds a portal on the edge that the cone comes over, seen from behind: it leads back, to ground above or below that which the string comes
 * from. The string turns at either end.
 * returns    false: it is another portal, of a narrow cone */
static WM_NOINLINE bool push_back(WmConeEntry *entry, const WmPatchExit *exit) {
  if (is_narrow(entry)) return false;
  for (int side = LEFT; side <= RIGHT; side++) {
    if (turns_at(entry, side)) push_beside(entry, exit, side, true, &entry->ends[side]);
  }
  return true;
}

/* True if a portal begins at an end of the cone's own.
 * in         sides: bits of the sides, left and right, on which it surely begins inside: at the end there */
static WM_NOINLINE bool begins_at_end(const WmConeEntry *entry, const WmPatchExit *exit, int sides) {
  const WmCone *cone = entry->cone;
  const int side = sides == 1 ? LEFT : RIGHT;
  return sides && wm_cone_has_end(cone, side) && exit->portal[side] == cone->rays[side] &&
         exit->portal[2 + side] == cone->rays[2 + side];
}

/* Adds the part of a portal that lies beside the cone, or on one of its rays.
 * in         sides: bits of the sides, left and right, on which it doesn't surely begin inside */
static void push_outside(WmConeEntry *entry, const WmPatchExit *exit, WmConePair ends, int sides) {
  int side = sides == 2 ? RIGHT : LEFT;
  if (sides == 3) {
    if (push_back(entry, exit)) return;
    /* An end of the portal may lie on both rays, where they are nearly one. */
    const WmConeVector both = {ends.x[LEFT] + ends.x[RIGHT], ends.z[LEFT] + ends.z[RIGHT]};
    side = wm_cone_cross(wm_cone_side(entry->rays, LEFT), both) > 0 ? LEFT : RIGHT;
  }
  if (turns_at(entry, side)) {
    push_beside(entry, exit, side, true, &entry->ends[side]);
  } else if (wm_cone_has_end(entry->cone, side) && !is_far_outside(entry, side, wm_cone_side(ends, LEFT)) &&
             !is_far_outside(entry, side, wm_cone_side(ends, RIGHT))) {
    if (is_outside(entry, side, wm_cone_side(ends, LEFT)) ||
        is_outside(entry, side, wm_cone_side(ends, RIGHT))) {
      push_bent(entry, exit, side, true);
    } else {
      push_flat(entry, exit, ends);
    }
  }
}

/* Adds the parts of a portal: beside the cone on the left and on the right, and seen. */
WM_INLINE void push_exit(WmConeEntry *entry, const WmPatchExit *exit) {
  Part part = whole_portal(exit);
  if (!entry->sees_all) {
    const WmConePair rays = entry->rays, ends = wm_cone_pair(entry->root.at, exit->portal);
    const WmConePair others = {wm_swap_double2(ends.x), wm_swap_double2(ends.z)};
    const WmDouble2 inward = wm_cone_pair_cross(rays, others) * WM_CONE_OUTWARD;
    const int inside = wm_mask_long2(inward < -entry->widths);
    if (inside != 3 && (!entry->is_blunt || !begins_at_end(entry, exit, inside))) {
      push_outside(entry, exit, ends, 3 - inside);
      return;
    }
    const WmDouble2 outward = wm_cone_pair_cross(rays, ends) * WM_CONE_OUTWARD;
    const int beyond = wm_mask_long2(outward > entry->near * (entry->lengths + wm_cone_pair_sum(ends)));
    if (beyond & entry->cone->has) push_sides(entry, exit, beyond & entry->cone->has);
    if (beyond) limit(&part, (uint32_t)beyond, wm_load_float4(entry->cone->rays), entry->cone->is_before);
  }
  add_part(entry, exit, &part, &entry->root);
}

/* The length of the line from the root to a point over an end of the cone's portal. */
static double measure_over(const WmConeEntry *entry, int side, WmConeVector line) {
  const WmConeVector end = wm_cone_side(entry->rays, side);
  return wm_cone_length(end) + wm_cone_length(wm_cone_subtract(line, end));
}

/* The length of the line from the root to a point that isn't surely outside of the rays. It can lie outside by rounding, and in front of the
 * portal if that is nearly on one line with it: then the line leads to the portal's end and back.
 * in/out     *from: the root; the end from which the line leads back */
static double measure_inside(const WmConeEntry *entry, WmConeVector line, WmConeVector *from) {
  if (is_before_portal(entry, line)) {
    const WmDouble2 lengths = wm_cone_pair_length(entry->rays);
    const int side = lengths[LEFT] < lengths[RIGHT] ? LEFT : RIGHT;
    const WmConeVector end = wm_cone_side(entry->rays, side);
    *from = (WmConeVector){from->x + end.x, from->z + end.z};
    return measure_over(entry, side, line);
  }
  const double left = wm_cone_cross(wm_cone_side(entry->rays, LEFT), line),
               right = wm_cone_cross(line, wm_cone_side(entry->rays, RIGHT));
  const int side = left >= right ? LEFT : RIGHT;
  if (!(left > 0 || right > 0) || !wm_cone_has_end(entry->cone, side)) return wm_cone_length(line);
  const double length = measure_over(entry, side, line);
  /* On one line with a portal, the point can lie beside its nearer end, and on the side of the other one. */
  return wm_cone_has_end(entry->cone, 1 - side) ? fmin(length, measure_over(entry, 1 - side, line)) : length;
}

double wm_cones_measure_to(WmConeEntry *entry, const float to[3], WmConeVector *from) {
  const WmConeRoot *root = &entry->root;
  const WmConeVector line = wm_cone_direct(root->at, to);
  *from = root->at;
  if (entry->sees_all) return root->cost + wm_cone_length(line);
  if (entry->is_cut && wm_cone_is_behind(entry, line)) return (double)INFINITY;
  const bool is_left = is_outside(entry, LEFT, line);
  if (!is_left && !is_outside(entry, RIGHT, line)) return root->cost + measure_inside(entry, line, from);
  const int side = is_left ? LEFT : RIGHT;
  if (!wm_cones_turn_at(entry, side)) return (double)INFINITY;
  root = &entry->ends[side];
  *from = root->at;
  return root->cost + wm_cone_length(wm_cone_direct(root->at, to));
}

bool wm_cones_is_before(const WmConeEntry *entry, WmConeVector to, double slack) {
  const WmCone *cone = entry->cone;
  const WmConePair ends = cone->kind == WM_CONE_CROSSED
                              ? entry->rays
                              : wm_cone_pair(entry->root.at, stored_link(entry->state, cone)->exit.portal);
  return measure_rest(to, cone, entry->rays, ends) > wm_cone_length(to) + slack;
}

/* ---- Connections -------------------------------------------------------------------------------------- */

void wm_cones_push(WmConeEntry *entry, const float portal[4]) {
  WmSearchState *state = entry->state;
  open_pending(entry);
  const uint32_t number = state->cones.count;
  open_through(state, wm_cones_of(state) + number, number, portal);
  entry->pending = ++state->cones.count;
}

void wm_cones_push_point(WmConeEntry *entry, uint32_t parent, const float at[3], double cost,
                         WmConeVector from, const WmConeExit *exit, WmConeKind kind) {
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
                   .rays = {at[1], (float)from.x, (float)from.z},
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
  open_pending(entry);
  open_cone(state, cone, state->cones.count, rest);
  entry->pending = ++state->cones.count;
}

/* The cost from the root of a POINT along its connection. */
static double measure_connection(const WmConeEntry *entry, const float to[3]) {
  const WmSearchState *state = entry->state;
  const WmCone *cone = entry->cone;
  const WmConeVector line = wm_cone_direct(entry->root.at, to);
  const double y = (double)to[1] - (double)cone->rays[0];
  const float unit = wm_filter_unit_cost(state->filter, entry->tile, cone->polygon);
  return cone->cost +
         sqrt(line.x * line.x + y * y + line.z * line.z) * (double)unit / (double)state->cones.ground_cost;
}

/* ---- Expanding ---------------------------------------------------------------------------------------- */

/* Moves the root to the nearer end of a portal that lies on one line with it.
 * returns    false: the cone is empty, or a shorter way leads there */
static bool open_flat(WmConeEntry *entry) {
  const WmCone *cone = entry->cone;
  entry->sees_all = true;
  const WmConeVector left = wm_cone_side(entry->rays, LEFT), right = wm_cone_side(entry->rays, RIGHT);
  if (left.x * right.x + left.z * right.z <= 0) return true; /* the root lies on the portal */
  if (!wm_cone_has_end(cone, LEFT) || !wm_cone_has_end(cone, RIGHT)) return false;
  const int side = wm_cone_length(left) < wm_cone_length(right) ? LEFT : RIGHT;
  if (!wm_cones_turn_at(entry, side)) return false;
  entry->root = entry->ends[side];
  return true;
}

/* True if a cone is empty, or its root lies on the portal up to rounding: then half of what lies behind would seem to lie
 * on the wrong side of its rays.
 * in         width: the area between the rays; near: the rounding at the root; lengths: the sums of the rays' numbers */
static bool is_flat(WmConePair rays, double width, double near, WmDouble2 lengths) {
  if (!(width > 1e-12 * lengths[LEFT] * lengths[RIGHT])) return true;
  const double sum = lengths[LEFT] + lengths[RIGHT];
  return rays.x[LEFT] * rays.x[RIGHT] + rays.z[LEFT] * rays.z[RIGHT] < 0 &&
         width <= (near + WM_CONE_NEAR * sum) * sum;
}

/* True if a cone is surely wide: not flat, and its rays don't touch the root. */
WM_INLINE bool is_wide(double width, double near, double sum) {
  return width > (WM_CONE_TOUCHING * near + WM_CONE_NEAR * sum) * sum;
}

WM_INLINE WmDouble2 limit_near(WmDouble2 near, WmDouble2 lengths) {
  const WmDouble2 most = wm_splat_double2(ASKEW) * lengths;
  const WmLong2 is_less = (WmLong2)(near < most);
  return (WmDouble2)(((WmLong2)near & is_less) | ((WmLong2)most & ~is_less));
}

/* True if a cone's root is that of another cone, or an end of its portal. */
static bool touches_root(const WmCone *cone, const float root[2]) {
  if (cone->root[0] == root[0] && cone->root[1] == root[1]) return true;
  for (int side = LEFT; side <= RIGHT; side++) {
    if (wm_cone_has_end(cone, side) && cone->rays[side] == root[0] && cone->rays[2 + side] == root[1])
      return true;
  }
  return false;
}

/* True if a cone that touches its root comes back to a patch around it, or to a polygon of one that isn't entered as a whole. */
static WM_NOINLINE bool is_back(const WmConeEntry *entry, const WmCone *cone) {
  enum { FAN_LIMIT = 64 };
  const WmCone *cones = wm_cones_of(entry->state), *before = cones + cone->parent;
  const uint32_t patch = entry->patches[cone->polygon].patch;
  for (int i = 0; i < FAN_LIMIT; i++, before = cones + before->parent) {
    if (before->slot == cone->slot && before->polygon < entry->tile->ground_count &&
        entry->patches[before->polygon].patch == patch &&
        (before->polygon == cone->polygon ||
         (before->kind != WM_CONE_JOINED && before->kind != WM_CONE_CROSSED)))
      return true;
    if (before->kind == WM_CONE_POINT || !touches_root(before, cone->root)) return false;
  }
  return true;
}

/* True if the cone's part of its portal is reached on a shorter way through one of its ends. On the way from that end to
 * the other one the line from the root gets longer at most as fast as that way does, so it is enough to compare both at
 * the other end. */
static WM_NOINLINE bool is_dominated(const WmConeEntry *entry, int side, double by_end) {
  const WmCone *cone = entry->cone;
  const WmConePair ends = wm_cone_pair(entry->root.at, stored_link(entry->state, cone)->exit.portal);
  const WmConeVector end = wm_cone_side(ends, side), other = find_end(cone, 1 - side, entry->rays, ends);
  const double by_root = cone->cost + wm_cone_length(other);
  return by_end + wm_cone_length(wm_cone_subtract(end, other)) < by_root - WM_CONE_SAME * by_root;
}

/* Records a way to an end of the cone's portal.
 * returns    false: a shorter way leads to all of the portal's part */
WM_INLINE bool reach_end(WmConeEntry *entry, int side, double cost) {
  const WmCone *cone = entry->cone;
  entry->ends[side].cost = cost;
  const uint32_t corner = cone->ends[side];
  if (!wm_cone_has_end(cone, side) || corner == WM_NO_CORNER ||
      improve(entry->state, corner, recorded_cost(entry, cost)) || is_shortest(entry->state, corner, cost)) {
    return true;
  }
  if (may_pass_rounded(entry, corner, cost) &&
      passes_rounded(entry, corner, (WmConeVector){(double)cone->rays[side], (double)cone->rays[2 + side]},
                     &entry->ends[side].cost))
    return true;
  if (is_dominated(entry, side, corners_of(entry->state)[corner].cost)) return false;
  entry->turns[side] = 0;
  return true;
}

/* True if a cone reaches all of a part of a segment on ways that are as short as those from another root. */
static bool is_before(const WmCone *by, const WmCone *cone, const WmConeVector part[2], double slack) {
  const WmConeVector root = wm_cone_root(by), other = wm_cone_root(cone);
  const WmConePair rays = wm_cone_rays(by);
  for (int i = 0; i < 2; i++) {
    const WmConeVector to = wm_cone_subtract(part[i], root);
    const double length = wm_cone_length(to), least = COVER * length;
    if (wm_cone_cross(wm_cone_side(rays, LEFT), to) > least * wm_cone_sum(wm_cone_side(rays, LEFT)) ||
        wm_cone_cross(to, wm_cone_side(rays, RIGHT)) > least * wm_cone_sum(wm_cone_side(rays, RIGHT)))
      return false;
    const double cost = cone->cost + wm_cone_length(wm_cone_subtract(part[i], other));
    if (!(by->cost + length <= cost + slack * cost)) return false;
  }
  if (by->cost >= cone->cost) return true; /* the hyperbola is around its root */
  const WmConeVector along = wm_cone_subtract(part[1], part[0]);
  const WmConeVector from = wm_cone_subtract(root, part[0]), from_other = wm_cone_subtract(other, part[0]);
  const double depth = fabs(wm_cone_cross(along, from)), depth_other = fabs(wm_cone_cross(along, from_other));
  /* Where the difference of both ways is largest: both come from one direction, mirrored or not. */
  const double t = (depth * (along.x * from_other.x + along.z * from_other.z) -
                    depth_other * (along.x * from.x + along.z * from.z)) /
                   ((depth - depth_other) * (along.x * along.x + along.z * along.z));
  if (!(t > 0 && t < 1)) return true;
  const WmConeVector at = {part[0].x + t * along.x, part[0].z + t * along.z};
  const double cost = cone->cost + wm_cone_length(wm_cone_subtract(at, other));
  return by->cost + wm_cone_length(wm_cone_subtract(at, root)) <= cost + slack * cost;
}

bool wm_cones_are_before(const WmSearchState *state, uint32_t number, const WmCone *cone,
                         const WmConeVector part[2], double slack) {
  const WmCone *cones = wm_cones_of(state);
  for (int i = 0; i < LIST_LIMIT && number != WM_NO_CORNER; i++, number = cones[number].corner) {
    const WmCone *by = cones + number;
    if (by->parent != cone->parent && (cone->has & ~by->has) == 0 && is_before(by, cone, part, slack))
      return true;
  }
  return false;
}

/* Compares a cone with those that were expanded through the same portal, and adds it to them. Roots that were laid over segment links
 * are no corners: without it, the cones over each sequence of links would go on to the end.
 * returns    false: they reach all of its part of the portal on ways that are as short */
static WM_NOINLINE bool list_cone(WmConeEntry *entry) {
  WmSearchState *state = entry->state;
  WmCone *cone = wm_cones_of(state) + entry->number;
  WmConeLink *link = stored_link(state, cone);
  const uint32_t stamp = state->query->corners.stamp,
                 before = link->stamp == stamp ? link->window : WM_NO_CORNER;
  if (before != WM_NO_CORNER) {
    const WmConePair ends = wm_cone_pair(entry->root.at, link->exit.portal);
    WmConeVector part[2];
    for (int side = LEFT; side <= RIGHT; side++) {
      const WmConeVector end = find_end(cone, side, entry->rays, ends);
      part[side] = (WmConeVector){entry->root.at.x + end.x, entry->root.at.z + end.z};
    }
    if (wm_cones_are_before(state, before, cone, part, WM_CONE_SAME)) return false;
  }
  cone->corner = before;
  link->stamp = stamp;
  link->window = entry->number;
  return true;
}

/* True if a cone with a corner as its root equals one that was expanded: where ways of the same cost lead to the corner. Along a border of
 * tiles, where strings change sides at each end of a portal, their number would double at each. Else adds the cone to those of its
 * portal. */
static WM_NOINLINE bool is_repeated(const WmSearchState *state, uint32_t number) {
  WmCone *cones = wm_cones_of(state), *cone = cones + number;
  WmConeLink *link = stored_link(state, cone);
  const uint32_t stamp = state->query->corners.stamp,
                 before = link->stamp == stamp ? link->window : WM_NO_CORNER;
  uint32_t next = before;
  for (int i = 0; i < LIST_LIMIT && next != WM_NO_CORNER; i++, next = cones[next].corner) {
    const WmCone *by = cones + next;
    if (by->root[0] == cone->root[0] && by->root[1] == cone->root[1] && by->has == cone->has &&
        by->is_before == cone->is_before && memcmp(by->rays, cone->rays, sizeof cone->rays) == 0)
      return true;
  }
  cone->corner = before;
  link->stamp = stamp;
  link->window = number;
  return false;
}

/* True if a cone over a segment link was outrun by those that have crossed there since, by more than roots that were laid over are rounded:
 * of two ways of one cost, each could else seem to be shorter on its own side of the link. */
static WM_NOINLINE bool is_outrun(const WmConeEntry *entry) {
  const WmSearchState *state = entry->state;
  const WmCone *cone = entry->cone;
  const WmConeCrossing *crossing =
      (const WmConeCrossing *)state->query->arrays[WM_QUERY_CONE_CROSSINGS].items + cone->ends[RIGHT];
  const WmConeVector part[2] = {{(double)cone->rays[0], (double)cone->rays[2]},
                                {(double)cone->rays[1], (double)cone->rays[3]}};
  const double rounding = WM_CONE_NEAR * (1 + wm_cone_sum(entry->root.at));
  return wm_cones_are_before(state, crossing->window, cone, part, -rounding / cone->cost);
}

/* True if a cone's root is a corner just beside an end of its portal, as where a segment link ends there. A cone over the link that passes
 * that end by rounding seems to reach all of the portal, but can't turn at the corner. */
WM_INLINE bool hides_corner(const WmConeEntry *entry, WmDouble2 lengths) {
  const double slack = entry->state->cones.slack;
  return entry->root.corner != WM_NO_CORNER &&
         (entry->is_blunt || lengths[LEFT] <= slack || lengths[RIGHT] <= slack);
}

/* Prepares a cone that was taken.
 * returns    false: it leads nowhere, or a shorter way leads there */
WM_INLINE bool enter(WmSearchState *state, uint32_t number, WmConeEntry *entry) {
  const WmCone *cone = wm_cones_of(state) + number;
  entry->status = WM_OK;
  const bool has_crossed = cone->kind == WM_CONE_CROSSED;
  if (!has_crossed && cone->corner != WM_NO_CORNER && !is_shortest(state, cone->corner, cone->cost))
    return false;
  entry->cone = cone;
  entry->number = number;
  entry->lone = NO_CONE;
  entry->pending = state->cones.count;
  entry->has_opened = false;
  entry->turns[LEFT] = (int8_t)-wm_cone_has_end(cone, LEFT);
  entry->turns[RIGHT] = (int8_t)-wm_cone_has_end(cone, RIGHT);
  entry->root = wm_cone_root_at(cone->root, cone->cost, has_crossed ? WM_NO_CORNER : cone->corner);
  if (entry->root.corner != WM_NO_CORNER && cone->kind == WM_CONE_PORTAL &&
      corners_of(state)[entry->root.corner].passes > 1 && !state->cones.has_connections &&
      is_repeated(state, number))
    return false;
  entry->is_cut = entry->is_blunt = false;
  entry->sees_all = cone->kind == WM_CONE_POINT;
  if (entry->sees_all) return true;
  const WmConePair rays = entry->rays = wm_cone_rays(cone);
  const WmDouble2 lengths = wm_cone_pair_sum(rays);
  const double near = WM_CONE_NEAR * (1 + wm_cone_sum(entry->root.at));
  const double width = wm_cone_cross(wm_cone_side(rays, RIGHT), wm_cone_side(rays, LEFT));
  const bool wide = is_wide(width, near, lengths[LEFT] + lengths[RIGHT]);
  if (!wide && (lengths[LEFT] <= WM_CONE_TOUCHING * near || lengths[RIGHT] <= WM_CONE_TOUCHING * near)) {
    entry->sees_all = true; /* the same vertex of two tiles can differ by rounding */
    return !is_back(entry, cone);
  }
  const WmDouble2 costs = wm_splat_double2(cone->cost) + wm_cone_pair_length(rays);
  if (!wide && is_flat(rays, width, near, lengths)) {
    /* Behind the root, where the line to the farther end may not lead through ground. */
    entry->ends[LEFT].cost = costs[LEFT];
    entry->ends[RIGHT].cost = costs[RIGHT];
    return open_flat(entry);
  }
  if (!wide) entry->is_blunt = width > ASKEW * lengths[LEFT] * lengths[RIGHT];
  if (!reach_end(entry, LEFT, costs[LEFT]) || !reach_end(entry, RIGHT, costs[RIGHT])) return false;
  if (has_crossed) {
    if (is_outrun(entry)) return false;
    wm_cones_cut(entry);
  } else if (state->cones.has_connections && cone->kind == WM_CONE_PORTAL && !hides_corner(entry, lengths) &&
             !list_cone(entry)) {
    return false;
  }
  entry->lengths = lengths;
  entry->near = limit_near(wm_splat_double2(near) + wm_splat_double2(WM_CONE_NEAR) * lengths, lengths);
  entry->widths = entry->near * lengths;
  return true;
}

static void arrive(WmConeEntry *entry) {
  const WmSearchState *state = entry->state;
  const WmCone *cone = entry->cone;
  const WmConeExit exit = {.link = WM_NO_LINK, .slot = cone->slot, .polygon = state->end_polygon};
  WmConeVector from = entry->root.at;
  const double cost = is_connection(entry->tile, cone->polygon)
                          ? measure_connection(entry, state->end)
                          : wm_cones_measure_to(entry, state->end, &from);
  wm_cones_push_point(entry, entry->number, (const float[3]){(float)from.x, 0, (float)from.z}, cost, from,
                      &exit, WM_CONE_ARRIVED);
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

/* The polygon that a link of the entry's tile leaves. */
static uint32_t left_by(const WmConeEntry *entry, uint32_t number) {
  const uint32_t polygon = entry->cone->polygon;
  return is_connection(entry->tile, polygon) ? polygon : entry->links[number].from;
}

/* True if a polygon passes the filter. */
static bool passes(const WmConeEntry *entry, const WmMeshTile *target, uint32_t polygon, uint32_t number) {
  const WmSearchState *state = entry->state;
  if (wm_filter_passes(state->filter, target->polygon_flags[polygon])) return true;
  wm_query_note(state->query, WM_TRACE_FILTERED, entry->tile, left_by(entry, number), number);
  return false;
}

/* True if lines from the root of a cone over a segment link would enter its polygon through a portal, not leave it: where the link's
 * segment lies just inside the next polygon. */
static bool is_seen_from_behind(const WmConeEntry *entry, const WmPatchExit *exit) {
  const WmConePair ends = wm_cone_pair(entry->root.at, exit->portal);
  const WmDouble2 sums = wm_cone_pair_sum(ends);
  const double near = WM_CONE_NEAR * (1 + wm_cone_sum(entry->root.at));
  return wm_cone_cross(wm_cone_side(ends, RIGHT), wm_cone_side(ends, LEFT)) <
         -near * (sums[LEFT] + sums[RIGHT]);
}

/* Follows a link to ground. */
static void follow_to_ground(WmConeEntry *entry, uint32_t number) {
  const WmConeSearch *search = &entry->state->cones;
  uint32_t made = search->count;
  const WmPatchExit *exit = &entry->links[number].exit;
  if (entry->cone->kind == WM_CONE_CROSSED && is_seen_from_behind(entry, exit)) return;
  if (entry->is_cut) {
    push_cut_exit(entry, exit);
  } else {
    push_exit(entry, exit);
  }
  if (exit->kind != WM_CONE_LINK_JOINED) return;
  for (; made < search->count; made++) wm_cones_of(entry->state)[made].kind = WM_CONE_JOINED;
}

/* Follows any link of the polygon or of its patch. */
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
    wm_cones_push_point(entry, entry->number, portal, measure_connection(entry, portal), entry->root.at,
                        &exit, WM_CONE_POINT);
  } else if (is_connection(target, polygon)) {
    WmConeVector from;
    const double cost = wm_cones_measure_to(entry, portal, &from);
    wm_cones_push_point(entry, entry->number, portal, cost, from, &exit, WM_CONE_POINT);
  } else if (target == tile ? is_open(entry, polygon) : is_open_there(state, target, polygon)) {
    follow_to_ground(entry, number);
  }
}

/* Notes that the search has as many cones as it may have, if a link was to lead to another one. */
WM_INLINE void note_refused(const WmConeEntry *entry, uint32_t number) {
  WmSearchState *state = entry->state;
  if (!state->refused) return;
  wm_query_note(state->query, WM_TRACE_LIMITED, entry->tile, left_by(entry, number), number);
  state->refused = false;
}

/* Follows all links of the polygon but those to the one that the cone comes from. */
static void follow_own(WmConeEntry *entry, uint32_t parent_slot, uint32_t parent_polygon) {
  const WmMeshTile *tile = entry->tile;
  const uint32_t polygon = entry->cone->polygon, end = tile->link_first[polygon + 1];
  for (uint32_t i = tile->link_first[polygon]; i < end && !entry->status; i++) {
    const WmLink *link = tile->links + i;
    if (link->slot == parent_slot && link->polygon == parent_polygon) continue;
    follow(entry, i);
    note_refused(entry, i);
  }
}

/* Follows a link out of the patch that doesn't just lead to open ground.
 * in         parent_slot: NO_PARENT: the string may come back */
static WM_NOINLINE void follow_other(WmConeEntry *entry, const WmPatchExit *exit, uint32_t parent_slot) {
  const WmSearchState *state = entry->state;
  const WmLink *link = entry->tile->links + exit->number;
  if (exit->kind == WM_CONE_LINK_CLOSED) {
    wm_query_note(state->query, WM_TRACE_FILTERED, entry->tile, left_by(entry, exit->number), exit->number);
  } else if (!entry->status &&
             (link->slot != parent_slot || link->polygon != wm_cones_left(state, entry->cone))) {
    follow(entry, exit->number);
  }
}

/* Follows all links that lead out of the polygon's patch, but not back.
 * in         parent_slot, parent_patch: that the cone comes from; NO_PARENT: the string may come back; of the patch also if it
 *            is in another tile */
WM_INLINE void follow_patch(WmConeEntry *entry, uint32_t parent_slot, uint32_t parent_patch) {
  const WmPatchPolygon *patch = entry->patches + entry->cone->polygon;
  const WmPatchExit *end = entry->exits + patch->end;
  for (const WmPatchExit *exit = entry->exits + patch->first; exit < end; exit++) {
    if (exit->patch == parent_patch) continue;
    if (exit->kind == WM_CONE_LINK_INSIDE ||
        (exit->kind == WM_CONE_LINK_BORDER && (exit->slot != parent_slot || exit->polygon != entry->left)) ||
        (exit->kind == WM_CONE_LINK_DEAD_END && is_open(entry, exit->polygon))) {
      push_exit(entry, exit);
    } else if (exit->kind != WM_CONE_LINK_BORDER && exit->kind != WM_CONE_LINK_DEAD_END) {
      follow_other(entry, exit, parent_slot);
    }
    note_refused(entry, exit->number);
  }
}

/* Sets the tile of the cones that are expanded next. */
WM_INLINE void enter_tile(WmConeEntry *entry, const WmCornerTile *stored) {
  entry->tile = stored->tile;
  entry->slot = stored->tile->slot;
  entry->dead_ends = stored->dead_ends;
  entry->patches = stored->patches;
  entry->links = stored->links;
  entry->exits = stored->exits;
  entry->exit_count = stored->most_exits;
}

/* Enters a tile that the search hasn't met, or whose arrays aren't stored. */
static WM_NOINLINE WmStatus prepare_tile(WmSearchState *state, uint32_t slot, WmConeEntry *entry) {
  WmQuery *query = state->query;
  entry->state = state;
  entry->slot = UINT32_MAX;
  const WmCornerTile *stored;
  const WmStatus status = wm_corners_of_tile(query, state->filter, wm_mesh_tile(query->mesh, slot), &stored);
  if (!status) enter_tile(entry, stored);
  return status;
}

WM_INLINE WmStatus prepare(WmSearchState *state, uint32_t slot, WmConeEntry *entry) {
  if (slot == entry->slot) return WM_OK;
  const WmCorners *corners = &state->query->corners;
  const WmCornerTile *stored = wm_cones_tile(state, slot);
  if (stored->stamp != corners->stamp || stored->generation != corners->generation)
    return prepare_tile(state, slot, entry);
  entry->state = state;
  enter_tile(entry, stored);
  return WM_OK;
}

/* True if a cone comes from a segment link. It may go over it again. */
static bool is_from_link(const WmSearchState *state, const WmCone *cone) {
  if (cone->kind == WM_CONE_JOINED || cone->link == WM_NO_LINK) return false;
  return wm_mesh_tile(state->query->mesh, wm_cones_of(state)[cone->parent].slot)->segments != NULL;
}

/* Lets the search enter the dead ends that a ground polygon lies in. */
static void open_dead_ends(const WmSearchState *state, const WmConeEntry *entry, uint32_t polygon) {
  if (!is_connection(entry->tile, polygon))
    wm_dead_ends_open(entry->tile, state->filter, polygon, state->query->corners.stamp, entry->dead_ends);
}

/* Expands a cone in its polygon alone: on a connection, and behind a segment link, which can lie inside the polygon. */
static WM_NOINLINE void expand_own(WmConeEntry *entry, bool returns) {
  const WmSearchState *state = entry->state;
  const WmCone *cone = entry->cone;
  const bool leads_on = is_connection(entry->tile, cone->polygon);
  wm_query_note(state->query, WM_TRACE_EXPANDED, entry->tile, cone->polygon, 0);
  if (cone->polygon == state->end_polygon && cone->slot == state->end_slot) {
    arrive(entry);
    if (state->cones.scale >= 1 && !leads_on) return;
  }
  const WmCone *parent = wm_cones_of(state) + cone->parent;
  follow_own(entry, returns ? NO_PARENT : parent->slot, wm_cones_left(state, cone));
}

/* Expands a cone in the patch of its polygon.
 * in         parent_slot, parent_patch: as follow_patch */
WM_INLINE void expand_patch(WmConeEntry *entry, uint32_t parent_slot, uint32_t parent_patch) {
  const WmSearchState *state = entry->state;
  wm_query_note(state->query, WM_TRACE_EXPANDED, entry->tile, entry->cone->polygon, 0);
  if (entry->patches[entry->cone->polygon].patch == state->cones.end_patch &&
      entry->slot == state->end_slot) {
    arrive(entry);
    /* Patches are convex: no way out of one and back is shorter, unless connections are cheap. */
    if (state->cones.scale >= 1) return;
  }
  follow_patch(entry, parent_slot, parent_patch);
}

static bool is_own(const WmMeshTile *tile, const WmCone *cone) {
  return is_connection(tile, cone->polygon) || cone->kind == WM_CONE_CROSSED || cone->kind == WM_CONE_JOINED;
}

/* Expands a cone that isn't PORTAL in its polygon alone, if it has to be.
 * out        *parent_slot: else, for expand_patch
 * returns    false: it is to be expanded in its patch */
static WM_NOINLINE bool expand_other(WmConeEntry *entry, uint32_t *parent_slot) {
  const WmSearchState *state = entry->state;
  const WmCone *cone = entry->cone;
  const bool returns = entry->number == 0 || is_from_link(state, cone);
  open_dead_ends(state, entry, cone->polygon);
  if (returns) *parent_slot = NO_PARENT;
  if (!is_own(entry->tile, cone)) return false;
  expand_own(entry, returns);
  return true;
}

WM_INLINE WmStatus expand(WmSearchState *state, uint32_t number, WmConeEntry *entry) {
  const WmCone *taken = wm_cones_of(state) + number;
  WmStatus status = prepare(state, taken->slot, entry);
  if (status) return status;
  status = wm_cones_reserve(state, WM_CONE_PARTS * entry->exit_count + 1);
  if (status || !enter(state, number, entry)) return status ? status : entry->status;
  const WmCone *cone = entry->cone, *parent = wm_cones_of(state) + cone->parent;
  state->refused = false;
  uint32_t slot = parent->slot, patch = NO_PARENT;
  bool is_done = false;
  if (cone->kind != WM_CONE_PORTAL) {
    entry->left = NO_PARENT;
    is_done = expand_other(entry, &slot);
  } else if (slot == entry->slot) {
    patch = entry->patches[parent->polygon].patch;
  } else {
    entry->left = stored_link(state, cone)->from;
  }
  if (!is_done) expand_patch(entry, slot, patch);
  if (!entry->status) settle_pending(entry);
  return entry->status;
}

/* ---- The result --------------------------------------------------------------------------------------- */

/* True if the cost of a string is that of all ground times its length. */
static bool costs_length(const WmConeSearch *search, const WmConeString *string) {
  return search->is_even && !string->has_links && !search->is_free;
}

/* The cost below which there is no way, of the least total of all cones that may still be expanded. */
static float bound_of(const WmConeSearch *search, double total) {
  return search->is_free ? 0 : (float)(total * (double)search->ground_cost * (1 - BOUND_SLACK));
}

/* Sets the bound of a search that the limit has stopped: of all ways that cost less than the ordinary one, each led through the
 * open list when the first cone was refused. */
static void bound_stopped(WmSearchState *state) {
  const uint32_t bits = (uint32_t)(state->cones.stopped >> 32);
  float total;
  memcpy(&total, &bits, sizeof total);
  WmCorridor *former = &state->former;
  former->bound = fminf(fmaxf(former->bound, bound_of(&state->cones, (double)total)), former->cost);
}

/* True if segment links may cost less than the distance between their ends. Then cones can lead over many links at nearly the
 * same cost, where rounding decides: the ordinary corridor stays unless the exact one costs less. */
static bool has_cheap_links(const WmSearchState *state) {
  return state->cones.scale < 1 && wm_mesh_segment_link_count(state->query->mesh) > 0;
}

/* Copies a corridor, whose arrays the next query overwrites. */
static void take_over(WmSearchState *state, const WmConeString *string, float cost) {
  WmQuery *query = state->query;
  WmCorridor *former = &state->former;
  memcpy(query->arrays[WM_QUERY_FORMER].items, string->polygons, string->count * sizeof *string->polygons);
  memcpy(query->arrays[WM_QUERY_LINKS].items, string->links, string->count * sizeof *string->links);
  former->polygon_count = string->count;
  former->cost = cost;
  query->string_length = string->length;
  former->state = WM_PATH_COMPLETE;
}

/* Makes the corridor to a cone the result, unless the ordinary one costs less. */
static WmStatus finish(WmSearchState *state, uint32_t last) {
  WmQuery *query = state->query;
  const WmSearchTask *task = state->task;
  const WmCone *cones = wm_cones_of(state);
  if (state->limited) {
    bound_stopped(state);
  } else {
    state->former.bound = bound_of(&state->cones, cones[last].cost);
  }
  WmConeString string;
  WmStatus status = wm_cones_write(state, last, &string);
  if (status) return status;
  if (!state->cones.is_even || state->cones.is_free)
    string.length = 0; /* the cheapest line may be another one */
  float cost = -state->cones.ground_cost;
  if (!task->leaves_cost || !costs_length(&state->cones, &string))
    status = wm_search_measure(state, string.polygons, string.links, string.count, string.length, &cost);
  if (status) return status;
  WmCorridor *former = &state->former;
  former->polygons = query->arrays[WM_QUERY_FORMER].items;
  state->done = true;
  const bool is_best = state->cones.is_even && !state->limited && !has_cheap_links(state);
  if (is_best || former->polygon_count == 0 || cost < former->cost) take_over(state, &string, cost);
  if (former->cost >= 0) former->bound = fminf(former->bound, former->cost);
  return WM_OK;
}

/* No cone is left: no way is cheaper than the ordinary one, unless cones were left out. */
static void exhaust(WmSearchState *state) {
  state->done = true;
  if (state->limited) {
    bound_stopped(state);
  } else if (!state->cones.is_free) {
    state->former.bound = state->former.cost;
  }
}

static WmStatus run_cones(WmSearchState *state, size_t budget) {
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

WmStatus wm_search_run_cones(WmSearchState *state, size_t budget) {
  const size_t before = state->expanded;
  WmStatus status = state->spots.begun ? WM_OK : run_cones(state, budget);
  if (status || !state->seeks_cheapest) return status;
  if (state->done && !state->spots.begun) status = wm_search_start_spots(state);
  if (status || !state->spots.begun) return status;
  return wm_search_run_spots(state, budget - (state->expanded - before));
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

/* True if the start or the end is on a segment link: the ordinary search decides alone. */
static bool is_on_link(const WmMesh *mesh, const WmSearchTask *task) {
  return wm_is_segment_link(wm_mesh_tile_of(mesh, task->start)) ||
         wm_is_segment_link(wm_mesh_tile_of(mesh, task->end));
}

void wm_search_compare_costs(WmSearchState *state) {
  const WmSearchTask *task = state->task;
  const WmMesh *mesh = state->query->mesh;
  state->cones.scale = (double)wm_mesh_least_cost(mesh);
  find_ground_cost(state, &state->cones);
  state->seeks_cheapest =
      !state->cones.is_even && wm_search_is_cheapest(&task->options) && !is_on_link(mesh, task);
  state->query->is_cheapest = state->seeks_cheapest;
  state->query->crossing_count = 0;
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
                           .end = {(double)state->end[0], (double)state->end[2]}};
  wm_search_compare_costs(state);
  WmStatus status = wm_corners_begin(query, state->filter);
  if (!status)
    status = wm_corners_of_start(query, state->filter, wm_mesh_tile_of(query->mesh, task->start),
                                 wm_ref_polygon(task->start));
  WmConeEntry entry;
  if (!status) status = prepare_tile(state, state->end_slot, &entry);
  if (!status) {
    open_dead_ends(state, &entry, state->end_polygon);
    const bool is_ground = !is_connection(entry.tile, state->end_polygon);
    search->end_patch = is_ground ? entry.patches[state->end_polygon].patch : UINT32_MAX;
  }
  if (!status) status = wm_cones_reserve(state, 1);
  if (status) return status;
  wm_heap_clear(keys_of(state));
  search->held = search->count++;
  *wm_cones_of(state) = (WmCone){.root = {task->start_position[0], task->start_position[2]},
                                 .rays = {task->start_position[1]},
                                 .corner = WM_NO_CORNER,
                                 .slot = wm_ref_slot(task->start),
                                 .polygon = wm_ref_polygon(task->start),
                                 .link = WM_NO_LINK,
                                 .kind = WM_CONE_POINT};
  return WM_OK;
}

WmStatus wm_search_start_cones(WmSearchState *state) {
  WmStatus status = state->cones.begun ? WM_OK : begin(state);
  if (!status) status = wm_search_keep(state);
  if (status) return status;
  WmConeSearch *search = &state->cones;
  const bool is_cheap = has_cheap_links(state);
  const uint64_t per_polygon = is_cheap ? CONES_WITH_CHEAP_LINKS : CONES_PER_POLYGON;
  /* In slices, and from closed ground, the ordinary search comes first. */
  const uint64_t first = search->count == 1 && search->is_even && !is_cheap ? MADE_FIRST : search->count;
  const uint64_t limit = first + per_polygon * (uint64_t)state->touched;
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

/* Searches the ordinary way first, then in cones if the end is reached.
 * in/out     state: its cones stay */
static WmStatus search_ordinary_first(WmQuery *query, const WmSearchTask *task, bool is_known,
                                      WmSearchState *state) {
  const WmConeSearch cones = state->cones;
  const size_t expanded = state->expanded;
  const bool seeks_cheapest = state->seeks_cheapest;
  WmStatus status = wm_search_start(query, task, state);
  state->cones = cones;
  state->seeks_cheapest = seeks_cheapest;
  if (!status) status = wm_search_run(state, SIZE_MAX);
  if (status) return status;
  if (state->is_in_cones) {
    state->expanded += expanded;
  } else if (!is_known && !state->limited) {
    status = wm_note_unreachable(query, state->filter);
  }
  return status;
}

WmStatus wm_search_shortest(WmQuery *query, const WmSearchTask *task, WmCorridor *corridor) {
  WmSearchState state = {.query = query, .task = task, .filter = task->options.filter, .is_in_cones = true};
  memcpy(state.end, task->end_position, sizeof state.end);
  state.end_slot = wm_ref_slot(task->end);
  state.end_polygon = wm_ref_polygon(task->end);
  const bool is_unreachable =
      !query->trace.receive && wm_is_unreachable(query, state.filter, task->start, task->end);
  WmStatus status = is_unreachable ? WM_OK : begin(&state);
  if (!status && !is_unreachable && state.cones.is_even && task->options.max_nodes == 0 &&
      !is_on_link(query->mesh, task) && !has_cheap_links(&state))
    status = wm_search_run_cones(&state, FIRST_CONES);
  if (!status && !state.former.polygon_count)
    status = search_ordinary_first(query, task, is_unreachable, &state);
  if (!status) return wm_search_result(&state, corridor);
  *corridor = (WmCorridor){0};
  return status;
}
