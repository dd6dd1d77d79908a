/* Erosion around a window. See erode_window.h.
 *
 * Chamfer distances (chamfer.h) are measured span by span in the window extended by the radius, as if
 * nothing were around it. Distances from inside the window are exact up to the radius, since no path that
 * short leaves the extended window. Others are too large, but unused: their spans were cleared with the
 * whole field. A distance is a minimum over paths, so obstacles never increase one. */
#include "bake/rebuild/erode_window.h"

#include <string.h>

#include "bake/compact/links.h"

WmWindow wm_find_changes(const WmCompactHeightfield *compact, const uint8_t *before, const uint8_t *after) {
  const uint32_t width = (uint32_t)compact->grid.width;
  WmWindow window = {{compact->grid.width, compact->grid.depth}, {-1, -1}};
  for (uint32_t span = 0; span < compact->span_count; span += 16) {
    uint32_t differ = wm_compare_areas(before + span, after + span, compact->span_count - span);
    while (differ) {
      /* Handles the spans of one row together: the first and the last. */
      const uint32_t cell = wm_find_cell(compact, span + (uint32_t)__builtin_ctz(differ));
      const uint32_t z = cell / width, end = compact->cell_first[(z + 1) * width] - span;
      const uint32_t in_row = end < 16 ? differ & ((1u << end) - 1) : differ;
      const uint32_t last = wm_find_cell(compact, span + 31 - (uint32_t)__builtin_clz(in_row));
      const int32_t x[2] = {(int32_t)(cell - z * width), (int32_t)(last - z * width)};
      if (window.first[0] > x[0]) window.first[0] = x[0];
      if (window.last[0] < x[1]) window.last[0] = x[1];
      if (window.last[1] < 0) window.first[1] = (int32_t)z;
      window.last[1] = (int32_t)z;
      differ ^= in_row;
    }
  }
  return window;
}

/* The window, extended by `cells` on each side and clamped to the grid. */
static WmWindow widen(const WmWindow *window, int32_t cells, const WmGrid *grid) {
  const int32_t limit[2] = {grid->width - 1, grid->depth - 1};
  WmWindow wide = *window;
  for (int axis = 0; axis < 2; axis++) {
    wide.first[axis] = window->first[axis] > cells ? window->first[axis] - cells : 0;
    wide.last[axis] = window->last[axis] < limit[axis] - cells ? window->last[axis] + cells : limit[axis];
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

/* The distance of the span across a link, or `far` if it is missing. */
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

/* Sets distance 0 at new area borders: with symmetric links at spans that became unwalkable, and those
 * linked to them; otherwise at all area borders. */
static void set_borders(const WmCompactHeightfield *compact, const uint8_t *before, const uint8_t *area,
                        const WmWindow *window, uint8_t *distance) {
  const WmLinks links = compact->links;
  for (int32_t z = window->first[1]; z <= window->last[1]; z++) {
    const uint32_t *row = row_of(compact, z);
    for (uint32_t span = row[window->first[0]]; span < row[window->last[0] + 1]; span++) {
      if (!compact->links_are_symmetric) {
        if (is_at_border(&links, area, span)) distance[span] = 0;
      } else if (area[span] == WM_AREA_NULL && before[span] != WM_AREA_NULL) {
        distance[span] = 0;
        for (size_t d = 0; d < 4; d++) {
          const uint32_t link = wm_link_inline(&links, span, d);
          if (link != WM_NO_SPAN) distance[link] = 0;
        }
      }
    }
  }
}

void wm_erode_window(const WmCompactHeightfield *compact, const uint8_t *before, const uint8_t *area,
                     const WmWindow *window, int32_t radius_cells, uint8_t *distance, uint8_t *cleared) {
  const WmLinks links = compact->links;
  const int far = 2 * radius_cells;
  const WmWindow inner = widen(window, radius_cells + 1, &compact->grid);
  const WmWindow outer = widen(window, radius_cells + 2, &compact->grid);
  for (int32_t z = outer.first[1]; z <= outer.last[1]; z++) {
    const uint32_t *row = row_of(compact, z);
    const uint32_t first = row[outer.first[0]], end = row[outer.last[0] + 1];
    memset(distance + first, far, end - first);
  }
  const bool is_sparse = compact->links_are_symmetric;
  set_borders(compact, before, area, is_sparse ? window : &inner, distance);
  /* Rows before the first border have no distances to spread. */
  const int32_t first_z = is_sparse && window->first[1] > 0 ? window->first[1] - 1 : inner.first[1];
  for (int32_t z = first_z; z <= inner.last[1]; z++) {
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
