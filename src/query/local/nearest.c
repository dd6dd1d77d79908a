/* Points on the mesh: the nearest point of all tiles around, the nearest point of a polygon, its height.
 * mesh/locate.c does the part within a tile. */
#include "mesh/locate.h"
#include "query/query_internal.h"

WmNearestOptions wm_nearest_options_default(void) { return (WmNearestOptions){.half_extents = {2, 4, 2}}; }

static void search_tiles(const WmMesh *mesh, WmNearestSearch *search) {
  WmBoxTiles tiles = {.mesh = mesh, .by_slot = true};
  /* Finding the tile places takes as long as searching a small tile: skipped if there is only one tile. */
  if (wm_mesh_tile_count(mesh) > 1) wm_box_tiles_begin(&tiles, mesh, search->low, search->high);
  for (const WmMeshTile *tile; (tile = wm_box_tiles_next(&tiles)) != NULL;)
    wm_tile_find_nearest(tile, search);
}

/* Most results are on the mesh, or near it: two boxes that are smaller than those of users, and touch few leaves, hold
 * them. First, the first polygon of score 0 is the result. Then, the best polygon of the second box is, if it is so near
 * that none outside can be better. Else no polygon is found, but none of a higher score than that one can be the result. */
static void search_small_boxes(const WmMesh *mesh, WmNearestSearch *search) {
  search->near = true;
  search_tiles(mesh, search);
  search->near = false;
  if (search->tile) return;
  search->around = true;
  search->certain = INFINITY;
  search_tiles(mesh, search);
  search->around = false;
  if (!search->tile || search->score < search->certain) return;
  search->tile = NULL;
  search->score *= 1.0001f;
}

static void find_point(const WmQuery *query, const float centre[3], const WmNearestOptions *options,
                       WmNearest *nearest) {
  const WmFilter *filter = wm_query_filter(query, options->filter);
  const float radius = options->radius;
  const float sphere[3] = {radius, radius, radius};
  WmNearestSearch search;
  wm_nearest_begin(&search, centre, radius > 0 ? sphere : options->half_extents);
  search.include_flags = filter->include_flags;
  search.exclude_flags = filter->exclude_flags;
  if (radius > 0) search.farthest = radius * radius;
  search.ignores_climb = options->preference != WM_HEIGHT_CLIMB;
  if (options->preference == WM_HEIGHT_BELOW) search.side = -1;
  if (options->preference == WM_HEIGHT_ABOVE) search.side = 1;
  if (!search.ignores_climb) search_small_boxes(query->mesh, &search);
  if (!search.tile) search_tiles(query->mesh, &search);
  if (!search.tile && search.side) { /* no polygon on that side */
    search.side = 0;
    search_tiles(query->mesh, &search);
  }
  if (!search.tile) return;
  nearest->polygon = search.tile->ref + search.polygon;
  nearest->over = search.over;
  memcpy(nearest->point, search.point, sizeof nearest->point);
}

WmStatus wm_query_check_nearest(WmContext *context, const WmNearestOptions *options) {
  WmStatus status = wm_query_check_numbers(context, options->half_extents, 3, 0, "halfExtents");
  if (!status) status = wm_query_check_numbers(context, &options->radius, 1, 0, "radius");
  if (!status && (options->preference < WM_HEIGHT_CLIMB || options->preference > WM_HEIGHT_ABOVE)) {
    status = wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, "heightPreference", options->preference,
                           WM_HEIGHT_CLIMB, WM_HEIGHT_ABOVE, NULL);
  }
  return status;
}

WmStatus wm_query_nearest_checked(WmQuery *query, const float centre[3], const WmNearestOptions *options,
                                  WmNearest *nearest) {
  memset(nearest, 0, sizeof *nearest);
  const WmStatus status = wm_query_check_position(query->context, centre, "position");
  if (!status) find_point(query, centre, options, nearest);
  return status;
}

WmStatus wm_query_find_nearest_point(WmQuery *query, const float centre[3], const WmNearestOptions *options,
                                     WmNearest *nearest) {
  const WmNearestOptions standard = wm_nearest_options_default();
  if (!options) options = &standard;
  const WmStatus status = wm_query_check_nearest(query->context, options);
  if (!status) return wm_query_nearest_checked(query, centre, options, nearest);
  memset(nearest, 0, sizeof *nearest);
  return status;
}

WmStatus wm_query_find_nearest(WmQuery *query, const float centre[3], const float half_extents[3],
                               const WmFilter *filter, WmNearest *nearest) {
  WmNearestOptions options = {.filter = filter};
  memcpy(options.half_extents, half_extents, sizeof options.half_extents);
  return wm_query_find_nearest_point(query, centre, &options, nearest);
}

/* The nearest point of a polygon, with heights of its surface (`detail`) or of its vertices. */
static WmStatus find_closest(WmQuery *query, WmRef polygon, const float position[3], bool detail,
                             WmNearest *closest) {
  memset(closest, 0, sizeof *closest);
  WmStatus status = wm_mesh_check_ref(query->context, query->mesh, polygon, "polygon");
  if (!status) status = wm_query_check_position(query->context, position, "position");
  if (status) return status;
  closest->polygon = polygon;
  closest->over = wm_tile_closest_point(wm_mesh_tile_of(query->mesh, polygon), wm_ref_polygon(polygon),
                                        position, detail, closest->point);
  return WM_OK;
}

WmStatus wm_query_closest_point(WmQuery *query, WmRef polygon, const float position[3], WmNearest *closest) {
  return find_closest(query, polygon, position, true, closest);
}

WmStatus wm_query_closest_boundary_point(WmQuery *query, WmRef polygon, const float position[3],
                                         WmNearest *closest) {
  return find_closest(query, polygon, position, false, closest);
}

WmStatus wm_query_height(WmQuery *query, WmRef polygon, const float position[3], float *height, bool *found) {
  const float flat[3] = {position[0], 0, position[2]};
  WmNearest closest;
  const WmStatus status = wm_query_closest_point(query, polygon, flat, &closest);
  *found = !status &&
           (closest.over || wm_ref_polygon(polygon) >= wm_mesh_tile_of(query->mesh, polygon)->ground_count);
  *height = *found ? closest.point[1] : 0;
  return status;
}
