/* A 4-ary min-heap of keys for searches: the smallest is keys[0].
 *
 * Keys are cost and sequence in one 64-bit number (wm_heap_key), so that equal costs come out in the order
 * they went in: results do not depend on the heap's shape. What a key stands for, its sequence tells. There
 * is no decrease: push again, and pass over what was overtaken when it comes out. Where another key follows
 * the smallest one, as in searches, wm_heap_replace does both in one go, and mostly stops at the top.
 * Children of entry i are 4 i + 1 to 4 i + 4: shallow, and a node's children share a cache line. The four
 * places behind the last key hold WM_HEAP_END, so that children are compared without looking where the keys
 * end. The caller owns the array and its growth.
 *
 * Source: D. B. Johnson, "Priority queues with update and finding minimum spanning trees", 1975. */
#ifndef WALKMESH_BASE_HEAP_H
#define WALKMESH_BASE_HEAP_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Costs that are not negative sort like their bits; NaN comes last. */
static inline uint64_t wm_heap_key(float cost, uint32_t sequence) {
  uint32_t bits;
  memcpy(&bits, &cost, sizeof bits);
  return (uint64_t)bits << 32 | sequence;
}

#define WM_HEAP_END UINT64_MAX
enum { WM_HEAP_MARGIN = 4 }; /* places behind the last key */

/* An empty heap: room for WM_HEAP_MARGIN keys. */
static inline void wm_heap_clear(uint64_t *keys) {
  for (int i = 0; i < WM_HEAP_MARGIN; i++) keys[i] = WM_HEAP_END;
}

/* in         keys: room for *count + 1 + WM_HEAP_MARGIN */
static inline void wm_heap_push(uint64_t *keys, size_t *count, uint64_t key) {
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

/* Puts another key in the place of the smallest one. in         count > 0 */
static inline void wm_heap_replace(uint64_t *keys, size_t count, uint64_t key) {
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

/* Takes the smallest key off. in         *count > 0 */
static inline void wm_heap_remove(uint64_t *keys, size_t *count) {
  const size_t left = --*count;
  const uint64_t last = keys[left];
  keys[left] = WM_HEAP_END;
  if (left > 0) wm_heap_replace(keys, left, last);
}

#endif
