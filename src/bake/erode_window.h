/* Erosion of a part of a field: see ground.h. */
#ifndef WALKMESH_BAKE_ERODE_WINDOW_H
#define WALKMESH_BAKE_ERODE_WINDOW_H

#include "bake/fields.h"

/* The cells x first[0] to last[0], z first[1] to last[1], all inside the grid; empty where last < first. */
typedef struct WmWindow {
  int32_t first[2], last[2];
} WmWindow;

/* Where areas of spans differ, as seen from above. */
WmWindow wm_find_changes(const WmCompactHeightfield *compact, const uint8_t *before, const uint8_t *after);

/* Clears areas of spans that are nearer to the border than the radius because spans of the window have become
 * unwalkable; those that are near it anyway may be cleared or not.
 * in         area [span_count]: before erosion, by which distances are measured; radius_cells: 1 to 127;
 *            distance: [span_count] bytes to work with
 * in/out     cleared [span_count] */
void wm_erode_window(const WmCompactHeightfield *compact, const uint8_t *area, const WmWindow *window,
                     int32_t radius_cells, uint8_t *distance, uint8_t *cleared);

#endif
