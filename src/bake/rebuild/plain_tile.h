/* What a tile comes to without obstacles, kept with its ground (ground.h), so that a build with obstacles
 * need not go over what they do not reach.
 *
 * A raw region is made of strips, one a row, and a row's strips depend on that row and on the regions of the
 * row before it (sweep_partition.c). So rows before the first one that obstacles change are as they are
 * without them, and rows after the last one are, too, but for their regions' numbers, as soon as a row has
 * come out so. In between rows are swept again. What follows, islands, merging and numbering, is done anew
 * for all regions, but on what is known of them, not on their spans; and the edges of contours are found
 * among the edges of raw regions. All results are those of building the whole tile.
 *
 * Kept for the partitions monotone and layers, where links are symmetric: then no raw region lies over
 * itself.
 */
#ifndef WALKMESH_BAKE_PLAIN_TILE_H
#define WALKMESH_BAKE_PLAIN_TILE_H

#include "bake/contours/contours_internal.h"
#include "bake/regions/regions_internal.h"

typedef struct WmPlainRecord {
  uint32_t cells, first_span;      /* of a raw region */
  uint32_t first_step, step_count; /* of the walk around it */
} WmPlainRecord;

typedef struct WmPlainColumn {
  uint32_t first, count; /* spans */
} WmPlainColumn;

/* A side of a span that has no span of the same region across. */
typedef struct WmRegionSide {
  uint32_t place;  /* 4 * span + direction */
  uint32_t across; /* the span there, or WM_NO_SPAN */
} WmRegionSide;

enum { WM_PLAIN_SPAN_LIMIT = 1 << 30 }; /* so that places are numbers */

/* A contour before holes are joined. */
typedef struct WmPlainContour {
  uint32_t start;      /* the span with which its walk began */
  uint32_t first_edge; /* in edges: as many as it had vertices */
  uint32_t edge_count;
  uint32_t first_vertex, vertex_count; /* what simplification left; none where it left nothing */
  uint16_t region;
} WmPlainContour;

/* What lies across an edge of a contour. */
typedef struct WmPlainEdge {
  uint32_t across; /* a span, or WM_NO_SPAN */
  uint32_t code;   /* its region, WM_CONTOUR_AREA_BORDER */
} WmPlainEdge;

typedef struct WmPlainTile {
  uint16_t *raw_region;   /* [span_count] raw regions, and the border's */
  uint16_t *row_number;   /* [depth + 1] of the tile proper: the first number that rows before do not use */
  WmPlainRecord *records; /* [record_count] */
  WmRegionSide *sides;    /* [side_count] of raw regions, in raster order */
  uint32_t *steps;        /* [step_count] walks around raw regions: the spans across */
  WmPlainColumn
      *columns; /* [column_count] of several regions, one of those in a row that follow each other */
  /* Final regions and their contours. */
  uint16_t *number;          /* [record_count] the final region */
  uint16_t *member_count;    /* [region_count + 1] raw regions of which a final one is made */
  WmPlainContour *contours;  /* [contour_count] */
  WmPlainEdge *edges;        /* [edge_count] */
  WmContourVertex *vertices; /* [vertex_count] not settled */
  uint32_t *vertex_edge;     /* [vertex_count] an edge that has what lies across the one that starts there */
  uint32_t record_count, side_count, step_count, column_count, region_count, contour_count, edge_count,
      vertex_count;
  void *block, *contour_block; /* NULL: nothing is kept */
} WmPlainTile;

/* Builds the regions and contours of a tile as it is without obstacles. Where nothing can be kept, nothing
 * is. out        *byte_count: of the block returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_plain_tile_make(WmContext *context, const WmCompactHeightfield *compact,
                            const WmRegionSettings *settings, const WmContourSettings *contour_settings,
                            WmPlainTile *plain, size_t *byte_count);

/* Appends the sides of spans from `first` to before `end` to a list in scratch memory, made longer as needed.
 * in         edges: wm_contour_find_edges of these spans */
bool wm_region_sides_add(WmContext *context, const WmCompactHeightfield *compact, const uint8_t *edges,
                         uint32_t first, uint32_t end, WmRegionSide **sides, uint32_t *count,
                         size_t *capacity);

void wm_plain_tile_free(WmContext *context, WmPlainTile *plain);

/* A tile with obstacles as it differs from the plain one (changed_regions.c). */
typedef struct WmChangedTile {
  const WmPlainTile *plain;
  const uint8_t *plain_area; /* [span_count] */
  const WmCompactHeightfield
      *compact;              /* with its own areas; 16 bytes more may be read of these, and of the plain */
  uint16_t *span_region;     /* [span_count] raw regions, at last final ones */
  const WmRegionSide *sides; /* [side_count] as those of the plain tile */
  uint32_t side_count;
  uint8_t *edges;              /* [span_count] for contours, but for those of kept regions */
  int32_t first_row, last_row; /* swept again; last_row < first_row: none */
  int32_t added;               /* to the numbers of regions that begin after them */
  uint32_t next_number;
  uint16_t *image;   /* [of the plain tile] of regions in the last row swept: their number now */
  uint16_t *partner; /* [next_number + 1] the plain region with the same spans, 0 where there is none */
  uint16_t *number;  /* [next_number + 1] the final region */
  uint32_t region_count;
  uint16_t *kept_region; /* [region_count of the plain tile + 1] what a final region is now, if its contours
                            stay, or 0 */
  bool *is_kept;         /* [region_count + 1] */
} WmChangedTile;

/* wm_build_regions for a changed tile, of which the first three fields are given. Takes scratch memory of the
 * caller's mark: the arrays of `changed`. */
WmStatus wm_build_changed_regions(WmContext *context, const WmRegionSettings *settings,
                                  WmChangedTile *changed, WmRegions *regions);

/* wm_build_contours for a changed tile, after its regions, whose scratch memory is still there; takes more of
 * it. Regions that are as they were, and see the same regions around them but for numbers, keep their
 * contours (changed_contours.c). */
WmStatus wm_build_changed_contours(WmContext *context, const WmContourSettings *settings,
                                   WmChangedTile *changed, const WmRegions *regions, WmContourSet *contours);

/* Keeps the contours of a plain tile, of which the regions have just been built. */
WmStatus wm_keep_contours(WmContext *context, const WmContourSettings *settings, const WmChangedTile *tile,
                          const WmRegions *regions, WmPlainTile *plain, size_t *byte_count);

#endif
