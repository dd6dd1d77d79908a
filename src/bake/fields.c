/* Freeing the results of stages: each is one block. See fields.h. */
#include "bake/fields.h"

#include <string.h>

void wm_heightfield_free(WmContext *context, WmHeightfield *field) {
  wm_block_free(context, field->block);
  memset(field, 0, sizeof *field);
}

void wm_compact_heightfield_free(WmContext *context, WmCompactHeightfield *field) {
  wm_block_free(context, field->block);
  memset(field, 0, sizeof *field);
}

void wm_distance_field_free(WmContext *context, WmDistanceField *field) {
  wm_block_free(context, field->block);
  memset(field, 0, sizeof *field);
}

void wm_regions_free(WmContext *context, WmRegions *regions) {
  wm_block_free(context, regions->block);
  memset(regions, 0, sizeof *regions);
}

void wm_contour_set_free(WmContext *context, WmContourSet *contours) {
  wm_block_free(context, contours->block);
  memset(contours, 0, sizeof *contours);
}

void wm_polygon_mesh_free(WmContext *context, WmPolygonMesh *mesh) {
  wm_block_free(context, mesh->block);
  memset(mesh, 0, sizeof *mesh);
}

void wm_detail_mesh_free(WmContext *context, WmDetailMesh *mesh) {
  wm_block_free(context, mesh->block);
  memset(mesh, 0, sizeof *mesh);
}

void wm_heightfield_layers_free(WmContext *context, WmHeightfieldLayers *layers) {
  wm_block_free(context, layers->block);
  memset(layers, 0, sizeof *layers);
}

void wm_tile_data_free(WmContext *context, WmTileData *data) {
  wm_block_free(context, data->bytes);
  memset(data, 0, sizeof *data);
}
