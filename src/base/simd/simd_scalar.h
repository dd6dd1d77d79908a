/* The SIMD vocabulary lane by lane. Included by simd.h only, which documents the operations. */
#ifndef WALKMESH_BASE_SIMD_SCALAR_H
#define WALKMESH_BASE_SIMD_SCALAR_H

#define WM_SIMD 0

enum { WM_WHOLE_BIAS = 0 };

WM_INLINE WmFloat4 wm_min_float4(WmFloat4 a, WmFloat4 b) { return wm_select_float4(a < b, a, b); }

WM_INLINE WmFloat4 wm_max_float4(WmFloat4 a, WmFloat4 b) { return wm_select_float4(a > b, a, b); }

WM_INLINE WmInt4 wm_min_int4(WmInt4 a, WmInt4 b) { return wm_select_int4((WmInt4)(a < b), a, b); }

WM_INLINE WmInt4 wm_max_int4(WmInt4 a, WmInt4 b) { return wm_select_int4((WmInt4)(a > b), a, b); }

WM_INLINE WmShort8 wm_min_short8(WmShort8 a, WmShort8 b) {
  const WmShort8 mask = (WmShort8)(a < b);
  return (mask & a) | (~mask & b);
}

WM_INLINE WmShort8 wm_max_short8(WmShort8 a, WmShort8 b) {
  const WmShort8 mask = (WmShort8)(a > b);
  return (mask & a) | (~mask & b);
}

WM_INLINE WmByte16 wm_min_byte16(WmByte16 a, WmByte16 b) { return wm_select_byte16((WmByte16)(a < b), a, b); }

WM_INLINE WmFloat4 wm_sqrt_float4(WmFloat4 v) {
  return (WmFloat4){__builtin_sqrtf(v[0]), __builtin_sqrtf(v[1]), __builtin_sqrtf(v[2]),
                    __builtin_sqrtf(v[3])};
}

WM_INLINE WmDouble2 wm_sqrt_double2(WmDouble2 v) {
  return (WmDouble2){__builtin_sqrt(v[0]), __builtin_sqrt(v[1])};
}

WM_INLINE WmUshort8 wm_multiply_high_ushort8(WmUshort8 a, WmUshort8 b) {
  WmUshort8 product;
  for (int i = 0; i < 8; i++) product[i] = (uint16_t)((uint32_t)a[i] * b[i] >> 16);
  return product;
}

WM_INLINE WmInt4 wm_truncate_float4(WmFloat4 v) {
  return (WmInt4){(int32_t)v[0], (int32_t)v[1], (int32_t)v[2], (int32_t)v[3]};
}

WM_INLINE WmDouble2 wm_widen_low_float4(WmFloat4 v) { return (WmDouble2){(double)v[0], (double)v[1]}; }

WM_INLINE WmDouble2 wm_widen_high_float4(WmFloat4 v) { return (WmDouble2){(double)v[2], (double)v[3]}; }

WM_INLINE WmFloat4 wm_int4_to_float4(WmInt4 v) {
  return (WmFloat4){(float)v[0], (float)v[1], (float)v[2], (float)v[3]};
}

#define WM_ROUNDS_BY_TRUNCATION 1 /* see base/simd.h */

WM_INLINE WmShort8 wm_narrow_int4(WmInt4 a, WmInt4 b) {
  return (WmShort8){(int16_t)a[0], (int16_t)a[1], (int16_t)a[2], (int16_t)a[3],
                    (int16_t)b[0], (int16_t)b[1], (int16_t)b[2], (int16_t)b[3]};
}

WM_INLINE WmInt4 wm_widen_low_short8(WmShort8 v) { return (WmInt4){v[0], v[1], v[2], v[3]}; }

WM_INLINE WmInt4 wm_widen_high_short8(WmShort8 v) { return (WmInt4){v[4], v[5], v[6], v[7]}; }

WM_INLINE WmByte16 wm_narrow_mask_short8(WmShort8 a, WmShort8 b) {
  WmByte16 bytes = {0};
  for (int i = 0; i < 8; i++) {
    bytes[i] = (uint8_t)a[i];
    bytes[8 + i] = (uint8_t)b[i];
  }
  return bytes;
}

WM_INLINE WmShort8 wm_load_bytes_as_short8(const uint8_t *p) {
  return (WmShort8){p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]};
}

WM_INLINE void wm_store_halves_short8(int16_t *low, int16_t *high, WmShort8 v) {
  memcpy(low, &v, 8);
  memcpy(high, (const char *)&v + 8, 8);
}

WM_INLINE void wm_store_shorts_as_bytes(uint8_t *p, WmShort8 v) {
  for (int i = 0; i < 8; i++) p[i] = (uint8_t)v[i];
}

WM_INLINE int wm_mask_int4(WmInt4 v) {
  return (v[0] < 0) | (v[1] < 0) << 1 | (v[2] < 0) << 2 | (v[3] < 0) << 3;
}

WM_INLINE int wm_mask_long2(WmLong2 v) { return (v[0] < 0) | (v[1] < 0) << 1; }

WM_INLINE int wm_mask_short8(WmShort8 v) {
  int mask = 0;
  for (int i = 0; i < 8; i++) mask |= (v[i] < 0) << i;
  return mask;
}

WM_INLINE int wm_mask_byte16(WmByte16 v) {
  int mask = 0;
  for (int i = 0; i < 16; i++) mask |= (v[i] >> 7) << i;
  return mask;
}

WM_INLINE bool wm_any_short8(WmShort8 mask) { return wm_mask_short8(mask) != 0; }

WM_INLINE bool wm_all_short8(WmShort8 mask) { return wm_mask_short8(mask) == 255; }

WM_INLINE WmInt4 wm_opaque_mask_int4(WmInt4 mask) { return mask; }

WM_INLINE void wm_transpose_float4(WmFloat4 rows[4]) {
  for (int i = 0; i < 4; i++) {
    for (int j = i + 1; j < 4; j++) {
      const float kept = rows[i][j];
      rows[i][j] = rows[j][i];
      rows[j][i] = kept;
    }
  }
}

WM_INLINE void wm_transpose_uint4(WmUint4 rows[4]) {
  WmUint4 columns[4];
  for (int i = 0; i < 4; i++) columns[i] = (WmUint4){rows[0][i], rows[1][i], rows[2][i], rows[3][i]};
  for (int i = 0; i < 4; i++) rows[i] = columns[i];
}

WM_INLINE WmShort8 wm_move_up_short8(WmShort8 v, int lanes, WmShort8 fill) {
  for (int i = 7; i >= 0; i--) fill[i] = i >= lanes ? v[i - lanes] : fill[i];
  return fill;
}

WM_INLINE WmShort8 wm_reverse_short8(WmShort8 v) {
  return (WmShort8){v[7], v[6], v[5], v[4], v[3], v[2], v[1], v[0]};
}

WM_INLINE WmShort8 wm_repeat_last_short8(WmShort8 v, int period) {
  WmShort8 repeated;
  for (int i = 0; i < 8; i++) repeated[i] = v[8 - period + i % period];
  return repeated;
}

WM_INLINE WmInt4 wm_swap_pairs_int4(WmInt4 v) { return (WmInt4){v[1], v[0], v[3], v[2]}; }

WM_INLINE WmInt4 wm_swap_halves_int4(WmInt4 v) { return (WmInt4){v[2], v[3], v[0], v[1]}; }

#endif
