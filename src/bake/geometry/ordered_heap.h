/* A binary heap that gives the smallest (key, order) first: the one tie-breaking queue of ear clipping,
 * polygon merging and hole merging. Entries that have become invalid are not searched for: their owner
 * recognises them when they come out. */
#ifndef WALKMESH_BAKE_ORDERED_HEAP_H
#define WALKMESH_BAKE_ORDERED_HEAP_H

#include "base/context.h"

typedef struct WmOrderedEntry {
  int64_t key;
  uint64_t order;    /* decides between equal keys */
  uint32_t stamp[2]; /* the owner's */
} WmOrderedEntry;

typedef struct WmOrderedHeap {
  WmOrderedEntry *entries;
  size_t count, capacity;
} WmOrderedHeap;

/* Adds an entry; false (with out-of-memory recorded) where the heap cannot grow. */
bool wm_ordered_heap_push(WmContext *context, WmOrderedHeap *heap, WmOrderedEntry entry);

/* Takes the smallest entry; the heap must not be empty. */
WmOrderedEntry wm_ordered_heap_pop(WmOrderedHeap *heap);

#endif
