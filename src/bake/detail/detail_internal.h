/* The files of the detail mesh stage, in the order in which a polygon passes through them:
 *
 *   detail_height_patch.c   heights of the surface around one polygon, computed on demand
 *   detail_hull.c           the polygon's outline with samples on its edges, and a first triangulation of it
 *   detail_samples.c        sample points inside, their distances from the triangles, the insertion loop
 *   detail_triangulate.c    the triangulation after each insertion, with Recast's bits
 *   detail_insert.c         the same by local flips, for polygons where Recast's method leaves holes
 *   detail_mesh.c           wm_build_detail_mesh: runs the above for each polygon, packs the results
 *   surface_heights.c       heights of the level's triangles instead of voxels (surface_heights.h)
 *   detail_mesh_validate.c  checks the result (detail_mesh_validate.h)
 *
 * They process one polygon at a time, in world units relative to the corner of the tile, in arrays of
 * fixed size: at most 127 vertices, as indices are bytes. All of it is scratch memory. */
#ifndef WALKMESH_BAKE_DETAIL_INTERNAL_H
#define WALKMESH_BAKE_DETAIL_INTERNAL_H

#include "bake/detail/surface_heights.h"
#include "bake/stages.h"
#include "base/simd.h"

enum {
  WM_DETAIL_VERTEX_LIMIT = 127,
  WM_DETAIL_VERTEX_STRIDE = 128, /* of tables over pairs of vertices */
  WM_DETAIL_EDGE_POINT_LIMIT = 32,
  WM_DETAIL_TRIANGLE_LIMIT = 255,
  WM_DETAIL_EDGE_LIMIT = 10 * WM_DETAIL_VERTEX_LIMIT, /* edges, and so faces, of a triangulation */
  WM_DETAIL_POLYGON_LIMIT = 32,                       /* vertices of a polygon */
  WM_DETAIL_MEMO_LIMIT = 4096,
  WM_DETAIL_SHARED = 0x8000,
  WM_DETAIL_NO_EDGE = 0xffff,
  WM_DETAIL_SUSPECT_LIMIT = 4096
};

/* ---- Heights ---------------------------------------------------------------------------------------- */

enum { WM_HEIGHT_UNSET = 0xffff, WM_HEIGHT_NO_REGION = 0x10000 };

/* A filled cell whose neighbours are to be filled next. */
typedef struct WmHeightFront {
  uint32_t span;
  int32_t cell; /* within the window */
} WmHeightFront;

/* Heights in the window of cells around one polygon. */
typedef struct WmHeightPatch {
  WmContext *context;
  const WmCompactHeightfield *compact;
  const uint16_t *span_region;
  const uint16_t *vertices; /* [..][3] of the polygon mesh */
  float inverse_cell_size;
  float cell_height;
  int32_t search_radius;
  const WmSurfaceHeights *surface; /* NULL: heights are those of voxels */
  float corner[3];                 /* the world position of the relative position 0, 0, 0 */

  const uint16_t *indices; /* [vertex_count] the polygon's vertices */
  int32_t vertex_count;
  int32_t vertex_sum[4];
  uint32_t region;         /* the polygon's; WM_HEIGHT_NO_REGION: several */
  int32_t low[4], size[4]; /* lanes 0 and 2: the window's first cell, without border; its width and depth */
  bool is_whole;           /* the queue floods the whole window */
  bool is_unreachable;     /* no span near any vertex: there are no heights */
  WmHeightFront middle;    /* start of the flood if the region has no span; WM_NO_SPAN: not found yet */

  int32_t steps[4];      /* offsets of the four neighbours; rows have one more cell at both ends */
  uint16_t *heights;     /* [depth][width + 2] from the window's first cell, with a frame; 0: never filled */
  WmHeightFront *fronts; /* the queue, `head` .. `front_count` - 1; `capacity` is also that of heights */
  size_t head, front_count, capacity;
} WmHeightPatch;

/* Starts with one polygon, whose region is set: its vertices, and their minimum, maximum and sum. */
WmStatus wm_height_patch_start(WmHeightPatch *patch, const uint16_t *indices, int32_t vertex_count,
                               WmInt4 low, WmInt4 high, WmInt4 sum);

/* The height of the surface at the point's x and z; if several, the one nearest to the point's y. NaN if none is found: simplified outlines
 * can lead up to maxEdgeError beside their region. Recast takes 0xffff cell heights then. Meaningless if `is_unreachable` is set. */
float wm_height_patch_look_up(WmHeightPatch *patch, WmFloat4 at);

/* Replaces a height of voxels by that of the level's surface, if there is one: by the surface at x and z, else
 * by the top of the solid span, a cell height lower. */
float wm_height_patch_correct(const WmHeightPatch *patch, float x, float height, float z);

/* ---- One polygon --------------------------------------------------------------------------------------- */

enum { WM_DETAIL_POINT_LIMIT = WM_DETAIL_VERTEX_STRIDE + WM_DETAIL_EDGE_POINT_LIMIT };

/* The vertices: first the polygon's, then those on its edges, then those inside. */
typedef struct WmDetailShape {
  int32_t polygon_vertex_count;
  int32_t hull_count; /* of the polygon and its edges */
  int32_t vertex_count;
  float at[WM_DETAIL_POINT_LIMIT][4];                                   /* x, y, z, 0 */
  float x[WM_DETAIL_VERTEX_STRIDE + 4], z[WM_DETAIL_VERTEX_STRIDE + 4]; /* copies, for SIMD */
  uint8_t hull[WM_DETAIL_VERTEX_STRIDE]; /* [hull_count] vertices around the outline */
  uint32_t triangle_count;
  uint8_t corners[4 * WM_DETAIL_EDGE_LIMIT]; /* [triangle_count][4] three vertices and 0 */
} WmDetailShape;

void wm_detail_append_vertex(WmDetailShape *shape, WmFloat4 at);

/* Smallest width of the polygon, measured from an edge. */
float wm_detail_extent(const WmDetailShape *shape);

/* Adds vertices where the surface is farther than max_error from an edge; makes the hull. */
void wm_detail_sample_edges(WmDetailShape *shape, WmHeightPatch *patch, float sample_distance,
                            float max_error);

/* Makes the hull of a polygon without samples on its edges. */
void wm_detail_unsampled_hull(WmDetailShape *shape);

/* Triangulates the hull, without inner vertices, from the narrowest corner up both sides. */
void wm_detail_triangulate_hull(WmDetailShape *shape);

/* ---- Samples ---------------------------------------------------------------------------------------- */

/* A triangle from which samples are measured: vertex a, its edges to c (0) and b (1), and values derived
 * from them. */
typedef struct WmDetailFacet {
  float a[4], e0[4], e1[4]; /* x, y, z */
  float d00, d01, d11, inverse;
  int32_t from, to; /* samples it was compared with */
  uint32_t stamp;   /* of the last update that contained this triangle */
  uint32_t corners; /* as four bytes in memory; 0: the facet is free */
} WmDetailFacet;

/* Samples on a grid inside the polygon, row after row. All arrays are parts of one, `capacity` elements
 * each. They have four more elements than samples, for SIMD. */
typedef struct WmDetailSamples {
  size_t capacity;
  uint32_t count;
  float *x, *y, *z; /* [count + 4]; x is NaN for samples that became vertices */
  float *error;     /* [count + 4] distance to the nearest facet above or below; NaN if there is none */
  int32_t *owner;   /* [count + 4] that facet + 1, or 0; WM_DETAIL_SHARED if others cover it too, or did */

  /* The rows of the grid: row r holds samples row_first[r] .. row_first[r + 1] - 1. */
  int32_t first_row, row_count;
  int32_t *row_first;
  float distance, inverse_distance; /* between grid lines */
  float jitter;                     /* a sample is at most this far from its grid point */

  uint32_t stamp;      /* of the newest update of the facets */
  uint32_t facet_high; /* facets in use or free */
  uint32_t free_count;
  uint16_t free_facets[WM_DETAIL_EDGE_LIMIT];
  WmDetailFacet facets[WM_DETAIL_EDGE_LIMIT];
  /* By the first two corners: the last facet with them; undefined if there was none. */
  uint16_t facet_of[WM_DETAIL_VERTEX_STRIDE * WM_DETAIL_VERTEX_STRIDE];
} WmDetailSamples;

/* ---- Triangulation ---------------------------------------------------------------------------------- */

/* The candidate of a directed edge: the vertex whose circle with the edge contains no other. */
typedef struct WmDetailCircle {
  float x, z, radius_squared; /* infinite at first */
  int32_t best;               /* WM_DETAIL_VERTEX_LIMIT: none */
} WmDetailCircle;

/* The candidate after vertices 0 .. next_vertex - 1. */
typedef struct WmDetailMemo {
  WmDetailCircle circle;
  uint32_t pair; /* the directed edge: its index in memo_of */
  int32_t next_vertex;
} WmDetailMemo;

/* A triangulation; its faces are the shape's triangles. */
typedef struct WmDetailTriangulation {
  bool is_started; /* false: nothing of the last insertion can be reused */
  uint32_t edge_count;
  uint32_t memo_count;
  int32_t from[WM_DETAIL_EDGE_LIMIT + 4], to[WM_DETAIL_EDGE_LIMIT + 4];
  uint16_t right[WM_DETAIL_EDGE_LIMIT];        /* face, or OPEN, or HULL */
  uint16_t edges_before[WM_DETAIL_EDGE_LIMIT]; /* counts when the edge's turn began */
  uint16_t faces_before[WM_DETAIL_EDGE_LIMIT];
  float from_x[WM_DETAIL_EDGE_LIMIT + 4], from_z[WM_DETAIL_EDGE_LIMIT + 4];
  float to_x[WM_DETAIL_EDGE_LIMIT + 4], to_z[WM_DETAIL_EDGE_LIMIT + 4];
  /* The circle in which a new vertex on the right would have changed the result of the edge's turn. */
  float centre_x[WM_DETAIL_EDGE_LIMIT + 4], centre_z[WM_DETAIL_EDGE_LIMIT + 4];
  float reach_squared[WM_DETAIL_EDGE_LIMIT + 4]; /* -1: the edge had been completed from its other side */
  WmDetailMemo memos[WM_DETAIL_MEMO_LIMIT];
  /* By directed pair: its memo and its edge, valid only if those name the pair too; otherwise undefined,
   * so that the arrays are never cleared. Source: P. Briggs, L. Torczon, An efficient representation for
   * sparse sets (1993). */
  uint16_t memo_of[WM_DETAIL_VERTEX_STRIDE * WM_DETAIL_VERTEX_STRIDE];
  uint16_t edge_of[WM_DETAIL_VERTEX_STRIDE * WM_DETAIL_VERTEX_STRIDE];
} WmDetailTriangulation;

/* Discards the last polygon. */
void wm_detail_triangulation_start(WmDetailTriangulation *mesh);

/* Triangulates hull and inner vertices again, after one vertex was appended. Returns false if a face lost
 * both its other edges; the triangles are then useless. */
bool wm_detail_triangulate(WmDetailTriangulation *mesh, WmDetailShape *shape);

/* The shape's triangles as a triangulation of the hull into which vertices are inserted one by one. */
typedef struct WmDetailInserter {
  uint16_t edge_of[WM_DETAIL_VERTEX_STRIDE * WM_DETAIL_VERTEX_STRIDE]; /* by directed pair, or NO_EDGE */
  int32_t suspect_count;
  uint16_t suspects[WM_DETAIL_SUSPECT_LIMIT]; /* edges */
} WmDetailInserter;

/* Starts with the shape's triangles, which cover the hull. */
void wm_detail_inserter_start(WmDetailInserter *inserter, WmDetailShape *shape);

/* Inserts the newest vertex. Returns false, with nothing changed, if no triangle contains it. */
bool wm_detail_insert_vertex(WmDetailInserter *inserter, WmDetailShape *shape);

/* ---- All polygons ----------------------------------------------------------------------------------- */

typedef struct WmDetailWorkspace {
  const WmDetailSettings *settings;
  WmSurfaceHeights surface; /* if the settings have one */
  WmHeightPatch patch;
  WmDetailShape shape;
  WmDetailSamples samples;
  WmDetailTriangulation triangulation;
  WmDetailInserter inserter;
} WmDetailWorkspace;

/* Adds vertices inside the polygon, whose bounds are given, the farthest from the triangles first, until
 * all samples are within max_error. The shape's triangles must cover the hull. */
WmStatus wm_detail_sample_inside(WmContext *context, WmDetailWorkspace *work, WmFloat4 low, WmFloat4 high,
                                 float sample_distance, float max_error, float cell_size);

/* The submeshes built until now. */
typedef struct WmDetailResults {
  uint32_t *submeshes; /* [polygon_count + 1][4] zeros at first; at last the last one's firsts are the sums */
  float *words;        /* for each submesh its vertices, then its triangles, four bytes each */
  size_t word_count, capacity;
} WmDetailResults;

/* Allocates a workspace for the polygons of a mesh, in scratch memory. The settings must outlive it.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY, WM_ERROR_UNSUPPORTED (a surface, in the core module) */
WmStatus wm_detail_workspace(WmContext *context, const WmPolygonMesh *mesh,
                             const WmCompactHeightfield *compact, const WmRegions *regions,
                             const WmDetailSettings *settings, WmDetailWorkspace **workspace);

/* Builds the submesh of a polygon, after those of all polygons before it. */
WmStatus wm_detail_add_polygon(WmContext *context, WmDetailWorkspace *work, const WmPolygonMesh *mesh,
                               size_t polygon, WmDetailResults *results);

/* Appends a submesh's vertices and triangles, not yet written, after those of all polygons before it; NULL
 * after recording out-of-memory. */
float *wm_detail_append_words(WmContext *context, uint32_t *submesh, uint32_t vertex_count,
                              uint32_t triangle_count, WmDetailResults *results);

/* Copies the results into one block. */
WmStatus wm_detail_pack(WmContext *context, const WmDetailResults *results, uint32_t submesh_count,
                        const WmDetailSettings *settings, WmDetailMesh *detail);

#endif
