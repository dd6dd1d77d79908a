/* The SIMD vocabulary: sixteen bytes as 4 floats, 4 integers, 8 shorts or 16 bytes.
 *
 * The types are vector extensions of gcc and clang, so that + - * / & | ^ ~ << >> and comparisons (which
 * give lanes of 0 or -1) are written as operators and mean the same lane by lane on SSE2, WebAssembly SIMD
 * and, lowered by the compiler to scalar code, anywhere else. What operators cannot say is a function
 * below. Every operation is exact and elementwise: the same bits on every target. WM_SIMD is 1 where the
 * lanes are real; a kernel with a better scalar form may test it. */
#ifndef WALKMESH_BASE_SIMD_H
#define WALKMESH_BASE_SIMD_H

#include "base/inline.h"

#include <stdint.h>
#include <string.h>

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#define WM_SIMD 1
#elif defined(__SSE2__) && !defined(WM_FORCE_SCALAR)
#include <emmintrin.h>
#define WM_SIMD 1
#else
#define WM_SIMD 0
#endif

typedef float WmFloat4 __attribute__((vector_size(16)));
typedef int32_t WmInt4 __attribute__((vector_size(16)));
typedef uint32_t WmUint4 __attribute__((vector_size(16)));
typedef int16_t WmShort8 __attribute__((vector_size(16)));
typedef uint16_t WmUshort8 __attribute__((vector_size(16)));
typedef uint8_t WmByte16 __attribute__((vector_size(16)));

/* Unaligned loads and stores; memcpy becomes one instruction. */
WM_INLINE WmFloat4 wm_load_float4(const float *p) { WmFloat4 v; memcpy(&v, p, 16); return v; }
WM_INLINE WmInt4 wm_load_int4(const int32_t *p) { WmInt4 v; memcpy(&v, p, 16); return v; }
WM_INLINE WmUint4 wm_load_uint4(const uint32_t *p) { WmUint4 v; memcpy(&v, p, 16); return v; }
WM_INLINE WmUshort8 wm_load_ushort8(const uint16_t *p) { WmUshort8 v; memcpy(&v, p, 16); return v; }
WM_INLINE WmByte16 wm_load_byte16(const uint8_t *p) { WmByte16 v; memcpy(&v, p, 16); return v; }
WM_INLINE void wm_store_float4(float *p, WmFloat4 v) { memcpy(p, &v, 16); }
WM_INLINE void wm_store_int4(int32_t *p, WmInt4 v) { memcpy(p, &v, 16); }
WM_INLINE void wm_store_uint4(uint32_t *p, WmUint4 v) { memcpy(p, &v, 16); }
WM_INLINE void wm_store_ushort8(uint16_t *p, WmUshort8 v) { memcpy(p, &v, 16); }
WM_INLINE void wm_store_byte16(uint8_t *p, WmByte16 v) { memcpy(p, &v, 16); }

WM_INLINE WmFloat4 wm_splat_float4(float x) { return (WmFloat4){x, x, x, x}; }
WM_INLINE WmInt4 wm_splat_int4(int32_t x) { return (WmInt4){x, x, x, x}; }
WM_INLINE WmUshort8 wm_splat_ushort8(uint16_t x) { return (WmUshort8){x, x, x, x, x, x, x, x}; }
WM_INLINE WmByte16 wm_splat_byte16(uint8_t x) {
  return (WmByte16){x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x};
}

/* mask ? a : b; the mask's lanes are 0 or -1. */
WM_INLINE WmFloat4 wm_select_float4(WmInt4 mask, WmFloat4 a, WmFloat4 b) {
  return (WmFloat4)((mask & (WmInt4)a) | (~mask & (WmInt4)b));
}
WM_INLINE WmInt4 wm_select_int4(WmInt4 mask, WmInt4 a, WmInt4 b) { return (mask & a) | (~mask & b); }
WM_INLINE WmUshort8 wm_select_ushort8(WmUshort8 mask, WmUshort8 a, WmUshort8 b) {
  return (mask & a) | (~mask & b);
}
WM_INLINE WmByte16 wm_select_byte16(WmByte16 mask, WmByte16 a, WmByte16 b) {
  return (mask & a) | (~mask & b);
}

/* "a if a < b else b" and "a if a > b else b", exactly: b where either is NaN, b where they are equal. */
WM_INLINE WmFloat4 wm_min_float4(WmFloat4 a, WmFloat4 b) {
#if defined(__wasm_simd128__)
  return (WmFloat4)wasm_f32x4_pmin((v128_t)b, (v128_t)a); /* pmin(x, y) is y < x ? y : x */
#elif WM_SIMD
  return (WmFloat4)_mm_min_ps((__m128)a, (__m128)b);
#else
  return wm_select_float4(a < b, a, b);
#endif
}
WM_INLINE WmFloat4 wm_max_float4(WmFloat4 a, WmFloat4 b) {
#if defined(__wasm_simd128__)
  return (WmFloat4)wasm_f32x4_pmax((v128_t)b, (v128_t)a); /* pmax(x, y) is x < y ? y : x */
#elif WM_SIMD
  return (WmFloat4)_mm_max_ps((__m128)a, (__m128)b);
#else
  return wm_select_float4(a > b, a, b);
#endif
}

/* Truncation toward zero; lanes outside the range of int32 are unspecified, so clamp before. */
WM_INLINE WmInt4 wm_truncate_float4(WmFloat4 v) {
#if defined(__wasm_simd128__)
  return (WmInt4)wasm_i32x4_trunc_sat_f32x4((v128_t)v);
#elif WM_SIMD
  return (WmInt4)_mm_cvttps_epi32((__m128)v);
#else
  return (WmInt4){(int32_t)v[0], (int32_t)v[1], (int32_t)v[2], (int32_t)v[3]};
#endif
}
WM_INLINE WmFloat4 wm_int4_to_float4(WmInt4 v) {
#if defined(__wasm_simd128__)
  return (WmFloat4)wasm_f32x4_convert_i32x4((v128_t)v);
#elif WM_SIMD
  return (WmFloat4)_mm_cvtepi32_ps((__m128i)v);
#else
  return (WmFloat4){(float)v[0], (float)v[1], (float)v[2], (float)v[3]};
#endif
}

WM_INLINE WmFloat4 wm_sqrt_float4(WmFloat4 v) {
#if defined(__wasm_simd128__)
  return (WmFloat4)wasm_f32x4_sqrt((v128_t)v);
#elif WM_SIMD
  return (WmFloat4)_mm_sqrt_ps((__m128)v);
#else
  return (WmFloat4){__builtin_sqrtf(v[0]), __builtin_sqrtf(v[1]), __builtin_sqrtf(v[2]),
                    __builtin_sqrtf(v[3])};
#endif
}

/* Bit k is the sign bit of lane k. */
WM_INLINE int wm_mask_int4(WmInt4 v) {
#if defined(__wasm_simd128__)
  return (int)wasm_i32x4_bitmask((v128_t)v);
#elif WM_SIMD
  return _mm_movemask_ps((__m128)v);
#else
  return (v[0] < 0) | (v[1] < 0) << 1 | (v[2] < 0) << 2 | (v[3] < 0) << 3;
#endif
}
WM_INLINE int wm_mask_byte16(WmByte16 v) {
#if defined(__wasm_simd128__)
  return (int)wasm_i8x16_bitmask((v128_t)v);
#elif WM_SIMD
  return _mm_movemask_epi8((__m128i)v);
#else
  int mask = 0;
  for (int i = 0; i < 16; i++) mask |= (v[i] >> 7) << i;
  return mask;
#endif
}

WM_INLINE WmShort8 wm_min_short8(WmShort8 a, WmShort8 b) {
#if defined(__wasm_simd128__)
  return (WmShort8)wasm_i16x8_min((v128_t)a, (v128_t)b);
#elif WM_SIMD
  return (WmShort8)_mm_min_epi16((__m128i)a, (__m128i)b);
#else
  const WmShort8 mask = (WmShort8)(a < b);
  return (mask & a) | (~mask & b);
#endif
}
WM_INLINE WmShort8 wm_max_short8(WmShort8 a, WmShort8 b) {
#if defined(__wasm_simd128__)
  return (WmShort8)wasm_i16x8_max((v128_t)a, (v128_t)b);
#elif WM_SIMD
  return (WmShort8)_mm_max_epi16((__m128i)a, (__m128i)b);
#else
  const WmShort8 mask = (WmShort8)(a > b);
  return (mask & a) | (~mask & b);
#endif
}
WM_INLINE WmByte16 wm_min_byte16(WmByte16 a, WmByte16 b) {
#if defined(__wasm_simd128__)
  return (WmByte16)wasm_u8x16_min((v128_t)a, (v128_t)b);
#elif WM_SIMD
  return (WmByte16)_mm_min_epu8((__m128i)a, (__m128i)b);
#else
  return wm_select_byte16((WmByte16)(a < b), a, b);
#endif
}

/* Eight integers as shorts, in order; each must be within -32768..32767. */
WM_INLINE WmShort8 wm_narrow_int4(WmInt4 a, WmInt4 b) {
#if defined(__wasm_simd128__)
  return (WmShort8)wasm_i16x8_narrow_i32x4((v128_t)a, (v128_t)b);
#elif WM_SIMD
  return (WmShort8)_mm_packs_epi32((__m128i)a, (__m128i)b);
#else
  return (WmShort8){(int16_t)a[0], (int16_t)a[1], (int16_t)a[2], (int16_t)a[3],
                    (int16_t)b[0], (int16_t)b[1], (int16_t)b[2], (int16_t)b[3]};
#endif
}

/* Rows become columns: lane k of the first becomes lane 0 of number k, and so on. */
WM_INLINE void wm_transpose_float4(WmFloat4 v[4]) {
#if WM_SIMD && !defined(__wasm_simd128__)
  const __m128 low_a = _mm_unpacklo_ps((__m128)v[0], (__m128)v[1]);
  const __m128 low_b = _mm_unpacklo_ps((__m128)v[2], (__m128)v[3]);
  const __m128 high_a = _mm_unpackhi_ps((__m128)v[0], (__m128)v[1]);
  const __m128 high_b = _mm_unpackhi_ps((__m128)v[2], (__m128)v[3]);
  v[0] = (WmFloat4)_mm_movelh_ps(low_a, low_b);
  v[1] = (WmFloat4)_mm_movehl_ps(low_b, low_a);
  v[2] = (WmFloat4)_mm_movelh_ps(high_a, high_b);
  v[3] = (WmFloat4)_mm_movehl_ps(high_b, high_a);
#elif WM_SIMD
  const v128_t low_a = wasm_i32x4_shuffle((v128_t)v[0], (v128_t)v[1], 0, 4, 1, 5);
  const v128_t low_b = wasm_i32x4_shuffle((v128_t)v[2], (v128_t)v[3], 0, 4, 1, 5);
  const v128_t high_a = wasm_i32x4_shuffle((v128_t)v[0], (v128_t)v[1], 2, 6, 3, 7);
  const v128_t high_b = wasm_i32x4_shuffle((v128_t)v[2], (v128_t)v[3], 2, 6, 3, 7);
  v[0] = (WmFloat4)wasm_i64x2_shuffle(low_a, low_b, 0, 2);
  v[1] = (WmFloat4)wasm_i64x2_shuffle(low_a, low_b, 1, 3);
  v[2] = (WmFloat4)wasm_i64x2_shuffle(high_a, high_b, 0, 2);
  v[3] = (WmFloat4)wasm_i64x2_shuffle(high_a, high_b, 1, 3);
#else
  for (int i = 0; i < 4; i++) {
    for (int j = i + 1; j < 4; j++) {
      const float kept = v[i][j];
      v[i][j] = v[j][i];
      v[j][i] = kept;
    }
  }
#endif
}

WM_INLINE WmShort8 wm_load_short8(const int16_t *p) { WmShort8 v; memcpy(&v, p, 16); return v; }
WM_INLINE void wm_store_short8(int16_t *p, WmShort8 v) { memcpy(p, &v, 16); }
WM_INLINE WmShort8 wm_splat_short8(int16_t x) { return (WmShort8){x, x, x, x, x, x, x, x}; }
WM_INLINE WmShort8 wm_select_short8(WmShort8 mask, WmShort8 a, WmShort8 b) {
  return (mask & a) | (~mask & b);
}

/* Bit k is the sign bit of lane k. */
WM_INLINE int wm_mask_short8(WmShort8 v) {
#if defined(__wasm_simd128__)
  return (int)wasm_i16x8_bitmask((v128_t)v);
#elif WM_SIMD
  return _mm_movemask_epi8(_mm_packs_epi16((__m128i)v, _mm_setzero_si128()));
#else
  int mask = 0;
  for (int i = 0; i < 8; i++) mask |= (v[i] < 0) << i;
  return mask;
#endif
}

/* The lower and upper four of eight shorts as integers, with their sign. */
WM_INLINE WmInt4 wm_widen_low_short8(WmShort8 v) {
#if defined(__wasm_simd128__)
  return (WmInt4)wasm_i32x4_extend_low_i16x8((v128_t)v);
#elif WM_SIMD
  return (WmInt4)_mm_unpacklo_epi16((__m128i)v, (__m128i)v) >> 16;
#else
  return (WmInt4){v[0], v[1], v[2], v[3]};
#endif
}
WM_INLINE WmInt4 wm_widen_high_short8(WmShort8 v) {
#if defined(__wasm_simd128__)
  return (WmInt4)wasm_i32x4_extend_high_i16x8((v128_t)v);
#elif WM_SIMD
  return (WmInt4)_mm_unpackhi_epi16((__m128i)v, (__m128i)v) >> 16;
#else
  return (WmInt4){v[4], v[5], v[6], v[7]};
#endif
}

/* Eight bytes as shorts, 0..255. */
WM_INLINE WmShort8 wm_load_bytes_as_short8(const uint8_t *p) {
#if defined(__wasm_simd128__)
  return (WmShort8)wasm_u16x8_load8x8(p);
#elif WM_SIMD
  return (WmShort8)_mm_unpacklo_epi8(_mm_loadl_epi64((const __m128i *)(const void *)p), _mm_setzero_si128());
#else
  return (WmShort8){p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]};
#endif
}

/* Four vectors as the rows of a matrix, transposed: afterwards rows[k] holds lane k of each. */
WM_INLINE void wm_transpose_uint4(WmUint4 rows[4]) {
#if defined(__wasm_simd128__)
  const v128_t a = (v128_t)rows[0], b = (v128_t)rows[1], c = (v128_t)rows[2], d = (v128_t)rows[3];
  const v128_t ab_low = wasm_i32x4_shuffle(a, b, 0, 4, 1, 5), ab_high = wasm_i32x4_shuffle(a, b, 2, 6, 3, 7);
  const v128_t cd_low = wasm_i32x4_shuffle(c, d, 0, 4, 1, 5), cd_high = wasm_i32x4_shuffle(c, d, 2, 6, 3, 7);
  rows[0] = (WmUint4)wasm_i64x2_shuffle(ab_low, cd_low, 0, 2);
  rows[1] = (WmUint4)wasm_i64x2_shuffle(ab_low, cd_low, 1, 3);
  rows[2] = (WmUint4)wasm_i64x2_shuffle(ab_high, cd_high, 0, 2);
  rows[3] = (WmUint4)wasm_i64x2_shuffle(ab_high, cd_high, 1, 3);
#elif WM_SIMD
  const __m128i a = (__m128i)rows[0], b = (__m128i)rows[1], c = (__m128i)rows[2], d = (__m128i)rows[3];
  const __m128i ab_low = _mm_unpacklo_epi32(a, b), ab_high = _mm_unpackhi_epi32(a, b);
  const __m128i cd_low = _mm_unpacklo_epi32(c, d), cd_high = _mm_unpackhi_epi32(c, d);
  rows[0] = (WmUint4)_mm_unpacklo_epi64(ab_low, cd_low);
  rows[1] = (WmUint4)_mm_unpackhi_epi64(ab_low, cd_low);
  rows[2] = (WmUint4)_mm_unpacklo_epi64(ab_high, cd_high);
  rows[3] = (WmUint4)_mm_unpackhi_epi64(ab_high, cd_high);
#else
  WmUint4 columns[4];
  for (int i = 0; i < 4; i++) columns[i] = (WmUint4){rows[0][i], rows[1][i], rows[2][i], rows[3][i]};
  for (int i = 0; i < 4; i++) rows[i] = columns[i];
#endif
}

/* Stores the low 8 bits of eight integers; each must be within 0..255. */
WM_INLINE void wm_store_shorts_as_bytes(uint8_t *p, WmShort8 v) {
#if defined(__wasm_simd128__)
  wasm_v128_store64_lane(p, wasm_u8x16_narrow_i16x8((v128_t)v, (v128_t)v), 0);
#elif WM_SIMD
  _mm_storel_epi64((__m128i *)(void *)p, _mm_packus_epi16((__m128i)v, (__m128i)v));
#else
  for (int i = 0; i < 8; i++) p[i] = (uint8_t)v[i];
#endif
}

/* Masks of eight and eight lanes as one of sixteen. */
WM_INLINE WmByte16 wm_narrow_mask_short8(WmShort8 a, WmShort8 b) {
#if defined(__wasm_simd128__)
  return (WmByte16)wasm_i8x16_narrow_i16x8((v128_t)a, (v128_t)b);
#elif WM_SIMD
  return (WmByte16)_mm_packs_epi16((__m128i)a, (__m128i)b);
#else
  WmByte16 bytes = {0};
  for (int i = 0; i < 8; i++) {
    bytes[i] = (uint8_t)a[i];
    bytes[8 + i] = (uint8_t)b[i];
  }
  return bytes;
#endif
}

/* The upper 16 bits of eight products. */
WM_INLINE WmUshort8 wm_multiply_high_ushort8(WmUshort8 a, WmUshort8 b) {
#if defined(__wasm_simd128__)
  return (WmUshort8)wasm_i16x8_shuffle(wasm_u32x4_extmul_low_u16x8((v128_t)a, (v128_t)b),
                                       wasm_u32x4_extmul_high_u16x8((v128_t)a, (v128_t)b), 1, 3, 5, 7, 9, 11,
                                       13, 15);
#elif WM_SIMD
  return (WmUshort8)_mm_mulhi_epu16((__m128i)a, (__m128i)b);
#else
  WmUshort8 product;
  for (int i = 0; i < 8; i++) product[i] = (uint16_t)((uint32_t)a[i] * b[i] >> 16);
  return product;
#endif
}

/* Lanes moved up (to higher numbers) by 1, 2 or 4; the lanes left behind come from `fill`, of which all lanes
 * are equal. */
WM_INLINE WmShort8 wm_move_up_short8(WmShort8 v, int lanes, WmShort8 fill) {
#if defined(__wasm_simd128__)
  const v128_t a = (v128_t)fill, b = (v128_t)v;
  if (lanes == 1) return (WmShort8)wasm_i16x8_shuffle(a, b, 7, 8, 9, 10, 11, 12, 13, 14);
  if (lanes == 2) return (WmShort8)wasm_i16x8_shuffle(a, b, 6, 7, 8, 9, 10, 11, 12, 13);
  return (WmShort8)wasm_i16x8_shuffle(a, b, 4, 5, 6, 7, 8, 9, 10, 11);
#elif WM_SIMD
  const __m128i a = (__m128i)fill, b = (__m128i)v;
  if (lanes == 1) return (WmShort8)_mm_or_si128(_mm_slli_si128(b, 2), _mm_srli_si128(a, 14));
  if (lanes == 2) return (WmShort8)_mm_or_si128(_mm_slli_si128(b, 4), _mm_srli_si128(a, 12));
  return (WmShort8)_mm_unpacklo_epi64(a, b);
#else
  for (int i = 7; i >= 0; i--) fill[i] = i >= lanes ? v[i - lanes] : fill[i];
  return fill;
#endif
}

WM_INLINE WmShort8 wm_reverse_short8(WmShort8 v) {
#if defined(__wasm_simd128__)
  return (WmShort8)wasm_i16x8_shuffle((v128_t)v, (v128_t)v, 7, 6, 5, 4, 3, 2, 1, 0);
#elif WM_SIMD
  const __m128i halves = _mm_shufflehi_epi16(_mm_shufflelo_epi16((__m128i)v, 0x1b), 0x1b);
  return (WmShort8)_mm_shuffle_epi32(halves, 0x4e);
#else
  return (WmShort8){v[7], v[6], v[5], v[4], v[3], v[2], v[1], v[0]};
#endif
}

/* All lanes as the last `period` lanes (1, 2 or 4) in turns. */
WM_INLINE WmShort8 wm_repeat_last_short8(WmShort8 v, int period) {
#if defined(__wasm_simd128__)
  const v128_t a = (v128_t)v;
  if (period == 1) return (WmShort8)wasm_i16x8_shuffle(a, a, 7, 7, 7, 7, 7, 7, 7, 7);
  if (period == 2) return (WmShort8)wasm_i32x4_shuffle(a, a, 3, 3, 3, 3);
  return (WmShort8)wasm_i64x2_shuffle(a, a, 1, 1);
#elif WM_SIMD
  const __m128i a = (__m128i)v;
  if (period == 1) return (WmShort8)_mm_shuffle_epi32(_mm_shufflehi_epi16(a, 0xff), 0xff);
  return (WmShort8)(period == 2 ? _mm_shuffle_epi32(a, 0xff) : _mm_unpackhi_epi64(a, a));
#else
  WmShort8 repeated;
  for (int i = 0; i < 8; i++) repeated[i] = v[8 - period + (i & (period - 1))];
  return repeated;
#endif
}

WM_INLINE WmInt4 wm_min_int4(WmInt4 a, WmInt4 b) {
#if defined(__wasm_simd128__)
  return (WmInt4)wasm_i32x4_min((v128_t)a, (v128_t)b);
#else
  return wm_select_int4((WmInt4)(a < b), a, b);
#endif
}
WM_INLINE WmInt4 wm_max_int4(WmInt4 a, WmInt4 b) {
#if defined(__wasm_simd128__)
  return (WmInt4)wasm_i32x4_max((v128_t)a, (v128_t)b);
#else
  return wm_select_int4((WmInt4)(a > b), a, b);
#endif
}

/* Lanes 1, 0, 3, 2 and lanes 2, 3, 0, 1: two steps of a reduction over four lanes, which all lanes then hold. */
WM_INLINE WmInt4 wm_swap_pairs_int4(WmInt4 v) {
#if defined(__wasm_simd128__)
  return (WmInt4)wasm_i32x4_shuffle((v128_t)v, (v128_t)v, 1, 0, 3, 2);
#elif WM_SIMD
  return (WmInt4)_mm_shuffle_epi32((__m128i)v, _MM_SHUFFLE(2, 3, 0, 1));
#else
  return (WmInt4){v[1], v[0], v[3], v[2]};
#endif
}
WM_INLINE WmInt4 wm_swap_halves_int4(WmInt4 v) {
#if defined(__wasm_simd128__)
  return (WmInt4)wasm_i32x4_shuffle((v128_t)v, (v128_t)v, 2, 3, 0, 1);
#elif WM_SIMD
  return (WmInt4)_mm_shuffle_epi32((__m128i)v, _MM_SHUFFLE(1, 0, 3, 2));
#else
  return (WmInt4){v[2], v[3], v[0], v[1]};
#endif
}

#endif
