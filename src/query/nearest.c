/* Points on the mesh: the nearest polygon of all tiles around, the nearest point of a polygon, its height.
 * What happens within a tile is mesh/locate.c. */
#include <float.h>

#include "mesh/locate.h"
#include "query/query_internal.h"

/* Cells of tiles that a box touches. */
typedef struct CellRange {
  int32_t min_x, min_z, max_x, max_z;
} CellRange;

/* Cell of a coordinate, held where tiles can be. */
static int32_t cell_of(float position, float origin, float size) {
  const float limit = 8388608.0f;
  const float cell = floorf((position - origin) / size);
  if (!(cell > -limit)) return -8388608;
  return cell < limit ? (int32_t)cell : 8388608;
}

static CellRange find_cells(const WmMeshParameters *parameters, const float centre[3],
                            const float half_extents[3]) {
  const float *origin = parameters->origin;
  return (CellRange){cell_of(centre[0] - half_extents[0], origin[0], parameters->tile_width),
                     cell_of(centre[2] - half_extents[2], origin[2], parameters->tile_depth),
                     cell_of(centre[0] + half_extents[0], origin[0], parameters->tile_width),
                     cell_of(centre[2] + half_extents[2], origin[2], parameters->tile_depth)};
}

/* Row by row as Detour; a box over more cells than there are tiles looks at all tiles instead. */
static void search_tiles(const WmMesh *mesh, const float centre[3], const float half_extents[3],
                         const WmFilter *filter, WmNearestSearch *best) {
  const uint16_t include = filter->include_flags, exclude = filter->exclude_flags;
  const CellRange cells = find_cells(wm_mesh_parameters(mesh), centre, half_extents);
  const size_t slots = wm_mesh_slot_count(mesh);
  const int64_t columns = (int64_t)cells.max_x - cells.min_x + 1,
                rows = (int64_t)cells.max_z - cells.min_z + 1;
  if (slots <= 1 || columns * rows > 16 + (int64_t)slots) {
    for (size_t slot = 0; slot < slots; slot++) {
      const WmMeshTile *tile = wm_mesh_tile(mesh, slot);
      if (tile) wm_tile_find_nearest(tile, centre, half_extents, include, exclude, best);
    }
    return;
  }
  for (int32_t z = cells.min_z; z <= cells.max_z; z++) {
    for (int32_t x = cells.min_x; x <= cells.max_x; x++) {
      for (const WmMeshTile *tile = NULL; (tile = wm_mesh_next_layer(mesh, x, z, tile)) != NULL;) {
        wm_tile_find_nearest(tile, centre, half_extents, include, exclude, best);
      }
    }
  }
}

WmStatus wm_query_find_nearest(WmQuery *query, const float centre[3], const float half_extents[3],
                               const WmFilter *filter, WmNearest *nearest) {
  *nearest = (WmNearest){0};
  WmStatus status = wm_query_check_position(query, centre, "position");
  if (!status) status = wm_query_check_position(query, half_extents, "halfExtents");
  if (status) return status;
  for (int axis = 0; axis < 3; axis++) {
    if (half_extents[axis] < 0) {
      return wm_fail_range(query->context, WM_ERROR_INVALID_ARGUMENT, "halfExtents", half_extents[axis], 0,
                           NAN, NULL);
    }
  }
  WmNearestSearch best = {.score = FLT_MAX};
  search_tiles(query->mesh, centre, half_extents, filter ? filter : &query->default_filter, &best);
  if (!best.tile) return WM_OK;
  nearest->polygon = best.tile->ref + best.polygon;
  nearest->over = best.over;
  memcpy(nearest->point, best.point, sizeof nearest->point);
  return WM_OK;
}

WmStatus wm_query_closest_point(WmQuery *query, WmRef polygon, const float position[3], WmNearest *closest) {
  *closest = (WmNearest){0};
  WmStatus status = wm_mesh_check_ref(query->context, query->mesh, polygon, "polygon");
  if (!status) status = wm_query_check_position(query, position, "position");
  if (status) return status;
  closest->polygon = polygon;
  wm_tile_closest_point(wm_mesh_tile_of(query->mesh, polygon), wm_ref_polygon(polygon), position,
                        closest->point, &closest->over);
  return WM_OK;
}

WmStatus wm_query_height(WmQuery *query, WmRef polygon, const float position[3], float *height, bool *found) {
  *height = 0;
  *found = false;
  const float flat[3] = {position[0], 0, position[2]};
  WmStatus status = wm_mesh_check_ref(query->context, query->mesh, polygon, "polygon");
  if (!status) status = wm_query_check_position(query, flat, "position");
  if (status) return status;
  const WmMeshTile *tile = wm_mesh_tile_of(query->mesh, polygon);
  const uint32_t number = wm_ref_polygon(polygon);
  if (number >= tile->ground_count) {
    float point[3];
    bool over;
    wm_tile_closest_point(tile, number, flat, point, &over);
    *height = point[1];
    *found = true;
  } else if (wm_tile_contains(tile, number, flat)) {
    *height = wm_tile_height(tile, number, flat);
    *found = true;
  }
  return WM_OK;
}
