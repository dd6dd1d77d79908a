/* Erosion around a window. See erode_window.h.
 *
 * Chamfer distances (chamfer.h) are measured span by span in the window widened by the radius, as if nothing
 * lay around it. Distances that come from inside the window are exact up to the limit, which no way from
 * there passes on its way out of the wider one; others are too large, and do not matter: their spans were
 * cleared with the whole field. A distance is a minimum over ways, so what obstacles add never raises one. */
#include "bake/erode_window.h"

#include <string.h>

#include "bake/links.h"

WmWindow wm_find_changes(const WmCompactHeightfield *compact, const uint8_t *before, const uint8_t *after) {
  const int32_t width = compact->grid.width, depth = compact->grid.depth;
  WmWindow window = {{width, depth}, {-1, -1}};
  for (int32_t z = 0; z < depth; z++) {
    const uint32_t *row = compact->cell_first + (size_t)z * (size_t)width;
    if (memcmp(before + row[0], after + row[0], row[width] - row[0]) == 0) continue;
    if (window.first[1] == depth) window.first[1] = z;
    window.last[1] = z;
    uint32_t first = row[0], last = row[width] - 1;
    while (before[first] == after[first]) first++;
    while (before[last] == after[last]) last--;
    int32_t x = 0, end = width - 1;
    while (row[x + 1] <= first) x++;
    while (row[end] > last) end--;
    if (x < window.first[0]) window.first[0] = x;
    if (end > window.last[0]) window.last[0] = end;
  }
  return window;
}

/* The window, so much wider, inside the grid. */
static WmWindow widen(const WmWindow *window, int32_t cells, const WmGrid *grid) {
  const int32_t most[2] = {grid->width - 1, grid->depth - 1};
  WmWindow wide = *window;
  for (int axis = 0; axis < 2; axis++) {
    wide.first[axis] = window->first[axis] > cells ? window->first[axis] - cells : 0;
    wide.last[axis] = window->last[axis] < most[axis] - cells ? window->last[axis] + cells : most[axis];
  }
  return wide;
}

static const uint32_t *row_of(const WmCompactHeightfield *compact, int32_t z) {
  return compact->cell_first + (size_t)z * (size_t)compact->grid.width;
}

static bool is_at_border(const WmLinks *links, const uint8_t *area, uint32_t span) {
  if (area[span] == WM_AREA_NULL) return true;
  for (size_t d = 0; d < 4; d++) {
    const uint32_t link = wm_link_inline(links, span, d);
    if (link == WM_NO_SPAN || area[link] == WM_AREA_NULL) return true;
  }
  return false;
}

/* The distance of what lies across a link; of nothing `far`. */
WM_INLINE int across(const WmLinks *links, const uint8_t *distance, uint32_t span, size_t d, int far) {
  const uint32_t link = span == WM_NO_SPAN ? WM_NO_SPAN : wm_link_inline(links, span, d);
  return link == WM_NO_SPAN ? far : distance[link];
}

/* Lowers a distance by those on the sides of a sweep: west and north (`side` 0), or east and south (2). */
WM_INLINE uint8_t relax(const WmLinks *links, const uint8_t *distance, uint32_t span, size_t side, int far) {
  const size_t row = (side + 3) & 3;
  const uint32_t a = wm_link_inline(links, span, side), b = wm_link_inline(links, span, row);
  int best = distance[span];
  const int straight[2] = {a == WM_NO_SPAN ? far : distance[a], b == WM_NO_SPAN ? far : distance[b]};
  const int nearest = straight[0] < straight[1] ? straight[0] : straight[1];
  if (nearest + 2 < best) best = nearest + 2;
  if (best <= 3) return (uint8_t)best;
  const int corners[2] = {across(links, distance, a, row, far), across(links, distance, b, side ^ 2, far)};
  const int corner = corners[0] < corners[1] ? corners[0] : corners[1];
  return (uint8_t)(corner + 3 < best ? corner + 3 : best);
}

void wm_erode_window(const WmCompactHeightfield *compact, const uint8_t *area, const WmWindow *window,
                     int32_t radius_cells, uint8_t *distance, uint8_t *cleared) {
  const WmLinks links = compact->links;
  const int far = 2 * radius_cells;
  const WmWindow inner = widen(window, radius_cells + 1, &compact->grid);
  const WmWindow outer = widen(window, radius_cells + 2, &compact->grid);
  for (int32_t z = outer.first[1]; z <= outer.last[1]; z++) {
    const uint32_t *row = row_of(compact, z);
    const uint32_t first = row[outer.first[0]], end = row[outer.last[0] + 1];
    memset(distance + first, far, end - first);
    if (z < inner.first[1] || z > inner.last[1]) continue;
    for (uint32_t span = row[inner.first[0]]; span < row[inner.last[0] + 1]; span++) {
      if (is_at_border(&links, area, span)) distance[span] = 0;
    }
  }
  for (int32_t z = inner.first[1]; z <= inner.last[1]; z++) {
    const uint32_t *row = row_of(compact, z);
    for (uint32_t span = row[inner.first[0]]; span < row[inner.last[0] + 1]; span++) {
      if (distance[span]) distance[span] = relax(&links, distance, span, 0, far);
    }
  }
  for (int32_t z = inner.last[1]; z >= inner.first[1]; z--) {
    const uint32_t *row = row_of(compact, z);
    for (uint32_t span = row[inner.last[0] + 1]; span-- > row[inner.first[0]];) {
      if (distance[span]) distance[span] = relax(&links, distance, span, 2, far);
      if (distance[span] < far) cleared[span] = WM_AREA_NULL;
    }
  }
}
