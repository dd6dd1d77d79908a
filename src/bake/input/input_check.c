/* Checks the input of a bake. See input_check.h. */
#include "bake/input/input_check.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "bake/input/solid_shapes.h"
#include "base/number.h"
#include "base/simd.h"

static WmStatus check_pointers(WmContext *context, const WmConfig *config, const WmBakeInput *input) {
  const WmTriangles *triangles = &input->triangles;
  const char *field = triangles->positions ? "indices" : "positions";
  if (input->from_kept_tiles) {
    return config->has_bounds ? WM_OK
                              : wm_fail(context, WM_ERROR_CONFIGURATION, "bounds",
                                        "bounds are needed where tiles come from kept bytes");
  }
  if (triangles->triangle_count == 0) {
    if (config->has_bounds) return WM_OK;
    return input->solid_count == 0 ? wm_fail(context, WM_ERROR_GEOMETRY, "indices",
                                             "the level has no triangles. An empty level needs bounds")
                                   : wm_fail(context, WM_ERROR_CONFIGURATION, "bounds",
                                             "bounds are needed for a level of solids only");
  }
  if (!triangles->positions || !triangles->indices) {
    return wm_fail(context, WM_ERROR_INVALID_ARGUMENT, field, "positions and indices must not be null");
  }
  if (triangles->triangle_count > UINT32_MAX / 3) {
    return wm_fail_range(context, WM_ERROR_GEOMETRY, field, (double)triangles->triangle_count, 1,
                         (double)(UINT32_MAX / 3), "triangles");
  }
  if (triangles->position_stride < 3) {
    return wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, "stride", (double)triangles->position_stride, 3,
                         NAN, "floats a vertex");
  }
  return WM_OK;
}

WmStatus wm_check_vertices(WmContext *context, const WmTriangles *triangles, size_t first, size_t end,
                           float bounds_min[3], float bounds_max[3]) {
  if (first == end) return WM_OK;
  const float *position = triangles->positions + triangles->position_stride * first;
  if (first == 0) memcpy(bounds_min, position, 3 * sizeof *bounds_min);
  if (first == 0) memcpy(bounds_max, position, 3 * sizeof *bounds_max);
  WmFloat4 low = {bounds_min[0], bounds_min[1], bounds_min[2], 0};
  WmFloat4 high = {bounds_max[0], bounds_max[1], bounds_max[2], 0};
  for (size_t vertex = first; vertex < end; vertex++, position += triangles->position_stride) {
    const WmFloat4 point = {position[0], position[1], position[2], 0};
    /* The difference is 0 if the number is finite, else NaN. */
    if (wm_mask_int4((WmInt4)(point - point == wm_splat_float4(0))) != 15) {
      return wm_fail_number(context, WM_ERROR_GEOMETRY, "positions", "vertex ", (double)vertex,
                            " is not finite (NaN or infinite)");
    }
    low = wm_min_float4(point, low);
    high = wm_max_float4(point, high);
  }
  memcpy(bounds_min, &low, 3 * sizeof *bounds_min);
  memcpy(bounds_max, &high, 3 * sizeof *bounds_max);
  return WM_OK;
}

WmStatus wm_check_indices(WmContext *context, const WmTriangles *triangles, size_t first, size_t end) {
  for (size_t i = 3 * first; i < 3 * end; i++) {
    if (triangles->indices[i] < triangles->vertex_count) continue;
    return wm_fail_range(context, WM_ERROR_GEOMETRY, "indices", triangles->indices[i], 0,
                         (double)triangles->vertex_count - 1, "that vertex is not there");
  }
  for (size_t i = first; triangles->areas && i < end; i++) {
    if (triangles->areas[i] < WM_AREA_COUNT) continue;
    return wm_fail_range(context, WM_ERROR_GEOMETRY, "areas", triangles->areas[i], 0, WM_AREA_COUNT - 1,
                         NULL);
  }
  return WM_OK;
}

static WmStatus check_connections(WmContext *context, const WmBakeInput *input) {
  for (size_t i = 0; i < input->connection_count; i++) {
    const WmOffMeshConnection *connection = &input->connections[i];
    if (wm_are_within(connection->start, 3, FLT_MAX) && wm_are_within(connection->end, 3, FLT_MAX) &&
        connection->radius > 0 && connection->radius <= FLT_MAX && connection->area < WM_AREA_COUNT) {
      continue;
    }
    return wm_fail_number(context, WM_ERROR_INVALID_ARGUMENT, "offMeshConnections", "off-mesh connection ",
                          (double)i, " needs finite ends, a radius above 0, an area of 0 to 63");
  }
  return WM_OK;
}

/* Raises the top of the bounds over the solids, so that none is cut off above the triangles. The other
 * sides stay: a solid must not shift the grid. */
static void raise_over_solids(const WmBakeInput *input, float bounds_max[3]) {
  for (size_t i = 0; i < input->solid_count; i++) {
    float low[3], high[3];
    wm_find_solid_bounds(&input->solids[i], low, high);
    if (high[1] > bounds_max[1]) bounds_max[1] = high[1];
  }
}

WmStatus wm_check_lists(WmContext *context, const WmConfig *config, const WmBakeInput *input) {
  WmStatus status = check_pointers(context, config, input);
  if (!status) status = check_connections(context, input);
  if (!status) status = wm_check_solids(context, input->solids, input->solid_count);
  return status;
}

void wm_resolve_bounds(const WmConfig *config, const WmBakeInput *input, float bounds_min[3],
                       float bounds_max[3]) {
  if (config->has_bounds) {
    memcpy(bounds_min, config->bounds_min, 3 * sizeof *bounds_min);
    memcpy(bounds_max, config->bounds_max, 3 * sizeof *bounds_max);
  } else {
    raise_over_solids(input, bounds_max);
  }
  /* Minus zero becomes zero: which of both a minimum returns depends on the order, and files compare bits. */
  for (int axis = 0; axis < 3; axis++) {
    bounds_min[axis] += 0.0f;
    bounds_max[axis] += 0.0f;
  }
}

WmStatus wm_diagnose_input(WmContext *context, const WmConfig *config, const WmBakeInput *input,
                           const float bounds_min[3], const float bounds_max[3], const WmFacing *facing,
                           uint32_t *warnings) {
  const WmTriangles *triangles = &input->triangles;
  const float radius = config->agent_radius, climb = config->agent_max_climb;
  const bool is_of_triangles =
      triangles->triangle_count > 0 && input->solid_count == 0 && !input->from_kept_tiles;
  if (is_of_triangles) {
    if (facing->degenerate == triangles->triangle_count) {
      return wm_fail_number(context, WM_ERROR_GEOMETRY, "indices", "all ", (double)triangles->triangle_count,
                            " triangles are degenerate (no area)");
    }
    if (facing->up == 0 && facing->down > 0) {
      return wm_fail(context, WM_ERROR_GEOMETRY, "indices",
                     "no triangle faces up, but with the winding flipped some would: wind them "
                     "counter-clockwise seen from above");
    }
  }
  const float width = bounds_max[0] - bounds_min[0], depth = bounds_max[2] - bounds_min[2];
  uint32_t found = 0;
  if (facing->up == 0 && is_of_triangles) found |= WM_WARNING_NOTHING_WALKABLE;
  if (facing->degenerate > 0) found |= WM_WARNING_DEGENERATE_TRIANGLES;
  if (facing->down > 4 * facing->up && facing->up > 0) found |= WM_WARNING_MOSTLY_FACES_DOWN;
  if (2 * radius >= width || 2 * radius >= depth) found |= WM_WARNING_RADIUS_OVER_LEVEL;
  if (radius > 0 && config->cell_size > radius) found |= WM_WARNING_CELL_OVER_RADIUS;
  if (climb > 0 && climb < config->cell_height) found |= WM_WARNING_CLIMB_BELOW_CELL;
  *warnings = found;
  return WM_OK;
}
