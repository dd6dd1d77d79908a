/* The whole bake, tile by tile and stage by stage.
 *
 * Usual order: wm_baker_create (checks everything, once), then for every tile of the grid
 * wm_baker_begin_tile and wm_baker_step until it says WM_STAGE_DONE (or wm_baker_bake_tile, which does
 * both), wm_baker_take_tile; at the end wm_baker_destroy. A single-tile bake is a grid of one.
 *
 * Steps exist so that a caller can measure, show progress, look at the arrays between stages, stop in
 * the middle, or share its thread. The arrays behind the input must stay until the baker is destroyed. */
#ifndef WALKMESH_BAKE_BAKE_H
#define WALKMESH_BAKE_BAKE_H

#include "bake/stages.h"
#include "base/content_hash.h"

/* Raised whenever the same input may give other bytes than before: it is part of every tile's hash. */
enum { WM_BAKE_VERSION = 1 };

typedef struct WmBakeInput {
  WmTriangles triangles;
  const WmSolid *solids;
  size_t solid_count;
  const WmAreaVolume *volumes;
  size_t volume_count;
  const WmOffMeshConnection *connections;
  size_t connection_count;
  /* Polygon flags by area [WM_AREA_COUNT], where unmarked walkable ground counts as area 0; NULL: 1 for
   * every area. */
  const uint16_t *area_flags;
  /* Tiles come from kept bytes only (wm_baker_begin_kept_tile): triangles and solids are not looked at, and
   * the configuration must have bounds: those of the level (wm_baker_bounds). */
  bool from_kept_tiles;
  /* What was kept has been eroded already, as layers of Detour's tile caches have (dynamic/detour_cache/detour_cache.h). For
   * wm_dynamic_create only, which then keeps the agent's radius from obstacles by making these larger. */
  bool kept_tiles_are_eroded;
} WmBakeInput;

typedef enum WmStage {
  WM_STAGE_RASTERIZE = 0,
  WM_STAGE_FILTER_LOW_HANGING,
  WM_STAGE_FILTER_LEDGES,
  WM_STAGE_FILTER_LOW_HEIGHT,
  WM_STAGE_COMPACT,
  WM_STAGE_ERODE,
  WM_STAGE_MARK_AREAS, /* median filter and volumes */
  WM_STAGE_DISTANCE,
  WM_STAGE_REGIONS,
  WM_STAGE_CONTOURS,
  WM_STAGE_POLYGON_MESH,
  WM_STAGE_DETAIL_MESH,
  WM_STAGE_TILE,
  WM_STAGE_DONE,
  WM_STAGE_COUNT = WM_STAGE_DONE
} WmStage;

/* What stands after each step; zeroed where not reached or, unless keep_stages, no longer needed. */
typedef struct WmBakeStages {
  WmHeightfield heightfield;
  WmCompactHeightfield compact;
  WmDistanceField distance;
  WmRegions regions;
  WmContourSet contours;
  WmPolygonMesh polygon_mesh;
  WmDetailMesh detail_mesh;
  WmTileData tile;
} WmBakeStages;

/* Readable diagnostics of a level and a configuration that work, but perhaps not as meant. */
enum {
  WM_WARNING_MOSTLY_FACES_DOWN = 1, /* more area would be walkable with the winding flipped */
  WM_WARNING_NOTHING_WALKABLE = 2,  /* every triangle is too steep */
  WM_WARNING_RADIUS_OVER_LEVEL = 4, /* the radius is wider than the level */
  WM_WARNING_CELL_OVER_RADIUS = 8,  /* cells are coarser than the agent's radius */
  WM_WARNING_CLIMB_BELOW_CELL = 16, /* the climb is less than one cell height: steps block */
  WM_WARNING_DEGENERATE_TRIANGLES = 32
};

typedef struct WmBaker WmBaker;

/* Checks input and configuration, marks slopes and sorts triangles into tiles.
 * in         config, input: read during the call, but the arrays behind input must outlive the baker
 * returns    WM_OK; WM_ERROR_CONFIGURATION; WM_ERROR_GEOMETRY (no triangles, an index out of range, a
 *            vertex that is not finite, only degenerate triangles, everything faces down);
 *            WM_ERROR_INVALID_ARGUMENT; WM_ERROR_OUT_OF_MEMORY. *baker is NULL on failure
 * memory     4 bytes a triangle and tile it touches, plus one a triangle; during the call 8 more a triangle
 * cost       O(triangles + tiles touched): some 15 ns a triangle */
WmStatus wm_baker_create(WmContext *context, const WmConfig *config, const WmBakeInput *input,
                         WmBaker **baker);

/* As wm_baker_create, for callers that share their thread: checks what takes no time, then wm_baker_prepare
 * is to be called until it is ready. Before that, and after it failed, nothing but destroying it is allowed.
 */
WmStatus wm_baker_begin(WmContext *context, const WmConfig *config, const WmBakeInput *input,
                        WmBaker **baker);

/* Goes on with at most so many triangles or vertices (one at least); they are passed four times in all.
 * out        is_ready: whether that was all
 * cost       O(most), and now and then O(tiles + solids + volumes) */
WmStatus wm_baker_prepare(WmBaker *baker, size_t most, bool *is_ready);

void wm_baker_destroy(WmBaker *baker);

const WmConfig *wm_baker_config(const WmBaker *baker);
const WmVoxelConfig *wm_baker_voxels(const WmBaker *baker);
void wm_baker_bounds(const WmBaker *baker, float bounds_min[3], float bounds_max[3]);
/* The grid of tile (x, z), its border included. */
void wm_baker_tile_grid(const WmBaker *baker, int32_t x, int32_t z, WmGrid *grid);
/* Bits of WM_WARNING_... */
uint32_t wm_baker_warnings(const WmBaker *baker);
/* Areas of the triangles after slope marking [triangle_count]. */
const uint8_t *wm_baker_triangle_areas(const WmBaker *baker);

/* Starts tile (x, z), dropping what stood of another.
 * in         keep_stages: keep every stage's arrays, raw contours too, until the next tile
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (outside the grid) */
WmStatus wm_baker_begin_tile(WmBaker *baker, int32_t x, int32_t z, bool keep_stages);

/* What it takes to build the tile in hand again without triangles and solids (kept_tile.h): its open spans, of
 * border and all, before volumes and erosion. Between the filters and the compact heightfield (next stage
 * WM_STAGE_COMPACT) of a tile whose stages are not kept.
 * out        *bytes [*byte_count], freed by wm_block_free; NULL on failure
 * returns    WM_OK, WM_ERROR_STATE, WM_ERROR_OUT_OF_MEMORY; the tile in hand stays */
WmStatus wm_baker_keep_tile(WmBaker *baker, uint8_t **bytes, size_t *byte_count);

/* Starts tile (x, z) from what was kept of it, with more volumes: the same tile as that of a baker whose input
 * has these volumes behind its own. The baker must have the configuration and bounds of the one that kept it.
 * in         bytes: read during the call, any are safe; obstacles: must outlive the tile's stages
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (outside the grid), WM_ERROR_CORRUPT, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_baker_begin_kept_tile(WmBaker *baker, int32_t x, int32_t z, const uint8_t *bytes,
                                  size_t byte_count, const WmAreaVolume *obstacles, size_t obstacle_count);

/* The hash of all that tile (x, z) is made from (tile_hash.h), without baking it; the tile in hand stays.
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (outside the grid; a volume that cannot be marked),
 *            WM_ERROR_OUT_OF_MEMORY
 * cost       a few hundredths of the bake's */
WmStatus wm_baker_hash_tile(WmBaker *baker, int32_t x, int32_t z, WmContentHash *hash);

/* The stage the next step runs; WM_STAGE_DONE when the tile is finished. */
WmStage wm_baker_next_stage(const WmBaker *baker);

/* Runs the next stage. On failure the tile is dropped; another can be begun. */
WmStatus wm_baker_step(WmBaker *baker);

/* Begins a tile and runs all its stages. */
WmStatus wm_baker_bake_tile(WmBaker *baker, int32_t x, int32_t z);

const WmBakeStages *wm_baker_stages(const WmBaker *baker);

/* Hands the finished tile over: the caller frees it (wm_tile_data_free). byte_count 0: no polygons. */
WmTileData wm_baker_take_tile(WmBaker *baker);

#endif
