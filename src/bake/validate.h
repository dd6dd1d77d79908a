/* Checks of the results of stages, for tests and debug builds: each returns false on the first invariant of
 * fields.h that an array breaks. They share no code with the stages, except wm_link, which reads a link. They
 * don't check that a result is right, only that later stages can rely on it.
 *
 * Call a check right after its stage; what later stages may change is said there.
 *
 * memory     none, or scratch memory that is rewound; without memory the part that needs it is skipped
 * cost       O(spans + cells), except where noted */
#ifndef WALKMESH_BAKE_VALIDATE_H
#define WALKMESH_BAKE_VALIDATE_H

#include "bake/fields.h"

/* Spans of a cell ascend without touching, have a height, are within WM_SPAN_HEIGHT_LIMIT and have an area.
 * Holds after each filter, too. */
bool wm_heightfield_validate(const WmHeightfield *field);

/* Gaps of a cell ascend without overlapping; each link leads to the neighbouring cell, within the climb, to a
 * gap that overlaps by walkable_height (checked while span_clearance is there), and back if
 * links_are_symmetric. Holds after erosion and marking, too. */
bool wm_compact_heightfield_validate(const WmCompactHeightfield *compact);

/* Areas are 0..63, and unwalkable spans have stayed unwalkable.
 * in         before [span_count]: the areas before erosion, median filter or marking; NULL: not compared */
bool wm_areas_validate(const WmCompactHeightfield *compact, const uint8_t *before);

/* Distances are 0 exactly at area borders, and at most max_distance. Before regions are built if is_spare. */
bool wm_distance_field_validate(const WmCompactHeightfield *compact, const WmDistanceField *distance);

/* Unwalkable spans have no region, walkable ones of the border a border region, others one of
 * 1..region_count or none; a region has at most one span a column, one area, and is connected by links.
 * in         context: for scratch memory, or NULL: without the last two, which need it */
bool wm_regions_validate(WmContext *context, const WmCompactHeightfield *compact, const WmRegions *regions);

/* Each walkable span of the tile proper is in one layer, at its height and with its area (higher only at
 * portals); connections within a layer lead to cells of the layer; bounds are those of the cells.
 * cost       O(layers * cells * span layers) */
bool wm_heightfield_layers_validate(const WmCompactHeightfield *compact, const WmHeightfieldLayers *layers);

#endif
