/* Stable sorting by bottom-up merging. See sort.h. */
#include "base/sort.h"

#include <stdbool.h>
#include <string.h>

#include "base/debug/assert.h"

static bool is_sorted(const WmSortItem *items, size_t count) {
  for (size_t i = 1; i < count; i++) {
    if (items[i].key < items[i - 1].key) return false;
  }
  return true;
}

/* Appends the left item where keys are equal: this makes the sort stable. */
static void merge_runs(const WmSortItem *left, const WmSortItem *middle, const WmSortItem *end,
                       WmSortItem *out) {
  const WmSortItem *right = middle;
  while (left < middle && right < end) *out++ = right->key < left->key ? *right++ : *left++;
  while (left < middle) *out++ = *left++;
  while (right < end) *out++ = *right++;
}

void wm_sort_stable(WmSortItem *items, WmSortItem *scratch, size_t count) {
  WM_ASSERT(items + count <= scratch || scratch + count <= items);
  WmSortItem *from = items, *to = scratch;
  for (size_t width = 1; width < count; width *= 2) {
    for (size_t begin = 0; begin < count; begin += 2 * width) {
      const size_t middle = count - begin < width ? count : begin + width;
      const size_t end = count - begin < 2 * width ? count : begin + 2 * width;
      merge_runs(from + begin, from + middle, from + end, to + begin);
    }
    WmSortItem *swap = from;
    from = to;
    to = swap;
  }
  if (from != items) memcpy(items, from, count * sizeof *items);
  WM_ASSERT(is_sorted(items, count));
}

size_t wm_sort_find(const WmSortItem *items, size_t count, uint32_t key) {
  size_t low = 0, high = count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (items[middle].key < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
