/* The arrays that stages hand to one another.
 *
 * Every struct here is a result of one stage: plain arrays inside a single block, freed by one call
 * (wm_..._free, which also zeroes the struct; freeing a zeroed struct does nothing). On failure a
 * stage leaves its result zeroed. Cells are numbered x + z * width; within a cell, spans go from the
 * bottom to the top; spans are numbered in that "raster order", so ascending span numbers are raster
 * order too. Directions: 0 = -x, 1 = +z, 2 = +x, 3 = -z. */
#ifndef WALKMESH_BAKE_FIELDS_H
#define WALKMESH_BAKE_FIELDS_H

#include "base/context.h"

enum {
  WM_AREA_NULL = 0,      /* not walkable */
  WM_AREA_WALKABLE = 63, /* the area of walkable ground that nobody marked */
  WM_AREA_COUNT = 64
};

/* "No such span / region across": the value of absent neighbours. */
#define WM_NO_SPAN UINT32_MAX
/* Bit 15 of a region number: the region is the border of a tile. */
enum { WM_REGION_NONE = 0, WM_REGION_BORDER = 0x8000, WM_REGION_LIMIT = 0x7fff };
/* The largest span height: heights above are a limit error, not a wrap. */
enum { WM_SPAN_HEIGHT_LIMIT = 65533 };
/* The "ceiling" of a span with nothing above it. */
enum { WM_OPEN_CEILING = 65535 };

/* Where a field lies in the world. Cell (x, z) starts at bounds_min + (x, z) * cell_size. `border_size` cells
 * on each side surround the tile proper. */
typedef struct WmGrid {
  float bounds_min[3];
  float bounds_max[3];
  float cell_size;
  float cell_height;
  int32_t width;
  int32_t depth;
  int32_t border_size;
} WmGrid;

/* Solid voxels. Invariant within a cell: span_min < span_max, span_max[k] < span_min[k + 1]. */
typedef struct WmHeightfield {
  WmGrid grid;
  uint32_t span_count;
  uint32_t *cell_first; /* [width * depth + 1], ascending; the last is span_count */
  uint16_t *span_min;   /* [span_count] cell heights above bounds_min[1] */
  uint16_t *span_max;   /* [span_count] */
  uint8_t *span_area;   /* [span_count] 0..63 */
  void *block;
} WmHeightfield;

/* Which span lies across each side of a span, by blocks of eight: links.h. */
typedef struct WmLinkBlock WmLinkBlock;
typedef struct WmLinks {
  WmLinkBlock *blocks; /* a block of the context, with the array of lists */
  int16_t **lists;     /* blocks of the context, up to one that is NULL */
} WmLinks;

/* Open (walkable) surface with links. */
typedef struct WmCompactHeightfield {
  WmGrid grid; /* as the heightfield's; bounds_max[1] raised by walkable_height cells */
  int32_t walkable_height;
  int32_t walkable_climb;
  uint32_t span_count;
  uint32_t *cell_first;    /* [width * depth + 1] a block of its own */
  uint16_t *span_floor;    /* [span_count] height of the floor */
  uint8_t *span_clearance; /* [span_count] free height above it, at most 255; NULL once nobody needs it */
  uint8_t *span_area;      /* [span_count] 0 after a stage has made it unwalkable */
  WmLinks links;           /* of spans: links.h */
  /* Whether link(link(i, d), opposite(d)) == i wherever it exists. False only for unusual
   * configurations (walkable_height < 2 * walkable_climb); then push formulations need care. */
  bool links_are_symmetric;
  bool borrows_arrays; /* of what it holds only `block` is its own: the rest is a ground's (ground.h) */
  void *block;
} WmCompactHeightfield;

typedef struct WmDistanceField {
  uint32_t span_count;
  uint16_t *span_distance; /* [span_count] blurred, about twice the distance to a border in cells */
  uint16_t max_distance;   /* before the blur */
  bool is_spare;           /* set by its owner: the watershed may write what it needs into span_distance */
  void *block;
} WmDistanceField;

typedef struct WmRegions {
  uint32_t span_count;
  uint16_t *span_region; /* [span_count] 0 none, WM_REGION_BORDER | k border, else 1..region_count */
  uint32_t region_count;
  void *block;
} WmRegions;

/* Bits in the fourth number of a contour's vertex; its low 16 bits are the region across. */
enum { WM_CONTOUR_BORDER_VERTEX = 0x10000, WM_CONTOUR_AREA_BORDER = 0x20000 };

/* Contours, border cells removed: coordinates count from the tile proper. */
typedef struct WmContourSet {
  WmGrid grid; /* bounds without the border, width and depth too; border_size kept for later */
  float max_error;
  uint32_t contour_count;
  uint16_t *contour_region; /* [contour_count] */
  uint8_t *contour_area;    /* [contour_count] */
  uint32_t *vertex_first;   /* [contour_count + 1] first simplified vertex */
  int32_t *vertices;        /* [vertex_first[contour_count]][4] x, y, z, code */
  uint32_t *raw_first;      /* [contour_count + 1]; all 0 where raw vertices were not wanted */
  int32_t *raw_vertices;    /* [raw_first[contour_count]][4] */
  void *block;
} WmContourSet;

/* "No vertex / no neighbour" in polygons. A neighbour code with bit 15 set otherwise is a portal: its
 * low four bits are the direction. */
enum { WM_POLYGON_NONE = 0xffff, WM_POLYGON_PORTAL = 0x8000, WM_POLYGON_LIMIT = 0x7fff };

typedef struct WmPolygonMesh {
  WmGrid grid; /* of the contour set */
  float max_error;
  int32_t max_vertices_per_polygon; /* K */
  uint32_t vertex_count;
  uint32_t polygon_count;
  uint16_t *vertices;       /* [vertex_count][3] cells, cell heights, cells */
  uint16_t *polygons;       /* [polygon_count][2 * K] vertices, then neighbours across edge k..k+1 */
  uint16_t *polygon_region; /* [polygon_count] 0 where several regions were joined */
  uint8_t *polygon_area;    /* [polygon_count] */
  void *block;
} WmPolygonMesh;

/* Height detail: one submesh a polygon. Its first vertices are the polygon's. */
typedef struct WmDetailMesh {
  uint32_t submesh_count;
  uint32_t vertex_count;
  uint32_t triangle_count;
  uint32_t *submeshes; /* [submesh_count][4] first vertex, vertices, first triangle, triangles */
  float *vertices;     /* [vertex_count][3] world units */
  uint8_t *triangles;  /* [triangle_count][4] three local vertices, flags: bits 0, 2, 4 set where edge
                          (0,1), (1,2), (2,0) lies on the polygon's boundary */
  void *block;
} WmDetailMesh;

/* One two-dimensional, non-overlapping layer of a tile. */
typedef struct WmHeightfieldLayer {
  float bounds_min[3], bounds_max[3];
  int32_t height_min, height_max; /* cell heights */
  int32_t used_min_x, used_max_x, used_min_z, used_max_z;
  uint8_t *heights;     /* [width * depth] above height_min, 255 = empty */
  uint8_t *areas;       /* [width * depth] */
  uint8_t *connections; /* [width * depth] bits 0..3 linked within the layer, 4..7 portal */
} WmHeightfieldLayer;

typedef struct WmHeightfieldLayers {
  WmGrid grid; /* border removed from width, depth and the bounds on x and z */
  uint32_t layer_count;
  WmHeightfieldLayer *layers; /* [layer_count] */
  void *block;
} WmHeightfieldLayers;

/* A finished tile in Detour's format (DNAV, version 7). */
typedef struct WmTileData {
  uint8_t *bytes;
  size_t byte_count;
} WmTileData;

/* Takes the border off a grid's size and bounds. */
void wm_grid_trim(WmGrid *grid);

/* The cell of a span, by binary search. */
uint32_t wm_find_cell(const WmCompactHeightfield *compact, uint32_t span);

void wm_heightfield_free(WmContext *context, WmHeightfield *field);
void wm_compact_heightfield_free(WmContext *context, WmCompactHeightfield *field);
void wm_distance_field_free(WmContext *context, WmDistanceField *field);
void wm_regions_free(WmContext *context, WmRegions *regions);
void wm_contour_set_free(WmContext *context, WmContourSet *contours);
void wm_polygon_mesh_free(WmContext *context, WmPolygonMesh *mesh);
void wm_detail_mesh_free(WmContext *context, WmDetailMesh *mesh);
void wm_heightfield_layers_free(WmContext *context, WmHeightfieldLayers *layers);
void wm_tile_data_free(WmContext *context, WmTileData *data);

#endif
