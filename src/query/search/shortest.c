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
 * A cone keeps its rays as directions from the root, so that corners on one line stay on it however many portals lie
 * between. The lower bound of the rest is the shortest line from the root through the portal to the end. Cones are
 * expanded in the order of cost and bound, so the first one that has reached the end is the shortest. Of all ways to a
 * corner only the shortest is followed (cone_corners.h).
 *
 * Most searches are short and need nothing else. A search that hasn't arrived after FIRST_CONES waits for the ordinary
 * one: that tells whether the end can be reached at all, and its string is the most that is worth looking for.
 *
 * Ground costs the least factor of the filter everywhere, connections cost what they cost. So the length is a lower
 * bound of the cost of any path; with the same factor everywhere it is the cost.
 *
 * Source: M. Cui, D. D. Harabor, A. Grastien, "Compromise-free Pathfinding on a Navigation Mesh", IJCAI 2017. */
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
  Vector rays[2]; /* left and right: directions from the root */
  double cost;    /* from the start to the root */
  float root[2];
  float height;     /* POINT: y of the root */
  uint32_t corner;  /* at the root; WM_NO_CORNER: the start */
  uint32_t ends[2]; /* corners at the ends of the portal, left and right; WM_NO_CORNER: to be looked up */
  uint32_t slot, polygon; /* it enters */
  uint32_t parent, link;  /* it comes from, through this link of its tile */
  bool has[2]; /* left and right: the ray ends at the portal's end; else the portal goes on beyond it */
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

/* The length of the shortest line from the root through the cone's portal to the end. */
static double measure_rest(const WmSearchState *state, const WmCone *cone, const float *portal) {
  const Vector root = root_of(cone), left = direct(root, portal), right = direct(root, portal + 3);
  const Vector across = subtract(left, right);
  Vector to = direct(root, state->end);
  const double side = cross(across, subtract(to, right));
  if (side > 0) { /* on the root's side: mirrored at the portal */
    const double factor = 2 * side / (across.x * across.x + across.z * across.z);
    to = (Vector){to.x + factor * across.z, to.z - factor * across.x};
  }
  int by = LEFT;
  if (!(cross(cone->rays[LEFT], to) > 0)) {
    if (!(cross(cone->rays[RIGHT], to) < 0)) return length_of(to);
    by = RIGHT;
  }
  Vector at = by == LEFT ? left : right;
  if (!cone->has[by]) { /* where the ray meets the portal */
    const double by_right = cross(cone->rays[by], right),
                 t = by_right / (by_right - cross(cone->rays[by], left));
    at = (Vector){right.x + across.x * t, right.z + across.z * t};
  }
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
  uint32_t first_corner; /* of the tile's vertices */
  double near[2];        /* what `cross` of the left, the right ray may be where a point lies on it */
  Root ends[2];          /* the roots where the string turns at the left, the right end */
  int8_t turns[2];       /* it can turn there: 1 yes, 0 no, -1 not yet known */
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
  const Vector ray = cone->rays[side];
  Root *end = &entry->ends[side];
  bool is_open = cone->has[side];
  if (is_open && !entry->status) {
    end->at = (Vector){entry->root.at.x + ray.x, entry->root.at.z + ray.z};
    entry->status = find_corner(entry, side, &end->corner);
    is_open = !entry->status && end->corner != WM_NO_CORNER && reach(entry->state, end->corner, end->cost);
  }
  entry->turns[side] = is_open;
  return is_open;
}

/* Adds the part of an exit between two rays. NULL as a ray: up to the portal's end. */
static void push_part(Entry *entry, const Exit *exit, const Root *root, const Vector *left,
                      const Vector *right) {
  WmSearchState *state = entry->state;
  WmConeSearch *search = &state->cones;
  WmCone *cone = add_cone(state);
  if (!cone) return;
  *cone = (WmCone){.rays = {left ? *left : direct(root->at, exit->portal),
                            right ? *right : direct(root->at, exit->portal + 3)},
                   .cost = root->cost,
                   .root = {(float)root->at.x, (float)root->at.z},
                   .corner = root->corner,
                   .ends = {exit->ends[LEFT], exit->ends[RIGHT]},
                   .slot = exit->slot,
                   .polygon = exit->polygon,
                   .parent = entry->number,
                   .link = exit->link,
                   .has = {!left, !right},
                   .kind = CONE};
  const uint32_t number = search->count++;
  if (!entry->has_pushed) {
    entry->has_pushed = true;
    search->held = number;
    search->held_portal = exit->portal;
    return;
  }
  open_held(state);
  open_cone(state, number, measure_rest(state, cone, exit->portal));
}

static void push_turned(Entry *entry, const Exit *exit, int side, const Vector *left, const Vector *right) {
  if (turns_at(entry, side)) push_part(entry, exit, &entry->ends[side], left, right);
}

/* The parts of a portal: beside the cone on the left, seen, and beside it on the right. */
static void push_exit(Entry *entry, const Exit *exit) {
  const Vector *rays = entry->cone->rays;
  const Vector *limits[2] = {NULL, NULL};
  if (!entry->sees_all) {
    const Vector left = direct(entry->root.at, exit->portal),
                 right = direct(entry->root.at, exit->portal + 3);
    if (!(cross(rays[LEFT], right) < -entry->near[LEFT])) {
      push_turned(entry, exit, LEFT, NULL, NULL);
      return;
    }
    if (!(cross(rays[RIGHT], left) > entry->near[RIGHT])) {
      push_turned(entry, exit, RIGHT, NULL, NULL);
      return;
    }
    if (cross(rays[LEFT], left) > entry->near[LEFT]) limits[LEFT] = &rays[LEFT];
    if (cross(rays[RIGHT], right) < -entry->near[RIGHT]) limits[RIGHT] = &rays[RIGHT];
    if (limits[LEFT]) push_turned(entry, exit, LEFT, NULL, limits[LEFT]);
    if (limits[RIGHT]) push_turned(entry, exit, RIGHT, limits[RIGHT], NULL);
  }
  push_part(entry, exit, &entry->root, limits[LEFT], limits[RIGHT]);
}

/* The cost of the shortest line from the start through the cone to a point of the polygon; INFINITY if it would have
 * to turn where it can't. */
static double measure_to(Entry *entry, const float to[3]) {
  const Vector *rays = entry->cone->rays;
  const Root *root = &entry->root;
  if (!entry->sees_all) {
    const Vector line = direct(root->at, to);
    const bool is_left = cross(rays[LEFT], line) > entry->near[LEFT];
    if (is_left || cross(rays[RIGHT], line) < -entry->near[RIGHT]) {
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
                   .height = at[1],
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
  const double y = (double)to[1] - (double)cone->height;
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
  const Vector *rays = cone->rays;
  if (rays[LEFT].x * rays[RIGHT].x + rays[LEFT].z * rays[RIGHT].z <= 0)
    return true; /* the root lies on the portal */
  if (!cone->has[LEFT] || !cone->has[RIGHT]) return false;
  const int side = length_of(rays[LEFT]) < length_of(rays[RIGHT]) ? LEFT : RIGHT;
  if (!turns_at(entry, side)) return false;
  entry->root = entry->ends[side];
  return true;
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
  const Vector end = direct(entry->root.at, portal + 3 * side);
  const Vector other = direct(entry->root.at, portal + 3 * (1 - side));
  const double by_root = cone->cost + length_of(other);
  return by_end + length_of(subtract(end, other)) < by_root - SAME * by_root;
}

/* Records the ways to the ends of the cone's portal.
 * returns    false: a shorter way leads to all of it */
static bool reach_ends(Entry *entry) {
  const WmCone *cone = entry->cone;
  for (int side = LEFT; side <= RIGHT; side++) {
    if (!cone->has[side]) continue;
    const double cost = cone->cost + length_of(cone->rays[side]);
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
static bool enter(WmSearchState *state, uint32_t number, const WmMeshTile *tile, Entry *entry) {
  const WmCone *cone = cones_of(state) + number;
  entry->status = WM_OK;
  if (cone->corner != WM_NO_CORNER && !is_shortest(state, cone->corner, cone->cost)) return false;
  entry->state = state;
  entry->cone = cone;
  entry->number = number;
  entry->has_pushed = false;
  entry->turns[LEFT] = entry->turns[RIGHT] = -1;
  entry->tile = tile;
  entry->root = (Root){root_of(cone), cone->cost, cone->corner};
  entry->sees_all = cone->kind == POINT;
  if (entry->sees_all) return true;
  const double near = NEAR * (1 + sum_of(entry->root.at));
  const double left = sum_of(cone->rays[LEFT]), right = sum_of(cone->rays[RIGHT]);
  if (left <= TOUCHING * near || right <= TOUCHING * near) {
    entry->sees_all = true; /* the same vertex of two tiles can differ by rounding */
    return !is_back(state, cone);
  }
  if (!reach_ends(entry)) return false;
  if (!(cross(cone->rays[RIGHT], cone->rays[LEFT]) > 1e-12 * left * right)) return open_flat(entry);
  entry->near[LEFT] = (near + NEAR * left) * left;
  entry->near[RIGHT] = (near + NEAR * right) * right;
  return true;
}

static void arrive(Entry *entry) {
  const WmSearchState *state = entry->state;
  const WmCone *cone = entry->cone;
  const Exit exit = {.link = WM_NO_LINK, .slot = cone->slot, .polygon = cone->polygon};
  const double cost = is_connection(entry->tile, cone->polygon) ? measure_connection(entry, state->end)
                                                                : measure_to(entry, state->end);
  push_point(entry, state->end, cost, &exit, ARRIVED);
}

/* The corners at the ends of an inner edge of the polygon, where they are certain. */
static void find_ends(const Entry *entry, const WmLink *link, uint32_t ends[2]) {
  const WmConeCorner *corners = corners_of(entry->state) + entry->first_corner;
  const uint32_t polygon = entry->cone->polygon, next = link->edge + 1u;
  const uint16_t *vertices = entry->tile->polygon_vertices + WM_TILE_VERTICES_PER_POLYGON * (size_t)polygon;
  const uint32_t left = vertices[link->edge],
                 right = vertices[next < entry->tile->polygon_size[polygon] ? next : 0];
  if (corners[left].kind != WM_CORNER_UNCERTAIN) ends[LEFT] = entry->first_corner + left;
  if (corners[right].kind != WM_CORNER_UNCERTAIN) ends[RIGHT] = entry->first_corner + right;
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
  if (is_connection(entry->tile, entry->cone->polygon)) {
    push_point(entry, portal, measure_connection(entry, portal), &exit, POINT);
  } else if (is_connection(target, polygon)) {
    push_point(entry, portal, measure_to(entry, portal), &exit, POINT);
  } else if (target->link_first[polygon + 1] - target->link_first[polygon] > 1 ||
             (polygon == state->end_polygon && slot == state->end_slot)) {
    if (link->side == WM_TILE_SIDE_INSIDE && slot == entry->cone->slot) find_ends(entry, link, exit.ends);
    push_exit(entry, &exit); /* others are dead ends */
  }
}

static WmStatus expand(WmSearchState *state, uint32_t number) {
  const WmMeshTile *tile = wm_mesh_tile(state->query->mesh, cones_of(state)[number].slot);
  const uint32_t polygon = cones_of(state)[number].polygon;
  const uint32_t first = tile->link_first[polygon], end = tile->link_first[polygon + 1];
  Entry entry;
  WmStatus status = reserve(state, PARTS * (size_t)(end - first) + 1);
  if (!status) status = wm_corners_of_tile(state->query, state->filter, tile, &entry.first_corner);
  if (status || !enter(state, number, tile, &entry)) return status ? status : entry.status;
  wm_query_note(state->query, WM_TRACE_EXPANDED, tile, polygon, 0);
  const WmCone *cone = entry.cone, *parent = cones_of(state) + cone->parent;
  const uint32_t parent_slot = number ? parent->slot : UINT32_MAX,
                 parent_polygon = number ? parent->polygon : 0;
  if (cone->slot == state->end_slot && cone->polygon == state->end_polygon) arrive(&entry);
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
  const float *costs = state->filter->area_costs;
  return state->task->leaves_cost && state->cones.is_even && !state->cones.has_connections && costs[0] > 0;
}

/* Makes the corridor to a cone the result, unless the ordinary one costs less. */
static WmStatus finish(WmSearchState *state, uint32_t last) {
  WmQuery *query = state->query;
  const WmSearchTask *task = state->task;
  const WmCone *cones = cones_of(state);
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
  if (!state->cones.is_even && !(cost < former->cost)) return WM_OK;
  memcpy(query->arrays[WM_QUERY_FORMER].items, polygons, count * sizeof *polygons);
  memcpy(query->arrays[WM_QUERY_LINKS].items, links, count * sizeof *links);
  former->polygon_count = count;
  former->cost = cost;
  former->state = WM_PATH_COMPLETE;
  return WM_OK;
}

WmStatus wm_search_run_cones(WmSearchState *state, size_t budget) {
  for (; budget > 0 && !state->done; budget--) {
    const uint32_t number = take(state);
    state->done = number == NO_CONE;
    if (state->done) break;
    state->expanded++;
    const WmStatus status =
        cones_of(state)[number].kind == ARRIVED ? finish(state, number) : expand(state, number);
    if (status) return status;
  }
  return WM_OK;
}

/* ---- The search --------------------------------------------------------------------------------------- */

/* The least cost of a world unit of ground; *is_even: it is the same everywhere. */
static float find_ground_cost(const WmFilter *filter, bool *is_even) {
  float least = filter->area_costs[0], most = least;
  for (int i = 1; i < 64; i++) {
    least = filter->area_costs[i] < least ? filter->area_costs[i] : least;
    most = filter->area_costs[i] > most ? filter->area_costs[i] : most;
  }
  *is_even = least == most && !filter->costs;
  if (filter->costs) least *= wm_costs_least(filter->costs);
  return least > 0 ? least : 1;
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
  search->ground_cost = find_ground_cost(state->filter, &search->is_even);
  WmStatus status = wm_corners_begin(query, state->filter);
  if (!status) status = reserve(state, 1);
  if (status) return status;
  wm_heap_clear(keys_of(state));
  search->held = search->count++;
  *cones_of(state) = (WmCone){.root = {task->start_position[0], task->start_position[2]},
                              .height = task->start_position[1],
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
