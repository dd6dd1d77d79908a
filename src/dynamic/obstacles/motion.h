/* Obstacles that move: when they carve, and what agents avoid meanwhile.
 *
 * An obstacle that carves has a hole (or another area) in the mesh. The hole of one that always carves
 * follows it, which builds tiles again wherever it moves. One that carves at rest loses its hole when it has
 * moved farther than its threshold, and gets a new one when it has been still for some time. While an
 * obstacle doesn't carve it is in a list of moving obstacles with its velocity, for crowds to avoid
 * (base/moving_obstacle.h).
 *
 * Time passes by wm_dynamic_advance only: results depend on the calls, never on a clock. */
#ifndef WALKMESH_DYNAMIC_MOTION_H
#define WALKMESH_DYNAMIC_MOTION_H

#include "base/moving_obstacle.h"
#include "base/public.h"
#include "dynamic/dynamic.h"

WM_PUBLIC_BEGIN

typedef enum WmCarving {
  WM_CARVING_ALWAYS = 0,
  WM_CARVING_AT_REST = 1,
  WM_CARVING_NEVER = 2 /* agents avoid it, wherever it is */
} WmCarving;

typedef struct WmObstacleMotion {
  int32_t carving; /* WmCarving */
  /* The distance that any point of it may move, world units, before its hole follows or is removed; 0: none.
   * Until then the hole stays in place. */
  float move_threshold;
  /* Seconds within the threshold after which an obstacle that carves at rest carves. */
  float time_to_rest;
} WmObstacleMotion;

/* Always carves, threshold 0, half a second to rest. */
WmObstacleMotion wm_obstacle_motion_default(void);

/* Adds an obstacle as wm_dynamic_add_obstacle does. A new obstacle is at rest.
 * in         motion: finite, not negative
 * returns    as wm_dynamic_add_obstacle; WM_ERROR_INVALID_ARGUMENT also names "carving", "moveThreshold" and
 *            "timeToRest" */
WmStatus wm_dynamic_add_moving_obstacle(WmDynamic *dynamic, const WmAreaVolume *volume,
                                        const WmObstacleMotion *motion, WmObstacle *obstacle);

/* Sets the volume and motion of an obstacle, both or none.
 * in         volume, motion: NULL: unchanged
 * returns    as wm_dynamic_add_moving_obstacle; WM_ERROR_STALE_REFERENCE */
WmStatus wm_dynamic_set_obstacle(WmDynamic *dynamic, WmObstacle obstacle, const WmAreaVolume *volume,
                                 const WmObstacleMotion *motion);

/* The position of an obstacle: the centre of a box, rotated box, sphere or capsule; the centre of the base of
 * a cylinder; for a prism the centre of its bounds at its base. */
void wm_volume_position(const WmAreaVolume *volume, float position[3]);

/* Adds obstacles of one shape, one at each position, all or none.
 * in         volume: at any position; positions [count][3]; yaws [count] of rotated boxes (NULL: the
 *            volume's; ignored for shapes that are round seen from above)
 * out        obstacles [count]; unchanged on failure
 * returns    as wm_dynamic_add_moving_obstacle; WM_ERROR_INVALID_ARGUMENT also names "positions" and "yaws":
 *            not finite, or yaws of a volume that can't be turned
 * memory     scratch memory, some 100 bytes an obstacle */
WmStatus wm_dynamic_add_obstacles(WmDynamic *dynamic, const WmAreaVolume *volume,
                                  const WmObstacleMotion *motion, const float *positions, const float *yaws,
                                  size_t count, WmObstacle *obstacles);

/* Moves obstacles, all or none. Each is moved from the volume that was set, so that its size stays the same
 * to the last bit after any number of moves.
 * in         obstacles [count], positions [count][3], yaws [count] or NULL, as above
 * returns    as wm_dynamic_set_obstacle and wm_dynamic_add_obstacles */
WmStatus wm_dynamic_move_obstacles(WmDynamic *dynamic, const WmObstacle *obstacles, const float *positions,
                                   const float *yaws, size_t count);

/* Removes obstacles, all or none.
 * returns    as wm_dynamic_remove_obstacle; WM_ERROR_INVALID_ARGUMENT if one is named twice */
WmStatus wm_dynamic_remove_obstacles(WmDynamic *dynamic, const WmObstacle *obstacles, size_t count);

/* The motion of an obstacle; NULL if the handle is not that of an obstacle. */
const WmObstacleMotion *wm_dynamic_obstacle_motion(const WmDynamic *dynamic, WmObstacle obstacle);

/* The volume that an obstacle carves, which may differ from its own by its threshold; NULL while it doesn't
 * carve or lies outside the level. */
const WmAreaVolume *wm_dynamic_carved_volume(const WmDynamic *dynamic, WmObstacle obstacle);

/* Advances time: computes velocities from the positions at the call before, and carves obstacles that have
 * come to rest.
 * in         seconds: finite, not negative; 0 leaves velocities unchanged
 * returns    WM_OK; WM_ERROR_INVALID_ARGUMENT, WM_ERROR_LIMIT, WM_ERROR_OUT_OF_MEMORY: no time has passed
 * cost       O(obstacles that don't carve) */
WmStatus wm_dynamic_advance(WmDynamic *dynamic, float seconds);

/* The obstacles that don't carve [*count], valid until one is added, changed or removed, or time passes. */
const WmMovingObstacle *wm_dynamic_moving_obstacles(const WmDynamic *dynamic, size_t *count);

WM_PUBLIC_END

#endif
