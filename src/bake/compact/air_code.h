/* Air of a tile as bytes, written by air_writer.h: the gaps between solid spans, walkable or not, of the cells inside the tile's border.
 *
 * Made for speed, since links need the air of every tile once: a row that equals the one before takes a bit. In other rows the number
 * of cells that equal their prediction (as many gaps as the cell before them has, floors and ceilings on a plane) is followed by the
 * difference of the next cell. All numbers are Elias' gamma codes: flat ground needs almost no bits, hills about four a cell.
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

/* Reads air. Any bytes are safe.
 * out        cell_first [width * depth + 1]; *gaps [cell_first[width * depth]], in scratch memory of the caller's mark
 * returns    WM_OK, WM_ERROR_CORRUPT, WM_ERROR_OUT_OF_MEMORY */
WmStatus wm_air_read(WmContext *context, const uint8_t *bytes, size_t byte_count, int32_t width,
                     int32_t depth, uint32_t *cell_first, WmAirGap **gaps);

#endif
