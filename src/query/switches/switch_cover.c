/* The polygons and tiles that a switch's volume covers. See switch_cover.h. */
#include "query/switches/switch_cover.h"

#include <float.h>
#include <math.h>

#include "base/number.h"
#include "mesh/locate.h"
#include "query/local/convex.h"
#include "query/query_internal.h"
#include "query/local/overlap.h"

enum { BOX_CORNERS = 4 };

/* ---- Shapes ------------------------------------------------------------------------------------------- */

static WmStatus fail_size(WmContext *context, const char *field, double value) {
  return wm_fail_number(context, WM_ERROR_INVALID_ARGUMENT, field, "a switch's size is ", value,
                        ": must be 0 or more");
}

static WmStatus check_numbers(WmContext *context, const float *numbers, size_t count, const char *field) {
  if (wm_are_within(numbers, count, FLT_MAX)) return WM_OK;
  return wm_fail(context, WM_ERROR_INVALID_ARGUMENT, field, "a switch's numbers must be finite");
}

/* Checks minimum and maximum on axes first, first + step, ... */
static WmStatus check_extent(WmContext *context, const WmSwitchVolume *volume, int first, int step) {
  for (int axis = first; axis < 3; axis += step) {
    WmStatus status = check_numbers(context, &volume->minimum[axis], 1, "min");
    if (!status) status = check_numbers(context, &volume->maximum[axis], 1, "max");
    if (status) return status;
    if (volume->minimum[axis] <= volume->maximum[axis]) continue;
    return fail_size(context, "max", (double)volume->maximum[axis] - (double)volume->minimum[axis]);
  }
  return WM_OK;
}

static WmStatus check_rotated_box(WmContext *context, const WmSwitchVolume *volume) {
  WmStatus status = check_numbers(context, volume->centre, 3, "centre");
  if (!status) status = check_numbers(context, volume->half_extents, 3, "halfExtents");
  if (!status) status = check_numbers(context, &volume->yaw, 1, "yaw");
  for (int axis = 0; !status && axis < 3; axis++) {
    /* Without width or depth the box has no outline. */
    const bool is_thin = axis != 1 && volume->half_extents[axis] == 0;
    if (is_thin || volume->half_extents[axis] < 0) {
      status = fail_size(context, "halfExtents", (double)volume->half_extents[axis]);
    }
  }
  return status;
}

static WmStatus check_cylinder(WmContext *context, const WmSwitchVolume *volume) {
  WmStatus status = check_numbers(context, volume->centre, 3, "base");
  if (!status) status = check_numbers(context, &volume->radius, 1, "radius");
  if (!status) status = check_numbers(context, &volume->height, 1, "height");
  if (!status && volume->radius < 0) status = fail_size(context, "radius", (double)volume->radius);
  if (!status && volume->height < 0) status = fail_size(context, "height", (double)volume->height);
  return status;
}

WmStatus wm_switch_check(WmContext *context, const WmSwitchVolume *volume) {
  if (volume->area < -1 || volume->area > 63) {
    return wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, "area", volume->area, 0, 63, NULL);
  }
  WmConvex convex;
  switch (volume->kind) {
    case WM_SWITCH_BOX: return check_extent(context, volume, 0, 1);
    case WM_SWITCH_ROTATED_BOX: return check_rotated_box(context, volume);
    case WM_SWITCH_CYLINDER: return check_cylinder(context, volume);
    case WM_SWITCH_PRISM: {
      const WmStatus status = check_extent(context, volume, 1, 3);
      if (status) return status;
      return wm_convex_make(context, volume->vertices, volume->vertex_count, "vertices", &convex);
    }
    default:
      return wm_fail_range(context, WM_ERROR_INVALID_ARGUMENT, "kind", volume->kind, WM_SWITCH_BOX,
                           WM_SWITCH_PRISM, NULL);
  }
}

/* The corners of a rotated box, as in bakes. */
static void turn_box(const WmSwitchVolume *volume, float outline[3 * BOX_CORNERS]) {
  const float *centre = volume->centre, *half = volume->half_extents;
  const double sine = wm_sine((double)volume->yaw, 0), cosine = wm_sine((double)volume->yaw, 1);
  for (int i = 0; i < BOX_CORNERS; i++, outline += 3) {
    const double u = (double)(i < 2 ? -half[0] : half[0]);
    const double w = (double)(i == 1 || i == 2 ? half[2] : -half[2]);
    outline[0] = (float)((double)centre[0] + (u * cosine + w * sine));
    outline[1] = centre[1];
    outline[2] = (float)((double)centre[2] + (w * cosine - u * sine));
  }
}

/* ---- Polygons ----------------------------------------------------------------------------------------- */

static WmStatus find_touching(WmQuery *query, const WmSwitchVolume *volume, WmPolygons *found) {
  const float *low = volume->minimum, *high = volume->maximum;
  float outline[3 * BOX_CORNERS], centre[3], half[3];
  switch (volume->kind) {
    case WM_SWITCH_BOX:
      for (int axis = 0; axis < 3; axis++) {
        centre[axis] = low[axis] / 2 + high[axis] / 2;
        half[axis] = high[axis] / 2 - low[axis] / 2;
      }
      return wm_query_polygons_in_box(query, centre, half, &WM_EVERY_POLYGON, 0, found);
    case WM_SWITCH_ROTATED_BOX: {
      const float y = volume->centre[1], rise = volume->half_extents[1];
      turn_box(volume, outline);
      return wm_query_polygons_in_convex(query, outline, BOX_CORNERS, y - rise, y + rise, &WM_EVERY_POLYGON,
                                         0, found);
    }
    case WM_SWITCH_CYLINDER:
      memcpy(centre, volume->centre, sizeof centre);
      centre[1] += volume->height / 2;
      return wm_query_polygons_in_circle(query, centre, volume->radius, volume->height / 2, &WM_EVERY_POLYGON,
                                         0, found);
    default:
      return wm_query_polygons_in_convex(query, volume->vertices, volume->vertex_count, low[1], high[1],
                                         &WM_EVERY_POLYGON, 0, found);
  }
}

/* True if a point is inside, seen from above. */
static bool is_inside(const WmSwitchVolume *volume, const float point[3]) {
  const double dx = (double)point[0] - (double)volume->centre[0];
  const double dz = (double)point[2] - (double)volume->centre[2];
  float outline[3 * BOX_CORNERS];
  const float *vertices = volume->vertices;
  size_t count = volume->vertex_count;
  switch (volume->kind) {
    case WM_SWITCH_BOX:
      return point[0] >= volume->minimum[0] && point[0] <= volume->maximum[0] &&
             point[2] >= volume->minimum[2] && point[2] <= volume->maximum[2];
    case WM_SWITCH_CYLINDER: return dx * dx + dz * dz <= (double)volume->radius * (double)volume->radius;
    case WM_SWITCH_ROTATED_BOX:
      turn_box(volume, outline);
      vertices = outline;
      count = BOX_CORNERS;
      break;
    default: break;
  }
  bool left = false, right = false;
  for (size_t i = 0; i < count; i++) {
    const float *a = vertices + 3 * i, *b = vertices + 3 * ((i + 1) % count);
    const double turn = ((double)b[0] - (double)a[0]) * ((double)point[2] - (double)a[2]) -
                        ((double)b[2] - (double)a[2]) * ((double)point[0] - (double)a[0]);
    left |= turn < 0;
    right |= turn > 0;
  }
  return !(left && right);
}

static void find_middle(const WmMeshTile *tile, uint32_t polygon, float middle[3]) {
  double sums[3] = {0};
  const uint32_t size = tile->polygon_size[polygon];
  for (uint32_t k = 0; k < size; k++) {
    for (int axis = 0; axis < 3; axis++) sums[axis] += (double)wm_tile_vertex(tile, polygon, k)[axis];
  }
  for (int axis = 0; axis < 3; axis++) middle[axis] = (float)(sums[axis] / size);
}

static bool is_covered(const WmSwitchVolume *volume, const WmMeshTile *tile, uint32_t polygon) {
  if (volume->area >= 0 && tile->polygon_area[polygon] != volume->area) return false;
  if (!volume->by_middle) return true;
  float middle[3];
  find_middle(tile, polygon, middle);
  return is_inside(volume, middle);
}

WmStatus wm_switch_cover(WmQuery *query, const WmSwitchVolume *volume, WmRef **polygons, size_t *count) {
  WmPolygons found;
  *polygons = NULL;
  *count = 0;
  const WmStatus status = find_touching(query, volume, &found);
  if (status) return status;
  WmRef *refs = query->arrays[WM_QUERY_POLYGONS].items;
  for (size_t i = 0; i < found.count; i++) {
    const WmMeshTile *tile = wm_mesh_tile_of(query->mesh, refs[i]);
    if (is_covered(volume, tile, wm_ref_polygon(refs[i]))) refs[(*count)++] = refs[i];
  }
  *polygons = refs;
  return WM_OK;
}

/* ---- Tiles -------------------------------------------------------------------------------------------- */

static void find_box(const WmSwitchVolume *volume, float low[3], float high[3]) {
  const float *centre = volume->centre, *half = volume->half_extents;
  const float reach = volume->kind == WM_SWITCH_CYLINDER ? volume->radius : half[0] + half[2];
  const bool is_round = volume->kind == WM_SWITCH_CYLINDER || volume->kind == WM_SWITCH_ROTATED_BOX;
  for (int axis = 0; axis < 3; axis++) {
    low[axis] = is_round ? centre[axis] - reach : volume->minimum[axis];
    high[axis] = is_round ? centre[axis] + reach : volume->maximum[axis];
  }
  if (volume->kind != WM_SWITCH_PRISM) return;
  for (int axis = 0; axis < 3; axis += 2) {
    low[axis] = INFINITY;
    high[axis] = -INFINITY;
    for (size_t i = 0; i < volume->vertex_count; i++) {
      low[axis] = fminf(low[axis], volume->vertices[3 * i + (size_t)axis]);
      high[axis] = fmaxf(high[axis], volume->vertices[3 * i + (size_t)axis]);
    }
  }
}

void wm_switch_box(const WmMesh *mesh, const WmSwitchVolume *volume, float low[3], float high[3]) {
  const WmMeshParameters *parameters = wm_mesh_parameters(mesh);
  find_box(volume, low, high);
  for (int axis = 0; axis < 3; axis += 2) {
    const float slack = (axis == 0 ? parameters->tile_width : parameters->tile_depth) * 0.02f;
    low[axis] = fmaxf(low[axis] - slack, -FLT_MAX);
    high[axis] = fminf(high[axis] + slack, FLT_MAX);
  }
}

WmContentHash wm_switch_tiles(const WmMesh *mesh, const WmSwitchVolume *volume) {
  float low[3], high[3];
  wm_switch_box(mesh, volume, low, high);
  WmContentHash hash = wm_content_hash_start();
  WmBoxTiles tiles;
  wm_box_tiles_begin(&tiles, mesh, low, high);
  for (const WmMeshTile *tile; (tile = wm_box_tiles_next(&tiles)) != NULL;) {
    if (tile->ground_count > 0) wm_content_hash_words(&hash, &tile->ref, 2);
  }
  wm_content_hash_finish(&hash);
  return hash;
}
