/* Steps: ways between places that agents can step between, although the mesh has a hole. See links_internal.h.
 *
 * A bake leaves out regions of few cells, and simplifies outlines: so a floor may have holes of a few cells where nothing is in the
 * way. The mesh ends the agent's radius before each wall, ledge, and ground that isn't walkable. So a hole narrower than
 * two radii has none of them in it. */
#include <math.h>

#include "links/links_internal.h"

/* Cell heights by which the mesh may lie beside the floor of its column, besides the climb. */
#define HEIGHT_SLACK 2.0f

/* A floor with the headroom above it. */
typedef struct Tread {
  float floor, ceiling;
  bool has_ground;
} Tread;

/* Steps from a floor to the nearest one of a column.
 * in         climb: cell heights
 * in/out     *tread: unchanged if there is none
 * returns    true if agents fit through */
static bool step_on(const WmLinkLimits *limits, const WmColumn *column, float climb, Tread *tread) {
  float nearest = climb;
  uint32_t best = UINT32_MAX;
  for (uint32_t k = 0; k < column->count; k++) {
    const WmAirGap *gap = &column->gaps[k];
    const float distance = fabsf((float)gap->floor - tread->floor);
    if (distance > nearest || (best != UINT32_MAX && distance == nearest)) continue;
    nearest = distance;
    best = k;
  }
  if (best == UINT32_MAX) return false;
  const WmAirGap *gap = &column->gaps[best];
  const float floor = gap->floor, ceiling = gap->ceiling == WM_OPEN_CEILING ? INFINITY : (float)gap->ceiling;
  const float headroom = fminf(ceiling, tread->ceiling) - fmaxf(floor, tread->floor);
  if (headroom < limits->height) return false;
  *tread = (Tread){floor, ceiling, column->ground[best] != 0};
  return true;
}

bool wm_can_step(WmAirWindow *window, const WmBorder *border, const float point[3], int32_t step) {
  const WmLinkLimits *limits = &window->generator->limits;
  /* Erosion rounds the radius up. */
  const float widest = fmaxf(2 * ceilf(limits->radius), 1);
  const float x = (point[0] - window->origin[0]) / limits->cell_size,
              z = (point[2] - window->origin[1]) / limits->cell_size;
  Tread tread = {(point[1] - window->generator->bake.bounds_min[1]) / limits->cell_height, INFINITY, true};
  int32_t cell_x = -1, cell_z = -1;
  float last_ground = 0;
  for (int32_t k = 0; k <= step; k++) {
    const float along = 0.5f * (float)k, at_x = x + along * border->outward[0],
                at_z = z + along * border->outward[1];
    if (!(at_x >= 0 && at_z >= 0)) return false;
    if ((int32_t)at_x != cell_x || (int32_t)at_z != cell_z) {
      const float slack = cell_x < 0 ? HEIGHT_SLACK : 0;
      cell_x = (int32_t)at_x;
      cell_z = (int32_t)at_z;
      const WmColumn column = wm_air_column(window, cell_x, cell_z);
      if (!step_on(limits, &column, limits->climb + slack, &tread)) return false;
    }
    if (!tread.has_ground) continue;
    if (along - last_ground >= widest) return false;
    last_ground = along;
  }
  return tread.has_ground;
}
