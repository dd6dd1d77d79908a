/* Checks contours, for tests and debug builds (base/debug/assert.h). Shares no code with the stage. */
#ifndef WALKMESH_BAKE_CONTOURS_VALIDATE_H
#define WALKMESH_BAKE_CONTOURS_VALIDATE_H

#include "bake/fields.h"

/* True if each contour has no vertices (a joined hole) or at least 3, all in the grid; its region has one
 * area; each edge has another region across, and WM_CONTOUR_AREA_BORDER exactly if that region has another
 * area; and consecutive raw vertices are one cell apart. Call it right after the stage.
 * in         set: raw_first may be NULL, in sets that tests make
 * cost       O(vertices); 64 kB of stack */
bool wm_contour_set_validate(const WmContourSet *set);

/* True if contours of these regions must be valid: links are symmetric, and each region has one area. Regions
 * from wm_build_regions are so, those of tests and fuzzing may not be.
 * in         span_region [span_count]
 * cost       O(spans); 64 kB of stack */
bool wm_contour_input_validate(const WmCompactHeightfield *compact, const uint16_t *span_region);

#endif
