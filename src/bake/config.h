/* Configuration of a bake: the values that a designer sets, in world units, and the voxel values that follow.
 *
 * Usual order: wm_config_default, change fields, then pass the configuration to a baker (bake.h), which
 * checks it. Callers that run stages one by one use wm_config_check and wm_config_to_voxels. */
#ifndef WALKMESH_BAKE_CONFIG_H
#define WALKMESH_BAKE_CONFIG_H

#include "base/context.h"
#include "base/public.h"

WM_PUBLIC_BEGIN

typedef enum WmPartition {
  WM_PARTITION_WATERSHED = 0, /* best polygons, slowest; for most levels */
  WM_PARTITION_MONOTONE = 1,  /* fastest, no holes, long thin polygons */
  WM_PARTITION_LAYERS = 2,    /* fast, no overlaps; good with tiles */
  WM_PARTITION_CHUNKY = 3     /* monotone within squares of `chunk_size` cells */
} WmPartition;

/* Fields have the names of JavaScript and the command line, in snake case. All reals are float32. */
typedef struct WmConfig {
  /* Side of a voxel on x and z, world units, > 0; default 0.3. A smaller value follows the level more
   * closely and costs more time and memory (both grow with the inverse square). */
  float cell_size;
  /* Height of a voxel, world units, > 0; default 0.2. */
  float cell_height;
  /* World units; agent_height > 0 (default 2.0, at most 255 cell heights), agent_radius >= 0 (0.6, at
   * most 127 cells), 0 <= agent_max_climb <= agent_height (0.9). */
  float agent_height;
  float agent_radius;
  float agent_max_climb;
  /* Steepest walkable slope, degrees, 0..90; default 45. */
  float agent_max_slope;
  /* A WmPartition; default watershed. */
  int32_t partition;
  /* Side of the squares of the chunky partition, cells, 1..4096; default 16. */
  int32_t chunk_size;
  /* Regions with an area below min_region_size squared, cells, are dropped; 0..10000, default 8. */
  float min_region_size;
  /* Regions with an area below merge_region_size squared, cells, are merged into neighbours; 0..10000,
   * default 20. */
  float merge_region_size;
  /* Longest edge along a wall before it is split, world units; 0 = off; default 12. */
  float max_edge_length;
  /* Largest distance from a simplified contour to the raw one, cells, 0..1000; default 1.3. */
  float max_edge_error;
  /* 3..6, default 6. */
  int32_t max_vertices_per_polygon;
  /* Spacing of height samples, cells: 0 = no height detail, otherwise 0.9..10000; default 6. (Recast
   * silently treats values below 0.9 as 0.) */
  float detail_sample_distance;
  /* Largest distance from the detail mesh to the surface, cell heights, 0..10000; default 1. */
  float detail_max_error;
  /* Side of a tile, cells, 0 = a single tile, otherwise 8..4096; default 0. */
  int32_t tile_size;
  /* The three filters of the heightfield, on by default. */
  bool filter_low_hanging_obstacles;
  bool filter_ledges;
  bool filter_low_height;
  /* Smooths areas after erosion, before volumes are marked; default off. */
  bool median_filter;
  /* A WmHeights; default voxels. */
  int32_t heights;
  /* True if the bounds below replace those of the input: minimum < maximum on x and z; on y they may be
   * equal, as in a flat level. */
  bool has_bounds;
  /* With bounds: what stands higher than they do is baked, too, instead of cut off. */
  bool bounds_above;
  float bounds_min[3];
  float bounds_max[3];
} WmConfig;

/* Voxel counts and world distances for the stages, derived by wm_config_to_voxels. */
typedef struct WmVoxelConfig {
  int32_t width, depth;               /* cells of the whole level on x and z */
  int32_t walkable_height;            /* cell heights of clearance, 1..255 */
  int32_t walkable_climb;             /* cell heights */
  int32_t walkable_radius;            /* cells, 0..127 */
  int32_t max_edge_cells;             /* 0 = off */
  int32_t min_region_cells;           /* area */
  int32_t merge_region_cells;         /* area */
  float detail_sample_distance_world; /* world units; 0 = none */
  float detail_max_error_world;       /* world units */
  int32_t border_size;                /* cells around a tile; 0 for a single tile */
  int32_t tile_count_x, tile_count_z; /* 1, 1 for a single tile */
  float tile_world_size;              /* world units; 0 for a single tile */
} WmVoxelConfig;

/* The source of the heights of vertices. */
typedef enum WmHeights {
  WM_HEIGHTS_VOXELS = 0, /* span floors, as Recast's: up to two cell heights above the level */
  WM_HEIGHTS_SURFACE =
      1 /* the level's triangles and solids, where they are near (detail/surface_heights.h) */
} WmHeights;

typedef enum WmFieldKind { WM_FIELD_REAL, WM_FIELD_INTEGER, WM_FIELD_SWITCH } WmFieldKind;

/* The fields one by one, in the order above, without the bounds. */
typedef struct WmConfigField {
  const char *name; /* in camelCase */
  uint16_t offset;  /* in WmConfig */
  uint8_t kind;     /* WmFieldKind */
  bool or_zero;     /* 0 is allowed besides the range */
  float initial, minimum, maximum;
  const char *advice; /* in messages, after the range; may be NULL */
} WmConfigField;

enum { WM_CONFIG_FIELD_COUNT = 21 };

extern const WmConfigField WM_CONFIG_FIELDS[WM_CONFIG_FIELD_COUNT];

/* in         value: for an integer field one that int32_t holds; for a real it is rounded to float32 */
double wm_config_get(const WmConfig *config, const WmConfigField *field);
void wm_config_set(WmConfig *config, const WmConfigField *field, double value);

/* A configuration with the defaults named above. */
WmConfig wm_config_default(void);

/* Checks each field by itself, then against the others.
 * returns    WM_OK, or WM_ERROR_CONFIGURATION naming field, value and range */
WmStatus wm_config_check(WmContext *context, const WmConfig *config);

/* The top of the grids of a bake with these bounds: bounds_max[1], unless the bounds are open above. */
float wm_config_top(const WmConfig *config, const float bounds_min[3], const float bounds_max[3]);

/* Derives the voxel values for a level with the given bounds (world units, minimum <= maximum). Every
 * operation is float32, so that the values equal those of Recast's demo.
 * returns    WM_OK; WM_ERROR_CONFIGURATION for an invalid field, or if the grid would be too large for the
 *            cells (the message has an estimate of the memory) */
WmStatus wm_config_to_voxels(WmContext *context, const WmConfig *config, const float bounds_min[3],
                             const float bounds_max[3], WmVoxelConfig *voxels);

WM_PUBLIC_END

#endif
