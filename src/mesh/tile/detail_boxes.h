/* Boxes of detail triangles on x and z, a word each: which triangles can lie above or below a point.
 *
 * Coordinates are in 127ths of the polygon's extent, clamped to 0..127. A box is four bytes: low x, low z,
 * 127 - high x, 127 - high z. A point is x, z, 127 - x, 127 - z. The box can contain the point if none of its
 * bytes exceeds the point's. One subtraction compares all four: the point's bytes have their highest bits
 * set, so that no byte borrows from the next. Conversion is monotonic, so that a box contains all points of
 * its triangle; it is wider by one on each side, for points that rounding lets in. A box of 0 contains every
 * point. */
#ifndef WALKMESH_MESH_DETAIL_BOXES_H
#define WALKMESH_MESH_DETAIL_BOXES_H

#include "base/simd.h"
#include "mesh/mesh_internal.h"

/* The least x and z of a polygon, and its 127ths per world unit on x and z. */
typedef struct WmDetailFrame {
  float least[2], scale[2];
} WmDetailFrame;

/* Computes the frame of a polygon.
 * in         corners [size]: its vertices */
WM_INLINE WmDetailFrame wm_detail_frame(const float *const *corners, uint32_t size) {
  WmDetailFrame frame;
  for (int i = 0; i < 2; i++) {
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): polygons have corners */
    float low = corners[0][2 * i], high = low;
    for (uint32_t k = 1; k < size; k++) {
      const float value = corners[k][2 * i];
      low = value < low ? value : low;
      high = value > high ? value : high;
    }
    frame.least[i] = low;
    frame.scale[i] = high > low ? 127.0f / (high - low) : 0;
  }
  return frame;
}

/* Converts a coordinate on x (i = 0) or z (1) and adds `more`: -1, 0 or 1. */
WM_INLINE uint32_t wm_detail_count(const WmDetailFrame *frame, int i, float value, int more) {
  const float count = (value - frame->least[i]) * frame->scale[i] + (float)more;
  return count >= 127.0f ? 127 : count > 0.0f ? (uint32_t)count : 0;
}

WM_INLINE uint32_t wm_detail_point(const WmDetailFrame *frame, const float point[3]) {
  const uint32_t x = wm_detail_count(frame, 0, point[0], 0), z = wm_detail_count(frame, 1, point[2], 0);
  return 0x80808080u | x | z << 8 | (127 - x) << 16 | (127 - z) << 24;
}

/* Returns a bit for each of four boxes that can contain the point. */
WM_INLINE uint32_t wm_detail_boxes_have(const uint32_t boxes[4], uint32_t point) {
  const WmUint4 high = {0x80808080u, 0x80808080u, 0x80808080u, 0x80808080u};
  const WmUint4 above = (WmUint4){point, point, point, point} - wm_load_uint4(boxes);
  return (uint32_t)wm_mask_int4((WmInt4)((above & high) == high));
}

/* Computes the boxes of a tile's triangles and the frames of its polygons.
 * in         boxes, frames: zeros */
void wm_tile_fill_boxes(WmTileRecord *record);

#endif
