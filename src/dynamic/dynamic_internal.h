/* The data of a dynamic mesh: tiles by place, obstacles by number, and which obstacle overlaps which tile.
 *
 *   bake_input.c                         copies of the bake's volumes, connections and flags
 *   obstacles/volumes.c                  volumes as obstacles: allowed sizes, positions, distances
 *   obstacles/offset_volume.c            volumes offset by the agent radius
 *   obstacles/obstacle_tiles.c           the tiles that each obstacle overlaps, the obstacles of each tile
 *   obstacles/obstacles.c                handles of obstacles; adds, changes and removes them
 *   obstacles/motion.c                   when obstacles carve, and their velocities
 *   dynamic.c                            kept tiles, the queue of dirty tiles, building tiles
 *   tile_cache.c                         cache of unpacked tiles and of built tiles
 *   tile_jobs.c                          tiles that are built elsewhere
 *   dynamic_links.c                      generated links, kept tiles with air
 *   dynamic_validate.c                   invariants of the queue, jobs, obstacles and their tiles
 *   state/saved_state.c                  reads saved dynamic meshes
 *   state/saved_state_write.c            writes them
 *   detour_cache/fast_lz.c               decodes FastLZ
 *   detour_cache/detour_cache_read.c     reads Detour's tile caches
 *   detour_cache/detour_cache_tiles.c    layers of a tile cache -> kept tiles */
#ifndef WALKMESH_DYNAMIC_DYNAMIC_INTERNAL_H
#define WALKMESH_DYNAMIC_DYNAMIC_INTERNAL_H

#include "base/buffer.h"
#include "dynamic/dynamic_links.h"
#include "dynamic/obstacles/motion.h"
#include "dynamic/tile_cache.h"

/* No obstacle tile, no record, no moving obstacle. */
#define WM_INDEX_NONE UINT32_MAX

/* An obstacle that overlaps a tile: an element of two lists. */
typedef struct WmObstacleTile {
  uint32_t obstacle, tile;
  uint32_t next, previous; /* of the tile */
  uint32_t next_tile;      /* of the obstacle; of a free element: the next free one */
} WmObstacleTile;

typedef struct WmDynamicLinks WmDynamicLinks;

typedef struct WmDynamicTile {
  uint8_t *kept; /* the kept tile, a block [kept_bytes], joined with its air if air_bytes > 0; NULL: none */
  uint32_t kept_bytes, air_bytes;
  uint32_t first_obstacle_tile;
  uint32_t kept_number; /* unique to these bytes */
  uint32_t ticket;      /* of the tile job (tile_jobs.h) that builds it; 0: none */
  bool is_dirty;        /* in the queue, or will be when its job has ended */
} WmDynamicTile;

/* Its three volumes may share an outline, which is a block. */
typedef struct WmObstacleRecord {
  WmAreaVolume original; /* as the caller set it last: moves start from it */
  WmAreaVolume volume;   /* at the present position */
  WmAreaVolume carved;   /* what it carves; while it does not: its volume when it last had moved */
  WmObstacleMotion motion;
  float rest_time;              /* seconds since it had moved */
  float previous_position[3];   /* at the last advance */
  bool is_carving;              /* it is linked to tiles */
  uint32_t moving;              /* index among the moving obstacles; WM_INDEX_NONE while it carves */
  uint64_t sequence;            /* number of its addition; 0: the record is free */
  uint32_t generation;          /* 1 and above */
  uint32_t first_obstacle_tile; /* of a free record: the next free one */
} WmObstacleRecord;

struct WmDynamic {
  WmContext *context;
  WmMesh *mesh;
  WmBaker *baker;
  WmBakeInput input; /* of the baker: volumes, connections and flags, in one block */
  void *input_block;
  float agent_radius;  /* of the configuration */
  float offset_radius; /* of obstacles, if kept tiles are eroded; else 0 */
  int32_t columns, rows;
  WmDynamicTile *tiles; /* [columns * rows] by z, then x */

  WmBuffer obstacles; /* of WmObstacleRecord [record_count] */
  uint32_t record_count, free_record, live_count;
  uint32_t mobile_count; /* obstacles that don't always carve */
  uint64_t sequence;     /* of the last addition */
  bool refuses_outside;  /* obstacles that overlap no tile */

  WmBuffer obstacle_tiles; /* of WmObstacleTile [obstacle_tile_count] */
  uint32_t obstacle_tile_count, free_obstacle_tile, free_obstacle_tile_count;

  WmBuffer moving; /* of WmMovingObstacle [moving_count]; capacity for mobile_count */
  uint32_t moving_count;

  WmBuffer queue;       /* a heap (base/heap.h) of the dirty tiles, by distance to the focus, then number */
  size_t dirty_count;   /* in the queue */
  size_t job_count;     /* tiles that are built elsewhere */
  uint32_t last_number; /* of tickets and kept tiles */
  WmBuffer focus;       /* of float[3] [focus_count] */
  size_t focus_count;

  WmTileCache cache;
  WmDynamicLinks *links; /* NULL: no links are generated */
};

static inline WmObstacleRecord *wm_obstacle_records(const WmDynamic *dynamic) {
  return dynamic->obstacles.items;
}
static inline WmObstacleTile *wm_obstacle_tiles(const WmDynamic *dynamic) {
  return dynamic->obstacle_tiles.items;
}

/* ---- Tiles: dynamic.c, bake_input.c ------------------------------------------------------------------- */

/* Copies the volumes, connections and flags of a bake to `dynamic->input`. */
WmStatus wm_dynamic_copy_input(WmDynamic *dynamic, const WmBakeInput *input);

/* Reserves queue entries for `tiles` more dirty tiles: afterwards wm_dynamic_mark can't fail. */
WmStatus wm_dynamic_reserve_queue(WmDynamic *dynamic, size_t tiles);

/* Makes a tile dirty, unless it has no kept tile or is dirty already. */
void wm_dynamic_mark(WmDynamic *dynamic, uint32_t tile);

/* The key of a tile in queues: its distance to the focus, then its number. */
uint64_t wm_dynamic_queue_key(const WmDynamic *dynamic, uint32_t tile);

/* A hash of volumes in their order. */
WmContentHash wm_dynamic_hash_volumes(const WmAreaVolume *volumes, size_t count);

/* Finds the tile of a place.
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (outside the grid; *tile is NULL) */
WmStatus wm_dynamic_find_tile(const WmDynamic *dynamic, int32_t x, int32_t z, WmDynamicTile **tile);

/* Checks a tile's bytes and puts it into the mesh; byte_count 0 removes the tile. */
WmStatus wm_dynamic_insert_tile(WmDynamic *dynamic, uint32_t tile, const uint8_t *bytes, size_t byte_count,
                                WmTileChange *change);

/* Builds a tile with these volumes; doesn't change the mesh.
 * out        *data: the caller's */
WmStatus wm_dynamic_build_tile(WmDynamic *dynamic, uint32_t tile, const WmAreaVolume *volumes, size_t count,
                               WmTileData *data);

/* ---- Tiles that are built elsewhere: tile_jobs.c ------------------------------------------------------ */

/* The next number, above 0, that identifies a tile job or a kept tile. */
static inline uint32_t wm_dynamic_next_number(WmDynamic *dynamic) {
  if (++dynamic->last_number == 0) dynamic->last_number = 1;
  return dynamic->last_number;
}

/* Cancels a tile's job, if it has one: the ticket is void, and a dirty tile is in the queue again.
 * in         is_dirty: the tile is dirty, even if nothing changed since the job was handed out */
void wm_dynamic_cancel_job(WmDynamic *dynamic, uint32_t tile, bool is_dirty);

/* ---- Links: dynamic_links.c; nothing happens if none are generated ------------------------------------- */

void wm_dynamic_free_links(WmDynamic *dynamic);

/* Limits what the generator holds between runs; without memory for it, less is held. */
void wm_dynamic_limit_link_cache(WmDynamic *dynamic, size_t bytes);

/* Replaces the air of a tile in the generator, with the volumes that block it now; NULL removes it. The links around it are
 * outdated afterwards.
 * returns    as wm_link_generator_set_air; removing can't fail */
WmStatus wm_dynamic_set_air(WmDynamic *dynamic, uint32_t tile, const uint8_t *air, size_t air_bytes);

/* Passes the volumes that block a tile's air to the generator, if they have changed: then links around it may be outdated. */
WmStatus wm_dynamic_update_blocking(WmDynamic *dynamic, uint32_t tile, bool *has_changed);

/* The tile in the mesh was replaced, added or removed: the links around it are outdated. */
void wm_dynamic_note_tile_change(WmDynamic *dynamic, uint32_t tile);

/* Marks the links of places as outdated: of those whose links read a tile, or of one place. */
void wm_dynamic_mark_links_around(WmDynamic *dynamic, uint32_t tile);
void wm_dynamic_mark_links(WmDynamic *dynamic, uint32_t place);

/* A tile was built, or its job has ended: places around it that waited for that are in the queue again. */
void wm_dynamic_unpark_links_around(WmDynamic *dynamic, uint32_t tile);

bool wm_dynamic_has_dirty_links(const WmDynamic *dynamic, uint32_t place);

/* Sorts the queue again after a change of the focus. */
void wm_dynamic_sort_links(WmDynamic *dynamic);

/* Finds the sizes of a kept tile and its air in joined bytes (wm_kept_tile_join); all are of the kept tile if they aren't
 * joined. */
void wm_kept_tile_split(const uint8_t *bytes, size_t byte_count, size_t *kept_bytes, size_t *air_bytes);

/* Bytes of the end of a kept tile that is joined with its air. */
enum { WM_JOINED_END_BYTES = 16 };

/* Bytes of a tile's block. */
static inline size_t wm_dynamic_stored_bytes(const WmDynamicTile *tile) {
  return tile->kept_bytes + (tile->air_bytes ? tile->air_bytes + WM_JOINED_END_BYTES : 0);
}

bool wm_dynamic_validate_links(const WmDynamic *dynamic);

/* ---- Volumes: volumes.c ------------------------------------------------------------------------------- */

/* Checks a volume as wm_check_area_volume does, and that its size is above 0 and its bounds within 1e8. */
WmStatus wm_check_obstacle(WmContext *context, const WmGrid *grid, const WmAreaVolume *volume);

/* An upper bound of the distance that any point of a volume moves if it becomes the other; INFINITY if they
 * differ in more than position and size. */
float wm_volume_distance(const WmAreaVolume *a, const WmAreaVolume *b);

/* The upright cylinder around a volume. */
void wm_volume_cylinder(WmContext *context, const WmAreaVolume *volume, WmMovingObstacle *cylinder);

/* Moves a copy of a volume to a position.
 * in         yaw: NULL: unchanged
 * out        outline [vertex_count][3] of a prism: may be the volume's own
 * returns    false if a volume of this kind can't be turned */
bool wm_volume_move_to(const WmAreaVolume *volume, const float position[3], const float *yaw, float *outline,
                       WmAreaVolume *moved);

/* True if two volumes are equal, bit by bit. */
bool wm_volumes_are_equal(const WmAreaVolume *a, const WmAreaVolume *b);

/* ---- Tiles that obstacles overlap: obstacle_tiles.c --------------------------------------------------- */

/* Finds the tiles whose grids, border included, the volume overlaps.
 * out        *tiles [*count]: numbers in scratch memory of the caller's mark; none if it lies outside the
 *            level
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_dynamic_find_overlapped_tiles(WmDynamic *dynamic, const WmAreaVolume *volume, uint32_t **tiles,
                                          size_t *count);

/* Number of tiles that an obstacle is linked to. */
size_t wm_dynamic_count_overlapped_tiles(const WmDynamic *dynamic, const WmObstacleRecord *record);

/* Reserves `count` links of obstacles and tiles, and queue entries for as many tiles and `left` more:
 * afterwards neither unlinking from `left` tiles nor linking to `count` can fail. */
WmStatus wm_dynamic_reserve_obstacle_tiles(WmDynamic *dynamic, size_t left, size_t count);

/* Links an obstacle to the tiles it overlaps, or unlinks it from all. These tiles are dirty afterwards. */
void wm_dynamic_link_obstacle(WmDynamic *dynamic, uint32_t obstacle, const uint32_t *tiles, size_t count);
void wm_dynamic_unlink_obstacle(WmDynamic *dynamic, uint32_t obstacle);

/* Collects the volumes carved in a tile, in the order of their addition, offset by offset_radius.
 * out        *volumes [*count]: in scratch memory of the caller's mark */
WmStatus wm_dynamic_collect(WmDynamic *dynamic, uint32_t tile, const WmAreaVolume **volumes, size_t *count);

/* ---- Obstacles: obstacles.c, motion.c ----------------------------------------------------------------- */

/* The prepared change of an obstacle. Planning does everything that can fail. */
typedef struct WmObstaclePlan {
  WmAreaVolume volume, original;
  float *outline; /* a block, of `volume` and perhaps of `original`; NULL: none was made */
  WmObstacleMotion motion;
  uint32_t *tiles; /* [tile_count] that the volume overlaps, in scratch memory */
  size_t tile_count;
} WmObstaclePlan;

/* The record of a handle. Failures: as wm_dynamic_check_obstacle. */
WmStatus wm_dynamic_find_obstacle(const WmDynamic *dynamic, WmObstacle obstacle, WmObstacleRecord **record);

/* Checks the volume and the motion of a plan, and finds the tiles that it overlaps; none is an error if the
 * mesh refuses obstacles outside. */
WmStatus wm_dynamic_check_plan(WmDynamic *dynamic, WmObstaclePlan *plan);

/* Plans to give an obstacle a copy of a volume. On failure the plan owns nothing. */
WmStatus wm_dynamic_plan(WmDynamic *dynamic, const WmAreaVolume *volume, const WmObstacleMotion *motion,
                         WmObstaclePlan *plan);

/* Applies a plan to an obstacle, or to a new one. Links, moving obstacles and, for wm_dynamic_add, a record
 * must be reserved. */
void wm_dynamic_change(WmDynamic *dynamic, uint32_t number, const WmObstaclePlan *plan);
WmObstacle wm_dynamic_add(WmDynamic *dynamic, const WmObstaclePlan *plan);
WmStatus wm_dynamic_reserve_records(WmDynamic *dynamic, size_t more);

WmStatus wm_check_motion(WmContext *context, const WmObstacleMotion *motion);

/* Updates the hole of an obstacle whose volume or motion was changed: it moves, is removed or stays, as the
 * motion demands.
 * in         tiles [count]: that the volume overlaps; is_new: it has no hole yet, and is at rest */
void wm_dynamic_update_carving(WmDynamic *dynamic, uint32_t number, const uint32_t *tiles, size_t count,
                               bool is_new);

/* Frees an outline that a record had, unless it still uses it; or all its outlines. */
void wm_dynamic_free_outline(WmDynamic *dynamic, const WmObstacleRecord *record, const float *outline);
void wm_dynamic_free_outlines(WmDynamic *dynamic, uint32_t number);

/* Reserves `more` moving obstacles besides mobile_count. */
WmStatus wm_dynamic_reserve_moving(WmDynamic *dynamic, size_t more);

/* Adds an obstacle to the moving ones, if it isn't there, and updates its position and size there. */
void wm_dynamic_add_to_moving(WmDynamic *dynamic, uint32_t number);

void wm_dynamic_remove_from_moving(WmDynamic *dynamic, WmObstacleRecord *record);

/* True if the queue, jobs, obstacles, their tiles and the moving obstacles are valid. For tests.
 * cost       O(tiles + dirty tiles squared + obstacles * obstacles of a tile) */
bool wm_dynamic_validate(const WmDynamic *dynamic);

static inline WmObstacle wm_obstacle_handle(uint32_t generation, uint32_t number) {
  return (WmObstacle)generation << WM_OBSTACLE_NUMBER_BITS | number;
}

#endif
