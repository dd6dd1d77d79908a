/* Obstacles that move: when they carve, and what agents avoid meanwhile.
 *
 * To carve is to have a hole (or another area) in the mesh. One that always carves takes its hole along,
 * which builds tiles again wherever it goes. One that carves at rest gives its hole up once it has moved
 * further than its threshold, and gets a new one once it has been still for some time. While an obstacle does
 * not carve it is in a list with its velocity, for crowds to avoid (base/moving_obstacle.h).
 *
 * Time passes by wm_dynamic_advance only: what happens depends on the calls, never on a clock. */
#ifndef WALKMESH_DYNAMIC_MOTION_H
#define WALKMESH_DYNAMIC_MOTION_H

#include "base/moving_obstacle.h"
#include "dynamic/dynamic.h"

typedef enum WmCarving {
  WM_CARVING_ALWAYS = 0,
  WM_CARVING_AT_REST = 1,
  WM_CARVING_NEVER = 2 /* agents avoid it, wherever it is */
} WmCarving;

typedef struct WmObstacleMotion {
  int32_t carving; /* WmCarving */
  /* How far any point of it may move, world units, before its hole follows or goes; 0: at all. Its hole stays
   * where it was until then. */
  float move_threshold;
  /* Seconds without moving further than the threshold, after which one that carves at rest does. */
  float time_to_rest;
} WmObstacleMotion;

/* Carves always, threshold 0, half a second to rest. */
WmObstacleMotion wm_obstacle_motion_default(void);

/* As wm_dynamic_add_obstacle. An obstacle that carves at rest is at rest when it comes.
 * in         motion: finite, not negative
 * returns    as wm_dynamic_add_obstacle; WM_ERROR_INVALID_ARGUMENT names "carving", "moveThreshold" and
 *            "timeToRest", too */
WmStatus wm_dynamic_add_moving_obstacle(WmDynamic *dynamic, const WmAreaVolume *volume,
                                        const WmObstacleMotion *motion, WmObstacle *obstacle);

/* Gives an obstacle another volume and motion, both or neither.
 * in         volume, motion: NULL: as it is
 * returns    as wm_dynamic_add_moving_obstacle; WM_ERROR_STALE_REFERENCE */
WmStatus wm_dynamic_set_obstacle(WmDynamic *dynamic, WmObstacle obstacle, const WmAreaVolume *volume,
                                 const WmObstacleMotion *motion);

/* Where an obstacle is, for those who move it: the middle of a box, rotated box, sphere or capsule, the
 * middle of a cylinder's bottom, for a prism the middle of its bounds at its bottom. */
void wm_volume_position(const WmAreaVolume *volume, float position[3]);

/* Adds as many obstacles of one shape as there are positions, all or none.
 * in         volume: wherever it is; positions [count][3]; yaws [count] of rotated boxes (NULL: the volume's;
 *            of no account to what is round seen from above)
 * out        obstacles [count]; unchanged on failure
 * returns    as wm_dynamic_add_moving_obstacle; "positions" and "yaws" must be finite; "yaws" of a volume
 * that cannot turn memory     scratch memory, some 100 bytes an obstacle */
WmStatus wm_dynamic_add_obstacles(WmDynamic *dynamic, const WmAreaVolume *volume,
                                  const WmObstacleMotion *motion, const float *positions, const float *yaws,
                                  size_t count, WmObstacle *obstacles);

/* Moves obstacles, all or none. Each is moved from where its volume was given, so that however often it
 * moves, its size stays the same to the last bit. in         obstacles [count], positions [count][3], yaws
 * [count] or NULL, as above returns    as wm_dynamic_set_obstacle and wm_dynamic_add_obstacles */
WmStatus wm_dynamic_move_obstacles(WmDynamic *dynamic, const WmObstacle *obstacles, const float *positions,
                                   const float *yaws, size_t count);

/* Removes obstacles, all or none.
 * returns    as wm_dynamic_remove_obstacle; WM_ERROR_INVALID_ARGUMENT where one is named twice */
WmStatus wm_dynamic_remove_obstacles(WmDynamic *dynamic, const WmObstacle *obstacles, size_t count);

/* The motion of an obstacle; NULL for what is no obstacle. */
const WmObstacleMotion *wm_dynamic_obstacle_motion(const WmDynamic *dynamic, WmObstacle obstacle);

/* The volume an obstacle carves, which lags behind its own by its threshold; NULL while it does not. */
const WmAreaVolume *wm_dynamic_carved_volume(const WmDynamic *dynamic, WmObstacle obstacle);

/* Lets time pass: finds velocities from where obstacles were at the call before, and lets those carve that
 * have come to rest.
 * in         seconds: finite, not negative; 0 leaves velocities as they are
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT, WM_ERROR_LIMIT, WM_ERROR_OUT_OF_MEMORY: no time has passed
 * cost       O(obstacles that do not carve) */
WmStatus wm_dynamic_advance(WmDynamic *dynamic, float seconds);

/* The obstacles that do not carve [*count], until one comes, changes or goes, or time passes. */
const WmMovingObstacle *wm_dynamic_moving_obstacles(const WmDynamic *dynamic, size_t *count);

#endif
