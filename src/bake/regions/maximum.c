/* The maximum of an array, eight at a time. */
#include "bake/regions/maximum.h"
#include "base/simd.h"

uint16_t wm_find_maximum(const uint16_t *values, uint32_t count) {
  WmUshort8 largest8 = wm_splat_ushort8(0);
  uint16_t largest = 0;
  uint32_t i = 0;
  for (; WM_SIMD && i + 8 <= count; i += 8) {
    const WmUshort8 v = wm_load_ushort8(values + i);
    largest8 = wm_select_ushort8((WmUshort8)(v > largest8), v, largest8);
  }
  for (int lane = 0; lane < 8; lane++) largest = largest8[lane] > largest ? largest8[lane] : largest;
  for (; i < count; i++) largest = values[i] > largest ? values[i] : largest;
  return largest;
}
