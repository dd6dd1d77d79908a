/* What agents are to avoid although the mesh has no hole there: an upright cylinder that moves.
 *
 * Meshes of levels that change (dynamic/obstacles/motion.h) list them, crowds take them; neither knows the other. */
#ifndef WALKMESH_BASE_MOVING_OBSTACLE_H
#define WALKMESH_BASE_MOVING_OBSTACLE_H

#include <stdint.h>

typedef struct WmMovingObstacle {
  float position[3]; /* the middle of its bottom */
  float radius, height;
  float velocity[3]; /* world units a second */
  uint64_t obstacle; /* who it is: a handle of whoever lists it */
} WmMovingObstacle;

#endif
