/* The fields of a baker, and the map of the bake: folders in the order in which data flows through them. Folders with
 * an ..._internal.h of their own (rasterize, compact, regions, contours, polygons, detail, tile) list their files there.
 *
 *   config.c            checks a configuration, converts world units to cells
 *   baker_prepare.c     creates a baker: checks the input, marks slopes, sorts items into bins
 *   baker_input.c       finds the input of one tile
 *   baker.c             runs the stages of a tile
 *   fields.c            frees the arrays that stages return
 *   validate.c          checks invariants of these arrays, in debug builds and tests
 *
 *   input/              the level
 *     input_check.[ch]    refuses vertices, indices and connections that cannot be used; diagnoses mistakes
 *     facing.[ch]         sums from which JavaScript finds which way a level faces
 *     facing_lines.c      lines through the level, for the same
 *     solid_shapes.[ch]   checks solids, finds their faces and bounds
 *     slope.c             finds the triangles that are flat enough
 *     surface.[ch]        collects the surface of a tile, with which heights are corrected
 *     tile_bins.[ch]      lists the items that each tile needs
 *   filter/             solid spans -> walkable spans
 *     layer_planes.[ch]   a row of cells as arrays by span layer
 *     filter_rows.[ch]    the three filters as one sweep over rows
 *     filter.c            the same on a stored heightfield
 *   areas/              areas of open spans
 *     chamfer.[ch]        chamfer distances, for erosion and the distance field
 *     erode.c             erosion by the agent radius
 *     median.c            the median filter
 *     area_volume.c       marks spans inside a volume
 *     volume_cells.h      the cells and heights of a volume
 *     round_volume.[ch]   spheres and capsules
 *     offset_polygon.c    offsets the outline of a volume
 *   layers/
 *     heightfield_layers.c  flat images of the surface
 *   geometry/           shared by contours and polygons
 *     planar.[ch]         exact predicates
 *     box_tree.[ch]       boxes of segments
 *     ordered_heap.[ch]   a queue with a fixed order of ties
 *   rebuild/            the incremental pipeline, for kept tiles with obstacles
 *     kept_tile.[ch]      compresses the open spans of a tile
 *     unpacked_tile.[ch]  decodes a kept tile once for many rebuilds, and runs them
 *     erode_window.[ch]   erosion of a part of the tile
 *     baseline.[ch]       the tile without obstacles
 *     changed_regions.c   regions where obstacles changed them
 *     changed_contours.c  contours where obstacles changed them
 *     surface_memo.[ch]   polygons and detail of equal contours
 *     link_shrink.c       links without spare memory */
#ifndef WALKMESH_BAKE_BAKER_INTERNAL_H
#define WALKMESH_BAKE_BAKER_INTERNAL_H

#include "bake/bake.h"
#include "bake/compact/open_rows.h"
#include "bake/input/surface.h"
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
  size_t next_item;
  PrepareStep prepare_step;
  WmFacing facing;
  /* By WmBinKind; empty for a single tile, and for empty lists. */
  WmTileBins bins[WM_BIN_CONNECTIONS + 1];
  /* The current tile. */
  int32_t tile[2];               /* x, z */
  const WmAreaVolume *obstacles; /* [obstacle_count] volumes of a kept tile besides those of the input */
  size_t obstacle_count;
  WmSurface surface; /* of a kept tile, if heights are corrected */
  bool keep_stages;
  bool is_kept;    /* it comes from a kept tile */
  bool wants_air;  /* of the tiles that are rasterized from now on */
  WmOpenRows rows; /* from rasterization to the compact heightfield, unless stages are kept */
  WmAir *air;      /* of the same time, if wanted */
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

/* The surface is the baker's, which must have been collected or read. */
WmDetailSettings wm_baker_detail_settings(const WmBaker *baker);

#endif
