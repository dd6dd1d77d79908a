/* Tells which contours of a region are holes, and joins them to outlines.
 *
 * In/out: simplified contours and their vertices. A ring with the reverse winding of outlines is a hole.
 * Each region's holes are joined to its last outline (contour_holes.c). A hole that finds no bridge there
 * is joined to another outline that surrounds it, or by the best rated bridge. Source: the Recast library
 * for the first step; the others handle holes that it drops. */
#include <string.h>

#include "bake/contours/contours_internal.h"
#include "bake/polygons/triangulate.h"
#include "base/sort.h"

/* Twice the area from which Recast's rules regard a ring as a hole. */
enum { LARGEST_HOLE_AREA = -3 };

/* Returns twice the area of a ring, negative if the winding is reversed. *inside: the first vertex of `at`
 * is inside, by the even-odd rule; for a point on an edge it may be either. */
WM_NOINLINE static int64_t measure_ring(const WmContourVertexList *list, const WmContourRecord *contour,
                                        const WmContourRecord *at, bool *inside) {
  const WmContourVertex *vertices = list->items + contour->ring.first;
  const WmPlanarPoint point = wm_contour_point(&list->items[at->ring.first]);
  int64_t area = 0;
  WmPlanarPoint a = wm_contour_point(&vertices[contour->ring.count - 1]);
  *inside = false;
  for (uint32_t i = 0; i < contour->ring.count; i++) {
    const WmPlanarPoint b = wm_contour_point(&vertices[i]);
    const int64_t side = wm_planar_area(a, b, point);
    const bool rises = b.z > point.z;
    area -= side;
    if ((a.z > point.z) != rises) *inside ^= rises ? side > 0 : side < 0;
    a = b;
  }
  return area;
}

/* Kinds of contours, by area. */
typedef enum RingKind { OUTLINE_RING, TINY_RING, HOLE_RING } RingKind;

/* State of the merging. */
typedef struct Regions {
  WmContext *context;
  WmContourRecord *contours;
  WmContourVertexList *list;
  uint8_t *kind;              /* [contour count] RingKind */
  uint32_t *holes, *outlines; /* [contour count] of the current region */
} Regions;

/* *works: Recast's rules can triangulate this ring. */
static WmStatus test_ring(Regions *regions, const WmContourRecord *record, bool *works) {
  WmContext *context = regions->context;
  const uint32_t count = record->ring.count;
  const WmScratchMark mark = wm_scratch_mark(context);
  WmPlanarPoint *points = wm_scratch_array(context, count, sizeof *points);
  uint32_t *triangles = wm_scratch_array(context, count, 3 * sizeof *triangles);
  WmStatus status = WM_ERROR_OUT_OF_MEMORY;
  if (points && triangles) {
    for (uint32_t i = 0; i < count; i++) {
      points[i] = wm_contour_point(&regions->list->items[record->ring.first + i]);
    }
    bool failed = false;
    uint32_t triangle_count = 0;
    status = wm_triangulate_ring(context, points, count, triangles, &triangle_count, &failed);
    *works = !failed;
  }
  wm_scratch_rewind(context, mark);
  return status;
}

/* Separates the region's holes from its outlines. A hole of one cell is too small for Recast's measure,
 * which then regards it as an outline, cannot triangulate it, and joins other holes to it. If that
 * happens, all such rings count as holes. */
static WmStatus sort_out(Regions *regions, const WmSortItem *members, uint32_t member_count,
                         uint32_t *hole_count) {
  bool has_outline = false, all_work = true;
  for (uint32_t i = 0; i < member_count; i++) has_outline |= regions->kind[members[i].value] == OUTLINE_RING;
  for (uint32_t i = 0; i < member_count && has_outline && all_work; i++) {
    if (regions->kind[members[i].value] != TINY_RING) continue;
    const WmStatus status = test_ring(regions, &regions->contours[members[i].value], &all_work);
    if (status) return status;
  }
  const RingKind least_hole = all_work ? HOLE_RING : TINY_RING;
  *hole_count = 0;
  for (uint32_t i = 0; i < member_count; i++) {
    const uint32_t contour = members[i].value;
    if (regions->kind[contour] >= least_hole) {
      regions->holes[(*hole_count)++] = contour;
    } else {
      regions->outlines[i - *hole_count] = contour;
    }
  }
  return WM_OK;
}

/* Joins the holes of one region, given its contours in order: to the last outline; holes that it doesn't
 * see to another outline that surrounds them, else to the last one by the best rated bridge. */
static WmStatus merge_region(Regions *regions, const WmSortItem *members, uint32_t member_count) {
  uint32_t *holes = regions->holes, hole_count = 0;
  WmStatus status = sort_out(regions, members, member_count, &hole_count);
  const uint32_t last = member_count - hole_count - 1; /* outline */
  if (status || hole_count == member_count) return status;
  for (uint32_t round = 0; round <= last + 1 && hole_count > 0 && !status; round++) {
    const uint32_t outline = regions->outlines[round == 0 ? last : round - 1];
    uint32_t inside = hole_count;
    if (round > 0 && round <= last) {
      inside = 0;
      for (uint32_t i = 0; i < hole_count; i++) {
        const uint32_t hole = holes[i];
        bool is_inside = false;
        measure_ring(regions->list, &regions->contours[outline], &regions->contours[hole], &is_inside);
        if (!is_inside) continue;
        holes[i] = holes[inside];
        holes[inside++] = hole;
      }
      if (inside == 0) continue;
    }
    uint32_t left = inside;
    status = wm_contour_join_holes(regions->context, regions->contours, regions->list, outline, holes, &left,
                                   round > 0);
    memmove(holes + left, holes + inside, (hole_count - inside) * sizeof *holes);
    hole_count -= inside - left;
  }
  return status;
}

WmStatus wm_contour_merge_holes(WmContext *context, WmContourRecord *contours, uint32_t contour_count,
                                WmContourVertexList *vertices) {
  /* No mark here: these arrays outlive the marks below, and `vertices` must stay able to grow. */
  Regions regions = {context,
                     contours,
                     vertices,
                     wm_scratch_array(context, contour_count, 1),
                     wm_scratch_array(context, contour_count, sizeof(uint32_t)),
                     wm_scratch_array(context, contour_count, sizeof(uint32_t))};
  WmSortItem *items = wm_scratch_array(context, contour_count, 2 * sizeof *items);
  if (!regions.kind || !regions.holes || !regions.outlines || !items) return WM_ERROR_OUT_OF_MEMORY;
  bool any = false;
  for (uint32_t i = 0; i < contour_count; i++) {
    bool is_inside = false;
    const int64_t area = measure_ring(vertices, &contours[i], &contours[i], &is_inside);
    regions.kind[i] = area <= LARGEST_HOLE_AREA ? HOLE_RING : area < 0 ? TINY_RING : OUTLINE_RING;
    any |= area < 0;
    items[i] = (WmSortItem){contours[i].region, i};
  }
  if (!any) return WM_OK;
  wm_sort_stable(items, items + contour_count, contour_count);
  for (uint32_t first = 0, end = 0; first < contour_count; first = end) {
    while (end < contour_count && items[end].key == items[first].key) end++;
    const WmStatus status = merge_region(&regions, items + first, end - first);
    if (status) return status;
  }
  return WM_OK;
}
