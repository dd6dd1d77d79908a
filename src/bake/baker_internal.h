/* The fields of a baker, for the files that run bakes (baker.c), create bakers (baker_prepare.c), find a
 * tile's input (baker_input.c) and rebuild kept tiles (rebuild/ground.c). */
#ifndef WALKMESH_BAKE_BAKER_INTERNAL_H
#define WALKMESH_BAKE_BAKER_INTERNAL_H

#include "bake/bake.h"
#include "bake/compact/open_rows.h"
#include "bake/input/tile_bins.h"

/* Each step goes through all items of one kind, in portions. */
typedef enum PrepareStep {
  PREPARE_INDICES,
  PREPARE_VERTICES,
  PREPARE_SLOPES, /* also counts the tiles of triangles */
  PREPARE_BINS,
  PREPARED
} PrepareStep;

struct WmBaker {
  WmContext *context;
  WmConfig config;
  WmBakeInput input;
  /* The progress of preparing: the present step, and its next item. */
  PrepareStep prepare_step;
  size_t next_item;
  WmFacing facing;
  /* By WmBinKind; empty for a single tile, and for empty lists. */
  WmTileBins bins[WM_BIN_CONNECTIONS + 1];
  /* The current tile. */
  int32_t tile[2]; /* x, z */
  bool keep_stages;
  const WmAreaVolume *obstacles; /* [obstacle_count] volumes of a kept tile besides those of the input */
  size_t obstacle_count;
  WmOpenRows rows; /* from rasterization to the compact heightfield, unless stages are kept */
  /* js/bake/bake.js reads the fields from here on. */
  WmVoxelConfig voxels;
  float bounds_min[3], bounds_max[3];
  uint32_t warnings;
  uint8_t *triangle_areas; /* [triangle_count] after slope marking */
  WmStage next_stage;
  WmBakeStages stages;
  uint32_t walkable_count; /* open spans of the current tile with an area after erosion */
};

/* ---- The part of the input that a tile needs (baker_input.c) ----------------------------------------- */

/* returns    WM_OK, WM_ERROR_INVALID_ARGUMENT if (x, z) is outside the grid of tiles */
WmStatus wm_baker_check_tile(const WmBaker *baker, int32_t x, int32_t z);

/* The lists of one tile. They are supersets: stages drop the items that miss the tile.
 * out        the list is either the input's own, or in scratch memory of the caller's mark;
 *            *subset: triangle numbers, ascending; NULL for all triangles
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_baker_collect_triangles(const WmBaker *baker, int32_t x, int32_t z, const uint32_t **subset,
                                    size_t *subset_count);
WmStatus wm_baker_collect_solids(const WmBaker *baker, int32_t x, int32_t z, const WmSolid **solids,
                                 size_t *count);
WmStatus wm_baker_collect_volumes(const WmBaker *baker, int32_t x, int32_t z, const WmAreaVolume **volumes,
                                  size_t *count);
WmStatus wm_baker_collect_connections(const WmBaker *baker, int32_t x, int32_t z,
                                      const WmOffMeshConnection **connections, size_t *count);

/* ---- Settings (baker.c) ------------------------------------------------------------------------------ */

WmRegionSettings wm_baker_region_settings(const WmBaker *baker);

#endif
