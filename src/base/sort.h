/* Walkmesh's only sort: stable, so that items with equal keys keep their order on every platform. */
#ifndef WALKMESH_BASE_SORT_H
#define WALKMESH_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

typedef struct WmSortItem {
  uint32_t key;
  uint32_t value;
} WmSortItem;

/* Sorts items by ascending key; items with equal keys keep their order.
 * in/out     items [count]
 * scratch    scratch [count]: its contents are lost; must not overlap items
 * cost       O(count log count) */
void wm_sort_stable(WmSortItem *items, WmSortItem *scratch, size_t count);

/* The first of sorted items whose key is at least `key`; `count` if there is none.
 * cost       O(log count) */
size_t wm_sort_find(const WmSortItem *items, size_t count, uint32_t key);

#endif
