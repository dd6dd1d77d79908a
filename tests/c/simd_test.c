/* The SIMD vocabulary: every operation is compared with its contract in base/simd.h, lane by lane, with exact
 * equality. Each backend runs it: SSE2, scalar (walkmesh_tests_scalar) and NEON (npm run test:neon). Golden
 * figures test the modules' backends. */
#include <math.h>
#include <stdbool.h>

#include "base/simd.h"
#include "check.h"

enum { ROUNDS = 2000 };

static uint32_t random_state = 1;

static uint32_t next_random(void) {
  random_state = random_state * 1664525u + 1013904223u;
  return random_state >> 16 | random_state << 16;
}

/* A vector of random bits; one lane in four is 0, all ones, or the lowest or highest signed short. */
static WmUint4 random_bits(void) {
  static const uint32_t EDGES[] = {0, UINT32_MAX, 0x80008000u, 0x7fff7fffu};
  WmUint4 v;
  for (int i = 0; i < 4; i++) v[i] = next_random() & 3 ? next_random() : EDGES[next_random() & 3];
  return v;
}

static float random_between(float low, float high) {
  return low + (high - low) * (float)(next_random() >> 8) / 16777216.0f;
}

static bool are_equal(const void *a, const void *b) { return memcmp(a, b, 16) == 0; }

/* Special values, all pairs: equal ones with unlike signs, NaN on either side. */
static void floats_take_the_second_where_they_are_equal_or_unordered(void) {
  const float values[] = {0, -0.0f, 1, -1, 2.5f, -2.5f, 1e9f, 3e-40f, INFINITY, -INFINITY, NAN, 7.99f};
  const int count = sizeof values / sizeof *values;
  for (int i = 0; i < count * count; i++) {
    const float a = values[i / count], b = values[i % count];
    const WmFloat4 low = wm_splat_float4(a < b ? a : b), high = wm_splat_float4(a > b ? a : b);
    const WmFloat4 got_low = wm_min_float4(wm_splat_float4(a), wm_splat_float4(b));
    const WmFloat4 got_high = wm_max_float4(wm_splat_float4(a), wm_splat_float4(b));
    CHECK(are_equal(&got_low, &low));
    CHECK(are_equal(&got_high, &high));
  }
}

static void integers_compare_with_their_signs_and_bytes_without(void) {
  for (int round = 0; round < ROUNDS; round++) {
    const WmUint4 a = random_bits(), b = random_bits();
    WmInt4 low4, high4;
    for (int i = 0; i < 4; i++) {
      const int32_t x = (int32_t)a[i], y = (int32_t)b[i];
      low4[i] = x < y ? x : y;
      high4[i] = x > y ? x : y;
    }
    const WmInt4 got_low4 = wm_min_int4((WmInt4)a, (WmInt4)b), got_high4 = wm_max_int4((WmInt4)a, (WmInt4)b);
    CHECK(are_equal(&got_low4, &low4) && are_equal(&got_high4, &high4));
    const WmShort8 a8 = (WmShort8)a, b8 = (WmShort8)b;
    WmShort8 low8, high8;
    WmUshort8 product;
    for (int i = 0; i < 8; i++) {
      low8[i] = a8[i] < b8[i] ? a8[i] : b8[i];
      high8[i] = a8[i] > b8[i] ? a8[i] : b8[i];
      product[i] = (uint16_t)((uint32_t)((WmUshort8)a8)[i] * ((WmUshort8)b8)[i] >> 16);
    }
    const WmShort8 got_low8 = wm_min_short8(a8, b8), got_high8 = wm_max_short8(a8, b8);
    const WmUshort8 got_product = wm_multiply_high_ushort8((WmUshort8)a, (WmUshort8)b);
    CHECK(are_equal(&got_low8, &low8) && are_equal(&got_high8, &high8));
    CHECK(are_equal(&got_product, &product));
    const WmByte16 a16 = (WmByte16)a, b16 = (WmByte16)b;
    WmByte16 low16;
    for (int i = 0; i < 16; i++) low16[i] = a16[i] < b16[i] ? a16[i] : b16[i];
    const WmByte16 got_low16 = wm_min_byte16(a16, b16);
    CHECK(are_equal(&got_low16, &low16));
  }
}

static void square_roots_are_those_of_the_library(void) {
  for (int round = 0; round < ROUNDS; round++) {
    WmFloat4 v, root;
    for (int i = 0; i < 4; i++) {
      v[i] = ldexpf(random_between(1, 2), (int)(next_random() % 250) - 125);
      root[i] = sqrtf(v[i]);
    }
    const WmFloat4 got = wm_sqrt_float4(v);
    CHECK(are_equal(&got, &root));
  }
}

static void floats_become_integers_and_back(void) {
  for (int round = 0; round < ROUNDS; round++) {
    WmFloat4 wide, small, height;
    WmInt4 truncated, small_truncated, floors, ceilings;
    for (int i = 0; i < 4; i++) {
      wide[i] = random_between(-2e9f, 2e9f);
      small[i] = next_random() & 1 ? random_between(-1, 1048576) : (float)(next_random() % 1048577);
      height[i] = next_random() & 1 ? random_between(0, 4194304) : (float)(next_random() % 4194305);
      if (round == 0) small[i] = (const float[]){-1, -0.5f, -0.0f, 1048576}[i];
      if (round == 0) height[i] = (const float[]){0, 0.5f, 1e-30f, 4194304}[i];
      truncated[i] = (int32_t)wide[i];
      small_truncated[i] = (int32_t)small[i];
      floors[i] = WM_WHOLE_BIAS + (int32_t)floorf(height[i]);
      ceilings[i] = WM_WHOLE_BIAS + (int32_t)ceilf(height[i]);
    }
    const WmInt4 got = wm_truncate_float4(wide);
    CHECK(are_equal(&got, &truncated));
    WmFloat4 whole;
    const WmInt4 got_small = wm_truncate_small_float4(small, &whole);
    CHECK(are_equal(&got_small, &small_truncated));
    for (int i = 0; i < 4; i++) CHECK(whole[i] == (float)small_truncated[i]);
    const WmInt4 got_floors = wm_floor_biased_float4(height), got_ceilings = wm_ceil_biased_float4(height);
    CHECK(are_equal(&got_floors, &floors) && are_equal(&got_ceilings, &ceilings));
    const WmInt4 bits = (WmInt4)random_bits();
    WmFloat4 nearest;
    for (int i = 0; i < 4; i++) nearest[i] = (float)bits[i];
    const WmFloat4 got_nearest = wm_int4_to_float4(bits);
    CHECK(are_equal(&got_nearest, &nearest));
  }
}

static void lanes_widen_and_narrow_in_order(void) {
  for (int round = 0; round < ROUNDS; round++) {
    const WmShort8 v = (WmShort8)random_bits(), w = (WmShort8)random_bits();
    WmInt4 low, high;
    for (int i = 0; i < 4; i++) {
      low[i] = v[i];
      high[i] = v[4 + i];
    }
    const WmInt4 got_low = wm_widen_low_short8(v), got_high = wm_widen_high_short8(v);
    CHECK(are_equal(&got_low, &low) && are_equal(&got_high, &high));
    const WmShort8 narrow = wm_narrow_int4(low, high);
    CHECK(are_equal(&narrow, &v));
    const WmShort8 mask = (WmShort8)(v < w), other = (WmShort8)(v > w);
    WmByte16 both;
    for (int i = 0; i < 8; i++) {
      both[i] = (uint8_t)mask[i];
      both[8 + i] = (uint8_t)other[i];
    }
    const WmByte16 got_both = wm_narrow_mask_short8(mask, other);
    CHECK(are_equal(&got_both, &both));
    uint8_t bytes[8], stored[9];
    memcpy(bytes, &v, 8);
    WmShort8 shorts;
    for (int i = 0; i < 8; i++) shorts[i] = bytes[i];
    const WmShort8 got_shorts = wm_load_bytes_as_short8(bytes);
    CHECK(are_equal(&got_shorts, &shorts));
    stored[8] = 77;
    wm_store_shorts_as_bytes(stored, shorts);
    CHECK(memcmp(stored, bytes, 8) == 0 && stored[8] == 77);
    int16_t half[5], rest[5];
    half[4] = rest[4] = 77;
    wm_store_halves_short8(half, rest, v);
    CHECK(memcmp(half, &v, 8) == 0 && half[4] == 77);
    CHECK(memcmp(rest, (const char *)&v + 8, 8) == 0 && rest[4] == 77);
  }
}

static void any_and_all_lanes_of_masks_are_found(void) {
  for (int bits = 0; bits < 256; bits++) {
    WmShort8 mask;
    for (int i = 0; i < 8; i++) mask[i] = (int16_t) - (bits >> i & 1);
    CHECK_EQUAL_INT(wm_any_short8(mask), bits != 0);
    CHECK_EQUAL_INT(wm_all_short8(mask), bits == 255);
  }
}

static void masks_hold_the_signs_and_select_lanes(void) {
  for (int round = 0; round < ROUNDS; round++) {
    const WmUint4 v = random_bits(), w = random_bits();
    int signs4 = 0, signs8 = 0, signs16 = 0;
    for (int i = 0; i < 4; i++) signs4 |= (((WmInt4)v)[i] < 0) << i;
    for (int i = 0; i < 8; i++) signs8 |= (((WmShort8)v)[i] < 0) << i;
    for (int i = 0; i < 16; i++) signs16 |= (((WmByte16)v)[i] >= 128) << i;
    CHECK_EQUAL_INT(wm_mask_int4((WmInt4)v), signs4);
    CHECK_EQUAL_INT(wm_mask_short8((WmShort8)v), signs8);
    CHECK_EQUAL_INT(wm_mask_byte16((WmByte16)v), signs16);
    const WmInt4 mask = wm_opaque_mask_int4((WmInt4)v < 0);
    WmInt4 chosen;
    for (int i = 0; i < 4; i++) chosen[i] = (int32_t)((int32_t)v[i] < 0 ? v[i] : w[i]);
    const WmInt4 got = wm_select_int4(mask, (WmInt4)v, (WmInt4)w);
    CHECK(are_equal(&got, &chosen));
  }
}

static void rows_become_columns(void) {
  WmUint4 rows[4], columns[4];
  WmFloat4 float_rows[4];
  for (int i = 0; i < 4; i++) rows[i] = random_bits();
  for (int i = 0; i < 16; i++) columns[i / 4][i % 4] = rows[i % 4][i / 4];
  memcpy(float_rows, rows, sizeof rows);
  wm_transpose_uint4(rows);
  wm_transpose_float4(float_rows);
  CHECK(memcmp(rows, columns, sizeof rows) == 0);
  CHECK(memcmp(float_rows, columns, sizeof rows) == 0);
}

static void lanes_move_as_drawn(void) {
  const WmShort8 v = {0, 1, 2, 3, 4, 5, 6, 7}, f = wm_splat_short8(-9);
  const WmShort8 wanted[] = {{-9, 0, 1, 2, 3, 4, 5, 6},      {-9, -9, 0, 1, 2, 3, 4, 5},
                             {-9, -9, -9, -9, 0, 1, 2, 3},   {7, 6, 5, 4, 3, 2, 1, 0},
                             {7, 7, 7, 7, 7, 7, 7, 7},       {6, 7, 6, 7, 6, 7, 6, 7},
                             {4, 5, 6, 7, 4, 5, 6, 7},       {-9, -9, -9, 0, 1, 2, 3, 4},
                             {-9, -9, -9, -9, -9, -9, 0, 1}, {5, 6, 7, 5, 6, 7, 5, 6}};
  const WmShort8 got[] = {wm_move_up_short8(v, 1, f),  wm_move_up_short8(v, 2, f),
                          wm_move_up_short8(v, 4, f),  wm_reverse_short8(v),
                          wm_repeat_last_short8(v, 1), wm_repeat_last_short8(v, 2),
                          wm_repeat_last_short8(v, 4), wm_move_up_short8(v, 3, f),
                          wm_move_up_short8(v, 6, f),  wm_repeat_last_short8(v, 3)};
  for (int i = 0; i < 10; i++) CHECK(are_equal(&got[i], &wanted[i]));
  const WmInt4 four = {10, 11, 12, 13}, pairs = {11, 10, 13, 12}, halves = {12, 13, 10, 11};
  const WmInt4 got_pairs = wm_swap_pairs_int4(four), got_halves = wm_swap_halves_int4(four);
  CHECK(are_equal(&got_pairs, &pairs) && are_equal(&got_halves, &halves));
}

static void doubles_are_measured_lane_by_lane(void) {
  for (int round = 0; round < ROUNDS; round++) {
    const WmFloat4 v = {random_between(-1e6f, 1e6f), random_between(-1, 1), random_between(-1e-3f, 1e3f),
                        -0.0f};
    const WmDouble2 low = {(double)v[0], (double)v[1]}, high = {(double)v[2], (double)v[3]};
    const WmDouble2 got_low = wm_widen_low_float4(v), got_high = wm_widen_high_float4(v);
    CHECK(are_equal(&got_low, &low) && are_equal(&got_high, &high));
    const WmDouble2 sizes = {fabs(low[0]), fabs(low[1])}, roots = {sqrt(sizes[0]), sqrt(sizes[1])};
    const WmDouble2 got_sizes = wm_abs_double2(low), got_roots = wm_sqrt_double2(sizes);
    CHECK(are_equal(&got_sizes, &sizes) && are_equal(&got_roots, &roots));
    const WmDouble2 swapped = {low[1], low[0]}, both = {low[1], low[1]};
    const WmDouble2 got_swapped = wm_swap_double2(low), got_both = wm_splat_double2(low[1]);
    CHECK(are_equal(&got_swapped, &swapped) && are_equal(&got_both, &both));
    CHECK_EQUAL_INT(wm_mask_long2((WmLong2)(low < high)), (low[0] < high[0]) | (low[1] < high[1]) << 1);
  }
}

int main(void) {
  RUN(floats_take_the_second_where_they_are_equal_or_unordered);
  RUN(integers_compare_with_their_signs_and_bytes_without);
  RUN(square_roots_are_those_of_the_library);
  RUN(doubles_are_measured_lane_by_lane);
  RUN(floats_become_integers_and_back);
  RUN(lanes_widen_and_narrow_in_order);
  RUN(any_and_all_lanes_of_masks_are_found);
  RUN(masks_hold_the_signs_and_select_lanes);
  RUN(rows_become_columns);
  RUN(lanes_move_as_drawn);
  return check_finish();
}
