/* Saving: links that cost hardly less than walking are left out. See links.h.
 *
 * The walk is the shortest one on x and z. A search in cones: all points of a part of a portal that a straight line from the root
 * reaches; the root is the last corner of the walk. Cones that enter a polygon are continued through its other portals: the part
 * that the root sees keeps the root, the parts beside it get an end of the portal as their root. Corners count with their heights,
 * so stairs cost what they are long. The search ends at the cost at which walking no longer counts. Its result doesn't depend on the
 * order of links: it is the least of all walks.
 *
 * Source: M. Cui, D. D. Harabor, A. Grastien, "Compromise-free Pathfinding on a Navigation Mesh", IJCAI 2017. query/shortest has a search
 * for long ways, which this folder may not include. */
#include <math.h>
#include <string.h>

#include "base/heap.h"
#include "base/vector.h"
#include "links/links_internal.h"
#include "mesh/locate.h"

/* Cells: points nearer to each other, or to a line, lie on each other. Far below what heights and outlines are rounded by. */
#define NEAR 0.001

/* Cones of a search, and those over whole portals with one root. Others are left out: only hostile meshes have as many. */
enum { CONE_LIMIT = 1 << 16, WHOLE_LIMIT = 1 << 10 };

/* Lists of roots by the hash of their points. */
enum { ROOT_LISTS = 256 };

enum { LEFT, RIGHT };

typedef struct Point {
  double x, y, z;
} Point;

/* A corner of walks, or their start. */
typedef struct Root {
  Point point;
  uint32_t next;        /* index + 1 in its list; 0: none */
  double cost;          /* the least from the start */
  uint32_t whole_count; /* cones over whole portals of polygons that it sees as a whole */
  uint32_t last_whole;  /* index + 1 of the last one */
} Root;

typedef struct Cone {
  Point ends[2]; /* LEFT, RIGHT: of the part of the portal, seen from the root */
  double cost;   /* from the start to the root */
  uint32_t root;
  uint32_t slot, polygon;           /* it enters */
  uint32_t from_slot, from_polygon; /* it leaves */
  uint32_t before_whole;            /* as last_whole, before it */
  bool has[2];                      /* the part ends where the portal does: walks may turn there */
} Cone;

/* A search. All arrays are scratch memory. */
typedef struct Walk {
  WmContext *context;
  const WmMesh *mesh;
  double limit; /* walks that cost more don't count */
  double near;  /* NEAR, world units */
  Point end;
  uint32_t end_slot, end_polygon;
  double best; /* cost of the cheapest walk found; INFINITY: none */
  bool any;    /* the first walk within the limit is enough */
  Root *roots;
  size_t root_count, root_capacity;
  uint32_t lists[ROOT_LISTS]; /* index + 1 of the first root; 0: none */
  Cone *cones;
  size_t cone_count, cone_capacity;
  uint64_t *heap;
  size_t heap_count, heap_capacity;
} Walk;

/* ---- Points -------------------------------------------------------------------------------------------- */

static void set_point(Point *to, const float from[3]) { *to = (Point){from[0], from[1], from[2]}; }

static const Point *root_point(const Walk *walk, uint32_t root) { return &walk->roots[root].point; }

/* Twice the area of a triangle on x and z; positive where c is left of the line from a to b, as the left ends of portals are. */
static double find_turn(const Point *a, const Point *b, const Point *c) {
  return (b->x - a->x) * (c->z - a->z) - (c->x - a->x) * (b->z - a->z);
}

static double plane_distance(const Point *a, const Point *b) {
  const double x = b->x - a->x, z = b->z - a->z;
  return sqrt(x * x + z * z);
}

static double distance(const Point *a, const Point *b) {
  const double x = b->x - a->x, y = b->y - a->y, z = b->z - a->z;
  return sqrt(x * x + y * y + z * z);
}

/* ---- Roots --------------------------------------------------------------------------------------------- */

/* Finds the root at a point, or adds it, and lowers its cost. */
static WmStatus find_root(Walk *walk, const Point *point, double cost, uint32_t *index) {
  uint32_t bits[2];
  const float key[2] = {(float)point->x, (float)point->z};
  memcpy(bits, key, sizeof bits);
  uint32_t *list = &walk->lists[(bits[0] * 0x9e3779b1u ^ bits[1] * 0x85ebca6bu) >> 24];
  for (uint32_t at = *list; at; at = walk->roots[at - 1].next) {
    Root *root = &walk->roots[at - 1];
    if (memcmp(&root->point, point, sizeof *point) != 0) continue;
    if (cost < root->cost) root->cost = cost;
    *index = at - 1;
    return WM_OK;
  }
  walk->roots = wm_scratch_reserve(walk->context, walk->roots, &walk->root_capacity, walk->root_count + 1,
                                   sizeof *walk->roots);
  if (!walk->roots) return WM_ERROR_OUT_OF_MEMORY;
  *index = (uint32_t)walk->root_count++;
  walk->roots[*index] = (Root){.point = *point, .next = *list, .cost = cost};
  *list = *index + 1;
  return WM_OK;
}

/* True if a shorter way to the root of a cone is known. */
static bool is_outdone(const Walk *walk, const Cone *cone) {
  return cone->cost > walk->roots[cone->root].cost + walk->near;
}

/* ---- Cones --------------------------------------------------------------------------------------------- */

/* The end of a part of a portal at which a straight way from a root bends on to a point; NULL: it leads through the part. */
static const Point *find_bend(const Point *root, const Point ends[2], const Point *to) {
  if (find_turn(root, &ends[RIGHT], to) < 0) return &ends[RIGHT];
  return find_turn(root, &ends[LEFT], to) > 0 ? &ends[LEFT] : NULL;
}

/* The least that a walk through a cone costs: straight from the root through the part of the portal to the end. */
static double find_bound(const Walk *walk, const Cone *cone) {
  const Point *root = root_point(walk, cone->root), *left = &cone->ends[LEFT], *right = &cone->ends[RIGHT];
  Point end = walk->end;
  const Point *bend = NULL;
  const double x = left->x - right->x, z = left->z - right->z, squared = x * x + z * z;
  if (find_turn(right, left, root) > walk->near * sqrt(squared)) { /* else the root lies on its line */
    const double beyond = find_turn(right, left, &end) / squared;
    if (beyond > 0) { /* reflected, it is as far from each point of the portal */
      end.x += 2 * beyond * z;
      end.z -= 2 * beyond * x;
    }
    bend = find_bend(root, cone->ends, &end);
  }
  return cone->cost +
         (bend ? plane_distance(root, bend) + plane_distance(bend, &end) : plane_distance(root, &end));
}

/* Adds a cone, unless it can't lead to a better walk. */
static WmStatus push(Walk *walk, const Cone *cone) {
  const double bound = find_bound(walk, cone);
  if (!(bound <= walk->limit) || !(bound < walk->best) || is_outdone(walk, cone) ||
      walk->cone_count == CONE_LIMIT)
    return WM_OK;
  walk->cones = wm_scratch_reserve(walk->context, walk->cones, &walk->cone_capacity, walk->cone_count + 1,
                                   sizeof *walk->cones);
  if (!walk->cones) return WM_ERROR_OUT_OF_MEMORY;
  const size_t before = walk->heap_capacity;
  walk->heap = wm_scratch_reserve(walk->context, walk->heap, &walk->heap_capacity,
                                  walk->heap_count + 1 + WM_HEAP_MARGIN, sizeof *walk->heap);
  if (!walk->heap) return WM_ERROR_OUT_OF_MEMORY;
  if (before == 0) wm_heap_clear(walk->heap);
  walk->cones[walk->cone_count] = *cone;
  wm_heap_push(walk->heap, &walk->heap_count, wm_heap_key((float)bound, (uint32_t)walk->cone_count));
  walk->cone_count++;
  return WM_OK;
}

static bool is_same_part(const Cone *a, const Cone *b) {
  return a->slot == b->slot && a->polygon == b->polygon && a->from_slot == b->from_slot &&
         a->from_polygon == b->from_polygon && memcmp(a->ends, b->ends, sizeof a->ends) == 0;
}

/* Adds a cone over a whole portal of a polygon that the root sees as a whole. Each once: else they would go round about the root for
 * ever. */
static WmStatus push_whole(Walk *walk, Cone cone) {
  const uint32_t last = walk->roots[cone.root].last_whole;
  if (walk->roots[cone.root].whole_count == WHOLE_LIMIT) return WM_OK;
  for (uint32_t at = last; at; at = walk->cones[at - 1].before_whole) {
    const Cone *other = &walk->cones[at - 1];
    if (is_same_part(other, &cone) && other->cost <= cone.cost) return WM_OK;
  }
  const size_t count = walk->cone_count;
  cone.before_whole = last;
  const WmStatus status = push(walk, &cone);
  if (walk->cone_count == count) return status;
  walk->roots[cone.root].whole_count++;
  walk->roots[cone.root].last_whole = (uint32_t)walk->cone_count;
  return status;
}

/* ---- The search ---------------------------------------------------------------------------------------- */

/* The portals of a polygon, one after the other. */
typedef struct Portals {
  const WmMeshTile *tile;
  uint32_t next, end;
  Cone cone; /* over the whole portal */
} Portals;

/* Moves on to the next portal to ground, unless it leads back.
 * returns    false if there is none */
static bool find_portal(const Walk *walk, Portals *portals, const Cone *entered) {
  while (portals->next < portals->end) {
    const uint32_t i = portals->next++;
    const WmLink *link = &portals->tile->links[i];
    const WmMeshTile *target = wm_mesh_tile(walk->mesh, link->slot);
    if (!target || link->polygon >= target->ground_count) continue; /* not a connection or segment link */
    if (link->slot == entered->from_slot && link->polygon == entered->from_polygon) continue;
    const float *points = portals->tile->link_portals + 6 * (size_t)i;
    for (int side = LEFT; side <= RIGHT; side++) set_point(&portals->cone.ends[side], points + 3 * side);
    portals->cone.slot = link->slot;
    portals->cone.polygon = link->polygon;
    return true;
  }
  return false;
}

/* The portals of the polygon that a cone enters. */
static Portals start_portals(const Walk *walk, const Cone *cone) {
  const WmMeshTile *tile = wm_mesh_tile(walk->mesh, cone->slot);
  return (Portals){.tile = tile,
                   .next = tile->link_first[cone->polygon],
                   .end = tile->link_first[cone->polygon + 1],
                   .cone = {.root = cone->root,
                            .cost = cone->cost,
                            .from_slot = cone->slot,
                            .from_polygon = cone->polygon,
                            .has = {true, true}}};
}

/* Cuts a portal to its part from `low` to `high`, counted from 0 at its right end to 1 at its left end. */
static void cut_portal(Cone *portal, double low, double high) {
  const Point right = portal->ends[RIGHT];
  Point *left = &portal->ends[LEFT];
  const Point way = {left->x - right.x, left->y - right.y, left->z - right.z};
  portal->has[LEFT] = high >= 1;
  portal->has[RIGHT] = low <= 0;
  if (high < 1) *left = (Point){right.x + way.x * high, right.y + way.y * high, right.z + way.z * high};
  if (low > 0)
    portal->ends[RIGHT] = (Point){right.x + way.x * low, right.y + way.y * low, right.z + way.z * low};
}

/* Adds the part of a portal from `low` to `high`.
 * in         side: of the cone beside which it lies: walks turn at the cone's end; -1: the root sees it */
static WmStatus push_part(Walk *walk, const Cone *cone, const Cone *portal, int side, double low,
                          double high) {
  Cone part = *portal;
  if (!(low < high) || (side >= 0 && !cone->has[side])) return WM_OK;
  cut_portal(&part, low, high);
  WmStatus status = WM_OK;
  if (side >= 0) {
    part.cost += distance(root_point(walk, cone->root), &cone->ends[side]);
    status = find_root(walk, &cone->ends[side], part.cost, &part.root);
  }
  return status ? status : push(walk, &part);
}

/* The place where the ray from a root through a point crosses a portal, from 0 at the portal's right end to 1 at its left end: what is
 * less lies to the right of the ray. */
static double find_crossing(const Walk *walk, const Point *root, const Point *through, const Cone *portal) {
  /* Above 0: to the left of the ray. */
  const double right = find_turn(root, through, &portal->ends[RIGHT]),
               left = find_turn(root, through, &portal->ends[LEFT]);
  if (right >= 0 && left >= 0) return 0;
  if (right <= 0 && left <= 0) return 1;
  if (right > 0) return right > -left ? 0 : 1; /* one end lies on the ray, but for rounding */
  const double at = right / (right - left),
               length = plane_distance(&portal->ends[LEFT], &portal->ends[RIGHT]);
  return at * length < walk->near ? 0 : (1 - at) * length < walk->near ? 1 : at;
}

/* Continues a cone through a portal: the part that the root sees, and those to the right and left of it. */
static WmStatus expand_portal(Walk *walk, const Cone *cone, const Cone *portal) {
  const Point *root = root_point(walk, cone->root);
  const double low = find_crossing(walk, root, &cone->ends[RIGHT], portal),
               high = find_crossing(walk, root, &cone->ends[LEFT], portal);
  WmStatus status = push_part(walk, cone, portal, RIGHT, 0, low);
  if (!status) status = push_part(walk, cone, portal, LEFT, high, 1);
  return status ? status : push_part(walk, cone, portal, -1, low, high);
}

/* Moves a root that lies on the line of its part of a portal to the nearer end of the part: from there, it sees the whole polygon.
 * out        *can_turn: false if walks can't turn there */
static WmStatus move_along(Walk *walk, Cone *cone, bool *can_turn) {
  const Point *root = root_point(walk, cone->root), *left = &cone->ends[LEFT], *right = &cone->ends[RIGHT];
  const double to_left = plane_distance(root, left), to_right = plane_distance(root, right);
  const int side = to_left < to_right ? LEFT : RIGHT;
  *can_turn = true;
  if (to_left + to_right <= plane_distance(left, right) + walk->near) return WM_OK; /* it lies in the part */
  *can_turn = cone->has[side];
  cone->cost += distance(root, &cone->ends[side]);
  return *can_turn ? find_root(walk, &cone->ends[side], cone->cost, &cone->root) : WM_OK;
}

/* Ends walks in the end's polygon. */
static void reach_end(Walk *walk, const Cone *cone, bool is_whole) {
  const Point *root = root_point(walk, cone->root);
  const Point *bend = is_whole ? NULL : find_bend(root, cone->ends, &walk->end);
  const double cost =
      cone->cost + (bend ? distance(root, bend) + distance(bend, &walk->end) : distance(root, &walk->end));
  if (cost < walk->best && cost <= walk->limit) walk->best = cost;
}

/* Continues a cone through the polygon that it enters. */
static WmStatus expand(Walk *walk, Cone *cone) {
  const Point *left = &cone->ends[LEFT], *right = &cone->ends[RIGHT];
  const bool is_whole =
      !(find_turn(root_point(walk, cone->root), right, left) > walk->near * plane_distance(left, right));
  if (is_whole) {
    bool can_turn;
    const WmStatus status = move_along(walk, cone, &can_turn);
    if (status || !can_turn) return status;
  }
  if (cone->slot == walk->end_slot && cone->polygon == walk->end_polygon) reach_end(walk, cone, is_whole);
  WmStatus status = WM_OK;
  for (Portals portals = start_portals(walk, cone); !status && find_portal(walk, &portals, cone);)
    status = is_whole ? push_whole(walk, portals.cone) : expand_portal(walk, cone, &portals.cone);
  return status;
}

static WmStatus search(Walk *walk, uint32_t slot, uint32_t polygon, const float start[3]) {
  Cone cone = {.slot = slot, .polygon = polygon, .from_slot = UINT32_MAX};
  set_point(&cone.ends[LEFT], start);
  cone.ends[RIGHT] = cone.ends[LEFT];
  WmStatus status = find_root(walk, &cone.ends[LEFT], 0, &cone.root);
  if (!status) status = expand(walk, &cone);
  while (!status && walk->heap_count > 0 && !(walk->any && walk->best < INFINITY)) {
    cone = walk->cones[(uint32_t)walk->heap[0]]; /* a copy: the array may move */
    wm_heap_remove(walk->heap, &walk->heap_count);
    if (is_outdone(walk, &cone)) continue;
    if (!(find_bound(walk, &cone) < walk->best)) break;
    status = expand(walk, &cone);
  }
  return status;
}

/* The polygon at an end of a link: at the midpoint of its segment, a little away from the other end, where a border's polygon lies. */
static bool find_polygon(const WmMesh *mesh, const WmLinkLimits *limits, const float segment[2][3],
                         const float other[2][3], float point[3], uint32_t *slot, uint32_t *polygon) {
  float away[3];
  wm_interpolate(segment[0], segment[1], 0.5f, point);
  wm_interpolate(other[0], other[1], 0.5f, away);
  const float x = away[0] - point[0], z = away[2] - point[2], length = sqrtf(x * x + z * z);
  const float shift = length > 0 ? 0.1f * limits->cell_size / length : 0;
  const float inside[3] = {point[0] - shift * x, point[1], point[2] - shift * z};
  const float extents[3] = {0.25f * limits->cell_size, (limits->climb + 2) * limits->cell_height,
                            0.25f * limits->cell_size};
  WmNearestSearch nearest;
  WmBoxTiles tiles;
  wm_nearest_begin(&nearest, inside, extents);
  nearest.any_flags = true;
  wm_box_tiles_begin(&tiles, mesh, nearest.low, nearest.high);
  const WmMeshTile *tile;
  while ((tile = wm_box_tiles_next(&tiles)) != NULL) wm_tile_find_nearest(tile, &nearest);
  if (!nearest.tile) return false;
  *slot = nearest.tile->slot;
  *polygon = nearest.polygon;
  return true;
}

/* Finds the cost of walking from the middle of a link's start to the middle of its end.
 * in         is_exact: false: any cost up to the limit will do
 * out        *cost: INFINITY if it is more than the limit */
static WmStatus find_walk(WmLinkGenerator *generator, const WmMesh *mesh, const WmSegmentLink *link,
                          float limit, bool is_exact, float *cost) {
  Walk walk = {.context = generator->context,
               .mesh = mesh,
               .limit = limit,
               .near = NEAR * (double)generator->limits.cell_size,
               .best = INFINITY,
               .any = !is_exact};
  float start[3], end[3];
  uint32_t slot, polygon;
  *cost = INFINITY;
  if (!find_polygon(mesh, &generator->limits, link->start, link->end, start, &slot, &polygon) ||
      !find_polygon(mesh, &generator->limits, link->end, link->start, end, &walk.end_slot,
                    &walk.end_polygon) ||
      wm_distance(start, end) > limit) {
    return WM_OK;
  }
  set_point(&walk.end, end);
  const WmScratchMark mark = wm_scratch_mark(generator->context);
  const WmStatus status = search(&walk, slot, polygon, start);
  wm_scratch_rewind(generator->context, mark);
  *cost = (float)walk.best;
  return status;
}

static WmStatus refuse(WmLinkGenerator *generator, const WmSegmentLink *link, float cost, WmLinkList *list) {
  const WmStatus status =
      wm_buffer_reserve(generator->context, &list->refused, list->refused_count + 1, sizeof(WmRefusedLink));
  if (status) return status;
  WmRefusedLink *refused = (WmRefusedLink *)list->refused.items + list->refused_count++;
  *refused = (WmRefusedLink){.reason = WM_LINK_SAVES_NOTHING,
                             .kind = link->kind,
                             .value = link->cost > 0 ? cost / link->cost : 0,
                             .limit = generator->config.min_saving};
  wm_interpolate(link->start[0], link->start[1], 0.5f, refused->start);
  wm_interpolate(link->end[0], link->end[1], 0.5f, refused->end);
  memcpy(refused->place, refused->end, sizeof refused->place);
  return WM_OK;
}

WmStatus wm_link_saving(WmLinkGenerator *generator, const WmMesh *mesh, bool wants_refused,
                        WmLinkList *list) {
  WmSegmentLink *links = list->links.items;
  size_t count = 0;
  for (size_t i = 0; i < list->count; i++) {
    float cost;
    WmStatus status = find_walk(generator, mesh, &links[i], generator->config.min_saving * links[i].cost,
                                wants_refused, &cost);
    if (!status && wants_refused && cost < INFINITY) status = refuse(generator, &links[i], cost, list);
    if (status) return status;
    if (cost == INFINITY) links[count++] = links[i];
  }
  list->count = count;
  return WM_OK;
}
