/* Checks contours. See contours_validate.h. Written for reading, not for speed. */
#include "bake/contours/contours_validate.h"

#include <stdlib.h>
#include <string.h>

enum { REGION_MASK = 0xffff, REGIONS = 0x10000, NO_AREA = 0xff };

static bool are_runs_ascending(const uint32_t *first, uint32_t count) {
  if (first[0] != 0) return false;
  for (uint32_t i = 0; i < count; i++) {
    if (first[i] > first[i + 1]) return false;
  }
  return true;
}

static bool is_in_grid(const WmGrid *grid, const int32_t *vertex) {
  return vertex[0] >= 0 && vertex[0] <= grid->width && vertex[2] >= 0 && vertex[2] <= grid->depth &&
         vertex[1] >= 0 && vertex[1] <= WM_SPAN_HEIGHT_LIMIT;
}

/* Sets the area of each region that has a contour. */
static bool find_areas(const WmContourSet *set, uint8_t *area_of_region) {
  memset(area_of_region, NO_AREA, REGIONS);
  for (uint32_t i = 0; i < set->contour_count; i++) {
    const uint32_t region = set->contour_region[i], area = set->contour_area[i];
    if (region == WM_REGION_NONE || (region & WM_REGION_BORDER)) return false;
    if (area == WM_AREA_NULL || area >= WM_AREA_COUNT) return false;
    if (area_of_region[region] != NO_AREA && area_of_region[region] != area) return false;
    area_of_region[region] = (uint8_t)area;
  }
  return true;
}

/* True if the code describes an edge of a contour of this region and area. */
static bool is_code_valid(uint32_t code, uint32_t region, uint8_t area, const uint8_t *area_of_region) {
  const uint32_t across = code & REGION_MASK, flags = code & ~(uint32_t)REGION_MASK;
  if (flags & ~(uint32_t)(WM_CONTOUR_AREA_BORDER | WM_CONTOUR_BORDER_VERTEX)) return false;
  if (across == region) return false;
  if (area_of_region[across] == NO_AREA) return true;
  return (area_of_region[across] != area) == ((flags & WM_CONTOUR_AREA_BORDER) != 0);
}

static bool are_vertices_valid(const WmContourSet *set, uint32_t contour, const int32_t *vertices,
                               const uint32_t *first, const uint8_t *area_of_region) {
  for (uint32_t i = first[contour]; i < first[contour + 1]; i++) {
    const int32_t *vertex = vertices + 4 * (size_t)i;
    if (!is_in_grid(&set->grid, vertex)) return false;
    if (!is_code_valid((uint32_t)vertex[3], set->contour_region[contour], set->contour_area[contour],
                       area_of_region)) {
      return false;
    }
  }
  return true;
}

static bool are_raw_steps_single(const WmContourSet *set, uint32_t contour) {
  for (uint32_t i = set->raw_first[contour]; i + 1 < set->raw_first[contour + 1]; i++) {
    const int32_t *a = set->raw_vertices + 4 * (size_t)i, *b = a + 4;
    if (abs(a[0] - b[0]) + abs(a[2] - b[2]) != 1) return false;
  }
  return true;
}

bool wm_contour_set_validate(const WmContourSet *set) {
  uint8_t area_of_region[REGIONS];
  if (!are_runs_ascending(set->vertex_first, set->contour_count)) return false;
  if (set->raw_first && !are_runs_ascending(set->raw_first, set->contour_count)) return false;
  if (!find_areas(set, area_of_region)) return false;
  for (uint32_t i = 0; i < set->contour_count; i++) {
    const uint32_t count = set->vertex_first[i + 1] - set->vertex_first[i];
    if (count != 0 && count < 3) return false;
    if (!are_vertices_valid(set, i, set->vertices, set->vertex_first, area_of_region)) return false;
    if (!set->raw_first) continue;
    if (!are_vertices_valid(set, i, set->raw_vertices, set->raw_first, area_of_region)) return false;
    if (!are_raw_steps_single(set, i)) return false;
  }
  return true;
}

bool wm_contour_input_validate(const WmCompactHeightfield *compact, const uint16_t *span_region) {
  uint8_t area_of_region[REGIONS];
  memset(area_of_region, NO_AREA, sizeof area_of_region);
  for (uint32_t span = 0; span < compact->span_count; span++) {
    const uint32_t region = span_region[span], area = compact->span_area[span];
    if (region == WM_REGION_NONE || (region & WM_REGION_BORDER)) continue;
    if (area == WM_AREA_NULL || area >= WM_AREA_COUNT) return false;
    if (area_of_region[region] != NO_AREA && area_of_region[region] != area) return false;
    area_of_region[region] = (uint8_t)area;
  }
  return compact->links_are_symmetric;
}
