/* Checks contours, for tests and debug builds (base/assert.h). Shares no code with the stage. */
#ifndef WALKMESH_BAKE_CONTOURS_VALIDATE_H
#define WALKMESH_BAKE_CONTOURS_VALIDATE_H

#include "bake/fields.h"

/* True if each contour has no vertices (a joined hole) or at least 3, all in the grid; its region has one
 * area; each edge has another region across, and WM_CONTOUR_AREA_BORDER exactly if that region has another
 * area; and consecutive raw vertices are one cell apart. Call it right after the stage.
 * cost       O(vertices); 64 kB of stack */
bool wm_contour_set_validate(const WmContourSet *set);

#endif
