/* The SIMD vocabulary: 16 bytes as 4 floats, 2 doubles, 4 integers, 8 shorts or 16 bytes.
 *
 * The types are vector extensions of gcc and clang: + - * / & | ^ ~ << >> and comparisons are written as
 * operators. They work lane by lane; a comparison gives lanes of 0 (false) or -1 (true), which serve as
 * masks. This header documents every other operation; one backend implements them:
 *
 *   simd_wasm.h    WebAssembly SIMD (-msimd128)
 *   simd_sse2.h    x86
 *   simd_neon.h    AArch64
 *   simd_scalar.h  all other targets, and builds with WM_FORCE_SCALAR
 *
 * Every backend returns the same bits for the inputs that an operation allows. Intrinsics stand in these
 * files only. WM_SIMD is 1 except in the scalar backend: a kernel with a better scalar form tests it. Vectors
 * are passed by value, and pointers need no alignment. */
#ifndef WALKMESH_BASE_SIMD_H
#define WALKMESH_BASE_SIMD_H

#include "base/inline.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef float WmFloat4 __attribute__((vector_size(16)));
typedef double WmDouble2 __attribute__((vector_size(16)));
typedef int64_t WmLong2 __attribute__((vector_size(16)));
typedef int32_t WmInt4 __attribute__((vector_size(16)));
typedef uint32_t WmUint4 __attribute__((vector_size(16)));
typedef int16_t WmShort8 __attribute__((vector_size(16)));
typedef uint16_t WmUshort8 __attribute__((vector_size(16)));
typedef uint8_t WmByte16 __attribute__((vector_size(16)));

/* ---- Operations without intrinsics --------------------------------------------------------------- */

/* Unaligned loads and stores of 16 bytes; memcpy becomes one instruction. */
WM_INLINE WmFloat4 wm_load_float4(const float *p) { WmFloat4 v; memcpy(&v, p, 16); return v; }
WM_INLINE WmInt4 wm_load_int4(const int32_t *p) { WmInt4 v; memcpy(&v, p, 16); return v; }
WM_INLINE WmUint4 wm_load_uint4(const uint32_t *p) { WmUint4 v; memcpy(&v, p, 16); return v; }
WM_INLINE WmShort8 wm_load_short8(const int16_t *p) { WmShort8 v; memcpy(&v, p, 16); return v; }
WM_INLINE WmUshort8 wm_load_ushort8(const uint16_t *p) { WmUshort8 v; memcpy(&v, p, 16); return v; }
WM_INLINE WmByte16 wm_load_byte16(const uint8_t *p) { WmByte16 v; memcpy(&v, p, 16); return v; }
WM_INLINE void wm_store_float4(float *p, WmFloat4 v) { memcpy(p, &v, 16); }
WM_INLINE void wm_store_int4(int32_t *p, WmInt4 v) { memcpy(p, &v, 16); }
WM_INLINE void wm_store_uint4(uint32_t *p, WmUint4 v) { memcpy(p, &v, 16); }
WM_INLINE void wm_store_short8(int16_t *p, WmShort8 v) { memcpy(p, &v, 16); }
WM_INLINE void wm_store_ushort8(uint16_t *p, WmUshort8 v) { memcpy(p, &v, 16); }
WM_INLINE void wm_store_byte16(uint8_t *p, WmByte16 v) { memcpy(p, &v, 16); }

/* The same value in all lanes. */
WM_INLINE WmFloat4 wm_splat_float4(float x) { return (WmFloat4){x, x, x, x}; }
WM_INLINE WmDouble2 wm_splat_double2(double x) { return (WmDouble2){x, x}; }
WM_INLINE WmInt4 wm_splat_int4(int32_t x) { return (WmInt4){x, x, x, x}; }
WM_INLINE WmShort8 wm_splat_short8(int16_t x) { return (WmShort8){x, x, x, x, x, x, x, x}; }
WM_INLINE WmUshort8 wm_splat_ushort8(uint16_t x) { return (WmUshort8){x, x, x, x, x, x, x, x}; }
WM_INLINE WmByte16 wm_splat_byte16(uint8_t x) {
  return (WmByte16){x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x};
}

/* Absolute values, and [0 1] => [1 0]. */
WM_INLINE WmDouble2 wm_abs_double2(WmDouble2 v) { return (WmDouble2)((WmLong2)v & (WmLong2){INT64_MAX, INT64_MAX}); }
WM_INLINE WmDouble2 wm_swap_double2(WmDouble2 v) { return (WmDouble2){v[1], v[0]}; }

/* mask ? a : b, lane by lane; the mask's lanes are 0 or -1. */
WM_INLINE WmFloat4 wm_select_float4(WmInt4 mask, WmFloat4 a, WmFloat4 b) {
  return (WmFloat4)((mask & (WmInt4)a) | (~mask & (WmInt4)b));
}
WM_INLINE WmInt4 wm_select_int4(WmInt4 mask, WmInt4 a, WmInt4 b) { return (mask & a) | (~mask & b); }
WM_INLINE WmShort8 wm_select_short8(WmShort8 mask, WmShort8 a, WmShort8 b) {
  return (mask & a) | (~mask & b);
}
WM_INLINE WmUshort8 wm_select_ushort8(WmUshort8 mask, WmUshort8 a, WmUshort8 b) {
  return (mask & a) | (~mask & b);
}
WM_INLINE WmByte16 wm_select_byte16(WmByte16 mask, WmByte16 a, WmByte16 b) {
  return (mask & a) | (~mask & b);
}

/* ---- Operations of the backends: arithmetic ------------------------------------------------------ */

/* a < b ? a : b and a > b ? a : b: b where either is NaN and where both are equal (also of +0 and -0). */
WM_INLINE WmFloat4 wm_min_float4(WmFloat4 a, WmFloat4 b);
WM_INLINE WmFloat4 wm_max_float4(WmFloat4 a, WmFloat4 b);

WM_INLINE WmInt4 wm_min_int4(WmInt4 a, WmInt4 b);
WM_INLINE WmInt4 wm_max_int4(WmInt4 a, WmInt4 b);
WM_INLINE WmShort8 wm_min_short8(WmShort8 a, WmShort8 b);
WM_INLINE WmShort8 wm_max_short8(WmShort8 a, WmShort8 b);
WM_INLINE WmByte16 wm_min_byte16(WmByte16 a, WmByte16 b);

/* Square roots, correctly rounded. */
WM_INLINE WmFloat4 wm_sqrt_float4(WmFloat4 v);
WM_INLINE WmDouble2 wm_sqrt_double2(WmDouble2 v);

/* The upper 16 bits of eight unsigned products of 32 bits. */
WM_INLINE WmUshort8 wm_multiply_high_ushort8(WmUshort8 a, WmUshort8 b);

/* ---- Operations of the backends: conversions ----------------------------------------------------- */

/* Truncates toward zero. Lanes outside the range of int32 are unspecified: clamp before. */
WM_INLINE WmInt4 wm_truncate_float4(WmFloat4 v);

/* The nearest floats; ties go to even. */
WM_INLINE WmFloat4 wm_int4_to_float4(WmInt4 v);

/* The lower or upper two of four floats as doubles. */
WM_INLINE WmDouble2 wm_widen_low_float4(WmFloat4 v);
WM_INLINE WmDouble2 wm_widen_high_float4(WmFloat4 v);

/* Truncates lanes of -1 to 2^20 toward zero, twice: returns them as integers and stores them as floats in
 * `whole`, where the sign of a zero is unspecified. Shorter than the two conversions in WebAssembly. */
WM_INLINE WmInt4 wm_truncate_small_float4(WmFloat4 v, WmFloat4 *whole);

/* Floor and ceiling of lanes of 0 to 2^22, plus WM_WHOLE_BIAS, a constant of the backend. Its lower 16 bits
 * are 0, so that the lower 16 bits of the result are those of the integer. WebAssembly's conversion takes
 * seven instructions; a float plus 2^23 holds the integer in its lowest bits as well. */
WM_INLINE WmInt4 wm_floor_biased_float4(WmFloat4 v);
WM_INLINE WmInt4 wm_ceil_biased_float4(WmFloat4 v);

/* Eight integers as shorts, a's first. Each must be within -32768..32767. */
WM_INLINE WmShort8 wm_narrow_int4(WmInt4 a, WmInt4 b);

/* The lower or upper four of eight shorts as integers, with their sign. */
WM_INLINE WmInt4 wm_widen_low_short8(WmShort8 v);
WM_INLINE WmInt4 wm_widen_high_short8(WmShort8 v);

/* Two masks of 8 lanes as one of 16, a's first. Lanes must be 0 or -1. */
WM_INLINE WmByte16 wm_narrow_mask_short8(WmShort8 a, WmShort8 b);

/* Loads 8 bytes as shorts of 0..255. */
WM_INLINE WmShort8 wm_load_bytes_as_short8(const uint8_t *p);

/* Stores eight shorts as 8 bytes. Each must be within 0..255. */
WM_INLINE void wm_store_shorts_as_bytes(uint8_t *p, WmShort8 v);

/* Stores the lower four of eight shorts, and the upper four elsewhere. */
WM_INLINE void wm_store_halves_short8(int16_t *low, int16_t *high, WmShort8 v);

/* ---- Operations of the backends: masks ----------------------------------------------------------- */

/* An integer whose bit k is the sign bit of lane k; the other bits are 0. */
WM_INLINE int wm_mask_int4(WmInt4 v);
WM_INLINE int wm_mask_long2(WmLong2 v);
WM_INLINE int wm_mask_short8(WmShort8 v);
WM_INLINE int wm_mask_byte16(WmByte16 v);

/* True if any lane of a mask is set, or all are. Faster than comparing wm_mask_short8. */
WM_INLINE bool wm_any_short8(WmShort8 mask);
WM_INLINE bool wm_all_short8(WmShort8 mask);

/* Returns the mask itself, and stops the compiler from turning the operations that use it into a select,
 * which takes three instructions in WebAssembly. */
WM_INLINE WmInt4 wm_opaque_mask_int4(WmInt4 mask);

/* ---- Operations of the backends: moving lanes ---------------------------------------------------- */

/* Transposes a matrix of four rows: lane j of row i becomes lane i of row j. */
WM_INLINE void wm_transpose_float4(WmFloat4 rows[4]);
WM_INLINE void wm_transpose_uint4(WmUint4 rows[4]);

/* Moves lanes up, to higher numbers, by 1, 2, 3, 4 or 6; the lowest lanes become those of `fill`, whose lanes
 * must be equal: [0 1 2 3 4 5 6 7], 2 => [f f 0 1 2 3 4 5]. `lanes` is a constant. */
WM_INLINE WmShort8 wm_move_up_short8(WmShort8 v, int lanes, WmShort8 fill);

/* [0 1 2 3 4 5 6 7] => [7 6 5 4 3 2 1 0] */
WM_INLINE WmShort8 wm_reverse_short8(WmShort8 v);

/* Repeats the last `period` lanes, 1 to 4: [0 1 2 3 4 5 6 7], 3 => [5 6 7 5 6 7 5 6]. `period` is a
 * constant. */
WM_INLINE WmShort8 wm_repeat_last_short8(WmShort8 v, int period);

/* [0 1 2 3] => [1 0 3 2], and [0 1 2 3] => [2 3 0 1]: two steps of a reduction over four lanes, which all
 * lanes hold afterwards. */
WM_INLINE WmInt4 wm_swap_pairs_int4(WmInt4 v);
WM_INLINE WmInt4 wm_swap_halves_int4(WmInt4 v);

/* ---- The backend --------------------------------------------------------------------------------- */

#if defined(WM_FORCE_SCALAR)
#include "base/simd/simd_scalar.h"
#elif defined(__wasm_simd128__)
#include "base/simd/simd_wasm.h"
#elif defined(__SSE2__)
#include "base/simd/simd_sse2.h"
#elif defined(__aarch64__) && defined(__ARM_NEON) && !defined(__AARCH64EB__)
#include "base/simd/simd_neon.h"
#else
#include "base/simd/simd_scalar.h"
#endif

#if defined(WM_ROUNDS_BY_TRUNCATION)
/* For backends without instructions that round down and up. */
WM_INLINE WmInt4 wm_truncate_small_float4(WmFloat4 v, WmFloat4 *whole) {
  const WmInt4 truncated = wm_truncate_float4(v);
  *whole = wm_int4_to_float4(truncated);
  return truncated;
}

WM_INLINE WmInt4 wm_floor_biased_float4(WmFloat4 v) { return wm_truncate_float4(v); }

WM_INLINE WmInt4 wm_ceil_biased_float4(WmFloat4 v) {
  const WmInt4 floor = wm_truncate_float4(v);
  return floor - (WmInt4)(wm_int4_to_float4(floor) < v);
}

#endif

#endif
