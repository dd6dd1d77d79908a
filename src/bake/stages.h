/* The stages of a bake, each a function from plain arrays to plain arrays, in pipeline order.
 *
 *   triangles -> wm_mark_slopes -> wm_rasterize -> wm_filter_heightfield -> wm_build_compact_heightfield
 *   -> wm_erode -> wm_filter_median -> wm_mark_area -> wm_build_distance_field -> wm_build_regions
 *   -> wm_build_contours -> wm_build_polygon_mesh -> wm_build_detail_mesh -> wm_build_tile
 *
 * bake.h runs them all; unless stages are to be kept, rasterization, filters and what the compact heightfield
 * keeps go row by row (open_rows.h). Ownership: outputs are blocks of the context (fields.h); inputs are only
 * read unless the text says "in place". Every function may return WM_ERROR_OUT_OF_MEMORY, after which its
 * output is zeroed and an in-place input unchanged. Source of all stages: M. Mononen, Recast Navigation
 * (2009-), whose results they reproduce bit for bit; each file names further papers. */
#ifndef WALKMESH_BAKE_STAGES_H
#define WALKMESH_BAKE_STAGES_H

#include "bake/config.h"
#include "bake/fields.h"

/* ---- Input ---------------------------------------------------------------------------------------- */

/* Triangle soup. Triangles face up when counter-clockwise seen from above (y up). */
typedef struct WmTriangles {
  const float *positions;  /* vertex v starts at positions + v * position_stride */
  size_t position_stride;  /* floats from one vertex to the next, >= 3 */
  size_t vertex_count;
  const uint32_t *indices; /* [triangle_count][3] */
  size_t triangle_count;
  const uint8_t *areas;    /* NULL, or [triangle_count]: area where walkable, 0..63; 0 = never */
} WmTriangles;

/* A closed convex volume that is solid inside; its top is walkable with `area` (0 = not walkable).
 * Unlike triangles it is filled, so nothing is walkable inside it. */
typedef enum WmSolidKind {
  WM_SOLID_BOX = 0,      /* start = centre; half_axes = three half-edge vectors, any orientation */
  WM_SOLID_SPHERE = 1,   /* start = centre; radius */
  WM_SOLID_CAPSULE = 2,  /* start, end, radius */
  WM_SOLID_CYLINDER = 3, /* start, end = centres of the caps, any orientation; radius */
  WM_SOLID_CONVEX = 4    /* vertices, indices: a closed convex hull, either winding */
} WmSolidKind;

typedef struct WmSolid {
  int32_t kind; /* WmSolidKind */
  uint8_t area;
  float start[3];
  float end[3];
  float half_axes[3][3];
  float radius;
  const float *vertices; /* [vertex_count][3] */
  size_t vertex_count;
  const uint32_t *indices; /* [triangle_count][3] */
  size_t triangle_count;
} WmSolid;

/* A volume that sets the area of the walkable surface inside it; area 0 makes it unwalkable.
 *
 * Usually after erosion: the mesh goes up to the volume. Before erosion the agent's radius is kept from what
 * area 0 takes away, as from any obstacle, and its height, too: surface from which the agent would reach into
 * the volume from below is taken away as well. (Other areas are the same before and after erosion, but for
 * the median filter, which follows it.) */
typedef enum WmAreaVolumeKind {
  WM_AREA_VOLUME_BOX = 0,         /* minimum, maximum */
  WM_AREA_VOLUME_ROTATED_BOX = 1, /* centre, half_extents, yaw (radians, counter-clockwise seen from above) */
  WM_AREA_VOLUME_CYLINDER = 2,    /* centre of the bottom, radius, height */
  WM_AREA_VOLUME_PRISM = 3,       /* simple polygon on x and z, from minimum[1] to maximum[1] */
  WM_AREA_VOLUME_SPHERE = 4,      /* centre, radius */
  WM_AREA_VOLUME_CAPSULE = 5      /* all points within radius of the line from minimum to maximum, its two ends */
} WmAreaVolumeKind;

typedef struct WmAreaVolume {
  int32_t kind; /* WmAreaVolumeKind */
  uint8_t area;
  bool before_erosion;
  float minimum[3];
  float maximum[3];
  float centre[3];
  float half_extents[3];
  float yaw;
  float radius;
  float height;
  const float *vertices; /* [vertex_count][3]; y is ignored */
  size_t vertex_count;
} WmAreaVolume;

typedef struct WmOffMeshConnection {
  float start[3];
  float end[3];
  float radius; /* world units, how far the ends may lie from the mesh */
  uint16_t flags;
  uint8_t area; /* 0..63 */
  bool bidirectional;
  uint32_t user_id;
} WmOffMeshConnection;

/* ---- Triangles to solid voxels ---------------------------------------------------------------------- */

/* Twice the areas of triangles seen from above, by where they face, and how many have none. */
typedef struct WmFacing {
  double up, down; /* flat enough to walk on, as they are or turned over */
  size_t degenerate;
} WmFacing;

/* Marks which of the triangles from `first` to before `end` are flat enough to walk on.
 * out        areas [triangle_count], those of these triangles: the triangle's own area (WM_AREA_WALKABLE
 * where triangles->areas is NULL) if its slope is strictly below the limit, else 0; degenerate triangles get
 * 0 in/out     facing: what they add cost       O(triangles) */
void wm_mark_slopes(const WmTriangles *triangles, float max_slope_degrees, size_t first, size_t end,
                    uint8_t *areas, WmFacing *facing);

/* Turns triangles, then solids, into a heightfield of solid spans.
 * in         grid; walkable_climb: tops closer than this merge their areas; areas [triangle_count];
 *            subset: NULL for all triangles, or [subset_count] ascending triangle numbers to rasterize
 *            (others are ignored); solids may be NULL when solid_count is 0
 * out        field; areas within a merged span follow the order of triangles
 * returns    WM_OK, WM_ERROR_LIMIT (grid taller than WM_SPAN_HEIGHT_LIMIT cells, more than 2^32 - 2 spans),
 *            WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_rasterize(WmContext *context, const WmGrid *grid, int32_t walkable_climb,
                      const WmTriangles *triangles, const uint8_t *areas, const uint32_t *subset,
                      size_t subset_count, const WmSolid *solids, size_t solid_count,
                      WmHeightfield *field);

/* ---- Filters of the solid heightfield ---------------------------------------------------------------- */

/* Which filters there are, in their order, and the agent they are for. */
typedef struct WmFilterSettings {
  int32_t walkable_height;    /* 1 to 255 */
  int32_t walkable_climb;     /* 0 or more */
  bool low_hanging_obstacles; /* makes an obstacle lower than the climb walkable where the span below it is */
  bool ledges;                /* makes spans at a drop deeper than the climb, or on too steep an edge, unwalkable */
  bool low_height;            /* makes spans with less headroom than the agent's height unwalkable */
} WmFilterSettings;

/* Filters in place. */
WmStatus wm_filter_heightfield(WmContext *context, const WmFilterSettings *settings, WmHeightfield *field);

/* ---- The compact heightfield -------------------------------------------------------------------------- */

/* Keeps the open space above walkable spans, and links each to its neighbours.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_build_compact_heightfield(WmContext *context, const WmHeightfield *field,
                                      int32_t walkable_height, int32_t walkable_climb,
                                      WmCompactHeightfield *compact);

/* Makes spans closer than the radius to a border unwalkable, in place. 0 changes nothing.
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (radius not 0..127), WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_erode(WmContext *context, WmCompactHeightfield *compact, int32_t radius_cells);

/* Replaces each span's area by the median of its neighbourhood, in place. */
WmStatus wm_filter_median(WmContext *context, WmCompactHeightfield *compact);

/* Sets the area of walkable spans inside the volume, in place.
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (not finite, area above 63, fewer than 3 vertices) */
WmStatus wm_mark_area(WmContext *context, WmCompactHeightfield *compact, const WmAreaVolume *volume);

/* What wm_mark_area says of a volume without marking anything.
 * out        touches: whether it may mark any cell of the grid */
WmStatus wm_check_area_volume(WmContext *context, const WmGrid *grid, const WmAreaVolume *volume,
                              bool *touches);

/* Where a volume lies; infinite where it cannot be marked, so that whoever looks for it meets the error. */
void wm_find_volume_bounds(WmContext *context, const WmAreaVolume *volume, float low[3], float high[3]);

/* Moves the outline of a simple polygon on x and z by `offset` (world units): outwards where it runs clockwise
 * seen from above, else inwards. Outer corners of a right angle or sharper are bevelled.
 * out        out_vertices [capacity][3], y copied; *out_count vertices
 * returns    WM_OK, WM_ERROR_LIMIT (capacity too small: 2 * vertex_count is enough),
 *            WM_ERROR_INVALID_ARGUMENT (fewer than 3 vertices); on failure *out_count is 0, out_vertices are
 *            as they were */
WmStatus wm_offset_polygon(WmContext *context, const float *vertices, size_t vertex_count, float offset,
                           float *out_vertices, size_t capacity, size_t *out_count);

/* Distance of every span to the nearest border of its area, blurred. */
WmStatus wm_build_distance_field(WmContext *context, const WmCompactHeightfield *compact,
                                 WmDistanceField *distance);

/* ---- Regions -------------------------------------------------------------------------------------------- */

typedef struct WmRegionSettings {
  int32_t partition;          /* WmPartition */
  int32_t chunk_size;         /* cells; chunky only */
  int32_t min_region_cells;   /* smaller islands are dropped */
  int32_t merge_region_cells; /* smaller regions are merged into neighbours */
} WmRegionSettings;

/* Cuts the walkable surface into simple regions; compact->grid.border_size cells on each side become
 * border regions.
 * in         distance: required for watershed, otherwise ignored (may be NULL)
 * returns    WM_OK, WM_ERROR_LIMIT (more than WM_REGION_LIMIT regions before merging: use tiles) */
WmStatus wm_build_regions(WmContext *context, const WmCompactHeightfield *compact,
                          const WmDistanceField *distance, const WmRegionSettings *settings,
                          WmRegions *regions);

/* Cuts the walkable surface into two-dimensional layers that do not overlap themselves.
 * returns    WM_OK, WM_ERROR_LIMIT */
WmStatus wm_build_heightfield_layers(WmContext *context, const WmCompactHeightfield *compact,
                                     int32_t walkable_height, WmHeightfieldLayers *layers);

/* ---- Contours and polygons -------------------------------------------------------------------------------- */

enum {
  WM_CONTOUR_SPLIT_WALL_EDGES = 1, /* split long edges along walls */
  WM_CONTOUR_SPLIT_AREA_EDGES = 2, /* split long edges between areas */
  WM_CONTOUR_KEEP_RAW = 4          /* keep the raw vertices too, for display */
};

/* Traces the outline of every region, simplifies it, and joins holes to their outline.
 * in         max_error cells; max_edge_cells 0 = off; flags as above
 * returns    WM_OK, WM_ERROR_LIMIT */
WmStatus wm_build_contours(WmContext *context, const WmCompactHeightfield *compact,
                           const WmRegions *regions, float max_error, int32_t max_edge_cells,
                           uint32_t flags, WmContourSet *contours);

/* Triangulates contours and merges triangles to convex polygons with neighbours and portals.
 * in         max_vertices 3..6
 * returns    WM_OK, WM_ERROR_LIMIT (65534 contour vertices or more, more than WM_POLYGON_LIMIT
 *            polygons: use tiles) */
WmStatus wm_build_polygon_mesh(WmContext *context, const WmContourSet *contours, int32_t max_vertices,
                               WmPolygonMesh *mesh);

/* Adds height detail to the polygons.
 * in         sample_distance, max_error in world units; sample_distance 0: the polygon's own outline,
 *            without samples
 * returns    WM_OK, WM_ERROR_LIMIT */
WmStatus wm_build_detail_mesh(WmContext *context, const WmPolygonMesh *mesh,
                              const WmCompactHeightfield *compact, const WmRegions *regions,
                              float sample_distance, float max_error, WmDetailMesh *detail);

/* ---- The tile ----------------------------------------------------------------------------------------------- */

typedef struct WmTileSettings {
  int32_t x, z, layer;
  uint32_t user_id;
  float agent_height, agent_radius, agent_max_climb; /* world units */
  bool build_tree;
  /* Flags of a polygon by its final area (WM_AREA_WALKABLE becomes 0 first). */
  uint16_t area_flags[WM_AREA_COUNT];
  const WmOffMeshConnection *connections;
  size_t connection_count;
} WmTileSettings;

/* Writes the tile in Detour's format.
 * in         detail may be NULL or empty; a mesh without polygons is WM_OK with byte_count 0
 * returns    WM_OK, WM_ERROR_LIMIT (65535 vertices or more) */
WmStatus wm_build_tile(WmContext *context, const WmPolygonMesh *mesh, const WmDetailMesh *detail,
                       const WmTileSettings *settings, WmTileData *tile);

#endif
