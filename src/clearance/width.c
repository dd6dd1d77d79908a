#include "clearance/width.h"

#include <math.h>
#include <string.h>

#include "mesh/locate.h"
#include "query/local/outline.h"

/* Polygons visited around a point, and walls that are compared; more do not count. */
enum { POLYGONS = 32, WALLS = 48 };

/* Walls with an angle of more than this to the nearest one are on the other side: its cosine. */
#define OPPOSITE (-0.3f)

/* The walls near a point, by the vectors to their nearest points. */
typedef struct Walls {
  float point[3];
  float squared; /* of the range */
  float vectors[WALLS][2];
  uint32_t count, nearest;
  float nearest_squared;
  WmRef polygons[POLYGONS];
  uint32_t polygon_count;
} Walls;

/* The vector from the point to a wall; of a wall that it lies on, a short one across the wall. */
static void find_vector(const Walls *walls, const WmEdgeSegment *wall, float t, float vector[2]) {
  const float along[2] = {wall->second[0] - wall->first[0], wall->second[2] - wall->first[2]};
  vector[0] = wall->first[0] + along[0] * t - walls->point[0];
  vector[1] = wall->first[2] + along[1] * t - walls->point[2];
  if (vector[0] * vector[0] + vector[1] * vector[1] > 1e-8f) return;
  const float length = sqrtf(along[0] * along[0] + along[1] * along[1]);
  if (!(length > 0)) return;
  vector[0] = -along[1] / length * 1e-4f;
  vector[1] = along[0] / length * 1e-4f;
}

static void add_wall(Walls *walls, const WmEdgeSegment *wall, float squared, float t) {
  if (walls->count == WALLS) return;
  find_vector(walls, wall, t, walls->vectors[walls->count]);
  if (squared < walls->nearest_squared) {
    walls->nearest_squared = squared;
    walls->nearest = walls->count;
  }
  walls->count++;
}

static void add_polygon(Walls *walls, WmRef polygon) {
  if (walls->polygon_count == POLYGONS) return;
  for (uint32_t i = 0; i < walls->polygon_count; i++) {
    if (walls->polygons[i] == polygon) return;
  }
  walls->polygons[walls->polygon_count++] = polygon;
}

static void visit(Walls *walls, const WmMesh *mesh, const WmFilter *filter, WmRef ref) {
  const WmMeshTile *tile = wm_mesh_tile_of(mesh, ref);
  const uint32_t polygon = wm_ref_polygon(ref);
  if (!tile || polygon >= tile->ground_count) return;
  WmOutline outline = wm_outline_of(mesh, filter, tile, polygon);
  for (WmEdgeSegment piece; wm_outline_next(&outline, &piece);) {
    float t;
    const float squared = wm_distance_to_segment(walls->point, piece.first, piece.second, &t);
    if (squared > walls->squared) continue;
    if (piece.polygon == UINT32_MAX) {
      add_wall(walls, &piece, squared, t);
    } else {
      add_polygon(walls, wm_mesh_tile(mesh, piece.slot)->ref + piece.polygon);
    }
  }
}

/* The distance to the nearest wall on the side away from the nearest one; INFINITY if there is none. */
static float find_opposite(const Walls *walls, const float towards[2]) {
  float nearest = INFINITY;
  for (uint32_t i = 0; i < walls->count; i++) {
    const float *vector = walls->vectors[i];
    const float length = sqrtf(vector[0] * vector[0] + vector[1] * vector[1]);
    if (vector[0] * towards[0] + vector[1] * towards[1] < OPPOSITE * length && length < nearest)
      nearest = length;
  }
  return nearest;
}

float wm_width_at(const WmMesh *mesh, WmRef polygon, const float point[3], float widest, float towards[2]) {
  Walls walls;
  const WmFilter filter = wm_filter_default();
  memcpy(walls.point, point, sizeof walls.point);
  walls.squared = widest * widest;
  walls.count = walls.nearest = walls.polygon_count = 0;
  walls.nearest_squared = INFINITY;
  if (towards) towards[0] = towards[1] = 0;
  add_polygon(&walls, polygon);
  for (uint32_t i = 0; i < walls.polygon_count; i++) visit(&walls, mesh, &filter, walls.polygons[i]);
  if (walls.count == 0) return INFINITY;
  const float *vector = walls.vectors[walls.nearest];
  const float length = sqrtf(vector[0] * vector[0] + vector[1] * vector[1]);
  if (!(length > 0)) return INFINITY;
  const float direction[2] = {vector[0] / length, vector[1] / length};
  if (towards) memcpy(towards, direction, sizeof direction);
  const float width = length + find_opposite(&walls, direction);
  return width <= widest ? width : INFINITY;
}
