/* Polygons in a box, a vertical cylinder, or a prism over a convex outline. See overlap.h.
 *
 * A polygon overlaps a region if one of its edges touches it, or if it contains a point of it: that holds for
 * polygons that aren't convex, too. Candidates come from the tile's tree and are marked as bits by their
 * numbers, which puts them in order. Tests are made in double: exact for the coordinates of a level. */
#include <float.h>

#include "base/sort.h"
#include "mesh/locate.h"
#include "query/local/convex.h"
#include "query/local/overlap.h"
#include "query/query_internal.h"

typedef struct Region {
  const WmFilter *filter;
  float low[3], high[3]; /* its bounds; a box is no more than that */
  const float *point;    /* a point of it on x and z */
  double squared_radius; /* of a cylinder around `point`; INFINITY: none */
  WmConvex outline;      /* count 0: none */
  /* The result. */
  WmQuery *query;
  size_t max_polygons;
  WmPolygons *polygons;
} Region;

const WmFilter WM_EVERY_POLYGON = {.include_flags = 0xffff};

/* ---- One polygon -------------------------------------------------------------------------------------- */

/* True if a segment touches the rectangle of the bounds. */
static bool touches_box(const Region *region, const float *first, const float *second) {
  double enter = 0, leave = 1;
  for (int axis = 0; axis < 3; axis += 2) {
    const double from = first[axis], along = second[axis] - from;
    double low = region->low[axis] - from, high = region->high[axis] - from;
    if (along == 0) {
      if (low > 0 || high < 0) return false;
      continue;
    }
    low /= along;
    high /= along;
    enter = fmax(enter, fmin(low, high));
    leave = fmin(leave, fmax(low, high));
  }
  return enter <= leave;
}

static bool touches_circle(const Region *region, const float *first, const float *second) {
  const double x = (double)second[0] - first[0], z = (double)second[2] - first[2];
  const double from_x = (double)region->point[0] - first[0], from_z = (double)region->point[2] - first[2];
  const double squared = x * x + z * z, along = from_x * x + from_z * z;
  const double t = along <= 0 ? 0 : along >= squared ? 1 : along / squared;
  const double away_x = from_x - x * t, away_z = from_z - z * t;
  return away_x * away_x + away_z * away_z <= region->squared_radius;
}

static bool is_at_height(const Region *region, const WmMeshTile *tile, uint32_t polygon) {
  const uint32_t end = tile->polygon_size[polygon] + tile->details[polygon].vertex_count;
  float low = INFINITY, high = -INFINITY;
  for (uint32_t k = 0; k < end; k++) {
    const float y = wm_tile_corner(tile, polygon, k)[1];
    low = y < low ? y : low;
    high = y > high ? y : high;
  }
  return low <= region->high[1] && high >= region->low[1];
}

static bool overlaps(const Region *region, const WmMeshTile *tile, uint32_t polygon) {
  const bool any_flags = region->filter == &WM_EVERY_POLYGON;
  if (!any_flags && !wm_filter_passes(region->filter, tile->polygon_flags[polygon])) return false;
  if (!is_at_height(region, tile, polygon)) return false;
  for (uint32_t k = 0; k < tile->polygon_size[polygon]; k++) {
    const float *first = wm_tile_vertex(tile, polygon, k), *second = wm_tile_vertex(tile, polygon, k + 1);
    if (!touches_box(region, first, second)) continue;
    if (region->squared_radius < INFINITY && !touches_circle(region, first, second)) continue;
    if (region->outline.count > 0 && !wm_convex_touches(&region->outline, first, second)) continue;
    return true;
  }
  return wm_tile_contains(tile, polygon, region->point);
}

/* ---- One tile ----------------------------------------------------------------------------------------- */

/* Boxes of nodes are in cells, truncated at their high ends; on y surfaces may lie beside them. */
enum { SLACK = 2, MARK_BITS = 32 };

typedef uint32_t Marks[WM_TILE_GROUND_LIMIT / MARK_BITS + 1];

static void mark_in_tree(const Region *region, const WmMeshTile *tile, Marks marks) {
  float low[3], high[3];
  for (int axis = 0; axis < 3; axis++) {
    const float slack = axis == 1 ? SLACK + tile->node_rise : SLACK;
    low[axis] = (region->low[axis] - tile->bounds_min[axis]) * tile->cells_per_unit - slack;
    high[axis] = (region->high[axis] - tile->bounds_min[axis]) * tile->cells_per_unit + slack;
    if (low[axis] > WM_TILE_NODE_LIMIT)
      low[axis] = WM_TILE_NODE_LIMIT; /* bounds of nodes are clamped to it */
    if (high[axis] < 0) high[axis] = 0;
  }
  for (uint32_t i = 0; i < tile->node_count;) {
    const WmTileNode *node = &tile->nodes[i];
    bool apart = false;
    for (int axis = 0; axis < 3; axis++)
      apart |= node->low[axis] > high[axis] || node->high[axis] < low[axis];
    const bool leaf = node->index >= 0;
    if (leaf && !apart && overlaps(region, tile, (uint32_t)node->index)) {
      marks[node->index / MARK_BITS] |= 1u << node->index % MARK_BITS;
    }
    i += leaf || !apart ? 1 : (uint32_t)-node->index;
  }
}

static WmStatus add_polygon(Region *region, WmRef polygon) {
  WmPolygons *polygons = region->polygons;
  if (region->max_polygons && polygons->count == region->max_polygons) {
    polygons->cut = true;
    return WM_OK;
  }
  const WmStatus status =
      wm_query_reserve(region->query, WM_QUERY_POLYGONS, WM_QUERY_POLYGONS, polygons->count + 1);
  if (!status) ((WmRef *)region->query->arrays[WM_QUERY_POLYGONS].items)[polygons->count++] = polygon;
  return status;
}

static WmStatus visit_tile(Region *region, const WmMeshTile *tile) {
  for (int axis = 0; axis < 3; axis += 2) {
    const float slack = (tile->bounds_max[axis] - tile->bounds_min[axis]) * 0.01f;
    if (region->low[axis] > tile->bounds_max[axis] + slack) return WM_OK;
    if (region->high[axis] < tile->bounds_min[axis] - slack) return WM_OK;
  }
  Marks marks;
  const uint32_t words = tile->ground_count / MARK_BITS + 1;
  memset(marks, 0, words * sizeof *marks);
  if (tile->node_count > 0) {
    mark_in_tree(region, tile, marks);
  } else {
    for (uint32_t p = 0; p < tile->ground_count; p++) {
      if (overlaps(region, tile, p)) marks[p / MARK_BITS] |= 1u << p % MARK_BITS;
    }
  }
  WmStatus status = WM_OK;
  for (uint32_t word = 0; word < words; word++) {
    for (uint32_t left = marks[word]; left && !status && !region->polygons->cut; left &= left - 1) {
      status = add_polygon(region, tile->ref + word * MARK_BITS + (uint32_t)__builtin_ctz(left));
    }
  }
  return status;
}

/* ---- All tiles ---------------------------------------------------------------------------------------- */

static uint32_t coordinate_key(int32_t coordinate) { return (uint32_t)coordinate ^ 0x80000000u; }

/* Visits the tile places of all tiles by z, then x: for a box with more tile places than there are tiles. */
static WmStatus visit_all(Region *region, const WmMesh *mesh) {
  const size_t slots = wm_mesh_slot_count(mesh), words = sizeof(WmSortItem) / sizeof(uint32_t);
  const WmStatus failure =
      wm_query_reserve(region->query, WM_QUERY_NUMBERS, WM_QUERY_NUMBERS, 2 * words * slots);
  if (failure) return failure;
  WmSortItem *items = region->query->arrays[WM_QUERY_NUMBERS].items;
  size_t count = 0;
  for (size_t slot = 0; slot < slots; slot++) {
    const WmMeshTile *tile = wm_mesh_tile(mesh, slot);
    if (tile && tile->ground_count > 0)
      items[count++] = (WmSortItem){coordinate_key(tile->x), (uint32_t)slot};
  }
  wm_sort_stable(items, items + count, count);
  for (size_t i = 0; i < count; i++) items[i].key = coordinate_key(wm_mesh_tile(mesh, items[i].value)->z);
  wm_sort_stable(items, items + count, count);
  WmStatus status = WM_OK;
  const WmMeshTile *before = NULL;
  for (size_t i = 0; i < count && !status && !region->polygons->cut; i++) {
    const WmMeshTile *at = wm_mesh_tile(mesh, items[i].value), *tile = NULL;
    if (before && before->x == at->x && before->z == at->z)
      continue; /* another tile layer at its tile place */
    before = at;
    while (!status && (tile = wm_mesh_next_layer(mesh, at->x, at->z, tile)) != NULL) {
      status = visit_tile(region, tile);
    }
  }
  return status;
}

/* Polygons on the side of a tile may touch a region that lies in the next tile alone: hence a slightly larger
 * box of tile places.
 * in         region: all but the result */
static WmStatus find_all(WmQuery *query, const WmFilter *filter, Region *region, WmPolygons *polygons) {
  const WmMeshParameters *parameters = wm_mesh_parameters(query->mesh);
  region->query = query;
  region->filter = wm_query_filter(query, filter);
  region->polygons = polygons;
  float low[3] = {0}, high[3] = {0};
  for (int axis = 0; axis < 3; axis += 2) {
    const float slack = (axis == 0 ? parameters->tile_width : parameters->tile_depth) * 0.01f;
    low[axis] = region->low[axis] - slack;
    high[axis] = region->high[axis] + slack;
  }
  WmBoxTiles tiles;
  wm_box_tiles_begin(&tiles, query->mesh, low, high);
  WmStatus status = WM_OK;
  if (tiles.by_slot) {
    status = visit_all(region, query->mesh);
  } else {
    const WmMeshTile *tile;
    while (!status && !polygons->cut && (tile = wm_box_tiles_next(&tiles)) != NULL) {
      status = visit_tile(region, tile);
    }
  }
  polygons->polygons = query->arrays[WM_QUERY_POLYGONS].items;
  if (status) memset(polygons, 0, sizeof *polygons);
  return status;
}

/* ---- Queries ------------------------------------------------------------------------------------------ */

/* Sets the bounds of a region around a point, clamped to finite floats. */
static void set_box(Region *region, const float centre[3], const float half_extents[3]) {
  for (int axis = 0; axis < 3; axis++) {
    region->low[axis] = fmaxf(centre[axis] - half_extents[axis], -FLT_MAX);
    region->high[axis] = fminf(centre[axis] + half_extents[axis], FLT_MAX);
  }
}

WmStatus wm_query_polygons_in_box(WmQuery *query, const float centre[3], const float half_extents[3],
                                  const WmFilter *filter, size_t max_polygons, WmPolygons *polygons) {
  memset(polygons, 0, sizeof *polygons);
  Region region = {.point = centre, .squared_radius = INFINITY, .max_polygons = max_polygons};
  WmStatus status = wm_query_check_position(query->context, centre, "position");
  if (!status) status = wm_query_check_numbers(query->context, half_extents, 3, 0, "halfExtents");
  if (status) return status;
  set_box(&region, centre, half_extents);
  return find_all(query, filter, &region, polygons);
}

WmStatus wm_query_polygons_in_circle(WmQuery *query, const float centre[3], float radius, float half_height,
                                     const WmFilter *filter, size_t max_polygons, WmPolygons *polygons) {
  memset(polygons, 0, sizeof *polygons);
  Region region = {.point = centre, .squared_radius = (double)radius * radius, .max_polygons = max_polygons};
  const float half_extents[3] = {radius, half_height, radius};
  WmStatus status = wm_query_check_position(query->context, centre, "position");
  if (!status) status = wm_query_check_numbers(query->context, &radius, 1, 0, "radius");
  if (!status) status = wm_query_check_numbers(query->context, &half_height, 1, 0, "halfHeight");
  if (status) return status;
  set_box(&region, centre, half_extents);
  return find_all(query, filter, &region, polygons);
}

WmStatus wm_query_polygons_in_convex(WmQuery *query, const float *vertices, size_t vertex_count, float low,
                                     float high, const WmFilter *filter, size_t max_polygons,
                                     WmPolygons *polygons) {
  memset(polygons, 0, sizeof *polygons);
  Region region = {.point = vertices, .squared_radius = INFINITY, .max_polygons = max_polygons};
  const WmStatus status = wm_convex_make(query->context, vertices, vertex_count, "vertices", &region.outline);
  if (status) return status;
  if (!(low <= high)) {
    return wm_fail_number(query->context, WM_ERROR_INVALID_ARGUMENT, "low", "low is ", low,
                          ": must not be above high");
  }
  memcpy(region.low, vertices, sizeof region.low);
  memcpy(region.high, vertices, sizeof region.high);
  for (size_t i = 0; i < 3 * vertex_count; i++) {
    region.low[i % 3] = fminf(region.low[i % 3], vertices[i]);
    region.high[i % 3] = fmaxf(region.high[i % 3], vertices[i]);
  }
  region.low[1] = low;
  region.high[1] = high;
  return find_all(query, filter, &region, polygons);
}
