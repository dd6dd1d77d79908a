/* The stages of a bake, each a function from arrays to arrays, in pipeline order.
 *
 *   triangles -> wm_mark_slopes -> wm_rasterize -> wm_filter_heightfield -> wm_build_compact_heightfield
 *   -> wm_erode -> wm_filter_median -> wm_mark_area -> wm_build_distance_field -> wm_build_regions
 *   -> wm_build_contours -> wm_build_polygon_mesh -> wm_build_detail_mesh -> wm_build_tile
 *
 * bake.h runs them all. Unless stages are kept, it runs rasterization, filters and the storing of open spans
 * row by row, in one pass (compact/open_rows.h).
 *
 * Ownership: outputs are blocks of the context (fields.h). Inputs are only read unless a contract says "in
 * place" or in/out. Every function may return WM_ERROR_OUT_OF_MEMORY; its output is then zeroed, and an
 * in-place input unchanged.
 *
 * source     all stages: M. Mononen, Recast Navigation (2009-), whose results they reproduce bit for bit;
 *            each file names further papers */
#ifndef WALKMESH_BAKE_STAGES_H
#define WALKMESH_BAKE_STAGES_H

#include "bake/config.h"
#include "bake/fields.h"
#include "base/public.h"

WM_PUBLIC_BEGIN

/* The air of a tile: every gap between solid spans that an agent fits in. For links (links/links.h). */
typedef struct WmAir WmAir;

/* ---- Input ------------------------------------------------------------------------------------------- */

/* Triangle soup. A triangle faces up if it is counter-clockwise seen from above (y up). */
typedef struct WmTriangles {
  const float *positions; /* vertex v starts at positions + v * position_stride */
  size_t position_stride; /* floats from one vertex to the next, >= 3 */
  size_t vertex_count;
  const uint32_t *indices; /* [triangle_count][3] */
  size_t triangle_count;
  const uint8_t *areas; /* NULL, or [triangle_count]: area if walkable, 0..63; 0 = never walkable */
} WmTriangles;

/* A closed convex shape that is filled when rasterized. Where its top is flat enough for the agent, it is
 * walkable with `area` (0 = not walkable), as a triangle is; nothing is walkable inside it, unlike inside a
 * closed mesh of triangles. */
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

/* A volume that sets the area of the walkable surface inside it; area 0 makes the surface unwalkable.
 *
 * Usually it is marked after erosion, and the mesh reaches up to the volume. If an area 0 volume is marked
 * before erosion, agents keep their radius from it, as from any obstacle, and their height too: surface
 * from which an agent would reach into the volume from below becomes unwalkable as well. (For other areas,
 * before or after erosion gives the same result, except that the median filter runs in between.) */
typedef enum WmAreaVolumeKind {
  WM_AREA_VOLUME_BOX = 0,         /* minimum, maximum */
  WM_AREA_VOLUME_ROTATED_BOX = 1, /* centre, half_extents, yaw (radians, counter-clockwise seen from above) */
  WM_AREA_VOLUME_CYLINDER = 2,    /* centre of the bottom, radius, height */
  WM_AREA_VOLUME_PRISM = 3,       /* simple polygon on x and z, from minimum[1] to maximum[1] */
  WM_AREA_VOLUME_SPHERE = 4,      /* centre, radius */
  WM_AREA_VOLUME_CAPSULE = 5      /* all points within radius of the segment from minimum to maximum */
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
  float radius; /* world units: the largest distance from an end to the mesh */
  uint16_t flags;
  uint8_t area; /* 0..63 */
  bool bidirectional;
  uint32_t user_id;
} WmOffMeshConnection;

/* ---- Triangles to solid voxels ----------------------------------------------------------------------- */

/* Sums over triangles, to diagnose a level that faces down. */
typedef struct WmFacing {
  double up, down; /* twice the area seen from above, of triangles flat enough to walk on as they are, or
                      turned over */
  size_t degenerate;
} WmFacing;

/* Marks the triangles from `first` to before `end` that are flat enough to walk on.
 * in         areas of triangles->areas; WM_AREA_WALKABLE if it is NULL
 * out        areas [triangle_count], entries first..end - 1: the triangle's own area if its slope is strictly
 *            below the limit, else 0; degenerate triangles get 0
 * in/out     facing: the sums grow by these triangles
 * cost       O(triangles) */
void wm_mark_slopes(const WmTriangles *triangles, float max_slope_degrees, size_t first, size_t end,
                    uint8_t *areas, WmFacing *facing);

/* Turns triangles, then solids, into a heightfield of solid spans.
 * in         grid; walkable_climb: spans merge their areas if their tops differ by at most this; areas
 *            [triangle_count]; subset: NULL for all triangles, or [subset_count] ascending triangle numbers
 *            to rasterize; solids: NULL if solid_count is 0; max_slope_degrees: surface of solids must be less
 *            steep to be walkable
 * out        field; the area of a merged span depends on the order of the triangles
 * returns    WM_OK, WM_ERROR_LIMIT (grid taller than WM_SPAN_HEIGHT_LIMIT cells, more than 2^32 - 2
 *            spans), WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_rasterize(WmContext *context, const WmGrid *grid, int32_t walkable_climb,
                      const WmTriangles *triangles, const uint8_t *areas, const uint32_t *subset,
                      size_t subset_count, const WmSolid *solids, size_t solid_count, float max_slope_degrees,
                      WmHeightfield *field);

/* ---- Filters of the solid heightfield ---------------------------------------------------------------- */

/* The enabled filters, in the order they run, and the agent. */
typedef struct WmFilterSettings {
  int32_t walkable_height;    /* 1 to 255 */
  int32_t walkable_climb;     /* 0 or more */
  bool low_hanging_obstacles; /* makes an obstacle lower than the climb walkable if the span below it is */
  bool ledges;     /* makes spans unwalkable at a drop deeper than the climb, or on too steep an edge */
  bool low_height; /* makes spans with less clearance than the agent's height unwalkable */
} WmFilterSettings;

/* Runs the enabled filters in place on span_area. */
WmStatus wm_filter_heightfield(WmContext *context, const WmFilterSettings *settings, WmHeightfield *field);

/* ---- The compact heightfield ------------------------------------------------------------------------- */

/* Builds the open spans above walkable solid spans, and links each to its neighbours.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_build_compact_heightfield(WmContext *context, const WmHeightfield *field, int32_t walkable_height,
                                      int32_t walkable_climb, WmCompactHeightfield *compact);

/* Makes spans nearer than the radius to an area border unwalkable, in place. Radius 0 changes nothing.
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (radius not 0..127), WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_erode(WmContext *context, WmCompactHeightfield *compact, int32_t radius_cells);

/* Replaces each span's area by the median of its neighbourhood, in place. */
WmStatus wm_filter_median(WmContext *context, WmCompactHeightfield *compact);

/* Sets the area of the walkable spans inside the volume, in place.
 * returns    WM_OK, WM_ERROR_INVALID_ARGUMENT (not finite, area above 63, fewer than 3 vertices) */
WmStatus wm_mark_area(WmContext *context, WmCompactHeightfield *compact, const WmAreaVolume *volume);

/* Checks a volume as wm_mark_area does, without marking anything.
 * out        *touches: true if it may mark a cell of the grid
 * returns    as wm_mark_area */
WmStatus wm_check_area_volume(WmContext *context, const WmGrid *grid, const WmAreaVolume *volume,
                              bool *touches);

/* Finds the bounds of a volume. Invalid volumes get infinite bounds, so that marking them reports the
 * error. */
void wm_find_volume_bounds(WmContext *context, const WmAreaVolume *volume, float low[3], float high[3]);

/* Moves the outline of a simple polygon on x and z by `offset` world units: outwards if it runs clockwise
 * seen from above, else inwards. An outer corner of 90 degrees or sharper is bevelled into two vertices.
 * out        out_vertices [capacity][3], y copied; *out_count vertices
 * returns    WM_OK, WM_ERROR_LIMIT (capacity too small: 2 * vertex_count is enough),
 *            WM_ERROR_INVALID_ARGUMENT (fewer than 3 vertices); on failure *out_count is 0 and
 *            out_vertices is unchanged */
WmStatus wm_offset_polygon(WmContext *context, const float *vertices, size_t vertex_count, float offset,
                           float *out_vertices, size_t capacity, size_t *out_count);

/* Measures the distance of every span to the nearest area border, and blurs it. */
WmStatus wm_build_distance_field(WmContext *context, const WmCompactHeightfield *compact,
                                 WmDistanceField *distance);

/* ---- Regions ----------------------------------------------------------------------------------------- */

typedef struct WmRegionSettings {
  int32_t partition;          /* WmPartition */
  int32_t chunk_size;         /* cells; chunky only */
  int32_t min_region_cells;   /* smaller islands are dropped */
  int32_t merge_region_cells; /* smaller regions are merged into neighbours */
} WmRegionSettings;

/* Divides the walkable surface into regions, simple enough for contours; compact->grid.border_size cells on
 * each side become border regions.
 * in/out     distance: required for watershed, which overwrites it if is_spare is set; otherwise ignored (may
 *            be NULL)
 * out        regions
 * returns    WM_OK, WM_ERROR_LIMIT (more than WM_REGION_LIMIT regions before merging: use tiles),
 *            WM_ERROR_INVALID_ARGUMENT */
WmStatus wm_build_regions(WmContext *context, const WmCompactHeightfield *compact, WmDistanceField *distance,
                          const WmRegionSettings *settings, WmRegions *regions);

/* Divides the walkable surface into heightfield layers: flat images that don't overlap themselves.
 * in         compact: eroded, with areas marked; walkable_height: 0..65535, layers more than four times that
 *            apart aren't merged
 * out        layers, over the tile proper
 * returns    WM_OK, WM_ERROR_LIMIT, WM_ERROR_INVALID_ARGUMENT */
WmStatus wm_build_heightfield_layers(WmContext *context, const WmCompactHeightfield *compact,
                                     int32_t walkable_height, WmHeightfieldLayers *layers);

/* ---- Contours and polygons --------------------------------------------------------------------------- */

enum {
  WM_CONTOUR_SPLIT_WALL_EDGES = 1, /* split long edges along walls */
  WM_CONTOUR_SPLIT_AREA_EDGES = 2, /* split long edges between areas */
  WM_CONTOUR_KEEP_RAW = 4          /* store the raw vertices too, for display */
};

/* Traces the outline of every region, simplifies it, and joins holes to their outlines.
 * in         max_error: cells; max_edge_cells: 0 = off; flags: WM_CONTOUR_...
 * returns    WM_OK, WM_ERROR_LIMIT */
WmStatus wm_build_contours(WmContext *context, const WmCompactHeightfield *compact, const WmRegions *regions,
                           float max_error, int32_t max_edge_cells, uint32_t flags, WmContourSet *contours);

/* Triangulates contours, and merges triangles into convex polygons with neighbours and portal edges.
 * in         max_vertices: 3..6
 * returns    WM_OK, WM_ERROR_LIMIT (65534 contour vertices or more, more than WM_POLYGON_LIMIT polygons:
 *            use tiles) */
WmStatus wm_build_polygon_mesh(WmContext *context, const WmContourSet *contours, int32_t max_vertices,
                               WmPolygonMesh *mesh);

typedef struct WmDetailSettings {
  float sample_distance, max_error; /* world units; sample_distance 0: only the polygons' own outlines */
  /* The level's surface over the tile (input/surface.h): vertices and samples get its heights. NULL: those of
   * voxels, as in Recast. */
  const struct WmSurface *surface;
  float climb; /* world units; used with a surface */
} WmDetailSettings;

/* Adds height detail to the polygons.
 * returns    WM_OK, WM_ERROR_LIMIT */
WmStatus wm_build_detail_mesh(WmContext *context, const WmPolygonMesh *mesh,
                              const WmCompactHeightfield *compact, const WmRegions *regions,
                              const WmDetailSettings *settings, WmDetailMesh *detail);

/* ---- The tile ---------------------------------------------------------------------------------------- */

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
 * in         detail: may be NULL or empty
 * out        tile: byte_count is 0 if the mesh has no polygons
 * returns    WM_OK, WM_ERROR_LIMIT (65535 vertices or more) */
WmStatus wm_build_tile(WmContext *context, const WmPolygonMesh *mesh, const WmDetailMesh *detail,
                       const WmTileSettings *settings, WmTileData *tile);

WM_PUBLIC_END

#endif
