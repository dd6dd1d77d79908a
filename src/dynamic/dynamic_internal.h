/* What a dynamic mesh holds: tiles by place, obstacles by number, and which touches which. */
#ifndef WALKMESH_DYNAMIC_DYNAMIC_INTERNAL_H
#define WALKMESH_DYNAMIC_DYNAMIC_INTERNAL_H

#include "base/buffer.h"
#include "dynamic/dynamic.h"

#define WM_TOUCH_NONE UINT32_MAX

/* That an obstacle touches a tile: a link of two lists. */
typedef struct WmTouch {
  uint32_t obstacle, tile;
  uint32_t next, previous; /* of the tile */
  uint32_t next_tile;      /* of the obstacle; of a free one: the next free one */
} WmTouch;

typedef struct WmDynamicTile {
  uint8_t *kept; /* a block [kept_bytes]; NULL: the tile is not there */
  size_t kept_bytes;
  uint32_t first_touch;
  bool is_dirty; /* it is in the queue */
} WmDynamicTile;

typedef struct WmObstacleRecord {
  WmAreaVolume volume;  /* whose outline is `outline` */
  float *outline;       /* a block; NULL: none */
  uint64_t sequence;    /* of additions; 0: the record is free */
  uint32_t generation;  /* 1 and above */
  uint32_t first_touch; /* of a free record: the next free one */
} WmObstacleRecord;

struct WmDynamic {
  WmContext *context;
  WmMesh *mesh;
  WmBaker *baker;
  int32_t columns, rows;
  WmDynamicTile *tiles; /* [columns * rows] by z, then x */

  WmBuffer obstacles; /* of WmObstacleRecord [record_count] */
  uint32_t record_count, free_record, live_count;
  uint64_t sequence; /* of the last addition */

  WmBuffer touches; /* of WmTouch [touch_count] */
  uint32_t touch_count, free_touch, free_touch_count;

  WmBuffer queue; /* a heap (base/heap.h) of the dirty tiles, by distance to the focus, then number */
  size_t dirty_count;
  WmBuffer focus; /* of float[3] [focus_count] */
  size_t focus_count;
};

static inline WmObstacleRecord *wm_obstacle_records(const WmDynamic *dynamic) {
  return dynamic->obstacles.items;
}
static inline WmTouch *wm_touches(const WmDynamic *dynamic) { return dynamic->touches.items; }

/* Room in the queue for all tiles of the grid that may get dirty: afterwards wm_dynamic_mark cannot fail. */
WmStatus wm_dynamic_reserve_queue(WmDynamic *dynamic, size_t tiles);

/* Makes a tile dirty that is there and is not dirty yet. */
void wm_dynamic_mark(WmDynamic *dynamic, uint32_t tile);

/* The obstacles that touch a tile, in the order of their addition, in scratch memory of the caller's mark. */
WmStatus wm_dynamic_collect(WmDynamic *dynamic, uint32_t tile, const WmAreaVolume **volumes, size_t *count);

#endif
