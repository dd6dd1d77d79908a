/* What a baker holds: for the files that run bakes (baker.c) and build kept tiles again (ground.c). */
#ifndef WALKMESH_BAKE_BAKER_INTERNAL_H
#define WALKMESH_BAKE_BAKER_INTERNAL_H

#include "bake/bake.h"
#include "bake/compact/open_rows.h"
#include "bake/input/tile_bins.h"

/* Each goes through all items of a kind, in portions. */
typedef enum PrepareStep {
  PREPARE_INDICES,
  PREPARE_VERTICES,
  PREPARE_SLOPES, /* and counting the tiles of triangles */
  PREPARE_BINS,
  PREPARED
} PrepareStep;

struct WmBaker {
  WmContext *context;
  WmConfig config;
  WmBakeInput input;
  /* What is not done yet of preparing: portions of this step, from this item on. */
  PrepareStep prepare_step;
  size_t next_item;
  WmFacing facing;
  /* By WmBinKind; empty for a single tile, and where there are none. */
  WmTileBins bins[WM_BIN_CONNECTIONS + 1];
  /* The tile in hand. */
  int32_t tile[2]; /* x, z */
  bool keep_stages;
  const WmAreaVolume *obstacles; /* [obstacle_count] of a kept tile, besides the input's volumes */
  size_t obstacle_count;
  WmOpenRows rows; /* between rasterization and the compact heightfield, unless stages are kept */
  /* From here on js/bake/bake.js reads along. */
  WmVoxelConfig voxels;
  float bounds_min[3], bounds_max[3];
  uint32_t warnings;
  uint8_t *triangle_areas; /* [triangle_count] after slope marking */
  WmStage next_stage;
  WmBakeStages stages;
  uint32_t walkable_count; /* open spans of the tile in hand that erosion left walkable */
};

/* The volumes of the input that a tile needs, in scratch memory of the caller's mark. */
WmStatus wm_baker_collect_volumes(const WmBaker *baker, int32_t x, int32_t z, const WmAreaVolume **volumes,
                                  size_t *count);

WmRegionSettings wm_baker_region_settings(const WmBaker *baker);

#endif
