/* Frees the results of stages: each is one block. See fields.h. */
#include "bake/compact/links.h"

#include <string.h>

static void free_result(WmContext *context, void *result, size_t result_bytes, void *block) {
  wm_block_free(context, block);
  memset(result, 0, result_bytes);
}

void wm_heightfield_free(WmContext *context, WmHeightfield *field) {
  free_result(context, field, sizeof *field, field->block);
}

void wm_compact_heightfield_free(WmContext *context, WmCompactHeightfield *field) {
  if (!field->borrows_arrays) {
    wm_links_free(context, &field->links);
    wm_block_free(context, field->cell_first);
  }
  free_result(context, field, sizeof *field, field->block);
}

void wm_distance_field_free(WmContext *context, WmDistanceField *field) {
  free_result(context, field, sizeof *field, field->block);
}

void wm_regions_free(WmContext *context, WmRegions *regions) {
  free_result(context, regions, sizeof *regions, regions->block);
}

void wm_contour_set_free(WmContext *context, WmContourSet *contours) {
  free_result(context, contours, sizeof *contours, contours->block);
}

void wm_polygon_mesh_free(WmContext *context, WmPolygonMesh *mesh) {
  free_result(context, mesh, sizeof *mesh, mesh->block);
}

void wm_detail_mesh_free(WmContext *context, WmDetailMesh *mesh) {
  free_result(context, mesh, sizeof *mesh, mesh->block);
}

void wm_heightfield_layers_free(WmContext *context, WmHeightfieldLayers *layers) {
  free_result(context, layers, sizeof *layers, layers->block);
}

void wm_tile_data_free(WmContext *context, WmTileData *data) {
  free_result(context, data, sizeof *data, data->bytes);
}

void wm_grid_trim(WmGrid *grid) {
  const float width = (float)grid->border_size * grid->cell_size;
  for (int axis = 0; axis < 3; axis += 2) {
    grid->bounds_min[axis] += width;
    grid->bounds_max[axis] -= width;
  }
  grid->width -= 2 * grid->border_size;
  grid->depth -= 2 * grid->border_size;
}

/* Binary search for the last cell whose first span is not above `span`. */
uint32_t wm_find_cell(const WmCompactHeightfield *compact, uint32_t span) {
  uint32_t low = 0, high = (uint32_t)compact->grid.width * (uint32_t)compact->grid.depth;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (compact->cell_first[middle] <= span) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}
