/* A moving obstacle that cuts no hole into the mesh: an upright cylinder that agents steer around.
 *
 * Dynamic meshes (dynamic/obstacles/motion.h) list them and crowds read them: neither includes the other's headers. */
#ifndef WALKMESH_BASE_MOVING_OBSTACLE_H
#define WALKMESH_BASE_MOVING_OBSTACLE_H

#include <stdint.h>

#include "base/public.h"

WM_PUBLIC_BEGIN

typedef struct WmMovingObstacle {
  float position[3]; /* the centre of the base */
  float radius, height;
  float velocity[3]; /* world units per second */
  uint64_t obstacle; /* its handle in the mesh that lists it */
} WmMovingObstacle;

WM_PUBLIC_END

#endif
