/* The SIMD vocabulary in SSE2. Included by simd.h only, which documents the operations. */
#ifndef WALKMESH_BASE_SIMD_SSE2_H
#define WALKMESH_BASE_SIMD_SSE2_H

#include <emmintrin.h>

#define WM_SIMD 1

enum { WM_WHOLE_BIAS = 0 };

WM_INLINE WmFloat4 wm_min_float4(WmFloat4 a, WmFloat4 b) {
  return (WmFloat4)_mm_min_ps((__m128)a, (__m128)b);
}

WM_INLINE WmFloat4 wm_max_float4(WmFloat4 a, WmFloat4 b) {
  return (WmFloat4)_mm_max_ps((__m128)a, (__m128)b);
}

WM_INLINE WmInt4 wm_min_int4(WmInt4 a, WmInt4 b) { return wm_select_int4((WmInt4)(a < b), a, b); }

WM_INLINE WmInt4 wm_max_int4(WmInt4 a, WmInt4 b) { return wm_select_int4((WmInt4)(a > b), a, b); }

WM_INLINE WmShort8 wm_min_short8(WmShort8 a, WmShort8 b) {
  return (WmShort8)_mm_min_epi16((__m128i)a, (__m128i)b);
}

WM_INLINE WmShort8 wm_max_short8(WmShort8 a, WmShort8 b) {
  return (WmShort8)_mm_max_epi16((__m128i)a, (__m128i)b);
}

WM_INLINE WmByte16 wm_min_byte16(WmByte16 a, WmByte16 b) {
  return (WmByte16)_mm_min_epu8((__m128i)a, (__m128i)b);
}

WM_INLINE WmFloat4 wm_sqrt_float4(WmFloat4 v) { return (WmFloat4)_mm_sqrt_ps((__m128)v); }

WM_INLINE WmDouble2 wm_sqrt_double2(WmDouble2 v) { return (WmDouble2)_mm_sqrt_pd((__m128d)v); }

WM_INLINE WmUshort8 wm_multiply_high_ushort8(WmUshort8 a, WmUshort8 b) {
  return (WmUshort8)_mm_mulhi_epu16((__m128i)a, (__m128i)b);
}

WM_INLINE WmInt4 wm_truncate_float4(WmFloat4 v) { return (WmInt4)_mm_cvttps_epi32((__m128)v); }

WM_INLINE WmDouble2 wm_widen_low_float4(WmFloat4 v) { return (WmDouble2)_mm_cvtps_pd((__m128)v); }

WM_INLINE WmDouble2 wm_widen_high_float4(WmFloat4 v) {
  return (WmDouble2)_mm_cvtps_pd(_mm_movehl_ps((__m128)v, (__m128)v));
}

WM_INLINE WmFloat4 wm_int4_to_float4(WmInt4 v) { return (WmFloat4)_mm_cvtepi32_ps((__m128i)v); }

#define WM_ROUNDS_BY_TRUNCATION 1 /* see base/simd.h */

WM_INLINE WmShort8 wm_narrow_int4(WmInt4 a, WmInt4 b) {
  return (WmShort8)_mm_packs_epi32((__m128i)a, (__m128i)b);
}

WM_INLINE WmInt4 wm_widen_low_short8(WmShort8 v) {
  return (WmInt4)_mm_unpacklo_epi16((__m128i)v, (__m128i)v) >> 16;
}

WM_INLINE WmInt4 wm_widen_high_short8(WmShort8 v) {
  return (WmInt4)_mm_unpackhi_epi16((__m128i)v, (__m128i)v) >> 16;
}

WM_INLINE WmByte16 wm_narrow_mask_short8(WmShort8 a, WmShort8 b) {
  return (WmByte16)_mm_packs_epi16((__m128i)a, (__m128i)b);
}

WM_INLINE WmShort8 wm_load_bytes_as_short8(const uint8_t *p) {
  return (WmShort8)_mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(const void *)p), _mm_setzero_si128());
}

WM_INLINE void wm_store_halves_short8(int16_t *low, int16_t *high, WmShort8 v) {
  _mm_storel_pd((double *)(void *)low, (__m128d)v);
  _mm_storeh_pd((double *)(void *)high, (__m128d)v);
}

WM_INLINE void wm_store_shorts_as_bytes(uint8_t *p, WmShort8 v) {
  _mm_storel_epi64((__m128i *)(void *)p, _mm_packus_epi16((__m128i)v, (__m128i)v));
}

WM_INLINE int wm_mask_int4(WmInt4 v) { return _mm_movemask_ps((__m128)v); }

WM_INLINE int wm_mask_long2(WmLong2 v) { return _mm_movemask_pd((__m128d)v); }

WM_INLINE int wm_mask_short8(WmShort8 v) {
  return _mm_movemask_epi8(_mm_packs_epi16((__m128i)v, _mm_setzero_si128()));
}

WM_INLINE int wm_mask_byte16(WmByte16 v) { return _mm_movemask_epi8((__m128i)v); }

WM_INLINE bool wm_any_short8(WmShort8 mask) { return _mm_movemask_epi8((__m128i)mask) != 0; }

WM_INLINE bool wm_all_short8(WmShort8 mask) { return _mm_movemask_epi8((__m128i)mask) == 0xffff; }

WM_INLINE WmInt4 wm_opaque_mask_int4(WmInt4 mask) { return mask; }

WM_INLINE void wm_transpose_float4(WmFloat4 rows[4]) {
  const __m128 low_a = _mm_unpacklo_ps((__m128)rows[0], (__m128)rows[1]);
  const __m128 low_b = _mm_unpacklo_ps((__m128)rows[2], (__m128)rows[3]);
  const __m128 high_a = _mm_unpackhi_ps((__m128)rows[0], (__m128)rows[1]);
  const __m128 high_b = _mm_unpackhi_ps((__m128)rows[2], (__m128)rows[3]);
  rows[0] = (WmFloat4)_mm_movelh_ps(low_a, low_b);
  rows[1] = (WmFloat4)_mm_movehl_ps(low_b, low_a);
  rows[2] = (WmFloat4)_mm_movelh_ps(high_a, high_b);
  rows[3] = (WmFloat4)_mm_movehl_ps(high_b, high_a);
}

WM_INLINE void wm_transpose_uint4(WmUint4 rows[4]) {
  const __m128i a = (__m128i)rows[0], b = (__m128i)rows[1], c = (__m128i)rows[2], d = (__m128i)rows[3];
  const __m128i ab_low = _mm_unpacklo_epi32(a, b), ab_high = _mm_unpackhi_epi32(a, b);
  const __m128i cd_low = _mm_unpacklo_epi32(c, d), cd_high = _mm_unpackhi_epi32(c, d);
  rows[0] = (WmUint4)_mm_unpacklo_epi64(ab_low, cd_low);
  rows[1] = (WmUint4)_mm_unpackhi_epi64(ab_low, cd_low);
  rows[2] = (WmUint4)_mm_unpacklo_epi64(ab_high, cd_high);
  rows[3] = (WmUint4)_mm_unpackhi_epi64(ab_high, cd_high);
}

WM_INLINE WmShort8 wm_move_up_short8(WmShort8 v, int lanes, WmShort8 fill) {
  const __m128i a = (__m128i)fill, b = (__m128i)v;
  if (lanes == 1) return (WmShort8)_mm_or_si128(_mm_slli_si128(b, 2), _mm_srli_si128(a, 14));
  if (lanes == 2) return (WmShort8)_mm_or_si128(_mm_slli_si128(b, 4), _mm_srli_si128(a, 12));
  if (lanes == 3) return (WmShort8)_mm_or_si128(_mm_slli_si128(b, 6), _mm_srli_si128(a, 10));
  if (lanes == 6) return (WmShort8)_mm_or_si128(_mm_slli_si128(b, 12), _mm_srli_si128(a, 4));
  return (WmShort8)_mm_unpacklo_epi64(a, b);
}

WM_INLINE WmShort8 wm_reverse_short8(WmShort8 v) {
  const __m128i halves = _mm_shufflehi_epi16(_mm_shufflelo_epi16((__m128i)v, 0x1b), 0x1b);
  return (WmShort8)_mm_shuffle_epi32(halves, 0x4e);
}

WM_INLINE WmShort8 wm_repeat_last_short8(WmShort8 v, int period) {
  const __m128i a = (__m128i)v;
  if (period == 1) return (WmShort8)_mm_shuffle_epi32(_mm_shufflehi_epi16(a, 0xff), 0xff);
  if (period == 2) return (WmShort8)_mm_shuffle_epi32(a, 0xff);
  const __m128i four = _mm_unpackhi_epi64(a, a);
  if (period == 4) return (WmShort8)four;
  return (WmShort8)_mm_shufflehi_epi16(_mm_shufflelo_epi16(four, _MM_SHUFFLE(1, 3, 2, 1)),
                                       _MM_SHUFFLE(2, 1, 3, 2));
}

WM_INLINE WmInt4 wm_swap_pairs_int4(WmInt4 v) {
  return (WmInt4)_mm_shuffle_epi32((__m128i)v, _MM_SHUFFLE(2, 3, 0, 1));
}

WM_INLINE WmInt4 wm_swap_halves_int4(WmInt4 v) {
  return (WmInt4)_mm_shuffle_epi32((__m128i)v, _MM_SHUFFLE(1, 0, 3, 2));
}

#endif
