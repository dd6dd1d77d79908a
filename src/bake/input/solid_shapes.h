/* Solids of the input (shapes, not solid spans): checks, bounds, and boxes as hulls. */
#ifndef WALKMESH_BAKE_SOLID_SHAPES_H
#define WALKMESH_BAKE_SOLID_SHAPES_H

#include "bake/stages.h"

/* returns    WM_OK, WM_ERROR_INVALID_ARGUMENT naming the field and the number of the solid */
WmStatus wm_check_solids(WmContext *context, const WmSolid *solids, size_t count);

/* Extends the bounds to contain a point. */
void wm_extend_bounds(const float point[3], float low[3], float high[3]);

/* Bounds of a checked solid; for a tilted cylinder, the bounds of its capsule. */
void wm_find_solid_bounds(const WmSolid *solid, float low[3], float high[3]);

/* The faces of a checked solid. The struct must not be moved: `vertices` may point to its `corners`. */
typedef struct WmSolidFaces {
  const float *vertices;
  const uint32_t *indices;
  size_t triangle_count; /* 0 if the solid is round */
  float corners[24];     /* of a box */
} WmSolidFaces;

void wm_find_solid_faces(const WmSolid *solid, WmSolidFaces *faces);

/* Finds a point inside: the mean of the corners of all faces. */
void wm_find_point_inside(const WmSolidFaces *faces, double inside[3]);

/* Where a point lies, seen from the side of a triangle from which its corners are counter-clockwise: below 0
 * if behind the triangle, so that this is the outer side of a face whose body holds the point. */
double wm_side_of_face(const double point[3], const float *a, const float *b, const float *c);

/* Finds the highest point of a checked round solid above a point (rasterize/rasterize_solids.c).
 * returns    false if the solid is not above or below the point */
bool wm_find_solid_top(const WmSolid *solid, double x, double z, double *height);

#endif
