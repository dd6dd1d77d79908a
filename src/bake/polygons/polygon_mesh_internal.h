/* What the files of the polygon mesh stage share.
 *
 *   polygon_mesh.c       the order of things, merging vertices, packing the result
 *   polygon_fill.c       one ring to polygons, by way of
 *   triangulate.c        one ring to triangles by ear clipping
 *   polygon_merge.c      triangles to convex polygons
 *   polygon_border.c     takes vertices on the rim of a tile's border out again
 *   polygon_adjacency.c  neighbours and portals */
#ifndef WALKMESH_BAKE_POLYGON_MESH_INTERNAL_H
#define WALKMESH_BAKE_POLYGON_MESH_INTERNAL_H

#include "bake/stages.h"
#include "bake/polygons/triangulate.h"

enum { WM_POLYGON_MOST_VERTICES = 6 };

/* Convex polygons over the vertices of a mesh. */
typedef struct WmPolygonList {
  uint16_t *vertices; /* [capacity][most] vertex numbers, WM_POLYGON_NONE after the last */
  uint16_t *region;   /* [capacity] */
  uint8_t *area;      /* [capacity] */
  uint32_t count, capacity;
  uint32_t most; /* vertices in a polygon */
} WmPolygonList;

/* The mesh being built; all arrays are scratch memory. There is room for as many polygons as the contours
 * have triangles. That is always enough: joining polygons keeps the sum of (size - 2), and a gap has fewer
 * triangles than the polygons had that it was. */
typedef struct WmPolygonMeshParts {
  uint16_t *vertices; /* [vertex_count][3] */
  uint8_t *is_border; /* [vertex_count] set where a vertex lies on the rim of the border */
  uint32_t vertex_count;
  WmPolygonList polygons; /* eight more vertices may be read than there are */
} WmPolygonMeshParts;

/* A directed edge of the mesh and the polygon it is of. */
typedef struct WmPolygonEdge {
  uint16_t from, to;
  uint16_t region;
  uint8_t area;
} WmPolygonEdge;

/* All of the stage; the first two fields are given, the others scratch memory of the caller's mark. */
typedef struct WmPolygonAssembler {
  WmContext *context;
  const WmContourSet *contours;
  WmPolygonMeshParts parts;
  uint32_t *buckets; /* [bucket_mask + 1] newest vertex, or none */
  uint32_t bucket_mask;
  uint32_t *next_in_bucket; /* [capacity of vertices] */
  WmPolygonEdge *ring;      /* one contour at a time: as large as the largest */
} WmPolygonAssembler;

WmStatus wm_polygon_assembler_start(WmPolygonAssembler *assembler, uint32_t most);

/* Makes vertices of a contour's points, and edges between them the ring, to be filled. Returns how many; 0
 * where the contour has no inside. */
uint32_t wm_polygon_start_ring(WmPolygonAssembler *assembler, uint32_t contour);

/* What is left when all rings are filled. *mesh stays zeroed on failure. */
WmStatus wm_polygon_assembler_finish(WmPolygonAssembler *assembler, WmPolygonMesh *mesh);

/* How many of its `most` places a polygon uses. */
static inline uint32_t wm_polygon_size(const uint16_t *polygon, uint32_t most) {
  uint32_t size = 0;
  while (size < most && polygon[size] != WM_POLYGON_NONE) size++;
  return size;
}

static inline WmPlanarPoint wm_mesh_point(const uint16_t *vertices, uint32_t vertex) {
  return (WmPlanarPoint){vertices[3 * (size_t)vertex], vertices[3 * (size_t)vertex + 2]};
}

/* Fills a ring of edges (`to` is not looked at) with convex polygons and appends them. Triangles have the
 * area of their first edge, and the region of all three, WM_REGION_NONE where they differ. */
WmStatus wm_polygon_fill(WmContext *context, WmPolygonMeshParts *parts, const WmPolygonEdge *ring,
                         uint32_t count);

/* Joins triangles to polygons across shared edges, in place, as long as they stay convex and within
 * list->most vertices: the longest edge first. Of two regions joined the result is of region 0; areas are
 * those of the earlier polygon. */
WmStatus wm_polygon_merge(WmContext *context, WmPolygonList *list, const uint16_t *vertices);

/* Takes out vertices marked is_border where that leaves no hole, and closes the surface again. Marks are
 * lost. */
WmStatus wm_polygon_remove_border(WmContext *context, WmPolygonMeshParts *parts);

/* Fills in neighbours, and portals where border_size > 0.
 * in / out   polygons [polygon_count][2 * most]: the second halves are WM_POLYGON_NONE on entry */
WmStatus wm_polygon_link(WmContext *context, const WmGrid *grid, const uint16_t *vertices,
                         uint32_t vertex_count, uint16_t *polygons, uint32_t polygon_count, uint32_t most);

#endif
