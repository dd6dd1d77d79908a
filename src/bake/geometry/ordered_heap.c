/* A binary heap by (key, order). See ordered_heap.h. */
#include "bake/geometry/ordered_heap.h"

static bool is_before(const WmOrderedEntry *a, const WmOrderedEntry *b) {
  return a->key < b->key || (a->key == b->key && a->order < b->order);
}

bool wm_ordered_heap_push(WmContext *context, WmOrderedHeap *heap, WmOrderedEntry entry) {
  if (heap->count == heap->capacity) {
    heap->entries =
        wm_scratch_reserve(context, heap->entries, &heap->capacity, heap->count + 1, sizeof entry);
    if (!heap->entries) return false;
  }
  WmOrderedEntry *entries = heap->entries;
  size_t at = heap->count++;
  for (; at > 0; at = (at - 1) / 2) {
    if (!is_before(&entry, &entries[(at - 1) / 2])) break;
    entries[at] = entries[(at - 1) / 2];
  }
  entries[at] = entry;
  return true;
}

WmOrderedEntry wm_ordered_heap_pop(WmOrderedHeap *heap) {
  WmOrderedEntry *entries = heap->entries;
  const size_t count = --heap->count;
  const WmOrderedEntry smallest = entries[0], *last = &entries[count];
  size_t at = 0;
  for (size_t child = 1; child < count; child = 2 * at + 1) {
    if (child + 1 < count && is_before(&entries[child + 1], &entries[child])) child++;
    if (!is_before(&entries[child], last)) break;
    entries[at] = entries[child];
    at = child;
  }
  entries[at] = *last;
  return smallest;
}
