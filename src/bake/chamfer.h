/* Chamfer distances over links: what erosion and the distance field have in common.
 *
 * Distances count 2 a step and 3 a diagonal, in two sweeps in raster order, from the spans that miss a link
 * or touch another area, which are at 0. That a span misses a link thus means it is at 0, which no sweep can
 * lower; a span above 0 has all four links. Two things follow:
 *
 *  - a corner (the neighbour's neighbour) may be looked up at a wrong place where it, or the way to it, is
 *    missing: the way leads through a span at 0, which gives 2 or less, and a corner gives 3 or more;
 *  - where spans lie so regularly that every link that exists leads a fixed number of spans on, no links need
 *    to be read: eight spans are swept at once, as in an image.
 *
 * So spans are taken in blocks of eight consecutive numbers, whatever cells and rows they are in. A block is
 * straight when its links, where they exist, all lead `stride` spans back and on (as many as there are
 * layers, 1 or 2), `north` spans back and `south` spans on. More than nine in ten blocks are, on stacked
 * levels, too. The others are swept span by span over their links.
 *
 * Sources: G. Borgefors, Distance transformations in digital images (1986); the use of it for navigation
 * meshes is Recast's (M. Mononen). */
#ifndef WALKMESH_BAKE_CHAMFER_H
#define WALKMESH_BAKE_CHAMFER_H

#include "bake/fields.h"
#include "base/simd.h"

enum {
  WM_CHAMFER_BLOCK = 8,
  WM_CHAMFER_PAD = 32, /* distances around the field that vectors may touch: never used, but there */
  WM_CHAMFER_MAX_STRIDE = 2
};

/* What a block allows, beside being straight: corners, too, lie where they should. */
enum { WM_CHAMFER_FORWARD = 1, WM_CHAMFER_BACKWARD = 2, WM_CHAMFER_AROUND = 4 };

/* Distances and how blocks lie; in scratch memory. */
typedef struct WmChamfer {
  uint32_t span_count;
  uint32_t block_count; /* full blocks */
  uint16_t *distance;   /* [span_count], padded by WM_CHAMFER_PAD on both sides */
  uint8_t *stride;      /* [block_count] 0: not straight */
  uint8_t *allowed;     /* [block_count] */
  uint32_t *north;      /* [block_count] 0: no span has such a link */
  uint32_t *south;      /* [block_count] */
} WmChamfer;

/* Where distances start from. */
typedef enum WmChamferBorder {
  WM_CHAMFER_BORDER_UNWALKABLE, /* spans that are unwalkable or touch one that is */
  WM_CHAMFER_BORDER_AREA        /* spans that touch another area than their own */
} WmChamferBorder;

/* Measures the distance of every span. Scratch memory is taken and left to the caller to rewind.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY
 * memory     about 5 bytes a span
 * cost       O(spans) */
WmStatus wm_chamfer_measure(WmContext *context, const WmCompactHeightfield *compact, WmChamferBorder border,
                            WmChamfer *chamfer);

/* The first half of it: finds blocks, and which spans are at 0; the others are at `far`. */
WmStatus wm_chamfer_start(WmContext *context, const WmCompactHeightfield *compact, WmChamferBorder border,
                          uint16_t far, WmChamfer *chamfer);

#endif
