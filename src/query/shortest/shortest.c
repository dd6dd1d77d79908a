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
 * Source: M. Cui, D. D. Harabor, A. Grastien, "Compromise-free Pathfinding on a Navigation Mesh", IJCAI 2017. */
#include "base/simd.h"
#include "query/search/search_internal.h"

/* ---- Cones -------------------------------------------------------------------------------------------- */

typedef enum ConeKind {
  CONE,  /* enters its polygon through a part of a portal */
  POINT, /* stands at its root: the start, or an end of a connection */
  ARRIVED
} ConeKind;

/* A point or a direction. */
typedef struct Vector {
  double x, z;
} Vector;

typedef struct WmCone {
  double cost; /* from the start to the root */
  float root[2];
  float rays[2][2]; /* left and right: a point on each, x and z. POINT: the first number is y of the root */
  uint32_t corner;  /* at the root; WM_NO_CORNER: the start */
  uint32_t ends[2]; /* corners at the ends of the portal, left and right; WM_NO_CORNER: to be looked up */
  uint32_t slot, polygon; /* it enters */
  uint32_t parent, link;  /* it comes from, through this link of its tile */
  /* Bits, left and right. has: the ray ends at the portal's end; else the portal goes on beyond it. is_before: the point on
   * the ray lies before the root: it is the former root. */
  uint8_t has, is_before;
  uint8_t kind;
} WmCone;

_Static_assert(sizeof(WmCone) == WM_CONE_BYTES, "query.c knows it");

#define NO_CONE UINT32_MAX

enum { LEFT, RIGHT };

/* Cones that a portal is divided into, at most. */
enum { PARTS = 3 };

enum {
  FIRST_CONES = 512,     /* expanded before the ordinary search */
  CONES_PER_POLYGON = 64 /* no level has as many; in hostile meshes cones can go round for ever */
};

/* Ends of portals nearer to a ray than this, relative to their coordinates, lie on it: floats are no finer. */
#define NEAR 2e-7

/* Ends of portals nearer to the root than this times that are the root. */
#define TOUCHING 4

/* Costs of one way, added up along different polygons, differ less than this, relative to the cost. */
#define SAME 1e-11

/* The relative error of a string's cost. */
#define SLACK 1e-5

/* The relative error of a bound: keys of the open list are floats. */
#define BOUND_SLACK 1e-6

static WmCone *cones_of(const WmSearchState *state) { return state->query->arrays[WM_QUERY_CONES].items; }
static uint64_t *keys_of(const WmSearchState *state) {
  return state->query->arrays[WM_QUERY_CONE_KEYS].items;
}

/* Twice the area between two directions; positive where b lies to the left of a. */
WM_INLINE double cross(Vector a, Vector b) { return a.x * b.z - b.x * a.z; }

WM_INLINE Vector subtract(Vector a, Vector b) { return (Vector){a.x - b.x, a.z - b.z}; }

static double length_of(Vector a) { return sqrt(a.x * a.x + a.z * a.z); }

static double sum_of(Vector a) { return fabs(a.x) + fabs(a.z); }

/* The direction from a point to a vertex. */
WM_INLINE Vector direct(Vector from, const float to[3]) {
  return (Vector){(double)to[0] - from.x, (double)to[2] - from.z};
}

WM_INLINE Vector root_of(const WmCone *cone) {
  return (Vector){(double)cone->root[0], (double)cone->root[1]};
}

static bool has_end(const WmCone *cone, int side) { return cone->has >> side & 1; }

/* A ray, as a direction from the root. */
WM_INLINE Vector ray_of(const WmCone *cone, int side) {
  const float *at = cone->rays[side];
  const double sign = cone->is_before >> side & 1 ? -1 : 1;
  return (Vector){sign * ((double)at[0] - (double)cone->root[0]),
                  sign * ((double)at[1] - (double)cone->root[1])};
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
  corner->passes = corner->stamp == stamp && !(cost < corner->cost - SAME * cost) ? corner->passes : 0;
  corner->stamp = stamp;
  corner->cost = cost;
  return true;
}

/* True if a way to a corner, recorded before, is still the shortest. */
static bool is_shortest(const WmSearchState *state, uint32_t number, double cost) {
  return cost <= corners_of(state)[number].cost + SAME * cost;
}

/* Records a way that turns at a corner.
 * returns    true: no shorter one is known */
static bool reach(const WmSearchState *state, uint32_t number, double cost) {
  enum { MOST_PASSES = 255 };
  improve(state, number, cost);
  WmConeCorner *corner = corners_of(state) + number;
  if (!is_shortest(state, number, cost) || corner->passes == MOST_PASSES) return false;
  corner->passes++;
  return true;
}

/* ---- The open list ------------------------------------------------------------------------------------ */

/* The root of new cones. */
typedef struct Root {
  Vector at;
  double cost;
  uint32_t corner;
} Root;

/* The open part of a portal of the polygon. */
typedef struct Exit {
  const float *portal; /* left, right */
  uint32_t link, slot, polygon;
  uint32_t ends[2]; /* as WmCone.ends */
} Exit;

/* The end of the cone's part of its portal on one side, from the root.
 * in         left, right: the portal's ends, from the root */
WM_INLINE Vector find_end(const WmCone *cone, int side, Vector left, Vector right) {
  if (has_end(cone, side)) return side == LEFT ? left : right;
  const Vector ray = ray_of(cone, side), across = subtract(left, right);
  const double by_right = cross(ray, right), t = by_right / (by_right - cross(ray, left));
  return (Vector){right.x + across.x * t, right.z + across.z * t};
}

/* True if a point lies outside a ray, surely: where the root lies on the portal, a point at its one end could else seem to lie
 * outside the ray to the other one. */
WM_INLINE bool leads_past(Vector root, int side, Vector ray, Vector to) {
  const double area = side == LEFT ? cross(ray, to) : -cross(ray, to);
  return area > 0 && area > NEAR * (1 + sum_of(root) + sum_of(to)) * (sum_of(ray) + sum_of(to));
}

/* The length of the shortest line from the root through the cone's portal to the end. */
static double measure_rest(const WmSearchState *state, const WmCone *cone, const float *portal) {
  const Vector root = root_of(cone), left = direct(root, portal), right = direct(root, portal + 3);
  const Vector across = subtract(left, right);
  Vector to = direct(root, state->end);
  const Vector rays[2] = {ray_of(cone, LEFT), ray_of(cone, RIGHT)};
  const double side = cross(across, subtract(to, right));
  if (side > 0) { /* on the root's side: mirrored at the portal */
    const double factor = 2 * side / (across.x * across.x + across.z * across.z);
    to = (Vector){to.x + factor * across.z, to.z - factor * across.x};
  }
  const int by = cross(rays[LEFT], to) > 0 ? LEFT : RIGHT;
  if (!leads_past(root, by, rays[by], to)) return length_of(to);
  const Vector at = find_end(cone, by, left, right);
  return length_of(at) + length_of(subtract(to, at));
}

/* Reserves memory for the cones of one expansion.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
static WmStatus reserve(WmSearchState *state, size_t more) {
  const WmConeSearch *search = &state->cones;
  WmQuery *query = state->query;
  const size_t cones = search->count + more, keys = search->heap_count + more + WM_HEAP_MARGIN;
  if (cones <= query->arrays[WM_QUERY_CONES].capacity && keys <= query->arrays[WM_QUERY_CONE_KEYS].capacity) {
    return WM_OK;
  }
  const WmStatus status = wm_query_reserve(query, WM_QUERY_CONES, WM_QUERY_CONES, cones);
  return status ? status : wm_query_reserve(query, WM_QUERY_CONE_KEYS, WM_QUERY_CONE_KEYS, keys);
}

/* Opens a cone. The best one that an expansion opens stays out of the open list: it is often the next one. */
static void open_cone(WmSearchState *state, uint32_t number, double rest) {
  WmConeSearch *search = &state->cones;
  const double total = cones_of(state)[number].cost + rest * search->scale;
  if (!(total <= search->most)) return; /* NaN where vertices are 1e38 apart */
  uint64_t key = wm_heap_key((float)total, number);
  if (key < search->next) {
    const uint64_t former = search->next;
    search->next = key;
    key = former;
  }
  if (key != WM_HEAP_END) wm_heap_push(keys_of(state), &search->heap_count, key);
}

/* Opens the cone that was held back, if there is one. */
static void open_held(WmSearchState *state) {
  WmConeSearch *search = &state->cones;
  if (search->held == NO_CONE) return;
  const uint32_t held = search->held;
  search->held = NO_CONE;
  open_cone(state, held, measure_rest(state, cones_of(state) + held, search->held_portal));
}

/* The place of the next cone; NULL: there may be no more. */
static WmCone *add_cone(WmSearchState *state) {
  WmConeSearch *search = &state->cones;
  if (search->count < search->limit) return cones_of(state) + search->count;
  state->limited = true;
  return NULL;
}

/* Takes the only cone of an expansion, or else the best one; NO_CONE: there is none. */
static uint32_t take(WmSearchState *state) {
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

/* A cone that is expanded, and what its polygon's portals need. */
typedef struct Entry {
  WmSearchState *state;
  const WmMeshTile *tile;
  const WmCone *cone;
  uint32_t number;
  Root root;
  Vector rays[2]; /* left and right, from the root */
  WmCornerTile tile_corners;
  WmDeadEnd *dead_ends; /* of the tile's ground polygons */
  double near[2];       /* how far the points that the left, the right ray leads through may lie off */
  double lengths[2];    /* sums of the rays' numbers */
  Root ends[2];         /* the roots where the string turns at the left, the right end */
  int8_t turns[2];      /* it can turn there: 1 yes, 0 no, -1 not yet known */
  bool has_pushed;
  bool sees_all;   /* the root lies in the polygon, or on its outline */
  WmStatus status; /* the first failure */
} Entry;

/* The corner at an end of the cone's portal. */
static WmStatus find_corner(const Entry *entry, int side, uint32_t *corner) {
  const WmSearchState *state = entry->state;
  const WmCone *cone = entry->cone;
  *corner = cone->ends[side];
  if (*corner == WM_NO_CORNER) {
    const Vector at = entry->ends[side].at;
    return wm_corners_at_point(state->query, state->filter, entry->tile->ref + cone->polygon,
                               (const float[2]){(float)at.x, (float)at.z}, corner);
  }
  if (corners_of(state)[*corner].kind != WM_CORNER_TURNS) *corner = WM_NO_CORNER;
  return WM_OK;
}

/* True if the string can turn at an end of the cone's portal, and no shorter way leads there. */
static bool turns_at(Entry *entry, int side) {
  const WmCone *cone = entry->cone;
  if (entry->turns[side] >= 0) return entry->turns[side];
  const Vector ray = entry->rays[side];
  Root *end = &entry->ends[side];
  bool is_open = has_end(cone, side);
  if (is_open && !entry->status) {
    end->at = (Vector){entry->root.at.x + ray.x, entry->root.at.z + ray.z};
    entry->status = find_corner(entry, side, &end->corner);
    is_open = !entry->status && end->corner != WM_NO_CORNER && reach(entry->state, end->corner, end->cost);
  }
  entry->turns[side] = is_open;
  return is_open;
}

/* A ray that limits a part of an exit: WmCone.rays and is_before. */
typedef struct Limit {
  const float *at;
  bool is_before;
} Limit;

/* Adds the part of an exit between two rays. NULL as a ray: up to the portal's end. */
static void push_part(Entry *entry, const Exit *exit, const Root *root, Limit left, Limit right) {
  WmSearchState *state = entry->state;
  WmConeSearch *search = &state->cones;
  WmCone *cone = add_cone(state);
  if (!cone) return;
  const float *portal = exit->portal;
  *cone = (WmCone){.cost = root->cost,
                   .root = {(float)root->at.x, (float)root->at.z},
                   .rays = {{left.at ? left.at[0] : portal[0], left.at ? left.at[1] : portal[2]},
                            {right.at ? right.at[0] : portal[3], right.at ? right.at[1] : portal[5]}},
                   .corner = root->corner,
                   .ends = {exit->ends[LEFT], exit->ends[RIGHT]},
                   .slot = exit->slot,
                   .polygon = exit->polygon,
                   .parent = entry->number,
                   .link = exit->link,
                   .has = (uint8_t)(!left.at << LEFT | !right.at << RIGHT),
                   .is_before = (uint8_t)(left.is_before << LEFT | right.is_before << RIGHT),
                   .kind = CONE};
  const uint32_t number = search->count++;
  if (!entry->has_pushed) {
    entry->has_pushed = true;
    search->held = number;
    search->held_portal = portal;
    return;
  }
  open_held(state);
  open_cone(state, number, measure_rest(state, cone, portal));
}

/* Adds the part of an exit that the string reaches by turning at an end of the cone's portal: all of it, or only that beside
 * the cone. */
static void push_turned(Entry *entry, const Exit *exit, int side, bool is_all) {
  if (!turns_at(entry, side)) return;
  const Limit none = {NULL, false}, seen = {is_all ? NULL : entry->cone->root, !is_all};
  push_part(entry, exit, &entry->ends[side], side == LEFT ? none : seen, side == LEFT ? seen : none);
}

/* True if a point lies outside a ray of the cone. The ray leads through two points that are rounded, so that it is the less
 * exact the farther it is followed. */
WM_INLINE bool is_outside(const Entry *entry, int side, Vector at) {
  const double area = cross(entry->rays[side], at);
  return (side == LEFT ? area : -area) > entry->near[side] * (entry->lengths[side] + sum_of(at));
}

/* The parts of a portal: beside the cone on the left, seen, and beside it on the right. */
static void push_exit(Entry *entry, const Exit *exit) {
  const WmCone *cone = entry->cone;
  Limit limits[2] = {{NULL, false}, {NULL, false}};
  if (!entry->sees_all) {
    const Vector *rays = entry->rays;
    const Vector left = direct(entry->root.at, exit->portal),
                 right = direct(entry->root.at, exit->portal + 3);
    const bool is_left = !(cross(rays[LEFT], right) < -entry->near[LEFT] * entry->lengths[LEFT]);
    const bool is_right = !(cross(rays[RIGHT], left) > entry->near[RIGHT] * entry->lengths[RIGHT]);
    if (is_left || is_right) {
      /* An end of the portal may lie on both rays, where they are nearly one. */
      const Vector ends = {left.x + right.x, left.z + right.z};
      const bool by_left = is_left && (!is_right || cross(rays[LEFT], ends) > 0);
      push_turned(entry, exit, by_left ? LEFT : RIGHT, true);
      return;
    }
    if (is_outside(entry, LEFT, left)) limits[LEFT] = (Limit){cone->rays[LEFT], cone->is_before >> LEFT & 1};
    if (is_outside(entry, RIGHT, right))
      limits[RIGHT] = (Limit){cone->rays[RIGHT], cone->is_before >> RIGHT & 1};
    if (limits[LEFT].at) push_turned(entry, exit, LEFT, false);
    if (limits[RIGHT].at) push_turned(entry, exit, RIGHT, false);
  }
  push_part(entry, exit, &entry->root, limits[LEFT], limits[RIGHT]);
}

/* The cost of the shortest line from the start through the cone to a point of the polygon; INFINITY if it would have
 * to turn where it can't. */
static double measure_to(Entry *entry, const float to[3]) {
  const Root *root = &entry->root;
  if (!entry->sees_all) {
    const Vector line = direct(root->at, to);
    const bool is_left = is_outside(entry, LEFT, line);
    if (is_left || is_outside(entry, RIGHT, line)) {
      const int side = is_left ? LEFT : RIGHT;
      if (!turns_at(entry, side)) return (double)INFINITY;
      root = &entry->ends[side];
    }
  }
  return root->cost + length_of(direct(root->at, to));
}

/* ---- Connections -------------------------------------------------------------------------------------- */

static void push_point(Entry *entry, const float at[3], double cost, const Exit *exit, ConeKind kind) {
  if (entry->status || !(cost < (double)INFINITY)) return;
  WmSearchState *state = entry->state;
  state->cones.has_connections |= kind == POINT;
  uint32_t corner = WM_NO_CORNER;
  if (kind == POINT) {
    const WmMeshTile *tile = wm_mesh_tile(state->query->mesh, exit->slot);
    entry->status = wm_corners_at_landing(state->query, tile->ref + exit->polygon,
                                          (const float[2]){at[0], at[2]}, &corner);
    if (entry->status || !improve(state, corner, cost)) return;
  }
  WmCone *cone = add_cone(state);
  if (!cone) return;
  *cone = (WmCone){.cost = cost,
                   .root = {at[0], at[2]},
                   .rays = {{at[1], 0}},
                   .corner = corner,
                   .slot = exit->slot,
                   .polygon = exit->polygon,
                   .parent = entry->number,
                   .link = exit->link,
                   .kind = (uint8_t)kind};
  const double rest = kind == ARRIVED ? 0 : length_of(direct(root_of(cone), state->end));
  entry->has_pushed = true;
  open_held(state);
  open_cone(state, state->cones.count++, rest);
}

/* The cost from the root of a POINT along its connection. */
static double measure_connection(const Entry *entry, const float to[3]) {
  const WmSearchState *state = entry->state;
  const WmCone *cone = entry->cone;
  const Vector line = direct(entry->root.at, to);
  const double y = (double)to[1] - (double)cone->rays[0][0];
  const float unit = wm_filter_unit_cost(state->filter, entry->tile, cone->polygon);
  return cone->cost +
         sqrt(line.x * line.x + y * y + line.z * line.z) * (double)unit / (double)state->cones.ground_cost;
}

static bool is_connection(const WmMeshTile *tile, uint32_t polygon) { return polygon >= tile->ground_count; }

/* ---- Expanding ---------------------------------------------------------------------------------------- */

/* Moves the root to the nearer end of a portal that lies on one line with it.
 * returns    false: the cone is empty, or a shorter way leads there */
static bool open_flat(Entry *entry) {
  const WmCone *cone = entry->cone;
  entry->sees_all = true;
  const Vector *rays = entry->rays;
  if (rays[LEFT].x * rays[RIGHT].x + rays[LEFT].z * rays[RIGHT].z <= 0)
    return true; /* the root lies on the portal */
  if (!has_end(cone, LEFT) || !has_end(cone, RIGHT)) return false;
  const int side = length_of(rays[LEFT]) < length_of(rays[RIGHT]) ? LEFT : RIGHT;
  if (!turns_at(entry, side)) return false;
  entry->root = entry->ends[side];
  return true;
}

/* True if a cone is empty, or its root lies on the portal up to rounding: then half of what lies behind would seem to lie
 * on the wrong side of its rays.
 * in         near: the rounding at the root; left, right: the sums of the rays' numbers */
static bool is_flat(const Vector rays[2], double near, double left, double right) {
  const double width = cross(rays[RIGHT], rays[LEFT]);
  if (!(width > 1e-12 * left * right)) return true;
  return rays[LEFT].x * rays[RIGHT].x + rays[LEFT].z * rays[RIGHT].z < 0 &&
         width <= (near + NEAR * (left + right)) * (left + right);
}

/* True if a cone that touches its root comes back to a polygon around it. */
static bool is_back(const WmSearchState *state, const WmCone *cone) {
  enum { FAN_LIMIT = 64 };
  const WmCone *cones = cones_of(state), *before = cones + cone->parent;
  for (int i = 0; i < FAN_LIMIT; i++, before = cones + before->parent) {
    if (before->root[0] != cone->root[0] || before->root[1] != cone->root[1]) return false;
    if (before->polygon == cone->polygon && before->slot == cone->slot) return true;
    if (before->kind == POINT) return false;
  }
  return true;
}

/* True if the cone's part of its portal is reached on a shorter way through one of its ends. On the way from that end to
 * the other one the line from the root gets longer at most as fast as that way does, so it is enough to compare both at
 * the other end. */
static bool is_dominated(const Entry *entry, int side, double by_end) {
  const WmCone *cone = entry->cone, *parent = cones_of(entry->state) + cone->parent;
  const WmMeshTile *from = wm_mesh_tile(entry->state->query->mesh, parent->slot);
  const float *portal = from->link_portals + 6 * (size_t)cone->link;
  const Vector left = direct(entry->root.at, portal), right = direct(entry->root.at, portal + 3);
  const Vector end = side == LEFT ? left : right, other = find_end(cone, 1 - side, left, right);
  const double by_root = cone->cost + length_of(other);
  return by_end + length_of(subtract(end, other)) < by_root - SAME * by_root;
}

/* Records the ways to the ends of the cone's portal.
 * returns    false: a shorter way leads to all of it */
static bool reach_ends(Entry *entry) {
  const WmCone *cone = entry->cone;
  for (int side = LEFT; side <= RIGHT; side++) {
    if (!has_end(cone, side)) continue;
    const double cost = cone->cost + length_of(entry->rays[side]);
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
static bool enter(WmSearchState *state, uint32_t number, Entry *entry) {
  const WmCone *cone = cones_of(state) + number;
  entry->status = WM_OK;
  if (cone->corner != WM_NO_CORNER && !is_shortest(state, cone->corner, cone->cost)) return false;
  entry->state = state;
  entry->cone = cone;
  entry->number = number;
  entry->has_pushed = false;
  entry->turns[LEFT] = entry->turns[RIGHT] = -1;
  entry->root = (Root){root_of(cone), cone->cost, cone->corner};
  entry->sees_all = cone->kind == POINT;
  if (entry->sees_all) return true;
  entry->rays[LEFT] = ray_of(cone, LEFT);
  entry->rays[RIGHT] = ray_of(cone, RIGHT);
  const double near = NEAR * (1 + sum_of(entry->root.at));
  const Vector *rays = entry->rays;
  const double left = sum_of(rays[LEFT]), right = sum_of(rays[RIGHT]);
  if (left <= TOUCHING * near || right <= TOUCHING * near) {
    entry->sees_all = true; /* the same vertex of two tiles can differ by rounding */
    return !is_back(state, cone);
  }
  if (!reach_ends(entry)) return false;
  if (is_flat(rays, near, left, right)) return open_flat(entry);
  for (int side = LEFT; side <= RIGHT; side++) {
    entry->lengths[side] = side == LEFT ? left : right;
    entry->near[side] = near + NEAR * entry->lengths[side];
  }
  return true;
}

static void arrive(Entry *entry) {
  const WmSearchState *state = entry->state;
  const WmCone *cone = entry->cone;
  const Exit exit = {.link = WM_NO_LINK, .slot = cone->slot, .polygon = cone->polygon};
  const bool is_on_connection = is_connection(entry->tile, cone->polygon) && !entry->tile->segments;
  const double cost =
      is_on_connection ? measure_connection(entry, state->end) : measure_to(entry, state->end);
  push_point(entry, state->end, cost, &exit, ARRIVED);
}

/* The corners at the ends of an inner edge of the polygon, where they are certain. */
static void find_ends(const Entry *entry, const WmLink *link, uint32_t ends[2]) {
  const uint32_t first = entry->tile_corners.first;
  const WmConeCorner *corners = corners_of(entry->state) + first;
  const uint32_t polygon = entry->cone->polygon, next = link->edge + 1u;
  const uint16_t *vertices = entry->tile->polygon_vertices + WM_TILE_VERTICES_PER_POLYGON * (size_t)polygon;
  const uint32_t left = vertices[link->edge],
                 right = vertices[next < entry->tile->polygon_size[polygon] ? next : 0];
  if (corners[left].kind != WM_CORNER_UNCERTAIN) ends[LEFT] = first + left;
  if (corners[right].kind != WM_CORNER_UNCERTAIN) ends[RIGHT] = first + right;
}

/* True if a string may pass a polygon that the cone's polygon leads to, or ends there. */
static bool is_open(const Entry *entry, const WmMeshTile *target, uint32_t polygon) {
  const WmSearchState *state = entry->state;
  if (target == entry->tile) {
    const WmDeadEnd *dead_end = entry->dead_ends + polygon;
    return dead_end->next == WM_NO_DEAD_END || dead_end->stamp == state->query->corners.stamp;
  }
  return target->link_first[polygon + 1] - target->link_first[polygon] > 1 ||
         (polygon == state->end_polygon && target->slot == state->end_slot);
}

/* The cost over a segment link, in which the cone is, from the middle of where it was entered; INFINITY: it can't be crossed.
 * out        at: the middle of where it can be crossed */
static double cross_link(const Entry *entry, const WmLink *link, float at[3]) {
  const WmSearchState *state = entry->state;
  const WmCone *cone = entry->cone;
  const WmMeshTile *set = entry->tile;
  const WmMeshTile *before = wm_mesh_tile(state->query->mesh, cones_of(state)[cone->parent].slot);
  const WmLinkTie *tie = cone->link == WM_NO_LINK ? NULL : wm_link_entry_tie(set, before->links + cone->link);
  WmLinkCrossing crossing;
  if (!wm_link_crossing_between(set, cone->polygon, tie, wm_link_exit_tie(set, cone->polygon, link),
                                &crossing)) {
    return (double)INFINITY;
  }
  float from[3];
  const float across = 0.5f * (crossing.low + crossing.high);
  wm_link_crossing_point(&crossing, 0, across, from);
  wm_link_crossing_point(&crossing, 1, across, at);
  const float unit = wm_filter_unit_cost(state->filter, set, cone->polygon);
  return cone->cost + (tie ? length_of(direct(entry->root.at, from)) : 0) +
         (double)(crossing.link->cost * unit) / (double)state->cones.ground_cost;
}

/* Follows a link onto or off a segment link: as a connection between the middles of where it can be crossed. So ways over
 * segment links are upper bounds. */
static void follow_segment_link(Entry *entry, const WmLink *link, const Exit *exit) {
  float at[3] = {link->middle[0], link->middle[1], link->middle[2]};
  const double cost = entry->tile->segments ? cross_link(entry, link, at) : measure_to(entry, at);
  entry->state->cones.has_segment_links = true;
  push_point(entry, at, cost, exit, POINT);
}

/* Follows a link of the polygon. */
static void follow(Entry *entry, uint32_t number) {
  const WmLink *link = entry->tile->links + number;
  const float *portal = entry->tile->link_portals + 6 * (size_t)number;
  const WmSearchState *state = entry->state;
  const uint32_t slot = link->slot, polygon = link->polygon;
  const WmMeshTile *target = slot == entry->cone->slot ? entry->tile : wm_mesh_tile(state->query->mesh, slot);
  if (!wm_filter_passes(state->filter, target->polygon_flags[polygon])) {
    wm_query_note(state->query, WM_TRACE_FILTERED, entry->tile, entry->cone->polygon, number);
    return;
  }
  Exit exit = {portal, number, slot, polygon, {WM_NO_CORNER, WM_NO_CORNER}};
  if (entry->tile->segments || target->segments) {
    follow_segment_link(entry, link, &exit);
  } else if (is_connection(entry->tile, entry->cone->polygon)) {
    push_point(entry, portal, measure_connection(entry, portal), &exit, POINT);
  } else if (is_connection(target, polygon)) {
    push_point(entry, portal, measure_to(entry, portal), &exit, POINT);
  } else if (is_open(entry, target, polygon)) {
    if (link->side == WM_TILE_SIDE_INSIDE && slot == entry->cone->slot) find_ends(entry, link, exit.ends);
    push_exit(entry, &exit);
  }
}

/* Looks up what is stored of a tile. */
static WmStatus prepare(const WmSearchState *state, const WmMeshTile *tile, Entry *entry) {
  WmQuery *query = state->query;
  entry->tile = tile;
  const WmStatus status = wm_corners_of_tile(query, state->filter, tile, &entry->tile_corners);
  if (status) return status;
  WmDeadEnd *dead_ends = query->arrays[WM_QUERY_DEAD_ENDS].items;
  entry->dead_ends = dead_ends ? dead_ends + entry->tile_corners.first_dead_end : NULL;
  return WM_OK;
}

/* Lets the search enter the dead ends that a ground polygon lies in. */
static void open_dead_ends(const WmSearchState *state, const Entry *entry, uint32_t polygon) {
  if (!is_connection(entry->tile, polygon))
    wm_dead_ends_open(entry->tile, state->filter, polygon, state->query->corners.stamp, entry->dead_ends);
}

static WmStatus expand(WmSearchState *state, uint32_t number) {
  const WmMeshTile *tile = wm_mesh_tile(state->query->mesh, cones_of(state)[number].slot);
  const uint32_t polygon = cones_of(state)[number].polygon;
  const uint32_t first = tile->link_first[polygon], end = tile->link_first[polygon + 1];
  Entry entry;
  WmStatus status = reserve(state, PARTS * (size_t)(end - first) + 1);
  if (!status) status = prepare(state, tile, &entry);
  if (status || !enter(state, number, &entry)) return status ? status : entry.status;
  wm_query_note(state->query, WM_TRACE_EXPANDED, tile, polygon, 0);
  const WmCone *cone = entry.cone, *parent = cones_of(state) + cone->parent;
  if (cone->kind == POINT) open_dead_ends(state, &entry, polygon);
  const uint32_t parent_slot = number ? parent->slot : UINT32_MAX,
                 parent_polygon = number ? parent->polygon : 0;
  if (cone->slot == state->end_slot && polygon == state->end_polygon) {
    arrive(&entry);
    /* Polygons are convex: no way out of it and back is shorter, unless connections are cheap. */
    if (state->cones.scale >= 1 && !is_connection(tile, polygon)) return entry.status;
  }
  for (uint32_t i = first; i < end && !entry.status; i++) {
    const WmLink *link = tile->links + i;
    if (link->slot != parent_slot || link->polygon != parent_polygon) follow(&entry, i);
  }
  return entry.status;
}

/* ---- The result --------------------------------------------------------------------------------------- */

/* Writes the polygons of the corridor to a cone and the links between them, last to first. */
static void write_corridor(const WmSearchState *state, uint32_t last, WmRef *polygons, uint32_t *links,
                           size_t count) {
  const WmCone *cones = cones_of(state);
  uint32_t next = WM_NO_LINK;
  for (size_t i = count; i > 0; i--, last = cones[last].parent) {
    const WmCone *cone = cones + last;
    polygons[i - 1] = wm_mesh_tile(state->query->mesh, cone->slot)->ref + cone->polygon;
    links[i - 1] = next;
    next = cone->link;
  }
}

/* True if the cost of the result is that of all ground times the length of its string. */
static bool may_leave_cost(const WmSearchState *state) {
  const WmConeSearch *search = &state->cones;
  return state->task->leaves_cost && search->is_even && !search->has_connections && !search->is_free;
}

/* The cost below which there is no way, of the least total of all cones that may still be expanded. */
static float bound_of(const WmConeSearch *search, double total) {
  if (search->has_segment_links) return 0; /* ways over them may cost less */
  return search->is_free ? 0 : (float)(total * (double)search->ground_cost * (1 - BOUND_SLACK));
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
  const WmCone *cones = cones_of(state);
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
  const bool is_best =
      state->cones.is_even && (!state->cones.has_segment_links || former->polygon_count == 0);
  if (is_best || cost < former->cost) take_over(state, polygons, links, count, cost);
  if (former->cost >= 0) former->bound = fminf(former->bound, former->cost);
  return WM_OK;
}

/* No cone is left: no way is cheaper than the ordinary one, unless cones were left out. */
static void exhaust(WmSearchState *state) {
  state->done = true;
  if (state->cones.has_segment_links) state->former.bound = 0;
  if (!state->limited && !state->cones.is_free && !state->cones.has_segment_links)
    state->former.bound = state->former.cost;
}

WmStatus wm_search_run_cones(WmSearchState *state, size_t budget) {
  for (; budget > 0 && !state->done; budget--) {
    const uint32_t number = take(state);
    if (number == NO_CONE) {
      exhaust(state);
      break;
    }
    state->expanded++;
    const WmStatus status =
        cones_of(state)[number].kind == ARRIVED ? finish(state, number) : expand(state, number);
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
  for (int i = 0; i < 64; i++) {
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
  Entry entry;
  if (!status) status = prepare(state, wm_mesh_tile(query->mesh, state->end_slot), &entry);
  if (!status) open_dead_ends(state, &entry, state->end_polygon);
  if (!status) status = reserve(state, 1);
  if (status) return status;
  wm_heap_clear(keys_of(state));
  search->held = search->count++;
  *cones_of(state) = (WmCone){.root = {task->start_position[0], task->start_position[2]},
                              .rays = {{task->start_position[1], 0}},
                              .corner = WM_NO_CORNER,
                              .slot = wm_ref_slot(task->start),
                              .polygon = wm_ref_polygon(task->start),
                              .link = WM_NO_LINK,
                              .kind = POINT};
  return WM_OK;
}

WmStatus wm_search_start_cones(WmSearchState *state) {
  WmStatus status = wm_search_keep(state);
  if (!status && !state->cones.begun) status = begin(state);
  if (status) return status;
  WmConeSearch *search = &state->cones;
  const uint64_t limit = search->count + CONES_PER_POLYGON * (uint64_t)state->touched;
  search->most = (double)state->former.cost / (double)search->ground_cost * (1 + SLACK);
  search->limit = (uint32_t)(limit < NO_CONE ? limit : NO_CONE);
  if (state->max_nodes < search->limit) search->limit = (uint32_t)state->max_nodes;
  state->is_in_cones = true;
  state->done = state->former.polygon_count == 1;
  const double x = (double)state->end[0] - (double)state->task->start_position[0],
               z = (double)state->end[2] - (double)state->task->start_position[2];
  const float bound = bound_of(search, search->scale * sqrt(x * x + z * z));
  state->former.bound = fminf(bound, state->former.cost);
  return WM_OK;
}

WmStatus wm_search_shortest(WmQuery *query, const WmSearchTask *task, WmCorridor *corridor) {
  WmSearchState state = {.query = query, .task = task, .filter = task->options.filter, .is_in_cones = true};
  memcpy(state.end, task->end_position, sizeof state.end);
  state.end_slot = wm_ref_slot(task->end);
  state.end_polygon = wm_ref_polygon(task->end);
  WmStatus status = begin(&state);
  if (!status && state.cones.is_even && task->options.max_nodes == 0)
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
