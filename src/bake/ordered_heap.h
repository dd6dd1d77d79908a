/* A binary heap that gives the smallest (key, order) first: the one tie-breaking queue of ear clipping,
 * polygon merging and hole merging. Entries that have become invalid are not searched for: their owner
 * recognises them by their stamp when they come out. */
#ifndef WALKMESH_BAKE_ORDERED_HEAP_H
#define WALKMESH_BAKE_ORDERED_HEAP_H

#include "base/context.h"

typedef struct WmOrderedEntry {
  int64_t key;
  uint64_t order; /* decides between equal keys */
  uint32_t stamp[2];
} WmOrderedEntry;

typedef struct WmOrderedHeap {
  WmOrderedEntry *entries;
  size_t count, capacity;
} WmOrderedHeap;

static inline bool wm_ordered_before(const WmOrderedEntry *a, const WmOrderedEntry *b) {
  return a->key < b->key || (a->key == b->key && a->order < b->order);
}

/* Adds an entry; false (with out-of-memory recorded) where the heap cannot grow. */
static inline bool wm_ordered_heap_push(WmContext *context, WmOrderedHeap *heap, WmOrderedEntry entry) {
  if (heap->count == heap->capacity) {
    const size_t capacity = heap->capacity ? 2 * heap->capacity : 32;
    void *larger = wm_scratch_grow(context, heap->entries, heap->capacity, capacity, sizeof entry);
    if (!larger) return false;
    heap->entries = larger;
    heap->capacity = capacity;
  }
  size_t at = heap->count++;
  while (at > 0) {
    const size_t parent = (at - 1) / 2;
    if (!wm_ordered_before(&entry, &heap->entries[parent])) break;
    heap->entries[at] = heap->entries[parent];
    at = parent;
  }
  heap->entries[at] = entry;
  return true;
}

/* Takes the smallest entry; the heap must not be empty. */
static inline WmOrderedEntry wm_ordered_heap_pop(WmOrderedHeap *heap) {
  const WmOrderedEntry smallest = heap->entries[0], entry = heap->entries[--heap->count];
  size_t at = 0;
  for (;;) {
    size_t child = 2 * at + 1;
    if (child >= heap->count) break;
    if (child + 1 < heap->count && wm_ordered_before(&heap->entries[child + 1], &heap->entries[child]))
      child++;
    if (!wm_ordered_before(&heap->entries[child], &entry)) break;
    heap->entries[at] = heap->entries[child];
    at = child;
  }
  heap->entries[at] = entry;
  return smallest;
}

#endif
