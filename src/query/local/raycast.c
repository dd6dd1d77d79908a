/* Rays: clips the line against a polygon, continues in the polygon behind the edge where it leaves, and so
 * on.
 *
 * A line enters a convex polygon across the last edge that it crosses inwards, and leaves it across the first
 * that it crosses outwards. Formulas and their order are those of Detour (M. Mononen, 2009-), so that t has
 * the same bits; ours differs where rounding puts a point beside a polygon, where Detour stops.
 *
 * Source: M. Cyrus, J. Beck, "Generalized two- and three-dimensional clipping", 1978. */
#include "query/local/ray_walk.h"

#include "mesh/locate.h"
#include "mesh/tile/rings.h"
#include "query/local/raycast.h"
#include "query/query_internal.h"

/* A line and an edge that are closer to parallel than this do not cross. */
#define PARALLEL 1e-6f
/* Rounding error, as a fraction of the largest number. */
#define ROUNDING 1e-6f
/* Larger numbers could overflow: no mesh is that far away. */
#define FARTHEST 1e15f

typedef struct Line {
  float from[3];
  float along[3]; /* from its start to its end; y is unused */
} Line;

/* Where a line leaves a polygon. */
typedef struct Exit {
  float t;
  uint32_t lane; /* of the ring; UINT32_MAX: it ends in the polygon */
} Exit;

/* ---- One polygon -------------------------------------------------------------------------------------- */

/* Four edges of a ring against a line. */
typedef struct Crossings {
  WmFloat4 t;
  WmInt4 outside; /* the line crosses them inwards at t, or runs along outside of them */
  WmInt4 passed;  /* it is parallel to them */
  WmInt4 leaving; /* it crosses them outwards at t */
} Crossings;

WM_INLINE Crossings cross_edges(const Line *line, const float *ring, int half) {
  const WmRingEdges edges = wm_ring_edges(ring, half);
  const WmFloat4 x = edges.second_x - edges.first_x, z = edges.second_z - edges.first_z;
  const WmFloat4 level = z * (wm_splat_float4(line->from[0]) - edges.first_x) -
                         x * (wm_splat_float4(line->from[2]) - edges.first_z);
  const WmFloat4 slope = wm_splat_float4(line->along[2]) * x - wm_splat_float4(line->along[0]) * z;
  const WmFloat4 zero = wm_splat_float4(0), parallel = wm_splat_float4(PARALLEL);
  Crossings crossings;
  crossings.t = level / slope;
  crossings.outside = (WmInt4)(level < zero);
  crossings.passed = (WmInt4)(slope < parallel) & (WmInt4)(slope > zero - parallel);
  crossings.leaving = ~(crossings.passed | (WmInt4)(slope < zero));
  return crossings;
}

/* Returns false if the line misses the polygon. Of equal exits the first counts. */
WM_INLINE bool find_exit(const float *ring, const Line *line, Exit *leave) {
  const Crossings low = cross_edges(line, ring, 0), high = cross_edges(line, ring, 1);
  *leave = (Exit){1, UINT32_MAX};
  if (wm_ring_lanes(low.passed & low.outside, high.passed & high.outside)) return false;
  const WmFloat4 one = wm_splat_float4(1);
  const WmFloat4 low_t = wm_select_float4(low.leaving, low.t, one);
  const WmFloat4 high_t = wm_select_float4(high.leaving & (WmInt4){-1, -1, 0, 0}, high.t, one);
  const WmFloat4 least = wm_min_float4(high_t, wm_min_float4(low_t, one));
  float t = least[0];
  for (int k = 1; k < 4; k++) t = least[k] < t ? least[k] : t;
  const WmFloat4 all = wm_splat_float4(t);
  if (t < 1) {
    const uint32_t lanes = wm_ring_lanes((WmInt4)(low_t == all), (WmInt4)(high_t == all));
    *leave = (Exit){t, (uint32_t)__builtin_ctz(lanes)};
  }
  const uint32_t later = wm_ring_lanes(low.outside & ~low.leaving & (WmInt4)(low.t > all),
                                       high.outside & ~high.leaving & (WmInt4)(high.t > all));
  return t >= 0 && later == 0;
}

/* The same for a line that misses the polygon, but touches its outline at `t` except for rounding. */
static WM_COLD bool find_exit_nearby(const float *ring, uint32_t edge_count, const Line *line, float t,
                                     Exit *leave) {
  const float *corners_z = ring + WM_RING_CORNERS;
  const float along_x = line->along[0], along_z = line->along[2];
  const float size = fabsf(line->from[0]) + fabsf(line->from[2]) + fabsf(along_x) + fabsf(along_z);
  const float slack = size * ROUNDING;
  const float here_x = line->from[0] + along_x * t, here_z = line->from[2] + along_z * t;
  *leave = (Exit){1, UINT32_MAX};
  for (uint32_t k = 0; k < edge_count; k++) {
    const float x = ring[k + 1] - ring[k], z = corners_z[k + 1] - corners_z[k];
    const float level = z * (here_x - ring[k]) - x * (here_z - corners_z[k]);
    if (level < 0 && level * level > slack * slack * (x * x + z * z)) return false;
    const float slope = along_z * x - along_x * z;
    const float crossed = (z * (line->from[0] - ring[k]) - x * (line->from[2] - corners_z[k])) / slope;
    if (slope >= PARALLEL && crossed < leave->t) *leave = (Exit){crossed, k};
  }
  return true;
}

/* ---- From one to the next ----------------------------------------------------------------------------- */

/* The polygon that a walk is in. */
typedef struct Cursor {
  const WmMeshTile *tile;
  const float *factors; /* cost factors of the tile's polygons, NULL: all 1 */
  uint32_t polygon;
} Cursor;

WM_INLINE void enter_tile(const WmRayWalk *walk, Cursor *cursor, const WmMeshTile *tile) {
  cursor->tile = tile;
  cursor->factors = wm_filter_factors(walk->filter, tile);
}

static float unit_cost(const WmRayWalk *walk, const Cursor *cursor) {
  return wm_filter_unit_cost_with(walk->filter, cursor->tile, cursor->factors, cursor->polygon);
}

/* Crosses the side of a tile. Returns false if it is a wall at `t`. */
static WM_NOINLINE bool go_over_side(const WmRayWalk *walk, Cursor *cursor, const Line *line, float t,
                                     uint32_t edge, uint32_t side) {
  const WmMeshTile *tile = cursor->tile;
  const int axis = side & 2 ? 0 : 2; /* that runs along the side */
  const float at = line->from[axis] + line->along[axis] * t;
  const uint32_t end = tile->link_first[cursor->polygon + 1];
  for (uint32_t i = tile->link_first[cursor->polygon]; i < end; i++) {
    const WmLink *link = &tile->links[i];
    if (link->edge != edge) continue;
    const WmMeshTile *target = wm_mesh_tile(walk->mesh, link->slot);
    if (!wm_filter_passes(walk->filter, target->polygon_flags[link->polygon])) continue;
    if (link->low != 0 || link->high != 255) {
      const float *portal = tile->link_portals + 6 * (size_t)i;
      const float a = portal[axis], b = portal[3 + axis];
      if (at < (a < b ? a : b) || at > (a < b ? b : a)) continue;
    }
    cursor->polygon = link->polygon;
    enter_tile(walk, cursor, target);
    return true;
  }
  return false;
}

/* Enters the polygon behind an edge. Returns false if the edge is a wall. */
WM_INLINE bool go_over(const WmRayWalk *walk, Cursor *cursor, const Line *line, float t, uint32_t edge) {
  const WmMeshTile *tile = cursor->tile;
  const uint32_t code =
      tile->polygon_neighbours[WM_TILE_VERTICES_PER_POLYGON * (size_t)cursor->polygon + edge];
  if (code & WM_TILE_PORTAL) return go_over_side(walk, cursor, line, t, edge, code);
  if (code == 0 || !wm_filter_passes(walk->filter, tile->polygon_flags[code - 1])) return false;
  cursor->polygon = code - 1;
  return true;
}

/* The point where a line crosses an edge; y is that of the edge. The ring has all but the heights of its
 * ends. */
WM_INLINE void cross_at(const Cursor *cursor, const Line *line, const float *ring, uint32_t lane,
                        uint32_t edge, float t, float point[3]) {
  const uint16_t *corners =
      cursor->tile->polygon_vertices + WM_TILE_VERTICES_PER_POLYGON * (size_t)cursor->polygon;
  const float *vertices = cursor->tile->vertices;
  const float first_y = vertices[3 * (size_t)corners[edge] + 1],
              second_y = vertices[3 * (size_t)corners[lane] + 1];
  const float *wall = ring + lane;
  const float x = wall[1] - wall[0], z = wall[WM_RING_CORNERS + 1] - wall[WM_RING_CORNERS];
  point[0] = line->from[0] + line->along[0] * t;
  point[2] = line->from[2] + line->along[2] * t;
  const float above = x * x > z * z ? point[0] - wall[0] : point[2] - wall[WM_RING_CORNERS];
  const float length = x * x > z * z ? x : z;
  point[1] = length != 0 ? first_y + (second_y - first_y) * (above / length) : first_y;
}

/* ---- The walk ----------------------------------------------------------------------------------------- */

WM_INLINE WmStatus record_polygon(WmRayWalk *walk, WmRef polygon) {
  walk->polygon = polygon;
  if (walk->entered++ >= walk->max_polygons || !walk->polygons) return WM_OK;
  if (walk->polygon_count == walk->polygons->capacity) {
    const WmStatus status =
        wm_buffer_reserve(walk->context, walk->polygons, walk->polygon_count + 16, sizeof(WmRef));
    if (status) return status;
  }
  ((WmRef *)walk->polygons->items)[walk->polygon_count++] = polygon;
  return WM_OK;
}

/* Walks until the line ends or a wall stops it. As the next polygon depends on the present one only, a
 * polygon that is entered twice would be entered for ever: `mark` is a polygon entered before, replaced after
 * 16, 32, 64, ... steps, so that a circle of any length returns to it.
 * out        *cursor: the last polygon; walk->end: the point where it left the last but one, or hits the wall
 *            */
static WmStatus walk_line(WmRayWalk *walk, const Line *line, Cursor *cursor) {
  Cursor mark = *cursor;
  float t = 0, cost = 0, end[3];
  memcpy(end, walk->end, sizeof end);
  WmStatus status = WM_OK;
  bool inside = false;
  for (size_t next_mark = 16;;) {
    const float *ring = wm_tile_ring(cursor->tile, cursor->polygon);
    Exit leave;
    if (!find_exit(ring, line, &leave) &&
        !find_exit_nearby(ring, cursor->tile->polygon_size[cursor->polygon], line, t, &leave)) {
      break;
    }
    status = record_polygon(walk, cursor->tile->ref + cursor->polygon);
    inside = leave.lane == UINT32_MAX;
    if (status || inside) break;
    const uint32_t edge = wm_ring_edge(ring, leave.lane);
    walk->edge = edge;
    walk->wall = ring + leave.lane;
    if (leave.t > t) t = leave.t;
    float point[3];
    cross_at(cursor, line, ring, leave.lane, edge, t, point);
    cost += wm_distance(end, point) * unit_cost(walk, cursor);
    memcpy(end, point, sizeof point);
    if (!go_over(walk, cursor, line, leave.t, edge)) break;
    if (cursor->polygon == mark.polygon && cursor->tile == mark.tile) break;
    if (walk->entered == next_mark) {
      next_mark *= 2;
      mark = *cursor;
    }
  }
  if (inside) walk->edge = UINT32_MAX;
  walk->t = t;
  walk->cost = cost;
  memcpy(walk->end, end, sizeof end);
  walk->outside = walk->entered == 0;
  walk->hit = !walk->outside && !inside;
  return status;
}

/* wm_ray_walk from a polygon of a tile. */
static WM_NOINLINE WmStatus walk_from(WmRayWalk *walk, const WmMeshTile *tile, WmRef start,
                                      const float from[3], const float to[3]) {
  const Line line = {{from[0], from[1], from[2]}, {to[0] - from[0], 0, to[2] - from[2]}};
  Cursor cursor = {.polygon = wm_ref_polygon(start)};
  enter_tile(walk, &cursor, tile);
  walk->outside = walk->hit = false;
  walk->t = walk->cost = 0;
  walk->polygon = start;
  walk->edge = UINT32_MAX;
  walk->wall = NULL;
  walk->entered = 0;
  memcpy(walk->end, from, sizeof walk->end);
  const float size =
      fabsf(from[0]) + fabsf(from[1]) + fabsf(from[2]) + fabsf(line.along[0]) + fabsf(line.along[2]);
  if (!(size < FARTHEST) || cursor.polygon >= cursor.tile->ground_count) {
    walk->outside = true;
    return WM_OK;
  }
  const WmStatus status = walk_line(walk, &line, &cursor);
  if (status || walk->outside) return status;
  float end[3];
  memcpy(end, walk->hit ? walk->end : to, sizeof end);
  if (walk->on_surface) {
    const WmMeshTile *last = wm_mesh_tile(walk->mesh, wm_ref_slot(walk->polygon));
    end[1] = wm_tile_height(last, wm_ref_polygon(walk->polygon), end);
  }
  if (!walk->hit) {
    walk->t = 1;
    walk->cost += wm_distance(walk->end, end) * unit_cost(walk, &cursor);
  }
  memcpy(walk->end, end, sizeof end);
  return WM_OK;
}

WmStatus wm_ray_walk(WmRayWalk *walk, WmRef start, const float from[3], const float to[3]) {
  return walk_from(walk, wm_mesh_tile(walk->mesh, wm_ref_slot(start)), start, from, to);
}

/* ---- The query ---------------------------------------------------------------------------------------- */

/* The normal of a wall: horizontal, into its polygon, unit length; 0 for a wall without length. */
WM_INLINE void find_normal(const float *wall, float normal[3]) {
  const float x = wall[WM_RING_CORNERS + 1] - wall[WM_RING_CORNERS], z = -(wall[1] - wall[0]);
  const float squared = x * x + z * z;
  const float scale = squared > 0 ? 1.0f / sqrtf(squared) : 0;
  normal[0] = x * scale;
  normal[2] = z * scale;
}

static WmStatus cast(WmQuery *query, WmRayWalk *walk, WmRef start, const float from[3], const float to[3],
                     const WmFilter *filter) {
  const WmMeshTile *tile = wm_mesh_tile_of(query->mesh, start);
  if (!tile) return wm_mesh_check_ref(query->context, query->mesh, start, "start");
  WmStatus status = wm_query_check_position(query->context, from, "from");
  if (!status) status = wm_query_check_position(query->context, to, "to");
  if (!status && filter) status = wm_query_check_filter(query->context, filter);
  return status ? status : walk_from(walk, tile, start, from, to);
}

WmStatus wm_query_raycast(WmQuery *query, WmRef start, const float from[3], const float to[3],
                          const WmFilter *filter, bool on_surface, size_t max_polygons, WmRay *ray) {
  WmBuffer *polygons = &query->arrays[WM_QUERY_POLYGONS];
  WmRayWalk walk = {.context = query->context,
                    .mesh = query->mesh,
                    .filter = wm_query_filter(query, filter),
                    .polygons = polygons,
                    .max_polygons = max_polygons ? max_polygons : SIZE_MAX,
                    .on_surface = on_surface};
  const WmStatus status = cast(query, &walk, start, from, to, filter);
  if (status) {
    memset(ray, 0, sizeof *ray);
    return status;
  }
  *ray = (WmRay){.hit = walk.hit,
                 .outside = walk.outside,
                 .cut = walk.entered > walk.polygon_count,
                 .t = walk.t,
                 .point = {walk.end[0], walk.end[1], walk.end[2]},
                 .polygon = walk.polygon,
                 .edge = walk.edge,
                 .cost = walk.cost,
                 .polygon_count = walk.polygon_count,
                 .polygons = polygons->items};
  if (walk.hit) find_normal(walk.wall, ray->normal);
  return WM_OK;
}
