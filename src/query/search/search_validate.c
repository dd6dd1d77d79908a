/* Invariants of the results of searches and string pulling, for tests and debug builds. */
#include "mesh/locate.h"
#include "query/query_internal.h"

/* The tolerance at a point: portals on the side of a tile end at multiples of 1/255 of an edge. */
static float find_tolerance(const WmMeshTile *tile, uint32_t polygon, const float point[3]) {
  float longest = 0;
  for (uint32_t k = 0; polygon < tile->ground_count && k < tile->polygon_size[polygon]; k++) {
    longest =
        fmaxf(longest, wm_distance(wm_tile_vertex(tile, polygon, k), wm_tile_vertex(tile, polygon, k + 1)));
  }
  return 1e-3f + 1e-5f * (fabsf(point[0]) + fabsf(point[1]) + fabsf(point[2])) + longest / 255;
}

bool wm_query_is_on_polygon(const WmMesh *mesh, WmRef polygon, const float point[3], bool checks_height) {
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, polygon);
  if (!tile) return false;
  float closest[3];
  wm_tile_closest_point(tile, wm_ref_polygon(polygon), point, true, closest);
  if (!checks_height) closest[1] = point[1];
  /* False for NaN. */
  return wm_distance(closest, point) <= find_tolerance(tile, wm_ref_polygon(polygon), point);
}

size_t wm_query_count_linked(const WmMesh *mesh, const WmRef *polygons, size_t count) {
  const WmMeshTile *before = NULL;
  for (size_t i = 0; i < count; i++) {
    const WmMeshTile *tile = wm_mesh_tile_of(mesh, polygons[i]);
    if (!tile) return i;
    if (i > 0 && !wm_query_find_portal(before, wm_ref_polygon(polygons[i - 1]), polygons[i])) return i;
    before = tile;
  }
  return count;
}

/* True if a reason fits the state. */
static bool fits(WmPathState state, WmPathReason reason) {
  switch (state) {
    case WM_PATH_NONE:
      return reason == WM_PATH_REASON_START_NOT_FOUND || reason == WM_PATH_REASON_END_NOT_FOUND ||
             reason == WM_PATH_REASON_START_EXCLUDED || reason == WM_PATH_REASON_END_EXCLUDED;
    case WM_PATH_COMPLETE: return reason == WM_PATH_REASON_NONE || reason == WM_PATH_REASON_UNFINISHED;
    case WM_PATH_PARTIAL:
      return reason == WM_PATH_REASON_NODE_LIMIT || reason == WM_PATH_REASON_BROKEN_CORRIDOR ||
             reason == WM_PATH_REASON_UNFINISHED;
    case WM_PATH_UNREACHABLE:
      return reason == WM_PATH_REASON_END_EXCLUDED || reason == WM_PATH_REASON_NOT_CONNECTED;
    default: return false;
  }
}

bool wm_search_validate(const WmMesh *mesh, const WmCorridor *corridor) {
  if (corridor->state == WM_PATH_NONE || !fits(corridor->state, corridor->reason)) return false;
  if (!(corridor->cost >= 0)) return false;
  if (corridor->polygon_count == 0) return false;
  return wm_query_count_linked(mesh, corridor->polygons, corridor->polygon_count) == corridor->polygon_count;
}

/* True if a point lies on the portal through which the corridor enters polygon `at`. Portals on the side of a tile
 * end at multiples of 1/255 of the longer of two edges, so that their ends may lie off the other one. */
static bool is_on_entry(const WmMesh *mesh, const WmPath *path, size_t at, const float point[3]) {
  if (at == 0) return false;
  const WmRef before = path->polygons[at - 1];
  const float *portal =
      wm_query_find_portal(wm_mesh_tile_of(mesh, before), wm_ref_polygon(before), path->polygons[at]);
  float t;
  const float tolerance = 1e-3f + 1e-5f * (fabsf(point[0]) + fabsf(point[2]));
  return wm_distance_to_segment(point, portal, portal + 3, &t) <= tolerance * tolerance;
}

/* The flags of point `i` fit; its polygon is polygon *at of the corridor or a later one. Only the last
 * point is the end, which has no polygon: *at is then the last polygon. */
static bool is_point_in_order(const WmPath *path, size_t i, size_t *at) {
  const uint8_t flags = path->point_flags[i];
  if (flags & ~(WM_POINT_START | WM_POINT_END | WM_POINT_OFF_MESH)) return false;
  if ((flags & WM_POINT_START) && i > 0) return false;
  if (flags & WM_POINT_END) {
    *at = path->polygon_count - 1;
    return i + 1 == path->point_count && path->point_polygons[i] == 0;
  }
  while (*at < path->polygon_count && path->polygons[*at] != path->point_polygons[i]) ++*at;
  return *at < path->polygon_count;
}

/* The path without the polygons behind a break; without any where that is wrong. */
static WmPath cut_at_break(const WmMesh *mesh, const WmPath *path) {
  WmPath whole = *path;
  whole.polygon_count = wm_query_count_linked(mesh, path->polygons, path->polygon_count);
  if (whole.polygon_count < path->polygon_count && path->reason != WM_PATH_REASON_BROKEN_CORRIDOR) {
    whole.polygon_count = 0;
  }
  return whole;
}

bool wm_path_validate_links(const WmMesh *mesh, const WmPath *path) {
  if (!fits(path->state, path->reason)) return false;
  if (path->state == WM_PATH_NONE) return path->point_count == 0 && path->polygon_count == 0;
  const WmPath whole = cut_at_break(mesh, path);
  if (whole.polygon_count == 0 || path->point_count == 0) return false;
  size_t at = 0;
  float length = 0;
  for (size_t i = 0; i < path->point_count; i++) {
    if (!is_point_in_order(&whole, i, &at)) return false;
    const bool is_gap = i > 0 && wm_query_is_gap(mesh, path->point_flags[i - 1], path->point_polygons[i - 1]);
    if (i > 0 && !is_gap) length += wm_distance(path->points + 3 * i - 3, path->points + 3 * i);
  }
  if (!path->cut && !(path->point_flags[path->point_count - 1] & WM_POINT_END)) return false;
  return !isfinite(length) || fabsf(length - path->length) <= 1e-3f * (1 + length);
}

bool wm_path_validate(const WmMesh *mesh, const WmPath *path) {
  if (!wm_path_validate_links(mesh, path)) return false;
  const WmPath whole = cut_at_break(mesh, path);
  for (size_t i = 0, at = 0; i < path->point_count; i++) {
    is_point_in_order(&whole, i, &at);
    const float *point = path->points + 3 * i;
    if (!wm_query_is_on_polygon(mesh, whole.polygons[at], point, false) &&
        !is_on_entry(mesh, &whole, at, point)) {
      return false;
    }
  }
  return true;
}
