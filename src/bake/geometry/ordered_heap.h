/* A binary heap that returns the smallest (key, order) first: the tie-breaking queue of ear clipping,
 * polygon merging and hole merging. Entries that have become invalid stay in the heap: their owner
 * recognises them when they are popped. */
#ifndef WALKMESH_BAKE_ORDERED_HEAP_H
#define WALKMESH_BAKE_ORDERED_HEAP_H

#include "base/context.h"

typedef struct WmOrderedEntry {
  int64_t key;
  uint64_t order;    /* breaks ties between equal keys */
  uint32_t stamp[2]; /* the owner's */
} WmOrderedEntry;

typedef struct WmOrderedHeap {
  WmOrderedEntry *entries;
  size_t count, capacity;
} WmOrderedHeap;

/* Adds an entry; false after recording out-of-memory. */
bool wm_ordered_heap_push(WmContext *context, WmOrderedHeap *heap, WmOrderedEntry entry);

/* Removes and returns the smallest entry. The heap must not be empty. */
WmOrderedEntry wm_ordered_heap_pop(WmOrderedHeap *heap);

#endif
