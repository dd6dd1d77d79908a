/* Chamfer distances over links: what erosion and the distance field have in common.
 *
 * Distances count 2 a step and 3 a diagonal, in two sweeps in raster order, from the spans that miss a link
 * or touch another area, which are at 0. That a span misses a link thus means it is at 0, which no sweep can
 * lower; a span above 0 has all four links: an "inner" span. Two things follow:
 *
 *  - a corner (the neighbour's neighbour) may be looked up at a wrong place where the way to it leads through
 *    a span that is not inner, whether it exists or not: that span is at 0, which gives 2, and a corner gives
 *    3 or more;
 *  - where inner spans lie so regularly that their links lead a fixed number of spans on, no links need to be
 *    read: eight spans are swept at once, as in an image.
 *
 * So spans are taken in blocks of eight consecutive numbers, whatever cells and rows they are in. A block is
 * straight when the links of its inner spans all lead `stride` spans back and on (as many as there are
 * layers, 1 or 2), `north` spans back and `south` spans on; a sweep needs only one of the latter two. Nearly
 * all blocks are, on stacked levels, too. The others are swept span by span over their links.
 *
 * How blocks lie depends on the links only: it is found once, as they are made, while they are in the cache.
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

/* What a block allows: corners, too, must lie where they should. */
enum { WM_CHAMFER_FORWARD = 1, WM_CHAMFER_BACKWARD = 2, WM_CHAMFER_AROUND = 4 };

#define WM_CHAMFER_ASTRAY UINT32_MAX

struct WmChamferBlock {
  uint32_t north, south; /* any where no span is inner; WM_CHAMFER_ASTRAY: not straight this way */
  uint8_t inner;         /* bit i: span i has all four links */
  uint8_t stride;        /* 0: not straight to the west and east */
  uint8_t allowed;
};

/* Blocks of a field: all full ones, and one that stands for the rest, which is not straight. None where
 * lanes are not real: there a block costs more than its spans swept one by one. */
static inline size_t wm_chamfer_block_count(size_t span_count) {
  return WM_SIMD ? span_count / WM_CHAMFER_BLOCK + 1 : 0;
}

/* Blocks are found in order as links get known, and settled (what they allow) when those of two rows on are
 * found. */
typedef struct WmChamferFinder {
  const uint32_t *links;
  WmChamferBlock *blocks;
  uint32_t found, settled; /* spans so far */
} WmChamferFinder;

WmChamferFinder wm_chamfer_start_blocks(const uint32_t *links, uint32_t span_count, WmChamferBlock *blocks);

/* Up to the last block whose spans are all below `span_end`: their links must be there. */
void wm_chamfer_find_blocks(WmChamferFinder *finder, uint32_t span_end);

/* The same, for blocks found before. Those in whose next row blocks are missing are taken for irregular. */
void wm_chamfer_settle_blocks(WmChamferFinder *finder, uint32_t span_end);

/* Distances, and how blocks lie; NULL where spans are to be taken one by one. */
typedef struct WmChamfer {
  uint16_t *distance; /* [span_count], padded by WM_CHAMFER_PAD on both sides; scratch memory */
  const WmChamferBlock *blocks;
} WmChamfer;

/* Measures the distance of every span to the nearest that misses a link or touches another area, where areas
 * above `highest_area` count as that one. Scratch memory is left to the caller to rewind.
 * returns    WM_OK, WM_ERROR_OUT_OF_MEMORY
 * memory     2 bytes a span
 * cost       O(spans) */
WmStatus wm_chamfer_measure(WmContext *context, const WmCompactHeightfield *compact, uint8_t highest_area,
                            WmChamfer *chamfer);

#endif
