/* Checking the input of a bake. See input_check.h. */
#include "bake/input_check.h"

#include <math.h>
#include <string.h>

#include "base/number.h"

static WmStatus check_pointers(WmContext *context, const WmConfig *config, const WmBakeInput *input) {
  const WmTriangles *triangles = &input->triangles;
  if (triangles->triangle_count == 0) {
    if (input->solid_count == 0) {
      return wm_fail(context, WM_ERROR_GEOMETRY, "indices", "the level has no triangles");
    }
    if (!config->has_bounds) {
      return wm_fail(context, WM_ERROR_CONFIGURATION, "bounds",
                     "bounds are needed for a level of solids only");
    }
    return WM_OK;
  }
  if (!triangles->positions || !triangles->indices) {
    return wm_fail(context, WM_ERROR_INVALID_ARGUMENT, triangles->positions ? "indices" : "positions",
                   "positions and indices must not be null");
  }
  if (triangles->triangle_count > UINT32_MAX / 3) {
    return wm_fail_range(context, WM_ERROR_GEOMETRY, "indices", (double)triangles->triangle_count, 1,
                         (double)(UINT32_MAX / 3), "triangles");
  }
  if (triangles->position_stride < 3) {
    return wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, "stride", (double)triangles->position_stride, 3,
                         NAN, "floats from one vertex to the next");
  }
  return WM_OK;
}

static WmStatus check_vertices(WmContext *context, const WmTriangles *triangles, float bounds_min[3],
                               float bounds_max[3]) {
  const float *position = triangles->positions;
  for (int axis = 0; axis < 3; axis++) bounds_min[axis] = bounds_max[axis] = position[axis];
  for (size_t vertex = 0; vertex < triangles->vertex_count; vertex++) {
    const float x = position[0], y = position[1], z = position[2];
    if (!isfinite(x) || !isfinite(y) || !isfinite(z)) {
      return wm_fail_number(context, WM_ERROR_GEOMETRY, "positions", "vertex ", (double)vertex,
                            " is not finite (NaN or infinite)");
    }
    bounds_min[0] = fminf(bounds_min[0], x), bounds_max[0] = fmaxf(bounds_max[0], x);
    bounds_min[1] = fminf(bounds_min[1], y), bounds_max[1] = fmaxf(bounds_max[1], y);
    bounds_min[2] = fminf(bounds_min[2], z), bounds_max[2] = fmaxf(bounds_max[2], z);
    position += triangles->position_stride;
  }
  return WM_OK;
}

static WmStatus check_triangles(WmContext *context, const WmTriangles *triangles) {
  for (size_t i = 0; i < 3 * triangles->triangle_count; i++) {
    if (triangles->indices[i] >= triangles->vertex_count) {
      return wm_fail_range(context, WM_ERROR_GEOMETRY, "indices", triangles->indices[i], 0,
                           (double)triangles->vertex_count - 1,
                           "a triangle refers to a vertex that is not there");
    }
  }
  if (!triangles->areas) return WM_OK;
  for (size_t i = 0; i < triangles->triangle_count; i++) {
    if (triangles->areas[i] >= WM_AREA_COUNT) {
      return wm_fail_range(context, WM_ERROR_GEOMETRY, "areas", triangles->areas[i], 0, WM_AREA_COUNT - 1,
                           "area of a triangle");
    }
  }
  return WM_OK;
}

static WmStatus check_connections(WmContext *context, const WmBakeInput *input) {
  for (size_t i = 0; i < input->connection_count; i++) {
    const WmOffMeshConnection *connection = &input->connections[i];
    bool finite = isfinite(connection->radius) && connection->radius > 0;
    for (int axis = 0; axis < 3; axis++) {
      finite = finite && isfinite(connection->start[axis]) && isfinite(connection->end[axis]);
    }
    if (!finite || connection->area >= WM_AREA_COUNT) {
      return wm_fail_number(context, WM_ERROR_INVALID_ARGUMENT, "offMeshConnections", "off-mesh connection ",
                            (double)i, " needs finite ends, a radius above 0 and an area of 0 to 63");
    }
  }
  return WM_OK;
}

/* The highest point of a solid, at least. */
static float find_top(const WmSolid *solid) {
  float top = solid->start[1];
  switch (solid->kind) {
    case WM_SOLID_BOX:
      for (int axis = 0; axis < 3; axis++) top += fabsf(solid->half_axes[axis][1]);
      break;
    case WM_SOLID_SPHERE: top += solid->radius; break;
    case WM_SOLID_CAPSULE:
    case WM_SOLID_CYLINDER: top = fmaxf(top, solid->end[1]) + solid->radius; break;
    case WM_SOLID_CONVEX:
      top = -INFINITY;
      for (size_t i = 0; solid->vertices && i < solid->vertex_count; i++) {
        top = fmaxf(top, solid->vertices[3 * i + 1]);
      }
      break;
    default: break;
  }
  return top;
}

/* Raises the bounds over the solids, so that none is cut off at the top of the triangles. Nothing else moves:
 * an obstacle must not shift the grid. What is not finite is refused when the solid is rasterized. */
static void raise_over_solids(const WmBakeInput *input, float bounds_max[3]) {
  for (size_t i = 0; i < input->solid_count; i++) {
    const float top = find_top(&input->solids[i]);
    if (isfinite(top)) bounds_max[1] = fmaxf(bounds_max[1], top);
  }
}

WmStatus wm_check_input(WmContext *context, const WmConfig *config, const WmBakeInput *input,
                        float bounds_min[3], float bounds_max[3]) {
  WmStatus status = check_pointers(context, config, input);
  if (!status) status = check_connections(context, input);
  if (status) return status;
  if (input->triangles.triangle_count > 0) {
    /* Indices first: an empty vertex array then reports the index that misses. */
    status = check_triangles(context, &input->triangles);
    if (!status) status = check_vertices(context, &input->triangles, bounds_min, bounds_max);
    if (status) return status;
  }
  if (config->has_bounds) {
    memcpy(bounds_min, config->bounds_min, 3 * sizeof *bounds_min);
    memcpy(bounds_max, config->bounds_max, 3 * sizeof *bounds_max);
  } else {
    raise_over_solids(input, bounds_max);
  }
  return WM_OK;
}

/* Sums of area seen from above, by where triangles face. */
typedef struct Facing {
  double up, down; /* flat enough to walk on, as it is or turned over */
  size_t degenerate;
} Facing;

static Facing measure_facing(const WmTriangles *triangles, float max_slope_degrees) {
  const double threshold = wm_sine(max_slope_degrees / 180.0 * 3.14159265358979, 1);
  Facing facing = {0};
  for (size_t i = 0; i < triangles->triangle_count; i++) {
    const uint32_t *corner = triangles->indices + 3 * i;
    const float *a = triangles->positions + corner[0] * triangles->position_stride;
    const float *b = triangles->positions + corner[1] * triangles->position_stride;
    const float *c = triangles->positions + corner[2] * triangles->position_stride;
    const double px = (double)b[0] - a[0], py = (double)b[1] - a[1], pz = (double)b[2] - a[2];
    const double qx = (double)c[0] - a[0], qy = (double)c[1] - a[1], qz = (double)c[2] - a[2];
    const double nx = py * qz - pz * qy, ny = pz * qx - px * qz, nz = px * qy - py * qx;
    const double length = sqrt(nx * nx + ny * ny + nz * nz);
    if (!(length > 0)) {
      facing.degenerate++;
    } else if (ny > threshold * length) {
      facing.up += ny / 2;
    } else if (-ny > threshold * length) {
      facing.down -= ny / 2;
    }
  }
  return facing;
}

WmStatus wm_diagnose_input(WmContext *context, const WmConfig *config, const WmBakeInput *input,
                           const float bounds_min[3], const float bounds_max[3], uint32_t *warnings) {
  const WmTriangles *triangles = &input->triangles;
  const Facing facing = measure_facing(triangles, config->agent_max_slope);
  *warnings = 0;
  if (input->solid_count == 0) {
    if (facing.degenerate == triangles->triangle_count) {
      return wm_fail_number(context, WM_ERROR_GEOMETRY, "indices", "all ", (double)triangles->triangle_count,
                            " triangles are degenerate (no area)");
    }
    if (facing.up == 0 && facing.down > 0) {
      return wm_fail(context, WM_ERROR_GEOMETRY, "indices",
                     "no triangle faces up, but with the winding flipped some would: triangles must be "
                     "counter-clockwise seen from above");
    }
    if (facing.up == 0) *warnings |= WM_WARNING_NOTHING_WALKABLE;
  }
  if (facing.degenerate > 0) *warnings |= WM_WARNING_DEGENERATE_TRIANGLES;
  if (facing.down > 4 * facing.up && facing.up > 0) *warnings |= WM_WARNING_MOSTLY_FACES_DOWN;
  const float shortest = fminf(bounds_max[0] - bounds_min[0], bounds_max[2] - bounds_min[2]);
  if (2 * config->agent_radius >= shortest) *warnings |= WM_WARNING_RADIUS_OVER_LEVEL;
  if (config->agent_radius > 0 && config->cell_size > config->agent_radius) {
    *warnings |= WM_WARNING_CELL_OVER_RADIUS;
  }
  if (config->agent_max_climb > 0 && config->agent_max_climb < config->cell_height) {
    *warnings |= WM_WARNING_CLIMB_BELOW_CELL;
  }
  return WM_OK;
}
