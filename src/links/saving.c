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

enum { LEFT, RIGHT };

typedef struct Point {
  double x, y, z;
} Point;

/* A corner of walks, or their start. */
typedef struct Root {
  Point point;
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
  uint32_t *table;   /* [table_size] index of a root + 1; 0: empty */
  size_t table_size; /* a power of two */
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

static size_t hash_point(const Point *point) {
  uint64_t bits[2];
  memcpy(&bits[0], &point->x, sizeof bits[0]);
  memcpy(&bits[1], &point->z, sizeof bits[1]);
  const uint64_t hash = (bits[0] ^ (bits[1] << 32 | bits[1] >> 32)) * UINT64_C(0x9e3779b97f4a7c15);
  return (size_t)(hash >> 32);
}

/* The place of a point in the table, or the empty one where it belongs. */
static size_t find_place(const Walk *walk, const Point *point) {
  size_t at = hash_point(point) & (walk->table_size - 1);
  for (; walk->table[at]; at = (at + 1) & (walk->table_size - 1)) {
    const Point *other = root_point(walk, walk->table[at] - 1);
    if (other->x == point->x && other->y == point->y && other->z == point->z) break;
  }
  return at;
}

static WmStatus enlarge_table(Walk *walk) {
  const size_t size = walk->table_size ? 2 * walk->table_size : 64;
  walk->table = wm_scratch_zeroed(walk->context, size, sizeof *walk->table);
  if (!walk->table) return WM_ERROR_OUT_OF_MEMORY;
  walk->table_size = size;
  for (uint32_t i = 0; i < walk->root_count; i++) walk->table[find_place(walk, root_point(walk, i))] = i + 1;
  return WM_OK;
}

/* Finds the root at a point, or adds it, and lowers its cost. */
static WmStatus find_root(Walk *walk, const Point *point, double cost, uint32_t *index) {
  if (2 * walk->root_count >= walk->table_size && enlarge_table(walk)) return WM_ERROR_OUT_OF_MEMORY;
  const size_t at = find_place(walk, point);
  if (walk->table[at]) {
    *index = walk->table[at] - 1;
    if (cost < walk->roots[*index].cost) walk->roots[*index].cost = cost;
    return WM_OK;
  }
  walk->roots = wm_scratch_reserve(walk->context, walk->roots, &walk->root_capacity, walk->root_count + 1,
                                   sizeof *walk->roots);
  if (!walk->roots) return WM_ERROR_OUT_OF_MEMORY;
  *index = (uint32_t)walk->root_count++;
  walk->roots[*index] = (Root){.point = *point, .cost = cost};
  walk->table[at] = *index + 1;
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
static WmStatus push_whole(Walk *walk, Cone *cone) {
  const uint32_t last = walk->roots[cone->root].last_whole;
  if (walk->roots[cone->root].whole_count == WHOLE_LIMIT) return WM_OK;
  for (uint32_t at = last; at; at = walk->cones[at - 1].before_whole) {
    const Cone *other = &walk->cones[at - 1];
    if (is_same_part(other, cone) && other->cost <= cone->cost) return WM_OK;
  }
  const size_t count = walk->cone_count;
  cone->before_whole = last;
  const WmStatus status = push(walk, cone);
  if (walk->cone_count == count) return status;
  walk->roots[cone->root].whole_count++;
  walk->roots[cone->root].last_whole = (uint32_t)walk->cone_count;
  return status;
}

/* ---- The search ---------------------------------------------------------------------------------------- */

/* The portals of a polygon, one after the other. */
typedef struct Portals {
  const WmMeshTile *tile;
  uint32_t next, end;
  Cone cone; /* over the whole portal, without root and cost */
} Portals;

/* Moves on to the next portal to ground, unless it leads back.
 * returns    false if there is none */
static bool find_portal(const Walk *walk, Portals *portals, const Cone *entered) {
  while (portals->next < portals->end) {
    const uint32_t i = portals->next++;
    const WmLink *link = &portals->tile->links[i];
    const WmMeshTile *target = wm_mesh_tile(walk->mesh, link->slot);
    if (!target || link->polygon >= target->ground_count) continue; /* not a connection or segment link */
    if (entered && link->slot == entered->from_slot && link->polygon == entered->from_polygon) continue;
    const float *points = portals->tile->link_portals + 6 * (size_t)i;
    for (int side = LEFT; side <= RIGHT; side++) set_point(&portals->cone.ends[side], points + 3 * side);
    portals->cone.slot = link->slot;
    portals->cone.polygon = link->polygon;
    return true;
  }
  return false;
}

static Portals start_portals(const Walk *walk, uint32_t slot, uint32_t polygon) {
  const WmMeshTile *tile = wm_mesh_tile(walk->mesh, slot);
  return (Portals){.tile = tile,
                   .next = tile->link_first[polygon],
                   .end = tile->link_first[polygon + 1],
                   .cone = {.from_slot = slot, .from_polygon = polygon, .has = {true, true}}};
}

static void note_walk(Walk *walk, double cost) {
  if (cost < walk->best && cost <= walk->limit) walk->best = cost;
}

/* Continues from a root that sees a whole polygon.
 * in         entered: the cone that came into it; NULL: none */
static WmStatus expand_whole(Walk *walk, uint32_t slot, uint32_t polygon, uint32_t root, double cost,
                             const Cone *entered) {
  if (slot == walk->end_slot && polygon == walk->end_polygon)
    note_walk(walk, cost + distance(root_point(walk, root), &walk->end));
  Portals portals = start_portals(walk, slot, polygon);
  portals.cone.root = root;
  portals.cone.cost = cost;
  while (find_portal(walk, &portals, entered)) {
    Cone cone = portals.cone;
    const WmStatus status = push_whole(walk, &cone);
    if (status) return status;
  }
  return WM_OK;
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

/* Adds the part of a portal that lies beside a cone: walks turn at the cone's end. */
static WmStatus push_beside(Walk *walk, const Cone *cone, int side, const Cone *portal, double low,
                            double high) {
  Cone part = *portal;
  if (!cone->has[side]) return WM_OK;
  part.cost = cone->cost + distance(root_point(walk, cone->root), &cone->ends[side]);
  if (!(part.cost <= walk->limit)) return WM_OK;
  cut_portal(&part, low, high);
  const WmStatus status = find_root(walk, &cone->ends[side], part.cost, &part.root);
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
  WmStatus status = WM_OK;
  if (low > 0) status = push_beside(walk, cone, RIGHT, portal, 0, low);
  if (!status && high < 1) status = push_beside(walk, cone, LEFT, portal, high, 1);
  if (status || !(low < high)) return status;
  Cone part = *portal;
  cut_portal(&part, low, high);
  part.root = cone->root;
  part.cost = cone->cost;
  return push(walk, &part);
}

/* Ends walks in the end's polygon. */
static void reach_end(Walk *walk, const Cone *cone) {
  const Point *root = root_point(walk, cone->root), *bend = find_bend(root, cone->ends, &walk->end);
  note_walk(walk, cone->cost + (bend ? distance(root, bend) + distance(bend, &walk->end)
                                     : distance(root, &walk->end)));
}

/* A root on the line of its part of a portal: walks go to its nearer end first, and see the whole polygon from there.
 * returns    WM_OK, also if walks can't turn there; WM_ERROR_OUT_OF_MEMORY */
static WmStatus expand_along(Walk *walk, const Cone *cone) {
  const Point *root = root_point(walk, cone->root), *left = &cone->ends[LEFT], *right = &cone->ends[RIGHT];
  const double to_left = plane_distance(root, left), to_right = plane_distance(root, right);
  const int side = to_left < to_right ? LEFT : RIGHT;
  uint32_t from = cone->root;
  double cost = cone->cost;
  if (to_left + to_right > plane_distance(left, right) + walk->near) { /* it lies beside the part */
    if (!cone->has[side]) return WM_OK;
    cost += distance(root, &cone->ends[side]);
    const WmStatus status = find_root(walk, &cone->ends[side], cost, &from);
    if (status) return status;
  }
  return expand_whole(walk, cone->slot, cone->polygon, from, cost, cone);
}

static WmStatus expand(Walk *walk, const Cone *cone) {
  const Point *left = &cone->ends[LEFT], *right = &cone->ends[RIGHT];
  if (!(find_turn(root_point(walk, cone->root), right, left) > walk->near * plane_distance(left, right)))
    return expand_along(walk, cone);
  if (cone->slot == walk->end_slot && cone->polygon == walk->end_polygon) reach_end(walk, cone);
  Portals portals = start_portals(walk, cone->slot, cone->polygon);
  while (find_portal(walk, &portals, cone)) {
    const WmStatus status = expand_portal(walk, cone, &portals.cone);
    if (status) return status;
  }
  return WM_OK;
}

static WmStatus search(Walk *walk, uint32_t slot, uint32_t polygon, const float start[3]) {
  uint32_t root;
  Point point;
  set_point(&point, start);
  WmStatus status = find_root(walk, &point, 0, &root);
  if (!status) status = expand_whole(walk, slot, polygon, root, 0, NULL);
  while (!status && walk->heap_count > 0 && !(walk->any && walk->best < INFINITY)) {
    const Cone cone = walk->cones[(uint32_t)walk->heap[0]]; /* a copy: the array may move */
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
