/* The files of the polygon mesh stage, and their shared types:
 *
 *   polygon_mesh.c           calls the others in order, merges equal vertices, packs the result
 *   polygon_fill.c           turns one ring into polygons, through
 *   triangulate.c            one ring to triangles by ear clipping,
 *   ear_ring.c               the ring of vertices for it, and
 *   polygon_merge.c          triangles to convex polygons
 *   polygon_border.c         removes vertices that lie on a tile's sides only because of its border
 *   polygon_adjacency.c      finds neighbours and portal edges
 *   polygon_mesh_validate.c  checks the result (polygon_mesh_validate.h) */
#ifndef WALKMESH_BAKE_POLYGON_MESH_INTERNAL_H
#define WALKMESH_BAKE_POLYGON_MESH_INTERNAL_H

#include "bake/stages.h"
#include "bake/polygons/triangulate.h"

enum { WM_POLYGON_MAX_VERTICES = 6 };

/* Convex polygons over the vertices of a mesh. */
typedef struct WmPolygonList {
  uint16_t *vertices; /* [capacity][max_vertices] vertex indices, WM_POLYGON_NONE after the last */
  uint16_t *region;   /* [capacity] */
  uint8_t *area;      /* [capacity] */
  uint32_t count, capacity;
  uint32_t max_vertices; /* per polygon */
} WmPolygonList;

/* The mesh while it is built; all arrays are scratch memory. The capacity for polygons is the number of
 * triangles of all contours. That is always enough: merging polygons preserves the sum of (size - 2), and
 * the triangles of a gap are fewer than those of the polygons that were removed there. */
typedef struct WmPolygonMeshParts {
  uint16_t *vertices; /* [vertex_count][3] */
  uint8_t *is_border; /* [vertex_count] 1: on a tile's side only because of its border */
  uint32_t vertex_count;
  WmPolygonList polygons; /* eight more vertices than stored may be read */
} WmPolygonMeshParts;

/* A directed edge of the mesh, with the region and area of its polygon. */
typedef struct WmPolygonEdge {
  uint16_t from, to;
  uint16_t region;
  uint8_t area;
} WmPolygonEdge;

/* State of the stage. The caller sets the first two fields; the others are scratch memory after the
 * caller's mark. */
typedef struct WmPolygonAssembler {
  WmContext *context;
  const WmContourSet *contours;
  WmPolygonMeshParts parts;
  uint32_t *buckets; /* [bucket_mask + 1] newest vertex, or UINT32_MAX */
  uint32_t bucket_mask;
  uint32_t *next_in_bucket; /* [capacity for vertices] */
  WmPolygonEdge *ring;      /* [size of the largest contour] the current contour */
} WmPolygonAssembler;

WmStatus wm_polygon_assembler_start(WmPolygonAssembler *assembler, uint32_t max_vertices);

/* Turns a contour's points into vertices, and the edges between them into `ring`, for wm_polygon_fill.
 * Returns their number, 0 if the contour has no inside. */
uint32_t wm_polygon_start_ring(WmPolygonAssembler *assembler, uint32_t contour);

/* Finishes the mesh after all rings are filled. *mesh stays zeroed on failure. */
WmStatus wm_polygon_assembler_finish(WmPolygonAssembler *assembler, WmPolygonMesh *mesh);

/* Number of vertices of a polygon. */
static inline uint32_t wm_polygon_size(const uint16_t *polygon, uint32_t max_vertices) {
  uint32_t size = 0;
  while (size < max_vertices && polygon[size] != WM_POLYGON_NONE) size++;
  return size;
}

static inline WmPlanarPoint wm_mesh_point(const uint16_t *vertices, uint32_t vertex) {
  return (WmPlanarPoint){vertices[3 * (size_t)vertex], vertices[3 * (size_t)vertex + 2]};
}

/* Fills a ring of edges (`to` is ignored) with convex polygons and appends them. A triangle gets the area
 * of its first edge, and the region of its three edges, or WM_REGION_NONE if those differ. */
WmStatus wm_polygon_fill(WmContext *context, WmPolygonMeshParts *parts, const WmPolygonEdge *ring,
                         uint32_t count);

/* Merges triangles into polygons across shared edges, in place, while they stay convex and have at most
 * list->max_vertices vertices. The longest edge is first. If two regions differ, the merged polygon has
 * region 0; its area is that of the earlier polygon. */
WmStatus wm_polygon_merge(WmContext *context, WmPolygonList *list, const uint16_t *vertices);

/* Removes vertices marked is_border if that leaves no hole, and fills the gaps. Clears the marks. */
WmStatus wm_polygon_remove_border(WmContext *context, WmPolygonMeshParts *parts);

/* Finds neighbours, and portal edges if border_size > 0.
 * in/out     polygons [polygon_count][2 * max_vertices]: the second halves are WM_POLYGON_NONE on entry */
WmStatus wm_polygon_link(WmContext *context, const WmGrid *grid, const uint16_t *vertices,
                         uint32_t vertex_count, uint16_t *polygons, uint32_t polygon_count,
                         uint32_t max_vertices);

#endif
