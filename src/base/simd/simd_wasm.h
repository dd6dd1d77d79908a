/* The SIMD vocabulary in WebAssembly. Included by simd.h only, which documents the operations. */
#ifndef WALKMESH_BASE_SIMD_WASM_H
#define WALKMESH_BASE_SIMD_WASM_H

#include <wasm_simd128.h>

#define WM_SIMD 1

enum { WM_WHOLE_BIAS = 0x4b000000 }; /* the bits of 2^23 as a float */

WM_INLINE WmFloat4 wm_min_float4(WmFloat4 a, WmFloat4 b) {
  return (WmFloat4)wasm_f32x4_pmin((v128_t)b, (v128_t)a); /* pmin(x, y) is y < x ? y : x */
}

WM_INLINE WmFloat4 wm_max_float4(WmFloat4 a, WmFloat4 b) {
  return (WmFloat4)wasm_f32x4_pmax((v128_t)b, (v128_t)a); /* pmax(x, y) is x < y ? y : x */
}

WM_INLINE WmInt4 wm_min_int4(WmInt4 a, WmInt4 b) { return (WmInt4)wasm_i32x4_min((v128_t)a, (v128_t)b); }

WM_INLINE WmInt4 wm_max_int4(WmInt4 a, WmInt4 b) { return (WmInt4)wasm_i32x4_max((v128_t)a, (v128_t)b); }

WM_INLINE WmShort8 wm_min_short8(WmShort8 a, WmShort8 b) {
  return (WmShort8)wasm_i16x8_min((v128_t)a, (v128_t)b);
}

WM_INLINE WmShort8 wm_max_short8(WmShort8 a, WmShort8 b) {
  return (WmShort8)wasm_i16x8_max((v128_t)a, (v128_t)b);
}

WM_INLINE WmByte16 wm_min_byte16(WmByte16 a, WmByte16 b) {
  return (WmByte16)wasm_u8x16_min((v128_t)a, (v128_t)b);
}

WM_INLINE WmFloat4 wm_sqrt_float4(WmFloat4 v) { return (WmFloat4)wasm_f32x4_sqrt((v128_t)v); }

WM_INLINE WmDouble2 wm_sqrt_double2(WmDouble2 v) { return (WmDouble2)wasm_f64x2_sqrt((v128_t)v); }

WM_INLINE WmUshort8 wm_multiply_high_ushort8(WmUshort8 a, WmUshort8 b) {
  return (WmUshort8)wasm_i16x8_shuffle(wasm_u32x4_extmul_low_u16x8((v128_t)a, (v128_t)b),
                                       wasm_u32x4_extmul_high_u16x8((v128_t)a, (v128_t)b), 1, 3, 5, 7, 9, 11,
                                       13, 15);
}

WM_INLINE WmInt4 wm_truncate_float4(WmFloat4 v) { return (WmInt4)wasm_i32x4_trunc_sat_f32x4((v128_t)v); }

WM_INLINE WmDouble2 wm_widen_low_float4(WmFloat4 v) {
  return (WmDouble2)wasm_f64x2_promote_low_f32x4((v128_t)v);
}

WM_INLINE WmDouble2 wm_widen_high_float4(WmFloat4 v) {
  return (WmDouble2)wasm_f64x2_promote_low_f32x4(wasm_i32x4_shuffle((v128_t)v, (v128_t)v, 2, 3, 2, 3));
}

WM_INLINE WmFloat4 wm_int4_to_float4(WmInt4 v) { return (WmFloat4)wasm_f32x4_convert_i32x4((v128_t)v); }

WM_INLINE WmInt4 wm_truncate_small_float4(WmFloat4 v, WmFloat4 *whole) {
  *whole = (WmFloat4)wasm_f32x4_trunc((v128_t)v);
  return (WmInt4)(*whole + wm_splat_float4(12582912.0f)) - 0x4b400000; /* 1.5 * 2^23, and its bits */
}

WM_INLINE WmInt4 wm_floor_biased_float4(WmFloat4 v) {
  return (WmInt4)((WmFloat4)wasm_f32x4_floor((v128_t)v) + wm_splat_float4(8388608.0f));
}

WM_INLINE WmInt4 wm_ceil_biased_float4(WmFloat4 v) {
  return (WmInt4)((WmFloat4)wasm_f32x4_ceil((v128_t)v) + wm_splat_float4(8388608.0f));
}

WM_INLINE WmShort8 wm_narrow_int4(WmInt4 a, WmInt4 b) {
  return (WmShort8)wasm_i16x8_narrow_i32x4((v128_t)a, (v128_t)b);
}

WM_INLINE WmInt4 wm_widen_low_short8(WmShort8 v) { return (WmInt4)wasm_i32x4_extend_low_i16x8((v128_t)v); }

WM_INLINE WmInt4 wm_widen_high_short8(WmShort8 v) { return (WmInt4)wasm_i32x4_extend_high_i16x8((v128_t)v); }

WM_INLINE WmByte16 wm_narrow_mask_short8(WmShort8 a, WmShort8 b) {
  return (WmByte16)wasm_i8x16_narrow_i16x8((v128_t)a, (v128_t)b);
}

WM_INLINE WmShort8 wm_load_bytes_as_short8(const uint8_t *p) { return (WmShort8)wasm_u16x8_load8x8(p); }

WM_INLINE void wm_store_halves_short8(int16_t *low, int16_t *high, WmShort8 v) {
  wasm_v128_store64_lane(low, (v128_t)v, 0);
  wasm_v128_store64_lane(high, (v128_t)v, 1);
}

WM_INLINE void wm_store_shorts_as_bytes(uint8_t *p, WmShort8 v) {
  wasm_v128_store64_lane(p, wasm_u8x16_narrow_i16x8((v128_t)v, (v128_t)v), 0);
}

WM_INLINE int wm_mask_int4(WmInt4 v) { return (int)wasm_i32x4_bitmask((v128_t)v); }

WM_INLINE int wm_mask_long2(WmLong2 v) { return (int)wasm_i64x2_bitmask((v128_t)v); }

WM_INLINE int wm_mask_short8(WmShort8 v) { return (int)wasm_i16x8_bitmask((v128_t)v); }

WM_INLINE int wm_mask_byte16(WmByte16 v) { return (int)wasm_i8x16_bitmask((v128_t)v); }

/* Engines need two instructions less than for the bits of shorts. */
WM_INLINE bool wm_any_short8(WmShort8 mask) { return wasm_i8x16_bitmask((v128_t)mask) != 0; }

WM_INLINE bool wm_all_short8(WmShort8 mask) { return wasm_i8x16_bitmask((v128_t)mask) == 0xffff; }

WM_INLINE WmInt4 wm_opaque_mask_int4(WmInt4 mask) {
  __asm__("" : "+r"(mask));
  return mask;
}

WM_INLINE void wm_transpose_float4(WmFloat4 rows[4]) {
  const v128_t low_a = wasm_i32x4_shuffle((v128_t)rows[0], (v128_t)rows[1], 0, 4, 1, 5);
  const v128_t low_b = wasm_i32x4_shuffle((v128_t)rows[2], (v128_t)rows[3], 0, 4, 1, 5);
  const v128_t high_a = wasm_i32x4_shuffle((v128_t)rows[0], (v128_t)rows[1], 2, 6, 3, 7);
  const v128_t high_b = wasm_i32x4_shuffle((v128_t)rows[2], (v128_t)rows[3], 2, 6, 3, 7);
  rows[0] = (WmFloat4)wasm_i64x2_shuffle(low_a, low_b, 0, 2);
  rows[1] = (WmFloat4)wasm_i64x2_shuffle(low_a, low_b, 1, 3);
  rows[2] = (WmFloat4)wasm_i64x2_shuffle(high_a, high_b, 0, 2);
  rows[3] = (WmFloat4)wasm_i64x2_shuffle(high_a, high_b, 1, 3);
}

WM_INLINE void wm_transpose_uint4(WmUint4 rows[4]) {
  const v128_t a = (v128_t)rows[0], b = (v128_t)rows[1], c = (v128_t)rows[2], d = (v128_t)rows[3];
  const v128_t ab_low = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), ab_high = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);
  const v128_t cd_low = wasm_i32x4_shuffle(c, d, 0, 4, 1, 5), cd_high = wasm_i32x4_shuffle(c, d, 2, 6, 3, 7);
  rows[0] = (WmUint4)wasm_i64x2_shuffle(ab_low, cd_low, 0, 2);
  rows[1] = (WmUint4)wasm_i64x2_shuffle(ab_low, cd_low, 1, 3);
  rows[2] = (WmUint4)wasm_i64x2_shuffle(ab_high, cd_high, 0, 2);
  rows[3] = (WmUint4)wasm_i64x2_shuffle(ab_high, cd_high, 1, 3);
}

WM_INLINE WmShort8 wm_move_up_short8(WmShort8 v, int lanes, WmShort8 fill) {
  const v128_t a = (v128_t)fill, b = (v128_t)v;
  if (lanes == 1) return (WmShort8)wasm_i16x8_shuffle(a, b, 7, 8, 9, 10, 11, 12, 13, 14);
  if (lanes == 2) return (WmShort8)wasm_i16x8_shuffle(a, b, 6, 7, 8, 9, 10, 11, 12, 13);
  if (lanes == 3) return (WmShort8)wasm_i16x8_shuffle(a, b, 5, 6, 7, 8, 9, 10, 11, 12);
  if (lanes == 6) return (WmShort8)wasm_i16x8_shuffle(a, b, 2, 3, 4, 5, 6, 7, 8, 9);
  return (WmShort8)wasm_i16x8_shuffle(a, b, 4, 5, 6, 7, 8, 9, 10, 11);
}

WM_INLINE WmShort8 wm_reverse_short8(WmShort8 v) {
  return (WmShort8)wasm_i16x8_shuffle((v128_t)v, (v128_t)v, 7, 6, 5, 4, 3, 2, 1, 0);
}

WM_INLINE WmShort8 wm_repeat_last_short8(WmShort8 v, int period) {
  const v128_t a = (v128_t)v;
  if (period == 1) return (WmShort8)wasm_i16x8_shuffle(a, a, 7, 7, 7, 7, 7, 7, 7, 7);
  if (period == 2) return (WmShort8)wasm_i32x4_shuffle(a, a, 3, 3, 3, 3);
  if (period == 3) return (WmShort8)wasm_i16x8_shuffle(a, a, 5, 6, 7, 5, 6, 7, 5, 6);
  return (WmShort8)wasm_i64x2_shuffle(a, a, 1, 1);
}

WM_INLINE WmInt4 wm_swap_pairs_int4(WmInt4 v) {
  return (WmInt4)wasm_i32x4_shuffle((v128_t)v, (v128_t)v, 1, 0, 3, 2);
}

WM_INLINE WmInt4 wm_swap_halves_int4(WmInt4 v) {
  return (WmInt4)wasm_i32x4_shuffle((v128_t)v, (v128_t)v, 2, 3, 0, 1);
}

#endif
