/* Points and polygons of one tile. See locate.h. */
#include "mesh/locate.h"

#include <float.h>
#include <math.h>

#include "base/simd.h"
#include "mesh/detail_boxes.h"
#include "mesh/leaf_boxes.h"

/* ---- Segments ----------------------------------------------------------------------------------------- */

void wm_interpolate(const float first[3], const float second[3], float t, float out[3]) {
  for (int axis = 0; axis < 3; axis++) out[axis] = first[axis] + (second[axis] - first[axis]) * t;
}

WM_INLINE float find_distance(const float *point, const float *first, const float *second, float *t) {
  const float edge_x = second[0] - first[0], edge_z = second[2] - first[2];
  const float along = edge_x * (point[0] - first[0]) + edge_z * (point[2] - first[2]);
  const float squared = edge_x * edge_x + edge_z * edge_z;
  const float at = along <= 0 ? 0 : along >= squared ? 1 : along / squared;
  const float x = (first[0] + at * edge_x) - point[0], z = (first[2] + at * edge_z) - point[2];
  *t = at;
  return x * x + z * z;
}

float wm_distance_to_segment(const float point[3], const float first[3], const float second[3], float *t) {
  return find_distance(point, first, second, t);
}

/* ---- One polygon -------------------------------------------------------------------------------------- */

const float *wm_tile_vertex(const WmMeshTile *tile, uint32_t polygon, uint32_t k) {
  if (k == tile->polygon_size[polygon]) k = 0;
  return tile->vertices +
         3 * (size_t)tile->polygon_vertices[WM_TILE_VERTICES_PER_POLYGON * (size_t)polygon + k];
}

bool wm_tile_contains(const WmMeshTile *tile, uint32_t polygon, const float point[3]) {
  const uint32_t size = tile->polygon_size[polygon];
  bool inside = false;
  const uint16_t *numbers = tile->polygon_vertices + WM_TILE_VERTICES_PER_POLYGON * (size_t)polygon;
  const float *previous = tile->vertices + 3 * (size_t)numbers[size - 1];
  for (uint32_t k = 0; k < size; k++) {
    const float *vertex = tile->vertices + 3 * (size_t)numbers[k];
    const bool above = vertex[2] > point[2];
    if (above != (previous[2] > point[2])) {
      /* An edge is taken from the same end for both its polygons, so that rounding leaves no gap between them
       * (Detour's does: a move that ends there goes to the nearest wall). */
      const float *a = above ? vertex : previous, *b = above ? previous : vertex;
      inside ^= point[0] < (b[0] - a[0]) * (point[2] - a[2]) / (b[2] - a[2]) + a[0];
    }
    previous = vertex;
  }
  return inside;
}

const float *wm_tile_corner(const WmMeshTile *tile, uint32_t polygon, uint32_t corner) {
  const uint32_t size = tile->polygon_size[polygon];
  if (corner < size) return wm_tile_vertex(tile, polygon, corner);
  return tile->detail_vertices + 3 * ((size_t)tile->details[polygon].first_vertex + (corner - size));
}

/* The corners of a ground polygon's detail mesh. */
typedef struct Corners {
  uint32_t size; /* of the polygon: its own come first */
  const uint16_t *numbers;
  const float *own, *more;
} Corners;

WM_INLINE Corners find_corners(const WmMeshTile *tile, uint32_t polygon) {
  return (Corners){tile->polygon_size[polygon],
                   tile->polygon_vertices + WM_TILE_VERTICES_PER_POLYGON * (size_t)polygon, tile->vertices,
                   tile->detail_vertices + 3 * (size_t)tile->details[polygon].first_vertex};
}

WM_INLINE const float *corner_at(const Corners *corners, uint32_t number) {
  if (number < corners->size) return corners->own + 3 * (size_t)corners->numbers[number];
  return corners->more + 3 * (size_t)(number - corners->size);
}

/* Height of a triangle at a point, if the point is in it. */
WM_INLINE bool height_in_triangle(const float point[3], const float *a, const float *b, const float *c,
                                  float *height) {
  const float ac[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
  const float ab[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  const float ap[3] = {point[0] - a[0], 0, point[2] - a[2]};
  float area = ac[0] * ab[2] - ac[2] * ab[0];
  if (fabsf(area) < 1e-6f) return false;
  float u = ab[2] * ap[0] - ab[0] * ap[2];
  float v = ac[0] * ap[2] - ac[2] * ap[0];
  if (area < 0) {
    area = -area;
    u = -u;
    v = -v;
  }
  if (!(u >= 0.0f && v >= 0.0f && u + v <= area)) return false;
  *height = a[1] + (ac[1] * u + ab[1] * v) / area;
  return true;
}

/* Moves `closest` to a segment that is nearer on x and z than `best`, the distance of the one before,
 * negative if there is none; of equally near ones the first counts. Returns the distance. */
WM_INLINE float try_segment(const float *point, const float *first, const float *second, float best,
                            float closest[3]) {
  float t;
  const float distance = find_distance(point, first, second, &t);
  if (!(best < 0) && !(distance < best)) return best;
  wm_interpolate(first, second, t, closest);
  return distance;
}

/* Which edges of a polygon are tried: its own, those of its detail mesh on its boundary, or all of its detail
 * mesh (each inner edge once). Without any such edge the polygon's own are taken. */
typedef enum Edges { OWN_EDGES, BOUNDARY_EDGES, DETAIL_EDGES } Edges;

/* The nearest point of a ground polygon's edges on x and z. */
static void closest_on_edges(const WmMeshTile *tile, uint32_t polygon, const float point[3], Edges edges,
                             float closest[3]) {
  const WmTileDetail *detail = &tile->details[polygon];
  const uint8_t *triangle = tile->detail_triangles + 4 * (size_t)detail->first_triangle;
  const Corners corners = find_corners(tile, polygon);
  float best = -1;
  for (uint32_t i = 0; edges && i < detail->triangle_count; i++, triangle += 4) {
    if (edges == BOUNDARY_EDGES && (triangle[3] & 0x15) == 0) continue;
    for (int k = 0, from = 2; k < 3; from = k++) {
      const bool boundary = (triangle[3] >> (2 * from) & 1) != 0;
      if (!boundary && (edges == BOUNDARY_EDGES || triangle[from] < triangle[k])) continue;
      best = try_segment(point, corner_at(&corners, triangle[from]), corner_at(&corners, triangle[k]), best,
                         closest);
    }
  }
  const bool none_tried = best < 0;
  for (uint32_t k = 0; none_tried && k < tile->polygon_size[polygon]; k++) {
    best = try_segment(point, wm_tile_vertex(tile, polygon, k), wm_tile_vertex(tile, polygon, k + 1), best,
                       closest);
  }
}

float wm_tile_height(const WmMeshTile *tile, uint32_t polygon, const float point[3]) {
  const WmTileDetail *detail = &tile->details[polygon];
  const uint8_t *triangles = tile->detail_triangles + 4 * (size_t)detail->first_triangle;
  const Corners corners = find_corners(tile, polygon);
  const uint32_t count = detail->triangle_count;
  const bool few = count <= 4; /* not worth the boxes */
  const uint32_t at = few ? 0 : wm_detail_point(&tile->detail_frames[polygon], point);
  const uint32_t *boxes = tile->detail_boxes + detail->first_triangle;
  for (uint32_t i = 0; i < count; i += 4) {
    for (uint32_t found = few ? 15 : wm_detail_boxes_have(boxes + i, at); found; found &= found - 1) {
      const uint32_t number = i + (uint32_t)__builtin_ctz(found);
      if (number >= count) break;
      const uint8_t *triangle = triangles + 4 * (size_t)number;
      float height;
      if (height_in_triangle(point, corner_at(&corners, triangle[0]), corner_at(&corners, triangle[1]),
                             corner_at(&corners, triangle[2]), &height)) {
        return height;
      }
    }
  }
  /* Rounding put it between two triangles. */
  float closest[3];
  closest_on_edges(tile, polygon, point, DETAIL_EDGES, closest);
  return closest[1];
}

bool wm_tile_closest_point(const WmMeshTile *tile, uint32_t polygon, const float point[3], bool detail,
                           float closest[3]) {
  if (polygon >= tile->ground_count) { /* the moved ends of an off-mesh connection */
    const float *ends = tile->connection_ends + 6 * (size_t)(polygon - tile->ground_count);
    const float best = try_segment(point, ends, ends + 3, -1, closest);
    if (!detail) try_segment(point, ends + 3, ends, best, closest);
    return false;
  }
  const bool inside = wm_tile_contains(tile, polygon, point);
  if (inside) {
    const float height = detail ? wm_tile_height(tile, polygon, point) : point[1];
    memcpy(closest, point, 3 * sizeof *closest);
    closest[1] = height;
  } else {
    closest_on_edges(tile, polygon, point, detail ? BOUNDARY_EDGES : OWN_EDGES, closest);
  }
  return inside;
}

/* ---- The nearest of a tile ---------------------------------------------------------------------------- */

/* Whether a point is farther than half a cell outside of an edge: then it is not on the outline. */
static bool is_beside(const WmMeshTile *tile, uint32_t polygon, const float point[3]) {
  const Corners corners = find_corners(tile, polygon);
  const float slack = 0.5f / tile->cells_per_unit;
  const float *first = corner_at(&corners, corners.size - 1);
  for (uint32_t k = 0; k < corners.size; k++) {
    const float *second = corner_at(&corners, k);
    const float x = second[0] - first[0], z = second[2] - first[2];
    const float level = z * (point[0] - first[0]) - x * (point[2] - first[2]);
    if (level < 0 && level * level > slack * slack * (x * x + z * z)) return true;
    first = second;
  }
  return false;
}

/* Improves the best by a polygon. */
static void consider(const WmMeshTile *tile, uint32_t polygon, WmNearestSearch *search) {
  const uint16_t flags = tile->polygon_flags[polygon];
  const bool passes = (flags & search->include_flags) != 0 && (flags & search->exclude_flags) == 0;
  if (!passes && !search->any_flags) return;
  float closest[3];
  const bool over = wm_tile_contains(tile, polygon, search->centre);
  if (over) {
    memcpy(closest, search->centre, sizeof closest);
    closest[1] = wm_tile_height(tile, polygon, closest);
  } else if (search->near && is_beside(tile, polygon, search->centre)) {
    return;
  } else {
    closest_on_edges(tile, polygon, search->centre, BOUNDARY_EDGES, closest);
  }
  const float x = search->centre[0] - closest[0], y = search->centre[1] - closest[1],
              z = search->centre[2] - closest[2];
  float score = x * x + y * y + z * z;
  if (score > search->farthest) return;
  if (search->side != 0 && y * (float)search->side > tile->agent_max_climb) return;
  if (over && !search->plain) {
    const float gap = fabsf(y) - tile->agent_max_climb;
    score = gap > 0 ? gap * gap : 0;
  }
  if (search->near && score > 0) return;
  if (!(score < search->score)) {
    if (!search->plain || !search->tile || score > search->score) return;
    if (tile->ref + polygon >= search->tile->ref + search->polygon) return;
  }
  search->tile = tile;
  search->polygon = polygon;
  search->score = score;
  search->over = over;
  memcpy(search->point, closest, sizeof search->point);
}

/* What boxes are tested against, in cells above the tile's minimum. */
typedef struct TreeQuery {
  int16_t low[3], high[3]; /* as the blocks have them */
  float centre[3];
  float rise, climb;
} TreeQuery;

/* Boxes of nodes are truncated at their high ends, and all is rounded; on y surfaces lie beside them. */
#define SLACK_LOW 0.5f
#define SLACK_HIGH 1.5f
/* Beside rounding to even cells: of boxes that a score of 0 is looked for in. */
#define SLACK_NEAR 0.5f

/* `value`, held within the tile, in cells above its minimum, within 16 bits. */
static uint16_t quantise(const WmMeshTile *tile, int axis, float value, float more) {
  const float least = tile->bounds_min[axis], most = tile->bounds_max[axis];
  const float held = value < least ? least : value > most ? most : value;
  const float cells = (held - least) * tile->cells_per_unit + more;
  if (!(cells > 0.0f)) return 0;
  return cells >= 65535.0f ? 65535 : (uint16_t)cells;
}

WM_INLINE void make_tree_query(const WmMeshTile *tile, const WmNearestSearch *search, TreeQuery *query) {
  query->climb = search->plain ? 0 : tile->agent_max_climb * tile->cells_per_unit;
  query->rise = tile->node_rise;
  for (int axis = 0; axis < 3; axis++) {
    float low = search->low[axis], high = search->high[axis];
    if (search->near) {
      const float slack = axis == 1 ? SLACK_NEAR + tile->node_rise : SLACK_NEAR;
      const float reach = slack / tile->cells_per_unit + (axis == 1 ? tile->agent_max_climb : 0);
      if (low < search->centre[axis] - reach) low = search->centre[axis] - reach;
      if (high > search->centre[axis] + reach) high = search->centre[axis] + reach;
    }
    query->high[axis] = (int16_t)((quantise(tile, axis, high, 1) | 1) ^ 0x8000);
    query->low[axis] = (int16_t)((quantise(tile, axis, low, 0) & 0xfffe) ^ 0x8000);
    query->centre[axis] = (search->centre[axis] - tile->bounds_min[axis]) * tile->cells_per_unit;
  }
}

/* No polygon in a box can have a lower score, in squared cells. */
static float lowest_score(const WmLeafBlock *block, uint32_t lane, const TreeQuery *query) {
  float flat = 0, rise = 0;
  for (int axis = 0; axis < 3; axis++) {
    const float low = (float)(block->low[axis][lane] + 0x8000),
                high = (float)(block->high[axis][lane] + 0x8000);
    const float below = low - SLACK_LOW - query->centre[axis];
    const float above = query->centre[axis] - high - SLACK_HIGH;
    float away = below > above ? below : above;
    if (axis == 1) away -= query->rise;
    if (!(away > 0)) away = 0;
    if (axis == 1) {
      rise = away;
    } else {
      flat += away * away;
    }
  }
  if (flat == 0) {
    rise -= query->climb;
    if (!(rise > 0)) return 0;
  }
  return flat + rise * rise;
}

/* Blocks of a level that a walk is in, and which of its boxes it still has to enter. */
typedef struct Level {
  const WmLeafBlock *blocks;
  uint32_t count; /* of boxes */
  uint32_t block, left;
} Level;

/* Of equal scores the first in the order of the leaves wins. */
WM_INLINE void search_tree(const WmMeshTile *tile, WmNearestSearch *search) {
  const float scale = tile->cells_per_unit * tile->cells_per_unit * 1.0001f; /* to squared cells */
  TreeQuery query;
  if (tile->leaf_count == 0) return;
  make_tree_query(tile, search, &query);
  Level levels[WM_LEAF_LEVELS];
  Level *level = levels, *top;
  level->blocks = tile->leaf_blocks;
  level->count = tile->leaf_count;
  for (; level->count > 8; level++) {
    level[1].count = (level->count + 7) / 8;
    level[1].blocks = level->blocks + level[1].count;
  }
  top = level;
  for (uint32_t block = 0;;) {
    level->block = block;
    level->left = wm_leaf_block_touches(&level->blocks[block], query.low, query.high);
    for (;;) {
      while (level->left == 0) {
        if (level++ == top) return;
      }
      const uint32_t lane = (uint32_t)__builtin_ctz(level->left);
      const uint32_t box = 8 * level->block + lane;
      level->left &= level->left - 1;
      if (box >= level->count) continue; /* behind the last */
      if (search->score < FLT_MAX &&
          lowest_score(&level->blocks[level->block], lane, &query) > search->score * scale) {
        continue;
      }
      if (level > levels) {
        level--;
        block = box;
        break;
      }
      consider(tile, tile->leaf_polygons[box], search);
      if (search->score <= 0 && !search->plain) return; /* nothing is lower */
    }
  }
}

/* A tile without a tree, as Detour's tile cache makes them: small, so all polygons are looked at. */
WM_INLINE void search_all(const WmMeshTile *tile, WmNearestSearch *search) {
  for (uint32_t i = 0; i < tile->ground_count; i++) {
    bool apart = false;
    for (int axis = 0; axis < 3; axis++) {
      uint32_t below = 0, above = 0; /* vertices */
      for (uint32_t k = 0; k < tile->polygon_size[i]; k++) {
        const float value = wm_tile_vertex(tile, i, k)[axis];
        below += value < search->low[axis];
        above += value > search->high[axis];
      }
      apart |= below == tile->polygon_size[i] || above == tile->polygon_size[i];
    }
    if (!apart) consider(tile, i, search);
  }
}

void wm_nearest_begin(WmNearestSearch *search, const float centre[3], const float half_extents[3]) {
  *search = (WmNearestSearch){.include_flags = 0xffff, .farthest = INFINITY, .score = FLT_MAX};
  for (int axis = 0; axis < 3; axis++) {
    search->centre[axis] = centre[axis];
    search->low[axis] = centre[axis] - half_extents[axis];
    search->high[axis] = centre[axis] + half_extents[axis];
  }
}

void wm_tile_find_nearest(const WmMeshTile *tile, WmNearestSearch *search) {
  for (int axis = 0; axis < 3; axis++) {
    if (search->low[axis] > tile->bounds_max[axis] || search->high[axis] < tile->bounds_min[axis]) return;
  }
  if (tile->node_count > 0) {
    search_tree(tile, search);
  } else {
    search_all(tile, search);
  }
}

/* ---- Tiles around ------------------------------------------------------------------------------------- */

int32_t wm_mesh_place(const WmMesh *mesh, int axis, float position) {
  const WmMeshParameters *parameters = wm_mesh_parameters(mesh);
  const float size = axis == 0 ? parameters->tile_width : parameters->tile_depth;
  const float place = floorf((position - parameters->origin[axis]) / size), limit = 8388608.0f;
  if (!(place > -limit)) return -8388608;
  return place < limit ? (int32_t)place : 8388608;
}

void wm_box_tiles_begin(WmBoxTiles *tiles, const WmMesh *mesh, const float low[3], const float high[3]) {
  *tiles = (WmBoxTiles){.mesh = mesh};
  for (int i = 0; i < 2; i++) {
    tiles->first[i] = tiles->place[i] = wm_mesh_place(mesh, 2 * i, low[2 * i]);
    tiles->last[i] = wm_mesh_place(mesh, 2 * i, high[2 * i]);
  }
  const size_t slots = wm_mesh_slot_count(mesh);
  const float columns = (float)(tiles->last[0] - tiles->first[0] + 1);
  const float places = columns * (float)(tiles->last[1] - tiles->first[1] + 1);
  tiles->by_slot = wm_mesh_tile_count(mesh) <= 1 || places > (float)(16 + slots);
}

const WmMeshTile *wm_box_tiles_next(WmBoxTiles *tiles) {
  if (tiles->by_slot) {
    while (tiles->slot < wm_mesh_slot_count(tiles->mesh)) {
      const WmMeshTile *tile = wm_mesh_tile(tiles->mesh, tiles->slot++);
      if (tile && tile->ground_count > 0) return tile;
    }
    return NULL;
  }
  for (; tiles->place[1] <= tiles->last[1]; tiles->place[1]++, tiles->place[0] = tiles->first[0]) {
    for (; tiles->place[0] <= tiles->last[0]; tiles->place[0]++) {
      tiles->tile = wm_mesh_next_layer(tiles->mesh, tiles->place[0], tiles->place[1], tiles->tile);
      if (tiles->tile) return tiles->tile;
    }
  }
  return NULL;
}
