/* Points on the mesh: the nearest polygon of all tiles around, the nearest point of a polygon, its height.
 * What happens within a tile is mesh/locate.c. */
#include "mesh/locate.h"
#include "query/query_internal.h"

/* Cell of a coordinate, held where tiles can be. */
static int32_t cell_of(float position, float origin, float size) {
  const float limit = 8388608.0f;
  const float cell = floorf((position - origin) / size);
  if (!(cell > -limit)) return -8388608;
  return cell < limit ? (int32_t)cell : 8388608;
}

/* Row by row as Detour; a box over more cells than there are tiles looks at all tiles instead. */
static void search_tiles(const WmMesh *mesh, WmNearestSearch *search) {
  const WmMeshParameters *parameters = wm_mesh_parameters(mesh);
  int32_t first[3], last[3]; /* cells on x and z */
  for (int axis = 0; axis < 3; axis += 2) {
    const float origin = parameters->origin[axis];
    const float size = axis == 0 ? parameters->tile_width : parameters->tile_depth;
    first[axis] = cell_of(search->low[axis], origin, size);
    last[axis] = cell_of(search->high[axis], origin, size);
  }
  const size_t slots = wm_mesh_slot_count(mesh);
  const float cells = (float)(last[0] - first[0] + 1) * (float)(last[2] - first[2] + 1);
  if (slots <= 1 || cells > (float)(16 + slots)) {
    for (size_t slot = 0; slot < slots; slot++) {
      const WmMeshTile *tile = wm_mesh_tile(mesh, slot);
      if (tile) wm_tile_find_nearest(tile, search);
    }
    return;
  }
  for (int32_t z = first[2]; z <= last[2]; z++) {
    for (int32_t x = first[0]; x <= last[0]; x++) {
      for (const WmMeshTile *tile = NULL; (tile = wm_mesh_next_layer(mesh, x, z, tile)) != NULL;) {
        wm_tile_find_nearest(tile, search);
      }
    }
  }
}

WmStatus wm_query_find_nearest(WmQuery *query, const float centre[3], const float half_extents[3],
                               const WmFilter *filter, WmNearest *nearest) {
  memset(nearest, 0, sizeof *nearest);
  WmStatus status = wm_query_check_position(query->context, centre, "position");
  if (!status) status = wm_query_check_numbers(query->context, half_extents, 3, 0, "halfExtents");
  if (status) return status;
  filter = wm_query_filter(query, filter);
  WmNearestSearch search;
  wm_nearest_begin(&search, centre, half_extents);
  search.include_flags = filter->include_flags;
  search.exclude_flags = filter->exclude_flags;
  search_tiles(query->mesh, &search);
  if (!search.tile) return WM_OK;
  nearest->polygon = search.tile->ref + search.polygon;
  nearest->over = search.over;
  memcpy(nearest->point, search.point, sizeof nearest->point);
  return WM_OK;
}

WmStatus wm_query_closest_point(WmQuery *query, WmRef polygon, const float position[3], WmNearest *closest) {
  memset(closest, 0, sizeof *closest);
  WmStatus status = wm_mesh_check_ref(query->context, query->mesh, polygon, "polygon");
  if (!status) status = wm_query_check_position(query->context, position, "position");
  if (status) return status;
  closest->polygon = polygon;
  closest->over = wm_tile_closest_point(wm_mesh_tile_of(query->mesh, polygon), wm_ref_polygon(polygon),
                                        position, true, closest->point);
  return WM_OK;
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
