/* The SIMD vocabulary in NEON, of AArch64. Included by simd.h only, which documents the operations. */
#ifndef WALKMESH_BASE_SIMD_NEON_H
#define WALKMESH_BASE_SIMD_NEON_H

#include <arm_neon.h>

#define WM_SIMD 1

enum { WM_WHOLE_BIAS = 0 };

/* Not vminq_f32 and vmaxq_f32: they return NaN where either is NaN, and order -0 before +0. */
WM_INLINE WmFloat4 wm_min_float4(WmFloat4 a, WmFloat4 b) { return wm_select_float4((WmInt4)(a < b), a, b); }

WM_INLINE WmFloat4 wm_max_float4(WmFloat4 a, WmFloat4 b) { return wm_select_float4((WmInt4)(a > b), a, b); }

WM_INLINE WmInt4 wm_min_int4(WmInt4 a, WmInt4 b) { return (WmInt4)vminq_s32((int32x4_t)a, (int32x4_t)b); }

WM_INLINE WmInt4 wm_max_int4(WmInt4 a, WmInt4 b) { return (WmInt4)vmaxq_s32((int32x4_t)a, (int32x4_t)b); }

WM_INLINE WmShort8 wm_min_short8(WmShort8 a, WmShort8 b) {
  return (WmShort8)vminq_s16((int16x8_t)a, (int16x8_t)b);
}

WM_INLINE WmShort8 wm_max_short8(WmShort8 a, WmShort8 b) {
  return (WmShort8)vmaxq_s16((int16x8_t)a, (int16x8_t)b);
}

WM_INLINE WmByte16 wm_min_byte16(WmByte16 a, WmByte16 b) {
  return (WmByte16)vminq_u8((uint8x16_t)a, (uint8x16_t)b);
}

WM_INLINE WmFloat4 wm_sqrt_float4(WmFloat4 v) { return (WmFloat4)vsqrtq_f32((float32x4_t)v); }

WM_INLINE WmDouble2 wm_sqrt_double2(WmDouble2 v) { return (WmDouble2)vsqrtq_f64((float64x2_t)v); }

WM_INLINE WmUshort8 wm_multiply_high_ushort8(WmUshort8 a, WmUshort8 b) {
  const uint16x8_t x = (uint16x8_t)a, y = (uint16x8_t)b;
  const uint32x4_t low = vmull_u16(vget_low_u16(x), vget_low_u16(y)), high = vmull_high_u16(x, y);
  return (WmUshort8)vuzp2q_u16((uint16x8_t)low, (uint16x8_t)high);
}

WM_INLINE WmInt4 wm_truncate_float4(WmFloat4 v) { return (WmInt4)vcvtq_s32_f32((float32x4_t)v); }

WM_INLINE WmDouble2 wm_widen_low_float4(WmFloat4 v) {
  return (WmDouble2)vcvt_f64_f32(vget_low_f32((float32x4_t)v));
}

WM_INLINE WmDouble2 wm_widen_high_float4(WmFloat4 v) { return (WmDouble2)vcvt_high_f64_f32((float32x4_t)v); }

WM_INLINE WmFloat4 wm_int4_to_float4(WmInt4 v) { return (WmFloat4)vcvtq_f32_s32((int32x4_t)v); }

WM_INLINE WmInt4 wm_truncate_small_float4(WmFloat4 v, WmFloat4 *whole) {
  *whole = (WmFloat4)vrndq_f32((float32x4_t)v);
  return wm_truncate_float4(v);
}

WM_INLINE WmInt4 wm_floor_biased_float4(WmFloat4 v) { return (WmInt4)vcvtmq_s32_f32((float32x4_t)v); }

WM_INLINE WmInt4 wm_ceil_biased_float4(WmFloat4 v) { return (WmInt4)vcvtpq_s32_f32((float32x4_t)v); }

WM_INLINE WmShort8 wm_narrow_int4(WmInt4 a, WmInt4 b) {
  return (WmShort8)vqmovn_high_s32(vqmovn_s32((int32x4_t)a), (int32x4_t)b);
}

WM_INLINE WmInt4 wm_widen_low_short8(WmShort8 v) { return (WmInt4)vmovl_s16(vget_low_s16((int16x8_t)v)); }

WM_INLINE WmInt4 wm_widen_high_short8(WmShort8 v) { return (WmInt4)vmovl_high_s16((int16x8_t)v); }

WM_INLINE WmByte16 wm_narrow_mask_short8(WmShort8 a, WmShort8 b) {
  return (WmByte16)vqmovn_high_s16(vqmovn_s16((int16x8_t)a), (int16x8_t)b);
}

WM_INLINE WmShort8 wm_load_bytes_as_short8(const uint8_t *p) { return (WmShort8)vmovl_u8(vld1_u8(p)); }

WM_INLINE void wm_store_halves_short8(int16_t *low, int16_t *high, WmShort8 v) {
  vst1_s16(low, vget_low_s16((int16x8_t)v));
  vst1_s16(high, vget_high_s16((int16x8_t)v));
}

WM_INLINE void wm_store_shorts_as_bytes(uint8_t *p, WmShort8 v) { vst1_u8(p, vqmovun_s16((int16x8_t)v)); }

/* NEON has no instruction that collects signs: each lane's sign moves to its own bit, and the sum of the
 * lanes is the mask. */
WM_INLINE int wm_mask_int4(WmInt4 v) {
  const uint32x4_t sign = vshrq_n_u32((uint32x4_t)v, 31);
  return (int)vaddvq_u32(vshlq_u32(sign, (int32x4_t){0, 1, 2, 3}));
}

WM_INLINE int wm_mask_long2(WmLong2 v) { return (v[0] < 0) | (v[1] < 0) << 1; }

WM_INLINE int wm_mask_short8(WmShort8 v) {
  const uint16x8_t sign = vshrq_n_u16((uint16x8_t)v, 15);
  return vaddvq_u16(vshlq_u16(sign, (int16x8_t){0, 1, 2, 3, 4, 5, 6, 7}));
}

WM_INLINE int wm_mask_byte16(WmByte16 v) {
  const int8x16_t bit = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
  const uint8x16_t signs = vshlq_u8(vshrq_n_u8((uint8x16_t)v, 7), bit);
  return vaddv_u8(vget_low_u8(signs)) | vaddv_u8(vget_high_u8(signs)) << 8;
}

WM_INLINE bool wm_any_short8(WmShort8 mask) { return vmaxvq_u16((uint16x8_t)mask) != 0; }

WM_INLINE bool wm_all_short8(WmShort8 mask) { return vminvq_u16((uint16x8_t)mask) != 0; }

WM_INLINE WmInt4 wm_opaque_mask_int4(WmInt4 mask) { return mask; }

WM_INLINE void wm_transpose_float4(WmFloat4 rows[4]) {
  WmUint4 bits[4];
  for (int i = 0; i < 4; i++) bits[i] = (WmUint4)rows[i];
  wm_transpose_uint4(bits);
  for (int i = 0; i < 4; i++) rows[i] = (WmFloat4)bits[i];
}

WM_INLINE void wm_transpose_uint4(WmUint4 rows[4]) {
  const uint32x4_t a = (uint32x4_t)rows[0], b = (uint32x4_t)rows[1];
  const uint32x4_t c = (uint32x4_t)rows[2], d = (uint32x4_t)rows[3];
  const uint64x2_t ab_low = (uint64x2_t)vzip1q_u32(a, b), ab_high = (uint64x2_t)vzip2q_u32(a, b);
  const uint64x2_t cd_low = (uint64x2_t)vzip1q_u32(c, d), cd_high = (uint64x2_t)vzip2q_u32(c, d);
  rows[0] = (WmUint4)vzip1q_u64(ab_low, cd_low);
  rows[1] = (WmUint4)vzip2q_u64(ab_low, cd_low);
  rows[2] = (WmUint4)vzip1q_u64(ab_high, cd_high);
  rows[3] = (WmUint4)vzip2q_u64(ab_high, cd_high);
}

WM_INLINE WmShort8 wm_move_up_short8(WmShort8 v, int lanes, WmShort8 fill) {
  const int16x8_t a = (int16x8_t)fill, b = (int16x8_t)v;
  if (lanes == 1) return (WmShort8)vextq_s16(a, b, 7);
  if (lanes == 2) return (WmShort8)vextq_s16(a, b, 6);
  if (lanes == 3) return (WmShort8)vextq_s16(a, b, 5);
  if (lanes == 6) return (WmShort8)vextq_s16(a, b, 2);
  return (WmShort8)vextq_s16(a, b, 4);
}

WM_INLINE WmShort8 wm_reverse_short8(WmShort8 v) {
  const int16x8_t halves = vrev64q_s16((int16x8_t)v);
  return (WmShort8)vextq_s16(halves, halves, 4);
}

WM_INLINE WmShort8 wm_repeat_last_short8(WmShort8 v, int period) {
  if (period == 1) return (WmShort8)vdupq_laneq_s16((int16x8_t)v, 7);
  if (period == 2) return (WmShort8)vdupq_laneq_s32((int32x4_t)v, 3);
  if (period == 3) {
    const uint8x16_t bytes = {10, 11, 12, 13, 14, 15, 10, 11, 12, 13, 14, 15, 10, 11, 12, 13};
    return (WmShort8)vqtbl1q_u8((uint8x16_t)v, bytes);
  }
  return (WmShort8)vdupq_laneq_s64((int64x2_t)v, 1);
}

WM_INLINE WmInt4 wm_swap_pairs_int4(WmInt4 v) { return (WmInt4)vrev64q_s32((int32x4_t)v); }

WM_INLINE WmInt4 wm_swap_halves_int4(WmInt4 v) { return (WmInt4)vextq_s32((int32x4_t)v, (int32x4_t)v, 2); }

#endif
