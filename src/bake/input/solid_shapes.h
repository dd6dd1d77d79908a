/* Solids as such: whether they can be used, where they lie, and boxes as hulls. */
#ifndef WALKMESH_BAKE_SOLID_SHAPES_H
#define WALKMESH_BAKE_SOLID_SHAPES_H

#include "bake/stages.h"

/* returns    WM_OK, WM_ERROR_INVALID_ARGUMENT naming the field and the number of the solid */
WmStatus wm_check_solids(WmContext *context, const WmSolid *solids, size_t count);

/* Moves the bounds out to a point where it lies outside. */
void wm_extend_bounds(const float point[3], float low[3], float high[3]);

/* Bounds of a checked solid; those of a tilted cylinder are its capsule's. */
void wm_find_solid_bounds(const WmSolid *solid, float low[3], float high[3]);

/* The faces of a checked solid. `corners` belongs to it: not to be moved. */
typedef struct WmSolidFaces {
  const float *vertices;
  const uint32_t *indices;
  size_t triangle_count; /* 0 where the solid is round */
  float corners[24];     /* of a box */
} WmSolidFaces;

void wm_find_solid_faces(const WmSolid *solid, WmSolidFaces *faces);

#endif
