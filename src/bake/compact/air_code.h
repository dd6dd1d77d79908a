/* Air of a tile, collected by air_rows.h: the gaps between solid spans, walkable or not, of the cells inside the tile's border. And air as
 * bytes, which take little memory.
 *
 * Made for speed: a row that equals the one before takes a bit. In other rows the number of cells that equal their prediction (as many
 * gaps as the cell before them has, floors and ceilings on a plane) is followed by the difference of the next cell. All numbers are
 * Elias' gamma codes: flat ground needs almost no bits, hills about four a cell.
 *
 * source     P. Elias, "Universal codeword sets and representations of the integers" (1975); the prediction is that of
 *            M. Weinberger, G. Seroussi, G. Sapiro, "The LOCO-I lossless image compression algorithm" (2000) */
#ifndef WALKMESH_BAKE_AIR_CODE_H
#define WALKMESH_BAKE_AIR_CODE_H

#include "bake/fields.h"

/* Open space of a cell, from floor to ceiling, cell heights; WM_OPEN_CEILING: up to the sky. */
typedef struct WmAirGap {
  uint16_t floor, ceiling;
} WmAirGap;

/* Gaps behind the last one that may be read, too, so that four can be read at once. They are undefined. */
enum { WM_AIR_PADDING = 3 };

/* The air of a tile: a block of the context. The gaps of a cell ascend; a cell without gaps has no solid span: it is air all the way. */
typedef struct WmAir {
  int32_t width, depth; /* cells */
  uint32_t *cell_first; /* [width * depth + 1] */
  WmAirGap *gaps;       /* [gap_count + WM_AIR_PADDING] */
  uint32_t gap_count;
  size_t bytes;
} WmAir;

/* The limits of a tile's gaps. */
typedef struct WmAirBounds {
  int32_t width, depth; /* cells */
  int32_t least_height; /* of a gap, cell heights: that of the agent */
  int32_t top;          /* the highest floor, cell heights */
} WmAirBounds;

/* Allocates air, whose arrays are undefined; NULL without memory. */
WmAir *wm_air_create(WmContext *context, int32_t width, int32_t depth, size_t gap_count);

/* Writes air.
 * out        *bytes [*byte_count]: a block of the context; NULL on failure
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_air_write(WmContext *context, const WmAir *air, uint8_t **bytes, size_t *byte_count);

/* Reads air. Any bytes are safe.
 * out        *air: within the bounds; NULL on failure
 * returns    WM_OK, WM_ERROR_CORRUPT, WM_ERROR_LIMIT, WM_ERROR_OUT_OF_MEMORY
 * memory     at most 8 bytes for each gap that a column within the bounds may have, times its cells, however few the bytes are */
WmStatus wm_air_read(WmContext *context, const uint8_t *bytes, size_t byte_count, const WmAirBounds *bounds,
                     WmAir **air);

#endif
