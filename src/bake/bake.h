/* The whole bake, tile by tile and stage by stage.
 *
 * Usual order: wm_baker_create (checks everything, once); then for every tile of the grid
 * wm_baker_begin_tile, wm_baker_step until the next stage is WM_STAGE_DONE (wm_baker_bake_tile does both),
 * and wm_baker_take_tile; at the end wm_baker_destroy. A single-tile bake is a grid of one tile.
 *
 * Stages run one by one so that a caller can measure them, show progress, read the arrays between them, stop,
 * or share its thread. The arrays behind the input must outlive the baker.
 *
 *   bake.h, baker.c     the whole: stages in pipeline order, steps, kept tiles
 *   baker_prepare.c     creating a baker: checks, slopes, bins
 *   baker_input.c       the part of the input that a tile needs
 *   stages.h            the stages as functions
 *   validate.h          checks of the stages' results, for tests
 *   fields.[ch]         the arrays that stages hand to one another
 *   config.[ch]         the configuration, and the voxel values derived from it */
#ifndef WALKMESH_BAKE_BAKE_H
#define WALKMESH_BAKE_BAKE_H

#include "bake/stages.h"
#include "base/content_hash.h"
#include "base/public.h"

WM_PUBLIC_BEGIN

/* Raised whenever the same input may give other bytes than before. It is part of every tile's hash. */
enum { WM_BAKE_VERSION = 1 };

typedef struct WmBakeInput {
  WmTriangles triangles;
  const WmSolid *solids;
  size_t solid_count;
  const WmAreaVolume *volumes;
  size_t volume_count;
  const WmOffMeshConnection *connections;
  size_t connection_count;
  /* Polygon flags by area [WM_AREA_COUNT]; unmarked surface counts as area 0. NULL: 1 for every area. */
  const uint16_t *area_flags;
  /* All tiles come from kept tiles (wm_baker_begin_kept_tile): triangles and solids aren't read, and the
   * configuration must have bounds: those of the level (wm_baker_bounds). */
  bool from_kept_tiles;
  /* The kept tiles are eroded already, as layers of Detour's tile caches are
   * (dynamic/detour_cache/detour_cache.h). Only wm_dynamic_create reads this; it then keeps the agent
   * radius from obstacles by offsetting them. */
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

/* The results after each step. Zeroed if not reached yet or, unless stages are kept, no longer needed. */
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

/* Warnings about a level and a configuration that work, but perhaps not as intended. */
enum {
  WM_WARNING_MOSTLY_FACES_DOWN = 1, /* more area would be walkable with the winding flipped */
  WM_WARNING_NOTHING_WALKABLE = 2,  /* every triangle is too steep */
  WM_WARNING_RADIUS_OVER_LEVEL = 4, /* the radius is wider than the level */
  WM_WARNING_CELL_OVER_RADIUS = 8,  /* cells are coarser than the agent's radius */
  WM_WARNING_CLIMB_BELOW_CELL = 16, /* the climb is less than one cell height: steps block */
  WM_WARNING_DEGENERATE_TRIANGLES = 32
};

typedef struct WmBaker WmBaker;

/* Checks input and configuration, marks slopes, and sorts triangles into the bins of tiles.
 * in         config, input: read during the call, but the arrays behind input must outlive the baker
 * returns    WM_OK; WM_ERROR_CONFIGURATION; WM_ERROR_GEOMETRY (no triangles and no bounds, an index out of range, a vertex
 *            that isn't finite, only degenerate triangles, all triangles face down);
 *            WM_ERROR_INVALID_ARGUMENT; WM_ERROR_OUT_OF_MEMORY. *baker is NULL on failure
 * memory     4 bytes for each triangle in each tile it touches, plus 1 byte a triangle; during the call 8
 *            more a triangle
 * cost       O(triangles + tiles touched): about 15 ns a triangle */
WmStatus wm_baker_create(WmContext *context, const WmConfig *config, const WmBakeInput *input,
                         WmBaker **baker);

/* The same in portions, for callers that share their thread: runs the cheap checks; call wm_baker_prepare
 * until it is ready. Before that, and after it failed, only wm_baker_destroy is allowed. */
WmStatus wm_baker_begin(WmContext *context, const WmConfig *config, const WmBakeInput *input,
                        WmBaker **baker);

/* Continues with at most `most` triangles or vertices (1 or more). All preparation goes through them four
 * times.
 * out        *is_ready: true after the last portion
 * returns    the errors of wm_baker_create
 * cost       O(most), and at three points O(tiles + solids + volumes + connections) */
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

/* Starts tile (x, z), and drops the results of the tile before it.
 * in         keep_stages: keep every stage's arrays, raw contours too, until the next tile
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (outside the grid) */
WmStatus wm_baker_begin_tile(WmBaker *baker, int32_t x, int32_t z, bool keep_stages);

/* Encodes the current tile as a kept tile (rebuild/kept_tile.h): its open spans, border included, before
 * volumes and erosion. A tile can be built from it again without triangles and solids. Allowed between the
 * filters and the compact heightfield (next stage WM_STAGE_COMPACT) of a tile whose stages aren't kept.
 * out        *bytes [*byte_count], freed by wm_block_free; NULL on failure
 * returns    WM_OK, WM_ERROR_STATE, WM_ERROR_OUT_OF_MEMORY; the current tile is unchanged */
WmStatus wm_baker_keep_tile(WmBaker *baker, uint8_t **bytes, size_t *byte_count);

/* Also stores, of all tiles that are rasterized from now on, their air: every gap between solid spans that is high enough for the
 * agent, walkable or not. Kept tiles and results stay the same. Has no effect on tiles whose stages are kept, or that come from
 * kept tiles. Costs a pass over the spans. */
void wm_baker_want_air(WmBaker *baker, bool wanted);

/* Copies the air of the current tile, without its border, compressed (compact/air_code.h). For links (links/links.h). Allowed when
 * wm_baker_keep_tile is, for a tile rasterized after wm_baker_want_air.
 * out        *bytes [*byte_count], freed by wm_block_free; NULL on failure
 * returns    WM_OK, WM_ERROR_STATE, WM_ERROR_OUT_OF_MEMORY; the current tile is unchanged */
WmStatus wm_baker_keep_air(WmBaker *baker, uint8_t **bytes, size_t *byte_count);

/* Moves the air of the current tile out of the baker, uncompressed: for wm_link_generator_give_air. Allowed once where
 * wm_baker_keep_air is, after it.
 * out        *air: a block of the context; NULL on failure
 * returns    WM_OK, WM_ERROR_STATE */
WmStatus wm_baker_take_air(WmBaker *baker, WmAir **air);

/* Starts tile (x, z) from a kept tile, with more volumes. The result is the tile of a baker whose input has
 * these volumes after its own. The baker must have the configuration and bounds of the one that kept the
 * tile.
 * in         bytes: read during the call, any bytes are safe; obstacles: must outlive the tile's stages
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (outside the grid), WM_ERROR_CORRUPT, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_baker_begin_kept_tile(WmBaker *baker, int32_t x, int32_t z, const uint8_t *bytes,
                                  size_t byte_count, const WmAreaVolume *obstacles, size_t obstacle_count);

/* Hashes everything that tile (x, z) is made from (tile/tile_hash.h) without baking it. The current tile is
 * unchanged.
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (outside the grid; an invalid volume), WM_ERROR_OUT_OF_MEMORY
 * cost       a few hundredths of the tile's bake */
WmStatus wm_baker_hash_tile(WmBaker *baker, int32_t x, int32_t z, WmContentHash *hash);

/* The stage that the next step runs; WM_STAGE_DONE after the last one. */
WmStage wm_baker_next_stage(const WmBaker *baker);

/* Runs the next stage. On failure the tile is dropped; another one can be begun. */
WmStatus wm_baker_step(WmBaker *baker);

/* Begins a tile and runs all its stages. */
WmStatus wm_baker_bake_tile(WmBaker *baker, int32_t x, int32_t z);

const WmBakeStages *wm_baker_stages(const WmBaker *baker);

/* Moves the finished tile to the caller, who frees it (wm_tile_data_free). byte_count is 0 if the tile has
 * no polygons. */
WmTileData wm_baker_take_tile(WmBaker *baker);

WM_PUBLIC_END

#endif
