/* What a dynamic mesh holds: tiles by place, obstacles by number, and which touches which. */
#ifndef WALKMESH_DYNAMIC_DYNAMIC_INTERNAL_H
#define WALKMESH_DYNAMIC_DYNAMIC_INTERNAL_H

#include "base/buffer.h"
#include "dynamic/obstacles/motion.h"
#include "dynamic/tile_cache.h"

#define WM_INDEX_NONE UINT32_MAX

/* That an obstacle touches a tile: a link of two lists. */
typedef struct WmObstacleTile {
  uint32_t obstacle, tile;
  uint32_t next, previous; /* of the tile */
  uint32_t next_tile;      /* of the obstacle; of a free one: the next free one */
} WmObstacleTile;

typedef struct WmDynamicTile {
  uint8_t *kept; /* a block [kept_bytes]; NULL: the tile is not there */
  size_t kept_bytes;
  uint32_t first_obstacle_tile;
  uint32_t kept_number; /* of what is kept: never that of anything else */
  uint32_t ticket;      /* of a job (jobs.h) that it is out for; 0: it is not */
  bool is_dirty;        /* it is in the queue, or will be once it is back */
} WmDynamicTile;

/* Its volumes may share an outline, which is a block. */
typedef struct WmObstacleRecord {
  WmAreaVolume original;/* what moves start from */
  WmAreaVolume volume; /* where it is */
  WmAreaVolume carved; /* what it carves; while it does not, where it was when it was last found to move */
  WmObstacleMotion motion;
  float rest_time;        /* seconds since then */
  float previous_position[3];    /* its position at the last advance */
  bool is_carving;      /* it touches tiles */
  uint32_t moving;      /* its place among the moving ones; WM_INDEX_NONE while it carves */
  uint64_t sequence;    /* of additions; 0: the record is free */
  uint32_t generation;  /* 1 and above */
  uint32_t first_obstacle_tile; /* of a free record: the next free one */
} WmObstacleRecord;

struct WmDynamic {
  WmContext *context;
  WmMesh *mesh;
  WmBaker *baker;
  WmBakeInput input; /* of the baker: volumes, connections and flags, in one block */
  void *input_block;
  float agent_radius; /* of the configuration */
  float offset_radius;  /* of obstacles, where what was kept is eroded already; 0: it is not */
  int32_t columns, rows;
  WmDynamicTile *tiles; /* [columns * rows] by z, then x */

  WmBuffer obstacles; /* of WmObstacleRecord [record_count] */
  uint32_t record_count, free_record, live_count;
  uint32_t mobile_count; /* obstacles that may be among the moving ones */
  uint64_t sequence;     /* of the last addition */

  WmBuffer obstacle_tiles; /* of WmObstacleTile [obstacle_tile_count] */
  uint32_t obstacle_tile_count, free_obstacle_tile, free_obstacle_tile_count;

  WmBuffer moving; /* of WmMovingObstacle [moving_count]; room for all that may be */
  uint32_t moving_count;

  WmBuffer queue;       /* a heap (base/heap.h) of the dirty tiles, by distance to the focus, then number */
  size_t dirty_count;   /* in the queue */
  size_t job_count;    /* tiles that are built elsewhere */
  uint32_t last_number; /* of tickets and kept tiles */
  WmBuffer focus;       /* of float[3] [focus_count] */
  size_t focus_count;

  WmTileCache cache;
};

static inline WmObstacleRecord *wm_obstacle_records(const WmDynamic *dynamic) {
  return dynamic->obstacles.items;
}
static inline WmObstacleTile *wm_obstacle_tiles(const WmDynamic *dynamic) { return dynamic->obstacle_tiles.items; }

/* ---- Tiles: dynamic.c, level.c --------------------------------------------------------------------------
 */

/* Copies of the volumes, connections and flags of a bake, for `dynamic->input`. */
WmStatus wm_dynamic_copy_input(WmDynamic *dynamic, const WmBakeInput *input);

/* Room in the queue for all tiles of the grid that may get dirty: afterwards wm_dynamic_mark cannot fail. */
WmStatus wm_dynamic_reserve_queue(WmDynamic *dynamic, size_t tiles);

/* Makes a tile dirty that is there and is not dirty yet. */
void wm_dynamic_mark(WmDynamic *dynamic, uint32_t tile);

/* The tile of a place; a failure where that lies outside the grid. */
WmStatus wm_dynamic_find_tile(const WmDynamic *dynamic, int32_t x, int32_t z, WmDynamicTile **tile);

/* Puts a tile's bytes into the mesh, which are checked; none where it has no polygons. */
WmStatus wm_dynamic_insert_tile(WmDynamic *dynamic, uint32_t tile, const uint8_t *bytes, size_t byte_count,
                              WmTileChange *change);

/* Builds a tile with these volumes, and leaves the mesh as it is: *data is the caller's. */
WmStatus wm_dynamic_build_tile(WmDynamic *dynamic, uint32_t tile, const WmAreaVolume *volumes, size_t count,
                               WmTileData *data);

/* ---- Tiles that are built elsewhere: jobs.c -------------------------------------------------------------
 */

/* The next of the numbers above 0 that tell jobs and kept tiles apart. */
static inline uint32_t wm_dynamic_next_number(WmDynamic *dynamic) {
  if (++dynamic->last_number == 0) dynamic->last_number = 1;
  return dynamic->last_number;
}

/* Voids the job that a tile is out for: it is here again, in the queue where it is dirty. */
void wm_dynamic_cancel_job(WmDynamic *dynamic, uint32_t tile, bool is_dirty);

/* ---- Volumes: volumes.c ---------------------------------------------------------------------------------
 */

/* What a bake allows and what is an obstacle as well: of some size, and not too far away. */
WmStatus wm_check_obstacle(WmContext *context, const WmGrid *grid, const WmAreaVolume *volume);

/* At least as far as any point of a volume moves to become the other; INFINITY for one of another kind. */
float wm_volume_distance(const WmAreaVolume *a, const WmAreaVolume *b);

/* The upright cylinder around a volume. */
void wm_volume_cylinder(WmContext *context, const WmAreaVolume *volume, WmMovingObstacle *cylinder);

/* A volume somewhere else.
 * in         yaw: NULL: as it is; outline [vertex_count][3] of a prism: is filled in, may be its own
 * returns    whether it can be turned so */
bool wm_volume_move_to(const WmAreaVolume *volume, const float position[3], const float *yaw, float *outline,
                     WmAreaVolume *moved);

/* Whether two volumes are the same to the last bit. */
bool wm_volumes_are_equal(const WmAreaVolume *a, const WmAreaVolume *b);

/* ---- Which tiles obstacles touch: touches.c -------------------------------------------------------------
 */

/* The tiles whose grids, border included, the volume meets: numbers in scratch memory of the caller's mark;
 * WM_ERROR_INVALID_ARGUMENT where there are none. */
WmStatus wm_dynamic_find_overlapped_tiles(WmDynamic *dynamic, const WmAreaVolume *volume, uint32_t **tiles,
                                 size_t *count);

size_t wm_dynamic_count_overlapped_tiles(const WmDynamic *dynamic, const WmObstacleRecord *record);

/* Makes room for so many touches besides those that are left, so that neither leaving nor touching can fail.
 */
WmStatus wm_dynamic_reserve_obstacle_tiles(WmDynamic *dynamic, size_t left, size_t count);

/* The obstacle now touches these tiles; or none any more. They are dirty afterwards. */
void wm_dynamic_link_obstacle(WmDynamic *dynamic, uint32_t obstacle, const uint32_t *tiles, size_t count);
void wm_dynamic_unlink_obstacle(WmDynamic *dynamic, uint32_t obstacle);

/* The volumes carved in a tile, in the order of their addition, in scratch memory of the caller's mark. */
WmStatus wm_dynamic_collect(WmDynamic *dynamic, uint32_t tile, const WmAreaVolume **volumes, size_t *count);

/* ---- Obstacles: obstacles.c, motion.c -------------------------------------------------------------------
 */

/* What an obstacle becomes: all of a change that can fail is done when it is planned. */
typedef struct WmObstaclePlan {
  WmAreaVolume volume, original;
  float *outline; /* a block, of the volume and perhaps of the one given; NULL: none was made */
  WmObstacleMotion motion;
  uint32_t *tiles; /* [tile_count] that the volume touches, in scratch memory */
  size_t tile_count;
} WmObstaclePlan;

WmStatus wm_dynamic_find_obstacle(const WmDynamic *dynamic, WmObstacle obstacle, WmObstacleRecord **record);

/* Checks the volume and the motion of a plan, and finds the tiles it touches. */
WmStatus wm_dynamic_check_plan(WmDynamic *dynamic, WmObstaclePlan *plan);

/* A plan for a volume as it is given, of which it has a copy. On failure nothing is left of it. */
WmStatus wm_dynamic_plan(WmDynamic *dynamic, const WmAreaVolume *volume, const WmObstacleMotion *motion,
                         WmObstaclePlan *plan);

/* Makes a plan come true for an obstacle that is there, or for a new one. Room must have been made, of
 * records and of moving ones, too. */
void wm_dynamic_change(WmDynamic *dynamic, uint32_t number, const WmObstaclePlan *plan);
WmObstacle wm_dynamic_add(WmDynamic *dynamic, const WmObstaclePlan *plan);
WmStatus wm_dynamic_reserve_records(WmDynamic *dynamic, size_t more);

WmStatus wm_check_motion(WmContext *context, const WmObstacleMotion *motion);

/* Of a volume and a motion that have just been changed: the hole follows, goes or stays, as the motion says.
 * in         tiles [count]: that the volume touches; is_new: it has no hole yet, and is at rest */
void wm_dynamic_update_carving(WmDynamic *dynamic, uint32_t number, const uint32_t *tiles, size_t count, bool is_new);

/* Frees what was an outline of a record, unless it still is; or all of them. */
void wm_dynamic_free_outline(WmDynamic *dynamic, const WmObstacleRecord *record, const float *outline);
void wm_dynamic_free_outlines(WmDynamic *dynamic, uint32_t number);

/* Room for so many more moving obstacles than may be among them. */
WmStatus wm_dynamic_reserve_moving(WmDynamic *dynamic, size_t more);

/* Puts an obstacle among the moving ones, if it is not, and says where it is now. */
void wm_dynamic_add_to_moving(WmDynamic *dynamic, uint32_t number);

/* Takes an obstacle out of the moving ones. */
void wm_dynamic_remove_from_moving(WmDynamic *dynamic, WmObstacleRecord *record);

static inline WmObstacle wm_obstacle_handle(uint32_t generation, uint32_t number) {
  return (WmObstacle)generation << WM_OBSTACLE_NUMBER_BITS | number;
}

#endif
