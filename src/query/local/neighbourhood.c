/* The polygons around a point that don't lie over one another: breadth first through portals that touch the
 * circle. A polygon that lies over one found before is left out, and with it the polygons that only it leads
 * to.
 *
 * Two convex polygons are apart if a line along one of their edges has them on different sides. Polygons that
 * share an edge with the visited one are not tested against it or each other: they can't overlap on a sane
 * mesh, and rounding must not make them.
 *
 * Other polygons that only touch may count as overlapping, as far from the origin rounding exceeds OVERLAP:
 * axes are as long as edges, and positions are absolute. Detour leaves out the same polygons, so tests that
 * are cheaper may only say "apart" where these axes say it too.
 *
 * Source: M. Mononen, Detour (2009-), with the same order; but any number of polygons is visited. */
#include "query/local/neighbourhood.h"

#include "mesh/locate.h"
#include "query/local/breadth_first.h"

/* Smaller overlaps are ignored: squared world units, as axes are as long as edges. */
#define OVERLAP 1e-4f

/* A polygon's extent on x and z: an item of WM_QUERY_SEGMENTS, by index in the result. */
typedef struct Box {
  float low[2], high[2];
  float unused[2];
} Box;

/* A polygon's corners on x and z, and the box around them. */
typedef struct Shape {
  uint32_t size;
  float corners[WM_TILE_VERTICES_PER_POLYGON][2];
  Box box;
} Shape;

static void read_shape(const WmMeshTile *tile, uint32_t polygon, Shape *shape) {
  const uint16_t *numbers = tile->polygon_vertices + WM_TILE_VERTICES_PER_POLYGON * (size_t)polygon;
  shape->size = tile->polygon_size[polygon];
  shape->box = (Box){.low = {INFINITY, INFINITY}, .high = {-INFINITY, -INFINITY}};
  for (uint32_t k = 0; k < shape->size; k++) {
    const float *vertex = tile->vertices + 3 * (size_t)numbers[k];
    for (int axis = 0; axis < 2; axis++) {
      const float value = shape->corners[k][axis] = vertex[2 * axis];
      shape->box.low[axis] = value < shape->box.low[axis] ? value : shape->box.low[axis];
      shape->box.high[axis] = value > shape->box.high[axis] ? value : shape->box.high[axis];
    }
  }
}

/* An extent along a direction. */
typedef struct Extent {
  float low, high;
} Extent;

WM_INLINE Extent project(const Shape *shape, float x, float z) {
  Extent extent = {INFINITY, -INFINITY};
  for (uint32_t k = 0; k < shape->size; k++) {
    const float at = x * shape->corners[k][0] + z * shape->corners[k][1];
    extent.low = at < extent.low ? at : extent.low;
    extent.high = at > extent.high ? at : extent.high;
  }
  return extent;
}

/* An extent that contains that of each shape in the box, to the bit: rounding is monotone. */
WM_INLINE Extent project_box(const Box *box, float x, float z) {
  const float x_low = x * box->low[0], x_high = x * box->high[0];
  const float z_low = z * box->low[1], z_high = z * box->high[1];
  return (Extent){.low = (x_low < x_high ? x_low : x_high) + (z_low < z_high ? z_low : z_high),
                  .high = (x_low > x_high ? x_low : x_high) + (z_low > z_high ? z_low : z_high)};
}

/* The normal of an edge, with the extent of the edge's shape less OVERLAP on both sides. */
typedef struct Axis {
  float x, z;
  Extent own;
} Axis;

/* The axis of the edge that ends at corner k. */
static Axis find_axis(const Shape *shape, uint32_t k) {
  const float *previous = shape->corners[(k ? k : shape->size) - 1], *corner = shape->corners[k];
  Axis axis = {.x = corner[1] - previous[1], .z = -(corner[0] - previous[0])};
  const Extent extent = project(shape, axis.x, axis.z);
  axis.own = (Extent){.low = extent.low + OVERLAP, .high = extent.high - OVERLAP};
  return axis;
}

WM_INLINE bool separates(const Axis *axis, Extent other) {
  return axis->own.low > other.high || axis->own.high < other.low;
}

/* A shape that is tested against many others. */
typedef struct Tested {
  Shape shape;
  Axis axes[WM_TILE_VERTICES_PER_POLYGON];
} Tested;

/* True if an axis of the tested shape separates it from a box, and so from the shape in the box. */
static bool is_apart_from_box(const Tested *tested, const Box *box) {
  for (uint32_t k = 0; k < tested->shape.size; k++) {
    const Axis *axis = &tested->axes[k];
    if (separates(axis, project_box(box, axis->x, axis->z))) return true;
  }
  return false;
}

/* True if an axis of one of the shapes separates them. */
static bool is_apart(const Tested *tested, const Shape *other) {
  for (uint32_t k = 0; k < tested->shape.size; k++) {
    const Axis *axis = &tested->axes[k];
    if (separates(axis, project(other, axis->x, axis->z))) return true;
  }
  for (uint32_t k = 0; k < other->size; k++) {
    const Axis axis = find_axis(other, k);
    if (separates(&axis, project(&tested->shape, axis.x, axis.z))) return true;
  }
  return false;
}

/* ---- Search ------------------------------------------------------------------------------------------- */

typedef struct Search {
  WmQuery *query;
  const WmFilter *filter;
  const float *centre;
  float squared; /* of the radius */
  size_t limit;
  uint32_t count; /* found until now: the queue is the result */
  bool cut;
} Search;

/* True if a polygon lies over one found before that isn't marked as linked to the visited one. */
static bool lies_over_another(const Search *search, const Tested *tested, uint32_t mark) {
  const Box *boxes = search->query->arrays[WM_QUERY_SEGMENTS].items;
  for (uint32_t i = 0; i < search->count; i++) {
    if (is_apart_from_box(tested, &boxes[i])) continue;
    const WmMeshTile *tile;
    uint32_t polygon;
    const uint32_t number = wm_breadth_first_at(search->query, i, &tile, &polygon);
    if (wm_nodes_items(&search->query->nodes)[number].sequence == mark) continue;
    Shape other;
    read_shape(tile, polygon, &other);
    if (!is_apart(tested, &other)) return true;
  }
  return false;
}

/* Appends a polygon to the result; the caller appends it to the queue. */
static WmStatus append(Search *search, WmRef polygon, uint32_t parent, const Box *box) {
  WmQuery *query = search->query;
  const size_t count = search->count;
  if (count % 16 == 0) {
    WmStatus status = wm_query_reserve(query, WM_QUERY_POLYGONS, WM_QUERY_PARENTS, count + 16);
    if (!status) status = wm_query_reserve(query, WM_QUERY_SEGMENTS, WM_QUERY_SEGMENTS, count + 16);
    if (status) return status;
  }
  ((WmRef *)query->arrays[WM_QUERY_POLYGONS].items)[count] = polygon;
  ((uint32_t *)query->arrays[WM_QUERY_PARENTS].items)[count] = parent;
  ((Box *)query->arrays[WM_QUERY_SEGMENTS].items)[count] = *box;
  return WM_OK;
}

/* Marks the polygons found until now that a polygon is linked to. */
static WmStatus mark_linked(Search *search, const WmMeshTile *tile, uint32_t polygon, uint32_t mark) {
  for (uint32_t i = tile->link_first[polygon]; i < tile->link_first[polygon + 1]; i++) {
    const uint32_t number = wm_breadth_first_find(search->query, tile->links[i].slot, tile->links[i].polygon);
    if (number == UINT32_MAX) return WM_ERROR_OUT_OF_MEMORY;
    wm_nodes_items(&search->query->nodes)[number].sequence = mark;
  }
  return WM_OK;
}

/* Follows a link of the polygon at `index`. */
static WmStatus follow(Search *search, uint32_t index, const WmMeshTile *tile, uint32_t link_number) {
  WmQuery *query = search->query;
  const WmLink *link = &tile->links[link_number];
  const WmMeshTile *target = wm_mesh_tile(query->mesh, link->slot);
  if (link->polygon >= target->ground_count) return WM_OK;
  if (!wm_filter_passes(search->filter, target->polygon_flags[link->polygon])) return WM_OK;
  const uint32_t number = wm_breadth_first_find(query, link->slot, link->polygon);
  if (number == UINT32_MAX) return WM_ERROR_OUT_OF_MEMORY;
  WmNode *node = wm_nodes_items(&query->nodes) + number;
  if (node->stamp == query->nodes.stamp) return WM_OK;
  const float *portal = tile->link_portals + 6 * (size_t)link_number;
  float t;
  if (wm_distance_to_segment(search->centre, portal, portal + 3, &t) > search->squared) return WM_OK;
  node->stamp = query->nodes.stamp;
  Tested tested;
  read_shape(target, link->polygon, &tested.shape);
  for (uint32_t k = 0; k < tested.shape.size; k++) tested.axes[k] = find_axis(&tested.shape, k);
  if (lies_over_another(search, &tested, index + 1)) return WM_OK;
  search->cut = search->count == search->limit;
  if (search->cut) return WM_OK;
  WmStatus status = append(search, target->ref + link->polygon, index, &tested.shape.box);
  if (!status) status = wm_breadth_first_put(query, number, link->slot, link->polygon, index, &search->count);
  wm_nodes_items(&query->nodes)[number].sequence = index + 1;
  return status;
}

static WmStatus run(Search *search, WmRef start) {
  WmQuery *query = search->query;
  Shape shape;
  read_shape(wm_mesh_tile_of(query->mesh, start), wm_ref_polygon(start), &shape);
  search->count = 0;
  WmStatus status = append(search, start, 0, &shape.box);
  if (!status) status = wm_breadth_first_begin(query, search->filter, start, &search->count);
  for (uint32_t i = 0; i < search->count && !search->cut && !status; i++) {
    const WmMeshTile *tile;
    uint32_t polygon;
    wm_breadth_first_at(query, i, &tile, &polygon);
    if (polygon >= tile->ground_count) break; /* only the start can be an off-mesh connection */
    status = mark_linked(search, tile, polygon, i + 1);
    const uint32_t end = tile->link_first[polygon + 1];
    for (uint32_t k = tile->link_first[polygon]; k < end && !search->cut && !status; k++) {
      status = follow(search, i, tile, k);
    }
  }
  return status;
}

WmStatus wm_query_local_neighbourhood(WmQuery *query, WmRef start, const float centre[3], float radius,
                                      const WmFilter *filter, size_t max_polygons, WmPolygons *polygons) {
  memset(polygons, 0, sizeof *polygons);
  WmStatus status = wm_mesh_check_ref(query->context, query->mesh, start, "start");
  if (!status) status = wm_query_check_position(query->context, centre, "centre");
  if (!status) status = wm_query_check_numbers(query->context, &radius, 1, 0, "radius");
  if (status) return status;
  Search search = {.query = query,
                   .filter = wm_query_filter(query, filter),
                   .centre = centre,
                   .squared = radius * radius,
                   .limit = max_polygons ? max_polygons : SIZE_MAX};
  status = run(&search, start);
  if (status) return status;
  *polygons = (WmPolygons){.count = search.count,
                           .polygons = query->arrays[WM_QUERY_POLYGONS].items,
                           .parents = query->arrays[WM_QUERY_PARENTS].items,
                           .cut = search.cut};
  return WM_OK;
}
