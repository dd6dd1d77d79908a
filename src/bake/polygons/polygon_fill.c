/* Fills a ring of vertices with convex polygons: triangles first, then merged. They are built in place, at
 * the end of the mesh's polygons: merging only makes them fewer. */
#include <string.h>

#include "bake/polygons/polygon_mesh_internal.h"

/* Writes triangles over the ring as polygons of `own`. */
static void copy_triangles(const WmPolygonEdge *ring, const uint32_t *triangles, WmPolygonList *own) {
  memset(own->vertices, 0xff, (size_t)own->count * own->max_vertices * sizeof *own->vertices);
  uint16_t *vertices = own->vertices;
  for (uint32_t i = 0; i < own->count; i++, triangles += 3, vertices += own->max_vertices) {
    const WmPolygonEdge *first = &ring[triangles[0]];
    own->region[i] = first->region;
    own->area[i] = first->area;
    for (int k = 0; k < 3; k++) {
      vertices[k] = ring[triangles[k]].from;
      if (ring[triangles[k]].region != first->region) own->region[i] = WM_REGION_NONE;
    }
  }
}

static WmStatus fill(WmContext *context, WmPolygonMeshParts *parts, const WmPolygonEdge *ring,
                     uint32_t count) {
  WmPlanarPoint *points = wm_scratch_array(context, count, sizeof *points + 3 * sizeof(uint32_t));
  if (!points) return WM_ERROR_OUT_OF_MEMORY;
  uint32_t *triangles = (uint32_t *)(void *)(points + count);
  for (uint32_t i = 0; i < count; i++) points[i] = wm_mesh_point(parts->vertices, ring[i].from);
  WmPolygonList *all = &parts->polygons;
  WmPolygonList own = *all;
  own.vertices += (size_t)all->count * all->max_vertices;
  own.region += all->count;
  own.area += all->count;
  WmStatus status = wm_triangulate_ring(context, points, count, triangles, &own.count, NULL);
  if (status) return status;
  copy_triangles(ring, triangles, &own);
  status = wm_polygon_merge(context, &own, parts->vertices);
  all->count += own.count;
  return status;
}

WmStatus wm_polygon_fill(WmContext *context, WmPolygonMeshParts *parts, const WmPolygonEdge *ring,
                         uint32_t count) {
  if (count < 3) return WM_OK;
  const WmScratchMark mark = wm_scratch_mark(context);
  const WmStatus status = fill(context, parts, ring, count);
  wm_scratch_rewind(context, mark);
  return status;
}
