/* The arrays that stages hand to one another.
 *
 * Every struct here is the result of one stage: arrays inside a single block, freed by one call (wm_..._free,
 * which also zeroes the struct; freeing a zeroed struct does nothing). On failure a stage zeroes its result.
 *
 * Cell (x, z) has number x + z * width. Spans are numbered in raster order: by cell, and within a cell
 * from the bottom to the top. Sides: 0 = -x, 1 = +z, 2 = +x, 3 = -z. */
#ifndef WALKMESH_BAKE_FIELDS_H
#define WALKMESH_BAKE_FIELDS_H

#include "base/context.h"
#include "base/public.h"

WM_PUBLIC_BEGIN

enum {
  WM_AREA_NULL = 0,      /* not walkable */
  WM_AREA_WALKABLE = 63, /* walkable and unmarked */
  WM_AREA_COUNT = 64
};

/* The value of a link or neighbour that is missing. */
#define WM_NO_SPAN UINT32_MAX
/* Bit 15 of a region number marks a region in the border of a tile. */
enum { WM_REGION_NONE = 0, WM_REGION_BORDER = 0x8000, WM_REGION_LIMIT = 0x7fff };
/* The largest span height. Taller levels are a limit error; heights never wrap. */
enum { WM_SPAN_HEIGHT_LIMIT = 65533 };
/* The ceiling of a span with no solid span above it. */
enum { WM_OPEN_CEILING = 65535 };

/* The position of a field in the world. Cell (x, z) starts at bounds_min + (x, z) * cell_size.
 * `border_size` cells on each side surround the tile proper. */
typedef struct WmGrid {
  float bounds_min[3];
  float bounds_max[3];
  float cell_size;
  float cell_height;
  int32_t width;
  int32_t depth;
  int32_t border_size;
} WmGrid;

/* The solid spans of a grid. Invariant within a cell: span_min < span_max, span_max[k] < span_min[k + 1]. */
typedef struct WmHeightfield {
  WmGrid grid;
  uint32_t span_count;
  uint32_t *cell_first; /* [width * depth + 1], ascending; the last is span_count */
  uint16_t *span_min;   /* [span_count] cell heights above bounds_min[1] */
  uint16_t *span_max;   /* [span_count] */
  uint8_t *span_area;   /* [span_count] 0..63 */
  void *block;
} WmHeightfield;

/* The links of spans, in blocks of eight spans (compact/links.h). */
typedef struct WmLinkBlock WmLinkBlock;
typedef struct WmLinks {
  WmLinkBlock *blocks; /* a block of the context; the array of lists is part of it */
  int16_t **lists;     /* blocks of the context, terminated by NULL */
} WmLinks;

/* The open spans of a grid with their links. */
typedef struct WmCompactHeightfield {
  WmGrid grid; /* the heightfield's, with bounds_max[1] raised by walkable_height cells */
  int32_t walkable_height;
  int32_t walkable_climb;
  uint32_t span_count;
  uint32_t *cell_first;    /* [width * depth + 1] in a block of its own */
  uint16_t *span_floor;    /* [span_count] cell heights above bounds_min[1] */
  uint8_t *span_clearance; /* [span_count] cell heights up to the ceiling, at most 255; NULL if not kept */
  uint8_t *span_area;      /* [span_count] 0 if a stage has made the span unwalkable */
  WmLinks links;           /* see compact/links.h */
  /* True if link(link(i, d), opposite(d)) == i wherever the link exists. False only if walkable_height < 2
   * * walkable_climb, and then rarely; stages that write across links take the slow path then. */
  bool links_are_symmetric;
  bool
      borrows_arrays; /* only `block` is owned; an unpacked tile owns the other arrays (rebuild/unpacked_tile.h) */
  void *block;
} WmCompactHeightfield;

typedef struct WmDistanceField {
  uint32_t span_count;
  uint16_t *span_distance; /* [span_count] blurred, about twice the distance to the area border in cells */
  uint16_t max_distance;   /* before the blur */
  bool is_spare;           /* set by the owner: the watershed may overwrite span_distance */
  void *block;
} WmDistanceField;

typedef struct WmRegions {
  uint32_t span_count;
  uint16_t *span_region; /* [span_count] 0 none, WM_REGION_BORDER | k border, else 1..region_count */
  uint32_t region_count;
  void *block;
} WmRegions;

/* Bits of the fourth number of a contour's vertex; its low 16 bits are the region on the other side. */
enum { WM_CONTOUR_BORDER_VERTEX = 0x10000, WM_CONTOUR_AREA_BORDER = 0x20000 };

/* Contours of the tile proper: coordinates count from the cells inside the border. */
typedef struct WmContourSet {
  WmGrid grid; /* bounds, width and depth without the border; border_size is that of the heightfield */
  float max_error;
  uint32_t contour_count;
  uint16_t *contour_region; /* [contour_count] */
  uint8_t *contour_area;    /* [contour_count] */
  uint32_t *vertex_first;   /* [contour_count + 1] first simplified vertex */
  int32_t *vertices;        /* [vertex_first[contour_count]][4] x, y, z, code */
  uint32_t *raw_first;      /* [contour_count + 1]; all 0 if raw vertices weren't requested */
  int32_t *raw_vertices;    /* [raw_first[contour_count]][4] */
  void *block;
} WmContourSet;

/* Missing vertices and neighbours of polygons. A neighbour with bit 15 set, other than WM_POLYGON_NONE, is
 * a portal edge: its low four bits are the side of the tile. */
enum { WM_POLYGON_NONE = 0xffff, WM_POLYGON_PORTAL = 0x8000, WM_POLYGON_LIMIT = 0x7fff };

typedef struct WmPolygonMesh {
  WmGrid grid; /* the contour set's */
  float max_error;
  int32_t max_vertices_per_polygon; /* K */
  uint32_t vertex_count;
  uint32_t polygon_count;
  uint16_t *vertices;       /* [vertex_count][3] cells, cell heights, cells */
  uint16_t *polygons;       /* [polygon_count][2 * K] vertices, then neighbours across edge k..k+1 */
  uint16_t *polygon_region; /* [polygon_count] 0 if regions were merged into the polygon */
  uint8_t *polygon_area;    /* [polygon_count] */
  void *block;
} WmPolygonMesh;

/* Height detail: one submesh for each polygon, which starts with the vertices of the polygon. */
typedef struct WmDetailMesh {
  uint32_t submesh_count;
  uint32_t vertex_count;
  uint32_t triangle_count;
  uint32_t *submeshes; /* [submesh_count][4] first vertex, vertices, first triangle, triangles */
  float *vertices;     /* [vertex_count][3] world units */
  uint8_t *triangles;  /* [triangle_count][4] three local vertices, flags: bits 0, 2, 4 set if edge (0,1),
                          (1,2), (2,0) lies on the polygon's outline */
  bool is_on_surface; /* heights are those of the level (detail/surface_heights.h); else those of span floors,
                          raised by a cell height, and the tile takes its vertices from the polygon mesh */
  void *block;
} WmDetailMesh;

/* One heightfield layer: an image of the surface of a tile with at most one span a cell. */
typedef struct WmHeightfieldLayer {
  float bounds_min[3], bounds_max[3];
  int32_t height_min, height_max; /* cell heights */
  int32_t used_min_x, used_max_x, used_min_z, used_max_z;
  uint8_t *heights;     /* [width * depth] cell heights above height_min, 255 = empty */
  uint8_t *areas;       /* [width * depth] */
  uint8_t *connections; /* [width * depth] bits 0..3: linked across side 0..3 within the layer; bits 4..7:
                           to another layer or tile */
} WmHeightfieldLayer;

typedef struct WmHeightfieldLayers {
  WmGrid grid; /* without the border: width, depth, bounds on x and z */
  uint32_t layer_count;
  WmHeightfieldLayer *layers; /* [layer_count] */
  void *block;
} WmHeightfieldLayers;

/* A finished tile in Detour's format (DNAV, version 7). */
typedef struct WmTileData {
  uint8_t *bytes;
  size_t byte_count;
} WmTileData;

/* Removes the border from a grid's size and bounds. */
void wm_grid_trim(WmGrid *grid);

/* The cell of a span. cost: O(log cells). */
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

WM_PUBLIC_END

#endif
