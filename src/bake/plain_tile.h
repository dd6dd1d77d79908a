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

#include "bake/contours_internal.h"
#include "bake/regions_internal.h"

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

typedef struct WmPlainTile {
  uint16_t *raw_region;   /* [span_count] raw regions, and the border's */
  uint16_t *row_number;   /* [depth + 1] of the tile proper: the first number that rows before do not use */
  WmPlainRecord *records; /* [record_count] */
  WmRegionSide *sides;    /* [side_count] of raw regions, in raster order */
  uint32_t *steps;        /* [step_count] walks around raw regions: the spans across */
  WmPlainColumn
      *columns; /* [column_count] of several regions, one of those in a row that follow each other */
  uint32_t record_count, side_count, step_count, column_count;
  void *block; /* NULL: nothing is kept */
} WmPlainTile;

/* Builds the raw regions of a tile as it is without obstacles. Where nothing can be kept, nothing is.
 * out        *byte_count: of the block
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_plain_tile_make(WmContext *context, const WmCompactHeightfield *compact, WmPartition partition,
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
  uint8_t *edges;              /* [span_count] for contours */
  int32_t first_row, last_row; /* swept again; last_row < first_row: none */
  int32_t added;               /* to the numbers of regions that begin after them */
  uint32_t next_number;
  uint16_t *image;   /* [of the plain tile] of regions in the last row swept: their number now */
  uint16_t *partner; /* [next_number + 1] the plain region with the same spans, 0 where there is none */
  uint16_t *number;  /* [next_number + 1] the final region */
} WmChangedTile;

/* wm_build_regions for a changed tile, of which the first three fields are given. Takes scratch memory of the
 * caller's mark: the arrays of `changed`. */
WmStatus wm_build_changed_regions(WmContext *context, const WmRegionSettings *settings,
                                  WmChangedTile *changed, WmRegions *regions);

#endif
