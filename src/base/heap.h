/* A 4-ary min-heap of keys for searches: keys[0] is the smallest.
 *
 * A key is a cost and a sequence number in one 64-bit integer (wm_heap_key): keys of equal cost are removed
 * in the order they were pushed, so results do not depend on the heap's shape. The sequence number tells the
 * caller which entry a key belongs to. Keys cannot be decreased: push the new key, and skip the outdated one
 * when it is removed. A search that pushes right after it removes calls wm_heap_replace, which does both at
 * once and usually stops near the top.
 *
 * The children of keys[i] are keys[4 i + 1] to keys[4 i + 4]: the heap is shallow, and children share a cache
 * line. The four elements after the last key are WM_HEAP_END, so that children are compared without checking
 * where the keys end. The caller owns the array and grows it.
 *
 * Source: D. B. Johnson, "Priority queues with update and finding minimum spanning trees", 1975. */
#ifndef WALKMESH_BASE_HEAP_H
#define WALKMESH_BASE_HEAP_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/debug/assert.h"

/* Non-negative floats sort in the order of their bits; NaN comes last. */
static inline uint64_t wm_heap_key(float cost, uint32_t sequence) {
  uint32_t bits;
  memcpy(&bits, &cost, sizeof bits);
  return (uint64_t)bits << 32 | sequence;
}

#define WM_HEAP_END UINT64_MAX
enum { WM_HEAP_MARGIN = 4 }; /* elements after the last key */

/* Makes the heap empty.
 * out        keys [WM_HEAP_MARGIN] */
static inline void wm_heap_clear(uint64_t *keys) {
  for (int i = 0; i < WM_HEAP_MARGIN; i++) keys[i] = WM_HEAP_END;
}

/* Adds a key.
 * in/out     keys [*count + 1 + WM_HEAP_MARGIN]; count
 * in         key: not WM_HEAP_END
 * cost       O(log count) */
static inline void wm_heap_push(uint64_t *keys, size_t *count, uint64_t key) {
  WM_ASSERT(key != WM_HEAP_END && keys[*count] == WM_HEAP_END);
  size_t at = (*count)++;
  keys[at + WM_HEAP_MARGIN] = WM_HEAP_END;
  while (at > 0) {
    const size_t parent = (at - 1) / 4;
    if (keys[parent] <= key) break;
    keys[at] = keys[parent];
    at = parent;
  }
  keys[at] = key;
}

/* Removes the smallest key and adds another.
 * in/out     keys [count + WM_HEAP_MARGIN]
 * in         count: at least 1; key: not WM_HEAP_END
 * cost       O(log count) */
static inline void wm_heap_replace(uint64_t *keys, size_t count, uint64_t key) {
  WM_ASSERT(count > 0 && keys[count] == WM_HEAP_END && keys[count + WM_HEAP_MARGIN - 1] == WM_HEAP_END);
  size_t at = 0;
  for (size_t child = 1; child < count; child = 4 * at + 1) {
    const uint64_t *of = keys + child;
    const size_t near = of[1] < of[0], far = 2 + (of[3] < of[2]);
    const uint64_t near_key = of[near], far_key = of[far];
    const uint64_t smallest = far_key < near_key ? far_key : near_key;
    if (smallest >= key) break;
    keys[at] = smallest;
    at = child + (far_key < near_key ? far : near);
  }
  keys[at] = key;
}

/* Removes the smallest key.
 * in/out     keys [*count + WM_HEAP_MARGIN]; count: at least 1
 * cost       O(log count) */
static inline void wm_heap_remove(uint64_t *keys, size_t *count) {
  WM_ASSERT(*count > 0 && keys[*count] == WM_HEAP_END);
  const size_t left = --*count;
  const uint64_t last = keys[left];
  keys[left] = WM_HEAP_END;
  if (left > 0) wm_heap_replace(keys, left, last);
}

#endif
