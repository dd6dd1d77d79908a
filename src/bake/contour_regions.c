/* Which contours of a region are holes, and of which outline.
 *
 * In / out: simplified contours and their vertices. A ring that runs the other way round than outlines do is
 * a hole. Each region's holes are joined to its last outline (contour_holes.c); what finds no bridge there
 * goes to another outline that surrounds it, or gets the least bad bridge. Source: the Recast library for the
 * first step; the others are for what it leaves alone. */
#include <string.h>

#include "bake/contours_internal.h"
#include "bake/triangulate.h"
#include "base/sort.h"

/* Twice the area from which a ring counts as a hole by Recast's rules. */
enum { LARGEST_HOLE_AREA = -3 };

static int64_t measure_area(const WmContourVertexList *list, const WmContourRecord *contour) {
  const WmContourVertex *vertices = list->items + contour->vertex_first;
  int64_t area = 0;
  for (uint32_t i = 0, j = contour->vertex_count - 1; i < contour->vertex_count; j = i++) {
    area += (int64_t)vertices[i].x * vertices[j].z - (int64_t)vertices[j].x * vertices[i].z;
  }
  return area;
}

/* Even-odd rule; points on an edge may count either way. */
static bool is_inside(const WmContourVertexList *list, const WmContourRecord *contour, WmPlanarPoint point) {
  const WmContourVertex *vertices = list->items + contour->vertex_first;
  bool inside = false;
  for (uint32_t i = 0, j = contour->vertex_count - 1; i < contour->vertex_count; j = i++) {
    const WmPlanarPoint a = wm_contour_point(&vertices[j]), b = wm_contour_point(&vertices[i]);
    if ((a.z > point.z) == (b.z > point.z)) continue;
    const int64_t side = wm_planar_area(a, b, point);
    if (b.z > a.z ? side > 0 : side < 0) inside = !inside;
  }
  return inside;
}

/* Joins the holes no vertex of the region's last outline could see: to another outline that surrounds them,
 * else to that one by whatever bridge is least bad. */
static WmStatus merge_stray_holes(WmContext *context, WmContourRecord *contours, WmContourVertexList *list,
                                  const uint32_t *outlines, uint32_t outline_count, uint32_t *holes,
                                  uint32_t hole_count) {
  WmStatus status = WM_OK;
  for (uint32_t k = 0; k + 1 < outline_count && hole_count > 0 && !status; k++) {
    uint32_t inside = 0;
    for (uint32_t i = 0; i < hole_count; i++) {
      const WmPlanarPoint point = wm_contour_point(&list->items[contours[holes[i]].vertex_first]);
      if (!is_inside(list, &contours[outlines[k]], point)) continue;
      const uint32_t hole = holes[i];
      holes[i] = holes[inside];
      holes[inside++] = hole;
    }
    if (inside == 0) continue;
    uint32_t left = inside;
    status = wm_contour_join_holes(context, contours, list, outlines[k], holes, &left, true);
    memmove(holes, holes + inside, (hole_count - inside) * sizeof *holes);
    hole_count -= inside;
  }
  if (hole_count == 0 || status) return status;
  return wm_contour_join_holes(context, contours, list, outlines[outline_count - 1], holes, &hole_count,
                               true);
}

/* What a contour is, by its area. */
enum { OUTLINE_RING = 0, TINY_RING = 1, HOLE_RING = 2 };

/* Everything but the vertices that merging goes through. */
typedef struct Regions {
  WmContext *context;
  WmContourRecord *contours;
  WmContourVertexList *list;
  uint8_t *kind;              /* [contour count] */
  uint32_t *holes, *outlines; /* [contour count] of the region at hand */
} Regions;

/* Whether a ring can be triangulated by itself by Recast's rules. */
static WmStatus test_ring(Regions *regions, uint32_t contour, bool *works) {
  const WmContourRecord *record = &regions->contours[contour];
  const WmScratchMark mark = wm_scratch_mark(regions->context);
  WmPlanarPoint *points = wm_scratch_array(regions->context, record->vertex_count, sizeof *points);
  uint32_t *triangles =
      wm_scratch_array(regions->context, 3 * (size_t)record->vertex_count, sizeof *triangles);
  WmStatus status = points && triangles ? WM_OK : WM_ERROR_OUT_OF_MEMORY;
  if (!status) {
    for (uint32_t i = 0; i < record->vertex_count; i++) {
      points[i] = wm_contour_point(&regions->list->items[record->vertex_first + i]);
    }
    bool failed = false;
    uint32_t triangle_count = 0;
    status = wm_triangulate_ring(regions->context, points, record->vertex_count, triangles, &triangle_count,
                                 &failed);
    *works = !failed;
  }
  wm_scratch_rewind(regions->context, mark);
  return status;
}

/* A hole of one cell is too small to count as one by Recast's measure, which then calls it an outline, cannot
 * triangulate it, and takes it for the outline of other holes. Where that happens it counts as a hole. */
static WmStatus demote_tiny_rings(Regions *regions, const WmSortItem *members, uint32_t member_count) {
  bool has_outline = false, all_work = true;
  for (uint32_t i = 0; i < member_count; i++) has_outline |= regions->kind[members[i].value] == OUTLINE_RING;
  for (uint32_t i = 0; i < member_count && has_outline && all_work; i++) {
    if (regions->kind[members[i].value] != TINY_RING) continue;
    const WmStatus status = test_ring(regions, members[i].value, &all_work);
    if (status) return status;
  }
  for (uint32_t i = 0; i < member_count && !all_work; i++) {
    if (regions->kind[members[i].value] == TINY_RING) regions->kind[members[i].value] = HOLE_RING;
  }
  return WM_OK;
}

/* Joins the holes of one region, given its contours in order. */
static WmStatus merge_region(Regions *regions, const WmSortItem *members, uint32_t member_count) {
  WmStatus status = demote_tiny_rings(regions, members, member_count);
  if (status) return status;
  uint32_t hole_count = 0, outline_count = 0;
  for (uint32_t i = 0; i < member_count; i++) {
    const uint32_t contour = members[i].value;
    if (regions->kind[contour] == HOLE_RING) {
      regions->holes[hole_count++] = contour;
    } else {
      regions->outlines[outline_count++] = contour;
    }
  }
  if (hole_count == 0 || outline_count == 0) return WM_OK;
  status = wm_contour_join_holes(regions->context, regions->contours, regions->list,
                                 regions->outlines[outline_count - 1], regions->holes, &hole_count, false);
  if (status || hole_count == 0) return status;
  return merge_stray_holes(regions->context, regions->contours, regions->list, regions->outlines,
                           outline_count, regions->holes, hole_count);
}

WmStatus wm_contour_merge_holes(WmContext *context, WmContourRecord *contours, uint32_t contour_count,
                                WmContourVertexList *vertices) {
  Regions regions = {.context = context, .contours = contours, .list = vertices};
  bool any = false;
  /* These outlive every mark below, and `vertices` must stay free to grow: so no mark here. */
  regions.kind = wm_scratch_array(context, contour_count, 1);
  if (!regions.kind) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < contour_count; i++) {
    const int64_t area = measure_area(vertices, &contours[i]);
    regions.kind[i] = area <= LARGEST_HOLE_AREA ? HOLE_RING : area < 0 ? TINY_RING : OUTLINE_RING;
    any |= area < 0;
  }
  if (!any) return WM_OK;
  WmSortItem *items = wm_scratch_array(context, 2 * (size_t)contour_count, sizeof *items);
  regions.holes = wm_scratch_array(context, contour_count, sizeof *regions.holes);
  regions.outlines = wm_scratch_array(context, contour_count, sizeof *regions.outlines);
  if (!items || !regions.holes || !regions.outlines) return WM_ERROR_OUT_OF_MEMORY;
  for (uint32_t i = 0; i < contour_count; i++) items[i] = (WmSortItem){contours[i].region, i};
  wm_sort_stable(items, items + contour_count, contour_count);
  for (uint32_t first = 0, end = 0; first < contour_count; first = end) {
    while (end < contour_count && items[end].key == items[first].key) end++;
    const WmStatus status = merge_region(&regions, items + first, end - first);
    if (status) return status;
  }
  return WM_OK;
}
