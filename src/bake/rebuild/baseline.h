/* The baseline: the regions and contours of a tile without obstacles, stored with its unpacked tile
 * (unpacked_tile.h), so that a rebuild copies what obstacles don't reach.
 *
 * A raw region is made of strips, one per row, and a row's strips depend on that row and on the regions of
 * the row before it (sweep_partition.c). So rows before the first one that obstacles change equal the
 * baseline. Rows after the last one equal it too, except for the numbers of their regions, as soon as one
 * row does. The rows between are swept again. The next steps (islands, merging, numbering) run for all
 * regions, but on the records of unchanged regions instead of their spans; the edges of contours are found
 * among the edges of raw regions. All results are those of building the whole tile.
 *
 * Stored for the partitions monotone and layers, if links are symmetric: then no raw region lies over
 * itself. */
#ifndef WALKMESH_BAKE_BASELINE_H
#define WALKMESH_BAKE_BASELINE_H

#include "bake/contours/contours_internal.h"
#include "bake/regions/regions_internal.h"

typedef struct WmBaselineRegion {
  uint32_t cells, first_span;      /* of a raw region */
  uint32_t first_step, step_count; /* of the walk around it */
} WmBaselineRegion;

typedef struct WmBaselineColumn {
  uint32_t first, count; /* spans */
} WmBaselineColumn;

/* A side of a span with no span of the same region across. */
typedef struct WmRegionSide {
  uint32_t side;   /* 4 * span + direction */
  uint32_t across; /* the span there, or WM_NO_SPAN */
} WmRegionSide;

enum { WM_BASELINE_SPAN_LIMIT = 1 << 30 }; /* 4 * span + direction fits in 32 bits */

/* A contour before holes are joined. */
typedef struct WmBaselineContour {
  uint32_t start;      /* the span with which its walk began */
  uint32_t first_edge; /* in `edges`: one per raw vertex */
  uint32_t edge_count;
  uint32_t first_vertex, vertex_count; /* after simplification; 0 if nothing was left */
  uint16_t region;
} WmBaselineContour;

/* The span across an edge of a contour. */
typedef struct WmBaselineEdge {
  uint32_t across; /* a span, or WM_NO_SPAN */
  uint32_t code;   /* its region, WM_CONTOUR_AREA_BORDER */
} WmBaselineEdge;

typedef struct WmBaseline {
  uint16_t *raw_region;      /* [span_count] raw regions, and the border's */
  uint16_t *row_number;      /* [depth + 1] without border: the first number that no row before uses */
  WmBaselineRegion *records; /* [record_count] by raw region */
  WmRegionSide *sides;       /* [side_count] between raw regions, in raster order */
  uint32_t *steps;           /* [step_count] walks around raw regions: the spans across */
  WmBaselineColumn *columns; /* [column_count] with several regions; equal ones in a row once */
  /* Final regions and their contours. */
  uint16_t *number;            /* [record_count] the final region */
  uint16_t *member_count;      /* [region_count + 1] raw regions that a final one is made of */
  WmBaselineContour *contours; /* [contour_count] */
  WmBaselineEdge *edges;       /* [edge_count] */
  WmContourVertex *vertices;   /* [vertex_count] unresolved */
  uint32_t *vertex_edge;       /* [vertex_count] an edge with the same code as the one that starts there */
  uint32_t record_count, side_count, step_count, column_count, region_count, contour_count, edge_count,
      vertex_count;
  void *block, *contour_block; /* NULL: nothing is stored */
} WmBaseline;

/* Builds the baseline of a tile. It stays empty where regions and contours can't be stored: other
 * partitions, asymmetric links, too many spans or regions.
 * out        *baseline: freed by wm_baseline_free; *byte_count: size of its blocks
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_baseline_build(WmContext *context, const WmCompactHeightfield *compact,
                           const WmRegionSettings *settings, const WmContourSettings *contour_settings,
                           WmBaseline *baseline, size_t *byte_count);

/* Appends the sides of the spans first .. end - 1 to a list in scratch memory; false after recording
 * out-of-memory.
 * in         edges: wm_contour_find_edges of these spans */
bool wm_region_sides_add(WmContext *context, const WmCompactHeightfield *compact, const uint8_t *edges,
                         uint32_t first, uint32_t end, WmRegionSide **sides, uint32_t *count,
                         size_t *capacity);

void wm_baseline_free(WmContext *context, WmBaseline *baseline);

/* A tile with obstacles, and its differences from the baseline (changed_regions.c). */
typedef struct WmChangedTile {
  const WmBaseline *baseline;
  const uint8_t *baseline_area; /* [span_count] */
  const WmCompactHeightfield
      *compact; /* with its own areas; 16 bytes after these, and after the baseline's, are readable */
  uint16_t *span_region;     /* [span_count] raw regions, at the end final ones */
  const WmRegionSide *sides; /* [side_count] as WmBaseline.sides */
  uint32_t side_count;
  uint8_t *edges;              /* [span_count] for contours; 0 for retained regions */
  int32_t first_row, last_row; /* rows swept again; last_row < first_row: none */
  int32_t added;               /* to the numbers of regions that begin after them */
  uint32_t next_number;
  uint16_t *image;   /* [baseline->record_count] for regions of the last row swept: their number now */
  uint16_t *partner; /* [next_number + 1] the baseline region with the same spans, or 0 */
  uint16_t *number;  /* [next_number + 1] the final region */
  uint32_t region_count;
  uint16_t
      *retained_region; /* [baseline->region_count + 1] its number now if its contours are copied, or 0 */
  bool *is_retained;    /* [region_count + 1] */
} WmChangedTile;

/* wm_build_regions for a changed tile.
 * in/out     changed: the caller sets the first three fields; the arrays are scratch memory after the
 *            caller's mark
 * returns    WM_OK, WM_ERROR_LIMIT, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_build_changed_regions(WmContext *context, const WmRegionSettings *settings,
                                  WmChangedTile *changed, WmRegions *regions);

/* wm_build_contours for a changed tile, after its regions, whose scratch memory must still exist. Regions
 * with the same spans, and with the same regions around them except for numbers, copy their contours
 * (changed_contours.c).
 * returns    WM_OK, WM_ERROR_LIMIT, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_build_changed_contours(WmContext *context, const WmContourSettings *settings,
                                   WmChangedTile *changed, const WmRegions *regions, WmContourSet *contours);

/* Stores the contours of a baseline whose regions have just been built.
 * out        *byte_count: increased by their size
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_baseline_record_contours(WmContext *context, const WmContourSettings *settings,
                                     const WmChangedTile *tile, const WmRegions *regions,
                                     WmBaseline *baseline, size_t *byte_count);

#endif
