/* The shortest line that keeps a distance from walls, as far as portals tell: each portal is narrowed where walls are near its
 * ends, and the line turns at the ends that are left. What it passes on which side is what matters: the string through its
 * corridor, and the line around that, are exact. See room.h.
 *
 * Nodes are the cones of query/shortest/shortest.c in their plainest form: all points of a part of a narrowed portal that a
 * straight line from the root reaches. A portal that is too narrow is passed at one point, in its middle.
 *
 *         wall |      portal       | wall
 *              o---[===========]---o            [ ] ends of the narrowed portal: where the walls are at the distance
 *             /     \         /     \
 *            /       \       /       \
 *                     \     /
 *                       root
 *
 * Source: M. Cui, D. D. Harabor, A. Grastien, "Compromise-free Pathfinding on a Navigation Mesh", 2017. */
#include <float.h>

#include "base/heap.h"
#include "base/inline.h"
#include "mesh/locate.h"
#include "query/room/room_internal.h"

enum {
  NODES = 1 << 10, /* at most: then the search gives up */
  ROOTS = 1 << 11, /* places in the table of roots, a power of two; three in four are filled at most */
  LEFT = 0,
  RIGHT = 1,
};
#define NO_NODE UINT32_MAX

/* A part of a portal, behind which its polygon lies. */
typedef struct Node {
  double cost; /* of the way to the root */
  double root[2], ends[2][2];
  uint32_t slot, polygon, parent;
  uint8_t turns;   /* bits: the line can turn at its left, right end */
  bool is_at_root; /* the root lies on the portal, or in the polygon: all of the polygon is seen */
  bool is_end;     /* the line has reached the end */
} Node;

/* The shortest known way to a root; of cost 0: none. */
typedef struct Root {
  float at[2], cost;
} Root;

typedef struct Search {
  WmQuery *query;
  const WmRoomSearch *task;
  double distance, end[2];
  Node *nodes;
  uint64_t *keys;
  size_t capacity, key_capacity, count, key_count;
  Root *roots;
  uint32_t root_count;
  WmStatus status;
  bool gives_up;
} Search;

static WM_NOINLINE double find_distance(const double a[2], const double b[2]) {
  const double off[2] = {b[0] - a[0], b[1] - a[1]};
  return sqrt(wm_room_dot(off, off));
}

/* Twice the area of a triangle; positive where c lies to the left of the line from a to b. */
static WM_NOINLINE double find_turn(const double a[2], const double b[2], const double c[2]) {
  const double to[2] = {b[0] - a[0], b[1] - a[1]}, other[2] = {c[0] - a[0], c[1] - a[1]};
  return wm_room_cross(to, other);
}

/* ---- Portals ------------------------------------------------------------------------------------------ */

typedef struct Portal {
  double ends[2][2];
  uint8_t turns;
} Portal;

/* How far along a portal from its end the distance to a wall is kept that begins at that end.
 * in         along [2]: the portal's direction from that end, of length 1; wall [2]: from there to the wall's other end */
static double keep_off_wall(const double along[2], const double wall[2], double distance) {
  const double length = sqrt(wm_room_dot(wall, wall));
  if (!(length > 0)) return distance;
  const double cosine = wm_room_dot(along, wall) / length, sine = fabs(wm_room_cross(along, wall)) / length;
  return cosine > 0 ? fmax(distance, fmin(distance / sine, length * cosine + distance)) : distance;
}

static bool is_wall(const Search *search, const WmMeshTile *tile, uint32_t polygon, uint32_t edge) {
  const uint32_t code = tile->polygon_neighbours[WM_TILE_VERTICES_PER_POLYGON * (size_t)polygon + edge];
  if (code & WM_TILE_PORTAL) return false;
  return code == 0 || !wm_filter_passes(search->task->filter, tile->polygon_flags[code - 1]);
}

static bool is_at(const float *vertex, const float *end) {
  return vertex[0] == end[0] && vertex[2] == end[2];
}

/* Raises how far an end of a portal must be left, by the walls of a polygon that begin there: at the edges before and behind
 * the portal's. */
static WM_NOINLINE void keep_off_polygon(const Search *search, const WmMeshTile *tile, uint32_t polygon,
                                         uint32_t edge, const float *end, const double along[2],
                                         double *most) {
  const uint32_t size = tile->polygon_size[polygon];
  const bool is_first = is_at(wm_tile_vertex(tile, polygon, edge), end);
  if (!is_first && !is_at(wm_tile_vertex(tile, polygon, edge + 1), end)) return;
  const uint32_t beside = is_first ? (edge + size - 1) % size : (edge + 1) % size;
  if (!is_wall(search, tile, polygon, beside)) return;
  const float *other = wm_tile_vertex(tile, polygon, is_first ? beside : beside + 1);
  const double wall[2] = {(double)other[0] - (double)end[0], (double)other[2] - (double)end[2]};
  *most = fmax(*most, keep_off_wall(along, wall, search->distance));
}

/* True if a wall touches an end of a portal at which lines could turn. */
static bool touches_wall(Search *search, const WmMeshTile *tile, uint32_t polygon, uint32_t edge,
                         const float *end) {
  WmQuery *query = search->query;
  const size_t row = WM_TILE_VERTICES_PER_POLYGON * (size_t)polygon;
  const uint32_t next = (edge + 1) % tile->polygon_size[polygon];
  const bool is_first = is_at(wm_tile_vertex(tile, polygon, edge), end);
  const WmCornerTile *corners;
  search->status = wm_corners_of_tile(query, search->task->filter, tile, &corners);
  if (search->status) return false;
  if (is_first || is_at(wm_tile_vertex(tile, polygon, edge + 1), end)) {
    const uint32_t vertex = tile->polygon_vertices[row + (is_first ? edge : next)];
    const WmConeCorner *all = query->arrays[WM_QUERY_CORNERS].items;
    const uint8_t kind = all[corners->first + vertex].kind;
    if (kind != WM_CORNER_UNCERTAIN) return kind == WM_CORNER_TURNS;
  }
  uint32_t corner;
  const float at[2] = {end[0], end[2]};
  search->status = wm_corners_at_point(query, search->task->filter, tile->ref + polygon, at, &corner);
  if (search->status || corner == WM_NO_CORNER) return false;
  return ((const WmConeCorner *)query->arrays[WM_QUERY_CORNERS].items)[corner].kind == WM_CORNER_TURNS;
}

/* The edge of a polygon that leads back to another one of its tile; its size: none. */
static uint32_t find_back(const WmMeshTile *tile, uint32_t polygon, uint32_t to) {
  const uint16_t *codes = tile->polygon_neighbours + WM_TILE_VERTICES_PER_POLYGON * (size_t)polygon;
  uint32_t edge = 0;
  while (edge < tile->polygon_size[polygon] && codes[edge] != to + 1) edge++;
  return edge;
}

/* How far one end of a link's portal must be left; 0: no wall is there. */
static WM_NOINLINE double find_inset(Search *search, const WmMeshTile *tile, uint32_t polygon,
                                     const WmLink *link, const float *end, const double along[2]) {
  double inset = 0;
  keep_off_polygon(search, tile, polygon, link->edge, end, along, &inset);
  if (link->slot == tile->slot && link->polygon < tile->ground_count) {
    const uint32_t back = find_back(tile, link->polygon, polygon);
    if (back < tile->polygon_size[link->polygon])
      keep_off_polygon(search, tile, link->polygon, back, end, along, &inset);
  }
  if (inset < search->distance && touches_wall(search, tile, polygon, link->edge, end))
    inset = search->distance;
  return inset;
}

/* The narrowed portal of a link. */
static Portal narrow(Search *search, const WmMeshTile *tile, uint32_t polygon, uint32_t number) {
  const WmLink *link = tile->links + number;
  const float *ends = tile->link_portals + 6 * (size_t)number;
  const double whole[2][2] = {{(double)ends[0], (double)ends[2]}, {(double)ends[3], (double)ends[5]}};
  Portal portal = {{{whole[0][0], whole[0][1]}, {whole[1][0], whole[1][1]}}, 0};
  const double length = find_distance(whole[0], whole[1]);
  if (!(length > 0)) return portal;
  const double along[2] = {(whole[1][0] - whole[0][0]) / length, (whole[1][1] - whole[0][1]) / length};
  const double against[2] = {-along[0], -along[1]};
  double insets[2] = {find_inset(search, tile, polygon, link, ends, along),
                      find_inset(search, tile, polygon, link, ends + 3, against)};
  portal.turns = (uint8_t)((insets[LEFT] > 0) | (insets[RIGHT] > 0) << 1);
  const double sum = insets[LEFT] + insets[RIGHT];
  if (sum >= length) {
    insets[LEFT] *= length / sum;
    insets[RIGHT] = length - insets[LEFT];
    portal.turns = 3;
  }
  for (int i = 0; i < 2; i++) {
    portal.ends[LEFT][i] = whole[LEFT][i] + along[i] * insets[LEFT];
    portal.ends[RIGHT][i] = sum >= length ? portal.ends[LEFT][i] : whole[RIGHT][i] - along[i] * insets[RIGHT];
  }
  return portal;
}

/* ---- Nodes -------------------------------------------------------------------------------------------- */

/* Records a way to a root. Returns false if a shorter one is known. */
static WM_NOINLINE bool reach(Search *search, const double at[2], double cost) {
  const float place[2] = {(float)at[0], (float)at[1]};
  if (search->gives_up) return false; /* the table may be full */
  uint32_t bits[2];
  memcpy(bits, place, sizeof bits);
  for (uint32_t i = (bits[0] * 0x9e3779b1u ^ bits[1] * 0x85ebca77u) >> 15;; i++) {
    Root *root = search->roots + (i & (ROOTS - 1));
    const bool is_new = root->cost == 0;
    if (!is_new && (root->at[0] != place[0] || root->at[1] != place[1])) continue;
    if (!is_new && !((float)cost <= root->cost * (1 + FLT_EPSILON))) return false;
    if (is_new && ++search->root_count > ROOTS / 4 * 3) search->gives_up = true;
    if (is_new || (float)cost < root->cost) *root = (Root){{place[0], place[1]}, fmaxf((float)cost, FLT_MIN)};
    return true;
  }
}

/* The length of the shortest line from the root through a node's portal to the end: on its far side, or mirrored. */
static WM_NOINLINE double bound_rest(const Search *search, const Node *node) {
  const double *left = node->ends[LEFT], *right = node->ends[RIGHT], *root = node->root;
  double end[2] = {search->end[0], search->end[1]};
  if (node->is_at_root) return find_distance(root, end);
  const double along[2] = {right[0] - left[0], right[1] - left[1]}, squared = wm_room_dot(along, along);
  if (!(squared > 0)) return find_distance(root, left) + find_distance(left, end);
  const double area = find_turn(left, right, end), side = find_turn(left, right, root);
  if (side > 0) return find_distance(root, end); /* the line turns before the portal */
  if (area * side > 0) {
    end[0] += 2 * area * along[1] / squared;
    end[1] -= 2 * area * along[0] / squared;
  }
  if (find_turn(root, left, end) > 0) return find_distance(root, left) + find_distance(left, end);
  if (find_turn(root, right, end) < 0) return find_distance(root, right) + find_distance(right, end);
  return find_distance(root, end);
}

/* Opens a node, unless the line through it is too long. */
static WM_NOINLINE void open_node(Search *search, const Node *node) {
  const double total = node->cost + (node->is_end ? 0 : bound_rest(search, node));
  if (search->status || search->gives_up || !(total < search->task->most)) return;
  if (search->count >= NODES) {
    search->gives_up = true;
    return;
  }
  WmContext *context = search->query->context;
  Node *nodes =
      wm_scratch_reserve(context, search->nodes, &search->capacity, search->count + 1, sizeof *nodes);
  uint64_t *keys = nodes ? wm_scratch_reserve(context, search->keys, &search->key_capacity,
                                              search->key_count + 1 + WM_HEAP_MARGIN, sizeof *keys)
                         : NULL;
  if (!nodes || !keys) {
    search->status = WM_ERROR_OUT_OF_MEMORY;
    return;
  }
  if (!search->keys) wm_heap_clear(keys);
  search->nodes = nodes;
  search->keys = keys;
  nodes[search->count] = *node;
  wm_heap_push(keys, &search->key_count, wm_heap_key((float)total, (uint32_t)search->count++));
}

/* ---- One polygon -------------------------------------------------------------------------------------- */

/* The place on a portal, from 0 at its left to 1 at its right end, where a ray meets its line. */
static double cross_portal(const double root[2], const double through[2], const Portal *portal) {
  const double left = find_turn(root, through, portal->ends[LEFT]),
               right = find_turn(root, through, portal->ends[RIGHT]);
  return left - right != 0 ? left / (left - right) : 0;
}

static void find_place(const Portal *portal, double t, double at[2]) {
  for (int i = 0; i < 2; i++)
    at[i] = portal->ends[LEFT][i] + (portal->ends[RIGHT][i] - portal->ends[LEFT][i]) * t;
}

/* Opens the part of a portal from one place to another. */
static WM_NOINLINE void open_part(Search *search, const Node *part, const Portal *portal, double low,
                                  double high) {
  Node node = *part;
  find_place(portal, low, node.ends[LEFT]);
  if (high >= 1)
    memcpy(node.ends[RIGHT], portal->ends[RIGHT], sizeof node.ends[RIGHT]);
  else
    find_place(portal, high, node.ends[RIGHT]);
  node.turns = (uint8_t)((low <= 0 ? portal->turns & 1 : 0) | (high >= 1 ? portal->turns & 2 : 0));
  node.is_at_root = false;
  if (find_distance(node.ends[LEFT], node.ends[RIGHT]) <=
      0) { /* one point: the line turns there as it likes */
    node.cost += find_distance(node.root, node.ends[LEFT]);
    memcpy(node.root, node.ends[LEFT], sizeof node.root);
    node.is_at_root = true;
    if (!reach(search, node.root, node.cost)) return;
  }
  open_node(search, &node);
}

/* Opens the part of a portal that the line reaches by turning at one end of the node's. */
static WM_NOINLINE void open_turned(Search *search, const Node *node, int side, Node part,
                                    const Portal *portal, double low, double high) {
  if (!(node->turns >> side & 1)) return;
  const double cost = node->cost + find_distance(node->root, node->ends[side]);
  if (!reach(search, node->ends[side], cost)) return;
  part.cost = cost;
  memcpy(part.root, node->ends[side], sizeof part.root);
  open_part(search, &part, portal, low, high);
}

/* Opens the parts of a portal of the polygon that a node enters. */
static void open_parts(Search *search, const Node *node, Node part, const Portal *portal) {
  if (node->is_at_root) {
    open_part(search, &part, portal, 0, 1);
    return;
  }
  const double *left = node->ends[LEFT], *right = node->ends[RIGHT];
  const bool is_point = find_distance(portal->ends[LEFT], portal->ends[RIGHT]) <= 0;
  /* On which side of both rays the ends lie: positive is to the left. */
  const bool starts_left = find_turn(node->root, left, portal->ends[LEFT]) > 0;
  const bool ends_left = find_turn(node->root, left, portal->ends[RIGHT]) >= 0;
  const bool starts_right = find_turn(node->root, right, portal->ends[LEFT]) <= 0;
  const bool ends_right = find_turn(node->root, right, portal->ends[RIGHT]) < 0;
  if (ends_left && starts_left) {
    open_turned(search, node, LEFT, part, portal, 0, 1);
  } else if (starts_right && ends_right) {
    open_turned(search, node, RIGHT, part, portal, 0, 1);
  } else if (is_point) {
    open_part(search, &part, portal, 0, 1);
  } else {
    const double low = starts_left ? fmin(fmax(cross_portal(node->root, left, portal), 0), 1) : 0;
    const double high = ends_right ? fmin(fmax(cross_portal(node->root, right, portal), 0), 1) : 1;
    if (starts_left && low > 0) open_turned(search, node, LEFT, part, portal, 0, low);
    if (ends_right && high < 1) open_turned(search, node, RIGHT, part, portal, high, 1);
    if (low < high) open_part(search, &part, portal, low, high);
  }
}

/* Opens the way to the end, in its polygon. */
static void open_end(Search *search, const Node *node, uint32_t number) {
  Node last = *node;
  last.parent = number;
  last.is_end = true;
  if (!node->is_at_root) {
    const int side = find_turn(node->root, node->ends[LEFT], search->end) > 0    ? LEFT
                     : find_turn(node->root, node->ends[RIGHT], search->end) < 0 ? RIGHT
                                                                                 : -1;
    if (side >= 0 && !(node->turns >> side & 1)) return;
    if (side >= 0) {
      last.cost += find_distance(node->root, node->ends[side]);
      memcpy(last.root, node->ends[side], sizeof last.root);
    }
  }
  last.cost += find_distance(last.root, search->end);
  open_node(search, &last);
}

/* True if a line over a portal can be short enough. */
static bool may_lead(const Search *search, const Node *node, const float *portal) {
  Node whole = *node;
  whole.is_at_root = false;
  for (int i = 0; i < 2; i++) {
    whole.ends[i][0] = (double)portal[3 * i];
    whole.ends[i][1] = (double)portal[3 * i + 2];
  }
  return whole.cost + bound_rest(search, &whole) < search->task->most;
}

static void expand(Search *search, uint32_t number) {
  const Node node = search->nodes[number];
  const WmMesh *mesh = search->query->mesh;
  const WmMeshTile *tile = wm_mesh_tile(mesh, node.slot);
  const Node *parent = node.parent == NO_NODE ? NULL : search->nodes + node.parent;
  const uint32_t from_slot = parent ? parent->slot : UINT32_MAX, from = parent ? parent->polygon : UINT32_MAX;
  if (tile->ref + node.polygon == search->task->end) open_end(search, &node, number);
  for (uint32_t i = tile->link_first[node.polygon]; i < tile->link_first[node.polygon + 1]; i++) {
    const WmLink *link = tile->links + i;
    const WmMeshTile *next = link->slot == tile->slot ? tile : wm_mesh_tile(mesh, link->slot);
    if (!next || link->polygon >= next->ground_count || link->edge >= tile->polygon_size[node.polygon])
      continue;
    if (link->slot == from_slot && link->polygon == from) continue;
    if (!wm_filter_passes(search->task->filter, next->polygon_flags[link->polygon])) continue;
    if (!may_lead(search, &node, tile->link_portals + 6 * (size_t)i)) continue;
    const Portal portal = narrow(search, tile, node.polygon, i);
    if (search->status) return;
    const Node part = {.cost = node.cost,
                       .root = {node.root[0], node.root[1]},
                       .slot = link->slot,
                       .polygon = link->polygon,
                       .parent = number};
    open_parts(search, &node, part, &portal);
  }
}

/* ---- The search --------------------------------------------------------------------------------------- */

/* Writes the polygons of the line to a node that has reached the end. */
static WmStatus write_corridor(Search *search, uint32_t last, size_t *count) {
  WmQuery *query = search->query;
  size_t found = 0;
  for (uint32_t i = search->nodes[last].parent; i != NO_NODE; i = search->nodes[i].parent) found++;
  const WmStatus status = wm_query_reserve(query, WM_QUERY_FORMER, WM_QUERY_FORMER, found);
  if (status) return status;
  WmRef *polygons = query->arrays[WM_QUERY_FORMER].items;
  *count = found;
  for (uint32_t i = search->nodes[last].parent; i != NO_NODE; i = search->nodes[i].parent) {
    const Node *node = search->nodes + i;
    polygons[--found] = wm_mesh_tile(query->mesh, node->slot)->ref + node->polygon;
  }
  return WM_OK;
}

static WmStatus run(Search *search, size_t *count) {
  const WmRoomSearch *task = search->task;
  const Node start = {.root = {(double)task->from[0], (double)task->from[2]},
                      .slot = wm_ref_slot(task->start),
                      .polygon = wm_ref_polygon(task->start),
                      .parent = NO_NODE,
                      .is_at_root = true};
  open_node(search, &start);
  while (search->key_count > 0 && !search->status && !search->gives_up) {
    const uint32_t number = (uint32_t)search->keys[0];
    wm_heap_remove(search->keys, &search->key_count);
    if (search->nodes[number].is_end) return write_corridor(search, number, count);
    expand(search, number);
  }
  return search->status;
}

WmStatus wm_room_search(WmQuery *query, const WmRoomSearch *task, size_t *count) {
  *count = 0;
  WmStatus status = wm_corners_begin(query, task->filter);
  if (status) return status;
  const WmScratchMark mark = wm_scratch_mark(query->context);
  Search search = {.query = query,
                   .task = task,
                   .distance = (double)task->distance,
                   .end = {(double)task->to[0], (double)task->to[2]},
                   .roots = wm_scratch_zeroed(query->context, ROOTS, sizeof(Root))};
  status = search.roots ? run(&search, count) : WM_ERROR_OUT_OF_MEMORY;
  wm_scratch_rewind(query->context, mark);
  return status;
}
