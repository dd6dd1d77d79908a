/* A 4-ary min-heap of (key, value) for searches: the smallest key comes out first.
 *
 * Keys are cost and sequence in one 64-bit number (wm_heap_key), so that equal costs come out in the order
 * they went in: results do not depend on the heap's shape. There is no decrease: push again, and pass over
 * what was overtaken when it comes out. Children of entry i are 4 i + 1 .. 4 i + 4: shallow, and a node's
 * children share a cache line or two. The caller owns the array and its growth.
 *
 * Source: D. B. Johnson, "Priority queues with update and finding minimum spanning trees", 1975. */
#ifndef WALKMESH_BASE_HEAP_H
#define WALKMESH_BASE_HEAP_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct WmHeapEntry {
  uint64_t key;
  uint32_t value;
} WmHeapEntry;

/* Costs that are not negative sort like their bits; NaN comes last. */
static inline uint64_t wm_heap_key(float cost, uint32_t sequence) {
  uint32_t bits;
  memcpy(&bits, &cost, sizeof bits);
  return (uint64_t)bits << 32 | sequence;
}

/* in         entries: room for *count + 1 */
static inline void wm_heap_push(WmHeapEntry *entries, size_t *count, WmHeapEntry entry) {
  size_t at = (*count)++;
  while (at > 0) {
    const size_t parent = (at - 1) / 4;
    if (entries[parent].key <= entry.key) break;
    entries[at] = entries[parent];
    at = parent;
  }
  entries[at] = entry;
}

/* in         *count > 0 */
static inline WmHeapEntry wm_heap_pop(WmHeapEntry *entries, size_t *count) {
  const WmHeapEntry top = entries[0];
  const size_t left = --*count;
  const WmHeapEntry last = entries[left];
  size_t at = 0;
  for (size_t child = 1; child < left; child = 4 * at + 1) {
    const size_t end = child + 4 < left ? child + 4 : left;
    size_t smallest = child;
    for (size_t i = child + 1; i < end; i++) smallest = entries[i].key < entries[smallest].key ? i : smallest;
    if (entries[smallest].key >= last.key) break;
    entries[at] = entries[smallest];
    at = smallest;
  }
  if (left > 0) entries[at] = last;
  return top;
}

#endif
